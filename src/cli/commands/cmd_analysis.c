/* Any analysis that makes its own sheet (analysis_rows.h), in every format. */
#include "cmd.h"

#include <math.h>
#include <string.h>

#include "cli_reports.h"
#include "cli_session.h"

/* ---- from the sheet to the formats ---- */

static void put_said(const es_document *d, bool answer, es_buf *out) {
    const es_sheet *sheet = d->what;
    for (size_t i = 0; i < sheet->statements; i++)
        if ((sheet->statement[i].kind == ES_SAYS_ANSWER) == answer)
            es_buf_printf(out, "%s%s", out->length > 0 ? "\n" : "", sheet->statement[i].text);
}

static void put_words(const es_document *d, es_buf *out) {
    put_said(d, true, out);
}

static void put_caption(const es_document *d, es_buf *out) {
    es_buf notes = {0};
    if (d->cli->sheet == NULL) /* which begins with them */
        es_caption_words(d, put_words, out);
    put_said(d, false, &notes);
    if (notes.length > 0)
        es_buf_printf(out, "%s\n", notes.data);
    es_buf_end(&notes, out);
}

/* The tables become those of `to`: each document is written once. */
static es_status give_tables(const es_document *d, es_sheet *to, es_error *err) {
    es_sheet *from = (es_sheet *)(uintptr_t)d->what;
    for (size_t i = 0; i < from->tables; i++)
        es_sheet_take_table(to, from->table[i]);
    from->tables = 0;
    return es_sheet_check(to, err);
}

static void put_texts(es_json *json, const char *key, const es_sheet *sheet, bool answer) {
    es_json_begin_array(json, key);
    for (size_t i = 0; i < sheet->statements; i++)
        if ((sheet->statement[i].kind == ES_SAYS_ANSWER) == answer)
            es_json_text(json, NULL, sheet->statement[i].text);
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const es_sheet *sheet = d->what;
    es_json_text(json, "analysis", d->cli->command->name);
    es_json_text(json, "title", sheet->title);
    put_texts(json, "answer", sheet, true);
    put_texts(json, "notes", sheet, false);
    es_json_begin_array(json, "tables");
    for (size_t i = 0; i < sheet->tables; i++)
        es_table_out_json(sheet->table[i], json, NULL);
    es_json_end(json);
    es_document_excluded(json, d->session);
}

static void put_plot(const es_document *d, es_sheet_plot *plot) {
    *plot = ((const es_sheet *)d->what)->plot;
}

/* ---- making it ---- */

static es_status open_pool(es_cli *cli, bool pairs, es_session **session, size_t *entry,
                           es_error *err) {
    if (pairs)
        return es_cli_open_stored(cli, true, session, entry, err);
    *entry = SIZE_MAX;
    es_status st = es_cli_open(cli, ES_ACCESS_SHOW, false, session, err);
    return st == ES_OK ? es_cli_wait_checked(cli, *session, err) : st;
}

es_status es_cmd_analysis(es_cli *cli, es_error *err) {
    const es_analysis *analysis = es_analysis_find(cli->command->name);
    bool pairs = (analysis->needs & ES_ANALYSIS_NEEDS_PAIRS) != 0;
    es_session *session = NULL;
    es_rank_report *report = NULL;
    es_known known = {0};
    size_t entry = SIZE_MAX;
    es_sheet *sheet = es_sheet_new(analysis->title);
    es_status st = ES_OK;
    const es_rank_choices how = es_rank_choices_of(cli->options, true);
    ES_FAIL_IF(!sheet, es_no_memory(err));
    ES_TRY(open_pool(cli, pairs, &session, &entry, err));
    known.pool = es_session_pool(session);
    if (pairs)
        ES_TRY(es_rank_report_of(session, &how, &report, err));
    known.report = report;
    ES_TRY(es_cli_scores(cli, session, &known.scores, err));
    ES_TRY(analysis->make(&known, sheet, err));
    ES_TRY(es_sheet_check(sheet, err));
    const es_document_parts parts = {.schema = "sheet",
                                     .tables = give_tables,
                                     .caption = put_caption,
                                     .words = put_words,
                                     .json = put_json,
                                     .picture = es_picture_sheet,
                                     .plot = put_plot,
                                     .title = analysis->title};
    ES_TRY(es_document_write(&parts, (es_document){cli, session, entry, sheet, ES_FORMAT_DEFAULT},
                             err));
done:
    es_sheet_free(sheet);
    es_rank_report_free(report);
    es_session_close(session);
    return st;
}
