/* `embedscope merge`: results of other stores into the pool's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_out.h"
#include "cli_session.h"
#include "cmd.h"

enum { MOST_CONFLICTS = 5 }; /* of a store that are told one by one */

#define MERGED(C)                                                                                  \
    C(TEXT, "store", "store", ES_COLUMN_KEY, x->from)                                              \
    C(COUNT, "taken", "taken", 0, refused ? SIZE_MAX : m->taken)                                   \
    C(COUNT, "known", "known before", 0, refused ? SIZE_MAX : m->known)                            \
    C(COUNT, "conflicts", "other values", 0, none(m->conflicts, refused))                          \
    C(COUNT, "contents", "other contents", 0, none(m->contents, refused))                          \
    C(COUNT, "versions", "other version", 0, none(m->versions, refused))                           \
    C(COUNT, "unreadable", "unreadable", 0, none(m->unreadable, refused))                          \
    C(TEXT, "refused", "refused", 0, refused)

static const es_out_column merge_columns[] = ES_COLUMNS_OF(MERGED);

typedef struct merge {
    es_cli *cli;
    es_session *session; /* only looks */
    es_pool *pool;
    es_store *to;
    es_merge_rules rules;
    es_digest *contents;
    es_table_out *stores;
    const char *from; /* the store under way, as the user wrote it; cleaned */
    size_t told;      /* of its conflicts */
    es_merged all;    /* sums */
    size_t refused;   /* stores */
} merge;

/* ---- what comes in ---- */

static unsigned version_of(const char *estimator) {
    static const char prefix[] = "measure ";
    bool measure = strncmp(estimator, prefix, sizeof prefix - 1) == 0;
    const char *name = measure ? estimator + sizeof prefix - 1 : estimator;
    for (size_t i = 0; !measure && es_estimators[i]; i++)
        if (strcmp(es_estimators[i]->name, name) == 0)
            return es_estimators[i]->version;
    const es_measure *found = measure ? es_measure_find(name) : NULL;
    return found ? found->version : 0;
}

/* The embedder of these contents, as a source or as a target. */
static const char *name_of(const es_pool *pool, es_digest digest) {
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *m = es_pool_model(pool, i);
        if (m->state == ES_MODEL_READY &&
            (es_digest_equal(m->digest, digest) ||
             es_digest_equal(es_target_digest(m->digest, ES_KIND_BINARY), digest)))
            return m->name;
    }
    return "the zero line";
}

static void note_conflict(void *context, const es_merge_conflict *c) {
    merge *x = context;
    if (++x->told > MOST_CONFLICTS)
        return;
    es_output_note(x->cli, "%s: %s, %s -> %s: %.17g there, %.17g here: skipped", x->from,
                   c->key.estimator, name_of(x->pool, c->source), name_of(x->pool, c->target),
                   c->there, c->here);
}

/* ---- one store after the other ---- */

/* What a reader need not see: nothing, or that of a refused store. */
static size_t none(size_t count, const char *refused) {
    return refused || count == 0 ? SIZE_MAX : count;
}

static void add_row(merge *x, const es_merged *m, const char *refused) {
    ES_PUT_ROW(MERGED, x->stores);
    x->all.taken += m->taken;
    x->all.known += m->known;
    x->all.conflicts += m->conflicts;
    x->all.contents += m->contents;
    x->all.versions += m->versions;
    x->all.unreadable += m->unreadable;
    x->refused += refused != NULL;
}

/* Reports the values of a store that were not merged, by reason. */
static void note_skipped(const merge *x, const es_merged *m) {
    if (m->conflicts > MOST_CONFLICTS)
        es_output_note(x->cli, "%s: %zu more values that differ here: skipped", x->from,
                       m->conflicts - MOST_CONFLICTS);
    if (m->contents > 0)
        es_output_note(x->cli, "%s: %zu of other contents than the pool's files have: not taken",
                       x->from, m->contents);
    if (m->versions > 0)
        es_output_note(x->cli,
                       "%s: %zu of another version of an estimator or measure: not taken; "
                       "estimate them by this version",
                       x->from, m->versions);
    if (m->unreadable > 0)
        es_output_note(x->cli, "%s: %zu damaged: not taken; estimate them again", x->from,
                       m->unreadable);
}

