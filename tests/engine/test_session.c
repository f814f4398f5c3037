/* A session from the opening of a pool to stored results, with a fake estimator. */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "report_answer.h"
#include "session_fixture.h"

static const size_t four[] = {3, 4, 8, 2};

/* ---- the plan ---- */

TEST(plan__standard__is_linear_then_knife) {
    fixture *f = pool_of(4, four);
    const char *settings[] = {"weight=4", NULL};
    open_session(f, (es_session_options){.threads = 1, .settings = settings});
    assert_int_equal(es_session_plan(f->session), 2);
    assert_string_equal(es_session_config(f->session, 0)->text, "weight=4 folds=auto");
    assert_string_equal(es_session_config(f->session, 1)->text, "weight=4 modes=4");
    assert_null(es_session_results(f->session, 0));
    assert_null(es_session_split(f->session, 0));
    assert_int_equal(es_session_phase(f->session), ES_PHASE_CHECKING);
    assert_ok(es_session_fits(f->session, NULL)); /* as far as is known */
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_int_equal(es_session_split(f->session, 0)->n_folds, 5); /* automatic, 40 rows */
    assert_int_equal(es_session_split(f->session, 1)->n_folds, 5); /* automatic, 40 rows */
    assert_contains(es_session_provenance(f->session), "\"blas_core\":\"");
    assert_null(strchr(es_session_provenance(f->session), '\n'));
}

TEST(plan__presets__go_where_they_are_known) {
    fixture *f = pool_of(4, four);
    /* What only one estimator knows is asked of that one alone: results of another, under its own
     * defaults, would be taken for the answer. */
    open_session(f, (es_session_options){.threads = 1, .preset = "paper"});
    assert_int_equal(es_session_plan(f->session), 1);
    assert_string_equal(es_session_config(f->session, 0)->preset, "paper");
    assert_string_equal(es_session_config(f->session, 0)->text, "weight=2 modes=8");
    close_session(f);
    const char *settings[] = {"weight=4", "folds=2", NULL};
    open_session(f, (es_session_options){.threads = 1, .settings = settings});
    assert_int_equal(es_session_plan(f->session), 1);
    assert_string_equal(es_session_config(f->session, 0)->text, "weight=4 folds=2");
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_int_equal(es_session_split(f->session, 0)->n_folds, 2);
}

TEST(plan__unknown_words__name_the_known_ones) {
    fixture *f = pool_of(4, four);
    static const struct {
        const char *estimator, *preset, *setting, *message;
    } cases[] = {
        {"magic", NULL, NULL, "no estimator 'magic'; there are linear, knife"},
        {NULL, "big", NULL, "no preset 'big'; there are default, heavy, paper"},
        {"linear", "paper", NULL, "no preset 'paper'; there are default, heavy"},
        {NULL, NULL, "size=3", "no setting 'size'; there are weight, folds, modes"},
        {"knife", NULL, "folds=3", "no setting 'folds'; there are weight, modes"},
        {NULL, "paper", "folds=2",
         "preset 'paper' and the settings belong to different estimators; name one by --estimator"},
        {NULL, NULL, "weight=99", "weight=99: expected 0 to 10"},
        {NULL, NULL, "weight", "'weight': expected key=value"},
        {NULL, NULL, "target=odd", "target=odd: expected target=binary or target=continuous"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *settings[] = {cases[i].setting, NULL};
        es_session_options options = {.threads = 1,
                                      .estimator = cases[i].estimator,
                                      .preset = cases[i].preset,
                                      .settings = settings};
        assert_error_is(es_session_open_with(f->dir, &options, table, &f->session, test_err()),
                        ES_EINVAL, cases[i].message);
        assert_null(f->session);
    }
}

/* ---- the same numbers, whatever happens ---- */

TEST(session__results__same_bits_for_threads_refresh_and_restart) {
    size_t bytes;
    fixture *f = pool_of(4, four);
    run_all(f, (es_session_options){.threads = 1, .no_store = true, .with_pmi = true});
    double *expected[2] = {values(f, 0, &bytes), values(f, 1, &bytes)};
    const double *const same[2] = {expected[0], expected[1]};
    assert_null(es_session_store_path(f->session));
    assert_int_equal(progress(f).done, 32);
    assert_non_null(es_session_results(f->session, 0)->pmi[5]);
    close_session(f);

    run_all(f, (es_session_options){.threads = 2});
    assert_same(f, same);
    assert_non_null(es_session_store_path(f->session));
    assert_int_equal(progress(f).reused, 0);
    close_session(f);

    int before = atomic_load(&fake.pairs);
    run_all(f, (es_session_options){.threads = 2, .with_pmi = true}); /* all from the store */
    assert_same(f, same);
    assert_int_equal(atomic_load(&fake.pairs), before);
    assert_int_equal(progress(f).reused, 32);
    assert_int_equal(es_session_results(f->session, 1)->n_eval, ROWS);
    assert_non_null(es_session_results(f->session, 1)->pmi[3]);
    close_session(f);

    run_all(f, (es_session_options){.threads = 3, .refresh = true});
    assert_same(f, same);
    assert_int_equal(atomic_load(&fake.pairs), before + 32);
}

TEST(session__kill__loses_running_pairs_only) {
    size_t bytes;
    fixture *f = pool_of(4, four);
    run_all(f, (es_session_options){.threads = 1, .no_store = true});
    double *expected[2] = {values(f, 0, &bytes), values(f, 1, &bytes)};
    close_session(f);

    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        atomic_store(&fake.delay_us, 20000);
        es_session_options options = {.threads = 2};
        if (es_session_open_with(f->dir, &options, table, &f->session, NULL) != ES_OK ||
            es_session_start(f->session, NULL) != ES_OK)
            _exit(1);
        for (;;) {
            pump(f, 1000);
            if (progress(f).done >= 6 && write(told[1], "x", 1) < 0)
                _exit(1);
        }
    }
    char byte;
    assert_int_equal(read(told[0], &byte, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(told[0]);
    close(told[1]);

    atomic_store(&fake.pairs, 0);
    run_all(f, (es_session_options){.threads = 2});
    assert_same(f, (const double *const[2]){expected[0], expected[1]});
    assert_true(progress(f).reused >= 6);
    assert_int_equal(atomic_load(&fake.pairs), 32 - (int)progress(f).reused);
}

TEST(session__two_processes__share_the_work) {
    fixture *f = pool_of(4, four);
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    atomic_store(&fake.delay_us, 10000);
    es_session_options options = {.threads = 1};
    if (child == 0) {
        if (es_session_open_with(f->dir, &options, table, &f->session, NULL) != ES_OK ||
            es_session_start(f->session, NULL) != ES_OK)
            _exit(1);
        while (es_session_phase(f->session) != ES_PHASE_DONE)
            pump(f, 1000);
        int computed = atomic_load(&fake.pairs);
        _exit(write(told[1], &computed, sizeof computed) == sizeof computed ? 0 : 1);
    }
    run_all(f, options);
    int theirs = 0, status = 1;
    assert_int_equal(read(told[0], &theirs, sizeof theirs), sizeof theirs);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    close(told[0]);
    close(told[1]);
    /* Both at the same pair each time would be 64; they begin at different targets. */
    assert_true(theirs + atomic_load(&fake.pairs) < 64);
    assert_int_equal(progress(f).done, 32);
    close_session(f);
    atomic_store(&fake.pairs, 0);
    run_all(f, options);
    assert_int_equal(progress(f).reused, 32);
    assert_int_equal(atomic_load(&fake.pairs), 0);
}

/* ---- steering ---- */

TEST(session__pause__stops_between_pairs_and_goes_on) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 2, .no_store = true});
    atomic_store(&fake.delay_us, 5000);
    assert_ok(es_session_start(f->session, NULL));
    while (progress(f).done < 3)
        pump(f, 100);
    es_session_pause(f->session, true);
    assert_int_equal(es_session_phase(f->session), ES_PHASE_PAUSED);
    for (int i = 0; i < 5; i++)
        pump(f, 20);
    int at_rest = atomic_load(&fake.pairs);
    double elapsed = progress(f).elapsed;
    for (int i = 0; i < 3; i++)
        pump(f, 20);
    assert_int_equal(atomic_load(&fake.pairs), at_rest);
    assert_true(progress(f).elapsed == elapsed);
    assert_true(progress(f).queued > 0);
    es_session_pause(f->session, false);
    es_session_pause(f->session, true);
    assert_ok(es_session_start(f->session, NULL)); /* whoever starts means to go on */
    assert_int_equal(es_session_phase(f->session), ES_PHASE_RUNNING);
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(progress(f).done, 32);
    assert_int_equal(atomic_load(&fake.pairs), 32);
}

