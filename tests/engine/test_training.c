/* Embedders trained on others of a pool: what is written against training step by step here, and
 * what becomes of training that others or nobody has begun. */
#include "support.h"

#include <poll.h>
#include <pthread.h>

#include "engine_training.h"
#include "io_readers.h"
#include "settled_pool.h"
#include "matrices.h"

#define DERIVED ".embedscope/derived/"
enum { ROWS = 48, STEPS = 30, HALF = 11, SEED = 5 };

static char root[SUPPORT_PATH], data[SUPPORT_PATH];

/* a and b of one family, c of another; one of b's columns is constant. */
static int make_pool(void **state) {
    support_temp_dir(root);
    support_temp_dir(data);
    (void)setenv("XDG_DATA_HOME", data, 1);
    support_write_random_npy(root, "a.npy", 1, ROWS, 3);
    double *b = support_numbers(2, ROWS * 4);
    for (size_t i = 0; i < ROWS; i++)
        b[4 * i + 1] = 7;
    support_write_npy(root, "b.npy", ROWS, 4, b);
    support_write_random_npy(root, "c.npy", 3, ROWS, 2);
    support_write_text(root, "pool.json",
                       "{\"models\": [{\"file\": \"a.npy\", \"family\": \"f\"}, {\"file\": "
                       "\"b.npy\", \"family\": \"f\"}, {\"file\": \"c.npy\", \"family\": \"g\"}]}");
    return 0;
}

TEST_EACH(make_pool, NULL);

static es_pool *open_with(const es_pool_options *options) {
    return settled_pool(root, options);
}

static es_pool *open_pool(void) {
    return open_with(NULL);
}

static void set(es_cmim_order *order, const char *key, double value) {
    order->values[es_setting_find(es_cmim_settings, es_cmim_setting_count, key)] = value;
}

/* A small network on the first sources of the pool. */
static es_cmim_order order_of(size_t sources, const char *name) {
    static const size_t all[] = {0, 1, 2};
    es_cmim_order order = {.source = all, .n_sources = sources, .name = name, .seed = SEED};
    es_cmim_defaults(order.values);
    set(&order, "k", 2);
    set(&order, "hidden", 5);
    set(&order, "batch", 8);
    set(&order, "steps", STEPS);
    return order;
}

static es_cmim_made derive(const es_pool *pool, const es_cmim_order *order) {
    es_cmim_live live = {0};
    es_cmim_made made = {0};
    es_status st = es_cmim_derive(pool, order, NULL, &live, &made, test_err());
    if (st != ES_OK)
        print_error("%s\n", test_message());
    assert_ok(st);
    return made;
}

static void refuse(const es_pool *pool, const es_cmim_order *order, const char *part) {
    es_cmim_live live = {0};
    es_cmim_made made = {0};
    assert_int_equal(es_cmim_derive(pool, order, NULL, &live, &made, test_err()), ES_EINVAL);
    assert_null(made.name);
    assert_contains(test_message(), part);
}

static const char *derived(const char *name) {
    static char path[SUPPORT_PATH + 80];
    (void)snprintf(path, sizeof path, "%s/" DERIVED "%s", root, name);
    return path;
}

static bool is_there(const char *name) {
    return access(derived(name), F_OK) == 0;
}

/* A whole file as text. */
static es_buf slurp(const char *name) {
    es_buf out = {0};
    FILE *file = fopen(derived(name), "rb");
    assert_non_null(file);
    for (int c; (c = getc(file)) != EOF;)
        es_buf_putc(&out, (char)c);
    assert_int_equal(fclose(file), 0);
    return out;
}

static const char *const files[] = {"n.mu.npy", "n.info.npy", "n.mu.json", "n.info.json",
                                    "n.safetensors"};
enum { FILES = sizeof files / sizeof *files };

static void keep(es_buf *kept) {
    for (size_t i = 0; i < FILES; i++)
        kept[i] = slurp(files[i]);
}

