/* What makes the pool be opened again. */
#ifndef ES_TUI_DRIVER_REOPEN_H
#define ES_TUI_DRIVER_REOPEN_H

#include "driver_state.h"

/** An export is written: what waited for that is done. */
void es_driver_turn(es_driver *driver);
/** Begin to make an embedder out of another one: "whiten 64", or "concat NAME". */
void es_driver_derive(es_driver *driver, size_t item, const char *way);
/** Removes a derived embedder, so that it can be brought back. */
void es_driver_remove(es_driver *driver, size_t item);
/** Undoes or redoes what was derived and removed: so many edits are to stand. */
void es_driver_edits(es_driver *driver, size_t number);
/** A derived embedder may be ready: it is taken in when nothing is lost by it. */
void es_driver_look_for_derived(es_driver *driver);
void es_driver_take_grown(es_driver *driver);
/** A file of scores, another pool, as typed; what cannot be read is said now. */
void es_driver_take_scores(es_driver *driver, const char *typed);
void es_driver_take_pool(es_driver *driver, const char *typed);
/** Writes families.csv of the pool: es_family_items are of this family, or of none (""). */
void es_driver_name_family(es_driver *driver, const char *family);
/** Another of the data sets; the pool's folders as data sets. */
void es_driver_take_set(es_driver *driver, size_t set);
void es_driver_take_folders(es_driver *driver);
/** Another plan, whose run begins then. */
void es_driver_take_plan(es_driver *driver, const char *plan);

#endif
