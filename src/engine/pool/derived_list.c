/* Reads the .json beside each derived embedder. One that cannot be understood is skipped, and
 * the first such is told. */
#include "engine_pool_parts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "engine_place.h"

enum { SIDE_MOST = 1 << 16 };

void derived_sources_free(derived_source *source, size_t count) {
    for (size_t i = 0; source && i < count; i++)
        es_free(source[i].name);
    es_free(source);
}

void derived_entry_deinit(derived_entry *e) {
    es_free(e->side);
    es_free(e->file);
    es_free(e->model);
    es_free(e->name);
    es_free(e->family);
    es_free(e->notes);
    derived_sources_free(e->source, e->n_sources);
    *e = (derived_entry){0};
}

void derived_list_deinit(derived_list *list) {
    for (size_t i = 0; i < list->count; i++)
        derived_entry_deinit(&list->entry[i]);
    es_free(list->entry);
    es_free(list->problem);
    *list = (derived_list){0};
}

static es_status copy_text(const char *text, char **out, es_error *err) {
    if (text && !(*out = es_strdup(text)))
        return es_no_memory(err);
    return ES_OK;
}

static bool is_plain(const char *file) {
    return !strchr(file, '/') && file[0] != '.' && file[0] != '\0';
}

/* {"name", "file", "model", "family", "notes", "sources": [{"name", "digest"}]} */
static es_status read_entry(const es_json_doc *doc, derived_entry *out, es_error *err) {
    es_json_value root = es_json_root(doc), sources = {0};
    const char *name = NULL, *file = NULL, *family = NULL, *notes = NULL, *model = NULL;
    es_status st = ES_OK;
    ES_TRY(es_json_expect(&root, ES_JSON_OBJECT, err));
    ES_TRY(es_json_get_text(&root, "name", ES_JSON_REQUIRED, &name, err));
    ES_TRY(es_json_get_text(&root, "file", ES_JSON_REQUIRED, &file, err));
    ES_TRY(es_json_get_text(&root, "family", ES_JSON_OPTIONAL, &family, err));
    ES_TRY(es_json_get_text(&root, "notes", ES_JSON_OPTIONAL, &notes, err));
    ES_TRY(es_json_get_text(&root, "model", ES_JSON_OPTIONAL, &model, err));
    ES_TRY(es_json_get(&root, "sources", ES_JSON_ARRAY, ES_JSON_REQUIRED, &sources, err));
    if (!is_plain(file) || (model && !is_plain(model)))
        return es_json_complain(&root, "\"file\" is not a name in this folder", err);
    ES_TRY(copy_text(name, &out->name, err));
    ES_TRY(copy_text(file, &out->file, err));
    ES_TRY(copy_text(model, &out->model, err));
    ES_TRY(copy_text(family, &out->family, err));
    ES_TRY(copy_text(notes, &out->notes, err));
    out->source = es_alloc_zero(es_json_count(&sources), sizeof *out->source);
    ES_FAIL_IF(!out->source, es_no_memory(err));
    for (es_json_value s = es_json_first(&sources); s.node; s = es_json_next(&s)) {
        const char *source = NULL, *digest = NULL;
        derived_source *own = &out->source[out->n_sources];
        ES_TRY(es_json_get_text(&s, "name", ES_JSON_REQUIRED, &source, err));
        ES_TRY(es_json_get_text(&s, "digest", ES_JSON_REQUIRED, &digest, err));
        if (!es_digest_parse(digest, &own->digest))
            return es_json_complain(&s, "\"digest\" is none", err);
        ES_TRY(copy_text(source, &own->name, err));
        out->n_sources++;
    }
done:
    return st;
}

/* Reads the description of one derived embedder; a damaged one is noted and skipped. */
static es_status add_entry(derived_list *list, const char *folder, const char *name,
                           es_error *err) {
    derived_entry entry = {0}, *more = NULL;
    es_json_doc *doc = NULL;
    es_error why = {0};
    char *path = es_path_join(folder, name);
    if (!path)
        return es_no_memory(err);
    es_status st = es_json_read(path, ES_FILE_NOFOLLOW, SIDE_MOST, &doc, &why);
    es_free(path);
    if (st == ES_OK)
        st = read_entry(doc, &entry, &why);
    if (st == ES_OK)
        st = copy_text(name, &entry.side, &why);
    es_json_free(doc);
    if (st == ES_OK && !(more = es_realloc(list->entry, list->count + 1, sizeof *more)))
        st = ES_ENOMEM;
    if (st == ES_OK) {
        list->entry = more;
        list->entry[list->count++] = entry;
        return ES_OK;
    }
    derived_entry_deinit(&entry);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (!list->problem)
        list->problem = es_strdup(why.message); /* lost without memory */
    return ES_OK;
}

static int by_file(const void *a, const void *b) {
    return strcmp(((const derived_entry *)a)->file, ((const derived_entry *)b)->file);
}

bool derived_is_side(const char *file) {
    size_t length = strlen(file);
    return file[0] != '.' && length > 5 && strcmp(file + length - 5, ".json") == 0;
}

es_status derived_list_read(const char *folder, derived_list *out, es_error *err) {
    derived_list list = {0};
    es_status st = ES_OK;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && st == ES_OK && (e = readdir(dir)) != NULL;)
        if (derived_is_side(e->d_name))
            st = add_entry(&list, folder, e->d_name, err);
    if (dir)
        closedir(dir);
    if (st != ES_OK) {
        derived_list_deinit(&list);
        return st;
    }
    if (list.count > 1)
        qsort(list.entry, list.count, sizeof *list.entry, by_file);
    *out = list;
    return ES_OK;
}
