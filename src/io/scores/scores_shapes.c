/* Tables of scores in other shapes than a model a line: a task a line, as MTEB exports results, and
 * a score a line. */
#include "io_scores_parts.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool is_one_of(const char *text, const char *const *names) {
    for (; *names; names++)
        if (strcasecmp(text, *names) == 0)
            return true;
    return false;
}

static size_t find_column(const es_table *t, const char *const *names) {
    for (size_t j = 0; j < t->columns; j++)
        if (is_one_of(es_table_cell(t, 0, j), names))
            return j;
    return SIZE_MAX;
}

static const char *const models[] = {"model_name", "model",           "model name", "models",
                                     "embedder",   "embedding model", NULL};
static const char *const tasks[] = {"task_name", "task",     "task name",    "dataset",
                                    "data set",  "data_set", "dataset_name", NULL};
static const char *const transposed[] = {"task_name", "task", NULL};
static const char *const values[] = {"main_score", "score", "value", NULL};

/* ---- which column is what ---- */

static const char *after_owner(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash && slash[1] ? slash + 1 : name;
}

/* Is a cell the name of an embedder, or one that differs in case or owner? */
static bool is_embedder(const char *cell, const char *const *embedder, size_t n) {
    for (size_t i = 0; i < n && cell[0]; i++)
        if (strcasecmp(cell, embedder[i]) == 0 ||
            strcasecmp(after_owner(cell), after_owner(embedder[i])) == 0)
            return true;
    return false;
}

static bool is_number(const es_table *t, size_t row, size_t column) {
    const char *cell = es_table_cell(t, row, column);
    size_t length = strlen(cell);
    double value;
    bool percent;
    return es_cells_is_empty(cell, length) || es_cells_says_missing(cell, length) ||
           es_cells_number(t->delimiter, cell, length, &value) ||
           es_plain_number(t->delimiter, cell, &value, &percent);
}

static bool holds_numbers(const es_table *t, size_t column) {
    for (size_t r = 1; r < t->rows; r++)
        if (!is_number(t, r, column))
            return false;
    return t->rows > 1;
}

/* Embedders among the cells of a column, or, for SIZE_MAX, among the headings. */
static size_t embedders_in(const es_table *t, size_t column, const char *const *embedder,
                           size_t n) {
    size_t count = 0;
    if (column == SIZE_MAX)
        for (size_t j = 0; j < t->columns; j++)
            count += is_embedder(es_table_cell(t, 0, j), embedder, n);
    else
        for (size_t r = 1; r < t->rows; r++)
            count += is_embedder(es_table_cell(t, r, column), embedder, n);
    return count;
}

/* The column of models: by its heading if it names any embedder or no column does, else the one
 * that names most. *most: how many cells are embedders. */
static size_t find_models(const es_table *t, const char *const *embedder, size_t n, size_t *most) {
    size_t headed = find_column(t, models), best = SIZE_MAX;
    *most = headed == SIZE_MAX ? 0 : embedders_in(t, headed, embedder, n);
    if (*most > 0)
        return headed;
    for (size_t j = 0; n > 0 && j < t->columns; j++) {
        size_t count = embedders_in(t, j, embedder, n);
        if (count > *most) {
            *most = count;
            best = j;
        }
    }
    return best != SIZE_MAX ? best : headed;
}

static bool repeats(const es_table *t, size_t column) {
    for (size_t r = 2; r < t->rows; r++)
        if (strcmp(es_table_cell(t, r, column), es_table_cell(t, 1, column)) == 0)
            return true;
    return false;
}

/* The only column beside `model` and `other` that holds numbers, or text; SIZE_MAX: none, or
 * several. */
static size_t only_column(const es_table *t, size_t model, size_t other, bool numbers) {
    size_t found = SIZE_MAX;
    for (size_t j = 0; j < t->columns; j++) {
        if (j == model || j == other || holds_numbers(t, j) != numbers)
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = j;
    }
    return found;
}

/* Columns of tasks and of scores beside that of models; false: the table has not a score a line. */
static bool find_long(const es_table *t, es_scores_layout *layout) {
    bool model_known = is_one_of(es_table_cell(t, 0, layout->model), models);
    layout->task = find_column(t, tasks);
    layout->value = find_column(t, values);
    bool named = model_known && layout->task != SIZE_MAX && layout->value != SIZE_MAX;
    if (!named && !repeats(t, layout->model))
        return false;
    if (layout->task == SIZE_MAX)
        layout->task = only_column(t, layout->model, layout->value, false);
    if (layout->value == SIZE_MAX)
        layout->value = only_column(t, layout->model, layout->task, true);
    return layout->task != SIZE_MAX && layout->value != SIZE_MAX && layout->task != layout->model &&
           layout->value != layout->model && layout->task != layout->value;
}

