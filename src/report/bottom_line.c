/* From a decision to sentences (es_decision). What would hold for a new target and what is settled
 * for these targets alone are never said in the same words, and where nothing is settled it says
 * what would settle it: the larger of the two variances in the pairs of the first and those that
 * may be better. */
#include "bottom_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "buf.h"

enum { NAMED = 5 /* in a sentence, at most */, ADVISED = 5 };

void es_bottom_line_free(es_bottom_line *line) {
    if (line == NULL)
        return;
    es_free(line->sentence);
    es_free(line->best_set);
    es_free(line);
}

/* ---- What is said ---- */

/* Of the pairs of the first and those that may be better: does more of the variance come of the
 * families? */
static const char *settled_by(const es_decision *d, const es_bottom_line *line) {
    double rows = 0, families = 0;
    if (line->best_count < 2)
        return d->why_not[ES_SCOPE_NEW] && d->said ? "families" : NULL;
    if (d->delta == NULL)
        return NULL;
    if (d->scope == ES_SCOPE_HERE)
        return "rows";
    for (size_t k = 0; k < line->best_count; k++) {
        size_t cell = line->first * d->m + line->best_set[k];
        rows += isfinite(d->var_rows[cell]) ? d->var_rows[cell] : 0;
        families += isfinite(d->var_families[cell]) ? d->var_families[cell] : 0;
    }
    return rows > families ? "rows" : "families";
}

static void collect(const es_decision *d, es_bottom_line *line) {
    line->first = d->order[0];
    for (size_t k = 0; k < d->scored; k++)
        if (d->best[d->order[k]])
            line->best_set[line->best_count++] = d->order[k];
    line->worse = line->best_set + line->best_count;
    for (size_t k = 0; k < d->scored; k++) {
        size_t i = d->order[k];
        if (!d->best[i] && d->separated[d->scope][line->first * d->m + i])
            line->worse[line->worse_count++] = (uint32_t)i;
    }
}

/* ---- Words ---- */

static void put_names(const es_bottom_line_of *of, const uint32_t *which, size_t n, es_buf *out) {
    size_t said = n <= NAMED + 1 ? n : NAMED;
    for (size_t k = 0; k < said; k++)
        es_buf_printf(out, "%s%s", k == 0 ? "" : k + 1 == n ? " and " : ", ", of->name[which[k]]);
    if (said < n)
        es_buf_printf(out, " and %zu more", n - said);
}

static bool is_control(const es_bottom_line_of *of, size_t i) {
    return of->family && of->family[i] && strcmp(of->family[i], "control") == 0;
}

/* "Clearly worse than A: the other 20." */
static void put_worse(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    size_t rest = of->decision->scored - line->best_count;
    if (rest == 0)
        return;
    if (line->worse_count == rest)
        es_buf_printf(out, " Clearly worse than %s: the other %zu.", of->name[line->first], rest);
    else if (line->worse_count > 0)
        es_buf_printf(out, " Clearly worse than %s: %zu of the other %zu.", of->name[line->first],
                      line->worse_count, rest);
}

static void put_remedy(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    if (line->settled_by == NULL)
        return;
    if (strcmp(line->settled_by, "rows") == 0)
        es_buf_puts(out, " What would settle it: more rows.");
    else
        es_buf_printf(out, " What would settle it: more %s of embedders (%zu now), not more rows.",
                      of->named ? "families" : "communities", of->families);
}

/* Five to try, where there are many more. */
static void put_advice(const es_bottom_line_of *of, es_buf *out) {
    const es_decision *d = of->decision;
    if (d->scored < ADVISED + 3)
        return;
    es_buf_puts(out, " Try the first five: ");
    for (size_t k = 0; k < ADVISED; k++)
        es_buf_printf(out, "%s%s",
                      k == 0             ? ""
                      : k + 1 == ADVISED ? " and "
                                         : ", ",
                      of->name[d->order[k]]);
    es_buf_puts(out, ".");
}

