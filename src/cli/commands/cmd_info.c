/* `embedscope info`: what is in a pool, what is left out and why, and what is stored. */
#include <math.h>
#include <string.h>

#include "cli_out.h"
#include "cli_session.h"
#include "cmd.h"
#include "report.h"

#define MODEL(C)                                                                                   \
    C(BY, TEXT, "name", "name", 0, ES_COLUMN_KEY, es_table_out_name, model->name,                  \
      es_model_label(model))                                                                       \
    C(TEXT, "file", "file", ES_COLUMN_DATA_ONLY, model->file)                                      \
    C(TEXT, "dtype", "type", 0, model->dtype)                                                      \
    C(COUNT, "rows", "rows", 0, model->rows)                                                       \
    C(COUNT, "dim", "dim", 0, model->dim)                                                          \
    C(COUNT, "dim_used", "used", 0, ready ? model->dim_used : SIZE_MAX)                            \
    C(COUNT, "dropped_columns", "constant", 0, ready ? model->dropped_columns : SIZE_MAX)          \
    C(COUNT, "zero_rows", "zero rows", 0, ready ? model->zero_rows : SIZE_MAX)                     \
    C(TEXT, "kind", "kind", ES_COLUMN_DATA_ONLY,                                                   \
      model->kind == ES_KIND_BINARY ? "binary" : "continuous")                                     \
    C(NUMBER, "norm_mean", "norm", 2, ES_COLUMN_SCALE, ready ? model->norm_mean : (double)NAN)     \
    C(NUMBER, "norm_sd", "sd", 2, ES_COLUMN_SCALE, ready ? model->norm_sd : (double)NAN)           \
    C(TEXT, "family", "family", 0, model->family)                                                  \
    C(TEXT, "duplicate_of", "same as", 0,                                                          \
      ready && model->duplicate_of != SIZE_MAX ? es_pool_model(pool, model->duplicate_of)->name    \
                                               : NULL)                                             \
    C(TEXT, "row_order", "ids", 0, es_row_order_name(model->order))                                \
    C(DATA, COUNT, "strangers", by_ids ? model->strangers : SIZE_MAX)                              \
    C(DATA, COUNT, "duplicate_ids", by_ids ? model->doubled_ids : SIZE_MAX)                        \
    C(SHORT, TEXT, "excluded", "excluded because", "left out because", 0, 0,                       \
      ready ? NULL : model->reason)                                                                \
    C(DATA, FLAG, "derived", model->derived)

static const es_out_column model_columns[] = ES_COLUMNS_OF(MODEL);

#define STORED(C)                                                                                  \
    C(TEXT, "estimator", "estimator", ES_COLUMN_KEY, estimator->name)                              \
    C(TEXT, "preset", "preset", ES_COLUMN_KEY, preset->name)                                       \
    C(COUNT, "pairs", "pairs", 0, t.done)                                                          \
    C(COUNT, "failed", "failed", 0, t.failed)                                                      \
    C(COUNT, "of", "of", 0, m *m)

static const es_out_column stored_columns[] = ES_COLUMNS_OF(STORED);

static void put_model(es_table_out *table, const es_pool *pool, const es_model *model) {
    bool ready = model->state == ES_MODEL_READY;
    bool by_ids = model->order == ES_ORDER_SAME || model->order == ES_ORDER_MATCHED;
    ES_PUT_ROW(MODEL, table);
}

/* all: those that are left out, too. */
static es_table_out *make_table(const es_pool *pool, bool all) {
    es_table_out *table = ES_TABLE_OUT(model_columns);
    for (size_t i = 0; i < es_pool_count(pool); i++)
        if (all || es_pool_model(pool, i)->state != ES_MODEL_EXCLUDED)
            put_model(table, pool, es_pool_model(pool, i));
    return table;
}

/* ---- scores.csv against the embedders ---- */

