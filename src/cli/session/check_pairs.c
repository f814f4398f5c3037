/* Stored pairs estimated again. Every set of pairs, of one estimator with its settings and seed, is
 * a session of its own that reads nothing from the store and estimates the chosen pairs alone. */
#include "cli_session.h"

#include <math.h>
#include <string.h>

/* ---- what is stored ---- */

typedef struct listing {
    const es_cli *cli;
    const es_session *shown;
    const es_pool *pool;
    es_checked_pairs *out;
    size_t run_capacity, pair_capacity;
} listing;

static bool is_chosen(const listing *l, const es_store_key *key) {
    const es_options *o = l->cli->options;
    if (!o->estimator && !o->preset && o->settings.count == 0 && o->folds == 0)
        return true;
    for (size_t e = 0; e < es_session_plan(l->shown); e++) {
        const es_config *config = es_session_config(l->shown, e);
        bool one_preset = o->preset || o->settings.count > 0 || o->folds > 0;
        if (strcmp(config->estimator->name, key->estimator) == 0 &&
            (!one_preset || strcmp(config->text, key->settings) == 0))
            return true;
    }
    return false;
}

static bool is_of_this_version(const es_store_key *key) {
    for (size_t i = 0; es_estimators[i]; i++)
        if (strcmp(es_estimators[i]->name, key->estimator) == 0)
            return es_estimators[i]->version == key->version;
    return false;
}

static es_status list_run(void *context, const es_store_key *key, es_error *err) {
    listing *l = context;
    if (!es_digest_equal(key->rowset, es_pool_rowset(l->pool)) || !is_of_this_version(key) ||
        !is_chosen(l, key))
        return ES_OK;
    es_checked_run *more =
        es_grow(l->out->run, l->out->runs, &l->run_capacity, sizeof *l->out->run);
    if (!more)
        return es_no_memory(err);
    l->out->run = more;
    es_checked_run *run = &more[l->out->runs];
    *run = (es_checked_run){.key = *key};
    run->key.estimator = es_strdup(key->estimator);
    run->key.settings = es_strdup(key->settings);
    l->out->runs++; /* from here on it is released with the others */
    return run->key.estimator && run->key.settings ? ES_OK : es_no_memory(err);
}

static size_t find_contents(const es_pool *pool, bool target, es_digest digest) {
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state == ES_MODEL_READY &&
            es_digest_equal(target ? es_model_target_digest(model) : model->digest, digest))
            return i;
    }
    return SIZE_MAX;
}

static es_status list_pair(void *context, es_store_pair *pair, es_error *err) {
    listing *l = context;
    size_t source = find_contents(l->pool, false, pair->source);
    size_t target = find_contents(l->pool, true, pair->target);
    if (pair->failed || source == SIZE_MAX || target == SIZE_MAX)
        return ES_OK;
    es_checked_pair *more =
        es_grow(l->out->pair, l->out->pairs, &l->pair_capacity, sizeof *l->out->pair);
    if (!more)
        return es_no_memory(err);
    l->out->pair = more;
    more[l->out->pairs++] = (es_checked_pair){.stored = pair->result.is,
                                              .again = (double)NAN,
                                              .run = (uint32_t)(l->out->runs - 1),
                                              .source = (uint32_t)source,
                                              .target = (uint32_t)target};
    return ES_OK;
}

static es_status list_stored(const es_cli *cli, es_session *shown, es_store *store,
                             es_checked_pairs *out, es_error *err) {
    listing l = {.cli = cli, .shown = shown, .pool = es_session_pool(shown), .out = out};
    es_status st = es_store_runs(store, list_run, &l, err);
    size_t runs = out->runs;
    for (size_t i = 0; i < runs && st == ES_OK; i++) {
        out->runs = i + 1; /* which list_pair looks at */
        out->run[i].begin = out->pairs;
        st = es_store_load(store, &out->run[i].key, false, list_pair, &l, err);
        out->run[i].end = out->pairs;
    }
    out->runs = runs;
    return st;
}

/* Which embedders some wanted pair of a run has as its source, and as its target. */
typedef struct covering {
    bool *source, *target; /* (models) */
} covering;

static void cover(covering *c, es_checked_pair *pair) {
    pair->wanted = true;
    c->source[pair->source] = c->target[pair->target] = true;
}

