/* Points by run and step, values from the ranking and from measures. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_answer.h"

/* ---- points ---- */

typedef struct member {
    const char *series;
    size_t model;
    double step;
} member;

static int by_step(const void *x, const void *y) {
    const member *a = x, *b = y;
    int order = es_text_natural_cmp(a->series, b->series);
    if (order != 0)
        return order;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->model < b->model ? -1 : a->model > b->model;
}

/* Lists the embedders that are checkpoints of a run. */
static size_t take_members(const es_series_of *of, member *out) {
    size_t count = 0;
    for (size_t i = 0; i < of->results->m; i++) {
        const es_model *model = of->model[of->results->model[i]];
        const char *series = es_model_series(model);
        if (series)
            out[count++] = (member){series, i, es_model_step(model)};
    }
    if (count > 1)
        qsort(out, count, sizeof *out, by_step);
    return count;
}

/* Of a run of which only one step is in use there is nothing to follow. */
static void take_runs(es_series *s, const member *of, size_t count) {
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && strcmp(of[to].series, of[from].series) == 0; to++)
            continue;
        if (to - from < 2)
            continue;
        s->run[s->runs] = (es_series_run){.name = of[from].series,
                                          .first = s->points,
                                          .count = to - from,
                                          .best = SIZE_MAX,
                                          .change = SIZE_MAX};
        for (size_t i = from; i < to; i++) {
            s->repeats = s->repeats || (i > from && of[i].step == of[i - 1].step);
            s->point[s->points++] = (es_series_point){s->runs, of[i].model, of[i].step};
        }
        s->runs++;
    }
}

/* ---- columns ---- */

static es_status add_column(es_series *s, const char *name, const char *title, bool banded,
                            es_series_column **out, es_error *err) {
    es_series_column c = {.name = es_strdup(name), .title = es_strdup(title)};
    size_t n = s->points;
    es_series_column *larger = es_grow(s->column, s->columns, &s->capacity, sizeof *larger);
    if (larger)
        s->column = larger;
    c.value = es_alloc(n ? n : 1, (banded ? 3 : 1) * sizeof *c.value);
    if (!larger || !c.name || !c.title || !c.value) {
        es_free(c.name);
        es_free(c.title);
        es_free(c.value);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < (banded ? 3 : 1) * n; i++)
        c.value[i] = (double)NAN;
    if (banded) {
        c.low = c.value + n;
        c.high = c.low + n;
    }
    s->column[s->columns] = c;
    *out = &s->column[s->columns++];
    return ES_OK;
}

bool es_series_of_errors(const es_series_of *of) {
    return of->results != NULL && es_rank_lower_is_better(of->results);
}

static es_status add_score(es_series *s, const es_series_of *of, es_error *err) {
    es_series_column *c = NULL;
    const char *title = of->score_kind == ES_SCORE_PREDICTIVE ? "predictive score"
                        : es_series_of_errors(of)             ? "published score (error)"
                                                              : "published score";
    es_status st = add_column(s, "score", title, true, &c, err);
    for (size_t i = 0; st == ES_OK && i < s->points; i++) {
        size_t at = s->point[i].model;
        c->value[i] = of->score[at];
        if (of->decision && isfinite(of->score[at])) {
            c->low[i] = of->decision->low[at];
            c->high[i] = of->decision->high[at];
        }
    }
    return st;
}

/* Returns the point that is paired with point i; SIZE_MAX: none is. */
static size_t series_partner(const es_series *s, size_t i, es_series_known which) {
    const es_series_run *run = &s->run[s->point[i].series];
    size_t last = run->first + run->count - 1;
    if (which == ES_SERIES_OF_FIRST)
        return i > run->first ? run->first : SIZE_MAX;
    if (which == ES_SERIES_OF_LAST)
        return i < last ? last : SIZE_MAX;
    return i > run->first ? i - 1 : SIZE_MAX;
}

static es_status add_pairs(es_series *s, const es_results *results, es_series_known which,
                           const char *name, const char *title, es_error *err) {
    es_series_column *c = NULL;
    es_status st = add_column(s, name, title, false, &c, err);
    for (size_t i = 0; st == ES_OK && i < s->points; i++) {
        size_t other = series_partner(s, i, which), source = s->point[i].model;
        if (other == SIZE_MAX)
            continue;
        size_t target = s->point[other].model;
        c->value[i] = which == ES_SERIES_BY_BEFORE ? results->is[target * results->m + source]
                                                   : results->is[source * results->m + target];
    }
    return st;
}

