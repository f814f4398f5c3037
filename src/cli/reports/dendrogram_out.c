/* A dendrogram as a document: drawn with lines for a reader, as merges in SciPy's numbering for
 * tables and JSON. */
#include <math.h>
#include <string.h>

#include "cli_reports.h"

typedef struct view {
    es_session *session;
    const es_results *results;
    es_linkage *linkage;
} view;

/* ---- drawing: leaves from top to bottom, heights from left to right ---- */

enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, NARROWEST = 20, WIDEST = 100, USUAL = 80 };

typedef struct canvas {
    uint8_t *cell; /* (rows, width) directions that leave the cell's middle */
    size_t rows, width;
} canvas;

static void draw_across(canvas *c, size_t row, size_t from, size_t to) {
    for (size_t x = from < to ? from : to, end = from < to ? to : from; x < end; x++) {
        c->cell[row * c->width + x] |= RIGHT;
        c->cell[row * c->width + x + 1] |= LEFT;
    }
}

static void draw_down(canvas *c, size_t x, size_t from, size_t to) {
    for (size_t row = from < to ? from : to, end = from < to ? to : from; row < end; row++) {
        c->cell[row * c->width + x] |= DOWN;
        c->cell[(row + 1) * c->width + x] |= UP;
    }
}

/* Where a cluster's line begins. */
typedef struct joint {
    size_t row, x;
} joint;

static size_t column_of(const canvas *c, double height, double highest) {
    double share = highest > 0 && height > 0 ? height / highest : 0;
    return (size_t)(share * (double)(c->width - 1) + 0.5);
}

/* at (2 m - 1). */
static void draw_merges(canvas *c, const es_linkage *linkage, double highest, joint *at) {
    for (size_t i = 0; i < linkage->m; i++) {
        at[linkage->order[i]].row = i;
        at[linkage->order[i]].x = 0;
        c->cell[i * c->width] |= LEFT;
    }
    for (size_t k = 0; k + 1 < linkage->m; k++) {
        const es_merge *merge = &linkage->merge[k];
        size_t x = column_of(c, merge->height, highest);
        size_t a = at[merge->a].row, b = at[merge->b].row;
        draw_across(c, a, at[merge->a].x, x);
        draw_across(c, b, at[merge->b].x, x);
        draw_down(c, x, a, b);
        at[linkage->m + k].row = (a + b) / 2;
        at[linkage->m + k].x = x;
    }
}

static void put_cell(uint8_t bits, bool unicode, es_buf *out) {
    static const char *const lines[] = {" ", "─", "─", "─", "│", "┘", "└", "┴",
                                        "│", "┐", "┌", "┬", "│", "┤", "├", "┼"};
    if (unicode)
        es_buf_puts(out, lines[bits & 15]);
    else
        es_buf_putc(out, bits == 0                      ? ' '
                         : (bits & (UP | DOWN)) == 0    ? '-'
                         : (bits & (LEFT | RIGHT)) == 0 ? '|'
                                                        : '+');
}

static void put_line(const canvas *c, size_t row, bool unicode, es_buf *out) {
    size_t end = c->width;
    while (end > 0 && c->cell[row * c->width + end - 1] == 0)
        end--;
    for (size_t x = 0; x < end; x++)
        put_cell(c->cell[row * c->width + x], unicode, out);
}

static double highest_of(const es_linkage *linkage) {
    double highest = 0;
    for (size_t k = 0; k + 1 < linkage->m; k++)
        highest = linkage->merge[k].height > highest ? linkage->merge[k].height : highest;
    return highest;
}

/* cell is the caller's to free, whatever is returned; false: out of memory. */
static bool draw_canvas(canvas *c, const es_linkage *linkage, double highest) {
    c->cell = es_alloc_zero(c->rows, c->width);
    joint *joints = es_alloc(2 * c->rows, sizeof *joints);
    bool drawn = c->cell != NULL && joints != NULL;
    if (drawn)
        draw_merges(c, linkage, highest, joints);
    es_free(joints);
    return drawn;
}

