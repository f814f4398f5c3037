/* Findings about files that can be read: by the names of their arrays, their shapes, and what their
 * rows hold. Each has a line that helps. */
#include "engine_pool_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- lines to paste ---- */

/* The path without its ending and with another one, if it is fit for a command. */
static void put_path(const char *path, const char *ending, es_buf *out) {
    if (!es_path_is_plain(path))
        es_buf_puts(out, "FILE");
    else
        es_buf_add(out, path, ending ? es_loader_stem(path) : strlen(path));
    es_buf_puts(out, ending ? ending : "");
}

/* Python that opens a file of several arrays as f. */
static void put_open(const char *path, es_buf *out) {
    const char *how = es_path_ends(path, ".npz")           ? "np.load("
                      : es_path_ends(path, ".safetensors") ? "load_file("
                                                           : "h5py.File(";
    es_buf_printf(out, "python3 -c \"import numpy as np; %s; f=%s'",
                  *how == 'n'   ? "import os"
                  : *how == 'l' ? "from safetensors.numpy import load_file"
                                : "import h5py",
                  how);
    put_path(path, NULL, out);
    es_buf_puts(out, "'); ");
}

static int compare_sizes(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* How many different numbers there are; sorts them. */
static size_t count_different(size_t *number, size_t n) {
    size_t different = n > 0;
    if (n > 1)
        qsort(number, n, sizeof *number, compare_sizes);
    for (size_t i = 1; i < n; i++)
        different += number[i] != number[i - 1];
    return different;
}

/* True for matrices of one item each, a row for each of its parts: many, and most of their own
 * length, or of `lengths` and more, since of thousands of items many have the same. */
static bool are_lengths(size_t *rows, size_t n, size_t lengths) {
    enum { LEAST = 10 };
    size_t different = count_different(rows, n);
    return n >= LEAST && (2 * different > n || different >= lengths);
}

/* ---- arrays of one file ---- */

static bool is_one_of(const char *word, size_t length, const char *const *list) {
    for (; *list; list++)
        if (strlen(*list) == length && strncasecmp(word, *list, length) == 0)
            return true;
    return false;
}

/* True if a tensor has a name that libraries give to parameters of a layer. Ambiguous words count
 * only after the name of a layer. */
static bool is_weight(const char *name) {
    static const char *const plain[] = {"weight",
                                        "bias",
                                        "running_mean",
                                        "running_var",
                                        "in_proj_weight",
                                        "moving_mean",
                                        "gamma",
                                        "num_batches_tracked",
                                        "recurrent_kernel",
                                        "in_proj_bias",
                                        "lora_a",
                                        "moving_variance",
                                        "lora_b",
                                        "position_ids",
                                        NULL};
    static const char *const layered[] = {"kernel", "beta", "embeddings", "scale", "qweight", NULL};
    static const char *const starts[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
    size_t start = 0, length = strlen(name);
    if (strstr(name, "model_weights/") || strstr(name, "/vars/"))
        return true;
    while (length > 2 && name[length - 1] >= '0' && name[length - 1] <= '9' &&
           name[length - 2] == ':')
        length -= 2;
    for (size_t i = 0; i < length; i++)
        start = name[i] == '.' || name[i] == '/' ? i + 1 : start;
    const char *last = name + start;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncasecmp(last, starts[i], strlen(starts[i])) == 0)
            return true;
    return is_one_of(last, length - start, plain) ||
           (start > 0 && is_one_of(last, length - start, layered));
}

/* One matrix alone may be that of an embedding layer, a row for each item. */
static bool finding_weights(const es_tensors *all, const char *path, es_buf *why) {
    size_t weights = 0;
    const char *first = NULL;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].name && is_weight(all->items[i].name)) {
            weights++;
            first = first ? first : all->items[i].name;
        }
    if (all->count < 2 || weights * 5 < all->count * 4)
        return false;
    es_buf_printf(why,
                  "looks like the weights of a network (%zu tensors, %.100s among them), which are "
                  "no embeddings of items; where they are, name it in pool.json: {\"models\": "
                  "[{\"file\": \"%s\"}]}",
                  all->count, first, es_path_base(path));
    return true;
}

static bool has_array(const es_tensors *all, const char *name) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].name && strcmp(all->items[i].name, name) == 0)
            return true;
    return false;
}

