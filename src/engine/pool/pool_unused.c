/* By their first bytes and their endings: what people keep embeddings in, and how each becomes a
 * .npy file. */
#include <string.h>
#include <strings.h>

#include "engine_pool_parts.h"
#include "io_readers.h"

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
    {"tar", "packed; unpack it"},
    {"zst", "packed: unzstd it"},
    {"xz", "packed: unxz it"},
};

#define UNFINISHED "a download that is not finished; fetch it again, or wait until it is there"

static const char *const of_downloads[] = {"part",     "partial",    "crdownload",
                                           "download", "incomplete", "tmp"};

static const char *ending_of(const char *path) {
    const char *name = es_path_base(path);
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

/* ---- ids and queries of nobody ---- */

/* Ids and vectors of queries lie beside an embedder under its name. One whose name is a little
 * different is read by nobody, and rows that it was to match are taken as they stand. */

enum { TOLD_MOST = 12 };

/* What the name of a file beside an embedder ends with. */
static const char *const endings[] = {ES_POOL_QUERIES_TEXT, ES_POOL_QUERIES_CSV, ES_ROW_IDS_TEXT,
                                      ES_ROW_IDS_CSV, ES_POOL_QUERIES};
enum { OF_QUERIES_TEXT, OF_QUERIES_CSV, OF_TEXT, OF_CSV, OF_QUERIES, KINDS };

typedef struct orphan {
    const char *path;
    char *stem;  /* what stands before the ending */
    size_t kind; /* of endings[] */
} orphan;

/* Splits a path into its stem and the kind that its ending shows. */
static es_status split_name(const char *path, orphan *out, es_error *err) {
    size_t length = strlen(path), k = 0;
    while (k + 1 < KINDS && (strlen(endings[k]) > length ||
                             strcasecmp(path + length - strlen(endings[k]), endings[k]) != 0))
        k++;
    *out = (orphan){.path = path, .kind = k, .stem = es_strndup(path, length - strlen(endings[k]))};
    return out->stem ? ES_OK : es_no_memory(err);
}

/* What such files are called after, by model: the path below the pool without its ending, and of
 * queries its name. */
typedef struct keys {
    es_words of_ids, of_queries;
} keys;

/* Lists the names under which ids or queries could lie, sorted. */
static es_status make_keys(const es_pool *pool, keys *out, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        const char *path = pool_below(pool, pool->item[i].model.path);
        st = es_words_take(&out->of_ids, es_strndup(path, es_loader_stem(path)), err);
        if (st == ES_OK)
            st = es_words_add(&out->of_queries, pool->item[i].model.name, err);
    }
    return st;
}

static bool is_of_queries(const orphan *o) {
    return o->kind == OF_QUERIES || o->kind == OF_QUERIES_TEXT || o->kind == OF_QUERIES_CSV;
}

static const es_words *keys_of(const keys *all, const orphan *o) {
    return is_of_queries(o) ? &all->of_queries : &all->of_ids;
}

static bool is_called(const orphan *o, const char *key) {
    return strcmp(o->stem, key) == 0 &&
           strcmp(o->path + strlen(o->stem), endings[o->kind]) == 0; /* in these letters */
}

static bool is_listed(const pool_listing *listing, const orphan *o) {
    for (size_t i = 0; i < listing->count; i++) {
        const char *path = listing->entry[i].path;
        size_t stem = es_loader_stem(path);
        if (strlen(o->stem) == stem && strncmp(path, o->stem, stem) == 0)
            return true;
    }
    return false;
}

static bool has_beside(const pool_listing *listing, const orphan *o, const char *ending) {
    size_t stem = strlen(o->stem);
    for (size_t i = 0; i < listing->beside.count; i++) {
        const char *path = listing->beside.word[i];
        if (strncmp(path, o->stem, stem) == 0 && strcmp(path + stem, ending) == 0)
            return true;
    }
    return false;
}

/* True if the names are equal except for case and the ending of a file of embeddings. */
static bool is_nearly(const char *stem, const char *key) {
    const char *a = es_path_base(stem), *b = es_path_base(key);
    size_t length = strlen(b);
    return strncasecmp(a, b, length) == 0 &&
           (a[length] == '\0' || (a[length] == '.' && es_loader_stem(a) == length));
}

