/* The sentences of the answer. What holds with other reference embedders and what
 * holds for these alone are never said in the same words. */
#include "report_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 5 /* in a sentence, at most */, ADVISED = 5 };

void es_bottom_line_free(es_bottom_line *line) {
    if (line == NULL)
        return;
    es_free(line->sentence);
    es_free(line->best_set);
    es_free(line);
}

/* ---- Facts ---- */

/* Lists the candidates and the unrelated embedders of a decision. */
static void collect_candidates(const es_decision *d, es_bottom_line *line) {
    for (size_t i = 0; i < d->m; i++)
        if (d->standing[i] == ES_STANDING_UNRELATED)
            line->unrelated[line->unrelated_count++] = (uint32_t)i;
    if (!d->said || d->scored == 0)
        return;
    line->first = d->order[0];
    for (size_t k = 0; k < d->scored; k++)
        if (d->best[d->order[k]] && d->first[d->order[k]] == d->order[k])
            line->best_set[line->best_count++] = d->order[k];
    line->advised = line->best_count < ADVISED ? line->best_count : ADVISED;
}

static const char *settled_by(const es_decision *d, const es_bottom_line *line) {
    if (!d->by_lead || d->voters < 2 || d->groups || !d->related || line->best_count == 1)
        return NULL;
    return d->said && es_decision_by_rows(d) ? "rows" : "kinds";
}

size_t es_bottom_line_width_rank(const es_decision *d, const double *width, size_t i) {
    size_t rank = 1;
    if (width == NULL || !isfinite(width[i]) || d->ranking->rank[i] == 0)
        return 0;
    for (size_t k = 0; k < d->scored; k++)
        rank += d->first[d->order[k]] == d->order[k] && width[d->order[k]] > width[i];
    return rank;
}

/* ---- Words ---- */

/* What follows is a statement of its own. */
static void begin(es_bottom_line *line, es_statement kind, es_buf *out) {
    if (out->length == 0) {
        line->kind[0] = kind;
        return;
    }
    if (line->statements + 1 < ES_BOTTOM_STATEMENTS) { /* the last end is the text's */
        line->end[line->statements++] = out->length;
        line->kind[line->statements] = kind;
    }
    es_buf_puts(out, " ");
}

static const char *name_of(const es_bottom_line_of *of, size_t at) {
    bool plain = of->results && of->name == (const char *const *)of->results->name;
    return plain ? es_results_label(of->results, at) : of->name[at];
}

static void put_names(const es_bottom_line_of *of, const uint32_t *which, size_t n,
                      const char *last, es_buf *out) {
    const char *name[NAMED];
    for (size_t k = 0; k < n && k < NAMED; k++)
        name[k] = name_of(of, which[k]);
    es_buf_list(out, name, n, NAMED, last);
}

/* "1,260". */
static void put_count(size_t n, es_buf *out) {
    if (n >= 1000)
        es_buf_printf(out, "%zu,%03zu", n / 1000, n % 1000);
    else
        es_buf_printf(out, "%zu", n);
}

static const char *ordinal(size_t n) {
    return n % 100 / 10 == 1 ? "th"
           : n % 10 == 1     ? "st"
           : n % 10 == 2     ? "nd"
           : n % 10 == 3     ? "rd"
                             : "th";
}

void es_bottom_line_put_parts(const es_bottom_line_of *of, size_t i, es_buf *out) {
    const es_decision *d = of->decision;
    size_t by_width = es_bottom_line_width_rank(d, of->width, i);
    size_t dim = of->results ? of->results->dim_used[i] : 0;
    if (!d->by_lead || d->information_rank[i] == 0)
        return;
    es_buf_printf(out, "%s: %u%s by information", name_of(of, i), d->information_rank[i],
                  ordinal(d->information_rank[i]));
    if (by_width > 0) {
        es_buf_printf(out, ", %zu%s by width (%.0f", by_width, ordinal(by_width), of->width[i]);
        bool one = of->width[i] >= 0.5 && of->width[i] < 1.5;
        if (dim > 0)
            es_buf_printf(out, " of its %zu dimension%s", dim, dim == 1 ? "" : "s");
        else
            es_buf_printf(out, " dimension%s", one ? "" : "s");
        es_buf_printf(out, " %s shared with other kinds)", one ? "is" : "are");
    }
    es_buf_puts(out, ".");
}

