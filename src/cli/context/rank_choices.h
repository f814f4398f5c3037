/* The options of a ranking as the report takes them. */
#ifndef ES_CLI_RANK_CHOICES_H
#define ES_CLI_RANK_CHOICES_H

#include "option_table.h"
#include "rank_report.h"

es_rank_choices es_rank_choices_of(const es_options *options, bool with_intervals);

#endif
