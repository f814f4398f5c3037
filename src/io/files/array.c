/* Numbers of a mapped file as doubles: every type, byte order and layout through one small
 * function each. */
#include "io_files.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "io_files_parts.h"

static const struct {
    const char *name;
    size_t size;
} dtypes[ES_DTYPE_COUNT] = {
    [ES_DTYPE_BOOL] = {"bool", 1},     [ES_DTYPE_I8] = {"int8", 1},
    [ES_DTYPE_I16] = {"int16", 2},     [ES_DTYPE_I32] = {"int32", 4},
    [ES_DTYPE_I64] = {"int64", 8},     [ES_DTYPE_U8] = {"uint8", 1},
    [ES_DTYPE_U16] = {"uint16", 2},    [ES_DTYPE_U32] = {"uint32", 4},
    [ES_DTYPE_U64] = {"uint64", 8},    [ES_DTYPE_F16] = {"float16", 2},
    [ES_DTYPE_BF16] = {"bfloat16", 2}, [ES_DTYPE_F32] = {"float32", 4},
    [ES_DTYPE_F64] = {"float64", 8},
};

const char *es_dtype_name(es_dtype dtype) {
    return dtypes[dtype].name;
}

size_t es_dtype_size(es_dtype dtype) {
    return dtypes[dtype].size;
}

bool es_host_is_big_endian(void) {
    const uint16_t one = 1;
    unsigned char first = 0;
    memcpy(&first, &one, 1);
    return first == 0;
}

es_status es_array_check(uint64_t n, uint64_t d, es_dtype dtype, size_t available, es_error *err) {
    unsigned long long rows = n, columns = d;
    size_t size = es_dtype_size(dtype);
    if (n == 0 || d == 0)
        return es_fail(err, ES_EFORMAT, "shape (%llu, %llu) holds no values", rows, columns);
    if (n > ES_ARRAY_MOST || d > ES_ARRAY_MOST)
        return es_fail(err, ES_EFORMAT, "shape (%llu, %llu): at most %zu rows and columns are read",
                       rows, columns, ES_ARRAY_MOST);
    uint64_t elements = n * d; /* below 2^62 */
    if (elements > available / size)
        return es_fail(
            err, ES_EFORMAT,
            "the data is cut short: shape (%llu, %llu) of %s needs %.0f bytes, found %zu; "
            "copy it again, or save it again",
            rows, columns, es_dtype_name(dtype), (double)elements * (double)size, available);
    return ES_OK;
}

es_array es_array_own(double *values, size_t n, size_t d) {
    return (es_array){.data = (const unsigned char *)values,
                      .n = n,
                      .d = d,
                      .dtype = ES_DTYPE_F64,
                      .big_endian = es_host_is_big_endian(),
                      .owned = values};
}

size_t es_array_bytes(const es_array *array) {
    return array->n * array->d * es_dtype_size(array->dtype) / (array->bits ? 8 : 1);
}

es_status es_array_unpack_bits(es_array *array, es_error *err) {
    bool bytes = array->dtype == ES_DTYPE_U8 || array->dtype == ES_DTYPE_I8;
    if (!bytes || array->d > ES_ARRAY_MOST / 8)
        return es_fail(err, ES_EUNSUPPORTED,
                       "\"kind\": \"bits\" unpacks bytes (uint8, int8), found %s of %zu columns",
                       es_dtype_name(array->dtype), array->d);
    array->flips = array->dtype == ES_DTYPE_I8 ? 0x80 : 0;
    array->dtype = ES_DTYPE_BOOL;
    array->bits = true;
    array->d *= 8;
    return ES_OK;
}

void es_array_deinit(es_array *array) {
    es_free(array->owned);
    memset(array, 0, sizeof *array);
}

static uint8_t swap8(uint8_t x) {
    return x;
}

static uint16_t swap16(uint16_t x) {
    return (uint16_t)(x << 8 | x >> 8);
}

static uint32_t swap32(uint32_t x) {
    return x << 24 | (x & 0xFF00u) << 8 | (x >> 8 & 0xFF00u) | x >> 24;
}

static uint64_t swap64(uint64_t x) {
    return (uint64_t)swap32((uint32_t)x) << 32 | swap32((uint32_t)(x >> 32));
}

