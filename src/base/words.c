/* Lists of texts that grow word by word. They are short: each word makes room for itself. */
#include "base.h"

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

void es_words_put(const es_words *words, es_buf *out) {
    for (size_t i = 0; i < words->count; i++) {
        es_buf_puts(out, i ? " " : "");
        es_buf_put_shell(out, words->word[i]);
    }
}
