/* The driver's theme: which one it begins with, changing it, and following its file while it is
 * being edited. */
#include "tui_driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LOOK = 0.4; /* seconds between two looks at the file */

void es_driver_list_themes(es_driver *driver) {
    es_words names = {0};
    driver->app->theme_dir = driver->options->theme_dir;
    if (es_theme_list(driver->options->theme_dir, &names, NULL) == ES_OK)
        es_app_themes(driver->app, &names, driver->theme.id);
    /* else out of memory: the picker stays empty */
}

/* A script has no terminal: all colours, unless --color says how many. */
static es_depth depth_of(const es_driver *driver) {
    const es_depth_facts facts = {
        .option = driver->options->color, .colorterm = "truecolor", .rgb_entry = true};
    char reason[160];
    es_depth depth = ES_DEPTH_RGB;
    if (driver->term)
        return es_term_depth(driver->term);
    (void)es_depth_choose(&facts, &depth, reason, NULL);
    return depth;
}

void es_driver_show_theme(es_driver *driver) {
    es_look *look = &driver->look;
    es_theme theme = driver->theme;
    driver->colours = driver->app->set.colours;
    es_colormap_choose(&theme, driver->colours);
    es_look_set(look, &theme, depth_of(driver));
    look->ascii = driver->ascii || (driver->term && es_term_ascii(driver->term));
    if (driver->term)
        es_term_theme(driver->term, &theme);
    driver->grid.ascii = look->ascii;
    es_app_display(driver->app, look->ascii, look->depth < ES_DEPTH_256,
                   look->depth == ES_DEPTH_MONO);
}

/* They change by a key, by undo, and with a session that is taken up. */
void es_driver_follow_colours(es_driver *driver) {
    if (driver->colours != driver->app->set.colours)
        es_driver_show_theme(driver);
}

es_status es_driver_change_theme(es_driver *driver, const es_effect *effect, es_error *err) {
    es_theme theme;
    es_error warning = {0};
    char text[ES_THEME_PATH + 80];
    ES_PASS(es_theme_load(effect->text, driver->options->theme_dir, &theme, &warning, err));
    driver->theme = theme;
    driver->theme_chosen = true;
    es_driver_show_theme(driver);
    es_driver_list_themes(driver);
    snprintf(text, sizeof text, "Theme %s, from %s", theme.name, theme.path);
    if (warning.code != ES_OK)
        es_driver_say(driver, warning.code, warning.message);
    else if (!effect->flag)
        es_driver_say(driver, ES_OK, text);
    return ES_OK;
}

es_status es_driver_first_theme(es_driver *driver, es_error *err) {
    const es_explorer *options = driver->options;
    es_error why = {0};
    if (options->theme) {
        es_status st = es_theme_load(options->theme, options->theme_dir, &driver->theme, NULL,
                                     options->theme_asked ? err : &driver->theme_missing);
        if (st == ES_OK || options->theme_asked)
            return st;
        driver->theme_chosen = false; /* a line of the configuration must not keep one out */
    }
    if (es_theme_load("default-dark", options->theme_dir, &driver->theme, NULL, &why) == ES_OK)
        return ES_OK;
    es_log_write(options->log, ES_LOG_WARN, "%s", why.message);
    return es_theme_builtin(&driver->theme, err);
}

void es_driver_light(es_driver *driver) {
    es_theme theme;
    es_error why = {0};
    if (es_theme_load("default-light", driver->options->theme_dir, &theme, NULL, &why) != ES_OK) {
        es_log_write(driver->options->log, ES_LOG_WARN, "%s", why.message);
        return;
    }
    driver->theme = theme;
    (void)snprintf(driver->app->theme_first, sizeof driver->app->theme_first, "%s", theme.id);
    es_driver_list_themes(driver);
}

/* ---- the file that is being edited ---- */

/* The selected theme's file: its name, or the path of the one in use, which need not be in a place
 * where names are looked for. */
static const char *watched(const es_driver *driver) {
    const char *selected = driver->app->theme;
    bool shown = strcmp(selected, driver->theme.id) == 0;
    return shown ? driver->theme.path : selected;
}

/* Said once, however often the file is looked at. */
static void complain(es_driver *driver, const es_error *problem) {
    if (strcmp(driver->theme_said, problem->message) == 0)
        return;
    (void)snprintf(driver->theme_said, sizeof driver->theme_said, "%s", problem->message);
    es_driver_say(driver, problem->code, problem->message);
}

