/* What e asks, and the command line made of it and of what is on the screen: marks, order, limits
 * and hidden embedders become options of `embedscope export`. */
#include "app_dialogs.h"

#include <stdio.h>
#include <string.h>

#include "app_sheets.h"
#include "app_corr.h"
#include "app_state.h"
#include "app_lists.h"
#include "app_values.h"
#include "app_look.h"

const char es_export_keys[ES_EXPORT_FORMS] = {'l', 'm', 'c', 'j', 'J', 'n', 's', 'p', 'g', 'h'};

static const struct {
    const char *name, *title;
} forms[ES_EXPORT_FORMS] = {
    [ES_EXPORT_TEX] = {"tex", "LaTeX"},
    [ES_EXPORT_MD] = {"md", "Markdown"},
    [ES_EXPORT_CSV] = {"csv", "CSV"},
    [ES_EXPORT_JSON] = {"json", "JSON"},
    [ES_EXPORT_JSONL] = {"jsonl", "JSON lines"},
    [ES_EXPORT_NPZ] = {"npz", "npz"},
    [ES_EXPORT_SVG] = {"svg", "SVG"},
    [ES_EXPORT_PDF] = {"pdf", "PDF"},
    [ES_EXPORT_PNG] = {"png", "PNG"},
    [ES_EXPORT_HTML] = {"html", "report"},
};

/* The command line's name first, then those of the explorer; and what is true of the export. */
static const struct {
    const char *name[3];
    unsigned traits;
} views[ES_EXPORT_VIEWS] = {
    [ES_EXPORT_RANKING] = {{"ranking", "rank"}, ES_EXPORT_OF_RANKING | ES_EXPORT_TAKES_DERIVED},
    [ES_EXPORT_MATRIX] = {{"matrix", "heatmap"}, ES_EXPORT_OF_VALUES | ES_EXPORT_NAMELESS},
    [ES_EXPORT_TREE] = {{"tree"}, ES_EXPORT_OF_VALUES | ES_EXPORT_NAMELESS},
    [ES_EXPORT_CORRELATION] = {{"correlation", "corr", "correlate"},
                               ES_EXPORT_OF_RANKING | ES_EXPORT_COUNTS_ALL |
                                   ES_EXPORT_NEEDS_SCORES | ES_EXPORT_TAKES_DERIVED},
    [ES_EXPORT_COMPARE] = {{"compare"},
                           ES_EXPORT_OF_ALL | ES_EXPORT_OF_VALUES | ES_EXPORT_TAKES_DERIVED},
    [ES_EXPORT_RIVALS] = {{"rivals"}, ES_EXPORT_OF_ALL | ES_EXPORT_NEEDS_SCORES},
    [ES_EXPORT_SETS] = {{"sets"}, ES_EXPORT_OF_ALL | ES_EXPORT_NAMELESS},
    [ES_EXPORT_MAP] = {{"map"}, ES_EXPORT_OF_ALL | ES_EXPORT_OF_VALUES | ES_EXPORT_NAMELESS},
    [ES_EXPORT_BY_TASK] = {{"by-task"}, ES_EXPORT_OF_ALL | ES_EXPORT_NEEDS_SCORES},
    [ES_EXPORT_SERIES] = {{"series"}, ES_EXPORT_OF_ALL},
    [ES_EXPORT_AGREEMENT] = {{"agreement", "agree"}, ES_EXPORT_COUNTS_ALL},
    [ES_EXPORT_PANELS] = {{"panels"}, ES_EXPORT_COUNTS_ALL | ES_EXPORT_NEEDS_SCORES},
    [ES_EXPORT_MATRICES] = {{"matrices"}, ES_EXPORT_NAMELESS},
    [ES_EXPORT_SWEEP] = {{"sweep"}, 0},
    [ES_EXPORT_LEADERBOARD] = {{"leaderboard"}, ES_EXPORT_OF_BOARD},
    [ES_EXPORT_TASKS] = {{"task-correlation"}, ES_EXPORT_OF_BOARD},
    [ES_EXPORT_TASK_TREE] = {{"task-tree"}, ES_EXPORT_OF_BOARD},
    [ES_EXPORT_VERSUS] = {{"versus"}, ES_EXPORT_OF_BOARD},
    [ES_EXPORT_REPORT] = {{"report"}, ES_EXPORT_OF_ALL | ES_EXPORT_TAKES_DERIVED},
    [ES_EXPORT_SHEET] = {{"sheet"}, ES_EXPORT_OF_ALL},
};