/* Nothing of it belongs to this pool: likely the wrong one. */
static bool is_another_pools(const es_merged *m) {
    return m->taken + m->known + m->conflicts == 0 && m->contents > 0;
}

static es_status merge_open(merge *x, es_store *from, es_error *err) {
    es_merged m = {0};
    if (es_store_same(x->to, from))
        return es_fail(err, ES_EINVAL, "this is the pool's own store");
    ES_PASS(es_store_merge(x->to, from, &x->rules, &m, err));
    note_skipped(x, &m);
    add_row(x, &m, is_another_pools(&m) ? "of another pool" : NULL);
    return ES_OK;
}

/* What is wrong with a store is reported for that store, and the others go on; what is wrong with
 * the pool's ends it all. */
static es_status merge_store(merge *x, const char *path, es_error *err) {
    const es_store_waiting waiting = es_cli_waiting(x->cli);
    const es_merged nothing = {0};
    char shown[ES_PATH_LABEL];
    es_store *from = NULL;
    es_error why = {0};
    x->from = es_path_label(shown, path);
    x->told = 0;
    es_status st = es_store_open_file(path, true, &waiting, &from, &why);
    bool opened = st == ES_OK;
    if (opened)
        st = merge_open(x, from, &why);
    es_store_close(from);
    bool of_pool = opened && (st == ES_EIO || st == ES_EBUSY || st == ES_ENOMEM);
    if (st == ES_OK || of_pool || st == ES_ENOMEM)
        return st == ES_OK ? st : es_fail(err, st, "%s", why.message);
    es_output_note(x->cli, "%s: nothing was taken: %s", x->from, why.message);
    add_row(x, &nothing, why.message);
    return ES_OK;
}

/* ---- writing ---- */

static void put_merge_json(const es_document *d, es_json *json) {
    const merge *x = d->what;
    es_json_text(json, "pool", es_pool_name(x->pool));
    es_json_text(json, "store", es_store_path(x->to));
    es_table_out_json(x->stores, json, "stores");
    es_json_uint(json, "taken", x->all.taken);
    es_json_uint(json, "known", x->all.known);
    es_json_uint(json, "conflicts", x->all.conflicts);
    es_json_uint(json, "refused", x->refused);
}

static es_status put_merge_text(const es_document *d, es_buf *out, es_error *err) {
    const merge *x = d->what;
    size_t width = d->format == ES_FORMAT_TABLE ? es_output_width(d->cli) : 0;
    es_status st = es_table_out_write(x->stores, d->format, width, out, err);
    if (d->format == ES_FORMAT_TABLE)
        es_buf_printf(out, "%s: %zu results taken, %zu known before\n", es_pool_name(x->pool),
                      x->all.taken, x->all.known);
    return st;
}

static es_status open_all(es_cli *cli, merge *x, es_error *err) {
    const es_store_waiting waiting = es_cli_waiting(cli);
    es_status st = ES_OK;
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, false, &x->session, err));
    ES_TRY(es_cli_wait_checked(cli, x->session, err));
    es_cli_note_excluded(cli, x->session);
    x->pool = es_session_pool(x->session);
    ES_TRY(es_session_contents(x->session, &x->contents, &x->rules.n_contents, err));
    x->rules.contents = x->contents;
    st = es_store_open_saying(es_pool_path(x->pool), false, &waiting, &x->to, err);
done:
    return st;
}

