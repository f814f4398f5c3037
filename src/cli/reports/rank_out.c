/* The ranking as a document: leads with their intervals, the candidates, and what the lead is made
 * of. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ROW(C)                                                                                     \
    C(COUNT, "rank", "rank", 0, or_missing(ranking->rank[i]))                                      \
    C(NAME, "model", "model", ES_COLUMN_KEY, results, i)                                           \
    C(BEST, "score", "score", NULL, 3, 0, ranking->score[i], d->said && d->best[i])                \
    C(SHORT, NUMBER, "ci_low", "95 % low", "low", 3, ES_COLUMN_LOW, d->low[i])                     \
    C(SHORT, NUMBER, "ci_high", "95 % high", "high", 3, 0, d->high[i])                             \
    C(DATA, COUNT, "rank_low", or_missing(d->rank_low[i]))                                         \
    C(DATA, COUNT, "rank_high", or_missing(d->rank_high[i]))                                       \
    C(SHOWN, "ranks", "ranks", d->rank_low[i] ? ranks : NULL)                                      \
    C(SHOWN, "best", "candidate", d->said && d->best[i] ? "yes" : NULL)                            \
    C(DATA, FLAG, "in_best_set", d->best[i])                                                       \
    C(BY, LIST, "separated_new", NULL, 0, 0, put_ahead, report, i)                                 \
    C(SHORT, NUMBER, "information", "information", "info", 3, 0,                                   \
      d->by_lead ? d->information[i] : (double)NAN)                                                \
    C(DATA, COUNT, "information_rank", d->by_lead ? or_missing(d->information_rank[i]) : SIZE_MAX) \
    C(NUMBER, "width", "width", 1, 0, report->width[i])                                            \
    C(COUNT, "kind", "kind", 0, d->kind[i] == UINT32_MAX ? SIZE_MAX : d->kind[i] + 1u)             \
    C(DATA, TEXT, "family", results->family ? results->family[i] : NULL)                           \
    C(DATA, FLAG, "votes", d->votes[i])                                                            \
    C(NUMBER, "published", "published", 3, 0, report->published[i])                                \
    C(SHOWN, "known", "pairs", known)                                                              \
    C(DATA, COUNT, "pairs", ranking->pairs[i])                                                     \
    C(DATA, COUNT, "of", ranking->of[i])                                                           \
    C(COUNT, "dim", "dim", 0, results->dim[i] ? results->dim[i] : SIZE_MAX)                        \
    C(SHORT, COUNT, "community", "community", "group", 0, 0,                                       \
      grouped ? report->community[i] + 1u : SIZE_MAX)                                              \
    C(DATA, NUMBER, "h", results->h[i])                                                            \
    C(DATA, FLAG, "derived", es_results_is_derived(results, i))

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static size_t or_missing(uint32_t value) {
    return value ? value : SIZE_MAX;
}

/* The embedders that i is shown ahead of, best first. */
static void put_ahead(es_table_out *table, const es_rank_report *report, size_t i) {
    const es_decision *d = report->decision;
    es_buf names = {0};
    es_buf_puts(&names, "");
    for (size_t k = 0; k < d->scored; k++)
        if (d->ahead[i * d->m + d->order[k]])
            es_buf_printf(&names, "%s%s", names.length ? "\n" : "",
                          report->results->name[d->order[k]]);
    es_table_out_list(table, names.failed ? NULL : names.data);
    es_buf_free(&names);
}

/* One row of the ranking, in the order of `columns`. */
static void put_row(es_table_out *table, const es_rank_report *report, size_t i) {
    const es_results *results = report->results;
    const es_ranking *ranking = report->ranking;
    const es_decision *d = report->decision;
    char ranks[32], known[32];
    bool grouped = report->has_community && es_results_touches(results, i);
    (void)snprintf(ranks, sizeof ranks, "%u-%u", d->rank_low[i], d->rank_high[i]);
    (void)snprintf(known, sizeof known, "%u/%u", ranking->pairs[i], ranking->of[i]);
    ES_PUT_ROW(ROW, table);
}

