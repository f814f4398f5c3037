/* Rectangles of panes, a rule for each view and class of screen size. */
#include "app_state.h"

#include <string.h>

#include "view_settings.h"

enum {
    SIDE_POOL = 34,
    SIDE_HEAT_WIDE = 46,
    SIDE_HEAT = 25,
    SIDE_CORR_WIDE = 42,
    SIDE_CORR = 27,
    SIDE_CORR_SMALL = 23
};

static es_rect rect(int x, int y, int w, int h) {
    return (es_rect){x, y, w > 0 ? w : 0, h > 0 ? h : 0};
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static void lay_heatmap(es_layout *layout) {
    es_rect b = layout->body;
    bool wide = layout->size == ES_LAYOUT_WIDE;
    int side = wide ? SIDE_HEAT_WIDE : SIDE_HEAT;
    int x = b.x + b.w - side;
    layout->pane[ES_PANE_MAIN] = rect(b.x, b.y, b.w - side, b.h);
    if (!wide) {
        int cell = least(13, b.h);
        layout->pane[ES_PANE_SIDE] = rect(x, b.y, side, cell);
        layout->pane[ES_PANE_EXTRA] = rect(x, b.y + cell, side, b.h - cell);
        return;
    }
    int threads = b.h >= 34 ? 8 : 0, extremes = b.h >= 30 ? 9 : b.h - 17;
    int cell = b.h - threads - extremes;
    layout->pane[ES_PANE_SIDE] = rect(x, b.y, side, cell);
    layout->pane[ES_PANE_EXTRA] = rect(x, b.y + cell, side, extremes);
    layout->pane[ES_PANE_THREADS] = rect(x, b.y + cell + extremes, side, threads);
}

static void lay_tree(es_layout *layout) {
    es_rect b = layout->body;
    int side = least(58, b.w * 47 / 100), facts = b.h >= 34 ? 17 : b.h / 2;
    int x = b.x + b.w - side;
    layout->pane[ES_PANE_MAIN] = rect(b.x, b.y, b.w - side, b.h);
    layout->pane[ES_PANE_SIDE] = rect(x, b.y, side, facts);
    layout->pane[ES_PANE_EXTRA] = rect(x, b.y + facts, side, b.h - facts);
}

static void lay_corr(es_layout *layout) {
    es_rect b = layout->body;
    bool wide = layout->size == ES_LAYOUT_WIDE;
    int tasks = wide                               ? SIDE_CORR_WIDE
                : layout->size == ES_LAYOUT_NORMAL ? SIDE_CORR
                                                   : SIDE_CORR_SMALL;
    int point = wide ? (b.h >= 34 ? 9 : 5) : 0;
    layout->pane[ES_PANE_MAIN] = rect(b.x, b.y, tasks, b.h);
    layout->pane[ES_PANE_SIDE] = rect(b.x + tasks, b.y, b.w - tasks, b.h - point);
    if (point > 0)
        layout->pane[ES_PANE_EXTRA] = rect(b.x + tasks, b.y + b.h - point, b.w - tasks, point);
}

static void lay_jobs(es_layout *layout) {
    es_rect b = layout->body;
    bool wide = layout->size == ES_LAYOUT_WIDE;
    int run = wide ? 7 : 5;
    int log = wide ? b.h / 4 : b.h >= 20 ? 6 : b.h >= 15 ? 4 : 0;
    int middle = b.h - run - log, left = wide ? b.w / 2 : b.w;
    layout->pane[ES_PANE_RUN] = rect(b.x, b.y, b.w, run);
    layout->pane[ES_PANE_MAIN] = rect(b.x, b.y + run, left, middle);
    layout->pane[ES_PANE_LOG] = rect(b.x, b.y + run + middle, b.w, log);
    if (wide)
        layout->pane[ES_PANE_SIDE] = rect(b.x + left, b.y + run, b.w - left, middle);
}

/* Wide: the compared above, everything below. Else a short head, targets, and tasks if there is
 * room; the other panes take the whole body while they have the focus. */
static void lay_compare(es_layout *layout) {
    es_rect b = layout->body;
    if (layout->size != ES_LAYOUT_WIDE) {
        bool normal = layout->size == ES_LAYOUT_NORMAL;
        int head = normal ? 8 : 6, side = normal ? b.w * 9 / 20 : 0, h = b.h - head;
        layout->pane[ES_PANE_CARDS] = rect(b.x, b.y, b.w, head);
        layout->pane[ES_PANE_TARGETS] = rect(b.x, b.y + head, b.w - side, h);
        layout->pane[ES_PANE_TASKS] = rect(b.x + b.w - side, b.y + head, side, h);
        return;
    }
    int cards = 7, who = b.h >= 34 ? 11 : 9, h = b.h - cards, y = b.y + cards;
    int left = b.w * 29 / 60, x = b.x + left, right = b.w - left;
    int rows = h * 9 / 20, targets = h - rows;
    layout->pane[ES_PANE_CARDS] = rect(b.x, b.y, b.w, cards);
    layout->pane[ES_PANE_WHO] = rect(b.x, y, left, who);
    layout->pane[ES_PANE_TASKS] = rect(b.x, y + who, left, h - who);
    layout->pane[ES_PANE_TARGETS] = rect(x, y, right, targets);
    layout->pane[ES_PANE_ROWS] = rect(x, y + targets, right, rows);
}

static void lay_pool(es_layout *layout) {
    es_rect b = layout->body;
    layout->pane[ES_PANE_SIDE] = rect(b.x, b.y, SIDE_POOL, b.h);
    layout->pane[ES_PANE_MAIN] = rect(b.x + SIDE_POOL, b.y, b.w - SIDE_POOL, b.h);
}

/* Where there is room beside the table: why the row under the cursor stands where it does. */
static void lay_rank(es_layout *layout) {
    es_rect b = layout->body;
    int side = b.w >= 150 ? least(72, b.w - 100) : 0;
    layout->pane[ES_PANE_MAIN] = rect(b.x, b.y, b.w - side, b.h);
    if (side > 0)
        layout->pane[ES_PANE_SIDE] = rect(b.x + b.w - side, b.y, side, b.h);
}

int es_between(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

/* The answer in a tile of its own above the others; the matrix on the right, as square as it can
 * be; the ranking and what there is room for below it on the left. */
static void lay_overview(es_layout *layout) {
    es_rect b = layout->body;
    int lines = b.h >= 30 ? 5 : b.h >= 18 ? 4 : 2; /* tiles must not jump when it gets longer */
    int above = (layout->answer.h > lines ? layout->answer.h : lines) + 2;
    int y = layout->answer.y + above, h = b.y + b.h - y,
        matrix = es_between(2 * h - 2, b.w * 2 / 5, b.w * 11 / 20);
    int left = b.w - matrix, run = h >= 40 ? 7 : h >= 24 ? 5 : 0;
    int downstream = h >= 40 ? 9 : h >= 24 ? 7 : h >= 15 ? 4 : 0;
    int families = h >= 40 ? 12 : h >= 24 ? 7 : h >= 15 ? 4 : 0;
    int first = h - families - downstream - run;
    layout->pane[ES_TILE_ANSWER] = rect(b.x, layout->answer.y, b.w, above);
    layout->pane[ES_TILE_MATRIX] = rect(b.x + left, y, matrix, h);
    layout->pane[ES_TILE_FIRST] = rect(b.x, y, left, first);
    layout->pane[ES_TILE_FAMILIES] = rect(b.x, y + first, left, families);
    layout->pane[ES_TILE_DOWNSTREAM] = rect(b.x, y + first + families, left, downstream);
    layout->pane[ES_TILE_RUN] = rect(b.x, y + h - run, left, run);
    layout->body = rect(b.x, layout->answer.y, b.w, above + h);
    layout->answer.h = 0;
}

/* A view's panes, from which class of size on they stand beside each other, and which can have the
 * focus besides the main one. Below that size, and without a rule, that pane has it all. */
enum { MAIN = 1 << ES_PANE_MAIN, SIDE = 1 << ES_PANE_SIDE };
static const struct {
    void (*lay)(es_layout *layout);
    es_layout_class from;
    unsigned focus;
} rules[ES_VIEW_COUNT] = {
    [ES_VIEW_OVERVIEW] = {lay_overview, ES_LAYOUT_NARROW, ~0U},
    [ES_VIEW_POOL] = {lay_pool, ES_LAYOUT_WIDE, SIDE},
    [ES_VIEW_RANK] = {lay_rank, ES_LAYOUT_WIDE, SIDE},
    [ES_VIEW_HEATMAP] = {lay_heatmap, ES_LAYOUT_NORMAL, SIDE},
    [ES_VIEW_TREE] = {lay_tree, ES_LAYOUT_WIDE, SIDE},
    [ES_VIEW_CORR] = {lay_corr, ES_LAYOUT_NARROW, SIDE},
    [ES_VIEW_COMPARE] = {lay_compare, ES_LAYOUT_NARROW, ~(1U << ES_PANE_CARDS)},
    [ES_VIEW_JOBS] = {lay_jobs, ES_LAYOUT_NARROW, SIDE | 1 << ES_PANE_LOG},
};

bool es_pane_focusable(es_view_id view, es_pane pane) {
    return ((rules[view].focus | MAIN) >> pane & 1U) != 0;
}

static es_layout_class size_class(int w, int h) {
    return w < 20 || h < 3     ? ES_LAYOUT_TINY
           : w < 60 || h < 16  ? ES_LAYOUT_SMALL
           : w < 80 || h < 20  ? ES_LAYOUT_NARROW
           : w < 110 || h < 28 ? ES_LAYOUT_NORMAL
                               : ES_LAYOUT_WIDE;
}

int es_layout_answer_width(es_view_id view, int w) {
    return view == ES_VIEW_OVERVIEW ? w - 4 : w - 2;
}

int es_layout_answer(es_view_id view, int w, int h) {
    if (view == ES_VIEW_OVERVIEW && h >= 16)
        return h >= 34 ? 7 : h >= 22 ? 4 : 2;
    if (view != ES_VIEW_POOL && view != ES_VIEW_RANK)
        return 0;
    switch (size_class(w, h)) {
    case ES_LAYOUT_WIDE:
        return h >= 38 ? 7 : h >= 34 ? 5 : 3;
    case ES_LAYOUT_NORMAL:
        return h >= 24 ? 3 : 2;
    case ES_LAYOUT_NARROW:
        return 1;
    default:
        return 0;
    }
}

es_layout es_layout_make(es_view_id view, es_pane focus, int w, int h, int answer) {
    es_layout layout = {.size = size_class(w, h)};
    if (layout.size == ES_LAYOUT_TINY) {
        layout.body = rect(0, 0, w, h);
        return layout;
    }
    answer = least(answer, es_layout_answer(view, w, h));
    layout.header = rect(0, 0, w, 1);
    layout.answer = rect(1, 1, w - 2, answer);
    layout.body = rect(0, 1 + answer, w, h - 3 - answer);
    layout.run = rect(0, h - 2, w, 1);
    layout.footer = rect(0, h - 1, w, 1);
    if (layout.size == ES_LAYOUT_SMALL) {
        layout.body = rect(0, 0, w, h);
        return layout;
    }
    if (rules[view].lay != NULL && layout.size >= rules[view].from)
        rules[view].lay(&layout);
    else
        layout.pane[ES_PANE_MAIN] = layout.body;
    /* A focused pane without a place of its own gets the whole body. */
    if (layout.pane[focus].w == 0 || layout.pane[focus].h == 0) {
        for (int p = 0; p < ES_PANE_COUNT; p++)
            layout.pane[p] = rect(0, 0, 0, 0);
        layout.pane[focus] = layout.body;
    }
    return layout;
}

es_rect es_pane_inside(const es_app *app, es_pane pane) {
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], app->w, app->h, app->headline.lines);
    return es_layout_inside(layout.pane[pane]);
}