bool es_export_is(es_export_view view, es_export_trait trait) {
    return (views[view].traits & trait) == (unsigned)trait;
}

const char *es_export_view_name(es_export_view view) {
    return views[view].name[0];
}

es_export_view es_export_view_find(const char *name, size_t length) {
    int view = 0;
    for (; view < ES_EXPORT_VIEWS; view++)
        for (size_t k = 0; k < 3 && views[view].name[k] != NULL; k++)
            if (strlen(views[view].name[k]) == length &&
                memcmp(views[view].name[k], name, length) == 0)
                return (es_export_view)view;
    return ES_EXPORT_VIEWS;
}

const char *es_export_form_name(es_export_form form) {
    return forms[form].name;
}
const char *es_export_form_title(es_export_form form) {
    return forms[form].title;
}

es_export_form es_export_form_of(const char *file) {
    const char *dot = strrchr(file, '.');
    int form = 0;
    if (dot == NULL || strchr(dot, '/') != NULL)
        return ES_EXPORT_FORMS;
    while (form < ES_EXPORT_FORMS && strcmp(forms[form].name, dot + 1) != 0)
        form++;
    return (es_export_form)form;
}

static bool is_of_pairs(es_export_form form) {
    return form == ES_EXPORT_JSONL || form == ES_EXPORT_NPZ;
}

bool es_export_is_picture(es_export_form form) {
    return form == ES_EXPORT_SVG || form == ES_EXPORT_PDF || form == ES_EXPORT_PNG;
}

es_export_view es_export_of_view(const es_app *app) {
    if (es_sheets_shown(app)) {
        const char *id = es_sheets_shown(app)->id;
        es_export_view own = es_export_view_find(id, strlen(id));
        return own == ES_EXPORT_VIEWS ? ES_EXPORT_SHEET : own;
    }
    if (app->source->table)
        return ES_EXPORT_LEADERBOARD;
    return es_view_table[app->view].exports;
}

/* The sheet's command and the view of `export` that draws it have one name. */
static bool is_drawn_by_name(const es_app *app) {
    const es_analysis *shown = es_sheets_shown(app);
    return shown && strcmp(shown->id, shown->command) == 0;
}

const char *es_export_form_refusal(const es_app *app, es_export_view view, es_export_form form) {
    bool measured = view == ES_EXPORT_MATRIX && app->set.metric == ES_METRIC_MEASURE;
    if (view == ES_EXPORT_REPORT)
        return form == ES_EXPORT_HTML ? NULL : "a report is a page: html";
    if (form == ES_EXPORT_HTML && !es_export_is(view, ES_EXPORT_OF_BOARD))
        return "html is the format of the report, of the whole pool";
    if (view == ES_EXPORT_SHEET && es_export_is_picture(form) && !is_drawn_by_name(app))
        return "this sheet has no figure: use tex, md, csv or json";
    if (is_of_pairs(form) && (view != ES_EXPORT_MATRIX || measured))
        return "JSON lines and npz are formats of the matrix of information sufficiency";
    if (view == ES_EXPORT_TREE && (form == ES_EXPORT_TEX || form == ES_EXPORT_MD))
        return "a tree is not a table: use csv, json, svg, pdf or png";
    return NULL;
}

void es_export_name(const es_app *app, es_export_request *request) {
    const es_analysis *shown = request->view == ES_EXPORT_SHEET ? es_sheets_shown(app) : NULL;
    if (!request->named)
        (void)snprintf(request->file, sizeof request->file, "%s.%s",
                       shown ? shown->id : views[request->view].name[0], forms[request->form].name);
}

/* ---- What is exported ---- */

