/* Training from the command line: sources and settings are read, every combination of a sweep is an
 * order of its own, and one after the other is trained in the session's background. */
#include "cli_session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_out.h"

static const char owner[] = "--cmim";

/* What was made, in order. */
typedef struct report {
    es_cmim_made *made; /* (count) */
    size_t count, capacity;
} report;

/* One setting of a sweep with its values. */
typedef struct axis {
    size_t setting;
    es_words values;
} axis;

enum { AXES = ES_SWEEP_AXES, NAME = 160, REMARK = 512 };

typedef struct sweep {
    axis axis[AXES];
    size_t count;
} sweep;

/* ---- what is asked for ---- */

/* What the options ask for. */
typedef struct recipe {
    double values[ES_CMIM_SETTINGS_MOST];
    bool said[ES_CMIM_SETTINGS_MOST]; /* by an option */
} recipe;

static es_status assign_setting(es_cli *cli, const char *text, recipe *out, es_error *err) {
    char key[64];
    size_t length = strcspn(text, "=");
    es_error why = {0};
    if (es_setting_assign(es_cmim_settings, es_cmim_setting_count, owner, text, out->values, &why))
        return es_usage(cli, err, "%s", why.message);
    (void)snprintf(key, sizeof key, "%.*s", (int)(length < 63 ? length : 63), text);
    out->said[es_setting_find(es_cmim_settings, es_cmim_setting_count, key)] = true;
    return ES_OK;
}

/* --mode and --cmim K are short for settings, which must not be said to be others. */
static es_status assign_short(es_cli *cli, const char *option, const char *key, const char *value,
                              recipe *out, es_error *err) {
    char text[256];
    size_t at = es_setting_find(es_cmim_settings, es_cmim_setting_count, key);
    const recipe before = *out;
    (void)snprintf(text, sizeof text, "%s=%s", key, value);
    es_status st = assign_setting(cli, text, out, err);
    double was = before.values[at], is = out->values[at];
    if (st == ES_OK && before.said[at] && was != is && !(isnan(was) && isnan(is)))
        st = es_usage(cli, err, "%s %s is short for --set %s, which says something else", option,
                      value, text);
    return st;
}

static es_status read_settings(es_cli *cli, recipe *out, es_error *err) {
    const es_options *o = cli->options;
    char text[256];
    es_status st = ES_OK;
    es_cmim_defaults(out->values);
    for (size_t i = 0; i < o->settings.count && st == ES_OK; i++)
        for (const char *at = o->settings.items[i]; *at && st == ES_OK;) {
            size_t length = strcspn(at, " ");
            (void)snprintf(text, sizeof text, "%.*s", (int)(length < 255 ? length : 255), at);
            if (length > 0)
                st = assign_setting(cli, text, out, err);
            at += length + (at[length] == ' ');
        }
    if (st == ES_OK && o->mode)
        st = assign_short(cli, "--mode", "mode", o->mode, out, err);
    if (st == ES_OK && o->cmim > 0) {
        (void)snprintf(text, sizeof text, "%zu", o->cmim);
        st = assign_short(cli, "--cmim", "k", text, out, err);
    }
    return st;
}

/* "batch=2,5,10": every value must be one that the setting takes. */
static es_status read_axis(es_cli *cli, const char *text, axis *out, es_error *err) {
    recipe one_of = {0};
    char key[64], one[256];
    size_t length = strcspn(text, "=");
    es_status st = ES_OK;
    (void)snprintf(key, sizeof key, "%.*s", (int)(length < 63 ? length : 63), text);
    out->setting = es_setting_find(es_cmim_settings, es_cmim_setting_count, key);
    es_cmim_defaults(one_of.values);
    for (const char *at = text + length + 1; *at && st == ES_OK;) {
        length = strcspn(at, ",");
        (void)snprintf(one, sizeof one, "%s=%.*s", key, (int)(length < 128 ? length : 128), at);
        st = assign_setting(cli, one, &one_of, err);
        if (st == ES_OK)
            st = es_words_add(&out->values, one, err);
        at += length + (at[length] == ',');
    }
    return st;
}

static void sweep_deinit(sweep *s) {
    for (size_t i = 0; i < s->count; i++)
        es_words_deinit(&s->axis[i].values);
}

static es_status read_sweep(es_cli *cli, const recipe *fixed, sweep *out, es_error *err) {
    const es_texts *given = &cli->options->sweep;
    es_status st = ES_OK;
    ES_TRY(es_sweep_check(cli, err));
    for (size_t i = 0; i < given->count && st == ES_OK; i++, out->count++)
        st = read_axis(cli, given->items[i], &out->axis[i], err);
    for (size_t i = 0; i < out->count && st == ES_OK; i++)
        if (fixed->said[out->axis[i].setting])
            st = es_usage(cli, err, "--sweep %s: %s has a value already; leave one of them out",
                          given->items[i], es_cmim_settings[out->axis[i].setting].key);
done:
    return st;
}

