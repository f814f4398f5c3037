/* From a decision to sentences (es_decision). What would hold for a new target and what is settled
 * for these targets alone are never said in the same words, and where nothing is settled it says
 * what would settle it: the larger of the two variances in the pairs of the first and those that
 * may be better. */
#include "bottom_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "control.h"
#include "separation.h"
#include "embedscope/communities.h"
#include "buf.h"
#include "results_rank.h"

enum { NAMED = 5 /* in a sentence, at most */, ADVISED = 5, FEW = 100 /* evaluated rows */ };

void es_bottom_line_free(es_bottom_line *line) {
    if (line == NULL)
        return;
    es_free(line->sentence);
    es_free(line->best_set);
    es_free(line);
}

/* ---- What is said ---- */

/* By medians it is not known what would tell two apart; but copies nothing does. */
static bool is_alike(const es_decision *d, const es_bottom_line *line, uint32_t other) {
    const double *score = d->ranking ? d->ranking->score : NULL;
    es_settling s = es_decision_settling(d, line->first, other);
    if (d->delta)
        return isinf(s.rows) && !isfinite(s.families);
    return score && other != line->first &&
           fabs(score[line->first] - score[other]) <= 2 * ES_SEPARATION_ROUNDING;
}

static size_t count_alike(const es_decision *d, const es_bottom_line *line) {
    size_t alike = 0;
    for (size_t k = 0; k < line->best_count; k++)
        alike += is_alike(d, line, line->best_set[k]);
    return alike;
}

/* Two have a score, and no target judges them both. */
static bool has_no_judge(const es_bottom_line_of *of) {
    const es_decision *d = of->decision;
    if (d->scored != 2 || of->results == NULL)
        return d->scored == 2 && d->m == 2;
    const double *one = of->results->is + d->order[0] * d->m,
                 *two = of->results->is + d->order[1] * d->m;
    for (size_t t = 0; t < d->m; t++)
        if (t != d->order[0] && t != d->order[1] && isfinite(one[t]) && isfinite(two[t]))
            return false;
    return true;
}

/* Of the pairs of the first and those that may be better: does more of the variance come of the
 * families? */
static const char *settled_by(const es_bottom_line_of *of, const es_bottom_line *line) {
    const es_decision *d = of->decision;
    double rows = 0, families = 0;
    if (!d->said || has_no_judge(of))
        return NULL;
    if (line->best_count < 2)
        return d->why_not[ES_SCOPE_NEW] ? "families" : NULL;
    if (line->too_close || line->ahead_count + 1 == line->best_count) /* these are told apart */
        return NULL;
    if (d->scope == ES_SCOPE_HERE)
        return "rows";
    if (d->delta == NULL)
        return NULL;
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
        if (!d->best[i] && es_decision_ahead(d, d->scope, line->first, i))
            line->worse[line->worse_count++] = (uint32_t)i;
        if (es_decision_ahead(d, d->scope, i, line->first))
            line->ahead[line->ahead_count++] = (uint32_t)i;
    }
}

/* ---- Words ---- */

/* What follows is a statement of its own. */
static void next(es_bottom_line *line, es_statement kind, es_buf *out) {
    if (line->statements + 1 < ES_BOTTOM_STATEMENTS) { /* the last end is the text's */
        line->end[line->statements++] = out->length;
        line->kind[line->statements] = kind;
    }
    es_buf_puts(out, " ");
}

/* As a reader sees it; derived ones are marked, by whoever gives names or here. */
static const char *name_of(const es_bottom_line_of *of, size_t at) {
    bool plain = of->results && of->name == (const char *const *)of->results->name;
    return plain ? es_results_label(of->results, at) : of->name[at];
}

static void put_names(const es_bottom_line_of *of, const uint32_t *which, size_t n, es_buf *out) {
    size_t said = n <= NAMED + 1 ? n : NAMED;
    for (size_t k = 0; k < said; k++)
        es_buf_printf(out, "%s%s",
                      k == 0       ? ""
                      : k + 1 == n ? " and "
                                   : ", ",
                      name_of(of, which[k]));
    if (said < n)
        es_buf_printf(out, " and %zu more", n - said);
}

