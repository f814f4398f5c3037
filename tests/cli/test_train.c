/* `derive --cmim` and `apply` as users see them: what lies in the pool afterwards, interruption of
 * any kind, and input that cannot be trained on. */
#include "program.h"
#include "cmim_train.h"
#include "sanitized.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

#define DERIVED "pool/.embedscope/derived/"
#define LONG_NAME "an-embedder-with-a-name-that-is-rather-long-as-they-are-" /* two fill a list */
#define LONG (SANITIZED ? "steps=4000" : "steps=8000")                       /* to be cut off */

/* Are two files the same bytes? */
static bool same(const char *a, const char *b) {
    char line[3 * PATH_ROOM];
    (void)snprintf(line, sizeof line, "cmp -s '%s' '%s'", a, b);
    return system(line) == 0;
}

static bool exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

static unsigned mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 0777;
}

static void keep(const char *to) {
    char line[PATH_ROOM];
    (void)snprintf(line, sizeof line, "rm -rf %s && cp -r pool/.embedscope/derived %s", to, to);
    assert_int_equal(system(line), 0);
}

static void expect_same_as(const char *kept) {
    static const char *const files[] = {"n.mu.npy", "n.info.npy", "n.safetensors", "n.mu.json"};
    char path[PATH_ROOM];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char now[PATH_ROOM];
        (void)snprintf(path, sizeof path, "%s/%s", kept, files[i]);
        (void)snprintf(now, sizeof now, DERIVED "%s", files[i]);
        if (!same(path, now))
            fail_msg("%s differs from %s", now, path);
    }
}

static void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

TEST(train__several_joined__are_members) {
    make_pool("pool");
    es_json_value root = RUN_JSON("derive", "pool", "a,b", "--cmim", "3", "--set",
                                  "steps=200 hidden=16", "--name", "n", "--json"),
                  training = member(&root, "training", ES_JSON_OBJECT);
    assert_true(number_of(&root, "dim") == 3 && number_of(&training, "columns") == 14);
    assert_true(number_of(&training, "steps") == 200);
    assert_true(isfinite(number_of(&training, "loss")));
    assert_false(exists(DERIVED "n.training"));

    char *side = slurp(DERIVED "n.info.json");
    assert_non_null(side);
    assert_contains(side, "\"recipe\": \"mode=cmim decoder=gaussian scale=auto k=3 hidden=16");
    assert_contains(side, "\"model\": \"n.safetensors\"");
    assert_contains(side, "\"name\": \"b\"");
    run_result r = RUN_OK("info", "pool");
    assert_contains(r.out, "n.mu");
    assert_contains(r.out, "n.info");

    /* what it was trained on has changed */
    add_model("pool", "b", 240, 8, 7, 0.3);
    assert_contains(RUN_OK("info", "pool").out, "b has changed since it was derived");
    RUN_OK("derive", "pool", "a,b", "--cmim", "3", "--set", "steps=10", "--name", "n");
}

/* Whoever has the document alone knows how it was made and what is to be minded. */
TEST(train__json__holds_settings_embedders_and_notes) {
    make_pool("pool");
    run_result r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20 tau=1000",
                          "--name", "n", "--json", "-q");
    assert_string_equal(r.err, "");
    es_json_value root = parse_json(r.out), settings = member(&root, "settings", ES_JSON_OBJECT),
                  names = member(&root, "embedders", ES_JSON_ARRAY);
    assert_string_equal(text_of(&settings, "mode"), "cmim");
    assert_string_equal(text_of(&settings, "sample"), "no");
    assert_true(number_of(&settings, "k") == 2 && number_of(&settings, "tau") == 1000);
    assert_true(number_of(&settings, "batch") == 60); /* as it was used */
    assert_int_equal((int)es_json_count(&names), 2);
    assert_contains(r.out, "\"embedders\": [\"n.mu\", \"n.info\"]");
    assert_contains(r.out, "240 rows are fewer than 4 batches of 100: batches of 60");
    assert_contains(r.out, "contrastive term inactive: with a tau of 1000");
    r = RUN_OK("derive", "pool", "a", "--whiten", "--name", "w", "--json", "-q");
    assert_contains(r.out, "\"notes\": []");
    double flat[24 * 2];
    for (size_t i = 0; i < 24; i++) {
        flat[2 * i] = (double)(i * i % 7);
        flat[2 * i + 1] = 1;
    }
    assert_int_equal(mkdir("flat", 0700), 0);
    write_npy("flat/a.npy", flat, 24, 2);
    r = RUN_OK("derive", "flat", "a", "--whiten", "--json", "-q");
    assert_contains(r.out, "1 of 2 directions have variance and are kept\"");
}

