/* A correlation as a document. */
#ifndef ES_CLI_CORRELATE_OUT_H
#define ES_CLI_CORRELATE_OUT_H

#include <stddef.h>

#include "command.h"
#include "correlation_view.h"
#include "join_names.h"
#include "json.h"

es_status es_correlation_write(es_cli *cli, const es_correlation_view *view,
                               es_output_format format, es_error *err);

/** The object of one column of a set, a task or what sums them up; name: of the embedders as they
 *  were scored. */
void es_correlation_task_json(es_json *json, const char *key, const es_correlation_set *set,
                              const char *const *name, size_t column);
/** "unmatched", and "proposals" of whom they may be. */
void es_correlation_unmatched_json(es_json *json, const es_join *join);

#endif
