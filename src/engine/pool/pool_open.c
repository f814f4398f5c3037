/* From a folder to a pool: which files it has, a model for each of their arrays, names, what was
 * selected, and the common row count. Headers only; contents are checked later. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine_place.h"
#include "engine_pool_parts.h"

enum { NOTES_MOST = 2000 };

/* ---- from files to models ---- */

typedef struct builder {
    es_pool *pool;
    const char *root; /* where paths begin */
    es_run *run;      /* of opening; NULL */
    bool derived;     /* what is added now was made by this program */
    pool_families families;
    size_t capacity; /* of pool->item */
    pool_id_lists ids;
    pool_label_files labels;
} builder;

void pool_item_deinit(pool_item *item) {
    es_model *m = &item->model;
    char *const texts[] = {m->name,  m->path,  m->file,   m->tensor, m->family,
                           m->notes, m->label, m->series, m->reason};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        es_free(texts[i]);
    es_loaded_close(&item->loaded);
    es_free(item->bad_row);
    es_free(item->copy);
    es_free(item->constant);
    es_free(item->varies);
    es_free(item->column);
    es_free(item->place);
    es_free(item->own);
    derived_sources_free(item->source, item->n_sources);
}

/* A copy that may be shown; NULL stays NULL. */
static es_status clean_copy(const char *text, size_t most, char **out, es_error *err) {
    if (!text)
        return ES_OK;
    *out = es_text_clean(text, strlen(text), most);
    return *out ? ES_OK : es_no_memory(err);
}

/* "name" or "stem of path", with "/tensor" behind it; cleaned. */
static es_status make_name(const char *path, const char *tensor,
                           const pool_description_model *about, char **out, es_error *err) {
    bool named = about && about->name && about->name[0];
    const char *base = named ? about->name : path;
    size_t length = named ? strlen(base) : es_loader_stem(path);
    char *head = es_strndup(base, length), *whole = head;
    if (head && tensor)
        whole = es_path_join(head, tensor);
    es_status st = whole ? clean_copy(whole, POOL_NAME_MOST, out, err) : es_no_memory(err);
    if (whole != head)
        es_free(whole);
    es_free(head);
    return st;
}

/* One more model, of which only the names are known. *out is borrowed until the next call. */
static es_status add_item(builder *b, const char *path, const char *tensor,
                          const pool_description_model *about, pool_item **out, es_error *err) {
    es_pool *pool = b->pool;
    pool_item item = {.pool = pool, .ids = SIZE_MAX, .maybe = SIZE_MAX, .labels = SIZE_MAX};
    es_model *m = &item.model;
    es_status st = ES_OK;
    m->duplicate_of = SIZE_MAX;
    m->dtype = "";
    m->kind = pool->all_binary ? ES_KIND_BINARY : about ? about->kind : ES_KIND_CONTINUOUS;
    m->path = es_path_join(b->root, path);
    m->tensor = tensor ? es_strdup(tensor) : NULL;
    ES_FAIL_IF(!m->path || (tensor && !m->tensor), es_no_memory(err));
    ES_TRY(make_name(path, tensor, about, &m->name, err));
    ES_TRY(clean_copy(path, 0, &m->file, err));
    item.named_in_json = about && !b->derived;
    item.bits = about && about->bits;
    if (about) {
        ES_TRY(clean_copy(about->family, POOL_NAME_MOST, &m->family, err));
        ES_TRY(clean_copy(about->notes, NOTES_MOST, &m->notes, err));
        ES_TRY(clean_copy(about->series, POOL_NAME_MOST, &m->series, err));
        m->step = about->step;
    }
    ES_TRY(es_append(&pool->item, &pool->count, &b->capacity, &item, sizeof item, err));
    *out = &pool->item[pool->count - 1];
done:
    if (st != ES_OK)
        pool_item_deinit(&item);
    return st;
}

static es_status add_excluded(builder *b, const char *path, const char *reason,
                              const pool_description_model *about, es_error *err) {
    pool_item *item = NULL;
    ES_PASS(add_item(b, path, NULL, about, &item, err));
    return pool_exclude(b->pool, item, reason, err);
}

/* Array number `index` of a file as a model. With several arrays their names are part of its name.
 */