/* The number that a bit pattern stands for. */
#define DEFINE_REINTERPRET(name, from, to)                                                         \
    static double name(from bits) {                                                                \
        to value;                                                                                  \
        memcpy(&value, &bits, sizeof value);                                                       \
        return (double)value;                                                                      \
    }
DEFINE_REINTERPRET(from_i8, uint8_t, int8_t)
DEFINE_REINTERPRET(from_i16, uint16_t, int16_t)
DEFINE_REINTERPRET(from_i32, uint32_t, int32_t)
DEFINE_REINTERPRET(from_i64, uint64_t, int64_t)
DEFINE_REINTERPRET(from_u8, uint8_t, uint8_t)
DEFINE_REINTERPRET(from_u16, uint16_t, uint16_t)
DEFINE_REINTERPRET(from_u32, uint32_t, uint32_t)
DEFINE_REINTERPRET(from_u64, uint64_t, uint64_t)
DEFINE_REINTERPRET(from_f32, uint32_t, float)
DEFINE_REINTERPRET(from_f64, uint64_t, double)

static double from_bool(uint8_t bits) {
    return bits != 0;
}

/* `count` elements, src_step bytes and out_step doubles apart. The first loop is the usual case,
 * native C order, written so that compilers vectorise it. */
typedef void convert_fn(const unsigned char *src, size_t src_step, size_t count, bool swap,
                        double *out, size_t out_step);