/* Are the files those that were kept? Lets go of these. */
static void assert_kept(es_buf *kept) {
    for (size_t i = 0; i < FILES; i++) {
        es_buf now = slurp(files[i]);
        assert_int_equal(now.length, kept[i].length);
        assert_memory_equal(now.data, kept[i].data, now.length);
        es_buf_free(&now);
        es_buf_free(&kept[i]);
    }
}

static void forget(void) {
    support_remove(support_in(root, ".embedscope"));
}

static es_cmim_model model_in(const char *name) {
    es_cmim_model m = {0};
    assert_ok(es_cmim_model_read(derived(name), &m, NULL));
    return m;
}

static void assert_matrix(const char *name, const double *expected, size_t d) {
    es_loaded loaded = {0};
    double *values = test_alloc(ROWS * d, sizeof *values);
    assert_ok(es_loaded_open(derived(name), 0, NULL, &loaded, NULL));
    const es_array *a = &loaded.tensors.items[0].array;
    assert_int_equal(a->n, ROWS);
    assert_int_equal(a->d, d);
    es_array_read_range(a, 0, ROWS, values);
    assert_memory_equal(values, expected, ROWS * d * sizeof *values);
    es_loaded_close(&loaded);
}

/* ---- training by hand ---- */

typedef struct block {
    float *x;
    es_cmim_trainer *trainer;
    es_cmim_parts parts; /* of the last step */
} block;

/* The sources' columns side by side, brought to mean 0 and variance 1; the constant one is left
 * out. */
static block begin_by_hand(const es_pool *pool, const es_cmim_order *order) {
    block h = {0};
    es_cmim_columns columns = {0};
    size_t d = 0, at = 0;
    const es_cmim_recipe recipe = es_cmim_recipe_of(order->values, order->seed);
    for (size_t i = 0; i < order->n_sources; i++)
        d += es_pool_model(pool, order->source[i])->dim;
    es_matrix all = matrix_kept(ROWS, d);
    for (size_t i = 0; i < order->n_sources; i++) {
        es_matrix m = {0};
        assert_ok(es_pool_matrix(pool, order->source[i], NULL, &m, NULL));
        for (size_t r = 0; r < ROWS; r++)
            for (size_t j = 0; j < m.d; j++)
                all.x[r * d + at + j] = m.x[r * m.d + j];
        at += m.d;
        es_matrix_free(&m);
    }
    assert_ok(es_cmim_columns_fit(&all, &recipe, &columns, NULL));
    assert_non_null(h.x = es_alloc_aligned(ROWS * columns.d, sizeof *h.x));
    es_cmim_columns_apply(&columns, all.x, ROWS, h.x);
    assert_ok(es_cmim_trainer_new(&recipe, h.x, ROWS, columns.d, es_simd_get(es_isa_level()),
                                  &h.trainer, NULL));
    es_cmim_columns_deinit(&columns);
    return h;
}

static void go_on(block *h, size_t until) {
    while (h->trainer->step < until)
        assert_ok(es_cmim_trainer_step(h->trainer, NULL, &h->parts, NULL));
}

static void end_by_hand(block *h) {
    es_cmim_trainer_free(h->trainer);
    es_free(h->x);
}

static void assert_same_parts(const es_cmim_parts *a, const es_cmim_parts *b) {
    assert_memory_equal(a, b, sizeof *a);
}

