/* Every analysis that has a sheet: one row each. */
#ifndef ES_REPORT_ANALYSES_H
#define ES_REPORT_ANALYSES_H

#include <stddef.h>

#include "engine_pool.h"
#include "io_scores.h"
#include "rank_report.h"
#include "sheet.h"

/** What must be there before an analysis can say anything. */
typedef enum es_analysis_need {
    ES_ANALYSIS_NEEDS_PAIRS = 1 << 0,   /* results of some pair */
    ES_ANALYSIS_NEEDS_SCORES = 1 << 1,  /* downstream scores */
    ES_ANALYSIS_NEEDS_SERIES = 1 << 2,  /* checkpoints of a run */
    ES_ANALYSIS_NEEDS_VECTORS = 1 << 3, /* a pool's files, not a finished matrix */
    ES_ANALYSIS_NEEDS_SETS = 1 << 4,    /* several data sets */
    ES_ANALYSIS_NEEDS_TABLE = 1 << 5    /* a pool, or a table of scores that is open alone */
} es_analysis_need;

/** What an analysis is of. */
typedef enum es_analysis_of {
    ES_ANALYSIS_OF_POOL,
    ES_ANALYSIS_OF_SETS,      /* every data set that is open */
    ES_ANALYSIS_OF_EMBEDDERS, /* one or two, whose names are words of its command line */
    ES_ANALYSIS_OF_MODELS,    /* two of a table of scores, likewise */
    ES_ANALYSIS_OF_SETTING,   /* settings of an estimator with their values */
    ES_ANALYSIS_OF_MEASURE    /* a measure, and one or two embedders */
} es_analysis_of;

/** What an analysis may look at; all is borrowed. */
typedef struct es_known {
    const es_pool *pool;          /* NULL: a finished matrix */
    const es_rank_report *report; /* results and their ranking; NULL unless it NEEDS_PAIRS */
    const es_scores *scores;      /* downstream; NULL: there are none */
} es_known;

typedef struct es_analysis {
    const char *id;      /* as it is typed: "rivals" */
    const char *title;   /* "Scores without labels" */
    const char *says;    /* what it answers, one clause */
    const char *command; /* that makes the same document; with `make` its id */
    const char *options; /* further words of its command line, with blanks between; NULL: none */
    unsigned needs;      /* es_analysis_need bits */
    es_analysis_of of;
    /** Fills an empty sheet with statements, tables and a plot. ES_EEMPTY: nothing can be said, and
     *  why. NULL: the command does. */
    es_status (*make)(const es_known *known, es_sheet *sheet, es_error *err);
    const char *details; /* of `make`: a paragraph for the help of its command */
} es_analysis;

extern const es_analysis *const es_analyses[];
extern const size_t es_analysis_count;

/** Returns the analysis with this id; NULL: none. */
const es_analysis *es_analysis_find(const char *id);

/** Returns what is missing, for a reader, of the needs; NULL: nothing is. `there` holds
 * es_analysis_need bits.
 */
const char *es_analysis_lacks(const es_analysis *analysis, unsigned there);

#endif
