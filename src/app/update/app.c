/* The life of the explorer's state: made for a source, told what the terminal can show, asked when
 * it wants to be called again, freed. */
#include "app_update.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_corr.h"
#include "app_compare.h"
#include "app_values.h"
#include "app_commands.h"
#include "app_lists.h"
#include "app_sheets.h"
#include "app_tree.h"

#define READ_TICK 0.25 /* seconds between looks at how far large files are */
#define FLASH 0.3      /* seconds that a new cell is lit */

/* ---- Life ---- */

/* Every array whose length depends on the number of embedders. */
static bool allocate(es_app *app) {
    size_t n = app->n;
    for (int list = 0; list < ES_LIST_COUNT; list++)
        app->list[list].item = es_app_keep(app, n, sizeof(size_t));
    app->position = es_app_keep(app, n, sizeof(size_t));
    app->known = es_app_keep(app, n * n, 1);
    app->known_row = es_app_keep(app, n, sizeof(uint64_t));
    app->live = es_app_keep(app, n, sizeof(es_live_rank));
    app->ranked.order = es_app_keep(app, n, sizeof(uint32_t));
    app->ranked.place = es_app_keep(app, n, sizeof(size_t));
    app->urgency = es_app_keep(app, n, 1);
    app->urgency_scratch = es_app_keep(app, n, 1);
    app->marked = es_app_keep(app, n, sizeof(bool));
    app->hidden = es_app_keep(app, n, sizeof(bool));
    app->folded = es_app_keep(app, n, 1);
    app->pattern = es_app_keep(app, 1, sizeof(struct es_pattern *));
    app->passes = es_app_keep(app, n, sizeof(bool));
    app->excluded = es_app_keep(app, n, sizeof(bool));
    app->accepted = es_app_keep(app, n, sizeof(bool));
    app->range_base = es_app_keep(app, n, sizeof(bool));
    app->held_place = es_app_keep(app, n, sizeof(size_t));
    app->scratch = es_app_keep(app, 3 * n, sizeof(size_t));
    app->values = es_app_keep(app, (n + 2) * (n + 2), sizeof(double));
    return es_tree_init(app) && es_app_scores_init(app) && es_corr_new(app) && es_summary_new(app);
}

es_app *es_app_new(es_source *source, es_log *log) {
    es_app *app = es_alloc_zero(1, sizeof *app);
    if (app == NULL)
        return NULL;
    app->source = source;
    app->view_ops = es_view_objects;
    source->refresh(source);
    app->log = log;
    app->n = source->model_count;
    app->entry = app->wanted_entry = app->intervals.entry = app->ranked.entry = ES_NONE;
    app->intervals.asked_at = -1e9;
    app->newest_source = app->newest_target = ES_NONE;
    app->newest_at = -1e9;
    app->range = app->first = ES_NONE;
    app->log_level = ES_LOG_INFO;
    es_settings_init(&app->set);
    app->cursor = app->column = ES_NONE;
    app->autostart = true;
    app->hold_until = app->interrupt_at = app->clicked_at = -1e9;
    app->job_source = app->job_target = ES_NONE;
    app->compare.target = app->compare.aimed = app->compare.row_target = ES_NONE;
    app->dirty = true;
    if (!allocate(app)) {
        es_app_free(app);
        return NULL;
    }
    app->phase = source->phase;
    es_app_choose_digits(app);
    es_app_read(app);
    return app;
}

static size_t namesake(const es_app *app, const es_app *before, size_t item) {
    return es_app_find(app, es_app_model(before, item)->name);
}

/* The cursor's embedder may be gone: then to the next one of the list that was shown, or the one
 * before it where there is none. */
static void keep_cursor(es_app *app, const es_app *before) {
    es_list_id id = es_view_table[before->view].list;
    if (before->cursor == ES_NONE || app->n == 0 ||
        namesake(app, before, before->cursor) != ES_NONE)
        return;
    const es_list *list = &before->list[id == ES_LIST_COUNT ? ES_LIST_HEAT : id];
    size_t at = 0, found = ES_NONE;
    while (at < list->count && list->item[at] != before->cursor)
        at++;
    for (size_t k = at + 1; k < list->count && found == ES_NONE; k++)
        found = namesake(app, before, list->item[k]);
    for (size_t k = at < list->count ? at : 0; k-- > 0 && found == ES_NONE;)
        found = namesake(app, before, list->item[k]);
    if (found != ES_NONE)
        app->cursor = found;
}