/* "would hold for another target" */
static void say_new(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    const char *first = of->name[line->first];
    double percent = 100 * d->level;
    if (line->best_count == 1) {
        es_buf_printf(out,
                      "Best here: %s. With %.0f %% confidence it would also be the best for a new "
                      "kind of target.",
                      first, percent);
        put_worse(of, line, out);
        return;
    }
    if (2 * line->best_count > d->scored) {
        es_buf_printf(out,
                      "Not settled: %zu of %zu may be the best for a new kind of target; %s "
                      "is the first here.",
                      line->best_count, d->scored, first);
        put_worse(of, line, out);
        put_remedy(of, line, out);
    } else {
        es_buf_printf(out,
                      "Best here: %s. For a new kind of target the best is, with %.0f %% "
                      "confidence, among ",
                      first, percent);
        put_names(of, line->best_set, line->best_count, out);
        es_buf_printf(out, " (%zu of %zu).", line->best_count, d->scored);
        put_worse(of, line, out);
        put_remedy(of, line, out);
    }
    put_advice(of, out);
}

/* "settled for these targets", and why no more is said. */
static void say_here(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    const char *first = of->name[line->first];
    if (line->best_count == 1) {
        es_buf_printf(out, "Best here: %s, settled for these targets.", first);
        put_worse(of, line, out);
    } else if (2 * line->best_count > d->scored) {
        es_buf_printf(out,
                      "Not settled, even for these targets: %zu of %zu may be the best; %s is "
                      "the first.",
                      line->best_count, d->scored, first);
        put_worse(of, line, out);
        put_remedy(of, line, out);
    } else {
        es_buf_printf(out,
                      "Best here: %s. For these targets the best is, with %.0f %% confidence, "
                      "among ",
                      first, 100 * d->level);
        put_names(of, line->best_set, line->best_count, out);
        es_buf_printf(out, " (%zu of %zu).", line->best_count, d->scored);
        put_worse(of, line, out);
        put_remedy(of, line, out);
    }
    es_buf_printf(out,
                  " Of a new kind of target nothing can be said: the embedders are of %zu %s, "
                  "and it takes %d that judge a pair.",
                  of->families, of->named ? "families" : "communities",
                  (int)ES_SEPARATION_FAMILIES);
    put_advice(of, out);
}

/* Nothing is said of how sure it is. */
static void say_order(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    if (d->scored == 2) {
        es_buf_printf(out,
                      "%s has the higher score, but two embedders cannot be compared: no third "
                      "one judges both. Add another embedder.",
                      of->name[line->first]);
        return;
    }
    es_buf_printf(out, "First here: %s. How sure that is cannot be said: ", of->name[line->first]);
    es_buf_printf(out,
                  "no values of rows are known, and the embedders are of %zu %s, where it takes "
                  "%d that judge a pair.",
                  of->families, of->named ? "families" : "communities",
                  (int)ES_SEPARATION_FAMILIES);
    put_advice(of, out);
}

static void put_controls(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t controls = 0;
    for (size_t k = 0; k < d->scored; k++)
        controls += is_control(of, d->order[k]);
    if (controls == d->scored)
        es_buf_puts(out, " All of these are controls (noise, shuffled rows): there is nothing to "
                         "choose.");
    else if (is_control(of, line->first))
        es_buf_printf(out,
                      " But %s is a control (noise, shuffled rows): do not choose by this "
                      "ranking.",
                      of->name[line->first]);
}

static void put_sentence(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    if (of->known < of->of)
        es_buf_printf(out, "Ranking after %zu of %zu pairs%s", of->known, of->of,
                      d->scored > 0 ? ": " : ".");
    else if (of->so_far)
        es_buf_puts(out, "So far: ");
    if (d->scored == 0) {
        if (of->known >= of->of)
            es_buf_puts(out, "No embedder has a score.");
        return;
    }
    if (d->scored == 1)
        es_buf_printf(out, "%s is the only one with a score.", of->name[line->first]);
    else if (!d->said)
        say_order(of, line, out);
    else if (d->scope == ES_SCOPE_NEW)
        say_new(of, line, out);
    else
        say_here(of, line, out);
    put_controls(of, line, out);
}

es_status es_bottom_line_new(const es_bottom_line_of *of, es_bottom_line **out, es_error *err) {
    const es_decision *d = of->decision;
    es_buf text = {0};
    es_bottom_line *line = es_alloc_zero(1, sizeof *line);
    if (line)
        line->best_set = es_alloc(d->m, 2 * sizeof *line->best_set);
    if (!line || !line->best_set) {
        es_bottom_line_free(line);
        return es_no_memory(err);
    }
    line->worse = line->best_set;
    line->first = SIZE_MAX;
    line->level = d->level;
    if (d->scored > 0)
        collect(d, line);
    if (d->scored > 1)
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
