/* One thread opens and says when it is done; whoever asked joins it. */
#include "engine_requests.h"

#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct es_open_beside {
    es_opener *open;
    void *context;
    size_t rows;
    locale_t locale; /* of the thread that asked */
    pthread_t thread;
    es_run run;
    int done[2]; /* a pipe that ends with the thread */
    es_session *session;
    es_status status;
    es_error error;
};

/* The thread that opens the second session; closing the pipe reports its end. */
static void *open_thread(void *data) {
    es_open_beside *b = data;
    (void)uselocale(b->locale);
    b->status = b->open(b->context, b->rows, &b->run, &b->session, &b->error);
    (void)close(b->done[1]);
    return NULL;
}

es_status es_open_beside_new(es_opener *open, void *context, size_t rows, es_open_beside **out,
                             es_error *err) {
    es_open_beside *b = es_alloc_zero(1, sizeof *b);
    if (b == NULL)
        return es_no_memory(err);
    b->open = open;
    b->context = context;
    b->rows = rows;
    b->locale = uselocale((locale_t)0);
    es_run_init(&b->run);
    if (es_pipe_open(b->done, NULL) != ES_OK) {
        es_free(b);
        return es_fail(err, ES_EIO,
                       "cannot open another pool: too many files are open (ulimit -n)");
    }
    if (es_workers_thread(&b->thread, open_thread, b) != 0) {
        es_pipe_close(b->done);
        es_free(b);
        return es_no_memory(err);
    }
    *out = b;
    return ES_OK;
}

int es_open_beside_fd(const es_open_beside *b) {
    return b->done[0];
}

es_run *es_open_beside_run(es_open_beside *b) {
    return &b->run;
}

bool es_open_beside_done(const es_open_beside *b, double seconds) {
    struct pollfd wait = {.fd = b->done[0], .events = POLLIN};
    return poll(&wait, 1, (int)(1000 * seconds)) > 0;
}

es_status es_open_beside_take(es_open_beside **beside, es_session **session, es_error *err) {
    es_open_beside *b = *beside;
    es_status st = ES_OK;
    (void)pthread_join(b->thread, NULL);
    (void)close(b->done[0]);
    st = b->status;
    if (st == ES_OK)
        *session = b->session;
    else if (err)
        *err = b->error;
    es_free(b);
    *beside = NULL;
    return st;
}

void es_open_beside_free(es_open_beside *beside) {
    es_session *session = NULL;
    if (beside == NULL)
        return;
    es_run_cancel(&beside->run);
    if (es_open_beside_take(&beside, &session, NULL) == ES_OK)
        es_session_leave(session, 0);
}

/* From a place among per-row values to the row of the files, and from there to its text. */

es_status es_row_source_init(es_session *session, size_t entry, es_row_source *out, es_error *err) {
    es_row_source source = {.pool = es_session_pool(session)};
    const es_config *config = es_session_config(session, entry);
    const es_split *split = es_session_split(session, entry);
    if (source.pool == NULL || config == NULL)
        return es_fail(err, ES_EEMPTY, "a matrix from a file has no rows");
    bool in_sample = config->estimator->in_sample && config->estimator->in_sample(config->values);
    source.eval = in_sample || split == NULL ? NULL : split->eval;
    es_status st = es_pool_texts(source.pool, &source.texts, err);
    if (st == ES_OK)
        *out = source;
    return st;
}

size_t es_row_number(const es_row_source *source, size_t k) {
    return es_pool_file_row(source->pool, source->eval ? source->eval[k] : k);
}

static bool is_break(char c) {
    return c == '\t' || c == '\n' || c == '\r';
}

/* On one line. CR LF is one break. */
static char *in_a_line(const char *text, size_t max_bytes) {
    size_t length = strlen(text), used = 0;
    char *flat = es_alloc(length + 1, 1), *out = NULL;
    for (size_t i = 0; flat && i < length; i++)
        if (text[i] != '\r' || text[i + 1] != '\n')
            flat[used++] = is_break(text[i]) ? ' ' : text[i];
    if (flat)
        out = es_text_clean(flat, used, max_bytes);
    es_free(flat);
    return out;
}

static char *said(const char *text, size_t max_bytes) {
    return max_bytes == ES_ROW_EXACT ? es_strdup(text) : in_a_line(text, max_bytes);
}

char *es_row_id(const es_row_source *source, size_t k, size_t max_bytes) {
    if (source->texts == NULL)
        return NULL;
    return said(es_row_texts_id(source->texts, es_row_number(source, k)), max_bytes);
}

char *es_row_text(const es_row_source *source, size_t k, size_t max_bytes) {
    return es_file_row_text(source->texts, es_row_number(source, k), max_bytes);
}

char *es_file_row_text(const es_row_texts *texts, size_t row, size_t max_bytes) {
    size_t said_before = 0;
    es_buf joined = {0};
    if (texts == NULL || texts->columns < 2 || row >= texts->count)
        return NULL;
    for (size_t j = 0; j < texts->columns; j++)
        if (es_row_texts_is_text(texts, j))
            es_buf_printf(&joined, "%s%s", said_before++ > 0 ? ", " : "",
                          es_row_texts_cell(texts, row, j));
    char *out = joined.failed || joined.data == NULL ? NULL : said(joined.data, max_bytes);
    es_buf_free(&joined);
    return out;
}

