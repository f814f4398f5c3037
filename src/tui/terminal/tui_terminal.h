/* The terminal: its keys, colours and output, and what it is asked. */
#ifndef ES_TUI_TERMINAL_H
#define ES_TUI_TERMINAL_H

#include <poll.h>
#include <termios.h>

#include "tui_draw.h"

/* Other programs: tmux, asked for what it can do or given a text. */

/** Run argv (NULL-terminated, searched in PATH), give it `input` (NULL: none), and put the start of
 *  what it prints into out[capacity] (NULL: thrown away). False when it cannot be run, fails, or is
 *  not ready after `seconds`; it is killed then. */
bool es_spawn(const char *const *argv, const char *input, size_t length, char *out, size_t capacity,
              double seconds);

/** Runs argv without a terminal and does not wait for it: it outlives this program if it likes.
 *  False when it cannot be run. */
bool es_spawn_away(const char *const *argv);

/* What a terminal answers to questions, and other control sequences that are no keys: taken out of
 * the input character by character, since they may come late, in pieces or never. No terminal and
 * no clock in here. */

/** Questions, to be sent in this order. Every terminal answers the last one, so that its answer
 * says that others will not come. */
#define ES_ASK_BACKGROUND "\033]11;?\a"
#define ES_ASK_SYNC "\033[?2026$p"
#define ES_ASK_LAST "\033[c"

enum { ES_ANSWER_MOST = 256 };

typedef enum es_background {
    ES_BACKGROUND_UNKNOWN,
    ES_BACKGROUND_DARK,
    ES_BACKGROUND_LIGHT
} es_background;

typedef struct es_answers {
    bool asked;               /* an answer is still to come */
    bool complete;            /* the last one has come */
    bool sync;                /* frames may be put between CSI ? 2026 h and l */
    es_background background; /* what the colour of the background is */
    /* The sequence that is being read. */
    enum { ES_ANSWER_NONE, ES_ANSWER_CSI, ES_ANSWER_OSC, ES_ANSWER_OSC_ESC } reading;
    bool unsure;        /* its ESC came alone and was taken for a key: is this the rest? */
    double began, last; /* when its first and its newest character came */
    size_t length;
    char text[ES_ANSWER_MOST];
} es_answers;

/** A sequence begins with ESC and `c`. True: it is taken, give the rest to es_answers_take. With
 *  `alone` the ESC has already been given on as a key: then only an answer that was asked for is
 *  taken. */
bool es_answers_begin(es_answers *answers, uint32_t c, double now, bool alone);

typedef enum es_taken {
    ES_TAKEN,     /* part of the sequence */
    ES_TAKEN_NOT, /* there is no sequence, or it has ended before this character */
    ES_TAKEN_KEYS /* it never was one: its first character, answers->text[0], and this one are keys
                   */
} es_taken;
es_taken es_answers_take(es_answers *answers, uint32_t c, double now);

/** Light or dark, of "11;rgb:ffff/ffff/ffff" and its relatives. */
es_background es_answer_background(const char *text);

/* The terminal: shows a grid, delivers keys. term_curses.c is the only file that knows ncurses. One
 * terminal per process; all calls from the thread that draws. */

typedef struct es_term es_term;

typedef struct es_term_options {
    const char *color; /* as es_depth_facts.option */
    bool ascii, mouse;
    bool background; /* ask whether it is light or dark: see es_term_background */
    es_log *log;
} es_term_options;

/** Take over the terminal of stdin and stdout. From here until es_term_close stderr goes to the log
 *  file, and the guard gives the terminal back if the program dies. ES_EUNSUPPORTED: not a
 * terminal, or one that cannot place its cursor; the message says what to do. */
es_status es_term_open(const es_term_options *options, es_term **out, es_error *err);
void es_term_close(es_term *term); /* NULL is allowed */

/** Predicts the colours that --color auto would choose here, without taking the terminal: "none",
 * "8", "16", "256" or "rgb", and why. NULL: the explorer cannot use this terminal. */
const char *es_term_colours(char reason[160]);

/** Shown from the next es_term_draw on; copied. */
void es_term_theme(es_term *term, const es_theme *theme);