TEST(derive__two_sources__is_training_step_by_step) {
    es_pool *pool = open_pool();
    const es_cmim_order order = order_of(2, "n");
    es_cmim_live live = {0};
    es_cmim_made made = {0};
    double mu[ROWS * 2], info[ROWS * 5];
    assert_ok(es_cmim_derive(pool, &order, NULL, &live, &made, NULL));
    block h = begin_by_hand(pool, &order);
    const es_cmim_trainer *t = h.trainer;
    go_on(&h, STEPS);
    assert_int_equal(atomic_load(&live.step), STEPS);
    assert_int_equal(atomic_load(&live.steps), STEPS);
    assert_true(atomic_load(&live.loss) == (float)h.parts.loss);
    assert_true(atomic_load(&live.reconstruction) == (float)h.parts.reconstruction);
    assert_true(atomic_load(&live.contrastive) == (float)h.parts.contrastive);
    assert_true(atomic_load(&live.log_q) == (float)h.parts.log_q);
    assert_true(atomic_load(&live.log_p) == (float)h.parts.log_p);
    assert_true(atomic_load(&live.cosine) == (float)h.parts.cosine);
    es_cmim_finish(h.trainer);
    assert_true(es_cmim_validate(h.trainer, &h.parts));
    assert_ok(es_cmim_embed_rows(&t->net->shape, t->net->param, &t->recipe, t->net->simd, h.x, ROWS,
                                 mu, info, NULL, NULL));
    assert_matrix("n.mu.npy", mu, 2);
    assert_matrix("n.info.npy", info, 5);
    assert_false(is_there("n.training"));

    assert_string_equal(made.name, "n");
    assert_string_equal(made.path, derived("n.safetensors"));
    assert_string_equal(made.remarks, "1 of 7 columns are constant and left out\n");
    assert_int_equal(made.n, ROWS);
    assert_int_equal(made.d, 6);
    assert_int_equal(made.k, 2);
    assert_int_equal(made.h, 5);
    assert_int_equal(made.steps, STEPS);
    assert_int_equal(made.resumed, 0);
    assert_int_equal(made.best_step, t->best_step);
    assert_true(made.best_loss == t->best_loss);
    assert_same_parts(&made.parts, &h.parts);

    es_cmim_model m = model_in("n.safetensors");
    assert_int_equal(m.seed, SEED);
    assert_int_equal(m.step, STEPS);
    assert_int_equal(m.best_step, t->best_step);
    assert_int_equal(m.n_points, t->n_points);
    assert_memory_equal(m.param, t->net->param, m.n_params * sizeof *m.param);
    assert_null(m.moment1);                   /* nothing goes on from here */
    char sources[300], hex[2][ES_DIGEST_HEX]; /* letter by letter: by them training goes on */
    (void)snprintf(sources, sizeof sources,
                   "[{\"name\":\"a\",\"digest\":\"%s\",\"columns\":3},{\"name\":\"b\",\"digest\":"
                   "\"%s\",\"columns\":4}]",
                   es_digest_hex(es_pool_model(pool, 0)->digest, hex[0]),
                   es_digest_hex(es_pool_model(pool, 1)->digest, hex[1]));
    assert_string_equal(m.sources, sources);
    es_cmim_model_deinit(&m);
    es_cmim_made_deinit(&made);
    end_by_hand(&h);
}

/* ---- what lies in the pool then ---- */

static void assert_derived(const es_pool *pool, const char *name, const char *notes,
                           const char *family) {
    size_t at = es_pool_find(pool, name);
    assert_int_not_equal(at, SIZE_MAX);
    const es_model *m = es_pool_model(pool, at);
    assert_int_equal(m->state, ES_MODEL_READY);
    assert_true(m->derived);
    assert_string_equal(m->notes, notes);
    if (family)
        assert_string_equal(m->family, family);
    else
        assert_null(m->family);
}

