/* Loads the pool of the first argument, estimates what is missing, prints the ranking.
 *
 *   cc example.c $(pkg-config --cflags --libs embedscope) -o example && ./example POOL */
#include <stdio.h>

#include <embedscope/embedscope.h>

int main(int argc, char **argv) {
    const es_session_options options = {.estimator = "linear"};
    const es_score_rule median = {0};
    es_session *session = NULL;
    es_ranking *ranking = NULL;
    es_error err = {0};
    es_status st = es_session_open(argc > 1 ? argv[1] : ".", &options, &session, &err);
    if (st == ES_OK)
        st = es_session_start(session, &err);
    if (st == ES_OK)
        st = es_session_wait(session, -1, &err);
    const es_results *r = es_session_results(session, 0);
    if (st == ES_OK)
        st = es_ranking_new(es_results_is(r), es_results_count(r), &median, &ranking, &err);
    for (size_t i = 0; ranking && i < ranking->m; i++)
        printf("%2u  %6.3f  %s\n", (unsigned)ranking->rank[i], ranking->score[i],
               es_results_name(r, i));
    if (st != ES_OK)
        fprintf(stderr, "%s\n", err.message);
    es_ranking_free(ranking);
    es_session_close(session);
    return st != ES_OK;
}
