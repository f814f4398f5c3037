/* Similarity of embedders against reference values, and where it is undefined. */
#include "methods.h"

#include "core_alike.h"
#include "refuse.h"

static const char *const pool[] = {"digits_raw64", "digits_pca16", "digits_relu32", "digits_rot64",
                                   "noise8"};
enum {
    POOL = 5,
    ALL = ES_SIDE_CENTRED | ES_SIDE_FACTORS | ES_SIDE_LOADINGS | ES_SIDE_DISTANCES |
          ES_SIDE_NEIGHBOURS | ES_SIDE_KERNEL,
    CCA_ALL = ES_CCA_MEAN | ES_CCA_SVCCA | ES_CCA_PWCCA
};

static es_side *side_of(const es_matrix *m, const es_side_rules *rules) {
    es_side *side = NULL;
    assert_ok(es_side_new(m, rules, NULL, &side, test_err()));
    return side;
}

static es_side *side_of_file(const char *name, const es_side_rules *rules) {
    char file[64];
    snprintf(file, sizeof file, "%s.npy", name);
    es_matrix m = methods_npy(file);
    es_side *side = side_of(&m, rules);
    return side;
}

static void check_pair(const es_side *a, const es_side *b, const char *key, bool other_way) {
    const char *first = other_way ? "second" : "first", *second = other_way ? "first" : "second";
    es_stat v;
    es_cca cca;
    assert_ok(es_cka(a, b, false, &v, NULL));
    assert_near(v.value, expected("similarity/%s/linear_cka", key), 1e-10);
    assert_ok(es_cka(a, b, true, &v, NULL));
    assert_near(v.value, expected("similarity/%s/linear_cka_debiased", key), 1e-10);
    assert_ok(es_cka_rbf(a, b, &v, NULL));
    assert_near(v.value, expected("similarity/%s/rbf_cka_t1_median_of_sq_incl_diag", key), 1e-10);
    assert_ok(es_procrustes(a, b, &v, NULL));
    assert_near(v.value, expected("similarity/%s/procrustes/distance2", key), 1e-10);
    assert_near(1 - v.value / 2, expected("similarity/%s/procrustes/nuclear", key), 1e-10);
    assert_ok(es_linear_r2(a, b, &v, NULL));
    assert_near(v.value, expected("similarity/%s/linreg_R2_%s_predicts_%s", key, first, second),
                1e-10);
    assert_ok(es_cca_of(a, b, CCA_ALL, &cca, NULL));
    assert_near(cca.mean.value, expected("similarity/%s/cca_mean", key), 1e-9);
    assert_near(cca.svcca.value, expected("similarity/%s/svcca99_mean", key), 1e-9);
    /* Of digits_raw64 and its rotation several correlations are 1, so that their directions, and
     * with them the weights, are any of a plane. */
    double tolerance = strstr(key, "64") ? 1e-3 : 1e-9;
    assert_near(cca.pwcca.value, expected("similarity/%s/pwcca_weights_from_%s", key, first),
                tolerance);
    assert_near(cca.mean_square.value, expected("similarity/%s/cca_mean_sq(/min rank)", key), 1e-9);
    for (int i = 0; i < 2; i++) {
        int at = other_way ? 1 - i : i;
        assert_int_equal(cca.kept[at], (int)expected("similarity/%s/svcca99_dims/%d", key, i));
        assert_int_equal(cca.rank[at], (int)expected("similarity/%s/ranks/%d", key, i));
    }
    assert_false(cca.unreliable);
    assert_ok(es_rsa(a, b, &v, NULL));
    /* 1e-8: rounding has parted distances of the rotation that are equal, and ties are taken back
     */
    assert_near(v.value, expected("similarity/%s/rsa_spearman_l2", key), 1e-8);
}

TEST(similarity__pool__equals_the_reference) {
    es_side_rules rules = {.parts = ALL};
    es_side *side[POOL];
    for (int i = 0; i < POOL; i++)
        side[i] = side_of_file(pool[i], &rules);
    for (int i = 0; i < POOL; i++)
        for (int j = i; j < POOL; j++) {
            char key[64];
            snprintf(key, sizeof key, "%s|%s", pool[i], pool[j]);
            check_pair(side[i], side[j], key, false);
            check_pair(side[j], side[i], key, true);
        }
    assert_true(es_side_bytes(side[0]) > 400 * 399 / 2 * sizeof(float));
    for (int i = 0; i < POOL; i++)
        es_side_free(side[i]);
}

TEST(similarity__pearson_distances__equal_the_reference) {
    es_side_rules rules = {.parts = ES_SIDE_DISTANCES, .distance = ES_DISTANCE_PEARSON};
    for (int i = 0; i < POOL; i++)
        for (int j = i; j < POOL; j++) {
            es_side *a = side_of_file(pool[i], &rules), *b = side_of_file(pool[j], &rules);
            es_stat v;
            assert_ok(es_rsa(a, b, &v, NULL));
            assert_near(v.value,
                        expected("similarity/%s|%s/rsa_spearman_1-pearson", pool[i], pool[j]),
                        1e-9);
            es_side_free(a);
            es_side_free(b);
        }
}