bool es_dendrogram_lines(const es_linkage *linkage, size_t width, char ***out) {
    canvas c = {.rows = linkage->m, .width = width};
    bool drawn = draw_canvas(&c, linkage, highest_of(linkage));
    *out = es_alloc_zero(c.rows, sizeof **out);
    for (size_t i = 0; *out && drawn && i < c.rows; i++) {
        es_buf line = {0};
        put_line(&c, i, es_output_unicode(), &line);
        drawn = ((*out)[i] = es_buf_take(&line)) != NULL;
    }
    es_free(c.cell);
    return drawn && *out;
}

static void put_canvas(const canvas *c, const es_results *results, const es_linkage *linkage,
                       size_t name_width, es_buf *out) {
    for (size_t i = 0; i < c->rows; i++) {
        const char *name = es_results_label(results, linkage->order[i]);
        es_buf_puts(out, name);
        es_buf_printf(out, "%*s", (int)(name_width + 1 - es_table_out_width(name)), "");
        put_line(c, i, es_output_unicode(), out);
        es_buf_putc(out, '\n');
    }
}

/* "0" below the left end, the largest height below the right one. */
static void put_scale(size_t name_width, size_t width, double highest, es_buf *out) {
    char text[ES_TABLE_NUMBER];
    (void)es_table_out_decimals(text, highest, 3);
    size_t length = strlen(text), gap = width > length + 1 ? width - length - 1 : 1;
    es_buf_printf(out, "%*s0%*s%s\n", (int)(name_width + 1), "", (int)gap, "", text);
}

static es_status put_drawing(const es_cli *cli, const es_results *results,
                             const es_linkage *linkage, es_buf *out, es_error *err) {
    size_t m = results->m, name_width = 0, terminal = es_output_width(cli);
    double highest = highest_of(linkage);
    for (size_t i = 0; i < m; i++) {
        size_t width = es_table_out_width(es_results_label(results, i));
        name_width = width > name_width ? width : name_width;
    }
    terminal = terminal == 0 ? USUAL : terminal;
    canvas c = {.rows = m, .width = NARROWEST};
    if (terminal > name_width + 2 + NARROWEST)
        c.width = terminal - name_width - 2 < WIDEST ? terminal - name_width - 2 : WIDEST;
    bool drawn = draw_canvas(&c, linkage, highest);
    if (drawn) {
        put_canvas(&c, results, linkage, name_width, out);
        put_scale(name_width, c.width, highest, out);
    }
    es_free(c.cell);
    return drawn ? ES_OK : es_no_memory(err);
}

static size_t missing_of(const es_results *results) {
    size_t missing = 0;
    for (size_t i = 0; i < results->m * results->m; i++)
        missing += i / results->m != i % results->m && !isfinite(results->is[i]);
    return missing;
}

static es_status put_text(const es_document *d, es_buf *out, es_error *err) {
    static const char *const diagonal[] = {[ES_DIAGONAL_KEEP] = "as it is",
                                           [ES_DIAGONAL_MAX] = "as the largest entry",
                                           [ES_DIAGONAL_MISSING] = "left out"};
    const view *v = d->what;
    const es_results *results = v->results;
    const es_linkage *linkage = v->linkage;
    const es_options *o = d->cli->options;
    if (results->estimator)
        es_buf_printf(out, "%s %s: ", results->estimator->name, es_results_preset(results));
    es_buf_printf(out, "%s linkage of the %s, Euclidean distance, diagonal %s\n\n",
                  es_tree_method_names[o->tree_method],
                  o->of == ES_LINKAGE_SOURCES ? "sources (rows)" : "targets (columns)",
                  diagonal[o->diagonal]);
    es_status st = put_drawing(d->cli, results, linkage, out, err);
    size_t missing = missing_of(results);
    if (missing > 0)
        es_buf_printf(out,
                      "%zu pair%s not known: a distance is over what is known of both, scaled to "
                      "all\n",
                      missing, missing == 1 ? " is" : "s are");
    if (linkage->filled)
        es_buf_printf(out, "%zu distance%s had no pair in common and count%s as the largest one\n",
                      linkage->filled, linkage->filled == 1 ? "" : "s",
                      linkage->filled == 1 ? "s" : "");
    return st;
}

/* ---- data ---- */

/* Of what is merged; a community formed before has no name. */
static void put_leaf(es_table_out *table, const es_results *results, size_t leaf) {
    if (leaf < results->m)
        es_document_name(table, results, leaf);
    else
        es_table_out_text(table, NULL);
}

