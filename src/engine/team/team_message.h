/* Messages between the ranks of a team: a kind, the session's number, and fields one after the
 * other. All ranks run the same program on machines of the same byte order (they say so first), so
 * fields are as they lie in memory. */
#ifndef ES_ENGINE_TEAM_MESSAGE_H
#define ES_ENGINE_TEAM_MESSAGE_H

#include "engine_session.h"

typedef enum es_team_kind {
    /* of the lead */
    ES_TEAM_OPEN,  /* text: what to open */
    ES_TEAM_PAIRS, /* count, pairs */
    ES_TEAM_CLOSE, /* the session */
    ES_TEAM_QUIT,  /* whole */
    /* of the others */
    ES_TEAM_HELLO,   /* process, version, byte order */
    ES_TEAM_READY,   /* identity, threads, provenance */
    ES_TEAM_REFUSED, /* text: why the session cannot be opened */
    ES_TEAM_RESULTS, /* count, pairs that have ended */
    /* of all */
    ES_TEAM_BEAT /* nothing but that it is there */
} es_team_kind;

void es_team_begin(es_buf *out, es_team_kind kind, uint64_t session);
void es_team_put(es_buf *out, uint64_t value);
void es_team_put_bytes(es_buf *out, const void *bytes, size_t size); /* its size goes first */
void es_team_put_text(es_buf *out, const char *text);
void es_team_put_pair(es_buf *out, es_lease pair);
void es_team_put_result(es_buf *out, const es_far_pair *result);

/** Reads a message; `bad` once it was shorter than it should be, and all is 0 from then on. */
typedef struct es_team_reader {
    const char *at, *end;
    es_team_kind kind;
    uint64_t session;
    bool bad;
} es_team_reader;

void es_team_read(es_team_reader *in, const es_buf *message);
uint64_t es_team_take(es_team_reader *in);
/** Borrowed of the message; NULL when there are not so many. */
const void *es_team_take_bytes(es_team_reader *in, size_t *size);
const char *es_team_take_text(es_team_reader *in); /* "" where it is bad */
es_lease es_team_take_pair(es_team_reader *in);
/** reason is borrowed of the message; pmi is a copy, the caller's. */
void es_team_take_result(es_team_reader *in, es_far_pair *out);

#endif
