/* Keys of the user's own: lines of a file become bindings, which go before what is built in. */
#include "app_bindings.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 512 };

void es_keymap_free(es_keymap *map) {
    for (size_t i = 0; i < map->count; i++)
        es_free(map->item[i].argument);
    es_free(map->item);
    *map = (es_keymap){0};
}

/* ---- Reading ---- */

/* The next word of *rest, cut out; "" at the end. */
static char *word(char **rest) {
    char *at = *rest + strspn(*rest, " \t");
    size_t length = strcspn(at, " \t");
    *rest = at + length + (at[length] != '\0');
    at[length] = '\0';
    return at;
}

/* Fails with an unknown word and the nearest known one. */
static es_status fail_unknown_word(const char *what, const es_suggestion *near, es_error *err) {
    return es_fail(err, ES_EINVAL, "%s '%s'%s%s%s", what, near->word,
                   near->best != NULL ? "; did you mean '" : "",
                   near->best != NULL ? near->best : "", near->best != NULL ? "'?" : "");
}

static es_status read_view(const char *text, es_view_id *out, es_error *err) {
    es_suggestion near = {.word = text};
    for (int v = 0; v <= ES_VIEW_COUNT; v++) {
        if (strcmp(es_view_word((es_view_id)v), text) == 0) {
            *out = (es_view_id)v;
            return ES_OK;
        }
        es_suggestion_offer(&near, es_view_word((es_view_id)v));
    }
    return fail_unknown_word("no such view:", &near, err);
}

static es_status read_key(const char *text, es_binding *binding, es_error *err) {
    size_t length = strlen(text);
    binding->keys = length < sizeof binding->spelling ? es_command_parse(text, binding->key) : 0;
    bool good = binding->keys > 0;
    for (size_t k = 0; k < binding->keys; k++)
        good = good && binding->key[k] != 0xFFFD; /* what was cleaned away */
    if (binding->keys == 2 && (text[0] == '^' || text[0] == '<'))
        good = false; /* "^X" and "<c" are misspelt */
    if (!good)
        return es_fail(err, ES_EINVAL,
                       "'%s' is not a key; write x, gx, ^x, Enter, Space, Up, PgUp, F1, F10", text);
    if (binding->key[0] == 'c' - ES_KEY_CTRL)
        return es_fail(err, ES_EINVAL, "^c always interrupts");
    (void)snprintf(binding->spelling, sizeof binding->spelling, "%s", text);
    return ES_OK;
}

static es_status read_command(const char *name, const char *argument, es_binding *binding,
                              es_error *err) {
    es_suggestion near = {.word = name};
    binding->command = ES_COMMAND_COUNT;
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        if (strcmp(es_commands[c].name, name) == 0)
            binding->command = (es_command)c;
        es_suggestion_offer(&near, es_commands[c].name);
    }
    if (binding->command == ES_COMMAND_COUNT)
        return fail_unknown_word("there is no command", &near, err);
    const char *takes = es_commands[binding->command].argument;
    if (binding->view != ES_VIEW_COUNT && !es_command_in_view(binding->command, binding->view))
        return es_fail(err, ES_EINVAL, "%s is not a command of %s", name,
                       es_view_word(binding->view));
    if (argument[0] != '\0' && takes == NULL)
        return es_fail(err, ES_EINVAL, "%s takes no argument", name);
    if (argument[0] == '\0' && takes != NULL && takes[0] != '[')
        return es_fail(err, ES_EINVAL, "%s: give a %s", name, takes);
    if (argument[0] != '\0' && (binding->argument = es_strdup(argument)) == NULL)
        return es_no_memory(err);
    return ES_OK;
}

/* `line` is cut up. */
static es_status read_binding(char *line, es_binding *binding, es_error *err) {
    es_status st = ES_OK;
    const char *verb = word(&line), *view = word(&line), *key = word(&line);
    bool maps = strcmp(verb, "map") == 0;
    if (!maps && strcmp(verb, "unmap") != 0)
        return es_fail(err, ES_EINVAL, "'%s' is neither map nor unmap", verb);
    if (key[0] == '\0')
        return es_fail(err, ES_EINVAL,
                       maps ? "expected: map VIEW KEY COMMAND [ARGUMENT]"
                            : "expected: unmap VIEW KEY");
    ES_TRY(read_view(view, &binding->view, err));
    ES_TRY(read_key(key, binding, err));
    const char *name = word(&line);
    line += strspn(line, " \t");
    if (maps && name[0] == '\0')
        st = es_fail(err, ES_EINVAL, "expected: map VIEW KEY COMMAND [ARGUMENT]");
    else if (maps)
        st = read_command(name, line, binding, err);
    else if (name[0] != '\0')
        st = es_fail(err, ES_EINVAL, "expected: unmap VIEW KEY");
done:
    return st;
}

