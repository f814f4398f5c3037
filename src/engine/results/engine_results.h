/* What is known of all pairs, or read from a finished matrix. */
#ifndef ES_ENGINE_RESULTS_H
#define ES_ENGINE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core_numerics.h"
#include "embedscope/compare.h"
#include "embedscope/results.h"
#include "embedscope/session.h"

/* What the program itself needs of results beyond embedscope/results.h: the struct, and who writes
 * it. Owned by one thread. */

/** What an estimator finds where there is nothing to find: the target itself with its rows shuffled
 *  in the role of the source. It has the distribution of the target and knows nothing of a row. */
typedef struct es_null_line {
    double is, se; /* NAN until done */
    uint8_t state; /* es_pair_state */
    char *reason;  /* of a failure, else NULL */
} es_null_line;

/** Values of rows of many pairs in one block, which its last owner frees. Any thread. */
typedef struct es_values es_values;
es_values *es_values_new(size_t count); /* floats; NULL: out of memory */
/** Returns the next `count` floats of the block; NULL: it has not as many left. One thread. */
float *es_values_take(es_values *values, size_t count);
es_values *es_values_keep(es_values *values);
void es_values_free(es_values *values); /* of one owner; NULL is allowed */

struct es_results {
    size_t m;      /* usable models; index = position among them, in name order */
    size_t *model; /* (m) index in the pool (or in names, for a matrix from a file) */
    char **name;   /* (m) */
    char **family; /* (m) NULL entries where not said */
    char **series; /* (m) the same */
    char **label;  /* (m) of derived ones: the name as views show it; NULL for others */
    size_t *dim, *dim_used, *dropped;   /* (m) */
    bool *binary;                       /* (m) as a target; NULL: none is */
    double *is, *se, *h_cond, *seconds; /* (m, m) row-major */
    /* (m, m) information by the companion fit and its standard error; NaN where not known */
    double *information, *information_se;
    double *lambda; /* (m, m) ridge penalty; INFINITY: silent; NaN: none, or folds differ */
    double *h;      /* (m) entropy of each target */
    uint32_t *rare, *limited; /* (m) columns of each target that are active too rarely to count
                                 fully, and that are limited in some row; 0 where not known */
    uint8_t *state;           /* (m, m) es_pair_state */
    char **reason;            /* (m, m) of failures, NULL elsewhere */
    float **pmi;              /* (m, m) per evaluated row, NULL when not loaded or not known */
    size_t n_eval;            /* length of every pmi */
    uint32_t *row;      /* (n_eval) rows of pmi, as the files number them from 0; NULL: not known */
    size_t n_fit;       /* rows that estimators fit on, of a fold; 0: not known */
    uint32_t *deciding; /* (m, m) the value of pmi that alone decides a pair, else UINT32_MAX */
    double *without;    /* (m, m) what the others give then; see es_results_decided */
    size_t done, failed;           /* counts over state */
    es_null_line *null;            /* (m) the zero line, of each target; NULL: there is none */
    size_t null_done, null_failed; /* counts over null */
    uint64_t revision;             /* raised by every change: views redraw and recompute by it */
    uint64_t *row_revision;        /* (m) of each source, when one of its pairs last changed */
    const es_estimator *estimator; /* NULL for a matrix from a file */
    const char *preset;
    bool changed;       /* settings are not as the preset has them */
    char *said;         /* the preset as a reader sees it, with these settings; NULL as preset */
    char *settings;     /* canonical text of every setting in force */
    const char *remark; /* es_estimator_remark; NULL: none, or not known */
    uint64_t seed;
    bool part;          /* texts and values of rows are another's: es_results_originals */
    es_values **values; // (n_values) blocks that pmi of many pairs are in
    size_t n_values, values_room;
};

/** Where a folder of small files would ask for all memory: 16 million pairs, about 1.4 GB. */
enum { ES_RESULTS_MOST = 4096 };

/** Nothing known yet. ES_EINVAL above ES_RESULTS_MOST embedders. */
es_status es_results_new(size_t m, es_results **out, es_error *err);
/** The same for es_results_give alone, in a third of the memory: se, h_cond, seconds, information
 *  and lambda are one array of NAN, deciding and without are NULL. */
es_status es_results_new_values(size_t m, es_results **out, es_error *err);
void es_results_free(es_results *results);

/** A pair of this source has changed: raises the revisions. */
void es_results_touch(es_results *results, size_t source);

