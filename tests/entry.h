/* What a test program was called with, NULL behind the last. */
#ifndef ES_TESTS_ENTRY_H
#define ES_TESTS_ENTRY_H

extern char **es_test_arguments;

#endif