TEST(similarity__neighbours__equal_the_reference) {
    static const char *const name[] = {"cos", "l2"};
    for (int metric = 0; metric < ES_METRICS; metric++)
        for (int i = 0; i < POOL; i++)
            for (int j = i; j < POOL; j++) {
                es_side_rules rules = {.parts = ES_SIDE_NEIGHBOURS, .metric = (es_metric)metric};
                es_side *a = side_of_file(pool[i], &rules), *b = side_of_file(pool[j], &rules);
                es_overlap o;
                uint32_t row[400];
                size_t sum = 0;
                assert_ok(es_neighbour_overlap(a, b, row, &o, NULL));
                const char *by = name[metric];
                assert_near(o.mutual,
                            expected("similarity/%s|%s/knn10_%s/mutual", pool[i], pool[j], by),
                            1e-12);
                assert_near(o.jaccard,
                            expected("similarity/%s|%s/knn10_%s/jaccard", pool[i], pool[j], by),
                            1e-12);
                for (int r = 0; r < 400; r++)
                    sum += row[r];
                assert_near(o.mutual, (double)sum / 4000, 1e-12);
                assert_near(o.chance,
                            expected("similarity/%s|%s/knn_chance_mutual", pool[i], pool[j]),
                            1e-14);
                es_side_free(a);
                es_side_free(b);
            }
}

TEST(similarity__wide_noise__fools_all_but_debiased_cka) {
    es_side_rules rules = {.parts = ES_SIDE_CENTRED | ES_SIDE_FACTORS | ES_SIDE_LOADINGS};
    es_side *a = side_of_file("rand30x100", &rules), *b = side_of_file("rand30x80", &rules);
    es_stat biased, debiased;
    es_cca cca;
    assert_ok(es_cka(a, b, false, &biased, NULL));
    assert_ok(es_cka(a, b, true, &debiased, NULL));
    assert_ok(es_cca_of(a, b, CCA_ALL, &cca, NULL));
    assert_near(biased.value, expected("similarity/random_n30_d100_d80/linear_cka"), 1e-10);
    assert_near(debiased.value, expected("similarity/random_n30_d100_d80/linear_cka_debiased"),
                1e-10);
    assert_near(cca.mean.value, expected("similarity/random_n30_d100_d80/cca_mean"), 1e-10);
    assert_true(cca.unreliable);
    es_side_free(a);
    es_side_free(b);
}

TEST(dgemm__every_transposition__equals_the_plain_twin) {
    double a[35], b[35], c[49], plain[49];
    for (int i = 0; i < 35; i++) {
        a[i] = sin(i);
        b[i] = cos(3 * i);
    }
    for (int t = 0; t < 4; t++) {
        es_dgemm(t & 1, t & 2, 7, 7, 5, a, b, c);
        es_dgemm_ref(t & 1, t & 2, 7, 7, 5, a, b, plain);
        for (int i = 0; i < 49; i++)
            assert_near(c[i], plain[i], 1e-14);
    }
}

enum { WIDE_ROWS = 12, WIDE = 40 };

/* sum over all of (A^T B)^2 and the sum of its singular values, columns by columns as the formulas
 * have it. */
static void primal(const es_matrix *a, const es_matrix *b, double *square, double *nuclear) {
    double c[WIDE * WIDE], s[WIDE];
    es_matrix x = {0}, y = {0};
    assert_ok(es_matrix_centred(a, &x, NULL, NULL));
    assert_ok(es_matrix_centred(b, &y, NULL, NULL));
    es_dgemm_ref(true, false, a->d, b->d, a->n, x.x, y.x, c);
    *square = *nuclear = 0;
    for (size_t i = 0; i < a->d * b->d; i++)
        *square += c[i] * c[i];
    assert_ok(es_svd(a->d, b->d, c, NULL, s, NULL, NULL));
    for (size_t i = 0; i < (a->d < b->d ? a->d : b->d); i++)
        *nuclear += s[i];
    es_matrix_free(&x);
    es_matrix_free(&y);
}

