/* A sweep as a document: a plan with a session each, one after the other, or one session whose
 * measure is computed with every setting. What they come to is columns of scores, as in `agree`. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_session.h"

/* One value of the settings. */
typedef struct value {
    es_sweep_point point;
    char *settings;                   /* every one in force; owned */
    size_t known, of, stored, failed; /* pairs, or embedders of a measure */
    es_stat spearman, kendall;        /* with the first */
} value;

/* A field of what is swept: its own columns, one a value. */
typedef struct field {
    char *name;
    es_agree_scores scores;
} field;

typedef struct study {
    es_cli *cli;
    es_session *session; /* the last one */
    const es_results *names;
    es_words name; /* of the embedders of the first session */
    es_choices choices;
    value *value; /* (scores.k) */
    size_t count;
    es_agree_scores scores;
    field *field; /* (fields) of the measure, or ways to sum up information sufficiency */
    size_t fields;
} study;

static void study_deinit(study *s) {
    for (size_t i = 0; i < s->count; i++)
        es_free(s->value[i].settings);
    es_words_deinit(&s->name);
    es_agree_scores_deinit(&s->scores);
    for (size_t f = 0; f < s->fields; f++) {
        es_free(s->field[f].name);
        es_agree_scores_deinit(&s->field[f].scores);
    }
    es_free(s->field);
    es_choices_deinit(&s->choices);
    es_session_close(s->session);
}

/* ---- fields ---- */

/* The one of this name, begun where there is none yet. */
static es_status field_of(study *s, const char *name, es_agree_scores **out, es_error *err) {
    size_t at = 0;
    while (at < s->fields && strcmp(s->field[at].name, name) != 0)
        at++;
    if (at == s->fields) {
        field *more = es_realloc(s->field, at + 1, sizeof *more);
        if (!more)
            return es_no_memory(err);
        s->field = more;
        more[at] = (field){.name = es_strdup(name)};
        if (!more[at].name)
            return es_no_memory(err);
        s->fields++;
        ES_PASS(es_agree_scores_init(&more[at].scores, s->session, s->names, err));
    }
    *out = &s->field[at].scores;
    return ES_OK;
}

/* Every way to sum up what is known of the pairs. */
static es_status add_aggregates(study *s, const value *v, const es_results *r,
                                const es_rank_choices *how, es_error *err) {
    es_status st = ES_OK;
    es_options options = *s->cli->options;
    for (int a = 0; es_aggregate_names[a] && st == ES_OK; a++) {
        es_agree_scores *to = NULL;
        es_rank_choices own = *how;
        options.aggregate = a;
        own.aggregate = es_rank_choices_of(&options, false).aggregate;
        st = field_of(s, es_aggregate_names[a], &to, err);
        if (st == ES_OK)
            st = es_agree_scores_add_ranking(to, v->point.label, r, &own, err);
    }
    return st;
}

/* Every field that ranks, or the one that was named. */
static es_status add_measured(study *s, const value *v, const es_choice *c, es_error *err) {
    const es_measured *r = c->measured;
    es_status st = ES_OK;
    for (size_t f = 0; f < r->measure->n_fields && st == ES_OK; f++) {
        es_agree_scores *to = NULL;
        if (c->field == SIZE_MAX ? r->measure->fields[f].fact : c->field != f)
            continue;
        st = field_of(s, r->field[f], &to, err);
        if (st == ES_OK)
            st = es_agree_scores_add_measure(to, v->point.label, r, f, err);
    }
    return st;
}

/* Downstream is that of the score. */
static es_status settle_fields(study *s, uint64_t seed, es_error *err) {
    es_status st = ES_OK;
    for (size_t f = 0; f < s->fields && st == ES_OK; f++) {
        st = es_agree_scores_against_same(&s->field[f].scores, &s->scores, err);
        if (st == ES_OK)
            st = es_agree_scores_settle(&s->field[f].scores, seed, err);
    }
    return st;
}

/* ---- estimators ---- */

