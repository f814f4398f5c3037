/* From a checked pool to a session that can compute: the row set, and for every entry of the plan
 * its results, split and key. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine_session_parts.h"

/* With --strict, makes an error of the first embedder that is excluded. */
static es_status refuse_exclusions(const es_session *s, es_error *err) {
    for (size_t i = 0; i < es_pool_count(s->pool); i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state == ES_MODEL_EXCLUDED)
            return es_fail(err, ES_EFORMAT, "%s (and --strict is set)",
                           m->reason ? m->reason : m->name);
    }
    return ES_OK;
}

static es_status copy_text(const char *text, char **out, es_error *err) {
    if (text && !(*out = es_strdup(text)))
        return es_no_memory(err);
    return ES_OK;
}

/* Copies what the pool knows of an embedder to its place in the results. */
static es_status copy_description(es_results *r, size_t at, const es_model *model, es_error *err) {
    r->dim[at] = model->dim;
    r->dim_used[at] = model->dim_used;
    r->dropped[at] = model->dropped_columns;
    r->binary[at] = model->kind == ES_KIND_BINARY;
    es_status st = ES_OK;
    ES_TRY(copy_text(model->name, &r->name[at], err));
    ES_TRY(copy_text(model->label, &r->label[at], err));
    ES_TRY(copy_text(model->family, &r->family[at], err));
    ES_TRY(copy_text(model->series, &r->series[at], err));
done:
    return st;
}

static es_status new_results(es_session *s, const es_entry *e, es_results **out, es_error *err) {
    es_results *r = NULL;
    es_status st = es_results_new(s->m, &r, err);
    size_t at = 0;
    for (size_t i = 0; i < es_pool_count(s->pool) && st == ES_OK; i++) {
        const es_model *model = es_pool_model(s->pool, i);
        if (model->state != ES_MODEL_READY)
            continue;
        r->model[at] = i;
        st = copy_description(r, at++, model, err);
    }
    if (st == ES_OK)
        st = copy_text(e->config.text, &r->settings, err);
    if (st == ES_OK)
        st = copy_text(e->config.said, &r->said, err);
    if (st != ES_OK) {
        es_results_free(r);
        return st;
    }
    r->estimator = e->config.estimator;
    r->preset = e->config.preset;
    r->changed = e->config.changed;
    r->seed = s->seed;
    *out = r;
    return ES_OK;
}

/* An in-sample estimator gives a value to every row; who reads them by the split must find that. */
static es_status evaluate_all_rows(es_split *split, es_error *err) {
    uint32_t *all = es_alloc(split->n, sizeof *all);
    if (!all)
        return es_no_memory_for(err, "%zu rows", split->n);
    for (size_t i = 0; i < split->n; i++)
        all[i] = (uint32_t)i;
    es_free(split->eval);
    split->eval = all;
    split->n_eval = split->n;
    return ES_OK;
}

static es_status choose_share(es_session *s, size_t entry, es_error *err) {
    es_entry *e = &s->entries[entry];
    size_t count = s->m * s->m + s->m;
    if (s->shards < 2)
        return ES_OK;
    uint32_t *number = es_alloc_zero(count, sizeof *number);
    e->only = es_alloc_zero(count, 1);
    if (!number || !e->only) {
        es_free(number);
        return es_no_memory(err);
    }
    es_share_cut(s, entry, s->shards, number);
    for (size_t i = 0; i < (s->with_null ? count : s->m * s->m); i++)
        e->only[i] = number[i] + 1 == s->shard;
    es_free(number);
    return ES_OK;
}

/* ---- entries of the plan ---- */

/* What results say of rows is in the files' numbers. */
static es_status number_rows(const es_session *s, es_entry *e, es_error *err) {
    const es_split *split = e->split;
    e->results->n_fit = split->folds[0].n_train;
    e->results->row = es_alloc(split->n_eval + 1, sizeof *e->results->row);
    if (!e->results->row)
        return es_no_memory_for(err, "%zu rows", split->n_eval);
    for (size_t k = 0; k < split->n_eval; k++)
        e->results->row[k] = (uint32_t)es_pool_file_row(s->pool, split->eval[k]);
    return ES_OK;
}