static bool scores_have(const es_scores *scores, const char *name) {
    for (size_t i = 0; i < scores->models; i++)
        if (strcmp(scores->model[i], name) == 0)
            return true;
    return false;
}

static bool is_usable(const es_pool *pool, const char *name) {
    size_t at = es_pool_find(pool, name);
    return at != SIZE_MAX && es_pool_model(pool, at)->state == ES_MODEL_READY;
}

/* Calls `each` for the names on one side only: of the scores file, or of the embedders. */
static void unmatched(const es_pool *pool, const es_scores *scores, bool of_scores,
                      void (*each)(void *context, const char *name), void *context) {
    for (size_t i = 0; of_scores && i < scores->models; i++)
        if (!is_usable(pool, scores->model[i]))
            each(context, scores->model[i]);
    for (size_t i = 0; !of_scores && i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state == ES_MODEL_READY && !scores_have(scores, model->name))
            each(context, model->name);
    }
}

static void put_name_json(void *context, const char *name) {
    es_json_text(context, NULL, name);
}

static void put_name_text(void *context, const char *name) {
    es_buf *out = context;
    es_buf_printf(out, "%s%s", out->length && out->data[out->length - 1] != ' ' ? ", " : "", name);
}

/* ---- what is stored ---- */

typedef struct tally {
    const es_pool *pool;
    size_t done, failed;
} tally;

static bool has_digest(const es_pool *pool, bool target, es_digest digest) {
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        es_digest own = target ? es_model_target_digest(model) : model->digest;
        if (model->state == ES_MODEL_READY && es_digest_equal(own, digest))
            return true;
    }
    return false;
}

/* Counts the usable embedders that are no copies of others. */
static size_t count_distinct(const es_pool *pool) {
    size_t count = 0;
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        count += model->state == ES_MODEL_READY && model->duplicate_of == SIZE_MAX;
    }
    return count;
}

static es_status count_pair(void *context, es_store_pair *pair, es_error *err) {
    tally *t = context;
    (void)err;
    if (has_digest(t->pool, false, pair->source) && has_digest(t->pool, true, pair->target)) {
        t->done += pair->failed ? 0 : 1;
        t->failed += pair->failed ? 1 : 0;
    }
    return ES_OK;
}

/* One row for each preset of each estimator of which there is anything. */
static es_status count_preset(es_cli *cli, es_store *store, es_pool *pool,
                              const es_estimator *estimator, const es_preset *preset,
                              es_table_out *table, es_error *err) {
    char settings[1024];
    tally t = {.pool = pool};
    double *values = es_cli_room(cli, estimator->n_settings, sizeof *values);
    if (values == NULL)
        return es_no_memory(err);
    ES_PASS(es_estimator_preset(estimator, preset->name, values, err));
    (void)es_estimator_text(estimator, values, settings, sizeof settings);
    es_store_key key = {.estimator = estimator->name,
                        .version = estimator->version,
                        .settings = settings,
                        .seed = cli->options->seed,
                        .rowset = es_pool_rowset(pool)};
    ES_PASS(es_store_load(store, &key, false, count_pair, &t, err));
    if (t.done + t.failed > 0) {
        size_t m = count_distinct(pool); /* equal contents share their pairs */
        ES_PUT_ROW(STORED, table);
    }
    return ES_OK;
}

static es_status count_stored(es_cli *cli, es_pool *pool, es_table_out *table, es_error *err) {
    es_store *store = NULL;
    const es_store_waiting waiting = es_cli_waiting(cli);
    es_status st = ES_OK;
    if (cli->options->no_store || (st = es_store_open_saying(es_pool_path(pool), true, &waiting,
                                                             &store, err)) == ES_ENOTFOUND)
        return ES_OK;
    for (size_t e = 0; st == ES_OK && es_estimators[e]; e++)
        for (const es_preset *p = es_estimators[e]->presets; st == ES_OK && p && p->name; p++)
            st = count_preset(cli, store, pool, es_estimators[e], p, table, err);
    es_store_close(store);
    return st;
}

