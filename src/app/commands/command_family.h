/* Naming families: which embedders are meant, and what is asked before a file is written. */
#ifndef ES_APP_COMMAND_FAMILY_H
#define ES_APP_COMMAND_FAMILY_H

#include "app_state.h"

enum { ES_FAMILY_QUESTION = 512 };

/** Lists the marked embedders, or the one under the cursor. item: (app->n). Returns their number.
 */
size_t es_family_items(const es_app *app, size_t *item);
/** Writes "Write families.csv in POOL: 3 embedders become family bge?" for es_app.family. */
void es_family_question(const es_app *app, char *out, size_t capacity);
/** Returns number `index` of the families that are named, then "control"; NULL after the last. */
const char *es_family_known(const es_app *app, size_t index);

#endif
