/* `embedscope doctor`: what this machine offers, and what to do where it could be better. */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"
#include "cmd.h"
#include "cli_out.h"

#include "embedscope/version.h"

enum { MOST_FACTS = 64, FACT_TEXT = 512 };

/* Facts of one section stand together. `number` is NaN for texts. */
typedef struct fact {
    const char *section, *key, *title;
    char text[FACT_TEXT]; /* "" : not known */
    double number;
    char advice[FACT_TEXT]; /* "": as it should be */
} fact;

typedef struct facts {
    fact list[MOST_FACTS];
    size_t count;
} facts;

/* Adds a fact to a section of the report; text NULL: a number follows. */
static fact *add_fact(facts *all, const char *section, const char *key, const char *title,
                      const char *text) {
    if (all->count == MOST_FACTS)
        return &all->list[MOST_FACTS - 1];
    fact *f = &all->list[all->count++];
    *f = (fact){.section = section, .key = key, .title = title, .number = (double)NAN};
    if (text)
        (void)es_text_clean_into(f->text, sizeof f->text, text, strlen(text));
    return f;
}

__attribute__((format(printf, 2, 3))) static void advise(fact *f, const char *format, ...) {
    va_list list;
    va_start(list, format);
    (void)vsnprintf(f->advice, sizeof f->advice, format, list);
    va_end(list);
}

static fact *add_number(facts *all, const char *section, const char *key, const char *title,
                        double number, int decimals) {
    char text[64];
    (void)snprintf(text, sizeof text, "%.*f", decimals, number);
    fact *f = add_fact(all, section, key, title, text);
    f->number = number;
    return f;
}

static void look_at_processor(facts *all, size_t asked) {
    es_cpu cpu;
    es_cpu_detect(&cpu);
    add_fact(all, "processor", "name", "processor", cpu.name);
    add_number(all, "processor", "cores", "cores", cpu.cores, 0);
    add_fact(all, "processor", "instructions", "vector instructions",
             cpu.avx512            ? "AVX-512"
             : cpu.avx2 && cpu.fma ? "AVX2 and FMA"
                                   : "none that are used");
    size_t threads = asked ? asked : (size_t)cpu.cores;
    fact *f = add_number(all, "processor", "threads", "threads", (double)threads, 0);
    if (threads > (size_t)cpu.cores)
        advise(f, "more threads than cores; leave --threads away");
}

static void look_at_blas(facts *all, bool measure) {
    const char *better = es_blas_better_core();
    fact *f = add_fact(all, "blas", "core", "OpenBLAS core", es_blas_core());
    if (better)
        advise(f, "slow kernels for this processor; set OPENBLAS_CORETYPE=%s or unset it", better);
    add_fact(all, "blas", "better_core", "better core", better);
    add_fact(all, "blas", "config", "OpenBLAS", es_blas_config());
    add_fact(all, "blas", "coretype", "OPENBLAS_CORETYPE", getenv("OPENBLAS_CORETYPE"));
    if (measure)
        add_number(all, "blas", "gflops", "measured GFLOP/s, one thread", es_blas_measure(), 1);
}

/* As the explorer chooses them with --color auto; the explorer itself shows what it has chosen. */
static void look_at_colours(facts *all, const es_cli_hooks *hooks) {
    char reason[160] = "";
    const char *colours = hooks->colours ? hooks->colours(reason) : NULL;
    fact *f = add_fact(all, "terminal", "colors", "colours", colours);
    if (hooks->colours && colours == NULL && getenv("TERM"))
        advise(f, "the explorer cannot use this terminal; set TERM to what it really is");
    add_fact(all, "terminal", "colors_reason", "chosen because", reason);
}

static void look_at_terminal(facts *all, const es_cli_hooks *hooks) {
    struct winsize size = {0};
    char text[64] = "";
    bool terminal = isatty(STDOUT_FILENO) == 1;
    const char *term = getenv("TERM");
    add_fact(all, "terminal", "stdout", "standard output is a terminal", terminal ? "yes" : "no");
    fact *f = add_fact(all, "terminal", "term", "TERM", term);
    if (term == NULL || term[0] == '\0')
        advise(f, "not set; the explorer needs it");
    add_fact(all, "terminal", "colorterm", "COLORTERM", getenv("COLORTERM"));
    if (hooks)
        look_at_colours(all, hooks);
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        (void)snprintf(text, sizeof text, "%ux%u", size.ws_col, size.ws_row);
    add_fact(all, "terminal", "size", "size", text);
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    add_fact(all, "locale", "ctype", "locale", setlocale(LC_CTYPE, NULL));
    f = add_fact(all, "locale", "codeset", "character set", nl_langinfo(CODESET));
    if (!utf8)
        advise(f, "not UTF-8, so the explorer draws with ASCII; try LANG=C.UTF-8");
}

