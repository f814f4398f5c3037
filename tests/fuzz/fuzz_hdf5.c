/* HDF5: what the library says of the file, and what becomes of a library that fails on it. */
#include "fuzz_reader.h"

#include <pthread.h>

/* The sanitizer's; there in builds with it alone. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

/* A damaged file may have the library ask for 2^48 bytes or leave its memory, for which it has a
 * process of its own. The sanitizer ends that process, as it should; only libFuzzer, whose callback
 * the process has inherited, would keep the input as if our side had failed. */
static void be_no_fuzzer(void) {
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int watched;
    if (!watched)
        watched = pthread_atfork(NULL, NULL, be_no_fuzzer) == 0;
    const char *path = fuzz_file("model.h5", data, size);
    if (es_loader_find(path)->load)
        fuzz_reader(data, size, path, 1100 * 8);
    return 0;
}
