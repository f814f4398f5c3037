/* What pairs are said to take, against what they take; and rows that are read again in place of
 * kept: the same bits. */
#include "testing.h"
#include "core_estimators.h"
#include "synthetic.h"

enum { N = 700, DU = 24, DV = 17 };

/* A target that is a function of the source, with noise. */
typedef struct pool {
    synthetic u, v;
    es_kind kind; /* of the target */
} pool;

static pool new_pool(size_t n, size_t du, size_t dv) {
    pool p = {{n, du, calloc(n * du, sizeof(double))},
              {n, dv, calloc(n * dv, sizeof(double))},
              ES_KIND_CONTINUOUS};
    es_rng rng = test_rng(5, 11);
    for (size_t i = 0; i < n * du; i++)
        p.u.x[i] = es_rng_normal(&rng);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < dv; j++) {
            const double *u = p.u.x + i * du;
            p.v.x[i * dv + j] =
                u[j % du] + 0.7 * u[(j + 1) % du] * u[(j + 2) % du] + 0.3 * es_rng_normal(&rng);
        }
    return p;
}

static void free_pool(pool *p) {
    free(p->u.x);
    free(p->v.x);
}

/* What a pair of these shapes is said to take. */
static es_cost said(const pool *p, const char *estimator, const char *preset, const char *set) {
    const es_estimator *e = es_estimator_find(estimator);
    double values[32];
    es_split *split = NULL;
    assert_ok(es_estimator_preset(e, preset, values, test_err()));
    if (set)
        assert_ok(es_estimator_set(e, set, values, test_err()));
    double folds = values[es_estimator_setting(e, "folds")];
    assert_ok(es_split_new(p->u.n, 0, isnan(folds) ? 0 : (size_t)folds, &split, test_err()));
    es_problem problem = {split, values, 0, 0};
    es_cost out =
        es_estimator_cost(e, &problem, (es_pair_shape){p->u.d, p->v.d, synthetic_rows(&p->v).kind});
    es_split_free(split);
    return out;
}

/* One pair as the engine has it, with what its parts took. */
typedef struct outcome {
    es_cost said;
    size_t source, target, arena;
    es_pair_result result;
} outcome;

static outcome run(const pool *p, const char *estimator, const char *preset, const char *set,
                   size_t keep_bytes) {
    const es_estimator *e = es_estimator_find(estimator);
    double values[32];
    es_split *split = NULL;
    void *source = NULL, *target = NULL;
    es_arena *arena = es_arena_new();
    es_rows u = synthetic_rows(&p->u), v = synthetic_rows(&p->v);
    outcome out = {.source = 0};
    v.kind = p->kind;
    assert_ok(es_estimator_preset(e, preset, values, test_err()));
    if (set)
        assert_ok(es_estimator_set(e, set, values, test_err()));
    double folds = values[es_estimator_setting(e, "folds")];
    assert_ok(es_split_new(u.n, 0, isnan(folds) ? 0 : (size_t)folds, &split, test_err()));
    if (e->in_sample && e->in_sample(values)) { /* as the session has it: all rows are evaluated */
        free(split->eval);
        split->eval = malloc(u.n * sizeof *split->eval);
        for (size_t i = 0; i < u.n; i++)
            split->eval[i] = (uint32_t)i;
        split->n_eval = u.n;
    }
    es_problem problem = {split, values, 0, keep_bytes};
    out.said = es_estimator_cost(e, &problem, (es_pair_shape){u.d, v.d, v.kind});
    assert_ok(e->source_new(&problem, &u, NULL, &source, test_err()));
    assert_ok(e->target_new(&problem, &v, NULL, &target, test_err()));
    assert_ok(e->pair(&problem, source, target, 1, arena, NULL, &out.result, test_err()));
    out.source = e->source_bytes(source);
    out.target = e->target_bytes(target);
    out.arena = es_arena_bytes(arena);
    e->source_free(source);
    e->target_free(target);
    es_split_free(split);
    es_arena_free(arena);
    return out;
}

