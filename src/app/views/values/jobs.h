/* Lines of Jobs: threads, then failures of all estimators. */
#ifndef ES_APP_JOBS_H
#define ES_APP_JOBS_H

#include "app_state.h"

size_t es_jobs_threads(const es_app *app);
size_t es_jobs_lines(const es_app *app);    /* threads, then failures */
size_t es_jobs_failures(const es_app *app); /* of all estimators, the zero line included */
size_t es_jobs_shown(const es_app *app);    /* of the failures: what the filter shows */
/** Pairs from this item to others, by any estimator of the plan, that nobody has begun. */
size_t es_jobs_left(const es_app *app, size_t item);
void es_jobs_pace(es_app *app); /* take a sample when it is time */
typedef struct es_failure {
    size_t entry;          /* of the plan */
    size_t source, target; /* items; source ES_NONE: the zero line of the target */
    const char *reason;    /* borrowed; NULL: not known */
    size_t cell;           /* where the next one is looked for */
} es_failure;
/** The next failure after *at, which begins as zeros; false: no more. */
bool es_jobs_next(const es_app *app, es_failure *at);
bool es_jobs_failure(const es_app *app, size_t number, es_failure *out);

bool es_jobs_pair(const es_app *app, size_t line, size_t *source, size_t *target); /* of any line */
void es_jobs_select(es_app *app, size_t line); /* and stay on its pair while others fail */
void es_jobs_follow(es_app *app);              /* after a change of the results */

enum { ES_JOBS_SLOWEST = 12 };

/** What the pairs took, stored ones too: seconds of the thread that estimated each. */
typedef struct es_took {
    uint64_t revision; /* of the results, added up */
    size_t entries;    /* of the plan */
    size_t *pairs;     /* (entries) done */
    double *seconds;   /* (entries) their sum */
    struct {
        size_t entry, source, target; /* items */
        double seconds;
    } slow[ES_JOBS_SLOWEST]; /* (slowest) the longest first */
    size_t slowest;
} es_took;

void es_took_free(es_took *took); /* NULL is allowed */

#endif
