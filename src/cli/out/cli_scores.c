/* The downstream scores that go with what is shown, with what is to be said of their file. */
#include "scores_read.h"
#include "cli_scores.h"

#include "output.h"

#include "pool.h"

/* The session's own, with what is wrong with them. */
static es_status pool_scores(const es_cli *cli, es_session *session, const es_scores **out,
                             es_error *err) {
    es_pool *pool = es_session_pool(session);
    es_status st = es_session_scores(session, out, err);
    const char *problem = st == ES_OK && pool ? es_pool_scores_problem(pool) : NULL;
    if (problem)
        es_output_note(cli, "the scores are not used: %s", problem);
    return st;
}

es_status es_cli_scores(const es_cli *cli, es_session *session, es_scores *own,
                        const es_scores **out, es_error *err) {
    *out = NULL;
    if (cli->options->scores == NULL)
        return session ? pool_scores(cli, session, out, err) : ES_OK;
    es_status st = es_scores_read(cli->options->scores, 0, own, err);
    if (st == ES_OK)
        st = es_scores_describe_beside(own, cli->options->scores, err);
    if (st == ES_OK && own->remark)
        es_output_note(cli, "%s", own->remark);
    if (st == ES_OK)
        *out = own;
    else
        es_scores_deinit(own);
    return st;
}
