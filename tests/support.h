/* Temporary folders and files for tests of any layer. Every function asserts that it worked. */
#ifndef EMBEDSCOPE_TEST_SUPPORT_H
#define EMBEDSCOPE_TEST_SUPPORT_H

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"
#include "io_files.h"

enum { SUPPORT_PATH = 1024 };

/* cmocka takes over SIGBUS for every test; maps need their handler back. */
static inline void support_on_bus(int number, siginfo_t *info, void *context) {
    (void)context;
    if (!es_map_mend(info->si_addr)) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/** Let maps of files survive a file that is cut short, in this test. */
static inline void support_mend_maps(void) {
    struct sigaction action = {.sa_sigaction = support_on_bus, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGBUS, &action, NULL), 0);
}

/** Remove a file or a folder with all it holds; links are not followed. */
static inline void support_remove(const char *path) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return;
    if (!S_ISDIR(info.st_mode)) {
        unlink(path);
        return;
    }
    chmod(path, 0700);
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        size_t room = strlen(path) + strlen(e->d_name) + 2;
        char *below = malloc(room);
        assert_non_null(below);
        snprintf(below, room, "%s/%s", path, e->d_name);
        support_remove(below);
        free(below);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

static inline void support_remove_kept(void *path) {
    support_remove(path);
    free(path);
}

/** A new folder below $TMPDIR, removed after the test; its path goes into out. */
static inline void support_temp_dir(char out[SUPPORT_PATH]) {
    const char *base = getenv("TMPDIR");
    snprintf(out, SUPPORT_PATH, "%s/embedscope-test-XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(out));
    test_keep(strdup(out), support_remove_kept);
}

/** FOLDER/NAME with the folders between them made. */
static inline const char *support_path(char out[SUPPORT_PATH], const char *folder,
                                       const char *name) {
    int length = snprintf(out, SUPPORT_PATH, "%s/%s", folder, name);
    assert_true(length > 0 && length < SUPPORT_PATH);
    for (char *slash = out + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(out, 0700);
        *slash = '/';
    }
    return out;
}

/** As support_path; the path is kept until the test ends. */
static inline char *support_in(const char *folder, const char *name) {
    char *out = test_alloc(SUPPORT_PATH, 1);
    support_path(out, folder, name);
    return out;
}

static inline void support_write(const char *folder, const char *name, const void *data,
                                 size_t size) {
    char path[SUPPORT_PATH];
    FILE *file = fopen(support_path(path, folder, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void support_write_text(const char *folder, const char *name, const char *text) {
    support_write(folder, name, text, strlen(text));
}

/** A .npy file (format 1.0) with any header dictionary and any bytes behind it. */
static inline void support_write_npy_raw(const char *folder, const char *name, const char *header,
                                         const void *data, size_t size) {
    size_t text = strlen(header), padded = (10 + text + 1 + 63) / 64 * 64, length = padded - 10;
    unsigned char *bytes = malloc(padded + size);
    assert_non_null(bytes);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)(length & 0xff);
    bytes[9] = (unsigned char)(length >> 8);
    memset(bytes + 10, ' ', length);
    memcpy(bytes + 10, header, text);
    bytes[padded - 1] = '\n';
    if (size > 0)
        memcpy(bytes + padded, data, size);
    support_write(folder, name, bytes, padded + size);
    free(bytes);
}

/** A float64 matrix (n, d), row-major, in this machine's byte order (little-endian). */
static inline void support_write_npy(const char *folder, const char *name, size_t n, size_t d,
                                     const double *values) {
    char header[160];
    snprintf(header, sizeof header,
             "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }", n, d);
    support_write_npy_raw(folder, name, header, values, n * d * sizeof *values);
}

/** Numbers in [-1, 1) that depend on the seed only (a linear congruential generator). */
static inline double *support_numbers(uint64_t seed, size_t count) {
    double *values = test_alloc(count, sizeof *values);
    uint64_t state = seed * 2654435761u + 12345;
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(state >> 11) / 4503599627370496.0 - 1.0;
    }
    return values;
}

static inline void support_write_random_npy(const char *folder, const char *name, uint64_t seed,
                                            size_t n, size_t d) {
    support_write_npy(folder, name, n, d, support_numbers(seed, n * d));
}

#endif
