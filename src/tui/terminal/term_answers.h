/* What a terminal answers to questions, and other control sequences that are no keys: taken out of
 * the input character by character, since they may come late, in pieces or never. No terminal and
 * no clock in here. */
#ifndef ES_TUI_TERM_ANSWERS_H
#define ES_TUI_TERM_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
