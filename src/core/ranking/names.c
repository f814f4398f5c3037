/* Joins names by rules from strict to lenient, each only where it joins one to one, so that
 * nothing is guessed between two candidates. */
#include "names.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "alloc.h"
#include "text.h"

static bool is_separator(char c) {
    return c != '\0' && strchr("-_./ \t", c) != NULL;
}

static bool equal_case(const char *a, const char *b) {
    for (; *a && es_ascii_lower(*a) == es_ascii_lower(*b); a++, b++)
        ;
    return *a == *b;
}

/* A separator between two digits counts (e5-2-10 is not e5-21-0), whichever one it is; others do
 * not. */
static char next(const char **text, char before) {
    const char *t = *text;
    bool skipped = false;
    for (; is_separator(*t); t++)
        skipped = true;
    bool digits = before >= '0' && before <= '9' && *t >= '0' && *t <= '9';
    if (skipped && digits) {
        *text = t;
        return '-';
    }
    *text = *t ? t + 1 : t;
    return es_ascii_lower(*t);
}

static bool equal_separator(const char *a, const char *b) {
    for (char last = '\0';;) {
        char x = next(&a, last), y = next(&b, last);
        if (x != y)
            return false;
        if (x == '\0')
            return true;
        last = x;
    }
}

static const char *without_owner(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash && slash[1] ? slash + 1 : name;
}

static bool equal(es_name_match rule, const char *a, const char *b) {
    switch (rule) {
    case ES_NAME_EXACT:
        return strcmp(a, b) == 0;
    case ES_NAME_CASE:
        return equal_case(a, b);
    case ES_NAME_SEPARATOR:
        return equal_separator(a, b);
    default: /* two different owners are two different models */
        if (strchr(a, '/') && strchr(b, '/'))
            return false;
        return equal_separator(without_owner(a), without_owner(b));
    }
}

/* Joins what one rule joins uniquely. seen (nb): how many of a each free b fits. */
static void apply(es_name_match rule, const char *const *a, size_t na, const char *const *b,
                  size_t nb, bool *taken, uint32_t *seen, size_t *partner, es_name_match *how) {
    memset(seen, 0, nb * sizeof *seen);
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; how[i] == ES_NAME_NONE && j < nb; j++)
            seen[j] += !taken[j] && equal(rule, a[i], b[j]);
    for (size_t i = 0; i < na; i++) {
        size_t found = SIZE_MAX, count = 0;
        for (size_t j = 0; how[i] == ES_NAME_NONE && j < nb; j++)
            if (seen[j] > 0 && equal(rule, a[i], b[j])) {
                found = j;
                count++;
            }
        if (count == 1 && seen[found] == 1) {
            partner[i] = found;
            how[i] = rule;
            taken[found] = true;
        }
    }
}

es_status es_names_match(const char *const *a, size_t na, const char *const *b, size_t nb,
                         size_t *partner, es_name_match *how, es_error *err) {
    bool *taken = es_alloc_zero(nb, sizeof *taken);
    uint32_t *seen = es_alloc(nb, sizeof *seen);
    es_status st = ES_OK;
    if (!taken || !seen) {
        st = es_no_memory_for(err, "%zu names", nb);
        goto done;
    }
    for (size_t i = 0; i < na; i++) {
        partner[i] = SIZE_MAX;
        how[i] = ES_NAME_NONE;
    }
    for (int rule = ES_NAME_EXACT; rule <= ES_NAME_OWNER; rule++)
        apply((es_name_match)rule, a, na, b, nb, taken, seen, partner, how);
done:
    es_free(taken);
    es_free(seen);
    return st;
}

const char *es_name_match_words(es_name_match how) {
    switch (how) {
    case ES_NAME_EXACT:
        return "equal";
    case ES_NAME_CASE:
        return "case";
    case ES_NAME_SEPARATOR:
        return "case or separators";
    case ES_NAME_OWNER:
        return "owner";
    default:
        return "none";
    }
}
