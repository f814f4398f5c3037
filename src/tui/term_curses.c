/* ncurses, and nothing else of the program: cells to pairs and wide characters, key codes to keys.
 */
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#include <curses.h>

/* From <term.h>, whose macros (columns, cursor_visible) would rename fields of ours. */
struct term;
extern int setupterm(const char *term, int fd, int *result);
extern struct term *set_curterm(struct term *entry);
extern int del_curterm(struct term *entry);

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "app.h"
#include "embedscope/alloc.h"
#include "embedscope/buf.h"
#include "embedscope/clock.h"
#include "embedscope/text.h"
#include "guard.h"
#include "term_answers.h"
#include "term_out.h"
#include "term_setup.h"

enum {
    CODE_PASTE_BEGIN = KEY_MAX + 1,
    CODE_PASTE_END,
    CODE_MOUSE,
    PASTE_MAX = 64 * 1024,
    PAIR_CACHE = 1024,
    MOUSE_WHEEL = 64,     /* bit of a button's number */
    MOUSE_MODIFIERS = 28, /* Shift, Alt, Ctrl */
    MOUSE_FARTHEST = 9999,
    EARLY_KEYS = 64
};
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"
static const double ALONE = 0.5; /* seconds until an ESC has nothing to do with what follows */
static const double PASTE_PATIENCE = 1.0; /* seconds until a paste without an end counts as ended */

typedef struct pair_slot {
    int fg, bg, pair;
    bool used;
} pair_slot;

struct es_term {
    SCREEN *screen;
    FILE *door; /* what ncurses writes to */
    es_out out;
    es_answers answers;
    WINDOW *input; /* a pad of its own: reading keys never refreshes what is being drawn */
    es_log *log;
    bool ascii, mouse;
    bool sync;               /* hold a frame back until it is whole, where the terminal can */
    es_asks asks;            /* what this terminal may be asked */
    es_depth terminal_depth; /* what the terminal has */
    es_depth depth;          /* what the theme uses of it */
    es_theme theme;
    es_style styles[ES_ROLE_COUNT];
    es_steps steps[ES_MAP_COUNT], dim_steps[ES_MAP_COUNT];
    pair_slot pairs[PAIR_CACHE];
    es_grid shown; /* what the terminal has now */
    bool all;      /* the next draw sends every cell */
    char about[256];
    struct termios modes; /* before we came */
    char reset[512], calm[64];
    int user_stderr, log_fd;
    bool reading_paste;
    double paste_time;
    es_buf paste;
    bool reading_mouse;  /* a mouse report has begun */
    unsigned mouse_at;   /* which of its numbers is being read */
    int mouse_number[3]; /* button, column, row */
    uint32_t held_key;   /* read ahead behind an ESC */
    bool holds_key;
    double alone;               /* when an ESC came with nothing behind it */
    uint32_t early[EARLY_KEYS]; /* typed while the terminal was asked */
    size_t early_at, early_count;
};

/* ---- modes of the terminal ---- */

/* Terminfo's delays "$<5>" are for hardware of another time. */
static void add_capability(char *out, size_t capacity, const char *name) {
    const char *text = tigetstr(name);
    size_t used = strlen(out);
    if (!text || text == (char *)-1)
        return;
    while (*text && used + 1 < capacity) {
        if (text[0] == '$' && text[1] == '<' && strchr(text, '>')) {
            text = strchr(text, '>') + 1;
            continue;
        }
        out[used++] = *text++;
    }
    out[used] = '\0';
}

static bool speaks_ansi(void) {
    const char *cup = tigetstr("cup");
    return cup && cup != (char *)-1 && cup[0] == '\033' && cup[1] == '[';
}

/* What undoes everything that this file, or ncurses for it, switched on. */
static void build_reset(es_term *term) {
    term->reset[0] = term->calm[0] = '\0';
    if (speaks_ansi())
        snprintf(term->reset, sizeof term->reset,
                 "%s\033[?2004l\033[?1006l\033[?1003l\033[?1002l\033[?1000l",
                 term->asks != ES_ASK_NOTHING ? SYNC_END : "");
    if (term->asks != ES_ASK_NOTHING)
        snprintf(term->calm, sizeof term->calm, SYNC_END);
    add_capability(term->calm, sizeof term->calm, "sgr0");
    add_capability(term->calm, sizeof term->calm, "op");
    add_capability(term->reset, sizeof term->reset, "sgr0");
    add_capability(term->reset, sizeof term->reset, "op");
    add_capability(term->reset, sizeof term->reset, "cnorm");
    add_capability(term->reset, sizeof term->reset, "rmkx");
    add_capability(term->reset, sizeof term->reset, "rmcup");
    size_t used = strlen(term->reset);
    snprintf(term->reset + used, sizeof term->reset - used, "\r\n");
}

