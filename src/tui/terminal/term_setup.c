/* What is decided before ncurses starts: the locale, the terminal names to try, our entries for
 * 24-bit colour, and what the environment says about colours. */
#include "tui_terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "engine_place.h"

/* ---- locale ---- */

static const char *env(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static const char *asked_locale(void) {
    const char *all = env("LC_ALL"), *ctype = env("LC_CTYPE"), *lang = env("LANG");
    return all ? all : ctype ? ctype : lang;
}

static bool says_utf8(const char *name) {
    const char *dot = name ? strchr(name, '.') : NULL;
    return dot && (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
}

static bool is_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool es_setup_locale(char about[96]) {
    const char *asked = asked_locale();
    char shown[40] = "C";
    if (asked)
        es_text_clean_into(shown, sizeof shown, asked, strlen(asked));
    bool known = setlocale(LC_ALL, "") != NULL;
    if (known && is_utf8()) {
        snprintf(about, 96, "UTF-8");
    } else if (!known && says_utf8(asked) && setlocale(LC_ALL, "C.UTF-8") && is_utf8()) {
        snprintf(about, 96, "UTF-8 (C.UTF-8; %s is not installed)", shown);
    } else {
        if (!known)
            setlocale(LC_ALL, "C");
        snprintf(about, 96, "ASCII (locale %s%s)", shown, known ? "" : ", not installed");
        setlocale(LC_NUMERIC, "C");
        return false;
    }
    setlocale(LC_NUMERIC, "C");
    return true;
}

/* ---- terminal names ---- */

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_like_xterm(const char *term) {
    static const char *const like[] = {"xterm", "alacritty", "foot",    "ghostty", "wezterm",
                                       "kitty", "contour",   "konsole", "vte",     "gnome"};
    for (size_t i = 0; i < sizeof like / sizeof *like; i++)
        if (starts_with(term, like[i]))
            return true;
    return false;
}

es_asks es_setup_asks(const char *term) {
    bool inside = env("TMUX") || env("STY");
    bool muxed = term && (starts_with(term, "tmux") || starts_with(term, "screen"));
    if (!term || (!muxed && !is_like_xterm(term)))
        return ES_ASK_NOTHING;
    return inside || muxed ? ES_ASK_ABOUT_SYNC : ES_ASK_ALL;
}

size_t es_setup_terms(const char *term, const char *names[3]) {
    size_t count = 0;
    if (!term || !term[0] || strcmp(term, "dumb") == 0)
        return 0;
    names[count++] = term;
    if (is_like_xterm(term)) {
        names[count++] = "xterm-256color";
        return count;
    }
    if (starts_with(term, "tmux") || starts_with(term, "screen")) {
        names[count++] = "screen-256color";
        names[count++] = "screen";
    }
    return count;
}

const char *es_setup_rgb_entry(const char *term, char *dir) {
    const char *name = "xterm-embedscope-rgb";
    if (starts_with(term, "tmux"))
        name = "tmux-embedscope-rgb";
    else if (starts_with(term, "screen"))
        name = "screen-embedscope-rgb";
    else if (starts_with(term, "linux") || starts_with(term, "vt") || starts_with(term, "rxvt"))
        return NULL;
    char *shared = NULL;
    (void)es_path_shared("terminfo", &shared, NULL);
    const char *const places[] = {shared, ES_BUILD_TERMINFO_DIR};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        char path[ES_THEME_PATH];
        int length = places[i] ? snprintf(path, sizeof path, "%s/%c/%s", places[i], name[0], name)
                               : ES_THEME_PATH;
        if (length < (int)sizeof path && access(path, R_OK) == 0) {
            snprintf(dir, ES_THEME_PATH, "%s", places[i]);
            found = name;
        }
    }
    es_free(shared);
    return found;
}

es_depth_facts es_setup_facts(const char *option, char features[256]) {
    es_depth_facts facts = {
        .option = option, .no_color = env("NO_COLOR"), .colorterm = env("COLORTERM")};
    features[0] = '\0';
    if (env("TMUX")) {
        static const char *const ask[] = {"tmux", "display-message", "-p", "#{client_termfeatures}",
                                          NULL};
        if (!es_spawn(ask, NULL, 0, features, 256, 0.3))
            features[0] = '\0';
        facts.tmux_features = features;
    }
    return facts;
}
