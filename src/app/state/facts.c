/* What the state says of itself in a word: which results are shown, whether a run is on, what a
 * pair is at. */
#include "app_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const es_view_ops *es_view_ops_of(const es_app *app, es_view_id view) {
    static const es_view_ops list;
    return app->view_ops[view] == NULL ? &list : app->view_ops[view];
}

const es_view_ops *es_view_shown(const es_app *app) {
    return es_view_ops_of(app, app->view);
}

void es_app_sample_text(const es_app *app, bool brief, char *out, size_t capacity) {
    const es_source *source = app->source;
    const es_growth_record *last =
        source->growths > 0 ? &source->growth[source->growths - 1] : NULL;
    out[0] = '\0';
    if (source->rows == 0 || source->rows >= source->rows_of)
        return;
    if (!brief && last != NULL && last->rows == source->rows && isfinite(last->growth.expected))
        (void)snprintf(out, capacity, "%zu of %zu rows, agreement %.2f", source->rows,
                       source->rows_of, last->growth.expected);
    else
        (void)snprintf(out, capacity, "%zu of %zu rows", source->rows, source->rows_of);
}

const es_results *es_app_chosen(const es_app *app) {
    const es_source *source = app->source;
    size_t entry = app->wanted_entry != ES_NONE ? app->wanted_entry : source->best;
    return entry < source->plan ? source->results[entry] : NULL;
}

bool es_app_merged(const es_app *app) {
    return app->results != NULL && app->results == app->merged;
}

bool es_app_mixed(const es_app *app) {
    return app->previews > 0 && app->refined > 0 && app->set.metric != ES_METRIC_MEASURE;
}

const char *es_app_title(const es_app *app) {
    if (es_app_merged(app))
        return app->merged_title;
    size_t entry = app->entry;
    if (entry == ES_NONE && app->source->plan > 0)
        entry = 0;
    return entry == ES_NONE ? "" : app->source->title[entry];
}

bool es_app_of_file(const es_app *app) {
    return app->source->rows == 0 && app->source->read_only;
}

const char *es_app_without_rows(const es_app *app) {
    return app->source->table ? "a table of scores has no rows" : "a finished matrix has no rows";
}

bool es_app_too_few(const es_app *app) {
    return app->usable < 2 && !app->source->read_only;
}

size_t es_app_known_elsewhere(const es_app *app) {
    const es_source *source = app->source;
    size_t most = ES_NONE, known = 0;
    for (size_t e = 0; e < source->plan && (app->results == NULL || app->results->done == 0); e++)
        if (source->results[e] != NULL && source->results[e]->done > known) {
            known = source->results[e]->done;
            most = e;
        }
    return most;
}

size_t es_app_pairs(const es_app *app) {
    const es_progress *p = &app->progress;
    size_t m = app->results == NULL ? app->usable : app->results->m;
    if (p->entries > 0 && p->total >= p->entries)
        return (p->total - p->nulls) / p->entries;
    return m * (m > 0 ? m - 1 : 0);
}

bool es_app_lower(const es_app *app) {
    return app->entry != ES_NONE && app->source->lower_is_better[app->entry];
}

bool es_app_running(const es_app *app) {
    return app->phase == ES_PHASE_RUNNING || app->phase == ES_PHASE_PAUSED;
}

const es_model *es_app_model(const es_app *app, size_t item) {
    return app->source->model[item];
}

size_t es_app_find(const es_app *app, const char *name) {
    for (size_t i = 0; i < app->n; i++)
        if (strcmp(es_app_model(app, i)->name, name) == 0)
            return i;
    return ES_NONE;
}

size_t es_app_marked(const es_app *app, size_t *item, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++) {
        if (app->marked[i] && count < most)
            item[count] = i;
        count += app->marked[i];
    }
    return count;
}

size_t es_app_controls(const es_app *app, bool all) {
    size_t controls = 0;
    for (size_t i = 0; i < app->n; i++)
        controls += (all || es_app_model(app, i)->state != ES_MODEL_EXCLUDED) &&
                    es_is_control(es_app_model(app, i)->family);
    return controls;
}

size_t es_app_derived(const es_app *app, bool all) {
    size_t derived = 0;
    for (size_t i = 0; i < app->n; i++)
        derived += (all || es_app_model(app, i)->state != ES_MODEL_EXCLUDED) &&
                   es_app_model(app, i)->derived;
    return derived;
}

const char *es_app_name(const es_app *app, size_t item) {
    return es_model_label(es_app_model(app, item));
}

const char *es_app_unsaved(const es_app *app) {
    const es_source *source = app->source;
    bool stays = source->read_only;
    if (!stays && app->progress.done > 0 && source->store_path == NULL)
        return "the results so far are in memory only (--no-store) and would be lost";
    if (source->store_problem.code != ES_OK)
        return "some results could not be stored and would be lost";
    return NULL;
}

