/* Every analysis that has a sheet: one row each. */
#ifndef ES_REPORT_ANALYSES_H
#define ES_REPORT_ANALYSES_H

#include <stddef.h>

/** What must be there before an analysis can say anything. */
typedef enum es_analysis_need {
    ES_ANALYSIS_NEEDS_PAIRS = 1 << 0,  /* results of some pair */
    ES_ANALYSIS_NEEDS_SCORES = 1 << 1, /* downstream scores */
    ES_ANALYSIS_NEEDS_SERIES = 1 << 2, /* checkpoints of a run */
    ES_ANALYSIS_NEEDS_VECTORS = 1 << 3 /* a pool's files, not a finished matrix */
} es_analysis_need;

typedef struct es_analysis {
    const char *id;      /* as it is typed: "rivals" */
    const char *title;   /* "Scores without labels" */
    const char *says;    /* what it answers, one clause */
    const char *command; /* that makes the same document */
    const char *options; /* further words of its command line, with blanks between; NULL: none */
    unsigned needs;      /* es_analysis_need bits */
} es_analysis;

extern const es_analysis es_analyses[];
extern const size_t es_analysis_count;

/** By id; NULL: there is none. */
const es_analysis *es_analysis_find(const char *id);

/** Returns what is missing, for a reader, of the needs; NULL: nothing is. `there` holds
 * es_analysis_need bits.
 */
const char *es_analysis_lacks(const es_analysis *analysis, unsigned there);

#endif
