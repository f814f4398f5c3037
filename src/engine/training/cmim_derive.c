/* Deriving by cMIM: sources side by side, training with its state written down every few seconds,
 * and then the embedders, their weights and, last, what lists them. */
#include "engine_training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine_place.h"
#include "io_readers.h"

/* Between two times that the state is written down: the first comes soon, later ones cost nothing.
 */
static const double write_first = 0.2, write_seldom = 5, write_quick = 0.03;
static const double inactive = 0.01; /* of the mean -log p_k, in nats */

/* What a derivation holds until its end. */
typedef struct work {
    const es_pool *pool;
    const es_cmim_order *order;
    const es_run *run;
    es_cmim_live *live;
    es_matrix joined;
    es_cmim_columns columns;
    float *x; /* (n, columns.d) */
    es_cmim_trainer *trainer;
    double values[ES_CMIM_SETTINGS_MOST]; /* the recipe as it is used */
    char *sources;                        /* JSON */
    char *folder, *model, *state;         /* paths */
    char stem[ES_DERIVED_STEM], stems[2][ES_DERIVED_STEM];
    char *names[2]; /* NAME.mu, NAME.info */
    es_cmim_made made;
    es_buf remarks;
} work;

void es_cmim_made_deinit(es_cmim_made *made) {
    es_free(made->name);
    es_free(made->path);
    es_free(made->remarks);
    *made = (es_cmim_made){0};
}

static void work_deinit(work *w) {
    es_matrix_free(&w->joined);
    es_cmim_columns_deinit(&w->columns);
    es_free(w->x);
    es_cmim_trainer_free(w->trainer);
    es_free(w->sources);
    es_free(w->folder);
    es_free(w->model);
    es_free(w->state);
    es_free(w->names[0]);
    es_free(w->names[1]);
    es_cmim_made_deinit(&w->made);
    es_buf_free(&w->remarks);
}

/* ---- before ---- */

static es_status check_sources(const work *w, es_error *err) {
    if (!es_pool_path(w->pool))
        return es_fail(err, ES_EINVAL, "matrices in memory have no folder to derive into");
    return es_pool_check_whole(w->pool, w->order->source, w->order->n_sources, err);
}

/* Finds paths and names of what is derived, and whether they are free. */
static es_status settle_names(work *w, es_error *err) {
    static const char *const parts[] = {"mu", "info"};
    char file[ES_DERIVED_STEM + 16];
    ES_PASS(es_derived_folder(w->pool, &w->folder, err));
    es_derived_stem(w->order->name, w->stem);
    (void)snprintf(file, sizeof file, "%s.safetensors", w->stem);
    w->model = es_path_join(w->folder, file);
    (void)snprintf(file, sizeof file, "%s.training", w->stem);
    w->state = es_path_join(w->folder, file);
    for (size_t i = 0; i < 2; i++) {
        es_buf name = {0};
        es_buf_printf(&name, "%s.%s", w->order->name, parts[i]);
        w->names[i] = es_buf_take(&name);
        if (w->names[i])
            es_derived_stem(w->names[i], w->stems[i]);
    }
    return w->model && w->state && w->names[0] && w->names[1] ? ES_OK : es_no_memory(err);
}

/* Returns the embedder that has one of the two names; NULL: none. */
static const es_model *name_holder(const work *w) {
    for (size_t i = 0; i < 2; i++) {
        size_t twin = es_pool_find(w->pool, w->names[i]);
        if (twin != SIZE_MAX)
            return es_pool_model(w->pool, twin);
    }
    return NULL;
}

static es_status fail_name_taken(const work *w, const char *name, es_error *err) {
    return es_fail(err, ES_EINVAL,
                   "the pool has an embedder '%s' already: choose another name than %s", name,
                   w->order->name);
}

static es_status check_name(const work *w, es_error *err) {
    const es_model *m = name_holder(w);
    if (w->order->name[0] == '\0')
        return es_fail(err, ES_EINVAL, "a trained embedder needs a name");
    return m && !m->derived ? fail_name_taken(w, m->name, err) : ES_OK;
}

static es_status describe_sources(work *w, es_error *err) {
    es_buf out = {0};
    es_json json;
    char hex[ES_DIGEST_HEX];
    es_json_init(&json, &out, 0);
    es_json_begin_array(&json, NULL);
    for (size_t i = 0; i < w->order->n_sources; i++) {
        const es_model *m = es_pool_model(w->pool, w->order->source[i]);
        es_json_begin_object(&json, NULL);
        es_json_text(&json, "name", m->name);
        es_json_text(&json, "digest", es_digest_hex(m->digest, hex));
        es_json_uint(&json, "columns", m->dim);
        es_json_end(&json);
    }
    es_json_end(&json);
    es_status st = es_buf_check(&out, err);
    w->sources = es_buf_take(&out);
    return st;
}

