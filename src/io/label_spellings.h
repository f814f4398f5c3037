/* One number spelled in several ways in a column of labels.csv: "1", "1.0", "+1" and "01" are one
 * class. */
#ifndef ES_IO_LABEL_SPELLINGS_H
#define ES_IO_LABEL_SPELLINGS_H

#include <stddef.h>

#include "table.h"
#include "embedscope/status.h"

/** text (rows of the table), a column's cells, all numbers or empty: equal ones get one spelling,
 *  the shortest there is. Whole numbers beyond 2^53 are not told from others and keep theirs.
 *  *respelled: numbers with several spellings; two of the least one go to `one` and `other`,
 *  borrowed. */
es_status es_label_spellings_unite(const es_table *t, const char **text, size_t *respelled,
                                   const char **one, const char **other, es_error *err);

#endif
