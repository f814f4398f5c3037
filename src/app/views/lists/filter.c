/* The filter language: words that must all hold. dim>512, score>=0.3, !word, /regex/, marked,
 * failed, excluded, ready, c:C1 (in this community), anything else is part of a name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "app_values.h"
#include "app_lists.h"

/* True: the text contains the word; case counts if the word has an upper-case letter. */
static bool contains_word(const char *text, const char *word) {
    bool exact = false;
    for (const char *c = word; *c != '\0'; c++)
        exact = exact || (*c >= 'A' && *c <= 'Z');
    for (size_t length = strlen(word); *text != '\0'; text++) {
        size_t i = 0;
        while (i < length && text[i] != '\0') {
            char c = text[i];
            if (!exact && c >= 'A' && c <= 'Z')
                c = (char)(c + 'a' - 'A');
            if (c != word[i])
                break;
            i++;
        }
        if (i == length)
            return true;
    }
    return *word == '\0';
}

bool es_text_holds(const char *text, const char *part) {
    return contains_word(text, part);
}

bool es_select_matches(const es_app *app, const char *text, size_t item) {
    return contains_word(es_app_model(app, item)->name, text);
}

/* Returns the number that a filter such as dim>512 compares; false: no such field. */
static bool number_of_field(const es_app *app, const char *name, size_t item, double *out) {
    const es_model *model = es_app_model(app, item);
    const es_live_rank *live = &app->live[item];
    if (strcmp(name, "dim") == 0)
        *out = (double)model->dim;
    else if (strcmp(name, "rows") == 0)
        *out = (double)model->rows;
    else if (strcmp(name, "size") == 0)
        *out = (double)model->file_bytes;
    else if (strcmp(name, "score") == 0)
        *out = live->score;
    else if (strcmp(name, "is") == 0)
        *out = live->published;
    else if (strcmp(name, "rank") == 0)
        *out = live->place == 0 ? (double)NAN : (double)live->place;
    else if (strcmp(name, "pairs") == 0)
        *out = (double)live->pairs;
    else if (strcmp(name, "failed") == 0)
        *out = (double)live->failed;
    else
        return false;
    return true;
}

/* A comparison such as dim>=512; false when the word is not one. */
static bool compare(const es_app *app, const char *word, size_t item, bool *pass, char *error,
                    size_t capacity) {
    size_t name = strcspn(word, "<>=");
    char key[24];
    double have, want;
    if (word[name] == '\0' || name == 0)
        return false;
    (void)snprintf(key, sizeof key, "%.*s", (int)(name < 23 ? name : 23), word);
    const char *value = word + name + 1;
    bool equal = word[name] == '=';
    if (!equal && *value == '=') {
        equal = true;
        value++;
    }
    if (!number_of_field(app, key, item, &have)) {
        (void)snprintf(error, capacity, "%s: use dim rows size score rank pairs or failed", key);
        *pass = true;
    } else if (!es_text_parse_double(value, strlen(value), &want)) {
        (void)snprintf(error, capacity, "%s: a number must follow", key);
        *pass = true;
    } else
        *pass = (word[name] == '<' && have < want) || (word[name] == '>' && have > want) ||
                (equal && have == want);
    return true;
}

/* "C1" is C1 and all that is in it, C1.2 too; as in the names of embedders, case does not count. */
static bool in_community(const es_app *app, const char *name, size_t item) {
    char label[24];
    size_t group = es_tree_group(app, item), length = strlen(name);
    if (group == ES_NONE)
        return false;
    es_tree_label(app, group, label, sizeof label);
    bool letter = name[0] == label[0] || name[0] == label[0] + ('a' - 'A');
    return length > 0 && letter && strncmp(label + 1, name + 1, length - 1) == 0 &&
           (label[length] == '\0' || label[length] == '.');
}

static bool word_holds(const es_app *app, char *word, size_t item, char *error, size_t capacity) {
    const es_model *model = es_app_model(app, item);
    size_t length = strlen(word);
    bool pass;
    if (word[0] == '/' && length > 1) {
        if (word[length - 1] == '/' && length > 2)
            word[length - 1] = '\0';
        return es_pattern_holds(app->pattern, word + 1, model->name, error, capacity);
    }
    if (compare(app, word, item, &pass, error, capacity))
        return pass;
    if (strncmp(word, "c:", 2) == 0)
        return in_community(app, word + 2, item);
    if (strcmp(word, "fail") == 0 || strcmp(word, "failed") == 0)
        return app->live[item].failed > 0;
    if (strcmp(word, "marked") == 0)
        return app->marked[item];
    if (strcmp(word, "excluded") == 0)
        return model->state == ES_MODEL_EXCLUDED;
    if (strcmp(word, "ready") == 0)
        return model->state == ES_MODEL_READY;
    return contains_word(model->name, word) ||
           (model->family != NULL && contains_word(model->family, word));
}

bool es_filter_pass(const es_app *app, const char *filter, size_t item, char *error,
                    size_t capacity) {
    char words[ES_APP_LINE], *rest = NULL;
    char unused[8];
    if (error == NULL) {
        error = unused;
        capacity = sizeof unused;
    }
    bool pass = true; /* all words are read, so that a faulty one is found for any item */
    error[0] = '\0';
    (void)snprintf(words, sizeof words, "%s", filter);
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        bool negate = word[0] == '!' && word[1] != '\0';
        bool holds = word_holds(app, word + negate, item, error, capacity);
        if (error[0] != '\0')
            return true;
        pass = pass && holds != negate;
    }
    return pass;
}

bool es_filter_reads(const es_app *app, const char *filter, char *error, size_t capacity) {
    error[0] = '\0';
    for (size_t item = 0; item < app->n && error[0] == '\0'; item++)
        (void)es_filter_pass(app, filter, item, error, capacity);
    return error[0] == '\0';
}

bool es_filter_of_communities(const es_app *app) {
    return strstr(app->set.filter, "c:") != NULL;
}

bool es_filter_awaits(const es_app *app) {
    return es_filter_of_communities(app) && app->tree.found == NULL;
}
