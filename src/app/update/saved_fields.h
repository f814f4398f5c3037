/* The settings that a kept session holds, one row of a table each (saved_fields.c). */
#ifndef ES_APP_STATE_FIELDS_H
#define ES_APP_STATE_FIELDS_H

#include "base.h"
#include "history.h"

/** What a text is written from or read into. Embedders are numbers in it: places in the list of
 *  names that the text begins with. */
typedef struct es_state_place {
    const es_app *app;
    es_snapshot *shot;
    const size_t *item; /* (items) item of each number, ES_NONE when it is gone */
    size_t items;
    bool uncompared; /* one that was compared is gone */
} es_state_place;

extern const size_t es_state_field_count;
const char *es_state_field_name(size_t field);
size_t es_state_field_find(const char *name); /* ES_NONE: there is none */
void es_state_field_put(size_t field, const es_state_place *place, es_buf *out);
/** False: not what such a field looks like. Names that are gone are skipped. `text` is cut up.
 */
bool es_state_field_get(size_t field, es_state_place *place, char *text);

/** A whole number from low to high that fills the text. */
bool es_state_number(const char *text, long low, long high, long *out);
/** The next part of *rest, up to a separator; NULL at the end. */
char *es_state_part(char **rest, char separator);

#endif
