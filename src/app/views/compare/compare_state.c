/* Compare: what is known about two or three embedders, kept up to date while it is shown. */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "app_state.h"
#include "compare_mask.h"
#include "compare_state.h"
#include "effects.h"
#include "facts.h"
#include "ranked.h"
#include "filter.h"
#include "heat.h"
#include "history.h"
#include "measure_columns.h"
#include "select.h"

/* ---- What it is made from ---- */

/* FNV-1a: a change of what is compared is seen by this number alone. */
static uint64_t mix(uint64_t seen, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        seen = (seen ^ at[i]) * 1099511628211u;
    return seen;
}

static bool compares(const es_app *app, size_t item) {
    for (size_t k = 0; k < app->set.compare.count; k++)
        if (app->set.compare.item[k] == item)
            return true;
    return false;
}

size_t es_compare_named(const es_app *app, const char *name, size_t length) {
    size_t found = ES_NONE, matches = 0;
    for (size_t i = 0; i < app->n; i++) {
        const char *own = es_app_model(app, i)->name;
        if (strncmp(own, name, length) != 0)
            continue;
        if (own[length] == '\0')
            return i;
        found = i;
        matches++;
    }
    return matches == 1 ? found : ES_NONE;
}

/* Everything that the comparison depends on: its rows of the matrix, whether per-row values are
 * there, and the columns that say how well the compared are simulated. */
static uint64_t fingerprint(const es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    const es_results *r = es_compare_results(app);
    uintptr_t where = (uintptr_t)r;
    uint64_t seen = mix(14695981039346656037u, &where, sizeof where);
    seen = mix(seen, &set->count, sizeof set->count);
    seen = mix(seen, &app->ranked.derived, sizeof app->ranked.derived);
    for (size_t k = 0; k < set->count; k++) {
        size_t p = r == NULL ? ES_NONE : app->position[set->item[k]];
        seen = mix(seen, &set->item[k], sizeof set->item[k]);
        seen = mix(seen, &p, sizeof p);
        for (size_t t = 0; p != ES_NONE && t < r->m; t++) {
            bool merged = r == app->merged;
            uint8_t from[2] = {merged ? app->origin[p * r->m + t] : 0,
                               merged ? app->origin[t * r->m + p] : 0};
            seen = mix(seen, from, sizeof from);
            uintptr_t pmi = r->pmi == NULL ? 0 : (uintptr_t)r->pmi[p * r->m + t];
            seen = mix(seen, &r->is[p * r->m + t], sizeof(double));
            seen = mix(seen, &r->is[t * r->m + p], sizeof(double));
            seen = mix(seen, &pmi, sizeof pmi);
        }
    }
    return seen == 0 ? 1 : seen;
}

/* ---- Targets ---- */

const es_compared_target *es_compare_target(const es_app *app, size_t line) {
    const es_compare_state *c = &app->compare;
    return c->known == NULL || line >= c->lines ? NULL : &c->known->targets[c->line[line]];
}

size_t es_compare_item(const es_app *app, size_t line) {
    const es_compared_target *target = es_compare_target(app, line);
    return target == NULL ? ES_NONE : es_compare_results(app)->model[target->target];
}

static size_t line_of(const es_app *app, size_t item) {
    for (size_t line = 0; line < app->compare.lines; line++)
        if (es_compare_item(app, line) == item)
            return line;
    return ES_NONE;
}

size_t es_compare_line(const es_app *app) {
    return line_of(app, app->compare.target);
}

void es_compare_aim(es_app *app, size_t line) {
    app->compare.target = app->compare.aimed = es_compare_item(app, line);
}

/* Does target x stand before y? The targets come by falling |difference|. */
static bool before(const es_app *app, size_t x, size_t y) {
    const es_compared_target *a = &app->compare.known->targets[x],
                             *b = &app->compare.known->targets[y];
    switch (app->set.compare.order) {
    case ES_COMPARE_BY_DIFFERENCE:
        return a->difference != b->difference ? a->difference > b->difference : x < y;
    case ES_COMPARE_BY_NAME:
        return a->target < b->target; /* results are in order of names */
    default:
        return x < y;
    }
}

