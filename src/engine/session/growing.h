/* Samples of rows that grow until a ranking has settled (es_row_request, ES_ROWS_AUTO): what was
 * found at each size is kept in the store, so that whoever shows the results can say it. */
#ifndef ES_ENGINE_GROWING_H
#define ES_ENGINE_GROWING_H

#include "growth.h"
#include "session.h"

/** Why no larger sample was taken. */
typedef enum es_growth_end {
    ES_GROWTH_ON,      /* one is taken, or the run was interrupted */
    ES_GROWTH_SETTLED, /* it is expected to agree with all rows (ES_GROWTH_ENOUGH) */
    ES_GROWTH_SETS,    /* who may be the best, and who is worse, was the same three times */
    ES_GROWTH_ALL,     /* these are all rows */
    ES_GROWTH_TIME     /* time was up */
} es_growth_end;

#define ES_GROWTH_ENOUGH 0.95

/** Of one sample. */
typedef struct es_growth_record {
    size_t rows, of;
    es_growth growth;
    es_growth_end end;
} es_growth_record;

/** Of the sample in use, by the plan's first entry. Nothing without a store. Errors as
 *  es_store_put; ES_EINVAL: the session is not checked. */
es_status es_session_growth_put(es_session *session, const es_growth_record *record, es_error *err);
/** Of all samples up to the one in use, smallest first, es_free: of the same embedders. Empty where
 *  all rows are in use or nothing was kept. */
es_status es_session_growth_list(es_session *session, es_growth_record **out, size_t *count,
                                 es_error *err);

#endif
