/* `embedscope tree`: families of embedders, from what is stored. */
#include "cmd.h"
#include "cli_session.h"
#include "cli_reports.h"

es_status es_tree_write(es_cli *cli, es_session *session, size_t entry, es_output_format format,
                        es_error *err) {
    return cli->options->tree_method == ES_TREE_LOUVAIN
               ? es_communities_write(cli, session, entry, format, err)
               : es_dendrogram_write(cli, session, entry, format, err);
}

/* Options of the other kind of tree would say nothing. */
static es_status check_options(es_cli *cli, es_error *err) {
    static const char *const of_louvain[] = {"resolution", "weights", "threshold", NULL};
    static const char *const of_dendrogram[] = {"of", "diagonal", NULL};
    bool louvain = cli->options->tree_method == ES_TREE_LOUVAIN;
    const char *const *others = louvain ? of_dendrogram : of_louvain;
    for (; *others; others++)
        if (es_options_given(cli->options, *others))
            return es_usage(cli, err, "--%s goes with %s, not with --method %s", *others,
                            louvain ? "--method ward, average, complete, single or median"
                                    : "--method louvain",
                            es_tree_method_names[cli->options->tree_method]);
    return ES_OK;
}

es_status es_cmd_tree(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    ES_TRY(check_options(cli, err));
    ES_TRY(es_cli_open_stored(cli, false, &session, &entry, err));
    ES_TRY(es_tree_write(cli, session, entry, es_output_format_of(cli, ES_FORMAT_TABLE), err));
done:
    es_session_close(session);
    return st;
}
