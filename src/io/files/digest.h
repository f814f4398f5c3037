/* Content digests: XXH3, 128 bits. For telling contents apart, not against an attacker. The same
 * content gives the same digest on every machine. */
#ifndef EMBEDSCOPE_DIGEST_H
#define EMBEDSCOPE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array.h"
#include "run.h"
#include "embedscope/status.h"

typedef struct es_digest {
    uint64_t hi, lo;
} es_digest;

enum { ES_DIGEST_HEX = 33 }; /* 32 digits and the NUL */

es_digest es_digest_bytes(const void *data, size_t size);
bool es_digest_equal(es_digest a, es_digest b);
/** Lower-case hexadecimal, hi first; returns out. */
const char *es_digest_hex(es_digest digest, char out[ES_DIGEST_HEX]);
/** Below, at or above 0, as for qsort. */
int es_digest_order(es_digest a, es_digest b);
/** Reads exactly what es_digest_hex writes; false, *out unchanged, otherwise. */
bool es_digest_parse(const char *hex, es_digest *out);

/** Digest of something with several parts. */
typedef struct es_hasher es_hasher;
es_hasher *es_hasher_new(void); /* NULL when out of memory */
void es_hasher_free(es_hasher *hasher);
void es_hasher_add(es_hasher *hasher, const void *data, size_t size);
void es_hasher_add_u64(es_hasher *hasher, uint64_t value); /* same bytes on every host */
/** The length goes first, so that "ab" and "c" differ from "a" and "bc". */
void es_hasher_add_text(es_hasher *hasher, const char *text);
es_digest es_hasher_result(const es_hasher *hasher);

/** Digest of an array: type, byte order, layout, shape and the bytes of the values. How a file's
 *  header is spaced, where the data starts and what follows it do not matter. ES_ECANCELED through
 *  run, ES_ENOMEM. O(bytes): the file is read once, about 10 GB/s from memory. */
es_status es_array_digest(const es_array *array, const es_run *run, es_digest *out, es_error *err);

#endif