es_status es_cmd_merge(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {
        .schema = "merge", .text = put_merge_text, .json = put_merge_json};
    merge x = {.cli = cli, .rules = {.version = version_of, .conflict = note_conflict}};
    es_status st = ES_OK;
    x.rules.context = &x;
    if (cli->n_arguments < 2)
        return es_usage(cli, err,
                        "merge: name the pool and then stores: embedscope merge POOL "
                        "SHARE.db...");
    if (cli->options->no_store)
        return es_usage(cli, err, "merge: there is nothing to do with --no-store");
    x.stores = ES_TABLE_OUT(merge_columns);
    ES_TRY(open_all(cli, &x, err));
    for (size_t i = 1; i < cli->n_arguments; i++)
        ES_TRY(merge_store(&x, cli->arguments[i], err));
    ES_TRY(es_document_write(&parts, (es_document){cli, x.session, 0, &x, ES_FORMAT_DEFAULT}, err));
    if (x.refused > 0 || x.all.conflicts > 0)
        cli->exit_code = ES_EXIT_BAD_INPUT;
done:
    es_table_out_free(x.stores);
    es_free(x.contents);
    es_store_close(x.to);
    es_session_close(x.session);
    return st;
}

/* `embedscope check`: is what is stored what the files and the estimators say? --repair takes out
 * what is not. */

#define FINDING(C)                                                                                 \
    C(TEXT, "what", "what", ES_COLUMN_KEY, what)                                                   \
    C(TEXT, "estimator", "estimator", 0, key ? key->estimator : NULL)                              \
    C(TEXT, "settings", "settings", ES_COLUMN_DATA_ONLY, key ? key->settings : NULL)               \
    C(COUNT, "seed", "seed", ES_COLUMN_DATA_ONLY, key ? (size_t)key->seed : SIZE_MAX)              \
    C(TEXT, "source", "source", 0, source)                                                         \
    C(TEXT, "target", "target", 0, pair ? es_pool_model(c->pool, pair->target)->name : NULL)       \
    C(NUMBER, "stored", "stored", 6, 0, pair ? pair->stored : (double)NAN)                         \
    C(NUMBER, "again", "again", 6, 0, pair ? pair->again : (double)NAN)                            \
    C(COUNT, "results", "results", 0, results)                                                     \
    C(FLAG, "repaired", "repaired", 0, repaired)

static const es_out_column check_columns[] = ES_COLUMNS_OF(FINDING);

typedef struct check {
    es_session *session; /* only looks */
    es_pool *pool;
    es_store *store;
    es_store_survey survey;
    es_checked_pairs pairs;
    es_table_out *findings;
    size_t files, found, repaired;
    bool repair;
} check;

/* pair NULL: it is about neither a pair nor an estimator. */
static void add_finding(check *c, const char *what, const es_checked_pair *pair, const char *source,
                        size_t results, bool repaired) {
    const es_store_key *key = pair ? &c->pairs.run[pair->run].key : NULL;
    ES_PUT_ROW(FINDING, c->findings);
    c->found++;
    c->repaired += repaired;
}

/* Every file was read and hashed when the session was checked. Results that earlier versions stored
 * under a digest that the file's size and time of modification no longer stand for may be of either
 * contents. */
static es_status check_files(check *c, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < es_pool_count(c->pool) && st == ES_OK; i++) {
        const es_model *m = es_pool_model(c->pool, i);
        es_digest old;
        size_t sources = 0, targets = 0;
        if (m->state != ES_MODEL_READY)
            continue;
        c->files++;
        if (!es_store_believed(c->store, m->path, m->name, m->file_bytes, m->mtime_ns, &old) ||
            es_digest_equal(old, m->digest))
            continue;
        es_digest binary = es_target_digest(old, ES_KIND_BINARY);
        ES_TRY(es_store_count_contents(c->store, old, &sources, err));
        ES_TRY(es_store_count_contents(c->store, binary, &targets, err));
        if (c->repair) {
            ES_TRY(es_store_remove_contents(c->store, binary, err));
            ES_TRY(es_store_remove_contents(c->store, old, err));
        }
        add_finding(c, "a file replaced by one of the same size and time: results of either", NULL,
                    m->name, sources + targets, c->repair);
    }
done:
    return st;
}

