/* From what was asked for (an estimator or none, a preset, settings) to the entries of the plan,
 * with every setting in force. Without a name it is the standard plan, or what of it knows all that
 * was asked for. */
#include <stdio.h>
#include <string.h>

#include "engine_session_parts.h"

static const es_estimator *find_estimator(const es_estimator *const *table, const char *name) {
    for (; *table; table++)
        if (strcmp((*table)->name, name) == 0)
            return *table;
    return NULL;
}

static const es_preset *preset_of(const es_estimator *estimator, const char *name) {
    for (const es_preset *p = estimator->presets; p->name; p++)
        if (!name || strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static bool has_setting(const es_estimator *estimator, const char *assignment) {
    char key[64];
    size_t length = strcspn(assignment, "=");
    snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1),
             assignment);
    return es_estimator_setting(estimator, key) < estimator->n_settings;
}

/* True if the estimator accepts this assignment. One that does not know `target` takes all as
 * continuous. */
static bool follows(const es_estimator *estimator, const char *assignment) {
    return has_setting(estimator, assignment) || strcmp(assignment, "target=continuous") == 0 ||
           strcmp(assignment, "target=pool") == 0;
}

/* What the standard plan is made of: an estimator, and a preset of its own or NULL. */
typedef struct step {
    const es_estimator *estimator;
    const char *preset;
} step;

const es_plan_step es_session_standard[] = {
    {ES_PREDICTIVE_ESTIMATOR, ES_PREDICTIVE_PRESET}, {"linear", NULL}, {"knife", NULL}, {0}};
enum { STEPS = sizeof es_session_standard / sizeof *es_session_standard - 1 };

/* True if the preset of the step fixes this setting. */
static bool is_fixed(const step *s, const char *assignment) {
    const es_preset *preset = s->preset ? preset_of(s->estimator, s->preset) : NULL;
    size_t length = strcspn(assignment, "=") + 1;
    const char *at = preset ? preset->overrides : "";
    for (; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncmp(at, assignment, length) == 0)
            return true;
    return false;
}

/* True if the step follows all options given; otherwise its results would be shown as if it did. */
static bool is_meant(const step *s, const es_session_options *options) {
    bool meant = true;
    if (options->preset && s->preset)
        meant = strcmp(s->preset, options->preset) == 0;
    else if (options->preset) /* the predictive preset has a step of its own */
        meant = preset_of(s->estimator, options->preset) != NULL &&
                strcmp(options->preset, ES_PREDICTIVE_PRESET) != 0;
    for (size_t i = 0; options->settings && options->settings[i]; i++)
        meant = meant && follows(s->estimator, options->settings[i]) &&
                !is_fixed(s, options->settings[i]);
    return meant;
}

/* True if the estimator has the preset and settings of the options, in the plan or not. A setting
 * that a preset fixes may be set beside its name. */
static bool is_known(const es_estimator *estimator, const es_session_options *options) {
    bool known = !options->preset || preset_of(estimator, options->preset) != NULL;
    for (size_t i = 0; options->settings && options->settings[i]; i++)
        known = known && follows(estimator, options->settings[i]);
    return known;
}

/* Without --estimator: the standard plan, or what of it knows the preset and every setting. Where
 * no step does, the estimators that do; and where none does, one of each stays, and the complaint
 * names what there is. */
static void keep_meant(const es_session_options *options, step which[STEPS], size_t *count) {
    size_t kept = 0, known = 0, all = *count;
    for (size_t i = 0; i < all; i++) {
        kept += is_meant(&which[i], options);
        known += is_known(which[i].estimator, options);
    }
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (kept > 0
                ? is_meant(&which[i], options)
                : which[i].preset == NULL && (known == 0 || is_known(which[i].estimator, options)))
            which[(*count)++] = which[i];
}

/* Fills which[] with the steps of the plan. */
static es_status choose(const es_session_options *options, const es_estimator *const *table,
                        step which[STEPS], size_t *count, es_error *err) {
    *count = 0;
    if (!options->estimator) {
        for (size_t i = 0; es_session_standard[i].estimator; i++) {
            const char *preset = es_session_standard[i].preset;
            const es_estimator *estimator = find_estimator(table, es_session_standard[i].estimator);
            if (estimator && (!preset || preset_of(estimator, preset)))
                which[(*count)++] = (step){estimator, preset};
        }
        keep_meant(options, which, count);
        if (*count > 0)
            return ES_OK;
        return es_fail(err, ES_EINVAL, "no estimator: name one by --estimator");
    }
    const es_estimator *named = find_estimator(table, options->estimator);
    if (named) {
        which[(*count)++] = (step){.estimator = named};
        return ES_OK;
    }
    char known[256] = "";
    for (; *table; table++)
        es_text_list_add(known, sizeof known, (*table)->name);
    return es_fail(err, ES_EINVAL, "no estimator '%s'; there are %s", options->estimator, known);
}

