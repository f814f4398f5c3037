/* For tests of the whole program: runs it in a scratch directory of its own, keeps what it printed,
 * and makes small pools. Included after cmocka.h by one test program at a time. */
#ifndef ES_TESTS_CLI_PROGRAM_H
#define ES_TESTS_CLI_PROGRAM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"
#include "io_files.h"

enum { PATH_ROOM = 512 };

/* ---- the scratch directory ---- */

static char scratch[64];

static inline int make_scratch(void **state) {
    (void)state;
    strcpy(scratch, "/tmp/es_cli_XXXXXX");
    if (!mkdtemp(scratch) || chdir(scratch) != 0)
        return -1;
    /* nothing of the user's own may be read or written */
    static const char *const homes[] = {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                        "XDG_STATE_HOME"};
    for (size_t i = 0; i < 4; i++)
        setenv(homes[i], scratch, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    return 0;
}

/* All that is in `folder`, whatever its modes. No program is started for it: that takes as long as
 * many a test. */
static int empty_folder(const char *folder) {
    char path[4096];
    int failed = 0;
    if (chmod(folder, 0700) != 0)
        return -1;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return -1;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (lstat(path, &st) != 0)
            failed = -1;
        else if (!S_ISDIR(st.st_mode))
            failed |= unlink(path);
        else
            failed |= empty_folder(path) | rmdir(path);
    }
    (void)closedir(dir);
    return failed;
}

static inline int remove_scratch(void **state) {
    (void)state;
    return chdir("/") | empty_folder(scratch) | rmdir(scratch);
}

/* Every test begins with an empty directory. */
static inline int empty_scratch(void **state) {
    (void)state;
    return empty_folder(".");
}