/* Milliseconds that tmux holds back a lone Esc; NaN when it does not say. */
static double tmux_escape_time(void) {
    double value = (double)NAN;
    char line[64] = "";
    FILE *pipe = popen("tmux show-options -sv escape-time 2>/dev/null", "r"); // NOLINT: fixed text
    if (pipe == NULL)
        return value;
    if (fgets(line, sizeof line, pipe) && !es_text_parse_double(line, strcspn(line, "\n"), &value))
        value = (double)NAN;
    (void)pclose(pipe);
    return value;
}

static void look_at_tmux(facts *all) {
    bool inside = getenv("TMUX") != NULL;
    add_fact(all, "tmux", "inside", "inside tmux", inside ? "yes" : "no");
    double wait = inside ? tmux_escape_time() : (double)NAN;
    if (!isfinite(wait))
        return;
    fact *f = add_number(all, "tmux", "escape_time", "tmux escape-time, ms", wait, 0);
    if (wait > 50)
        advise(f, "Esc is slow; put `set -s escape-time 10` into ~/.tmux.conf");
}

/* directory, or a file below it; NULL: not known. */
static fact *add_path(facts *all, const char *key, const char *title, const char *directory,
                      const char *below) {
    char *path = directory && below ? es_path_join(directory, below) : NULL;
    fact *f = add_fact(all, "paths", key, title, below ? path : directory);
    es_free(path);
    return f;
}

static void look_at_paths(facts *all) {
    char *config = NULL, *data = NULL, *state = NULL, *themes = NULL;
    (void)es_path_user(ES_USER_CONFIG, &config, NULL);
    (void)es_path_user(ES_USER_DATA, &data, NULL);
    (void)es_path_user(ES_USER_STATE, &state, NULL);
    (void)es_path_shared("themes", &themes, NULL);
    add_path(all, "config", "configuration", config, "config");
    add_path(all, "user_themes", "your themes", config, "themes");
    fact *f = add_path(all, "themes", "themes", themes, NULL);
    if (themes == NULL)
        advise(f, "not found beside this program; install it again");
    add_path(all, "data", "results of read-only pools", data, NULL);
    add_path(all, "state", "state and log", state, NULL);
    es_free(config);
    es_free(data);
    es_free(state);
    es_free(themes);
}

/* ---- for who is to find out what went wrong ---- */

static void look_at_system(facts *all) {
    struct utsname system;
    char text[FACT_TEXT] = "";
    if (uname(&system) == 0)
        (void)snprintf(text, sizeof text, "%s %s %s", system.sysname, system.release,
                       system.machine);
    add_fact(all, "system", "embedscope", "embedscope", es_version());
    add_fact(all, "system", "kernel", "system", text);
#ifdef __VERSION__
    add_fact(all, "system", "compiler", "compiler", __VERSION__);
#endif
    text[0] = '\0';
    (void)confstr(_CS_GNU_LIBC_VERSION, text, sizeof text);
    add_fact(all, "system", "libc", "C library", text);
}

