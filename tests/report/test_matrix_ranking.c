/* A ranking of a matrix from files, with and without blocks of rows, families and missing values,
 * against an independent NumPy implementation (tests/reference/ranking/matrix.py): kinds, leads,
 * differences, errors, sets and ranks. */
#include "report_answer.h"

#include "support.h"

enum { MOST = 12, BLOCKS = 32, BLOCKS_MOST = 128 };

/* ---- Reference numbers ---- */

static FILE *open_reference(const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/reference/ranking/%s", ES_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    return file;
}

/* value (MOST * MOST): the array of a name. Returns the number of its values; 0: there is none. */
static size_t reference(const char *tag, const char *name, double *value) {
    char wanted[64], word[64];
    size_t n = 0;
    FILE *file = open_reference("matrix.txt");
    (void)snprintf(wanted, sizeof wanted, "%s_%s", tag, name);
    while (fscanf(file, "%63s %zu", word, &n) == 2) {
        assert_true(n <= (size_t)MOST * MOST);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(fscanf(file, "%lf", &value[i]), 1);
        if (strcmp(word, wanted) == 0)
            break;
        n = 0;
    }
    (void)fclose(file);
    return n;
}

/* ---- Files ---- */

typedef struct one_case {
    const char *tag;    /* of the reference */
    const char *blocks; /* of the case whose rows are known; NULL: none are */
    size_t merged;      /* blocks that make one block of the file: 32 blocks are not dealt anew */
    bool families;
} one_case;

/* Values of the reference that are not known are -1, and no other is. */
static size_t write_matrix(const char *root, const one_case *c) {
    double is[MOST * MOST], family[MOST * MOST];
    size_t m = (size_t)sqrt((double)reference(c->tag, "is", is));
    assert_int_equal(reference(c->tag, "family", family), m);
    FILE *file = fopen(support_in(root, "m.csv"), "w");
    assert_non_null(file);
    for (size_t i = 0; i < m; i++)
        (void)fprintf(file, ",e%02zu", i);
    for (size_t i = 0; i < m; i++) {
        (void)fprintf(file, "\ne%02zu", i);
        for (size_t j = 0; j < m; j++)
            (void)(is[i * m + j] == -1 ? fprintf(file, ",")
                                       : fprintf(file, ",%.17g", is[i * m + j]));
    }
    (void)fclose(file);
    file = fopen(support_in(root, "f.csv"), "w");
    assert_non_null(file);
    (void)fputs("model,family\n", file);
    for (size_t i = 0; i < m; i++)
        (void)fprintf(file, "e%02zu,f%zu\n", i, (size_t)family[i]);
    (void)fclose(file);
    return m;
}

/* The reference has (m * m, blocks); here it becomes (m, m, blocks). */
static void write_blocks(const char *root, const one_case *c, size_t m, size_t blocks) {
    static double value[MOST * MOST * BLOCKS_MOST];
    size_t count = m * m * blocks;
    char name[64], path[SUPPORT_PATH], header[119];
    (void)snprintf(name, sizeof name, "%s_hands.npy", c->blocks);
    FILE *file = open_reference(name);
    assert_int_equal(fseek(file, -(long)(count * c->merged * sizeof *value), SEEK_END), 0);
    assert_int_equal(fread(value, sizeof *value, count * c->merged, file), count * c->merged);
    (void)fclose(file);
    for (size_t k = 0; k < count; k++) {
        double sum = 0;
        for (size_t h = 0; h < c->merged; h++)
            sum += value[k * c->merged + h];
        value[k] = k / blocks / m == k / blocks % m ? 1 : sum / (double)c->merged;
    }
    int n = snprintf(header, sizeof header,
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu, %zu), }", m, m,
                     blocks);
    memset(header + n, ' ', sizeof header - (size_t)n);
    file = fopen(support_path(path, root, "h.npy"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file), 10);
    assert_int_equal(fwrite(header, 1, sizeof header - 1, file), sizeof header - 1);
    assert_int_equal(fwrite(value, sizeof *value, count, file), count);
    (void)fclose(file);
}

/* A session over files of a folder, and its ranking. */
typedef struct ranked {
    char root[SUPPORT_PATH];
    es_session *session;
    es_rank_report *report;
} ranked;

