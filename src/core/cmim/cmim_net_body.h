/* Forward and backward passes, compiled once for each precision: the including file defines REAL,
 * NET(_name), PRODUCT (multiplications between two looks at the cancel token), FLOAT and
 *   gemm(add, turn_a, turn_b, m, n, k, a, b, c)  c (m, n) = or += op(a) op(b)
 *   map_tanh, map_exp, map_log (net, x, n)       in place
 * Sums are in double, in lanes that a compiler can keep side by side. */

enum { LANES = 8 };

static const double log_2pi = 1.8378770664093454836;
static const double tiny = 1e-12; /* under the root of a code's length */

/* ---- memory ---- */

static bool take(NET() * net, size_t count, REAL **out) {
    *out = es_arena_alloc(net->arena, count, sizeof **out);
    return *out != NULL;
}

static bool take_all(NET() * net) {
    const es_cmim_shape *s = &net->shape;
    size_t b = net->batch, wide = s->h > s->k ? s->h : s->k, widest = s->d > wide ? s->d : wide;
    bool ok = take(net, net->n_params, &net->param) && take(net, net->n_params, &net->grad) &&
              take(net, b * s->k, &net->mu) && take(net, b * s->k, &net->log_var) &&
              take(net, b * s->k, &net->z) && take(net, b * s->k, &net->spread) &&
              take(net, b * s->d, &net->output) && take(net, b * s->k, &net->unit) &&
              take(net, b, &net->length) && take(net, b * b, &net->score) &&
              take(net, b * wide, &net->d_hidden[0]) && take(net, b * wide, &net->d_hidden[1]) &&
              take(net, b * s->k, &net->d_z) && take(net, b * s->k, &net->d_log_var) &&
              take(net, b * widest, &net->turned);
    for (size_t l = 0; l < s->layers; l++)
        ok = ok && take(net, b * s->h, &net->encoded[l]) && take(net, b * s->h, &net->decoded[l]);
    for (size_t p = 0; p < ES_CMIM_ROWS; p++)
        ok = ok && (net->row[p] = es_arena_alloc(net->arena, b, sizeof *net->row[p]));
    return ok && (net->sum = es_arena_alloc(net->arena, widest, sizeof *net->sum));
}

es_status NET(_new)(const es_cmim_shape *shape, size_t batch, const es_simd *simd, NET() * *out,
                    es_error *err) {
    if (shape->d == 0 || shape->h == 0 || shape->k == 0 || batch == 0 || shape->layers == 0 ||
        shape->layers > ES_CMIM_LAYERS)
        return es_fail(err, ES_EINVAL, "a network needs columns, rows and 1 to %d hidden layers",
                       ES_CMIM_LAYERS);
    NET() *net = es_alloc_zero(1, sizeof *net);
    if (!net)
        return es_no_memory(err);
    net->shape = *shape;
    net->batch = batch;
    net->simd = simd;
    net->n_tensors = es_cmim_tensors(shape, net->tensor, &net->n_params);
    net->arena = es_arena_new();
    if (!net->arena || !take_all(net)) {
        NET(_free)(net);
        return es_no_memory_for(err, "a network of %zu x %zu and batches of %zu", shape->d,
                                shape->h, batch);
    }
    *out = net;
    return ES_OK;
}

void NET(_free)(NET() * net) {
    if (!net)
        return;
    if (net->arena)
        es_arena_free(net->arena);
    es_free(net);
}

/* ---- parts ---- */

/* op(a) op(b), in pieces between which a cancelled run is noticed. Pieces depend on sizes alone. */
static void product(const NET() * net, bool turn_a, bool turn_b, size_t m, size_t n, size_t k,
                    const REAL *a, const REAL *b, REAL *c) {
    size_t whole = turn_a ? k : m, at_once = PRODUCT / (m * n * k / whole + 1) + 1;
    for (size_t i = 0; i < whole && es_run_check(net->run, NULL) == ES_OK; i += at_once) {
        size_t count = whole - i < at_once ? whole - i : at_once;
        if (turn_a)
            gemm(i > 0, true, turn_b, m, n, count, a + i * m, b + i * n, c);
        else
            gemm(false, false, turn_b, count, n, k, a + i * k, b, c + i * n);
    }
}

