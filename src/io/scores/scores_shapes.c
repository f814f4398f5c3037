/* Tables of scores in other shapes than a model a line: a task a line, as MTEB exports results, and
 * a score a line. */
#include "scores_shapes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "alloc.h"
#include "cells.h"
#include "text.h"
#include "words.h"

es_status es_scores_number(const es_table *t, size_t row, size_t column, double *out,
                           es_error *err) {
    const char *cell = es_table_cell(t, row, column);
    if (es_cells_says_missing(cell, strlen(cell))) {
        *out = (double)NAN;
        return ES_OK;
    }
    es_status st = es_table_number(t, row, column, out, err);
    if (st == ES_OK && isinf(*out))
        return es_fail(err, ES_EFORMAT, "%s: line %zu, column %zu: the score is infinite", t->label,
                       t->line[row], column + 1);
    if (st == ES_OK && fabs(*out) > ES_VALUE_MOST)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu, column %zu: a score of %g: they are up to %g", t->label,
                       t->line[row], column + 1, *out, ES_VALUE_MOST);
    return st;
}

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

static const char *const models[] = {"model_name", "model", NULL};
static const char *const tasks[] = {"task_name", "task", NULL};
static const char *const values[] = {"main_score", "score", "value", NULL};

es_scores_shape es_scores_shape_of(const es_table *t) {
    if (find_column(t, models) != SIZE_MAX && find_column(t, tasks) != SIZE_MAX &&
        find_column(t, values) != SIZE_MAX)
        return ES_SCORES_A_LINE;
    return is_one_of(es_table_cell(t, 0, 0), tasks) ? ES_SCORES_TASK_A_LINE
                                                    : ES_SCORES_MODEL_A_LINE;
}

/* What MTEB's leaderboard says of a model beside its scores, and means over them. */
static const char *const about[] = {"Rank (Borda)",
                                    "Rank (Mean Task)",
                                    "Zero-shot",
                                    "Memory Usage (MB)",
                                    "Number of Parameters (B)",
                                    "Active Parameters (B)",
                                    "Total Parameters (B)",
                                    "Embedding Dimensions",
                                    "Max Tokens",
                                    "Release Date",
                                    "Mean (Task)",
                                    "Mean (TaskType)",
                                    NULL};

/* "[e5](https://...)" is e5. */
static void take_link_off(char *cell) {
    char *end = strstr(cell, "](");
    if (cell[0] != '[' || !end)
        return;
    *end = '\0';
    memmove(cell, cell + 1, (size_t)(end - cell));
}

void es_scores_plain_leaderboard(es_table *t) {
    static const char *const model[] = {"Model", NULL};
    size_t found = 0, first = find_column(t, model), kept = 1;
    for (size_t j = 0; j < t->columns; j++)
        found += is_one_of(es_table_cell(t, 0, j), about);
    if (first == SIZE_MAX || found < 2)
        return;
    for (size_t j = 0; j < t->columns; j++)
        kept += j != first && !is_one_of(es_table_cell(t, 0, j), about);
    for (size_t r = t->rows; r > 0; r--) { /* the header, which says what goes, last */
        size_t *row = t->cell + (r - 1) * t->columns, name = row[first], at = t->columns;
        for (size_t j = t->columns; j > 0; j--)
            if (j - 1 != first && !is_one_of(es_table_cell(t, 0, j - 1), about))
                row[--at] = row[j - 1];
        row[--at] = name;
        take_link_off(t->text + name);
    }
    for (size_t r = 0; r < t->rows; r++)
        memmove(t->cell + r * kept, t->cell + (r + 1) * t->columns - kept, kept * sizeof *t->cell);
    t->columns = kept;
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
                       t->line[row], column + 1);
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
static es_status find_places(const es_table *t, es_words *model, es_words *task, size_t *at,
                             es_error *err) {
    size_t first = find_column(t, models), second = find_column(t, tasks);
    es_status st = ES_OK;
    for (size_t r = 1; r < t->rows && st == ES_OK; r++) {
        st = find_name(t, r, first, model, &at[2 * r], err);
        if (st == ES_OK)
            st = find_name(t, r, second, task, &at[2 * r + 1], err);
    }
    return st;
}

enum { LOOK = 1 << 14 }; /* lines between looks */

es_status es_scores_gather(const es_table *t, const es_run *run, es_scores *out, es_error *err) {
    es_words model = {0}, task = {0};
    es_scores s = {0};
    es_status st = ES_OK;
    size_t column = find_column(t, values), *line = NULL, *at = es_alloc(t->rows, 2 * sizeof *at);
    ES_FAIL_IF(!at, es_no_memory(err));
    ES_FAIL_IF(t->rows < 2, es_fail(err, ES_EFORMAT, "%s: holds a header but no scores", t->label));
    ES_TRY(find_places(t, &model, &task, at, err));
    s = (es_scores){.models = model.count, .tasks = task.count};
    s.value = es_alloc(s.models * s.tasks, sizeof *s.value);
    line = es_alloc_zero(s.models * s.tasks, sizeof *line);
    ES_FAIL_IF(!s.value || !line, es_no_memory(err));
    for (size_t k = 0; k < s.models * s.tasks; k++)
        s.value[k] = (double)NAN;
    for (size_t r = 1; r < t->rows; r++) {
        ES_TRY(r % LOOK == 1 ? es_run_check(run, err) : ES_OK);
        size_t k = at[2 * r] * s.tasks + at[2 * r + 1];
        ES_FAIL_IF(line[k],
                   es_fail(err, ES_EFORMAT,
                           "%s: line %zu: the score of '%.80s' in '%.80s' stands in line %zu "
                           "already; keep one a task",
                           t->label, t->line[r], model.word[at[2 * r]], task.word[at[2 * r + 1]],
                           line[k]));
        line[k] = t->line[r];
        ES_TRY(es_scores_number(t, r, column, &s.value[k], err));
    }
    s.model = model.word;
    s.task = task.word;
    model = task = (es_words){0};
    *out = s;
    s = (es_scores){0};
done:
    es_free(s.value);
    es_words_deinit(&model);
    es_words_deinit(&task);
    es_free(line);
    es_free(at);
    return st;
}
