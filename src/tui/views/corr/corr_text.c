/* How Corr writes names and numbers: short enough for intervals, with the decimals of the task. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "corr_panes.h"
#include "app_state.h"

const char *es_corr_name(const es_app *app, size_t item) {
    return es_app_name(app, item);
}

const es_correlation_report *es_corr_selected(const es_app *app) {
    return es_corr_report(app, app->corr->task);
}

size_t es_corr_controls(const es_app *app) {
    size_t found = 0;
    for (size_t i = 0; i < app->n; i++)
        found += es_is_control(es_app_model(app, i)->family) && app->score_row[i] != SIZE_MAX &&
                 es_app_model(app, i)->state == ES_MODEL_READY;
    return found;
}

/* ---- Numbers ---- */

const char *es_corr_brief(double value, char out[16]) {
    char text[16];
    if (!isfinite(value))
        return "-";
    (void)snprintf(text, sizeof text, "%.2f", fabs(value));
    bool negative = value < 0 && strcmp(text, "0.00") != 0;
    (void)snprintf(out, 16, "%s%s", negative ? "-" : "", text + (text[0] == '0'));
    return out;
}

const char *es_corr_stat_text(es_stat stat, char out[32]) {
    if (stat.why != NULL)
        (void)snprintf(out, 32, "- (%.24s)", stat.why);
    else
        (void)snprintf(out, 32, "%.2f", es_rounded_off(stat.value, 2));
    return out;
}

void es_corr_interval_text(const es_app *app, size_t task, es_correlation kind, char *out,
                           size_t capacity) {
    char low[16], high[16];
    const es_correlation_report *r = es_corr_report(app, task);
    if (r != NULL && r->value[kind].why != NULL)
        (void)snprintf(out, capacity, "-");
    else if (r != NULL && isfinite(r->low[kind]))
        (void)snprintf(out, capacity, "[%s, %s]", es_corr_brief(r->low[kind], low),
                       es_corr_brief(r->high[kind], high));
    else if (r == NULL || !es_corr_set(app)->drawn[task])
        (void)snprintf(out, capacity, "…");
    else
        (void)snprintf(out, capacity, r->few ? "too few" : "-");
}

const char *es_corr_number(double value, int digits, char out[32]) {
    es_format_number(value, digits, out, 32);
    return out;
}

const char *es_corr_signed(double value, int digits, char out[32]) {
    out[0] = '+';
    es_format_number(value, digits, out + (value >= 0), 31);
    return out;
}

int es_corr_digits(const es_app *app, size_t task) {
    if (es_corr_is_mean(app, task))
        return es_corr_is_turned(app, task) ? 1 : 3;
    return task < ES_APP_SCORES ? app->score_digits[task] : 2;
}
