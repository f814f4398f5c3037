/* Signatures of file formats, those that are read and those that are not, with a word on how to
 * convert the latter. */
#include "io_files.h"

#include <string.h>
#include <strings.h>

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

/* The mark of the order of bytes, and a letter that needs one of its two. */
static bool is_utf16(const es_map *map) {
    return (starts_with(map, "\xff\xfe", 2) || starts_with(map, "\xfe\xff", 2)) && map->size >= 4 &&
           (map->data[2] == 0) != (map->data[3] == 0);
}

/* Returns which kind of zip archive a file is: ESM, PyTorch, .npz or other. */
static es_format zip_of(const es_map *map) {
    enum { SPAN = 4096 };
    if (zip_has(map, "data.pkl"))
        return contains(map, 0, SPAN, "mean_representations") ? ES_FILE_ESM : ES_FILE_TORCH;
    return zip_has(map, ".npy") ? ES_FILE_NPZ : ES_FILE_ZIP;
}

/* Arrow's messages: -1, the length of what describes the first, and that. */
static bool is_arrow_stream(const es_map *map) {
    uint32_t length = 0;
    if (!starts_with(map, "\xff\xff\xff\xff", 4) || map->size < 16)
        return false;
    for (int i = 7; i >= 4; i--)
        length = length << 8 | map->data[i];
    return length >= 8 && length % 8 == 0 && length <= map->size - 8 && map->data[8] > 0 &&
           map->data[8] < 64;
}

/* Recognises text left in place of a file: Git LFS pointers, web pages, error messages. */
static es_format text_of(const es_map *map) {
    static const struct {
        const char *start;
        es_format format;
    } known[] = {{"version https://git-lfs.github.com/spec/", ES_FILE_POINTER},
                 {"/annex/objects/", ES_FILE_ANNEX},
                 {"../.git/annex/objects/", ES_FILE_ANNEX},
                 {"<!doctype html", ES_FILE_HTML},
                 {"<html", ES_FILE_HTML},
                 {"<head", ES_FILE_HTML},
                 {"<?xml", ES_FILE_XML},
                 {"<error", ES_FILE_XML}};
    const char *text = (const char *)map->data, *end = text + map->size;
    if (starts_with(map, "\xef\xbb\xbf", 3))
        text += 3;
    while (text < end && (es_ascii_is_blank(*text) || *text == '\n' || *text == '\r'))
        text++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].start);
        if (length <= (size_t)(end - text) && strncasecmp(text, known[i].start, length) == 0)
            return known[i].format;
    }
    return ES_FILE_TEXT;
}

static es_format pickle_of(const es_map *map) {
    enum { SPAN = 256 };
    return contains(map, 0, SPAN, "pandas.core.frame") ? ES_FILE_FRAME : ES_FILE_PICKLE;
}

es_format es_format_of(const es_map *map) {
    static const struct {
        const char *magic;
        size_t length;
        es_format format;
    } known[] = {
        {"\x93NUMPY", 6, ES_FILE_NPY},
        {"PK\x03\x04", 4, ES_FILE_ZIP},
        /* PyTorch before 1.6 begins with its magic number, pickled as a ten-byte integer */
        {"\x80\x02\x8a\x0al\xfc\x9c"
         "F\xf9 j\xa8P\x19",
         14, ES_FILE_TORCH},
        {"\x89HDF\r\n\x1a\n", 8, ES_FILE_HDF5},
        {"\x1f\x8b", 2, ES_FILE_GZIP},
        {"\x28\xb5\x2f\xfd", 4, ES_FILE_ZSTD},
        {"\xfd"
         "7zXZ\0",
         6, ES_FILE_XZ},
        {"PAR1", 4, ES_FILE_PARQUET},
        {"ARROW1", 6, ES_FILE_ARROW},
        {"FEA1", 4, ES_FILE_ARROW},
        {"\xba\x16\x4f\x2f", 4, ES_FILE_FASTTEXT},
        {"MATLAB 5.0 MAT-file", 19, ES_FILE_MAT},
        {"MATLAB 7.3 MAT-file", 19, ES_FILE_HDF5}, /* behind a block of text */
    };
    if (map->size == 0)
        return ES_FILE_EMPTY;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(map, known[i].magic, known[i].length))
            return known[i].format == ES_FILE_ZIP ? zip_of(map) : known[i].format;
    if (is_safetensors(map))
        return ES_FILE_SAFETENSORS;
    if (map->size >= 2 && map->data[0] == 0x80 && map->data[1] >= 2 && map->data[1] <= 5)
        return pickle_of(map);
    if (is_utf16(map))
        return ES_FILE_UTF16;
    if (is_arrow_stream(map))
        return ES_FILE_ARROW_STREAM;
    return is_text(map) ? text_of(map) : ES_FILE_UNKNOWN;
}