static bool finding_benchmark(const es_tensors *all, const char *path, es_buf *why) {
    if (!has_array(all, "train") || !has_array(all, "test") || !has_array(all, "neighbors"))
        return false;
    es_buf_puts(why, "is a benchmark of nearest neighbours (train, test, neighbors); which of them "
                     "are the pool's items? For train: ");
    put_open(path, why);
    es_buf_puts(why, "np.save('");
    put_path(path, "-train.npy", why);
    es_buf_puts(why, "', f['train'][:])\"");
    return true;
}

/* A matrix for each item: its residues, its tokens. */
static bool finding_many(const es_tensors *all, const char *path, es_buf *why) {
    enum { LENGTHS = 6 };
    size_t n = 0, d = 0;
    size_t *rows = es_alloc(all->count, sizeof *rows);
    bool same = rows != NULL;
    for (size_t i = 0; i < all->count && same; i++) {
        const es_array *a = &all->items[i].array;
        if (all->items[i].skipped)
            continue;
        d = n == 0 ? a->d : d;
        same = a->d == d;
        rows[n++] = a->n;
    }
    bool many = same && are_lengths(rows, n, LENGTHS);
    es_free(rows);
    if (!many)
        return false;
    es_buf_printf(
        why,
        "holds %zu matrices of %zu columns, each of other rows, such as a vector for each "
        "token; their means, a row for each: ",
        n, d);
    put_open(path, why);
    es_buf_puts(why, "np.savez('");
    put_path(path, "-means.npz", why);
    es_buf_puts(why, "', ids=list(f), x=np.stack([f[k][:].mean(0) for k in f]))\"");
    return true;
}

/* A vector under each name, in an archive whose vectors do not lie one after the other. */
static bool finding_vectors(const es_tensors *all, const char *path, es_buf *why) {
    size_t n = 0;
    while (n < all->count && all->items[n].skipped && strstr(all->items[n].skipped, "is 1-D"))
        n++;
    if (n < 2 || n < all->count)
        return false;
    es_buf_printf(why, "holds %zu vectors; as rows of one matrix: ", n);
    put_open(path, why);
    es_buf_puts(why, "np.savez('");
    put_path(path, "-rows.npz", why);
    es_buf_puts(why, "', ids=list(f), x=np.stack([f[k][:] for k in f]))\"");
    return true;
}

bool pool_find_in_arrays(const es_tensors *all, const char *path, es_buf *why) {
    return finding_vectors(all, path, why) || finding_weights(all, path, why) ||
           finding_benchmark(all, path, why) || finding_many(all, path, why);
}

/* ---- a file for each item ---- */

size_t pool_vector_length(const char *path) {
    es_map map = {0};
    es_array array = {0};
    if (!es_path_ends(path, ".npy") || es_map_open(path, 0, &map, NULL) != ES_OK)
        return 0;
    bool vector = es_npy_parse_vector(&map, path, &array, NULL) == ES_OK;
    es_map_close(&map);
    return vector ? array.d : 0;
}

static size_t folder_length(const pool_item *item) {
    const char *slash = strrchr(item->model.file, '/');
    return slash ? (size_t)(slash - item->model.file) : 0;
}

/* Columns of an .npy that may be an item's own; 0: it is none. */
static size_t columns_of(const pool_item *item) {
    const es_model *m = &item->model;
    if (item->named_in_json || m->tensor || m->derived || !es_path_ends(m->file, ".npy"))
        return 0;
    return item->vector > 0 ? item->vector : m->state == ES_MODEL_EXCLUDED ? 0 : m->dim;
}

/* A run of items of one folder. */
typedef struct folder_run {
    size_t from, to;
    size_t columns, files; /* that are an item's own */
    bool vectors;
} folder_run;

/* True: item i has the columns and the form of this run of files that are one row each. */
static bool is_in_run(const es_pool *pool, const folder_run *run, size_t i) {
    const pool_item *item = &pool->item[i];
    bool vector = item->vector > 0 || item->model.rows == 1;
    return columns_of(item) == run->columns && vector == run->vectors;
}

