/* Manual pages, made from the tables that the program itself runs on, while it is built:
 *
 *   print_page.c    the program: which page is asked for
 *   man_program.c   embedscope(1): commands, options, estimators, keys
 *   man_formats.c   embedscope-pool(5) and embedscope-theme(5)
 *   key_tables.c    the explorer's keys, a part of embedscope(1)
 *   roff.c          text in the mdoc language
 *
 * A part of the build, not of the program. Beside it lie the completions of three shells, which ask
 * the program (`embedscope names line`). */
#ifndef ES_PAGES_PAGES_H
#define ES_PAGES_PAGES_H

#include "buf.h"

void es_page_program(const char *date, es_buf *out);
void es_page_keys(es_buf *out);
void es_page_pool(const char *date, es_buf *out);
void es_page_theme(const char *date, es_buf *out);

#endif
