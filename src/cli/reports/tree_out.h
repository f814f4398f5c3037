/* Families of embedders as documents: communities, or a dendrogram. */
#ifndef ES_CLI_TREE_OUT_H
#define ES_CLI_TREE_OUT_H

#include <stddef.h>

#include "command.h"

#include "session.h"

/** Plan entry `entry` as --method and its options ask. */
es_status es_tree_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                        es_error *err);

/** The two kinds of tree. es_communities_write refuses an estimator of errors (exit code 2). */
es_status es_communities_write(es_cli *cli, es_session *session, size_t entry,
                               es_output_format format, es_error *err);
es_status es_dendrogram_write(es_cli *cli, es_session *session, size_t entry,
                              es_output_format format, es_error *err);

#endif
