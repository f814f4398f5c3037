/* Processes by what Linux says of them below /proc; elsewhere nothing is certain. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine_place.h"

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

/* ---- launchers of MPI programs ---- */

/* What launchers put into the environment, and the program beside this one. */

static unsigned long number(const char *name) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

/* With PMIx only Slurm says how many there are. */
bool es_launched(void) {
    bool member = getenv("PMIX_RANK") || getenv("PMI_RANK");
    return number("OMPI_COMM_WORLD_SIZE") > 1 || number("PMI_SIZE") > 1 ||
           (member && number("SLURM_STEP_NUM_TASKS") > 1);
}

unsigned es_launched_rank(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return (unsigned)number(names[i]);
    return 0;
}

void es_run_beside(const char *name, char **argv) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    size_t room = slash ? sizeof path - (size_t)(slash + 1 - path) : 0;
    if (room <= strlen(name))
        return;
    memcpy(slash + 1, name, strlen(name) + 1);
    if (access(path, X_OK) == 0)
        (void)execv(path, argv);
}

/* ---- memory ---- */

/* See cgroups(7): version 2 has one line "0::/path" and memory.max, version 1 a line
 * "N:...,memory,...:/path" and memory.limit_in_bytes, below the folder "memory". */

enum { PATH = 1024, TEXT = 8192 };

/* A number in a file; SIZE_MAX where there is none ("max"), or no file. */
static size_t read_limit(const char *path) {
    char text[64] = "";
    FILE *file = fopen(path, "re");
    if (!file)
        return SIZE_MAX;
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    return end == text || errno != 0 || value == 0 || value > SIZE_MAX / 2 ? SIZE_MAX
                                                                           : (size_t)value;
}

/* The least limit of a group and all above it. group: "/a/b", which is cut as we go up. */
static size_t least_above(const char *root, char *group, const char *name) {
    size_t least = SIZE_MAX;
    for (;;) {
        char path[2 * PATH];
        int length = snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        if (length < 0 || (size_t)length >= sizeof path)
            return least;
        size_t limit = read_limit(path);
        least = limit < least ? limit : least;
        char *slash = strrchr(group, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* True if "memory" is among the comma-separated names. */
static bool has_memory(const char *names, size_t length) {
    static const char word[] = "memory";
    for (const char *at = names; at < names + length;) {
        size_t n = strcspn(at, ",:");
        if (n == sizeof word - 1 && memcmp(at, word, n) == 0)
            return true;
        at += n + 1;
    }
    return false;
}

size_t es_cgroup_memory(const char *root, const char *groups) {
    size_t least = SIZE_MAX;
    for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *names = strchr(line, ':');
        const char *path = names ? strchr(names + 1, ':') : NULL;
        size_t end = strcspn(line, "\n");
        if (!path || path >= line + end)
            continue;
        size_t length = (size_t)(path - names) - 1;
        bool second = length == 0;
        char group[PATH], under[PATH];
        (void)snprintf(group, sizeof group, "%.*s", (int)(line + end - path - 1), path + 1);
        if (strcmp(group, "/") == 0)
            group[0] = '\0';
        if (!second && !has_memory(names + 1, length))
            continue;
        (void)snprintf(under, sizeof under, "%s%s", root, second ? "" : "/memory");
        size_t limit = least_above(under, group, second ? "memory.max" : "memory.limit_in_bytes");
        least = limit < least ? limit : least;
    }
    return least;
}

size_t es_machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t least = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
    char text[TEXT] = "";
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file) {
        size_t length = fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
        text[length] = '\0';
        size_t limit = es_cgroup_memory("/sys/fs/cgroup", text);
        least = limit < least ? limit : least;
    }
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY &&
        space.rlim_cur < least)
        least = (size_t)space.rlim_cur;
    return least;
}
