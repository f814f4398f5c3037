/* What a command gets, names that the user gives, command lines that make a document again. */
#ifndef ES_CLI_CONTEXT_H
#define ES_CLI_CONTEXT_H

#include "explorer.h"
#include "options.h"
#include "report_answer.h"
#include "engine_team.h"

/* What the command line and the explorer know of each other. The explorer is handed in as a
 * function, so that this layer needs no ncurses. */

typedef struct es_cli_hooks {
    /** Is this a setting of the explorer, for the configuration file? ES_ENOTFOUND: it is none.
     * NULL: there are none. */
    es_status (*setting)(const char *name, const char *value, es_error *err);
    /** Runs until the user quits. ES_EUNSUPPORTED: no usable terminal. */
    es_status (*explore)(es_session *session, const es_explorer *explorer, int *exit_code,
                         es_error *err);
    /** Shows how far opening the pool is until it is open; *left: the user does not want it. Fails
     *  where it cannot be shown. NULL: there is no explorer. */
    es_status (*wait)(const es_explorer_wait *wait, bool *left, es_error *err);
    bool scripted; /* `explore` plays a test's keys: it needs no terminal and keeps no session */
    /** ES_ENOTFOUND: there is no such theme. NULL: there are no themes. */
    es_status (*find_theme)(const char *theme, const char *theme_dir, es_error *err);
    /** A theme's colours for pictures, and a line for what is wrong with them. NULL: there are no
     * themes. */
    es_status (*picture_colours)(const char *theme, const char *theme_dir, es_picture_colours *out,
                                 es_buf *remarks, es_error *err);
    /** Predicts the explorer's colours in this terminal with --color auto: "none", "8", "16", "256"
     * or "rgb", with the reason. Returns NULL if the explorer cannot use the terminal. NULL: there
     * is no explorer. */
    const char *(*colours)(char reason[160]);
    /** Joins the processes that were started together (mpirun), for `estimate`. NULL: this program
     *  cannot. */
    es_status (*join)(es_wire *out, es_error *err);
} es_cli_hooks;

enum {
    ES_EXIT_OK = 0,
    ES_EXIT_FAILED_PAIRS = 1,
    ES_EXIT_USAGE = 2,
    ES_EXIT_BAD_INPUT = 3,
    ES_EXIT_EMPTY = 4,
    ES_EXIT_INTERRUPTED = 130
};

/* What a command is, and what a running one gets. */

typedef struct es_subcommand es_subcommand;
typedef struct es_export es_export;

/** Headings of `embedscope --help`. The table holds the commands of one heading together. */
typedef enum es_heading {
    ES_COMMANDS_FIRST, /* a line each */
    ES_COMMANDS_LOOK,  /* these and the rest: by name */
    ES_COMMANDS_MAKE,
    ES_COMMANDS_POOL,
    ES_COMMANDS_PROGRAM,
    ES_HEADINGS
} es_heading;

typedef struct es_subcommands {
    const es_subcommand *item;
    size_t count;
} es_subcommands;

/** The program around a command, where that is not our own: a library's (study.h). */
typedef struct es_host {
    const es_array_view *arrays; /* (n_arrays) in place of a pool's folder; NULL: there is one */
    size_t n_arrays;
    struct es_session *session; /* what commands show; NULL: they open the pool themselves */
    es_buf *document, *notes;   /* where stdout and stderr are not ours; notes are lines */
    bool of_program;            /* the explorer: -o FILE is written, several pools can be named */
    bool (*stop)(void *context, struct es_session *session); /* asked again and again: now? */
    void *context;
    struct es_run *run; /* interrupts what does not ask `stop`; NULL: nothing does */
} es_host;

/** What --models and --exclude have matched so far (named_models.c). */
typedef struct es_named_models {
    bool several, told;  /* pools are gathered; it was looked at */
    size_t pools;        /* gathered */
    es_words pattern[2]; /* of --models, of --exclude: that match nobody in any of them */
    es_words name;       /* of all of them */
} es_named_models;

/** What a command has written, to be written again (kept_answer.c). */
typedef struct es_written {
    es_buf notes, document;
    bool passing; /* a note was of this moment */
} es_written;

/** What lasts as long as a command does. */
typedef struct es_own_scores {
    struct es_own_scores *next;
    es_scores scores;
} es_own_scores;
typedef struct es_command_room {
    es_arena *arena;
    es_own_scores *scores;
} es_command_room;

