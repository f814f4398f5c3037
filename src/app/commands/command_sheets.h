/* Opening sheets, for commands of other views. */
#ifndef ES_APP_COMMAND_SHEETS_H
#define ES_APP_COMMAND_SHEETS_H

#include "app_state.h"

/** Goes to the sheet of an analysis, or says what it lacks. of: as for es_sheets_show. */
void es_sheet_open(es_app *app, const char *id, const char *of);

#endif
