/* Tables, ids, labels and .npy files. */
#ifndef ES_IO_H
#define ES_IO_H

#include <csv.h>

#include "io_files.h"
#include "core_duel.h"
#include "core_methods.h"
#include "embedscope/pool.h"

/* Cells of a comma- or tab-separated file in one pass, through libcsv with strict quotes. What
 * becomes of them is the caller's: table.c keeps texts, table_array.c numbers. */

/* One pass over a file. libcsv calls back without positions, so that lines are fed to it one at a
 * time and counted here. */
typedef struct es_cells {
    struct csv_parser parser; /* the pass's own, as all below but what its caller sets */
    const char *label;
    es_run *run;
    const es_map *map; /* what is read, or NULL: its pages are let go and run gets the progress */
    es_error *err;
    es_status status; /* of the callbacks; the first failure stops the pass */
    char delimiter;
    size_t line;        /* being fed, from 1 */
    size_t start;       /* line where the current row started */
    bool open;          /* a row has started and not ended */
    bool may_lead;      /* the first row may lack the heading of its first column, as R writes it */
    bool lead;          /* it does */
    size_t row, column; /* of the next cell */
    size_t columns;     /* of the first row */
    size_t most_rows;   /* to read; 0: all */
    /* What to do with a cell, and with a finished row. */
    es_status (*cell)(struct es_cells *cells, const char *text, size_t length);
    es_status (*end)(struct es_cells *cells);
    void *sink;
} es_cells;

/** Refuse what is no text, pass over comments (es_cells_comments), then give every cell and every
 * finished row to the callbacks. Set label, delimiter (0: by the path's ending), run, err,
 * most_rows, cell, end and sink before; row is the number of rows afterwards. ES_EFORMAT naming the
 * line: ragged rows, malformed quotes, a NUL byte, no rows; ES_EUNSUPPORTED: another format under
 * this name; the callbacks' errors. */
es_status es_cells_read(es_cells *cells, const void *data, size_t size, const char *path);

/** Bytes of comments before a table: its first lines that begin with '#', except the last if that
 *  heads as many columns as there are. */
size_t es_cells_comments(const char *text, size_t size, char delimiter);
/** The same for a file of numbers, whose first line may say that it is a semicolon or a tab. */
char es_cells_delimiter_of(const char *path, const void *data, size_t size);
/** A number as es_text_parse_double, and "0,85" where commas do not part cells. */
bool es_cells_number(char delimiter, const char *text, size_t length, double *out);
/** A word that programs write where a number is missing: "NA", "None", "-", in any case. */
bool es_cells_says_missing(const char *text, size_t length);
/** The number that a name ends in, as "d17"; false: it ends in none. */
bool es_cells_trailing_number(const char *text, size_t length, double *out);
/** Digits 0 and 1 alone, more than a number would have: a fingerprint, not a number. */
bool es_cells_are_bits(const char *text, size_t length);
/** The reason why a cell of bits is refused, and what to do. ES_EUNSUPPORTED. */
es_status es_cells_refuse_bits(const char *label, size_t line, size_t length, es_error *err);
/** Blanks alone. */
bool es_cells_is_empty(const char *text, size_t length);
es_status es_cells_no_memory(const es_cells *cells);
/** The largest value that is compared: squares are to be numbers, and of float, too. */
#define ES_VALUE_MOST 1e30
/** Squares of others than 0 are not to be 0 either: false beyond ES_VALUE_MOST, and nearer to 0
 * than its inverse. */
bool es_cells_in_range(double value);
es_status es_cells_not_a_number(const char *label, size_t line, size_t column, const char *text,
                                size_t length, es_error *err);

/* families.csv: which embedders are of one origin, a line an embedder:
 *
 *     model,family
 *     bge-small,bge
 *
 * The first line holds headings, in any case and order: "model", "models", "model name", "name"
 * or "embedder"; "family", "families" or "group". Further columns are ignored, and so is markup
 * around names. A line without a family, or with a dash, says that its embedder has none. */

typedef struct es_family_line {
    char *model, *family; /* cleaned; family "": none */
    size_t line;          /* in the file, from 1 */
} es_family_line;

typedef struct es_family_file {
    es_family_line *item; /* (count) in the file's order, each model once */
    size_t count;
    char label[ES_PATH_LABEL];
} es_family_file;

