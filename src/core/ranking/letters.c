/* Covers the graph of ties with cliques, one letter each (Piepho, "An algorithm for a letter-based
 * representation of all-pairwise comparisons", 2004; Gramm et al. 2007), and drops those that say
 * nothing new. */
#include "letters.h"

#include <string.h>

#include "alloc.h"
#include "buf.h"

/* All in places of the caller's list (0 = best). */
typedef struct cover {
    size_t n;
    const bool *tied; /* (m, m) by index */
    size_t m;
    const uint32_t *item;
    uint32_t *times; /* (n, n) cliques that hold both */
    bool *clique;    /* (capacity, n) */
    size_t count, capacity;
    uint32_t *member; /* (n) of one clique: most are few among many */
} cover;

static bool are_tied(const cover *c, size_t a, size_t b) {
    return a == b || c->tied[c->item[a] * c->m + c->item[b]];
}

static size_t list_members(cover *c, const bool *clique) {
    size_t count = 0;
    for (size_t i = 0; i < c->n; i++)
        if (clique[i])
            c->member[count++] = (uint32_t)i;
    return count;
}

static void count_pairs(cover *c, const bool *clique, bool add) {
    size_t count = list_members(c, clique);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            c->times[c->member[a] * c->n + c->member[b]] += add ? 1u : UINT32_MAX;
}

/* The clique of a and b, grown from the best item on. */
static es_status add_clique(cover *c, size_t a, size_t b, es_error *err) {
    bool *grown = es_grow(c->clique, c->count, &c->capacity, c->n * sizeof *grown);
    if (!grown)
        return es_no_memory_for(err, "%zu tie groups", c->count);
    c->clique = grown;
    bool *clique = c->clique + c->count++ * c->n;
    memset(clique, 0, c->n * sizeof *clique);
    clique[a] = clique[b] = true;
    size_t count = list_members(c, clique);
    for (size_t k = 0; k < c->n; k++) {
        bool fits = !clique[k];
        for (size_t i = 0; fits && i < count; i++)
            fits = are_tied(c, c->member[i], k);
        if (fits) {
            clique[k] = true;
            c->member[count++] = (uint32_t)k;
        }
    }
    count_pairs(c, clique, true);
    return ES_OK;
}

static bool is_redundant(cover *c, const bool *clique) {
    size_t count = list_members(c, clique);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a; b < count; b++)
            if (c->times[c->member[a] * c->n + c->member[b]] < 2)
                return false;
    return true;
}

static void drop_redundant(cover *c) {
    size_t kept = 0;
    for (size_t k = 0; k < c->count; k++) {
        bool *clique = c->clique + k * c->n;
        if (is_redundant(c, clique))
            count_pairs(c, clique, false);
        else
            memmove(c->clique + kept++ * c->n, clique, c->n * sizeof *clique);
    }
    c->count = kept;
}

/* True when clique a comes before b: its members are better, read from the best on. */
static bool comes_before(const bool *a, const bool *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i];
    return false;
}

/* in_letter by index; each clique's place is the number of cliques before it (no two are equal). */
static void write_letters(const cover *c, bool *in_letter) {
    for (size_t k = 0; k < c->count; k++) {
        size_t place = 0;
        for (size_t o = 0; o < c->count; o++)
            place += comes_before(c->clique + o * c->n, c->clique + k * c->n, c->n);
        for (size_t i = 0; i < c->n; i++)
            in_letter[c->item[i] * c->count + place] = c->clique[k * c->n + i];
    }
}

es_status es_letters_new(const bool *tied, size_t m, const uint32_t *item, size_t n,
                         bool **in_letter, size_t *letters, es_error *err) {
    cover c = {.n = n, .tied = tied, .m = m, .item = item};
    bool *out = NULL;
    es_status st = ES_OK;
    c.times = es_alloc_zero(n * n, sizeof *c.times);
    c.member = es_alloc(n, sizeof *c.member);
    if (!c.times || !c.member) {
        st = es_no_memory_for(err, "the ties of %zu embedders", n);
        goto done;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = n; b-- > a;)
            if (are_tied(&c, a, b) && c.times[a * n + b] == 0)
                ES_TRY(add_clique(&c, a, b, err));
    drop_redundant(&c);
    out = es_alloc_zero(m * c.count, sizeof *out);
    if (!out) {
        st = es_no_memory_for(err, "%zu tie groups", c.count);
        goto done;
    }
    write_letters(&c, out);
    *in_letter = out;
    *letters = c.count;
done:
    es_free(c.times);
    es_free(c.member);
    es_free(c.clique);
    return st;
}

char *es_letters_text(const bool *in_letter, size_t letters) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const size_t size = sizeof alphabet - 1;
    es_buf text = {0};
    es_buf_puts(&text, "");
    for (size_t k = 0; k < letters; k++) {
        if (!in_letter[k])
            continue;
        es_buf_putc(&text, alphabet[k % size]);
        if (k >= size)
            es_buf_printf(&text, "%zu", k / size + 1);
    }
    char *out = text.failed ? NULL : es_strdup(text.data ? text.data : "");
    es_buf_free(&text);
    return out;
}
