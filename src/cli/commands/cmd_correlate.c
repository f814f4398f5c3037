/* `embedscope correlate`: how well the ranking predicts downstream scores. */
#include <math.h>
#include <stdint.h>

#include "cmd.h"
#include "correlation_set.h"
#include "correlate_out.h"
#include "join_names.h"
#include "lookup.h"
#include "rank_choices.h"
#include "output.h"
#include "results_rank.h"
#include "rank_report.h"
#include "ranking_file.h"
#include "measure_score.h"
#include "open_session.h"

#include "alloc.h"

/* What the command holds; es_scored borrows names from the session or the file. */
typedef struct correlation {
    es_session *session; /* NULL: a ranking from a file */
    size_t entry;
    es_choices choices; /* of --score */
    es_ranking_file file;
    es_scores own;           /* of --scores */
    const es_scores *scores; /* in use */
    es_scored scored;
    es_join join;
    es_correlation_set *set;
} correlation;

static void correlation_deinit(correlation *c) {
    es_correlation_set_free(c->set);
    es_join_deinit(&c->join);
    es_free(c->scored.score);
    es_free(c->scored.dim);
    es_free(c->scored.l2);
    es_scores_deinit(&c->own);
    es_ranking_file_deinit(&c->file);
    es_choices_deinit(&c->choices);
    if (c->session)
        es_session_close(c->session);
}

static es_status scored_new(const char *const *name, size_t n, es_scored *out, es_error *err) {
    *out = (es_scored){.n = n, .name = name};
    out->score = es_alloc(n, sizeof *out->score);
    out->dim = es_alloc(n, sizeof *out->dim);
    out->l2 = es_alloc(n, sizeof *out->l2);
    if (!out->score || !out->dim || !out->l2)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++)
        out->score[i] = out->dim[i] = out->l2[i] = NAN;
    return ES_OK;
}

/* Scores of results, higher is better. */
static es_status rank(const es_cli *cli, const es_results *results, es_scored *out, es_error *err) {
    es_rank_report *report = NULL;
    const es_rank_choices how = es_rank_choices_of(cli->options, false);
    es_status st = es_rank_report_new(results, &how, &report, err);
    if (st != ES_OK)
        return st;
    out->negated = es_rank_lower_is_better(results);
    for (size_t i = 0; i < results->m; i++) {
        double score = report->ranking->score[i];
        out->score[i] = out->negated ? -score : score;
        if (results->dim[i])
            out->dim[i] = (double)results->dim[i];
    }
    es_rank_report_free(report);
    return ES_OK;
}

/* The baseline l2, where its default results are stored. */
static es_status take_l2(const es_session *session, es_scored *out, es_error *err) {
    es_l2_baseline l2 = {0};
    es_status st = es_session_baseline_read(session, &l2, err);
    for (size_t i = 0; st == ES_OK && i < l2.m; i++)
        out->l2[i] = l2.score[i];
    es_l2_baseline_deinit(&l2);
    return st;
}

static es_status open_pool(es_cli *cli, correlation *c, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(es_cli_open_stored(cli, false, &c->session, &c->entry, err));
    const es_results *results = es_session_results(c->session, c->entry);
    ES_TRY(scored_new((const char *const *)results->name, results->m, &c->scored, err));
    ES_TRY(rank(cli, results, &c->scored, err));
    ES_TRY(take_l2(c->session, &c->scored, err));
done:
    return st;
}

/* --score: a measure in place of information sufficiency. */
static es_status open_measure(es_cli *cli, correlation *c, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(es_score_open(cli, &c->session, &c->choices, err));
    const es_choice *choice = &c->choices.item[0];
    const es_results *results = es_session_results(c->session, 0);
    size_t field = es_score_field(choice);
    c->entry = SIZE_MAX;
    ES_TRY(scored_new((const char *const *)results->name, results->m, &c->scored, err));
    c->scored.negated = es_measure_is_lower_better(choice->measured->measure, field);
    ES_TRY(es_measured_column(choice->measured, field, c->scored.score, err));
    for (size_t i = 0; i < results->m; i++)
        if (results->dim[i])
            c->scored.dim[i] = (double)results->dim[i];
done:
    return st;
}

static es_status open_file(es_cli *cli, correlation *c, es_error *err) {
    es_status st = ES_OK;
    ES_TRY(es_ranking_file_read(cli->options->ranking, &c->file, err));
    ES_TRY(scored_new((const char *const *)c->file.name, c->file.n, &c->scored, err));
    for (size_t i = 0; i < c->file.n; i++) {
        c->scored.score[i] = c->file.score[i];
        c->scored.dim[i] = c->file.dim[i];
    }
done:
    return st;
}

es_status es_cmd_correlate(es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    correlation c = {0};
    const es_options *o = cli->options;
    const es_correlate_options options = {
        .draws = 1000, .permutations = 4999, .level = 0.95, .seed = o->seed};
    if (!o->score && (o->ranking || o->matrix) && o->scores == NULL)
        return es_usage(cli, err, "--%s has no downstream scores beside it: add --scores FILE.csv",
                        o->ranking ? "ranking" : "matrix");
    ES_TRY(o->score     ? open_measure(cli, &c, err)
           : o->ranking ? open_file(cli, &c, err)
                        : open_pool(cli, &c, err));
    ES_TRY(es_cli_scores(cli, c.session, &c.own, &c.scores, err));
    if (c.scores == NULL) {
        st = es_fail(err, ES_ENOTFOUND,
                     "%s: no scores.csv in the pool; name downstream scores with --scores FILE.csv",
                     cli->arguments[0]);
        goto done;
    }
    ES_TRY(es_join_new(cli, c.scored.name, c.scored.n, (const char *const *)c.scores->model,
                       c.scores->models, &c.join, err));
    ES_TRY(es_correlation_set_new(&c.scored, c.scores, c.join.of_a, &options, &c.set, err));
    const es_correlation_view view = {
        .session = c.session,
        .entry = c.entry,
        .scored = &c.scored,
        .measure = o->score ? &c.choices.item[0] : NULL,
        .join = &c.join,
        .set = c.set,
        .options = options,
    };
    ES_TRY(es_correlation_write(cli, &view, es_output_format_of(cli, ES_FORMAT_TABLE), err));
done:
    correlation_deinit(&c);
    return st;
}
