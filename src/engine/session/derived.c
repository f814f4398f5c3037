/* Makes a derived embedder: reads the sources whole, transforms them (derive.h), writes the matrix
 * and then the .json that lists it, so that what is listed is there. */
#include "derived.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "json.h"
#include "npy.h"
#include "paths.h"
#include "store_place.h"

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

char *es_derived_name(const es_pool *pool, const es_derivation *d) {
    es_buf name = {0};
    es_buf_printf(&name, "%s+", es_pool_model(pool, d->source)->name);
    if (d->other != SIZE_MAX) {
        es_buf_puts(&name, es_pool_model(pool, d->other)->name);
    } else {
        es_buf_puts(&name, word_of(d->how.kind));
        if (d->how.k > 0)
            es_buf_printf(&name, "%zu", d->how.k);
        if (d->how.kind == ES_DERIVE_RANDOM && d->how.seed > 0)
            es_buf_printf(&name, "s%llu", (unsigned long long)d->how.seed);
    }
    char *copy = name.failed ? NULL : es_strdup(name.data);
    es_buf_free(&name);
    return copy;
}

/* A file name for an embedder's: what is not plain becomes "_", with a digest so that two names do
 * not meet. */
static void file_name(const char *name, char *out, size_t capacity) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
    char hex[ES_DIGEST_HEX];
    bool changed = name[0] == '.' || strlen(name) > capacity - 24;
    size_t n = 0;
    for (; n < capacity - 24 && name[n]; n++) {
        bool keep = strchr(plain, name[n]) && !(n == 0 && name[n] == '.');
        out[n] = keep ? name[n] : '_';
        changed = changed || !keep;
    }
    out[n] = '\0';
    if (changed)
        (void)snprintf(out + n, capacity - n, "-%.8s",
                       es_digest_hex(es_digest_bytes(name, strlen(name)), hex));
}

static es_status compute(const es_pool *pool, const es_derivation *d, const es_run *run,
                         es_matrix *out, es_derived *facts, es_error *err) {
    es_matrix source = {0}, other = {0};
    es_status st = ES_OK;
    ES_TRY(es_pool_matrix(pool, d->source, run, &source, err));
    ES_TRY(es_run_check(run, err));
    if (d->other != SIZE_MAX) {
        ES_TRY(es_pool_matrix(pool, d->other, run, &other, err));
        ES_TRY(es_derive_concat(&source, &other, out, err));
        goto done;
    }
    ES_TRY(es_derive_matrix(&source, &d->how, out, err));
    if (d->how.kind == ES_DERIVE_WHITEN && source.n <= source.d)
        (void)snprintf(facts->remark, sizeof facts->remark,
                       "%zu rows and %zu columns: no more than %zu directions can be whitened",
                       source.n, source.d, source.n - 1);
    else if (d->how.kind == ES_DERIVE_WHITEN && d->how.k == 0 && out->d < source.d)
        (void)snprintf(facts->remark, sizeof facts->remark,
                       "%zu of %zu directions have variance and are kept", out->d, source.d);
done:
    es_matrix_free(&source);
    es_matrix_free(&other);
    return st;
}

/* The folder for new ones, made when it is not there. */
static es_status folder_for(const es_pool *pool, char **out, es_error *err) {
    struct stat info;
    char label[ES_PATH_LABEL], *results = NULL, *folder = NULL;
    es_status st = es_store_place_write(es_pool_path(pool), &results, err);
    if (st != ES_OK)
        return st;
    char *slash = strrchr(results, '/');
    if (slash)
        *slash = '\0';
    folder = es_path_join(results, "derived");
    es_free(results);
    if (!folder)
        return es_no_memory(err);
    st = es_dir_make(folder, err);
    if (st == ES_OK && (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode)))
        st = es_fail(err, ES_EIO, "%s: is a symbolic link; remove it",
                     es_path_label(label, folder)); /* to anywhere */
    if (st != ES_OK) {
        es_free(folder);
        return st;
    }
    es_file_sweep(folder);
    *out = folder;
    return ES_OK;
}

static void put_source(es_json *json, const es_model *m) {
    char hex[ES_DIGEST_HEX];
    es_json_begin_object(json, NULL);
    es_json_text(json, "name", m->name);
    es_json_text(json, "digest", es_digest_hex(m->digest, hex));
    es_json_end(json);
}

