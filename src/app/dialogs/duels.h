/* Duels: ten questions that decide between candidates (core_duel.h). Questions are found and
 * answers counted in the background; the next question is found while this one is read.
 *
 *   duels.c          what is asked, was answered and is to be found
 *   duel_dialog.c    the keys, in app/commands */
#ifndef ES_APP_DUELS_H
#define ES_APP_DUELS_H

#include "app_state.h"
#include "report.h"

enum { ES_DUELS_GOAL = 10 /* questions that a session begins with */ };

/** A question with the texts of row, left and right; NULL: there are none. */
typedef struct es_duels_asked {
    es_duel_question question;
    char *text[3];
    es_duel_choice answer;
} es_duels_asked;

typedef struct es_duels {
    size_t *item, k;      /* (k) candidates, best first */
    es_duels_asked *next; /* (count) the first is shown */
    size_t count;
    es_duels_asked *said; /* (answered) in this session, newest last */
    size_t answered;
    es_duel_question *skipped; /* (skips) */
    size_t skips;
    bool asking;      /* a question is being found */
    uint64_t tag, at; /* of the search; draw that it begins with */
    es_error why;     /* no more are found; code ES_OK: not so */
    int scroll;       /* lines of the texts that are above */
} es_duels;

/** Opens the dialog about these embedders (k, best first). False: out of memory. */
bool es_duels_open(es_app *app, const size_t *item, size_t k, es_effects *effects);
/** Takes up what was found, and has the next question found; after every message. */
void es_duels_follow(es_app *app, es_effects *effects);
/** The answer to the question that is shown, if one is. */
void es_duels_answer(es_app *app, es_duel_choice answer, es_effects *effects);
void es_duels_skip(es_app *app);
void es_duels_undo(es_app *app, es_effects *effects); /* the last answer of this session */
/** Reports that the search for questions could not begin. */
void es_duels_failed(es_app *app, const es_error *why);
void es_duels_forget(es_app *app);

/** The questions that are not to be found again: shown, waiting or skipped. es_free. NULL: out of
 *  memory. */
es_duel_question *es_duels_held(const es_app *app, size_t *count);
/** What the answers say so far; NULL: not known yet. */
const char *es_duels_sentence(const es_app *app);

#endif
