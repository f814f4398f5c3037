/* The functions of the commands, one a file cmd_NAME.c. */
#ifndef ES_CLI_CMD_H
#define ES_CLI_CMD_H

#include "command.h"

es_status es_cmd_explore(es_cli *cli, es_error *err);
es_status es_cmd_map(es_cli *cli, es_error *err);
es_status es_cmd_estimate(es_cli *cli, es_error *err);
/** `estimate` of several data sets, one after the other. */
es_status es_estimate_data_sets(es_cli *cli, es_error *err);
es_status es_cmd_matrix(es_cli *cli, es_error *err);
es_status es_cmd_rank(es_cli *cli, es_error *err);
es_status es_cmd_tree(es_cli *cli, es_error *err);
es_status es_cmd_correlate(es_cli *cli, es_error *err);
es_status es_cmd_compare(es_cli *cli, es_error *err);
es_status es_cmd_rows(es_cli *cli, es_error *err);
es_status es_cmd_measure(es_cli *cli, es_error *err);
es_status es_cmd_agree(es_cli *cli, es_error *err);
es_status es_cmd_rivals(es_cli *cli, es_error *err);
es_status es_cmd_series(es_cli *cli, es_error *err);
es_status es_cmd_derive(es_cli *cli, es_error *err);
es_status es_cmd_apply(es_cli *cli, es_error *err);
es_status es_cmd_export(es_cli *cli, es_error *err);
es_status es_cmd_report(es_cli *cli, es_error *err);
es_status es_cmd_info(es_cli *cli, es_error *err);
es_status es_cmd_check(es_cli *cli, es_error *err);
es_status es_cmd_merge(es_cli *cli, es_error *err);
es_status es_cmd_slurm(es_cli *cli, es_error *err);
es_status es_cmd_demo(es_cli *cli, es_error *err);
es_status es_cmd_doctor(es_cli *cli, es_error *err);
es_status es_cmd_names(es_cli *cli, es_error *err);
/** These two live beside dispatch, which prints the same for --help and --version. */
es_status es_cmd_help(es_cli *cli, es_error *err);
es_status es_cmd_version(es_cli *cli, es_error *err);

#endif
