/* Which items a list shows, in which order, and where the cursor is. */
#include <string.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"

/* ---- Orders ---- */

/* position (n): of every item in the order of the heatmap, which is that of documents and pictures.
 * False: out of memory. O(n). */
static bool place_in_heatmap(const es_app *app, size_t *position) {
    size_t n = app->n;
    uint32_t *rank = es_alloc(n + 1, 3 * sizeof *rank), *group = rank + n, *order = group + n;
    size_t *dim = es_alloc(n + 1, sizeof *dim);
    bool placed = rank != NULL && dim != NULL;
    for (size_t i = 0; placed && i < n; i++) {
        size_t of = es_tree_group(app, i);
        rank[i] = (uint32_t)app->live[i].place;
        dim[i] = es_app_model(app, i)->dim;
        group[i] = (uint32_t)(of == ES_NONE ? n + i : of);
        position[i] = app->tree.leaf[i];
    }
    es_order_keys keys = {
        .m = n, .rank = rank, .dim = dim, .group = app->tree.found != NULL ? group : NULL};
    if (placed && app->set.order != ES_ORDER_CLUSTER) {
        placed = es_order_make(app->set.order, &keys, order, NULL) == ES_OK;
        for (size_t k = 0; placed && k < n; k++)
            position[order[k]] = k;
    }
    es_free(rank);
    es_free(dim);
    return placed;
}

/* position: of ES_LIST_HEAT. */
static int compare(const es_app *app, es_list_id list, const size_t *position, size_t a, size_t b) {
    if (list == ES_LIST_HEAT)
        return (position[a] > position[b]) - (position[a] < position[b]);
    if (list == ES_LIST_TREE)
        return es_tree_compare(app, a, b);
    es_table_id table = list == ES_LIST_POOL ? ES_TABLE_POOL : ES_TABLE_RANK;
    return es_columns_compare(app, table, app->set.table[table].sort, a, b);
}

/* Stable merge sort of item[0..count) with scratch of the same size. */
static void sort(es_app *app, es_list_id list, const size_t *position, size_t *item,
                 size_t *scratch, size_t count) {
    if (count < 2)
        return;
    size_t half = count / 2, i = 0, j = half;
    sort(app, list, position, item, scratch, half);
    sort(app, list, position, item + half, scratch, count - half);
    for (size_t k = 0; k < count; k++) {
        bool left = j == count || (i < half && compare(app, list, position, item[i], item[j]) <= 0);
        scratch[k] = left ? item[i++] : item[j++];
    }
    memcpy(item, scratch, count * sizeof *item);
}

/* ---- Lists ---- */

bool es_select_in_matrix(const es_app *app, size_t item) {
    return es_app_model(app, item)->state != ES_MODEL_EXCLUDED;
}

size_t es_select_hidden(const es_app *app) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += app->hidden[i];
    return count;
}

bool es_select_belongs(const es_app *app, es_list_id list, size_t item) {
    return (list == ES_LIST_POOL || es_select_in_matrix(app, item)) &&
           (list != ES_LIST_RANK || !es_ranked_leaves_out(app, item));
}

static bool shown(const es_app *app, es_list_id list, size_t item) {
    return !app->hidden[item] && app->passes[item] && es_select_belongs(app, list, item);
}

size_t es_select_index(const es_app *app, es_list_id list, size_t item) {
    for (size_t i = 0; list != ES_LIST_COUNT && i < app->list[list].count; i++)
        if (app->list[list].item[i] == item)
            return i;
    return ES_NONE;
}

/* A held list keeps its order: what is no longer shown leaves, what is new goes to the end. */
static void keep_order(es_app *app, es_list_id id, size_t *fresh, size_t count) {
    es_list *list = &app->list[id];
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (shown(app, id, list->item[i]))
            list->item[kept++] = list->item[i];
    for (size_t i = 0; i < count && kept < count; i++) {
        bool old = false;
        for (size_t k = 0; k < kept && !old; k++)
            old = list->item[k] == fresh[i];
        if (!old)
            list->item[kept++] = fresh[i];
    }
    list->count = kept;
    app->order_stale = app->order_stale || memcmp(list->item, fresh, count * sizeof *fresh) != 0;
}

