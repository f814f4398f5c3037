/* The explorer in lines: what is typed is a command, a key or a number; what changed is said in
 * one line each. It passes through a grid, so that no escape gets out and ASCII is spelled out. */
#include "tui.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_sheets.h"
#include "tui_driver.h"
#include "tui_screen.h"
#include "app_commands.h"
#include "app_corr.h"
#include "app_values.h"
#include "app_lists.h"

enum {
    WIDTH = 79,   /* so narrow that views show one pane at a time ... */
    WIDE = 240,   /* ... but the overview, all of whose tiles are told, shortens nothing */
    HEIGHT = 400, /* so high that a list of a few hundred needs no scrolling */
    LINE_WIDTH = 1000,
    LINE_MAX_BYTES = 4096,
    PERCENT_STEP = 5
};

typedef struct plain {
    es_driver driver;
    es_grid line; /* everything said passes through it: no escape gets out, ASCII is spelled out */
    es_buf input;
    bool ended; /* of stdin */
    /* What was said last. */
    es_view_id view;
    size_t cursor, column;
    es_phase phase;
    double percent, toast_until;
    char toast[512];
    bool asked;     /* a line came */
    int write_code; /* errno of the first write that failed; 0: none */
} plain;

/* ---- saying ---- */

static void say_text(plain *p, const char *text) {
    es_grid_clear(&p->line);
    (void)es_grid_text(&p->line, 0, 0, ES_ROLE_TEXT, text);
    char *shown = es_grid_dump_text(&p->line);
    if (shown)
        (void)fputs(shown, stdout);
    es_free(shown);
}

static void print_format(plain *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print_format(plain *p, const char *format, ...) {
    char text[LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say_text(p, text);
}

static void say_lines(plain *p, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        print_format(p, "%.*s", (int)(length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES - 1), text);
        text += length + (text[length] == '\n');
    }
}

/* ---- rows ---- */

static void item_text(const es_app *app, size_t item, char *out, size_t capacity) {
    const es_view *view = es_views[app->view];
    if (view->row != NULL)
        view->row(app, item, out, capacity);
    else
        (void)snprintf(out, capacity, "%s", es_app_name(app, item));
}

/* Prints the row under the cursor. */
static void say_where(plain *p) {
    const es_app *app = p->driver.app;
    es_list_id list = es_view_table[app->view].list;
    char text[2000];
    if (app->cursor == ES_NONE || list == ES_LIST_COUNT)
        return;
    size_t at = es_select_index(app, list, app->cursor);
    if (at == ES_NONE)
        return;
    const es_view *view = es_views[app->view];
    if (view->place == NULL || !view->place(app, text, sizeof text))
        item_text(app, app->cursor, text, sizeof text);
    print_format(p, "%zu of %zu: %s%s", at + 1, app->list[list].count, text,
                 app->marked[app->cursor] ? ", marked" : "");
}

/* ---- views ---- */

static bool is_drawing(uint32_t code) {
    return (code >= 0x2500 && code <= 0x259F) || (code >= 0x2800 && code <= 0x28FF) ||
           code == 0x276F || code == 0;
}

/* A line of a pane in words: lines, bars and dots left out, wide gaps made two blanks. */
static void say_grid_line(plain *p, es_rect r, int y) {
    es_buf text = {0};
    int blanks = 0;
    for (int x = r.x; x < r.x + r.w; x++) {
        const es_cell *c = es_grid_at(&p->driver.grid, x, y);
        char bytes[4];
        if (!c || c->width == 0)
            continue;
        if (c->code[0] == ' ' || is_drawing(c->code[0])) {
            blanks++;
            continue;
        }
        if (text.length > 0 && blanks > 0)
            es_buf_add(&text, "  ", blanks > 1 ? 2 : 1);
        blanks = 0;
        for (int i = 0; i < ES_CELL_CODES && c->code[i]; i++)
            es_buf_add(&text, bytes, es_utf8_encode(c->code[i], bytes));
    }
    if (text.length > 0 && !text.failed)
        say_text(p, text.data);
    es_buf_free(&text);
}

static void read_view(plain *p) {
    const es_app *app = p->driver.app;
    bool wide =
        app->view == ES_VIEW_OVERVIEW && es_driver_resize(&p->driver, WIDE, HEIGHT, NULL) == ES_OK;
    es_layout layout =
        es_layout_make(app->view, app->focus[app->view], app->w, app->h, app->headline.lines);
    es_headline_parts parts;
    es_buf answer = {0};
    es_driver_draw(&p->driver);
    if (layout.answer.h > 0 && es_headline_say(app, &answer, &parts))
        say_text(p, answer.data);
    es_buf_free(&answer);
    for (int pane = 0; pane < ES_PANE_COUNT; pane++) {
        es_rect r = layout.pane[pane];
        for (int y = r.y; y < r.y + r.h; y++)
            say_grid_line(p, r, y);
    }
    if (wide)
        (void)es_driver_resize(&p->driver, WIDTH, HEIGHT, NULL);
}

static void list_items(plain *p) {
    const es_app *app = p->driver.app;
    es_list_id id = es_view_table[app->view].list;
    if (id == ES_LIST_COUNT) {
        read_view(p);
        return;
    }
    for (size_t i = 0; i < app->list[id].count; i++) {
        size_t item = app->list[id].item[i];
        char text[2000];
        item_text(app, item, text, sizeof text);
        print_format(p, "%zu. %s%s", i + 1, text, app->marked[item] ? ", marked" : "");
    }
}

/* Those that can run now; with a word, those that it occurs in. */
static void list_commands(plain *p, const char *word) {
    const es_app *app = p->driver.app;
    print_format(
        p, "Type a command, or its key. Also: list (the rows), read (the whole view), a number (go "
           "to that row), an empty line (where am I).");
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        es_command command = (es_command)c;
        const es_command_info *info = &es_commands[c];
        if (!es_command_in_view(command, app->view) || es_command_is_shadowed(command, app->view) ||
            es_command_refusal(app, command) ||
            (!strstr(info->name, word) && !strstr(info->help, word)))
            continue;
        print_format(p, "%s%s%s: %s%s%s%s", info->name, info->argument ? " " : "",
                     info->argument ? info->argument : "", info->help, info->keys[0] ? " (" : "",
                     info->keys, info->keys[0] ? ")" : "");
    }
}