/* A loss is of something: of a batch, or of the validation rows, whose best step is kept. */
TEST(train__text__says_what_the_loss_is_of) {
    make_pool("pool");
    run_result r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20", "--name", "n");
    assert_contains(r.out, " of 20, best on the validation rows, loss there ");
    r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20 validation=0", "--name",
               "m");
    assert_contains(r.out, "step 20 of 20, loss of its batch ");
}

/* Pairs that are stored are none of its work. */
TEST(train__progress__is_of_steps) {
    make_pool("pool");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    run_result r =
        RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=2000", "--name", "n");
    assert_lacks(r.err, "pairs");
    r = RUN_OK("derive", "pool", "a", "--whiten");
    assert_lacks(r.err, "pairs");
}

TEST(train__settings_that_a_mode_passes_over__are_noted) {
    static const struct {
        const char *settings, *note;
    } cases[] = {{"steps=5 mode=ae tau=0.5", "tau has no effect on mode ae"},
                 {"steps=5 mode=infonce sample=yes", "sample has no effect on mode infonce"},
                 {"steps=5 mode=vae corrupt=0.5", "corrupt has no effect on mode vae"},
                 {"steps=5 tau=0.5 sample=yes", NULL}};
    make_pool("pool");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[2] = {(char)('p' + i), '\0'};
        run_result r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", cases[i].settings,
                              "--name", name);
        assert_true(cases[i].note ? strstr(r.err, cases[i].note) != NULL
                                  : strstr(r.err, "no effect") == NULL);
    }
}

/* InfoNCE has an encoder alone: its second embedder is that one's, and its model holds no more. */
TEST(train__infonce__is_an_encoder) {
    static const char model[] = DERIVED "n.safetensors";
    make_pool("pool");
    RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20 hidden=8", "--mode", "infonce",
           "--name", "n");
    char *side = slurp(DERIVED "n.info.json");
    assert_contains(side, "by infonce: its encoder's hidden layer");
    assert_int_equal(system("grep -aq encoder.0.weight " DERIVED "n.safetensors"), 0);
    assert_int_not_equal(
        system("grep -aq -e decoder.0 -e logvar -e output " DERIVED "n.safetensors"), 0);
    RUN_OK("apply", model, "pool/a.npy", "--info", "-o", "info.npy");
    assert_true(same("info.npy", DERIVED "n.info.npy"));
    run_result r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20 hidden=8",
                          "--mode", "infonce", "--name", "n");
    assert_contains(r.err, "made before");
}

/* Help and docs know every setting. */
TEST(train__settings__are_all_told) {
    run_result r = RUN("derive", "--help=all");
    char *page = slurp(ES_TEST_DATA "/../docs/derive.md"),
         *section = strstr(page, "## Trained without labels"), *end = strstr(section, "```python");
    *end = '\0';
    for (size_t i = 0; i < es_cmim_setting_count; i++) {
        char said[80];
        const char *key = es_cmim_settings[i].key;
        (void)snprintf(said, sizeof said, "--set %s=", key);
        if (!strstr(r.out, said))
            fail_msg("derive --help does not know %s", key);
        bool told = false;
        for (const char *at = section; !told && (at = strstr(at, key)) != NULL; at++)
            told = strchr(" ,(`\n-", at[-1]) && strchr(" ,)\n", at[strlen(key)]);
        if (!told)
            fail_msg("docs/derive.md does not know %s", key);
    }
    assert_lacks(r.out, "--estimator");
}