es_format es_format_by_name(const char *path) {
    static const struct {
        const char *ending;
        es_format format;
    } known[] = {
        {"npy", ES_FILE_NUMBERS},  {"dat", ES_FILE_NUMBERS},     {"raw", ES_FILE_NUMBERS},
        {"mmap", ES_FILE_NUMBERS}, {"memmap", ES_FILE_NUMBERS},  {"bytes", ES_FILE_NUMBERS},
        {"f32", ES_FILE_NUMBERS},  {"float32", ES_FILE_NUMBERS}, {"bin", ES_FILE_NUMBERS},
        {"fbin", ES_FILE_FBIN},    {"u8bin", ES_FILE_U8BIN},     {"i8bin", ES_FILE_I8BIN},
        {"fvecs", ES_FILE_FVECS},  {"bvecs", ES_FILE_BVECS}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot + 1, known[i].ending) == 0)
            return known[i].format;
    return ES_FILE_UNKNOWN;
}

/* Conversions, as Python statements: < is the file, > the file to make, * its folder. */

/* From d, arrays under names, to one archive: vectors become rows with the names as ids. */
#define SAVE_ALL                                                                                   \
    "d={str(k):np.asarray(a) for k,a in d.items()}; "                                              \
    "d={k:a for k,a in d.items() if a.ndim and a.dtype.kind in 'biufU'}; np.savez('>', "           \
    "**(d if max(a.ndim for a in d.values())>1 else "                                              \
    "dict(ids=list(d),x=np.stack(list(d.values())))))"
/* From x: what was loaded, a dict of arrays or anything that is rows. */
#define SAVE_OBJECT "d=x if isinstance(x,dict) else {'x':np.asarray(x,'float32')}; " SAVE_ALL
/* From f, a frame: its columns of lists, else its columns of numbers; with its ids. */
#define SAVE_FRAME                                                                                 \
    "d={str(k):np.stack(f[k]) for k in f if np.ndim(f[k].iloc[0])==1} or "                         \
    "{'x':f.select_dtypes('number').to_numpy('float32')}; np.savez('>', **d, "                     \
    "**{'ids':f[k].to_numpy('U') for k in f if k in('id','_id','ids')})"
/* Rows and columns stand before the numbers. */
#define SAVE_COUNTED(type)                                                                         \
    "import numpy as np; np.save('>', "                                                            \
    "np.fromfile('<','" type "',offset=8).reshape(np.fromfile('<','int32',2)))"
#define YOURS ", which can run anything when it is loaded: only if it is your own"

