/* `embedscope export`: the document of another command as a file for a paper. The view's command
 * does the work; what is different for an export is in export_note.c. */
#include <string.h>

#include "report.h"
#include "cmd.h"
#include "cli_out.h"

/* What views have, take, or cannot do. */
enum {
    COLOURS = 1,       /* of embedders (--colour-by) */
    COMMUNITIES = 2,   /* as a column, an order or colours */
    LIMITS = 4,        /* --limits and --colours */
    MEASURES = 8,      /* several, by --score */
    SCORED = 16,       /* a measure in a picture, by --score */
    COLUMN = 32,       /* --task is a column of labels.csv */
    WHOLE = 64,        /* over all embedders: nobody can be hidden */
    WHOLE_TABLE = 128, /* the same of what is no picture */
    NAMED = 256,       /* of embedders that are named: --models */
    SETS = 512,        /* of several data sets alone */
    SEVERAL = 1024,    /* of several data sets as well */
    UNSWEPT = 2048,    /* no --sweep, though the command has it */
    SCORES = 4096,     /* --scores says something to it */
    TRAINED = 8192     /* of the trained embedders that --sweep names */
};

typedef struct view {
    const char *name, *command;
    unsigned is;
} view;

static const view views[] = {
    {"ranking", "rank", COMMUNITIES | SEVERAL | UNSWEPT},
    {"matrix", "matrix", COLOURS | COMMUNITIES | LIMITS},
    {"tree", "tree", COLOURS | COMMUNITIES},
    {"correlation", "correlate", COLOURS | COMMUNITIES | SCORED | SEVERAL | SCORES},
    {"compare", "compare", NAMED | SCORES},
    {"rivals", "rivals", WHOLE | SCORES},
    [ES_EXPORT_OF_SETS] = {"sets", "rank", SETS | UNSWEPT},
    {"map", "map", NAMED},
    {"by-task", "agree", MEASURES | SCORED | COLUMN | WHOLE | SCORES},
    {"series", "series", WHOLE | SCORES},
    {"agreement", "agree", MEASURES | SCORED | COLUMN | WHOLE_TABLE | SCORES},
    {"panels", "agree", MEASURES | SCORED | COLUMN | WHOLE_TABLE | SCORES},
    {"matrices", "matrix", COMMUNITIES | LIMITS},
    {"sweep", "rank", SCORED | COLUMN},
    {"leaderboard", "leaderboard", WHOLE},
    {"task-correlation", "leaderboard", WHOLE},
    {"task-tree", "leaderboard", WHOLE},
    {"versus", "leaderboard", WHOLE | NAMED},
    {"distance", "rank", SETS | COLUMN | UNSWEPT},
    {"frontier", "frontier", WHOLE},
    {"categories", "correlate", SCORED | SCORES},
    {"sizes", "correlate", SCORED | WHOLE | SCORES},
    {"tuned", "tuned", WHOLE | SCORES},
    {"objectives", "measure", WHOLE | TRAINED},
    {"slopes", "measure", WHOLE | TRAINED}};
enum { VIEWS = sizeof views / sizeof *views };
_Static_assert((int)VIEWS == (int)ES_EXPORT_COMMANDS + 6,
               "the explorer has all but the last seven, and there the report");

#define VIEW_NAMES                                                                                 \
    "ranking, matrix, tree, correlation, compare, rivals, sets, map, by-task, series, agreement, " \
    "panels, matrices, distance, leaderboard, task-correlation, task-tree, versus, frontier, "     \
    "categories, sizes, tuned, objectives, slopes or sweep"

/* Analyses that make their own sheet come after the views of the table. */
const char *es_export_view_at(size_t at) {
    size_t own = VIEWS;
    for (size_t i = 0; i < es_analysis_count && at >= VIEWS; i++)
        if (es_analyses[i]->make && own++ == at)
            return es_analyses[i]->id;
    return at < VIEWS ? views[at].name : NULL;
}

