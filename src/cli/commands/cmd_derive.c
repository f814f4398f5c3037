/* `embedscope derive`: a new member of the pool, made from one or two others, or one removed. */
#include <string.h>
#include <strings.h>

#include "engine_training.h"
#include "cli_out.h"
#include "cli_session.h"
#include "cmd.h"

static const struct {
    const char *option;
    es_derive_kind kind;
} ways[] = {{"abtt", ES_DERIVE_ABTT},
            {"pcr", ES_DERIVE_PCR},
            {"whiten", ES_DERIVE_WHITEN},
            {"pca", ES_DERIVE_PCA},
            {"first", ES_DERIVE_FIRST},
            {"center", ES_DERIVE_CENTRE},
            {"normalize", ES_DERIVE_NORMALISE},
            {"random-projection", ES_DERIVE_RANDOM},
            {"flow", ES_DERIVE_FLOW},
            {"concat", ES_DERIVE_NONE},
            {"cmim", ES_DERIVE_NONE}};

static const struct {
    const char *option;
    unsigned bits;
} storages[] = {{"float16", 16}, {"int8", 8}, {"int4", 4}, {"binary", 1}};

static es_status read_storage(es_cli *cli, unsigned *bits, es_error *err) {
    const char *first = NULL;
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
        if (!es_options_given(cli->options, storages[i].option))
            continue;
        if (first)
            return es_usage(cli, err, "derive: --%s and --%s: values are stored in one way", first,
                            storages[i].option);
        first = storages[i].option;
        *bits = storages[i].bits;
    }
    return ES_OK;
}

/* What the options ask for: one way, or a storage alone, or both. */
static es_status read_way(es_cli *cli, es_derive *how, bool *concat, es_error *err) {
    const es_options *o = cli->options;
    size_t given = 0;
    ES_PASS(read_storage(cli, &how->bits, err));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (es_options_given(o, ways[i].option)) {
            given++;
            how->kind = ways[i].kind;
        }
    if (given > 1 || (given == 0 && how->bits == 0))
        return es_usage(cli, err,
                        "derive: %s: --abtt D, --pcr D, --whiten [K], --pca K, --first K, "
                        "--center, --normalize, --flow, --random-projection K, --concat OTHER, "
                        "--cmim [K], or --float16, --int8, --int4, --binary",
                        given == 0 ? "say how" : "one way at a time");
    if (given == 1 && how->kind == ES_DERIVE_NONE && how->bits > 0)
        return es_usage(cli, err,
                        "derive: --%s does not go with --concat and --cmim: derive it from what "
                        "they make",
                        es_derive_storage(how->bits));
    const size_t counts[] = {
        [ES_DERIVE_ABTT] = o->abtt, [ES_DERIVE_PCR] = o->pcr,       [ES_DERIVE_WHITEN] = o->whiten,
        [ES_DERIVE_PCA] = o->pca,   [ES_DERIVE_RANDOM] = o->random, [ES_DERIVE_FIRST] = o->first,
        [ES_DERIVE_KINDS] = 0};
    how->k = counts[how->kind];
    how->seed = es_derive_is_random(how->kind) ? o->seed : 0;
    *concat = how->kind == ES_DERIVE_NONE && how->bits == 0;
    return ES_OK;
}

/* What would be skipped. */
static es_status check_options(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    es_output_format ending = es_output_ending(o->output);
    static const char line[] = "it says what it made in a line, or by --json or -o FILE.json";
    if (ending != ES_FORMAT_DEFAULT && ending != ES_FORMAT_TABLE && ending != ES_FORMAT_JSON)
        return es_usage(cli, err, "derive has no %s: %s", es_format_names[ending], line);
    if (format != ES_FORMAT_TABLE && format != ES_FORMAT_JSON)
        es_output_note_idle(cli, "format", line);
    if (es_options_given(o, "cmim"))
        return ES_OK;
    es_output_note_idle(cli, "set", "it goes with --cmim");
    const char *without = o->mode ? "mode" : o->sweep.count > 0 ? "sweep" : NULL;
    return without ? es_usage(cli, err, "derive: --%s goes with --cmim", without) : ES_OK;
}

