/* By their first bytes and their endings: what people keep embeddings in, and how each becomes a
 * .npy file. */
#include "engine_pool_parts.h"

#include <string.h>
#include <strings.h>

#include "json_rows.h"

#define NOT_A_MATRIX                                                                               \
    "its first lines do not look like a matrix of numbers; where it is one all the same, name it " \
    "in pool.json: {\"models\": [{\"file\": \"NAME\"}]}"

#define OF_PAIRS                                                                                   \
    "a table of embedders by embedders, as `embedscope matrix` writes it, and no embedder; "       \
    "`embedscope rank --matrix FILE` reads it"
#define OF_MODELS                                                                                  \
    "a table about models, as `embedscope rank --csv` writes it, and no embedder; downstream "     \
    "scores are read from scores.csv, or with --scores FILE"

static const char *const of_json[] = {
    [ES_JSON_LIST_OF_ROWS] =
        "a list of rows; this writes it as one that is read: python3 -c 'import json, numpy as np; "
        "np.save(\"FILE.npy\", np.array(json.load(open(\"FILE\")), \"float32\"))'",
    [ES_JSON_OBJECTS] =
        "a list of objects with vectors; this writes one a line, as is read: python3 -c 'import "
        "json; open(\"FILE.jsonl\", \"w\").writelines(json.dumps(row) + \"\\n\" for row in "
        "json.load(open(\"FILE\")))'",
    [ES_JSON_BY_ID] =
        "vectors under their ids; this writes one a line, as is read: python3 -c 'import json; "
        "open(\"FILE.jsonl\", \"w\").writelines(json.dumps({\"id\": i, \"embedding\": x}) + "
        "\"\\n\" "
        "for i, x in json.load(open(\"FILE\")).items())'",
    [ES_JSON_OTHER_ROWS] =
        "JSON with vectors in it; as .jsonl, {\"id\": ..., \"embedding\": [numbers]} a line, they "
        "are read",
};

static const struct {
    const char *ending, *why;
} kinds[] = {
    {"csv", NOT_A_MATRIX},
    {"tsv", NOT_A_MATRIX},
    {"txt", NOT_A_MATRIX},
    {"jsonl",
     "its first line holds no vector; each line is {\"id\": ..., \"embedding\": [numbers]}"},
    {"ndjson",
     "its first line holds no vector; each line is {\"id\": ..., \"embedding\": [numbers]}"},
    {"gz", "packed: gunzip it"},
    {"zip", "packed: unzip it"},
    {"tar", "packed: unpack it"},
    {"zst", "packed: unzstd it"},
    {"xz", "packed: unxz it"},
};

#define UNFINISHED "a download that is not finished; fetch it again, or wait until it is there"

static const char *const of_downloads[] = {"part",     "partial",    "crdownload",
                                           "download", "incomplete", "tmp"};

static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : "";
}

static bool has_ending(const char *path, const char *ending) {
    return strcasecmp(ending_of(path), ending) == 0;
}

const char *const pool_annotations[] = {
    "pool.json",      "rows.csv",         "scores.csv",   "tasks.csv",   "labels.csv",
    "pairs.csv",      "pairs_graded.csv", "qrels.csv",    "models.csv",  "groups.csv",
    "background.csv", "categories.csv",   "families.csv", ES_POOL_DUELS, NULL};

bool pool_is_annotation(const char *name) {
    for (const char *const *known = pool_annotations; *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

bool pool_is_companion(const char *path) {
    static const char *const other[] = {
        "md",  "json", "yaml", "yml",  "toml", "py",  "ipynb", "c",       "h",   "sh",
        "log", "png",  "jpg",  "jpeg", "gif",  "svg", "pdf",   "html",    "wav", "mp3",
        "mp4", "db",   "tex",  "xml",  "smi",  "sdf", "fasta", "license", NULL};
    const char *ending = ending_of(path);
    if (pool_is_annotation(path))
        return true;
    for (const char *const *e = other; *e; e++)
        if (strcasecmp(ending, *e) == 0)
            return true;
    return ending[0] == '\0' && strcasecmp(path, "LICENSE") == 0;
}

/* A message begins with the path, as in those about embedders that are left out. */
static const char *why_by_format(es_format format, es_error *refused) {
    static const char file[] = "FILE";
    (void)es_format_refuse(format, file, "an embedder", refused);
    char *expected = strstr(refused->message, ", expected ");
    if (expected)
        *expected = '\0';
    return refused->message + strlen(file) + strlen(": ");
}

/* What its bytes say, whatever it is called; NULL: nothing that helps. */
static const char *why_by_content(const es_map *map, const char *path, es_error *refused) {
    es_format format = es_format_of(map);
    if (format == ES_FILE_EMPTY)
        return "it is empty";
    if (format == ES_FILE_TEXT && (has_ending(path, "csv") || has_ending(path, "tsv")))
        switch (es_table_kind_of(map, path)) {
        case ES_TABLE_OF_PAIRS:
            return OF_PAIRS;
        case ES_TABLE_OF_MODELS:
            return OF_MODELS;
        default:
            return NULL;
        }
    if (has_ending(path, "json") && format == ES_FILE_TEXT)
        return of_json[es_json_rows_of(map)];
    if (format == ES_FILE_UNKNOWN)
        format = es_format_by_name(path);
    return format == ES_FILE_UNKNOWN || format == ES_FILE_TEXT ? NULL
                                                               : why_by_format(format, refused);
}

static const char *why_by_name(const char *path) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_ending(path, kinds[i].ending))
            return kinds[i].why;
    return "no format of embeddings that is known here; .npy, .npz, .safetensors, .csv, .jsonl, "
           "word2vec's and HDF5 are";
}

