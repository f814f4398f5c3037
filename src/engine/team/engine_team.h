/* Several processes at one session. */
#ifndef ES_ENGINE_TEAM_H
#define ES_ENGINE_TEAM_H

#include "engine_session.h"

/* What carries messages between the processes of a team: numbered ranks, of which 0 leads. MPI is
 * one (src/mpi); the tests have one of threads. All calls come from one thread at a time. */

typedef struct es_wire {
    void *context;
    size_t rank, size;
    unsigned threads; /* this rank's share of the machine's cores */
    /** Hand over a message, whose bytes are the wire's from now on (es_buf_take's). Never waits,
     * and fails only for lack of memory: nobody hears of what a rank that is gone was sent. */
    void (*send)(void *context, size_t to, char *bytes, size_t length);
    /** The next message into `out`, which is empty, and who sent it; false: there is none. */
    bool (*receive)(void *context, size_t *from, es_buf *out);
    /** Has the wire seen this rank die? It need not be able to. */
    bool (*lost)(void *context, size_t rank);
    /** The end. `whole`: all ranks are there, and wait for one another. */
    void (*leave)(void *context, bool whole);
} es_wire;

/* Several processes estimate one pool: the lead (rank 0) has the session with the store,
 * distributes pairs and takes what comes back; each of the others computes in a session of its own
 * over the same files, which has no store. Nothing but the lead opens or writes one.
 *
 * A thread of another rank is a lane of the lead's session (engine_session.h): it stays with a
 * source, and the costliest goes first. A lane gets pairs by the block, of a quarter of a second at
 * most, and the next block when it is nearly done; towards the end blocks are of one pair. A rank
 * that has died, seen by the wire, by its machine or by half a minute of silence, is reported, and
 * its pairs go back.
 */

/* ---- rank 0 ---- */

typedef struct es_team es_team;

/** What the team has to say: a rank that came to nothing, or died. From a thread of its own. */
typedef void (*es_team_say)(void *context, const char *text);

/** Starts the thread that does all that is done with the wire until es_team_free. */
es_status es_team_new(const es_wire *wire, es_team_say say, void *context, es_team **out,
                      es_error *err);
/** Have all ranks open what these words say, which only their own callback reads. */
void es_team_open(es_team *team, const es_words *words);
/** Lend pairs of this session, which was checked and is about to be started, to those that have
 *  opened the same. */
void es_team_attach(es_team *team, es_session *session);
/** Detaches the session: pairs that have not come back are left. Then it may be closed. */
void es_team_detach(es_team *team);
typedef struct es_team_counts {
    size_t ranks, dead; /* besides rank 0 */
    size_t ready;       /* of them, those that have the session that is attached */
    size_t pairs;       /* that came back */
    double seconds;     /* of processor time that handing out and taking in has cost */
} es_team_counts;
void es_team_count(es_team *team, es_team_counts *out);
/** Ends all ranks. `whole`: they are waited for, unless one has died; else the process is to exit
 * at once. */
void es_team_free(es_team *team, bool whole);

/* ---- the others ---- */

/** Opens the session that es_team_open's words mean, without a store; on failure *out stays NULL.
 */
typedef es_status (*es_team_opener)(void *context, const es_words *words, es_session **out,
                                    es_error *err);
/** Computes until the lead ends it. ES_EIO: the lead is gone. */
es_status es_team_serve(const es_wire *wire, es_team_opener open, void *context, es_error *err);

/* Messages between the ranks of a team: a kind, the session's number, and fields one after the
 * other. All ranks run the same program on machines of the same byte order (they say so first), so
 * fields are as they lie in memory. */

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
