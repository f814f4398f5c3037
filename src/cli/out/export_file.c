/* What `export` makes of a finished document: md and tex with the note, tex as a file that compiles
 * alone and inside a paper, and FILE.meta.json with the command that makes the same bytes again. */
#include "cli_out.h"

#include <string.h>

/* ---- tables ---- */

/* So that the file compiles by itself and, by \input, inside a paper: there \@nodocument is \relax
 * after \begin{document}. */
static const char tex_class[] = "\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\\else\n"
                                "\\documentclass{article}\n"
                                "\\usepackage[T1]{fontenc}\n"
                                "\\usepackage{booktabs,graphicx}\n";
static const char tex_begin[] = "\\pagestyle{empty}\n"
                                "\\def\\embedscopealone{\\end{document}}\n"
                                "\\begin{document}\n"
                                "\\fi\n";
/* A matrix of many columns, alone, on paper as wide as that takes. */
static const char tex_wide[] = "\\usepackage[paperwidth=%zumm,paperheight=%zumm,margin=10mm]"
                               "{geometry}\n";
enum { TEX_COLUMNS = 8, TEX_COLUMN_MM = 13, TEX_NAMES_MM = 90, TEX_ROW_MM = 6, TEX_LEAST_MM = 297 };

static const char tex_end[] = "\\csname embedscopealone\\endcsname\n";

/* Writes the preamble with which a TeX file compiles by itself. */
static void begin_tex(const es_cli *cli, es_buf *out) {
    const es_results *r = es_export_results(cli->export);
    bool wide = r != NULL && r->m > TEX_COLUMNS && strcmp(cli->export->view, "matrix") == 0;
    es_buf_puts(out, "% embedscope " ES_VERSION "; in a paper: \\usepackage{booktabs,graphicx}, "
                     "\\input{this file}\n");
    es_buf_puts(out, tex_class);
    if (wide) {
        size_t width = TEX_NAMES_MM + TEX_COLUMN_MM * r->m, height = 40 + TEX_ROW_MM * r->m;
        es_buf_printf(out, tex_wide, width, height > TEX_LEAST_MM ? height : TEX_LEAST_MM);
    }
    es_buf_puts(out, tex_begin);
}

void es_export_dress(const es_cli *cli, const es_buf *document, es_buf *out) {
    es_buf note = {0};
    es_output_format format = cli->export->format;
    const char *text = document->data ? document->data : "";
    if (format == ES_FORMAT_MD || format == ES_FORMAT_TEX)
        es_export_note(cli, &note);
    if (format == ES_FORMAT_TEX)
        begin_tex(cli, out);
    es_buf_add(out, text, document->length);
    if (note.length)
        es_table_out_note(out, note.data, format);
    if (format == ES_FORMAT_TEX)
        es_buf_puts(out, tex_end);
    out->failed |= note.failed || document->failed;
    es_buf_free(&note);
}

/* ---- FILE.meta.json ---- */

static void put_rows(es_json *json, const es_options *o) {
    es_buf text = {0};
    es_row_request_put(&o->rows, &text);
    es_json_text(json, "rows", text.data && es_options_given(o, "rows") ? text.data : NULL);
    es_buf_free(&text);
}

static void put_filters(es_json *json, const es_options *o) {
    es_json_begin_object(json, "filters");
    es_document_names(json, "models", o->models.items, NULL, o->models.count);
    es_document_names(json, "exclude", o->exclude.items, NULL, o->exclude.count);
    es_document_names(json, "show", o->show.items, NULL, o->show.count);
    es_document_names(json, "hide", o->hide.items, NULL, o->hide.count);
    put_rows(json, o);
    es_json_bool(json, "drop_rows", o->drop_rows);
    es_json_end(json);
}

/* A matrix and its tree are of one estimator, and in another store another one may be the best: the
 * command names it. What stands on several goes by what is stored. */
