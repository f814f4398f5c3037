/* What Corr knows of a task, in words. */
#ifndef ES_APP_CORR_NOTE_H
#define ES_APP_CORR_NOTE_H

#include "app_state.h"

char *es_corr_note(const es_app *app); /* NULL: out of memory */

#endif
