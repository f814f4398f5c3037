/* Compare: what is known about two or three embedders, kept up to date while it is shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_compare.h"
#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"

const size_t es_pair_sides[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* ---- What it is made from ---- */

/* A preview and a refined value come from two estimators, and their difference says nothing about
 * the embedders: all values are of the one that `embedscope compare` is by. */
size_t es_compare_entry(const es_app *app) {
    return es_app_merged(app) && app->source->best < app->source->plan ? app->source->best
                                                                       : app->entry;
}

const es_results *es_compare_results(const es_app *app) {
    return es_app_merged(app) ? app->source->results[es_compare_entry(app)] : app->results;
}

const char *es_compare_by(const es_app *app) {
    return es_app_merged(app) ? app->source->title[es_compare_entry(app)] : "";
}

es_pair_state es_compare_pair_state(const es_app *app, size_t source, size_t target) {
    const es_results *r = es_compare_results(app);
    size_t s = app->position[source], t = app->position[target];
    if (r == NULL || s == ES_NONE || t == ES_NONE)
        return ES_PAIR_PENDING;
    return (es_pair_state)r->state[s * r->m + t];
}

static bool is_compared(const es_app *app, size_t item) {
    for (size_t k = 0; k < app->set.compare.count; k++)
        if (app->set.compare.item[k] == item)
            return true;
    return false;
}

size_t es_compare_named(const es_app *app, const char *name, size_t length) {
    size_t found = ES_NONE, matches = 0;
    for (size_t i = 0; i < app->n; i++) {
        const char *own = es_app_model(app, i)->name;
        if (strncmp(own, name, length) != 0)
            continue;
        if (own[length] == '\0')
            return i;
        found = i;
        matches++;
    }
    return matches == 1 ? found : ES_NONE;
}

/* Everything that the comparison depends on: its rows of the matrix, whether per-row values are
 * there, and the columns that say how well the compared are simulated. */
static uint64_t fingerprint(const es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    const es_results *r = es_compare_results(app);
    uintptr_t where = (uintptr_t)r;
    uint64_t seen = es_fingerprint(ES_FINGERPRINT, &where, sizeof where);
    seen = es_fingerprint(seen, &set->count, sizeof set->count);
    seen = es_fingerprint(seen, &app->ranked.derived, sizeof app->ranked.derived);
    for (size_t k = 0; k < set->count; k++) {
        size_t p = r == NULL ? ES_NONE : app->position[set->item[k]];
        seen = es_fingerprint(seen, &set->item[k], sizeof set->item[k]);
        seen = es_fingerprint(seen, &p, sizeof p);
        for (size_t t = 0; p != ES_NONE && t < r->m; t++) {
            uintptr_t pmi = r->pmi == NULL ? 0 : (uintptr_t)r->pmi[p * r->m + t];
            seen = es_fingerprint(seen, &r->is[p * r->m + t], sizeof(double));
            seen = es_fingerprint(seen, &r->is[t * r->m + p], sizeof(double));
            seen = es_fingerprint(seen, &pmi, sizeof pmi);
        }
    }
    return seen == 0 ? 1 : seen;
}

/* ---- Targets ---- */

const es_compared_target *es_compare_target(const es_app *app, size_t line) {
    const es_compare_state *c = &app->compare;
    return c->known == NULL || line >= c->lines ? NULL : &c->known->targets[c->line[line]];
}

size_t es_compare_item(const es_app *app, size_t line) {
    const es_compared_target *target = es_compare_target(app, line);
    return target == NULL ? ES_NONE : es_compare_results(app)->model[target->target];
}

static size_t line_of(const es_app *app, size_t item) {
    for (size_t line = 0; line < app->compare.lines; line++)
        if (es_compare_item(app, line) == item)
            return line;
    return ES_NONE;
}

size_t es_compare_line(const es_app *app) {
    return line_of(app, app->compare.target);
}

