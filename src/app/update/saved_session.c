/* What lasts from one session to the next, as text:
 *
 *     embedscope-session 1
 *     item intfloat/e5-small        the embedders, which the rest names by number, from 0
 *     view rank                     where the user is
 *     cursor 3
 *     undo                          a view as it was, oldest first; settings like those of the one
 *     order dim                     before are left out, of the first one those like the defaults
 *     now                           the view as it is
 *     redo
 *     end
 *
 * Writing and reading are pure; the loop keeps the text in a file. */
#include <stdio.h>
#include <string.h>

#include "app_corr.h"
#include "app_update.h"
#include "app_values.h"
#include "app_lists.h"

enum { VERSION = 1 };
static const char TITLE[] = "embedscope-session ";

static const char *const list_keys[ES_LIST_TREE] = {
    [ES_LIST_POOL] = "held.pool", [ES_LIST_HEAT] = "held.heatmap", [ES_LIST_RANK] = "held.rank"};

/* ---- Writing ---- */

/* The fields of `shot` that differ from those of `before`. */
static void put_snapshot(const es_app *app, const char *title, es_snapshot *shot,
                         es_snapshot *before, es_buf *out) {
    const es_state_place place = {.app = app, .shot = shot}, old = {.app = app, .shot = before};
    es_buf text = {0}, old_text = {0};
    es_buf_printf(out, "%s\n", title);
    for (size_t f = 0; f < es_state_field_count; f++) {
        es_buf_clear(&text);
        es_buf_clear(&old_text);
        es_buf_puts(&text, "");
        es_buf_puts(&old_text, "");
        es_state_field_put(f, &place, &text);
        es_state_field_put(f, &old, &old_text);
        if (text.failed || old_text.failed)
            out->failed = true;
        else if (strcmp(text.data, old_text.data) != 0)
            es_buf_printf(out, "%s %s\n", es_state_field_name(f), text.data);
    }
    es_buf_free(&text);
    es_buf_free(&old_text);
}

/* A frozen order is kept as it stands, with the places it shows. */
static void put_held(const es_app *app, es_buf *out) {
    for (int id = 0; id < ES_LIST_TREE; id++) {
        es_buf_puts(out, list_keys[id]);
        for (size_t i = 0; i < app->list[id].count; i++)
            es_buf_printf(out, " %zu", app->list[id].item[i]);
        es_buf_putc(out, '\n');
    }
    es_buf_puts(out, "held.places");
    for (size_t i = 0; i < app->n; i++)
        es_buf_printf(out, " %zu", app->held_place[i]);
    es_buf_puts(out, "\nfrozen\n");
}

static void put_place(const es_app *app, es_buf *out) {
    const struct es_corr *corr = app->corr;
    es_buf_printf(out, "view %s\n", es_view_table[app->view].name);
    if (app->cursor != ES_NONE)
        es_buf_printf(out, "cursor %zu\n", app->cursor);
    if (app->column != ES_NONE)
        es_buf_printf(out, "column %zu\n", app->column);
    if (app->compare.aimed != ES_NONE)
        es_buf_printf(out, "target %zu\n", app->compare.aimed);
    if (app->search[0] != '\0')
        es_buf_printf(out, "search %s\n", app->search);
    if (app->wanted_entry != ES_NONE)
        es_buf_printf(out, "estimator %s\n", app->source->title[app->wanted_entry]);
    if (corr->tasks > 0)
        es_buf_printf(out, "task %s\n", es_corr_task_name(app, corr->task));
    if (app->theme_saved || strcmp(app->theme, app->theme_first) != 0)
        es_buf_printf(out, "theme %s\n", app->theme);
    es_buf_printf(out, "log-level %s\n", es_log_level_names[app->log_level]);
    if (app->scores_file != NULL)
        es_buf_printf(out, "scores %s\n", app->scores_file);
    for (int pairwise = 0; pairwise < 2; pairwise++)
        for (size_t n = 0; n < es_app_columns(app, pairwise == 1); n++)
            es_buf_printf(
                out, "measure %s\n",
                es_measure_title(app, pairwise == 1, es_app_column(app, pairwise == 1, n)));
    if (app->frozen)
        put_held(app, out);
}

size_t es_app_state_measure(const char *text, size_t number, char *out, size_t capacity) {
    static const char key[] = "\nmeasure ";
    for (const char *at = text; (at = strstr(at, key)) != NULL;) {
        at += sizeof key - 1;
        size_t length = strcspn(at, "\n");
        if (number-- > 0)
            continue;
        (void)es_text_clean_into(out, capacity, at, length);
        return length;
    }
    return 0;
}

