/* Correlations of resampled pairs from counts on items sorted once: Pearson, Spearman, Kendall's
 * tau-b (Knight 1966, by a tree of counts) and the weighted tau (Vigna, WWW 2015). */
#include "core_numerics.h"

#include <math.h>
#include <string.h>

void es_pairs_deinit(es_pairs *p) {
    es_free(p->x);
    es_free(p->from);
    memset(p, 0, sizeof *p);
}

/* Numbers the different values of v in the order given by index; returns how many there are. */
static size_t classify(const double *v, const uint32_t *index, size_t n, uint32_t *class) {
    uint32_t next = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && v[index[i]] != v[index[i - 1]])
            next++;
        class[index[i]] = next;
    }
    return n ? next + 1 : 0;
}

es_status es_pairs_init(es_pairs *p, const double *x, const double *y, size_t n, es_error *err) {
    memset(p, 0, sizeof *p);
    size_t room = n + 1;
    double *values = es_alloc(room, 4 * sizeof *values);
    uint32_t *words = es_alloc(room, 8 * sizeof *words);
    if (!values || !words) {
        es_free(values);
        es_free(words);
        return es_no_memory_for(err, "the correlation of %zu pairs", n);
    }
    p->x = values;
    p->y = values + room;
    p->weight = values + 2 * room;
    p->tree = values + 3 * room;
    p->from = words;
    p->x_class = words + room;
    p->y_class = words + 2 * room;
    p->item = words + 3 * room;
    p->by_y = words + 4 * room;
    p->tally = words + 5 * room; /* (2 room) */
    uint32_t *scratch = words + 7 * room;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i]) && isfinite(y[i]))
            p->from[p->n++] = (uint32_t)i;
    p->capacity = p->n;
    es_sort_index(y, p->from, scratch, p->n);
    es_sort_index(x, p->from, scratch, p->n);
    for (size_t i = 0; i < p->n; i++) {
        p->x[i] = x[p->from[i]];
        p->y[i] = y[p->from[i]];
        p->by_y[i] = (uint32_t)i;
    }
    memcpy(p->item, p->by_y, p->n * sizeof *p->item);
    p->x_classes = classify(p->x, p->item, p->n, p->x_class);
    es_sort_index(p->y, p->by_y, scratch, p->n);
    p->y_classes = classify(p->y, p->by_y, p->n, p->y_class);
    return ES_OK;
}

/* Writes the resample's pairs, in order, to p->item; returns how many. */
static size_t expand(es_pairs *p, const uint32_t *count) {
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t c = count ? count[i] : 1; c > 0 && n < p->capacity; c--)
            p->item[n++] = (uint32_t)i;
    return n;
}

/* Two passes over values scaled to at most 1, so that neither a common offset nor the exponent's
 * range costs digits. */