/* Takes combination number `at`: its settings, and "-batch10-mim" behind the name. */
static void combine(const sweep *s, size_t at, double *values, char *name, size_t capacity) {
    for (size_t i = 0; i < s->count; i++) {
        const axis *a = &s->axis[i];
        const es_setting *setting = &es_cmim_settings[a->setting];
        const char *text = a->values.word[at % a->values.count];
        at /= a->values.count;
        (void)es_setting_read(setting, strchr(text, '=') + 1, &values[a->setting], NULL);
        size_t used = strlen(name);
        (void)snprintf(name + used, capacity - used, "-%s%s", setting->choices ? "" : setting->key,
                       strchr(text, '=') + 1);
    }
}

/* "A,B,C": embedders side by side; "all": all that are no derived ones. */
static es_status read_sources(es_cli *cli, es_session *session, size_t *out, size_t *count,
                              es_error *err) {
    const es_results *names = es_session_results(session, 0);
    const es_pool *pool = es_session_pool(session);
    const char *text = cli->arguments[1];
    *count = 0;
    bool all = strcmp(text, "all") == 0;
    for (size_t i = 0; i < names->m; i++)
        if (strcmp(names->name[i], text) == 0) { /* a name may hold a comma */
            out[(*count)++] = names->model[i];
            return ES_OK;
        }
    for (size_t i = 0; all && i < names->m; i++)
        if (!es_pool_model(pool, names->model[i])->derived)
            out[(*count)++] = names->model[i];
    if (*count > 0)
        return ES_OK;
    for (const char *at = text; *at;) {
        char one[512];
        size_t length = strcspn(at, ","), position = 0;
        (void)snprintf(one, sizeof one, "%.*s", (int)(length < 511 ? length : 511), at);
        ES_PASS(es_cli_model(cli, session, 0, one, &position, err));
        for (size_t i = 0; i < *count; i++)
            if (out[i] == names->model[position])
                return es_usage(cli, err, "%s is named twice", one);
        out[(*count)++] = names->model[position];
        at += length + (at[length] == ',');
    }
    return *count > 0 ? ES_OK : es_usage(cli, err, "derive: name a source");
}

/* ---- the document ---- */

static es_status put_lines(const es_document *d, es_buf *out, es_error *err) {
    const report *r = d->what;
    char label[ES_PATH_LABEL];
    for (size_t i = 0; i < r->count; i++) {
        const es_cmim_made *m = &r->made[i];
        es_buf_printf(out,
                      "%s.mu and %s.info: %zu rows, %zu and %zu columns; step %zu of %zu, %s %.4f "
                      "(reconstruction %.4f, contrastive %.4f, log q %.4f, log P(z) %.4f), mean "
                      "cosine %.3f; weights in %s\n",
                      m->name, m->name, m->n, m->k, m->h, m->best_step, m->steps,
                      m->validated ? "best on the validation rows, loss there"
                                   : "loss of its batch",
                      m->parts.loss, m->parts.reconstruction, m->parts.contrastive, m->parts.log_q,
                      m->parts.log_p, m->parts.cosine, es_path_label(label, m->path));
    }
    return es_buf_check(out, err);
}

static void put_settings(es_json *json, const double *values) {
    es_json_begin_object(json, "settings");
    for (size_t i = 0; i < es_cmim_setting_count; i++) {
        const es_setting *s = &es_cmim_settings[i];
        if (s->choices)
            es_json_text(json, s->key, s->choices[(size_t)values[i]]);
        else
            es_json_double(json, s->key, values[i]);
    }
    es_json_end(json);
}

/* The next line of remarks, of which *at is the rest; false: there is none. */
static bool next_remark(const char **at, char line[REMARK]) {
    size_t length = strcspn(*at, "\n");
    (void)snprintf(line, REMARK, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == '\n');
    return length > 0;
}

static void put_one(es_json *json, const es_cmim_made *m) {
    static const char *const parts[] = {"mu", "info"};
    char label[ES_PATH_LABEL], name[NAME + 8], line[REMARK];
    es_json_text(json, "name", m->name);
    es_json_uint(json, "rows", m->n);
    es_json_uint(json, "dim", m->k);
    es_json_text(json, "file", es_path_label(label, m->path));
    es_json_begin_object(json, "training");
    es_json_uint(json, "columns", m->d);
    es_json_uint(json, "hidden", m->h);
    es_json_uint(json, "steps", m->steps);
    es_json_uint(json, "best_step", m->best_step);
    es_json_uint(json, "resumed", m->resumed);
    es_json_double(json, "loss", m->parts.loss);
    es_json_double(json, "reconstruction", m->parts.reconstruction);
    es_json_double(json, "contrastive", m->parts.contrastive);
    es_json_double(json, "log_q", m->parts.log_q);
    es_json_double(json, "log_p", m->parts.log_p);
    es_json_double(json, "cosine", m->parts.cosine);
    es_json_end(json);
    es_json_begin_row(json, "embedders");
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(name, sizeof name, "%s.%s", m->name, parts[i]);
        es_json_text(json, NULL, name);
    }
    es_json_end(json);
    put_settings(json, m->values);
    es_json_begin_array(json, "notes");
    for (const char *at = m->remarks; next_remark(&at, line);)
        es_json_text(json, NULL, line);
    es_json_end(json);
}

