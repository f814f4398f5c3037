/* Scores of splits and subsets, and which of them all models of a task have. */
#include "io_scores_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void es_mteb_parts_deinit(es_mteb_parts *parts) {
    es_words_deinit(&parts->splits);
    es_buf_free(&parts->subsets);
    es_free(parts->part);
    es_free(parts->sorted);
    for (size_t k = 0; k < parts->notes; k++)
        es_free(parts->note[k].text);
    es_free(parts->note);
    memset(parts, 0, sizeof *parts);
}

es_mteb_parts *es_mteb_parts_share(es_mteb_parts *parts) {
    atomic_fetch_add(&parts->shared, 1);
    return parts;
}

void es_mteb_parts_release(es_mteb_parts *parts) {
    if (!parts || atomic_fetch_sub(&parts->shared, 1) > 0)
        return;
    es_mteb_parts_deinit(parts);
    es_free(parts);
}

/* ---- one file ---- */

/* A number that is a member; NaN: there is none. */
static double number_of(const es_json_value *object, const char *key) {
    es_json_value value = {0};
    double number = (double)NAN;
    if (es_json_get(object, key, ES_JSON_NUMBER, ES_JSON_OPTIONAL, &value, NULL) == ES_OK &&
        value.node)
        (void)es_json_as_number(&value, &number, NULL);
    return fabs(number) <= ES_VALUE_MOST ? number : (double)NAN;
}

static double number_within(const es_json_value *object, const char *outer, const char *inner) {
    es_json_value value = {0};
    if (es_json_get(object, outer, ES_JSON_OBJECT, ES_JSON_OPTIONAL, &value, NULL) != ES_OK ||
        !value.node)
        return (double)NAN;
    return number_of(&value, inner);
}

/* What version 1 took for the main score where it did not write it: by the kind of task, which the
 * metrics tell. */
static bool has_member(const es_json_value *object, const char *key) {
    for (es_json_value m = es_json_first(object); m.node; m = es_json_next(&m))
        if (es_json_key_of(&m) && strcmp(es_json_key_of(&m), key) == 0)
            return true;
    return false;
}

/* One that is written and no number, null or NaN, is missing: another would be another score. */
static double metric_of(const es_json_value *object) {
    static const struct {
        const char *outer, *inner;
    } metrics[] = {{NULL, "ndcg_at_10"},    /* retrieval */
                   {NULL, "v_measure"},     /* clustering */
                   {NULL, "map"},           /* reranking */
                   {"cos_sim", "ap"},       /* pair classification */
                   {"cos_sim", "spearman"}, /* sts, summarization */
                   {NULL, "accuracy"}};     /* classification */
    if (has_member(object, "main_score"))
        return number_of(object, "main_score");
    if (!isnan(number_of(object, "precision")) && !isnan(number_of(object, "recall")))
        return number_of(object, "f1"); /* bitext mining, which has an accuracy, too */
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        double value = metrics[i].outer ? number_within(object, metrics[i].outer, metrics[i].inner)
                                        : number_of(object, metrics[i].inner);
        if (!isnan(value))
            return value;
    }
    return (double)NAN;
}

/* A file whose scores are being added. */
typedef struct adding {
    es_mteb_parts *parts;
    size_t model, split; /* SIZE_MAX until the split at hand has a score */
    const char *name;    /* of that split */
    const char *path;    /* of the file */
} adding;

/* More than any task has, and few enough to be looked through. */
enum { SPLITS_MOST = 1024 };

static es_status find_split(adding *a, es_error *err) {
    es_words *splits = &a->parts->splits;
    a->split = es_text_index((const char *const *)splits->word, splits->count, a->name);
    if (a->split != SIZE_MAX)
        return ES_OK;
    if (splits->count == SPLITS_MOST)
        return es_fail(err, ES_EFORMAT, "%s: splits of more than %d names: is it a result of MTEB?",
                       es_path_shown(a->path).text, SPLITS_MOST);
    a->split = splits->count;
    return es_words_add(splits, a->name, err);
}