/* Allocates the results of an entry and completes its key. */
static es_status settle_entry(es_session *s, es_entry *e, es_error *err) {
    const es_estimator *estimator = e->config.estimator;
    size_t setting = es_estimator_setting(estimator, "folds");
    double folds = setting < estimator->n_settings ? e->config.values[setting] : (double)NAN;
    es_status st = es_split_new(es_pool_rows(s->pool), s->seed, isnan(folds) ? 0 : (size_t)folds,
                                &e->split, err);
    if (st == ES_OK && estimator->in_sample && estimator->in_sample(e->config.values))
        st = evaluate_all_rows(e->split, err);
    if (st == ES_OK)
        st = new_results(s, e, &e->results, err);
    e->problem = (es_problem){e->split, e->config.values, s->seed,
                              es_cache_rows(es_cache_budget(s->memory / 2))};
    if (st == ES_OK)
        e->results->remark = es_estimator_remark(estimator, &e->problem);
    if (st == ES_OK)
        st = number_rows(s, e, err);
    e->key = (es_store_key){estimator->name, estimator->version, e->config.text, s->seed,
                            es_pool_rowset(s->pool)};
    return st;
}

/* Insertion sort: a few hundred models, once. */
static void order_identities(es_identities *ids, size_t m) {
    for (size_t i = 0; i < m; i++) {
        size_t at = i;
        es_digest d = ids->digest[i];
        for (; at > 0; at--) {
            es_digest other = ids->digest[ids->order[at - 1]];
            if (other.hi < d.hi || (other.hi == d.hi && other.lo <= d.lo))
                break;
            ids->order[at] = ids->order[at - 1];
        }
        ids->order[at] = i;
    }
}

static es_status new_identities(const es_session *s, bool targets, es_identities *out,
                                es_error *err) {
    out->digest = es_alloc(s->m, sizeof *out->digest);
    out->order = es_alloc(s->m, sizeof *out->order);
    if (!out->digest || !out->order)
        return es_no_memory(err);
    for (size_t i = 0, at = 0; i < es_pool_count(s->pool); i++) {
        const es_model *model = es_pool_model(s->pool, i);
        if (model->state == ES_MODEL_READY)
            out->digest[at++] = targets ? es_model_target_digest(model) : model->digest;
    }
    order_identities(out, s->m);
    return ES_OK;
}

/* True if the embedder at this place of the order has the contents of the one before it. */
static bool is_twin(const es_identities *ids, size_t place) {
    return place > 0 &&
           es_digest_equal(ids->digest[ids->order[place]], ids->digest[ids->order[place - 1]]);
}

/* Lists the usable embedders, which rows and columns of results follow. */
static es_status settle_models(es_session *s, es_error *err) {
    s->m = 0;
    for (size_t i = 0; i < es_pool_count(s->pool); i++)
        s->m += es_pool_model(s->pool, i)->state == ES_MODEL_READY;
    s->rows = es_alloc_zero(s->m, sizeof *s->rows);
    s->nulls = es_alloc_zero(s->m, sizeof *s->nulls);
    if (!s->rows || !s->nulls)
        return es_no_memory(err);
    es_status st = new_identities(s, false, &s->sources, err);
    if (st == ES_OK)
        st = new_identities(s, true, &s->targets, err);
    for (size_t i = 0; i < s->m && st == ES_OK; i++) {
        s->nulls[i] = es_null_digest(s->targets.digest[i]);
        s->twins = s->twins || is_twin(&s->sources, i) || is_twin(&s->targets, i);
    }
    return st;
}