/* By insertion: almost in order, and few. */
static void list_targets(es_app *app) {
    es_compare_state *c = &app->compare;
    const es_results *r = es_compare_results(app);
    const es_comparison *known = r == NULL ? NULL : c->known;
    c->lines = c->passed = c->clear = c->judged = 0;
    c->others = 0;
    for (size_t t = 0; r != NULL && t < r->m; t++)
        c->others += !compares(app, r->model[t]) && !es_ranked_leaves_out(app, r->model[t]);
    for (size_t i = 0; known != NULL && i < known->n_targets; i++) {
        size_t item = r->model[known->targets[i].target];
        if (compares(app, item) ||
            (app->set.filter[0] != '\0' && !es_filter_pass(app, app->set.filter, item, NULL, 0)))
            continue;
        c->passed++;
        c->clear += known->targets[i].clear;
        c->judged += isfinite(known->targets[i].error) ? 1 : 0;
        if (app->set.compare.clear_only && !known->targets[i].clear)
            continue;
        size_t at = c->lines++;
        for (; at > 0 && before(app, i, c->line[at - 1]); at--)
            c->line[at] = c->line[at - 1];
        c->line[at] = i;
    }
    if (line_of(app, c->aimed) != ES_NONE)
        c->target = c->aimed;
    else if (es_compare_line(app) == ES_NONE)
        c->target = es_compare_item(app, 0);
}

static float *const *values_of_rows(const es_app *app) {
    return app->compare.pmi != NULL ? app->compare.pmi : es_compare_results(app)->pmi;
}

static void make_known(es_app *app) {
    es_compare_state *c = &app->compare;
    const es_compare_settings *set = &app->set.compare;
    const es_results *r = es_compare_results(app);
    size_t model[ES_COMPARE_MOST];
    es_comparison_free(c->known);
    c->known = NULL;
    es_free(c->line);
    c->line = NULL;
    es_compare_unmask(c);
    bool whole = r != NULL && set->count >= 2;
    for (size_t k = 0; k < set->count && whole; k++) {
        model[k] = app->position[set->item[k]];
        whole = model[k] != ES_NONE;
    }
    if (!whole)
        return;
    c->line = es_alloc(r->m + 1, sizeof *c->line);
    if (c->line == NULL || es_compare_mask(app, model, set->count) != ES_OK ||
        es_comparison_new(c->is == NULL ? r->is : c->is, r->se, values_of_rows(app), r->n_eval,
                          r->m, model, set->count, &c->known, NULL) != ES_OK ||
        (!app->ranked.derived && es_results_compare_originals(r, c->known, NULL) != ES_OK))
        es_app_notice(app, ES_ENOMEM, "out of memory: nothing can be compared");
    else if (!es_results_shares(r))
        es_comparison_without_shares(c->known);
}

/* ---- Rows ---- */

double es_compare_row_difference(const es_app *app, size_t row) {
    double d = app->compare.rows->difference[row];
    return es_compare_lower(app) ? -d : d; /* of errors the larger is the worse */
}

static void list_rows(es_app *app) {
    es_compare_state *c = &app->compare;
    c->row_lines = 0;
    for (size_t i = 0; c->rows != NULL && i < c->rows->n; i++) {
        double d = es_compare_row_difference(app, c->rows->row[i]);
        bool wanted = c->way == ES_COMPARE_FIRST    ? d > 0
                      : c->way == ES_COMPARE_SECOND ? d < 0
                                                    : d > 0 || d < 0;
        if (wanted && isfinite(d))
            c->row[c->row_lines++] = c->rows->row[i];
    }
    if (c->at >= c->row_lines)
        c->at = 0;
}

static void make_rows(es_app *app) {
    es_compare_state *c = &app->compare;
    const es_results *r = es_compare_results(app);
    size_t target = c->row_target == ES_NONE ? SIZE_MAX : app->position[c->row_target];
    es_compared_rows_free(c->rows);
    c->rows = NULL;
    es_free(c->row);
    c->row = NULL;
    if (c->known == NULL || r->pmi == NULL)
        return;
    es_status st = es_compared_rows_new(values_of_rows(app), r->n_eval, r->m, c->known, c->pair,
                                        target, &c->rows, NULL);
    if (st == ES_OK && (c->row = es_alloc(c->rows->n, sizeof *c->row)) == NULL) {
        es_compared_rows_free(c->rows);
        c->rows = NULL;
        st = ES_ENOMEM;
    }
    if (st == ES_ENOMEM)
        es_app_notice(app, ES_ENOMEM, "out of memory: rows cannot be compared");
}