static void put_json(const es_document *d, es_json *json) {
    const es_derived *made = d->what;
    char label[ES_PATH_LABEL];
    es_json_text(json, "name", made->name);
    es_json_uint(json, "rows", made->n);
    es_json_uint(json, "dim", made->d);
    es_json_text(json, "file", es_path_label(label, made->path));
    es_json_begin_array(json, "notes");
    if (made->remark[0])
        es_json_text(json, NULL, made->remark);
    es_json_end(json);
}

static es_status put_line(const es_document *d, es_buf *out, es_error *err) {
    const es_derived *made = d->what;
    char label[ES_PATH_LABEL];
    es_buf_printf(out, "%s: %zu rows, %zu columns, in %s\n", made->name, made->n, made->d,
                  es_path_label(label, made->path));
    return es_buf_check(out, err);
}

/* ---- removing one ---- */

typedef struct removal {
    const char *name;
    const es_model *model; /* the first of it */
    uint64_t freed;
} removal;

static void put_removed_json(const es_document *d, es_json *json) {
    const removal *r = d->what;
    char label[ES_PATH_LABEL];
    es_json_text(json, "name", r->name);
    es_json_uint(json, "rows", r->model->rows);
    es_json_uint(json, "dim", r->model->dim);
    es_json_text(json, "file", es_path_label(label, r->model->path));
    es_json_bool(json, "removed", true);
    es_json_uint(json, "freed", r->freed);
}

static es_status put_removed(const es_document *d, es_buf *out, es_error *err) {
    const removal *r = d->what;
    es_buf_printf(out, "%s is removed: %.1f kB freed\n", r->name, (double)r->freed / 1e3);
    return es_buf_check(out, err);
}

/* The names to choose from are those of derived ones. */
static es_status not_derived(es_cli *cli, const es_pool *pool, es_error *err) {
    const char *wanted = cli->options->remove;
    size_t count = 0;
    if (es_pool_find(pool, wanted) != SIZE_MAX)
        return es_usage(cli, err, "%s is not derived: only derived embedders are removed", wanted);
    const char **name = es_alloc(es_pool_count(pool) + 1, sizeof *name);
    if (!name)
        return es_no_memory(err);
    for (size_t i = 0; i < es_pool_count(pool); i++)
        if (es_pool_model(pool, i)->derived)
            name[count++] = es_pool_model(pool, i)->name;
    es_status st = es_cli_unknown_name(cli, "derived embedder", wanted, name, count, err);
    es_free(name);
    return st;
}

static es_status remove_one(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    removal r = {.name = cli->options->remove};
    size_t at[2];
    es_status st = ES_OK;
    bool more = cli->n_arguments > 1 || cli->options->name;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        more = more || es_options_given(cli->options, ways[i].option);
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++)
        more = more || es_options_given(cli->options, storages[i].option);
    if (more)
        return es_usage(cli, err, "derive --remove NAME takes no source and no way, nor --name");
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, false, &session, err));
    ES_TRY(es_cli_wait_checked(cli, session, err));
    es_pool *pool = es_session_pool(session);
    size_t count = es_derived_named(pool, r.name, at);
    if (count == 0)
        ES_TRY(not_derived(cli, pool, err));
    r.model = es_pool_model(pool, at[0]);
    for (size_t k = 0; k < count; k++) {
        uint64_t freed = 0;
        ES_TRY(es_derived_remove(pool, at[k], NULL, &freed, err));
        r.freed += freed;
    }
    static const es_document_parts parts = {
        .schema = "derive", .text = put_removed, .json = put_removed_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, session, SIZE_MAX, &r, ES_FORMAT_DEFAULT},
                             err));
