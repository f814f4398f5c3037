/* A measure in place of information sufficiency: --score NAME[.FIELD] of rank and correlate. */
#ifndef ES_CLI_SCORE_CLI_H
#define ES_CLI_SCORE_CLI_H

#include "measure_choices.h"

#include "buf.h"
#include "json.h"

/** Opens the pool and computes what is missing of the one measure that --score names; release the
 *  choices with es_choices_deinit and close the session, also after an error. Usage errors: a
 *  matrix or a ranking from a file, several measures, several label columns without --task. */
es_status es_score_open(es_cli *cli, es_session **session, es_choices *choices, es_error *err);

/** Field of the score that a choice stands for. */
size_t es_score_field(const es_choice *choice);

/** "measure": what the score is, for a document. */
void es_score_document(es_json *json, const es_choice *choice);
/** The same in a line below a table. */
void es_score_caption(const es_choice *choice, es_buf *out);

/** `rank --score`: best first, with the measure's own intervals. */
es_status es_score_rank(es_cli *cli, es_error *err);

#endif
