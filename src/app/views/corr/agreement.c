/* How measures agree: their values at a pace, and intervals of Spearman's rho in portions at ticks,
 * as `embedscope agree` computes them (core's agree.h). */
#include "agreement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "stats.h"
#include "downstream.h"
#include "task_columns.h"
#include "effects.h"
#include "facts.h"
#include "ranked.h"
#include "ranking_intervals.h"
#include "measure_columns.h"
#include "select.h"

/* Draws of all columns' embedders at a tick: about 2 ms. */
enum { WORK = 12000 };
static const double PACE = 0.5; /* seconds between two looks at the values */

/* ---- Columns ---- */

/* Is entry e of the plan shown as the score already, or not known as a whole? Medians over a part
 * of the targets are not those over all. */
static bool is_left_out(const es_app *app, size_t e) {
    const es_results *r = app->source->results[e];
    bool part = r != NULL && r->done + r->failed < es_app_pairs(app) && !app->source->read_only;
    return r == NULL || r->done == 0 || part || (app->ranked.published && app->ranked.entry == e);
}

/* Entry `at` of the plan that is a rival; the plan's length: none. */
static size_t planned(const es_app *app, size_t at) {
    size_t e = 0;
    for (; e < app->source->plan; e++)
        if (!is_left_out(app, e) && at-- == 0)
            break;
    return e;
}

/* Published scores by estimators, of rivals only: those of the plan, and others that are stored. */
static size_t estimators_of(const es_app *app) {
    size_t count = app->set.corr_rivals ? app->source->stored_count : 0;
    for (size_t e = 0; app->set.corr_rivals && e < app->source->plan; e++)
        count += !is_left_out(app, e);
    return count;
}

/* The first part that is a measure of embedders. */
static size_t first_own(const es_app *app) {
    return 1 + estimators_of(app);
}

/* The small multiples are of every field of measures that ranks, and of nothing else. */
static bool is_of_fields(const es_app *app) {
    return app->set.corr_by_task && app->set.corr_panels;
}

static bool is_own(const es_app *app, bool pairwise, size_t k) {
    const es_source_measure *own = &app->source->measure[pairwise][k];
    return is_of_fields(app) ? !own->fact : own->field == 0;
}

/* Columns of measures: as es_app_columns, or with all fields. */
static size_t own_columns(const es_app *app, bool pairwise) {
    size_t count = 0;
    for (size_t k = 0; k < es_app_measures(app, pairwise); k++)
        count += is_own(app, pairwise, k);
    return count;
}

static size_t own_column(const es_app *app, bool pairwise, size_t n) {
    size_t k = 0;
    for (; k < es_app_measures(app, pairwise); k++)
        if (is_own(app, pairwise, k) && n-- == 0)
            break;
    return k;
}

/* Parts: the score, estimators, measures of embedders, pairwise measures, the dimension, what
 * models.csv says. Columns are all of them, or, of rivals, the dimension and then those that need
 * no labels. */
static size_t dimension_part(const es_app *app) {
    return first_own(app) + own_columns(app, false) + own_columns(app, true);
}

static size_t parts_of(const es_app *app, size_t dimension) {
    return 1 + dimension + app->source->known.tasks;
}

static bool needs_labels(const es_app *app, size_t part) {
    size_t first = first_own(app), own = own_columns(app, false);
    return part >= first && part < first + own &&
           app->source->measure[false][own_column(app, false, part - first)].labels;
}

/* Is the part no column of what is shown? */
static bool is_passed(const es_app *app, size_t part, size_t dimension) {
    if (is_of_fields(app))
        return part == 0 || part >= dimension;
    return app->set.corr_rivals && needs_labels(app, part);
}

size_t es_agreement_columns(const es_app *app) {
    size_t dimension = dimension_part(app), count = 0;
    for (size_t p = 0; p < parts_of(app, dimension); p++)
        count += !is_passed(app, p, dimension);
    return count;
}

static size_t part_at(const es_app *app, size_t column) {
    size_t dimension = dimension_part(app), part = 0, last = parts_of(app, dimension) - 1;
    bool apart = app->set.corr_rivals; /* the dimension comes first */
    if (apart && column-- == 0)
        return dimension;
    for (; part < last; part++)
        if (!(apart && part == dimension) && !is_passed(app, part, dimension) && column-- == 0)
            break;
    return part;
}

