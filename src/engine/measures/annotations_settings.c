/* What can be set, as `measure --list` shows it, and which needs each setting is about. */
#include "engine_measures.h"

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const backgrounds[] = {"all", "list", NULL};
static const char *const label_kinds[] = {"auto", "classes", "numbers", NULL};
static const char *const id_kinds[] = {"auto", "rows", "own", NULL};
static const char *const query_sources[] = {"auto", "qrels", "labels", "pairs", NULL};

const es_setting es_annotations_settings[ES_ANNOTATIONS_SETTINGS] = {
    {.key = "quantile",
     .help = "of pairs with scores: the share that is positive",
     .value = 0.25,
     .low = 0.0001,
     .high = 1},
    {.key = "directed", .help = "pairs are asked one way only", .choices = no_yes},
    {.key = "labels",
     .help = "what labels.csv holds (auto: classes, unless a number is not whole)",
     .choices = label_kinds},
    {.key = "from",
     .help = "queries from qrels.csv, labels.csv or pairs.csv (auto: the first there is)",
     .choices = query_sources},
    {.key = "query-ids",
     .help = "queries of qrels.csv are rows of the pool, or have numbers of their own (auto: own "
             "where NAME.queries.npy holds their vectors)",
     .choices = id_kinds},
    {.key = "queries", .help = "at most", .value = 100, .low = 1, .high = 100000, .whole = true},
    {.key = "positives",
     .help = "documents a query, at most",
     .value = 5,
     .low = 2,
     .high = 1000,
     .whole = true},
    {.key = "negatives",
     .help = "other documents a query, at most",
     .value = 50,
     .low = 2,
     .high = 10000,
     .whole = true},
    {.key = "runs", .help = "draws of queries", .value = 5, .low = 1, .high = 100, .whole = true},
    {.key = "background",
     .help = "rows that compete: all, or those of background.csv and of the pairs",
     .choices = backgrounds},
};

unsigned es_annotations_setting_needs(size_t i) {
    static const unsigned needs[ES_ANNOTATIONS_SETTINGS] = {
        [SET_QUANTILE] = ES_NEED_POSITIVES | ES_NEED_QUERIES,
        [SET_DIRECTED] = ES_NEED_POSITIVES,
        [SET_LABELS] = ES_NEED_TASK,
        [SET_FROM] = ES_NEED_QUERIES,
        [SET_QUERY_IDS] = ES_NEED_QUERIES | ES_NEED_JUDGEMENTS,
        [SET_QUERIES] = ES_NEED_QUERIES,
        [SET_POSITIVES] = ES_NEED_QUERIES,
        [SET_NEGATIVES] = ES_NEED_QUERIES,
        [SET_RUNS] = ES_NEED_QUERIES,
        [SET_BACKGROUND] = ES_NEED_BACKGROUND,
    };
    return needs[i];
}