static void open_ranked(ranked *x, bool blocks, bool families) {
    char path[3][SUPPORT_PATH];
    const es_matrix_files files = {
        .matrix = support_path(path[0], x->root, "m.csv"),
        .blocks = blocks ? support_path(path[1], x->root, "h.npy") : NULL,
        .families = families ? support_path(path[2], x->root, "f.csv") : NULL};
    const es_rank_choices how = {.with_intervals = true};
    if (es_session_open_matrix(&files, &x->session, test_err()) != ES_OK ||
        es_rank_report_of(x->session, &how, &x->report, test_err()) != ES_OK)
        fail_msg("%s", test_message());
}

static void close_ranked(ranked *x) {
    es_rank_report_free(x->report);
    es_session_close(x->session);
    *x = (ranked){0};
}

/* ---- Against the reference ---- */

static void require_near(double got, double expected, double tolerance, const char *tag,
                         const char *what, size_t at) {
    if (expected == -1 ? isfinite(got) != 0 : !(fabs(got - expected) <= tolerance))
        fail_msg("%s: %s %zu is %.12g, not %.12g", tag, what, at, got, expected);
}

/* Kinds of the targets that es_decision_compares names, whose values are known. */
static size_t kinds_comparing(const es_results *r, const es_decision *d, size_t a, size_t b) {
    bool seen[MOST] = {false};
    size_t count = 0;
    for (size_t t = 0; t < d->m; t++)
        if (es_decision_compares(d, a, b, t) && isfinite(r->is[a * d->m + t]) &&
            isfinite(r->is[b * d->m + t]) && !seen[d->kind[t]]) {
            seen[d->kind[t]] = true;
            count++;
        }
    return count;
}

static void require_leads(const char *tag, const es_results *r, const es_decision *d) {
    double lead[MOST * MOST], kind[MOST * MOST], delta[MOST * MOST], comparing[MOST * MOST];
    size_t m = d->m;
    assert_int_equal(d->scored, m);
    assert_int_equal(reference(tag, "lead", lead), m);
    assert_int_equal(reference(tag, "kind", kind), m);
    assert_int_equal(reference(tag, "delta", delta), m * m);
    assert_int_equal(reference(tag, "comparing", comparing), m * m);
    for (size_t i = 0; i < m; i++) {
        require_near(d->ranking->score[i], lead[i], 1e-9, tag, "lead", i);
        assert_int_equal(d->kind[i], (uint32_t)kind[i]);
        assert_int_equal(d->first[i], i);
    }
    for (size_t cell = 0; cell < m * m; cell++) {
        if (cell / m == cell % m)
            continue;
        require_near(d->delta[cell], delta[cell], 1e-9, tag, "delta", cell);
        assert_int_equal(d->comparing[cell], (uint32_t)comparing[cell]);
        assert_int_equal(d->comparing[cell], kinds_comparing(r, d, cell / m, cell % m));
    }
}

/* Random draws: an embedder at the edge of the set may be in it or not, ranks by one place. */
static void require_ranks(const char *tag, const es_decision *d) {
    double se[MOST * MOST], best[MOST * MOST], low[MOST * MOST], high[MOST * MOST], nu[MOST * MOST];
    size_t m = d->m, differ = 0;
    assert_int_equal(d->said, reference(tag, "se", se) > 0);
    if (!d->said)
        return;
    assert_int_equal(reference(tag, "nu", nu), 1);
    assert_int_equal(reference(tag, "best", best), m);
    assert_int_equal(reference(tag, "low", low), m);
    assert_int_equal(reference(tag, "high", high), m);
    assert_true(fabs(d->nu - *nu) < 1e-12);
    for (size_t cell = 0; cell < m * m; cell++)
        if (cell / m != cell % m)
            require_near(es_decision_error(d, cell / m, cell % m), se[cell], 1e-6, tag, "error",
                         cell);
    for (size_t i = 0; i < m; i++) {
        differ += d->best[i] != (best[i] != 0);
        require_near(d->rank_high[i], high[i], 1, tag, "high", i);
        if (d->best[i] == (best[i] != 0))
            require_near(d->rank_low[i], low[i], 1, tag, "low", i);
    }
    assert_true(differ <= 1);
}