bool es_export_is_of_named(const char *name) {
    for (size_t i = 0; i < VIEWS; i++)
        if (strcmp(views[i].name, name) == 0)
            return (views[i].is & NAMED) != 0;
    return false;
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
    if (((views[at].is & NAMED) && cli->models != NULL) || at == ES_EXPORT_OF_SETS)
        return ES_OK;
    opened.estimator = opened.preset = NULL;
    if (o->matrix == NULL && (views[at].is & SCORES) == 0)
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

/* "ranking.pdf" is a file, whose view is "ranking". */
static es_status check_ending(es_cli *cli, const char *name, es_error *err) {
    char label[ES_PATH_LABEL];
    for (size_t i = 0; i < VIEWS; i++) {
        size_t length = strlen(views[i].name);
        if (strncmp(name, views[i].name, length) == 0 && name[length] == '.')
            return es_usage(cli, err,
                            "export: '%s' is a file; write: embedscope export %s %s -o %s", name,
                            cli->n_arguments > 1 ? es_path_label(label, cli->arguments[0]) : "POOL",
                            views[i].name, name);
    }
    return ES_OK;
}

/* Other names of a view: of the explorer, or short. */
static const char *view_called(const char *name) {
    static const char *const called[][2] = {
        {"heatmap", "matrix"}, {"rank", "ranking"}, {"corr", "correlation"}, {"table", "ranking"}};
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (strcmp(name, called[i][0]) == 0)
            return called[i][1];
    return name;
}

static es_status find_view(es_cli *cli, const char *name, view *out, es_error *err) {
    name = view_called(name);
    ES_PASS(check_ending(cli, name, err));
    es_suggestion near = {.word = name};
    const char *by_command = NULL; /* the first that it makes */
    for (size_t i = 0; i < VIEWS; i++) {
        if (strcmp(views[i].name, name) == 0) {
            *out = views[i];
            return ES_OK;
        }
        es_suggestion_offer(&near, views[i].name);
        by_command =
            by_command == NULL && strcmp(views[i].command, name) == 0 ? views[i].name : by_command;
    }
    const es_analysis *own = es_analysis_find(name);
    if (own && own->make) {
        *out = (view){own->id, own->id, WHOLE | SCORES};
        return ES_OK;
    }
    near.best = by_command ? by_command : near.best;
    return es_usage(cli, err, "export: no view is called '%s'%s%s%s; there are " VIEW_NAMES, name,
                    near.best ? "; did you mean '" : "", near.best ? near.best : "",
                    near.best ? "'?" : "");
}

/* The view stands behind the pool or the pools, or alone where a file takes their place. */
static es_status take_view(es_cli *cli, view *out, size_t *pools, es_error *err) {
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
static es_status check_several(es_cli *cli, const es_cli *sub, const view *v, es_error *err) {
    const es_options *o = cli->options;
    es_cli ask = *sub;
    bool several = false;
    ES_PASS(es_data_list_asked(&ask, &several, err));
    if ((v->is & SETS) && !several)
        return es_usage(cli, err,
                        "export %s: name several pools, a folder of pools, or --set-rows all",
                        v->name);
    if (!several)
        return ES_OK;
    if ((v->is & (SETS | SEVERAL)) == 0)
        return es_usage(cli, err,
                        "the view %s takes one pool or set; for several there are sets, distance, "
                        "ranking and correlation",
                        v->name);
    if (o->show.count > 0 || o->hide.count > 0)
        return es_usage(cli, err, "--show and --hide are of one pool; --models chooses embedders");
    return ES_OK;
}

/* What was said on the command line must say something to the view. */
static es_status check_options(es_cli *cli, const es_subcommand *command, const view *v,
                               es_error *err) {
    static const char *const of_pictures[] = {"title", "width",   "theme", "task",
                                              "tasks", "colours", "limits"};
    const es_options *o = cli->options;
    const char *name = v->name;
    bool picture = es_format_is_picture(cli->export->format);
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        if (!o->typed[i])
            continue;
        bool names = ((v->is & MEASURES) && strcmp(option->name, "score") == 0) ||
                     ((v->is & COLOURS) && strcmp(option->name, "colour-by") == 0) ||
                     ((v->is & TRAINED) && strcmp(option->name, "sweep") == 0) ||
                     ((v->is & COMMUNITIES) && strcmp(option->name, "resolution") == 0);
        bool of_file = option->field == offsetof(es_options, matrix) ||
                       option->field == offsetof(es_options, ranking);
        if (((option->group & (command->groups | ES_OPTIONS_EXPORT)) == 0 && !names) ||
            (of_file && command->of_vectors))
            return es_usage(cli, err, "--%s has no effect on the view %s", option->name, name);
        for (size_t k = 0; k < sizeof of_pictures / sizeof *of_pictures; k++)
            if (!picture && option->group == ES_OPTIONS_EXPORT &&
                strcmp(option->name, of_pictures[k]) == 0)
                return es_usage(cli, err, "--%s goes with svg, pdf and png, not with %s",
                                option->name, es_format_names[cli->export->format]);
    }
    if (cli->models && o->matrix && (v->is & NAMED) == 0)
        return es_usage(cli, err,
                        "--models goes with a pool, not with --matrix; --show chooses "
                        "what is written");
    bool hidden = o->show.count > 0 || o->hide.count > 0;
    if (hidden && strcmp(name, "map") == 0)
        return es_usage(cli, err, "a map shows the embedders of --models, all of their rows");
    bool enough = strcmp(name, "ranking") == 0 && (o->curve || es_options_given(o, "coverage"));
    if (hidden && ((v->is & WHOLE) || enough || (!picture && (v->is & WHOLE_TABLE))))
        return es_usage(cli, err,
                        "these numbers are over all embedders; --models and --exclude leave "
                        "some out");
    if ((o->task || o->tasks) && strcmp(name, "correlation") != 0 &&
        (o->tasks || (v->is & COLUMN) == 0))
        return es_usage(cli, err, "--task%s goes with the view correlation", o->tasks ? "s" : "");
    if ((o->figure_colours || o->limits) && (v->is & LIMITS) == 0)
        return es_usage(cli, err, "--%s goes with the view matrix, or matrices",
                        o->limits ? "limits" : "colours");
    if (o->groups_by && (v->is & COLOURS) && !picture)
        return es_usage(cli, err, "--colour-by goes with svg, pdf and png, not with %s",
                        es_format_names[cli->export->format]);
    if (o->figure_colours && o->value == (int)ES_VALUE_ASYMMETRY)
        return es_usage(cli, err, "--colours: asymmetry lies on two sides of 0 and has its own");
    if (es_score_measure(o) && (v->is & SCORED) == 0 && picture)
        return es_usage(cli, err,
                        "figures of a measure: views correlation, sweep, agreement and by-task "
                        "(--score), and view matrix (--measure)");
    if (o->sweep.count > 0 && (v->is & UNSWEPT))
        return es_usage(cli, err,
                        "--sweep goes with the views sweep, panels, matrices, agreement, by-task");
    if (strcmp(name, "matrices") == 0 && !o->measure)
        return es_usage(cli, err,
                        "export matrices: of which measures of two embedders? --measure "
                        "cka,knn-overlap");
    if (strcmp(name, "sweep") == 0 && o->sweep.count == 0)
        return es_usage(cli, err, "export sweep: which values? --sweep KEY=V,V");
    if ((v->is & TRAINED) && o->sweep.count == 0)
        return es_usage(cli, err, "export %s: which trained embedders? --sweep NAME", name);
    if (o->task && o->tasks)
        return es_usage(cli, err, "--task and --tasks are two pictures: ask for one");
    return ES_OK;
}

static es_status check_format(es_cli *cli, const char *name, bool fragments, es_error *err) {
    es_output_format format = cli->export->format;
    if (format == ES_FORMAT_DEFAULT)
        return es_usage(cli, err,
                        "export: in which format? Give a file, such as -o %s.pdf, or --format csv, "
                        "json, md, tex, svg, pdf or png (a matrix also jsonl, npz)",
                        name);
    if (format == ES_FORMAT_TABLE)
        return es_usage(cli, err,
                        "export writes no table for terminals; --format md is near to "
                        "one");
    bool of_pairs = format == ES_FORMAT_JSONL || format == ES_FORMAT_NPZ;
    if (format == ES_FORMAT_HTML && !fragments)
        return es_usage(cli, err, "export %s: there is no format html; report writes a page", name);
    if (of_pairs && strcmp(name, "matrix") != 0)
        return es_usage(cli, err, "%s goes with the view matrix", es_format_names[format]);
    if (strcmp(name, "tree") == 0 && (format == ES_FORMAT_MD || format == ES_FORMAT_TEX))
        return es_usage(cli, err, "a tree is not a table: export it as svg, pdf, png, csv or json");
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
    view own = {0};
    const view *v = &own;
    size_t pools = 0;
    char *names = NULL;
    const char **arguments = NULL;
    es_export export = {.format = es_output_format_of(cli, ES_FORMAT_DEFAULT)};
    es_options options = *cli->options;
    es_cli sub = *cli;
    cli->export = sub.export = &export;
    ES_TRY(take_view(cli, &own, &pools, err));
    export.view = v->name;
    es_subcommand of_view = *es_command_find(cli->commands, v->command);
    of_view.of_originals |= cli->command->of_originals; /* in a report */
    sub.command = &of_view;
    ES_TRY(check_format(cli, v->name, of_view.fragments, err));
    ES_TRY(check_options(cli, sub.command, v, err));
    ES_TRY(es_export_theme(cli, err));
    options.format = (int)export.format;
    options.by_task = strcmp(v->name, "by-task") == 0 || strcmp(v->name, "task-correlation") == 0;
    if (strcmp(v->name, "task-tree") == 0 && options.tree_method == ES_TREE_LOUVAIN)
        options.tree_method = ES_TREE_AVERAGE;
    options.by_category = strcmp(v->name, "categories") == 0 || strcmp(v->name, "sizes") == 0;
    sub.options = &options;
    sub.n_arguments = export.pools = pools;
    ES_TRY(check_several(cli, &sub, v, err));
    const char *named = es_score_measure(&options) ? options.score : ""; /* published: no measure */
    const char *measured[] = {pools > 0 ? cli->arguments[0] : NULL,
                              (v->is & TRAINED) ? "probe" : named};
    bool named_measure = (v->is & MEASURES) && options.score;
    if (pools == 1 && (named_measure || (v->is & TRAINED))) {
        sub.arguments = measured;
        sub.n_arguments = 2;
    }
    if (v->is & NAMED)
        ES_TRY(take_compared(cli, &sub, &names, &arguments, err));
    st = sub.command->run(&sub, err);
    cli->exit_code = sub.exit_code;
done:
    es_export_deinit(&export);
    es_free(arguments);
    es_free(names);
    cli->export = NULL;
    return st;
}