/* More columns than fitting rows: a bias that no interval holds. */
static bool is_narrow(const es_bottom_line_of *of, size_t i) {
    const es_results *r = of->results;
    return r && r->n_fit > 0 && r->dim_used[i] > r->n_fit;
}

/* "A leads B by .021", or that they are level. */
static void put_lead(const char *one, const char *two, double difference, es_buf *out) {
    if (difference > 0)
        es_buf_printf(out, "%s leads %s by %.3f", one, two, difference);
    else
        es_buf_printf(out, "%s and %s are level", one, two);
}

/* Two embedders of a decision that names a set. */
static void put_said_pair(const es_decision *d, size_t cell, const char *one, const char *two,
                          bool ahead, es_buf *out) {
    double margin = es_decision_margin(d, cell / d->m, cell % d->m);
    double difference = fabs(d->delta[cell]);
    if (ahead)
        es_buf_printf(out, "%s is ahead of %s by %.3f", one, two, difference);
    else {
        es_buf_puts(out, "No difference is shown: ");
        put_lead(one, two, difference, out);
    }
    if (isfinite(margin))
        es_buf_printf(out, " ± %.3f", margin);
    es_buf_printf(out, " with %u kind%s as reference.", d->comparing[cell],
                  d->comparing[cell] == 1 ? "" : "s");
}

/* Why a decision names no set. */
static void put_why_no_more(const es_bottom_line_of *of, es_buf *out) {
    if (of->known < of->of)
        es_buf_printf(out,
                      ". More can be said after all pairs are estimated (%zu of %zu are known).",
                      of->known, of->of);
    else if (of->decision->groups)
        es_buf_puts(out, ". With groups that share nothing no more can be said.");
    else
        es_buf_printf(out, ". Too few kinds of embedders to say more (%zu; %d are needed).",
                      of->decision->judging, (int)ES_LEAD_KINDS);
}

void es_bottom_line_put_pair(const es_bottom_line_of *of, size_t a, size_t b, es_buf *out) {
    const es_decision *d = of->decision;
    size_t cell = a * d->m + b;
    bool turned = d->delta && d->delta[cell] < 0;
    const char *one = name_of(of, turned ? b : a), *two = name_of(of, turned ? a : b);
    if (!d->by_lead || !d->delta) {
        es_buf_printf(out, "The %s does not show which of the two is ahead.", of->score);
        return;
    }
    if (!isfinite(d->delta[cell])) {
        es_buf_printf(out, "No reference embedder compares %s with %s.", one, two);
        return;
    }
    bool ahead = d->ahead[turned ? b * d->m + a : cell];
    if (d->said)
        put_said_pair(d, cell, one, two, ahead, out);
    else {
        es_buf_puts(out, "Among these, ");
        put_lead(one, two, fabs(d->delta[cell]), out);
        put_why_no_more(of, out);
    }
    if (!ahead && !is_narrow(of, a) && !is_narrow(of, b) && es_decision_apart_by_rows(d, a, b))
        es_buf_puts(out, " More rows would not change their order among these kinds.");
}

/* ---- Warnings ---- */

/* Of an unrelated embedder's group, the members; alone: itself. */
static size_t group_size(const es_decision *d, uint32_t component) {
    size_t size = 0;
    for (size_t i = 0; i < d->m; i++)
        size += d->component[i] == component;
    return size;
}

/* The length of a name before the number that it ends with, and what joins the two; 0: there is
 * none. */
static size_t stem_of(const char *name) {
    size_t end = strlen(name), at = end;
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
        at--;
    return at < end && at > 1 && strchr("-_.", name[at - 1]) ? at : 0;
}

/* True if the names end in group numbers, as NAME_0 and NAME_1. */
static bool are_parts(const es_bottom_line_of *of) {
    const es_decision *d = of->decision;
    for (size_t i = 0; i < d->m; i++) {
        const char *name = name_of(of, i);
        size_t stem = stem_of(name), others = 0;
        if (group_size(d, d->component[i]) < 2)
            continue;
        for (size_t j = 0; j < d->m; j++) {
            const char *other = name_of(of, j);
            size_t own = stem_of(other);
            bool together = d->component[i] == d->component[j];
            if (j == i || group_size(d, d->component[j]) < 2)
                continue;
            if (own == 0 || stem == 0 || (strcmp(name + stem, other + own) == 0) != together)
                return false;
            others += !together && own == stem && strncmp(name, other, stem) == 0;
        }
        if (others == 0)
            return false;
    }
    return d->components > 1;
}

