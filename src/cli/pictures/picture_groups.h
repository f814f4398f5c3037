/* What the colours of a picture's embedders are: communities, families, or nothing (--colour-by).
 */
#ifndef ES_CLI_PICTURE_GROUPS_H
#define ES_CLI_PICTURE_GROUPS_H

#include "command.h"

#include "buf.h"
#include "embedscope/communities.h"
#include "results.h"

typedef struct es_picture_groups {
    unsigned *group;   /* (m) from 1; 0: none */
    bool drawn;        /* any is */
    const char *title; /* "communities"; NULL: none is drawn */
} es_picture_groups;

/** As --colour-by says; without it communities. Of these only those that hold: whose members are,
 *  on average, in theirs in at least ES_PICTURE_HOLDS of the runs. A sentence on what the colours
 *  are, how far the communities hold and which do not is appended to `note`. found: communities
 *  that are known already, or NULL. ES_EINVAL (usage): another word, or families that nobody has
 *  said. */
#define ES_PICTURE_HOLDS 0.75
es_status es_picture_groups_new(es_cli *cli, const es_results *results, const es_communities *found,
                                es_picture_groups *out, es_buf *note, es_error *err);
void es_picture_groups_deinit(es_picture_groups *groups);

#endif