/* Names of measures with settings in brackets. */

/* Blanks in `text` become ends of the settings. */
static es_status split(es_measure_call *out, es_error *err) {
    size_t count = 0;
    for (char *at = out->text + strspn(out->text, " "); *at;) {
        size_t length = strcspn(at, " ");
        if (count == ES_MEASURE_CALLED)
            return es_fail(err, ES_EINVAL, "%s[%s]: at most %d settings", out->measure->name,
                           out->label, ES_MEASURE_CALLED);
        out->setting[count++] = at;
        at += length;
        if (*at)
            *at++ = '\0';
        at += strspn(at, " ");
    }
    out->setting[count] = NULL;
    for (size_t i = 0; i < count; i++)
        if (!es_measure_knows(out->measure, out->setting[i]))
            return es_fail(err, ES_EINVAL,
                           "%s has no setting '%s'; `embedscope measure --list %s` shows those it "
                           "has",
                           out->measure->name, out->setting[i], out->measure->name);
    return ES_OK;
}

es_status es_measure_call_parse(const char *text, es_measure_call *out, es_error *err) {
    char name[ES_MEASURE_CALL];
    size_t length = strcspn(text, "["), whole = strlen(text);
    bool settings = length < whole;
    *out = (es_measure_call){0};
    if (whole >= sizeof name)
        return es_fail(err, ES_EINVAL, "'%.40s ...': a measure's name is shorter", text);
    if (settings && (text[whole - 1] != ']' || strchr(text, ']') != text + whole - 1))
        return es_fail(err, ES_EINVAL, "%s: expected NAME[KEY=VALUE KEY=VALUE]", text);
    (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
    ES_PASS(es_measure_parse(name, &out->measure, &out->field, err));
    out->named = strchr(name, '.') != NULL;
    if (settings)
        (void)snprintf(out->label, sizeof out->label, "%.*s", (int)(whole - length - 2),
                       text + length + 1);
    memcpy(out->text, out->label, sizeof out->text);
    return split(out, err);
}

/* The explorer's edits of a pool: a list of which the first `at` stand. An embedder that is out of
 * the pool lies aside, so undoing is a rename and brings back the same bytes. */

/* Forgets the edits from index `from` on, with the files set aside for them. */
static void drop_from(es_edits *edits, size_t from) {
    for (size_t i = from; i < edits->count; i++) {
        es_free(edits->item[i].name);
        for (size_t k = 0; k < 2; k++)
            es_derived_forget(&edits->item[i].aside[k]);
    }
    edits->count = from;
}

void es_edits_deinit(es_edits *edits) {
    drop_from(edits, 0);
    es_free(edits->item);
    *edits = (es_edits){0};
}

es_status es_edits_add(es_edits *edits, size_t number, const char *name, es_derived_aside *aside,
                       es_error *err) {
    if (edits->count == 0)
        edits->before = number;
    drop_from(edits, edits->at);
    es_edit *more = es_realloc(edits->item, edits->count + 1, sizeof *more);
    edits->item = more ? more : edits->item;
    char *copy = more ? es_strdup(name) : NULL;
    if (!copy) {
        if (aside)
            es_derived_forget(aside);
        return es_no_memory(err);
    }
    edits->item[edits->count++] = (es_edit){.name = copy, .removal = aside != NULL};
    if (aside)
        edits->item[edits->count - 1].aside[0] = *aside;
    edits->at = edits->count;
    if (aside)
        *aside = (es_derived_aside){0};
    return ES_OK;
}

/* `in`: it is to be in the pool. */
static es_status move(es_edit *edit, const es_pool *pool, bool in, es_error *err) {
    uint64_t freed;
    size_t at[2], count = in ? 2 : es_derived_named(pool, edit->name, at);
    es_status st = ES_OK;
    if (count == 0)
        return es_fail(err, ES_ENOTFOUND, "%s is not in the pool", edit->name);
    for (size_t k = 0; k < count && st == ES_OK; k++) {
        if (!in)
            st = es_derived_remove(pool, at[k], &edit->aside[k], &freed, err);
        else if ((st = es_derived_restore(&edit->aside[k], err)) == ES_OK)
            es_derived_forget(&edit->aside[k]); /* nothing is aside any more */
    }
    return st;
}

es_status es_edits_reach(es_edits *edits, const es_pool *pool, size_t number, es_error *err) {
    size_t wanted = number > edits->before ? number - edits->before : 0;
    es_status st = ES_OK;
    while (st == ES_OK && edits->at > wanted) {
        es_edit *edit = &edits->item[edits->at - 1];
        st = move(edit, pool, edit->removal, err);
        edits->at -= st == ES_OK ? 1 : 0;
    }
    while (st == ES_OK && edits->at < wanted && edits->at < edits->count) {
        es_edit *edit = &edits->item[edits->at];
        st = move(edit, pool, !edit->removal, err);
        edits->at += st == ES_OK ? 1 : 0;
    }
    return st;
}