/* ---- writing ---- */

typedef struct info {
    es_session *session;
    es_pool *pool;
    const es_row_texts *texts; /* NULL: no rows.csv */
    const es_scores *scores;   /* NULL: no scores.csv */
    es_table_out *stored;
    es_buf otherwise; /* where `stored` has nothing: what the store holds by other options */
} info;

static void put_scores_json(const info *i, es_json *json) {
    if (i->scores == NULL) {
        es_json_null(json, "scores");
        return;
    }
    es_json_begin_object(json, "scores");
    es_json_uint(json, "models", i->scores->models);
    es_document_names(json, "tasks", (const char *const *)i->scores->task, NULL, i->scores->tasks);
    es_json_begin_object(json, "unmatched");
    es_json_begin_array(json, "models");
    unmatched(i->pool, i->scores, false, put_name_json, json);
    es_json_end(json);
    es_json_begin_array(json, "scores");
    unmatched(i->pool, i->scores, true, put_name_json, json);
    es_json_end(json);
    es_json_end(json);
    es_json_end(json);
}

static void put_finding_json(void *context, const es_finding *finding) {
    es_json *json = context;
    es_json_begin_object(json, NULL);
    es_json_text(json, "file", finding->file);
    es_json_text(json, "what", finding->what);
    es_json_text(json, "remedy", finding->remedy);
    es_json_text(json, "gravity", es_gravity_name(finding->gravity));
    es_json_end(json);
}

static void put_findings_json(const es_document *d, const es_pool *pool, es_json *json) {
    const es_model **model = es_cli_models(d->cli, pool);
    json->out->failed |= model == NULL;
    es_json_begin_array(json, "findings");
    es_pool_findings(pool, put_finding_json, json);
    es_model_findings(model, model ? es_pool_count(pool) : 0, put_finding_json, json);
    es_unused_findings(es_pool_unused(pool), put_finding_json, json);
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const info *i = d->what;
    es_json_begin_object(json, "pool");
    es_json_text(json, "name", es_pool_name(i->pool));
    es_json_text(json, "modality", es_pool_modality(i->pool));
    es_json_uint(json, "rows", es_pool_rows(i->pool));
    es_json_uint(json, "embedders", es_pool_count(i->pool));
    es_json_uint(json, "usable", es_pool_usable(i->pool));
    es_json_uint(json, "controls", es_pool_controls(i->pool));
    es_json_end(json);
    es_document_table(json, "models", make_table(i->pool, true));
    es_document_excluded(json, i->session);
    es_json_begin_array(json, "warnings");
    for (size_t w = 0; w < es_pool_warnings(i->pool); w++)
        es_json_text(json, NULL, es_pool_warning(i->pool, w));
    es_json_end(json);
    put_findings_json(d, i->pool, json);
    es_json_begin_array(json, "unused");
    const es_unused *unused = es_pool_unused(i->pool);
    for (size_t u = 0; u < unused->file.count; u++) {
        const char *file = unused->file.word[u];
        es_buf why = {0};
        es_unused_put(unused, u, &why);
        es_json_begin_object(json, NULL);
        es_json_text(json, "file", file);
        es_json_text(json, "why", why.data);
        es_json_end(json);
        es_buf_free(&why);
    }
    es_json_end(json);
    es_document_count(json, "row_texts", i->texts ? i->texts->count : SIZE_MAX);
    put_scores_json(i, json);
    es_table_out_json(i->stored, json, "stored");
    es_json_text(json, "stored_otherwise", i->otherwise.data);
}

static void put_names(const info *i, bool of_scores, const char *title, es_buf *out) {
    es_buf names = {0};
    unmatched(i->pool, i->scores, of_scores, put_name_text, &names);
    if (names.length)
        es_buf_printf(out, "%s: %s\n", title, names.data);
    es_buf_free(&names);
}

