/* Communities as a graph (as Figure 5a of Darrin et al., NeurIPS 2024): nodes filled by how well
 * they simulate others, hulls around communities, names beside nodes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

#define RADIUS 5.0
#define RING 0.36 /* of the radius */
#define AIR 11.0  /* of a community's hull around its nodes */
#define APART 34.0
#define KEY 31.0
#define NUMBER 4.5 /* radius of a community's */
#define FAR 1.5
#define LINE 9.5 /* of the list of communities */
#define COLUMN 150.0
#define LEAST_ALPHA 0.10
#define MOST_ALPHA 0.55

/* Many nodes are drawn smaller. */
typedef struct sizes {
    double width, height; /* of the picture */
    double apart, radius, air;
} sizes;

/* Ends of a colour scale. */
typedef struct range {
    double low, high;
} range;

static range range_of(const double *v, size_t n) {
    range r = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i])) {
            r.low = fmin(r.low, v[i]);
            r.high = fmax(r.high, v[i]);
        }
    return r;
}

/* As wide as anything where all are at one place. */
static double width_of(range r) {
    return r.high > r.low ? r.high - r.low : 1;
}

static es_rgb colour_of(const es_canvas *c, double value, range r) {
    if (!isfinite(value))
        return c->ink.paper;
    return es_heat_colour(c, ES_HEAT_SEQUENTIAL, NULL, (value - r.low) / width_of(r));
}