/* The range of the zero line; null where it is not known. */
static void put_null(es_json *json, const es_results *results) {
    double low, high;
    size_t known = es_results_null_range(results, &low, &high);
    if (known == 0) {
        es_json_null(json, "null");
        return;
    }
    es_json_begin_object(json, "null");
    es_json_double(json, "low", low);
    es_json_double(json, "high", high);
    es_json_uint(json, "targets", known);
    es_json_end(json);
}

static es_table_out *make_table(const es_document *d) {
    const es_answer *answer = d->what;
    const es_rank_report *report = answer->report;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < report->results->m; k++)
        if (es_export_shows(d->cli, report->order[k]))
            put_row(table, report, report->order[k]);
    return table;
}

/* ---- the bottom line ---- */

static void put_agreement(es_json *json, const es_downstream_rank *r, size_t n) {
    es_json_double(json, "n_effective", r->n_effective);
    es_json_double(json, "spearman", r->spearman.value);
    es_document_range(json, "ci", r->low, r->high);
    es_document_range_reason(json, &r->spearman, r->low, n);
    es_json_double(json, "p", r->p);
    es_json_double(json, "loss_first", r->regret_first);
}

static void put_downstream(es_json *json, const es_answer *answer) {
    const es_downstream *x = answer->downstream;
    const es_decision *d = answer->report->decision;
    if (x == NULL) {
        es_json_null(json, "downstream");
        return;
    }
    es_buf sentence = {0};
    es_downstream_put(x, es_results_label(answer->report->results, x->best), d, &sentence);
    es_json_begin_object(json, "downstream");
    es_document_take(json, "sentence", &sentence);
    es_json_uint(json, "n", x->n);
    es_json_uint(json, "families", x->families);
    es_json_uint(json, "tasks", x->tasks);
    es_json_uint(json, "controls_left_out", x->controls);
    es_json_uint(json, "without_scores", x->unscored);
    put_agreement(json, &x->ranking, x->n);
    es_json_text(json, "best", answer->report->results->name[x->best]);
    es_json_bool(json, "best_in_set", d->best[x->best]);
    es_json_double(json, "loss_advice",
                   d->said ? es_downstream_advice_loss(x, d->best, d->m) : (double)NAN);
    es_json_double(json, "worth", isfinite(x->worth.tasks) ? x->worth.tasks : (double)NAN);
    es_json_begin_object(json, "dimension");
    put_agreement(json, &x->dimension, x->n);
    es_json_end(json);
    es_json_end(json);
}

/* Copies, each group with its first. */
static void put_copies(es_json *json, const es_rank_report *report) {
    const es_decision *d = report->decision;
    es_json_begin_array(json, "copies");
    for (size_t i = 0; i < d->m; i++) {
        bool begun = false;
        for (size_t j = 0; d->first[i] == i && j < d->m; j++) {
            if (j == i || d->first[j] != i)
                continue;
            if (!begun) {
                es_json_begin_row(json, NULL);
                es_json_text(json, NULL, report->results->name[i]);
            }
            begun = true;
            es_json_text(json, NULL, report->results->name[j]);
        }
        if (begun)
            es_json_end(json);
    }
    es_json_end(json);
}

/* Copies are in it, as their first is; sentences do not count them. */
static void put_set(es_json *json, const es_rank_report *report) {
    const es_decision *d = report->decision;
    es_json_begin_row(json, "best_set");
    for (size_t k = 0; k < d->scored; k++)
        if (d->best[d->order[k]])
            es_json_text(json, NULL, report->results->name[d->order[k]]);
    es_json_end(json);
}