/* Who starts again before word of the first pairs has come must not have them computed twice. */
TEST(session__start_again__computes_nothing_twice) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 2, .no_store = true});
    while (es_session_phase(f->session) == ES_PHASE_CHECKING)
        pump(f, 100);
    atomic_store(&fake.delay_us, 5000);
    assert_ok(es_session_start(f->session, NULL));
    while (atomic_load(&fake.pairs) < 4)
        (void)poll(NULL, 0, 1);
    assert_ok(es_session_start(f->session, NULL));
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(progress(f).done, 32);
    assert_int_equal(atomic_load(&fake.pairs), 32);
}

TEST(session__cancel__is_quick_and_keeps_what_is_done) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 2});
    atomic_store(&fake.delay_us, 5000);
    assert_ok(es_session_start(f->session, NULL));
    while (progress(f).done < 5)
        pump(f, 100);
    atomic_store(&fake.delay_us, 100000000);
    while (progress(f).running < 2)
        pump(f, 5);
    double begin = es_clock_now();
    es_session_cancel(f->session);
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_true(es_clock_now() - begin < 50); /* it would take 100 s */
    es_progress p = progress(f);
    assert_true(p.done >= 5 && p.failed == 0 && p.running == 0 && p.queued == 0 &&
                p.elsewhere == 0);
    atomic_store(&fake.delay_us, 0);
    assert_ok(es_session_start(f->session, NULL));
    es_session_cancel(f->session);
    assert_ok(es_session_start(f->session, NULL)); /* before the first is over */
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(progress(f).done, 32);
}

/* A step that cannot be broken off is not waited for, and all that came before it is stored. */
TEST(session__leave__does_not_wait_for_a_deaf_worker) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 2});
    atomic_store(&fake.delay_us, 1000);
    assert_ok(es_session_start(f->session, NULL));
    while (progress(f).done < 5)
        pump(f, 100);
    assert_true(es_session_settles(NULL, 0));
    do { /* behind a pair that was done just before, the next one begins */
        assert_true(es_session_settles(f->session, 100)); /* these look often */
        assert_true(es_session_settles(f->session, 0));
        (void)es_session_pump(f->session, 0);
    } while (progress(f).running > 0);
    assert_ok(es_session_start(f->session, NULL));
    atomic_store(&fake.deaf, true);
    atomic_store(&fake.delay_us, 100000000);
    while (atomic_load(&fake.unhearing) < 2)
        pump(f, 5);
    size_t done = progress(f).done;
    assert_false(es_session_settles(f->session, 0.05));
    double begin = es_clock_now();
    es_session_leave(f->session, 0.1);
    assert_true(es_clock_now() - begin < 50); /* a step takes 100 s */
    assert_int_equal(es_sessions_ending(), 1);
    atomic_store(&fake.delay_us, 0);
    while (es_sessions_ending() > 0)
        (void)poll(NULL, 0, 1);
    assert_int_equal(atomic_load(&fake.live), 0);
    open_session(f, (es_session_options){.read_only = true});
    while (es_session_phase(f->session) == ES_PHASE_CHECKING)
        pump(f, 100);
    assert_true(progress(f).done >= done);
}

TEST(session__prioritise__takes_over_running_workers) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 1, .no_store = true, .estimator = "linear"});
    settle(f);
    atomic_store(&fake.delay_us, INT_MAX); /* the first pair, until it is let go */
    assert_ok(es_session_start(f->session, NULL));
    es_activity at = {.traced = 0};
    while (!es_session_activity(f->session, 0, &at) || at.traced < 1)
        pump(f, 10);
    assert_true(at.trace[0] == 1);
    assert_int_equal(atomic_load(&fake.order) & 255, 8); /* the widest source begins */
    assert_true(at.busy && at.source == 2 && at.entry == 0);
    assert_false(es_session_activity(f->session, 1, &at));
    es_session_prioritise(f->session, (const uint8_t[]){0, 0, 0, 1});
    atomic_store(&fake.delay_us, 0);
    assert_int_equal(settle(f), ES_PHASE_DONE);
    /* Of sixteen pairs the last eight are in the word: not the prioritised source's. */
    unsigned long long order = atomic_load(&fake.order);
    for (int i = 0; i < 8; i++, order >>= 8)
        assert_int_not_equal(order & 255, 2);
}

/* At a zero line the source that is told is the target itself, not its stand-in's place. */
TEST(session__zero_line__is_told_as_its_target) {
    es_activity at = {.null = false};
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){
                        .threads = 1, .no_store = true, .with_null = true, .estimator = "linear"});
    settle(f);
    atomic_store(&fake.delay_us, 20000);
    assert_ok(es_session_start(f->session, NULL));
    while (!at.null || at.target == SIZE_MAX) {
        pump(f, 1);
        assert_int_not_equal(es_session_phase(f->session), ES_PHASE_DONE);
        assert_true(es_session_activity(f->session, 0, &at));
        assert_true(!at.busy || at.source < 4);
    }
    assert_int_equal(at.source, at.target);
    atomic_store(&fake.delay_us, 0);
    assert_int_equal(settle(f), ES_PHASE_DONE);
}

/* ---- intervals ---- */

static es_decision_problem problem_of(const es_session *s, size_t entry) {
    const es_results *r = es_session_results(s, entry);
    static const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_true(r->m <= sizeof order / sizeof *order);
    return (es_decision_problem){
        .is = r->is, .pmi = r->pmi, .m = r->m, .n_eval = r->n_eval, .order = order, .seed = 3};
}

