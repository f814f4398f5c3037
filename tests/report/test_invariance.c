/* What must not move a ranking: columns that are there several times, in another order or at
 * another scale, the same embedder twice, noise, and controls. On the real embedders of the sample
 * pool. */
#include "testing.h"
#include "report_answer.h"

enum { MOST = 16 };

/* Values are sums in another order, in single precision. */
static const double ROUNDING = 2e-5;

/* ---- The embedders ---- */

/* All of the sample pool, by name. */
typedef struct embedders {
    size_t m, rows;
    char name[MOST][64], family[MOST][64];
    bool control[MOST];
    size_t dim[MOST];
    double *value[MOST]; /* (rows, dim) */
} embedders;

static embedders real; /* read once */

static void require(es_status st, const es_error *err) {
    if (st != ES_OK)
        fail_msg("%s", err->message);
}

static void read_embedder(const es_pool *pool, const es_results *r, size_t i) {
    es_rows rows;
    uint32_t *all = test_keep(malloc(real.rows * sizeof *all), free);
    for (size_t k = 0; k < real.rows; k++)
        all[k] = (uint32_t)k;
    (void)snprintf(real.name[i], sizeof *real.name, "%s", r->name[i]);
    (void)snprintf(real.family[i], sizeof *real.family, "%s", r->family[i]);
    real.control[i] = es_is_control(r->family[i]);
    require(es_pool_whole_rows_of(pool, r->model[i], &rows, test_err()), test_err());
    real.dim[i] = rows.d;
    real.value[i] = malloc(real.rows * rows.d * sizeof *real.value[i]);
    assert_non_null(real.value[i]);
    require(rows.read(rows.context, all, real.rows, real.value[i], test_err()), test_err());
}

static int read_real(void **state) {
    const es_session_options options = {
        .estimator = ES_PREDICTIVE_ESTIMATOR, .preset = ES_PREDICTIVE_PRESET, .no_store = true};
    es_session *session = NULL;
    require(es_session_open(ES_SAMPLE_DATA "/molecules", &options, &session, test_err()),
            test_err());
    require(es_session_wait(session, -1, test_err()), test_err());
    const es_results *r = es_session_results(session, 0);
    const es_pool *pool = es_session_pool(session);
    real.m = r->m;
    real.rows = es_pool_rows(pool);
    assert_true(real.m == 14);
    for (size_t i = 0; i < real.m; i++)
        read_embedder(pool, r, i);
    es_session_close(session);
    return 0;
}

static int free_real(void **state) {
    for (size_t i = 0; i < real.m; i++)
        free(real.value[i]);
    return 0;
}

TEST_GROUP(read_real, free_real);

static size_t find(const char *name) {
    for (size_t i = 0; i < real.m; i++)
        if (strcmp(real.name[i], name) == 0)
            return i;
    fail_msg("no embedder is called %s", name);
    return SIZE_MAX;
}

/* ---- Rankings ---- */

/* The embedders as they are ranked: those of `real`, some changed, left out or added. */
typedef struct pool {
    size_t m;
    es_array_view view[MOST + 1];
    es_session *session;
    es_rank_report *report;
} pool;

static pool all_of_them(void) {
    pool p = {.m = real.m};
    for (size_t i = 0; i < real.m; i++)
        p.view[i] = (es_array_view){.name = real.name[i],
                                    .family = real.family[i],
                                    .data = real.value[i],
                                    .rows = real.rows,
                                    .dim = real.dim[i],
                                    .element = ES_ELEMENT_FLOAT64};
    return p;
}

static const es_decision *rank(pool *p) {
    const es_session_options options = {
        .estimator = ES_PREDICTIVE_ESTIMATOR, .preset = ES_PREDICTIVE_PRESET, .with_pmi = true};
    const es_rank_choices how = {.score = ES_SCORE_PREDICTIVE, .with_intervals = true};
    require(es_session_open_arrays(p->view, p->m, &options, &p->session, test_err()), test_err());
    require(es_session_start(p->session, test_err()), test_err());
    require(es_session_wait(p->session, -1, test_err()), test_err());
    require(es_rank_report_of(p->session, &how, &p->report, test_err()), test_err());
    return p->report->decision;
}

static void close_pool(pool *p) {
    es_rank_report_free(p->report);
    es_session_close(p->session);
    *p = (pool){0};
}

