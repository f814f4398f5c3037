/* Runs the test by whose name the program is called (es_tests in CMakeLists.txt). */
#include <stdio.h>
#include <string.h>

#include "entry.h"

#define ENTRY(name) int name(void);
#include "entries.h"
#undef ENTRY

char **es_test_arguments;

int main(int argc, char **argv) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *called = slash ? slash + 1 : argc > 0 ? argv[0] : "";
    es_test_arguments = argv;
#define ENTRY(name)                                                                                \
    if (strcmp(called, #name) == 0)                                                                \
        return name();
#include "entries.h"
    fprintf(stderr, "%s: call it by the name of a test: LAYER_test_NAME\n", called);
    return 2;
}
