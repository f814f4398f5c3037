/* What is copied, as text. */
#ifndef ES_APP_COPY_H
#define ES_APP_COPY_H

#include "app_state.h"

typedef enum es_copy_form {
    ES_COPY_TSV,
    ES_COPY_MARKDOWN,
    ES_COPY_LATEX,
    ES_COPY_JSON
} es_copy_form;
/** The table on screen (marked rows if any, or the row under the cursor only); NULL: out of memory.
 */
char *es_copy_table(const es_app *app, es_copy_form form, bool row);
char *es_copy_cell(const es_app *app);

#endif
