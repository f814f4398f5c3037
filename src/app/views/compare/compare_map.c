/* Reads the document of a map of rows into what Compare shows. */
#include "compare_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "effects.h"
#include "facts.h"

static void forget(es_compare_map *map) {
    es_json_free(map->doc);
    es_free(map->row);
    es_free(map->group);
    es_free(map->column);
    map->doc = NULL;
    map->row = NULL;
    map->group = map->column = NULL;
    map->rows = map->groups = map->columns = 0;
    map->by = NULL;
}

void es_compare_map_free(es_app *app) {
    if (app->map == NULL)
        return;
    forget(app->map);
    es_free(app->map->problem);
    es_free(app->map);
    app->map = NULL;
}

size_t es_compare_map_of(const es_app *app, size_t item[ES_MAP_SIDES]) {
    static const size_t first[] = {0, 0, 1}, second[] = {1, 2, 2};
    size_t pair = app->compare.pair < 3 ? app->compare.pair : 0;
    item[0] = item[1] = ES_NONE;
    if (app->set.compare.alone > 0 && app->set.compare.alone <= app->n) {
        item[0] = app->set.compare.alone - 1;
        return 1;
    }
    if (app->set.compare.count < 2)
        return 0;
    pair = app->set.compare.count == 2 ? 0 : pair;
    item[0] = app->set.compare.item[first[pair]];
    item[1] = app->set.compare.item[second[pair]];
    return ES_MAP_SIDES;
}

/* What one captures and the other does not is of two. */
const char *es_compare_map_by(const es_app *app) {
    bool alone = app->set.compare.alone > 0;
    return alone && strcmp(app->set.compare_by, "captured") == 0 ? "" : app->set.compare_by;
}

bool es_compare_map_shown(const es_app *app) {
    size_t item[ES_MAP_SIDES];
    return app->set.compare_map && es_compare_map_of(app, item) > 0;
}

/* ---- the document ---- */

static const char *text_of(const es_json_value *o, const char *key) {
    const char *text = "";
    if (es_json_get_text(o, key, ES_JSON_OPTIONAL, &text, NULL) != ES_OK || text == NULL)
        return "";
    return text;
}

/* A list of texts of the document; empty where it has none. */
static es_status read_texts(const es_json_value *root, const char *key, const char ***out,
                            size_t *count, es_error *err) {
    es_json_value list = {0};
    es_status st = es_json_get(root, key, ES_JSON_ARRAY, ES_JSON_OPTIONAL, &list, err);
    if (st != ES_OK || !list.node)
        return st;
    *out = es_alloc_zero(es_json_count(&list), sizeof(const char *));
    if (*out == NULL)
        return es_no_memory(err);
    for (es_json_value g = es_json_first(&list); g.node && st == ES_OK; g = es_json_next(&g)) {
        st = es_json_as_text(&g, &(*out)[*count], err);
        *count += st == ES_OK;
    }
    return st;
}

static es_status read_rows(es_compare_map *map, const es_json_value *list, es_error *err) {
    size_t k = 0;
    es_status st = ES_OK;
    map->row = es_alloc_zero(es_json_count(list), sizeof *map->row);
    if (map->row == NULL)
        return es_no_memory(err);
    map->rows = es_json_count(list);
    for (es_json_value r = es_json_first(list); r.node && st == ES_OK; r = es_json_next(&r), k++) {
        es_map_row *row = &map->row[k];
        double number = (double)NAN, group = (double)NAN;
        row->difference = (double)NAN;
        row->id = text_of(&r, "id");
        row->text = text_of(&r, "text");
        st = es_json_get_number(&r, "row", ES_JSON_REQUIRED, &number, err);
        if (st == ES_OK)
            st = es_json_get_number(&r, "difference", ES_JSON_OPTIONAL, &row->difference, err);
        if (st == ES_OK)
            st = es_json_get_number(&r, "group", ES_JSON_OPTIONAL, &group, err);
        row->number = number >= 0 ? (size_t)number : 0;
        row->group = group >= 0 && group < (double)map->groups ? (size_t)group : ES_NONE;
    }
    return st;
}

static es_status read_numbers(const es_json_value *o, const char *key, es_compare_map *map,
                              size_t side, size_t axis, es_error *err) {
    es_json_value list = {0};
    size_t k = 0;
    es_status st = es_json_get(o, key, ES_JSON_ARRAY, ES_JSON_REQUIRED, &list, err);
    for (es_json_value v = es_json_first(&list); st == ES_OK && v.node && k < map->rows;
         v = es_json_next(&v), k++)
        st = es_json_as_number(&v, &map->row[k].at[side][axis], err);
    if (st == ES_OK && k < map->rows)
        return es_fail(err, ES_EFORMAT, "a row has no place");
    return st;
}

static es_status read_sides(es_compare_map *map, const es_json_value *list, es_error *err) {
    size_t side = 0;
    es_status st = ES_OK;
    for (es_json_value m = es_json_first(list); m.node && side < map->sides;
         m = es_json_next(&m), side++) {
        es_json_value share = {0};
        size_t axis = 0;
        ES_TRY(read_numbers(&m, "x", map, side, 0, err));
        ES_TRY(read_numbers(&m, "y", map, side, 1, err));
        ES_TRY(es_json_get(&m, "variance", ES_JSON_ARRAY, ES_JSON_REQUIRED, &share, err));
        map->share[side][0] = map->share[side][1] = (double)NAN;
        for (es_json_value v = es_json_first(&share); v.node && axis < 2;
             v = es_json_next(&v), axis++)
            if (es_json_type_of(&v) == ES_JSON_NUMBER)
                ES_TRY(es_json_as_number(&v, &map->share[side][axis], err));
    }
    ES_FAIL_IF(side < map->sides,
               es_fail(err, ES_EFORMAT, "%zu embedders are expected", map->sides));
done:
    return st;
}