/* A file that was rewritten spoils all pairs of its embedder, as source or as target, and maybe of
 * one run alone: a few pairs more, until each embedder is in some of each run both ways. A pair of
 * one embedder with itself may come out alike from other contents, and does not count. `order`
 * (pairs of the run): their places in the order in which they are tried. */
static void cover_run(es_checked_pairs *out, const es_checked_run *run, const uint32_t *order,
                      covering *c) {
    size_t pairs = run->end - run->begin;
    for (size_t i = run->begin; i < run->end; i++)
        if (out->pair[i].wanted && out->pair[i].source != out->pair[i].target)
            cover(c, &out->pair[i]);
    for (int both = 1; both >= 0; both--) /* first those that help two */
        for (size_t k = 0; k < pairs; k++) {
            es_checked_pair *pair = &out->pair[run->begin + order[k]];
            bool source = !c->source[pair->source], target = !c->target[pair->target];
            if (pair->source != pair->target && (both ? source && target : source || target))
                cover(c, pair);
        }
}

static es_status cover_all(es_checked_pairs *out, size_t models, uint64_t seed, es_error *err) {
    bool *seen = es_alloc(2 * models, sizeof *seen);
    uint32_t *order = es_alloc(out->pairs, sizeof *order);
    es_status st = seen && order ? ES_OK : es_no_memory(err);
    for (size_t r = 0; r < out->runs && st == ES_OK; r++) {
        const es_checked_run *run = &out->run[r];
        covering c = {seen, seen + models};
        es_rng rng;
        memset(seen, 0, 2 * models * sizeof *seen);
        for (size_t k = 0; k < run->end - run->begin; k++)
            order[k] = (uint32_t)k;
        es_rng_init(&rng, seed, es_rng_stream(ES_STREAM_SPLIT, r));
        es_rng_shuffle(&rng, order, run->end - run->begin);
        cover_run(out, run, order, &c);
    }
    es_free(seen);
    es_free(order);
    return st;
}

/* Draws the pairs to be checked; sample 0: all of them. */
static es_status sample_pairs(es_checked_pairs *out, size_t sample, size_t models, uint64_t seed,
                              es_error *err) {
    size_t count = sample == 0 || sample > out->pairs ? out->pairs : sample;
    if (count == 0)
        return ES_OK;
    uint32_t *chosen = es_alloc(count, sizeof *chosen);
    es_status st =
        chosen ? es_sample_rows(out->pairs, count, seed, chosen, err) : es_no_memory(err);
    for (size_t i = 0; i < count && st == ES_OK; i++)
        out->pair[chosen[i]].wanted = true;
    es_free(chosen);
    return st == ES_OK ? cover_all(out, models, seed, err) : st;
}

/* ---- again ---- */

/* One run under way: a session of its own, and where the pool's models are in its results. */
typedef struct again {
    es_cli *cli;
    es_store *store;
    const es_pool *pool; /* of the session that lists */
    es_checked_pairs *checked;
    es_session *session;
    const es_results *results;
    size_t *position; /* (models of the pool) SIZE_MAX: not in the results */
} again;

/* The user's command with what this run needs; --set target=... stays. */
static es_status open_run(again *a, const es_store_key *key, es_error *err) {
    const char *settings[3] = {key->settings, NULL, NULL};
    es_options options = *a->cli->options;
    es_cli cli = *a->cli;
    for (size_t i = 0; i < options.settings.count; i++)
        if (strncmp(options.settings.items[i], "target=", 7) == 0)
            settings[1] = options.settings.items[i];
    options.estimator = key->estimator;
    options.preset = NULL;
    options.settings = (es_texts){settings, settings[1] ? 2 : 1};
    options.folds = 0;
    options.seed = key->seed;
    options.no_store = true;
    options.null = false;
    cli.options = &options;
    es_status st = es_cli_open(&cli, ES_ACCESS_ESTIMATE, true, &a->session, err);
    if (st == ES_OK)
        st = es_cli_wait_checked(&cli, a->session, err);
    a->cli->exit_code = cli.exit_code;
    return st;
}

static es_status find_positions(again *a, es_error *err) {
    const es_pool *pool = es_session_pool(a->session);
    a->results = es_session_results(a->session, 0);
    a->position = es_alloc(es_pool_count(a->pool), sizeof *a->position);
    if (!a->position)
        return es_no_memory(err);
    for (size_t i = 0; i < es_pool_count(a->pool); i++)
        a->position[i] = SIZE_MAX;
    for (size_t p = 0; p < a->results->m; p++) {
        const es_model *now = es_pool_model(pool, a->results->model[p]);
        size_t at = es_pool_find(a->pool, now->name);
        if (at != SIZE_MAX && es_digest_equal(es_pool_model(a->pool, at)->digest, now->digest))
            a->position[at] = p;
    }
    return ES_OK;
}