TEST(derive__any__is_listed_with_what_it_was_made_from) {
    static const size_t many[] = {2, 0, 1, 4, 3};
    es_pool *pool = open_pool();
    es_cmim_order order = order_of(2, "n");
    es_cmim_made made = derive(pool, &order);
    es_cmim_made_deinit(&made);
    order = order_of(3, "o");
    set(&order, "mode", 3);
    made = derive(pool, &order);
    assert_int_equal(made.d, 8);
    es_cmim_made_deinit(&made);
    test_drop(pool);

    pool = open_pool();
    assert_int_equal(es_pool_count(pool), 7);
    assert_derived(pool, "n.mu", "trained on a, b by cmim: its code", "f");
    assert_derived(pool, "n.info", "trained on a, b by cmim: its decoder's hidden layer", "f");
    assert_derived(pool, "o.mu", "trained on a, b, c by ae: its code", "o");
    assert_derived(pool, "o.info", "trained on a, b, c by ae: its decoder's hidden layer", "o");
    es_buf side = slurp("o.info.json");
    assert_contains(side.data, "\"model\": \"o.safetensors\"");
    assert_contains(side.data, "\"seed\": 5");
    assert_contains(side.data, "mode=ae");
    assert_contains(side.data, "\"name\": \"c\"");
    es_buf_free(&side);
    order = order_of(0, "p");
    order.source = many;
    order.n_sources = 5;
    made = derive(pool, &order);
    es_cmim_made_deinit(&made);
    test_drop(pool);
    pool = open_pool();
    assert_derived(pool, "p.mu", "trained on c, a, b, n.mu and 1 more by cmim: its code", "p");
}

TEST(derive__again__has_nothing_to_do) {
    es_buf kept[FILES];
    es_cmim_order order = order_of(2, "n");
    for (double share = 0; share < 0.3; share += 0.25) { /* of validation rows */
        es_pool *pool = open_pool();
        set(&order, "validation", share);
        es_cmim_made first = derive(pool, &order);
        keep(kept);
        test_drop(pool);
        pool = open_pool();
        es_cmim_made again = derive(pool, &order);
        assert_contains(again.remarks, "nothing to do");
        assert_lacks(first.remarks, "nothing to do");
        assert_string_equal(again.path, first.path);
        assert_int_equal(again.n, first.n);
        assert_int_equal(again.d, first.d);
        assert_int_equal(again.k, first.k);
        assert_int_equal(again.h, first.h);
        assert_int_equal(again.steps, STEPS);
        assert_int_equal(again.best_step, first.best_step);
        assert_true(again.best_loss == first.best_loss);
        assert_same_parts(&again.parts, &first.parts);
        assert_kept(kept);
        es_cmim_order other = order;
        set(&other, "steps", STEPS + 1);
        refuse(pool, &other, "'n.mu' already");
        other = order;
        other.seed++;
        refuse(pool, &other, "'n.mu' already");
        other = order;
        other.n_sources = 1;
        refuse(pool, &other, "'n.mu' already");
        es_cmim_made_deinit(&first);
        es_cmim_made_deinit(&again);
        test_drop(pool);
        forget();
    }
}

/* ---- training that was cut off ---- */

/* What training cut off after so many steps has left behind. Everything in it is borrowed. */
static es_cmim_model state_of(const block *h, const es_cmim_model *whole) {
    const es_cmim_trainer *t = h->trainer;
    es_cmim_model m = *whole;
    m.param = t->net->param;
    m.moment1 = t->moment1;
    m.moment2 = t->moment2;
    m.best = t->best;
    m.step = t->step;
    m.best_step = t->best_step;
    m.best_loss = t->best_loss;
    m.curve = t->curve;
    m.n_points = t->n_points;
    return m;
}

static void leave(const es_cmim_model *m) {
    assert_ok(es_cmim_model_write(support_in(root, DERIVED "n.training"), m, NULL));
}

TEST(resume__cut_off_anywhere__ends_with_the_same_bytes) {
    static const size_t steps[] = {0, 1, HALF, STEPS};
    const es_cmim_order order = order_of(2, "n");
    es_pool *pool = open_pool();
    es_cmim_made first = derive(pool, &order);
    es_cmim_model whole = model_in("n.safetensors");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        es_buf kept[FILES];
        keep(kept);
        forget();
        block h = begin_by_hand(pool, &order);
        go_on(&h, steps[i]);
        const es_cmim_model m = state_of(&h, &whole);
        leave(&m);
        es_cmim_made made = derive(pool, &order);
        assert_int_equal(made.resumed, steps[i]);
        assert_int_equal(made.steps, STEPS);
        assert_int_equal(made.best_step, first.best_step);
        assert_true(made.best_loss == first.best_loss);
        assert_same_parts(&made.parts, &first.parts);
        assert_string_equal(made.remarks, first.remarks);
        assert_false(is_there("n.training"));
        assert_kept(kept);
        es_cmim_made_deinit(&made);
        end_by_hand(&h);
    }
    es_cmim_model_deinit(&whole);
    es_cmim_made_deinit(&first);
}

