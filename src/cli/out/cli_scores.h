/* The downstream scores that go with what is shown. */
#ifndef ES_CLI_SCORES_CLI_H
#define ES_CLI_SCORES_CLI_H

#include "command.h"

#include "join_names.h"
#include "scores.h"
#include "scores_read.h"
#include "session.h"

/** Reads the scores for the embedders that are shown: those of --scores into *own (release it with
 *  es_scores_deinit), else the session's. *out is NULL when there are none. */
es_status es_cli_scores_as_written(const es_cli *cli, es_session *session,
                                   const es_scores_for *whose, es_scores *own,
                                   const es_scores **out, es_error *err);

/** Compares MTEB's results by what the joined models share (es_scores_settle), in *own, and notes
 *  the remark of the scores. join without names: as the scores are. */
es_status es_cli_scores_settle(const es_cli *cli, const es_join *join, es_scores *own,
                               const es_scores **out, es_error *err);

/** Scores as es_cli_scores_as_written reads them, under the names of the session's embedders: what
 * --match and --accept-names join is renamed, in *own. What looks alike and was not joined is said
 * in a note, and so are scores of nobody here. A --match of unknown names is a usage error. */
es_status es_cli_scores(es_cli *cli, es_session *session, es_scores *own, const es_scores **out,
                        es_error *err);

/** *out (tasks): which tasks --tasks names, by globs with commas between; all of them where it is
 * not given. es_free. A glob that no task matches is a usage error. */
es_status es_cli_choose_tasks(es_cli *cli, const es_scores *scores, bool **out, es_error *err);

#endif