static const struct {
    const char *what, *python, *makes;
} refusals[ES_FILE_COUNT] = {
    [ES_FILE_NPY] = {"is a NumPy array; name it .npy", NULL, NULL},
    [ES_FILE_SAFETENSORS] = {"is a safetensors file; name it .safetensors", NULL, NULL},
    [ES_FILE_TEXT] = {"is text", NULL, NULL},
    [ES_FILE_TORCH] = {"is a PyTorch archive",
                       "import torch,numpy as np; x=torch.load('<',map_location='cpu',"
                       "weights_only=True); t=lambda a: a.detach().float().numpy() if "
                       "hasattr(a,'detach') else [t(i) for i in a] if isinstance(a,(list,tuple)) "
                       "else a; d={k:t(a) for k,a in (x if isinstance(x,dict) else "
                       "{'x':x}).items()}; " SAVE_ALL,
                       ".npz"},
    [ES_FILE_ESM] = {"is one vector, as ESM saves them; this joins all of its folder",
                     "import glob,torch,numpy as np; x=[torch.load(i) for i in "
                     "sorted(glob.glob('*/*.pt'))]; np.savez('*/esm.npz', ids=[i['label'] for i in "
                     "x], x=np.stack([list(i['mean_representations'].values())[-1].numpy() for i "
                     "in x]))",
                     ".npz"},
    [ES_FILE_PICKLE] = {"is a Python pickle" YOURS,
                        "import pickle,numpy as np; x=pickle.load(open('<','rb')); " SAVE_OBJECT,
                        ".npz"},
    [ES_FILE_FRAME] = {"is a pickled pandas frame" YOURS,
                       "import pandas,numpy as np; f=pandas.read_pickle('<'); " SAVE_FRAME, ".npz"},
    [ES_FILE_OBJECTS] = {"holds Python objects (dtype object)" YOURS,
                         "import numpy as np; x=np.load('<',allow_pickle=True); x=x.item() if "
                         "x.ndim==0 else list(x); " SAVE_OBJECT,
                         ".npz"},
    [ES_FILE_NPZ] = {"is an .npz archive; name it .npz", NULL, NULL},
    [ES_FILE_ZIP] = {"is a zip archive; unpack it", NULL, NULL},
    [ES_FILE_HDF5] = {"is an HDF5 file",
                      "import h5py,numpy as np; d={}; h5py.File('<').visititems(lambda k,a: "
                      "d.update({k:a[:].T if 'MATLAB_class' in a.attrs else a[:]}) if "
                      "getattr(a,'ndim',0) else None); " SAVE_ALL,
                      ".npz"},
    [ES_FILE_UTF16] = {"is UTF-16 text; write it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW",
                       NULL, NULL},
    [ES_FILE_GZIP] = {"is compressed with gzip; unpack it with gunzip < FILE > NEW", NULL, NULL},
    [ES_FILE_ZSTD] = {"is compressed with zstd; unpack it with unzstd < FILE > NEW", NULL, NULL},
    [ES_FILE_XZ] = {"is compressed with xz; unpack it with unxz < FILE > NEW", NULL, NULL},
    [ES_FILE_PARQUET] = {"is a Parquet file",
                         "import pandas,numpy as np; f=pandas.read_parquet('<'); " SAVE_FRAME,
                         ".npz"},
    [ES_FILE_ARROW] = {"is an Arrow file",
                       "import pandas,numpy as np; f=pandas.read_feather('<'); " SAVE_FRAME,
                       ".npz"},
    [ES_FILE_ARROW_STREAM] =
        {"is a stream of Arrow",
         "import pyarrow,numpy as np; "
         "f=pyarrow.ipc.open_stream(open('<','rb')).read_pandas(); " SAVE_FRAME,
         ".npz"},
    [ES_FILE_MAT] = {"is a MATLAB file",
                     "import scipy.io,numpy as np; np.savez('>', **{k:a for k,a in "
                     "scipy.io.loadmat('<').items() if getattr(a,'ndim',0)==2 and "
                     "min(a.shape)>1})",
                     ".npz"},
    [ES_FILE_FAISS] = {"is a FAISS index",
                       "import faiss,numpy as np; i=faiss.read_index('<'); np.save('>', "
                       "i.reconstruct_n(0,i.ntotal))",
                       ".npy"},
    [ES_FILE_FASTTEXT] = {"is a fastText model",
                          "import fasttext,numpy as np; m=fasttext.load_model('<'); "
                          "w=m.get_words(); np.savez('>', ids=w, "
                          "x=np.stack([m.get_word_vector(i) for i in w]))",
                          ".npz"},
    [ES_FILE_POINTER] = {"is a Git LFS pointer, not the file itself; git lfs pull fetches it", NULL,
                         NULL},
    [ES_FILE_ANNEX] = {"is a pointer of git-annex, not the file itself; git annex get fetches it",
                       NULL, NULL},
    [ES_FILE_HTML] = {"is a web page (HTML), not the file itself; download it again, from the "
                      "address of the raw file and signed in where that is needed",
                      NULL, NULL},
    [ES_FILE_XML] = {"is XML, as a server answers in place of a file; download it again", NULL,
                     NULL},
    [ES_FILE_NUMBERS] = {"has no header that is known; if it holds float32 numbers alone",
                         "import numpy as np; np.save('>', "
                         "np.fromfile('<','float32').reshape(ROWS,-1))",
                         ".npy"},
    [ES_FILE_FBIN] = {"holds counts and float32 numbers", SAVE_COUNTED("float32"), ".npy"},
    [ES_FILE_U8BIN] = {"holds counts and uint8 numbers", SAVE_COUNTED("uint8"), ".npy"},
    [ES_FILE_I8BIN] = {"holds counts and int8 numbers", SAVE_COUNTED("int8"), ".npy"},
    [ES_FILE_FVECS] = {"holds float32 vectors, each after its length",
                       "import numpy as np; x=np.fromfile('<','int32'); np.save('>', "
                       "x.reshape(-1,x[0]+1)[:,1:].copy().view('float32'))",
                       ".npy"},
    [ES_FILE_BVECS] = {"holds uint8 vectors, each after its length",
                       "import numpy as np; x=np.fromfile('<','uint8'); np.save('>', "
                       "x.reshape(-1,x[:4].view('int32')[0]+4)[:,4:])",
                       ".npy"},
};

