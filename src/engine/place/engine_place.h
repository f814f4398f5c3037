/* Where files lie, how much memory there is, and how processes start. */
#ifndef ES_ENGINE_PLACE_H
#define ES_ENGINE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "io_files.h"
#include "embedscope/status.h"

/* What must be seen to before OpenBLAS is loaded; for the program's .preinit_array alone. */

/** OPENBLAS_CORETYPE under this name: it named a core that the processor lacks. es_blas_guard says
 *  so and removes it. */
#define ES_BLAS_IGNORED "-PENBLAS_CORETYPE"

/** With the process's environment, which is changed in place. Ends the process, exit code 3, with a
 *  message where the address space is limited to less than can be computed in. */
void es_blas_early(char **environment);

/* Was this process started by a launcher of MPI programs (mpirun, srun --mpi), as one of several?
 */

/** By what launchers say in the environment; no MPI is needed to see it. */
bool es_launched(void);
/** Its number among them by the same means; 0 where that is not said. */
unsigned es_launched_rank(void);
/** Runs the program of this name that lies beside this one in its place. Returns where there is
 *  none. */
void es_run_beside(const char *name, char **argv);

/* How much memory there is for a process: the machine's, or what its control groups or its own
 * limit leave of that. */

/** Bytes: the least of the machine's memory, the limits of the control groups that this process is
 * in (version 1 and 2, those above them included) and its limit of address space (ulimit -v). Never
 *  0. */
size_t es_machine_memory(void);

/** The limit that control groups set, SIZE_MAX: none. groups: what /proc/self/cgroup says; root:
 *  where control groups are mounted (/sys/fs/cgroup). A group that is not found there, as in a
 *  container that sees its own as the root, counts as the root. */
size_t es_cgroup_memory(const char *root, const char *groups);

/* Where this program keeps and finds its files. Paths are raw bytes; clean them before showing. */

typedef enum es_user_dir {
    ES_USER_DATA,  /* $XDG_DATA_HOME/embedscope, default ~/.local/share/embedscope */
    ES_USER_STATE, /* $XDG_STATE_HOME/embedscope, default ~/.local/state/embedscope */
    ES_USER_CONFIG /* $XDG_CONFIG_HOME/embedscope, default ~/.config/embedscope */
} es_user_dir;

/** The user's directory of one kind, not created. An XDG variable with a relative path is ignored,
 * as the XDG Base Directory Specification asks. ES_ENOTFOUND: neither the variable nor a home. */
es_status es_path_user(es_user_dir which, char **out, es_error *err);
/** The path of the file or folder `name` in it. *out is left as it is on errors. */
es_status es_path_user_file(es_user_dir which, const char *name, char **out, es_error *err);

/** Something that came with the program, "themes" or "sample_data/molecules": looked for in
 *  ../share/embedscope beside the executable, then in the source tree it was built from, then where
 *  it was configured to be installed. ES_ENOTFOUND names the path that was tried last. */
es_status es_path_shared(const char *below, char **out, es_error *err);

/** True for what the program was installed with: nothing is ever written there, whoever runs it. A
 *  program in its build folder has no such place. `canonical` as from es_path_canonical. */
bool es_path_is_installed(const char *canonical);

/** The path without links, "." and "..", owned by the caller. ES_ENOTFOUND when nothing is there;
 *  ES_EIO when a part of it cannot be entered or its links go in a circle. */
es_status es_path_canonical(const char *path, char **out, es_error *err);

/** The path as a shell reads it: "~" and "~/..." begin at $HOME. Owned by the caller; NULL when out
 * of memory. */
char *es_path_at_home(const char *path) __attribute__((warn_unused_result));

/** Returns true for a folder, also through a link. */
bool es_path_is_folder(const char *path);

/* Who a process is, for others on the same machine to see whether it is still there. */

typedef struct es_process {
    char machine[128]; /* this boot of it and its space of process numbers; empty: not known */
    char host[72];     /* its name, for messages */
    int64_t pid;
    uint64_t
        began; /* when it began, in ticks since the boot; 0: not known. Numbers are used again */
} es_process;

void es_process_self(es_process *out);
/** True if the process has certainly ended; never for another machine or container. */
bool es_process_gone(const es_process *process);

/* Texts that last from session to session, in the user's state folder (paths.c): what the explorer
 * shows of each pool, the lines typed before, which pools were opened, what was seen of files, the
 * last answers of commands. Only the log is kept there besides. */

/** Writes the path of a file about one pool: KIND/DIGEST below the state folder, by the real path
 * of `subject` and by `part`, which of its embedders are opened (NULL: all). Not created.
 *  ES_ENOTFOUND: there is no home, or no such subject. */
es_status es_state_pool_path(const char *kind, const char *subject, const char *part, char **out,
                             es_error *err);

/** Checks that the state file can be written; makes its folder. ES_EIO says why not. */
es_status es_state_check(const char *path, es_error *err);
/** ES_ENOTFOUND: nothing is kept. *out ends with a NUL and is freed with es_free. */
es_status es_state_read(const char *path, char **out, size_t *length, es_error *err);
/** Atomic, user-only, the folder is made where it is missing. */
es_status es_state_write(const char *path, const char *text, size_t length, es_error *err);
/** Removes the files beside it that were last written more than a month ago. */
void es_state_expire(const char *path);
/** Move a file that cannot be read aside, to "PATH.kept". */
es_status es_state_set_aside(const char *path, es_error *err);

/* Where the store of a pool is. */

/** Path of the results file of the pool at `pool_path` for writing: POOL/.embedscope/results.db
 * where that can be written, else below the user's data directory, under the digest of the pool's
 *  canonical path. Makes the directory (0700) and an empty file (0600). Symbolic links in the place
 *  of either are refused: a pool from elsewhere must not make us write somewhere else. */
es_status es_store_place_write(const char *pool_path, char **out, es_error *err);

/** The same for reading: makes nothing; ES_ENOTFOUND when there is none. */
es_status es_store_place_read(const char *pool_path, char **out, es_error *err);

/** The same for a results file of any name, which the user gives: its absolute path. */
es_status es_store_place_file(const char *file, bool create, char **out, es_error *err);

/** Where the answers to duels are: POOL/duels.csv, and duels.csv beside the results in the user's
 *  own directory, whether they are there or not; out[1] NULL: the user has no home. */
es_status es_duels_places(const char *pool_path, char *out[2], es_error *err);
/** Which of the two is written: the pool's, if its folder can be written, else the user's, whose
 *  folder is made. */
es_status es_duels_place_write(const char *pool_path, char **out, es_error *err);

/** The folders of derived embedders that there are: beside the results in the pool, and in the
 * user's own directory; NULL where there is none. Links in their place are skipped. */
es_status es_derived_places(const char *canonical, char *out[2], es_error *err);
/** The same for the stores of the tasks of a cluster, as `embedscope slurm` puts them. */
es_status es_shard_places(const char *canonical, char *out[2], es_error *err);
/** What those lie in, whether it is there or not; out[1] NULL: the user has no home. */
es_status es_store_folders(const char *canonical, char *out[2], es_error *err);

/* The policy behind es_blas_better_core, apart from the machine it runs on. */

/** The core type to ask OpenBLAS for on `cpu` when it chose `core`; NULL when the choice is as good
 *  as any, or when the name is not known here (a newer library knows better). */
const char *es_blas_choose(const es_cpu *cpu, const char *core);

#endif
