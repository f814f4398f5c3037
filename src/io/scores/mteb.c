/* Walks a folder of MTEB's results and puts their main scores into a table. */
#include "io_scores_parts.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RESULT_MOST = 64 << 20 }; /* bytes of one file */

es_status es_mteb_score(const char *text, size_t length, const char *path, double *out,
                        es_error *err) {
    es_mteb_parts parts = {0};
    char *const name[] = {NULL};
    const es_mteb_names names = {name, name, 1, 1};
    es_buf remark = {0};
    size_t count = 0;
    double score = (double)NAN;
    es_status st = ES_OK;
    ES_TRY(es_mteb_parts_read(&parts, text, length, path, 0, &count, err));
    ES_TRY(es_mteb_parts_settle(&parts, &names, NULL, &score, &remark, err));
    *out = score;
done:
    es_mteb_parts_deinit(&parts);
    es_buf_free(&remark);
    return st;
}

/* ---- folders ---- */

/* What a folder holds by its kind, hidden entries left out, sorted. ES_EIO: it cannot be read. */
static es_status list(const char *path, bool folders, es_words *out, es_error *err) {
    es_status st = ES_OK;
    DIR *dir = opendir(path);
    if (!dir)
        return es_fail(err, ES_EIO, "%s: %s", es_path_shown(path).text, strerror(errno));
    for (struct dirent *e; st == ES_OK && (e = readdir(dir)) != NULL;) {
        struct stat info;
        size_t length = strlen(e->d_name);
        bool json = length > 5 && strcmp(e->d_name + length - 5, ".json") == 0;
        if (e->d_name[0] == '.' || (!folders && !json))
            continue;
        char *whole = es_path_join(path, e->d_name);
        if (!whole)
            st = es_no_memory(err);
        else if (stat(whole, &info) == 0 &&
                 (folders ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode)))
            st = es_words_add(out, e->d_name, err);
        es_free(whole);
    }
    (void)closedir(dir);
    es_words_sort(out);
    return st;
}

/* ---- the table ---- */

typedef struct tree {
    es_run *run;
    es_words models, tasks; /* cleaned names */
    es_mteb_parts *parts;
} tree;

static bool is_result(const char *name) {
    return strcmp(name, "model_meta.json") != 0;
}

/* A folder that cannot be read has none. */
static es_status count_results(const char *folder, size_t *out, es_error *err) {
    es_words files = {0};
    es_status st = list(folder, false, &files, err);
    *out = 0;
    for (size_t i = 0; i < files.count; i++)
        *out += is_result(files.word[i]);
    es_words_deinit(&files);
    return st == ES_EIO ? ES_OK : st;
}

/* Position of a name in a list, put there if it is new. */
static es_status find(es_words *names, const char *name, size_t *out, es_error *err) {
    for (size_t i = names->count; i > 0; i--)
        if (strcmp(names->word[i - 1], name) == 0) {
            *out = i - 1;
            return ES_OK;
        }
    *out = names->count;
    return es_words_add(names, name, err);
}

static es_status note_file(tree *t, const char *path, size_t model, es_error *err) {
    char *text = NULL;
    ES_PASS(
        es_text_new(&text, err, "%s holds no main score and is skipped", es_path_shown(path).text));
    return es_mteb_parts_take_note(t->parts, ES_MTEB_FILE, model, text, err);
}

static es_status add_file(tree *t, const char *folder, const char *name, size_t model,
                          es_error *err) {
    char *path = es_path_join(folder, name), *text = NULL, *clean = NULL;
    size_t length = 0, count = 0, task = 0;
    es_status st =
        path ? es_file_read(path, 0, RESULT_MOST, &text, &length, err) : es_no_memory(err);
    if (st == ES_OK)
        st = es_mteb_parts_read(t->parts, text, length, path, model, &count, err);
    if (st == ES_OK && count == 0) {
        st = note_file(t, path, model, err);
    } else if (st == ES_OK) {
        clean = es_text_clean(name, strlen(name) - strlen(".json"), 0);
        st = clean ? find(&t->tasks, clean, &task, err) : es_no_memory(err);
        if (st == ES_OK)
            es_mteb_parts_file(t->parts, count, task);
    }
    es_free(clean);
    es_free(text);
    es_free(path);
    return st;
}

/* "intfloat__e5-base", or what its model_meta.json says. */
static es_status name_model(const char *folder, const char *base, char **out, es_error *err) {
    char *path = es_path_join(folder, "model_meta.json"), *text = NULL;
    es_json_doc *doc = NULL;
    es_buf name = {0};
    const char *said = NULL;
    es_status st = path ? es_json_read(path, 0, RESULT_MOST, &doc, err) : es_no_memory(err);
    es_free(path);
    if (st == ES_ENOMEM)
        return st;
    if (st == ES_OK) {
        es_json_value root = es_json_root(doc);
        (void)es_json_get_text(&root, "name", ES_JSON_OPTIONAL, &said, NULL);
    }
    if (said && said[0]) {
        es_buf_puts(&name, said);
    } else {
        const char *under = strstr(base, "__");
        es_buf_add(&name, base, under ? (size_t)(under - base) : strlen(base));
        if (under)
            es_buf_printf(&name, "/%s", under + 2);
    }
    es_json_free(doc);
    text = name.failed || !name.data ? NULL : es_text_clean(name.data, name.length, 0);
    es_buf_free(&name);
    *out = text;
    return text ? ES_OK : es_no_memory(err);
}

/* Where a model's results lie: its folder itself, or the fullest of its revisions. *out NULL: it
 * has none. `chosen` gets a sentence if there are several. */
