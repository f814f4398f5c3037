/* A document described once for every format, and where it is written. */
#ifndef ES_CLI_OUT_H
#define ES_CLI_OUT_H

#include "cli_context.h"
#include "figure.h"

/* The downstream scores that go with what is shown. */

/** Reads the scores for the embedders that are shown: those of --scores into *own (release it with
 *  es_scores_deinit), else the session's. *out is NULL when there are none. */
es_status es_cli_scores_as_written(const es_cli *cli, es_session *session,
                                   const es_scores_for *whose, es_scores *own,
                                   const es_scores **out, es_error *err);

/** Compares MTEB's results by what the joined models share (es_scores_settle), in *own, and notes
 *  the remark of the scores. join without names: as the scores are. */
es_status es_cli_scores_settle(const es_cli *cli, const es_join *join, es_scores *own,
                               const es_scores **out, es_error *err);

/** Scores as es_cli_scores_as_written reads them, under the names of the session's embedders: what
 * --match and --accept-names join is renamed. They last as es_cli_room does. What looks alike and
 * was not joined stands in a note, and so are scores of nobody here. A --match of unknown names is
 * a usage error. */
es_status es_cli_scores(es_cli *cli, es_session *session, const es_scores **out, es_error *err);

/** *out (tasks): which tasks --tasks names, by globs with commas between; all of them where it is
 * not given; of es_cli_room. A glob that no task matches is a usage error. */
es_status es_cli_choose_tasks(es_cli *cli, const es_scores *scores, bool **out, es_error *err);

/* Where documents go: standard output or -o FILE. */

/** What a file's ending says, whatever its case; ES_FORMAT_DEFAULT: nothing. path: NULL is none. */
es_output_format es_output_ending(const char *path);
/** The format to write: what was typed, else by the ending of -o FILE, else that of the
 *  configuration file, else `otherwise`. */
es_output_format es_output_format_of(const es_cli *cli, es_output_format otherwise);
/** True if a format was typed or -o FILE ends in one. The configuration file gives a default only,
 * which never replaces the explorer. */
bool es_output_asked(const es_cli *cli);

/** True when the document goes to a terminal that was not named by -o. */
bool es_output_to_terminal(const es_cli *cli);

/** Columns of the terminal that a table is for; 0 (no limit) when it goes to a file or a pipe. */
size_t es_output_width(const es_cli *cli);

/** True when the locale shows UTF-8, for lines that are drawn. */
bool es_output_unicode(void);

/** Write a finished document: to -o FILE atomically, else to standard output. A reader that has
 * gone away is no error; ES_EIO when the text could not be written, a full disk say. */
es_status es_output_write(const es_cli *cli, const es_buf *text, es_error *err);

/** Writes bytes to standard output. A reader that has gone away is no error. ES_EIO. */
es_status es_output_write_all(const char *text, size_t length, es_error *err);

