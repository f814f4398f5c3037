/* One document in every format. Which part of a document is asked depends on the format alone, so
 * no report chooses between formats itself. */
#include "document.h"

#include <string.h>

#include "export_note.h"

#include "output.h"

#include "table.h"

static void put_words(const es_document_parts *parts, const es_document *d, es_buf *out) {
    es_buf words = {0};
    bool tex = d->format == ES_FORMAT_TEX;
    parts->words(d, &words);
    if (words.length > 0 && tex)
        es_buf_printf(out, "%% %s\n", words.data);
    else if (words.length > 0) {
        es_buf_putc(out, '\n');
        es_table_out_escape(out, words.data, d->format);
        es_buf_putc(out, '\n');
    }
    out->failed |= words.failed;
    es_buf_free(&words);
}

static void put_note(const es_document_parts *parts, const es_document *d, es_buf *out) {
    es_buf note = {0};
    parts->note(d, &note);
    if (note.length > 0)
        es_table_out_note(out, note.data, d->format);
    out->failed |= note.failed;
    es_buf_free(&note);
}

static es_status put_table(const es_document_parts *parts, const es_document *d, es_buf *out,
                           es_error *err) {
    es_table_out *table = parts->table(d);
    es_buf caption = {0};
    size_t width = parts->never_cut ? 0 : es_output_width(d->cli);
    if (parts->words && d->format == ES_FORMAT_TEX)
        put_words(parts, d, out);
    es_status st = es_table_out_write(table, d->format, width, out, err);
    if (st == ES_OK && parts->note && d->format == ES_FORMAT_TEX)
        put_note(parts, d, out);
    if (st == ES_OK && parts->words && d->format == ES_FORMAT_MD)
        put_words(parts, d, out);
    if (st == ES_OK && parts->caption && d->format == ES_FORMAT_TABLE)
        parts->caption(d, &caption);
    bool alone = caption.length > 0 && es_table_out_is_empty(table);
    if (alone) /* titles over nothing say nothing */
        es_buf_clear(out);
    if (caption.length > 0)
        es_buf_puts(out, caption.data + (alone ? strspn(caption.data, "\n") : 0));
    out->failed |= caption.failed;
    es_buf_free(&caption);
    es_table_out_free(table);
    return st;
}

static void put_json(const es_document_parts *parts, const es_document *d, es_buf *out) {
    es_json json;
    es_json_init(&json, out, 2);
    es_document_begin(&json, parts->schema, d->cli, d->session, d->entry);
    parts->json(d, &json);
    es_document_end(&json);
}

/* For a page: the table, and what is said below it. */
static es_status put_html(const es_document_parts *parts, const es_document *d, es_buf *out,
                          es_error *err) {
    es_buf caption = {0};
    es_table_out *table = parts->table ? parts->table(d) : NULL;
    es_status st = ES_OK;
    if (!parts->table)
        ES_TRY(parts->text(d, &caption, err));
    else if (!es_table_out_is_empty(table)) /* else the caption says why */
        ES_TRY(es_table_out_html(table, out, err));
    if (parts->table && parts->caption)
        parts->caption(d, &caption);
    if (caption.length > 0) {
        es_buf_puts(out, "<pre>");
        es_html_put(out, caption.data + strspn(caption.data, "\n"));
        es_buf_puts(out, "</pre>\n");
    }
    st = es_buf_check(&caption, err);
done:
    es_table_out_free(table);
    es_buf_free(&caption);
    return st;
}

static void make_safe(es_buf *out) {
    es_buf safe = {0};
    es_csv_make_safe(&safe, out->data ? out->data : "", out->length);
    safe.failed |= out->failed;
    es_buf_free(out);
    *out = safe;
}

/* Into the sheet of the command: what a terminal would show, in parts. */
static es_status put_sheet(const es_document_parts *parts, const es_document *d, es_error *err) {
    es_buf words = {0}, caption = {0};
    es_sheet *sheet = d->cli->sheet;
    es_status st = ES_OK;
    es_sheet_name(sheet, parts->title ? parts->title : d->cli->command->name);
    if (parts->sheet)
        return parts->sheet(d, sheet, err);
    if (parts->words)
        parts->words(d, &words);
    if (parts->table)
        es_sheet_take_table(sheet, parts->table(d));
    if (parts->table && parts->caption)
        parts->caption(d, &caption);
    if (!parts->table)
        ES_TRY(parts->text(d, &caption, err));
    if (parts->plot)
        parts->plot(d, &sheet->plot);
    ES_TRY(es_buf_check(&words, err));
    ES_TRY(es_buf_check(&caption, err));
    es_sheet_say_lines(sheet, ES_SAYS_ANSWER, words.data);
    es_sheet_say_lines(sheet, ES_SAYS_NOTE, caption.data);
    ES_TRY(es_sheet_check(sheet, err));
done:
    es_buf_free(&words);
    es_buf_free(&caption);
    return st;
}

es_status es_document_write(const es_document_parts *parts, es_document d, es_error *err) {
    es_buf out = {0};
    es_status st = ES_OK;
    if (d.cli->sheet) {
        d.format = ES_FORMAT_TABLE;
        return put_sheet(parts, &d, err);
    }
    if (d.format == ES_FORMAT_DEFAULT)
        d.format = es_output_format_of(d.cli, ES_FORMAT_TABLE);
    if (d.cli->export && d.entry != SIZE_MAX) /* what its note tells of */
        d.cli->export->entry = d.entry;
    if (d.cli->capture && d.format == ES_FORMAT_TABLE)
        ES_TRY(put_html(parts, &d, &out, err));
    else if (es_format_is_picture(d.format))
        ES_TRY(parts->picture(&d, &out, err));
    else if (d.format == ES_FORMAT_JSON)
        put_json(parts, &d, &out);
    else if (parts->text && (d.format == ES_FORMAT_TABLE || !parts->table))
        ES_TRY(parts->text(&d, &out, err));
    else
        ES_TRY(put_table(parts, &d, &out, err));
    if (d.format == ES_FORMAT_CSV && d.cli->options->csv_safe)
        make_safe(&out);
    ES_TRY(es_output_write(d.cli, &out, err));
done:
    es_buf_free(&out);
    return st;
}