void es_term_size(const es_term *term, int *w, int *h);
bool es_term_ascii(const es_term *term);
/** The colours that the terminal has; a theme may use fewer (es_look_set). */
es_depth es_term_depth(const es_term *term);

/** Show the grid; only cells that differ from the last one are sent. Returns the bytes of it. Never
 *  waits: what the terminal does not take at once goes with es_term_flush, and until all of it has
 *  gone, frames are dropped (0). */
size_t es_term_draw(es_term *term, const es_grid *grid);
/** True when the terminal has taken all that was sent, so that a new frame cannot pile up. */
bool es_term_ready(const es_term *term);
/** Send on, as much as the terminal takes now; true when nothing is left. */
bool es_term_flush(es_term *term);
/** While something is left: the descriptor to be polled for POLLOUT; else -1. */
int es_term_waits(const es_term *term);
int es_term_fd(const es_term *term);
/** After poll: one that is gone reads as the end of a file, for ever. */
bool es_term_is_gone(const struct pollfd *tty);

/** When to read again though nothing can be polled; INFINITY: there is nothing to wait for. */
double es_term_deadline(const es_term *term);

/** The terminal's background, waiting for its answer for so long at most; UNKNOWN when it was not
 *  asked or is silent. What is typed meanwhile is kept for es_term_read. */
es_background es_term_background(es_term *term, double seconds);

typedef enum es_input_kind {
    ES_INPUT_NONE,
    ES_INPUT_KEY,
    ES_INPUT_PASTE,
    ES_INPUT_MOUSE
} es_input_kind;
typedef struct es_input {
    es_input_kind kind;
    uint32_t key;     /* es_key or a character */
    const char *text; /* of a paste; until the next call */
    es_mouse_kind mouse;
    int x, y; /* cell of the mouse */
} es_input;

/** What was typed, without waiting; ES_INPUT_NONE when there is nothing (more). */
es_input es_term_read(es_term *term);

/** The terminal's size may have changed (SIGWINCH): take it over, repaint with the next draw. */
void es_term_resize(es_term *term, int *w, int *h);
/** Repaint everything with the next draw. */
void es_term_redraw(es_term *term);
/** Give the terminal back, stop as Ctrl-Z does, and take it again when continued. */
void es_term_suspend(es_term *term);
/** Take the terminal again after a stop that could not be seen coming (SIGSTOP). */
void es_term_resume(es_term *term);

/** Ask for the mouse's events, or no longer. */
void es_term_mouse(es_term *term, bool on);

/** Frames as a whole (DECSET 2026), where the terminal says that it can; on by default. */
void es_term_sync(es_term *term, bool on);

/** Send bytes past ncurses (OSC 52). */
void es_term_send(es_term *term, const char *bytes, size_t length);

/* Copying to the clipboard, from wherever the program runs. */

enum { ES_CLIPBOARD_OSC52_MAX = 74994 }; /* what terminals accept at least, in base64 */

/** Copy a text: inside tmux into its buffer and, where tmux may, on to the outer terminal; else by
 * the terminal (OSC 52); else into a file. *said: one line that tells where it went. `term` may be
 * NULL: a file then. */
es_status es_clipboard_copy(es_term *term, const char *text, char said[256], es_error *err);

/** The OSC 52 sequence of a text, "" when it is too long. Free with es_free; NULL: out of memory.
 */
char *es_clipboard_osc52(const char *text, size_t length);

/* Gives the terminal back on every way out: a crash in any thread, abort(), exit(), a sanitizer's
 * report. One terminal at a time. Nothing here needs ncurses, which may not be called from a signal
 * handler. */

typedef struct es_guard {
    int tty;                     /* where the reset goes */
    int report;                  /* the user's stderr, for the last words; -1: none */
    int log;                     /* where the backtrace goes; -1: nowhere */
    const struct termios *modes; /* of the terminal before the program changed them */
    const char *reset;           /* bytes that undo what was switched on */
    const char *log_path;        /* named in the last words; NULL: none */
} es_guard;

/** Copies everything (a reset is cut to 512 bytes) and installs handlers for SEGV, BUS, FPE, ILL,
 *  ABRT, SYS and TRAP. The handlers restore the terminal and die of the same signal. */
