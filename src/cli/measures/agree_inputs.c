/* What `agree` sets side by side, as the options ask: what is stored, the choices, models.csv and
 * the scores; with a note on what lacks or counts twice. */
#include "cli_measures.h"

#include <stdio.h>
#include <string.h>

/* The predictive score, and information sufficiency as published. */
static es_status add_sufficiency(const es_cli *cli, es_session *session, es_agree_scores *s,
                                 es_error *err) {
    size_t entry = es_session_best(session), predictive = es_session_predictive(session);
    const es_results *r = es_session_results(session, predictive);
    es_rank_choices how = es_rank_choices_of(cli->options, false);
    if (r && r->done > 0 && how.score != ES_SCORE_PUBLISHED) {
        how.score = ES_SCORE_PREDICTIVE;
        es_status st = es_agree_scores_add_ranking(s, NULL, r, &how, err);
        if (st != ES_OK)
            return st;
    }
    how.score = ES_SCORE_PUBLISHED;
    if (entry == SIZE_MAX || entry == predictive) {
        es_output_note(cli,
                       "information sufficiency is not stored; `embedscope estimate %s` adds it",
                       cli->arguments[0]);
        return ES_OK;
    }
    r = es_session_results(session, entry);
    es_status st = es_agree_scores_add_ranking(s, NULL, r, &how, err);
    if (st == ES_OK && r->done < r->m * r->m)
        es_output_note(cli, "%zu of %zu pairs of %s are stored; scores are over those", r->done,
                       r->m * r->m, r->estimator->name);
    return st;
}

static es_status add_choice(const es_choice *c, es_agree_scores *s, es_error *err) {
    char name[160];
    size_t field = c->field == SIZE_MAX ? 0 : c->field;
    es_choice_name(c, field, name, sizeof name);
    return es_agree_scores_add_measure(s, name, c->measured, field, err);
}

es_status es_agree_read_models(const char *path, const es_results *names, es_agree_scores *s,
                               es_error *err) {
    char label[ES_PATH_LABEL];
    es_scores file = {0};
    const es_scores_for whose = {
        .embedder = (const char *const *)names->name, .n = names->m, .facts = true};
    es_status st = es_scores_read_for(path, &whose, NULL, &file, err);
    if (st == ES_OK && file.tasks > ES_AGREE_MODELS)
        st = es_fail(err, ES_EINVAL, "%s: has %zu columns of numbers; at most %d are compared",
                     es_path_label(label, path), file.tasks, ES_AGREE_MODELS);
    if (st == ES_OK)
        st = es_agree_scores_add_known(s, names, &file, "of models.csv", err);
    es_scores_deinit(&file);
    return st;
}

static es_status add_models(const es_cli *cli, es_session *session, es_agree_scores *s,
                            es_error *err) {
    const es_scores *facts = NULL;
    es_error why = {0};
    char *path = NULL;
    es_status st = es_pool_beside(es_session_pool(session), "models.csv", &path, err);
    if (st != ES_OK || !path)
        return st;
    st = es_agree_read_models(path, es_session_results(session, 0), s, &why);
    es_free(path);
    if (st == ES_OK && es_pool_models(es_session_pool(session), &facts, NULL) == ES_OK && facts &&
        facts->remark)
        es_output_note(cli, "%s", facts->remark);
    return st == ES_OK || st == ES_ENOTFOUND ? ES_OK : es_fail(err, st, "%s", why.message);
}

/* The published score by an estimator outside the plan, at its defaults, where that is stored;
 * released. */
static es_status add_stored(const es_cli *cli, es_stored_score *stored, es_agree_scores *s,
                            es_error *err) {
    es_status st = stored->score ? es_agree_scores_add_stored(s, stored, err) : ES_OK;
    if (st == ES_OK && stored->known < stored->of)
        es_output_note(cli, "%zu of %zu pairs of %s are stored; scores are over those",
                       stored->known, stored->of, stored->estimator->name);
    es_stored_score_deinit(stored);
    return st;
}

static es_status add_l2(const es_cli *cli, const es_session *session, es_agree_scores *s,
                        es_error *err) {
    es_stored_score l2;
    es_status st = es_session_baseline_read(session, &l2, err);
    return st == ES_OK ? add_stored(cli, &l2, s, err) : st;
}

