/* Taking up what the source says: results, the run, and what follows from them, the live ranking,
 * colour limits and the order of lists. */
#include "app_lists.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"

static void find_new_cells_of(es_app *app, size_t row) {
    const es_results *r = app->results;
    size_t s = r->model[row];
    for (size_t column = 0; column < r->m; column++) {
        size_t t = r->model[column], cell = row * r->m + column;
        uint8_t *known = &app->known[s * app->n + t];
        uint8_t now = (uint8_t)(r->state[cell] | es_refine_entry(app, s, t) << 3);
        if (s != t && r->state[cell] == ES_PAIR_DONE && *known != now && es_app_running(app)) {
            app->newest_source = s;
            app->newest_target = t;
            app->newest_at = app->now;
        }
        *known = now; /* a refined value is a new one */
    }
}

/* Remembers the newest finished cell, for the flash and the inspector. Rows that have not changed
 * are left out. anew: other results than before are shown. */
static void find_new_cells(es_app *app, bool anew) {
    const es_results *r = app->results;
    for (size_t row = 0; r != NULL && row < r->m; row++) {
        uint64_t now = es_refine_row_revision(app, row), *seen = &app->known_row[row];
        if (anew || now == 0 || *seen != now)
            find_new_cells_of(app, row);
        *seen = now;
    }
}

/* The best stay where they were, first or last, whichever end of the score they are at. */
static void keep_direction(es_app *app) {
    bool lower = es_ranked_lower(app);
    es_table_settings *table = &app->set.table[ES_TABLE_RANK];
    if (app->ranked.entry == ES_NONE || lower == app->ranked.lower)
        return;
    app->ranked.lower = lower;
    if (table->sort == ES_RANK_SCORE)
        table->descending = !table->descending;
}

static void read_results(es_app *app) {
    size_t plan = app->source->plan;
    size_t entry = app->wanted_entry != ES_NONE ? app->wanted_entry : app->source->best;
    if (plan > 1 && app->wanted_entry == ES_NONE &&
        (entry == ES_NONE || entry == app->source->predictive))
        entry = app->source->predictive == 0; /* the matrix is of information sufficiency */
    if (entry == ES_NONE && plan > 0)
        entry = 0;
    const es_results *results = entry < plan ? app->source->results[entry] : NULL;
    const es_results *merged = es_refine_merge(app);
    if (merged != NULL) {
        results = merged;
        entry = plan - 1;
        (void)snprintf(app->merged_title, sizeof app->merged_title, "%s → %s",
                       app->source->title[es_refine_first(app)], app->source->title[entry]);
    }
    bool newer = es_ranked_read(app);
    bool other = entry != app->entry || results != app->results,
         sure = es_ranking_intervals_take(app) || newer;
    if (newer)
        app->intervals.changed_at = app->now;
    keep_direction(app);
    if (!other && (results == NULL || results->revision == app->revision)) {
        if (sure)
            es_live_ranking_update(app);
        return;
    }
    app->entry = entry < plan ? entry : ES_NONE;
    app->results = results;
    app->revision = results == NULL ? 0 : results->revision;
    if (other)
        memset(app->limits, 0, sizeof app->limits);
    for (size_t i = 0; i < app->n; i++)
        app->position[i] = ES_NONE;
    for (size_t p = 0; results != NULL && p < results->m; p++)
        if (results->model[p] < app->n)
            app->position[results->model[p]] = p;
    find_new_cells(app, other);
    es_live_ranking_update(app);
    es_limits_fit(app, false);
}

/* Notices what a change of phase means to the user: finished, failed, paused. */
static void note_phase(es_app *app, es_phase before) {
    bool said = app->start_said > 0 && app->start_said == app->toasts; /* the last notice */
    bool between = said && before == ES_PHASE_IDLE && app->phase == ES_PHASE_DONE; /* two looks */
    bool was_running = before == ES_PHASE_RUNNING || before == ES_PHASE_PAUSED || between;
    if (said && app->phase != before && app->phase != ES_PHASE_RUNNING)
        app->toast_until = 0; /* "Estimating" is so no longer */
    if (app->phase == ES_PHASE_RUNNING && !was_running)
        es_live_ranking_baseline(app, true);
    if (app->phase != ES_PHASE_DONE || !was_running)
        return;
    const es_progress *p = &app->progress;
    size_t changes = app->frozen ? es_select_changes(app) : 0;
    char failed[48] = "";
    if (p->failed > 0)
        (void)snprintf(failed, sizeof failed, ", %zu failed", p->failed);
    if (changes > 0)
        es_app_notice(
            app, ES_OK,
            "Run finished: %zu of %zu pairs%s. %zu rank changes since you froze, F applies them",
            p->done, p->total, failed, changes);
    else
        es_app_notice(app, ES_OK, "Run finished: %zu of %zu pairs%s", p->done, p->total, failed);
    es_limits_fit(app, true);
}

/* A measure's values come in many at a time: its limits follow four times a second, the last ones
 * by the clock. */
void es_app_fit_measure(es_app *app) {
    if (!app->fit_late || app->now < app->fitted_at + ES_APP_FIT_PAUSE)
        return;
    app->fit_late = false;
    app->fitted_at = app->now;
    es_limits_fit(app, false);
    app->dirty = true;
}

/* Accuracies below 1 need decimals, percentages do not. */
void es_app_choose_digits(es_app *app) {
    size_t columns = app->source->scores.tasks;
    for (size_t c = 0; c < columns && c < ES_APP_SCORES; c++) {
        double most = 0;
        for (size_t i = 0; i < app->n; i++)
            most = fmax(most, fabs(es_app_score(app, i, c)));
        app->score_digits[c] = most >= 10       ? 1
                               : most >= 0.05   ? 3
                               : most >= 0.0005 ? 5
                               : most > 0       ? ES_FORMAT_E
                                                : 3;
    }
}

void es_app_read(es_app *app) {
    es_phase before = app->phase;
    app->phase = app->source->phase;
    app->progress = app->source->progress;
    app->usable = app->unchecked = 0;
    for (size_t i = 0; i < app->n; i++) {
        es_model_state state = es_app_model(app, i)->state;
        app->usable += state != ES_MODEL_EXCLUDED;
        app->unchecked += state == ES_MODEL_UNCHECKED;
    }
    read_results(app);
    note_phase(app, before);
    app->fit_late = app->set.metric == ES_METRIC_MEASURE;
    es_app_fit_measure(app);
    es_jobs_follow(app);
    es_select_refresh(app, false);
}

void es_app_rerank(es_app *app) {
    if (app->set.published == app->ranked.by_wish && app->set.with_derived == app->ranked.derived)
        return;
    es_app_read(app);
    es_select_refresh(app, true);
}