void es_guard_arm(const es_guard *guard);
/** The terminal is in order again; handlers stay installed and do nothing but die. */
void es_guard_disarm(void);
/** After a request to end (SIGTERM, SIGHUP): when the program has not ended after `seconds`,
 * restore the terminal and exit with 128 + signal. Finished results are in the store by then. */
void es_guard_deadline(unsigned seconds, int signal);

/* What a cell of the grid looks like on a terminal: its role and paint become colours that the
 * terminal has, its character one that theme and terminal can show. No terminal in here. */

typedef struct es_look {
    bool ascii;     /* nothing beyond ASCII; the caller sets it */
    es_depth depth; /* what the theme uses of the terminal's colours */
    es_theme theme;
    es_style styles[ES_ROLE_COUNT];
    es_steps steps[ES_MAP_COUNT], dim_steps[ES_MAP_COUNT];
} es_look;

/** Take a theme, for a terminal that has so many colours. */
void es_look_set(es_look *look, const es_theme *theme, es_depth has);

typedef struct es_glyph {
    uint32_t code; /* the base character; combining marks are the cell's */
    es_colour fg, bg;
    uint8_t attrs; /* ES_ATTR_... */
} es_glyph;
void es_look_cell(const es_look *look, const es_cell *cell, es_glyph *out);

/* A screen as a picture: the grid as a terminal shows it, as an SVG file. */

/** Returns SVG text of the whole grid, with the colours and characters that `look` has; NULL when
 *  out of memory. Free with es_free. */
char *es_screen_svg(const es_grid *grid, const es_look *look);

/* From what a terminal types to what was meant: keys, pastes, the mouse, and answers to questions,
 * which are none of these. Characters and keys come one by one from the caller, without waiting;
 * nothing of ncurses in here. */

typedef enum es_typed_kind {
    ES_TYPED_NOTHING, /* nothing has come (yet) */
    ES_TYPED_CHARACTER,
    ES_TYPED_KEY, /* es_key; 0: one that nobody knows */
    ES_TYPED_PASTE_BEGIN,
    ES_TYPED_PASTE_END,
    ES_TYPED_MOUSE /* the beginning of a report, "ESC [ <" */
} es_typed_kind;

typedef struct es_typed {
    es_typed_kind kind;
    uint32_t code;
} es_typed;

enum { ES_EARLY_KEYS = 64, ES_HELD_KEYS = 4 };

typedef struct es_reader {
    es_typed (*next)(void *context);
    void *context;
    es_answers answers; /* `asked` is the caller's to set */
    bool pasting;
    double paste_time;
    es_buf paste;
    bool pointing;               /* a mouse report has begun */
    unsigned number_at;          /* which of its numbers is being read */
    int number[3];               /* button, column, row */
    uint32_t held[ES_HELD_KEYS]; /* read ahead behind an ESC, in their order */
    size_t held_at, held_count;
    double alone;     /* when an ESC came with nothing behind it */
    uint32_t torn;    /* '[' or 'O' behind an ESC, the rest of which is still to come; 0: none */
    bool torn_escape; /* that ESC was not given on yet */
    double torn_at;
    uint32_t early[ES_EARLY_KEYS]; /* typed while the terminal was asked */
    size_t early_at, early_count;
} es_reader;

void es_reader_init(es_reader *reader, es_typed (*next)(void *context), void *context);
void es_reader_free(es_reader *reader);

/** What was meant next; ES_INPUT_NONE: nothing (more) has come. The text of a paste is valid until
 *  the next call. */
es_input es_reader_read(es_reader *reader);

/** When to read again, though nothing may have come by then: what a slow link has torn apart is
 *  waited for no longer. INFINITY: nothing is. */
double es_reader_deadline(const es_reader *reader);

/** See es_term_background; `fd` can be polled for what the terminal types. */
es_background es_reader_background(es_reader *reader, int fd, double seconds);

/* Bytes on their way to the terminal. ncurses writes a frame in one go and waits until the terminal
 * has taken it, which over a slow line is seconds without an ear for keys. So ncurses is given a
 * descriptor that leads into a file in memory; from there the bytes go to the terminal as fast as
 * it takes them, and no faster. One frame is under way at most: the caller draws the next one when
 * es_out_waiting is 0, so frames are left out and never pile up. */