static void put_bytes(const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes += written;
        length -= (size_t)written;
    }
}

/* The mouse as SGR reports: clicks and the wheel, no motion. */
static const char *mouse_bytes(bool on) {
    return on ? "\033[?1000h\033[?1006h" : "\033[?1006l\033[?1000l";
}

/* Pastes marked as such; the mouse. Past the queue: nothing waits there. */
static void set_reports(const es_term *term, bool on) {
    if (!speaks_ansi())
        return;
    put_bytes(on ? "\033[?2004h" : "\033[?2004l", 8);
    if (term->mouse)
        put_bytes(mouse_bytes(on), strlen(mouse_bytes(on)));
}

/* A library that prints would destroy the screen: while it is up, stderr is the log file. */
static void redirect_stderr(es_term *term) {
    const char *path = es_log_path(term->log);
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0)
        fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stderr);
    term->user_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd >= 0)
        dup2(fd, STDERR_FILENO);
    term->log_fd = fd;
}

static void restore_stderr(es_term *term) {
    fflush(stderr);
    if (term->user_stderr >= 0) {
        dup2(term->user_stderr, STDERR_FILENO);
        close(term->user_stderr);
    }
    if (term->log_fd >= 0)
        close(term->log_fd);
    term->user_stderr = term->log_fd = -1;
}

static void enter(es_term *term) {
    redirect_stderr(term);
    set_reports(term, true);
    es_guard_arm(&(es_guard){.tty = STDOUT_FILENO,
                             .report = term->user_stderr,
                             .log = term->log_fd,
                             .modes = &term->modes,
                             .reset = term->reset,
                             .log_path = es_log_path(term->log)});
    es_out_collect(&term->out, true);
}

/* A frame that the terminal has not taken yet is of no use to anybody any more. */
static void leave(es_term *term) {
    if (es_out_discard(&term->out))
        put_bytes(term->calm, strlen(term->calm));
    es_out_collect(&term->out, false);
    set_reports(term, false);
    endwin();
    es_guard_disarm();
    restore_stderr(term);
}

/* ---- opening ---- */

/* TERMINFO_DIRS is for this call only: programs that we start must not see it. */
static SCREEN *open_rgb(const char *name, const char *dir, FILE *door) {
    const char *old = getenv("TERMINFO_DIRS");
    char *kept = old ? es_strdup(old) : NULL;
    char dirs[2 * ES_THEME_PATH];
    snprintf(dirs, sizeof dirs, "%s:%s", dir, kept ? kept : "");
    setenv("TERMINFO_DIRS", dirs, 1);
    SCREEN *screen = newterm(name, door, stdin);
    if (kept)
        setenv("TERMINFO_DIRS", kept, 1);
    else
        unsetenv("TERMINFO_DIRS");
    es_free(kept);
    return screen;
}

/* Colours that the host's entry for this name has; -1: the host does not know the name, or such a
 * terminal cannot place its cursor. */
static int count_colors(const char *name) {
    int result = 0;
    if (setupterm(name, STDOUT_FILENO, &result) != OK)
        return -1;
    int colors = tigetnum("colors");
    const char *cup = tigetstr("cup");
    bool usable = cup && cup != (char *)-1;
    del_curterm(set_curterm(NULL));
    return !usable ? -1 : colors > 0 ? colors : 0;
}

static es_status refuse(const char *name, es_error *err) {
    return es_fail(
        err, ES_EUNSUPPORTED,
        "the explorer cannot use the terminal \"%s\"; set TERM to what it really is (often "
        "xterm-256color), or use a subcommand: embedscope rank POOL",
        name ? name : "");
}

static es_status open_screen(es_term *term, const char *color, es_error *err) {
    const char *names[3] = {NULL}, *wanted = getenv("TERM"), *name = NULL;
    char features[256], dir[ES_THEME_PATH], reason[160], shown[64] = "";
    size_t count = es_setup_terms(wanted, names);
    int colors = -1;
    if (wanted)
        es_text_clean_into(shown, sizeof shown, wanted, strlen(wanted));
    for (size_t i = 0; i < count && colors < 0; i++) {
        name = names[i];
        colors = count_colors(name);
    }
    if (colors < 0 || !name)
        return refuse(shown, err);
    const char *entry = es_setup_rgb_entry(name, dir);
    es_depth_facts facts = es_setup_facts(color, features);
    facts.colors = colors;
    facts.rgb_entry = entry != NULL;
    es_status st = es_depth_choose(&facts, &term->terminal_depth, reason, err);
    if (st != ES_OK)
        return st;
    if (term->terminal_depth == ES_DEPTH_RGB && entry)
        term->screen = open_rgb(entry, dir, term->door);
    if (!term->screen) {
        if (term->terminal_depth == ES_DEPTH_RGB && colors < 1 << 24)
            term->terminal_depth = ES_DEPTH_256;
        term->screen = newterm(name, term->door, stdin);
    }
    if (!term->screen)
        return refuse(shown, err);
    size_t used = strlen(term->about);
    bool itself = name == names[0];
    snprintf(term->about + used, sizeof term->about - used, "%s%s%s, %s (%s)", shown,
             itself ? "" : " as ", itself ? "" : name, es_depth_name(term->terminal_depth), reason);
    return ES_OK;
}