static bool find_cell(const again *a, const es_checked_pair *pair, size_t *out) {
    size_t source = a->position[pair->source], target = a->position[pair->target];
    if (source == SIZE_MAX || target == SIZE_MAX)
        return false;
    *out = source * a->results->m + target;
    return true;
}

/* Estimates the drawn pairs of one stored run once more. */
static es_status estimate_again(again *a, const es_checked_run *run, es_error *err) {
    size_t m = a->results->m, cell, count = 0;
    uint8_t *only = es_alloc_zero(m * m, 1);
    if (!only)
        return es_no_memory(err);
    for (size_t i = run->begin; i < run->end; i++) {
        const es_checked_pair *pair = &a->checked->pair[i];
        if (pair->wanted && pair->outcome == ES_CHECK_OPEN && find_cell(a, pair, &cell)) {
            only[cell] = 1;
            count++;
        }
    }
    es_status st = count > 0 ? es_session_only(a->session, 0, only, err) : ES_OK;
    es_free(only);
    if (st == ES_OK && count > 0)
        st = es_session_start(a->session, err);
    if (st == ES_OK && count > 0)
        st = es_cli_wait_checked(a->cli, a->session, err);
    return st;
}

static bool same_bits(double a, double b) {
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y || (isnan(a) && isnan(b));
}

/* What of a pair is not what is stored, and its two values; NULL: all of it is. */
static const char *difference(const again *a, size_t cell, const es_pair_result *stored,
                              es_checked_pair *pair) {
    const es_results *r = a->results;
    const float *pmi = r->pmi[cell];
    const struct {
        const char *what;
        double stored, again;
    } parts[] = {
        {"a pair that comes out otherwise", stored->is, r->is[cell]},
        {"a standard error that comes out otherwise", stored->se, r->se[cell]},
        {"an entropy that comes out otherwise", stored->h_cond, r->h_cond[cell]},
        {"a target's entropy that comes out otherwise", stored->h, r->h[cell % r->m]},
        {"an information that comes out otherwise", stored->information, r->information[cell]},
        {"a penalty that comes out otherwise", stored->lambda, r->lambda[cell]}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!same_bits(parts[i].stored, parts[i].again)) {
            pair->stored = parts[i].stored;
            pair->again = parts[i].again;
            return parts[i].what;
        }
    return pmi && stored->pmi && stored->n_eval == r->n_eval &&
                   memcmp(pmi, stored->pmi, r->n_eval * sizeof *pmi) != 0
               ? "values of rows that come out otherwise"
               : NULL;
}

/* Of another build or processor: no farther off than the estimate is uncertain. */
static bool is_near(double stored, double again_, double se) {
    double room = 1e-6 * fmax(1, fabs(stored));
    return fabs(stored - again_) <= (isfinite(se) && se > room ? se : room);
}

/* Compares a stored value with the one estimated again, and sets the outcome. */
static es_status compare_pair(again *a, const es_checked_run *run, es_checked_pair *pair,
                              es_error *err) {
    size_t cell;
    es_digest source, target;
    es_store_pair stored = {0};
    char *origin = NULL;
    es_checked_digests(a->pool, pair, &source, &target);
    pair->outcome = ES_CHECK_FAILED;
    if (!find_cell(a, pair, &cell) || a->results->state[cell] != ES_PAIR_DONE)
        return ES_OK;
    es_status st = es_store_get(a->store, &run->key, source, target, true, &stored, err);
    if (st == ES_ENOTFOUND)
        return ES_OK; /* replaced or taken out by another process */
    if (st == ES_OK)
        st = es_store_origin(a->store, &run->key, source, target, &origin, err);
    if (st == ES_OK) {
        const es_pair_result *r = &stored.result;
        pair->again = a->results->is[cell];
        bool near = !es_provenance_same_bits(es_session_provenance(a->session), origin) &&
                    is_near(r->is, pair->again, r->se);
        es_checked_pair found = *pair;
        found.what = difference(a, cell, r, &found);
        pair->outcome = !found.what ? ES_CHECK_SAME : ES_CHECK_NEAR;
        if (found.what && !near) {
            *pair = found;
            pair->outcome = ES_CHECK_OTHER;
        }
    }
    es_free(origin);
    es_free(stored.reason);
    es_free(stored.result.pmi);
    return st;
}

