/* Means in one pass, products of centred columns in another, and then the rows one block after the
 * other. */
#include "core_derive.h"

#include <math.h>
#include <string.h>

static bool is_spectral(es_derive_kind kind) {
    return kind == ES_DERIVE_ABTT || kind == ES_DERIVE_PCR || kind == ES_DERIVE_WHITEN ||
           kind == ES_DERIVE_PCA;
}

static bool is_centred(es_derive_kind kind) {
    return kind == ES_DERIVE_CENTRE || (is_spectral(kind) && kind != ES_DERIVE_PCR);
}

static bool takes_out(es_derive_kind kind) {
    return kind == ES_DERIVE_ABTT || kind == ES_DERIVE_PCR;
}

static size_t rows_at(size_t n, size_t at) {
    return n - at < ES_DERIVE_BLOCK ? n - at : ES_DERIVE_BLOCK;
}

static es_status read_block(const es_rows *rows, size_t at, const es_run *run, double *x,
                            es_error *err) {
    uint32_t number[ES_DERIVE_BLOCK];
    size_t count = rows_at(rows->n, at);
    es_status st = es_run_check(run, err);
    for (size_t i = 0; i < count; i++)
        number[i] = (uint32_t)(at + i);
    return st == ES_OK ? rows->read(rows->context, number, count, x, err) : st;
}

static void subtract_mean(const es_derive_map *map, double *x, size_t count) {
    for (size_t i = 0; map->mean && i < count; i++)
        for (size_t j = 0; j < map->d; j++)
            x[i * map->d + j] -= map->mean[j];
}

static es_status find_mean(const es_rows *rows, const es_run *run, es_derive_map *map, double *x,
                           es_error *err) {
    map->mean = es_alloc_zero(map->d, sizeof *map->mean);
    if (!map->mean)
        return es_no_memory_for(err, "%zu means", map->d);
    for (size_t at = 0; at < rows->n; at += ES_DERIVE_BLOCK) {
        ES_PASS(read_block(rows, at, run, x, err));
        for (size_t i = 0; i < rows_at(rows->n, at); i++)
            for (size_t j = 0; j < map->d; j++)
                map->mean[j] += x[i * map->d + j];
    }
    for (size_t j = 0; j < map->d; j++)
        map->mean[j] /= (double)rows->n;
    return ES_OK;
}

/* How many axes there have to be vectors of. */
static size_t axes_wanted(const es_derive *how) {
    return takes_out(how->kind) || how->k > 0 ? how->k : ES_PCA_ALL;
}

static es_status axes_of_columns(const es_rows *rows, const es_run *run, es_derive_map *map,
                                 double *x, es_error *err) {
    size_t d = map->d;
    double *gram = es_alloc_zero(d * d, sizeof *gram);
    es_status st = ES_OK;
    ES_FAIL_IF(!gram, es_no_memory_for(err, "%zu principal axes", d));
    for (size_t at = 0; at < rows->n; at += ES_DERIVE_BLOCK) {
        ES_TRY(read_block(rows, at, run, x, err));
        subtract_mean(map, x, rows_at(rows->n, at));
        es_dsyrk_add(rows_at(rows->n, at), d, x, gram);
    }
    ES_TRY(es_pca_of_columns(rows->n, d, gram, ES_PCA_ALL, &map->pca, err));
done:
    es_free(gram);
    return st;
}

static es_status axes_of_rows(const es_rows *rows, const es_run *run, es_derive_map *map,
                              es_error *err) {
    es_matrix m = {0};
    es_status st = es_run_check(run, err);
    if (st == ES_OK)
        st = es_matrix_read(rows, NULL, rows->n, &m, err);
    if (st == ES_OK) {
        subtract_mean(map, m.x, m.n);
        st = es_pca_new(&m, ES_PCA_ALL, &map->pca, err);
    }
    es_matrix_free(&m);
    return st;
}

