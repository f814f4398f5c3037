/* Names of all data sets in one list, scores and separations carried over to it, and the combined
 * ranking put into words. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_answer.h"

static int by_name(const void *x, const void *y) {
    return es_text_natural_cmp(*(char *const *)x, *(char *const *)y);
}

/* Lists the names of embedders over all data sets. */
static es_status take_names(es_data_sets *x, es_error *err) {
    for (size_t s = 0; s < x->count; s++)
        for (size_t i = 0; i < x->report[s]->results->m; i++) {
            const char *name = x->report[s]->results->name[i];
            bool known = false;
            for (size_t k = 0; k < x->name.count && !known; k++)
                known = strcmp(x->name.word[k], name) == 0;
            ES_PASS(known ? ES_OK : es_words_take(&x->name, es_strdup(name), err));
        }
    qsort(x->name.word, x->name.count, sizeof *x->name.word, by_name);
    x->m = x->name.count;
    return ES_OK;
}

/* The score by which an embedder is compared within a data set; NaN: it has no rank there. A lead
 * is taken as it is. Of other scores those below 0 are equal: nothing is predicted there, and wide
 * embedders only overfit a little more. */
static double as_compared(const es_rank_report *report, size_t at) {
    bool lead = report->decision && report->decision->by_lead;
    if (at == SIZE_MAX || report->ranking->rank[at] == 0)
        return (double)NAN;
    double score = report->ranking->score[at];
    return es_rank_lower_is_better(report->results) ? -score : score < 0 && !lead ? 0 : score;
}

/* Takes the scores of one data set, in the order of names. */
static void take_scores(es_data_sets *x, size_t s) {
    for (size_t k = 0; k < x->m; k++) {
        size_t at = es_results_find(x->report[s]->results, x->name.word[k]);
        x->at[s * x->m + k] = at;
        x->score[s * x->m + k] = as_compared(x->report[s], at);
    }
}

/* True if embedders are not ranked yet, since their pairs are still to be estimated. */
static bool is_unfinished(const es_rank_report *report) {
    return report->compared < report->results->m;
}

/* Who is surely ahead of whom for the targets of a data set; NULL where it cannot say. While pairs
 * are to come it may yet: until then it tells nobody apart. */
static const bool *take_ahead(const es_data_sets *x, size_t s, bool *ahead) {
    const es_decision *d = x->report[s]->decision;
    const size_t *at = x->at + s * x->m;
    if (is_unfinished(x->report[s]))
        return ahead;
    if (d == NULL || d->blocks < 2 || !d->delta)
        return NULL;
    for (size_t a = 0; a < x->m; a++)
        for (size_t b = 0; b < x->m; b++)
            ahead[a * x->m + b] = at[a] != SIZE_MAX && at[b] != SIZE_MAX &&
                                  es_decision_apart_by_rows(d, at[a], at[b]) &&
                                  d->delta[at[a] * d->m + at[b]] > 0;
    return ahead;
}

static bool any_in_two(const es_combined *combined) {
    for (size_t k = 0; k < combined->m; k++)
        if (combined->in[k] > 1)
            return true;
    return false;
}

static bool is_same(const es_results *a, const es_results *b) {
    if (a->m != b->m || a->m == 0)
        return false;
    for (size_t i = 0; i < a->m; i++)
        if (strcmp(a->name[i], b->name[i]) != 0)
            return false;
    return memcmp(a->is, b->is, a->m * a->m * sizeof *a->is) == 0;
}

/* One that was given twice shows nothing about another: statistics of others count it once. */
static void find_repeated(es_data_sets *x) {
    for (size_t s = 1; s < x->count; s++) {
        bool again = false;
        for (size_t t = 0; t < s; t++)
            again = again || is_same(x->report[s]->results, x->report[t]->results);
        x->repeated += again;
    }
    x->combined->said = x->combined->said && x->count - x->repeated >= ES_COMBINE_SETS;
    for (size_t k = 0; k < x->m && !x->combined->said; k++)
        x->combined->best[k] = true;
}

es_status es_data_sets_new(const es_rank_report *const *reports, size_t count, uint64_t seed,
                           es_data_sets **out, es_error *err) {
    es_data_sets *x = es_alloc_zero(1, sizeof *x);
    es_data_set *sets = es_alloc_zero(count, sizeof *sets);
    bool *ahead = NULL;
    es_status st = ES_OK;
    ES_FAIL_IF(!x || !sets, es_no_memory(err));
    x->count = count;
    x->report = reports;
    ES_TRY(take_names(x, err));
    x->at = es_alloc(count * x->m, sizeof *x->at);
    x->score = es_alloc(count * x->m, sizeof *x->score);
    ahead = es_alloc_zero(count * x->m, x->m);
    ES_FAIL_IF(!x->at || !x->score || !ahead, es_no_memory(err));
    for (size_t s = 0; s < count; s++) {
        take_scores(x, s);
        sets[s].score = x->score + s * x->m;
        sets[s].ahead = take_ahead(x, s, ahead + s * x->m * x->m);
    }
    ES_TRY(es_combine(sets, count, x->m, seed, NULL, &x->combined, err));
    ES_FAIL_IF(!any_in_two(x->combined),
               es_fail(err, ES_EEMPTY,
                       "no embedder is in two of the data sets: they are matched "
                       "by name"));
    find_repeated(x);
    *out = x;
    x = NULL;
done:
    es_free(sets);
    es_free(ahead);
    es_data_sets_free(x);
    return st;
}

