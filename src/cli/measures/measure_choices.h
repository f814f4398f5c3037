/* Measures that the user names: found, computed, waited for. */
#ifndef ES_CLI_MEASURE_CLI_H
#define ES_CLI_MEASURE_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

#include "measuring.h"

/** One measure that was asked for, for one label column. */
typedef struct es_choice {
    size_t entry;
    const es_measured *measured;
    size_t field;   /* SIZE_MAX: all of them */
    char label[96]; /* of a sweep: "preprocess=none"; "": of none */
} es_choice;

typedef struct es_choices {
    es_choice *item;
    size_t count, pairwise;
} es_choices;

/** Opens the pool with workers and waits until it is checked; with_pmi: per-row values of stored
 * pairs too. --set is left to the measures. */
es_status es_measure_open(es_cli *cli, bool with_pmi, es_session **out, es_error *err);

/** "evalrank,smoothness.loss-1": each name once a label column (only that of --task, where it is
 *  given), and once every combination of --sweep; "all": every embedder measure that the pool has
 * data for. What is missing is computed, unless the command only shows. A setting that no measure
 * knows is a usage error. */
es_status es_measure_choose(es_cli *cli, es_session *session, const char *names, es_choices *out,
                            es_error *err);
void es_choices_deinit(es_choices *choices); /* all zero bytes is allowed */

/** Computes what is missing of the choices; ES_ECANCELED after Ctrl-C, with what is done kept. Sets
 * the exit code when some failed. For a sheet nothing is computed: choices without a stored value
 * are taken out, with a note. */
es_status es_measure_compute(es_cli *cli, es_session *session, es_choices *choices, es_error *err);

/** "evalrank", "evalrank.hits1", "smoothness:topic.loss-1", "evalrank[preprocess=none]"; written to
 *  out. */
const char *es_choice_name(const es_choice *choice, size_t field, char *out, size_t capacity);

#endif
