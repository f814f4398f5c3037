/* Signatures of file formats, those that are read and those that are not, with a word on how to
 * convert the latter. */
#include "format.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "buf.h"

static bool starts_with(const es_map *map, const char *magic, size_t length) {
    return map->size >= length && memcmp(map->data, magic, length) == 0;
}

/* Whether `word` occurs in data[from .. from + span), as far as the file goes. */
static bool contains(const es_map *map, size_t from, size_t span, const char *word) {
    size_t length = strlen(word), end = map->size - from < span ? map->size : from + span;
    for (size_t i = from; i + length <= end; i++)
        if (map->data[i] == (unsigned char)word[0] && memcmp(map->data + i, word, length) == 0)
            return true;
    return false;
}

/* A zip's first entry is named near its start; all entries are listed near its end. */
static bool zip_has(const es_map *map, const char *name) {
    enum { START = 512, END = 1 << 16 };
    size_t tail = map->size > END ? map->size - END : 0;
    return contains(map, 0, START, name) || contains(map, tail, END, name);
}

static bool is_safetensors(const es_map *map) {
    if (map->size < 10 || map->data[8] != '{')
        return false;
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length << 8 | map->data[i];
    return length >= 2 && length <= map->size - 8;
}

static bool is_text(const es_map *map) {
    static const char blanks[] = {'\t', '\n', '\r', '\f'};
    size_t span = map->size < 512 ? map->size : 512;
    for (size_t i = 0; i < span; i++)
        if (map->data[i] < 0x20 && !memchr(blanks, map->data[i], sizeof blanks))
            return false;
    return true;
}

static es_format zip_of(const es_map *map) {
    if (zip_has(map, "data.pkl"))
        return ES_FORMAT_TORCH;
    return zip_has(map, ".npy") ? ES_FORMAT_NPZ : ES_FORMAT_ZIP;
}

es_format es_format_of(const es_map *map) {
    static const struct {
        const char *magic;
        size_t length;
        es_format format;
    } known[] = {
        {"\x93NUMPY", 6, ES_FORMAT_NPY},
        {"PK\x03\x04", 4, ES_FORMAT_ZIP},
        /* PyTorch before 1.6 begins with its magic number, pickled as a ten-byte integer */
        {"\x80\x02\x8a\x0al\xfc\x9c"
         "F\xf9 j\xa8P\x19",
         14, ES_FORMAT_TORCH},
        {"\x89HDF\r\n\x1a\n", 8, ES_FORMAT_HDF5},
        {"\x1f\x8b", 2, ES_FORMAT_GZIP},
        {"\x28\xb5\x2f\xfd", 4, ES_FORMAT_ZSTD},
        {"\xfd"
         "7zXZ\0",
         6, ES_FORMAT_XZ},
        {"PAR1", 4, ES_FORMAT_PARQUET},
        {"ARROW1", 6, ES_FORMAT_ARROW},
        {"MATLAB 5.0 MAT-file", 19, ES_FORMAT_MAT},
        {"MATLAB 7.3 MAT-file", 19, ES_FORMAT_HDF5}, /* behind a block of text */
    };
    if (map->size == 0)
        return ES_FORMAT_EMPTY;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(map, known[i].magic, known[i].length))
            return known[i].format == ES_FORMAT_ZIP ? zip_of(map) : known[i].format;
    if (is_safetensors(map))
        return ES_FORMAT_SAFETENSORS;
    if (map->size >= 2 && map->data[0] == 0x80 && map->data[1] >= 2 && map->data[1] <= 5)
        return ES_FORMAT_PICKLE;
    return is_text(map) ? ES_FORMAT_TEXT : ES_FORMAT_UNKNOWN;
}

