/* What is known of downstream tasks beside their scores: tasks.csv, and the categories of MTEB. */

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io_scores.h"

/* ---- MTEB ---- */

/* English MTEB (Muennighoff et al., EACL 2023, Table 1). */
static const struct {
    const char *category, *const *task;
} mteb[] = {
    {"classification",
     (const char *const[]){
         "AmazonCounterfactualClassification", "AmazonPolarityClassification",
         "AmazonReviewsClassification", "Banking77Classification", "EmotionClassification",
         "ImdbClassification", "MassiveIntentClassification", "MassiveScenarioClassification",
         "MTOPDomainClassification", "MTOPIntentClassification", "ToxicConversationsClassification",
         "TweetSentimentExtractionClassification", NULL}},
    {"clustering",
     (const char *const[]){"ArxivClusteringP2P", "ArxivClusteringS2S", "BiorxivClusteringP2P",
                           "BiorxivClusteringS2S", "MedrxivClusteringP2P", "MedrxivClusteringS2S",
                           "RedditClustering", "RedditClusteringP2P", "StackExchangeClustering",
                           "StackExchangeClusteringP2P", "TwentyNewsgroupsClustering", NULL}},
    {"pair classification", (const char *const[]){"SprintDuplicateQuestions", "TwitterSemEval2015",
                                                  "TwitterURLCorpus", NULL}},
    {"reranking", (const char *const[]){"AskUbuntuDupQuestions", "MindSmallReranking", "SciDocsRR",
                                        "StackOverflowDupQuestions", NULL}},
    {"retrieval",
     (const char *const[]){"ArguAna", "ClimateFEVER", "CQADupstackRetrieval", "DBPedia", "FEVER",
                           "FiQA2018", "HotpotQA", "MSMARCO", "NFCorpus", "NQ", "QuoraRetrieval",
                           "SCIDOCS", "SciFact", "Touche2020", "TRECCOVID", NULL}},
    {"sts", (const char *const[]){"BIOSSES", "SICK-R", "STS12", "STS13", "STS14", "STS15", "STS16",
                                  "STS17", "STS22", "STSBenchmark", NULL}},
    {"summarization", (const char *const[]){"SummEval", NULL}},
};

bool es_scores_tell(const es_scores *scores, size_t task, const size_t *row, size_t n) {
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        double value =
            row[i] == SIZE_MAX ? (double)NAN : scores->value[row[i] * scores->tasks + task];
        least = fmin(least, value);
        most = fmax(most, value);
    }
    return most > least;
}

bool es_scores_are_weighted(const es_scores *scores) {
    for (size_t t = 1; scores->about && t < scores->tasks; t++)
        if (scores->about[t].weight != scores->about[0].weight)
            return true;
    return false;
}

const char *es_score_category(const es_scores *scores, size_t task) {
    if (scores->about && scores->about[task].category)
        return scores->about[task].category;
    for (size_t c = 0; c < sizeof mteb / sizeof *mteb; c++)
        for (const char *const *name = mteb[c].task; *name; name++)
            if (strcasecmp(*name, scores->task[task]) == 0)
                return mteb[c].category;
    return NULL;
}

/* ---- tasks.csv ---- */

enum { TASK, CATEGORY, SIZE, BETTER, WEIGHT, COLUMNS };

static es_status find_columns(const es_table *t, size_t *column, es_error *err) {
    static const char *const name[COLUMNS] = {"task", "category", "size", "better", "weight"};
    for (size_t c = 0; c < COLUMNS; c++)
        column[c] = SIZE_MAX;
    for (size_t j = 0; j < t->columns; j++) {
        const char *heading = es_table_cell(t, 0, j);
        size_t known = 0;
        while (known < COLUMNS && strcasecmp(heading, name[known]) != 0)
            known++;
        if (known == COLUMNS && strcasecmp(heading, "rank") == 0)
            continue;
        if (known == COLUMNS)
            return es_fail(err, ES_EFORMAT,
                           "%s: line %zu: '%.100s' is not a column; there are task, category, "
                           "size, better and weight",
                           t->label, t->line[0], heading);
        column[known] = j;
    }
    if (column[TASK] == SIZE_MAX)
        return es_fail(err, ES_EFORMAT, "%s: line %zu: expected a column 'task'", t->label,
                       t->line[0]);
    return ES_OK;
}

/* Above 0, or not said. */
static es_status take_number(const es_table *t, size_t row, size_t column, const char *what,
                             double *out, es_error *err) {
    double value = (double)NAN;
    const char *text = column == SIZE_MAX ? "" : es_table_cell(t, row, column);
    es_status st = !text[0] || es_cells_says_missing(text, strlen(text))
                       ? ES_OK
                       : es_table_number(t, row, column, &value, err);
    if (st != ES_OK || isnan(value))
        return st;
    if (!(value > 0 && isfinite(value)))
        return es_fail(err, ES_EFORMAT, "%s: line %zu: a %s of %g is not above 0", t->label,
                       t->line[row], what, value);
    *out = value;
    return ES_OK;
}

static es_status take_direction(const es_table *t, size_t row, size_t column, int *out,
                                es_error *err) {
    const char *text = column == SIZE_MAX ? "" : es_table_cell(t, row, column);
    if (strcasecmp(text, "lower") == 0 || strcasecmp(text, "higher") == 0)
        *out = strcasecmp(text, "lower") == 0;
    else if (text[0])
        return es_fail(err, ES_EFORMAT, "%s: line %zu: better is '%.60s', expected higher or lower",
                       t->label, t->line[row], text);
    return ES_OK;
}

