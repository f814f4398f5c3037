/* What a run would take, told before it starts. */
#ifndef ES_ENGINE_OUTLOOK_H
#define ES_ENGINE_OUTLOOK_H

#include "session.h"

enum { ES_OUTLOOK_PARTS = 8 };

/** Of one entry of the plan. */
typedef struct es_outlook_part {
    size_t pairs;
    double operations, seconds; /* of one thread */
    double whole;               /* seconds of one thread for all pairs, known or not */
    double largest;             /* bytes of its largest pair */
} es_outlook_part;

/** Of all pairs that are wanted and not known. */
typedef struct es_outlook {
    size_t parts; /* entries of the plan, at most so many */
    es_outlook_part part[ES_OUTLOOK_PARTS];
    size_t pairs;
    double operations; /* of floating point */
    double seconds;    /* with as many threads as memory lets work at once */
    double rate;       /* operations a second of one thread */
    bool measured;     /* the rate is that of pairs known; else of this machine's products */
    unsigned threads, at_once;
    double memory;            /* bytes that may be used */
    double standing, largest; /* whatever the pairs; the largest pair */
    double peak;              /* of all that is at work at once, prepared states included */
    size_t nodes; /* machines like this one that share the pairs (--shard); 0: not asked */
    double node_seconds, speed_up; /* until the last of them is done */
} es_outlook;

/** About 0.2 s of one core: the machine's rate is measured. ES_EINVAL before the pool is checked,
 * or where nothing can be estimated. nodes 0: without. */
es_status es_session_outlook(const es_session *session, size_t nodes, es_outlook *out,
                             es_error *err);

/** The same without nodes and without waiting: where the machine's rate is needed, the first call
 * has a worker measure it, and there is nothing to tell (false) until it has. O(plan m^2). Owner's
 *  thread. */
bool es_session_told(es_session *session, es_outlook *out);

/** Bytes that may be used, and what the whole plan takes at most, by its widest embedders; cheap.
 * False before the pool is checked. */
bool es_session_memory(const es_session *session, double *allowed, double *peak);
/** Does every pair that is to be estimated fit into the memory that may be used? ES_EUNSUPPORTED
 * says which does not, what it needs and what to do. */
es_status es_session_fits(const es_session *session, es_error *err);
/** Bytes that may be used where so many were asked for; 0: half of what there is. */
size_t es_memory_allowed(size_t asked);
/** "1.5 GB"; returns the length. */
size_t es_bytes_text(char *out, size_t capacity, double bytes);

#endif
