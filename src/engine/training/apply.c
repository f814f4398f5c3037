/* Rows of a file, read whole, and mapped. */
#include "apply.h"

#include <math.h>
#include <string.h>

#include "cmim_derive.h"
#include "io_readers.h"

static es_status check_room(const es_applied *how, size_t n, const char *label, es_error *err) {
    static const double mega = 1048576;
    double need = how->row_bytes * (double)n;
    if (need <= (double)how->memory)
        return ES_OK;
    return es_fail(
        err, ES_EUNSUPPORTED,
        "%s: its %zu rows need %.1f MB of memory, but the limit is %.1f MB: use --memory "
        "%.0fM, or fewer rows at a time",
        label, n, need / mega, (double)how->memory / mega, ceil(need / mega));
}

es_status es_apply_read(const char *path, const es_applied *how, es_matrix *out, char **note,
                        es_error *err) {
    char label[ES_PATH_LABEL], *own = NULL;
    es_loaded loaded = {0};
    es_matrix rows = {0};
    es_status st = ES_OK;
    ES_TRY(es_loaded_open(path, 0, NULL, &loaded, err));
    es_path_label(label, path);
    ES_FAIL_IF(loaded.tensors.count != 1 || loaded.tensors.items[0].skipped,
               es_fail(err, ES_EINVAL, "%s: expected one matrix, found %zu tensors", label,
                       loaded.tensors.count));
    const es_array *a = &loaded.tensors.items[0].array;
    ES_TRY(es_npz_verify(&loaded.tensors.items[0], label, NULL, err));
    ES_FAIL_IF(a->d != how->columns,
               es_fail(err, ES_EINVAL, "%s has %zu columns, and the model takes %zu: those of %s",
                       label, a->d, how->columns, how->of));
    ES_TRY(check_room(how, a->n, label, err));
    ES_TRY(es_matrix_new(a->n, a->d, &rows, err));
    es_array_read_range(a, 0, a->n, rows.x);
    for (size_t i = 0; i < rows.n * rows.d; i++)
        ES_FAIL_IF(!isfinite(rows.x[i]),
                   es_fail(err, ES_ENONFINITE, "%s: row %zu, column %zu is not a finite number",
                           label, i / rows.d, i % rows.d));
    ES_FAIL_IF(loaded.tensors.note && !(own = es_strdup(loaded.tensors.note)), es_no_memory(err));
    *out = rows;
    *note = own;
    rows = (es_matrix){0};
done:
    es_loaded_close(&loaded);
    es_matrix_free(&rows);
    return st;
}

static es_status apply_map(const es_derive_map *map, const char *rows_path, size_t memory,
                           es_matrix *out, char **note, es_error *err) {
    const es_applied how = {.columns = map->d,
                            .of = "what it was derived from",
                            .row_bytes = (double)(map->d + map->out) * sizeof(double),
                            .memory = memory};
    es_matrix rows = {0}, made = {0};
    char *own = NULL;
    es_status st = ES_OK;
    ES_TRY(es_apply_read(rows_path, &how, &rows, &own, err));
    ES_TRY(es_matrix_new(rows.n, map->out, &made, err));
    for (size_t at = 0; at < rows.n; at += ES_DERIVE_BLOCK) {
        size_t count = rows.n - at < ES_DERIVE_BLOCK ? rows.n - at : ES_DERIVE_BLOCK;
        ES_TRY(es_derive_map_apply(map, rows.x + at * map->d, count, made.x + at * map->out, err));
    }
    *out = made;
    *note = own;
    made = (es_matrix){0};
    own = NULL;
done:
    es_matrix_free(&rows);
    es_matrix_free(&made);
    es_free(own);
    return st;
}

es_status es_apply(const char *model_path, const char *rows_path, bool info, size_t memory,
                   es_matrix *out, char **note, es_error *err) {
    char label[ES_PATH_LABEL];
    es_derive_map map = {0};
    bool is_map = false;
    es_status st = es_map_file_read(model_path, &map, &is_map, err);
    if (st == ES_OK && is_map && info)
        st = es_fail(err, ES_EINVAL, "%s: --info goes with a model of `derive --cmim`",
                     es_path_label(label, model_path));
    else if (st == ES_OK)
        st = is_map ? apply_map(&map, rows_path, memory, out, note, err)
                    : es_cmim_apply(model_path, rows_path, info, memory, out, note, err);
    es_derive_map_free(&map);
    return st;
}
