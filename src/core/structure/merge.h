/* A tree of embedders as the list of its merges. */
#ifndef EMBEDSCOPE_MERGE_H
#define EMBEDSCOPE_MERGE_H

#include <stdint.h>

/** One merge: clusters below m are embedders, m + k is the k-th merge; a < b. */
typedef struct es_merge {
    uint32_t a, b;
    double height;
    uint32_t size;
} es_merge;

#endif