bool es_agreement_is_pairwise(const es_app *app, size_t column) {
    size_t part = part_at(app, column), first = first_own(app) + own_columns(app, false);
    return part >= first && part < first + own_columns(app, true);
}

/* ES_NONE: it is none of a measure; of a pair, its place there. */
size_t es_agreement_axis(const es_app *app, size_t column) {
    size_t part = part_at(app, column), first = first_own(app), own = own_columns(app, false);
    if (part == 0)
        return 0;
    if (part < first || part >= dimension_part(app))
        return ES_NONE;
    return part < first + own ? 1 + own_column(app, false, part - first)
                              : ES_AXIS_PAIRS + own_column(app, true, part - first - own);
}

/* Number of the estimator that a column is of; ES_NONE: another score. */
static size_t estimator_at(const es_app *app, size_t column) {
    size_t part = part_at(app, column);
    return part > 0 && part < first_own(app) ? part - 1 : ES_NONE;
}

/* What is stored beside the plan of estimator number `at`; NULL: it is of the plan. */
static const es_source_stored *stored_at(const es_app *app, size_t at) {
    size_t first = estimators_of(app) - app->source->stored_count;
    return at < first ? NULL : &app->source->stored[at - first];
}

/* A coefficient over those that happen to be known is not that over all. */
bool es_agreement_is_part(const es_app *app, size_t column) {
    size_t axis = es_agreement_axis(app, column);
    if (axis == ES_NONE || axis == 0)
        return false;
    return axis >= ES_AXIS_PAIRS ? app->source->measure[true][axis - ES_AXIS_PAIRS].part
                                 : app->source->measure[false][axis - 1].part;
}

const char *es_agreement_title(const es_app *app, size_t column) {
    size_t part = part_at(app, column), axis = es_agreement_axis(app, column);
    size_t estimator = estimator_at(app, column), dimension = dimension_part(app);
    if (estimator != ES_NONE) {
        const es_source_stored *stored = stored_at(app, estimator);
        return stored != NULL ? stored->name : app->source->title[planned(app, estimator)];
    }
    return part == 0           ? es_ranked_short(app)
           : part == dimension ? "dimension"
           : axis == ES_NONE   ? app->source->known.task[part - dimension - 1]
                               : es_axis_title(app, axis);
}

/* Of the plan's entry, of what is stored beside it, or of a measure's values. */
bool es_agreement_remark(const es_app *app, size_t column, char *out, size_t capacity) {
    size_t part = part_at(app, column), estimator = estimator_at(app, column);
    size_t first = first_own(app), own = own_columns(app, false);
    const char *told = NULL;
    if (part == 0 && app->ranked.results != NULL)
        told = app->ranked.results->remark;
    if (estimator != ES_NONE) {
        const es_source_stored *stored = stored_at(app, estimator);
        told =
            stored != NULL ? stored->remark : app->source->results[planned(app, estimator)]->remark;
    }
    if (told != NULL)
        (void)snprintf(out, capacity, "%s", told);
    if (part < first || part >= dimension_part(app) || app->source->measure_remark == NULL)
        return told != NULL;
    bool pair = part >= first + own;
    return app->source->measure_remark(app->source->context, pair,
                                       own_column(app, pair, part - first - (pair ? own : 0)), out,
                                       capacity);
}

/* "smoothness:topic.loss" as the command line takes it, which has every label column: without.
 * Panels are of all fields, which the measure alone stands for. */
static void plain_name(const char *title, bool fields, char *out, size_t capacity) {
    size_t length = strcspn(title, ":.[");
    const char *field = title + length + strcspn(title + length, ".["),
               *settings = field + strcspn(field, "[");
    (void)snprintf(out, capacity, "%.*s%.*s%s", (int)length, title,
                   fields ? 0 : (int)(settings - field), field, settings);
}