static void look_at_limits(facts *all) {
    static const struct {
        int which;
        const char *key, *title;
    } limits[] = {{RLIMIT_AS, "address_space", "limit of address space"},
                  {RLIMIT_STACK, "stack", "limit of the stack"},
                  {RLIMIT_NOFILE, "files", "limit of open files"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        char text[32] = "none";
        if (getrlimit(limits[i].which, &limit) != 0)
            continue;
        if (limit.rlim_cur != RLIM_INFINITY)
            (void)snprintf(text, sizeof text, "%llu", (unsigned long long)limit.rlim_cur);
        add_fact(all, "limits", limits[i].key, limits[i].title, text);
    }
}

/* Of the environment only what the program heeds. */
static void look_at_environment(facts *all) {
    static const char *const names[] = {"LANG",  "LC_ALL",  "LC_CTYPE",    "COLUMNS",
                                        "LINES", "TMPDIR",  "NO_COLOR",    "OMP_NUM_THREADS",
                                        "STY",   "SSH_TTY", "TERM_PROGRAM"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            add_fact(all, "environment", names[i], names[i], getenv(names[i]));
}

static void put_last_lines(const char *text, size_t length, int lines, es_buf *out) {
    const char *from = text + length;
    if (from > text)
        from--; /* the end of the last line */
    while (from > text && (from[-1] != '\n' || --lines > 0))
        from--;
    es_buf_puts(out, "\n## The end of the log\n\n");
    for (const char *end; *from; from = *end ? end + 1 : end) {
        char line[FACT_TEXT];
        end = from + strcspn(from, "\n");
        (void)es_text_clean_into(line, sizeof line, from, (size_t)(end - from));
        es_buf_printf(out, "    %s\n", line);
    }
}

/* The end of the explorer's log, indented as Markdown has what is to stand as it is. */
static es_status put_log(es_buf *out, es_error *err) {
    enum { LINES = 40 };
    char text[LINES * FACT_TEXT / 2 + 1];
    char *path = NULL;
    (void)es_path_user_file(ES_USER_STATE, "log", &path, NULL);
    FILE *log = path ? fopen(path, "rb") : NULL;
    if (log) {
        if (fseek(log, -(long)(sizeof text - 1), SEEK_END) != 0)
            rewind(log); /* shorter than that */
        size_t length = fread(text, 1, sizeof text - 1, log);
        text[length] = '\0';
        (void)fclose(log);
        put_last_lines(text, length, LINES, out);
    }
    es_free(path);
    return es_buf_check(out, err);
}

static es_status put_report(const es_document *d, es_buf *out, es_error *err) {
    const facts *all = d->what;
    es_buf_puts(out,
                "## What I did, what I expected, what came\n\n"
                "(the command or keys, the message as it stands; of a number that looks wrong "
                "the document with --json; `embedscope check POOL` says whether what is stored "
                "is right)\n\n## This machine\n\n| | |\n|---|---|\n");
    for (size_t i = 0; i < all->count; i++) {
        const fact *f = &all->list[i];
        es_buf_printf(out, "| %s | ", f->title);
        es_table_out_escape(out, f->text[0] ? f->text : "-", ES_FORMAT_MD);
        if (f->advice[0]) {
            es_buf_puts(out, " (");
            es_table_out_escape(out, f->advice, ES_FORMAT_MD);
            es_buf_putc(out, ')');
        }
        es_buf_puts(out, " |\n");
    }
    return put_log(out, err);
}

#define ROW(C)                                                                                     \
    C(TEXT, "section", "Section", ES_COLUMN_DATA_ONLY, f->section)                                 \
    C(SHORT, TEXT, "item", "Item", "item", 0, 0, f->title)                                         \
    C(SHORT, TEXT, "value", "Value", "value", 0, 0, f->text[0] ? f->text : NULL)                   \
    C(SHORT, TEXT, "advice", "Advice", "advice", 0, 0, f->advice)

static const es_out_column columns[] = ES_COLUMNS_OF(ROW);

static es_table_out *make_table(const es_document *d) {
    const facts *all = d->what;
    es_table_out *table = ES_TABLE_OUT(columns);
    for (size_t i = 0; i < all->count; i++) {
        const fact *f = &all->list[i];
        ES_PUT_ROW(ROW, table);
    }
    return table;
}

static void put_json(const es_document *d, es_json *json) {
    const facts *all = d->what;
    for (size_t i = 0; i < all->count; i++) {
        const fact *f = &all->list[i];
        if (i == 0 || strcmp(f->section, all->list[i - 1].section) != 0) {
            if (i > 0)
                es_json_end(json);
            es_json_begin_object(json, f->section);
        }
        if (isfinite(f->number))
            es_json_double(json, f->key, f->number);
        else
            es_json_text(json, f->key, f->text[0] ? f->text : NULL);
    }
    es_json_end(json);
    es_json_begin_array(json, "advice");
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].advice[0])
            es_json_text(json, NULL, all->list[i].advice);
    es_json_end(json);
}

/* hooks: NULL inside the explorer. */
static void look(facts *all, const es_cli_hooks *hooks, size_t threads, bool measure) {
    look_at_processor(all, threads);
    look_at_blas(all, measure);
    look_at_terminal(all, hooks);
    look_at_tmux(all);
    look_at_paths(all);
}

es_status es_cli_doctor(es_buf *out, es_error *err) {
    facts *all = es_alloc_zero(1, sizeof *all);
    if (all == NULL)
        return es_no_memory(err);
    look(all, NULL, 0, false);
    for (size_t i = 0; i < all->count; i++) {
        const fact *f = &all->list[i];
        if (i > 0 && strcmp(f->section, all->list[i - 1].section) != 0)
            es_buf_putc(out, '\n');
        es_buf_printf(out, "%-28s %s\n", f->title, f->text[0] ? f->text : "-");
        if (f->advice[0])
            es_buf_printf(out, "%-28s → %s\n", "", f->advice);
    }
    es_free(all);
    return es_buf_check(out, err);
}

es_status es_cmd_doctor(es_cli *cli, es_error *err) {
    facts *all = es_cli_room(cli, 1, sizeof *all);
    if (all == NULL)
        return es_no_memory(err);
    /* values are paths and names to be copied */
    static const es_document_parts parts = {
        .schema = "doctor", .table = make_table, .never_cut = true, .json = put_json};
    static const es_document_parts report = {.text = put_report};
    bool to_report = cli->options->to_report;
    if (to_report && es_output_asked(cli) && es_output_format_of(cli, ES_FORMAT_MD) != ES_FORMAT_MD)
        return es_fail(err, ES_EINVAL, "--report is written as Markdown; leave the format away");
    if (to_report)
        look_at_system(all);
    look(all, cli->hooks, cli->options->threads, true);
    if (to_report) {
        look_at_limits(all);
        look_at_environment(all);
    }
    return es_document_write(to_report ? &report : &parts,
                             (es_document){cli, NULL, 0, all, ES_FORMAT_DEFAULT}, err);
}
