/* The map of rows in Compare, from the document of `embedscope map`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/bench.h"
#include "command_call.h"
#include "compare_map.h"
#include "facts.h"

static const char document[] =
    "{\"of\": 40, \"evaluated\": true, \"by\": \"captured\", \"groups\": [\"A alone\", \"B "
    "alone\", "
    "\"both\"], \"columns\": [\"captured\", \"topic\", \"set\"], \"embedders\": ["
    "{\"model\": \"LaBSE\", \"variance\": [0.5, null], \"x\": [1, 2, 3, 4], \"y\": [0, 0, 0, 0]},"
    "{\"model\": \"e5-small\", \"variance\": [0.4, 0.3], \"x\": [4, 3, 2, 1], \"y\": [1, 2, 3, "
    "4]}],"
    "\"rows\": ["
    "{\"row\": 7, \"id\": \"s7\", \"group\": 2, \"difference\": 0.1, \"text\": \"seven\"},"
    "{\"row\": 9, \"id\": \"s9\", \"group\": 1, \"difference\": -2, \"text\": \"nine\"},"
    "{\"row\": 3, \"id\": null, \"group\": 0, \"difference\": 1.5, \"text\": null},"
    "{\"row\": 5, \"id\": \"s5\", \"group\": null, \"difference\": null, \"text\": \"five\"}]}";

static size_t asked(const bench *b) {
    size_t count = 0;
    for (size_t i = 0; i < b->effects.count; i++)
        count += b->effects.items[i].kind == ES_FX_MAP;
    return count;
}

static bench open_map(void) {
    bench b = bench_of(12, 1);
    b.mock->source.rows = 60;
    bench_command(&b, "compare LaBSE e5-small");
    bench_keys(&b, "gp");
    return b;
}

/* Keys of the lists that the map hides would change what nobody sees. */
static void map__keys_of_the_lists__are_refused(void **state) {
    (void)state;
    static const char *const keys[] = {"d", "s", "<Enter>", "gh", " "};
    bench b = open_map();
    size_t target = b.app->compare.target;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        bench_keys(&b, keys[k]);
        bench_assert_said(&b, "behind the map");
    }
    assert_int_equal(b.app->compare.target, target);
    assert_false(b.app->set.compare.clear_only);
    assert_int_equal(b.app->view, ES_VIEW_COMPARE);
    assert_null(es_command_refusal(b.app, ES_COMMAND_MAP_COLOUR));
    assert_null(es_command_refusal(b.app, ES_COMMAND_MAP_ALONE));
    bench_keys(&b, "gp");
    assert_null(es_command_refusal(b.app, ES_COMMAND_DIFFERENCES));
    b.app->focus[ES_VIEW_COMPARE] = ES_PANE_ROWS;
    assert_non_null(es_command_refusal(b.app, ES_COMMAND_DIFFERENCES));
    assert_null(es_command_refusal(b.app, ES_COMMAND_SORT_TARGETS)); /* rows of one side */
    bench_stop(&b);
}

static void map__is_asked_for__once_a_pair(void **state) {
    (void)state;
    size_t item[ES_MAP_SIDES];
    bench b = bench_of(12, 1);
    b.mock->source.rows = 60;
    bench_keys(&b, "6");
    assert_int_equal(asked(&b), 0);
    bench_command(&b, "compare LaBSE e5-small");
    assert_int_equal(asked(&b), 0);
    bench_keys(&b, "gp");
    assert_int_equal(asked(&b), 1);
    assert_true(es_compare_map_of(b.app, item));
    assert_string_equal(es_app_model(b.app, item[0])->name, "LaBSE");
    assert_false(es_app_settled(b.app));
    es_app_map_known(b.app, document, sizeof document - 1);
    assert_true(es_app_settled(b.app));
    bench_keys(&b, "j");
    assert_int_equal(asked(&b), 1);
    bench_command(&b, "compare LaBSE bge-base-en-v1.5");
    assert_int_equal(asked(&b), 2);
    assert_int_equal(b.app->map->rows, 0); /* nothing of the other pair is left */
    bench_stop(&b);
}

static void map__rows__go_from_one_to_the_other(void **state) {
    (void)state;
    bench b = open_map();
    es_app_map_known(b.app, document, sizeof document - 1);
    const es_compare_map *map = b.app->map;
    assert_null(map->problem);
    assert_int_equal(map->rows, 4);
    assert_int_equal(map->row[0].number, 3);
    assert_string_equal(map->row[0].text, "");
    assert_true(map->row[0].at[0][0] == 3 && map->row[0].at[1][1] == 3);
    assert_int_equal(map->row[1].number, 7);
    assert_int_equal(map->row[3].group, ES_NONE);
    assert_true(isnan(map->share[0][1]) && map->share[1][1] == 0.3);
    assert_true(map->evaluated && map->of == 40);
    bench_keys(&b, "j");
    assert_int_equal(map->line, 1);
    bench_keys(&b, "l");
    assert_int_equal(map->row[map->line].number, 9);
    bench_keys(&b, "h");
    assert_int_equal(map->line, 1);
    bench_keys(&b, "h");
    assert_int_equal(map->line, 0);
    bench_keys(&b, "<Esc>"); /* back to the lists */
    assert_false(b.app->set.compare_map);
    assert_int_equal(b.app->view, ES_VIEW_COMPARE);
    bench_stop(&b);
}

