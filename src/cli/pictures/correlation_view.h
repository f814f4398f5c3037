/* What a correlation was computed from, for its document and its picture. */
#ifndef ES_CLI_CORRELATION_VIEW_H
#define ES_CLI_CORRELATION_VIEW_H

#include <stddef.h>

#include "correlation_set.h"
#include "join_names.h"
#include "measure_choices.h"
#include "task_kinds.h"

#include "session.h"

/** What was computed, from what. session NULL: a ranking from a file. */
typedef struct es_correlation_view {
    es_session *session;
    size_t entry;
    const es_scored *scored;
    const es_choice *measure;     /* the score in place of information sufficiency; or NULL */
    const es_rank_report *report; /* NULL: a measure, or a ranking from a file */
    const es_join *join;
    const es_correlation_set *set;
    const es_task_kinds *kinds;
    es_correlate_options options; /* in force */
} es_correlation_view;

#endif
