/* The document of a run that is not begun: pairs, operations, time and memory, one line an entry of
 * the plan, and what machines like this one would make of it. The pool is opened as by a command
 * that only shows: nothing is written. */
#include "cli_reports.h"

#include <math.h>
#include <stdio.h>

#include "cli_session.h"

typedef struct plan {
    es_outlook look;
    es_error refused; /* code ES_OK: it may begin */
} plan;

static const es_out_column columns[] = {
    {.key = "estimator", .title = "estimator", .flags = ES_COLUMN_KEY},
    {.key = "preset", .title = "preset", .flags = ES_COLUMN_KEY},
    {.key = "pairs", .title = "pairs", .kind = ES_COLUMN_COUNT},
    {.key = "operations", .title = "Gflop", .kind = ES_COLUMN_NUMBER, .flags = ES_COLUMN_DATA_ONLY},
    ES_NUMBER("thread_seconds", "seconds", NULL, 0, ES_COLUMN_DATA_ONLY),
    ES_NUMBER("largest_pair_bytes", "bytes", NULL, 0, ES_COLUMN_DATA_ONLY),
    ES_NUMBER("gflop", "Gflop", NULL, 1, ES_COLUMN_SHOWN_ONLY),
    ES_NUMBER("seconds", "seconds of a thread", NULL, 1, ES_COLUMN_SHOWN_ONLY),
    ES_NUMBER("mb", "MB of its largest pair", NULL, 0, ES_COLUMN_SHOWN_ONLY),
};

static es_table_out *make_table(const es_document *d) {
    const plan *p = d->what;
    es_table_out *t = ES_TABLE_OUT(columns);
    for (size_t e = 0; e < p->look.parts; e++) {
        const es_config *config = es_session_config(d->session, e);
        const es_outlook_part *part = &p->look.part[e];
        es_table_out_text(t, config->estimator->name);
        es_table_out_text(t, config->preset);
        es_table_out_count(t, part->pairs);
        es_table_out_number(t, part->operations);
        es_table_out_number(t, part->seconds);
        es_table_out_number(t, part->largest);
        es_table_out_number(t, part->operations / 1e9);
        es_table_out_number(t, part->seconds);
        es_table_out_number(t, part->largest / 1048576);
    }
    return t;
}

static void put_json(const es_document *d, es_json *json) {
    const plan *p = d->what;
    const es_outlook *o = &p->look;
    const es_pool *pool = es_session_pool(d->session);
    es_json_text(json, "pool", es_pool_name(pool));
    es_json_uint(json, "embedders", es_pool_usable(pool));
    es_json_uint(json, "controls", es_pool_controls(pool));
    es_json_uint(json, "rows", es_pool_rows(pool));
    es_table_out *t = make_table(d);
    es_table_out_json(t, json, "plan");
    es_table_out_free(t);
    es_json_uint(json, "pairs", o->pairs);
    es_json_double(json, "operations", o->operations);
    es_json_double(json, "operations_per_second", o->rate);
    es_json_bool(json, "rate_from_pairs", o->measured);
    es_json_double(json, "seconds", o->seconds);
    es_json_uint(json, "threads", o->threads);
    es_json_uint(json, "pairs_at_once", o->at_once);
    es_json_begin_object(json, "memory");
    es_json_double(json, "allowed", o->memory);
    es_json_double(json, "peak", o->peak);
    es_json_double(json, "standing", o->standing);
    es_json_double(json, "largest_pair", o->largest);
    es_json_text(json, "refused", p->refused.code == ES_OK ? NULL : p->refused.message);
    es_json_end(json);
    if (o->nodes > 0) {
        es_json_begin_object(json, "nodes");
        es_json_uint(json, "count", o->nodes);
        es_json_double(json, "seconds", o->node_seconds);
        es_json_double(json, "speed_up", o->speed_up);
        es_json_end(json);
    }
}

static void put_nodes(const es_outlook *o, es_buf *out) {
    char time[32];
    (void)es_duration_text(time, sizeof time, o->node_seconds);
    es_buf_printf(out, "on %zu machines like this one: %s, %.1f times as fast (%.0f %% of %zu)\n",
                  o->nodes, time, o->speed_up, 100 * o->speed_up / (double)o->nodes, o->nodes);
}

static void put_caption(const es_document *d, es_buf *out) {
    const plan *p = d->what;
    const es_outlook *o = &p->look;
    const es_pool *pool = es_session_pool(d->session);
    char time[32], peak[32], allowed[32], count[ES_COUNT_TEXT];
    (void)es_duration_text(time, sizeof time, o->seconds);
    (void)es_bytes_text(peak, sizeof peak, o->peak);
    (void)es_bytes_text(allowed, sizeof allowed, o->memory);
    es_buf_printf(out, "%s: %s, %zu rows, %zu pairs to estimate", es_pool_name(pool),
                  es_pool_count_text(pool, count, sizeof count), es_pool_rows(pool), o->pairs);
    if (o->pairs == 0) {
        es_buf_puts(out, ": all are known\n");
        return;
    }
    es_buf_printf(out, "\n%.3g operations, about %s on %u thread%s at %.1f Gflop/s each (%s)\n",
                  o->operations, time, o->at_once, o->at_once == 1 ? "" : "s", o->rate / 1e9,
                  o->measured ? "as pairs known took" : "two fifths of what products reach here");
    if (o->at_once < o->threads)
        es_buf_printf(out, "memory lets %u of %u threads work at once\n", o->at_once, o->threads);
    if (p->refused.code == ES_OK)
        es_buf_printf(out, "memory: %s at most, of %s that may be used\n", peak, allowed);
    else
        es_buf_printf(out, "memory: %s\n", p->refused.message);
    if (o->nodes > 0)
        put_nodes(o, out);
}

es_status es_outlook_write(es_cli *cli, es_error *err) {
    static const es_document_parts parts = {
        .schema = "plan", .table = make_table, .caption = put_caption, .json = put_json};
    enum { MOST_NODES = 100000 };
    es_session *session = NULL;
    plan p = {.refused = {.code = ES_OK}};
    es_status st = ES_OK;
    if (cli->options->nodes > MOST_NODES)
        return es_usage(cli, err, "--nodes takes a number up to %d", (int)MOST_NODES);
    ES_TRY(es_cli_open(cli, ES_ACCESS_SHOW, false, &session, err));
    ES_TRY(es_cli_wait(cli, session, err));
    ES_TRY(es_session_store_problem(session, err));
    es_cli_note_excluded(cli, session);
    ES_TRY(es_session_outlook(session, cli->options->nodes, &p.look, err));
    if (es_session_fits(session, &p.refused) != ES_OK)
        cli->exit_code = ES_EXIT_BAD_INPUT;
    ES_TRY(es_document_write(&parts, (es_document){cli, session, 0, &p, ES_FORMAT_DEFAULT}, err));
done:
    es_session_close(session);
    return st;
}
