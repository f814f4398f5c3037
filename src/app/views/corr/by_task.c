/* Every score against every task: coefficients when values change, at a pace; then the intervals of
 * one task after the other, for all scores over the same resamples. */
#include "by_task.h"

#include <math.h>
#include <string.h>

#include "agreement.h"
#include "alloc.h"
#include "correlation_set.h"
#include "effects.h"
#include "select.h"
#include "task_columns.h"

enum { WORK = 12000 };
static const double PACE = 0.5; /* seconds between two looks at the values */

/* ---- Rows and columns ---- */

static bool has_l2(const es_app *app) {
    return app->source->baseline.known > 0 && !app->set.corr_panels;
}

static size_t rows_of(const es_app *app) {
    return es_agreement_columns(app) + has_l2(app);
}

static bool is_l2(const es_app *app, size_t row) {
    return row == es_agreement_columns(app);
}

const char *es_by_task_score(const es_app *app, size_t row) {
    return is_l2(app, row) ? "l2" : es_agreement_title(app, row);
}

size_t es_by_task_axis(const es_app *app, size_t row) {
    return is_l2(app, row) ? ES_NONE : es_agreement_axis(app, row);
}

size_t es_by_task_cursor_axis(const es_app *app) {
    const struct es_agree_state *agree = app->agree;
    if (app->set.corr_by_task)
        return app->by_task != NULL ? es_by_task_axis(app, app->by_task->at) : ES_NONE;
    return agree != NULL ? es_agreement_axis(app, es_agreement_column(app, agree->at)) : ES_NONE;
}

size_t es_by_task_column(const es_app *app, size_t listed) {
    const es_scores *scores = &app->scores;
    return (listed + scores->tasks) % es_task_columns(scores);
}

/* ---- Values ---- */

/* Tasks of the embedders of `r` behind their scores; false: out of memory. */
static bool read_tasks(const es_app *app, const es_results *r, double *out) {
    const es_scores *scores = &app->scores;
    size_t *row = es_alloc(r->m + 1, sizeof *row);
    bool done = row && es_agreement_rows(app, row) &&
                es_task_columns_fill(scores, row, r->m, out, NULL, NULL) == ES_OK;
    es_free(row);
    return done;
}

static bool read_values(const es_app *app, const struct es_by_task *s) {
    const es_results *r = es_agreement_of(app);
    size_t own = es_agreement_columns(app);
    double *l2 = s->next + own * r->m;
    es_agreement_values(app, s->next);
    for (size_t p = 0; has_l2(app) && p < r->m; p++) {
        size_t item = r->model[p];
        double value = app->source->baseline.score[item];
        bool counts = es_select_index(app, ES_LIST_HEAT, item) != ES_NONE && !app->excluded[item];
        l2[p] = counts && isfinite(value) ? value : (double)NAN;
    }
    return read_tasks(app, r, s->next + s->k * r->m);
}

/* ---- Life ---- */

void es_by_task_forget(es_app *app) {
    struct es_by_task *s = app->by_task;
    if (s == NULL)
        return;
    es_agreer_free(s->work);
    es_free(s->value);
    es_free(s->next);
    es_free(s->report);
    es_free(s);
    app->by_task = NULL;
}

static bool resize(es_app *app, size_t k, size_t columns, size_t n) {
    struct es_by_task *s = app->by_task;
    if (s != NULL && s->k == k && s->columns == columns && s->n == n &&
        s->panels == app->set.corr_panels)
        return true;
    size_t at = s == NULL ? 0 : s->at, column = s == NULL ? 0 : s->column;
    es_by_task_forget(app);
    s = app->by_task = es_alloc_zero(1, sizeof *s);
    if (s == NULL || (s->value = es_alloc_zero((k + columns) * n + 1, sizeof *s->value)) == NULL ||
        (s->next = es_alloc_zero((k + columns) * n + 1, sizeof *s->next)) == NULL ||
        (s->report = es_alloc_zero(k * columns + 1, sizeof *s->report)) == NULL) {
        es_by_task_forget(app);
        return false;
    }
    s->k = k;
    s->columns = columns;
    s->n = n;
    s->at = at < k ? at : 0;
    s->column = column < columns ? column : 0;
    s->panels = app->set.corr_panels;
    s->read_at = -1e9;
    s->stale = true;
    return true;
}

