/* The best known value of every pair: while the plan's last estimator is at work, the one before it
 * stands in where there is nothing better yet. Such a value is a preview and is drawn as one. */

#include "app_state.h"
#include "app_values.h"

size_t es_refine_base(const es_app *app) {
    return app->source->plan > 1 && app->source->predictive == 0 ? 1 : 0;
}

size_t es_refine_first(const es_app *app) {
    size_t base = es_refine_base(app);
    const es_results *first = app->source->results[0],
                     *own = base == 0 ? NULL : app->source->results[base];
    return own == NULL || first == NULL || first->done <= own->done ? base : 0;
}

/* What a source's row was made of, and what is known of it: a run changes few between two looks,
 * and only those are made anew. */
typedef struct es_merged_row {
    uint64_t seen; /* sum of its revisions */
    uint32_t done, failed, previews, refined;
} es_merged_row;

/* True if previews and refined values are to be merged. A single estimator, one chosen by hand, and
 * a finished plan are shown as they are; values that rise with the fit and errors that fall do not
 * mix. */
static bool wanted(const es_app *app, size_t plan) {
    const es_source *s = app->source;
    size_t first = es_refine_first(app);
    if (plan < first + 2 || app->wanted_entry != ES_NONE)
        return false;
    const es_results *last = s->results[plan - 1];
    if (last == NULL || last->done + last->failed >= last->m * last->m)
        return false;
    for (size_t e = first; e < plan; e++)
        if (s->results[e] == NULL || s->lower_is_better[e] != s->lower_is_better[first])
            return false;
    return true;
}

/* Allocates the matrix of best known values, once. */
static bool reserve_merged(es_app *app, size_t m) {
    if (app->merged != NULL)
        return true; /* the number of models does not change */
    es_results *r = es_alloc_zero(1, sizeof *r);
    size_t pairs = m * m + 1;
    if (r == NULL)
        return false;
    app->merged = r;
    r->is = es_alloc(pairs, sizeof *r->is);
    r->se = es_alloc(pairs, sizeof *r->se);
    r->h_cond = es_alloc(pairs, sizeof *r->h_cond);
    r->seconds = es_alloc(pairs, sizeof *r->seconds);
    r->state = es_alloc_zero(pairs, sizeof *r->state);
    r->reason = es_alloc_zero(pairs, sizeof *r->reason);
    r->pmi = es_alloc_zero(pairs, sizeof *r->pmi);
    app->origin = es_alloc_zero(pairs, sizeof *app->origin);
    app->merged_row = es_alloc_zero(m + 1, sizeof *app->merged_row);
    if (r->is != NULL && r->se != NULL && r->h_cond != NULL && r->seconds != NULL &&
        r->state != NULL && r->reason != NULL && r->pmi != NULL && app->origin != NULL &&
        app->merged_row != NULL)
        return true;
    es_refine_free(app);
    return false;
}

void es_refine_free(es_app *app) {
    es_results *r = app->merged;
    if (r != NULL) { /* the arrays are the app's, what they point to is the source's */
        void *const blocks[] = {r->is,     r->se,  r->h_cond,   r->seconds,     r->state,
                                r->reason, r->pmi, app->origin, app->merged_row};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            es_free(blocks[i]);
    }
    es_free(r);
    app->merged = NULL;
    app->origin = NULL;
    app->merged_row = NULL;
}

static void copy_cell(es_results *out, const es_results *from, size_t cell) {
    out->is[cell] = from->is[cell];
    out->se[cell] = from->se[cell];
    out->h_cond[cell] = from->h_cond[cell];
    out->seconds[cell] = from->seconds[cell];
    out->state[cell] = from->state[cell];
    out->reason[cell] = from->reason == NULL ? NULL : from->reason[cell];
    bool rows = from->pmi != NULL && from->n_eval == out->n_eval;
    out->pmi[cell] = rows ? from->pmi[cell] : NULL;
}

static bool ended(const es_results *r, size_t cell) {
    return r->state[cell] == ES_PAIR_DONE || r->state[cell] == ES_PAIR_FAILED;
}

/* The last entry that is through with the pair; where none is, the first. */
static size_t best_entry(const es_results *const *results, size_t first, size_t plan, size_t cell) {
    size_t entry = plan - 1;
    while (entry > first && !ended(results[entry], cell))
        entry--;
    return entry;
}

