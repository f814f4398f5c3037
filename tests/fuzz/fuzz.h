/* What the fuzzers share. A fuzzer is one function that is given bytes and must come back:
 *
 *     fuzz_NAME.c      the function, for libFuzzer (./dev fuzz) and for the replay
 *     seeds/NAME/      inputs it starts from; every crash that was ever found is one of them
 *     dict/NAME.dict   words of the format (optional)
 *     replay.c         a main without libFuzzer: any compiler runs every seed, as a test
 *
 * A fuzzer looks for crashes and sanitizer reports, and checks with fuzz_require what must hold for
 * any input. */
#ifndef ES_TEST_FUZZ_H
#define ES_TEST_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Also in builds without assertions. */
#define fuzz_require(condition)                                                                    \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition),  \
                    abort()))

/* The bytes as a mapped file: a copy of exactly this size, so that a read beyond its end shows. */
__attribute__((unused)) static es_map fuzz_map(const uint8_t *data, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    fuzz_require(copy);
    if (size)
        memcpy(copy, data, size);
    return (es_map){.data = size ? copy : (free(copy), NULL), .size = size};
}

__attribute__((unused)) static void fuzz_unmap(es_map *map) {
    free((void *)(uintptr_t)map->data);
}

/* A folder of this process for parsers that want a path; removed at the end of the process. */
static char fuzz_folder_name[64];

__attribute__((unused)) static void fuzz_remove_folder(void) {
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", fuzz_folder_name);
    int ignored = system(command);
    (void)ignored;
}

__attribute__((unused)) static const char *fuzz_folder(void) {
    if (!fuzz_folder_name[0]) {
        snprintf(fuzz_folder_name, sizeof fuzz_folder_name, "%s/es-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        fuzz_require(mkdtemp(fuzz_folder_name));
        atexit(fuzz_remove_folder);
    }
    return fuzz_folder_name;
}

/* The bytes in a file FOLDER/name; the path is valid until the next call. */
__attribute__((unused)) static const char *fuzz_file(const char *name, const uint8_t *data,
                                                     size_t size) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    FILE *file = fopen(path, "wb");
    fuzz_require(file);
    fuzz_require(fwrite(data, 1, size, file) == size);
    fuzz_require(fclose(file) == 0);
    return path;
}

/* What may be shown: nothing that a terminal would act on. */
__attribute__((unused)) static void fuzz_require_clean(const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        uint32_t code = 0;
        size_t used = es_utf8_decode(text, left, &code);
        fuzz_require(!es_text_is_unsafe(code));
        text += used;
        left -= used;
    }
}

/* An outcome: an error has a code and one clean line. */
__attribute__((unused)) static void fuzz_require_told(es_status st, const es_error *err) {
    if (st == ES_OK)
        return;
    fuzz_require(err->code == st);
    fuzz_require(err->message[0]);
    fuzz_require_clean(err->message);
}

#endif