/* More columns than rows on both sides, on one, and on none: what is held is rows by rows. */
TEST(similarity__more_columns_than_rows__equals_the_primal_form) {
    double x[3][WIDE_ROWS * WIDE];
    const size_t columns[] = {WIDE, 25, 7};
    es_side_rules rules = {.parts = ES_SIDE_CENTRED | ES_SIDE_FACTORS | ES_SIDE_LOADINGS};
    es_matrix m[3];
    es_side *side[3];
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < WIDE_ROWS * columns[k]; i++)
            x[k][i] = fmod(4e4 * sin((double)(13 * i + k)), 1) + (double)(i % 3);
        m[k] = (es_matrix){WIDE_ROWS, columns[k], x[k]};
        side[k] = side_of(&m[k], &rules);
        assert_int_equal(side[k]->x.d, k < 2 ? WIDE_ROWS : 7);
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            double aa, bb, ab, na, nb, nuclear;
            es_stat v;
            primal(&m[i], &m[i], &aa, &na);
            primal(&m[j], &m[j], &bb, &nb);
            primal(&m[i], &m[j], &ab, &nuclear);
            assert_ok(es_cka(side[i], side[j], false, &v, NULL));
            assert_near(v.value, ab / sqrt(aa * bb), 1e-12);
            assert_ok(es_procrustes(side[i], side[j], &v, NULL));
            /* the nuclear norm of A^T A is the squared length of A */
            assert_near(v.value, 2 - 2 * nuclear / sqrt(na * nb), 1e-10);
            assert_ok(es_linear_r2(side[i], side[j], &v, NULL));
            if (i < 2) /* as many directions as rows: all is explained */
                assert_near(v.value, 1, 1e-10);
        }
    for (size_t k = 0; k < 3; k++)
        es_side_free(side[k]);
}

/* The leading `most` singular directions of centred rows, from all of their columns at once. */
static size_t thin(const es_matrix *m, double share, double *u, double *s, double *vt) {
    size_t width = m->n < m->d ? m->n : m->d, rank = 0, kept = 0;
    double sum = 0, part = 0;
    es_matrix x = {0};
    assert_ok(es_matrix_centred(m, &x, NULL, NULL));
    assert_ok(es_svd(m->n, m->d, x.x, u, s, vt, NULL));
    es_matrix_free(&x);
    for (size_t i = 0; i < width; i++) {
        rank += s[i] > 1e-5 * s[0];
        sum += s[i] * s[i];
    }
    for (; kept < rank && part < (share - 1e-12) * sum; kept++)
        part += s[kept] * s[kept];
    return share < 1 ? kept : rank;
}

/* Canonical correlations of the first p and q directions, summed with weights that the columns of
 * the first give them, or alike. */
static double plain_cca(const es_matrix *a, const es_matrix *b, double share, bool weigh) {
    double ua[WIDE_ROWS * WIDE_ROWS], ub[WIDE_ROWS * WIDE_ROWS], sa[WIDE_ROWS], sb[WIDE_ROWS];
    double va[WIDE_ROWS * WIDE], vb[WIDE_ROWS * WIDE], c[WIDE_ROWS * WIDE_ROWS];
    double w[WIDE_ROWS * WIDE_ROWS], rho[WIDE_ROWS], right[WIDE_ROWS * WIDE_ROWS];
    size_t p = thin(a, share, ua, sa, va), q = thin(b, share, ub, sb, vb), k = p < q ? p : q;
    size_t wa = a->n < a->d ? a->n : a->d, wb = b->n < b->d ? b->n : b->d;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < q; j++) {
            c[i * q + j] = 0;
            for (size_t r = 0; r < a->n; r++)
                c[i * q + j] += ua[r * wa + i] * ub[r * wb + j];
        }
    assert_ok(es_svd(p, q, c, w, rho, right, NULL));
    double sum = 0, weights = 0;
    for (size_t l = 0; l < k; l++) {
        double weight = weigh ? 0 : 1;
        for (size_t j = 0; weigh && j < a->d; j++) {
            double h = 0;
            for (size_t i = 0; i < p; i++)
                h += w[i * k + l] * sa[i] * va[i * a->d + j];
            weight += fabs(h);
        }
        sum += weight * rho[l];
        weights += weight;
    }
    return sum / weights;
}

/* Wide rows of full rank, of which all is known, and of few directions, which coordinates keep; and
 * more rows than columns. */
TEST(similarity__cca_of_wide_rows__equals_that_of_their_columns) {
    static double x[4][WIDE_ROWS * WIDE];
    const size_t columns[] = {WIDE, 30, 25, 5}, directions[] = {WIDE, 4, 6, 5};
    es_side_rules rules = {.parts = ES_SIDE_FACTORS | ES_SIDE_LOADINGS};
    es_matrix m[4];
    es_side *side[4];
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < WIDE_ROWS; i++)
            for (size_t j = 0; j < columns[k]; j++) {
                x[k][i * columns[k] + j] = 0;
                for (size_t l = 0; l < directions[k]; l++)
                    x[k][i * columns[k] + j] += sin((double)(7 * i * (l + 1) + k)) *
                                                fmod(4e4 * sin((double)(31 * l + 5 * j + k)), 1);
            }
        m[k] = (es_matrix){WIDE_ROWS, columns[k], x[k]};
        side[k] = side_of(&m[k], &rules);
        assert_int_equal(side[k]->factors, k < 3 ? WIDE_ROWS : 5);
        assert_int_equal(side[k]->rank, k == 0 ? WIDE_ROWS - 1 : directions[k]);
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            es_cca cca;
            assert_ok(es_cca_of(side[i], side[j], CCA_ALL, &cca, NULL));
            assert_near(cca.mean.value, plain_cca(&m[i], &m[j], 1, false), 1e-9);
            assert_near(cca.svcca.value, plain_cca(&m[i], &m[j], 0.99, false), 1e-9);
            /* correlations of 1 have no directions of their own, and their weights no one value */
            if (i != j && cca.mean.value < 1)
                assert_near(cca.pwcca.value, plain_cca(&m[i], &m[j], 1, true), 1e-9);
            assert_ok(es_cca_of(side[i], side[j], ES_CCA_SVCCA, &cca, NULL));
            assert_string_equal(cca.mean.why, "not asked for");
        }
    for (size_t k = 0; k < 4; k++)
        es_side_free(side[k]);
}

