/* The ranking combined with the tasks that a user has: "your 3 tasks + ranking". */
#ifndef ES_REPORT_WITH_TASKS_H
#define ES_REPORT_WITH_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core_ranking.h"
#include "engine_results.h"
#include "io_scores.h"
#include "rank_report.h"

/** Arrays are by position in the results. */
typedef struct es_with_tasks {
    size_t n, tasks, ranked; /* embedders; tasks taken; embedders with a rank */
    char title[48];          /* "your 3 tasks + ranking": its name on every surface */
    double *score;           /* (n) combined (core_downstream.h), higher is better; NaN: not ranked,
                                or it does not count (downstream.h) */
    uint32_t *rank;          /* (n) 1 = best; 0: none */
    uint32_t *by_ranking,
        *by_tasks;   /* (n) rank by the ranking alone, by the tasks alone; 0: none */
    size_t *known;   /* (n) of these tasks that it has a score on */
    uint32_t *order; /* (n) best first, equal ones by name, without a rank last */
} es_with_tasks;

/** lead (n): the ranking's score, higher is better, NaN missing. chosen (scores->tasks): the tasks
 *  that are taken, at least one. Joined by equal names. O(n^2 + tasks n log n). ES_ENOMEM. */
es_status es_with_tasks_new(const es_results *results, const es_decision *decision,
                            const double *lead, const es_scores *scores, const bool *chosen,
                            es_with_tasks **out, es_error *err);
/** The same with the score of a report. chosen NULL: all tasks. */
es_status es_with_tasks_of(const es_rank_report *report, const es_scores *scores,
                           const bool *chosen, es_with_tasks **out, es_error *err);
void es_with_tasks_free(es_with_tasks *with); /* NULL is allowed */

#endif
