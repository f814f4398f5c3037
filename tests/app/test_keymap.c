/* Keys of the user's own, and settings. */
#include "app/bench.h"
#include "app_commands.h"
#include "app_keys.h"
#include "app_lists.h"

static void file(bench *b, const char *text) {
    assert_ok(es_app_keys(b->app, text, strlen(text), "keys", NULL));
}
static const es_effect *last(const bench *b, es_effect_kind kind) {
    for (size_t i = b->effects->count; i-- > 0;)
        if (b->effects->items[i].kind == kind)
            return &b->effects->items[i];
    return NULL;
}

TEST(keymap__file__goes_before_what_is_built_in) {
    bench *b = bench_start(false);
    file(b, "# mine\n\nmap heatmap w transpose\nmap * ^n next-view\n  map *\tzq quit\r\n"
            "map rank o sort dim\nunmap * x\n");
    assert_int_equal(b->app->toast_until, 0);
    bench_command(b, "heatmap");
    bench_keys(b, "w");
    assert_true(b->app->set.transposed);
    bench_keys(b, "t");
    assert_false(b->app->set.transposed); /* what is built in is still there */
    bench_keys(b, "x");
    assert_int_equal(es_select_hidden(b->app), 0);
    bench_assert_said(b, "has no function here");
    bench_command(b, "rank");
    bench_keys(b, "o");
    assert_int_equal(b->app->set.table[ES_TABLE_RANK].sort, ES_RANK_DIM);
    bench_keys(b, "<^n>");
    assert_int_equal(b->app->view, ES_VIEW_CORR);
    bench_keys(b, "zq");
    assert_non_null(last(b, ES_FX_QUIT));
}

TEST(keymap__view__goes_before_all) {
    bench *b = bench_start(false);
    file(b, "map * s freeze\nmap heatmap s digits\n");
    bench_command(b, "heatmap");
    bench_keys(b, "s");
    assert_true(b->app->set.digits);
    bench_command(b, "rank");
    bench_keys(b, "s"); /* also before the view's own */
    assert_true(b->app->frozen);
}

/* g alone runs at once, and gg still goes to the top without taking anything back. */
TEST(keymap__first_of_a_sequence__takes_back_only_its_own) {
    bench *b = bench_start(false);
    file(b, "map rank g bottom\n");
    bench_command(b, "rank");
    bench_command(b, "mark gte");
    bench_keys(b, "g");
    assert_int_equal(es_select_index(b->app, ES_LIST_RANK, b->app->cursor),
                     b->app->list[ES_LIST_RANK].count - 1);
    bench_keys(b, "gg");
    assert_int_equal(es_select_index(b->app, ES_LIST_RANK, b->app->cursor), 0);
    size_t marked = 0;
    for (size_t i = 0; i < b->app->n; i++)
        marked += b->app->marked[i];
    assert_int_equal(marked, 1);
}

TEST(keymap__mistakes__are_named_and_left_out) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"mpa * x quit", "'mpa' is neither map nor unmap"},
        {"map", "expected: map VIEW KEY COMMAND"},
        {"map * x", "expected: map VIEW KEY COMMAND"},
        {"unmap *", "expected: unmap VIEW KEY"},
        {"unmap * x quit", "expected: unmap VIEW KEY"},
        {"map heatmpa x quit", "no such view: 'heatmpa'; did you mean 'heatmap'?"},
        {"map * x qiut", "there is no command 'qiut'; did you mean 'quit'?"},
        {"map * abc quit", "'abc' is not a key"},
        {"map * ^X quit", "'^X' is not a key"},
        {"map * \xff quit", "is not a key"},
        {"map * ^c quit", "^c always interrupts"},
        {"map rank x transpose", "transpose is not a command of rank"},
        {"map * x quit now", "quit takes no argument"},
        {"map * x goto", "goto: give a name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench *b = bench_start(false);
        char text[200];
        snprintf(text, sizeof text, "map * z freeze\n%s\n", cases[i].line);
        file(b, text);
        bench_assert_said(b, "keys:2: ");
        bench_assert_said(b, cases[i].says);
        bench_keys(b, "z"); /* the right line counts */
        assert_true(b->app->frozen);
    }
    bench *b = bench_start(false);
    file(b, "map * z freeze\nmap * w quit\nmap * z undo\nmap oops\n");
    bench_assert_said(b, "keys:3: z in all views is mapped on line 1 already; and 1 more lines");
}

