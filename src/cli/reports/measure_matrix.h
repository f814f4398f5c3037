/* A measure of two embedders as a matrix, in every format and as a picture. */
#ifndef ES_CLI_MEASURE_MATRIX_H
#define ES_CLI_MEASURE_MATRIX_H

#include "measure_choices.h"

/** The first of the choices, which is of two embedders; tables as es_measure_write's. */
es_status es_measure_write_matrix(es_cli *cli, es_session *session, const es_choices *choices,
                                  es_error *err);

#endif
