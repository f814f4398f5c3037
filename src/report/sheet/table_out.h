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
#ifndef ES_REPORT_TABLE_OUT_H
#define ES_REPORT_TABLE_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "output_format.h"

#include "base.h"
#include "io_files.h"
#include "embedscope/status.h"

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
void es_table_out_free(es_table_out *table);

/* The next cell, in the order of the columns. NULL, NaN and SIZE_MAX are missing. */
void es_table_out_text(es_table_out *table, const char *text); /* copied */
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

#endif
