/* Joining a ranking's names with those of downstream scores: equal names only, and what the user
 * accepts. */
#ifndef ES_CLI_JOIN_CLI_H
#define ES_CLI_JOIN_CLI_H

#include <stddef.h>

#include "command.h"

#include "names.h"

/** Partners by position in the two lists; SIZE_MAX: none. */
typedef struct es_join {
    const char *const *a, *const *b; /* borrowed: the ranking's names, the scores' */
    size_t na, nb;
    size_t *of_a, *of_b; /* (na), (nb) joined partners */
    size_t *proposed;    /* (na) who might be meant, not joined */
    es_name_match *how;  /* (na) of joined and proposed names */
    size_t count;        /* joined */
} es_join;

/** Joins equal names, those of --match A=B, and with --accept-names what is proposed. A --match of
 *  unknown names, or of a name that has a partner, is a usage error. ES_EFORMAT, with the first
 *  names of both lists, when nothing can be joined. */
es_status es_join_new(es_cli *cli, const char *const *a, size_t na, const char *const *b, size_t nb,
                      es_join *out, es_error *err);
void es_join_deinit(es_join *join); /* all zero bytes is allowed */

#endif