void es_agreement_measures(const es_app *app, es_buf *out) {
    char name[256], other[256];
    bool fields = is_of_fields(app);
    for (size_t c = 0; c < es_agreement_columns(app); c++) {
        size_t axis = es_agreement_axis(app, c);
        bool listed = axis == 0 || axis == ES_NONE;
        if (!listed)
            plain_name(es_axis_title(app, axis), fields, name, sizeof name);
        for (size_t o = 0; o < c && !listed; o++) {
            size_t before = es_agreement_axis(app, o);
            if (before == 0 || before == ES_NONE)
                continue;
            plain_name(es_axis_title(app, before), fields, other, sizeof other);
            listed = strcmp(name, other) == 0;
        }
        if (!listed)
            es_buf_printf(out, "%s%s", out->length > 0 ? "," : "", name);
    }
}

static double rho_of(const es_agreement *a, size_t column) {
    double rho = a->against == NULL ? (double)NAN : a->against[column].value[ES_SPEARMAN].value;
    return isfinite(rho) ? rho : -2; /* behind all others */
}

size_t es_agreement_column(const es_app *app, size_t line) {
    const struct es_agree_state *s = app->agree;
    if (s == NULL || s->known == NULL || !s->rivals)
        return line;
    const es_agreement *a = es_agreer_report(s->known);
    for (size_t c = 0; c < s->k; c++) {
        size_t before = 0;
        for (size_t o = 0; o < s->k; o++)
            before += rho_of(a, o) > rho_of(a, c) || (o < c && !(rho_of(a, o) < rho_of(a, c)));
        if (before == line)
            return c;
    }
    return line;
}

size_t es_agreement_ranked(const es_app *app, size_t column, size_t place) {
    const struct es_agree_state *s = app->agree;
    const es_results *r = es_agreement_of(app);
    if (s == NULL || s->known == NULL || r == NULL)
        return ES_NONE;
    const es_agreement *a = es_agreer_report(s->known);
    for (uint32_t rank = 1; rank <= a->n && column < a->k; rank++)
        for (size_t p = 0; p < a->n && p < r->m; p++)
            if (a->rank[column * a->n + p] == rank && place-- == 0)
                return r->model[p];
    return ES_NONE;
}

void es_agreement_downstream(const es_app *app, char *out, size_t capacity) {
    (void)snprintf(out, capacity, "%s",
                   es_task_column_name(&app->scores, es_downstream_column(&app->scores)));
}

const es_results *es_agreement_of(const es_app *app) {
    return app->ranked.results != NULL ? app->ranked.results : app->results;
}

/* Of a column that is no estimator's: its part and its axis. */
static double value_of(const es_app *app, size_t part, size_t axis, size_t dimension, size_t item,
                       double *scratch) {
    size_t dim = es_app_model(app, item)->dim;
    if (axis == 0)
        return es_ranked_lower(app) ? -app->live[item].score : app->live[item].score;
    if (part > dimension)
        return es_source_known(app->source, item, part - dimension - 1);
    if (axis == ES_NONE)
        return dim > 0 ? (double)dim : (double)NAN;
    return es_corr_score(app, axis, item, scratch);
}

static bool counts_in(const es_app *app, size_t item) {
    return es_select_index(app, ES_LIST_HEAT, item) != ES_NONE && !app->excluded[item];
}

/* The published score by an entry of the plan, by item, of those that have ended with all of their
 * targets; derived embedders are no targets. */
static void score_planned(const es_app *app, size_t entry, double *by_item) {
    const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};
    const es_results *r = app->source->results[entry];
    es_results *originals = NULL;
    es_ranking *ranking = NULL;
    for (size_t i = 0; i < app->n; i++)
        by_item[i] = (double)NAN;
    if (!app->set.with_derived && es_results_originals(r, &originals, NULL) != ES_OK)
        return;
    r = originals != NULL ? originals : r;
    if (es_ranking_new(r->is, r->m, &published, &ranking, NULL) == ES_OK)
        for (size_t p = 0; p < r->m; p++)
            if (!r->estimator || es_rank_is_through(r, p))
                by_item[r->model[p]] =
                    app->source->lower_is_better[entry] ? -ranking->score[p] : ranking->score[p];
    es_ranking_free(ranking);
    es_results_free(originals);
}