static es_status check_run(es_cli *cli, es_store *store, const es_pool *pool,
                           es_checked_pairs *checked, const es_checked_run *run, es_error *err) {
    again a = {.cli = cli, .store = store, .pool = pool, .checked = checked};
    es_status st = open_run(&a, &run->key, err);
    if (st == ES_EINVAL && cli->exit_code == ES_EXIT_OK) { /* settings that nobody can have given */
        for (size_t i = run->begin; i < run->end; i++)
            if (checked->pair[i].wanted)
                checked->pair[i].outcome = ES_CHECK_FAILED;
        st = ES_OK;
        goto done;
    }
    if (st == ES_OK)
        st = find_positions(&a, err);
    if (st == ES_OK)
        st = estimate_again(&a, run, err);
    for (size_t i = run->begin; i < run->end && st == ES_OK; i++) {
        es_checked_pair *pair = &checked->pair[i];
        if (pair->wanted && pair->outcome == ES_CHECK_OPEN)
            st = compare_pair(&a, run, pair, err);
    }
done:
    es_free(a.position);
    es_session_close(a.session);
    return st;
}

static es_status check_wanted(es_cli *cli, es_store *store, const es_pool *pool,
                              es_checked_pairs *checked, es_error *err) {
    es_status st = ES_OK;
    for (size_t r = 0; r < checked->runs && st == ES_OK; r++) {
        const es_checked_run *run = &checked->run[r];
        bool any = false;
        for (size_t i = run->begin; i < run->end; i++)
            any = any || (checked->pair[i].wanted && checked->pair[i].outcome == ES_CHECK_OPEN);
        if (any)
            st = check_run(cli, store, pool, checked, run, err);
    }
    return st;
}

/* Wrong pairs come by the file: want all pairs of the embedders of those found. */
static es_status want_suspects(es_checked_pairs *checked, size_t models, es_error *err) {
    bool *suspect = es_alloc_zero(models, sizeof *suspect);
    if (!suspect)
        return es_no_memory(err);
    for (size_t i = 0; i < checked->pairs; i++)
        if (checked->pair[i].outcome == ES_CHECK_OTHER)
            suspect[checked->pair[i].source] = suspect[checked->pair[i].target] = true;
    for (size_t i = 0; i < checked->pairs; i++)
        if (suspect[checked->pair[i].source] || suspect[checked->pair[i].target])
            checked->pair[i].wanted = true;
    es_free(suspect);
    return ES_OK;
}

es_status es_check_pairs(es_cli *cli, es_session *shown, es_store *store, size_t sample,
                         es_checked_pairs *out, es_error *err) {
    es_checked_pairs checked = {0};
    const es_pool *pool = es_session_pool(shown);
    es_status st = ES_OK;
    ES_TRY(list_stored(cli, shown, store, &checked, err));
    ES_TRY(sample_pairs(&checked, sample, es_pool_count(pool), cli->options->seed, err));
    ES_TRY(check_wanted(cli, store, pool, &checked, err));
    ES_TRY(want_suspects(&checked, es_pool_count(pool), err));
    ES_TRY(check_wanted(cli, store, pool, &checked, err));
    for (size_t i = 0; i < checked.pairs; i++) {
        const es_checked_pair *pair = &checked.pair[i];
        checked.count[pair->outcome]++;
        if (pair->outcome == ES_CHECK_NEAR)
            checked.farthest = fmax(checked.farthest, fabs(pair->stored - pair->again));
    }
    *out = checked;
    checked = (es_checked_pairs){0};
done:
    es_checked_pairs_deinit(&checked);
    return st;
}

void es_checked_pairs_deinit(es_checked_pairs *checked) {
    for (size_t i = 0; i < checked->runs; i++) {
        es_free((void *)(uintptr_t)checked->run[i].key.estimator);
        es_free((void *)(uintptr_t)checked->run[i].key.settings);
    }
    es_free(checked->run);
    es_free(checked->pair);
    *checked = (es_checked_pairs){0};
}

void es_checked_digests(const es_pool *pool, const es_checked_pair *pair, es_digest *source,
                        es_digest *target) {
    *source = es_pool_model(pool, pair->source)->digest;
    *target = es_model_target_digest(es_pool_model(pool, pair->target));
}