/* The same embedders in the same order as in the first session: files may change meanwhile. */
static es_status check_names(study *s, es_error *err) {
    es_status st = ES_OK;
    bool same = true;
    s->names = es_session_results(s->session, 0);
    if (s->name.count == 0) {
        for (size_t i = 0; i < s->names->m && st == ES_OK; i++)
            st = es_words_add(&s->name, s->names->name[i], err);
        return st == ES_OK ? es_agree_scores_init(&s->scores, s->session, s->names, err) : st;
    }
    same = s->name.count == s->names->m;
    for (size_t i = 0; same && i < s->names->m; i++)
        same = strcmp(s->name.word[i], s->names->name[i]) == 0;
    return same ? ES_OK
                : es_fail(err, ES_EBUSY,
                          "%s: embedders have come or gone during the sweep; run it again",
                          es_pool_name(es_session_pool(s->session)));
}

static es_status add_results(study *s, value *v, es_error *err) {
    const es_results *r = es_session_results(s->session, 0);
    es_progress progress;
    es_rank_choices how = es_rank_choices_of(s->cli->options, false);
    if (how.score == ES_SCORE_AUTO) /* for some values that would be another score */
        how.score = ES_SCORE_PUBLISHED;
    es_session_progress(s->session, &progress);
    v->known = r->done;
    v->of = r->m * r->m;
    v->stored = progress.reused;
    v->failed = progress.failed;
    v->settings = es_strdup(r->settings ? r->settings : "");
    if (!v->settings)
        return es_no_memory(err);
    es_status st = es_agree_scores_add_ranking(&s->scores, v->point.label, r, &how, err);
    return st == ES_OK && how.score == ES_SCORE_PUBLISHED ? add_aggregates(s, v, r, &how, err) : st;
}

/* --set and the combination, as one list. */
static es_status settings_of(const es_cli *cli, const es_sweep_point *point, es_texts *out,
                             es_error *err) {
    const es_options *o = cli->options;
    size_t own = o->settings.count, swept = o->sweep.count;
    const char **items = es_cli_room(cli, own + swept + 1, sizeof *items);
    if (!items)
        return es_no_memory(err);
    for (size_t i = 0; i < own; i++)
        items[i] = o->settings.items[i];
    memcpy(items + own, point->setting, (swept + 1) * sizeof *items);
    *out = (es_texts){items, own + swept};
    return ES_OK;
}

/* Every value is looked at before the first is estimated, which may take hours. */
static es_status check_values(study *s, es_error *err) {
    const es_options *o = s->cli->options;
    es_status st = ES_OK;
    for (size_t i = 0; i < s->count && st == ES_OK; i++) {
        es_texts settings = {0};
        es_error why = {0};
        es_sweep_at(o, i, &s->value[i].point);
        st = settings_of(s->cli, &s->value[i].point, &settings, err);
        const es_session_options options = {.pool = {.rows = o->rows},
                                            .estimator = o->estimator,
                                            .preset = o->preset,
                                            .settings = settings.items,
                                            .threads = (unsigned)o->threads};
        if (st == ES_OK && es_session_check(&options, &why) != ES_OK)
            st = es_usage(s->cli, err, "--sweep: %s", why.message);
    }
    return st;
}

static es_status run_value(study *s, value *v, bool estimate, es_error *err) {
    es_options options = *s->cli->options;
    es_cli one = *s->cli;
    es_status st = ES_OK;
    one.options = &options;
    one.watch = NULL;
    es_session_close(s->session); /* a store has one owner */
    s->session = NULL;
    ES_TRY(settings_of(s->cli, &v->point, &options.settings, err));
    ES_TRY(
        es_cli_open(&one, estimate ? ES_ACCESS_ESTIMATE : ES_ACCESS_SHOW, false, &s->session, err));
    ES_FAIL_IF(es_session_plan(s->session) != 1,
               es_usage(s->cli, err,
                        "--sweep %s: more than one estimator has this setting; name one by "
                        "--estimator",
                        s->cli->options->sweep.items[0]));
    if (estimate)
        es_output_note(s->cli, "%s", v->point.label);
    ES_TRY(estimate ? es_estimate_all(&one, s->session, err) : es_cli_wait(&one, s->session, err));
    ES_TRY(es_session_store_problem(s->session, err));
    ES_TRY(check_names(s, err));
    ES_TRY(add_results(s, v, err));
done:
    if (one.exit_code > s->cli->exit_code)
        s->cli->exit_code = one.exit_code;
    return st;
}

