/* Options: what a command line is read into, and the one table of them. */
#ifndef ES_CLI_OPTIONS_H
#define ES_CLI_OPTIONS_H

#include "report_sheet.h"
#include "io.h"

/* The table of options: what exists, and what was given. Parsing, the configuration file, every
 * --help, manual pages and completions are made from it.
 *
 * To add an option: a field in es_options and a row in the table. */

/** What belongs together: a command names the groups that it takes, help prints group by group. */
typedef enum es_option_group {
    ES_OPTIONS_GENERAL = 1 << 0,   /* every command */
    ES_OPTIONS_OUTPUT = 1 << 1,    /* format and file of a document */
    ES_OPTIONS_POOL = 1 << 2,      /* which embedders and rows */
    ES_OPTIONS_ESTIMATOR = 1 << 3, /* which results */
    ES_OPTIONS_RUN = 1 << 4,       /* how to estimate */
    ES_OPTIONS_FILES = 1 << 5,     /* a matrix from a file in place of a pool */
    ES_OPTIONS_MATRIX = 1 << 6,
    ES_OPTIONS_RANK = 1 << 7,
    ES_OPTIONS_EXPLORER = 1 << 8,
    ES_OPTIONS_TREE = 1 << 9,
    ES_OPTIONS_ENOUGH = 1 << 10, /* how many embedders are enough */
    ES_OPTIONS_NAMES = 1 << 11,  /* joining a ranking with downstream scores */
    ES_OPTIONS_ROWS = 1 << 12,
    ES_OPTIONS_MEASURE = 1 << 13,
    ES_OPTIONS_DERIVE = 1 << 14,
    ES_OPTIONS_AGREE = 1 << 15,   /* --against */
    ES_OPTIONS_EXPORT = 1 << 16,  /* what leaves the program for a paper */
    ES_OPTIONS_SCORE = 1 << 17,   /* --score: a measure in place of information sufficiency */
    ES_OPTIONS_CHECK = 1 << 18,   /* of what is stored */
    ES_OPTIONS_APPLY = 1 << 19,   /* a trained embedder on new rows */
    ES_OPTIONS_DERIVED = 1 << 20, /* whether derived embedders vote and rank */
    ES_OPTIONS_BY = 1 << 21,      /* what rows are listed by */
    ES_OPTIONS_BY_TASK = 1 << 22, /* every score against every task */
    ES_OPTIONS_MAP = 1 << 23,     /* a map of rows */
    ES_OPTIONS_LABEL = 1 << 24,   /* which tasks, or which column of labels --score takes */
    ES_OPTIONS_SWEEP = 1 << 25,   /* settings that run through values */
    ES_OPTIONS_BUDGET = 1 << 26, /* how long to estimate, what it takes, which share of the pairs */
    ES_OPTIONS_FRONTIER = 1 << 27, /* how small an embedder may be */
    ES_OPTIONS_CLUSTER = 1 << 28,  /* how a cluster is asked for machines */
    ES_OPTIONS_DUEL = 1 << 29,     /* questions to a person, and the answers */
    ES_OPTIONS_DOCTOR = 1 << 30    /* a report on this machine */
} es_option_group;

enum {
    /** What most commands take. */
    ES_OPTIONS_COMMON = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_POOL |
                        ES_OPTIONS_ESTIMATOR | ES_OPTIONS_RUN
};

typedef enum es_aggregate_name {
    ES_BY_MEDIAN,
    ES_BY_MEAN,
    ES_BY_Q75,
    ES_BY_TRIMMED,
    ES_BY_BALANCED
} es_aggregate_name;

typedef enum es_by_name { ES_BY_IS, ES_BY_PMI } es_by_name;

typedef enum es_tree_method {
    ES_TREE_LOUVAIN,
    ES_TREE_WARD, /* this and the rest: es_linkage_method + 1 */
    ES_TREE_AVERAGE,
    ES_TREE_COMPLETE,
    ES_TREE_SINGLE,
    ES_TREE_MEDIAN
} es_tree_method;

enum { ES_OPTIONS_MOST = 160 /* rows of the table */ };

/** Texts of an option that may be given several times; items[count] is NULL. */
typedef struct es_texts {
    const char **items;
    size_t count;
} es_texts;

/** What a line of the configuration file has set. */
typedef struct es_config_line {
    size_t row, number; /* of the table; of the line */
    const char *value;  /* as it stands there */
} es_config_line;

