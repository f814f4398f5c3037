/* What JSON documents have in common: how each starts, and what many of them hold. */
#ifndef ES_CLI_DOCUMENT_JSON_H
#define ES_CLI_DOCUMENT_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "rank_report.h"
#include "table_out.h"

#include "embedscope/correlate.h"
#include "json.h"
#include "results.h"
#include "session.h"

/** Opens the document's object and writes "embedscope", "$schema" (urn:embedscope:schema:NAME:1;
 *  NULL: none; the number rises when a field goes or changes its meaning) and "provenance":
 * estimator, preset, every setting in force, seed, digests of the row set and of each embedder,
 * BLAS core, threads, CPU. session NULL: a document about this machine. Close with es_document_end.
 */
void es_document_begin(es_json *json, const char *schema, const es_cli *cli, es_session *session,
                       size_t entry);
/** What the numbers of a session depend on, from its estimator to the digests, into the object that
 *  is open. */
void es_document_origin(es_json *json, const es_cli *cli, es_session *session, size_t entry);
void es_document_end(es_json *json);

/** A whole number; SIZE_MAX becomes null. */
void es_document_count(es_json *json, const char *key, size_t value);

/** Rows of numbers and of names; at (n): which names, NULL: the first n. */
void es_document_numbers(es_json *json, const char *key, const double *values, size_t n);
void es_document_names(es_json *json, const char *key, const char *const *names, const uint32_t *at,
                       size_t n);
/** [low, high]. */
void es_document_range(es_json *json, const char *key, double low, double high);
/** Why there is no interval (`low` NaN) beside a coefficient of n embedders, static; NULL: there is
 * one, or no coefficient. */
const char *es_document_range_why(const es_stat *value, double low, size_t n);
/** The same as "ci_reason". */
void es_document_range_reason(es_json *json, const es_stat *value, double low, size_t n);

/** An embedder's name in a table: a reader sees it with its mark where it is derived. */
void es_document_name(es_table_out *table, const es_results *results, size_t model);

/** es_table_out_json of a table that is freed. */
void es_document_table(es_json *json, const char *key, es_table_out *table);

/** "aggregate", "include_self", "leave_family_out": how scores were made. */
void es_document_scoring(es_json *json, const es_rank_report *report);

/** An object of the estimator and preset of results, and how many of the pairs that the report
 *  looks at are known; null: there are none, or it is a finished matrix. */
void es_document_by(es_json *json, const char *key, const es_rank_report *report,
                    const es_results *by);
/** "communities_by": the estimator and preset whose communities are shown; null: none are, or it is
 *  not known. report NULL: there is none. */
void es_document_grouped(es_json *json, const es_rank_report *report);
/** "published_by": the estimator and preset whose medians stand under `published`; null: nobody's.
 */
void es_document_published(es_json *json, const es_rank_report *report);

/** "derived_left_out": names of the derived embedders that neither vote nor rank. */
void es_document_derived(es_json *json, es_session *session);

/** The embedders of the pool that are left out, each with its reason, into an array. */
void es_document_exclusions(es_json *json, es_session *session);
/** "excluded": the same as an array of its own. */
void es_document_excluded(es_json *json, es_session *session);

#endif
