/* The files that are the user's own: settings and keys, which are read at the start and of which
 * single lines are written back on demand, and files of commands. */
#include "tui_driver.h"

#include <stdio.h>
#include <string.h>

#include "app_commands.h"
#include "app_keys.h"

enum { FILE_MOST = 1 << 20 };

static es_status read_keys(es_driver *driver, es_error *err) {
    const es_explorer *options = driver->options;
    char label[ES_PATH_LABEL], *text = NULL;
    size_t length = 0;
    es_error why = {0};
    if (options->keys == NULL)
        return ES_OK;
    es_status st = es_file_read(options->keys, 0, FILE_MOST, &text, &length, &why);
    (void)es_path_label(label, es_path_base(options->keys)); /* a notice has little room */
    if (st == ES_OK)
        st = es_app_keys(driver->app, text, length, label, &why);
    es_free(text);
    if (st == ES_OK || (st == ES_ENOTFOUND && !options->keys_asked))
        return ES_OK;
    if (options->keys_asked || st == ES_ENOMEM) {
        if (err != NULL)
            *err = why;
        return st;
    }
    es_driver_say_then(driver, &why, "keys are as built in");
    return ES_OK;
}

es_status es_user_configure(es_driver *driver, es_effects *effects, es_error *err) {
    const char *const *line = driver->options->settings;
    es_status st = ES_OK;
    for (; line != NULL && *line != NULL && st == ES_OK; line++) {
        char name[64];
        size_t length = strcspn(*line, "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), *line);
        st = es_app_set(driver->app, name, *line + length + 1, effects, err);
    }
    return st == ES_OK ? read_keys(driver, err) : st;
}

static es_status put_line(const char *path, es_save what, const char *line, es_error *err) {
    char *text = NULL, *real = NULL, *edited = NULL;
    size_t length = 0;
    es_status st = es_file_read(path, 0, FILE_MOST, &text, &length, err);
    if (st == ES_OK) /* a link to where the user keeps such files stays a link */
        ES_TRY(es_path_canonical(path, &real, err));
    else if (st != ES_ENOTFOUND)
        goto done;
    edited = what == ES_SAVE_SETTING ? es_setting_edit(text == NULL ? "" : text, length, line)
                                     : es_keymap_edit(text == NULL ? "" : text, length, line);
    if (edited == NULL)
        st = es_no_memory(err);
    else if ((st = es_state_check(path, err)) == ES_OK)
        st = es_file_replace(real == NULL ? path : real, edited, strlen(edited), 0666, err);
done:
    es_free(text);
    es_free(real);
    es_free(edited);
    return st;
}

es_status es_user_save_line(es_driver *driver, const es_effect *effect, es_error *err) {
    es_save what = (es_save)effect->number;
    const char *path = what == ES_SAVE_SETTING ? driver->options->config : driver->options->keys;
    char label[ES_PATH_LABEL], text[ES_PATH_LABEL + 300];
    if (path == NULL)
        es_error_set(err, ES_ENOTFOUND, "there is no file to save it in");
    else
        (void)put_line(path, what, effect->text, err);
    if (err->code != ES_OK)
        es_driver_say_then(driver, err, "set for this session only");
    else {
        (void)snprintf(text, sizeof text, "%.200s, saved in %s", effect->text,
                       es_path_label(label, path));
        es_driver_say(driver, ES_OK, text);
    }
    return ES_OK;
}

es_status es_user_source(es_driver *driver, const char *path, es_effects *effects, es_error *err) {
    char label[ES_PATH_LABEL], *text = NULL;
    size_t length = 0;
    ES_PASS(es_file_read(path, 0, FILE_MOST, &text, &length, err));
    es_app_source(driver->app, es_path_label(label, path), text, length, effects);
    es_free(text);
    return ES_OK;
}

/* The pools that were opened lately: a list in the user's state folder, for the prompt and for
 * Pool. */

enum { MOST = 20 };

/* The lines of `before` but `first`; those that are no folder any more are forgotten. */
static void put_others(es_buf *out, char *before, const char *first) {
    char *rest = NULL;
    int count = 0;
    for (char *line = strtok_r(before, "\n", &rest); line != NULL && count < MOST - 1;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strcmp(line, first) == 0 || !es_path_is_folder(line))
            continue;
        es_buf_printf(out, "%s\n", line);
        count++;
    }
}

void es_recent_note(es_driver *driver) {
    char *path = NULL, *pool = NULL, *before = NULL;
    size_t length = 0;
    es_buf others = {0}, all = {0};
    if (driver->options->subject == NULL ||
        es_path_user_file(ES_USER_STATE, "recent", &path, NULL) != ES_OK ||
        es_path_canonical(driver->options->subject, &pool, NULL) != ES_OK)
        goto done;
    es_status st = es_state_read(path, &before, &length, NULL);
    if (st == ES_OK)
        put_others(&others, before, pool);
    else if (st == ES_ENOTFOUND)
        driver->app->newcomer = true;
    if (es_path_is_folder(pool) && strchr(pool, '\n') == NULL)
        es_buf_printf(&all, "%s\n", pool);
    es_buf_puts(&all, others.data ? others.data : "");
    if (!all.failed && all.length > 0)
        (void)es_state_write(path, all.data, all.length, NULL);
    if (!others.failed && others.data)
        es_app_recent(driver->app, others.data);
done:
    es_buf_free(&others);
    es_buf_free(&all);
    es_free(before);
    es_free(pool);
    es_free(path);
}