static es_binding *find_same(const es_keymap *map, const es_binding *like) {
    for (size_t i = 0; i < map->count; i++) {
        es_binding *b = &map->item[i];
        if (b->view == like->view && b->keys == like->keys &&
            memcmp(b->key, like->key, like->keys * sizeof *like->key) == 0)
            return b;
    }
    return NULL;
}

static bool make_room(es_keymap *map) {
    es_binding *item = es_grow(map->item, map->count, &map->capacity, sizeof *item);
    map->item = item != NULL ? item : map->item;
    return item != NULL;
}

es_status es_keymap_add(es_keymap *map, const char *line, size_t number, es_error *err) {
    es_status st = ES_OK;
    char text[LINE];
    es_binding binding = {.command = ES_COMMAND_COUNT, .line = number};
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
        length--;
    if (es_text_clean_into(text, sizeof text, line, length) + 4 >= sizeof text)
        return es_fail(err, ES_EINVAL, "a line of more than %d bytes", LINE - 8);
    ES_TRY(read_binding(text, &binding, err));
    es_binding *same = find_same(map, &binding);
    ES_FAIL_IF(same != NULL && number > 0 && same->line > 0,
               es_fail(err, ES_EINVAL, "%s in %s is mapped on line %zu already", binding.spelling,
                       binding.view == ES_VIEW_COUNT ? "all views" : es_view_word(binding.view),
                       same->line));
    ES_FAIL_IF(same == NULL && !make_room(map), es_no_memory(err));
    if (same != NULL)
        es_free(same->argument);
    else
        same = &map->item[map->count++];
    *same = binding;
    binding.argument = NULL;
done:
    es_free(binding.argument);
    return st;
}

es_status es_keymap_parse(const char *text, size_t length, const char *label, es_log *log,
                          es_keymap *out, size_t *problems, es_error *problem, es_error *err) {
    es_keymap map = {0};
    size_t number = 0, found = 0;
    es_error first = {0};
    for (size_t at = 0; at < length; number++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - text) - at;
        char line[LINE];
        es_error why = {0};
        size_t kept = size < sizeof line ? size : sizeof line - 1;
        for (size_t i = 0; i < kept; i++)
            line[i] = text[at + i] == '\t' || text[at + i] == '\0' ? ' ' : text[at + i];
        line[kept] = '\0';
        at += size + 1;
        char first_byte = line[strspn(line, " \r")];
        if (first_byte == '\0' || first_byte == '#' ||
            es_keymap_add(&map, line, number + 1, &why) == ES_OK)
            continue;
        if (why.code == ES_ENOMEM) {
            es_keymap_free(&map);
            return es_no_memory(err);
        }
        char where[256];
        (void)snprintf(where, sizeof where, "%.200s:%zu", label, number + 1);
        es_error_prefix(&why, where);
        es_log_write(log, ES_LOG_WARN, "%s", why.message);
        if (found++ == 0)
            first = why;
    }
    *out = map;
    *problems = found;
    if (found > 0)
        *problem = first;
    return ES_OK;
}

void es_keymap_put(const es_binding *b, char *out, size_t capacity) {
    bool maps = b->command != ES_COMMAND_COUNT;
    (void)snprintf(out, capacity, "%smap %s %s%s%s%s%s", maps ? "" : "un", es_view_word(b->view),
                   b->spelling, maps ? " " : "", maps ? es_commands[b->command].name : "",
                   b->argument != NULL ? " " : "", b->argument != NULL ? b->argument : "");
}

/* ---- Looking up ---- */

/* Returns the user's binding of exactly these keys: in the view, else in all views. *longer: a
 * longer one begins with them. */
