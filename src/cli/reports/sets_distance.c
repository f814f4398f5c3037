/* Distances of every two data sets, embedder by embedder, as a document. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 256, RUNS = 5 }; /* of plain rows: so many of each side, so often */

/* What is measured; each is of one embedder and two data sets. */
typedef enum kind { ANSWERS_MMD, ROWS_MMD, ANSWERS_W1, ROWS_W1, KINDS } kind;
static const char *const keys[KINDS] = {"answers_mmd2", "rows_mmd2", "answers_w1", "rows_w1"};
static const char *const titles[KINDS] = {"answers, MMD2", "rows, MMD2", "answers, W1", "rows, W1"};

typedef struct two {
    size_t a, b; /* data sets */
    size_t shared;
    double tau, mean[KINDS];
    char *name;
} two;

typedef struct study {
    es_cli *cli;
    es_open_sets sets;
    es_measure_queries *queries; /* (sets.count) */
    bool answers;                /* every data set has queries */
    size_t *model;               /* (models) of sets.all, in every data set */
    size_t models;
    two *pair; /* (pairs) */
    size_t pairs;
    double *value; /* (KINDS, pairs, models) */
    es_correlation_report with[KINDS];
} study;

static void study_deinit(study *s) {
    for (size_t k = 0; s->queries && k < s->sets.count; k++)
        es_measure_queries_deinit(&s->queries[k]);
    for (size_t p = 0; s->pair && p < s->pairs; p++)
        es_free(s->pair[p].name);
    es_open_sets_deinit(&s->sets);
}

static double *value_at(const study *s, kind k, size_t pair, size_t model) {
    return &s->value[((size_t)k * s->pairs + pair) * s->models + model];
}

/* ---- what is compared ---- */

static bool is_in_all(const es_data_sets *all, size_t a) {
    for (size_t k = 0; k < all->count; k++)
        if (all->at[k * all->m + a] == SIZE_MAX)
            return false;
    return true;
}

static es_status take_models(study *s, es_error *err) {
    const es_data_sets *all = s->sets.all;
    s->model = es_cli_room(s->cli, all->m, sizeof *s->model);
    if (!s->model)
        return es_no_memory(err);
    for (size_t a = 0; a < all->m; a++)
        if (is_in_all(all, a))
            s->model[s->models++] = a;
    return s->models > 0 ? ES_OK
                         : es_fail(err, ES_EEMPTY,
                                   "no embedder is in all %zu data sets; they are matched by name",
                                   all->count);
}

/* Where one of the data sets has none, distances are of plain rows alone. */
static es_status take_queries(study *s, es_error *err) {
    double settings[ES_ANNOTATIONS_SETTINGS];
    es_status st = es_measure_queries_settings(s->cli, settings, err);
    s->queries = es_cli_room(s->cli, s->sets.count, sizeof *s->queries);
    if (st != ES_OK || !s->queries)
        return st == ES_OK ? es_no_memory(err) : st;
    s->answers = true;
    for (size_t k = 0; k < s->sets.count && s->answers; k++) {
        es_error why = {0};
        st = es_measure_queries_take(s->cli, s->sets.set[k].session, s->sets.name[k], settings,
                                     &s->queries[k], &why);
        if (st == ES_ENOTFOUND) {
            s->answers = false;
            es_output_note(s->cli, "distances cover plain rows alone: %s", why.message);
        } else if (st != ES_OK)
            return es_fail(err, st, "%s", why.message);
    }
    return ES_OK;
}

static es_status make_pairs(study *s, es_error *err) {
    const es_data_sets *all = s->sets.all;
    size_t n = all->count;
    s->pair = es_cli_room(s->cli, n * (n - 1) / 2 + 1, sizeof *s->pair);
    if (!s->pair)
        return es_no_memory(err);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            two *p = &s->pair[s->pairs++];
            es_buf name = {0};
            es_stat tau;
            const double *x = all->score + a * all->m, *y = all->score + b * all->m;
            es_status st = es_correlate(ES_KENDALL, x, y, all->m, &tau, err);
            es_buf_printf(&name, "%s - %s", s->sets.name[a], s->sets.name[b]);
            *p = (two){.a = a, .b = b, .name = es_buf_take(&name)};
            if (st != ES_OK || !p->name)
                return st == ES_OK ? es_no_memory(err) : st;
            for (size_t i = 0; i < all->m; i++)
                p->shared += isfinite(x[i]) && isfinite(y[i]);
            p->tau = p->shared >= 3 ? tau.value : (double)NAN; /* of two it is 1 or -1 */
        }
    s->value = es_cli_room(s->cli, KINDS * s->pairs, s->models * sizeof *s->value);
    return s->value ? ES_OK : es_no_memory(err);
}