/* Version 1 has no name for the only subset, which version 2 calls "default". */
static es_status add_part(adding *a, const char *subset, double score, es_error *err) {
    es_mteb_parts *p = a->parts;
    ES_PASS(a->split == SIZE_MAX ? find_split(a, err) : ES_OK);
    const es_mteb_part part = {
        .model = a->model, .split = a->split, .subset = p->subsets.length, .score = score};
    es_buf_puts(&p->subsets, subset ? subset : "default");
    es_buf_putc(&p->subsets, '\0');
    return p->subsets.failed
               ? es_no_memory(err)
               : es_append(&p->part, &p->count, &p->capacity, &part, sizeof part, err);
}

static const char *subset_of(const es_json_value *part) {
    const char *key = es_json_key_of(part), *name = NULL;
    (void)es_json_get_text(part, "hf_subset", ES_JSON_OPTIONAL, &name, NULL);
    return name && *name ? name : key && *key ? key : NULL;
}

/* A split has a score itself, or one of each of its languages (an object of them, or an array). */
static es_status add_split(adding *a, const es_json_value *split, es_error *err) {
    double own = es_json_type_of(split) == ES_JSON_OBJECT ? metric_of(split) : (double)NAN;
    es_status st = ES_OK;
    if (!isnan(own))
        return add_part(a, NULL, own, err);
    for (es_json_value part = es_json_first(split); part.node && st == ES_OK;
         part = es_json_next(&part)) {
        double score = es_json_type_of(&part) == ES_JSON_OBJECT ? metric_of(&part) : (double)NAN;
        if (!isnan(score))
            st = add_part(a, subset_of(&part), score, err);
    }
    return st;
}

static bool holds_more(const es_json_value *value) {
    es_json_type type = es_json_type_of(value);
    return type == ES_JSON_OBJECT || type == ES_JSON_ARRAY;
}

static es_status add_splits(es_mteb_parts *parts, const es_json_value *splits, const char *path,
                            size_t model, es_error *err) {
    adding a = {.parts = parts, .model = model, .path = path};
    es_status st = ES_OK;
    for (es_json_value s = es_json_first(splits); s.node && st == ES_OK; s = es_json_next(&s)) {
        if (!holds_more(&s))
            continue;
        a.name = es_json_key_of(&s);
        a.split = SIZE_MAX;
        st = add_split(&a, &s, err);
    }
    return st;
}

/* Python writes NaN, Infinity and -Infinity where a score is none: null, of which JSON knows. */
static es_status without_nan(const char *text, size_t length, es_buf *out, es_error *err) {
    static const char *const none[] = {"NaN", "-Infinity", "Infinity"};
    bool quoted = false;
    size_t from = 0;
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '"')
            quoted = !quoted;
        else if (quoted && text[at] == '\\')
            at++;
        for (size_t k = 0; !quoted && k < sizeof none / sizeof *none; k++) {
            size_t size = strlen(none[k]);
            if (length - at < size || memcmp(text + at, none[k], size) != 0)
                continue;
            es_buf_add(out, text + from, at - from);
            es_buf_puts(out, "null");
            from = at + size;
            at = from - 1;
            break;
        }
    }
    es_buf_add(out, text + from, length - from);
    return es_buf_check(out, err);
}

es_status es_mteb_parts_read(es_mteb_parts *parts, const char *text, size_t length,
                             const char *path, size_t model, size_t *out, es_error *err) {
    es_json_doc *doc = NULL;
    es_json_value scores = {0};
    size_t before = parts->count;
    es_buf plain = {0};
    es_status st = without_nan(text, length, &plain, err);
    if (st == ES_OK)
        st = es_json_parse(plain.data ? plain.data : "", plain.length, path, &doc, err);
    es_buf_free(&plain);
    if (st != ES_OK)
        return st;
    es_json_value root = es_json_root(doc);
    if (es_json_type_of(&root) == ES_JSON_OBJECT) {
        bool second = es_json_get(&root, "scores", ES_JSON_OBJECT, ES_JSON_OPTIONAL, &scores,
                                  NULL) == ES_OK &&
                      scores.node;
        st = add_splits(parts, second ? &scores : &root, path, model, err);
    }
    *out = parts->count - before;
    es_json_free(doc);
    return st;
}

