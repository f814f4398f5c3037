/* Which OpenBLAS kernels run here. Some releases take newer x86 CPUs for much older ones (OpenBLAS
 * issue 4267) and are then 2 to 6 times slower; the choice is made when the library loads. */
#ifndef EMBEDSCOPE_BLAS_H
#define EMBEDSCOPE_BLAS_H

/** Name of the core type in use, e.g. "SkylakeX". */
const char *es_blas_core(void);
/** OpenBLAS's own description: version, threading, core; until this thread's next call. */
const char *es_blas_config(void);
/** The core type that this CPU deserves when the one in use is worse, else NULL. */
const char *es_blas_better_core(void);
/** Call first thing in main: where a better core exists, sets OPENBLAS_CORETYPE and executes the
 *  program again, once; EMBEDSCOPE_KEEP_BLAS_CORE=1 prevents it. Also pins OpenBLAS to one thread
 * per call. Returns only when nothing is to be done or execution was refused. */
void es_blas_guard(char **argv);
/** The same for a guest in another program, which may use OpenBLAS itself: one thread per call, and
 * kernels that suit the CPU, by OpenBLAS's own choice once more. Returns the number of threads
 * there was, for es_blas_leave. Nothing else may use OpenBLAS meanwhile. */
int es_blas_enter(void);
void es_blas_leave(int threads);
/** Measured sgemm rate of this thread in GFLOP/s (about 0.2 s). */
double es_blas_measure(void);

#endif
