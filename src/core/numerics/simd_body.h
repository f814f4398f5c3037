/* Body of the vector kernels, compiled once per instruction set: the including file defines
 *   SIMD_TARGET  the target attribute;  SIMD_TABLE  the name of the table;  LANES
 *   TILE_VECTORS  columns of a tile of `product` in vectors; TILE_ROWS (6) rows of them fill the
 *                 registers; TILE_DEPTH rows of such a strip stay in the first-level cache
 *   TILE_SHALLOW  the same of a transpose that is not copied, of which whole lines are fetched
 *   TILE_LONG     the most vectors of a tile; with more than TILE_VECTORS, TILE_LONG_ROWS rows do
 * and the operations v_* on LANES floats used below. Formulas are those of simd_ref.c; sums over a
 * row are kept in double, two partial vectors of LANES / 2.
 *
 * v_load(p, left) and v_store(p, left, x) touch only the first `left` lanes when left < LANES;
 * lanes beyond are 0 after a load. */

#define FN static inline SIMD_TARGET __attribute__((always_inline))
#define KERNEL static SIMD_TARGET
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* e^r - 1 for |r| <= ln(2)/2 by its Taylor series; the first term left out is below 6e-9. */
FN vf v_expm1_near(vf r) {
    vf p = v_set(1.0F / 5040);
    p = v_fma(p, r, v_set(1.0F / 720));
    p = v_fma(p, r, v_set(1.0F / 120));
    p = v_fma(p, r, v_set(1.0F / 24));
    p = v_fma(p, r, v_set(1.0F / 6));
    p = v_fma(p, r, v_set(0.5F));
    return v_fma(v_mul(p, r), r, r);
}

/* x = k ln 2 + r with whole k; ln 2 is split so that k times its first part is exact. */
FN vf v_reduce(vf x, vf *k) {
    *k = v_round(v_mul(x, v_set(0x1.715476p+0F)));
    vf r = v_fnma(*k, v_set(0x1.62e4p-1F), x);
    return v_fnma(*k, v_set(0x1.7f7d1cp-20F), r);
}

/* The bounds are the second operand of max and min, which return it unless the first one wins: so
 * x, put second, survives when it is NaN. */
FN vf v_exp(vf x) {
    vf k, r = v_reduce(v_min(v_set(89.0F), v_max(v_set(-105.0F), x)), &k);
    return v_scale2(v_add(v_expm1_near(r), v_set(1.0F)), k);
}

/* tanh(x) = w / (w + 2) with w = e^2x - 1, which keeps its digits near 0. */
FN vf v_tanh(vf x) {
    vf k, r = v_reduce(v_min(v_set(20.0F), v_max(v_set(-20.0F), v_add(x, x))), &k);
    vf two_k = v_scale2(v_set(1.0F), k);
    vf w = v_fma(two_k, v_expm1_near(r), v_sub(two_k, v_set(1.0F)));
    return v_div(w, v_add(w, v_set(2.0F)));
}

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m-1)/(m+1), |s| < 0.172: the
 * first term of the series left out is below 3e-10 of the sum. */
FN vf v_log(vf x) {
    vf k, m = v_split2(x, &k);
    vf f = v_sub(m, v_set(1.0F));
    vf s = v_div(f, v_add(m, v_set(1.0F))), q = v_mul(s, s);
    vf p = v_set(2.0F / 11);
    p = v_fma(p, q, v_set(2.0F / 9));
    p = v_fma(p, q, v_set(2.0F / 7));
    p = v_fma(p, q, v_set(2.0F / 5));
    p = v_fma(p, q, v_set(2.0F / 3));
    /* 2s = f - s f exactly, so f carries the digits and the rest is a small correction. */
    vf small = v_fma(v_mul(p, q), s, v_mul(k, v_set(0x1.7f7d1cp-20F)));
    vf sum = v_add(f, v_fnma(s, f, small));
    return v_log_edges(x, v_fma(k, v_set(0x1.62e4p-1F), sum));
}

#define EACH(name)                                                                                 \
    KERNEL void name##_row(const float *x, float *out, size_t n) {                                 \
        for (size_t i = 0; i < n; i += LANES)                                                      \
            v_store(out + i, n - i, v_##name(v_load(x + i, n - i)));                               \
    }
