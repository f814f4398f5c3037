#include "export_cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "document.h"
#include "model_cli.h"
#include "table_out.h"

#include "alloc.h"
#include "file.h"
#include "embedscope/pool.h"
#include "text.h"

/* ---- which embedders ---- */

void es_export_deinit(es_export *export) {
    es_free(export->shown);
    export->shown = NULL;
}

bool es_export_shows(const es_cli *cli, size_t position) {
    return cli->export == NULL || cli->export->shown == NULL || cli->export->shown[position];
}

static bool matches(const char *pattern, const char *name) {
    return strcmp(pattern, name) == 0 || es_text_glob(pattern, name);
}

/* Sets `flag` (m) for what the comma-separated patterns of a list name. */
static es_status apply(es_cli *cli, const es_results *results, const es_texts *list, bool value,
                       es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; st == ES_OK && k < list->count; k++) {
        char *copy = es_strdup(list->items[k]);
        if (copy == NULL)
            return es_no_memory(err);
        for (char *pattern = copy, *next = NULL; st == ES_OK && pattern; pattern = next) {
            next = strchr(pattern, ',');
            if (next)
                *next++ = '\0';
            size_t found = 0;
            for (size_t i = 0; pattern[0] && i < results->m; i++)
                if (matches(pattern, results->name[i])) {
                    cli->export->shown[i] = value;
                    found++;
                }
            if (pattern[0] && found == 0)
                st = es_cli_unknown_name(cli, "embedder", pattern,
                                         (const char *const *)results->name, results->m, err);
        }
        es_free(copy);
    }
    return st;
}

es_status es_export_attach(es_cli *cli, es_session *session, size_t entry, es_error *err) {
    es_export *export = cli->export;
    const es_options *o = cli->options;
    es_status st = ES_OK;
    if (export == NULL)
        return ES_OK;
    const es_results *results = es_session_results(session, entry);
    export->session = session;
    export->entry = entry;
    export->shown = es_alloc(results->m, sizeof *export->shown);
    if (export->shown == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < results->m; i++)
        export->shown[i] = o->show.count == 0;
    ES_TRY(apply(cli, results, &o->show, true, err));
    ES_TRY(apply(cli, results, &o->hide, false, err));
    size_t left = 0;
    for (size_t i = 0; i < results->m; i++)
        left += export->shown[i];
    if (left == 0)
        st = es_usage(cli, err, "--show and --hide leave no embedder to write");
done:
    return st;
}

/* ---- the note ---- */

static const es_results *results_of(const es_export *export) {
    return export->session ? es_session_results(export->session, export->entry) : NULL;
}

/* A sentence behind what is there. */
static void put_gap(es_buf *out) {
    if (out->length > 0 && out->data[out->length - 1] != ' ')
        es_buf_putc(out, ' ');
}

static void put_hidden(const es_cli *cli, const es_results *r, es_buf *out) {
    size_t count = 0;
    for (size_t i = 0; i < r->m; i++) {
        if (es_export_shows(cli, i))
            continue;
        if (count == 0)
            put_gap(out);
        es_buf_printf(out, "%s%s", count++ ? ", " : "Hidden: ", r->name[i]);
    }
    es_buf_puts(out, count ? "." : "");
}

static void put_excluded(es_pool *pool, es_buf *out) {
    size_t count = 0;
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state != ES_MODEL_EXCLUDED)
            continue;
        if (count == 0)
            put_gap(out);
        es_buf_printf(out, "%s%s (%s)", count++ ? ", " : "Excluded: ", model->name,
                      model->reason ? model->reason : "");
    }
    es_buf_puts(out, count ? "." : "");
}

void es_export_note(const es_cli *cli, es_buf *out) {
    const es_results *r = results_of(cli->export);
    if (r == NULL)
        return;
    es_pool *pool = es_session_pool(cli->export->session);
    if (r->estimator) {
        put_gap(out);
        es_buf_printf(out, "Estimator %s (%s), seed %llu, %zu rows.", r->estimator->name, r->preset,
                      (unsigned long long)r->seed, pool ? es_pool_rows(pool) : 0);
    }
    if (r->done < r->m * r->m) {
        put_gap(out);
        es_buf_printf(out, "%zu of %zu pairs are known.", r->done, r->m * r->m);
    }
    put_hidden(cli, r, out);
    if (pool)
        put_excluded(pool, out);
}

/* ---- the look ---- */

es_picture es_picture_of(es_output_format format) {
    return (es_picture)((int)format - (int)ES_FORMAT_SVG);
}

/* "single", "double", "5in", "12.5cm", "120mm", or inches without a unit. */
static bool parse_width(const char *text, double *points) {
    static const struct {
        const char *name;
        double points;
    } units[] = {{"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"pt", 1}, {"", 72}};
    if (strcmp(text, "single") == 0 || strcmp(text, "double") == 0) {
        *points = text[0] == 's' ? ES_FIGURE_SINGLE : ES_FIGURE_DOUBLE;
        return true;
    }
    size_t length = strspn(text, "0123456789.");
    double value = 0;
    if (!es_text_parse_double(text, length, &value))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + length, units[i].name) == 0) {
            *points = value * units[i].points;
            return *points >= ES_FIGURE_NARROWEST && *points <= ES_FIGURE_WIDEST;
        }
    return false;
}

