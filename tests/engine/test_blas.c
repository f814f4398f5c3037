/* The choice of a BLAS core, and that the guard executes the program again at most once. */
#include <pthread.h>

#include "testing.h"
#include "core_numerics.h"
#include "engine_place.h"

static const es_cpu old = {.cores = 1};
static const es_cpu avx2 = {.avx2 = true, .fma = true, .cores = 1};
static const es_cpu avx512 = {.avx2 = true, .fma = true, .avx512 = true, .cores = 1};
static const es_cpu bf16 = {
    .avx2 = true, .fma = true, .avx512 = true, .avx512_bf16 = true, .cores = 1};

TEST(choice__upgrades__old_core_on_new_cpu) {
    static const char *const cores[] = {"Prescott", "Nehalem",   "SandyBridge", "Opteron_SSE3",
                                        "generic",  "Barcelona", "Bulldozer",   "prescott"};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        assert_string_equal(es_blas_choose(&avx2, cores[i]), "Haswell");
        assert_string_equal(es_blas_choose(&avx512, cores[i]), "SkylakeX");
        assert_string_equal(es_blas_choose(&bf16, cores[i]), "Cooperlake");
        assert_null(es_blas_choose(&old, cores[i]));
    }
}

TEST(choice__upgrades__avx2_core_only_with_avx512) {
    static const char *const cores[] = {"Haswell", "Zen", "Excavator"};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        assert_null(es_blas_choose(&avx2, cores[i]));
        assert_string_equal(es_blas_choose(&avx512, cores[i]), "SkylakeX");
        assert_string_equal(es_blas_choose(&bf16, cores[i]), "Cooperlake");
    }
}

TEST(choice__keeps__good_and_unknown_cores) {
    static const char *const cores[] = {"SkylakeX",      "Cooperlake",     "SapphireRapids", "Zen4",
                                        "GraniteRapids", "A core of 2031", "armv8",          ""};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
        assert_null(es_blas_choose(&bf16, cores[i]));
}

TEST(measure__gives__a_rate) {
    assert_true(es_blas_measure() > 0.01);
    assert_true(strlen(es_blas_core()) > 0);
    assert_contains(es_blas_config(), "OpenBLAS");
}

int openblas_get_num_threads(void);
int openblas_get_parallel(void);

/* What this program prints when it is called with "child": the core after the guard, how its
 * arguments look, and how many threads each call may have. With "misled" the library has chosen by
 * a variable that is then gone, as if it had taken the processor for an old one. */
static int child(char **argv) {
    if (strcmp(argv[1], "misled") == 0 && !getenv("EMBEDSCOPE_BLAS_SET"))
        unsetenv("OPENBLAS_CORETYPE");
    es_blas_guard(argv);
    const char *better = es_blas_better_core();
    const char *team = getenv("OMP_NUM_THREADS");
    printf("%s|%s|%s|%s|%d|%s", es_blas_core(), better ? better : "-", argv[0],
           getenv("EMBEDSCOPE_BLAS_SET") ? "marker" : "clean", openblas_get_num_threads(),
           team ? team : "-");
    return 0;
}

static const char *self;

__attribute__((constructor)) static void offer_child(void) {
    es_test_child = child;
}

static int know_self(void **state) {
    self = es_test_arguments[0];
    return 0;
}

TEST_GROUP(know_self, NULL);

/* One thread of its own, and a team only where OpenMP would make one. */
static const char *alone(void) {
    enum { OPENMP = 2 };
    return openblas_get_parallel() == OPENMP ? "1|1" : "1|-";
}

