/* Deriving an embedder in the background of a session. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine_session.h"
#include "engine_session_parts.h"
#include "io_readers.h"

/* One of the two: a linear map, or training. */
typedef struct derive_work {
    const es_pool *pool;
    es_derivation derivation;
    es_derived out;
    bool trains;
    es_cmim_order order; /* sources and name are the work's own */
    es_cmim_live *live;  /* the session's */
    es_cmim_made made;
} derive_work;

static es_status derive_in_worker(void *data, es_run *run, es_error *err) {
    derive_work *work = data;
    if (work->trains)
        return es_cmim_derive(work->pool, &work->order, run, work->live, &work->made, err);
    return es_derived_make(work->pool, &work->derivation, run, &work->out, err);
}

static void work_deinit(void *data) {
    derive_work *work = data;
    es_derived_deinit(&work->out);
    es_cmim_made_deinit(&work->made);
    es_free((void *)(uintptr_t)work->order.source);
    es_free((char *)(uintptr_t)work->order.name);
}

static const es_latest_task_kind derive_task = {derive_in_worker, work_deinit, 0.75, NULL};

/* Takes `work`. */
static es_status start(es_session *s, derive_work *work, es_error *err) {
    es_latest_task_stop(&s->derive, s->workers);
    return es_latest_task_start(&s->derive, s->workers, s->log, &derive_task, work, 0, err);
}

static es_status may_start(const es_session *s, es_error *err) {
    if (!s->pool || !s->ready)
        return es_fail(err, ES_EEMPTY, "there are no embedders to derive from");
    if (s->derive.job)
        return es_fail(err, ES_EBUSY,
                       "another embedder is being derived; wait for it, or cancel it");
    return ES_OK;
}

es_status es_session_derive_fits(const es_session *s, const es_derivation *d, es_error *err) {
    return es_room_refuses(s, "derive", es_derived_bytes(s->pool, d), false, err);
}

/* All sources as doubles, once more what is made of their columns, and the states of both. */
static es_status training_fits(const es_session *s, const es_cmim_order *order, es_error *err) {
    double columns = 0;
    for (size_t i = 0; i < order->n_sources; i++)
        columns += (double)es_pool_model(s->pool, order->source[i])->dim;
    return es_room_refuses(s, "derive --cmim",
                           2 * sizeof(double) * columns * (double)es_pool_rows(s->pool), false,
                           err);
}

es_status es_session_derive(es_session *s, const es_derivation *derivation, es_error *err) {
    es_status st = may_start(s, err);
    if (st == ES_OK)
        st = es_session_derive_fits(s, derivation, err);
    if (st != ES_OK)
        return st;
    derive_work *work = es_alloc(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    *work = (derive_work){.pool = s->pool, .derivation = *derivation};
    work->derivation.name = NULL;
    return start(s, work, err);
}

es_status es_session_train(es_session *s, const es_cmim_order *order, es_error *err) {
    es_status st = may_start(s, err);
    if (st == ES_OK)
        st = training_fits(s, order, err);
    if (st != ES_OK)
        return st;
    derive_work *work = es_alloc(1, sizeof *work);
    size_t *sources = es_alloc(order->n_sources, sizeof *sources);
    char *name = es_strdup(order->name);
    if (!work || !sources || !name) {
        es_free(work);
        es_free(sources);
        es_free(name);
        return es_no_memory(err);
    }
    memcpy(sources, order->source, order->n_sources * sizeof *sources);
    *work = (derive_work){.pool = s->pool, .trains = true, .order = *order, .live = &s->training};
    work->order.source = sources;
    work->order.name = name;
    s->training.steps = 0;
    return start(s, work, err);
}

bool es_session_deriving(const es_session *s) {
    return s->derive.job != NULL;
}

const es_cmim_live *es_session_training(const es_session *s) {
    return s->derive.job && s->training.steps > 0 ? &s->training : NULL;
}

const es_cmim_made *es_session_trained(const es_session *s) {
    const derive_work *work = s->derive.newest;
    return work && work->trains ? &work->made : NULL;
}

es_status es_session_derived(es_session *s, const char **name, es_error *err) {
    es_status st = es_latest_task_outcome(&s->derive, err);
    const derive_work *work = s->derive.newest;
    if (st == ES_OK)
        *name = work->trains ? work->made.name : work->out.name;
    return st;
}

/* "int8", or nothing; false: no such storage. */
static bool read_storage(const char *text, unsigned *bits) {
    static const unsigned widths[] = {16, 8, 4, 1};
    *bits = 0;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strcmp(text, es_derive_storage(widths[i])) == 0)
            *bits = widths[i];
    return *text == '\0' || *bits > 0;
}

