/* A team's wire by MPI: the one place that knows MPI, linked by embedscope-mpi alone. */
#ifndef ES_MPI_WIRE_MPI_H
#define ES_MPI_WIRE_MPI_H

#include "engine_team.h"

/** Joins those that the launcher has started. *out is of one rank where it was not started by a
 *  launcher; then MPI is left alone. The wire lives as long as the program, of which it is asked
 *  once. */
es_status es_wire_mpi(es_wire *out, es_error *err);

#endif