static void define_keys(void) {
    static const struct {
        const char *bytes;
        int code;
    } keys[] = {
        {"\033[200~", CODE_PASTE_BEGIN},
        {"\033[201~", CODE_PASTE_END},
        {"\033[A", KEY_UP},
        {"\033[B", KEY_DOWN},
        {"\033[C", KEY_RIGHT},
        {"\033[D", KEY_LEFT},
        {"\033OA", KEY_UP},
        {"\033OB", KEY_DOWN},
        {"\033OC", KEY_RIGHT},
        {"\033OD", KEY_LEFT},
        {"\033[H", KEY_HOME},
        {"\033[F", KEY_END},
        {"\033OH", KEY_HOME},
        {"\033OF", KEY_END},
        {"\033[1~", KEY_HOME},
        {"\033[4~", KEY_END},
        {"\033[7~", KEY_HOME},
        {"\033[8~", KEY_END},
        {"\033[5~", KEY_PPAGE},
        {"\033[6~", KEY_NPAGE},
        {"\033[3~", KEY_DC},
        {"\033[2~", KEY_IC},
        {"\033[Z", KEY_BTAB},
        {"\033OP", KEY_F(1)},
        {"\033[11~", KEY_F(1)},
        {"\033[<", CODE_MOUSE},
    };
    define_key(NULL, KEY_MOUSE); /* ncurses waits for the rest of a report; read_mouse does not */
    if (!speaks_ansi())
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        define_key(keys[i].bytes, keys[i].code);
}

static void set_modes(es_term *term) {
    raw(); /* Ctrl-C, Ctrl-Z and Ctrl-S are keys; loop.c gives them their meaning */
    noecho();
    nonl();
    if (!getenv("ESCDELAY"))
        set_escdelay(50);
    if (has_colors()) {
        start_color();
        use_default_colors();
    } else {
        term->terminal_depth = ES_DEPTH_MONO;
    }
    keypad(term->input, TRUE);
    nodelay(term->input, TRUE);
    typeahead(-1); /* a frame is written to memory: no need to break it off for a key */
    define_keys();
}

static es_status open_door(es_term *term, es_error *err) {
    es_status st = es_out_open(&term->out, STDOUT_FILENO, err);
    if (st == ES_OK && !(term->door = fdopen(term->out.door, "w")))
        st = es_fail(err, ES_EIO, "cannot write to the terminal: %s", strerror(errno));
    return st;
}

/* The answers come with the keys (es_term_read). A terminal that prints what it does not understand
 * does so on the alternate screen, which the first frame covers. */
static void ask(es_term *term, bool background) {
    background = background && term->asks == ES_ASK_ALL && term->terminal_depth > ES_DEPTH_MONO;
    if (term->asks == ES_ASK_NOTHING)
        return;
    if (background)
        es_out_add(&term->out, ES_ASK_BACKGROUND, strlen(ES_ASK_BACKGROUND));
    es_out_add(&term->out, ES_ASK_SYNC ES_ASK_LAST, strlen(ES_ASK_SYNC ES_ASK_LAST));
    es_out_flush(&term->out);
    term->answers.asked = true;
}