/* The object "bottom_line". */
static void bottom_line_json(es_json *json, const es_answer *answer) {
    const es_bottom_line *line = answer->line;
    const es_rank_report *report = answer->report;
    const char *const *name = (const char *const *)report->results->name;
    es_json_begin_object(json, "bottom_line");
    es_json_text(json, "sentence", line->sentence);
    es_json_text(json, "best", line->first == SIZE_MAX ? NULL : name[line->first]);
    put_set(json, report);
    es_document_names(json, "advice", name, line->best_set, line->advised);
    es_json_text(json, "scope", report->decision->said ? "new" : "these");
    es_json_uint(json, "kinds", report->decision->judging);
    es_json_text(json, "settled_by", line->settled_by);
    es_json_double(json, "level", line->level);
    es_document_names(json, "unrelated", name, line->unrelated, line->unrelated_count);
    put_copies(json, report);
    es_json_end(json);
}

void es_bottom_line_put(const es_cli *cli, const es_answer *answer, es_buf *out) {
    es_buf text = {0};
    es_caption_fill(out, answer->line->sentence, es_caption_width(cli));
    if (answer->downstream) {
        size_t best = answer->downstream->best;
        es_downstream_put(answer->downstream, es_results_label(answer->report->results, best),
                          answer->report->decision, &text);
        es_caption_take(cli, &text, out);
    }
    es_answer_put_left_out(&answer->derived, "--with-derived", &text);
    const es_rank_report *report = answer->report;
    size_t voting = 0;
    for (size_t i = 0; i < report->results->m; i++)
        voting +=
            es_results_is_derived(report->results, i) && (!report->voting || report->voting[i]);
    if (voting > 0)
        es_buf_printf(&text,
                      "%zu derived embedder%s, too: their sources predict them for that reason, "
                      "and rank higher for it.",
                      voting, voting == 1 ? " votes" : "s vote");
    if (text.length > 0)
        es_caption_take(cli, &text, out);
}

/* ---- the document ---- */

static void put_json(const es_document *d, es_json *json) {
    const es_answer *answer = d->what;
    const es_rank_report *report = answer->report;
    es_document_scoring(json, report);
    bottom_line_json(json, answer);
    es_json_uint(json, "n", report->decision->scored);
    put_downstream(json, answer);
    es_document_table(json, "ranking", make_table(d));
    es_json_begin_object(json, "intervals");
    es_json_double(json, "level", report->decision->level);
    es_json_text(json, "resampled", es_decision_sample(report->decision));
    es_json_uint(json, "draws", report->decision->by_lead ? ES_LEAD_DRAWS : ES_BOOTSTRAP_DRAWS);
    es_json_end(json);
    put_null(json, report->results);
    es_document_grouped(json, report);
    es_document_published(json, report);
    es_document_names(json, "derived_left_out", (const char *const *)answer->derived.word, NULL,
                      answer->derived.count);
    es_json_text(json, "dominated_by_family_of", report->dominant);
    es_document_excluded(json, d->session);
}

/* Whose values are not of one kind with the others'. */
static void put_kinds(const es_document *d, const es_rank_report *report, es_buf *out) {
    const es_results *r = report->results;
    es_pool *pool = es_session_pool(d->session);
    size_t binary = 0, targets = 0;
    for (size_t i = 0; pool && i < r->m; i++) {
        bool voting = !report->voting || report->voting[i];
        targets += voting;
        binary += voting && es_pool_model(pool, r->model[i])->kind == ES_KIND_BINARY;
    }
    if (binary > 0 && binary < targets)
        es_buf_printf(out,
                      "%zu of the %zu targets are binary: a nat of theirs is not a nat of a "
                      "continuous one; --targets takes one kind\n",
                      binary, targets);
}

static size_t count_voting(const es_rank_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->results->m; i++)
        count += report->voting[i];
    return count;
}

/* Whose the medians and groups are that are shown, where the score stands on other values.
 * `column`: what that of the groups is called. */
static void put_beside(const es_rank_report *report, const char *column, es_buf *out) {
    const es_results *results = report->results, *published = report->published_by,
                     *groups = report->has_community ? report->grouped : NULL;
    if (results->estimator == NULL)
        return;
    if (groups && (!groups->estimator || es_results_alike(groups, results)))
        groups = NULL;
    if (published && (!published->estimator || es_results_alike(published, results)))
        published = NULL;
    bool both = groups && published && es_results_alike(groups, published);
    if (published) {
        es_buf_printf(out, "published%s%s: ", both ? ", " : "", both ? column : "");
        es_caption_by(report, published, out);
    }
    if (groups && !both) {
        es_buf_printf(out, "%s%s: ", published ? "; " : "", column);
        es_caption_by(report, groups, out);
    }
    if (published || groups)
        es_buf_putc(out, '\n');
}

