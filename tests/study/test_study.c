/* A pool by words, in memory and in a folder: documents are those of the program, to the byte. */
#include "support.h"

#include <locale.h>

#include <cblas.h>

#include "embedscope/study.h"
#include "embedscope/version.h"
#include "io.h"

enum { ROWS = 300, DIM = 6, MODELS = 3 };

static float sum[ROWS][DIM], half[ROWS][DIM / 2], noise[ROWS][DIM];

/* Numbers in [-1, 1) by a linear congruential generator. */
static float draw(void) {
    static unsigned long state = 1;
    state = (state * 1103515245UL + 12345UL) & 0x7fffffffUL;
    return (float)state / 1073741824.0F - 1.0F;
}

static int fill(void **state) {
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < DIM; j++) {
            sum[i][j] = draw() + (j > 0 ? sum[i][j - 1] : 0.0F);
            noise[i][j] = draw();
            if (j < DIM / 2)
                half[i][j] = sum[i][j] + 0.1F * draw();
        }
    return 0;
}

TEST_GROUP(fill, NULL);

static const es_array_view arrays[MODELS] = {
    {"sum", NULL, sum, ROWS, DIM, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS},
    {"half", NULL, half, ROWS, DIM / 2, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS},
    {"noise", NULL, noise, ROWS, DIM, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS},
};
static const char *const linear[] = {"--estimator", "linear", "--threads", "2"};

static es_study_options in_memory(void) {
    return (es_study_options){.size = sizeof(es_study_options),
                              .arrays = arrays,
                              .n_arrays = MODELS,
                              .words = linear,
                              .n_words = 4};
}

static es_study *opened(const es_study_options *options) {
    es_study *study = NULL;
    es_status st = es_study_open(options, &study, test_err());
    if (st != ES_OK)
        fail_msg("%s", test_message());
    return study;
}

/* words end with NULL; the text is the study's. */
static const char *document(es_study *study, const char *const *words) {
    const char *text = NULL;
    size_t length = 0, n = 0;
    while (words[n])
        n++;
    assert_ok(es_study_document(study, words, n, &text, &length, test_err()));
    assert_int_equal(strlen(text), length);
    return text;
}

static const char *const rank_csv[] = {"rank", "--csv", NULL};
static const char *const matrix_csv[] = {"matrix", "--csv", NULL};

TEST(study__arrays__give_the_documents_of_a_folder) {
    char folder[SUPPORT_PATH], path[SUPPORT_PATH + 64];
    support_temp_dir(folder);
    for (size_t i = 0; i < MODELS; i++) {
        double values[ROWS * DIM];
        for (size_t k = 0; k < ROWS * arrays[i].dim; k++)
            values[k] = (double)((const float *)arrays[i].data)[k];
        snprintf(path, sizeof path, "%s/%s.npy", folder, arrays[i].name);
        assert_ok(es_npy_write(path, values, ROWS, arrays[i].dim, 0600, NULL));
    }
    es_study_options options = in_memory();
    es_study *memory = opened(&options);
    options.arrays = NULL;
    options.n_arrays = 0;
    options.pool = folder;
    es_study *stored = opened(&options);
    assert_string_equal(document(memory, rank_csv), document(stored, rank_csv));
    assert_string_equal(document(memory, matrix_csv), document(stored, matrix_csv));
    assert_contains(document(memory, rank_csv), "\n1,sum,");
    es_study_close(memory);
    es_study_close(stored);
}

TEST(study__results__are_there_as_numbers) {
    const es_study_options options = in_memory();
    es_study *study = opened(&options);
    es_session *session = es_study_session(study);
    const es_results *r = es_session_results(session, es_session_best(session));
    assert_int_equal(es_results_count(r), MODELS);
    assert_int_equal(es_results_done(r), MODELS * MODELS);
    assert_string_equal(es_results_name(r, 2), "sum");
    es_study_close(study);
}

static int stop_at_once(void *context, const es_progress *progress) {
    assert_true(progress->done <= progress->total || progress->total == 0);
    ++*(int *)context;
    return 1;
}

TEST(study__told__stops) {
    static const char *const all[] = {"--set", "epochs=2000", "--estimator", "knife"};
    int calls = 0;
    es_study *study = NULL;
    es_study_options options = in_memory();
    options.words = all;
    options.told = stop_at_once;
    options.context = &calls;
    assert_int_equal(es_study_open(&options, &study, test_err()), ES_ECANCELED);
    assert_null(study);
    assert_int_equal(calls, 1);
}

static void refuses(const es_study_options *options, es_status expected, const char *says) {
    es_study *study = NULL;
    assert_int_equal(es_study_open(options, &study, test_err()), expected);
    assert_null(study);
    if (!strstr(test_message(), says))
        fail_msg("%s", test_message());
}

