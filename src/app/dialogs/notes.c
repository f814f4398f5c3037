/* What the note overlay says about an embedder or a pair. */
#include <inttypes.h>
#include <math.h>

#include "app_state.h"
#include "app_values.h"
#include "app_dialogs.h"

/* Returns the text, owned by the caller; NULL: out of memory. */
static char *take_text(es_buf *out) {
    if (out->failed) {
        es_buf_free(out);
        return NULL;
    }
    return out->data;
}

char *es_note_model(const es_app *app, size_t item) {
    const es_model *m = es_app_model(app, item);
    const es_live_rank *live = &app->live[item];
    char size[16];
    es_buf out = {0};
    es_format_bytes(m->file_bytes, size, sizeof size);
    if (m->state == ES_MODEL_EXCLUDED)
        es_buf_printf(&out, "Excluded: %s\n\n", m->reason == NULL ? "no reason known" : m->reason);
    es_buf_printf(&out, "file      %s", m->file == NULL ? "-" : m->file);
    if (m->file_bytes > 0)
        es_buf_printf(&out, "  (%s)", size);
    if (m->rows > 0 || m->dim > 0)
        es_buf_printf(&out, "\nshape     %zu x %zu  %s%s", m->rows, m->dim,
                      m->dtype == NULL ? "" : m->dtype,
                      m->kind == ES_KIND_BINARY ? ", binary" : "");
    if (m->order == ES_ORDER_MATCHED)
        es_buf_puts(&out, "\nrows      matched by their ids: they stand in another order");
    if (m->order == ES_ORDER_ASSUMED)
        es_buf_puts(&out, "\nrows      without ids, taken to be in the order of the others");
    if (m->strangers + m->doubled_ids > 0)
        es_buf_printf(&out, "; %zu of no other embedder, %zu ids twice", m->strangers,
                      m->doubled_ids);
    es_buf_puts(&out, "\n");
    if (m->family != NULL)
        es_buf_printf(&out, "family    %s\n", m->family);
    if (m->state == ES_MODEL_READY && m->rows > 0) {
        es_buf_printf(&out, "used      %zu column%s", m->dim_used, m->dim_used == 1 ? "" : "s");
        if (m->dropped_columns > 0)
            es_buf_printf(&out, ", %zu constant one%s left out", m->dropped_columns,
                          m->dropped_columns == 1 ? " is" : "s are");
        es_buf_printf(&out, "\nnorm      %.4g, s.d. %.3g over rows", m->norm_mean, m->norm_sd);
        if (m->zero_rows > 0)
            es_buf_printf(&out,
                          m->zero_rows == 1 ? "; one row is all zero" : "; %zu rows are all zero",
                          m->zero_rows);
        es_buf_printf(&out, "\ndigest    %016" PRIx64 "%016" PRIx64 "\n", m->digest.hi,
                      m->digest.lo);
        if (m->duplicate_of != ES_NONE && m->duplicate_of < app->n)
            es_buf_printf(&out, "same as   %s: equal contents\n",
                          es_app_model(app, m->duplicate_of)->name);
    } else if (m->state == ES_MODEL_UNCHECKED)
        es_buf_puts(&out, "contents  not read yet\n");
    if (live->place > 0)
        es_buf_printf(&out,
                      "\nscore     %s, rank %zu, from %zu of %zu targets: the %s\nsimulated %s, "
                      "median over sources%s%s\n",
                      es_figure_of(live->score, 4).text, live->place, live->pairs, live->of,
                      es_ranked_score_name(app), es_figure_of(live->simulated, 4).text,
                      isfinite(live->simulated) ? ", by " : "",
                      isfinite(live->simulated) ? es_ranked_beside_title(app) : "");
    if (live->failed > 0)
        es_buf_printf(&out,
                      live->failed == 1 ? "failed    one pair; Jobs (7) lists it\n"
                                        : "failed    %zu pairs; Jobs (7) lists them\n",
                      live->failed);
    if (m->notes != NULL)
        es_buf_printf(&out, "\n%s\n", m->notes);
    return take_text(&out);
}

const char *es_note_why_pending(const es_app *app) {
    if (!app->source->read_only && es_app_running(app))
        return "pending; P puts this row first";
    return app->source->read_only || app->phase == ES_PHASE_DONE ? "not estimated"
                                                                 : "not estimated; r starts";
}

