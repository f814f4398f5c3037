/* Where the time of estimators goes, against the limits of this machine: ./dev profile.
 *
 *   profile [--json] [POOL [EMBEDDERS]]      default sample_data/molecules 4
 *
 * Every preset of every estimator is run over the pairs of a few embedders (.npy files of the
 * folder, evenly chosen; one thread) while a timer of processor time notes what code is at work.
 * Beside that, matrix products and functions are counted where they are called: BLAS and LAPACK by
 * functions of their names in this program, the kernels of core_numerics.h by es_simd_get, which
 * the linker wraps. So the shares need no permission of the system and no tool, and the counts are
 * exact except what LAPACK does inside (14/3 n^3 for eigenvectors). */
#define _GNU_SOURCE
#include <cblas.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "../core/synthetic.h"
#include "core_numerics.h"
#include "base.h"
#include "io_readers.h"
#include "peak.h"

static void die(const char *what) {
    (void)fprintf(stderr, "profile: %s\n", what);
    exit(1);
}

/* ---- what is counted ---- */

/* Operations of products, and values of exp, tanh and log. */
static struct { double single, twice, functions; } counted;

/* The next function of this name: the library's. */
#define NEXT(name, type)                                                                           \
    static type next;                                                                              \
    if (!next) {                                                                                   \
        void *found = dlsym(RTLD_NEXT, name);                                                      \
        if (!found)                                                                                \
            die("no " name " in the BLAS");                                                        \
        memcpy(&next, &found, sizeof next);                                                        \
    }

