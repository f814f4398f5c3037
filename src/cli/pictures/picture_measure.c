/* A field of a measure of two embedders as a heat map, clustered by its rows. */
#include <math.h>

#include "export_note.h"
#include "export_style.h"
#include "pictures.h"

#include "alloc.h"
#include "linkage.h"

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

/* What is shown, in the order of the tree over its rows. */
static es_status fill(const es_cli *cli, const es_results *names, const es_measured *r,
                      size_t field, sheet *s, es_error *err) {
    es_status st = ES_OK;
    size_t *shown = es_alloc(r->m + 1, sizeof *shown);
    double *raw = es_alloc(r->m + 1, (r->m + 1) * sizeof *raw);
    s->at = es_alloc(r->m + 1, sizeof *s->at);
    s->value = es_alloc(r->m + 1, (r->m + 1) * sizeof *s->value);
    s->name = es_alloc(r->m + 1, sizeof *s->name);
    ES_FAIL_IF(!shown || !raw || !s->at || !s->value || !s->name, es_no_memory(err));
    for (size_t i = 0; i < r->m; i++)
        if (es_export_shows(cli, i))
            shown[s->m++] = i;
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            raw[i * s->m + j] = value_at(r, field, shown[i], shown[j]);
    ES_TRY(es_linkage_new(raw, s->m, ES_LINKAGE_AVERAGE, ES_LINKAGE_SOURCES, ES_DIAGONAL_MISSING,
                          &s->tree, err));
    for (size_t i = 0; i < s->m; i++) {
        s->at[i] = shown[s->tree->order[i]];
        s->name[i] = es_results_label(names, s->at[i]);
    }
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            s->value[i * s->m + j] = value_at(r, field, s->at[i], s->at[j]);
done:
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
    ES_TRY(fill(cli, es_session_results(session, 0), r, field, &s, err));
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
    es_buf_printf(&note, "%s%sTrees: average linkage of the rows without the diagonal, Euclidean. ",
                  r->settings, r->settings[0] ? ". " : "");
    ES_TRY(es_export_style(cli, &note, &style, err));
    ES_TRY(es_figure_heatmap(&heatmap, &style, es_picture_of(format), out, err));
done:
    sheet_deinit(&s);
    es_buf_free(&note);
    es_buf_free(&title);
    return st;
}
