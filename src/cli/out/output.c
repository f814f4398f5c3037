/* Where documents go: standard output or -o FILE, whose ending may say the format. An export is
 * dressed on the way and gets its FILE.meta.json. */
#include "cli_out.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool to_file(const es_cli *cli) {
    return cli->options->output && strcmp(cli->options->output, "-") != 0;
}

es_output_format es_output_ending(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (int i = ES_FORMAT_CSV; dot && es_format_names[i]; i++)
        if (strcasecmp(dot + 1, es_format_names[i]) == 0)
            return (es_output_format)i;
    return ES_FORMAT_DEFAULT;
}

static es_output_format ending_of(const es_cli *cli) {
    return to_file(cli) ? es_output_ending(cli->options->output) : ES_FORMAT_DEFAULT;
}

static bool is_typed(const es_options *o) {
    return es_options_typed(o, "format") || es_options_typed(o, "json") ||
           es_options_typed(o, "csv");
}

bool es_output_asked(const es_cli *cli) {
    return is_typed(cli->options) || ending_of(cli) != ES_FORMAT_DEFAULT;
}

/* The ending of a file goes before a format that is the user's default. */
es_output_format es_output_format_of(const es_cli *cli, es_output_format otherwise) {
    const es_options *o = cli->options;
    es_output_format ending = ending_of(cli);
    if (o->format != ES_FORMAT_DEFAULT && (is_typed(o) || ending == ES_FORMAT_DEFAULT))
        return (es_output_format)o->format;
    if (ending != ES_FORMAT_DEFAULT)
        return ending;
    return o->long_form ? ES_FORMAT_CSV : otherwise;
}

bool es_output_to_terminal(const es_cli *cli) {
    return !cli->capture && !cli->host && !cli->options->output && isatty(STDOUT_FILENO) == 1;
}

