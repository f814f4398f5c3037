/* Corr's tasks by category: the coefficient of each with its interval, size against coefficient,
 * and what communities reach downstream. */
#include <math.h>
#include <stdio.h>

#include "corr_panes.h"
#include "kinds.h"
#include "shapes.h"
#include "tree.h"
#include "number_text.h"

enum { NAME = 24, COUNT = 7, VALUE = 24 };

static void draw_category(const es_app *app, es_grid *grid, es_rect r, size_t at) {
    const es_task_kind *k = &app->kinds->found->kind[at];
    es_correlation kind = es_corr_kind(app);
    es_stat stat = k->report.value[kind];
    bool here = app->kinds->at == at;
    es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
    char text[64];
    es_grid_fill(grid, r, role, ' ');
    es_grid_field(grid, r.x + 2, r.y, NAME - 3, -1, role, k->category);
    (void)snprintf(text, sizeof text, "%zu", k->tasks);
    es_grid_field(grid, r.x + NAME, r.y, COUNT - 2, 1, role, text);
    (void)snprintf(text, sizeof text, "%zu", k->report.n);
    es_grid_field(grid, r.x + NAME + COUNT, r.y, COUNT - 2, 1, role, text);
    if (stat.why != NULL)
        (void)snprintf(text, sizeof text, "- %s", stat.why);
    else if (isfinite(k->report.low[kind]))
        (void)snprintf(text, sizeof text, "%5.2f [%5.2f, %5.2f]", es_rounded_off(stat.value, 2),
                       es_rounded_off(k->report.low[kind], 2),
                       es_rounded_off(k->report.high[kind], 2));
    else
        (void)snprintf(text, sizeof text, "%5.2f [ … , … ]", es_rounded_off(stat.value, 2));
    es_grid_field(grid, r.x + NAME + 2 * COUNT, r.y, VALUE, -1, role, text);
    int x = r.x + NAME + 2 * COUNT + VALUE, w = r.x + r.w - 1 - x;
    if (w >= 12 && stat.why == NULL)
        es_draw_bar(grid, x, r.y, w, fabs(stat.value),
                    stat.value < 0 ? ES_ROLE_DELTA_DOWN : ES_ROLE_PROGRESS_FULL,
                    ES_ROLE_PROGRESS_EMPTY);
}

