/* By their endings: what people keep embeddings in, and how each becomes a .npy file. */
#include "pool_unused.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "pool.h"

static const struct {
    const char *ending, *why;
} kinds[] = {
    {"csv", "a table is taken when pool.json names it: {\"models\": [{\"file\": \"FILE\"}]}"},
    {"tsv", "a table is taken when pool.json names it: {\"models\": [{\"file\": \"FILE\"}]}"},
    {"txt", "text; of numbers: python3 -c 'import numpy as np; np.save(\"FILE.npy\", "
            "np.loadtxt(\"FILE\"))'"},
    {"jsonl", "python3 -c 'import json, numpy as np; np.save(\"FILE.npy\", "
              "[json.loads(l)[\"embedding\"] for l in open(\"FILE\")])'"},
    {"h5", "python3 -c 'import h5py, numpy as np; np.save(\"FILE.npy\", "
           "h5py.File(\"FILE\")[\"NAME\"][:])'"},
    {"hdf5", "python3 -c 'import h5py, numpy as np; np.save(\"FILE.npy\", "
             "h5py.File(\"FILE\")[\"NAME\"][:])'"},
    {"h5ad", "python3 -c 'import anndata, numpy as np; np.save(\"FILE.npy\", "
             "anndata.read_h5ad(\"FILE\").X)'"},
    {"mat", "python3 -c 'import scipy.io, numpy as np; np.save(\"FILE.npy\", "
            "scipy.io.loadmat(\"FILE\")[\"NAME\"])'"},
    {"parquet", "python3 -c 'import pandas, numpy as np; np.save(\"FILE.npy\", "
                "np.stack(pandas.read_parquet(\"FILE\")[\"embedding\"]))'"},
    {"arrow", "python3 -c 'import pandas, numpy as np; np.save(\"FILE.npy\", "
              "np.stack(pandas.read_feather(\"FILE\")[\"embedding\"]))'"},
    {"feather", "python3 -c 'import pandas, numpy as np; np.save(\"FILE.npy\", "
                "np.stack(pandas.read_feather(\"FILE\")[\"embedding\"]))'"},
    {"pkl", "python3 -c 'import pickle, numpy as np; np.save(\"FILE.npy\", "
            "pickle.load(open(\"FILE\", \"rb\")))' (a pickle can run anything: only your own)"},
    {"pickle", "python3 -c 'import pickle, numpy as np; np.save(\"FILE.npy\", "
               "pickle.load(open(\"FILE\", \"rb\")))' (a pickle can run anything: only your own)"},
    {"index", "python3 -c 'import faiss, numpy as np; i = faiss.read_index(\"FILE\"); "
              "np.save(\"FILE.npy\", i.reconstruct_n(0, i.ntotal))'"},
    {"faiss", "python3 -c 'import faiss, numpy as np; i = faiss.read_index(\"FILE\"); "
              "np.save(\"FILE.npy\", i.reconstruct_n(0, i.ntotal))'"},
    {"bin", "numbers alone: python3 -c 'import numpy as np; np.save(\"FILE.npy\", "
            "np.fromfile(\"FILE\", \"float32\").reshape(ROWS, -1))'"},
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

bool pool_is_companion(const char *path) {
    static const char *const beside[] = {
        "pool.json",      "rows.csv",         "scores.csv", "tasks.csv",  "labels.csv",
        "pairs.csv",      "pairs_graded.csv", "qrels.csv",  "models.csv", "groups.csv",
        "background.csv", "categories.csv",   NULL};
    static const char *const other[] = {
        "md",  "json", "yaml", "yml",  "toml", "py",  "ipynb", "c",       "h",   "sh",
        "log", "png",  "jpg",  "jpeg", "gif",  "svg", "pdf",   "html",    "wav", "mp3",
        "mp4", "db",   "tex",  "xml",  "smi",  "sdf", "fasta", "license", NULL};
    const char *ending = ending_of(path);
    for (const char *const *name = beside; *name; name++)
        if (strcmp(path, *name) == 0)
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
    return "no format of embeddings that is known here; .npy and .safetensors are";
}

void es_pool_unused_put(const char *path, es_buf *out) {
    const char *why = es_pool_unused_why(path);
    for (const char *at; (at = strstr(why, "FILE")) != NULL; why = at + 4) {
        es_buf_add(out, why, (size_t)(at - why));
        es_buf_puts(out, path);
    }
    es_buf_puts(out, why);
}
