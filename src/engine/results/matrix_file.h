/* A finished matrix from files, in place of a pool. */
#ifndef ES_ENGINE_MATRIX_FILE_H
#define ES_ENGINE_MATRIX_FILE_H

#include "results.h"
#include "embedscope/session.h"

/** Values become `is` of done pairs, what is missing stays pending; hands become the values of rows
 *  (pmi), everything else is not known. Names on rows and columns of the CSV may differ in order
 *  but must be the same set; an index or a rank before the sources, columns at the end that hold
 *  nothing and markup around names are skipped. ES_EFORMAT names the line, the column or the first
 * name without its counterpart ("nan" and "inf" are no numbers here), hands of another shape or
 * mean than the matrix's, a family of an embedder that is not there. */
es_status es_matrix_files_read(const es_matrix_files *files, es_results **out, es_error *err);

#endif
