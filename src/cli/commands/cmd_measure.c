/* `embedscope measure`: measures beside information sufficiency. */
#include <string.h>

#include "cmd.h"
#include "cli_measures.h"
#include "cli_sets.h"

/* `measure --list`, `measure --list NAME`, `measure --list POOL`. */
static es_status list(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_status st = ES_OK;
    const char *first = cli->n_arguments > 0 ? cli->arguments[0] : NULL;
    bool is_name = first && !strchr(first, '/') && es_measure_find(first);
    if (cli->n_arguments > 1)
        return es_usage(cli, err, "--list takes a pool or the name of a measure");
    if (first && !is_name)
        ES_TRY(es_measure_open(cli, false, &session, err));
    st = es_measure_list(cli, session, is_name ? first : NULL, err);
done:
    es_session_close(session);
    return st;
}

/* Of one pool and --other, or of every two of several. */
static es_status distance(es_cli *cli, es_error *err) {
    es_cli pools = *cli;
    bool several = false;
    pools.n_arguments--;
    es_status st = es_data_list_asked(&pools, &several, err);
    if (st == ES_OK && several && cli->options->other)
        st = es_usage(cli, err, "--other is of one pool; of several every two are compared");
    else if (st == ES_OK)
        st = several ? es_sets_distance(&pools, err) : es_measure_write_sets(cli, err);
    cli->exit_code = pools.exit_code > cli->exit_code ? pools.exit_code : cli->exit_code;
    return st;
}

es_status es_cmd_measure(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    es_choices choices = {0};
    es_status st = ES_OK;
    if (cli->options->list)
        return list(cli, err);
    if (cli->n_arguments < 2) {
        const char *only = cli->n_arguments > 0 ? cli->arguments[0] : NULL;
        bool pool = only && es_path_is_folder(only);
        return es_usage(cli, err,
                        "measure: name a pool and a measure: embedscope measure %s %s; --list "
                        "lists the measures",
                        pool ? only : "POOL", only && !pool ? only : "NAME[,NAME]");
    }
    if (cli->options->sweep.count > 0 && !es_sweep_asked(cli->options))
        return es_measure_write_sweep(cli, err);
    if (strcmp(cli->arguments[cli->n_arguments - 1], ES_DATASET_DISTANCE) == 0)
        return distance(cli, err);
    if (cli->n_arguments > 2)
        return es_usage(cli, err, "measure: one pool; several go with " ES_DATASET_DISTANCE);
    if (cli->options->other && !cli->options->worst_of)
        return es_usage(cli, err,
                        "--other goes with " ES_DATASET_DISTANCE ", and with "
                        "knn-overlap --worst-of");
    if (cli->options->where && !cli->options->worst_of)
        return es_usage(cli, err, "--where goes with --worst-of");
    ES_TRY(es_measure_open(cli, false, &session, err));
    ES_TRY(es_measure_choose(cli, session, cli->arguments[1], &choices, err));
    if (cli->options->worst_of) {
        st = es_measure_write_worst(cli, session, &choices, err);
        goto done;
    }
    ES_TRY(es_measure_compute(cli, session, &choices, err));
    ES_TRY(es_measure_write(cli, session, &choices, err));
    ES_TRY(es_session_store_problem(session, err)); /* said last: what was asked for is printed */
done:
    es_choices_deinit(&choices);
    es_session_close(session);
    return st;
}