/* An option of derive's own that would be skipped is refused by name, before anything is made.
 */
TEST(derive__options_that_do_nothing__are_refused) {
    static const struct {
        const char *word[6], *said;
    } cases[] = {
        {{"--pca", "3", "--mode", "vae"}, "--mode goes with --cmim"},
        {{"--pca", "3", "--sweep", "batch=2,3"}, "--sweep goes with --cmim"},
        {{"--pca", "3", "-o", "o.csv"}, "no csv|--json"},
        {{"--cmim", "2", "--set", "k=3"}, "--cmim 2|--set k=2"},
        {{"--cmim", "--mode", "ae", "--set", "mode=vae"}, "--mode ae|--set mode=ae"},
        {{"--cmim", "2", "--sweep", "k=2,3"}, "--sweep k=2,3|already"},
        {{"--cmim", "--sweep", "tau=0.1,1", "--sweep", "tau=0.5"}, "'tau' is named twice"},
        {{"--cmim", "--sweep", "tau=1,1"}, "stands there twice"},
    };
    make_pool("pool");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *list[12] = {"derive", "pool", "a"};
        for (size_t k = 0; cases[i].word[k]; k++)
            list[3 + k] = cases[i].word[k];
        expect_error(run_list(list), 2, cases[i].said);
    }
    assert_false(exists("o.csv") || exists("pool/.embedscope/derived"));
    expect_error(RUN("derive", "pool", "--remove", "x", "--name", "y"), 2, "--name");
    expect_error(RUN("derive", "pool", "--remove", "x", "--mode", "ae"), 2, "--mode");
    run_result r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "k=2 steps=5", "--name",
                          "n"); /* said twice, and the same */
    static const char *const idle[][2] = {
        {"--preset", "paper-nlp"},
        {"--estimator", "knife"},
        {"--refresh"},
        {"--null"},
        {"--format", "md"},
        {"--csv"},
        {"--set", "lambda=2"},
    }; /* options of all commands are taken, and noted */
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        char said[60], name[8];
        (void)snprintf(said, sizeof said, "%s has no effect here", idle[i][0]);
        (void)snprintf(name, sizeof name, "w%zu", i);
        r = RUN_OK("derive", "pool", "a", "--pca", "3", "--name", name, idle[i][0], idle[i][1]);
        assert_contains(r.err, said);
    }
}

/* Two lists of sources with one beginning get no name of each other. */
TEST(train__long_source_lists__do_not_share_a_name) {
    static const char *const list[] = {LONG_NAME "1," LONG_NAME "2," LONG_NAME "3",
                                       LONG_NAME "1," LONG_NAME "2," LONG_NAME "4"};
    add_model("pool", LONG_NAME "1", 60, 3, 1, 0.1);
    add_model("pool", LONG_NAME "2", 60, 3, 2, 0.1);
    add_model("pool", LONG_NAME "3", 60, 3, 3, 0.1);
    add_model("pool", LONG_NAME "4", 60, 3, 4, 0.1);
    RUN_OK("derive", "pool", list[0], "--cmim", "2", "--set", "steps=5");
    expect_error(RUN("derive", "pool", list[1], "--cmim", "2", "--set", "steps=5"), 2,
                 "already|another name");
}

TEST(train__names_with_commas_and_all__are_taken) {
    make_pool("pool");
    add_model("pool", "x,y", 240, 3, 11, 0.1);
    run_result r =
        RUN_OK("derive", "pool", "x,y", "--cmim", "2", "--set", "steps=5", "--name", "n", "--json");
    assert_contains(r.out, "\"columns\": 3,");
    r = RUN_OK("derive", "pool", "all", "--cmim", "2", "--set", "steps=5", "--name", "m",
               "--json"); /* 6 + 8 + 5 + 4 + 3; not what is derived */
    assert_contains(r.out, "\"columns\": 26,");
}

