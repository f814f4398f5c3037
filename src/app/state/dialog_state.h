/* What is open over the view: a prompt, a list, a question, a text, the dialogs. */
#ifndef ES_APP_DIALOG_STATE_H
#define ES_APP_DIALOG_STATE_H

#include "line_edit.h"
#include "engine_session.h"

typedef enum es_mode {
    ES_MODE_NORMAL,
    ES_MODE_PROMPT, /* a line is being typed */
    ES_MODE_HELP,
    ES_MODE_PICK, /* a list to choose from */
    ES_MODE_ASK,  /* yes or no */
    ES_MODE_NOTE, /* a text to read */
    ES_MODE_EXPORT,
    ES_MODE_PLANNER, /* the run dialog */
    ES_MODE_DUEL     /* questions about rows */
} es_mode;

typedef enum es_prompt_kind {
    ES_PROMPT_COMMAND,
    ES_PROMPT_SEARCH,
    ES_PROMPT_FILTER,
    ES_PROMPT_COUNT
} es_prompt_kind;

typedef struct es_history {
    char *line[ES_APP_HISTORY]; /* oldest first */
    size_t count, fresh;        /* the last `fresh` were typed in this session */
} es_history;

typedef struct es_prompt {
    es_prompt_kind kind;
    es_line line;
    es_history history[ES_PROMPT_COUNT];
    bool sourcing;              /* lines are taken from a file */
    size_t browsing;            /* steps back in the history; 0: the new line */
    char draft[ES_APP_LINE];    /* the new line while browsing */
    char complete[ES_APP_LINE]; /* what was typed before Tab */
    size_t complete_at;         /* which candidate is shown + 1; 0: not completing */
    char error[256];            /* of a filter being typed */
    size_t origin, place;       /* cursor item, and its place, when a search began */
    char before[ES_APP_LINE];   /* filter when the prompt opened */
} es_prompt;

typedef enum es_pick_kind {
    ES_PICK_ORDER,
    ES_PICK_HIDDEN,
    ES_PICK_COLUMNS,
    ES_PICK_THEME,
    ES_PICK_SIDE,    /* an embedder for Compare's side */
    ES_PICK_MEASURE, /* a measure to compute */
    ES_PICK_DERIVE,  /* a way to derive an embedder */
    ES_PICK_OPTIONS  /* what :set sets; each is changed in its line */
} es_pick_kind;
typedef struct es_pick {
    es_pick_kind kind;
    size_t at, count, all; /* all: without what is typed */
    size_t
        *item; /* (count, with room for `room`) what each line is of: an order, an embedder ... */
    size_t room;
    es_line typed;                                         /* lines that hold it are shown */
    char before[64];                                       /* theme in use when the list opened */
    bool (*line)(size_t item, char *out, size_t capacity); /* of ES_PICK_OPTIONS; false: no more */
    bool typing; /* the value of an option is typed into `value` */
    es_line value;
} es_pick;

typedef enum es_ask {
    ES_ASK_QUIT,
    ES_ASK_CANCEL,
    ES_ASK_OVERWRITE,
    ES_ASK_FOLDERS,
    ES_ASK_NAMES, /* of scores.csv: are they those of embedders? */
    ES_ASK_FAMILY /* is families.csv to be written? */
} es_ask;

typedef enum es_export_form {
    ES_EXPORT_TEX,
    ES_EXPORT_MD,
    ES_EXPORT_CSV,
    ES_EXPORT_JSON,
    ES_EXPORT_JSONL, /* of the matrix alone, as ES_EXPORT_NPZ */
    ES_EXPORT_NPZ,
    ES_EXPORT_SVG,
    ES_EXPORT_PDF,
    ES_EXPORT_PNG,
    ES_EXPORT_HTML, /* of the report alone */
    ES_EXPORT_FORMS
} es_export_form;

typedef enum es_export_width {
    ES_EXPORT_USUAL,
    ES_EXPORT_SINGLE,
    ES_EXPORT_DOUBLE
} es_export_width;

typedef enum es_export_look { ES_EXPORT_LIGHT, ES_EXPORT_DARK, ES_EXPORT_THEME } es_export_look;

enum { ES_EXPORT_FILE = 512 };

typedef struct es_export_request {
    es_export_view view;
    es_export_form form;
    es_export_width width; /* of a picture */
    es_export_look look;   /* of a picture: ES_EXPORT_THEME is the theme shown */
    bool all;              /* although some are marked */
    bool named;            /* the file's name was typed: it does not follow view and format */
    char file[ES_EXPORT_FILE];
} es_export_request;

typedef struct es_export_state {
    const char *const *base[ES_EXPORT_VIEWS]; /* es_app_exporter; NULL: none */
    es_export_form form[ES_EXPORT_VIEWS];     /* used last */
    es_export_request now, last;
    bool has_last, busy; /* for E; one is being written */
    bool naming;         /* the file's name is being typed */
    es_line line_edit;
    es_words line; /* for ES_FX_EXPORT */
} es_export_state;

typedef struct es_note {
    char title[128];
    char *text; /* owned; lines */
    size_t scroll;
} es_note;

typedef struct es_help {
    es_line filter;
    size_t at, count; /* of `match` */
    size_t ready;     /* of `match`, those that work now; they come first */
    uint8_t match[ES_COMMAND_COUNT];
    bool all;                                                      /* all views */
    const char *(*refusal)(const es_app *app, es_command command); /* NULL: it works now */
} es_help;

/** What the run dialog begins with. */
typedef struct es_planning {
    const char *open; /* the plan of this session: lines "option=value" as on the command line */
    const char *const *command; /* how the line begins that estimates this pool; ends with NULL */
    es_status (*check)(const char *lines, es_error *err); /* can the pool be opened with it? */
} es_planning;
typedef enum es_planner_field {
    ES_PLANNER_ESTIMATOR,
    ES_PLANNER_PRESET,
    ES_PLANNER_ROWS,
    ES_PLANNER_SEED,
    ES_PLANNER_THREADS,
    ES_PLANNER_FIELDS
} es_planner_field;

enum { ES_PLANNER_VALUE = 32 };

/** What each option is to be; "": as without it. */
typedef struct es_planner_request {
    char value[ES_PLANNER_FIELDS][ES_PLANNER_VALUE];
} es_planner_request;

typedef struct es_planner_state {
    es_planning from; /* command NULL: there is none */
    es_planner_request open, now;
    unsigned threads; /* when the session was opened */
    es_planner_field field;
    bool fresh; /* a digit begins the number anew */
} es_planner_state;

/** How y writes what it copies. */
typedef enum es_copy_form {
    ES_COPY_TSV,
    ES_COPY_MARKDOWN,
    ES_COPY_LATEX,
    ES_COPY_JSON
} es_copy_form;

#endif
