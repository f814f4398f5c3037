/* A sweep summed up: members are found by their name and described by the recipe in their weights,
 * probed in every setting (a label column with a classifier), and set side by side. */
#include "cli_measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_session.h"
#include "io_readers.h"

/* A member of the sweep, or one of its sources. */
typedef struct rival {
    const char *name; /* of the results */
    size_t model;     /* position in the results */
    bool source, info;
    int mode;
    double batch;
} rival;

/* Rivals of one objective and part: "cmim mu"; or a source alone. */
typedef struct group {
    char name[64];
    size_t first, members;
    double accuracy, mean_z, mean_rank;
    size_t beats, of; /* settings in which its mean is above that of the best source */
    es_rivals_slope slope, log_slope; /* on the batch, and on its logarithm to base 2 */
} group;

typedef struct setting {
    char name[160]; /* "digit, knn cosine" */
    const es_measured *measured;
} setting;

typedef struct study {
    es_session *session;
    const es_results *names;
    rival *rival;
    size_t rivals;
    setting *settings;
    size_t n_settings;
    double *score, *z;              /* (n_settings, rivals) */
    double *mean_z, *mean_rank, *x; /* (rivals) */
    size_t *which;                  /* (rivals) */
    group *groups;
    size_t n_groups;
} study;

static const struct {
    const char *name, *settings[3];
} classifiers[] = {{"knn cosine", {"probe=knn", "metric=cosine", NULL}},
                   {"knn Euclid", {"probe=knn", "metric=l2", NULL}},
                   {"hidden layer", {"probe=mlp", NULL, NULL}}};
enum { CLASSIFIERS = sizeof classifiers / sizeof *classifiers };

static void study_deinit(study *s) {
    es_free(s->settings);
    es_session_close(s->session);
}

/* ---- who takes part ---- */

static bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcmp(text + a - b, end) == 0;
}

/* The weights lie beside the member: STEM.mu.npy, STEM.safetensors. */
static es_status read_weights(const es_model *m, es_cmim_model *out, es_error *err) {
    es_buf path = {0};
    size_t length =
        strlen(m->path) - strlen(ends_with(m->path, ".mu.npy") ? ".mu.npy" : ".info.npy");
    es_buf_add(&path, m->path, length);
    es_buf_puts(&path, ".safetensors");
    es_status st = es_buf_check(&path, err);
    if (st == ES_OK)
        st = es_cmim_model_read(path.data, out, err);
    es_buf_free(&path);
    return st;
}

static bool is_member(const es_model *m, const char *sweep) {
    size_t length = strlen(sweep);
    return m->derived && strncmp(m->name, sweep, length) == 0 && m->name[length] == '-' &&
           (ends_with(m->path, ".mu.npy") || ends_with(m->path, ".info.npy"));
}

static double value_of(const es_cmim_model *m, const char *key) {
    return m->values[es_setting_find(es_cmim_settings, es_cmim_setting_count, key)];
}

/* Members in the order of the results. Those without weights are none. *sources: of the first,
 * JSON, to be freed. */
static es_status find_members(const es_cli *cli, study *s, const char *sweep, char **sources,
                              es_error *err) {
    const es_pool *pool = es_session_pool(s->session);
    es_status st = ES_OK;
    s->names = es_session_results(s->session, 0);
    s->rivals = 0;
    s->rival = es_cli_room(cli, s->names->m, sizeof *s->rival);
    if (!s->rival)
        return es_no_memory(err);
    for (size_t i = 0; i < s->names->m && st == ES_OK; i++) {
        const es_model *m = es_pool_model(pool, s->names->model[i]);
        es_cmim_model weights = {0};
        if (!is_member(m, sweep) || read_weights(m, &weights, NULL) != ES_OK)
            continue;
        s->rival[s->rivals++] = (rival){.name = s->names->name[i],
                                        .model = i,
                                        .info = ends_with(m->path, ".info.npy"),
                                        .mode = (int)value_of(&weights, "mode"),
                                        .batch = value_of(&weights, "batch")};
        if (!*sources && !(*sources = es_strdup(weights.sources)))
            st = es_no_memory(err);
        es_cmim_model_deinit(&weights);
    }
    return st;
}

