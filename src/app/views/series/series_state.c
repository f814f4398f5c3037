/* Keeps the series of the report up with the ranking. */
#include "series_state.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "facts.h"
#include "measure_columns.h"
#include "ranked.h"

static const double FRESH = 0.5; /* seconds that values of measures stand */

bool es_series_there(const es_app *app) {
    for (size_t i = 0; i < app->n; i++)
        if (es_app_model(app, i)->series != NULL)
            return true;
    return false;
}

static void clear(struct es_series_state *s) {
    es_series_deinit(&s->known);
    es_free(s->score);
    es_free(s->words);
    es_free(s->lines);
    s->lines = NULL;
    s->score = NULL;
    s->words = NULL;
    s->made = false;
}

/* A measure's value of a step, or of the pair of the one before and this. */
static double measured(const void *context, size_t column, size_t before, size_t model) {
    const es_app *app = context;
    const es_results *r = app->series->of.results;
    bool pairwise = before != SIZE_MAX;
    return es_measure_of(app, pairwise, column, r->model[pairwise ? before : model],
                         r->model[model]);
}

static es_status add_measures(es_app *app, struct es_series_state *s) {
    es_status st = ES_OK;
    for (int pairwise = 0; pairwise < 2; pairwise++)
        for (size_t k = 0; k < es_app_measures(app, pairwise == 1) && st == ES_OK; k++)
            st = es_series_add(&s->known, es_measure_title(app, pairwise == 1, k), pairwise == 1,
                               measured, app, k, NULL);
    return st;
}

static uint64_t measures_known(const es_app *app) {
    uint64_t sum = 0;
    for (int pairwise = 0; pairwise < 2; pairwise++)
        sum = 1000 * sum + es_app_measures(app, pairwise == 1);
    return sum;
}

static void make(es_app *app, struct es_series_state *s) {
    const es_results *r = app->ranked.results;
    clear(s);
    s->revision = app->ranked.revision;
    s->decision = app->intervals.known;
    s->measured = measures_known(app);
    s->made = true;
    s->made_at = app->now;
    s->score = es_alloc(r->m + 1, sizeof *s->score);
    s->lines = es_alloc(r->m + 1, sizeof *s->lines);
    if (s->score == NULL || s->lines == NULL)
        return;
    for (size_t i = 0; i < r->m; i++)
        s->lines[i] = i;
    for (size_t p = 0; p < r->m; p++)
        s->score[p] = r->model[p] < app->n ? app->live[r->model[p]].score : (double)NAN;
    const es_decision *d = app->intervals.known;
    s->of = (es_series_of){r,
                           app->source->model,
                           app->ranked.published ? ES_SCORE_PUBLISHED : ES_SCORE_PREDICTIVE,
                           s->score,
                           d != NULL && d->m == r->m ? d : NULL,
                           app->source->scores.tasks > 0 ? &app->scores : NULL};
    if (es_series_new(&s->of, &s->known, NULL) != ES_OK || add_measures(app, s) != ES_OK)
        es_series_deinit(&s->known);
}

static void say(es_app *app, struct es_series_state *s) {
    es_buf words = {0};
    es_free(s->words);
    s->words = NULL;
    if (s->known.runs == 0)
        return;
    es_series_put(&s->known, &s->of, es_series_run_at(app), &words);
    s->words = words.failed ? NULL : es_strdup(words.data);
    es_buf_free(&words);
}

void es_series_update(es_app *app, bool idle) {
    const es_results *r = app->ranked.results;
    (void)idle;
    if (app->series == NULL && (app->series = es_alloc_zero(1, sizeof *app->series)) == NULL)
        return;
    struct es_series_state *s = app->series;
    if (r == NULL) {
        clear(s);
        return;
    }
    if (!s->made || s->of.results != r || s->revision != app->ranked.revision ||
        s->decision != app->intervals.known || s->measured != measures_known(app) ||
        (s->measured > 0 && app->now >= s->made_at + FRESH))
        make(app, s);
    if (es_series_line(app) == ES_NONE && s->known.points > 0 && app->cursor == ES_NONE)
        app->cursor = es_series_item(app, 0);
    say(app, s);
}

void es_series_forget(es_app *app) {
    if (app->series != NULL)
        clear(app->series);
    es_free(app->series);
    app->series = NULL;
}

size_t es_series_lines(const es_app *app) {
    return app->series != NULL ? app->series->known.points : 0;
}

size_t es_series_item(const es_app *app, size_t line) {
    const struct es_series_state *s = app->series;
    return line < es_series_lines(app) ? s->of.results->model[s->known.point[line].model] : ES_NONE;
}

size_t es_series_line(const es_app *app) {
    for (size_t i = 0; i < es_series_lines(app); i++)
        if (es_series_item(app, i) == app->cursor)
            return i;
    return ES_NONE;
}

size_t es_series_shown_at(const es_app *app) {
    size_t columns = app->series != NULL ? app->series->known.columns : 0;
    return app->set.series_value < columns ? app->set.series_value : 0;
}

const es_series_column *es_series_shown(const es_app *app) {
    return es_series_lines(app) > 0 ? &app->series->known.column[es_series_shown_at(app)] : NULL;
}

size_t es_series_run_at(const es_app *app) {
    size_t line = es_series_line(app);
    return line == ES_NONE ? 0 : app->series->known.point[line].series;
}