/* A column of an estimator over the embedders of r. */
static void estimator_values(const es_app *app, size_t estimator, const es_results *r,
                             double *out) {
    const es_source_stored *stored = stored_at(app, estimator);
    if (stored == NULL)
        score_planned(app, planned(app, estimator), app->values);
    for (size_t p = 0; p < r->m; p++) {
        size_t item = r->model[p];
        double value = stored != NULL ? stored->score[item] : app->values[item];
        out[p] = counts_in(app, item) && isfinite(value) ? value : (double)NAN;
    }
}

/* Embedders as in the results, so that the draws are those of the command line. */
void es_agreement_values(const es_app *app, double *out) {
    const es_results *r = es_agreement_of(app);
    size_t columns = es_agreement_columns(app), dimension = dimension_part(app);
    for (size_t c = 0; c < columns; c++) {
        size_t estimator = estimator_at(app, c), part = part_at(app, c),
               axis = es_agreement_axis(app, c);
        if (estimator != ES_NONE) {
            estimator_values(app, estimator, r, out + c * r->m);
            continue;
        }
        bool part_known = es_agreement_is_part(app, c);
        for (size_t p = 0; p < r->m; p++) {
            size_t item = r->model[p];
            double value = counts_in(app, item) && !part_known
                               ? value_of(app, part, axis, dimension, item, app->values)
                               : (double)NAN;
            out[c * r->m + p] = isfinite(value) ? value : (double)NAN; /* one NaN only */
        }
    }
}

bool es_agreement_rows(const es_app *app, size_t *row) {
    const es_results *r = es_agreement_of(app);
    bool *counts = es_alloc(r->m + 1, sizeof *counts);
    uint32_t *family = es_alloc(r->m + 1, sizeof *family);
    bool done = counts && family, ranked = es_ranked_some(app);
    if (done)
        es_downstream_groups(r, app->ranked.results, es_ranking_decided(app), counts, family);
    for (size_t p = 0; p < r->m && done; p++) {
        size_t item = r->model[p];
        bool own =
            counts[p] && counts_in(app, item) && (!ranked || isfinite(app->live[item].score));
        row[p] = own ? app->score_row[item] : SIZE_MAX;
    }
    es_free(counts);
    es_free(family);
    return done;
}

/* Then the mean rank as a percentile. */
static void read_values(const es_app *app, double *out) {
    const es_results *r = es_agreement_of(app);
    double *percentile = out + es_agreement_columns(app) * r->m;
    size_t *row = es_alloc(r->m + 1, sizeof *row);
    double *among = es_alloc(r->m + 1, sizeof *among);
    es_agreement_values(app, out);
    bool known = row && among && app->source->scores.tasks > 0 && es_agreement_rows(app, row);
    for (size_t p = 0; p < r->m && known; p++)
        among[p] = row[p] == SIZE_MAX ? (double)NAN : 0;
    known = known && es_downstream_percentiles(r, app->ranked.results, es_ranking_decided(app),
                                               among, &app->scores, percentile, NULL) == ES_OK;
    for (size_t p = 0; p < r->m; p++)
        percentile[p] =
            known && isfinite(percentile[p]) ? percentile[p] : (double)NAN; /* one NaN only */
    es_free(row);
    es_free(among);
}

/* ---- Keeping up ---- */

static bool resize(es_app *app, size_t k, size_t n) {
    struct es_agree_state *s = app->agree;
    if (s != NULL && s->k == k && s->n == n && s->rivals == app->set.corr_rivals)
        return true;
    size_t at = s == NULL ? 0 : s->at;
    es_agreement_forget(app);
    s = app->agree = es_alloc_zero(1, sizeof *s);
    if (s == NULL || (s->value = es_alloc_zero((k + 1) * n + 1, sizeof *s->value)) == NULL ||
        (s->regret = es_alloc_zero(2 * k, sizeof *s->regret)) == NULL ||
        (s->next = es_alloc_zero((k + 1) * n + 1, sizeof *s->next)) == NULL) {
        es_agreement_forget(app);
        return false;
    }
    s->k = k;
    s->n = n;
    s->rivals = app->set.corr_rivals;
    s->at = at < k ? at : 0;
    s->read_at = s->begun = -1e9;
    s->stale = true;
    return true;
}

