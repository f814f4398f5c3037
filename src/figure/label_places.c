/* Tries places around a point at growing distances and keeps the cheapest that hits nothing;
 * labels placed earlier move again in later sweeps. */
#include "canvas.h"

#include <math.h>

/* Where a label may stand: directions at growing distances. Right of its point is best, above and
 * below worst, far away worse than that. */
enum { DIRECTIONS = 16, RINGS = 7, CANDIDATES = DIRECTIONS * RINGS, SWEEPS = 4 };
#define OVERLAP 100.0

/* Returns the k-th place for a label around its point, and what it costs: far and slanted ones
 * more. */
static void candidate_place(const es_label *l, int k, double *x, double *y, double *cost) {
    int direction = k % DIRECTIONS, ring = k / DIRECTIONS;
    double angle = 2 * ES_PI * direction / DIRECTIONS, gap = l->radius + 1.5 + 5.0 * ring;
    double cx = cos(angle), cy = sin(angle);
    /* the label's box touches the circle of that radius from outside */
    *x = l->px + cx * gap + (cx - 1) / 2 * l->w;
    *y = l->py + cy * gap + (cy - 1) / 2 * l->h;
    *cost = 2.0 * ring + 0.6 * (1 - cx) + 0.5 * fabs(cy);
}

static double overlap(double a, double a_length, double b, double b_length) {
    return fmin(a + a_length, b + b_length) - fmax(a, b);
}

static double overlaps(double x, double y, const es_label *l, const es_label *other) {
    double w = overlap(x, l->w, other->x, other->w), h = overlap(y, l->h, other->y, other->h);
    return w > 0 && h > 0 ? 1 + w * h / (l->w * l->h) : 0;
}

/* Returns 1 if a label placed at (x, y) covers a point, else 0. */
static double hits_point(double x, double y, const es_label *l, const es_label *point) {
    double dx = fmax(fmax(x - point->px, point->px - (x + l->w)), 0);
    double dy = fmax(fmax(y - point->py, point->py - (y + l->h)), 0);
    return dx * dx + dy * dy < (point->radius + 0.5) * (point->radius + 0.5) ? 1 : 0;
}

/* ---- lines that lead to labels ---- */

typedef struct leader {
    bool there;
    double from[2], to[2];
} leader;

static leader leader_of(const es_label *l) {
    leader line = {0};
    line.there = es_label_leads(l, line.from, line.to);
    return line;
}

static double side_of(const double a[2], const double b[2], const double p[2]) {
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static bool cross(const leader *a, const leader *b) {
    return side_of(a->from, a->to, b->from) * side_of(a->from, a->to, b->to) < 0 &&
           side_of(b->from, b->to, a->from) * side_of(b->from, b->to, a->to) < 0;
}

/* True if the line crosses the label's box. Liang and Barsky's clipping, 1984. */
static bool goes_through(const leader *line, const es_label *box) {
    double dx = line->to[0] - line->from[0], dy = line->to[1] - line->from[1];
    const double p[] = {-dx, dx, -dy, dy};
    const double q[] = {line->from[0] - box->x, box->x + box->w - line->from[0],
                        line->from[1] - box->y, box->y + box->h - line->from[1]};
    double in = 0, out = 1;
    for (int k = 0; k < 4; k++) {
        if (fabs(p[k]) < 1e-12 && q[k] < 0)
            return false;
        if (p[k] < 0)
            in = fmax(in, q[k] / p[k]);
        else if (p[k] > 0)
            out = fmin(out, q[k] / p[k]);
    }
    return in < out;
}

static bool goes_over(const leader *line, const es_label *point) {
    double dx = line->to[0] - line->from[0], dy = line->to[1] - line->from[1];
    double length = dx * dx + dy * dy;
    double t = length > 0
                   ? ((point->px - line->from[0]) * dx + (point->py - line->from[1]) * dy) / length
                   : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(line->from[0] + t * dx - point->px, line->from[1] + t * dy - point->py) <
           point->radius;
}

/* What a label at its place and another one, or its point, do to each other's lines. */
static double tangle(const es_label *me, const leader *own, const es_label *other) {
    double cost = 0;
    if (own->there && goes_over(own, other))
        cost += 1;
    if (!other->placed)
        return cost;
    leader line = leader_of(other);
    if (own->there && goes_through(own, other))
        cost += 1;
    if (line.there && goes_through(&line, me))
        cost += 1;
    if (own->there && line.there && cross(own, &line))
        cost += 1;
    return cost;
}

/* Stops where it is dearer than `enough`. */
static double cost_at(const es_label *label, size_t n, size_t i, es_area area, double x, double y,
                      double enough) {
    const es_label *l = &label[i];
    es_label me = *l;
    double cost = OVERLAP * hits_point(x, y, l, l); /* a corner of it on its own disc */
    me.x = x;
    me.y = y;
    leader own = leader_of(&me);
    if (x < area.x || y < area.y || x + l->w > area.x + area.w || y + l->h > area.y + area.h)
        cost += OVERLAP;
    for (size_t j = 0; j < n && cost < enough; j++) {
        if (j == i)
            continue;
        cost += OVERLAP * (hits_point(x, y, l, &label[j]) + tangle(&me, &own, &label[j]));
        if (label[j].placed)
            cost += OVERLAP * overlaps(x, y, l, &label[j]);
    }
    return cost;
}

static double place_one(es_label *label, size_t n, size_t i, es_area area) {
    double best = INFINITY;
    for (int k = 0; k < CANDIDATES; k++) {
        double x, y, cost;
        candidate_place(&label[i], k, &x, &y, &cost);
        if (cost >= best)
            continue;
        cost += cost_at(label, n, i, area, x, y, best - cost);
        if (cost < best) {
            best = cost;
            label[i].x = x;
            label[i].y = y;
        }
    }
    label[i].placed = true;
    return best;
}

void es_labels_place(es_label *label, size_t n, es_area area) {
    for (size_t i = 0; i < n; i++)
        label[i].placed = false;
    for (int sweep = 0; sweep <= SWEEPS; sweep++)
        for (size_t i = 0; i < n; i++)
            if (label[i].w > 0)
                (void)place_one(label, n, i, area);
    /* the last come give way */
    for (size_t i = n; i-- > 0;)
        if (label[i].placed && place_one(label, n, i, area) >= OVERLAP)
            label[i].placed = false;
}

double es_label_room(double width, size_t n) {
    return width * fmax(0.22, 0.4 * fmin(1, sqrt(12 / (double)(n + 1))));
}

size_t es_labels_left_out(const es_label *label, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += label[i].w > 0 && !label[i].placed;
    return count;
}

bool es_label_leads(const es_label *l, double from[2], double to[2]) {
    to[0] = fmin(fmax(l->px, l->x), l->x + l->w);
    to[1] = fmin(fmax(l->py, l->y + 1), l->y + l->h - 1);
    double dx = to[0] - l->px, dy = to[1] - l->py, distance = sqrt(dx * dx + dy * dy);
    if (distance < l->radius + 4)
        return false;
    from[0] = l->px + dx / distance * (l->radius + 0.5);
    from[1] = l->py + dy / distance * (l->radius + 0.5);
    return true;
}