/* ---- computing ---- */

static es_status of_answers(const study *s, const two *p, const es_matrix *a, const es_matrix *b,
                            double sum[KINDS], es_error *err) {
    const es_measure_data *x = &s->queries[p->a].data, *y = &s->queries[p->b].data;
    for (size_t r = 0; r < x->runs; r++) {
        es_set_distance d;
        es_status st =
            es_set_distance_of(a, &x->queries[r], b, &y->queries[r], x->seed, NULL, &d, err);
        if (st != ES_OK)
            return st;
        sum[ANSWERS_MMD] += d.mmd2 / (double)x->runs;
        sum[ANSWERS_W1] += d.w1 / (double)x->runs;
    }
    return ES_OK;
}

static es_status of_rows(const study *s, const es_matrix *a, const es_matrix *b, double sum[KINDS],
                         es_error *err) {
    for (uint64_t r = 0; r < RUNS; r++) {
        es_set_distance d;
        es_status st =
            es_set_distance_of_rows(a, b, ROWS, s->cli->options->seed + r, NULL, &d, err);
        if (st != ES_OK)
            return st;
        sum[ROWS_MMD] += d.mmd2 / RUNS;
        sum[ROWS_W1] += d.w1 / RUNS;
    }
    return ES_OK;
}

static es_status measure_two(study *s, size_t pair, size_t model, es_error *err) {
    const two *p = &s->pair[pair];
    const es_data_sets *all = s->sets.all;
    double sum[KINDS] = {0};
    es_matrix a = {0}, b = {0};
    es_status st = ES_OK;
    ES_TRY(es_session_matrix(s->sets.set[p->a].session, all->at[p->a * all->m + s->model[model]],
                             &a, err));
    ES_TRY(es_session_matrix(s->sets.set[p->b].session, all->at[p->b * all->m + s->model[model]],
                             &b, err));
    if (s->answers)
        ES_TRY(of_answers(s, p, &a, &b, sum, err));
    ES_TRY(of_rows(s, &a, &b, sum, err));
    for (kind k = 0; k < KINDS; k++)
        *value_at(s, k, pair, model) =
            (k == ANSWERS_MMD || k == ANSWERS_W1) && !s->answers ? (double)NAN : sum[k];
done:
    es_matrix_free(&a);
    es_matrix_free(&b);
    return st;
}

/* W1 is in an embedder's own units: over its mean of all pairs it has none. */
static void make_relative(study *s, kind k, size_t model) {
    double mean = 0;
    for (size_t p = 0; p < s->pairs; p++)
        mean += *value_at(s, k, p, model) / (double)s->pairs;
    for (size_t p = 0; p < s->pairs; p++)
        *value_at(s, k, p, model) /= mean > 0 ? mean : (double)NAN;
}

static es_status measure_all(study *s, es_error *err) {
    for (size_t m = 0; m < s->models; m++) {
        for (size_t p = 0; p < s->pairs; p++) {
            es_error why = {0};
            es_status st = measure_two(s, p, m, &why);
            const char *name = s->sets.all->name.word[s->model[m]];
            if (st != ES_OK)
                return es_fail(err, st, "%s in %s: %s; --exclude %s leaves it out", name,
                               s->pair[p].name, why.message, name);
        }
        make_relative(s, ANSWERS_W1, m);
        make_relative(s, ROWS_W1, m);
    }
    return ES_OK;
}

/* Means over embedders, and how they go with tau over the pairs. */
static es_status sum_up(study *s, es_error *err) {
    const es_correlate_options options = {.seed = s->cli->options->seed};
    double *column = es_cli_room(s->cli, s->pairs, 2 * sizeof *column),
           *tau = column ? column + s->pairs : NULL;
    es_status st = ES_OK;
    if (!column)
        return es_no_memory(err);
    for (kind k = 0; k < KINDS && st == ES_OK; k++) {
        for (size_t p = 0; p < s->pairs; p++) {
            s->pair[p].mean[k] = 0;
            for (size_t m = 0; m < s->models; m++)
                s->pair[p].mean[k] += *value_at(s, k, p, m) / (double)s->models;
            column[p] = s->pair[p].mean[k];
            tau[p] = s->pair[p].tau;
        }
        st = es_correlate_task(column, tau, NULL, s->pairs, &options, NULL, NULL, &s->with[k], err);
    }
    return st;
}