void es_compare_aim(es_app *app, size_t line) {
    app->compare.target = app->compare.aimed = es_compare_item(app, line);
}

/* True if target x is listed before y. The targets come by falling |difference|. */
static bool before(const es_app *app, size_t x, size_t y) {
    const es_compared_target *a = &app->compare.known->targets[x],
                             *b = &app->compare.known->targets[y];
    switch (app->set.compare.order) {
    case ES_COMPARE_BY_DIFFERENCE:
        return a->difference != b->difference ? a->difference > b->difference : x < y;
    case ES_COMPARE_BY_NAME:
        return a->target < b->target; /* results are in order of names */
    default:
        return x < y;
    }
}

/* By insertion: almost in order, and few. */
static void list_targets(es_app *app) {
    es_compare_state *c = &app->compare;
    const es_results *r = es_compare_results(app);
    const es_comparison *known = r == NULL ? NULL : c->known;
    c->lines = c->passed = c->clear = c->judged = 0;
    c->others = 0;
    for (size_t t = 0; r != NULL && t < r->m; t++)
        c->others += !is_compared(app, r->model[t]) && !es_ranked_leaves_out(app, r->model[t]);
    for (size_t i = 0; known != NULL && i < known->n_targets; i++) {
        size_t item = r->model[known->targets[i].target];
        if (is_compared(app, item) ||
            (app->set.filter[0] != '\0' && !es_filter_pass(app, app->set.filter, item, NULL, 0)))
            continue;
        c->passed++;
        c->clear += known->targets[i].clear;
        c->judged += isfinite(known->targets[i].error) ? 1 : 0;
        if (app->set.compare.clear_only && !known->targets[i].clear)
            continue;
        size_t at = c->lines++;
        for (; at > 0 && before(app, i, c->line[at - 1]); at--)
            c->line[at] = c->line[at - 1];
        c->line[at] = i;
    }
    if (line_of(app, c->aimed) != ES_NONE)
        c->target = c->aimed;
    else if (es_compare_line(app) == ES_NONE)
        c->target = es_compare_item(app, 0);
}

/* Compares the chosen embedders anew. */
static void make_known(es_app *app) {
    es_compare_state *c = &app->compare;
    const es_compare_settings *set = &app->set.compare;
    const es_results *r = es_compare_results(app);
    size_t model[ES_COMPARE_MOST];
    es_comparison_free(c->known);
    c->known = NULL;
    es_free(c->line);
    c->line = NULL;
    bool whole = r != NULL && set->count >= 2;
    for (size_t k = 0; k < set->count && whole; k++) {
        model[k] = app->position[set->item[k]];
        whole = model[k] != ES_NONE;
    }
    if (!whole)
        return;
    c->line = es_alloc(r->m + 1, sizeof *c->line);
    const es_compared_of of = {
        .model = model, .count = set->count, .with_derived = app->ranked.derived};
    if (c->line == NULL || es_compared_new(r, &of, &c->known, NULL) != ES_OK)
        es_app_notice(app, ES_ENOMEM, "out of memory: nothing can be compared");
}

/* ---- Rows ---- */

double es_compare_row_difference(const es_app *app, size_t row) {
    double d = app->compare.rows->difference[row];
    return es_app_lower(app) ? -d : d; /* of errors the larger is the worse */
}

static void list_rows(es_app *app) {
    es_compare_state *c = &app->compare;
    c->row_lines = 0;
    for (size_t i = 0; c->rows != NULL && i < c->rows->n; i++) {
        double d = es_compare_row_difference(app, c->rows->row[i]);
        bool wanted = c->way == ES_COMPARE_FIRST    ? d > 0
                      : c->way == ES_COMPARE_SECOND ? d < 0
                                                    : d > 0 || d < 0;
        if (wanted && isfinite(d))
            c->row[c->row_lines++] = c->rows->row[i];
    }
    if (c->at >= c->row_lines)
        c->at = 0;
}

