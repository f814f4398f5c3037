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

#include "tui_terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum { CODE_PASTE_BEGIN = KEY_MAX + 1, CODE_PASTE_END, CODE_MOUSE, PAIR_CACHE = 1024 };
/* Of a terminal that reports more, this part is drawn: ncurses counts in 16 bits and does not
 * survive 65535 lines. */
enum { MOST_LINES = 1000, MOST_COLUMNS = 2000 };
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"

typedef struct pair_slot {
    int fg, bg, pair;
    bool used;
} pair_slot;

struct es_term {
    SCREEN *screen;
    FILE *door; /* what ncurses writes to */
    es_out out;
    WINDOW *input; /* a pad of its own: reading keys never refreshes what is being drawn */
    es_log *log;
    bool mouse;
    bool sync;               /* hold a frame back until it is whole, where the terminal can */
    es_asks asks;            /* what this terminal may be asked */
    es_depth terminal_depth; /* what the terminal has */
    es_look look;
    es_reader reader;
    pair_slot pairs[PAIR_CACHE];
    es_grid shown; /* what the terminal has now */
    bool all;      /* the next draw sends every cell */
    char about[256];
    struct termios modes; /* before we came */
    char reset[512], calm[64];
    es_stderr aside;
};

/* ---- modes of the terminal ---- */

/* Appends a terminfo string, without its delays "$<5>", which are for hardware of another time. */
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