static es_status find_axes(const es_rows *rows, const es_run *run, es_derive_map *map, double *x,
                           es_error *err) {
    es_status st = rows->n < rows->d ? axes_of_rows(rows, run, map, err)
                                     : axes_of_columns(rows, run, map, x, err);
    size_t wanted = axes_wanted(&map->how);
    if (st != ES_OK)
        return st;
    map->pca.axes = wanted < map->pca.rank ? wanted : map->pca.rank;
    if (takes_out(map->how.kind))
        return es_derive_leaves(&map->how, map->pca.rank, err);
    map->out = map->pca.axes;
    return map->out > 0 ? ES_OK
                        : es_fail(err, ES_EEMPTY, "all rows are equal: no axis has any variance");
}

static es_status draw_axes(es_derive_map *map, es_error *err) {
    es_rng rng;
    map->out = map->how.k;
    es_rng_init(&rng, map->how.seed, es_rng_stream(ES_STREAM_SAMPLE, map->d * 65536 + map->how.k));
    map->axes = es_alloc_aligned(map->d * map->out, sizeof *map->axes);
    if (!map->axes)
        return es_no_memory_for(err, "%zu random axes", map->out);
    for (size_t i = 0; i < map->d * map->out; i++)
        map->axes[i] = es_rng_normal(&rng) / sqrt((double)map->out);
    return ES_OK;
}

static es_status fit_flow(const es_rows *rows, const es_run *run, es_derive_map *map,
                          es_error *err) {
    es_matrix m = {0};
    es_status st = es_matrix_read(rows, NULL, rows->n, &m, err);
    if (st == ES_OK)
        st = es_normalizing_flow_fit(&m, map->how.seed, run, &map->flow, err);
    if (st == ES_OK)
        map->out = es_normalizing_flow_columns(map->flow);
    es_matrix_free(&m);
    return st;
}

static void normalise_rows(double *x, size_t count, size_t d) {
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t j = 0; j < d; j++)
            sum += x[i * d + j] * x[i * d + j];
        for (size_t j = 0; sum > 0 && j < d; j++)
            x[i * d + j] /= sqrt(sum);
    }
}

/* x - (x V) V^T. */
static es_status take_out(const es_derive_map *map, double *x, size_t count, es_error *err) {
    double *along = es_alloc_aligned(count * map->pca.axes + 1, sizeof *along);
    if (!along)
        return es_no_memory_for(err, "%zu axes", map->pca.axes);
    es_dgemm(false, true, count, map->pca.axes, map->d, x, map->pca.axis, along);
    for (size_t i = 0; i < count * map->pca.axes; i++)
        along[i] = -along[i];
    es_dgemm_add(count, map->d, map->pca.axes, along, map->pca.axis, x);
    es_free(along);
    return ES_OK;
}

static void keep_first(const es_derive_map *map, const double *x, size_t count, double *y) {
    for (size_t i = 0; i < count; i++)
        memcpy(y + i * map->out, x + i * map->d, map->out * sizeof *y);
}

/* Without the quantiser. */
static es_status apply_map(const es_derive_map *map, double *x, size_t count, double *y,
                           es_error *err) {
    es_derive_kind kind = map->how.kind;
    es_status st = ES_OK;
    if (map->flow)
        return es_normalizing_flow_apply(map->flow, x, count, y, err);
    subtract_mean(map, x, count);
    if (kind == ES_DERIVE_NORMALISE)
        normalise_rows(x, count, map->d);
    if (takes_out(kind) && map->pca.axes > 0)
        st = take_out(map, x, count, err);
    if (kind == ES_DERIVE_RANDOM)
        es_dgemm(false, false, count, map->out, map->d, x, map->axes, y);
    else if (kind == ES_DERIVE_WHITEN || kind == ES_DERIVE_PCA)
        es_dgemm(false, true, count, map->out, map->d, x, map->pca.axis, y);
    else
        keep_first(map, x, count, y);
    for (size_t i = 0; kind == ES_DERIVE_WHITEN && i < count; i++)
        for (size_t j = 0; j < map->out; j++)
            y[i * map->out + j] /= sqrt(map->pca.var[j]);
    return st;
}