const char *es_compare_missing_rows(const es_app *app) {
    const es_results *r = es_compare_results(app);
    if (app->compare.rows != NULL)
        return NULL;
    if (app->source->row == NULL || app->source->rows == 0)
        return "A matrix from a file has no rows.";
    if (r == NULL || r->done == 0 || app->compare.known == NULL)
        return "No pair is known yet.";
    if (r->pmi == NULL || r->n_eval == 0)
        return "No values per row are stored with these results; estimate them anew with "
               "--refresh.";
    return "No target has values per row for both; they come with the pairs.";
}

/* ---- Keeping it up to date ---- */

static void keep_cursors(es_app *app) {
    es_compare_state *c = &app->compare;
    size_t count = app->set.compare.count, pairs = count == 3 ? 3 : 1;
    size_t sides = count < 2 ? 2 : count < ES_COMPARE_MOST ? count + 1 : count;
    size_t tasks = es_score_count(app);
    c->pair = c->pair < pairs ? c->pair : 0;
    c->side = c->side < sides ? c->side : sides - 1;
    c->task = c->task < tasks ? c->task : 0;
    if (c->row_target != ES_NONE &&
        (app->results == NULL || app->position[c->row_target] == ES_NONE))
        c->row_target = ES_NONE;
}

void es_compare_refresh(es_app *app) {
    es_compare_state *c = &app->compare;
    keep_cursors(app);
    uint64_t seen = fingerprint(app);
    if (seen != c->seen)
        make_known(app);
    c->seen = seen;
    list_targets(app);
    uint64_t rows = mix(mix(seen, &c->pair, sizeof c->pair), &c->row_target, sizeof c->row_target);
    if (rows != c->rows_seen)
        make_rows(app);
    c->rows_seen = rows;
    list_rows(app);
}

void es_compare_free(es_app *app) {
    es_comparison_free(app->compare.known);
    es_compared_rows_free(app->compare.rows);
    es_free(app->compare.line);
    es_free(app->compare.row);
    es_compare_unmask(&app->compare);
}

void es_compare_choose(es_app *app, const size_t *item, size_t count) {
    es_compare_settings *set = &app->set.compare;
    if (set->count == count && memcmp(set->item, item, count * sizeof *item) == 0)
        return;
    es_history_push(app);
    memcpy(set->item, item, count * sizeof *item);
    set->count = count;
    app->compare.row_target = ES_NONE;
    app->compare.at = 0;
}

bool es_compare_lower(const es_app *app) {
    return es_app_lower(app);
}

/* The best embedder but `item`. */
size_t es_compare_best_besides(const es_app *app, size_t item) {
    size_t best = ES_NONE;
    for (size_t i = 0; i < app->n; i++) {
        size_t place = app->live[i].place;
        if (i != item && place > 0 && (best == ES_NONE || place < app->live[best].place))
            best = i;
    }
    return best;
}

/* False, and a notice, when the item cannot be compared. */
bool es_compare_usable(es_app *app, size_t item) {
    if (es_select_in_matrix(app, item))
        return true;
    es_app_notice(app, ES_EINVAL, "compare: %s is excluded; Enter in Pool says why",
                  es_app_name(app, item));
    return false;
}

void es_compare_assign(es_app *app, size_t item) {
    size_t chosen[ES_COMPARE_MOST], count = app->set.compare.count, side = app->compare.side;
    memcpy(chosen, app->set.compare.item, sizeof chosen);
    if (!es_compare_usable(app, item))
        return;
    if (count < 2) { /* the first choice is compared with the best */
        chosen[0] = item;
        chosen[1] = es_compare_best_besides(app, item);
        if (chosen[1] == ES_NONE)
            es_app_notice(app, ES_EINVAL, "Nothing is ranked yet; c compares the marked");
        else
            es_compare_choose(app, chosen, 2);
        return;
    }
    for (size_t k = 0; k < count; k++)
        if (chosen[k] == item) {
            if (k == side || side == count) {
                es_app_notice(app, ES_OK, "%s is compared already", es_app_name(app, item));
                return;
            }
            chosen[k] = chosen[side]; /* the two change places */
        }
    chosen[side] = item;
    es_compare_choose(app, chosen, side == count ? count + 1 : count);
}

/* ---- Downstream ---- */

static double score_of(const es_app *app, size_t item, size_t task) {
    return es_score_value(app, item, task);
}