/* Who stands in the scores, and has none. */
static void put_empty_scores(const info *i, es_buf *out) {
    size_t count = 0;
    for (size_t m = 0; m < i->scores->models; m++)
        if (!es_scores_any(i->scores, m))
            es_buf_printf(out, "%s%s",
                          count++ ? ", " : "in the scores without any: ", i->scores->model[m]);
    es_buf_puts(out, count > 0 ? "\n" : "");
}

static es_table_out *models_table(const es_document *d) {
    return make_table(((const info *)d->what)->pool, true);
}

/* Writes a row for each file of embeddings, used or not, and for each file that is none: what it
 * is used as, or why not and what helps. Texts are filled to `width` columns (0: no limit), lines
 * to paste are kept whole. Writes nothing where all are used. */
static void info_files_put(const es_pool *pool, size_t width, es_buf *out);

/* Writes "TITLE: TEXT" with the lines to paste in it on lines of their own. */
static void info_note_put(const char *title, const char *text, size_t width, es_buf *out);

static es_status put_text(const es_document *d, es_buf *out, es_error *err) {
    const info *i = d->what;
    es_table_out *models = make_table(i->pool, false);
    size_t width = es_output_width(d->cli);
    char count[ES_COUNT_TEXT];
    es_status st = ES_OK;
    es_buf_printf(out, "%s: %s, %zu rows", es_pool_name(i->pool),
                  es_pool_count_text(i->pool, count, sizeof count), es_pool_rows(i->pool));
    size_t all = es_pool_count(i->pool), usable = es_pool_usable(i->pool);
    if (usable < all)
        es_buf_printf(out, "; %zu of %zu cannot be used", all - usable, all);
    es_buf_puts(out, "\n\n");
    if (usable > 0) {
        ES_TRY(es_table_out_write(models, ES_FORMAT_TABLE, width, out, err));
        es_buf_putc(out, '\n');
    }
    info_files_put(i->pool, width, out);
    for (size_t w = 0; w < es_pool_warnings(i->pool); w++)
        info_note_put("warning", es_pool_warning(i->pool, w), width, out);
    if (i->texts)
        es_buf_printf(out, "rows.csv: %zu row%s\n", i->texts->count,
                      i->texts->count == 1 ? "" : "s");
    if (i->scores) {
        es_buf_printf(out, "%s: %zu embedder%s, %zu task%s\n", es_session_scores_name(i->session),
                      i->scores->models, i->scores->models == 1 ? "" : "s", i->scores->tasks,
                      i->scores->tasks == 1 ? "" : "s");
        put_names(i, false, "without scores", out);
        put_empty_scores(i, out);
        put_names(i, true, "scores without a usable embedder", out);
    }
    if (es_table_out_rows(i->stored) == 0) {
        es_buf_puts(out, i->otherwise.data
                             ? "nothing is stored by these rows, settings and seed, but "
                             : "nothing is stored yet");
        es_buf_printf(out, "%s\n", i->otherwise.data ? i->otherwise.data : "");
    } else {
        es_buf_puts(out, "\nstored:\n");
        ES_TRY(es_table_out_write(i->stored, ES_FORMAT_TABLE, 0, out, err));
    }
done:
    es_table_out_free(models);
    return st;
}

/* Has models.csv read, so that what is odd about it is among the warnings. */
static void note_models(es_cli *cli, es_pool *pool) {
    const es_scores *models = NULL;
    es_error why = {0};
    if (es_pool_models(pool, &models, &why) != ES_OK)
        es_output_note(cli, "models.csv is not used: %s", why.message);
}

/* `info POOL columns [COLUMN]`: the columns of rows.csv and labels.csv, or the values of one.
 * ES_EEMPTY: neither file; ES_ENOTFOUND: no such column. */
static es_status describe_columns(es_cli *cli, es_session *session, es_error *err);

