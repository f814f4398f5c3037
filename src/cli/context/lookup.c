/* What the user names, found: an embedder by its exact name, or refused with the names that are
 * near. */
#include "cli_context.h"

#include <string.h>
#include <strings.h>

enum { MOST_NAMED = 3, LONGEST = 64 };

void *es_cli_room(const es_cli *cli, size_t count, size_t size) {
    void *room = cli->room->arena ? es_arena_alloc(cli->room->arena, count + 1, size) : NULL;
    if (room)
        memset(room, 0, count * size);
    return room;
}

es_scores *es_cli_room_scores(const es_cli *cli) {
    es_own_scores *own = es_cli_room(cli, 1, sizeof *own);
    if (own == NULL)
        return NULL;
    own->next = cli->room->scores;
    cli->room->scores = own;
    return &own->scores;
}

void es_command_room_end(es_command_room *room) {
    for (es_own_scores *own = room->scores; own; own = own->next)
        es_scores_deinit(&own->scores);
    es_arena_free(room->arena);
}

/* `part` is in `name`, whatever the case. */
static bool contains(const char *name, const char *part) {
    size_t length = strlen(part);
    for (; strlen(name) >= length; name++)
        if (strncasecmp(name, part, length) == 0)
            return true;
    return false;
}

/* How far `name` is from what was typed; SIZE_MAX: not near. */
static size_t distance(const char *typed, const char *name) {
    char start[LONGEST];
    es_suggestion near = {.word = typed};
    es_suggestion_offer(&near, name);
    /* its beginning, mistyped: mol2vc for mol2vec_128 */
    for (size_t length = strlen(typed); length >= 4 && length <= strlen(typed) + 1; length++)
        if (length < LONGEST && length < strlen(name)) {
            memcpy(start, name, length);
            start[length] = '\0';
            es_suggestion_offer(&near, start);
        }
    if (near.best)
        return near.distance;
    if (strlen(typed) >= 2 && contains(name, typed))
        return strlen(typed) / 3 + 1; /* behind everything that is merely mistyped */
    return SIZE_MAX;
}

/* The nearest names, "'a', 'b' or 'c'", nearest first. */
static void put_nearest(const char *typed, const char *const *names, size_t count, es_buf *out) {
    size_t chosen[MOST_NAMED], n = 0;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(typed, names[i]), at = n;
        if (d == SIZE_MAX)
            continue;
        while (at > 0 && distance(typed, names[chosen[at - 1]]) > d)
            at--;
        if (at == MOST_NAMED)
            continue;
        n = n < MOST_NAMED ? n + 1 : n;
        memmove(chosen + at + 1, chosen + at, (n - 1 - at) * sizeof *chosen);
        chosen[at] = i;
    }
    for (size_t k = 0; k < n; k++)
        es_buf_printf(out, "%s'%.120s'", k == 0 ? "" : k + 1 < n ? ", " : " or ", names[chosen[k]]);
}

static void put_first(const char *const *names, size_t count, es_buf *out) {
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        es_buf_printf(out, "%s'%.120s'", i ? ", " : "", names[i]);
    if (count > MOST_NAMED)
        es_buf_puts(out, ", ...");
}

es_status es_cli_unknown_name(es_cli *cli, const char *what, const char *name,
                              const char *const *names, size_t count, es_error *err) {
    es_buf near = {0};
    es_status st = ES_OK;
    put_nearest(name, names, count, &near);
    if (near.length > 0) {
        st =
            es_usage(cli, err, "no %s is called '%.120s'; did you mean %s?", what, name, near.data);
    } else {
        put_first(names, count, &near);
        st = es_usage(cli, err, "no %s is called '%.120s'; there are %s", what, name,
                      near.data ? near.data : "none");
    }
    es_buf_free(&near);
    return st;
}

static es_status refuse_left_out(es_cli *cli, const es_model *model, es_error *err) {
    es_buf reason = {0};
    if (cli->command->groups & ES_OPTIONS_DERIVE)
        es_pool_put_reason(model, &reason);
    else
        es_buf_puts(&reason, model->reason);
    es_status st = es_buf_check(&reason, err);
    if (st == ES_OK)
        st = es_usage(cli, err, "%s is left out: %s", model->name, reason.data);
    es_buf_free(&reason);
    return st;
}

es_status es_cli_model(es_cli *cli, es_session *session, size_t entry, const char *name,
                       size_t *position, es_error *err) {
    const es_results *results = es_session_results(session, entry);
    size_t found = es_results_find(results, name), mark = strlen(ES_DERIVED_MARK);
    if (found == SIZE_MAX && strncmp(name, ES_DERIVED_MARK, mark) == 0) /* as tables print it */
        found = es_results_find(results, name + mark);
    if (found != SIZE_MAX) {
        *position = found;
        return ES_OK;
    }
    es_pool *pool = es_session_pool(session);
    size_t in_pool = pool ? es_pool_find(pool, name) : SIZE_MAX;
    if (in_pool != SIZE_MAX)
        return refuse_left_out(cli, es_pool_model(pool, in_pool), err);
    return es_cli_unknown_name(cli, "embedder", name, (const char *const *)results->name,
                               results->m, err);
}

/* The options of a ranking as the report takes them: --aggregate and what it is made of. */

static size_t named_score(const es_options *options) {
    size_t k = ES_SCORE_PREDICTIVE;
    while (es_score_kind_names[k] && strcmp(es_score_kind_names[k], options->score) != 0)
        k++;
    return es_score_kind_names[k] ? k : SIZE_MAX;
}

const char *es_score_measure(const es_options *options) {
    return options->score && named_score(options) == SIZE_MAX ? options->score : NULL;
}

static es_score_kind kind_of(const es_options *options) {
    size_t named = options->score ? named_score(options) : SIZE_MAX;
    if (named != SIZE_MAX)
        return (es_score_kind)named;
    return es_options_given(options, "aggregate") || es_options_given(options, "unit")
               ? ES_SCORE_PUBLISHED
               : ES_SCORE_AUTO;
}

es_rank_choices es_rank_choices_of(const es_options *options, bool with_intervals) {
    static const es_aggregate aggregates[] = {
        [ES_BY_MEDIAN] = ES_AGGREGATE_MEDIAN,     [ES_BY_MEAN] = ES_AGGREGATE_MEAN,
        [ES_BY_Q75] = ES_AGGREGATE_QUANTILE,      [ES_BY_TRIMMED] = ES_AGGREGATE_TRIMMED,
        [ES_BY_BALANCED] = ES_AGGREGATE_BALANCED,
    };
    return (es_rank_choices){.score = kind_of(options),
                             .aggregate = aggregates[options->aggregate],
                             .unit = (es_unit)options->unit,
                             .include_self = options->include_self,
                             .leave_family_out = options->leave_family_out,
                             .with_intervals = with_intervals,
                             .targets = options->targets.items,
                             .n_targets = options->targets.count,
                             .with_derived = options->with_derived,
                             .resolution = options->resolution,
                             .seed = options->seed};
}
