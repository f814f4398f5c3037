/* Embedders and what was tuned from them, over several models: does tuning raise the score? (Darrin
 * et al. 2024, Figures 4b and 4c.) */
#ifndef ES_REPORT_TUNED_H
#define ES_REPORT_TUNED_H

#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "io.h"
#include "io_scores.h"
#include "rank_report.h"

/** Ups, downs and equal ones of some pairs. */
typedef struct es_signs {
    size_t rose, fell, same;
    double p; /* exact two-sided sign test, equal ones left out; NaN: none rose or fell */
} es_signs;

/** An embedder and what was tuned from it; NaN: not known, 0: without a rank. */
typedef struct es_tuned_pair {
    size_t base, tuned;           /* positions in the report's results */
    double before, after, change; /* scores; errors as they are */
    double low, high;             /* of the change, 95 %, both together with all others; NaN */
    uint32_t rank_before, rank_after;
    double downstream_before, downstream_after; /* mean percentile over tasks, 100 = best */
} es_tuned_pair;

typedef struct es_tuned {
    es_tuned_pair *pair; /* (count) by name of the base */
    size_t count;
    es_signs score, downstream; /* up is better in both */
    size_t absent;              /* bases in models.csv that are no embedders here */
} es_tuned;

/** The exact two-sided sign test: the chance that a fair coin splits as unevenly. NaN of none. */
double es_sign_test(size_t up, size_t down);

/** The number of letters of a name before "-tuned", "-finetuned", "-fine-tuned" or "-ft", with - _
 * + or . between and in any case; 0: it ends in none of these. */
size_t es_tuned_stem(const char *name);

/** Pairs of a report: as `bases` says (of ES_MODEL_BASE; NULL: nothing), else NAME and NAME-tuned.
 *  scores NULL: no downstream. No pair at all is no error. ES_ENOMEM. O(m^2). */
es_status es_tuned_new(const es_rank_report *report, const es_family_file *bases,
                       const es_scores *scores, es_tuned *out, es_error *err);
void es_tuned_deinit(es_tuned *tuned); /* all zero bytes is allowed */

/** "The score rose in 6 of 6 (sign test: p .031)." and the same downstream, each a sentence. */
void es_tuned_put(const es_tuned *tuned, es_buf *out);

#endif
