/* See cgroups(7): version 2 has one line "0::/path" and memory.max, version 1 a line
 * "N:...,memory,...:/path" and memory.limit_in_bytes, below the folder "memory". */
#include "engine_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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
