/* `mpirun -n N embedscope estimate`: rank 0 is the command, the others compute for it. */
#ifndef ES_CLI_RANKS_H
#define ES_CLI_RANKS_H

#include "command.h"

#include "session.h"

/** Joins the others where a launcher started several. Rank 0 gets cli->team, and in *options, its
 *  own copy of the options, its share of the machine's threads. Any other rank computes in here;
 *  *served: it has, and its part is done. */
es_status es_ranks_join(es_cli *cli, es_options *options, bool *served, es_error *err);
/** Ends them: the last thing that `estimate` does, which is `whole` unless it was interrupted. */
void es_ranks_leave(es_cli *cli, bool whole);

/** Have the others open what cli has opened: at once where its rows are known. All of these do
 *  nothing without a team. */
es_status es_ranks_open_early(es_cli *cli, es_session *session, es_error *err);
/** Once it is checked; then they get its pairs. */
es_status es_ranks_begin(es_cli *cli, es_session *session, es_error *err);
void es_ranks_end(es_cli *cli);
/** Appends a line that says what the others did. */
void es_ranks_put(const es_cli *cli, es_buf *out);

#endif