static bool is_control(const es_bottom_line_of *of, size_t i) {
    return of->family && es_is_control(of->family[i]);
}

/* "But over the targets that judge both B and C are ahead of it." Each is judged by all others, so
 * the first may be so for want of the one target that nobody reaches: itself. */
static void put_ahead(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    if (line->ahead_count == 0)
        return;
    next(line, ES_STATEMENT_FIRST, out);
    es_buf_puts(out, "But over the targets that judge both, ");
    put_names(of, line->ahead, line->ahead_count, out);
    es_buf_printf(out, " %s surely ahead of %s.", line->ahead_count == 1 ? "is" : "are",
                  name_of(of, line->first));
}

/* Who is first: "Best here: A". The statement goes on. */
static void put_first(const es_bottom_line_of *of, const es_bottom_line *line, const char *as,
                      es_buf *out) {
    es_buf_printf(out, "%s %s: %s", as, of->so_far ? "so far" : "here", name_of(of, line->first));
}

/* "Clearly worse than A: the other 20." */
static void put_worse(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    size_t rest = of->decision->scored - line->best_count;
    const char *first = name_of(of, line->first);
    if (line->worse_count == 0)
        return;
    next(line, ES_STATEMENT_WORSE, out);
    if (line->worse_count < rest)
        es_buf_printf(out, "Clearly worse than %s: %zu of the other %zu.", first, line->worse_count,
                      rest);
    else if (rest > 1)
        es_buf_printf(out, "Clearly worse than %s: the other %zu.", first, rest);
    else
        es_buf_printf(out, "Clearly worse than %s: %s.", first, name_of(of, line->worse[0]));
}

/* " by linear shrunk", where others are shown beside. */
static void put_whose(const es_bottom_line_of *of, es_buf *out) {
    const es_results *r = of->results;
    if (of->own_communities && !of->named && !of->series && r && r->estimator)
        es_buf_printf(out, " by %s%s%s", r->estimator->name,
                      strcmp(es_results_preset(r), "default") == 0 ? "" : " ",
                      strcmp(es_results_preset(r), "default") == 0 ? "" : es_results_preset(r));
}

/* "Nothing within reach tells A2 from A." */
static void put_alike(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t alike = count_alike(d, line), said = 0;
    if (alike == 0)
        return;
    es_buf_puts(out, " Nothing within reach tells ");
    for (size_t k = 0; k < line->best_count && said < NAMED; k++)
        if (is_alike(d, line, line->best_set[k])) {
            es_buf_printf(out, "%s%s",
                          said == 0           ? ""
                          : said + 1 == alike ? " or "
                                              : ", ",
                          name_of(of, line->best_set[k]));
            said++;
        }
    if (said < alike)
        es_buf_printf(out, " and %zu more", alike - said);
    es_buf_printf(out, " from %s.", name_of(of, line->first));
}

static void put_remedy(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    if (!of->so_far && line->too_close) {
        next(line, ES_STATEMENT_REMEDY, out);
        es_buf_puts(out, "Nothing within reach would settle it: take them as equal.");
        return;
    }
    if (line->settled_by == NULL || of->so_far) /* while it grows, it may yet settle itself */
        return;
    next(line, ES_STATEMENT_REMEDY, out);
    if (strcmp(line->settled_by, "rows") == 0)
        es_buf_puts(out, "What would settle it: more rows.");
    else if (of->families == 0)
        es_buf_puts(out, "What would settle it: more families of embedders, not more rows.");
    else {
        es_buf_printf(out, "What would settle it: more %s of embedders (%zu now",
                      of->named || of->series ? "families" : "communities", of->families);
        put_whose(of, out);
        es_buf_puts(out, "), not more rows.");
    }
    put_alike(of, line, out);
}