/* "WAY [K][, STORAGE]", or a storage alone. */
es_status es_derive_parse(const char *text, es_derive *out, es_error *err) {
    static const struct {
        const char *word;
        es_derive_kind kind;
        bool needs;
    } ways[] = {{"whiten", ES_DERIVE_WHITEN, false},
                {"abtt", ES_DERIVE_ABTT, true},
                {"pcr", ES_DERIVE_PCR, true},
                {"pca", ES_DERIVE_PCA, true},
                {"first", ES_DERIVE_FIRST, true},
                {"center", ES_DERIVE_CENTRE, false},
                {"normalize", ES_DERIVE_NORMALISE, false},
                {"flow", ES_DERIVE_FLOW, false},
                {"random-projection", ES_DERIVE_RANDOM, true}};
    size_t length = strcspn(text, " ,");
    const char *number = text + length + strspn(text + length, " ");
    size_t digits = strcspn(number, " ,");
    const char *storage = number + digits + strspn(number + digits, " ,");
    double axes = 0;
    unsigned bits = 0;
    if (*number == '\0' && read_storage(text, &bits) && bits > 0) {
        *out = (es_derive){.bits = bits};
        return ES_OK;
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strlen(ways[i].word) != length || strncmp(ways[i].word, text, length) != 0)
            continue;
        if ((ways[i].needs || digits > 0) && (!es_text_parse_double(number, digits, &axes) ||
                                              axes < 1 || axes > 1e6 || axes != floor(axes)))
            return es_fail(err, ES_EINVAL, "%s takes a number of directions: %s 2", ways[i].word,
                           ways[i].word);
        if (!read_storage(storage, &bits))
            return es_fail(err, ES_EINVAL,
                           "'%s' is not a way to store values; use float16, int8, int4 or binary",
                           storage);
        *out = (es_derive){.kind = ways[i].kind, .k = (size_t)axes, .bits = bits};
        return ES_OK;
    }
    return es_fail(err, ES_EINVAL,
                   "derive: whiten [K], abtt D, pcr D, pca K, first K, center, normalize, flow, "
                   "random-projection K or cmim [K]; float16, int8, int4 or binary, alone or "
                   "after one of them");
}

/* ---- making one ---- */

/* Makes a derived embedder: reads the sources in blocks of rows, transforms them (core_derive.h),
 * writes the matrix and then the .json that lists it, so that what is listed is there. */

void es_derived_deinit(es_derived *derived) {
    es_free(derived->name);
    es_free(derived->path);
    *derived = (es_derived){0};
}

static const char *word_of(es_derive_kind kind) {
    switch (kind) {
    case ES_DERIVE_NORMALISE:
        return "normalised";
    case ES_DERIVE_RANDOM:
        return "random";
    case ES_DERIVE_CENTRE:
        return "centred";
    default:
        return es_derive_name(kind);
    }
}

static char *derived_name(const es_pool *pool, const es_derivation *d) {
    es_buf name = {0};
    es_buf_printf(&name, "%s+", es_pool_model(pool, d->source)->name);
    if (d->other != SIZE_MAX) {
        es_buf_puts(&name, es_pool_model(pool, d->other)->name);
    } else {
        if (d->how.kind != ES_DERIVE_NONE)
            es_buf_puts(&name, word_of(d->how.kind));
        if (d->how.k > 0)
            es_buf_printf(&name, "%zu", d->how.k);
        if (d->how.bits > 0)
            es_buf_printf(&name, "%s%s", d->how.kind != ES_DERIVE_NONE ? "-" : "",
                          es_derive_storage(d->how.bits));
        if (es_derive_is_random(d->how.kind) && d->how.seed > 0)
            es_buf_printf(&name, "s%llu", (unsigned long long)d->how.seed);
    }
    char *copy = name.failed ? NULL : es_strdup(name.data);
    es_buf_free(&name);
    return copy;
}

