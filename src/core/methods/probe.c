/* Five plain models, ridge, logistic, nearest neighbours, one hidden layer and support vectors,
 * cross-validated with folds that keep the shares of classes; the interval is of the mean over
 * rows.
 */
#include "core_methods.h"

#include <math.h>
#include <string.h>

#include "probe_parts.h"

/* ---- one split ---- */

/* Labelled rows as a whole, and one split of them. */
typedef struct split {
    const es_labelled *l;
    bool classes;
    const es_probe_rules *rules;
    const uint32_t *train, *test; /* rows of l->x */
    size_t n_train, n_test;
} split;

static uint32_t class_of(const es_labelled *l, size_t row) {
    size_t low = 0, high = l->n_classes;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (l->classes[middle] <= l->label[row])
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* Both parts, standardised by the training rows; constant columns become zero. */
static es_status standardise(const split *s, es_matrix *train, es_matrix *test, es_error *err) {
    size_t d = s->l->x.d;
    double *mean = es_alloc_zero(2 * d, sizeof *mean);
    es_status st = ES_OK;
    if (!mean)
        return es_no_memory_for(err, "%zu columns", d);
    double *scale = mean + d;
    ES_TRY(es_matrix_rows(&s->l->x, s->train, s->n_train, train, err));
    ES_TRY(es_matrix_rows(&s->l->x, s->test, s->n_test, test, err));
    for (size_t i = 0; i < train->n; i++)
        for (size_t j = 0; j < d; j++)
            mean[j] += train->x[i * d + j] / (double)train->n;
    for (size_t i = 0; i < train->n; i++)
        for (size_t j = 0; j < d; j++) {
            double e = train->x[i * d + j] - mean[j];
            scale[j] += e * e / (double)train->n;
        }
    for (size_t j = 0; j < d; j++)
        scale[j] = scale[j] > 1e-28 * mean[j] * mean[j] ? 1 / sqrt(scale[j]) : 0; /* rounding */
    for (size_t i = 0; i < train->n * d; i++)
        train->x[i] = (train->x[i] - mean[i % d]) * scale[i % d];
    for (size_t i = 0; i < test->n * d; i++)
        test->x[i] = (test->x[i] - mean[i % d]) * scale[i % d];
done:
    es_free(mean);
    return st;
}

/* Column of the largest of `width` scores, the first of equals. */
static size_t largest(const double *score, size_t width) {
    size_t best = 0;
    for (size_t c = 1; c < width; c++)
        best = score[c] > score[best] ? c : best;
    return best;
}

static es_status predict_logistic(const split *s, const es_matrix *train, const es_matrix *test,
                                  double penalty, const es_run *run, double *out, es_error *err) {
    size_t classes = s->l->n_classes, d = train->d;
    uint32_t *y = es_alloc(train->n, sizeof *y);
    double *w = es_alloc(classes, (d + 1) * sizeof *w), *z = es_alloc(test->n, classes * sizeof *z);
    es_status st = ES_OK;
    ES_FAIL_IF(!y || !w || !z, es_no_memory_for(err, "%zu classes", classes));
    for (size_t i = 0; i < train->n; i++)
        y[i] = class_of(s->l, s->train[i]);
    ES_TRY(es_logistic_fit(train->x, y, train->n, d, classes, penalty, run, w, err));
    es_dgemm(false, true, test->n, classes, d, test->x, w, z);
    for (size_t i = 0; i < test->n; i++) {
        for (size_t c = 0; c < classes; c++)
            z[i * classes + c] += w[classes * d + c];
        out[i] = s->l->classes[largest(z + i * classes, classes)];
    }
done:
    es_free(y);
    es_free(w);
    es_free(z);
    return st;
}

/* w (width, d) of the ridge regression of y (n, width) on x, by the smaller of the two systems. */
static es_status ridge(const es_matrix *x, const double *y, size_t width, double penalty, double *w,
                       es_error *err) {
    size_t n = x->n, d = x->d, order = n < d ? n : d;
    double *gram = es_alloc_zero(order * order, sizeof *gram);
    double *right = es_alloc(order, width * sizeof *right);
    es_status st = ES_OK;
    ES_FAIL_IF(!gram || !right, es_no_memory_for(err, "%zu equations", order));
    if (n < d)
        es_dgemm(false, true, n, n, d, x->x, x->x, gram);
    else
        es_dsyrk_add(n, d, x->x, gram);
    for (size_t i = 0; i < order; i++)
        gram[i * order + i] += penalty * (double)n;
    if (n >= d) {
        es_dgemm(true, false, width, d, n, y, x->x, right); /* (width, d): a column after another */
        ES_TRY(es_solve(d, gram, width, right, err));
        memcpy(w, right, width * d * sizeof *w);
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < width; c++)
            right[c * n + i] = y[i * width + c];
    ES_TRY(es_solve(n, gram, width, right, err));
    es_dgemm(false, false, width, d, n, right, x->x, w);
done:
    es_free(gram);
    es_free(right);
    return st;
}

static es_status predict_ridge(const split *s, const es_matrix *train, const es_matrix *test,
                               double penalty, double *out, es_error *err) {
    size_t width = s->classes ? s->l->n_classes : 1, d = train->d;
    double *y = es_alloc_zero(train->n, width * sizeof *y);
    double *w = es_alloc(width, d * sizeof *w), *z = es_alloc(test->n, width * sizeof *z);
    double *mean = es_alloc_zero(width, sizeof *mean);
    es_status st = ES_OK;
    ES_FAIL_IF(!y || !w || !z || !mean, es_no_memory_for(err, "%zu columns", d));
    for (size_t i = 0; i < train->n; i++) {
        if (s->classes)
            y[i * width + class_of(s->l, s->train[i])] = 1;
        else
            y[i] = s->l->label[s->train[i]];
        for (size_t c = 0; c < width; c++)
            mean[c] += y[i * width + c] / (double)train->n;
    }
    for (size_t i = 0; i < train->n * width; i++)
        y[i] -= mean[i % width];
    ES_TRY(ridge(train, y, width, penalty, w, err));
    es_dgemm(false, true, test->n, width, d, test->x, w, z);
    for (size_t i = 0; i < test->n; i++) {
        for (size_t c = 0; c < width; c++)
            z[i * width + c] += mean[c];
        out[i] = s->classes ? s->l->classes[largest(z + i * width, width)] : z[i];
    }
done:
    es_free(y);
    es_free(w);
    es_free(z);
    es_free(mean);
    return st;
}

/* Mean and standard deviation of the training rows' numbers; 1 of those that are all equal. */
static double spread_of(const split *s, double *mean) {
    double square = 0, n = (double)s->n_train;
    *mean = 0;
    for (size_t i = 0; i < s->n_train; i++)
        *mean += s->l->label[s->train[i]] / n;
    for (size_t i = 0; i < s->n_train; i++)
        square += (s->l->label[s->train[i]] - *mean) * (s->l->label[s->train[i]] - *mean) / n;
    return square > 0 ? sqrt(square) : 1;
}

/* Numbers are brought to mean 0 and variance 1 by the training rows, and back. */
static es_status predict_svm(const split *s, const es_matrix *train, const es_matrix *test,
                             double penalty, const es_run *run, double *out, es_error *err) {
    size_t width = s->classes ? s->l->n_classes : 1, d = train->d;
    double *y = es_alloc(train->n, sizeof *y), *w = es_alloc(d + 1, sizeof *w), mean = 0;
    double *z = es_alloc(test->n, width * sizeof *z), sd = spread_of(s, &mean);
    es_status st = ES_OK;
    ES_FAIL_IF(!y || !w || !z, es_no_memory_for(err, "%zu columns", d));
    for (size_t c = 0; c < width; c++) {
        for (size_t i = 0; i < train->n; i++)
            y[i] = !s->classes                        ? (s->l->label[s->train[i]] - mean) / sd
                   : class_of(s->l, s->train[i]) == c ? 1
                                                      : -1;
        ES_TRY(es_probe_svm(train, y, s->classes, penalty, run, w, err));
        for (size_t i = 0; i < test->n; i++) {
            z[i * width + c] = w[d];
            for (size_t j = 0; j < d; j++)
                z[i * width + c] += w[j] * test->x[i * d + j];
        }
    }
    for (size_t i = 0; i < test->n; i++)
        out[i] = s->classes ? s->l->classes[largest(z + i * width, width)] : mean + sd * z[i];
done:
    es_free(y);
    es_free(w);
    es_free(z);
    return st;
}

/* The same for a network. */
static es_status predict_mlp(const split *s, const es_matrix *train, const es_matrix *test,
                             const es_run *run, double *out, es_error *err) {
    size_t width = s->classes ? s->l->n_classes : 1;
    double *y = es_alloc_zero(train->n, width * sizeof *y);
    double *z = es_alloc(test->n, width * sizeof *z), mean = 0, sd = spread_of(s, &mean);
    es_status st = ES_OK;
    ES_FAIL_IF(!y || !z, es_no_memory_for(err, "%zu classes", width));
    for (size_t i = 0; i < train->n; i++) {
        if (s->classes)
            y[i * width + class_of(s->l, s->train[i])] = 1;
        else
            y[i] = (s->l->label[s->train[i]] - mean) / sd;
    }
    ES_TRY(es_probe_mlp(train, y, width, s->classes, test, s->rules->seed, run, z, err));
    for (size_t i = 0; i < test->n; i++)
        out[i] = s->classes ? s->l->classes[largest(z + i * width, width)] : mean + sd * z[i];
done:
    es_free(y);
    es_free(z);
    return st;
}

/* ---- neighbours ---- */

/* The k nearest training rows of one row, given approximate squared distances d2 to all rows; what
 * may be among them is measured again. list (n_train), copy (n_train). */
static void nearest_of(const split *s, const es_space *space, uint32_t row, const double *d2,
                       size_t k, es_near *list, double *copy) {
    size_t count = 0;
    for (size_t i = 0; i < s->n_train; i++)
        copy[i] = d2[s->train[i]];
    double reach = es_select(copy, s->n_train, k - 1) + ES_SPACE_TIE * space->mean2;
    for (size_t i = 0; i < s->n_train; i++)
        if (d2[s->train[i]] <= reach + 2 * es_space_slack(space, row, s->train[i]))
            list[count++] = (es_near){es_space_exact(space, row, s->train[i]), s->train[i]};
    es_near_sort(list, count);
}

/* The class most of them have, or the mean of their numbers. votes (classes). */
static double vote(const split *s, const es_near *list, size_t k, double *votes) {
    double sum = 0;
    if (!s->classes) {
        for (size_t j = 0; j < k; j++)
            sum += s->l->label[list[j].row] / (double)k;
        return sum;
    }
    memset(votes, 0, s->l->n_classes * sizeof *votes);
    for (size_t j = 0; j < k; j++)
        votes[class_of(s->l, list[j].row)] += 1;
    return s->l->classes[largest(votes, s->l->n_classes)];
}

static es_status predict_nearest(const split *s, const es_run *run, double *out, es_error *err) {
    size_t n = s->l->x.n, d = s->l->x.d, k = s->rules->k > 0 ? s->rules->k : 5;
    es_space space = {0};
    double *scratch = es_alloc(ES_SPACE_BLOCK * d, sizeof *scratch);
    double *block = es_alloc(ES_SPACE_BLOCK * n, sizeof *block), *copy = es_alloc(n, sizeof *copy);
    double *votes = es_alloc(s->l->n_classes, sizeof *votes);
    es_near *list = es_alloc(n, sizeof *list);
    es_status st = ES_OK;
    ES_FAIL_IF(!scratch || !block || !copy || !votes || !list,
               es_no_memory_for(err, "neighbours of %zu rows", n));
    k = k < s->n_train ? k : s->n_train;
    ES_TRY(es_space_new(&s->l->x, s->rules->metric, &space, err));
    for (size_t at = 0; at < s->n_test; at += ES_SPACE_BLOCK) {
        size_t count = s->n_test - at < ES_SPACE_BLOCK ? s->n_test - at : ES_SPACE_BLOCK;
        ES_TRY(es_run_check(run, err));
        es_space_block(&space, s->test + at, count, scratch, block);
        for (size_t i = 0; i < count; i++) {
            nearest_of(s, &space, s->test[at + i], block + i * n, k, list, copy);
            out[at + i] = vote(s, list, k, votes);
        }
    }
done:
    es_free(scratch);
    es_free(block);
    es_free(copy);
    es_free(votes);
    es_free(list);
    es_space_free(&space);
    return st;
}

/* Fits the probe on the training rows of a fold and predicts its test rows. */
static es_status predict_fold(const split *s, const es_run *run, double *out, es_error *err) {
    es_matrix train = {0}, test = {0};
    es_status st = ES_OK;
    double penalty = s->rules->penalty > 0 ? s->rules->penalty : 1e-3;
    if (s->rules->kind == ES_PROBE_KNN)
        return predict_nearest(s, run, out, err);
    ES_TRY(es_run_check(run, err));
    ES_TRY(standardise(s, &train, &test, err));
    if (s->rules->kind == ES_PROBE_MLP)
        st = predict_mlp(s, &train, &test, run, out, err);
    else if (s->rules->kind == ES_PROBE_SVM)
        st = predict_svm(s, &train, &test, penalty, run, out, err);
    else if (s->rules->kind == ES_PROBE_LINEAR && s->classes)
        st = predict_logistic(s, &train, &test, penalty, run, out, err);
    else
        st = predict_ridge(s, &train, &test, penalty, out, err);
done:
    es_matrix_free(&train);
    es_matrix_free(&test);
    return st;
}

es_status es_probe_predict(const es_matrix *m, const es_task *task, const es_probe_rules *rules,
                           const uint32_t *train, size_t n_train, const uint32_t *test,
                           size_t n_test, const es_run *run, double *predicted, es_error *err) {
    es_labelled l = {0};
    es_status st = es_labelled_new(m, task, &l, err);
    if (st != ES_OK)
        return st;
    if (l.x.n != m->n)
        st = es_fail(err, ES_EINVAL, "%zu of %zu rows have a label: all are needed", l.x.n, m->n);
    for (size_t i = 0; i < n_train + n_test && st == ES_OK; i++)
        if ((i < n_train ? train[i] : test[i - n_train]) >= m->n)
            st = es_fail(err, ES_EINVAL, "there are only %zu rows", m->n);
    if (st == ES_OK && (n_train == 0 || n_test == 0))
        st = es_fail(err, ES_EEMPTY, "there are no rows to learn from or to predict");
    const split s = {&l, task->classes, rules, train, test, n_train, n_test};
    if (st == ES_OK)
        st = predict_fold(&s, run, predicted, err);
    es_labelled_free(&l);
    return st;
}

/* ---- cross-validation ---- */

/* Rows dealt to folds, class by class: order (n), row order[i] is in fold i % folds. */
static es_status deal(const es_labelled *l, bool classes, uint64_t seed, uint32_t *order,
                      es_error *err) {
    size_t n = l->x.n;
    uint32_t *scratch = es_alloc(n, sizeof *scratch);
    es_rng rng;
    if (!scratch)
        return es_no_memory_for(err, "%zu rows", n);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SPLIT, n));
    es_rng_shuffle(&rng, order, n);
    if (classes)
        es_sort_index(l->label, order, scratch, n);
    es_free(scratch);
    return ES_OK;
}

