/* Corr keeps up with the results: coefficients of every task at once, intervals and permutations in
 * portions at ticks, the selected task first (core's correlate.h). */
#include "corr.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "correlation_set.h"
#include "corr_line.h"
#include "downstream.h"
#include "effects.h"
#include "facts.h"
#include "joined_scores.h"
#include "ranked.h"
#include "ranking_intervals.h"
#include "measure_columns.h"
#include "sorting.h"
#include "stats.h"

/* Resampling is bounded by embedders times draws, as this layer has no clock: about 2 ms each. */
enum { WORK = 12000, WORK_AT_ONCE = 12, WORK_PERMUTE = 4 };
/* Seconds between two looks at the intervals of a task while results come in. */
static const double PACE_SELECTED = 2, PACE_OTHERS = 10;

/* ---- Values ---- */

static bool lower_is_better(const es_app *app) {
    return app->set.axis > 0 ? es_axis_lower(app, app->set.axis) : es_ranked_lower(app);
}

static double clean(double value) { /* one NAN only, so that values can be compared as bytes */
    return isfinite(value) ? value : (double)NAN;
}

static double score_of(const es_app *app, size_t item) {
    if (app->set.axis > 0) /* the right way round */
        return clean(es_corr_score(app, app->set.axis, item, app->values));
    double score = app->live[item].score;
    return clean(lower_is_better(app) ? -score : score);
}

static double task_value(const es_app *app, size_t item, size_t column, bool turned) {
    double value = es_app_score(app, item, column);
    return clean(turned ? -value : value);
}

const char *es_corr_axis(const es_app *app) {
    const char *title = es_axis_title(app, app->set.axis);
    return title != NULL ? title : es_ranked_short(app);
}

bool es_corr_is_mean(const es_app *app, size_t task) {
    return task >= app->corr->columns;
}

const char *es_corr_task_name(const es_app *app, size_t task) {
    const es_scores *scores = &app->scores;
    size_t own = app->corr->columns;
    return task < own ? scores->task[task]
                      : es_task_column_name(scores, scores->tasks + (task - own));
}

double es_corr_shown_x(const es_app *app, double x) {
    return lower_is_better(app) ? -x : x;
}

bool es_corr_is_turned(const es_app *app, size_t task) {
    return es_task_column_is_turned(&app->scores, task);
}

double es_corr_shown_y(const es_app *app, size_t task, double y) {
    return es_corr_is_turned(app, task) ? -y : y;
}

bool es_corr_axis_turned(const es_app *app) {
    return lower_is_better(app);
}

/* ---- Life ---- */

static bool match_names(es_app *app) {
    struct es_corr *c = app->corr;
    size_t m = 0;
    const char **a = es_alloc(app->n + 1, sizeof *a), **b = es_alloc(c->rows + 1, sizeof *b);
    size_t *item = es_alloc(app->n + 1, sizeof *item), *partner = es_alloc(app->n + 1, sizeof *b);
    es_name_match *how = es_alloc(app->n + 1, sizeof *how);
    bool done = a != NULL && b != NULL && item != NULL && partner != NULL && how != NULL;
    for (size_t i = 0; done && i < app->n; i++) {
        c->partner[i] = ES_NONE;
        c->how[i] = ES_NAME_NONE;
        if (es_app_model(app, i)->state != ES_MODEL_EXCLUDED) {
            a[m] = es_app_model(app, i)->name;
            item[m++] = i;
        }
    }
    for (size_t r = 0; done && r < c->rows; r++)
        b[r] = app->source->scores.model[r];
    done = done && es_names_match(a, m, b, c->rows, partner, how, NULL) == ES_OK;
    for (size_t k = 0; done && k < m; k++) {
        c->partner[item[k]] = partner[k];
        c->how[item[k]] = how[k];
        if (how[k] == ES_NAME_EXACT)
            c->row_used[partner[k]] = true;
    }
    es_free(a);
    es_free(b);
    es_free(item);
    es_free(partner);
    es_free(how);
    return done;
}

