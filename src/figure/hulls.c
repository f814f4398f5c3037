/* Convex hulls, the gap between two of them, and joining by single linkage as long as it stays. */
#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one hull ---- */

static int by_place(const void *a, const void *b) {
    const es_spot *p = a, *q = b;
    int by_x = (p->x > q->x) - (p->x < q->x);
    return by_x != 0 ? by_x : (p->y > q->y) - (p->y < q->y);
}

static double turn(es_spot a, es_spot b, es_spot c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

size_t es_hull_of(es_spot *p, size_t n, es_spot *hull) {
    size_t count = 0;
    qsort(p, n, sizeof *p, by_place);
    if (n > 0 && by_place(&p[0], &p[n - 1]) == 0) { /* all on one spot */
        hull[0] = p[0];
        return 1;
    }
    for (size_t i = 0; i < n; i++) {
        while (count >= 2 && turn(hull[count - 2], hull[count - 1], p[i]) <= 0)
            count--;
        hull[count++] = p[i];
    }
    for (size_t i = n, lower = count + 1; i-- > 0;) {
        if (i + 1 == n)
            continue;
        while (count >= lower && turn(hull[count - 2], hull[count - 1], p[i]) <= 0)
            count--;
        hull[count++] = p[i];
    }
    return count > 1 ? count - 1 : count; /* the last is the first again */
}

/* ---- two hulls ---- */

typedef struct outline {
    es_spot *corner; /* NULL: joined to another one */
    size_t corners;
    unsigned group;
    double left, top, right, bottom;
} outline;

static double to_line(es_spot p, es_spot a, es_spot b) {
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

static bool cross(es_spot a, es_spot b, es_spot c, es_spot d) {
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

static bool is_inside(es_spot p, const outline *o) {
    for (size_t k = 0; k < o->corners; k++)
        if (turn(o->corner[k], o->corner[(k + 1) % o->corners], p) < 0)
            return false;
    return o->corners > 2;
}

/* Where it is more than `enough`, that is returned. */
static double gap(const outline *a, const outline *b, double enough) {
    double least = enough;
    if (a->left - b->right >= enough || b->left - a->right >= enough ||
        a->top - b->bottom >= enough || b->top - a->bottom >= enough)
        return enough;
    if (is_inside(a->corner[0], b) || is_inside(b->corner[0], a))
        return 0;
    for (size_t i = 0; i < a->corners; i++)
        for (size_t j = 0; j < b->corners; j++) {
            es_spot p = a->corner[i], q = a->corner[(i + 1) % a->corners];
            es_spot r = b->corner[j], s = b->corner[(j + 1) % b->corners];
            if (cross(p, q, r, s))
                return 0;
            least = fmin(least, fmin(to_line(p, r, s), to_line(r, p, q)));
        }
    return least;
}

/* Finds the bounding box of an outline. */
static void find_box(outline *o) {
    o->left = o->top = INFINITY;
    o->right = o->bottom = -INFINITY;
    for (size_t k = 0; k < o->corners; k++) {
        o->left = fmin(o->left, o->corner[k].x);
        o->right = fmax(o->right, o->corner[k].x);
        o->top = fmin(o->top, o->corner[k].y);
        o->bottom = fmax(o->bottom, o->corner[k].y);
    }
}

/* ---- joining ---- */

typedef struct joint {
    double length;
    size_t a, b;
} joint;

static int by_length(const void *a, const void *b) {
    const joint *p = a, *q = b;
    if (p->length < q->length || p->length > q->length)
        return p->length < q->length ? -1 : 1;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static joint *joints_of(const es_spot *at, const unsigned *group, size_t n, size_t *count) {
    *count = 0;
    joint *found = es_alloc(n, (n / 2 + 1) * sizeof *found);
    for (size_t i = 0; found && i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (group[i] > 0 && group[i] == group[j])
                found[(*count)++] = (joint){hypot(at[i].x - at[j].x, at[i].y - at[j].y), i, j};
    if (found)
        qsort(found, *count, sizeof *found, by_length);
    return found;
}

static bool may_join(const outline *all, size_t n, const outline *a, const outline *b,
                     const outline *both, double air) {
    for (size_t i = 0; i < n; i++) {
        const outline *other = &all[i];
        if (other->corner == NULL || (other->group > 0 && other->group == both->group))
            continue;
        double after = gap(both, other, air);
        if (after < air && after < fmin(gap(a, other, air), gap(b, other, air)) - 1e-9)
            return false;
    }
    return true;
}

/* False: out of memory. scratch (n). */
static bool join(outline *all, size_t n, size_t a, size_t b, double air, es_spot *scratch,
                 size_t *piece) {
    outline both = {.group = all[a].group};
    size_t count = all[a].corners + all[b].corners;
    both.corner = es_alloc(2 * count + 2, sizeof *both.corner);
    if (both.corner == NULL)
        return false;
    memcpy(scratch, all[a].corner, all[a].corners * sizeof *scratch);
    memcpy(scratch + all[a].corners, all[b].corner, all[b].corners * sizeof *scratch);
    both.corners = es_hull_of(scratch, count, both.corner);
    find_box(&both);
    if (!may_join(all, n, &all[a], &all[b], &both, air)) {
        es_free(both.corner);
        return true;
    }
    es_free(all[a].corner);
    es_free(all[b].corner);
    size_t first = a < b ? a : b, second = a < b ? b : a;
    all[first] = both;
    all[second].corner = NULL;
    for (size_t i = 0; i < n; i++)
        if (piece[i] == second)
            piece[i] = first;
    return true;
}

es_status es_hull_pieces(const es_spot *at, const unsigned *group, size_t n, double air,
                         size_t *piece, es_error *err) {
    es_status st = ES_OK;
    size_t joints = 0;
    outline *all = es_alloc_zero(n, sizeof *all);
    es_spot *scratch = es_alloc(n, sizeof *scratch);
    joint *near = joints_of(at, group, n, &joints);
    ES_FAIL_IF(all == NULL || scratch == NULL || near == NULL, es_no_memory(err));
    for (size_t i = 0; i < n; i++) {
        piece[i] = i;
        all[i] = (outline){.corner = es_alloc(1, sizeof *at), .corners = 1, .group = group[i]};
        ES_FAIL_IF(all[i].corner == NULL, es_no_memory(err));
        all[i].corner[0] = at[i];
        find_box(&all[i]);
    }
    for (size_t k = 0; k < joints; k++) {
        size_t a = piece[near[k].a], b = piece[near[k].b];
        ES_FAIL_IF(a != b && !join(all, n, a, b, air, scratch, piece), es_no_memory(err));
    }
done:
    for (size_t i = 0; all && i < n; i++)
        es_free(all[i].corner);
    es_free(all);
    es_free(scratch);
    es_free(near);
    return st;
}

/* Many points on one or two planes side by side: the same points, in the same groups. */

#define GAP 14.0
#define HEAD 12.0
#define LINE 10.0
#define AIR 0.04

/* A square that holds all points at one scale in both directions, so that distances can be seen. */
typedef struct square {
    double x, y, side, low_x, low_y, scale;
} square;

static void range_of(const double *v, size_t n, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++)
        es_widen(v[i], low, high);
}

static square square_of(const es_cloud *cloud, const es_cloud_panel *p, double x, double y,
                        double side) {
    double low[2], high[2];
    range_of(p->x, cloud->n, &low[0], &high[0]);
    range_of(p->y, cloud->n, &low[1], &high[1]);
    double width = fmax(high[0] - low[0], high[1] - low[1]) * (1 + 2 * AIR);
    square s = {x, y, side, 0, 0, 1};
    if (!(width > 0))
        width = 1;
    s.scale = side / width;
    s.low_x = (low[0] + high[0] - width) / 2;
    s.low_y = (low[1] + high[1] - width) / 2;
    return s;
}

static es_rgb colour(const es_canvas *c, const es_cloud *cloud, uint32_t group) {
    return group >= cloud->groups || group == cloud->background ? c->ink.faint
                                                                : es_group_colour(c, group + 1);
}

/* Those of no group first, so that they cover nothing. */
static void put_points(const es_canvas *c, const es_cloud *cloud, const es_cloud_panel *p,
                       const square *s) {
    double radius = cloud->n > 1000 ? 0.7 : cloud->n > 300 ? 1.0 : 1.5;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < cloud->n; i++) {
            uint32_t g = cloud->group[i];
            bool behind = g >= cloud->groups || g == cloud->background;
            if (behind != (pass == 0) || !isfinite(p->x[i]) || !isfinite(p->y[i]))
                continue;
            es_ink_set_alpha(c, colour(c, cloud, g), behind ? 0.45 : 0.8);
            es_put_group_mark(c, behind ? 0 : g + 1, s->x + (p->x[i] - s->low_x) * s->scale,
                              s->y + s->side - (p->y[i] - s->low_y) * s->scale, radius);
        }
}

static void put_panel(const es_canvas *c, const es_cloud *cloud, const es_cloud_panel *p, double x,
                      double side) {
    char fitted[ES_TEXT_FIT];
    square s = square_of(cloud, p, x, HEAD, side);
    es_ink_set(c, c->ink.text);
    es_put_text(c, x, HEAD / 2 - 1, ES_FONT_NORMAL, ES_ALIGN_LEFT,
                es_name_fit(c, ES_FONT_NORMAL, p->title, side, fitted));
    put_points(c, cloud, p, &s);
    es_ink_set(c, c->ink.grid);
    es_put_line(c, x, HEAD, x + side, HEAD, ES_LINE_THIN);
    es_put_line(c, x, HEAD + side, x + side, HEAD + side, ES_LINE_THIN);
    es_put_line(c, x, HEAD, x, HEAD + side, ES_LINE_THIN);
    es_put_line(c, x + side, HEAD, x + side, HEAD + side, ES_LINE_THIN);
    es_ink_set(c, c->ink.faint);
    es_put_text(c, x + side / 2, HEAD + side + 6, ES_FONT_SMALL, ES_ALIGN_CENTRE, p->x_title);
    es_put_turned(c, x - 5, HEAD + side / 2, ES_FONT_SMALL, ES_ALIGN_CENTRE, p->y_title);
}

static void put_groups(const es_canvas *c, const es_cloud *cloud, double y) {
    char fitted[ES_TEXT_FIT];
    for (size_t g = 0; g < cloud->groups; g++, y += LINE) {
        es_ink_set(c, colour(c, cloud, (uint32_t)g));
        es_put_group_mark(c, g == cloud->background ? 0 : (unsigned)g + 1, 13, y, 2);
        es_ink_set(c, c->ink.text);
        es_put_text(c, 19, y, ES_FONT_SMALL, ES_ALIGN_LEFT,
                    es_text_fit(c, ES_FONT_SMALL, cloud->group_name[g], c->width - 20, fitted));
    }
}

es_status es_figure_cloud(const es_cloud *cloud, const es_figure_style *style, es_picture format,
                          es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    ES_TRY(es_canvas_init(&c, style, cloud->panels > 1 ? ES_FIGURE_DOUBLE : ES_FIGURE_SINGLE, err));
    double left = 10, gap = GAP + left,
           side = (c.width - left - gap * (double)(cloud->panels - 1)) / (double)cloud->panels;
    double below = HEAD + side + 18;
    ES_TRY(es_canvas_page(&c, below + LINE * (double)cloud->groups, format, out, err));
    for (size_t k = 0; k < cloud->panels; k++)
        put_panel(&c, cloud, &cloud->panel[k], left + (side + gap) * (double)k, side);
    put_groups(&c, cloud, below);
    st = es_canvas_finish(&c, err);
done:
    es_canvas_deinit(&c);
    return st;
}
