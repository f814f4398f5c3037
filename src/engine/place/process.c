/* Processes by what Linux says of them below /proc; elsewhere nothing is certain. */
#include "engine_place.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The first line of a small file; empty when there is none. */
static void first_line(const char *path, char *out, size_t capacity) {
    FILE *file = fopen(path, "re");
    out[0] = '\0';
    if (!file)
        return;
    if (!fgets(out, (int)capacity, file))
        out[0] = '\0';
    (void)fclose(file);
    out[strcspn(out, "\n")] = '\0';
}

/* State and beginning, the 3rd and 22nd word; the 2nd is a name that may hold anything but ends
 * with the last ")". False where it cannot be read. */
static bool read_stat(int64_t pid, char *state, uint64_t *began) {
    char path[48], line[1024];
    unsigned long long ticks = 0;
    (void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    first_line(path, line, sizeof line);
    const char *at = strrchr(line, ')');
    if (!at || sscanf(at + 1,
                      " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
                      " %*s %*s %llu",
                      state, &ticks) != 2)
        return false;
    *began = ticks;
    return true;
}

/* Which machine, since when, and within it which space of process numbers: a container has its own.
 */
static void read_machine(char *out, size_t capacity) {
    char boot[64], space[64];
    ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    first_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    out[0] = '\0';
    if (length <= 0 || !boot[0])
        return;
    space[length] = '\0';
    (void)snprintf(out, capacity, "%s %s", boot, space);
}

void es_process_self(es_process *out) {
    char state;
    *out = (es_process){.pid = (int64_t)getpid()};
    if (gethostname(out->host, sizeof out->host - 1) != 0)
        out->host[0] = '\0';
    out->host[sizeof out->host - 1] = '\0';
    if (read_stat(out->pid, &state, &out->began))
        read_machine(out->machine, sizeof out->machine);
}

bool es_process_gone(const es_process *process) {
    es_process self;
    char state = '?';
    uint64_t began = 0;
    es_process_self(&self);
    if (!self.machine[0] || strcmp(self.machine, process->machine) != 0 || process->pid <= 0)
        return false;
    if (kill((pid_t)process->pid, 0) != 0 && errno == ESRCH)
        return true;
    if (!read_stat(process->pid, &state, &began))
        return false; /* it is somebody's who does not show it */
    return state == 'Z' || state == 'X' || began != process->began;
}
