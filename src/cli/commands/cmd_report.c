/* `embedscope report`: what a pool comes to, on one page that can be sent. Every part is the
 * document of another command, so that its numbers are the same. */
#include <string.h>

#include "cmd.h"
#include "cli_session.h"
#include "cli_reports.h"

enum { COMPARED = 3, MATRIX_OF_LINES = 60 }; /* embedders up to which a matrix is drawn in lines */

typedef struct report {
    es_cli *cli;
    es_session *session;
    size_t entry;
    es_answer answer;
    es_buf out;
    unsigned figures;
} report;

/* ---- parts ---- */

static const char *score_of(const es_options *options) {
    es_score_kind kind = es_rank_choices_of(options, false).score;
    return options->score || kind == ES_SCORE_AUTO ? options->score : es_score_kind_names[kind];
}

/* The document of `command`, with words behind the pool. */
static es_status run(report *r, const char *command, es_output_format format, const char *models,
                     const char *const *words, size_t n, es_buf *out, es_error *err) {
    es_options options = *r->cli->options;
    es_cli part = *r->cli;
    const char *arguments[1 + COMPARED + 1] = {r->cli->n_arguments > 0 ? r->cli->arguments[0]
                                                                       : "."};
    size_t pools = options.matrix ? 0 : 1;
    for (size_t i = 0; i < n; i++)
        arguments[pools + i] = words[i];
    options.score = score_of(&options); /* which the aggregate chooses where it was typed */
    memset(options.typed, 0, sizeof options.typed); /* what was said was said to the report */
    options.output = NULL;
    options.quiet = true;
    options.format = (int)format;
    es_subcommand of_page = *es_command_find(r->cli->commands, command);
    of_page.of_originals = r->cli->command->of_originals; /* all parts of the same embedders */
    part.options = &options;
    part.command = &of_page;
    part.arguments = arguments;
    part.n_arguments = pools + n;
    part.capture = out;
    part.models = models ? models : r->cli->models;
    return part.command->run(&part, err);
}

/* A part that cannot be made is left out, and the page says why. */
static es_status settle(report *r, es_status st, const es_error *why, es_error *err) {
    if (st != ES_OK && st != ES_ENOMEM)
        es_page_paragraph(&r->out, why->message);
    return st == ES_ENOMEM ? es_no_memory(err) : ES_OK;
}

/* models: of the comparison; NULL */
static es_status add_figure(report *r, const char *view, es_output_format format,
                            const char *models, const char *caption, es_error *err) {
    es_buf picture = {0};
    es_error why = {0};
    es_status st = run(r, "export", format, models, &view, 1, &picture, &why);
    if (st == ES_OK && format == ES_FORMAT_PNG)
        es_page_png(&r->out, &picture, caption);
    else if (st == ES_OK)
        es_page_svg(&r->out, &picture, ++r->figures, caption);
    es_buf_free(&picture);
    return settle(r, st, &why, err);
}

static es_status add_table(report *r, const char *command, const char *const *names, size_t n,
                           es_error *err) {
    es_buf part = {0};
    es_error why = {0};
    es_status st = run(r, command, ES_FORMAT_TABLE, NULL, names, n, &part, &why);
    if (st == ES_OK)
        es_page_part(&r->out, &part);
    es_buf_free(&part);
    return settle(r, st, &why, err);
}

/* ---- sections ---- */

static void add_lead(report *r) {
    es_buf text = {0};
    const es_downstream *down = r->answer.downstream;
    const es_rank_report *rank = r->answer.report;
    es_buf_puts(&text, r->answer.line->sentence);
    if (down && down->best < rank->results->m) {
        es_buf_putc(&text, ' ');
        es_downstream_put(down, rank->results->name[down->best], rank->decision, &text);
    }
    es_buf_puts(&r->out, "<p class=\"lead\">");
    es_html_put(&r->out, text.data ? text.data : "");
    es_buf_puts(&r->out, "</p>\n");
    es_buf_clear(&text);
    es_rows_put(r->session, &text);
    if (text.length > 0)
        es_page_paragraph(&r->out, text.data);
    es_buf_end(&text, &r->out);
}

