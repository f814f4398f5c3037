/* `embedscope derive`: a new member of the pool, made from one or two others. */
#include <stdint.h>

#include "cmd.h"
#include "document.h"
#include "lookup.h"
#include "output.h"
#include "open_session.h"

#include "derived.h"
#include "file.h"
#include "json.h"

/* What the options ask for: exactly one way. */
static es_status read_way(es_cli *cli, es_derive *how, bool *concat, es_error *err) {
    const es_options *o = cli->options;
    static const struct {
        const char *option;
        es_derive_kind kind;
    } ways[] = {{"abtt", ES_DERIVE_ABTT},
                {"pcr", ES_DERIVE_PCR},
                {"whiten", ES_DERIVE_WHITEN},
                {"pca", ES_DERIVE_PCA},
                {"center", ES_DERIVE_CENTRE},
                {"normalize", ES_DERIVE_NORMALISE},
                {"random-projection", ES_DERIVE_RANDOM},
                {"concat", ES_DERIVE_NONE}};
    size_t given = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (es_options_given(o, ways[i].option)) {
            given++;
            how->kind = ways[i].kind;
        }
    if (given != 1)
        return es_usage(cli, err,
                        "derive: %s: --abtt D, --pcr D, --whiten [K], --pca K, --center, "
                        "--normalize, --random-projection K or --concat OTHER",
                        given == 0 ? "say how" : "one way at a time");
    const size_t counts[] = {
        [ES_DERIVE_ABTT] = o->abtt, [ES_DERIVE_PCR] = o->pcr,       [ES_DERIVE_WHITEN] = o->whiten,
        [ES_DERIVE_PCA] = o->pca,   [ES_DERIVE_RANDOM] = o->random, [ES_DERIVE_KINDS] = 0};
    how->k = counts[how->kind];
    how->seed = how->kind == ES_DERIVE_RANDOM ? o->seed : 0;
    *concat = how->kind == ES_DERIVE_NONE;
    return ES_OK;
}

static void put_json(const es_document *d, es_json *json) {
    const es_derived *made = d->what;
    char label[ES_PATH_LABEL];
    es_json_text(json, "name", made->name);
    es_json_uint(json, "rows", made->n);
    es_json_uint(json, "dim", made->d);
    es_json_text(json, "file", es_path_label(label, made->path));
}

static es_status put_line(const es_document *d, es_buf *out, es_error *err) {
    const es_derived *made = d->what;
    char label[ES_PATH_LABEL];
    es_buf_printf(out, "%s: %zu rows, %zu columns, in %s\n", made->name, made->n, made->d,
                  es_path_label(label, made->path));
    return es_buf_check(out, err);
}

es_status es_cmd_derive(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_derived made = {0};
    es_derivation d = {.other = SIZE_MAX, .name = cli->options->name};
    bool concat = false;
    es_status st = ES_OK;
    if (cli->n_arguments < 2)
        return es_usage(cli, err, "derive: name a source: embedscope derive %s SOURCE --whiten",
                        cli->n_arguments > 0 ? cli->arguments[0] : "POOL");
    ES_TRY(read_way(cli, &d.how, &concat, err));
    ES_TRY(es_cli_open(cli, ES_ACCESS_ESTIMATE, false, &session, err));
    ES_TRY(es_cli_wait_checked(cli, session, err));
    const es_results *names = es_session_results(session, 0);
    ES_TRY(es_cli_model(cli, session, 0, cli->arguments[1], &d.source, err));
    d.source = names->model[d.source];
    if (concat) {
        ES_TRY(es_cli_model(cli, session, 0, cli->options->concat, &d.other, err));
        d.other = names->model[d.other];
    }
    ES_TRY(es_derived_make(es_session_pool(session), &d, NULL, &made, err));
    if (made.remark[0])
        es_output_note(cli, "%s", made.remark);
    static const es_document_parts parts = {.text = put_line, .json = put_json};
    ES_TRY(es_document_write(&parts,
                             (es_document){cli, session, SIZE_MAX, &made, ES_FORMAT_DEFAULT}, err));
done:
    es_derived_deinit(&made);
    if (session)
        es_session_close(session);
    return st;
}
