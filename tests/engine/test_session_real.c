/* A session with the real estimators: what test_session.c shows with a made-up one must also hold
 * for networks, threads that share prepared states, and stored values. */
#include "support.h"

#include <poll.h>
#include <sys/resource.h>

#include "sanitized.h"
#include "engine_session_parts.h"
#include "keeping.h"

static void pump(es_session *s, int milliseconds) {
    struct pollfd p = {es_session_fd(s), POLLIN, 0};
    poll(&p, 1, milliseconds);
    es_session_pump(s, 0);
}

/* Until the phase is neither checking nor running; at most ten minutes, for sanitizers. */
static es_phase settle(es_session *s) {
    double until = es_clock_now() + 600;
    es_phase phase;
    while ((phase = es_session_phase(s)) == ES_PHASE_CHECKING || phase == ES_PHASE_RUNNING) {
        assert_true(es_clock_now() < until);
        pump(s, 100);
    }
    return phase;
}

static es_session *open_session(const char *dir, const es_session_options *options) {
    es_session *s = NULL;
    assert_ok(es_session_open(dir, options, &s, test_err()));
    return keep_session(s);
}

/* ---- memory: first, while the peak is its own ---- */

static double peak_mb(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* 2 x 23 x 23 = 1,058 pairs. What may grow is what is kept: seven numbers and 40 values a pair. */
TEST(session__memory__is_flat_over_a_thousand_pairs) {
    enum { MANY = 23 };
    char dir[SUPPORT_PATH];
    support_temp_dir(dir);
    for (uint64_t i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%02d.npy", (int)i);
        support_write_random_npy(dir, name, 5 + i, 200, 12);
    }
    static const char *const one[] = {"folds=1", NULL};
    es_session_options options = {.threads = 2, .with_pmi = true, .settings = one};
    es_session *s = open_session(dir, &options);
    assert_ok(es_session_start(s, NULL));
    double early = 0;
    while (es_session_phase(s) == ES_PHASE_CHECKING || es_session_phase(s) == ES_PHASE_RUNNING) {
        pump(s, 20);
        const es_results *knife = es_session_results(s, 1);
        if (early == 0 && knife && knife->done >= 60)
            early = peak_mb(); /* both estimators have been at work */
    }
    assert_int_equal(es_session_results(s, 0)->done, MANY * MANY);
    assert_int_equal(es_session_results(s, 1)->done, MANY * MANY);
    assert_true(early > 0);
    if (!SANITIZED && peak_mb() > early + 8)
        fail_msg("%.0f MB early, %.0f MB at the end", early, peak_mb());
}

/* ---- the same bits ---- */

enum { MODELS = 4, ROWS = 400, EVALUATED = 400 };
static const char *const names[MODELS] = {"atombag_32", "desc_phys16", "gin_random_128",
                                          "smiles_stats16"};

/* Sample data where it may be written to. */
static void copy_pool(char dir[SUPPORT_PATH]) {
    char command[2 * SUPPORT_PATH];
    support_temp_dir(dir);
    for (size_t i = 0; i < MODELS; i++) {
        snprintf(command, sizeof command, "cp '%s/molecules/%s.npy' '%s'", ES_SAMPLE_DATA, names[i],
                 dir);
        assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): paths of ours */
    }
}

/* Everything that an entry's results hold. */
typedef struct record {
    double is[MODELS * MODELS], se[MODELS * MODELS], h[MODELS], null[MODELS];
    float pmi[MODELS * MODELS][EVALUATED];
} record;

static void take(const es_session *s, size_t entry, record *out) {
    const es_results *r = es_session_results(s, entry);
    memset(out, 0, sizeof *out);
    assert_int_equal(r->m, MODELS);
    assert_int_equal(r->n_eval, EVALUATED);
    assert_int_equal(r->done, MODELS * MODELS);
    memcpy(out->is, r->is, sizeof out->is);
    memcpy(out->se, r->se, sizeof out->se);
    memcpy(out->h, r->h, sizeof out->h);
    for (size_t t = 0; t < MODELS; t++)
        out->null[t] = r->null[t].is;
    for (size_t i = 0; i < (size_t)MODELS * MODELS; i++)
        memcpy(out->pmi[i], r->pmi[i], sizeof out->pmi[i]);
}