static es_status write_side(const es_pool *pool, const es_derivation *d, const char *name,
                            const char *file, const char *path, es_error *err) {
    const es_model *source = es_pool_model(pool, d->source);
    es_buf out = {0}, notes = {0};
    es_json json;
    bool both = d->other != SIZE_MAX;
    if (both)
        es_buf_printf(&notes, "%s beside %s", source->name, es_pool_model(pool, d->other)->name);
    else
        es_buf_printf(&notes, "derived from %s: %s", source->name, es_derive_name(d->how.kind));
    if (!both && d->how.k > 0)
        es_buf_printf(&notes, " %zu", d->how.k);
    es_json_init(&json, &out, 2);
    es_json_begin_object(&json, NULL);
    es_json_text(&json, "name", name);
    es_json_text(&json, "file", file);
    if (source->family)
        es_json_text(&json, "family", source->family);
    es_json_text(&json, "notes", notes.failed ? "derived" : notes.data);
    es_json_uint(&json, "seed", d->how.seed);
    es_json_begin_array(&json, "sources");
    put_source(&json, source);
    if (both)
        put_source(&json, es_pool_model(pool, d->other));
    es_json_end(&json);
    es_json_end(&json);
    es_buf_putc(&out, '\n');
    es_status st = es_buf_check(&out, err);
    if (st == ES_OK)
        st = es_file_replace(path, out.data, out.length, 0600, err);
    es_buf_free(&out);
    es_buf_free(&notes);
    return st;
}

static es_status check(const es_pool *pool, const es_derivation *d, const char *name,
                       es_error *err) {
    const es_model *source = es_pool_model(pool, d->source);
    size_t twin = es_pool_find(pool, name);
    if (source->state != ES_MODEL_READY)
        return es_fail(err, ES_EINVAL, "%s is not in use: %s", source->name,
                       source->reason ? source->reason : "not checked");
    if (d->other != SIZE_MAX && es_pool_model(pool, d->other)->state != ES_MODEL_READY)
        return es_fail(err, ES_EINVAL, "%s is not in use", es_pool_model(pool, d->other)->name);
    if (es_pool_rows(pool) != source->rows)
        return es_fail(err, ES_EINVAL,
                       "only %zu of %zu rows are in use: derive without --rows and --drop-rows",
                       es_pool_rows(pool), source->rows);
    if (!es_pool_path(pool))
        return es_fail(err, ES_EINVAL, "matrices in memory have no folder to derive into");
    if (name[0] == '\0')
        return es_fail(err, ES_EINVAL, "a derived embedder needs a name");
    if (twin != SIZE_MAX && !es_pool_model(pool, twin)->derived)
        return es_fail(err, ES_EINVAL, "the pool has an embedder '%s' already: choose another name",
                       name);
    return ES_OK;
}

es_status es_derived_make(const es_pool *pool, const es_derivation *d, const es_run *run,
                          es_derived *out, es_error *err) {
    char stem[200], file[220], side[220];
    es_derived made = {0};
    es_matrix m = {0};
    char *folder = NULL, *side_path = NULL;
    es_status st = ES_OK;
    made.name = d->name ? es_strdup(d->name) : es_derived_name(pool, d);
    ES_FAIL_IF(!made.name, es_no_memory(err));
    ES_TRY(check(pool, d, made.name, err));
    ES_TRY(compute(pool, d, run, &m, &made, err));
    ES_TRY(es_run_check(run, err));
    ES_TRY(folder_for(pool, &folder, err));
    file_name(made.name, stem, sizeof stem);
    (void)snprintf(file, sizeof file, "%s.npy", stem);
    (void)snprintf(side, sizeof side, "%s.json", stem);
    made.path = es_path_join(folder, file);
    side_path = es_path_join(folder, side);
    ES_FAIL_IF(!made.path || !side_path, es_no_memory(err));
    made.n = m.n;
    made.d = m.d;
    ES_TRY(es_npy_write(made.path, m.x, m.n, m.d, err)); /* what is listed is there */
    ES_TRY(write_side(pool, d, made.name, file, side_path, err));
    *out = made;
    made = (es_derived){0};
done:
    es_derived_deinit(&made);
    es_matrix_free(&m);
    es_free(folder);
    es_free(side_path);
    return st;
}