/* All sources side by side. */
static es_status join(work *w, es_error *err) {
    size_t d = 0, at = 0, n = es_pool_rows(w->pool);
    es_matrix one = {0};
    es_status st = ES_OK;
    for (size_t i = 0; i < w->order->n_sources; i++)
        d += es_pool_model(w->pool, w->order->source[i])->dim;
    ES_TRY(es_matrix_new(n, d, &w->joined, err));
    for (size_t i = 0; i < w->order->n_sources; i++) {
        ES_TRY(es_pool_matrix(w->pool, w->order->source[i], w->run, &one, err));
        ES_FAIL_IF(one.n != n || at + one.d > d,
                   es_fail(err, ES_EIO, "the pool has changed since it was opened; start again"));
        for (size_t r = 0; r < n; r++)
            memcpy(w->joined.x + r * d + at, one.x + r * one.d, one.d * sizeof *one.x);
        at += one.d;
        es_matrix_free(&one);
        ES_TRY(es_run_check(w->run, err));
    }
done:
    es_matrix_free(&one);
    return st;
}

static void set_value(work *w, const char *key, size_t value) {
    size_t at = es_setting_find(es_cmim_settings, es_cmim_setting_count, key);
    w->values[at] = (double)value;
}

/* Settings that were chosen and that the mode does not look at. */
static void note_idle(work *w) {
    double usual[ES_CMIM_SETTINGS_MOST];
    es_cmim_mode mode = w->trainer->recipe.goal.mode;
    es_cmim_defaults(usual);
    for (size_t i = 0; i < es_cmim_setting_count; i++)
        if (!es_cmim_setting_acts(i, w->values) && fabs(w->values[i] - usual[i]) > 0)
            es_buf_printf(&w->remarks, "%s has no effect on mode %s%s\n", es_cmim_settings[i].key,
                          es_cmim_settings[0].choices[mode],
                          w->trainer->recipe.bernoulli ? " with decoder bernoulli" : "");
}

/* Joins the sources, drops constant columns, and makes the trainer. */
static es_status prepare_training(work *w, es_error *err) {
    const es_cmim_recipe recipe = es_cmim_recipe_of(w->order->values, w->order->seed);
    ES_PASS(join(w, err));
    ES_PASS(es_cmim_columns_fit(&w->joined, &recipe, &w->columns, err));
    if (w->columns.d < w->joined.d)
        es_buf_printf(&w->remarks, "%zu of %zu columns are constant and left out\n",
                      w->joined.d - w->columns.d, w->joined.d);
    w->made.n = w->joined.n;
    w->made.d = w->columns.d;
    w->x = es_alloc_aligned(w->made.n * w->made.d, sizeof *w->x);
    if (!w->x)
        return es_no_memory_for(err, "%zu rows of %zu columns", w->made.n, w->made.d);
    es_cmim_columns_apply(&w->columns, w->joined.x, w->made.n, w->x);
    es_matrix_free(&w->joined);
    ES_PASS(es_cmim_trainer_new(&recipe, w->x, w->made.n, w->made.d, es_simd_get(es_isa_level()),
                                &w->trainer, err));
    if (w->trainer->recipe.batch < recipe.batch)
        es_buf_printf(&w->remarks, "%zu rows are fewer than 4 batches of %zu: batches of %zu\n",
                      w->made.n, recipe.batch, w->trainer->recipe.batch);
    memcpy(w->values, w->order->values, sizeof w->values);
    set_value(w, "k", w->trainer->recipe.k);
    set_value(w, "batch", w->trainer->recipe.batch);
    note_idle(w);
    w->made.k = w->trainer->recipe.k;
    w->made.h = w->trainer->recipe.h;
    return ES_OK;
}

/* ---- the state on disk ---- */

