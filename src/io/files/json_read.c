/* JSON by cJSON, whose tree is searched with errors that say where in the document something is
 * wrong. */
#include <cjson/cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "io_files.h"

struct es_json_doc {
    cJSON *root;
    char label[ES_PATH_LABEL];
};

/* cJSON reports a failed allocation as it does a syntax error; this tells them apart. */
static _Thread_local bool out_of_memory;

static void *allocate(size_t size) {
    void *block = es_alloc(size, 1);
    out_of_memory = out_of_memory || !block;
    return block;
}

/* cJSON's allocator is a global of that library; it is set once, before the first use. */
static void set_hooks(void) {
    cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = es_free};
    cJSON_InitHooks(&hooks);
}

/* Line and column (in bytes, both from 1) of text[at]. */
static es_status fail_at(const char *text, size_t at, const char *label, const char *what,
                         es_error *err) {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at; i++)
        if (text[i] == '\n') {
            line++;
            start = i + 1;
        }
    return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: %s", label, line, at - start + 1,
                   what);
}

/* cJSON and the walk over its tree are recursive: look at the nesting before. */
static es_status check_depth(const char *text, size_t length, const char *label, es_error *err) {
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            depth++;
        else if (!quoted && (c == '}' || c == ']') && depth > 0)
            depth--;
        if (depth > ES_JSON_DEPTH)
            return fail_at(text, i, label, "nested too deeply", err);
    }
    return ES_OK;
}

/* Parse with the label already in doc. */
static es_status parse_into(es_json_doc *doc, const char *text, size_t length, es_error *err) {
    size_t bom = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const char *end = NULL;
    ES_PASS(check_depth(text, length, doc->label, err));
    if (length == bom)
        return es_fail(err, ES_EFORMAT, "%s: is empty, expected JSON", doc->label);
    out_of_memory = false;
    doc->root = cJSON_ParseWithLengthOpts(text + bom, length - bom, &end, 0);
    if (!doc->root && out_of_memory)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", doc->label);
    if (!doc->root) {
        size_t at = end && end >= text && end < text + length ? (size_t)(end - text) : length - 1;
        return fail_at(text, at, doc->label, "not valid JSON", err);
    }
    for (; end < text + length; end++)
        if (!es_ascii_is_blank(*end))
            return fail_at(text, (size_t)(end - text), doc->label, "unexpected text after the end",
                           err);
    return ES_OK;
}

es_status es_json_parse(const char *text, size_t length, const char *path, es_json_doc **out,
                        es_error *err) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, set_hooks);
    char label[ES_PATH_LABEL];
    es_json_doc *doc = es_alloc_zero(1, sizeof *doc);
    if (!doc)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", es_path_label(label, path));
    es_path_label(doc->label, path);
    es_status st = parse_into(doc, text, length, err);
    if (st != ES_OK) {
        es_json_free(doc);
        return st;
    }
    *out = doc;
    return ES_OK;
}

es_status es_json_read(const char *path, unsigned flags, size_t limit, es_json_doc **out,
                       es_error *err) {
    char *text = NULL;
    size_t length = 0;
    es_status st = es_file_read(path, flags, limit, &text, &length, err);
    if (st == ES_OK)
        st = es_json_parse(text, length, path, out, err);
    es_free(text);
    return st;
}

void es_json_free(es_json_doc *doc) {
    if (!doc)
        return;
    cJSON_Delete(doc->root);
    es_free(doc);
}

es_json_value es_json_root(const es_json_doc *doc) {
    return (es_json_value){.node = doc->root, .doc = doc};
}

es_json_type es_json_type_of(const es_json_value *value) {
    const cJSON *node = value->node;
    if (!node)
        return ES_JSON_ABSENT;
    if (cJSON_IsBool(node))
        return ES_JSON_BOOL;
    if (cJSON_IsNumber(node))
        return ES_JSON_NUMBER;
    if (cJSON_IsString(node))
        return ES_JSON_TEXT;
    if (cJSON_IsArray(node))
        return ES_JSON_ARRAY;
    return cJSON_IsObject(node) ? ES_JSON_OBJECT : ES_JSON_NULL;
}

const char *es_json_key_of(const es_json_value *value) {
    return value->node ? value->node->string : NULL;
}

static bool is_container(const es_json_value *value) {
    es_json_type type = es_json_type_of(value);
    return type == ES_JSON_ARRAY || type == ES_JSON_OBJECT;
}

es_json_value es_json_first(const es_json_value *container) {
    return (es_json_value){.node = is_container(container) ? container->node->child : NULL,
                           .parent = container,
                           .doc = container->doc};
}

es_json_value es_json_next(const es_json_value *item) {
    return (es_json_value){.node = item->node ? item->node->next : NULL,
                           .parent = item->parent,
                           .doc = item->doc,
                           .index = item->index + 1};
}

size_t es_json_count(const es_json_value *container) {
    size_t count = 0;
    for (const cJSON *p = is_container(container) ? container->node->child : NULL; p; p = p->next)
        count++;
    return count;
}

