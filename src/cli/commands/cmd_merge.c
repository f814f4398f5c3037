/* `embedscope merge`: results of other stores into the pool's. */
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "cli_out.h"
#include "cli_session.h"

enum { MOST_CONFLICTS = 5 }; /* of a store that are told one by one */

static const es_out_column columns[] = {
    {.key = "store", .title = "store", .flags = ES_COLUMN_KEY},
    {.key = "taken", .title = "taken", .kind = ES_COLUMN_COUNT},
    {.key = "known", .title = "known before", .kind = ES_COLUMN_COUNT},
    {.key = "conflicts", .title = "other values", .kind = ES_COLUMN_COUNT},
    {.key = "contents", .title = "other contents", .kind = ES_COLUMN_COUNT},
    {.key = "versions", .title = "other version", .kind = ES_COLUMN_COUNT},
    {.key = "unreadable", .title = "unreadable", .kind = ES_COLUMN_COUNT},
    {.key = "refused", .title = "refused"},
};

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

static void add_row(merge *x, const es_merged *m, const char *refused) {
    const size_t some[] = {m->conflicts, m->contents, m->versions, m->unreadable};
    es_table_out_text(x->stores, x->from);
    es_table_out_count(x->stores, refused ? SIZE_MAX : m->taken);
    es_table_out_count(x->stores, refused ? SIZE_MAX : m->known);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        es_table_out_count(x->stores, refused || some[i] == 0 ? SIZE_MAX : some[i]);
    es_table_out_text(x->stores, refused);
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

static void put_json(const es_document *d, es_json *json) {
    const merge *x = d->what;
    es_json_text(json, "pool", es_pool_name(x->pool));
    es_json_text(json, "store", es_store_path(x->to));
    es_table_out_json(x->stores, json, "stores");
    es_json_uint(json, "taken", x->all.taken);
    es_json_uint(json, "known", x->all.known);
    es_json_uint(json, "conflicts", x->all.conflicts);
    es_json_uint(json, "refused", x->refused);
}

static es_status put_text(const es_document *d, es_buf *out, es_error *err) {
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
    static const es_document_parts parts = {.schema = "merge", .text = put_text, .json = put_json};
    merge x = {.cli = cli, .rules = {.version = version_of, .conflict = note_conflict}};
    es_status st = ES_OK;
    x.rules.context = &x;
    if (cli->n_arguments < 2)
        return es_usage(cli, err,
                        "merge: name the pool and then stores: embedscope merge POOL "
                        "SHARE.db...");
    if (cli->options->no_store)
        return es_usage(cli, err, "merge: there is nothing to do with --no-store");
    x.stores = ES_TABLE_OUT(columns);
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
