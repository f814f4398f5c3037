/* What people said about the rows of a pool: labels.csv, pairs.csv, pairs_graded.csv, qrels.csv.
 * All have a header, which says which column is which where it names them (label_columns.h); rows
 * are numbered from 0 as in the matrices, or go by their ids in a column that is headed so
 * (row_cells.h). Whatever does not fit is an error that names file and line and says what to do. */
#ifndef EMBEDSCOPE_LABELS_H
#define EMBEDSCOPE_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "positives.h"
#include "queries.h"
#include "row_cells.h"
#include "embedscope/status.h"

typedef enum es_label_kind {
    ES_LABELS_AUTO, /* numbers when all cells are numbers and one of them is not whole; classes of
                     * numbers are one where their values are equal */
    ES_LABELS_CLASSES,
    ES_LABELS_NUMBERS,
} es_label_kind;

/** One column of labels.csv. */
typedef struct es_label_column {
    char *name; /* cleaned */
    bool classes;
    double *value;       /* (n) number, or class in the order of the names; NaN: no label */
    size_t labelled;     /* rows with a label */
    size_t n_classes;    /* different ones; 0 for numbers */
    char **class_name;   /* (n_classes) cleaned; NULL for numbers */
    size_t singletons;   /* classes with one member */
    size_t like_missing; /* rows of classes called "NA", "None" or the like */
    size_t respelled;    /* classes whose number is spelled in several ways, "1" and "1.0" */
    char *spelling[2];   /* of one of these, cleaned; else NULL */
} es_label_column;

typedef struct es_labels {
    size_t n, tasks;
    es_label_column *task; /* (tasks) */
    bool by_ids;           /* rows go by ids, which are not their numbers */
} es_labels;

/** First column the row, then one column a task; rows may be left out, cells be empty: among
 * numbers also "NA", "nan", "None", "null" or "-". naming NULL: rows have no ids. ES_EFORMAT,
 * naming the line: a row that is no number below n and no id, or stands twice; no header, no task;
 * with ES_LABELS_NUMBERS, text; among numbers, but for ES_LABELS_CLASSES, an infinity. Other errors
 * as es_table_read. */
es_status es_labels_read(const char *path, unsigned flags, size_t n, es_label_kind kind,
                         const es_row_naming *naming, es_labels *out, es_error *err);
/** The same from the text of such a file; `name` is for messages. */
es_status es_labels_parse(const char *text, size_t length, const char *name, size_t n,
                          es_label_kind kind, es_labels *out, es_error *err);
void es_labels_deinit(es_labels *labels); /* all zero bytes is allowed */

/** pairs.csv: row, row and, in further columns, how alike people find them (any name) and which set
 *  the pair is of ("set"), in any order. */
typedef struct es_pair_list {
    size_t count;
    es_graded_pair *pair; /* (count) score NaN where the cell is empty or there is no column */
    size_t *line;         /* (count) */
    size_t scored;        /* pairs with a score */
    size_t sets;          /* names of sets; 0: there is no such column */
    char **set_name;      /* (sets) cleaned, in the order in which they come */
    uint32_t *set;        /* (count) NULL without the column */
    bool by_ids;          /* as in es_labels */
} es_pair_list;

/** ES_EFORMAT, naming the line: a row that is no number below n, a score that is text or infinite,
 *  a pair without a set where there is the column, another number of columns, no header, nothing
 *  below it. Self pairs and repetitions are left to
 *  es_positives_new, which counts them. */
es_status es_pair_list_read(const char *path, unsigned flags, size_t n, const es_row_naming *naming,
                            es_pair_list *out, es_error *err);
void es_pair_list_deinit(es_pair_list *list); /* all zero bytes is allowed */

/** background.csv: a column of rows, those that compete. */
typedef struct es_row_list {
    size_t count;
    uint32_t *row; /* (count) ascending, each once */
} es_row_list;

/** ES_EFORMAT, naming the line: a row that is no number below n, another number of columns, no
 *  header, nothing below it. */
es_status es_row_list_read(const char *path, unsigned flags, size_t n, es_row_list *out,
                           es_error *err);
void es_row_list_deinit(es_row_list *list); /* all zero bytes is allowed */

/** qrels.csv: query, doc, rel and, in a fourth column, how frequent the query is. */
typedef struct es_judgement_list {
    size_t count;
    es_judgement *judgement; /* (count) without those of a query on itself */
    double *frequency;       /* (count) of the query; NULL without the column */
    size_t self;             /* left out: a query among its own documents */
    bool by_ids;             /* as in es_labels */
} es_judgement_list;

/** own_queries: queries are whole numbers of their own, not rows, so that none is among its own
 *  documents; or, where query_ids (may be NULL or empty) has them, numbered by their ids.
 *  ES_EFORMAT as es_pair_list_read, and: relevance below 0; a document that answers a query on one
 *  line and does not on another (both lines); a frequency that is not above 0 or differs within a
 *  query. */
es_status es_judgement_list_read(const char *path, unsigned flags, size_t n, bool own_queries,
                                 const es_row_ids *query_ids, const es_row_naming *naming,
                                 es_judgement_list *out, es_error *err);
void es_judgement_list_deinit(es_judgement_list *list); /* all zero bytes is allowed */

#endif