const char *es_export_refusal(const es_app *app) {
    const es_source *source = app->source;
    const es_results *r = es_app_chosen(app);
    if (app->export.base[ES_EXPORT_RANKING] == NULL)
        return "the program itself was not found";
    if (source->table)
        return NULL;
    if (r == NULL || r->done == 0)
        return "nothing is estimated yet";
    if (source->read_only)
        return NULL;
    if (source->store_path == NULL)
        return "these results are in memory only (--no-store)";
    if (source->store_problem.code != ES_OK)
        return "it reads stored results, and these could not be stored: 7 shows why";
    return NULL;
}

/* The embedders of the map that is shown; else the first two that are compared. */
static size_t mapped(const es_app *app, size_t item[2]) {
    const es_analysis *shown = es_sheets_shown(app);
    if (shown && shown->of == ES_ANALYSIS_OF_EMBEDDERS)
        return es_sheets_embedders(app, item);
    for (size_t k = 0; k < 2; k++)
        item[k] = app->set.compare.item[k];
    return app->set.compare.count < 2 ? 0 : 2;
}

/* The two models of the sheet that is shown, a line each; NULL: it is of none. */
static const char *versus_of(const es_app *app) {
    const es_analysis *shown = es_sheets_shown(app);
    return shown && shown->of == ES_ANALYSIS_OF_MODELS ? app->sheets->of : NULL;
}

const char *es_export_view_refusal(const es_app *app, es_export_view view) {
    const char *why = es_export_refusal(app);
    size_t item[2];
    if (why != NULL)
        return why;
    if (app->source->table && !es_export_is(view, ES_EXPORT_OF_BOARD))
        return "of a table of scores there are leaderboard, task-correlation, task-tree, versus";
    if (view == ES_EXPORT_VERSUS && versus_of(app) == NULL)
        return "no two models are compared: gs versus, or 6 in a table of scores";
    if (view == ES_EXPORT_SETS && app->sets.count == 0)
        return "one pool is open";
    if (view == ES_EXPORT_SHEET)
        return es_sheets_shown(app) == NULL     ? "no sheet is shown"
               : es_export_of_view(app) != view ? "this sheet has a name of its own"
               : app->sheets->command.count < 3 ? "this sheet is not made yet"
                                                : NULL;
    if (app->export.base[view] == NULL)
        return "--models chooses a part of this pool, and for compare it names those compared";
    if (es_export_is(view, ES_EXPORT_NEEDS_SCORES) && app->corr->tasks == 0)
        return "there are no scores";
    if (view == ES_EXPORT_PANELS && es_app_measures(app, false) + es_app_measures(app, true) == 0)
        return "panels are of measures; gm chooses one";
    if (view == ES_EXPORT_MATRICES && es_app_measures(app, true) == 0)
        return "matrices are of measures of two embedders, such as cka; gm chooses one";
    if (view == ES_EXPORT_SWEEP && app->set.sweep[0] == '\0')
        return "no sweep yet; :sweep KEY=VALUE,VALUE starts one";
    if (view == ES_EXPORT_SERIES && (es_sheets_there(app) & ES_ANALYSIS_NEEDS_SERIES) == 0)
        return "no embedder is a step of a series; see help series";
    bool nothing = view == ES_EXPORT_MAP ? mapped(app, item) == 0 : app->set.compare.count < 2;
    if ((view == ES_EXPORT_COMPARE || view == ES_EXPORT_MAP) && nothing)
        return "no embedders are compared yet; c compares";
    return NULL;
}

static bool is_known(const es_app *app, es_export_view view, size_t item) {
    const es_results *r = es_app_chosen(app);
    bool found = false;
    if (item < app->n && es_export_is(view, ES_EXPORT_OF_RANKING) &&
        es_ranked_leaves_out(app, item))
        return false;
    for (size_t p = 0; r != NULL && p < r->m && !found; p++)
        found = r->model[p] == item;
    return found && item < app->n;
}

static bool is_shown(const es_app *app, bool marked, size_t item) {
    if (marked)
        return app->marked[item];
    return !app->hidden[item] &&
           (app->set.filter[0] == '\0' || es_filter_pass(app, app->set.filter, item, NULL, 0));
}