static es_status add_all_pairs(es_series *s, const es_series_of *of, es_error *err) {
    static const struct {
        es_series_known which;
        const char *name, *title, *error;
    } pairs[] = {
        {ES_SERIES_OF_BEFORE, "of_before", "kept of the step before", "error of the step before"},
        {ES_SERIES_BY_BEFORE, "by_before", "known one step before", "error by the step before"},
        {ES_SERIES_OF_FIRST, "of_first", "kept of the first step", "error of the first step"},
        {ES_SERIES_OF_LAST, "of_last", "known of the last step", "error of the last step"}};
    es_status st = ES_OK;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs && st == ES_OK; k++)
        st = add_pairs(s, of->results, pairs[k].which, pairs[k].name,
                       es_series_of_errors(of) ? pairs[k].error : pairs[k].title, err);
    return st;
}

static es_status add_downstream(es_series *s, const es_series_of *of, es_error *err) {
    const es_results *results = of->results;
    const es_scores *scores = of->scores;
    es_series_column *c = NULL;
    double *percentile = es_alloc(results->m, sizeof *percentile);
    es_status st = percentile ? ES_OK : es_no_memory(err);
    if (st == ES_OK && scores)
        st = es_downstream_percentiles(results, results, of->decision, NULL, scores, percentile,
                                       err);
    if (st == ES_OK)
        st = add_column(s, "downstream", "downstream percentile", false, &c, err);
    for (size_t i = 0; st == ES_OK && scores && i < s->points; i++)
        c->value[i] = percentile[s->point[i].model];
    es_free(percentile);
    return st;
}

static uint32_t rank_of(const es_series_of *of, size_t model) {
    return of->decision && of->decision->ranking ? of->decision->ranking->rank[model] : 0;
}

static bool is_of_run(const es_series *s, size_t model) {
    for (size_t i = 0; i < s->points; i++)
        if (s->point[i].model == model)
            return true;
    return false;
}

static es_status add_rank(es_series *s, const es_series_of *of, es_error *err) {
    es_series_column *c = NULL;
    uint32_t best = 0;
    es_status st = add_column(s, "rank", "rank in the pool", false, &c, err);
    for (size_t i = 0; st == ES_OK && i < s->points; i++)
        if (rank_of(of, s->point[i].model) > 0)
            c->value[i] = rank_of(of, s->point[i].model);
    s->baseline = SIZE_MAX;
    for (size_t m = 0; m < of->results->m; m++) {
        uint32_t rank = rank_of(of, m);
        if (rank > 0 && (best == 0 || rank < best) && !is_of_run(s, m)) {
            best = rank;
            s->baseline = m;
        }
    }
    return st;
}

es_status es_series_add(es_series *s, const char *name, bool pairwise, es_series_value value,
                        const void *context, size_t column, es_error *err) {
    es_series_column *c = NULL;
    es_status st = add_column(s, name, name, false, &c, err);
    for (size_t i = 0; st == ES_OK && i < s->points; i++) {
        size_t before = pairwise ? series_partner(s, i, ES_SERIES_BY_BEFORE) : SIZE_MAX;
        if (!pairwise || before != SIZE_MAX)
            c->value[i] = value(context, column, pairwise ? s->point[before].model : SIZE_MAX,
                                s->point[i].model);
    }
    return st;
}

/* ---- what it comes to ---- */

/* True if rows show a difference of two points for these reference embedders. */
static bool apart(const es_series_of *of, const es_series *s, size_t a, size_t b) {
    const es_decision *d = of->decision;
    return d && es_decision_apart_by_rows(d, s->point[a].model, s->point[b].model);
}

static bool better(const es_series_of *of, double score, double than) {
    return es_series_of_errors(of) ? score < than : score > than;
}

/* Finds the best checkpoint of each run, its last shown change, and whether the best is the last.
 */
static void judge_runs(es_series *s, const es_series_of *of) {
    const double *score = s->column[ES_SERIES_SCORE].value;
    for (size_t r = 0; r < s->runs; r++) {
        es_series_run *run = &s->run[r];
        size_t last = run->first + run->count - 1;
        for (size_t i = run->first; i <= last; i++) {
            if (isfinite(score[i]) &&
                (run->best == SIZE_MAX || better(of, score[i], score[run->best])))
                run->best = i;
            for (size_t j = i + 1; j <= last; j++) /* many small steps may come to one */
                if (isfinite(score[i]) && isfinite(score[j]) && apart(of, s, i, j)) {
                    run->change = i + 1;
                    run->later = j;
                    run->up =
                        (of->decision->delta[s->point[j].model * of->decision->m +
                                             s->point[i].model] > 0) != es_series_of_errors(of);
                }
        }
        run->best_is_last =
            run->best == last ||
            (run->best != SIZE_MAX && isfinite(score[last]) && of->decision && of->decision->said &&
             (of->decision->best[s->point[last].model] || !apart(of, s, run->best, last)));
        run->last_unknown =
            !isfinite(score[last]) || (run->best != last && !(of->decision && of->decision->said));
    }
}