/* Conversions, as Python statements: < is the file, > the .npy to make. */
static const struct {
    const char *what, *python;
} refusals[] = {
    [ES_FORMAT_NPY] = {"is a NumPy array; name it .npy", NULL},
    [ES_FORMAT_SAFETENSORS] = {"is a safetensors file; name it .safetensors", NULL},
    [ES_FORMAT_TEXT] = {"is text", NULL},
    [ES_FORMAT_TORCH] = {"is a PyTorch archive",
                         "import torch,numpy as np; np.save('>', torch.load('<',map_location='cpu',"
                         "weights_only=True).float().numpy())"},
    [ES_FORMAT_PICKLE] = {"is a Python pickle, which can run anything when it is loaded: only if "
                          "it is your own",
                          "import pickle,numpy as np; np.save('>', np.asarray(pickle.load(open('<',"
                          "'rb')),'float32'))"},
    [ES_FORMAT_NPZ] = {"is an .npz archive; name it .npz", NULL},
    [ES_FORMAT_ZIP] = {"is a zip archive; unpack it", NULL},
    [ES_FORMAT_HDF5] = {"is an HDF5 file", "import h5py,numpy as np; f=h5py.File('<'); "
                                           "np.save('>', f[list(f)[0]][:])"},
    [ES_FORMAT_GZIP] = {"is compressed with gzip; unpack it with gunzip", NULL},
    [ES_FORMAT_ZSTD] = {"is compressed with zstd; unpack it with unzstd", NULL},
    [ES_FORMAT_XZ] = {"is compressed with xz; unpack it with unxz", NULL},
    [ES_FORMAT_PARQUET] = {"is a Parquet file",
                           "import pandas,numpy as np; d=pandas.read_parquet('<'); np.save('>', "
                           "np.stack(d['embedding']) if 'embedding' in d else "
                           "d.to_numpy('float32'))"},
    [ES_FORMAT_ARROW] = {"is an Arrow file",
                         "import pandas,numpy as np; d=pandas.read_feather('<'); np.save('>', "
                         "np.stack(d['embedding']) if 'embedding' in d else "
                         "d.to_numpy('float32'))"},
    [ES_FORMAT_MAT] = {"is a MATLAB file",
                       "import scipy.io,numpy as np; m=scipy.io.loadmat('<'); np.save('>', "
                       "[v for k,v in m.items() if k[0]!='_'][0])"},
    [ES_FORMAT_FAISS] = {"is a FAISS index",
                         "import faiss,numpy as np; i=faiss.read_index('<'); np.save('>', "
                         "i.reconstruct_n(0,i.ntotal))"},
};

bool es_path_is_plain(const char *path) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    size_t length = strlen(path);
    return length > 0 && length <= 100 && strspn(path, plain) == length && path[0] != '-';
}

/* The name the converted array gets: another extension, or another stem where it is .npy already.
 */
static void put_target(es_buf *buf, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);
    es_buf_add(buf, path, stem);
    es_buf_puts(buf, strcmp(path + stem, ".npy") == 0 ? "-array.npy" : ".npy");
}

static void put_command(es_buf *buf, const char *python, const char *path) {
    const char *name = es_path_is_plain(path) ? path : "FILE";
    es_buf_puts(buf, "python -c \"");
    for (const char *p = python; *p; p++) {
        if (*p == '<')
            es_buf_puts(buf, name);
        else if (*p == '>')
            put_target(buf, name);
        else
            es_buf_putc(buf, *p);
    }
    es_buf_putc(buf, '"');
}

/* How much of what is said of a file: that it is to be named otherwise only where it is. */
static int said_of(const char *what, const char *path) {
    const char *name = strstr(what, "; name it "), *dot = strrchr(path, '.');
    bool named = name && dot && strcasecmp(dot, name + strlen("; name it ")) == 0;
    return (int)(named ? (size_t)(name - what) : strlen(what));
}

es_status es_format_refuse(es_format format, const char *path, const char *wanted, es_error *err) {
    char label[ES_PATH_LABEL];
    es_path_label(label, path);
    if (format == ES_FORMAT_EMPTY)
        return es_fail(err, ES_EFORMAT, "%s: is empty, expected %s", label, wanted);
    if (format == ES_FORMAT_UNKNOWN)
        return es_fail(err, ES_EFORMAT, "%s: is not %s (unknown first bytes)", label, wanted);
    if (!refusals[format].python) {
        const char *what = refusals[format].what;
        return es_fail(err, ES_EUNSUPPORTED, "%s: %.*s, expected %s", label, said_of(what, path),
                       what, wanted);
    }
    es_buf command = {0};
    put_command(&command, refusals[format].python, path);
    if (es_buf_check(&command, err) != ES_OK) {
        es_buf_free(&command);
        return ES_ENOMEM;
    }
    es_error_set(err, ES_EUNSUPPORTED, "%s: %s; convert it: %s", label, refusals[format].what,
                 command.data);
    es_buf_free(&command);
    return ES_EUNSUPPORTED;
}