es_status es_derive_map_apply(const es_derive_map *map, double *x, size_t count, double *y,
                              es_error *err) {
    es_status st = apply_map(map, x, count, y, err);
    if (st == ES_OK && map->how.bits > 0)
        es_quantiser_apply(&map->quantiser, y, count);
    return st;
}

static es_status find_levels(const es_rows *rows, const es_run *run, es_derive_map *map, double *x,
                             es_error *err) {
    double *y = es_alloc_aligned(ES_DERIVE_BLOCK * map->out, sizeof *y);
    es_status st = ES_OK;
    ES_FAIL_IF(!y, es_no_memory_for(err, "%zu columns", map->out));
    ES_TRY(es_quantiser_new(map->how.bits, map->out, &map->quantiser, err));
    for (size_t at = 0; at < rows->n; at += ES_DERIVE_BLOCK) {
        ES_TRY(read_block(rows, at, run, x, err));
        ES_TRY(apply_map(map, x, rows_at(rows->n, at), y, err));
        es_quantiser_take(&map->quantiser, y, rows_at(rows->n, at));
    }
    es_quantiser_settle(&map->quantiser);
done:
    es_free(y);
    return st;
}

es_status es_derive_map_new(const es_rows *rows, const es_derive *how, const es_run *run,
                            es_derive_map *out, es_error *err) {
    es_derive_map map = {.how = *how, .n = rows->n, .d = rows->d, .out = rows->d};
    bool random = how->kind == ES_DERIVE_RANDOM;
    bool needs = takes_out(how->kind) || how->kind == ES_DERIVE_PCA || random ||
                 how->kind == ES_DERIVE_FIRST;
    es_status st = ES_OK;
    double *x = NULL;
    if (rows->n == 0 || rows->d == 0)
        return es_fail(err, ES_EEMPTY, "%s: there are no rows", es_derive_name(how->kind));
    if ((needs && how->k == 0) || (!random && how->k > rows->d))
        return es_fail(err, ES_EINVAL, "%s: %zu is not a number of axes from 1 to %zu",
                       es_derive_name(how->kind), how->k, rows->d);
    x = es_alloc_aligned(ES_DERIVE_BLOCK * rows->d, sizeof *x);
    ES_FAIL_IF(!x, es_no_memory_for(err, "%zu columns", rows->d));
    if (is_centred(how->kind))
        ES_TRY(find_mean(rows, run, &map, x, err));
    if (is_spectral(how->kind))
        ES_TRY(find_axes(rows, run, &map, x, err));
    if (random)
        ES_TRY(draw_axes(&map, err));
    if (how->kind == ES_DERIVE_FIRST)
        map.out = how->k;
    if (how->kind == ES_DERIVE_FLOW)
        ES_TRY(fit_flow(rows, run, &map, err));
    if (how->bits > 0)
        ES_TRY(find_levels(rows, run, &map, x, err));
    *out = map;
    map = (es_derive_map){0};
done:
    es_free(x);
    es_derive_map_free(&map);
    return st;
}

void es_derive_map_free(es_derive_map *map) {
    es_free(map->mean);
    es_free(map->axes);
    es_normalizing_flow_free(map->flow);
    es_pca_free(&map->pca);
    es_quantiser_free(&map->quantiser);
    *map = (es_derive_map){0};
}

double es_derive_map_bytes(size_t n, size_t d, const es_derive *how) {
    double rows = (double)n, columns = (double)d, small = n < d ? rows : columns;
    double out = how->kind == ES_DERIVE_RANDOM ? (double)how->k : columns;
    double bytes = 8 * (2 * ES_DERIVE_BLOCK * (columns + out) + 2 * columns);
    if (how->kind == ES_DERIVE_RANDOM)
        bytes += 8 * columns * out;
    if (how->bits > 0) /* levels, and a block of what they are of */
        bytes += 8 * (ES_DERIVE_BLOCK + 8) * out;
    if (how->kind == ES_DERIVE_FLOW)
        bytes += es_normalizing_flow_bytes(n, d);
    if (is_spectral(how->kind)) /* products, the work of their eigenvectors, axes; the matrix */
        bytes += 8 * (4 * small * small + small * columns + (n < d ? rows * columns : 0));
    return bytes;
}
