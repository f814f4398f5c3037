/* JSON lines: the scanner, ids, numbers. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reader(data, size, "model.jsonl", 4);
    return 0;
}