static bool share_folder(const char *stem, const char *key) {
    size_t length = (size_t)(es_path_base(key) - key);
    return (size_t)(es_path_base(stem) - stem) == length && strncmp(stem, key, length) == 0;
}

static bool is_owned(const es_words *names, const orphan *o) {
    for (size_t i = 0; i < names->count; i++)
        if (is_called(o, names->word[i]))
            return true;
    return false;
}

/* Whose it may be; SIZE_MAX: nobody's. */
static size_t find_nearest(const es_words *names, const orphan *o) {
    es_suggestion near = {.word = o->stem};
    size_t found = SIZE_MAX, elsewhere = SIZE_MAX;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->word[i], *before = near.best;
        bool same = is_nearly(o->stem, name);
        if (same && share_folder(o->stem, name))
            return i;
        elsewhere = same && elsewhere == SIZE_MAX ? i : elsewhere;
        es_suggestion_offer(&near, name);
        found = near.best == before ? found : i;
    }
    return elsewhere < SIZE_MAX ? elsewhere : found;
}

/* Warns of a file beside an embedder that does not exist, with the name that it may mean. */
static void warn_of_orphan(es_pool *pool, const keys *all, const orphan *o) {
    char label[ES_PATH_LABEL], wanted[ES_PATH_LABEL];
    const char *what = o->kind == OF_QUERIES ? "queries"
                       : is_of_queries(o)    ? "ids of queries"
                                             : "ids";
    size_t near = find_nearest(keys_of(all, o), o);
    es_path_label(label, o->path);
    if (near == SIZE_MAX) {
        pool_warn(pool, label, "not read, as there is no embedder of this name");
        return;
    }
    const pool_item *item = &pool->item[near];
    bool grave = !is_of_queries(o) && item->ids == SIZE_MAX &&
                 item->model.state != ES_MODEL_EXCLUDED; /* its rows are taken as they stand */
    pool_report(pool, grave ? POOL_GRAVE : POOL_NOTED, label,
                "not read; if it holds the %s of %s, call it %s%s", what,
                is_of_queries(o) ? item->model.name : item->model.file,
                es_path_label(wanted, keys_of(all, o)->word[near]), endings[o->kind]);
}

/* Warns of a file that looks like ids of an embedder and is not read; the first few are listed. */
static es_status warn_of_one(es_pool *pool, const pool_listing *listing, const keys *all,
                             bool lists, const char *path, size_t *told, es_error *err) {
    orphan o = {0};
    es_status st = split_name(path, &o, err);
    if (st != ES_OK)
        return st;
    bool owned = is_owned(keys_of(all, &o), &o);
    bool second = owned && o.kind == OF_CSV && has_beside(listing, &o, ES_ROW_IDS_TEXT);
    bool mistaken = second || (!owned && !(lists && is_listed(listing, &o)));
    if (mistaken && (*told)++ < TOLD_MOST) {
        if (second)
            pool_warn(pool, es_path_shown(path).text,
                      "not read, as there are ids in the file that ends with %s, too",
                      ES_ROW_IDS_TEXT);
        else
            warn_of_orphan(pool, all, &o);
    }
    es_free(o.stem);
    return ES_OK;
}

es_status pool_tell_orphans(es_pool *pool, const pool_listing *listing, bool lists, es_error *err) {
    keys all = {0};
    size_t told = 0;
    es_status st = listing->beside.count > 0 ? make_keys(pool, &all, err) : ES_OK;
    for (size_t i = 0; i < listing->beside.count && st == ES_OK; i++)
        st = warn_of_one(pool, listing, &all, lists, listing->beside.word[i], &told, err);
    if (told > TOLD_MOST)
        pool_warn(pool, NULL, "%zu more file%s of ids or queries belong%s to no embedder",
                  told - TOLD_MOST, told == TOLD_MOST + 1 ? "" : "s",
                  told == TOLD_MOST + 1 ? "s" : "");
    es_words_deinit(&all.of_ids);
    es_words_deinit(&all.of_queries);
    return st;
}