/* What the columns of intervals are over. */
static void put_sample(const es_decision *d, es_buf *out) {
    if (!es_decision_bounded(d))
        return;
    es_buf_printf(out, "low, high%s: 95 %%, over %s\n", d->said ? ", ranks, candidate" : "",
                  es_decision_sample(d));
    if (d->by_lead)
        es_buf_puts(out, "information: lead in the information matrix; width: shared dimensions\n");
}

/* What a table says below itself: the answer, then which results these are. */
static void put_caption(const es_document *d, es_buf *out) {
    const es_answer *answer = d->what;
    const es_rank_report *report = answer->report;
    const es_results *results = report->results;
    const es_decision *decision = report->decision;
    size_t width = es_output_width(d->cli);
    es_buf lines = {0};
    es_buf_putc(out, '\n');
    if (d->cli->capture == NULL && d->cli->sheet == NULL) { /* these begin with it */
        es_bottom_line_put(d->cli, answer, out);
        es_buf_putc(out, '\n');
    }
    es_caption_count(results, &lines);
    es_buf_printf(&lines, "score: %s, ", es_rank_report_score(report));
    if (results->estimator)
        es_buf_printf(&lines, "%s %s, ", results->estimator->name, es_results_preset(results));
    es_buf_printf(&lines, "%s over %s, %s\n", es_rank_report_aggregate(report),
                  es_rank_report_voting(report), es_rank_report_unit(report));
    put_sample(decision, &lines);
    if (report->voting)
        es_buf_printf(&lines, "targets: %zu of %zu embedders vote (--targets)\n",
                      count_voting(report), results->m);
    put_kinds(d, report, &lines);
    put_beside(report, "group", &lines);
    es_caption_remark(results, &lines);
    if (report->unit == ES_UNIT_DIMENSION) /* the line is in these */
        es_caption_null(results, &lines);
    es_caption_wrap(out, &lines, width);
    es_buf explained = {0};
    es_score_explained(report, &explained);
    es_caption_fill(out, explained.data ? explained.data : "", width ? width : 100);
    es_buf_end(&explained, out);
}

static void put_words(const es_document *d, es_buf *out) {
    const es_answer *answer = d->what;
    es_buf beside = {0};
    es_buf_puts(out, answer->line->sentence);
    put_beside(answer->report, d->format == ES_FORMAT_TEX ? "group" : "community", &beside);
    if (beside.length > 0) /* a line there, a sentence here */
        es_buf_printf(out, " Columns %.*s.", (int)beside.length - 1, beside.data);
    es_buf_end(&beside, out);
}

static void put_note(const es_document *d, es_buf *out) {
    const es_decision *sure = ((const es_answer *)d->what)->report->decision;
    if (sure->said)
        es_buf_puts(out, "Bold: a candidate for the best (95 %).");
}

/* The ranking as a forest plot: a score with its interval a row, those that may be the best on a
 * band. */
static es_forest_row row_ranking_of(const es_results *results, const es_rank_report *report,
                                    size_t i) {
    const es_decision *sure = report->decision;
    return (es_forest_row){
        .name = es_results_label(results, i),
        .rank = report->ranking->rank[i],
        .dim = results->dim[i],
        .value = report->ranking->score[i],
        .low = sure->low[i],
        .high = sure->high[i],
        .group = report->has_community ? report->community[i] + 1 : 0,
        .best = sure->said && sure->best[i],
    };
}