es_status es_cmd_info(es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    info i = {0};
    es_error problem = {0};
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, false, &i.session, err));
    i.pool = es_session_pool(i.session);
    es_status usable = es_cli_wait(cli, i.session, &problem);
    if (usable != ES_OK && usable != ES_EEMPTY) { /* of an empty pool, say what is there */
        *err = problem;
        st = usable;
        goto done;
    }
    if (cli->n_arguments > 1) {
        st = describe_columns(cli, i.session, err);
        goto done;
    }
    ES_TRY(es_pool_texts(i.pool, &i.texts, err));
    ES_TRY(es_pool_scores(i.pool, NULL, &i.scores, err));
    note_models(cli, i.pool);
    i.stored = ES_TABLE_OUT(stored_columns);
    if (usable == ES_OK)
        ES_TRY(count_stored(cli, i.pool, i.stored, err));
    if (usable == ES_OK && es_table_out_rows(i.stored) == 0 && !cli->options->no_store)
        es_stored_runs_put(i.session, &i.otherwise);
    ES_TRY(es_buf_check(&i.otherwise, err));
    static const es_document_parts parts = {
        .schema = "info", .table = models_table, .text = put_text, .json = put_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, i.session, 0, &i, ES_FORMAT_DEFAULT}, err));
    if (usable != ES_OK) {
        *err = problem;
        st = usable;
    }
done:
    es_buf_free(&i.otherwise);
    es_table_out_free(i.stored);
    es_session_close(i.session);
    return st;
}

/* `embedscope info POOL columns`: the columns of rows.csv and labels.csv; with the name of one, its
 * values and how many rows have each. */

enum { FILES = 2, FREQUENT = 3 };
static const char *const file_names[FILES] = {"rows.csv", "labels.csv"};

#define COLUMN(C)                                                                                  \
    C(TEXT, "column", "column", ES_COLUMN_KEY, name.data)                                          \
    C(TEXT, "file", "file", ES_COLUMN_KEY, file_names[file])                                       \
    C(TEXT, "kind", "kind", 0, es_row_column_kind_name(c.kind))                                    \
    C(COUNT, "rows", "rows", 0, c.rows)                                                            \
    C(COUNT, "missing", "missing", 0, c.missing)                                                   \
    C(COUNT, "distinct", "distinct", 0, c.distinct)                                                \
    C(TEXT, "values", "most frequent values, or range", 0, text.data)

static const es_out_column columns_of[] = ES_COLUMNS_OF(COLUMN);

static const es_out_column values_of[] = {
    {.key = "value", .title = "value", .flags = ES_COLUMN_KEY},
    {.key = "rows", .title = "rows", .kind = ES_COLUMN_COUNT},
};

typedef struct view {
    es_table table[FILES]; /* without rows: there is no such file */
    size_t first[FILES];   /* row after the header */
    size_t file, column;   /* whose values are listed */
    bool of_one;
    es_row_column facts; /* of that column */
} view;

/* A heading, or "column 3" if the file has none. */
static void put_heading(const view *v, size_t file, size_t column, es_buf *out) {
    const es_table *t = &v->table[file];
    const char *text = v->first[file] > 0 ? es_table_cell(t, 0, column) : "";
    char *clean = es_text_clean(text, strlen(text), 0);
    if (clean != NULL && clean[0] != '\0')
        es_buf_puts(out, clean);
    else
        es_buf_printf(out, "column %zu", column + 1);
    es_free(clean);
}

static es_status put_column(const view *v, size_t file, size_t column, es_table_out *out,
                            es_error *err) {
    es_row_column c = {0};
    es_buf text = {0}, name = {0};
    es_status st = ES_OK;
    ES_TRY(es_row_column_new(&v->table[file], v->first[file], column, &c, err));
    put_heading(v, file, column, &name);
    es_row_column_put(&c, FREQUENT, &text);
    ES_TRY(es_buf_check(&name, err));
    ES_PUT_ROW(COLUMN, out);
done:
    es_row_column_deinit(&c);
    es_buf_free(&text);
    es_buf_free(&name);
    return st;
}

