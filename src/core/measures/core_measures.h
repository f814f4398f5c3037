/* Methods dressed as measures, with settings, fields and caveats. */
#ifndef ES_CORE_MEASURES_H
#define ES_CORE_MEASURES_H

#include "core_methods.h"
#include "core_shape.h"
#include "embedscope/measure.h"

/* What a measure (embedscope/measure.h) is made of: a row of functions and settings.
 *
 * To add one, write one file that defines an es_measure and name it in
 * src/core/measures/measures.c; lists, help, settings, storage and tables follow from it. Measures
 * are pure: they see the matrix and the data, no files, clocks or threads, and may run in several
 * threads at once. */

/** The data of a pool; what is not there is NULL. */
typedef struct es_measure_data {
    const es_positives *positives;
    const es_graded_pair *graded; /* (graded_count) */
    size_t graded_count;
    const uint32_t *background; /* (background_count) rows that compete; NULL: all */
    size_t background_count;
    const es_task *task;
    const es_query_set *queries; /* (runs) one draw after the other */
    size_t runs;
    const es_judgement *judgements; /* (judgement_count) all there are */
    size_t judgement_count;
    bool own_queries;               /* their queries are no rows */
    const es_matrix *query_vectors; /* of the embedder at hand, for own_queries */
    uint64_t seed;
} es_measure_data;

/** A value with its 95 % interval (NaN: none); value NaN: `why` says what is missing. */
typedef struct es_measure_value {
    double value, low, high;
    const char *why;     /* static text; NULL when defined */
    const char *warning; /* static text beside a defined value, such as "n <= d1 + d2"; or NULL */
} es_measure_value;

enum { ES_MEASURE_FIELDS = 32 /* at most */ };

/** What a measure holds at most, in doubles, of n rows and d columns: `copies` times n d, `squares`
 *  times min(n, d)^2, `lines` times 256 n (a block of distances), `sample` times the square of n,
 *  at most 3,000. Copies and lines are of `rows` rows at most; 0: of all. Meant as a bound that is
 *  close: tests/bench/memory.py sets it against what is measured. */
typedef struct es_measure_load {
    double copies, squares, lines, sample;
    size_t rows;
} es_measure_load;

/** Bytes at most: of one that is prepared (0: of embedder measures), besides while it is prepared
 * or the embedder measured, with the matrix that is read; and besides while a pair is computed. */
typedef struct es_measure_need {
    double side, making, pair;
} es_measure_memory;

/** The warning of a value that is as large as its bound lets it be; views show it apart. */
#define ES_MEASURE_SATURATED "saturated: above 0.9 log N, related embedders look alike"

struct es_measure {
    const char *name;               /* as given on the command line */
    const char *title;              /* a few words for lists */
    const char *caveat;             /* one line: what to mind when reading it */
    const char *caveat_directed;    /* in its place where `directed` says so; NULL: the same */
    const char *about;              /* its source; what is cut, centred, floored or left out; cost.
                                       NULL: nothing beyond the title */
    unsigned version;               /* part of a result's key: raise it when values change */
    unsigned needs;                 /* es_need bits */
    const es_measure_field *fields; /* (n_fields) */
    size_t n_fields;
    const es_setting *settings; /* (n_settings); `values` below are in their order */
    size_t n_settings;

    es_measure_load load_making;          /* beside the matrix itself */
    es_measure_load load_side, load_pair; /* of pairwise measures */
    /** In place of the three where they do not say it; other_d: the columns of the second of a
     * pair. */
    es_measure_memory (*memory)(size_t n, size_t d, size_t other_d, size_t keep_bytes,
                                const double *values);

    /* One of `embedder`, `among` and `pair` is there. */

    /** Embedder measures. out (n_fields) is undefined on entry ("not computed"). */
    es_status (*embedder)(const es_matrix *m, const es_measure_data *data, const double *values,
                          const es_run *run, es_measure_value *out, es_error *err);

    /* Embedder measures of one among all of its pool. What belongs to the pool is prepared once and
     * shared, read-only, by all; it is part of the key of their values. */
    es_status (*pool_new)(const es_embedders *all, const es_measure_data *data,
                          const double *values, const es_run *run, void **out, es_error *err);
    void (*pool_free)(void *pool);
    size_t (*pool_bytes)(const void *pool);
    /** m is one of the pool's. out as above. */
    es_status (*among)(const void *pool, const es_matrix *m, const es_run *run,
                       es_measure_value *out, es_error *err);

    /* Pairwise measures. A side is prepared once for an embedder and shared, read-only, by its
     * pairs; `side` is the source where the measure is not symmetric. */
    bool symmetric;
    bool (*directed)(const double *values); /* not symmetric with these values; NULL: never */
    es_status (*side_new)(const es_matrix *m, const es_measure_data *data, const double *values,
                          const es_run *run, void **out, es_error *err);
    /* In its place where an embedder is read a block of rows at a time. What would keep more than
     * keep_bytes (0: no limit) is read again for every pair, with the same values: the side may
     * have a copy of *rows. */
    es_status (*side_of_rows)(const es_rows *rows, size_t keep_bytes, const es_run *run, void **out,
                              es_error *err);
    void (*side_free)(void *side);
    size_t (*side_bytes)(const void *side);
    /** out (n_fields), zeroed on entry. */
    es_status (*pair)(const void *side, const void *other, const es_run *run, es_measure_value *out,
                      es_error *err);
};

