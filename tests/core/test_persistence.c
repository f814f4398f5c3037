/* Total persistence: known point sets, the plain twins, and what does not matter. */
#include "methods.h"

#include "core_shape.h"

enum { MOST = 40 };
static const double PI = 3.14159265358979323846;

static void all_distances(const es_matrix *m, double *out) {
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            double sum = 0;
            for (size_t k = 0; k < m->d; k++)
                sum += (m->x[i * m->d + k] - m->x[j * m->d + k]) *
                       (m->x[i * m->d + k] - m->x[j * m->d + k]);
            out[i * m->n + j] = sqrt(sum);
        }
}

static es_matrix random_rows(size_t n, size_t d, uint64_t seed) {
    es_rng rng = test_rng(seed, 1);
    es_matrix m = matrix_kept(n, d);
    for (size_t i = 0; i < n * d; i++)
        m.x[i] = es_rng_normal(&rng);
    return m;
}

static es_persistence of(const es_matrix *m, es_persistence_rules rules) {
    es_persistence p;
    assert_ok(es_persistence_of(m, &rules, NULL, &p, test_err()));
    return p;
}

static const es_persistence_rules as_is = {
    .metric = ES_L2, .raw = true, .rows = 2000, .loop_rows = 200};

/* The whole boundary matrix of the complex, reduced column by column over Z/2 (Edelsbrunner,
 * Letscher and Zomorodian 2002). */
typedef struct simplex {
    double when;
    uint32_t size, corner[3];
} simplex;

static int by_filtration(const void *x, const void *y) {
    const simplex *a = x, *b = y;
    if (a->when < b->when || a->when > b->when)
        return a->when < b->when ? -1 : 1;
    return a->size != b->size ? (int)a->size - (int)b->size : memcmp(a->corner, b->corner, 12);
}

static bool is_face(const simplex *face, const simplex *of_this) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < face->size; i++)
        for (uint32_t j = 0; j < of_this->size; j++)
            found += face->corner[i] == of_this->corner[j];
    return face->size + 1 == of_this->size && found == face->size;
}

static void plain_persistence(const double *d, size_t n, double total[2]) {
    size_t count = 0, all = n + n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 6;
    simplex *s = test_alloc(all, sizeof *s);
    unsigned char *column = test_alloc(all * all, 1);
    size_t *owner = test_alloc(all, sizeof *owner);
    for (uint32_t i = 0; i < n; i++) {
        s[count++] = (simplex){0, 1, {i, 0, 0}};
        for (uint32_t j = i + 1; j < n; j++) {
            s[count++] = (simplex){d[i * n + j], 2, {i, j, 0}};
            for (uint32_t k = j + 1; k < n; k++)
                s[count++] =
                    (simplex){fmax(d[i * n + j], fmax(d[i * n + k], d[j * n + k])), 3, {i, j, k}};
        }
    }
    assert_int_equal(count, all);
    qsort(s, all, sizeof *s, by_filtration);
    total[0] = total[1] = 0;
    for (size_t c = 0; c < all; c++) {
        unsigned char *own = column + c * all;
        for (size_t r = 0; r < c; r++)
            own[r] = is_face(&s[r], &s[c]);
        for (size_t r = c; r-- > 0;) {
            if (!own[r])
                continue;
            if (owner[r] == 0) {
                owner[r] = c + 1;
                total[s[r].size - 1] += s[c].when - s[r].when;
                break;
            }
            const unsigned char *other = column + (owner[r] - 1) * all;
            for (size_t k = 0; k <= r; k++)
                own[k] ^= other[k];
        }
    }
}

TEST(persistence__square__has_one_loop) {
    double corners[] = {0, 0, 1, 0, 1, 1, 0, 1};
    es_persistence p = of(&(es_matrix){4, 2, corners}, as_is);
    assert_near(p.h0, 3, 1e-15);
    assert_near(p.h1, sqrt(2) - 1, 1e-15);
    assert_int_equal(p.loops, 1);
    assert_int_equal(p.rows, 4);
}

/* n points of a circle: the loop closes at the side of the n-gon and fills when three sides of a
 * triangle first hold the centre (Adamaszek and Adams 2017): at the chord of ceil(n / 3) steps. */