/* Five to try, where there are many more. Nobody tries a control. */
static void put_advice(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    uint32_t five[ADVISED];
    size_t real = 0;
    for (size_t k = 0; k < d->scored; k++) {
        if (is_control(of, d->order[k]))
            continue;
        if (real < ADVISED)
            five[real] = d->order[k];
        real++;
    }
    if (real < ADVISED + 3)
        return;
    next(line, ES_STATEMENT_ADVICE, out);
    if (line->best_count == ADVISED && 2 * ADVISED <= d->scored && d->said &&
        memcmp(line->best_set, five, sizeof five) == 0) { /* they have just been named */
        es_buf_puts(out, "Try the five that may be the best.");
        return;
    }
    es_buf_puts(out, "Try the first five: ");
    put_names(of, five, ADVISED, out);
    es_buf_puts(out, ".");
}

/* Of pairs that have failed, or that a file lacks: who is judged by a few easy targets is first for
 * that. */
static void put_missing(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t known = 0, all = 0;
    for (size_t k = 0; k < d->scored; k++) {
        known += d->ranking->pairs[d->order[k]];
        all += d->ranking->of[d->order[k]];
    }
    size_t missing = all - known, without = d->m - d->scored;
    if (without > 0) {
        next(line, ES_STATEMENT_WARNING, out);
        es_buf_printf(out, "But %zu of %zu embedders %s no score.", without, d->m,
                      without == 1 ? "has" : "have");
    }
    if (missing == 0)
        return;
    next(line, ES_STATEMENT_WARNING, out);
    es_buf_printf(out,
                  "But %zu of %zu values between them %s missing: not all are judged by the same "
                  "targets.",
                  missing, all, missing == 1 ? "is" : "are");
}

/* Values without those of their rows, as damage leaves them: what is sure is then too sure. */
static void put_bare(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    if (d->hands > 0 || d->bare == 0)
        return;
    next(line, ES_STATEMENT_WARNING, out);
    es_buf_printf(out,
                  "But the error of rows is left out of all this: %zu of %zu pairs %s stored "
                  "without values of single rows, and `embedscope estimate` makes %s again.",
                  d->bare, d->voting, d->bare == 1 ? "is" : "are", d->bare == 1 ? "it" : "them");
}

/* "Best here: A." and who else may be, where these are the minority; else that it is open. */
static void put_set(const es_bottom_line_of *of, es_bottom_line *line, const char *where,
                    es_buf *out) {
    const es_decision *d = of->decision;
    if (2 * line->best_count > d->scored) {
        put_first(of, line, "First", out);
        es_buf_printf(out, ", but that is not settled: ");
        es_buf_printf(out, line->best_count == d->scored ? "all %zu" : "%zu of %zu",
                      line->best_count, d->scored);
        es_buf_printf(out, " may be the best for %s.", where);
    } else {
        put_first(of, line, "Best", out);
        es_buf_puts(out, ".");
        next(line, ES_STATEMENT_SET, out);
        es_buf_printf(out, "For %s the best is, with %.0f %% confidence, among ", where,
                      100 * d->level);
        put_names(of, line->best_set, line->best_count, out);
        es_buf_printf(out, " (%zu of %zu).", line->best_count, d->scored);
    }
    put_worse(of, line, out);
    put_remedy(of, line, out);
}

/* "would hold for another target" */
static void say_new(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    if (line->best_count == 1) {
        put_first(of, line, "Best", out);
        es_buf_puts(out, ".");
        next(line, ES_STATEMENT_SET, out);
        es_buf_printf(out,
                      "With %.0f %% confidence it would also be the best for a new kind of "
                      "target.",
                      100 * of->decision->level);
        put_worse(of, line, out);
        return;
    }
    put_set(of, line, "a new kind of target", out);
    put_advice(of, line, out);
}

