/* `embedscope matrix`: the stored matrix. */
#include "cmd.h"
#include "matrix_out.h"
#include "output.h"
#include "open_session.h"

es_status es_cmd_matrix(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(es_matrix_write(cli, session, entry, es_output_format_of(cli, ES_FORMAT_TABLE), err));
done:
    if (session)
        es_session_close(session);
    return st;
}
