/* Corr's other face: how measures of embedders agree, with each other and with downstream results,
 * as `embedscope agree` has it. Values are there at once, intervals come by and by. All of it is of
 * the embedders that the lists show, without the excluded points. */
#ifndef ES_APP_AGREEMENT_H
#define ES_APP_AGREEMENT_H

#include "agree.h"
#include "app_state.h"
#include "buf.h"

struct es_agree_state {
    size_t k, n;   /* columns: the score, estimators (of rivals), measures, pairwise measures, the
                      dimension; embedders */
    double *value; /* (k + 1, n) higher is better; then downstream */
    double *next;  /* the same, being read */
    es_agreer *known; /* what is shown; NULL: nothing yet */
    es_agreer *work;  /* of newer values; NULL: `known` is the newest */
    bool whole;       /* `known` has all its intervals */
    bool rivals;      /* of es_settings.corr_rivals: the dimension first, labels left out */
    double *regret;   /* (k, 2) of rivals: points lost by the first, and the first five */
    bool stale;       /* values are to be read again */
    double read_at, begun;
    size_t at; /* line under the cursor */
};

void es_agreement_update(es_app *app, bool idle); /* after every message */
double es_agreement_deadline(const es_app *app);
void es_agreement_forget(es_app *app); /* at the end */
/** What it is of: embedder number p of a column is number p there. */
const es_results *es_agreement_of(const es_app *app);
size_t es_agreement_columns(const es_app *app);
/** The column of a line: as they come, or, of rivals, by Spearman's rho with downstream. */
size_t es_agreement_column(const es_app *app, size_t line);
const char *es_agreement_title(const es_app *app, size_t column);
/** What to mind of a column's values here; false: nothing. */
bool es_agreement_remark(const es_app *app, size_t column, char *out, size_t capacity);
bool es_agreement_is_pairwise(const es_app *app, size_t column); /* the median over the others */
bool es_agreement_is_part(const es_app *app,
                          size_t column); /* is measured: no values till the end */
/** What Corr's score is to be for this column, as es_settings.axis; ES_NONE: it cannot be one. */
size_t es_agreement_axis(const es_app *app, size_t column);
/** The item at place `place` by a column's ranks, ties as in the results; ES_NONE: there are not so
 *  many with a rank. */
size_t es_agreement_ranked(const es_app *app, size_t column, size_t place);
/** Names of the measures that are columns, with commas between; nothing without one. */
void es_agreement_measures(const es_app *app, es_buf *out);
/** The columns' values for the embedders that count: out (columns, m). */
void es_agreement_values(const es_app *app, double *out);
/** Begins the draws of columns (k, m) against downstream (m), or NULL, by families. */
es_status es_agreement_agreer(const es_app *app, const double *columns, size_t k,
                              const double *downstream, es_agreer **out);
/** Rows of the scores of the embedders (m) that count here: ranked (if any are), shown, not
 * excluded, neither controls nor derived; SIZE_MAX for the others. False: out of memory. */
bool es_agreement_rows(const es_app *app, size_t *row);
/** What downstream stands for: one task, or "mean rank". */
void es_agreement_downstream(const es_app *app, char *out, size_t capacity);

#endif
