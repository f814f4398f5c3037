/* Reads what the store holds beside the plan: the published score of the ranking's baseline "l2" or
 * of any other estimator that was run at its defaults, and the names of all runs. A session shows
 * one plan. */
#include <math.h>
#include <string.h>

#include "engine_session_parts.h"

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
static es_status sum_up(const loading *l, const es_estimator *estimator, es_stored_score *out,
                        es_error *err) {
    const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};
    es_ranking *ranking = NULL;
    size_t m = l->session->m;
    double *score = es_alloc(m, sizeof *score);
    if (score == NULL)
        return es_no_memory(err);
    es_status st = es_ranking_new(l->error, m, &published, &ranking, err);
    for (size_t i = 0; st == ES_OK && i < m; i++)
        score[i] = !isfinite(ranking->score[i]) ? (double)NAN
                   : estimator->lower_is_better ? -ranking->score[i]
                                                : ranking->score[i];
    if (st == ES_OK) {
        *out = (es_stored_score){estimator, m, score, l->pairs, m * (m - 1), l->seconds, NULL};
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
    if (l.pairs > 0) {
        const es_problem problem = {s->entries[0].split, entry->config.values, s->seed, 0};
        ES_TRY(sum_up(&l, entry->config.estimator, out, err));
        out->remark = es_estimator_remark(entry->config.estimator, &problem);
    }
done:
    es_free(l.error);
    es_plan_free(entry, count);
    return st;
}

static bool has_store(const es_session *s) {
    return s->store && s->ready && s->problem.code == ES_OK;
}

/* Nothing to ask where it begins the plan. */
static bool has_baseline(const es_session *s) {
    return has_store(s) && strcmp(s->entries[0].config.estimator->name, "l2") != 0;
}

static bool is_planned(const es_session *s, const char *estimator) {
    for (size_t i = 0; i < s->n_entries; i++)
        if (strcmp(s->entries[i].config.estimator->name, estimator) == 0 &&
            strcmp(s->entries[i].config.preset, "default") == 0)
            return true;
    return false;
}

es_status es_session_baseline_read(const es_session *s, es_stored_score *out, es_error *err) {
    *out = (es_stored_score){0};
    return has_baseline(s) ? read_score(s, "l2", NULL, out, err) : ES_OK;
}

es_status es_session_stored_read(const es_session *s, const char *estimator, es_stored_score *out,
                                 es_error *err) {
    *out = (es_stored_score){0};
    return has_store(s) && !is_planned(s, estimator) ? read_score(s, estimator, NULL, out, err)
                                                     : ES_OK;
}

/* ---- in the background ---- */

typedef struct baseline_work {
    const es_session *session;
    es_stored_score out;
} baseline_work;

/* In a worker: computes the score by the baseline estimator l2, if it is stored. */
static es_status compute_baseline(void *data, const es_run *run, es_error *err) {
    baseline_work *work = data;
    return has_baseline(work->session) ? read_score(work->session, "l2", run, &work->out, err)
                                       : ES_OK;
}

static void work_deinit(void *data) {
    es_stored_score_deinit(&((baseline_work *)data)->out);
}

/* As for intervals: short, and somebody looks at the place where it will stand. */
static const es_latest_task_kind kind = {compute_baseline, work_deinit, 1.0, "stored scores"};

es_status es_session_baseline_start(es_session *s, es_error *err) {
    if (!has_store(s))
        return es_fail(err, ES_ENOTFOUND, "there is no store to read");
    if (s->stored.job)
        return ES_OK;
    baseline_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    work->session = s;
    return es_latest_task_start(&s->stored, s->workers, s->log, &kind, work, 0, err);
}

const es_stored_score *es_session_baseline(const es_session *s, bool *busy) {
    const baseline_work *newest = s->stored.newest;
    *busy = s->stored.job != NULL;
    return newest && newest->out.score ? &newest->out : NULL;
}

/* ---- the names of all runs ---- */

typedef struct runs_work {
    const es_session *session;
    es_buf text;
} runs_work;

static es_status name_runs(void *data, const es_run *run, es_error *err) {
    runs_work *work = data;
    (void)run; /* a query of a few rows */
    const es_session *s = work->session;
    return es_store_runs_put(s->store, s->seed, es_pool_rowset(s->pool), &work->text, err);
}

static void release_runs(void *data) {
    es_buf_free(&((runs_work *)data)->text);
}

const char *es_session_other_runs(es_session *s) {
    static const es_latest_task_kind names = {name_runs, release_runs, 1.0, "stored results"};
    const runs_work *newest = s->runs.newest;
    if (!newest && has_store(s) && !s->runs.job && s->runs.error.code == ES_OK) {
        runs_work *work = es_alloc_zero(1, sizeof *work);
        if (work) {
            work->session = s;
            (void)es_latest_task_start(&s->runs, s->workers, s->log, &names, work, 0, NULL);
        }
    }
    return newest && newest->text.length > 0 ? newest->text.data : NULL;
}
