/* The options of a ranking as the report takes them. */
#ifndef ES_CLI_RANK_CHOICES_H
#define ES_CLI_RANK_CHOICES_H

#include "option_table.h"
#include "rank_report.h"

/** The measure that --score names; NULL: it names none, or one of the two scores of a ranking. */
const char *es_score_measure(const es_options *options);

/** An aggregate that was asked for is one of the published score. */
es_rank_choices es_rank_choices_of(const es_options *options, bool with_intervals);

#endif
