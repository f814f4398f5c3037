/* Lists of texts that grow word by word. They are short: each word makes room for itself. */
#include "base.h"

#include <stdlib.h>
#include <string.h>

void es_words_deinit(es_words *words) {
    for (size_t i = 0; i < words->count; i++)
        es_free(words->word[i]);
    es_free(words->word);
    *words = (es_words){0};
}

es_status es_words_take(es_words *words, char *text, es_error *err) {
    char **more = text ? es_realloc(words->word, words->count + 2, sizeof *more) : NULL;
    if (!more) {
        es_free(text);
        return es_no_memory(err);
    }
    words->word = more;
    words->word[words->count++] = text;
    words->word[words->count] = NULL;
    return ES_OK;
}

es_status es_words_add(es_words *words, const char *word, es_error *err) {
    return es_words_take(words, es_strdup(word), err);
}

es_status es_words_add_all(es_words *words, const char *const *list, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; st == ES_OK && list && list[i]; i++)
        st = es_words_add(words, list[i], err);
    return st;
}

static int compare_words(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void es_words_sort(es_words *words) {
    if (words->count > 1)
        qsort(words->word, words->count, sizeof *words->word, compare_words);
}

void es_words_put(const es_words *words, es_buf *out) {
    for (size_t i = 0; i < words->count; i++) {
        es_buf_puts(out, i ? " " : "");
        es_buf_put_shell(out, words->word[i]);
    }
}

/* The known word with the fewest edits to a mistyped one (Damerau and Levenshtein's distance, by
 * rows of the table). */

enum { LONGEST = 63 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t es_edit_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    /* three rows of the usual table: swapping neighbours looks two rows back */
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] =
                smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void es_suggestion_offer(es_suggestion *suggestion, const char *candidate) {
    size_t length = strlen(suggestion->word), limit = length / 3 > 1 ? length / 3 : 1;
    size_t distance = es_edit_distance(suggestion->word, candidate);
    /* what the user began to type is near, however much is missing */
    if (length >= 2 && strncmp(suggestion->word, candidate, length) == 0)
        distance = 1;
    if (distance <= limit && (suggestion->best == NULL || distance < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}
