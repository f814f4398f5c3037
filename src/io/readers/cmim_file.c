/* The model file: weights under their names, everything else as metadata or small tensors. What is
 * read is held against the shapes that the recipe asks for before anything is believed. */
#include "io_readers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format[] = "embedscope-cmim-1";
static const char about[] =
    "x W + b with W (in, out) and b (1, out); input (x[column] - shift) * factor by the rows of "
    "columns; hidden layers with the recipe's activation; mu is the embedding, the last decoder "
    "layer at z = mu the informative one, of infonce, which has no decoder, the last encoder layer";
enum { CURVE = 8, EXTRA = 5, NOTES = 10, RECIPE = 640, WIDEST = 1 << 20 };

void es_cmim_model_deinit(es_cmim_model *m) {
    es_free(m->name);
    es_free(m->sources);
    es_cmim_columns_deinit(&m->columns);
    es_free(m->param);
    es_free(m->curve);
    es_free(m->moment1);
    es_free(m->moment2);
    es_free(m->best);
    *m = (es_cmim_model){0};
}

/* ---- writing ---- */

static double *columns_out(const es_cmim_columns *c) {
    double *out = es_alloc(3 * c->d, sizeof *out);
    for (size_t j = 0; out && j < c->d; j++) {
        out[j] = (double)c->column[j];
        out[c->d + j] = c->shift[j];
        out[2 * c->d + j] = c->factor[j];
    }
    return out;
}

static double *curve_out(const es_cmim_model *m) {
    double *out = es_alloc(CURVE * m->n_points, sizeof *out);
    for (size_t i = 0; out && i < m->n_points; i++) {
        const es_cmim_point *p = &m->curve[i];
        const double row[CURVE] = {(double)p->step,      p->batch.loss,  p->batch.reconstruction,
                                   p->batch.contrastive, p->batch.log_q, p->batch.log_p,
                                   p->batch.cosine,      p->validation};
        memcpy(out + CURVE * i, row, sizeof row);
    }
    return out;
}

/* What infonce never trains is only in states, and in models of before. */
static bool is_idle(const double *values, const es_cmim_tensor *t) {
    return es_cmim_recipe_of(values, 0).goal.mode == ES_CMIM_INFONCE &&
           strncmp(t->name, "encoder.", 8) != 0 && strncmp(t->name, "mu.", 3) != 0;
}

static size_t put_weights(const es_cmim_model *m, es_cmim_tensor *table, es_tensor_out *out) {
    size_t n_params = 0, put = 0, count = es_cmim_tensors(&m->shape, table, &n_params);
    for (size_t i = 0; i < count; i++)
        if (m->moment1 || !is_idle(m->values, &table[i]))
            out[put++] = (es_tensor_out){.name = table[i].name,
                                         .floats = m->param + table[i].at,
                                         .rows = table[i].rows ? table[i].rows : 1,
                                         .columns = table[i].columns};
    return put;
}

es_status es_cmim_model_write(const char *path, const es_cmim_model *m, es_error *err) {
    es_cmim_tensor table[ES_CMIM_TENSORS];
    es_tensor_out tensors[ES_CMIM_TENSORS + EXTRA];
    char recipe[RECIPE], seed[32], from[32], step[32], best_step[32];
    es_buf loss = {0};
    double *columns = columns_out(&m->columns), *curve = curve_out(m);
    es_status st = ES_OK;
    ES_FAIL_IF(!columns || !curve, es_no_memory(err));
    (void)es_setting_text(es_cmim_settings, es_cmim_setting_count, m->values, recipe,
                          sizeof recipe);
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)m->seed);
    (void)snprintf(from, sizeof from, "%zu", m->columns.from);
    (void)snprintf(step, sizeof step, "%zu", m->step);
    (void)snprintf(best_step, sizeof best_step, "%zu", m->best_step);
    es_buf_put_double(&loss, m->best_loss);
    ES_TRY(es_buf_check(&loss, err));
    const es_tensor_note notes[NOTES] = {
        {"format", format},       {"about", about}, {"name", m->name},
        {"recipe", recipe},       {"seed", seed},   {"sources", m->sources},
        {"input_columns", from},  {"step", step},   {"best_step", best_step},
        {"best_loss", loss.data},
    };
    size_t count = put_weights(m, table, tensors);
    tensors[count++] = (es_tensor_out){"columns", NULL, columns, 3, m->columns.d};
    if (m->n_points > 0)
        tensors[count++] = (es_tensor_out){"curve", NULL, curve, m->n_points, CURVE};
    const float *const state[] = {m->moment1, m->moment2, m->best};
    static const char *const names[] = {"state.moment1", "state.moment2", "state.best"};
    for (size_t i = 0; i < 3 && state[i]; i++)
        tensors[count++] = (es_tensor_out){names[i], state[i], NULL, 1, m->n_params};
    st = es_safetensors_write(path, tensors, count, notes, NOTES, err);
done:
    es_free(columns);
    es_free(curve);
    es_buf_free(&loss);
    return st;
}

