/* The program's entry. Everything is in cli; the explorer is handed to it as a function, so that
 * cli needs no ncurses. */
#include <locale.h>
#include <string.h>

#include "cli.h"
#include "app_commands.h"
#include "tui_terminal.h"
#include "app_look.h"
#include "tui_draw.h"
#include "tui.h"

#include "base.h"
#include "core_numerics.h"
#include "engine_place.h"

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

/* The same program with MPI and without it, which hands over where it is to be one of several. */
#ifdef ES_WITH_MPI
#include "wire_mpi.h"
#define JOIN es_wire_mpi
static void hand_over(int argc, char **argv) {
    (void)argc;
    (void)argv;
}
#else
#define JOIN NULL
static void hand_over(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "estimate") == 0 && es_launched())
        es_run_beside("embedscope-mpi", argv);
}
#endif

static es_status find_theme(const char *name, const char *theme_dir, es_error *err) {
    es_theme theme;
    es_error unknown = {0};
    return es_theme_load(name, theme_dir, &theme, &unknown, err);
}

int main(int argc, char **argv) {
    static const es_cli_hooks hooks = {.join = JOIN,
                                       .explore = es_tui_run,
                                       .wait = es_tui_wait,
                                       .find_theme = find_theme,
                                       .colours = es_term_colours,
                                       .picture_colours = es_theme_picture_load,
                                       .setting = es_setting_check};
    hand_over(argc, argv);
    es_blas_guard(argv);
    es_alloc_keep_little();
    (void)setlocale(LC_ALL, "");
    (void)setlocale(LC_NUMERIC, "C"); /* numbers are written with a point everywhere */
    return es_cli_main(argc, argv, &hooks);
}
