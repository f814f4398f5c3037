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
#ifndef ES_REPORT_SHEET_H
#define ES_REPORT_SHEET_H

#include <stddef.h>

#include "table_out.h"
#include "base.h"

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