/* Finds anew the rows of the target that only one embedder captures. */
static void make_rows(es_app *app) {
    es_compare_state *c = &app->compare;
    const es_results *r = es_compare_results(app);
    size_t target = c->row_target == ES_NONE ? SIZE_MAX : app->position[c->row_target];
    es_compared_rows_free(c->rows);
    c->rows = NULL;
    es_free(c->row);
    c->row = NULL;
    if (c->known == NULL || r->pmi == NULL)
        return;
    es_status st =
        es_compared_rows_new(r->pmi, r->n_eval, r->m, c->known, c->pair, target, &c->rows, NULL);
    if (st == ES_OK && (c->row = es_alloc(c->rows->n, sizeof *c->row)) == NULL) {
        es_compared_rows_free(c->rows);
        c->rows = NULL;
        st = ES_ENOMEM;
    }
    if (st == ES_ENOMEM)
        es_app_notice(app, ES_ENOMEM, "out of memory: rows cannot be compared");
}

const char *es_compare_missing_rows(const es_app *app) {
    const es_results *r = es_compare_results(app);
    if (app->compare.rows != NULL)
        return NULL;
    if (app->source->row == NULL || app->source->rows == 0)
        return "A matrix from a file has no rows.";
    if (r == NULL || r->done == 0 || app->compare.known == NULL)
        return "No pair is known yet.";
    if (r->pmi == NULL || r->n_eval == 0)
        return "These results have no values per row; estimate them again with --refresh.";
    return "No target has values per row for both yet; they arrive with the pairs.";
}

/* ---- Keeping it up to date ---- */

/* Moves cursors into the lists, which may have become shorter. */
static void keep_cursors(es_app *app) {
    es_compare_state *c = &app->compare;
    size_t count = app->set.compare.count, pairs = count == 3 ? 3 : 1;
    size_t sides = count < 2 ? 2 : count < ES_COMPARE_MOST ? count + 1 : count;
    size_t tasks = es_score_count(app);
    c->pair = c->pair < pairs ? c->pair : 0;
    c->side = c->side < sides ? c->side : sides - 1;
    c->task = c->task < tasks ? c->task : 0;
    if (c->row_target != ES_NONE &&
        (app->results == NULL || app->position[c->row_target] == ES_NONE))
        c->row_target = ES_NONE;
}

void es_compare_refresh(es_app *app) {
    es_compare_state *c = &app->compare;
    keep_cursors(app);
    uint64_t seen = fingerprint(app);
    if (seen != c->seen)
        make_known(app);
    c->seen = seen;
    list_targets(app);
    uint64_t rows = es_fingerprint(es_fingerprint(seen, &c->pair, sizeof c->pair), &c->row_target,
                                   sizeof c->row_target);
    if (rows != c->rows_seen)
        make_rows(app);
    c->rows_seen = rows;
    list_rows(app);
}

void es_compare_free(es_app *app) {
    es_comparison_free(app->compare.known);
    es_compared_rows_free(app->compare.rows);
    es_free(app->compare.line);
    es_free(app->compare.row);
}

void es_compare_choose(es_app *app, const size_t *item, size_t count) {
    es_compare_settings *set = &app->set.compare;
    if (set->count == count && memcmp(set->item, item, count * sizeof *item) == 0)
        return;
    es_history_push(app);
    memcpy(set->item, item, count * sizeof *item);
    set->count = count;
    app->compare.row_target = ES_NONE;
    app->compare.at = 0;
}

/* The best embedder but `item`. */
size_t es_compare_best_besides(const es_app *app, size_t item) {
    size_t best = ES_NONE;
    for (size_t i = 0; i < app->n; i++) {
        size_t place = app->live[i].place;
        if (i != item && place > 0 && (best == ES_NONE || place < app->live[best].place))
            best = i;
    }
    return best;
}

/* False, and a notice, when the item cannot be compared. */
bool es_compare_usable(es_app *app, size_t item) {
    if (es_select_in_matrix(app, item))
        return true;
    es_app_notice(app, ES_EINVAL, "compare: %s is excluded; Enter in Pool shows why",
                  es_app_name(app, item));
    return false;
}