/** Reads a file. Names are cut to `most` bytes, 0: not. ES_ENOTFOUND: there is no such file.
 *  ES_EFORMAT names the line: a heading is missing, a line names no model, a model is there twice;
 *  errors of es_table_read_any. O(n log n). */
es_status es_family_file_read(const char *path, size_t most, es_family_file *out, es_error *err);
/** The same of another column: ES_MODEL_BASE is the model that one was tuned from ("base", "base
 *  model", "tuned from"), which stands as its family. ES_EEMPTY: no such column. */
typedef enum es_model_word { ES_MODEL_FAMILY, ES_MODEL_BASE } es_model_word;
es_status es_model_words_read(const char *path, es_model_word word, size_t most,
                              es_family_file *out, es_error *err);
void es_family_file_deinit(es_family_file *file); /* all zero bytes is allowed */

/** Writes the file with other families for some models. Replaces it atomically, or makes it; all
 *  other lines and columns keep their cells.
 *  most: as above; model: (n) names; family: the new one of all, "" for none; blank: (n) with an
 * empty family, does the model keep a line that says so, or lose its line. Errors as
 * es_family_file_read and es_file_replace. */
es_status es_family_file_edit(const char *path, size_t most, const char *const *model,
                              const bool *blank, size_t n, const char *family, es_error *err);

/* duels.csv: questions to a person and the answers (core_duel.h), a line each:
 *
 *     row,left,right,answer,time
 *     17,240,3,left,2026-11-30T10:00:00Z
 *
 * Rows are numbers from 0. Columns are found by their headings, in any order; `time` and
 * `annotator` may be missing, others are kept and not looked at. */

typedef struct es_duel_line {
    uint32_t row, left, right; /* three different rows */
    es_duel_choice answer;
    char *time, *annotator; /* cleaned; "": not said */
    size_t line;            /* of the file, from 1 */
} es_duel_line;

typedef struct es_duel_list {
    es_duel_line *item; /* (count) in the file's order */
    size_t count;
    char label[ES_PATH_LABEL];
} es_duel_list;

/** Reads a file over so many rows. ES_EFORMAT names the line: a heading is missing, a row is no
 *  number below `rows` or one of the other two, an answer is none; es_table_read's errors. */
es_status es_duel_list_read(const char *path, unsigned flags, size_t rows, es_duel_list *out,
                            es_error *err);
void es_duel_list_deinit(es_duel_list *list); /* all zero bytes is allowed */
/** Moves the lines of `more` behind those of `list`. */
es_status es_duel_list_append(es_duel_list *list, es_duel_list *more, es_error *err);
/** Adds a line to a file, which is made if it is missing, or removes the last one that has the same
 *  rows and answer. Replaces the file atomically; other lines and columns keep their cells. Errors
 * as es_duel_list_read and es_file_replace. */
es_status es_duel_list_edit(const char *path, const es_duel_line *line, bool remove, es_error *err);

/* Who the rows of a matrix are: an id a row, from NAME.ids.txt or NAME.ids.csv beside the matrix,
 * or from within its file. Rows of two matrices with the same id are the same row, wherever they
 * stand.
 *
 *     es_row_ids ids = {0};
 *     ES_TRY(es_row_ids_push(&ids, "doc-17", 6, err)); ...
 *
 *     ES_TRY(es_row_index_new(&reference, &index, err));
 *     ES_TRY(es_row_index_match(index, &ids, &match, err));
 *     row = match.row[7];   the row of `ids` that is row 7 of the reference
 */

/** Endings of files of ids; the stem is the embedder's. */
#define ES_ROW_IDS_TEXT ".ids.txt"
#define ES_ROW_IDS_CSV ".ids.csv"

/** An id a row, in the order of the rows: raw bytes in Unicode's form C, not cleaned for showing.
 * All zero bytes: none yet. */
typedef struct es_row_ids {
    size_t n;
    size_t *offset;  /* (n + 1) where each starts in text, and the end of the last */
    es_buf text;     /* each followed by a NUL */
    size_t capacity; /* of offset */
    bool counted;    /* row numbers in order, which a table is written with: they say who the rows
                        are only where others have such numbers, too */
} es_row_ids;

/** One more row. An id may hold any bytes; an empty one says nothing and is matched with none.
 *  ES_ENOMEM; ES_EINVAL beyond ES_ARRAY_MOST rows. */