/* "5 families that judge both of two embedders, and there are 4 in all" */
static void put_few_families(const es_bottom_line_of *of, es_buf *out) {
    if (of->series) {
        es_buf_puts(out, "families of embedders, which pool.json does not name (a series is one).");
        return;
    }
    if (of->families == 0) {
        es_buf_puts(out, "families of embedders, which pool.json does not name.");
        return;
    }
    es_buf_printf(out, "%d %s that judge both of two embedders, and ", (int)ES_SEPARATION_FAMILIES,
                  of->named ? "families" : "communities");
    if (of->decision->why_not[ES_SCOPE_NEW] == es_why_missing)
        es_buf_puts(out, "too many pairs are missing");
    else if (of->families < ES_SEPARATION_FAMILIES)
        es_buf_printf(out, "there %s %zu in all", of->families == 1 ? "is" : "are", of->families);
    else /* their own do not judge them */
        es_buf_printf(out, "of the %zu in all fewer do", of->families);
    put_whose(of, out);
    es_buf_puts(out, ".");
}

/* "settled for these targets", and why no more is said. */
static void say_here(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    if (line->best_count == 1) {
        put_first(of, line, "Best", out);
        es_buf_puts(out, ", settled for these targets.");
        put_worse(of, line, out);
    } else
        put_set(of, line, "these targets", out);
    next(line, ES_STATEMENT_WARNING, out);
    es_buf_puts(out, "For a new kind of target nothing can be said: that takes ");
    put_few_families(of, out);
    put_advice(of, line, out);
}

/* Nothing is said of how sure it is. */
static void say_order(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    put_first(of, line, "First", out);
    es_buf_puts(out, ".");
    next(line, ES_STATEMENT_WARNING, out);
    if (has_no_judge(of)) {
        es_buf_puts(out, "But two embedders cannot be compared: no third one judges both. Add "
                         "another embedder.");
        return;
    }
    es_buf_puts(out, "How sure that is cannot be said: that takes values of single rows, or ");
    put_few_families(of, out);
    put_advice(of, line, out);
}

/* Of controls there is nothing to choose; one that is first says that the ranking fails. False:
 * there is more to be said. */
static bool warn_of_controls(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t controls = 0;
    for (size_t k = 0; k < d->scored; k++)
        controls += is_control(of, d->order[k]);
    if (controls == d->scored)
        es_buf_printf(out,
                      "All %zu are controls (noise, shuffled rows): there is nothing to choose.",
                      controls);
    else if (is_control(of, line->first))
        es_buf_printf(out,
                      "Do not choose by this ranking: %s, the first of it, is a control (noise, "
                      "shuffled rows).",
                      name_of(of, line->first));
    return controls == d->scored || is_control(of, line->first);
}

/* ---- Rows in another order ---- */

/* Of a pair that is known with its error: is it more than 0? *known is cleared where it is not. */
static bool says_something(const es_results *r, size_t a, size_t b, bool *known) {
    size_t cell = a * r->m + b;
    *known = *known && r->state[cell] == ES_PAIR_DONE && isfinite(r->se[cell]);
    return *known && r->is[cell] > ES_EDGE_ERRORS * r->se[cell];
}

/* Row and column of an embedder, but for itself. */
static bool is_unrelated(const es_results *r, size_t i) {
    bool known = true, related = false;
    for (size_t j = 0; j < r->m && known && !related; j++)
        related = j != i && (says_something(r, i, j, &known) || says_something(r, j, i, &known));
    return known && !related;
}

static bool has_beside(const es_bottom_line_of *of) {
    return of->beside && of->beside != of->results && !es_rank_lower_is_better(of->beside);
}

/* By the results beside, as far as they are known: what no linear map finds another estimator may.
 * at (m): where its embedders are there. */
static bool is_related_beside(const es_bottom_line_of *of, const size_t *at, size_t i) {
    for (size_t j = 0; j < of->results->m; j++) {
        bool there = true, back = true;
        if (j != i && at[i] != SIZE_MAX && at[j] != SIZE_MAX &&
            (says_something(of->beside, at[i], at[j], &there) ||
             says_something(of->beside, at[j], at[i], &back)))
            return true;
    }
    return false;
}