/* What the command writes of all, whoever is chosen: tables of agreement. */
static bool is_whole(const es_export_request *request) {
    return (request->view == ES_EXPORT_AGREEMENT || request->view == ES_EXPORT_PANELS) &&
           !es_export_is_picture(request->form);
}

es_export_choice es_export_choose(const es_app *app, const es_export_request *request) {
    es_export_choice choice = {0};
    for (size_t i = 0; i < app->n && !request->all && !choice.marked; i++)
        choice.marked = app->marked[i] && is_known(app, request->view, i);
    for (size_t i = 0; i < app->n; i++)
        if (is_known(app, request->view, i)) {
            choice.of++;
            choice.shown += is_whole(request) || is_shown(app, choice.marked, i);
        }
    return choice;
}

/* The field of a measure that cells show: `embedscope measure` writes it as a table, and a picture
 * is of the matrix with --measure. */
static const char *measure_of(const es_app *app, const es_export_request *request) {
    bool shown = request->view == ES_EXPORT_MATRIX && app->set.metric == ES_METRIC_MEASURE;
    return shown && app->set.matrix < es_app_measures(app, true)
               ? es_measure_title(app, true, app->set.matrix)
               : NULL;
}

/* A line that names an estimator ranks by its published score, as a run of one does. Any other
 * ranking, and the order and the places that follow from it, is that of a line that names none. */
static bool says_estimator(const es_app *app, es_export_view view) {
    bool chosen = app->wanted_entry != ES_NONE;
    if (view == ES_EXPORT_SETS || view == ES_EXPORT_SWEEP)
        return false;
    if (view == ES_EXPORT_REPORT)
        return chosen; /* else each of its parts chooses, as the views do */
    bool values = es_export_is(view, ES_EXPORT_OF_VALUES),
         ranks = es_export_is(view, ES_EXPORT_OF_RANKING) || values || view == ES_EXPORT_SERIES;
    return app->source->plan == 1 || (app->ranked.published && ranks) || (chosen && values);
}

void es_export_remark(const es_app *app, const es_export_request *request, char *out,
                      size_t capacity) {
    es_heat_metric metric = app->set.metric;
    const char *text = "";
    if (request->view == ES_EXPORT_MATRIX && app->set.transposed)
        text = "A file always has sources in rows, targets in columns.";
    bool other = metric == ES_METRIC_NATS || metric == ES_METRIC_REFINED ||
                 (metric == ES_METRIC_MEASURE && measure_of(app, request) == NULL);
    if (request->view == ES_EXPORT_MATRIX && request->form != ES_EXPORT_JSON && other)
        text = "The file shows IS/d, not what the cells show now.";
    if (request->view == ES_EXPORT_MATRIX && es_app_merged(app))
        text = "The file is of the best estimator that is complete, not of the best known pairs.";
    bool ranked = request->view == ES_EXPORT_COMPARE ||
                  (request->view == ES_EXPORT_MATRIX && app->set.order == ES_ORDER_RANK);
    if (ranked && says_estimator(app, request->view) && app->source->plan > 1 &&
        !app->ranked.published)
        text = "Ranks in the file are by the published score of this estimator.";
    if (request->view == ES_EXPORT_CORRELATION && (es_select_hidden(app) > 0 || app->set.filter[0]))
        text = "Coefficients are over all embedders, as embedscope correlate gives them.";
    if (request->view == ES_EXPORT_CORRELATION && es_corr_excluded(app) > 0)
        text = "Points left out with x count here; open the pool with --exclude to leave them out.";
    (void)snprintf(out, capacity, "%s", text);
}

/* ---- The command line ---- */

static bool add_two(es_words *line, const char *option, const char *value) {
    return es_words_add(line, option, NULL) == ES_OK && es_words_add(line, value, NULL) == ES_OK;
}

/* Names between commas. One inside a name stands for any character, as patterns have it. */
static void put_name(es_buf *list, const char *name, bool pattern) {
    es_buf_puts(list, list->length > 0 ? "," : "");
    for (; *name != '\0'; name++)
        es_buf_putc(list, pattern && *name == ',' ? '?' : *name);
}