/* Lists the items that are shown, in their order; `hold`: rows keep their places. */
static void refresh_list(es_app *app, es_list_id id, bool hold) {
    es_list *list = &app->list[id];
    size_t *fresh = app->scratch, *merge = fresh + app->n, *position = merge + app->n, count = 0;
    bool shows = id == es_view_table[app->view].list;
    size_t anchor = shows ? es_select_index(app, id, app->cursor) : ES_NONE;
    for (size_t i = 0; i < app->n; i++)
        if (shown(app, id, i))
            fresh[count++] = i;
    if (id != ES_LIST_HEAT || place_in_heatmap(app, position))
        sort(app, id, position, fresh, merge, count);
    if (hold)
        keep_order(app, id, fresh, count);
    else {
        memcpy(list->item, fresh, count * sizeof *fresh);
        list->count = count;
    }
    /* The row under the cursor stays on its line of the screen; a list that nobody looks at stays
     * where it is. */
    size_t at = es_select_index(app, id, app->cursor);
    if (anchor != ES_NONE && at != ES_NONE && anchor >= list->top)
        list->top = at > anchor - list->top ? at - (anchor - list->top) : 0;
}

/* Where the cursor goes when its item is not shown: to the one that took its place. */
static size_t replacement(const es_app *app, es_list_id id, size_t before) {
    const es_list *list = &app->list[id];
    if (list->count == 0)
        return ES_NONE;
    return list->item[before < list->count ? before : list->count - 1];
}

/* An order of chance is not worth holding: until all are ranked, those that are come first. */
static bool may_hold(const es_app *app, es_list_id list) {
    if (list == ES_LIST_RANK)
        return app->frozen || app->ordered;
    return list != ES_LIST_TREE;
}

/* before it was ever moved: on the best */
static void select_first(es_app *app);

void es_select_refresh(es_app *app, bool now) {
    bool hold = !now && (app->frozen || app->now < app->hold_until);
    es_list_id here = es_view_table[app->view].list;
    if (!app->ordered || !es_ranked_complete(app))
        for (size_t i = 0; i < app->n && !app->frozen; i++)
            app->held_place[i] = app->live[i].place;
    size_t before = es_select_index(app, here, app->cursor);
    app->order_stale = false;
    for (size_t i = 0; i < app->n; i++)
        app->passes[i] =
            app->set.filter[0] == '\0' || es_filter_pass(app, app->set.filter, i, NULL, 0);
    for (int list = 0; list < ES_LIST_COUNT; list++)
        refresh_list(app, (es_list_id)list, hold && may_hold(app, (es_list_id)list));
    app->ordered = es_ranked_complete(app);
    if (here == ES_LIST_COUNT)
        here = ES_LIST_HEAT;
    if (es_select_index(app, here, app->cursor) == ES_NONE && !es_filter_awaits(app)) {
        size_t next = replacement(app, here, before == ES_NONE ? 0 : before);
        if (next == ES_NONE && app->cursor == ES_NONE) /* of those that this view does not list */
            next = replacement(app, ES_LIST_POOL, 0);
        if (next != ES_NONE || app->list[ES_LIST_POOL].count == 0)
            app->cursor = next;
    }
    bool lost = es_select_index(app, ES_LIST_HEAT, app->column) == ES_NONE;
    if ((lost || !app->moved) && !es_filter_awaits(app)) { /* the best, of the next best */
        const es_list *heat = &app->list[ES_LIST_HEAT];
        app->column = heat->count == 0 ? ES_NONE : heat->item[heat->count > 1 ? 1 : 0];
    }
    select_first(app);
    if (app->set.filter[0] != '\0' && app->job >= es_jobs_lines(app))
        app->job = es_jobs_lines(app) > 0 ? es_jobs_lines(app) - 1 : 0;
    es_select_scroll(app);
}

