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

/* What u and ^r go through. A snapshot is the settings and the flags of all embedders as bytes, so
 * that taking and comparing one is a copy. */

_Static_assert(sizeof(bool) == 1, "snapshots keep flags as bytes");

/* The items' flags that are part of what the user looks at. */
static void *flags_of(const es_app *app, size_t which) {
    void *const flags[ES_SNAPSHOT_FLAGS] = {app->marked, app->hidden, app->folded, app->excluded,
                                            app->accepted};
    return flags[which];
}

es_snapshot *es_snapshot_new(size_t n) {
    es_snapshot *shot = es_alloc_zero(1, sizeof *shot + ES_SNAPSHOT_FLAGS * n);
    if (shot != NULL)
        es_settings_init(&shot->set);
    return shot;
}

es_snapshot *es_snapshot_copy(const es_snapshot *shot, size_t n) {
    es_snapshot *copy = es_alloc(1, sizeof *copy + ES_SNAPSHOT_FLAGS * n);
    if (copy != NULL)
        memcpy(copy, shot, sizeof *copy + ES_SNAPSHOT_FLAGS * n);
    return copy;
}

es_snapshot *es_snapshot_take(const es_app *app) {
    es_snapshot *shot = es_alloc(1, sizeof *shot + ES_SNAPSHOT_FLAGS * app->n);
    if (shot == NULL)
        return NULL;
    shot->set = app->set;
    for (size_t f = 0; f < ES_SNAPSHOT_FLAGS; f++)
        memcpy(shot->flags + f * app->n, flags_of(app, f), app->n);
    return shot;
}

void es_snapshot_show(es_app *app, const es_snapshot *shot) {
    app->set = shot->set;
    for (size_t f = 0; f < ES_SNAPSHOT_FLAGS; f++)
        memcpy(flags_of(app, f), shot->flags + f * app->n, app->n);
}

/* Puts a snapshot on the stack; a full stack drops its oldest. */
static void push_snapshot(es_snapshot **stack, size_t *count, es_snapshot *shot) {
    if (*count == ES_APP_UNDO) {
        es_free(stack[0]);
        for (size_t i = 1; i < ES_APP_UNDO; i++)
            stack[i - 1] = stack[i];
        (*count)--;
    }
    stack[(*count)++] = shot;
}

static void clear(es_snapshot **stack, size_t *count) {
    while (*count > 0)
        es_free(stack[--*count]);
}

void es_history_push(es_app *app) {
    es_snapshot *shot = es_snapshot_take(app);
    app->changes += shot != NULL;
    clear(app->redo, &app->redo_count);
    if (shot != NULL) /* without memory the change is made and cannot be taken back */
        push_snapshot(app->undo, &app->undo_count, shot);
}

void es_history_edited(es_app *app) {
    es_history_push(app);
    app->set.edits++;
}

bool es_history_move(es_app *app, bool redo) {
    es_snapshot **from = redo ? app->redo : app->undo, **to = redo ? app->undo : app->redo;
    size_t *from_count = redo ? &app->redo_count : &app->undo_count;
    size_t *to_count = redo ? &app->undo_count : &app->redo_count;
    es_snapshot *here = *from_count == 0 ? NULL : es_snapshot_take(app);
    if (here == NULL)
        return false;
    es_snapshot *shot = from[--*from_count];
    push_snapshot(to, to_count, here);
    es_snapshot_show(app, shot);
    es_free(shot);
    return true;
}

/* ---- what a step changes ---- */

static const struct {
    const char *name;
    size_t offset, size;
} parts[] = {
    {"compare", offsetof(es_settings, compare.item), sizeof(((es_settings *)0)->compare.item)},
#define KEPT(member, value, kind, low, high, names, key)                                           \
    {key, offsetof(es_settings, member), sizeof(((es_settings *)0)->member)},
#define SET(member, value, kind, low, high, names, key, ...)                                       \
    KEPT(member, value, kind, low, high, names, key)
#include "view_settings.def"
#undef SET
#undef KEPT
    {"columns", offsetof(es_settings, table), sizeof(((es_settings *)0)->table)},
};

/* Behind the end of a text is what stood there before. */
static bool differs(const es_settings *a, const es_settings *b, size_t part) {
    const char *x = (const char *)a + parts[part].offset, *y = (const char *)b + parts[part].offset;
    return parts[part].size == ES_APP_LINE ? strcmp(x, y) != 0
                                           : memcmp(x, y, parts[part].size) != 0;
}

/* Parts of a view say its name before a point: "corr.kind" is "corr kind". */
static void add_name(const char *name, char *out, size_t capacity) {
    size_t used = strlen(out);
    if (strstr(out, name) != NULL)
        return;
    es_phrase_add(out, capacity, "%s%s", used > 0 ? ", " : "", name);
    for (char *c = out + used; *c != '\0'; c++)
        *c = *c == '.' ? ' ' : *c;
}

void es_history_tell(const es_app *app, bool redo, char *out, size_t capacity) {
    static const char *const flags[ES_SNAPSHOT_FLAGS] = {"marks", "what is hidden", "folds",
                                                         "points left out", "names accepted"};
    size_t count = redo ? app->redo_count : app->undo_count;
    const es_snapshot *shot = count == 0 ? NULL : (redo ? app->redo : app->undo)[count - 1];
    out[0] = '\0';
    for (size_t f = 0; shot != NULL && f < ES_SNAPSHOT_FLAGS; f++)
        if (memcmp(shot->flags + f * app->n, flags_of(app, f), app->n) != 0)
            add_name(flags[f], out, capacity);
    for (size_t p = 0; shot != NULL && p < sizeof parts / sizeof *parts; p++)
        if (differs(&app->set, &shot->set, p))
            add_name(parts[p].name, out, capacity);
}

void es_history_cancel(es_app *app) {
    if (es_history_move(app, false))
        es_free(app->redo[--app->redo_count]);
}

void es_history_replace(es_app *app, es_snapshot *const *undo, size_t undos,
                        es_snapshot *const *redo, size_t redos) {
    es_history_free(app);
    for (size_t i = 0; i < undos; i++)
        push_snapshot(app->undo, &app->undo_count, undo[i]);
    for (size_t i = 0; i < redos; i++)
        push_snapshot(app->redo, &app->redo_count, redo[i]);
}

void es_history_free(es_app *app) {
    clear(app->undo, &app->undo_count);
    clear(app->redo, &app->redo_count);
}