/* What is typed as a name reaches lines and documents as the pool has it, and finds it again. */
TEST(derive__names_with_controls__are_clean) {
    static const char *const names[] = {"q\033[1m\a", "q\xc2\x9b[1m", "q\x9b[1m", NULL};
    make_pool("pool");
    for (size_t i = 0; names[i]; i++) {
        run_result runs[] = {
            RUN("derive", "pool", "a", "--whiten", "--name", names[i]),
            RUN("derive", "pool", "--remove", names[i]),
            RUN("derive", "pool", "a", "--cmim", "2", "--set", "steps=5", "--name", names[i]),
            RUN("derive", "pool", "--remove", names[i], "--json")};
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
            expect_code(&runs[k], 0);
            assert_contains(runs[k].out, "q\xef\xbf\xbd[1m");
            for (const char *at = runs[k].out; *at; at++)
                assert_true(*at == '\n' || (unsigned char)*at >= ' ');
            assert_lacks(runs[k].out, "\xc2\x9b");
            assert_lacks(runs[k].out, "q\x9b");
        }
    }
}

/* What was trained under a name that an ordinary embedder has goes by it, and alone. */
TEST(remove__name_of_an_embedder__takes_what_was_trained) {
    make_pool("pool");
    RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=5", "--name", "b");
    assert_true(exists(DERIVED "b.mu.npy") && exists(DERIVED "b.info.npy"));
    assert_contains(RUN_OK("derive", "pool", "--remove", "b").out, "b is removed");
    assert_false(exists(DERIVED "b.mu.npy") || exists(DERIVED "b.info.npy"));
    assert_true(exists("pool/b.npy"));
    expect_error(RUN("derive", "pool", "--remove", "b"), 2, "b is not derived");
    assert_true(exists("pool/b.npy"));
}

TEST(train__again_or_with_other_threads__is_the_same) {
    static const char *const threads[] = {"1", "2"};
    make_pool("pool");
    for (size_t i = 0; i < 2; i++) {
        RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=150", "--name", "n",
               "--threads", threads[i]);
        if (i == 0) {
            keep("one");
            assert_int_equal(system("rm -rf pool/.embedscope"), 0);
        }
    }
    expect_same_as("one");
    run_result r =
        RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=150", "--name", "n");
    assert_contains(r.err, "nothing to do");
    expect_same_as("one");
    expect_error(RUN("derive", "pool", "a", "--cmim", "2", "--set", "steps=151", "--name", "n"), 2,
                 "n.mu|already|another name");
    expect_same_as("one");
}

/* Starts training that takes long enough, and ends it once its state was written down. Returns how
 * long the end took, in milliseconds. */
static double cut_off(int number, int expected) {
    (void)unlink("err");
    pid_t child = start_program((const char *const[]){"derive", "pool", "a,b,d10", "--cmim", "4",
                                                      "--set", LONG, "--name", "n", NULL},
                                "out", "err");
    struct timespec from, to;
    bool begun = false;
    for (int i = 0; i < 20000 && !begun; i++) {
        char *said = slurp("err");
        begun = said && strstr(said, "step ") && exists(DERIVED "n.training");
        sleep_ms(1);
    }
    assert_true(begun);
    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    (void)kill(child, number);
    int code = wait_program(child);
    (void)clock_gettime(CLOCK_MONOTONIC, &to);
    assert_int_equal(code, expected);
    assert_false(exists(DERIVED "n.mu.npy"));
    return 1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec);
}