/* Killed between its last files: what is listed already is made again, as the state is still there.
 */
TEST(resume__listed_already__ends_what_was_begun) {
    const es_cmim_order order = order_of(2, "n");
    es_buf kept[FILES];
    es_pool *pool = open_pool();
    es_cmim_made made = derive(pool, &order);
    es_cmim_made_deinit(&made);
    keep(kept);
    es_cmim_model whole = model_in("n.safetensors");
    block h = begin_by_hand(pool, &order);
    go_on(&h, HALF);
    const es_cmim_model m = state_of(&h, &whole);
    leave(&m);
    test_drop(pool);
    pool = open_pool();
    assert_int_not_equal(es_pool_find(pool, "n.info"), SIZE_MAX);
    made = derive(pool, &order);
    assert_int_equal(made.resumed, HALF);
    assert_false(is_there("n.training"));
    assert_kept(kept);
    es_cmim_made_deinit(&made);
    es_cmim_model_deinit(&whole);
    end_by_hand(&h);
}

/* A list of sources with a text in it replaced. */
static char *altered(const char *sources, const char *from, const char *to) {
    es_buf out = {0};
    const char *at = strstr(sources, from);
    assert_non_null(at);
    es_buf_printf(&out, "%.*s%s%s", (int)(at - sources), sources, to, at + strlen(from));
    return es_buf_take(&out);
}

TEST(resume__of_other_training__is_refused) {
    const es_cmim_order order = order_of(2, "n");
    es_pool *pool = open_pool();
    es_cmim_made made = derive(pool, &order);
    es_cmim_made_deinit(&made);
    es_cmim_model whole = model_in("n.safetensors");
    forget();
    block h = begin_by_hand(pool, &order);
    go_on(&h, HALF);
    const es_cmim_model fits = state_of(&h, &whole);
    es_cmim_model m = fits;
    m.seed++;
    leave(&m);
    refuse(pool, &order, "mode=cmim");
    refuse(pool, &order, "seed=6)");
    m = fits;
    m.values[es_setting_find(es_cmim_settings, es_cmim_setting_count, "rate")] = 0.5;
    leave(&m);
    refuse(pool, &order, "rate=0.5");
    m = fits;
    m.moment1 = m.moment2 = m.best = NULL;
    leave(&m);
    refuse(pool, &order, "n.training");
    m = fits;
    m.step = STEPS + 1;
    leave(&m);
    refuse(pool, &order, "under way with other sources or settings");
    m = fits;
    static const char *const others[][2] = {{"\"b\"", "\"x\""},
                                            {"\"a\"", "\"x\""},
                                            {"]", ",{\"name\":\"c\"}]"},
                                            {"[", "{\"of\":["},
                                            {"\"name\"", "\"Name\""}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        m.sources = altered(whole.sources, others[i][0], others[i][1]);
        leave(&m);
        refuse(pool, &order, "under way with other sources or settings");
        es_free(m.sources);
    }
    char one[] = "[{\"name\": \"a\"}]";
    m.sources = one;
    leave(&m);
    refuse(pool, &order, "under way with other sources or settings");
    assert_true(is_there("n.training")); /* it is left for whoever began it */
    assert_false(is_there("n.mu.npy"));
    es_cmim_model_deinit(&whole);
    end_by_hand(&h);
}

