/* Vectors are centred, stripped of their strongest directions or whitened before pairs are
 * measured: without it, one direction that all rows share can hide what tells them apart (Mu and
 * Viswanath, ICLR 2018). */
#include "core_measures_parts.h"

#include <math.h>

#include "core_derive.h"

const char *const es_preprocess_names[] = {"none", "centre", "abtt", "pcr", "whiten", NULL};

static const es_derive_kind kinds[] = {ES_DERIVE_NONE, ES_DERIVE_CENTRE, ES_DERIVE_ABTT,
                                       ES_DERIVE_PCR, ES_DERIVE_WHITEN};

const char *es_preprocess_warning(const es_matrix *m, const double *values) {
    double kept = isfinite(values[1]) ? fmin(values[1], (double)m->d) : (double)m->d;
    return kinds[(size_t)values[0]] == ES_DERIVE_WHITEN && kept + 1 >= (double)m->n
               ? "whitened with n <= d + 1: all rows are equally far apart; see axes"
               : NULL;
}

es_status es_preprocess(const es_matrix *m, const double *values, es_matrix *out, es_error *err) {
    es_derive how = {.kind = kinds[(size_t)values[0]]};
    if (isfinite(values[1]))
        how.k = (size_t)values[1];
    else if (how.kind == ES_DERIVE_ABTT || how.kind == ES_DERIVE_PCR)
        how.k = 2;
    how.k = how.k < m->d ? how.k : m->d;
    return es_derive_matrix(m, &how, out, err);
}