/** Everything that was said, or the default. Texts are borrowed from argv or from `kept`. */
typedef struct es_options {
    bool version, quiet;
    const char *help; /* NULL: not asked for; "": of this command; "all"; a topic */
    bool drop_rows, strict;
    bool null, refresh, no_store;
    bool include_self, leave_family_out, with_derived, curve;
    bool accept_names;
    bool start, ascii, mouse, plain, resume, fresh, dry_run;
    bool submit; /* to the cluster, in place of printing */
    bool by_task, by_category, tasks, repair;
    bool long_form;                   /* of a matrix: a pair a line */
    bool csv_safe;                    /* no cell of csv that a spreadsheet would run */
    bool list, fields;                /* of measures */
    bool center, normalize, flow;     /* ways to derive */
    bool float16, int8, int4, binary; /* how its values are stored */
    bool to_report;                   /* what doctor finds, to be sent */
    bool info;                        /* of a trained embedder: its hidden layer */
    int format;                       /* es_output_format */
    const char *config, *output;
    es_texts models, exclude, targets;
    es_texts with_tasks; /* globs of tasks that the ranking is combined with */
    es_row_request rows;
    double budget; /* seconds; 0: none */
    const char *set_rows;
    const char *estimator, *preset;
    es_texts settings;
    size_t folds;
    uint64_t seed;
    size_t threads, memory; /* bytes */
    const char *matrix, *blocks, *families, *scores, *ranking;
    int order;           /* es_order_kind */
    int value;           /* es_pair_value */
    int aggregate;       /* es_aggregate_name */
    int unit;            /* es_unit */
    int tree_method;     /* es_tree_method */
    const char *against; /* a task */
    double coverage;     /* 0: not asked for */
    const char *explain; /* an embedder */
    size_t runs;         /* seeds, this one and the next ones */
    double resolution, threshold;
    int kind;     /* index into es_kind_names */
    int weights;  /* es_weights */
    int of;       /* es_linkage_of */
    int diagonal; /* es_diagonal */
    int color;    /* index into es_color_names */
    es_texts matches;
    int by;     /* es_by_name */
    int within; /* es_within */
    size_t top;
    const char *groups_by;
    size_t sample; /* rows; 0: all */
    const char *title, *figure_width, *figure_theme, *figure_theme_dir;
    int figure_colours; /* index into es_figure_colour_names: 0, or that of es_gradients plus 1 */
    const char *limits; /* "LOW,HIGH" */
    es_texts show, hide;
    const char *theme, *theme_dir, *keys;
    es_texts views; /* "name=value" of the explorer's own settings, from the configuration file */
    es_status (*check_setting)(const char *name, const char *value, es_error *err);
    void (*put_owners)(es_option_group group, es_buf *out); /* commands that take it; or NULL */

    size_t questions; /* of duels; 0: not asked for */
    es_texts answers; /* files */

    size_t pairs; /* to estimate again; 0: all */

    const char *shard, *store; /* "K/N"; a file */
    size_t array;              /* tasks; 0: not said */
    size_t nodes;              /* machines; 0: not said */
    es_texts sbatch;           /* options of it */

    const char *task, *worst_of, *other;   /* a label column; an embedder; a pool or one more */
    const char *where;                     /* COLUMN=VALUE of rows */
    const char *score;                     /* a measure */
    const char *measure;                   /* of two embedders, as a matrix */
    size_t bytes;                          /* a row; 0: any */
    size_t abtt, pcr, whiten, pca, random; /* axes */
    size_t first;                          /* columns */
    const char *concat, *name, *remove;
    size_t cmim; /* columns of a trained code; 0: as the settings say */
    const char *mode;
    es_texts sweep; /* "key=value,value"; of measure also the name of trained embedders */

    bool typed[ES_OPTIONS_MOST]; /* as `given`, on the command line alone */
    bool given[ES_OPTIONS_MOST]; /* row i of the table was set, here or in the configuration file */
    es_words kept;               /* texts that the options own */
    const char *config_path;     /* of the file whose lines these are */
    es_config_line *lines;       /* (n_lines) in order; what is typed is not among them */
    size_t n_lines, lines_room;
} es_options;