static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_rank_report *report = ((const es_answer *)d->what)->report;
    const es_results *results = report->results;
    es_buf axis = {0};
    es_forest forest = {.null_low = (double)NAN, .null_high = (double)NAN};
    es_forest_row *rows = es_sketch_room(sketch, results->m, sizeof *rows);
    if (rows == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < results->m; i++)
        if (es_export_shows(sketch->cli, report->order[i]))
            rows[forest.count++] = row_ranking_of(results, report, report->order[i]);
    forest.row = rows;
    if (report->unit != ES_UNIT_DIMENSION || /* the line is in these */
        es_results_null_range(results, &forest.null_low, &forest.null_high) == 0)
        forest.null_low = forest.null_high = NAN;
    es_rank_report_put_score(report, &axis);
    if (es_rank_lower_is_better(results))
        es_buf_puts(&axis, ", an error (lower is better)");
    else
        es_buf_printf(&axis, ", %s", es_rank_report_unit(report));
    if (es_decision_bounded(report->decision))
        es_buf_puts(&axis, " (bars: 95 %)");
    if (report->decision->said)
        forest.band = "shaded: candidates for the best (95 %)";
    forest.axis = es_sketch_take(sketch, &axis);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

/* Scores without a word about them would look as if they had been used. */
static void note_no_downstream(es_cli *cli, const es_scores *scores, const es_answer *answer) {
    if (scores && !answer->downstream && answer->report->decision->scored > 0)
        es_output_note(cli, "downstream is left out: fewer than three ranked embedders have all "
                            "scores that differ; `embedscope correlate` lists each task");
}

es_status es_cli_answer(es_cli *cli, es_session *session, bool with_width, es_answer *out,
                        es_error *err) {
    es_rank_choices how = es_rank_choices_of(cli->options, true);
    const es_scores *scores = NULL;
    how.with_width = with_width;
    if (cli->options->scores || es_session_pool(session))
        ES_PASS(es_cli_scores(cli, session, &scores, err));
    ES_PASS(es_answer_new(session, &how, scores, out, err));
    note_no_downstream(cli, scores, out);
    return ES_OK;
}

/* Explains the published score to who asked for none. */
static void note_published(es_cli *cli, const es_rank_report *report) {
    const es_options *o = cli->options;
    if (report->score != ES_SCORE_PUBLISHED || o->estimator != NULL ||
        es_rank_choices_of(o, true).score != ES_SCORE_AUTO)
        return;
    if (o->preset || o->settings.count > 0 || o->folds > 0)
        es_output_note(cli, "with --preset, --set or --folds this is the published score, made of "
                            "what they choose; leave them out for the default score");
    else
        es_output_note(cli, "the default score is not stored, this is the published one; "
                            "`embedscope estimate` adds it within seconds");
}

es_status es_rank_write(es_cli *cli, es_session *session, es_error *err) {
    es_answer answer = {0};
    es_status st = es_cli_answer(cli, session, true, &answer, err);
    if (st != ES_OK)
        return st;
    const es_rank_report *report = answer.report;
    if (report->dominant)
        es_output_note(cli, "the family of %s dominates the vote; see --%s", report->dominant,
                       report->rule.aggregate == ES_AGGREGATE_BALANCED ? "leave-family-out"
                                                                       : "aggregate balanced");
    note_published(cli, report);
    static const es_document_parts parts = {.schema = "rank",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .note = put_note,
                                            .json = put_json,
                                            .picture = draw};
    st = es_document_write(
        &parts, (es_document){cli, session, report->entry, &answer, ES_FORMAT_DEFAULT}, err);
    es_answer_deinit(&answer);
    return st;
}

/* A ranking read from a file, made elsewhere or by `embedscope rank`: columns of a CSV are found by
 * their headings, so that extra ones do no harm; of a JSON document "ranking" is looked at. */

void es_ranking_file_deinit(es_ranking_file *file) {
    for (size_t i = 0; file->name && i < file->n; i++)
        es_free(file->name[i]);
    es_free(file->name);
    es_free(file->score);
    es_free(file->dim);
    es_free(file->score_column);
    *file = (es_ranking_file){0};
}

typedef struct places {
    size_t model, score, dim; /* columns; SIZE_MAX: none */
} places;

