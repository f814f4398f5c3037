/* The paired differences of two models, and their sentences. */
#include "report.h"

#include <math.h>

#include "core_numerics.h"

void es_board_versus_free(es_board_versus *versus) {
    if (versus == NULL)
        return;
    es_free(versus->difference);
    es_free(versus->order);
    es_free(versus);
}

static void take_differences(es_board_versus *v) {
    const es_leaderboard *b = v->board;
    size_t tasks = b->board->tasks;
    for (size_t t = 0; t < tasks; t++) {
        double d = b->value[v->model[0] * tasks + t] - b->value[v->model[1] * tasks + t];
        v->difference[t] = d;
        v->wins[0] += d > 0;
        v->wins[1] += d < 0;
        v->equal += d == 0;
    }
}

/* key, scratch (tasks). */
static void put_in_order(es_board_versus *v, double *key, uint32_t *scratch) {
    size_t tasks = v->board->board->tasks;
    for (size_t t = 0; t < tasks; t++)
        key[t] = isnan(v->difference[t]) ? (double)INFINITY : -v->difference[t];
    es_sort_order(key, v->order, scratch, tasks);
}

es_status es_board_versus_new(const es_leaderboard *board, size_t a, size_t b,
                              es_board_versus **out, es_error *err) {
    const es_board_problem problem = es_leaderboard_problem(board);
    size_t tasks = problem.tasks;
    es_board_versus *made = es_alloc_zero(1, sizeof *made);
    double *key = es_alloc(tasks, sizeof *key);
    uint32_t *scratch = es_alloc(tasks, sizeof *scratch);
    es_status st = ES_OK;
    ES_FAIL_IF(!made || !key || !scratch, es_no_memory(err));
    *made = (es_board_versus){.board = board,
                              .model = {a, b},
                              .difference = es_alloc(tasks, sizeof *made->difference),
                              .order = es_alloc(tasks, sizeof *made->order)};
    ES_FAIL_IF(!made->difference || !made->order, es_no_memory(err));
    ES_TRY(es_board_pair_of(&problem, a, b, &made->pair, err));
    ES_FAIL_IF(made->pair.tasks == 0,
               es_fail(err, ES_EEMPTY, "%s and %s have no task in common",
                       es_leaderboard_name(board, a), es_leaderboard_name(board, b)));
    take_differences(made);
    put_in_order(made, key, scratch);
    *out = made;
    made = NULL;
done:
    es_board_versus_free(made);
    es_free(key);
    es_free(scratch);
    return st;
}

/* ---- sentences ---- */

/* "Too few to say", "ahead", "not settled". */
static void put_verdict(const es_board_versus *v, size_t first, es_buf *out) {
    const es_board_pair *p = &v->pair;
    const char *unit = v->board->percentiles ? " percentile points" : "";
    const char *name[2] = {es_leaderboard_name(v->board, v->model[first]),
                           es_leaderboard_name(v->board, v->model[1 - first])};
    double sign = first == 0 ? 1 : -1, low = first == 0 ? p->low : -p->high,
           high = first == 0 ? p->high : -p->low;
    if (p->lead == 0)
        es_buf_printf(out, "%s and %s have the same mean over the %zu task%s that both have",
                      name[0], name[1], p->tasks, p->tasks == 1 ? "" : "s");
    else
        es_buf_printf(out, "%s leads %s by %.3f%s, the mean over the %zu task%s that both have",
                      name[0], name[1], sign * p->lead, unit, p->tasks, p->tasks == 1 ? "" : "s");
    if (isnan(low))
        es_buf_printf(out, ": too few tasks for an interval.");
    else
        es_buf_printf(out, " (95 %%: %.3f to %.3f, by %zu %s).%s", low, high, p->clusters,
                      p->by_category ? "categories" : "tasks",
                      low > 0 ? "" : " That settles nothing.");
}

static void put_board(const es_board_versus *v, es_buf *out) {
    const es_board *b = v->board->board;
    for (size_t k = 0; b->said && k < 2; k++)
        if (b->ahead[v->model[k] * b->m + v->model[1 - k]]) {
            es_buf_printf(out, " Among all models, and for as many other tasks, %s is shown ahead.",
                          es_leaderboard_name(v->board, v->model[k]));
            return;
        }
    if (b->said)
        es_buf_puts(out, " Among all models, and for as many other tasks, neither is shown ahead.");
}

void es_board_versus_put(const es_board_versus *v, es_buf *out) {
    size_t first = v->pair.lead < 0 ? 1 : 0;
    put_verdict(v, first, out);
    es_buf_printf(out, " %s is higher in %zu, %s in %zu",
                  es_leaderboard_name(v->board, v->model[first]), v->wins[first],
                  es_leaderboard_name(v->board, v->model[1 - first]), v->wins[1 - first]);
    if (v->equal > 0)
        es_buf_printf(out, ", equal in %zu", v->equal);
    es_buf_putc(out, '.');
    put_board(v, out);
}