void es_compare_assign(es_app *app, size_t item) {
    size_t chosen[ES_COMPARE_MOST], count = app->set.compare.count, side = app->compare.side;
    memcpy(chosen, app->set.compare.item, sizeof chosen);
    if (!es_compare_usable(app, item))
        return;
    if (count < 2) { /* the first choice is compared with the best */
        chosen[0] = item;
        chosen[1] = es_compare_best_besides(app, item);
        if (chosen[1] == ES_NONE)
            es_app_notice(app, ES_EINVAL, "No ranking yet; c compares the marked embedders");
        else
            es_compare_choose(app, chosen, 2);
        return;
    }
    for (size_t k = 0; k < count; k++)
        if (chosen[k] == item) {
            if (k == side || side == count) {
                es_app_notice(app, ES_OK, "%s is compared already", es_app_name(app, item));
                return;
            }
            chosen[k] = chosen[side]; /* the two change places */
        }
    chosen[side] = item;
    es_compare_choose(app, chosen, side == count ? count + 1 : count);
}

/* ---- Downstream ---- */

/* The side with the largest of value times sign, `lead` over the next; ES_NONE: none. */
static size_t best_of(const es_app *app, const double *value, double sign, double *lead) {
    size_t best = ES_NONE, known = 0;
    double next = -(double)INFINITY, most = next;
    for (size_t k = 0; k < app->set.compare.count; k++) {
        double own = sign * value[k];
        if (!isfinite(own))
            continue;
        known++;
        next = fmax(next, fmin(own, most));
        best = own > most ? k : best;
        most = fmax(own, most);
    }
    *lead = known < 2 ? (double)NAN : most - next;
    return known < 2 || !(*lead > 0) ? ES_NONE : best;
}

size_t es_compare_task(const es_app *app, size_t task, double value[ES_COMPARE_MOST],
                       double *lead) {
    for (size_t k = 0; k < ES_COMPARE_MOST; k++)
        value[k] = k < app->set.compare.count ? es_score_value(app, app->set.compare.item[k], task)
                                              : (double)NAN;
    return best_of(app, value, es_score_lower(app, task) ? -1 : 1, lead);
}

size_t es_compare_percentiles(const es_app *app, double value[ES_COMPARE_MOST], double *lead) {
    for (size_t k = 0; k < app->set.compare.count; k++)
        value[k] = es_compare_percentile(app, app->set.compare.item[k]);
    return best_of(app, value, 1, lead);
}

double es_compare_percentile(const es_app *app, size_t item) {
    const es_downstream *x = app->ranked.downstream;
    size_t place = es_ranked_place(app, item);
    return x == NULL || place == ES_NONE ? (double)NAN : x->percentile[place];
}

size_t es_compare_agreement(const es_app *app, size_t *of) {
    const es_compare_settings *set = &app->set.compare;
    size_t agree = 0;
    *of = 0;
    for (size_t t = 0; t < app->source->scores.tasks; t++) {
        bool known = set->count > 1, same = true;
        for (size_t a = 0; a < set->count; a++)
            for (size_t b = a + 1; b < set->count; b++) {
                double downstream =
                    es_score_value(app, set->item[a], t) - es_score_value(app, set->item[b], t);
                downstream = es_score_lower(app, t) ? -downstream : downstream;
                double own = app->live[set->item[a]].score - app->live[set->item[b]].score;
                known = known && isfinite(downstream) && isfinite(own);
                same = same && downstream * (es_ranked_lower(app) ? -own : own) > 0;
            }
        *of += known;
        agree += known && same;
    }
    return agree;
}

