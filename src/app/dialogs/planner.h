/* The run dialog: estimator, preset, rows, seed and threads of a run, and the command line that
 * does the same. The names are those of the command line, and so is what may stand behind them:
 * another plan is handed out as lines "option=value", with which the pool is opened again.
 *
 *   planner.c       what is asked for: its values, what it costs, the lines made of it
 *   planner_dialog.c    the dialog's keys, and :run */
#ifndef ES_APP_PLANNER_H
#define ES_APP_PLANNER_H

#include "app_state.h"
#include "core_numerics.h"

/** What a run would be; m pairs squared of each estimator. */
typedef struct es_planner_outlook {
    size_t pairs, known; /* known: already, where that can be told */
    double seconds; /* for the rest, all threads together, by what each costs; NAN: not known */
} es_planner_outlook;

const char *es_planner_name(es_planner_field field);                   /* "rows", as after -- */
es_planner_field es_planner_field_of(const char *name, size_t length); /* FIELDS: none */
bool es_planner_is_number(es_planner_field field);
/** The plan without --estimator, for people: "linear, then knife". */
void es_planner_standard(char *out, size_t capacity);
/** Values of estimator or preset, in the order of the tables; NULL behind the last. The first is
 * "".
 */
const char *es_planner_choice(const es_planner_request *request, es_planner_field field,
                              size_t index);
/** The estimator, NULL for the standard plan; and its preset, "default" where none is said. */
const es_estimator *es_planner_estimator(const es_planner_request *request);
const es_preset *es_planner_preset(const es_planner_request *request);
size_t es_planner_rows(const es_app *app); /* of the pool's files, whatever is taken of them */
/** Writes the value of a field that is in force: number of rows, threads, ... */
void es_planner_shown(const es_app *app, const es_planner_request *request, es_planner_field field,
                      char *out, size_t capacity);

void es_planner_begin(const es_app *app, es_planner_request *out); /* the plan that is open */
/** True if the request can only run after the pool is opened again. Threads alone are no reason. */
bool es_planner_differs(const es_app *app, const es_planner_request *request);
/** Returns the error that the command line would report for the request; ES_OK: none. */
es_status es_planner_problem(const es_app *app, const es_planner_request *request, es_error *err);
es_planner_outlook es_planner_look(const es_app *app, const es_planner_request *request);
/** Writes what to know before this run starts, in a sentence or two; "" for nothing. */
void es_planner_remark(const es_app *app, const es_planner_request *request, char *out,
                       size_t capacity);
/** For ES_FX_PLAN, and as a shell takes it. NULL when out of memory; es_free. */
char *es_planner_lines(const es_app *app, const es_planner_request *request);
char *es_planner_text(const es_app *app, const es_planner_request *request);

const char *es_planner_refusal(const es_app *app); /* why there is no dialog; NULL: there is one */
/** Borrowed texts; without it there is no run dialog. */
void es_app_planning(es_app *app, const es_planning *planning);

#endif
