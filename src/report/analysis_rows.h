/* The analyses that make their own sheet: A(NAME) is es_analysis_NAME in report/NAME.c. The command
 * of that id, its formats, figure and section of the report, and the explorer's sheet follow. */
#ifndef ES_REPORT_ANALYSIS_ROWS_H
#define ES_REPORT_ANALYSIS_ROWS_H

#include "report.h"

/* clang-format off */
#define ES_ANALYSES(A)                                                                             \
    /* the next one here */
/* clang-format on */

#define ES_ANALYSIS_DECLARE(name) extern const es_analysis es_analysis_##name;
ES_ANALYSES(ES_ANALYSIS_DECLARE)

#endif
