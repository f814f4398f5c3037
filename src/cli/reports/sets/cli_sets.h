/* Documents of several data sets. */
#ifndef ES_CLI_SETS_H
#define ES_CLI_SETS_H

#include "cli_context.h"
#include "report.h"

/* How far several data sets are apart, and whether near ones rank embedders alike. */

/** Every two data sets of the command line: the distance of their queries' answers and that of
 *  their plain rows (core_methods.h), each the mean over the embedders that all data sets hold,
 *  beside Kendall's tau of their rankings, and the correlation of the two over all pairs of data
 *  sets (RetMMD, Figure 6). Without queries, of rows alone. */
es_status es_sets_distance(es_cli *cli, es_error *err);

/* Several data sets, open together: each was estimated by itself. */

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
/** Closes the data sets and frees what was put together. */
void es_open_sets_deinit(es_open_sets *sets);

/** The array "pools": each with what its numbers depend on, its ranking and who is left out of it;
 *  and "left_out", the pools without results. */
void es_open_sets_json(const es_cli *cli, const es_open_sets *sets, es_json *json);
/** Writes which data sets are missing, as a sentence; nothing if none is. */
void es_open_sets_say_missing(const es_open_sets *sets, es_buf *out);

/* `rank POOL1 POOL2 ...` and `correlate POOL1 POOL2 ...`: several data sets at once. */

/** Writes one ranking over the named pools, from what each has stored. */
es_status es_sets_rank(es_cli *cli, es_error *err);
/** Which data set's ranking goes with which task of --scores. */
es_status es_sets_correlate(es_cli *cli, es_error *err);

/** The array "ranking": of the combination, with each embedder's place in every data set. */
void es_sets_ranking_json(const es_open_sets *sets, es_json *json);

#endif
