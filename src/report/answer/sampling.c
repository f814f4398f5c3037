/* Whether a ranking over a sample of rows is expected to be that of all rows. */
#include "report_answer.h"

#include <math.h>
#include <string.h>

enum { UNCHANGED_ENOUGH = 2 };

static void free_standings(es_sample_standing *standing, size_t m) {
    for (size_t i = 0; standing && i < m; i++)
        es_free(standing[i].name);
    es_free(standing);
}

void es_sampling_deinit(es_sampling *sampling) {
    free_standings(sampling->last, sampling->m);
    *sampling = (es_sampling){0};
}

/* Returns what the decision says of each embedder on this sample. */
static es_status take_standings(const es_sampling_of *of, es_sample_standing **out, es_error *err) {
    const es_decision *d = of->decision;
    es_sample_standing *standing = es_alloc_zero(d->m, sizeof *standing);
    size_t first = d->scored > 0 ? d->order[0] : 0;
    if (!standing)
        return es_no_memory(err);
    for (size_t i = 0; i < d->m; i++) {
        standing[i].name = es_strdup(of->name[i]);
        standing[i].score = d->ranking->score[i];
        standing[i].best = d->best[i];
        standing[i].worse = d->ahead[first * d->m + i];
        if (!standing[i].name) {
            free_standings(standing, d->m);
            return es_no_memory(err);
        }
    }
    *out = standing;
    return ES_OK;
}

/* True if the last judged sample is half of these rows, of the same embedders. */
static bool follows(const es_sampling *s, const es_sample_standing *now, size_t m, size_t rows) {
    if (!s->last || s->m != m || s->rows >= rows || 2 * s->rows < rows)
        return false;
    for (size_t i = 0; i < m; i++)
        if (strcmp(s->last[i].name, now[i].name) != 0)
            return false;
    return true;
}

static bool same_sets(const es_sample_standing *a, const es_sample_standing *b, size_t m) {
    for (size_t i = 0; i < m; i++)
        if (a[i].best != b[i].best || a[i].worse != b[i].worse)
            return false;
    return true;
}

/* Returns why growing stops, or ES_GROWTH_ON. */
static es_growth_end end_of(const es_growth_record *record, unsigned unchanged) {
    if (record->rows >= record->of)
        return ES_GROWTH_ALL;
    if (record->growth.expected >= ES_GROWTH_ENOUGH)
        return ES_GROWTH_SETTLED;
    return unchanged >= UNCHANGED_ENOUGH ? ES_GROWTH_SETS : ES_GROWTH_ON;
}

es_status es_sampling_take(es_sampling *s, const es_sampling_of *of, es_growth_record *out,
                           es_error *err) {
    const es_decision *d = of->decision;
    es_growth_record record = {.rows = of->rows, .of = of->of};
    es_sample_standing *now = NULL;
    double *before = NULL;
    es_status st = ES_OK;
    ES_TRY(take_standings(of, &now, err));
    bool known = follows(s, now, d->m, of->rows);
    if (known) {
        before = es_alloc(d->m, sizeof *before);
        ES_FAIL_IF(!before, es_no_memory(err));
        for (size_t i = 0; i < d->m; i++)
            before[i] = s->last[i].score;
    }
    const es_growth_problem problem = {.score = d->ranking->score,
                                       .before = before,
                                       .var = d->var_rows,
                                       .m = d->m,
                                       .rows = of->rows,
                                       .of = of->of,
                                       .seed = of->seed};
    ES_TRY(es_growth_judge(&problem, NULL, &record.growth, err));
    unsigned unchanged = known && same_sets(s->last, now, d->m) ? s->unchanged + 1 : 0;
    record.end = end_of(&record, unchanged);
    free_standings(s->last, s->m);
    *s = (es_sampling){now, d->m, of->rows, unchanged};
    now = NULL;
    *out = record;
done:
    free_standings(now, d->m);
    es_free(before);
    return st;
}

es_status es_sampling_look(es_sampling *s, es_session *session, es_growth_record *out,
                           es_error *err) {
    const es_pool *pool = es_session_pool(session);
    const es_rank_choices how = {.with_intervals = true,
                                 .seed = es_session_results(session, 0)->seed};
    es_rank_report *report = NULL;
    es_growth_record record = {0};
    es_status st = ES_OK;
    ES_TRY(es_rank_report_of(session, &how, &report, err));
    const es_sampling_of of = {report->decision, (const char *const *)report->results->name,
                               es_pool_rows(pool), es_pool_rows_available(pool), how.seed};
    ES_TRY(es_sampling_take(s, &of, &record, err));
    ES_TRY(es_session_growth_put(session, &record, err));
    *out = record;
done:
    es_rank_report_free(report);
    return st;
}

/* ---- in words ---- */

const char *es_growth_end_name(es_growth_end end) {
    static const char *const names[] = {[ES_GROWTH_SETTLED] = "settled",
                                        [ES_GROWTH_SETS] = "sets",
                                        [ES_GROWTH_ALL] = "all",
                                        [ES_GROWTH_TIME] = "time"};
    return names[end];
}

static const char *end_text(es_growth_end end) {
    switch (end) {
    case ES_GROWTH_SETTLED:
        return "; it has settled";
    case ES_GROWTH_SETS:
        return "; the candidates were the same three times";
    case ES_GROWTH_TIME:
        return "; time was up";
    case ES_GROWTH_ON:
        return "; more rows are to be taken";
    case ES_GROWTH_ALL:
        break;
    }
    return "";
}

void es_growth_put(const es_growth_record *record, es_buf *out) {
    const es_growth *g = &record->growth;
    if (record->rows >= record->of)
        return;
    es_buf_printf(out, "%zu of %zu rows, a random sample", record->rows, record->of);
    if (isfinite(g->expected))
        es_buf_printf(out,
                      ": the ranking is expected to agree with that by all rows at Kendall %.2f "
                      "(%.2f to %.2f)",
                      g->expected, g->low, g->high);
    es_buf_puts(out, end_text(record->end));
}

void es_rows_put(es_session *session, es_buf *out) {
    const es_pool *pool = es_session_pool(session);
    es_growth_record *list = NULL;
    size_t count = 0, rows = pool ? es_pool_rows(pool) : 0, dropped = es_pool_rows_dropped(pool);
    bool all = !pool || rows >= es_pool_rows_whole(pool);
    if (dropped > 0)
        es_buf_printf(out, "%zu row%s with values that are not finite %s left out%s", dropped,
                      dropped == 1 ? "" : "s", dropped == 1 ? "is" : "are", all ? "" : "; ");
    if (all)
        return;
    if (!es_pool_is_sample(pool)) {
        es_buf_printf(out, "%zu of %zu rows, the first", rows, es_pool_rows_whole(pool));
        return;
    }
    (void)es_session_growth_list(session, &list, &count, NULL);
    if (count > 0 && list[count - 1].rows == rows)
        es_growth_put(&list[count - 1], out);
    else
        es_buf_printf(out, "%zu of %zu rows, a random sample", rows, es_pool_rows_available(pool));
    es_free(list);
}