/* One in the making: both sources, and where it goes. */
typedef struct making {
    const es_pool *pool;
    const es_derivation *d;
    const es_run *run;
    const char *path;
    es_rows rows, other; /* of the sources; other.d 0: there is none */
    es_derive_map map;
    es_npy_writer file;
    es_derived *facts;
} making;

/* Notes in the facts why fewer directions were made than asked for. */
static void note_fewer_directions(const making *w) {
    const es_derive *how = &w->d->how;
    size_t wanted = how->k > 0 ? how->k : w->rows.d;
    if (how->kind != ES_DERIVE_WHITEN && how->kind != ES_DERIVE_PCA)
        return;
    if (how->kind == ES_DERIVE_WHITEN && w->rows.n <= w->rows.d)
        (void)snprintf(w->facts->remark, sizeof w->facts->remark,
                       "%zu rows and %zu columns: no more than %zu directions can be whitened",
                       w->rows.n, w->rows.d, w->rows.n - 1);
    else if (w->map.out < wanted)
        (void)snprintf(w->facts->remark, sizeof w->facts->remark,
                       "%zu of %zu directions have variance and are kept", w->map.out, w->rows.d);
}

/* The columns of the second behind those of the first. */
static void put_beside(const double *x, size_t d, const double *y, size_t other, size_t count,
                       double *out) {
    for (size_t i = 0; i < count; i++) {
        memcpy(out + i * (d + other), x + i * d, d * sizeof *out);
        memcpy(out + i * (d + other) + d, y + i * other, other * sizeof *out);
    }
}

/* Rows from `at` on: read, mapped and written. x, y and out hold a block of each. */
static es_status put_block(making *w, size_t at, double *x, double *y, double *out, es_error *err) {
    uint32_t number[ES_DERIVE_BLOCK];
    size_t left = w->rows.n - at, count = left < ES_DERIVE_BLOCK ? left : ES_DERIVE_BLOCK;
    es_status st = ES_OK;
    for (size_t i = 0; i < count; i++)
        number[i] = (uint32_t)(at + i);
    ES_TRY(es_run_check(w->run, err));
    ES_TRY(w->rows.read(w->rows.context, number, count, x, err));
    if (w->other.d > 0) {
        ES_TRY(w->other.read(w->other.context, number, count, y, err));
        put_beside(x, w->rows.d, y, w->other.d, count, out);
    } else {
        ES_TRY(es_derive_map_apply(&w->map, x, count, out, err));
    }
    ES_TRY(es_npy_add(&w->file, out, count, err));
done:
    return st;
}

/* Writes all of it except giving it its name. */
static es_status put_rows(void *context, es_error *err) {
    making *w = context;
    double *x = NULL, *y = NULL, *out = NULL;
    es_status st = ES_OK;
    if (w->other.d == 0) {
        ES_TRY(es_derive_map_new(&w->rows, &w->d->how, w->run, &w->map, err));
        note_fewer_directions(w);
    }
    w->facts->n = w->rows.n;
    w->facts->d = w->other.d > 0 ? w->rows.d + w->other.d : w->map.out;
    x = es_alloc_aligned(ES_DERIVE_BLOCK * w->rows.d, sizeof *x);
    y = es_alloc_aligned(ES_DERIVE_BLOCK * w->other.d, sizeof *y);
    out = es_alloc_aligned(ES_DERIVE_BLOCK * w->facts->d, sizeof *out);
    ES_FAIL_IF(!x || !y || !out, es_no_memory_for(err, "%zu columns", w->facts->d));
    ES_TRY(es_npy_begin(w->path, w->facts->n, w->facts->d, 0600, &w->file, err));
    for (size_t at = 0; at < w->rows.n; at += ES_DERIVE_BLOCK)
        ES_TRY(put_block(w, at, x, y, out, err));
done:
    es_free(x);
    es_free(y);
    es_free(out);
    return st;
}