static es_status add_array(builder *b, const char *path, es_loaded *file, size_t index, size_t ids,
                           size_t maybe, bool several, const pool_description_model *about,
                           es_error *err) {
    char reason[512];
    es_error why = {0};
    es_tensor *tensor = &file->tensors.items[index];
    pool_item *item = NULL;
    if (ids == SIZE_MAX || b->ids.list[ids].ids->n != tensor->array.n) {
        es_status own = pool_ids_take(&b->ids, tensor, &ids, err);
        if (own != ES_OK)
            return own;
    }
    ES_PASS(add_item(b, path, several ? tensor->name : NULL, about, &item, err));
    es_model *m = &item->model;
    item->tensor = index;
    if (several) { /* cleaned names may be equal; with the number they are not */
        size_t room = strlen(tensor->name) + 24;
        es_free(m->tensor);
        m->tensor = es_alloc(room, 1);
        if (!m->tensor)
            return es_no_memory(err);
        snprintf(m->tensor, room, "%s#%zu", tensor->name, index);
    }
    item->ids = ids;
    item->maybe = maybe;
    if (item->bits && es_array_unpack_bits(&tensor->array, &why) != ES_OK) {
        es_error_prefix(&why, m->file);
        return pool_exclude(b->pool, item, why.message, err);
    }
    m->rows = tensor->array.n;
    m->dim = tensor->array.d;
    m->dtype = es_dtype_name(tensor->array.dtype);
    m->file_bytes = file->map.size;
    m->mtime_ns = file->map.mtime_ns;
    if (!about || about->dim == 0 || about->dim == m->dim)
        return ES_OK;
    if (maybe != SIZE_MAX && about->dim + 1 == m->dim && b->ids.maybe[maybe].list[0].column) {
        b->ids.maybe[maybe].confirmed = true;
        return ES_OK;
    }
    snprintf(reason, sizeof reason, "%s: %zu columns, but pool.json says \"dim\": %zu", m->file,
             m->dim, about->dim);
    return pool_exclude(b->pool, item, reason, err);
}

/* True if pool.json counts the first column among the dimensions. */
static bool is_declared(const es_tensors *all, const pool_description_model *about) {
    return all->maybe[0].column && about && about->dim == all->items[0].array.d;
}

/* Leaves out a file that looks like something else; *out false: it does not. */
static es_status find_in_arrays(builder *b, const char *path, const es_tensors *all, bool *out,
                                es_error *err) {
    es_buf reason = {0};
    char *full = es_path_join(b->root, path);
    if (!full)
        return es_no_memory(err);
    es_buf_printf(&reason, "%s: ", es_path_shown(path).text);
    *out = pool_find_in_arrays(all, full, &reason);
    es_status st = es_buf_check(&reason, err);
    if (st == ES_OK && *out)
        st = add_excluded(b, path, reason.data, NULL, err);
    es_buf_free(&reason);
    es_free(full);
    return st;
}

/* All arrays of an open file. What is no matrix in a file that holds one (a bias beside weights) is
 * no embedder that anybody would miss: told, not excluded. */
static es_status add_arrays(builder *b, const char *path, es_loaded *file,
                            const pool_description_model *about, es_error *err) {
    const es_tensors *all = &file->tensors;
    const char *skipped = NULL;
    char label[ES_PATH_LABEL];
    size_t usable = 0, ids = SIZE_MAX, maybe = SIZE_MAX, labels = SIZE_MAX;
    es_error why = {0};
    es_status st = ES_OK;
    for (size_t i = 0; i < all->count; i++) {
        usable += !all->items[i].skipped;
        skipped = skipped ? skipped : all->items[i].skipped;
    }
    es_path_label(label, path);
    if (!about) {
        bool found = false;
        st = find_in_arrays(b, path, all, &found, err);
        if (st != ES_OK || found)
            return st;
    }
    if (usable == 0) {
        char reason[700];
        (void)snprintf(reason, sizeof reason, "%s: %s", label,
                       skipped ? skipped : "holds no array");
        return add_excluded(b, path, reason, about, err);
    }
    st = pool_ids_read(&b->ids, b->root, path, file, &ids, &why);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (st != ES_OK)
        return add_excluded(b, path, why.message, about, err);
    if (ids == SIZE_MAX && all->n_maybe > 0 && !is_declared(&file->tensors, about))
        ES_TRY(pool_ids_offer(&b->ids, path, &file->tensors, &maybe, err));
    if (all->n_labels > 0)
        ES_TRY(pool_labels_keep(&b->labels, path, &file->tensors, &labels, err));
    if (all->note)
        pool_warn(b->pool, label, "%s", all->note);
    if (usable < all->count)
        pool_warn(b->pool, label, "%zu of %zu tensors are not embedders (%s)", all->count - usable,
                  all->count, skipped);
    for (size_t i = 0; i < all->count && st == ES_OK; i++)
        if (!all->items[i].skipped)
            st = add_array(b, path, file, i, ids, maybe, usable > 1, about, err);
    if (st == ES_OK && labels != SIZE_MAX) /* of the one matrix of a table */
        b->pool->item[b->pool->count - 1].labels = labels;
done:
    return st;
}

