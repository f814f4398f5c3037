/* Evaluated rows dealt at random into hands of equal size. What is resampled or compared is a hand,
 * not a row: the spread is the same, and the time does not grow with the rows. */
#ifndef ES_CORE_HANDS_H
#define ES_CORE_HANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

typedef struct es_hands {
    size_t count, rows;
    uint32_t *of;   /* (rows) hand of each row */
    uint32_t *size; /* (count) rows in it */
} es_hands;

/** At most `most` hands; as many as rows where these are fewer. Seeded. */
es_status es_hands_init(es_hands *hands, size_t rows, size_t most, uint64_t seed, es_error *err);
void es_hands_deinit(es_hands *hands);

/** sum (count): each hand's deviations from the mean of values (rows). False when the values are
 *  missing or not finite. */
bool es_hands_sum(const es_hands *hands, const float *values, double *sum);

#endif
