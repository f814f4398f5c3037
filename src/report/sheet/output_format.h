/* Formats that a sheet is written in. */
#ifndef ES_REPORT_OUTPUT_FORMAT_H
#define ES_REPORT_OUTPUT_FORMAT_H

#include <stdbool.h>

typedef enum es_output_format {
    ES_FORMAT_DEFAULT, /* not given: the command decides */
    ES_FORMAT_TABLE,
    ES_FORMAT_CSV,
    ES_FORMAT_JSON,
    ES_FORMAT_MD,
    ES_FORMAT_TEX,
    ES_FORMAT_JSONL, /* this and npz: of a matrix's pairs */
    ES_FORMAT_NPZ,
    ES_FORMAT_HTML, /* a fragment for a page */
    ES_FORMAT_SVG,  /* this and the rest are pictures: es_picture + ES_FORMAT_SVG */
    ES_FORMAT_PDF,
    ES_FORMAT_PNG
} es_output_format;

extern const char *const es_format_names[]; /* by es_output_format; ends with NULL */

/** Returns true for svg, pdf and png. */
bool es_format_is_picture(es_output_format format);

#endif