size_t es_app_state_scores(const char *text, char *out, size_t capacity) {
    static const char key[] = "\nscores ";
    const char *at = strstr(text, key);
    size_t length = at == NULL ? 0 : strcspn(at + sizeof key - 1, "\n");
    if (length == 0 || length >= capacity)
        return 0;
    memcpy(out, at + sizeof key - 1, length);
    out[length] = '\0';
    return length;
}

void es_app_scores(es_app *app, const char *path) {
    bool kept = path != NULL && path[strcspn(path, "\r\n")] == '\0';
    char *copy = kept ? es_strdup(path) : NULL; /* out of memory: it is not remembered */
    es_free(app->scores_file);
    app->scores_file = copy;
}

char *es_app_state(const es_app *app) {
    es_buf out = {0};
    es_snapshot *now = es_snapshot_take(app), *first = es_snapshot_new(app->n), *before = first;
    out.failed = now == NULL || first == NULL;
    es_buf_printf(&out, "%s%d\n", TITLE, VERSION);
    for (size_t i = 0; i < app->n; i++)
        es_buf_printf(&out, "item %s\n", es_app_model(app, i)->name);
    put_place(app, &out);
    for (size_t i = 0; i < app->undo_count && !out.failed; i++) {
        put_snapshot(app, "undo", app->undo[i], before, &out);
        before = app->undo[i];
    }
    if (!out.failed)
        put_snapshot(app, "now", now, before, &out);
    before = now;
    for (size_t i = app->redo_count; i-- > 0 && !out.failed;) {
        put_snapshot(app, "redo", app->redo[i], before, &out);
        before = app->redo[i];
    }
    es_buf_puts(&out, "end\n");
    es_free(now);
    es_free(first);
    return es_buf_take(&out);
}

/* ---- Reading ---- */

/* Everything that a text says, before any of it counts. */
typedef struct resumed {
    es_state_place place; /* shot: the one being read; NULL before the first */
    size_t *item;         /* (capacity) */
    size_t capacity;
    es_snapshot *now, *undo[ES_APP_UNDO], *redo[ES_APP_UNDO]; /* redo: next one first */
    size_t undos, redos;
    es_view_id view;
    size_t cursor, column, target, entry, task; /* ES_NONE: not said, or gone */
    es_log_level log_level;
    char search[ES_APP_LINE], theme[64];
    bool frozen, ended;
    size_t *held[ES_LIST_TREE], held_count[ES_LIST_TREE], *places;
} resumed;

static void resumed_deinit(resumed *r) {
    for (size_t i = 0; i < r->undos; i++)
        es_free(r->undo[i]);
    for (size_t i = 0; i < r->redos; i++)
        es_free(r->redo[i]);
    for (int id = 0; id < ES_LIST_TREE; id++)
        es_free(r->held[id]);
    es_free(r->places);
    es_free(r->now);
    es_free(r->item);
}

static es_status read_item(resumed *r, const char *name, es_error *err) {
    const es_app *app = r->place.app;
    size_t found = es_app_find(app, name);
    size_t *more = es_grow(r->item, r->place.items, &r->capacity, sizeof *more);
    if (more == NULL)
        return es_no_memory(err);
    r->item = more;
    r->item[r->place.items++] = found;
    r->place.item = r->item;
    return ES_OK;
}

/* Begins a view: it is like the one before it except the lines that follow. */
static es_status read_snapshot(resumed *r, const char *kind, es_error *err) {
    const es_app *app = r->place.app;
    bool undo = strcmp(kind, "undo") == 0, now = strcmp(kind, "now") == 0;
    if (now ? r->now != NULL : undo == (r->now != NULL))
        return es_fail(err, ES_EFORMAT, "'%s' is out of its order", kind);
    es_snapshot *shot =
        r->place.shot == NULL ? es_snapshot_new(app->n) : es_snapshot_copy(r->place.shot, app->n);
    if (shot == NULL)
        return es_no_memory(err);
    size_t *count = undo ? &r->undos : &r->redos;
    if (now)
        r->now = shot;
    else if (*count == ES_APP_UNDO) {
        es_free(shot);
        return es_fail(err, ES_EFORMAT, "more than %d views to go back to", ES_APP_UNDO);
    } else
        (undo ? r->undo : r->redo)[(*count)++] = shot;
    r->place.shot = shot;
    return ES_OK;
}