/* The machine is measured by a worker, once, while nobody waits; then what was computed says it. */
TEST(session__told__comes_in_the_background) {
    es_outlook told = {0}, waited;
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 2});
    assert_false(es_session_told(f->session, &told)); /* not checked yet */
    assert_int_equal(es_session_outlook(f->session, 0, &waited, NULL), ES_EINVAL);
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    bool known = false;
    assert_false(es_session_told(f->session, &told));
    for (int i = 0; i < 500 && !known; i++) {
        pump(f, 10);
        known = es_session_told(f->session, &told);
    }
    assert_true(known && !told.measured && told.seconds > 0);
    assert_ok(es_session_outlook(f->session, 0, &waited, NULL));
    assert_int_equal(told.pairs, waited.pairs);
    assert_true(told.part[0].whole == told.part[0].seconds); /* nothing is known */
    assert_true(told.operations == waited.operations);
    assert_true(waited.rate > 1e8 && waited.rate < 1e14); /* a processor's, not its inverse */
    assert_ok(es_session_outlook(f->session, 1, &waited, NULL));
    assert_true(fabs(waited.speed_up - 1) < 1e-12);
    assert_ok(es_session_outlook(f->session, 2, &waited, NULL));
    assert_true(waited.speed_up > 1 && waited.speed_up < 2 + 1e-12);
    assert_ok(es_session_start(f->session, NULL));
    (void)settle(f);
    assert_true(es_session_told(f->session, &told));
    assert_true(told.measured && told.pairs == 0 && told.seconds == 0 && told.part[0].whole > 0);
    close_session(f);
}

/* Its tag, and whether another one is under way. */
static const es_decision *newest_decision(const es_session *session, uint64_t *tag, bool *busy) {
    const es_latest_task *task = es_session_task(session, ES_TASK_RANKING);
    *tag = task->tag;
    *busy = task->job != NULL;
    return es_rank_task_newest(session);
}

/* Until the intervals asked for under `tag` are there. */
static const es_decision *wait_intervals(fixture *f, uint64_t tag) {
    double until = es_clock_now() + 200;
    uint64_t got = 0;
    bool busy = false;
    const es_decision *x;
    while ((x = newest_decision(f->session, &got, &busy)) == NULL || got != tag) {
        assert_true(es_clock_now() < until);
        pump(f, 50);
    }
    assert_false(busy);
    return x;
}

TEST(session__intervals__come_from_the_workers) {
    static const size_t nine[] = {3, 4, 8, 2, 3, 4, 8, 2, 3};
    uint64_t tag = 9;
    bool busy = true;
    fixture *f = pool_of(9, nine);
    run_all(f, (es_session_options){.threads = 2, .no_store = true, .with_pmi = true});
    assert_null(newest_decision(f->session, &tag, &busy));
    assert_false(busy);
    es_decision_problem problem = problem_of(f->session, 1);
    es_decision *expected = NULL;
    assert_ok(es_decision_new(&problem, NULL, &expected, NULL));
    problem.draws = 100000; /* overtaken by the second: this one would take long */
    assert_ok(es_rank_task_start(f->session, &problem, 4, NULL));
    (void)newest_decision(f->session, &tag, &busy);
    assert_true(busy);
    problem.draws = 0;
    double begin = es_clock_now();
    assert_ok(es_rank_task_start(f->session, &problem, 5, NULL));
    assert_true(es_clock_now() - begin < 5); /* it only hands over */
    const es_decision *x = wait_intervals(f, 5);
    double took = es_session_task(f->session, ES_TASK_RANKING)->seconds;
    assert_true(took >= 0 && took <= es_clock_now() - begin);
    assert_memory_equal(x->low, expected->low, 9 * sizeof(double));
    assert_memory_equal(x->rank_high, expected->rank_high, 9 * sizeof(uint32_t));
    es_decision_free(expected);

    problem.m = 0;
    assert_int_equal(es_rank_task_start(f->session, &problem, 6, NULL), ES_EEMPTY);
    problem = problem_of(f->session, 0);
    problem.draws = 100000;
    assert_ok(es_rank_task_start(f->session, &problem, 7, NULL));
    begin = es_clock_now();
    close_session(f); /* in the middle */
    assert_true(es_clock_now() - begin < 60);
}

/* What a decision by the lead stands on is copied: it may change at once. */
TEST(session__decision__keeps_what_it_was_given) {
    static const size_t nine[] = {3, 4, 8, 2, 3, 4, 8, 2, 3};
    double is[81], information[81], se[81];
    uint32_t order[9], family[9], series[9];
    bool control[9] = {[4] = true}, voting[9];
    fixture *f = pool_of(9, nine);
    run_all(f, (es_session_options){.threads = 2, .no_store = true, .with_pmi = true});
    es_decision_problem problem = problem_of(f->session, 1);
    for (uint32_t i = 0; i < 9; i++) {
        order[i] = 8 - i;
        family[i] = i / 2;
        series[i] = i == 7 ? 6 : i;
        voting[i] = i != 1;
    }
    for (size_t k = 0; k < 81; k++) {
        is[k] = problem.is[k];
        information[k] = k / 9 == k % 9 ? 1 : 0.3 + 0.01 * (double)(k % 7);
        se[k] = k / 9 == 2 || k % 9 == 2 ? 0.2 : 0.01; /* the third is not related */
    }
    problem.is = is;
    problem.information = information;
    problem.information_se = se;
    problem.order = order;
    problem.family = family;
    problem.series = series;
    problem.control = control;
    problem.rule.voting = voting;
    problem.by_lead = true;
    es_decision *expected = NULL;
    assert_ok(es_decision_new(&problem, NULL, &expected, NULL));
    assert_int_equal(expected->scored, 7);
    assert_ok(es_rank_task_start(f->session, &problem, 1, NULL));
    memset(is, 0, sizeof is);
    memset(information, 0, sizeof information);
    memset(se, 0, sizeof se);
    memset(order, 0, sizeof order);
    memset(family, 0, sizeof family);
    memset(series, 0, sizeof series);
    memset(control, 0, sizeof control);
    memset(voting, 0, sizeof voting);
    const es_decision *x = wait_intervals(f, 1);
    assert_int_equal(x->scored, 7);
    assert_int_equal(x->said, expected->said);
    assert_memory_equal(x->delta, expected->delta, 81 * sizeof(double));
    assert_memory_equal(x->kind, expected->kind, 9 * sizeof(uint32_t));
    assert_memory_equal(x->votes, expected->votes, 9 * sizeof(bool));
    assert_memory_equal(x->order, expected->order, 9 * sizeof(uint32_t));
    assert_memory_equal(x->information, expected->information, 9 * sizeof(double));
    es_decision_free(expected);
}

/* What comes next: as many pairs as fit, each once, of embedders and plan entries that there are.
 */
TEST(session__queue__lists_what_comes_next) {
    es_queued next[6];
    fixture *f = pool_of(4, four);
    atomic_store(&fake.delay_us, 20000);
    open_session(f, (es_session_options){.threads = 2, .no_store = true});
    assert_int_equal(es_session_queue(f->session, next, 6), 0);
    assert_ok(es_session_start(f->session, NULL));
    while (progress(f).done < 1)
        pump(f, 50);
    memset(next, 0xff, sizeof next);
    assert_int_equal(es_session_queue(f->session, next, 6), 6);
    for (size_t k = 0; k < 6; k++) {
        assert_true(next[k].entry < es_session_plan(f->session));
        assert_true(next[k].source < 4 && next[k].target < 4 && !next[k].null);
        for (size_t j = 0; j < k; j++)
            assert_true(next[k].entry != next[j].entry || next[k].source != next[j].source ||
                        next[k].target != next[j].target);
    }
    close_session(f);
}

/* The zero line's among them: its sources stand in, and are said as the embedders that they are of.
 */
