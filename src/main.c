/* The program's entry. Everything is in cli; the explorer is handed to it as a function, so that
 * cli needs no ncurses. */
#include <locale.h>

#include "cli.h"
#include "preferences.h"
#include "theme_check.h"
#include "tui.h"

#include "alloc.h"
#include "blas.h"
#include "blas_early.h"

/* The C library calls this before the libraries' constructors. Sanitizers want to be first. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__)
static void before_libraries(int argc, char **argv, char **environment) {
    (void)argc;
    (void)argv;
    es_blas_early(environment);
}
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = before_libraries;
#endif

int main(int argc, char **argv) {
    static const es_cli_hooks hooks = {
        .explore = es_tui_run, .check_theme = es_theme_check_file, .setting = es_setting_check};
    es_blas_guard(argv);
    es_alloc_keep_little();
    (void)setlocale(LC_ALL, "");
    (void)setlocale(LC_NUMERIC, "C"); /* numbers are written with a point everywhere */
    return es_cli_main(argc, argv, &hooks);
}
