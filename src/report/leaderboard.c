/* From scores to the board, and its sentences. */
#include "report.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core_numerics.h"
#include "report_answer.h"

enum { ADVISED = 5, NAMED = 5 };

es_status es_leaderboard_of_pool(const es_pool *pool, const es_scores *scores, uint64_t seed,
                                 const es_run *run, es_leaderboard **out, es_error *err) {
    bool *counts = es_alloc(scores->models + 1, sizeof *counts);
    if (counts == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < scores->models; k++)
        counts[k] = true;
    for (size_t i = 0; pool != NULL && i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        size_t row = es_scores_find(scores, model->name);
        if (row != SIZE_MAX && es_is_control(model->family))
            counts[row] = false;
    }
    es_status st = es_leaderboard_new(scores, counts, seed, run, out, err);
    es_free(counts);
    return st;
}

void es_leaderboard_free(es_leaderboard *board) {
    if (board == NULL)
        return;
    es_board_free(board->board);
    es_free(board->row);
    es_free(board->task);
    es_free((void *)board->category);
    es_free(board->group);
    es_free(board->value);
    es_free(board->number);
    es_free(board);
}

const char *es_leaderboard_name(const es_leaderboard *board, size_t model) {
    return board->scores->model[board->row[model]];
}

/* Values of the models that count, higher is better; false: out of memory. */
static bool take_values(es_leaderboard *b, size_t m, size_t tasks) {
    b->value = es_alloc(m, tasks * sizeof *b->value);
    for (size_t i = 0; b->value && i < m; i++)
        for (size_t t = 0; t < tasks; t++)
            b->value[i * tasks + t] = es_score_turned(b->scores, b->row[i], b->task[t]);
    return b->value != NULL;
}

/* Each task becomes the percentile among the models with a score. */
static bool take_percentiles(double *value, size_t m, size_t tasks) {
    double *own = es_alloc(m, sizeof *own);
    for (size_t t = 0; own && t < tasks; t++) {
        for (size_t i = 0; i < m; i++)
            own[i] = value[i * tasks + t];
        for (size_t i = 0; i < m; i++)
            value[i * tasks + t] = es_downstream_percentile(own, m, i);
    }
    es_free(own);
    return own != NULL;
}

static void number_categories(es_leaderboard *b, size_t tasks) {
    for (size_t t = 0; t < tasks; t++) {
        size_t same = 0;
        b->category[t] = es_score_category(b->scores, b->task[t]);
        while (same < t && (!b->category[t] || !b->category[same] ||
                            strcmp(b->category[t], b->category[same]) != 0))
            same++;
        b->number[t] = same < t ? b->number[same] : (uint32_t)t;
        b->categories += same == t && b->category[t] != NULL;
    }
}

/* Numbers the groups of models between which a difference is shown. */
static void take_groups(es_leaderboard *b) {
    const es_board *board = b->board;
    size_t m = board->m, head = board->order[0];
    uint32_t group = 1;
    for (size_t k = 0; k < m; k++) {
        size_t i = board->order[k], before = k > 0 ? board->order[k - 1] : i;
        if (board->rank[i] == 0)
            break;
        b->ranked++;
        b->candidates += board->best[i];
        b->sparse += 2 * board->count[i] < board->tasks;
        b->separated += board->ahead[before * m + i];
        if (board->ahead[head * m + i]) {
            group++;
            head = i;
        }
        b->group[i] = board->said ? group : 0;
    }
}

/* row (models): those that take part; returns how many. */
static size_t take_rows(const es_scores *s, const bool *counts, size_t *row) {
    size_t m = 0;
    for (size_t i = 0; i < s->models; i++)
        if ((counts == NULL || counts[i]) && es_scores_any(s, i))
            row[m++] = i;
    return m;
}

/* task (tasks): those that are no mean of the others; returns how many. */
static size_t take_tasks(const es_scores *s, size_t *task) {
    static const char *const means[] = {"mean", "average", "avg", "avg.", "overall", "score"};
    size_t tasks = 0;
    for (size_t t = 0; t < s->tasks; t++) {
        bool mean = false;
        for (size_t k = 0; s->tasks > ES_BOARD_CLUSTERS && k < sizeof means / sizeof *means; k++)
            mean |= strcasecmp(s->task[t], means[k]) == 0;
        if (!mean)
            task[tasks++] = t;
    }
    return tasks;
}