bool es_corr_new(es_app *app) {
    struct es_corr *c = app->corr = es_alloc_zero(1, sizeof *c);
    size_t n = app->n + 1;
    if (c == NULL)
        return false;
    c->columns = app->source->scores.tasks;
    c->rows = c->columns == 0 ? 0 : app->source->scores.models;
    c->tasks = c->columns > 0 ? es_task_columns(&app->scores) : 0;
    c->task = c->columns > 0 ? es_downstream_column(&app->scores) : 0;
    size_t cells = c->tasks * n + 1;
    if ((c->order = es_alloc_zero(c->tasks + 1, sizeof *c->order)) == NULL ||
        (c->at = es_alloc_zero(c->tasks + 1, sizeof *c->at)) == NULL ||
        (c->x = es_alloc_zero(n, sizeof *c->x)) == NULL ||
        (c->next_x = es_alloc_zero(n, sizeof *c->x)) == NULL ||
        (c->place = es_alloc_zero(n, sizeof *c->place)) == NULL ||
        (c->y = es_alloc_zero(cells, sizeof *c->y)) == NULL ||
        (c->next_y = es_alloc_zero(cells, sizeof *c->y)) == NULL ||
        (c->covariate = es_alloc_zero(n, sizeof *c->x)) == NULL ||
        (c->l2 = es_alloc_zero(n, sizeof *c->x)) == NULL ||
        (c->next_l2 = es_alloc_zero(n, sizeof *c->x)) == NULL ||
        (c->point = es_alloc_zero(n, sizeof *c->point)) == NULL ||
        (c->next = es_alloc_zero(n, sizeof *c->next)) == NULL ||
        (c->partner = es_alloc_zero(n, sizeof *c->partner)) == NULL ||
        (c->how = es_alloc_zero(n, sizeof *c->how)) == NULL ||
        (c->counts = es_alloc_zero(n, sizeof *c->counts)) == NULL ||
        (c->family = es_alloc_zero(n, sizeof *c->family)) == NULL ||
        (c->was_row = es_alloc_zero(n, sizeof *c->was_row)) == NULL ||
        (c->row_used = es_alloc_zero(c->rows + 1, sizeof(bool))) == NULL)
        return false;
    for (size_t t = 0; t < c->tasks; t++) {
        c->order[t] = (t + c->columns) % c->tasks; /* sums first, the mean rank foremost */
        c->at[t].begun = -1e9;
    }
    return match_names(app);
}

void es_corr_free(es_app *app) {
    struct es_corr *c = app->corr;
    if (c == NULL)
        return;
    es_correlator_free(c->work);
    void *const blocks[] = {c->counts, c->family,   c->order,   c->at,      c->x,
                            c->next_x, c->y,        c->next_y,  c->l2,      c->covariate,
                            c->point,  c->next,     c->partner, c->how,     c->row_used,
                            c->place,  c->boot.low, c->next_l2, c->was_row, c};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        es_free(blocks[i]);
    app->corr = NULL;
}

/* ---- What has changed ---- */

/* A task's values are those of the scores, which stay; sums over tasks are of embedders that count.
 */
static bool must_read_tasks(const es_app *app) {
    const struct es_corr *c = app->corr;
    const double *scores = app->scores.value;
    bool other = c->was_read == NULL || c->was_read != scores ||
                 memcmp(c->was_row, app->score_row, app->n * sizeof *c->was_row) != 0;
    for (size_t i = 0; i < app->n && !other; i++)
        other = isnan(c->x[i]) != isnan(c->next_x[i]);
    return other;
}

/* There may be a million of them, so not without need. */
static void read_tasks(es_app *app) {
    struct es_corr *c = app->corr;
    c->other_y = must_read_tasks(app);
    if (!c->other_y)
        return;
    for (size_t t = 0; t < c->columns; t++) {
        bool turned = es_corr_is_turned(app, t);
        for (size_t i = 0; i < app->n; i++)
            c->next_y[t * app->n + i] = task_value(app, i, t, turned);
    }
    memcpy(c->was_row, app->score_row, app->n * sizeof *c->was_row);
    c->was_read = app->scores.value;
    if (c->columns > 1 &&
        es_task_columns_sum(&app->scores, app->n, c->next_x, c->next_y, NULL, NULL) != ES_OK) {
        c->was_read = NULL;
        es_app_notice(app, ES_ENOMEM, "out of memory: means over tasks are not the newest");
    }
}

