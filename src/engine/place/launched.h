/* Was this process started by a launcher of MPI programs (mpirun, srun --mpi), as one of several?
 */
#ifndef ES_ENGINE_LAUNCHED_H
#define ES_ENGINE_LAUNCHED_H

#include <stdbool.h>

/** By what launchers say in the environment; no MPI is needed to see it. */
bool es_launched(void);
/** Its number among them by the same means; 0 where that is not said. */
unsigned es_launched_rank(void);
/** Runs the program of this name that lies beside this one in its place. Returns where there is
 *  none. */
void es_run_beside(const char *name, char **argv);

#endif
