/* Corr's tasks by category and size, and what communities reach downstream, as `embedscope
 * correlate` sums them up (task_kinds.h). Intervals come by and by. */
#ifndef ES_APP_KINDS_H
#define ES_APP_KINDS_H

#include "app_state.h"
#include "correlation_set.h"
#include "task_kinds.h"

struct es_kinds {
    size_t n;
    uint64_t stamp;               /* of what it was made from */
    es_task_kinds *found;         /* NULL: nothing yet */
    es_correlation_report *tasks; /* scratch of the set */
    size_t *all;                  /* (n) 0, 1, ... */
    uint32_t *community;          /* (n) */
    es_correlator *work;
    size_t settled; /* categories with intervals */
    size_t at;      /* line under the cursor */
};

void es_kinds_update(es_app *app, bool idle);
double es_kinds_deadline(const es_app *app);
void es_kinds_forget(es_app *app);

#endif