es_status es_term_open(const es_term_options *options, es_term **out, es_error *err) {
    es_status st = ES_OK;
    char locale[96];
    es_term *term = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return es_fail(err, ES_EUNSUPPORTED,
                       "the explorer needs a terminal for stdin and stdout; without one use a "
                       "subcommand: embedscope rank POOL");
    if (!(term = es_alloc_zero(1, sizeof *term)))
        return es_fail(err, ES_ENOMEM, "out of memory");
    term->user_stderr = term->log_fd = -1;
    term->log = options->log;
    term->mouse = options->mouse;
    term->sync = true;
    term->alone = -1e9;
    term->out = es_out_none;
    term->asks = es_setup_asks(getenv("TERM"));
    term->ascii = !es_setup_locale(locale) || options->ascii;
    snprintf(term->about, sizeof term->about, "%s%s, ", locale, options->ascii ? ", --ascii" : "");
    tcgetattr(STDOUT_FILENO, &term->modes);
    use_env(FALSE); /* LINES and COLUMNS of a shell would outlive a resize */
    use_tioctl(TRUE);
    ES_TRY(open_door(term, err));
    ES_TRY(open_screen(term, options->color, err));
    build_reset(term);
    if (!(term->input = newpad(1, 1))) {
        st = es_fail(err, ES_ENOMEM, "out of memory");
        goto done;
    }
    set_modes(term);
    refresh(); /* on to the alternate screen */
    enter(term);
    ask(term, options->background);
    es_log_write(term->log, ES_LOG_INFO, "terminal: %s", term->about);
    if (es_theme_builtin(&term->theme, NULL) == ES_OK) /* until es_term_theme brings a better one */
        es_term_theme(term, &term->theme);
    *out = term;
    term = NULL;
done:
    es_term_close(term);
    return st;
}

void es_term_close(es_term *term) {
    if (!term)
        return;
    if (term->screen) {
        leave(term);
        if (term->input)
            delwin(term->input);
        delscreen(term->screen);
    }
    if (term->door) {
        fclose(term->door);
        term->out.door = -1;
    }
    es_out_close(&term->out);
    es_grid_free(&term->shown);
    es_buf_free(&term->paste);
    es_free(term);
}

/* ---- colours ---- */

void es_term_theme(es_term *term, const es_theme *theme) {
    static const es_depth most[] = {ES_DEPTH_RGB, ES_DEPTH_16, ES_DEPTH_MONO};
    if (&term->theme != theme)
        term->theme = *theme;
    term->depth =
        term->terminal_depth < most[theme->colours] ? term->terminal_depth : most[theme->colours];
    for (int role = 0; role < ES_ROLE_COUNT; role++)
        term->styles[role] = es_style_at_depth(theme, (es_role)role, term->depth);
    for (int map = 0; map < ES_MAP_COUNT; map++) {
        term->steps[map] = es_steps_of(&theme->maps[map], map == ES_MAP_ASYM, term->depth);
        term->dim_steps[map] = es_steps_dim(&term->steps[map], term->styles[ES_ROLE_BACKGROUND].bg,
                                            term->styles[ES_ROLE_TEXT].fg, term->depth);
    }
    if (term->terminal_depth > ES_DEPTH_MONO)
        reset_color_pairs();
    memset(term->pairs, 0, sizeof term->pairs);
    term->all = true;
}

/* The number that ncurses wants: an index, or 0xRRGGBB where the entry takes 24 bits. There,
 * numbers below 8 mean the terminal's own colours: such a dark blue moves by a step. */
static int curses_colour(es_colour colour) {
    if (colour == ES_COLOUR_DEFAULT)
        return -1;
    if (colour >= ES_COLOUR_INDEX)
        return colour - ES_COLOUR_INDEX;
    return colour < 8 ? 8 : colour;
}

static int find_color_pair(es_term *term, es_colour fg, es_colour bg) {
    int f = curses_colour(fg), b = curses_colour(bg);
    pair_slot *slot = &term->pairs[((unsigned)f * 31U + (unsigned)b) % PAIR_CACHE];
    if (slot->used && slot->fg == f && slot->bg == b && COLOR_PAIRS > PAIR_CACHE)
        return slot->pair;
    int pair = alloc_pair(f, b);
    *slot = (pair_slot){f, b, pair < 0 ? 0 : pair, true};
    return slot->pair;
}

static es_colour painted(const es_term *term, es_paint paint, es_colour otherwise) {
    if (paint & ES_PAINT_ROLE) {
        unsigned role = paint & 0xFFF;
        return role < ES_ROLE_COUNT ? term->styles[role].fg : otherwise;
    }
    if (paint & (ES_PAINT_HEAT | ES_PAINT_DIVERGE)) {
        int map = paint & ES_PAINT_DIVERGE ? ES_MAP_ASYM : ES_MAP_HEAT;
        const es_steps *steps = paint & ES_PAINT_DIM ? &term->dim_steps[map] : &term->steps[map];
        return steps->count ? es_steps_at(steps, (uint8_t)(paint & 0xFF)) : otherwise;
    }
    return otherwise;
}

/* ---- cells ---- */

static bool is_level(es_paint paint) {
    return !(paint & ES_PAINT_ROLE) && (paint & (ES_PAINT_HEAT | ES_PAINT_DIVERGE));
}