static es_options name_estimator(const es_cli *cli) {
    es_options o = *cli->options;
    const es_results *r = es_export_results(cli->export);
    bool of_one =
        strcmp(cli->export->view, "matrix") == 0 || strcmp(cli->export->view, "tree") == 0;
    if (of_one && !o.estimator && !o.matrix && !cli->export->measures && r && r->estimator) {
        o.estimator = r->estimator->name;
        o.preset = r->preset;
    }
    return o;
}

/* Writes the command line that makes this export again. */
static es_status make_command(const es_cli *cli, es_words *words, es_error *err) {
    const es_options named = name_estimator(cli), *o = &named;
    ES_PASS(es_words_add(words, "embedscope", err));
    ES_PASS(es_words_add(words, "export", err));
    if (o->matrix == NULL && o->ranking == NULL)
        for (size_t i = 0; i < cli->export->pools; i++)
            ES_PASS(es_words_add(words, cli->arguments[i], err));
    ES_PASS(es_words_add(words, cli->export->view, err));
    ES_PASS(es_words_add_options(words, o, ~0U, err));
    ES_PASS(es_words_add(words, "--format", err));
    return es_words_add(words, es_format_names[cli->export->format], err);
}

/* Of several pools those of all, like everybody who is left out. */
static void put_derived(const es_export *export, es_json *json) {
    const es_export_pools *several = &export->several;
    if (several->count == 0) {
        es_document_derived(json, export->session);
        return;
    }
    es_json_begin_row(json, "derived_left_out");
    for (size_t k = 0; k < several->count; k++) {
        const char *name = NULL;
        es_pool *pool = es_session_pool(several->session(several->what, k, &name));
        const es_words *left = es_pool_derived_left_out(pool);
        for (size_t i = 0; i < left->count; i++)
            es_json_text(json, NULL, left->word[i]);
    }
    es_json_end(json);
}

/* What each of several depends on, and who is left out anywhere. */
static void put_pools(const es_cli *cli, es_json *json) {
    const es_export_pools *several = &cli->export->several;
    if (several->count > 0)
        several->json(cli, several->what, json);
    es_json_begin_array(json, "excluded");
    if (cli->export->session)
        es_document_exclusions(json, cli->export->session);
    for (size_t k = 0; k < several->count; k++) {
        const char *name = NULL;
        es_document_exclusions(json, several->session(several->what, k, &name));
    }
    es_json_end(json);
}

static void put_meta(const es_cli *cli, const es_words *words, es_json *json) {
    const es_export *export = cli->export;
    const es_results *r = es_export_results(export);
    es_buf command = {0};
    es_words_put(words, &command);
    es_document_begin(json, "meta", cli, export->session, export->entry);
    es_json_text(json, "view", export->view);
    es_json_text(json, "format", es_format_names[export->format]);
    es_json_text(json, "command", command.data);
    es_json_begin_array(json, "arguments");
    for (size_t i = 0; i < words->count; i++)
        es_json_text(json, NULL, words->word[i]);
    es_json_end(json);
    put_filters(json, cli->options);
    if (r) {
        es_json_uint(json, "pairs", r->m * r->m);
        es_json_uint(json, "pairs_known", r->done);
    }
    es_json_begin_array(json, "hidden");
    for (size_t i = 0; r && i < r->m; i++)
        if (!es_export_shows(cli, i))
            es_json_text(json, NULL, r->name[i]);
    es_json_end(json);
    put_derived(export, json);
    put_pools(cli, json);
    es_document_end(json);
    es_buf_end(&command, json->out);
}

es_status es_export_write_meta(const es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    es_words words = {0};
    es_buf text = {0}, path = {0};
    es_json json;
    ES_TRY(make_command(cli, &words, err));
    es_json_init(&json, &text, 2);
    put_meta(cli, &words, &json);
    es_buf_printf(&path, "%s.meta.json", cli->options->output);
    ES_TRY(es_buf_check(&text, err));
    ES_TRY(es_buf_check(&path, err));
    ES_TRY(es_file_replace(path.data, text.data, text.length, 0666, err));
done:
    es_words_deinit(&words);
    es_buf_free(&text);
    es_buf_free(&path);
    return st;
}
