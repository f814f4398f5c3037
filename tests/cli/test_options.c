/* Options: parsing, suggestions, the configuration file, and that help shows every one of them. */
#include <unistd.h>

#include "testing.h"
#include "cmd.h"
#include "cli_session.h"

enum { ALL_GROUPS = 0xFFFF, MOST_WORDS = 32 };

typedef struct parsed {
    es_options options;
    const char *arguments[MOST_WORDS];
    size_t n_arguments;
    es_status status;
    es_error err;
} parsed;

/* Words up to NULL, as main would get them behind the program's name. */
static void parse(parsed *p, unsigned groups, const char *const *words) {
    char *argv[MOST_WORDS] = {(char *)"embedscope"};
    int argc = 1;
    memset(p, 0, sizeof *p);
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)words[argc - 1];
    es_options_init(&p->options);
    p->options.put_owners = es_command_put_owners;
    p->status = es_options_parse(&p->options, groups, "rank", argc, argv, p->arguments,
                                 &p->n_arguments, &p->err);
}

#define PARSE(p, groups, ...) parse(p, groups, (const char *const[]){__VA_ARGS__, NULL})

TEST(options__parse__gnu_forms) {
    parsed p;
    PARSE(&p, ALL_GROUPS, "--seed=7", "pool", "--rows", "100", "-ofile.csv", "--set", "a=1",
          "--set=b=2", "-q", "--include-self", "--json", "--aggregate", "q75", "--", "--odd");
    assert_int_equal(p.status, ES_OK);
    assert_int_equal(p.options.seed, 7);
    assert_int_equal(p.options.rows.choice, ES_ROWS_SAMPLE);
    assert_int_equal(p.options.rows.count, 100);
    assert_string_equal(p.options.output, "file.csv");
    assert_int_equal(p.options.settings.count, 2);
    assert_string_equal(p.options.settings.items[0], "a=1");
    assert_string_equal(p.options.settings.items[1], "b=2");
    assert_null(p.options.settings.items[2]);
    assert_true(p.options.quiet);
    assert_true(p.options.include_self);
    assert_int_equal(p.options.format, ES_FORMAT_JSON);
    assert_int_equal(p.options.aggregate, ES_BY_Q75);
    assert_int_equal(p.n_arguments, 2);
    assert_string_equal(p.arguments[0], "pool");
    assert_string_equal(p.arguments[1], "--odd");
    assert_true(es_options_given(&p.options, "rows"));
    assert_false(es_options_given(&p.options, "threads"));
    es_options_free(&p.options);
}

TEST(options__parse__flags_can_be_switched_off) {
    parsed p;
    PARSE(&p, ALL_GROUPS, "--ascii=no", "--mouse=yes", "-qo", "-");
    assert_int_equal(p.status, ES_OK);
    assert_false(p.options.ascii);
    assert_true(p.options.mouse);
    assert_true(p.options.quiet);
    assert_string_equal(p.options.output, "-");
    es_options_free(&p.options);
}

/* What stands beside it in memory stays. */
TEST(options__forget__takes_one_alone) {
    parsed p;
    PARSE(&p, ~0U, "--include-self", "--leave-family-out", "--with-derived", "--curve",
          "--aggregate=q75", "--plain", "--null");
    assert_int_equal(p.status, ES_OK);
    es_options before = p.options;
    es_options_forget(&p.options, "include-self");
    assert_false(p.options.include_self || es_options_given(&p.options, "include-self"));
    assert_true(p.options.leave_family_out && p.options.with_derived && p.options.curve);
    es_options_forget(&p.options, "aggregate");
    assert_int_equal(p.options.aggregate, ES_BY_MEDIAN);
    p.options.include_self = before.include_self;
    p.options.aggregate = before.aggregate;
    memcpy(p.options.given, before.given, sizeof before.given);
    memcpy(p.options.typed, before.typed, sizeof before.typed);
    assert_memory_equal(&p.options, &before, sizeof before);
    es_options_free(&p.options);
}

TEST(options__parse__last_format_wins) {
    parsed p;
    PARSE(&p, ALL_GROUPS, "--json", "--format=md");
    assert_int_equal(p.options.format, ES_FORMAT_MD);
    es_options_free(&p.options);
    PARSE(&p, ALL_GROUPS, "--format=md", "--csv");
    assert_int_equal(p.options.format, ES_FORMAT_CSV);
    es_options_free(&p.options);
}

TEST(options__parse__joins_lists) {
    parsed p;
    const char *joined = "unset";
    PARSE(&p, ALL_GROUPS, "--models=a,b", "--models", "c*");
    assert_ok(es_options_join(&p.options, &p.options.models, &joined, NULL));
    assert_string_equal(joined, "a,b,c*");
    assert_ok(es_options_join(&p.options, &p.options.exclude, &joined, NULL));
    assert_null(joined);
    es_options_free(&p.options);
}

