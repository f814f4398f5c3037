/* Values of a critic on a batch of pairs: s[i][j] scores row i of one embedder with row j of
 * another, pairs on the diagonal. All in nats, in double, without overflow.
 *
 * InfoNCE: van den Oord et al. 2018. DV: Donsker & Varadhan 1983. NWJ: Nguyen et al. 2010. SMILE:
 * Song & Ermon 2020. JS: Nowozin et al. 2016. */
#ifndef ES_CORE_SCORE_MATRIX_H
#define ES_CORE_SCORE_MATRIX_H

#include <stddef.h>

/** Indices: by rows, where row i looks for its partner among all j, and by columns. */
typedef struct es_score_values {
    double infonce[2]; /* log n - cross-entropy; at most log n, below 0 for a bad critic */
    /* mean s_ii - log mean_{j != i} exp s_ij: the leave-one-out form of a published lower bound
     * that drops the pair from its denominator. It may exceed the truth without limit. */
    double margin[2];
    double match[2];    /* mean sigmoid of that margin: 0.5 for unrelated rows whatever n */
    double surprise[2]; /* mean softplus of minus the margin: -log of the match */
    double dv, nwj, smile, js;
} es_score_values;

enum { ES_SMILE_CLIP = 5 };

/** s (n, n), n >= 2. */
void es_score_values_of(const double *s, size_t n, es_score_values *out);

/** The symmetrised InfoNCE loss log n - (infonce[0] + infonce[1]) / 2, and its gradient (n, n)
 *  where not NULL. */
double es_infonce_loss_ref(const double *s, size_t n, double *gradient);

#endif
