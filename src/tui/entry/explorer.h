/* What the command line hands to the explorer, and what it gets back. This room has no code: cli
 * fills in the one struct and tui reads it, so that cli needs no ncurses. */
#ifndef ES_TUI_EXPLORER_H
#define ES_TUI_EXPLORER_H

#include "base.h"

/** How to go on when the explorer has ended. Strings are from es_alloc and the command line's. */
typedef struct es_explorer_next {
    bool again;    /* open the pool again, where the session goes on */
    bool turned;   /* a session has taken the place of another while that was shown */
    bool reopened; /* beside again: nothing was shown, the session names scores to open it with */
    char *scores;  /* the CSV of scores to open it with */
    char *pool;    /* another pool, to open in the place of this one */
    size_t set;    /* another data set, to open in the place of this one; SIZE_MAX: none */
    bool folders;  /* the pool's folders as data sets, in its place */
    char *sets;    /* what was known of all data sets, the newest document; NULL: nothing */
    char *plan;    /* lines "option=value", to open the pool with and to begin to estimate */
    char *state;   /* the session, where no file keeps it */
    bool settled;  /* the other data sets are estimated, or that was stopped */
    size_t step;   /* that a script goes on from */
    struct es_edits *edits; /* of this pool, to be undone (engine_requests.h); never NULL */
    char said[200];         /* to be said when the pool is open again; "": nothing */
} es_explorer_next;

/** What is shown before there is a session: how far opening the pool, or the matrix, is. */
typedef struct es_explorer_wait {
    const char *path, *says; /* what is opened; what it takes that long for, and how to leave */
    int done;                /* becomes readable, or ends, when it is open */
    void (*look)(void *context, es_run_view *out);
    void *context;
    const char *theme, *theme_dir, *color; /* as in es_explorer */
    bool ascii;
    es_log *log;
} es_explorer_wait;

struct es_session;

/** How to open the pool once more while it is shown, since its folder has changed or a larger
 * sample of its rows is to be estimated. */
typedef struct es_explorer_turn {
    /** rows 0: as before, deferred (es_session_options): what the session stores is not read yet.
     *  Else over a sample of so many rows. Called in a thread of its own, which `run` interrupts.
     */
    es_status (*open)(void *context, size_t rows, struct es_run *run, struct es_session **out,
                      es_error *err);
    /** It takes the place of the one before, which is to be closed: the explorer no longer needs
     * it. */
    void (*took)(void *context, struct es_session *session);
    void *context;
} es_explorer_turn;

struct es_sheet;

/** Runs commands of the program in the process. */
typedef struct es_explorer_commands {
    /** The command line of `command` over what is open; several: over all data sets. Owner's
     * thread. */
    es_status (*begin)(void *context, const char *command, bool several, es_words *out,
                       es_error *err);
    /** Runs it; sheet: NULL, or receives what it would print. Any thread; `run` interrupts it, and
     * says how far it is. ES_OK with a message: it ended well, except this. */
    es_status (*run)(void *context, const es_words *words, struct es_run *run,
                     struct es_sheet **sheet, es_error *err);
    void *context;
} es_explorer_commands;

/** Strings are borrowed for the call. */
typedef struct es_explorer {
    const char *theme;     /* NULL: config, then default-dark */
    bool theme_asked;      /* on the command line: the session's does not count */
    const char *theme_dir; /* NULL: the usual places */
    const char *color;     /* never auto 16 256 rgb; NULL = auto */
    bool ascii, mouse;
    bool plain;          /* lines instead of a screen (tui.h) */
    bool start;          /* begin to estimate at once */
    bool scripted;       /* tests play keys: there is no terminal */
    const char *subject; /* path of the pool or matrix, whose session is kept; NULL: it is not */
    const char *part;    /* which of its embedders are opened; NULL: all */
    bool scores_asked;   /* on the command line: those of the last session do not count */
    bool fresh;          /* begin with the defaults, not where the last session ended */
    const char *config;  /* the file that :set --save writes; NULL: none */
    const char *keys;    /* the file of keys, which :map --save writes; NULL: none */
    bool keys_asked;     /* it must be there */
    const char *const
        *settings; /* "name=value" of the configuration file; NULL-terminated, or NULL */
    es_status (*doctor)(es_buf *out, es_error *err); /* what :doctor shows; NULL: nothing */
    const char *const *const *exports; /* es_app_exporter; NULL: none can be written */
    const char *const *sets;           /* (n_sets) names of data sets; NULL: one pool is open */
    const char *const *set_path;       /* (n_sets) their folders */
    size_t n_sets, set;                /* set: the one that is open */
    const char *plan;                  /* what is open: lines "option=value", as in next->plan */
    const char *const *estimate; /* how the command line begins that estimates it; NULL: none */
    es_status (*check_plan)(const char *plan, es_error *err); /* can a pool be opened with it? */
    const char *notice; /* to be read before anything else; NULL: nothing */
    const char *remark; /* said in passing; NULL: nothing */
    bool with_derived;  /* derived embedders vote and rank, whatever the session has kept */
    bool shown_only;    /* it says why the session only shows what is stored */
    bool estimate_sets; /* the others are to be estimated, too */
    bool sets_first;    /* several data sets are what was asked for: shown first */
    bool *asked;        /* plain: set to whether any line came; NULL: nobody wants to know */
    es_log *log;
    es_explorer_next *next;               /* NULL: the pool is not opened again */
    const es_explorer_turn *turn;         /* NULL: the folder is not watched */
    const es_explorer_commands *commands; /* NULL: none can be run */
} es_explorer;

#endif