void es_app_take_place(es_app *app, const es_app *before) {
    app->may_start = before->may_start;
    app->mouse_said = before->mouse_said;
    memcpy(app->focus, before->focus, sizeof app->focus);
    memcpy(app->pane_top, before->pane_top, sizeof app->pane_top);
    app->job = before->job;
    app->moved = before->moved;
    app->hold_until = before->hold_until;
    app->interrupt_at = before->interrupt_at; /* the second Ctrl-C may come after it */
    keep_cursor(app, before);
    es_select_refresh(app, true);
    for (int id = 0; id < ES_LIST_COUNT; id++) {
        size_t then = es_select_index(before, (es_list_id)id, before->cursor),
               now = es_select_index(app, (es_list_id)id, app->cursor);
        if (then == ES_NONE || now == ES_NONE || then < before->list[id].top)
            continue;
        size_t above = then - before->list[id].top;
        app->list[id].top = now > above ? now - above : 0;
    }
    size_t then = es_select_index(before, ES_LIST_HEAT, before->column),
           now = es_select_index(app, ES_LIST_HEAT, app->column);
    if (then != ES_NONE && now != ES_NONE && then >= before->left)
        app->left = now > then - before->left ? now - (then - before->left) : 0;
    es_select_scroll(app);
    app->beside.again = before->beside.on; /* over the embedders that there are now */
    app->beside.of_sets = before->beside.of_sets;
}

void es_app_free(es_app *app) {
    if (app == NULL)
        return;
    es_pattern_free(app->pattern == NULL ? NULL : *app->pattern);
    es_sheets_forget(app);
    es_duels_forget(app);
    es_took_free(app->took);
    es_refine_free(app);
    es_ranked_free(app);
    es_headline_free(app);
    es_words_deinit(&app->themes);
    es_free(app->pick.item);
    es_free(app->note.text);
    es_free(app->recent);
    es_free(app->score_value);
    es_free(app->scores_file);
    es_tree_forget(&app->tree);
    es_force_free(app->tree.force);
    es_linkage_free(app->tree.linkage);
    es_compare_free(app);
    es_prompt_free(app);
    es_words_deinit(&app->export.line);
    es_keymap_free(&app->keymap);
    es_history_free(app);
    for (size_t i = 0; i < app->kept_count; i++)
        es_free(app->kept[i]);
    es_free(app->kept);
    es_free(app);
}

void es_app_display(es_app *app, bool ascii, bool coarse, bool mono) {
    app->ascii = ascii;
    app->coarse = coarse;
    app->mono = mono;
    app->dirty = true;
    es_select_scroll(app);
}

void es_app_themes(es_app *app, es_words *names, const char *current) {
    es_words_deinit(&app->themes);
    app->themes = *names;
    *names = (es_words){0};
    (void)snprintf(app->theme, sizeof app->theme, "%s", current == NULL ? "" : current);
    if (app->mode == ES_MODE_PICK && app->pick.kind == ES_PICK_THEME)
        es_pick_themes(app);
    if (app->theme_first[0] == '\0')
        (void)snprintf(app->theme_first, sizeof app->theme_first, "%s", app->theme);
}

void es_app_recent(es_app *app, const char *lines) {
    es_free(app->recent);
    app->recent = es_strdup(lines);
}

/* ---- Small services ---- */

es_status es_app_set(es_app *app, const char *name, const char *value, es_effects *effects,
                     es_error *err) {
    es_status st = es_setting_set(app, name, value, effects, err);
    es_history_free(app);
    app->toast_until = 0;
    app->hold_until = -1e9;
    return st;
}

/* ---- Messages ---- */

void es_app_drawn(es_app *app) {
    app->dirty = app->urgent = false;
}

static double view_deadline(const es_app *app) {
    const es_view_ops *view = es_view_shown(app);
    return view->deadline == NULL ? (double)INFINITY : view->deadline(app);
}

bool es_app_settled(const es_app *app) {
    return !(app->sheets != NULL && app->sheets->asking) && !app->source->decision.busy &&
           !app->source->families.busy && !app->source->dendrogram.busy && !es_beside_busy(app) &&
           !es_corr_waits(app) && isinf(es_ranking_intervals_due(app)) &&
           isinf(es_tree_deadline(app)) && isinf(view_deadline(app));
}

double es_app_deadline(const es_app *app) {
    double deadline = (double)INFINITY, tick = es_view_shown(app)->tick;
    if (app->toast_until > 0)
        deadline = fmin(deadline, app->toast_until);
    if (app->order_stale && !app->frozen)
        deadline = fmin(deadline, fmax(app->hold_until, app->now));
    if (app->prefix != 0 && !app->prefix_ran && !es_app_lists_keys(app))
        deadline = fmin(deadline, app->prefix_at + ES_APP_MENU);
    if (app->now - app->newest_at < FLASH)
        deadline = fmin(deadline, app->newest_at + FLASH);
    if (app->fit_late)
        deadline = fmin(deadline, app->fitted_at + ES_APP_FIT_PAUSE);
    deadline = fmin(deadline, fmax(es_ranking_intervals_due(app), app->now));
    deadline = fmin(deadline, es_tree_deadline(app));
    if (app->phase == ES_PHASE_RUNNING ||
        app->source->training != NULL) /* ETA, elapsed, loss curves */
        deadline = fmin(deadline, app->now + (tick > 0 ? tick : 1));
    if (app->phase == ES_PHASE_CHECKING) /* how far large files are */
        deadline = fmin(deadline, app->now + READ_TICK);
    return fmin(deadline, view_deadline(app));
}
