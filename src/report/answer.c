/* Puts the answer together: ranking, bottom line, downstream. */
#include "answer.h"

#include <math.h>

#include "alloc.h"
#include "results_rank.h"

es_bottom_line_of es_answer_words(const es_rank_report *report) {
    const es_results *r = report->results;
    bool from_file = r->estimator == NULL; /* what it lacks will not come */
    return (es_bottom_line_of){.decision = report->decision,
                               .name = (const char *const *)r->name,
                               .family = (const char *const *)r->family,
                               .families = report->decision->families,
                               .named = report->named,
                               .score = es_score_kind_names[report->score],
                               .known = from_file ? r->m * r->m : r->done + r->failed,
                               .of = r->m * r->m};
}

/* Higher is better; NaN: none. */
static es_status take_downstream(const es_rank_report *report, const es_scores *scores,
                                 uint64_t seed, es_downstream **out, es_error *err) {
    const es_results *r = report->results;
    double sign = es_rank_lower_is_better(r) ? -1 : 1;
    double *score = es_alloc(r->m, sizeof *score);
    if (score == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < r->m; i++)
        score[i] = sign * report->ranking->score[i];
    es_status st = es_downstream_new(r, score, scores, seed, out, err);
    es_free(score);
    return st;
}

es_status es_answer_new(es_session *session, const es_rank_choices *choices,
                        const es_scores *scores, es_answer *out, es_error *err) {
    es_answer answer = {0};
    es_rank_choices how = *choices;
    es_status st = ES_OK;
    how.with_intervals = true;
    ES_TRY(es_rank_report_of(session, &how, &answer.report, err));
    const es_bottom_line_of words = es_answer_words(answer.report);
    ES_TRY(es_bottom_line_new(&words, &answer.line, err));
    if (scores)
        ES_TRY(take_downstream(answer.report, scores, how.seed, &answer.downstream, err));
    *out = answer;
    answer = (es_answer){0};
done:
    es_answer_deinit(&answer);
    return st;
}

void es_answer_deinit(es_answer *answer) {
    es_downstream_free(answer->downstream);
    es_bottom_line_free(answer->line);
    es_rank_report_free(answer->report);
    *answer = (es_answer){0};
}