void es_compare_telling(const es_app *app, size_t *a, size_t *b) {
    const es_results *r = es_compare_results(app);
    double most = 0;
    *a = *b = ES_NONE;
    for (size_t s = 0; r != NULL && s < r->m; s++)
        for (size_t t = 0; t < r->m; t++) {
            double gap = r->is[s * r->m + t] - r->is[t * r->m + s];
            if (s == t || !(gap > most) || es_ranked_leaves_out(app, r->model[s]) ||
                es_ranked_leaves_out(app, r->model[t]) || app->hidden[r->model[s]] ||
                app->hidden[r->model[t]])
                continue;
            most = gap;
            *a = r->model[s];
            *b = r->model[t];
        }
}

/* Compare: sentences about pairs and verdicts. */

void es_compare_decision(const es_app *app, size_t pair, char *out, size_t capacity) {
    const es_decision *d = es_ranking_decided(app);
    const es_comparison *known = app->compare.known;
    es_buf text = {0};
    out[0] = '\0';
    if (d == NULL || known == NULL || pair >= known->pairs)
        return;
    const es_compare_settings *set = &app->set.compare;
    size_t a = es_ranked_place(app, set->item[known->pair[pair].a]);
    size_t b = es_ranked_place(app, set->item[known->pair[pair].b]);
    if (a >= d->m || b >= d->m || d->ranking->rank[a] == 0 || d->ranking->rank[b] == 0)
        return;
    const es_bottom_line_of of = es_ranked_words(app, d);
    es_bottom_line_put_pair(&of, a, b, &text);
    if (!text.failed)
        (void)snprintf(out, capacity, "%s", text.data);
    es_buf_free(&text);
}

const char *es_compare_sign(es_verdict verdict, bool ascii) {
    switch (verdict) {
    case ES_VERDICT_A_CONTAINS_B:
        return ascii ? ">" : "⊃";
    case ES_VERDICT_B_CONTAINS_A:
        return ascii ? "<" : "⊂";
    case ES_VERDICT_EQUIVALENT:
        return ascii ? "=" : "≡";
    case ES_VERDICT_NEITHER:
        return ascii ? "|" : "∥";
    case ES_VERDICT_NOT_SEPARABLE:
        return "?";
    default:
        return ascii ? "." : "·";
    }
}

/* True if a is shown to contain b. */
static bool contains(const es_comparison *known, size_t a, size_t b) {
    for (size_t p = 0; p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        if (pair->a == a && pair->b == b)
            return pair->verdict == ES_VERDICT_A_CONTAINS_B;
        if (pair->a == b && pair->b == a)
            return pair->verdict == ES_VERDICT_B_CONTAINS_A;
    }
    return false;
}

/* "B ⊃ A ⊃ C" where each contains all that follow. */
static bool chain(const es_app *app, char *out, size_t capacity) {
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const es_comparison *known = app->compare.known;
    const char *sign = es_compare_sign(ES_VERDICT_A_CONTAINS_B, app->ascii);
    for (size_t i = 0; known->count == 3 && i < 6; i++) {
        const size_t *o = orders[i];
        if (!contains(known, o[0], o[1]) || !contains(known, o[1], o[2]) ||
            !contains(known, o[0], o[2]))
            continue;
        (void)snprintf(out, capacity, "%c %s %c %s %c", (char)('A' + o[0]), sign,
                       (char)('A' + o[1]), sign, (char)('A' + o[2]));
        return true;
    }
    return false;
}

void es_compare_verdict(const es_app *app, char *out, size_t capacity) {
    const es_comparison *known = app->compare.known;
    out[0] = '\0';
    if (known == NULL || chain(app, out, capacity))
        return;
    for (size_t p = 0; p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        bool second = pair->verdict == ES_VERDICT_B_CONTAINS_A; /* the container stands first */
        es_phrase_add(out, capacity, "%s%c %s %c", p > 0 ? "   " : "",
                      (char)('A' + (second ? pair->b : pair->a)),
                      es_compare_sign(second ? ES_VERDICT_A_CONTAINS_B : pair->verdict, app->ascii),
                      (char)('A' + (second ? pair->a : pair->b)));
    }
}

