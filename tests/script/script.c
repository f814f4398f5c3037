/* Scripts: reads keys and commands from a file, plays them through the driver, and checks what the
 * screen shows. */
#include "script.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_keys.h"

static const double WAIT_LIMIT = 600; /* seconds that ":wait idle" and ":wait done" wait at most */
enum { MAX_SIZE = 1000 };

/* ---- reading ---- */

typedef struct line_place {
    const char *label;
    int line;
} line_place;

static es_status add_step(es_script *script, es_step step, const char *text, size_t length,
                          es_error *err) {
    es_step *steps = es_grow(script->steps, script->count, &script->capacity, sizeof *steps);
    if (!steps)
        return es_no_memory(err);
    script->steps = steps;
    if (text && !(step.text = es_strndup(text, length)))
        return es_no_memory(err);
    script->steps[script->count++] = step;
    return ES_OK;
}

static uint32_t named_key(const char *name, size_t length) {
    static const struct {
        const char *name;
        uint32_t key;
    } names[] = {{"enter", ES_KEY_ENTER},
                 {"cr", ES_KEY_ENTER},
                 {"esc", ES_KEY_ESC},
                 {"tab", ES_KEY_TAB},
                 {"s-tab", ES_KEY_BACKTAB},
                 {"space", ' '},
                 {"up", ES_KEY_UP},
                 {"down", ES_KEY_DOWN},
                 {"left", ES_KEY_LEFT},
                 {"right", ES_KEY_RIGHT},
                 {"home", ES_KEY_HOME},
                 {"end", ES_KEY_END},
                 {"pgup", ES_KEY_PAGE_UP},
                 {"pgdn", ES_KEY_PAGE_DOWN},
                 {"ins", ES_KEY_INSERT},
                 {"del", ES_KEY_DELETE},
                 {"bs", ES_KEY_BACKSPACE},
                 {"f1", ES_KEY_F1},
                 {"f10", ES_KEY_F10},
                 {"lt", '<'},
                 {"colon", ':'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
            return names[i].key;
    if (length == 3 && name[0] == 'c' && name[1] == '-' && name[2] >= 'a' && name[2] <= 'z')
        return (uint32_t)name[2] - ES_KEY_CTRL;
    return 0;
}

static es_status read_keys(es_script *script, line_place at, const char *text, size_t length,
                           es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < length;) {
        es_step step = {.kind = ES_STEP_KEY, .line = at.line};
        if (text[i] == '<') {
            const char *end = memchr(text + i, '>', length - i);
            size_t name = end ? (size_t)(end - (text + i)) - 1 : 0;
            step.key = end ? named_key(text + i + 1, name) : 0;
            if (step.key == 0) {
                st = es_fail(err, ES_EFORMAT,
                             "%s:%d: \"%.*s\" is not the name of a key; write <lt> for '<'",
                             at.label, at.line, (int)(end ? name + 2 : length - i), text + i);
                goto done;
            }
            i += name + 2;
        } else {
            i += es_utf8_decode(text + i, length - i, &step.key);
        }
        ES_TRY(add_step(script, step, NULL, 0, err));
    }
done:
    return st;
}

bool es_script_size(const char *text, int *w, int *h) {
    char *end;
    long width = strtol(text, &end, 10);
    if (end == text || *end != 'x')
        return false;
    const char *second = end + 1;
    long height = strtol(second, &end, 10);
    if (end == second || *end != '\0' || width < 1 || height < 1 || width > MAX_SIZE ||
        height > MAX_SIZE)
        return false;
    *w = (int)width;
    *h = (int)height;
    return true;
}

static es_status read_wait(es_script *script, line_place at, const char *word, es_error *err) {
    es_step step = {.line = at.line};
    if (strcmp(word, "idle") == 0)
        step.kind = ES_STEP_WAIT_IDLE;
    else if (strcmp(word, "done") == 0)
        step.kind = ES_STEP_WAIT_DONE;
    else if (es_text_parse_double(word, strlen(word), &step.seconds) && step.seconds >= 0 &&
             step.seconds <= WAIT_LIMIT)
        step.kind = ES_STEP_WAIT;
    else
        return es_fail(err, ES_EFORMAT,
                       "%s:%d: :wait needs idle, done or a number of seconds up to %.0f", at.label,
                       at.line, WAIT_LIMIT);
    return add_step(script, step, NULL, 0, err);
}

/* text[0..length) begins behind the ':' */
static es_status read_command(es_script *script, line_place at, const char *text, size_t length,
                              es_error *err) {
    static const struct {
        const char *name;
        es_step_kind kind;
    } own[] = {{"assert", ES_STEP_ASSERT},   {"assert-not", ES_STEP_ASSERT_NOT},
               {"await", ES_STEP_AWAIT},     {"await-not", ES_STEP_AWAIT_NOT},
               {"dump", ES_STEP_DUMP},       {"dump-roles", ES_STEP_DUMP_ROLES},
               {"screenshot", ES_STEP_DUMP}, {"click", ES_STEP_CLICK},
               {"wheel", ES_STEP_WHEEL},     {"resize", ES_STEP_RESIZE}};
    size_t word = 0;
    while (word < length && text[word] != ' ' && text[word] != '\t')
        word++;
    size_t rest = word;
    while (rest < length && (text[rest] == ' ' || text[rest] == '\t'))
        rest++;
    char argument[256];
    snprintf(argument, sizeof argument, "%.*s", (int)(length - rest), text + rest);
    if (word == 4 && memcmp(text, "wait", 4) == 0)
        return read_wait(script, at, argument, err);
    if (word == 5 && memcmp(text, "count", 5) == 0)
        return add_step(script, (es_step){.kind = ES_STEP_COUNT, .line = at.line}, NULL, 0, err);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strlen(own[i].name) != word || memcmp(own[i].name, text, word) != 0)
            continue;
        es_step step = {.kind = own[i].kind, .line = at.line};
        if (rest == length)
            return es_fail(err, ES_EFORMAT, "%s:%d: :%s needs something behind it", at.label,
                           at.line, own[i].name);
        if (step.kind == ES_STEP_RESIZE && !es_script_size(argument, &step.w, &step.h))
            return es_fail(err, ES_EFORMAT, "%s:%d: \"%s\" is not a size like 80x24", at.label,
                           at.line, argument);
        if (step.kind == ES_STEP_WHEEL && strcmp(argument, "up") != 0 &&
            strcmp(argument, "down") != 0)
            return es_fail(err, ES_EFORMAT, "%s:%d: the wheel turns up or down", at.label, at.line);
        return add_step(script, step, text + rest, length - rest, err);
    }
    return add_step(script, (es_step){.kind = ES_STEP_COMMAND, .line = at.line}, text, length, err);
}

