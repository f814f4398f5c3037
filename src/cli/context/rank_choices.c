/* The options of a ranking as the report takes them: --aggregate and what it is made of. */
#include "cli_context.h"

#include <string.h>

static size_t named_score(const es_options *options) {
    size_t k = ES_SCORE_PREDICTIVE;
    while (es_score_kind_names[k] && strcmp(es_score_kind_names[k], options->score) != 0)
        k++;
    return es_score_kind_names[k] ? k : SIZE_MAX;
}

const char *es_score_measure(const es_options *options) {
    return options->score && named_score(options) == SIZE_MAX ? options->score : NULL;
}

static es_score_kind kind_of(const es_options *options) {
    size_t named = options->score ? named_score(options) : SIZE_MAX;
    if (named != SIZE_MAX)
        return (es_score_kind)named;
    return es_options_given(options, "aggregate") || es_options_given(options, "unit")
               ? ES_SCORE_PUBLISHED
               : ES_SCORE_AUTO;
}

es_rank_choices es_rank_choices_of(const es_options *options, bool with_intervals) {
    static const es_aggregate aggregates[] = {
        [ES_BY_MEDIAN] = ES_AGGREGATE_MEDIAN,     [ES_BY_MEAN] = ES_AGGREGATE_MEAN,
        [ES_BY_Q75] = ES_AGGREGATE_QUANTILE,      [ES_BY_TRIMMED] = ES_AGGREGATE_TRIMMED,
        [ES_BY_BALANCED] = ES_AGGREGATE_BALANCED,
    };
    return (es_rank_choices){.score = kind_of(options),
                             .aggregate = aggregates[options->aggregate],
                             .unit = (es_unit)options->unit,
                             .include_self = options->include_self,
                             .leave_family_out = options->leave_family_out,
                             .with_intervals = with_intervals,
                             .targets = options->targets.items,
                             .n_targets = options->targets.count,
                             .with_derived = options->with_derived,
                             .resolution = options->resolution,
                             .seed = options->seed};
}