static int by_capture(const void *a, const void *b) {
    const es_map_row *x = a, *y = b;
    if (isfinite(x->difference) && isfinite(y->difference) && x->difference != y->difference)
        return x->difference > y->difference ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static es_status read_all(es_compare_map *map, const es_json_value *root, es_error *err) {
    es_json_value rows = {0}, models = {0};
    uint64_t of = 0;
    es_status st = ES_OK;
    ES_TRY(read_texts(root, "groups", &map->group, &map->groups, err));
    ES_TRY(read_texts(root, "columns", &map->column, &map->columns, err));
    ES_TRY(es_json_get(root, "rows", ES_JSON_ARRAY, ES_JSON_REQUIRED, &rows, err));
    ES_TRY(read_rows(map, &rows, err));
    ES_TRY(es_json_get(root, "embedders", ES_JSON_ARRAY, ES_JSON_REQUIRED, &models, err));
    ES_TRY(read_sides(map, &models, err));
    ES_TRY(es_json_get_size(root, "of", ES_JSON_REQUIRED, &of, err));
    ES_TRY(es_json_get_bool(root, "evaluated", ES_JSON_OPTIONAL, &map->evaluated, err));
    ES_TRY(es_json_get_text(root, "by", ES_JSON_OPTIONAL, &map->by, err));
    map->of = (size_t)of;
    if (map->rows > 1)
        qsort(map->row, map->rows, sizeof *map->row, by_capture);
done:
    return st;
}

void es_app_map_known(es_app *app, const char *json, size_t length) {
    es_compare_map *map = app->map;
    es_error err = {0};
    es_status st = ES_OK;
    if (map == NULL)
        return;
    map->asking = false;
    es_free(map->problem);
    map->problem = NULL;
    forget(map);
    map->line = 0;
    st = es_json_parse(json, length, "map of rows", &map->doc, &err);
    if (st == ES_OK) {
        es_json_value root = es_json_root(map->doc);
        st = read_all(map, &root, &err);
    }
    if (st != ES_OK) {
        forget(map);
        es_app_map_failed(app, err.message);
    }
    app->dirty = true;
}

void es_app_map_failed(es_app *app, const char *why) {
    if (app->map == NULL)
        return;
    app->map->asking = false;
    es_free(app->map->problem);
    app->map->problem = es_strdup(why);
    app->dirty = true;
}

/* ---- asking ---- */

void es_compare_map_ask(es_app *app, es_effects *effects) {
    size_t item[ES_MAP_SIDES];
    es_compare_map *map = app->map;
    const char *by = es_compare_map_by(app);
    if (app->view != ES_VIEW_COMPARE || !es_compare_map_shown(app) ||
        app->phase == ES_PHASE_CHECKING)
        return;
    size_t sides = es_compare_map_of(app, item);
    if (map != NULL && map->item[0] == item[0] && map->item[1] == item[1] &&
        strcmp(map->asked_by, by) == 0 &&
        (map->phase == app->phase || app->phase == ES_PHASE_RUNNING || map->asking))
        return;
    if (map == NULL && (map = app->map = es_alloc_zero(1, sizeof *map)) == NULL)
        return;
    if (map->item[0] != item[0] || map->item[1] != item[1])
        forget(map); /* never one pair's map under the names of another */
    memcpy(map->item, item, sizeof map->item);
    (void)snprintf(map->asked_by, sizeof map->asked_by, "%s", by);
    map->sides = sides;
    map->phase = app->phase;
    map->asking = true;
    es_effect_add(app, effects, ES_FX_MAP, 0, false, NULL);
}

const char *es_compare_map_next(const es_app *app) {
    const es_compare_map *map = app->map;
    size_t at = 0;
    if (map == NULL || map->columns == 0)
        return "";
    while (at < map->columns && (map->by == NULL || strcmp(map->column[at], map->by) != 0))
        at++;
    return map->column[at < map->columns ? (at + 1) % map->columns : 0];
}

size_t es_compare_map_sides(const es_app *app, size_t *first) {
    bool alone = app->set.compare.alone > 0;
    *first = app->set.compare_side == 2 && !alone ? 1 : 0;
    return alone || app->set.compare_side > 0 ? 1 : ES_MAP_SIDES;
}

void es_compare_map_group(es_app *app, bool next) {
    es_compare_map *map = app->map;
    size_t at = map->line;
    if (map->rows == 0)
        return;
    size_t group = map->row[at].group;
    if (next) {
        while (at < map->rows && map->row[at].group == group)
            at++;
        map->line = at < map->rows ? at : map->line;
        return;
    }
    while (at > 0 && map->row[at - 1].group == group)
        at--;
    if (at > 0) { /* to the beginning of the one before */
        group = map->row[--at].group;
        while (at > 0 && map->row[at - 1].group == group)
            at--;
    }
    map->line = at;
}