void cblas_sgemm(OPENBLAS_CONST enum CBLAS_ORDER order, OPENBLAS_CONST enum CBLAS_TRANSPOSE turn_a,
                 OPENBLAS_CONST enum CBLAS_TRANSPOSE turn_b, OPENBLAS_CONST blasint m,
                 OPENBLAS_CONST blasint n, OPENBLAS_CONST blasint k, OPENBLAS_CONST float alpha,
                 OPENBLAS_CONST float *a, OPENBLAS_CONST blasint lda, OPENBLAS_CONST float *b,
                 OPENBLAS_CONST blasint ldb, OPENBLAS_CONST float beta, float *c,
                 OPENBLAS_CONST blasint ldc) {
    NEXT("cblas_sgemm", __typeof__(&cblas_sgemm))
    counted.single += 2.0 * m * n * k;
    next(order, turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_dgemm(OPENBLAS_CONST enum CBLAS_ORDER order, OPENBLAS_CONST enum CBLAS_TRANSPOSE turn_a,
                 OPENBLAS_CONST enum CBLAS_TRANSPOSE turn_b, OPENBLAS_CONST blasint m,
                 OPENBLAS_CONST blasint n, OPENBLAS_CONST blasint k, OPENBLAS_CONST double alpha,
                 OPENBLAS_CONST double *a, OPENBLAS_CONST blasint lda, OPENBLAS_CONST double *b,
                 OPENBLAS_CONST blasint ldb, OPENBLAS_CONST double beta, double *c,
                 OPENBLAS_CONST blasint ldc) {
    NEXT("cblas_dgemm", __typeof__(&cblas_dgemm))
    counted.twice += 2.0 * m * n * k;
    next(order, turn_a, turn_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_dsyrk(OPENBLAS_CONST enum CBLAS_ORDER order, OPENBLAS_CONST enum CBLAS_UPLO part,
                 OPENBLAS_CONST enum CBLAS_TRANSPOSE turn, OPENBLAS_CONST blasint n,
                 OPENBLAS_CONST blasint k, OPENBLAS_CONST double alpha, OPENBLAS_CONST double *a,
                 OPENBLAS_CONST blasint lda, OPENBLAS_CONST double beta, double *c,
                 OPENBLAS_CONST blasint ldc) {
    NEXT("cblas_dsyrk", __typeof__(&cblas_dsyrk))
    counted.twice += 1.0 * n * (n + 1.0) * k;
    next(order, part, turn, n, k, alpha, a, lda, beta, c, ldc);
}

void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info) {
    NEXT("dsyevd_", __typeof__(&dsyevd_))
    counted.twice += (*jobz == 'V' ? 14.0 : 4.0) / 3 * *n * *n * *n;
    next(jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info);
}

static const es_simd *plain; /* the kernels themselves */

static void count_exp(const float *x, float *out, size_t n) {
    counted.functions += (double)n;
    plain->exp(x, out, n);
}
static void count_tanh(const float *x, float *out, size_t n) {
    counted.functions += (double)n;
    plain->tanh(x, out, n);
}
static void count_log(const float *x, float *out, size_t n) {
    counted.functions += (double)n;
    plain->log(x, out, n);
}
static double count_gauss(float *o, const float *b, const float *offset, const float *y, size_t d,
                          float range, bool gradient, float scale, float *sum) {
    counted.functions += 2 * (double)d; /* tanh and exp */
    return plain->gauss(o, b, offset, y, d, range, gradient, scale, sum);
}
static double count_bernoulli(float *o, const float *b, const float *offset, const float *y,
                              size_t d, float slope, bool gradient, float scale, float *sum) {
    counted.functions += 2 * (double)d; /* exp and log */
    return plain->bernoulli(o, b, offset, y, d, slope, gradient, scale, sum);
}
static void count_product(size_t m, size_t n, size_t k, const float *a, size_t row, size_t step,
                          const float *b, size_t ldb, float *c, size_t ldc) {
    counted.single += 2.0 * (double)m * (double)n * (double)k;
    plain->product(m, n, k, a, row, step, b, ldb, c, ldc);
}

const es_simd *__real_es_simd_get(es_isa level); /* NOLINT(bugprone-reserved-identifier) */
const es_simd *__wrap_es_simd_get(es_isa level); /* NOLINT(bugprone-reserved-identifier) */
const es_simd *__wrap_es_simd_get(es_isa level) {
    static es_simd counting;
    plain = __real_es_simd_get(level);
    counting = *plain;
    counting.exp = count_exp;
    counting.tanh = count_tanh;
    counting.log = count_log;
    counting.gauss = count_gauss;
    counting.bernoulli = count_bernoulli;
    counting.product = count_product;
    return &counting;
}

/* ---- what is at work ---- */

enum { SAMPLES = 1 << 16 };
static uintptr_t sample[SAMPLES];
static atomic_size_t samples;

static void take_sample(int signal, siginfo_t *info, void *context) {
    const ucontext_t *at = context;
    (void)signal;
    (void)info;
    size_t k = atomic_fetch_add(&samples, 1);
    if (k >= SAMPLES)
        return;
#if defined(__x86_64__)
    sample[k] = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    sample[k] = (uintptr_t)at->uc_mcontext.pc;
#else
    (void)at;
#endif
}

static void set_timer(bool on) {
    struct sigaction action = {.sa_sigaction = take_sample, .sa_flags = SA_SIGINFO | SA_RESTART};
    const struct itimerval every = {{0, on ? 1000 : 0}, {0, on ? 1000 : 0}};
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(SIGPROF, &action, NULL) != 0 || setitimer(ITIMER_PROF, &every, NULL) != 0)
        die("no timer of processor time");
}

/* This program's own functions, static ones too, which only its symbol table knows. */
static struct {
    char *file;
    const ElfW(Sym) * symbol;
    size_t count;
    const char *names;
    uintptr_t base;
} own;

static int note_base(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    own.base = info->dlpi_addr;
    return 1; /* the first is the program */
}

static void read_symbols(void) {
    FILE *f = fopen("/proc/self/exe", "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        die("cannot read this program");
    long size = ftell(f);
    own.file = es_alloc((size_t)size, 1);
    rewind(f);
    if (!own.file || fread(own.file, 1, (size_t)size, f) != (size_t)size)
        die("cannot read this program");
    (void)fclose(f);
    const ElfW(Ehdr) *head = (const void *)own.file;
    const ElfW(Shdr) *section = (const void *)(own.file + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB) {
            own.symbol = (const void *)(own.file + section[i].sh_offset);
            own.count = section[i].sh_size / sizeof *own.symbol;
            own.names = own.file + section[section[i].sh_link].sh_offset;
        }
    (void)dl_iterate_phdr(note_base, NULL);
}

/* The name of the function at an address, or of its library; "" when nobody knows. */
static const char *name_at(uintptr_t address) {
    for (size_t i = 0; i < own.count; i++) {
        uintptr_t from = own.base + own.symbol[i].st_value;
        if (address >= from && address < from + own.symbol[i].st_size)
            return own.names + own.symbol[i].st_name;
    }
    Dl_info info;
    void *at = NULL;
    memcpy(&at, &address, sizeof at);
    if (dladdr(at, &info) == 0)
        return "";
    if (info.dli_fname && strstr(info.dli_fname, "libm."))
        return "libm"; /* exp and its like, whatever their inner names */
    return info.dli_sname ? info.dli_sname : "";
}

enum kind { SGEMM, DGEMM, FUNCTIONS, MEMORY, REST, KINDS };
static const char *const title[KINDS] = {"sgemm", "dgemm, LAPACK", "exp, log", "memory", "rest"};

static const char *const key[KINDS] = {"sgemm", "dgemm", "exp", "memory", "rest"};

/* What a function's name begins with; the first that fits. Memory: passes over rows and parameters
 * with a few operations a value. */
static const struct {
    const char *begins;
    enum kind kind;
} kinds[] = {
    {"sgemm", SGEMM},        {"cblas_sgemm", SGEMM},
    {"product", SGEMM},      {"dgemm", DGEMM},
    {"cblas_d", DGEMM},      {"dsyrk", DGEMM},
    {"dla", DGEMM},          {"dst", DGEMM},
    {"dsy", DGEMM},          {"dor", DGEMM},
    {"dtr", DGEMM},          {"dgemv", DGEMM},
    {"dgeqr", DGEMM},        {"dcopy", DGEMM},
    {"daxpy", DGEMM},        {"dscal", DGEMM},
    {"dnrm2", DGEMM},        {"ddot", DGEMM},
    {"drot", DGEMM},         {"dger", DGEMM},
    {"dsw", DGEMM},          {"dpot", DGEMM},
    {"gauss", FUNCTIONS},    {"bernoulli", FUNCTIONS},
    {"exp", FUNCTIONS},      {"tanh", FUNCTIONS},
    {"log_row", FUNCTIONS},  {"libm", FUNCTIONS},
    {"mem", MEMORY},         {"__mem", MEMORY},
    {"adam", MEMORY},        {"activate", MEMORY},
    {"normalize", MEMORY},   {"scale_sum", MEMORY},
    {"fold", MEMORY},        {"misfit", MEMORY},
    {"widened", MEMORY},     {"standardise", MEMORY},
    {"describe", MEMORY},    {"gaussian_rows", MEMORY},
    {"es_net_step", MEMORY}, {"synthetic_read", MEMORY},
    {"sum_train", MEMORY},   {"train_stats", MEMORY},
    {"add_block", MEMORY},
};

static enum kind kind_of(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i].begins, strlen(kinds[i].begins)) == 0)
            return kinds[i].kind;
    return REST;
}