static bool is_download(const char *path) {
    for (size_t i = 0; i < sizeof of_downloads / sizeof *of_downloads; i++)
        if (has_ending(path, of_downloads[i]))
            return true;
    return false;
}

es_status pool_unused_add(es_unused *unused, const char *path, const char *full, es_error *err) {
    es_map map = {0};
    es_error refused = {0};
    const char *why = NULL;
    if (is_download(path))
        why = UNFINISHED;
    else if (full && es_map_open(full, 0, &map, NULL) == ES_OK)
        why = why_by_content(&map, path, &refused);
    es_status st = es_words_take(&unused->file, es_text_clean(path, strlen(path), 0), err);
    if (st == ES_OK)
        st = es_words_add(&unused->why, why ? why : why_by_name(path), err);
    es_map_close(&map);
    return st;
}

static void swap_texts(char **a, char **b) {
    char *kept = *a;
    *a = *b;
    *b = kept;
}

void pool_unused_sort(es_unused *unused) {
    char **file = unused->file.word, **why = unused->why.word;
    for (size_t i = 1; i < unused->file.count; i++) /* a thousand at most */
        for (size_t k = i; k > 0 && strcmp(file[k - 1], file[k]) > 0; k--) {
            swap_texts(&file[k - 1], &file[k]);
            swap_texts(&why[k - 1], &why[k]);
        }
}

es_status pool_unused_add_folder(es_unused *unused, const char *path, const char *why,
                                 es_error *err) {
    es_status st = es_words_take(&unused->file, es_text_clean(path, strlen(path), 0), err);
    if (st == ES_OK)
        st = es_words_add(&unused->why, why, err);
    if (st == ES_OK)
        pool_unused_sort(unused);
    return st;
}

void es_unused_deinit(es_unused *unused) {
    es_words_deinit(&unused->file);
    es_words_deinit(&unused->why);
    es_free(unused->folder);
}

bool es_unused_may_be_embedder(const es_unused *unused, size_t at) {
    return strcmp(unused->why.word[at], OF_PAIRS) != 0 &&
           strcmp(unused->why.word[at], OF_MODELS) != 0;
}

/* It may be a command: a name that a shell would take apart is not put into it. */
static void put_file(const es_unused *unused, const char *file, es_buf *out) {
    if (!es_path_is_plain(file)) {
        es_buf_puts(out, "FILE");
        return;
    }
    es_buf_printf(out, "%s%s%s", unused->folder ? unused->folder : "", unused->folder ? "/" : "",
                  file);
}

void es_unused_put(const es_unused *unused, size_t at, es_buf *out) {
    const char *file = unused->file.word[at];
    for (const char *why = unused->why.word[at]; *why;) {
        bool is_file = strncmp(why, "FILE", 4) == 0, is_name = strncmp(why, "NAME", 4) == 0,
             is_rows = strncmp(why, "ROWS", 4) == 0 && unused->rows > 0;
        if (is_file)
            put_file(unused, file, out);
        else if (is_name)
            es_buf_puts(out, es_path_is_plain(file) ? file : "FILE");
        else if (is_rows)
            es_buf_printf(out, "%zu", unused->rows);
        else
            es_buf_putc(out, *why);
        why += is_file || is_name || is_rows ? 4 : 1;
    }
}

bool es_unused_line(const es_unused *unused, size_t at, size_t names, es_buf *out) {
    const char *why = unused->why.word[at];
    size_t same = 0;
    for (size_t k = 0; k < at; k++)
        if (strcmp(unused->why.word[k], why) == 0)
            return false;
    for (size_t k = at; k < unused->file.count; k++)
        if (strcmp(unused->why.word[k], why) == 0)
            es_buf_name(out, &same, names, unused->file.word[k]);
    es_buf_names_end(out, same, names);
    es_buf_puts(out, ": ");
    es_unused_put(unused, at, out);
    return true;
}
