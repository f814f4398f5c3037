/* Runs the tests of the file by whose name the program is called: LAYER_test_NAME (es_tests in
 * CMakeLists.txt), or those of another name if an argument is a pattern of their names. */
#include "testing.h"

char **es_test_arguments;
int (*es_test_child)(char **arguments);
static es_test *tests;
static es_test_fixture *fixtures;

void es_test_list(es_test *test) {
    test->next = tests;
    tests = test;
}

void es_test_list_fixture(es_test_fixture *fixture) {
    fixture->next = fixtures;
    fixtures = fixture;
}

static es_error last_error;

es_error *test_err(void) {
    last_error = (es_error){0};
    return &last_error;
}

const char *test_message(void) {
    return last_error.message;
}

void test_ok(es_status status, const char *call, const char *file, int line) {
    if (status != ES_OK) {
        print_error("%s: %s: %s\n", call, es_status_name(status),
                    last_error.code == status ? last_error.message : "");
        _fail(file, line);
    }
}

void test_error(es_status got, es_status expected, const char *message, bool is_whole,
                const char *call, const char *file, int line) {
    const char *said = last_error.message;
    bool is_same = is_whole ? strcmp(said, message) == 0 : strstr(said, message) != NULL;
    if (got != expected || !is_same) {
        print_error("%s: %s: \"%s\", expected %s: \"%s\"\n", call, es_status_name(got), said,
                    es_status_name(expected), message);
        _fail(file, line);
    }
}

void test_contains(const char *text, const char *part, bool expected, const char *file, int line) {
    if (text == NULL || (strstr(text, part) != NULL) != expected) {
        print_error("\"%s\" %s \"%s\"\n", text ? text : "(null)",
                    expected ? "does not contain" : "contains", part);
        _fail(file, line);
    }
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Is the program called by the name of this file? engine_test_pool and engine_pool are test_pool.c.
 */
static bool is_called(const char *file) {
    const char *called = last_part(es_test_arguments[0]), *layer_end = strchr(called, '_'),
               *name = last_part(file) + strlen("test_");
    if (!layer_end)
        return false;
    called = layer_end + 1;
    called += strncmp(called, "test_", 5) == 0 ? strlen("test_") : 0;
    return strncmp(name, called, strlen(called)) == 0 && strcmp(name + strlen(called), ".c") == 0;
}

static const es_test_fixture *fixture_of(bool is_group) {
    static const es_test_fixture none = {0};
    for (const es_test_fixture *f = fixtures; f; f = f->next)
        if (f->is_group == is_group && is_called(f->file))
            return f;
    return &none;
}

static int compare_lines(const void *a, const void *b) {
    const es_test *const *x = a, *const *y = b;
    return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

/* The tests of the file, in its order. The caller frees them. */
static es_test **called_tests(size_t *count) {
    size_t all = 0;
    for (const es_test *t = tests; t; t = t->next)
        all++;
    es_test **found = (es_test **)calloc(all + 1, sizeof *found);
    *count = 0;
    for (es_test *t = tests; found && t; t = t->next)
        if (is_called(t->file))
            found[(*count)++] = t;
    if (found)
        qsort((void *)found, *count, sizeof *found, compare_lines);
    return found;
}

int main(int argc, char **argv) {
    es_test_arguments = argv;
    if (es_test_child && argc > 1 &&
        (strcmp(argv[1], "child") == 0 || strcmp(argv[1], "misled") == 0))
        return es_test_child(argv);
    size_t count = 0;
    es_test **found = called_tests(&count);
    struct CMUnitTest *run = calloc(count + 1, sizeof *run);
    if (!found || !run || count == 0) {
        fprintf(stderr, "%s: call it by the name of a test: LAYER_test_NAME\n", argv[0]);
        return 2;
    }
    const es_test_fixture *each = fixture_of(false), *group = fixture_of(true);
    for (size_t i = 0; i < count; i++) {
        run[i] = found[i]->test;
        if (found[i]->is_plain) {
            run[i].setup_func = each->set_up;
            run[i].teardown_func = each->tear_down;
        }
    }
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    int failed =
        _cmocka_run_group_tests(last_part(argv[0]), run, count, group->set_up, group->tear_down);
    free((void *)found);
    free(run);
    return failed;
}
