/* The run dialog's keys, and :run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_commands.h"

/* ---- Starting ---- */

const char *es_planner_hindrance(const es_app *app, const es_planner_request *request) {
    if (!es_planner_differs(app, request))
        return es_refuse_start(app);
    if (es_app_running(app))
        return "a run is on; X cancels it, finished pairs are kept";
    return es_app_unsaved(app);
}

/* Starts the planned run, or says why it cannot start. */
static void start_planned(es_app *app, const es_planner_request *request, es_effects *effects) {
    es_error err = {0};
    const char *threads = request->value[ES_PLANNER_THREADS];
    const char *hindrance = es_planner_hindrance(app, request);
    if (es_planner_problem(app, request, &err) != ES_OK) {
        es_app_notice(app, err.code, "run: %s", err.message);
        return;
    }
    if (hindrance != NULL) {
        es_app_notice(app, ES_EINVAL, "run: %s", hindrance);
        return;
    }
    app->mode = ES_MODE_NORMAL;
    if (es_planner_differs(app, request)) {
        char *lines = es_planner_lines(app, request);
        if (lines == NULL)
            es_app_notice(app, ES_ENOMEM, "out of memory");
        else
            es_effect_add(app, effects, ES_FX_PLAN, 0, false, lines);
        es_free(lines);
        return;
    }
    size_t wanted = strtoul(threads, NULL, 10);
    if (wanted > 0 && wanted != app->source->threads)
        es_effect_add(app, effects, ES_FX_THREADS, wanted, false, NULL);
    es_call call = {app, effects, ES_COMMAND_START, 0, NULL};
    es_command_attempt(&call, es_command_estimate, es_refuse_start);
}

/* ---- Values ---- */

/* The one before or behind the present one, round and round. */
static void choose(es_planner_request *request, es_planner_field field, int step) {
    size_t count = 1, at = 0; /* "" is the first */
    for (const char *name; (name = es_planner_choice(request, field, count)) != NULL; count++)
        if (strcmp(name, request->value[field]) == 0)
            at = count;
    at = (at + count + (size_t)(step < 0 ? -1 : 1)) % count;
    (void)snprintf(request->value[field], ES_PLANNER_VALUE, "%s",
                   es_planner_choice(request, field, at));
    if (field == ES_PLANNER_ESTIMATOR)
        request->value[ES_PLANNER_PRESET][0] = '\0';
}

/* Rows go in halves of what there is; seed and threads one by one. */
static void count_on(const es_app *app, es_planner_request *request, es_planner_field field,
                     int step) {
    unsigned long long value = strtoull(request->value[field], NULL, 10);
    unsigned long long rows = es_planner_rows(app);
    if (field == ES_PLANNER_THREADS && value == 0)
        value = app->planner.threads;
    if (field == ES_PLANNER_ROWS && step < 0)
        value = value == 0 ? rows / 2 : value > 1 ? value / 2 : value;
    else if (field == ES_PLANNER_ROWS)
        value = value == 0 || 2 * value >= rows ? 0 : 2 * value;
    else if (step > 0)
        value += value < UINT64_MAX;
    else
        value -= value > (field == ES_PLANNER_THREADS ? 1U : 0U);
    request->value[field][0] = '\0';
    if (value > 0)
        (void)snprintf(request->value[field], ES_PLANNER_VALUE, "%llu", value);
}

/* Steps the field under the cursor to its next or previous value. */
static void change_field(es_app *app, int step) {
    es_planner_state *p = &app->planner;
    if (es_planner_is_number(p->field))
        count_on(app, &p->now, p->field, step);
    else
        choose(&p->now, p->field, step);
    p->fresh = true;
}

static void go(es_planner_state *p, int step) {
    p->field = (es_planner_field)(((int)p->field + ES_PLANNER_FIELDS + step) % ES_PLANNER_FIELDS);
    p->fresh = true;
}

/* Types or deletes a digit in a field of numbers. */
static void type_digit(es_planner_state *p, uint32_t key) {
    char *value = p->now.value[p->field];
    size_t length = p->fresh && key != ES_KEY_BACKSPACE ? 0 : strlen(value);
    if (!es_planner_is_number(p->field))
        return;
    p->fresh = false;
    if (key == ES_KEY_BACKSPACE)
        value[length > 0 ? length - 1 : 0] = '\0';
    else if (length + 1 < ES_PLANNER_VALUE) {
        value[length] = (char)key;
        value[length + 1] = '\0';
    }
}

