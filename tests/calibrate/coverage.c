/* Whether what a ranking says of a pool holds on rows that it has not seen. Values are estimated
 * once, so that the noise of fitting is in both sides of a comparison; steadiness.c fits anew. */
#include "calibrating.h"

#include "base.h"
#include "report_answer.h"

/* A pool on some of its rows. */
typedef struct part {
    size_t m, rows;
    double *is;    // (m, m)
    float *values; // (m, m, rows)
    float **pmi;   // (m, m) into values
} part;

static part part_new(const pool_values *pool, size_t rows) {
    size_t pairs = pool->m * pool->m;
    part p = {pool->m, rows, calibrate_alloc(pairs, sizeof *p.is),
              calibrate_alloc(pairs * rows, sizeof *p.values),
              calibrate_alloc(pairs, sizeof *p.pmi)};
    for (size_t k = 0; k < pairs; k++)
        p.pmi[k] = p.values + k * rows;
    return p;
}

static void part_free(part *p) {
    es_free(p->is);
    es_free(p->values);
    es_free(p->pmi);
}

static void part_take(const pool_values *pool, const uint32_t *row, part *p) {
    for (size_t k = 0; k < p->m * p->m; k++) {
        double sum = 0;
        for (size_t r = 0; r < p->rows; r++) {
            p->pmi[k][r] = pool->results->pmi[k][row[r]];
            sum += (double)p->pmi[k][r];
        }
        p->is[k] = sum / (double)p->rows;
    }
}

/* Kinds, copies and relations are those of all rows. */
static es_decision *decide(const pool_values *pool, const part *p, uint64_t seed) {
    const es_rank_source source = {.results = pool->results, .by_lead = true, .seed = seed};
    es_rank_problem problem = {0};
    es_decision *out = NULL;
    es_error err = {0};
    es_status st = es_rank_problem_init(&source, &problem, &err);
    problem.problem.is = p->is;
    problem.problem.pmi = p->pmi;
    problem.problem.n_eval = p->rows;
    if (st == ES_OK)
        st = es_decision_new(&problem.problem, NULL, &out, &err);
    if (st != ES_OK)
        calibrate_die("deciding", &err);
    es_rank_problem_deinit(&problem);
    return out;
}

void cover_sides(const es_decision *one, const es_decision *other, sides *out) {
    const es_decision *side[2] = {one, other};
    size_t m = one->m;
    for (size_t s = 0; s < 2; s++)
        for (size_t a = 0; a < m; a++)
            for (size_t b = a + 1; b < m; b++) {
                size_t cell = a * m + b;
                bool ahead = side[s]->ahead[cell] || side[s]->ahead[b * m + a];
                out->ahead.hits += ahead;
                out->ahead.of++;
                out->wrong.hits += ahead && side[s]->delta[cell] * side[1 - s]->delta[cell] < 0;
                out->wrong.of += ahead;
            }
}

sides cover_halves(const pool_values *pool, size_t draws, uint64_t seed) {
    sides out = {.draws = draws};
    uint32_t *deck = calibrate_alloc(pool->rows, sizeof *deck);
    part half = part_new(pool, pool->rows / 2);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, 1));
    for (size_t r = 0; r < pool->rows; r++)
        deck[r] = (uint32_t)r;
    for (size_t k = 0; k < draws; k++) {
        es_decision *side[2];
        es_rng_shuffle(&rng, deck, pool->rows);
        for (size_t s = 0; s < 2; s++) {
            part_take(pool, deck + s * half.rows, &half);
            side[s] = decide(pool, &half, k);
        }
        cover_sides(side[0], side[1], &out);
        es_decision_free(side[0]);
        es_decision_free(side[1]);
    }
    part_free(&half);
    es_free(deck);
    return out;
}
