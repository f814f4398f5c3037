/* Annotations of a pool, and what measures gave for its embedders. */
#ifndef ES_ENGINE_MEASURES_H
#define ES_ENGINE_MEASURES_H

#include "core_measures.h"
#include "engine_pool.h"
#include "engine_results.h"

/* Settings of what is made of the files of annotations.c. */

/** Places of the settings. */
enum {
    SET_QUANTILE,
    SET_DIRECTED,
    SET_LABELS,
    SET_FROM,
    SET_QUERY_IDS,
    SET_QUERIES,
    SET_POSITIVES,
    SET_NEGATIVES,
    SET_RUNS,
    SET_BACKGROUND,
    ES_ANNOTATIONS_SETTINGS /* how many */
};
extern const es_setting es_annotations_settings[ES_ANNOTATIONS_SETTINGS];
/** Needs (es_need bits) that setting number `i` is about. */
unsigned es_annotations_setting_needs(size_t i);

/** Choices of SET_QUERY_IDS and of SET_FROM. */
enum { IDS_AUTO, IDS_ROWS, IDS_OWN };
enum { FROM_AUTO, FROM_QRELS, FROM_LABELS, FROM_PAIRS };

/* What people said about a pool's rows, made ready for measures: labels.csv, pairs.csv,
 * pairs_graded.csv, background.csv and qrels.csv beside the matrices, counted in the rows that are
 * in use. Files are read when a measure needs them, so that a bad one troubles nobody else. Owner's
 * thread; what it gives may be read from any thread until it is freed. */

typedef struct es_annotations es_annotations;

/** The pool must be settled. values (ES_ANNOTATIONS_SETTINGS), or NULL for the defaults. */
es_status es_annotations_new(es_pool *pool, const double *values, uint64_t seed,
                             es_annotations **out, es_error *err);
void es_annotations_free(es_annotations *annotations);

/** How many times a measure with these needs is computed: once, once a label column, or, where
 * there are several sets of pairs, for all together and for each. Reads
 * files. ES_ENOTFOUND: the pool lacks what is needed, and which file would give it; file errors as
 * in io.h. */
es_status es_annotations_times(es_annotations *annotations, unsigned needs, size_t *out,
                               es_error *err);

/** Time number `k`: the data, the name of the label column or set of pairs (NULL: none) and a
 * digest of all that the result depends on. Everything is borrowed. */
es_status es_annotations_take(es_annotations *annotations, unsigned needs, size_t k,
                              es_measure_data *data, const char **task, es_digest *digest,
                              es_error *err);

/** What was counted and left out, one line each; they grow as files are read. */
size_t es_annotations_notes(const es_annotations *annotations);
const char *es_annotations_note(const es_annotations *annotations, size_t i);

/* Settings of a measure and of the data it is given. */

/** The measure's own settings (m->n_settings) and those of its data (ES_ANNOTATIONS_SETTINGS), each
 *  "key=value" of a NULL-terminated list applied where it is known. ES_EINVAL: it is not, unless
 *  `lenient`. */
es_status es_measure_settings(const es_measure *m, const char *const *settings, bool lenient,
                              double *own, double *data, es_error *err);
/** "quantile=0.25 ... preprocess=centre ... data=HEX": all that the values depend on; owned.
 *  digest: of what people said, where the measure needs it; pool: of all embedders, where it is of
 * one among them. */
es_status es_measure_settings_text(const es_measure *m, const double *own, const double *data,
                                   es_digest digest, es_digest pool, char **out, es_error *err);

/** True if "key=value" names a setting of this measure or of its data. */
bool es_measure_knows(const es_measure *measure, const char *assignment);

/* What a measure gave for the embedders of a pool: values, where each stands, and what went wrong.
 */

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
