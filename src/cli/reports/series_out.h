/* Series over their steps, as a document and a picture. */
#ifndef ES_CLI_SERIES_OUT_H
#define ES_CLI_SERIES_OUT_H

#include "command.h"
#include "rank_report.h"
#include "series.h"
#include "session.h"

typedef struct es_series_view {
    es_session *session;
    const es_rank_report *report;
    const es_series_of *of;
    const es_series *series;
} es_series_view;

/** In the format asked for. */
es_status es_series_write(es_cli *cli, const es_series_view *view, es_error *err);

#endif