/* Read the header of one file: a model for each of its arrays, or one that is left out. */
static es_status add_file(builder *b, const char *path, unsigned flags,
                          const pool_description_model *about, es_error *err) {
    es_error why = {0};
    es_loaded loaded = {0};
    char *full = es_path_join(b->root, path);
    if (!full)
        return es_no_memory(err);
    es_run_begin(b->run, path, "looking at it");
    es_status st = es_loaded_head(full, flags, b->run, &loaded, &why);
    size_t vector = st == ES_EUNSUPPORTED ? pool_vector_length(full) : 0;
    es_free(full);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (st == ES_ECANCELED)
        return es_fail(err, st, "canceled");
    if (st != ES_OK) {
        st = add_excluded(b, path, why.message, about, err);
        if (st == ES_OK)
            b->pool->item[b->pool->count - 1].vector = vector;
        return st;
    }
    st = add_arrays(b, path, &loaded, about, err);
    es_loaded_close(&loaded);
    return st;
}

static es_status add_too_deep(es_pool *pool, const pool_listing *listing, es_error *err) {
    bool one = listing->too_deep == 1;
    es_buf folder = {0}, why = {0};
    es_buf_printf(&folder, "%s/", listing->deep_first);
    es_buf_printf(&why,
                  "more than %d folders below the pool, not searched: %zu file%s of embeddings "
                  "lie%s there or as deep; move %s up",
                  (int)POOL_DEPTH, listing->too_deep, one ? "" : "s", one ? "s" : "",
                  one ? "it" : "them");
    es_status st = es_buf_check(&folder, err);
    if (st == ES_OK)
        st = es_buf_check(&why, err);
    if (st == ES_OK)
        st = pool_unused_add_folder(&pool->unused, folder.data, why.data, err);
    es_buf_free(&folder);
    es_buf_free(&why);
    return st;
}

/* Adds every file that the scan has found. */
static es_status add_scanned(builder *b, pool_listing *listing, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < listing->count && st == ES_OK; i++) {
        const pool_entry *e = &listing->entry[i];
        st = e->reason ? add_excluded(b, e->path, e->reason, NULL, err)
                       : add_file(b, e->path, 0, NULL, err);
    }
    b->pool->unused = listing->unused;
    listing->unused = (es_unused){0};
    if (st == ES_OK && es_path_is_plain(b->pool->path)) {
        b->pool->unused.folder = es_strdup(b->pool->path);
        st = b->pool->unused.folder ? ES_OK : es_no_memory(err);
    }
    return st == ES_OK && listing->too_deep > 0 ? add_too_deep(b->pool, listing, err) : st;
}

/* The file that a model of pool.json means when it gives only a name: the name with the ending of
 * an embedder. NULL when out of memory. */
static char *guess_file(const char *root, const char *name) {
    static const char *const endings[] = {".npy", ".npz", ".jsonl", ".csv",    ".tsv",
                                          ".vec", ".emb", ".emd",   ".w2v",    ".txt",
                                          ".bin", ".h5",  ".h5ad",  ".ndjson", ".safetensors"};
    enum { COUNT = sizeof endings / sizeof *endings };
    for (size_t i = 0; i < COUNT; i++) {
        struct stat info;
        char *file = NULL, *spelled = NULL;
        if (es_text_new(&file, NULL, "%s%s", name, endings[i]) != ES_OK)
            return NULL;
        (void)pool_spelling(root, file, &spelled, NULL);
        es_free(file);
        file = spelled;
        char *full = file ? es_path_join(root, file) : NULL;
        if (!full) {
            es_free(file);
            return NULL;
        }
        bool found = stat(full, &info) == 0;
        es_free(full);
        if (found || i == COUNT - 1)
            return file;
        es_free(file);
    }
    return NULL;
}

/* Files of a vector each as the rows of one matrix, which is kept in memory. */
static es_status add_vectors(builder *b, const pool_description_model *about, es_error *err) {
    es_error why = {0};
    es_tensor tensor = {0};
    pool_item *item = NULL;
    size_t ids = SIZE_MAX;
    es_status st = pool_vectors_read(b->root, about->rows, &tensor, &why);
    if (st == ES_ENOMEM)
        return es_no_memory(err);
    if (st != ES_OK)
        return add_excluded(b, about->rows, why.message, about, err);
    st = pool_ids_take(&b->ids, &tensor, &ids, err);
    if (st == ES_OK)
        st = add_item(b, about->rows, NULL, about, &item, err);
    if (st == ES_OK) {
        item->memory = tensor.array;
        item->memory.owned = NULL; /* whoever loads it gives it back */
        item->own = tensor.array.owned;
        tensor.array = (es_array){0};
        item->ids = ids;
        item->model.rows = item->memory.n;
        item->model.dim = item->memory.d;
        item->model.dtype = es_dtype_name(item->memory.dtype);
    }
    es_array_deinit(&tensor.array);
    es_row_ids_free(tensor.ids);
    return st;
}

