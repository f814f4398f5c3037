/* The export dialog, :export and E. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "app_dialogs.h"

void es_app_exporter(es_app *app, const char *const *const base[ES_EXPORT_VIEWS]) {
    for (int view = 0; view < ES_EXPORT_SHEET; view++)
        app->export.base[view] = base[view];
    for (int view = 0; view < ES_EXPORT_VIEWS; view++)
        app->export.form[view] =
            view == ES_EXPORT_RANKING || view == ES_EXPORT_COMPARE ? ES_EXPORT_TEX : ES_EXPORT_PDF;
    app->export.form[ES_EXPORT_REPORT] = ES_EXPORT_HTML;
    app->export.form[ES_EXPORT_SHEET] = ES_EXPORT_TEX;
}

/* ---- Writing ---- */

/* "~/x" is what people type; a shell would have made it a path. */
static void expand_home(es_export_request *request) {
    const char *home = getenv("HOME");
    char path[ES_EXPORT_FILE];
    if (request->file[0] != '~' || request->file[1] != '/' || home == NULL)
        return;
    int length = snprintf(path, sizeof path, "%s%s", home, request->file + 1);
    if (length > 0 && (size_t)length < sizeof path)
        (void)snprintf(request->file, sizeof request->file, "%s", path);
}

void es_export_write(es_app *app, bool over, es_effects *effects) {
    es_export_state *e = &app->export;
    const char *refusal = es_export_view_refusal(app, e->now.view);
    expand_home(&e->now);
    if (refusal != NULL)
        es_app_notice(app, ES_EINVAL, "export: %s", refusal);
    else if (e->busy)
        es_app_notice(app, ES_EBUSY, "export: the last one is still being written");
    else if (e->now.view != ES_EXPORT_COMPARE && e->now.view != ES_EXPORT_REPORT &&
             !es_export_is(e->now.view, ES_EXPORT_OF_BOARD) && e->now.view != ES_EXPORT_SHEET &&
             es_export_choose(app, &e->now).shown == 0)
        es_app_notice(app, ES_EINVAL, "export: all embedders are hidden or filtered out");
    else {
        es_words_deinit(&e->line);
        if (es_export_words(app, &e->now, &e->line) != ES_OK)
            es_app_notice(app, ES_ENOMEM, "out of memory");
        else
            es_effect_add(app, effects, ES_FX_EXPORT, 0, over, NULL);
    }
}

void es_app_export_exists(es_app *app) {
    app->mode = ES_MODE_ASK;
    app->ask = ES_ASK_OVERWRITE;
    app->dirty = true;
}

void es_app_export_begun(es_app *app) {
    es_export_state *e = &app->export;
    e->busy = true;
    e->last = e->now;
    e->has_last = true;
    e->form[e->now.view] = e->now.form;
    es_app_notice(app, ES_OK, "Writing %s ...", e->now.file);
}

void es_app_export_done(es_app *app, double now, es_status status, const char *path,
                        const char *problem) {
    enum { LONGEST = 400 }; /* bytes of a path in a notice; what is cut is its middle */
    es_export_state *e = &app->export;
    char text[LONGEST + 80];
    const char *whole = path != NULL ? path : e->last.file;
    size_t length = strlen(whole), tail = length > LONGEST ? LONGEST / 2 : 0;
    bool of_measure = e->line.count < 2 || strcmp(e->line.word[1], "export") != 0;
    e->busy = false;
    (void)snprintf(text, sizeof text, "Written%s (E again): %.*s%s%s",
                   of_measure ? "" : ", with .meta.json", (int)(tail ? tail : length), whole,
                   tail ? "…" : "", tail ? whole + length - tail : "");
    es_app_say(app, now, status, status == ES_OK ? text : problem);
}

/* ---- The dialog ---- */

/* Fills the dialog for a view, with the form last used there. */
static void begin_request(es_app *app, es_export_view view) {
    es_export_state *e = &app->export;
    e->now = (es_export_request){
        .view = view, .form = e->form[view], .width = e->last.width, .look = e->last.look};
    es_export_name(app, &e->now);
    e->naming = false;
}

