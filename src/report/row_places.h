/* The same rows on the maps of one or two embedders, in groups: by a column of labels.csv or
 * rows.csv, or by which of the two captures them. */
#ifndef ES_REPORT_ROW_PLACES_H
#define ES_REPORT_ROW_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "core_structure.h"
#include "engine_requests.h"
#include "engine_session.h"
#include "base.h"

enum {
    ES_PLACES_MOST = 2,
    ES_PLACES_GROUPS = 8 /* the last then is "others" */,
    ES_PLACES_VALUES = 64 /* a column of rows.csv with more is no column of groups */
};
extern const char *const es_places_captured; /* what `by` is for the difference of two embedders */
extern const char *const es_places_plain;    /* and where rows are in no groups */

typedef struct es_row_places {
    size_t count;                 /* embedders, 1 or 2 */
    size_t model[ES_PLACES_MOST]; /* positions in the session's results */
    es_row_map map[ES_PLACES_MOST];
    size_t n, of;       /* rows drawn, of so many */
    bool evaluated;     /* `of` counts the rows that have values per row, not all */
    uint32_t *row;      /* (n) of the row set */
    char *by;           /* what the groups are of; NULL: there are none */
    es_words group;     /* their names */
    uint32_t *group_of; /* (n) UINT32_MAX: of none */
    es_words column;    /* what `by` could be here, es_places_plain last */
    double *difference; /* (n) of `captured`: values per row, first less second, of errors second
                           less first; NULL: none */
    bool errors;        /* they are */
} es_row_places;

/** Which rows are drawn, and in which groups. */
typedef struct es_places_asked {
    const char *by; /* es_places_captured, es_places_plain, a column of labels.csv or rows.csv, or
                       NULL: what there is, in this order: captured, the first label column of
                       classes, the column `set` */
    const bool *where; /* (rows of the row set) only these, es_row_where_new; NULL: all */
    size_t most;       /* rows, a seeded sample; 0: all */
    uint64_t seed;
} es_places_asked;

/** Places rows of one or two embedders. entry: of the plan, whose values per row are taken;
 * SIZE_MAX: none. ES_ENOTFOUND: there is no such column; ES_EEMPTY: no values per row are known.
 * Captured are the tenth of the rows with the largest, and that with the least difference. */
es_status es_row_places_new(es_session *session, size_t entry, const size_t *model, size_t count,
                            const es_places_asked *asked, es_row_places **out, es_error *err);
void es_row_places_free(es_row_places *places);

#endif