/* ---- reading ---- */

typedef struct reader {
    const char *path;
    es_json_doc *doc;
    es_json_value root, notes;
    es_tensors tensors;
} reader;

static es_status bad(const reader *r, const char *what, es_error *err) {
    return es_fail(err, ES_EFORMAT, "%s: %s", es_path_shown(r->path).text, what);
}

static es_status read_text(const reader *r, const char *key, char **out, es_error *err) {
    const char *text = NULL;
    es_status st = es_json_get_text(&r->notes, key, ES_JSON_REQUIRED, &text, err);
    if (st == ES_OK && !(*out = es_strdup(text)))
        st = es_no_memory(err);
    return st;
}

static es_status read_number(const reader *r, const char *key, double *out, es_error *err) {
    const char *text = NULL;
    ES_PASS(es_json_get_text(&r->notes, key, ES_JSON_REQUIRED, &text, err));
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' ? ES_OK : bad(r, "a number in its metadata is none", err);
}

static es_status read_count(const reader *r, const char *key, size_t *out, es_error *err) {
    double value = 0;
    es_status st = read_number(r, key, &value, err);
    if (st == ES_OK && !(value >= 0 && value <= 1e9 && value == floor(value)))
        st = bad(r, "a count in its metadata is none", err);
    if (st == ES_OK)
        *out = (size_t)value;
    return st;
}

static es_status read_recipe(const reader *r, es_cmim_model *out, es_error *err) {
    char *text = NULL;
    es_status st = read_text(r, "recipe", &text, err);
    es_cmim_defaults(out->values);
    for (char *at = text; st == ES_OK && at && *at;) {
        size_t length = strcspn(at, " ");
        bool last = at[length] == '\0';
        at[length] = '\0';
        if (length > 0)
            st = es_setting_assign(es_cmim_settings, es_cmim_setting_count, "a recipe", at,
                                   out->values, err);
        at += length + !last;
    }
    es_free(text);
    char *seed = NULL, *end = NULL;
    if (st == ES_OK)
        st = read_text(r, "seed", &seed, err);
    if (st == ES_OK) {
        out->seed = strtoull(seed, &end, 10);
        if (end == seed || *end)
            st = bad(r, "its seed is not a number", err);
    }
    es_free(seed);
    return st;
}

static const es_array *find(const reader *r, const char *name) {
    for (size_t i = 0; i < r->tensors.count; i++)
        if (!r->tensors.items[i].skipped && strcmp(r->tensors.items[i].name, name) == 0)
            return &r->tensors.items[i].array;
    return NULL;
}

static es_status expect(const reader *r, const char *name, size_t rows, size_t columns,
                        es_error *err) {
    const es_array *a = find(r, name);
    char what[120];
    if (a && a->n == rows && a->d == columns && a->dtype == ES_DTYPE_F32)
        return ES_OK;
    (void)snprintf(what, sizeof what, "it has no tensor %.31s of %zu x %zu", name, rows, columns);
    return bad(r, what, err);
}

/* A tensor of exactly this shape. */
static es_status read_floats(const reader *r, const char *name, size_t rows, size_t columns,
                             float *out, es_error *err) {
    ES_PASS(expect(r, name, rows, columns, err));
    const es_array *a = find(r, name);
    double *values = es_alloc(columns, sizeof *values);
    if (!values)
        return es_no_memory(err);
    for (size_t i = 0; i < rows; i++) {
        es_array_read_range(a, i, 1, values);
        for (size_t j = 0; j < columns; j++)
            out[i * columns + j] = (float)values[j];
    }
    es_free(values);
    return ES_OK;
}

static es_status read_columns(const reader *r, es_cmim_columns *out, es_error *err) {
    const es_array *a = find(r, "columns");
    size_t from = 0;
    double *values = NULL;
    es_status st = read_count(r, "input_columns", &from, err);
    if (st != ES_OK)
        return st;
    if (!a || a->n != 3 || a->d > from)
        return bad(r, "it does not say which columns it takes", err);
    ES_TRY(es_cmim_columns_new(from, a->d, out, err));
    values = es_alloc(3 * a->d, sizeof *values);
    ES_FAIL_IF(!values, es_no_memory(err));
    es_array_read_range(a, 0, 3, values);
    for (size_t j = 0; j < out->d; j++) {
        double column = values[j];
        ES_FAIL_IF(!(column >= 0 && column < (double)from),
                   bad(r, "one of its columns is not in the input", err));
        out->column[j] = (uint32_t)column;
        out->shift[j] = values[out->d + j];
        out->factor[j] = values[2 * out->d + j];
    }
done:
    es_free(values);
    return st;
}

