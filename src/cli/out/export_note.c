/* Which embedders an export writes, by --show and --hide, and the note on everything that it does
 * not: whose results these are, who is hidden, who is left out of the pool and why. */
#include "cli_out.h"

#include <string.h>

/* ---- which embedders ---- */

void es_export_deinit(es_export *export) {
    es_free(export->shown);
    export->shown = NULL;
}

bool es_export_shows(const es_cli *cli, size_t position) {
    return cli->export == NULL || cli->export->shown == NULL || cli->export->shown[position];
}

static bool matches(const char *pattern, const char *name) {
    return strcmp(pattern, name) == 0 || es_text_glob(pattern, name);
}

/* Sets `flag` (m) for what the comma-separated patterns of a list name. */
static es_status apply(es_cli *cli, const es_results *results, const es_texts *list, bool value,
                       es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; st == ES_OK && k < list->count; k++) {
        char *copy = es_strdup(list->items[k]);
        if (copy == NULL)
            return es_no_memory(err);
        for (char *pattern = copy, *next = NULL; st == ES_OK && pattern; pattern = next) {
            next = strchr(pattern, ',');
            if (next)
                *next++ = '\0';
            size_t found = 0;
            for (size_t i = 0; pattern[0] && i < results->m; i++)
                if (matches(pattern, results->name[i])) {
                    cli->export->shown[i] = value;
                    found++;
                }
            if (pattern[0] && found == 0)
                st = es_cli_unknown_name(cli, "embedder", pattern,
                                         (const char *const *)results->name, results->m, err);
        }
        es_free(copy);
    }
    return st;
}

es_status es_export_attach(es_cli *cli, es_session *session, size_t entry, es_error *err) {
    es_export *export = cli->export;
    const es_options *o = cli->options;
    es_status st = ES_OK;
    if (export == NULL)
        return ES_OK;
    const es_results *results = es_session_results(session, entry);
    export->session = session;
    export->entry = entry;
    export->shown = es_alloc(results->m, sizeof *export->shown);
    if (export->shown == NULL)
        return es_no_memory(err);
    for (size_t i = 0; i < results->m; i++)
        export->shown[i] = o->show.count == 0;
    ES_TRY(apply(cli, results, &o->show, true, err));
    ES_TRY(apply(cli, results, &o->hide, false, err));
    size_t left = 0;
    for (size_t i = 0; i < results->m; i++)
        left += export->shown[i];
    if (left == 0)
        st = es_usage(cli, err, "--show and --hide leave no embedder to write");
done:
    return st;
}

/* ---- the note ---- */

const es_results *es_export_results(const es_export *export) {
    return export->session ? es_session_results(export->session, export->entry) : NULL;
}

/* A sentence behind what is there. */
static void put_gap(es_buf *out) {
    if (out->length > 0 && out->data[out->length - 1] != ' ')
        es_buf_putc(out, ' ');
}

static void put_hidden(const es_cli *cli, const es_results *r, es_buf *out) {
    size_t count = 0, named = 0;
    for (size_t i = 0; i < r->m; i++)
        count += !es_export_shows(cli, i);
    if (count == 0)
        return;
    put_gap(out);
    es_buf_printf(out, "%zu more not shown: ", count);
    for (size_t i = 0; i < r->m; i++)
        if (!es_export_shows(cli, i))
            es_buf_printf(out, "%s%s", named++ ? ", " : "", r->name[i]);
    es_buf_putc(out, '.');
}

/* name: of the pool; NULL: it is the only one. */
static void put_excluded(es_pool *pool, const char *name, es_buf *out) {
    size_t count = 0;
    for (size_t i = 0; i < es_pool_count(pool); i++) {
        const es_model *model = es_pool_model(pool, i);
        if (model->state != ES_MODEL_EXCLUDED)
            continue;
        if (count == 0)
            put_gap(out);
        if (count == 0)
            es_buf_printf(out, "Excluded%s%s: ", name ? " of " : "", name ? name : "");
        es_buf_printf(out, "%s%s (%s)", count++ ? ", " : "", model->name,
                      model->reason ? model->reason : "");
    }
    es_buf_puts(out, count ? "." : "");
}

static void put_derived(const es_words *derived, es_buf *out) {
    if (derived->count == 0)
        return;
    put_gap(out);
    for (size_t i = 0; i < derived->count; i++)
        es_buf_printf(out, "%s%s", i > 0 ? ", " : "Derived, left out: ", derived->word[i]);
    es_buf_putc(out, '.');
}

void es_export_note(const es_cli *cli, es_buf *out) {
    const es_results *r = es_export_results(cli->export);
    const es_export_pools *several = &cli->export->several;
    for (size_t k = 0; k < several->count; k++) {
        const char *name = NULL;
        es_session *session = several->session(several->what, k, &name);
        put_excluded(es_session_pool(session), name, out);
    }
    if (r == NULL)
        return;
    es_pool *pool = es_session_pool(cli->export->session);
    if (cli->export->measures) {
        put_gap(out);
        es_buf_printf(out, "Seed %llu, %zu rows.", (unsigned long long)cli->options->seed,
                      pool ? es_pool_rows(pool) : 0);
    } else if (r->estimator) {
        put_gap(out);
        es_buf_printf(out, "Estimator %s (%s), seed %llu, %zu rows.", r->estimator->name,
                      es_results_preset(r), (unsigned long long)r->seed,
                      pool ? es_pool_rows(pool) : 0);
    }
    if (r->done < r->m * r->m && !cli->export->measures) {
        put_gap(out);
        es_buf_printf(out, "%zu of %zu pairs are known.", r->done, r->m * r->m);
    }
    put_hidden(cli, r, out);
    if (pool) {
        put_excluded(pool, NULL, out);
        put_derived(es_pool_derived_left_out(pool), out);
    }
}