static const struct {
    const char *estimator, *preset, *set;
} ways[] = {{"linear", "default", NULL},      {"linear", "shrunk", NULL},
            {"linear", "default", "folds=3"}, {"knife", "default", "epochs=3"},
            {"knife", "default", "folds=3"},  {"knife", "default", "modes=2"},
            {"knife", "paper-nlp", NULL},     {"knife", "paper-mol", NULL},
            {"flow", "default", "epochs=2"},  {"l2", "default", NULL},
            {"l2", "linear", NULL},           {"l2", "paper", NULL}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Never more than was said, or memory would run out in spite of it; and not so much less that
 * little would be let in. */
static void check_bytes(const char *what, const char *way, double said, size_t took, double slack) {
    if (!((double)took <= said && said <= slack * (double)took + 40000))
        fail_msg("%s of %s: %.0f bytes said, %zu taken", what, way, said, took);
}

TEST(cost__bytes__bound_what_is_taken_and_are_close) {
    static const size_t shapes[][3] = {{N, DU, DV}, {300, 90, 40}, {150, 170, 30}};
    for (size_t s = 0; s < 3; s++) {
        pool p = new_pool(shapes[s][0], shapes[s][1], shapes[s][2]);
        for (size_t i = 0; i < WAYS; i++) {
            outcome o = run(&p, ways[i].estimator, ways[i].preset, ways[i].set, 0);
            check_bytes("the source", ways[i].estimator, o.said.source_bytes, o.source, 1.6);
            check_bytes("the target", ways[i].estimator, o.said.target_bytes, o.target, 2.2);
            /* blocks of the arena double, up to a megabyte and more ahead of what is asked for */
            check_bytes("the pair", ways[i].estimator, 2 * o.said.pair_bytes, o.arena, 7);
            es_free(o.result.pmi);
        }
        free_pool(&p);
    }
}

TEST(cost__binary_target__bytes_bound_what_is_taken) {
    static const char *const sets[] = {"epochs=1", "folds=3", "modes=2"};
    pool p = new_pool(N, DU, DV);
    p.kind = ES_KIND_BINARY;
    for (size_t i = 0; i < p.v.n * p.v.d; i++)
        p.v.x[i] = p.v.x[i] > 0 ? 1 : 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        outcome o = run(&p, "knife", "default", sets[i], 0);
        check_bytes("the source", sets[i], o.said.source_bytes, o.source, 1.6);
        check_bytes("the target", sets[i], o.said.target_bytes, o.target, 2.2);
        check_bytes("the pair", sets[i], 2 * o.said.pair_bytes, o.arena, 7);
        es_free(o.result.pmi);
    }
    free_pool(&p);
}

TEST(cost__streamed__bytes_bound_what_is_taken_and_are_few) {
    pool p = new_pool(N, DU, DV);
    for (size_t i = 0; i < WAYS; i++) {
        outcome o = run(&p, ways[i].estimator, ways[i].preset, ways[i].set, 1);
        check_bytes("the source", ways[i].estimator, o.said.source_bytes, o.source, 4);
        check_bytes("the target", ways[i].estimator, o.said.target_bytes, o.target, 4);
        check_bytes("the pair", ways[i].estimator, 2 * o.said.pair_bytes, o.arena, 20);
        es_free(o.result.pmi);
    }
    outcome kept = run(&p, "knife", "default", "epochs=1", 0);
    outcome read = run(&p, "knife", "default", "epochs=1", 1);
    assert_true(3 * read.source < kept.source && 5 * read.target < kept.target);
    es_free(kept.result.pmi);
    es_free(read.result.pmi);
    free_pool(&p);
}

TEST(cost__streamed__the_same_bits) {
    pool p = new_pool(N, DU, DV);
    for (size_t i = 0; i < WAYS; i++) {
        outcome kept = run(&p, ways[i].estimator, ways[i].preset, ways[i].set, 0);
        outcome read = run(&p, ways[i].estimator, ways[i].preset, ways[i].set, 1);
        assert_int_equal(kept.result.n_eval, read.result.n_eval);
        assert_memory_equal(&kept.result.is, &read.result.is, sizeof(double));
        assert_memory_equal(&kept.result.h_cond, &read.result.h_cond, sizeof(double));
        assert_int_equal(kept.result.epochs, read.result.epochs);
        assert_memory_equal(kept.result.pmi, read.result.pmi, kept.result.n_eval * sizeof(float));
        es_free(kept.result.pmi);
        es_free(read.result.pmi);
    }
    free_pool(&p);
}

TEST(cost__operations__grow_with_rows_columns_and_epochs) {
    pool p = new_pool(N, DU, DV), wide = new_pool(N, 2 * DU, DV), small = new_pool(N / 2, DU, DV);
    for (size_t i = 0; i < WAYS; i++) {
        const char *e = ways[i].estimator, *preset = ways[i].preset, *set = ways[i].set;
        double a = said(&p, e, preset, set).pair_operations;
        assert_true(said(&wide, e, preset, set).pair_operations > a);
        assert_true(said(&small, e, preset, set).pair_operations < a);
    }
    assert_true(said(&p, "knife", "default", "epochs=4").pair_operations >
                2 * said(&p, "knife", "default", "epochs=1").pair_operations);
    free_pool(&p);
    free_pool(&wide);
    free_pool(&small);
}

/* Predictions of all rows and one column of the training rows, as floats, in every fold. */
TEST(cost__residuals__take_predictions_and_a_column) {
    for (size_t folds = 1; folds <= 4; folds += 3) {
        es_split *split = NULL;
        assert_ok(es_split_new(N, 0, folds, &split, NULL));
        es_problem problem = {split, NULL, 0, 0};
        es_pair_shape shape = {DU, DV, ES_KIND_CONTINUOUS};
        double plain = es_cost_of_ridge(&problem, shape, (es_cost_ridge){0}).pair_bytes;
        double more =
            es_cost_of_ridge(&problem, shape, (es_cost_ridge){.residuals = true}).pair_bytes;
        double each = 4.0 * (N * DV + (double)split->folds[0].n_train);
        assert_true(fabs(more - plain - (double)split->n_folds * each) < 1e-3);
        es_split_free(split);
    }
}
