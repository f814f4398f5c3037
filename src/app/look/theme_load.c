/* Where themes come from: the text inside the program, files, and what files inherit. */
#include "app_look.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_place.h"

enum { MAX_FILE = 64 * 1024, PLACES = 4, MAX_INHERIT = 4 };

static const char BUILT_IN[] =
    "name = Terminal colours\n"
    "[roles.16]\n"
    "text.dim = bright-black\ntext.strong = default bold\nlink = blue underline\n"
    "error = red bold\nwarning = yellow bold\nsuccess = green\ninfo = cyan\n"
    "header.tab.active = default reverse bold\nkey = cyan bold\n"
    "border = bright-black\nborder.focus = cyan bold\ntitle.focus = cyan bold\n"
    "scrollbar = bright-black\noverlay.shadow = bright-black\n"
    "selection = default reverse bold\nselection.blur = default underline\n"
    "cursor = cyan bold\nmark = magenta bold\nmatch = black on yellow\n"
    "match.current = black on green bold\ncolumn.header = default underline\n"
    "column.sorted = cyan underline bold\nrow.held = cyan\n"
    "progress.full = green\nprogress.empty = bright-black\nspark = cyan\n"
    "state.ready = green\nstate.running = cyan bold\nstate.queued = bright-black\n"
    "state.done = green\nstate.failed = red bold\nstate.stale = yellow\nstate.paused = yellow "
    "bold\n"
    "cell.pending = bright-black\ncell.failed = red bold\ncell.self = bright-black\n"
    "cell.flash = default reverse\ncrosshair = default bold underline\n"
    "grid = bright-black\naxis = bright-black\npoint = cyan\npoint.cursor = default reverse bold\n"
    "point.mark = magenta bold\nfit = yellow\nband = bright-black\ninterval = cyan\n"
    "delta.up = green\ndelta.down = red\ntie = bright-black\n"
    "community.1 = yellow\ncommunity.2 = cyan\ncommunity.3 = green\ncommunity.4 = magenta\n"
    "community.5 = blue\ncommunity.6 = red\ncommunity.7 = default bold\ncommunity.8 = "
    "bright-black\n"
    "prompt = default bold\nprompt.hint = bright-black\ntoast = black on cyan\n"
    "[roles.mono]\n"
    "text.strong = bold\nlink = underline\nerror = bold\nwarning = bold\n"
    "header.tab.active = reverse\nkey = bold\nborder.focus = bold\ntitle.focus = bold\n"
    "selection = reverse\nselection.blur = underline\ncursor = bold\nmark = bold\n"
    "match = underline\nmatch.current = reverse underline\ncolumn.header = underline\n"
    "column.sorted = bold underline\nstate.running = bold\nstate.failed = bold\n"
    "cell.failed = bold\ncell.flash = reverse\ncrosshair = bold underline\n"
    "point.cursor = reverse\npoint.mark = bold\nprompt = bold\ntoast = reverse\n"
    "[colormap heat]\n"
    "stops = #440154 #482878 #3e4989 #31688e #26828e #1f9e89 #35b779 #6ece58 #b5de2b #fde725\n"
    "c256 = 53 54 24 30 36 72 78 113 149 185 227\n"
    "ramp = \" .:-=+*#%@\"\n"
    "[colormap asym]\n"
    "stops = #2166ac #67a9cf #d1d1d1 #f4a261 #b2560d\n"
    "ramp = \"<(-. .+)>\"\n";

/* ---- places ---- */

static es_status list_places(const char *theme_dir, char places[PLACES][ES_THEME_PATH], size_t *out,
                             es_error *err) {
    size_t count = 0;
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (theme_dir)
        snprintf(places[count++], ES_THEME_PATH, "%s", theme_dir);
    if (config && config[0] == '/')
        snprintf(places[count++], ES_THEME_PATH, "%s/embedscope/themes", config);
    else if (home && home[0] == '/')
        snprintf(places[count++], ES_THEME_PATH, "%s/.config/embedscope/themes", home);
    char *own = NULL;
    es_status st = es_path_shared("themes", &own, err);
    if (st == ES_OK)
        snprintf(places[count++], ES_THEME_PATH, "%s", own);
    es_free(own);
    *out = count;
    return st == ES_ENOTFOUND ? ES_OK : st; /* one theme is inside the program */
}

static es_status refuse_name(const char *name, const char *theme_dir, const char *looked,
                             es_error *err) {
    es_words known = {0};
    es_suggestion near = {.word = name};
    char names[300] = "";
    if (es_theme_list(theme_dir, &known, NULL) == ES_OK)
        for (size_t i = 0; i < known.count; i++) {
            es_text_list_add(names, sizeof names, known.word[i]);
            es_suggestion_offer(&near, known.word[i]);
        }
    es_status st = es_fail(err, ES_ENOTFOUND, "there is no theme \"%s\"%s%s%s (looked in %s)%s%s",
                           name, near.best ? "; did you mean \"" : "", near.best ? near.best : "",
                           near.best ? "\"?" : "", looked, names[0] ? "; there are " : "", names);
    es_words_deinit(&known);
    return st;
}