EACH(exp)
EACH(tanh)
EACH(log)

FN void add_to(float *sum, size_t left, vf x) {
    v_store(sum, left, v_add(v_load(sum, left), x));
}

KERNEL double gauss(float *o, const float *b, const float *offset, const float *y, size_t d,
                    float range, bool gradient, float scale, float *sum) {
    vacc total = v_zero_acc();
    const vf R = v_set(range), inverse = v_set(1 / range), one = v_set(1.0F);
    const vf factor = v_set(scale);
    for (size_t j = 0; j < d; j += LANES) {
        size_t left = d - j;
        vf z = v_sub(v_load(y + j, left), v_add(v_load(o + j, left), v_load(b + j, left)));
        vf l = v_add(v_load(o + d + j, left), v_load(b + d + j, left));
        if (offset)
            l = v_add(l, v_load(offset + j, left));
        vf bend = v_tanh(v_mul(l, inverse)), t = v_mul(R, bend);
        vf pull = v_mul(v_exp(v_add(t, t)), z), energy = v_mul(pull, z);
        v_accumulate(&total, v_fnma(energy, v_set(0.5F), t));
        if (!gradient)
            continue;
        vf dm = v_mul(factor, pull);
        vf dl = v_mul(v_mul(factor, v_fnma(bend, bend, one)), v_sub(one, energy));
        v_store(o + j, left, dm);
        v_store(o + d + j, left, dl);
        if (sum) {
            add_to(sum + j, left, dm);
            add_to(sum + d + j, left, dl);
        }
    }
    return v_total(&total);
}

KERNEL double bernoulli(float *o, const float *b, const float *offset, const float *y, size_t d,
                        float slope, bool gradient, float scale, float *sum) {
    vacc total = v_zero_acc();
    const vf one = v_set(1.0F), tiny = v_set(ES_MASS_FLOOR), factor = v_set(scale);
    const vf twice = v_set(2 * slope), minus = v_set(-slope);
    for (size_t j = 0; j < d; j += LANES) {
        size_t left = d - j;
        vf m = v_add(v_load(o + j, left), v_load(b + j, left));
        if (offset)
            m = v_add(m, v_load(offset + j, left));
        vf sign = v_fma(v_load(y + j, left), twice, minus);
        /* e^-88 keeps the quotients below finite and is far under the floor. */
        vf odds = v_exp(v_max(v_set(-88.0F), v_min(v_set(88.0F), v_mul(sign, m))));
        vf q = v_div(odds, v_add(one, odds)), lifted = v_add(q, tiny);
        v_accumulate(&total, v_keep(v_log(lifted), left));
        if (!gradient)
            continue;
        vf rest = v_div(one, v_add(one, odds));
        vf dm = v_mul(v_mul(v_mul(factor, sign), rest), v_div(q, lifted));
        v_store(o + j, left, dm);
        if (sum)
            add_to(sum + j, left, dm);
    }
    return v_total(&total);
}

KERNEL void scale_sum(float *x, float a, float *sum, size_t n) {
    const vf factor = v_set(a);
    for (size_t i = 0; i < n; i += LANES) {
        vf y = v_mul(v_load(x + i, n - i), factor);
        v_store(x + i, n - i, y);
        add_to(sum + i, n - i, y);
    }
}

KERNEL void activate(float *x, const float *bias, bool relu, size_t n) {
    for (size_t i = 0; i < n; i += LANES) {
        vf y = v_add(v_load(x + i, n - i), v_load(bias + i, n - i));
        v_store(x + i, n - i, relu ? v_max(v_set(0.0F), y) : y);
    }
}

KERNEL float normalize(const float *x, float *hat, size_t n) {
    vacc sum = v_zero_acc(), squares = v_zero_acc();
    for (size_t i = 0; i < n; i += LANES)
        v_accumulate(&sum, v_load(x + i, n - i));
    const vf mean = v_set((float)(v_total(&sum) / (double)n));
    for (size_t i = 0; i < n; i += LANES) {
        vf away = v_keep(v_sub(v_load(x + i, n - i), mean), n - i);
        v_accumulate(&squares, v_mul(away, away));
    }
    float factor = 1 / sqrtf((float)(v_total(&squares) / (double)n + 1e-5));
    for (size_t i = 0; i < n; i += LANES)
        v_store(hat + i, n - i, v_mul(v_sub(v_load(x + i, n - i), mean), v_set(factor)));
    return factor;
}