/* Numbers of items; those that are gone are left out. */
static bool read_held(resumed *r, int id, char *text) {
    const es_app *app = r->place.app;
    bool *listed = es_alloc_zero(app->n + 1, sizeof *listed);
    es_free(r->held[id]);
    r->held[id] = es_alloc(app->n + 1, sizeof *r->held[id]);
    r->held_count[id] = 0;
    bool good = listed != NULL && r->held[id] != NULL;
    for (char *part; good && (part = es_state_part(&text, ' ')) != NULL;) {
        long number;
        if (!(good = es_state_number(part, 0, (long)r->place.items - 1, &number)))
            break;
        size_t item = r->item[number];
        if (item != ES_NONE && !listed[item])
            r->held[id][r->held_count[id]++] = item;
        if (item != ES_NONE)
            listed[item] = true;
    }
    es_free(listed);
    return good;
}

static bool read_places(resumed *r, char *text) {
    const es_app *app = r->place.app;
    es_free(r->places);
    r->places = es_alloc_zero(app->n + 1, sizeof *r->places);
    size_t number = 0;
    for (char *part; r->places != NULL && (part = es_state_part(&text, ' ')) != NULL; number++) {
        long place;
        if (number >= r->place.items || !es_state_number(part, 0, (long)r->place.items, &place))
            return false;
        if (r->item[number] != ES_NONE)
            r->places[r->item[number]] = (size_t)place;
    }
    return r->places != NULL;
}

static bool read_number(const resumed *r, const char *text, size_t *out) {
    long number;
    if (!es_state_number(text, 0, (long)r->place.items - 1, &number))
        return false;
    *out = r->item[number];
    return true;
}

static size_t find_task(const es_app *app, const char *name) {
    for (size_t t = 0; t < app->corr->tasks; t++)
        if (strcmp(es_corr_task_name(app, t), name) == 0)
            return t;
    return ES_NONE;
}

static size_t find_entry(const es_app *app, const char *title) {
    for (size_t e = 0; e < app->source->plan; e++)
        if (strcmp(app->source->title[e], title) == 0)
            return e;
    return ES_NONE;
}

/* Where the user was. True also for a key that this version does not know. */
static bool read_place(resumed *r, const char *key, char *text) {
    const es_app *app = r->place.app;
    if (strcmp(key, "view") == 0) {
        for (int v = 0; v < ES_VIEW_COUNT; v++)
            r->view = strcmp(es_view_table[v].name, text) == 0 ? (es_view_id)v : r->view;
    } else if (strcmp(key, "cursor") == 0)
        return read_number(r, text, &r->cursor);
    else if (strcmp(key, "column") == 0)
        return read_number(r, text, &r->column);
    else if (strcmp(key, "target") == 0)
        return read_number(r, text, &r->target);
    else if (strcmp(key, "search") == 0)
        (void)es_text_clean_into(r->search, sizeof r->search, text, strlen(text));
    else if (strcmp(key, "estimator") == 0)
        r->entry = find_entry(app, text);
    else if (strcmp(key, "task") == 0)
        r->task = find_task(app, text);
    else if (strcmp(key, "theme") == 0)
        (void)es_text_clean_into(r->theme, sizeof r->theme, text, strlen(text));
    else if (strcmp(key, "log-level") == 0) {
        size_t level = es_choice_find(es_log_level_names, text);
        r->log_level = level == ES_NONE ? r->log_level : (es_log_level)level;
    } else if (strcmp(key, "frozen") == 0)
        r->frozen = true;
    else if (strcmp(key, "held.places") == 0)
        return read_places(r, text);
    for (int id = 0; id < ES_LIST_TREE; id++)
        if (strcmp(key, list_keys[id]) == 0)
            return read_held(r, id, text);
    return true;
}

static es_status read_line(resumed *r, char *line, es_error *err) {
    char *text = strchr(line, ' ');
    bool good;
    if (text != NULL)
        *text++ = '\0';
    else
        text = line + strlen(line);
    if (r->ended)
        return line[0] == '\0' ? ES_OK : es_fail(err, ES_EFORMAT, "there is more after the end");
    if (strcmp(line, "end") == 0) {
        r->ended = true;
        return ES_OK;
    }
    if (strcmp(line, "item") == 0)
        return read_item(r, text, err);
    if (strcmp(line, "undo") == 0 || strcmp(line, "now") == 0 || strcmp(line, "redo") == 0)
        return read_snapshot(r, line, err);
    size_t field = r->place.shot == NULL ? ES_NONE : es_state_field_find(line);
    if (field != ES_NONE)
        good = es_state_field_get(field, &r->place, text);
    else
        good = r->place.shot != NULL || read_place(r, line, text);
    return good ? ES_OK : es_fail(err, ES_EFORMAT, "%s cannot be like that", line);
}

