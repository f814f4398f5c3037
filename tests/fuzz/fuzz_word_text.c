/* Vectors in lines: word2vec's, GloVe's, plain numbers. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reader(data, size, "model.txt", 4);
    return 0;
}
