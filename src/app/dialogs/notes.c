/* What the note overlay says about an embedder or a pair. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "app_dialogs.h"
#include "app_state.h"
#include "app_values.h"

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
    return es_buf_take(&out);
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
    return es_buf_take(&out);
}

/* Why an embedder is ranked where it is: the note of Rank, which is also the pane beside it if
 * there is room. All of it comes from the last decision. */

enum { NAMED = 6, TARGETS = 4, USEFUL = 100, NAME_WIDTH = 24, BAR = 16 };

static const char *name_at(const es_app *app, size_t p) {
    return es_app_name(app, app->ranked.results->model[p]);
}

static void put_place(const es_app *app, const es_decision *d, size_t item, es_buf *out) {
    const es_live_rank *live = &app->live[item];
    es_buf_printf(out, "rank      %zu of %zu", live->place, d == NULL ? app->n : d->counted);
    if (live->rank_low > 0 && live->rank_low < live->rank_high)
        es_buf_printf(out, ", between %zu and %zu with 95 %% confidence", live->rank_low,
                      live->rank_high);
    else if (live->rank_low > 0)
        es_buf_puts(out, ", with 95 % confidence");
    es_buf_printf(out, "\nscore     %s", es_figure_of(live->score, 3).text);
    if (isfinite(live->low))
        es_buf_printf(out, " [%s, %s]", es_figure_of(live->low, 3).text,
                      es_figure_of(live->high, 3).text);
    es_buf_printf(out, ", the %s", es_ranked_score_name(app));
    if (isfinite(live->published) && !app->ranked.published)
        es_buf_printf(out, "\npublished %s, by %s", es_figure_of(live->published, 3).text,
                      es_ranked_beside_title(app));
    es_buf_puts(out, "\n");
    if (d == NULL || !d->said)
        return;
    es_buf_printf(out, "\n%s.\n",
                  live->best ? "A candidate for the best with other kinds of embedders as reference"
                             : "Not a candidate for the best: at least one is shown ahead of it");
}

/* By information and by width. */
static void put_parts(const es_app *app, const es_decision *d, size_t p, es_buf *out) {
    const es_bottom_line_of of = es_ranked_words(app, d);
    if (!d->by_lead || d->ranking->rank[p] == 0)
        return;
    es_bottom_line_put_parts(&of, p, out);
    es_buf_printf(out, "\nkind      %u of %zu", d->kind[p] + 1u, d->kinds);
    size_t said = 0;
    for (size_t i = 0; i < d->m; i++)
        if (i != p && d->kind[i] == d->kind[p]) {
            es_buf_puts(out, said == 0 ? ", with " : "");
            es_buf_name(out, &said, NAMED, name_at(app, i));
        }
    es_buf_names_end(out, said, NAMED);
    es_buf_puts(out, "\n");
}

/* Of a score that is no mean the difference itself. */
static double part(const es_explained_target *t) {
    return isnan(t->adds) ? t->a - t->b : t->adds;
}

/* "  gte-base      +0.012  ██████": a target's part, its bar as long as the largest part allows. */
static void put_target(const es_app *app, const char *name, double adds, double most, es_buf *out) {
    int blanks = NAME_WIDTH - es_name_width(name), bar = (int)lround(BAR * fabs(adds) / most);
    es_buf_printf(out, "  %s%*s %+.3f  ", name, blanks > 0 ? blanks : 0, "", adds);
    for (int k = 0; k < bar; k++)
        es_buf_puts(out, app->ascii ? "#" : adds > 0 ? "█" : "░");
    es_buf_puts(out, "\n");
}

static double columns_of(const void *context, const char *text) {
    (void)context;
    return es_name_width(text);
}

/* The targets' names, so short that bars stand beside them. NULL: out of memory. */
static char **short_targets(const es_app *app, const es_explanation *x) {
    const es_ruler ruler = {columns_of, NULL, "…"};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const char **name = es_alloc(x->targets, sizeof *name);
    char **out = es_alloc_zero(x->targets, sizeof *out);
    for (size_t k = 0; name != NULL && k < x->targets; k++)
        name[k] = name_at(app, x->target[k].target);
    if (name == NULL || out == NULL ||
        es_short_names_make(name, x->targets, NAME_WIDTH, &ruler, out, NULL) != ES_OK) {
        es_free(out);
        out = NULL;
    }
    es_free((void *)name);
    return out;
}

/* Over the targets that compare both a mean may be the other way round than over all. */
static void put_targets_title(const es_app *app, const es_explanation *x, size_t above,
                              size_t below, es_buf *out) {
    if (isnan(x->target[0].adds))
        es_buf_printf(out, "  %s less %s, by target:\n", name_at(app, above), name_at(app, below));
    else if (x->difference < 0)
        es_buf_printf(
            out, "  %s is behind by %.3f over the %zu target%s that compare%s both, of which:\n",
            name_at(app, above), -x->difference, x->targets, x->targets == 1 ? "" : "s",
            x->targets == 1 ? "s" : "");
    else
        es_buf_printf(out, "  Where the lead of %s comes from:\n", name_at(app, above));
}

/* What targets add to the lead of the one above over the one below, or of a median, to which none
 * adds, how the two differ on them: those that carry it most, then those that speak against it. */
