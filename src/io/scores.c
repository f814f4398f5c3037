/* Downstream scores, once they are read. */
#include "scores.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "alloc.h"
#include "text.h"

void es_scores_deinit(es_scores *scores) {
    for (size_t i = 0; scores->model && i < scores->models; i++)
        es_free(scores->model[i]);
    for (size_t j = 0; scores->task && j < scores->tasks; j++)
        es_free(scores->task[j]);
    es_free(scores->model);
    es_free(scores->task);
    es_free(scores->value);
    for (size_t j = 0; scores->about && j < scores->tasks; j++)
        es_free(scores->about[j].category);
    es_free(scores->about);
    es_free(scores->remark);
    memset(scores, 0, sizeof *scores);
}

static char **copy_names(char *const *names, size_t n) {
    char **copy = es_alloc_zero(n, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = es_strdup(names[i]))) {
            while (i > 0)
                es_free(copy[--i]);
            es_free(copy);
            return NULL;
        }
    return copy;
}

static bool copy_about(const es_scores *from, es_scores *to) {
    bool done = (to->about = es_alloc_zero(from->tasks, sizeof *to->about)) != NULL;
    for (size_t j = 0; done && j < from->tasks; j++) {
        to->about[j] = from->about[j];
        to->about[j].category = from->about[j].category ? es_strdup(from->about[j].category) : NULL;
        done = !from->about[j].category || to->about[j].category;
    }
    return done;
}

es_status es_scores_copy(const es_scores *from, es_scores *out, es_error *err) {
    es_scores copy = {.models = from->models, .tasks = from->tasks};
    size_t values = from->models * from->tasks;
    copy.model = copy_names(from->model, from->models);
    copy.task = copy_names(from->task, from->tasks);
    copy.value = es_alloc(values, sizeof *copy.value);
    copy.remark = from->remark ? es_strdup(from->remark) : NULL;
    bool done = copy.model && copy.task && copy.value && (copy.remark || !from->remark) &&
                (!from->about || copy_about(from, &copy));
    if (!done) {
        es_scores_deinit(&copy);
        return es_no_memory(err);
    }
    memcpy(copy.value, from->value, values * sizeof *copy.value);
    *out = copy;
    return ES_OK;
}

static bool name_says_lower(const char *task) {
    static const char *const ends[] = {"\xe2\x86\x93", "(lower)", "(lower is better)", "[lower]",
                                       ":lower"};
    size_t length = strlen(task);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strcasecmp(task + length - end, ends[i]) == 0)
            return true;
    }
    return false;
}

bool es_score_is_lower_better(const es_scores *scores, size_t task) {
    int said = scores->about ? scores->about[task].lower : -1;
    return said >= 0 ? said == 1 : name_says_lower(scores->task[task]);
}

size_t es_scores_find(const es_scores *scores, const char *model) {
    for (size_t i = 0; i < scores->models; i++)
        if (strcmp(scores->model[i], model) == 0)
            return i;
    return SIZE_MAX;
}

double es_score_turned(const es_scores *scores, size_t model, size_t task) {
    double value = scores->value[model * scores->tasks + task];
    return es_score_is_lower_better(scores, task) ? -value : value;
}