/* Downstream values of the embedders: of one task, or their mean rank. */
static es_status take_scores(es_cli *cli, const es_results *names, const es_scores *scores,
                             es_agree_scores *s, es_error *err) {
    size_t unknown = 0;
    const char *against = cli->options->against;
    size_t column = against ? es_task_column_find(scores, against) : es_downstream_column(scores);
    if (column == SIZE_MAX)
        return es_cli_unknown_name(cli, "task", against, (const char *const *)scores->task,
                                   scores->tasks, err);
    es_status st = es_agree_scores_against(s, names, scores, column, &unknown, err);
    if (st == ES_OK && unknown > 0)
        es_output_note(cli, "%zu of %zu embedders %s not in the scores", unknown, s->n,
                       unknown == 1 ? "is" : "are");
    return st;
}

es_status es_agree_columns(es_cli *cli, es_session *session, const es_choices *choices,
                           es_agree_scores *out, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    es_agree_scores s = {0};
    es_status st = ES_OK;
    ES_TRY(es_agree_scores_init(&s, session, names, err));
    ES_TRY(add_sufficiency(cli, session, &s, err));
    for (size_t i = 0; i < choices->count; i++)
        ES_TRY(add_choice(&choices->item[i], &s, err));
    ES_TRY(es_agree_scores_add_dimension(&s, names, err));
    ES_TRY(add_models(cli, session, &s, err));
    ES_TRY(add_l2(cli, session, &s, err));
    *out = s;
    s = (es_agree_scores){0};
done:
    es_agree_scores_deinit(&s);
    return st;
}

/* A column for each fact that the table of scores has; those of models.csv are there already. */
static es_status add_facts(const es_results *names, const es_scores *scores, es_agree_scores *s,
                           es_error *err) {
    es_status st = ES_OK;
    for (size_t k = 0; st == ES_OK && k < scores->facts && k < ES_AGREE_MODELS; k++) {
        const es_scores one = {.models = scores->models,
                               .model = scores->model,
                               .tasks = 1,
                               .task = &scores->fact[k],
                               .value = es_alloc(scores->models, sizeof *one.value)};
        for (size_t i = 0; one.value && i < scores->models; i++)
            one.value[i] = scores->fact_value[i * scores->facts + k];
        if (!one.value)
            st = es_no_memory(err);
        else if (es_text_index((const char *const *)s->name, s->k, scores->fact[k]) == SIZE_MAX)
            st = es_agree_scores_add_known(s, names, &one, "of the scores", err);
        es_free(one.value);
    }
    return st;
}

static es_status add_downstream(es_cli *cli, es_session *session, bool facts, es_agree_scores *s,
                                es_error *err) {
    const es_scores *scores = NULL;
    ES_PASS(es_cli_scores(cli, session, &scores, err));
    if (scores && facts)
        ES_PASS(add_facts(es_session_results(session, 0), scores, s, err));
    if (scores)
        return take_scores(cli, es_session_results(session, 0), scores, s, err);
    if (cli->options->against)
        return es_fail(err, ES_ENOTFOUND,
                       "--against %s: no scores.csv in the pool; name one with --scores FILE.csv",
                       cli->options->against);
    return ES_OK;
}

es_status es_agree_downstream(es_cli *cli, es_session *session, es_agree_scores *s, es_error *err) {
    return add_downstream(cli, session, false, s, err);
}

/* Every field that ranks, or the one that was named. */
static es_status add_fields(const es_choice *c, es_agree_scores *s, es_error *err) {
    const es_measure *m = c->measured->measure;
    es_status st = ES_OK;
    for (size_t f = 0; f < m->n_fields && st == ES_OK; f++) {
        es_choice one = *c;
        one.field = f;
        if (c->field == SIZE_MAX ? !m->fields[f].fact : c->field == f)
            st = add_choice(&one, s, err);
    }
    return st;
}

