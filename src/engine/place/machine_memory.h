/* How much memory there is for a process: the machine's, or what its control groups or its own
 * limit leave of that. */
#ifndef ES_ENGINE_MACHINE_MEMORY_H
#define ES_ENGINE_MACHINE_MEMORY_H

#include <stddef.h>

/** Bytes: the least of the machine's memory, the limits of the control groups that this process is
 * in (version 1 and 2, those above them included) and its limit of address space (ulimit -v). Never
 *  0. */
size_t es_machine_memory(void);

/** The limit that control groups set, SIZE_MAX: none. groups: what /proc/self/cgroup says; root:
 *  where control groups are mounted (/sys/fs/cgroup). A group that is not found there, as in a
 *  container that sees its own as the root, counts as the root. */
size_t es_cgroup_memory(const char *root, const char *groups);

#endif
