/* A line being typed. */
#ifndef ES_APP_LINE_EDIT_H
#define ES_APP_LINE_EDIT_H

#include "view_settings.h"

typedef struct es_line {
    char text[ES_APP_LINE];
    size_t length, cursor; /* bytes */
} es_line;

bool es_line_key(es_line *line, uint32_t key); /* editing keys; false: not one */
void es_line_set(es_line *line, const char *text);
/** At the cursor; what has no room is left out. */
void es_line_insert(es_line *line, const char *bytes, size_t count);

#endif