/* ---- the machine's limits, one thread ---- */

static struct {
    double sgemm, dgemm, memory, functions; /* operations, bytes, values a second */
} limit;

static void measure_limits(void) {
    enum { BYTES = 128 << 20, VALUES = 4096, ROUNDS = 200 };
    char *block = es_alloc_aligned(2 * (size_t)BYTES, 1);
    static float x[VALUES], y[VALUES];
    if (!block)
        die("out of memory");
    memset(block, 1, 2 * (size_t)BYTES);
    const es_simd *simd = __real_es_simd_get(es_isa_level());
    limit.sgemm = 1e9 * measure_peak();
    limit.dgemm = 1e9 * measure_peak_double();
    for (size_t i = 0; i < VALUES; i++)
        x[i] = (float)i / VALUES - 0.5F;
    for (int round = 0; round < 8; round++) {
        double start = now();
        memcpy(block, block + BYTES, BYTES); /* read and written */
        double rate = 2.0 * BYTES / (now() - start);
        limit.memory = rate > limit.memory ? rate : limit.memory;
        start = now();
        for (int i = 0; i < ROUNDS; i++)
            simd->exp(x, y, VALUES);
        rate = (double)ROUNDS * VALUES / (now() - start);
        limit.functions = rate > limit.functions ? rate : limit.functions;
    }
    es_free(block);
}