/* Everything in it is borrowed. */
static es_cmim_model model_of(const work *w, bool whole) {
    const es_cmim_trainer *t = w->trainer;
    es_cmim_model m = {.name = (char *)(uintptr_t)w->order->name,
                       .seed = w->order->seed,
                       .sources = w->sources,
                       .shape = t->net->shape,
                       .columns = w->columns,
                       .n_params = t->net->n_params,
                       .param = t->net->param,
                       .step = t->step,
                       .best_step = t->best_step,
                       .best_loss = t->best_loss,
                       .curve = t->curve,
                       .n_points = t->n_points};
    memcpy(m.values, w->values, sizeof m.values);
    if (!whole) {
        m.moment1 = t->moment1;
        m.moment2 = t->moment2;
        m.best = t->best;
    }
    return m;
}

static es_status write_down(const work *w, es_error *err) {
    const es_cmim_model m = model_of(w, false);
    return es_cmim_model_write(w->state, &m, err);
}

/* Continues from a stored model: weights, moments and step. */
static void take_state(work *w, const es_cmim_model *m) {
    es_cmim_trainer *t = w->trainer;
    size_t bytes = t->net->n_params * sizeof(float);
    memcpy(t->net->param, m->param, bytes);
    memcpy(t->moment1, m->moment1, bytes);
    memcpy(t->moment2, m->moment2, bytes);
    memcpy(t->best, m->best, bytes);
    if (m->n_points > 0)
        memcpy(t->curve, m->curve, m->n_points * sizeof *t->curve);
    t->n_points = m->n_points;
    t->step = w->made.resumed = m->step;
    t->best_step = m->best_step;
    t->best_loss = m->best_loss;
}

enum { RECIPE = 640 };

/* True if the stored model has this recipe and these contents. `there` (RECIPE) or NULL: its
 * recipe. */
static bool has_settings(const work *w, const es_cmim_model *m, char *there) {
    char asked[RECIPE], own[RECIPE];
    (void)es_setting_text(es_cmim_settings, es_cmim_setting_count, w->values, asked, RECIPE);
    (void)es_setting_text(es_cmim_settings, es_cmim_setting_count, m->values, own, RECIPE);
    if (there)
        memcpy(there, own, RECIPE);
    return strcmp(asked, own) == 0 && m->seed == w->order->seed &&
           m->n_params == w->trainer->net->n_params;
}

static bool is_same(const work *w, const es_cmim_model *m) {
    return has_settings(w, m, NULL) && strcmp(m->sources, w->sources) == 0;
}

/* True if two lists of sources, as describe_sources writes them, have the same names. */
static bool has_names(const char *a, const char *b) {
    es_json_doc *docs[2] = {NULL, NULL};
    bool same = es_json_parse(a, strlen(a), "", &docs[0], NULL) == ES_OK &&
                es_json_parse(b, strlen(b), "", &docs[1], NULL) == ES_OK;
    if (same) {
        es_json_value x = es_json_root(docs[0]), y = es_json_root(docs[1]), i = es_json_first(&x),
                      j = es_json_first(&y);
        for (; same && i.node && j.node; i = es_json_next(&i), j = es_json_next(&j)) {
            const char *name[2] = {"", ""};
            same = es_json_get_text(&i, "name", ES_JSON_REQUIRED, &name[0], NULL) == ES_OK &&
                   es_json_get_text(&j, "name", ES_JSON_REQUIRED, &name[1], NULL) == ES_OK &&
                   strcmp(name[0], name[1]) == 0;
        }
        same = same && !i.node && !j.node;
    }
    es_json_free(docs[0]);
    es_json_free(docs[1]);
    return same;
}

/* Goes on from what was written down, if it is of the same training. */
static es_status resume(work *w, es_error *err) {
    char there[RECIPE];
    es_cmim_model m = {0};
    if (access(w->state, F_OK) != 0)
        return ES_OK;
    es_status st = es_cmim_model_read(w->state, &m, err);
    if (st != ES_OK)
        return st;
    bool fits = has_settings(w, &m, there) && m.moment1 && m.step <= w->trainer->recipe.steps;
    if (strcmp(m.sources, w->sources) != 0 && has_names(m.sources, w->sources))
        es_buf_printf(&w->remarks, "training that was under way was of other contents: it starts "
                                   "anew\n");
    else if (!fits || strcmp(m.sources, w->sources) != 0)
        st = es_fail(
            err, ES_EINVAL,
            "training of %s is under way with other sources or settings (%s seed=%llu): go "
            "on with them, choose another name, or remove %s",
            w->order->name, there, (unsigned long long)m.seed, es_path_shown(w->state).text);
    else
        take_state(w, &m);
    es_cmim_model_deinit(&m);
    return st;
}