es_status es_leaderboard_check(const es_scores *scores, const bool *counts, es_error *err) {
    size_t m = 0;
    for (size_t i = 0; i < scores->models; i++)
        m += (counts == NULL || counts[i]) && es_scores_any(scores, i);
    if (m < 2)
        return es_fail(err, ES_EEMPTY, "a board takes scores of at least two models");
    return ES_OK;
}

es_status es_leaderboard_new(const es_scores *scores, const bool *counts, uint64_t seed,
                             const es_run *run, es_leaderboard **out, es_error *err) {
    es_leaderboard *b = es_alloc_zero(1, sizeof *b);
    es_status st = ES_OK;
    ES_FAIL_IF(b == NULL, es_no_memory(err));
    b->scores = scores;
    b->row = es_alloc(scores->models, sizeof *b->row);
    b->category = es_alloc(scores->tasks, sizeof *b->category);
    b->group = es_alloc_zero(scores->models, sizeof *b->group);
    b->task = es_alloc(scores->tasks, sizeof *b->task);
    b->number = es_alloc(scores->tasks, sizeof *b->number);
    ES_FAIL_IF(!b->row || !b->category || !b->group || !b->task || !b->number, es_no_memory(err));
    ES_TRY(es_leaderboard_check(scores, counts, err));
    size_t m = take_rows(scores, counts, b->row), tasks = take_tasks(scores, b->task);
    number_categories(b, tasks);
    for (size_t t = 0; t < tasks; t++)
        b->percentiles |= es_score_is_lower_better(scores, b->task[t]);
    ES_FAIL_IF(!take_values(b, m, tasks) ||
                   (b->percentiles && !take_percentiles(b->value, m, tasks)),
               es_no_memory(err));
    es_board_problem problem = {.value = b->value,
                                .m = m,
                                .tasks = tasks,
                                .category = b->categories > 0 ? b->number : NULL,
                                .seed = seed};
    ES_TRY(es_board_new(&problem, run, &b->board, err));
    take_groups(b);
    *out = b;
    b = NULL;
done:
    es_leaderboard_free(b);
    return st;
}

/* Returns the board as core compares it, without a seed; arrays are borrowed. */
static es_board_problem leaderboard_problem(const es_leaderboard *b) {
    return (es_board_problem){.value = b->value,
                              .m = b->board->m,
                              .tasks = b->board->tasks,
                              .category = b->categories > 0 ? b->number : NULL,
                              .level = b->board->level};
}

const char *es_leaderboard_task(const es_leaderboard *board, size_t task) {
    return board->scores->task[board->task[task]];
}

size_t es_leaderboard_find(const es_leaderboard *board, const char *model) {
    size_t i = 0;
    while (i < board->board->m && strcmp(es_leaderboard_name(board, i), model) != 0)
        i++;
    return i < board->board->m ? i : SIZE_MAX;
}

es_status es_leaderboard_find_task(const es_leaderboard *board, const char *task, size_t *out,
                                   es_error *err) {
    size_t column = SIZE_MAX;
    es_status st = es_scores_find_task(board->scores, task, &column, err);
    *out = 0;
    while (*out < board->board->tasks && board->task[*out] != column)
        ++*out;
    *out = *out < board->board->tasks ? *out : SIZE_MAX;
    return st;
}

/* ---- sentences ---- */

size_t es_leaderboard_advised(const es_leaderboard *b) {
    return b->candidates < ADVISED ? b->candidates : ADVISED;
}

const char *es_leaderboard_settled_by(const es_leaderboard *b) {
    return b->board->said && b->candidates > 1 ? "kinds" : NULL;
}

/* n names in the order, after so many that are skipped; all, or candidates alone. */
static void put_names(const es_leaderboard *b, bool all, size_t skipped, size_t n, const char *last,
                      es_buf *out) {
    const es_board *board = b->board;
    const char *name[NAMED];
    size_t seen = 0;
    for (size_t k = 0; k < board->m && seen < skipped + (n < NAMED ? n : NAMED); k++)
        if ((all || board->best[board->order[k]]) && seen++ >= skipped)
            name[seen - skipped - 1] = es_leaderboard_name(b, board->order[k]);
    es_buf_list(out, name, n, NAMED, last);
}