static es_status add_ranking(report *r, es_error *err) {
    es_page_section(&r->out, "ranking", "Ranking");
    const es_decision *sure = r->answer.report->decision;
    ES_PASS(add_figure(r, "ranking", ES_FORMAT_SVG, NULL,
                       !es_decision_bounded(sure) ? "The ranking"
                       : !sure->said              ? "The ranking with 95 % intervals"
                                                  : "The ranking with 95 % intervals; the band "
                                                    "shades the candidates for the best",
                       err));
    return add_table(r, "rank", NULL, 0, err);
}

static es_status add_matrix(report *r, es_error *err) {
    const es_results *results = es_session_results(r->session, r->entry);
    bool lines = results->m <= MATRIX_OF_LINES;
    es_page_section(&r->out, "matrix", "Who simulates whom");
    es_page_paragraph(&r->out, "A row is a source, a column a target: how many nats per dimension "
                               "of the target the source predicts. A row of strong colours holds "
                               "much of the others; such a column is easily simulated.");
    return add_figure(r, "matrix", lines ? ES_FORMAT_SVG : ES_FORMAT_PNG, NULL,
                      "Information sufficiency between all embedders", err);
}

static es_status add_families(report *r, es_error *err) {
    es_page_section(&r->out, "families", "Families");
    ES_PASS(add_figure(r, "tree", ES_FORMAT_SVG, NULL,
                       "Communities of embedders that predict each other; believe stable ones",
                       err));
    return add_table(r, "tree", NULL, 0, err);
}

static es_status add_downstream(report *r, es_error *err) {
    if (r->answer.downstream == NULL)
        return ES_OK;
    es_page_section(&r->out, "downstream", "Against downstream scores");
    ES_PASS(add_figure(r, "correlation", ES_FORMAT_SVG, NULL,
                       "The score against the mean of the downstream tasks", err));
    return add_table(r, "correlate", NULL, 0, err);
}

/* Where people have answered. */
static es_status add_duels(report *r, es_error *err) {
    es_buf text = {0};
    es_status st = es_duel_put_of_pool(r->session, &r->answer, NULL, &text, err);
    if (st == ES_OK && text.length > 0) {
        es_page_section(&r->out, "duels", "What your answers say of the candidates");
        es_page_paragraph(&r->out, text.data);
        st = add_table(r, "duel", NULL, 0, err);
    }
    es_buf_free(&text);
    return st;
}

/* Analyses that make their own sheet. */
static es_status add_analyses(report *r, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; st == ES_OK && i < es_analysis_count; i++) {
        const es_analysis *a = es_analyses[i];
        bool told = !a->make || ((a->needs & ES_ANALYSIS_NEEDS_SCORES) && !r->answer.downstream) ||
                    ((a->needs & ES_ANALYSIS_NEEDS_VECTORS) && r->cli->options->matrix);
        if (told)
            continue;
        es_page_section(&r->out, a->id, a->title);
        if (a->needs & ES_ANALYSIS_NEEDS_PAIRS)
            ES_TRY(add_figure(r, a->id, ES_FORMAT_SVG, NULL, a->title, err));
        ES_TRY(add_table(r, a->id, NULL, 0, err));
    }
done:
    return st;
}

static es_status add_comparison(report *r, es_error *err) {
    const es_rank_report *rank = r->answer.report;
    const char *names[COMPARED];
    size_t n = 0;
    es_buf models = {0};
    es_status st = ES_OK;
    for (size_t k = 0; k < rank->decision->scored && n < COMPARED; k++) {
        names[n] = rank->results->name[rank->decision->order[k]];
        es_buf_printf(&models, "%s%s", n ? "," : "", names[n]);
        n++;
    }
    if (n < 2)
        goto done;
    ES_TRY(es_buf_check(&models, err));
    es_page_section(&r->out, "first", "The first of the ranking, side by side");
    ES_TRY(add_figure(r, "compare", ES_FORMAT_SVG, models.data,
                      "How much of every target each of them predicts", err));
    ES_TRY(add_table(r, "compare", names, n, err));
done:
    es_buf_free(&models);
    return st;
}

