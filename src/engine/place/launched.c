/* What launchers put into the environment, and the program beside this one. */
#include "engine_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