/* Wide rows of full rank, of few directions, all equal, and more rows than columns: products of
 * rows, leading directions alone, and none where all are spanned, against coordinates and all
 * factors. */
TEST(similarity__cheaper_forms__equal_the_plain_ones) {
    static double x[4][WIDE_ROWS * WIDE];
    const size_t columns[] = {WIDE, WIDE_ROWS, 30, 5}, directions[] = {WIDE, WIDE_ROWS, 4, 5};
    const es_side_rules rules[] = {
        {.parts = ES_SIDE_CENTRED | ES_SIDE_FACTORS | ES_SIDE_LOADINGS},
        {.parts = ES_SIDE_GRAM | ES_SIDE_FACTORS | ES_SIDE_LOADINGS | ES_SIDE_SPAN},
        {.parts = ES_SIDE_LEADING}};
    es_matrix m[4];
    es_side *side[4][3];
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < WIDE_ROWS; i++)
            for (size_t j = 0; j < columns[k]; j++)
                for (size_t l = 0; l < directions[k]; l++)
                    x[k][i * columns[k] + j] += fmod(4e4 * sin((double)(7 * i + 5 * l + k)), 1) *
                                                fmod(4e4 * sin((double)(31 * l + 5 * j + k)), 1);
        m[k] = (es_matrix){WIDE_ROWS, columns[k], x[k]};
        for (size_t form = 0; form < 3; form++)
            side[k][form] = side_of(&m[k], &rules[form]);
        assert_int_equal(side[k][1]->gram != NULL, k < 3);
        assert_int_equal(side[k][1]->u == NULL, k < 2); /* all is spanned */
        assert_int_equal(side[k][1]->rank, side[k][0]->rank);
        assert_int_equal(side[k][2]->kept, side[k][0]->kept);
        assert_int_equal(side[k][2]->factors, k < 3 ? side[k][0]->kept : 5);
        assert_true(es_side_bytes(side[k][1]) > (k < 3 ? WIDE_ROWS * (WIDE_ROWS + 1) * 4 : 0));
    }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            es_side **a = side[i], **b = side[j];
            es_stat v, plain;
            es_cca cca, plain_cca_of;
            for (int debiased = 0; debiased < 2; debiased++) {
                assert_ok(es_cka(a[1], b[1], debiased, &v, NULL));
                assert_ok(es_cka(a[0], b[0], debiased, &plain, NULL));
                assert_near(v.value, plain.value, 1e-13);
            }
            assert_ok(es_linear_r2(a[1], b[1], &v, NULL));
            assert_ok(es_linear_r2(a[0], b[0], &plain, NULL));
            assert_near(v.value, plain.value, 1e-12);
            assert_ok(es_cca_of(a[0], b[0], CCA_ALL, &plain_cca_of, NULL));
            assert_ok(es_cca_of(a[1], b[1], ES_CCA_MEAN | ES_CCA_PWCCA, &cca, NULL));
            assert_near(cca.mean.value, plain_cca_of.mean.value, 1e-10);
            assert_near(cca.pwcca.value, plain_cca_of.pwcca.value, i == j ? 1e-3 : 1e-9);
            assert_ok(es_cca_of(a[2], b[2], ES_CCA_SVCCA, &cca, NULL));
            assert_near(cca.svcca.value, plain_cca_of.svcca.value, 1e-10);
        }
    es_stat v;
    es_cca cca;
    assert_int_equal(es_cka(side[0][2], side[1][1], true, &v, NULL), ES_EINVAL);
    assert_int_equal(es_cca_of(side[0][1], side[1][1], ES_CCA_SVCCA, &cca, NULL), ES_EINVAL);
    assert_int_equal(es_cca_of(side[0][2], side[1][2], ES_CCA_MEAN, &cca, NULL), ES_EINVAL);
    for (size_t k = 0; k < 4; k++)
        for (size_t form = 0; form < 3; form++)
            es_side_free(side[k][form]);
}