es_status es_row_ids_push(es_row_ids *ids, const char *id, size_t length, es_error *err);
/** All rows of `from` from number `first` on. */
es_status es_row_ids_add_all(es_row_ids *ids, const es_row_ids *from, size_t first, es_error *err);
void es_row_ids_deinit(es_row_ids *ids); /* all zero bytes is allowed */
/** For lists that are passed on by pointer: deinit and es_free; NULL is allowed. */
void es_row_ids_free(es_row_ids *ids);

/** The id of row < n, borrowed, with a NUL behind it; length may be NULL. */
const char *es_row_ids_get(const es_row_ids *ids, size_t row, size_t *length);
/** Where all are numbers, and whole: 7.0 and 7e0 become 7, as they are written where no row lacks
 *  one. ES_ENOMEM. */
es_status es_row_ids_make_whole(es_row_ids *ids, es_error *err);
/** Equal for equal ids in equal order. */
es_digest es_row_ids_digest(const es_row_ids *ids);

/** Read a file by its name's ending: of .csv and .tsv the column "id", or the first that is named
 * as ids are (id_column.c), or the first, unless that only counts the rows and there is just one
 * other; of any other an id a line, except a first line more than there are rows that heads ids.
 * Blanks around an id are dropped. `expected`: rows of the matrix; a csv file of one row more
 * begins with a header, as does one whose first line has a cell "id". ES_EFORMAT, naming the line:
 * an empty id, no ids; es_table_read's errors; ES_EUNSUPPORTED: UTF-16. That there are as many as
 * rows is left to the caller. */
es_status es_row_ids_read(const char *path, unsigned flags, size_t expected, es_row_ids *out,
                          es_error *err);
/** From a document inside another: a JSON array of texts and whole numbers, or an id a line. `path`
 *  is for messages. ES_EFORMAT: an item of another type. */
es_status es_row_ids_parse(const char *text, size_t length, const char *path, es_row_ids *out,
                           es_error *err);

#define ES_ROW_NONE UINT32_MAX

/** Finds rows of a reference list by their ids, in constant time. Borrows the list. */
typedef struct es_row_index es_row_index;
es_status es_row_index_new(const es_row_ids *reference, es_row_index **out, es_error *err);
void es_row_index_free(es_row_index *index); /* NULL is allowed */

/** The row with an id; ES_ROW_NONE: none has it, or more than one, *doubled says which. */
uint32_t es_row_index_find(const es_row_index *index, const char *id, size_t length, bool *doubled);

/** How a list stands to the reference. An id that stands twice in either does not say which row is
 * meant, so it is matched with none. */
typedef struct es_row_match {
    uint32_t *row; /* (n of the reference) row of the list; ES_ROW_NONE: it has none */
    size_t n, found;
    size_t strangers, first_stranger;   /* rows of the list that the reference lacks, the first
                                           that has an id; SIZE_MAX: none */
    size_t empty, first_empty;          /* of these, rows without an id */
    size_t missing, first_missing;      /* ids of the reference that it lacks; SIZE_MAX: none */
    size_t doubled;                     /* rows of the list whose id stood before */
    size_t first_doubled, doubled_with; /* the first of them, and where it stood; SIZE_MAX */
} es_row_match;

/** O(n of both). ES_ENOMEM. */
es_status es_row_index_match(const es_row_index *index, const es_row_ids *list, es_row_match *out,
                             es_error *err);
void es_row_match_deinit(es_row_match *match); /* all zero bytes is allowed */
/** Is every row where it is in the reference, and none missing? */
bool es_row_match_is_same(const es_row_match *match);
/** No two rows have the same id. O(n); ES_ENOMEM. */
es_status es_row_ids_apart(const es_row_ids *ids, bool *out, es_error *err);
/** Rows of the reference whose id stands in it before; *first the first of them, or SIZE_MAX. */
size_t es_row_index_doubled(const es_row_index *index, size_t *first);
/** Rows of the reference that have an empty id, likewise. */
size_t es_row_index_empty(const es_row_index *index, size_t *first);

/* Comma- and tab-separated files, through libcsv: tables of text, and the cells of what we write
 * ourselves (RFC 4180). Arrays of numbers: io_readers_parts.h.
 *
 * Quotes are taken strictly: a cell with a quote in it must be in quotes, with the quote doubled. A
 * lenient reader would guess, and swallow rows without a word. Blank lines are skipped, blanks
 * around an unquoted cell are dropped, lines may end in LF, CRLF or CR, a UTF-8 byte-order mark is
 * ignored. Every row must have as many cells as the first; errors name the line. */

