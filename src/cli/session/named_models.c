/* Patterns of --models and --exclude against the names of a pool, or of several. */
#include "cli_session.h"

#include <string.h>

#include "cli_out.h"

void es_named_models_deinit(es_named_models *named) {
    for (size_t k = 0; k < 2; k++)
        es_words_deinit(&named->pattern[k]);
    es_words_deinit(&named->name);
    *named = (es_named_models){0};
}

static bool is_glob(const char *pattern) {
    return strpbrk(pattern, "*?[\\") != NULL;
}

static bool matches_one(const char *pattern, const es_words *names) {
    for (size_t i = 0; i < names->count; i++)
        if (es_text_glob(pattern, names->word[i]))
            return true;
    return false;
}

/* The comma-separated patterns that match nobody. */
static es_status find_strangers(const char *globs, const es_words *names, es_words *out,
                                es_error *err) {
    es_status st = ES_OK;
    for (const char *start = globs ? globs : ""; *start && st == ES_OK;) {
        size_t length = strcspn(start, ",");
        char *pattern = es_strndup(start, length);
        if (!pattern)
            return es_no_memory(err);
        if (length > 0 && !matches_one(pattern, names))
            st = es_words_add(out, pattern, err);
        es_free(pattern);
        start += length + (start[length] == ',');
    }
    return st;
}

/* A pattern of those who are to go may well find nobody, as one for many pools. */
static es_status tell(es_cli *cli, const char *option, const char *pattern, const es_words *names,
                      es_error *err) {
    es_error why = {0};
    int code = cli->exit_code;
    if (is_glob(pattern))
        (void)es_usage(cli, &why, "--%s: nothing matches '%.120s'", option, pattern);
    else
        (void)es_cli_unknown_name(cli, "embedder", pattern, (const char *const *)names->word,
                                  names->count, &why);
    bool typed = es_options_typed(cli->options, option);
    if (typed && !(is_glob(pattern) && strcmp(option, "exclude") == 0))
        return es_fail(err, ES_EINVAL, "%s", why.message);
    cli->exit_code = code;
    if (typed)
        es_output_note(cli, "%s", why.message);
    else
        es_output_note(cli, "%s of the configuration file: %s", option, why.message);
    return ES_OK;
}

static es_status tell_all(es_cli *cli, const es_words pattern[2], const es_words *names,
                          es_error *err) {
    static const char *const option[] = {"models", "exclude"};
    es_status st = ES_OK;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < pattern[k].count && st == ES_OK; i++)
            st = tell(cli, option[k], pattern[k].word[i], names, err);
    return st;
}

/* Only what the pools before matched nobody with, either. */
static void keep_common(es_words *kept, const es_words *now) {
    size_t count = 0;
    for (size_t i = 0; i < kept->count; i++) {
        char *word = kept->word[i];
        if (es_text_index((const char *const *)now->word, now->count, word) != SIZE_MAX)
            kept->word[count++] = word;
        else
            es_free(word);
    }
    if (kept->word)
        kept->word[count] = NULL;
    kept->count = count;
}

/* Takes the lists. */
static es_status gather(es_named_models *named, es_words pattern[2], const es_words *names,
                        es_error *err) {
    es_status st = ES_OK;
    for (size_t i = 0; i < names->count && st == ES_OK; i++)
        if (es_text_index((const char *const *)named->name.word, named->name.count,
                          names->word[i]) == SIZE_MAX)
            st = es_words_add(&named->name, names->word[i], err);
    for (size_t k = 0; k < 2; k++) {
        if (named->pools > 0) {
            keep_common(&named->pattern[k], &pattern[k]);
            continue;
        }
        named->pattern[k] = pattern[k];
        pattern[k] = (es_words){0};
    }
    named->pools++;
    return st;
}

es_status es_named_models_check(es_cli *cli, const es_pool *pool, es_error *err) {
    es_named_models *named = cli->named;
    es_words pattern[2] = {0};
    es_status st = ES_OK;
    if (!pool || (named && named->told))
        return ES_OK;
    const es_words *names = es_pool_all_names(pool);
    ES_TRY(find_strangers(cli->models, names, &pattern[0], err));
    ES_TRY(find_strangers(cli->exclude, names, &pattern[1], err));
    if (named && named->several) {
        st = gather(named, pattern, names, err);
    } else {
        st = tell_all(cli, pattern, names, err);
        if (named)
            named->told = true;
    }
done:
    es_words_deinit(&pattern[0]);
    es_words_deinit(&pattern[1]);
    return st;
}

void es_named_models_begin(es_cli *cli) {
    if (cli->named)
        cli->named->several = true;
}

es_status es_named_models_end(es_cli *cli, es_error *err) {
    es_named_models *named = cli->named;
    if (!named || !named->several)
        return ES_OK;
    named->several = false;
    named->told = true;
    return tell_all(cli, named->pattern, &named->name, err);
}

const es_model **es_cli_models(const es_cli *cli, const es_pool *pool) {
    size_t count = es_pool_count(pool);
    const es_model **model =
        es_cli_room(cli, count, sizeof *model); /* NOLINT(bugprone-sizeof-expression): pointers */
    for (size_t i = 0; model && i < count; i++)
        model[i] = es_pool_model(pool, i);
    return model;
}
