/* The side that calls the library. It runs in a process of its own and ends with it, so that
 * nothing is closed or given back. The library is loaded when the first HDF5 file is met: linked,
 * it would make every start of the program slower by the 30 libraries that it stands on. */
#define _XOPEN_SOURCE 700
#include "io_readers_parts.h"

#ifdef ES_HDF5_LIBRARY

#include <dlfcn.h>
#include <hdf5.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DEPTH_MOST = 16, OBJECTS_MOST = 1 << 20, NAME_MOST = 1024, BLOCK = 4 << 20, RATIO = 1100 };
enum { OBJECT_BYTES = 16 /* no object takes fewer in its file */ };
enum { STEP_SECONDS = 3, STEP_BYTES = 16 << 20 /* of the file, that one second more is for */ };
#define CHUNK_MOST ((size_t)256 << 20)
enum { LISTS_MOST = 16 };

#define FUNCTIONS(X)                                                                               \
    X(H5open)                                                                                      \
    X(H5Eset_auto2)                                                                                \
    X(H5PLset_loading_state)                                                                       \
    X(H5Fopen)                                                                                     \
    X(H5Oopen)                                                                                     \
    X(H5Oclose)                                                                                    \
    X(H5Iget_type)                                                                                 \
    X(H5Literate)                                                                                  \
    X(H5Lexists)                                                                                   \
    X(H5Dget_space)                                                                                \
    X(H5Dget_type)                                                                                 \
    X(H5Dget_create_plist)                                                                         \
    X(H5Dget_offset)                                                                               \
    X(H5Dread)                                                                                     \
    X(H5Screate_simple)                                                                            \
    X(H5Sselect_hyperslab)                                                                         \
    X(H5Sget_simple_extent_ndims)                                                                  \
    X(H5Sget_simple_extent_dims)                                                                   \
    X(H5Sclose)                                                                                    \
    X(H5Tclose)                                                                                    \
    X(H5Tget_class)                                                                                \
    X(H5Tget_super)                                                                                \
    X(H5Tget_nmembers)                                                                             \
    X(H5Tget_member_index)                                                                         \
    X(H5Tget_member_value)                                                                         \
    X(H5Tget_size)                                                                                 \
    X(H5Tget_order)                                                                                \
    X(H5Tget_sign)                                                                                 \
    X(H5Tget_fields)                                                                               \
    X(H5Tget_ebias)                                                                                \
    X(H5Tis_variable_str)                                                                          \
    X(H5Pget_layout)                                                                               \
    X(H5Pget_chunk)                                                                                \
    X(H5Pget_external_count)                                                                       \
    X(H5Aexists)                                                                                   \
    X(H5Aopen)                                                                                     \
    X(H5Aget_type)                                                                                 \
    X(H5Aread)

#define MEMBER(name) __typeof__(&(name)) name##_;
#define TEXT_OF(name) #name
#define LOAD(name)                                                                                 \
    *(void **)(void *)&h5.name##_ = dlsym(library, TEXT_OF(name));                                 \
    complete = complete && h5.name##_;

static struct { FUNCTIONS(MEMBER) } h5;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool complete;

static void load_library(void) {
    void *library = dlopen(ES_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    complete = library != NULL;
    if (library) {
        FUNCTIONS(LOAD)
    }
}

bool es_hdf5_load(void) {
    (void)pthread_once(&once, load_library);
    return complete;
}

/* Datasets of one dimension and one length, which are rows of a matrix where there is no other. */
typedef struct vectors {
    size_t count, odd; /* odd: of another length than the first */
    uint64_t length;
    hid_t type; /* of the first */
} vectors;

/* What is done with datasets on the way: the last two with vectors alone. */
typedef enum pass { PASS_LIST, PASS_IDS, PASS_VALUES } pass;

typedef struct walk {
    int fd;
    pass pass;
    vectors vectors;
    uint64_t size;
    size_t member, found; /* wanted; arrays met so far */
    size_t objects;
    bool anndata;
    hid_t file;
    uint64_t rows;          /* of the first array; 0: none yet */
    char *list[LISTS_MOST]; /* (lists) paths of datasets of one dimension that may be ids */
    size_t lists;
} walk;

/* ---- the pipe ---- */

static void put(const walk *w, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t done = write(w->fd, at, size);
        if (done <= 0)
            _exit(3); /* nobody reads any more */
        at += done;
        size -= (size_t)done;
    }
}