size_t es_compare_task(const es_app *app, size_t task, double value[ES_COMPARE_MOST],
                       double *lead) {
    size_t best = ES_NONE, known = 0;
    double next = -(double)INFINITY, most = next, sign = es_score_lower(app, task) ? -1 : 1;
    for (size_t k = 0; k < ES_COMPARE_MOST; k++)
        value[k] = (double)NAN;
    for (size_t k = 0; k < app->set.compare.count; k++) {
        value[k] = score_of(app, app->set.compare.item[k], task);
        if (!isfinite(value[k]))
            continue;
        double own = sign * value[k];
        known++;
        if (best == ES_NONE || own > most) {
            next = most;
            most = own;
            best = k;
        } else
            next = fmax(next, own);
    }
    *lead = known < 2 ? (double)NAN : most - next;
    return known < 2 || !(*lead > 0) ? ES_NONE : best;
}

size_t es_compare_mean(const es_app *app, double mean[ES_COMPARE_MOST]) {
    const es_scores *scores = &app->source->scores;
    size_t tasks = 0, count = app->set.compare.count;
    double value[ES_COMPARE_MOST], lead, weights = 0;
    memset(mean, 0, ES_COMPARE_MOST * sizeof *mean);
    for (size_t t = 0; t < scores->tasks; t++) {
        double weight = scores->about ? scores->about[t].weight : 1;
        bool whole = count > 0 && !es_score_lower(app, t); /* costs do not add up with scores */
        (void)es_compare_task(app, t, value, &lead);
        for (size_t k = 0; k < count; k++)
            whole = whole && isfinite(value[k]);
        for (size_t k = 0; k < count && whole; k++)
            mean[k] += weight * value[k];
        weights += whole ? weight : 0;
        tasks += whole;
    }
    for (size_t k = 0; k < ES_COMPARE_MOST; k++)
        mean[k] = tasks == 0 || k >= count ? (double)NAN : mean[k] / weights;
    return tasks;
}

size_t es_compare_best_task(const es_app *app, size_t item, size_t *task) {
    size_t best = 0;
    for (size_t t = 0; t < app->source->scores.tasks; t++) {
        double sign = es_score_lower(app, t) ? -1 : 1, own = sign * score_of(app, item, t);
        size_t place = 1;
        if (!isfinite(own))
            continue;
        for (size_t i = 0; i < app->n; i++)
            place += sign * score_of(app, i, t) > own;
        if (best == 0 || place < best) {
            best = place;
            *task = t;
        }
    }
    return best;
}

size_t es_compare_agreement(const es_app *app, size_t *of) {
    const es_compare_settings *set = &app->set.compare;
    size_t agree = 0;
    *of = 0;
    for (size_t t = 0; t < app->source->scores.tasks; t++) {
        bool known = set->count > 1, same = true;
        for (size_t a = 0; a < set->count; a++)
            for (size_t b = a + 1; b < set->count; b++) {
                double downstream = score_of(app, set->item[a], t) - score_of(app, set->item[b], t);
                downstream = es_score_lower(app, t) ? -downstream : downstream;
                double own = app->live[set->item[a]].score - app->live[set->item[b]].score;
                known = known && isfinite(downstream) && isfinite(own);
                same = same && downstream * (es_ranked_lower(app) ? -own : own) > 0;
            }
        *of += known;
        agree += known && same;
    }
    return agree;
}

size_t es_compare_place_in(const es_app *app, size_t item) {
    double own = app->live[item].simulated;
    size_t place = 1;
    if (!isfinite(own))
        return 0;
    const es_source *s = app->source;
    bool lower = s->best < s->plan && s->lower_is_better[s->best];
    for (size_t i = 0; i < app->n; i++)
        place += (lower ? app->live[i].simulated < own : app->live[i].simulated > own) &&
                 !es_ranked_leaves_out(app, i);
    return place;
}

void es_compare_telling(const es_app *app, size_t *a, size_t *b) {
    const es_results *r = es_compare_results(app);
    double most = 0;
    *a = *b = ES_NONE;
    for (size_t s = 0; r != NULL && s < r->m; s++)
        for (size_t t = 0; t < r->m; t++) {
            double gap = r->is[s * r->m + t] - r->is[t * r->m + s];
            if (s == t || !(gap > most) || es_ranked_leaves_out(app, r->model[s]) ||
                es_ranked_leaves_out(app, r->model[t]) ||
                (es_compare_mixed(app) && !es_metric_alike(app, s * r->m + t, t * r->m + s)) ||
                app->hidden[r->model[s]] || app->hidden[r->model[t]])
                continue;
            most = gap;
            *a = r->model[s];
            *b = r->model[t];
        }
}