static int by_size(const void *a, const void *b) {
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* v (m), gathered: whatever lies further from the middle than FAR times most of the others is drawn
 * nearer, the further the more, so that one stray node does not crowd all the rest into a corner.
 * The order of the nodes stays. scratch (m). */
static void gather(const double *v, size_t m, double *scratch, double *out) {
    memcpy(scratch, v, m * sizeof *v);
    qsort(scratch, m, sizeof *scratch, by_size);
    double middle = scratch[m / 2];
    for (size_t i = 0; i < m; i++)
        scratch[i] = fabs(v[i] - middle);
    qsort(scratch, m, sizeof *scratch, by_size);
    double usual = FAR * scratch[(3 * m) / 4];
    for (size_t i = 0; i < m; i++) {
        double away = fabs(v[i] - middle);
        double drawn = usual > 0 && away > usual ? usual * (1 + log(away / usual)) : away;
        out[i] = v[i] < middle ? -drawn : drawn;
    }
}

static sizes sizes_of(const es_network *n, double width, double height) {
    double apart = fmin(APART, 0.62 * sqrt(width * height / (double)(n->m + 1)));
    double radius = fmin(RADIUS, 0.42 * apart);
    return (sizes){.width = width,
                   .height = height,
                   .apart = apart,
                   .radius = radius,
                   .air = fmin(AIR, fmax(0.5 * apart, radius + 2))};
}

/* The picture fills its box: both directions are stretched alike unless one would stay half empty.
 * place (2 m) is scratch. */
static void fit(const es_network *n, const sizes *size, double *place, es_spot *at) {
    double *x = place, *scratch = place + n->m, width = size->width, height = size->height;
    double side = size->radius + size->air + 2, room = 22;
    gather(n->x, n->m, scratch, x);
    range across = range_of(x, n->m);
    for (size_t i = 0; i < n->m; i++)
        at[i].x = x[i] - (across.low + across.high) / 2;
    gather(n->y, n->m, scratch, x);
    range down = range_of(x, n->m);
    for (size_t i = 0; i < n->m; i++)
        at[i].y = x[i] - (down.low + down.high) / 2;
    double sx = (width - 2 * side - 2 * room) / width_of(across);
    double sy = (height - 2 * side - 12) / width_of(down);
    double least = fmin(sx, sy);
    sx = fmin(sx, 1.6 * least);
    sy = fmin(sy, 1.6 * least);
    for (size_t i = 0; i < n->m; i++) {
        at[i].x = width / 2 + sx * at[i].x;
        at[i].y = height / 2 + sy * at[i].y;
    }
}

/* Nodes that lie too close push each other away, half the way each, as often as it takes. */
static void spread(const es_network *n, const sizes *size, es_spot *at) {
    enum { ROUNDS = 300 };
    double least = size->apart, side = size->radius + size->air + 2;
    for (int round = 0; round < ROUNDS; round++) {
        bool moved = false;
        for (size_t i = 0; i < n->m; i++)
            for (size_t j = i + 1; j < n->m; j++) {
                double dx = at[j].x - at[i].x, dy = at[j].y - at[i].y, d = hypot(dx, dy);
                if (d >= least)
                    continue;
                if (d < 1e-6) { /* on one spot: apart in a direction of their own */
                    dx = cos((double)(i + j));
                    dy = sin((double)(i + j));
                    d = 1;
                }
                double push = 0.5 * (least - d) / d;
                at[i].x -= push * dx;
                at[i].y -= push * dy;
                at[j].x += push * dx;
                at[j].y += push * dy;
                moved = true;
            }
        for (size_t i = 0; i < n->m; i++) {
            at[i].x = fmin(fmax(at[i].x, side), size->width - side);
            at[i].y = fmin(fmax(at[i].y, side + 10), size->height - side);
        }
        if (!moved)
            break;
    }
}

/* ---- lines ---- */

static void put_edges(const es_canvas *c, const es_network *n, const es_spot *at) {
    for (size_t i = 0; i < n->m; i++)
        for (size_t j = i + 1; j < n->m; j++) {
            double strength = n->strength[i * n->m + j];
            if (!(strength >= n->shown_from))
                continue;
            double share = n->shown_from < 1 ? (strength - n->shown_from) / (1 - n->shown_from) : 1;
            es_ink_set_alpha(c, c->ink.text, LEAST_ALPHA + share * (MOST_ALPHA - LEAST_ALPHA));
            es_put_line(c, at[i].x, at[i].y, at[j].x, at[j].y, 0.4 + 0.8 * share);
        }
}

/* ---- hulls ---- */

/* A fat outline with round corners, filled: the hull and air around it. */
static void put_hull(const es_canvas *c, const es_spot *hull, size_t count, double air,
                     es_rgb colour) {
    for (int pass = 0; pass < 2; pass++) { /* a rim, then what is inside */
        es_ink_set(c, es_rgb_mix(c->ink.paper, colour, pass == 0 ? 0.75 : 0.22));
        cairo_set_line_width(c->cr, 2 * (pass == 0 ? air : air - 0.8));
        cairo_set_line_cap(c->cr, CAIRO_LINE_CAP_ROUND);
        for (size_t i = 0; i < count; i++)
            cairo_line_to(c->cr, hull[i].x, hull[i].y);
        if (count == 1)
            cairo_line_to(c->cr, hull[0].x, hull[0].y);
        cairo_close_path(c->cr);
        cairo_fill_preserve(c->cr);
        cairo_stroke(c->cr);
    }
    cairo_set_line_cap(c->cr, CAIRO_LINE_CAP_BUTT);
}

static unsigned groups_of(const es_network *n) {
    unsigned most = 0;
    for (size_t i = 0; i < n->m; i++)
        most = n->group[i] > most ? n->group[i] : most;
    return most;
}

/* In the order of the communities: small ones last, on top. */
static es_status put_hulls(const es_canvas *c, const es_network *n, const sizes *size,
                           const es_spot *at, const size_t *piece, es_error *err) {
    es_spot *own = es_alloc(n->m, sizeof *own), *hull = es_alloc(2 * n->m + 2, sizeof *hull);
    for (unsigned group = 1; own && hull && group <= groups_of(n); group++)
        for (size_t p = 0; p < n->m; p++) {
            size_t count = 0;
            for (size_t i = 0; n->group[p] == group && i < n->m; i++)
                if (piece[i] == p)
                    own[count++] = at[i];
            if (count == 0)
                continue;
            count = es_hull_of(own, count, hull);
            put_hull(c, hull, count, size->air, es_group_colour(c, group));
        }
    bool drawn = own && hull;
    es_free(own);
    es_free(hull);
    return drawn ? ES_OK : es_no_memory(err);
}

/* ---- nodes ---- */

static void put_nodes(const es_canvas *c, const es_network *n, const sizes *size,
                      const es_spot *at) {
    double radius = size->radius, inner = radius * (1 - RING);
    range out = range_of(n->out, n->m), in = range_of(n->in, n->m);
    for (size_t i = 0; i < n->m; i++) {
        es_ink_set(c, c->ink.text);
        es_put_disc(c, at[i].x, at[i].y, radius + 0.4);
        es_ink_set(c, colour_of(c, n->in[i], in));
        es_put_disc(c, at[i].x, at[i].y, radius);
        es_ink_set(c, c->ink.paper);
        es_put_disc(c, at[i].x, at[i].y, inner + 0.4);
        es_ink_set(c, colour_of(c, n->out[i], out));
        es_put_disc(c, at[i].x, at[i].y, inner);
    }
}

/* Names, and the numbers of the communities, each above the highest node of a hull. */
typedef struct shown_names {
    size_t pieces;
    size_t *piece;   /* (m) as es_hull_pieces has it */
    size_t *highest; /* (pieces) nodes */
    es_label *label; /* m nodes, then the numbers */
    es_fitted_names text;
    bool listed; /* communities are, below the figure: most nodes have no name */
} shown_names;

static void free_names(shown_names *k) {
    es_free(k->piece);
    es_free(k->highest);
    es_free(k->label);
    es_fitted_names_deinit(&k->text);
}

static void find_highest(const es_network *n, const es_spot *at, shown_names *k) {
    for (size_t p = 0; p < n->m; p++) {
        size_t highest = p;
        if (n->group[p] == 0 || k->piece[p] != p)
            continue;
        for (size_t i = 0; i < n->m; i++)
            if (k->piece[i] == p && at[i].y < at[highest].y)
                highest = i;
        k->highest[k->pieces++] = highest;
    }
}

/* Communities in several hulls are listed: the same colour and number may be elsewhere. */
static void note_pieces(es_canvas *c, const es_network *n, const shown_names *k) {
    size_t several = 0;
    for (unsigned g = 1; g <= groups_of(n); g++) {
        size_t own = 0;
        for (size_t p = 0; p < k->pieces; p++)
            own += n->group[k->highest[p]] == g;
        several += own > 1;
    }
    if (several > 0)
        es_canvas_note(c, "Hulls with the same number are one community.");
}

/* Of a community the one that simulates most, which stands for it; n->m: it has no members. */
static size_t first_of(const es_network *n, unsigned group, size_t *members) {
    size_t first = n->m;
    *members = 0;
    for (size_t i = 0; i < n->m; i++) {
        if (n->group[i] != group)
            continue;
        (*members)++;
        if (first == n->m || n->out[i] > n->out[first] || isnan(n->out[first]))
            first = i;
    }
    return first;
}

/* Where most nodes have no room for a name, each community is named by one of its members instead;
 * where hardly any has, those few say nothing and go. Returns how many stay without a name. */
static size_t list_communities(const es_network *n, shown_names *k) {
    size_t left_out = es_labels_left_out(k->label, n->m), members;
    if (2 * left_out <= n->m || groups_of(n) == 0)
        return left_out;
    k->listed = true;
    for (size_t i = 0; 4 * left_out > 3 * n->m && i < n->m; i++)
        k->label[i].placed = false;
    left_out = es_labels_left_out(k->label, n->m);
    for (unsigned g = 1; g <= groups_of(n); g++) {
        size_t first = first_of(n, g, &members);
        left_out -= first < n->m && !k->label[first].placed;
    }
    return left_out;
}

static size_t list_columns(const es_canvas *c) {
    return c->width >= 2 * COLUMN ? (size_t)(c->width / COLUMN) : 1;
}

/* Numbers may be missing: of communities that are not drawn. */
static size_t list_rows(const es_canvas *c, const es_network *n) {
    size_t columns = list_columns(c), count = 0, members;
    for (unsigned g = 1; g <= groups_of(n); g++)
        count += first_of(n, g, &members) < n->m;
    return (count + columns - 1) / columns;
}

static double list_height(const es_canvas *c, const es_network *n, const shown_names *k) {
    return k->listed ? LINE * (double)list_rows(c, n) + 4 : 0;
}

static void put_list(const es_canvas *c, const es_network *n, const shown_names *k, double top) {
    size_t rows = list_rows(c, n), at = 0;
    double width = c->width / (double)list_columns(c);
    for (unsigned g = 1; k->listed && g <= groups_of(n); g++) {
        char number[16], more[48] = "", name[ES_TEXT_FIT], line[ES_TEXT_FIT + 48];
        size_t members, first = first_of(n, g, &members);
        if (first == n->m)
            continue;
        size_t column = at / rows;
        double x = width * (double)column, y = top + LINE * ((double)(at % rows) + 0.5);
        at++;
        es_rgb colour = es_group_colour(c, g);
        (void)snprintf(number, sizeof number, "%u", g);
        es_ink_set(c, colour);
        es_put_disc(c, x + NUMBER, y, NUMBER);
        es_ink_set(c, es_rgb_on(colour));
        es_put_bold(c, x + NUMBER, y, ES_FONT_SMALL, ES_ALIGN_CENTRE, number);
        if (members > 1)
            (void)snprintf(more, sizeof more, " and %zu more", members - 1);
        double room = width - 3 * NUMBER - 4 - es_text_room(c, ES_FONT_SMALL, more);
        (void)snprintf(line, sizeof line, "%s%s",
                       es_name_fit(c, ES_FONT_SMALL, n->name[first], room, name), more);
        es_ink_set(c, c->ink.text);
        es_put_text(c, x + 3 * NUMBER, y, ES_FONT_SMALL, ES_ALIGN_LEFT, line);
    }
}

static es_status place_names(es_canvas *c, const es_network *n, const sizes *size,
                             const es_spot *at, shown_names *k, es_error *err) {
    k->piece = es_alloc(n->m, sizeof *k->piece);
    k->highest = es_alloc(n->m, sizeof *k->highest);
    k->label = es_alloc_zero(n->m, 2 * sizeof *k->label);
    if (k->piece == NULL || k->highest == NULL || k->label == NULL)
        return es_no_memory(err);
    ES_PASS(es_hull_pieces(at, n->group, n->m, 0.5 * size->apart, k->piece, err));
    ES_PASS(es_fitted_names_make(c, ES_FONT_SMALL, n->name, n->m, es_label_room(c->width, n->m),
                                 &k->text, err));
    find_highest(n, at, k);
    for (size_t i = 0; i < n->m; i++)
        k->label[i] = (es_label){.px = at[i].x,
                                 .py = at[i].y,
                                 .radius = size->radius + 0.5,
                                 .w = es_text_room(c, ES_FONT_SMALL, k->text.text[i]) + 1,
                                 .h = ES_FONT_SMALL * 1.05};
    for (size_t p = 0; p < k->pieces; p++) { /* names keep clear of the communities' numbers */
        es_spot top = at[k->highest[p]];
        k->label[n->m + p] = (es_label){.px = top.x, .py = top.y - size->air - 1, .radius = NUMBER};
    }
    es_labels_place(k->label, n->m + k->pieces, (es_area){0, 0, size->width, size->height});
    es_canvas_unnamed(c, list_communities(n, k));
    if (k->listed)
        es_canvas_note(c, "Of each community the one that simulates most is listed.");
    note_pieces(c, n, k);
    return ES_OK;
}

static void put_names(const es_canvas *c, const es_network *n, const shown_names *k) {
    const es_label *label = k->label;
    for (size_t i = 0; i < n->m; i++) {
        double from[2], to[2];
        es_ink_set(c, c->ink.faint);
        if (label[i].placed && es_label_leads(&label[i], from, to))
            es_put_line(c, from[0], from[1], to[0], to[1], 0.35);
        es_ink_set(c, c->ink.text);
        if (label[i].placed)
            es_put_haloed(c, label[i].x + 0.5, label[i].y + label[i].h / 2, ES_FONT_SMALL,
                          ES_ALIGN_LEFT, k->text.text[i]);
    }
    for (size_t p = 0; p < k->pieces; p++) {
        char text[16];
        unsigned group = n->group[k->highest[p]];
        const es_label *at = &label[n->m + p];
        es_rgb colour = es_group_colour(c, group);
        (void)snprintf(text, sizeof text, "%u", group);
        es_ink_set(c, colour);
        es_put_disc(c, at->px, at->py, NUMBER);
        es_ink_set(c, es_rgb_on(colour));
        es_put_bold(c, at->px, at->py, ES_FONT_SMALL, ES_ALIGN_CENTRE, text);
    }
}

/* ---- the two colour scales ---- */

static void put_key(const es_canvas *c, double x, double y, double width, range r, bool ring,
                    const char *title) {
    enum { STEPS = 48 };
    char text[32], fitted[ES_TEXT_FIT];
    es_ink_set(c, c->ink.text);
    if (ring) {
        cairo_set_line_width(c->cr, RING * RADIUS);
        cairo_arc(c->cr, x + 4, y + 4, 3.2, 0, 2 * ES_PI);
        cairo_stroke(c->cr);
    } else {
        es_put_disc(c, x + 4, y + 4, 3.6);
    }
    es_put_text(c, x + 12, y + 4, ES_FONT_SMALL, ES_ALIGN_LEFT,
                es_text_fit(c, ES_FONT_SMALL, title, width - 12, fitted));
    for (int k = 0; k < STEPS; k++) {
        double share = r.high > r.low ? (k + 0.5) / STEPS : 0;
        es_ink_set(c, es_heat_colour(c, ES_HEAT_SEQUENTIAL, NULL, share));
        es_put_rectangle(c, x + width * k / STEPS, y + 11, width / STEPS + 0.3, 5);
    }
    es_ink_set(c, c->ink.text);
    (void)snprintf(text, sizeof text, "%.2f", r.low);
    es_put_text(c, x, y + 22, ES_FONT_SMALL, ES_ALIGN_LEFT, r.low <= r.high ? text : "not known");
    if (!(r.high > r.low))
        return;
    (void)snprintf(text, sizeof text, "%.2f", r.high);
    es_put_text(c, x + width, y + 22, ES_FONT_SMALL, ES_ALIGN_RIGHT, text);
}

es_status es_figure_network(const es_network *n, const es_figure_style *style, es_picture format,
                            es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c = {0};
    es_spot *at = es_alloc(n->m, sizeof *at);
    double *place = es_alloc(2 * n->m, sizeof *place);
    shown_names k = {0};
    ES_FAIL_IF(at == NULL || place == NULL, es_no_memory(err));
    ES_TRY(es_canvas_init(&c, style, n->m > 18 ? ES_FIGURE_DOUBLE : ES_FIGURE_SINGLE, err));
    double height = (n->m > 18 ? 0.66 : 0.85) * c.width;
    const sizes size = sizes_of(n, c.width, height);
    fit(n, &size, place, at);
    spread(n, &size, at);
    ES_TRY(place_names(&c, n, &size, at, &k, err));
    ES_TRY(es_canvas_page(&c, height + 4 + KEY + list_height(&c, n, &k), format, out, err));
    ES_TRY(put_hulls(&c, n, &size, at, k.piece, err));
    put_edges(&c, n, at);
    put_nodes(&c, n, &size, at);
    put_names(&c, n, &k);
    double half = fmin((c.width - 14) / 2, 170);
    put_key(&c, 0, height + 6, half, range_of(n->out, n->m), false, n->out_title);
    put_key(&c, half + 14, height + 6, half, range_of(n->in, n->m), true, n->in_title);
    put_list(&c, n, &k, height + 4 + KEY + 4);
    st = es_canvas_finish(&c, err);
done:
    es_canvas_deinit(&c);
    free_names(&k);
    es_free(at);
    es_free(place);
    return st;
}

/* Lines of a dendrogram: every merge is a bracket from its two parts to its height. */

/* Where a cluster's line begins: along the leaves, and away from them. */
typedef struct joint {
    double along, away;
} joint;

/* Height of the highest merge; 0 without any. */
static double branch_height(const es_linkage *tree) {
    double highest = 0;
    for (size_t k = 0; k + 1 < tree->m; k++)
        highest = fmax(highest, tree->merge[k].height);
    return highest;
}

/* Draws a line between two joints of a dendrogram on this side of the matrix. */
static void put_branch(const es_canvas *c, es_branch_side side, double x, double y, joint from,
                       joint to) {
    switch (side) {
    case ES_BRANCH_LEFT:
        es_put_line(c, x - from.away, y + from.along, x - to.away, y + to.along, ES_LINE_THIN);
        break;
    case ES_BRANCH_ABOVE:
        es_put_line(c, x + from.along, y - from.away, x + to.along, y - to.away, ES_LINE_THIN);
        break;
    case ES_BRANCH_RIGHT:
        es_put_line(c, x + from.away, y + from.along, x + to.away, y + to.along, ES_LINE_THIN);
        break;
    }
}

es_status es_put_branches(const es_canvas *c, const es_linkage *tree, double pitch, double length,
                          es_branch_side side, double x, double y, es_error *err) {
    double highest = branch_height(tree), scale = highest > 0 ? length / highest : 0;
    if (tree->m < 2)
        return ES_OK;
    joint *at = es_alloc(2 * tree->m, sizeof *at);
    if (at == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < tree->m; i++)
        at[tree->order[i]] = (joint){pitch * ((double)i + 0.5), 0};
    for (size_t k = 0; k + 1 < tree->m; k++) {
        const es_merge *merge = &tree->merge[k];
        joint a = at[merge->a], b = at[merge->b];
        double away = scale * fmax(merge->height, 0);
        put_branch(c, side, x, y, a, (joint){a.along, away});
        put_branch(c, side, x, y, b, (joint){b.along, away});
        put_branch(c, side, x, y, (joint){a.along, away}, (joint){b.along, away});
        at[tree->m + k] = (joint){(a.along + b.along) / 2, away};
    }
    es_free(at);
    return ES_OK;
}

/* A tree of embedders with their names, one line a leaf. */

#define PITCH 10.0

es_status es_figure_dendrogram(const es_dendrogram *d, const es_figure_style *style,
                               es_picture format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    es_fitted_names shown = {0};
    unsigned *group = NULL; /* (m) as the lines stand */
    size_t m = d->tree->m;
    double names = 0, bottom = PITCH * (double)m + 4;
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    for (size_t i = 0; i < m; i++)
        names = fmax(names, es_text_room(&c, ES_FONT_NORMAL, d->name[i]));
    if (d->group)
        ES_FAIL_IF(!(group = es_alloc(m, sizeof *group)), es_no_memory(err));
    ES_TRY(es_fitted_names_make(&c, ES_FONT_NORMAL, d->name, m, fmin(names, 0.5 * c.width), &shown,
                                err));
    names = shown.widest;
    double highest = branch_height(d->tree);
    es_scale scale = es_scale_make(0, highest > 0 ? highest : 1, 5); /* heights begin at 0 */
    scale.from = names + ES_GROUP_BAR + 8;
    scale.to = c.width - 8;
    ES_TRY(es_canvas_page(&c, bottom + es_scale_below_height(&c, d->axis), format, out, err));
    es_put_scale_below(&c, &scale, bottom, 0, d->axis);
    for (size_t i = 0; i < m; i++) {
        size_t leaf = d->tree->order[i];
        double y = PITCH * ((double)i + 0.5);
        es_ink_set(&c, c.ink.text);
        es_put_text(&c, names, y, ES_FONT_NORMAL, ES_ALIGN_RIGHT, shown.text[leaf]);
        if (group)
            group[i] = d->group[leaf];
    }
    if (group) /* the numbers say what the colours do */
        es_put_group_bar(&c, group, m, PITCH, names + 4, 0, true);
    es_ink_set(&c, c.ink.text);
    ES_TRY(es_put_branches(&c, d->tree, PITCH, es_scale_at(&scale, highest) - scale.from,
                           ES_BRANCH_RIGHT, scale.from, 0, err));
    st = es_canvas_finish(&c, err);
done:
    es_free(group);
    es_fitted_names_deinit(&shown);
    es_canvas_deinit(&c);
    return st;
}
