/* Measures in the room that pairs of estimators are in, too. */
#include "engine_session_parts.h"

#include <math.h>
#include <stdio.h>

/* All columns, as measures read them. */
static size_t columns_of(const es_session *s, size_t position) {
    return es_pool_model(s->pool, es_session_results(s, 0)->model[position])->dim;
}

size_t es_measure_room_budget(const es_session *s) {
    return es_cache_budget(s->room ? es_room_size(s->room) : s->memory / 2);
}

size_t es_measure_room_keeps(const es_session *s) {
    size_t bytes = es_cache_rows(es_measure_room_budget(s));
    return bytes > 0 ? bytes : 1;
}

double es_measure_room_side(const es_session *s, const es_measure *measure, const double *values,
                            size_t model) {
    size_t d = columns_of(s, model);
    return es_measure_memory_of(measure, es_pool_rows(s->pool), d, d, es_measure_room_keeps(s),
                                values)
        .side;
}

double es_measure_room_of(const es_session *s, const es_measure *measure, const double *values,
                          size_t source, size_t target) {
    size_t n = es_pool_rows(s->pool), d = columns_of(s, source), keep = es_measure_room_keeps(s);
    size_t other = target == SIZE_MAX ? d : columns_of(s, target);
    es_measure_memory a = es_measure_memory_of(measure, n, d, other, keep, values);
    if (target == SIZE_MAX)
        return a.making;
    es_measure_memory b = es_measure_memory_of(measure, n, other, d, keep, values);
    return a.side + b.side + fmax(fmax(a.making, b.making), fmax(a.pair, b.pair));
}

/* More columns never take less, but by a little where rows cease to be more than they. */
double es_measure_room_most(const es_session *s, const es_measure *measure, const double *values) {
    double most = 0;
    size_t widest = 0;
    for (size_t i = 0; i < s->m; i++)
        widest = columns_of(s, i) > columns_of(s, widest) ? i : widest;
    for (size_t i = 0; i < s->m; i++)
        most = fmax(most,
                    es_measure_room_of(s, measure, values, i, measure->pair ? widest : SIZE_MAX));
    return most;
}

es_status es_measure_room_fits(const es_session *s, const es_measure *measure, const double *values,
                               const char *name, es_error *err) {
    return es_room_refuses(s, name, es_measure_room_most(s, measure, values), true, err);
}

es_status es_measure_room_enter(es_session *s, double bytes, const es_run *run, size_t *held,
                                es_error *err) {
    while (s->room && !es_room_take(s->room, held, (size_t)bytes)) {
        es_status st = es_run_check(run, err);
        if (st != ES_OK)
            return st;
        es_room_wait(s->room);
    }
    if (s->cache) /* prepared states that nobody holds make way */
        es_cache_spare(s->cache, es_room_left(s->room) / 2);
    return ES_OK;
}

void es_measure_room_leave(es_session *s, size_t *held) {
    if (s->room)
        (void)es_room_take(s->room, held, 0);
}
