/* By their endings: what people keep embeddings in, and how each becomes a .npy file. */
#include "pool_unused.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "pool.h"

#define NOT_A_MATRIX                                                                               \
    "its first lines do not look like a matrix of numbers; where it is one all the same, name it " \
    "in pool.json: {\"models\": [{\"file\": \"FILE\"}]}"

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
    {"bin", "not word2vec's binary format; numbers alone: python3 -c 'import numpy as np; "
            "np.save(\"FILE.npy\", np.fromfile(\"FILE\", \"float32\").reshape(ROWS, -1))'"},
    {"gz", "packed: gunzip it"},
    {"zip", "packed: unzip it"},
    {"tar", "packed: unpack it"},
    {"zst", "packed: unzstd it"},
    {"xz", "packed: unxz it"},
};

static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : "";
}

bool pool_is_annotation(const char *name) {
    static const char *const beside[] = {
        "pool.json",      "rows.csv",         "scores.csv", "tasks.csv",  "labels.csv",
        "pairs.csv",      "pairs_graded.csv", "qrels.csv",  "models.csv", "groups.csv",
        "background.csv", "categories.csv",   NULL};
    for (const char *const *known = beside; *known; known++)
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

const char *es_pool_unused_why(const char *path) {
    const char *ending = ending_of(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(ending, kinds[i].ending) == 0)
            return kinds[i].why;
    return "no format of embeddings that is known here; .npy, .npz, .safetensors, .csv, .jsonl, "
           "word2vec's and HDF5 are";
}

void es_pool_unused_put(const char *path, es_buf *out) {
    const char *why = es_pool_unused_why(path);
    for (const char *at; (at = strstr(why, "FILE")) != NULL; why = at + 4) {
        es_buf_add(out, why, (size_t)(at - why));
        es_buf_puts(out, path);
    }
    es_buf_puts(out, why);
}

bool es_pool_unused_line(const es_words *unused, size_t at, es_buf *out) {
    const char *why = es_pool_unused_why(unused->word[at]);
    size_t same = 0;
    for (size_t k = 0; k < at; k++)
        if (es_pool_unused_why(unused->word[k]) == why)
            return false;
    for (size_t k = at; k < unused->count; k++)
        same += es_pool_unused_why(unused->word[k]) == why;
    es_buf_puts(out, unused->word[at]);
    if (same > 1)
        es_buf_printf(out, " and %zu more", same - 1);
    es_buf_puts(out, ": ");
    es_pool_unused_put(unused->word[at], out);
    return true;
}
