/* What a command is, and what a running one gets. */
#ifndef ES_CLI_COMMAND_H
#define ES_CLI_COMMAND_H

#include <stddef.h>

#include "hooks.h"
#include "buf.h"
#include "options.h"
#include "words.h"

#include "embedscope/pool.h"
#include "embedscope/status.h"

typedef struct es_subcommand es_subcommand;
typedef struct es_export es_export;

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
    bool (*stop)(void *context, struct es_session *session); /* asked again and again: now? */
    void *context;
} es_host;

/** What --models and --exclude have matched so far (named_models.h). */
typedef struct es_named_models {
    bool several, told;  /* pools are gathered; it was looked at */
    size_t pools;        /* gathered */
    es_words pattern[2]; /* of --models, of --exclude: that match nobody in any of them */
    es_words name;       /* of all of them */
} es_named_models;

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
    /* Asked as results come in for something to say on stderr, or NULL. */
    void (*watch)(const struct es_cli *cli, struct es_session *session, es_buf *out);
    size_t rows;   /* a sample of so many to go on from, whatever is stored; 0: none */
    bool deferred; /* a session is not to read what is stored yet */
    struct es_run
        *beside;  /* and is opened beside one that is shown, in a thread of its own; or NULL */
    double until; /* es_clock_now() at which estimating ends (--budget); 0: never */
    struct es_team *team; /* other processes that compute for this one; NULL: none */
    int exit_code; /* of a command that returns ES_OK; above 1 it also wins over the status */
} es_cli;

struct es_subcommand {
    const char *name;      /* "" is the explorer */
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
    bool of_originals;   /* derived embedders are left out, unless --with-derived */
    bool scores_of_pool; /* --scores may stand in for the pool's own scores.csv */
    bool of_vectors;     /* what it shows is of a pool's files: no finished matrix will do */
    bool of_rankings;    /* a finished ranking will do as well (--ranking) */
    bool pictures;       /* svg, pdf and png; other commands refuse them */
    es_status (*run)(es_cli *cli, es_error *err);
};

/** By name; NULL when there is none. The explorer is found by "". */
const es_subcommand *es_command_find(const es_subcommands *commands, const char *name);

/** Does the command read this option, so that help and completions offer it? */
bool es_command_reads(const es_subcommand *command, const es_option *option);

/** Fail with a message and exit code 2. */
#define es_usage(cli, err, ...)                                                                    \
    ((cli)->exit_code = ES_EXIT_USAGE, es_fail(err, ES_EINVAL, __VA_ARGS__))

#endif
