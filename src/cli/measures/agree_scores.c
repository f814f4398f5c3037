/* Every measure of a pool side by side: a column each for information sufficiency, the chosen
 * measures, the dimension and models.csv, higher always better, with how far they agree and with
 * what is downstream. */
#include "agree_scores.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lookup.h"
#include "rank_choices.h"
#include "output.h"
#include "results_rank.h"
#include "rank_report.h"

#include "alloc.h"
#include "file.h"
#include "paths.h"

void es_agree_scores_deinit(es_agree_scores *s) {
    for (size_t i = 0; i < s->k; i++) {
        es_free(s->name[i]);
        es_free(s->about[i]);
    }
    es_free(s->name);
    es_free(s->about);
    es_free(s->column);
    es_free(s->negated);
    es_free(s->downstream);
    es_free(s->task);
    es_free(s->control);
    es_agreement_free(s->agreement);
    *s = (es_agree_scores){0};
}

/* Room for one more column; *out is its values, not set. */
static es_status add_column(es_agree_scores *s, const char *name, const char *about, bool negated,
                            double **out, es_error *err) {
    char **names = es_realloc(s->name, s->k + 1, sizeof *names);
    if (names)
        s->name = names;
    char **abouts = es_realloc(s->about, s->k + 1, sizeof *abouts);
    if (abouts)
        s->about = abouts;
    double *column = es_realloc(s->column, (s->k + 1) * s->n, sizeof *column);
    if (column)
        s->column = column;
    bool *signs = es_realloc(s->negated, s->k + 1, sizeof *signs);
    if (signs)
        s->negated = signs;
    if (!names || !abouts || !column || !signs)
        return es_no_memory(err);
    s->name[s->k] = es_strdup(name);
    s->about[s->k] = es_strdup(about);
    s->negated[s->k] = negated;
    if (!s->name[s->k] || !s->about[s->k]) {
        es_free(s->name[s->k]);
        es_free(s->about[s->k]);
        return es_no_memory(err);
    }
    *out = s->column + s->k++ * s->n;
    return ES_OK;
}

/* Information sufficiency, as `rank` shows it. */
static es_status add_sufficiency(es_cli *cli, es_session *session, es_agree_scores *s,
                                 es_error *err) {
    size_t entry = es_session_best(session);
    es_rank_report *report = NULL;
    char about[120];
    double *to = NULL;
    if (entry == SIZE_MAX) {
        es_output_note(cli,
                       "information sufficiency is not stored; `embedscope estimate %s` adds it",
                       cli->arguments[0]);
        return ES_OK;
    }
    const es_results *r = es_session_results(session, entry);
    bool lower = es_rank_lower_is_better(r);
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    es_status st = es_rank_report_new(r, &how, &report, err);
    if (st != ES_OK)
        return st;
    (void)snprintf(about, sizeof about, "information sufficiency, %s %s", r->estimator->name,
                   r->preset);
    st = add_column(s, lower ? r->estimator->name : "is", about, lower, &to, err);
    for (size_t i = 0; st == ES_OK && i < s->n; i++)
        to[i] = lower ? -report->ranking->score[i] : report->ranking->score[i];
    if (st == ES_OK && r->done < r->m * r->m)
        es_output_note(cli, "%zu of %zu pairs of %s are stored; scores are over those", r->done,
                       r->m * r->m, r->estimator->name);
    es_rank_report_free(report);
    return st;
}

static es_status add_choice(const es_choice *c, es_agree_scores *s, es_error *err) {
    char name[160];
    double *to = NULL;
    size_t field = c->field == SIZE_MAX ? 0 : c->field;
    const es_measure *m = c->measured->measure;
    es_choice_name(c, field, name, sizeof name);
    es_status st =
        add_column(s, name, m->pair ? "median over the other embedders" : m->fields[field].title,
                   es_measure_is_lower_better(m, m->pair ? 0 : field), &to, err);
    return st == ES_OK ? es_measured_column(c->measured, field, to, err) : st;
}

es_status es_agree_scores_add_models(const char *path, const es_results *names, es_agree_scores *s,
                                     es_error *err) {
    char label[ES_PATH_LABEL];
    es_scores file = {0};
    es_status st = es_scores_read(path, 0, &file, err);
    if (st == ES_OK && file.tasks > ES_STANDING_MODELS)
        st = es_fail(err, ES_EINVAL, "%s: has %zu columns of numbers; at most %d are compared",
                     es_path_label(label, path), file.tasks, ES_STANDING_MODELS);
    for (size_t t = 0; st == ES_OK && t < file.tasks; t++) {
        double *to = NULL;
        st = add_column(s, file.task[t], "of models.csv", false, &to, err);
        for (size_t i = 0; st == ES_OK && i < s->n; i++) {
            to[i] = NAN;
            for (size_t k = 0; k < file.models; k++)
                if (strcmp(file.model[k], names->name[i]) == 0)
                    to[i] = file.value[k * file.tasks + t];
        }
    }
    es_scores_deinit(&file);
    return st;
}

