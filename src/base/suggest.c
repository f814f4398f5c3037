/* The known word with the fewest edits to a mistyped one (Damerau and Levenshtein's distance, by
 * rows of the table). */
#include "base.h"

#include <string.h>

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
