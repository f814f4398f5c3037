/* Whether what a ranking says holds if kinds of embedders are independent of each other, as it
 * assumes: simulated pools, judged by es_lead_new, against the qualities that they were made of. */
#include "calibrating.h"

#include <math.h>

#include "base.h"
#include "core_ranking.h"

const simulation simulations[SIMULATIONS] = {
    {"5 kinds of one", 5, 1, 0.05, 0.1, 0.02, 0.01},
    {"8 kinds of two", 8, 2, 0.05, 0.1, 0.05, 0.01},
    {"8 kinds of two, noisy rows", 8, 2, 0.05, 0.1, 0.05, 0.1},
    {"8 kinds of two, all equal", 8, 2, 1e-6, 0.1, 0.05, 0.01}, /* the hardest for the set */
    {"7 kinds of one to seven", 7, 0, 0.05, 0.1, 0.05, 0.01},
    {"16 kinds of two", 16, 2, 0.1, 0.1, 0.05, 0.01},
};

/* One made-up pool. */
typedef struct made {
    size_t m;
    double *quality;        // (m)
    double *is;             // (m, m)
    float *values;          // (m, m, ES_LEAD_BLOCKS)
    float **pmi;            // (m, m) into values
    uint32_t *kind, *first; // (m)
    bool *votes;            // (m)
    es_row_blocks blocks;
} made;

static size_t members(const simulation *how, size_t kind) {
    return how->each > 0 ? how->each : kind + 1;
}

static made made_new(const simulation *how) {
    made x = {0};
    es_error err = {0};
    for (size_t k = 0; k < how->kinds; k++)
        x.m += members(how, k);
    x.quality = calibrate_alloc(x.m, sizeof *x.quality);
    x.is = calibrate_alloc(x.m * x.m, sizeof *x.is);
    x.values = calibrate_alloc(x.m * x.m * ES_LEAD_BLOCKS, sizeof *x.values);
    x.pmi = calibrate_alloc(x.m * x.m, sizeof *x.pmi);
    x.kind = calibrate_alloc(x.m, 2 * sizeof *x.kind);
    x.votes = calibrate_alloc(x.m, sizeof *x.votes);
    x.first = x.kind + x.m;
    for (size_t k = 0, i = 0; k < how->kinds; k++)
        for (size_t n = 0; n < members(how, k); n++, i++) {
            x.kind[i] = (uint32_t)k;
            x.first[i] = (uint32_t)i;
            x.votes[i] = true;
        }
    for (size_t c = 0; c < x.m * x.m; c++)
        x.pmi[c] = x.values + c * ES_LEAD_BLOCKS;
    if (es_row_blocks_init(&x.blocks, ES_LEAD_BLOCKS, ES_LEAD_BLOCKS, 0, &err) != ES_OK)
        calibrate_die("dealing rows", &err);
    return x;
}

static void made_free(made *x) {
    es_free(x->quality);
    es_free(x->is);
    es_free(x->values);
    es_free(x->pmi);
    es_free(x->kind);
    es_free(x->votes);
    es_row_blocks_deinit(&x->blocks);
}

/* The first and the last, which are of different kinds, are twins. */
static void draw(const simulation *how, es_rng *rng, made *x) {
    double *effect = calibrate_alloc(how->kinds, sizeof *effect);
    double scale = how->noise * sqrt((double)ES_LEAD_BLOCKS);
    for (size_t i = 0; i < x->m; i++)
        x->quality[i] = how->spread * es_rng_normal(rng);
    x->quality[x->m - 1] = x->quality[0];
    for (size_t a = 0; a < x->m; a++) {
        for (size_t k = 0; k < how->kinds; k++)
            effect[k] = how->effects * es_rng_normal(rng);
        for (size_t t = 0; t < x->m; t++) {
            double sum = 0, mean = x->quality[a] + effect[x->kind[t]];
            mean += how->within * es_rng_normal(rng);
            for (size_t h = 0; h < ES_LEAD_BLOCKS; h++) {
                x->pmi[a * x->m + t][h] = (float)(mean + scale * es_rng_normal(rng));
                sum += (double)x->pmi[a * x->m + t][h];
            }
            x->is[a * x->m + t] = sum / ES_LEAD_BLOCKS;
        }
    }
    es_free(effect);
}

static void judge_pairs(const made *x, const es_lead *lead, simulated *out) {
    size_t m = x->m, last = m - 1;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++) {
            bool ahead = a != b && lead->ahead[a * m + b];
            out->ahead.of += a < b;
            out->ahead.hits += ahead;
            out->wrong.of += ahead;
            out->wrong.hits += ahead && x->quality[a] < x->quality[b];
        }
    out->twins.of++;
    out->twins.hits += lead->ahead[last] || lead->ahead[last * m];
}

static void judge(const made *x, const es_lead *lead, simulated *out) {
    size_t m = x->m;
    bool held = true;
    for (size_t a = 0; a < m; a++) {
        size_t rank = 1;
        double true_lead = 0;
        for (size_t b = 0; b < m; b++) {
            rank += x->quality[b] > x->quality[a];
            true_lead += (x->quality[a] - x->quality[b]) / (double)(m - 1);
        }
        held = held && (rank > 1 || lead->best[a]);
        out->members.hits += lead->best[a];
        out->members.of++;
        out->ranks.hits += lead->rank_low[a] <= rank && rank <= lead->rank_high[a];
        out->ranks.of++;
        out->intervals.hits += lead->low[a] <= true_lead && true_lead <= lead->high[a];
        out->intervals.of++;
    }
    out->best.hits += held; /* both twins, if they are */
    out->best.of++;
    judge_pairs(x, lead, out);
}

simulated simulate(const simulation *how, size_t draws, uint64_t seed) {
    simulated out = {.draws = draws};
    made x = made_new(how);
    es_rng rng;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SAMPLE, 5));
    for (size_t k = 0; k < draws; k++) {
        draw(how, &rng, &x);
        const es_lead_problem problem = {.m = x.m,
                                         .is = x.is,
                                         .blocks = &x.blocks,
                                         .pmi = x.pmi,
                                         .kind = x.kind,
                                         .kinds = how->kinds,
                                         .first = x.first,
                                         .votes = x.votes,
                                         .draws = 800, /* 2,000 change no share by 0.2 % */
                                         .seed = k};
        es_lead *lead = NULL;
        es_error err = {0};
        if (es_lead_new(&problem, NULL, &lead, &err) != ES_OK)
            calibrate_die("leads of a simulated pool", &err);
        judge(&x, lead, &out);
        es_lead_free(lead);
    }
    made_free(&x);
    return out;
}
