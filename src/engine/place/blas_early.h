/* What must be seen to before OpenBLAS is loaded; for the program's .preinit_array alone. */
#ifndef ES_ENGINE_BLAS_EARLY_H
#define ES_ENGINE_BLAS_EARLY_H

/** OPENBLAS_CORETYPE under this name: it named a core that the processor lacks. es_blas_guard says
 *  so and removes it. */
#define ES_BLAS_IGNORED "-PENBLAS_CORETYPE"

/** With the process's environment, which is changed in place. Ends the process, exit code 3, with a
 *  message where the address space is limited to less than can be computed in. */
void es_blas_early(char **environment);

#endif
