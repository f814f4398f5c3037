/* The program's entry. Everything is in cli; the explorer is handed to it as a function, so that
 * cli needs no ncurses. */
#include <locale.h>

#include "cli.h"
#include "preferences.h"
#include "theme_check.h"
#include "tui.h"

#include "alloc.h"
#include "blas.h"

int main(int argc, char **argv) {
    static const es_cli_hooks hooks = {
        .explore = es_tui_run, .check_theme = es_theme_check_file, .setting = es_setting_check};
    es_blas_guard(argv);
    es_alloc_keep_little();
    (void)setlocale(LC_ALL, "");
    (void)setlocale(LC_NUMERIC, "C"); /* numbers are written with a point everywhere */
    return es_cli_main(argc, argv, &hooks);
}
