/* Changes of the matrix that are not a command alone. */
#ifndef ES_APP_COMMAND_VIEW_H
#define ES_APP_COMMAND_VIEW_H

#include "app_state.h"

/** Digits in the cells: one step for what shows them, cells as large as they need. */
void es_digits_show(es_app *app, bool on);

#endif
