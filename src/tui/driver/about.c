/* What :paths and :doctor say: where everything lies, and what was decided for this terminal. */
#include "tui_driver.h"

static void put(es_buf *out, const char *title, const char *path, const char *without) {
    es_buf_printf(out, "%-14s %s\n", title, path != NULL ? path : without);
}

static void show_note(es_driver *driver, const char *title, es_buf *out) {
    if (out->failed)
        es_driver_say(driver, ES_ENOMEM, "out of memory");
    else
        es_app_note(driver->app, title, out->data);
    es_buf_free(out);
}

void es_about_paths(es_driver *driver) {
    const es_explorer *options = driver->options;
    char *themes = NULL;
    es_buf out = {0};
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
    show_note(driver, "Paths", &out);
}

/* What the explorer has decided for this terminal, then what the machine offers. */
void es_about_doctor(es_driver *driver) {
    es_buf out = {0};
    es_error err = {0};
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
    if (driver->options->doctor != NULL && driver->options->doctor(&out, &err) != ES_OK)
        es_buf_printf(&out, "%s\n", err.message);
    show_note(driver, "Doctor", &out);
}