/* With the line that joins those of the first name. */
static void put_join(const es_bottom_line_of *of, es_buf *out) {
    size_t first = 0, count = 0;
    while (group_size(of->decision, of->decision->component[first]) < 2)
        first++;
    const char *name = name_of(of, first);
    size_t stem = stem_of(name);
    es_buf_printf(out,
                  " By their names they are parts of one matrix each: join them, "
                  "np.save('%.*s.npy', np.concatenate([",
                  (int)stem - 1, name);
    for (size_t i = first; i < of->decision->m; i++)
        if (stem_of(name_of(of, i)) == stem && strncmp(name_of(of, i), name, stem) == 0)
            es_buf_printf(out, "%snp.load('%s.npy')", count++ > 0 ? ", " : "", name_of(of, i));
    es_buf_puts(out, "])).");
}

/* Of two groups of one size nothing but their names decides which is ranked. */
static void put_level_group(const es_bottom_line_of *of, es_buf *out) {
    enum { LEAST = 3, LISTED = 12 };
    const es_decision *d = of->decision;
    size_t size = group_size(d, 0), put = 0;
    uint32_t c = 1;
    while (c < d->components && group_size(d, c) < size)
        c++;
    if (c == d->components || size < LEAST)
        return;
    es_buf_puts(out, " The groups are of one size, and the first is ranked");
    if (size <= LISTED)
        es_buf_puts(out, "; for the other: --models ");
    for (size_t i = 0; size <= LISTED && i < d->m; i++)
        if (d->component[i] == c)
            es_buf_printf(out, "%s%s", put++ > 0 ? "," : "", of->name[i]);
    es_buf_puts(out, ".");
}

static void put_groups(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    uint32_t *members = line->best_set; /* empty here */
    begin(line, ES_STATEMENT_WARNING, out);
    for (uint32_t c = 1, put = 0; c < d->components; c++) {
        size_t n = 0;
        if (group_size(d, c) < 2)
            continue;
        for (size_t i = 0; i < d->m; i++)
            if (d->component[i] == c)
                members[n++] = (uint32_t)i;
        if (put++ > 0)
            es_buf_puts(out, " The same holds for ");
        put_names(of, members, n, " and ", out);
        es_buf_puts(out, put == 1 ? " predict nothing of the other embedders, and are predicted by "
                                    "none of them."
                                  : ".");
    }
    if (are_parts(of)) {
        put_join(of, out);
    } else {
        es_buf_puts(out, " Their rows may be in another order, or of other texts.");
        put_level_group(of, out);
    }
}

static void put_strangers(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t n = 0;
    uint32_t *alone = line->unrelated + d->m;
    for (size_t k = 0; k < line->unrelated_count; k++)
        if (!d->groups || group_size(d, d->component[line->unrelated[k]]) < 2)
            alone[n++] = line->unrelated[k];
    if (n == 0)
        return;
    begin(line, ES_STATEMENT_WARNING, out);
    put_names(of, alone, n, " and ", out);
    es_buf_printf(out, " %s nothing with the others: not ranked, no vote. %s in the same order?",
                  n == 1 ? "shares" : "share", n == 1 ? "Are its rows" : "Are their rows");
}

/* Rows that belong to other items from some row on, or in a stretch. */
static void put_steps(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t rows = of->results ? of->results->n_eval : 0;
    for (size_t k = 0; k < d->n_steps && k < NAMED; k++) {
        const es_stretch *x = &d->steps[k];
        const uint32_t *row = of->results ? of->results->row : NULL;
        size_t from = row ? row[x->from] : x->from, last = row ? row[x->to - 1] : x->to - 1;
        begin(line, ES_STATEMENT_WARNING, out);
        es_buf_printf(out, "The rows of %s may be out of step ", name_of(of, x->embedder));
        if (x->to == rows)
            es_buf_printf(out, "from row %zu on", from);
        else if (x->from == 0)
            es_buf_printf(out, "up to row %zu", last);
        else
            es_buf_printf(out, "from row %zu to row %zu", from, last);
        es_buf_printf(out, ": there it predicts nothing of %s others, nor they of it.",
                      x->alike > 0 ? "most" : "the");
    }
}

