/* Who a process is, for others on the same machine to see whether it is still there. */
#ifndef ES_ENGINE_PROCESS_H
#define ES_ENGINE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct es_process {
    char machine[128]; /* this boot of it and its space of process numbers; empty: not known */
    char host[72];     /* its name, for messages */
    int64_t pid;
    uint64_t
        began; /* when it began, in ticks since the boot; 0: not known. Numbers are used again */
} es_process;

void es_process_self(es_process *out);
/** Is it certain that the process has ended? Of another machine, or another container, nothing is.
 */
bool es_process_gone(const es_process *process);

#endif
