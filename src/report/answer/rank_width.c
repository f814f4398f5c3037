/* From a decision to the question that a session answers, and back. */
#include "report_answer.h"

#include <math.h>

void es_rank_width_deinit(es_rank_width *x) {
    es_free(x->number);
    es_free(x->votes);
    *x = (es_rank_width){0};
}

es_status es_rank_width_init(const es_decision *d, const es_results *ranked, const es_results *all,
                             es_rank_width *out, es_error *err) {
    if (!d->by_lead || d->scored == 0)
        return es_fail(err, ES_EEMPTY, "no embedder is ranked");
    es_rank_width x = {.number = es_alloc(d->m + 1, 3 * sizeof *x.number),
                       .votes = es_alloc(d->m + 1, sizeof *x.votes)};
    uint32_t *position = x.number, *kind = x.number + d->m, *family = x.number + 2 * d->m;
    if (!x.number || !x.votes) {
        es_rank_width_deinit(&x);
        return es_no_memory_for(err, "%zu embedders", d->m);
    }
    for (size_t i = 0; i < d->m; i++) {
        size_t at = es_results_find(all, ranked->name[i]);
        if (d->standing[i] != ES_STANDING_RANKED || at == SIZE_MAX)
            continue;
        position[x.ask.m] = (uint32_t)at;
        kind[x.ask.m] = d->kind[i];
        family[x.ask.m] = d->family[i];
        x.votes[x.ask.m++] = d->votes[i];
    }
    x.ask = (es_width_ask){x.ask.m, position, kind, family, x.votes};
    *out = x;
    return ES_OK;
}

void es_rank_width_spread(const es_decision *d, const double *values, double *width) {
    for (size_t i = 0, k = 0; i < d->m; i++)
        width[i] = d->standing[i] == ES_STANDING_RANKED ? values[k++] : (double)NAN;
}

es_status es_rank_width_of(es_session *session, es_rank_report *report, es_error *err) {
    es_rank_width x = {0};
    double *values = es_alloc(report->results->m + 1, sizeof *values);
    const es_results *all = es_session_results(session, report->entry);
    es_error why = {0};
    es_status st = values && all
                       ? es_rank_width_init(report->decision, report->results, all, &x, &why)
                       : ES_EEMPTY;
    if (st == ES_OK)
        st = es_session_width(session, &x.ask, NULL, values, &why);
    if (st == ES_OK)
        es_rank_width_spread(report->decision, values, report->width);
    es_rank_width_deinit(&x);
    es_free(values);
    if (st == ES_ENOMEM || st == ES_ECANCELED)
        return es_fail(err, st, "%s", why.message);
    return ES_OK;
}