TEST(session__standard_plan__same_bits_however_it_is_run) {
    static const struct {
        unsigned threads;
        uint8_t urgency[MODELS];
        bool no_store, part;
    } ways[] = {
        {1, {0, 0, 0, 0}, true, false},
        {2, {0, 0, 0, 0}, true, false},
        {2, {0, 3, 1, 2}, true, false},
        {1, {3, 0, 2, 0}, false, true}, /* part of it, then the rest by another session */
        {2, {0, 0, 0, 0}, false, false} /* all from the store */
    };
    char dir[SUPPORT_PATH];
    record *first = test_alloc(2, sizeof *first), *again = test_alloc(1, sizeof *again);
    assert_true(first && again);
    copy_pool(dir);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        es_session_options options = {.threads = ways[w].threads,
                                      .no_store = ways[w].no_store,
                                      .with_pmi = true,
                                      .with_null = true,
                                      .pool = {.rows = {ES_ROWS_FIRST, ROWS}}};
        es_session *s = open_session(dir, &options);
        assert_int_equal(settle(s), w == 4 ? ES_PHASE_DONE : ES_PHASE_IDLE);
        es_session_prioritise(s, ways[w].urgency);
        assert_ok(es_session_start(s, NULL));
        if (ways[w].part) {
            es_progress p = {0};
            while (es_session_progress(s, &p), p.done < 26) /* into knife */
                pump(s, 20);
            test_drop(s);
            options.threads = 2;
            s = open_session(dir, &options);
            assert_ok(es_session_start(s, NULL));
        }
        assert_int_equal(settle(s), ES_PHASE_DONE);
        for (size_t e = 0; e < 2; e++) {
            take(s, e, w == 0 ? &first[e] : again);
            if (w > 0)
                assert_memory_equal(again, &first[e], sizeof *again);
        }
        test_drop(s);
    }
    /* They are estimates, not constants. */
    assert_true(first[0].is[1] != first[1].is[1] && first[1].pmi[1][0] != first[1].pmi[1][1]);
}

TEST(session__flow__same_bits_for_any_threads) {
    static const unsigned threads[] = {1, 2, 4};
    static const char *settings[] = {"epochs=5", NULL};
    char dir[SUPPORT_PATH];
    record *first = test_alloc(1, sizeof *first), *again = test_alloc(1, sizeof *again);
    assert_true(first && again);
    copy_pool(dir);
    for (size_t w = 0; w < sizeof threads / sizeof *threads; w++) {
        es_session_options options = {.threads = threads[w],
                                      .no_store = true,
                                      .with_pmi = true,
                                      .with_null = true,
                                      .estimator = "flow",
                                      .settings = settings,
                                      .pool = {.rows = {ES_ROWS_FIRST, ROWS}}};
        es_session *s = open_session(dir, &options);
        assert_ok(es_session_start(s, NULL));
        assert_int_equal(settle(s), ES_PHASE_DONE);
        take(s, 0, w == 0 ? first : again);
        if (w > 0)
            assert_memory_equal(again, first, sizeof *again);
        test_drop(s);
    }
    assert_true(first->is[1] > 0 && first->is[1] != first->is[2]);
}

TEST(session__in_sample__has_a_value_for_every_row) {
    const char *settings[] = {"epochs=1 marginal_epochs=1", NULL};
    es_session_options options = {
        .threads = 2,
        .no_store = true,
        .with_pmi = true,
        .estimator = "knife",
        .preset = "paper-mol",
        .settings = settings,
        .pool = {.models = "atombag_32,*stats16", .rows = {ES_ROWS_FIRST, 60}}};
    es_session *s = open_session(ES_SAMPLE_DATA "/molecules", &options);
    assert_ok(es_session_start(s, NULL));
    assert_int_equal(settle(s), ES_PHASE_DONE);
    const es_results *r = es_session_results(s, 0);
    const es_split *split = es_session_split(s, 0);
    assert_int_equal(r->done, 4);
    assert_int_equal(r->n_eval, 60);
    assert_int_equal(split->n_eval, 60);
    for (size_t i = 0; i < 60; i++)
        assert_int_equal(split->eval[i], i);
    for (size_t pair = 0; pair < 4; pair++) {
        double sum = 0;
        for (size_t i = 0; i < r->n_eval; i++)
            sum += (double)r->pmi[pair][i];
        assert_true(fabs(sum / 60 - r->is[pair]) < 1e-4);
    }
}

/* ---- steering ---- */

static size_t done_of(const es_session *s, size_t entry, size_t source) {
    const es_results *r = es_session_results(s, entry);
    size_t n = 0;
    for (size_t t = 0; t < r->m; t++)
        n += r->state[source * r->m + t] == ES_PAIR_DONE;
    return n;
}