static const es_binding *find_own(const es_keymap *map, es_view_id view, const uint32_t *keys,
                                  size_t count, bool *longer) {
    const es_binding *found = NULL;
    for (size_t i = 0; i < map->count; i++) {
        const es_binding *b = &map->item[i];
        bool here = b->view == view ||
                    (b->view == ES_VIEW_COUNT &&
                     (b->command == ES_COMMAND_COUNT || es_command_in_view(b->command, view)));
        if (!here || b->keys < count || memcmp(b->key, keys, count * sizeof *keys) != 0)
            continue;
        if (b->keys > count)
            *longer = *longer || b->command != ES_COMMAND_COUNT;
        else if (found == NULL || b->view == view)
            found = b;
    }
    return found;
}

es_command es_keymap_find(const es_keymap *map, es_view_id view, const uint32_t *keys, size_t count,
                          bool *longer, const char **argument) {
    es_command built_in = es_command_of_keys(view, keys, count, longer);
    const es_binding *own = find_own(map, view, keys, count, longer);
    *argument = own == NULL ? NULL : own->argument;
    return own == NULL ? built_in : own->command;
}

/* True if this key runs the command without an argument. */
static bool runs(const es_keymap *map, es_view_id view, es_command command, const uint32_t *keys,
                 size_t count) {
    bool longer;
    const char *argument;
    return es_keymap_find(map, view, keys, count, &longer, &argument) == command &&
           argument == NULL;
}

bool es_keymap_spelling(const es_keymap *map, es_view_id view, es_command command, size_t number,
                        char *out, size_t capacity) {
    char spelling[16];
    uint32_t keys[ES_COMMAND_KEYS];
    if (map->count == 0)
        return es_command_spelling(command, number, out, capacity);
    for (size_t i = 0; i < map->count; i++) {
        const es_binding *b = &map->item[i];
        if (b->command == command && runs(map, view, command, b->key, b->keys) && number-- == 0) {
            (void)snprintf(out, capacity, "%s", b->spelling);
            return true;
        }
    }
    for (size_t s = 0; es_command_spelling(command, s, spelling, sizeof spelling); s++) {
        size_t count = es_command_parse(spelling, keys);
        bool longer = false, mapped = find_own(map, view, keys, count, &longer) != NULL;
        if (!mapped && number-- == 0) {
            (void)snprintf(out, capacity, "%s", spelling);
            return true;
        }
    }
    return false;
}

bool es_keymap_changed(const es_keymap *map, es_view_id view, es_command command) {
    char own[16], now[16];
    if (map->count == 0)
        return false;
    for (size_t s = 0;; s++) {
        bool before = es_command_spelling(command, s, own, sizeof own);
        bool after = es_keymap_spelling(map, view, command, s, now, sizeof now);
        if (!before || !after)
            return before != after;
        if (strcmp(own, now) != 0)
            return true;
    }
}

/* ---- Editing a file ---- */

/* True if a line of the file binds the same key in the same view. */
static bool is_same_key(const char *line, size_t length, const void *like) {
    char text[LINE];
    es_keymap one = {0};
    if (length >= sizeof text)
        return false;
    memcpy(text, line, length);
    text[length] = '\0';
    bool same = es_keymap_add(&one, text, 1, NULL) == ES_OK && find_same(&one, like) != NULL;
    es_keymap_free(&one);
    return same;
}

char *es_lines_edit(const char *text, size_t length, const char *line,
                    bool (*is_same)(const char *line, size_t length, const void *like),
                    const void *like) {
    es_buf out = {0};
    bool placed = false;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - text) - at;
        bool same = is_same(text + at, size, like);
        if (same && !placed)
            es_buf_puts(&out, line);
        else if (!same)
            es_buf_add(&out, text + at, size);
        if (!same || !placed)
            es_buf_putc(&out, '\n');
        placed = placed || same;
        at += size + 1;
    }
    if (!placed)
        es_buf_printf(&out, "%s\n", line);
    return es_buf_take(&out);
}

char *es_keymap_edit(const char *text, size_t length, const char *line) {
    es_keymap one = {0};
    if (es_keymap_add(&one, line, 1, NULL) != ES_OK)
        return NULL;
    char *edited = es_lines_edit(text, length, line, is_same_key, &one.item[0]);
    es_keymap_free(&one);
    return edited;
}
