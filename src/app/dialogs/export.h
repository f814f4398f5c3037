/* Exports: what e asks, and the command line that writes it. The explorer writes no export itself:
 * it runs the command that the dialog shows, `embedscope export POOL VIEW ... -o FILE`, in a
 * thread, so that both give the same bytes.
 *
 *   export.c     what is asked for, and the command line made of it and of what is on the screen
 *   export_dialog.c  the dialog's keys, :export, E */
#ifndef ES_APP_EXPORT_H
#define ES_APP_EXPORT_H

#include "app_state.h"
#include "base.h"

/** Which embedders are written. */
typedef struct es_export_choice {
    size_t shown, of; /* of those with results */
    bool marked;      /* the marked ones; else those neither hidden nor filtered out */
} es_export_choice;

extern const char es_export_keys[ES_EXPORT_FORMS];    /* "lmcjJnspgh" */
const char *es_export_view_name(es_export_view view); /* as after `export POOL` */
/** Returns the export of this name, of the command line or of a view; ES_EXPORT_VIEWS: none. */
es_export_view es_export_view_find(const char *name, size_t length);
const char *es_export_form_name(es_export_form form);  /* the file's ending */
const char *es_export_form_title(es_export_form form); /* "LaTeX" */
es_export_form es_export_form_of(const char *file);    /* by its ending; ES_EXPORT_FORMS: none */
bool es_export_is_picture(es_export_form form);
/** Returns the export that e offers in the shown view. */
es_export_view es_export_of_view(const es_app *app);
/** Why a view has no such file, a few words; NULL where it has one. */
const char *es_export_form_refusal(const es_app *app, es_export_view view, es_export_form form);

/** Returns true for the views of a table of scores. */
bool es_export_is_of_board(es_export_view view);
/** Why nothing can be exported now, a few words; NULL when it can. */
const char *es_export_refusal(const es_app *app);
/** The same of one view. */
const char *es_export_view_refusal(const es_app *app, es_export_view view);
/** True if the export is of all embedders, whichever are chosen. */
bool es_export_is_of_all(es_export_view view);
/** A choice cuts what is drawn; coefficients stay those over all. */
bool es_export_counts_all(es_export_view view);

/** The file's name: */
void es_export_name(const es_app *app,
                    es_export_request *request); /* "ranking.tex", unless one was typed */
es_export_choice es_export_choose(const es_app *app, const es_export_request *request);
/** Writes what of the screen the file will not show; "" for nothing. */
void es_export_remark(const es_app *app, const es_export_request *request, char *out,
                      size_t capacity);
/** The command line; ES_ENOMEM leaves *out empty. */
es_status es_export_words(const es_app *app, const es_export_request *request, es_words *out);
/** Returns the export's command line, quoted for a shell. Free with es_free; NULL: out of memory.
 */
char *es_export_text(const es_app *app, const es_export_request *request);

#endif