static double dot(const REAL *x, const REAL *y, size_t n) {
    double lane[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += (double)x[i + l] * (double)y[i + l];
    for (; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    for (size_t l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static double sum_of(const REAL *x, size_t n) {
    double lane[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += (double)x[i + l];
    for (; i < n; i++)
        sum += (double)x[i];
    for (size_t l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

/* Tensors in their order: 2 a layer of the encoder, mu, log variance, 2 a layer of the decoder,
 * output. */
static size_t at_mu(const NET() * net) {
    return 2 * net->shape.layers;
}

static size_t at_decoder(const NET() * net) {
    return at_mu(net) + 4;
}

/* out = x W + b for weight number `tensor`, whose bias comes next. */
static void linear(NET() * net, size_t tensor, const REAL *x, size_t rows, REAL *out) {
    const es_cmim_tensor *w = &net->tensor[tensor];
    const REAL *bias = net->param + net->tensor[tensor + 1].at;
    product(net, false, false, rows, w->columns, w->rows, x, net->param + w->at, out);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < w->columns; j++)
            out[i * w->columns + j] += bias[j];
}

static void hidden(NET() * net, size_t tensor, const REAL *x, size_t rows, REAL *out) {
    size_t n = rows * net->shape.h;
    linear(net, tensor, x, rows, out);
    if (!net->shape.relu)
        map_tanh(net, out, n);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = out[i] > 0 ? out[i] : 0;
}

/* From the derivative by a layer's output to that by what came before tanh or max. */
static void hidden_back(const NET() * net, const REAL *value, size_t rows, REAL *d) {
    for (size_t i = 0; i < rows * net->shape.h; i++)
        d[i] *= net->shape.relu ? (REAL)(value[i] > 0) : 1 - value[i] * value[i];
}

/* Gradients of a weight and its bias; d_in, where not NULL, receives the derivative by x. */
static void linear_back(NET() * net, size_t tensor, const REAL *x, const REAL *d, size_t rows,
                        REAL *d_in) {
    const es_cmim_tensor *w = &net->tensor[tensor];
    REAL *bias = net->grad + net->tensor[tensor + 1].at;
    size_t n = w->columns;
    product(net, true, false, w->rows, n, rows, x, d, net->grad + w->at);
    memset(net->sum, 0, n * sizeof *net->sum);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++)
            net->sum[j] += (double)d[i * n + j];
    for (size_t j = 0; j < n; j++)
        bias[j] = (REAL)net->sum[j];
    if (d_in)
        product(net, false, true, rows, w->rows, n, d, net->param + w->at, d_in);
}

static const REAL *run_encoder(NET() * net, const REAL *x, size_t rows) {
    for (size_t l = 0; l < net->shape.layers; l++, x = net->encoded[l - 1])
        hidden(net, 2 * l, x, rows, net->encoded[l]);
    return x;
}

static const REAL *run_decoder(NET() * net, const REAL *z, size_t rows) {
    for (size_t l = 0; l < net->shape.layers; l++, z = net->decoded[l - 1])
        hidden(net, at_decoder(net) + 2 * l, z, rows, net->decoded[l]);
    return z;
}

/* ---- the code ---- */

static void make_code(NET() * net, const es_cmim_goal *goal, const REAL *noise, size_t rows) {
    size_t n = rows * net->shape.k;
    if (!es_cmim_has_noise(goal->mode)) {
        memcpy(net->z, net->mu, n * sizeof *net->z);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        REAL v = net->log_var[i], least = (REAL)goal->floor;
        net->spread[i] = (v < least ? least : v) / 2; /* NaN stays */
    }
    map_exp(net, net->spread, n);
    for (size_t i = 0; i < n; i++)
        net->z[i] = net->mu[i] + net->spread[i] * noise[i];
}

static double log_q_of(const NET() * net, const es_cmim_goal *goal, const REAL *noise, size_t i) {
    size_t k = net->shape.k;
    double sum = (double)k * log_2pi;
    for (size_t j = i * k; j < (i + 1) * k; j++)
        sum += fmax((double)net->log_var[j], goal->floor) + (double)noise[j] * (double)noise[j];
    return -sum / 2;
}

static void make_units(NET() * net, size_t rows) {
    size_t k = net->shape.k;
    for (size_t i = 0; i < rows; i++) {
        const REAL *z = net->z + i * k;
        REAL length = (REAL)sqrt(dot(z, z, k) + tiny);
        net->length[i] = length;
        for (size_t j = 0; j < k; j++)
            net->unit[i * k + j] = z[j] / length;
    }
}

/* Mean cosine of pairs of different rows: of the squared length of their sum. */
static double mean_cosine(NET() * net, size_t rows) {
    size_t k = net->shape.k;
    double whole = 0, own = 0;
    memset(net->sum, 0, k * sizeof *net->sum);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < k; j++) {
            double u = (double)net->unit[i * k + j];
            net->sum[j] += u;
            own += u * u;
        }
    for (size_t j = 0; j < k; j++)
        whole += net->sum[j] * net->sum[j];
    return (whole - own) / ((double)rows * (double)(rows - 1));
}

/* ---- the contrastive term ---- */

static double softplus(double x) {
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/* exp(x - most) in place; its sum. */
static double exp_row(NET() * net, REAL *x, size_t n, REAL most) {
    for (size_t j = 0; j < n; j++)
        x[j] -= most;
    map_exp(net, x, n);
    return sum_of(x, n);
}

static REAL most_of(const REAL *x, size_t n) {
    REAL most = x[0];
    for (size_t j = 1; j < n; j++)
        most = x[j] > most ? x[j] : most;
    return most;
}

/* -log p_k of every row to row[1]; the scores become `scale` times its derivative by them. The row
 * itself is no negative, and its own score the constant 1 / tau. */
static void tell_apart(NET() * net, const es_cmim_goal *goal, size_t rows, double scale) {
    size_t n = rows, k = net->shape.k;
    product(net, false, true, n, n, k, net->unit, net->unit, net->score);
    for (size_t i = 0; i < n; i++) {
        REAL *s = net->score + i * n;
        for (size_t j = 0; j < n; j++)
            s[j] *= (REAL)(1 / goal->tau);
        s[i] = -(REAL)INFINITY;
        REAL most = most_of(s, n);
        double sum = exp_row(net, s, n, most);
        double margin = (double)most + log(sum / (double)(n - 1)) - 1 / goal->tau;
        double miss = margin > 0 ? 1 / (1 + exp(-margin)) : exp(margin) / (1 + exp(margin));
        net->row[1][i] = -softplus(margin);
        REAL factor = (REAL)(scale * miss / sum);
        for (size_t j = 0; j < n; j++)
            s[j] *= factor;
        s[i] = 0;
    }
}

/* The same for two views: log softmax of the right partner, both ways; the scores of first by
 * second views (half, half) become `scale` times the derivative of minus their mean. */
static void tell_views(NET() * net, const es_cmim_goal *goal, size_t half, double scale) {
    size_t n = half, k = net->shape.k;
    REAL *s = net->score, *t = net->score + n * n, inverse = (REAL)(1 / goal->tau);
    product(net, false, true, n, n, k, net->unit, net->unit + n * k, s);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            t[j * n + i] = s[i * n + j] *= inverse;
    for (size_t way = 0; way < 2; way++)
        for (size_t i = 0; i < n; i++) {
            REAL *x = (way ? t : s) + i * n, most = most_of(x, n);
            double own = (double)x[i], sum = exp_row(net, x, n, most);
            net->row[1][way * n + i] = own - (double)most - log(sum);
            REAL factor = (REAL)(scale / sum);
            for (size_t j = 0; j < n; j++)
                x[j] *= factor;
            x[i] -= (REAL)scale;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            s[i * n + j] += t[j * n + i];
}

/* d_z += the derivative through the unit rows, of which `turned` (rows, k) holds that by them. */
static void back_through_units(NET() * net, const es_cmim_goal *goal, size_t rows) {
    size_t k = net->shape.k;
    for (size_t i = 0; i < rows; i++) {
        const REAL *u = net->unit + i * k, *d = net->turned + i * k;
        REAL along = (REAL)dot(d, u, k), scale = (REAL)(1 / goal->tau) / net->length[i];
        for (size_t j = 0; j < k; j++)
            net->d_z[i * k + j] += (d[j] - u[j] * along) * scale;
    }
}

/* Two products, since the scores' derivative is not symmetric. */
static void tell_apart_back(NET() * net, const es_cmim_goal *goal, size_t rows) {
    size_t k = net->shape.k;
    REAL *second = net->d_hidden[1];
    product(net, false, false, rows, k, rows, net->score, net->unit, net->turned);
    product(net, true, false, rows, k, rows, net->score, net->unit, second);
    for (size_t i = 0; i < rows * k; i++)
        net->turned[i] += second[i];
    back_through_units(net, goal, rows);
}

static void tell_views_back(NET() * net, const es_cmim_goal *goal, size_t half) {
    size_t k = net->shape.k;
    product(net, false, false, half, k, half, net->score, net->unit + half * k, net->turned);
    product(net, true, false, half, k, half, net->score, net->unit, net->turned + half * k);
    back_through_units(net, goal, 2 * half);
}

/* ---- the decoder's end ---- */

static size_t at_log_var(const NET() * net) {
    return net->tensor[net->n_tensors - 1].at;
}

/* log p(x|z) of every row to row[0]; the output becomes the derivative of minus their mean, and
 * net->by_log_var that by the log variance. */
static void gaussian(NET() * net, const es_cmim_goal *goal, const REAL *x, size_t rows) {
    size_t d = net->shape.d;
    double own = net->shape.learned ? (double)net->param[at_log_var(net)] : 0;
    double log_var = fmax(own, goal->floor), precision = exp(-log_var), by_log_var = 0;
    REAL share = (REAL)(precision / (double)rows);
    for (size_t i = 0; i < rows; i++) {
        REAL *o = net->output + i * d;
        for (size_t j = 0; j < d; j++)
            o[j] -= x[i * d + j];
        double square = precision * dot(o, o, d);
        net->row[0][i] = -((double)d * (log_2pi + log_var) + square) / 2;
        by_log_var += ((double)d - square) / (2 * (double)rows);
        for (size_t j = 0; j < d; j++)
            o[j] *= share;
    }
    net->by_log_var = own < goal->floor ? 0 : by_log_var;
}

/* x o - softplus(o), with e = exp(-|o|): softplus = max(o, 0) + log(1 + e). */
static void bernoulli(NET() * net, const REAL *x, size_t rows) {
    size_t d = net->shape.d;
    REAL share = (REAL)(1 / (double)rows), *e = net->turned;
    for (size_t i = 0; i < rows; i++) {
        REAL *o = net->output + i * d;
        const REAL *own = x + i * d;
        double value = dot(own, o, d);
        for (size_t j = 0; j < d; j++)
            e[j] = o[j] > 0 ? -o[j] : o[j];
        map_exp(net, e, d);
        for (size_t j = 0; j < d; j++) {
            REAL up = o[j] > 0 ? o[j] : 0, odds = o[j] > 0 ? 1 : e[j];
            value -= (double)up;
            o[j] = (odds / (1 + e[j]) - own[j]) * share;
            e[j] += 1;
        }
        map_log(net, e, d);
        net->row[0][i] = value - sum_of(e, d);
    }
}

/* ---- a batch ---- */

/* What multiplies log q and log N in what is maximised. */
static void shares_of(es_cmim_mode mode, double *log_q, double *log_p) {
    bool machine = mode == ES_CMIM || mode == ES_CMIM_MIM;
    bool vae = mode == ES_CMIM_VAE || mode == ES_CMIM_CVAE;
    *log_q = machine ? 0.5 : vae ? -1 : 0;
    *log_p = machine ? 0.5 : vae ? 1 : 0;
}

/* From d_z and d_log_var down the encoder. */
static void encoder_back(NET() * net, const REAL *x, size_t rows, bool noisy) {
    size_t last = net->shape.layers - 1, at = 0;
    REAL *d = net->d_hidden[0], *more = net->d_hidden[1];
    linear_back(net, at_mu(net), net->encoded[last], net->d_z, rows, d);
    if (noisy) {
        linear_back(net, at_mu(net) + 2, net->encoded[last], net->d_log_var, rows, more);
        for (size_t i = 0; i < rows * net->shape.h; i++)
            d[i] += more[i];
    }
    for (size_t l = last + 1; l-- > 0; at = !at) {
        hidden_back(net, net->encoded[l], rows, net->d_hidden[at]);
        linear_back(net, 2 * l, l > 0 ? net->encoded[l - 1] : x, net->d_hidden[at], rows,
                    l > 0 ? net->d_hidden[!at] : NULL);
    }
}

/* From the output's derivative to d_z. */
static void decoder_back(NET() * net, size_t rows) {
    size_t layers = net->shape.layers, first = at_decoder(net), at = 0;
    linear_back(net, first + 2 * layers, net->decoded[layers - 1], net->output, rows,
                net->d_hidden[0]);
    for (size_t l = layers; l-- > 0; at = !at) {
        hidden_back(net, net->decoded[l], rows, net->d_hidden[at]);
        linear_back(net, first + 2 * l, l > 0 ? net->decoded[l - 1] : net->z, net->d_hidden[at],
                    rows, l > 0 ? net->d_hidden[!at] : net->d_z);
    }
}

static void backward(NET() * net, const es_cmim_goal *goal, const REAL *x, const REAL *noise,
                     size_t rows) {
    size_t n = rows * net->shape.k;
    double share = 1 / (double)rows, log_q = 0, log_p = 0;
    bool noisy = es_cmim_has_noise(goal->mode);
    shares_of(goal->mode, &log_q, &log_p);
    memset(net->grad, 0, net->n_params * sizeof *net->grad);
    if (goal->mode == ES_CMIM_INFONCE)
        memset(net->d_z, 0, n * sizeof *net->d_z);
    else
        decoder_back(net, rows);
    if (net->shape.learned)
        net->grad[at_log_var(net)] = (REAL)net->by_log_var;
    if (es_cmim_contrasts(goal->mode))
        tell_apart_back(net, goal, rows);
    if (goal->mode == ES_CMIM_INFONCE)
        tell_views_back(net, goal, rows / 2);
    for (size_t i = 0; noisy && i < n; i++) {
        REAL by_q = (REAL)(log_q * share / 2), by_p = (REAL)(log_p * share);
        net->d_z[i] += by_p * net->z[i];
        net->d_log_var[i] = net->log_var[i] < (REAL)goal->floor
                                ? 0
                                : net->d_z[i] * noise[i] * net->spread[i] / 2 + by_q;
    }
    encoder_back(net, x, rows, noisy);
}

es_cmim_parts NET(_loss)(NET() * net, const es_cmim_goal *goal, const REAL *x, const REAL *noise,
                         size_t rows, bool gradient) {
    size_t k = net->shape.k, layers = net->shape.layers;
    bool views = goal->mode == ES_CMIM_INFONCE, noisy = es_cmim_has_noise(goal->mode);
    double share = 1 / (double)rows, by_q = 0, by_p = 0;
    es_cmim_parts parts = {0};
    const REAL *top = run_encoder(net, x, rows);
    linear(net, at_mu(net), top, rows, net->mu);
    if (noisy)
        linear(net, at_mu(net) + 2, top, rows, net->log_var);
    make_code(net, goal, noise, rows);
    make_units(net, rows);
    parts.cosine = mean_cosine(net, rows);
    for (size_t p = 0; p < ES_CMIM_ROWS; p++)
        memset(net->row[p], 0, rows * sizeof *net->row[p]);
    if (!views) {
        linear(net, at_decoder(net) + 2 * layers, run_decoder(net, net->z, rows), rows,
               net->output);
        if (net->shape.bernoulli)
            bernoulli(net, x, rows);
        else
            gaussian(net, goal, x, rows);
    }
    if (es_cmim_contrasts(goal->mode))
        tell_apart(net, goal, rows, goal->weight * share);
    if (views)
        tell_views(net, goal, rows / 2, share);
    for (size_t i = 0; i < rows; i++) {
        const REAL *z = net->z + i * k;
        net->row[2][i] = noisy ? log_q_of(net, goal, noise, i) : 0;
        net->row[3][i] = -((double)k * log_2pi + dot(z, z, k)) / 2;
        parts.reconstruction += net->row[0][i] * share;
        parts.contrastive += net->row[1][i] * share;
        parts.log_q += net->row[2][i] * share;
        parts.log_p += net->row[3][i] * share;
    }
    shares_of(goal->mode, &by_q, &by_p);
    parts.loss = -(parts.reconstruction + (views ? 1 : goal->weight) * parts.contrastive +
                   by_q * parts.log_q + by_p * parts.log_p);
    if (gradient)
        backward(net, goal, x, noise, rows);
    return parts;
}

void NET(_embed)(NET() * net, const es_cmim_goal *goal, const REAL *x, const REAL *noise,
                 size_t rows, REAL *mu, REAL *info) {
    const REAL *top = run_encoder(net, x, rows);
    bool sampled = noise && es_cmim_has_noise(goal->mode);
    linear(net, at_mu(net), top, rows, net->mu);
    if (sampled) {
        linear(net, at_mu(net) + 2, top, rows, net->log_var);
        make_code(net, goal, noise, rows);
    }
    if (goal->mode != ES_CMIM_INFONCE)
        top = run_decoder(net, sampled ? net->z : net->mu, rows);
    if (mu)
        memcpy(mu, net->mu, rows * net->shape.k * sizeof *mu);
    if (info)
        memcpy(info, top, rows * net->shape.h * sizeof *info);
}

double NET(_contrast)(NET() * net, const es_cmim_goal *goal, const REAL *z, size_t rows,
                      REAL *d_z) {
    double sum = 0;
    memcpy(net->z, z, rows * net->shape.k * sizeof *z);
    make_units(net, rows);
    tell_apart(net, goal, rows, 1 / (double)rows);
    for (size_t i = 0; i < rows; i++)
        sum -= net->row[1][i] / (double)rows;
    if (!d_z)
        return sum;
    memset(net->d_z, 0, rows * net->shape.k * sizeof *net->d_z);
    tell_apart_back(net, goal, rows);
    memcpy(d_z, net->d_z, rows * net->shape.k * sizeof *d_z);
    return sum;
}
