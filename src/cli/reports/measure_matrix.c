/* A measure of two embedders as a matrix: tables are those of `measure`, a picture is of heat maps
 * like that of information sufficiency. */
#include "cli_reports.h"

/* Fields of measures of two embedders as heat maps, all in one order: clustered by the rows of the
 * first unless --order says otherwise. */

typedef struct measure_sheet {
    size_t m;
    size_t *at;        /* (m) positions in the results, as drawn */
    double *value;     /* (count, m, m) */
    es_heatmap *panel; /* (count) */
    size_t count;
    const char **name; /* (m) */
    es_linkage *tree;
} measure_sheet;

static double value_at(const es_measured *r, size_t field, size_t i, size_t j) {
    return es_measured_matrix(r, field)[i * r->m + j].value;
}

/* By the measure's own ranks; communities are those of information sufficiency, as far as that is
 * stored. order (m). */
static es_status order_by(es_sketch *sketch, es_session *session, const es_measured *r,
                          size_t field, uint32_t *order, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    size_t best = es_session_best(session);
    bool grouped = false;
    double *value = es_sketch_room(sketch, r->m, sizeof *value);
    uint32_t *rank = es_sketch_room(sketch, r->m, sizeof *rank),
             *group = es_sketch_room(sketch, r->m, sizeof *group);
    if (!value || !rank || !group)
        return es_no_memory(err);
    ES_PASS(es_measured_column(r, field, value, err)); /* higher is better */
    ES_PASS(es_rank_competition(value, r->m, false, rank, err));
    if (best != SIZE_MAX)
        ES_PASS(es_families_group(es_session_results(session, best),
                                  sketch->cli->options->resolution, sketch->cli->options->seed,
                                  group, &grouped, err));
    const es_order_keys keys = {.m = r->m,
                                .name = (const char *const *)names->name,
                                .rank = rank,
                                .dim = names->dim,
                                .group = grouped ? group : NULL};
    return es_order_make((es_order_kind)sketch->cli->options->order, &keys, order, err);
}

static bool is_clustered(const es_options *o) {
    return !es_options_given(o, "order") || o->order == (int)ES_ORDER_CLUSTER;
}

/* Which embedders are shown, in the order of the tree over the rows of the first or as asked. */
static es_status fill(es_sketch *sketch, es_session *session, const es_measured *r, size_t field,
                      measure_sheet *s, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    uint32_t *order = es_sketch_room(sketch, r->m + 1, sizeof *order);
    size_t *shown = es_sketch_room(sketch, r->m + 1, sizeof *shown);
    double *raw = es_sketch_room(sketch, r->m + 1, (r->m + 1) * sizeof *raw);
    s->at = es_sketch_room(sketch, r->m + 1, sizeof *s->at);
    s->value = es_sketch_room(sketch, s->count * (r->m + 1), (r->m + 1) * sizeof *s->value);
    s->panel = es_sketch_room(sketch, s->count, sizeof *s->panel);
    s->name = es_sketch_room(sketch, r->m + 1, sizeof *s->name);
    if (!order || !shown || !raw || !s->at || !s->value || !s->name || !s->panel)
        return es_no_memory(err);
    for (size_t i = 0; i < r->m; i++)
        order[i] = (uint32_t)i;
    if (!is_clustered(sketch->cli->options))
        ES_PASS(order_by(sketch, session, r, field, order, err));
    for (size_t i = 0; i < r->m; i++)
        if (es_export_shows(sketch->cli, order[i]))
            shown[s->m++] = order[i];
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            raw[i * s->m + j] = value_at(r, field, shown[i], shown[j]);
    if (is_clustered(sketch->cli->options))
        ES_PASS(es_linkage_cluster(raw, s->m, NULL, &s->tree, err));
    for (size_t i = 0; i < s->m; i++) {
        s->at[i] = shown[s->tree ? s->tree->order[i] : i];
        s->name[i] = es_results_label(names, s->at[i]);
    }
    return ES_OK;
}

static size_t field_of(const es_choice *choice) {
    return choice->field == SIZE_MAX ? 0 : choice->field;
}

/* Panel k in the order of all. */
static es_status put_panel(es_sketch *sketch, const es_choice *choice, size_t k, measure_sheet *s,
                           es_error *err) {
    const es_measured *r = choice->measured;
    size_t field = field_of(choice);
    const es_measure_field *what = &r->measure->fields[field];
    int colours = sketch->cli->options->figure_colours;
    double low, high, *value = s->value + k * s->m * s->m;
    char name[256];
    es_status st = es_export_limits(sketch->cli, &low, &high, err);
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            value[i * s->m + j] = value_at(r, field, s->at[i], s->at[j]);
    const char *title =
        es_sketch_text(sketch, "%s: %s%s", es_choice_name(choice, field, name, sizeof name),
                       field == 0 ? r->measure->title : what->title,
                       es_measure_is_lower_better(r->measure, field) ? " (lower is better)" : "");
    const es_linkage *tree = s->count == 1 ? s->tree : NULL; /* it is of the first */
    s->panel[k] = (es_heatmap){.rows = s->m,
                               .columns = s->m,
                               .value = value,
                               .row_name = s->name,
                               .column_name = s->name,
                               .row_tree = tree,
                               .column_tree = tree,
                               .row_title = r->symmetric ? "embedder" : "first",
                               .column_title = r->symmetric ? "embedder" : "second",
                               .value_title = title,
                               .map = ES_HEAT_SEQUENTIAL,
                               .gradient = colours > 0 ? &es_gradients[colours - 1] : NULL,
                               .low = low,
                               .high = high,
                               .diagonal_apart = true,
                               .decimals = what->decimals < 2 ? what->decimals : 2};
    return st;
}

static es_status draw_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_choices *choices = d->what;
    const es_choice *choice = choices->item;
    size_t count = choices->count;
    const es_measured *r = choice->measured;
    measure_sheet s = {.count = count};
    es_status st = ES_OK;
    ES_TRY(fill(sketch, d->session, r, field_of(choice), &s, err));
    for (size_t k = 0; k < count; k++)
        ES_TRY(put_panel(sketch, &choice[k], k, &s, err));
    if (count == 1)
        es_buf_printf(&sketch->note, "%s%s", r->settings, r->settings[0] ? ". " : "");
    if (s.tree)
        es_buf_puts(&sketch->note, count == 1
                                       ? "Trees: average linkage of the rows without the diagonal, "
                                         "Euclidean. "
                                       : "All in the order of the first, by average linkage of its "
                                         "rows. Each has colours of its own. ");
    ES_TRY(es_figure_heatmaps(s.panel, count, ES_SKETCHED(sketch), err));
done:
    es_linkage_free(s.tree);
    return st;
}

es_status es_measure_write_matrix(es_cli *cli, es_session *session, const es_choices *choices,
                                  es_error *err) {
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    static const es_document_parts parts = {.picture = draw_picture};
    if (!es_format_is_picture(format))
        return es_measure_write(cli, session, choices, err);
    return es_document_write(&parts, (es_document){cli, session, SIZE_MAX, choices, format}, err);
}
