/* Two or three embedders side by side: what is said of them. */
#ifndef ES_APP_COMPARE_TEXT_H
#define ES_APP_COMPARE_TEXT_H

#include "app_state.h"

/** Writes which of the pair the ranking shows ahead; "" if not both are ranked. */
void es_compare_decision(const es_app *app, size_t pair, char *out, size_t capacity);
const char *es_compare_sign(es_verdict verdict, bool ascii); /* between two letters */
/** "B ⊃ A", or of three "B ⊃ A ⊃ C" where the pairs make a chain, else each pair. */
void es_compare_verdict(const es_app *app, char *out, size_t capacity);
/** Writes what the signs of the comparison mean. */
void es_compare_legend(const es_app *app, char *out, size_t capacity);
/** es_compared_sentence, by the letters of the two. */
void es_compare_sentence(const es_app *app, size_t pair, char *out, size_t capacity);
/** Returns in words how sure the verdict is: whether gaps exceed their intervals. */
const char *es_compare_sureness(const es_app *app);
/** Appends " (gap 0.120 ±0.030)", if it is known. */
void es_compare_put_gap(const es_app *app, size_t pair, char *out, size_t capacity);

#endif
