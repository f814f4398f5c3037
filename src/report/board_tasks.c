/* Spearman's coefficients among the tasks of a table of scores. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "report_answer.h"

enum { NAMED = 3 };

static es_status check_tasks(const es_leaderboard *board, es_error *err) {
    if (board->board->tasks > 1)
        return ES_OK;
    return es_fail(err, ES_EEMPTY, "there is one task: two are needed to compare them");
}

/* ---- each task against the others ---- */

void es_board_tasks_free(es_board_tasks *tasks) {
    if (tasks == NULL)
        return;
    es_free(tasks->task);
    es_free(tasks->order);
    es_free(tasks);
}

typedef struct work {
    const es_leaderboard *board;
    double *share; /* (tasks, m) of the models with a score, the share below; NaN missing */
    double *x, *y; /* (m) */
} work;

static void take_column(const es_leaderboard *b, size_t t, double *out) {
    for (size_t i = 0; i < b->board->m; i++)
        out[i] = b->value[i * b->board->tasks + t];
}

static es_status take_shares(work *w, es_error *err) {
    size_t m = w->board->board->m;
    es_status st = ES_OK;
    for (size_t t = 0; st == ES_OK && t < w->board->board->tasks; t++) {
        double *share = w->share + t * m;
        take_column(w->board, t, w->y);
        st = es_normal_scores(w->y, m, share, err);
        for (size_t i = 0; st == ES_OK && i < m; i++)
            share[i] = es_normal_cdf(share[i]);
    }
    return st;
}

/* x (m): mean share over the tasks other than t. */
static void take_others(work *w, size_t t) {
    size_t m = w->board->board->m;
    for (size_t i = 0; i < m; i++) {
        double sum = 0, n = 0;
        for (size_t u = 0; u < w->board->board->tasks; u++) {
            double share = w->share[u * m + i];
            if (u == t || isnan(share))
                continue;
            sum += share;
            n++;
        }
        w->x[i] =
            n > 0 ? rint(sum / n * 1e12) / 1e12 : (double)NAN; /* of equal parts it is equal */
    }
}

