/* `embedscope matrix`: the stored matrix. */
#include <string.h>

#include "cli_measures.h"
#include "cli_reports.h"
#include "cli_session.h"
#include "cmd.h"

static const char *first_single(const es_choices *choices) {
    size_t k = 0;
    while (k + 1 < choices->count && choices->item[k].measured->measure->pair)
        k++;
    return choices->item[k].measured->name;
}

/* --measure: computed where it is not stored, and written as `measure` writes it. */
static es_status write_measure(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    es_session *session = NULL;
    es_choices choices = {0};
    es_status st = ES_OK;
    if (o->matrix)
        return es_usage(cli, err,
                        "--measure is computed from vectors: name a pool in place of "
                        "--matrix");
    bool panels = cli->export && strcmp(cli->export->view, "matrices") == 0;
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    if (o->long_form || format == ES_FORMAT_JSONL || format == ES_FORMAT_NPZ)
        return es_usage(cli, err,
                        "--long, jsonl and npz are of information sufficiency; `embedscope measure "
                        "POOL %s --fields --csv` lists a measure's pairs",
                        o->measure);
    if (es_options_typed(o, "value"))
        return es_usage(cli, err, "--value does not go with --measure");
    if (!panels && (strchr(o->measure, ',') || o->sweep.count > 0))
        return es_usage(cli, err,
                        "a matrix shows one measure of two embedders; `embedscope export %s "
                        "matrices --measure NAME,NAME` sets several side by side",
                        cli->arguments[0]);
    if (es_options_typed(o, "order") && !es_format_is_picture(format))
        return es_usage(cli, err,
                        "--order with --measure is of pictures: embedscope export %s matrix "
                        "--measure %s -o FILE.svg",
                        cli->arguments[0], o->measure);
    ES_TRY(es_measure_open(cli, false, &session, err));
    ES_TRY(es_export_attach(cli, session, 0, err));
    if (cli->export)
        cli->export->measures = true;
    ES_TRY(es_measure_choose(cli, session, o->measure, &choices, err));
    ES_FAIL_IF(choices.pairwise != choices.count,
               es_usage(cli, err,
                        "--measure %s: %s is of one embedder and no matrix; `embedscope rank "
                        "--score %s` ranks by it",
                        o->measure, first_single(&choices), first_single(&choices)));
    ES_TRY(es_measure_compute(cli, session, &choices, err));
    ES_TRY(es_measure_write_matrix(cli, session, &choices, err));
    ES_TRY(es_session_store_problem(session, err));
done:
    es_choices_deinit(&choices);
    es_session_close(session);
    return st;
}

es_status es_cmd_matrix(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t entry = 0;
    es_status st = ES_OK;
    if (cli->options->measure)
        return write_measure(cli, err);
    if (cli->options->sweep.count > 0)
        return es_usage(cli, err,
                        "--sweep is of the settings of measures: export POOL matrices "
                        "--measure NAME --sweep KEY=V,V");
    ES_TRY(es_cli_open_stored(cli, true, &session, &entry, err));
    ES_TRY(es_matrix_write(cli, session, entry, es_output_format_of(cli, ES_FORMAT_TABLE), err));
done:
    es_session_close(session);
    return st;
}

/* `embedscope tree`: families of embedders, from what is stored. */

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
    bool louvain = cli->options->tree_method == ES_TREE_LOUVAIN;
    st = (louvain ? es_communities_write : es_dendrogram_write)(cli, session, entry, err);
done:
    es_session_close(session);
    return st;
}

/* `embedscope measure`: measures beside information sufficiency. */

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