TEST(session__queue__tells_the_zero_line) {
    es_queued next[ES_PAIR_QUEUE_LOOK];
    bool seen[3][2] = {{false}};
    fixture *f = pool_of(2, four);
    open_session(f, (es_session_options){
                        .threads = 1, .no_store = true, .with_null = true, .estimator = "linear"});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_int_equal(es_work_want(f->session), 4 + 2);
    assert_int_equal(es_session_queue(f->session, next, ES_PAIR_QUEUE_LOOK), 4 + 2);
    for (size_t k = 0; k < 6; k++) {
        assert_int_equal(next[k].entry, 0);
        assert_true(next[k].source < 2 && next[k].target < 2);
        assert_true(!next[k].null || next[k].source == next[k].target);
        bool *one = &seen[next[k].null ? 2 : next[k].source][next[k].target];
        assert_false(*one);
        *one = true;
    }
}

/* A source, a target, and a source that stands in, which keeps the order of its rows besides. */
TEST(session__states__take_what_their_estimator_says) {
    const void *held = NULL;
    es_run run;
    size_t before = 0;
    const struct {
        es_cache_kind kind;
        size_t model, bytes;
    } cases[] = {{ES_CACHE_SOURCE, 1, 2 * sizeof(fake_state)},
                 {ES_CACHE_TARGET, 1, sizeof(fake_state)},
                 {ES_CACHE_SOURCE, 2 + 1, 2 * sizeof(fake_state) + ROWS * sizeof(uint32_t)}};
    fixture *f = pool_of(2, four);
    open_session(f, (es_session_options){.threads = 1, .no_store = true, .with_null = true});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    es_run_init(&run);
    for (size_t i = 0; i < 3; i++) {
        assert_ok(
            es_cache_hold(f->session->cache, 0, cases[i].kind, cases[i].model, &run, &held, NULL));
        assert_int_equal(es_cache_bytes(f->session->cache) - before, cases[i].bytes);
        before += cases[i].bytes;
    }
    for (size_t i = 0; i < 3; i++)
        es_cache_release(f->session->cache, 0, cases[i].kind, cases[i].model, false);
}

/* ---- what is being read ---- */

typedef struct reading {
    size_t total; /* bytes */
    atomic_bool begun, enough;
} reading;

static es_status read_slowly(void *data, es_job_context *context, es_error *err) {
    (void)err;
    reading *r = data;
    es_run_begin(context->run, "big.csv", "counting its rows");
    es_run_bytes(context->run, r->total / 2, r->total);
    atomic_store(&r->begun, true);
    while (!atomic_load(&r->enough))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return ES_OK;
}