/** All measures, embedder measures first; NULL ends the list. */
extern const es_measure *const es_measures[];
/** Measures of two embedders against permuted rows, "null-cka": found by name, and in no list of
 * all (measure_null.c). rsa-p is such a test itself. NULL ends the list. */
extern const es_measure *const es_measures_null[];
#define ES_MEASURE_NULL "null-"
/** The measure against permuted rows, itself if it is such a one; NULL: it is of one embedder, or
 *  has none. */
const es_measure *es_measure_against_null(const es_measure *measure);

/** Lower is better, of a field. */
bool es_measure_is_lower_better(const es_measure *measure, size_t field);

/** es_need bits that the data lack for this measure; 0: it can be computed. */
unsigned es_measure_lacks(const es_measure *measure, const es_measure_data *data);
/** One embedder measure; values NULL: the settings' defaults. ES_ENOTFOUND names what is lacking;
 *  ES_EINVAL: one of two embedders, or of one among others. out (n_fields). */
es_status es_measure_embedder(const es_measure *measure, const es_matrix *m,
                              const es_measure_data *data, const double *values, const es_run *run,
                              es_measure_value *out, es_error *err);
/** Returns the bytes that a measure takes for an embedder (n, d), and beside another one. */
es_measure_memory es_measure_memory_of(const es_measure *measure, size_t n, size_t d,
                                       size_t other_d, size_t keep_bytes, const double *values);
/** A side of a pairwise measure, of a matrix that is whole; values: the settings'. */
es_status es_measure_side(const es_measure *measure, const es_matrix *m,
                          const es_measure_data *data, const double *values, const es_run *run,
                          void **out, es_error *err);
/** out (n_fields): "not computed". */
void es_measure_undefined(const es_measure *measure, es_measure_value *out);

/* What every file of a measure needs: values made from statistics. */

#define ES_COUNT_OF(array) (sizeof(array) / sizeof *(array))

es_measure_value es_measure_value_of(es_stat stat);
/** The remark where row numbers chose among equal distances in more than a twentieth of the rows
 *  or queries; NULL where they did not. The measures say so because neither choice is right. */
const char *es_measure_ties(size_t by_number, size_t of);
/** Undefined when it is not finite. */
es_measure_value es_measure_number(double value);

/* Where a measure does worst: the pairs of EvalRank, the queries of RetMMD and of retrieval, and
 * the rows whose nearest neighbours two embedders share least. A look behind one number, computed
 * with the settings of the measure. */

typedef enum es_worst_kind {
    ES_WORST_NONE,      /* the measure has no such list */
    ES_WORST_PAIRS,     /* "evalrank" */
    ES_WORST_QUERIES,   /* "retmmd" */
    ES_WORST_RETRIEVED, /* "retrieval" */
    ES_WORST_ROWS,      /* "knn-overlap", "knn-jaccard": of two embedders */
    ES_WORST_PMI        /* "infonce": of two embedders, from where they agree least to most */
} es_worst_kind;

enum { ES_WORST_ROWS_SHOWN = 3 };

/** One of them; UINT32_MAX: no such row; NaN: not known.
 *  Pairs: value is the mid-rank of the partner, count the rows as near as it; row is the query, its
 *  partner, and the nearest row of those before the partner, each with its cosine to the query.
 *  Queries: value is M of the RBF kernel in the first draw, beside its p, count and of the answers
 *  and the other documents; row is the query (with `own_ids` a number and no row), and an answer.
 *  Retrieved: value is nDCG@k of the query, beside it 1 / rank of its first answer; count of `of`
 *  answers are found; row is the query (as above), its most relevant answer, and what comes first.
 *  Rows: count of `of` nearest neighbours are shared; row is the row, and its nearest by either.
 *  PMI: value is the pointwise information of a row that the critic has not seen, beside the
 *  probability that it is distinguished from another row; row is the row, and the one taken most
 * for it. */
typedef struct es_worst_line {
    double value, beside;
    size_t count, of;
    uint32_t row[ES_WORST_ROWS_SHOWN];
    double similarity[ES_WORST_ROWS_SHOWN];
} es_worst_line;

typedef struct es_worst_list {
    es_worst_kind kind;
    bool own_ids;
    size_t count;
    es_worst_line *line; /* (count) worst first, equal ones in order */
} es_worst_list;

es_worst_kind es_worst_kind_of(const struct es_measure *measure);
bool es_worst_of_two(es_worst_kind kind); /* embedders */

/** The list of embedder m; `other` for a list of two, else NULL. `values` are of the measure's
 * settings. ES_EINVAL: a measure without a list. Cost: as the measure's own. Release with
 *  es_worst_list_free. */
es_status es_worst_list_new(const struct es_measure *measure, const struct es_matrix *m,
                            const struct es_matrix *other, const struct es_measure_data *data,
                            const double *values, const es_run *run, es_worst_list *out,
                            es_error *err);
void es_worst_list_free(es_worst_list *list); /* leaves an empty list */

#endif
