/* The answer of a session: the ranking, what it comes to in words, and, where there are downstream
 * scores, how it agrees with them. One for the screen, the command line and what is exported. */
#ifndef ES_REPORT_ANSWER_H
#define ES_REPORT_ANSWER_H

#include "bottom_line.h"
#include "downstream.h"
#include "rank_report.h"

#include "base.h"

typedef struct es_answer {
    es_rank_report *report;
    es_bottom_line *line;
    es_downstream *downstream; /* NULL: no scores, or of fewer than three embedders */
    es_words derived;          /* embedders that are left out, since they are derived */
} es_answer;

/** Returns the words that the bottom line of a report uses. */
es_bottom_line_of es_answer_words(const es_rank_report *report);

/** choices->with_intervals is set. scores: NULL: none. Errors of es_rank_report_of. */
es_status es_answer_new(es_session *session, const es_rank_choices *choices,
                        const es_scores *scores, es_answer *out, es_error *err);
/** "2 derived embedders are left out (a, b); HOW lets them vote and rank." Nothing when there are
 *  none. */
void es_answer_put_left_out(const es_words *derived, const char *how, es_buf *out);
void es_answer_deinit(es_answer *answer); /* all zero bytes is allowed */

#endif