static es_status read_title(const char *line, es_error *err) {
    size_t length = sizeof TITLE - 1;
    long version;
    if (strncmp(line, TITLE, length) != 0 || !es_state_number(line + length, 1, 1000000, &version))
        return es_fail(err, ES_EFORMAT, "this is not a session of embedscope");
    if (version > VERSION)
        return es_fail(err, ES_EUNSUPPORTED, "a newer embedscope wrote it");
    return ES_OK;
}

static es_status read_text(resumed *r, char *text, es_error *err) {
    es_status st = ES_OK;
    size_t number = 0;
    for (char *line; st == ES_OK && (line = es_state_part(&text, '\n')) != NULL;) {
        st = number++ == 0 ? read_title(line, err) : read_line(r, line, err);
        if (st != ES_OK && number > 1) {
            char where[32];
            (void)snprintf(where, sizeof where, "line %zu", number);
            es_error_prefix(err, where);
        }
    }
    if (st == ES_OK && (r->now == NULL || !r->ended))
        st = es_fail(err, ES_EFORMAT, "it ends too early");
    return st;
}

/* Restores the frozen order of rows. */
static void restore_frozen_order(es_app *app, const resumed *r) {
    for (int id = 0; id < ES_LIST_TREE; id++)
        if (r->held[id] != NULL) {
            memcpy(app->list[id].item, r->held[id], r->held_count[id] * sizeof *r->held[id]);
            app->list[id].count = r->held_count[id];
        }
    if (r->places != NULL)
        memcpy(app->held_place, r->places, app->n * sizeof *r->places);
    app->frozen = true;
}

/* Applies what was read: history, settings, cursor, view, theme. */
static void show_resumed(es_app *app, resumed *r, es_effects *effects) {
    es_snapshot *redo[ES_APP_UNDO] = {NULL};
    for (size_t i = 0; i < r->redos; i++)
        redo[r->redos - 1 - i] = r->redo[i];
    es_history_replace(app, r->undo, r->undos, redo, r->redos);
    r->undos = r->redos = 0;
    es_snapshot_show(app, r->now);
    if (!es_metric_possible(app, app->set.metric))
        app->set.metric = ES_METRIC_IS;
    app->frozen = false;
    app->range = ES_NONE;
    if (r->frozen)
        restore_frozen_order(app, r);
    app->log_level = r->log_level;
    app->wanted_entry = r->entry;
    if (r->task != ES_NONE)
        app->corr->task = r->task;
    (void)snprintf(app->search, sizeof app->search, "%s", r->search);
    app->cursor = r->cursor != ES_NONE ? r->cursor : app->cursor;
    app->moved = app->rank_seen = r->cursor != ES_NONE; /* it opens where it was left */
    app->column = r->column != ES_NONE ? r->column : app->column;
    app->compare.aimed = r->target;
    es_select_refresh(app, !r->frozen);
    es_go(app, r->view);
    if (app->view == ES_VIEW_COMPARE && app->set.compare.count == 0 && r->place.uncompared)
        es_app_notice(app, ES_OK,
                      "The compared embedders are no longer in this pool; c or a chooses others");
    bool known = false;
    for (size_t i = 0; i < app->themes.count; i++)
        known = known || strcmp(app->themes.word[i], r->theme) == 0;
    app->theme_saved = known;
    if (known)
        es_effect_add(app, effects, ES_FX_THEME, 0, true, r->theme);
}

es_status es_app_restore(es_app *app, const char *text, size_t length, es_effects *effects,
                         es_error *err) {
    es_status st = ES_OK;
    char *copy = es_strndup(length == 0 ? "" : text, length); /* nothing may be nowhere */
    resumed *r = es_alloc_zero(1, sizeof *r);
    ES_FAIL_IF(copy == NULL || r == NULL, es_no_memory(err));
    ES_FAIL_IF(strlen(copy) != length,
               es_fail(err, ES_EFORMAT, "this is not a session of embedscope"));
    r->place.app = app;
    r->view = app->view;
    r->log_level = app->log_level;
    r->cursor = r->column = r->target = r->entry = r->task = ES_NONE;
    ES_TRY(read_text(r, copy, err));
    show_resumed(app, r, effects);
    app->dirty = true;
    es_app_read(app);
    es_app_follow(app, false, effects);
done:
    if (r != NULL)
        resumed_deinit(r);
    es_free(r);
    es_free(copy);
    return st;
}
