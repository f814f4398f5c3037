/* The version that the library was built as. */
#include "embedscope/version.h"

const char *es_version(void) {
    return ES_VERSION;
}

int es_version_number(void) {
    return ES_VERSION_NUMBER;
}