static size_t find_column(const es_table *t, const char *heading) {
    for (size_t j = 0; j < t->columns; j++)
        if (strcasecmp(es_table_cell(t, 0, j), heading) == 0)
            return j;
    return SIZE_MAX;
}

/* The only column called "score" except an arrow. */
static es_status find_score(const es_table *t, size_t *out, es_error *err) {
    size_t count = 0, found = SIZE_MAX;
    *out = find_column(t, "score");
    for (size_t j = 0; *out == SIZE_MAX && j < t->columns; j++) {
        char *bare = es_score_bare_name(es_table_cell(t, 0, j));
        if (!bare)
            return es_no_memory(err);
        if (strcmp(bare, "score") == 0) {
            found = j;
            count++;
        }
        es_free(bare);
    }
    if (count == 1)
        *out = found;
    return ES_OK;
}

/* The column of scores where none is called so. */
static size_t only_other(const es_table *t, const places *p) {
    size_t found = SIZE_MAX, rank = find_column(t, "rank");
    for (size_t j = 0; j < t->columns; j++) {
        if (j == p->model || j == p->dim || j == rank)
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = j;
    }
    return found;
}

static es_status find_places(const es_table *t, places *out, es_error *err) {
    double number = 0;
    places p = {find_column(t, "model"), SIZE_MAX, find_column(t, "dim")};
    ES_PASS(find_score(t, &p.score, err));
    p.model = p.model == SIZE_MAX ? 0 : p.model;
    p.score = p.score == SIZE_MAX ? only_other(t, &p) : p.score;
    const char *heading = p.score == SIZE_MAX ? "" : es_table_cell(t, 0, p.score);
    if (p.score == SIZE_MAX || p.score == p.model)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: expected the columns 'model' and 'score'",
                       t->label, t->line[0]);
    if (es_text_parse_double(heading, strlen(heading), &number))
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: expected a header (model,score), found a number", t->label,
                       t->line[0]);
    if (t->rows < 2)
        return es_fail(err, ES_EFORMAT, "%s: holds a header but no models", t->label);
    *out = p;
    return ES_OK;
}

static es_status read_name(const es_table *t, size_t row, size_t column, es_ranking_file *file,
                           es_error *err) {
    const char *text = es_table_cell(t, row, column);
    if (text[0] == '\0')
        return es_fail(err, ES_EFORMAT, "%s: line %zu: the name is empty", t->label, t->line[row]);
    char *name = es_text_clean(text, strlen(text), 0);
    if (name == NULL)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", t->label);
    (void)es_plain_cell(name);
    file->name[file->n++] = name;
    for (size_t i = 0; i + 1 < file->n; i++)
        if (strcmp(file->name[i], name) == 0)
            return es_fail(err, ES_EFORMAT, "%s: '%.100s' is in line %zu and again in line %zu",
                           t->label, name, t->line[i + 1], t->line[row]);
    return ES_OK;
}

static es_status read_number(const es_table *t, size_t row, size_t column, double *out,
                             es_error *err) {
    *out = NAN;
    const char *text = column == SIZE_MAX ? "" : es_table_cell(t, row, column);
    if (es_cells_says_missing(text, strlen(text)) || !text[0])
        return ES_OK;
    size_t at = es_table_column(t, column);
    bool percent = false;
    es_status st = ES_OK;
    if (!es_plain_number(t->delimiter, text, out, &percent) || percent)
        st = es_table_number(t, row, column, out, err); /* infinite, or what is wrong with it */
    if (st == ES_OK && isinf(*out))
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the value is infinite", t->label,
                       t->line[row], at);
    if (st == ES_OK && fabs(*out) > ES_VALUE_MOST)
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: %g: values are up to %g",
                       t->label, t->line[row], at, *out, ES_VALUE_MOST);
    return st;
}

static es_status allocate_file(size_t most, const char *heading, es_ranking_file *file,
                               es_error *err) {
    file->name = es_alloc_zero(most, sizeof *file->name);
    file->score = es_alloc(most, sizeof *file->score);
    file->dim = es_alloc(most, sizeof *file->dim);
    file->score_column = es_text_clean(heading, strlen(heading), 0);
    return file->name && file->score && file->dim && file->score_column ? ES_OK : es_no_memory(err);
}

