/* Two or three embedders side by side: what is said of them. */
#ifndef ES_APP_COMPARE_TEXT_H
#define ES_APP_COMPARE_TEXT_H

#include "app_state.h"

/** Which of the pair is shown ahead by the ranking, a sentence; "" if not both are ranked. */
void es_compare_decision(const es_app *app, size_t pair, char *out, size_t capacity);
const char *es_compare_sign(es_verdict verdict, bool ascii); /* between two letters */
/** "B ⊃ A", or of three "B ⊃ A ⊃ C" where the pairs make a chain, else each pair. */
void es_compare_verdict(const es_app *app, char *out, size_t capacity);
/** What the signs in it mean. */
void es_compare_legend(const es_app *app, char *out, size_t capacity);
/** es_compared_sentence, by the letters of the two. */
void es_compare_sentence(const es_app *app, size_t pair, char *out, size_t capacity);
/** How sure it is: whether the gaps exceed their intervals. */
const char *es_compare_sureness(const es_app *app);
/** One pair in words. */
void es_compare_reading(const es_app *app, size_t pair, char *out, size_t capacity);

#endif
