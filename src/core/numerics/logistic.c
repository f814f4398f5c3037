/* Multinomial logistic regression by L-BFGS (Nocedal 1980): ten last steps stand for the
 * curvature, a line search halves until the loss falls enough. */
#include "core_numerics.h"

#include <math.h>
#include <string.h>

enum { STEPS = 200, MEMORY = 10, HALVINGS = 30 };
static const double slope_enough = 1e-4, sufficient = 1e-4;

/* The logits of one row become its probabilities minus the truth, over n; returns its loss. */
static double settle_row(double *z, size_t classes, size_t truth, double n) {
    double most = z[0], sum = 0;
    for (size_t c = 1; c < classes; c++)
        most = z[c] > most ? z[c] : most;
    double own = z[truth] - most;
    for (size_t c = 0; c < classes; c++)
        sum += z[c] = exp(z[c] - most);
    for (size_t c = 0; c < classes; c++)
        z[c] = (z[c] / sum - (c == truth ? 1 : 0)) / n;
    return log(sum) - own;
}

double es_logistic_loss(const double *x, const uint32_t *y, size_t n, size_t d, size_t classes,
                        double penalty, const double *w, double *z, double *gradient) {
    const double *constant = w + classes * d;
    double *slope = gradient + classes * d, loss = 0;
    es_dgemm(false, true, n, classes, d, x, w, z);
    memset(slope, 0, classes * sizeof *slope);
    for (size_t i = 0; i < n; i++) {
        double *row = z + i * classes;
        for (size_t c = 0; c < classes; c++)
            row[c] += constant[c];
        loss += settle_row(row, classes, y[i], (double)n) / (double)n;
        for (size_t c = 0; c < classes; c++)
            slope[c] += row[c];
    }
    es_dgemm(true, false, classes, d, n, z, x, gradient);
    for (size_t i = 0; i < classes * d; i++) {
        loss += penalty / 2 * w[i] * w[i];
        gradient[i] += penalty * w[i];
    }
    return loss;
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The last steps and what they changed in the gradient, newest at (count - 1) % MEMORY. */
typedef struct history {
    size_t count, size;
    double *step, *change; /* (MEMORY, size) */
    double rho[MEMORY];
} history;

/* direction = - H gradient, by the two loops. */
static void direct(const history *h, const double *gradient, double *direction) {
    double alpha[MEMORY];
    size_t kept = h->count < MEMORY ? h->count : MEMORY;
    for (size_t i = 0; i < h->size; i++)
        direction[i] = -gradient[i];
    for (size_t k = 1; k <= kept; k++) {
        size_t at = (h->count - k) % MEMORY;
        alpha[at] = h->rho[at] * dot(h->step + at * h->size, direction, h->size);
        for (size_t i = 0; i < h->size; i++)
            direction[i] -= alpha[at] * h->change[at * h->size + i];
    }
    if (kept > 0) {
        const double *change = h->change + (h->count - 1) % MEMORY * h->size;
        double scale = 1 / (h->rho[(h->count - 1) % MEMORY] * dot(change, change, h->size));
        for (size_t i = 0; i < h->size; i++)
            direction[i] *= scale;
    }
    for (size_t k = kept; k >= 1; k--) {
        size_t at = (h->count - k) % MEMORY;
        double beta = h->rho[at] * dot(h->change + at * h->size, direction, h->size);
        for (size_t i = 0; i < h->size; i++)
            direction[i] += (alpha[at] - beta) * h->step[at * h->size + i];
    }
}

static void remember(history *h, const double *w, const double *old_w, const double *gradient,
                     const double *old_gradient) {
    size_t at = h->count % MEMORY;
    double *step = h->step + at * h->size, *change = h->change + at * h->size;
    for (size_t i = 0; i < h->size; i++) {
        step[i] = w[i] - old_w[i];
        change[i] = gradient[i] - old_gradient[i];
    }
    double curvature = dot(step, change, h->size);
    if (curvature > 1e-16) {
        h->rho[at] = 1 / curvature;
        h->count++;
    }
}

static bool is_flat(const double *gradient, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (fabs(gradient[i]) > slope_enough)
            return false;
    return true;
}

es_status es_logistic_fit(const double *x, const uint32_t *y, size_t n, size_t d, size_t classes,
                          double penalty, const es_run *run, double *w, es_error *err) {
    size_t size = classes * (d + 1);
    history h = {.size = size};
    double *block = es_alloc(size, (4 + 2 * MEMORY) * sizeof *block);
    double *z = es_alloc(n, classes * sizeof *z);
    es_status st = ES_OK;
    ES_FAIL_IF(!block || !z, es_no_memory_for(err, "%zu classes of %zu columns", classes, d));
    double *gradient = block, *old_gradient = gradient + size, *old_w = old_gradient + size;
    double *direction = old_w + size;
    h.step = direction + size;
    h.change = h.step + MEMORY * size;
    memset(w, 0, size * sizeof *w);
    double loss = es_logistic_loss(x, y, n, d, classes, penalty, w, z, gradient);
    for (int step = 0; step < STEPS && !is_flat(gradient, size); step++) {
        ES_TRY(es_run_check(run, err));
        direct(&h, gradient, direction);
        double slope = dot(gradient, direction, size), length = 1, next = loss;
        memcpy(old_w, w, size * sizeof *w);
        memcpy(old_gradient, gradient, size * sizeof *gradient);
        int halvings = 0;
        for (; halvings < HALVINGS; halvings++, length /= 2) {
            for (size_t i = 0; i < size; i++)
                w[i] = old_w[i] + length * direction[i];
            next = es_logistic_loss(x, y, n, d, classes, penalty, w, z, gradient);
            if (next <= loss + sufficient * length * slope)
                break;
        }
        if (halvings == HALVINGS) { /* no digit is left to gain */
            memcpy(w, old_w, size * sizeof *w);
            break;
        }
        remember(&h, w, old_w, gradient, old_gradient);
        loss = next;
    }
done:
    es_free(block);
    es_free(z);
    return st;
}
