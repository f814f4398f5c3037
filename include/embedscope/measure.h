/* Measures of embedders beside information sufficiency: which there are, and what they need.
 *
 * Embedder measures give each embedder a few numbers (fields), pairwise measures each pair of
 * embedders. The first field is what the measure's name alone means; the others go by
 * "measure.field". Everything here is constant, from any thread; functions answer NULL and numbers
 * beyond the end with NULL or 0. The program's `embedscope measure` computes them. */
#ifndef EMBEDSCOPE_MEASURE_H
#define EMBEDSCOPE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/estimator.h"
#include "embedscope/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a measure needs beside the vectors. */
typedef enum es_need {
    ES_NEED_POSITIVES = 1,   /* pairs that belong together */
    ES_NEED_GRADED = 2,      /* pairs with a score */
    ES_NEED_TASK = 4,        /* a class or a number for rows */
    ES_NEED_QUERIES = 8,     /* queries with answers; made from classes, judgements or pairs */
    ES_NEED_JUDGEMENTS = 16, /* every judgement of qrels.csv */
    ES_NEED_BACKGROUND = 32  /* takes a list of the rows that compete; never lacking */
} es_need;

/** One of the numbers that a measure gives. */
typedef struct es_measure_field {
    const char *name;  /* "hits1" */
    const char *title; /* a few words for lists */
    bool lower_is_better;
    bool fact;    /* describes the data or the computation; ranks nobody */
    int decimals; /* where it is shown */
} es_measure_field;

typedef struct es_measure es_measure;

/** Measure number `index`, embedder measures first. */
const es_measure *es_measure_at(size_t index);
const es_measure *es_measure_find(const char *name);
/** "evalrank" or "evalrank.hits1": the measure and the number of its field. ES_ENOTFOUND says which
 *  measure, or which fields, there are; the outputs are unchanged then. */
es_status es_measure_parse(const char *text, const es_measure **measure, size_t *field,
                           es_error *err);

const char *es_measure_name(const es_measure *measure);
const char *es_measure_summary(const es_measure *measure); /* a few words */
const char *es_measure_caveat(const es_measure *measure);  /* what to mind when reading it */
bool es_measure_is_pairwise(const es_measure *measure);
unsigned es_measure_needs(const es_measure *measure); /* es_need bits */
/** What a set of needs means in words: "pairs of rows that belong together". Static, never NULL. */
const char *es_measure_need(unsigned needs);
const es_measure_field *es_measure_field_at(const es_measure *measure, size_t index);
const es_setting *es_measure_setting_at(const es_measure *measure, size_t index);

#ifdef __cplusplus
}
#endif
#endif
