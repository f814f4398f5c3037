/* Which embedders an export writes, by --show and --hide, and the note on everything that it does
 * not: whose results these are, who is hidden, who is left out of the pool and why. */
#include "cli_out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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

/* The look of a picture, as the options of `export` ask for it. */

/* "single", "double", "5in", "12.5cm" or "120mm". A number alone could be inches or columns. */
static bool parse_width(const char *text, double *points) {
    static const struct {
        const char *name;
        double points;
    } units[] = {{"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"pt", 1}};
    if (strcmp(text, "single") == 0 || strcmp(text, "double") == 0) {
        *points = text[0] == 's' ? ES_FIGURE_SINGLE : ES_FIGURE_DOUBLE;
        return true;
    }
    size_t length = strspn(text, "0123456789.");
    double value = 0;
    if (!es_text_parse_double(text, length, &value))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + length, units[i].name) == 0) {
            *points = value * units[i].points;
            return *points >= ES_FIGURE_NARROWEST && *points <= ES_FIGURE_WIDEST;
        }
    return false;
}

/* What viewers of pdf list a picture without a title by: "ranking, molecules". */
static void name_document(const es_cli *cli, es_figure_style *out) {
    const es_options *o = cli->options;
    es_pool *pool =
        cli->export && cli->export->session ? es_session_pool(cli->export->session) : NULL;
    const char *file = o->matrix ? o->matrix : o->ranking;
    char text[sizeof out->name];
    int length = snprintf(text, sizeof text, "%s, %s", cli->export ? cli->export->view : "picture",
                          pool   ? es_pool_name(pool)
                          : file ? es_path_base(file)
                                 : "embedscope");
    size_t used = length < (int)sizeof text ? (size_t)length : sizeof text - 1;
    (void)es_text_clean_into(out->name, sizeof out->name, text, used);
}

static bool is_look(const char *theme, const char *look) {
    return theme != NULL && strcmp(theme, look) == 0;
}

es_status es_export_theme(es_cli *cli, es_error *err) {
    const char *name = cli->options->figure_theme;
    if (name == NULL || is_look(name, "light") || is_look(name, "dark"))
        return ES_OK;
    if (cli->hooks->picture_colours == NULL)
        return es_usage(cli, err, "--theme is light or dark, not '%s': there are no themes here",
                        name);
    es_buf remarks = {0};
    es_error why = {0};
    es_status st = cli->hooks->picture_colours(name, cli->options->figure_theme_dir,
                                               &cli->export->colours, &remarks, &why);
    if (st == ES_ENOTFOUND || st == ES_EUNSUPPORTED)
        st = es_usage(cli, err, "--theme takes light, dark or a theme: %s", why.message);
    else if (st != ES_OK && err)
        *err = why;
    for (const char *at = remarks.data; st == ES_OK && at && *at; at += strcspn(at, "\n") + 1)
        es_output_note(cli, "%.*s", (int)strcspn(at, "\n"), at);
    cli->export->themed = st == ES_OK;
    es_buf_free(&remarks);
    return st;
}

bool es_export_dark(const es_cli *cli) {
    return cli->export && cli->export->themed ? cli->export->colours.dark
                                              : is_look(cli->options->figure_theme, "dark");
}

static es_status read_style(es_sketch *sketch, es_error *err) {
    es_cli *cli = sketch->cli;
    const es_options *o = cli->options;
    es_figure_style *style = &sketch->style;
    *style = (es_figure_style){.dark = es_export_dark(cli), .title = o->title};
    if (cli->export && cli->export->themed)
        style->colours = &cli->export->colours;
    if (o->figure_width && !parse_width(o->figure_width, &style->width))
        return es_usage(cli, err,
                        "--width takes single, double, or %g to %g inches such as 5in, 12cm or "
                        "120mm, not '%s'",
                        ES_FIGURE_NARROWEST / 72, ES_FIGURE_WIDEST / 72, o->figure_width);
    name_document(cli, style);
    return ES_OK;
}

void *es_sketch_room(es_sketch *sketch, size_t count, size_t size) {
    void *room = es_arena_alloc(sketch->arena, count + 1, size);
    if (room)
        memset(room, 0, count * size);
    return room;
}

const char *es_sketch_take(es_sketch *sketch, es_buf *text) {
    char *kept = text->failed ? NULL : es_sketch_room(sketch, text->length + 1, 1);
    sketch->note.failed |= kept == NULL;
    if (kept && text->length > 0)
        memcpy(kept, text->data, text->length);
    es_buf_free(text);
    return kept ? kept : "";
}

const char *es_sketch_text(es_sketch *sketch, const char *format, ...) {
    char text[512];
    es_buf buf = {0};
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    es_buf_puts(&buf, text);
    return es_sketch_take(sketch, &buf);
}

const es_figure_style *es_sketch_style(es_sketch *sketch) {
    es_export_note(sketch->cli, &sketch->note);
    sketch->style.note = sketch->note.length > 0 ? sketch->note.data : NULL;
    return &sketch->style;
}

es_status es_sketch_make(const es_document *d,
                         es_status (*make)(const es_document *d, es_sketch *sketch, es_error *err),
                         es_buf *out, es_error *err) {
    es_sketch sketch = {.cli = d->cli,
                        .kind = (es_picture)((int)d->format - (int)ES_FORMAT_SVG),
                        .out = out,
                        .arena = es_arena_new()};
    es_status st = ES_OK;
    ES_FAIL_IF(sketch.arena == NULL, es_no_memory(err));
    ES_TRY(read_style(&sketch, err));
    ES_TRY(make(d, &sketch, err));
    ES_TRY(es_buf_check(&sketch.note, err));
done:
    es_buf_free(&sketch.note);
    es_arena_free(sketch.arena);
    return st;
}

es_status es_export_limits(es_cli *cli, double *low, double *high, es_error *err) {
    const char *text = cli->options->limits;
    *low = *high = (double)NAN;
    if (text == NULL)
        return ES_OK;
    size_t first = strcspn(text, ",");
    if (text[first] == ',' && es_text_parse_double(text, first, low) &&
        es_text_parse_double(text + first + 1, strlen(text + first + 1), high) && *low < *high &&
        isfinite(*low) && isfinite(*high))
        return ES_OK;
    return es_usage(cli, err, "--limits takes two numbers such as 0,1.5, the lower first, not '%s'",
                    text);
}