/* Columns that are a mix of `shared` and of their own, at any place and scale. */
static es_matrix mixed(size_t n, size_t d, uint64_t seed, double place, double scale) {
    es_rng shared, own;
    double common[4];
    es_matrix m = matrix_kept(n, d);
    es_rng_init(&shared, 1, 1);
    es_rng_init(&own, seed, 2);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 4; k++)
            common[k] = es_rng_normal(&shared);
        for (size_t j = 0; j < d; j++)
            m.x[i * d + j] = place + scale * ((double)(1 + seed % 3) * common[(j + seed) % 4] +
                                              es_rng_normal(&own));
    }
    return m;
}

static es_cka_side *blocks_of(const es_matrix *m, size_t keep_bytes) {
    es_cka_side *side = NULL;
    const es_rows rows = es_matrix_as_rows(m);
    assert_ok(es_cka_side_new(&rows, keep_bytes, NULL, &side, NULL));
    return side;
}

/* Single precision with sums in double, against all in double; more than one block of rows, more
 * columns than rows on neither, one and both sides. */
TEST(cka__by_blocks__equals_the_plain_twin) {
    enum { N = 700, KINDS = 6 };
    const size_t columns[KINDS] = {3, 40, 130, 699, 700, 800};
    const double place[KINDS] = {0, 1e6, -3e-30, 0, 5, 0},
                 scale[KINDS] = {1, 1, 1e-30, 1e200, 1, 1e-3};
    const es_side_rules rules = {.parts = ES_SIDE_CENTRED};
    es_matrix m[KINDS];
    es_side *plain[KINDS];
    es_cka_side *kept[KINDS], *again[KINDS];
    for (size_t k = 0; k < KINDS; k++) {
        m[k] = mixed(N, columns[k], k, place[k], scale[k]);
        kept[k] = blocks_of(&m[k], 0);
        again[k] = blocks_of(&m[k], 1);
        assert_true((es_cka_side_bytes(again[k]) < es_cka_side_bytes(kept[k])) == (columns[k] < N));
        es_cka_need need = es_cka_needs(N, columns[k], columns[k], 1);
        assert_true((double)es_cka_side_bytes(again[k]) <= need.side + 1000);
        /* squares of the largest are none in double */
        es_matrix same = mixed(N, columns[k], k, place[k], scale[k] > 1e100 ? 1 : scale[k]);
        plain[k] = side_of(&same, &rules);
    }
    for (size_t i = 0; i < KINDS; i++)
        for (size_t j = 0; j < KINDS; j++)
            for (int debiased = 0; debiased < 2; debiased++) {
                es_stat v, want, streamed;
                assert_ok(es_cka_of(kept[i], kept[j], debiased, NULL, &v, NULL));
                assert_ok(es_cka(plain[i], plain[j], debiased, &want, NULL));
                assert_near(v.value, want.value, 2e-7);
                assert_ok(es_cka_of(again[i], kept[j], debiased, NULL, &streamed, NULL));
                assert_true(memcmp(&v.value, &streamed.value, sizeof v.value) == 0);
                assert_ok(es_cka_of(kept[i], again[j], debiased, NULL, &streamed, NULL));
                assert_true(memcmp(&v.value, &streamed.value, sizeof v.value) == 0);
            }
    es_run canceled;
    es_stat v;
    es_run_init(&canceled);
    es_run_cancel(&canceled);
    assert_int_equal(es_cka_of(kept[0], kept[1], true, &canceled, &v, NULL), ES_ECANCELED);
    for (size_t k = 0; k < KINDS; k++) {
        es_side_free(plain[k]);
        es_cka_side_free(kept[k]);
        es_cka_side_free(again[k]);
    }
}

/* Unbiased HSIC (Song et al. 2012, eq. 4) of products of rows without their diagonals, which no
 * length enters: rows are taken from the first, not from the mean. */
static double unbiased(const es_matrix *a, const es_matrix *b) {
    double n = (double)a->n, both = 0, all_a = 0, all_b = 0, sums = 0;
    for (size_t i = 0; i < a->n; i++) {
        double row_a = 0, row_b = 0;
        for (size_t j = 0; j < a->n; j++) {
            double k = 0, l = 0;
            for (size_t c = 0; c < a->d && i != j; c++)
                k += (a->x[i * a->d + c] - a->x[c]) * (a->x[j * a->d + c] - a->x[c]);
            for (size_t c = 0; c < b->d && i != j; c++)
                l += (b->x[i * b->d + c] - b->x[c]) * (b->x[j * b->d + c] - b->x[c]);
            both += k * l;
            row_a += k;
            row_b += l;
        }
        all_a += row_a;
        all_b += row_b;
        sums += row_a * row_b;
    }
    return both + all_a * all_b / ((n - 1) * (n - 2)) - 2 / (n - 2) * sums;
}

/* One or several rows far longer than the rest, on one side or on both; few rows and many; more
 * columns than rows on neither, one and both sides. */
