/* Joins names by rules from strict to lenient, each only where it joins one to one, so that
 * nothing is guessed between two candidates. */
#include "core_ranking.h"

#include <string.h>

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

static bool ends_in(const char *name, size_t length, const char *ending) {
    size_t tail = strlen(ending), i = 0;
    while (i < tail && length > tail && es_ascii_lower(name[length - tail + i]) == ending[i])
        i++;
    return i == tail;
}

/* Where a note in brackets that begins with a letter starts; SIZE_MAX: there is none at the end. */
static size_t note_at(const char *name, size_t length, char opening, char closing) {
    size_t at = length;
    if (length < 3 || name[length - 1] != closing)
        return SIZE_MAX;
    while (at > 0 && name[at - 1] != opening)
        at--;
    return at > 1 && es_ascii_lower(name[at]) >= 'a' && es_ascii_lower(name[at]) <= 'z' ? at - 1
                                                                                        : SIZE_MAX;
}

/* Length of a name without what was added at its end, of which there may be several. */
static size_t without_added(const char *name) {
    static const char *const endings[] = {".npy",   ".npz",  ".safetensors", ".csv", ".tsv", ".txt",
                                          ".jsonl", ".vec",  ".emb",         ".h5",  ".pt",  ".pth",
                                          ".bin",   ".h5ad", ".parquet",     ".pkl"};
    size_t length = strlen(name);
    for (size_t before = 0; before != length;) {
        before = length;
        while (length > 1 && name[length - 1] == ' ')
            length--;
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
            if (ends_in(name, length, endings[i]))
                length -= strlen(endings[i]);
        size_t round = note_at(name, length, '(', ')'), square = note_at(name, length, '[', ']');
        length = round != SIZE_MAX ? round : square != SIZE_MAX ? square : length;
        size_t at = length;
        while (at > 0 && name[at - 1] != '@' && name[at - 1] != '/' && name[at - 1] != ' ')
            at--;
        if (at > 1 && at < length && name[at - 1] == '@')
            length = at - 1;
    }
    return length;
}

static bool equal_bare(const char *a, const char *b) {
    enum { MOST = 512 };
    char x[MOST], y[MOST];
    size_t n = without_added(a), m = without_added(b);
    if (n >= MOST || m >= MOST)
        return false;
    memcpy(x, a, n);
    memcpy(y, b, m);
    x[n] = y[m] = '\0';
    return strchr(x, '/') && strchr(y, '/') ? equal_separator(x, y)
                                            : equal_separator(without_owner(x), without_owner(y));
}

static bool names_equal(es_name_match rule, const char *a, const char *b) {
    switch (rule) {
    case ES_NAME_EXACT:
        return strcmp(a, b) == 0;
    case ES_NAME_CASE:
        return equal_case(a, b);
    case ES_NAME_SEPARATOR:
        return equal_separator(a, b);
    case ES_NAME_ADDED:
        return equal_bare(a, b);
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
            seen[j] += !taken[j] && names_equal(rule, a[i], b[j]);
    for (size_t i = 0; i < na; i++) {
        size_t found = SIZE_MAX, count = 0;
        for (size_t j = 0; how[i] == ES_NAME_NONE && j < nb; j++)
            if (seen[j] > 0 && names_equal(rule, a[i], b[j])) {
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
    ES_FAIL_IF(!taken || !seen, es_no_memory_for(err, "%zu names", nb));
    for (size_t i = 0; i < na; i++) {
        partner[i] = SIZE_MAX;
        how[i] = ES_NAME_NONE;
    }
    for (int rule = ES_NAME_EXACT; rule <= ES_NAME_ADDED; rule++)
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
    case ES_NAME_ADDED:
        return "revision, ending or note";
    default:
        return "none";
    }
}
