/* Settings of what is made of the files of annotations.h. */
#ifndef ES_ENGINE_ANNOTATIONS_SETTINGS_H
#define ES_ENGINE_ANNOTATIONS_SETTINGS_H

#include <stddef.h>

#include "measure.h"

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

#endif
