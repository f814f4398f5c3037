/* What a run is to be: the values of the run dialog, what they cost by the pairs that are known,
 * and the lines made of them. */
#include "app_dialogs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"

static const char *const names[ES_PLANNER_FIELDS] = {
    [ES_PLANNER_ESTIMATOR] = "estimator", [ES_PLANNER_PRESET] = "preset",
    [ES_PLANNER_ROWS] = "rows",           [ES_PLANNER_SEED] = "seed",
    [ES_PLANNER_THREADS] = "threads",
};

const char *es_planner_name(es_planner_field field) {
    return names[field];
}

es_planner_field es_planner_field_of(const char *name, size_t length) {
    int field = 0;
    while (field < ES_PLANNER_FIELDS &&
           (strlen(names[field]) != length || memcmp(names[field], name, length) != 0))
        field++;
    return (es_planner_field)field;
}

bool es_planner_is_number(es_planner_field field) {
    return field != ES_PLANNER_ESTIMATOR && field != ES_PLANNER_PRESET;
}

/* ---- Choices ---- */

/* The plan without --estimator, for people: "linear, then knife". */
static void planner_standard(char *out, size_t capacity) {
    out[0] = '\0';
    for (const es_plan_step *at = es_session_standard; at->estimator; at++)
        es_phrase_add(out, capacity, "%s%s%s%s", at > es_session_standard ? ", then " : "",
                      at->estimator, at->preset ? " " : "", at->preset ? at->preset : "");
}

const es_estimator *es_planner_estimator(const es_planner_request *request) {
    return es_estimator_find(request->value[ES_PLANNER_ESTIMATOR]);
}

const es_preset *es_planner_preset(const es_planner_request *request) {
    const es_estimator *estimator = es_planner_estimator(request);
    const char *name = request->value[ES_PLANNER_PRESET];
    const es_preset *preset = estimator != NULL ? estimator->presets : NULL;
    while (preset != NULL && preset->name != NULL && name[0] != '\0' &&
           strcmp(preset->name, name) != 0)
        preset++;
    return preset != NULL && preset->name != NULL ? preset : NULL;
}

const char *es_planner_choice(const es_planner_request *request, es_planner_field field,
                              size_t index) {
    const es_estimator *estimator = es_planner_estimator(request);
    if (index == 0)
        return "";
    if (field == ES_PLANNER_ESTIMATOR)
        return es_estimators[index - 1] != NULL ? es_estimators[index - 1]->name : NULL;
    if (estimator == NULL || field != ES_PLANNER_PRESET)
        return NULL;
    return estimator->presets[index].name; /* the first one is the default */
}

/* ---- What is open ---- */

/* The next line "option=value" of a plan; false behind the last. */
static bool next_line(const char **at, es_planner_field *field, const char **value,
                      size_t *length) {
    const char *line = *at;
    size_t all = strcspn(line, "\n"), name = strcspn(line, "=\n");
    if (line[0] == '\0')
        return false;
    *field = es_planner_field_of(line, name);
    *value = line + name + (line[name] == '=');
    *length = (size_t)(line + all - *value);
    *at = line + all + (line[all] == '\n');
    return true;
}

void es_app_planning(es_app *app, const es_planning *planning) {
    es_planner_state *p = &app->planner;
    const char *at = planning->open, *value = NULL;
    size_t length = 0;
    es_planner_field field;
    *p = (es_planner_state){.from = *planning};
    while (next_line(&at, &field, &value, &length))
        if (field != ES_PLANNER_FIELDS)
            (void)snprintf(p->open.value[field], ES_PLANNER_VALUE, "%.*s", (int)length, value);
    p->threads = app->source->threads;
    p->now = p->open;
}

void es_planner_begin(const es_app *app, es_planner_request *out) {
    unsigned threads = app->source->threads;
    *out = app->planner.open;
    if (threads != app->planner.threads)
        (void)snprintf(out->value[ES_PLANNER_THREADS], ES_PLANNER_VALUE, "%u", threads);
}

/* 0 is what a number is without its option. */
static bool is_unsaid(const char *value) {
    return value[strspn(value, "0")] == '\0';
}