static const char *type_name(es_json_type type) {
    static const char *const names[] = {"nothing",  "null",     "true or false", "a number",
                                        "a string", "an array", "an object"};
    return names[type];
}

/* ".models[3].dim", from the root down. */
static void put_path(es_buf *buf, const es_json_value *value) {
    if (!value->parent)
        return;
    put_path(buf, value->parent);
    if (value->node && value->node->string)
        es_buf_printf(buf, "%s%s", buf->length > 0 ? "." : "", value->node->string);
    else
        es_buf_printf(buf, "[%zu]", value->index);
}

/* "file: path.key: what"; key NULL: the value itself. */
static es_status fail_value(const es_json_value *value, const char *key, const char *what,
                            es_error *err) {
    es_buf path = {0};
    put_path(&path, value);
    if (key)
        es_buf_printf(&path, "%s%s", path.length > 0 ? "." : "", key);
    /* Without memory the message is shorter, not absent. */
    char label[ES_PATH_LABEL];
    bool named = path.data && !path.failed && path.length > 0;
    es_error_set(err, ES_EFORMAT, "%s: %s%s%s", value->doc->label,
                 named ? es_path_label(label, path.data) : "", named ? ": " : "", what);
    es_buf_free(&path);
    return ES_EFORMAT;
}

es_status es_json_complain(const es_json_value *value, const char *what, es_error *err) {
    return fail_value(value, NULL, what, err);
}

static es_status fail_type(const es_json_value *value, es_json_type type, es_error *err) {
    char what[80];
    (void)snprintf(what, sizeof what, "expected %s, found %s", type_name(type),
                   type_name(es_json_type_of(value)));
    return fail_value(value, NULL, what, err);
}

es_status es_json_expect(const es_json_value *value, es_json_type type, es_error *err) {
    return es_json_type_of(value) == type ? ES_OK : fail_type(value, type, err);
}

es_status es_json_get(const es_json_value *object, const char *key, es_json_type type, int required,
                      es_json_value *out, es_error *err) {
    ES_PASS(es_json_expect(object, ES_JSON_OBJECT, err));
    es_json_value value = {.node = cJSON_GetObjectItemCaseSensitive(object->node, key),
                           .parent = object,
                           .doc = object->doc};
    es_json_type found = es_json_type_of(&value);
    if (found == ES_JSON_ABSENT || found == ES_JSON_NULL) {
        if (required)
            return fail_value(object, key, found == ES_JSON_NULL ? "is null" : "is missing", err);
        value.node = NULL;
        *out = value;
        return ES_OK;
    }
    if (found != type)
        return fail_type(&value, type, err);
    *out = value;
    return ES_OK;
}

es_status es_json_get_text(const es_json_value *object, const char *key, int required,
                           const char **out, es_error *err) {
    es_json_value value = {0};
    es_status st = es_json_get(object, key, ES_JSON_TEXT, required, &value, err);
    if (st == ES_OK && value.node)
        *out = value.node->valuestring;
    return st;
}

es_status es_json_as_number(const es_json_value *value, double *out, es_error *err) {
    ES_PASS(es_json_expect(value, ES_JSON_NUMBER, err));
    if (!isfinite(value->node->valuedouble))
        return fail_value(value, NULL, "the number is too large", err);
    *out = value->node->valuedouble;
    return ES_OK;
}

es_status es_json_get_number(const es_json_value *object, const char *key, int required,
                             double *out, es_error *err) {
    es_json_value value = {0};
    es_status st = es_json_get(object, key, ES_JSON_NUMBER, required, &value, err);
    return st == ES_OK && value.node ? es_json_as_number(&value, out, err) : st;
}

es_status es_json_get_bool(const es_json_value *object, const char *key, int required, bool *out,
                           es_error *err) {
    es_json_value value = {0};
    es_status st = es_json_get(object, key, ES_JSON_BOOL, required, &value, err);
    if (st == ES_OK && value.node)
        *out = cJSON_IsTrue(value.node) != 0;
    return st;
}

es_status es_json_as_size(const es_json_value *value, uint64_t *out, es_error *err) {
    ES_PASS(es_json_expect(value, ES_JSON_NUMBER, err));
    double number = value->node->valuedouble;
    if (!(number >= 0 && number <= 0x1p53) || number != floor(number))
        return fail_value(value, NULL, "expected a whole number, not negative", err);
    *out = (uint64_t)number;
    return ES_OK;
}

es_status es_json_as_text(const es_json_value *value, const char **out, es_error *err) {
    es_status st = es_json_expect(value, ES_JSON_TEXT, err);
    if (st == ES_OK)
        *out = value->node->valuestring;
    return st;
}

es_status es_json_get_size(const es_json_value *object, const char *key, int required,
                           uint64_t *out, es_error *err) {
    es_json_value value = {0};
    es_status st = es_json_get(object, key, ES_JSON_NUMBER, required, &value, err);
    return st == ES_OK && value.node ? es_json_as_size(&value, out, err) : st;
}