es_status es_agree_fields(es_cli *cli, es_session *session, const es_choices *choices,
                          es_agree_scores *out, es_error *err) {
    es_agree_scores s = {0};
    es_status st = ES_OK;
    ES_TRY(es_agree_scores_init(&s, session, es_session_results(session, 0), err));
    for (size_t i = 0; i < choices->count; i++)
        ES_TRY(add_fields(&choices->item[i], &s, err));
    ES_FAIL_IF(s.k == 0, es_usage(cli, err, "panels show measures: --score NAME,NAME, or all"));
    ES_TRY(es_agree_downstream(cli, session, &s, err));
    ES_TRY(es_agree_scores_settle_against(&s, cli->options->seed, err));
    *out = s;
    s = (es_agree_scores){0};
done:
    es_agree_scores_deinit(&s);
    return st;
}

es_status es_agree_inputs(es_cli *cli, es_session *session, const es_choices *choices,
                          es_agree_scores *out, es_error *err) {
    es_agree_scores s = {0};
    es_status st = ES_OK;
    ES_TRY(es_agree_columns(cli, session, choices, &s, err));
    ES_TRY(add_downstream(cli, session, true, &s, err));
    ES_TRY(es_agree_scores_settle(&s, cli->options->seed, err));
    *out = s;
    s = (es_agree_scores){0};
done:
    es_agree_scores_deinit(&s);
    return st;
}

/* ---- rivals ---- */

/* The predictive score, and the published one by every estimator that is stored. */
static es_status add_rankings(const es_cli *cli, es_session *session, es_agree_scores *s,
                              es_error *err) {
    es_rank_choices how = es_rank_choices_of(cli->options, false);
    size_t predictive = es_session_predictive(session), found = 0;
    es_status st = ES_OK;
    for (size_t entry = 0; entry < es_session_plan(session) && st == ES_OK; entry++) {
        const es_results *r = es_session_results(session, entry);
        char name[64];
        if (!r || r->done == 0)
            continue;
        found++;
        bool usual = strcmp(r->preset, "default") == 0;
        how.score = ES_SCORE_PREDICTIVE;
        if (entry == predictive)
            st = es_agree_scores_add_ranking(s, NULL, r, &how, err);
        how.score = ES_SCORE_PUBLISHED;
        (void)snprintf(name, sizeof name, "%s%s%s", r->estimator->name, usual ? "" : "-",
                       usual ? "" : r->preset);
        if (st == ES_OK)
            st = es_agree_scores_add_ranking(s, name, r, &how, err);
        if (st == ES_OK && r->done < r->m * r->m)
            es_output_note(cli, "%zu of %zu pairs of %s are stored; scores are over those", r->done,
                           r->m * r->m, name);
    }
    for (size_t i = 0; es_estimators[i] && st == ES_OK; i++) {
        es_stored_score stored;
        st = es_session_stored_read(session, es_estimators[i]->name, &stored, err);
        found += st == ES_OK && stored.score;
        st = st == ES_OK ? add_stored(cli, &stored, s, err) : st;
    }
    if (found == 0)
        es_output_note(cli,
                       "information sufficiency is not stored; `embedscope estimate %s` adds it",
                       cli->arguments[0]);
    return st;
}

es_status es_rivals_scores(es_cli *cli, es_session *session, const es_scores **out, es_error *err) {
    es_status st = es_cli_scores(cli, session, out, err);
    if (st == ES_OK && !*out)
        st = es_fail(err, ES_ENOTFOUND,
                     "%s: no scores.csv in the pool; name downstream scores with --scores "
                     "FILE.csv",
                     cli->arguments[0]);
    return st;
}

es_status es_rivals_inputs(es_cli *cli, es_session *session, const es_choices *choices,
                           const es_scores *scores, es_label_free *out, es_error *err) {
    const es_results *names = es_session_results(session, 0);
    es_label_free x = {0};
    size_t unknown = 0;
    es_status st = ES_OK;
    ES_TRY(es_label_free_init(&x, session, names, err));
    ES_TRY(add_rankings(cli, session, &x.scores, err));
    for (size_t i = 0; i < choices->count; i++)
        ES_TRY(add_fields(&choices->item[i], &x.scores, err));
    ES_TRY(add_models(cli, session, &x.scores, err));
    ES_TRY(es_label_free_settle(&x, names, scores, cli->options->seed, &unknown, err));
    if (unknown > 0)
        es_output_note(cli, "%zu of %zu embedders %s not in the scores", unknown, names->m,
                       unknown == 1 ? "is" : "are");
    *out = x;
    x = (es_label_free){0};
done:
    es_label_free_deinit(&x);
    return st;
}
