/* The bottom line as the explorer shows it, from the first pair on. */
#ifndef ES_APP_HEADLINE_H
#define ES_APP_HEADLINE_H

#include "app_state.h"
#include "report_answer.h"
#include "base.h"

enum { ES_HEADLINE_STATEMENTS = 16 };
typedef struct es_headline_parts {
    size_t count;
    size_t end[ES_HEADLINE_STATEMENTS]; /* bytes up to the end of each */
    es_statement kind[ES_HEADLINE_STATEMENTS];
} es_headline_parts;

/** Everything there is to say, a statement after the other. False: nothing is known. */
bool es_headline_say(const es_app *app, es_buf *out, es_headline_parts *parts);

/** Cuts it to what this screen has room for, after every message. */
void es_headline_update(es_app *app);
void es_headline_free(es_app *app);

#endif
