/* One ranking over the rankings of several data sets, embedders matched by name. */
#ifndef ES_REPORT_DATA_SETS_H
#define ES_REPORT_DATA_SETS_H

#include "core_ranking.h"
#include "rank_report.h"

#include "base.h"

typedef struct es_data_sets {
    size_t count, m;
    const es_rank_report *const *report; /* (count) borrowed, with their decisions */
    es_words name;                       /* (m) of all embedders, in natural order */
    size_t *at;      /* (count, m) positions in each report's results; SIZE_MAX: not in it */
    double *score;   /* (count, m) NaN: none; higher is better; a lead, or 0 if below 0 */
    size_t repeated; /* of them: the same as an earlier one, number for number */
    es_combined *combined;
} es_data_sets;

/** ES_EEMPTY: no embedder is in two of them. */
es_status es_data_sets_new(const es_rank_report *const *reports, size_t count, uint64_t seed,
                           es_data_sets **out, es_error *err);
void es_data_sets_free(es_data_sets *sets);

/** What stands for an embedder in one data set. */
typedef enum es_within { ES_WITHIN_SHARE, ES_WITHIN_SCORE, ES_WITHIN_RANK } es_within;
extern const char *const es_within_names[]; /* "share", "score", "rank"; then NULL */
/** NaN: not in it, or not ranked there. */
double es_data_sets_within(const es_data_sets *sets, size_t set, size_t model, es_within what);

/** Writes the conclusion in sentences. */
void es_data_sets_say(const es_data_sets *sets, es_buf *out);
/** Writes how far each unfinished data set is, a sentence each, with a space before it. name
 * (count). */
void es_data_sets_say_unfinished(const es_data_sets *sets, const char *const *name, es_buf *out);

#endif