static size_t at(const pool *p, const char *name) {
    size_t found = es_rank_report_find(p->report, name);
    assert_true(found < p->m);
    return found;
}

/* The same order, scores and set for all embedders of `real` that both have. */
static void require_same(const pool *before, const pool *after, double tolerance,
                         const char *what) {
    const es_decision *x = before->report->decision, *y = after->report->decision;
    for (size_t i = 0; i < real.m; i++) {
        size_t a = es_rank_report_find(before->report, real.name[i]);
        size_t b = es_rank_report_find(after->report, real.name[i]);
        if (a >= before->m || b >= after->m || x->ranking->rank[a] == 0)
            continue;
        double moved = y->ranking->score[b] - x->ranking->score[a];
        if (!(fabs(moved) <= tolerance))
            fail_msg("%s: the lead of %s moves by %g", what, real.name[i], moved);
        if (x->ranking->rank[a] != y->ranking->rank[b])
            fail_msg("%s: %s moves from place %u to %u", what, real.name[i], x->ranking->rank[a],
                     y->ranking->rank[b]);
        if (x->best[a] != y->best[b])
            fail_msg("%s: %s enters or leaves the set", what, real.name[i]);
    }
}

/* ---- Changes of one embedder ---- */

/* Column k of the result is column source(k) of embedder i, times factor(k); columns (count). */
typedef struct change {
    size_t columns;
    const size_t *source;
    const double *factor; /* NULL: 1 */
} change;

static double *apply(size_t i, const change *c) {
    double *out = malloc(real.rows * c->columns * sizeof *out);
    assert_non_null(out);
    for (size_t r = 0; r < real.rows; r++)
        for (size_t k = 0; k < c->columns; k++)
            out[r * c->columns + k] =
                real.value[i][r * real.dim[i] + c->source[k]] * (c->factor ? c->factor[k] : 1);
    return out;
}

static void require_no_move(const pool *before, size_t i, const change *c, const char *what) {
    double *value = apply(i, c);
    pool p = all_of_them();
    p.view[i].data = value;
    p.view[i].dim = c->columns;
    (void)rank(&p);
    require_same(before, &p, ROUNDING, what);
    close_pool(&p);
    free(value);
}

static void repeat_columns(const char *name, size_t times) {
    size_t i = find(name), d = real.dim[i];
    size_t *source = test_keep(malloc(d * times * sizeof *source), free);
    char what[128];
    pool before = all_of_them();
    (void)rank(&before);
    for (size_t k = 0; k < d * times; k++)
        source[k] = k % d;
    (void)snprintf(what, sizeof what, "%s, columns %zu times", name, times);
    require_no_move(&before, i, &(change){.columns = d * times, .source = source}, what);
    close_pool(&before);
}

TEST(columns__four_times__move_nothing) {
    repeat_columns("desc_phys16", 4);
    repeat_columns("maccs_167", 4);
}

TEST(columns__ten_times__move_nothing) {
    repeat_columns("atombag_32", 10);
    repeat_columns("gin_random_128", 10); /* more columns than rows to fit */
}

TEST(columns__permuted_or_scaled__move_nothing) {
    size_t i = find("maccs_167"), d = real.dim[i];
    size_t source[256];
    double factor[256];
    uint32_t deck[256];
    pool before = all_of_them();
    (void)rank(&before);
    es_rng rng = test_rng(5, 5);
    assert_true(d <= 256);
    for (size_t k = 0; k < d; k++)
        deck[k] = (uint32_t)k;
    es_rng_shuffle(&rng, deck, d);
    for (size_t k = 0; k < d; k++) {
        source[k] = deck[k];
        factor[k] = k % 3 == 0 ? 1000 : k % 3 == 1 ? 0.001 : -1;
    }
    require_no_move(&before, i, &(change){.columns = d, .source = source}, "columns permuted");
    for (size_t k = 0; k < d; k++)
        source[k] = k;
    require_no_move(&before, i, &(change){.columns = d, .source = source, .factor = factor},
                    "columns scaled");
    close_pool(&before);
}

/* ---- Noise ---- */

/* `count` columns of noise beside those of an embedder, the standard deviation as given. */
static double *beside_noise(size_t i, size_t count, double deviation) {
    size_t d = real.dim[i];
    double *out = malloc(real.rows * (d + count) * sizeof *out);
    es_rng rng = test_rng(8, count);
    assert_non_null(out);
    for (size_t r = 0; r < real.rows; r++) {
        memcpy(out + r * (d + count), real.value[i] + r * d, d * sizeof *out);
        for (size_t k = d; k < d + count; k++)
            out[r * (d + count) + k] = deviation * es_rng_normal(&rng);
    }
    return out;
}