void es_mteb_parts_file(es_mteb_parts *parts, size_t count, size_t task) {
    for (size_t i = parts->count - count; i < parts->count; i++)
        parts->part[i].task = task;
}

es_status es_mteb_parts_take_note(es_mteb_parts *parts, es_mteb_skipped kind, size_t model,
                                  char *text, es_error *err) {
    const es_mteb_note note = {kind, model, text};
    es_status st =
        es_append(&parts->note, &parts->notes, &parts->note_capacity, &note, sizeof note, err);
    if (st != ES_OK)
        es_free(text);
    return st;
}

/* ---- what all have ---- */

enum { USUAL = 3 };

/* Which split is taken where there are several; USUAL: one of other names. */
static size_t rank_of(const char *split) {
    static const char *const usual[USUAL] = {"test", "dev", "validation"};
    size_t place = es_text_index(usual, USUAL, split);
    return place == SIZE_MAX ? USUAL : place;
}

/* A part where it is sorted: by task, split, subset and model. */
typedef struct es_mteb_sorted {
    const es_mteb_part *part;
    const char *split, *subset;
    size_t rank;
} sorted;

static int compare(const void *x, const void *y) {
    const sorted *a = x, *b = y;
    int order = (a->part->task > b->part->task) - (a->part->task < b->part->task);
    if (order == 0)
        order = (a->rank > b->rank) - (a->rank < b->rank);
    if (order == 0)
        order = strcmp(a->split, b->split);
    if (order == 0)
        order = strcmp(a->subset, b->subset);
    if (order == 0)
        order = (a->part->model > b->part->model) - (a->part->model < b->part->model);
    return order != 0 ? order : (a->part > b->part) - (a->part < b->part);
}

/* Parts of a task, and what is made of them. */
typedef struct settling {
    const sorted *part; /* (count) */
    size_t count, models, kept;
    const bool *counts;    /* (models) NULL: all count */
    bool *keep;            /* (models) of those that count */
    double *sum, *mean;    /* (models) over subsets, over splits */
    size_t *terms, *means; /* (models) */
} settling;

/* The end of the parts of one split and subset, or of one split. */
static size_t end_of(const settling *s, size_t from, bool subset) {
    size_t to = from + 1;
    while (to < s->count && strcmp(s->part[to].split, s->part[from].split) == 0 &&
           (!subset || strcmp(s->part[to].subset, s->part[from].subset) == 0))
        to++;
    return to;
}

/* How many models that are kept have a subset. */
static size_t kept_in(const settling *s, size_t from, size_t to) {
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        count += s->keep[s->part[i].part->model] &&
                 (i == from || s->part[i].part->model != s->part[i - 1].part->model);
    return count;
}

/* The first subset that all have; SIZE_MAX: there is none, and *most is where that is which most
 * have. */
static size_t first_common(const settling *s, size_t *most) {
    size_t largest = 0;
    for (size_t from = 0, to; from < s->count; from = to) {
        to = end_of(s, from, true);
        size_t count = kept_in(s, from, to);
        if (count == s->kept)
            return from;
        if (count > largest) {
            largest = count;
            *most = from;
        }
    }
    return SIZE_MAX;
}

static bool counts(const settling *s, size_t model) {
    return !s->counts || s->counts[model];
}

/* Keeps the counted models of some parts: of all parts of a task, or of one subset. */
static void keep_those(settling *s, size_t from, size_t to) {
    memset(s->keep, 0, s->models * sizeof *s->keep);
    s->kept = 0;
    for (size_t i = from; i < to; i++) {
        size_t model = s->part[i].part->model;
        s->kept += counts(s, model) && !s->keep[model];
        s->keep[model] = counts(s, model);
    }
}

