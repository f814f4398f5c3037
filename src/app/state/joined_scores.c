/* Downstream scores under the names of the embedders. */
#include "app_state.h"

#include <math.h>
#include <string.h>

/* Takes the source's scores, keeping the joined names and values. */
static void take_source(es_app *app) {
    char **name = app->scores.model;
    app->scores = app->source->scores;
    app->scores.model = name;
    if (app->score_value != NULL)
        app->scores.value = app->score_value;
}

/* MTEB's results are compared by what the embedders here share, with those whose names were
 * accepted. Out of memory: the values stay what they were. */
static void settle_values(es_app *app) {
    const es_scores *scores = &app->source->scores;
    bool *counts = scores->parts != NULL ? es_alloc_zero(scores->models, sizeof *counts) : NULL;
    double *value = NULL;
    for (size_t i = 0; counts != NULL && i < app->n; i++)
        if (app->score_row[i] != SIZE_MAX && app->source->model[i]->state != ES_MODEL_EXCLUDED)
            counts[app->score_row[i]] = true;
    if (counts != NULL && es_scores_settled(scores, counts, &value, NULL) == ES_OK) {
        es_free(app->score_value);
        app->scores.value = app->score_value = value;
    }
    es_free(counts);
}

/* Names are borrowed: the source's, or an embedder's. */
static void name_rows(es_app *app) {
    const es_source *source = app->source;
    char **name = app->scores.model;
    take_source(app);
    for (size_t r = 0; r < app->scores.models; r++)
        name[r] = source->scores.model[r];
    for (size_t i = 0; i < app->n; i++) {
        size_t row = app->score_taken[i];
        app->score_row[i] = row == SIZE_MAX ? source->score_row[i] : row;
        if (row != SIZE_MAX)
            name[row] = source->model[i]->name;
    }
}

bool es_app_scores_init(es_app *app) {
    app->scores.model = es_app_keep(app, app->source->scores.models, sizeof *app->scores.model);
    app->score_row = es_app_keep(app, app->n, sizeof *app->score_row);
    app->score_taken = es_app_keep(app, app->n, sizeof *app->score_taken);
    if (app->starved)
        return false;
    memset(app->score_taken, 0xff, (app->n + 1) * sizeof *app->score_taken); /* SIZE_MAX */
    name_rows(app);
    return true;
}

bool es_app_scores_take(es_app *app, const size_t *taken) {
    size_t bytes = app->n * sizeof *taken;
    take_source(app);
    if (bytes == 0 || memcmp(app->score_taken, taken, bytes) == 0)
        return false;
    memcpy(app->score_taken, taken, bytes);
    name_rows(app);
    settle_values(app);
    return true;
}

double es_app_score(const es_app *app, size_t item, size_t column) {
    size_t row = app->score_row[item];
    return row == SIZE_MAX ? (double)NAN : app->scores.value[row * app->scores.tasks + column];
}

/* Every combination of the values of settings. */

/* One value of "power=2,3": number `at` of them; returns how many there are, 0: it is no setting.
 */
static size_t value_at(const char *word, size_t length, size_t at, es_buf *out) {
    const char *end = word + length, *value = memchr(word, '=', length);
    size_t count = 1;
    if (value == NULL || value == word)
        return 0;
    for (const char *c = ++value; c < end; c++)
        count += *c == ',';
    for (; at > 0; at--)
        value = (const char *)memchr(value, ',', (size_t)(end - value)) + 1;
    const char *stop = memchr(value, ',', (size_t)(end - value));
    es_buf_add(out, word, (size_t)((const char *)memchr(word, '=', length) - word) + 1);
    es_buf_add(out, value, (size_t)((stop != NULL ? stop : end) - value));
    return count;
}

size_t es_combination(const char *text, size_t at, es_buf *out) {
    size_t length = strcspn(text, " "), count = 1;
    es_buf_add(out, text, length);
    es_buf_putc(out, '[');
    for (const char *word = text + length + strspn(text + length, " "); *word != '\0';) {
        size_t size = strcspn(word, " ");
        es_buf none = {0};
        size_t values = value_at(word, size, 0, &none);
        es_buf_free(&none);
        if (values == 0)
            return 0;
        (void)value_at(word, size, at % values, out);
        at /= values;
        count *= values;
        word += size + strspn(word + size, " ");
        es_buf_puts(out, *word != '\0' ? " " : "");
    }
    es_buf_putc(out, ']');
    return count;
}
