/* What becomes of each file of a pool, as `embedscope info` lists it. */
#ifndef ES_CLI_INFO_FILES_H
#define ES_CLI_INFO_FILES_H

#include <stddef.h>

#include "buf.h"
#include "pool.h"

/** Writes a row for each file of embeddings, used or not, and for each file that is none: what it
 *  is used as, or why not and what helps. Texts are filled to `width` columns (0: no limit), lines
 *  to paste are kept whole. Writes nothing where all are used. */
void es_info_files_put(const es_pool *pool, size_t width, es_buf *out);

/** Writes "TITLE: TEXT" with the lines to paste in it on lines of their own. */
void es_info_note_put(const char *title, const char *text, size_t width, es_buf *out);

#endif