static es_status find_file(const char *name, const char *theme_dir, char path[ES_THEME_PATH],
                           es_error *err) {
    char places[PLACES][ES_THEME_PATH], looked[400] = "";
    if (strchr(name, '/')) {
        if (snprintf(path, ES_THEME_PATH, "%s", name) >= ES_THEME_PATH)
            return es_fail(err, ES_EINVAL, "the path of the theme is longer than %d bytes",
                           ES_THEME_PATH - 1);
        return ES_OK;
    }
    size_t count = 0;
    ES_PASS(list_places(theme_dir, places, &count, err));
    for (size_t i = 0; i < count; i++) {
        int length = snprintf(path, ES_THEME_PATH, "%s/%s.theme", places[i], name);
        if (length < ES_THEME_PATH && access(path, F_OK) == 0)
            return ES_OK;
        es_phrase_add(looked, sizeof looked, "%s%s", i ? ", " : "", places[i]);
    }
    return refuse_name(name, theme_dir, looked, err);
}

static es_status read_file(const char *path, char **text, size_t *length, es_error *err) {
    es_status st = ES_OK;
    char *bytes = NULL;
    size_t used = 0;
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a fifo must not hang the explorer */
    ES_FAIL_IF(
        fd < 0 || fstat(fd, &info) != 0,
        es_fail(err, errno == ENOENT ? ES_ENOTFOUND : ES_EIO, "%s: %s", path, strerror(errno)));
    ES_FAIL_IF(!S_ISREG(info.st_mode) || info.st_size > MAX_FILE,
               es_fail(err, ES_EFORMAT, "%s: not a theme file (a text of at most %d bytes)", path,
                       MAX_FILE));
    ES_FAIL_IF(!(bytes = es_alloc(MAX_FILE, 1)),
               es_fail(err, ES_ENOMEM, "%s: out of memory", path));
    for (ssize_t got; used < MAX_FILE && (got = read(fd, bytes + used, MAX_FILE - used)) != 0;) {
        ES_FAIL_IF(got < 0 && errno != EINTR,
                   es_fail(err, ES_EIO, "%s: %s", path, strerror(errno)));
        used += got > 0 ? (size_t)got : 0;
    }
    *text = bytes;
    *length = used;
    bytes = NULL;
done:
    es_free(bytes);
    if (fd >= 0)
        close(fd);
    return st;
}

/* ---- inheritance ---- */

/* The files on the way from the theme to its oldest parent. */
typedef struct chain {
    char paths[MAX_INHERIT + 1][ES_THEME_PATH];
    char *texts[MAX_INHERIT + 1];
    size_t lengths[MAX_INHERIT + 1], count;
} chain;

static void free_chain(chain *files) {
    for (size_t i = 0; i < files->count; i++)
        es_free(files->texts[i]);
}

/* Follow `inherits` from the last file of the chain until there is none. */
static es_status follow(chain *files, const char *theme_dir, es_error *err) {
    es_status st = ES_OK;
    for (;;) {
        size_t last = files->count - 1;
        char name[64], path[ES_THEME_PATH];
        int number = 0;
        ES_TRY(es_draft_inherits(files->texts[last], files->lengths[last], files->paths[last], name,
                                 &number, err));
        if (name[0] == '\0')
            break;
        st = find_file(name, theme_dir, path, err);
        if (st != ES_OK) {
            char prefix[ES_THEME_PATH + 32];
            snprintf(prefix, sizeof prefix, "%s:%d", files->paths[last], number);
            es_error_prefix(err, prefix);
            goto done;
        }
        for (size_t i = 0; i <= last; i++)
            ES_FAIL_IF(strcmp(files->paths[i], path) == 0,
                       es_fail(err, ES_EFORMAT, "%s:%d: \"%s\" inherits from this theme itself",
                               files->paths[last], number, name));
        ES_FAIL_IF(last == MAX_INHERIT,
                   es_fail(err, ES_EFORMAT, "%s:%d: more than %d themes inherit from each other",
                           files->paths[last], number, MAX_INHERIT));
        memcpy(files->paths[last + 1], path, sizeof path);
        ES_TRY(read_file(path, &files->texts[last + 1], &files->lengths[last + 1], err));
        files->count++;
    }
done:
    return st;
}

static es_status add_file(es_theme_draft *draft, const char *label, const char *text, size_t length,
                          es_error *err) {
    snprintf(draft->labels[draft->n_files++], ES_THEME_PATH, "%s", label);
    return es_draft_read(draft, text, length, err);
}

/* Read the built-in theme and then the chain, the oldest parent first. */
static es_status assemble(const chain *files, es_theme *out, es_error *warning, es_error *err) {
    es_status st = ES_OK;
    es_theme_draft *draft = es_alloc_zero(1, sizeof *draft);
    if (!draft)
        return es_no_memory(err);
    ES_TRY(add_file(draft, "built-in theme", BUILT_IN, sizeof BUILT_IN - 1, err));
    for (size_t i = files->count; i-- > 0;)
        ES_TRY(add_file(draft, files->paths[i], files->texts[i], files->lengths[i], err));
    ES_TRY(es_draft_resolve(draft, err));
    *out = draft->theme;
    if (warning)
        *warning = draft->warning;
done:
    es_free(draft);
    return st;
}

