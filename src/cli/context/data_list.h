/* The data sets that a command line names: several pools, the pools of a folder, the sets of rows
 * of a pool. */
#ifndef ES_CLI_DATA_LIST_H
#define ES_CLI_DATA_LIST_H

#include "command.h"

#include "words.h"

typedef struct es_data_list {
    size_t count;
    es_words path, name; /* (count) as opened; as shown, no two alike where that can be */
    es_words set;        /* (count) of rows; "": all of them */
} es_data_list;

/** ES_ENOTFOUND: --set-rows all, and a pool has no sets. A word that is no folder is a usage error
 *  where there are several. With --matrix or --ranking: none. */
es_status es_data_list_of(es_cli *cli, es_data_list *out, es_error *err);
/** The folders with embedders in this one, whatever speaks for one pool: somebody said that they
 * are other data. */
es_status es_data_list_of_folders(const char *path, es_data_list *out, es_error *err);
es_status es_data_list_copy(const es_data_list *list, es_data_list *out, es_error *err);
void es_data_list_deinit(es_data_list *list);

/** Several, or one that --set-rows or the folder named in another way: how entry `k` is opened.
 *  `path` (1) and `options` are the caller's room. */
es_cli es_data_list_open(const es_cli *cli, const es_data_list *list, size_t k, es_options *options,
                         const char *path[2]);

/** Does the command line ask for several data sets at once? */
es_status es_data_list_asked(es_cli *cli, bool *several, es_error *err);

#endif
