/* Files of text in every layout that people write them in: whichever was drawn, the values and ids
 * are those that went in. */
#include "io_test.h"

#include "io_readers.h"

TEST_GROUP(make_test_dir, remove_test_dir);

enum { FILES = 200, ROWS_MOST = 6, COLUMNS_MOST = 5, ID = 40 };

static es_rng rng;

static size_t below(size_t count) {
    return (size_t)es_rng_below(&rng, count);
}

static const char *one_of(const char *const *list, size_t count) {
    return list[below(count)];
}

/* What goes in. */
typedef struct table {
    size_t n, d;
    double value[ROWS_MOST * COLUMNS_MOST];
    char text[ROWS_MOST * COLUMNS_MOST][32]; /* as it is written */
    char id[ROWS_MOST][ID];
} table;

static void draw_number(char *text, double *value) {
    static const char *const forms[] = {"%.0f", "%.3f", "%.17g", "%e", "%.1f"};
    double x = (es_rng_uniform(&rng) - 0.5) * (below(4) == 0 ? 1e6 : 10);
    const char *form = one_of(forms, 5);
    (void)(form[2] == '0'   ? snprintf(text, 32, "%.0f", x)
           : form[2] == '3' ? snprintf(text, 32, "%.3f", x)
           : form[1] == 'e' ? snprintf(text, 32, "%e", x)
           : form[3] == '7' ? snprintf(text, 32, "%.17g", x)
                            : snprintf(text, 32, "%.1f", x));
    *value = strtod(text, NULL);
}

static void draw_table(table *t, size_t least) {
    t->n = 2 + below(ROWS_MOST - 1);
    t->d = least + below(COLUMNS_MOST - least + 1);
    for (size_t i = 0; i < t->n * t->d; i++)
        draw_number(t->text[i], &t->value[i]);
    for (size_t i = 0; i < t->n; i++) /* each another, and no number */
        (void)snprintf(t->id[i], ID, "%c%zu%s", "rxQ"[below(3)], i, below(2) ? "-z" : "");
}

static void put_all(es_buf *out, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++)
        es_buf_puts(out, text);
}

static void put_line_end(es_buf *out, bool crlf, bool last) {
    if (!last || below(4) > 0)
        es_buf_puts(out, crlf ? "\r\n" : "\n");
}

static void check(const char *name, const es_buf *file, const table *t, bool ids) {
    es_loaded l = {0};
    double values[ROWS_MOST * COLUMNS_MOST];
    if (es_loaded_open(write_file(name, file->data, file->length), 0, NULL, &l, test_err()) !=
        ES_OK)
        fail_msg("%s in:\n%.*s", test_message(), (int)file->length, file->data);
    const es_tensor *tensor = &l.tensors.items[0];
    bool found = tensor->ids && !tensor->ids->counted; /* an index that counts says nothing */
    if (tensor->array.n != t->n || tensor->array.d != t->d || found != ids)
        fail_msg("%zu x %zu, ids %d in:\n%.*s", tensor->array.n, tensor->array.d, found,
                 (int)file->length, file->data);
    es_array_read(&tensor->array, NULL, t->n, values);
    for (size_t i = 0; i < t->n * t->d; i++)
        if (values[i] != t->value[i] && !(isnan(values[i]) && isnan(t->value[i])))
            fail_msg("number %zu is %.17g, not %.17g in:\n%.*s", i, values[i], t->value[i],
                     (int)file->length, file->data);
    for (size_t i = 0; ids && i < t->n; i++)
        if (strcmp(es_row_ids_get(tensor->ids, i, NULL), t->id[i]) != 0)
            fail_msg("id %zu is \"%s\" in:\n%.*s", i, es_row_ids_get(tensor->ids, i, NULL),
                     (int)file->length, file->data);
    es_loaded_close(&l);
}

/* ---- JSON lines ---- */

static void put_blanks(es_buf *out) {
    static const char *const blanks[] = {"", "", " ", "\t", "  "};
    es_buf_puts(out, one_of(blanks, 5));
}

static void put_mark(es_buf *out, char mark) {
    put_blanks(out);
    es_buf_putc(out, mark);
    put_blanks(out);
}

/* Something else that a line may hold; never an array of numbers by itself. */
static void put_other(es_buf *out, size_t depth) {
    static const char *const flat[] = {
        "true",       "null",      "-1.5e3", "\"\"", "\"a, \\\"b\\\"\"",
        "\"}]\\\\\"", "[\"a\",1]", "[]",     "{}",   "\"\\u00e9\""};
    size_t what = below(depth > 2 ? 10 : 12);
    if (what < 10) {
        es_buf_puts(out, flat[what]);
        return;
    }
    bool object = what == 10;
    put_mark(out, object ? '{' : '[');
    for (size_t i = 0, count = 1 + below(3); i < count; i++) {
        if (i > 0)
            put_mark(out, ',');
        if (object)
            es_buf_printf(out, "\"k%zu\":", i);
        else if (i == 0)
            es_buf_puts(out, "\"first\",");
        put_other(out, depth + 1);
    }
    put_mark(out, object ? '}' : ']');
}