static bool add_list(es_words *line, const char *option, es_buf *list) {
    bool added = !list->failed && list->data != NULL && add_two(line, option, list->data);
    es_buf_free(list);
    return added;
}

static bool add_compared(const es_app *app, es_words *line) {
    const es_compare_settings *set = &app->set.compare;
    es_buf list = {0};
    for (size_t i = 0; i < set->count; i++)
        put_name(&list, es_app_model(app, set->item[i])->name, false);
    return add_list(line, "--models", &list);
}

/* Marks are named; otherwise whichever list is shorter. */
static bool add_choice(const es_app *app, const es_export_request *request, es_words *line) {
    es_export_choice choice = es_export_choose(app, request);
    bool named = choice.marked || 2 * choice.shown < choice.of;
    es_buf list = {0};
    if (choice.shown == choice.of)
        return true;
    for (size_t i = 0; i < app->n; i++)
        if (is_known(app, request->view, i) && is_shown(app, choice.marked, i) == named)
            put_name(&list, es_app_model(app, i)->name, true);
    return add_list(line, named ? "--show" : "--hide", &list);
}

/* The cells, where the command line has a word for them. */
static const char *value_of(es_heat_metric metric) {
    switch (metric) {
    case ES_METRIC_SE:
    case ES_METRIC_ASYMMETRY:
    case ES_METRIC_SECONDS:
    case ES_METRIC_H_COND:
        return es_metric_name(metric);
    default:
        return NULL;
    }
}

/* Names that were accepted, for commands that ask for scores by name. */
static bool add_names(const es_app *app, es_export_view view, es_words *line) {
    char match[256];
    if (es_export_is(view, ES_EXPORT_NAMELESS))
        return true;
    for (size_t i = 0; i < app->n; i++) {
        if (!app->accepted[i] || app->corr->partner[i] == ES_NONE)
            continue;
        const es_source *source = app->source;
        (void)snprintf(match, sizeof match, "%s=%s", es_app_model(app, i)->name,
                       source->scores.model[app->corr->partner[i]]);
        if (!add_two(line, "--match", match))
            return false;
    }
    return true;
}

/* The colours of the screen, except the theme's own map, and where they end. */
static bool add_colours(const es_app *app, es_words *line) {
    es_heat_metric metric = value_of(app->set.metric) != NULL ? app->set.metric : ES_METRIC_IS;
    const es_limits *limits = &app->limits[metric];
    char ends[64];
    if (app->set.colours > 0 && !es_metric_diverging(metric) &&
        !add_two(line, "--colours", es_colormap_names[app->set.colours]))
        return false;
    (void)snprintf(ends, sizeof ends, "%.4g,%.4g", limits->low, limits->high);
    return limits->known == 0 || !(limits->low < limits->high) || add_two(line, "--limits", ends);
}

/* What was chosen of the sheet that is shown, where the file is of the same. */
static bool add_chosen(const es_app *app, es_export_view view, es_words *line) {
    bool chosen = es_sheets_shown(app) && es_export_of_view(app) == view && app->sheets->choice;
    return !chosen || es_words_add(line, app->sheets->choice, NULL) == ES_OK;
}

static bool add_mapped(const es_app *app, es_words *line) {
    size_t item[2], of = mapped(app, item);
    es_buf names = {0};
    for (size_t k = 0; k < of; k++)
        put_name(&names, es_app_model(app, item[k])->name, false);
    return of > 0 && add_list(line, "--models", &names) && add_chosen(app, ES_EXPORT_MAP, line);
}

static bool add_versus(const es_app *app, es_words *line) {
    const char *of = versus_of(app);
    size_t first = of ? strcspn(of, "\n") : 0;
    es_buf names = {0};
    if (of)
        es_buf_printf(&names, "%.*s,%s", (int)first, of, of + first + (of[first] != '\0'));
    return add_list(line, "--models", &names);
}

/* The task that the sheet shown is against. */
static bool add_task(const es_app *app, es_words *line) {
    const es_analysis *shown = es_sheets_shown(app);
    bool against = shown && strcmp(shown->id, "task-correlation") == 0 && app->sheets->of;
    return !against || es_words_add(line, app->sheets->of, NULL) == ES_OK;
}