size_t es_output_width(const es_cli *cli) {
    enum { PAGE = 4000 }; /* it breaks its lines itself */
    struct winsize size = {0};
    if (cli->capture)
        return PAGE;
    if (cli->host || to_file(cli) || !isatty(STDOUT_FILENO) ||
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

bool es_output_unicode(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

es_status es_output_write_all(const char *text, size_t length, es_error *err) {
    while (length > 0) {
        ssize_t done = write(STDOUT_FILENO, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EPIPE)
            return ES_OK;
        if (done < 0)
            return es_fail(err, ES_EIO, "standard output: %s", strerror(errno));
        text += done;
        length -= (size_t)done;
    }
    return ES_OK;
}

static es_status write_document(const es_cli *cli, const es_buf *text, es_error *err) {
    es_status st = es_buf_check(text, err);
    if (st != ES_OK)
        return st;
    const char *bytes = text->data ? text->data : "";
    if (cli->host && !(cli->host->of_program && to_file(cli))) {
        es_buf_add(cli->host->document, bytes, text->length);
        return es_buf_check(cli->host->document, err);
    }
    if (cli->written)
        es_buf_add(&cli->written->document, bytes, text->length);
    if (to_file(cli))
        return es_file_write(cli->options->output, bytes, text->length, 0666, err);
    return es_output_write_all(bytes, text->length, err);
}

/* A file can have another one beside it; a device or a pipe cannot. */
static bool is_regular(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

es_status es_output_write(const es_cli *cli, const es_buf *text, es_error *err) {
    es_buf dressed = {0};
    if (cli->capture) {
        es_buf_add(cli->capture, text->data ? text->data : "", text->length);
        return es_buf_check(text, err);
    }
    if (cli->export == NULL)
        return write_document(cli, text, err);
    es_export_dress(cli, text, &dressed);
    es_status st = write_document(cli, &dressed, err);
    if (st == ES_OK && to_file(cli) && is_regular(cli->options->output))
        st = es_export_write_meta(cli, err);
    es_buf_free(&dressed);
    return st;
}

/* Each document says the same of its session. */
static bool is_noted(const es_buf *notes, const char *line) {
    size_t length = strlen(line);
    for (const char *at = notes->data; at && *at; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, length) == 0 && at[length] == '\n')
            return true;
    return false;
}

/* Prints a cleaned line to stderr, or notes it once for a host program. */
static void print_line(const es_cli *cli, const char *kind, const char *text) {
    es_error line;
    es_error_set(&line, ES_OK, "%s", text); /* cleans */
    if (cli->host && !is_noted(cli->host->notes, line.message))
        es_buf_printf(cli->host->notes, "%s\n", line.message);
    else if (!cli->host)
        (void)fprintf(stderr, "embedscope: %s%s\n", kind, line.message);
    if (cli->written)
        es_buf_printf(&cli->written->notes, "embedscope: %s%s\n", kind, line.message);
}

void es_output_note(const es_cli *cli, const char *format, ...) {
    char text[sizeof((es_error *)0)->message];
    va_list list;
    if (cli->options->quiet)
        return;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_line(cli, "note: ", text);
}

void es_output_fault(const es_cli *cli, const char *format, ...) {
    char text[sizeof((es_error *)0)->message];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_line(cli, "", text);
}

void es_output_note_idle(const es_cli *cli, const char *option, const char *why) {
    if (es_options_typed(cli->options, option))
        es_output_note(cli, "--%s has no effect here%s%s", option, why ? ": " : "", why ? why : "");
}

/* A document must not take the place of what it was made from. */

/* ---- files named on the command line ---- */

static bool is_same_file(const struct stat *out, const char *path) {
    struct stat in;
    return path && stat(path, &in) == 0 && S_ISREG(in.st_mode) && in.st_dev == out->st_dev &&
           in.st_ino == out->st_ino;
}

/* Those of the options that are read, by the table: their argument is a FILE, and they are not the
 * ones that are written. */
static const char *same_option(const es_cli *cli, const struct stat *out) {
    static const char *const written[] = {"output", "store"};
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        bool reads = option->kind == ES_OPTION_TEXT && cli->options->given[i] &&
                     strncmp(option->argument, "FILE", 4) == 0;
        for (size_t k = 0; k < sizeof written / sizeof *written; k++)
            reads = reads && strcmp(option->name, written[k]) != 0;
        if (!reads)
            continue;
        const char *path;
        memcpy(&path, (const char *)cli->options + option->field, sizeof(const char *));
        if (is_same_file(out, path))
            return option->name;
    }
    return NULL;
}

static es_status check_named(es_cli *cli, const char *path, es_error *err) {
    struct stat out;
    char label[ES_PATH_LABEL];
    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
        return ES_OK;
    const char *option = same_option(cli, &out);
    if (option)
        return es_usage(cli, err, "%s: --%s is read from it; write to another file",
                        es_path_label(label, path), option);
    for (size_t i = 0; i < cli->n_arguments; i++)
        if (is_same_file(&out, cli->arguments[i]))
            return es_usage(cli, err, "%s: is what is read; write to another file",
                            es_path_label(label, path));
    return ES_OK;
}

/* ---- files of a pool ---- */

/* The canonical path of a file that need not be there; NULL: neither is its folder. */
static es_status canonical_file(const char *path, char **out, es_error *err) {
    const char *name = es_path_base(path);
    es_error why = {0};
    char *real = NULL;
    char *folder = name == path ? es_strdup(".") : es_strndup(path, (size_t)(name - path));
    es_status st = folder ? es_path_canonical(folder, &real, &why) : es_no_memory(err);
    *out = NULL;
    if (st == ES_OK && (*out = es_path_join(real, name)) == NULL)
        st = es_no_memory(err);
    else if (st != ES_OK && st != ES_ENOMEM)
        st = ES_OK; /* writing it says why not */
    es_free(folder);
    es_free(real);
    return st;
}

static es_status check_pool(es_cli *cli, const char *pool, const char *path, const char *real,
                            es_error *err) {
    char *root = NULL, label[ES_PATH_LABEL];
    struct stat info;
    if (stat(pool, &info) != 0 || !S_ISDIR(info.st_mode) ||
        es_path_canonical(pool, &root, NULL) != ES_OK)
        return ES_OK; /* opening it says why */
    size_t length = strlen(root);
    bool inside = strncmp(real, root, length) == 0 && real[length] == '/';
    const char *role = inside ? es_pool_file_role(real, real + length + 1) : NULL;
    es_free(root);
    return role ? es_usage(cli, err, "%s: %s; write to another file", es_path_label(label, path),
                           role)
                : ES_OK;
}

es_status es_output_guard(es_cli *cli, es_error *err) {
    const char *path = cli->options->output;
    struct stat info;
    char *real = NULL;
    if (path == NULL || strcmp(path, "-") == 0)
        return ES_OK;
    es_status st = check_named(cli, path, err);
    if (st != ES_OK || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return st;
    st = canonical_file(path, &real, err);
    bool here = cli->command->name[0] == '\0' && cli->n_arguments == 0; /* the explorer's default */
    if (st == ES_OK && real && here)
        st = check_pool(cli, ".", path, real, err);
    for (size_t i = 0; st == ES_OK && real && i < cli->n_arguments; i++)
        st = check_pool(cli, cli->arguments[i], path, real, err);
    es_free(real);
    return st;
}