static es_status nothing_stored(const study *s, es_error *err) {
    es_buf line = {0};
    const es_options *o = s->cli->options;
    const char *pool = s->cli->n_arguments > 0 ? s->cli->arguments[0] : ".";
    es_buf_printf(&line, "embedscope estimate %s", pool);
    if (o->estimator)
        es_buf_printf(&line, " --estimator %s", o->estimator);
    for (size_t i = 0; i < o->sweep.count; i++)
        es_buf_printf(&line, " --sweep %s", o->sweep.items[i]);
    es_status st = es_fail(err, ES_EEMPTY, "%s: nothing of this sweep is stored; run `%s`", pool,
                           line.data ? line.data : "embedscope estimate");
    es_buf_free(&line);
    return st;
}

static es_status run_estimator(study *s, bool estimate, es_error *err) {
    size_t known = 0;
    es_status st = check_values(s, err);
    for (size_t i = 0; i < s->count && st == ES_OK; i++) {
        st = run_value(s, &s->value[i], estimate, err);
        known += s->value[i].known;
    }
    return st == ES_OK && known == 0 ? nothing_stored(s, err) : st;
}

/* ---- measures ---- */

/* One choice a value: all sets of pairs together, one label column. */
static es_status one_each(study *s, es_error *err) {
    es_choices *c = &s->choices;
    size_t together = 0, kept = 0;
    for (size_t i = 0; i < c->count; i++)
        together += c->item[i].measured->task == NULL;
    for (size_t i = 0; i < c->count; i++) {
        const char *task = c->item[i].measured->task;
        if (together > 0 && task)
            continue;
        c->item[kept++] = c->item[i];
        if (task && strcmp(task, c->item[0].measured->task) != 0)
            return es_usage(s->cli, err,
                            "--score %s: labels.csv has several columns; --task names one, such as "
                            "'%s'",
                            s->cli->options->score, task);
    }
    c->count = kept;
    return ES_OK;
}

static es_status run_measure(study *s, es_error *err) {
    es_status st = ES_OK;
    if (strchr(s->cli->options->score, ',') || strcmp(s->cli->options->score, "all") == 0)
        return es_usage(s->cli, err,
                        "--score takes one measure; `embedscope measure --sweep` sets several "
                        "side by side");
    ES_TRY(es_measure_open(s->cli, false, &s->session, err));
    ES_TRY(es_measure_choose(s->cli, s->session, s->cli->options->score, &s->choices, err));
    ES_TRY(one_each(s, err));
    ES_TRY(es_measure_compute(s->cli, s->session, &s->choices, err));
    ES_TRY(check_names(s, err));
    for (size_t i = 0; i < s->choices.count; i++) {
        const es_choice *c = &s->choices.item[i];
        value *v = &s->value[i];
        es_sweep_at(s->cli->options, i, &v->point);
        v->known = c->measured->done;
        v->of = c->measured->of;
        v->stored = c->measured->reused;
        v->failed = c->measured->failed;
        v->settings = es_strdup(c->measured->settings);
        ES_FAIL_IF(!v->settings, es_no_memory(err));
        ES_TRY(es_agree_scores_add_measure(&s->scores, v->point.label, c->measured,
                                           c->field == SIZE_MAX ? 0 : c->field, err));
        ES_TRY(add_measured(s, v, c, err));
    }
    ES_TRY(es_session_store_problem(s->session, err));
done:
    return st;
}

