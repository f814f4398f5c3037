/* Ids of rows: one block of text with offsets, and a hash join of two lists. Read by
 * row_ids_read.c. */
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static es_status push_bytes(es_row_ids *ids, const char *id, size_t length, es_error *err) {
    if (ids->n >= ES_ARRAY_MOST)
        return es_fail(err, ES_EINVAL, "at most %zu ids are read", ES_ARRAY_MOST);
    if (!ids->offset) {
        ids->offset = es_alloc_zero(1, sizeof *ids->offset);
        if (!ids->offset)
            return es_no_memory(err);
        ids->capacity = 1;
    }
    size_t *offset = es_grow(ids->offset, ids->n + 1, &ids->capacity, sizeof *offset);
    if (!offset)
        return es_no_memory(err);
    ids->offset = offset;
    es_buf_add(&ids->text, id, length);
    es_buf_putc(&ids->text, '\0');
    if (ids->text.failed)
        return es_no_memory(err);
    offset[++ids->n] = ids->text.length;
    return ES_OK;
}

es_status es_row_ids_push(es_row_ids *ids, const char *id, size_t length, es_error *err) {
    if (es_text_is_ascii(id, length))
        return push_bytes(ids, id, length, err);
    char *composed = es_text_nfc(id, length, &length);
    es_status st = composed ? push_bytes(ids, composed, length, err) : es_no_memory(err);
    es_free(composed);
    return st;
}

es_status es_row_ids_add_all(es_row_ids *ids, const es_row_ids *from, size_t first, es_error *err) {
    es_status st = ES_OK;
    for (size_t i = first; i < from->n && st == ES_OK; i++) {
        size_t length;
        const char *id = es_row_ids_get(from, i, &length);
        st = es_row_ids_push(ids, id, length, err);
    }
    return st;
}

void es_row_ids_deinit(es_row_ids *ids) {
    es_free(ids->offset);
    es_buf_free(&ids->text);
    *ids = (es_row_ids){0};
}

void es_row_ids_free(es_row_ids *ids) {
    if (ids)
        es_row_ids_deinit(ids);
    es_free(ids);
}

const char *es_row_ids_get(const es_row_ids *ids, size_t row, size_t *length) {
    if (length)
        *length = ids->offset[row + 1] - ids->offset[row] - 1;
    return ids->text.data + ids->offset[row];
}

/* The number that an id is, if it is a whole one. */
static bool whole_number(const char *id, size_t length, double *out) {
    return es_text_parse_double(id, length, out) && *out == floor(*out) && fabs(*out) <= 0x1p53;
}

es_status es_row_ids_make_whole(es_row_ids *ids, es_error *err) {
    bool any = false;
    double value = 0;
    es_row_ids out = {.counted = ids->counted};
    es_status st = ES_OK;
    char text[32];
    size_t length;
    for (size_t i = 0; i < ids->n; i++) {
        const char *id = es_row_ids_get(ids, i, &length);
        if (!whole_number(id, length, &value))
            return ES_OK;
        any = any || strpbrk(id, ".eE");
    }
    for (size_t i = 0; any && st == ES_OK && i < ids->n; i++) {
        const char *id = es_row_ids_get(ids, i, &length);
        if (strpbrk(id, ".eE")) {
            (void)whole_number(id, length, &value);
            length = (size_t)snprintf(text, sizeof text, "%.0f", value == 0 ? 0.0 : value);
            id = text;
        }
        st = es_row_ids_push(&out, id, length, err);
    }
    if (!any || st != ES_OK) {
        es_row_ids_deinit(&out);
        return st;
    }
    es_row_ids_deinit(ids);
    *ids = out;
    return ES_OK;
}

es_digest es_row_ids_digest(const es_row_ids *ids) {
    es_hasher hasher;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, "ids");
    es_hasher_add_u64(&hasher, ids->n);
    for (size_t i = 0; i < ids->n; i++) { /* an id may hold a NUL: its length says where it ends */
        size_t length;
        const char *id = es_row_ids_get(ids, i, &length);
        es_hasher_add_u64(&hasher, length);
        es_hasher_add(&hasher, id, length);
    }
    return es_hasher_result(&hasher);
}

/* ---- matching ---- */

/* Open addressing, at most half full. */
struct es_row_index {
    const es_row_ids *reference;
    uint32_t *slot; /* (size) row + 1; 0: free */
    size_t mask;
    bool *doubled; /* (n) rows of the reference whose id stands in it twice, both of them */
    size_t n_doubled, first_doubled;
    size_t n_empty, first_empty; /* rows without an id */
};

static bool same_id(const es_row_ids *a, size_t row, const char *id, size_t length) {
    size_t other;
    const char *text = es_row_ids_get(a, row, &other);
    return other == length && memcmp(text, id, length) == 0;
}

/* The slot of an id, or the free one where it belongs. */
static uint32_t *find_slot(const es_row_index *index, const char *id, size_t length) {
    size_t at = (size_t)es_digest_bytes(id, length).lo & index->mask;
    while (index->slot[at] && !same_id(index->reference, index->slot[at] - 1, id, length))
        at = (at + 1) & index->mask;
    return &index->slot[at];
}

static void fill(es_row_index *index) {
    for (size_t r = 0; r < index->reference->n; r++) {
        size_t length;
        const char *id = es_row_ids_get(index->reference, r, &length);
        uint32_t *slot = length > 0 ? find_slot(index, id, length) : NULL;
        if (!slot) {
            if (index->n_empty++ == 0)
                index->first_empty = r;
        } else if (!*slot) {
            *slot = (uint32_t)r + 1;
        } else {
            index->doubled[r] = index->doubled[*slot - 1] = true;
            if (index->n_doubled++ == 0)
                index->first_doubled = r;
        }
    }
}

