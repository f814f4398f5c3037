/* Which embedders a ranking by mean tells apart, and which of them may be the best.
 *
 * A ranking is of some targets, evaluated on some rows, and two sentences can be said of it:
 *   here  "settled for these targets": only the rows are a sample;
 *   new   "would hold for another target of this kind": families of targets are the sample as well.
 * The first says nothing about quality elsewhere; the two are never to be mixed up. */
#ifndef ES_CORE_SEPARATION_H
#define ES_CORE_SEPARATION_H

#include "pair_differences.h"

typedef enum es_scope { ES_SCOPE_HERE, ES_SCOPE_NEW, ES_SCOPES } es_scope;

/** Fewer families that judge: nothing is said of new targets. */
enum { ES_SEPARATION_FAMILIES = 5, ES_SEPARATION_DRAWS = 2000 };
/** The least standard error of a difference: values are sums of single-precision numbers, and what
 *  rounding alone has parted (4e-7 at the most in what was tried) is not told apart. Nats per
 *  dimension. */
#define ES_SEPARATION_ROUNDING 1e-6

/** Why nothing is said of new targets where usually so many families judge both of two embedders
 *  (es_usual_judges); NULL: it may be. */
const char *es_separation_few(double judges);

typedef struct es_separation_rule {
    double level;   /* 0: 0.95 */
    unsigned draws; /* of joint differences; 0: 2,000 */
    uint64_t seed;
    size_t bytes; /* that the differences of some draws may take at once; 0: 2 MB. The results do
                     not depend on it */
} es_separation_rule;

/** What can be said in one scope. Matrices are (m, m), [a * m + b] about a against b: positive when
 *  a is better. */
typedef struct es_separation {
    const char *why_not; /* nothing can be said, and why; NULL: it can */
    double *se;          /* of delta; 0 on the diagonal, NaN where no target judges both */
    double *t;           /* delta / se */
    double nu;           /* degrees of freedom: hands - 1, or median of families that judge - 1 */
    bool *separated;     /* two-sided at `level`, each pair for itself */
    bool *best;          /* (m) nobody is surely better: with confidence `level`, the truly best is
                            among these (multiple comparisons with the best: Hsu, "Simultaneous
                            confidence intervals for all distances from the best", 1981) */
    uint32_t *rank_low, *rank_high; /* (m) interval of the rank, each for itself; 0: not judged */
} es_separation;

typedef struct es_separations {
    es_differences *differences;
    es_separation in[ES_SCOPES];
} es_separations;

/** Deterministic by seed. ES_EINVAL: level or draws out of range, and as es_differences_new;
 *  ES_ECANCELED. O(m^2 draws (hands + families)) in single precision; memory beyond that of
 *  es_differences_new: 8 m draws bytes a scope and 4 draws (hands + families). Where nothing can be
 *  said in either scope, nothing is drawn. */
es_status es_separations_new(const es_judged *judged, const es_separation_rule *rule,
                             const es_run *run, es_separations **out, es_error *err);
void es_separations_free(es_separations *separations);

#endif
