/* What is copied, as text. */
#ifndef ES_APP_COPY_H
#define ES_APP_COPY_H

#include "app_state.h"
#include "base.h"

/** The table on screen (marked rows if any, or the row under the cursor only); NULL: out of memory.
 */
char *es_copy_table(const es_app *app, es_copy_form form, bool row);
char *es_copy_cell(const es_app *app);
/** Appends a text escaped for the form: markdown, TeX, CSV, ... */
void es_copy_escaped(es_buf *out, es_copy_form form, const char *text);

#endif
