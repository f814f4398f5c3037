/* Some releases of OpenBLAS pick kernels for a much older CPU than the one they run on. Before
 * anything is computed, the core that it chose is compared with what the CPU can do, and the
 * library chooses again, by a better name. A build that chooses only once is started again with
 * that core named in the environment. */
#include "core_numerics.h"

#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine_place.h"

/* Set across our own execv, so that the program is executed again once at most. */
#define MARKER "EMBEDSCOPE_BLAS_SET"
/* Set by a user who wants the core as it is, e.g. to compare two of them. */
#define KEEP "EMBEDSCOPE_KEEP_BLAS_CORE"

/* openblas_get_parallel's answers for builds with threads of their own and with OpenMP. */
enum { PARALLEL_THREADS = 1, PARALLEL_OPENMP = 2 };

static bool is_listed(const char *const *list, const char *name) {
    for (; *list; list++)
        if (strcasecmp(*list, name) == 0)
            return true;
    return false;
}

const char *es_blas_choose(const es_cpu *cpu, const char *core) {
    /* Core types whose kernels stop at AVX2, and those that do not even use that. Piledriver,
     * Steamroller and Excavator have FMA of their own but narrow AVX2 units; a processor that is
     * truly one of them has no AVX-512, so only the second list matters for it. */
    static const char *const to_avx2[] = {"Haswell",     "Zen",        "Excavator",
                                          "Steamroller", "Piledriver", NULL};
    static const char *const before_avx2[] = {
        "generic",      "Unknown",   "Katmai", "Coppermine", "Northwood",   "Prescott", "Banias",
        "Atom",         "Core2",     "Penryn", "Dunnington", "Nehalem",     "Athlon",   "Opteron",
        "Opteron_SSE3", "Barcelona", "Bobcat", "Bulldozer",  "SandyBridge", "Nano",     NULL};
    bool old = is_listed(before_avx2, core);
    if (cpu->avx512 && (old || is_listed(to_avx2, core)))
        return cpu->avx512_bf16 ? "Cooperlake" : "SkylakeX";
    return cpu->avx2 && cpu->fma && old ? "Haswell" : NULL;
}

const char *es_blas_core(void) {
    const char *core = openblas_get_corename();
    return core ? core : "unknown";
}

/* The library writes its answer into one place for all threads, anew at every call. */
const char *es_blas_config(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Thread_local char answer[256];
    pthread_mutex_lock(&lock);
    const char *config = openblas_get_config();
    (void)snprintf(answer, sizeof answer, "%s", config ? config : "unknown");
    pthread_mutex_unlock(&lock);
    return answer;
}

const char *es_blas_better_core(void) {
    es_cpu cpu;
    if (!strstr(es_blas_config(), "DYNAMIC_ARCH"))
        return NULL; /* built for one core type: there is nothing to choose from */
    es_cpu_detect(&cpu);
    return es_blas_choose(&cpu, es_blas_core());
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

/* Execute this very program again. Returns only when that is refused. */
static void execute_again(char **argv) {
    /* The real path rather than /proc/self/exe, which would show as "exe" in ps and top; that one
     * is for a program file replaced or removed meanwhile. */
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        execv(path, argv);
    }
    execv("/proc/self/exe", argv);
}

/* A build with threads of its own has started one for every processor when it is loaded, and each
 * of them looks for work a tenth of a second long before it sleeps. Here every call runs on the
 * thread that makes it, so they are sent away, as the library itself does before a fork. */
int blas_thread_shutdown_(void) __attribute__((weak));

static void one_thread(void) {
    openblas_set_num_threads(1);
    if (openblas_get_parallel() == PARALLEL_THREADS && blas_thread_shutdown_)
        (void)blas_thread_shutdown_();
}

/* How a DYNAMIC_ARCH build chooses its kernels. It calls these when it is loaded and unloaded; a
 * build without them keeps the kernels it has. */
void gotoblas_dynamic_quit(void) __attribute__((weak));
void gotoblas_dynamic_init(void) __attribute__((weak));

/* Have the library look at OPENBLAS_CORETYPE again, and put that back. False: it cannot. */
static bool choose_again(const char *core) {
    if (!gotoblas_dynamic_quit || !gotoblas_dynamic_init)
        return false;
    const char *said = getenv("OPENBLAS_CORETYPE");
    char *before = said ? es_strdup(said) : NULL;
    if ((said && !before) || setenv("OPENBLAS_CORETYPE", core, 1) != 0) {
        es_free(before);
        return false;
    }
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    if (before)
        (void)setenv("OPENBLAS_CORETYPE", before, 1);
    else
        (void)unsetenv("OPENBLAS_CORETYPE");
    es_free(before);
    return true;
}

