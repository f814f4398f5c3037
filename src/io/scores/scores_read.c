/* Downstream scores from a table: one model a line, one task a column, a missing score where a
 * cell is empty. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io_scores_parts.h"

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
            return es_fail(err, ES_EFORMAT,
                           "%s: %s '%.100s' is in %s %zu and again in %s %zu; keep one", label,
                           what, places[i].name, unit, places[i - 1].at, unit, places[i].at);
    return ES_OK;
}

/* What helps a table whose cells are not apart: of Markdown, LaTeX or blanks. */
static const char *separator_remedy(const char *heading) {
    return strchr(heading, '|')
               ? "; it looks like Markdown: sed -e 's/^ *| *//; s/ *| *$//; s/ *| */,/g' -e "
                 "'/^[-:, ]*$/d' FILE > scores.csv"
           : strchr(heading, '&') || heading[0] == '\\'
               ? "; it looks like LaTeX: keep its lines of numbers, with commas in place of '&'"
           : strchr(heading, ' ') ? "; put commas between the cells"
                                  : "";
}

/* The first row must hold names, and at least one of a task. */
static es_status check_header(const es_table *t, es_error *err) {
    bool numbers = t->columns > 1;
    double value = 0;
    if (t->columns < 2)
        return es_fail(err, ES_EFORMAT,
                       "%s: line %zu: expected a column 'model' and at least one of a task%s",
                       t->label, t->line[0], separator_remedy(es_table_cell(t, 0, 0)));
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
                       t->line[row], es_table_column(t, column));
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
        places[j] = (place){s->task[j], es_table_column(t, j + 1)};
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

/* What is met while a table is read. */
typedef struct reading {
    es_run *run;
    es_score_cells seen;
    es_score_text text;
} reading;

static es_status copy_values(const es_table *t, bool turned, reading *r, es_scores *s,
                             es_error *err) {
    es_status st = ES_OK;
    size_t count = s->models * s->tasks;
    bool *percent = es_alloc_zero(count, sizeof *percent);
    if (!percent)
        return es_no_memory(err);
    for (size_t k = 0; st == ES_OK && k < count; k++) {
        size_t row = k / s->tasks, column = k % s->tasks;
        if ((st = look(r->run, k, err)) == ES_OK)
            st = es_scores_cell(t, row + 1, column + 1, turned ? s->model[row] : s->task[column],
                                &s->value[k], &percent[k], &r->seen, &r->text, err);
    }
    for (size_t j = 0; st == ES_OK && j < (turned ? s->models : s->tasks); j++)
        es_score_cells_mix(s->value + j * (turned ? s->tasks : 1),
                           percent + j * (turned ? s->tasks : 1), turned ? s->tasks : s->models,
                           turned ? 1 : s->tasks);
    es_free(percent);
    return st;
}

/* A name and a line of scores for each model, or, `turned`, for each task. */
static es_status take_lines(const es_table *t, bool turned, reading *r, es_scores *out,
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
    ES_TRY(copy_names(t, r->run, &s, err));
    ES_TRY(copy_values(t, turned, r, &s, err));
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

/* The column of names goes to the front. */
static es_status names_first(es_table *t, size_t names, es_error *err) {
    size_t *column = es_alloc(t->columns, sizeof *column), kept = 1;
    if (!column)
        return es_no_memory(err);
    column[0] = names;
    for (size_t j = 0; j < t->columns; j++)
        if (j != names)
            column[kept++] = j;
    es_status st = names == 0 ? ES_OK : es_table_keep_columns(t, column, kept, err);
    es_free(column);
    return st;
}

static es_status read_table(const char *path, unsigned flags, const es_scores_for *whose,
                            reading *r, es_scores *out, es_error *err) {
    es_table t = {0};
    es_scores_layout layout;
    es_status st = ES_OK;
    ES_FAIL_IF(es_path_ends(path, ".json"),
               es_fail(err, ES_EFORMAT,
                       "%s: is JSON; write a table: model,TASK,TASK and a line for each model",
                       es_path_shown(path).text));
    ES_TRY(es_table_read_any(path, flags, r->run, &t, err));
    ES_TRY(es_table_drop_index(&t, err));
    es_score_cells_plain(&t, whose->embedder, whose->n, &r->seen);
    layout = es_scores_layout_of(&t, whose->embedder, whose->n);
    if (layout.shape == ES_SCORES_A_LINE) {
        st = es_scores_gather(&t, &layout, r->run, &r->seen, &r->text, out, err);
    } else {
        bool turned = layout.shape == ES_SCORES_TASK_A_LINE;
        ES_TRY(names_first(&t, turned ? layout.task : layout.model, err));
        st = take_lines(&t, turned, r, out, err);
    }
done:
    es_table_deinit(&t);
    return st;
}

/* Facts about models are numbers; a licence, say, is none. */
static es_status remark_text(const es_score_text *text, es_scores *s, es_error *err) {
    es_buf words = {0};
    es_buf_printf(&words, "%s; ", text->why.message);
    if (text->count == 1)
        es_buf_puts(&words, "the cell is left empty");
    else
        es_buf_printf(&words, "%zu such cells are left empty", text->count);
    return es_scores_take_remark(s, &words, err);
}

static es_status read_file(const char *path, unsigned flags, const es_scores_for *whose,
                           es_run *run, es_scores *out, es_error *err) {
    struct stat info;
    reading r = {.run = run, .text.facts = whose->facts};
    es_scores s = {0};
    es_status st = ES_OK;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        ES_TRY(es_mteb_read(path, run, &s, err));
        ES_TRY(es_scores_settle_names(&s, whose->embedder, whose->n, err));
    } else {
        ES_TRY(read_table(path, flags, whose, &r, &s, err));
        ES_TRY(es_score_cells_remark(&r.seen, NULL, &s, err));
        if (!whose->facts)
            ES_TRY(es_scores_part_facts(&s, &r.text, err));
        else if (r.text.count > 0)
            ES_TRY(remark_text(&r.text, &s, err));
    }
    *out = s;
    s = (es_scores){0};
done:
    es_scores_deinit(&s);
    return st;
}

es_status es_scores_read(const char *path, unsigned flags, es_run *run, es_scores *out,
                         es_error *err) {
    const es_scores_for anyone = {0};
    return read_file(path, flags, &anyone, run, out, err);
}

es_status es_scores_read_for(const char *path, const es_scores_for *whose, es_run *run,
                             es_scores *out, es_error *err) {
    return read_file(path, 0, whose, run, out, err);
}
