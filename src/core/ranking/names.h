/* Joining two lists of embedder names: what is equal, and what might be meant. */
#ifndef EMBEDSCOPE_NAMES_H
#define EMBEDSCOPE_NAMES_H

#include <stddef.h>

#include "embedscope/status.h"

typedef enum es_name_match {
    ES_NAME_NONE,
    ES_NAME_EXACT,
    ES_NAME_CASE,      /* equal but for ASCII case */
    ES_NAME_SEPARATOR, /* equal but for case and - _ . / blanks between letters and digits */
    ES_NAME_OWNER,     /* as above after one name's "owner/" is taken off */
    ES_NAME_ADDED /* as above after what files, hubs and people add at the end is taken off: ".npy",
                     "@revision", "(ours)" */
} es_name_match;

/** For each of a (na): partner[i] = its position in b (nb) or SIZE_MAX, how[i] = why. Exact names
 * are joined first. For the rest a partner is a proposal, to be accepted by the user and never to
 * be used silently: the strictest rule that leaves exactly one candidate each way among names not
 *  matched before. Names should be distinct within each list. O(na nb length). */
es_status es_names_match(const char *const *a, size_t na, const char *const *b, size_t nb,
                         size_t *partner, es_name_match *how, es_error *err);

/** In what two names differ, in words: "case". */
const char *es_name_match_words(es_name_match how);

#endif