/* Of a split: sums over its common subsets. *left: subsets are not used that some have. */
static void add_common(settling *s, size_t from, size_t to, bool *left) {
    for (size_t at = from, end; at < to; at = end) {
        end = end_of(s, at, true);
        size_t count = kept_in(s, at, end);
        if (count < s->kept) {
            *left = *left || count > 0;
            continue;
        }
        for (size_t i = at; i < end; i++) {
            s->sum[s->part[i].part->model] += s->part[i].part->score;
            s->terms[s->part[i].part->model]++;
        }
    }
}

static void close_split(settling *s) {
    for (size_t m = 0; m < s->models; m++) {
        if (s->terms[m] > 0) {
            s->mean[m] += s->sum[m] / (double)s->terms[m];
            s->means[m]++;
        }
        s->sum[m] = 0;
        s->terms[m] = 0;
    }
}

/* What is to be said of tasks: of one kind the first, and how many more. */
typedef struct told {
    size_t count;
    es_buf first;
} told;

/* "test: en, de and 3 more" of the split that begins at `from`. */
static void put_common(const settling *s, size_t from, es_buf *out) {
    enum { NAMED = 3 };
    size_t named = 0, to = end_of(s, from, false);
    es_buf_puts(out, s->part[from].split);
    for (size_t at = from, end; at < to; at = end) {
        end = end_of(s, at, true);
        if (kept_in(s, at, end) == s->kept && named++ < NAMED)
            es_buf_printf(out, "%s%s", named == 1 ? ": " : ", ", s->part[at].subset);
    }
    if (named > NAMED)
        es_buf_printf(out, " and %zu more", named - NAMED);
}

/* Where the split of a part begins. */
static size_t split_start(const settling *s, size_t at) {
    while (at > 0 && strcmp(s->part[at - 1].split, s->part[at].split) == 0)
        at--;
    return at;
}

/* Means over the common subsets of the split that begins at `from` and of those of its rank. */
static void average(settling *s, size_t from, bool *left) {
    size_t rank = s->part[from].rank;
    memset(s->mean, 0, s->models * sizeof *s->mean);
    memset(s->means, 0, s->models * sizeof *s->means);
    for (size_t at = from, end; at < s->count && s->part[at].rank == rank; at = end) {
        end = end_of(s, at, false);
        add_common(s, at, end, left);
        close_split(s);
    }
}

/* A counted model that is not kept; SIZE_MAX: all are. */
static size_t first_left_out(const settling *s) {
    for (size_t i = 0; i < s->count; i++) {
        size_t model = s->part[i].part->model;
        if (counts(s, model) && !s->keep[model])
            return model;
    }
    return SIZE_MAX;
}

/* all: models that were kept at first, odd: the first that is not any more, or SIZE_MAX. */
static void report(const settling *s, const es_mteb_names *names, const char *task, size_t from,
                   size_t all, size_t odd, told *to) {
    if (to->count++ > 0)
        return;
    es_buf_printf(&to->first, "%s: ", task);
    if (odd != SIZE_MAX)
        es_buf_printf(&to->first, "no subset that all %zu models have; ", all);
    es_buf_puts(&to->first, "compared by ");
    put_common(s, from, &to->first);
    if (odd == SIZE_MAX)
        es_buf_printf(&to->first, ", which all %zu models have, alone", all);
    else
        es_buf_printf(&to->first, ", without %s", names->model[odd]);
    if (odd != SIZE_MAX && all - s->kept > 1)
        es_buf_printf(&to->first, " and %zu more", all - s->kept - 1);
}

static void settle_task(settling *s, const es_mteb_names *names, size_t task, told *dropped,
                        told *left_out, double *value) {
    size_t most = 0, all, first;
    bool left = false;
    keep_those(s, 0, s->count);
    if ((all = s->kept) == 0)
        return;
    first = first_common(s, &most);
    if (first == SIZE_MAX) {
        keep_those(s, most, end_of(s, most, true));
        first = first_common(s, &most);
    }
    size_t from = split_start(s, first);
    for (size_t i = 0; i < from; i++) /* of splits that go before it */
        left = left || s->keep[s->part[i].part->model];
    average(s, from, &left);
    for (size_t m = 0; m < s->models; m++)
        if (s->keep[m]) {
            double mean = s->mean[m] / (double)s->means[m]; /* sums of any numbers may overflow */
            value[m * names->tasks + task] = isfinite(mean) ? mean : (double)NAN;
        }
    size_t odd = first_left_out(s);
    if (odd != SIZE_MAX || left)
        report(s, names, names->task[task], from, all, odd, odd != SIZE_MAX ? dropped : left_out);
}