/* A derived embedder of this name is one that was made like this before, which is all that was
 * asked for; or of sources that are others now, or was cut off between two files: it is made again;
 * or somebody's work. */
static es_status look_for_made(work *w, bool *out, es_error *err) {
    const es_model *m = name_holder(w);
    es_cmim_model before = {0};
    *out = false;
    if (!m || m->state != ES_MODEL_READY || access(w->state, F_OK) == 0)
        return ES_OK;
    if (es_cmim_model_read(w->model, &before, NULL) != ES_OK)
        return fail_name_taken(w, m->name, err);
    *out = is_same(w, &before);
    if (*out) {
        const es_cmim_point *last = before.n_points ? &before.curve[before.n_points - 1] : NULL;
        es_buf_printf(&w->remarks, "was made before with these settings: nothing to do\n");
        w->trainer->step = before.step;
        w->trainer->best_step = before.best_step;
        w->trainer->best_loss = before.best_loss;
        memcpy(w->trainer->best, before.param, before.n_params * sizeof *before.param);
        if (last)
            w->made.parts = last->batch;
    }
    es_cmim_model_deinit(&before);
    return *out ? ES_OK : fail_name_taken(w, m->name, err);
}

/* ---- training ---- */

static void show_losses(es_cmim_live *live, const es_cmim_trainer *t, const es_cmim_parts *p) {
    live->loss = (float)p->loss;
    live->reconstruction = (float)p->reconstruction;
    live->contrastive = (float)p->contrastive;
    live->log_q = (float)p->log_q;
    live->log_p = (float)p->log_p;
    live->cosine = (float)p->cosine;
    live->step = (unsigned)t->step;
    live->steps = (unsigned)t->recipe.steps;
}

/* When the state is written down. */
typedef struct schedule {
    double last, wait; /* the last time; from then on */
    double took;       /* what that took, in seconds */
} schedule;

/* A state that cannot be written now may be written later; that of before is still there. */
static void write_again(const work *w, schedule *s) {
    double start = es_clock_now();
    (void)write_down(w, NULL);
    s->last = es_clock_now();
    s->took = s->last - start;
    s->wait = fmax(fmin(2 * s->wait, write_seldom), 20 * s->took);
}

/* Trains to the last step, writing the state from time to time. */
static es_status train_and_save(work *w, es_error *err) {
    es_cmim_trainer *t = w->trainer;
    es_error why = {0};
    es_status st = ES_OK;
    schedule s = {.last = es_clock_now(), .wait = write_first};
    while (t->step < t->recipe.steps) {
        st = es_cmim_trainer_step(t, w->run, &w->made.parts, &why);
        if (st != ES_OK)
            break;
        show_losses(w->live, t, &w->made.parts);
        if (es_clock_now() - s.last > s.wait)
            write_again(w, &s);
    }
    if (st == ES_ENONFINITE && t->best_step > 0) {
        es_buf_printf(&w->remarks, "%s\n", why.message);
        return ES_OK;
    }
    if (st == ES_OK || (st == ES_ECANCELED && s.took < write_quick)) /* who cancels does not wait */
        write_again(w, &s);
    return st == ES_OK ? ES_OK : es_fail(err, st, "%s", why.message);
}

/* ---- after ---- */

/* Takes the losses on held-out rows and remarks on a term that has no effect. */
static void validate(work *w) {
    const es_cmim_goal *goal = &w->trainer->recipe.goal;
    es_cmim_parts held;
    w->made.validated = es_cmim_validate(w->trainer, &held);
    if (w->made.validated)
        w->made.parts = held;
    bool contrasts = es_cmim_contrasts(goal->mode) || goal->mode == ES_CMIM_INFONCE;
    if (contrasts && 1 / goal->tau < inactive) /* angles move it by 1 / tau at most */
        es_buf_printf(&w->remarks,
                      "contrastive term inactive: with a tau of %g it is nearly the same for any "
                      "codes; a smaller tau lets it act\n",
                      goal->tau);
    if (es_cmim_contrasts(goal->mode) && -w->made.parts.contrastive < inactive)
        es_buf_printf(&w->remarks,
                      "contrastive term inactive: its mean is %.2g nats; a larger tau than %g or a "
                      "smaller k lets it act\n",
                      -w->made.parts.contrastive, goal->tau);
}

