/* What :paths and :doctor show. */
#ifndef ES_TUI_ABOUT_H
#define ES_TUI_ABOUT_H

#include "driver_state.h"

void es_about_paths(es_driver *driver);
void es_about_doctor(es_driver *driver);

#endif