void es_data_sets_free(es_data_sets *x) {
    if (x == NULL)
        return;
    es_words_deinit(&x->name);
    es_free(x->at);
    es_free(x->score);
    es_combined_free(x->combined);
    es_free(x);
}

const char *const es_within_names[] = {"share", "score", "rank", NULL};

double es_data_sets_within(const es_data_sets *x, size_t set, size_t model, es_within what) {
    size_t at = x->at[set * x->m + model];
    const es_ranking *ranking = x->report[set]->ranking;
    if (at == SIZE_MAX)
        return (double)NAN;
    switch (what) {
    case ES_WITHIN_SCORE:
        return ranking->score[at];
    case ES_WITHIN_RANK:
        return ranking->rank[at] > 0 ? (double)ranking->rank[at] : (double)NAN;
    case ES_WITHIN_SHARE:
        break;
    }
    return x->combined->within[set * x->m + model];
}

/* ---- in words ---- */

static double least_agreement(const es_combined *c) {
    double least = 1;
    for (size_t s = 0; s < c->sets; s++)
        for (size_t t = 0; t < s; t++)
            least = fmin(least, c->agreement[s * c->sets + t]); /* NaN is skipped */
    return least;
}

/* Writes how many candidates there are over all data sets. */
static void say_set(const es_data_sets *x, es_buf *out) {
    const es_combined *c = x->combined;
    size_t best = 0, ranked = 0, named = 0;
    for (size_t k = 0; k < c->m; k++) {
        best += c->best[k];
        ranked += c->rank[k] > 0;
    }
    if (!c->said) {
        es_buf_printf(out, " Of another data set nothing can be said: that takes %d%s.",
                      ES_COMBINE_SETS, x->repeated > 0 ? " that differ" : "");
        return;
    }
    if (best == 1) {
        es_buf_puts(out, " On another data set of this kind it is the best, too, with 95 % "
                         "confidence.");
        return;
    }
    es_buf_puts(out, " On another data set of this kind the best is, with 95 % confidence, among ");
    for (size_t k = 0; k < c->m && named < 6; k++)
        if (c->best[c->order[k]])
            es_buf_printf(out, "%s%s", named++ ? ", " : "", x->name.word[c->order[k]]);
    es_buf_printf(out, "%s (%zu of %zu).", best > named ? " and more" : "", best, ranked);
}

/* Whether it is in enough of the data sets to be said to be the best, or next. */
static bool counts(const es_combined *c, size_t model) {
    return c->rank[model] > 0 && c->in[model] >= c->needed;
}

/* How many share the lead's place. */
static size_t count_first(const es_combined *c) {
    size_t equal = 0;
    for (size_t a = 0; a < c->m; a++)
        equal += counts(c, a) && c->rank[a] == c->rank[c->lead];
    return equal;
}

/* Who comes before the lead and is in too few of the data sets. */
static void say_before(const es_data_sets *x, es_buf *out) {
    const es_combined *c = x->combined;
    size_t before = 0, first = c->order[0];
    for (size_t k = 0; k < c->m; k++)
        before += c->rank[k] > 0 && c->share[k] > c->share[c->lead];
    if (before == 1)
        es_buf_printf(out, " %s comes before %.0f %%, but is in %u of %zu only.",
                      x->name.word[first], 100 * c->share[first], c->in[first], c->sets);
    else if (before > 1)
        es_buf_printf(out, " %s comes before %.0f %%, but is in %u of %zu only; so %s %zu more.",
                      x->name.word[first], 100 * c->share[first], c->in[first], c->sets,
                      before == 2 ? "is" : "are", before - 1);
}

/* "a, b and c": those that share the lead's place. */
static void put_first_names(const es_data_sets *x, size_t equal, es_buf *out) {
    enum { NAMED = 4 };
    const es_combined *c = x->combined;
    size_t named = 0;
    for (size_t k = 0; k < c->m && named < NAMED; k++) {
        size_t a = c->order[k];
        if (!counts(c, a) || c->rank[a] != c->rank[c->lead])
            continue;
        es_buf_printf(out, "%s%s",
                      named == 0           ? ""
                      : named + 1 == equal ? " and "
                                           : ", ",
                      x->name.word[a]);
        named++;
    }
    if (equal > named)
        es_buf_printf(out, " and %zu more", equal - named);
}