static es_status read_weights(const reader *r, es_cmim_model *out, es_error *err) {
    es_cmim_tensor table[ES_CMIM_TENSORS];
    bool absent[ES_CMIM_TENSORS];
    const es_array *mu = find(r, "mu.weight");
    es_cmim_recipe recipe = es_cmim_recipe_of(out->values, out->seed);
    if (!mu || mu->n > WIDEST || mu->d > WIDEST || out->columns.d > WIDEST)
        return bad(r, "it has no tensor mu.weight of a size that can be", err);
    out->shape = (es_cmim_shape){.d = out->columns.d,
                                 .h = mu->n,
                                 .k = mu->d,
                                 .layers = recipe.layers,
                                 .relu = recipe.relu,
                                 .bernoulli = recipe.bernoulli,
                                 .learned = recipe.learned};
    size_t count = es_cmim_tensors(&out->shape, table, &out->n_params);
    es_status st = ES_OK;
    for (size_t i = 0; i < count && st == ES_OK; i++) { /* before memory is asked for */
        absent[i] = is_idle(out->values, &table[i]) && !find(r, table[i].name);
        if (absent[i])
            continue;
        st = expect(r, table[i].name, table[i].rows ? table[i].rows : 1, table[i].columns, err);
    }
    if (st != ES_OK)
        return st;
    out->param = es_alloc_zero(out->n_params, sizeof *out->param);
    if (!out->param)
        return es_no_memory_for(err, "%zu weights", out->n_params);
    for (size_t i = 0; i < count && st == ES_OK; i++)
        st = absent[i] ? ES_OK
                       : read_floats(r, table[i].name, table[i].rows ? table[i].rows : 1,
                                     table[i].columns, out->param + table[i].at, err);
    return st;
}

static es_status read_curve(const reader *r, es_cmim_model *out, es_error *err) {
    const es_array *a = find(r, "curve");
    if (!a)
        return ES_OK;
    if (a->d != CURVE || a->n > ES_CMIM_POINTS_MOST)
        return bad(r, "its curve has another shape", err);
    out->curve = es_alloc(a->n, sizeof *out->curve);
    if (!out->curve)
        return es_no_memory(err);
    for (; out->n_points < a->n; out->n_points++) {
        double v[CURVE];
        es_array_read_range(a, out->n_points, 1, v);
        if (!(v[0] >= 0 && v[0] <= 1e9))
            return bad(r, "a step of its curve is none", err);
        out->curve[out->n_points] =
            (es_cmim_point){(size_t)v[0], {v[1], v[2], v[3], v[4], v[5], v[6]}, v[7]};
    }
    return ES_OK;
}

/* All three, or none of them. */
static es_status read_state(const reader *r, es_cmim_model *out, es_error *err) {
    static const char *const names[] = {"state.moment1", "state.moment2", "state.best"};
    float **const into[] = {&out->moment1, &out->moment2, &out->best};
    es_status st = ES_OK;
    if (!find(r, names[0]))
        return ES_OK;
    for (size_t i = 0; i < 3 && st == ES_OK; i++) {
        *into[i] = es_alloc(out->n_params, sizeof **into[i]);
        st = *into[i] ? read_floats(r, names[i], 1, out->n_params, *into[i], err)
                      : es_no_memory(err);
    }
    return st;
}

static es_status read_all(reader *r, es_cmim_model *out, es_error *err) {
    const char *what = NULL;
    r->root = es_json_root(r->doc);
    ES_PASS(
        es_json_get(&r->root, "__metadata__", ES_JSON_OBJECT, ES_JSON_OPTIONAL, &r->notes, err));
    if (r->notes.node)
        ES_PASS(es_json_get_text(&r->notes, "format", ES_JSON_OPTIONAL, &what, err));
    if (!what || strcmp(what, format) != 0)
        return bad(r, "no model of embedscope: `derive --cmim` makes them", err);
    ES_PASS(read_text(r, "name", &out->name, err));
    ES_PASS(read_text(r, "sources", &out->sources, err));
    ES_PASS(read_recipe(r, out, err));
    ES_PASS(read_count(r, "step", &out->step, err));
    ES_PASS(read_count(r, "best_step", &out->best_step, err));
    ES_PASS(read_number(r, "best_loss", &out->best_loss, err));
    ES_PASS(read_columns(r, &out->columns, err));
    ES_PASS(read_weights(r, out, err));
    ES_PASS(read_curve(r, out, err));
    return read_state(r, out, err);
}

es_status es_cmim_model_read(const char *path, es_cmim_model *out, es_error *err) {
    es_map map = {0};
    reader r = {.path = path};
    es_cmim_model model = {0};
    es_status st = ES_OK;
    ES_TRY(es_map_open(path, 0, &map, err));
    ES_TRY(es_safetensors_header(&map, path, &r.doc, err));
    ES_TRY(es_safetensors_parse(&map, path, &r.tensors, err));
    ES_TRY(read_all(&r, &model, err));
    ES_TRY(es_map_check(&map, path, err));
    *out = model;
    model = (es_cmim_model){0};
done:
    es_cmim_model_deinit(&model);
    es_tensors_deinit(&r.tensors);
    es_json_free(r.doc);
    es_map_close(&map);
    return st;
}
