/* word2vec's binary format. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reader(data, size, "model.bin", 1);
    return 0;
}