/* Adds the embedder that an entry of pool.json describes. */
static es_status add_described(builder *b, const pool_description_model *about, es_error *err) {
    es_error why = {0};
    char reason[1024];
    const char *root = b->pool->root;
    if (about->rows)
        return add_vectors(b, about, err);
    char *file = NULL;
    if (!about->file)
        file = guess_file(root, about->name);
    else
        (void)pool_spelling(root, about->file, &file, NULL);
    if (!file)
        return es_no_memory(err);
    es_status st = pool_contains(root, file, &why);
    if (st == ES_ENOMEM) {
        st = es_no_memory(err);
    } else if (st == ES_ENOTFOUND) {
        snprintf(reason, sizeof reason, "%s: no such file, although pool.json lists it",
                 es_path_shown(file).text);
        st = add_excluded(b, file, reason, about, err);
    } else if (st != ES_OK) {
        st = add_excluded(b, file, why.message, about, err);
    } else {
        st = add_file(b, file, 0, about, err);
    }
    es_free(file);
    return st;
}

/* True if it is derived from two embedders of different families. */
static bool mixes_families(const builder *b, const derived_entry *e) {
    const char *first = NULL;
    size_t known = 0;
    for (size_t k = 0; k < e->n_sources; k++) {
        size_t i = 0;
        while (i < b->pool->count && strcmp(b->pool->item[i].model.name, e->source[k].name) != 0)
            i++;
        const char *family = i < b->pool->count ? b->pool->item[i].model.family : NULL;
        if (i < b->pool->count && known++ == 0)
            first = family;
        else if (i < b->pool->count && (!first || !family || strcmp(first, family) != 0))
            return true;
    }
    return false;
}

/* Of sources from several families those of one training are a family of their own, and not one
 * each, as is what stands two side by side; where no family is named, there are none. */
static char *family_of_derived(const builder *b, const derived_entry *e, char *out,
                               size_t capacity) {
    bool named = false;
    for (size_t i = 0; i < b->pool->count; i++)
        named = named || b->pool->item[i].model.family;
    bool mixed = mixes_families(b, e);
    if (!named || (e->family && !mixed) || (!e->model && !mixed))
        return e->family;
    const char *own = e->model ? e->model : e->name, *end = e->model ? strrchr(own, '.') : NULL;
    (void)snprintf(out, capacity, "%.*s",
                   (int)(end && end > own ? end - own : (ptrdiff_t)strlen(own)), own);
    return out;
}

/* One derived embedder: as if pool.json listed it; but none of ours is a link. */
static es_status add_one_derived(builder *b, derived_entry *e, es_error *err) {
    char family[POOL_NAME_MOST + 1];
    const pool_description_model about = {.name = e->name,
                                          .file = e->file,
                                          .family = family_of_derived(b, e, family, sizeof family),
                                          .notes = e->notes,
                                          .step = (double)NAN};
    size_t first = b->pool->count;
    es_status st = add_file(b, e->file, ES_FILE_NOFOLLOW, &about, err);
    for (size_t i = first; st == ES_OK && i < b->pool->count; i++) {
        pool_item *item = &b->pool->item[i];
        item->model.derived = true;
        if (i > first)
            continue;
        item->source = e->source;
        item->n_sources = e->n_sources;
        e->source = NULL;
    }
    return st;
}

/* Adds the derived embedders of the pool. */
static es_status add_derived(builder *b, const char *folder, es_error *err) {
    derived_list list = {0};
    const char *root = b->root;
    es_status st = derived_list_read(folder, &list, err);
    b->root = folder;
    b->derived = true;
    for (size_t i = 0; i < list.count && st == ES_OK; i++)
        st = add_one_derived(b, &list.entry[i], err);
    b->root = root;
    b->derived = false;
    if (list.problem)
        pool_warn(b->pool, NULL, "a derived embedder is skipped: %s", list.problem);
    derived_list_deinit(&list);
    return st;
}

/* ---- names ---- */

static int compare_items(const void *a, const void *b) {
    const es_model *x = &((const pool_item *)a)->model, *y = &((const pool_item *)b)->model;
    int order = es_text_natural_cmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->path, y->path);
}

static void sort_items(es_pool *pool) {
    if (pool->count > 1)
        qsort(pool->item, pool->count, sizeof *pool->item, compare_items);
}

/* Give items [from, to), which share a name, names of their own: with the file's ending in the
 * first round (a.npy beside a.safetensors), with a number in later ones. */
static es_status rename_run(es_pool *pool, size_t from, size_t to, bool number, es_error *err) {
    for (size_t i = from + number; i < to; i++) {
        es_model *m = &pool->item[i].model;
        char *name = NULL;
        if (number) {
            (void)es_text_new(&name, err, "%s (%zu)", m->name, i - from + 1);
        } else {
            char *whole = m->tensor ? es_path_join(m->file, m->tensor) : es_strdup(m->file);
            name = whole ? es_text_clean(whole, strlen(whole), 0) : NULL;
            es_free(whole);
        }
        if (!name)
            return es_no_memory(err);
        es_free(m->name);
        m->name = name;
    }
    return ES_OK;
}

