/* Times measures of a whole pool through a session, as `embedscope measure` does it.
 *
 *   bench_measures [--json] [EMBEDDERS ROWS DIM THREADS NAME]   default 37 6000 0 2 (three
 * measures)
 *
 * The pool is made of random projections of one latent with 20 classes, and 380 pairs of near rows;
 * DIM 0 deals the dimensions 64, 128, 256, 384, 512, 768 in turn. Without NAME: evalrank, retmmd (5
 * kernels, 499 permutations, 5 draws of 100 queries) and cka of all pairs. cpu_s / threads is what
 * the machine would need if nothing else ran on it. */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base.h"
#include "core_numerics.h"
#include "engine_session.h"
#include "io.h"
#include "report.h"

enum { LATENT = 48, CLASSES = 20, PAIRS = 380 };

static void die(const char *what) {
    fprintf(stderr, "bench_measures: %s\n", what);
    exit(1);
}

static size_t dim_of(size_t k, size_t dim) {
    static const size_t dims[] = {64, 128, 256, 384, 512, 768};
    return dim > 0 ? dim : dims[k % 6];
}

/* latent (n, LATENT): classes, and every row 2k + 1 near row 2k. */
static double *make_latent(size_t n) {
    double *z = es_alloc(n * LATENT, sizeof *z);
    es_rng rng;
    if (!z)
        die("out of memory");
    es_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < LATENT; l++) {
            double own = es_rng_normal(&rng);
            z[i * LATENT + l] =
                i % 2 ? z[(i - 1) * LATENT + l] + 0.3 * own : own + (l == i / 2 % CLASSES ? 2 : 0);
        }
    return z;
}

static void make_embedder(const char *dir, const double *z, size_t n, size_t k, size_t d) {
    double *x = es_alloc(n * d, sizeof *x), *weight = es_alloc(LATENT * d, sizeof *weight);
    char path[4096];
    es_error err = {0};
    es_rng rng;
    if (!x || !weight)
        die("out of memory");
    es_rng_init(&rng, 1, k + 1);
    for (size_t i = 0; i < LATENT * d; i++)
        weight[i] = es_rng_normal(&rng) / sqrt((double)LATENT);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            double sum = 0.5 * es_rng_normal(&rng);
            for (size_t l = 0; l < LATENT; l++)
                sum += z[i * LATENT + l] * weight[l * d + j];
            x[i * d + j] = sum;
        }
    (void)snprintf(path, sizeof path, "%s/e%02zu_%zu.npy", dir, k, d);
    if (es_npy_write(path, x, n, d, 0600, &err) != ES_OK)
        die(err.message);
    es_free(x);
    es_free(weight);
}

static void make_files(const char *dir, size_t n) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/pairs.csv", dir);
    FILE *file = fopen(path, "w");
    if (!file)
        die("cannot write pairs");
    fputs("a,b\n", file);
    for (size_t i = 0; i < PAIRS && 2 * i + 1 < n; i++)
        fprintf(file, "%zu,%zu\n", 2 * i, 2 * i + 1);
    fclose(file);
    (void)snprintf(path, sizeof path, "%s/labels.csv", dir);
    file = fopen(path, "w");
    if (!file)
        die("cannot write labels");
    fputs("row,class\n", file);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%zu,c%zu\n", i, i / 2 % CLASSES);
    fclose(file);
}

static void wait_for(es_session *session) {
    struct pollfd wake = {es_session_fd(session), POLLIN, 0};
    es_measure_progress progress;
    do {
        poll(&wake, 1, 1000);
        es_session_pump(session, 0);
        es_session_measure_progress(session, &progress);
    } while (es_session_phase(session) == ES_PHASE_CHECKING || progress.running);
}

static double cpu_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static int time_measure(es_session *session, const char *name, unsigned threads, size_t dims) {
    const es_measure *measure = es_measure_find(name);
    size_t first = 0, count = 0;
    es_error err = {0};
    struct rusage usage;
    if (!measure)
        die("no such measure");
    double start = es_clock_now(), cpu = cpu_seconds();
    if (es_session_measure(session, measure, NULL, false, &first, &count, &err) != ES_OK ||
        es_session_measure_start(session, first, &err) != ES_OK)
        die(err.message);
    wait_for(session);
    const es_measured *r = es_session_measured(session, first);
    getrusage(RUSAGE_SELF, &usage);
    report("measures", name, es_clock_now() - start, NAN, NAN,
           "cpu_s=%.2f threads=%u dims=%zu values=%zu failed=%zu peak_mb=%.0f blas_core=%s",
           cpu_seconds() - cpu, threads, dims, r->done, r->failed, (double)usage.ru_maxrss / 1024,
           es_blas_core());
    return r->done == r->of ? 0 : 1;
}

int main(int argc, char **argv) {
    es_blas_guard(argv);
    argc = report_begin(argc, argv);
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 37;
    size_t rows = argc > 2 ? strtoul(argv[2], NULL, 10) : 6000;
    size_t dim = argc > 3 ? strtoul(argv[3], NULL, 10) : 0, dims = 0;
    unsigned threads = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 2;
    char dir[] = "/tmp/embedscope-bench-XXXXXX", command[256];
    if (!mkdtemp(dir))
        die("cannot make a temporary directory");
    double *z = make_latent(rows);
    for (size_t k = 0; k < count; k++) {
        make_embedder(dir, z, rows, k, dim_of(k, dim));
        dims += dim_of(k, dim);
    }
    es_free(z);
    make_files(dir, rows);
    const es_session_options options = {.threads = threads, .no_store = true};
    es_session *session = NULL;
    es_error err = {0};
    if (es_session_open(dir, &options, &session, &err) != ES_OK)
        die(err.message);
    wait_for(session);
    static const char *const usual[] = {"evalrank", "retmmd", "cka"};
    int code = 0;
    if (argc > 5)
        code = time_measure(session, argv[5], threads, dims);
    for (size_t i = 0; argc <= 5 && i < 3; i++)
        code |= time_measure(session, usual[i], threads, dims);
    es_session_close(session);
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    bool removed = system(command) == 0; /* NOLINT(cert-env33-c): a path we made */
    return removed ? code : 1;
}
