/* Agreement of measures: against values by hand, with what is missing, under faults. */
#include "testing.h"
#include "core_downstream.h"

enum { N = 12, K = 4 };

static double columns[K * N], downstream[N];
static const es_correlate_options options = {.draws = 300, .permutations = 99, .seed = 3};

static int make_columns(void **state) {
    for (int i = 0; i < N; i++) {
        downstream[i] = i;
        columns[i] = 5 * ((7 * i) % N);               /* first: another order */
        columns[N + i] = exp(i);                      /* the same order */
        columns[2 * N + i] = -i;                      /* the reverse */
        columns[3 * N + i] = i % 2 ? (double)NAN : i; /* half of it missing */
    }
    return 0;
}

TEST_GROUP(make_columns, NULL);

static es_agreement *agree(const double *scores) {
    es_agreement *a = NULL;
    assert_ok(es_agreement_new(columns, K, scores, N, &options, NULL, &a, test_err()));
    return a;
}

TEST(agree__orders__have_their_tau) {
    es_agreement *a = agree(downstream);
    const es_agreement_cell *same = &a->cell[1 * K + 1], *reverse = &a->cell[1 * K + 2];
    assert_true(fabs(same->tau.value - 1) < 1e-12 && fabs(same->low - 1) < 1e-12);
    assert_true(fabs(reverse->tau.value + 1) < 1e-12 && fabs(reverse->high + 1) < 1e-12);
    assert_true(a->cell[2 * K + 1].tau.value == reverse->tau.value);
    double sum = 0; /* tau of the first column by counting pairs */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            sum += columns[i] > columns[j] ? 1 : -1;
    assert_true(fabs(a->cell[0 * K + 1].tau.value - sum / (N * (N - 1) / 2.0)) < 1e-12);
    assert_true(a->cell[1].low < a->cell[1].tau.value && a->cell[1].tau.value < a->cell[1].high);
    assert_int_equal(a->rank[1 * N + N - 1], 1);
    assert_int_equal(a->rank[2 * N + N - 1], N);
    assert_int_equal(a->rank[3 * N + 1], 0);
    es_agreement_free(a);
}

TEST(agree__downstream__says_who_predicts_better) {
    es_agreement *a = agree(downstream);
    assert_true(fabs(a->against[1].value[ES_SPEARMAN].value - 1) < 1e-12);
    double gain = 1 - a->against[0].value[ES_SPEARMAN].value;
    assert_true(fabs(a->ahead[1].tau.value - gain) < 1e-12);
    assert_true(a->ahead[1].low > 0 && a->ahead[1].low <= gain && gain <= a->ahead[1].high);
    assert_true(a->ahead[0].tau.value == 0 && a->ahead[0].low == 0 && a->ahead[0].high == 0);
    assert_true(a->ahead[2].high < 0);
    es_agreement_free(a);
}

/* Where the first column says nothing, the others are not ahead of it by any number. */
TEST(agree__a_constant_first__has_none_ahead) {
    double flat[2 * N];
    for (int i = 0; i < N; i++) {
        flat[i] = 1;
        flat[N + i] = i;
    }
    es_agreement *a = NULL;
    assert_ok(es_agreement_new(flat, 2, downstream, N, &options, NULL, &a, NULL));
    assert_non_null(a->against[0].value[ES_SPEARMAN].why);
    assert_null(a->against[1].value[ES_SPEARMAN].why);
    assert_non_null(a->ahead[1].tau.why);
    es_agreement_free(a);
}

/* The last column has half of the twelve. */
TEST(agree__few__have_no_interval) {
    es_agreement *a = agree(downstream);
    assert_true(a->against[3].n < ES_CORRELATE_ENOUGH && a->against[0].n >= ES_CORRELATE_ENOUGH);
    assert_true(isfinite(a->cell[3].tau.value) && isnan(a->cell[3].low) && isnan(a->cell[3].high));
    assert_true(isnan(a->against[3].low[ES_SPEARMAN]) && isnan(a->ahead[3].low));
    assert_true(isfinite(a->cell[1].low) && isfinite(a->against[0].low[ES_SPEARMAN]));
    es_agreement_free(a);
}

TEST(agree__missing__takes_no_part) {
    es_agreement *a = agree(NULL);
    assert_null(a->against);
    assert_null(a->ahead);
    assert_int_equal(a->cell[3 * K + 1].n, N / 2);
    assert_true(fabs(a->cell[3 * K + 1].tau.value - 1) < 1e-12);
    es_agreement_free(a);
    double few[2 * 2] = {1, 2, 2, 1};
    assert_ok(es_agreement_new(few, 2, NULL, 2, &options, NULL, &a, NULL));
    assert_non_null(a->cell[1].tau.why);
    assert_true(isnan(a->cell[1].low));
    es_agreement_free(a);
}

TEST(agree__faults__are_reported) {
    es_run canceled;
    es_agreement *a = NULL;
    es_run_init(&canceled);
    es_run_cancel(&canceled);
    assert_int_equal(es_agreement_new(columns, K, NULL, N, &options, &canceled, &a, NULL),
                     ES_ECANCELED);
    const es_correlate_options few = {.draws = 3, .permutations = 3};
    es_status st = ES_ENOMEM;
    for (long after = 0; st != ES_OK; after++) {
        es_alloc_fail_after(after);
        st = es_agreement_new(columns, K, downstream, N, &few, NULL, &a, NULL);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
    }
    es_agreement_free(a);
}
