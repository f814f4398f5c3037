/* XXH3 in 128 bits over bytes in one go or in parts, and its text in hexadecimal. */
#include "io_files.h"

#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* for the state's size: hashers lie on the stack */
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(es_hasher), "there is room for the state");

static XXH3_state_t *state_of(const es_hasher *hasher) {
    return (XXH3_state_t *)(uintptr_t)hasher->state;
}

static es_digest from_xxh(XXH128_hash_t hash) {
    return (es_digest){hash.high64, hash.low64};
}

es_digest es_digest_bytes(const void *data, size_t size) {
    return from_xxh(XXH3_128bits(data, size));
}

bool es_digest_equal(es_digest a, es_digest b) {
    return a.hi == b.hi && a.lo == b.lo;
}

int es_digest_order(es_digest a, es_digest b) {
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

int es_digest_compare(const void *a, const void *b) {
    return es_digest_order(*(const es_digest *)a, *(const es_digest *)b);
}

const char *es_digest_hex(es_digest digest, char out[ES_DIGEST_HEX]) {
    for (int i = 0; i < 32; i++) {
        uint64_t word = i < 16 ? digest.hi : digest.lo;
        out[i] = "0123456789abcdef"[word >> (60 - 4 * (i % 16)) & 15];
    }
    out[32] = '\0';
    return out;
}

bool es_digest_parse(const char *hex, es_digest *out) {
    static const char digits[] = "0123456789abcdef";
    uint64_t words[2] = {0};
    for (int i = 0; i < 32; i++) {
        const char *digit = hex[i] ? strchr(digits, hex[i]) : NULL;
        if (!digit)
            return false;
        words[i / 16] = words[i / 16] << 4 | (uint64_t)(digit - digits);
    }
    if (hex[32] != '\0')
        return false;
    *out = (es_digest){words[0], words[1]};
    return true;
}

void es_hasher_init(es_hasher *hasher) {
    XXH3_INITSTATE(state_of(hasher));
    (void)XXH3_128bits_reset(state_of(hasher)); /* fails on NULL only, as does update */
}

void es_hasher_add(es_hasher *hasher, const void *data, size_t size) {
    if (size > 0)
        (void)XXH3_128bits_update(state_of(hasher), data, size);
}

void es_hasher_add_digest(es_hasher *hasher, es_digest digest) {
    es_hasher_add_u64(hasher, digest.hi);
    es_hasher_add_u64(hasher, digest.lo);
}

void es_hasher_add_u64(es_hasher *hasher, uint64_t value) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    es_hasher_add(hasher, bytes, sizeof bytes);
}

void es_hasher_add_text(es_hasher *hasher, const char *text) {
    size_t length = strlen(text);
    es_hasher_add_u64(hasher, length);
    es_hasher_add(hasher, text, length);
}

es_digest es_hasher_result(const es_hasher *hasher) {
    return from_xxh(XXH3_128bits_digest(state_of(hasher)));
}

es_status es_array_digest(const es_array *array, const es_run *run, es_digest *out, es_error *err) {
    enum { CHUNK = 4 << 20 }; /* bytes between looks at `run`: about a millisecond */
    es_hasher hasher;
    es_hasher_init(&hasher);
    es_hasher_add_text(&hasher, es_dtype_name(array->dtype));
    es_hasher_add_u64(&hasher, (array->big_endian ? 1u : 0u) | (array->fortran ? 2u : 0u));
    es_hasher_add_u64(&hasher, array->n);
    es_hasher_add_u64(&hasher, array->d);
    if (array->bits)
        es_hasher_add_u64(&hasher, 8u | array->flips);
    size_t bytes = es_array_bytes(array);
    for (size_t at = 0; at < bytes; at += CHUNK) {
        ES_PASS(es_run_check(run, err));
        size_t count = bytes - at < CHUNK ? bytes - at : CHUNK;
        es_hasher_add(&hasher, array->data + at, count);
        es_map_watch_use(array->watch, count);
    }
    *out = es_hasher_result(&hasher);
    return ES_OK;
}