typedef struct es_cli {
    const es_subcommands *commands;
    const es_subcommand *command;
    const es_options *options;
    const char **arguments; /* (n_arguments) */
    size_t n_arguments;
    const char *models, *exclude; /* comma-separated globs, NULL when not said */
    const es_cli_hooks *hooks;
    es_log *log;            /* of the explorer; NULL elsewhere */
    struct es_looks *looks; /* at files, of all sessions of the process; NULL: none are kept */
    es_buf *capture; /* a document goes there, tables as html, for a page; NULL: to the output */
    struct es_sheet *sheet; /* takes documents in place of the output; NULL: there is none */
    es_named_models *named; /* NULL: each pool is judged alone */
    es_export *export;      /* what `export` does with the document; NULL elsewhere */
    const es_host *host;    /* NULL: the program */
    es_command_room *room;  /* of es_cli_room */
    es_written *written;    /* notes and the document are copied there; NULL: they are not */
    /* Asked as results come in for something to say on stderr, or NULL. */
    void (*watch)(const struct es_cli *cli, struct es_session *session, es_buf *out);
    size_t rows;   /* a sample of so many to go on from, whatever is stored; 0: none */
    bool of_table; /* its argument is a table of scores, without a pool */
    bool deferred; /* a session is not to read what is stored yet */
    struct es_run
        *beside;  /* and is opened beside one that is shown, in a thread of its own; or NULL */
    double until; /* es_clock_now() at which estimating ends (--budget); 0: never */
    struct es_team *team; /* other processes that compute for this one; NULL: none */
    int exit_code; /* of a command that returns ES_OK; above 1 it also wins over the status */
} es_cli;

struct es_subcommand {
    const char *name;           /* "" is the explorer */
    const char *const *aliases; /* other names, up to a NULL; or NULL */
    es_heading heading;
    const char *arguments; /* as shown: "POOL" */
    const char *summary;   /* one line */
    const char *details;   /* one paragraph for --help, wrapped there */
    const char *examples;  /* lines, each a complete command */
    size_t most_arguments;
    const char *missing; /* what to say when the pool is missing; NULL: no argument is fine */
    unsigned groups;     /* es_option_group bits: options of --help */
    unsigned also;       /* options that are taken beside these, most of which say nothing here */
    const char *const
        *unread;         /* options of the groups that say nothing here: noted; up to a NULL */
    const char *ending;  /* of -o FILE beside those of formats; "": any; NULL: txt */
    bool fragments;      /* its documents may be parts of somebody's page: html */
    bool of_originals;   /* derived embedders are left out, unless --with-derived */
    bool scores_of_pool; /* --scores may stand in for the pool's own scores.csv */
    bool of_vectors;     /* what it shows is of a pool's files: no finished matrix will do */
    bool of_rankings;    /* a finished ranking will do as well (--ranking) */
    bool pictures;       /* svg, pdf and png; other commands refuse them */
    bool is_kept;        /* its document is of a pool's files, its store and the options alone */
    es_status (*run)(es_cli *cli, es_error *err);
};

/** Finds a command by its name or an alias. Returns NULL if there is none. "" is the explorer. */
const es_subcommand *es_command_find(const es_subcommands *commands, const char *name);

/** True if the command reads this option; help and completions offer it then. */
bool es_command_reads(const es_subcommand *command, const es_option *option);

/** Fail with a message and exit code 2. */
#define es_usage(cli, err, ...)                                                                    \
    ((cli)->exit_code = ES_EXIT_USAGE, es_fail(err, ES_EINVAL, __VA_ARGS__))

/* Embedders that the user names: found by their exact name, or refused with what was meant. */

/** Position of `name` in plan entry `entry`'s results. A usage error (exit code 2) says why a model
 *  of the pool is left out, or which names are near. */
es_status es_cli_model(es_cli *cli, es_session *session, size_t entry, const char *name,
                       size_t *position, es_error *err);

/** count * size bytes of zeros for a document, which last until the command ends; NULL when out of
 *  memory. Of one thread. */
void *es_cli_room(const es_cli *cli, size_t count, size_t size);
/** Scores to be read into, which last as long; NULL when out of memory. */
es_scores *es_cli_room_scores(const es_cli *cli);
void es_command_room_end(es_command_room *room);

/** A usage error: there is no `what` called `name`; then the names that are near, else the first
 *  ones. */
es_status es_cli_unknown_name(es_cli *cli, const char *what, const char *name,
                              const char *const *names, size_t count, es_error *err);

/* Joining a ranking's names with those of downstream scores: equal names only, and what the user
 * accepts. */

/** Partners by position in the two lists; SIZE_MAX: none. */
typedef struct es_join {
    const char *const *a, *const *b; /* borrowed: the ranking's names, the scores' */
    size_t na, nb;
    size_t *of_a, *of_b; /* (na), (nb) joined partners */
    size_t *proposed;    /* (na) who might be meant, not joined */
    es_name_match *how;  /* (na) of joined and proposed names */
    size_t count;        /* joined */
} es_join;

/** Joins equal names, those of --match A=B, and with --accept-names what is proposed. A --match of
 *  unknown names, or of a name that has a partner, is a usage error. ES_EFORMAT, with the first
 *  names of both lists, when nothing can be joined. */
es_status es_join_new(es_cli *cli, const char *const *a, size_t na, const char *const *b, size_t nb,
                      es_join *out, es_error *err);
void es_join_deinit(es_join *join); /* all zero bytes is allowed */