KERNEL void activate_back(float *d, const float *x, const float *hat, float factor, bool relu,
                          float *sum, size_t n) {
    vacc plain = v_zero_acc(), along = v_zero_acc();
    for (size_t i = 0; hat && i < n; i += LANES) {
        vf g = v_load(d + i, n - i);
        v_accumulate(&plain, g);
        v_accumulate(&along, v_mul(g, v_load(hat + i, n - i)));
    }
    const vf mean = v_set((float)(v_total(&plain) / (double)n));
    const vf slant = v_set((float)(v_total(&along) / (double)n)), f = v_set(factor);
    for (size_t i = 0; i < n; i += LANES) {
        size_t left = n - i;
        vf g = v_load(d + i, left);
        if (hat)
            g = v_mul(f, v_fnma(v_load(hat + i, left), slant, v_sub(g, mean)));
        if (relu)
            g = v_where_positive(v_load(x + i, left), g);
        v_store(d + i, left, g);
        add_to(sum + i, left, g);
    }
}

KERNEL void adam(const es_adam_row *row, size_t n, const es_adam_step *step) {
    const vf beta1 = v_set(step->beta1), beta2 = v_set(step->beta2);
    const vf rest1 = v_set(1 - step->beta1), rest2 = v_set(1 - step->beta2);
    const vf eps = v_set(step->eps), rate = v_set(step->rate), root = v_set(step->root);
    const vf delta = v_set(row->delta);
    for (size_t i = 0; i < n; i += LANES) {
        size_t left = n - i;
        vf g = v_load(row->g + i, left), p = v_load(row->p + i, left);
        if (row->gain) {
            add_to(row->d_gain + i, left, v_mul(p, g));
            add_to(row->d_shift + i, left, v_mul(p, delta));
            g = v_fma(delta, v_load(row->shift + i, left), v_mul(g, v_load(row->gain + i, left)));
        }
        vf m = v_fma(beta1, v_load(row->m + i, left), v_mul(rest1, g));
        vf v = v_fma(beta2, v_load(row->v + i, left), v_mul(v_mul(rest2, g), g));
        v_store(row->m + i, left, m);
        v_store(row->v + i, left, v);
        vf step_down = v_div(v_mul(rate, m), v_fma(root, v_sqrt(v), eps));
        v_store(row->p + i, left, v_sub(p, step_down));
    }
}

/* Vector v of a strip: only the last one may be cut short, to `last` lanes. */
FN vf load_part(const size_t vectors, const bool whole, const float *p, size_t v, size_t last) {
    return v_load(p + v * LANES, whole || v + 1 < vectors ? LANES : last);
}

/* A tile of c in registers: `rows` rows of `vectors` vectors. Constant `rows`, `vectors` and
 * `whole` make the compiler unroll it. */
FN void tile(const size_t rows, const size_t vectors, const bool whole, size_t last, size_t k,
             const float *a, size_t row, size_t step, const float *b, size_t ldb, bool add,
             float *c, size_t ldc) {
    vf sum[TILE_ROWS][TILE_LONG], x[TILE_LONG];
    UNROLL
    for (size_t i = 0; i < rows; i++) {
        UNROLL
        for (size_t v = 0; v < vectors; v++)
            sum[i][v] = add ? load_part(vectors, whole, c + i * ldc, v, last) : v_set(0.0F);
    }
    for (size_t l = 0; l < k; l++, a += step, b += ldb) {
        UNROLL
        for (size_t v = 0; v < vectors; v++)
            x[v] = load_part(vectors, whole, b, v, last);
        UNROLL
        for (size_t i = 0; i < rows; i++) {
            vf y = v_set(a[i * row]);
            UNROLL
            for (size_t v = 0; v < vectors; v++)
                sum[i][v] = v_fma(y, x[v], sum[i][v]);
        }
    }
    UNROLL
    for (size_t i = 0; i < rows; i++) {
        UNROLL
        for (size_t v = 0; v < vectors; v++)
            v_store(c + i * ldc + v * LANES, whole || v + 1 < vectors ? LANES : last, sum[i][v]);
    }
}