/* The measures that are known, beside the predictive score; without one, none is computed. */
static bool add_measures(const es_app *app, es_words *line) {
    es_buf names = {0};
    es_measure_names_put(app, &names);
    bool whole = !names.failed && add_two(line, "--score",
                                          app->set.published ? "published"
                                          : names.length > 0 ? names.data
                                                             : "predictive");
    es_buf_free(&names);
    return whole;
}

static bool add_matrices(const es_app *app, es_words *line) {
    es_buf names = {0};
    for (size_t k = 0; k < es_app_measures(app, true); k++)
        if (!app->source->measure[true][k].fact)
            es_buf_printf(&names, "%s%s", names.length > 0 ? "," : "",
                          es_measure_title(app, true, k));
    bool whole = !names.failed && names.length > 0 && add_two(line, "--measure", names.data) &&
                 add_two(line, "--order", es_matrix_order_names[app->set.order]);
    es_buf_free(&names);
    return whole;
}

/* Communities are those of the screen: in the ranking's column, in that order of a matrix, as the
 * colours of its picture and of a correlation's. */
static bool add_resolution(const es_app *app, const es_export_request *request, es_words *line) {
    bool picture = es_export_is_picture(request->form), shown = request->view == ES_EXPORT_TREE;
    double now = es_tree_resolution(app);
    char number[32];
    if (now != ES_LOUVAIN_RESOLUTION)
        shown = shown || request->view == ES_EXPORT_RANKING ||
                request->view == ES_EXPORT_CORRELATION ||
                (request->view == ES_EXPORT_MATRIX && picture) ||
                ((request->view == ES_EXPORT_MATRIX || request->view == ES_EXPORT_MATRICES) &&
                 app->set.order == ES_ORDER_COMMUNITY);
    (void)snprintf(number, sizeof number, "%.15g", now);
    return !shown || add_two(line, "--resolution", number);
}

static bool add_view(const es_app *app, const es_export_request *request, es_words *line) {
    const struct es_corr *corr = app->corr;
    const char *value = value_of(app->set.metric);
    bool picture = es_export_is_picture(request->form);
    if (!add_resolution(app, request, line))
        return false;
    switch (request->view) {
    case ES_EXPORT_MATRIX:
        if (!add_two(line, "--order", es_matrix_order_names[app->set.order]))
            return false;
        if (value != NULL && request->form != ES_EXPORT_JSON && !is_of_pairs(request->form) &&
            !add_two(line, "--value", value))
            return false;
        return !picture || add_colours(app, line);
    case ES_EXPORT_CORRELATION:
        if (picture && corr->task < corr->columns &&
            !add_two(line, "--task", es_corr_task_name(app, corr->task)))
            return false;
        return true;
    case ES_EXPORT_COMPARE:
        return add_compared(app, line);
    case ES_EXPORT_MAP:
        return add_mapped(app, line);
    case ES_EXPORT_TASKS:
        return add_task(app, line);
    case ES_EXPORT_VERSUS:
        return add_versus(app, line);
    case ES_EXPORT_BY_TASK:
    case ES_EXPORT_AGREEMENT:
        return add_measures(app, line);
    case ES_EXPORT_PANELS:
        if (!add_two(line, "--against", es_corr_task_name(app, corr->task)))
            return false;
        return add_measures(app, line);
    case ES_EXPORT_MATRICES:
        return add_matrices(app, line);
    case ES_EXPORT_SWEEP:
        return es_sweep_words(app, line, NULL) == ES_OK;
    case ES_EXPORT_SETS:
        if (app->set.published && !add_two(line, "--score", "published"))
            return false;
        return add_chosen(app, request->view, line);
    default:
        return true;
    }
}

static bool add_look(const es_app *app, const es_export_request *request, es_words *line) {
    if (es_export_is_picture(request->form)) {
        if (request->width != ES_EXPORT_USUAL &&
            !add_two(line, "--width", request->width == ES_EXPORT_SINGLE ? "single" : "double"))
            return false;
        if (request->look != ES_EXPORT_LIGHT &&
            !add_two(line, "--theme", request->look == ES_EXPORT_DARK ? "dark" : app->theme))
            return false;
        if (request->look == ES_EXPORT_THEME && app->theme_dir != NULL &&
            !add_two(line, "--theme-dir", app->theme_dir))
            return false;
    }
    if (es_export_form_of(request->file) != request->form && request->form != ES_EXPORT_HTML &&
        !add_two(line, "--format", forms[request->form].name))
        return false;
    return add_two(line, "-o", request->file);
}

