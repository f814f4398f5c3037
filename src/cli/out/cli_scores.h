/* The downstream scores that go with what is shown. */
#ifndef ES_CLI_SCORES_CLI_H
#define ES_CLI_SCORES_CLI_H

#include "command.h"

#include "scores.h"
#include "session.h"

/** Scores for the results that are shown: those of --scores, which are read into *own (release it
 *  with es_scores_deinit), else the session's. *out is NULL when there are none.
 *  Those of a pool that cannot be read are none, with a note of why; so is what --scores passes
 * over, with a note. */
es_status es_cli_scores_as_written(const es_cli *cli, es_session *session, es_scores *own,
                                   const es_scores **out, es_error *err);

/** The same under the names of the session's embedders: what --match and --accept-names join is
 *  renamed, in *own. What looks alike and was not joined is said in a note, and so are scores of
 *  nobody here. A --match of unknown names is a usage error. */
es_status es_cli_scores(es_cli *cli, es_session *session, es_scores *own, const es_scores **out,
                        es_error *err);

/** *out (tasks): which tasks --tasks names, by globs with commas between; all of them where it is
 * not given. es_free. A glob that no task matches is a usage error. */
es_status es_cli_choose_tasks(es_cli *cli, const es_scores *scores, bool **out, es_error *err);

#endif
