/* The command that names a family. It only asks; a yes has the driver write families.csv. */
#include "app_commands.h"

#include <stdio.h>
#include <string.h>

size_t es_family_items(const es_app *app, size_t *item) {
    size_t count = es_app_marked(app, item, app->n);
    if (count == 0 && app->cursor != ES_NONE)
        item[count++] = app->cursor;
    return count;
}

static const char *family_of(const es_app *app, size_t item) {
    const char *family = es_app_model(app, item)->family;
    return family != NULL ? family : "";
}

/* True if all marked embedders have this family. */
static bool have_family(const es_app *app, const char *family) {
    size_t count = es_family_items(app, app->scratch);
    bool same = true;
    for (size_t k = 0; k < count; k++)
        same = same && strcmp(family_of(app, app->scratch[k]), family) == 0;
    return same;
}

void es_family_question(const es_app *app, char *out, size_t capacity) {
    size_t count = es_family_items(app, app->scratch);
    char who[160], pool[ES_PATH_LABEL];
    if (count == 1)
        (void)snprintf(who, sizeof who, "%.120s", es_app_name(app, app->scratch[0]));
    else
        (void)snprintf(who, sizeof who, "%zu embedders", count);
    (void)snprintf(out, capacity, "Write families.csv in %s: %s %s%s%.120s?",
                   es_path_label(pool, app->source->path), who,
                   app->family[0] != '\0' ? "become"
                   : count == 1           ? "loses its"
                                          : "lose their",
                   app->family[0] == '\0' ? " family"
                   : count == 1           ? "s family "
                                          : " family ",
                   app->family);
}

const char *es_family_known(const es_app *app, size_t index) {
    bool control = false;
    for (size_t i = 0; i < app->n; i++) {
        const char *family = family_of(app, i);
        bool first = family[0] != '\0';
        for (size_t j = 0; j < i && first; j++)
            first = strcmp(family_of(app, j), family) != 0;
        control = control || es_is_control(family);
        if (first && index-- == 0)
            return family;
    }
    return !control && index == 0 ? "control" : NULL;
}

const char *es_refuse_family(const es_app *app) {
    if (es_app_of_file(app))
        return "a finished matrix has no folder; --families FILE.csv names its families";
    if (es_family_items(app, app->scratch) == 0)
        return "no embedder is marked or under the cursor";
    return es_app_unsaved(app);
}

/* With the family that they have already, to be changed. */
static void open_line(es_app *app) {
    char line[300];
    (void)es_family_items(app, app->scratch); /* one, or the command is refused */
    const char *family = family_of(app, app->scratch[0]);
    (void)snprintf(line, sizeof line, "family %.250s", have_family(app, family) ? family : "");
    es_prompt_open_with(app, line);
}

void es_command_family(es_call *call) {
    es_app *app = call->app;
    const char *family = call->argument != NULL ? call->argument : "";
    if (call->command == ES_COMMAND_EDIT_FAMILY) {
        open_line(app);
        return;
    }
    (void)snprintf(app->family, sizeof app->family, "%s", strcmp(family, "-") == 0 ? "" : family);
    if (have_family(app, app->family)) {
        if (app->family[0] == '\0')
            es_app_notice(app, ES_OK, "Nothing to write: no family is named here");
        else
            es_app_notice(app, ES_OK, "Nothing to write: the family is %s already", app->family);
        return;
    }
    app->mode = ES_MODE_ASK;
    app->ask = ES_ASK_FAMILY;
}
