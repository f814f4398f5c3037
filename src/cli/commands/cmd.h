/* The commands in cmd_NAME.c, their table, and their help. */
#ifndef ES_CLI_CMD_H
#define ES_CLI_CMD_H

#include "cli_context.h"
#include "io_files.h"

/* The functions of the commands. */

es_status es_cmd_explore(es_cli *cli, es_error *err);
es_status es_cmd_map(es_cli *cli, es_error *err);
es_status es_cmd_estimate(es_cli *cli, es_error *err);
/** `estimate` of several data sets, one after the other. */
es_status es_estimate_data_sets(es_cli *cli, es_error *err);
es_status es_cmd_matrix(es_cli *cli, es_error *err);
es_status es_cmd_rank(es_cli *cli, es_error *err);
es_status es_cmd_tree(es_cli *cli, es_error *err);
es_status es_cmd_correlate(es_cli *cli, es_error *err);
es_status es_cmd_compare(es_cli *cli, es_error *err);
es_status es_cmd_rows(es_cli *cli, es_error *err);
es_status es_cmd_measure(es_cli *cli, es_error *err);
es_status es_cmd_agree(es_cli *cli, es_error *err);
es_status es_cmd_rivals(es_cli *cli, es_error *err);
es_status es_cmd_leaderboard(es_cli *cli, es_error *err);
/** Reports that the table of scores at `path` cannot be read, or that `leaderboard` cannot use it.
 */
es_status es_leaderboard_readable(const char *path, es_error *err);
es_status es_cmd_duel(es_cli *cli, es_error *err);
es_status es_cmd_frontier(es_cli *cli, es_error *err);
es_status es_cmd_series(es_cli *cli, es_error *err);
es_status es_cmd_tuned(es_cli *cli, es_error *err);
/** Any analysis that makes its own sheet, by the name of the command. */
es_status es_cmd_analysis(es_cli *cli, es_error *err);
es_status es_cmd_derive(es_cli *cli, es_error *err);
es_status es_cmd_apply(es_cli *cli, es_error *err);
es_status es_cmd_export(es_cli *cli, es_error *err);
es_status es_cmd_report(es_cli *cli, es_error *err);
es_status es_cmd_info(es_cli *cli, es_error *err);
es_status es_cmd_check(es_cli *cli, es_error *err);
es_status es_cmd_merge(es_cli *cli, es_error *err);
es_status es_cmd_slurm(es_cli *cli, es_error *err);
es_status es_cmd_demo(es_cli *cli, es_error *err);
es_status es_cmd_doctor(es_cli *cli, es_error *err);
es_status es_cmd_names(es_cli *cli, es_error *err);
/** These two live beside dispatch, which prints the same for --help and --version. */
es_status es_cmd_help(es_cli *cli, es_error *err);
es_status es_cmd_version(es_cli *cli, es_error *err);

/* The table of commands.
 *
 * To add a command: a file cmd_NAME.c with its function, declared in cmd.h, and a row in
 * command_table.c. Its options come from the groups that it names, its --help from the row. */

const es_subcommands *es_cli_commands(void);

/** "'rank', 'export'": who takes options of a group. */
void es_command_put_owners(es_option_group group, es_buf *out);

/* Paths on the command line, and what to type in place of wrong ones. */

/** Opens several files of embedders as their folder with --models. Leaves other arguments alone. */
es_status es_paths_take_files(es_cli *cli, es_options *options, es_error *err);
/** May this be a table of scores: a file, or a folder without the files of a pool? */
bool es_path_may_be_board(const char *path);
/** Is it one that the explorer opens: a file that is not of a format of embedders, or a folder of
 *  MTEB's results? Reads the folder. */
bool es_path_is_board(const char *path);
/** Refuses a first argument that should be a pool and is none, with what to type instead.
 *  ES_ENOTFOUND: there is no such folder; ES_EINVAL: it is something else. */
es_status es_paths_check(es_cli *cli, es_error *err);
/** Refuses `embedscope POOL COMMAND`, before its options are read. */
es_status es_paths_check_order(es_cli *cli, int argc, char **argv, es_error *err);