/* Of a file of 16 MB and more, while files are checked. */
TEST(session__reading__is_told_of_large_files_alone) {
    static const size_t large = (size_t)16 << 20;
    es_run_view view = {.total = 7};
    assert_false(es_session_reading(NULL, &view));
    assert_int_equal(view.total, 0);
    for (size_t i = 0; i < 3; i++) {
        es_session s = {.ready = i == 2};
        reading r = {.total = i == 0 ? large - 1024 : large};
        es_job *job = NULL;
        assert_ok(es_workers_new(1, &s.workers, NULL));
        assert_false(es_session_reading(&s, &view));
        assert_ok(es_workers_add(s.workers, read_slowly, &r, 0, 0, &job, NULL));
        while (!atomic_load(&r.begun))
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        assert_int_equal(es_session_reading(&s, &view), i == 1);
        if (i == 1) {
            assert_string_equal(view.subject, "big.csv");
            assert_int_equal(view.done, large >> 11);
            assert_int_equal(view.total, large >> 10);
        }
        atomic_store(&r.enough, true);
        es_workers_free(s.workers, NULL);
    }
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the next estimator those sources come first whose medians are near to most others', and of a
 * source the targets that its median hangs on. */
TEST(session__queue__goes_by_the_preview) {
    enum { M = 7 };
    static const size_t dims[M] = {3, 4, 8, 2, 10, 11, 12};
    es_queued next[M * M];
    double score[M], crowd[M];
    fixture *f = pool_of(M, dims);
    open_session(f, (es_session_options){.threads = 1, .no_store = true});
    es_session_first_only(f->session, true);
    assert_ok(es_session_start(f->session, NULL));
    (void)settle(f);
    const es_results *r = es_session_results(f->session, 0);
    assert_int_equal(r->done, M * M);
    assert_true(progress(f).entries == 1 && progress(f).total == M * M);
    for (size_t i = 0; i < M; i++) {
        double row[M];
        size_t n = 0;
        for (size_t t = 0; t < M; t++)
            if (t != i)
                row[n++] = r->is[i * M + t];
        qsort(row, n, sizeof *row, compare_doubles);
        score[i] = (row[2] + row[3]) / 2;
    }
    for (size_t i = 0; i < M; i++) {
        crowd[i] = 0;
        for (size_t j = 0; j < M; j++)
            crowd[i] += fabs(score[i] - score[j]) < 2 * (0.1 + 0.1);
    }
    es_session_first_only(f->session, false);
    assert_true(progress(f).entries == 2 && progress(f).total == 2 * M * M);
    assert_int_equal(es_work_want(f->session), M * M); /* and nobody takes one before it is seen */
    size_t count = es_session_queue(f->session, next, M * M), first = next[0].source;
    assert_int_equal(count, ES_PAIR_QUEUE_LOOK);
    for (size_t i = 0; i < M; i++)
        assert_true(crowd[first] > crowd[i] || (crowd[first] == crowd[i] && first <= i));
    for (size_t k = 0; k < M; k++) {
        assert_int_equal(next[k].entry, 1);
        assert_int_equal(next[k].source, first);
        if (k > 0 && k + 1 < M)
            assert_true(fabs(r->is[first * M + next[k].target] - score[first]) >=
                        fabs(r->is[first * M + next[k - 1].target] - score[first]));
    }
    assert_int_equal(next[M - 1].target, first); /* itself decides nothing */
    assert_true(crowd[next[M].source] <= crowd[first]);
}

/* While all threads estimate, and while they are paused. */
TEST(session__intervals__do_not_wait_for_the_run) {
    fixture *f = pool_of(4, four);
    atomic_store(&fake.delay_us, 50000);
    open_session(f, (es_session_options){.threads = 2, .no_store = true, .with_pmi = true});
    assert_ok(es_session_start(f->session, NULL));
    while (progress(f).done < 6)
        pump(f, 50);
    es_decision_problem problem = problem_of(f->session, 0);
    assert_ok(es_rank_task_start(f->session, &problem, 1, NULL));
    assert_int_equal(wait_intervals(f, 1)->m, 4);
    assert_true(progress(f).done < 32);
    es_session_pause(f->session, true);
    while (progress(f).running > 0)
        pump(f, 50);
    size_t done = progress(f).done;
    assert_ok(es_rank_task_start(f->session, &problem, 2, NULL));
    (void)wait_intervals(f, 2);
    assert_int_equal(progress(f).done, done);
    assert_int_equal(es_session_phase(f->session), ES_PHASE_PAUSED);
    atomic_store(&fake.delay_us, 0);
    es_session_pause(f->session, false);
    assert_int_equal(settle(f), ES_PHASE_DONE);
}

/* ---- the zero line ---- */

TEST(session__null_line__is_the_same_however_it_is_made) {
    fixture *f = pool_of(4, four);
    es_null_line expected[2][4];
    run_all(f, (es_session_options){.threads = 1, .no_store = true, .with_null = true});
    assert_int_equal(progress(f).total, 2 * (16 + 4));
    assert_int_equal(progress(f).done, 2 * (16 + 4));
    assert_int_equal(progress(f).nulls, 8);
    for (size_t e = 0; e < 2; e++) {
        const es_results *r = es_session_results(f->session, e);
        assert_int_equal(r->done, 16);
        assert_int_equal(r->null_done, 4);
        for (size_t t = 0; t < 4; t++) {
            expected[e][t] = r->null[t];
            assert_true(isfinite(r->null[t].is) && r->null[t].is != r->is[t * 4 + t]);
        }
    }
    double low, high;
    assert_int_equal(es_results_null_range(es_session_results(f->session, 0), &low, &high), 4);
    assert_true(low <= high && low <= expected[0][2].is && high >= expected[0][2].is);
    close_session(f);

    int before = atomic_load(&fake.pairs);
    run_all(f, (es_session_options){.threads = 2}); /* it does not come unasked */
    assert_int_equal(atomic_load(&fake.pairs), before + 32);
    assert_int_equal(es_session_results(f->session, 0)->null_done, 0);
    assert_int_equal(es_results_null_range(es_session_results(f->session, 0), &low, &high), 0);
    close_session(f);

    run_all(f, (es_session_options){.threads = 3, .with_null = true}); /* nothing else is missing */
    assert_int_equal(atomic_load(&fake.pairs), before + 40);
    close_session(f);

    open_session(f, (es_session_options){.read_only = true}); /* shown wherever it is stored */
    settle(f);
    for (size_t e = 0; e < 2; e++)
        for (size_t t = 0; t < 4; t++) {
            const es_null_line *got = &es_session_results(f->session, e)->null[t];
            assert_int_equal(got->state, ES_PAIR_DONE);
            assert_memory_equal(&got->is, &expected[e][t].is, sizeof(double));
            assert_memory_equal(&got->se, &expected[e][t].se, sizeof(double));
        }
}

TEST(session__null_line__fails_and_is_tried_again) {
    fixture *f = pool_of(2, (const size_t[]){3, FAKE_BAD_SOURCE});
    run_all(f, (es_session_options){.threads = 1, .estimator = "linear", .with_null = true});
    const es_results *r = es_session_results(f->session, 0);
    assert_int_equal(r->null[0].state, ES_PAIR_DONE);
    assert_int_equal(r->null[1].state, ES_PAIR_FAILED);
    assert_string_equal(r->null[1].reason, "source m1, rows shuffled: cannot be factored");
    assert_int_equal(progress(f).failed, 3); /* both pairs of the source, and this */
    atomic_store(&fake.heal, 1);
    assert_int_equal(es_session_retry(f->session), 3);
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(r->null[1].state, ES_PAIR_DONE);
    assert_null(r->null[1].reason);
    assert_int_equal(progress(f).failed, 0);
}

static es_status read_number(const void *context, const uint32_t *rows, size_t count, double *out,
                             es_error *err) {
    (void)context;
    (void)err;
    for (size_t i = 0; i < count; i++)
        out[i] = rows[i];
    return ES_OK;
}

TEST(null_rows__order__is_one_cycle) {
    enum { N = 1000 };
    const es_rows rows = {.n = N, .d = 1, .read = read_number};
    es_null_source a = {0}, b = {0};
    double got[N];
    uint32_t all[N];
    assert_ok(es_null_rows(&rows, 7, (es_digest){1, 2}, &a, NULL));
    assert_ok(es_null_rows(&rows, 8, (es_digest){1, 2}, &b, NULL));
    assert_memory_not_equal(a.from, b.from, sizeof all);
    es_rows reader = es_null_reader(&a);
    for (uint32_t i = 0; i < N; i++)
        all[i] = i;
    assert_ok(reader.read(reader.context, all, N, got, NULL));
    size_t length = 0, at = 0;
    do {
        at = (size_t)got[at];
        length++;
    } while (at != 0 && length <= N);
    assert_int_equal(length, N); /* so no row is its own source */
    es_free(a.from);
    es_free(b.from);
}

/* What a store keeps is found by these, and made again with these draws: as long as the seed is the
 * same so is every number. */
TEST(null_rows__names_and_draws__stay_as_they_are) {
    const es_digest target = {1, 2}, other = {3, 4};
    es_digest null = es_null_digest(target);
    static const uint32_t order[] = {5, 6, 0, 2, 7, 4, 3, 1};
    const es_rows rows = {.n = sizeof order / sizeof *order, .d = 1, .read = read_number};
    es_null_source source = {0};
    assert_int_equal(null.hi, 0x9b26e7ba6bade172);
    assert_int_equal(null.lo, 0xebbc7600a5345816);
    assert_int_equal(es_pair_stream(target, other), 0x8821b55c443af803);
    assert_int_equal(es_pair_stream(other, target), 0xc83ec86c275e9ed3);
    assert_ok(es_null_rows(&rows, 7, target, &source, NULL));
    assert_memory_equal(source.from, order, sizeof order);
    es_free(source.from);
}

/* One worker estimates so many pairs, of which nobody takes notice. */
static void leave_alone(fixture *f, int pairs) {
    es_worker_view view = {.busy = true};
    assert_ok(es_session_start(f->session, NULL));
    for (double until = es_clock_now() + 200; es_clock_now() < until;) {
        if (atomic_load(&fake.pairs) == pairs && es_workers_look(f->session->workers, 0, &view) &&
            !view.busy)
            return;
        (void)poll(NULL, 0, 1);
    }
    fail_msg("%d of %d pairs", atomic_load(&fake.pairs), pairs);
}

/* Without a budget all that workers have told is taken, however much it is. */
TEST(session__pump__without_a_budget_takes_all) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 1, .no_store = true});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    leave_alone(f, 32);
    assert_true(es_session_pump(f->session, 0) >= 32);
    assert_int_equal(progress(f).done, 32);
    assert_int_equal(es_session_phase(f->session), ES_PHASE_DONE);
    double ran = es_session_running_time(f->session); /* and stands still from now on */
    (void)poll(NULL, 0, 2);
    (void)es_session_pump(f->session, 0);
    assert_true(ran > 0 && es_session_running_time(f->session) == ran);
}

/* Who waits for no time finds done what is done. */
TEST(session__wait__of_no_time_takes_all) {
    enum { MANY = 80 };
    size_t dims[MANY];
    for (size_t i = 0; i < MANY; i++)
        dims[i] = 1;
    fixture *f = pool_of(MANY, dims);
    open_session(f, (es_session_options){.threads = 1, .no_store = true, .estimator = "linear"});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    leave_alone(f, MANY * MANY);
    assert_ok(es_session_wait(f->session, 0, NULL));
    assert_int_equal(progress(f).done, MANY * MANY);
}

