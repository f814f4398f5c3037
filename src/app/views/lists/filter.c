/* The filter language: words that must all hold. dim>512, score>=0.3, !word, /regex/, marked,
 * failed, excluded, ready, c:C1 (in this community), anything else is part of a name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"

bool es_text_contains(const char *text, const char *part, bool exact) {
    for (size_t length = strlen(part); *text != '\0'; text++)
        if ((exact ? strncmp(text, part, length) : strncasecmp(text, part, length)) == 0)
            return true;
    return *part == '\0';
}

bool es_text_holds(const char *text, const char *part) {
    return es_text_contains(text, part, part[strcspn(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] != '\0');
}

bool es_select_matches(const es_app *app, const char *text, size_t item) {
    return es_text_holds(es_app_model(app, item)->name, text);
}

/* Returns the number that a filter such as dim>512 compares; false: no such field. */
static bool number_of_field(const es_app *app, const char *name, size_t item, double *out) {
    const es_model *model = es_app_model(app, item);
    const es_live_rank *live = &app->live[item];
    if (strcmp(name, "dim") == 0)
        *out = (double)model->dim;
    else if (strcmp(name, "rows") == 0)
        *out = (double)model->rows;
    else if (strcmp(name, "size") == 0)
        *out = (double)model->file_bytes;
    else if (strcmp(name, "score") == 0)
        *out = live->score;
    else if (strcmp(name, "is") == 0)
        *out = live->published;
    else if (strcmp(name, "rank") == 0)
        *out = live->place == 0 ? (double)NAN : (double)live->place;
    else if (strcmp(name, "pairs") == 0)
        *out = (double)live->pairs;
    else if (strcmp(name, "failed") == 0)
        *out = (double)live->failed;
    else
        return false;
    return true;
}

/* A comparison such as dim>=512; false when the word is not one. */
static bool compare(const es_app *app, const char *word, size_t item, bool *pass, char *error,
                    size_t capacity) {
    size_t name = strcspn(word, "<>=");
    char key[24];
    double have, want;
    if (word[name] == '\0' || name == 0)
        return false;
    (void)snprintf(key, sizeof key, "%.*s", (int)(name < 23 ? name : 23), word);
    const char *value = word + name + 1;
    bool equal = word[name] == '=';
    if (!equal && *value == '=') {
        equal = true;
        value++;
    }
    if (!number_of_field(app, key, item, &have)) {
        (void)snprintf(error, capacity, "%s: use dim rows size score rank pairs or failed", key);
        *pass = true;
    } else if (!es_text_parse_double(value, strlen(value), &want)) {
        (void)snprintf(error, capacity, "%s: a number must follow", key);
        *pass = true;
    } else
        *pass = (word[name] == '<' && have < want) || (word[name] == '>' && have > want) ||
                (equal && have == want);
    return true;
}

/* "C1" is C1 and all that is in it, C1.2 too; as in the names of embedders, case does not count. */
static bool in_community(const es_app *app, const char *name, size_t item) {
    char label[24];
    size_t group = es_tree_group(app, item), length = strlen(name);
    if (group == ES_NONE)
        return false;
    es_tree_label(app, group, label, sizeof label);
    bool letter = name[0] == label[0] || name[0] == label[0] + ('a' - 'A');
    return length > 0 && letter && strncmp(label + 1, name + 1, length - 1) == 0 &&
           (label[length] == '\0' || label[length] == '.');
}

static bool word_holds(const es_app *app, char *word, size_t item, char *error, size_t capacity) {
    const es_model *model = es_app_model(app, item);
    size_t length = strlen(word);
    bool pass;
    if (word[0] == '/' && length > 1) {
        if (word[length - 1] == '/' && length > 2)
            word[length - 1] = '\0';
        return es_pattern_holds(app->pattern, word + 1, model->name, error, capacity);
    }
    if (compare(app, word, item, &pass, error, capacity))
        return pass;
    if (strncmp(word, "c:", 2) == 0)
        return in_community(app, word + 2, item);
    if (strcmp(word, "fail") == 0 || strcmp(word, "failed") == 0)
        return app->live[item].failed > 0;
    if (strcmp(word, "marked") == 0)
        return app->marked[item];
    if (strcmp(word, "excluded") == 0)
        return model->state == ES_MODEL_EXCLUDED;
    if (strcmp(word, "ready") == 0)
        return model->state == ES_MODEL_READY;
    return es_text_holds(model->name, word) ||
           (model->family != NULL && es_text_holds(model->family, word));
}

bool es_filter_pass(const es_app *app, const char *filter, size_t item, char *error,
                    size_t capacity) {
    char words[ES_APP_LINE], *rest = NULL;
    char unused[8];
    if (error == NULL) {
        error = unused;
        capacity = sizeof unused;
    }
    bool pass = true; /* all words are read, so that a faulty one is found for any item */
    error[0] = '\0';
    (void)snprintf(words, sizeof words, "%s", filter);
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        bool negate = word[0] == '!' && word[1] != '\0';
        bool holds = word_holds(app, word + negate, item, error, capacity);
        if (error[0] != '\0')
            return true;
        pass = pass && holds != negate;
    }
    return pass;
}

bool es_filter_reads(const es_app *app, const char *filter, char *error, size_t capacity) {
    error[0] = '\0';
    for (size_t item = 0; item < app->n && error[0] == '\0'; item++)
        (void)es_filter_pass(app, filter, item, error, capacity);
    return error[0] == '\0';
}

bool es_filter_of_communities(const es_app *app) {
    return strstr(app->set.filter, "c:") != NULL;
}

bool es_filter_awaits(const es_app *app) {
    return es_filter_of_communities(app) && app->tree.found == NULL;
}

/* Taking up what the source says: results, the run, and what follows from them, the live ranking,
 * colour limits and the order of lists. */

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
