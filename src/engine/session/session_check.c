/* The jobs between opening and being ready: one an embedder that reads its contents, then, once the
 * pool is settled, one an entry of the plan that loads what is stored. */
#include "alloc.h"
#include "session_state.h"

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
} load_item;

/* ---- contents ---- */

static es_status check_model(void *data, es_job_context *context, es_error *err) {
    check_item *c = data;
    return es_pool_check_model(c->session->pool, c->model, context->run, &c->check, err);
}

/* ---- stored results ---- */

typedef struct loading {
    es_session *session;
    es_job_context *context;
    size_t entry;
    es_stored_item *batch;
} loading;

static es_status flush(loading *l, es_error *err) {
    if (!l->batch)
        return ES_OK;
    es_item *batch = &l->batch->item;
    l->batch = NULL;
    return es_item_post(l->context, batch, err);
}

static es_status append(loading *l, size_t source, size_t target, const es_store_pair *pair,
                        es_error *err) {
    if (!l->batch && !(l->batch = es_stored_item_new()))
        return es_no_memory(err);
    es_pair_item item = {.session = l->session,
                         .pair = {l->entry, source, target},
                         .failed = pair->failed,
                         .reused = true,
                         .result = pair->result,
                         .seconds = pair->seconds};
    item.result.pmi = NULL;
    if (pair->failed && !(item.reason = es_strdup(pair->reason ? pair->reason : "failed")))
        return es_no_memory(err);
    if (pair->result.pmi) {
        size_t n = pair->result.n_eval;
        item.result.pmi = es_alloc(n, sizeof(float));
        if (!item.result.pmi) {
            es_free(item.reason);
            return es_no_memory(err);
        }
        for (size_t i = 0; i < n; i++)
            item.result.pmi[i] = pair->result.pmi[i];
    }
    l->batch->pairs[l->batch->count++] = item;
    return l->batch->count == ES_BATCH ? flush(l, err) : ES_OK;
}

/* Embedders of equal contents share their results. */
static es_status take_stored(void *data, es_store_pair *pair, es_error *err) {
    loading *l = data;
    const es_session *s = l->session;
    es_status st = es_run_check(l->context->run, err);
    size_t first = es_identities_first(&s->targets, s->m, pair->target);
    for (size_t i = es_identities_first(&s->sources, s->m, pair->source);
         es_identities_at(&s->sources, s->m, i, pair->source); i++)
        for (size_t k = first; st == ES_OK && es_identities_at(&s->targets, s->m, k, pair->target);
             k++)
            st = append(l, s->sources.order[i], s->targets.order[k], pair, err);
    for (size_t k = first; st == ES_OK && es_identities_at(&s->targets, s->m, k, pair->target);
         k++) {
        size_t target = s->targets.order[k];
        if (es_digest_equal(s->nulls[target], pair->source))
            st = append(l, s->m + target, target, pair, err);
    }
    return st;
}

static es_status load_entry(void *data, es_job_context *context, es_error *err) {
    const load_item *item = data;
    es_session *s = item->session;
    loading l = {s, context, item->entry, NULL};
    es_status st =
        es_store_load(s->store, &s->entries[item->entry].key, s->with_pmi, take_stored, &l, err);
    if (st == ES_OK)
        st = flush(&l, err);
    if (l.batch)
        es_item_free(&l.batch->item);
    return st;
}

static void get_ready(es_session *s) {
    s->ready = true;
    if (s->read_only) {
        es_workers_resize(s->workers, 0, NULL);
        return;
    }
    es_workers_pause(s->workers, s->paused);
    es_entries_rank(s);
    es_session_log_ready(s);
    if (s->wanted)
        es_session_log_start(s, es_work_want(s));
    es_work_top_up(s, NULL);
    es_work_clock(s); /* all may be done before this pump ends */
}

static void end_load(es_item *base, const es_event *event) {
    es_session *s = ((load_item *)base)->session;
    if (event->status != ES_OK && event->status != ES_ECANCELED) {
        es_log_write(s->log, ES_LOG_ERROR, "%s", event->error.message);
        es_save_note(s, event->status, &event->error);
    }
    if (--s->loads == 0)
        get_ready(s);
}

static es_status load_start(es_session *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t e = 0; e < s->n_entries && st == ES_OK; e++) {
        load_item *item = es_alloc(1, sizeof *item);
        if (!item)
            return es_no_memory(err);
        *item = (load_item){{.apply = end_load}, s, e};
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

static void end_checks(es_session *s) {
    es_error error = {0};
    es_status st = es_session_settle(s, &error);
    s->waiting = st == ES_OK;
    if (st != ES_OK)
        set_problem(s, st, &error);
    else if (!s->deferred)
        es_session_proceed(s);
}

bool es_session_deferred(const es_session *s) {
    return s && s->deferred && s->waiting;
}

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
