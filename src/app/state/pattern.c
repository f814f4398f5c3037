/* Regular expressions of the filter, on PCRE2, with a bound on what one match may cost: what people
 * type may be slow to try. */
#include "app_state.h"

#include <stdio.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* What people write takes some hundred steps on a name; this many take a few milliseconds. */
enum { STEPS = 100000, HEAP_KB = 4096 };

enum {
    OPTIONS =
        PCRE2_CASELESS | PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C
};

/* What pcre2_match says: at least 0 when the pattern is found. */
static int try_on(const pcre2_code *regex, const char *text) {
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    pcre2_match_context *bounds = pcre2_match_context_create(NULL);
    int found = PCRE2_ERROR_NOMEMORY;
    if (data != NULL && bounds != NULL) {
        (void)pcre2_set_match_limit(bounds, STEPS);
        (void)pcre2_set_heap_limit(bounds, HEAP_KB);
        found = pcre2_match(regex, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, 0, data, bounds);
    }
    pcre2_match_context_free(bounds);
    pcre2_match_data_free(data);
    return found;
}

struct es_pattern {
    char *text;
    pcre2_code *regex;
};

void es_pattern_free(es_pattern *pattern) {
    if (pattern == NULL)
        return;
    pcre2_code_free(pattern->regex);
    es_free(pattern->text);
    es_free(pattern);
}

/* The one of last time, or another in its place. Out of memory: NULL, with an error. */
static const pcre2_code *compiled(es_pattern **last, const char *pattern, char *error,
                                  size_t capacity) {
    int code = PCRE2_ERROR_NOMEMORY;
    size_t at = 0;
    if (*last != NULL && strcmp((*last)->text, pattern) == 0)
        return (*last)->regex;
    es_pattern_free(*last);
    *last = es_alloc_zero(1, sizeof **last);
    if (*last != NULL && ((*last)->text = es_strdup(pattern)) != NULL)
        (*last)->regex =
            pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, OPTIONS, &code, &at, NULL);
    if (*last != NULL && (*last)->regex != NULL)
        return (*last)->regex;
    es_pattern_free(*last);
    *last = NULL;
    (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)error, capacity);
    return NULL;
}

bool es_pattern_holds(es_pattern **last, const char *pattern, const char *text, char *error,
                      size_t capacity) {
    const pcre2_code *regex = compiled(last, pattern, error, capacity);
    if (regex == NULL)
        return true;
    int found = try_on(regex, text);
    if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_HEAPLIMIT)
        (void)snprintf(error, capacity, "that pattern takes too long; try a simpler one");
    else if (found < 0 && found != PCRE2_ERROR_NOMATCH)
        (void)pcre2_get_error_message(found, (PCRE2_UCHAR *)error, capacity);
    return found != PCRE2_ERROR_NOMATCH;
}