/* ---- the table ---- */

#define ROW(C)                                                                                     \
    C(TEXT, "value", "value", ES_COLUMN_KEY, a->name[k])                                           \
    C(COUNT, "known", "known", 0, v->known)                                                        \
    C(COUNT, "of", "of", 0, v->of)                                                                 \
    C(COUNT, "stored", "stored", 0, v->stored)                                                     \
    C(DATA, COUNT, "failed", v->failed)                                                            \
    C(NUMBER, "seconds", "seconds", 1, 0, a->seconds[k])                                           \
    C(TEXT, "best", "best", 0, best_of(s, k))                                                      \
    C(SHORT, NUMBER, "spearman_first", "spearman with the first", "s first", 2, 0,                 \
      v->spearman.value)                                                                           \
    C(SHORT, NUMBER, "kendall_first", "kendall with the first", "k first", 2, 0, v->kendall.value) \
    C(COUNT, "n", "n", 0, r ? r->n : SIZE_MAX)                                                     \
    C(COEFFICIENT, "spearman", "spearman", 2, r, ES_SPEARMAN)                                      \
    C(COEFFICIENT, "kendall", "kendall", 2, r, ES_KENDALL)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static const char *best_of(const study *s, size_t k) {
    const uint32_t *rank = s->scores.agreement->rank + k * s->scores.n;
    for (size_t i = 0; i < s->scores.n; i++)
        if (rank[i] == 1)
            return s->names->name[i];
    return NULL;
}