static void put_vector(es_buf *out, table *t, size_t row) {
    put_mark(out, '[');
    for (size_t j = 0; j < t->d; j++) {
        if (j > 0)
            put_mark(out, ',');
        if (below(30) == 0) {
            es_buf_puts(out, below(2) ? "null" : "NaN");
            t->value[row * t->d + j] = NAN;
        } else {
            es_buf_puts(out, t->text[row * t->d + j]);
        }
    }
    put_blanks(out);
    es_buf_putc(out, ']');
}

/* An id in its quotes, some letters as escapes, and escapes that are more than a letter. */
static void put_id(es_buf *out, char *id) {
    static const char *const more[][2] = {
        {"\\n", "\n"},           {"\\\"", "\""},
        {"\\\\", "\\"},          {"\\/", "/"},
        {"\\u00E9", "\xC3\xA9"}, {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
        {"\\t", "\t"},           {"", ""}};
    char plain[ID];
    size_t tail = below(8);
    (void)snprintf(plain, sizeof plain, "%s", id);
    es_buf_putc(out, '"');
    for (const char *c = plain; *c; c++)
        if (below(5) == 0)
            es_buf_printf(out, "\\u%04x", (unsigned char)*c);
        else
            es_buf_putc(out, *c);
    es_buf_printf(out, "%s\"", more[tail][0]);
    (void)snprintf(id, ID, "%.20s%s", plain, more[tail][1]);
}

TEST(jsonl__any_layout__gives_what_went_in) {
    static const char *const keys[] = {"embedding", "embeddings", "vector", "values", "v", "x y"},
                             *const id_keys[] = {"id", "_id", "doc_id", "key", "name", "token"};
    es_rng_init(&rng, 1, 1);
    for (size_t f = 0; f < FILES; f++) {
        table t;
        es_buf *out = test_buf();
        bool bare = below(6) == 0, ids = !bare && below(2), crlf = below(3) == 0;
        bool numbers = ids && below(4) == 0;
        const char *key = one_of(keys, 6), *id_key = one_of(id_keys, 6);
        draw_table(&t, 1);
        for (size_t i = 0; i < t.n; i++) {
            if (below(8) == 0)
                put_line_end(out, crlf, false); /* an empty line */
            put_blanks(out);
            if (bare) {
                put_vector(out, &t, i);
                put_blanks(out);
                put_line_end(out, crlf, i + 1 == t.n);
                continue;
            }
            put_mark(out, '{');
            size_t before = below(3), after = below(3), id_at = below(2);
            for (size_t k = 0; k < before; k++) {
                es_buf_printf(out, "\"b%zu\":", k);
                put_other(out, 0);
                put_mark(out, ',');
            }
            for (size_t part = 0; part < 2; part++)
                if (part == id_at && ids) {
                    if (part == 1)
                        put_mark(out, ',');
                    es_buf_printf(out, "\"%s\"", id_key);
                    put_mark(out, ':');
                    if (numbers) {
                        (void)snprintf(t.id[i], ID, "%zu", i * 17);
                        es_buf_puts(out, t.id[i]);
                    } else {
                        put_id(out, t.id[i]);
                    }
                    if (part == 0)
                        put_mark(out, ',');
                } else if (part != id_at) {
                    es_buf_printf(out, "\"%s\"", key);
                    put_mark(out, ':');
                    put_vector(out, &t, i);
                }
            for (size_t k = 0; k < after; k++) {
                put_mark(out, ',');
                es_buf_printf(out, "\"a%zu\":", k);
                put_other(out, 0);
            }
            put_mark(out, '}');
            put_line_end(out, crlf, i + 1 == t.n);
        }
        check("a.jsonl", out, &t, ids);
    }
}

/* ---- tables ---- */

static void put_cell(es_buf *out, const char *text, bool plain) {
    bool quoted = !plain && below(6) == 0;
    size_t blanks = below(8) == 0 && !quoted;
    put_all(out, " ", blanks);
    es_buf_printf(out, quoted ? "\"%s\"" : "%s", text);
    put_all(out, " ", blanks);
}

TEST(csv__any_layout__gives_what_went_in) {
    static const char *const id_names[] = {"id", "IDs", "row_id", "token", "smiles"};
    es_rng_init(&rng, 2, 1);
    for (size_t f = 0; f < FILES; f++) {
        table t;
        es_buf *out = test_buf();
        char delimiter = ",;\t"[below(3)];
        bool ids = below(2), header = below(2), index = header && !ids && below(3) == 0;
        bool crlf = below(3) == 0, tsv = delimiter == '\t';
        draw_table(&t, 2);
        if (below(4) == 0)
            es_buf_puts(out, "\xEF\xBB\xBF");
        if (header) {
            if (ids)
                es_buf_puts(out, one_of(id_names, 5));
            for (size_t j = 0; j < t.d; j++) {
                if (j > 0 || ids || index)
                    es_buf_putc(out, delimiter);
                es_buf_printf(out, "dim%zu", j);
            }
            es_buf_puts(out, crlf ? "\r\n" : "\n");
        }
        for (size_t i = 0; i < t.n; i++) {
            bool first = delimiter == ';' && i == 0 && !header; /* by which they are known */
            if (ids && below(3) == 0 && !tsv && !first) { /* quotes, marks and line ends within */
                char name[ID];
                (void)snprintf(name, sizeof name, "%.8s", t.id[i]);
                es_buf_printf(out, "\"%s%c \"\"x\"\"\n\"", name, delimiter);
                (void)snprintf(t.id[i], ID, "%.20s%c \"x\"\n", name, delimiter);
            } else if (ids) {
                put_cell(out, t.id[i], false);
            } else if (index) {
                es_buf_printf(out, "%zu", i);
            }
            for (size_t j = 0; j < t.d; j++) {
                if (j > 0 || ids || index)
                    es_buf_putc(out, delimiter);
                if (delimiter == ';' && strchr(t.text[i * t.d + j], '.') && below(2)) {
                    char *point = strchr(t.text[i * t.d + j], '.');
                    *point = ','; /* as where numbers have commas */
                }
                put_cell(out, t.text[i * t.d + j], false);
            }
            put_line_end(out, crlf, i + 1 == t.n);
            if (below(10) == 0)
                es_buf_puts(out, crlf ? "\r\n" : "\n");
        }
        check(tsv ? "a.tsv" : "a.csv", out, &t, ids);
    }
}

/* ---- words ---- */

TEST(word_text__any_layout__gives_what_went_in) {
    es_rng_init(&rng, 3, 1);
    for (size_t f = 0; f < FILES; f++) {
        table t;
        es_buf *out = test_buf();
        bool tokens = below(3) > 0, header = tokens && below(2), crlf = below(3) == 0;
        draw_table(&t, 3);
        if (header) {
            es_buf_printf(out, "%zu %zu", t.n, t.d);
            put_line_end(out, crlf, false);
        }
        for (size_t i = 0; i < t.n; i++) {
            if (tokens && i > 0 && below(4) == 0) { /* the first line says how many numbers */
                char name[ID];
                (void)snprintf(name, sizeof name, "%.8s", t.id[i]);
                (void)snprintf(t.id[i], ID, "%.20s %s", name, below(2) ? "of two" : ". .");
            }
            if (tokens)
                es_buf_puts(out, t.id[i]);
            for (size_t j = 0; j < t.d; j++) {
                if (j > 0 || tokens)
                    es_buf_puts(out, below(6) ? " " : below(2) ? "\t" : "  ");
                es_buf_puts(out, t.text[i * t.d + j]);
            }
            if (below(5) == 0)
                es_buf_putc(out, ' ');
            put_line_end(out, crlf, i + 1 == t.n);
        }
        check(below(2) ? "a.vec" : "a.txt", out, &t, tokens);
    }
}

TEST(word_binary__any_token__gives_what_went_in) {
    es_rng_init(&rng, 4, 1);
    for (size_t f = 0; f < FILES; f++) {
        table t;
        es_buf *out = test_buf();
        bool ends = below(2); /* word2vec's own program ends lines, others do not */
        draw_table(&t, 1);
        es_buf_printf(out, "%zu %zu\n", t.n, t.d);
        for (size_t i = 0; i < t.n; i++) {
            es_buf_printf(out, "%s ", t.id[i]);
            for (size_t j = 0; j < t.d; j++) {
                float value = (float)t.value[i * t.d + j];
                uint32_t bits;
                t.value[i * t.d + j] = (double)value;
                memcpy(&bits, &value, sizeof bits);
                for (int k = 0; k < 4; k++)
                    es_buf_putc(out, (char)(unsigned char)(bits >> (8 * k) & 0xff));
            }
            if (ends)
                es_buf_putc(out, '\n');
        }
        check("a.bin", out, &t, true);
    }
}