es_status es_script_parse(const char *text, size_t length, const char *label, es_script *out,
                          es_error *err) {
    es_status st = ES_OK;
    es_script script = {0};
    line_place at = {label, 0};
    for (size_t i = 0; i < length;) {
        const char *line = text + i, *end = memchr(line, '\n', length - i);
        size_t n = end ? (size_t)(end - line) : length - i;
        i += n + 1;
        at.line++;
        while (n > 0 && (*line == ' ' || *line == '\t')) {
            line++;
            n--;
        }
        while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\r'))
            n--;
        if (n == 0 || line[0] == '#')
            continue;
        if (line[0] == ':')
            ES_TRY(read_command(&script, at, line + 1, n - 1, err));
        else
            ES_TRY(read_keys(&script, at, line, n, err));
    }
    *out = script;
    script = (es_script){0};
done:
    es_script_free(&script);
    return st;
}

void es_script_free(es_script *script) {
    for (size_t i = 0; i < script->count; i++)
        es_free(script->steps[i].text);
    es_free(script->steps);
    *script = (es_script){0};
}

/* ---- playing ---- */

/* Let workers and deadlines happen for a moment, until `limit` at the latest. */
static void pass_time(es_driver *driver, double limit) {
    double now = es_clock_now(), until = es_driver_deadline(driver);
    until = until < limit ? until : limit;
    double left = until - now;
    struct pollfd wake[2 + ES_DRIVER_WORKERS] = {
        {.fd = es_session_fd(driver->session), .events = POLLIN},
        {.fd = es_driver_folder_fd(driver), .events = POLLIN}};
    es_driver_put_fds(driver, wake + 2);
    if (left > 0)
        poll(wake, 2 + ES_DRIVER_WORKERS, left > 1 ? 1000 : (int)ceil(left * 1000));
    es_driver_pump(driver, 0);
    (void)es_driver_read(driver);
    es_driver_tick(driver);
}

/* What is done beside the run: reading files, measures, the baseline, ranking pairs, deriving. */
static bool is_busy(const es_driver *driver) {
    bool baseline;
    const char *name;
    es_measure_progress measures;
    es_session_measure_progress(driver->session, &measures);
    (void)es_session_baseline(driver->session, &baseline);
    return measures.running || baseline || driver->measure[0] != '\0' ||
           es_session_derived(driver->session, &name, NULL) == ES_EBUSY;
}