/** The name as a reader sees it: of a derived embedder with its mark. */
const char *es_results_label(const es_results *results, size_t index);
bool es_results_is_derived(const es_results *results, size_t index);
/** The preset, and the settings that are not as it has them: "default", "default, lambda=500". */
const char *es_results_preset(const es_results *results);
/** By the same estimator with the same preset; also of what no estimator computed. */
bool es_results_alike(const es_results *a, const es_results *b);
/** How many embedders are derived from others (session_derive.c). */
size_t es_results_derived(const es_results *results);
/** Takes those that are derived out of a comparison's targets: they do not vote. */
es_status es_results_compare_originals(const es_results *results, es_comparison *comparison,
                                       es_error *err);
/** The same results of those alone that are not derived: who votes and ranks unless asked. Texts
 *  and values of rows are borrowed from `results`, which stays, and where a pair was put since they
 *  are the new ones' or none. To be freed; *out NULL: none is derived, or all are. O(m^2). */
es_status es_results_originals(const es_results *results, es_results **out, es_error *err);

/** Record a finished pair, or a failure (reason copied); either replaces what was there. Counts and
 *  revision are kept. On ES_OK result->pmi belongs to the results, unless it is in a block that
 * they keep (es_results_keep_values); otherwise it stays the caller's and the pair is as it was.
 * ES_ENONFINITE: `is` is NaN or infinite (record a failure instead); ES_EINVAL: pmi of another
 * length than the other pairs'. */
es_status es_results_put(es_results *results, size_t source, size_t target,
                         const es_pair_result *result, double seconds, es_error *err);
es_status es_results_fail(es_results *results, size_t source, size_t target, const char *reason,
                          es_error *err);

/** Makes the results an owner of a block of values, of which they do not free single pairs.
 *  ES_ENOMEM. */
es_status es_results_keep_values(es_results *results, es_values *values, es_error *err);

/** Record a finite value from elsewhere; nothing else is known of the pair. */
void es_results_give(es_results *results, size_t source, size_t target, double is);

/** What the predictive score is made of (es_session_predictive). */
#define ES_PREDICTIVE_ESTIMATOR "linear"
#define ES_PREDICTIVE_PRESET "shrunk"
bool es_results_predictive(const es_results *results);
/** Returns how many of the embedders are controls. */
size_t es_results_controls(const es_results *results);
/** True if a value is a share of the target's value with itself. Not if that is an error, has no
 * end that others reach (flow), or is held low on purpose (the predictive score's: some others say
 * more). */
bool es_results_shares(const es_results *results);

/** True if the values are those of a published recipe, which does not limit targets: `limited`
 * counts columns with values beyond 20 standard deviations. */
bool es_results_unlimited(const es_results *results);

/** The value of a pair's pmi that alone decides it (es_row_decides), and what the others give; when
 *  there is none, or values of rows are not known, SIZE_MAX. Kept from when the pair was put, so
 * that it can be asked for all pairs at any time. */
size_t es_results_decided(const es_results *results, size_t source, size_t target, double *without);

/** Does even a copy of the target say little of it: less than a nat per dimension, 13 % of the
 *  variance unexplained, and of a binary target so much of its entropy? So it is with heavy tails,
 * columns that are nearly constant, and few rows; every value of its column is then less than is
 * there. *is: of the copy. False where that is not known, of errors, and of `shrunk`, which says
 * little of everything. */
bool es_results_copy_low(const es_results *results, size_t target, double *is);

/** True if some pair of this embedder with another one is known. */
bool es_results_touches(const es_results *results, size_t model);

/** The same for the zero line of a target; nothing of the result is kept but `is` and `se`. */
es_status es_results_put_null(es_results *results, size_t target, const es_pair_result *result,
                              es_error *err);
es_status es_results_fail_null(es_results *results, size_t target, const char *reason,
                               es_error *err);
/** Lowest and highest of the zero line, over the targets where it is known; their number. */
size_t es_results_null_range(const es_results *results, double *low, double *high);

/* A finished matrix from files, in place of a pool. */

/** Values become `is` of done pairs, what is missing stays pending; blocks become the values of
 * rows (pmi), everything else is not known. Names on rows and columns of the CSV may differ in
 * order but must be the same set; an index or a rank before the sources, columns at the end that
 * hold nothing and markup around names are skipped. ES_EFORMAT names the line, the column or the
 * first name without its counterpart ("nan" and "inf" are no numbers here), blocks of another shape
 * or mean than the matrix's, a family of an embedder that is not there. */
es_status es_matrix_files_read(const es_matrix_files *files, es_results **out, es_error *err);

#endif