static void name_theme(es_theme *theme, const char *path) {
    const char *base = es_path_base(path);
    size_t length = strlen(base);
    if (length > 6 && strcmp(base + length - 6, ".theme") == 0)
        length -= 6;
    es_text_clean_into(theme->id, sizeof theme->id, base, length);
    snprintf(theme->path, sizeof theme->path, "%s", path);
}

es_status es_theme_builtin(es_theme *out, es_error *err) {
    es_theme theme;
    const chain none = {.count = 0};
    ES_PASS(assemble(&none, &theme, NULL, err));
    name_theme(&theme, "");
    *out = theme;
    return ES_OK;
}

es_status es_theme_parse(const char *text, size_t length, const char *label, const char *theme_dir,
                         es_theme *out, es_error *warning, es_error *err) {
    es_status st = ES_OK;
    es_theme theme;
    chain *files = es_alloc_zero(1, sizeof *files);
    if (!files)
        return es_no_memory(err);
    files->count = 1;
    snprintf(files->paths[0], ES_THEME_PATH, "%s", label);
    ES_FAIL_IF(!(files->texts[0] = es_alloc(length + 1, 1)), es_no_memory(err));
    if (length > 0)
        memcpy(files->texts[0], text, length);
    files->lengths[0] = length;
    ES_TRY(follow(files, theme_dir, err));
    ES_TRY(assemble(files, &theme, warning, err));
    name_theme(&theme, label);
    *out = theme;
done:
    free_chain(files);
    es_free(files);
    return st;
}

es_status es_theme_load(const char *name, const char *theme_dir, es_theme *out, es_error *warning,
                        es_error *err) {
    es_status st = ES_OK;
    char path[ES_THEME_PATH], *text = NULL;
    size_t length = 0;
    ES_TRY(find_file(name, theme_dir, path, err));
    ES_TRY(read_file(path, &text, &length, err));
    ES_TRY(es_theme_parse(text, length, path, theme_dir, out, warning, err));
done:
    es_free(text);
    return st;
}

static bool same_map(const es_colormap *a, const es_colormap *b) {
    return a->n_stops == b->n_stops && a->n_c256 == b->n_c256 && a->n_ramp == b->n_ramp &&
           memcmp(a->stops, b->stops, a->n_stops * sizeof *a->stops) == 0 &&
           memcmp(a->c256, b->c256, a->n_c256 * sizeof *a->c256) == 0 &&
           memcmp(a->ramp, b->ramp, a->n_ramp * sizeof *a->ramp) == 0;
}

bool es_theme_equal(const es_theme *a, const es_theme *b) {
    bool same = strcmp(a->name, b->name) == 0 && a->variant == b->variant &&
                a->borders == b->borders && a->glyphs == b->glyphs && a->colours == b->colours;
    for (int set = 0; set < ES_STYLES_COUNT; set++)
        for (int role = 0; same && role < ES_ROLE_COUNT; role++) {
            const es_style *x = &a->styles[set][role], *y = &b->styles[set][role];
            same = x->fg == y->fg && x->bg == y->bg && x->attrs == y->attrs;
        }
    for (int map = 0; same && map < ES_MAP_COUNT; map++)
        same = same_map(&a->maps[map], &b->maps[map]);
    return same;
}

/* ---- list ---- */

static es_status add_name(es_words *list, const char *name, size_t length, es_error *err) {
    for (size_t i = 0; i < list->count; i++)
        if (strlen(list->word[i]) == length && memcmp(list->word[i], name, length) == 0)
            return ES_OK;
    return es_words_take(list, es_strndup(name, length), err);
}

static int compare_names(const void *a, const void *b) {
    return es_text_natural_cmp(*(char *const *)a, *(char *const *)b);
}

static bool shown_name(const char *name, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += es_utf8_decode(name + at, length - at, &code);
        if (es_text_is_unsafe(code) || code == 0xFFFD)
            return false;
    }
    return length > 0;
}

es_status es_theme_list(const char *theme_dir, es_words *out, es_error *err) {
    es_status st = ES_OK;
    es_words list = {0};
    char places[PLACES][ES_THEME_PATH];
    size_t n_places = 0;
    ES_TRY(list_places(theme_dir, places, &n_places, err));
    for (size_t i = 0; i < n_places; i++) {
        DIR *dir = opendir(places[i]);
        if (!dir)
            continue;
        for (struct dirent *entry; st == ES_OK && (entry = readdir(dir));) {
            size_t length = strlen(entry->d_name);
            if (length > 6 && strcmp(entry->d_name + length - 6, ".theme") == 0 &&
                shown_name(entry->d_name, length - 6))
                st = add_name(&list, entry->d_name, length - 6, err);
        }
        closedir(dir);
        if (st != ES_OK)
            goto done;
    }
    if (list.count > 1)
        qsort(list.word, list.count, sizeof *list.word, compare_names);
    *out = list;
    list = (es_words){0};
done:
    es_words_deinit(&list);
    return st;
}