/* Sort by name and make names unique. A number can collide with a name that has one already, hence
 * the rounds; each makes names longer, so they end. */
static es_status settle_names(es_pool *pool, bool described, es_error *err) {
    es_status st = ES_OK;
    bool again = true;
    sort_items(pool);
    for (unsigned round = 0; again && st == ES_OK; round++) {
        again = false;
        for (size_t from = 0, to; from < pool->count && st == ES_OK; from = to) {
            const char *name = pool->item[from].model.name;
            for (to = from + 1; to < pool->count; to++)
                if (strcmp(pool->item[to].model.name, name) != 0)
                    break;
            if (to - from > 1) {
                again = true;
                if (described && round == 0)
                    pool_warn(pool, "pool.json",
                              "%zu embedders are called \"%s\", and are named by their files; give "
                              "each a name of its own",
                              to - from, name);
                st = rename_run(pool, from, to, round > 0, err);
            }
        }
        sort_items(pool);
    }
    return st;
}

/* ---- selection ---- */

/* Sets *out if `name` matches one of the comma-separated globs. */
static es_status matches(const char *globs, const char *name, bool *out, es_error *err) {
    *out = false;
    for (const char *start = globs; *start && !*out;) {
        size_t length = strcspn(start, ",");
        char *glob = es_strndup(start, length);
        if (!glob)
            return es_no_memory(err);
        *out = length > 0 && es_text_glob(glob, name);
        es_free(glob);
        start += length + (start[length] == ',');
    }
    return ES_OK;
}

/* Of whose sources is kept what tells that they have changed. */
static es_status leave_out(es_pool *pool, pool_item *item, es_error *err) {
    pool_left *larger = es_grow(pool->left, pool->derived.count, &pool->left_room, sizeof *larger);
    if (!larger)
        return es_no_memory(err);
    pool->left = larger;
    ES_PASS(es_words_add(&pool->derived, item->model.name, err));
    pool->left[pool->derived.count - 1] = (pool_left){item->source, item->n_sources, false};
    item->source = NULL;
    item->n_sources = 0;
    return ES_OK;
}

/* What --models and --exclude filter out is simply not part of the pool: it is no exclusion, and
 * it has no say in the common row count. Of derived embedders that are left out it is told. */
static es_status select_items(es_pool *pool, const es_pool_options *options, es_error *err) {
    const char *models = options->models, *exclude = options->exclude;
    size_t kept = 0, all = pool->count;
    es_status st = ES_OK;
    for (size_t i = 0; i < all && (models || exclude) && st == ES_OK; i++)
        st = es_words_add(&pool->all_names, pool->item[i].model.name, err);
    for (size_t i = 0; i < all; i++) {
        const es_model *m = &pool->item[i].model;
        bool in = true, out = false;
        if (st == ES_OK && models)
            st = matches(models, m->name, &in, err);
        if (st == ES_OK && exclude)
            st = matches(exclude, m->name, &out, err);
        if (st == ES_OK && in && !out && m->derived && options->without_derived) {
            st = leave_out(pool, &pool->item[i], err);
            out = true;
        }
        if (st != ES_OK || (in && !out))
            pool->item[kept++] = pool->item[i];
        else
            pool_item_deinit(&pool->item[i]);
    }
    pool->count = kept;
    if (st != ES_OK || kept > 0 || all == 0)
        return st;
    es_suggestion near = {.word = models ? models : ""};
    for (size_t i = 0; models && i < pool->all_names.count; i++)
        es_suggestion_offer(&near, pool->all_names.word[i]);
    return es_fail(err, ES_EEMPTY, "%s: none of %zu embedders is selected by %s%s%s%s%s%s%s%s",
                   pool->name, all, models ? "--models " : "", models ? models : "",
                   models && exclude ? " " : "", exclude ? "--exclude " : "",
                   exclude ? exclude : "", near.best ? "; did you mean '" : "",
                   near.best ? near.best : "", near.best ? "'?" : "");
}

/* One file's vote for the number of rows, or an array of it. */
typedef struct row_vote {
    const char *path;
    size_t rows, arrays; /* of so many of its arrays */
} row_vote;

static int compare_by_file(const void *a, const void *b) {
    const row_vote *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order != 0 ? order : (x->rows > y->rows) - (x->rows < y->rows);
}

static int compare_by_rows(const void *a, const void *b) {
    const row_vote *x = a, *y = b;
    return (x->rows > y->rows) - (x->rows < y->rows);
}

/* From arrays (n), sorted by files, to the rows that most arrays of each have, the largest of
 * equally frequent ones. Returns how many files there are. */
