/* The rows of one embedder as estimators see them: split into folds and standardised. */
#ifndef EMBEDSCOPE_FOLD_DATA_H
#define EMBEDSCOPE_FOLD_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "estimator.h"
#include "embedscope/status.h"
#include "run.h"
#include "split.h"

/** One embedder's rows for one fold, standardised by the training rows' mean and (population)
 *  standard deviation; columns that are constant on the training rows are left out. */
typedef struct es_fold_data {
    size_t n_train, n_val, n_test;
    size_t d;          /* columns kept */
    float *train;      /* (n_train, d); val and test follow in the same block; NULL: streamed */
    float *val, *test; /* (n_val, d), (n_test, d) */
    uint32_t *column;  /* (d) index of each kept column in the embedder */
    double *mean, *sd; /* (d) of the training rows, in the embedder's units */
    double *centre;    /* (d) that es_fold_data_centre has taken off; NULL: nothing */
    double *spread;    /* (d) mean square of what is left on the training rows; NULL: 1 */
    double *square;    /* (d) mean square of the training rows as they are; NULL: not asked for */
    float *low, *high; /* (d) range of the training rows; NULL: not asked for */
    size_t limited;    /* columns that es_fold_data_limits found limited in some row */
    es_rows rows;      /* where they come from */
    double clip;
    const es_fold *fold; /* which rows; NULL unless streamed */
    double unit;         /* streamed: standardised values are divided by it at last; 0: not */
    bool normal;         /* streamed: and each row is normalised (net.h) */
    es_fold all;         /* owned, where `fold` is it: all rows are training rows */
} es_fold_data;

/** clip > 0 limits standardised values to [-clip, clip] (sources); 0 leaves them (targets).
 *  ES_ENONFINITE names row and column; ES_EINVAL when every column is constant. O(n d). */
es_status es_fold_data_new(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                           es_fold_data **out, es_error *err);
/** The same without keeping the rows, for those that memory has no room for: they are read and
 *  standardised anew each time, which gives the same bits. `fold` and what `rows` refers to must
 *  outlive it. */
es_status es_fold_data_stream(const es_rows *rows, const es_fold *fold, double clip, es_run *run,
                              es_fold_data **out, es_error *err);
/** The same of all rows, as training rows. */
es_status es_fold_data_stream_all(const es_rows *rows, double clip, es_run *run, es_fold_data **out,
                                  es_error *err);
/** Where clipping has moved a column's mean, takes it off again, and notes how much of its variance
 *  of 1 is left: a marginal that did not know would lend each source the gain. */
es_status es_fold_data_centre(es_fold_data *data, es_run *run, es_error *err);
/** Limits and centres are set: notes the range of each training column, and how many columns have a
 *  limited value in some row. O(n d). */
es_status es_fold_data_limits(es_fold_data *data, es_run *run, es_error *err);
/** Returns the variance of column j's marginal, N(0, m_j): what limiting and centring have left of
 *  its variance of 1, at least `floor`. It is of the same family as a conditional and on the same
 *  training rows, so that what limiting has taken is not information. */
double es_fold_data_prior(const es_fold_data *data, size_t j, double floor);
/** Returns how many columns have a spread below `floor`: they are active in too few rows to show
 *  all that a source knows of them. */
size_t es_fold_data_rare(const es_fold_data *data, double floor);
/** Notes the mean squares of the training rows, for a target that is fitted many times. */
es_status es_fold_data_square(es_fold_data *data, es_run *run, es_error *err);
void es_fold_data_free(es_fold_data *data);
size_t es_fold_data_bytes(const es_fold_data *data);

/** Rows of all parts. */
size_t es_fold_data_rows(const es_fold_data *data);

typedef enum es_part { ES_PART_TRAIN, ES_PART_VAL, ES_PART_TEST } es_part;
size_t es_fold_data_count(const es_fold_data *data, es_part part);

/** Rows are worked through in blocks of so many, kept or streamed: sums over them are the same, and
 *  a pool of at most so many training rows is summed in one go. */
enum { ES_FOLD_BLOCK = 8192 };
/** Rows of the block that begins at `start` of n. */
size_t es_fold_block(size_t start, size_t n);

/** Reads standardised rows of either kind, blocks and single ones. One thread each. */
typedef struct es_fold_reader {
    const es_fold_data *data;
    double *buffer; /* for conversion; NULL when rows are kept */
    float *block;   /* (ES_FOLD_BLOCK, d) */
} es_fold_reader;

es_status es_fold_reader_init(es_fold_reader *reader, const es_fold_data *data, es_arena *arena,
                              es_error *err);
/** *out (count, d), count <= ES_FOLD_BLOCK: standardised rows from `start` of a part, until the
 * next call. */
es_status es_fold_reader_read(es_fold_reader *reader, es_part part, size_t start, size_t count,
                              es_run *run, const float **out, es_error *err);
/** out (count, d): the listed rows of a part; NULL: those from `start` on. Any count. */
es_status es_fold_reader_gather(es_fold_reader *reader, es_part part, const uint32_t *list,
                                size_t start, size_t count, es_run *run, float *out, es_error *err);

#endif
