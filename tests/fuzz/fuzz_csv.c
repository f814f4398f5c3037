/* An embedder in csv: a table of numbers, with or without a header, an index, ids. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reader(data, size, "model.csv", 8);
    fuzz_reader(data, size, "model.tsv", 8);
    return 0;
}