static es_status choose_revision(const char *folder, const char *base, char **out, es_buf *chosen,
                                 es_error *err) {
    es_words revisions = {0};
    char *best = NULL, *path = NULL;
    const char *taken = "the folder itself";
    size_t most = 0, some = 0;
    es_status st = ES_OK;
    ES_TRY(count_results(folder, &most, err));
    ES_TRY(list(folder, true, &revisions, err));
    some = most > 0;
    ES_FAIL_IF(most > 0 && !(best = es_strdup(folder)), es_no_memory(err));
    for (size_t i = 0; i < revisions.count; i++) {
        size_t count = 0;
        ES_FAIL_IF(!(path = es_path_join(folder, revisions.word[i])), es_no_memory(err));
        ES_TRY(count_results(path, &count, err));
        some += count > 0;
        if (count > 0 && count >= most) {
            es_free(best);
            best = path;
            path = NULL;
            most = count;
            taken = revisions.word[i];
        }
        es_free(path);
        path = NULL;
    }
    if (some > 1)
        es_buf_printf(chosen, "%s: of its %zu revisions %s is read", base, some, taken);
    ES_FAIL_IF(chosen->failed, es_no_memory(err));
    *out = best;
    best = NULL;
done:
    es_free(path);
    es_free(best);
    es_words_deinit(&revisions);
    return st;
}

static es_status note_folder(tree *t, const char *base, size_t model, es_error *err) {
    char *text = NULL;
    ES_PASS(es_text_new(&text, err, "%s is another folder of %s and is skipped", base,
                        t->models.word[model]));
    return es_mteb_parts_take_note(t->parts, ES_MTEB_FOLDER, model, text, err);
}

static es_status note_revisions(tree *t, size_t model, const char *chosen, es_error *err) {
    char *text = es_strdup(chosen);
    return text ? es_mteb_parts_take_note(t->parts, ES_MTEB_REVISIONS, model, text, err)
                : es_no_memory(err);
}

/* The results in `from`, under the name of the folder `base`. */
static es_status add_results(tree *t, const char *from, const char *base, const es_buf *chosen,
                             es_error *err) {
    es_words files = {0};
    char *name = NULL;
    size_t model = 0, before = t->models.count;
    es_status st = ES_OK;
    ES_TRY(list(from, false, &files, err));
    ES_TRY(name_model(from, base, &name, err));
    ES_TRY(find(&t->models, name, &model, err));
    if (chosen->length > 0)
        ES_TRY(note_revisions(t, model, chosen->data, err));
    if (model < before) { /* not two sets of scores of one */
        st = note_folder(t, base, model, err);
        goto done;
    }
    for (size_t i = 0; i < files.count; i++) {
        if (!is_result(files.word[i]))
            continue;
        ES_TRY(es_run_check(t->run, err));
        ES_TRY(add_file(t, from, files.word[i], model, err));
    }
done:
    es_words_deinit(&files);
    es_free(name);
    return st;
}

static es_status add_model(tree *t, const char *root, const char *base, es_error *err) {
    char *folder = es_path_join(root, base), *from = NULL;
    es_buf chosen = {0};
    es_status st = folder ? choose_revision(folder, base, &from, &chosen, err) : es_no_memory(err);
    if (st == ES_OK && from)
        st = add_results(t, from, base, &chosen, err);
    es_buf_free(&chosen);
    es_free(folder);
    es_free(from);
    return st;
}

/* The names and the parts go over to `out`. */
static es_status make_scores(tree *t, es_scores *out, es_error *err) {
    es_scores s = {.models = t->models.count, .tasks = t->tasks.count};
    es_status st = ES_OK;
    s.value = es_alloc(s.models * s.tasks, sizeof *s.value);
    if (!s.value)
        return es_no_memory(err);
    s.model = t->models.word;
    s.task = t->tasks.word;
    s.parts = t->parts;
    t->models = t->tasks = (es_words){0};
    t->parts = NULL;
    st = es_scores_settle(&s, NULL, err);
    if (st == ES_OK)
        *out = s;
    else
        es_scores_deinit(&s);
    return st;
}

static es_status read_models(const char *root, tree *t, es_error *err) {
    es_words folders = {0};
    es_status st = list(root, true, &folders, err);
    for (size_t i = 0; st == ES_OK && i < folders.count; i++) {
        es_run_progress(t->run, (unsigned)i, (unsigned)folders.count);
        st = add_model(t, root, folders.word[i], err);
    }
    es_words_deinit(&folders);
    return st;
}

es_status es_mteb_read(const char *path, es_run *run, es_scores *out, es_error *err) {
    struct stat info;
    tree t = {.run = run, .parts = es_alloc_zero(1, sizeof *t.parts)};
    char *below = es_path_join(path, "results");
    if (!below || !t.parts) {
        es_free(below);
        es_mteb_parts_release(t.parts);
        return es_no_memory(err);
    }
    bool whole = stat(below, &info) == 0 && S_ISDIR(info.st_mode);
    es_status st = read_models(whole ? below : path, &t, err);
    es_free(below);
    if (st == ES_OK && (t.models.count == 0 || t.tasks.count == 0))
        st = es_fail(err, ES_EEMPTY,
                     "%s: no results of MTEB in it: expected MODEL/REVISION/TASK.json",
                     es_path_shown(path).text);
    if (st == ES_OK)
        st = make_scores(&t, out, err);
    es_words_deinit(&t.models);
    es_words_deinit(&t.tasks);
    es_mteb_parts_release(t.parts);
    return st;
}
