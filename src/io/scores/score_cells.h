/* Cells as papers, spreadsheets and web pages have them: "0.83 ± 0.02", "**0.83**", "83 %". */
#ifndef ES_IO_SCORE_CELLS_H
#define ES_IO_SCORE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "scores.h"
#include "table.h"

/** Cells that hold more than a number or a name. All zero bytes: none. */
typedef struct es_score_cells {
    size_t count, line, column; /* of the first */
    char first[48];             /* its text, cleaned */
} es_score_cells;

/** Takes links, tags and marks for bold off every cell that is no number, in place: "[e5](https:…)"
 *  is e5. A cell that is one of `embedder` (n) stays. */
void es_score_cells_plain(es_table *table, const char *const *embedder, size_t n,
                          es_score_cells *seen);
/** A cell as a score: as es_table_number, without what stands around it; words and dashes for a
 *  missing one are NaN, infinities ES_EFORMAT. Counts cells with more than a number in `seen`. */
es_status es_score_cells_number(const es_table *table, size_t row, size_t column, double *out,
                                bool *percent, es_score_cells *seen, es_error *err);
/** Adds a sentence about `seen` to the remark, if there are any, after the file's `label` (NULL:
 *  the scores' own). ES_ENOMEM. */
es_status es_score_cells_remark(const es_score_cells *seen, const char *label, es_scores *scores,
                                es_error *err);
/** Makes percentages and fractions of one column alike: value (n) at `stride`, those that are
 *  `percent` (as value) are divided by 100 if the others are all within -1 and 1. */
void es_score_cells_mix(double *value, const bool *percent, size_t n, size_t stride);

#endif