es_status es_export_style(es_cli *cli, es_buf *note, es_figure_style *out, es_error *err) {
    const es_options *o = cli->options;
    *out = (es_figure_style){.dark = o->figure_theme == 1, .title = o->title};
    if (o->figure_width && !parse_width(o->figure_width, &out->width))
        return es_usage(cli, err,
                        "--width takes single, double, or %g to %g inches such as 5in, 12cm or "
                        "120mm, not '%s'",
                        ES_FIGURE_NARROWEST / 72, ES_FIGURE_WIDEST / 72, o->figure_width);
    es_export_note(cli, note);
    out->note = note->length ? note->data : NULL;
    return es_buf_check(note, err);
}

es_status es_export_limits(es_cli *cli, double *low, double *high, es_error *err) {
    const char *text = cli->options->limits;
    *low = *high = (double)NAN;
    if (text == NULL)
        return ES_OK;
    size_t first = strcspn(text, ",");
    if (text[first] == ',' && es_text_parse_double(text, first, low) &&
        es_text_parse_double(text + first + 1, strlen(text + first + 1), high) && *low < *high &&
        isfinite(*low) && isfinite(*high))
        return ES_OK;
    return es_usage(cli, err, "--limits takes two numbers such as 0,1.5, the lower first, not '%s'",
                    text);
}

/* ---- tables ---- */

/* So that the file compiles by itself and, by \input, inside a paper: there \@nodocument is \relax
 * after \begin{document}. */
static const char tex_class[] = "\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\\else\n"
                                "\\documentclass{article}\n"
                                "\\usepackage[T1]{fontenc}\n"
                                "\\usepackage{booktabs}\n";
static const char tex_begin[] = "\\pagestyle{empty}\n"
                                "\\def\\embedscopealone{\\end{document}}\n"
                                "\\begin{document}\n"
                                "\\fi\n";
/* A matrix of many columns, alone, on paper as wide as that takes. */
static const char tex_wide[] = "\\usepackage[paperwidth=%zumm,paperheight=%zumm,margin=10mm]"
                               "{geometry}\n";
enum { TEX_COLUMNS = 8, TEX_COLUMN_MM = 13, TEX_NAMES_MM = 90, TEX_ROW_MM = 6, TEX_LEAST_MM = 297 };

static const char tex_end[] = "\\csname embedscopealone\\endcsname\n";

static void begin_tex(const es_cli *cli, es_buf *out) {
    const es_results *r = results_of(cli->export);
    bool wide = r != NULL && r->m > TEX_COLUMNS && strcmp(cli->export->view, "matrix") == 0;
    es_buf_puts(out, "% embedscope " ES_VERSION "; in a paper: \\usepackage{booktabs}, ");
    es_buf_puts(out, wide ? "\\usepackage{graphicx},\n"
                            "% \\resizebox{\\textwidth}{!}{\\input{this file}}\n"
                          : "\\input{this file}\n");
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
    if (note.length) {
        es_buf_puts(out, format == ES_FORMAT_TEX ? "\n\\smallskip\n{\\footnotesize " : "\n");
        es_table_out_escape(out, note.data, format);
        es_buf_puts(out, format == ES_FORMAT_TEX ? "\\par}\n" : "\n");
    }
    if (format == ES_FORMAT_TEX)
        es_buf_puts(out, tex_end);
    out->failed |= note.failed || document->failed;
    es_buf_free(&note);
}

/* ---- FILE.meta.json ---- */

static void put_list(es_json *json, const char *key, const es_texts *list) {
    es_json_begin_row(json, key);
    for (size_t i = 0; i < list->count; i++)
        es_json_text(json, NULL, list->items[i]);
    es_json_end(json);
}

static void put_filters(es_json *json, const es_options *o) {
    es_json_begin_object(json, "filters");
    put_list(json, "models", &o->models);
    put_list(json, "exclude", &o->exclude);
    put_list(json, "show", &o->show);
    put_list(json, "hide", &o->hide);
    es_document_count(json, "rows", o->rows ? o->rows : SIZE_MAX);
    es_json_bool(json, "drop_rows", o->drop_rows);
    es_json_end(json);
}

static es_status make_command(const es_cli *cli, es_words *words, es_error *err) {
    es_status st = ES_OK;
    const es_options *o = cli->options;
    ES_TRY(es_words_add(words, "embedscope", err));
    ES_TRY(es_words_add(words, "export", err));
    if (o->matrix == NULL && o->ranking == NULL)
        ES_TRY(es_words_add(words, cli->arguments[0], err));
    ES_TRY(es_words_add(words, cli->export->view, err));
    ES_TRY(es_words_add_options(words, o, ~0U, results_of(cli->export), err));
    ES_TRY(es_words_add(words, "--format", err));
    ES_TRY(es_words_add(words, es_format_names[cli->export->format], err));
done:
    return st;
}

static void put_meta(const es_cli *cli, const es_words *words, es_json *json) {
    const es_export *export = cli->export;
    const es_results *r = results_of(export);
    es_buf command = {0};
    es_words_put(words, &command);
    es_document_begin(json, cli, export->session, export->entry);
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
    if (export->session) {
        es_document_excluded(json, export->session);
    } else {
        es_json_begin_array(json, "excluded");
        es_json_end(json);
    }
    es_document_end(json);
    json->out->failed |= command.failed;
    es_buf_free(&command);
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