/* How good a prediction is: right or wrong, or its squared error. */
static double judge(bool classes, double truth, double predicted) {
    return classes ? (truth == predicted ? 1 : 0) : (truth - predicted) * (truth - predicted);
}

/* Sum of squares of the labels around their mean. */
static double variation(const es_labelled *l) {
    double mean = 0, sum = 0;
    for (size_t i = 0; i < l->x.n; i++)
        mean += l->label[i] / (double)l->x.n;
    for (size_t i = 0; i < l->x.n; i++)
        sum += (l->label[i] - mean) * (l->label[i] - mean);
    return sum;
}

/* Mean and 95 % interval of the judged rows: Wilson's for classes. */
static void summarise_rows(const es_labelled *l, bool classes, const double *judged, es_probe *p) {
    const double z = 1.959963984540054;
    double n = (double)l->x.n, mean = 0, square = 0;
    for (size_t i = 0; i < l->x.n; i++)
        mean += judged[i] / n;
    for (size_t i = 0; i < l->x.n; i++)
        square += (judged[i] - mean) * (judged[i] - mean);
    if (classes) { /* Wilson 1927 */
        double middle = (mean + z * z / (2 * n)) / (1 + z * z / n);
        double half = z / (1 + z * z / n) * sqrt(mean * (1 - mean) / n + z * z / (4 * n * n));
        p->score = mean;
        p->low = middle - half;
        p->high = middle + half;
        p->rmse = (double)NAN;
        return;
    }
    double scale = n / variation(l), half = z * sqrt(square / (n * (n - 1))) * scale;
    p->rmse = sqrt(mean);
    p->score = 1 - mean * scale;
    p->low = p->score - half;
    p->high = p->score + half;
}