/* Where colours are too few: the character of the map's ramp that stands for the cell's values. */
static uint32_t ramp_code(const es_term *term, const es_cell *cell) {
    unsigned sum = 0, count = 0;
    es_paint map = is_level(cell->bg) ? cell->bg : cell->fg;
    if (cell->code[0] == 0x2580 && is_level(cell->fg)) {
        sum += cell->fg & 0xFF;
        count++;
    }
    if (is_level(cell->bg)) {
        sum += cell->bg & 0xFF;
        count++;
    }
    const es_colormap *ramp = &term->theme.maps[map & ES_PAINT_DIVERGE ? ES_MAP_ASYM : ES_MAP_HEAT];
    if (count == 0 || ramp->n_ramp == 0)
        return 0;
    return ramp->ramp[sum / count * ramp->n_ramp / 256];
}

/* Braille dots to quadrant blocks, for fonts that draw braille as boxes. */
static uint32_t quadrants(uint32_t code) {
    static const uint16_t blocks[16] = {' ',    0x2598, 0x259D, 0x2580, 0x2596, 0x258C,
                                        0x259E, 0x259B, 0x2597, 0x259A, 0x2590, 0x259C,
                                        0x2584, 0x2599, 0x259F, 0x2588};
    unsigned dots = code & 0xFF;
    static const unsigned parts[4] = {0x03, 0x18, 0x44,
                                      0xA0}; /* upper left, upper right, lower ... */
    unsigned index = 0;
    for (unsigned i = 0; i < 4; i++)
        if (dots & parts[i])
            index |= 1U << i;
    return blocks[index];
}

static uint32_t themed_code(const es_term *term, uint32_t code) {
    static const uint16_t round[4] = {0x256D, 0x256E, 0x2570, 0x256F};
    static const uint16_t square[4] = {0x250C, 0x2510, 0x2514, 0x2518};
    static const uint16_t heavy[4] = {0x250F, 0x2513, 0x2517, 0x251B};
    bool line = code >= 0x2500 && code <= 0x257F, braille = code > 0x2800 && code <= 0x28FF;
    if (code == 0x2800)
        return ' ';
    if (braille && term->theme.glyphs != ES_GLYPHS_BRAILLE)
        return term->theme.glyphs == ES_GLYPHS_BLOCK ? quadrants(code) : es_code_ascii(code);
    if (!line || term->theme.borders == ES_BORDERS_ROUNDED)
        return code;
    if (term->theme.borders == ES_BORDERS_ASCII)
        return es_code_ascii(code);
    for (int i = 0; i < 4; i++)
        if (code == round[i])
            return term->theme.borders == ES_BORDERS_HEAVY ? heavy[i] : square[i];
    if (term->theme.borders == ES_BORDERS_HEAVY && (code == 0x2500 || code == 0x2502))
        return code + 1;
    return code;
}

/* Black or white: a digit or the cursor must show on every step of a colour map. */
static es_colour readable_on(const es_term *term, es_colour bg) {
    uint32_t rgb =
        bg >= ES_COLOUR_INDEX ? es_palette_rgb((uint8_t)(bg - ES_COLOUR_INDEX)) : (uint32_t)bg;
    bool white = es_contrast(rgb, 0xFFFFFF) > es_contrast(rgb, 0x000000);
    return es_colour_at_depth(white ? 0xFFFFFF : 0x000000, term->depth);
}

static void put_cell(es_term *term, int x, int y, const es_cell *cell) {
    const es_style *style = &term->styles[cell->role];
    es_colour fg = painted(term, cell->fg, style->fg), bg = painted(term, cell->bg, style->bg);
    wchar_t text[CCHARW_MAX] = {L' ', 0};
    uint32_t code = cell->code[0] ? cell->code[0] : ' ';
    bool coarse = term->depth < ES_DEPTH_256;
    if (coarse && (code == 0x2580 || code == ' ') && (is_level(cell->fg) || is_level(cell->bg))) {
        uint32_t ramp = ramp_code(term, cell);
        code = ramp ? ramp : code;
        fg = style->fg;
        bg = style->bg;
    } else if (code == 0x2580 && fg == bg) {
        code = ' ';
    } else if (code >= 0x2596 && code <= 0x259F && fg == bg) {
        bg = style->bg; /* few colours made them equal, but the shape says something */
    } else if (is_level(cell->bg) && !cell->fg && code != ' ') {
        fg = readable_on(term, bg);
    }
    code = themed_code(term, code);
    if (term->ascii && code > 0x7E)
        code = es_code_ascii(code);
    text[0] = (wchar_t)(wcwidth((wchar_t)code) < 1 ? (term->ascii ? '?' : 0xFFFD) : code);
    for (int i = 1; i < ES_CELL_CODES && i + 1 < CCHARW_MAX && cell->code[i]; i++)
        text[i] = (wchar_t)cell->code[i];
    attr_t attrs = 0;
    if (style->attrs & ES_ATTR_BOLD)
        attrs |= A_BOLD;
    if (style->attrs & ES_ATTR_UNDERLINE)
        attrs |= A_UNDERLINE;
    if (((style->attrs & ES_ATTR_REVERSE) != 0) != cell->reverse)
        attrs |= A_REVERSE;
    int pair = term->depth > ES_DEPTH_MONO ? find_color_pair(term, fg, bg) : 0;
    cchar_t out;
    if (setcchar(&out, text, attrs, 0, &pair) == OK)
        mvadd_wch(y, x, &out);
}

