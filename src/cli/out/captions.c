/* Lines below a table that several documents say in the same words. */
#include "cli_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void es_caption_null(const es_results *results, es_buf *out) {
    double low, high;
    size_t known = es_results_null_range(results, &low, &high);
    if (known == 0)
        return;
    low = fabs(low) < 0.0005 ? 0 : low; /* no "-0.000" */
    high = fabs(high) < 0.0005 ? 0 : high;
    es_buf_printf(out, "no information gives %.3f to %.3f (%zu target%s, rows shuffled)\n", low,
                  high, known, known == 1 ? "" : "s");
}

void es_caption_count(const es_results *results, es_buf *out) {
    char count[ES_COUNT_TEXT];
    size_t controls = es_results_controls(results), derived = es_results_derived(results);
    if (controls + derived > 0)
        es_buf_printf(out, "%s\n",
                      es_count_text(results->m, controls, derived, count, sizeof count));
}

void es_caption_known(const es_results *results, es_buf *out) {
    size_t pairs = results->m * results->m;
    if (results->done < pairs)
        es_buf_printf(out, "%zu of %zu pairs are known\n", results->done, pairs);
}

void es_caption_by(const es_rank_report *report, const es_results *by, es_buf *out) {
    const es_rank_pairs pairs = es_rank_report_pairs(report, by);
    es_buf_printf(out, "by %s %s", by->estimator->name, es_results_preset(by));
    if (pairs.open > 0)
        es_buf_printf(out, " from %zu of %zu pairs", pairs.known, pairs.of);
}

void es_caption_remark(const es_results *results, es_buf *out) {
    if (results->estimator && results->remark)
        es_buf_printf(out, "%s %s: %s\n", results->estimator->name, es_results_preset(results),
                      results->remark);
}

/* 1,024 */
static void put_thousands(es_buf *out, size_t n) {
    if (n >= 1000)
        put_thousands(out, n / 1000);
    es_buf_printf(out, n >= 1000 ? ",%03zu" : "%zu", n % 1000);
}

/* Of `found` targets `most` were listed. */
static void put_more_targets(es_buf *out, size_t found, size_t most) {
    if (found > most)
        es_buf_printf(out, "%zu more target%s such columns (--json lists them)\n", found - most,
                      found == most + 1 ? " has" : "s have");
}

void es_caption_rare(const es_results *results, const uint32_t *target, size_t count, size_t most,
                     es_buf *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t rare = es_results_rare(results, target[i]);
        if (rare == 0 || found++ >= most)
            continue;
        put_thousands(out, rare);
        es_buf_puts(out, " of ");
        put_thousands(out, results->dim[target[i]]);
        es_buf_printf(out, " columns of %s are active too rarely to count fully\n",
                      es_results_label(results, target[i]));
    }
    put_more_targets(out, found, most);
}

void es_caption_wild(const es_results *results, const uint32_t *target, size_t count, size_t most,
                     es_buf *out) {
    size_t found = 0;
    for (size_t i = 0; es_results_unlimited(results) && i < count; i++) {
        size_t wild = es_results_limited(results, target[i]);
        if (wild == 0 || found++ >= most)
            continue;
        es_buf_puts(out, "warning: ");
        put_thousands(out, wild);
        es_buf_printf(out,
                      " column%s of %s %s values beyond 20 standard deviations, which this preset "
                      "does not limit: single rows may decide the result\n",
                      wild == 1 ? "" : "s", es_results_label(results, target[i]),
                      wild == 1 ? "has" : "have");
    }
    put_more_targets(out, found, most);
}

void es_caption_silent(const es_results *results, const uint32_t *model, size_t count, size_t most,
                       es_buf *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (es_results_silent(results, model[i], model[j]) && found++ < most)
                es_buf_printf(out, "the validation rows do not show that %s predicts %s\n",
                              es_results_label(results, model[i]),
                              es_results_label(results, model[j]));
    if (found > most)
        es_buf_printf(out, "the same holds for %zu more pair%s (--json lists them)\n", found - most,
                      found == most + 1 ? "" : "s");
}

static size_t word_width(const char *word, size_t length) {
    char copy[256];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : 255), word);
    return es_table_out_width(copy);
}

void es_caption_fill(es_buf *buf, const char *text, size_t width) {
    size_t at = 0, indent = strspn(text, " ");
    for (text += indent; *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " "), columns = word_width(text, length);
        if (at > 0 && at + 1 + columns > width) {
            es_buf_putc(buf, '\n');
            at = 0;
        }
        size_t before = at > 0 ? 1 : indent;
        es_buf_printf(buf, "%*s", (int)before, "");
        es_buf_add(buf, text, length);
        at += before + columns;
        text += length;
    }
    es_buf_putc(buf, '\n');
}

void es_caption_wrap(es_buf *out, es_buf *lines, size_t width) {
    es_buf line = {0};
    const char *text = lines->data ? lines->data : "";
    for (size_t length = 0; *text; text += length, text += *text == '\n') {
        length = strcspn(text, "\n");
        es_buf_clear(&line);
        es_buf_add(&line, text, length);
        es_buf_puts(&line, "");
        const char *whole = line.failed ? "" : line.data;
        if (width > 0 && es_table_out_width(whole) > width) {
            es_caption_fill(out, whole, width);
        } else {
            es_buf_puts(out, whole);
            es_buf_puts(out, text[length] == '\n' ? "\n" : "");
        }
    }
    out->failed |= lines->failed || line.failed;
    es_buf_free(&line);
    es_buf_free(lines);
}

size_t es_caption_width(const es_cli *cli) {
    enum { WIDEST = 100 };
    size_t width = es_output_width(cli);
    return width == 0 || width > WIDEST ? WIDEST : width;
}

void es_caption_take(const es_cli *cli, es_buf *text, es_buf *out) {
    es_caption_fill(out, text->data ? text->data : "", es_caption_width(cli));
    es_buf_end(text, out);
}

void es_caption_words(const es_document *d, void (*words)(const es_document *d, es_buf *out),
                      es_buf *out) {
    es_buf text = {0};
    es_buf_putc(out, '\n');
    if (d->cli->capture != NULL || d->cli->sheet != NULL || d->format == ES_FORMAT_HTML)
        return;
    words(d, &text);
    es_caption_take(d->cli, &text, out);
    es_buf_putc(out, '\n');
}
