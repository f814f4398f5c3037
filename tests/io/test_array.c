/* Conversions, layouts, statistics and digests of arrays. */
#include "io_test.h"

#include "io_files.h"
#include "io_files_parts.h"

/* The value of a binary float from its definition, by powers of two. */
static double by_formula(unsigned bits, int exponent_bits, int mantissa_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1;
    unsigned mantissa = bits & ((1u << mantissa_bits) - 1);
    int exponent = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
    double sign = bits >> (mantissa_bits + exponent_bits) & 1 ? -1.0 : 1.0;
    if (exponent == 2 * bias + 1)
        return mantissa ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * ldexp(mantissa + (1u << mantissa_bits), exponent - bias - mantissa_bits);
}

static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

TEST(f16__all_values__equal_the_definition) {
    for (unsigned bits = 0; bits < 65536; bits++)
        assert_true(same(es_f16_to_double((uint16_t)bits), by_formula(bits, 5, 10)));
    /* np.array([...], np.uint16).view(np.float16) */
    assert_true(es_f16_to_double(0x3555) == 0.333251953125);
    assert_true(es_f16_to_double(0x7BFF) == 65504.0);
    assert_true(es_f16_to_double(0x0001) == 5.960464477539063e-08);
}

TEST(bf16__all_values__equal_the_definition) {
    for (unsigned bits = 0; bits < 65536; bits++) {
        uint32_t wide = bits << 16;
        float upper = 0;
        memcpy(&upper, &wide, sizeof upper);
        double value = es_bf16_to_double((uint16_t)bits);
        assert_true(same(value, by_formula(bits, 8, 7)));
        assert_true(same(value, (double)upper)); /* a second route: the upper half of a float */
    }
}

/* Bytes of `value` as `dtype`, most significant first where `big`. */
static void put(unsigned char *to, es_dtype dtype, bool big, double value) {
    unsigned char bytes[8] = {0};
    size_t size = es_dtype_size(dtype);
    switch (dtype) {
#define CASE(name, type)                                                                           \
    case name: {                                                                                   \
        type x = (type)value;                                                                      \
        memcpy(bytes, &x, sizeof x);                                                               \
        break;                                                                                     \
    }
        CASE(ES_DTYPE_BOOL, uint8_t)
        CASE(ES_DTYPE_I8, int8_t)
        CASE(ES_DTYPE_I16, int16_t)
        CASE(ES_DTYPE_I32, int32_t)
        CASE(ES_DTYPE_I64, int64_t)
        CASE(ES_DTYPE_U8, uint8_t)
        CASE(ES_DTYPE_U16, uint16_t)
        CASE(ES_DTYPE_U32, uint32_t)
        CASE(ES_DTYPE_U64, uint64_t)
        CASE(ES_DTYPE_F32, float)
        CASE(ES_DTYPE_F64, double)
#undef CASE
    case ES_DTYPE_F16: /* whole numbers 1..2047 only */
    case ES_DTYPE_BF16: {
        int exponent = 0, mantissa_bits = dtype == ES_DTYPE_F16 ? 10 : 7;
        double fraction = value == 0 ? 0 : frexp(value, &exponent) * 2 - 1;
        int bias = dtype == ES_DTYPE_F16 ? 15 : 127;
        int pattern =
            ((exponent - 1 + bias) << mantissa_bits) + (int)(fraction * (1 << mantissa_bits));
        uint16_t x = (uint16_t)(value == 0 ? 0 : pattern);
        memcpy(bytes, &x, sizeof x);
        break;
    }
    case ES_DTYPE_COUNT:
        break;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = bytes[big != es_host_is_big_endian() ? size - 1 - i : i];
}

static double expected_value(es_dtype dtype, size_t row, size_t column) {
    double value = (double)(row * 7 + column * 3 % 11);
    if (dtype == ES_DTYPE_BOOL)
        return (row + column) % 2 ? 1 : 0;
    return (dtype <= ES_DTYPE_I64 || dtype >= ES_DTYPE_F32) && row % 2 ? -value : value;
}

TEST(array__read__every_type_order_and_layout) {
    enum { N = 17, D = 5 };
    static const uint32_t rows[] = {16, 0, 3, 3, 9};
    unsigned char bytes[N * D * 8 + 1];
    double out[N * D];
    for (int t = 0; t < ES_DTYPE_COUNT; t++)
        for (int form = 0; form < 8; form++) {
            es_dtype dtype = (es_dtype)t;
            size_t size = es_dtype_size(dtype), shift = form & 1; /* odd addresses too */
            es_array a = {.data = bytes + shift, .n = N, .d = D, .dtype = dtype};
            a.big_endian = (form & 2) && size > 1;
            a.fortran = (form & 4) != 0;
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < D; j++)
                    put(bytes + shift + size * (a.fortran ? j * N + i : i * D + j), dtype,
                        a.big_endian, expected_value(dtype, i, j));
            es_array_read(&a, NULL, N, out);
            for (size_t k = 0; k < N * D; k++)
                assert_true(out[k] == expected_value(dtype, k / D, k % D));
            es_array_read_range(&a, 2, 14, out);
            for (size_t k = 0; k < 14 * D; k++)
                assert_true(out[k] == expected_value(dtype, 2 + k / D, k % D));
            es_array_read(&a, rows, 5, out);
            for (size_t k = 0; k < 5 * D; k++)
                assert_true(out[k] == expected_value(dtype, rows[k / D], k % D));
        }
}

