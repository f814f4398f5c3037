/* What Corr knows of a task, in words. */
#include <math.h>
#include <stdio.h>

#include "buf.h"
#include "corr.h"
#include "corr_line.h"
#include "corr_note.h"
#include "facts.h"
#include "select.h"

static void put_stat(es_buf *out, const char *what, es_stat stat) {
    if (stat.why != NULL)
        es_buf_printf(out, "%-22s not defined: %s\n", what, stat.why);
    else
        es_buf_printf(out, "%-22s %.3f\n", what, stat.value);
}

static void put_kinds(const es_corr_task *task, es_buf *out) {
    static const char *const names[] = {"Pearson r", "Spearman rho", "Kendall tau-b",
                                        "weighted tau"};
    const es_correlation_report *r = &task->report;
    for (size_t k = 0; k < ES_CORRELATIONS; k++)
        if (r->value[k].why == NULL && isfinite(r->low[k]))
            es_buf_printf(out, "%-22s %.3f   95%% [%.3f, %.3f]%s\n", names[k], r->value[k].value,
                          r->low[k], r->high[k], task->held ? " of a moment ago" : "");
        else
            put_stat(out, names[k], r->value[k]);
}

static void put_point(const es_app *app, size_t item, const char *what, es_buf *out) {
    es_buf_printf(out, "%-22s %s  %+.3g\n", what, es_app_name(app, item),
                  es_corr_residual(app, app->corr->task, item));
}

/* What else would have predicted the task. */
static void put_baselines(const es_app *app, es_buf *out) {
    const struct es_corr *c = app->corr;
    const es_corr_task *task = &c->at[c->task];
    const es_source_baseline *l2 = &app->source->baseline;
    if (c->sized || l2->possible)
        es_buf_puts(out, "\nBaselines: the size alone, and the error of reconstruction\n");
    if (c->sized)
        put_stat(out, "rho of log dim", task->size[ES_SPEARMAN]);
    if (l2->known > 0)
        put_stat(out, "rho of -l2", task->l2[ES_SPEARMAN]);
    if (l2->known > 0 && l2->known < l2->of)
        es_buf_printf(out, "  as far as it is stored: %zu of %zu pairs\n", l2->known, l2->of);
    if (l2->possible && l2->known < l2->of + (l2->of == 0)) {
        es_buf_puts(out, "  embedscope estimate ");
        es_buf_put_shell(out, app->source->path);
        es_buf_printf(out,
                      " --estimator l2\n  in another shell %s it (the same --rows, --models, "
                      "--seed); then open Corr again\n",
                      l2->known > 0 ? "completes" : "makes");
    }
}

void es_corr_proposals_put(const es_app *app, size_t most, es_buf *out) {
    const struct es_corr *c = app->corr;
    size_t count = 0, item;
    for (; (item = es_corr_proposal(app, count)) != ES_NONE; count++)
        if (count < most)
            es_buf_printf(out, "%s is %s? (differs in %s)\n",
                          app->source->scores.model[c->partner[item]], es_app_name(app, item),
                          es_name_match_words(c->how[item]));
    if (count > most)
        es_buf_printf(out, "and %zu more: Corr lists them, and takes them one by one with a\n",
                      count - most);
}

static void put_names(const es_app *app, es_buf *out) {
    const struct es_corr *c = app->corr;
    size_t item, row;
    for (size_t k = 0; (item = es_corr_proposal(app, k)) != ES_NONE; k++)
        es_buf_printf(out, "%s%s is probably %s: a takes it\n", k == 0 ? "\n" : "",
                      app->source->scores.model[c->partner[item]], es_app_name(app, item));
    for (size_t k = 0; (row = es_corr_row_unmatched(app, k)) != ES_NONE; k++) {
        if (k == 0)
            es_buf_printf(out, "\nIn %s only:\n", app->source->score_file);
        es_buf_printf(out, "  %s\n", app->source->scores.model[row]);
    }
    for (size_t i = 0, k = 0; i < app->n; i++)
        if (c->how[i] == ES_NAME_NONE && es_select_in_matrix(app, i))
            es_buf_printf(out, "%s%s\n", k++ == 0 ? "\nWithout scores:\n  " : "  ",
                          es_app_name(app, i));
}

static bool nobody_is_ranked(const es_app *app) {
    for (size_t i = 0; i < app->n; i++)
        if (isfinite(app->live[i].score))
            return false;
    return true;
}

char *es_corr_note(const es_app *app) {
    const struct es_corr *c = app->corr;
    const es_corr_task *task = &c->at[c->task];
    const es_correlation_report *r = &task->report;
    size_t excluded = es_corr_excluded(app), above[3], below[3];
    es_buf out = {0};
    if (nobody_is_ranked(app)) {
        es_buf_puts(&out, "No embedder is ranked yet: open this again once some are.\n");
        put_names(app, &out);
        return es_buf_take(&out);
    }
    es_buf_printf(&out, "%zu embedders have both the score and the task", r->n);
    if (isfinite(r->n_effective) && r->families < r->n)
        es_buf_printf(&out, "; of %zu families, they count as %.0f independent ones", r->families,
                      r->n_effective);
    if (excluded > 0)
        es_buf_printf(&out, "; %zu more left out with x", excluded);
    es_buf_printf(&out, "%s\n\n", r->few ? ". That is few: do not lean on it" : "");
    put_kinds(task, &out);
    if (isfinite(r->p_effective))
        es_buf_printf(&out, "%-22s %.4f, two-sided, of the independent ones\n", "p",
                      r->p_effective);
    if (c->sized)
        put_stat(&out, "rho given log dim", r->partial);
    if (isfinite(r->leave_one_low)) {
        es_buf_printf(&out, "%-22s %.3f without %s\n%-22s %.3f without %s\n",
                      "leave one out, least", r->leave_one_low,
                      es_app_name(app, r->leave_one_low_at), "leave one out, most",
                      r->leave_one_high, es_app_name(app, r->leave_one_high_at));
    }
    if (r->value[ES_SPEARMAN].why == NULL) {
        char title[64];
        (void)snprintf(title, sizeof title, "rho of the best %zu", r->n_top);
        put_stat(&out, title, r->top_half);
    }
    put_baselines(app, &out);
    size_t up = es_corr_extremes(app, c->task, true, 3, above),
           down = es_corr_extremes(app, c->task, false, 3, below);
    if (up + down > 0)
        es_buf_puts(&out, "\n");
    static const char better[] = "better than the score says",
                      worse[] = "worse than the score says";
    for (size_t k = 0; k < up; k++)
        put_point(app, above[k], k == 0 ? better : "", &out);
    for (size_t k = 0; k < down; k++)
        put_point(app, below[k], k == 0 ? worse : "", &out);
    put_names(app, &out);
    return es_buf_take(&out);
}