static bool is_same(const es_planner_request *a, const es_planner_request *b,
                    es_planner_field field) {
    const char *x = a->value[field], *y = b->value[field];
    if (es_planner_is_number(field) && is_unsaid(x) && is_unsaid(y))
        return true;
    return strcmp(x, y) == 0;
}

bool es_planner_differs(const es_app *app, const es_planner_request *request) {
    const es_planner_request *open = &app->planner.open;
    for (int field = 0; field < ES_PLANNER_FIELDS; field++)
        if (field != ES_PLANNER_THREADS && !is_same(request, open, (es_planner_field)field))
            return true;
    /* all cores: how many that is, the session says that is opened with them */
    return is_unsaid(request->value[ES_PLANNER_THREADS]) &&
           (app->source->threads != app->planner.threads ||
            !is_unsaid(open->value[ES_PLANNER_THREADS]));
}

/* Settings of --set belong to the estimator that they were said for. */
static bool keeps_settings(const es_app *app, const es_planner_request *request) {
    return is_same(request, &app->planner.open, ES_PLANNER_ESTIMATOR);
}

size_t es_planner_rows(const es_app *app) {
    size_t most = 0;
    for (size_t i = 0; i < app->n; i++)
        if (es_app_model(app, i)->state != ES_MODEL_EXCLUDED && es_app_model(app, i)->rows > most)
            most = es_app_model(app, i)->rows;
    return most;
}

void es_planner_shown(const es_app *app, const es_planner_request *request, es_planner_field field,
                      char *out, size_t capacity) {
    const char *value = request->value[field];
    unsigned threads = app->planner.threads;
    if (field == ES_PLANNER_ESTIMATOR && value[0] == '\0')
        planner_standard(out, capacity);
    else if (field == ES_PLANNER_PRESET && value[0] == '\0')
        (void)snprintf(out, capacity, "default");
    else if (field == ES_PLANNER_ROWS && is_unsaid(value))
        (void)snprintf(out, capacity,
                       es_planner_rows(app) > ES_ROWS_LARGE ? "auto, of %zu" : "all %zu",
                       es_planner_rows(app));
    else if (field == ES_PLANNER_SEED && value[0] == '\0')
        (void)snprintf(out, capacity, "0");
    else if (field == ES_PLANNER_THREADS && is_unsaid(value) &&
             app->planner.open.value[field][0] != '\0')
        (void)snprintf(out, capacity, "all cores");
    else if (field == ES_PLANNER_THREADS && is_unsaid(value))
        (void)snprintf(out, capacity, "%u, all cores", threads);
    else
        (void)snprintf(out, capacity, "%s", value);
}

/* ---- Is it possible? ---- */

es_status es_planner_problem(const es_app *app, const es_planner_request *request, es_error *err) {
    char *lines = es_planner_lines(app, request);
    es_status st = ES_OK;
    if (lines == NULL)
        st = es_no_memory(err);
    else if (app->planner.from.check != NULL)
        st = app->planner.from.check(lines, err);
    es_free(lines);
    return st;
}

const char *es_planner_refusal(const es_app *app) {
    if (app->source->read_only)
        return "results only, nothing to run";
    return app->planner.from.command == NULL ? "the command line is not available" : NULL;
}

/* ---- What it costs ---- */

/* The results of this estimator with the same settings, of the rows that what is asked for takes.
 */
static const es_results *same_results(const es_app *app, const es_planner_request *request,
                                      const es_plan_step *step) {
    const es_source *source = app->source;
    const char *wanted = request->value[ES_PLANNER_PRESET];
    const char *preset = step->preset ? step->preset : wanted[0] != '\0' ? wanted : "default";
    bool has_settings = strstr(app->planner.from.open, "set=") != NULL;
    if (!is_same(request, &app->planner.open, ES_PLANNER_ROWS) ||
        (has_settings && !keeps_settings(app, request)))
        return NULL;
    for (size_t e = 0; e < source->plan; e++) {
        const es_results *r = source->results[e];
        if (r != NULL && r->estimator != NULL && strcmp(r->estimator->name, step->estimator) == 0 &&
            r->preset != NULL && strcmp(r->preset, preset) == 0)
            return r;
    }
    return NULL;
}