static void undo_rows(void *context) {
    making *w = context;
    es_npy_drop(&w->file);
    es_derive_map_free(&w->map);
}

static es_status put_beside_other(void *context, es_error *err) {
    const making *w = context;
    return es_pool_read_watched(w->pool, w->d->other, w->run, put_rows, undo_rows, context, err);
}

/* True if the map is kept in a file so that `apply` can derive new rows. */
static bool is_applied(const es_derivation *d) {
    es_derive_kind kind = d->how.kind;
    return d->other == SIZE_MAX &&
           (kind == ES_DERIVE_NONE || kind == ES_DERIVE_FIRST || kind == ES_DERIVE_PCA);
}

/* Reads the source rows, fits the map, and writes the derived matrix. */
static es_status derive_matrix(const es_pool *pool, const es_derivation *d, const es_run *run,
                               const char *weights, es_derived *facts, es_error *err) {
    making w = {.pool = pool, .d = d, .run = run, .path = facts->path, .facts = facts};
    bool both = d->other != SIZE_MAX;
    es_status st = ES_OK;
    ES_TRY(es_pool_whole_rows_of(pool, d->source, &w.rows, err));
    if (both)
        ES_TRY(es_pool_whole_rows_of(pool, d->other, &w.other, err));
    ES_TRY(es_pool_read_watched(pool, d->source, run, both ? put_beside_other : put_rows, undo_rows,
                                &w, err));
    ES_TRY(es_run_check(run, err));
    if (weights)
        ES_TRY(es_map_file_write(weights, &w.map, es_pool_model(pool, d->source)->name, err));
    ES_TRY(es_npy_end(&w.file, err)); /* what is listed is there */
done:
    undo_rows(&w);
    es_pool_rest(pool, d->source);
    if (both)
        es_pool_rest(pool, d->other);
    return st;
}

double es_derived_bytes(const es_pool *pool, const es_derivation *d) {
    double columns = (double)es_pool_model(pool, d->source)->dim;
    if (d->other == SIZE_MAX)
        return es_derive_map_bytes(es_pool_rows(pool), (size_t)columns, &d->how);
    columns += (double)es_pool_model(pool, d->other)->dim;
    return 2.0 * ES_DERIVE_BLOCK * sizeof(double) * columns;
}

/* Of two sources of different families it is of neither. */
static const char *family_of(const es_pool *pool, const es_derivation *d) {
    const char *one = es_pool_model(pool, d->source)->family;
    const char *two = d->other != SIZE_MAX ? es_pool_model(pool, d->other)->family : one;
    return one && two && strcmp(one, two) == 0 ? one : NULL;
}

/* How it is made, as its notes say it: two that are made alike have the same. */
static void put_recipe(const es_pool *pool, const es_derivation *d, es_buf *out) {
    const char *source = es_pool_model(pool, d->source)->name;
    if (d->other != SIZE_MAX) {
        es_buf_printf(out, "%s beside %s", source, es_pool_model(pool, d->other)->name);
        return;
    }
    es_buf_printf(out, "derived from %s: ", source);
    if (d->how.kind != ES_DERIVE_NONE)
        es_buf_puts(out, es_derive_name(d->how.kind));
    if (d->how.k > 0)
        es_buf_printf(out, " %zu", d->how.k);
    if (d->how.bits > 0)
        es_buf_printf(out, "%s%s", d->how.kind != ES_DERIVE_NONE ? ", " : "",
                      es_derive_storage(d->how.bits));
    if (es_derive_is_random(d->how.kind))
        es_buf_printf(out, ", seed %llu", (unsigned long long)d->how.seed);
}