TEST(persistence__circle__lives_from_side_to_filling) {
    enum { N = 30 };
    es_matrix m = matrix_kept(N, 2);
    for (size_t i = 0; i < N; i++) {
        m.x[2 * i] = cos(2 * PI * (double)i / N);
        m.x[2 * i + 1] = sin(2 * PI * (double)i / N);
    }
    es_persistence p = of(&m, as_is);
    double side = 2 * sin(PI / N);
    assert_near(p.h0, (N - 1) * side, 1e-12);
    assert_near(p.h1, 2 * sin(PI / 3) - side, 1e-12);
}

TEST(persistence__line__has_its_length_and_no_loop) {
    double x[] = {3, 0, 1, 7, 1.5};
    es_persistence p = of(&(es_matrix){5, 1, x}, as_is);
    assert_near(p.h0, 7, 1e-14);
    assert_near(p.h1, 0, 1e-14);
    assert_int_equal(p.loops, 0);
}

TEST(persistence__random_rows__equal_the_plain_twins) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t n = 9 + seed % 5;
        es_matrix m = random_rows(n, 1 + seed % 4, seed);
        double d[MOST * MOST], total[2];
        all_distances(&m, d);
        if (seed > 6) /* ties of lengths */
            for (size_t i = 0; i < n * n; i++)
                d[i] = ceil(2 * d[i]) / 2;
        double h0 = 0, h1 = 0;
        size_t loops = 0;
        assert_ok(es_persistence_h0(d, n, NULL, &h0, NULL));
        assert_ok(es_persistence_h1(d, n, NULL, &h1, &loops, NULL));
        plain_persistence(d, n, total);
        assert_near(h0, es_persistence_h0_ref(d, n), 1e-12);
        assert_near(h0, total[0], 1e-12);
        assert_near(h1, total[1], 1e-12);
    }
}

TEST(persistence__many_rows__equal_the_plain_tree) {
    enum { N = 120 };
    es_matrix m = random_rows(N, 6, 5);
    double *d = test_alloc((size_t)N * N, sizeof *d);
    for (size_t k = 0; k < 12; k++) /* equal rows, and two that are nearly equal */
        m.x[6 + k] = m.x[k % 6];
    m.x[6] += 1e-9;
    all_distances(&m, d);
    es_persistence p = of(&m, as_is);
    assert_near(p.h0, es_persistence_h0_ref(d, N), 1e-10);
}

TEST(persistence__scale_and_place__do_not_matter_unless_raw) {
    const es_persistence_rules rules = {.metric = ES_L2, .rows = 50, .loop_rows = 20, .seed = 3};
    es_matrix m = random_rows(80, 5, 9);
    es_persistence before = of(&m, rules);
    assert_int_equal(before.rows, 50);
    assert_true(before.loops > 0);
    for (size_t i = 0; i < m.n * m.d; i++)
        m.x[i] = 1000 + 37 * m.x[i];
    es_persistence after = of(&m, rules);
    assert_near(after.h0, before.h0, 1e-8);
    assert_near(after.h1, before.h1, 1e-8);
    es_persistence_rules other = rules;
    other.seed = 4;
    assert_true(fabs(of(&m, other).h0 - after.h0) > 1e-6);
    other.raw = true;
    assert_true(of(&m, other).h0 > 30 * after.h0);
}

TEST(persistence__two_rows__have_their_distance) {
    double x[] = {0, 0, 3, 4};
    assert_near(of(&(es_matrix){2, 2, x}, as_is).h0, 5, 1e-12);
}

TEST(persistence__equal_rows__have_none) {
    double x[] = {2, 2, 2, 2};
    es_persistence_rules rules = as_is;
    rules.raw = false;
    es_persistence p = of(&(es_matrix){4, 1, x}, rules);
    assert_true(isnan(p.h0) && isnan(p.h1));
    assert_int_equal(es_persistence_of(&(es_matrix){1, 1, x}, &rules, NULL, &p, test_err()),
                     ES_EEMPTY);
    double h1 = 0;
    size_t loops = 0;
    assert_int_equal(
        es_persistence_h1(NULL, ES_PERSISTENCE_LOOP_ROWS + 1, NULL, &h1, &loops, test_err()),
        ES_EINVAL);
}