/* The nearest name, or the first of them. */
static void put_known(const es_scores *scores, const char *name, es_buf *out) {
    enum { NAMED = 6 };
    es_suggestion near = {.word = name};
    for (size_t j = 0; j < scores->tasks; j++)
        es_suggestion_offer(&near, scores->task[j]);
    if (near.best) {
        es_buf_printf(out, "did you mean '%s'?", near.best);
        return;
    }
    es_buf_puts(out, "the scores have ");
    for (size_t j = 0; j < scores->tasks && j < NAMED; j++)
        es_buf_printf(out, "%s%s", j > 0 ? ", " : "", scores->task[j]);
    if (scores->tasks > NAMED)
        es_buf_printf(out, " and %zu more", scores->tasks - NAMED);
}

/* A misspelt name would leave an error as higher is better without a word. */
static es_status remark_unknown(const es_table *t, size_t unknown, size_t row, size_t column,
                                es_scores *scores, es_error *err) {
    es_buf text = {0};
    char clean[80];
    if (unknown == 0)
        return ES_OK;
    const char *name = es_table_cell(t, row, column);
    (void)es_text_clean_into(clean, sizeof clean, name, strlen(name));
    es_buf_printf(&text, "%s: line %zu: no task is called '%s'", t->label, t->line[row], clean);
    if (unknown > 1)
        es_buf_printf(&text, " (and %zu more line%s like it)", unknown - 1,
                      unknown == 2 ? "" : "s");
    es_buf_puts(&text, "; ");
    put_known(scores, clean, &text);
    return es_scores_take_remark(scores, &text, err);
}

static es_status take_row(const es_table *t, size_t row, const size_t *column, es_scores *scores,
                          size_t *line, size_t *unknown, es_error *err) {
    const char *raw = es_table_cell(t, row, column[TASK]);
    char *name = es_text_clean(raw, strlen(raw), 0);
    size_t task = SIZE_MAX;
    es_status st = name ? es_scores_find_task(scores, name, &task, err) : es_no_memory(err);
    es_free(name);
    if (st != ES_OK)
        return st;
    if (task == SIZE_MAX) {
        *unknown = row;
        return ES_OK;
    }
    if (line[task])
        return es_fail(err, ES_EFORMAT, "%s: '%.100s' is in line %zu and again in line %zu",
                       t->label, raw, line[task], t->line[row]);
    line[task] = t->line[row];
    es_task_about *about = &scores->about[task];
    const char *category =
        column[CATEGORY] == SIZE_MAX ? "" : es_table_cell(t, row, column[CATEGORY]);
    if (category[0] && !(about->category = es_text_clean(category, strlen(category), 0)))
        return es_no_memory(err);
    if (es_score_name_says_lower(raw))
        about->lower = 1;
    st = take_number(t, row, column[SIZE], "size", &about->size, err);
    if (st == ES_OK)
        st = take_number(t, row, column[WEIGHT], "weight", &about->weight, err);
    return st == ES_OK ? take_direction(t, row, column[BETTER], &about->lower, err) : st;
}

static es_status need_about(es_scores *scores, es_error *err) {
    if (scores->about)
        return ES_OK;
    scores->about = es_alloc_zero(scores->tasks, sizeof *scores->about);
    if (!scores->about)
        return es_no_memory(err);
    for (size_t j = 0; j < scores->tasks; j++)
        scores->about[j] = (es_task_about){.size = (double)NAN, .weight = 1, .lower = -1};
    return ES_OK;
}

es_status es_scores_mark(es_scores *scores, size_t task, bool lower, es_error *err) {
    es_status st = need_about(scores, err);
    if (st == ES_OK)
        scores->about[task].lower = lower;
    return st;
}

es_status es_scores_describe(es_scores *scores, const char *path, es_error *err) {
    es_table t = {0};
    size_t column[COLUMNS], *line = NULL, unknown = 0, first = 0;
    es_score_cells seen = {0};
    es_status st = ES_OK;
    ES_TRY(es_table_read_any(path, 0, NULL, &t, err));
    ES_TRY(es_table_drop_index(&t, err));
    es_score_cells_plain(&t, (const char *const *)scores->task, scores->tasks, &seen);
    ES_TRY(find_columns(&t, column, err));
    line = es_alloc_zero(scores->tasks, sizeof *line);
    ES_FAIL_IF(!line, es_no_memory(err));
    ES_TRY(need_about(scores, err));
    for (size_t row = 1, at = 0; row < t.rows; row++, at = 0) {
        ES_TRY(take_row(&t, row, column, scores, line, &at, err));
        first = at > 0 && unknown == 0 ? at : first;
        unknown += at > 0;
    }
    ES_TRY(remark_unknown(&t, unknown, first, column[TASK], scores, err));
    ES_TRY(es_score_cells_remark(&seen, t.label, scores, err));
done:
    es_free(line);
    es_table_deinit(&t);
    return st;
}

es_status es_scores_describe_beside(es_scores *scores, const char *scores_path, es_error *err) {
    const char *slash = strrchr(scores_path, '/');
    es_buf path = {0};
    es_buf_printf(&path, "%.*stasks.csv", slash ? (int)(slash - scores_path + 1) : 0, scores_path);
    es_status st = es_buf_check(&path, err);
    if (st == ES_OK && access(path.data, F_OK) == 0)
        st = es_scores_describe(scores, path.data, err);
    es_buf_free(&path);
    if (st == ES_OK)
        st = es_scores_remark_lower(scores, err);
    return st;
}