/* How many matrices of the pool have so many rows. */
static size_t count_with_rows(const es_pool *pool, size_t rows) {
    size_t count = 0;
    for (size_t i = 0; i < pool->count; i++) {
        const es_model *m = &pool->item[i].model;
        count += m->state != ES_MODEL_EXCLUDED && m->rows == rows;
    }
    return count;
}

/* Finds whether the folder has enough files with one vector of the same length. */
static void find_vectors(const es_pool *pool, folder_run *run) {
    enum { LEAST = 3 };
    run->vectors = true;
    run->files = run->columns = 0;
    for (size_t i = run->from; i < run->to && run->columns == 0; i++)
        if (pool->item[i].vector > 0 || pool->item[i].model.rows == 1)
            run->columns = columns_of(&pool->item[i]);
    for (size_t i = run->from; i < run->to && run->columns > 0; i++)
        run->files += is_in_run(pool, run, i);
    /* One or two for each matrix of as many rows are its ids and labels. */
    bool beside = run->files <= 2 * count_with_rows(pool, run->columns);
    run->files = run->files < LEAST || beside ? 0 : run->files;
}

/* Finds whether the folder has enough matrices with equal columns and different rows. */
static es_status find_matrices(const es_pool *pool, folder_run *run, es_error *err) {
    enum { LENGTHS = 20 }; /* more than a folder has data sets */
    size_t n = 0;
    run->vectors = false;
    run->files = run->columns = 0;
    for (size_t i = run->from; i < run->to && run->columns == 0; i++)
        run->columns = pool->item[i].vector > 0 ? 0 : columns_of(&pool->item[i]);
    if (run->columns == 0)
        return ES_OK;
    size_t *rows = es_alloc(run->to - run->from, sizeof *rows);
    if (!rows)
        return es_no_memory(err);
    for (size_t i = run->from; i < run->to; i++)
        if (is_in_run(pool, run, i))
            rows[n++] = pool->item[i].model.rows;
    run->files = are_lengths(rows, n, LENGTHS) ? n : 0;
    es_free(rows);
    return ES_OK;
}

/* Keeps the first file of a run as one embedder and drops the others. */
static es_status join_run(es_pool *pool, const folder_run *run, size_t *kept, es_error *err) {
    pool_item *first = NULL;
    for (size_t i = run->from; i < run->to; i++) {
        bool one = is_in_run(pool, run, i);
        if (one && first) {
            pool_item_deinit(&pool->item[i]);
            continue;
        }
        pool->item[*kept] = pool->item[i];
        first = one ? &pool->item[*kept] : first;
        ++*kept;
    }
    if (!first)
        return ES_OK;
    es_model *m = &first->model;
    size_t folder = folder_length(first);
    es_buf name = {0}, why = {0}, full = {0}, file = {0};
    es_buf_printf(&name, "%.*s%s", (int)folder, m->file, folder ? "" : "*.npy");
    es_buf_printf(&file, "%.*s%s*.npy", (int)folder, m->file, folder ? "/" : "");
    es_buf_printf(&full, "%s%s%.*s", pool->root, folder ? "/" : "", (int)folder, m->file);
    es_buf_printf(&why, "%s: %zu files of %s of %zu columns each; ", file.data ? file.data : "",
                  run->files, run->vectors ? "one row" : "different rows", run->columns);
    if (folder && run->vectors)
        es_buf_printf(&why,
                      "\"rows\": \"%s\" in place of \"file\" in pool.json reads them as rows, "
                      "or join them: ",
                      file.data ? file.data : "");
    else
        es_buf_puts(&why, run->vectors ? "join them: " : "join their means: ");
    const char *where = full.data && es_path_is_plain(full.data) ? full.data : "FOLDER";
    es_buf_printf(
        &why,
        "python3 -c \"import glob,os,numpy as np; f=[i for i in sorted(glob.glob('%s/*.npy"
        "')) if np.load(i,mmap_mode='r').shape[-1]==%zu]; np.savez('%s%s.npz', "
        "ids=[os.path.basename(i)[:-4] for i in f], "
        "x=np.stack([np.load(i).reshape(-1,%zu).mean(0) for i in f]))\"",
        where, run->columns, where, folder ? "" : "/vectors", run->columns);
    es_status st = es_buf_check(&why, err);
    if (st == ES_OK)
        st = es_buf_check(&name, err);
    if (st == ES_OK)
        st = es_buf_check(&file, err);
    if (st == ES_OK)
        st = pool_exclude(pool, first, why.data, err);
    if (st == ES_OK) {
        es_free(m->name);
        es_free(m->file);
        m->name = es_buf_take(&name);
        m->file = es_buf_take(&file);
    }
    es_buf_free(&file);
    es_buf_free(&name);
    es_buf_free(&full);
    es_buf_free(&why);
    return st;
}