/* Controls are meant to be like that; one embedder among them can be nothing else. */
static void find_unrelated(const es_bottom_line_of *of, es_bottom_line *line) {
    const es_results *r = of->results;
    size_t real = 0;
    if (!r || of->known < of->of || es_rank_lower_is_better(r))
        return;
    for (size_t i = 0; i < r->m; i++) {
        if (is_control(of, i))
            continue;
        real++;
        if (is_unrelated(r, i))
            line->unrelated[line->unrelated_count++] = (uint32_t)i;
    }
    if (real < 2)
        line->unrelated_count = 0;
    line->of_unrelated = real;
}

static es_status drop_related_beside(const es_bottom_line_of *of, es_bottom_line *line,
                                     es_error *err) {
    size_t found = line->unrelated_count;
    if (found == 0 || !has_beside(of))
        return ES_OK;
    size_t *at = es_alloc(of->results->m, sizeof *at);
    if (!at)
        return es_no_memory(err);
    for (size_t i = 0; i < of->results->m; i++)
        at[i] = es_results_find(of->beside, of->results->name[i]);
    line->unrelated_count = 0;
    for (size_t k = 0; k < found; k++)
        if (!is_related_beside(of, at, line->unrelated[k]))
            line->unrelated[line->unrelated_count++] = line->unrelated[k];
    es_free(at);
    return ES_OK;
}

/* A linear map alone does not tell, and nothing else is known yet. */
static const char *by_whom(const es_bottom_line_of *of) {
    const es_results *r = of->results, *beside = of->beside;
    bool whole = has_beside(of) && beside->done + beside->failed == beside->m * beside->m;
    return r->estimator && !r->estimator->trains && !whole ? " by a linear map" : "";
}

/* Then they are not the odd ones: the ranking is of nothing. */
static bool most_are_unrelated(const es_bottom_line *line) {
    return line->unrelated_count > 1 && 2 * line->unrelated_count >= line->of_unrelated;
}

/* Of few rows errors are so large that anything is within them. */
static void put_too_few(const es_bottom_line_of *of, es_buf *out) {
    size_t rows = of->results->n_eval;
    if (rows > 0 && rows < FEW)
        es_buf_printf(out, ", or %zu rows are too few to tell", rows);
    es_buf_puts(out, ".");
}

static void put_most_unrelated(const es_bottom_line_of *of, const es_bottom_line *line, bool warned,
                               es_buf *out) {
    size_t n = line->unrelated_count, real = line->of_unrelated;
    const char *kind = of->results->m > real ? " that are no controls" : "";
    if (n == real) {
        es_buf_printf(out,
                      "None of the %zu embedders%s says anything of another%s: there is nothing to "
                      "choose, or their rows are in different orders",
                      n, kind, by_whom(of));
        put_too_few(of, out);
        return;
    }
    es_buf_puts(out, warned ? "" : "Do not choose by this ranking: ");
    put_names(of, line->unrelated, n, out);
    es_buf_printf(out,
                  " (%zu of %zu embedders%s) say nothing of any other, nor any of them%s: their "
                  "rows may be in different orders",
                  n, real, kind, by_whom(of));
    put_too_few(of, out);
}

static void put_unrelated(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    size_t n = line->unrelated_count;
    if (n == 0)
        return;
    bool begun = out->length > 0; /* a control is first */
    if (begun)
        next(line, ES_STATEMENT_WARNING, out);
    if (most_are_unrelated(line)) {
        put_most_unrelated(of, line, begun, out);
        return;
    }
    put_names(of, line->unrelated, n, out);
    es_buf_printf(out,
                  " say%s nothing of any other embedder, nor any of %s%s: %s rows may be in "
                  "another order",
                  n == 1 ? "s" : "", n == 1 ? "it" : "them", by_whom(of), n == 1 ? "its" : "their");
    put_too_few(of, out);
}

