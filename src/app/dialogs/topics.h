/* Pages of :help TOPIC. */
#ifndef ES_APP_TOPICS_H
#define ES_APP_TOPICS_H

#include "app_state.h"

const char *es_topic_name(size_t index); /* NULL beyond the last */
/** Returns the page on how to read a view: paragraphs, the most needed first; "": it has none. */
const char *es_topic_text(es_view_id view);
/** Show the page of a topic, a view or a subject; false: there is none of that name. */
bool es_topic_show(es_app *app, const char *name);

#endif