/* Of pairs that have failed, or that a file lacks. */
static void put_missing(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t known = 0, all = 0, unknown = 0;
    for (size_t k = 0; k < d->scored; k++) {
        known += d->ranking->pairs[d->order[k]];
        all += d->ranking->of[d->order[k]];
    }
    for (size_t i = 0; i < d->m; i++)
        unknown +=
            d->standing[i] == ES_STANDING_UNKNOWN ||
            (d->standing[i] == ES_STANDING_RANKED && d->scored > 0 && d->ranking->rank[i] == 0);
    if (unknown > 0) {
        begin(line, ES_STATEMENT_WARNING, out);
        es_buf_printf(out, "%zu of %zu embedders %s no score.", unknown, d->m,
                      unknown == 1 ? "has" : "have");
    }
    if (known == all)
        return;
    begin(line, ES_STATEMENT_WARNING, out);
    es_buf_printf(out,
                  "%zu of %zu pairs %s no value: not all embedders are compared by the same "
                  "reference embedders.",
                  all - known, all, all - known == 1 ? "has" : "have");
}

/* Ranked embedders that no reference embedder compares, as named families can leave them. */
static void put_uncompared(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t pairs = 0, all = 0;
    for (size_t k = 0; k < d->scored; k++)
        for (size_t l = 0; l < k; l++) {
            size_t a = d->order[k], b = d->order[l];
            bool copies = d->first[a] == d->first[b];
            all += !copies;
            pairs += !copies && d->comparing[a * d->m + b] == 0;
        }
    if (pairs == 0)
        return;
    begin(line, ES_STATEMENT_WARNING, out);
    es_buf_printf(out,
                  "%zu of %zu pairs of embedders are not compared: every reference embedder is of "
                  "the kind or the family of one of the two.",
                  pairs, all);
}

/* Values without those of their rows, as damage leaves them. */
static void put_bare(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    if (d->blocks > 0 || d->bare == 0)
        return;
    begin(line, ES_STATEMENT_WARNING, out);
    es_buf_printf(
        out,
        "The error from sampling rows is not included: %zu of %zu pairs %s stored without "
        "values of single rows. `embedscope estimate` computes %s again.",
        d->bare, d->voting, d->bare == 1 ? "is" : "are", d->bare == 1 ? "it" : "them");
}

/* Bytes of a finding up to its first semicolon, or to a colon before it that ends a clause. */
static size_t finding_length(const char *text) {
    size_t length = strcspn(text, ";");
    for (size_t k = length; k-- > 0;)
        if (text[k] == ':' && text[k + 1] == ' ' && memchr(text, ' ', k))
            length = k;
    return length;
}

static void put_grave(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    for (size_t i = 0; of->grave && i < of->grave->count; i++) {
        const char *text = of->grave->word[i];
        begin(line, ES_STATEMENT_WARNING, out);
        es_buf_printf(out, "%s %.*s.", i == 0 ? "But" : "Also,", (int)finding_length(text), text);
    }
}

/* ---- The answer ---- */

static void put_advice(const es_bottom_line_of *of, es_bottom_line *line, bool open, es_buf *out) {
    begin(line, ES_STATEMENT_ADVICE, out);
    es_buf_puts(out, "Try ");
    put_names(of, line->best_set, line->advised, ", ", out);
    es_buf_puts(out, open ? " first." : ".");
}

static void put_narrow(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_results *r = of->results;
    size_t wide = 0, last = 0;
    for (size_t k = 0; k < line->best_count; k++)
        if (is_narrow(of, line->best_set[k])) {
            last = line->best_set[k];
            wide++;
        }
    if (wide == 0)
        return;
    begin(line, ES_STATEMENT_NARROW, out);
    if (wide == 1)
        es_buf_printf(out, "%s has", name_of(of, last));
    else
        es_buf_printf(out, "%zu candidates have", wide);
    es_buf_puts(out, " more columns than fitting rows (");
    put_count(r->n_fit, out);
    es_buf_puts(out, "): more rows may change the order.");
}