static bool same_cell(const es_cell *a, const es_cell *b) {
    return memcmp(a->code, b->code, sizeof a->code) == 0 && a->width == b->width &&
           a->role == b->role && a->fg == b->fg && a->bg == b->bg && a->reverse == b->reverse;
}

/* The cells that differ from what is shown; how far the grid reaches on the terminal is w x h. */
static void put_changes(es_term *term, const es_grid *grid, int w, int h) {
    for (int y = 0; y < h; y++) {
        const es_cell *row = grid->cells + (size_t)y * (size_t)grid->w;
        es_cell *old = term->shown.cells + (size_t)y * (size_t)grid->w;
        for (int x = 0; x < w; x++) {
            if (!term->all && same_cell(&row[x], &old[x]))
                continue;
            old[x] = row[x];
            if (row[x].width > 0 && x + row[x].width <= w)
                put_cell(term, x, y, &row[x]);
        }
    }
    term->all = false;
}

size_t es_term_draw(es_term *term, const es_grid *grid) {
    size_t bytes = 0;
    bool sync = term->sync && term->answers.sync;
    if (!es_out_flush(&term->out))
        return 0; /* a frame is still under way */
    if (term->shown.w != grid->w || term->shown.h != grid->h) {
        if (!es_grid_resize(&term->shown, grid->w, grid->h))
            return 0; /* out of memory: this frame is lost, the next one may work */
        erase();
        term->all = true;
    }
    put_changes(term, grid, grid->w < COLS ? grid->w : COLS, grid->h < LINES ? grid->h : LINES);
    curs_set(grid->cursor_visible ? 1 : 0);
    if (grid->cursor_x >= 0 && grid->cursor_y >= 0)
        move(grid->cursor_y < LINES ? grid->cursor_y : LINES - 1,
             grid->cursor_x < COLS ? grid->cursor_x : COLS - 1);
    refresh();
    if (es_out_frame(&term->out, sync ? SYNC_BEGIN : NULL, sync ? SYNC_END : NULL, &bytes) != ES_OK)
        es_term_redraw(term);
    es_out_flush(&term->out);
    return bytes;
}

/* ---- questions ---- */

void es_term_size(const es_term *term, int *w, int *h) {
    (void)term;
    *w = COLS;
    *h = LINES;
}

bool es_term_ascii(const es_term *term) {
    return term->ascii;
}

bool es_term_coarse(const es_term *term) {
    return term->depth < ES_DEPTH_256;
}

const char *es_term_about(const es_term *term) {
    return term->about;
}

int es_term_fd(const es_term *term) {
    (void)term;
    return STDIN_FILENO;
}

bool es_term_flush(es_term *term) {
    return es_out_flush(&term->out);
}

int es_term_waits(const es_term *term) {
    return es_out_waiting(&term->out) > 0 ? es_out_fd(&term->out) : -1;
}

bool es_term_ready(const es_term *term) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    int queued = 0;
#ifdef TIOCOUTQ
    if (ioctl(STDOUT_FILENO, TIOCOUTQ, &queued) != 0)
        queued = 0;
#endif
    return es_out_waiting(&term->out) == 0 && queued == 0 && poll(&out, 1, 0) > 0 &&
           (out.revents & POLLOUT);
}

/* ---- keys ---- */

