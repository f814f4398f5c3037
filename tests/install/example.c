/* Loads the pool of the first argument, estimates what is missing, prints the ranking.
 *
 *   cc example.c $(pkg-config --cflags --libs embedscope) -o example && ./example POOL */
#include <poll.h>
#include <stdio.h>

#include <embedscope/ranking.h>
#include <embedscope/session.h>

int main(int argc, char **argv) {
    const es_session_options options = {.estimator = "linear"};
    const es_score_rule median = {0};
    es_session *session = NULL;
    es_ranking *ranking = NULL;
    es_error err = {0};
    es_status st = es_session_open(argc > 1 ? argv[1] : ".", &options, &session, &err);
    if (st == ES_OK)
        st = es_session_start(session, &err);
    while (st == ES_OK && es_session_phase(session) != ES_PHASE_DONE) {
        struct pollfd ready = {es_session_fd(session), POLLIN, 0};
        (void)poll(&ready, 1, 1000);
        (void)es_session_pump(session, 0);
        st = es_session_problem(session, &err);
    }
    const es_results *r = st == ES_OK ? es_session_results(session, 0) : NULL;
    if (r)
        st = es_ranking_new(r->is, r->m, &median, &ranking, &err);
    for (size_t i = 0; ranking && i < r->m; i++)
        printf("%2u  %6.3f  %s\n", (unsigned)ranking->rank[i], ranking->score[i], r->name[i]);
    if (st != ES_OK)
        fprintf(stderr, "%s\n", err.message);
    es_ranking_free(ranking);
    if (session)
        es_session_close(session);
    return st != ES_OK;
}