static int draw_head(const es_app *app, es_grid *grid, es_rect r) {
    es_grid_fill(grid, r, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_text(grid, r.x + 2, r.y, ES_ROLE_COLUMN_HEADER, "category");
    es_grid_field(grid, r.x + NAME, r.y, COUNT - 2, 1, ES_ROLE_COLUMN_HEADER, "tasks");
    es_grid_field(grid, r.x + NAME + COUNT, r.y, COUNT - 2, 1, ES_ROLE_COLUMN_HEADER, "n");
    es_grid_printf(grid, r.x + NAME + 2 * COUNT, r.y, ES_ROLE_COLUMN_HEADER, "%s mean percentile",
                   es_corr_symbol(app, es_corr_kind(app)));
    return r.y + 1;
}

static int draw_categories(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_kinds *s = app->kinds;
    int y = draw_head(app, grid, (es_rect){in.x, in.y, in.w, 1});
    size_t page = in.h > 6 ? (size_t)in.h - 4 : 2,
           top = s->at >= page && s->at < s->found->count ? s->at + 1 - page : 0;
    if (s->found->count == 0)
        es_grid_text(grid, in.x + 2, y++, ES_ROLE_TEXT_DIM,
                     "none is known: tasks.csv beside the scores names them (man embedscope-pool)");
    for (size_t c = 0; c < page && top + c < s->found->count; c++) {
        es_rect line = {in.x, y++, in.w, 1};
        draw_category(app, grid, line, top + c);
        es_grid_click_area(grid, line, ES_CLICK_LINE, top + c);
    }
    return y;
}

static void draw_communities(const es_app *app, es_grid *grid, es_rect in, int y) {
    const struct es_kinds *s = app->kinds;
    const es_task_kinds *k = s->found;
    char label[16];
    if (k->communities == 0)
        return;
    es_grid_fill(grid, (es_rect){in.x, y, in.w, 1}, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_text(grid, in.x + 2, y, ES_ROLE_COLUMN_HEADER, "community");
    es_grid_field(grid, in.x + NAME + COUNT, y, COUNT - 2, 1, ES_ROLE_COLUMN_HEADER, "n");
    es_grid_text(grid, in.x + NAME + 2 * COUNT, y++, ES_ROLE_COLUMN_HEADER,
                 "mean percentile downstream ± s.d.");
    size_t before = k->count + (isfinite(k->size.value) ? 1 : 0), first = 0;
    size_t page = in.y + in.h > y ? (size_t)(in.y + in.h - y) : 0;
    if (s->at >= before && s->at - before >= page && page > 0)
        first = s->at - before + 1 - page;
    for (size_t c = first; c < k->communities && y < in.y + in.h; c++, y++) {
        const es_community_reach *reach = &k->community[c];
        bool here = s->at == before + c;
        es_role role = here ? ES_ROLE_SELECTION : ES_ROLE_TEXT;
        es_grid_fill(grid, (es_rect){in.x, y, in.w, 1}, role, ' ');
        es_tree_label(app, reach->community, label, sizeof label);
        es_grid_text(grid, in.x + 2, y, here ? role : es_draw_community(app, reach->community),
                     label);
        es_grid_field(grid, in.x + 8, y, NAME - 9, -1, role, es_tree_name(app, reach->community));
        es_grid_printf(grid, in.x + NAME + COUNT, y, role, "%5zu", reach->n);
        if (isfinite(reach->sd))
            es_grid_printf(grid, in.x + NAME + 2 * COUNT, y, role, "%5.1f ± %.1f", reach->mean,
                           reach->sd);
        else
            es_grid_printf(grid, in.x + NAME + 2 * COUNT, y, role, "%5.1f", reach->mean);
        int x = in.x + NAME + 2 * COUNT + VALUE, w = in.x + in.w - 1 - x;
        if (w >= 12)
            es_draw_bar(grid, x, y, w, reach->mean / 100, ES_ROLE_PROGRESS_FULL,
                        ES_ROLE_PROGRESS_EMPTY);
        es_grid_click_area(grid, (es_rect){in.x, y, in.w, 1}, ES_CLICK_LINE, before + c);
    }
}

void es_corr_draw_kinds(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_kinds *s = app->kinds;
    char title[120];
    (void)snprintf(title, sizeof title, "%.60s vs tasks by category", es_corr_axis(app));
    bool known = s != NULL && s->found != NULL;
    es_rect in = es_grid_pane(grid, body, true, title,
                              known && s->settled < s->found->count ? "drawing intervals" : NULL,
                              "K coefficient · m score · gk goes back");
    if (!known) {
        if (app->corr->tasks > 0)
            es_draw_empty(grid, in, "Nothing is known yet", "r starts the estimation.");
        else
            es_corr_draw_no_scores(app, grid, in);
        return;
    }
    es_rect old = es_grid_clip(grid, in);
    int communities = (int)(s->found->communities < 8 ? s->found->communities : 8) + 3;
    int y = draw_categories(
        app, grid,
        (es_rect){in.x, in.y, in.w, in.h - communities > 6 ? in.h - communities : in.h / 2});
    if (isfinite(s->found->size.value)) {
        bool here = s->at == s->found->count;
        es_grid_printf(grid, in.x + 2, y, here ? ES_ROLE_SELECTION : ES_ROLE_TEXT,
                       "size of a task against its %s: %.2f over %zu tasks",
                       es_corr_symbol(app, ES_SPEARMAN), es_rounded_off(s->found->size.value, 2),
                       s->found->sized);
        y++;
    }
    draw_communities(app, grid, in, y + 1);
    es_grid_set_clip(grid, old);
}
