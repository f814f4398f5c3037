/* Makes a derived embedder: reads the sources whole, transforms them (derive.h), writes the matrix
 * and then the .json that lists it, so that what is listed is there. */
#include "derived.h"

#include <stdint.h>
#include <stdio.h>

#include "alloc.h"
#include "buf.h"
#include "derived_files.h"
#include "npy.h"
#include "paths.h"

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

static es_status list_it(const es_pool *pool, const es_derivation *d, const char *folder,
                         const char *name, const char *stem, es_error *err) {
    const char *source = es_pool_model(pool, d->source)->name;
    const size_t sources[] = {d->source, d->other};
    es_buf notes = {0};
    bool both = d->other != SIZE_MAX;
    if (both)
        es_buf_printf(&notes, "%s beside %s", source, es_pool_model(pool, d->other)->name);
    else
        es_buf_printf(&notes, "derived from %s: %s", source, es_derive_name(d->how.kind));
    if (!both && d->how.k > 0)
        es_buf_printf(&notes, " %zu", d->how.k);
    es_status st = es_buf_check(&notes, err);
    const es_derived_side side = {.name = name,
                                  .stem = stem,
                                  .notes = notes.data,
                                  .family = es_pool_model(pool, d->source)->family,
                                  .seed = d->how.seed,
                                  .source = sources,
                                  .n_sources = both ? 2 : 1};
    if (st == ES_OK)
        st = es_derived_list_side(pool, folder, &side, err);
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
    if (es_pool_rows(pool) != es_pool_all_rows(pool))
        return es_fail(err, ES_EINVAL,
                       "only %zu of %zu rows are in use: derive without --rows and --drop-rows",
                       es_pool_rows(pool), es_pool_all_rows(pool));
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
    char stem[ES_DERIVED_STEM], file[ES_DERIVED_STEM + 8];
    es_derived made = {0};
    es_matrix m = {0};
    char *folder = NULL;
    es_status st = ES_OK;
    made.name = d->name ? es_strdup(d->name) : es_derived_name(pool, d);
    ES_FAIL_IF(!made.name, es_no_memory(err));
    ES_TRY(check(pool, d, made.name, err));
    ES_TRY(compute(pool, d, run, &m, &made, err));
    ES_TRY(es_run_check(run, err));
    ES_TRY(es_derived_folder(pool, &folder, err));
    es_derived_stem(made.name, stem);
    (void)snprintf(file, sizeof file, "%s.npy", stem);
    made.path = es_path_join(folder, file);
    ES_FAIL_IF(!made.path, es_no_memory(err));
    made.n = m.n;
    made.d = m.d;
    ES_TRY(es_npy_write(made.path, m.x, m.n, m.d, err)); /* what is listed is there */
    ES_TRY(list_it(pool, d, folder, made.name, stem, err));
    *out = made;
    made = (es_derived){0};
done:
    es_derived_deinit(&made);
    es_matrix_free(&m);
    es_free(folder);
    return st;
}