static void add_excluded(report *r) {
    const es_pool *pool = es_session_pool(r->session);
    size_t count = 0;
    for (size_t i = 0; pool && i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state != ES_MODEL_EXCLUDED)
            continue;
        if (count++ == 0) {
            es_page_section(&r->out, "excluded", "Left out");
            es_buf_puts(&r->out, "<ul>\n");
        }
        es_buf_puts(&r->out, "<li><strong>");
        es_html_put(&r->out, model->name);
        es_buf_puts(&r->out, "</strong>: ");
        es_html_put(&r->out, model->reason ? model->reason : "");
        es_buf_puts(&r->out, "</li>\n");
    }
    if (count > 0)
        es_buf_puts(&r->out, "</ul>\n");
}

static const char method[] =
    "Information sufficiency is how much of an embedder V can be predicted from another one U: "
    "the mean over held-out rows of log p(v|u) - log p(v), in nats per dimension of V, both "
    "densities fitted on other rows. Each ordered pair gives one value; no labels are used. The "
    "score of an embedder is its lead: how much more of the reference embedders it predicts than "
    "the others do, by ridge regression, with one vote a kind of embedders. Its own kind does not "
    "vote.";
static const char intervals[] =
    "Intervals are at 95 %, over kinds of reference embedders and held-out rows. Candidates are "
    "those of whom no other embedder is shown ahead. Kinds are assumed to be independent of each "
    "other. Dimension alone is a serious rival of every score without labels.";
static const char of_file[] =
    "Information sufficiency is how much of an embedder V can be predicted from another one U, "
    "in nats per dimension of V. Each ordered pair has one value, and all are those of the file: "
    "how they were estimated is not known here. Dimension alone is a serious rival of every score "
    "without labels.";
static const char bibtex[] =
    "@inproceedings{darrin2024embedding,\n"
    "  title     = {When is an Embedding Model More Promising than Another?},\n"
    "  author    = {Darrin, Maxime and Formont, Philippe and Ben Ayed, Ismail and Cheung, Jackie "
    "C. K. and Piantanida, Pablo},\n"
    "  booktitle = {Advances in Neural Information Processing Systems},\n"
    "  year      = {2024}\n"
    "}\n";

static void add_method(report *r) {
    es_page_section(&r->out, "method", "Method");
    bool own = es_session_results(r->session, r->entry)->estimator != NULL;
    es_page_paragraph(&r->out, own ? method : of_file);
    if (own)
        es_page_paragraph(&r->out, intervals);
    es_buf_puts(&r->out, "<p>The measure is that of M. Darrin, P. Formont, I. Ben Ayed, J. C. K. "
                         "Cheung and P. Piantanida (NeurIPS 2024)");
    es_buf_puts(&r->out, own ? "; the estimators and the score are embedscope's own." : ".");
    es_buf_puts(&r->out, "</p>\n");
    es_buf_puts(&r->out, "<pre>");
    es_html_put(&r->out, bibtex);
    es_buf_puts(&r->out, "</pre>\n");
}

static const char *pool_path(const report *r) {
    return r->cli->n_arguments > 0 ? r->cli->arguments[0] : ".";
}

static bool in_memory(const report *r) {
    const es_pool *pool = es_session_pool(r->session);
    return pool && es_pool_path(pool) == NULL;
}

