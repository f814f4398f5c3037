/* Lists to choose from: orders, hidden embedders, columns, themes. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app_dialogs.h"
#include "app_lists.h"
#include "app_state.h"

bool es_pick_move(size_t *at, size_t count, size_t page, uint32_t key) {
    size_t last = count > 0 ? count - 1 : 0;
    switch (key) {
    case 'j':
    case ES_KEY_DOWN:
    case 'n' - ES_KEY_CTRL:
        *at += *at < last;
        return true;
    case 'k':
    case ES_KEY_UP:
    case 'p' - ES_KEY_CTRL:
        *at -= *at > 0;
        return true;
    case 'd' - ES_KEY_CTRL:
    case ES_KEY_PAGE_DOWN:
        *at = *at + page < last ? *at + page : last;
        return true;
    case 'u' - ES_KEY_CTRL:
    case ES_KEY_PAGE_UP:
        *at -= *at < page ? *at : page;
        return true;
    case 'g':
    case ES_KEY_HOME:
        *at = 0;
        return true;
    case 'G':
    case ES_KEY_END:
        *at = last;
        return true;
    default:
        return false;
    }
}

/* Ways to derive an embedder that the list offers; :derive takes any number of axes. */
static const struct {
    const char *way, *about;
} ways[] = {
    {"whiten", "all directions at the same variance"},
    {"whiten 64", "the 64 of most variance, at the same variance"},
    {"abtt 1", "centred, without the direction of most variance"},
    {"abtt 2", "without two"},
    {"abtt 3", "without three"},
    {"center", "without the mean"},
    {"normalize", "every row at length 1"},
    {"flow", "to a standard normal, trained without labels"},
    {"pca 64", "the 64 directions of most variance"},
    {"random-projection 64", "64 random directions"},
    {"concat", "with the marked one beside it"},
    {"cmim 64", "trained without labels, on marked ones too"},
};

const char *es_derive_way(size_t k) {
    return k < sizeof ways / sizeof *ways ? ways[k].way : NULL;
}

void es_pick_text(const es_app *app, size_t item, char *out, size_t capacity) {
    const es_pick *pick = &app->pick;
    es_table_id table = es_view_table[app->view].table;
    switch (pick->kind) {
    case ES_PICK_ORDER:
        (void)snprintf(out, capacity, "%s%s", es_matrix_order_names[item],
                       (size_t)app->set.order == item ? "  (now)" : "");
        break;
    case ES_PICK_HIDDEN:
        (void)snprintf(out, capacity, "%s", es_app_name(app, item));
        break;
    case ES_PICK_COLUMNS: {
        const char *title = es_columns_at(app, table, item).title;
        (void)snprintf(out, capacity, "[%s] %s", app->set.table[table].hidden[item] ? " " : "x",
                       title[0] == '\0' ? "interval" : title);
        break;
    }
    case ES_PICK_THEME:
        (void)snprintf(out, capacity, "%s%s", app->themes.word[item],
                       strcmp(app->themes.word[item], pick->before) == 0 ? "  (was)" : "");
        break;
    case ES_PICK_MEASURE:
        (void)snprintf(out, capacity, "%-20s %s", es_measure_at(item)->name,
                       es_measure_at(item)->title);
        break;
    case ES_PICK_DERIVE:
        (void)snprintf(out, capacity, "%-20s %s", es_derive_way(item), ways[item].about);
        break;
    case ES_PICK_OPTIONS:
        (void)pick->line(item, out, capacity);
        break;
    case ES_PICK_SIDE: {
        const es_live_rank *live = &app->live[item];
        const char *name = es_app_name(app, item);
        if (live->place > 0)
            (void)snprintf(out, capacity, "%3zu  %s", live->place, name);
        else
            (void)snprintf(out, capacity, "  -  %s", name);
        break;
    }
    }
}

/* Is what was typed in it, in letters of either case? */
static bool passes(const es_app *app, size_t item) {
    char text[300];
    es_pick_text(app, item, text, sizeof text);
    return es_text_contains(text, app->pick.typed.text, false);
}

static void add_item(es_app *app, size_t item) {
    es_pick *pick = &app->pick;
    pick->all++;
    if (pick->typed.length > 0 && !passes(app, item))
        return;
    size_t *more = es_grow(pick->item, pick->count, &pick->room, sizeof *more);
    if (more == NULL)
        return;
    pick->item = more;
    pick->item[pick->count++] = item;
}

static bool is_there(const es_app *app, size_t item) {
    char line[ES_APP_LINE];
    switch (app->pick.kind) {
    case ES_PICK_ORDER:
        return item < ES_ORDER_COUNT;
    case ES_PICK_COLUMNS:
        return item < es_columns_count(app, es_view_table[app->view].table);
    case ES_PICK_THEME:
        return item < app->themes.count;
    case ES_PICK_MEASURE:
        return es_measure_at(item) != NULL;
    case ES_PICK_OPTIONS:
        return app->pick.line(item, line, sizeof line);
    case ES_PICK_DERIVE:
        return es_derive_way(item) != NULL;
    default:
        return item < app->n; /* of embedders */
    }
}

void es_pick_fill(es_app *app) {
    es_pick *pick = &app->pick;
    pick->count = pick->all = 0;
    for (size_t i = 0; is_there(app, i); i++)
        if ((pick->kind != ES_PICK_HIDDEN || app->hidden[i]) &&
            (pick->kind != ES_PICK_SIDE || es_select_in_matrix(app, i)))
            add_item(app, i);
    if (pick->at >= pick->count)
        pick->at = pick->count == 0 ? 0 : pick->count - 1;
}