TEST(train__killed_or_interrupted__goes_on_to_the_same_bytes) {
    make_pool("pool");
    RUN_OK("derive", "pool", "a,b,d10", "--cmim", "4", "--set", LONG, "--name", "n");
    keep("whole");
    assert_int_equal(system("rm -rf pool/.embedscope"), 0);
    (void)cut_off(SIGKILL, 256 + SIGKILL);
    double took = cut_off(SIGINT, 130);
    if (took > 1000) /* a tenth of that on a machine that is not busy */
        fail_msg("interrupted after %.0f ms", took);
    expect_error(RUN("derive", "pool", "a", "--cmim", "4", "--name", "n"), 2,
                 "under way|n.training");
    expect_error(RUN("derive", "pool", "a,b,d10", "--cmim", "3", "--name", "n"), 2, "under way");
    assert_true(exists(DERIVED "n.training"));
    es_json_value root = RUN_JSON("derive", "pool", "a,b,d10", "--cmim", "4", "--set", LONG,
                                  "--name", "n", "--json"),
                  training = member(&root, "training", ES_JSON_OBJECT);
    assert_true(number_of(&training, "resumed") > 0);
    expect_same_as("whole");

    /* of contents that are others now nothing can go on */
    assert_int_equal(system("rm -rf pool/.embedscope"), 0);
    (void)cut_off(SIGKILL, 256 + SIGKILL);
    add_model("pool", "b", 240, 8, 7, 0.3);
    run_result r =
        RUN_OK("derive", "pool", "a,b,d10", "--cmim", "4", "--set", "steps=20", "--name", "n");
    assert_contains(r.err, "starts anew");
}

TEST(train__bad_input__is_a_clear_error) {
    make_pool("pool");
    expect_error(RUN("derive", "pool", "a", "--cmim", "9", "--name", "n"), 2, "k=9|6 columns");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--set", "tau=0", "--name", "n"), 2,
                 "tau=0|expected");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--set", "tau=-1", "--name", "n"), 2, "tau");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--set", "wing=1", "--name", "n"), 2, "wing");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--mode", "gan", "--name", "n"), 2,
                 "mode=gan|cmim");
    expect_error(RUN("derive", "pool", "a,a", "--cmim", "--name", "n"), 2, "twice");
    expect_error(RUN("derive", "pool", "a,zz", "--cmim", "--name", "n"), 2, "zz");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--pca", "2", "--name", "n"), 2, "one way");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--sweep", "batch", "--name", "n"), 2,
                 "KEY=VALUE");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--sweep", "batch=2,x", "--name", "n"), 2,
                 "batch=x");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--set", "decoder=bernoulli", "--name", "n"),
                 2, "column 0|Bernoulli|scale=minmax");
    expect_error(RUN("derive", "pool", "a", "--cmim", "--rows", "60", "--name", "n"), 2, "--rows");
    /* nothing of this has left a trace */
    assert_int_equal(system("test -z \"$(ls " DERIVED ")\""), 0);

    add_model("pool", "x.mu", 240, 3, 9, 1);
    expect_error(RUN("derive", "pool", "a", "--cmim", "2", "--name", "x"), 2, "x.mu|already");

    run_result r = RUN("derive", "pool", "a", "--cmim", "2", "--name", "wild", "--set",
                       "rate=1000 activation=relu steps=3000 warmup=0.9 clip=1e9");
    if (r.code == 0)
        assert_contains(r.err, "not finite any more at step");
    else
        assert_contains(r.err, "before there were weights");
}

TEST(train__few_rows_and_constant_columns__are_said) {
    double values[40 * 3];
    for (size_t i = 0; i < 40; i++) {
        values[3 * i] = sin((double)i);
        values[3 * i + 1] = 4;
        values[3 * i + 2] = cos(1.3 * (double)i);
    }
    assert_int_equal(mkdir("pool", 0700), 0);
    write_npy("pool/a.npy", values, 40, 3);
    write_npy("pool/b.npy", values, 40, 3);
    run_result r = RUN_OK("derive", "pool", "a", "--cmim", "--set", "steps=50", "--name", "n");
    assert_contains(r.err, "1 of 3 columns are constant");
    assert_contains(r.err, "batches of 10");
    assert_contains(r.out, "40 rows, 2 and 256 columns");
}

