/* The bottom line as the explorer shows it, from the first pair on. */
#ifndef ES_APP_HEADLINE_H
#define ES_APP_HEADLINE_H

#include "app_state.h"
#include "buf.h"

/** Everything there is to say, a statement after the other; ends (ES_HEADLINE_ENDS) holds the bytes
 *  up to the end of each. Returns their number; 0: nothing is known. */
enum { ES_HEADLINE_ENDS = 16 };
size_t es_headline_say(const es_app *app, es_buf *out, size_t ends[ES_HEADLINE_ENDS]);

/** Cuts it to what this screen has room for, after every message. */
void es_headline_update(es_app *app);
void es_headline_free(es_app *app);

#endif