es_rect es_layout_inside(es_rect pane) {
    return rect(pane.x + 1, pane.y + 1, pane.w - 2, pane.h - 2);
}

/* Settings of the views: their defaults from view_settings.def, and the one list of names for each
 * choice among them, which commands, :set, completion and saved sessions share. */

const char *const es_matrix_order_names[] = {
    [ES_ORDER_RANK] = "rank",           [ES_ORDER_NAME] = "name",       [ES_ORDER_DIM] = "dim",
    [ES_ORDER_COMMUNITY] = "community", [ES_ORDER_CLUSTER] = "cluster", NULL};
const char *const es_score_names[] = {"predictive", "published", NULL};
const char *const es_zoom_names[] = {"overview", "half", "square", "large", "auto", NULL};
const char *const es_compare_order_names[] = {"size", "difference", "name", NULL};
const char *const es_corr_kind_names[] = {"spearman", "kendall", "pearson", NULL};
const char *const es_corr_label_names[] = {"extremes", "all", "cursor", "off", NULL};
const char *const es_corr_band_names[] = {"line", "none", NULL};
const char *const es_yes_no[] = {"yes", "no", NULL};
const char *const es_log_level_names[] = {"debug", "info", "warn", "error", NULL};

size_t es_choice_find(const char *const *names, const char *name) {
    size_t i = 0;
    while (names[i] != NULL && strcmp(names[i], name) != 0)
        i++;
    return names[i] == NULL ? ES_NONE : i;
}

/* Enumerations are ints, or bytes where a snapshot should be small. */
long es_settings_load(const void *base, size_t offset, size_t size) {
    const char *member = (const char *)base + offset;
    int value = 0;
    if (size == 1)
        return *(const uint8_t *)member;
    memcpy(&value, member, sizeof value);
    return value;
}

void es_settings_store(void *base, size_t offset, size_t size, long number) {
    char *member = (char *)base + offset;
    int value = (int)number;
    if (size == 1)
        *(uint8_t *)member = (uint8_t)number;
    else
        memcpy(member, &value, sizeof value);
}

void es_settings_init(es_settings *set) {
#define KEPT(member, value, ...) .member = value,
#define SET KEPT
    *set = (es_settings){
        .table[ES_TABLE_RANK] = {.column = ES_RANK_SCORE,
                                 .sort = ES_RANK_SCORE,
                                 .descending = true},
#include "view_settings.def"
    };
#undef SET
#undef KEPT
}