static es_status take_task(work *w, es_board_tasks *out, size_t t, const es_run *run,
                           es_error *err) {
    const es_correlate_options options = {.without_draws = true};
    size_t m = w->board->board->m;
    es_correlation_report report;
    out->task[t] = (es_board_task){.rho = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    if (t == out->against)
        return ES_OK;
    if (out->against == SIZE_MAX)
        take_others(w, t);
    else
        take_column(w->board, out->against, w->x);
    take_column(w->board, t, w->y);
    ES_PASS(es_correlate_task(w->x, w->y, NULL, m, &options, run, NULL, &report, err));
    bool known = report.value[ES_SPEARMAN].why == NULL;
    out->task[t].models = report.n;
    out->task[t].rho = known ? report.value[ES_SPEARMAN].value : (double)NAN;
    out->task[t].low = known ? report.low[ES_SPEARMAN] : (double)NAN;
    out->task[t].high = known ? report.high[ES_SPEARMAN] : (double)NAN;
    out->known += known;
    return ES_OK;
}

static void put_in_order(es_board_tasks *out, double *key, uint32_t *scratch) {
    size_t tasks = out->board->board->tasks;
    for (size_t t = 0; t < tasks; t++)
        key[t] = isnan(out->task[t].rho) ? (double)INFINITY : -out->task[t].rho;
    es_sort_order(key, out->order, scratch, tasks);
}

es_status es_board_tasks_new(const es_leaderboard *board, size_t against, const es_run *run,
                             es_board_tasks **out, es_error *err) {
    size_t m = board->board->m, tasks = board->board->tasks;
    es_board_tasks *made = es_alloc_zero(1, sizeof *made);
    work w = {.board = board, .share = es_alloc(m * (tasks + 2) + tasks, sizeof *w.share)};
    uint32_t *scratch = es_alloc(tasks, sizeof *scratch);
    es_status st = ES_OK;
    ES_FAIL_IF(!made || !w.share || !scratch, es_no_memory(err));
    w.x = w.share + m * tasks;
    w.y = w.x + m;
    *made = (es_board_tasks){.board = board,
                             .against = against,
                             .task = es_alloc(tasks, sizeof *made->task),
                             .order = es_alloc(tasks, sizeof *made->order)};
    ES_FAIL_IF(!made->task || !made->order, es_no_memory(err));
    ES_TRY(check_tasks(board, err));
    if (against == SIZE_MAX)
        ES_TRY(take_shares(&w, err));
    for (size_t t = 0; t < tasks; t++)
        ES_TRY(take_task(&w, made, t, run, err));
    put_in_order(made, w.y + m, scratch);
    *out = made;
    made = NULL;
done:
    es_board_tasks_free(made);
    es_free(w.share);
    es_free(scratch);
    return st;
}

/* "a (.93), b (.91) and c (.90)": n from place `from` of the order on. */
static void put_some(const es_board_tasks *tasks, size_t from, size_t n, bool back, es_buf *out) {
    for (size_t k = 0; k < n; k++) {
        size_t t = tasks->order[back ? from - k : from + k];
        es_buf_puts(out, k == 0 ? "" : k + 1 < n ? ", " : " and ");
        es_buf_printf(out, "%s (", es_leaderboard_task(tasks->board, t));
        es_share_put(tasks->task[t].rho, out);
        es_buf_putc(out, ')');
    }
}

void es_board_tasks_put(const es_board_tasks *tasks, es_buf *out) {
    size_t n = tasks->known < 2 * NAMED ? tasks->known / 2 : NAMED;
    if (tasks->known == 0) {
        es_buf_puts(out, "No task has enough models for a correlation.");
        return;
    }
    if (n == 0)
        n = 1;
    if (tasks->against == SIZE_MAX)
        es_buf_puts(out, "Most like the mean of the others: ");
    else
        es_buf_printf(out, "Most like %s: ", es_leaderboard_task(tasks->board, tasks->against));
    put_some(tasks, 0, n, false, out);
    es_buf_putc(out, '.');
    if (tasks->known < 2)
        return;
    es_buf_puts(out, " Least: ");
    put_some(tasks, tasks->known - 1, n, true, out);
    es_buf_putc(out, '.');
    if (tasks->known > 2) {
        es_buf_puts(out, " Median: ");
        es_share_put(tasks->task[tasks->order[tasks->known / 2]].rho, out);
        es_buf_putc(out, '.');
    }
}

/* ---- the tree ---- */

void es_board_tree_free(es_board_tree *tree) {
    if (tree == NULL)
        return;
    es_linkage_free(tree->linkage);
    es_free(tree->rho);
    es_free(tree);
}

/* rho (tasks, tasks); x, y (m). Of fewer than three models nothing is known. */
static es_status take_pairs(const es_leaderboard *b, double *rho, double *x, double *y,
                            const es_run *run, es_error *err) {
    enum { FEWEST = 3 };
    size_t m = b->board->m, tasks = b->board->tasks;
    es_status st = ES_OK;
    for (size_t t = 0; st == ES_OK && t < tasks; t++) {
        rho[t * tasks + t] = 1;
        take_column(b, t, x);
        for (size_t u = 0; st == ES_OK && u < t; u++) {
            es_stat value;
            size_t both = 0;
            take_column(b, u, y);
            for (size_t i = 0; i < m; i++)
                both += isnan(x[i] - y[i]) ? 0 : 1;
            st = es_correlate(ES_SPEARMAN, x, y, m, &value, err);
            bool known = st == ES_OK && value.why == NULL && both >= FEWEST;
            rho[t * tasks + u] = rho[u * tasks + t] = known ? value.value : (double)NAN;
        }
        if (st == ES_OK)
            st = es_run_check(run, err);
    }
    return st;
}

es_status es_board_tree_new(const es_leaderboard *board, es_linkage_method method,
                            const es_run *run, es_board_tree **out, es_error *err) {
    size_t m = board->board->m, tasks = board->board->tasks;
    es_board_tree *made = es_alloc_zero(1, sizeof *made);
    double *distance = es_alloc(tasks * tasks + 2 * m, sizeof *distance);
    es_status st = ES_OK;
    ES_FAIL_IF(!made || !distance, es_no_memory(err));
    double *x = distance + tasks * tasks;
    *made = (es_board_tree){
        .board = board, .method = method, .rho = es_alloc(tasks, tasks * sizeof *made->rho)};
    ES_FAIL_IF(!made->rho, es_no_memory(err));
    ES_TRY(check_tasks(board, err));
    ES_TRY(take_pairs(board, made->rho, x, x + m, run, err));
    for (size_t k = 0; k < tasks * tasks; k++)
        distance[k] = fmax(1 - made->rho[k], isnan(made->rho[k]) ? (double)NAN : 0);
    ES_TRY(es_linkage_of_distances(distance, tasks, method, run, &made->linkage, err));
    *out = made;
    made = NULL;
done:
    es_board_tree_free(made);
    es_free(distance);
    return st;
}

size_t es_board_tree_nearest(const es_board_tree *tree, size_t task) {
    size_t tasks = tree->board->board->tasks, best = SIZE_MAX;
    for (size_t u = 0; u < tasks; u++)
        if (u != task && !isnan(tree->rho[task * tasks + u]) &&
            (best == SIZE_MAX || tree->rho[task * tasks + u] > tree->rho[task * tasks + best]))
            best = u;
    return best;
}

double es_board_tree_joined(const es_board_tree *tree, size_t task) {
    const es_linkage *l = tree->linkage;
    for (size_t k = 0; k + 1 < l->m; k++)
        if (l->merge[k].a == task || l->merge[k].b == task)
            return l->merge[k].height;
    return (double)NAN;
}

void es_board_tree_put(const es_board_tree *tree, es_buf *out) {
    size_t tasks = tree->board->board->tasks, like = 0, alone = 0, other;
    double most = -(double)INFINITY, least = (double)INFINITY;
    for (size_t t = 0; t < tasks; t++) {
        size_t near = es_board_tree_nearest(tree, t);
        double rho = near == SIZE_MAX ? (double)NAN : tree->rho[t * tasks + near];
        like = rho > most ? t : like;
        most = fmax(most, rho);
        alone = rho < least ? t : alone;
        least = fmin(least, rho);
    }
    if (!isfinite(most)) {
        es_buf_puts(out, "No two tasks have enough models in common for a correlation.");
        return;
    }
    other = es_board_tree_nearest(tree, like);
    es_buf_printf(out, "%s and %s order the models most alike (Spearman ",
                  es_leaderboard_task(tree->board, like), es_leaderboard_task(tree->board, other));
    es_share_put(most, out);
    es_buf_puts(out, ").");
    if (tasks < 3)
        return;
    other = es_board_tree_nearest(tree, alone);
    es_buf_printf(out, " %s is least like any other: ", es_leaderboard_task(tree->board, alone));
    es_share_put(least, out);
    es_buf_printf(out, " with %s.", es_leaderboard_task(tree->board, other));
}
