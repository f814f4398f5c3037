/* From what a terminal types to what was meant: keys, pastes, the mouse, and answers to questions,
 * which are none of these. Characters and keys come one by one from the caller, without waiting;
 * nothing of ncurses in here. */
#ifndef ES_TUI_TERM_KEYS_H
#define ES_TUI_TERM_KEYS_H

#include "base.h"
#include "term_answers.h"
#include "terminal.h"

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

#endif