static es_table_out *make_table(const study *s) {
    const es_agree_scores *a = &s->scores;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t k = 0; k < a->k; k++) {
        const value *v = &s->value[k];
        const es_correlation_report *r = a->downstream ? &a->agreement->against[k] : NULL;
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static double shown_score(const es_agree_scores *a, size_t k, size_t i) {
    double x = a->column[k * a->n + i];
    return a->negated[k] ? -x : x;
}

static es_table_out *scores_table(const study *s, const uint32_t *order) {
    const es_agree_scores *a = &s->scores;
    es_table_out *t = es_table_out_new(NULL, 0);
    es_table_out_add(t, (es_out_column)ES_HEAD(TEXT, "model", "score of", NULL, 0, ES_COLUMN_KEY));
    for (size_t k = 0; k < a->k; k++)
        es_table_out_add(t, (es_out_column)ES_NUMBER(a->name[k], a->name[k], NULL, 3, 0));
    for (size_t r = 0; r < a->n; r++) {
        es_document_name(t, s->names, order[r]);
        for (size_t k = 0; k < a->k; k++)
            es_table_out_number(t, shown_score(a, k, order[r]));
    }
    return t;
}

/* With downstream, or, without any, with the first value. */
#define FIELDS(C)                                                                                  \
    C(TEXT, "field", "field", ES_COLUMN_KEY, s->field[f].name)                                     \
    C(TEXT, "value", "value", ES_COLUMN_KEY, a->name[k])                                           \
    C(COUNT, "n", "n", 0, r ? r->n : first->n)                                                     \
    C(COEFFICIENT, "spearman", "spearman", 2, r, ES_SPEARMAN)                                      \
    C(COEFFICIENT, "kendall", "kendall", 2, r, ES_KENDALL)                                         \
    C(BAND, "kendall_first", "kendall_first", 2, k > 0 ? first->tau.value : 1,                     \
      k > 0 ? first->low : (double)NAN, k > 0 ? first->high : (double)NAN)

static const es_out_column field_columns[] = ES_COLUMNS_OF(FIELDS);

static es_table_out *fields_table(const study *s) {
    es_table_out *t = ES_TABLE_OUT(field_columns);
    for (size_t f = 0; f < s->fields; f++)
        for (size_t k = 0; k < s->field[f].scores.k; k++) {
            const es_agree_scores *a = &s->field[f].scores;
            const es_correlation_report *r = a->downstream ? &a->agreement->against[k] : NULL;
            const es_agreement_cell *first = &a->agreement->cell[k];
            ES_PUT_ROW(FIELDS, t);
        }
    return t;
}

static void put_caption(const es_document *d, es_buf *out) {
    const es_agree_scores *a = &((const study *)d->what)->scores;
    es_buf_printf(out, "\nscore: %s%s\n", a->about[0],
                  a->negated[0] ? "; lower is better, its sign is turned for coefficients" : "");
    es_buf_printf(out, "s first, k first: spearman and kendall with the ranking at %s\n",
                  a->name[0]);
    if (a->task)
        es_buf_printf(out,
                      "spearman, kendall: with downstream, %s, of %zu embedders; 95 %% intervals "
                      "over embedders\n",
                      a->task, a->scored);
}

#define POINTS(C)                                                                                  \
    C(NAME, "model", "embedder", ES_COLUMN_KEY, s->names, order[r])                                \
    C(TEXT, "value", "value", ES_COLUMN_KEY, a->name[k])                                           \
    C(COUNT, "at", "value", ES_COLUMN_DATA_ONLY, k + 1)                                            \
    C(NUMBER, "score", "score", 3, 0, shown_score(a, k, order[r]))                                 \
    C(COUNT, "rank", "rank", 0, rank ? rank : SIZE_MAX)

static const es_out_column point_columns[] = ES_COLUMNS_OF(POINTS);

static es_table_out *points_table(const study *s, const uint32_t *order) {
    const es_agree_scores *a = &s->scores;
    es_table_out *t = ES_TABLE_OUT(point_columns);
    for (size_t r = 0; r < a->n; r++)
        for (size_t k = 0; k < a->k; k++) {
            uint32_t rank = a->agreement->rank[k * a->n + order[r]];
            ES_PUT_ROW(POINTS, t);
        }
    return t;
}

/* A sheet shows scores a line each, and their agreement as columns of the first table. */
static es_status make_tables(const es_document *d, es_sheet *sheet, es_error *err) {
    const study *s = d->what;
    bool drawn = d->cli->sheet != NULL;
    uint32_t *order = es_cli_room(d->cli, s->scores.n, sizeof *order);
    if (!order)
        return es_no_memory(err);
    es_agree_order(&s->scores, order);
    es_sheet_take_table(sheet, make_table(s));
    es_sheet_take_table(sheet, (drawn ? points_table : scores_table)(s, order));
    if (s->fields > 1)
        es_sheet_take_table(sheet, fields_table(s));
    if (!drawn)
        return es_agree_take_ranks(sheet, &s->scores, s->names, err);
    sheet->plot = (es_sheet_plot){.kind = ES_DRAWN_LINES,
                                  .table = 1,
                                  .x = 2,
                                  .value = {3, 4},
                                  .values = 2,
                                  .line = (double)NAN};
    return ES_OK;
}

/* ---- json ---- */

static void put_point(es_json *json, const es_sweep_point *point) {
    es_json_begin_object(json, "values");
    for (size_t i = 0; point->setting[i]; i++) {
        char key[ES_SWEEP_TEXT];
        size_t length = strcspn(point->setting[i], "=");
        (void)snprintf(key, sizeof key, "%.*s", (int)length, point->setting[i]);
        es_json_text(json, key, point->setting[i] + length + 1);
    }
    es_json_end(json);
}

static void put_ranking(es_json *json, const study *s, size_t k) {
    const es_agree_scores *a = &s->scores;
    for (size_t i = es_json_list(json, "ranking"); es_json_list_next(json, &i, a->n);) {
        uint32_t rank = a->agreement->rank[k * a->n + i];
        es_json_text(json, "model", s->names->name[i]);
        es_json_bool(json, "derived", es_results_is_derived(s->names, i));
        es_json_double(json, "score", shown_score(a, k, i));
        es_document_count(json, "rank", rank ? rank : SIZE_MAX);
    }
}

static void put_value(es_json *json, const study *s, size_t k) {
    const es_agree_scores *a = &s->scores;
    const value *v = &s->value[k];
    es_json_text(json, "name", a->name[k]);
    put_point(json, &v->point);
    es_json_text(json, "settings", v->settings);
    es_json_uint(json, "known", v->known);
    es_json_uint(json, "of", v->of);
    es_json_uint(json, "stored", v->stored);
    es_json_uint(json, "failed", v->failed);
    es_json_double(json, "seconds", a->seconds[k]);
    es_json_text(json, "best", best_of(s, k));
    es_json_double(json, "spearman_first", v->spearman.value);
    es_json_double(json, "kendall_first", v->kendall.value);
    if (a->downstream) {
        const es_correlation_report *r = &a->agreement->against[k];
        es_json_begin_object(json, "downstream");
        es_json_uint(json, "n", r->n);
        es_coefficient_json(json, r, ES_SPEARMAN);
        es_coefficient_json(json, r, ES_KENDALL);
        es_document_range_reason(json, &r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n);
        es_json_end(json);
    } else
        es_json_null(json, "downstream");
    put_ranking(json, s, k);
}

static void put_json(const es_document *d, es_json *json) {
    const study *s = d->what;
    const es_agree_scores *a = &s->scores;
    es_json_text(json, "score", d->cli->options->score ? d->cli->options->score : "published");
    es_json_text(json, "about", a->about[0]);
    es_json_bool(json, "lower_is_better", a->negated[0]);
    es_json_text(json, "downstream", a->task);
    es_json_uint(json, "scored", a->scored);
    for (size_t k = es_json_list(json, "sweep"); es_json_list_next(json, &k, a->k);)
        put_value(json, s, k);
    es_document_table(json, "fields", fields_table(s));
    es_agreement_json(json, a);
    es_document_excluded(json, s->session);
}

/* ---- the picture ---- */

/* Spearman and Kendall with the first value, then with downstream; as rows of values. */
static const double *with_others(es_sketch *sketch, const study *s) {
    const es_agree_scores *a = &s->scores;
    double *out = es_sketch_room(sketch, 4 * a->k, sizeof *out);
    for (size_t k = 0; out && k < a->k; k++) {
        const es_correlation_report *r = a->downstream ? &a->agreement->against[k] : NULL;
        out[k] = s->value[k].spearman.value;
        out[a->k + k] = s->value[k].kendall.value;
        out[2 * a->k + k] = r ? r->value[ES_SPEARMAN].value : (double)NAN;
        out[3 * a->k + k] = r ? r->value[ES_KENDALL].value : (double)NAN;
    }
    return out;
}

/* Spearman of every field with downstream, else Kendall with the first value, with intervals. */
static es_status fill_fields(es_sketch *sketch, const study *s, es_strands *out, es_error *err) {
    size_t k = s->scores.k;
    double *rho = es_sketch_room(sketch, 3 * s->fields + 1, k * sizeof *rho);
    const char **name = es_sketch_room(sketch, s->fields + 1, sizeof *name);
    if (!rho || !name)
        return es_no_memory(err);
    double *low = rho + s->fields * k, *high = low + s->fields * k;
    for (size_t f = 0; f < s->fields; f++) {
        const es_agreement *own = s->field[f].scores.agreement;
        name[f] = s->field[f].name;
        for (size_t j = 0; j < k; j++) {
            const es_correlation_report *r =
                s->field[f].scores.downstream ? &own->against[j] : NULL;
            const es_agreement_cell *first = &own->cell[j];
            rho[f * k + j] = r ? r->value[ES_SPEARMAN].value : j > 0 ? first->tau.value : 1;
            low[f * k + j] = r ? r->low[ES_SPEARMAN] : j > 0 ? first->low : (double)NAN;
            high[f * k + j] = r ? r->high[ES_SPEARMAN] : j > 0 ? first->high : (double)NAN;
        }
    }
    *out = (es_strands){.rows = s->fields,
                        .columns = k,
                        .value = rho,
                        .low = low,
                        .high = high,
                        .row_name = name,
                        .column_name = (const char *const *)s->scores.name,
                        .y_title = s->scores.downstream ? "Spearman, tasks" : "Kendall, first"};
    return ES_OK;
}

/* Each embedder's score over the columns, how far these agree with the first and downstream, and a
 * line a field: with downstream, or, without any, with the first column. */
static es_status draw(const es_document *d, es_sketch *sketch, es_error *err) {
    static const char *const coefficients[] = {"Spearman, first", "Kendall, first",
                                               "Spearman, tasks", "Kendall, tasks"};
    const study *s = d->what;
    const es_agree_scores *a = &s->scores;
    es_strands panel[3];
    ES_PASS(es_agree_strands(sketch, s->names, a, false, &panel[0], err));
    panel[0].y_title = "score";
    panel[1] = (es_strands){.rows = a->downstream ? 4 : 2,
                            .columns = a->k,
                            .value = with_others(sketch, s),
                            .row_name = coefficients,
                            .column_name = (const char *const *)a->name,
                            .y_title = "agreement"};
    if (!panel[1].value)
        return es_no_memory(err);
    ES_PASS(fill_fields(sketch, s, &panel[2], err));
    es_buf_printf(&sketch->note, "Score: %s%s. Below: coefficients with the scores at %s%s%s. ",
                  a->about[0], a->negated[0] ? ", lower is better" : "", a->name[0],
                  a->task ? ", and with downstream, " : "", a->task ? a->task : "");
    if (s->fields > 0)
        es_buf_printf(&sketch->note, "Last: every %s %s, with 95 %% intervals over embedders. ",
                      sketch->cli->options->score && es_score_measure(sketch->cli->options)
                          ? "field"
                          : "aggregate",
                      a->task ? "with downstream" : "with the first value");
    return es_figure_strands(panel, s->fields > 0 ? 3 : 2, ES_SKETCHED(sketch), err);
}

/* ---- the command ---- */

static es_status with_first(study *s, es_error *err) {
    const es_agree_scores *a = &s->scores;
    es_status st = ES_OK;
    for (size_t k = 0; k < a->k && st == ES_OK; k++) {
        const double *own = a->column + k * a->n;
        st = es_correlate(ES_SPEARMAN, a->column, own, a->n, &s->value[k].spearman, err);
        if (st == ES_OK)
            st = es_correlate(ES_KENDALL, a->column, own, a->n, &s->value[k].kendall, err);
    }
    return st;
}

es_status es_sweep_write(es_cli *cli, bool estimate, es_error *err) {
    static const es_document_parts parts = {.schema = "settings_sweep",
                                            .tables = make_tables,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = draw,
                                            .title = "Values of a setting"};
    es_cli plain = *cli;
    study s = {.cli = &plain};
    bool measure = es_score_measure(cli->options) != NULL;
    es_status st = ES_OK;
    plain.command = es_command_find(cli->commands, "rank"); /* of originals */
    size_t count = 0;
    ES_TRY(es_sweep_count(&plain, &count, err));
    s.value = es_cli_room(cli, count, sizeof *s.value);
    ES_FAIL_IF(!s.value, es_no_memory(err));
    s.count = count;
    ES_TRY(measure ? run_measure(&s, err) : run_estimator(&s, estimate, err));
    ES_TRY(es_export_attach(&plain, s.session, 0, err));
    if (cli->export)
        cli->export->measures = measure;
    ES_TRY(es_agree_downstream(&plain, s.session, &s.scores, err));
    ES_TRY(es_agree_scores_settle(&s.scores, cli->options->seed, err));
    ES_TRY(settle_fields(&s, cli->options->seed, err));
    ES_TRY(with_first(&s, err));
    ES_TRY(
        es_document_write(&parts, (es_document){&plain, s.session, 0, &s, ES_FORMAT_DEFAULT}, err));
done:
    cli->exit_code = plain.exit_code;
    study_deinit(&s);
    return st;
}