/* The pair that a worker is at counts for the time that is left, though none is queued. */
TEST(session__progress__of_the_last_pair_takes_time) {
    static const size_t two[] = {3, 4};
    uint8_t wanted[4] = {1, 0, 0, 0};
    fixture *f = pool_of(2, two);
    open_session(f, (es_session_options){.threads = 2, .no_store = true, .estimator = "linear"});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_ok(es_session_only(f->session, 0, wanted, NULL));
    atomic_store(&fake.delay_us, 2000);
    assert_ok(es_session_start(f->session, NULL));
    assert_int_equal(settle(f), ES_PHASE_IDLE); /* others were not asked for */
    wanted[3] = 1;
    assert_ok(es_session_only(f->session, 0, wanted, NULL));
    atomic_store(&fake.delay_us, 100000000);
    assert_ok(es_session_start(f->session, NULL));
    for (double until = es_clock_now() + 200; atomic_load(&fake.pairs) < 2;) {
        assert_true(es_clock_now() < until);
        pump(f, 10);
    }
    assert_int_equal(progress(f).queued, 0);
    assert_true(progress(f).eta > 0);
    /* a tenth when it has taken as long as it should; the other worker is at none */
    const es_pace *pace = &f->session->entries[0].pace;
    double work = es_pair_queue_cost(f->session->queue, (es_lease){0, 1, 1});
    double due = work * pace->seconds / pace->work;
    for (double until = es_clock_now() + due; es_clock_now() < until;)
        pump(f, 1);
    assert_true(fabs(progress(f).eta - 0.1 * due / 2) < 1e-9 * due);
    atomic_store(&fake.delay_us, 0);
    assert_int_equal(settle(f), ES_PHASE_IDLE);
}

TEST(session__threads__can_change_while_running) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 1, .no_store = true});
    atomic_store(&fake.delay_us, 3000);
    assert_ok(es_session_start(f->session, NULL));
    while (progress(f).done < 3)
        pump(f, 100);
    assert_ok(es_session_threads(f->session, 4, NULL));
    assert_int_equal(es_session_thread_count(f->session), 4);
    while (progress(f).running < 3)
        pump(f, 100);
    assert_ok(es_session_threads(f->session, 2, NULL));
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(atomic_load(&fake.pairs), 32);
    assert_int_equal(es_session_threads(f->session, 0, test_err()), ES_EINVAL);
}

TEST(session__threads__share_the_last_source) {
    static const size_t two[] = {3, 4};
    fixture *f = pool_of(2, two);
    open_session(f, (es_session_options){.threads = 4, .no_store = true, .estimator = "linear"});
    atomic_store(&fake.delay_us, 100000000);
    assert_ok(es_session_start(f->session, NULL));
    while (atomic_load(&fake.pairs) < 4) /* four threads at two sources */
        pump(f, 10);
    atomic_store(&fake.delay_us, 0);
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(atomic_load(&fake.sources), 2);
}

/* ---- failures ---- */

TEST(session__failures__are_recorded_and_others_go_on) {
    static const size_t dims[] = {3, FAKE_BAD_SOURCE, FAKE_BAD_TARGET, FAKE_NAN};
    fixture *f = pool_of(4, dims);
    run_all(f, (es_session_options){.threads = 2, .estimator = "linear"});
    const es_results *r = es_session_results(f->session, 0);
    assert_int_equal(r->failed, 8); /* a row, a column, one cell less their crossing */
    assert_int_equal(r->done, 8);
    assert_string_equal(r->reason[1 * 4 + 0], "source m1: cannot be factored");
    assert_string_equal(r->reason[0 * 4 + 2], "target m2: cannot be standardised");
    assert_string_equal(r->reason[3 * 4 + 3], "gave a non-finite value");
    assert_true(isnan(r->is[3 * 4 + 3]));
    assert_int_equal(r->state[0], ES_PAIR_DONE);
    assert_int_equal(atomic_load(&fake.sources) + atomic_load(&fake.targets), 8); /* not retried */
    close_session(f);

    run_all(f, (es_session_options){.threads = 2, .estimator = "linear"});
    r = es_session_results(f->session, 0);
    assert_int_equal(r->failed, 8); /* remembered with their reasons */
    assert_string_equal(r->reason[3 * 4 + 3], "gave a non-finite value");
    atomic_store(&fake.heal, 1);
    assert_int_equal(es_session_retry(f->session), 8);
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(r->failed, 0);
    assert_int_equal(r->done, 16);
    close_session(f);
    atomic_store(&fake.pairs, 0);
    run_all(f, (es_session_options){.threads = 2, .estimator = "linear"});
    assert_int_equal(atomic_load(&fake.pairs), 0);
    assert_int_equal(progress(f).done, 16);
}

static bool logged(es_log *log, const char *text) {
    char line[512];
    for (size_t i = 0; i < es_log_count(log); i++)
        if (es_log_line(log, i, line, sizeof line) >= 0 && strstr(line, text) != NULL)
            return true;
    return false;
}

TEST(session__log__tells_the_way) {
    es_log *log = NULL;
    assert_ok(es_log_open(NULL, ES_LOG_INFO, &log, NULL));
    fixture *f = pool_of(4, four);
    run_all(f, (es_session_options){.threads = 2, .log = log});
    assert_true(logged(log, "4 embedders can be compared, 0 of 32 pairs are stored"));
    assert_true(logged(log, "32 pairs to estimate on 2 threads"));
    assert_true(logged(log, "linear: 50 %, 8 of 16 pairs"));
    assert_true(logged(log, "linear: all 16 pairs"));
    assert_true(logged(log, "knife: all 16 pairs"));
    assert_true(es_log_count(log) < 30);
    close_session(f);
    open_session(f, (es_session_options){.threads = 2, .log = log});
    settle(f);
    assert_true(logged(log, "32 of 32 pairs are stored"));
    close_session(f);
    run_all(f, (es_session_options){.estimator = "linear", .preset = "heavy", .log = log});
    assert_true(logged(log, "linear heavy: all 16 pairs"));
    assert_int_equal(progress(f).elsewhere, 0);
    close_session(f);
    double bad[20 * 2] = {0};
    bad[7] = (double)NAN;
    support_write_npy(f->dir, "holed.npy", 20, 2, bad);
    open_session(f, (es_session_options){.threads = 1, .log = log, .pool = {.log = log}});
    settle(f);
    assert_true(logged(log, "holed is left out: "));
    es_log_close(log);
}

TEST(session__no_embedder_left__says_so) {
    fixture *f = pool_of(0, NULL);
    double bad[20 * 2] = {0};
    bad[7] = (double)NAN;
    support_write_npy(f->dir, "a.npy", 20, 2, bad);
    support_write_npy(f->dir, "b.npy", 20, 2, bad);
    open_session(f, (es_session_options){.threads = 1});
    assert_ok(es_session_start(f->session, NULL));
    double until = es_clock_now() + 200;
    while (es_session_phase(f->session) == ES_PHASE_CHECKING && es_clock_now() < until)
        pump(f, 100);
    assert_int_equal(es_session_problem(f->session, test_err()), ES_EEMPTY);
    assert_true(test_message()[0] != '\0');
    assert_int_equal(es_session_start(f->session, test_err()), ES_EEMPTY);
    assert_int_equal(es_session_wait(f->session, 0, test_err()), ES_EEMPTY);
    assert_int_equal(es_session_best(f->session), SIZE_MAX);
}

TEST(session__strict__refuses_exclusions) {
    fixture *f = pool_of(4, four);
    support_write_random_npy(f->dir, "short.npy", 3, ROWS - 1, 3);
    open_session(f, (es_session_options){.threads = 1, .strict = true});
    while (es_session_phase(f->session) == ES_PHASE_CHECKING)
        pump(f, 100);
    assert_error(es_session_problem(f->session, test_err()), ES_EFORMAT, "short");
}