es_pair_state es_app_pair_state(const es_app *app, size_t source, size_t target) {
    const es_results *r = app->results;
    size_t s = app->position[source], t = app->position[target];
    if (r == NULL || s == ES_NONE || t == ES_NONE)
        return ES_PAIR_PENDING;
    return (es_pair_state)r->state[s * r->m + t];
}

bool es_app_lists_keys(const es_app *app) {
    return app->mode == ES_MODE_NORMAL && app->prefix != 0 && !app->prefix_ran &&
           app->now - app->prefix_at >= ES_APP_MENU;
}

uint64_t es_fingerprint(uint64_t seen, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        seen = (seen ^ at[i]) * 1099511628211u;
    return seen;
}

/* Numbers, times, sizes and types as the views write them, and how many columns a name takes. */

void es_format_time(double seconds, char *out, size_t capacity) {
    if (!(seconds >= 0) || seconds > 1e8) {
        (void)snprintf(out, capacity, "?");
        return;
    }
    long s = lround(seconds);
    if (s < 3600)
        (void)snprintf(out, capacity, "%ld:%02ld", s / 60, s % 60);
    else
        (void)snprintf(out, capacity, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

/* "1.2e+030" as "1.2e30". */
static void format_power(double value, char *out, size_t capacity) {
    char text[32], *power;
    (void)snprintf(text, sizeof text, "%.1e", value);
    power = strchr(text, 'e');
    if (power == NULL) { /* not finite */
        (void)snprintf(out, capacity, "%s", text);
        return;
    }
    *power++ = '\0';
    (void)snprintf(out, capacity, "%se%d", text, atoi(power));
}

double es_rounded_off(double value, int digits) {
    return fabs(value) < 0.5 * pow(10, -digits) ? 0 : value;
}

void es_format_number(double value, int digits, char *out, size_t capacity) {
    if (isnan(value))
        (void)snprintf(out, capacity, "-");
    else if ((digits == ES_FORMAT_E && (value > 0 || value < 0)) || fabs(value) >= 999999.5)
        format_power(value, out, capacity);
    else if (digits == ES_FORMAT_E)
        (void)snprintf(out, capacity, "%.0f", 0.0);
    else
        (void)snprintf(out, capacity, "%.*f", digits, es_rounded_off(value, digits));
}

es_figure es_figure_of(double value, int digits) {
    es_figure out = {{0}};
    es_format_number(value, digits, out.text, sizeof out.text);
    return out;
}

void es_format_bytes(uint64_t bytes, char *out, size_t capacity) {
    static const char unit[] = "BKMGTP";
    double value = (double)bytes;
    int u = 0;
    while (value >= 999.5 && u < 5) {
        value /= 1024;
        u++;
    }
    if (u == 0 || value >= 9.95)
        (void)snprintf(out, capacity, "%.0f%c", value, unit[u]);
    else
        (void)snprintf(out, capacity, "%.1f%c", value, unit[u]);
}

const char *es_format_dtype(const char *dtype) {
    static const char *const names[][2] = {
        {"float16", "f16"}, {"float32", "f32"}, {"float64", "f64"}, {"bfloat16", "bf16"},
        {"int8", "i8"},     {"int16", "i16"},   {"int32", "i32"},   {"int64", "i64"},
        {"uint8", "u8"},    {"uint16", "u16"},  {"uint32", "u32"},  {"uint64", "u64"},
    };
    if (dtype == NULL)
        return "?";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(dtype, names[i][0]) == 0)
            return names[i][1];
    return dtype;
}

/* Columns of a name, for choosing a width only: wide characters by their blocks. */
int es_name_width(const char *name) {
    int width = 0;
    for (size_t at = 0, length = strlen(name); at < length;) {
        uint32_t code;
        at += es_utf8_decode(name + at, length - at, &code);
        bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
                    (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
                    (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
                    (code >= 0x1f300 && code <= 0x1faff);
        bool mark = code >= 0x300 && code <= 0x36f;
        width += mark ? 0 : wide ? 2 : 1;
    }
    return width;
}

uint64_t es_source_revision(const es_source *source, size_t *done) {
    uint64_t revision = 0;
    *done = 0;
    for (size_t e = 0; e < source->plan; e++)
        if (source->results[e] != NULL) {
            revision += source->results[e]->revision;
            *done += source->results[e]->done;
        }
    return revision;
}

void *es_app_keep(es_app *app, size_t count, size_t size) {
    void *block = es_alloc_zero(count + 1, size);
    void **kept =
        block == NULL ? NULL : es_realloc((void *)app->kept, app->kept_count + 1, sizeof *kept);
    if (kept == NULL) {
        es_free(block);
        app->starved = true;
        return NULL;
    }
    app->kept = kept;
    kept[app->kept_count++] = block;
    return block;
}