static uint32_t key_of_code(wint_t code) {
    switch (code) {
    case KEY_UP:
        return ES_KEY_UP;
    case KEY_DOWN:
        return ES_KEY_DOWN;
    case KEY_LEFT:
        return ES_KEY_LEFT;
    case KEY_RIGHT:
        return ES_KEY_RIGHT;
    case KEY_HOME:
        return ES_KEY_HOME;
    case KEY_END:
        return ES_KEY_END;
    case KEY_PPAGE:
        return ES_KEY_PAGE_UP;
    case KEY_NPAGE:
        return ES_KEY_PAGE_DOWN;
    case KEY_IC:
        return ES_KEY_INSERT;
    case KEY_DC:
        return ES_KEY_DELETE;
    case KEY_BTAB:
        return ES_KEY_BACKTAB;
    case KEY_ENTER:
        return ES_KEY_ENTER;
    case KEY_BACKSPACE:
        return ES_KEY_BACKSPACE;
    case KEY_F(1):
        return ES_KEY_F1;
    default:
        return 0;
    }
}

static uint32_t key_of_character(wint_t c) {
    if (c == '\n')
        return ES_KEY_ENTER;
    return c == '\b' ? ES_KEY_BACKSPACE : (uint32_t)c;
}

static void hold(es_term *term, int result, wint_t c) {
    term->held_key = result == KEY_CODE_YES ? key_of_code(c) : key_of_character(c);
    term->holds_key = term->held_key != 0;
}

/* Behind an ESC that ncurses did not recognise: an answer of the terminal, or a control sequence of
 * which nothing is known; its bytes must not act as keys. False: the ESC is a key. What was read
 * and is none of it is kept for the next call. */
static bool begin_sequence(es_term *term) {
    wint_t c, next;
    double now = es_clock_now();
    int result = wget_wch(term->input, &c);
    if (result == ERR) {
        term->alone = now;
        return false;
    }
    if (result == KEY_CODE_YES || !es_answers_begin(&term->answers, (uint32_t)c, now, false)) {
        hold(term, result, c);
        return false;
    }
    result = wget_wch(term->input, &next);
    if (result == ERR) { /* typed by hand, or the beginning of an answer */
        term->answers.reading = ES_ANSWER_NONE;
        if (!es_answers_begin(&term->answers, (uint32_t)c, now, true))
            hold(term, OK, c);
        return false;
    }
    if (result == KEY_CODE_YES ||
        es_answers_take(&term->answers, (uint32_t)next, now) != ES_TAKEN) {
        term->answers.reading = ES_ANSWER_NONE;
        hold(term, result, next);
    }
    return true;
}

static es_input end_paste(es_term *term) {
    term->reading_paste = false;
    es_buf_puts(&term->paste, "");
    if (term->paste.failed || term->paste.length == 0)
        return (es_input){.kind = ES_INPUT_NONE};
    return (es_input){.kind = ES_INPUT_PASTE, .text = term->paste.data};
}

static es_input read_paste(es_term *term) {
    wint_t c;
    int result;
    while ((result = wget_wch(term->input, &c)) != ERR) {
        term->paste_time = es_clock_now();
        if (result == KEY_CODE_YES && c == CODE_PASTE_END)
            return end_paste(term);
        char bytes[4];
        if (result == OK && term->paste.length < PASTE_MAX)
            es_buf_add(&term->paste, bytes, es_utf8_encode((uint32_t)c, bytes));
    }
    if (es_clock_now() - term->paste_time > PASTE_PATIENCE)
        return end_paste(term);
    return (es_input){.kind = ES_INPUT_NONE};
}

/* One character behind "ESC [ <": of "button;column;row" and 'M', or 'm' for a release. Any other
 * character ends the report, and what has not arrived yet is not waited for, as ncurses would.
 * Presses of the first button and the wheel mean something; true with *out filled. */
static bool read_mouse(es_term *term, wint_t c, es_input *out) {
    if (c >= '0' && c <= '9') {
        int *number = &term->mouse_number[term->mouse_at];
        if (*number <= MOUSE_FARTHEST)
            *number = *number * 10 + (int)(c - '0');
        return false;
    }
    if (c == ';' && term->mouse_at < 2) {
        term->mouse_at++;
        return false;
    }
    term->reading_mouse = false;
    int button = term->mouse_number[0] & ~MOUSE_MODIFIERS;
    bool wheel = button == MOUSE_WHEEL || button == MOUSE_WHEEL + 1;
    if (c != 'M' || term->mouse_at != 2 || (!wheel && button != 0))
        return false;
    *out = (es_input){.kind = ES_INPUT_MOUSE,
                      .mouse = !wheel                  ? ES_MOUSE_CLICK
                               : button == MOUSE_WHEEL ? ES_MOUSE_WHEEL_UP
                                                       : ES_MOUSE_WHEEL_DOWN,
                      .x = term->mouse_number[1] - 1,
                      .y = term->mouse_number[2] - 1};
    return true;
}

static es_input key_input(uint32_t key) {
    return (es_input){.kind = ES_INPUT_KEY, .key = key};
}