static void export_open(es_app *app, es_export_view view) {
    const char *refusal = es_export_view_refusal(app, view);
    if (refusal != NULL) {
        es_app_notice(app, ES_EINVAL, "export: %s", refusal);
        return;
    }
    begin_request(app, view);
    app->mode = ES_MODE_EXPORT;
}

static bool refuse_form(es_app *app, es_export_view view, es_export_form form) {
    const char *refusal = es_export_form_refusal(app, view, form);
    if (refusal != NULL)
        es_app_notice(app, ES_EINVAL, "export: %s", refusal);
    return refusal != NULL;
}

static void use_view(es_app *app, es_export_view view) {
    es_export_request *now = &app->export.now;
    now->view = view;
    if (es_export_form_refusal(app, view, now->form) != NULL)
        now->form = app->export.form[view];
    es_export_name(app, now);
}

static void next_view(es_app *app, int step) {
    int view = (int)app->export.now.view;
    do
        view = (view + step + ES_EXPORT_VIEWS) % ES_EXPORT_VIEWS;
    while (es_export_view_refusal(app, (es_export_view)view) != NULL &&
           view != (int)app->export.now.view);
    use_view(app, (es_export_view)view);
}

/* The report is of no view: its format leads to it, and the others lead back. */
static void use_form(es_app *app, es_export_form form) {
    es_export_request *now = &app->export.now;
    size_t stem = strlen(now->file);
    if (form == ES_EXPORT_HTML && !es_export_is(now->view, ES_EXPORT_OF_BOARD))
        now->view = ES_EXPORT_REPORT;
    else if (now->view == ES_EXPORT_REPORT)
        now->view = es_export_of_view(app);
    if (refuse_form(app, now->view, form))
        return;
    es_export_form ending = es_export_form_of(now->file);
    if (now->named && ending != ES_EXPORT_FORMS) { /* a typed name keeps all but its ending */
        stem -= strlen(es_export_form_name(ending));
        (void)snprintf(now->file + stem, sizeof now->file - stem, "%s", es_export_form_name(form));
    }
    now->form = form;
    es_export_name(app, now);
}

/* Opens the file name for typing, with the cursor before the ending. */
static void begin_naming(es_app *app) {
    es_export_state *e = &app->export;
    e->naming = true;
    es_line_set(&e->line_edit, e->now.file);
    const char *dot = strrchr(e->now.file, '.');
    if (dot != NULL) /* the part that people change lies before the ending */
        e->line_edit.cursor = (size_t)(dot - e->now.file);
}

/* Whoever typed the ending too has it twice: it stood behind the cursor. */
static void drop_second_ending(es_line *line) {
    char *last = strrchr(line->text, '.');
    size_t size = last == NULL ? 0 : strlen(last);
    if (size > 1 && line->length > 2 * size && memcmp(last - size, last, size) == 0)
        line->text[line->length -= size] = '\0';
}

/* The ending says the format, where it is one. */
static void take_name(es_app *app) {
    es_export_state *e = &app->export;
    drop_second_ending(&e->line_edit);
    es_export_form form = es_export_form_of(e->line_edit.text);
    e->naming = false;
    if (e->line_edit.length == 0 || strcmp(e->line_edit.text, "-") == 0) {
        es_app_notice(app, ES_EINVAL, "export: a file needs a name");
        return;
    }
    if (form == ES_EXPORT_HTML && !es_export_is(e->now.view, ES_EXPORT_OF_BOARD))
        e->now.view = ES_EXPORT_REPORT;
    if (form != ES_EXPORT_FORMS && refuse_form(app, e->now.view, form))
        return;
    if (strcmp(e->now.file, e->line_edit.text) != 0)
        e->now.named = true;
    (void)snprintf(e->now.file, sizeof e->now.file, "%s", e->line_edit.text);
    if (form != ES_EXPORT_FORMS)
        e->now.form = form;
}

static void name_key(es_app *app, uint32_t key) {
    if (key == ES_KEY_ESC)
        app->export.naming = false;
    else if (key == ES_KEY_ENTER)
        take_name(app);
    else
        (void)es_line_key(&app->export.line_edit, key);
}