static size_t vote_by_files(row_vote *vote, size_t n) {
    size_t files = 0;
    for (size_t from = 0, to; from < n; from = to) {
        bool first = files == 0 || strcmp(vote[files - 1].path, vote[from].path) != 0;
        for (to = from + 1; to < n && compare_by_file(&vote[to], &vote[from]) == 0; to++) {
        }
        const row_vote now = {vote[from].path, vote[from].rows, to - from};
        if (first)
            vote[files++] = now;
        else if (now.arrays >= vote[files - 1].arrays)
            vote[files - 1] = now;
    }
    return files;
}

/* The rows that most files have, however many arrays they hold; among equally frequent ones those
 * of most arrays, then the largest. */
static es_status find_common_rows(es_pool *pool, es_error *err) {
    size_t n = 0, best = 0, best_arrays = 0;
    row_vote *vote = es_alloc(pool->count, sizeof *vote);
    if (!vote)
        return es_no_memory(err);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->item[i].model.state != ES_MODEL_EXCLUDED)
            vote[n++] = (row_vote){pool->item[i].model.path, pool->item[i].model.rows, 1};
    if (n > 1)
        qsort(vote, n, sizeof *vote, compare_by_file);
    n = vote_by_files(vote, n);
    if (n > 1)
        qsort(vote, n, sizeof *vote, compare_by_rows);
    for (size_t from = 0, to; from < n; from = to) {
        size_t arrays = 0;
        for (to = from; to < n && vote[to].rows == vote[from].rows; to++)
            arrays += vote[to].arrays;
        if (to - from > best || (to - from == best && arrays >= best_arrays)) {
            best = to - from;
            best_arrays = arrays;
            pool->common_rows = vote[from].rows;
        }
    }
    es_free(vote);
    return ES_OK;
}

static es_status exclude_other_counts(es_pool *pool, es_error *err) {
    es_status st = find_common_rows(pool, err);
    for (size_t i = 0; i < pool->count && st == ES_OK; i++) {
        es_model *m = &pool->item[i].model;
        if (m->state == ES_MODEL_EXCLUDED || m->rows == pool->common_rows)
            continue;
        es_buf reason = {0};
        es_buf_printf(&reason, "%s: %zu rows, the pool has %zu", m->file, m->rows,
                      pool->common_rows);
        pool_put_count_finding(m, pool->common_rows, &reason);
        st = es_buf_check(&reason, err);
        if (st == ES_OK)
            st = pool_exclude(pool, &pool->item[i], reason.data, err);
        es_buf_free(&reason);
    }
    pool->rows = pool_considered_rows(pool);
    return st;
}

/* By their ids, or by their numbers where there are none. */
static es_status settle_rows(builder *b, es_error *err) {
    bool matched = false;
    es_status st = pool_ids_match(b->pool, &b->ids, &matched, err);
    return st == ES_OK && !matched ? exclude_other_counts(b->pool, err) : st;
}

static es_status label_derived(es_pool *pool, es_error *err) {
    for (size_t i = 0; i < pool->count; i++) {
        es_model *m = &pool->item[i].model;
        if (m->derived)
            ES_PASS(es_text_new(&m->label, err, ES_DERIVED_MARK "%s", m->name));
    }
    return ES_OK;
}

/* ---- folders ---- */

static es_status check_directory(const char *path, const char *root, es_error *err) {
    struct stat info;
    char label[ES_PATH_LABEL];
    if (stat(root, &info) == 0 && !S_ISDIR(info.st_mode))
        return es_fail(err, ES_EUNSUPPORTED,
                       "%s: a file; a pool is a directory with one matrix per "
                       "embedder: give the one that holds it",
                       es_path_label(label, path));
    return ES_OK;
}

static es_status name_pool(es_pool *pool, const pool_description *about, es_error *err) {
    const char *slash = strrchr(pool->root, '/');
    const char *base = slash && slash[1] ? slash + 1 : pool->root;
    bool named = about->name && about->name[0];
    ES_PASS(clean_copy(named ? about->name : base, POOL_NAME_MOST, &pool->name, err));
    return clean_copy(about->modality, POOL_NAME_MOST, &pool->modality, err);
}

/* Makes the error of a pool without embedders: for each kind of file there, what to do with it. */
static es_status refuse_empty(const es_pool *pool, es_error *err) {
    enum { NAMES = 3 };
    char label[ES_PATH_LABEL];
    es_buf found = {0};
    for (size_t i = 0; i < pool->unused.file.count; i++) {
        es_buf line = {0};
        if (es_unused_line(&pool->unused, i, NAMES, &line) && line.data)
            es_buf_printf(&found, "; %s", line.data);
        es_buf_free(&line);
    }
    es_status st =
        es_fail(err, ES_EEMPTY,
                "%s: no embedders in it; put .npy, .npz, .safetensors, .csv or .jsonl files "
                "there, one matrix per model over the same rows%s",
                es_path_label(label, pool->path), found.data ? found.data : "");
    es_buf_free(&found);
    return st;
}

