/* Helpers of the io tests: a directory of their own, files made from bytes. */
#ifndef EMBEDSCOPE_IO_TEST_H
#define EMBEDSCOPE_IO_TEST_H

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"
#include "embedscope/status.h"

static char test_dir[256];

static inline int make_test_dir(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(test_dir, sizeof test_dir, "%s/embedscope-io-XXXXXX", base ? base : ".");
    return mkdtemp(test_dir) ? 0 : -1;
}

/* Removes the files in the directory (tests leave no sub-directories behind) and itself. */
static inline int remove_test_dir(void **state) {
    (void)state;
    char path[600];
    DIR *dir = opendir(test_dir);
    if (!dir)
        return -1;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        (void)snprintf(path, sizeof path, "%s/%s", test_dir, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)remove(path);
    }
    (void)closedir(dir);
    return rmdir(test_dir);
}

/* Path of a file in the directory; valid until the fourth call from here. */
static inline const char *in_dir(const char *name) {
    static char paths[4][600];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", test_dir, name);
    return path;
}

static inline const char *write_file(const char *name, const void *data, size_t size) {
    const char *path = in_dir(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (size > 0)
        assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *write_text(const char *name, const char *text) {
    return write_file(name, text, strlen(text));
}

#endif
