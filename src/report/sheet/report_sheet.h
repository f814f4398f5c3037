/* Sheets: what an analysis comes to, as statements and tables, and the formats they are written in.
 */
#ifndef ES_REPORT_SHEET_H
#define ES_REPORT_SHEET_H

#include "io_files.h"

/* Formats that a sheet is written in. */

typedef enum es_output_format {
    ES_FORMAT_DEFAULT, /* not given: the command decides */
    ES_FORMAT_TABLE,
    ES_FORMAT_CSV,
    ES_FORMAT_JSON,
    ES_FORMAT_MD,
    ES_FORMAT_TEX,
    ES_FORMAT_JSONL, /* this and npz: of a matrix's pairs */
    ES_FORMAT_NPZ,
    ES_FORMAT_HTML, /* a fragment for a page */
    ES_FORMAT_SVG,  /* this and the rest are pictures: es_picture + ES_FORMAT_SVG */
    ES_FORMAT_PDF,
    ES_FORMAT_PNG
} es_output_format;

extern const char *const es_format_names[]; /* by es_output_format; ends with NULL */

/** Returns true for svg, pdf and png. */
bool es_format_is_picture(es_output_format format);

/* One description of a result for all formats: columns first, then cells row by row. A command says
 * once what its columns are; table, md and tex show rounded numbers, csv and json exact ones.
 *
 * Where it is shown to a reader, a column without any value is left out.
 *
 *     es_table_out *t = es_table_out_new(columns, n);
 *     es_table_out_text(t, "e5"); es_table_out_number(t, 0.25); ...
 *     ES_TRY(es_table_out_write(t, ES_FORMAT_MD, 0, &buf, err));
 *
 * Texts must be clean. */

typedef enum es_column_kind {
    ES_COLUMN_TEXT,   /* left-aligned */
    ES_COLUMN_NUMBER, /* double, right-aligned */
    ES_COLUMN_COUNT,  /* whole number, right-aligned */
    ES_COLUMN_FLAG,   /* yes, no; true, false in json and csv */
    ES_COLUMN_RANGE,  /* two doubles, shown only: "[0.10, 0.75]" */
    ES_COLUMN_LIST    /* texts, in json only */
} es_column_kind;

enum {
    ES_COLUMN_DATA_ONLY = 1,  /* in csv and json only */
    ES_COLUMN_SHOWN_ONLY = 2, /* in table, md and tex only: what a reader wants merged */
    ES_COLUMN_KEY = 4,        /* names the row: repeated where a table must be cut in width */
    ES_COLUMN_LOW = 8,        /* a number, the next column the high one: in tex one interval */
    ES_COLUMN_NAMED = 16,     /* headed by a name */
    ES_COLUMN_ALWAYS = 32,    /* shown where no row has a value, too */
    ES_COLUMN_SCALE = 64      /* a number of any scale: 1.2e-13 where its decimals would all be 0 */
};

typedef struct es_out_column {
    const char *key; /* csv and json */
    const char
        *title; /* md; also table and tex unless `brief` is given; NULL in data-only columns */
    const char *brief; /* NULL, or a short heading for table and tex */
    es_column_kind kind;
    int decimals; /* of a number where it is shown */
    unsigned flags;
} es_out_column;

enum { ES_TABLE_NUMBER = 344 }; /* room for any double with up to 30 decimals */

typedef struct es_table_out es_table_out;

/** Columns and their texts are borrowed. NULL when out of memory, which all functions below take
 * and es_table_out_write reports: nobody else needs to ask. */
es_table_out *es_table_out_new(const es_out_column *columns, size_t n_columns);
#define ES_TABLE_OUT(columns) es_table_out_new(columns, sizeof(columns) / sizeof *(columns))
/** Adds a column, with copies of its texts, to a table that was begun with none and has no cells.
 */
void es_table_out_add(es_table_out *table, es_out_column column);
void es_table_out_free(es_table_out *table);

/* The next cell, in the order of the columns. NULL, NaN and SIZE_MAX are missing. */
void es_table_out_text(es_table_out *table, const char *text); /* copied */
/** The same of a text that is freed. */
void es_table_out_take(es_table_out *table, char *text);
/** A text that a reader sees as `label`, such as an embedder's with its mark; copied. */
void es_table_out_name(es_table_out *table, const char *name, const char *label);
void es_table_out_number(es_table_out *table, double value);
void es_table_out_band(es_table_out *table, double value, double low, double high); /* three */
void es_table_out_count(es_table_out *table, size_t value);
/** Of a list: a text a line; copied. "": an empty list. */
#define es_table_out_list es_table_out_text
void es_table_out_flag(es_table_out *table, bool value);
void es_table_out_range(es_table_out *table, double low, double high);

/* For the number added last, in tex: bold, as the best of its kind, unless it shows as 0. */
void es_table_out_best(es_table_out *table);

/** Copies the columns and their texts, which are then no longer borrowed. False: out of memory. */
bool es_table_out_keep(es_table_out *table);

size_t es_table_out_rows(const es_table_out *table);
size_t es_table_out_columns(const es_table_out *table);
const es_out_column *es_table_out_column(const es_table_out *table, size_t column);
/** The text of a cell; NULL: missing, or not a text. */
const char *es_table_out_text_at(const es_table_out *table, size_t row, size_t column);
/** A number, a count or a flag (0, 1); NaN: missing, or none of these. */
double es_table_out_number_at(const es_table_out *table, size_t row, size_t column);
/** Appends a cell as a reader sees it; nothing where it is missing. */
void es_table_out_put_cell(const es_table_out *table, size_t row, size_t column, es_buf *out);
/** Returns true if a reader is shown the column: it is not for data alone, and some row has a value
 *  or it is always shown. */
