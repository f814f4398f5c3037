/* `embedscope slurm`: a batch file for Slurm that can be read before it is sent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "cli_out.h"

enum { TASKS = 8, CPUS = 4, TASKS_MOST = 100000 };

/* What the file is made of. Paths are absolute: jobs begin somewhere else. */
typedef struct job {
    const es_cli *cli;
    char *pool, *shares, *program;
    size_t tasks, cpus;
    size_t nodes; /* 0: an array of tasks; else one job over so many machines, by MPI */
} job;

/* ---- paths ---- */

/* Beside the results: in the pool where that can be written, else in the user's directory. */
static es_status find_shares(job *j, es_error *err) {
    char *store = NULL;
    es_status st = ES_OK;
    if (access(j->pool, W_OK) == 0) { /* nothing is made before the job is there */
        j->shares = es_path_join(j->pool, ".embedscope/shards");
        return j->shares ? ES_OK : es_no_memory(err);
    }
    ES_TRY(es_store_place_write(j->pool, &store, err));
    *strrchr(store, '/') = '\0';
    j->shares = es_path_join(store, "shards");
    if (!j->shares)
        st = es_no_memory(err);
done:
    es_free(store);
    return st;
}

static es_status find_program(job *j, es_error *err) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    j->program = es_strdup(length > 0 ? path : "embedscope");
    return j->program ? ES_OK : es_no_memory(err);
}

static es_status find_pool(job *j, es_error *err) {
    const char *path = j->cli->n_arguments > 0 ? j->cli->arguments[0] : ".";
    es_status st = es_path_canonical(path, &j->pool, err);
    if (st == ES_OK && access(j->pool, R_OK | X_OK) != 0) {
        char label[ES_PATH_LABEL];
        st = es_fail(err, ES_EIO, "%s: cannot be read", es_path_label(label, path));
    }
    return st;
}

static void job_deinit(job *j) {
    es_free(j->pool);
    es_free(j->shares);
    es_free(j->program);
}

/* ---- the file ---- */

/* The options of estimate that were given, except threads, which the cluster gives. */
static es_status put_options(const job *j, es_buf *out, es_error *err) {
    es_options given = *j->cli->options;
    es_words words = {0};
    es_status st = ES_OK;
    unsigned groups = ES_OPTIONS_POOL | ES_OPTIONS_ESTIMATOR | ES_OPTIONS_RUN;
    es_options_forget(&given, "threads");
    ES_TRY(es_words_add_options(&words, &given, groups, err));
    if (given.null)
        ES_TRY(es_words_add(&words, "--null", err));
    if (given.refresh)
        ES_TRY(es_words_add(&words, "--refresh", err));
    if (es_options_typed(&given, "config")) {
        ES_TRY(es_words_add(&words, "--config", err));
        ES_TRY(es_words_add(&words, given.config, err));
    }
    if (words.count > 0) {
        es_buf_putc(out, ' ');
        es_words_put(&words, out);
    }
done:
    es_words_deinit(&words);
    return st;
}

static void put_variable(es_buf *out, const char *name, const char *value) {
    es_buf_printf(out, "%s=", name);
    es_buf_put_shell(out, value);
    es_buf_putc(out, '\n');
}

/* What the user asks of the cluster, for the tasks and for the merge. */
static void put_requests(const job *j, es_buf *out) {
    const es_texts *requests = &j->cli->options->sbatch;
    for (size_t i = 0; i < requests->count; i++)
        es_buf_printf(out, "#SBATCH %s\n", requests->items[i]);
}

static void put_head(const job *j, es_buf *out) {
    es_buf_puts(out, "#!/bin/bash\n#SBATCH --job-name=embedscope\n");
    es_buf_printf(out, "#SBATCH --array=1-%zu\n#SBATCH --cpus-per-task=%zu\n", j->tasks, j->cpus);
    put_requests(j, out);
    es_buf_printf(
        out,
        "#\n# %zu tasks, each with an equal share of the pairs in a store of its own. The "
        "first one asks for a job\n# that waits for all and merges what is there. Sent "
        "again, all go on where they were; of a part\n# (sbatch --array=3,5 FILE), too.\n"
        "set -eu\n",
        j->tasks);
}

static es_status put_array(const job *j, es_buf *out, es_error *err) {
    put_head(j, out);
    put_variable(out, "program", j->program);
    put_variable(out, "pool", j->pool);
    put_variable(out, "shards", j->shares);
    es_buf_printf(out, "tasks=%zu\n\nmkdir -p \"$shards\"\n", j->tasks);
    es_buf_puts(out, "if [ \"$SLURM_ARRAY_TASK_ID\" = \"$SLURM_ARRAY_TASK_MIN\" ]; then\n"
                     "    sbatch --dependency=\"afterany:$SLURM_ARRAY_JOB_ID\" <<END\n"
                     "#!/bin/bash\n#SBATCH --job-name=embedscope-merge\n");
    put_requests(j, out);
    es_buf_puts(out, "$(printf %q \"$program\") merge $(printf %q \"$pool\") "
                     "$(printf %q \"$shards\")/*.db\nEND\nfi\n"
                     "\"$program\" estimate \"$pool\"");
    es_status st = put_options(j, out, err);
    es_buf_puts(out, " \\\n    --threads \"$SLURM_CPUS_PER_TASK\" "
                     "--shard \"$SLURM_ARRAY_TASK_ID/$tasks\" \\\n"
                     "    --store \"$shards/$SLURM_ARRAY_TASK_ID-of-$tasks.db\"\n");
    return st == ES_OK ? es_buf_check(out, err) : st;
}

