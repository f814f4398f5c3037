/* A growing list of texts of its own: words of a command line, warnings, notes, names. */
#ifndef ES_BASE_WORDS_H
#define ES_BASE_WORDS_H

#include <stddef.h>

#include "embedscope/status.h"
#include "buf.h"

/** All zero bytes is empty. */
typedef struct es_words {
    char **word; /* (count) and a NULL behind them; NULL while it is empty */
    size_t count;
} es_words;

void es_words_deinit(es_words *words);
/** Takes `text`, which is freed on failure; NULL is memory that has run out before. ES_ENOMEM. */
es_status es_words_take(es_words *words, char *text, es_error *err);
/** A copy of `word`. */
es_status es_words_add(es_words *words, const char *word, es_error *err);
/** With blanks between, words in quotes where a shell needs that. */
void es_words_put(const es_words *words, es_buf *out);

#endif