es_status es_row_index_new(const es_row_ids *reference, es_row_index **out, es_error *err) {
    size_t size = 16;
    while (size < reference->n * 2)
        size *= 2;
    es_row_index *index = es_alloc_zero(1, sizeof *index);
    if (!index)
        return es_no_memory(err);
    *index = (es_row_index){.reference = reference,
                            .mask = size - 1,
                            .first_doubled = SIZE_MAX,
                            .first_empty = SIZE_MAX};
    index->slot = es_alloc_zero(size, sizeof *index->slot);
    index->doubled = es_alloc_zero(reference->n, sizeof *index->doubled);
    if (!index->slot || !index->doubled) {
        es_row_index_free(index);
        return es_no_memory_for(err, "an index of %zu ids", reference->n);
    }
    fill(index);
    *out = index;
    return ES_OK;
}

void es_row_index_free(es_row_index *index) {
    if (!index)
        return;
    es_free(index->slot);
    es_free(index->doubled);
    es_free(index);
}

size_t es_row_index_doubled(const es_row_index *index, size_t *first) {
    *first = index->first_doubled;
    return index->n_doubled;
}

size_t es_row_index_empty(const es_row_index *index, size_t *first) {
    *first = index->first_empty;
    return index->n_empty;
}

uint32_t es_row_index_find(const es_row_index *index, const char *id, size_t length,
                           bool *doubled) {
    char *composed = es_text_is_ascii(id, length) ? NULL : es_text_nfc(id, length, &length);
    uint32_t slot = length > 0 ? *find_slot(index, composed ? composed : id, length) : 0;
    es_free(composed);
    *doubled = slot > 0 && index->doubled[slot - 1];
    return slot == 0 || *doubled ? ES_ROW_NONE : slot - 1;
}

/* Where row `r` of a list goes; `taken` says which rows of the reference stood in the list before.
 */
static void place(const es_row_index *index, const es_row_ids *list, size_t r, bool *taken,
                  es_row_match *m) {
    size_t length;
    const char *id = es_row_ids_get(list, r, &length);
    uint32_t slot = length > 0 ? *find_slot(index, id, length) : 0;
    if (slot == 0) {
        m->strangers++;
        if (length == 0 && m->empty++ == 0)
            m->first_empty = r;
        if (length > 0 && m->first_stranger == SIZE_MAX)
            m->first_stranger = r;
        return;
    }
    size_t q = slot - 1;
    if (taken[q]) {
        if (m->doubled++ == 0) {
            m->first_doubled = r;
            m->doubled_with = m->row[q];
        }
        return;
    }
    taken[q] = true;
    m->row[q] = (uint32_t)r;
}

/* Ids that are not unique are forgotten, once all of the list has been seen. */
static void forget_doubled(const es_row_index *index, const es_row_ids *list, const bool *taken,
                           es_row_match *m) {
    for (size_t r = 0; m->doubled > 0 && r < list->n; r++) {
        size_t length;
        const char *id = es_row_ids_get(list, r, &length);
        uint32_t slot = length > 0 ? *find_slot(index, id, length) : 0;
        if (slot && m->row[slot - 1] != r)
            m->row[slot - 1] = ES_ROW_NONE;
    }
    for (size_t q = 0; q < m->n; q++) {
        if (index->doubled[q])
            m->row[q] = ES_ROW_NONE;
        m->found += m->row[q] != ES_ROW_NONE;
        bool named = index->reference->offset[q + 1] - index->reference->offset[q] > 1;
        if (!taken[q] && named && !index->doubled[q] && m->missing++ == 0)
            m->first_missing = q;
    }
}

es_status es_row_index_match(const es_row_index *index, const es_row_ids *list, es_row_match *out,
                             es_error *err) {
    size_t n = index->reference->n;
    es_row_match m = {.n = n,
                      .first_stranger = SIZE_MAX,
                      .first_empty = SIZE_MAX,
                      .first_missing = SIZE_MAX,
                      .first_doubled = SIZE_MAX,
                      .doubled_with = SIZE_MAX};
    bool *taken = es_alloc_zero(n, sizeof *taken);
    m.row = es_alloc(n, sizeof *m.row);
    if (!taken || !m.row) {
        es_free(taken);
        es_free(m.row);
        return es_no_memory_for(err, "the places of %zu rows", n);
    }
    for (size_t q = 0; q < n; q++)
        m.row[q] = ES_ROW_NONE;
    for (size_t r = 0; r < list->n; r++)
        place(index, list, r, taken, &m);
    forget_doubled(index, list, taken, &m);
    es_free(taken);
    *out = m;
    return ES_OK;
}

void es_row_match_deinit(es_row_match *match) {
    es_free(match->row);
    *match = (es_row_match){0};
}

bool es_row_match_is_same(const es_row_match *match) {
    for (size_t q = 0; q < match->n; q++)
        if (match->row[q] != q)
            return false;
    return match->strangers == 0;
}

es_status es_row_ids_apart(const es_row_ids *ids, bool *out, es_error *err) {
    es_row_index *index = NULL;
    size_t first;
    es_status st = es_row_index_new(ids, &index, err);
    if (st == ES_OK)
        *out = es_row_index_doubled(index, &first) == 0;
    es_row_index_free(index);
    return st;
}
