/* The jobs between opening and being ready: one an embedder that reads its contents, then, once the
 * pool is settled, one an entry of the plan that loads what is stored. */
#include "engine_session_parts.h"

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
    es_status st = es_session_settle(s, &error);
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
