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
