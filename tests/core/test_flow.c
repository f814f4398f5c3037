/* Coupling flows against a plain twin in double, finite differences and numeric Jacobians. */
#include "testing.h"
#include "flow_twin.h"
#include "matrices.h"

enum { ROWS = 11, WIDEST = 8, MOST = 4096 };

static const es_flow_shape shapes[] = {
    {5, 2, 6, 3, 1, 2}, /* odd halves, a condition */
    {4, 0, 5, 4, 2, 1}, /* none; much of what networks see is clipped */
    {1, 3, 4, 2, 1, 3}, /* nothing to keep */
    {1, 0, 4, 1, 1, 3}, /* and nothing to see */
    {2, 1, 4, 1, 0.5, 3},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* A flow with parameters drawn at random, and rows to look at. */
typedef struct fixture {
    es_arena *arena;
    es_flow flow;
    double p[MOST], x[ROWS * WIDEST], c[ROWS * WIDEST];
    float fp[MOST], fx[ROWS * WIDEST], fc[ROWS * WIDEST];
    es_flow_rows rows;
} fixture;

static fixture *make(const es_flow_shape *shape, size_t batch) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->arena = es_arena_new();
    es_rng rng = test_rng(5, 9);
    assert_ok(es_flow_init(&f->flow, shape, batch, &rng, f->arena, NULL, NULL));
    assert_true(f->flow.n_params <= MOST);
    for (size_t i = 0; i < f->flow.n_params; i++)
        f->p[i] = f->fp[i] = (float)(0.6 * es_rng_normal(&rng));
    for (size_t i = 0; i < ROWS * WIDEST; i++) {
        f->x[i] = f->fx[i] = (float)es_rng_normal(&rng);
        f->c[i] = f->fc[i] = (float)es_rng_normal(&rng);
    }
    es_flow_load(&f->flow, f->fp);
    f->rows = (es_flow_rows){ROWS, f->fx, shape->c ? f->fc : NULL};
    return f;
}

static void drop(fixture *f) {
    es_arena_free(f->arena);
    free(f);
}

static double twin_row(const fixture *f, size_t r, size_t condition) {
    double z[WIDEST], log_det;
    return flow_twin(&f->flow, f->p, f->x + r * f->flow.shape.d, f->c + condition * f->flow.shape.c,
                     z, &log_det);
}

TEST(flow__log_density__agrees_with_twin) {
    for (size_t s = 0; s < SHAPES; s++) {
        fixture *f = make(&shapes[s], 4); /* three batches, the last one short */
        size_t d = shapes[s].d;
        double got[ROWS], z[WIDEST], log_det;
        float fz[ROWS * WIDEST];
        assert_ok(es_flow_eval(&f->flow, &f->rows, NULL, fz, got, NULL, NULL));
        for (size_t r = 0; r < ROWS; r++) {
            double want =
                flow_twin(&f->flow, f->p, f->x + r * d, f->c + r * shapes[s].c, z, &log_det);
            if (!(fabs(got[r] - want) < 2e-5 * (1 + fabs(want))))
                fail_msg("shape %zu, row %zu: %.8f, expected %.8f", s, r, got[r], want);
            for (size_t j = 0; j < d; j++)
                assert_true(fabs((double)fz[r * d + j] - z[j]) < 2e-5 * (1 + fabs(z[j])));
        }
        drop(f);
    }
}