TEST(cka__of_a_few_long_rows__is_of_all_rows) {
    static const struct {
        size_t n, d[2], row[2], rows; /* long rows: from row[side] on, none from n on */
        double times;
    } kinds[] = {{200, {8, 40}, {7, 7}, 1, 1e4},    {200, {8, 40}, {7, 190}, 1, 1e4},
                 {200, {8, 40}, {7, 200}, 1, 1e4},  {200, {40, 250}, {7, 7}, 1, 1e4},
                 {200, {250, 40}, {7, 7}, 3, 1e4},  {90, {100, 100}, {3, 3}, 1, 1e4},
                 {90, {100, 100}, {3, 90}, 1, 1e4}, {90, {100, 20}, {90, 3}, 1, 1e4},
                 {700, {40, 30}, {600, 3}, 2, 300}, {8, {5, 3}, {2, 2}, 1, 1e4},
                 {8, {5, 30}, {2, 6}, 1, 1e3}};
    for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
        es_matrix m[2];
        es_cka_side *kept[2], *again[2];
        for (size_t k = 0; k < 2; k++) {
            m[k] = mixed(kinds[c].n, kinds[c].d[k], k, 0, 1);
            for (size_t i = kinds[c].row[k] * m[k].d;
                 i < (kinds[c].row[k] + kinds[c].rows) * m[k].d && i < m[k].n * m[k].d; i++)
                m[k].x[i] *= kinds[c].times;
            kept[k] = blocks_of(&m[k], 0);
            again[k] = blocks_of(&m[k], 1);
            es_cka_need need = es_cka_needs(m[k].n, m[k].d, m[1 - k].d, 0);
            assert_true((double)es_cka_side_bytes(kept[k]) <= need.side + 1000);
        }
        es_stat v, other;
        double want =
            unbiased(&m[0], &m[1]) / sqrt(unbiased(&m[0], &m[0]) * unbiased(&m[1], &m[1]));
        assert_ok(es_cka_of(kept[0], kept[1], true, NULL, &v, NULL));
        if (!(fabs(v.value - want) < 1e-6))
            fail_msg("kind %zu: %.9f, not %.9f", c, v.value, want);
        assert_ok(es_cka_of(again[0], again[1], true, NULL, &other, NULL));
        assert_true(memcmp(&v.value, &other.value, sizeof v.value) == 0);
        assert_ok(es_cka_of(kept[1], again[0], true, NULL, &other, NULL));
        assert_near(v.value, other.value, 1e-8);
        assert_ok(es_cka_of(kept[0], kept[0], true, NULL, &other, NULL));
        assert_near(other.value, 1, 1e-12);
        for (size_t k = 0; k < 2; k++) {
            es_cka_side_free(kept[k]);
            es_cka_side_free(again[k]);
        }
    }
}

TEST(cka__of_one_value__is_not_defined) {
    double x[40] = {0};
    es_matrix constant = {20, 2, x}, other = mixed(20, 2, 1, 0, 1), few = {3, 2, x};
    const es_rows rows = es_matrix_as_rows(&few);
    es_cka_side *a = blocks_of(&constant, 0), *b = blocks_of(&other, 0), *none = NULL;
    es_stat v;
    assert_ok(es_cka_of(a, b, true, NULL, &v, NULL));
    assert_string_equal(v.why, "constant");
    assert_int_equal(es_cka_side_new(&rows, 0, NULL, &none, NULL), ES_EINVAL);
    es_cka_side_free(a);
    es_cka_side_free(b);
}

TEST(row_coordinates__any_shape__keep_all_products_of_rows) {
    double a[5 * 9], copy[5 * 9], l[25], want[25];
    for (size_t d = 5; d <= 9; d += 2) {
        for (size_t i = 0; i < 5 * d; i++)
            copy[i] = a[i] = i / d == 3 ? 0 : sin((double)i); /* a row of zeros, too */
        assert_ok(es_row_coordinates(5, d, a, l, NULL));
        es_dgemm_ref(false, true, 5, 5, d, copy, copy, want);
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 5; j++) {
                double got = 0;
                for (size_t k = 0; k < 5; k++)
                    got += l[i * 5 + k] * l[j * 5 + k];
                assert_near(got, want[i * 5 + j], 1e-13);
                assert_true(j <= i || l[i * 5 + j] == 0);
            }
    }
}

/* The mean of equal values may be off by rounding; what that leaves is no direction. */
TEST(similarity__constant_rows__are_at_1_from_all) {
    enum { N = 9, D = 7 };
    double x[N * D], y[N * D];
    es_side_rules rules = {.parts = ES_SIDE_DISTANCES, .distance = ES_DISTANCE_PEARSON};
    for (size_t i = 0; i < N * D; i++) {
        x[i] = sin((double)i);
        y[i] = cos((double)(i * i));
    }
    for (size_t row = 0; row < 9; row += 2)
        for (size_t j = 0; j < D; j++)
            x[row * D + j] = 0.1 * (double)(row + 1); /* no sum of seven of them is exact */
    es_matrix m = {N, D, x}, other = {N, D, y};
    es_side *a = side_of(&m, &rules), *b = side_of(&other, &rules);
    for (size_t row = 0; row < 9; row += 2)
        for (size_t j = 0; j < D; j++)
            x[row * D + j] = 0;
    es_side *c = side_of(&m, &rules);
    es_stat constant, zero;
    assert_ok(es_rsa(a, b, &constant, NULL));
    assert_ok(es_rsa(c, b, &zero, NULL));
    assert_true(constant.value == zero.value);
    es_side_free(a);
    es_side_free(b);
    es_side_free(c);
}