bool es_table_out_is_shown(const es_table_out *table, size_t column);
/** No row was added; false where that is so because memory ran out, which writing it reports. */
bool es_table_out_is_empty(const es_table_out *table);

/** Append in any format but json. `width` is that of the terminal for ES_FORMAT_TABLE, 0 for no
 *  limit: a wider table is cut into blocks of columns, each beginning with the key columns, and
 *  texts to a third of it; of those that name rows or columns (ES_COLUMN_KEY, ES_COLUMN_NAMED) no
 *  two read the same. */
es_status es_table_out_write(const es_table_out *table, es_output_format format, size_t width,
                             es_buf *out, es_error *err);

/** A <table> with its headings; numbers carry the double itself in data-value. */
es_status es_table_out_html(const es_table_out *table, es_buf *out, es_error *err);
/** A text with what has a meaning in HTML escaped. */
void es_html_put(es_buf *out, const char *text);

/** The rows as a JSON array of objects. */
void es_table_out_json(const es_table_out *table, es_json *json, const char *key);

/** A number as tables show it: fixed decimals, and never "-0.000". Returns out. */
const char *es_table_out_decimals(char out[ES_TABLE_NUMBER], double value, int decimals);

/** True if two numbers print the same; false if one is missing. */
bool es_table_out_alike(double a, double b, int decimals);

/** Text as a reader of `format` (md, tex; others as it is) will see it: what has a meaning there is
 *  escaped. tex: letters that pdfTeX does not know without further packages become their number,
 *  "[U+4E2D]", there, and stay what they are in XeTeX and LuaTeX. */
void es_table_out_escape(es_buf *out, const char *text, es_output_format format);

/** A paragraph below a table of md or tex. */
void es_table_out_note(es_buf *out, const char *text, es_output_format format);

/** Columns that a cleaned UTF-8 text takes on a terminal. */
size_t es_table_out_width(const char *text);

/* A sheet: what an analysis comes to, made once and shown by every surface (terminal, explorer,
 * documents, report, Python). Statements, tables, and how the first table is drawn. Surfaces choose
 * what there is room for; they compute nothing.
 *
 *     es_sheet *s = es_sheet_new("Scores without labels");
 *     es_sheet_say(s, ES_SAYS_ANSWER, "%s ranks best.", name);
 *     es_sheet_take_table(s, table);
 *     ES_TRY(es_sheet_check(s, err));
 *
 * Filled by one thread; immutable once it is handed on, and then read by any. */

typedef enum es_says {
    ES_SAYS_ANSWER,  /* what it comes to */
    ES_SAYS_NOTE,    /* what columns mean, and what they are of */
    ES_SAYS_WARNING, /* something was left out */
} es_says;

typedef struct es_said {
    es_says kind;
    char *text; /* one paragraph, clean UTF-8 */
} es_said;

typedef enum es_drawing {
    ES_DRAWN_NOT,
    ES_DRAWN_FOREST,  /* a row each: value with its interval */
    ES_DRAWN_LINES,   /* value over x, a line for each distinct text of `label` */
    ES_DRAWN_SCATTER, /* value over the column before it, coloured by the text of `label` */
    ES_DRAWN_POINTS   /* value over the logarithm of x, coloured by the text of `label` */
} es_drawing;

enum { ES_DRAWN_VALUES = 12 }; /* most columns that are drawn, one at a time */

/** How a table is drawn. Columns are positions in it. */
typedef struct es_sheet_plot {
    es_drawing kind;
    size_t table;                  /* which table of the sheet */
    size_t label, x;               /* names of rows; x of lines and points */
    size_t value[ES_DRAWN_VALUES]; /* drawn one at a time, the first at first */
    size_t values;
    size_t low, high; /* ends of the interval of the first value; 0, 0: the two columns after a
                         value if they are a band (ES_COLUMN_LOW) */
    double line;      /* a value that the others are compared with; NaN: none */
} es_sheet_plot;

typedef struct es_sheet {
    char *title;
    es_said *statement; /* (statements) */
    size_t statements, statement_room;
    es_table_out **table; /* (tables) the first is the main one */
    size_t tables, table_room;
    es_sheet_plot plot;
    char *option;    /* "--colour-by", whose value makes another sheet of the same; NULL: none */
    es_words choice; /* its values */
    size_t chosen;   /* the one in force; choice.count: none of them */
    bool partial;    /* made of what there was in time: asked for again, it has more */
    bool failed;     /* memory ran out */
} es_sheet;

/** Returns an empty sheet; NULL when out of memory, which every function below accepts. */
es_sheet *es_sheet_new(const char *title);
void es_sheet_free(es_sheet *sheet);

/** Gives it a title, unless it has one: the first document of a command names its sheet. */
void es_sheet_name(es_sheet *sheet, const char *title);
/** Adds a statement; an empty one is skipped. */
void es_sheet_say(es_sheet *sheet, es_says kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Adds each line of `text` as a statement. */
void es_sheet_say_lines(es_sheet *sheet, es_says kind, const char *text);
/** Adds a table and keeps it, with copies of its headings. NULL: out of memory. */
void es_sheet_take_table(es_sheet *sheet, es_table_out *table);

/** Offers the values of an option of the command, up to a NULL, of which `chosen` is in force. */
void es_sheet_offer(es_sheet *sheet, const char *option, const char *const *values,
                    const char *chosen);

/** ES_ENOMEM if anything above ran out of memory, else ES_OK. */
es_status es_sheet_check(const es_sheet *sheet, es_error *err);

#endif