bool es_path_is_plain(const char *path) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
    size_t length = strlen(path);
    return length > 0 && length <= 100 && strspn(path, plain) == length && path[0] != '-';
}

/* The name of the file to make: another ending, or another stem where it has that already. */
static void put_target(es_buf *buf, const char *path, const char *ending) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);
    es_buf_add(buf, path, stem);
    es_buf_printf(buf, "%s%s", strcmp(path + stem, ending) == 0 ? "-array" : "", ending);
}

static void put_folder(es_buf *buf, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash && slash > path)
        es_buf_add(buf, path, (size_t)(slash - path));
    else
        es_buf_putc(buf, '.');
}

/* A star that follows a quote stands for the folder: others multiply, unpack or match. */
static void put_command(es_buf *buf, es_format format, const char *path) {
    const char *name = es_path_is_plain(path) ? path : "FILE", *python = refusals[format].python;
    es_buf_puts(buf, "python3 -c \"");
    for (const char *p = python; *p; p++) {
        if (*p == '<')
            es_buf_puts(buf, name);
        else if (*p == '>' && p > python && p[-1] == '\'')
            put_target(buf, name, refusals[format].makes);
        else if (*p == '*' && p > python && p[-1] == '\'')
            put_folder(buf, name);
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
    if (format == ES_FILE_EMPTY)
        return es_fail(err, ES_EFORMAT, "%s: is empty, expected %s", label, wanted);
    es_status st = format == ES_FILE_UNKNOWN ? ES_EFORMAT : ES_EUNSUPPORTED;
    if (format == ES_FILE_UNKNOWN)
        format = es_format_by_name(path);
    if (format == ES_FILE_UNKNOWN)
        return es_fail(err, ES_EFORMAT, "%s: is not %s (unknown first bytes)", label, wanted);
    if (!refusals[format].python && format >= ES_FILE_POINTER) /* what to do is in it */
        return es_fail(err, ES_EUNSUPPORTED, "%s: %s", label, refusals[format].what);
    if (!refusals[format].python) {
        const char *what = refusals[format].what;
        return es_fail(err, ES_EUNSUPPORTED, "%s: %.*s, expected %s", label, said_of(what, path),
                       what, wanted);
    }
    es_buf command = {0};
    put_command(&command, format, path);
    if (es_buf_check(&command, err) != ES_OK) {
        es_buf_free(&command);
        return ES_ENOMEM;
    }
    es_error_set(err, st, "%s: %s%c convert it: %s", label, refusals[format].what,
                 format == ES_FILE_NUMBERS ? ',' : ';', command.data);
    es_buf_free(&command);
    return st;
}