TEST(keymap__spelling__says_what_runs_now) {
    bench *b = bench_start(false);
    char key[16];
    file(b, "map heatmap w transpose\nunmap heatmap t\nmap * j up\nmap heatmap z order dim\n");
    assert_true(es_keymap_spelling(&b->app->keymap, ES_VIEW_HEATMAP, ES_COMMAND_TRANSPOSE, 0, key,
                                   sizeof key));
    assert_string_equal(key, "w");
    assert_false(es_keymap_spelling(&b->app->keymap, ES_VIEW_HEATMAP, ES_COMMAND_TRANSPOSE, 1, key,
                                    sizeof key));
    assert_true(
        es_keymap_spelling(&b->app->keymap, ES_VIEW_RANK, ES_COMMAND_DOWN, 0, key, sizeof key));
    assert_string_equal(key, "Down");
    assert_true(
        es_keymap_spelling(&b->app->keymap, ES_VIEW_HEATMAP, ES_COMMAND_ORDER, 0, key, sizeof key));
    assert_string_equal(key, "o"); /* z runs it with an argument: another thing */
    assert_true(es_keymap_changed(&b->app->keymap, ES_VIEW_RANK, ES_COMMAND_DOWN));
    assert_false(es_keymap_changed(&b->app->keymap, ES_VIEW_RANK, ES_COMMAND_LEFT));
}

TEST(keymap__typed__replaces_and_is_saved_on_demand) {
    bench *b = bench_start(false);
    bench_command(b, "map heatmap w transpose");
    bench_assert_said(b, "map heatmap w transpose, for this session");
    bench_command(b, "map heatmap w digits");
    bench_command(b, "heatmap");
    bench_keys(b, "w");
    assert_true(b->app->set.digits);
    assert_null(last(b, ES_FX_SAVE));
    bench_command(b, "unmap heatmap w --save");
    assert_string_equal(last(b, ES_FX_SAVE)->text, "unmap heatmap w");
    assert_int_equal(last(b, ES_FX_SAVE)->number, ES_SAVE_KEY);
    bench_keys(b, "w");
    assert_true(b->app->set.digits);
    bench_command(b, "map heatmap");
    bench_assert_said(b, "expected: map VIEW KEY COMMAND");
    bench_command(b, "map");
    assert_int_equal(b->app->mode, ES_MODE_NOTE);
    assert_contains(b->app->note.text, "unmap heatmap w");
}

TEST(keymap__edit__keeps_all_other_lines) {
    static const char text[] =
        "# mine\nmap * z freeze\n\nmap rank w  goto x\n broken\nmap * w undo";
    char *edited = es_keymap_edit(text, strlen(text), "map rank w top");
    assert_string_equal(edited,
                        "# mine\nmap * z freeze\n\nmap rank w top\n broken\nmap * w undo\n");
    es_free(edited);
    edited = es_keymap_edit(text, strlen(text), "unmap rank z");
    assert_contains(edited, "map * w undo\nunmap rank z\n");
    es_free(edited);
    edited = es_keymap_edit("", 0, "map * z freeze");
    assert_string_equal(edited, "map * z freeze\n");
    es_free(edited);
}

TEST(settings__edit__keeps_all_other_lines) {
    static const char text[] = "# theme = x\ntheme=nord\n\n  order = dim \nthemes = 1\n";
    char *edited = es_setting_edit(text, strlen(text), "theme = mono");
    assert_string_equal(edited, "# theme = x\ntheme = mono\n\n  order = dim \nthemes = 1\n");
    es_free(edited);
    edited = es_setting_edit("a = b", 5, "theme = mono");
    assert_string_equal(edited, "a = b\ntheme = mono\n");
    es_free(edited);
}

