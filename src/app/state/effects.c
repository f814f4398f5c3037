/* Notices for the user, a line or a text, and requests to the event loop. Running out of
 * memory is reported, too: an effect that has no room is not done. */
#include "app_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void es_app_say(es_app *app, double now, es_status status, const char *text) {
    app->now = now > app->now ? now : app->now;
    (void)es_text_clean_into(app->toast, sizeof app->toast, text, strlen(text));
    app->toast_status = status;
    app->toasts++;
    app->toast_until = app->now + ES_APP_TOAST;
    app->dirty = true;
}

void es_app_notice(es_app *app, es_status status, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    es_app_say(app, app->now, status, text);
}

void es_effect_add(es_app *app, es_effects *effects, es_effect_kind kind, size_t number, bool flag,
                   const char *text) {
    char *copy = text == NULL ? NULL : es_strdup(text);
    es_effect *items = es_grow(effects->items, effects->count, &effects->capacity, sizeof *items);
    if (items != NULL)
        effects->items = items;
    if (items == NULL || (text != NULL && copy == NULL)) {
        es_free(copy);
        es_app_notice(app, ES_ENOMEM, "out of memory: nothing was done");
        return;
    }
    effects->items[effects->count++] = (es_effect){kind, flag, number, copy};
}

void es_effects_clear(es_effects *effects) {
    for (size_t i = 0; i < effects->count; i++)
        es_free(effects->items[i].text);
    es_free(effects->items);
    *effects = (es_effects){0};
}

void es_app_show_note(es_app *app, const char *title, char *text) {
    if (text == NULL) {
        es_app_notice(app, ES_ENOMEM, "out of memory");
        return;
    }
    es_free(app->note.text);
    app->note.text = text;
    app->note.scroll = 0;
    (void)es_text_clean_into(app->note.title, sizeof app->note.title, title, strlen(title));
    app->mode = ES_MODE_NOTE;
}

void es_app_note(es_app *app, const char *title, const char *text) {
    es_buf out = {0};
    char line[ES_APP_LINE];
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        (void)es_text_clean_into(line, sizeof line, text, length);
        es_buf_printf(&out, "%s\n", line);
    }
    es_app_show_note(app, title, es_buf_take(&out));
    app->dirty = true;
}

void es_app_copy(es_app *app, char *text, es_effects *effects) {
    if (text == NULL)
        es_app_notice(app, ES_ENOMEM, "out of memory");
    else
        es_effect_add(app, effects, ES_FX_COPY, 0, false, text);
    es_free(text);
}