/* A character that may belong to an answer, or begin one. True: it does. *out: a key, if it was
 * found to be one. */
static bool take_answer(es_term *term, wint_t c, es_input *out) {
    double now = es_clock_now();
    switch (es_answers_take(&term->answers, (uint32_t)c, now)) {
    case ES_TAKEN:
        return true;
    case ES_TAKEN_KEYS:
        hold(term, OK, c);
        *out = key_input((uint32_t)term->answers.text[0]);
        return true;
    case ES_TAKEN_NOT:
        break;
    }
    if (c == ES_KEY_ESC)
        return begin_sequence(term);
    bool alone = now - term->alone < ALONE;
    term->alone = -1e9;
    return alone && es_answers_begin(&term->answers, (uint32_t)c, now, true);
}

static es_input read_key(es_term *term) {
    wint_t c;
    int result;
    if (term->holds_key) {
        term->holds_key = false;
        return key_input(term->held_key);
    }
    if (term->reading_paste)
        return read_paste(term);
    while ((result = wget_wch(term->input, &c)) != ERR) {
        es_input mouse, key = {.kind = ES_INPUT_NONE};
        if (term->reading_mouse && result == OK) {
            if (read_mouse(term, c, &mouse))
                return mouse;
            continue;
        }
        term->reading_mouse = false;
        if (result == OK) {
            if (!take_answer(term, c, &key))
                return key_input(key_of_character(c));
            if (key.kind != ES_INPUT_NONE)
                return key;
            continue;
        }
        term->answers.reading = ES_ANSWER_NONE;
        if (c == CODE_MOUSE) {
            term->reading_mouse = true;
            term->mouse_at = 0;
            memset(term->mouse_number, 0, sizeof term->mouse_number);
            continue;
        }
        if (c == CODE_PASTE_BEGIN) {
            es_buf_clear(&term->paste);
            term->reading_paste = true;
            term->paste_time = es_clock_now();
            return read_paste(term);
        }
        if (key_of_code(c))
            return key_input(key_of_code(c));
    }
    return (es_input){.kind = ES_INPUT_NONE};
}

es_input es_term_read(es_term *term) {
    if (term->early_at < term->early_count)
        return key_input(term->early[term->early_at++]);
    return read_key(term);
}

es_background es_term_background(es_term *term, double seconds) {
    double until = es_clock_now() + seconds, left;
    es_answers *a = &term->answers;
    while (a->asked && a->background == ES_BACKGROUND_UNKNOWN &&
           (left = until - es_clock_now()) > 0) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (poll(&input, 1, (int)(left * 1e3) + 1) > 0 && !(input.revents & POLLIN))
            break;
        for (es_input in; (in = read_key(term)).kind != ES_INPUT_NONE;)
            if (in.kind == ES_INPUT_KEY && term->early_count < EARLY_KEYS)
                term->early[term->early_count++] = in.key;
    }
    return a->background;
}

/* ---- commands ---- */

void es_term_redraw(es_term *term) {
    clearok(curscr, TRUE);
    term->all = true;
}

/* What a terminal keeps of its content at another size is its own affair (tmux drops lines at the
 * top), so all of it is painted again. */
void es_term_resize(es_term *term, int *w, int *h) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resize_term(size.ws_row, size.ws_col); /* not resizeterm, which types a key */
    es_term_size(term, w, h);
    es_term_redraw(term);
}

void es_term_suspend(es_term *term) {
    struct sigaction old, stop = {.sa_handler = SIG_DFL};
    sigset_t only, before;
    sigemptyset(&stop.sa_mask);
    sigemptyset(&only);
    sigaddset(&only, SIGTSTP);
    es_out_collect(&term->out, false);
    def_prog_mode();
    leave(term);
    tcsetattr(STDOUT_FILENO, TCSANOW, &term->modes);
    sigaction(SIGTSTP, &stop, &old);
    sigprocmask(SIG_UNBLOCK, &only, &before);
    kill(0, SIGTSTP); /* the whole job: a script that runs us must stop, too */
    /* Continued. */
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &old, NULL);
    tcgetattr(STDOUT_FILENO, &term->modes);
    reset_prog_mode();
    enter(term);
    es_term_redraw(term);
}

void es_term_mouse(es_term *term, bool on) {
    if (term->mouse != on && speaks_ansi())
        es_term_send(term, mouse_bytes(on), strlen(mouse_bytes(on)));
    term->mouse = on;
}

void es_term_sync(es_term *term, bool on) {
    term->sync = on;
}

void es_term_send(es_term *term, const char *bytes, size_t length) {
    es_out_add(&term->out, bytes, length);
    es_out_flush(&term->out);
}
