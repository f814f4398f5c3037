/* One document in every format. Which part of a document is asked depends on the format alone, so
 * no report chooses between formats itself. */
#include "cli_out.h"

#include <string.h>

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
    es_buf_end(&words, out);
}

static void put_note(const es_document_parts *parts, const es_document *d, es_buf *out) {
    es_buf note = {0};
    parts->note(d, &note);
    if (note.length > 0)
        es_table_out_note(out, note.data, d->format);
    es_buf_end(&note, out);
}

static bool has_tables(const es_document_parts *parts) {
    return parts->table || parts->tables;
}

/* The tables of a document. */
static es_status gather(const es_document_parts *parts, const es_document *d, es_sheet *sheet,
                        es_error *err) {
    es_status st = es_sheet_check(sheet, err);
    if (st == ES_OK && parts->tables)
        st = parts->tables(d, sheet, err);
    else if (parts->table)
        es_sheet_take_table(sheet, parts->table(d));
    return st == ES_OK ? es_sheet_check(sheet, err) : st;
}

static es_status put_tables(const es_document_parts *parts, const es_document *d, es_buf *out,
                            es_error *err) {
    es_sheet *sheet = es_sheet_new("");
    es_buf caption = {0};
    size_t width = parts->never_cut ? 0 : es_output_width(d->cli);
    es_status st = ES_OK;
    ES_TRY(gather(parts, d, sheet, err));
    if (parts->words && d->format == ES_FORMAT_TEX)
        put_words(parts, d, out);
    for (size_t i = 0; i < (d->format == ES_FORMAT_CSV ? 1 : sheet->tables); i++) {
        es_buf_puts(out, i > 0 ? "\n" : "");
        ES_TRY(es_table_out_write(sheet->table[i], d->format, width, out, err));
    }
    if (parts->note && d->format == ES_FORMAT_TEX)
        put_note(parts, d, out);
    if (parts->words && d->format == ES_FORMAT_MD)
        put_words(parts, d, out);
    if (parts->caption && d->format == ES_FORMAT_TABLE)
        parts->caption(d, &caption);
    bool alone = caption.length > 0 && sheet->tables == 1 && es_table_out_is_empty(sheet->table[0]);
    if (alone) /* titles over nothing say nothing */
        es_buf_clear(out);
    if (caption.length > 0)
        es_buf_puts(out, caption.data + (alone ? strspn(caption.data, "\n") : 0));
    out->failed |= caption.failed;
done:
    es_buf_free(&caption);
    es_sheet_free(sheet);
    return st;
}

static void put_json(const es_document_parts *parts, const es_document *d, es_buf *out) {
    es_json json;
    es_json_init(&json, out, 2);
    es_document_begin(&json, parts->schema, d->cli, d->session, d->entry);
    parts->json(d, &json);
    es_document_end(&json);
}

/* For a page: the tables, and the caption below them. */
static es_status put_html(const es_document_parts *parts, const es_document *d, es_buf *out,
                          es_error *err) {
    es_buf caption = {0};
    es_sheet *sheet = es_sheet_new("");
    es_status st = ES_OK;
    ES_TRY(gather(parts, d, sheet, err));
    for (size_t i = 0; i < sheet->tables; i++)
        if (!es_table_out_is_empty(sheet->table[i])) /* else the caption says why */
            ES_TRY(es_table_out_html(sheet->table[i], out, err));
    if (!has_tables(parts))
        ES_TRY(parts->text(d, &caption, err));
    else if (parts->caption)
        parts->caption(d, &caption);
    if (caption.length > 0) {
        es_buf_puts(out, "<pre>");
        es_html_put(out, caption.data + strspn(caption.data, "\n"));
        es_buf_puts(out, "</pre>\n");
    }
    st = es_buf_check(&caption, err);
done:
    es_sheet_free(sheet);
    es_buf_free(&caption);
    return st;
}

/* For a page of somebody else's: what it comes to, the tables and the notes, with the little style
 * that a table needs. */
static es_status put_fragment(const es_document_parts *parts, const es_document *d, es_buf *out,
                              es_error *err) {
    static const char begin[] =
        "<div class=\"embedscope\">\n<style>\n"
        ".embedscope table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
        ".embedscope th,.embedscope td{padding:.2em .7em;text-align:left}\n"
        ".embedscope thead th{border-bottom:1px solid}\n"
        ".embedscope tbody th{font-weight:inherit}\n"
        ".embedscope .n{text-align:right}\n"
        ".embedscope .wide{overflow-x:auto}\n"
        ".embedscope pre{white-space:pre-wrap;font:inherit;font-size:smaller}\n</style>\n";
    es_buf words = {0};
    es_status st = ES_OK;
    es_buf_puts(out, begin);
    if (parts->words)
        parts->words(d, &words);
    if (words.length > 0)
        es_page_paragraph(out, words.data);
    ES_TRY(es_buf_check(&words, err));
    ES_TRY(put_html(parts, d, out, err));
    es_buf_puts(out, "</div>\n");
done:
    es_buf_free(&words);
    return st;
}

