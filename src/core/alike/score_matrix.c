/* Lower bounds of information from one matrix of scores: each is a mean over the diagonal less a
 * normaliser of the rest, always by log-sum-exp. */
#include "score_matrix.h"

#include <math.h>

/* A running log of a sum of exponentials. */
typedef struct log_sum {
    double most, sum;
} log_sum;

static const log_sum empty = {-INFINITY, 0};

/* Adds exp(x) to a sum kept with its largest exponent, so that nothing overflows. */
static void add_exponential(log_sum *l, double x) {
    if (x <= l->most) {
        l->sum += exp(x - l->most);
        return;
    }
    l->sum = l->sum * exp(l->most - x) + 1;
    l->most = x;
}

static double value_of(const log_sum *l) {
    return l->most + log(l->sum);
}

static double softplus(double x) {
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double clip(double x) {
    return fmin(fmax(x, -ES_SMILE_CLIP), ES_SMILE_CLIP);
}

/* Row i, or column i, of s: every score is s[i * own + j * other]. */
static void add_line(const double *s, size_t n, size_t i, size_t own, size_t other, int way,
                     es_score_values *out) {
    log_sum all = empty, rest = empty;
    double pair = s[i * own + i * other], rows = (double)n;
    for (size_t j = 0; j < n; j++) {
        add_exponential(&all, s[i * own + j * other]);
        if (j != i)
            add_exponential(&rest, s[i * own + j * other]);
    }
    double margin = pair - value_of(&rest) + log(rows - 1);
    out->infonce[way] += (pair - value_of(&all)) / rows;
    out->margin[way] += margin / rows;
    out->match[way] += exp(-softplus(-margin)) / rows;
    out->surprise[way] += softplus(-margin) / rows;
}

void es_score_values_of(const double *s, size_t n, es_score_values *out) {
    es_score_values v = {0};
    log_sum rest = empty, clipped = empty;
    double rows = (double)n, others = rows * (rows - 1), pairs = 0;
    for (size_t i = 0; i < n; i++) {
        add_line(s, n, i, n, 1, 0, &v);
        add_line(s, n, i, 1, n, 1, &v);
        pairs += s[i * n + i] / rows;
        v.js -= softplus(-s[i * n + i]) / rows;
        for (size_t j = 0; j < n; j++) {
            if (j == i)
                continue;
            add_exponential(&rest, s[i * n + j]);
            add_exponential(&clipped, clip(s[i * n + j]));
            v.js -= softplus(s[i * n + j]) / others;
        }
    }
    double normaliser = value_of(&rest) - log(others);
    v.infonce[0] += log(rows);
    v.infonce[1] += log(rows);
    v.dv = pairs - normaliser;
    v.nwj = pairs - exp(normaliser - 1);
    v.smile = pairs - value_of(&clipped) + log(others);
    *out = v;
}

double es_infonce_loss_ref(const double *s, size_t n, double *gradient) {
    double rows = (double)n, loss = 0;
    for (size_t k = 0; gradient && k < n * n; k++)
        gradient[k] = 0;
    for (size_t i = 0; i < n; i++) {
        log_sum row = empty, column = empty;
        for (size_t j = 0; j < n; j++) {
            add_exponential(&row, s[i * n + j]);
            add_exponential(&column, s[j * n + i]);
        }
        loss += (value_of(&row) + value_of(&column) - 2 * s[i * n + i]) / (2 * rows);
        if (!gradient)
            continue;
        double by_row = value_of(&row), by_column = value_of(&column);
        for (size_t j = 0; j < n; j++) {
            gradient[i * n + j] += exp(s[i * n + j] - by_row) / (2 * rows);
            gradient[j * n + i] += exp(s[j * n + i] - by_column) / (2 * rows);
        }
        gradient[i * n + i] -= 1 / rows;
    }
    return loss;
}