#define ES_TABLE_LIMIT ((size_t)1 << 30) /* bytes of a file that is read as text */

typedef struct es_table {
    size_t rows, columns; /* the header, if any, is row 0 */
    char *text;           /* all cells, each with its NUL */
    size_t *cell;         /* (rows, columns) where in text */
    size_t *line;         /* (rows) line of the file where the row starts, from 1 */
    size_t *column;       /* (columns) of the file, from 1; NULL: 1, 2, 3, ... */
    char delimiter;       /* between cells */
    char label[ES_PATH_LABEL];
} es_table;

/** Read a file: tabs between cells when the path ends in .tsv, commas otherwise. ES_EFORMAT: ragged
 *  rows, malformed quotes, a NUL byte, no rows; ES_EUNSUPPORTED: another format under this name;
 *  ES_EINVAL: larger than ES_TABLE_LIMIT. Memory about the file's size plus 9 bytes a cell. */
es_status es_table_read(const char *path, unsigned flags, es_table *out, es_error *err);
/** The same from bytes; `path` is for messages and the delimiter. */
es_status es_table_parse(const void *data, size_t size, const char *path, es_table *out,
                         es_error *err);
/** Read a file with tabs, semicolons or commas between cells: whichever its first line has most of
 *  outside quotes; without any, commas. It may take a while: run, or NULL, gets the progress, and
 *  asked. Errors as es_table_read; ES_ECANCELED. */
es_status es_table_read_any(const char *path, unsigned flags, es_run *run, es_table *out,
                            es_error *err);
void es_table_deinit(es_table *table); /* all zero bytes is allowed */

/** Keeps these columns (kept) in this order; columns of the file stay known for messages. */
es_status es_table_keep_columns(es_table *table, const size_t *column, size_t kept, es_error *err);
/** Drops columns without heading and cells, and the index that pandas writes: a first column under
 *  "", "#", "index" or "Unnamed: 0" that counts the lines, if the next column holds text alone. */
es_status es_table_drop_index(es_table *table, es_error *err);
/** Whether a heading is one of those of an index. */
bool es_table_heads_index(const char *heading);
/** Column of the file, from 1. */
size_t es_table_column(const es_table *table, size_t column);

/** Raw text of a cell, borrowed from the table; not cleaned for showing. */
const char *es_table_cell(const es_table *table, size_t row, size_t column);
/** A cell as a number: empty or "nan" gives NaN, "0,85" is one where commas do not part cells; text
 *  is ES_EFORMAT naming line, column and text. */
es_status es_table_number(const es_table *table, size_t row, size_t column, double *out,
                          es_error *err);

/* ---- writing: the caller puts the commas and line ends ---- */

/** One cell, in quotes where it must be. Control characters other than tab and line ends, and other
 *  text that must not reach a terminal, become U+FFFD. NULL is an empty cell. */
void es_csv_put_text(es_buf *out, const char *text);
/** A number that reads back as the same double; NaN and infinities are an empty cell. */
void es_csv_put_double(es_buf *out, double value);

/** A finished file of cells between commas, appended to `out` so that a spreadsheet runs none of
 *  them: a cell that begins with = + - @, a tab or a line end and is no number gets an apostrophe
 * in front (what OWASP calls CSV injection). Read back, the apostrophe is part of the text.
 * O(length).
 */
void es_csv_make_safe(es_buf *out, const char *text, size_t length);

/* Columns of tables that say which row a line is: by their headers, and by what stands in them. */

typedef enum es_column_sort {
    ES_COLUMN_OTHER,  /* anything else */
    ES_COLUMN_IDS,    /* named as ids are: "id", "doc_id", "sample-id", "smiles", ... */
    ES_COLUMN_NUMBERS /* as the row numbers of a table: no name, "index", "Unnamed: 0", "row", ...
                       */
} es_column_sort;

/** By a header, whatever its case; of "PassengerId" its capital counts. */
es_column_sort es_column_sort_of(const char *header, size_t length);
/** The narrower names, "id" and those that end in it, which head no column of texts. */
bool es_column_is_id(const char *header);

/** Heads labels of rows: "label", "target", "class", "split", ..., whatever the case. "y" is left
 * to the caller: beside "x" it is a coordinate. */
bool es_column_is_label(const char *header, size_t length);

