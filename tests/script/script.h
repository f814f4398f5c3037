/* Scripts: keys and commands from a file instead of a terminal, for tests and demonstrations. The
 * same app and the same views run; only the terminal is missing.
 *
 *     # a comment
 *     2jj<enter>             keys; names in <>: enter esc tab s-tab space up down left right home
 *                            end pgup pgdn ins del bs f1 lt colon c-a to c-z
 *     :order name            a command of the explorer
 *     :wait idle             until nothing is being checked or estimated
 *     :wait done             until every pair is known (or failed)
 *     :wait 0.5              seconds
 *     :assert 3 failed       the screen shows this text (blanks around it are dropped)
 *     :assert-not failed
 *     :await 4 embedders     until the screen shows this text; :await-not until it does not
 *     :dump screen.txt       the screen as text
 *     :dump-roles roles.txt  what each cell means
 *     :click 2 Heatmap       on the first place where the screen shows this text
 *     :wheel up              over the middle of the screen; or down
 *     :resize 60x16
 *     :count                 counts what is executed from here on (./dev passed)
 */
#ifndef ES_TEST_SCRIPT_H
#define ES_TEST_SCRIPT_H

#include "tui_driver.h"

typedef enum es_step_kind {
    ES_STEP_KEY,     /* key */
    ES_STEP_COMMAND, /* text */
    ES_STEP_WAIT_IDLE,
    ES_STEP_WAIT_DONE,
    ES_STEP_WAIT, /* seconds */
    ES_STEP_ASSERT,
    ES_STEP_ASSERT_NOT,
    ES_STEP_AWAIT,
    ES_STEP_AWAIT_NOT,
    ES_STEP_DUMP,
    ES_STEP_DUMP_ROLES,
    ES_STEP_CLICK,
    ES_STEP_WHEEL,
    ES_STEP_RESIZE, /* w, h */
    ES_STEP_COUNT
} es_step_kind;

typedef struct es_step {
    es_step_kind kind;
    int line;
    uint32_t key;
    double seconds;
    int w, h;
    char *text; /* owned */
} es_step;

typedef struct es_script {
    es_step *steps;
    size_t count, capacity;
} es_script;

/** Errors are "label:line: message". */
es_status es_script_parse(const char *text, size_t length, const char *label, es_script *out,
                          es_error *err);
void es_script_free(es_script *script);

/** Play from step *at to the end or until the explorer quits, with *at the step to go on from. A
 * failed assertion, a wait without end or a file that cannot be written stops with ES_EINVAL,
 * ES_EBUSY, ES_EIO and "label:line: message". */
es_status es_script_play(es_driver *driver, const es_script *script, const char *label, size_t *at,
                         es_error *err);

/** es_tui_run without a terminal: reads the script, plays it on a screen of w x h, prints what went
 * wrong to stderr with the screen, and gives exit code 1 then. */
es_status es_script_main(es_session *session, const es_explorer *options, const char *path, int w,
                         int h, int *exit_code, es_error *err);

bool es_script_size(const char *text, int *w, int *h); /* "80x24" */

#endif