static bool has_second_screen(void) {
    const char *rmcup = tigetstr("rmcup");
    return rmcup && rmcup != (char *)-1;
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

/* The mouse as SGR reports: clicks and the wheel, no motion. */
static const char *mouse_bytes(bool on) {
    return on ? "\033[?1000h\033[?1006h" : "\033[?1006l\033[?1000l";
}

static const char PASTES_ON[] = "\033[?2004h", PASTES_OFF[] = "\033[?2004l";

/* Pastes marked as such; the mouse. Past the queue: nothing waits there. */
static void set_reports(const es_term *term, bool on) {
    if (!speaks_ansi())
        return;
    es_out_write(STDOUT_FILENO, on ? PASTES_ON : PASTES_OFF, sizeof PASTES_ON - 1);
    if (term->mouse)
        es_out_write(STDOUT_FILENO, mouse_bytes(on), strlen(mouse_bytes(on)));
}

/* Takes over the terminal: stderr goes to the log, reports and the crash guard are on. */
static void enter_screen(es_term *term) {
    es_stderr_redirect(&term->aside, es_log_path(term->log));
    set_reports(term, true);
    es_guard_arm(&(es_guard){.tty = STDOUT_FILENO,
                             .report = term->aside.user,
                             .log = term->aside.log,
                             .modes = &term->modes,
                             .reset = term->reset,
                             .log_path = es_log_path(term->log)});
    es_out_collect(&term->out, true);
}

/* A frame that the terminal has not taken yet is of no use to anybody any more. */
static void leave(es_term *term) {
    if (es_out_discard(&term->out))
        es_out_write(STDOUT_FILENO, term->calm, strlen(term->calm));
    es_out_collect(&term->out, false);
    set_reports(term, false);
    endwin();
    if (!has_second_screen()) /* the last frame stays; the shell goes on below it */
        es_out_write(STDOUT_FILENO, "\r\n", 2);
    es_guard_disarm();
    es_stderr_restore(&term->aside);
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

static es_status fail_terminal(const char *name, es_error *err) {
    return es_fail(
        err, ES_EUNSUPPORTED,
        "the explorer cannot use the terminal \"%s\"; set TERM to what it really is (often "
        "xterm-256color), or use a subcommand: embedscope rank POOL",
        name ? name : "");
}

/* How a terminal is opened: which of the names, with how many colours. */
typedef struct opening {
    const char *wanted, *names[3], *name; /* $TERM, those to try, the one that the host knows */
    const char *entry;                    /* our own of 24 bits, in dir; NULL: none */
    char dir[ES_THEME_PATH], reason[160];
    int colors;
    es_depth depth;
} opening;

static es_status choose_opening(const char *color, opening *o, es_error *err) {
    char features[256], shown[64] = "";
    *o = (opening){.wanted = getenv("TERM"), .colors = -1};
    size_t count = es_setup_terms(o->wanted, o->names);
    for (size_t i = 0; i < count && o->colors < 0; i++) {
        o->name = o->names[i];
        o->colors = count_colors(o->name);
    }
    if (o->wanted)
        es_text_clean_into(shown, sizeof shown, o->wanted, strlen(o->wanted));
    if (o->colors < 0 || !o->name)
        return fail_terminal(shown, err);
    o->entry = es_setup_rgb_entry(o->name, o->dir);
    es_depth_facts facts = es_setup_facts(color, features);
    facts.colors = o->colors;
    facts.rgb_entry = o->entry != NULL;
    return es_depth_choose(&facts, &o->depth, o->reason, err);
}

const char *es_term_colours(char reason[160]) {
    static const char *const names[] = {"none", "8", "16", "256", "rgb"};
    opening chosen;
    if (choose_opening("auto", &chosen, NULL) != ES_OK)
        return NULL;
    (void)snprintf(reason, 160, "%s", chosen.reason);
    return names[chosen.depth];
}

static es_status open_screen(es_term *term, const char *color, es_error *err) {
    char shown[64] = "";
    opening o;
    ES_PASS(choose_opening(color, &o, err));
    es_text_clean_into(shown, sizeof shown, o.wanted, strlen(o.wanted));
    term->terminal_depth = o.depth;
    if (o.depth == ES_DEPTH_RGB && o.entry)
        term->screen = open_rgb(o.entry, o.dir, term->door);
    if (!term->screen) {
        if (o.depth == ES_DEPTH_RGB && o.colors < 1 << 24)
            term->terminal_depth = ES_DEPTH_256;
        term->screen = newterm(o.name, term->door, stdin);
    }
    if (!term->screen)
        return fail_terminal(shown, err);
    bool itself = o.name == o.names[0];
    es_phrase_add(term->about, sizeof term->about, "%s%s%s, %s (%s)", shown, itself ? "" : " as ",
                  itself ? "" : o.name, es_depth_name(term->terminal_depth), o.reason);
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
        {"\033[21~", KEY_F(10)},
        {"\033[<", CODE_MOUSE},
    };
    define_key(NULL, KEY_MOUSE); /* ncurses waits for the rest of a report; read_mouse does not */
    if (!speaks_ansi())
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        define_key(keys[i].bytes, keys[i].code);
}

/* Sets raw input without echo, and how long an ESC waits for more bytes. */
static void set_modes(es_term *term) {
    raw(); /* Ctrl-C, Ctrl-Z and Ctrl-S are keys; loop.c gives them their meaning */
    noecho();
    nonl();
    /* An ESC alone is held back for so long, in case a key's other bytes come later. */
    if (!getenv("ESCDELAY"))
        set_escdelay(getenv("SSH_CONNECTION") || getenv("SSH_TTY") ? 100 : 50);
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

static es_typed read_typed(void *context);

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
    term->reader.answers.asked = true;
}

/* newterm fails at sizes that ncurses cannot hold. */
static bool is_huge(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
           (size.ws_row > MOST_LINES || size.ws_col > MOST_COLUMNS);
}

es_status es_term_open(const es_term_options *options, es_term **out, es_error *err) {
    es_status st = ES_OK;
    int w, h;
    char locale[96];
    es_term *term = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return es_fail(err, ES_EUNSUPPORTED,
                       "the explorer needs a terminal for stdin and stdout; without one use a "
                       "subcommand: embedscope rank POOL");
    if (!(term = es_alloc_zero(1, sizeof *term)))
        return es_no_memory(err);
    term->aside = es_stderr_none;
    term->log = options->log;
    term->mouse = options->mouse;
    term->sync = true;
    es_reader_init(&term->reader, read_typed, term);
    term->out = es_out_none;
    term->asks = es_setup_asks(getenv("TERM"));
    term->look.ascii = !es_setup_locale(locale) || options->ascii;
    snprintf(term->about, sizeof term->about, "%s%s, ", locale, options->ascii ? ", --ascii" : "");
    tcgetattr(STDOUT_FILENO, &term->modes);
    use_env(FALSE); /* LINES and COLUMNS of a shell would outlive a resize */
    bool huge = is_huge();
    use_tioctl(huge ? FALSE : TRUE);
    ES_TRY(open_door(term, err));
    ES_TRY(open_screen(term, options->color, err));
    if (huge)
        es_term_resize(term, &w, &h);
    build_reset(term);
    ES_FAIL_IF(!(term->input = newpad(1, 1)), es_no_memory(err));
    set_modes(term);
    refresh(); /* on to the alternate screen */
    enter_screen(term);
    ask(term, options->background);
    es_log_write(term->log, ES_LOG_INFO, "terminal: %s", term->about);
    if (es_theme_builtin(&term->look.theme, NULL) == ES_OK) /* until es_term_theme brings one */
        es_term_theme(term, &term->look.theme);
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
    es_reader_free(&term->reader);
    es_free(term);
}

/* ---- colours ---- */

void es_term_theme(es_term *term, const es_theme *theme) {
    es_look_set(&term->look, theme, term->terminal_depth);
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

/* ---- cells ---- */

static void put_cell(es_term *term, int x, int y, const es_cell *cell) {
    es_glyph look;
    es_look_cell(&term->look, cell, &look);
    bool known = wcwidth((wchar_t)look.code) > 0;
    wchar_t text[CCHARW_MAX] = {L' ', 0};
    text[0] = known ? (wchar_t)look.code : term->look.ascii ? L'?' : (wchar_t)0xFFFD;
    for (int i = 1; i < ES_CELL_CODES && i + 1 < CCHARW_MAX && cell->code[i]; i++)
        text[i] = (wchar_t)cell->code[i];
    attr_t attrs = 0;
    if (look.attrs & ES_ATTR_BOLD)
        attrs |= A_BOLD;
    if (look.attrs & ES_ATTR_UNDERLINE)
        attrs |= A_UNDERLINE;
    if (look.attrs & ES_ATTR_REVERSE)
        attrs |= A_REVERSE;
    int pair = term->look.depth > ES_DEPTH_MONO ? find_color_pair(term, look.fg, look.bg) : 0;
    cchar_t out;
    if (setcchar(&out, text, attrs, 0, &pair) == OK)
        mvadd_wch(y, x, &out);
}

/* The cells that differ from what is shown; how far the grid reaches on the terminal is w x h. */
static void put_changes(es_term *term, const es_grid *grid, int w, int h) {
    for (int y = 0; y < h; y++) {
        const es_cell *row = grid->cells + (size_t)y * (size_t)grid->w;
        es_cell *old = term->shown.cells + (size_t)y * (size_t)grid->w;
        for (int x = 0; x < w; x++) {
            if (!term->all && es_cell_equal(&row[x], &old[x]))
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
    bool sync = term->sync && term->reader.answers.sync;
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
    return term->look.ascii;
}

es_depth es_term_depth(const es_term *term) {
    return term->terminal_depth;
}

int es_term_fd(const es_term *term) {
    (void)term;
    return STDIN_FILENO;
}

bool es_term_is_gone(const struct pollfd *tty) {
    int waiting = 1;
    return (tty->revents & (POLLHUP | POLLERR | POLLNVAL)) != 0 ||
           ((tty->revents & POLLIN) != 0 && ioctl(tty->fd, FIONREAD, &waiting) == 0 &&
            waiting == 0);
}

bool es_term_flush(es_term *term) {
    return es_out_flush(&term->out);
}

int es_term_waits(const es_term *term) {
    return es_out_waiting(&term->out) > 0 ? es_out_fd(&term->out) : -1;
}

bool es_term_ready(const es_term *term) {
    return es_out_is_idle(&term->out);
}

/* ---- keys ---- */

static uint32_t key_of_code(wint_t code) {
    static const struct {
        wint_t code;
        uint32_t key;
    } keys[] = {
        {KEY_UP, ES_KEY_UP},         {KEY_DOWN, ES_KEY_DOWN},           {KEY_LEFT, ES_KEY_LEFT},
        {KEY_RIGHT, ES_KEY_RIGHT},   {KEY_HOME, ES_KEY_HOME},           {KEY_END, ES_KEY_END},
        {KEY_PPAGE, ES_KEY_PAGE_UP}, {KEY_NPAGE, ES_KEY_PAGE_DOWN},     {KEY_IC, ES_KEY_INSERT},
        {KEY_DC, ES_KEY_DELETE},     {KEY_BTAB, ES_KEY_BACKTAB},        {KEY_ENTER, ES_KEY_ENTER},
        {KEY_F(1), ES_KEY_F1},       {KEY_BACKSPACE, ES_KEY_BACKSPACE}, {KEY_F(10), ES_KEY_F10},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].code == code)
            return keys[i].key;
    return 0;
}

/* Reads what was typed next from curses: a character, a key, a paste. */
static es_typed read_typed(void *context) {
    wint_t c;
    int result = wget_wch(((es_term *)context)->input, &c);
    if (result == ERR)
        return (es_typed){.kind = ES_TYPED_NOTHING};
    if (result == OK)
        return (es_typed){.kind = ES_TYPED_CHARACTER, .code = (uint32_t)c};
    switch (c) {
    case CODE_PASTE_BEGIN:
        return (es_typed){.kind = ES_TYPED_PASTE_BEGIN};
    case CODE_PASTE_END:
        return (es_typed){.kind = ES_TYPED_PASTE_END};
    case CODE_MOUSE:
        return (es_typed){.kind = ES_TYPED_MOUSE};
    default:
        return (es_typed){.kind = ES_TYPED_KEY, .code = key_of_code(c)};
    }
}

es_input es_term_read(es_term *term) {
    return es_reader_read(&term->reader);
}

double es_term_deadline(const es_term *term) {
    return es_reader_deadline(&term->reader);
}

es_background es_term_background(es_term *term, double seconds) {
    return es_reader_background(&term->reader, STDIN_FILENO, seconds);
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
        resize_term(size.ws_row < MOST_LINES ? size.ws_row
                                             : MOST_LINES, /* resizeterm types a key */
                    size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS);
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
    enter_screen(term);
    es_term_redraw(term);
}

/* Whoever had the terminal meanwhile, a shell, has left its own modes. */
void es_term_resume(es_term *term) {
    es_out_collect(&term->out, false);
    reset_prog_mode();
    es_out_collect(&term->out, true);
    if (speaks_ansi())
        es_term_send(term, PASTES_ON, sizeof PASTES_ON - 1);
    if (speaks_ansi() && term->mouse)
        es_term_send(term, mouse_bytes(true), strlen(mouse_bytes(true)));
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
