/* What measures take of a session's memory: told before they start, and taken while they work. */
#ifndef ES_ENGINE_MEASURE_ROOM_H
#define ES_ENGINE_MEASURE_ROOM_H

#include "measure.h"
#include "session.h"
#include "workers.h"

/** Bytes at most of a measure of the embedder at position `source`, or of a pair; target SIZE_MAX:
 *  of one embedder. What is prepared is counted. */
double es_measure_room_of(const es_session *session, const es_measure *measure,
                          const double *values, size_t source, size_t target);
/** The largest of all embedders or pairs. */
double es_measure_room_most(const es_session *session, const es_measure *measure,
                            const double *values);
/** ES_EUNSUPPORTED where that does not fit even alone: the figure and the remedy. */
es_status es_measure_room_fits(const es_session *session, const es_measure *measure,
                               const double *values, const char *name, es_error *err);
/** Bytes of a prepared side of the embedder at this position. */
double es_measure_room_side(const es_session *session, const es_measure *measure,
                            const double *values, size_t model);
/** What prepared sides may take that nobody holds. */
size_t es_measure_room_budget(const es_session *session);
/** What a prepared side may keep of its rows. */
size_t es_measure_room_keeps(const es_session *session);

/** Wait until so many bytes are free, and take them: *held, of which es_measure_room_leave is told.
 *  Who waits holds nothing. ES_ECANCELED. */
es_status es_measure_room_enter(es_session *session, double bytes, const es_run *run, size_t *held,
                                es_error *err);
void es_measure_room_leave(es_session *session, size_t *held);

#endif