static es_status new_work(es_session *s, es_error *err) {
    es_cache_maker maker = es_work_maker;
    maker.context = s;
    es_status st = es_cache_new(s->n_entries, 2 * s->m, es_cache_budget(es_room_size(s->room)),
                                &maker, &s->cache, err);
    if (st != ES_OK)
        return st;
    es_cache_spare(s->cache, es_room_left(s->room));
    st = es_costs_settle(s, err);
    if (st != ES_OK)
        return st;
    const es_pair_costs costs = {es_pair_work, s};
    /* Two processes that share a source are rarely after the same targets. */
    st = es_pair_queue_new(s->n_entries, s->m, &costs, (size_t)getpid(), s->cache, &s->queue, err);
    return st == ES_OK ? es_leases_new(s, err) : st;
}

/* After all checks: the row set, results, splits, keys, and what workers need. */
static es_status session_settle(es_session *s, es_error *err) {
    es_status st = ES_OK;
    if (es_pool_chooses_rows(s->pool))
        st = es_session_choose_rows(s, err);
    if (st == ES_OK)
        st = es_pool_settle(s->pool, err);
    if (st == ES_OK && s->strict)
        st = refuse_exclusions(s, err);
    if (st == ES_OK)
        st = settle_models(s, err);
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++)
        st = settle_entry(s, &s->entries[e], err);
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++)
        st = choose_share(s, e, err);
    if (st == ES_OK)
        st = es_room_settle(s, err);
    if (st == ES_OK && !s->read_only)
        st = new_work(s, err);
    return st;
}

/* ---- what results are stored under ---- */

enum { NAMES = 4 }; /* an embedder, as a binary target, and both with its rows shuffled */

es_status es_session_contents(const es_session *s, es_digest **out, size_t *count, es_error *err) {
    size_t models = es_pool_count(s->pool), n = 0;
    es_digest *all = es_alloc(models * NAMES, sizeof *all);
    if (!all)
        return es_no_memory(err);
    for (size_t i = 0; i < models; i++) {
        const es_model *m = es_pool_model(s->pool, i);
        if (m->state != ES_MODEL_READY)
            continue;
        es_digest binary = es_target_digest(m->digest, ES_KIND_BINARY);
        all[n++] = m->digest;
        all[n++] = binary;
        all[n++] = es_null_digest(m->digest);
        all[n++] = es_null_digest(binary);
    }
    qsort(all, n, sizeof *all, es_digest_compare);
    *out = all;
    *count = n;
    return ES_OK;
}

/* ---- from opening to ready ---- */

/* The jobs between opening and being ready: one an embedder that reads its contents, then, once the
 * pool is settled, one an entry of the plan that loads what is stored. */

typedef struct check_item {
    es_item item;
    es_session *session;
    size_t model;
    es_model_check check;
} check_item;

typedef struct load_item {
    es_item item;
    es_session *session;
    size_t entry;
    bool others; /* another process is at work */
} load_item;

/* ---- contents ---- */

static es_status check_model(void *data, es_job_context *context, es_error *err) {
    check_item *c = data;
    return es_pool_check_model(c->session->pool, c->model, context->run, &c->check, err);
}

/* ---- stored results ---- */

static es_status load_entry(void *data, es_job_context *context, es_error *err) {
    load_item *item = data;
    size_t found = 0;
    es_status st = es_stored_load(item->session, item->entry, context, &found, err);
    item->others = item->entry == 0 && es_leases_others(item->session);
    return st;
}

/* Begins the session once the pool is checked: results, stored pairs, workers. */
static void get_ready(es_session *s) {
    s->ready = true;
    if (s->read_only) {
        es_workers_resize(s->workers, 0, NULL);
        return;
    }
    es_workers_pause(s->workers, s->paused);
    es_entries_rank(s);
    es_session_log_ready(s);
    if (s->wanted && es_session_fits(s, &s->stopped) != ES_OK) {
        s->wanted = false;
        es_log_write(s->log, ES_LOG_ERROR, "not begun: %s", s->stopped.message);
    }
    if (s->wanted)
        es_session_log_start(s, es_work_want(s));
    if (s->busy_elsewhere)
        es_leases_watch(s);
    if (s->with_shards)
        es_leases_follow(s);
    es_shards_start(s);
    es_work_top_up(s, NULL);
    es_work_clock(s); /* all may be done before this pump ends */
}