/* ---- the document ---- */

#define ROW(C)                                                                                     \
    C(TEXT, "a", "data set", ES_COLUMN_KEY, s->sets.name[own->a])                                  \
    C(TEXT, "b", "and", ES_COLUMN_KEY, s->sets.name[own->b])                                       \
    C(SHORT, COUNT, "shared", "ranked in both", "both", 0, 0, own->shared)                         \
    C(NUMBER, "tau", "tau", 3, 0, own->tau)                                                        \
    C(SHORT, NUMBER, "answers_mmd2", "answers MMD2", "ans mmd2", 4, 0, own->mean[ANSWERS_MMD])     \
    C(SHORT, NUMBER, "rows_mmd2", "rows MMD2", "rows mmd2", 4, 0, own->mean[ROWS_MMD])             \
    C(SHORT, NUMBER, "answers_w1", "answers W1", "ans w1", 3, 0, own->mean[ANSWERS_W1])            \
    C(SHORT, NUMBER, "rows_w1", "rows W1", "rows w1", 3, 0, own->mean[ROWS_W1])

static const es_out_column pair_columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_table(const es_document *d) {
    const study *s = d->what;
    es_table_out *t = ES_TABLE_OUT(pair_columns);
    for (size_t p = 0; p < s->pairs; p++) {
        const two *own = &s->pair[p];
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static void put_coefficient(const es_correlation_report *r, es_buf *out) {
    const es_stat *rho = &r->value[ES_SPEARMAN];
    if (rho->why)
        es_buf_printf(out, "not defined: %s", rho->why);
    else
        es_buf_printf(out, "Spearman %.2f, Kendall %.2f, Pearson %.2f, of %zu pairs%s", rho->value,
                      r->value[ES_KENDALL].value, r->value[ES_PEARSON].value, r->n,
                      r->few ? ", too few to lean on" : "");
}

static void put_words(const es_document *d, es_buf *out) {
    const study *s = d->what;
    es_buf_puts(out, "Distance with tau: ");
    for (kind k = 0; k < KINDS; k++) {
        if ((k == ANSWERS_MMD || k == ANSWERS_W1) && !s->answers)
            continue;
        es_buf_printf(out, "%s ", titles[k]);
        put_coefficient(&s->with[k], out);
        es_buf_puts(out, k + 1 < KINDS ? "; " : ".");
    }
    es_open_sets_say_missing(&s->sets, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    const study *s = d->what;
    es_buf_puts(out, "\nDistance with tau over pairs of data sets:\n");
    for (kind k = 0; k < KINDS; k++) {
        if ((k == ANSWERS_MMD || k == ANSWERS_W1) && !s->answers)
            continue;
        es_buf_printf(out, "  %-14s ", titles[k]);
        put_coefficient(&s->with[k], out);
        es_buf_putc(out, '\n');
    }
    es_buf_printf(
        out,
        "tau: Kendall's of the two rankings by the %s score. answers: of each query the mean of "
        "its\nanswers; rows: plain rows, %d of each side, %d draws. MMD2: unbiased, RBF of the "
        "pooled median\nwidth; W1: over the embedder's mean of all pairs. Means over the %zu "
        "embedders of all data sets.\n",
        es_score_kind_names[s->sets.report[0]->score], ROWS, RUNS, s->models);
}

static void put_models(es_json *json, const study *s, size_t p) {
    for (size_t m = es_json_list(json, "models"); es_json_list_next(json, &m, s->models);) {
        es_json_text(json, "model", s->sets.all->name.word[s->model[m]]);
        for (kind k = 0; k < KINDS; k++)
            es_json_double(json, keys[k], *value_at(s, k, p, m));
    }
}

static void put_with(es_json *json, const study *s) {
    es_json_begin_array(json, "with_tau");
    for (kind k = 0; k < KINDS; k++) {
        const es_correlation_report *r = &s->with[k];
        es_json_begin_object(json, NULL);
        es_json_text(json, "distance", keys[k]);
        es_json_uint(json, "n", r->n);
        es_json_bool(json, "few", r->few);
        for (int c = 0; c < ES_WEIGHTED_TAU; c++)
            es_json_double(json, es_correlation_name((es_correlation)c), r->value[c].value);
        es_document_range(json, "spearman_ci", r->low[ES_SPEARMAN], r->high[ES_SPEARMAN]);
        es_document_range_reason(json, &r->value[ES_SPEARMAN], r->low[ES_SPEARMAN], r->n);
        es_json_end(json);
    }
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const study *s = d->what;
    es_open_sets_json(d->cli, &s->sets, json);
    es_json_begin_row(json, "models");
    for (size_t m = 0; m < s->models; m++)
        es_json_text(json, NULL, s->sets.all->name.word[s->model[m]]);
    es_json_end(json);
    for (size_t p = es_json_list(json, "pairs"); es_json_list_next(json, &p, s->pairs);) {
        const two *own = &s->pair[p];
        es_json_text(json, "a", s->sets.name[own->a]);
        es_json_text(json, "b", s->sets.name[own->b]);
        es_json_uint(json, "shared", own->shared);
        es_json_double(json, "tau", own->tau);
        for (kind k = 0; k < KINDS; k++)
            es_json_double(json, keys[k], own->mean[k]);
        put_models(json, s, p);
    }
    put_with(json, s);
}

/* ---- the picture ---- */

/* Draws distance against agreement of the rankings, a point a pair of data sets. */
static es_status draw_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const study *s = d->what;
    double *x = es_sketch_room(sketch, s->pairs, (KINDS + 1) * sizeof *x);
    const char **name = es_sketch_room(sketch, s->pairs, sizeof *name);
    es_scatter panel[KINDS];
    const char *fact[KINDS];
    size_t panels = 0;
    if (!x || !name)
        return es_no_memory(err);
    double *tau = x + KINDS * s->pairs;
    for (size_t p = 0; p < s->pairs; p++) {
        name[p] = s->pair[p].name;
        tau[p] = s->pair[p].tau;
    }
    for (kind k = 0; k < KINDS; k++) {
        if ((k == ANSWERS_MMD || k == ANSWERS_W1) && !s->answers)
            continue;
        const es_correlation_report *r = &s->with[k];
        double *own = x + panels * s->pairs;
        for (size_t p = 0; p < s->pairs; p++)
            own[p] = s->pair[p].mean[k];
        fact[panels] = es_sketch_fact(sketch, r);
        panel[panels] =
            (es_scatter){.n = s->pairs,
                         .x = own,
                         .y = tau,
                         .name = name,
                         .x_title = titles[k],
                         .y_title = "tau of the two rankings",
                         .slope = r->slope.why ? (double)NAN : r->slope.value,
                         .intercept = r->intercept.why ? (double)NAN : r->intercept.value,
                         .fact = &fact[panels],
                         .facts = 1};
        panels++;
    }
    es_buf_puts(&sketch->note, "Each point is two data sets: how far they are apart, mean over the "
                               "embedders, and how alike they rank them. ");
    return es_figure_panels(panel, panels, ES_SKETCHED(sketch), err);
}

es_status es_sets_distance(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {.schema = "set_distances",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_json,
                                            .picture = draw_picture};
    es_options options = *cli->options;
    es_cli plain = *cli;
    study s = {.cli = cli};
    es_status st = ES_OK;
    plain.options = &options;
    es_subcommand rank = *es_command_find(cli->commands, "rank"); /* of originals */
    rank.groups = cli->command->groups; /* what is advised is taken here */
    plain.command = &rank;
    options.settings = (es_texts){0}; /* --set is of the queries */
    st = es_open_sets_new(&plain, &s.sets, err);
    cli->exit_code = plain.exit_code;
    if (st != ES_OK)
        goto done;
    ES_FAIL_IF(s.sets.count < 2,
               es_fail(err, ES_EEMPTY, "only one data set has results; a distance needs two"));
    ES_TRY(take_models(&s, err));
    ES_TRY(take_queries(&s, err));
    ES_TRY(make_pairs(&s, err));
    ES_TRY(measure_all(&s, err));
    ES_TRY(sum_up(&s, err));
    ES_TRY(
        es_document_write(&parts, (es_document){cli, NULL, SIZE_MAX, &s, ES_FORMAT_DEFAULT}, err));
done:
    study_deinit(&s);
    return st;
}
