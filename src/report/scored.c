/* What is set against downstream scores: the ranking or a measure, the right way round, with the
 * baselines that it has to be better than. */
#include "report.h"

#include <math.h>

#include "report_answer.h"

es_status es_scored_new(const char *const *name, size_t n, es_scored *out, es_error *err) {
    *out = (es_scored){.n = n, .name = name};
    out->score = es_alloc(n, sizeof *out->score);
    out->dim = es_alloc(n, sizeof *out->dim);
    out->l2 = es_alloc(n, sizeof *out->l2);
    out->counts = es_alloc(n, sizeof *out->counts);
    out->family = es_alloc(n, sizeof *out->family);
    if (!out->score || !out->dim || !out->l2 || !out->counts || !out->family)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        out->score[i] = out->dim[i] = out->l2[i] = NAN;
        out->counts[i] = true;
        out->family[i] = (uint32_t)i;
    }
    return ES_OK;
}

void es_scored_deinit(es_scored *scored) {
    es_free(scored->score);
    es_free(scored->dim);
    es_free(scored->l2);
    es_free(scored->counts);
    es_free(scored->family);
    *scored = (es_scored){0};
}

/* decision: of these results; NULL: that of the session. */
static es_status new_of(es_session *session, const es_results *results, const es_decision *decision,
                        es_scored *out, es_error *err) {
    es_status st = es_scored_new((const char *const *)results->name, results->m, out, err);
    for (size_t i = 0; st == ES_OK && i < results->m; i++)
        if (results->dim[i])
            out->dim[i] = (double)results->dim[i];
    if (st == ES_OK && decision)
        es_downstream_groups(results, results, decision, out->counts, out->family);
    else if (st == ES_OK)
        st = es_downstream_groups_of(session, results, out->counts, out->family, err);
    return st;
}

/* Takes the stored score by the baseline estimator l2. */
static es_status take_l2(const es_session *session, es_scored *out, es_error *err) {
    es_stored_score l2 = {0};
    es_status st = es_session_baseline_read(session, &l2, err);
    for (size_t i = 0; st == ES_OK && i < l2.m; i++)
        out->l2[i] = l2.score[i];
    es_stored_score_deinit(&l2);
    return st;
}

es_status es_scored_of_report(es_session *session, const es_rank_report *report, es_scored *out,
                              es_error *err) {
    const es_results *results = report->results;
    ES_PASS(new_of(session, results, report->decision, out, err));
    out->negated = es_rank_lower_is_better(results);
    for (size_t i = 0; i < results->m; i++)
        if (report->ranking->rank[i] > 0)
            out->score[i] = out->negated ? -report->ranking->score[i] : report->ranking->score[i];
    return take_l2(session, out, err);
}

es_status es_scored_of_ranking(es_session *session, const es_rank_choices *how, es_scored *out,
                               es_rank_report **kept, es_error *err) {
    es_rank_report *report = NULL;
    es_status st = ES_OK;
    ES_TRY(es_rank_report_of(session, how, &report, err));
    ES_TRY(es_scored_of_report(session, report, out, err));
    *kept = report;
    report = NULL;
done:
    es_rank_report_free(report);
    return st;
}

es_status es_scored_of_measure(es_session *session, const es_measured *measured, size_t field,
                               es_scored *out, es_error *err) {
    ES_PASS(new_of(session, es_session_results(session, 0), NULL, out, err));
    out->negated = es_measure_is_lower_better(measured->measure, field);
    return es_measured_column(measured, field, out->score, err);
}
