/* The zero line: what an estimator gives when there is nothing to be known.
 *
 * The source is the target itself with its rows in another order. So it has the target's dimension,
 * scales and outliers, everything that a flexible estimator might mistake for information, and of
 * any one row it knows nothing. Rows are permuted by Sattolo's algorithm (1986), which gives one
 * cycle: no row is its own source, not even by chance. The draws depend on the seed and the
 * target's contents only, so that all estimators of a plan get the same permutation. */
#include <stdio.h>

#include "engine_session_parts.h"

uint64_t es_pair_stream(es_digest source, es_digest target) {
    uint64_t words[] = {source.hi, source.lo, target.hi, target.lo}, mixed = 0;
    for (size_t i = 0; i < 4; i++)
        mixed = es_rng_stream(ES_STREAM_SAMPLE, mixed + words[i]);
    return mixed;
}

es_digest es_null_digest(es_digest target) {
    char hex[ES_DIGEST_HEX], text[ES_DIGEST_HEX + 8];
    int length = snprintf(text, sizeof text, "%s null", es_digest_hex(target, hex));
    return es_digest_bytes(text, (size_t)length);
}

es_status es_null_rows(const es_rows *rows, uint64_t seed, es_digest target, es_null_source *out,
                       es_error *err) {
    es_rng rng;
    out->rows = rows;
    out->from = es_alloc(rows->n, sizeof *out->from);
    if (!out->from)
        return es_no_memory_for(err, "the order of %zu rows", rows->n);
    uint64_t stream = es_pair_stream(es_null_digest(target), target);
    es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_PERMUTE, stream));
    for (size_t i = 0; i < rows->n; i++)
        out->from[i] = (uint32_t)i;
    for (size_t i = rows->n; i-- > 1;) {
        size_t j = es_rng_below(&rng, i);
        uint32_t swap = out->from[i];
        out->from[i] = out->from[j];
        out->from[j] = swap;
    }
    return ES_OK;
}

/* es_rows.read through the permutation, a few rows at a time. */
static es_status read_permuted(const void *context, const uint32_t *rows, size_t count, double *out,
                               es_error *err) {
    enum { STEP = 256 };
    const es_null_source *s = context;
    uint32_t from[STEP];
    es_status st = ES_OK;
    for (size_t i = 0; i < count && st == ES_OK; i += STEP) {
        size_t n = count - i < STEP ? count - i : STEP;
        for (size_t k = 0; k < n; k++)
            from[k] = s->from[rows[i + k]];
        st = s->rows->read(s->rows->context, from, n, out + i * s->rows->d, err);
    }
    return st;
}

es_rows es_null_reader(const es_null_source *source) {
    es_rows rows = *source->rows;
    rows.id = es_rng_stream(ES_STREAM_PERMUTE, rows.id);
    rows.context = source;
    rows.read = read_permuted;
    return rows;
}