/* C goes through the columns that the document offers; each is asked for once. */
static void map__colour__goes_round_the_columns(void **state) {
    (void)state;
    size_t first;
    bench b = open_map();
    es_app_map_known(b.app, document, sizeof document - 1);
    assert_int_equal(b.app->map->columns, 3);
    bench_keys(&b, "C");
    assert_string_equal(b.app->set.compare_by, "topic"); /* behind captured, which is shown */
    assert_int_equal(asked(&b), 2);
    es_app_map_failed(b.app, "no such column");
    bench_command(&b, "map-colour set");
    assert_string_equal(b.app->set.compare_by, "set");
    assert_int_equal(asked(&b), 3);
    es_app_map_known(b.app, document, sizeof document - 1);
    bench_keys(&b, "j");
    assert_int_equal(asked(&b), 3);
    bench_keys(&b, "u"); /* a step like others */
    assert_string_equal(b.app->set.compare_by, "topic");
    assert_int_equal(es_compare_map_sides(b.app, &first), 2);
    bench_keys(&b, "oo");
    assert_int_equal(es_compare_map_sides(b.app, &first), 1);
    assert_int_equal(first, 1);
    bench_keys(&b, "o");
    assert_int_equal(es_compare_map_sides(b.app, &first), 2);
    bench_keys(&b, "<Esc>");
    bench_command(&b, "map-colour set"); /* there is no map now */
    assert_string_equal(b.app->set.compare_by, "topic");
    bench_stop(&b);
}

static void map__that_is_none__is_said(void **state) {
    (void)state;
    static const char row[] = "{\"of\": 1, \"groups\": [], \"embedders\": [], \"rows\": "
                              "[{\"row\": 1}]}";
    static const char *const broken[] = {"{", "{\"groups\": []}", row};
    bench b = open_map();
    for (size_t i = 0; i < 3; i++) {
        es_app_map_known(b.app, broken[i], strlen(broken[i]));
        assert_non_null(b.app->map->problem);
        assert_int_equal(b.app->map->rows, 0);
        bench_keys(&b, "j");
    }
    es_app_map_failed(b.app, "no rows");
    assert_string_equal(b.app->map->problem, "no rows");
    bench_stop(&b);
}

static void map__of_results_alone__is_refused(void **state) {
    (void)state;
    bench b = bench_of(12, 1);
    b.mock->source.rows = 0;
    bench_command(&b, "compare LaBSE e5-small");
    bench_keys(&b, "gp");
    assert_false(b.app->set.compare_map);
    assert_int_equal(asked(&b), 0);
    bench_stop(&b);
}

/* From any view, of the embedder under the cursor: one panel, its own document, and the way back.
 */
static void map__of_one__opens_alone_and_comes_back(void **state) {
    (void)state;
    static const char alone[] =
        "{\"of\": 2, \"evaluated\": false, \"by\": null, \"groups\": [], \"columns\": [\"topic\", "
        "\"none\"], \"embedders\": [{\"model\": \"a\", \"variance\": [0.5, 0.2], \"x\": [1, 2], "
        "\"y\": [0, 1]}], \"rows\": [{\"row\": 0, \"text\": \"a\"}, {\"row\": 1, \"text\": "
        "\"b\"}]}";
    size_t item[ES_MAP_SIDES], first;
    bench b = bench_of(12, 1);
    b.mock->source.rows = 60;
    bench_command(&b, "rank");
    bench_keys(&b, "jj");
    size_t cursor = b.app->cursor;
    bench_keys(&b, "gp");
    assert_int_equal(b.app->view, ES_VIEW_COMPARE);
    assert_int_equal(asked(&b), 1);
    assert_int_equal(es_compare_map_of(b.app, item), 1);
    assert_true(item[0] == cursor && item[1] == ES_NONE);
    es_app_map_known(b.app, document, sizeof document - 1); /* two are more than it needs */
    es_app_map_known(b.app, alone, sizeof alone - 1);
    assert_null(b.app->map->problem);
    assert_true(b.app->map->rows == 2 && b.app->map->row[1].at[0][0] == 2);
    assert_int_equal(es_compare_map_sides(b.app, &first), 1);
    bench_keys(&b, "o"); /* refused: there is one */
    assert_int_equal(b.app->set.compare_side, 0);
    bench_keys(&b, "C");
    assert_string_equal(b.app->set.compare_by, "topic");
    bench_command(&b, "map-colour none");
    assert_string_equal(es_compare_map_by(b.app), "none");
    bench_command(&b, "assign e5-small");
    assert_int_equal(es_compare_map_of(b.app, item), 1);
    assert_string_equal(es_app_model(b.app, item[0])->name, "e5-small");
    bench_command(&b, "map-colour captured"); /* which is of two */
    assert_string_equal(es_compare_map_by(b.app), "");
    bench_keys(&b, "<Esc>");
    assert_int_equal(b.app->view, ES_VIEW_RANK);
    assert_int_equal(es_compare_map_of(b.app, item), 0);
    bench_command(&b, "map-of LaBSE");
    assert_int_equal(es_compare_map_of(b.app, item), 1);
    bench_command(&b, "compare LaBSE e5-small"); /* the comparison itself */
    assert_false(es_compare_map_shown(b.app));
    assert_int_equal(es_compare_map_of(b.app, item), 2);
    bench_command(&b, "map-of nobody");
    assert_false(es_compare_map_shown(b.app));
    bench_stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map__is_asked_for__once_a_pair),
        cmocka_unit_test(map__keys_of_the_lists__are_refused),
        cmocka_unit_test(map__rows__go_from_one_to_the_other),
        cmocka_unit_test(map__colour__goes_round_the_columns),
        cmocka_unit_test(map__that_is_none__is_said),
        cmocka_unit_test(map__of_results_alone__is_refused),
        cmocka_unit_test(map__of_one__opens_alone_and_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
