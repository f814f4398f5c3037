/* Coefficients in tables and in JSON. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void es_coefficient_put(es_table_out *table, const es_correlation_report *r, es_correlation kind) {
    es_table_out_band(table, r ? r->value[kind].value : (double)NAN, r ? r->low[kind] : (double)NAN,
                      r ? r->high[kind] : (double)NAN);
}

void es_coefficient_json(es_json *json, const es_correlation_report *r, es_correlation kind) {
    char key[32];
    es_json_double(json, es_correlation_name(kind), r->value[kind].value);
    (void)snprintf(key, sizeof key, "%s_ci", es_correlation_name(kind));
    es_document_range(json, key, r->low[kind], r->high[kind]);
}

size_t es_comparisons_of(const es_agree_scores *s) {
    size_t count = 0;
    for (size_t k = 1; k < s->k; k++)
        count += isfinite(s->agreement->ahead[k].low) ? 1 : 0;
    return count;
}

void es_comparisons_put(size_t count, es_buf *out) {
    double wrong = rint((double)count * (1 - ES_CORRELATE_LEVEL));
    if (count < 2)
        return;
    es_buf_puts(out, "; 95 % each");
    if (wrong >= 1)
        es_buf_printf(out, "; of %zu about %.0f %s wrong by chance", count, wrong,
                      wrong > 1 ? "are" : "is");
}

void es_agree_remarks(const es_agree_scores *s, es_buf *out) {
    for (size_t k = 0; k < s->k;) {
        const char *remark = s->remark[k];
        size_t first = k;
        for (; remark && k < s->k && s->remark[k] && strcmp(s->remark[k], remark) == 0; k++)
            es_buf_printf(out, "%s%s", k > first ? ", " : "", s->name[k]);
        if (remark)
            es_buf_printf(out, ": %s\n", remark);
        else
            k++;
    }
}

void es_agreement_json(es_json *json, const es_agree_scores *s) {
    es_json_begin_array(json, "agreement");
    for (size_t i = 0; i < s->k; i++)
        for (size_t j = i + 1; j < s->k; j++) {
            const es_agreement_cell *c = &s->agreement->cell[i * s->k + j];
            es_json_begin_object(json, NULL);
            es_json_text(json, "a", s->name[i]);
            es_json_text(json, "b", s->name[j]);
            es_json_uint(json, "n", c->n);
            es_json_double(json, "kendall", c->tau.value);
            es_document_range(json, "kendall_ci", c->low, c->high);
            es_document_range_reason(json, &c->tau, c->low, c->n);
            es_json_text(json, "why", c->tau.why);
            es_json_end(json);
        }
    es_json_end(json);
}
