/* What can be found out before ncurses starts: locale, names to try, 24-bit colour. Also used by
 * doctor, which shows it without taking the terminal. */
#ifndef ES_TUI_TERM_SETUP_H
#define ES_TUI_TERM_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include "colour.h"

/** Set the locale from the environment, with '.' as decimal point. When the one asked for is not
 *  installed and was to be UTF-8, C.UTF-8 takes its place. False: only ASCII can be shown.
 *  *about: "UTF-8", "UTF-8 (C.UTF-8; en_US.UTF-8 is not installed)", "ASCII (locale C)". */
bool es_setup_locale(char about[96]);

/** The terminal names to try for $TERM, best first: itself, then a near relative where the host
 * does not know it (xterm-kitty on a server). Returns how many; 0: TERM is empty or dumb. */
size_t es_setup_terms(const char *term, const char *names[3]);

typedef enum es_asks {
    ES_ASK_NOTHING,
    ES_ASK_ABOUT_SYNC, /* inside tmux, whose colours are not those of the window around it */
    ES_ASK_ALL
} es_asks;
/** What a terminal of this name may be asked: relatives of xterm answer, or keep silent; what
 * others make of a question is not known. */
es_asks es_setup_asks(const char *term);

/** Name of our 24-bit entry for this terminal; NULL when it is not installed or there is none for
 *  its family. `dir` (ES_THEME_PATH bytes) receives where it lies. */
const char *es_setup_rgb_entry(const char *term, char *dir);

/** Facts from the environment (strings stay owned by it; tmux's go to `features`). `colors` and
 *  `rgb_entry` are left to the caller. */
es_depth_facts es_setup_facts(const char *option, char features[256]);

#endif
