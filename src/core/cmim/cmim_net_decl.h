/* Included by cmim_net.h once for each precision: REAL, and NET(_name) for es_cmim_net_name. */

typedef struct NET() {
    es_cmim_shape shape;
    size_t batch, n_params, n_tensors;
    es_cmim_tensor tensor[ES_CMIM_TENSORS];
    REAL *param, *grad;                                      /* (n_params) */
    REAL *encoded[ES_CMIM_LAYERS], *decoded[ES_CMIM_LAYERS]; /* (batch, h) */
    REAL *mu, *log_var, *z;    /* (batch, k); log_var as it comes, below the floor too */
    REAL *spread;              /* (batch, k) exp(log variance / 2), not below the floor */
    REAL *output;              /* (batch, d), after a gradient its derivative */
    REAL *unit, *length;       /* (batch, k), (batch) of the code */
    REAL *score;               /* (batch, batch) */
    REAL *d_hidden[2];         /* (batch, max(h, k)) */
    REAL *d_z, *d_log_var;     /* (batch, k) */
    REAL *turned;              /* scratch: (batch, widest) */
    double *sum;               /* (widest) */
    double by_log_var;         /* derivative of minus the reconstruction, of a learned variance */
    double *row[ES_CMIM_ROWS]; /* (batch) parts of each row of the last batch */
    const es_simd *simd;
    const es_run *run; /* once it is cancelled what is computed is void; NULL: never */
    es_arena *arena;
} NET();

/** For batches of up to `batch` rows; parameters are undefined. ES_EINVAL: a size of 0, or too many
 *  layers. */
es_status NET(_new)(const es_cmim_shape *shape, size_t batch, const es_simd *simd, NET() * *out,
                    es_error *err);
void NET(_free)(NET() * net);

/** The loss of a batch x (rows, d), rows >= 2, with noise (rows, k), which modes without noise do
 *  not read; with `gradient` net->grad receives its derivative by every parameter. Cost about
 *  12 rows d h operations. */
es_cmim_parts NET(_loss)(NET() * net, const es_cmim_goal *goal, const REAL *x, const REAL *noise,
                         size_t rows, bool gradient);

/** Embeds x (rows, d): mu (rows, k), and info (rows, h), the decoder's last hidden layer (eq. 10),
 * of ES_CMIM_INFONCE the encoder's. Each may be NULL. noise NULL: at z = mu; (rows, k): at a
 * sampled z, as the paper has it, where the mode has noise. rows <= batch. */
void NET(_embed)(NET() * net, const es_cmim_goal *goal, const REAL *x, const REAL *noise,
                 size_t rows, REAL *mu, REAL *info);

/** The contrastive term alone, the mean of -log p_k, of codes z (rows, k), rows >= 2; d_z (rows, k)
 *  or NULL receives its derivative by them. */
double NET(_contrast)(NET() * net, const es_cmim_goal *goal, const REAL *z, size_t rows, REAL *d_z);
