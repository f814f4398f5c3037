/* A session opened in a thread of its own: text is gone through to know its rows, and nobody waits
 * for that. */
#ifndef ES_ENGINE_OPEN_BESIDE_H
#define ES_ENGINE_OPEN_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "run.h"
#include "embedscope/status.h"

struct es_session;

/** Opens, on so many rows where that is a choice; run is told how far, and asked. */
typedef es_status es_opener(void *context, size_t rows, es_run *run, struct es_session **out,
                            es_error *err);
typedef struct es_open_beside es_open_beside;

/** Begins open(context, rows), under the locale of who asks. ES_ENOMEM, ES_EIO: there can be no
 * thread, or no descriptor. */
es_status es_open_beside_new(es_opener *open, void *context, size_t rows, es_open_beside **out,
                             es_error *err);
/** How far it is, and by which it is called off. */
es_run *es_open_beside_run(es_open_beside *beside);
/** A descriptor that ends when it is open, or cannot be opened. */
int es_open_beside_fd(const es_open_beside *beside);
/** So many seconds are waited for it at most. */
bool es_open_beside_done(const es_open_beside *beside, double seconds);
/** What came of it, waited for: *session or an error; *beside is freed. */
es_status es_open_beside_take(es_open_beside **beside, struct es_session **session, es_error *err);
/** Not wanted any more: interrupted, waited for, and closed. */
void es_open_beside_free(es_open_beside *beside);

#endif