/* What revisions are added to: a sum from one entry on is never one from another. */
static uint64_t revision_base(size_t first) {
    return ((uint64_t)first << 48) + 1;
}

/* 0: nobody can tell. */
static uint64_t revision_of_row(const es_source *s, size_t first, size_t plan, size_t row) {
    uint64_t sum = revision_base(first);
    for (size_t e = first; e < plan; e++) {
        if (s->results[e]->row_revision == NULL)
            return 0;
        sum += s->results[e]->row_revision[row];
    }
    return sum;
}

static void merge_row(es_app *app, size_t first, size_t plan, size_t row, es_merged_row *to) {
    const es_results *const *results = app->source->results;
    es_results *out = app->merged;
    *to = (es_merged_row){.seen = to->seen};
    for (size_t j = 0; j < out->m; j++) {
        size_t cell = row * out->m + j, entry = best_entry(results, first, plan, cell);
        copy_cell(out, results[entry], cell);
        app->origin[cell] = (uint8_t)entry;
        bool done = out->state[cell] == ES_PAIR_DONE, refined = entry + 1 == plan;
        to->done += done;
        to->failed += out->state[cell] == ES_PAIR_FAILED;
        to->previews += done && row != j && !refined;
        to->refined += done && row != j && refined;
    }
}

/* What all cells share; true when per-row values of cells that stay must be looked at again. */
static bool take_rest(es_app *app, const es_results *first, const es_results *last, size_t plan) {
    es_results *out = app->merged;
    const es_results kept = *out;
    *out = *last;
    out->is = kept.is;
    out->se = kept.se;
    out->h_cond = kept.h_cond;
    out->seconds = kept.seconds;
    out->state = kept.state;
    out->reason = kept.reason;
    out->pmi = kept.pmi;
    if (last->null_done == 0)
        out->null = first->null;
    if (out->n_eval == 0) /* nothing is refined yet */
        out->n_eval = first->n_eval;
    out->done = out->failed = 0;
    size_t from = es_refine_first(app);
    out->revision = revision_base(from);
    for (size_t e = from; e < plan; e++)
        out->revision += app->source->results[e]->revision;
    return kept.n_eval != out->n_eval;
}

const es_results *es_refine_merge(es_app *app) {
    const es_source *s = app->source;
    size_t plan = s->plan, first = es_refine_first(app);
    bool fresh = app->merged == NULL;
    app->previews = app->refined = 0;
    if (!wanted(app, plan))
        return NULL;
    const es_results *last = s->results[plan - 1];
    if (!reserve_merged(app, last->m))
        return NULL; /* then the best single one is shown */
    fresh = take_rest(app, s->results[first], last, plan) || fresh;
    es_results *out = app->merged;
    for (size_t i = 0; i < last->m; i++) {
        es_merged_row *row = &app->merged_row[i];
        uint64_t now = revision_of_row(s, first, plan, i);
        if (fresh || now == 0 || row->seen != now)
            merge_row(app, first, plan, i, row);
        row->seen = now;
        out->done += row->done;
        out->failed += row->failed;
        app->previews += row->previews;
        app->refined += row->refined;
    }
    return out;
}

uint64_t es_refine_row_revision(const es_app *app, size_t row) {
    const es_results *r = app->results;
    return es_app_merged(app)        ? app->merged_row[row].seen
           : r->row_revision == NULL ? 0
                                     : r->row_revision[row] + 1;
}

size_t es_refine_entry(const es_app *app, size_t source, size_t target) {
    size_t s = app->position[source], t = app->position[target];
    if (!es_app_merged(app) || s == ES_NONE || t == ES_NONE)
        return app->entry;
    return app->origin[s * app->results->m + t];
}

const char *es_refine_whose(const es_app *app) {
    const es_source *s = app->source;
    const char *whose = "";
    size_t count = 0;
    for (size_t e = es_refine_first(app); es_app_merged(app) && e + 1 < s->plan; e++)
        if (s->results[e]->done > 0) {
            whose = s->title[e];
            count++;
        }
    return count == 1 ? whose : "";
}

bool es_refine_preview(const es_app *app, size_t source, size_t target) {
    return es_app_merged(app) && es_refine_entry(app, source, target) != app->entry &&
           es_app_pair_state(app, source, target) == ES_PAIR_DONE;
}