TEST(array__read__extremes_of_integers) {
    int64_t low[] = {INT64_MIN, -1, (INT64_C(1) << 53) - 1};
    uint64_t high[] = {UINT64_MAX, 0, UINT64_C(1) << 63};
    double out[3];
    es_array a = {.data = (const unsigned char *)low, .n = 3, .d = 1, .dtype = ES_DTYPE_I64};
    a.big_endian = es_host_is_big_endian();
    es_array_read(&a, NULL, 3, out);
    assert_true(out[0] == -0x1p63 && out[1] == -1.0 && out[2] == 9007199254740991.0);
    a.data = (const unsigned char *)high;
    a.dtype = ES_DTYPE_U64;
    es_array_read(&a, NULL, 3, out);
    assert_true(out[0] == 0x1p64 && out[1] == 0.0 && out[2] == 0x1p63);
}

TEST(array__check__refuses_absurd_shapes) {
    assert_ok(es_array_check(3, 4, ES_DTYPE_F32, 48, test_err()));
    assert_error(es_array_check(3, 4, ES_DTYPE_F32, 47, test_err()), ES_EFORMAT,
                 "shape (3, 4) of float32 needs 48 bytes, found 47");
    assert_int_equal(es_array_check(0, 4, ES_DTYPE_F32, 48, test_err()), ES_EFORMAT);
    assert_int_equal(es_array_check(3, 0, ES_DTYPE_F32, 48, test_err()), ES_EFORMAT);
    assert_int_equal(es_array_check(UINT64_MAX, UINT64_MAX, ES_DTYPE_F64, 48, test_err()),
                     ES_EFORMAT);
    assert_int_equal(es_array_check(1, (uint64_t)1 << 33, ES_DTYPE_U8, SIZE_MAX, test_err()),
                     ES_EFORMAT);
    assert_int_equal(es_array_check(INT32_MAX, INT32_MAX, ES_DTYPE_F64, 48, test_err()),
                     ES_EFORMAT);
}

/* np.mean, np.std on the same numbers: offset 1e9 plus (0 .. 6), whose sd is 2. */
TEST(scan__mean_and_sd__survive_a_large_offset) {
    enum { N = 700, D = 3 };
    double *x = es_alloc(N * D, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < N; i++) {
        x[i * D] = 1e9 + (double)(i % 7);
        x[i * D + 1] = 0.1;
        x[i * D + 2] = i == 0 ? 1e9 : (double)(i % 2);
    }
    es_array a = es_array_own(x, N, D);
    es_array_stats s = {0};
    assert_ok(es_array_scan(&a, NULL, N, NULL, &s, NULL));
    assert_int_equal(s.rows, N);
    assert_int_equal(s.bad_rows, 0);
    assert_true(s.first_row == SIZE_MAX && s.first_column == SIZE_MAX);
    assert_true(fabs(s.mean[0] - (1e9 + 3.0)) < 1e-5);
    assert_true(fabs(s.sd[0] - 2.0) < 1e-6);
    assert_true(s.mean[1] == 0.1 && s.sd[1] == 0.0);
    assert_int_equal(s.constant_columns, 1);
    assert_true(!s.constant[0] && s.constant[1] && !s.constant[2]);
    es_array_stats_deinit(&s);
    /* Without the outlying first row the last column is half 0, half 1. */
    uint32_t rows[N - 2];
    for (uint32_t i = 0; i < N - 2; i++)
        rows[i] = i + 1;
    assert_ok(es_array_scan(&a, rows, N - 2, NULL, &s, NULL));
    assert_true(fabs(s.mean[2] - 0.5) < 1e-12 && fabs(s.sd[2] - 0.5) < 1e-12);
    es_array_stats_deinit(&s);
    es_array_deinit(&a);
    assert_null(a.data);
}

