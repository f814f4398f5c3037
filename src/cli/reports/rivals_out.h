/* Scores without labels against downstream, as a document and a picture. */
#ifndef ES_CLI_RIVALS_OUT_H
#define ES_CLI_RIVALS_OUT_H

#include "command.h"
#include "label_free.h"
#include "session.h"

typedef struct es_rivals_view {
    es_session *session;
    const es_results *names;
    const es_label_free *rivals; /* settled */
} es_rivals_view;

/** In the format asked for. */
es_status es_rivals_write(es_cli *cli, const es_rivals_view *view, es_error *err);

#endif
