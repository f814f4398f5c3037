/* Log densities of mixtures from a network's output block, and their gradient in its place, row by
 * row in float with sums in double. */
#include "core_estimators_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double half_log_2pi = 0.91893853320467274178;

static size_t mode_width(const es_head *head) {
    return head->kind == ES_HEAD_GAUSS ? 2 * head->d : head->d;
}

size_t es_head_width(const es_head *head, bool own_logits) {
    return head->modes * mode_width(head) + (own_logits && head->modes > 1 ? head->modes : 0);
}

/* Returns the scaled gradient in o and minus the squared error of one row. */
static double squared_error(float *o, const float *b, const float *y, size_t d, float scale,
                            float *sum) {
    double total = 0;
    for (size_t j = 0; j < d; j++) {
        float z = y[j] - (o[j] + b[j]);
        total -= (double)z * (double)z;
        if (sum) {
            o[j] = 2 * scale * z;
            sum[j] += o[j];
        }
    }
    return total;
}

/* One mode's energy. With `sum`, or with `gradient` alone, the derivative replaces o. */
static double mode(const es_head *head, float *o, const float *b, const float *offset,
                   const float *y, int gradient, float scale, float *sum) {
    switch (head->kind) {
    case ES_HEAD_GAUSS:
        return head->simd->gauss(o, b, offset, y, head->d, (float)head->bend, gradient, scale,
                                 sum) -
               half_log_2pi * (double)head->d;
    case ES_HEAD_BERNOULLI:
        return head->simd->bernoulli(o, b, offset, y, head->d, (float)head->bend, gradient, scale,
                                     sum);
    case ES_HEAD_SQUARE:
        break;
    }
    return squared_error(o, b, y, head->d, scale, sum);
}

/* In place: x[k] - logsumexp(x); returns the logsumexp. */
static double log_softmax(double *x, size_t n) {
    double top = -INFINITY, sum = 0;
    for (size_t k = 0; k < n; k++)
        top = x[k] > top ? x[k] : top;
    for (size_t k = 0; k < n; k++)
        sum += exp(x[k] - top);
    double total = top + log(sum);
    for (size_t k = 0; k < n; k++)
        x[k] -= total;
    return total;
}

/* Several modes: energies first, then each mode's gradient is weighted by its share of the row. The
 * row is short enough to stay in the first-level cache between the two. Energies add up over many
 * dimensions, so that shares are soon too small for a float: such a mode has no gradient here. */
static double mix(const es_head *head, const es_head_batch *batch, float *o, float *logit,
                  const float *y, const float *offset, unsigned char *live) {
    double joint[ES_MODES_MAX], prior[ES_MODES_MAX];
    const float *logit_bias =
        batch->logit ? batch->logit_bias : batch->bias + head->modes * mode_width(head);
    float *d_logit_bias = batch->d_logit_bias;
    if (!batch->logit && batch->d_bias) /* NULL, to which nothing may be added: only evaluate */
        d_logit_bias = batch->d_bias + head->modes * mode_width(head);
    for (size_t k = 0; k < head->modes; k++)
        prior[k] = (double)logit[k] + (double)logit_bias[k];
    (void)log_softmax(prior, head->modes);
    size_t width = mode_width(head);
    for (size_t k = 0; k < head->modes; k++)
        joint[k] = prior[k] + mode(head, o + k * width, batch->bias + k * width, offset, y,
                                   batch->d_bias != NULL, 1, NULL);
    double total = log_softmax(joint, head->modes);
    for (size_t k = 0; batch->d_bias && k < head->modes; k++) {
        double share = exp(joint[k]);
        float factor = (float)(-share / (double)batch->n);
        bool counts = factor <= -FLT_MIN;
        if (live)
            live[k] = counts;
        if (counts)
            head->simd->scale_sum(o + k * width, factor, batch->d_bias + k * width, width);
        else if (!live)
            memset(o + k * width, 0, width * sizeof *o);
        logit[k] = (float)((exp(prior[k]) - share) / (double)batch->n);
        d_logit_bias[k] += logit[k];
    }
    return total;
}

double es_head_eval(const es_head *head, const es_head_batch *batch) {
    size_t width = es_head_width(head, batch->logit == NULL);
    double sum = 0;
    if (batch->d_bias)
        memset(batch->d_bias, 0, width * sizeof *batch->d_bias);
    if (batch->d_bias && batch->logit)
        memset(batch->d_logit_bias, 0, head->modes * sizeof *batch->d_logit_bias);
    for (size_t r = 0; r < batch->n; r++) {
        size_t row = batch->rows ? batch->rows[r] : r;
        const float *y = batch->y + row * head->d;
        const float *offset = batch->offset ? batch->offset + row * head->d : NULL;
        float *o = batch->out + r * width;
        float *logit =
            batch->logit ? batch->logit + r * head->modes : o + head->modes * mode_width(head);
        double value = head->modes > 1
                           ? mix(head, batch, o, logit, y, offset,
                                 batch->live ? batch->live + r * head->modes : NULL)
                           : mode(head, o, batch->bias, offset, y, batch->d_bias != NULL,
                                  (float)(-1 / (double)batch->n), batch->d_bias);
        sum += value;
        if (batch->log_density)
            batch->log_density[r] = value;
    }
    return sum;
}