/* Takes the embedders that count and their families; an embedder that is not ranked does not count.
 */
static void read_groups(es_app *app) {
    struct es_corr *c = app->corr;
    const es_results *r = app->ranked.results != NULL ? app->ranked.results : app->results;
    const es_decision *d = es_ranking_decided(app);
    if (r == NULL || (r == c->grouped && d == c->grouped_by))
        return;
    bool *counts = es_alloc(r->m + 1, sizeof *counts);
    uint32_t *family = es_alloc(r->m + 1, sizeof *family);
    for (size_t i = 0; i < app->n && counts && family; i++) {
        c->counts[i] = false;
        c->family[i] = (uint32_t)(r->m + i);
    }
    if (counts && family) {
        es_downstream_groups(r, app->ranked.results, d, counts, family);
        c->grouped = r;
        c->grouped_by = d;
    }
    for (size_t p = 0; p < r->m && counts && family; p++) {
        c->counts[r->model[p]] = counts[p];
        c->family[r->model[p]] = family[p];
    }
    es_free(counts);
    es_free(family);
}

static void read_values(es_app *app) {
    struct es_corr *c = app->corr;
    read_groups(app);
    const es_list *shown = &app->list[ES_LIST_HEAT];
    c->joined = 0;
    c->sized = false;
    for (size_t i = 0; i < app->n; i++) {
        const es_model *model = es_app_model(app, i);
        size_t dim = model->dim_used > 0 ? model->dim_used : model->dim;
        c->next_x[i] = c->place[i] = (double)NAN;
        c->covariate[i] = dim > 0 ? log((double)dim) : (double)NAN;
        c->sized = c->sized || dim > 0;
        c->next_l2[i] = clean(app->source->baseline.score[i]);
        c->joined += c->how[i] == ES_NAME_EXACT || (c->how[i] != ES_NAME_NONE && app->accepted[i]);
    }
    for (size_t k = 0; k < shown->count; k++) {
        size_t item = shown->item[k];
        if (!c->counts[item])
            continue;
        c->place[item] = score_of(app, item);
        if (!app->excluded[item])
            c->next_x[item] = c->place[item];
    }
    read_tasks(app);
}

static void forget_work(struct es_corr *c) {
    es_correlator_free(c->work);
    c->work = NULL;
}

/* While results come in, old intervals stay until new ones are there; else they would hardly ever
 * be seen. A change by the user takes them away at once. */
static void note_changes(es_app *app) {
    struct es_corr *c = app->corr;
    size_t n = app->n;
    bool other_x = memcmp(c->x, c->next_x, n * sizeof *c->x) != 0;
    bool other_l2 = memcmp(c->l2, c->next_l2, n * sizeof *c->l2) != 0;
    bool keep = app->phase == ES_PHASE_RUNNING;
    for (size_t t = 0; t < c->tasks && (other_x || other_l2 || c->other_y); t++) {
        double *y = c->y + t * n, *next = c->next_y + t * n;
        es_corr_task *task = &c->at[t];
        task->based = task->based && !other_l2;
        c->first = other_l2 ? 0 : c->first;
        if (!other_x && memcmp(y, next, n * sizeof *y) == 0)
            continue;
        memcpy(y, next, n * sizeof *y);
        task->held = keep && (task->settled || task->held);
        task->fresh = task->settled = task->based = false;
        c->first = 0;
        if (c->work != NULL && c->work_task == t) {
            c->work_old = true;
            if (!keep)
                forget_work(c);
        }
    }
    memcpy(c->x, c->next_x, n * sizeof *c->x);
    memcpy(c->l2, c->next_l2, n * sizeof *c->l2);
}

