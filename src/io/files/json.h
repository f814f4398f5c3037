/* JSON: read with errors that say where, written as a stream.
 *
 * Reading stands on cJSON. A value knows its way from the root, so that a wrong type is reported as
 * "pool.json: models[3].dim: expected a number, found a string":
 *
 *     es_json_value root = es_json_root(doc), models, m;
 *     ES_TRY(es_json_get(&root, "models", ES_JSON_ARRAY, ES_JSON_OPTIONAL, &models, err));
 *     for (m = es_json_first(&models); m.node; m = es_json_next(&m))
 *         ES_TRY(es_json_get_text(&m, "name", ES_JSON_REQUIRED, &name, err));
 */
#ifndef EMBEDSCOPE_JSON_H
#define EMBEDSCOPE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "embedscope/status.h"

enum { ES_JSON_DEPTH = 64 }; /* deepest nesting that is read or written */

typedef struct es_json_doc es_json_doc;

typedef enum es_json_type {
    ES_JSON_ABSENT,
    ES_JSON_NULL,
    ES_JSON_BOOL,
    ES_JSON_NUMBER,
    ES_JSON_TEXT,
    ES_JSON_ARRAY,
    ES_JSON_OBJECT
} es_json_type;

enum { ES_JSON_OPTIONAL = 0, ES_JSON_REQUIRED = 1 };

/** A value in a document. Valid while the document and the value it was taken from live. */
typedef struct es_json_value {
    const struct cJSON *node;           /* NULL: there is none */
    const struct es_json_value *parent; /* NULL for the root */
    const es_json_doc *doc;
    size_t index; /* position in the parent */
} es_json_value;

/** Parse text[0..length); `path` is for messages. ES_EFORMAT with line and column for what is not
 *  JSON, nested more deeply than ES_JSON_DEPTH, or followed by more than blanks. The text is not
 *  needed afterwards. */
es_status es_json_parse(const char *text, size_t length, const char *path, es_json_doc **out,
                        es_error *err);
/** es_file_read, then parse. */
es_status es_json_read(const char *path, unsigned flags, size_t limit, es_json_doc **out,
                       es_error *err);
void es_json_free(es_json_doc *doc);

es_json_value es_json_root(const es_json_doc *doc);
es_json_type es_json_type_of(const es_json_value *value);
const char *es_json_key_of(const es_json_value *value); /* NULL for what is no member */
/** Items of an array or members of an object, in their order; node == NULL ends them. `container`
 *  must stay where it is while its items are in use. Cost O(1) each. */
es_json_value es_json_first(const es_json_value *container);
es_json_value es_json_next(const es_json_value *item);
size_t es_json_count(const es_json_value *container);

/** Member `key` (case matters) of an object. When it is absent or null: ES_EFORMAT if required,
 * else the output says nothing is there (node NULL; for the typed forms it stays as it was). A
 * value of another type, or an `object` that is none, is ES_EFORMAT. Text is borrowed from the
 * document. */
es_status es_json_get(const es_json_value *object, const char *key, es_json_type type, int required,
                      es_json_value *out, es_error *err);
es_status es_json_get_text(const es_json_value *object, const char *key, int required,
                           const char **out, es_error *err);
es_status es_json_get_number(const es_json_value *object, const char *key, int required,
                             double *out, es_error *err);
/** A whole number from 0 to 2^53. */
es_status es_json_get_size(const es_json_value *object, const char *key, int required,
                           uint64_t *out, es_error *err);
es_status es_json_get_bool(const es_json_value *object, const char *key, int required, bool *out,
                           es_error *err);

/** The value itself. */
es_status es_json_expect(const es_json_value *value, es_json_type type, es_error *err);
es_status es_json_as_number(const es_json_value *value, double *out, es_error *err);
es_status es_json_as_size(const es_json_value *value, uint64_t *out, es_error *err);
es_status es_json_as_text(const es_json_value *value, const char **out, es_error *err);

/** Report something else about a value: "pool.json: models[3].file: <what>". Returns ES_EFORMAT. */
es_status es_json_complain(const es_json_value *value, const char *what, es_error *err);

/* ---- writing ----
 *
 * Values take the key under which they go, or NULL inside an array and at the top. Misuse (a key in
 * an array, an end without a begin) is a bug and asserted. Failed allocations show in
 * es_buf_check(out) at the end. */
typedef struct es_json {
    es_buf *out;
    int indent; /* blanks a level; 0: one line without blanks */
    unsigned depth;
    struct {
        bool is_object, one_line, has_items;
    } level[ES_JSON_DEPTH + 1]; /* the first is the top, outside everything */
} es_json;

void es_json_init(es_json *json, es_buf *out, int indent);
void es_json_begin_object(es_json *json, const char *key);
void es_json_begin_array(es_json *json, const char *key);
/** An array that stays on one line, whatever the indentation: a row of a matrix. */
void es_json_begin_row(es_json *json, const char *key);
void es_json_end(es_json *json); /* of whatever was begun last */

/** NULL becomes null. Control characters and whatever must not reach a terminal are escaped,
 * invalid UTF-8 becomes U+FFFD. */
void es_json_text(es_json *json, const char *key, const char *text);
/** Shortest digits that read back as the same double; NaN and infinities become null. */
void es_json_double(es_json *json, const char *key, double value);
void es_json_int(es_json *json, const char *key, int64_t value);
void es_json_uint(es_json *json, const char *key, uint64_t value);
void es_json_bool(es_json *json, const char *key, bool value);
void es_json_null(es_json *json, const char *key);

#endif
