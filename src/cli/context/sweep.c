/* --sweep KEY=V,V as combinations. */
#include "cli_context.h"

#include <stdio.h>
#include <string.h>

enum { WORD = ES_SWEEP_TEXT / 2 - 1 };

bool es_sweep_asked(const es_options *o) {
    for (size_t i = 0; i < o->sweep.count; i++)
        if (strchr(o->sweep.items[i], '='))
            return true;
    return false;
}

/* How many values "key=a,b,c" has; 0: it is none, or one is empty or too long. */
static size_t values_of(const char *text) {
    const char *at = strchr(text, '=');
    size_t count = 0;
    if (!at || at == text || at - text > WORD)
        return 0;
    do {
        size_t length = strcspn(++at, ",");
        if (length == 0 || length > WORD)
            return 0;
        count++;
        at += length;
    } while (*at);
    return count;
}

/* The first value of "key=a,b,a" that comes again; NULL: none does. */
static const char *repeated(const char *text) {
    for (const char *a = strchr(text, '='); a; a = strchr(a + 1, ',')) {
        size_t length = strcspn(a + 1, ",");
        for (const char *b = strchr(a + 1, ','); b; b = strchr(b + 1, ','))
            if (strcspn(b + 1, ",") == length && strncmp(a + 1, b + 1, length) == 0)
                return a + 1;
    }
    return NULL;
}

static bool same_key(const char *a, const char *b) {
    size_t length = strcspn(a, "=");
    return strncmp(a, b, length + 1) == 0;
}

es_status es_sweep_check(es_cli *cli, es_error *err) {
    const es_texts *sweep = &cli->options->sweep;
    for (size_t i = 0; i < sweep->count; i++) {
        const char *item = sweep->items[i], *twice = repeated(item);
        if (values_of(item) == 0)
            return es_usage(cli, err, "--sweep %s: expected KEY=VALUE,VALUE", item);
        if (twice)
            return es_usage(cli, err, "--sweep %s: the value %.*s stands there twice", item,
                            (int)strcspn(twice, ","), twice);
        for (size_t k = 0; k < i; k++)
            if (same_key(item, sweep->items[k]))
                return es_usage(cli, err, "--sweep: '%.*s' is named twice; its values go together",
                                (int)strcspn(item, "="), item);
    }
    if (sweep->count > ES_SWEEP_AXES)
        return es_usage(cli, err, "--sweep: at most %d settings at once", ES_SWEEP_AXES);
    return ES_OK;
}

es_status es_sweep_count(es_cli *cli, size_t *out, es_error *err) {
    const es_texts *sweep = &cli->options->sweep;
    es_status st = es_sweep_check(cli, err);
    *out = 1;
    for (size_t i = 0; i < sweep->count && st == ES_OK; i++) {
        *out *= values_of(sweep->items[i]);
        if (*out > ES_SWEEP_POINTS)
            st = es_usage(cli, err, "--sweep: at most %d combinations at once", ES_SWEEP_POINTS);
    }
    return st;
}

void es_sweep_at(const es_options *o, size_t at, es_sweep_point *out) {
    size_t used = 0;
    out->label[0] = '\0';
    for (size_t i = 0; i < o->sweep.count; i++) {
        const char *item = o->sweep.items[i], *value = strchr(item, '=') + 1;
        size_t values = values_of(item);
        if (values == 0) /* es_sweep_count refuses it */
            continue;
        for (size_t skip = at % values; skip > 0; skip--)
            value = strchr(value, ',') + 1;
        at /= values;
        (void)snprintf(out->text[i], ES_SWEEP_TEXT, "%.*s=%.*s", (int)strcspn(item, "="), item,
                       (int)strcspn(value, ","), value);
        out->setting[i] = out->text[i];
        (void)snprintf(out->label + used, sizeof out->label - used, "%s%s", i > 0 ? " " : "",
                       out->text[i]);
        used = strlen(out->label);
    }
    out->setting[o->sweep.count] = NULL;
}