#define DEFINE_CONVERT(name, bits_type, swap_bits, from_bits)                                      \
    static void name(const unsigned char *src, size_t src_step, size_t count, bool swap,           \
                     double *out, size_t out_step) {                                               \
        bits_type bits;                                                                            \
        if (!swap && src_step == sizeof bits && out_step == 1) {                                   \
            for (size_t i = 0; i < count; i++) {                                                   \
                memcpy(&bits, src + i * sizeof bits, sizeof bits);                                 \
                out[i] = from_bits(bits);                                                          \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        for (size_t i = 0; i < count; i++) {                                                       \
            memcpy(&bits, src + i * src_step, sizeof bits);                                        \
            out[i * out_step] = from_bits(swap ? swap_bits(bits) : bits);                          \
        }                                                                                          \
    }
DEFINE_CONVERT(convert_bool, uint8_t, swap8, from_bool)
DEFINE_CONVERT(convert_i8, uint8_t, swap8, from_i8)
DEFINE_CONVERT(convert_i16, uint16_t, swap16, from_i16)
DEFINE_CONVERT(convert_i32, uint32_t, swap32, from_i32)
DEFINE_CONVERT(convert_i64, uint64_t, swap64, from_i64)
DEFINE_CONVERT(convert_u8, uint8_t, swap8, from_u8)
DEFINE_CONVERT(convert_u16, uint16_t, swap16, from_u16)
DEFINE_CONVERT(convert_u32, uint32_t, swap32, from_u32)
DEFINE_CONVERT(convert_u64, uint64_t, swap64, from_u64)
DEFINE_CONVERT(convert_f16, uint16_t, swap16, es_f16_to_double)
DEFINE_CONVERT(convert_bf16, uint16_t, swap16, es_bf16_to_double)
DEFINE_CONVERT(convert_f32, uint32_t, swap32, from_f32)
DEFINE_CONVERT(convert_f64, uint64_t, swap64, from_f64)

static convert_fn *const converters[ES_DTYPE_COUNT] = {
    [ES_DTYPE_BOOL] = convert_bool, [ES_DTYPE_I8] = convert_i8,     [ES_DTYPE_I16] = convert_i16,
    [ES_DTYPE_I32] = convert_i32,   [ES_DTYPE_I64] = convert_i64,   [ES_DTYPE_U8] = convert_u8,
    [ES_DTYPE_U16] = convert_u16,   [ES_DTYPE_U32] = convert_u32,   [ES_DTYPE_U64] = convert_u64,
    [ES_DTYPE_F16] = convert_f16,   [ES_DTYPE_BF16] = convert_bf16, [ES_DTYPE_F32] = convert_f32,
    [ES_DTYPE_F64] = convert_f64,
};

/* The usual case of half floats, by the kernel that the processor has for it. */
static void read_half_rows(const es_array *a, const uint32_t *rows, size_t start, size_t count,
                           double *out) {
    const es_scan_kernels *kernels = es_scan_kernels_get(es_isa_level());
    if (!rows) {
        kernels->widen(a->data + start * a->d * 2, count * a->d, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        kernels->widen(a->data + (size_t)rows[i] * a->d * 2, a->d, out + i * a->d);
}

static void read_bits(const es_array *a, const uint32_t *rows, size_t start, size_t count,
                      double *out) {
    size_t width = a->d / 8;
    for (size_t i = 0; i < count; i++) {
        size_t row = rows ? rows[i] : start + i;
        for (size_t j = 0; j < width; j++) {
            unsigned byte = a->data[a->fortran ? j * a->n + row : row * width + j] ^ a->flips;
            for (unsigned k = 0; k < 8; k++)
                out[i * a->d + 8 * j + k] = byte >> (7 - k) & 1u;
        }
    }
}

/* Rows rows[i], or start + i where rows is NULL. */
static void read_rows(const es_array *a, const uint32_t *rows, size_t start, size_t count,
                      double *out) {
    if (a->bits) {
        read_bits(a, rows, start, count, out);
        return;
    }
    convert_fn *convert = converters[a->dtype];
    size_t size = es_dtype_size(a->dtype), n = a->n, d = a->d;
    bool swap = size > 1 && a->big_endian != es_host_is_big_endian();
    if (!a->fortran) {
        if (a->dtype == ES_DTYPE_F16 && !swap) {
            read_half_rows(a, rows, start, count, out);
            return;
        }
        if (!rows) {
            convert(a->data + start * d * size, size, count * d, swap, out, 1);
            return;
        }
        for (size_t i = 0; i < count; i++)
            convert(a->data + (size_t)rows[i] * d * size, size, d, swap, out + i * d, 1);
        return;
    }
    /* Columns are far apart: take few rows at a time, so that the cache lines of `out`, and those
     * of neighbouring rows in the file, are still there when the next column comes. */
    enum { BLOCK = 16 };
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t height = count - first < BLOCK ? count - first : BLOCK;
        for (size_t j = 0; j < d; j++) {
            const unsigned char *column = a->data + j * n * size;
            double *to = out + first * d + j;
            if (!rows) {
                convert(column + (start + first) * size, size, height, swap, to, d);
                continue;
            }
            for (size_t i = 0; i < height; i++)
                convert(column + (size_t)rows[first + i] * size, size, 1, swap, to + i * d, 1);
        }
    }
}

/* Tell the map how much of it the rows have brought into memory: what lies between two rows in file
 * order comes along if it is not more than a chunk, and a chunk comes with a row elsewhere. */
static void note_use(const es_array *a, const uint32_t *rows, size_t count) {
    enum { CHUNK = 1 << 16 };
    if (!a->watch)
        return;
    size_t row = es_dtype_size(a->dtype) * (a->fortran ? 1 : a->d),
           bytes = rows ? row : row * count;
    size_t most = row > CHUNK ? row : CHUNK;
    for (size_t i = 1; rows && i < count; i++) {
        size_t step = rows[i] >= rows[i - 1] ? (rows[i] - rows[i - 1]) * row : most;
        bytes += step < most ? step : most;
    }
    es_map_watch_use(a->watch, a->fortran ? bytes * a->d : bytes);
}

void es_array_read(const es_array *array, const uint32_t *rows, size_t count, double *out) {
    assert(rows || count <= array->n);
    for (size_t i = 0; rows && i < count; i++)
        assert(rows[i] < array->n);
    unsigned mode = es_cpu_denormals_keep();
    read_rows(array, rows, 0, count, out);
    es_cpu_denormals_restore(mode);
    note_use(array, rows, count);
}

void es_array_read_range(const es_array *array, size_t start, size_t count, double *out) {
    assert(start <= array->n && count <= array->n - start);
    unsigned mode = es_cpu_denormals_keep();
    read_rows(array, NULL, start, count, out);
    es_cpu_denormals_restore(mode);
    note_use(array, NULL, count);
}