/* An estimator is named in its place, a measure with its name. */
static es_status read_direction(const es_json_value *root, bool *lower, es_error *err) {
    static const char *const place[] = {"provenance", "measure"};
    es_status st = ES_OK;
    for (size_t i = 0; st == ES_OK && i < sizeof place / sizeof *place; i++) {
        es_json_value whose;
        bool said = false;
        st = es_json_get(root, place[i], ES_JSON_OBJECT, ES_JSON_OPTIONAL, &whose, err);
        if (st == ES_OK && whose.node)
            st = es_json_get_bool(&whose, "lower_is_better", ES_JSON_OPTIONAL, &said, err);
        *lower = *lower || said;
    }
    return st;
}

/* {"ranking": [{"model", "score", "dim"}]}, as `rank --json` writes it. */
static es_status read_json(const char *path, es_ranking_file *out, es_error *err) {
    es_json_doc *doc = NULL;
    es_ranking_file file = {0};
    es_status st = ES_OK;
    ES_TRY(es_json_read(path, 0, ES_TABLE_LIMIT, &doc, err));
    es_json_value root = es_json_root(doc), list, item;
    ES_TRY(es_json_get(&root, "ranking", ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err));
    ES_TRY(read_direction(&root, &file.lower, err));
    ES_TRY(allocate_file(es_json_count(&list), "score", &file, err));
    for (item = es_json_first(&list); item.node; item = es_json_next(&item)) {
        const char *name = NULL;
        size_t at = file.n;
        ES_TRY(es_json_get_text(&item, "model", ES_JSON_REQUIRED, &name, err));
        file.score[at] = file.dim[at] = (double)NAN;
        ES_TRY(es_json_get_number(&item, "score", ES_JSON_OPTIONAL, &file.score[at], err));
        ES_TRY(es_json_get_number(&item, "dim", ES_JSON_OPTIONAL, &file.dim[at], err));
        file.name[at] = es_text_clean(name, strlen(name), 0);
        ES_FAIL_IF(!file.name[at], es_no_memory(err));
        file.n++;
        for (size_t i = 0; i < at; i++)
            ES_FAIL_IF(
                strcmp(file.name[i], file.name[at]) == 0,
                es_fail(err, ES_EFORMAT, "%s: '%.100s' is there twice", path, file.name[at]));
    }
    ES_FAIL_IF(file.n == 0, es_fail(err, ES_EFORMAT, "%s: \"ranking\" holds no models", path));
    *out = file;
    file = (es_ranking_file){0};
done:
    es_ranking_file_deinit(&file);
    es_json_free(doc);
    return st;
}

es_status es_ranking_file_read(const char *path, es_ranking_file *out, es_error *err) {
    es_status st = ES_OK;
    es_table t = {0};
    es_ranking_file file = {0};
    places p = {0};
    const char *ending = strrchr(path, '.');
    if (ending && strcasecmp(ending, ".json") == 0)
        return read_json(path, out, err);
    ES_TRY(es_table_read_any(path, 0, NULL, &t, err));
    ES_TRY(es_table_drop_index(&t, err));
    ES_TRY(find_places(&t, &p, err));
    ES_TRY(allocate_file(t.rows, es_table_cell(&t, 0, p.score), &file, err));
    file.lower = es_score_name_says_lower(es_table_cell(&t, 0, p.score));
    for (size_t row = 1; row < t.rows; row++) {
        ES_TRY(read_name(&t, row, p.model, &file, err));
        ES_TRY(read_number(&t, row, p.score, &file.score[row - 1], err));
        ES_TRY(read_number(&t, row, p.dim, &file.dim[row - 1], err));
    }
    *out = file;
    file = (es_ranking_file){0};
done:
    es_ranking_file_deinit(&file);
    es_table_deinit(&t);
    return st;
}