TEST(train__one_sweep__makes_every_combination) {
    make_pool("pool");
    run_result r = RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20", "--sweep",
                          "batch=2,10", "--sweep", "mode=cmim,ae,infonce", "--name", "s", "--json");
    es_json_value root = parse_json(r.out), list = member(&root, "sweep", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&list), 6);
    assert_true(exists(DERIVED "s-batch2-cmim.mu.npy"));
    assert_true(exists(DERIVED "s-batch10-infonce.info.json"));
    /* a sweep that was cut off makes what is missing */
    assert_int_equal(system("rm " DERIVED "s-batch2-ae.*"), 0);
    RUN_OK("derive", "pool", "a", "--cmim", "2", "--set", "steps=20", "--sweep", "batch=2,10",
           "--sweep", "mode=cmim,ae,infonce", "--name", "s");
    assert_true(exists(DERIVED "s-batch2-ae.mu.npy"));
}

TEST(train__swept_and_probed__is_summed_up) {
    make_pool("pool");
    FILE *labels = fopen("pool/labels.csv", "w");
    assert_non_null(labels);
    fprintf(labels, "row,label\n");
    for (int i = 0; i < 240; i++)
        fprintf(labels, "%d,%d\n", i, i % 3 == 0);
    fclose(labels);
    RUN_OK("derive", "pool", "b", "--cmim", "2", "--set", "steps=20 hidden=6", "--sweep",
           "batch=2,5,20", "--name", "s", "-q");
    expect_error(RUN("measure", "pool", "probe", "--sweep", "t"), 2, "'t'|derive --cmim --sweep");
    expect_error(RUN("measure", "pool", "cka", "--sweep", "s"), 2, "probe");
    es_json_value root = RUN_JSON("measure", "pool", "probe", "--sweep", "s", "--json", "-q"),
                  rivals = member(&root, "rivals", ES_JSON_ARRAY),
                  members = member(&root, "members", ES_JSON_ARRAY);
    assert_int_equal(count_of(&root, "settings"), 3);
    assert_int_equal(es_json_count(&members), 7); /* three of each part, and the source */
    assert_int_equal(es_json_count(&rivals), 3);
    double rank = 0;
    for (es_json_value v = es_json_first(&rivals); v.node; v = es_json_next(&v)) {
        const char *name = text_of(&v, "rival");
        assert_true(number_of(&v, "mean_rank") >= rank); /* best first */
        rank = number_of(&v, "mean_rank");
        if (strcmp(name, "b") == 0)
            continue;
        assert_true(strcmp(name, "cmim mu") == 0 || strcmp(name, "cmim info") == 0);
        assert_true(number_of(&v, "members") == 3 && number_of(&v, "of") == 3);
        assert_true(number_of(&v, "slope_low") <= number_of(&v, "slope"));
        assert_true(number_of(&v, "slope") <= number_of(&v, "slope_high"));
        assert_true(number_of(&v, "p") >= 0 && number_of(&v, "p") <= 1);
    }
    run_result r = RUN_OK("measure", "pool", "probe", "--sweep", "s", "-q");
    assert_contains(r.out, "a large p is no proof");
    /* drawn: lines over sizes of a batch, and a slope an objective */
    static const char *const views[][2] = {{"objectives", "mean z score"},
                                           {"slopes", "slope of z"}};
    for (size_t k = 0; k < 2; k++) {
        RUN_OK("export", "pool", views[k][0], "--sweep", "s", "-o", "drawn.svg", "-q");
        char *drawn = slurp_words("drawn.svg");
        assert_contains(drawn, views[k][1]);
        assert_contains(drawn, "cmim info");
    }
    expect_error(RUN("export", "pool", "objectives", "-o", "drawn.svg"), 2, "--sweep NAME");
    expect_error(RUN("export", "pool", "ranking", "--sweep", "s", "-o", "drawn.svg"), 2, "--sweep");
}

