/* `embedscope export`: the document of another command as a file for a paper. The view's command
 * does the work; what is different for an export is in export_note.h. */
#include <string.h>

#include "cmd.h"
#include "data_list.h"
#include "pair_value.h"
#include "rank_choices.h"
#include "command_line.h"
#include "export_note.h"
#include "export_style.h"
#include "output.h"

#include "alloc.h"
#include "embedscope/compare.h"
#include "suggest.h"

typedef struct view {
    const char *name, *command;
} view;

static const view views[] = {{"ranking", "rank"},
                             {"matrix", "matrix"},
                             {"tree", "tree"},
                             {"correlation", "correlate"},
                             {"compare", "compare"},
                             {"rivals", "rivals"},
                             [ES_EXPORT_OF_SETS] = {"sets", "rank"},
                             {"map", "map"},
                             {"by-task", "agree"},
                             {"series", "series"},
                             {"agreement", "agree"},
                             {"panels", "agree"},
                             {"matrices", "matrix"},
                             {"sweep", "rank"},
                             {"distance", "rank"}};
enum { VIEWS = sizeof views / sizeof *views };
_Static_assert((int)VIEWS == (int)ES_EXPORT_COMMANDS,
               "the explorer has all but the last, and there the report");

#define VIEW_NAMES                                                                                 \
    "ranking, matrix, tree, correlation, compare, rivals, sets, map, by-task, series, agreement, " \
    "panels, matrices, distance or sweep"

const char *es_export_view(size_t at) {
    return at < VIEWS ? views[at].name : NULL;
}

bool es_export_is_of_named(const char *name) {
    return strcmp(name, "compare") == 0 || strcmp(name, "map") == 0;
}

es_status es_export_begin(const es_cli *cli, size_t at, es_words *out, es_error *err) {
    if (at == ES_EXPORT_OF_REPORT)
        return es_rows_begin(cli, "report", true, out, err);
    const es_options *o = cli->options;
    es_options opened = *o;
    unsigned groups =
        cli->command->groups & es_command_find(cli->commands, views[at].command)->groups;
    es_words words = {0};
    es_status st = ES_OK;
    if ((es_export_is_of_named(views[at].name) && cli->models != NULL) ||
        strcmp(views[at].name, "sets") == 0)
        return ES_OK;
    opened.estimator = opened.preset = NULL;
    if (o->matrix == NULL && strcmp(views[at].command, "correlate") != 0 &&
        strcmp(views[at].command, "compare") != 0 && strcmp(views[at].command, "rivals") != 0 &&
        strcmp(views[at].command, "agree") != 0 && strcmp(views[at].command, "series") != 0)
        es_options_use_scores(&opened, NULL); /* of no use there */
    ES_TRY(es_words_add(&words, "embedscope", err));
    ES_TRY(es_words_add(&words, "export", err));
    if (o->matrix == NULL)
        ES_TRY(es_words_add(&words, cli->n_arguments > 0 ? cli->arguments[0] : ".", err));
    ES_TRY(es_words_add(&words, views[at].name, err));
    if (es_options_typed(o, "config")) {
        ES_TRY(es_words_add(&words, "--config", err));
        ES_TRY(es_words_add(&words, o->config, err));
    }
    ES_TRY(es_words_add_options(&words, &opened, groups, err));
    *out = words;
    words = (es_words){0};
done:
    es_words_deinit(&words);
    return st;
}

static es_status find_view(es_cli *cli, const char *name, const view **out, es_error *err) {
    es_suggestion near = {.word = name};
    const char *by_command = NULL; /* the first that it makes */
    for (size_t i = 0; i < VIEWS; i++) {
        if (strcmp(views[i].name, name) == 0) {
            *out = &views[i];
            return ES_OK;
        }
        es_suggestion_offer(&near, views[i].name);
        by_command =
            by_command == NULL && strcmp(views[i].command, name) == 0 ? views[i].name : by_command;
    }
    near.best = by_command ? by_command : near.best;
    return es_usage(cli, err, "export: no view is called '%s'%s%s%s; there are " VIEW_NAMES, name,
                    near.best ? "; did you mean '" : "", near.best ? near.best : "",
                    near.best ? "'?" : "");
}

/* The view stands behind the pool or the pools, or alone where a file takes their place. */
static es_status take_view(es_cli *cli, const view **out, size_t *pools, es_error *err) {
    bool from_file = cli->options->matrix || cli->options->ranking;
    *pools = from_file ? 0 : 1;
    if (cli->n_arguments <= *pools)
        return es_usage(cli, err,
                        "export: which view? " VIEW_NAMES ": embedscope export %sVIEW -o FILE",
                        from_file ? "" : "POOL ");
    if (from_file && cli->n_arguments > 1)
        return es_usage(cli, err, "--%s takes the place of the pool '%s': name one",
                        cli->options->matrix ? "matrix" : "ranking", cli->arguments[0]);
    *pools = cli->n_arguments - 1;
    return find_view(cli, cli->arguments[*pools], out, err);
}

