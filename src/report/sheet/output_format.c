/* Names of formats. */
#include "report_sheet.h"

const char *const es_format_names[] = {"",    "table", "csv", "json", "md",  "tex", "jsonl",
                                       "npz", "html",  "svg", "pdf",  "png", NULL};

bool es_format_is_picture(es_output_format format) {
    return format >= ES_FORMAT_SVG;
}