/* Puts an apostrophe before cells that a spreadsheet would run as formulas. */
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
    if (parts->words)
        parts->words(d, &words);
    ES_TRY(gather(parts, d, sheet, err));
    if (!has_tables(parts))
        ES_TRY(parts->text(d, &caption, err));
    else if (parts->caption)
        parts->caption(d, &caption);
    if (parts->drawn)
        sheet->plot = *parts->drawn;
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
        ES_TRY(es_sketch_make(&d, parts->picture, &out, err));
    else if (d.format == ES_FORMAT_HTML)
        ES_TRY(put_fragment(parts, &d, &out, err));
    else if (d.format == ES_FORMAT_JSON)
        put_json(parts, &d, &out);
    else if (parts->text && (d.format == ES_FORMAT_TABLE || !has_tables(parts)))
        ES_TRY(parts->text(&d, &out, err));
    else
        ES_TRY(put_tables(parts, &d, &out, err));
    if (d.format == ES_FORMAT_CSV && d.cli->options->csv_safe)
        make_safe(&out);
    ES_TRY(es_output_write(d.cli, &out, err));
done:
    es_buf_free(&out);
    return st;
}

/* The page's frame and style, and pictures inside of it. */

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--soft:#5c5c5c;--paper:#fff;--line:#ddd;"
    "--band:#f4f6f8;--accent:#0072b2}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--soft:#a8abb0;--paper:#17191d;"
    "--line:#3a3d44;--band:#20242b;--accent:#56b4e9}figure svg,figure img{filter:invert(.91) "
    "hue-rotate(180deg)}}\n"
    "body{font:16px/1.5 system-ui,'DejaVu "
    "Sans',sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:60rem;margin:0 auto;padding:1.5rem}\n"
    "h1{font-size:1.7rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2.5rem 0 .5rem;"
    "border-bottom:1px solid var(--line)}\n"
    ".lead{font-size:1.1rem;background:var(--band);border-left:4px solid var(--accent);"
    "padding:.8rem 1rem}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "white-space:nowrap;font-weight:normal}thead th{color:var(--soft)}tbody th{font-weight:600}"
    ".n{text-align:right}\n"
    "figure{margin:1rem 0}figure svg,figure img{width:min(100%,42rem);height:auto}"
    "figcaption,pre{color:var(--soft);font-size:.85rem}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere}a{color:var(--accent)}\n"
    "@media "
    "print{body{max-width:none;padding:0;font-size:9.5pt}h2{break-after:avoid;margin-top:1.5rem}"
    "figure,tr{break-inside:avoid}figure svg,figure img{width:min(100%,30rem)}"
    ".wide{overflow:visible}pre{font-size:.75rem;line-height:1.3}details{display:block}}\n";

void es_page_begin(es_buf *out, const char *title) {
    es_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                     "<meta name=\"generator\" content=\"embedscope " ES_VERSION "\">\n<title>");
    es_html_put(out, title);
    es_buf_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    es_html_put(out, title);
    es_buf_puts(out, "</h1>\n");
}

void es_page_section(es_buf *out, const char *id, const char *heading) {
    bool first = strstr(out->data ? out->data : "", "<section") == NULL;
    es_buf_printf(out, "%s<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">",
                  first ? "" : "</section>\n", id, id);
    es_html_put(out, heading);
    es_buf_puts(out, "</h2>\n");
}

void es_page_paragraph(es_buf *out, const char *text) {
    es_buf_puts(out, "<p>");
    es_html_put(out, text);
    es_buf_puts(out, "</p>\n");
}

void es_page_part(es_buf *out, const es_buf *part) {
    es_buf_add(out, part->data ? part->data : "", part->length);
    out->failed |= part->failed;
}

static void begin_figure(es_buf *out) {
    es_buf_puts(out, "<figure>\n");
}

static void end_figure(es_buf *out, const char *caption) {
    es_buf_puts(out, "\n<figcaption>");
    es_html_put(out, caption);
    es_buf_puts(out, "</figcaption>\n</figure>\n");
}

/* Names of an svg's parts are the page's: each document's get a number of their own. */
void es_page_svg(es_buf *out, const es_buf *svg, unsigned number, const char *caption) {
    static const char *const before[] = {" id=\"", "url(#", "href=\"#"};
    const char *at = svg->data ? strstr(svg->data, "<svg") : NULL;
    begin_figure(out);
    if (at != NULL) {
        es_buf_puts(out, "<svg role=\"img\" aria-label=\"");
        es_html_put(out, caption);
        es_buf_puts(out, "\"");
        at += 4;
    }
    while (at && *at) {
        size_t found = 0;
        for (size_t k = 0; k < sizeof before / sizeof *before && found == 0; k++)
            if (strncmp(at, before[k], strlen(before[k])) == 0)
                found = strlen(before[k]);
        es_buf_add(out, at, found ? found : 1);
        at += found ? found : 1;
        if (found)
            es_buf_printf(out, "f%u-", number);
    }
    out->failed |= svg->failed;
    end_figure(out, caption);
}

void es_page_png(es_buf *out, const es_buf *png, const char *caption) {
    begin_figure(out);
    es_buf_puts(out, "<img alt=\"");
    es_html_put(out, caption);
    es_buf_puts(out, "\" src=\"data:image/png;base64,");
    es_buf_put_base64(out, png->data, png->length);
    es_buf_puts(out, "\">");
    out->failed |= png->failed;
    end_figure(out, caption);
}

void es_page_end(es_buf *out) {
    es_buf_puts(out, "</section>\n</main>\n</body>\n</html>\n");
}