/* What is known without measuring: the dimension, and models.csv. */
static es_status add_baselines(es_session *session, es_agree_scores *s, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    double *to = NULL;
    es_error why = {0};
    es_status st = add_column(s, "dimension", "columns of the embedder", false, &to, err);
    if (st != ES_OK)
        return st;
    for (size_t i = 0; i < s->n; i++)
        to[i] = names->dim[i] > 0 ? (double)names->dim[i] : (double)NAN;
    char *path = es_path_join(es_pool_path(es_session_pool(session)), "models.csv");
    if (!path)
        return es_no_memory(err);
    st = es_agree_scores_add_models(path, names, s, &why);
    es_free(path);
    return st == ES_OK || st == ES_ENOTFOUND ? ES_OK : es_fail(err, st, "%s", why.message);
}

bool es_agree_scores_controls_last(const es_agree_scores *s, size_t k) {
    double best = -HUGE_VAL, worst = HUGE_VAL;
    for (size_t i = 0; i < s->n; i++) {
        double v = s->column[k * s->n + i];
        if (s->control[i] && isfinite(v))
            best = v > best ? v : best;
        else if (isfinite(v))
            worst = v < worst ? v : worst;
    }
    return isfinite(best) && isfinite(worst) && best < worst;
}

static es_status find_controls(const es_results *names, es_agree_scores *s, es_error *err) {
    s->control = es_alloc_zero(s->n, sizeof *s->control);
    if (!s->control)
        return es_no_memory(err);
    for (size_t i = 0; i < s->n; i++) {
        s->control[i] = names->family[i] && strcmp(names->family[i], "control") == 0;
        s->controls += s->control[i];
    }
    return ES_OK;
}

/* Each embedder that holds what an earlier one does. */
static void note_duplicates(const es_cli *cli, es_session *session, const es_results *names) {
    es_pool *pool = es_session_pool(session);
    for (size_t i = 0; i < names->m; i++)
        for (size_t j = 0; j < i; j++) {
            const es_model *a = es_pool_model(pool, names->model[j]);
            const es_model *b = es_pool_model(pool, names->model[i]);
            if (!es_digest_equal(a->digest, b->digest))
                continue;
            es_output_note(cli,
                           "%s and %s hold the same values and count as two; --exclude leaves one "
                           "out",
                           names->name[j], names->name[i]);
            break;
        }
}

/* Downstream values of the embedders: of one task, or the mean of all. */
static es_status take_scores(es_cli *cli, const es_results *names, const es_scores *scores,
                             es_agree_scores *s, es_error *err) {
    size_t tasks = scores->tasks, only = SIZE_MAX, unknown = 0;
    const char *against = cli->options->against;
    for (size_t t = 0; against && t < tasks; t++)
        if (strcmp(scores->task[t], against) == 0)
            only = t;
    if (against && only == SIZE_MAX)
        return es_cli_unknown_name(cli, "task", against, (const char *const *)scores->task, tasks,
                                   err);
    double *rows = es_alloc(s->n, tasks * sizeof *rows);
    s->downstream = es_alloc(s->n, sizeof *s->downstream);
    char text[80];
    (void)snprintf(text, sizeof text, "mean of %zu tasks", tasks);
    s->task = es_strdup(against ? against : tasks == 1 ? scores->task[0] : text);
    if (!rows || !s->downstream || !s->task) {
        es_free(rows);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < s->n; i++) {
        size_t at = SIZE_MAX;
        for (size_t k = 0; k < scores->models; k++)
            if (strcmp(scores->model[k], names->name[i]) == 0)
                at = k;
        unknown += at == SIZE_MAX;
        for (size_t t = 0; t < tasks; t++)
            rows[i * tasks + t] = at == SIZE_MAX ? (double)NAN : es_score_turned(scores, at, t);
    }
    if (only == SIZE_MAX)
        s->scored = es_mean_score(rows, s->n, tasks, s->downstream);
    for (size_t i = 0; i < s->n && only != SIZE_MAX; i++) {
        s->downstream[i] = rows[i * tasks + only];
        s->scored += isfinite(s->downstream[i]) ? 1 : 0;
    }
    es_free(rows);
    if (unknown > 0)
        es_output_note(cli, "%zu of %zu embedders are not in the scores", unknown, s->n);
    return ES_OK;
}

es_status es_agree_scores_new(es_cli *cli, es_session *session, const es_choices *choices,
                              es_agree_scores *out, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    const es_correlate_options options = {
        .draws = 1000, .permutations = 4999, .level = 0.95, .seed = cli->options->seed};
    es_agree_scores s = {.n = names->m};
    es_scores own = {0};
    const es_scores *scores = NULL;
    es_status st = ES_OK;
    ES_TRY(find_controls(names, &s, err));
    note_duplicates(cli, session, names);
    ES_TRY(add_sufficiency(cli, session, &s, err));
    for (size_t i = 0; i < choices->count; i++)
        ES_TRY(add_choice(&choices->item[i], &s, err));
    ES_TRY(add_baselines(session, &s, err));
    ES_TRY(es_cli_scores(cli, session, &own, &scores, err));
    if (scores)
        ES_TRY(take_scores(cli, names, scores, &s, err));
    else if (cli->options->against) {
        st = es_fail(err, ES_ENOTFOUND,
                     "--against %s: no scores.csv in the pool; name one with --scores FILE.csv",
                     cli->options->against);
        goto done;
    }
    ES_TRY(es_agreement_new(s.column, s.k, s.downstream, s.n, &options, NULL, &s.agreement, err));
    *out = s;
    s = (es_agree_scores){0};
done:
    es_scores_deinit(&own);
    es_agree_scores_deinit(&s);
    return st;
}