/* "NAME-*,a,b": the sweep and its sources. */
static es_status put_names(const char *sweep, const char *sources, es_buf *out, es_error *err) {
    es_json_doc *doc = NULL;
    es_status st = es_json_parse(sources, strlen(sources), "sources", &doc, err);
    if (st != ES_OK)
        return st;
    es_json_value root = es_json_root(doc);
    es_buf_printf(out, "%s-*", sweep);
    for (es_json_value v = es_json_first(&root); v.node && st == ES_OK; v = es_json_next(&v)) {
        const char *name = NULL;
        st = es_json_get_text(&v, "name", ES_JSON_REQUIRED, &name, err);
        if (st == ES_OK)
            es_buf_printf(out, ",%s", name);
    }
    es_json_free(doc);
    return st == ES_OK ? es_buf_check(out, err) : st;
}

/* Opens the pool for the sweep and its sources alone, so that nothing else is probed. */
static es_status open_study(es_cli *cli, const char *sweep, study *s, es_error *err) {
    es_cli narrow = *cli;
    es_buf names = {0};
    char *sources = NULL;
    es_status st = ES_OK;
    ES_TRY(es_measure_open(cli, false, &s->session, err));
    ES_TRY(find_members(cli, s, sweep, &sources, err));
    ES_FAIL_IF(
        s->rivals == 0,
        es_usage(cli, err, "no sweep is called '%s': `derive --cmim --sweep` makes them", sweep));
    ES_TRY(put_names(sweep, sources, &names, err));
    es_session_close(s->session);
    s->session = NULL;
    narrow.models = names.data;
    st = es_measure_open(&narrow, false, &s->session, err);
    cli->exit_code = narrow.exit_code;
    if (st == ES_OK)
        st = find_members(cli, s, sweep, &sources, err);
    for (size_t i = 0; st == ES_OK && i < s->names->m; i++)
        if (!es_pool_model(es_session_pool(s->session), s->names->model[i])->derived)
            s->rival[s->rivals++] =
                (rival){.name = s->names->name[i], .model = i, .source = true, .batch = NAN};
done:
    es_buf_free(&names);
    es_free(sources);
    return st;
}

/* ---- what they score ---- */

/* Finds the stored probes of each classifier on the task. */
static es_status list_probes(es_cli *cli, study *s, es_error *err) {
    const es_measure *probe = es_measure_find("probe");
    const char *task = cli->options->task;
    size_t capacity = 0;
    for (size_t c = 0; c < CLASSIFIERS; c++) {
        size_t first = 0, count = 0;
        es_status st = es_session_measure(s->session, probe, classifiers[c].settings, false, &first,
                                          &count, err);
        for (size_t i = first; st == ES_OK && i < first + count; i++) {
            const es_measured *m = es_session_measured(s->session, i);
            if (task && m->task && strcmp(task, m->task) != 0)
                continue;
            setting *more = es_grow(s->settings, s->n_settings, &capacity, sizeof *more);
            if (!more)
                return es_no_memory(err);
            s->settings = more;
            (void)snprintf(more[s->n_settings].name, sizeof more->name, "%.100s, %s",
                           m->task ? m->task : "label", classifiers[c].name);
            more[s->n_settings++].measured = m;
            st = es_session_measure_start(s->session, i, err);
        }
        if (st != ES_OK)
            return st;
    }
    if (s->n_settings == 0)
        return es_usage(cli, err, "labels.csv has no column '%s'", task);
    return es_cli_wait(cli, s->session, err);
}

/* Scores every setting of the measure against the task: z scores, ranks, groups. */
static es_status compare_settings(const es_cli *cli, study *s, es_error *err) {
    size_t cells = s->n_settings * s->rivals;
    s->score = es_cli_room(cli, cells, sizeof *s->score);
    s->z = es_cli_room(cli, cells, sizeof *s->z);
    s->mean_z = es_cli_room(cli, s->rivals, sizeof *s->mean_z);
    s->mean_rank = es_cli_room(cli, s->rivals, sizeof *s->mean_rank);
    s->x = es_cli_room(cli, s->rivals, sizeof *s->x);
    s->which = es_cli_room(cli, s->rivals, sizeof *s->which);
    s->groups = es_cli_room(cli, s->rivals, sizeof *s->groups);
    if (!s->score || !s->z || !s->mean_z || !s->mean_rank || !s->x || !s->which || !s->groups)
        return es_no_memory(err);
    for (size_t k = 0; k < s->n_settings; k++)
        for (size_t i = 0; i < s->rivals; i++) {
            const es_measured *m = s->settings[k].measured;
            size_t at = s->rival[i].model;
            s->score[k * s->rivals + i] =
                m->state[at] == ES_PAIR_DONE ? m->value[at * m->width].value : (double)NAN;
        }
    return es_rivals_summarise(s->score, s->n_settings, s->rivals, s->z, s->mean_z, s->mean_rank,
                               err);
}

/* ---- what it comes to ---- */