static void say(const walk *w, es_hdf5_record record, const char *text, size_t length) {
    if (w->member != SIZE_MAX)
        return;
    record.length = (uint32_t)length;
    put(w, &record, sizeof record);
    put(w, text, length);
}

_Noreturn static void end(const walk *w) {
    say(w, (es_hdf5_record){.kind = ES_HDF5_END}, "", 0);
    _exit(0);
}

_Noreturn static void fail(const walk *w, const char *why) {
    say(w, (es_hdf5_record){.kind = ES_HDF5_FAILED}, why, strlen(why));
    _exit(2);
}

/* In a damaged file the library may go round for ever: each step has some seconds of processor
 * time, and the process ends by SIGXCPU in one that takes more. */
static void begin_step(const walk *w) {
    struct rlimit limit;
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur =
        (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + STEP_SECONDS + w->size / STEP_BYTES;
    (void)setrlimit(RLIMIT_CPU, &limit);
}

/* ---- types ---- */

static bool find_float(hid_t type, es_dtype *out) {
    static const struct {
        size_t size, spos, epos, esize, msize, bias;
        es_dtype dtype;
    } known[] = {{2, 15, 10, 5, 10, 15, ES_DTYPE_F16},
                 {4, 31, 23, 8, 23, 127, ES_DTYPE_F32},
                 {8, 63, 52, 11, 52, 1023, ES_DTYPE_F64}};
    size_t spos, epos, esize, mpos, msize;
    if (h5.H5Tget_fields_(type, &spos, &epos, &esize, &mpos, &msize) < 0)
        return false;
    for (size_t i = 0; i < 3; i++)
        if (h5.H5Tget_size_(type) == known[i].size && spos == known[i].spos &&
            epos == known[i].epos && esize == known[i].esize && mpos == 0 &&
            msize == known[i].msize && h5.H5Tget_ebias_(type) == known[i].bias) {
            *out = known[i].dtype;
            return true;
        }
    return false;
}

/* As h5py writes it: FALSE and TRUE alone, and of these values. */
static bool is_bool(hid_t type) {
    static const char *const names[] = {"FALSE", "TRUE"};
    bool same = h5.H5Tget_size_(type) == 1 && h5.H5Tget_nmembers_(type) == 2;
    for (unsigned char i = 0; i < 2 && same; i++) {
        unsigned char value = 2;
        int at = h5.H5Tget_member_index_(type, names[i]);
        same = at >= 0 && h5.H5Tget_member_value_(type, (unsigned)at, &value) >= 0 && value == i;
    }
    return same;
}

static bool find_dtype(hid_t type, es_dtype *dtype, bool *big_endian) {
    static const es_dtype integers[2][4] = {
        {ES_DTYPE_U8, ES_DTYPE_U16, ES_DTYPE_U32, ES_DTYPE_U64},
        {ES_DTYPE_I8, ES_DTYPE_I16, ES_DTYPE_I32, ES_DTYPE_I64}};
    H5T_class_t class = h5.H5Tget_class_(type);
    size_t size = h5.H5Tget_size_(type), log = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    *big_endian = size > 1 && h5.H5Tget_order_(type) == H5T_ORDER_BE;
    if (class == H5T_ENUM && is_bool(type)) {
        *dtype = ES_DTYPE_BOOL;
        return true;
    }
    if (class == H5T_ENUM) /* whole numbers with names */
        return find_dtype(h5.H5Tget_super_(type), dtype, big_endian);
    if (class == H5T_INTEGER && size == (size_t)1 << log) {
        *dtype = integers[h5.H5Tget_sign_(type) == H5T_SGN_2][log];
        return true;
    }
    return class == H5T_FLOAT && find_float(type, dtype);
}

/* ---- values ---- */

/* Rows of a chunk, or as many as make a block. */
static uint64_t block_rows(hid_t plist, uint64_t n, uint64_t row) {
    hsize_t chunk[2] = {1, 1};
    uint64_t rows = 1;
    if (h5.H5Pget_layout_(plist) == H5D_CHUNKED && h5.H5Pget_chunk_(plist, 2, chunk) == 2)
        rows = chunk[0];
    while (rows < n && 2 * rows * row <= BLOCK)
        rows *= 2;
    return rows < n ? rows : n;
}

static void send_values(const walk *w, hid_t set, hid_t type, hid_t space, hid_t plist, uint64_t n,
                        uint64_t d) {
    uint64_t row = d * h5.H5Tget_size_(type), rows = block_rows(plist, n, row);
    if (rows == 0 || row == 0 || row > CHUNK_MOST / rows)
        _exit(4);
    char *block = es_alloc((size_t)rows, (size_t)row);
    if (!block)
        _exit(ES_HDF5_NO_MEMORY);
    for (uint64_t at = 0; at < n; at += rows) {
        begin_step(w);
        hsize_t start[2] = {at, 0}, count[2] = {n - at < rows ? n - at : rows, d};
        hid_t memory = h5.H5Screate_simple_(2, count, NULL);
        if (h5.H5Sselect_hyperslab_(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
            h5.H5Dread_(set, type, memory, space, H5P_DEFAULT, block) < 0)
            _exit(5);
        put(w, block, (size_t)(count[0] * row));
    }
    _exit(0);
}

/* ---- datasets ---- */

static void skip(walk *w, const char *name, const char *why) {
    char text[NAME_MOST + 200];
    int length = snprintf(text, sizeof text, "%s%c%s", name, 0, why);
    say(w, (es_hdf5_record){.kind = ES_HDF5_SKIPPED}, text, (size_t)length);
    w->found++;
}

static void skip_cube(walk *w, hid_t space, int rank, const char *name) {
    hsize_t dims[H5S_MAX_RANK] = {0};
    char why[160];
    (void)h5.H5Sget_simple_extent_dims_(space, dims, NULL);
    (void)snprintf(why, sizeof why,
                   "it is %d-D (%llu x %llu x %llu%s), expected 2-D (rows, columns); pool it or "
                   "save x.reshape(len(x), -1)",
                   rank, (unsigned long long)dims[0], (unsigned long long)dims[1],
                   (unsigned long long)dims[2], rank > 3 ? " ..." : "");
    skip(w, name, why);
}

static void skip_type(walk *w, hid_t type, const char *name) {
    static const char cast[] = "save numbers: x.astype(\"float32\")";
    char why[160];
    H5T_class_t class = h5.H5Tget_class_(type);
    const char *what = class == H5T_STRING     ? "texts"
                       : class == H5T_COMPOUND ? "structures of fields (complex numbers are such)"
                       : class == H5T_VLEN     ? "lists of any length"
                       : class == H5T_ARRAY    ? "arrays within its cells"
                       : class == H5T_OPAQUE || class == H5T_BITFIELD ? "raw bytes"
                       : class == H5T_FLOAT                           ? "floats of an unusual form"
                       : class == H5T_INTEGER ? "whole numbers of an unusual width"
                                              : "no numbers";
    (void)snprintf(why, sizeof why, "it holds %s; %s", what, cast);
    skip(w, name, why);
}

static const char *judge(const walk *w, hid_t plist, uint64_t n, uint64_t d, size_t size) {
    hsize_t chunk[2] = {1, 1};
    H5D_layout_t layout = h5.H5Pget_layout_(plist);
    if (layout == H5D_VIRTUAL || h5.H5Pget_external_count_(plist) > 0)
        return "its values are in other files; copy it into one";
    if (n == 0 || d == 0)
        return "it holds no values";
    if (n > ES_ARRAY_MOST || d > ES_ARRAY_MOST || n > RATIO * (w->size + 64) / size / d)
        return "it promises more values than its file can hold";
    if (layout == H5D_CHUNKED &&
        (h5.H5Pget_chunk_(plist, 2, chunk) != 2 || chunk[0] > CHUNK_MOST / (d * size)))
        return "its chunks are too large; save it with smaller ones";
    return NULL;
}

/* Keeps the path of a dataset that may hold ids: labels and the like, of which a file is full, are
 * told from them once they are read. */
static void note_list(walk *w, hid_t type, const char *name) {
    H5T_class_t class = h5.H5Tget_class_(type);
    if (!w->anndata && w->lists < LISTS_MOST && (class == H5T_STRING || class == H5T_INTEGER) &&
        (w->list[w->lists] = es_strdup(name)) != NULL)
        w->lists++;
}

/* The class that MATLAB gave it, "double" say; "": it is not MATLAB's. */
static void find_class(hid_t set, char *out, size_t size) {
    out[0] = '\0';
    if (h5.H5Aexists_(set, "MATLAB_class") <= 0)
        return;
    hid_t attribute = h5.H5Aopen_(set, "MATLAB_class", H5P_DEFAULT);
    hid_t type = h5.H5Aget_type_(attribute);
    size_t length = h5.H5Tget_size_(type);
    (void)snprintf(out, size, "unknown");
    if (h5.H5Tget_class_(type) != H5T_STRING || h5.H5Tis_variable_str_(type) > 0 || length >= size)
        return;
    memset(out, 0, size);
    (void)h5.H5Aread_(attribute, type, out);
}

/* Vectors, texts and what is no numbers, which MATLAB keeps in two dimensions, too. */
static bool is_matrix_of_matlab(hid_t set, const char *class, const hsize_t dims[2]) {
    static const char *const others[] = {"char", "cell", "struct", "function_handle", "unknown"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(class, others[i]) == 0)
            return false;
    return dims[0] > 1 && dims[1] > 1 && h5.H5Aexists_(set, "MATLAB_empty") <= 0;
}

/* A dataset of one dimension, or of one row. */
static void take_vector(walk *w, hid_t set, hid_t type, uint64_t length, const char *name) {
    vectors *v = &w->vectors;
    es_dtype dtype;
    bool big_endian;
    if (!find_dtype(type, &dtype, &big_endian) || length == 0 || length > ES_ARRAY_MOST)
        return;
    if (w->pass == PASS_LIST) {
        v->type = v->count == 0 ? type : v->type;
        v->length = v->count == 0 ? length : v->length;
        v->odd += length != v->length;
        v->count++;
        return;
    }
    if (length != v->length) /* another file meanwhile */
        _exit(4);
    if (w->pass == PASS_IDS) {
        const char *id = es_path_base(name);
        say(w, (es_hdf5_record){.kind = ES_HDF5_ID}, id, strlen(id));
        return;
    }
    size_t size = h5.H5Tget_size_(v->type);
    char *row = es_alloc((size_t)length, size);
    if (!row)
        _exit(ES_HDF5_NO_MEMORY);
    if (h5.H5Dread_(set, v->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, row) < 0)
        _exit(5);
    put(w, row, (size_t)length * size);
    es_free(row);
}

static void take_dataset(walk *w, hid_t set, const char *name) {
    hsize_t dims[2] = {0};
    char class[32];
    es_dtype dtype = ES_DTYPE_F32;
    bool big_endian = false;
    hid_t space = h5.H5Dget_space_(set), type = h5.H5Dget_type_(set);
    int rank = h5.H5Sget_simple_extent_ndims_(space);
    if (rank > 2 && w->pass == PASS_LIST)
        skip_cube(w, space, rank, name);
    if (rank < 1 || rank > 2)
        return;
    if (rank == 1 && w->pass == PASS_LIST)
        note_list(w, type, name);
    (void)h5.H5Sget_simple_extent_dims_(space, dims, NULL);
    find_class(set, class, sizeof class);
    if (*class ? !is_matrix_of_matlab(set, class, dims) : rank == 2 && dims[0] == 0)
        return;
    if (rank == 1 || (dims[0] == 1 && dims[1] > 1)) { /* labels and the like, or rows */
        take_vector(w, set, type, rank == 1 ? dims[0] : dims[1], name);
        (void)h5.H5Sclose_(space); /* there may be a million of them */
        if (type != w->vectors.type)
            (void)h5.H5Tclose_(type);
        return;
    }
    if (w->pass != PASS_LIST)
        return;
    hid_t plist = h5.H5Dget_create_plist_(set);
    if (!find_dtype(type, &dtype, &big_endian)) {
        skip_type(w, type, name);
        return;
    }
    const char *why = judge(w, plist, dims[0], dims[1], h5.H5Tget_size_(type));
    if (why) {
        skip(w, name, why);
        return;
    }
    if (w->found++ == w->member)
        send_values(w, set, type, space, plist, dims[0], dims[1]);
    haddr_t offset =
        h5.H5Pget_layout_(plist) == H5D_CONTIGUOUS ? h5.H5Dget_offset_(set) : HADDR_UNDEF;
    bool turned = *class != '\0'; /* columns stand one after the other */
    w->rows = w->rows ? w->rows : dims[turned];
    say(w,
        (es_hdf5_record){.kind = ES_HDF5_ARRAY,
                         .dtype = dtype,
                         .big_endian = big_endian,
                         .fortran = turned,
                         .n = dims[turned],
                         .d = dims[!turned],
                         .offset = offset == HADDR_UNDEF ? UINT64_MAX : offset},
        name, strlen(name));
}

/* Is it a group of AnnData that stands for a sparse matrix? */
static bool is_sparse(hid_t group) {
    return h5.H5Lexists_(group, "indptr", H5P_DEFAULT) > 0;
}

static bool is_wanted(const walk *w, const char *name, bool group) {
    if (!w->anndata)
        return true;
    return strcmp(name, "X") == 0 || (group && strcmp(name, "obsm") == 0) ||
           strncmp(name, "obsm/", 5) == 0;
}

typedef struct visit_state {
    walk *w;
    const char *path;
    unsigned depth;
    H5L_info_t link; /* what leads to the group; zero for the root */
    const struct visit_state *above;
} visit_state;

static void visit(hid_t group, const visit_state *at);

static bool is_above(const visit_state *at, const H5L_info_t *link) {
    while (at && memcmp(&at->link.u, &link->u, sizeof link->u) != 0)
        at = at->above;
    return at != NULL;
}

static void visit_object(const visit_state *at, hid_t object, const H5L_info_t *link,
                         const char *name, const char *whole) {
    walk *w = at->w;
    H5I_type_t type = h5.H5Iget_type_(object);
    bool top = at->depth == 0, set = type == H5I_DATASET, group = type == H5I_GROUP;
    if (w->anndata && top && set && strcmp(name, "obsm") == 0)
        skip(w, whole,
             "it is a table, as AnnData before 0.7 wrote it; write it again with a newer anndata: "
             "anndata.read_h5ad(FILE).write_h5ad(NEW)");
    if (!is_wanted(w, whole, group) || name[0] == '#') /* MATLAB's own */
        return;
    if (set && !(top && strcmp(name, "ids") == 0))
        take_dataset(w, object, whole);
    else if (group && is_sparse(object))
        skip(w, whole, "it is sparse; adata.X = adata.X.toarray() makes it dense");
    else if (group && !is_above(at, link))
        visit(object, &(visit_state){w, whole, at->depth + 1, *link, at});
}

/* H5L_iterate_t; a link that goes elsewhere is not followed. */
static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *link, void *context) {
    const visit_state *at = context;
    char whole[NAME_MOST];
    if (at->w->objects++ >= OBJECTS_MOST || at->w->objects > at->w->size / OBJECT_BYTES)
        return 1;
    begin_step(at->w);
    int length = snprintf(whole, sizeof whole, "%s%s%s", at->path, *at->path ? "/" : "", name);
    if (link->type != H5L_TYPE_HARD || length >= (int)sizeof whole)
        return 0;
    hid_t object = h5.H5Oopen_(group, name, H5P_DEFAULT);
    if (object < 0)
        return 0;
    visit_object(at, object, link, name, whole);
    (void)h5.H5Oclose_(object);
    return 0;
}

/* In one go: to ask for the links of a large group one by one takes the square of the time. */
static void visit(hid_t group, const visit_state *at) {
    if (at->depth <= DEPTH_MOST)
        (void)h5.H5Literate_(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, (void *)at);
}

/* ---- ids ---- */

static void say_id(const walk *w, const char *text, size_t length) {
    say(w, (es_hdf5_record){.kind = ES_HDF5_ID}, text, length);
}

/* Texts of a dataset: cells of one width, or pointers. NULL: they cannot be read. */
typedef struct text_cells {
    char *cells;
    size_t width;
    bool variable;
} text_cells;

static text_cells read_texts(const walk *w, hid_t set, hid_t type, uint64_t n) {
    text_cells t = {.width = h5.H5Tget_size_(type), .variable = h5.H5Tis_variable_str_(type) > 0};
    if (t.width == 0 || n == 0 || (!t.variable && n > RATIO * (w->size + 64) / t.width))
        return t;
    t.cells = es_alloc_zero((size_t)n, t.width);
    if (!t.cells)
        _exit(ES_HDF5_NO_MEMORY);
    if (h5.H5Dread_(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, t.cells) < 0)
        t.cells = NULL;
    return t;
}

static void say_text(const walk *w, const text_cells *t, uint64_t i) {
    const char *text = t->cells + i * t->width;
    if (t->variable)
        memcpy(&text, t->cells + i * t->width, sizeof text);
    say_id(w, text ? text : "", text ? t->variable ? strlen(text) : strnlen(text, t->width) : 0);
}

static void say_texts(const walk *w, hid_t set, hid_t type, uint64_t n) {
    text_cells t = read_texts(w, set, type, n);
    for (uint64_t i = 0; t.cells && i < n; i++)
        say_text(w, &t, i);
}

/* Numbers of a dataset; data is NULL: they cannot be read. */
static es_array read_numbers(hid_t set, hid_t type, uint64_t n) {
    es_array list = {.n = (size_t)n, .d = 1};
    if (n == 0 || !find_dtype(type, &list.dtype, &list.big_endian))
        return list;
    unsigned char *cells = es_alloc_zero((size_t)n, es_dtype_size(list.dtype));
    if (!cells)
        _exit(ES_HDF5_NO_MEMORY);
    if (h5.H5Dread_(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) >= 0)
        list.data = cells;
    return list;
}

static void say_numbers(const walk *w, hid_t set, hid_t type, uint64_t n) {
    const es_array list = read_numbers(set, type, n);
    for (size_t i = 0; list.data && i < n; i++) {
        double value;
        char text[40];
        es_array_read_range(&list, i, 1, &value);
        int length = value == floor(value) && fabs(value) < 1e20
                         ? snprintf(text, sizeof text, "%.0f", value)
                         : snprintf(text, sizeof text, "%.17g", value);
        say_id(w, text, (size_t)length);
    }
}

/* Texts or numbers, as a list or as one column. 0: it is neither. */
static uint64_t length_of_list(hid_t space, hid_t type) {
    hsize_t dims[2] = {0, 1};
    int rank = h5.H5Sget_simple_extent_ndims_(space);
    H5T_class_t class = h5.H5Tget_class_(type);
    if ((class != H5T_STRING && class != H5T_INTEGER && class != H5T_FLOAT) ||
        (rank != 1 && rank != 2) || h5.H5Sget_simple_extent_dims_(space, dims, NULL) != rank)
        return 0;
    return dims[1] == 1 ? dims[0] : 0;
}

/* At a path whose every part is there: of as many as rows, unless it is the user's own, which is
 * refused then. */
static void say_ids(const walk *w, const char *name, bool own) {
    static const char none[] =
        "its ids are no list of texts or numbers, so that rows are not matched by them but taken "
        "in their order";
    hid_t set = h5.H5Oopen_(w->file, name, H5P_DEFAULT);
    if (set < 0 || h5.H5Iget_type_(set) != H5I_DATASET || w->rows == 0)
        return;
    begin_step(w);
    hid_t space = h5.H5Dget_space_(set), type = h5.H5Dget_type_(set);
    uint64_t n = length_of_list(space, type);
    if (n == 0 && own)
        say(w, (es_hdf5_record){.kind = ES_HDF5_NOTE}, none, sizeof none - 1);
    if (n == 0 || (!own && n != w->rows))
        return;
    if (n > 16 * w->rows + 64) /* before there is room made for them */
        fail(w, "its ids are many times as many as its rows");
    if (h5.H5Tget_class_(type) == H5T_STRING)
        say_texts(w, set, type, n);
    else
        say_numbers(w, set, type, n);
}

static void say_lists(const walk *w) {
    for (size_t i = 0; i < w->lists; i++) {
        say(w, (es_hdf5_record){.kind = ES_HDF5_LIST}, w->list[i], strlen(w->list[i]));
        say_ids(w, w->list[i], false);
    }
}

static hid_t open_list(const walk *w, const char *name, hid_t *type, uint64_t *n) {
    hid_t set = h5.H5Oopen_(w->file, name, H5P_DEFAULT);
    *n = 0;
    if (set < 0 || h5.H5Iget_type_(set) != H5I_DATASET)
        return -1;
    *type = h5.H5Dget_type_(set);
    *n = length_of_list(h5.H5Dget_space_(set), *type);
    return set;
}

/* A code a row, and the texts that they stand for; -1 stands for none. False: they are not so. */
static bool say_categories(const walk *w, const char *codes_name, const char *texts_name) {
    hid_t codes_type = -1, type = -1;
    uint64_t n, m;
    hid_t codes_set = open_list(w, codes_name, &codes_type, &n);
    hid_t set = open_list(w, texts_name, &type, &m);
    if (codes_set < 0 || set < 0 || n != w->rows || m == 0 || m > 16 * w->rows + 64 ||
        h5.H5Tget_class_(codes_type) != H5T_INTEGER || h5.H5Tget_class_(type) != H5T_STRING)
        return false;
    const es_array codes = read_numbers(codes_set, codes_type, n);
    const text_cells t = read_texts(w, set, type, m);
    for (size_t i = 0; codes.data && t.cells && i < n; i++) {
        double code;
        es_array_read_range(&codes, i, 1, &code);
        if (code >= 0 && code < (double)m)
            say_text(w, &t, (uint64_t)code);
        else
            say_id(w, "", 0);
    }
    return codes.data && t.cells;
}

static void note_observations(const walk *w, const char *what) {
    char text[300];
    int length = snprintf(text, sizeof text,
                          "the names of its observations %s, so that rows are not matched by them "
                          "but taken in their order; write it again with a newer anndata: a = "
                          "anndata.read_h5ad(FILE); a.obs_names = a.obs_names.astype(str); "
                          "a.write_h5ad(NEW)",
                          what);
    say(w, (es_hdf5_record){.kind = ES_HDF5_NOTE}, text, (size_t)length);
}

/* Which dataset or group of obs names the observations; AnnData says so at obs. */
static void find_index(hid_t obs, char *out, size_t size) {
    char *text = NULL;
    (void)snprintf(out, size, "_index");
    if (h5.H5Aexists_(obs, "_index") <= 0)
        return;
    hid_t attribute = h5.H5Aopen_(obs, "_index", H5P_DEFAULT);
    hid_t type = h5.H5Aget_type_(attribute);
    if (h5.H5Tget_class_(type) == H5T_STRING && h5.H5Tis_variable_str_(type) > 0 &&
        h5.H5Aread_(attribute, type, &text) >= 0 && text)
        (void)snprintf(out, size, "%s", text);
}

static bool has_part(hid_t group, const char *name) {
    return h5.H5Lexists_(group, name, H5P_DEFAULT) > 0;
}

static void say_observations(const walk *w) {
    char name[NAME_MOST], codes[NAME_MOST + 20], texts[NAME_MOST + 20], value[200];
    hid_t obs = has_part(w->file, "obs") ? h5.H5Oopen_(w->file, "obs", H5P_DEFAULT) : -1;
    hid_t type = -1;
    uint64_t n;
    if (obs < 0 || w->rows == 0)
        return;
    if (h5.H5Iget_type_(obs) == H5I_DATASET) {
        note_observations(w, "are in a table, as AnnData before 0.7 wrote them");
        return;
    }
    find_index(obs, value, sizeof value);
    if (h5.H5Iget_type_(obs) != H5I_GROUP || !has_part(obs, value))
        return;
    (void)snprintf(name, sizeof name, "obs/%s", value);
    hid_t index = h5.H5Oopen_(w->file, name, H5P_DEFAULT);
    if (index < 0)
        return;
    if (h5.H5Iget_type_(index) == H5I_DATASET) {
        if (open_list(w, name, &type, &n) < 0 || n == 0)
            note_observations(w, "are no list of texts or numbers");
        else
            say_ids(w, name, false);
        return;
    }
    (void)snprintf(codes, sizeof codes, "%s/codes", name);
    (void)snprintf(texts, sizeof texts, "%s/categories", name);
    if (has_part(index, "codes") && has_part(index, "categories")) {
        if (!say_categories(w, codes, texts))
            note_observations(w, "are categories of another kind than texts");
        return;
    }
    (void)snprintf(texts, sizeof texts, "%s/values", name);
    if (has_part(index, "values")) /* texts that may be missing, beside a mask */
        say_ids(w, texts, false);
    else
        note_observations(w, "are written in a way that is not known");
}

static void pass_again(walk *w, hid_t root, pass which) {
    w->pass = which;
    w->objects = 0;
    visit(root, &(visit_state){.w = w, .path = ""});
}

/* Where a file holds nothing but vectors: one matrix, with the names of the datasets as ids. */
static void join_vectors(walk *w, hid_t root) {
    const vectors *v = &w->vectors;
    es_hdf5_record record = {
        .kind = ES_HDF5_ARRAY, .n = v->count, .d = v->length, .offset = UINT64_MAX};
    es_dtype dtype = ES_DTYPE_F32;
    bool big_endian = false;
    if (w->found > 0 || v->count < 2 || w->anndata)
        return;
    if (v->odd > 0) {
        skip(w, "",
             "its datasets of one dimension differ in length, so that they are no rows of one "
             "matrix");
        return;
    }
    if (v->count > ES_ARRAY_MOST || v->count > RATIO * (w->size + 64) / v->length ||
        !find_dtype(v->type, &dtype, &big_endian))
        return;
    if (w->member == 0) {
        pass_again(w, root, PASS_VALUES);
        _exit(0);
    }
    record.dtype = dtype;
    record.big_endian = big_endian;
    say(w, record, "", 0);
    pass_again(w, root, PASS_IDS);
    end(w);
}

_Noreturn void es_hdf5_walk(const char *path, uint64_t size, size_t member, int fd) {
    size_t length = strlen(path);
    walk w = {.fd = fd,
              .size = size,
              .member = member,
              .anndata = length > 5 && strcmp(path + length - 5, ".h5ad") == 0};
    begin_step(&w);
    if (h5.H5open_() < 0)
        fail(&w, "the HDF5 library does not start");
    (void)h5.H5Eset_auto2_(H5E_DEFAULT, NULL, NULL);
    (void)h5.H5PLset_loading_state_(0); /* no filters from other files */
    w.file = h5.H5Fopen_(path, 0 /* to read; the macro calls the library */, H5P_DEFAULT);
    if (w.file < 0)
        fail(&w, "the HDF5 library cannot open it: it is cut short or damaged, or locked by who "
                 "writes to it");
    hid_t root = h5.H5Oopen_(w.file, "/", H5P_DEFAULT);
    if (root < 0)
        fail(&w, "the HDF5 library finds no groups in it");
    visit(root, &(visit_state){.w = &w, .path = ""});
    join_vectors(&w, root);
    if (w.anndata)
        say_observations(&w);
    else if (h5.H5Lexists_(w.file, "ids", H5P_DEFAULT) > 0)
        say_ids(&w, "ids", true);
    else
        say_lists(&w);
    end(&w);
}

#else

#include <unistd.h>

bool es_hdf5_load(void) {
    return false;
}

_Noreturn void es_hdf5_walk(const char *path, uint64_t size, size_t member, int fd) {
    (void)path, (void)size, (void)member, (void)fd;
    _exit(1);
}

#endif
