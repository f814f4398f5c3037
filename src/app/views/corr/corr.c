/* Corr asks for what is shown (report.h): first the coefficients of all tasks, then, as
 * long as values stay, what is drawn for the tasks around the selected one. */
#include "app_corr.h"

#include <math.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

/* Embedders times tasks whose intervals are drawn at a time: about a second of a worker. */
enum { DRAWN_AT_ONCE = 3000 };
/* And those that are correlated before Corr is opened. */
enum { EARLY = 20000 };

/* ---- Values ---- */

static bool lower_is_better(const es_app *app) {
    return app->set.axis > 0 ? es_axis_lower(app, app->set.axis) : es_ranked_lower(app);
}

static double clean(double value) { /* one NAN only, so that bytes tell a change */
    return isfinite(value) ? value : (double)NAN;
}

static double score_of(const es_app *app, size_t item) {
    if (app->set.axis > 0) /* the right way round */
        return clean(es_corr_score(app, app->set.axis, item, app->values));
    double score = app->live[item].score;
    return clean(lower_is_better(app) ? -score : score);
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
    struct es_corr *c = app->corr = es_app_keep(app, 0, sizeof *c);
    size_t n = app->n;
    if (c == NULL)
        return false;
    c->columns = app->source->scores.tasks;
    c->rows = c->columns == 0 ? 0 : app->source->scores.models;
    c->tasks = c->columns > 0 ? es_task_columns(&app->scores) : 0;
    c->task = c->columns > 0 ? es_downstream_column(&app->scores) : 0;
    c->order = es_app_keep(app, c->tasks, sizeof *c->order);
    c->place = es_app_keep(app, n, sizeof *c->place);
    c->at = es_app_keep(app, n, sizeof *c->at);
    c->point = es_app_keep(app, n, sizeof *c->point);
    c->partner = es_app_keep(app, n, sizeof *c->partner);
    c->how = es_app_keep(app, n, sizeof *c->how);
    c->counts = es_app_keep(app, n, sizeof *c->counts);
    c->family = es_app_keep(app, n, sizeof *c->family);
    c->row_used = es_app_keep(app, c->rows, sizeof(bool));
    if (app->starved)
        return false;
    for (size_t t = 0; t < c->tasks; t++)
        c->order[t] = (t + c->columns) % c->tasks; /* sums first, the mean rank foremost */
    return match_names(app);
}

/* ---- What is shown ---- */

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
    for (size_t i = 0; i < app->n; i++) {
        c->place[i] = (double)NAN;
        c->joined += c->how[i] == ES_NAME_EXACT || (c->how[i] != ES_NAME_NONE && app->accepted[i]);
    }
    for (size_t k = 0; k < shown->count; k++)
        if (c->counts[shown->item[k]])
            c->place[shown->item[k]] = score_of(app, shown->item[k]);
}

const es_correlation_set *es_corr_set(const es_app *app) {
    return app->source->correlation.set;
}

const es_correlation_report *es_corr_report(const es_app *app, size_t task) {
    const es_correlation_set *set = es_corr_set(app);
    return set == NULL ? NULL : &set->report[task];
}