/* Of one thread, for the pairs like these results that are not known, or for all. */
static double seconds_of(const es_app *app, const es_results *r, bool all) {
    const es_source *source = app->source;
    const es_outlook *outlook = source->outlook;
    for (size_t e = 0; r != NULL && outlook != NULL && e < outlook->parts; e++)
        if (source->results[e] == r)
            return all ? outlook->part[e].whole : outlook->part[e].seconds;
    return (double)NAN;
}

es_planner_outlook es_planner_look(const es_app *app, const es_planner_request *request) {
    const es_plan_step one[] = {{request->value[ES_PLANNER_ESTIMATOR], NULL}, {0}};
    const es_plan_step *plan = one->estimator[0] != '\0' ? one : es_session_standard;
    const char *threads = request->value[ES_PLANNER_THREADS];
    double workers = is_unsaid(threads) ? app->planner.threads : strtod(threads, NULL);
    size_t pairs = es_app_pairs(app);
    es_planner_outlook look = {0};
    for (; plan->estimator != NULL; plan++) {
        const es_results *r = same_results(app, request, plan);
        bool counts = r != NULL && is_same(request, &app->planner.open, ES_PLANNER_SEED);
        size_t known = counts ? r->done : 0;
        look.pairs += pairs;
        look.known += known;
        if (known < pairs)
            look.seconds += seconds_of(app, r, !counts);
    }
    look.seconds /= workers > 1 ? workers : 1;
    return look;
}

void es_planner_remark(const es_app *app, const es_planner_request *request, char *out,
                       size_t capacity) {
    const char *rows = request->value[ES_PLANNER_ROWS];
    size_t most = es_planner_rows(app);
    es_buf text = {0};
    if (strstr(app->planner.from.open, "set=") != NULL && !keeps_settings(app, request))
        es_buf_puts(&text,
                    "Settings given with --set are left out: they are another estimator's. ");
    const char *number = rows + (strncmp(rows, "first:", 6) == 0 ? 6 : 0);
    if (most > 0 && strtod(number, NULL) > (double)most)
        es_buf_printf(&text, "The pool has %zu rows: all are taken. ", most);
    (void)snprintf(out, capacity, "%s", text.data != NULL ? text.data : "");
    es_buf_free(&text);
}

/* ---- In words ---- */

char *es_planner_lines(const es_app *app, const es_planner_request *request) {
    const char *at = app->planner.from.open, *value = NULL, *line = at;
    size_t length = 0;
    es_planner_field field;
    es_buf out = {0};
    es_buf_puts(&out, "");
    for (int f = 0; f < ES_PLANNER_FIELDS; f++)
        if (request->value[f][0] != '\0')
            es_buf_printf(&out, "%s=%s\n", names[f], request->value[f]);
    for (; keeps_settings(app, request) && next_line(&at, &field, &value, &length); line = at)
        if (field == ES_PLANNER_FIELDS)
            es_buf_add(&out, line, (size_t)(at - line));
    return es_buf_take(&out);
}

/* An option that the line would have without a word is said too, in case a file of defaults says
 * otherwise. */
static const char *said(const es_app *app, const es_planner_request *request,
                        es_planner_field field) {
    if (request->value[field][0] != '\0')
        return request->value[field];
    if (app->planner.open.value[field][0] == '\0' || field == ES_PLANNER_ESTIMATOR)
        return NULL;
    return field == ES_PLANNER_PRESET ? "default" : "0";
}

char *es_planner_text(const es_app *app, const es_planner_request *request) {
    const char *const *word = app->planner.from.command;
    const char *at = app->planner.from.open, *value = NULL;
    size_t length = 0;
    es_planner_field field;
    es_buf out = {0};
    for (size_t i = 0; word != NULL && word[i] != NULL; i++) {
        es_buf_puts(&out, i > 0 ? " " : "");
        es_buf_put_shell(&out, word[i]);
    }
    for (int f = 0; f < ES_PLANNER_FIELDS; f++) {
        const char *text = said(app, request, (es_planner_field)f);
        if (text != NULL)
            es_buf_printf(&out, " --%s %s", names[f], text);
    }
    while (keeps_settings(app, request) && next_line(&at, &field, &value, &length))
        if (field == ES_PLANNER_FIELDS) {
            char setting[256];
            (void)snprintf(setting, sizeof setting, "%.*s", (int)length, value);
            es_buf_puts(&out, " --set ");
            es_buf_put_shell(&out, setting);
        }
    return es_buf_take(&out);
}
