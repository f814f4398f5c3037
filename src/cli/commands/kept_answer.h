/* Answers that are kept from process to process. */
#ifndef ES_KEPT_ANSWER_H
#define ES_KEPT_ANSWER_H

#include "cli_context.h"
#include "io_files.h"

/** Where the answer to a command is kept, and what its files were when this was made. */
typedef struct es_kept_answer es_kept_answer;

/** Looks at everything that the answer depends on; typed: a digest of the command line. *out NULL:
 *  the answer is not to be kept, or a file was changed within seconds. O(files of the pool).
 *  ES_ENOMEM. */
es_status es_kept_answer_new(const es_cli *cli, es_digest typed, es_kept_answer **out,
                             es_error *err);
void es_kept_answer_free(es_kept_answer *place); /* NULL is allowed */

/** Appends what was written to stderr and stdout when everything was the same. False: that is not
 *  known. */
bool es_kept_answer_find(const es_kept_answer *place, es_buf *notes, es_buf *document);
/** Keeps an answer that was made after es_kept_answer_new, if it can. */
void es_kept_answer_put(const es_kept_answer *place, const es_written *written);

#endif