/* Scans the folder, reads the descriptions and headers, and fills the pool. */
static es_status build_pool(es_pool *pool, const es_pool_options *options, es_error *err) {
    builder b = {.pool = pool, .run = options->run};
    char *places[2] = {NULL, NULL};
    pool_description about = {0};
    pool_listing listing = {0};
    es_status st = ES_OK;
    pool->of_set = options->set_rows != NULL;
    ES_TRY(es_path_canonical(pool->path, &pool->root, err));
    ES_TRY(check_directory(pool->path, pool->root, err));
    b.root = pool->root;
    ES_TRY(pool_scan(pool->root, &listing, err));
    ES_TRY(pool_listing_digest(pool->root, &listing, &pool->folder, err));
    ES_TRY(pool_description_read(pool->root, &about, err));
    ES_TRY(name_pool(pool, &about, err));
    for (size_t i = 0; i < about.odd.count; i++)
        pool_warn(pool, "pool.json", "%s", about.odd.word[i]);
    pool->lower_tasks = about.lower;
    about.lower = (es_words){0};
    if (!about.lists)
        ES_TRY(add_scanned(&b, &listing, err));
    for (size_t i = 0; i < about.count; i++)
        ES_TRY(add_described(&b, &about.model[i], err));
    ES_FAIL_IF(pool->count == 0 && !options->may_be_empty, refuse_empty(pool, err));
    ES_TRY(pool_families_read(pool, options->families, &b.families, err));
    ES_TRY(settle_names(pool, about.lists, err));
    ES_TRY(pool_gather_items(pool, err));
    ES_TRY(pool_leave_out_parts(pool, err));
    if (about.lists)
        pool_warn_hidden(pool, &listing);
    ES_TRY(pool_families_take(pool, &b.families, err));
    ES_TRY(es_derived_places(pool->root, places, err));
    for (size_t i = 0; i < 2; i++)
        if (places[i])
            ES_TRY(add_derived(&b, places[i], err));
    ES_TRY(settle_names(pool, about.lists, err));
    ES_TRY(pool_families_take(pool, &b.families, err));
    pool_families_warn(pool, &b.families);
    ES_TRY(pool_tell_orphans(pool, &listing, about.lists, err));
    ES_TRY(pool_ids_settle_maybe(pool, &b.ids, err));
    ES_TRY(pool_ids_choose(pool, &b.ids, options->models || options->exclude, err));
    ES_TRY(select_items(pool, options, err));
    ES_TRY(label_derived(pool, err));
    ES_TRY(pool_series_settle(pool, err));
    ES_TRY(settle_rows(&b, err));
    ES_TRY(pool_labels_settle(pool, &b.labels, err));
    pool->unused.rows = pool->common_rows;
    ES_TRY(pool_fill_in_rows(pool, err));
    if (pool->common_rows > 0 && isfinite(about.rows) && about.rows != (double)pool->common_rows)
        pool_warn(pool, "pool.json", "\"rows\" is %.15g, but the embedders have %zu", about.rows,
                  pool->common_rows);
    if (!about.lists && !about.same_rows)
        pool_warn_folders(pool);
    if (options->set_rows)
        ES_TRY(pool_choose_set(pool, options->set_rows, err));
    ES_TRY(pool_draw(pool, err));
    pool_looks_read(pool);
done:
    es_free(places[0]);
    es_free(places[1]);
    pool_families_deinit(&b.families);
    pool_ids_deinit(&b.ids);
    pool_labels_deinit(&b.labels);
    pool_listing_deinit(&listing);
    pool_description_deinit(&about);
    return st;
}

/* ---- matrices in memory ---- */

/* As if a file of that name held the one array. */
static es_status add_array_view(builder *b, const es_array_view *view, es_error *err) {
    const pool_description_model about = {.name = (char *)view->name,
                                          .family = (char *)view->family,
                                          .kind = view->kind,
                                          .step = (double)NAN};
    pool_item *item = NULL;
    static const es_dtype dtypes[] = {
        [ES_ELEMENT_FLOAT32] = ES_DTYPE_F32, [ES_ELEMENT_FLOAT64] = ES_DTYPE_F64,
        [ES_ELEMENT_FLOAT16] = ES_DTYPE_F16, [ES_ELEMENT_BOOL] = ES_DTYPE_BOOL,
        [ES_ELEMENT_INT8] = ES_DTYPE_I8,     [ES_ELEMENT_INT16] = ES_DTYPE_I16,
        [ES_ELEMENT_INT32] = ES_DTYPE_I32,   [ES_ELEMENT_INT64] = ES_DTYPE_I64,
        [ES_ELEMENT_UINT8] = ES_DTYPE_U8,    [ES_ELEMENT_UINT16] = ES_DTYPE_U16,
        [ES_ELEMENT_UINT32] = ES_DTYPE_U32,  [ES_ELEMENT_UINT64] = ES_DTYPE_U64,
    };
    if (!view->name || !view->name[0])
        return es_fail(err, ES_EINVAL, "an array has no name");
    if (!view->data)
        return es_fail(err, ES_EINVAL, "%s: no values", view->name);
    if ((size_t)view->element >= sizeof dtypes / sizeof *dtypes)
        return es_fail(err, ES_EINVAL, "%s: unknown element type %d", view->name,
                       (int)view->element);
    const es_dtype dtype = dtypes[view->element];
    es_status st = es_array_check(view->rows, view->dim, dtype, SIZE_MAX, err);
    if (st != ES_OK) {
        es_error_prefix(err, view->name);
        return ES_EINVAL;
    }
    ES_PASS(add_item(b, view->name, NULL, &about, &item, err));
    item->memory = (es_array){.data = view->data,
                              .n = view->rows,
                              .d = view->dim,
                              .dtype = dtype,
                              .big_endian = es_host_is_big_endian() && es_dtype_size(dtype) > 1};
    item->model.rows = view->rows;
    item->model.dim = view->dim;
    item->model.dtype = es_dtype_name(dtype);
    return ES_OK;
}

