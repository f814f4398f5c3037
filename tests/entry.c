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

typedef struct kept {
    void *object;
    void (*release)(void *);
    struct kept *next;
} kept;

static kept *kept_last;

void *test_keep(void *object, void (*release)(void *)) {
    kept *entry = calloc(1, sizeof *entry);
    assert_non_null(object);
    assert_non_null(entry);
    *entry = (kept){object, release, kept_last};
    kept_last = entry;
    return object;
}

static void drop(kept **at) {
    kept *entry = *at;
    *at = entry->next;
    entry->release(entry->object);
    free(entry);
}

void test_drop(void *object) {
    kept **at = &kept_last;
    while (*at && (*at)->object != object)
        at = &(*at)->next;
    assert_non_null(*at);
    drop(at);
}

void *test_alloc(size_t count, size_t size) {
    return test_keep(calloc(count + 1, size), free);
}

es_rng test_rng(uint64_t seed, uint64_t stream) {
    es_rng rng;
    es_rng_init(&rng, seed, stream);
    return rng;
}

static void free_buf(void *buf) {
    es_buf_free(buf);
    free(buf);
}

es_buf *test_buf(void) {
    return test_keep(calloc(1, sizeof(es_buf)), free_buf);
}

/* ---- one test ---- */

static const es_test_fixture *each, *group;
static void *group_state; /* of the group's fixture: cmocka's own would take a test's place */
static const es_test *current;
static const kept *kept_before;

static int begin_group(void **state) {
    (void)state;
    return group->set_up ? group->set_up(&group_state) : 0;
}

static int end_group(void **state) {
    (void)state;
    return group->tear_down ? group->tear_down(&group_state) : 0;
}

static int begin_test(void **state) {
    current = *state;
    *state = group_state;
    kept_before = kept_last;
    CMFixtureFunction set_up = current->is_plain ? each->set_up : current->test.setup_func;
    return set_up ? set_up(state) : 0;
}

static int end_test(void **state) {
    CMFixtureFunction tear_down = current->is_plain ? each->tear_down : current->test.teardown_func;
    while (kept_last != kept_before)
        drop(&kept_last);
    return tear_down ? tear_down(state) : 0;
}

/* ---- those of a file ---- */

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
    group = fixture_of(true);
    each = fixture_of(false);
    for (size_t i = 0; i < count; i++)
        run[i] = (struct CMUnitTest){found[i]->test.name, found[i]->test.test_func, begin_test,
                                     end_test, found[i]};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    int failed = _cmocka_run_group_tests(last_part(argv[0]), run, count, begin_group, end_group);
    while (kept_last)
        drop(&kept_last);
    free((void *)found);
    free(run);
    return failed;
}