/* One row far away leaves the order of all other distances as it was. */
TEST(similarity__of_one_far_row__keeps_the_order_of_the_others) {
    enum { N = 60, D = 3 };
    static double x[N * D], y[N * D];
    const es_side_rules rules = {.parts = ES_SIDE_DISTANCES};
    double near = 0;
    for (size_t i = 0; i < (size_t)N * D; i++) {
        x[i] = sin((double)(i * i));
        y[i] = x[i] + 0.1 * cos((double)i);
    }
    const es_matrix m = {N, D, x}, other = {N, D, y};
    es_side *a = side_of(&m, &rules);
    for (int far = 5; far < 9; far++) {
        y[0] = pow(10, far);
        es_side *b = side_of(&other, &rules);
        es_stat r;
        assert_ok(es_rsa(a, b, &r, NULL));
        near = far == 5 ? r.value : near;
        assert_true(near > 0.8 && fabs(r.value - near) < 1e-4);
        es_side_free(b);
    }
    es_side_free(a);
}

/* Most rows are one except rounding: what that leaves has no order. */
TEST(similarity__of_rows_equal_but_for_rounding__is_of_the_others) {
    enum { N = 80, D = 4, APART = 12 };
    static double x[N * D], y[N * D];
    const es_side_rules rules = {.parts = ES_SIDE_DISTANCES};
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = i < APART ? sin((double)(i * D + j)) : 0.3 + 0.2 * (double)j;
    for (size_t i = 0; i < N; i++) /* turned in a plane, and off by a bit */
        for (size_t j = 0; j < D; j += 2) {
            double a = x[i * D + j], b = x[i * D + j + 1];
            y[i * D + j] = (0.6 * a - 0.8 * b) * (1 + 2e-16 * (double)(i % 3));
            y[i * D + j + 1] = (0.8 * a + 0.6 * b) * (1 + 2e-16 * (double)(i % 2));
        }
    const es_matrix m = {N, D, x}, other = {N, D, y};
    es_side *a = side_of(&m, &rules), *b = side_of(&other, &rules);
    es_stat r;
    assert_ok(es_rsa(a, b, &r, NULL));
    assert_true(r.value > 0.9999);
    es_side_free(a);
    es_side_free(b);
}

/* r of a side with itself is 1 and no shuffle of 8 rows is likely to reach it; p is at least what
 * the shuffles allow, and about even for noise. */
TEST(mantel__noise__is_not_significant) {
    es_side_rules rules = {.parts = ES_SIDE_DISTANCES};
    es_side *a = side_of_file("rand30x100", &rules), *b = side_of_file("rand30x80", &rules);
    es_stat p, back, again;
    assert_ok(es_mantel(a, a, 99, 1, &p, NULL));
    assert_near(p.value, 1.0 / 101, 1e-14);
    assert_ok(es_mantel(a, b, 1000, 1, &p, NULL));
    assert_ok(es_mantel(b, a, 1000, 1, &back, NULL));
    assert_ok(es_mantel(a, b, 1000, 2, &again, NULL));
    assert_true(p.value == back.value && p.value > 0.05 && fabs(p.value - again.value) < 0.1);
    es_side_free(a);
    es_side_free(b);
}

/* Shuffled as its seed says: p is what shuffles drawn here give. Of four rows many shuffles put
 * things back where they were, and these are as far as what was found. */
static void check_mantel(size_t n, uint64_t seed) {
    enum { MOST = 12, D = 3, TIMES = 40 };
    double x[MOST * D], y[MOST * D];
    es_side_rules rules = {.parts = ES_SIDE_DISTANCES};
    es_rng rng = test_rng(3, 4);
    for (size_t i = 0; i < n * D; i++) {
        x[i] = es_rng_normal(&rng);
        y[i] = 0.4 * x[i] + es_rng_normal(&rng);
    }
    es_matrix m = {n, D, x}, other = {n, D, y};
    es_side *a = side_of(&m, &rules), *b = side_of(&other, &rules);
    double of_a[MOST][MOST], of_b[MOST][MOST], middle = ((double)(n * (n - 1) / 2) + 1) / 2;
    double found = 0;
    uint32_t order[MOST];
    size_t as_far = 0;
    for (size_t i = 0, k = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        for (size_t j = i + 1; j < n; j++, k++) {
            of_a[i][j] = of_a[j][i] = (double)a->distance_rank[k] - middle;
            of_b[i][j] = of_b[j][i] = (double)b->distance_rank[k] - middle;
            found += of_a[i][j] * of_b[i][j];
        }
    }
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_PERMUTE, n));
    for (size_t k = 0; k < TIMES / 2; k++) {
        double there = 0, back = 0;
        es_rng_shuffle(&rng, order, n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++) {
                there += of_a[i][j] * of_b[order[i]][order[j]];
                back += of_b[i][j] * of_a[order[i]][order[j]];
            }
        as_far += fabs(there) >= fabs(found); /* halves: exact */
        as_far += fabs(back) >= fabs(found);
    }
    es_stat p;
    assert_ok(es_mantel(a, b, TIMES, seed, &p, NULL));
    assert_near(p.value, (1.0 + (double)as_far) / (1 + TIMES), 1e-14);
    es_side_free(a);
    es_side_free(b);
}