static es_status check_store(check *c, es_error *err) {
    es_store_survey mended;
    bool bad = false;
    ES_PASS(es_store_check(c->store, &c->survey, err));
    for (size_t i = 0; i < ES_STORE_FAULTS; i++)
        bad = bad || c->survey.fault[i] > 0;
    if (c->repair && bad)
        ES_PASS(es_store_mend(c->store, err));
    ES_PASS(es_store_check(c->store, &mended, err));
    if (strcmp(c->survey.pages, "ok") != 0)
        add_finding(c, "a damaged store: move it away and estimate again", NULL, c->survey.pages,
                    SIZE_MAX, strcmp(mended.pages, "ok") == 0);
    for (size_t i = 0; i < ES_STORE_FAULTS; i++)
        if (c->survey.fault[i] > 0)
            add_finding(c, es_store_fault_text(i), NULL, NULL, c->survey.fault[i],
                        mended.fault[i] == 0);
    return ES_OK;
}

static es_status find_pair(check *c, const es_checked_pair *pair, es_error *err) {
    const es_checked_run *run = &c->pairs.run[pair->run];
    bool wrong = pair->outcome == ES_CHECK_OTHER;
    es_digest source, target;
    es_checked_digests(c->pool, pair, &source, &target);
    if (wrong && c->repair)
        ES_PASS(es_store_remove(c->store, &run->key, source, target, err));
    add_finding(c, wrong ? pair->what : "a pair that cannot be estimated again", pair,
                es_pool_model(c->pool, pair->source)->name, 1, wrong && c->repair);
    return ES_OK;
}

static es_status check_values(es_cli *cli, check *c, es_error *err) {
    es_status st = es_check_pairs(cli, c->session, c->store, cli->options->pairs, &c->pairs, err);
    for (size_t i = 0; i < c->pairs.pairs && st == ES_OK; i++)
        if (c->pairs.pair[i].outcome == ES_CHECK_OTHER ||
            c->pairs.pair[i].outcome == ES_CHECK_FAILED)
            st = find_pair(c, &c->pairs.pair[i], err);
    return st;
}

/* ---- writing ---- */

static size_t estimated(const check *c) {
    return c->pairs.pairs - c->pairs.count[ES_CHECK_OPEN];
}

static void put_check_json(const es_document *d, es_json *json) {
    const check *c = d->what;
    const size_t *count = c->pairs.count;
    es_json_text(json, "pool", es_pool_name(c->pool));
    es_json_uint(json, "files", c->files);
    es_json_begin_object(json, "store");
    es_json_text(json, "path", es_store_path(c->store));
    es_json_text(json, "pages", c->survey.pages);
    es_json_uint(json, "pairs", c->survey.pairs);
    es_json_uint(json, "measured", c->survey.measured);
    es_json_end(json);
    es_json_begin_object(json, "pairs");
    es_json_uint(json, "of_this_pool", c->pairs.pairs);
    es_json_uint(json, "seed", d->cli->options->seed);
    es_json_uint(json, "estimated", estimated(c));
    es_json_uint(json, "same", count[ES_CHECK_SAME]);
    es_json_uint(json, "near", count[ES_CHECK_NEAR]);
    es_json_double(json, "farthest", count[ES_CHECK_NEAR] > 0 ? c->pairs.farthest : (double)NAN);
    es_json_uint(json, "other", count[ES_CHECK_OTHER]);
    es_json_uint(json, "failed", count[ES_CHECK_FAILED]);
    es_json_end(json);
    es_table_out_json(c->findings, json, "findings");
    es_json_uint(json, "found", c->found);
    es_json_uint(json, "repaired", c->repaired);
}