static void put_targets(const es_app *app, size_t above, size_t below, es_buf *out) {
    es_rank_report report;
    es_explanation *x = NULL;
    double most = 0;
    if (!es_ranked_report(app, &report) ||
        es_explanation_new(&report, above, below, &x, NULL) != ES_OK)
        return;
    for (size_t k = 0; k < x->targets; k++)
        most = fmax(most, fabs(part(&x->target[k])));
    char **name = short_targets(app, x);
    if (name == NULL)
        most = 0;
    if (most > 0)
        put_targets_title(app, x, above, below, out);
    for (int side = 0; side < 2 && most > 0; side++)
        for (size_t k = 0; k < x->targets && k < TARGETS; k++) {
            size_t at = side == 0 ? k : x->targets - 1 - k;
            const es_explained_target *t = &x->target[at];
            if (fabs(part(t)) * 2 * BAR >= most && (part(t) > 0) == (side == 0)) /* to be seen */
                put_target(app, name[at], part(t), most, out);
        }
    if (name != NULL)
        es_short_names_free(name, x->targets);
    es_free(name);
    es_explanation_free(x);
}

static void put_neighbour(const es_app *app, const es_decision *d, size_t p, size_t other,
                          bool above, es_buf *out) {
    const es_bottom_line_of of = es_ranked_words(app, d);
    size_t beside = app->ranked.results->model[other];
    es_buf_printf(out, "\n%s     %s, %s\n          ", above ? "above" : "below",
                  name_at(app, other), es_figure_of(app->live[beside].score, 3).text);
    es_bottom_line_put_pair(&of, above ? other : p, above ? p : other, out);
    es_buf_puts(out, "\n");
    put_targets(app, above ? other : p, above ? p : other, out);
}

static void put_group(const es_app *app, const es_decision *d, size_t item, es_apart how,
                      const char *title, es_buf *out) {
    size_t count = 0;
    for (size_t k = 0; k < d->scored; k++)
        count += es_ranking_apart(app, app->ranked.results->model[d->order[k]], item) == how;
    if (count == 0)
        return;
    es_buf_printf(out, "%s", title);
    for (size_t k = 0, said = 0; k < d->scored; k++)
        if (es_ranking_apart(app, app->ranked.results->model[d->order[k]], item) == how)
            es_buf_name(out, &said, NAMED, name_at(app, d->order[k]));
    es_buf_names_end(out, count, NAMED);
    es_buf_puts(out, ".\n");
}

static void put_others(const es_app *app, const es_decision *d, size_t item, es_buf *out) {
    size_t p = es_ranked_place(app, item);
    for (size_t k = 0; k < d->scored; k++) {
        if (d->order[k] != p)
            continue;
        if (k > 0)
            put_neighbour(app, d, p, d->order[k - 1], true, out);
        if (k + 1 < d->scored)
            put_neighbour(app, d, p, d->order[k + 1], false, out);
    }
    if (!d->said)
        return;
    es_buf_puts(out, "\n");
    put_group(app, d, item, ES_APART_NOT, "No difference is shown between it and ", out);
}

static void put_downstream(const es_app *app, size_t item, es_buf *out) {
    const es_downstream *x = app->ranked.downstream;
    size_t p = es_ranked_place(app, item), place = 1;
    if (x == NULL || p >= app->ranked.results->m || isnan(x->percentile[p]))
        return;
    for (size_t i = 0; i < app->ranked.results->m; i++)
        place += x->percentile[i] > x->percentile[p];
    es_buf_printf(
        out, "\nDownstream it is %zu of %zu, with a mean percentile of %.0f over %zu task%s.\n",
        place, x->n, x->percentile[p], x->tasks, x->tasks == 1 ? "" : "s");
}

char *es_note_rank(const es_app *app, size_t item, bool whole) {
    const es_decision *d = es_ranking_decided(app);
    const es_live_rank *live = &app->live[item];
    es_headline_parts parts;
    es_buf out = {0};
    if (es_ranked_leaves_out(app, item))
        es_buf_puts(&out, "Derived from others: it neither votes nor ranks. d includes it.\n");
    else if (live->place == 0 && es_ranked_standing(app, item) != NULL)
        es_buf_printf(&out, "%s\n", es_ranked_standing(app, item));
    else if (live->place == 0 && live->pairs == live->of)
        es_buf_puts(&out, "Not ranked: it is not compared with any other.\n");
    else if (live->place == 0)
        es_buf_printf(
            &out,
            "Not ranked yet: %zu of its %zu pairs are known. An embedder is ranked once all "
            "are.\n",
            live->pairs, live->of);
    else {
        put_place(app, d, item, &out);
        if (d != NULL && es_ranked_place(app, item) < d->m) {
            put_parts(app, d, es_ranked_place(app, item), &out);
            put_others(app, d, item, &out);
        }
        put_downstream(app, item, &out);
    }
    es_buf_puts(&out, "\n");
    if (whole && es_headline_say(app, &out, &parts))
        es_buf_puts(&out, "\n\n");
    es_buf_puts(&out, es_ranked_explained(app));
    return es_buf_take(&out);
}