/* The preview is complete before anything is refined, and the most urgent source is refined first.
 */
TEST(session__refinement__begins_after_the_preview_with_the_urgent) {
    char dir[SUPPORT_PATH];
    copy_pool(dir);
    es_session_options options = {
        .threads = 1, .no_store = true, .pool = {.rows = {ES_ROWS_FIRST, ROWS}}};
    es_session *s = open_session(dir, &options);
    assert_int_equal(settle(s), ES_PHASE_IDLE);
    es_session_prioritise(s, (const uint8_t[MODELS]){1, 2, 0, 0});
    assert_ok(es_session_start(s, NULL));
    size_t seen = 0;
    while (es_session_phase(s) == ES_PHASE_RUNNING) {
        struct pollfd p = {es_session_fd(s), POLLIN, 0};
        poll(&p, 1, 20);
        es_session_pump(s, 1e-6); /* one event: everything in between is seen */
        const es_results *linear = es_session_results(s, 0), *knife = es_session_results(s, 1);
        assert_true(knife->done == 0 || linear->done == MODELS * MODELS);
        assert_true(done_of(s, 1, 0) == 0 || done_of(s, 1, 1) == MODELS);
        assert_true(done_of(s, 1, 2) + done_of(s, 1, 3) == 0 || done_of(s, 1, 0) == MODELS);
        seen += knife->done > 0 && knife->done < (size_t)MODELS * MODELS;
        if (knife->done > 0) /* ordered by the preview, once */
            assert_true(s->entries[1].ranked);
    }
    assert_true(seen > 0);
}

/* In the middle of a fit that would take seconds. The limit is 100 ms; a loaded machine and
 * sanitizers get slack. */
TEST(session__cancel__ends_a_real_fit) {
    char dir[SUPPORT_PATH];
    const char *settings[] = {"epochs=100000 patience=100000 worse=0", NULL};
    support_temp_dir(dir);
    for (uint64_t i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d.npy", (int)i);
        support_write_random_npy(dir, name, 5 + i, 2000, 256);
    }
    es_session_options options = {
        .threads = 2, .no_store = true, .estimator = "knife", .settings = settings};
    es_session *s = open_session(dir, &options);
    assert_ok(es_session_start(s, NULL));
    double until = es_clock_now() + 300, best = INFINITY;
    for (int attempt = 0; attempt < 30 && best >= 0.1; attempt++) {
        es_activity at = {0};
        while (es_clock_now() < until && !(es_session_activity(s, 0, &at) && at.busy &&
                                           at.target != SIZE_MAX && at.traced > 2))
            pump(s, 5);
        assert_true(at.traced > 2); /* epochs have passed */
        double begin = es_clock_now();
        es_session_cancel(s);
        assert_int_equal(settle(s), ES_PHASE_IDLE);
        best = fmin(best, es_clock_now() - begin);
        assert_ok(es_session_start(s, NULL));
    }
    assert_true(best < (SANITIZED ? 5 : 0.1));
    double begin = es_clock_now();
    test_drop(s);                             /* which cancels too */
    assert_true(es_clock_now() - begin < 50); /* 100,000 epochs take longer */
}

/* Which of its parts the ranking alone stands on, and the scores that lie beside the embedders. */
TEST(session__standard_plan__knows_its_parts) {
    static const char *const estimators[] = {NULL, "linear"};
    char dir[SUPPORT_PATH];
    const es_scores *scores = NULL;
    copy_pool(dir);
    support_write_text(dir, "scores.csv", "model,task\natombag_32,1\ndesc_phys16,2\n");
    for (size_t i = 0; i < 2; i++) {
        es_session *s =
            open_session(dir, &(es_session_options){.estimator = estimators[i], .no_store = true});
        size_t predictive = es_session_predictive(s);
        assert_int_equal(predictive, i == 0 ? 0 : SIZE_MAX);
        assert_int_equal(es_session_plan(s), i == 0 ? 3 : 1);
        for (size_t e = 0; e < es_session_plan(s); e++)
            assert_int_equal(strcmp(es_session_config(s, e)->preset, "shrunk") == 0,
                             e == predictive);
        assert_ok(es_session_scores(s, NULL, &scores, NULL));
        assert_non_null(scores);
        assert_int_equal(scores->models, 2);
        test_drop(s);
    }
    assert_int_equal(es_session_predictive(NULL), SIZE_MAX);
}
