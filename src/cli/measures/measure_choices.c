/* Measures that the user names, from "evalrank,smoothness.loss-1" to computed values: names and
 * settings are checked before anything is computed, and what is missing is computed by the session.
 */
#include "cli_measures.h"

#include <stdio.h>
#include <string.h>

#include "engine_requests.h"
#include "cli_session.h"

es_status es_measure_open(es_cli *cli, bool with_pmi, es_session **out, es_error *err) {
    es_session *session = NULL;
    es_options options = *cli->options;
    es_cli plain = *cli;
    es_status st = ES_OK;
    plain.options = &options;
    options.settings = (es_texts){0};
    options.preset = NULL;
    ES_TRY(es_cli_open(&plain, ES_ACCESS_MEASURE, with_pmi, &session, err));
    st = es_cli_wait(&plain, session, err);
    cli->exit_code = plain.exit_code;
    if (st != ES_OK)
        goto done;
    es_cli_note_excluded(cli, session);
    *out = session;
    session = NULL;
done:
    es_session_close(session);
    return st;
}

void es_choices_deinit(es_choices *choices) {
    es_free(choices->item);
    *choices = (es_choices){0};
}

static es_status add_choice(es_choices *choices, es_choice choice, es_error *err) {
    es_choice *more = es_realloc(choices->item, choices->count + 1, sizeof *more);
    if (!more)
        return es_no_memory(err);
    choices->item = more;
    choices->item[choices->count++] = choice;
    choices->pairwise += choice.measured->measure->pair != NULL;
    return ES_OK;
}

/* What the names have in common. */
typedef struct asking {
    es_cli *cli;
    es_session *session;
    const char *const *settings; /* "key=value" each, NULL-terminated */
    bool lenient;                /* several measures: each takes what it knows */
    const char *const *swept;    /* of these, the ones of a sweep, NULL-terminated; or NULL */
    es_choices *out;
} asking;

/* "preprocess=none background=list", as far as the measure knows them. */
static void label_of(const asking *a, const es_measure *measure, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; a->swept && a->swept[i] && used + 1 < capacity; i++)
        if (es_measure_knows(measure, a->swept[i])) {
            (void)snprintf(out + used, capacity - used, "%s%s", used > 0 ? " " : "", a->swept[i]);
            used = strlen(out);
        }
}

/* Another combination of a sweep may be the same to a measure that does not know the setting. */
static bool is_chosen(const es_choices *choices, size_t entry, size_t field) {
    for (size_t k = 0; k < choices->count; k++)
        if (choices->item[k].entry == entry && choices->item[k].field == field)
            return true;
    return false;
}

/* A measure's entries, one a label column; field SIZE_MAX: all. named: settings of its own. */
static es_status add_measure(const asking *a, const es_measure *measure, size_t field,
                             const char *named, es_error *err) {
    es_cli *cli = a->cli;
    const es_options *o = cli->options;
    size_t first = 0, count = 0, kept = 0;
    es_error why = {0};
    es_status st = es_session_measure_as(a->session, measure, a->settings, a->lenient, named,
                                         &first, &count, &why);
    if (st == ES_EINVAL)
        return es_usage(cli, err, "%s", why.message);
    if (st != ES_OK)
        return es_fail(err, st, "%s", why.message);
    for (size_t i = 0; i < count && st == ES_OK; i++) {
        const es_measured *m = es_session_measured(a->session, first + i);
        if (o->task && (m->task ? strcmp(o->task, m->task) != 0 : count > 1))
            continue;
        es_choice choice = {.entry = first + i, .measured = m, .field = field};
        kept++;
        label_of(a, measure, choice.label, sizeof choice.label);
        if (!a->swept || !is_chosen(a->out, first + i, field))
            st = add_choice(a->out, choice, err);
    }
    if (st == ES_OK && kept == 0)
        return es_usage(cli, err, "labels.csv has no column '%s' for %s", o->task, measure->name);
    return st;
}

/* Every embedder measure that there are data for. */
static es_status add_all(const asking *a, es_error *err) {
    for (const es_measure *const *m = es_measures; *m; m++) {
        es_error why = {0};
        if ((*m)->pair)
            continue;
        es_status st = add_measure(a, *m, SIZE_MAX, "", &why);
        if (st == ES_ENOTFOUND)
            es_output_note(a->cli, "left out: %s", why.message);
        else if (st != ES_OK)
            return es_fail(err, st, "%s", why.message);
    }
    return ES_OK;
}

