/* What the ranking decides, computed by a session's workers. Only the newest request counts. */
#ifndef ES_REPORT_RANK_TASK_H
#define ES_REPORT_RANK_TASK_H

#include "core_ranking.h"
#include "engine_session.h"

/** Computes es_decision_new in the background, under the caller's tag; a computation under way is
 * cancelled. The matrix, families and controls are copied; per-row values (problem->pmi) are those
 * of this session's results. Two such calls a second are plenty. ES_EEMPTY; ES_ENOMEM. */
es_status es_rank_task_start(es_session *session, const es_decision_problem *problem, uint64_t tag,
                             es_error *err);
/** Returns the newest decision that es_session_pump has delivered, valid until the next pump; NULL:
 * none yet. Its tag, its seconds and whether another one is under way: es_session_task. */
const es_decision *es_rank_task_newest(const es_session *session);

#endif