TEST(resume__of_other_contents__starts_anew) {
    const es_cmim_order order = order_of(2, "n");
    es_buf kept[FILES];
    es_pool *pool = open_pool();
    es_cmim_made made = derive(pool, &order);
    es_cmim_made_deinit(&made);
    keep(kept);
    es_cmim_model whole = model_in("n.safetensors");
    forget();
    block h = begin_by_hand(pool, &order);
    go_on(&h, HALF);
    es_cmim_model m = state_of(&h, &whole);
    m.sources = altered(whole.sources, "\"digest\":", "\"digest\":\"0\",\"once\":");
    leave(&m);
    es_free(m.sources);
    made = derive(pool, &order);
    assert_contains(made.remarks, "of other contents: it starts anew");
    assert_int_equal(made.resumed, 0);
    assert_kept(kept);
    es_cmim_made_deinit(&made);
    es_cmim_model_deinit(&whole);
    end_by_hand(&h);
}

typedef struct watcher {
    es_run run;
    es_cmim_live live;
} watcher;

static void *cancel_later(void *context) {
    watcher *w = context;
    while (atomic_load(&w->live.step) == 0)
        (void)poll(NULL, 0, 1);
    es_run_cancel(&w->run);
    return NULL;
}

TEST(cancel__in_training__leaves_its_state) {
    watcher w = {0};
    pthread_t thread;
    es_cmim_order order = order_of(2, "n");
    es_cmim_made made = {0};
    es_pool *pool = open_pool();
    set(&order, "steps", 1e7); /* it ends by being cancelled */
    es_run_init(&w.run);
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, &w), 0);
    assert_int_equal(es_cmim_derive(pool, &order, &w.run, &w.live, &made, test_err()),
                     ES_ECANCELED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_null(made.name);
    assert_false(is_there("n.mu.npy"));
    es_cmim_model m = model_in("n.training");
    assert_in_range(m.step, 1, atomic_load(&w.live.step));
    block h = begin_by_hand(pool, &order);
    go_on(&h, m.step);
    assert_memory_equal(m.param, h.trainer->net->param, m.n_params * sizeof *m.param);
    assert_memory_equal(m.moment1, h.trainer->moment1, m.n_params * sizeof *m.param);
    assert_memory_equal(m.moment2, h.trainer->moment2, m.n_params * sizeof *m.param);
    es_cmim_model_deinit(&m);
    end_by_hand(&h);
}

/* ---- what is refused, and what is said ---- */

TEST(derive__what_cannot_be_trained_on__is_refused) {
    double *odd = support_numbers(9, ROWS * 2);
    odd[3] = NAN;
    support_write_random_npy(root, "d.mu.npy", 4, ROWS, 2);
    support_write_random_npy(root, "e.info.npy", 4, ROWS, 2);
    support_write_npy(root, "odd.npy", ROWS, 2, odd);
    support_write_text(root, "pool.json", "{\"name\": \"all files\"}");
    const es_cmim_order plain = order_of(1, "n");
    es_cmim_order order = plain;
    es_pool *pool = open_pool();
    const size_t of_odd[] = {0, es_pool_find(pool, "odd")};
    order.name = "";
    refuse(pool, &order, "needs a name");
    order.name = "d";
    refuse(pool, &order, "'d.mu' already: choose another name than d");
    order.name = "e";
    refuse(pool, &order, "'e.info' already");
    order = plain;
    order.source = of_odd;
    order.n_sources = 2;
    refuse(pool, &order, "odd is not in use: odd.npy");
    test_drop(pool);
    pool = open_with(&(es_pool_options){.rows = {ES_ROWS_FIRST, ROWS - 1}});
    refuse(pool, &plain, "only 47 of 48 rows");
    test_drop(pool);
    assert_false(is_there("n.training") || is_there("n.mu.npy"));
    const double values[] = {1, 2, 3, 4};
    const es_array_view view = {"v", NULL, values, 2, 2, ES_ELEMENT_FLOAT64, ES_KIND_CONTINUOUS};
    assert_ok(es_pool_open_arrays(&view, 1, NULL, &pool, NULL));
    refuse(pool, &plain, "in memory have no folder");
    es_pool_close(pool);
}