/* ---- what has changed ---- */

static bool stores(const es_app *app) {
    return app->source->store_problem.code == ES_OK;
}

/* Prints every option with its value, and its default if that differs. */
static void list_options(plain *p) {
    const es_app *app = p->driver.app;
    char now[ES_APP_LINE], standard[ES_APP_LINE];
    for (size_t i = 0; es_setting_name(i) != NULL; i++) {
        es_setting_now(app, i, now, sizeof now);
        bool differs = es_setting_default(app, i, standard, sizeof standard);
        print_format(p, "%s is %s%s%s: %s", es_setting_name(i), now, differs ? ", default " : "",
                     differs ? standard : "", es_setting_help(i));
    }
    print_format(p, "Type set NAME VALUE to change one; --save at its end keeps it");
}

/* Prints the open note or question, or what replaces a dialog; questions stay open. */
static void leave_mode(plain *p) {
    es_app *app = p->driver.app;
    switch (app->mode) {
    case ES_MODE_NOTE:
        say_text(p, app->note.title);
        say_lines(p, app->note.text);
        break;
    case ES_MODE_HELP:
        list_commands(p, "");
        break;
    case ES_MODE_PICK:
        if (app->pick.kind == ES_PICK_OPTIONS) {
            list_options(p);
            break;
        }
        print_format(
            p, "This list needs a screen; type the command with its argument, like: order name");
        break;
    case ES_MODE_PROMPT:
        print_format(p, "Type it as a line: goto NAME, filter WORDS, or any command");
        break;
    case ES_MODE_ASK:
        if (app->ask == ES_ASK_NAMES) {
            es_buf names = {0};
            es_corr_proposals_put(app, SIZE_MAX, &names);
            say_lines(p, names.data != NULL ? names.data : "");
            es_buf_free(&names);
        } else if (app->ask == ES_ASK_FAMILY) {
            char question[ES_FAMILY_QUESTION];
            es_family_question(app, question, sizeof question);
            print_format(p, "%s Answer y or n.", question);
            return;
        }
        print_format(
            p, "%s Answer y or n.",
            app->ask == ES_ASK_OVERWRITE ? "The file is there already. Overwrite it?"
            : app->ask == ES_ASK_NAMES   ? "Take these names of the scores as the embedders'?"
            : app->ask == ES_ASK_FOLDERS ? "Are the rows of all folders the same items?"
            : app->ask == ES_ASK_QUIT && stores(app)
                ? "Quit while the run is on? Finished pairs are kept."
            : app->ask == ES_ASK_QUIT
                ? "Some results could not be stored. Quit, trying once more, and lose what cannot?"
                : "Cancel the run? Finished pairs are kept.");
        return;
    case ES_MODE_PLANNER:
        print_format(
            p, "The dialog needs a screen. Type run to run the open pool; for another run quit and "
               "start with --estimator, --preset, --rows, --seed");
        break;
    case ES_MODE_DUEL:
        print_format(
            p,
            "The questions need a screen; embedscope duel POOL --questions 20 --csv writes them");
        break;
    case ES_MODE_EXPORT:
        print_format(
            p, "The dialog needs a screen; type: export VIEW FILE, like export ranking rank.tex");
        break;
    case ES_MODE_NORMAL:
        return;
    }
    es_driver_key(&p->driver, ES_KEY_ESC);
}

