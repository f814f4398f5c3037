/* `embedscope compare`: two or three embedders side by side, from what is stored. */
#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

es_status es_cmd_compare(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0, models[ES_COMPARE_MOST] = {0};
    size_t first = cli->options->matrix ? 0 : 1; /* the pool stands before the names */
    size_t count = cli->n_arguments > first ? cli->n_arguments - first : 0;
    es_status st = ES_OK;
    if (count < 2)
        return es_usage(cli, err, "compare: name two or three embedders after the %s",
                        first ? "pool: embedscope compare POOL A B" : "options");
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    for (size_t k = 0; k < count; k++) {
        ES_TRY(es_cli_model(cli, session, entry, cli->arguments[first + k], &models[k], err));
        for (size_t j = 0; j < k; j++)
            if (models[j] == models[k]) {
                st = es_usage(cli, err, "compare: '%s' is named twice", cli->arguments[first + k]);
                goto done;
            }
    }
    ES_TRY(es_compare_write(cli, session, entry, models, count,
                            es_output_format_of(cli, ES_FORMAT_TABLE), err));
done:
    es_session_close(session);
    return st;
}