static bool same_group(const rival *a, const rival *b) {
    return a == b || (!a->source && !b->source && a->mode == b->mode && a->info == b->info);
}

/* Mean over the group's members of `values`; NaN: none is known. */
static double mean_over(const study *s, size_t count, const double *values) {
    double sum = 0, known = 0;
    for (size_t k = 0; k < count; k++)
        if (isfinite(values[s->which[k]])) {
            sum += values[s->which[k]];
            known += 1;
        }
    return known > 0 ? sum / known : (double)NAN;
}

static double best_source(const study *s, const double *score) {
    double best = (double)NAN;
    for (size_t i = 0; i < s->rivals; i++)
        if (s->rival[i].source && isfinite(score[i]) && !(score[i] <= best))
            best = score[i];
    return best;
}

static void sum_up(study *s, size_t first, group *g) {
    const rival *r = &s->rival[first];
    size_t count = 0, known = 0;
    double sum = 0;
    for (size_t i = first; i < s->rivals; i++)
        if (same_group(r, &s->rival[i])) {
            s->x[count] = s->rival[i].batch;
            s->which[count++] = i;
        }
    *g = (group){.first = first, .members = count};
    if (r->source)
        (void)snprintf(g->name, sizeof g->name, "%.60s", r->name);
    else
        (void)snprintf(g->name, sizeof g->name, "%s %s", es_cmim_settings[0].choices[r->mode],
                       r->info ? "info" : "mu");
    g->mean_z = mean_over(s, count, s->mean_z);
    g->mean_rank = mean_over(s, count, s->mean_rank);
    for (size_t k = 0; k < s->n_settings; k++) {
        const double *score = s->score + k * s->rivals;
        double own = mean_over(s, count, score), best = best_source(s, score);
        if (isfinite(own)) {
            sum += own;
            known++;
        }
        g->of += isfinite(own) && isfinite(best);
        g->beats += own > best;
    }
    g->accuracy = known > 0 ? sum / (double)known : (double)NAN;
    if (r->source)
        return;
    g->slope = es_rivals_slope_of(s->z, s->n_settings, s->rivals, s->which, s->x, count);
    for (size_t k = 0; k < count; k++)
        s->x[k] = log2(s->x[k]);
    g->log_slope = es_rivals_slope_of(s->z, s->n_settings, s->rivals, s->which, s->x, count);
}

/* Groups the measured settings that differ by seed alone. */
static void make_groups(study *s) {
    for (size_t i = 0; i < s->rivals; i++) {
        bool seen = false;
        for (size_t g = 0; g < s->n_groups; g++)
            seen = seen || same_group(&s->rival[s->groups[g].first], &s->rival[i]);
        if (!seen)
            sum_up(s, i, &s->groups[s->n_groups++]);
    }
    for (size_t a = 1; a < s->n_groups; a++) /* best rank first; few */
        for (size_t b = a; b > 0 && s->groups[b].mean_rank < s->groups[b - 1].mean_rank; b--) {
            group swap = s->groups[b];
            s->groups[b] = s->groups[b - 1];
            s->groups[b - 1] = swap;
        }
}

/* ---- the document ---- */

enum { MEAN_DECIMALS = 2 /* of ranks */ };

#define ROW(C)                                                                                     \
    C(TEXT, "rival", "rival", ES_COLUMN_KEY, own->name)                                            \
    C(SHORT, COUNT, "members", "members", "n", 0, 0, own->members)                                 \
    C(SHORT, NUMBER, "accuracy", "mean score", "score", 4, 0, own->accuracy)                       \
    C(NUMBER, "mean_z", "mean z", 3, 0, own->mean_z)                                               \
    C(BEST, "mean_rank", "mean rank", "rank", MEAN_DECIMALS, 0, own->mean_rank,                    \
      es_table_out_alike(own->mean_rank, s->groups[0].mean_rank, MEAN_DECIMALS))                   \
    C(SHORT, COUNT, "beats", "beats its sources in", "beats", 0, 0,                                \
      source ? SIZE_MAX : own->beats)                                                              \
    C(SHORT, COUNT, "of", "of settings", "of", 0, 0, source ? SIZE_MAX : own->of)                  \
    C(SHORT, NUMBER, "slope", "slope of z on batch", "slope", 5, 0,                                \
      sloped ? own->slope.mean : (double)NAN)                                                      \
    C(SHORT, NUMBER, "slope_low", "95 % low", "low", 5, ES_COLUMN_LOW,                             \
      sloped ? own->slope.low : (double)NAN)                                                       \
    C(SHORT, NUMBER, "slope_high", "95 % high", "high", 5, 0,                                      \
      sloped ? own->slope.high : (double)NAN)                                                      \
    C(NUMBER, "p", "p", 3, 0, sloped ? own->slope.p : (double)NAN)                                 \
    C(DATA, NUMBER, "log_slope", by_log ? own->log_slope.mean : (double)NAN)                       \
    C(DATA, NUMBER, "log_slope_low", by_log ? own->log_slope.low : (double)NAN)                    \
    C(DATA, NUMBER, "log_slope_high", by_log ? own->log_slope.high : (double)NAN)                  \
    C(DATA, NUMBER, "log_p", by_log ? own->log_slope.p : (double)NAN)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_table(const es_document *d) {
    const study *s = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t g = 0; g < s->n_groups; g++) {
        const group *own = &s->groups[g];
        bool source = s->rival[own->first].source, sloped = !source && own->slope.settings > 0,
             by_log = !source && own->log_slope.settings > 0;
        ES_PUT_ROW(ROW, t);
    }
    return t;
}