static void say_progress(plain *p) {
    const es_app *app = p->driver.app;
    const es_progress *now = &app->progress;
    double percent = 100 * es_run_share(app);
    char passes[128];
    es_run_passes_text(app, passes, sizeof passes);
    if (app->phase != p->phase) {
        static const char *const names[] = {
            [ES_PHASE_CHECKING] = "Reading the embedders.", [ES_PHASE_IDLE] = "Ready.",
            [ES_PHASE_RUNNING] = "The run is on.",          [ES_PHASE_PAUSED] = "Paused.",
            [ES_PHASE_DONE] = "All pairs are known.",
        };
        print_format(p, "%s %s known.", names[app->phase], passes);
        p->percent = percent;
    }
    p->phase = app->phase;
    if (percent < p->percent) /* another pass */
        p->percent = 0;
    if (app->phase != ES_PHASE_RUNNING || percent < p->percent + PERCENT_STEP)
        return;
    p->percent = percent;
    char left[64] = "";
    if (isfinite(now->eta) && now->eta >= 60)
        (void)snprintf(left, sizeof left, ", about %.0f minutes left", ceil(now->eta / 60));
    else if (isfinite(now->eta))
        (void)snprintf(left, sizeof left, ", about %.0f seconds left", ceil(now->eta));
    print_format(p, "%s, %.0f percent%s%s", passes, floor(percent), left,
                 now->failed ? ", some failed" : "");
}

/* Prints what has changed since the last line: notices, questions, the view. */
static void say_changes(plain *p) {
    const es_app *app = p->driver.app;
    es_driver_draw(&p->driver); /* as on a screen: views keep scroll positions while drawing */
    leave_mode(p);
    if (app->toast_until > 0 &&
        (app->toast_until > p->toast_until || strcmp(p->toast, app->toast) != 0)) {
        (void)snprintf(p->toast, sizeof p->toast, "%s", app->toast);
        print_format(p, "%s%s", app->toast_status == ES_OK ? "" : "Problem: ", app->toast);
    }
    p->toast_until = app->toast_until;
    say_progress(p);
    bool moved = app->cursor != p->cursor || app->column != p->column;
    if (app->view != p->view)
        print_format(p, "View: %s. list reads its rows, read all of it.",
                     es_view_table[app->view].name);
    if (moved || app->view != p->view)
        say_where(p);
    p->view = app->view;
    p->cursor = app->cursor;
    p->column = app->column;
}

/* ---- what is typed ---- */

static void go_to_row(plain *p, const char *digits) {
    const es_app *app = p->driver.app;
    es_list_id list = es_view_table[app->view].list;
    size_t row = 0;
    for (; *digits && row < 1000000; digits++)
        row = row * 10 + (size_t)(*digits - '0');
    if (list == ES_LIST_COUNT || row < 1 || row > app->list[list].count) {
        print_format(p, "There is no row %zu here", row);
        return;
    }
    char command[700];
    (void)snprintf(command, sizeof command, "goto %s",
                   es_app_name(app, app->list[list].item[row - 1]));
    es_driver_send(&p->driver, (es_msg){.kind = ES_MSG_COMMAND, .text = command});
    p->cursor = ES_NONE - 1; /* said in any case */
}

/* Sends each character of a line as a key. */
static void press_keys(plain *p, const char *line, size_t length) {
    while (length > 0) {
        uint32_t key;
        size_t used = es_utf8_decode(line, length, &key);
        es_driver_key(&p->driver, key);
        line += used;
        length -= used;
    }
}

/* Runs a typed line: an answer, a command or keys. */
static void take_line(plain *p, const char *line) {
    size_t length = strlen(line);
    p->asked = true;
    if (p->driver.app->mode == ES_MODE_ASK)
        press_keys(p, length > 0 ? line : "n", 1);
    else if (length == 0)
        p->cursor = ES_NONE - 1;
    else if (strspn(line, "0123456789") == length)
        go_to_row(p, line);
    else if (strcmp(line, "list") == 0)
        list_items(p);
    else if (strcmp(line, "read") == 0)
        read_view(p);
    else if (strncmp(line, "help", 4) == 0 && (length == 4 || line[4] == ' ')) {
        const char *word = line + 4 + strspn(line + 4, " ");
        if (!es_topic_show(p->driver.app, word))
            list_commands(p, word);
    } else if (length <= 2)
        press_keys(p, line, length);
    else
        es_driver_send(&p->driver, (es_msg){.kind = ES_MSG_COMMAND, .text = line});
    say_changes(p);
}