void es_export_paste(es_app *app, const char *text) {
    if (!app->export.naming)
        begin_naming(app);
    for (size_t i = 0, length = strcspn(text, "\r\n"); i < length;) {
        uint32_t code;
        i += es_utf8_decode(text + i, length - i, &code);
        if (code >= ' ' && code < ES_KEY_UP)
            (void)es_line_key(&app->export.line_edit, code);
    }
}

static void write_now(es_app *app, es_effects *effects) {
    app->mode = ES_MODE_NORMAL;
    es_export_write(app, false, effects);
}

/* The letter of a format chooses it; as a capital it also writes the file. */
static bool form_key(es_app *app, uint32_t key, es_effects *effects) {
    int at = ES_EXPORT_FORMS;
    for (int form = 0; form < ES_EXPORT_FORMS; form++)
        at = key == (uint32_t)es_export_keys[form] ? form : at;
    bool writes = at == ES_EXPORT_FORMS && key >= 'A' && key <= 'Z';
    for (int form = 0; form < ES_EXPORT_FORMS && writes; form++)
        at = key - 'A' + 'a' == (uint32_t)es_export_keys[form] ? form : at;
    if (at == ES_EXPORT_FORMS)
        return false;
    use_form(app, (es_export_form)at);
    if (writes && app->export.now.form == (es_export_form)at)
        write_now(app, effects);
    return true;
}

/* Handles a key of the export dialog. */
void es_export_key(es_app *app, uint32_t key, es_effects *effects) {
    es_export_state *e = &app->export;
    if (e->naming) {
        name_key(app, key);
        return;
    }
    if (form_key(app, key, effects))
        return;
    switch (key) {
    case 'v':
    case ES_KEY_TAB:
        next_view(app, 1);
        break;
    case ES_KEY_BACKTAB:
        next_view(app, -1);
        break;
    case 'f':
        begin_naming(app);
        break;
    case 'a':
        e->now.all = !e->now.all;
        break;
    case 'w':
        e->now.width = (es_export_width)((e->now.width + 1) % (ES_EXPORT_DOUBLE + 1));
        break;
    case 't':
        e->now.look = (es_export_look)((e->now.look + 1) % (ES_EXPORT_THEME + 1));
        break;
    case 'y':
        es_app_copy(app, es_export_text(app, &app->export.now), effects);
        break;
    case ES_KEY_ENTER:
        write_now(app, effects);
        break;
    case ES_KEY_ESC:
    case 'q':
        app->mode = ES_MODE_NORMAL;
        break;
    default:
        break;
    }
}

/* ---- Commands ---- */

/* "VIEW FILE", "FILE" for the view shown, or "VIEW" for its dialog. */
static void export_line(es_call *call) {
    es_app *app = call->app;
    const char *text = call->argument;
    size_t word = strcspn(text, " ");
    es_export_view view = es_export_view_find(text, word);
    if (view != ES_EXPORT_VIEWS)
        text += word + strspn(text + word, " ");
    else
        view = es_export_of_view(app);
    if (text[0] == '\0') {
        export_open(app, view);
        return;
    }
    es_export_form form = es_export_form_of(text);
    if (form == ES_EXPORT_FORMS || strlen(text) >= ES_EXPORT_FILE) {
        es_app_notice(app, ES_EINVAL,
                      "export: the ending of the file chooses the format: csv json jsonl npz md "
                      "tex svg pdf png html");
        return;
    }
    if (form == ES_EXPORT_HTML && !es_export_is(view, ES_EXPORT_OF_BOARD))
        view = ES_EXPORT_REPORT;
    if (refuse_form(app, view, form))
        return;
    begin_request(app, view);
    app->export.now.form = form;
    app->export.now.named = true;
    (void)snprintf(app->export.now.file, sizeof app->export.now.file, "%s", text);
    es_export_write(app, false, call->effects);
}

void es_command_export(es_call *call) {
    es_app *app = call->app;
    es_export_state *e = &app->export;
    if (call->argument != NULL)
        export_line(call);
    else if (call->command == ES_COMMAND_EXPORT_AGAIN && e->has_last) {
        e->now = e->last;
        es_export_write(app, true, call->effects);
    } else
        export_open(app, es_export_of_view(app));
}