static void put_caption(const es_document *d, es_buf *out) {
    const study *s = d->what;
    size_t beaten = 0;
    es_buf_printf(out, "\nz and rank over %zu rivals, means over %zu settings:", s->rivals,
                  s->n_settings);
    for (size_t k = 0; k < s->n_settings; k++)
        es_buf_printf(out, "%s %s", k ? ";" : "", s->settings[k].name);
    es_buf_printf(out,
                  "\nslope: of z on the size of a batch, its mean over settings with a 95 %% "
                  "interval, and the "
                  "t-test's p (df %zu); a large p is no proof that the size does not matter, the "
                  "interval says "
                  "what may be\n",
                  s->n_settings > 0 ? s->n_settings - 1 : 0);
    for (size_t g = 0; g < s->n_groups; g++) {
        const group *own = &s->groups[g];
        if (s->rival[own->first].source || own->beats * 2 > own->of)
            continue;
        es_buf_printf(out, "%s%s",
                      beaten++ ? ", " : "did not beat what it was trained on: ", own->name);
    }
    es_buf_puts(out, beaten ? "\n" : "");
}

static es_table_out *make_members(const study *s) {
#define MEMBER(C)                                                                                  \
    C(TEXT, "model", "model", ES_COLUMN_KEY, r->name)                                              \
    C(TEXT, "mode", "mode", 0, r->source ? NULL : es_cmim_settings[0].choices[r->mode])            \
    C(NUMBER, "batch", "batch", 0, 0, r->batch)                                                    \
    C(NUMBER, "mean_z", "mean z", 0, 0, s->mean_z[i])                                              \
    C(NUMBER, "mean_rank", "mean rank", 0, 0, s->mean_rank[i])

    static const es_out_column member_columns[] = ES_COLUMNS_OF(MEMBER);
    es_table_out *t = ES_TABLE_OUT(member_columns);
    for (size_t i = 0; i < s->rivals; i++) {
        const rival *r = &s->rival[i];
        ES_PUT_ROW(MEMBER, t);
    }
    return t;
}

static void put_json(const es_document *d, es_json *json) {
    const study *s = d->what;
    es_json_begin_array(json, "settings");
    for (size_t k = 0; k < s->n_settings; k++)
        es_json_text(json, NULL, s->settings[k].name);
    es_json_end(json);
    es_document_table(json, "rivals", make_table(d));
    es_document_table(json, "members", make_members(s));
    es_json_begin_array(json, "scores");
    for (size_t k = 0; k < s->n_settings; k++) {
        es_json_begin_row(json, NULL);
        for (size_t i = 0; i < s->rivals; i++)
            es_json_double(json, NULL, s->score[k * s->rivals + i]);
        es_json_end(json);
    }
    es_json_end(json);
}

/* ---- the picture ---- */

/* Sizes of a batch, ascending; (rivals) at most. */
static size_t list_batches(const study *s, double *out) {
    size_t count = 0;
    for (size_t i = 0; i < s->rivals; i++) {
        size_t at = 0;
        double batch = s->rival[i].batch;
        while (at < count && out[at] < batch)
            at++;
        if (isnan(batch) || (at < count && out[at] <= batch))
            continue;
        memmove(out + at + 1, out + at, (count - at) * sizeof *out);
        out[at] = batch;
        count++;
    }
    return count;
}

