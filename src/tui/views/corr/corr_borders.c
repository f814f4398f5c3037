/* What stands around Corr's plot: the coefficient in its title, how complete the scores are below,
 * and in its place why there is none. */
#include <math.h>
#include <stdio.h>

#include "corr_panes.h"
#include "tui_draw.h"
#include "tui_panes.h"
#include "app_state.h"
#include "app_values.h"

void es_corr_title(const es_app *app, int room, char *out, size_t capacity) {
    const es_correlation_report *r = es_corr_selected(app);
    es_correlation kind = es_corr_kind(app);
    size_t excluded = es_corr_excluded(app), hidden = app->usable - app->list[ES_LIST_HEAT].count;
    char value[32], interval[48], left[64] = "";
    const char *why = app->set.filter[0] != '\0' ? "filtered out" : "hidden";
    bool roomy = room >= 44;
    if (app->list[ES_LIST_HEAT].count > app->usable)
        hidden = 0;
    if (excluded > 0 && hidden > 0)
        (void)snprintf(left, sizeof left, roomy ? " (%zu excluded, %zu %s)" : " (-%zu -%zu)",
                       excluded, hidden, why);
    else if (excluded + hidden > 0)
        (void)snprintf(left, sizeof left, roomy || room >= 32 ? " (%zu %s)" : " (-%zu)",
                       excluded + hidden, excluded > 0 ? "excluded" : why);
    if (r == NULL) {
        (void)snprintf(out, capacity, "%s=…", es_corr_symbol(app, kind));
        return;
    }
    es_corr_interval_text(app, app->corr->task, kind, interval, sizeof interval);
    bool defined = r->value[kind].why == NULL;
    if (defined && r->few && roomy)
        interval[0] = '\0'; /* said behind */
    const char *few = defined && r->few ? roomy ? ": too few to lean on" : ": few" : "";
    char counts[32] = "";
    if (defined && roomy && rint(r->n_effective) < (double)r->n)
        (void)snprintf(counts, sizeof counts, " (as %.0f)", r->n_effective);
    (void)snprintf(out, capacity, "%s=%s%s%s  n=%zu%s%s%s", es_corr_symbol(app, kind),
                   defined ? es_corr_stat_text(r->value[kind], value) : "-",
                   defined && roomy && interval[0] ? " " : "", defined && roomy ? interval : "",
                   r->n, counts, few, left);
}

void es_corr_bottom(const es_app *app, bool point, int room, char *out, size_t capacity) {
    const es_results *r = es_ranked_complete(app) ? NULL : app->ranked.of;
    size_t pairs = es_app_pairs(app), task = app->corr->task;
    double x, y;
    char value_x[32], value_y[32];
    out[0] = '\0';
    if (r != NULL && r->done < pairs)
        (void)snprintf(out, capacity, "scores over %zu%% of pairs",
                       100 * r->done / (pairs > 0 ? pairs : 1));
    size_t beyond = es_corr_out_of_sight(app);
    if (beyond > 0)
        es_phrase_add(out, capacity, "%szoom: %zu point%s out of sight (.)",
                      out[0] != '\0' ? " · " : "", beyond, beyond == 1 ? "" : "s");
    static const char *const bands[ES_BANDS] = {"95% band (B)", "no band (B)"};
    if (!point && room >= 60)
        es_phrase_add(
            out, capacity, "%s%s%s, %s", out[0] != '\0' ? " · " : "",
            app->tree.found != NULL && app->tree.found->groups > 1 ? "colours: communities · " : "",
            "line: least squares", bands[app->set.corr_band % ES_BANDS]);
    bool partial = out[0] != '\0';
    if (point && app->cursor != ES_NONE && es_corr_place(app, task, app->cursor, &x, &y))
        (void)snprintf(
            out, capacity, "%s %.120s  %s / %s%s", app->ascii ? "@" : "◆",
            es_corr_name(app, app->cursor), es_corr_number(es_corr_shown_x(app, x), 3, value_x),
            es_corr_number(es_corr_shown_y(app, task, y), es_corr_digits(app, task), value_y),
            app->excluded[app->cursor] ? (room < 50 ? ", out" : ", excluded")
            : partial                  ? ", partial"
                                       : "");
}

/* Of the points that count. */
static bool all_scores_equal(const es_app *app) {
    const es_correlation_set *set = es_corr_set(app);
    const double *y = set->y + app->corr->task * set->n;
    double first = (double)NAN;
    for (size_t k = 0; k < set->n; k++) {
        if (!isfinite(set->score[k]) || !isfinite(y[k]))
            continue;
        if (isnan(first))
            first = set->score[k];
        if (set->score[k] != first)
            return false;
    }
    return true;
}

bool es_corr_explain(const es_app *app, es_grid *grid, es_rect in) {
    const struct es_corr *c = app->corr;
    const es_correlation_report *r = es_corr_selected(app);
    const char *name = es_corr_task_name(app, c->task);
    char text[700];
    if (es_draw_nothing(app, grid, in))
        return true;
    if (c->joined == 0) {
        bool some = es_corr_proposal(app, 0) != ES_NONE;
        (void)snprintf(text, sizeof text,
                       "Its first name is %s, the first embedder here is %s.\n\n%s",
                       app->source->scores.model[0], app->n > 0 ? es_corr_name(app, 0) : "-",
                       some ? "Some are nearly equal: a takes the first pair that is proposed, A "
                              "takes all, u takes it back."
                            : "The first column of that file must hold the embedders' names as "
                              "Pool (1) shows them.");
        char head[128];
        (void)snprintf(head, sizeof head, "No name in %.80s is an embedder's",
                       app->source->score_file);
        es_draw_empty(grid, in, head, text);
        return true;
    }
    bool known = false;
    for (size_t i = 0; i < app->n; i++)
        known = known || isfinite(app->live[i].score);
    if (!known) {
        bool some = app->results != NULL && app->results->done > 0;
        bool all = some && app->progress.done + app->progress.failed >= app->progress.total;
        es_draw_empty(
            grid, in,
            some && all ? "No embedder is ranked"
            : some      ? "No embedder is ranked yet"
                        : "No pair is known yet",
            all ? "Coefficients need a ranking; the Overview (0) explains why there is none."
            : app->source->read_only ? "There are no results to correlate."
            : es_app_running(app)
                ? "Coefficients appear with the first scores and settle during the run."
                : "r starts the estimation; coefficients come with the first scores and "
                  "settle while it runs.");
        return true;
    }
    if (r == NULL || (r->value[ES_SPEARMAN].why == NULL && c->points > 0))
        return false;
    if (r->n < 3) {
        size_t left = es_corr_excluded(app);
        (void)snprintf(text, sizeof text,
                       "%s: %zu embedder%s both a score and this task; a correlation needs three.%s"
                       "\n\nj and k choose another task%s.",
                       name, r->n, r->n == 1 ? " has" : "s have",
                       es_corr_is_mean(app, c->task)
                           ? " What sums tasks up needs every task of an embedder."
                           : "",
                       left > 0 ? "; u takes back what x left out" : "");
        es_draw_empty(grid, in, "Too few points", text);
    } else {
        bool scores = all_scores_equal(app);
        (void)snprintf(text, sizeof text,
                       "All %zu %s%s are equal: nothing can go with them.\n\n%s.", r->n,
                       scores ? "scores" : "values of ", scores ? "" : name,
                       scores ? "m chooses another score, where a measure was computed"
                              : "j and k choose another task");
        es_draw_empty(grid, in, "Constant values", text);
    }
    return true;
}