es_status pool_gather_items(es_pool *pool, es_error *err) {
    size_t kept = 0;
    es_status st = ES_OK;
    for (size_t from = 0, to; from < pool->count; from = to) {
        size_t length = folder_length(&pool->item[from]);
        for (to = from + 1; to < pool->count; to++)
            if (folder_length(&pool->item[to]) != length ||
                strncmp(pool->item[to].model.file, pool->item[from].model.file, length) != 0)
                break;
        folder_run run = {.from = from, .to = to};
        find_vectors(pool, &run);
        if (run.files == 0 && st == ES_OK)
            st = find_matrices(pool, &run, err);
        if (run.files > 0 && st == ES_OK) {
            st = join_run(pool, &run, &kept, err);
            continue;
        }
        for (size_t i = from; i < to; i++)
            pool->item[kept++] = pool->item[i];
    }
    pool->count = kept;
    return st;
}

/* ---- parts of one matrix ---- */

/* A name that ends with a number. */
typedef struct part {
    size_t item, number, of; /* of: how many there are, by the name; 0: not said */
    size_t stem;             /* length of the name before all that */
    size_t digits_at, digits;
    bool named; /* it is called a part */
} part;

static size_t digits_before(const char *text, size_t end) {
    size_t at = end;
    while (at > 0 && end - at < 9 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    return at;
}

static bool is_joint(char c) {
    return c == '-' || c == '_' || c == '.' || c == '/' || c == ' ';
}

/* The place where one of the words begins that stands before `end`; end: none does. */
static size_t word_before(const char *text, size_t end, const char *const *words) {
    for (; *words; words++) {
        size_t length = strlen(*words);
        if (length <= end && strncasecmp(text + end - length, *words, length) == 0 &&
            (length == end || is_joint(text[end - length - 1])))
            return end - length;
    }
    return end;
}

/* NAME_part1, NAME-00001-of-00003, NAME_1. False: there is no number. */
static bool find_part(const pool_item *items, size_t i, part *out) {
    static const char *const of[] = {"of", NULL};
    static const char *const words[] = {"part", "shard", "chunk", "piece", "batch", NULL};
    const char *name = items[i].model.name;
    size_t end = strlen(name), at = digits_before(name, end);
    part p = {.item = i};
    if (at == end || at == 0)
        return false;
    size_t joint = is_joint(name[at - 1]) ? at - 1 : at, word = word_before(name, joint, of);
    if (word < joint && word > 0) {
        p.of = strtoul(name + at, NULL, 10);
        end = is_joint(name[word - 1]) ? word - 1 : word;
        at = digits_before(name, end);
        if (at == end)
            return false;
        joint = at > 0 && is_joint(name[at - 1]) ? at - 1 : at;
    }
    p.number = strtoul(name + at, NULL, 10);
    p.digits_at = at;
    p.digits = end - at;
    word = word_before(name, joint, words);
    p.named = p.of > 1 || word < joint;
    if (!p.named && (joint == at || at == 0))
        return false;
    p.stem = word > 0 && word < joint ? word - is_joint(name[word - 1]) : joint;
    *out = p;
    return true;
}

static bool is_same_matrix(const es_pool *pool, const part *a, const part *b) {
    const es_model *x = &pool->item[a->item].model, *y = &pool->item[b->item].model;
    return a->stem == b->stem && strncmp(x->name, y->name, a->digits_at) == 0 &&
           a->digits_at == b->digits_at && a->named == b->named && a->of == b->of &&
           x->dim == y->dim && strcmp(x->dtype, y->dtype) == 0;
}

static size_t sum_rows(const es_pool *pool, const part *p, size_t n) {
    size_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += pool->item[p[k].item].model.rows;
    return sum;
}

static bool has_rows(const es_pool *pool, size_t rows, const part *p, size_t n) {
    for (size_t i = 0; i < pool->count; i++) {
        bool own = false;
        for (size_t k = 0; k < n; k++)
            own = own || p[k].item == i;
        if (!own && pool->item[i].model.state != ES_MODEL_EXCLUDED &&
            pool->item[i].model.rows == rows)
            return true;
    }
    return false;
}

/* Numbers from 0 or 1 without a gap, and a reason: they are called so, or others have as many rows
 * as all of them and none as many as one. */
static bool are_parts(const es_pool *pool, const part *p, size_t n) {
    bool steady = n > 1 && p[0].number < 2;
    for (size_t k = 1; k < n && steady; k++)
        steady = p[k].number == p[k - 1].number + 1;
    if (!steady || p[0].named)
        return steady;
    return has_rows(pool, sum_rows(pool, p, n), p, n) &&
           !has_rows(pool, pool->item[p[0].item].model.rows, p, n);
}

/* The name of the file to make, below the pool. */
static void put_joined(const es_model *m, const part *p, es_buf *out) {
    if (p->stem > 0)
        es_buf_add(out, m->name, p->stem);
    else
        es_buf_puts(out, "joined");
}

static bool is_there(const es_pool *pool, const char *name, size_t rows) {
    size_t at = es_pool_find(pool, name);
    return at != SIZE_MAX && pool->item[at].model.rows == rows;
}

/* Writes the Python line that joins the parts of an embedder. */
static void put_join(const es_pool *pool, const part *p, size_t n, const char *joined,
                     es_buf *out) {
    const es_model *m = &pool->item[p->item].model;
    const char *file = pool_below(pool, m->path), *ending = file + es_loader_stem(file);
    if (strcasecmp(ending, ".npy") != 0 || !es_path_is_plain(m->path)) {
        es_buf_puts(out, "; join them in this order to one file");
        return;
    }
    es_buf_puts(out, "; join them: python3 -c \"import numpy as np; np.save('");
    es_buf_printf(out,
                  "%s/%s.npy', np.concatenate([np.load('%s/%.*s%%0%zud%s'%%i) for i in "
                  "range(%zu,%zu)]))\"",
                  pool->root, joined, pool->root, (int)p->digits_at, file, p->digits,
                  file + p->digits_at + p->digits, p->number, p->number + n);
}

static es_status leave_out_parts(es_pool *pool, const part *p, size_t n, es_error *err) {
    size_t rows = sum_rows(pool, p, n);
    es_buf joined = {0};
    put_joined(&pool->item[p->item].model, p, &joined);
    es_status st = es_buf_check(&joined, err);
    for (size_t k = 0; k < n && st == ES_OK; k++) {
        const es_model *m = &pool->item[p[k].item].model;
        es_buf why = {0};
        es_buf_printf(&why, "%s: part %zu of %zu of one matrix", m->file, k + 1,
                      p->of > n ? p->of : n);
        if (is_there(pool, joined.data, rows))
            es_buf_printf(&why, ", which is there: %s", joined.data);
        else if (p->of > n)
            es_buf_printf(&why, ", of which %zu are there", n);
        else if (k > 0)
            es_buf_printf(&why, "; %s says how to join them", pool->item[p->item].model.name);
        else
            es_buf_printf(&why, " (%zu rows in all)", rows);
        if (k == 0 && p->of <= n && !is_there(pool, joined.data, rows))
            put_join(pool, p, n, joined.data, &why);
        st = es_buf_check(&why, err);
        if (st == ES_OK)
            st = pool_exclude(pool, &pool->item[p[k].item], why.data, err);
        es_buf_free(&why);
    }
    es_buf_free(&joined);
    return st;
}

/* Names are in natural order, so that parts stand one after the other. */
static es_status leave_out_runs(es_pool *pool, const part *p, size_t n, bool named, es_error *err) {
    es_status st = ES_OK;
    for (size_t from = 0, to; from < n && st == ES_OK; from = to) {
        for (to = from + 1; to < n && is_same_matrix(pool, &p[from], &p[to]); to++) {
        }
        if (p[from].named == named && are_parts(pool, p + from, to - from))
            st = leave_out_parts(pool, p + from, to - from, err);
    }
    return st;
}

/* Those that are called so go first: parts of other matrices are no embedders of as many rows. */
es_status pool_leave_out_parts(es_pool *pool, es_error *err) {
    size_t n = 0;
    es_status st = ES_OK;
    part *p = es_alloc(pool->count, sizeof *p);
    if (!p)
        return es_no_memory(err);
    for (size_t i = 0; i < pool->count; i++) {
        const pool_item *item = &pool->item[i];
        bool may = item->model.state != ES_MODEL_EXCLUDED && !item->model.derived &&
                   !item->model.tensor && !item->named_in_json;
        n += may && find_part(pool->item, i, &p[n]);
    }
    st = leave_out_runs(pool, p, n, true, err);
    if (st == ES_OK)
        st = leave_out_runs(pool, p, n, false, err);
    es_free(p);
    return st;
}

/* ---- rows ---- */

/* So many columns as others have rows. */
static void put_transposed(const es_model *m, es_buf *out) {
    es_buf_puts(out, "; its columns are as many: it is transposed");
    if (m->tensor || !es_path_ends(m->path, ".npy"))
        return;
    es_buf_puts(out, "; this turns it: python3 -c \"import numpy as np; np.save('");
    put_path(m->path, "-turned.npy", out);
    es_buf_puts(out, "', np.load('");
    put_path(m->path, NULL, out);
    es_buf_puts(out, "').T)\"");
}

void pool_put_count_finding(const es_model *m, size_t rows, es_buf *out) {
    size_t most = rows, least = m->rows;
    if (m->rows > rows) {
        most = m->rows;
        least = rows;
    }
    if (m->dim == rows) {
        put_transposed(m, out);
        return;
    }
    size_t other = most - least;
    if (other > 2 && other * 100 > most)
        return;
    es_buf_printf(out, "; %zu row%s %s, but not which: write the file again, or give all ", other,
                  other == 1 ? "" : "s", m->rows < rows ? "missing" : "too many");
    es_buf_puts(out, "files ids (NAME" ES_ROW_IDS_TEXT "), by which rows are matched");
}

es_status pool_fill_in_rows(es_pool *pool, es_error *err) {
    static const char word[] = "(ROWS,";
    es_status st = ES_OK;
    for (size_t i = 0; i < pool->count && pool->common_rows > 0 && st == ES_OK; i++) {
        char *reason = pool->item[i].model.reason, *at = reason ? strstr(reason, word) : NULL;
        es_buf text = {0};
        if (!at)
            continue;
        es_buf_add(&text, reason, (size_t)(at - reason));
        es_buf_printf(&text, "(%zu,%s", pool->common_rows, at + strlen(word));
        st = es_buf_check(&text, err);
        if (st == ES_OK) {
            es_free(reason);
            pool->item[i].model.reason = es_buf_take(&text);
        }
        es_buf_free(&text);
    }
    return st;
}

/* ---- what pool.json leaves out ---- */

static bool is_used(const es_pool *pool, const char *path) {
    for (size_t i = 0; i < pool->count; i++) {
        const char *own = pool_below(pool, pool->item[i].model.path);
        if (strcmp(own, path) == 0 || (strchr(own, '*') && es_text_glob(own, path)))
            return true;
    }
    return false;
}

void pool_warn_hidden(es_pool *pool, const pool_listing *listing) {
    enum { NAMED = 5 };
    es_buf names = {0};
    size_t count = 0;
    for (size_t i = 0; i < listing->count; i++)
        if (!is_used(pool, listing->entry[i].path)) {
            es_buf_name(&names, &count, NAMED, es_path_shown(listing->entry[i].path).text);
        }
    es_buf_names_end(&names, count, NAMED);
    if (count > 0 && !names.failed)
        pool_warn(
            pool, "pool.json",
            "lists the embedders, and %zu other file%s of embeddings %s not read: %s; list %s "
            "there, too",
            count, count == 1 ? "" : "s", count == 1 ? "is" : "are", names.data,
            count == 1 ? "it" : "them");
    es_buf_free(&names);
}

/* ---- contents ---- */

/* Rows of the pool's, one after the other, with the values of the first. */
typedef struct repeats {
    size_t first, count;
} repeats;

static repeats longest_repeats(const pool_item *item) {
    repeats now = {0, 0}, best = {0, 0};
    size_t of = SIZE_MAX;
    for (size_t k = 0; k < item->n_copies; k++) {
        const es_copy *c = &item->copy[k];
        if (now.count > 0 && c->row == now.first + now.count && c->of == of) {
            now.count++;
        } else {
            of = c->of;
            now = c->of + 1 == c->row ? (repeats){c->of, 2} : (repeats){c->row, 1};
        }
        best = now.count > best.count ? now : best;
    }
    return best;
}

/* Most of its copies stand in one place, and are enough to matter. */
static bool is_stuck(const pool_item *item, repeats r, size_t rows) {
    enum { LEAST = 5 };
    return item->model.state == ES_MODEL_READY && !item->model.derived && r.count >= LEAST &&
           r.count * 100 >= rows && r.count < rows && (item->n_copies + 1) * 9 <= r.count * 10;
}

/* Items that are the same are so in every embedder. */
static bool all_repeat(const es_pool *pool, repeats r) {
    for (size_t i = 0; i < pool->count; i++) {
        const pool_item *item = &pool->item[i];
        if (item->model.state != ES_MODEL_READY || item->model.derived ||
            es_is_control(item->model.family))
            continue;
        repeats own = longest_repeats(item);
        if (own.first > r.first || own.first + own.count < r.first + r.count)
            return false;
    }
    return true;
}

static void warn_stuck(es_pool *pool, const pool_item *item, size_t rows) {
    const es_model *m = &item->model;
    repeats r = longest_repeats(item);
    bool zero = m->zero_rows >= r.count;
    if (!is_stuck(item, r, rows) || (!zero && all_repeat(pool, r)))
        return;
    if (r.first + r.count == rows)
        pool_report(pool, POOL_GRAVE, m->file,
                    "its last %zu rows, from row %zu on, %s, as after a run that ended early; "
                    "make it again, or leave it out with --exclude",
                    r.count, r.first, zero ? "are zero" : "repeat one row");
    else
        pool_report(pool, POOL_GRAVE, m->file,
                    "%zu rows, from row %zu to %zu, %s, as after answers that never came; make "
                    "it again, or leave it out with --exclude",
                    r.count, r.first, r.first + r.count - 1, zero ? "are zero" : "repeat one row");
}

/* Zero rows here and there, of floats: counts and bits may be zero. */
static void warn_scattered(es_pool *pool, const pool_item *item, size_t rows) {
    const es_model *m = &item->model;
    if (m->state == ES_MODEL_READY && !m->derived && !es_is_control(m->family) && m->dim > 1 &&
        m->kind != ES_KIND_BINARY && strncmp(m->dtype, "float", strlen("float")) == 0 &&
        m->zero_rows * 10 >= rows && !is_stuck(item, longest_repeats(item), rows))
        pool_report(pool, POOL_GRAVE, m->file,
                    "%zu of its %zu rows are zero, as after answers that never came; make it "
                    "again, or leave it out with --exclude",
                    m->zero_rows, rows);
}

/* Whether it is an .npy that can be read by NumPy, for a line that makes another of it. */
static bool is_npy(const es_model *m) {
    return !m->tensor && es_path_ends(m->path, ".npy");
}

/* A path of the pool for a line to paste, without its ending and with another one if there is one.
 */
static void put_pool_path(const es_pool *pool, const es_model *m, const char *ending, es_buf *out) {
    const char *at = pool_below(pool, m->path);
    bool plain = es_path_is_plain(m->path);
    int length = (int)(ending ? es_loader_stem(at) : strlen(at));
    es_buf_printf(out, "%s/%.*s%s", plain ? pool->path : "POOL", plain ? length : 4,
                  plain ? at : "FILE", ending ? ending : "");
}

static void warn_packed(es_pool *pool, const pool_item *item) {
    const es_model *m = &item->model;
    if (!item->packed || m->state != ES_MODEL_READY)
        return;
    bool one = strcmp(m->dtype, "uint8") == 0 || strcmp(m->dtype, "int8") == 0;
    bool bytes = one || item->packed > 1;
    es_buf line = {0};
    if (one)
        es_buf_puts(&line, "\"kind\": \"bits\" in pool.json unpacks them");
    if (is_npy(m)) {
        es_buf_printf(&line, "%spython3 -c \"import numpy as np; np.save('",
                      one ? "; or: " : "this unpacks them: ");
        put_pool_path(pool, m, "-bits.npy", &line);
        es_buf_puts(&line, "', np.unpackbits(np.load('");
        put_pool_path(pool, m, NULL, &line);
        es_buf_printf(&line, "').%s,axis=1))\"",
                      bytes ? "view('uint8')" : "astype('int16').astype('uint8')");
    } else if (!bytes) {
        es_buf_puts(&line, "save np.unpackbits(x.astype('int16').astype('uint8'), axis=1)");
    }
    pool_report(pool, POOL_GRAVE, m->file,
                "the bits of its bytes look independent; if it holds %zu packed bits a row, %s",
                8 * item->packed * m->dim,
                line.data ? line.data : "save np.unpackbits(x.view('uint8'), axis=1)");
    es_buf_free(&line);
}

/* A first column of text may have been reported when ids were settled. */
static bool is_reported(const es_pool *pool, const char *file, const char *what) {
    for (size_t i = 0; i < es_pool_warnings(pool); i++) {
        const char *said = es_pool_warning(pool, i);
        if (strncmp(said, file, strlen(file)) == 0 && strstr(said, what))
            return true;
    }
    return false;
}

static void warn_ids_among(es_pool *pool, const pool_item *item) {
    const es_model *m = &item->model;
    bool last = item->ids_among == 2;
    es_buf line = {0};
    if (!item->ids_among || m->state != ES_MODEL_READY || m->derived ||
        (!last && is_reported(pool, m->file, "its first column")))
        return;
    if (is_npy(m)) {
        es_buf_puts(&line, " this matches rows by it, in place of the file: python3 -c \"import "
                           "numpy as np; x=np.load('");
        put_pool_path(pool, m, NULL, &line);
        es_buf_puts(&line, "'); np.savez('");
        put_pool_path(pool, m, "-ids.npz", &line);
        es_buf_printf(&line, "', ids=x[:,%s].astype('int64'), x=x[:,%s])\"", last ? "-1" : "0",
                      last ? ":-1" : "1:");
    }
    pool_report(pool, POOL_GRAVE, m->file,
                "its %s column is taken as values, although it holds a different whole number in "
                "every row; if it says which row is which,%s",
                last ? "last" : "first",
                line.data ? line.data
                          : " call it \"id\", or save it as an array \"ids\" of its own");
    es_buf_free(&line);
}

/* ---- rows of another scale ---- */

/* One line a row, with all embedders where it is the longest. */
static void warn_long(es_pool *pool) {
    enum { NAMED = 5, MOST = 1000 };
    es_long_row *found = es_alloc_zero(pool->count, sizeof *found);
    for (size_t i = 0; found && i < pool->count; i++)
        if (pool->item[i].model.state == ES_MODEL_READY && !pool->item[i].model.derived)
            found[i] = pool->item[i].longest;
    for (size_t i = 0; found && i < pool->count; i++) {
        const es_long_row first = found[i];
        es_buf names = {0};
        size_t count = 0;
        for (size_t j = i; first.times > 0 && j < pool->count; j++)
            if (found[j].times > 0 && found[j].row == first.row && found[j].more == first.more) {
                es_buf_name(&names, &count, NAMED, pool->item[j].model.name);
                found[j].times = 0;
            }
        es_buf_names_end(&names, count, NAMED);
        if (count > 0 && !names.failed)
            pool_report(pool, POOL_GRAVE, NULL,
                        "row %zu (counted from 0) is %s%.0f times as long as the median row in %s"
                        "%s, and decides the scale of the columns; check it, or set it to NaN in "
                        "the file and add --drop-rows",
                        first.row, first.times > MOST ? "over " : "", fmin(first.times, MOST),
                        names.data, first.more > 0 ? ", as are other rows" : "");
        es_buf_free(&names);
    }
    es_free(found);
}

void pool_warn_contents(es_pool *pool) {
    size_t rows = pool_considered_rows(pool);
    warn_long(pool);
    for (size_t i = 0; i < pool->count; i++) {
        warn_stuck(pool, &pool->item[i], rows);
        warn_scattered(pool, &pool->item[i], rows);
        warn_packed(pool, &pool->item[i]);
        warn_ids_among(pool, &pool->item[i]);
    }
}
