/* Names of the measures that can be asked for, one after the other. */
#include "app_state.h"

static const es_measure *measure_at(size_t k) {
    for (size_t i = 0; i < k; i++)
        if (es_measures[i] == NULL)
            return NULL;
    return es_measures[k];
}

const char *es_measure_name_at(size_t k) {
    return measure_at(k) == NULL ? NULL : measure_at(k)->name;
}

const char *es_measure_title_at(size_t k) {
    return measure_at(k) == NULL ? NULL : measure_at(k)->title;
}

bool es_measure_of_pairs_at(size_t k) {
    return measure_at(k) != NULL && measure_at(k)->pair != NULL;
}