TEST(mantel__shuffles__are_those_of_its_seed) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check_mantel(4, seed);
        check_mantel(12, seed);
    }
}

TEST(similarity__undefined__says_why) {
    es_side_rules rules = {.parts = ES_SIDE_CENTRED | ES_SIDE_FACTORS | ES_SIDE_LOADINGS |
                                    ES_SIDE_DISTANCES};
    double one[] = {2, 2, 2, 2, 2}, two[] = {1, 5, 2, 4, 3};
    es_matrix flat = {5, 1, one}, line = {5, 1, two}, few = {3, 1, two}, four = {4, 1, two};
    es_side *a = side_of(&flat, &rules), *b = side_of(&line, &rules), *c = side_of(&four, &rules);
    es_side *none = NULL;
    es_stat v;
    es_cca cca;
    es_overlap o;
    assert_ok(es_cka(a, b, true, &v, NULL));
    assert_string_equal(v.why, "constant");
    assert_ok(es_procrustes(b, a, &v, NULL));
    assert_string_equal(v.why, "constant");
    assert_ok(es_linear_r2(a, b, &v, NULL));
    assert_string_equal(v.why, "constant");
    assert_ok(es_cca_of(a, b, CCA_ALL, &cca, NULL));
    assert_string_equal(cca.svcca.why, "constant");
    assert_ok(es_rsa(a, b, &v, NULL));
    assert_string_equal(v.why, "constant");
    assert_ok(es_mantel(a, b, 9, 1, &v, NULL));
    assert_string_equal(v.why, "constant");
    assert_int_equal(es_rsa(b, c, &v, NULL), ES_EINVAL);
    assert_int_equal(es_linear_r2(b, c, &v, NULL), ES_EINVAL);
    assert_int_equal(es_linear_r2(a, c, &v, NULL), ES_EINVAL); /* and not that one is constant */
    assert_ok(es_rsa(b, b, &v, NULL));
    assert_near(v.value, 1, 1e-14);
    assert_int_equal(es_neighbour_overlap(a, b, NULL, &o, NULL), ES_EINVAL);
    assert_int_equal(es_side_new(&few, &rules, NULL, &none, NULL), ES_EINVAL);
    rules.parts = ES_SIDE_NEIGHBOURS;
    assert_int_equal(es_side_new(&line, &rules, NULL, &none, NULL), ES_EINVAL);
    es_side_free(a);
    es_side_free(b);
    es_side_free(c);
}

TEST(similarity__out_of_memory__is_reported) {
    double x[48], wide[48];
    for (int i = 0; i < 48; i++)
        x[i] = wide[i] = sin(i);
    es_matrix m = {24, 2, x}, flat = {4, 12, wide};
    es_side_rules rules = {.parts = ALL},
                  products = {.parts = ES_SIDE_GRAM | ES_SIDE_SPAN | ES_SIDE_FACTORS};
    bool met = true;
    for (long after = 0; met; after++) {
        es_side *side = NULL, *reduced = NULL;
        es_stat v;
        es_cca cca;
        refuse_one(after);
        es_status st = es_side_new(&flat, &products, NULL, &reduced, NULL);
        if (st == ES_OK)
            st = es_cca_of(reduced, reduced, ES_CCA_MEAN, &cca, NULL);
        if (st == ES_OK)
            st = es_cka(reduced, reduced, true, &v, NULL);
        if (st == ES_OK)
            st = es_side_new(&m, &rules, NULL, &side, NULL);
        if (st == ES_OK)
            st = es_cka(side, side, true, &v, NULL);
        if (st == ES_OK)
            st = es_procrustes(side, side, &v, NULL);
        if (st == ES_OK)
            st = es_cca_of(side, side, CCA_ALL, &cca, NULL);
        if (st == ES_OK)
            st = es_mantel(side, side, 2, 1, &v, NULL);
        met = refuse_end();
        if (st != ES_OK && (st != ES_ENOMEM || !met))
            fail_msg("allocation %ld: %d", after, (int)st);
        es_side_free(side);
        es_side_free(reduced);
    }
}