static es_status put_check_text(const es_document *d, es_buf *out, es_error *err) {
    const check *c = d->what;
    const size_t *count = c->pairs.count;
    if (d->format != ES_FORMAT_TABLE) /* csv, md, tex: what was found */
        return es_table_out_write(c->findings, d->format, 0, out, err);
    es_buf_printf(out, "%s: %zu files read again\n", es_pool_name(c->pool), c->files);
    es_buf_printf(out, "%s: %zu pairs and %zu values of measures; its pages: %s\n",
                  es_store_path(c->store), c->survey.pairs, c->survey.measured, c->survey.pages);
    es_buf_printf(out,
                  "%zu of the %zu pairs of this pool as it is now estimated again: %zu the same",
                  estimated(c), c->pairs.pairs, count[ES_CHECK_SAME]);
    if (count[ES_CHECK_NEAR] > 0)
        es_buf_printf(out, ", %zu of another build or processor within %.2g", count[ES_CHECK_NEAR],
                      c->pairs.farthest);
    if (count[ES_CHECK_OTHER] > 0)
        es_buf_printf(out, ", %zu otherwise", count[ES_CHECK_OTHER]);
    if (count[ES_CHECK_FAILED] > 0)
        es_buf_printf(out, ", %zu could not be", count[ES_CHECK_FAILED]);
    es_buf_putc(out, '\n');
    if (c->found == 0) {
        size_t open = count[ES_CHECK_OPEN];
        es_buf_puts(out, "nothing is wrong in what was looked at");
        if (open + c->survey.measured > 0)
            es_buf_printf(out, "; not computed again: %zu pairs%s, %zu values of measures", open,
                          open > 0 ? " (--pairs 0 takes all)" : "", c->survey.measured);
        es_buf_putc(out, '\n');
        return ES_OK;
    }
    es_buf_putc(out, '\n');
    es_status st =
        es_table_out_write(c->findings, ES_FORMAT_TABLE, es_output_width(d->cli), out, err);
    es_buf_printf(out, "\n%zu found, %zu repaired", c->found, c->repaired);
    es_buf_puts(out, c->repair          ? "; run `embedscope estimate` for what was taken out\n"
                     : c->repaired == 0 ? "; --repair removes wrong results\n"
                                        : "\n");
    return st;
}

/* The store to look at, or to repair. */
static es_status open_store(es_cli *cli, check *c, es_error *err) {
    const es_store_waiting waiting = es_cli_waiting(cli);
    const char *path = es_pool_path(c->pool);
    es_status st = es_store_open_saying(path, true, &waiting, &c->store, err);
    if (st == ES_ENOTFOUND)
        return es_fail(err, ES_EEMPTY, "%s: no results are stored; run `embedscope estimate`",
                       es_pool_name(c->pool));
    if (st == ES_OK && c->repair) {
        es_store_close(c->store);
        c->store = NULL;
        st = es_store_open_saying(path, false, &waiting, &c->store, err);
    }
    return st;
}

es_status es_cmd_check(es_cli *cli, es_error *err) {
    es_status st = ES_OK;
    check c = {.repair = cli->options->repair};
    es_looks *looks = cli->looks;
    if (cli->options->no_store)
        return es_usage(cli, err, "check: --no-store leaves nothing to check");
    cli->looks = NULL; /* every file is read */
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, false, &c.session, err));
    ES_TRY(es_cli_wait_checked(cli, c.session, err));
    es_cli_note_excluded(cli, c.session);
    c.pool = es_session_pool(c.session);
    c.findings = ES_TABLE_OUT(check_columns);
    ES_TRY(open_store(cli, &c, err));
    ES_TRY(check_store(&c, err));
    ES_TRY(check_files(&c, err));
    ES_TRY(check_values(cli, &c, err));
    static const es_document_parts parts = {
        .schema = "check", .text = put_check_text, .json = put_check_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, c.session, 0, &c, ES_FORMAT_DEFAULT}, err));
    if (c.found > c.repaired) {
        cli->exit_code = ES_EXIT_FAILED_PAIRS;
        es_output_note(cli, "%s: %zu things are wrong with what is stored", es_pool_name(c.pool),
                       c.found - c.repaired);
    }
done:
    es_table_out_free(c.findings);
    es_checked_pairs_deinit(&c.pairs);
    es_store_close(c.store);
    es_session_close(c.session);
    cli->looks = looks;
    return st;
}
