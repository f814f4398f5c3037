/* What a measure gave for the embedders of a pool: values, where each stands, and what went wrong.
 */
#ifndef ES_MEASURED_H
#define ES_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"
#include "results.h"

/** A measure with its settings over all embedders, in the order of the session's results. Columns
 *  of an embedder measure, or the matrices of a pairwise one (rows are the first argument). */
typedef struct es_measured {
    const es_measure *measure;
    char *task;     /* the label column it is about; NULL: none */
    char *name;     /* "evalrank"; "smoothness:topic" where there are several columns */
    char **field;   /* (n_fields) "infonce", "infonce.match": the first by the name alone */
    char *settings; /* canonical text of every setting in force */
    size_t m;       /* embedders */
    bool symmetric; /* of a pairwise measure: with these settings */
    size_t width;   /* numbers an embedder: n_fields, or m of a pairwise measure */
    es_measure_value *value; /* (m, width), or (n_fields, m, m) of a pairwise measure: a matrix a
                                field; texts live as long as the session */
    uint8_t *state;          /* (m), or (m, m) of a pairwise measure: es_pair_state */
    char **reason;           /* of failures, as state; NULL elsewhere */
    double nanoseconds;      /* es_measured_seconds: whole ones, which add up to the same in any
                                order */
    size_t of;               /* entries of state */
    size_t done, failed;     /* of these */
    size_t reused;           /* of done: came from the store */
    uint64_t revision;       /* raised by every change */
} es_measured;

/** Room for m embedders by r->measure; ES_ENOMEM. */
es_status es_measured_init(es_measured *r, size_t m, es_error *err);
void es_measured_deinit(es_measured *r);

/** What to mind when reading it, with these settings. */
const char *es_measured_caveat(const es_measured *r);
bool es_measured_is_pairwise(const es_measured *r);
/** Place of a value in `state`; of an embedder source and target are the same. */
size_t es_measured_place(const es_measured *r, size_t source, size_t target);
/** Where field f of the value at `place` is in `value`. */
size_t es_measured_field(const es_measured *r, size_t place, size_t f);

/** What is known now, or failed: of the other direction too, where the measure knows none.
 *  value (n_fields). */
void es_measured_put(es_measured *r, size_t source, size_t target, const es_measure_value *value);
void es_measured_fail(es_measured *r, size_t source, size_t target, const char *reason);

/** What is known now took so long. */
void es_measured_took(es_measured *r, double seconds);
/** Of a processor, that all that is known took; NaN: some of it was stored without. */
double es_measured_seconds(const es_measured *measured);

/** A field of a pairwise measure: (m, m). */
const es_measure_value *es_measured_matrix(const es_measured *measured, size_t field);

/** Column `field`, NaN where not known, "higher is better" (turned where lower is). Of a pairwise
 * measure: the median of the field's row without itself, as information sufficiency is summed up.
 * out (m). ES_ENOMEM. */
es_status es_measured_column(const es_measured *measured, size_t field, double *out, es_error *err);

enum { ES_MEASURED_REMARK = 240 };
/** The warning that most values of a measure have, and how many have it: "n <= d1 + d2: ... (3 of
 * 66 pairs)". False: none has one. O(values). */
bool es_measured_remark(const es_measured *measured, char *out, size_t capacity);

#endif