/* Slurm ends a job of which one process dies, unless it is told not to. */
static es_status put_nodes(const job *j, es_buf *out, es_error *err) {
    es_buf_printf(out,
                  "#!/bin/bash\n#SBATCH --job-name=embedscope\n#SBATCH --nodes=%zu\n"
                  "#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=%zu\n",
                  j->nodes, j->cpus);
    put_requests(j, out);
    es_buf_printf(
        out,
        "#\n# One process on each of %zu machines, joined by MPI: embedscope-mpi is to be "
        "installed on all\n# of them. The first one hands out pairs and alone writes "
        "results. Sent again, it goes on where it\n# was. Where `srun --mpi=list` knows no "
        "pmix, put mpirun in the place of srun and its options.\n"
        "set -eu\n",
        j->nodes);
    put_variable(out, "program", j->program);
    put_variable(out, "pool", j->pool);
    es_buf_puts(out, "\nsrun --mpi=pmix --kill-on-bad-exit=0 "
                     "--cpus-per-task=\"$SLURM_CPUS_PER_TASK\" \\\n"
                     "    \"$program\" estimate \"$pool\"");
    es_status st = put_options(j, out, err);
    es_buf_puts(out, " --threads \"$SLURM_CPUS_PER_TASK\"\n");
    return st == ES_OK ? es_buf_check(out, err) : st;
}

/* ---- sending ---- */

static bool is_in_path(const char *name) {
    const char *path = getenv("PATH");
    while (path && *path) {
        char file[4096];
        size_t length = strcspn(path, ":");
        int used = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (used > 0 && (size_t)used < sizeof file && access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Pipes the job file to sbatch. */
static es_status submit_job(const es_buf *text, es_error *err) {
    if (!is_in_path("sbatch"))
        return es_fail(err, ES_ENOTFOUND,
                       "sbatch is not installed here; run this on a login node of the cluster, or "
                       "write the file with -o FILE and submit it there");
    (void)fflush(stdout);
    FILE *pipe = popen("exec sbatch", "w"); /* NOLINT(cert-env33-c): a constant */
    if (!pipe)
        return es_fail(err, ES_EIO, "sbatch cannot be run");
    bool written = fwrite(text->data, 1, text->length, pipe) == text->length;
    int code = pclose(pipe);
    if (!written || code != 0)
        return es_fail(err, ES_EIO, "sbatch did not take the job (exit code %d)",
                       WIFEXITED(code) ? WEXITSTATUS(code) : -1);
    return ES_OK;
}

/* ---- the command ---- */

static es_status check_asked(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    if ((es_options_given(o, "array") && o->array == 0) ||
        (es_options_given(o, "nodes") && o->nodes == 0))
        return es_usage(cli, err, "slurm: --%s 0: at least 1",
                        es_options_given(o, "array") && o->array == 0 ? "array" : "nodes");
    if (o->array > TASKS_MOST)
        return es_usage(cli, err, "slurm: --array %zu: at most %d tasks", o->array,
                        (int)TASKS_MOST);
    if (o->nodes > TASKS_MOST)
        return es_usage(cli, err, "slurm: --nodes %zu: at most %d machines", o->nodes,
                        (int)TASKS_MOST);
    if (o->array > 0 && o->nodes > 0)
        return es_usage(cli, err,
                        "slurm: --array makes separate tasks, --nodes one job by MPI: give one");
    if (o->no_store)
        return es_usage(cli, err, "slurm: --no-store would leave nothing to merge");
    for (size_t i = 0; i < o->sbatch.count; i++)
        if (o->sbatch.items[i][0] != '-' || strpbrk(o->sbatch.items[i], "\n\r"))
            return es_usage(cli, err,
                            "slurm: --sbatch takes an option of sbatch, such as "
                            "--sbatch=--time=4:00:00");
    if (es_output_asked(cli))
        return es_usage(cli, err, "slurm: a batch file has no other format");
    return ES_OK;
}

es_status es_cmd_slurm(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    job j = {.cli = cli,
             .tasks = o->array > 0 ? o->array : TASKS,
             .cpus = o->threads > 0 ? o->threads : CPUS,
             .nodes = o->nodes};
    es_buf text = {0};
    es_status st = ES_OK;
    ES_TRY(check_asked(cli, err));
    ES_TRY(find_pool(&j, err));
    ES_TRY(find_program(&j, err));
    if (j.nodes == 0)
        ES_TRY(find_shares(&j, err));
    ES_TRY(j.nodes > 0 ? put_nodes(&j, &text, err) : put_array(&j, &text, err));
    st = o->submit ? submit_job(&text, err) : es_output_write(cli, &text, err);
done:
    es_buf_free(&text);
    job_deinit(&j);
    return st;
}