TEST(study__open__refuses_what_it_does_not_know) {
    static const char *const unknown[] = {"--estimater", "linear"};
    static const char *const output[] = {"-o", "file"};
    static const char *const word[] = {"another"};
    static const char *const printed[][2] = {
        {"--dry-run", "-q"}, {"--nodes", "3"}, {"--json", "-q"}, {"--format", "csv"}};
    es_study_options options = in_memory();
    options.size--;
    refuses(&options, ES_EINVAL, "es_study_options");
    options = (es_study_options){.size = sizeof options};
    refuses(&options, ES_EINVAL, "neither a folder nor arrays");
    options = in_memory();
    options.words = unknown;
    options.n_words = 2;
    refuses(&options, ES_EINVAL, "did you mean --estimator?");
    options.words = output;
    refuses(&options, ES_EINVAL, "-o");
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        options.words = printed[i];
        refuses(&options, ES_EINVAL, "for the command line");
    }
    options.words = word;
    options.n_words = 1;
    refuses(&options, ES_EINVAL, "another");
    options = in_memory();
    options.n_arrays = 1;
    refuses(&options, ES_EEMPTY, "there is one embedder, two are needed"); /* none is left out */
}

TEST(study__excluded__are_named) {
    float broken[ROWS] = {0};
    es_array_view some[MODELS] = {arrays[0], arrays[1], arrays[2]};
    broken[7] = NAN;
    some[2] =
        (es_array_view){"broken", NULL, broken, ROWS, 1, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS};
    es_study_options options = in_memory();
    options.arrays = some;
    es_study *study = opened(&options);
    assert_contains(es_study_notes(study), "broken is left out: ");
    es_study_close(study);
    options.n_arrays = 2;
    some[1] = some[2];
    refuses(&options, ES_EEMPTY, "broken is left out: ");
}

TEST(study__document__refuses_words) {
    static const char *const wrong[][2] = {
        {"doctor", "--json"}, {"rank", "--explian"}, {"rank", "-o=x"}};
    const es_study_options options = in_memory();
    es_study *study = opened(&options);
    const char *text = NULL;
    size_t length = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(es_study_document(study, wrong[i], 2, &text, &length, test_err()),
                         ES_EINVAL);
        assert_true(test_message()[0] != '\0');
        assert_null(text);
    }
    assert_int_equal(es_study_document(study, NULL, 0, &text, &length, NULL), ES_EINVAL);
    es_study_close(study);
}

/* What is estimated cannot be chosen anew by a document; the same words again change nothing. */
TEST(study__document__is_of_what_was_estimated) {
    static const char *const others[][2] = {
        {"matrix", "--models=a"},     {"rank", "--seed=5"},         {"rank", "--estimator=knife"},
        {"tree", "--rows=20"},        {"matrix", "--set=lambda=9"}, {"rank", "--preset=default"},
        {"correlate", "--drop-rows"}, {"matrix", "--exclude=a"}};
    const es_study_options options = in_memory();
    es_study *study = opened(&options);
    const char *text = NULL;
    size_t length = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_error(es_study_document(study, others[i], 2, &text, &length, test_err()), ES_EINVAL,
                     "that were estimated; say it there");
        assert_memory_equal(test_message(), others[i][1], strcspn(others[i][1], "="));
    }
    char *before = strdup(document(study, rank_csv));
    static const char *const again[] = {"rank", "--csv", "--estimator", "linear", NULL};
    assert_string_equal(document(study, again), before);
    free(before);
    static const char *const pair[] = {"export",   "compare", "--models", "sum,half",
                                       "--format", "csv",     NULL};
    assert_contains(document(study, pair), "half");
    es_study_close(study);
}

TEST(study__surroundings__are_as_they_were) {
    const es_study_options options = in_memory();
    openblas_set_num_threads(2);
    (void)setlocale(LC_NUMERIC, "de_DE.UTF-8"); /* where it is installed */
    char *before = strdup(setlocale(LC_ALL, NULL));
    es_study *study = opened(&options);
    assert_lacks(document(study, rank_csv), "\""); /* a comma in a number would be quoted */
    assert_int_equal(openblas_get_num_threads(), 2);
    assert_string_equal(setlocale(LC_ALL, NULL), before);
    es_study_close(study);
    free(before);
    (void)setlocale(LC_ALL, "C");
    openblas_set_num_threads(1);
}

TEST(study__struct_sizes__are_told) {
    assert_int_equal(es_struct_size("es_array_view"), sizeof(es_array_view));
    assert_int_equal(es_struct_size("es_error"), sizeof(es_error));
    assert_int_equal(es_struct_size("es_progress"), sizeof(es_progress));
    assert_int_equal(es_struct_size("es_study_options"), sizeof(es_study_options));
    assert_int_equal(es_struct_size("es_pool"), 0);
    assert_int_equal(es_struct_size(NULL), 0);
    assert_int_equal(es_version_number(), ES_VERSION_NUMBER);
}
