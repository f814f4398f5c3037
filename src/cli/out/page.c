/* The page's frame and style, and pictures inside of it. */
#include "cli_out.h"

#include <string.h>

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
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)png->data;
    begin_figure(out);
    es_buf_puts(out, "<img alt=\"");
    es_html_put(out, caption);
    es_buf_puts(out, "\" src=\"data:image/png;base64,");
    for (size_t i = 0; i < png->length; i += 3) {
        size_t left = png->length - i;
        unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)bytes[i + 2] : 0);
        es_buf_putc(out, letters[word >> 18 & 63]);
        es_buf_putc(out, letters[word >> 12 & 63]);
        es_buf_putc(out, left > 1 ? letters[word >> 6 & 63] : '=');
        es_buf_putc(out, left > 2 ? letters[word & 63] : '=');
    }
    es_buf_puts(out, "\">");
    out->failed |= png->failed;
    end_figure(out, caption);
}

void es_page_end(es_buf *out) {
    es_buf_puts(out, "</section>\n</main>\n</body>\n</html>\n");
}
