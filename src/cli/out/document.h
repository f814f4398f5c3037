/* One document in every format: a report says once what it holds, and this writes the format that
 * was asked for to where it was asked for. */
#ifndef ES_CLI_DOCUMENT_H
#define ES_CLI_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "document_json.h"
#include "sheet.h"

typedef struct es_document {
    es_cli *cli;
    es_session *session; /* where the numbers come from (es_document_begin); NULL: from none */
    size_t entry;
    const void *what;        /* the report's own */
    es_output_format format; /* ES_FORMAT_DEFAULT: as the options say, else a table */
} es_document;

/** What a document is made of; what is NULL does not apply. */
typedef struct es_document_parts {
    const char *schema; /* of its JSON: SCHEMA.schema.json among those that are installed */
    /** csv, md, tex, and what a terminal shows unless `text` does. NULL: out of memory. */
    es_table_out *(*table)(const es_document *d);
    /** Below the table on a terminal. */
    void (*caption)(const es_document *d, es_buf *out);
    /** What it comes to, in sentences: a comment above the rows in tex, a paragraph below in md. */
    void (*words)(const es_document *d, es_buf *out);
    /** tex: what a reader is told below the rows. */
    void (*note)(const es_document *d, es_buf *out);
    /** Between provenance and the end of the object. */
    void (*json)(const es_document *d, es_json *json);
    /** In place of the table on a terminal; without a table, all that is neither json nor picture.
     */
    es_status (*text)(const es_document *d, es_buf *out, es_error *err);
    es_status (*picture)(const es_document *d, es_buf *out, es_error *err);
    /** All tables and statements of a sheet, where they are more than the members above. */
    es_status (*sheet)(const es_document *d, es_sheet *sheet, es_error *err);
    bool never_cut; /* the table may be wider than the terminal */
    /** How the table is drawn, and its title. NULL: as a table alone, titled by the command. */
    void (*plot)(const es_document *d, es_sheet_plot *plot);
    const char *title;
} es_document_parts;

es_status es_document_write(const es_document_parts *parts, es_document document, es_error *err);

#endif