/* Views of several data sets, and what they cannot do. */
static es_status check_several(es_cli *cli, const es_cli *sub, const char *name, es_error *err) {
    const es_options *o = cli->options;
    es_cli ask = *sub;
    bool several = false, of_sets = strcmp(name, "sets") == 0 || strcmp(name, "distance") == 0;
    es_status st = es_data_list_asked(&ask, &several, err);
    if (st != ES_OK)
        return st;
    if (of_sets && !several)
        return es_usage(
            cli, err, "export %s: name several pools, a folder of pools, or --set-rows all", name);
    if (!several)
        return ES_OK;
    if (!of_sets && strcmp(name, "ranking") != 0 && strcmp(name, "correlation") != 0)
        return es_usage(cli, err,
                        "the view %s is of one pool or set; of several there are sets, distance, "
                        "ranking and correlation",
                        name);
    if (o->show.count > 0 || o->hide.count > 0)
        return es_usage(cli, err, "--show and --hide are of one pool; --models chooses embedders");
    return ES_OK;
}

/* Views of `agree`, which takes several measures: --score names them. */
static bool takes_measures(const char *name) {
    return strcmp(name, "by-task") == 0 || strcmp(name, "agreement") == 0 ||
           strcmp(name, "panels") == 0;
}

/* Views whose embedders have colours. */
static bool has_colours(const char *name) {
    return strcmp(name, "matrix") == 0 || strcmp(name, "tree") == 0 ||
           strcmp(name, "correlation") == 0;
}

/* Views in which communities are a column, an order or colours; the tree has them as its own. */
static bool has_communities(const char *name) {
    return has_colours(name) || strcmp(name, "ranking") == 0 || strcmp(name, "matrices") == 0;
}

/* What was said on the command line must say something to the view. */
static es_status check_options(es_cli *cli, const es_subcommand *command, const char *name,
                               es_error *err) {
    static const char *const of_pictures[] = {"title", "width",   "theme", "task",
                                              "tasks", "colours", "limits"};
    const es_options *o = cli->options;
    bool picture = es_format_is_picture(cli->export->format);
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        if (!o->typed[i])
            continue;
        bool names = takes_measures(name) && strcmp(option->name, "score") == 0;
        names = names || (has_colours(name) && strcmp(option->name, "colour-by") == 0);
        names = names || (has_communities(name) && strcmp(option->name, "resolution") == 0);
        bool of_file = option->field == offsetof(es_options, matrix) ||
                       option->field == offsetof(es_options, ranking);
        if (((option->group & (command->groups | ES_OPTIONS_EXPORT)) == 0 && !names) ||
            (of_file && command->of_vectors))
            return es_usage(cli, err, "--%s says nothing to the view %s", option->name, name);
        for (size_t k = 0; k < sizeof of_pictures / sizeof *of_pictures; k++)
            if (!picture && option->group == ES_OPTIONS_EXPORT &&
                strcmp(option->name, of_pictures[k]) == 0)
                return es_usage(cli, err, "--%s goes with svg, pdf and png, not with %s",
                                option->name, es_format_names[cli->export->format]);
    }
    if (cli->models && o->matrix && !es_export_is_of_named(name))
        return es_usage(cli, err,
                        "--models goes with a pool, not with --matrix; --show chooses "
                        "what is written");
    if ((o->show.count > 0 || o->hide.count > 0) && strcmp(name, "map") == 0)
        return es_usage(cli, err, "a map is of the embedders of --models, whole");
    bool enough = strcmp(name, "ranking") == 0 && (o->curve || es_options_given(o, "coverage"));
    if ((o->show.count > 0 || o->hide.count > 0) &&
        (strcmp(name, "rivals") == 0 || strcmp(name, "by-task") == 0 ||
         strcmp(name, "series") == 0 || enough ||
         (!picture && (strcmp(name, "agreement") == 0 || strcmp(name, "panels") == 0))))
        return es_usage(cli, err,
                        "these numbers are over all embedders; --models and --exclude leave "
                        "some out");
    bool column =
        (strcmp(name, "sweep") == 0 || strcmp(name, "distance") == 0 || takes_measures(name)) &&
        !o->tasks; /* of labels.csv */
    if ((o->task || o->tasks) && strcmp(name, "correlation") != 0 && !column)
        return es_usage(cli, err, "--task%s goes with the view correlation", o->tasks ? "s" : "");
    bool matrix = strcmp(name, "matrix") == 0 || strcmp(name, "matrices") == 0;
    if ((o->figure_colours || o->limits) && !matrix)
        return es_usage(cli, err, "--%s goes with the view matrix, or matrices",
                        o->limits ? "limits" : "colours");
    if (o->groups_by && has_colours(name) && !picture)
        return es_usage(cli, err, "--colour-by goes with svg, pdf and png, not with %s",
                        es_format_names[cli->export->format]);
    if (o->figure_colours && o->value == (int)ES_VALUE_ASYMMETRY)
        return es_usage(cli, err, "--colours: asymmetry lies on two sides of 0 and has its own");
    if (es_score_measure(o) && strcmp(name, "correlation") != 0 && strcmp(name, "sweep") != 0 &&
        !takes_measures(name) && picture)
        return es_usage(cli, err,
                        "pictures of a measure are of the views correlation, sweep, agreement and "
                        "by-task (--score) and of the view matrix (--measure)");
    if (o->sweep.count > 0 && (strcmp(name, "ranking") == 0 || strcmp(name, "sets") == 0 ||
                               strcmp(name, "distance") == 0))
        return es_usage(cli, err,
                        "--sweep goes with the views sweep, panels, matrices, agreement, by-task");
    if (strcmp(name, "matrices") == 0 && !o->measure)
        return es_usage(cli, err,
                        "export matrices: of which measures of two embedders? --measure "
                        "cka,knn-overlap");
    if (strcmp(name, "sweep") == 0 && o->sweep.count == 0)
        return es_usage(cli, err, "export sweep: which values? --sweep KEY=V,V");
    if (o->task && o->tasks)
        return es_usage(cli, err, "--task and --tasks are two pictures: ask for one");
    return ES_OK;
}