static void refused(unsigned groups, const char *first, const char *second, const char *says) {
    parsed p;
    parse(&p, groups, (const char *const[]){first, second, NULL});
    if (p.status != ES_EINVAL || strstr(p.err.message, says) == NULL)
        fail_msg("'%s %s' gave %d '%s', not '%s'", first, second ? second : "", p.status,
                 p.err.message, says);
    es_options_free(&p.options);
}

TEST(options__parse__refuses_and_suggests) {
    refused(ALL_GROUPS, "--estimater", "x", "did you mean --estimator?");
    refused(ALL_GROUPS, "--estim=linear", NULL, "did you mean --estimator?");
    refused(ALL_GROUPS, "--jsno", NULL, "did you mean --json?");
    refused(ALL_GROUPS, "--zzzzzz", NULL, "unknown option --zzzzzz; see --help");
    refused(ALL_GROUPS, "-z", NULL, "unknown option -z");
    refused(ALL_GROUPS, "--seed", NULL, "--seed needs a value");
    refused(ALL_GROUPS, "-o", NULL, "-o needs a value");
    refused(ALL_GROUPS, "--seed=-1", NULL, "whole number");
    refused(ALL_GROUPS, "--seed= 1", NULL, "whole number");
    refused(ALL_GROUPS, "--seed=18446744073709551616", NULL, "whole number");
    refused(ALL_GROUPS, "--rows=1e3", NULL, "whole number");
    refused(ALL_GROUPS, "--rows=", NULL, "whole number");
    refused(ALL_GROUPS, "--rows=first:x", NULL, "whole number");
    refused(ALL_GROUPS, "--rows=4294967296", NULL, "whole number");
    refused(ALL_GROUPS | ES_OPTIONS_BUDGET, "--budget=10", NULL, "90s, 10m or 2h, not '10'");
    refused(ALL_GROUPS | ES_OPTIONS_BUDGET, "--budget=-3m", NULL, "90s, 10m or 2h");
    refused(ALL_GROUPS, "--threads=4294967296", NULL, "whole number");
    refused(ALL_GROUPS, "--format=jsn", NULL, "did you mean 'json'?");
    refused(ALL_GROUPS, "--format=", NULL, "table, csv, json, md, tex");
    refused(ALL_GROUPS, "--quiet=perhaps", NULL, "yes or no");
    refused(ALL_GROUPS, "--output=", NULL, "needs a FILE");
    refused(ES_OPTIONS_COMMON | ES_OPTIONS_RANK, "--order", "rank",
            "--order is not an option of 'rank'; it belongs to 'matrix'");
    refused(ES_OPTIONS_COMMON, "--mouse", NULL, "it belongs to 'the explorer'");
}