#define TILE(rows)                                                                                 \
    if (whole)                                                                                     \
        tile(rows, vectors, true, last, depth, a, row, step, b, ldb, add, c, ldc);                 \
    else                                                                                           \
        tile(rows, vectors, false, last, depth, a, row, step, b, ldb, add, c, ldc);                \
    break

/* The tiles below each other in a strip of c of `vectors` vectors, the last of `last` lanes.
 * `panel` is the distance of a's tiles of TILE_ROWS rows where they are copied, else 0: then tiles
 * may be of any height and are of about the same one, since low tiles wait for their sums. */
FN void strip(const size_t vectors, size_t m, size_t last, size_t depth, const float *a, size_t row,
              size_t step, size_t panel, const float *b, size_t ldb, bool add, float *c,
              size_t ldc) {
    size_t most = TILE_ROWS;
    if (vectors > TILE_VECTORS)
        most = TILE_LONG_ROWS;
    const bool whole = last == LANES;
    size_t tiles = (m + most - 1) / most;
    for (size_t rows; m > 0; m -= rows, tiles--, c += rows * ldc) {
        rows = panel == 0 ? (m + tiles - 1) / tiles : m < most ? m : most;
        switch (rows) {
        case 1:
            TILE(1);
        case 2:
            TILE(2);
        case 3:
            TILE(3);
        case 4:
            TILE(4);
        case 5:
            TILE(5 < most ? 5 : most);
        default:
            TILE(most);
        }
        a += panel == 0 ? rows * row : panel;
    }
}

/* Rows of a as its tiles take them: TILE_ROWS values of each step behind each other. */
FN void pack_rows(size_t m, size_t depth, const float *a, size_t row, size_t step, float *out) {
    for (size_t i = 0; i < m; i += TILE_ROWS, a += TILE_ROWS * row, out += TILE_ROWS * depth) {
        size_t rows = m - i < TILE_ROWS ? m - i : TILE_ROWS;
        for (size_t l = 0; l < depth; l++)
            for (size_t r = 0; r < rows; r++)
                out[l * TILE_ROWS + r] = a[r * row + l * step];
    }
}

FN void pack_strip(size_t depth, const float *b, size_t ldb, float *out) {
    for (size_t l = 0; l < depth; l++, b += ldb, out += TILE_VECTORS * LANES) {
        UNROLL
        for (size_t v = 0; v < TILE_VECTORS; v++)
            v_store(out + v * LANES, LANES, v_load(b + v * LANES, LANES));
    }
}

#define STRIP(vectors)                                                                             \
    strip(vectors, m, columns - ((vectors)-1) * LANES, depth, a, row, step, panel, b, ldb, add, c, \
          ldc);                                                                                    \
    break

/* A strip of any width, the last one as a rule. Not inlined: the usual strip is, and stays small.
 */
static SIMD_TARGET __attribute__((noinline)) void
any_strip(size_t columns, size_t m, size_t depth, const float *a, size_t row, size_t step,
          size_t panel, const float *b, size_t ldb, bool add, float *c, size_t ldc) {
    switch ((columns + LANES - 1) / LANES) {
    case 1:
        STRIP(1);
    case 2:
        STRIP(2);
    case 3:
        STRIP(3);
    default:
#if TILE_LONG > 3
        STRIP(4);
#else
        break;
#endif
    }
}

/* Columns of the next strip of `left`: vectors of nothing cost what others do, so the last strip is
 * as wide as what is left, and one that is too long for a tile of TILE_ROWS rows is taken by lower
 * ones, in place of a strip of a single vector, unless rows were copied for the former. */
FN size_t strip_columns(size_t left, bool copied) {
    size_t most = TILE_LONG * LANES;
    if (copied)
        most = TILE_VECTORS * LANES;
    return left <= most ? left : TILE_VECTORS * LANES;
}

/* Each value of c is one chain of multiplications and additions along k, wherever it lies and
 * whatever is copied: blocks change no bit. Copies pay where many tiles use them: rows of a far
 * apart take an entry of the TLB each, and those of b may meet in the same lines of the cache. */