static void put_json(const es_document *d, es_json *json) {
    const report *r = d->what;
    put_one(json, &r->made[0]);
    if (r->count == 1)
        return;
    for (size_t i = es_json_list(json, "sweep"); es_json_list_next(json, &i, r->count);)
        put_one(json, &r->made[i]);
}

/* ---- one after the other ---- */

static es_status copy_made(report *r, const es_cmim_made *made, es_error *err) {
    es_cmim_made *more = es_grow(r->made, r->count, &r->capacity, sizeof *more);
    if (!more)
        return es_no_memory(err);
    r->made = more;
    es_cmim_made copy = *made;
    copy.name = es_strdup(made->name);
    copy.path = es_strdup(made->path);
    copy.remarks = es_strdup(made->remarks);
    if (!copy.name || !copy.path || !copy.remarks) {
        es_cmim_made_deinit(&copy);
        return es_no_memory(err);
    }
    r->made[r->count++] = copy;
    return ES_OK;
}

static void say_remarks(const es_cli *cli, const es_cmim_made *m) {
    char line[REMARK];
    for (const char *at = m->remarks; next_remark(&at, line);)
        es_output_note(cli, "%s: %s", m->name, line);
}

static es_status train_one(es_cli *cli, es_session *session, const es_cmim_order *order, report *r,
                           es_error *err) {
    const char *name = NULL;
    es_status st = ES_OK;
    ES_TRY(es_session_train(session, order, err));
    ES_TRY(es_cli_wait_checked(cli, session, err));
    ES_TRY(es_session_derived(session, &name, err));
    say_remarks(cli, es_session_trained(session));
    ES_TRY(copy_made(r, es_session_trained(session), err));
done:
    if (st == ES_ECANCELED)
        es_output_note(cli, "%s: interrupted; the same command goes on with it", order->name);
    return st;
}

static es_status open_pool(es_cli *cli, es_session **out, es_error *err) {
    es_options options = *cli->options; /* --set is the training's */
    es_cli plain = *cli;
    plain.options = &options;
    options.settings = (es_texts){0};
    options.preset = NULL;
    es_status st = es_cli_open(&plain, ES_ACCESS_ESTIMATE, false, out, err);
    if (st == ES_OK)
        st = es_cli_wait_checked(&plain, *out, err);
    cli->exit_code = plain.exit_code;
    return st;
}

es_status es_cli_train(es_cli *cli, es_error *err) {
    es_session *session = NULL;
    size_t *sources = NULL, combinations = 1;
    char name[NAME];
    sweep s = {0};
    report r = {0};
    es_cmim_order order = {.seed = cli->options->seed};
    recipe asked = {0};
    es_status st = ES_OK;
    ES_TRY(read_settings(cli, &asked, err));
    ES_TRY(read_sweep(cli, &asked, &s, err));
    ES_TRY(open_pool(cli, &session, err));
    sources = es_alloc(es_session_results(session, 0)->m, sizeof *sources);
    ES_FAIL_IF(!sources, es_no_memory(err));
    ES_TRY(read_sources(cli, session, sources, &order.n_sources, err));
    order.source = sources;
    for (size_t i = 0; i < s.count; i++)
        combinations *= s.axis[i].values.count;
    for (size_t at = 0; at < combinations; at++) {
        if (cli->options->name)
            (void)snprintf(name, sizeof name, "%s", cli->options->name);
        else
            (void)snprintf(name, sizeof name, "%.100s+cmim", cli->arguments[1]);
        memcpy(order.values, asked.values, sizeof order.values);
        combine(&s, at, order.values, name, sizeof name);
        order.name = name;
        ES_TRY(train_one(cli, session, &order, &r, err));
    }
    static const es_document_parts parts = {
        .schema = "derive", .text = put_lines, .json = put_json};
    ES_TRY(es_document_write(&parts, (es_document){cli, session, SIZE_MAX, &r, ES_FORMAT_DEFAULT},
                             err));
done:
    for (size_t i = 0; i < r.count; i++)
        es_cmim_made_deinit(&r.made[i]);
    es_free(r.made);
    es_free(sources);
    sweep_deinit(&s);
    es_session_close(session);
    return st;
}