/* On the session's thread: a job that loads stored pairs has ended. */
static void end_load(es_item *base, const es_event *event) {
    es_session *s = ((load_item *)base)->session;
    if (event->status != ES_OK && event->status != ES_ECANCELED) {
        es_log_write(s->log, ES_LOG_ERROR, "%s", event->error.message);
        es_save_note(s, event->status, &event->error);
    }
    s->busy_elsewhere = s->busy_elsewhere || ((load_item *)base)->others;
    if (--s->loads == 0 && s->problem.code == ES_OK)
        get_ready(s);
}

static es_status load_start(es_session *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++) {
        load_item *item = es_alloc(1, sizeof *item);
        if (!item)
            return es_no_memory(err);
        *item = (load_item){{.apply = end_load}, s, e, false};
        st = es_item_add(s->workers, &item->item, load_entry, 0, NULL, err);
        s->loads += st == ES_OK;
    }
    return st;
}

/* ---- the end of checking ---- */

static void set_problem(es_session *s, es_status st, const es_error *error) {
    if (s->problem.code != ES_OK)
        return;
    s->problem = *error;
    s->problem.code = st;
    es_log_write(s->log, ES_LOG_ERROR, "%s", error->message);
}

void es_session_proceed(es_session *s) {
    es_error error = {0};
    es_status st = ES_OK;
    if (!s)
        return;
    s->deferred = false;
    if (!s->waiting)
        return;
    s->waiting = false;
    if (s->store && !s->refresh)
        st = load_start(s, &error);
    if (st != ES_OK)
        set_problem(s, st, &error);
    else if (s->loads == 0)
        get_ready(s);
}

/* Ends the checks: settles the pool, then the session proceeds. */
static void end_checks(es_session *s) {
    es_error error = {0};
    es_status st = session_settle(s, &error);
    s->waiting = st == ES_OK;
    if (st == ES_OK && s->store)
        es_pool_looks_write(s->pool);
    if (st != ES_OK)
        set_problem(s, st, &error);
    else if (!s->deferred)
        es_session_proceed(s);
}

bool es_session_deferred(const es_session *s) {
    return s && s->deferred && s->waiting;
}

/* On the session's thread: one file is checked. */
static void end_check(es_item *base, const es_event *event) {
    check_item *c = (check_item *)base;
    es_session *s = c->session;
    es_status st = event->status;
    es_error error = event->error;
    if (st == ES_OK)
        st = es_pool_apply(s->pool, c->model, &c->check, &error);
    if (st != ES_OK)
        set_problem(s, st, &error);
    if (++s->checked == s->checks && s->problem.code == ES_OK)
        end_checks(s);
}

static void check_deinit(es_item *base) {
    es_model_check_deinit(&((check_item *)base)->check);
}

/* Queues the check of one file. */
static es_status add_check(es_session *s, size_t model, es_error *err) {
    check_item *c = es_alloc_zero(1, sizeof *c);
    if (!c)
        return es_no_memory(err);
    c->item = (es_item){end_check, check_deinit};
    c->session = s;
    c->model = model;
    /* The largest first, so that the last one to finish is short. */
    double priority = (double)es_pool_model(s->pool, model)->file_bytes;
    es_status st = es_item_add(s->workers, &c->item, check_model, priority, NULL, err);
    s->checks += st == ES_OK;
    return st;
}

es_status es_check_start(es_session *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < es_pool_count(s->pool) && st == ES_OK; i++)
        if (es_pool_model(s->pool, i)->state == ES_MODEL_UNCHECKED)
            st = add_check(s, i, err);
    return st;
}