void es_blas_guard(char **argv) {
    const char *ignored = getenv(ES_BLAS_IGNORED);
    if (ignored) {
        (void)fprintf(stderr,
                      "embedscope: note: OPENBLAS_CORETYPE=%.40s names a core that this processor "
                      "is not; it is ignored\n",
                      ignored);
        unsetenv(ES_BLAS_IGNORED);
    }
    one_thread();
    if (is_set(MARKER)) {
        unsetenv(MARKER); /* a program that we start must look for itself */
        return;
    }
    /* OPENBLAS_CORETYPE often comes from an image or a batch system that never met this processor,
     * so it does not stand in the way of a better core; the keeper below is meant for us alone. */
    const char *better = is_set(KEEP) ? NULL : es_blas_better_core();
    /* An OpenMP build gives every thread that calls it its own team, whatever set_num_threads said
     * to the main thread; only the environment reaches them all. */
    const char *team = getenv("OMP_NUM_THREADS");
    bool openmp = openblas_get_parallel() == PARALLEL_OPENMP && (!team || strcmp(team, "1") != 0);
    if (!openmp && (!better || choose_again(better)))
        return;
    if (setenv(MARKER, "1", 1) != 0 || (better && setenv("OPENBLAS_CORETYPE", better, 1) != 0) ||
        (openmp && setenv("OMP_NUM_THREADS", "1", 1) != 0))
        return;
    execute_again(argv);
    unsetenv(MARKER);
}

int es_blas_enter(void) {
    int threads = openblas_get_num_threads();
    const char *better = is_set(KEEP) ? NULL : es_blas_better_core();
    if (better)
        (void)choose_again(better);
    openblas_set_num_threads(1);
    return threads;
}

void es_blas_leave(int threads) {
    openblas_set_num_threads(threads);
}

double es_blas_measure(void) {
    enum { N = 384 };
    const double flop = 2.0 * N * N * N, long_enough = 0.05;
    float *a = es_alloc_aligned((size_t)N * N, sizeof *a);
    float *b = es_alloc_aligned((size_t)N * N, sizeof *b);
    float *c = es_alloc_aligned((size_t)N * N, sizeof *c);
    double best = 0;
    if (a && b && c) {
        for (size_t i = 0; i < (size_t)N * N; i++)
            a[i] = b[i] = (float)(i % 7) - 3.0F;
        double begin = es_clock_now(), now = begin;
        while (now - begin < long_enough) {
            double from = now;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0F, a, N, b, N, 0.0F,
                        c, N);
            now = es_clock_now();
            if (now > from && flop / (now - from) > best * 1e9)
                best = flop / (now - from) / 1e9;
        }
    }
    es_free(a);
    es_free(b);
    es_free(c);
    return best;
}

/* Runs before the constructors of the libraries do, OpenBLAS's among them, so it stands on system
 * calls and the compiler alone. OpenBLAS takes the environment's word for the core that it is on,
 * and dies of SIGILL where that is another one; and where it cannot map its buffers it tries for
 * ever, in threads that keep the program from ending. */

static const char variable[] = "OPENBLAS_CORETYPE=";
/* Less, and not even one thread could compute: OpenBLAS maps 128 MB for it, malloc 64. */
static const rlim_t least_space = (rlim_t)400 << 20;

static bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a | 0x20) != (*b | 0x20))
            return false;
    return *a == *b;
}

/* True if the processor lacks instructions that the kernels of this core use. Not for names that
 * are not known here: a newer library knows better. */
static bool is_lacking(const char *core) {
#if defined(__x86_64__)
    static const char *const avx512[] = {"SkylakeX", "Cooperlake", "SapphireRapids", NULL};
    static const char *const avx2[] = {"Haswell", "Zen", NULL};
    static const char *const fma4[] = {"Bulldozer", "Piledriver", "Steamroller", "Excavator", NULL};
    static const char *const amd[] = {"Opteron", "Athlon", NULL}; /* 3DNow! */
    __builtin_cpu_init();
    for (size_t i = 0; avx512[i]; i++)
        if (same_word(core, avx512[i]))
            return !__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
                   !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
                   (i > 0 && !__builtin_cpu_supports("avx512bf16"));
    for (size_t i = 0; avx2[i]; i++)
        if (same_word(core, avx2[i]))
            return !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma");
    for (size_t i = 0; fma4[i]; i++)
        if (same_word(core, fma4[i]))
            return !__builtin_cpu_supports("fma4");
    for (size_t i = 0; amd[i]; i++)
        if (same_word(core, amd[i]))
            return !__builtin_cpu_is("amd");
    if (same_word(core, "SandyBridge"))
        return !__builtin_cpu_supports("avx");
    return same_word(core, "Nehalem") && !__builtin_cpu_supports("sse4.2");
#else
    (void)core;
    return false;
#endif
}

void es_blas_early(char **environment) {
    static const char says[] =
        "embedscope: too little address space to compute in; raise its limit (ulimit -v)\n";
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < least_space) {
        ssize_t ignored = write(STDERR_FILENO, says, sizeof says - 1);
        (void)ignored;
        _exit(3);
    }
    for (char **e = environment; e && *e; e++) {
        size_t at = 0;
        while (variable[at] && (*e)[at] == variable[at])
            at++;
        if (!variable[at] && is_lacking(*e + at))
            (*e)[0] = ES_BLAS_IGNORED[0]; /* the library finds nothing and looks for itself */
    }
}