static void put_remedy(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    if (line->settled_by == NULL)
        return;
    begin(line, ES_STATEMENT_NARROW, out);
    if (strcmp(line->settled_by, "rows") == 0)
        es_buf_puts(out, "More rows would narrow it.");
    else
        es_buf_printf(out, "More kinds of embedders would narrow it (%zu now).",
                      of->decision->judging);
}

static void put_reference(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    begin(line, ES_STATEMENT_REST, out);
    es_buf_printf(
        out,
        "Reference: %zu kinds of embedders, assumed independent of each other. Your tasks "
        "were not tested.",
        of->decision->judging);
}

/* The copies of one embedder. */
static void put_copies_of(const es_bottom_line_of *of, size_t first, uint32_t *copy, es_buf *out) {
    static const char *const votes[] = {"", "both", "all three", "all four", "all five"};
    const es_decision *d = of->decision;
    size_t n = 0;
    for (size_t i = 0; i < d->m; i++)
        if (d->first[i] == first && i != first)
            copy[n++] = (uint32_t)i;
    put_names(of, copy, n, " and ", out);
    es_buf_printf(out, n == 1 ? " is a linear copy of %s" : " are linear copies of %s",
                  name_of(of, first));
    es_buf_printf(out, ": one vote for %s.", n <= 4 ? votes[n] : "all of them");
}

/* Of at most five embedders. */
static void put_copies(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t put = 0, more = 0;
    for (size_t first = 0; first < d->m; first++) {
        size_t copies = 0;
        for (size_t i = 0; i < d->m; i++)
            copies += i != first && d->first[i] == first;
        if (copies > 0 && put < NAMED) {
            if (put++ == 0)
                begin(line, ES_STATEMENT_REST, out);
            else
                es_buf_puts(out, " ");
            put_copies_of(of, first, line->unrelated + d->m, out);
        } else
            more += copies;
    }
    if (more > 0)
        es_buf_printf(out, " There %s %zu more %s.", more == 1 ? "is" : "are", more,
                      more == 1 ? "copy" : "copies");
}

static void put_parts(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t first = d->order[0];
    if (d->information_rank[first] == 0)
        return;
    begin(line, ES_STATEMENT_REST, out);
    es_bottom_line_put_parts(of, first, out);
    if (d->information_rank[first] > 3)
        es_buf_puts(out, " Its lead comes from its width.");
}

/* True if some candidate is ahead of each of the others. */
static bool are_behind_candidates(const es_decision *d) {
    for (size_t j = 0; j < d->m; j++) {
        bool behind = d->ranking->rank[j] == 0 || d->best[j];
        for (size_t k = 0; k < d->m && !behind; k++)
            behind = d->best[k] && d->ahead[k * d->m + j];
        if (!behind)
            return false;
    }
    return true;
}

static void put_rest(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    size_t rest = of->decision->counted - line->best_count;
    begin(line, ES_STATEMENT_REST, out);
    if (!are_behind_candidates(of->decision))
        es_buf_printf(out, "Each of the other %zu is clearly behind another embedder.", rest);
    else if (line->best_count == 1)
        es_buf_printf(out, "The other %zu are clearly behind %s.", rest, name_of(of, line->first));
    else
        es_buf_printf(out, "The other %zu are clearly behind at least one of these.", rest);
}

/* The candidates are at most half of the ranked. */
static void say_set(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    begin(line, ES_STATEMENT_FIRST, out);
    es_buf_printf(out, "Best of these: %s.", name_of(of, line->first));
    begin(line, ES_STATEMENT_SET, out);
    es_buf_printf(out,
                  "With other kinds of embedders as reference the best would be, with %.0f %% "
                  "confidence, ",
                  100 * d->level);
    put_names(of, line->best_set, line->best_count, " or ", out);
    es_buf_printf(out, " (%zu of %zu).", line->best_count, d->counted);
    put_advice(of, line, false, out);
    put_rest(of, line, out);
}