static es_stat pearson(const double *x, const double *y, const uint32_t *item, size_t n) {
    double top_x = 0, top_y = 0;
    for (size_t k = 0; k < n; k++) {
        top_x = fmax(top_x, fabs(x[item[k]]));
        top_y = fmax(top_y, fabs(y[item[k]]));
    }
    if (top_x == 0 || top_y == 0)
        return es_stat_undefined(ES_WHY_CONSTANT);
    double mean_x = 0, mean_y = 0;
    for (size_t k = 0; k < n; k++) {
        mean_x += x[item[k]] / top_x;
        mean_y += y[item[k]] / top_y;
    }
    mean_x /= (double)n;
    mean_y /= (double)n;
    double xx = 0, yy = 0, xy = 0;
    for (size_t k = 0; k < n; k++) {
        double dx = x[item[k]] / top_x - mean_x, dy = y[item[k]] / top_y - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    double below = sqrt(xx) * sqrt(yy);
    if (!(below > 0))
        return es_stat_undefined(ES_WHY_CONSTANT);
    return es_stat_of(fmax(-1, fmin(1, xy / below)));
}

/* tally[c] = copies in class c; rank[c] = their mid-rank. */
static void class_ranks(const uint32_t *class, const uint32_t *item, size_t n, size_t classes,
                        uint32_t *tally, double *rank) {
    memset(tally, 0, classes * sizeof *tally);
    for (size_t k = 0; k < n; k++)
        tally[class[item[k]]]++;
    double below = 0;
    for (size_t c = 0; c < classes; c++) {
        rank[c] = below + 0.5 * ((double)tally[c] + 1);
        below += (double)tally[c];
    }
}

static es_stat spearman(es_pairs *p, size_t n) {
    double *rank_x = p->weight, *rank_y = p->tree, middle = 0.5 * ((double)n + 1);
    class_ranks(p->x_class, p->item, n, p->x_classes, p->tally, rank_x);
    class_ranks(p->y_class, p->item, n, p->y_classes, p->tally, rank_y);
    double xx = 0, yy = 0, xy = 0; /* deviations are multiples of 1/2: these sums are exact */
    for (size_t k = 0; k < n; k++) {
        double dx = rank_x[p->x_class[p->item[k]]] - middle;
        double dy = rank_y[p->y_class[p->item[k]]] - middle;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return es_stat_of(fmax(-1, fmin(1, xy / sqrt(xx * yy))));
}

/* The sums over pairs that a tau is made of, each pair i < j weighing weight_i + weight_j. */
typedef struct tau_sums {
    double all, x_ties, y_ties, both_ties, discordant;
} tau_sums;

static double run_weight(size_t copies, double weight) {
    return copies > 1 ? (double)(copies - 1) * weight : 0;
}

/* Fenwick trees over the classes of y hold what came before, with a smaller x: their number (tally)
 * and weight (tree). Knight 1966 counts the same exchanges by merging. */
static void add_before(es_pairs *p, size_t class, double weight) {
    for (size_t c = class + 1; c <= p->y_classes; c += c & (~c + 1)) {
        p->tally[c]++;
        p->tree[c] += weight;
    }
}

static double above_before(const es_pairs *p, size_t class, size_t before, double weight_before,
                           double own) {
    size_t count = 0;
    double weight = 0;
    for (size_t c = class + 1; c > 0; c -= c & (~c + 1)) {
        count += p->tally[c];
        weight += p->tree[c];
    }
    return (double)(before - count) * own + (weight_before - weight);
}

static tau_sums tau(es_pairs *p, size_t n, const double *weight) {
    tau_sums t = {0};
    memset(p->tally, 0, (p->y_classes + 1) * sizeof *p->tally);
    memset(p->tree, 0, (p->y_classes + 1) * sizeof *p->tree);
    double total = 0, same_x = 0, same = 0;
    size_t x_start = 0, start = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = p->item[k];
        t.discordant += above_before(p, p->y_class[i], k, total, weight[k]);
        add_before(p, p->y_class[i], weight[k]);
        total += weight[k];
        same_x += weight[k];
        same += weight[k];
        bool last = k + 1 == n;
        bool x_ends = last || p->x_class[p->item[k + 1]] != p->x_class[i];
        if (x_ends || p->y_class[p->item[k + 1]] != p->y_class[i]) {
            t.both_ties += run_weight(k + 1 - start, same);
            start = k + 1;
            same = 0;
        }
        if (x_ends) {
            t.x_ties += run_weight(k + 1 - x_start, same_x);
            x_start = k + 1;
            same_x = 0;
        }
    }
    t.all = run_weight(n, total);
    memset(p->tally, 0, p->y_classes * sizeof *p->tally);
    memset(p->tree, 0, p->y_classes * sizeof *p->tree);
    for (size_t k = 0; k < n; k++) {
        p->tally[p->y_class[p->item[k]]]++;
        p->tree[p->y_class[p->item[k]]] += weight[k];
    }
    for (size_t c = 0; c < p->y_classes; c++)
        t.y_ties += run_weight(p->tally[c], p->tree[c]);
    return t;
}

static double tau_value(tau_sums t) {
    double agree = t.all - t.x_ties - t.y_ties + t.both_ties - 2 * t.discordant;
    /* one root: what is tied as the other is gives exactly 1 */
    double value = agree / sqrt((t.all - t.x_ties) * (t.all - t.y_ties));
    return fmax(-1, fmin(1, value));
}

static es_stat kendall(es_pairs *p, size_t n) {
    for (size_t k = 0; k < n; k++)
        p->weight[k] = 0.5; /* every pair counts 1; the sums are exact */
    return es_stat_of(tau_value(tau(p, n, p->weight)));
}

/* Weight 1 / (r + 1), r = 0 for the best by (x, y), then by (y, x). */
static es_stat weighted_tau(es_pairs *p, size_t n) {
    for (size_t k = 0; k < n; k++)
        p->weight[k] = 1 / (double)(n - k);
    double by_x = tau_value(tau(p, n, p->weight));
    memset(p->tally, 0, p->y_classes * sizeof *p->tally);
    for (size_t k = 0; k < n; k++)
        p->tally[p->y_class[p->item[k]]]++;
    for (size_t c = 0, before = 0; c < p->y_classes; c++) {
        size_t here = p->tally[c];
        p->tally[c] = (uint32_t)before;
        before += here;
    }
    for (size_t k = 0; k < n; k++)
        p->weight[k] = 1 / (double)(n - p->tally[p->y_class[p->item[k]]]++);
    return es_stat_of(0.5 * by_x + 0.5 * tau_value(tau(p, n, p->weight)));
}

static bool one_class(const uint32_t *class, const uint32_t *item, size_t n) {
    for (size_t k = 1; k < n; k++)
        if (class[item[k]] != class[item[0]])
            return false;
    return true;
}

es_stat es_pairs_stat(es_pairs *p, es_correlation kind, const uint32_t *count) {
    size_t n = expand(p, count);
    if (n < 2)
        return es_stat_undefined(ES_WHY_EMPTY);
    if (one_class(p->x_class, p->item, n) || one_class(p->y_class, p->item, n))
        return es_stat_undefined(ES_WHY_CONSTANT);
    switch (kind) {
    case ES_PEARSON:
        return pearson(p->x, p->y, p->item, n);
    case ES_SPEARMAN:
        return spearman(p, n);
    case ES_KENDALL:
        return kendall(p, n);
    default:
        return weighted_tau(p, n);
    }
}

void es_pairs_midranks(es_pairs *p, double *rx, double *ry) {
    size_t n = expand(p, NULL);
    class_ranks(p->x_class, p->item, n, p->x_classes, p->tally, p->weight);
    for (size_t i = 0; i < n; i++)
        rx[i] = p->weight[p->x_class[i]];
    class_ranks(p->y_class, p->item, n, p->y_classes, p->tally, p->weight);
    for (size_t i = 0; i < n; i++)
        ry[i] = p->weight[p->y_class[i]];
}

const char *es_correlation_name(es_correlation kind) {
    static const char *const names[ES_CORRELATIONS] = {"pearson", "spearman", "kendall",
                                                       "weighted_tau"};
    return (unsigned)kind < ES_CORRELATIONS ? names[kind] : "";
}

es_status es_correlate(es_correlation kind, const double *x, const double *y, size_t n,
                       es_stat *out, es_error *err) {
    es_pairs pairs;
    ES_PASS(es_pairs_init(&pairs, x, y, n, err));
    *out = es_pairs_stat(&pairs, kind, NULL);
    es_pairs_deinit(&pairs);
    return ES_OK;
}