TEST(derive__few_rows__takes_smaller_batches) {
    es_cmim_order order = order_of(1, "n");
    es_pool *pool = open_pool();
    set(&order, "batch", ROWS / 4);
    es_cmim_made made = derive(pool, &order);
    assert_string_equal(made.remarks, "");
    es_cmim_made_deinit(&made);
    forget();
    set(&order, "batch", ROWS / 4 + 1);
    made = derive(pool, &order);
    assert_string_equal(made.remarks, "48 rows are fewer than 4 batches of 13: batches of 12\n");
    es_cmim_model m = model_in("n.safetensors"); /* as it was used */
    assert_true(m.values[es_setting_find(es_cmim_settings, es_cmim_setting_count, "batch")] == 12);
    es_cmim_model_deinit(&m);
    es_cmim_made_deinit(&made);
}

TEST(derive__idle_contrastive_term__is_said) {
    static const struct {
        double mode, tau;
        bool said;
    } cases[] = {
        {0, 0.001, true}, {0, 10, false}, {3, 0.001, false}, {0, 1000, true}, {3, 1000, false}};
    es_pool *pool = open_pool();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_cmim_order order = order_of(1, "n");
        set(&order, "mode", cases[i].mode);
        set(&order, "tau", cases[i].tau);
        es_cmim_made made = derive(pool, &order);
        assert_int_equal(strstr(made.remarks, "contrastive term inactive") != NULL, cases[i].said);
        if (cases[i].tau < 1000) /* where it is log 2 whatever the codes are */
            assert_int_equal(cases[i].mode == 0 && -made.parts.contrastive < 0.01, cases[i].said);
        es_cmim_made_deinit(&made);
        forget();
    }
}

/* ---- new rows ---- */

static void refuse_rows(const char *name, es_status expected, const char *part) {
    char *note = NULL;
    es_matrix out = {0};
    assert_int_equal(es_cmim_apply(derived("n.safetensors"), support_in(root, name), false,
                                   SIZE_MAX, &out, &note, test_err()),
                     expected);
    assert_null(out.x);
    assert_null(note);
    assert_contains(test_message(), part);
}

TEST(apply__rows_of_the_sources__gives_the_embedders) {
    const es_cmim_order order = order_of(2, "n");
    es_pool *pool = open_pool();
    es_matrix side[2] = {{0}}, both = {0};
    es_cmim_made made = derive(pool, &order);
    es_cmim_made_deinit(&made);
    for (size_t i = 0; i < 2; i++)
        assert_ok(es_pool_matrix(pool, i, NULL, &side[i], NULL));
    both = matrix_kept(ROWS, 7);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t j = 0; j < 7; j++)
            both.x[7 * r + j] = j < 3 ? side[0].x[3 * r + j] : side[1].x[4 * r + j - 3];
    support_write_npy(root, "both.npy", ROWS, 7, both.x);
    for (int info = 0; info < 2; info++) {
        char *note = NULL;
        es_matrix out = {0};
        assert_ok(es_cmim_apply(derived("n.safetensors"), support_in(root, "both.npy"), info != 0,
                                SIZE_MAX, &out, &note, NULL));
        assert_null(note);
        assert_int_equal(out.n, ROWS);
        assert_matrix(info ? "n.info.npy" : "n.mu.npy", out.x, info ? 5 : 2);
        es_matrix_free(&out);
    }
    refuse_rows("a.npy", ES_EINVAL,
                "has 3 columns, and the model takes 7: those of a (3 columns), "
                "b (4 columns)");
    both.x[7 * ROWS - 1] = INFINITY;
    support_write_npy(root, "both.npy", ROWS, 7, both.x);
    refuse_rows("both.npy", ES_ENONFINITE, "row 47, column 6");
    refuse_rows("none.npy", ES_ENOTFOUND, "none.npy");
    refuse_rows(DERIVED "n.safetensors", ES_EINVAL, "expected one matrix");
    for (size_t i = 0; i < 2; i++)
        es_matrix_free(&side[i]);
}