static bool is_over(es_driver *driver, es_step_kind kind) {
    es_phase phase = es_session_phase(driver->session);
    if (kind == ES_STEP_WAIT_DONE)
        return phase == ES_PHASE_DONE;
    return phase != ES_PHASE_CHECKING && phase != ES_PHASE_RUNNING &&
           !es_worker_busy(&driver->writer) && !is_busy(driver) && es_app_settled(driver->app);
}

/* Nobody is there who would start or continue it. */
static es_status check_goes_on(es_driver *driver, es_error *err) {
    es_status st = es_session_problem(driver->session, err);
    if (st == ES_OK)
        st = es_session_stopped(driver->session, err);
    es_phase phase = es_session_phase(driver->session);
    if (st == ES_OK && (phase == ES_PHASE_IDLE || phase == ES_PHASE_PAUSED))
        st = es_fail(err, ES_EINVAL, ":wait done, but nothing is being estimated");
    return st;
}

static es_status wait_for(es_driver *driver, const es_step *step, es_error *err) {
    double limit = es_clock_now() + (step->kind == ES_STEP_WAIT ? step->seconds : WAIT_LIMIT);
    es_driver_pump(driver, 0);
    while (!driver->quit && (step->kind == ES_STEP_WAIT || !is_over(driver, step->kind))) {
        if (es_clock_now() >= limit)
            return step->kind == ES_STEP_WAIT
                       ? ES_OK
                       : es_fail(err, ES_EBUSY, "not %s after %.0f seconds",
                                 step->kind == ES_STEP_WAIT_DONE ? "done" : "idle", WAIT_LIMIT);
        if (step->kind == ES_STEP_WAIT_DONE) {
            es_status st = check_goes_on(driver, err);
            if (st != ES_OK)
                return st;
        }
        pass_time(driver, limit);
    }
    es_driver_pump(driver, 0);
    return ES_OK;
}

static es_status find_on_screen(es_driver *driver, const char *text, bool *found, es_error *err) {
    es_driver_draw(driver);
    char *screen = es_grid_dump_text(&driver->grid);
    if (!screen)
        return es_no_memory(err);
    *found = strstr(screen, text) != NULL;
    es_free(screen);
    return ES_OK;
}

/* At once, or, of an await, within the limit. */
static es_status check_screen(es_driver *driver, const es_step *step, es_error *err) {
    bool waits = step->kind == ES_STEP_AWAIT || step->kind == ES_STEP_AWAIT_NOT;
    bool wanted = step->kind == ES_STEP_ASSERT || step->kind == ES_STEP_AWAIT, found = !wanted;
    double limit = es_clock_now() + (waits ? WAIT_LIMIT : 0);
    es_status st = find_on_screen(driver, step->text, &found, err);
    while (st == ES_OK && found != wanted && !driver->quit && es_clock_now() < limit) {
        double soon = es_clock_now() + 0.2;
        pass_time(driver, soon < limit ? soon : limit);
        st = find_on_screen(driver, step->text, &found, err);
    }
    if (st != ES_OK || found == wanted || driver->quit)
        return st;
    return es_fail(err, ES_EINVAL, "the screen %s \"%s\"", found ? "shows" : "does not show",
                   step->text);
}

/* The text on one line of the screen, from its first cell. */
static bool find_text(const es_grid *grid, const char *text, int *x, int *y) {
    size_t length = strlen(text);
    uint32_t code;
    for (*y = 0; *y < grid->h; ++*y)
        for (*x = 0; *x < grid->w; ++*x) {
            int at = *x;
            size_t i = 0;
            while (i < length && at < grid->w) {
                const es_cell *cell = &grid->cells[(size_t)*y * (size_t)grid->w + (size_t)at];
                size_t bytes = es_utf8_decode(text + i, length - i, &code);
                uint32_t shown = cell->code[0] == 0 ? ' ' : cell->code[0];
                if (cell->width == 0 || shown != code)
                    break;
                i += bytes;
                at += cell->width;
            }
            if (i == length)
                return true;
        }
    return false;
}

static es_status play_mouse(es_driver *driver, const es_step *step, es_error *err) {
    int x = driver->grid.w / 2, y = driver->grid.h / 2;
    es_driver_draw(driver);
    if (step->kind == ES_STEP_WHEEL)
        es_driver_mouse(driver, step->text[0] == 'u' ? ES_MOUSE_WHEEL_UP : ES_MOUSE_WHEEL_DOWN, x,
                        y);
    else if (find_text(&driver->grid, step->text, &x, &y))
        es_driver_mouse(driver, ES_MOUSE_CLICK, x, y);
    else
        return es_fail(err, ES_EINVAL, "the screen does not show \"%s\"", step->text);
    return ES_OK;
}