/* Adds the words of the command that exports: "embedscope export POOL VIEW --models ...", or with a
 * measure "embedscope measure POOL MEASURE ...". */
static bool add_base(const char *const *base, const char *measure, es_words *line) {
    bool whole = true;
    for (size_t i = 0; base != NULL && base[i] != NULL && whole; i++) {
        const char *word = measure != NULL && i == 1   ? "measure"
                           : measure != NULL && i == 3 ? measure
                                                       : base[i];
        whole = es_words_add(line, word, NULL) == ES_OK;
    }
    return whole;
}

/* "embedscope COMMAND POOL ... -o FILE", as the sheet was asked for; a figure by `export`. */
static bool add_sheet(const es_app *app, const es_export_request *request, es_words *line) {
    const es_words *command = &app->sheets->command;
    bool drawn = es_export_is_picture(request->form), whole = true;
    for (size_t i = 0; i < command->count && whole; i++) {
        whole = es_words_add(line, drawn && i == 1 ? "export" : command->word[i], NULL) == ES_OK;
        if (drawn && i == 2)
            whole = whole && es_words_add(line, app->sheets->shown->id, NULL) == ES_OK;
    }
    return whole && add_look(app, request, line);
}

/* Which results, and whether derived embedders vote, where a line without it says otherwise. */
static bool add_ranked(const es_app *app, es_export_view view, es_words *line) {
    const es_results *r = es_app_chosen(app);
    if (r != NULL && r->estimator != NULL && says_estimator(app, view) &&
        !(add_two(line, "--estimator", r->estimator->name) &&
          (r->preset == NULL || strcmp(r->preset, "default") == 0 ||
           add_two(line, "--preset", r->preset))))
        return false;
    return !app->set.with_derived || !es_export_is(view, ES_EXPORT_TAKES_DERIVED) ||
           es_words_add(line, "--with-derived", NULL) == ES_OK;
}

/* All behind the words that such a line begins with. */
static bool add_rest(const es_app *app, const es_export_request *request, const char *measure,
                     es_words *line) {
    es_export_view view = request->view;
    const char *score = view == ES_EXPORT_CORRELATION ? es_axis_title(app, app->set.axis) : NULL;
    if (measure != NULL && !es_export_is_picture(request->form))
        return add_two(line, "--format", forms[request->form].name) &&
               add_two(line, "-o", request->file);
    if (measure != NULL)
        return add_two(line, "--measure", measure) && add_colours(app, line) &&
               add_choice(app, request, line) && add_look(app, request, line);
    return (score != NULL ? add_two(line, "--score", score) : add_ranked(app, view, line)) &&
           add_view(app, request, line) && add_names(app, view, line) &&
           (es_export_is(view, ES_EXPORT_OF_ALL) || add_choice(app, request, line)) &&
           add_look(app, request, line);
}

es_status es_export_words(const es_app *app, const es_export_request *request, es_words *out) {
    const char *measure = measure_of(app, request);
    bool drawn = measure != NULL && es_export_is_picture(request->form);
    es_words line = {0};
    bool whole = request->view == ES_EXPORT_SHEET
                     ? add_sheet(app, request, &line)
                     : add_base(app->export.base[request->view], drawn ? NULL : measure, &line) &&
                           add_rest(app, request, measure, &line);
    if (whole)
        *out = line;
    else
        es_words_deinit(&line);
    return whole ? ES_OK : ES_ENOMEM;
}

char *es_export_text(const es_app *app, const es_export_request *request) {
    es_words line = {0};
    es_buf text = {0};
    if (es_export_words(app, request, &line) != ES_OK)
        return NULL;
    es_words_put(&line, &text);
    es_words_deinit(&line);
    return es_buf_take(&text);
}
