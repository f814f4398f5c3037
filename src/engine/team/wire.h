/* What carries messages between the processes of a team: numbered ranks, of which 0 leads. MPI is
 * one (src/mpi); the tests have one of threads. All calls come from one thread at a time. */
#ifndef ES_ENGINE_WIRE_H
#define ES_ENGINE_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

typedef struct es_wire {
    void *context;
    size_t rank, size;
    unsigned threads; /* this rank's share of the machine's cores */
    /** Hand over a message, whose bytes are the wire's from now on (es_buf_take's). Never waits,
     * and never fails but for lack of memory: nobody hears of what a rank that is gone was sent. */
    void (*send)(void *context, size_t to, char *bytes, size_t length);
    /** The next message into `out`, which is empty, and who sent it; false: there is none. */
    bool (*receive)(void *context, size_t *from, es_buf *out);
    /** Has the wire seen this rank die? It need not be able to. */
    bool (*lost)(void *context, size_t rank);
    /** The end. `whole`: all ranks are there, and wait for one another. */
    void (*leave)(void *context, bool whole);
} es_wire;

#endif