/** The index that pandas writes: no name, or "Unnamed: 0" where it was read back. */
bool es_column_is_nameless(const char *header);

/** Do cells count the rows, from 0 or from 1, in order? All zero bytes: none was
 * seen.
 */
typedef struct es_row_counting {
    size_t n, from;
    bool broken;  /* not in order */
    bool other;   /* one is no whole number */
    uint64_t sum; /* of their hashes: equal for the same numbers in any order */
} es_row_counting;
#define ES_ROW_COUNTING_OFF                                                                        \
    { .broken = true, .other = true }
void es_row_counting_add(es_row_counting *counting, const char *text, size_t length);
bool es_row_counting_holds(const es_row_counting *counting); /* and there was one */
/** The same of a whole list; *from: 0 or 1. */
bool es_row_ids_counts(const es_row_ids *ids, size_t *from);
/** The same of rows [first, rows) of a table. */
bool es_column_counts(const es_table *table, size_t first, size_t column);

/** Rows from which on nobody's values count them by chance, and the remark on a column that does.
 */
enum { ES_COLUMN_COUNTS_SURE = 20 };
#define ES_COLUMN_COUNTS                                                                           \
    "its first column counts the rows and is left out as an index; save it as .npy if it is a "    \
    "column of values"

/** A first column of values that may be ids: whole numbers that tell all rows apart. All zero
 * bytes: nothing was seen yet. */
typedef struct es_column_ids {
    es_row_ids ids;              /* of the rows so far; none once one is not a whole number */
    es_row_counting first, next; /* the cells of the column, and of the next one */
} es_column_ids;
/** Adds a row: the cell of the first column, and the cell behind it. ES_ENOMEM. */
es_status es_column_ids_add(es_column_ids *column, const char *text, size_t length,
                            const char *next, size_t next_length, es_error *err);
/** Reports whether a whole column, of at least ES_COLUMN_COUNTS_SURE rows, may be one of ids: no
 *  number occurs twice, they do not count the rows in order, and the next column does not hold the
 *  same numbers, as in a matrix of ranks. O(n); ES_ENOMEM. */
es_status es_column_ids_settle(const es_column_ids *column, bool *out, es_error *err);
void es_column_ids_deinit(es_column_ids *column);

/** (n) row numbers in order as ids, marked as such (es_row_ids.counted). ES_ENOMEM. */
es_status es_row_ids_count(size_t from, size_t n, es_row_ids *out, es_error *err);

/** No two rows of a column, from row `first` on, hold the same. ES_ENOMEM. */
es_status es_column_differs(const es_table *table, size_t first, size_t column, bool *out,
                            es_error *err);

/** The first column that row 0 of a table names as ids, one that does more than count the rows if
 *  there is one; SIZE_MAX: there is none. */
size_t es_column_of_ids(const es_table *table);

/* Cells that say which row of a pool a line is about: its number from 0 or its id. */

/** Where ids of rows are had from; asked only where a column is headed as one of ids. */
typedef struct es_row_naming {
    /** An id a row, in the order of the rows; none: the rows have no ids. */
    es_status (*ids)(void *context, es_row_ids *out, es_error *err);
    void *context;
} es_row_naming;

typedef struct es_row_cells {
    const es_table *table;
    size_t n; /* rows */
    es_row_ids ids;
    es_row_index *index; /* NULL: cells are row numbers */
    bool moved;          /* not every id is the number of its row */
} es_row_cells;

/** Cells of the columns (count) are ids where the rows have ids and one of the columns is headed
 * so, unless no cell is one of them and all are whole numbers; under any heading where not all are
 *  whole numbers and one is such an id. naming NULL: the rows have none. Borrows the
 *  table; *out must stay where it is. */
es_status es_row_cells_open(const es_table *table, const size_t *column, size_t count, size_t n,
                            const es_row_naming *naming, es_row_cells *out, es_error *err);
void es_row_cells_deinit(es_row_cells *cells); /* all zero bytes is allowed */

/** The row that a cell means. ES_EFORMAT, naming line and column: a number that is none below n; an
 *  id that no row has, or more than one. */
es_status es_row_cells_row(const es_row_cells *cells, size_t line, size_t column, uint32_t *out,
                           es_error *err);
/** Digits alone. */
bool es_row_cell_is_whole(const char *text);
/** A cell as a whole number below n. ES_EFORMAT. */
es_status es_row_cells_number(const es_table *table, size_t line, size_t column, size_t n,
                              uint32_t *out, es_error *err);