/* Mean of `values` (rivals) over the group's members of this size; a source has all sizes. */
static double mean_at(const study *s, const group *g, double batch, const double *values) {
    const rival *first = &s->rival[g->first];
    double sum = 0, known = 0;
    for (size_t i = 0; i < s->rivals; i++)
        if (same_group(first, &s->rival[i]) && isfinite(values[i]) &&
            (first->source || s->rival[i].batch == batch)) {
            sum += values[i];
            known += 1;
        }
    return known > 0 ? sum / known : (double)NAN;
}

/* The slopes of z as a forest. ES_EEMPTY: there are none (the figures of Livne, "cMIM", 2025). */
static es_status draw_slopes(const study *s, es_sketch *sketch, es_error *err) {
    es_forest forest = {.heading = "objective",
                        .axis = "slope of z on the size of a batch (bars: 95 %)",
                        .null_low = 0,
                        .null_high = 0};
    es_forest_row *row = es_sketch_room(sketch, s->n_groups, sizeof *row);
    if (!row)
        return es_no_memory(err);
    for (size_t g = 0; g < s->n_groups; g++)
        if (s->groups[g].slope.settings > 0)
            row[forest.count++] = (es_forest_row){.name = s->groups[g].name,
                                                  .rank = g + 1,
                                                  .value = s->groups[g].slope.mean,
                                                  .low = s->groups[g].slope.low,
                                                  .high = s->groups[g].slope.high};
    if (forest.count == 0)
        return es_fail(err, ES_EEMPTY,
                       "no slope: the sweep needs several sizes of a batch (--sweep batch=10,100)");
    forest.row = row;
    es_buf_printf(&sketch->note, "Means over %zu settings (label columns and classifiers). ",
                  s->n_settings);
    return es_figure_forest(&forest, ES_SKETCHED(sketch), err);
}

/* Mean z scores and ranks over sizes of a batch, a line an objective. */
static es_status draw_lines(const study *s, es_sketch *sketch, es_error *err) {
    size_t n = s->n_groups;
    double *batch = es_sketch_room(sketch, s->rivals, sizeof *batch);
    double *z = es_sketch_room(sketch, 2 * n * s->rivals, sizeof *z);
    const char **name = es_sketch_room(sketch, n, sizeof *name);
    const char **column = es_sketch_room(sketch, s->rivals, sizeof *column);
    if (!batch || !z || !name || !column)
        return es_no_memory(err);
    size_t batches = list_batches(s, batch);
    double *rank = z + n * batches;
    for (size_t b = 0; b < batches; b++)
        column[b] = es_sketch_text(sketch, "%.0f", batch[b]);
    for (size_t g = 0; g < n; g++) {
        name[g] = s->groups[g].name;
        for (size_t b = 0; b < batches; b++) {
            z[g * batches + b] = mean_at(s, &s->groups[g], batch[b], s->mean_z);
            rank[g * batches + b] = mean_at(s, &s->groups[g], batch[b], s->mean_rank);
        }
    }
    es_strands panel[] = {{.rows = n,
                           .columns = batches,
                           .value = z,
                           .row_name = name,
                           .column_name = column,
                           .y_title = "mean z score"},
                          {.rows = n,
                           .columns = batches,
                           .value = rank,
                           .row_name = name,
                           .column_name = column,
                           .y_title = "mean rank",
                           .ranks = true}};
    es_buf_printf(&sketch->note,
                  "By size of a batch, rows; over all %zu embedders of the sweep and its sources, "
                  "means over %zu settings (label columns and classifiers). ",
                  s->rivals, s->n_settings);
    return es_figure_strands(panel, 2, ES_SKETCHED(sketch), err);
}

static es_status put_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    bool slopes = strcmp(d->cli->export->view, "slopes") == 0;
    return (slopes ? draw_slopes : draw_lines)(d->what, sketch, err);
}

es_status es_measure_write_sweep(es_cli *cli, es_error *err) {
    study s = {0};
    es_status st = ES_OK;
    if (strcmp(cli->arguments[1], "probe") != 0)
        return es_usage(cli, err, "--sweep goes with probe");
    ES_TRY(open_study(cli, cli->options->sweep.items[0], &s, err));
    ES_TRY(list_probes(cli, &s, err));
    ES_TRY(compare_settings(cli, &s, err));
    make_groups(&s);
    static const es_document_parts parts = {.schema = "sweep",
                                            .table = make_table,
                                            .caption = put_caption,
                                            .json = put_json,
                                            .picture = put_picture};
    ES_TRY(es_document_write(&parts, (es_document){cli, s.session, SIZE_MAX, &s, ES_FORMAT_DEFAULT},
                             err));
    ES_TRY(es_session_store_problem(s.session, err));
done:
    study_deinit(&s);
    return st;
}
