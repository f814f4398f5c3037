/* The numbers that results hold of a pair, by name. */
#include "report.h"

#include <math.h>

double es_pair_value_of(const es_results *r, es_pair_value value, size_t source, size_t target) {
    size_t at = source * r->m + target;
    switch (value) {
    case ES_VALUE_IS:
        return r->is[at];
    case ES_VALUE_SE:
        return r->se[at];
    case ES_VALUE_H_COND:
        return r->h_cond[at];
    case ES_VALUE_ASYMMETRY:
        return r->is[at] - r->is[target * r->m + source];
    case ES_VALUE_SECONDS:
        return r->seconds[at];
    case ES_VALUE_TOTAL:
        return r->dim_used[target] > 0 ? r->is[at] * (double)r->dim_used[target] : (double)NAN;
    case ES_VALUE_H:
        return r->state[at] == ES_PAIR_DONE ? r->h[target] : (double)NAN;
    }
    return (double)NAN;
}

const char *es_pair_value_of_error(es_pair_value value) {
    switch (value) {
    case ES_VALUE_IS:
    case ES_VALUE_H_COND: /* the same number */
        return "error of predicting the target from the source: lower is better";
    case ES_VALUE_SE:
        return "standard error of the error";
    case ES_VALUE_ASYMMETRY:
        return "error(row, column) - error(column, row)";
    case ES_VALUE_SECONDS:
        return "seconds of a processor";
    case ES_VALUE_TOTAL:
        return "error of predicting the target, summed over its dimensions";
    case ES_VALUE_H:
        return "error of predicting the target by its mean";
    }
    return NULL;
}
