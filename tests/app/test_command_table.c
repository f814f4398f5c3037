/* Every command can be found and run in the three ways: by its keys, in ?, and after ':'. */
#include "app/bench.h"
#include "app_commands.h"
#include "app_keys.h"
#include "app_lists.h"

static void press(bench *b, uint32_t key) {
    mock_send(b->app, (es_msg){.kind = ES_MSG_KEY, .now = b->app->now + 0.01, .key = key},
              b->effects);
}

static bool runs(es_view_id view, const char *spelling, es_command command) {
    uint32_t key[ES_COMMAND_KEYS];
    bool longer;
    size_t count = es_command_parse(spelling, key);
    return count > 0 && es_command_of_keys(view, key, count, &longer) == command;
}

/* In every view in which ? lists a command, each key shown for it runs it. */
TEST(table__keys__run_what_help_lists) {
    bench *b = bench_start(true);
    char spelling[16];
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        b->app->view = (es_view_id)view;
        es_help_open(b->app, NULL, es_command_refusal);
        for (size_t i = 0; i < b->app->help.count; i++) {
            es_command command = (es_command)b->app->help.match[i];
            for (size_t s = 0; es_keymap_spelling(&b->app->keymap, b->app->view, command, s,
                                                  spelling, sizeof spelling);
                 s++)
                if (!runs(b->app->view, spelling, command))
                    fail_msg("%s in view %d: %s runs something else", es_commands[command].name,
                             view, spelling);
        }
    }
    b->app->mode = ES_MODE_NORMAL;
}

/* And each key that runs something in a view is listed there. */
TEST(table__bindings__are_all_in_help) {
    bench *b = bench_start(true);
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        bool listed[ES_COMMAND_COUNT] = {false};
        b->app->view = (es_view_id)view;
        es_help_open(b->app, NULL, es_command_refusal);
        for (size_t i = 0; i < b->app->help.count; i++)
            listed[b->app->help.match[i]] = true;
        for (int c = 0; c < ES_COMMAND_COUNT; c++) {
            char spelling[16];
            for (size_t s = 0; es_command_spelling((es_command)c, s, spelling, sizeof spelling);
                 s++)
                if (runs((es_view_id)view, spelling, (es_command)c) && !listed[c])
                    fail_msg("%s (%s) is not listed in view %d", es_commands[c].name, spelling,
                             view);
        }
    }
    b->app->mode = ES_MODE_NORMAL;
}

TEST(table__help_of_all_views__lists_every_command) {
    bench *b = bench_start(true);
    press(b, '?');
    press(b, '?');
    assert_true(b->app->help.all);
    assert_int_equal(b->app->help.count, ES_COMMAND_COUNT);
}

/* Every topic that Tab offers is a page, with the keys of what it is about, also the user's own. */
TEST(table__topics__are_pages_with_keys) {
    bench *b = bench_start(true);
    char line[64], own[64];
    assert_ok(es_keymap_add(&b->app->keymap, "map rank z sort", 0, test_err()));
    for (size_t i = 0; es_topic_name(i) != NULL; i++) {
        (void)snprintf(line, sizeof line, "help %s", es_topic_name(i));
        bench_command(b, line);
        assert_int_equal(b->app->mode, ES_MODE_NOTE);
        assert_contains(b->app->note.text, "\n\n  ");
        bench_keys(b, "<Esc>");
    }
    for (int view = 0; view < ES_VIEW_COUNT; view++) {
        (void)snprintf(line, sizeof line, "help %s", es_view_table[view].name);
        line[5] = (char)(line[5] + ('a' - 'A'));
        bench_command(b, line);
        for (int c = 0; c < ES_COMMAND_COUNT; c++)
            if (es_command_is_own((es_command)c) &&
                es_command_in_view((es_command)c, (es_view_id)view))
                assert_contains(b->app->note.text, es_commands[c].help);
        bench_keys(b, "<Esc>");
    }
    bench_command(b, "help rank");
    (void)snprintf(own, sizeof own, "  z s         %s", es_commands[ES_COMMAND_SORT].help);
    if (strstr(b->app->note.text, own) == NULL)
        fail_msg("the user's key is not in:\n%s", b->app->note.text);
    bench_keys(b, "<Esc>");
    bench_command(b, "help transp"); /* no topic: the list, filtered */
    assert_int_equal(b->app->mode, ES_MODE_HELP);
    bench_keys(b, "<Esc>");
}

/* What runs each command, by name. */
static const char *const handler[ES_COMMAND_COUNT] = {
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run, refuse)          \
    [ES_COMMAND_##id] = #run,
#include "commands.def"
#undef C
};

/* A footer that names several keys, "hjkl" or "-/+" or "< >", stands for a family of commands. */
TEST(table__footer__names_keys_that_run_it) {
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        const es_command_info *info = &es_commands[c];
        for (int view = 0; view < ES_VIEW_COUNT && info->footer != NULL; view++) {
            if (!es_command_in_view((es_command)c, (es_view_id)view) ||
                es_command_is_shadowed((es_command)c, (es_view_id)view))
                continue;
            char first[16];
            assert_true(info->footer_keys != NULL ||
                        es_command_spelling((es_command)c, 0, first, sizeof first));
            for (const char *key = info->footer_keys; key != NULL && *key != '\0'; key++) {
                uint32_t code = (unsigned char)*key;
                bool longer;
                if (*key == ' ' || *key == '/')
                    continue;
                es_command found = es_command_of_keys((es_view_id)view, &code, 1, &longer);
                bool family =
                    found != ES_COMMAND_COUNT &&
                    (strcmp(handler[found], handler[c]) == 0 || found == ES_COMMAND_LEFT ||
                     found == ES_COMMAND_RIGHT || found == ES_COMMAND_COLUMNS);
                if (!family && !longer)
                    fail_msg("footer of %s in view %d: %c runs something else", info->name, view,
                             *key);
            }
        }
    }
}

/* Each name after ':' is its own command's, and is offered by Tab. */
TEST(table__names__reach_every_command) {
    bench *b = bench_start(true);
    char candidate[ES_APP_LINE];
    b->app->prompt.kind = ES_PROMPT_COMMAND;
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        const char *name = es_commands[c].name;
        bool offered = false;
        assert_int_equal(es_command_of_name(name, strlen(name)), c);
        for (size_t i = 0;
             !offered && es_prompt_candidate(b->app, name, i, candidate, sizeof candidate); i++)
            offered = strcmp(candidate, name) == 0;
        if (!offered)
            fail_msg("Tab does not offer %s", name);
    }
}

/* A key that ? lists is never answered with "has no function here". */
TEST(table__pressing_keys__is_never_in_vain) {
    for (int view = 0; view < ES_VIEW_COUNT; view++)
        for (int c = 0; c < ES_COMMAND_COUNT; c++) {
            char spelling[16];
            uint32_t key[ES_COMMAND_KEYS];
            if (!es_command_spelling((es_command)c, 0, spelling, sizeof spelling) ||
                !runs((es_view_id)view, spelling, (es_command)c))
                continue;
            bench *b = bench_start(true);
            es_go(b->app, (es_view_id)view);
            size_t count = es_command_parse(spelling, key);
            for (size_t i = 0; i < count; i++)
                press(b, key[i]);
            if (strstr(b->app->toast, "has no function here") != NULL)
                fail_msg("%s in view %d: %s", spelling, view, b->app->toast);
        }
}