#define MERGE(C)                                                                                   \
    C(COUNT, "a", "a", 0, merge->a)                                                                \
    C(COUNT, "b", "b", 0, merge->b)                                                                \
    C(NUMBER, "height", "height", 4, 0, merge->height)                                             \
    C(COUNT, "size", "size", 0, merge->size)                                                       \
    C(BY, TEXT, "a_model", "model a", 0, 0, put_leaf, v->results, merge->a)                        \
    C(BY, TEXT, "b_model", "model b", 0, 0, put_leaf, v->results, merge->b)

static const es_out_column columns[] = ES_COLUMNS_OF(MERGE);

static es_table_out *make_table(const es_document *d) {
    const view *v = d->what;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t k = 0; k + 1 < v->linkage->m; k++) {
        const es_merge *merge = &v->linkage->merge[k];
        ES_PUT_ROW(MERGE, table);
    }
    return table;
}

void es_linkage_json(es_json *json, const es_linkage *linkage) {
    size_t merges = linkage->m > 0 ? linkage->m - 1 : 0;
    for (size_t k = es_json_list(json, "linkage"); es_json_list_next(json, &k, merges);) {
        es_json_uint(json, "a", linkage->merge[k].a);
        es_json_uint(json, "b", linkage->merge[k].b);
        es_json_double(json, "height", linkage->merge[k].height);
        es_json_uint(json, "size", linkage->merge[k].size);
    }
}

static void put_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    const es_options *o = d->cli->options;
    es_json_text(json, "method", es_tree_method_names[o->tree_method]);
    es_json_text(json, "of", es_of_names[o->of]);
    es_json_text(json, "diagonal", es_diagonal_names[o->diagonal]);
    /* leaf 0, 1, ... of the linkage */
    for (size_t i = es_json_list(json, "models"); es_json_list_next(json, &i, v->results->m);) {
        es_json_text(json, "name", v->results->name[i]);
        es_json_bool(json, "derived", es_results_is_derived(v->results, i));
    }
    es_linkage_json(json, v->linkage);
    es_document_names(json, "order", (const char *const *)v->results->name, v->linkage->order,
                      v->results->m);
    es_json_uint(json, "filled", v->linkage->filled);
    es_document_excluded(json, v->session);
}

static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_results *results = ((const view *)d->what)->results;
    es_picture_groups groups = {0};
    const char **name = es_sketch_room(sketch, results->m, sizeof *name);
    if (name == NULL)
        return es_no_memory(err);
    ES_PASS(es_picture_groups_of(sketch, results, NULL, &groups, err));
    for (size_t i = 0; i < results->m; i++)
        name[i] = es_results_label(results, i);
    const es_options *o = sketch->cli->options;
    const char *axis = es_sketch_text(sketch, "Euclidean distance of the %s, %s linkage",
                                      o->of == ES_LINKAGE_SOURCES ? "sources" : "targets",
                                      es_tree_method_names[o->tree_method]);
    const es_dendrogram dendrogram = {.tree = ((const view *)d->what)->linkage,
                                      .name = name,
                                      .group = groups.drawn ? groups.group : NULL,
                                      .axis = axis};
    return es_figure_dendrogram(&dendrogram, ES_SKETCHED(sketch), err);
}

es_status es_dendrogram_write(es_cli *cli, es_session *session, size_t entry, es_error *err) {
    const es_options *o = cli->options;
    view v = {.session = session, .results = es_session_results(session, entry)};
    static const es_document_parts parts = {.schema = "dendrogram",
                                            .table = make_table,
                                            .text = put_text,
                                            .json = put_json,
                                            .picture = draw};
    for (size_t i = 0; i < v.results->m; i++)
        if (!es_export_shows(cli, i))
            return es_usage(cli, err,
                            "a dendrogram shows all its leaves: choose embedders with "
                            "--models or --exclude, not --show or --hide");
    es_status st =
        es_model_linkage(v.results, (es_linkage_method)(o->tree_method - ES_TREE_WARD),
                         (es_linkage_of)o->of, (es_diagonal)o->diagonal, &v.linkage, err);
    if (st == ES_OK)
        st = es_document_write(&parts, (es_document){cli, session, entry, &v, ES_FORMAT_DEFAULT},
                               err);
    es_linkage_free(v.linkage);
    return st;
}