TEST(noise__columns__never_make_better) {
    static const struct {
        const char *name;
        size_t columns;
        double deviation;
    } cases[] = {{"desc_phys16", 16, 1},
                 {"desc_phys16", 240, 1},
                 {"ecfp4_pca64", 64, 0.01},
                 {"mol2vec_128", 128, 1}};
    pool before = all_of_them();
    const es_decision *x = rank(&before);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t i = find(cases[k].name), count = cases[k].columns, a = at(&before, cases[k].name);
        double *value = beside_noise(i, count, cases[k].deviation);
        pool p = all_of_them();
        p.view[i].data = value;
        p.view[i].dim = real.dim[i] + count;
        const es_decision *y = rank(&p);
        size_t b = at(&p, cases[k].name);
        if (!(y->ranking->score[b] <= x->ranking->score[a] + ROUNDING))
            fail_msg("%zu columns of noise raise %s from %g to %g", count, cases[k].name,
                     x->ranking->score[a], y->ranking->score[b]);
        assert_true(y->ranking->rank[b] >= x->ranking->rank[a]);
        close_pool(&p);
        free(value);
    }
    close_pool(&before);
}

/* ---- Embedders more or less ---- */

static void require_words(const pool *p, const char *words) {
    const es_bottom_line_of of = es_answer_words(p->report);
    es_bottom_line *line = NULL;
    assert_ok(es_bottom_line_new(&of, &line, NULL));
    if (strstr(line->sentence, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, line->sentence);
    es_bottom_line_free(line);
}

/* Places of the others, the copy not counted. */
TEST(duplicate__file__moves_no_other) {
    static const char *const names[] = {"desc_all", "smiles_svd64"};
    pool before = all_of_them();
    const es_decision *x = rank(&before);
    for (size_t k = 0; k < 2; k++) {
        size_t i = find(names[k]), ranked = 0;
        char words[128];
        pool p = all_of_them();
        p.view[p.m] = p.view[i];
        p.view[p.m++].name = "zz_copy";
        const es_decision *y = rank(&p);
        size_t copy = at(&p, "zz_copy"), original = at(&p, names[k]);
        assert_int_equal(y->first[copy], original);
        assert_int_equal(y->scored, x->scored + 1);
        assert_int_equal(y->kinds, x->kinds);
        assert_true(fabs(y->ranking->score[copy] - y->ranking->score[original]) < ROUNDING);
        for (size_t at_y = 0; at_y < y->scored; at_y++) {
            if (y->order[at_y] == copy)
                continue;
            const char *mine = p.report->results->name[y->order[at_y]];
            size_t a = x->order[ranked++];
            assert_string_equal(mine, before.report->results->name[a]);
            assert_true(fabs(y->ranking->score[y->order[at_y]] - x->ranking->score[a]) < ROUNDING);
            assert_int_equal(y->best[y->order[at_y]], x->best[a]);
        }
        (void)snprintf(words, sizeof words, "zz_copy is a linear copy of %s: one vote for both.",
                       names[k]);
        require_words(&p, words);
        close_pool(&p);
    }
    close_pool(&before);
}

TEST(controls__taken_out__leave_the_same_set) {
    pool before = all_of_them(), p = all_of_them();
    size_t left = 0;
    for (size_t i = 0; i < real.m; i++)
        if (!real.control[i])
            p.view[left++] = p.view[i];
    assert_int_equal(left, real.m - 2);
    p.m = left;
    const es_decision *x = rank(&before), *y = rank(&p);
    assert_int_equal(y->scored, x->scored);
    require_same(&before, &p, 1e-12, "without controls");
    for (size_t i = 0; i < real.m; i++) {
        if (real.control[i])
            continue;
        size_t a = at(&before, real.name[i]), b = at(&p, real.name[i]);
        assert_int_equal(x->kind[a], y->kind[b]);
        assert_int_equal(x->rank_low[a], y->rank_low[b]);
        assert_int_equal(x->rank_high[a], y->rank_high[b]);
        assert_true(x->low[a] == y->low[b] && x->high[a] == y->high[b]);
    }
    close_pool(&before);
    close_pool(&p);
}
