/* The driver's theme: the first one, another one, and the one whose file is being edited. */
#ifndef ES_TUI_DRIVER_THEME_H
#define ES_TUI_DRIVER_THEME_H

#include "driver_state.h"

/** Load the theme that the options name, which must be right; else the default, or the built-in one
 *  where no file of ours is to be found. */
es_status es_driver_first_theme(es_driver *driver, es_error *err);
/** Begin with the default for a light background. */
void es_driver_light(es_driver *driver);
/** Draw with driver->theme from now on, and the colour map that the app has. */
void es_driver_show_theme(es_driver *driver);
/** The same, if the app has another map than is drawn with. */
void es_driver_follow_colours(es_driver *driver);
/** Tell the app which themes there are and which one is in use. */
void es_driver_list_themes(es_driver *driver);
/** Take another one by its name; one that cannot be read changes nothing. quiet: without a word
 *  when all is well. */
void es_driver_change_theme(es_driver *driver, const char *name, bool quiet);
/** While the list of themes is open, the screen follows the file of the selected one, and of those
 *  it inherits from: to be called at driver->theme_look, and after keys. A file that is not right
 *  is named with its line, once, and what is shown stays. */
void es_driver_watch_theme(es_driver *driver, double now);

#endif
