/* Corr's table of scores that need no labels: each against the mean rank over tasks, best
 * first, with the dimension as the line to beat. */
#include <math.h>
#include <stdio.h>

#include "agreement.h"
#include "corr_panes.h"
#include "facts.h"
#include "number_text.h"
#include "shapes.h"

enum { COUNT = 4, VALUE = 21, POINTS = 7 };

typedef struct rivals_view {
    const es_app *app;
    es_grid *grid;
    const struct es_agree_state *s;
    const es_agreement *a;
    int name; /* width of names */
} rivals_view;

/* "0.52 [ 0.31, 0.70]". */
static void put_band(const rivals_view *v, int x, int y, es_role role, es_stat stat, double low,
                     double high, bool sign) {
    char text[64];
    if (stat.why != NULL)
        (void)snprintf(text, sizeof text, "    -");
    else if (!isfinite(low))
        (void)snprintf(text, sizeof text, sign ? "%+5.2f" : "%5.2f", es_rounded_off(stat.value, 2));
    else
        (void)snprintf(text, sizeof text, sign ? "%+5.2f [%5.2f,%5.2f]" : "%5.2f [%5.2f,%5.2f]",
                       es_rounded_off(stat.value, 2), es_rounded_off(low, 2),
                       es_rounded_off(high, 2));
    es_grid_field(v->grid, x, y, VALUE - 1, -1, role, text);
}

static void draw_line(const rivals_view *v, es_rect r, size_t line) {
    size_t c = es_agreement_column(v->app, line);
    const es_correlation_report *report = &v->a->against[c];
    const es_agreement_cell *ahead = &v->a->ahead[c];
    bool here = line == v->s->at;
    es_role role = here ? ES_ROLE_SELECTION : c == 0 ? ES_ROLE_TEXT_STRONG : ES_ROLE_TEXT;
    int x = r.x + 2 + v->name, end = r.x + r.w;
    char text[24];
    es_grid_fill(v->grid, r, role, ' ');
    es_grid_click_area(v->grid, r, ES_CLICK_LINE, line);
    if (here)
        es_grid_text(v->grid, r.x, r.y, role, "❯");
    es_grid_field(v->grid, r.x + 2, r.y, v->name - 1, -1, role, es_agreement_title(v->app, c));
    bool drawn = report->n > 0 || report->value[ES_SPEARMAN].why != NULL;
    (void)snprintf(text, sizeof text, "%zu", report->n);
    es_grid_field(v->grid, x, r.y, COUNT - 1, 1, role, drawn ? text : "…");
    x += COUNT;
    if (!drawn)
        return;
    put_band(v, x, r.y, role, report->value[ES_SPEARMAN], report->low[ES_SPEARMAN],
             report->high[ES_SPEARMAN], false);
    x += VALUE;
    for (size_t first = 0; first < 2 && x + POINTS <= end; first++, x += POINTS) {
        double lost = v->s->regret[2 * c + first];
        (void)snprintf(text, sizeof text, isfinite(lost) ? "%.0f" : "-", fabs(lost));
        es_grid_field(v->grid, x, r.y, POINTS - 1, 1, role, text);
    }
    if (x + VALUE <= end && c > 0 && ahead->n > 0)
        put_band(v, x + 1, r.y,
                 here              ? role
                 : ahead->low > 0  ? ES_ROLE_DELTA_UP
                 : ahead->high < 0 ? ES_ROLE_DELTA_DOWN
                                   : role,
                 ahead->tau, ahead->low, ahead->high, true);
    x += VALUE + 1;
    if (x + VALUE <= end)
        put_band(v, x, r.y, role, report->value[ES_KENDALL], report->low[ES_KENDALL],
                 report->high[ES_KENDALL], false);
}

static void draw_head(const rivals_view *v, es_rect r) {
    static const char *const points[] = {"first", "five"};
    int x = r.x + 2 + v->name, end = r.x + r.w;
    es_grid_fill(v->grid, r, ES_ROLE_COLUMN_HEADER, ' ');
    es_grid_text(v->grid, r.x + 2, r.y, ES_ROLE_COLUMN_HEADER, "score");
    es_grid_field(v->grid, x, r.y, COUNT - 1, 1, ES_ROLE_COLUMN_HEADER, "n");
    x += COUNT;
    es_grid_field(v->grid, x + 1, r.y, VALUE - 2, -1, ES_ROLE_COLUMN_HEADER,
                  v->app->ascii ? "rho mean rank" : "ρ mean rank");
    x += VALUE;
    for (size_t first = 0; first < 2 && x + POINTS <= end; first++, x += POINTS)
        es_grid_field(v->grid, x, r.y, POINTS - 1, 1, ES_ROLE_COLUMN_HEADER, points[first]);
    if (x + VALUE <= end)
        es_grid_field(v->grid, x + 1, r.y, VALUE - 2, -1, ES_ROLE_COLUMN_HEADER,
                      "ahead of dimension");
    x += VALUE + 1;
    if (x + VALUE <= end)
        es_grid_field(v->grid, x, r.y, VALUE - 2, -1, ES_ROLE_COLUMN_HEADER,
                      v->app->ascii ? "tau" : "τ");
}

/* What to mind of the score under the cursor, in the last line; false: nothing. */
static bool draw_remark(const rivals_view *v, es_rect r) {
    char told[240], text[320];
    size_t c = es_agreement_column(v->app, v->s->at < v->s->k ? v->s->at : 0);
    if (r.h < 4 || !es_agreement_remark(v->app, c, told, sizeof told))
        return false;
    (void)snprintf(text, sizeof text, "%s: %s", es_agreement_title(v->app, c), told);
    es_grid_field(v->grid, r.x + 2, r.y + r.h - 1, r.w - 3, -1, ES_ROLE_WARNING, text);
    return true;
}

void es_corr_draw_rivals(const es_app *app, es_grid *grid, es_rect body) {
    const struct es_agree_state *s = app->agree;
    bool known = s != NULL && s->known != NULL && s->rivals;
    const es_agreement *a = known ? es_agreer_report(s->known) : NULL;
    char bottom[80];
    (void)snprintf(bottom, sizeof bottom, "%sgm adds a measure · ga: all, gr goes back",
                   es_corr_controls(app) > 0 ? "without controls · " : "");
    es_rect in =
        es_grid_pane(grid, body, true, "Scores without labels",
                     body.w >= 70 ? "first, five: points of mean percentile lost" : NULL, bottom);
    if (!known || a->against == NULL) {
        if (known)
            es_corr_draw_no_scores(app, grid, in);
        else
            es_draw_empty(grid, in, "Nothing is known yet",
                          "r starts the estimation; gm chooses a measure to compute.");
        return;
    }
    rivals_view v = {app, grid, s, a, 9};
    for (size_t c = 0; c < s->k; c++) {
        int w = es_name_width(es_agreement_title(app, c)) + 1;
        v.name = w > v.name ? w : v.name;
    }
    int room = in.w - 2 - COUNT - VALUE - 2 * POINTS, most = room < 36 ? room : 36;
    v.name = v.name < most ? v.name : most > 8 ? most : 8;
    es_rect old = es_grid_clip(grid, in);
    draw_head(&v, (es_rect){in.x, in.y, in.w, 1});
    in.h -= draw_remark(&v, in);
    size_t page = in.h > 1 ? (size_t)in.h - 1 : 1, top = s->at >= page ? s->at + 1 - page : 0;
    for (size_t y = 0; y < page && top + y < s->k; y++)
        draw_line(&v, (es_rect){in.x, in.y + 1 + (int)y, in.w, 1}, top + y);
    es_grid_set_clip(grid, old);
}
