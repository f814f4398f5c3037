/* The export dialog, and what became of an export. */
#ifndef ES_APP_EXPORT_DIALOG_H
#define ES_APP_EXPORT_DIALOG_H

#include "app_state.h"

void es_export_open(es_app *app, es_export_view view);
void es_export_key(es_app *app, uint32_t key, es_effects *effects);
void es_export_paste(es_app *app, const char *text);
void es_export_write(es_app *app, bool over, es_effects *effects); /* what app->export.now wants */
void es_export_free(es_app *app);

/** How command lines of exports begin, a view each: "embedscope" "export" POOL VIEW and the options
 *  that this pool was opened with. Borrowed; each ends with NULL, or is NULL. */
void es_app_exporter(es_app *app, const char *const *const base[ES_EXPORT_VIEWS]);
/** For ES_FX_EXPORT: the words, ended by NULL, and the file they name; until the next message. */
const char *const *es_app_export(const es_app *app);
const char *es_app_export_file(const es_app *app);
/** Report what became of the export: the file exists and the user is asked; it is being written; it
 * is over, `path` is the whole path of what was written (NULL: as it was named), `problem` says
 * what went wrong. */
void es_app_export_exists(es_app *app);
void es_app_export_begun(es_app *app);
void es_app_export_done(es_app *app, double now, es_status status, const char *path,
                        const char *problem);

#endif