/* Handles a key of the dialog that plans a run. */
void es_planner_key(es_app *app, uint32_t key, es_effects *effects) {
    es_planner_state *p = &app->planner;
    switch (key) {
    case ES_KEY_TAB:
    case ES_KEY_DOWN:
    case 'j':
        go(p, 1);
        break;
    case ES_KEY_BACKTAB:
    case ES_KEY_UP:
    case 'k':
        go(p, -1);
        break;
    case ES_KEY_RIGHT:
    case 'l':
        change_field(app, 1);
        break;
    case ES_KEY_LEFT:
    case 'h':
        change_field(app, -1);
        break;
    case 'y':
        es_app_copy(app, es_planner_text(app, &app->planner.now), effects);
        break;
    case ES_KEY_ENTER:
        start_planned(app, &p->now, effects);
        break;
    case ES_KEY_ESC:
    case 'q':
        app->mode = ES_MODE_NORMAL;
        break;
    default:
        if ((key >= '0' && key <= '9') || key == ES_KEY_BACKSPACE)
            type_digit(p, key);
    }
}

void es_planner_paste(es_app *app, const char *text) {
    for (; *text != '\0' && *text != '\n'; text++)
        if (*text >= '0' && *text <= '9')
            type_digit(&app->planner, (uint32_t)*text);
}

/* ---- :run with words ---- */

/* Sets a field of the planned run from text; fails if the field cannot have this value. */
static es_status set_value(es_planner_request *request, es_planner_field field, const char *value,
                           size_t length, es_error *err) {
    if (length >= ES_PLANNER_VALUE)
        return es_fail(err, ES_EINVAL, "%s: this is too long", es_planner_name(field));
    if ((field == ES_PLANNER_ESTIMATOR && length == 8 && memcmp(value, "standard", 8) == 0) ||
        (field == ES_PLANNER_ROWS && length == 3 && memcmp(value, "all", 3) == 0))
        length = 0;
    (void)snprintf(request->value[field], ES_PLANNER_VALUE, "%.*s", (int)length, value);
    if ((field == ES_PLANNER_ESTIMATOR && es_planner_preset(request) == NULL) ||
        (field == ES_PLANNER_PRESET && strcmp(request->value[field], "default") == 0))
        request->value[ES_PLANNER_PRESET][0] = '\0';
    return ES_OK;
}

/* "ESTIMATOR PRESET rows=N seed=N threads=N"; what is not said stays as it is. */
static es_status read_request(const char *text, es_planner_request *request, es_error *err) {
    es_planner_field place = ES_PLANNER_ESTIMATOR;
    es_status st = ES_OK;
    for (text += strspn(text, " "); st == ES_OK && *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " "), name = strcspn(text, "= ");
        if (name < length) {
            es_planner_field field = es_planner_field_of(text, name);
            if (field == ES_PLANNER_FIELDS)
                return es_fail(err, ES_EINVAL,
                               "no '%.*s'; there are estimator, preset, rows, seed, threads",
                               (int)name, text);
            st = set_value(request, field, text + name + 1, length - name - 1, err);
        } else if (place > ES_PLANNER_PRESET)
            return es_fail(err, ES_EINVAL,
                           "'%.*s': expected ESTIMATOR PRESET rows=N seed=N threads=N", (int)length,
                           text);
        else {
            st = set_value(request, place, text, length, err);
            place = (es_planner_field)(place + 1);
        }
        text += length;
    }
    return st;
}

void es_command_plan(es_call *call) {
    es_app *app = call->app;
    es_planner_request request;
    es_error err = {0};
    es_planner_begin(app, &request);
    if (call->argument == NULL) {
        app->planner.now = request;
        app->planner.field = ES_PLANNER_ESTIMATOR;
        app->planner.fresh = true;
        app->mode = ES_MODE_PLANNER;
    } else if (read_request(call->argument, &request, &err) == ES_OK)
        start_planned(app, &request, call->effects);
    else
        es_app_notice(app, err.code, "run: %s", err.message);
}

const char *es_planner_word(const char *estimator, size_t length, size_t word, size_t index) {
    static const char *const numbers[] = {"rows=", "seed=", "threads="};
    es_planner_request request = {0};
    size_t count = 0;
    if (word == 2 && length < ES_PLANNER_VALUE)
        (void)snprintf(request.value[ES_PLANNER_ESTIMATOR], ES_PLANNER_VALUE, "%.*s", (int)length,
                       estimator);
    for (const char *name; word <= 2; count++) {
        name = es_planner_choice(&request, word == 1 ? ES_PLANNER_ESTIMATOR : ES_PLANNER_PRESET,
                                 count);
        if (name == NULL)
            break;
        if (count == index)
            return name[0] != '\0' ? name : word == 1 ? "standard" : "default";
    }
    index -= count;
    return index < sizeof numbers / sizeof *numbers ? numbers[index] : NULL;
}