/* NULL: out of memory. */
static es_table_out *columns_table(const view *v) {
    es_table_out *out = ES_TABLE_OUT(columns_of);
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < v->table[f].columns; c++)
            if (put_column(v, f, c, out, NULL) != ES_OK) {
                es_table_out_free(out);
                return NULL;
            }
    return out;
}

static es_table_out *values_table(const view *v) {
    es_table_out *out = ES_TABLE_OUT(values_of);
    for (size_t i = 0; i < v->facts.distinct; i++) {
        const char *text = v->facts.value[i].text;
        es_table_out_take(out, es_text_clean(text, strlen(text), 0));
        es_table_out_count(out, v->facts.value[i].count);
    }
    return out;
}

static es_table_out *make_columns_table(const es_document *d) {
    const view *v = d->what;
    return v->of_one ? values_table(v) : columns_table(v);
}

static void put_columns_json(const es_document *d, es_json *json) {
    const view *v = d->what;
    es_buf name = {0};
    es_document_table(json, "columns", columns_table(v));
    if (v->of_one)
        put_heading(v, v->file, v->column, &name);
    es_document_take(json, "column", &name);
    es_json_text(json, "file", v->of_one ? file_names[v->file] : NULL);
    if (v->of_one)
        es_document_table(json, "values", values_table(v));
    else
        es_json_null(json, "values");
}

static void put_words(const es_document *d, es_buf *out) {
    const view *v = d->what;
    es_buf name = {0};
    if (!v->of_one)
        return;
    put_heading(v, v->file, v->column, &name);
    es_buf_printf(out, "%s: %s has %zu distinct values in %zu rows and none in %zu.",
                  file_names[v->file], name.data ? name.data : "", v->facts.distinct, v->facts.rows,
                  v->facts.missing);
    es_buf_free(&name);
}

static void put_caption(const es_document *d, es_buf *out) {
    es_buf_putc(out, '\n');
    if (((const view *)d->what)->of_one && d->cli->sheet == NULL) {
        put_words(d, out);
        es_buf_putc(out, '\n');
    } else if (!((const view *)d->what)->of_one)
        es_buf_printf(out,
                      "label: at most %d distinct values, or values that rows share; missing: "
                      "empty or nan\n",
                      (int)ES_ROW_COLUMN_FEW);
}

static es_status read_files(es_pool *pool, view *v, es_error *err) {
    const es_row_texts *texts = NULL;
    es_status st = ES_OK;
    ES_TRY(es_pool_texts(pool, &texts, err));
    for (size_t f = 0; f < FILES; f++) {
        char *path = NULL;
        ES_TRY(es_pool_beside(pool, file_names[f], &path, err));
        if (path == NULL)
            continue;
        st = es_table_read(path, 0, &v->table[f], err);
        es_free(path);
        ES_TRY(st);
        v->first[f] = f > 0 || texts == NULL || texts->has_header;
    }
    ES_FAIL_IF(v->table[0].columns + v->table[1].columns == 0,
               es_fail(err, ES_EEMPTY, "%s: neither rows.csv nor labels.csv is in the pool",
                       es_pool_name(pool)));
done:
    return st;
}

/* NAME, or FILE:NAME if both files have one. */
static bool is_column(const view *v, size_t file, size_t column, const char *wanted) {
    size_t length = strlen(file_names[file]);
    es_buf name = {0};
    bool prefixed = strncmp(wanted, file_names[file], length) == 0 && wanted[length] == ':';
    put_heading(v, file, column, &name);
    bool same = name.data != NULL && strcmp(name.data, wanted + (prefixed ? length + 1 : 0)) == 0;
    es_buf_free(&name);
    return same;
}