static void say_open(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    begin(line, ES_STATEMENT_FIRST, out);
    if (line->best_count == of->decision->counted)
        es_buf_printf(out, "Not settled: any of the %zu could be the best.", line->best_count);
    else
        es_buf_printf(out, "Not settled: any of %zu (of %zu) could be the best.", line->best_count,
                      of->decision->counted);
    put_advice(of, line, true, out);
    put_remedy(of, line, out);
}

/* Which predict most, of a ranking that is of these alone. */
static void put_order(const es_bottom_line_of *of, const char *where, es_buf *out) {
    const es_decision *d = of->decision;
    uint32_t then[2];
    size_t n = 0;
    for (size_t k = 1; k < d->scored && n < 2; k++)
        if (d->first[d->order[k]] == d->order[k])
            then[n++] = d->order[k];
    es_buf_printf(out, "%s %s predicts most of the others", where, name_of(of, d->order[0]));
    es_buf_puts(out, n > 0 ? ", then " : "");
    put_names(of, then, n, " and ", out);
    es_buf_puts(out, ".");
}

static void say_few(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    begin(line, ES_STATEMENT_FIRST, out);
    es_buf_printf(out, "Too few different embedders to generalise (%zu kind%s; %d are needed). ",
                  d->judging, d->judging == 1 ? "" : "s", (int)ES_LEAD_KINDS);
    put_order(of, "Among these,", out);
}

/* Groups share nothing: the largest is ranked for itself. */
static void say_group(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    if (d->scored == 0)
        return;
    begin(line, ES_STATEMENT_FIRST, out);
    put_order(of, "Among the rest,", out);
}

static bool is_one_family(const es_decision *d) {
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < d->m; i++) {
        if (d->standing[i] != ES_STANDING_RANKED)
            continue;
        first = first == SIZE_MAX ? i : first;
        if (d->family[i] != d->family[first])
            return false;
    }
    return first != SIZE_MAX;
}

/* Nothing is ranked, and why. */
static void say_none(const es_bottom_line_of *of, es_buf *out) {
    const es_decision *d = of->decision;
    size_t controls = 0, known = 0, usable;
    for (size_t i = 0; i < d->m; i++) {
        controls += d->standing[i] == ES_STANDING_CONTROL;
        known += d->standing[i] != ES_STANDING_UNKNOWN;
    }
    usable = d->m - controls;
    if (usable == 0 && controls == 2)
        es_buf_puts(out, "Both are controls (noise, shuffled rows): there is nothing to rank.");
    else if (usable == 0)
        es_buf_printf(out, "All %zu are controls (noise, shuffled rows): there is nothing to rank.",
                      controls);
    else if (usable == 1)
        es_buf_puts(out, "One embedder: at least two more are needed to rank.");
    else if (known > controls && !d->related)
        es_buf_puts(out,
                    "No embedder predicts anything of another on these rows, so nothing can be "
                    "ranked. Are the rows in the same order?");
    else if (d->voters == 1)
        es_buf_puts(out, "All are linear copies of each other: there is nothing to rank.");
    else if (d->voters == 2 && usable == 2)
        es_buf_puts(out, "Two embedders: a third is needed to rank. Compare shows the two side by "
                         "side.");
    else if (d->voters == 2)
        es_buf_puts(out, "Only two different embedders are related: a third is needed to rank.");
    else if (is_one_family(d))
        es_buf_puts(out, "All are of one named family, and a family does not compare its own: an "
                         "embedder of another family is needed to rank.");
    else
        es_buf_puts(out, "No embedder has a score.");
}

static void say_lead(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    if (d->groups) {
        put_groups(of, line, out);
        say_group(of, line, out);
    } else if (d->scored == 0) {
        begin(line, ES_STATEMENT_FIRST, out);
        say_none(of, out);
        if (d->related && d->known > 0) {
            put_strangers(of, line, out);
            put_copies(of, line, out);
            put_missing(of, line, out);
        }
        return;
    } else if (!d->said)
        say_few(of, line, out);
    else {
        (2 * line->best_count <= d->counted ? say_set : say_open)(of, line, out);
        put_narrow(of, line, out);
    }
    put_strangers(of, line, out);
    put_steps(of, line, out);
    put_missing(of, line, out);
    put_uncompared(of, line, out);
    put_bare(of, line, out);
    if (d->scored == 0)
        return;
    put_copies(of, line, out);
    put_parts(of, line, out);
    if (d->said)
        put_reference(of, line, out);
}

