/* What every JSON document starts with. */
#ifndef ES_CLI_DOCUMENT_H
#define ES_CLI_DOCUMENT_H

#include <stddef.h>

#include "command.h"

#include "json.h"
#include "embedscope/session.h"

/** Opens the document's object and writes "embedscope" and "provenance": estimator, preset, every
 *  setting in force, seed, digests of the row set and of each embedder, BLAS core, threads, CPU.
 *  session NULL: a document about this machine. Close with es_document_end. */
void es_document_begin(es_json *json, const es_cli *cli, es_session *session, size_t entry);
void es_document_end(es_json *json);

/** A whole number; SIZE_MAX becomes null. */
void es_document_count(es_json *json, const char *key, size_t value);

/** "excluded": the embedders of the pool that are left out, each with its reason. */
void es_document_excluded(es_json *json, es_session *session);

#endif