void es_compare_legend(const es_app *app, char *out, size_t capacity) {
    static const char *const words[] = {[ES_VERDICT_UNKNOWN] = "not known",
                                        [ES_VERDICT_A_CONTAINS_B] = "contains",
                                        [ES_VERDICT_EQUIVALENT] = "equivalent",
                                        [ES_VERDICT_NEITHER] = "neither",
                                        [ES_VERDICT_NOT_SEPARABLE] = "not settled"};
    const es_comparison *known = app->compare.known;
    bool said[sizeof words / sizeof *words] = {false};
    out[0] = '\0';
    for (size_t p = 0; known != NULL && p < known->pairs; p++) {
        es_verdict verdict = known->pair[p].verdict;
        if (verdict == ES_VERDICT_B_CONTAINS_A)
            verdict = ES_VERDICT_A_CONTAINS_B;
        if (!said[verdict])
            es_phrase_add(out, capacity, "%s%s %s", out[0] == '\0' ? "" : ", ",
                          es_compare_sign(verdict, app->ascii), words[verdict]);
        said[verdict] = true;
    }
}

static bool pair_failed(const es_app *app) {
    const es_compare_settings *set = &app->set.compare;
    for (size_t a = 0; a < set->count; a++)
        for (size_t b = 0; b < set->count; b++)
            if (a != b && es_compare_pair_state(app, set->item[a], set->item[b]) == ES_PAIR_FAILED)
                return true;
    return false;
}

/* All values of the pairs are there, but not those that they are shares of. */
static bool own_lacks(const es_app *app) {
    const es_comparison *known = app->compare.known;
    bool lacks = known != NULL;
    for (size_t p = 0; known != NULL && p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        lacks = lacks && isfinite(known->is[pair->a][pair->b]) &&
                isfinite(known->is[pair->b][pair->a]) &&
                es_compared_without_own(known, p) != SIZE_MAX;
    }
    return lacks;
}

const char *es_compare_sureness(const es_app *app) {
    const es_comparison *known = app->compare.known;
    size_t beyond = 0, judged = 0;
    bool without = false;
    for (size_t p = 0; known != NULL && p < known->pairs; p++) {
        const es_compared_pair *pair = &known->pair[p];
        if (!isfinite(pair->gap))
            continue;
        judged++;
        without = without || pair->without_errors;
        beyond += fabs(pair->gap) > known->z * pair->gap_error;
    }
    if (judged == 0)
        return pair_failed(app) ? "a pair failed, Jobs (7) shows why"
               : known != NULL && known->without_shares
                   ? "this estimator gives no shares; linear or knife do"
               : own_lacks(app) ? "a value with itself is missing or not above 0"
                                : "the pairs are not known yet";
    if (without)
        return "standard errors are unknown and taken as 0";
    if (beyond == judged)
        return judged == 1 ? "the gap exceeds its interval" : "all gaps exceed their intervals";
    return beyond > 0    ? "some gaps are within their intervals"
           : judged == 1 ? "the gap is within its interval"
                         : "all gaps are within their intervals";
}

void es_compare_put_gap(const es_app *app, size_t number, char *out, size_t capacity) {
    const es_comparison *known = app->compare.known;
    const es_compared_pair *pair = &known->pair[number];
    if (isfinite(pair->gap))
        es_phrase_add(out, capacity, pair->without_errors ? " (gap %.3f)" : " (gap %.3f ±%.3f)",
                      fabs(pair->gap), known->z * pair->gap_error);
}

void es_compare_sentence(const es_app *app, size_t number, char *out, size_t capacity) {
    const es_compared_pair *pair = &app->compare.known->pair[number];
    const char a[] = {(char)('A' + pair->a), '\0'}, b[] = {(char)('A' + pair->b), '\0'};
    es_buf said = {0};
    es_compared_sentence(app->compare.known, number, a, b, &said);
    (void)snprintf(out, capacity, "%s", said.failed || said.data == NULL ? "" : said.data);
    es_buf_free(&said);
}
