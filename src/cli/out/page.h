/* One self-contained HTML page: no scripts, nothing from the network, light and dark, printable;
 * its order is that in which it is read aloud. */
#ifndef ES_CLI_PAGE_H
#define ES_CLI_PAGE_H

#include <stddef.h>

#include "buf.h"

/** Up to the heading. Texts are cleaned UTF-8 and escaped here. */
void es_page_begin(es_buf *out, const char *title);
void es_page_section(es_buf *out, const char *id, const char *heading);
void es_page_paragraph(es_buf *out, const char *text);
/** A table, or what else was made for a page (es_cli.capture), as it is. */
void es_page_part(es_buf *out, const es_buf *part);
/** An svg document in the page: `number` keeps its names apart from those of others. */
void es_page_svg(es_buf *out, const es_buf *svg, unsigned number, const char *caption);
/** A picture of points (png) in the page. */
void es_page_png(es_buf *out, const es_buf *png, const char *caption);
void es_page_end(es_buf *out);

#endif