/* Each setting must be one of some chosen measure. */
static es_status check_settings(const asking *a, es_error *err) {
    for (size_t i = 0; a->settings[i]; i++) {
        bool known = false;
        for (size_t k = 0; k < a->out->count; k++)
            known = known || es_measure_knows(a->out->item[k].measured->measure, a->settings[i]);
        if (!known)
            return es_usage(a->cli, err,
                            "--set %s: no measure here has this setting; `embedscope measure "
                            "--list NAME` shows those of NAME",
                            a->settings[i]);
    }
    return ES_OK;
}

static bool of_null(const es_cli *cli) {
    return es_options_typed(cli->options, "null") && strcmp(cli->command->name, "measure") == 0;
}

/* `measure --null`: the measure against permuted rows takes its place, with a field of its own. */
static es_status against_null(es_cli *cli, es_measure_call *call, es_error *err) {
    if (!of_null(cli))
        return ES_OK;
    const es_measure *null = es_measure_against_null(call->measure);
    if (null == NULL)
        return es_usage(
            cli, err, "--null: %s %s; it goes with measures of two embedders such as cka",
            call->measure->name,
            call->measure->pair ? "is a test against shuffled rows itself" : "is of one embedder");
    if (null != call->measure && call->named && call->field > 0)
        return es_usage(cli, err, "--null: of a measure's first number alone; leave .%s out",
                        call->measure->fields[call->field].name);
    call->field = null == call->measure ? call->field : 0;
    call->measure = null;
    return ES_OK;
}

static es_status add_name(const asking *a, const char *name, es_error *err) {
    es_measure_call call;
    es_error why = {0};
    asking own = *a;
    size_t count = 0;
    if (strcmp(name, "all") == 0 && of_null(a->cli))
        return es_usage(a->cli, err, "--null goes with measures of two embedders such as cka");
    if (strcmp(name, "all") == 0)
        return add_all(a, err);
    if (es_measure_call_parse(name, &call, &why) != ES_OK)
        return es_usage(a->cli, err, "%s", why.message);
    es_status null = against_null(a->cli, &call, err);
    if (null != ES_OK)
        return null;
    while (a->settings[count])
        count++;
    const char **settings = es_cli_room(a->cli, count + ES_MEASURE_CALLED + 1, sizeof *settings);
    if (!settings)
        return es_no_memory(err);
    memcpy(settings, a->settings, count * sizeof *settings);
    memcpy(settings + count, call.setting, sizeof call.setting);
    own.settings = settings;
    return add_measure(&own, call.measure, call.named ? call.field : SIZE_MAX, call.label, err);
}

/* "a=1 b=2" and "c=3" as three settings; text (owned by the caller) holds them. */
static es_status split_settings(const es_texts *given, char **text, const char ***out,
                                es_error *err) {
    es_buf all = {0};
    size_t count = 0;
    es_buf_puts(&all, "");
    for (size_t i = 0; i < given->count; i++)
        es_buf_printf(&all, "%s ", given->items[i]);
    es_status st = es_buf_check(&all, err);
    *text = st == ES_OK ? es_strdup(all.data) : NULL;
    *out = *text ? es_alloc_zero(all.length + 1, sizeof **out) : NULL;
    es_buf_free(&all);
    if (!*out)
        return es_no_memory(err);
    for (char *at = *text; *at;) {
        size_t length = strcspn(at, " ");
        if (length > 0)
            (*out)[count++] = at;
        at += length;
        if (*at)
            *at++ = '\0';
    }
    return ES_OK;
}

static es_status add_names(const asking *a, const char *names, es_error *err) {
    es_status st = ES_OK;
    for (const char *at = names; *at && st == ES_OK;) {
        char name[ES_MEASURE_CALL];
        size_t length = strcspn(at, ","), most = sizeof name - 1;
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < most ? length : most), at);
        at += length + (at[length] == ',');
        st = add_name(a, name, err);
    }
    return st == ES_OK ? check_settings(a, err) : st;
}

/* What --set says, and one combination behind it. */
static es_status add_combination(asking *a, const char *names, const char **set, size_t at,
                                 es_error *err) {
    const es_options *o = a->cli->options;
    es_sweep_point point;
    size_t own = 0;
    while (set[own])
        own++;
    const char **settings = es_cli_room(a->cli, own + ES_SWEEP_AXES + 1, sizeof *settings);
    if (!settings)
        return es_no_memory(err);
    es_sweep_at(o, at, &point);
    memcpy(settings, set, own * sizeof *set);
    memcpy(settings + own, point.setting, (o->sweep.count + 1) * sizeof *settings);
    a->settings = settings;
    a->swept = o->sweep.count > 0 ? point.setting : NULL;
    es_status st = add_names(a, names, err);
    a->settings = a->swept = NULL;
    return st;
}