TEST(matrix__of_files__decides_as_the_reference) {
    static const one_case cases[] = {{"clear", "clear", 2, true},
                                     {"clear-plain", NULL, 1, false},
                                     {"close", "close", 2, true},
                                     {"close-plain", NULL, 1, false},
                                     {"square12", "square12", 4, true},
                                     {"square12-plain", NULL, 1, false},
                                     {"unbalanced", "unbalanced", 1, true},
                                     {"unbalanced-plain", NULL, 1, false},
                                     {"gaps", "square12", 4, true},
                                     {"four", NULL, 1, false},
                                     {"four", NULL, 1, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const one_case *c = &cases[k];
        ranked x = {0};
        support_temp_dir(x.root);
        size_t m = write_matrix(x.root, c);
        if (c->blocks)
            write_blocks(x.root, c, m, BLOCKS);
        open_ranked(&x, c->blocks != NULL, c->families);
        assert_int_equal(x.report->score, ES_SCORE_PREDICTIVE);
        assert_int_equal(x.report->decision->blocks, c->blocks ? BLOCKS : 0);
        require_leads(c->tag, x.report->results, x.report->decision);
        require_ranks(c->tag, x.report->decision);
        close_ranked(&x);
    }
}

/* More blocks than blocks are dealt into blocks at random: leads are the same, and errors nearly.
 */
TEST(matrix__many_blocks__are_dealt_into_blocks) {
    const one_case whole = {"square12", "square12", 1, true};
    ranked x = {0};
    double se[MOST * MOST], sum = 0;
    support_temp_dir(x.root);
    size_t m = write_matrix(x.root, &whole);
    write_blocks(x.root, &whole, m, BLOCKS_MOST);
    open_ranked(&x, true, true);
    assert_int_equal(x.report->decision->blocks, BLOCKS);
    require_leads("square12", x.report->results, x.report->decision);
    assert_int_equal(reference("square12", "se", se), m * m);
    for (size_t cell = 0; cell < m * m; cell++)
        if (cell / m != cell % m)
            sum += es_decision_error(x.report->decision, cell / m, cell % m) / se[cell];
    assert_true(fabs(sum / (double)(m * (m - 1)) - 1) < 0.1);
    close_ranked(&x);
}

TEST(matrix__two_embedders__are_not_ranked) {
    ranked x = {0};
    support_temp_dir(x.root);
    support_write_text(x.root, "m.csv", ",a,b\na,1,0.5\nb,0.4,1\n");
    open_ranked(&x, false, false);
    assert_int_equal(x.report->decision->scored, 0);
    assert_false(x.report->decision->said);
    assert_int_equal(x.report->ranking->rank[0], 0);
    close_ranked(&x);
}

/* Controls of families.csv neither rank nor judge: the rest is as without them. */
TEST(matrix__control__changes_nothing) {
    const one_case clear = {"clear-plain", NULL, 1, false};
    double is[MOST * MOST], lead[MOST * MOST];
    ranked x = {0};
    support_temp_dir(x.root);
    size_t m = write_matrix(x.root, &clear);
    assert_int_equal(reference("clear-plain", "is", is), m * m);
    assert_int_equal(reference("clear-plain", "lead", lead), m);
    FILE *file = fopen(support_in(x.root, "m.csv"), "w");
    assert_non_null(file);
    for (size_t i = 0; i <= m; i++)
        (void)fprintf(file, i < m ? ",e%02zu" : ",noise", i);
    for (size_t i = 0; i <= m; i++) {
        (void)fprintf(file, i < m ? "\ne%02zu" : "\nnoise", i);
        for (size_t j = 0; j <= m; j++)
            (void)fprintf(file, ",%.17g", i < m && j < m ? is[i * m + j] : 0.2);
    }
    (void)fclose(file);
    support_write_text(x.root, "f.csv", "model,family\nnoise,control\n");
    open_ranked(&x, false, true);
    const es_decision *d = x.report->decision;
    size_t noise = es_rank_report_find(x.report, "noise");
    assert_int_equal(d->standing[noise], ES_STANDING_CONTROL);
    assert_int_equal(d->ranking->rank[noise], 0);
    assert_int_equal(d->scored, m);
    for (size_t i = 0; i < m; i++)
        require_near(d->ranking->score[i], lead[i], 1e-9, "clear with a control", "lead", i);
    close_ranked(&x);
}