TEST(settings__set__every_one_can_be_set_to_what_it_is) {
    bench *b = bench_start(false);
    for (size_t i = 0; es_setting_name(i) != NULL; i++) {
        char now[64];
        es_setting_now(b->app, i, now, sizeof now);
        if (es_setting_set(b->app, es_setting_name(i), now, b->effects, test_err()) != ES_OK)
            fail_msg("%s: %s", now, test_message());
        for (size_t v = 0; es_setting_value(b->app, es_setting_name(i), v) != NULL; v++) {
            char value[64], after[64];
            snprintf(value, sizeof value, "%s", es_setting_value(b->app, es_setting_name(i), v));
            assert_ok(es_setting_set(b->app, es_setting_name(i), value, b->effects, test_err()));
            es_setting_now(b->app, i, after, sizeof after);
            bool by_loop = strcmp(es_setting_name(i), "ascii") == 0 ||
                           strcmp(es_setting_name(i), "theme") == 0;
            bool one_only =
                strcmp(es_setting_name(i), "estimator") == 0 || strcmp(value, "refined") == 0;
            if (!by_loop && !one_only && strcmp(value, after) != 0)
                fail_msg("%s is %s, not %s", es_setting_name(i), after, value);
        }
    }
}

TEST(settings__command__says_what_is_wrong) {
    bench *b = bench_start(false);
    bench_command(b, "set digits on");
    assert_true(b->app->set.digits);
    bench_assert_said(b, "digits = yes");
    bench_command(b, "set digits=no");
    assert_false(b->app->set.digits);
    bench_command(b, "set order");
    bench_assert_said(b, "order is rank");
    bench_command(b, "set ordre dim");
    bench_assert_said(b, "there is no setting 'ordre'; did you mean 'order'?");
    bench_command(b, "set order dmi");
    bench_assert_said(
        b, "order takes one of name, rank, dim, community, cluster, not 'dmi'; did you mean "
           "'dim'?");
    bench_command(b, "set threads -1");
    bench_assert_said(b, "threads takes a number above 0");
    bench_command(b, "set theme nord --save");
    bench_assert_said(b, "there is no theme \"nord\"");
    assert_null(last(b, ES_FX_SAVE));
    bench_command(b, "set theme mono --save");
    assert_string_equal(last(b, ES_FX_SAVE)->text, "theme = mono");
    bench_command(b, "set");
    assert_int_equal(b->app->mode, ES_MODE_PICK);
    assert_int_equal(b->app->pick.kind, ES_PICK_OPTIONS);
}

/* Present value of a setting, by its name. */
static const char *now(const bench *b, const char *name) {
    static char out[ES_APP_LINE];
    for (size_t i = 0; es_setting_name(i) != NULL; i++)
        if (strcmp(es_setting_name(i), name) == 0)
            es_setting_now(b->app, i, out, sizeof out);
    return out;
}

TEST(options__keys__change_as_set_does) {
    bench *b = bench_start(false);
    bench_keys(b, ",order<Right>");
    assert_string_equal(now(b, "order"), "dim");
    bench_keys(b, "<Left><Left><Left>");
    assert_string_equal(now(b, "order"), "cluster");
    bench_keys(b, "<Esc>auto<Enter>");
    assert_string_equal(now(b, "autostart"), "no");
    bench_keys(b, " ");
    assert_string_equal(now(b, "autostart"), "yes");
    bench_keys(b, "<Esc>theme<Right>");
    assert_string_equal(last(b, ES_FX_THEME)->text, "gruvbox");
    bench_keys(b, "<Esc>mouse<^s>");
    assert_string_equal(last(b, ES_FX_SAVE)->text, "mouse = no");
    bench_keys(b, "<Esc><Esc>");
    assert_int_equal(b->app->mode, ES_MODE_NORMAL);
    bench_keys(b, "u"); /* an option is a step of undo, as with :set */
    assert_string_not_equal(now(b, "order"), "cluster");
}

