/* .npz: the directory, stored and deflated arrays, ids. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reader(data, size, "model.npz", 1100);
    return 0;
}
