/* Names of embedders in fields that are too narrow for them: cut so that no two read the same
 * (base.h), and kept so for the widths of a frame. */
#ifndef ES_TUI_SHOWN_NAMES_H
#define ES_TUI_SHOWN_NAMES_H

#include "base.h"

typedef struct es_shown_names es_shown_names;
typedef enum es_shown_kind { ES_SHOWN_COLUMNS, ES_SHOWN_ASCII } es_shown_kind;

/** The names that are distinguished from now on, into *names, which is NULL at first; copied when
 * they have changed. Out of memory: NULL, and names are cut as any text. name(context, i): 0 <= i <
 * n.
 */
void es_shown_names_set(es_shown_names **names, size_t n,
                        const char *(*name)(const void *context, size_t i), const void *context);
/** Is it one of the names (NULL: there are none), what is shown of it in the room of `w` by a ruler
 *  that is the same for all of one kind and room; else NULL. */
const char *es_shown_name(es_shown_names *names, const char *utf8, int w, es_shown_kind kind,
                          const es_ruler *ruler);
void es_shown_names_free(es_shown_names *names); /* NULL is allowed */

#endif