/* ---- embedders ---- */

enum { MOST = 64 };
typedef struct pool {
    synthetic x[MOST];
    size_t count;
} pool;

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_one(const char *path, pool *p) {
    es_error err = {0};
    es_loaded file = {0};
    if (es_loaded_open(path, 0, NULL, &file, &err) != ES_OK)
        die(err.message);
    const es_array *a = &file.tensors.items[0].array;
    synthetic *x = &p->x[p->count++];
    *x = (synthetic){a->n, a->d, es_alloc(a->n * a->d, sizeof *x->x)};
    if (!x->x)
        die("out of memory");
    es_array_read(a, NULL, a->n, x->x);
    es_loaded_close(&file);
    if (x->n != p->x[0].n)
        die("the embedders differ in rows");
}

static void read_pool(const char *folder, size_t wanted, pool *p) {
    enum { NAMES = 4096 };
    static char *name[NAMES];
    size_t found = 0;
    char path[4096];
    DIR *dir = opendir(folder);
    if (!dir)
        die("no such folder");
    for (struct dirent *e; (e = readdir(dir)) && found < NAMES;)
        if (strlen(e->d_name) > 4 && strcmp(e->d_name + strlen(e->d_name) - 4, ".npy") == 0)
            name[found++] = strdup(e->d_name);
    (void)closedir(dir);
    if (found == 0)
        die("no .npy files there");
    qsort(name, found, sizeof *name, by_name);
    wanted = wanted < found ? wanted : found;
    for (size_t i = 0; i < wanted && i < MOST; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder,
                       name[(2 * i + 1) * found / (2 * wanted)]);
        read_one(path, p);
    }
    for (size_t i = 0; i < found; i++)
        free(name[i]);
}

/* ---- a preset ---- */

static void run_once(const es_estimator *e, const es_problem *problem, const pool *p,
                     es_arena *arena) {
    es_error err = {0};
    void *target[MOST] = {NULL};
    es_rows rows[MOST];
    for (size_t i = 0; i < p->count; i++) {
        rows[i] = synthetic_rows(p->x + i);
        rows[i].id = i;
        if (e->target_new(problem, rows + i, NULL, target + i, &err) != ES_OK)
            die(err.message);
    }
    for (size_t i = 0; i < p->count; i++) {
        void *source = NULL;
        if (e->source_new(problem, rows + i, NULL, &source, &err) != ES_OK)
            die(err.message);
        for (size_t j = 0; j < p->count; j++) {
            es_pair_result out;
            es_arena_reset(arena);
            if (e->pair(problem, source, target[j], i * p->count + j, arena, NULL, &out, &err) !=
                ES_OK)
                die(err.message);
            es_free(out.pmi);
        }
        e->source_free(source);
    }
    for (size_t i = 0; i < p->count; i++)
        e->target_free(target[i]);
}

typedef struct result {
    double pairs, seconds, share[KINDS], single, twice, functions;
} result;

/* Over and over for a second, so that there are samples enough. */
static result measure(const es_estimator *e, const char *preset, const es_split *split,
                      const pool *p) {
    double values[32], start;
    size_t hits[KINDS] = {0};
    es_error err = {0};
    es_arena *arena = es_arena_new();
    result r = {0};
    if (!arena || es_estimator_preset(e, preset, values, &err) != ES_OK)
        die("no such preset");
    const es_problem problem = {split, values, 0, 0};
    run_once(e, &problem, p, arena); /* pages and caches are warm */
    memset(&counted, 0, sizeof counted);
    atomic_store(&samples, 0);
    start = now();
    set_timer(true);
    do {
        run_once(e, &problem, p, arena);
        r.pairs += (double)(p->count * p->count);
        r.seconds = now() - start;
    } while (r.seconds < 1);
    set_timer(false);
    size_t n = atomic_load(&samples) < SAMPLES ? atomic_load(&samples) : SAMPLES;
    for (size_t i = 0; i < n; i++)
        hits[kind_of(name_at(sample[i]))]++;
    for (int k = 0; k < KINDS; k++)
        r.share[k] = n ? (double)hits[k] / (double)n : 0;
    r.single = counted.single;
    r.twice = counted.twice;
    r.functions = counted.functions;
    es_arena_free(arena);
    return r;
}