KERNEL void product(size_t m, size_t n, size_t k, const float *a, size_t row, size_t step,
                    const float *b, size_t ldb, float *c, size_t ldc) {
    enum { WIDE = TILE_VECTORS * LANES, TALL = 32 * TILE_ROWS, DEPTH = TILE_DEPTH };
    float rows[TALL * DEPTH], columns[DEPTH * WIDE];
    /* Measured: how many tiles or strips must use a copy. */
    const bool copy_rows = n >= (step == 1 ? 12 : 6) * (size_t)WIDE;
    const bool copy_columns = m >= 12 * (size_t)TILE_ROWS && n >= 8 * (size_t)WIDE;
    const size_t tall = copy_rows ? TALL : m;
    const size_t deep = step == 1 || copy_rows ? DEPTH : TILE_SHALLOW;
    for (size_t first = 0; first < k; first += deep) {
        size_t depth = k - first < deep ? k - first : deep;
        for (size_t i = 0; i < m; i += tall) {
            size_t count = m - i < tall ? m - i : tall, panel = 0;
            size_t a_row = row, a_step = step;
            const float *at = a + i * row + first * step;
            if (copy_rows) {
                pack_rows(count, depth, at, row, step, rows);
                at = rows;
                a_row = 1;
                a_step = TILE_ROWS;
                panel = TILE_ROWS * depth;
            }
            for (size_t j = 0, some; j < n; j += some) {
                const float *bt = b + first * ldb + j;
                some = strip_columns(n - j, copy_rows);
                bool copied = copy_columns && some == WIDE;
                if (copied)
                    pack_strip(depth, bt, ldb, columns);
                if (some == WIDE)
                    strip(TILE_VECTORS, count, LANES, depth, at, a_row, a_step, panel,
                          copied ? columns : bt, copied ? WIDE : ldb, first > 0, c + i * ldc + j,
                          ldc);
                else
                    any_strip(some, count, depth, at, a_row, a_step, panel, bt, ldb, first > 0,
                              c + i * ldc + j, ldc);
            }
        }
    }
}

KERNEL float fold(const float *p, const float *gain, const float *shift, float *folded, size_t n) {
    vacc dot = v_zero_acc();
    for (size_t i = 0; i < n; i += LANES) {
        vf w = v_load(p + i, n - i);
        v_accumulate(&dot, v_mul(w, v_load(shift + i, n - i)));
        v_store(folded + i, n - i, v_mul(w, v_load(gain + i, n - i)));
    }
    return (float)v_total(&dot);
}

KERNEL double misfit(const float *y, const float *p, const float *weight, size_t n) {
    vacc total = v_zero_acc();
    for (size_t i = 0; i < n; i += LANES) {
        vf e = v_sub(v_load(y + i, n - i), v_load(p + i, n - i));
        v_accumulate(&total, v_mul(v_mul(e, e), v_load(weight + i, n - i)));
    }
    return v_total(&total);
}

/* Lanes beyond the end count as columns of no error, whose spread is taken off again. */
KERNEL double widened(const float *y, const float *p, const float *inverse, const float *log_,
                      float wider, float least, size_t n) {
    vacc total = v_zero_acc();
    const float more = (float)log((double)wider), bound = (float)log((double)least);
    const vf narrow = v_set(1 / wider), most = v_set(1 / least);
    for (size_t i = 0; i < n; i += LANES) {
        vf e = v_sub(v_load(y + i, n - i), v_load(p + i, n - i));
        vf weight = v_min(most, v_mul(v_load(inverse + i, n - i), narrow));
        vf spread = v_max(v_set(bound), v_add(v_load(log_ + i, n - i), v_set(more)));
        v_accumulate(&total, v_add(v_mul(v_mul(e, e), weight), spread));
    }
    size_t beyond = (LANES - n % LANES) % LANES;
    return v_total(&total) - (double)beyond * (double)(more > bound ? more : bound);
}

const es_simd SIMD_TABLE = {exp_row,   tanh_row, log_row,   gauss,         bernoulli,
                            scale_sum, activate, normalize, activate_back, adam,
                            product,   fold,     misfit,    widened};