static inline void write_file(const char *path, const void *bytes, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* The whole file, kept until the test ends; NULL if it cannot be read. */
static inline char *slurp(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    es_buf text = {0};
    char block[4096];
    size_t got = 0;
    es_buf_puts(&text, "");
    while ((got = fread(block, 1, sizeof block, f)) > 0)
        es_buf_add(&text, block, got);
    fclose(f);
    return test_keep(text.data, es_free);
}

/* The words of an SVG, wherever its lines wrap: by the widths of the font. */
static inline char *slurp_words(const char *path) {
    char *text = slurp(path), *to = text;
    bool inside = false;
    for (const char *from = text; from && *from; from++) {
        inside = (inside && *from != '>') || *from == '<';
        char c = inside || *from == '>' || *from == '\n' ? ' ' : *from;
        if (c != ' ' || (to > text && to[-1] != ' '))
            *to++ = c;
    }
    if (to)
        *to = '\0';
    return text;
}

/* ---- running ---- */

typedef struct run_result {
    int code; /* exit code, or 256 + signal */
    char *out, *err;
} run_result;

static void redirect(const char *path, int flags, int to) {
    int fd = open(path, flags, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(99);
}

enum { MOST_ARGUMENTS = 24 };

/* Starts the program; its output goes to files `out` and `err` of the scratch directory. */
static pid_t start_program(const char *const *arguments, const char *out, const char *err) {
    const char *program = ES_PROGRAM;
    char *argv[MOST_ARGUMENTS + 2] = {(char *)(uintptr_t)ES_PROGRAM};
    for (size_t i = 0; arguments[i]; i++) {
        assert_true(i < MOST_ARGUMENTS);
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
#ifdef ES_SCRIPTED
        if (strcmp(arguments[i], "--script") == 0)
            program = ES_SCRIPTED;
#endif
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGINT, SIG_DFL); /* a shell has what it runs beside ignore it */
        redirect("/dev/null", O_RDONLY, STDIN_FILENO);
        redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect(err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        execv(program, argv);
        _exit(98);
    }
    return child;
}

static int wait_program(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static run_result run_list(const char *const *arguments) {
    run_result r = {0};
    pid_t child = start_program(arguments, ".stdout", ".stderr");
    r.code = wait_program(child);
    r.out = slurp(".stdout");
    r.err = slurp(".stderr");
    assert_non_null(r.out);
    assert_non_null(r.err);
    return r;
}

static inline void expect_code(const run_result *r, int code) {
    if (r->code != code)
        fail_msg("exit code %d, not %d; stderr: %s", r->code, code, r->err);
}

/* It must exit with `code`. */
static inline run_result run_code(const char *const *arguments, int code) {
    run_result r = run_list(arguments);
    for (size_t i = 0; r.code != code && arguments[i]; i++)
        print_error("%s ", arguments[i]);
    expect_code(&r, code);
    return r;
}

static inline run_result run_ok(const char *const *arguments) {
    return run_code(arguments, 0);
}

/* RUN_OK("rank", "pool", "--json"): what was printed is kept until the test ends. */
#define RUN(...) run_list((const char *const[]){__VA_ARGS__, NULL})
#define RUN_OK(...) run_ok((const char *const[]){__VA_ARGS__, NULL})
#define RUN_CODE(code, ...) run_code((const char *const[]){__VA_ARGS__, NULL}, code)

/* Exit code, and one line on stderr that says each of `words` (separated by '|'). */
static inline void expect_error(run_result r, int code, const char *words) {
    char part[256];
    if (r.code != code)
        fail_msg("exit code %d, not %d; stderr: %s", r.code, code, r.err);
    const char *said = r.err ? r.err : "";
    size_t length = strlen(said);
    const char *line = strstr(said, "embedscope: ");
    while (line && strncmp(line, "embedscope: note: ", 18) == 0)
        line = strstr(line + 1, "embedscope: ");
    if (line == NULL || length == 0 || strchr(line, '\n') != said + length - 1)
        fail_msg("not one line: '%s'", said);
    for (const char *at = words; *at;) {
        size_t n = strcspn(at, "|");
        (void)snprintf(part, sizeof part, "%.*s", (int)n, at);
        if (line && strstr(line, part) == NULL)
            fail_msg("'%s' is not in: %s", part, line);
        at += n + (at[n] == '|');
    }
}

/* ---- pools ---- */

/* Version 1.0 with the header as given: tests of the loader write what no library would. */
static inline void write_npy_header(FILE *f, const char *header) {
    size_t length = strlen(header) + 1, padded = (10 + length + 63) / 64 * 64 - 10;
    unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    start[8] = (unsigned char)(padded & 255);
    start[9] = (unsigned char)(padded >> 8);
    fwrite(start, 1, sizeof start, f);
    fputs(header, f);
    for (size_t i = length; i < padded; i++)
        fputc(' ', f);
    fputc('\n', f);
}

static inline void write_npy(const char *path, const double *values, size_t rows, size_t columns) {
    char header[128];
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    (void)snprintf(header, sizeof header,
                   "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }", rows,
                   columns);
    write_npy_header(f, header);
    assert_int_equal(fwrite(values, sizeof *values, rows * columns, f), rows * columns);
    assert_int_equal(fclose(f), 0);
}

/* `name`.npy in the folder `pool`, which is made if there is none. Columns are mixtures of hidden
 * factors, the same for every call, and of noise of standard deviation `noise`. */
static inline void add_model(const char *pool, const char *name, size_t rows, size_t columns,
                             uint64_t seed, double noise) {
    enum { FACTORS = 4 };
    char path[2 * PATH_ROOM];
    double *values = es_alloc(rows * columns, sizeof *values);
    assert_non_null(values);
    es_rng factors, mix, own;
    es_rng_init(&factors, 99, 1);
    es_rng_init(&mix, seed, 2);
    es_rng_init(&own, seed, 3);
    double weight[64 * FACTORS];
    assert_true(columns <= 64);
    for (size_t j = 0; j < columns * FACTORS; j++)
        weight[j] = es_rng_normal(&mix);
    for (size_t i = 0; i < rows; i++) {
        double z[FACTORS];
        for (size_t k = 0; k < FACTORS; k++)
            z[k] = es_rng_normal(&factors);
        for (size_t j = 0; j < columns; j++) {
            double x = noise * es_rng_normal(&own);
            for (size_t k = 0; k < FACTORS; k++)
                x += weight[j * FACTORS + k] * z[k];
            values[i * columns + j] = x;
        }
    }
    (void)mkdir(pool, 0700);
    (void)snprintf(path, sizeof path, "%s/%s.npy", pool, name);
    write_npy(path, values, rows, columns);
    es_free(values);
}

/* Four embedders of 240 rows; "c" is the noisiest. */
static inline void make_pool(const char *pool) {
    add_model(pool, "a", 240, 6, 1, 0.05);
    add_model(pool, "b", 240, 8, 2, 0.2);
    add_model(pool, "c", 240, 5, 3, 5.0);
    add_model(pool, "d10", 240, 4, 4, 0.5);
}

/* ---- JSON ---- */

static void free_json(void *doc) {
    es_json_free(doc);
}

/* The root of a document, which is kept until the test ends. */
static inline es_json_value parse_json(const char *text) {
    es_json_doc *doc = NULL;
    if (es_json_parse(text, strlen(text), "output", &doc, test_err()) != ES_OK)
        fail_msg("%s in: %.300s", test_message(), text);
    test_keep(doc, free_json);
    return es_json_root(doc);
}

/* The root of what RUN_OK prints. */
#define RUN_JSON(...) parse_json(RUN_OK(__VA_ARGS__).out)

static inline es_json_value member(const es_json_value *object, const char *key,
                                   es_json_type type) {
    es_json_value out = {0};
    assert_ok(es_json_get(object, key, type, ES_JSON_REQUIRED, &out, test_err()));
    return out;
}

/* How many items an array has. */
static inline size_t count_of(const es_json_value *object, const char *key) {
    es_json_value list = member(object, key, ES_JSON_ARRAY);
    return es_json_count(&list);
}

static inline const char *text_of(const es_json_value *object, const char *key) {
    const char *text = NULL;
    assert_ok(es_json_get_text(object, key, ES_JSON_REQUIRED, &text, test_err()));
    return text;
}

static inline double number_of(const es_json_value *object, const char *key) {
    double number = 0;
    assert_ok(es_json_get_number(object, key, ES_JSON_REQUIRED, &number, test_err()));
    return number;
}

/* NaN: null or absent. */
static inline double number_or_none(const es_json_value *object, const char *key) {
    double number = NAN;
    (void)es_json_get_number(object, key, 0, &number, test_err());
    return number;
}

/* Any JSON reader must take it; Python's is asked where it is there. */
static inline void check_json_tool(const char *text) {
    write_text("check.json", text);
    if (system("command -v python3 >/dev/null 2>&1") == 0)
        assert_int_equal(system("python3 -m json.tool check.json >/dev/null"), 0);
}

/* make_pool, with the linear estimates stored. */
static inline void estimate_pool(void) {
    make_pool("pool");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    assert_string_equal(r.err, "");
    assert_contains(r.out, "16 pairs: 16 estimated");
}

#endif
