/* Several data sets, open together: each was estimated by itself. */
#ifndef ES_CLI_SETS_OPEN_H
#define ES_CLI_SETS_OPEN_H

#include "command.h"
#include "correlation_set.h"
#include "data_list.h"
#include "data_sets.h"
#include "json.h"
#include "rank_report.h"
#include "session.h"
#include "table_out.h"

typedef struct es_open_set {
    size_t entry; /* of the list */
    es_session *session;
    es_rank_report *report;
} es_open_set;

typedef struct es_open_sets {
    es_data_list list;
    size_t count;                  /* with results */
    es_open_set *set;              /* (count) */
    const es_rank_report **report; /* (count) */
    const char **name;             /* (count) of the list */
    es_words missing, why;         /* names of those without results, and what is to be done */
    es_data_sets *all;             /* put together */
    es_out_column *column;         /* of the table */
} es_open_sets;

/** Opens what the command line names, and puts it together; an export borrows *out until it is
 *  written. A data set of which nothing is stored
 *  is left out with a note, and the exit code is 1; with --strict it is an error. */
es_status es_open_sets_new(es_cli *cli, es_open_sets *out, es_error *err);
void es_open_sets_deinit(es_open_sets *sets);

/** The array "pools": each with what its numbers depend on, its ranking and who is left out of it;
 *  and "left_out", the pools without results. */
void es_open_sets_json(const es_cli *cli, const es_open_sets *sets, es_json *json);
/** Which are missing, as a sentence; nothing where none is. */
void es_open_sets_say_missing(const es_open_sets *sets, es_buf *out);

#endif
