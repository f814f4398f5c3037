/* `embedscope rows POOL A B --by pmi`. */
#ifndef ES_CLI_MEASURE_PMI_H
#define ES_CLI_MEASURE_PMI_H

#include "command.h"

/** The rows on which two embedders agree least and most, by a critic that has not seen them. */
es_status es_pmi_rows(es_cli *cli, es_error *err);

#endif