static es_status find_column(view *v, const char *wanted, es_error *err) {
    es_suggestion near = {.word = wanted};
    for (size_t f = 0; f < FILES; f++)
        for (size_t c = 0; c < v->table[f].columns; c++) {
            if (v->first[f] > 0)
                es_suggestion_offer(&near, es_table_cell(&v->table[f], 0, c));
            if (!is_column(v, f, c, wanted))
                continue;
            v->file = f;
            v->column = c;
            v->of_one = true;
            return es_row_column_new(&v->table[f], v->first[f], c, &v->facts, err);
        }
    return near.best ? es_fail(err, ES_ENOTFOUND, "no column is called '%s'; did you mean '%s'?",
                               wanted, near.best)
                     : es_fail(err, ES_ENOTFOUND,
                               "no column is called '%s'; info POOL columns lists them", wanted);
}

static es_status describe_columns(es_cli *cli, es_session *session, es_error *err) {
    static const es_document_parts parts = {.schema = "columns",
                                            .table = make_columns_table,
                                            .caption = put_caption,
                                            .words = put_words,
                                            .json = put_columns_json,
                                            .title = "Columns"};
    view v = {0};
    es_status st = ES_OK;
    ES_FAIL_IF(strcmp(cli->arguments[1], "columns") != 0,
               es_fail(err, ES_EINVAL, "info takes POOL and the word columns, not '%s'",
                       cli->arguments[1]));
    ES_TRY(read_files(es_session_pool(session), &v, err));
    if (cli->n_arguments > 2)
        ES_TRY(find_column(&v, cli->arguments[2], err));
    ES_TRY(es_document_write(&parts, (es_document){cli, session, 0, &v, ES_FORMAT_DEFAULT}, err));
done:
    es_row_column_deinit(&v.facts);
    for (size_t f = 0; f < FILES; f++)
        es_table_deinit(&v.table[f]);
    return st;
}

/* `embedscope info`: a row for each file of the pool, with what is to be done about it. */

enum { INDENT = 2, NAME_MOST = 24, AS_MOST = 3 };

/* ---- a name and a text beside it ---- */

/* The first line to paste in a text, and its length; NULL: there is none. */
static const char *find_command(const char *text, size_t *length) {
    static const char start[] = "python3 -c ";
    const char *at = strstr(text, start);
    const char *end = at ? strchr(at + sizeof start, at[sizeof start - 1]) : NULL;
    *length = end ? (size_t)(end + 1 - at) : 0;
    return end ? at : NULL;
}

static void put_filled(const char *text, size_t length, size_t indent, size_t width, es_buf *out) {
    es_buf line = {0};
    es_buf_printf(&line, "%*s%.*s", (int)indent, "", (int)length, text);
    if (line.data && width > 0)
        es_caption_fill(out, line.data, width);
    else if (line.data)
        es_buf_printf(out, "%s\n", line.data);
    es_buf_end(&line, out);
}

/* After a name that is there already, filled to the column `indent`. */
static void put_beside(const char *text, size_t length, size_t indent, size_t width, es_buf *out) {
    es_buf rest = {0};
    put_filled(text, length, indent, width, &rest);
    es_buf_puts(out, rest.data ? rest.data + indent : "\n");
    es_buf_end(&rest, out);
}

/* The text from the column `indent` on; what is to be pasted begins a line and is never broken. */
static void put_files_text(const char *text, size_t indent, size_t width, es_buf *out) {
    size_t command;
    bool first = true;
    for (const char *at; *text; text = at + command) {
        at = find_command(text, &command);
        if (!at) {
            at = text + strlen(text);
            command = 0;
        }
        size_t length = (size_t)(at - text);
        while (length > 0 && text[length - 1] == ' ')
            length--;
        if (length > 2 && first)
            put_beside(text, length, indent, width, out);
        else if (length > 2)
            put_filled(text, length, indent, width, out);
        else if (first)
            es_buf_putc(out, '\n');
        first = false;
        if (command > 0)
            es_buf_printf(out, "%*s%.*s\n", 2 * INDENT, "", (int)command, at);
    }
}

