/* The program's entry. Everything is in cli; the explorer is handed to it as a function, so that
 * cli needs no ncurses. */
#include <locale.h>

#include "cli.h"
#include "preferences.h"
#include "theme_check.h"
#include "tui.h"

#include "alloc.h"
#include "blas.h"

static es_status explore(es_session *session, const es_explorer *explorer, int *exit_code,
                         es_error *err) {
    const es_tui_options options = {
        .theme = explorer->theme,
        .theme_dir = explorer->theme_dir,
        .color = explorer->color,
        .ascii = explorer->ascii,
        .mouse = explorer->mouse,
        .plain = explorer->plain,
        .start = explorer->start,
        .script = explorer->script,
        .width = explorer->width,
        .height = explorer->height,
        .subject = explorer->subject,
        .part = explorer->part,
        .fresh = explorer->fresh,
        .theme_asked = explorer->theme_asked,
        .config = explorer->config,
        .keys = explorer->keys,
        .keys_asked = explorer->keys_asked,
        .settings = explorer->settings,
        .doctor = es_cli_doctor,
        .trace = explorer->trace,
        .again = explorer->again,
        .reopened = explorer->reopened,
        .scores = explorer->scores,
        .state = explorer->state,
        .step = explorer->step,
        .scores_asked = explorer->scores_asked,
        .open = explorer->open,
        .plan = explorer->plan,
        .estimate = explorer->estimate,
        .check_plan = explorer->check_plan,
        .other_plan = explorer->other_plan,
        .notice = explorer->notice,
        .shown_only = explorer->shown_only,
        .program = explorer->program,
        .exports = explorer->exports,
        .log = explorer->log,
    };
    return es_tui_run(session, &options, exit_code, err);
}

int main(int argc, char **argv) {
    static const es_cli_hooks hooks = {
        .explore = explore, .check_theme = es_theme_check_file, .setting = es_setting_check};
    es_blas_guard(argv);
    es_alloc_keep_little();
    (void)setlocale(LC_ALL, "");
    (void)setlocale(LC_NUMERIC, "C"); /* numbers are written with a point everywhere */
    return es_cli_main(argc, argv, &hooks);
}
