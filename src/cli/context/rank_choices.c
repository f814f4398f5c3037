/* The options of a ranking as the report takes them: --aggregate and what it is made of. */
#include "rank_choices.h"

es_rank_choices es_rank_choices_of(const es_options *options, bool with_intervals) {
    static const es_aggregate aggregates[] = {
        [ES_BY_MEDIAN] = ES_AGGREGATE_MEDIAN,     [ES_BY_MEAN] = ES_AGGREGATE_MEAN,
        [ES_BY_Q75] = ES_AGGREGATE_QUANTILE,      [ES_BY_TRIMMED] = ES_AGGREGATE_TRIMMED,
        [ES_BY_BALANCED] = ES_AGGREGATE_BALANCED,
    };
    return (es_rank_choices){.aggregate = aggregates[options->aggregate],
                             .include_self = options->include_self,
                             .leave_family_out = options->leave_family_out,
                             .with_intervals = with_intervals,
                             .seed = options->seed};
}