/* ---- showing only ---- */

TEST(session__read_only__shows_what_is_stored) {
    fixture *f = pool_of(4, four);
    open_session(f, (es_session_options){.threads = 2, .read_only = true});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_int_equal(es_session_best(f->session), SIZE_MAX);
    assert_int_equal(es_session_start(f->session, NULL), ES_EINVAL);
    assert_int_equal(es_session_thread_count(f->session), 0);
    close_session(f);
    run_all(f, (es_session_options){.threads = 2, .estimator = "linear"});
    close_session(f);
    open_session(f, (es_session_options){.threads = 2, .read_only = true});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    assert_int_equal(es_session_best(f->session), 0);
    close_session(f);
    run_all(f, (es_session_options){.threads = 2, .estimator = "knife"});
    close_session(f);
    open_session(f, (es_session_options){.threads = 2, .read_only = true});
    assert_int_equal(settle(f), ES_PHASE_DONE);
    assert_int_equal(es_session_best(f->session), 1);
    assert_int_equal(progress(f).reused, 32);
}

TEST(session__equal_contents__share_results) {
    fixture *f = pool_of(3, four);
    support_write_random_npy(f->dir, "m3.npy", 17, ROWS, four[0]); /* m0 again */
    run_all(f, (es_session_options){.threads = 1, .estimator = "linear"});
    const es_results *r = es_session_results(f->session, 0);
    assert_int_equal(r->done, 16);
    for (size_t i = 0; i < 4; i++)
        assert_true(r->is[0 * 4 + i] == r->is[3 * 4 + i]);
    assert_int_equal(atomic_load(&fake.pairs), 9);
    close_session(f);
    run_all(f, (es_session_options){.threads = 1, .estimator = "linear"});
    assert_int_equal(progress(f).reused, 16);
}

TEST(session__binary_targets__are_other_pairs) {
    fixture *f = pool_of(0, NULL);
    static double bits[2][ROWS * 3];
    for (size_t i = 0; i < (size_t)2 * ROWS * 3; i++)
        bits[i / (ROWS * 3)][i % (ROWS * 3)] = (double)(i * i % 7 % 2);
    support_write_npy(f->dir, "a.npy", ROWS, 3, bits[0]);
    support_write_npy(f->dir, "b.npy", ROWS, 3, bits[1]);
    run_all(f, (es_session_options){.threads = 1, .estimator = "linear"});
    close_session(f);
    support_write_text(f->dir, "pool.json",
                       "{\"models\":[{\"name\":\"a\",\"file\":\"a.npy\",\"kind\":\"binary\"},"
                       "{\"name\":\"b\",\"file\":\"b.npy\",\"kind\":\"binary\"}]}");
    run_all(f, (es_session_options){.threads = 1, .estimator = "linear", .with_pmi = true});
    assert_int_equal(progress(f).reused, 0);
    close_session(f);
    run_all(f, (es_session_options){.threads = 1, .estimator = "linear"});
    assert_int_equal(progress(f).reused, 4);
}

/* Values under a setting that nobody follows would be taken for what it says. */
TEST(plan__binary_targets__only_of_who_knows_them) {
    static const char *const blind[] = {"linear", "flow", "l2"};
    const char *binary[] = {"target=binary", NULL}, *continuous[] = {"target=continuous", NULL};
    char message[160];
    for (size_t i = 0; i < sizeof blind / sizeof *blind; i++) {
        const es_session_options refused = {.estimator = blind[i], .settings = binary};
        const es_session_options taken = {.estimator = blind[i], .settings = continuous};
        (void)snprintf(
            message, sizeof message,
            "target=binary: %s takes all targets as continuous; knife knows this setting",
            blind[i]);
        assert_error_is(es_session_check(&refused, test_err()), ES_EINVAL, message);
        assert_ok(es_session_check(&taken, test_err()));
    }
    const es_session_options known = {.estimator = "knife", .settings = binary};
    assert_ok(es_session_check(&known, test_err()));
    /* without a name: the part of the standard plan that follows */
    char dir[SUPPORT_PATH];
    support_temp_dir(dir);
    static double values[ROWS * 3];
    for (size_t i = 0; i < (size_t)ROWS * 3; i++)
        values[i] = (double)(i * i % 7 % 2);
    support_write_npy(dir, "a.npy", ROWS, 3, values);
    for (size_t i = 0; i < 2; i++) {
        const es_session_options open = {
            .settings = i ? continuous : binary, .no_store = true, .threads = 1};
        es_session *s = NULL;
        assert_ok(es_session_open(dir, &open, &s, test_err()));
        assert_int_equal(es_session_plan(s), i ? 3 : 1);
        size_t last = es_session_plan(s) - 1;
        assert_string_equal(es_session_config(s, last)->estimator->name, "knife");
        assert_contains(es_session_config(s, last)->text, *open.settings);
        es_session_close(s);
    }
}

/* What is set is part of the key and of every document, whatever pool.json says of the embedders.
 */
TEST(session__target__reaches_the_settings) {
    static const char *const words[] = {"target=binary", "target=continuous"};
    static double bits[ROWS * 3];
    char dir[SUPPORT_PATH];
    support_temp_dir(dir);
    for (size_t i = 0; i < (size_t)ROWS * 3; i++)
        bits[i] = (double)(i * i % 7 % 2);
    support_write_npy(dir, "a.npy", ROWS, 3, bits);
    support_write_text(dir, "pool.json",
                       "{\"models\":[{\"name\":\"a\",\"file\":\"a.npy\",\"kind\":\"binary\"}]}");
    for (size_t i = 0; i < 2; i++) {
        const char *settings[] = {words[i], NULL};
        const es_session_options options = {
            .estimator = "knife", .settings = settings, .no_store = true, .threads = 1};
        es_session *s = NULL;
        assert_ok(es_session_open(dir, &options, &s, test_err()));
        assert_contains(es_session_config(s, 0)->text, words[i]);
        es_session_close(s);
    }
}

/* ---- memory ---- */

TEST(session__memory__is_flat_over_a_thousand_pairs) {
    enum { MODELS = 33 };
    size_t dims[MODELS];
    for (size_t i = 0; i < MODELS; i++)
        dims[i] = FAKE_BIG; /* says that it takes 4 GB: over any budget */
    fixture *f = pool_of(MODELS, dims);
    open_session(f, (es_session_options){.threads = 2, .no_store = true, .estimator = "linear"});
    assert_ok(es_session_start(f->session, NULL));
    int most = 0;
    double until = es_clock_now() + 200;
    while (es_session_phase(f->session) != ES_PHASE_DONE && es_clock_now() < until) {
        pump(f, 10);
        int live = atomic_load(&fake.live);
        most = live > most ? live : most;
    }
    assert_int_equal(progress(f).done, MODELS * MODELS);
    assert_true(most <= 2 * 2 + 2); /* a source and a target a thread, and those just being made */
    assert_int_equal(atomic_load(&fake.live), 0);
}