/* What people said about the rows of a pool: labels.csv, pairs.csv, pairs_graded.csv, qrels.csv.
 * All have a header, which says which column is which where it names them (io_parts.h); rows
 * are numbered from 0 as in the matrices, or go by their ids in a column that is headed so
 * (cells.c). Whatever does not fit is an error that names file and line and says what to do. */

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
    size_t singletons;   /* classes with one row */
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
 * with ES_LABELS_NUMBERS, text; among numbers, except ES_LABELS_CLASSES, an infinity. Other errors
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

/* Lines of large text files and the numbers in them, without copies: for readers of formats that
 * are text. Lines end in LF or CRLF, or in CR where a file has no LF; blank ones are skipped; a
 * UTF-8 byte-order mark is too. */

typedef struct es_lines {
    es_reading reading;
    size_t at, number; /* next byte; line that was given out last, from 1 */
    bool feeds;        /* lines end in LF: a lone CR is part of a line */
    es_status status;  /* ES_ECANCELED once `run` was cancelled */
} es_lines;

/** From the beginning of a mapped file. */
es_lines es_lines_of(const es_map *map, es_run *run);
/** The next line that is not blank, without its end and the blanks behind it. False at the end, and
 *  when the run was cancelled. */
bool es_lines_next(es_lines *lines, const char **text, size_t *length);

/** Bytes up to and with the next line end, or all. */
size_t es_line_length(const char *text, size_t length);

/** The next field of text[*at .. length): what stands between blanks. False: there is none. */
bool es_field_next(const char *text, size_t length, size_t *at, const char **field, size_t *size);
/** How many fields there are. Fast: gigabytes a second. */
size_t es_field_count(const char *text, size_t length);

/* NumPy's .npy: a header in the form of a Python literal, then the values
 * (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */

/** The 2-D array in a mapped .npy file; *out points into `map`, which must outlive it. Format 1.0,
 *  2.0 and 3.0, keys in any order and spacing; every es_dtype but bfloat16, either byte order, C or
 *  Fortran order. Bytes behind the data are ignored (es_npy_rest). `path` is for messages only.
 *  ES_EFORMAT: no .npy, a malformed or cut header, fewer bytes than the shape needs, an absurd
 * shape. ES_EUNSUPPORTED: another format under this name, objects, strings, structures, complex
 * numbers, times, or not 2-D; the message says how to convert. O(header); values are not looked at.
 */
es_status es_npy_parse(const es_map *map, const char *path, es_array *out, es_error *err);
/** Is it of dtype object: a dict or a list that NumPy has pickled? */
bool es_npy_holds_objects(const es_map *map);
/** The same of one vector, 1-D or of one row: *out is (1, values). */
es_status es_npy_parse_vector(const es_map *map, const char *path, es_array *out, es_error *err);

/** The same of a 3-D array in C order, as its first two axes joined: *out is (shape[0] * shape[1],
 *  shape[2]). */
es_status es_npy_parse_cube(const es_map *map, const char *path, size_t shape[3], es_array *out,
                            es_error *err);

/** The same of an array whose beginning alone is at hand, with all of the header: `head` of `total`
 *  bytes. *out has no data; *start is where in the file they begin. */
es_status es_npy_parse_head(const es_map *head, size_t total, const char *path, es_array *out,
                            size_t *start, es_error *err);

/** A 1-D array of texts or numbers, as ids are, or one of a single column. */
typedef struct es_npy_list {
    const unsigned char *data; /* in the map */
    size_t n, width;           /* items, bytes of each: width of 'U' is four a character */
    char kind;                 /* 'U', 'S', 'i', 'u' or 'f', as NumPy's */
    bool big_endian;
} es_npy_list;

enum { ES_NPY_WIDEST = 1 << 20 }; /* characters of a text */

/** ES_EUNSUPPORTED for arrays of anything else. The map may hold the beginning alone of `total`
 *  bytes, with all of the header: the items are not to be read then. */
es_status es_npy_parse_list(const es_map *map, size_t total, const char *path, es_npy_list *out,
                            es_error *err);
/** Its items as ids: whole numbers as 17, whatever their type. ES_ENOMEM. */
es_status es_npy_list_ids(const es_npy_list *list, es_row_ids *out, es_error *err);