static es_status list_it(const es_pool *pool, const es_derivation *d, const char *folder,
                         const char *name, const char *stem, const char *weights, es_error *err) {
    const size_t sources[] = {d->source, d->other};
    es_buf notes = {0};
    bool both = d->other != SIZE_MAX;
    put_recipe(pool, d, &notes);
    es_status st = es_buf_check(&notes, err);
    const es_derived_side side = {.name = name,
                                  .stem = stem,
                                  .notes = notes.data,
                                  .family = family_of(pool, d),
                                  .model = weights,
                                  .seed = d->how.seed,
                                  .source = sources,
                                  .n_sources = both ? 2 : 1};
    if (st == ES_OK)
        st = es_derived_list_side(pool, folder, &side, err);
    es_buf_free(&notes);
    return st;
}

/* Of the same recipe. Earlier versions said no seed. */
static bool says_so(const char *notes, const char *recipe) {
    size_t length = notes ? strlen(notes) : 0;
    return length > 0 && strncmp(notes, recipe, length) == 0 &&
           (recipe[length] == '\0' || strncmp(recipe + length, ", seed ", 7) == 0);
}

/* A name is given once; what was made in just this way is made anew, as of a source that changed.
 */
static es_status check_name(const es_pool *pool, const es_derivation *d, const char *name,
                            es_error *err) {
    size_t twin = es_pool_find(pool, name);
    if (name[0] == '\0')
        return es_fail(err, ES_EINVAL, "a derived embedder needs a name");
    if (twin == SIZE_MAX)
        return ES_OK;
    const es_model *there = es_pool_model(pool, twin);
    if (!there->derived)
        return es_fail(err, ES_EINVAL, "the pool has an embedder '%s' already: choose another name",
                       name);
    es_buf recipe = {0};
    put_recipe(pool, d, &recipe);
    es_status st = es_buf_check(&recipe, err);
    if (st == ES_OK && !says_so(there->notes, recipe.data))
        st = es_fail(err, ES_EINVAL,
                     "the pool already has an embedder '%s', made differently (%s): choose another "
                     "name, or remove that one (derive --remove)",
                     name, there->notes ? there->notes : "its description does not say how");
    es_buf_free(&recipe);
    return st;
}

/* Checks that the sources are whole and that the name is free. */
static es_status check_request(const es_pool *pool, const es_derivation *d, const char *name,
                               es_error *err) {
    const size_t sources[] = {d->source, d->other};
    es_status st = es_pool_check_whole(pool, sources, d->other != SIZE_MAX ? 2 : 1, err);
    if (st != ES_OK)
        return st;
    if (!es_pool_path(pool))
        return es_fail(err, ES_EINVAL, "matrices in memory have no folder to derive into");
    return check_name(pool, d, name, err);
}

es_status es_derived_make(const es_pool *pool, const es_derivation *d, const es_run *run,
                          es_derived *out, es_error *err) {
    char stem[ES_DERIVED_STEM], file[ES_DERIVED_STEM + 8], weights[ES_DERIVED_STEM + 16] = "";
    es_derived made = {0};
    char *folder = NULL, *path = NULL;
    es_status st = ES_OK;
    made.name = d->name ? es_strdup(d->name) : derived_name(pool, d);
    ES_FAIL_IF(!made.name, es_no_memory(err));
    ES_TRY(check_request(pool, d, made.name, err));
    ES_TRY(es_derived_folder(pool, &folder, err));
    es_derived_stem(made.name, stem);
    (void)snprintf(file, sizeof file, "%s.npy", stem);
    made.path = es_path_join(folder, file);
    ES_FAIL_IF(!made.path, es_no_memory(err));
    if (is_applied(d)) {
        (void)snprintf(weights, sizeof weights, "%s.safetensors", stem);
        path = es_path_join(folder, weights);
        ES_FAIL_IF(!path, es_no_memory(err));
    }
    ES_TRY(derive_matrix(pool, d, run, path, &made, err));
    ES_TRY(list_it(pool, d, folder, made.name, stem, path ? weights : NULL, err));
    *out = made;
    made = (es_derived){0};
done:
    es_derived_deinit(&made);
    es_free(folder);
    es_free(path);
    return st;
}