/* Defined if the program was built to count what it executes. */
void __gcov_reset(void) __attribute__((weak));

static es_status play_step(es_driver *driver, const es_step *step, es_error *err) {
    switch (step->kind) {
    case ES_STEP_KEY:
        es_driver_key(driver, step->key);
        return ES_OK;
    case ES_STEP_COMMAND:
        es_driver_send(driver, (es_msg){.kind = ES_MSG_COMMAND, .text = step->text});
        return ES_OK;
    case ES_STEP_WAIT_IDLE:
    case ES_STEP_WAIT_DONE:
    case ES_STEP_WAIT:
        return wait_for(driver, step, err);
    case ES_STEP_ASSERT:
    case ES_STEP_ASSERT_NOT:
    case ES_STEP_AWAIT:
    case ES_STEP_AWAIT_NOT:
        return check_screen(driver, step, err);
    case ES_STEP_DUMP:
    case ES_STEP_DUMP_ROLES:
        return es_driver_dump(driver, step->text, step->kind == ES_STEP_DUMP_ROLES, err);
    case ES_STEP_CLICK:
    case ES_STEP_WHEEL:
        return play_mouse(driver, step, err);
    case ES_STEP_RESIZE:
        return es_driver_resize(driver, step->w, step->h, err);
    case ES_STEP_COUNT:
        if (!__gcov_reset)
            return es_fail(err, ES_EINVAL, ":count needs a build by ./dev passed");
        __gcov_reset();
        return ES_OK;
    }
    return ES_OK;
}

static bool is_wait(es_step_kind kind) {
    return kind == ES_STEP_AWAIT || kind == ES_STEP_AWAIT_NOT || kind == ES_STEP_WAIT ||
           kind == ES_STEP_WAIT_IDLE || kind == ES_STEP_WAIT_DONE;
}

es_status es_script_play(es_driver *driver, const es_script *script, const char *label, size_t *at,
                         es_error *err) {
    for (; *at < script->count && !driver->quit; ++*at) {
        size_t i = *at;
        const es_step *step = &script->steps[i];
        if (i > 0 && step->line != script->steps[i - 1].line)
            es_app_settle(driver->app); /* who types begins a new line after a while */
        es_driver_pump(driver, 0);
        if (driver->quit)
            return ES_OK;
        es_driver_tick(driver);
        es_status st = play_step(driver, step, err);
        if (st != ES_OK) {
            char prefix[256];
            snprintf(prefix, sizeof prefix, "%.200s:%d", label, step->line);
            es_error_prefix(err, prefix);
            return st;
        }
        es_driver_draw(driver); /* as on a terminal: views keep scroll positions while drawing */
        if (driver->quit && is_wait(step->kind))
            return ES_OK; /* goes on waiting where the pool is opened again */
    }
    return ES_OK;
}

static es_status read_script(const char *path, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    char bytes[4096];
    FILE *file = fopen(path, "r");
    if (!file)
        return es_fail(err, ES_EIO, "%s: %s", path, strerror(errno));
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        es_buf_add(out, bytes, n);
    if (ferror(file))
        st = es_fail(err, ES_EIO, "%s: %s", path, strerror(errno));
    fclose(file);
    es_buf_puts(out, "");
    return st == ES_OK ? es_buf_check(out, err) : st;
}

static void report(es_driver *driver, const es_error *why) {
    char *screen = es_grid_dump_text(&driver->grid);
    fprintf(stderr, "%s\n%s", why->message, screen ? screen : "");
    es_free(screen);
}

es_status es_script_main(es_session *session, const es_explorer *options, const char *path, int w,
                         int h, int *exit_code, es_error *err) {
    es_status st = ES_OK;
    es_buf text = {0};
    es_script script = {0};
    es_driver driver = {0};
    es_error why = {0};
    size_t begin = 0, *at = options->next ? &options->next->step : &begin;
    ES_TRY(read_script(path, &text, err));
    ES_TRY(es_script_parse(text.data, text.length, path, &script, err));
    ES_TRY(es_driver_open(&driver, session, options, err));
    ES_TRY(es_driver_attach(&driver, NULL, w, h, err));
    if (options->start)
        ES_TRY(es_session_start(session, err));
    if (es_script_play(&driver, &script, path, at, &why) != ES_OK) {
        report(&driver, &why);
        *exit_code = 1;
    } else {
        *exit_code = driver.exit_code;
    }
done:
    es_driver_close(&driver);
    es_script_free(&script);
    es_buf_free(&text);
    return st;
}