done:
    es_session_close(session);
    return st;
}

static es_status run_derive(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_derived made = {0};
    es_derivation d = {.other = SIZE_MAX, .name = cli->options->name};
    bool concat = false;
    es_status st = check_options(cli, err);
    if (st != ES_OK)
        return st;
    if (cli->options->remove)
        return remove_one(cli, err);
    if (cli->n_arguments < 2)
        return es_usage(cli, err, "derive: name a source: embedscope derive %s SOURCE --whiten",
                        cli->n_arguments > 0 ? cli->arguments[0] : "POOL");
    ES_TRY(read_way(cli, &d.how, &concat, err));
    if (es_options_given(cli->options, "cmim"))
        return es_cli_train(cli, err);
    ES_TRY(es_cli_open(cli, ES_ACCESS_ESTIMATE, false, &session, err));
    ES_TRY(es_cli_wait_checked(cli, session, err));
    const es_results *names = es_session_results(session, 0);
    ES_TRY(es_cli_model(cli, session, 0, cli->arguments[1], &d.source, err));
    d.source = names->model[d.source];
    if (concat) {
        ES_TRY(es_cli_model(cli, session, 0, cli->options->concat, &d.other, err));
        d.other = names->model[d.other];
    }
    ES_TRY(es_session_derive_fits(session, &d, err));
    ES_TRY(es_derived_make(es_session_pool(session), &d, NULL, &made, err));
    if (made.remark[0])
        es_output_note(cli, "%s", made.remark);
    static const es_document_parts parts = {.schema = "derive", .text = put_line, .json = put_json};
    ES_TRY(es_document_write(&parts,
                             (es_document){cli, session, SIZE_MAX, &made, ES_FORMAT_DEFAULT}, err));
done:
    es_derived_deinit(&made);
    es_session_close(session);
    return st;
}

/* What the pool will call it: names there are clean, whatever was typed. NULL stays NULL. */
static es_status clean_name(const char **name, char **own, es_error *err) {
    if (*name && !(*own = es_text_clean(*name, strlen(*name), 0)))
        return es_no_memory(err);
    *name = *own;
    return ES_OK;
}

es_status es_cmd_derive(es_cli *cli, es_error *err) {
    const es_options *typed = cli->options;
    es_options options = *typed;
    char *name = NULL, *removed = NULL;
    es_status st = ES_OK;
    ES_TRY(clean_name(&options.name, &name, err));
    ES_TRY(clean_name(&options.remove, &removed, err));
    cli->options = &options;
    st = run_derive(cli, err);
    cli->options = typed;
done:
    es_free(name);
    es_free(removed);
    return st;
}

/* `embedscope apply`: a derived embedder on new rows. */

es_status es_cmd_apply(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    char label[ES_PATH_LABEL];
    char *note = NULL;
    es_matrix made = {0};
    es_status st = ES_OK;
    if (cli->n_arguments < 2 || !o->output)
        return es_usage(cli, err,
                        "apply: name a model, rows and where to write: embedscope apply "
                        "MODEL.safetensors ROWS.npy -o OUT.npy");
    const char *ending = strrchr(o->output, '.');
    if (!ending || strcasecmp(ending, ".npy") != 0)
        return es_usage(cli, err, "-o %s: apply writes .npy alone: name it so",
                        es_path_label(label, o->output));
    ES_TRY(es_apply(cli->arguments[0], cli->arguments[1], o->info, es_memory_allowed(o->memory),
                    &made, &note, err));
    if (note)
        es_output_note(cli, "%s: %s", es_path_label(label, cli->arguments[1]), note);
    ES_TRY(es_npy_write(o->output, made.x, made.n, made.d, 0666, err));
    es_output_note(cli, "%zu rows, %zu columns, in %s", made.n, made.d,
                   es_path_label(label, o->output));
done:
    es_free(note);
    es_matrix_free(&made);
    return st;
}
