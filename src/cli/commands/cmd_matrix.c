/* `embedscope matrix`: the stored matrix. */
#include <string.h>

#include "cmd.h"
#include "cli_reports.h"
#include "cli_session.h"

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