/* Who is first, alone or with others of the same share. */
static void say_first(const es_data_sets *x, es_buf *out) {
    const es_combined *c = x->combined;
    size_t first = c->lead, equal = count_first(c);
    char among[64] = "";
    es_buf_printf(out, "Over %zu data sets ", c->sets);
    if (!(c->share[c->order[0]] > 0.5)) {
        es_buf_puts(out, c->telling > 0 ? "no order is shown: they contradict each other."
                                        : "no order is shown: none of them shows a difference.");
        return;
    }
    if (first != c->order[0])
        (void)snprintf(among, sizeof among,
                       c->needed < c->sets ? "of those in %u or more "
                       : c->sets == 2      ? "of those in both "
                                           : "of those in all %u ",
                       c->needed);
    if (equal == 1 && c->telling == 0)
        es_buf_printf(out,
                      "the first %sis %s: its score is before that of %.0f %% of the others, but "
                      "none of them shows a difference.",
                      among, x->name.word[first], 100 * c->share[first]);
    else if (equal == 1)
        es_buf_printf(
            out,
            "the first %sis %s: it comes before %.0f %% of the others, and no other is shown "
            "ahead of it in %u of %u%s.",
            among, x->name.word[first], 100 * c->share[first], c->first[first], c->told[first],
            c->told[first] < c->in[first] ? " that show a difference" : "");
    else {
        es_buf_puts(out, among);
        put_first_names(x, equal, out);
        es_buf_printf(out, " share the first place: each comes before %.0f %% of the others.",
                      100 * c->share[first]);
    }
    say_before(x, out);
}

/* Places within each data set may be by another estimator. */
static void say_estimators(const es_data_sets *x, es_buf *out) {
    const es_results *first = x->report[0]->results;
    for (size_t s = 1; s < x->count; s++) {
        const es_results *r = x->report[s]->results;
        if (!first->estimator || !r->estimator || es_results_alike(first, r))
            continue;
        es_buf_printf(out, " They are not by one estimator: %s %s in one, %s %s in another.",
                      first->estimator->name, es_results_preset(first), r->estimator->name,
                      es_results_preset(r));
        return;
    }
}

/* Lists embedders in too few of the data sets that do not come before the lead. */
static void say_skipped(const es_data_sets *x, es_buf *out) {
    const es_combined *c = x->combined;
    size_t passed = 0, one = 0;
    for (size_t k = c->m; k-- > 0;)
        if (c->rank[c->order[k]] > 0 && !counts(c, c->order[k]) &&
            !(c->share[c->order[k]] > c->share[c->lead])) {
            passed++;
            one = c->order[k];
        }
    if (passed == 1)
        es_buf_printf(out, " %s is ranked but not named here: it is in %u of %zu only.",
                      x->name.word[one], c->in[one], c->sets);
    else if (passed > 1)
        es_buf_printf(
            out,
            " %s and %zu more are ranked but not named here: they are in fewer than %u of the %zu.",
            x->name.word[one], passed - 1, c->needed, c->sets);
}

void es_data_sets_say(const es_data_sets *x, es_buf *out) {
    const es_combined *c = x->combined;
    size_t named = 0;
    double least = least_agreement(c);
    if (c->rank[c->order[0]] == 0)
        return;
    say_first(x, out);
    if (!(c->share[c->order[0]] > 0.5))
        return;
    for (size_t k = 0; k < c->m && named < 4; k++)
        if (counts(c, c->order[k]) && c->rank[c->order[k]] > c->rank[c->lead])
            es_buf_printf(out, "%s%s (%.0f %%)", named++ ? ", " : " Then ",
                          x->name.word[c->order[k]], 100 * c->share[c->order[k]]);
    es_buf_puts(out, named ? "." : "");
    say_skipped(x, out);
    if (x->repeated > 0)
        es_buf_printf(out, " %zu of the data sets repeat%s another one, number for number.",
                      x->repeated, x->repeated == 1 ? "s" : "");
    say_set(x, out);
    say_estimators(x, out);
    if (least < 0.5)
        es_buf_printf(out,
                      " The data sets do not agree (Spearman of every two: %.2f at the least): "
                      "look at each.",
                      least);
}

void es_data_sets_say_unfinished(const es_data_sets *x, const char *const *name, es_buf *out) {
    for (size_t k = 0; k < x->count; k++) {
        const es_results *r = x->report[k]->results;
        if (is_unfinished(x->report[k]))
            es_buf_printf(out, " %s is not estimated to the end: %zu of %zu pairs are known.",
                          name[k], r->done, r->m * r->m);
    }
}
