/* Downstream scores from a table: one model a line, one task a column, a missing score where a
 * cell is empty. */
#include "scores_read.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "alloc.h"
#include "mteb.h"
#include "scores_shapes.h"
#include "table.h"
#include "text.h"

enum { LOOK = 1 << 14 }; /* names or scores between looks */

/* A name and where it stands: line of a model, column of a task. */
typedef struct place {
    const char *name;
    size_t at;
} place;

static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->at < y->at ? -1 : x->at > y->at;
}

/* ES_EFORMAT when a name occurs twice. places (count) is sorted. */
static es_status check_unique(place *places, size_t count, const char *label, const char *what,
                              const char *unit, es_error *err) {
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 1; i < count; i++)
        if (strcmp(places[i - 1].name, places[i].name) == 0)
            return es_fail(err, ES_EFORMAT, "%s: %s '%.100s' stands in %s %zu and again in %s %zu",
                           label, what, places[i].name, unit, places[i - 1].at, unit, places[i].at);
    return ES_OK;
}

/* The first row must hold names, and at least one of a task. */
static es_status check_header(const es_table *t, es_error *err) {
    bool numbers = t->columns > 1;
    double value = 0;
    if (t->columns < 2)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: expected a column 'model' and at least one of a task",
                       t->label, t->line[0]);
    for (size_t j = 1; j < t->columns; j++) {
        const char *name = es_table_cell(t, 0, j);
        numbers = numbers && es_text_parse_double(name, strlen(name), &value);
    }
    if (numbers)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: expected a header (model, then the tasks' names), found "
                       "numbers",
                       t->label, t->line[0]);
    if (t->rows < 2)
        return es_fail(err, ES_EFORMAT, "%s: holds a header but no models", t->label);
    return ES_OK;
}

/* Once in a while; `at` goes up by ones. ES_ECANCELED. */
static es_status look(const es_run *run, size_t at, es_error *err) {
    return at % LOOK == 0 ? es_run_check(run, err) : ES_OK;
}

/* Cleaned copy of a name; ES_EFORMAT when it is empty. */
static es_status copy_name(const es_table *t, size_t row, size_t column, char **out,
                           es_error *err) {
    const char *text = es_table_cell(t, row, column);
    if (!*text)
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the name is empty", t->label,
                       t->line[row], column + 1);
    *out = es_text_clean(text, strlen(text), 0);
    return *out ? ES_OK : es_fail(err, ES_ENOMEM, "%s: out of memory", t->label);
}

static es_status copy_names(const es_table *t, es_run *run, es_scores *s, es_error *err) {
    es_status st = ES_OK;
    size_t most = s->models > s->tasks ? s->models : s->tasks;
    place *places = es_alloc(most, sizeof *places);
    if (!places)
        return es_fail(err, ES_ENOMEM, "%s: out of memory", t->label);
    for (size_t j = 0; j < s->tasks; j++) {
        ES_TRY(look(run, j, err));
        ES_TRY(copy_name(t, 0, j + 1, &s->task[j], err));
        places[j] = (place){s->task[j], j + 2};
    }
    ES_TRY(check_unique(places, s->tasks, t->label, "task", "column", err));
    for (size_t i = 0; i < s->models; i++) {
        ES_TRY(look(run, i, err));
        ES_TRY(copy_name(t, i + 1, 0, &s->model[i], err));
        places[i] = (place){s->model[i], t->line[i + 1]};
    }
    ES_TRY(check_unique(places, s->models, t->label, "model", "line", err));
done:
    es_free(places);
    return st;
}

static es_status copy_values(const es_table *t, es_run *run, es_scores *s, es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; st == ES_OK && k < s->models * s->tasks; k++)
        if ((st = look(run, k, err)) == ES_OK)
            st = es_scores_number(t, k / s->tasks + 1, k % s->tasks + 1, &s->value[k], err);
    return st;
}

/* A name and a line of scores for each model, or, `turned`, for each task. */
static es_status take_lines(const es_table *t, bool turned, es_run *run, es_scores *out,
                            es_error *err) {
    es_status st = ES_OK;
    es_scores s = {0};
    ES_TRY(check_header(t, err));
    s.models = t->rows - 1;
    s.tasks = t->columns - 1;
    s.model = es_alloc_zero(s.models, sizeof *s.model);
    s.task = es_alloc_zero(s.tasks, sizeof *s.task);
    s.value = es_alloc(s.models, s.tasks * sizeof *s.value);
    ES_FAIL_IF(!s.model || !s.task || !s.value,
               es_fail(err, ES_ENOMEM, "%s: out of memory", t->label));
    ES_TRY(copy_names(t, run, &s, err));
    ES_TRY(copy_values(t, run, &s, err));
    if (turned) {
        double *values = es_alloc(s.models, s.tasks * sizeof *values);
        ES_FAIL_IF(!values, es_fail(err, ES_ENOMEM, "%s: out of memory", t->label));
        es_scores_turn(&s, values);
    }
    *out = s;
    memset(&s, 0, sizeof s);
done:
    es_scores_deinit(&s);
    return st;
}

es_status es_scores_read(const char *path, unsigned flags, es_run *run, es_scores *out,
                         es_error *err) {
    struct stat info;
    es_table table = {0};
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return es_mteb_read(path, run, out, err);
    es_status st = es_table_read_any(path, flags, run, &table, err);
    if (st != ES_OK)
        return st;
    es_scores_plain_leaderboard(&table);
    es_scores_shape shape = es_scores_shape_of(&table);
    st = shape == ES_SCORES_A_LINE
             ? es_scores_gather(&table, run, out, err)
             : take_lines(&table, shape == ES_SCORES_TASK_A_LINE, run, out, err);
    es_table_deinit(&table);
    return st;
}

es_status es_scores_read_for(const char *path, const es_scores_for *whose, es_run *run,
                             es_scores *out, es_error *err) {
    es_scores s = {0};
    es_status st = es_scores_read(path, 0, run, &s, err);
    if (st == ES_OK)
        st = es_scores_settle_names(&s, whose->embedder, whose->n, err);
    if (st == ES_OK)
        *out = s;
    else
        es_scores_deinit(&s);
    return st;
}
