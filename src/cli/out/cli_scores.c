/* The downstream scores that go with what is shown, with what is to be said of their file. */
#include "cli_out.h"

#include <stdio.h>
#include <string.h>

es_status es_cli_scores_as_written(const es_cli *cli, es_session *session,
                                   const es_scores_for *whose, es_scores *own,
                                   const es_scores **out, es_error *err) {
    *out = NULL;
    if (cli->options->scores == NULL)
        return session ? es_session_scores(session, NULL, out, err) : ES_OK;
    es_status st = es_scores_read_for(cli->options->scores, whose, NULL, own, err);
    if (st == ES_OK)
        st = es_scores_describe_beside(own, cli->options->scores, err);
    if (st == ES_OK)
        *out = own;
    else
        es_scores_deinit(own);
    return st;
}

/* ---- names ---- */

/* Embedders that may have scores: those of the pool that are used, or of a matrix from a file. */
static size_t list_names(es_session *session, const char **out) {
    const es_pool *pool = session ? es_session_pool(session) : NULL;
    const es_results *results = pool || !session ? NULL : es_session_results(session, 0);
    size_t count = 0, of = pool ? es_pool_count(pool) : results ? results->m : 0;
    for (size_t i = 0; i < of; i++) {
        const es_model *model = pool ? es_pool_model(pool, i) : NULL;
        if (model && model->state == ES_MODEL_EXCLUDED)
            continue;
        if (out)
            out[count] = model ? model->name : results ? results->name[i] : "";
        count++;
    }
    return count;
}

/* "3 names of the scores look like embedders here: E5-Small is probably e5-small (case), ..." */
static void note_proposals(const es_cli *cli, const es_join *join) {
    enum { SHOWN = 3 };
    es_buf text = {0};
    size_t count = 0;
    for (size_t i = 0; i < join->na; i++)
        if (join->proposed[i] != SIZE_MAX && count++ < SHOWN)
            es_buf_printf(&text, "%s'%s' may be '%s' (differs in %s)", count > 1 ? ", " : "",
                          join->b[join->proposed[i]], join->a[i],
                          es_name_match_words(join->how[i]));
    if (count > SHOWN)
        es_buf_printf(&text, " and %zu more", count - SHOWN);
    if (count > 0 && !text.failed)
        es_output_note(cli, "scores not used, since their names match no embedder here: %s; %s",
                       text.data,
                       (cli->command->groups & ES_OPTIONS_NAMES) != 0
                           ? "--accept-names joins them, --match A=B one"
                           : "`embedscope rank` joins them with --accept-names");
    es_buf_free(&text);
}

/* *out becomes *own, which may be changed. */
static es_status make_own(es_scores *own, const es_scores **out, es_error *err) {
    es_status st = *out == own ? ES_OK : es_scores_copy(*out, own, err);
    if (st == ES_OK)
        *out = own;
    return st;
}

es_status es_cli_scores_settle(const es_cli *cli, const es_join *join, es_scores *own,
                               const es_scores **out, es_error *err) {
    if ((*out)->parts && join->nb > 0) {
        bool *counts = es_cli_room(cli, join->nb, sizeof *counts);
        if (!counts)
            return es_no_memory(err);
        for (size_t k = 0; k < join->nb; k++)
            counts[k] = join->of_b[k] != SIZE_MAX;
        ES_PASS(make_own(own, out, err));
        ES_PASS(es_scores_settle(own, counts, err));
    }
    if ((*out)->remark)
        es_output_note(cli, "%s", (*out)->remark);
    return ES_OK;
}

static es_status rename_joined(const es_join *join, es_scores *own, const es_scores **out,
                               es_error *err) {
    for (size_t i = 0; i < join->na; i++) {
        size_t row = join->of_a[i];
        if (row == SIZE_MAX || join->how[i] == ES_NAME_EXACT)
            continue;
        ES_PASS(make_own(own, out, err));
        char *name = es_strdup(join->a[i]);
        if (!name)
            return es_no_memory(err);
        es_free(own->model[row]);
        own->model[row] = name;
    }
    return ES_OK;
}

es_status es_cli_scores(es_cli *cli, es_session *session, const es_scores **out, es_error *err) {
    es_join join = {0};
    es_error none = {0};
    es_scores *own = es_cli_room_scores(cli);
    const char **names = es_cli_room(cli, list_names(session, NULL), sizeof *names);
    es_status st = ES_OK;
    if (!own || !names)
        return es_no_memory(err);
    const es_scores_for whose = {.embedder = names, .n = list_names(session, names)};
    ES_TRY(es_cli_scores_as_written(cli, session, &whose, own, out, err));
    es_pool *pool = session ? es_session_pool(session) : NULL;
    if (cli->options->scores == NULL && pool && es_pool_scores_problem(pool))
        es_output_note(cli, "the scores are not used: %s", es_pool_scores_problem(pool));
    if (*out == NULL)
        goto done;
    if (session == NULL) {
        st = es_cli_scores_settle(cli, &join, own, out, err);
        goto done;
    }
    const es_scores *scores = *out;
    st = es_join_new(cli, names, whose.n, (const char *const *)scores->model, scores->models, &join,
                     &none);
    if (st == ES_EFORMAT) {
        ES_TRY(es_cli_scores_settle(cli, &join, own, out, err));
        es_output_note(cli, "the scores are not used: %s", none.message);
    } else if (st == ES_OK) {
        ES_TRY(es_cli_scores_settle(cli, &join, own, out, err));
        note_proposals(cli, &join);
        st = rename_joined(&join, own, out, err);
    } else if (err)
        *err = none;
done:
    es_join_deinit(&join);
    return st;
}

/* Marks the tasks that the comma-separated names or patterns choose; one that matches nothing is an
 * error. */
static es_status choose_tasks(es_cli *cli, const es_scores *scores, const char *globs, bool *chosen,
                              es_error *err) {
    char one[256];
    for (const char *at = globs; *at;) {
        size_t length = strcspn(at, ","), found = 0;
        (void)snprintf(one, sizeof one, "%.*s", (int)(length < 255 ? length : 255), at);
        for (size_t t = 0; t < scores->tasks; t++) {
            bool named = strcmp(one, scores->task[t]) == 0 || es_text_glob(one, scores->task[t]);
            chosen[t] = chosen[t] || named;
            found += named;
        }
        if (found == 0)
            return es_cli_unknown_name(cli, "task", one, (const char *const *)scores->task,
                                       scores->tasks, err);
        at += length + (at[length] == ',');
    }
    return ES_OK;
}

es_status es_cli_choose_tasks(es_cli *cli, const es_scores *scores, bool **out, es_error *err) {
    const es_texts *globs = &cli->options->with_tasks;
    *out = es_cli_room(cli, scores->tasks, sizeof **out);
    if (*out == NULL)
        return es_no_memory(err);
    for (size_t t = 0; globs->count == 0 && t < scores->tasks; t++)
        (*out)[t] = true;
    for (size_t k = 0; k < globs->count; k++)
        ES_PASS(choose_tasks(cli, scores, globs->items[k], *out, err));
    return ES_OK;
}
