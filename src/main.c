/* The program's entry. Subcommands go to cli; the explorer is handed to cli as a function, so that
 * cli needs no ncurses. */
#include <stdio.h>

int main(void) {
    puts("embedscope " ES_VERSION);
    return 0;
}