/* While pairs are missing: who is ahead, of those that are ranked. The others may be better. */
static void say_partial(const es_bottom_line_of *of, const es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    size_t failed = of->results ? of->results->failed : 0;
    es_buf_printf(out, "Ranking after %zu of %zu pairs", of->known - failed, of->of);
    if (failed > 0)
        es_buf_printf(out, " (%zu failed)", failed);
    es_buf_puts(out, ": ");
    if (d->scored == 0) {
        es_buf_puts(out, "nobody is ranked yet.");
        return;
    }
    es_buf_printf(out, "%s is the first so far, of %zu ranked", name_of(of, line->first),
                  d->scored);
    if (d->said && line->best_count > 1)
        es_buf_printf(out, "; %zu of these may be the best for %s", line->best_count,
                      d->scope == ES_SCOPE_NEW ? "a new kind of target" : "these targets");
    es_buf_puts(out, ".");
}

/* What is wrong, up to the colon behind which it says more. Whatever else finds no room: who goes
 * by the first statement needs this one. */
static void put_grave(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    for (size_t i = 0; of->grave && i < of->grave->count; i++) {
        const char *text = of->grave->word[i], *end = text + strlen(text);
        for (const char *at = text; (at = strstr(at, ": ")) != NULL; at++)
            end = at;
        if (out->length > 0)
            next(line, ES_STATEMENT_FIRST, out);
        es_buf_printf(out, "But %.*s.", (int)(end - text), text);
    }
}

/* Where all are kin, who is judged by others alone is judged by nobody. */
static void say_none(const es_bottom_line_of *of, es_buf *out) {
    es_buf_puts(out, "No embedder has a score");
    if (of->others_only && of->families < 2)
        es_buf_printf(out,
                      ": all are of one %s, and --leave-family-out asks targets of others alone. "
                      "Leave it out, or name families in pool.json",
                      of->named ? "family" : "community");
    es_buf_putc(out, '.');
}

static void put_sentence(const es_bottom_line_of *of, es_bottom_line *line, es_buf *out) {
    const es_decision *d = of->decision;
    line->kind[0] = ES_STATEMENT_FIRST;
    if (of->known < of->of)
        say_partial(of, line, out);
    else if (d->scored == 0)
        say_none(of, out);
    else if (d->scored == 1) {
        put_first(of, line, "First", out);
        es_buf_puts(out, "; no other one has a score.");
    } else if (!warn_of_controls(of, line, out) && !most_are_unrelated(line)) {
        if (!d->said || has_no_judge(of))
            say_order(of, line, out);
        else if (d->scope == ES_SCOPE_NEW)
            say_new(of, line, out);
        else
            say_here(of, line, out);
        put_ahead(of, line, out);
        put_missing(of, line, out);
        put_bare(of, line, out);
    }
    put_unrelated(of, line, out);
    put_grave(of, line, out);
    line->end[line->statements++] = out->length;
}

es_status es_bottom_line_new(const es_bottom_line_of *of, es_bottom_line **out, es_error *err) {
    const es_decision *d = of->decision;
    es_buf text = {0};
    es_bottom_line *line = es_alloc_zero(1, sizeof *line);
    if (line)
        line->best_set = es_alloc(d->m, 4 * sizeof *line->best_set);
    if (!line || !line->best_set) {
        es_bottom_line_free(line);
        return es_no_memory(err);
    }
    line->worse = line->best_set;
    line->unrelated = line->best_set + 2 * d->m;
    line->ahead = line->best_set + 3 * d->m;
    line->first = SIZE_MAX;
    line->level = d->level;
    if (d->scored > 0)
        collect(d, line);
    find_unrelated(of, line);
    es_status st = drop_related_beside(of, line, err);
    if (most_are_unrelated(line))
        line->worse_count = 0;
    else if (d->scored > 1) {
        line->too_close = line->best_count > 1 && count_alike(d, line) + 1 == line->best_count;
        line->settled_by = settled_by(of, line);
    }
    put_sentence(of, line, &text);
    if (st == ES_OK)
        st = es_buf_check(&text, err);
    line->sentence = text.data;
    if (st == ES_OK)
        *out = line;
    else
        es_bottom_line_free(line);
    return st;
}