void es_pick_typed(es_app *app) {
    es_pick *pick = &app->pick;
    char text[300];
    es_pick_fill(app);
    pick->at = 0;
    for (size_t k = pick->count; k-- > 0;) {
        es_pick_text(app, pick->item[k], text, sizeof text);
        if (strncasecmp(text, pick->typed.text, pick->typed.length) == 0)
            pick->at = k;
    }
}

static void go_to_item(es_app *app, size_t item) {
    for (size_t k = 0; k < app->pick.count; k++)
        if (app->pick.item[k] == item)
            app->pick.at = k;
}

void es_pick_themes(es_app *app) {
    es_pick_fill(app);
    for (size_t i = 0; i < app->themes.count; i++)
        if (strcmp(app->themes.word[i], app->theme) == 0)
            go_to_item(app, i);
}

void es_pick_open(es_app *app, es_pick_kind kind) {
    es_pick *pick = &app->pick;
    pick->kind = kind;
    pick->at = 0;
    pick->typing = false;
    es_line_set(&pick->typed, "");
    es_pick_fill(app);
    if (kind == ES_PICK_ORDER)
        go_to_item(app, app->set.order);
    if (kind == ES_PICK_COLUMNS)
        go_to_item(app, app->set.table[es_view_table[app->view].table].column);
    if (kind == ES_PICK_THEME)
        es_pick_themes(app);
    const es_compare_settings *sides = &app->set.compare;
    if (kind == ES_PICK_SIDE && app->compare.side < sides->count)
        go_to_item(app, sides->item[app->compare.side]);
    (void)snprintf(pick->before, sizeof pick->before, "%s", app->theme);
    app->mode = ES_MODE_PICK;
}

/* The line at the bottom: what it begins with, and the lines typed before. */

/* ---- History ---- */

void es_prompt_remember(es_history *history, const char *text) {
    if (text[0] == '\0' ||
        (history->count > 0 && strcmp(history->line[history->count - 1], text) == 0))
        return;
    char *copy = es_strdup(text);
    if (copy == NULL)
        return; /* a line less in the history */
    if (history->count == ES_APP_HISTORY) {
        es_free(history->line[0]);
        memmove(history->line, history->line + 1, (ES_APP_HISTORY - 1) * sizeof *history->line);
        history->count--;
    }
    history->line[history->count++] = copy;
    history->fresh += history->fresh < ES_APP_HISTORY;
}

/* ---- The prompt ---- */

void es_prompt_open(es_app *app, es_prompt_kind kind) {
    es_prompt *prompt = &app->prompt;
    app->mode = ES_MODE_PROMPT;
    prompt->kind = kind;
    prompt->browsing = prompt->complete_at = 0;
    prompt->error[0] = '\0';
    prompt->origin = app->cursor;
    prompt->place = es_search_place(app);
    (void)snprintf(prompt->before, sizeof prompt->before, "%s", app->set.filter);
    es_line_set(&prompt->line, kind == ES_PROMPT_FILTER ? app->set.filter : "");
}

void es_prompt_open_with(es_app *app, const char *begin) {
    es_prompt_open(app, ES_PROMPT_COMMAND);
    es_line_set(&app->prompt.line, begin);
}

void es_prompt_free(es_app *app) {
    for (int kind = 0; kind < ES_PROMPT_COUNT; kind++)
        for (size_t i = 0; i < app->prompt.history[kind].count; i++)
            es_free(app->prompt.history[kind].line[i]);
}

/* Searching: names in the list that the view shows, or in the lines that it has instead. */

static const es_list *searched(const es_app *app) {
    es_list_id id = es_view_table[app->view].list;
    return &app->list[id == ES_LIST_COUNT ? ES_LIST_RANK : id];
}

static size_t places(const es_app *app) {
    const es_view_ops *view = es_view_shown(app);
    return view->lines != NULL ? view->lines(app) : searched(app)->count;
}

static bool found_at(const es_app *app, size_t place) {
    const es_view_ops *view = es_view_shown(app);
    size_t source = ES_NONE, target = ES_NONE;
    if (view->holds != NULL)
        return view->holds(app, place, app->search);
    if (view->line_of == NULL)
        source = searched(app)->item[place];
    else if (!view->line_of(app, place, &source, &target))
        return false;
    return es_select_matches(app, app->search, source) ||
           (target != ES_NONE && es_select_matches(app, app->search, target));
}

size_t es_search_place(const es_app *app) {
    const es_list *list = searched(app);
    const es_view_ops *view = es_view_shown(app);
    if (view->line != NULL)
        return view->line(app);
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i] == app->cursor)
            return i;
    return ES_NONE;
}

void es_search_go(es_app *app, size_t place) {
    const es_view_ops *view = es_view_shown(app);
    if (place >= places(app))
        return;
    if (view->to_line != NULL)
        view->to_line(app, place);
    else
        es_select_cursor(app, searched(app)->item[place]);
}

size_t es_search_find(const es_app *app, size_t from, bool backward, bool skip) {
    size_t count = places(app), start = from < count ? from : 0;
    for (size_t step = skip ? 1 : 0; step < count + (skip ? 1 : 0); step++) {
        size_t at = (backward ? start + count - step % count : start + step) % count;
        if (found_at(app, at))
            return at;
    }
    return ES_NONE;
}