/* Reads standard input and runs each whole line. */
static void take_lines(plain *p) {
    char bytes[1024], line[LINE_MAX_BYTES];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
        return;
    p->ended = got <= 0;
    if (got > 0)
        es_buf_add(&p->input, bytes, (size_t)got);
    else if (p->input.length > 0)
        es_buf_putc(&p->input, '\n'); /* a last line without an end */
    const char *end;
    while (!p->driver.quit && p->input.length > 0 && !p->input.failed &&
           (end = memchr(p->input.data, '\n', p->input.length))) {
        size_t length = (size_t)(end - p->input.data), used = length + 1;
        while (length > 0 && strchr(" \t\r", p->input.data[length - 1]))
            length--;
        (void)snprintf(line, sizeof line, "%.*s", (int)length, p->input.data);
        memmove(p->input.data, p->input.data + used, p->input.length - used);
        p->input.length -= used;
        take_line(p, line);
    }
    if (p->input.length > LINE_MAX_BYTES || p->input.failed)
        es_buf_clear(&p->input);
}

/* ---- the loop ---- */

static bool is_busy(const plain *p) {
    es_phase phase = es_session_phase(p->driver.session);
    return phase == ES_PHASE_CHECKING || phase == ES_PHASE_RUNNING ||
           es_worker_busy(&p->driver.writer) || es_worker_busy(&p->driver.sheets) ||
           es_beside_busy(p->driver.app);
}

/* A reader that has gone away is no error; a full disk is. */
static void flush(plain *p) {
    if (fflush(stdout) != 0 && p->write_code == 0)
        p->write_code = errno;
}

static void one_turn(plain *p) {
    enum { STDIN = 1 + ES_DRIVER_WORKERS };
    double left = es_app_deadline(p->driver.app) - es_clock_now();
    struct pollfd fds[STDIN + 1] = {{.fd = es_session_fd(p->driver.session), .events = POLLIN}};
    es_driver_put_fds(&p->driver, fds + 1);
    fds[STDIN] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    flush(p);
    (void)poll(fds, p->ended ? STDIN : STDIN + 1,
               isinf(left) ? -1
               : left > 60 ? 60000
               : left > 0  ? (int)ceil(left * 1e3)
                           : 0);
    if (!p->ended && fds[STDIN].revents)
        take_lines(p);
    bool news = es_driver_pump(&p->driver, 0);
    news = es_driver_read(&p->driver) || news;
    es_driver_tick(&p->driver);
    if (news)
        say_changes(p);
    if ((p->ended && !is_busy(p)) || p->write_code != 0)
        p->driver.quit = true;
}

es_status es_plain_run(es_session *session, const es_explorer *options, int *exit_code,
                       es_error *err) {
    es_status st = ES_OK;
    char locale[96], count[ES_COUNT_TEXT];
    plain p = {.cursor = ES_NONE, .column = ES_NONE, .view = ES_VIEW_COUNT};
    bool ascii = !es_setup_locale(locale) || options->ascii;
    ES_TRY(es_driver_open(&p.driver, session, options, err));
    ES_TRY(es_driver_attach(&p.driver, NULL, WIDTH, HEIGHT, err));
    ES_FAIL_IF(!es_grid_resize(&p.line, LINE_WIDTH, 1), es_no_memory(err));
    p.line.ascii = ascii;
    es_app_display(p.driver.app, false, false, true); /* pictures must be known to be left out */
    p.phase = es_session_phase(session);
    print_format(&p, "%s, %s. One line, one command: help lists them, quit ends.",
                 p.driver.source->name,
                 es_count_text(p.driver.app->usable, es_app_controls(p.driver.app, false),
                               es_app_derived(p.driver.app, false), count, sizeof count));
    if (options->start)
        ES_TRY(es_session_start(session, err));
    say_changes(&p);
    while (!p.driver.quit)
        one_turn(&p);
    *exit_code = p.driver.exit_code;
    flush(&p);
    if (options->asked)
        *options->asked = p.asked;
    ES_FAIL_IF(p.write_code != 0 && p.write_code != EPIPE,
               es_fail(err, ES_EIO, "standard output: %s", strerror(p.write_code)));
done:
    (void)fflush(stdout);
    es_driver_close(&p.driver);
    es_grid_free(&p.line);
    es_buf_free(&p.input);
    return st;
}
