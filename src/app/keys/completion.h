/* What Tab offers. */
#ifndef ES_APP_COMPLETION_H
#define ES_APP_COMPLETION_H

#include "app_state.h"

/** Candidate number `index` (from 0) to complete `line`; false when there is none. */
bool es_prompt_candidate(const es_app *app, const char *line, size_t index, char *out,
                         size_t capacity);

/** Path number `index` of the pools opened lately, cleaned; false: there are no more. */
bool es_app_recent_at(const es_app *app, size_t index, char *out, size_t capacity);

#endif