typedef struct es_out {
    int tty;        /* the terminal, as the program got it */
    int patient;    /* the same, opened anew so that writing never waits; or tty itself */
    int memory;     /* where a frame is written first */
    int door;       /* the descriptor ncurses has: leads to memory, or to tty */
    es_buf waiting; /* from `sent` on still to go */
    size_t sent;
} es_out;

/** All descriptors -1: what es_out_close may be given before es_out_open. */
extern const es_out es_out_none;

/** `tty`: the terminal; the door leads there. ES_EIO: no room for a frame anywhere. */
es_status es_out_open(es_out *out, int tty, es_error *err);
void es_out_close(es_out *out);

/** Lead the door to memory, or past it. Past it everything is written at once: for ncurses' calls
 *  that ask or set the modes of a terminal. */
void es_out_collect(es_out *out, bool collect);

/** Take what ncurses wrote since the last call, put between `before` and `after` (NULL: nothing);
 *  an empty frame stays empty. *bytes: to be sent. ES_EIO, ES_ENOMEM: the frame is lost, paint
 * anew.
 */
es_status es_out_frame(es_out *out, const char *before, const char *after, size_t *bytes);

/** Behind all that waits; without memory it is left out. */
void es_out_add(es_out *out, const char *bytes, size_t length);
/** Send what the terminal takes now. True when nothing is left. */
bool es_out_flush(es_out *out);
size_t es_out_waiting(const es_out *out);
/** To be polled for POLLOUT while bytes wait. */
int es_out_fd(const es_out *out);

/** True if the terminal has taken all that was sent. */
bool es_out_is_idle(const es_out *out);

/** Straight to a terminal, waiting for it: for the few bytes that set its modes. */
void es_out_write(int tty, const char *bytes, size_t length);

/** Forget what waits, here and in the terminal's line. True when there was something, so that the
 *  terminal may have got half a frame. */
bool es_out_discard(es_out *out);

/* What can be found out before ncurses starts: locale, names to try, 24-bit colour. Also used by
 * doctor, which shows it without taking the terminal. */

/** Set the locale from the environment, with '.' as decimal point. When the one asked for is not
 *  installed and was to be UTF-8, C.UTF-8 takes its place. False: only ASCII can be shown.
 *  *about: "UTF-8", "UTF-8 (C.UTF-8; en_US.UTF-8 is not installed)", "ASCII (locale C)". */
bool es_setup_locale(char about[96]);

/** The terminal names to try for $TERM, best first: itself, then a near relative where the host
 * does not know it (xterm-kitty on a server). Returns how many; 0: TERM is empty or dumb. */
size_t es_setup_terms(const char *term, const char *names[3]);

typedef enum es_asks {
    ES_ASK_NOTHING,
    ES_ASK_ABOUT_SYNC, /* inside tmux, whose colours are not those of the window around it */
    ES_ASK_ALL
} es_asks;
/** What a terminal of this name may be asked: relatives of xterm answer, or keep silent; what
 * others make of a question is not known. */
es_asks es_setup_asks(const char *term);

/** Name of our 24-bit entry for this terminal; NULL when it is not installed or there is none for
 *  its family. `dir` (ES_THEME_PATH bytes) receives where it lies. */
const char *es_setup_rgb_entry(const char *term, char *dir);

/** Facts from the environment (strings stay owned by it; tmux's go to `features`). `colors` and
 *  `rgb_entry` are left to the caller. */
es_depth_facts es_setup_facts(const char *option, char features[256]);

/* While the explorer is up, a library that prints would destroy the screen: stderr is the log file.
 */

typedef struct es_stderr {
    int user, log; /* the user's stderr; the file. -1: not open */
} es_stderr;

extern const es_stderr es_stderr_none;

/** Lead stderr to the end of this file; NULL, or one that cannot be opened: to nowhere. */
void es_stderr_redirect(es_stderr *aside, const char *path);
/** And back. */
void es_stderr_restore(es_stderr *aside);

#endif