/* Where the newest set has its embedders. */
static void read_set(es_app *app) {
    struct es_corr *c = app->corr;
    const es_correlation_set *set = es_corr_set(app);
    for (size_t i = 0; i < app->n; i++)
        c->at[i] = ES_NONE;
    for (size_t k = 0; set != NULL && k < set->n; k++)
        c->at[set->at[k]] = k;
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

/* Coefficients of the greatest first; undefined ones last. Sums over tasks stay at the top. */
static es_status list_tasks(es_app *app) {
    struct es_corr *c = app->corr;
    es_correlation kind = es_corr_kind(app);
    size_t first = c->tasks - c->columns, n = c->columns;
    bool sorted = app->set.corr_sorted && es_corr_set(app) != NULL;
    es_corr_listed as = {app->source->correlation.tag, sorted, kind};
    if (as.tag == c->listed.tag && as.sorted == c->listed.sorted && as.kind == c->listed.kind)
        return ES_OK;
    double *key = es_alloc(n + 1, sizeof *key);
    uint32_t *order = es_alloc(n + 1, 2 * sizeof *order);
    if (key != NULL && order != NULL) {
        for (size_t t = 0; t < n; t++) {
            double own = sorted ? es_corr_report(app, t)->value[kind].value : 0;
            key[t] = isnan(own) ? (double)INFINITY : -own;
        }
        es_sort_order(key, order, order + n, n);
        for (size_t k = 0; k < n; k++)
            c->order[first + k] = order[k];
        c->listed = as;
    }
    es_status st = key == NULL || order == NULL ? ES_ENOMEM : ES_OK;
    es_free(key);
    es_free(order);
    return st;
}

/* ---- Asking ---- */

/* As all that reports a baseline of dimension: of all columns, constant ones too. */
static double dim_of(const es_app *app, size_t item) {
    size_t dim = es_app_model(app, item)->dim;
    return dim > 0 ? (double)dim : (double)NAN;
}

static bool is_in(const es_app *app, size_t item) {
    return isfinite(app->corr->place[item]) && !app->excluded[item];
}

/* Hashes all values that the correlation depends on, to see whether it must be computed again. */
static uint64_t fingerprint(const es_app *app) {
    const struct es_corr *c = app->corr;
    const uintptr_t scores = (uintptr_t)app->scores.value;
    uint64_t seen = es_fingerprint(ES_FINGERPRINT, &scores, sizeof scores);
    for (size_t i = 0; i < app->n; i++) {
        const double value[] = {is_in(app, i) ? c->place[i] : (double)NAN, dim_of(app, i),
                                clean(app->source->baseline.score[i])};
        seen = es_fingerprint(seen, value, sizeof value);
        seen = es_fingerprint(seen, &app->score_row[i], sizeof *app->score_row);
        seen = es_fingerprint(seen, &c->family[i], sizeof *c->family);
    }
    return seen;
}

/* As many tasks as a worker is to draw for at a time, around the selected one. */
static void choose_drawn(const es_app *app, bool *draw) {
    const struct es_corr *c = app->corr;
    size_t most = app->phase == ES_PHASE_RUNNING ? 1 : DRAWN_AT_ONCE / (app->n + 1) + 1;
    size_t at = es_corr_line(app, c->task), from = at > most / 2 ? at - most / 2 : 0;
    for (size_t k = from; k < c->tasks && k < from + most; k++)
        draw[c->order[k]] = true;
}

es_status es_corr_work(const es_app *app, bool draw, es_correlation_work **out, es_error *err) {
    const struct es_corr *c = app->corr;
    const es_results *r = app->ranked.results;
    es_correlation_work *work = NULL;
    es_status st = es_correlation_work_new(app->n, &app->scores, &work, err);
    for (size_t i = 0; st == ES_OK && i < app->n; i++) {
        work->name[i] = es_app_model(app, i)->name;
        work->partner[i] = app->score_row[i];
        work->scored.counts[i] = is_in(app, i);
        work->scored.score[i] = c->place[i];
        work->scored.dim[i] = dim_of(app, i);
        work->scored.l2[i] = clean(app->source->baseline.score[i]);
        work->scored.family[i] = c->family[i];
    }
    if (st != ES_OK)
        return st;
    if (draw)
        choose_drawn(app, work->draw);
    work->seed = r != NULL ? r->seed : 0; /* as `correlate` */
    *out = work;
    return ES_OK;
}

/* Requests the correlation from a worker; `draw`: with the intervals, which take longer. */
static void ask_correlation(es_app *app, bool draw, es_effects *effects) {
    struct es_corr *c = app->corr;
    c->asking = true;
    c->drawing = draw;
    es_effect_add(app, effects, ES_FX_CORRELATE, (size_t)++c->tag, draw, NULL);
}

static void ask_stored(es_app *app, es_effects *effects) {
    struct es_corr *c = app->corr;
    if (c->looked || app->results == NULL || app->phase == ES_PHASE_CHECKING)
        return;
    c->looked = true;
    if (app->source->store_path != NULL)
        es_effect_add(app, effects, ES_FX_STORED, 0, false, NULL);
}

/* True if the correlation is of the values shown and has the intervals of the selected task. */
static bool is_drawn(const es_app *app) {
    const es_correlation_set *set = es_corr_set(app);
    return set != NULL && set->drawn[app->corr->task];
}

bool es_corr_waits(const es_app *app) {
    return app->corr->asking || app->source->correlation.busy;
}

/* Before Corr is opened, so that it has something to show at once: of what has come to rest. */
static bool is_early(const es_app *app) {
    const struct es_corr *c = app->corr;
    return app->view != ES_VIEW_CORR && app->phase != ES_PHASE_RUNNING && app->set.axis == 0 &&
           c->tasks * app->n <= EARLY && es_ranking_decided(app) != NULL;
}

/* Shows the newest correlation: points, and the list of tasks. */
static void show_stored(es_app *app, es_effects *effects) {
    ask_stored(app, effects);
    read_set(app);
    list_points(app);
    if (list_tasks(app) != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: tasks are not in order");
}

void es_corr_update(es_app *app, es_effects *effects) {
    struct es_corr *c = app->corr;
    bool busy = app->source->correlation.busy, shown = app->view == ES_VIEW_CORR;
    c->looked = c->looked && app->view == ES_VIEW_CORR;
    c->asking = false;
    if (c->tasks == 0 || (!shown && !is_early(app)))
        return;
    read_values(app);
    if (shown)
        show_stored(app, effects);
    uint64_t seen = fingerprint(app);
    if (seen != c->seen && (!busy || c->drawing)) {
        c->seen = seen;
        ask_correlation(app, false, effects);
    } else if (shown && seen == c->seen && !busy && c->tag == app->source->correlation.tag &&
               !is_drawn(app))
        ask_correlation(app, true, effects);
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

static bool corr_counts(const es_app *app, size_t task, size_t item);

size_t es_corr_rank(const es_app *app, size_t task, size_t item, bool of_task) {
    const es_correlation_set *set = es_corr_set(app);
    size_t rank = 1;
    if (!corr_counts(app, task, item))
        return 0;
    const double *y = set->y + task * set->n, *value = of_task ? y : set->score;
    double own = value[app->corr->at[item]];
    for (size_t k = 0; k < set->n; k++)
        rank += isfinite(set->score[k]) && isfinite(y[k]) && value[k] > own;
    return rank;
}

/* Sums over tasks are of the embedders that count: what is left out has no place in them. */
size_t es_corr_excluded(const es_app *app) {
    const struct es_corr *c = app->corr;
    bool sum = es_corr_is_mean(app, c->task);
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += app->excluded[i] && isfinite(c->place[i]) &&
                 (sum ? app->score_row[i] != SIZE_MAX : isfinite(es_corr_y(app, c->task, i)));
    return count;
}

double es_corr_y(const es_app *app, size_t task, size_t item) {
    const es_correlation_set *set = es_corr_set(app);
    size_t at = app->corr->at[item];
    if (!es_corr_is_mean(app, task)) {
        double value = es_app_score(app, item, task);
        return clean(es_corr_is_turned(app, task) ? -value : value);
    }
    return set == NULL || at == ES_NONE ? (double)NAN : set->y[task * set->n + at];
}

size_t es_corr_proposal(const es_app *app, size_t index) {
    const struct es_corr *c = app->corr;
    for (size_t i = 0; i < app->n; i++)
        if (c->how[i] != ES_NAME_NONE && c->how[i] != ES_NAME_EXACT && !app->accepted[i] &&
            index-- == 0)
            return i;
    return ES_NONE;
}

size_t es_corr_proposals(const es_app *app) {
    size_t count = 0;
    while (es_corr_proposal(app, count) != ES_NONE)
        count++;
    return count;
}

void es_corr_proposals_put(const es_app *app, size_t most, es_buf *out) {
    const struct es_corr *c = app->corr;
    size_t count = 0, item;
    for (; (item = es_corr_proposal(app, count)) != ES_NONE; count++)
        if (count < most)
            es_buf_printf(out, "%s is %s? (differs in %s)\n",
                          app->source->scores.model[c->partner[item]], es_app_name(app, item),
                          es_name_match_words(c->how[item]));
    if (count > most)
        es_buf_printf(out, "and %zu more: Corr lists them, and takes them one by one with a\n",
                      count - most);
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

/* The line through Corr's points: how far each is from it, and how sure it is. */

bool es_corr_place(const es_app *app, size_t task, size_t item, double *x, double *y) {
    *x = app->corr->place[item];
    *y = es_corr_y(app, task, item);
    return isfinite(*x) && isfinite(*y);
}

double es_corr_residual(const es_app *app, size_t task, size_t item) {
    const es_correlation_set *set = es_corr_set(app);
    size_t at = app->corr->at[item];
    return set == NULL || at == ES_NONE ? (double)NAN : set->residual[task * set->n + at];
}

static bool corr_counts(const es_app *app, size_t task, size_t item) {
    const es_correlation_set *set = es_corr_set(app);
    size_t at = app->corr->at[item];
    return set != NULL && at != ES_NONE && isfinite(set->score[at]) &&
           isfinite(set->y[task * set->n + at]);
}

size_t es_corr_extremes(const es_app *app, size_t task, bool above, size_t count, size_t *item) {
    size_t found = 0;
    for (size_t i = 0; i < app->n; i++) {
        double own = es_corr_residual(app, task, i) * (above ? 1 : -1);
        size_t k = found;
        if (!(own > 0))
            continue;
        for (; k > 0 && es_corr_residual(app, task, item[k - 1]) * (above ? 1 : -1) < own; k--)
            if (k < count)
                item[k] = item[k - 1];
        if (k < count)
            item[k] = i;
        found += found < count;
    }
    return found;
}

/* At least squares: 95 % where residuals are normal and alike. */
static void band_of_line(const es_app *app, double x, double fit, double *low, double *high) {
    const es_correlation_set *set = es_corr_set(app);
    const double *residual = set->residual + app->corr->task * set->n;
    double n = (double)set->report[app->corr->task].n, sum = 0, spread = 0, squares = 0;
    for (size_t k = 0; k < set->n; k++)
        sum += isfinite(residual[k]) ? set->score[k] : 0;
    for (size_t k = 0; k < set->n; k++)
        if (isfinite(residual[k])) {
            spread += pow(set->score[k] - sum / n, 2);
            squares += residual[k] * residual[k];
        }
    double half = n > 2 ? es_student_quantile(0.975, (size_t)n - 2) * sqrt(squares / (n - 2)) *
                              sqrt(1 / n + pow(x - sum / n, 2) / spread)
                        : (double)NAN;
    *low = fit - half;
    *high = fit + half;
}

bool es_corr_band(const es_app *app, double x, double *fit, double *low, double *high) {
    const es_correlation_report *r = es_corr_report(app, app->corr->task);
    *low = *high = (double)NAN;
    if (r == NULL || r->slope.why != NULL || r->n < 3)
        return false;
    *fit = r->intercept.value + r->slope.value * x;
    if (app->set.corr_band == ES_BAND_LINE)
        band_of_line(app, x, *fit, low, high);
    return isfinite(*fit);
}