static void put_end(es_buf *out, const char *what, const es_model *model) {
    es_buf_printf(out, "%s%s", what, model->name);
    if (model->dim > 0) /* not known of a finished matrix */
        es_buf_printf(out, "  (%zu d)", model->dim);
    es_buf_putc(out, '\n');
}

char *es_note_cell(const es_app *app, size_t source, size_t target) {
    const es_model *s = es_app_model(app, source), *t = es_app_model(app, target);
    es_pair_state state = es_app_pair_state(app, source, target);
    es_buf out = {0};
    put_end(&out, "source    ", s);
    put_end(&out, "target    ", t);
    es_buf_putc(&out, '\n');
    if (source == target)
        es_buf_puts(&out, "An embedder against itself: it does not count.\n");
    else if (state == ES_PAIR_FAILED) {
        const es_results *r = app->results;
        const char *reason = r->reason[app->position[source] * r->m + app->position[target]];
        es_buf_printf(&out, "failed    %s\n\nR in Jobs (7) tries again.\n",
                      reason == NULL ? "no reason known" : reason);
    } else if (state != ES_PAIR_DONE)
        es_buf_printf(&out, "%s\n",
                      state == ES_PAIR_RUNNING ? "running" : es_note_why_pending(app));
    else {
        double is = es_metric_value(app, ES_METRIC_IS, source, target),
               se = es_metric_value(app, ES_METRIC_SE, source, target);
        double h = es_metric_value(app, ES_METRIC_H_COND, source, target),
               back = es_metric_value(app, ES_METRIC_IS, target, source);
        bool error = es_app_lower(app);
        es_buf_printf(&out,
                      error ? "error     %s  of predicting the target; lower is better\n"
                            : "IS/d      %s  nats per target dimension\n",
                      es_figure_of(is, 4).text);
        if (isfinite(se))
            es_buf_printf(&out, "95%%       [%s, %s]\n", es_figure_of(is - 1.959964 * se, 4).text,
                          es_figure_of(is + 1.959964 * se, 4).text);
        if (isfinite(h) && !error)
            es_buf_printf(
                &out, "IS        %s nats in all\nH(V|U)/d  %s\nH(V)/d    %s\n",
                es_figure_of(is * (double)(t->dim_used > 0 ? t->dim_used : t->dim), 1).text,
                es_figure_of(h, 4).text, es_figure_of(h + is, 4).text);
        if (isfinite(back)) {
            char skew[32];
            bool alike =
                es_refine_entry(app, source, target) == es_refine_entry(app, target, source);
            es_metric_format(ES_METRIC_ASYMMETRY, is - back, 4, skew, sizeof skew);
            es_buf_printf(&out, "reverse   %s   ", es_figure_of(back, 4).text);
            if (alike)
                es_buf_printf(&out, "asymmetry %s\n", skew);
            else
                es_buf_printf(&out, "by %s: not to be compared\n",
                              app->source->title[es_refine_entry(app, target, source)]);
        }
        double zero_se, zero = es_heat_null(app, source, target, &zero_se);
        if (isfinite(zero))
            es_buf_printf(&out, "zero line %s ± %s, the target's rows shuffled\n",
                          es_figure_of(zero, 4).text, es_figure_of(1.959964 * zero_se, 4).text);
        double copy, seconds = es_metric_value(app, ES_METRIC_SECONDS, source, target);
        if (es_heat_copy_low(app, source, target, &copy))
            es_buf_printf(&out,
                          "ceiling   %s (an exact copy of the target). Heavy tails, nearly "
                          "constant columns or few rows: its column is understated\n",
                          es_figure_of(copy, 3).text);
        if (isfinite(seconds))
            es_buf_printf(&out, "seconds   %.2f\n", seconds);
    }
    size_t entry = es_refine_entry(app, source, target);
    const es_results *of = entry == ES_NONE ? NULL : app->source->results[entry];
    es_buf_printf(&out, "\nestimator %s%s", entry == ES_NONE ? "" : app->source->title[entry],
                  es_refine_preview(app, source, target) ? ", a preview" : "");
    if (of != NULL && of->settings != NULL)
        es_buf_printf(&out, "\nsettings  %s", of->settings);
    if (of != NULL && of->remark != NULL)
        es_buf_printf(&out, "\nmind      %s", of->remark);
    return take_text(&out);
}