/** One line on stderr, "embedscope: note: ...", unless --quiet. */
void es_output_note(const es_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** A line on stderr even with --quiet: of what decides the exit code and is no error of the whole.
 */
void es_output_fault(const es_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Such a note, where the option was given, that this command goes without it; why: or NULL. */
void es_output_note_idle(const es_cli *cli, const char *option, const char *why);

/* What JSON documents have in common: how each starts, and what many of them hold. */

/** Opens the document's object and writes "embedscope", "$schema" (urn:embedscope:schema:NAME:1;
 *  NULL: none; the number rises when a field goes or changes its meaning) and "provenance":
 * estimator, preset, every setting in force, seed, digests of the row set and of each embedder,
 * BLAS core, threads, CPU. session NULL: a document about this machine. Close with es_document_end.
 */
void es_document_begin(es_json *json, const char *schema, const es_cli *cli, es_session *session,
                       size_t entry);
/** What the numbers of a session depend on, from its estimator to the digests, into the object that
 *  is open. */
void es_document_origin(es_json *json, const es_cli *cli, es_session *session, size_t entry);
void es_document_end(es_json *json);

/** A text that was put together, which is freed; nothing in it is null. */
void es_document_take(es_json *json, const char *key, es_buf *text);

/** A whole number; SIZE_MAX becomes null. */
void es_document_count(es_json *json, const char *key, size_t value);

/** Rows of numbers and of names; at (n): which names, NULL: the first n. */
void es_document_numbers(es_json *json, const char *key, const double *values, size_t n);
void es_document_names(es_json *json, const char *key, const char *const *names, const uint32_t *at,
                       size_t n);
/** Those of the names (n) that are chosen. */
void es_document_chosen(es_json *json, const char *key, const char *const *names,
                        const bool *chosen, size_t n);
/** [low, high]. */
void es_document_range(es_json *json, const char *key, double low, double high);
/** Why there is no interval (`low` NaN) beside a coefficient of n embedders, static; NULL: there is
 * one, or no coefficient. */
const char *es_document_range_why(const es_stat *value, double low, size_t n);
/** The same as "ci_reason". */
void es_document_range_reason(es_json *json, const es_stat *value, double low, size_t n);

/** An embedder's name in a table: a reader sees it with its mark where it is derived. */
void es_document_name(es_table_out *table, const es_results *results, size_t model);

/** es_table_out_json of a table that is freed. */
void es_document_table(es_json *json, const char *key, es_table_out *table);

/** "aggregate", "include_self", "leave_family_out": how scores were made. */
void es_document_scoring(es_json *json, const es_rank_report *report);

/** An object of the estimator and preset of results, and how many of the pairs that the report
 *  looks at are known; null: there are none, or it is a finished matrix. */
void es_document_by(es_json *json, const char *key, const es_rank_report *report,
                    const es_results *by);
/** "communities_by": the estimator and preset whose communities are shown; null: none are, or it is
 *  not known. report NULL: there is none. */
void es_document_grouped(es_json *json, const es_rank_report *report);
/** "published_by": the estimator and preset whose medians stand under `published`; null: nobody's.
 */
void es_document_published(es_json *json, const es_rank_report *report);

/** "derived_left_out": names of the derived embedders that neither vote nor rank. */
void es_document_derived(es_json *json, es_session *session);

/** The embedders of the pool that are left out, each with its reason, into an array. */
void es_document_exclusions(es_json *json, es_session *session);
/** "excluded": the same as an array of its own. */
void es_document_excluded(es_json *json, es_session *session);

/* One document in every format: a report says once what it holds, and this writes the format that
 * was asked for to where it was asked for. */

/* NOLINTBEGIN(bugprone-macro-parentheses): initializers, and texts that are put together */
#define ES_HEAD(kind_, key_, title_, brief_, decimals_, flags_)                                    \
    {                                                                                              \
        .key = key_, .title = title_, .brief = brief_, .kind = ES_COLUMN_##kind_,                  \
        .decimals = decimals_, .flags = flags_                                                     \
    }
/** A column of numbers, in place of an es_out_column. */
#define ES_NUMBER(key, title, brief, decimals, flags)                                              \
    ES_HEAD(NUMBER, key, title, brief, decimals, flags)
/** Three of them: a value and the ends of its interval (es_table_out_band). key: a literal. */
#define ES_BAND(key_, title_, decimals_)                                                           \
    ES_NUMBER(key_, title_, NULL, decimals_, 0),                                                   \
        ES_NUMBER(key_ "_low", "low", NULL, decimals_, ES_COLUMN_LOW),                             \
        ES_NUMBER(key_ "_high", "high", NULL, decimals_, 0)

/* Columns beside what they hold, so that the two cannot come apart. A list has a line a column:
 * its kind, key and title, for numbers decimals, then flags, and last the value, in the words of
 * the function that puts a row:
 *
 *     #define ROW(C)                                    \
 *         C(TEXT, "task", "task", ES_COLUMN_KEY, name)  \
 *         C(NUMBER, "p", "p", 4, 0, report->p)
 *     static const es_out_column columns[] = ES_COLUMNS_OF(ROW);
 *     ... ES_PUT_ROW(ROW, table); */
#define ES_COLUMNS_OF(list)                                                                        \
    { list(ES_COLUMN_OF) }
#define ES_PUT_ROW(list, table)                                                                    \
    do {                                                                                           \
        es_table_out *const es_row = (table);                                                      \
        list(ES_CELL_OF)                                                                           \
    } while (false)
#define ES_COLUMN_OF(kind, ...) ES_COLUMN_OF_##kind(__VA_ARGS__),
#define ES_CELL_OF(kind, ...) ES_CELL_OF_##kind(__VA_ARGS__);

#define ES_COLUMN_OF_TEXT(key, title, flags, ...) ES_HEAD(TEXT, key, title, NULL, 0, flags)
#define ES_CELL_OF_TEXT(key, title, flags, ...) es_table_out_text(es_row, __VA_ARGS__)
/** A text that is freed. */
#define ES_COLUMN_OF_TAKEN ES_COLUMN_OF_TEXT
#define ES_CELL_OF_TAKEN(key, title, flags, ...) es_table_out_take(es_row, __VA_ARGS__)
/** Of the results and a position: an embedder's name with its mark. */
#define ES_COLUMN_OF_NAME ES_COLUMN_OF_TEXT
#define ES_CELL_OF_NAME(key, title, flags, ...) es_document_name(es_row, __VA_ARGS__)
#define ES_COLUMN_OF_COUNT(key, title, flags, ...) ES_HEAD(COUNT, key, title, NULL, 0, flags)
#define ES_CELL_OF_COUNT(key, title, flags, ...) es_table_out_count(es_row, __VA_ARGS__)
#define ES_COLUMN_OF_FLAG(key, title, flags, ...) ES_HEAD(FLAG, key, title, NULL, 0, flags)
#define ES_CELL_OF_FLAG(key, title, flags, ...) es_table_out_flag(es_row, __VA_ARGS__)
#define ES_COLUMN_OF_NUMBER(key, title, decimals, flags, ...)                                      \
    ES_HEAD(NUMBER, key, title, NULL, decimals, flags)
#define ES_CELL_OF_NUMBER(key, title, decimals, flags, ...) es_table_out_number(es_row, __VA_ARGS__)
/** A number, and whether it is the best of its column. */
#define ES_COLUMN_OF_BEST(key, title, brief, decimals, flags, value, best)                         \
    ES_NUMBER(key, title, brief, decimals, flags)
#define ES_CELL_OF_BEST(key, title, brief, decimals, flags, value, best)                           \
    es_table_out_number(es_row, value);                                                            \
    if (best)                                                                                      \
    es_table_out_best(es_row)
/** A value with the ends of its interval; or those of a report and a kind of coefficient. */
#define ES_COLUMN_OF_BAND(key, title, decimals, ...) ES_BAND(key, title, decimals)
#define ES_CELL_OF_BAND(key, title, decimals, ...) es_table_out_band(es_row, __VA_ARGS__)
#define ES_COLUMN_OF_COEFFICIENT ES_COLUMN_OF_BAND
#define ES_CELL_OF_COEFFICIENT(key, title, decimals, ...) es_coefficient_put(es_row, __VA_ARGS__)
/** A coefficient of which a reader sees the value alone. */
#define ES_COLUMN_OF_POINT(key, title, decimals, ...)                                              \
    ES_NUMBER(key, title, NULL, decimals, 0),                                                      \
        ES_NUMBER(key "_low", NULL, NULL, 0, ES_COLUMN_DATA_ONLY),                                 \
        ES_NUMBER(key "_high", NULL, NULL, 0, ES_COLUMN_DATA_ONLY)
#define ES_CELL_OF_POINT ES_CELL_OF_COEFFICIENT
/** Any kind with a short heading; for data alone; or a text for readers alone. */
#define ES_COLUMN_OF_SHORT(kind, key, title, brief, decimals, flags, ...)                          \
    ES_HEAD(kind, key, title, brief, decimals, flags)
#define ES_CELL_OF_SHORT(kind, key, title, brief, decimals, flags, ...)                            \
    ES_PUT_##kind(es_row, __VA_ARGS__)
#define ES_COLUMN_OF_DATA(kind, key, ...) ES_HEAD(kind, key, NULL, NULL, 0, ES_COLUMN_DATA_ONLY)
#define ES_CELL_OF_DATA(kind, key, ...) ES_PUT_##kind(es_row, __VA_ARGS__)
#define ES_COLUMN_OF_SHOWN(key, title, ...) ES_HEAD(TEXT, key, title, NULL, 0, ES_COLUMN_SHOWN_ONLY)
#define ES_CELL_OF_SHOWN(key, title, ...) es_table_out_text(es_row, __VA_ARGS__)
/** A cell that a function of the document puts, which takes the table and what follows. */
#define ES_COLUMN_OF_BY(kind, key, title, decimals, flags, ...)                                    \
    ES_HEAD(kind, key, title, NULL, decimals, flags)
#define ES_CELL_OF_BY(kind, key, title, decimals, flags, put, ...) put(es_row, __VA_ARGS__)
#define ES_PUT_TEXT es_table_out_text
#define ES_PUT_COUNT es_table_out_count
#define ES_PUT_FLAG es_table_out_flag
#define ES_PUT_NUMBER es_table_out_number
/* NOLINTEND(bugprone-macro-parentheses) */

typedef struct es_document {
    es_cli *cli;
    es_session *session; /* where the numbers come from (es_document_begin); NULL: from none */
    size_t entry;
    const void *what;        /* the report's own */
    es_output_format format; /* ES_FORMAT_DEFAULT: as the options say, else a table */
} es_document;

/* A picture that is being made: what figure.h draws it with, and memory that lasts until then. */
typedef struct es_sketch {
    es_cli *cli;
    es_picture kind;
    es_buf *out;           /* to which the picture is appended */
    es_buf note;           /* the small print, before that of the export */
    es_figure_style style; /* as the options ask for */
    es_arena *arena;
} es_sketch;

/** count * size bytes of zeros; NULL when out of memory. */
void *es_sketch_room(es_sketch *sketch, size_t count, size_t size);
/** A text that lasts as long as the sketch; "" when out of memory, which the document reports. */
const char *es_sketch_text(es_sketch *sketch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** The same of what a buffer holds, which is freed. */
const char *es_sketch_take(es_sketch *sketch, es_buf *text);
/** The style with the whole small print: asked for last. */
const es_figure_style *es_sketch_style(es_sketch *sketch);
/** What functions of figure.h take before the error. */
#define ES_SKETCHED(sketch) es_sketch_style(sketch), (sketch)->kind, (sketch)->out
/** Makes a picture of a document with `make`. A --width that says nothing is a usage error. */
es_status es_sketch_make(const es_document *d,
                         es_status (*make)(const es_document *d, es_sketch *sketch, es_error *err),
                         es_buf *out, es_error *err);

/** What a document is made of; what is NULL does not apply. */
typedef struct es_document_parts {
    const char *schema; /* of its JSON: SCHEMA.schema.json among those that are installed */
    /** csv, md, tex, and what a terminal shows unless `text` does. NULL: out of memory. */
    es_table_out *(*table)(const es_document *d);
    /** In its place: several tables, of which csv holds the first, and how they are drawn. */
    es_status (*tables)(const es_document *d, es_sheet *sheet, es_error *err);
    /** Below the tables on a terminal. */
    void (*caption)(const es_document *d, es_buf *out);
    /** What it comes to, in sentences: a comment above the rows in tex, a paragraph below in md. */
    void (*words)(const es_document *d, es_buf *out);
    /** tex: the note below the rows. */
    void (*note)(const es_document *d, es_buf *out);
    /** Between provenance and the end of the object. */
    void (*json)(const es_document *d, es_json *json);
    /** In place of the table on a terminal; without a table, all that is neither json nor picture.
     */
    es_status (*text)(const es_document *d, es_buf *out, es_error *err);
    es_status (*picture)(const es_document *d, es_sketch *sketch, es_error *err);
    bool never_cut; /* the table may be wider than the terminal */
    /** How the table is drawn, and its title. NULL: as a table alone, titled by the command. */
    const es_sheet_plot *drawn;
    void (*plot)(const es_document *d, es_sheet_plot *plot); /* where it depends on what is there */
    const char *title;
} es_document_parts;

es_status es_document_write(const es_document_parts *parts, es_document document, es_error *err);

/** The words as a text of the JSON document. */
void es_document_words(const es_document *d, es_json *json, const char *key,
                       void (*words)(const es_document *d, es_buf *out));

/** Begins the caption of a table with its words, filled to the terminal; pages and sheets begin
 *  with the words themselves. */
void es_caption_words(const es_document *d, void (*words)(const es_document *d, es_buf *out),
                      es_buf *out);

/* The look of a picture. */

/** Before anything is computed: the theme that --theme names is read. What is wrong with it goes
 *  to stderr; a theme that is not there is a usage error. */
es_status es_export_theme(es_cli *cli, es_error *err);
/** True if the picture is light on dark. */
bool es_export_dark(const es_cli *cli);

/** The ends of the colours that --limits asks for; NaN without it. What are no two numbers, the
 * lower first, is a usage error. */
es_status es_export_limits(es_cli *cli, double *low, double *high, es_error *err);

/* Which embedders an export writes, and the note on the others. */

/** The pools of a document over several, while they are open. */
typedef struct es_export_pools {
    const void *what;
    size_t count;
    es_session *(*session)(const void *what, size_t k, const char **name);
    void (*json)(const es_cli *cli, const void *what, es_json *json); /* as in the document */
} es_export_pools;

struct es_export {
    const char *view;        /* "ranking" */
    es_output_format format; /* in force */
    es_session *session;     /* borrowed; NULL until it is open, and for a ranking from a file */
    size_t entry;
    es_export_pools several; /* count 0: there is one, or none */
    bool measures;           /* numbers are those of measures, not of the entry's estimator */
    bool *shown;             /* (m) of the entry's results */
    bool themed;             /* a picture has these colours */
    es_picture_colours colours;
    size_t pools; /* arguments before the view */
};

/** The session is open: settles which embedders --show and --hide leave. Nothing without an export.
 *  A pattern that matches nothing is a usage error, as is one that leaves nothing. */
es_status es_export_attach(es_cli *cli, es_session *session, size_t entry, es_error *err);
void es_export_deinit(es_export *export);

/** True if the embedder at `position` of the results is written; always without an export. */
bool es_export_shows(const es_cli *cli, size_t position);

/** Which results these are, who is hidden and who is excluded and why; one paragraph. */
void es_export_note(const es_cli *cli, es_buf *out);

/** The results that are written; NULL for a ranking from a file. */
const es_results *es_export_results(const es_export *export);

/* What `export` makes of a finished document, and the file beside it. */

/** Only for an export: a finished document becomes what is written (md and tex get the note, tex
 *  becomes a file that compiles alone and by \input). `out` is empty before. */
void es_export_dress(const es_cli *cli, const es_buf *document, es_buf *out);

/** FILE.meta.json beside the -o FILE that was written. */
es_status es_export_write_meta(const es_cli *cli, es_error *err);

/* What -o may not write to. */

/** Refuses (usage) a file to be written that the command reads: one named on the command line, by
 *  whatever name or link; and below the folders named there what a pool reads or would read:
 *  embedders, scores.csv and its like, .embedscope. Devices and pipes are let through. */
es_status es_output_guard(es_cli *cli, es_error *err);

/* Lines below a table that several documents say in the same words. */

/** A line on the zero line of the results; nothing where there is none. */
void es_caption_null(const es_results *results, es_buf *out);
/** Writes a line on how many embedders and controls the results are of; nothing without controls.
 */
void es_caption_count(const es_results *results, es_buf *out);
/** A line on how many pairs are known; nothing where all are. */
void es_caption_known(const es_results *results, es_buf *out);
/** "by linear default", and from how many pairs where some are to come. by: with an estimator. */
void es_caption_by(const es_rank_report *report, const es_results *by, es_buf *out);
/** Lines on the listed targets (count) that have columns which are active too rarely to count
 * fully: the first `most` by name, and how many more. */
void es_caption_rare(const es_results *results, const uint32_t *target, size_t count, size_t most,
                     es_buf *out);
/** Lines on the pairs among the listed embedders (count) whose value is exactly 0 for want of
 *  evidence: the first `most` by name, and how many more. */
void es_caption_silent(const es_results *results, const uint32_t *model, size_t count, size_t most,
                       es_buf *out);
/** By a published recipe: lines on the listed targets that have values which may decide theirs. */
void es_caption_wild(const es_results *results, const uint32_t *target, size_t count, size_t most,
                     es_buf *out);
/** The estimator's remark on these results; nothing where there is none. */
void es_caption_remark(const es_results *results, es_buf *out);
/** A paragraph in lines of at most `width` columns, broken between words; its indentation is that
 * of all of them. */
void es_caption_fill(es_buf *out, const char *text, size_t width);
/** Columns of a paragraph: those of the terminal, at most 100. */
size_t es_caption_width(const es_cli *cli);
/** Takes `text` and frees it: a paragraph of that width. */
void es_caption_take(const es_cli *cli, es_buf *text, es_buf *out);
/** Takes `lines` and frees them: those wider than `width` (0: none is) are filled. */
void es_caption_wrap(es_buf *out, es_buf *lines, size_t width);

/* One self-contained HTML page: no scripts, nothing from the network, light and dark, printable;
 * its order is that in which it is read aloud. */

/** Up to the heading. Texts are cleaned UTF-8 and escaped here. */
void es_page_begin(es_buf *out, const char *title);
void es_page_section(es_buf *out, const char *id, const char *heading);
void es_page_paragraph(es_buf *out, const char *text);
/** A table, or what else was made for a page (es_cli.capture), as it is. */
void es_page_part(es_buf *out, const es_buf *part);
/** An svg document in the page: `number` keeps its names apart from those of others. */
void es_page_svg(es_buf *out, const es_buf *svg, unsigned number, const char *caption);
/** A picture of points (png) in the page. */
void es_page_png(es_buf *out, const es_buf *png, const char *caption);
void es_page_end(es_buf *out);

#endif