static es_status list_both(const work *w, es_error *err) {
    char recipe[RECIPE], model[ES_DERIVED_STEM + 16];
    const char *family = es_pool_model(w->pool, w->order->source[0])->family;
    bool decodes = w->trainer->recipe.goal.mode != ES_CMIM_INFONCE;
    const char *const what[] = {"code",
                                decodes ? "decoder's hidden layer" : "encoder's hidden layer"};
    es_status st = ES_OK;
    (void)es_setting_text(es_cmim_settings, es_cmim_setting_count, w->values, recipe, RECIPE);
    (void)snprintf(model, sizeof model, "%s.safetensors", w->stem);
    for (size_t i = 1; i < w->order->n_sources; i++) {
        const char *other = es_pool_model(w->pool, w->order->source[i])->family;
        if (!family || !other || strcmp(family, other) != 0)
            family = NULL;
    }
    for (size_t i = 0; i < 2 && st == ES_OK; i++) {
        es_buf notes = {0};
        es_buf_printf(&notes, "trained on ");
        size_t named = 0;
        for (size_t k = 0; k < w->order->n_sources; k++)
            es_buf_name(&notes, &named, 4, es_pool_model(w->pool, w->order->source[k])->name);
        es_buf_names_end(&notes, named, 4);
        es_buf_printf(&notes, " by %s: its %s", es_cmim_settings[0].choices[(size_t)w->values[0]],
                      what[i]);
        const es_derived_side side = {.name = w->names[i],
                                      .stem = w->stems[i],
                                      .notes = notes.data,
                                      .family = family,
                                      .recipe = recipe,
                                      .model = model,
                                      .seed = w->order->seed,
                                      .source = w->order->source,
                                      .n_sources = w->order->n_sources};
        st = es_buf_check(&notes, err);
        if (st == ES_OK)
            st = es_derived_list_side(w->pool, w->folder, &side, err);
        es_buf_free(&notes);
    }
    return st;
}

static es_status write_matrix(const work *w, size_t part, const double *values, size_t d,
                              es_error *err) {
    char file[ES_DERIVED_STEM + 8];
    (void)snprintf(file, sizeof file, "%s.npy", w->stems[part]);
    char *path = es_path_join(w->folder, file);
    es_status st = path ? es_npy_write(path, values, w->made.n, d, 0600, err) : es_no_memory(err);
    es_free(path);
    return st;
}

static es_status write_all(work *w, es_error *err) {
    const es_cmim_trainer *t = w->trainer;
    double *mu = es_alloc(w->made.n * w->made.k, sizeof *mu),
           *info = es_alloc(w->made.n * w->made.h, sizeof *info);
    const es_cmim_model m = model_of(w, true);
    es_status st = ES_OK;
    ES_FAIL_IF(!mu || !info, es_no_memory_for(err, "%zu embedded rows", w->made.n));
    ES_TRY(es_cmim_embed_rows(&t->net->shape, t->net->param, &t->recipe, t->net->simd, w->x,
                              w->made.n, mu, info, w->run, err));
    ES_TRY(es_cmim_model_write(w->model, &m, err));
    ES_TRY(write_matrix(w, 0, mu, w->made.k, err));
    ES_TRY(write_matrix(w, 1, info, w->made.h, err));
    ES_TRY(list_both(w, err));
    (void)unlink(w->state);
done:
    es_free(mu);
    es_free(info);
    return st;
}

/* Takes the best weights, validates them and writes what was made. */
static es_status finish_training(work *w, bool made, es_error *err) {
    es_cmim_trainer *t = w->trainer;
    es_cmim_finish(t);
    validate(w);
    ES_PASS(made ? ES_OK : write_all(w, err));
    w->made.steps = t->step;
    w->made.best_step = t->best_step;
    w->made.best_loss = t->best_loss;
    memcpy(w->made.values, w->values, sizeof w->values);
    w->made.name = es_strdup(w->order->name);
    w->made.path = w->model;
    w->model = NULL;
    es_buf_puts(&w->remarks, "");
    w->made.remarks = es_buf_take(&w->remarks);
    return w->made.name && w->made.remarks ? ES_OK : es_no_memory(err);
}

es_status es_cmim_derive(const es_pool *pool, const es_cmim_order *order, const es_run *run,
                         es_cmim_live *live, es_cmim_made *out, es_error *err) {
    work w = {.pool = pool, .order = order, .run = run, .live = live};
    bool made = false;
    es_status st = ES_OK;
    ES_TRY(check_sources(&w, err));
    ES_TRY(settle_names(&w, err));
    ES_TRY(check_name(&w, err));
    ES_TRY(describe_sources(&w, err));
    ES_TRY(prepare_training(&w, err));
    ES_TRY(look_for_made(&w, &made, err));
    if (!made) {
        ES_TRY(resume(&w, err));
        ES_TRY(train_and_save(&w, err));
    }
    ES_TRY(finish_training(&w, made, err));
    *out = w.made;
    w.made = (es_cmim_made){0};
done:
    work_deinit(&w);
    return st;
}