TEST(session__store_full__keeps_results_and_stores_them_later) {
    es_log *log = NULL;
    assert_ok(es_log_open(NULL, ES_LOG_INFO, &log, NULL));
    fixture *f = pool_of(4, four);
    open_session(
        f, (es_session_options){.threads = 2, .estimator = "linear", .log = log, .with_pmi = true});
    assert_int_equal(settle(f), ES_PHASE_IDLE);
    /* A file of no further growth, as on a full disk. */
    struct rlimit before, tight = {4096, 4096};
    getrlimit(RLIMIT_FSIZE, &before);
    tight.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    double started = es_clock_now();
    assert_ok(es_session_start(f->session, NULL));
    assert_int_equal(settle(f), ES_PHASE_DONE);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(f->session->store_again > started); /* not asked again for every pair */
    assert_int_equal(es_session_store_problem(f->session, test_err()), ES_EIO);
    assert_true(test_message()[0] != '\0');
    assert_int_equal(progress(f).done, 16);
    assert_true(logged(log, "(results are kept in memory)"));
    const es_results *r = es_session_results(f->session, 0);
    size_t rows = r->n_eval;
    float *kept = test_alloc(16 * rows, sizeof *kept);
    for (size_t i = 0; i < 16; i++)
        memcpy(kept + i * rows, r->pmi[i], rows * sizeof *kept);
    close_session(f); /* tries again: there is room now */
    es_log_close(log);
    atomic_store(&fake.pairs, 0);
    run_all(f, (es_session_options){.threads = 2, .estimator = "linear", .with_pmi = true});
    assert_int_equal(progress(f).reused, 16);
    assert_int_equal(atomic_load(&fake.pairs), 0);
    r = es_session_results(f->session, 0);
    for (size_t i = 0; i < 16; i++)
        assert_memory_equal(kept + i * rows, r->pmi[i], rows * sizeof *kept);
}

/* ---- the real thing ---- */

TEST(session__sample_data__same_bits_for_one_and_two_threads) {
    fixture f = {ES_SAMPLE_DATA "/molecules", NULL};
    const char *settings[] = {"lambda=1", NULL};
    double *first = NULL;
    size_t bytes = 0;
    memset(&fake, 0, sizeof fake);
    for (unsigned threads = 1; threads <= 2; threads++) {
        es_session_options options = {
            .threads = threads,
            .estimator = "linear",
            .settings = settings,
            .no_store = true,
            .pool = {.models = "atombag_32,desc_phys16,*stats16", .rows = {ES_ROWS_FIRST, 250}}};
        assert_ok(es_session_open(f.dir, &options, &f.session, NULL));
        assert_ok(es_session_start(f.session, NULL));
        assert_int_equal(settle(&f), ES_PHASE_DONE);
        es_progress p = progress(&f);
        assert_true(p.done == p.total && p.failed == 0);
        double *all = values(&f, 0, &bytes);
        if (first)
            assert_memory_equal(all, first, bytes);
        first = all;
        close_session(&f);
    }
}

TEST(session__matrix__is_a_finished_session) {
    char dir[SUPPORT_PATH], matrix[SUPPORT_PATH], scores[SUPPORT_PATH];
    support_temp_dir(dir);
    support_write_text(dir, "is.csv", ",a,b\na,1,0.5\nb,,2\n");
    support_write_text(dir, "scores.csv", "model,task\na,1\nb,2\n");
    es_session *s = NULL;
    const es_matrix_files files = {.matrix = support_path(matrix, dir, "is.csv"),
                                   .scores = support_path(scores, dir, "scores.csv")};
    es_status st = es_session_open_matrix(&files, &s, test_err());
    if (st != ES_OK)
        fail_msg("%s", test_message());
    assert_int_equal(es_session_phase(s), ES_PHASE_DONE);
    assert_int_equal(es_session_plan(s), 1);
    assert_int_equal(es_session_best(s), 0);
    assert_true(es_session_fd(s) >= 0);
    assert_int_equal(es_session_thread_count(s), 0);
    assert_true(es_session_read_only(s));
    assert_int_equal(es_session_pump(s, 1), 0);
    assert_null(es_session_pool(s));
    assert_null(es_session_config(s, 0)->estimator);
    assert_true(es_session_results(s, 0)->is[1] == 0.5);
    assert_string_equal(es_session_scores_name(s), "scores.csv");
    assert_int_equal(es_session_start(s, NULL), ES_EINVAL);
    es_session_pause(s, true);
    es_session_cancel(s);
    assert_int_equal(es_session_retry(s), 0);
    es_progress p;
    es_session_progress(s, &p);
    assert_int_equal(p.total, 4);
    assert_int_equal(p.done, 3);
    es_decision_problem problem = problem_of(s, 0);
    assert_ok(es_rank_task_start(s, &problem, 1, NULL));
    uint64_t tag = 0;
    bool busy = true;
    while (newest_decision(s, &tag, &busy) == NULL && busy) {
        struct pollfd wake = {es_session_fd(s), POLLIN, 0};
        poll(&wake, 1, 1000);
        es_session_pump(s, 0);
    }
    assert_int_equal(tag, 1);
    assert_false(newest_decision(s, &tag, &busy)->said);
    assert_int_equal(es_session_thread_count(s), 0); /* still nothing to start */
    const es_scores *given = NULL;
    assert_ok(es_session_scores(s, NULL, &given, NULL));
    assert_int_equal(given->models, 2);
    es_session_close(s);
    es_session_close(NULL);
}

/* By what messages call the file of scores; where none was given, what it would be called. */
TEST(session__scores_name__is_the_files) {
    static const char *const names[] = {NULL, "s", "some scores.csv"};
    static const char *const expected[] = {"scores.csv", "s", "some scores.csv"};
    char dir[SUPPORT_PATH], matrix[SUPPORT_PATH], scores[SUPPORT_PATH];
    support_temp_dir(dir);
    support_write_text(dir, "is.csv", ",a,b\na,1,0.5\nb,,2\n");
    for (size_t i = 0; i < 3; i++) {
        es_matrix_files files = {.matrix = support_path(matrix, dir, "is.csv")};
        es_session *s = NULL;
        if (names[i]) {
            support_write_text(dir, names[i], "model,task\na,1\nb,2\n");
            files.scores = support_path(scores, dir, names[i]);
        }
        assert_ok(es_session_open_matrix(&files, &s, NULL));
        assert_string_equal(es_session_scores_name(s), expected[i]);
        es_session_close(s);
    }
}

/* tasks.csv beside the file of scores that was given by name says what its tasks are. */
TEST(session__scores__have_the_tasks_beside_them) {
    char dir[SUPPORT_PATH], matrix[SUPPORT_PATH], scores[SUPPORT_PATH];
    const es_scores *given = NULL;
    es_session *s = NULL;
    support_temp_dir(dir);
    support_write_text(dir, "is.csv", ",a,b\na,1,0.5\nb,,2\n");
    support_write_text(dir, "s.csv", "model,t,u\na,1,2\nb,2,3\n");
    support_write_text(dir, "tasks.csv", "task,weight\nu,3\n");
    es_matrix_files files = {.matrix = support_path(matrix, dir, "is.csv"),
                             .scores = support_path(scores, dir, "s.csv")};
    assert_ok(es_session_open_matrix(&files, &s, NULL));
    assert_ok(es_session_scores(s, NULL, &given, NULL));
    assert_true(given->about && given->about[1].weight == 3);
    es_session_close(s);
    s = NULL;
    support_write_text(dir, "tasks.csv", "task,weight\nnone,3\nu,-1\n");
    assert_error(es_session_open_matrix(&files, &s, test_err()), ES_EFORMAT, "tasks.csv");
}
