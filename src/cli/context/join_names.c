/* Names of a ranking joined with those of downstream scores. Only equal names are joined unasked: a
 * near name is proposed, since a wrong join would go unnoticed into every number. */
#include "cli_context.h"

#include <string.h>

void es_join_deinit(es_join *join) {
    es_free(join->of_a);
    es_free(join->of_b);
    es_free(join->proposed);
    es_free(join->how);
    *join = (es_join){0};
}

/* Joins name a of one list with name b of the other. */
static void join_pair(es_join *j, size_t a, size_t b) {
    j->of_a[a] = b;
    j->of_b[b] = a;
    j->count++;
}

static size_t position_of(const char *const *names, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(names[i], name, length) == 0 && names[i][length] == '\0')
            return i;
    return SIZE_MAX;
}

/* "A=B", where either name may hold an equals sign: the split that names two known ones. */
static es_status accept_pair(es_cli *cli, es_join *j, const char *text, es_error *err) {
    const char *first = strchr(text, '=');
    if (first == NULL || first == text || first[1] == '\0')
        return es_usage(cli, err,
                        "--match takes A=B, a name of the ranking and one of the scores, not '%s'",
                        text);
    const char *equals = first;
    size_t a = SIZE_MAX, b = SIZE_MAX;
    for (; equals; equals = strchr(equals + 1, '=')) {
        a = position_of(j->a, j->na, text, (size_t)(equals - text));
        b = position_of(j->b, j->nb, equals + 1, strlen(equals + 1));
        if (a != SIZE_MAX && b != SIZE_MAX)
            break;
    }
    if (a == SIZE_MAX || b == SIZE_MAX) {
        char left[256] = {0};
        size_t length = (size_t)(first - text);
        memcpy(left, text, length < sizeof left ? length : sizeof left - 1);
        if (position_of(j->a, j->na, left, strlen(left)) == SIZE_MAX)
            return es_cli_unknown_name(cli, "embedder of the ranking", left, j->a, j->na, err);
        return es_cli_unknown_name(cli, "embedder of the scores", first + 1, j->b, j->nb, err);
    }
    if (j->of_a[a] != SIZE_MAX || j->of_b[b] != SIZE_MAX)
        return es_usage(cli, err, "--match %s: '%s' is joined already, with '%s'", text,
                        j->of_a[a] != SIZE_MAX ? j->a[a] : j->b[b],
                        j->of_a[a] != SIZE_MAX ? j->b[j->of_a[a]] : j->a[j->of_b[b]]);
    join_pair(j, a, b);
    return ES_OK;
}

/* Equal names are joined, the others proposed. */
static es_status match_names(es_join *j, es_error *err) {
    es_status st = es_names_match(j->a, j->na, j->b, j->nb, j->proposed, j->how, err);
    for (size_t i = 0; st == ES_OK && i < j->na; i++)
        if (j->how[i] == ES_NAME_EXACT) {
            join_pair(j, i, j->proposed[i]);
            j->proposed[i] = SIZE_MAX;
        }
    return st;
}

/* A proposal whose names have found other partners is none. */
static void settle_proposals(es_join *j, bool accept) {
    for (size_t i = 0; i < j->na; i++) {
        if (j->proposed[i] == SIZE_MAX)
            continue;
        bool free_still = j->of_a[i] == SIZE_MAX && j->of_b[j->proposed[i]] == SIZE_MAX;
        if (free_still && accept)
            join_pair(j, i, j->proposed[i]);
        if (!free_still || accept)
            j->proposed[i] = SIZE_MAX;
    }
}

static void put_first(const char *const *names, size_t count, es_buf *out) {
    for (size_t i = 0; i < count && i < 3; i++)
        es_buf_printf(out, "%s'%.60s'", i ? ", " : "", names[i]);
    es_buf_puts(out, count > 3 ? ", ..." : "");
}

static es_status nothing_in_common(const es_join *j, es_error *err) {
    es_buf text = {0};
    size_t proposed = 0;
    for (size_t i = 0; i < j->na; i++)
        proposed += j->proposed[i] != SIZE_MAX;
    es_buf_puts(&text, "no name of the ranking is among the scores: the ranking has ");
    put_first(j->a, j->na, &text);
    es_buf_puts(&text, "; the scores have ");
    put_first(j->b, j->nb, &text);
    if (proposed)
        es_buf_printf(&text, "; %zu look%s alike: join %s with --accept-names", proposed,
                      proposed == 1 ? "s" : "", proposed == 1 ? "it" : "them");
    else
        es_buf_puts(&text, "; join them with --match A=B");
    es_status st = es_fail(err, ES_EFORMAT, "%s", text.data ? text.data : "no name in common");
    es_buf_free(&text);
    return st;
}

es_status es_join_new(es_cli *cli, const char *const *a, size_t na, const char *const *b, size_t nb,
                      es_join *out, es_error *err) {
    es_status st = ES_OK;
    es_join j = {.a = a, .b = b, .na = na, .nb = nb};
    j.of_a = es_alloc(na, sizeof *j.of_a);
    j.of_b = es_alloc(nb, sizeof *j.of_b);
    j.proposed = es_alloc(na, sizeof *j.proposed);
    j.how = es_alloc(na, sizeof *j.how);
    ES_FAIL_IF(!j.of_a || !j.of_b || !j.proposed || !j.how, es_no_memory(err));
    memset(j.of_a, 0xff, na * sizeof *j.of_a); /* SIZE_MAX */
    memset(j.of_b, 0xff, nb * sizeof *j.of_b);
    ES_TRY(match_names(&j, err));
    for (size_t i = 0; i < cli->options->matches.count; i++)
        ES_TRY(accept_pair(cli, &j, cli->options->matches.items[i], err));
    settle_proposals(&j, cli->options->accept_names);
    ES_FAIL_IF(j.count == 0, nothing_in_common(&j, err));
    *out = j;
    j = (es_join){0};
done:
    es_join_deinit(&j);
    return st;
}