/* Reads the theme's file again if it has changed. */
static void look_again(es_driver *driver) {
    es_theme theme;
    es_error err = {0}, warning = {0};
    const char *file = watched(driver);
    if (file[0] == '\0') /* built in */
        return;
    if (es_theme_load(file, driver->options->theme_dir, &theme, &warning, &err) != ES_OK) {
        complain(driver, &err);
        return;
    }
    if (warning.code != ES_OK)
        complain(driver, &warning);
    if (es_theme_equal(&theme, &driver->theme))
        return;
    driver->theme = theme;
    es_driver_show_theme(driver);
    es_driver_list_themes(driver);
    if (warning.code == ES_OK) {
        driver->theme_said[0] = '\0';
        es_driver_say(driver, ES_OK, "The theme's file has changed and is read again");
    }
}

void es_driver_watch_theme(es_driver *driver, double now) {
    const es_app *app = driver->app;
    if (app->mode != ES_MODE_PICK || app->pick.kind != ES_PICK_THEME) {
        driver->theme_look = (double)INFINITY;
        driver->theme_said[0] = '\0';
    } else if (isinf(driver->theme_look) || driver->theme_look <= now) {
        if (driver->theme_look <= now)
            look_again(driver);
        driver->theme_look = now + LOOK;
    }
}

/* What all parts of the driver do: tell the user something. */

void es_driver_say(es_driver *driver, es_status status, const char *text) {
    es_app_say(driver->app, es_clock_now(), status, text);
}

void es_driver_say_then(es_driver *driver, const es_error *why, const char *then) {
    char text[sizeof why->message + 80];
    (void)snprintf(text, sizeof text, "%s; %s", why->message, then);
    es_driver_say(driver, why->code, text);
    es_log_write(driver->options->log, ES_LOG_WARN, "%s", text);
}

/* What :paths and :doctor say: where everything lies, and what was decided for this terminal. */

static void put(es_buf *out, const char *title, const char *path, const char *without) {
    es_buf_printf(out, "%-14s %s\n", title, path != NULL ? path : without);
}

static es_status show_note(es_driver *driver, const char *title, es_buf *out, es_error *err) {
    es_status st = es_buf_check(out, err);
    if (st == ES_OK)
        es_app_note(driver->app, title, out->data);
    es_buf_free(out);
    return st;
}

es_status es_about_paths(es_driver *driver, const es_effect *effect, es_error *err) {
    const es_explorer *options = driver->options;
    char *themes = NULL;
    es_buf out = {0};
    (void)effect;
    (void)es_path_shared("themes", &themes, NULL);
    put(&out, "configuration", options->config, "none: there is no home folder");
    put(&out, "keys", options->keys, "none");
    put(&out, "themes", themes, "none found; install the program again");
    put(&out, "theme in use", driver->theme.path, "");
    put(&out, "results", es_session_store_path(driver->session), "in memory only");
    put(&out, "this session", driver->session_path, "is not kept");
    put(&out, "log", es_log_path(options->log), "in memory only");
    es_buf_puts(&out, "\nNone of these is written unasked but results, session and log.");
    es_free(themes);
    return show_note(driver, "Paths", &out, err);
}

/* What the explorer has decided for this terminal, then what the machine offers. */
es_status es_about_doctor(es_driver *driver, const es_effect *effect, es_error *err) {
    es_buf out = {0};
    es_error why = {0};
    (void)effect;
    bool ascii = driver->grid.ascii;
    es_buf_printf(&out, "screen         %dx%d, %s, %s\n", driver->grid.w, driver->grid.h,
                  ascii ? "ASCII" : "UTF-8",
                  driver->term == NULL                ? "no terminal"
                  : driver->look.depth < ES_DEPTH_256 ? "fewer than 256 colours"
                                                      : "256 colours or more");
    es_buf_printf(&out, "theme          %s\n", driver->theme.name);
    if (!ascii)
        es_buf_puts(&out, "glyphs         ▀▄ half blocks  ⣀⣤⣶⣿ braille  ●❯×╲ marks  ▁▃▅▇ bars  "
                          "(boxes here: :set ascii yes)\n");
    es_buf_putc(&out, '\n');
    if (driver->options->doctor != NULL && driver->options->doctor(&out, &why) != ES_OK)
        es_buf_printf(&out, "%s\n", why.message);
    return show_note(driver, "Doctor", &out, err);
}