TEST(scan__non_finite__is_located_and_left_out) {
    float x[6][2] = {{3, 4}, {1, NAN}, {0, 0}, {-INFINITY, 2}, {3, 4}, {NAN, NAN}};
    es_array a = {.data = (const unsigned char *)x, .n = 6, .d = 2, .dtype = ES_DTYPE_F32};
    a.big_endian = es_host_is_big_endian();
    es_array_stats s = {0};
    assert_ok(es_array_scan(&a, NULL, 6, NULL, &s, NULL));
    assert_int_equal(s.bad_rows, 3);
    assert_int_equal(s.first_row, 1);
    assert_int_equal(s.first_column, 1);
    assert_true(isnan(s.first_value));
    assert_true(s.bad_row_list[0] == 1 && s.bad_row_list[1] == 3 && s.bad_row_list[2] == 5);
    assert_true(s.mean[0] == 2.0 && fabs(s.sd[0] - sqrt(2.0)) < 1e-15);
    assert_int_equal(s.zero_rows, 1);
    assert_true(s.copies == 1 && s.copy[0].row == 4 && s.copy[0].of == 0);
    assert_true(fabs(s.norm_mean - 10.0 / 3.0) < 1e-14);
    assert_true(fabs(s.norm_sd - sqrt(50.0) / 3.0) < 1e-14);
    assert_int_equal(s.constant_columns, 0);
    es_array_stats_deinit(&s);
    static const uint32_t used[] = {0, 4, 3};
    assert_ok(es_array_scan(&a, used, 3, NULL, &s, NULL));
    assert_int_equal(s.first_row, 3);
    assert_int_equal(s.constant_columns, 2);
    assert_true(s.copies == 1 && s.copy[0].row == 1 && s.copy[0].of == 0); /* as they are read */
    es_array_stats_deinit(&s);
    static const uint32_t bad[] = {1, 3};
    assert_ok(es_array_scan(&a, bad, 2, NULL, &s, NULL));
    assert_true(isnan(s.mean[0]) && isnan(s.sd[1]) && isnan(s.norm_mean) && isnan(s.norm_sd));
    es_array_stats_deinit(&s);
}

/* Rows that are so wide that each is a chunk of its own, taken from the last on. */
TEST(scan__chosen_rows__in_chunks_are_those_rows) {
    enum { N = 5, D = 1 << 16 };
    double *x = es_alloc_zero((size_t)N * D, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < N; i++)
        x[i * D] = (double)(1 << i);
    es_array a = es_array_own(x, N, D);
    es_array_stats s = {0};
    static const uint32_t rows[] = {4, 2, 1};
    assert_ok(es_array_scan(&a, rows, 3, NULL, &s, NULL));
    assert_true(fabs(s.mean[0] - 22.0 / 3) < 1e-12);
    assert_int_equal(s.constant_columns, D - 1);
    es_array_stats_deinit(&s);
    es_array_deinit(&a);
}

TEST(scan__many_bad_rows__are_all_listed) {
    enum { N = 1000, D = 300 };
    double *x = es_alloc_zero((size_t)N * D, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < N; i += 3)
        x[i * D + i % D] = (double)INFINITY;
    es_array a = es_array_own(x, N, D);
    es_array_stats s = {0};
    assert_ok(es_array_scan(&a, NULL, N, NULL, &s, NULL));
    assert_int_equal(s.bad_rows, 334);
    for (size_t k = 0; k < s.bad_rows; k++)
        assert_int_equal(s.bad_row_list[k], 3 * k);
    assert_int_equal(s.zero_rows, 666);
    assert_int_equal(s.copies, 665); /* bad rows are none, equal or not */
    for (size_t i = 2, k = 0; i < N; i++)
        if (i % 3 != 0) {
            assert_true(s.copy[k].of == 1 && s.copy[k].row == i);
            k++;
        }
    es_array_stats_deinit(&s);
    es_array_deinit(&a);
}

TEST(scan__cancel_and_faults__leave_nothing) {
    double x[] = {1, 2, (double)NAN, 4};
    es_array a = es_array_own(x, 2, 2);
    es_array_stats s = {.rows = 77};
    es_run run;
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_array_scan(&a, NULL, 2, &run, &s, test_err()), ES_ECANCELED);
    es_digest digest = {7, 7};
    assert_int_equal(es_array_digest(&a, &run, &digest, test_err()), ES_ECANCELED);
    for (long k = 0; k < 6; k++) { /* five blocks and the list of bad rows */
        es_alloc_fail_after(k);
        assert_int_equal(es_array_scan(&a, NULL, 2, NULL, &s, test_err()), ES_ENOMEM);
    }
    assert_int_equal(s.rows, 77);
    assert_true(digest.hi == 7);
    assert_ok(es_array_scan(&a, NULL, 2, NULL, &s, test_err()));
    es_array_stats_deinit(&s);
}

