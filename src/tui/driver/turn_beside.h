/* The pool is opened once more in a thread of its own: text is gone through to know its rows, and
 * keys do not wait for that. */
#ifndef ES_TUI_TURN_BESIDE_H
#define ES_TUI_TURN_BESIDE_H

#include "explorer.h"

typedef struct es_turn_beside es_turn_beside;

/** Begins turn->open(rows); ES_ENOMEM where there can be no thread. */
es_status es_turn_beside_new(const es_explorer_turn *turn, size_t rows, es_turn_beside **out,
                             es_error *err);
/** A descriptor that ends when it is open, or cannot be opened. */
int es_turn_beside_fd(const es_turn_beside *beside);
bool es_turn_beside_done(const es_turn_beside *beside);
/** What came of it, once it is done: *session or an error; *beside is freed. */
es_status es_turn_beside_take(es_turn_beside **beside, struct es_session **session, es_error *err);
/** Not wanted any more: interrupted, waited for, and closed. */
void es_turn_beside_free(es_turn_beside *beside);

#endif
