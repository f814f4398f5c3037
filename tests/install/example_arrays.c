/* Ranks embedders that are in memory: three views of the same rows, of which "noise" knows nothing.
 *
 *   cc example_arrays.c $(pkg-config --cflags --libs embedscope) -o example && ./example */
#include <stdio.h>
#include <stdlib.h>

#include <embedscope/embedscope.h>

enum { ROWS = 400, DIM = 8 };

static float sum[ROWS][DIM], half[ROWS][DIM / 2], noise[ROWS][DIM];

/* Even numbers in [-1, 1) by a linear congruential generator, the same everywhere. */
static float draw(void) {
    static unsigned long state = 1;
    state = (state * 1103515245UL + 12345UL) & 0x7fffffffUL;
    return (float)state / 1073741824.0f - 1.0f;
}

static void fill(void) {
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < DIM; j++) {
            sum[i][j] = draw() + (j > 0 ? sum[i][j - 1] : 0.0f);
            noise[i][j] = draw();
            if (j < DIM / 2)
                half[i][j] = sum[i][j] + 0.1f * draw();
        }
}

int main(void) {
    const es_array_view arrays[] = {
        {"sum", NULL, sum, ROWS, DIM, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS},
        {"half", NULL, half, ROWS, DIM / 2, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS},
        {"noise", NULL, noise, ROWS, DIM, ES_ELEMENT_FLOAT32, ES_KIND_CONTINUOUS},
    };
    const es_session_options options = {.estimator = "linear"};
    const es_score_rule median = {0};
    es_session *session = NULL;
    es_ranking *ranking = NULL;
    es_error err = {0};
    fill();
    es_status st = es_session_open_arrays(arrays, 3, &options, &session, &err);
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