/** Bytes behind the array that es_npy_parse found in `map`, and how many arrays of their own these
 *  begin with, as np.save appends them to an open file. */
size_t es_npy_rest(const es_map *map, const es_array *array, size_t *arrays);

/** Write values (n, d), row-major, as little-endian float32, atomically; `mode` as of
 *  es_file_replace. ES_ENONFINITE: a value that float32 cannot hold; ES_EIO as es_file_replace. */
es_status es_npy_write(const char *path, const double *values, size_t n, size_t d, unsigned mode,
                       es_error *err);

/** The same row by row, (n, d) in all. After a failure of `add` it is to be dropped, which leaves
 *  the old file; `end` drops by itself. `path` is borrowed until then. */
typedef struct es_npy_writer {
    es_replacing file;
    size_t d, rows; /* columns; rows so far */
    char *bytes;
} es_npy_writer;
es_status es_npy_begin(const char *path, size_t n, size_t d, unsigned mode, es_npy_writer *out,
                       es_error *err);
es_status es_npy_add(es_npy_writer *writer, const double *values, size_t rows, es_error *err);
es_status es_npy_end(es_npy_writer *writer, es_error *err);
void es_npy_drop(es_npy_writer *writer); /* all zero bytes is allowed */

enum { ES_NPY_HEADER = 192 /* room for one */ };

/** A header of format 1.0 for values in C order; returns its length, a multiple of 64. `type` as
 *  NumPy says it ("<f8", "<U12"), `shape` "3, 4" or "3,", less than 60 characters each. */
size_t es_npy_header(char out[ES_NPY_HEADER], const char *type, const char *shape);

/* Names and numbers as papers, spreadsheets and web pages mark them up: "**e5**",
 * "[e5](https://...)", "<a href=...>e5</a>", "0.83 ± 0.02", "83 %". */

/** Takes links, tags, marks for bold and blanks around them off a name, in place. False: it had
 *  none. */
bool es_plain_cell(char *cell);

/** What stands around a number: a spread (± 0.02, in brackets), footnote marks, bold or a tag are
 *  taken off, "83 %" is 83 with *percent set. False: no number, or text beside it. */
bool es_plain_number(char delimiter, const char *text, double *value, bool *percent);

/* Which rows of a pool are asked for (es_row_request), in words: "auto", "all", "first:N", or "N"
 * for a random sample. */

/** Samples that are grown begin with so many rows; where one is to be taken at once, the second. */
enum { ES_ROWS_FIRST_SAMPLE = 1000, ES_ROWS_USUAL_SAMPLE = 4000 };

/** ES_EINVAL: none of these. */
es_status es_row_request_parse(const char *text, es_row_request *out, es_error *err);
void es_row_request_put(const es_row_request *request, es_buf *out);
/** ES_EINVAL: too few rows. */
es_status es_row_request_check(const es_row_request *request, es_error *err);

/* rows.csv: what the rows of the matrices stand for. First column an id, second the text, then
 * whatever there is; one line a row of the pool. Where the header says of another column that it is
 * the id, and the first is none, that one is. */

typedef struct es_row_texts {
    size_t count;   /* rows; the caller compares it with the pool's */
    size_t columns; /* at least 1 */
    bool has_header;
    size_t id; /* columns */
    size_t text;
    es_table table;
} es_row_texts;

/** Read a file. The first line is a header, unless the file has exactly `expected` lines without it
 *  (0: not known). ES_EFORMAT when there is a header only; es_table_read's errors. */
es_status es_row_texts_read(const char *path, unsigned flags, size_t expected, es_row_texts *out,
                            es_error *err);
void es_row_texts_deinit(es_row_texts *texts); /* all zero bytes is allowed */

/** Take the ids from this column: where it is known by whom they are matched. False: there is none.
 */
bool es_row_texts_take_id(es_row_texts *texts, size_t column);
/** Is a column a text of its row: neither the id nor a number of the row beside it? */
bool es_row_texts_is_text(const es_row_texts *texts, size_t column);

/** Raw text, borrowed: clean it (es_text_clean) before it is shown. row < count. */
const char *es_row_texts_id(const es_row_texts *texts, size_t row);
const char *es_row_texts_text(const es_row_texts *texts,
                              size_t row); /* the id, if there is no more */
const char *es_row_texts_cell(const es_row_texts *texts, size_t row, size_t column);
const char *es_row_texts_name(const es_row_texts *texts, size_t column); /* NULL without a header */

#endif