static void put_row(const char *name, const char *text, size_t column, size_t width, es_buf *out) {
    size_t own = es_table_out_width(name), indent = INDENT + column + 2;
    if (own <= column)
        es_buf_printf(out, "%*s%s%*s", INDENT, "", name, (int)(column - own + 2), "");
    else
        es_buf_printf(out, "%*s%s\n%*s", INDENT, "", name, (int)indent, "");
    put_files_text(text, indent, width, out);
}

static void info_note_put(const char *title, const char *text, size_t width, es_buf *out) {
    es_buf line = {0};
    es_buf_printf(&line, "%s: %s", title, text);
    put_files_text(line.data ? line.data : "", 0, width, out);
    es_buf_end(&line, out);
}

/* ---- rows ---- */

/* True if an earlier embedder of the same file is listed as used. */
static bool is_listed(const es_pool *pool, size_t i) {
    for (size_t k = 0; k < i; k++) {
        const es_model *m = es_pool_model(pool, k);
        if (m->state != ES_MODEL_EXCLUDED && strcmp(m->file, es_pool_model(pool, i)->file) == 0)
            return true;
    }
    return false;
}

static void put_used(const es_pool *pool, size_t i, es_buf *out) {
    const es_model *m = es_pool_model(pool, i);
    size_t count = 0;
    es_buf_puts(out, "used as ");
    for (size_t k = i; k < es_pool_count(pool); k++) {
        const es_model *other = es_pool_model(pool, k);
        if (other->state != ES_MODEL_EXCLUDED && strcmp(other->file, m->file) == 0)
            es_buf_name(out, &count, AS_MOST, other->name);
    }
    es_buf_names_end(out, count, AS_MOST);
    if (count == 1)
        es_buf_printf(out, ": %zu x %zu, %s", m->rows, m->dim, m->dtype);
    if (m->order == ES_ORDER_MATCHED)
        es_buf_puts(out, ", rows matched by ids");
}

/* A reason without the file's name before it. */
static const char *without_name(const char *reason, const char *file) {
    size_t length = strlen(file);
    bool same = strncmp(reason, file, length) == 0 && reason[length] == ':';
    return same ? reason + length + 1 + strspn(reason + length + 1, " ") : reason;
}

/* Calls put_row for all rows, or measures their names where `out` is NULL. */
static void put_rows(const es_pool *pool, size_t *column, size_t width, es_buf *out) {
    const es_unused *unused = es_pool_unused(pool);
    size_t models = es_pool_count(pool);
    for (size_t i = 0; i < models + unused->file.count; i++) {
        const es_model *m = i < models ? es_pool_model(pool, i) : NULL;
        bool excluded = m && m->state == ES_MODEL_EXCLUDED;
        const char *name = !m                      ? unused->file.word[i - models]
                           : excluded && m->tensor ? m->name
                                                   : m->file;
        es_buf text = {0};
        if (m && !excluded && is_listed(pool, i))
            continue;
        if (!out) {
            size_t own = es_table_out_width(name);
            *column = own > *column && own <= NAME_MOST ? own : *column;
            continue;
        }
        if (!m) {
            es_buf_puts(&text, "not used: ");
            es_unused_put(unused, i - models, &text);
        }
        if (excluded)
            es_buf_printf(&text, "not used: %s", without_name(m->reason, m->file));
        else if (m)
            put_used(pool, i, &text);
        put_row(name, text.data ? text.data : "", *column, width, out);
        es_buf_end(&text, out);
    }
}

static void info_files_put(const es_pool *pool, size_t width, es_buf *out) {
    size_t column = 4, unused = es_pool_unused(pool)->file.count;
    if (es_pool_usable(pool) == es_pool_count(pool) && unused == 0)
        return;
    put_rows(pool, &column, width, NULL);
    es_buf_puts(out, "files\n");
    put_rows(pool, &column, width, out);
    es_buf_putc(out, '\n');
}