/* Gives each entry of the plan the preset of this name, if it has one. */
static es_status set_presets(es_entry *entries, size_t count, const step *which, const char *name,
                             es_error *err) {
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        known += preset_of(entries[i].config.estimator, name) != NULL;
    if (known > 0 && known < count)
        return es_fail(err, ES_EINVAL,
                       "preset '%s' and the settings belong to different estimators; "
                       "name one by --estimator",
                       name);
    if (known == 0) {
        char list[256] = "";
        for (size_t i = 0; i < count; i++)
            for (const es_preset *p = entries[i].config.estimator->presets; p->name; p++)
                if (i == 0 || strcmp(p->name, "default") != 0)
                    es_text_list_add(list, sizeof list, p->name);
        return es_fail(err, ES_EINVAL, "no preset '%s'; there are %s", name, list);
    }
    for (size_t i = 0; i < count; i++) {
        es_config *c = &entries[i].config;
        c->preset = preset_of(c->estimator, which[i].preset ? which[i].preset : name)->name;
        c->values = es_alloc(c->estimator->n_settings, sizeof *c->values);
        if (!c->values)
            return es_no_memory(err);
        ES_PASS(es_estimator_preset(c->estimator, c->preset, c->values, err));
    }
    return ES_OK;
}

static es_status unknown_setting(const es_entry *entries, size_t count, const char *key,
                                 es_error *err) {
    char list[384] = "";
    for (size_t i = 0; i < count; i++) {
        const es_estimator *estimator = entries[i].config.estimator;
        for (size_t k = 0; k < estimator->n_settings; k++) {
            size_t first = 0; /* name each key once */
            while (first < i && es_estimator_setting(entries[first].config.estimator,
                                                     estimator->settings[k].key) ==
                                    entries[first].config.estimator->n_settings)
                first++;
            if (first == i)
                es_text_list_add(list, sizeof list, estimator->settings[k].key);
        }
    }
    return es_fail(err, ES_EINVAL, "no setting '%s'; there are %s", key, list);
}

static es_status only_continuous(const es_entry *entries, size_t count, const char *assignment,
                                 es_error *err) {
    char takes[128] = "", knows[128] = "";
    for (size_t i = 0; i < count; i++)
        es_text_list_add(takes, sizeof takes, entries[i].config.estimator->name);
    for (const es_estimator *const *e = es_estimators; *e; e++)
        if (has_setting(*e, "target"))
            es_text_list_add(knows, sizeof knows, (*e)->name);
    return es_fail(err, ES_EINVAL, "%s: %s takes all targets as continuous; %s knows this setting",
                   assignment, takes, knows);
}

/* Sets "key=value" in each entry that has the setting. */
static es_status set_value(es_entry *entries, size_t count, const char *assignment,
                           bool *all_binary, es_error *err) {
    const char *equals = strchr(assignment, '=');
    char key[64];
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof key)
        return es_fail(err, ES_EINVAL, "'%s': expected key=value", assignment);
    snprintf(key, sizeof key, "%.*s", (int)(equals - assignment), assignment);
    bool is_target = strcmp(key, "target") == 0;
    if (is_target) {
        *all_binary = strcmp(equals + 1, "binary") == 0;
        if (!*all_binary && strcmp(equals + 1, "continuous") != 0 &&
            strcmp(equals + 1, "pool") != 0) /* as pool.json says: what settings begin with */
            return es_fail(err, ES_EINVAL, "%s: expected target=binary or target=continuous",
                           assignment);
    }
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        known += follows(entries[i].config.estimator, assignment);
    if (known == 0)
        return is_target ? only_continuous(entries, count, assignment, err)
                         : unknown_setting(entries, count, key, err);
    if (known < count)
        return es_fail(err, ES_EINVAL,
                       "setting '%s' is not one of all estimators in the plan; name one by "
                       "--estimator",
                       key);
    /* The word of the setting is part of what is stored and shown, and overrides pool.json. */
    for (size_t i = 0; i < count; i++) {
        es_config *c = &entries[i].config;
        if (!has_setting(c->estimator, assignment)) /* which takes all as continuous anyway */
            continue;
        ES_PASS(es_estimator_set(c->estimator, assignment, c->values, err));
    }
    return ES_OK;
}

/* "key=value key=value" */
static es_status set_values(es_entry *entries, size_t count, const char *assignments,
                            bool *all_binary, es_error *err) {
    es_status st = ES_OK;
    char one[128];
    const char *at = assignments + strspn(assignments, " ");
    do {
        size_t length = strcspn(at, " ");
        if (length >= sizeof one)
            return es_fail(err, ES_EINVAL, "'%s': expected key=value", assignments);
        memcpy(one, at, length);
        one[length] = '\0';
        st = set_value(entries, count, one, all_binary, err);
        at += length + strspn(at + length, " ");
    } while (st == ES_OK && *at);
    return st;
}