/* ---- Computing ---- */

static const double *task_of(const es_app *app, const struct es_by_task *s, size_t listed) {
    return s->value + (s->k + es_by_task_column(app, listed)) * s->n;
}

static bool is_part(const es_app *app, size_t row) {
    return !is_l2(app, row) && es_agreement_is_part(app, row);
}

static es_status coefficients(const es_app *app, struct es_by_task *s) {
    es_stat value[ES_CORRELATIONS];
    for (size_t k = 0; k < s->k; k++)
        for (size_t c = 0; c < s->columns; c++) {
            const double *x = s->value + k * s->n, *y = task_of(app, s, c);
            es_correlation_report *r = &s->report[k * s->columns + c];
            es_status st = es_correlation_all(x, y, s->n, value, NULL);
            if (st != ES_OK)
                return st;
            *r = (es_correlation_report){.slope = es_stat_undefined("not yet")};
            for (size_t i = 0; i < s->n; i++)
                r->n += isfinite(x[i]) && isfinite(y[i]);
            r->few = r->n < ES_CORRELATE_ENOUGH;
            for (size_t kind = 0; kind < ES_CORRELATIONS; kind++) {
                r->value[kind] = is_part(app, k) ? (es_stat){(double)NAN, "still being measured"}
                                 : r->n < 3      ? (es_stat){(double)NAN, "n < 3"}
                                                 : value[kind];
                r->low[kind] = r->high[kind] = (double)NAN;
            }
        }
    return ES_OK;
}

static es_status take_up(const es_app *app, struct es_by_task *s) {
    size_t bytes = (s->k + s->columns) * s->n * sizeof *s->value;
    if (!read_values(app, s))
        return ES_ENOMEM;
    if (s->known && memcmp(s->value, s->next, bytes) == 0)
        return ES_OK;
    memcpy(s->value, s->next, bytes);
    s->known = true;
    es_agreer_free(s->work);
    s->work = NULL;
    s->settled = 0;
    return coefficients(app, s);
}

static es_status step(const es_app *app, struct es_by_task *s) {
    bool whole = false;
    es_status st = ES_OK;
    if (s->work == NULL) {
        ES_TRY(es_agreement_agreer(app, s->value, s->k, task_of(app, s, s->settled), &s->work));
        es_agreer_only_against(s->work);
    }
    ES_TRY(es_agreer_step(s->work, 1 + WORK / (s->n + 1), &whole, NULL));
    if (!whole)
        return ES_OK;
    for (size_t k = 0; k < s->k; k++)
        if (!is_part(app, k))
            s->report[k * s->columns + s->settled] = es_agreer_report(s->work)->against[k];
    es_agreer_free(s->work);
    s->work = NULL;
    s->settled++;
done:
    return st;
}

void es_by_task_update(es_app *app, bool idle) {
    const es_results *r = es_agreement_of(app);
    if (r == NULL || r->m == 0 || app->source->scores.tasks == 0)
        return;
    es_status st =
        resize(app, rows_of(app), es_task_columns(&app->scores), r->m) ? ES_OK : ES_ENOMEM;
    struct es_by_task *s = app->by_task;
    if (st == ES_OK) {
        s->stale = s->stale || !idle;
        if (s->stale && app->now >= s->read_at + PACE) {
            s->stale = false;
            s->read_at = app->now;
            st = take_up(app, s);
        }
    }
    if (st == ES_OK && idle && s->settled < s->columns)
        st = step(app, s);
    if (st != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: the table of tasks is not the newest");
}

double es_by_task_deadline(const es_app *app) {
    const struct es_by_task *s = app->by_task;
    if (s == NULL)
        return (double)INFINITY;
    if (s->settled < s->columns)
        return app->now;
    return s->stale ? fmax(app->now, s->read_at + PACE) : (double)INFINITY;
}