/* What a command line may go on with, for the completions of shells. */

/** Of the words behind the program's name, the last of which (n - 1) is the one in question and may
 *  be empty. First a line with what else may stand there: "folders", "files", or "many" where a
 * list goes on behind a comma. Then a line a word as a whole, with a tab and what it means where
 * that is known; the shell takes those that begin as what was typed. */
void es_complete_line(const char *const *word, size_t n, es_buf *out);

/* What becomes of each file of a pool, as `embedscope info` lists it. */

/* --help, from the tables of commands and options. */

enum { ES_HELP_LINES = 60, ES_HELP_LINES_OVERVIEW = 45 };

/** Writes the help of a command in at most ES_HELP_LINES lines: options that do not fit are listed
 *  by name, the command's own ones first. That of the explorer is the overview of all commands, in
 *  at most ES_HELP_LINES_OVERVIEW. */
void es_help(const es_subcommands *commands, const es_subcommand *command, es_buf *out);
/** Writes everything: all options of the command, and settings if it takes them. That of the
 *  explorer lists all commands with what they do. */
void es_help_all(const es_subcommands *commands, const es_subcommand *command, es_buf *out);
/** Writes `embedscope help TOPIC`. Returns false if no topic has this name. */
bool es_help_topic(const char *name, es_buf *out);
/** Returns the name of topic `at`, or NULL after the last. */
const char *es_help_topic_at(size_t at);
/** Prints help of a command: `what` is "" (es_help), "all" or a topic. ES_EINVAL: no such topic. */
es_status es_help_print(es_cli *cli, const es_subcommand *command, const char *what, es_error *err);

/* Answers that are kept from process to process. */

/** Where the answer to a command is kept, and what its files were when this was made. */
typedef struct es_kept_answer es_kept_answer;

/** Looks at everything that the answer depends on; typed: a digest of the command line. *out NULL:
 *  the answer is not to be kept, or a file was changed within seconds. O(files of the pool).
 *  ES_ENOMEM. */
es_status es_kept_answer_new(const es_cli *cli, es_digest typed, es_kept_answer **out,
                             es_error *err);
void es_kept_answer_free(es_kept_answer *place); /* NULL is allowed */

/** Appends what was written to stderr and stdout when everything was the same. False: that is not
 *  known. */
bool es_kept_answer_find(const es_kept_answer *place, es_buf *notes, es_buf *document);
/** Keeps an answer that was made after es_kept_answer_new, if it can. */
void es_kept_answer_put(const es_kept_answer *place, const es_written *written);

/* A command run inside another program, the explorer or a library, from the words of its line. */

/** A command with its options, which borrow from `words`. */
typedef struct es_cli_call {
    es_options options;
    es_cli cli;
    es_command_room room;
    es_words words;
} es_cli_call;

/** Begins a call with the commands, hooks and files looked at of `of`, which is only read. */
void es_cli_call_begin(es_cli_call *call, const es_cli *of, const es_host *host);
/** Reads the words after the command's name. Read again, options of before stay in force. */
es_status es_cli_call_read(es_cli_call *call, const char *name, const char *const *words, size_t n,
                           es_error *err);
/** Settles what was read; then call->cli.command can be run. */
es_status es_cli_call_finish(es_cli_call *call, es_error *err);
void es_cli_call_end(es_cli_call *call);

/** Runs the command line of `words` ("embedscope", COMMAND, then its arguments and options) as the
 * program would, in any thread; `of` gives the commands, and is only read. It opens what it needs
 * itself. `run` interrupts it, and its subject is how far an estimation is.
 *
 * out: receives what it would print as a sheet, notes as its warnings. NULL: what is printed is
 * dropped, files are written, and *err holds the last note of a command that succeeds with exit
 * code 1. ES_ECANCELED by the run; otherwise as the command fails. */
es_status es_cli_call_run(const es_cli *of, const es_words *words, es_run *run, es_sheet **out,
                          es_error *err);

#endif
