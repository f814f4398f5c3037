/* How far several data sets are apart, and whether near ones rank embedders alike. */
#ifndef ES_CLI_SETS_DISTANCE_H
#define ES_CLI_SETS_DISTANCE_H

#include "command.h"

/** Every two data sets of the command line: the distance of their queries' answers and that of
 *  their plain rows (set_distance.h), each the mean over the embedders that all data sets hold,
 *  beside Kendall's tau of their rankings, and the correlation of the two over all pairs of data
 *  sets (RetMMD, Figure 6). Without queries, of rows alone. */
es_status es_sets_distance(es_cli *cli, es_error *err);

#endif