static void run_child(const char *environment, const char *mode, char *out, size_t capacity) {
    char command[4096];
    snprintf(command, sizeof command, "exec env -u OMP_NUM_THREADS %s '%s' %s", environment, self,
             mode);
    FILE *pipe = popen(command, "r"); /* our own path, quoted */
    assert_non_null(pipe);
    out[fread(out, 1, capacity - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

TEST(guard__leaves__best_core_and_arguments) {
    char text[4096], wanted[4096];
    run_child("-u OPENBLAS_CORETYPE", "child", text, sizeof text);
    snprintf(wanted, sizeof wanted, "|-|%s|clean|%s", self, alone());
    assert_contains(text, wanted);
}

TEST(guard__upgrades__a_library_that_chose_badly) {
    char text[4096], wanted[4096];
    es_cpu cpu;
    es_cpu_detect(&cpu);
    if (!strstr(es_blas_config(), "DYNAMIC_ARCH") || !es_blas_choose(&cpu, "Prescott"))
        skip();
    run_child("OPENBLAS_CORETYPE=Prescott", "misled", text, sizeof text);
    snprintf(wanted, sizeof wanted, "%s|-|%s|clean|%s", es_blas_choose(&cpu, "Prescott"), self,
             alone());
    assert_string_equal(text, wanted);
}

TEST(guard__respects__a_kept_core_and_acts_once) {
    char text[4096];
    if (!strstr(es_blas_config(), "DYNAMIC_ARCH"))
        skip();
    es_cpu cpu;
    es_cpu_detect(&cpu);
    /* A core that the environment asks for gives way to a better one... */
    run_child("OPENBLAS_CORETYPE=Prescott", "child", text, sizeof text);
    const char *better = es_blas_choose(&cpu, "Prescott");
    assert_int_equal(
        strncmp(text, better ? better : "Prescott", strlen(better ? better : "Prescott")), 0);
    /* ...unless the user says that it is meant. */
    run_child("OPENBLAS_CORETYPE=Prescott EMBEDSCOPE_KEEP_BLAS_CORE=1", "child", text, sizeof text);
    assert_int_equal(strncmp(text, "Prescott|", 9), 0);
    /* Executed already: not again, so that a library which ignores the wish cannot loop. */
    run_child("OPENBLAS_CORETYPE=Prescott EMBEDSCOPE_BLAS_SET=1", "misled", text, sizeof text);
    assert_int_equal(strncmp(text, "Prescott|", 9), 0);
    assert_contains(text, "|clean");
}

/* What names a core that the processor lacks is put aside; nothing that only looks like it. */
TEST(early__environment__loses_a_core_that_lacks) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma4"))
        skip();
    char variable[][40] = {"OPENBLAS_CORETYPE=Bulldozer",
                           "OPENBLAS_CORETYPE=bulldozer",
                           "XPENBLAS_CORETYPE=Bulldozer",
                           "OPENBLAS_CORETYPES=Bulldozer",
                           "OPENBLAS_CORETYPE=Bulldozers",
                           "OPENBLAS_CORETYPE=",
                           "OPENBLAS_CORETYPE",
                           "XOPENBLAS_CORETYPE=Bulldozer"};
    enum { COUNT = sizeof variable / sizeof *variable };
    char *environment[COUNT + 1] = {NULL}, before[COUNT][40];
    for (size_t i = 0; i < COUNT; i++)
        environment[i] = memcpy(before[i], variable[i], sizeof before[i]);
    es_blas_early(environment);
    es_blas_early(NULL);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(before[i][0], i < 2 ? ES_BLAS_IGNORED[0] : variable[i][0]);
        assert_string_equal(before[i] + 1, variable[i] + 1);
    }
#else
    skip();
#endif
}

/* Several sessions may ask at once; OpenBLAS has one place for all answers. */
static void *ask(void *expected) {
    for (int i = 0; i < 20000; i++)
        if (strcmp(es_blas_config(), expected) != 0)
            return expected;
    return NULL;
}

TEST(config__asked_by_threads_at_once__is_whole) {
    char expected[256];
    pthread_t thread[4];
    void *garbled;
    (void)snprintf(expected, sizeof expected, "%s", es_blas_config());
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, ask, expected), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(thread[i], &garbled), 0);
        assert_null(garbled);
    }
}
