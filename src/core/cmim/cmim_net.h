/* Networks of cMIM: es_cmim_net in single precision on OpenBLAS and the vector kernels, and its
 * twin es_cmim_twin in double by the C library, for tests. Both compile cmim_net_body.h. */
#ifndef EMBEDSCOPE_CMIM_NET_H
#define EMBEDSCOPE_CMIM_NET_H

#include "cmim.h"

enum { ES_CMIM_ROWS = 4 }; /* reconstruction, contrastive, log_q, log_p */

#define REAL float
#define NET(name) es_cmim_net##name
#include "cmim_net_decl.h"
#undef REAL
#undef NET

#define REAL double
#define NET(name) es_cmim_twin##name
#include "cmim_net_decl.h"
#undef REAL
#undef NET

#endif
