/* Texts of the note overlay; NULL: out of memory. */
#ifndef ES_APP_NOTES_H
#define ES_APP_NOTES_H

#include "app_state.h"

/** Facts of an embedder: file, shape, rows, norms, and why it is excluded. */
char *es_note_model(const es_app *app, size_t item);
/** Why an embedder stands where it does in the ranking; whole: and what the ranking comes to. */
char *es_note_rank(const es_app *app, size_t item, bool whole);
/** Why a pair is not known that is not at work, and what to press. */
const char *es_note_why_pending(const es_app *app);
char *es_note_cell(const es_app *app, size_t source, size_t target);

#endif
