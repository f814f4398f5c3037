/* `embedscope info`: a row for each file of the pool, with what is to be done about it. */
#include "cmd.h"

#include <string.h>

#include "cli_out.h"

enum { INDENT = 2, NAME_MOST = 24, AS_MOST = 3 };

/* ---- a name and a text beside it ---- */

/* The first line to paste in a text, and its length; NULL: there is none. */
static const char *find_command(const char *text, size_t *length) {
    static const char start[] = "python3 -c ";
    const char *at = strstr(text, start);
    const char *end = at ? strchr(at + sizeof start, at[sizeof start - 1]) : NULL;
    *length = end ? (size_t)(end + 1 - at) : 0;
    return end ? at : NULL;
}

static void put_filled(const char *text, size_t length, size_t indent, size_t width, es_buf *out) {
    es_buf line = {0};
    es_buf_printf(&line, "%*s%.*s", (int)indent, "", (int)length, text);
    if (line.data && width > 0)
        es_caption_fill(out, line.data, width);
    else if (line.data)
        es_buf_printf(out, "%s\n", line.data);
    out->failed |= line.failed;
    es_buf_free(&line);
}

/* After a name that is there already, filled to the column `indent`. */
static void put_beside(const char *text, size_t length, size_t indent, size_t width, es_buf *out) {
    es_buf rest = {0};
    put_filled(text, length, indent, width, &rest);
    es_buf_puts(out, rest.data ? rest.data + indent : "\n");
    out->failed |= rest.failed;
    es_buf_free(&rest);
}

/* The text from the column `indent` on; what is to be pasted begins a line and is never broken. */
static void put_text(const char *text, size_t indent, size_t width, es_buf *out) {
    size_t command;
    bool first = true;
    for (const char *at; *text; text = at + command) {
        at = find_command(text, &command);
        if (!at) {
            at = text + strlen(text);
            command = 0;
        }
        size_t length = (size_t)(at - text);
        while (length > 0 && text[length - 1] == ' ')
            length--;
        if (length > 2 && first)
            put_beside(text, length, indent, width, out);
        else if (length > 2)
            put_filled(text, length, indent, width, out);
        else if (first)
            es_buf_putc(out, '\n');
        first = false;
        if (command > 0)
            es_buf_printf(out, "%*s%.*s\n", 2 * INDENT, "", (int)command, at);
    }
}

static void put_row(const char *name, const char *text, size_t column, size_t width, es_buf *out) {
    size_t own = es_table_out_width(name), indent = INDENT + column + 2;
    if (own <= column)
        es_buf_printf(out, "%*s%s%*s", INDENT, "", name, (int)(column - own + 2), "");
    else
        es_buf_printf(out, "%*s%s\n%*s", INDENT, "", name, (int)indent, "");
    put_text(text, indent, width, out);
}

void es_info_note_put(const char *title, const char *text, size_t width, es_buf *out) {
    es_buf line = {0};
    es_buf_printf(&line, "%s: %s", title, text);
    put_text(line.data ? line.data : "", 0, width, out);
    out->failed |= line.failed;
    es_buf_free(&line);
}

/* ---- rows ---- */

/* True if an earlier embedder of the same file is listed as used. */
static bool is_listed(const es_pool *pool, size_t i) {
    for (size_t k = 0; k < i; k++) {
        const es_model *m = es_pool_model(pool, k);
        if (m->state != ES_MODEL_EXCLUDED && strcmp(m->file, es_pool_model(pool, i)->file) == 0)
            return true;
    }
    return false;
}

static void put_used(const es_pool *pool, size_t i, es_buf *out) {
    const es_model *m = es_pool_model(pool, i);
    size_t count = 0;
    es_buf_puts(out, "used as ");
    for (size_t k = i; k < es_pool_count(pool); k++) {
        const es_model *other = es_pool_model(pool, k);
        if (other->state != ES_MODEL_EXCLUDED && strcmp(other->file, m->file) == 0)
            es_buf_name(out, &count, AS_MOST, other->name);
    }
    es_buf_names_end(out, count, AS_MOST);
    if (count == 1)
        es_buf_printf(out, ": %zu x %zu, %s", m->rows, m->dim, m->dtype);
    if (m->order == ES_ORDER_MATCHED)
        es_buf_puts(out, ", rows matched by ids");
}

/* A reason without the file's name before it. */
static const char *without_name(const char *reason, const char *file) {
    size_t length = strlen(file);
    bool same = strncmp(reason, file, length) == 0 && reason[length] == ':';
    return same ? reason + length + 1 + strspn(reason + length + 1, " ") : reason;
}

/* Calls put_row for all rows, or measures their names where `out` is NULL. */
static void put_rows(const es_pool *pool, size_t *column, size_t width, es_buf *out) {
    const es_unused *unused = es_pool_unused(pool);
    size_t models = es_pool_count(pool);
    for (size_t i = 0; i < models + unused->file.count; i++) {
        const es_model *m = i < models ? es_pool_model(pool, i) : NULL;
        bool excluded = m && m->state == ES_MODEL_EXCLUDED;
        const char *name = !m                      ? unused->file.word[i - models]
                           : excluded && m->tensor ? m->name
                                                   : m->file;
        es_buf text = {0};
        if (m && !excluded && is_listed(pool, i))
            continue;
        if (!out) {
            size_t own = es_table_out_width(name);
            *column = own > *column && own <= NAME_MOST ? own : *column;
            continue;
        }
        if (!m) {
            es_buf_puts(&text, "not used: ");
            es_unused_put(unused, i - models, &text);
        }
        if (excluded)
            es_buf_printf(&text, "not used: %s", without_name(m->reason, m->file));
        else if (m)
            put_used(pool, i, &text);
        put_row(name, text.data ? text.data : "", *column, width, out);
        out->failed |= text.failed;
        es_buf_free(&text);
    }
}

void es_info_files_put(const es_pool *pool, size_t width, es_buf *out) {
    size_t column = 4, unused = es_pool_unused(pool)->file.count;
    if (es_pool_usable(pool) == es_pool_count(pool) && unused == 0)
        return;
    put_rows(pool, &column, width, NULL);
    es_buf_puts(out, "files\n");
    put_rows(pool, &column, width, out);
    es_buf_putc(out, '\n');
}