static es_status build_arrays(es_pool *pool, const es_array_view *arrays, size_t count,
                              const es_pool_options *options, es_error *err) {
    builder b = {.pool = pool, .root = ""};
    es_status st = clean_copy("arrays", 0, &pool->name, err);
    if (count == 0)
        return es_fail(err, ES_EINVAL, "no arrays");
    for (size_t i = 0; i < count && st == ES_OK; i++)
        st = add_array_view(&b, &arrays[i], err);
    if (st != ES_OK)
        return st;
    sort_items(pool);
    for (size_t i = 1; i < count; i++)
        if (strcmp(pool->item[i - 1].model.name, pool->item[i].model.name) == 0)
            return es_fail(err, ES_EINVAL, "two arrays are called \"%s\"",
                           pool->item[i].model.name);
    st = select_items(pool, options, err);
    if (st == ES_OK)
        st = exclude_other_counts(pool, err);
    return st == ES_OK ? pool_draw(pool, err) : st;
}

/* ---- opening and closing ---- */

static es_pool *new_pool(const es_pool_options *options) {
    es_pool *pool = es_alloc_zero(1, sizeof *pool);
    if (!pool || pthread_mutex_init(&pool->lock, NULL) != 0) {
        es_free(pool);
        return NULL;
    }
    pool->request = options->rows;
    pool->seed = options->seed;
    pool->drop_rows = options->drop_rows;
    pool->all_binary = options->all_binary;
    pool->log = options->log;
    pool->looks = es_looks_keep(options->looks);
    return pool;
}

static const es_pool_options standard;

es_status es_pool_open(const char *path, const es_pool_options *options, es_pool **out,
                       es_error *err) {
    options = options ? options : &standard;
    es_pool *pool = new_pool(options);
    if (!pool)
        return es_no_memory(err);
    pool->path = es_strdup(path);
    es_status st = pool->path ? build_pool(pool, options, err) : es_no_memory(err);
    if (st == ES_OK)
        *out = pool;
    else
        es_pool_close(pool);
    return st;
}

es_status es_pool_open_arrays(const es_array_view *arrays, size_t count,
                              const es_pool_options *options, es_pool **out, es_error *err) {
    options = options ? options : &standard;
    es_pool *pool = new_pool(options);
    if (!pool)
        return es_no_memory(err);
    es_status st = build_arrays(pool, arrays, count, options, err);
    if (st == ES_OK)
        *out = pool;
    else
        es_pool_close(pool);
    return st;
}

void es_pool_close(es_pool *pool) {
    if (!pool)
        return;
    for (size_t i = 0; i < pool->count; i++)
        pool_item_deinit(&pool->item[i]);
    es_row_texts_deinit(&pool->texts);
    es_scores_deinit(&pool->scores);
    es_scores_deinit(&pool->known);
    es_row_ids_deinit(&pool->ids);
    es_words_deinit(&pool->all_names);
    pool_findings_deinit(pool);
    es_unused_deinit(&pool->unused);
    for (size_t i = 0; i < pool->derived.count; i++)
        derived_sources_free(pool->left[i].source, pool->left[i].n_sources);
    es_free(pool->left);
    es_words_deinit(&pool->outdated);
    es_words_deinit(&pool->derived);
    es_words_deinit(&pool->lower_tasks);
    es_free(pool->scores_problem);
    es_free(pool->item);
    es_free(pool->file_row);
    es_free(pool->in_set);
    es_free(pool->drawn);
    es_free(pool->path);
    es_free(pool->root);
    es_free(pool->name);
    es_free(pool->modality);
    pthread_mutex_destroy(&pool->lock);
    es_looks_free(pool->looks);
    es_buf_free(&pool->label_text);
    es_free(pool->label_file);
    es_free(pool);
}
