/* Compare: two or three embedders side by side. */
#ifndef ES_APP_COMPARE_H
#define ES_APP_COMPARE_H

#include "app_state.h"

/* Two or three embedders side by side: what is known of them. */

extern const size_t es_pair_sides[3][2]; /* of two there is the first pair */

/** Returns what is compared, which is of one plan entry: where other views show the best known
 * values, of the one that `embedscope compare` is by. NULL: nothing is known. */
const es_results *es_compare_results(const es_app *app);
size_t es_compare_entry(const es_app *app); /* of the plan; ES_NONE */
/** The estimator, where other views show the best known values; else "". */
const char *es_compare_by(const es_app *app);
es_pair_state es_compare_pair_state(const es_app *app, size_t source, size_t target);

void es_compare_refresh(es_app *app); /* after every message while Compare is shown */
void es_compare_free(es_app *app);
/** Compare these, 2 or 3 different items; one step for undo. */
void es_compare_choose(es_app *app, const size_t *item, size_t count);
void es_compare_assign(es_app *app, size_t item); /* to the side chosen */
const es_compared_target *es_compare_target(const es_app *app, size_t line);
size_t es_compare_item(const es_app *app, size_t line); /* of a line's target */
size_t es_compare_line(const es_app *app);              /* of the cursor; ES_NONE */
void es_compare_aim(es_app *app, size_t line);          /* puts the cursor there */
const char *es_compare_missing_rows(const es_app *app); /* why; NULL: there are rows */
/** Scores of a task; returns the best side, `lead` over the next; ES_NONE: fewer than two known, or
 *  equal. */
size_t es_compare_task(const es_app *app, size_t task, double value[ES_COMPARE_MOST], double *lead);
/** Mean percentile over tasks, as report_answer.h has it; NAN: not known. */
double es_compare_percentile(const es_app *app, size_t item);
/** The same of all compared; returns as es_compare_task. */
size_t es_compare_percentiles(const es_app *app, double value[ES_COMPARE_MOST], double *lead);
/** Tasks that put the compared in the order of IS out, of those that know them all. */
size_t es_compare_agreement(const es_app *app, size_t *of);
/** Returns by how much better the first of the pair predicts this row than the second. */
double es_compare_row_difference(const es_app *app, size_t row);
/** The pair whose two directions differ most, what can be simulated of the other first; ES_NONE:
 *  none is known. O(n^2). */
void es_compare_telling(const es_app *app, size_t *a, size_t *b);
/** The best embedder but `item`; ES_NONE. */
size_t es_compare_best_besides(const es_app *app, size_t item);
/** An embedder by its name, or by the only name that begins like this; ES_NONE: none, or several.
 */
size_t es_compare_named(const es_app *app, const char *name, size_t length);
/** False, and a notice, when the item cannot be compared. */
bool es_compare_usable(es_app *app, size_t item);

/* The comparison of two or three embedders. */

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
