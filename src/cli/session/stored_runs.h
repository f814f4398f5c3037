/* What a pool's store holds, in a few words, for those who asked for something else. */
#ifndef ES_CLI_STORED_RUNS_H
#define ES_CLI_STORED_RUNS_H

#include "buf.h"
#include "command.h"
#include "session.h"

/** Appends "linear default, knife with other settings": estimators and presets that the store has
 *  pairs of, and whether over other rows. Nothing where there are none or the store is not to be
 *  read. */
void es_stored_runs_put(const es_session *session, es_buf *out);

/** Appends the command line that estimates what was asked for, whole: with pool, estimator, preset,
 *  settings, rows. */
es_status es_stored_runs_remedy(const es_cli *cli, const es_session *session, es_buf *out,
                                es_error *err);

#endif