/* " Step 1000 is r@1e3 and r@1000, which follow each other by their names." */
static void put_repeated(const es_series *s, const es_series_of *of, const es_series_run *run,
                         es_buf *out) {
    size_t end = run->first + run->count;
    for (size_t from = run->first, to; from < end; from = to) {
        for (to = from + 1; to < end && s->point[to].step == s->point[from].step; to++)
            continue;
        for (size_t i = from; to - from > 1 && i < to; i++) {
            if (i == from)
                es_buf_printf(out, " Step %g is ", s->point[i].step);
            es_buf_printf(out, "%s%s",
                          i == from    ? ""
                          : i + 1 < to ? ", "
                                       : " and ",
                          of->results->name[s->point[i].model]);
        }
        es_buf_puts(out, to - from > 1 ? ", which follow each other by their names." : "");
    }
}

static void put_course(const es_series *s, const es_series_of *of, const es_series_run *run,
                       es_buf *out) {
    const double *score = s->column[ES_SERIES_SCORE].value;
    const char *const *name = (const char *const *)of->results->name;
    const char *what = es_series_of_errors(of) ? "error" : "score";
    size_t last = run->first + run->count - 1, known = 0;
    for (size_t i = run->first; i <= last; i++)
        known += isfinite(score[i]) != 0;
    es_buf_printf(out, "%s: %zu steps, %g to %g", run->name, run->count, s->point[run->first].step,
                  s->point[last].step);
    if (known < run->count) {
        es_buf_printf(out, "; %zu of them have a score so far.", known);
        return;
    }
    es_buf_printf(out, "; the %s went from %.3f to %.3f. The %s is %s", what, score[run->first],
                  score[last], es_series_of_errors(of) ? "best, the lowest," : "highest",
                  name[s->point[run->best].model]);
    bool said = of->decision && of->decision->blocks > 1 && of->decision->delta;
    if (run->best != last && said && !apart(of, s, run->best, last))
        es_buf_puts(out, ", which the last step does not clearly differ from");
    else if (run->best != last && said)
        es_buf_printf(out, ", and the last step is %s%s it%s", run->best_is_last ? "" : "surely ",
                      es_series_of_errors(of) ? "above" : "below",
                      run->best_is_last ? ", but of all embedders at once may be the best" : "");
    if (!said)
        es_buf_puts(out, ".");
    else if (run->change == SIZE_MAX)
        es_buf_puts(out, ". No two steps clearly differ.");
    else if (run->change == last)
        es_buf_printf(out, ". The last step still %s the %s.", run->up ? "raised" : "lowered",
                      what);
    else if (run->change == run->later)
        es_buf_printf(out, ". Since %s, which %s it, no two steps clearly differ.",
                      name[s->point[run->change].model], run->up ? "raised" : "lowered");
    else
        es_buf_printf(out, ". %s is surely %s %s; from %s on no two steps clearly differ.",
                      name[s->point[run->later].model], run->up ? "above" : "below",
                      name[s->point[run->change - 1].model], name[s->point[run->change].model]);
}

void es_series_put(const es_series *s, const es_series_of *of, size_t run, es_buf *out) {
    put_course(s, of, &s->run[run], out);
    put_repeated(s, of, &s->run[run], out);
}

/* ---- life ---- */

es_status es_series_new(const es_series_of *of, es_series *out, es_error *err) {
    const es_results *results = of->results;
    es_series s = {.run = es_alloc(results->m + 1, sizeof *s.run),
                   .point = es_alloc(results->m + 1, sizeof *s.point)};
    member *members = es_alloc(results->m + 1, sizeof *members);
    es_status st = ES_OK;
    ES_FAIL_IF(!s.run || !s.point || !members, es_no_memory(err));
    take_runs(&s, members, take_members(of, members));
    ES_TRY(add_score(&s, of, err));
    ES_TRY(add_all_pairs(&s, of, err));
    ES_TRY(add_downstream(&s, of, err));
    ES_TRY(add_rank(&s, of, err));
    judge_runs(&s, of);
    *out = s;
    s = (es_series){0};
done:
    es_free(members);
    es_series_deinit(&s);
    return st;
}

void es_series_deinit(es_series *s) {
    for (size_t i = 0; i < s->columns; i++) {
        es_free(s->column[i].name);
        es_free(s->column[i].title);
        es_free(s->column[i].value);
    }
    es_free(s->column);
    es_free(s->point);
    es_free(s->run);
    *s = (es_series){0};
}
