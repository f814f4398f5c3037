/* Texts of the note overlay; NULL: out of memory. */
#ifndef ES_APP_NOTES_H
#define ES_APP_NOTES_H

#include "app_state.h"

char *es_note_model(const es_app *app, size_t item);
char *es_note_cell(const es_app *app, size_t source, size_t target);

#endif
