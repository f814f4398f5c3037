/* Several sets of pairs in one file (column `set` of pairs.csv and pairs_graded.csv): all of them
 * together, then each by its name (Wang et al. 2022, Tables 3 and 4). */
#ifndef ES_ENGINE_PAIR_SETS_H
#define ES_ENGINE_PAIR_SETS_H

#include "digest.h"
#include "labels.h"
#include "positives.h"

typedef struct es_pair_set {
    char *name;             /* NULL: all sets together */
    es_positives positives; /* of es_pair_sets_positives */
    es_graded_pair *graded; /* (count) of es_pair_sets_graded */
    size_t count;
    es_digest digest;
} es_pair_set;

typedef struct es_pair_sets {
    size_t count; /* 0: nothing is known; 1: one set; else all together and each */
    es_pair_set *item;
} es_pair_sets;

/** Positives of each set by its own scores (es_positives_new); together they are those of all sets,
 *  each pair once, since scores of different sets do not compare. The text of an error names the
 *  set. */
es_status es_pair_sets_positives(const es_pair_list *list, size_t n, const es_pair_rules *rules,
                                 es_pair_sets *out, es_error *err);
/** The scored pairs of each set; together scores are mid-ranks within their set, from 0 to 1. */
es_status es_pair_sets_graded(const es_pair_list *list, es_pair_sets *out, es_error *err);
void es_pair_sets_deinit(es_pair_sets *sets); /* all zero bytes is allowed */

#endif