TEST(options__values__are_typed) {
    bench *b = bench_start(false);
    bench_keys(b, ",<End>"); /* viewer */
    bench_keys(b, "<Enter><^u>less %s<Enter>");
    assert_string_equal(now(b, "viewer"), "less %s");
    bench_keys(b, "<Enter>x<Esc>");
    assert_string_equal(now(b, "viewer"), "less %s");
    assert_int_equal(b->app->mode, ES_MODE_PICK);
    bench_keys(b, "resol<Enter><^u>0.7<Enter>");
    assert_string_equal(now(b, "resolution"), "0.7");
    bench_keys(b, "<Right>");
    assert_string_equal(now(b, "resolution"), "0.8");
    bench_keys(b, "<Enter><^u>-3<Enter>");
    bench_assert_said(b, "resolution takes a number above 0");
    bench_keys(b, "<Esc>threads<Esc>");
    while (strcmp(es_setting_name(b->app->pick.item[b->app->pick.at]), "threads") != 0)
        bench_keys(b, "j");
    bench_keys(b, "6<Enter>");
    assert_int_equal(last(b, ES_FX_THREADS)->number, 6);
}

/* Every option can be changed and changed back, and none closes the page. */
TEST(options__each__goes_there_and_back) {
    bench *b = bench_start(true);
    bench_command(b, "options");
    for (size_t i = 0; i < b->app->pick.all; i++, bench_keys(b, "j")) {
        const char *name = es_setting_name(b->app->pick.item[b->app->pick.at]);
        char before[ES_APP_LINE];
        (void)snprintf(before, sizeof before, "%s", now(b, name));
        bench_keys(b, strcmp(name, "viewer") == 0 ? "<Right><Enter>" : "<Right><Left>");
        if (strcmp(now(b, name), before) != 0)
            fail_msg("%s is %s, not %s", name, now(b, name), before);
        assert_int_equal(b->app->mode, ES_MODE_PICK);
    }
}

TEST(settings__configured__is_not_undone) {
    bench *b = bench_start(false);
    assert_ok(es_app_set(b->app, "order", "dim", b->effects, NULL));
    assert_int_equal(b->app->undo_count, 0);
    assert_int_equal(b->app->set.order, ES_ORDER_DIM);
}

TEST(commands__patterns__that_match_nothing_are_said) {
    bench *b = bench_start(false);
    size_t steps = b->app->undo_count;
    bench_command(b, "hide nothere");
    bench_assert_said(b, "hide: nothing matches nothere");
    bench_command(b, "mark nothere");
    bench_assert_said(b, "mark: nothing matches nothere");
    assert_int_equal(b->app->undo_count, steps);
    bench_command(b, "mark /^e5/");
    bench_assert_said(b, "Marked 2 more");
    bench_command(b, "unmark /small/");
    bench_assert_said(b, "Unmarked 1");
    bench_command(b, "unmark");
    for (size_t i = 0; i < b->app->n; i++)
        assert_false(b->app->marked[i]);
    bench_command(b, "co");
    bench_assert_said(b, "co could be co");
    bench_command(b, "qiut");
    bench_assert_said(b, "did you mean quit?");
}

TEST(prompt__arguments__are_completed_word_by_word) {
    bench *b = bench_start(false);
    char text[ES_APP_LINE];
    b->app->prompt.kind = ES_PROMPT_COMMAND;
    assert_true(es_prompt_candidate(b->app, "set or", 0, text, sizeof text));
    assert_string_equal(text, "set order");
    assert_true(es_prompt_candidate(b->app, "set order d", 0, text, sizeof text));
    assert_string_equal(text, "set order dim");
    assert_true(es_prompt_candidate(b->app, "set theme g", 0, text, sizeof text));
    assert_string_equal(text, "set theme gruvbox");
    assert_true(es_prompt_candidate(b->app, "map hea", 0, text, sizeof text));
    assert_string_equal(text, "map heatmap");
    assert_true(es_prompt_candidate(b->app, "map heatmap w trans", 0, text, sizeof text));
    assert_string_equal(text, "map heatmap w transpose");
}