TEST(flow__turned_condition__is_of_the_other_row) {
    fixture *f = make(&shapes[0], 4);
    uint32_t turn[ROWS];
    double got[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        turn[i] = (i + 5) % ROWS;
    assert_ok(es_flow_eval(&f->flow, &f->rows, turn, NULL, got, NULL, NULL));
    for (size_t r = 0; r < ROWS; r++) {
        double want = twin_row(f, r, turn[r]);
        assert_true(fabs(got[r] - want) < 2e-5 * (1 + fabs(want)));
        assert_true(fabs(got[r] - twin_row(f, r, r)) > 1e-3);
    }
    drop(f);
}

TEST(flow__before_training__is_a_standard_normal) {
    for (size_t s = 0; s < SHAPES; s++) {
        size_t d = shapes[s].d;
        fixture *f = make(&shapes[s], ROWS);
        double got[ROWS];
        float z[ROWS * WIDEST];
        es_rng rng = test_rng(1, 1);
        assert_ok(es_flow_init(&f->flow, &shapes[s], ROWS, &rng, f->arena, NULL, NULL));
        assert_ok(es_flow_eval(&f->flow, &f->rows, NULL, z, got, NULL, NULL));
        assert_memory_equal(z, f->fx, ROWS * d * sizeof *z);
        for (size_t r = 0; r < ROWS; r++) {
            double want = -(double)d * log(2 * acos(-1)) / 2;
            for (size_t j = 0; j < d; j++)
                want -= f->x[r * d + j] * f->x[r * d + j] / 2;
            assert_true(fabs(got[r] - want) < 1e-9);
        }
        drop(f);
    }
}

/* log |det a| of a (d, d), which is overwritten: elimination with the largest pivot. */
static double log_det_of(double *a, size_t d) {
    double sum = 0;
    for (size_t k = 0; k < d; k++) {
        size_t top = k;
        for (size_t i = k; i < d; i++)
            top = fabs(a[i * d + k]) > fabs(a[top * d + k]) ? i : top;
        for (size_t j = 0; j < d; j++) {
            double x = a[k * d + j];
            a[k * d + j] = a[top * d + j];
            a[top * d + j] = x;
        }
        sum += log(fabs(a[k * d + k]));
        for (size_t i = k + 1; i < d; i++)
            for (size_t j = d; j-- > k;)
                a[i * d + j] -= a[i * d + k] / a[k * d + k] * a[k * d + j];
    }
    return sum;
}

TEST(flow__log_determinant__equals_numeric_jacobian) {
    const double h = 1e-6;
    for (size_t s = 0; s < SHAPES; s++) {
        fixture *f = make(&shapes[s], ROWS);
        size_t d = shapes[s].d;
        for (size_t r = 0; r < ROWS; r++) {
            double jacobian[WIDEST * WIDEST], up[WIDEST], down[WIDEST], log_det, other;
            double *x = f->x + r * d;
            const double *c = f->c + r * shapes[s].c;
            for (size_t j = 0; j < d; j++) {
                double at = x[j];
                x[j] = at + h;
                (void)flow_twin(&f->flow, f->p, x, c, up, &other);
                x[j] = at - h;
                (void)flow_twin(&f->flow, f->p, x, c, down, &other);
                x[j] = at;
                for (size_t i = 0; i < d; i++)
                    jacobian[i * d + j] = (up[i] - down[i]) / (2 * h);
            }
            (void)flow_twin(&f->flow, f->p, x, c, up, &log_det);
            assert_true(fabs(log_det_of(jacobian, d) - log_det) < 1e-6);
        }
        drop(f);
    }
}

/* Adam's first moment after one step is a tenth of the gradient; without a rate nothing moves. */
TEST(flow__gradient__equals_finite_differences_of_every_parameter) {
    const double h = 1e-6;
    uint32_t list[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        list[i] = ROWS - 1 - i;
    for (size_t s = 0; s < SHAPES; s++) {
        fixture *f = make(&shapes[s], ROWS);
        float after[MOST], moment[MOST];
        double sum = 0, got = es_flow_step(&f->flow, &f->rows, list, ROWS, 0);
        es_flow_save(&f->flow, after);
        assert_memory_equal(after, f->fp, f->flow.n_params * sizeof *after);
        float *at = moment;
        for (size_t i = 0; i < shapes[s].couplings; i++) {
            const es_coupling *k = &f->flow.coupling[i];
            memcpy(at, k->net.moment1, k->net.n_params * sizeof *at);
            memcpy(at + k->net.n_params, k->act1, 2 * shapes[s].d * sizeof *at);
            at += k->net.n_params + 2 * shapes[s].d;
        }
        for (size_t r = 0; r < ROWS; r++)
            sum += twin_row(f, r, r);
        assert_true(fabs(got - sum) < 1e-4 * (1 + fabs(sum)));
        for (size_t i = 0; i < f->flow.n_params; i++) {
            double old = f->p[i], difference = 0;
            for (int side = -1; side <= 1; side += 2) {
                f->p[i] = old + side * h;
                for (size_t r = 0; r < ROWS; r++)
                    difference -= side * twin_row(f, r, r) / (2 * h * ROWS);
            }
            f->p[i] = old;
            if (!(fabs(10 * (double)moment[i] - difference) < 3e-4 * (1 + fabs(difference))))
                fail_msg("shape %zu, parameter %zu: %.6f, expected %.6f", s, i,
                         10 * (double)moment[i], difference);
        }
        drop(f);
    }
}

/* A crescent: the second column follows the square of the first. What is left of the second is a
 * Gaussian of standard deviation 0.3, so that the entropy is known. */
TEST(fit__crescent__reaches_its_entropy) {
    enum { N = 3000, VAL = 500 };
    float *x = test_keep(malloc(2 * sizeof *x * N), free);
    es_arena *arena = es_arena_new();
    es_rng rng = test_rng(3, 3);
    for (size_t i = 0; i < N; i++) {
        double a = es_rng_normal(&rng);
        x[2 * i] = (float)a;
        x[2 * i + 1] = (float)((a * a - 1) / sqrt(2) + 0.3 * es_rng_normal(&rng));
    }
    const es_flow_shape shape = {2, 0, 64, 4, 2, 4};
    const es_flow_plan plan = {1e-3, 60, 5, NULL};
    es_flow_rows train = {N - VAL, x, NULL}, val = {VAL, x + 2 * (N - VAL), NULL};
    es_flow flow;
    es_flow_fitted fit;
    assert_ok(es_flow_init(&flow, &shape, 64, &rng, arena, NULL, NULL));
    assert_ok(es_flow_fit(&flow, &train, &val, &plan, &rng, arena, NULL, &fit, NULL));
    double entropy = 0, true_entropy = log(2 * acos(-1)) + 1 + log(0.3);
    for (size_t i = 0; i < VAL; i++)
        entropy -= fit.now[i] / VAL;
    if (!(fit.epoch > 0 && fit.gain > 5 && fabs(entropy - true_entropy) < 0.12))
        fail_msg("epoch %u, entropy %.4f, true %.4f", fit.epoch, entropy, true_entropy);
    es_arena_free(arena);
}

TEST(fit__no_epochs__keeps_the_start) {
    fixture *f = make(&shapes[0], 4);
    const es_flow_plan plan = {1e-3, 0, 3, NULL};
    es_flow_fitted fit;
    float after[MOST];
    es_rng rng = test_rng(1, 1);
    assert_ok(es_flow_fit(&f->flow, &f->rows, &f->rows, &plan, &rng, f->arena, NULL, &fit, NULL));
    es_flow_save(&f->flow, after);
    assert_memory_equal(after, f->fp, f->flow.n_params * sizeof *after);
    assert_int_equal(fit.epoch, 0);
    assert_true(fit.gain == 0);
    assert_memory_equal(fit.now, fit.before, ROWS * sizeof *fit.now);
    drop(f);
}

/* What whitening leaves: a column that follows the square of another, and a skewed one. */
TEST(normalizing_flow__bent_rows__become_normal) {
    enum { N = 3000, D = 4 };
    es_normalizing_flow *flow = NULL, *again = NULL;
    static double z[N * (D - 1)], twice[N * (D - 1)];
    double skew = 0, bent = 0, mean[D - 1] = {0}, square[D - 1] = {0};
    es_rng rng = test_rng(5, 5);
    es_matrix m = matrix_kept(N, D);
    for (size_t i = 0; i < N; i++) {
        double a = es_rng_normal(&rng);
        m.x[i * D] = 100 + 7 * a;
        m.x[i * D + 1] = (a * a - 1) / sqrt(2) + 0.3 * es_rng_normal(&rng);
        m.x[i * D + 2] = exp(0.7 * es_rng_normal(&rng)); /* its skewness is 3.2 */
        m.x[i * D + 3] = 42;
    }
    assert_ok(es_normalizing_flow_fit(&m, 1, NULL, &flow, NULL));
    assert_int_equal(es_normalizing_flow_columns(flow), D - 1); /* one never varies */
    assert_ok(es_normalizing_flow_apply(flow, m.x, N, z, NULL));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D - 1; j++) {
            mean[j] += z[i * (D - 1) + j] / N;
            square[j] += z[i * (D - 1) + j] * z[i * (D - 1) + j] / N;
        }
    for (size_t i = 0; i < N; i++) {
        const double *row = z + i * (D - 1);
        skew += pow(row[2] - mean[2], 3) / N;
        bent += (row[0] * row[0] - square[0]) * row[1] / N / sqrt(2);
    }
    for (size_t j = 0; j < D - 1; j++)
        if (!(fabs(mean[j]) < 0.15 && fabs(square[j] - 1) < 0.2))
            fail_msg("column %zu: mean %.3f, square %.3f", j, mean[j], square[j]);
    if (!(fabs(bent) < 0.15 && fabs(skew) < 1)) /* before: .96 and 3.2 */
        fail_msg("bent %.3f, skew %.3f", bent, skew);
    /* the same seed gives the same bytes, a row at a time too */
    assert_ok(es_normalizing_flow_fit(&m, 1, NULL, &again, NULL));
    for (size_t i = 0; i < N; i++)
        assert_ok(es_normalizing_flow_apply(again, m.x + i * D, 1, twice + i * (D - 1), NULL));
    for (size_t i = 0; i < N * (D - 1); i++)
        assert_true(fabs(twice[i] - z[i]) < 1e-5);
    es_normalizing_flow_free(flow);
    es_normalizing_flow_free(again);
}

TEST(normalizing_flow__nothing_to_fit__is_refused) {
    es_normalizing_flow *flow = NULL;
    es_run run;
    es_matrix m = matrix_kept(40, 2);
    for (size_t i = 0; i < 80; i++)
        m.x[i] = 3;
    assert_int_equal(es_normalizing_flow_fit(&m, 1, NULL, &flow, test_err()), ES_EEMPTY);
    m.x[0] = 4;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_normalizing_flow_fit(&m, 1, &run, &flow, test_err()), ES_ECANCELED);
    m.n = 19;
    assert_int_equal(es_normalizing_flow_fit(&m, 1, NULL, &flow, test_err()), ES_EINVAL);
    assert_null(flow);
    m.n = 40;
}