static double most_frequent(const es_labelled *l) {
    double best = 0;
    for (size_t c = 0; c < l->n_classes; c++) {
        double count = 0;
        for (size_t i = 0; i < l->x.n; i++)
            count += l->label[i] == l->classes[c];
        best = count > best ? count : best;
    }
    return best / (double)l->x.n;
}

typedef struct folding {
    split s;
    uint32_t *order, *train, *test; /* (n) */
    double *predicted, *judged;     /* (n) */
} folding;

static es_status one_fold(folding *f, size_t fold, size_t folds, const es_run *run, double *score,
                          es_error *err) {
    const es_labelled *l = f->s.l;
    double sum = 0;
    f->s.n_train = f->s.n_test = 0;
    for (size_t i = 0; i < l->x.n; i++)
        if (i % folds == fold)
            f->test[f->s.n_test++] = f->order[i];
        else
            f->train[f->s.n_train++] = f->order[i];
    es_status st = predict_fold(&f->s, run, f->predicted, err);
    for (size_t i = 0; st == ES_OK && i < f->s.n_test; i++) {
        uint32_t row = f->test[i];
        sum += f->judged[row] = judge(f->s.classes, l->label[row], f->predicted[i]);
    }
    *score = sum / (double)f->s.n_test;
    return st;
}

