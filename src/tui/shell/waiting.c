/* The frames before there is a session. They look as the explorer's do, so that nobody sees another
 * program; there is nothing to be chosen yet but to leave. */
#include "tui.h"

#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "tui_panes.h"
#include "tui_terminal.h"

static const double ANSWER_LIMIT = 0.1; /* seconds to wait for the colour of the background */
enum { LOOK_MS = 100 };

static void choose_theme(const es_explorer_wait *wait, es_term *term) {
    es_theme theme;
    bool light = !wait->theme && es_term_background(term, ANSWER_LIMIT) == ES_BACKGROUND_LIGHT;
    const char *name = wait->theme ? wait->theme : light ? "default-light" : "default-dark";
    if (es_theme_load(name, wait->theme_dir, &theme, NULL, NULL) == ES_OK ||
        es_theme_builtin(&theme, NULL) == ES_OK)
        es_term_theme(term, &theme);
}

/* Draws what is being opened and how far it is. */
static void draw_waiting(const es_explorer_wait *wait, es_grid *grid) {
    char label[ES_PATH_LABEL], head[ES_PATH_LABEL + 16];
    es_run_view view;
    es_buf text = {0};
    wait->look(wait->context, &view);
    es_grid_clear(grid);
    es_rect all = {0, 0, grid->w, grid->h};
    (void)snprintf(head, sizeof head, "Opening %s", es_path_label(label, wait->path));
    es_run_view_put(&view, &text);
    es_buf_printf(&text, "\n\n%s", wait->says);
    es_draw_empty(grid, all, head, text.data ? text.data : "");
    int w = grid->w - 6 < 64 ? grid->w - 6 : 64;
    if (view.total > 0 && w > 0)
        es_draw_bar(grid, (grid->w - w) / 2, grid->h / 3 + 1, w,
                    (double)view.done / (double)view.total, ES_ROLE_PROGRESS_FULL,
                    ES_ROLE_PROGRESS_EMPTY);
    es_buf_free(&text);
}

/* True when one of the keys is among those that were typed that leave. */
static bool wants_out(es_term *term) {
    for (;;) {
        es_input input = es_term_read(term);
        if (input.kind == ES_INPUT_NONE)
            return false;
        if (input.kind == ES_INPUT_KEY &&
            (input.key == 'q' || input.key == ES_KEY_ESC || input.key == 'c' - ES_KEY_CTRL))
            return true;
    }
}

/* Follows a change of the terminal's size. */
static bool follow_size(es_term *term, es_grid *grid) {
    struct winsize size;
    int w = grid->w, h = grid->h;
    if (ioctl(es_term_fd(term), TIOCGWINSZ, &size) != 0 ||
        (size.ws_col == grid->w && size.ws_row == grid->h))
        return true;
    es_term_resize(term, &w, &h);
    return es_grid_resize(grid, w, h);
}

es_status es_tui_wait(const es_explorer_wait *wait, bool *left, es_error *err) {
    es_term *term = NULL;
    es_grid grid = {0};
    int w, h;
    es_status st = ES_OK;
    const es_term_options options = {.color = wait->color,
                                     .ascii = wait->ascii,
                                     .background = wait->theme == NULL,
                                     .log = wait->log};
    ES_TRY(es_term_open(&options, &term, err));
    choose_theme(wait, term);
    es_term_size(term, &w, &h);
    ES_FAIL_IF(!es_grid_resize(&grid, w, h), es_no_memory(err));
    grid.ascii = wait->ascii || es_term_ascii(term);
    struct pollfd watched[2] = {{.fd = wait->done, .events = POLLIN},
                                {.fd = es_term_fd(term), .events = POLLIN}};
    do {
        ES_FAIL_IF(!follow_size(term, &grid), es_no_memory(err));
        if (es_term_waits(term) < 0 && es_term_ready(term)) {
            draw_waiting(wait, &grid);
            (void)es_term_draw(term, &grid);
        }
        (void)es_term_flush(term);
        (void)poll(watched, 2, LOOK_MS);
        *left = es_term_is_gone(&watched[1]) || wants_out(term);
    } while (!*left && watched[0].revents == 0);
done:
    es_grid_free(&grid);
    es_term_close(term);
    return st;
}
