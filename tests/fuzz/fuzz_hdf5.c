/* HDF5: what the library says of the file, and what becomes of a library that fails on it. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("model.h5", data, size);
    if (es_loader_find(path)->load)
        fuzz_reader(data, size, path, 1100 * 8);
    return 0;
}
