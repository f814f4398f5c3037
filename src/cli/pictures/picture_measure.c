/* A field of a measure of two embedders as a heat map, clustered by its rows unless --order says
 * otherwise. */
#include <math.h>

#include "export_note.h"
#include "export_style.h"
#include "pictures.h"

#include "alloc.h"
#include "embedscope/ranking.h"
#include "families.h"
#include "linkage.h"
#include "order.h"

typedef struct sheet {
    size_t m;
    size_t *at;        /* (m) positions in the results, as drawn */
    double *value;     /* (m, m) */
    const char **name; /* (m) */
    es_linkage *tree;
} sheet;

static void sheet_deinit(sheet *s) {
    es_free(s->at);
    es_free(s->value);
    es_free(s->name);
    es_linkage_free(s->tree);
}

static double value_at(const es_measured *r, size_t field, size_t i, size_t j) {
    return es_measured_matrix(r, field)[i * r->m + j].value;
}

/* By the measure's own ranks; communities are those of information sufficiency, as far as that is
 * stored. order (m). */
static es_status order_by(const es_cli *cli, es_session *session, const es_measured *r,
                          size_t field, uint32_t *order, es_error *err) {
    es_status st = ES_OK;
    const es_results *names = es_session_results(session, 0);
    size_t best = es_session_best(session);
    bool grouped = false;
    double *value = es_alloc(r->m, sizeof *value);
    uint32_t *rank = es_alloc(r->m, sizeof *rank), *group = es_alloc(r->m, sizeof *group);
    ES_FAIL_IF(!value || !rank || !group, es_no_memory(err));
    ES_TRY(es_measured_column(r, field, value, err)); /* higher is better */
    ES_TRY(es_rank_competition(value, r->m, false, rank, err));
    if (best != SIZE_MAX)
        ES_TRY(es_families_group(es_session_results(session, best), cli->options->seed, group,
                                 &grouped, err));
    const es_order_keys keys = {.m = r->m,
                                .name = (const char *const *)names->name,
                                .rank = rank,
                                .dim = names->dim,
                                .group = grouped ? group : NULL};
    ES_TRY(es_order_make((es_order_kind)cli->options->order, &keys, order, err));
done:
    es_free(value);
    es_free(rank);
    es_free(group);
    return st;
}

static bool is_clustered(const es_options *o) {
    return !es_options_given(o, "order") || o->order == (int)ES_ORDER_CLUSTER;
}

/* What is shown, in the order of the tree over its rows or as asked. */
static es_status fill(const es_cli *cli, es_session *session, const es_measured *r, size_t field,
                      sheet *s, es_error *err) {
    es_status st = ES_OK;
    const es_results *names = es_session_results(session, 0);
    uint32_t *order = es_alloc(r->m + 1, sizeof *order);
    size_t *shown = es_alloc(r->m + 1, sizeof *shown);
    double *raw = es_alloc(r->m + 1, (r->m + 1) * sizeof *raw);
    s->at = es_alloc(r->m + 1, sizeof *s->at);
    s->value = es_alloc(r->m + 1, (r->m + 1) * sizeof *s->value);
    s->name = es_alloc(r->m + 1, sizeof *s->name);
    ES_FAIL_IF(!order || !shown || !raw || !s->at || !s->value || !s->name, es_no_memory(err));
    for (size_t i = 0; i < r->m; i++)
        order[i] = (uint32_t)i;
    if (!is_clustered(cli->options))
        ES_TRY(order_by(cli, session, r, field, order, err));
    for (size_t i = 0; i < r->m; i++)
        if (es_export_shows(cli, order[i]))
            shown[s->m++] = order[i];
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            raw[i * s->m + j] = value_at(r, field, shown[i], shown[j]);
    if (is_clustered(cli->options))
        ES_TRY(es_linkage_new(raw, s->m, ES_LINKAGE_AVERAGE, ES_LINKAGE_SOURCES,
                              ES_DIAGONAL_MISSING, &s->tree, err));
    for (size_t i = 0; i < s->m; i++) {
        s->at[i] = shown[s->tree ? s->tree->order[i] : i];
        s->name[i] = es_results_label(names, s->at[i]);
    }
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            s->value[i * s->m + j] = value_at(r, field, s->at[i], s->at[j]);
done:
    es_free(order);
    es_free(shown);
    es_free(raw);
    return st;
}

es_status es_picture_measure(es_cli *cli, es_session *session, const es_choice *choice,
                             es_output_format format, es_buf *out, es_error *err) {
    const es_measured *r = choice->measured;
    size_t field = choice->field == SIZE_MAX ? 0 : choice->field;
    const es_measure_field *what = &r->measure->fields[field];
    int colours = cli->options->figure_colours;
    double low, high;
    es_buf note = {0}, title = {0};
    es_figure_style style;
    sheet s = {0};
    char name[160];
    es_status st = ES_OK;
    ES_TRY(es_export_limits(cli, &low, &high, err));
    ES_TRY(fill(cli, session, r, field, &s, err));
    es_buf_printf(&title, "%s: %s%s", es_choice_name(choice, field, name, sizeof name),
                  field == 0 ? r->measure->title : what->title,
                  es_measure_is_lower_better(r->measure, field) ? " (lower is better)" : "");
    ES_TRY(es_buf_check(&title, err));
    const es_heatmap heatmap = {.rows = s.m,
                                .columns = s.m,
                                .value = s.value,
                                .row_name = s.name,
                                .column_name = s.name,
                                .row_tree = s.tree,
                                .column_tree = s.tree,
                                .row_title = r->symmetric ? "embedder" : "first",
                                .column_title = r->symmetric ? "embedder" : "second",
                                .value_title = title.data,
                                .map = ES_HEAT_SEQUENTIAL,
                                .gradient = colours > 0 ? &es_gradients[colours - 1] : NULL,
                                .low = low,
                                .high = high,
                                .diagonal_apart = true,
                                .decimals = what->decimals < 2 ? what->decimals : 2};
    es_buf_printf(&note, "%s%s", r->settings, r->settings[0] ? ". " : "");
    es_buf_puts(&note, s.tree
                           ? "Trees: average linkage of the rows without the diagonal, Euclidean. "
                           : "");
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_heatmap(&heatmap, &style, es_picture_of(format), out, err));
done:
    sheet_deinit(&s);
    es_buf_free(&note);
    es_buf_free(&title);
    return st;
}