static void put_told(told *t, es_buf *out) {
    if (t->count > 0 && !t->first.failed)
        es_buf_printf(out, "%s%s", out->length > 0 ? "; " : "", t->first.data);
    if (t->count > 1)
        es_buf_printf(out, " (and %zu more task%s)", t->count - 1, t->count == 2 ? "" : "s");
    es_buf_free(&t->first);
}

/* What was skipped of the models that count, the first of each kind by name. */
static void put_skipped(const es_mteb_parts *p, const bool *counts, es_buf *out) {
    static const char *const more[ES_MTEB_SKIPPED] = {"models with several revisions", "folders",
                                                      "files"};
    for (int kind = 0; kind < ES_MTEB_SKIPPED; kind++) {
        size_t count = 0;
        for (size_t k = 0; k < p->notes; k++)
            if ((int)p->note[k].kind == kind && (!counts || counts[p->note[k].model]) &&
                count++ == 0)
                es_buf_printf(out, "%s%s", out->length > 0 ? "; " : "", p->note[k].text);
        if (count > 1)
            es_buf_printf(out, " (and %zu more %s)", count - 1, more[kind]);
    }
}

static es_status sort_parts(es_mteb_parts *p, es_error *err) {
    if (p->sorted)
        return ES_OK;
    sorted *all = es_alloc(p->count, sizeof *all);
    if (!all)
        return es_no_memory(err);
    for (size_t i = 0; i < p->count; i++) {
        const es_mteb_part *part = &p->part[i];
        const char *split = p->splits.word[part->split];
        all[i] = (sorted){part, split, p->subsets.data + part->subset, rank_of(split)};
    }
    if (p->count > 1)
        qsort(all, p->count, sizeof *all, compare);
    p->sorted = all;
    return ES_OK;
}

static void settling_deinit(settling *s) {
    es_free(s->keep);
    es_free(s->sum);
    es_free(s->terms);
}

static es_status settling_init(settling *s, es_error *err) {
    s->keep = es_alloc_zero(s->models, sizeof *s->keep);
    s->sum = es_alloc_zero(s->models, 2 * sizeof *s->sum);
    s->terms = es_alloc_zero(s->models, 2 * sizeof *s->terms);
    if (!s->keep || !s->sum || !s->terms) {
        settling_deinit(s);
        return es_no_memory(err);
    }
    s->mean = s->sum + s->models;
    s->means = s->terms + s->models;
    return ES_OK;
}

es_status es_mteb_parts_settle(es_mteb_parts *parts, const es_mteb_names *names, const bool *counts,
                               double *value, es_buf *remark, es_error *err) {
    settling s = {.models = names->models, .counts = counts};
    told dropped = {0}, left_out = {0};
    ES_PASS(sort_parts(parts, err));
    ES_PASS(settling_init(&s, err));
    for (size_t k = 0; k < names->models * names->tasks; k++)
        value[k] = (double)NAN;
    for (size_t from = 0, to; from < parts->count; from = to) {
        size_t task = parts->sorted[from].part->task;
        for (to = from + 1; to < parts->count && parts->sorted[to].part->task == task; to++)
            ;
        s.part = parts->sorted + from;
        s.count = to - from;
        settle_task(&s, names, task, &dropped, &left_out, value);
    }
    put_told(&dropped, remark);
    put_told(&left_out, remark);
    put_skipped(parts, counts, remark);
    settling_deinit(&s);
    return remark->failed ? es_no_memory(err) : ES_OK;
}