es_status es_measure_choose(es_cli *cli, es_session *session, const char *names, es_choices *out,
                            es_error *err) {
    es_choices choices = {0};
    char *text = NULL;
    const char **settings = NULL;
    size_t combinations = 1;
    es_status st = ES_OK;
    ES_TRY(es_sweep_count(cli, &combinations, err));
    ES_TRY(split_settings(&cli->options->settings, &text, &settings, err));
    asking a = {.cli = cli,
                .session = session,
                .lenient = strchr(names, ',') || strcmp(names, "all") == 0,
                .out = &choices};
    for (size_t at = 0; at < combinations; at++)
        ES_TRY(add_combination(&a, names, settings, at, err));
    ES_FAIL_IF(choices.count == 0,
               es_fail(err, ES_EEMPTY, "nothing can be measured: the pool has no data for it"));
    *out = choices;
    choices = (es_choices){0};
done:
    es_choices_deinit(&choices);
    es_free(text);
    es_free(settings);
    return st;
}

enum { MOST_FAILURES = 5 };

static void report_failures(es_cli *cli, es_session *session, const es_choices *choices) {
    const es_results *names = es_session_results(session, 0);
    size_t said = 0, failed = 0;
    for (size_t k = 0; k < choices->count; k++) {
        const es_measured *m = choices->item[k].measured;
        size_t wide = m->measure->pair ? m->m : 1;
        for (size_t i = 0; i < m->of; i++) {
            if (m->state[i] != ES_PAIR_FAILED)
                continue;
            failed++;
            if (said++ < MOST_FAILURES)
                es_output_note(cli, "%s: %s%s%s: %s", m->name, names->name[i / wide],
                               wide > 1 ? " and " : "", wide > 1 ? names->name[i % wide] : "",
                               m->reason[i] ? m->reason[i] : "failed");
        }
    }
    if (failed > MOST_FAILURES)
        es_output_note(cli, "%zu more failed", failed - MOST_FAILURES);
    if (failed > 0)
        cli->exit_code = ES_EXIT_FAILED_PAIRS;
}

/* A sheet shows what is stored: the others are left out, and reported. */
static void keep_stored(const es_cli *cli, es_choices *choices) {
    es_buf names = {0};
    size_t kept = 0, left = 0;
    for (size_t k = 0; k < choices->count; k++)
        if (choices->item[k].measured->done > 0)
            choices->item[kept++] = choices->item[k];
        else
            es_buf_name(&names, &left, 3, choices->item[k].measured->field[0]);
    choices->count = kept;
    es_buf_names_end(&names, left, 3);
    if (left > 0 && names.data && !names.failed)
        es_output_note(cli, "not computed yet: %s; :measure all computes them", names.data);
    es_buf_free(&names);
}

es_status es_measure_compute(es_cli *cli, es_session *session, es_choices *choices, es_error *err) {
    const es_annotations *evidence = es_session_annotations(session);
    es_status st = ES_OK;
    for (size_t i = 0; evidence && i < es_annotations_notes(evidence); i++)
        es_output_note(cli, "%s", es_annotations_note(evidence, i));
    if (cli->sheet) {
        ES_TRY(es_cli_wait(cli, session, err));
        keep_stored(cli, choices);
        return ES_OK;
    }
    for (size_t k = 0; k < choices->count; k++)
        ES_TRY(es_session_measure_start(session, choices->item[k].entry, err));
    ES_TRY(es_cli_wait(cli, session, err));
    report_failures(cli, session, choices);
done:
    if (st == ES_ECANCELED)
        es_output_note(cli, "interrupted; finished values are kept, the same command continues");
    return st;
}

const char *es_choice_name(const es_choice *choice, size_t field, char *out, size_t capacity) {
    const es_measured *m = choice->measured;
    bool swept = choice->label[0] != '\0';
    (void)snprintf(out, capacity, "%s%s%s%s", m->field[field == SIZE_MAX ? 0 : field],
                   swept ? "[" : "", choice->label, swept ? "]" : "");
    return out;
}