static es_status check_format(es_cli *cli, const char *name, es_error *err) {
    es_output_format format = cli->export->format;
    if (format == ES_FORMAT_DEFAULT)
        return es_usage(cli, err,
                        "export: in which format? Give --format csv, json, md, tex, svg, pdf or "
                        "png (a matrix also jsonl, npz), or -o FILE with such an ending");
    if (format == ES_FORMAT_TABLE)
        return es_usage(cli, err,
                        "export writes no table for terminals; --format md is near to "
                        "one");
    bool of_pairs = format == ES_FORMAT_JSONL || format == ES_FORMAT_NPZ;
    if (of_pairs && strcmp(name, "matrix") != 0)
        return es_usage(cli, err, "%s goes with the view matrix", es_format_names[format]);
    if (strcmp(name, "tree") == 0 && (format == ES_FORMAT_MD || format == ES_FORMAT_TEX))
        return es_usage(cli, err, "a tree is no table: export it as svg, pdf, png, csv or json");
    return ES_OK;
}

/* The names of --models A,B, which for this view choose no part of the pool. */
static es_status take_compared(es_cli *cli, es_cli *sub, char **names, const char ***arguments,
                               es_error *err) {
    size_t first = cli->options->matrix ? 0 : 1, n = first;
    bool map = strcmp(cli->export->view, "map") == 0;
    if (cli->models == NULL)
        return es_usage(cli, err, "export %s: name %s embedders: --models A,B", cli->export->view,
                        map ? "one or two" : "two or three");
    *names = es_strdup(cli->models);
    const char **list = es_alloc(first + strlen(cli->models) + 2, sizeof *list);
    if (*names == NULL || list == NULL) {
        es_free(list);
        return es_no_memory(err);
    }
    *arguments = list;
    if (first)
        list[0] = cli->arguments[0];
    for (char *at = *names; at;) {
        list[n++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    if (n - first < (map ? 1U : 2U) || n - first > (map ? 2U : (size_t)ES_COMPARE_MOST))
        return es_usage(cli, err, "export %s takes %s embedders, not %zu: --models A,B",
                        cli->export->view, map ? "one or two" : "two or three", n - first);
    sub->models = NULL;
    sub->arguments = list;
    sub->n_arguments = n;
    return ES_OK;
}

es_status es_cmd_export(es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    const view *v = NULL;
    size_t pools = 0;
    char *names = NULL;
    const char **arguments = NULL;
    es_export export = {.format = es_output_format_of(cli, ES_FORMAT_DEFAULT)};
    es_options options = *cli->options;
    es_cli sub = *cli;
    cli->export = sub.export = &export;
    ES_TRY(take_view(cli, &v, &pools, err));
    export.view = v->name;
    es_subcommand of_view = *es_command_find(cli->commands, v->command);
    of_view.of_originals |= cli->command->of_originals; /* in a report */
    sub.command = &of_view;
    ES_TRY(check_format(cli, v->name, err));
    ES_TRY(check_options(cli, sub.command, v->name, err));
    ES_TRY(es_export_theme(cli, err));
    options.format = (int)export.format;
    options.by_task = strcmp(v->name, "by-task") == 0;
    sub.options = &options;
    sub.n_arguments = export.pools = pools;
    ES_TRY(check_several(cli, &sub, v->name, err));
    const char *named = es_score_measure(&options) ? options.score : ""; /* published: no measure */
    const char *measured[] = {pools > 0 ? cli->arguments[0] : NULL, named};
    if (takes_measures(v->name) && options.score && pools == 1) {
        sub.arguments = measured;
        sub.n_arguments = 2;
    }
    if (es_export_is_of_named(v->name)) {
        st = take_compared(cli, &sub, &names, &arguments, err);
        if (st != ES_OK)
            goto done;
    }
    st = sub.command->run(&sub, err);
    cli->exit_code = sub.exit_code;
done:
    es_export_deinit(&export);
    es_free(arguments);
    es_free(names);
    cli->export = NULL;
    return st;
}