/* The data sets that a command line names: several pools, the pools of a folder, the sets of rows
 * of a pool. */

typedef struct es_data_list {
    size_t count;
    es_words path, name; /* (count) as opened; as shown, no two alike where that can be */
    es_words set;        /* (count) of rows; "": all of them */
} es_data_list;

/** ES_ENOTFOUND: --set-rows all, and a pool has no sets. A word that is not a folder is a usage
 * error where there are several. With --matrix or --ranking: none. */
es_status es_data_list_of(es_cli *cli, es_data_list *out, es_error *err);
/** The folders with embedders in this one, whatever speaks for one pool: somebody said that they
 * are other data. */
es_status es_data_list_of_folders(const char *path, es_data_list *out, es_error *err);
es_status es_data_list_copy(const es_data_list *list, es_data_list *out, es_error *err);
void es_data_list_deinit(es_data_list *list);

/** Several, or one that --set-rows or the folder named in another way: how entry `k` is opened.
 *  `path` (1) and `options` are the caller's room. */
es_cli es_data_list_open(const es_cli *cli, const es_data_list *list, size_t k, es_options *options,
                         const char *path[2]);

/** Sets *several if the command line names several data sets. */
es_status es_data_list_asked(es_cli *cli, bool *several, es_error *err);

/* The command line that gives the same document again, whatever the user's configuration file says.
 */

enum {
    ES_EXPORT_COMMANDS = 19,
    ES_EXPORT_OF_SETS = 6,
    ES_EXPORT_OF_REPORT = 18
}; /* views of es_export_begin */

/** Appends the options of `groups` that are in force because someone said so. An estimator that was
 *  chosen for the user is not said: a line that names one ranks by its published score. Options of
 *  how to work, such as --threads, change no result and are left out unless they were said. */
es_status es_words_add_options(es_words *words, const es_options *options, unsigned groups,
                               es_error *err);

/** The views of `export` in their order; NULL behind the last. */
const char *es_export_view_at(size_t at);
/** True if --models names the embedders of this view instead of choosing a part of the pool. */
bool es_export_is_of_named(const char *name);
/** Name of list number `at` of the command `names`; NULL behind the last. */
const char *es_names_list(size_t at);
/** Writes the names in a list (embedders, tasks, estimators ...) of a pool, one a line.
 * ES_ENOTFOUND: there is no such list. */
es_status es_names_put(const char *list, const char *pool, es_buf *out, es_error *err);

/** How the command line of an export of this session begins, which cli opened: "embedscope",
 *  "export", POOL, VIEW and the options that say what was opened, except the estimator. `view`
 *  counts ranking, matrix, tree, correlation, compare. *out stays empty where none can be given. */
/** The same of several data sets: "embedscope", `command`, what names them (`paths`, and --set-rows
 *  all where they are sets of rows), `view` where it is not NULL, and the options of the session
 *  except scores. */
es_status es_sets_begin(const es_cli *cli, const es_data_list *list, const char *command,
                        const char *view, es_words *out, es_error *err);
/** "embedscope", `command`, POOL where there is one, and the options of the session except the
 *  estimator and, unless they are asked for, scores. */
es_status es_rows_begin(const es_cli *cli, const char *command, bool scores, es_words *out,
                        es_error *err);
es_status es_export_begin(const es_cli *cli, size_t view, es_words *out, es_error *err);

/* The options of a ranking as the report takes them. */

/** The measure that --score names; NULL: it names none, or one of the two scores of a ranking. */
const char *es_score_measure(const es_options *options);

/** An aggregate that was asked for is one of the published score. */
es_rank_choices es_rank_choices_of(const es_options *options, bool with_intervals);

/* --sweep KEY=V,V: values that settings run through, and every combination of them. */

enum { ES_SWEEP_AXES = 4, ES_SWEEP_POINTS = 64, ES_SWEEP_TEXT = 96 };

/** One combination. */
typedef struct es_sweep_point {
    char text[ES_SWEEP_AXES][ES_SWEEP_TEXT];   /* "modes=4" each */
    const char *setting[ES_SWEEP_AXES + 1];    /* NULL-terminated, into text */
    char label[ES_SWEEP_AXES * ES_SWEEP_TEXT]; /* "modes=4 folds=5" */
} es_sweep_point;

/** True if --sweep names settings of an estimator; otherwise it names trained embedders. */
bool es_sweep_asked(const es_options *options);

/** Usage errors: no KEY=VALUE, a setting or a value twice, more than ES_SWEEP_AXES settings. */
es_status es_sweep_check(es_cli *cli, es_error *err);
/** How many combinations there are; 1 without --sweep. Usage errors: as above, and more than
 *  ES_SWEEP_POINTS combinations. */
es_status es_sweep_count(es_cli *cli, size_t *out, es_error *err);
/** Combination `at`; the first setting changes fastest. */
void es_sweep_at(const es_options *options, size_t at, es_sweep_point *out);

#endif