/* No embedder has a score: no target is left if all are of one family. */
static void say_no_score(const es_decision *d, es_buf *out) {
    size_t targets = 0;
    for (size_t i = 0; i < d->m; i++)
        targets += d->ranking->of[i];
    es_buf_puts(out, "No embedder has a score");
    if (targets == 0 && d->m > 1)
        es_buf_puts(out, ": all are of one family, and --leave-family-out takes targets of other "
                         "families alone");
    es_buf_puts(out, ".");
}

/* How many at the front of the ranking have exactly the same score. */
static size_t count_first(const es_decision *d) {
    size_t k = 1;
    while (k < d->scored && d->ranking->rank[d->order[k]] == d->ranking->rank[d->order[0]])
        k++;
    return k;
}

/* "a is first", or "a, b and 2 more are first with equal scores". */
static void put_first(const es_bottom_line_of *of, const char *so_far, es_buf *out) {
    const es_decision *d = of->decision;
    size_t first = count_first(d);
    es_buf_puts(out, name_of(of, d->order[0]));
    if (first > 2)
        es_buf_printf(out, ", %s and %zu more", name_of(of, d->order[1]), first - 2);
    else if (first == 2)
        es_buf_printf(out, " and %s", name_of(of, d->order[1]));
    es_buf_printf(out, "%s first%s%s", first > 1 ? " are" : " is", so_far,
                  first > 1 ? " with equal scores" : "");
}

/* A ranking by another score has no best. */
static void say_other(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    begin(line, ES_STATEMENT_FIRST, out);
    if (d->scored == 0) {
        say_no_score(d, out);
        return;
    }
    es_buf_printf(out, "By the %s, ", of->score);
    put_first(of, "", out);
    if (d->scored > 2 && count_first(d) == 1)
        es_buf_printf(out, ", then %s and %s", name_of(of, d->order[1]), name_of(of, d->order[2]));
    es_buf_puts(out, ".");
    begin(line, ES_STATEMENT_NARROW, out);
    es_buf_puts(out, of->default_known
                         ? "This score does not say which is the best. The default score does: "
                           "leave out --score and --estimator."
                         : "This score does not say which is the best. `embedscope estimate` adds "
                           "the default score within seconds.");
    if (d->groups)
        put_groups(of, line, out);
    put_strangers(of, line, out);
    put_missing(of, line, out);
}

/* While pairs are missing: the first of those that are ranked. The others may be better. */
static void say_partial(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t failed = of->results ? of->results->failed : 0;
    begin(line, ES_STATEMENT_FIRST, out);
    es_buf_printf(out, "Ranking after %zu of %zu pairs", of->known - failed, of->of);
    if (failed > 0)
        es_buf_printf(out, " (%zu failed)", failed);
    if (d->scored == 0)
        es_buf_puts(out, ": no embedder is ranked yet.");
    else {
        es_buf_puts(out, ": ");
        put_first(of, " so far", out);
        es_buf_printf(out, ", of %zu ranked.", d->scored);
    }
}

static void put_sentence(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    if (of->known < of->of)
        say_partial(of, line, out);
    else if (of->decision->by_lead)
        say_lead(of, line, out);
    else
        say_other(of, line, out);
    put_grave(of, line, out);
    line->end[line->statements++] = out->length;
}

es_status es_bottom_line_new(const es_bottom_line_of *of, es_bottom_line **out, es_error *err) {
    const es_decision *d = of->decision;
    es_buf text = {0};
    es_bottom_line *line = es_alloc_zero(1, sizeof *line);
    if (line)
        line->best_set = es_alloc(d->m + 1, 3 * sizeof *line->best_set);
    if (!line || !line->best_set) {
        es_bottom_line_free(line);
        return es_no_memory(err);
    }
    line->unrelated = line->best_set + d->m;
    line->first = SIZE_MAX;
    line->level = d->level;
    collect_candidates(d, line);
    line->settled_by = settled_by(d, line);
    put_sentence(of, line, &text);
    es_status st = es_buf_check(&text, err);
    line->sentence = text.data;
    if (st == ES_OK)
        *out = line;
    else
        es_bottom_line_free(line);
    return st;
}
