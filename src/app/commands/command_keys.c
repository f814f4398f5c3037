/* Keys of the user's own: the file read at the start, :map and :unmap. */
#include <stdio.h>

#include "app_commands.h"

es_status es_app_keys(es_app *app, const char *text, size_t length, const char *label,
                      es_error *err) {
    es_keymap map = {0};
    es_error problem = {0};
    size_t problems = 0;
    ES_PASS(es_keymap_parse(text, length, label, app->log, &map, &problems, &problem, err));
    es_keymap_free(&app->keymap);
    app->keymap = map;
    app->dirty = true;
    if (problems == 1)
        es_app_notice(app, ES_EINVAL, "%s", problem.message);
    else if (problems > 1)
        es_app_notice(app, ES_EINVAL, "%s; and %zu more lines, see the log", problem.message,
                      problems - 1);
    return ES_OK;
}

/* Shows the user's own key bindings in a note. */
static void list_bindings(es_app *app) {
    es_buf out = {0};
    char line[ES_APP_LINE];
    for (size_t i = 0; i < app->keymap.count; i++) {
        es_keymap_put(&app->keymap.item[i], line, sizeof line);
        es_buf_printf(&out, "%s%s", i > 0 ? "\n" : "", line);
    }
    if (app->keymap.count == 0)
        es_buf_puts(&out, "None: every key is as ? lists it.\n\n:map VIEW KEY COMMAND [ARGUMENT]\n"
                          ":unmap VIEW KEY\n\nVIEW is pool heatmap tree rank corr compare jobs, or "
                          "* for all.\nWith --save at its end a line is also put into your file of "
                          "keys.");
    es_app_show_note(app, "Keys of your own", es_buf_take(&out));
}

void es_command_map(es_call *call) {
    es_app *app = call->app;
    char line[ES_APP_LINE + 8];
    es_error err = {0};
    if (call->argument == NULL) {
        list_bindings(app);
        return;
    }
    char argument[ES_APP_LINE];
    (void)snprintf(argument, sizeof argument, "%s", call->argument);
    bool save = es_setting_take_save(argument);
    (void)snprintf(line, sizeof line, "%s %s", es_commands[call->command].name, argument);
    if (es_keymap_add(&app->keymap, line, 0, &err) != ES_OK) {
        es_app_notice(app, err.code, "%s", err.message);
        return;
    }
    if (save)
        es_effect_add(app, call->effects, ES_FX_SAVE, ES_SAVE_KEY, false, line);
    else
        es_app_notice(app, ES_OK, "%s, for this session; with --save for good", line);
}