static int compare_points(const es_app *app, size_t a, size_t b) {
    double x = score_of(app, a), y = score_of(app, b);
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static void list_points(es_app *app) {
    struct es_corr *c = app->corr;
    double x, y;
    c->points = 0;
    for (size_t i = 0; i < app->n && c->tasks > 0; i++) {
        if (!es_corr_place(app, c->task, i, &x, &y))
            continue;
        size_t k = c->points++;
        for (; k > 0 && compare_points(app, c->point[k - 1], i) > 0; k--)
            c->point[k] = c->point[k - 1];
        c->point[k] = i;
    }
}

/* Is there anything new to put in order? Of very many tasks once a second. */
static bool must_list(const es_app *app, unsigned as) {
    enum { MANY = 20000 };
    const struct es_corr *c = app->corr;
    if (c->listed_as != as)
        return true;
    return c->listed != c->found && (c->tasks < MANY || app->now - c->listed_at >= 1);
}

/* Coefficients of the greatest first; undefined ones last. Sums over tasks stay at the top. */
static es_status list_tasks(es_app *app) {
    struct es_corr *c = app->corr;
    es_correlation kind = es_corr_kind(app);
    size_t first = c->tasks - c->columns, n = c->columns;
    unsigned as = app->set.corr_sorted ? 1 + (unsigned)kind : ES_CORRELATIONS + 1;
    if (!must_list(app, as))
        return ES_OK;
    double *key = es_alloc(n + 1, sizeof *key);
    uint32_t *order = es_alloc(n + 1, 2 * sizeof *order);
    if (key != NULL && order != NULL) {
        for (size_t t = 0; t < n; t++) {
            double own = c->at[t].report.value[kind].value;
            key[t] = !app->set.corr_sorted ? 0 : isnan(own) ? (double)INFINITY : -own;
        }
        es_sort_order(key, order, order + n, n);
        for (size_t k = 0; k < n; k++)
            c->order[first + k] = order[k];
        c->first = c->first < c->tasks ? 0 : c->tasks; /* none is missing in any order */
        c->listed = c->found;
        c->listed_as = as;
        c->listed_at = app->now;
    }
    es_status st = key == NULL || order == NULL ? ES_ENOMEM : ES_OK;
    es_free(key);
    es_free(order);
    return st;
}

/* ---- Computing ---- */

static es_status begin(const es_app *app, size_t t, es_correlator **out) {
    const struct es_corr *c = app->corr;
    const es_results *r = app->ranked.results;
    const es_correlate_options options = {.seed = r != NULL ? r->seed : 0, /* as `correlate` */
                                          .family = c->family};
    return es_correlator_new(c->x, c->y + t * app->n, c->covariate, app->n, &options, out, NULL);
}

static void fit_spread(const es_app *app, size_t t) {
    const struct es_corr *c = app->corr;
    es_corr_task *task = &c->at[t];
    double n = (double)task->report.n, sum = 0, squares = 0;
    task->mean = task->spread = 0;
    for (size_t i = 0; i < app->n; i++)
        if (isfinite(es_corr_residual(app, t, i)))
            sum += c->x[i];
    task->mean = sum / n;
    for (size_t i = 0; i < app->n; i++) {
        double residual = es_corr_residual(app, t, i);
        if (!isfinite(residual))
            continue;
        task->spread += (c->x[i] - task->mean) * (c->x[i] - task->mean);
        squares += residual * residual;
    }
    task->half = n > 2 ? es_student_quantile(0.975, task->report.n - 2) * sqrt(squares / (n - 2))
                       : (double)NAN;
}

/* Something else instead of the score, over the same points. */
static es_status baseline(const es_app *app, size_t t, const double *instead, double *scratch,
                          es_stat out[ES_CORRELATIONS]) {
    const struct es_corr *c = app->corr;
    for (size_t i = 0; i < app->n; i++)
        scratch[i] = isfinite(c->x[i]) ? instead[i] : (double)NAN;
    return es_correlation_all(scratch, c->y + t * app->n, app->n, out, NULL);
}

static es_status baselines(es_app *app, size_t t) {
    struct es_corr *c = app->corr;
    double *scratch = es_alloc(app->n + 1, sizeof *scratch);
    es_status st = scratch == NULL ? ES_ENOMEM : ES_OK;
    if (st == ES_OK)
        st = baseline(app, t, c->covariate, scratch, c->at[t].size);
    if (st == ES_OK)
        st = baseline(app, t, c->l2, scratch, c->at[t].l2);
    c->at[t].based = st == ES_OK;
    es_free(scratch);
    return st;
}

static void keep_intervals(const es_correlation_report *from, es_correlation_report *to) {
    for (size_t k = 0; k < ES_CORRELATIONS; k++) {
        if (k == ES_SPEARMAN)
            continue; /* has its interval with the coefficient */
        to->low[k] = from->low[k];
        to->high[k] = from->high[k];
    }
    to->p = from->p;
}

static es_status coefficients(es_app *app, size_t t) {
    es_corr_task *task = &app->corr->at[t];
    es_correlator *work = NULL;
    es_status st = begin(app, t, &work);
    if (st != ES_OK)
        return st;
    es_correlation_report report = *es_correlator_report(work);
    if (task->held)
        keep_intervals(&task->report, &report);
    task->report = report;
    task->settled = es_correlator_step(work, 0); /* nothing to draw for less than three points */
    task->fresh = true;
    task->stamp++;
    app->corr->found++;
    es_correlator_free(work);
    fit_spread(app, t);
    return baselines(app, t);
}

static double due(const es_app *app, size_t t) {
    const struct es_corr *c = app->corr;
    if (c->at[t].settled || !c->at[t].fresh)
        return (double)INFINITY;
    if (app->phase != ES_PHASE_RUNNING)
        return app->now;
    double pace = t == c->task ? PACE_SELECTED : PACE_OTHERS;
    return fmax(app->now, c->at[t].begun + pace);
}

/* The task whose intervals come next: the selected one, then as listed. */
static size_t next_task(const es_app *app) {
    const struct es_corr *c = app->corr;
    if (due(app, c->task) <= app->now)
        return c->task;
    for (size_t k = 0; k < c->tasks; k++)
        if (due(app, c->order[k]) <= app->now)
            return c->order[k];
    return ES_NONE;
}

static void finish_work(struct es_corr *c) {
    es_corr_task *task = &c->at[c->work_task];
    keep_intervals(es_correlator_report(c->work), &task->report);
    task->settled = !c->work_old;
    task->held = c->work_old;
    forget_work(c);
}

static es_status draw_some(es_app *app) {
    struct es_corr *c = app->corr;
    size_t n = app->n > 0 ? app->n : 1;
    size_t t = next_task(app);
    /* Another task was selected: it comes first, and the draws made are lost. */
    if (c->work != NULL && t == c->task && c->work_task != t && app->phase != ES_PHASE_RUNNING)
        forget_work(c);
    if (c->work == NULL && t != ES_NONE) {
        es_status st = begin(app, t, &c->work);
        if (st != ES_OK)
            return st;
        c->work_task = t;
        c->work_old = false;
        c->at[t].begun = app->now;
    }
    if (c->work == NULL)
        return ES_OK;
    bool permuting = isfinite(es_correlator_report(c->work)->low[ES_KENDALL]);
    size_t draws = (size_t)WORK * (permuting ? (size_t)WORK_PERMUTE : 1) / n;
    if (es_correlator_step(c->work, draws < 1 ? 1 : (unsigned)draws))
        finish_work(c);
    return ES_OK;
}

void es_corr_update(es_app *app, bool idle) {
    struct es_corr *c = app->corr;
    if (c->tasks == 0)
        return;
    es_status st = ES_OK;
    read_values(app);
    note_changes(app);
    list_points(app);
    size_t budget = WORK;
    if (!c->at[c->task].fresh)
        st = coefficients(app, c->task);
    for (; c->first < c->tasks && st == ES_OK && budget > 0; c->first += st == ES_OK) {
        size_t t = c->order[c->first], cost = WORK_AT_ONCE * app->n;
        if (c->at[t].fresh && c->at[t].based)
            continue;
        st = c->at[t].fresh ? baselines(app, t) : coefficients(app, t);
        budget -= cost < budget ? cost : budget;
    }
    if (st == ES_OK)
        st = list_tasks(app);
    if (st == ES_OK)
        st = es_corr_boot(app);
    if (st == ES_OK && idle && budget == WORK)
        st = draw_some(app);
    if (st != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: not every coefficient is the newest");
}

void es_corr_ask(es_app *app, es_effects *effects) {
    struct es_corr *c = app->corr;
    if (app->view != ES_VIEW_CORR)
        c->asked = false;
    if (app->view != ES_VIEW_CORR || c->asked || c->tasks == 0 || app->results == NULL ||
        app->phase == ES_PHASE_CHECKING)
        return;
    c->asked = true;
    if (app->source->store_path != NULL)
        es_effect_add(app, effects, ES_FX_STORED, 0, false, NULL);
}

double es_corr_deadline(const es_app *app) {
    const struct es_corr *c = app->corr;
    double deadline = (double)INFINITY;
    if (c->work != NULL)
        return app->now;
    if (c->first < c->tasks)
        return app->now;
    for (size_t t = 0; t < c->tasks && deadline > app->now; t++)
        deadline = fmin(deadline, c->at[t].fresh && c->at[t].based ? due(app, t) : app->now);
    return deadline;
}

/* ---- For the view ---- */

es_correlation es_corr_kind(const es_app *app) {
    static const es_correlation kinds[] = {ES_SPEARMAN, ES_KENDALL, ES_PEARSON};
    return kinds[app->set.corr_kind % 3];
}

const char *es_corr_symbol(const es_app *app, es_correlation kind) {
    switch (kind) {
    case ES_SPEARMAN:
        return app->ascii ? "rho" : "ρ";
    case ES_KENDALL:
        return app->ascii ? "tau" : "τ";
    default:
        return "r";
    }
}

size_t es_corr_rank(const es_app *app, size_t task, size_t item, bool of_task) {
    const double *value = of_task ? app->corr->y + task * app->n : app->corr->x;
    size_t rank = 1;
    if (!es_corr_counts(app, task, item))
        return 0;
    for (size_t i = 0; i < app->n; i++)
        rank += es_corr_counts(app, task, i) && value[i] > value[item];
    return rank;
}

/* The mean rank is taken over those that count: what is left out has no place in it. */
static bool has_task(const struct es_corr *c, size_t n, size_t item) {
    size_t t = 0;
    while (t < c->columns && isnan(c->y[t * n + item]))
        t++;
    return t < c->columns;
}

size_t es_corr_excluded(const es_app *app) {
    const struct es_corr *c = app->corr;
    size_t count = 0;
    if (c->task == c->columns + ES_TASK_MEAN_RANK && es_corr_is_mean(app, c->task))
        for (size_t i = 0; i < app->n; i++)
            count += app->excluded[i] && isfinite(c->place[i]) && has_task(c, app->n, i);
    else
        for (size_t k = 0; k < c->points; k++)
            count += app->excluded[c->point[k]];
    return count;
}

size_t es_corr_proposal(const es_app *app, size_t index) {
    const struct es_corr *c = app->corr;
    for (size_t i = 0; i < app->n; i++)
        if (c->how[i] != ES_NAME_NONE && c->how[i] != ES_NAME_EXACT && !app->accepted[i] &&
            index-- == 0)
            return i;
    return ES_NONE;
}

bool es_corr_join(es_app *app) {
    const struct es_corr *c = app->corr;
    for (size_t i = 0; i < app->n; i++) {
        bool taken = app->accepted[i] && c->how[i] != ES_NAME_NONE && c->how[i] != ES_NAME_EXACT;
        app->scratch[i] = taken ? c->partner[i] : SIZE_MAX;
    }
    return es_app_scores_take(app, app->scratch);
}

size_t es_corr_row_unmatched(const es_app *app, size_t index) {
    const struct es_corr *c = app->corr;
    for (size_t r = 0; r < c->rows; r++) {
        bool used = c->row_used[r];
        for (size_t i = 0; i < app->n && !used; i++)
            used = c->how[i] != ES_NAME_NONE && c->partner[i] == r;
        if (!used && index-- == 0)
            return r;
    }
    return ES_NONE;
}

size_t es_corr_line(const es_app *app, size_t task) {
    size_t line = 0;
    while (line < app->corr->tasks && app->corr->order[line] != task)
        line++;
    return line;
}