TEST(suggest__distance__known) {
    assert_int_equal(es_edit_distance("", "abc"), 3);
    assert_int_equal(es_edit_distance("rank", "rank"), 0);
    assert_int_equal(es_edit_distance("rnak", "rank"), 1);
    assert_int_equal(es_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(es_edit_distance("a", "b"), 1);
    assert_int_equal(es_edit_distance("ca", "abc"), 3); /* no edits inside a swapped pair */
}

static char *write_config(const char *text) {
    static char path[64];
    strcpy(path, "/tmp/es_config_XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    return path;
}

TEST(config__read__gives_defaults) {
    parsed p;
    char *path = write_config("# mine\n\n seed = 5 \nquiet=yes\r\nformat = json\n"
                              "theme = nord # not a comment\nset = folds=3\nset = clip=2");
    PARSE(&p, ES_OPTIONS_COMMON, "--seed=9", "--csv");
    assert_ok(es_options_read_config(&p.options, ES_OPTIONS_COMMON, path, &p.err));
    assert_int_equal(p.options.seed, 9);               /* the command line wins */
    assert_int_equal(p.options.format, ES_FORMAT_CSV); /* also under its other name */
    assert_true(p.options.quiet);
    assert_null(p.options.theme); /* not of this command */
    assert_int_equal(p.options.settings.count, 2);
    assert_string_equal(p.options.settings.items[0], "folds=3");
    es_options_free(&p.options);
    PARSE(&p, ALL_GROUPS, "x");
    assert_ok(es_options_read_config(&p.options, ALL_GROUPS, path, &p.err));
    assert_string_equal(p.options.theme, "nord # not a comment");
    es_options_free(&p.options);
    unlink(path);
}

static void refused_config(const char *text, const char *says) {
    parsed p;
    char *path = write_config(text);
    PARSE(&p, ES_OPTIONS_COMMON, "x");
    es_status st = es_options_read_config(&p.options, ES_OPTIONS_COMMON, path, &p.err);
    if (st != ES_EFORMAT || p.err.code != ES_EFORMAT || strstr(p.err.message, says) == NULL ||
        strstr(p.err.message, path) == NULL)
        fail_msg("'%s' gave %d '%s', not '%s'", text, st, p.err.message, says);
    es_options_free(&p.options);
    unlink(path);
}

TEST(config__read__names_file_and_line) {
    refused_config("seed = 1\nsede = 2\n", ":2: unknown option --sede; did you mean --seed?");
    refused_config("seed = x", ":1: --seed takes a whole number");
    refused_config("\n\njust words\n", ":3: expected 'option = value'");
    refused_config("order = sideways", ":1: --order takes one of"); /* checked though not ours */
    refused_config("config = other", "only be given on the command line");
    refused_config("help = yes", "only be given on the command line");
}

TEST(config__read__missing_file) {
    parsed p;
    PARSE(&p, ES_OPTIONS_COMMON, "x");
    es_status st = es_options_read_config(&p.options, ES_OPTIONS_COMMON, "/nonexistent/c", &p.err);
    assert_int_equal(st, ES_ENOTFOUND);
    es_options_free(&p.options);
}

TEST(options__fault__every_allocation) {
    char *path = write_config("set = a=1\nmodels = x\n");
    for (long after = 0; after < 40; after++) {
        parsed p;
        const char *joined = NULL;
        es_alloc_fail_after(after);
        PARSE(&p, ALL_GROUPS, "--set=a=1", "--models=q", "--exclude=r");
        es_status st = p.status;
        if (st == ES_OK)
            st = es_options_read_config(&p.options, ALL_GROUPS, path, &p.err);
        if (st == ES_OK)
            st = es_options_join(&p.options, &p.options.models, &joined, &p.err);
        es_alloc_fail_after(-1);
        assert_true(st == ES_OK || st == ES_ENOMEM);
        es_options_free(&p.options);
    }
    unlink(path);
}

TEST(help__shows__every_option_of_every_command) {
    for (size_t i = 0; i < es_cli_commands()->count; i++) {
        const es_subcommand *command = &es_cli_commands()->item[i];
        es_buf *text = test_buf();
        es_help_all(es_cli_commands(), command, text);
        assert_non_null(text->data);
        for (size_t j = 0; j < es_option_count; j++) {
            char word[64];
            (void)snprintf(word, sizeof word, "--%s%s", es_option_table[j].name,
                           es_option_table[j].argument ? " " : "");
            if (es_command_reads(command, &es_option_table[j]) && !strstr(text->data, word))
                fail_msg("help of '%s' lacks %s", command->name, word);
        }
        for (const char *const *name = command->unread; name && *name; name++) {
            size_t j = 0;
            while (j < es_option_count && (strcmp(es_option_table[j].name, *name) != 0 ||
                                           (es_option_table[j].group & command->groups) == 0))
                j++;
            assert_true(j < es_option_count);
        }
        assert_int_equal(strstr(text->data, "--ranking ") != NULL, command->of_rankings);
        if (command->of_vectors) /* refused there */
            assert_lacks(text->data, "--matrix ");
        assert_contains(text->data, "Examples:\n  embedscope");
        for (const char *line = text->data; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 79 && strncmp(line, "  embedscope", 12) != 0)
                fail_msg("help of '%s' has a long line: %.*s", command->name,
                         (int)strcspn(line, "\n"), line);
    }
}

/* Short enough to be read; what does not fit is named. */
TEST(help__every_command__fits_a_screen) {
    for (size_t i = 0; i < es_cli_commands()->count; i++) {
        const es_subcommand *command = &es_cli_commands()->item[i];
        size_t lines = 0, most = command->name[0] ? ES_HELP_LINES : ES_HELP_LINES_OVERVIEW;
        es_buf *text = test_buf();
        es_help(es_cli_commands(), command, text);
        assert_non_null(text->data);
        for (const char *at = text->data; (at = strchr(at, '\n')) != NULL; at++)
            lines++;
        if (lines > most)
            fail_msg("help of '%s' has %zu lines, more than %zu", command->name, lines, most);
        for (size_t j = 0; command->name[0] && j < es_option_count; j++)
            if (es_command_reads(command, &es_option_table[j]) &&
                !strstr(text->data, es_option_table[j].name))
                fail_msg("help of '%s' does not name --%s", command->name, es_option_table[j].name);
        for (size_t j = 0; !command->name[0] && j < es_cli_commands()->count; j++)
            assert_contains(text->data, es_cli_commands()->item[j].name);
    }
}

TEST(help__topics__are_written) {
    size_t n = 0;
    for (; es_help_topic_at(n); n++) {
        es_buf *text = test_buf();
        assert_true(es_help_topic(es_help_topic_at(n), text));
        assert_true(text->length > 200);
        for (const char *line = text->data; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 79);
        assert_null(es_command_find(es_cli_commands(), es_help_topic_at(n)));
    }
    es_buf none = {0};
    assert_true(n == 5 && !es_help_topic("nothing", &none) && none.length == 0);
}

TEST(command__aliases__are_found) {
    static const char *const alias[][2] = {{"ranking", "rank"},
                                           {"heatmap", "matrix"},
                                           {"correlation", "correlate"},
                                           {"corr", "correlate"}};
    for (size_t i = 0; i < sizeof alias / sizeof *alias; i++)
        assert_ptr_equal(es_command_find(es_cli_commands(), alias[i][0]),
                         es_command_find(es_cli_commands(), alias[i][1]));
}

TEST(options__table__is_sound) {
    assert_true(es_option_count <= ES_OPTIONS_MOST);
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *o = &es_option_table[i];
        assert_true(strlen(o->name) < 32);
        assert_true((o->kind == ES_OPTION_CHOICE) == (o->choices != NULL));
        assert_true((o->kind == ES_OPTION_FLAG || o->kind == ES_OPTION_SET ||
                     o->kind == ES_OPTION_WORD) == (o->argument == NULL));
        assert_true(o->help[strlen(o->help) - 1] != '.');
        for (size_t j = 0; j < i; j++) {
            /* a name may mean two things (--theme), but not to one command */
            bool same = strcmp(o->name, es_option_table[j].name) == 0;
            for (size_t k = 0; same && k < es_cli_commands()->count; k++)
                assert_false((o->group & es_cli_commands()->item[k].groups) != 0 &&
                             (es_option_table[j].group & es_cli_commands()->item[k].groups) != 0);
            assert_true(o->brief == 0 || o->brief != es_option_table[j].brief);
            /* rows of one group stand together, or help would head it twice */
            if (o->group == es_option_table[j].group)
                assert_int_equal(o->group, es_option_table[i - 1].group);
        }
    }
}

/* The run dialog's lines mean what the same options mean on the command line. */
TEST(plan__lines__mean_what_options_do) {
    parsed p;
    char text[] = "estimator=knife\nrows=50\nthreads=3\nset=hidden=8\nset=clip=2\n";
    PARSE(&p, ALL_GROUPS, "--estimator", "linear", "--preset", "shrunk", "--seed", "9", "--folds",
          "4", "--rows", "7", "--set", "clip=1", "--strict");
    assert_ok(es_options_expand(&p.options, test_err()));
    const char **old = p.options.settings.items;
    assert_ok(es_plan_use(&p.options, text, test_err()));
    assert_string_equal(p.options.estimator, "knife");
    assert_null(p.options.preset);
    assert_int_equal(p.options.seed, 0);
    assert_int_equal(p.options.rows.choice, ES_ROWS_SAMPLE);
    assert_int_equal(p.options.rows.count, 50);
    assert_int_equal(p.options.threads, 3);
    assert_int_equal(p.options.settings.count, 2);
    assert_string_equal(p.options.settings.items[1], "clip=2");
    assert_false(es_options_given(&p.options, "folds"));
    assert_false(es_options_given(&p.options, "seed"));
    assert_true(es_options_typed(&p.options, "rows"));
    assert_true(p.options.strict); /* is no part of a plan */
    es_free(old);
    es_options_free(&p.options);
}

static void assert_unfit(const char *lines, const char *message) {
    assert_int_equal(es_plan_check(lines, test_err()), ES_EINVAL);
    if (strstr(test_message(), message) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", message, test_message());
}

TEST(plan__check__says_what_the_command_line_says) {
    assert_ok(es_plan_check("", test_err()));
    assert_ok(es_plan_check("estimator=linear\npreset=shrunk\nrows=20\nset=clip=2\n", test_err()));
    assert_unfit("rows=-1\n",
                 "--rows takes auto, all, first:N or a whole number N (a random sample), not '-1'");
    assert_unfit("rows=19\n", "at least 20");
    assert_unfit("seed=18446744073709551616\n", "--seed takes a whole number");
    assert_unfit("threads=257\n", "from 0 to 256");
    assert_unfit("estimator=none\n", "no estimator 'none'");
    assert_unfit("estimator=linear\npreset=paper\n", "no preset 'paper'");
    assert_unfit("estimator=linear\nset=clip=-1\n", "clip");
    assert_unfit("colour=red\n", "unknown option --colour");
    assert_unfit("rows\n", "expected option=value");
}

TEST(plan__fault__every_allocation) {
    static const char lines[] = "estimator=linear\nrows=50\nset=clip=2\n";
    es_status st = ES_ENOMEM;
    for (long after = 0; st == ES_ENOMEM; after++) {
        assert_true(after < 100);
        es_alloc_fail_after(after);
        st = es_plan_check(lines, test_err());
        es_alloc_fail_after(-1);
    }
    assert_ok(st);
}