es_scores_layout es_scores_layout_of(const es_table *t, const char *const *embedder, size_t n) {
    size_t most = 0, model = find_models(t, embedder, n, &most);
    es_scores_layout layout = {ES_SCORES_MODEL_A_LINE, model == SIZE_MAX ? 0 : model, 0, 0};
    if (model != SIZE_MAX && find_long(t, &layout)) {
        layout.shape = ES_SCORES_A_LINE;
    } else if (is_one_of(es_table_cell(t, 0, 0), transposed) ||
               (n > 0 && embedders_in(t, SIZE_MAX, embedder, n) > most)) {
        layout.shape = ES_SCORES_TASK_A_LINE;
        layout.task = 0;
    }
    return layout;
}

void es_scores_turn(es_scores *s, double *values_of) {
    for (size_t i = 0; i < s->models; i++)
        for (size_t j = 0; j < s->tasks; j++)
            values_of[j * s->models + i] = s->value[i * s->tasks + j];
    char **names = s->model;
    size_t count = s->models;
    s->model = s->task;
    s->models = s->tasks;
    s->task = names;
    s->tasks = count;
    es_free(s->value);
    s->value = values_of;
}

/* Position of a cell's name in a list, put there if it is new. */
static es_status find_name(const es_table *t, size_t row, size_t column, es_words *names,
                           size_t *out, es_error *err) {
    const char *text = es_table_cell(t, row, column);
    if (!*text)
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the name is empty", t->label,
                       t->line[row], es_table_column(t, column));
    char *name = es_text_clean(text, strlen(text), 0);
    if (!name)
        return es_no_memory(err);
    for (size_t i = names->count; i > 0; i--)
        if (strcmp(names->word[i - 1], name) == 0) {
            es_free(name);
            *out = i - 1;
            return ES_OK;
        }
    *out = names->count;
    return es_words_take(names, name, err);
}

/* Where each line's score goes: at (lines, 2). */
static es_status find_places(const es_table *t, const es_scores_layout *layout, es_words *model,
                             es_words *task, size_t *at, es_error *err) {
    es_status st = ES_OK;
    for (size_t r = 1; r < t->rows && st == ES_OK; r++) {
        st = find_name(t, r, layout->model, model, &at[2 * r], err);
        if (st == ES_OK)
            st = find_name(t, r, layout->task, task, &at[2 * r + 1], err);
    }
    return st;
}

enum { LOOK = 1 << 14 }; /* lines between looks */

/* Puts the score of each line at its place. line (models, tasks): of the file, 0 at first. */
static es_status fill(const es_table *t, const es_scores_layout *layout, const es_run *run,
                      const size_t *at, size_t *line, bool *percent, es_score_cells *seen,
                      es_score_text *text, es_scores *s, es_error *err) {
    for (size_t r = 1; r < t->rows; r++) {
        ES_PASS(r % LOOK == 1 ? es_run_check(run, err) : ES_OK);
        size_t model = at[2 * r], task = at[2 * r + 1], k = model * s->tasks + task;
        if (line[k])
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: the score of '%.80s' in '%.80s' is in line %zu "
                           "already; keep one a task",
                           t->label, t->line[r], s->model[model], s->task[task], line[k]);
        line[k] = t->line[r];
        ES_PASS(es_scores_cell(t, r, layout->value, s->task[task], &s->value[k], &percent[k], seen,
                               text, err));
    }
    return ES_OK;
}

es_status es_scores_gather(const es_table *t, const es_scores_layout *layout, const es_run *run,
                           es_score_cells *seen, es_score_text *text, es_scores *out,
                           es_error *err) {
    es_words model = {0}, task = {0};
    es_scores s = {0};
    bool *percent = NULL;
    es_status st = ES_OK;
    size_t *line = NULL, *at = es_alloc(t->rows, 2 * sizeof *at);
    ES_FAIL_IF(!at, es_no_memory(err));
    ES_FAIL_IF(t->rows < 2, es_fail(err, ES_EFORMAT, "%s: holds a header but no scores", t->label));
    ES_TRY(find_places(t, layout, &model, &task, at, err));
    s = (es_scores){
        .models = model.count, .tasks = task.count, .model = model.word, .task = task.word};
    model = task = (es_words){0};
    s.value = es_alloc(s.models * s.tasks, sizeof *s.value);
    line = es_alloc_zero(s.models * s.tasks, sizeof *line);
    percent = es_alloc_zero(s.models * s.tasks, sizeof *percent);
    ES_FAIL_IF(!s.value || !line || !percent, es_no_memory(err));
    for (size_t k = 0; k < s.models * s.tasks; k++)
        s.value[k] = (double)NAN;
    ES_TRY(fill(t, layout, run, at, line, percent, seen, text, &s, err));
    for (size_t j = 0; j < s.tasks; j++)
        es_score_cells_mix(s.value + j, percent + j, s.models, s.tasks);
    *out = s;
    s = (es_scores){0};
done:
    es_scores_deinit(&s);
    es_words_deinit(&model);
    es_words_deinit(&task);
    es_free(line);
    es_free(percent);
    es_free(at);
    return st;
}