TEST(digest__depends_on_meaning_only) {
    unsigned char bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 37);
    es_array a = {.data = bytes, .n = 4, .d = 3, .dtype = ES_DTYPE_F32}, b = a;
    unsigned char moved[64];
    memcpy(moved + 7, bytes, 48);
    b.data = moved + 7;
    es_digest first, second;
    assert_ok(es_array_digest(&a, NULL, &first, NULL));
    assert_ok(es_array_digest(&b, NULL, &second, NULL));
    assert_true(es_digest_equal(first, second));
    es_array others[] = {a, a, a, a, a};
    others[0].fortran = true;
    others[1].big_endian = true;
    others[2].dtype = ES_DTYPE_I32;
    others[3].n = 3;
    others[3].d = 4;
    others[4].data = bytes + 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_ok(es_array_digest(&others[i], NULL, &second, NULL));
        assert_false(es_digest_equal(first, second));
    }
}

TEST(digest__text__round_trips) {
    char hex[ES_DIGEST_HEX];
    es_digest digest = {0x0123456789abcdefu, 0xfedcba9876543210u}, back = {0, 0};
    assert_string_equal(es_digest_hex(digest, hex), "0123456789abcdeffedcba9876543210");
    assert_true(es_digest_parse(hex, &back));
    assert_true(es_digest_equal(digest, back));
    assert_false(es_digest_parse("0123456789abcdeffedcba987654321", &back));
    assert_false(es_digest_parse("0123456789abcdeffedcba98765432100", &back));
    assert_false(es_digest_parse("0123456789ABCDEFfedcba9876543210", &back));
    /* printf '' | xxh128sum */
    assert_string_equal(es_digest_hex(es_digest_bytes("", 0), hex),
                        "99aa06d3014798d86001c324468d497f");
}

TEST(hasher__parts__are_kept_apart) {
    es_hasher first, second, *a = &first, *b = &second;
    es_hasher_init(a);
    es_hasher_init(b);
    es_hasher_add(a, "hel", 3);
    es_hasher_add(a, "lo", 2);
    assert_true(es_digest_equal(es_hasher_result(a), es_digest_bytes("hello", 5)));
    es_hasher_add_text(a, "ab");
    es_hasher_add_text(a, "c");
    es_hasher_add(b, "hello", 5);
    es_hasher_add_text(b, "a");
    es_hasher_add_text(b, "bc");
    assert_false(es_digest_equal(es_hasher_result(a), es_hasher_result(b)));
}

/* Every family that this machine runs, against plain C: the same bits. */
TEST(scan_kernels__all_families__agree_with_plain_c) {
    enum { D = 53, ALL = 1 << 16 };
    const es_scan_kernels *plain = es_scan_kernels_get(ES_ISA_REF);
    unsigned char *half = test_keep(es_alloc(ALL, 2), es_free);
    double *wide = test_keep(es_alloc(ALL, sizeof *wide), es_free), x[D];
    for (size_t i = 0; i < ALL; i++)
        memcpy(half + 2 * i, &(uint16_t){(uint16_t)i}, 2);
    for (int level = ES_ISA_REF; level <= (int)es_isa_best(); level++) {
        const es_scan_kernels *now = es_scan_kernels_get((es_isa)level);
        double mean[2][D] = {{0}}, m2[2][D] = {{0}};
        now->widen(half, ALL, wide);
        for (size_t i = 0; i < ALL; i++) {
            double expected = es_f16_to_double((uint16_t)i);
            assert_true(isnan(expected) ? isnan(wide[i])
                                        : memcmp(&wide[i], &expected, sizeof expected) == 0);
        }
        for (size_t row = 1; row <= 20; row++) {
            for (size_t j = 0; j < D; j++)
                x[j] = 1e3 + sin((double)(row * D + j));
            double a = plain->add(x, D, 1.0 / (double)row, mean[0], m2[0]);
            double b = now->add(x, D, 1.0 / (double)row, mean[1], m2[1]), sum = 0;
            for (size_t j = 0; j < D; j++)
                sum += x[j] * x[j];
            assert_memory_equal(&a, &b, sizeof a);
            assert_true(fabs(a - sum) <= 1e-13 * sum);
        }
        assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
        assert_memory_equal(m2[0], m2[1], sizeof m2[0]);
        for (size_t d = 0; d <= D; d++) /* at every place, and just behind the end */
            for (size_t bad = 0; bad <= D; bad++) {
                double before = bad < D ? x[bad] : 0;
                if (bad < D)
                    x[bad] = bad % 2 ? (double)NAN : -(double)INFINITY;
                assert_true(now->finite(x, d) == (bad >= d));
                if (bad < D)
                    x[bad] = before;
            }
    }
}