/* The share of the limit that is reached while such work is done; NAN where that is too little to
 * tell. */
static double reached(double count, double most, double share, double seconds) {
    return share < 0.02 ? (double)NAN : count / (share * seconds) / most;
}

static void percent(double share, const char *above) {
    int width = (int)strlen(above) - 2;
    width = width < 3 ? 3 : width;
    if (isfinite(share))
        printf("  %*.0f %%", width, 100 * share);
    else
        printf("  %*s  ", width, "");
}

static void print(const char *name, const result *r, bool json) {
    double floor =
        r->single / limit.sgemm + r->twice / limit.dgemm + r->functions / limit.functions;
    double rate[3] = {reached(r->single, limit.sgemm, r->share[SGEMM], r->seconds),
                      reached(r->twice, limit.dgemm, r->share[DGEMM], r->seconds),
                      reached(r->functions, limit.functions, r->share[FUNCTIONS], r->seconds)};
    if (json) {
        printf("{\"bench\":\"profile\",\"case\":\"%s\",\"pair_ms\":%.6g,\"floor\":%.4g", name,
               1e3 * r->seconds / r->pairs, floor / r->seconds);
        for (int k = 0; k < KINDS; k++)
            printf(",\"%s\":%.4g", key[k], r->share[k]);
        printf("}\n");
        return;
    }
    printf("%-18s %9.3f", name, 1e3 * r->seconds / r->pairs);
    for (int k = 0; k < KINDS; k++)
        percent(r->share[k], title[k]);
    printf("  |");
    for (int k = 0; k < 3; k++)
        percent(rate[k], title[k]);
    percent(floor / r->seconds, "floor");
    printf("\n");
    (void)fflush(stdout);
}

int main(int argc, char **argv) {
    es_blas_guard(argv);
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    argv += json;
    argc -= json;
    size_t wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : 4;
    static pool p;
    es_split *split = NULL;
    es_error err = {0};
    es_cpu_flush_denormals();
    read_pool(argc > 1 ? argv[1] : "sample_data/molecules", wanted, &p);
    if (es_split_new(p.x[0].n, 0, 0, &split, &err) != ES_OK)
        die(err.message);
    read_symbols();
    measure_limits();
    if (json)
        printf("{\"bench\":\"profile\",\"case\":\"limits\",\"sgemm_gflops\":%.4g,\"dgemm_gflops\":%"
               ".4g,"
               "\"memory_gb_s\":%.4g,\"exp_g_s\":%.4g,\"blas_core\":\"%s\",\"kernels\":\"%s\"}\n",
               1e-9 * limit.sgemm, 1e-9 * limit.dgemm, 1e-9 * limit.memory, 1e-9 * limit.functions,
               es_blas_core(), es_isa_name(es_isa_level()));
    else
        printf(
            "One thread (BLAS core %s, kernels %s) does at most: sgemm %.1f GFLOP/s, dgemm %.1f "
            "GFLOP/s,\nmemory %.1f GB/s read and written, exp %.2f G/s. %zu embedders, %zu rows.\n"
            "Shares of the time, and of the limit that is reached in such a share; floor: all that "
            "was counted\nat its limit.\n\n"
            "%-18s %9s  %s  %s  %s  %s   %s  |  %s  %s  %s  %s\n",
            es_blas_core(), es_isa_name(es_isa_level()), 1e-9 * limit.sgemm, 1e-9 * limit.dgemm,
            1e-9 * limit.memory, 1e-9 * limit.functions, p.count, p.x[0].n, "", "ms a pair",
            title[0], title[1], title[2], title[3], title[4], title[0], title[1], title[2],
            "floor");
    for (const es_estimator *const *e = es_estimators; *e; e++)
        for (const es_preset *preset = (*e)->presets; preset && preset->name; preset++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s %s", (*e)->name, preset->name);
            result r = measure(*e, preset->name, split, &p);
            print(name, &r, json);
        }
    es_split_free(split);
    for (size_t i = 0; i < p.count; i++)
        es_free(p.x[i].x);
    es_free(own.file);
    return 0;
}