static es_status add_command(report *r, const char *command, const es_options *o, bool output,
                             es_error *err) {
    es_words words = {0};
    es_buf line = {0};
    unsigned groups = es_command_find(r->cli->commands, command)->groups;
    es_status st = ES_OK;
    ES_TRY(es_words_add(&words, "embedscope", err));
    ES_TRY(es_words_add(&words, command, err));
    if (o->matrix == NULL)
        ES_TRY(es_words_add(&words, in_memory(r) ? "mypool" : pool_path(r), err));
    ES_TRY(es_words_add_options(&words, o, groups & ~(unsigned)ES_OPTIONS_OUTPUT, err));
    es_words_put(&words, &line);
    if (output)
        es_buf_puts(&line, " -o report.html");
    es_html_put(&r->out, line.data ? line.data : "");
    es_buf_putc(&r->out, '\n');
    st = es_buf_check(&line, err);
done:
    es_words_deinit(&words);
    es_buf_free(&line);
    return st;
}

/* What was estimated, and nothing better: a report goes by the best that is stored. */
static es_status add_estimates(report *r, es_error *err) {
    const size_t used[] = {es_session_predictive(r->session), r->entry};
    es_options o = *r->cli->options;
    es_status st = ES_OK;
    if (o.matrix)
        return ES_OK;
    if (o.estimator || r->entry + 1 == es_session_plan(r->session))
        return add_command(r, "estimate", &o, false, err);
    for (size_t i = 0; st == ES_OK && i < (used[0] == used[1] ? 1u : 2u); i++) {
        const es_results *results = es_session_results(r->session, used[i]);
        if (results == NULL || results->done == 0)
            continue;
        o.estimator = results->estimator->name;
        o.preset = results->preset;
        st = add_command(r, "estimate", &o, false, err);
    }
    return st;
}

static es_status add_provenance(report *r, es_error *err) {
    es_buf text = {0};
    es_json json;
    es_status st = ES_OK;
    es_page_section(&r->out, "provenance", "How to make it again");
    if (in_memory(r))
        es_page_paragraph(&r->out, "The matrices were handed over in memory. Saved as the pool "
                                   "mypool, with embedscope.save_pool from Python, they give "
                                   "these numbers again by:");
    es_buf_puts(&r->out, "<pre>");
    ES_TRY(add_estimates(r, err));
    ES_TRY(add_command(r, "report", r->cli->options, true, err));
    es_buf_puts(&r->out, "</pre>\n<details open>\n<summary>Provenance</summary>\n<pre>");
    es_json_init(&json, &text, 2);
    es_document_begin(&json, NULL, r->cli, r->session, r->entry);
    es_document_end(&json);
    es_html_put(&r->out, text.data ? text.data : "");
    es_buf_puts(&r->out, "</pre>\n</details>\n");
    st = es_buf_check(&text, err);
done:
    es_buf_free(&text);
    return st;
}

es_status es_cmd_report(es_cli *cli, es_error *err) {
    report r = {.cli = cli};
    es_status st = ES_OK;
    if (es_output_asked(cli) && es_output_format_of(cli, ES_FORMAT_HTML) != ES_FORMAT_HTML)
        return es_usage(cli, err,
                        "report: a report is HTML: name it .html; export has other formats");
    if (es_output_to_terminal(cli))
        return es_usage(cli, err, "report: a report is a page of HTML; use -o FILE.html");
    ES_TRY(es_cli_open_stored(cli, true, &r.session, &r.entry, err));
    ES_TRY(es_cli_answer(cli, r.session, true, &r.answer, err));
    const es_pool *pool = es_session_pool(r.session);
    es_page_begin(&r.out, pool ? es_pool_name(pool) : "Ranking of embedders");
    add_lead(&r);
    ES_TRY(add_ranking(&r, err));
    ES_TRY(add_duels(&r, err));
    ES_TRY(add_matrix(&r, err));
    ES_TRY(add_families(&r, err));
    ES_TRY(add_downstream(&r, err));
    ES_TRY(add_comparison(&r, err));
    ES_TRY(add_analyses(&r, err));
    add_excluded(&r);
    add_method(&r);
    ES_TRY(add_provenance(&r, err));
    es_page_end(&r.out);
    ES_TRY(es_output_write(cli, &r.out, err));
done:
    es_answer_deinit(&r.answer);
    es_session_close(r.session);
    es_buf_free(&r.out);
    return st;
}
