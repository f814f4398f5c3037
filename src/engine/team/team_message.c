/* Fields into bytes and back. */
#include "team_message.h"

#include <string.h>

void es_team_put(es_buf *out, uint64_t value) {
    es_buf_add(out, &value, sizeof value);
}

void es_team_begin(es_buf *out, es_team_kind kind, uint64_t session) {
    es_buf_clear(out);
    es_team_put(out, (uint64_t)kind);
    es_team_put(out, session);
}

void es_team_put_bytes(es_buf *out, const void *bytes, size_t size) {
    es_team_put(out, size);
    if (size > 0)
        es_buf_add(out, bytes, size);
}

void es_team_put_text(es_buf *out, const char *text) {
    es_team_put_bytes(out, text, strlen(text) + 1);
}

void es_team_put_pair(es_buf *out, es_lease pair) {
    es_team_put(out, pair.entry);
    es_team_put(out, pair.source);
    es_team_put(out, pair.target);
}

enum { VALUES = 8 }; /* of a result: numbers in a row */

void es_team_put_result(es_buf *out, const es_far_pair *p) {
    const es_pair_result *r = &p->result;
    const double values[VALUES] = {
        r->is, r->se, r->h, r->h_cond, p->seconds, r->information, r->information_se, r->lambda};
    es_team_put_pair(out, p->pair);
    es_team_put(out, p->failed);
    es_team_put(out, p->lasting);
    es_team_put_text(out, p->reason ? p->reason : "");
    es_team_put_bytes(out, values, sizeof values);
    es_team_put(out, r->n_eval);
    es_team_put(out, r->epochs);
    es_team_put(out, r->rare);
    es_team_put(out, r->limited);
    es_team_put_bytes(out, r->pmi, r->pmi ? r->n_eval * sizeof *r->pmi : 0);
}

/* ---- reading ---- */

/* Returns the next bytes of a message; NULL: it is shorter, and marked as bad. */
static const char *next_bytes(es_team_reader *in, size_t size) {
    const char *at = in->at;
    if (in->bad || size > (size_t)(in->end - in->at)) {
        in->bad = true;
        return NULL;
    }
    in->at += size;
    return at;
}

uint64_t es_team_take(es_team_reader *in) {
    uint64_t value = 0;
    const char *at = next_bytes(in, sizeof value);
    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

void es_team_read(es_team_reader *in, const es_buf *message) {
    *in = (es_team_reader){.at = message->data, .end = message->data + message->length};
    in->kind = (es_team_kind)es_team_take(in);
    in->session = es_team_take(in);
}

const void *es_team_take_bytes(es_team_reader *in, size_t *size) {
    *size = es_team_take(in);
    const char *at = next_bytes(in, *size);
    if (!at)
        *size = 0;
    return at;
}

const char *es_team_take_text(es_team_reader *in) {
    size_t size;
    const char *text = es_team_take_bytes(in, &size);
    if (size == 0 || text[size - 1] != '\0') {
        in->bad = true;
        return "";
    }
    return text;
}

es_lease es_team_take_pair(es_team_reader *in) {
    es_lease pair;
    pair.entry = es_team_take(in);
    pair.source = es_team_take(in);
    pair.target = es_team_take(in);
    return pair;
}

void es_team_take_result(es_team_reader *in, es_far_pair *out) {
    double values[VALUES] = {0};
    size_t size;
    *out = (es_far_pair){.pair = es_team_take_pair(in)};
    out->failed = es_team_take(in) != 0;
    out->lasting = es_team_take(in) != 0;
    out->reason = es_team_take_text(in);
    const void *bytes = es_team_take_bytes(in, &size);
    in->bad = in->bad || size != sizeof values;
    if (in->bad)
        return;
    memcpy(values, bytes, sizeof values);
    es_pair_result *r = &out->result;
    r->is = values[0];
    r->se = values[1];
    r->h = values[2];
    r->h_cond = values[3];
    out->seconds = values[4];
    r->information = values[5];
    r->information_se = values[6];
    r->lambda = values[7];
    r->n_eval = es_team_take(in);
    r->epochs = (unsigned)es_team_take(in);
    r->rare = (unsigned)es_team_take(in);
    r->limited = (unsigned)es_team_take(in);
    bytes = es_team_take_bytes(in, &size);
    in->bad =
        in->bad || (size > 0 && (size % sizeof *r->pmi || size / sizeof *r->pmi != r->n_eval));
    if (in->bad || size == 0)
        return;
    r->pmi = es_alloc(r->n_eval, sizeof *r->pmi);
    if (r->pmi)
        memcpy(r->pmi, bytes, size);
    else
        in->bad = true;
}