/* ---- new rows ---- */

/* "a (16 columns), b (8 columns)" */
static void put_sources(const char *json, es_buf *out) {
    es_json_doc *doc = NULL;
    if (es_json_parse(json, strlen(json), "", &doc, NULL) != ES_OK)
        return;
    es_json_value root = es_json_root(doc);
    for (es_json_value v = es_json_first(&root); v.node; v = es_json_next(&v)) {
        const char *name = NULL;
        uint64_t columns = 0;
        if (es_json_get_text(&v, "name", ES_JSON_REQUIRED, &name, NULL) == ES_OK &&
            es_json_get_size(&v, "columns", ES_JSON_REQUIRED, &columns, NULL) == ES_OK)
            es_buf_printf(out, "%s%s (%llu columns)", out->length ? ", " : "", name,
                          (unsigned long long)columns);
    }
    es_json_free(doc);
}

/* Rows as they are, prepared, and embedded: all at once. */
static double bytes_of_row(const es_cmim_model *m, bool info) {
    return (double)m->columns.from * sizeof(double) + (double)m->shape.d * sizeof(float) +
           (double)(info ? m->shape.h : m->shape.k) * sizeof(double);
}

/* Reads the only matrix of a file whole. *note: what the file is to be known for, to be freed;
 * NULL: nothing. ES_EINVAL: several matrices, or other columns; ES_EUNSUPPORTED: memory, before
 * the rows are read; ES_ENONFINITE names row and column. */
static es_status apply_read(const char *path, const es_applied *how, es_matrix *out, char **note,
                            es_error *err);

es_status es_cmim_apply(const char *model_path, const char *rows_path, bool info, size_t memory,
                        es_matrix *out, char **note, es_error *err) {
    es_cmim_model m = {0};
    es_matrix rows = {0}, made = {0};
    char *own = NULL;
    float *x = NULL;
    es_buf sources = {0};
    es_status st = ES_OK;
    ES_TRY(es_cmim_model_read(model_path, &m, err));
    put_sources(m.sources, &sources);
    const es_applied applied = {.columns = m.columns.from,
                                .of = sources.data ? sources.data : m.name,
                                .row_bytes = bytes_of_row(&m, info),
                                .memory = memory};
    ES_TRY(apply_read(rows_path, &applied, &rows, &own, err));
    x = es_alloc_aligned(rows.n * m.shape.d, sizeof *x);
    ES_FAIL_IF(!x, es_no_memory_for(err, "%zu rows", rows.n));
    es_cmim_columns_apply(&m.columns, rows.x, rows.n, x);
    ES_TRY(es_matrix_new(rows.n, info ? m.shape.h : m.shape.k, &made, err));
    const es_cmim_recipe recipe = es_cmim_recipe_of(m.values, m.seed);
    ES_TRY(es_cmim_embed_rows(&m.shape, m.param, &recipe, es_simd_get(es_isa_level()), x, rows.n,
                              info ? NULL : made.x, info ? made.x : NULL, NULL, err));
    *out = made;
    *note = own;
    made = (es_matrix){0};
    own = NULL;
done:
    es_cmim_model_deinit(&m);
    es_matrix_free(&rows);
    es_matrix_free(&made);
    es_buf_free(&sources);
    es_free(own);
    es_free(x);
    return st;
}

/* Rows of a file, read whole, and mapped. */

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

static es_status apply_read(const char *path, const es_applied *how, es_matrix *out, char **note,
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
    ES_TRY(apply_read(rows_path, &how, &rows, &own, err));
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
    es_derive_map map = {0};
    bool is_map = false;
    es_status st = es_map_file_read(model_path, &map, &is_map, err);
    if (st == ES_OK && is_map && info)
        st = es_fail(err, ES_EINVAL, "%s: --info goes with a model of `derive --cmim`",
                     es_path_shown(model_path).text);
    else if (st == ES_OK)
        st = is_map ? apply_map(&map, rows_path, memory, out, note, err)
                    : es_cmim_apply(model_path, rows_path, info, memory, out, note, err);
    es_derive_map_free(&map);
    return st;
}