es_status es_probe_of(const es_matrix *m, const es_task *task, const es_probe_rules *rules,
                      const es_run *run, es_probe *out, es_error *err) {
    es_labelled l = {0};
    folding f = {{&l, task->classes, rules, NULL, NULL, 0, 0}, NULL, NULL, NULL, NULL, NULL};
    es_probe p = {.folds = rules->folds > 0 ? rules->folds : 5};
    double sum = 0, square = 0;
    es_status st = ES_OK;
    ES_TRY(es_labelled_new(m, task, &l, err));
    p.labelled = l.x.n;
    ES_FAIL_IF(p.folds < 2 || l.x.n < 2 * p.folds,
               es_fail(err, ES_EEMPTY, "%zu labels are too few for %zu folds", l.x.n, p.folds));
    ES_FAIL_IF(!task->classes && es_labels_equal(l.label, l.x.n),
               es_fail(err, ES_EINVAL, "all %zu numbers are equal: nothing to predict", l.x.n));
    f.order = es_alloc(3 * l.x.n, sizeof *f.order);
    f.predicted = es_alloc(2 * l.x.n, sizeof *f.predicted);
    ES_FAIL_IF(!f.order || !f.predicted, es_no_memory_for(err, "%zu rows", l.x.n));
    f.s.train = f.train = f.order + l.x.n;
    f.s.test = f.test = f.train + l.x.n;
    f.judged = f.predicted + l.x.n;
    ES_TRY(deal(&l, task->classes, rules->seed, f.order, err));
    for (size_t fold = 0; fold < p.folds; fold++) {
        double score = 0;
        ES_TRY(one_fold(&f, fold, p.folds, run, &score, err));
        score = task->classes ? score : 1 - score * (double)l.x.n / variation(&l);
        sum += score;
        square += score * score;
    }
    summarise_rows(&l, task->classes, f.judged, &p);
    double folds = (double)p.folds, spread = square - sum * sum / folds;
    p.fold_sd = sqrt((spread > 0 ? spread : 0) / (folds - 1));
    p.chance = task->classes ? most_frequent(&l) : 0;
    *out = p;
done:
    es_free(f.order);
    es_free(f.predicted);
    es_labelled_free(&l);
    return st;
}
