/* Small things that lie over a view: lists to choose from, questions, notes. */
#include <stdio.h>
#include <string.h>

#include "app_lists.h"
#include "app_commands.h"
#include "app_corr.h"
#include "tui_screen.h"

/* ---- Lists to choose from ---- */

void es_overlay_pick(const es_app *app, es_grid *grid) {
    static const char *const titles[] = {"Order",
                                         "Hidden embedders",
                                         "Columns",
                                         "Theme",
                                         "Rank and embedder for this side",
                                         "Measure",
                                         "Derive an embedder from this one"};
    static const char *const hints[] = {"↵ use · type to filter · Esc leave",
                                        "↵ show again · type to filter · Esc leave",
                                        "Space show or hide · type to filter · Esc",
                                        "↵ keep · type to filter · Esc as before",
                                        "↵ compare · type to filter · Esc leave",
                                        "↵ compute · Space several · type to filter · Esc leave",
                                        "↵ make · type to filter · Esc leave"};
    const es_pick *pick = &app->pick;
    if (pick->kind == ES_PICK_OPTIONS) {
        es_overlay_options(app, grid);
        return;
    }
    int h = (int)(pick->all > 100 ? 100 : pick->all) + 2;
    char typed[80] = "";
    bool wide = pick->kind == ES_PICK_MEASURE || pick->kind == ES_PICK_DERIVE;
    es_rect rect = es_draw_centred(grid, wide ? 76 : 48, h < 5 ? 5 : h);
    if (pick->typed.length > 0)
        (void)snprintf(typed, sizeof typed, "filter: %.60s", pick->typed.text);
    es_rect in = es_draw_overlay(grid, rect, titles[pick->kind], typed[0] != '\0' ? typed : NULL,
                                 hints[pick->kind]);
    size_t top = es_draw_first_line(pick->at, pick->count, in.h);
    if (pick->count == 0)
        es_grid_text(grid, in.x + 2, in.y + 1, ES_ROLE_TEXT_DIM,
                     pick->all > 0 ? "Nothing has that in it: Backspace, Esc." : "Nothing here.");
    for (int y = 0; y < in.h && top + (size_t)y < pick->count; y++) {
        size_t row = top + (size_t)y;
        char text[300];
        es_pick_text(app, pick->item[row], text, sizeof text);
        es_grid_field(grid, in.x + 2, in.y + y, in.w - 3, -1, ES_ROLE_OVERLAY, text);
        es_grid_click_area(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_CLICK_LINE, row);
        if (row == pick->at) {
            es_grid_text(grid, in.x, in.y + y, ES_ROLE_CURSOR, "❯");
            es_grid_role(grid, (es_rect){in.x, in.y + y, in.w, 1}, ES_ROLE_SELECTION);
        }
    }
}

/* ---- Questions and notes ---- */

enum { ASKED_NAMES = 8 };

void es_overlay_ask(const es_app *app, es_grid *grid) {
    static const char *const titles[] = {
        "Quit while the run is on?",     "Cancel the run?",
        "Overwrite the file?",           "Are the rows of all folders the same items?",
        "Are these the same embedders?", "Write families.csv?"};
    const es_progress *p = &app->progress;
    const char *title = titles[app->ask];
    bool memory = app->source->store_path == NULL;
    char text[ES_EXPORT_FILE + 80];
    es_buf names = {0};
    const es_error *lost = &app->source->store_problem;
    if (app->ask == ES_ASK_FOLDERS)
        (void)snprintf(text, sizeof text,
                       "%.400s\n\ny: they are, one pool. n: no, open the folders as data sets.",
                       app->source->folders_question);
    else if (app->ask == ES_ASK_OVERWRITE)
        (void)snprintf(text, sizeof text, "%s is there already.", app->export.now.file);
    else if (app->ask == ES_ASK_NAMES) {
        es_corr_proposals_put(app, ASKED_NAMES, &names);
        (void)snprintf(text, sizeof text, "In %.60s, and here:\n\n%s", app->source->score_file,
                       names.data != NULL ? names.data : "");
        es_buf_free(&names);
    } else if (app->ask == ES_ASK_FAMILY) {
        es_family_question(app, text, sizeof text);
    } else if (app->ask == ES_ASK_QUIT && lost->code != ES_OK) {
        title = "Quit and lose results?";
        (void)snprintf(text, sizeof text,
                       "%.300s\n\nQuitting tries once more to store what is in memory only; what "
                       "cannot be stored then is lost.",
                       lost->message);
    } else if (app->ask == ES_ASK_QUIT && !es_app_running(app)) {
        title = app->beside.of_sets || app->sets.due ? "Quit while data sets are estimated?"
                                                     : "Quit while a sweep is on?";
        (void)snprintf(text, sizeof text, "Finished pairs are kept; the same command continues.");
    } else
        (void)snprintf(text, sizeof text, "%zu of %zu pairs are estimated. %s%s", p->done, p->total,
                       memory ? "They are in memory only and are lost when you quit."
                              : "Finished pairs are kept; the next run continues.",
                       app->ask == ES_ASK_QUIT ? "" : " Pairs at work now start anew.");
    int lines = es_draw_wrap(grid, (es_rect){0, 0, 56, 0}, ES_ROLE_OVERLAY, text, 0);
    es_rect rect = es_draw_centred(grid, 62, lines < 4 ? 7 : lines + 3);
    es_rect in = es_draw_overlay(grid, rect, title, NULL, "y yes · n no");
    int x = rect.x + rect.w - 15, y = rect.y + rect.h - 1; /* where the border's text begins */
    es_grid_click_area(grid, (es_rect){x, y, 5, 1}, ES_CLICK_KEY, 'y');
    es_grid_click_area(grid, (es_rect){x + 8, y, 4, 1}, ES_CLICK_KEY, 'n');
    es_draw_wrap(grid, (es_rect){in.x + 2, in.y + 1, in.w - 4, in.h - 1}, ES_ROLE_OVERLAY, text, 0);
}

void es_overlay_note(const es_app *app, es_grid *grid) {
    int w = grid->w - 4 < 84 ? grid->w - 4 : 84;
    int lines = es_draw_list(grid, (es_rect){0, 0, w - 4, 0}, ES_ROLE_OVERLAY, app->note.text, 0);
    es_rect rect = es_draw_centred(grid, w, lines + 4);
    int page = rect.h - 4, scroll = (int)app->note.scroll;
    scroll = scroll > lines - page ? (lines > page ? lines - page : 0) : scroll;
    es_rect in = es_draw_overlay(grid, rect, app->note.title, NULL,
                                 lines > page ? "j k scroll · Esc close" : "Esc close");
    es_draw_list(grid, (es_rect){in.x + 1, in.y + 1, in.w - 2, in.h - 2}, ES_ROLE_OVERLAY,
                 app->note.text, scroll);
}
