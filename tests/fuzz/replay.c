/* Runs a fuzzer over files and folders of seeds, without libFuzzer: replay PATH... Prints TAP. A
 * crash ends the program as it would end any. */
#include <dirent.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned inputs;

static void replay_file(const char *path) {
    char *bytes = NULL;
    size_t length = 0;
    es_error err = {0};
    if (es_file_read(path, 0, (size_t)64 << 20, &bytes, &length, &err) != ES_OK) {
        printf("not ok 1 %s\n", err.message);
        exit(1);
    }
    fprintf(stderr, "%s\n", path); /* the last one named is the one that crashed */
    (void)LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
    free(bytes);
    inputs++;
}

static void replay(const char *path) {
    struct stat info;
    DIR *folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    if (!folder) {
        replay_file(path);
        return;
    }
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        char below[1024];
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            replay_file(below);
    }
    closedir(folder);
}

int main(int argc, char **argv) {
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%s 1 %u inputs replayed\n1..1\n", inputs > 0 ? "ok" : "not ok", inputs);
    return inputs > 0 ? 0 : 1;
}