void es_select_cursor(es_app *app, size_t item) {
    app->cursor = item;
    app->moved = true;
    app->rank_seen = app->rank_seen || app->view == ES_VIEW_RANK;
    if (app->range != ES_NONE) { /* a range of marks follows the cursor */
        es_list_id id = es_view_table[app->view].list;
        size_t a = es_select_index(app, id, app->range), b = es_select_index(app, id, item);
        memcpy(app->marked, app->range_base, app->n * sizeof(bool));
        if (a != ES_NONE && b != ES_NONE)
            for (size_t i = a < b ? a : b; i <= (a < b ? b : a); i++)
                app->marked[app->list[id].item[i]] = true;
    }
    es_select_scroll(app);
}

static void select_first(es_app *app) {
    const es_list *list = &app->list[ES_LIST_RANK];
    if (app->view == ES_VIEW_HEATMAP && !app->moved && list->count > 0)
        app->cursor = list->item[0];
    if (app->view != ES_VIEW_RANK || list->count == 0 || (app->moved && app->rank_seen))
        return;
    int inside = es_pane_inside(app, ES_PANE_MAIN).h;
    size_t at = es_select_index(app, ES_LIST_RANK, app->cursor);
    if (!app->moved || at == ES_NONE || inside < 2 || at >= (size_t)inside - 1)
        app->cursor = list->item[0]; /* else both fit */
    app->list[ES_LIST_RANK].top = 0;
    app->rank_seen = app->rank_seen || app->ordered;
}

void es_scroll_to(size_t *top, size_t at, size_t page, size_t count) {
    if (at != ES_NONE && at < *top)
        *top = at;
    if (at != ES_NONE && at >= *top + page)
        *top = at + 1 - page;
    if (*top + page > count)
        *top = count > page ? count - page : 0;
}

void es_select_scroll(es_app *app) {
    es_rect inside = es_pane_inside(app, ES_PANE_MAIN);
    es_list_id id = es_view_table[app->view].list;
    if (inside.h < 1 || id == ES_LIST_COUNT || id == ES_LIST_TREE)
        return; /* the tree scrolls by its lines */
    es_list *list = &app->list[id];
    if (id != ES_LIST_HEAT) {
        size_t page = inside.h > 2 ? (size_t)inside.h - 1 : 1;
        es_scroll_to(&list->top, es_select_index(app, id, app->cursor), page, list->count);
        return;
    }
    es_screen_sizes g = es_heat_geometry(app, inside);
    if (g.pool > 1) {
        list->top = app->left = 0;
        return;
    }
    es_scroll_to(&list->top, es_select_index(app, id, app->cursor), g.rows, list->count);
    es_scroll_to(&app->left, es_select_index(app, id, app->column), g.columns, list->count);
    if (g.half)
        list->top -= list->top % 2; /* pairs of rows stay together */
    if (g.half && list->count > g.rows && list->top + g.rows < list->count &&
        es_select_index(app, id, app->cursor) >= list->top + g.rows)
        list->top += 2;
}

/* ---- Freezing ---- */

void es_select_freeze(es_app *app, bool frozen) {
    app->frozen = frozen;
    for (size_t i = 0; i < app->n; i++)
        app->held_place[i] = app->live[i].place;
    if (!frozen)
        es_select_refresh(app, true);
}

size_t es_select_changes(const es_app *app) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += app->live[i].place != app->held_place[i];
    return count;
}

/* ---- Views ---- */

void es_go(es_app *app, es_view_id view) {
    const es_view_ops *next = es_view_ops_of(app, view);
    if (view != app->view) {
        if (next->enter != NULL)
            next->enter(app);
        if (app->range != ES_NONE) /* and so does what to do with it */
            app->toast_until = 0;
        app->range = ES_NONE;
        app->compare.away = false;
    }
    app->view = view;
    es_list_id list = es_view_table[view].list;
    if (list != ES_LIST_COUNT && es_select_index(app, list, app->cursor) == ES_NONE &&
        app->list[list].count > 0)
        app->cursor = app->list[list].item[0];
    select_first(app);
    es_select_scroll(app);
}