void es_agreement_forget(es_app *app) {
    struct es_agree_state *s = app->agree;
    if (s == NULL)
        return;
    es_agreer_free(s->known);
    es_agreer_free(s->work);
    es_free(s->value);
    es_free(s->next);
    es_free(s->regret);
    es_free(s);
    app->agree = NULL;
}

es_status es_agreement_agreer(const es_app *app, const double *columns, size_t k,
                              const double *downstream, es_agreer **out) {
    const es_results *r = es_agreement_of(app);
    bool *counts = es_alloc(r->m + 1, sizeof *counts);
    uint32_t *family = es_alloc(r->m + 1, sizeof *family);
    es_status st = counts && family ? ES_OK : ES_ENOMEM;
    if (st == ES_OK) {
        es_downstream_groups(r, app->ranked.results, es_ranking_decided(app), counts, family);
        const es_correlate_options options = {.permutations = 1, /* p is not shown */
                                              .family = family};
        st = es_agreer_new(columns, k, downstream, r->m, &options, out, NULL);
    }
    es_free(counts);
    es_free(family);
    return st;
}

/* The values have changed: begin anew. What is shown stays until there are as many intervals. */
static es_status begin(es_app *app) {
    struct es_agree_state *s = app->agree;
    bool scores = app->source->scores.tasks > 0;
    es_agreer *fresh = NULL;
    memcpy(s->value, s->next, (s->k + 1) * s->n * sizeof *s->value);
    es_status st =
        es_agreement_agreer(app, s->value, s->k, scores ? s->value + s->k * s->n : NULL, &fresh);
    if (st != ES_OK)
        return st;
    const double *downstream = s->value + s->k * s->n;
    for (size_t c = 0; s->rivals && scores && c < s->k; c++)
        for (size_t first = 0; first < 2; first++)
            s->regret[2 * c + first] =
                es_downstream_regret(s->value + c * s->n, downstream, s->n, first == 0 ? 1 : 5);
    if (s->rivals)
        es_agreer_only_against(fresh);
    bool keep = s->known != NULL && s->whole && app->phase == ES_PHASE_RUNNING;
    es_agreer_free(s->work);
    s->work = NULL;
    if (keep)
        s->work = fresh;
    else {
        es_agreer_free(s->known);
        s->known = fresh;
        s->whole = false;
    }
    s->begun = app->now;
    return ES_OK;
}

static es_status step(struct es_agree_state *s) {
    bool whole = false;
    es_agreer *at = s->work != NULL ? s->work : s->known;
    es_status st = es_agreer_step(at, 1 + WORK / (s->n + 1), &whole, NULL);
    if (st != ES_OK || !whole)
        return st;
    if (s->work != NULL) {
        es_agreer_free(s->known);
        s->known = s->work;
        s->work = NULL;
    }
    s->whole = true;
    return ES_OK;
}

void es_agreement_update(es_app *app, bool idle) {
    const es_results *r = es_agreement_of(app);
    if (r == NULL || r->m == 0)
        return;
    es_status st = resize(app, es_agreement_columns(app), r->m) ? ES_OK : ES_ENOMEM;
    struct es_agree_state *s = app->agree;
    if (st == ES_OK) {
        s->stale = s->stale || !idle;
        if (s->stale && app->now >= s->read_at + PACE) {
            s->stale = false;
            s->read_at = app->now;
            read_values(app, s->next);
            if (s->known == NULL ||
                memcmp(s->value, s->next, (s->k + 1) * s->n * sizeof *s->value) != 0)
                st = begin(app);
        }
    }
    if (st == ES_OK && idle && (s->work != NULL || (s->known != NULL && !s->whole)))
        st = step(s);
    if (st != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: the agreement is not the newest");
}

double es_agreement_deadline(const es_app *app) {
    const struct es_agree_state *s = app->agree;
    if (s == NULL)
        return (double)INFINITY;
    if (s->work != NULL || (s->known != NULL && !s->whole))
        return app->now;
    return s->stale ? fmax(app->now, s->read_at + PACE) : (double)INFINITY;
}