/* The category of which more tasks would tell most: its share of what is open, a task. */
static const char *wanted(const es_leaderboard *b) {
    const char *best = NULL;
    double most = 0;
    for (size_t t = 0; t < b->board->tasks; t++) {
        double sum = 0, n = 0;
        for (size_t u = 0; b->category[t] && u < b->board->tasks; u++)
            if (b->category[u] && strcmp(b->category[u], b->category[t]) == 0) {
                sum += b->board->need[u];
                n++;
            }
        if (n > 0 && sum / n > most) {
            most = sum / n;
            best = b->category[t];
        }
    }
    return b->categories > 1 ? best : NULL;
}

static void put_now(const es_leaderboard *b, es_buf *out) {
    es_buf_printf(out, "%zu task%s", b->board->tasks, b->board->tasks == 1 ? "" : "s");
    if (b->categories > 1)
        es_buf_printf(out, " in %zu categories", b->categories);
}

static void put_too_few(const es_leaderboard *b, es_buf *out) {
    size_t others = b->ranked - 1 < 2 ? b->ranked - 1 : 2;
    es_buf_puts(out, "Too few tasks to generalise (");
    put_now(b, out);
    es_buf_printf(out, "; %d are needed). On these, ", ES_BOARD_CLUSTERS);
    put_names(b, true, 0, 1, "", out);
    es_buf_puts(out, " is first, then ");
    put_names(b, true, 1, others, " and ", out);
    es_buf_putc(out, '.');
}

static void put_candidates(const es_leaderboard *b, es_buf *out) {
    size_t k = b->candidates;
    es_buf_puts(out, "Best of these: ");
    put_names(b, true, 0, 1, "", out);
    es_buf_printf(out, ". On as many other tasks%s the best would be, with %.0f %% confidence, ",
                  b->categories > 1 ? " of these categories" : " like these",
                  100 * b->board->level);
    put_names(b, false, 0, k, " or ", out);
    es_buf_printf(out, " (%zu of %zu). Try ", k, b->ranked);
    put_names(b, false, 0, es_leaderboard_advised(b), ", ", out);
    es_buf_putc(out, '.');
    if (b->ranked > k)
        es_buf_printf(out, " The other %zu %s clearly behind at least one of these.", b->ranked - k,
                      b->ranked - k == 1 ? "is" : "are");
}

static void put_open(const es_leaderboard *b, es_buf *out) {
    es_buf_printf(out,
                  "Not settled: any of %zu (of %zu) could be the best on as many other tasks. ",
                  b->candidates, b->ranked);
    es_buf_puts(out, "Try ");
    put_names(b, false, 0, es_leaderboard_advised(b), ", ", out);
    es_buf_puts(out, " first.");
}

static void put_narrow(const es_leaderboard *b, es_buf *out) {
    const char *of = wanted(b);
    if (b->candidates < 2)
        return;
    es_buf_printf(out, " More tasks%s%s%s would narrow it (", of ? ", of " : "", of ? of : "",
                  of ? " above all," : "");
    put_now(b, out);
    es_buf_puts(out, " now).");
}

static void put_neighbours(const es_leaderboard *b, es_buf *out) {
    es_buf_printf(out, " %zu of %zu adjacent ranks %s separated.", b->separated, b->ranked - 1,
                  b->separated == 1 ? "is" : "are");
}

static void put_sparse(const es_leaderboard *b, es_buf *out) {
    const es_board *board = b->board;
    size_t put = 0;
    for (size_t k = 0; k < b->ranked && put < NAMED; k++) {
        size_t i = board->order[k];
        if (2 * board->count[i] >= board->tasks)
            continue;
        es_buf_printf(out, "%s%s (%zu)", put++ == 0 ? " Few tasks: " : ", ",
                      es_leaderboard_name(b, i), board->count[i]);
    }
    if (b->sparse > put)
        es_buf_printf(out, " and %zu more", b->sparse - put);
    if (put > 0)
        es_buf_printf(out, " of %zu; two models are compared on the tasks that both have.",
                      board->tasks);
}

void es_leaderboard_put(const es_leaderboard *b, es_buf *out) {
    if (!b->board->said)
        put_too_few(b, out);
    else if (2 * b->candidates <= b->ranked)
        put_candidates(b, out);
    else
        put_open(b, out);
    if (b->board->said) {
        put_narrow(b, out);
        put_neighbours(b, out);
    }
    put_sparse(b, out);
}

/* The paired differences of two models, and their sentences. */

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
    const es_board_problem problem = leaderboard_problem(board);
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