/* "default", "default, lambda=500 folds=2": who reads the preset alone takes the values for its. */
static es_status say_settings(es_config *c, es_error *err) {
    es_buf said = {0};
    size_t n = c->estimator->n_settings;
    double *usual = es_alloc(n + 1, sizeof *usual);
    char one[128], as_usual[sizeof one];
    if (!usual)
        return es_no_memory(err);
    es_status st = es_estimator_preset(c->estimator, c->preset, usual, err);
    es_buf_puts(&said, c->preset);
    for (size_t k = 0; k < n && st == ES_OK; k++) {
        const es_setting *setting = &c->estimator->settings[k];
        (void)es_setting_text(setting, 1, &usual[k], as_usual, sizeof as_usual);
        (void)es_setting_text(setting, 1, &c->values[k], one, sizeof one);
        if (strcmp(one, as_usual) == 0)
            continue;
        es_buf_printf(&said, "%s%s", c->changed ? " " : ", ", one);
        c->changed = true;
    }
    st = st == ES_OK ? es_buf_check(&said, err) : st;
    c->said = st == ES_OK ? es_strdup(said.data) : NULL;
    es_buf_free(&said);
    es_free(usual);
    return st == ES_OK && !c->said ? es_no_memory(err) : st;
}

/* Writes an entry's settings as the text that keys its results. */
static es_status set_text(es_config *config, es_error *err) {
    size_t length = es_estimator_text(config->estimator, config->values, NULL, 0);
    config->text = es_alloc(length + 1, 1);
    if (!config->text)
        return es_no_memory(err);
    es_estimator_text(config->estimator, config->values, config->text, length + 1);
    return say_settings(config, err);
}

es_status es_plan_new(const es_session_options *options, const es_estimator *const *table,
                      es_entry **out, size_t *count, bool *all_binary, es_error *err) {
    step which[STEPS];
    size_t n = 0;
    es_entry *entries = NULL;
    es_status st = choose(options, table, which, &n, err);
    if (st != ES_OK)
        return st;
    entries = es_alloc_zero(n, sizeof *entries);
    if (!entries)
        return es_no_memory(err);
    for (size_t i = 0; i < n; i++)
        entries[i].config.estimator = which[i].estimator;
    ES_TRY(set_presets(entries, n, which, options->preset, err));
    for (size_t i = 0; options->settings && options->settings[i]; i++)
        ES_TRY(set_values(entries, n, options->settings[i], all_binary, err));
    for (size_t i = 0; i < n; i++)
        ES_TRY(set_text(&entries[i].config, err));
    *out = entries;
    *count = n;
    entries = NULL;
done:
    es_plan_free(entries, n);
    return st;
}

es_status es_session_check(const es_session_options *options, es_error *err) {
    es_entry *entries = NULL;
    size_t count = 0;
    bool all_binary = false;
    es_status st = es_plan_new(options, es_estimators, &entries, &count, &all_binary, err);
    es_plan_free(entries, count);
    if (st == ES_OK)
        st = es_row_request_check(&options->pool.rows, err);
    _Static_assert((int)ES_THREADS_MOST == (int)ES_WORKERS_MOST, "as there is room for");
    if (st == ES_OK && options->threads > ES_THREADS_MOST)
        st = es_fail(err, ES_EINVAL, "%u threads: at most %d", options->threads,
                     (int)ES_THREADS_MOST);
    return st;
}

void es_plan_free(es_entry *entries, size_t count) {
    for (size_t i = 0; entries && i < count; i++) {
        es_free(entries[i].config.values);
        es_free(entries[i].config.text);
        es_free(entries[i].config.said);
        es_split_free(entries[i].split);
        es_results_free(entries[i].results);
        es_free(entries[i].only);
        es_free(entries[i].shape);
        es_free(entries[i].work);
    }
    es_free(entries);
}

es_status es_provenance_new(unsigned threads, char **out, es_error *err) {
    es_buf text = {0};
    es_json json;
    es_cpu cpu;
    es_cpu_detect(&cpu);
    es_json_init(&json, &text, 0);
    es_json_begin_object(&json, NULL);
    es_json_text(&json, "version", ES_VERSION);
    es_json_text(&json, "blas_core", es_blas_core());
    es_json_text(&json, "blas", es_blas_config());
    es_json_text(&json, "cpu", cpu.name);
    es_json_text(&json, "kernels", es_isa_name(es_isa_level()));
    es_json_text(&json, "compiler", __VERSION__);
    es_json_uint(&json, "threads", threads); /* last: it makes no difference to any number */
    es_json_end(&json);
    es_status st = es_buf_check(&text, err);
    if (st == ES_OK)
        *out = text.data;
    else
        es_buf_free(&text);
    return st;
}

bool es_provenance_same_bits(const char *a, const char *b) {
    const char *end = a ? strstr(a, "\"threads\"") : NULL;
    return end && b && strncmp(a, b, (size_t)(end - a)) == 0;
}