typedef enum es_option_kind {
    ES_OPTION_FLAG,   /* bool; "--flag" or "--flag=no" */
    ES_OPTION_SET,    /* int: stores `constant` */
    ES_OPTION_TEXT,   /* const char * */
    ES_OPTION_LIST,   /* es_texts, repeatable */
    ES_OPTION_COUNT,  /* size_t */
    ES_OPTION_AXES,   /* size_t; the number may be left out: 0 */
    ES_OPTION_WORD,   /* const char *; "--word" is "", "--word=TEXT" is TEXT */
    ES_OPTION_U64,    /* uint64_t */
    ES_OPTION_NUMBER, /* double from low to high */
    ES_OPTION_CHOICE, /* int: index into choices */
    ES_OPTION_ROWS,   /* es_row_request */
    ES_OPTION_SPAN,   /* double, seconds, from "90s", "10m" or "2h" */
    ES_OPTION_BYTES   /* size_t, from "2G", "1500M", "800000K" or bytes; powers of 1024 */
} es_option_kind;

typedef struct es_option {
    const char *name;
    const char *argument; /* shown in help; NULL for flags */
    const char *help;     /* one line, no full stop */
    const char *const
        *choices;     /* NULL-terminated; [0] may be "" (not said), which is not offered */
    size_t field;     /* offset in es_options */
    double low, high; /* of a number */
    es_option_kind kind;
    es_option_group group;
    int constant;
    char brief;             /* letter of the short form; 0: none */
    bool command_line_only; /* not in a configuration file */
} es_option;

extern const es_option es_option_table[];
extern const size_t es_option_count;
extern const char *const es_order_names[];
extern const char *const es_value_names[];
extern const char *const es_aggregate_names[];
extern const char *const es_unit_choices[];
extern const char *const es_color_names[];
extern const char *const es_tree_method_names[];
extern const char *const es_weight_names[];
extern const char *const es_of_names[];
extern const char *const es_set_value_names[];
extern const char *const es_by_names[];
extern const char *const es_kind_names[];
extern const char *const es_diagonal_names[];
extern const char *const es_figure_colour_names[];

/** Name of a group for help: "Pool". */
const char *es_option_group_title(es_option_group group);

/* The options of all commands: parsing, and the configuration file, from the one table of
 * option_table.c. */

void es_options_init(es_options *options);
void es_options_free(es_options *options);

/** Read argv[1..argc) for a command that takes `groups`. Options and arguments may be mixed; "--"
 *  ends the options. Arguments are moved, in order, to arguments[0..*n_arguments) (room for argc).
 *  `command` is the name for messages. ES_EINVAL: a usage error, the message says what is near. */
es_status es_options_parse(es_options *options, unsigned groups, const char *command, int argc,
                           char **argv, const char **arguments, size_t *n_arguments, es_error *err);

/** Defaults from a file of lines "option = value" ('#' starts a comment; long names without the
 *  dashes). What was given on the command line stays. Options of other commands are checked and
 *  skipped. ES_EFORMAT names file and line; ES_EIO or ES_ENOTFOUND when it cannot be read. The
 *  file is never written. */
es_status es_options_read_config(es_options *options, unsigned groups, const char *path,
                                 es_error *err);

/** Puts "FILE:LINE: " before a message about what the configuration file has set: one that names
 *  such an option with its dashes, or its value or key in quotes. */
void es_options_blame(const es_options *options, es_error *err);
/** The same where it is known to be about the field of this option. */
void es_options_blame_for(const es_options *options, const char *name, es_error *err);

/** True when the option was set on the command line or in the configuration file. */
bool es_options_given(const es_options *options, const char *name);

/** True when it was set on the command line. */
bool es_options_typed(const es_options *options, const char *name);

/** As if --scores had been typed with this file; NULL: as if it had not. Borrowed. */
void es_options_use_scores(es_options *options, const char *scores);

/** As if --name had been typed with this value, borrowed; and as if it had not been said at all (an
 *  option whose default is nothing; a list is forgotten, not freed). */
es_status es_options_use(es_options *options, const char *name, const char *value, es_error *err);
void es_options_forget(es_options *options, const char *name);

/** Options that are short for another one: --folds K becomes --set folds=K. Once, after everything
 *  was read. */
es_status es_options_expand(es_options *options, es_error *err);

/** Joins the items of a list with commas; *out is kept by options, NULL when the list is empty. */
es_status es_options_join(es_options *options, const es_texts *texts, const char **out,
                          es_error *err);

#endif
