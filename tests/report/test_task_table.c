/* Every score against every task: values of SciPy (tests/reference/tables/make.py), and the spread
 * over runs. */
#include "testing.h"
#include "report_answer.h"
#include "report.h"

enum { N = 24, K = 4, COLUMNS = 7 };

static es_scores tasks;
static double column[K * N];
static char *names[N];
static char label[N][4];
static char *titles[K] = {"a", "b", "c", "d"};

static const char *path_of(const char *name, char out[512]) {
    (void)snprintf(out, 512, "%s/reference/tables/%s", ES_TEST_DATA, name);
    return out;
}

static int read_all(void **state) {
    char path[512];
    assert_ok(es_scores_read(path_of("scores.csv", path), 0, NULL, &tasks, NULL));
    assert_ok(es_scores_describe(&tasks, path_of("tasks.csv", path), NULL));
    FILE *file = fopen(path_of("measures.csv", path), "r");
    assert_non_null(file);
    for (size_t i = 0; i < (size_t)K * N; i++)
        assert_int_equal(fscanf(file, "%lf%*c", &column[i]), 1);
    fclose(file);
    for (size_t i = 0; i < N; i++) {
        (void)snprintf(label[i], sizeof label[i], "m%02u", (unsigned)(N - 1 - i) % 100);
        names[i] = label[i];
    }
    /* Embedders stand in another order than in the scores. */
    for (size_t k = 0; k < K; k++)
        for (size_t i = 0; i < N / 2; i++) {
            double kept = column[k * N + i];
            column[k * N + i] = column[k * N + N - 1 - i];
            column[k * N + N - 1 - i] = kept;
        }
    return 0;
}

static int drop_all(void **state) {
    es_scores_deinit(&tasks);
    return 0;
}

TEST_GROUP(read_all, drop_all);

TEST(task_table__values__are_those_of_scipy) {
    char path[512], line[512];
    es_results results = {.m = N, .name = names};
    bool counts[N];
    for (size_t i = 0; i < N; i++)
        counts[i] = true;
    es_agree_scores s = {.name = titles, .column = column, .k = K, .n = N, .counts = counts};
    es_task_table *table = NULL;
    size_t seen = 0;
    assert_ok(es_task_table_new(&s, &results, &tasks, 3, &table, NULL));
    assert_int_equal(table->columns, COLUMNS);
    FILE *file = fopen(path_of("expected.csv", path), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        unsigned k, c, n;
        double value[ES_CORRELATIONS];
        if (sscanf(line, "%u,%u,%u,%lf,%lf,%lf,%lf", &k, &c, &n, &value[ES_PEARSON],
                   &value[ES_SPEARMAN], &value[ES_KENDALL], &value[ES_WEIGHTED_TAU]) != 7)
            continue;
        const es_correlation_report *r = &table->report[k * COLUMNS + c];
        assert_int_equal(r->n, n);
        for (size_t kind = 0; kind < ES_CORRELATIONS; kind++) {
            /* a weighted mean rank has nine decimals */
            assert_true(fabs(r->value[kind].value - value[kind]) < (c == 5 ? 1e-9 : 1e-12));
            assert_true(r->low[kind] <= r->value[kind].value + 1e-12 &&
                        r->value[kind].value <= r->high[kind] + 1e-12);
        }
        seen++;
    }
    fclose(file);
    assert_int_equal(seen, K * COLUMNS);
    assert_string_equal(es_task_column_name(&tasks, 5), "mean rank");
    assert_string_equal(es_task_column_name(&tasks, 6), "mean");
    es_task_table_free(table);
}

TEST(task_table__runs__give_a_spread) {
    double other[2 * N], mean, sd;
    char *reversed[2] = {"d", "a"};
    es_results results = {.m = N, .name = names};
    bool counts[N];
    for (size_t i = 0; i < N; i++)
        counts[i] = true;
    es_agree_scores s = {.name = titles, .column = column, .k = K, .n = N, .counts = counts};
    es_agree_scores next = {.name = reversed, .column = other, .k = 2, .n = N};
    es_task_table *table = NULL;
    for (size_t i = 0; i < N; i++) {
        other[i] = -column[3 * N + i];
        other[N + i] = -column[i];
    }
    assert_ok(es_task_table_new(&s, &results, &tasks, 3, &table, NULL));
    es_task_table_spread(table, 0, 0, ES_SPEARMAN, &mean, &sd);
    assert_true(isnan(mean) && isnan(sd)); /* one run has none */
    assert_ok(es_task_table_add_run(table, &s, &next, NULL));
    double rho = table->report[0].value[ES_SPEARMAN].value;
    es_task_table_spread(table, 0, 0, ES_SPEARMAN, &mean, &sd);
    assert_true(fabs(mean) < 1e-12); /* rho and its opposite */
    assert_true(fabs(sd - fabs(rho) * sqrt(2)) < 1e-12);
    es_task_table_spread(table, 1, 0, ES_SPEARMAN, &mean, &sd);
    assert_true(isnan(sd)); /* "b" was not in the other run */
    es_task_table_free(table);
}
