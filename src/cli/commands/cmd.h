/* The commands, one a file cmd_NAME.c, their table, and what they say of themselves. */
#ifndef ES_CLI_CMD_H
#define ES_CLI_CMD_H

#include "cli_context.h"

/* The functions of the commands, one a file cmd_NAME.c. */

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

/** Writes a row for each file of embeddings, used or not, and for each file that is none: what it
 *  is used as, or why not and what helps. Texts are filled to `width` columns (0: no limit), lines
 *  to paste are kept whole. Writes nothing where all are used. */
void es_info_files_put(const es_pool *pool, size_t width, es_buf *out);

/** Writes "TITLE: TEXT" with the lines to paste in it on lines of their own. */
void es_info_note_put(const char *title, const char *text, size_t width, es_buf *out);

/** `info POOL columns [COLUMN]`: the columns of rows.csv and labels.csv, or the values of one
 *  (info_columns.c). ES_EEMPTY: neither file; ES_ENOTFOUND: no such column. */
es_status es_info_columns(es_cli *cli, es_session *session, es_error *err);

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

#endif
