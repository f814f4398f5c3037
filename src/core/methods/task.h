/* What people said about the rows: labels of one downstream task. */
#ifndef EMBEDSCOPE_TASK_H
#define EMBEDSCOPE_TASK_H

#include <stdbool.h>
#include <stddef.h>

/** One labelled task: a class or a number for each row, or nothing. */
typedef struct es_task {
    size_t n;
    const double *value; /* (n) class number 0, 1 ..., or the number; NaN: missing */
    bool classes;        /* classes differ or not; numbers differ by how much */
} es_task;

#endif