/* As of every file that -o names; what lies in the pool is the user's own. */
TEST(apply__its_file__has_the_mode_of_any_other) {
    static const char model[] = DERIVED "n.safetensors";
    make_pool("pool");
    mode_t mask = umask(022);
    RUN_OK("derive", "pool", "a", "--cmim", "3", "--set", "steps=60", "--name", "n");
    assert_int_equal(mode_of(DERIVED "n.mu.npy"), 0600);
    for (int again = 0; again < 2; again++) { /* a new file, and one that is there */
        RUN_OK("apply", model, "pool/a.npy", "-o", "mu.npy");
        assert_int_equal(mode_of("mu.npy"), 0644);
    }
    umask(027);
    run_result r = RUN("apply", model, "pool/a.npy", "-o", "mu.npy");
    umask(mask);
    expect_code(&r, 0);
    assert_int_equal(mode_of("mu.npy"), 0640);
}

TEST(apply__same_rows__are_the_members) {
    static const char model[] = DERIVED "n.safetensors";
    make_pool("pool");
    RUN_OK("derive", "pool", "a", "--cmim", "3", "--set", "steps=60 layers=2", "--name", "n");
    RUN_OK("apply", model, "pool/a.npy", "-o", "mu.npy");
    RUN_OK("apply", model, "pool/a.npy", "--info", "-o", "info.npy");
    assert_true(same("mu.npy", DERIVED "n.mu.npy"));
    assert_true(same("info.npy", DERIVED "n.info.npy"));

    assert_int_equal(system("python3 '" ES_TEST_DATA "/cli/read_model.py' " DERIVED
                            "n.safetensors pool/a.npy mu.npy info.npy"),
                     0);

    RUN_OK("apply", model, "pool/a.npy", "-o", "again.npy", "--memory=1M", "--threads=1");
    assert_true(same("again.npy", "mu.npy"));
    expect_error(RUN("apply", model, "pool/a.npy", "-o", "o.npy", "--memory=10000"), 3,
                 "a.npy|240 rows need|--memory 1M");
    expect_error(RUN("apply", model, "pool/b.npy", "-o", "o.npy"), 2, "8 columns|takes 6");
    expect_error(RUN("apply", "pool/a.npy", "pool/a.npy", "-o", "o.npy"), 3, "a.npy|safetensors");
    expect_error(RUN("apply", model, "pool/a.npy"), 2, "-o OUT.npy");
    expect_error(RUN("apply", model, "pool/a.npy", "-o", "o.csv"), 2, "o.csv|.npy alone");
    expect_error(RUN("apply", model, "pool/a.npy", "-o", "o"), 2, ".npy alone");
    assert_false(exists("o.npy") || exists("o.csv") || exists("o"));
    run_result r = RUN_OK("apply", model, "pool/a.npy", "-o", "idle.npy", "--json");
    assert_contains(r.err, "--json has no effect here");
    r = RUN("apply", "--help");
    assert_lacks(r.out, "--csv");
    assert_contains(r.out, "--output");
    assert_int_equal(system("cat pool/a.npy pool/b.npy >two.npy"), 0);
    r = RUN_OK("apply", model, "two.npy", "-o", "of_two.npy");
    assert_contains(r.err, "note: two.npy: ");
    expect_error(RUN("apply", "none.safetensors", "pool/a.npy", "-o", "o.npy"), 3, "none");
    const double odd[12] = {1, 2, 3, 4, 5, NAN};
    write_npy("odd.npy", odd, 2, 6);
    expect_error(RUN("apply", model, "odd.npy", "-o", "o.npy"), 3, "row 0, column 5");
    /* a model that was cut short, or is none of ours */
    assert_int_equal(system("head -c 3000 " DERIVED "n.safetensors >cut.safetensors"), 0);
    expect_error(RUN("apply", "cut.safetensors", "pool/a.npy", "-o", "o.npy"), 3, "cut");
    assert_int_equal(system("sed 's/embedscope-cmim-1/embedscope-cmim-9/' " DERIVED
                            "n.safetensors >other.safetensors"),
                     0);
    expect_error(RUN("apply", "other.safetensors", "pool/a.npy", "-o", "o.npy"), 3, "no model");
    assert_false(exists("o.npy"));
}
