/* The published score of an estimator that is not in the plan, out of the store: the ranking's
 * baseline "l2", and any other that was run at its defaults. A session shows one plan. */
#include <math.h>
#include <string.h>

#include "alloc.h"
#include "embedscope/ranking.h"
#include "session_state.h"

typedef struct loading {
    const es_session *session;
    const es_run *run; /* NULL: not stopped */
    double *error;     /* (m, m) NaN: not known */
    size_t pairs;      /* of two embedders */
    double seconds;
} loading;

void es_stored_score_deinit(es_stored_score *baseline) {
    es_free(baseline->score);
    *baseline = (es_stored_score){0};
}

/* Embedders of equal contents share their results. */
static es_status take_pair(void *context, es_store_pair *pair, es_error *err) {
    loading *l = context;
    const es_session *s = l->session;
    size_t first = es_identities_first(&s->targets, s->m, pair->target);
    es_status st = es_run_check(l->run, err);
    if (st != ES_OK || pair->failed)
        return st;
    for (size_t i = es_identities_first(&s->sources, s->m, pair->source);
         es_identities_at(&s->sources, s->m, i, pair->source); i++)
        for (size_t k = first; es_identities_at(&s->targets, s->m, k, pair->target); k++) {
            size_t source = s->sources.order[i], target = s->targets.order[k];
            l->pairs += source != target;
            l->seconds += isfinite(pair->seconds) ? pair->seconds : 0;
            l->error[source * s->m + target] = pair->result.is;
        }
    return ES_OK;
}

/* The published score, errors with their sign turned. */
static es_status sum_up(const loading *l, bool errors, es_stored_score *out, es_error *err) {
    const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};
    es_ranking *ranking = NULL;
    size_t m = l->session->m;
    double *score = es_alloc(m, sizeof *score);
    if (score == NULL)
        return es_no_memory(err);
    es_status st = es_ranking_new(l->error, m, &published, &ranking, err);
    for (size_t i = 0; st == ES_OK && i < m; i++)
        score[i] = !isfinite(ranking->score[i]) ? (double)NAN
                   : errors                     ? -ranking->score[i]
                                                : ranking->score[i];
    if (st == ES_OK) {
        *out = (es_stored_score){m, score, l->pairs, m * (m - 1), l->seconds};
        score = NULL;
    }
    es_ranking_free(ranking);
    es_free(score);
    return st;
}

static es_status read_score(const es_session *s, const char *estimator, const es_run *run,
                            es_stored_score *out, es_error *err) {
    const es_session_options options = {.estimator = estimator, .seed = s->seed};
    es_entry *entry = NULL;
    size_t count = 0, cells = s->m * s->m;
    bool all_binary = false;
    loading l = {.session = s, .run = run};
    es_status st = ES_OK;
    ES_TRY(es_plan_new(&options, es_estimators, &entry, &count, &all_binary, err));
    ES_FAIL_IF(!(l.error = es_alloc(cells, sizeof *l.error)), es_no_memory(err));
    for (size_t i = 0; i < cells; i++)
        l.error[i] = (double)NAN;
    const es_store_key key = {entry->config.estimator->name, entry->config.estimator->version,
                              entry->config.text, s->seed, es_pool_rowset(s->pool)};
    ES_TRY(es_store_load(s->store, &key, false, take_pair, &l, err));
    if (l.pairs > 0)
        ES_TRY(sum_up(&l, entry->config.estimator->lower_is_better, out, err));
done:
    es_free(l.error);
    es_plan_free(entry, count);
    return st;
}

/* Nothing to ask: no store, or what is asked for begins the plan. */
static bool has_baseline(const es_session *s) {
    return s->store && s->ready && s->m > 0 && s->problem.code == ES_OK &&
           strcmp(s->entries[0].config.estimator->name, "l2") != 0;
}

es_status es_session_baseline_read(const es_session *s, es_stored_score *out, es_error *err) {
    *out = (es_stored_score){0};
    return has_baseline(s) ? read_score(s, "l2", NULL, out, err) : ES_OK;
}

es_status es_session_stored_read(const es_session *s, const char *estimator, es_stored_score *out,
                                 es_error *err) {
    *out = (es_stored_score){0};
    if (!s->store || !s->ready || s->m == 0 || s->problem.code != ES_OK)
        return ES_OK;
    for (size_t i = 0; i < s->n_entries; i++)
        if (strcmp(s->entries[i].config.estimator->name, estimator) == 0 &&
            strcmp(s->entries[i].config.preset, "default") == 0)
            return ES_OK;
    return read_score(s, estimator, NULL, out, err);
}

/* ---- in the background ---- */

typedef struct baseline_work {
    const es_session *session;
    es_stored_score out;
} baseline_work;

static es_status compute(void *data, const es_run *run, es_error *err) {
    baseline_work *work = data;
    return read_score(work->session, "l2", run, &work->out, err);
}

static void work_deinit(void *data) {
    es_stored_score_deinit(&((baseline_work *)data)->out);
}

/* As for intervals: short, and somebody looks at the place where it will stand. */
static const es_errand_kind kind = {compute, work_deinit, 1.0, "baseline l2"};

es_status es_session_baseline_start(es_session *s, es_error *err) {
    if (!has_baseline(s))
        return es_fail(err, ES_ENOTFOUND, "there is no baseline to look for");
    if (s->baseline.job)
        return ES_OK;
    baseline_work *work = es_alloc(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    *work = (baseline_work){.session = s};
    return es_errand_start(&s->baseline, s->workers, s->log, &kind, work, 0, err);
}

const es_stored_score *es_session_baseline(const es_session *s, bool *busy) {
    const baseline_work *newest = s->baseline.newest;
    *busy = s->baseline.job != NULL;
    return newest && newest->out.score ? &newest->out : NULL;
}
