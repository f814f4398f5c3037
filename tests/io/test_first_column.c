/* What the first column of a table of numbers is: ids, an index that counts the rows, or values;
 * which first line is a header; and what else a file says of its rows that is told. */
#include "io_test.h"

#include "io_readers.h"
#include "refuse.h"

TEST_GROUP(make_test_dir, remove_test_dir);

enum { N = 24 };

/* `head`, then N lines: the first cell as said by `kind`, and `numbers` behind it. Kinds: 0 and 1
 * count from there, f counts as floats, s is another order, d says things twice, t is text, r
 * counts except the last, x is a fraction, - has none. */
static const char *put(const char *file, const char *head, char kind, const char *numbers) {
    char cut = strstr(file, ".csv") ? ',' : ' ';
    es_buf *text = test_buf();
    es_buf_puts(text, head);
    for (size_t i = 0; i < N; i++) {
        switch (kind) {
        case '0':
        case '1':
            es_buf_printf(text, "%zu%c", i + (size_t)(kind - '0'), cut);
            break;
        case 'f':
            es_buf_printf(text, "%zu.0%c", i, cut);
            break;
        case 's':
            es_buf_printf(text, "%zu%c", (i * 7 + 3) % N, cut);
            break;
        case 'd':
            es_buf_printf(text, "%zu%c", i / 2, cut);
            break;
        case 't':
            es_buf_printf(text, "r%zu%c", i, cut);
            break;
        case 'r':
            es_buf_printf(text, "%zu%c", i + 1 < N ? i : 5, cut);
            break;
        case 'x':
            es_buf_printf(text, "%zu.5%c", i, cut);
            break;
        default:
            break;
        }
        es_buf_printf(text, "%s\n", numbers);
    }
    const char *path = write_file(file, text->data, text->length);
    return path;
}

TEST(table__first_column__is_ids_index_or_values) {
    static const struct {
        const char *file, *head;
        char kind;
        const char *numbers;
        size_t d;
        bool ids, counted, note;
    } cases[] = {
        {"a.csv", ",x,y\n", '0', "0.5,1", 2, true, true, false},
        {"a.csv", ",x,y\n", 's', "0.5,1", 2, true, false, false},
        {"a.csv", ",x,y\n", 'd', "0.5,1", 2, false, false, true},
        {"a.csv", ",x,y\n", 't', "0.5,1", 2, true, false, false},
        {"a.csv", "Unnamed: 0,x,y\n", '0', "0.5,1", 2, true, true, false},
        {"a.csv", "index,x,y\n", '1', "0.5,1", 2, true, true, false},
        {"a.csv", "level_0,x,y\n", 'f', "0.5,1", 2, true, true, false},
        {"a.csv", "#,x,y\n", 's', "0.5,1", 2, true, false, false},
        {"a.csv", "\"row\",x,y\n", 's', "0.5,1", 2, true, false, false},
        {"a.csv", "row,x,y\n", 'd', "0.5,1", 2, false, false, true},
        {"a.csv", "row,x,y\n", 'x', "0.5,1", 3, false, false, false},
        {"a.csv", "doc,x,y\n", '0', "0.5,1", 2, true, false, false},
        {"a.csv", "DocID,x,y\n", 's', "0.5,1", 2, true, false, false},
        {"a.csv", "sample_id,x,y\n", 's', "0.5,1", 2, true, false, false},
        {"a.csv", "age,x,y\n", '0', "0.5,1", 2, true, true, true},
        {"a.csv", "age,x,y\n", 's', "0.5,1", 3, false, false, true},
        {"a.csv", "PassengerId,x,y\n", 's', "0.5,1", 2, true, false, false},
        {"a.csv", "ACID,x,y\n", 's', "0.5,1", 3, false, false, true},
        {"a.csv", "age,x,y\n", 'r', "0.5,1", 3, false, false, false},
        {"a.csv", "", '0', "0.5,1", 2, true, true, true},
        {"a.csv", "", 'f', "0.5,1", 2, true, true, true},
        {"a.csv", "", 's', "0.5,1", 3, false, false, true},
        {"a.csv", "", '0', "0.5", 1, true, true, true},
        {"a.txt", "", '1', "0.5 1 2", 3, true, true, true},
        {"a.txt", "", 's', "0.5 1 2", 4, false, false, true},
        {"a.txt", "", '-', "0.5 1 2", 3, false, false, false},
        {"a.vec", "24 3\n", '0', "0.5 1 2", 3, true, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        double x[N * 4];
        const char *path = put(cases[i].file, cases[i].head, cases[i].kind, cases[i].numbers);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        const es_tensor *t = &l.tensors.items[0];
        if (t->array.n != N || t->array.d != cases[i].d || (t->ids != NULL) != cases[i].ids ||
            (l.tensors.note || l.tensors.n_maybe > 0) != cases[i].note ||
            (t->ids && t->ids->counted != cases[i].counted))
            fail_msg("case %zu: (%zu, %zu), ids %d, note %s", i, t->array.n, t->array.d,
                     t->ids != NULL, l.tensors.note ? l.tensors.note : "none");
        es_array_read(&t->array, NULL, N, x);
        assert_true(x[cases[i].d * N - cases[i].d +
                      (cases[i].d > (strlen(cases[i].numbers) > 5 ? 3U : 2U))] == 0.5);
        es_loaded_close(&l);
    }
}

/* %1: the row, %2: its number in another order, %3: half of it */
static void fill_row(char *out, size_t capacity, const char *row, size_t k) {
    const size_t value[] = {k, (k * 7 + 3) % N, k / 2};
    size_t used = 0;
    for (const char *p = row; *p && used + 24 < capacity; p++) {
        if (*p == '%') {
            used += (size_t)snprintf(out + used, capacity - used, "%zu", value[p[1] - '1']);
            p++;
        } else {
            out[used++] = *p;
        }
    }
    out[used] = '\0';
}

/* Ids may stand behind other columns, and behind the index that pandas adds, or two of them. */
TEST(table__id_column__wherever_it_stands) {
    static const struct {
        const char *head, *row; /* of fill_row */
        size_t d;
        const char *third; /* row's id; NULL: none */
        bool note;
        double last; /* value of row 2 */
    } cases[] = {
        {"x,y,id", "0.5,%1,doc-%2", 2, "doc-17", false, 2},
        {"x,id,y", "0.5,%2,%1", 2, "17", false, 2},
        {"0,1,2,id", "0.5,1,%1,%2", 3, "17", false, 2},
        {",id,x,y", "%1,%2,0.5,7", 2, "17", true, 7},
        {",id,x,y", "%1,\"a, \"\"%2\"\"\",0.5,7", 2, "a, \"17\"", true, 7},
        {"title,doc_id,x,y", "t%1,%2,0.5,7", 2, "17", true, 7},
        {",Unnamed: 0,x,y", "%1,%2,0.5,7", 2, "17", true, 7},
        {",index,x,y", "%2,%1,0.5,7", 2, "2", true, 7},
        {"x,class_id,y", "0.5,%3,7", 3, NULL, true, 7},
        {"id,x,class_id", "%2,0.5,%3", 2, "17", true, 1},
        {"x,y,grid", "0.5,%2,7", 3, NULL, false, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        es_buf *text = test_buf();
        char row[80];
        double x[N * 4];
        es_buf_printf(text, "%s\n", cases[i].head);
        for (size_t k = 0; k < N; k++) {
            fill_row(row, sizeof row, cases[i].row, k);
            es_buf_printf(text, "%s\n", row);
        }
        const char *path = write_file("where.csv", text->data, text->length);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        const es_tensor *t = &l.tensors.items[0];
        if (t->array.n != N || t->array.d != cases[i].d ||
            (t->ids != NULL) != (cases[i].third != NULL) ||
            (l.tensors.note != NULL) != cases[i].note)
            fail_msg("case %zu: (%zu, %zu), ids %d, note %s", i, t->array.n, t->array.d,
                     t->ids != NULL, l.tensors.note ? l.tensors.note : "none");
        if (t->ids)
            assert_string_equal(es_row_ids_get(t->ids, 2, NULL), cases[i].third);
        es_array_read(&t->array, NULL, N, x);
        assert_true(x[2 * cases[i].d] == 0.5);
        assert_true(x[3 * cases[i].d - 1] == cases[i].last);
        es_loaded_close(&l);
    }
}

/* A column alone is what the matrix consists of, and a few rows are counted by chance. */
/* Columns of labels by their headings, wherever they stand; coordinates and vectors of a single
 * column stay values. */
TEST(table__label_columns__are_no_values) {
    static const struct {
        const char *head, *row; /* of fill_row */
        size_t d, labels;
        bool ids;
        const char *name, *third; /* of the last column of labels */
    } cases[] = {
        {"d0,d1,d2,label\n", "0.5,1,2,c%3", 3, 1, false, "label", "c1"},
        {"d0,d1,d2,Target\n", "0.5,1,2,%2", 3, 1, false, "Target", "17"},
        {"id,d0,d1,y\n", "u%2,0.5,1,%3", 2, 1, true, "y", "1"},
        {"label,d0,d1,d2\n", "c%3,0.5,1,2", 3, 1, false, "label", "c1"},
        {"class,d0,d1,d2\n", "%3,0.5,1,2", 3, 1, false, "class", "1"},
        {"id,label,d0,d1,split\n", "u%2,c%3,0.5,1,train", 2, 2, true, "split", "train"},
        {",d0,label,d1\n", "%1,0.5,\"a, b\",2", 2, 1, true, "label", "a, b"},
        {"x,y\n", "0.5,1", 2, 0, false, NULL, NULL},
        {"x,y,z\n", "0.5,1,2", 3, 0, false, NULL, NULL},
        {"x,y,label\n", "0.5,1,c%3", 2, 1, false, "label", "c1"},
        {"x0,x1,y\n", "0.5,1,%3", 2, 1, false, "y", "1"},
        {"label\n", "0.5", 1, 0, false, NULL, NULL},
        {"id,label\n", "u%2,0.5", 1, 0, true, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        es_buf *text = test_buf();
        double x[N * 3];
        char row[120];
        es_buf_puts(text, cases[i].head);
        for (size_t k = 0; k < N; k++) {
            fill_row(row, sizeof row, cases[i].row, k);
            es_buf_printf(text, "%s\n", row);
        }
        const char *path = write_file("labels_in.csv", text->data, text->length);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        const es_tensor *t = &l.tensors.items[0];
        if (t->array.n != N || t->array.d != cases[i].d || l.tensors.n_labels != cases[i].labels ||
            (t->ids != NULL) != cases[i].ids)
            fail_msg("case %zu: (%zu, %zu), %zu labels, ids %d", i, t->array.n, t->array.d,
                     l.tensors.n_labels, t->ids != NULL);
        es_array_read(&t->array, NULL, N, x);
        assert_true(x[2 * cases[i].d] == 0.5);
        if (cases[i].labels > 0) {
            const es_named_list *last = &l.tensors.label[cases[i].labels - 1];
            assert_string_equal(last->name, cases[i].name);
            assert_int_equal(last->ids->n, N);
            assert_string_equal(es_row_ids_get(last->ids, 2, NULL), cases[i].third);
        }
        es_loaded_close(&l);
    }
}

TEST(table__first_column__stays_where_it_is_all_or_short) {
    es_buf *text = test_buf();
    es_loaded l = {0};
    for (size_t i = 0; i < N; i++)
        es_buf_printf(text, "%zu\n", i);
    const char *path = write_file("one.csv", text->data, text->length);
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    assert_int_equal(l.tensors.items[0].array.d, 1);
    assert_null(l.tensors.note);
    es_loaded_close(&l);
    path = write_text("few.csv", "0,0.5,1\n1,0.5,1\n2,1.5,1\n");
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    assert_int_equal(l.tensors.items[0].array.d, 3);
    es_loaded_close(&l);
}

TEST(table__header__of_numbers) {
    static const struct {
        const char *text;
        size_t n, d;
    } cases[] = {
        {"1,2,3\n0.5,1,2\n0.1,2,3\n", 2, 3},    /* counts, above fractions */
        {"0,1,2\n0.5,1,2\n0.1,2,3\n", 2, 3},    /* as it did */
        {"1,2,3\n4,5,6\n7,8,9\n", 3, 3},        /* may be a row like others */
        {"1.0,2.0,3.0\n0.5,1,2\n", 2, 3},       /* a header says 1 */
        {",1,2,3\n5,0.5,1,2\n9,1,2,3\n", 2, 3}, /* behind an index */
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n"
         "9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9\n"
         "8,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9\n",
         2, 16},
        {"u_id,0.5,1\nv_id,1,2\n", 2, 2}, /* an id that ends as names of ids do */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        assert_ok(es_loaded_open(write_text("h.csv", cases[i].text), 0, NULL, &l, NULL));
        const es_array *a = &l.tensors.items[0].array;
        if (a->n != cases[i].n || a->d != cases[i].d)
            fail_msg("case %zu: (%zu, %zu)", i, a->n, a->d);
        es_loaded_close(&l);
    }
}

/* A word for a missing value makes no header of a row: it is refused as in any other. */
TEST(table__missing_word_in_the_first_line__is_no_header) {
    static const char *const words[] = {"NA", "null", "N/A", "<NA>", "None"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[120];
        es_loaded l = {0};
        (void)snprintf(text, sizeof text, "0.5,%s,3\n0.1,2,3\n", words[i]);
        const char *path = write_text("na.csv", text);
        assert_true(es_loader_find(path)->looks(
            &(es_map){.data = (const unsigned char *)text, .size = strlen(text)}, path));
        assert_error(es_loaded_open(path, 0, NULL, &l, test_err()), ES_EFORMAT,
                     "na.csv: line 1, column 2: '");
        (void)snprintf(text, sizeof text, "%s,0.5,3\n0.1,2,3\n", words[i]);
        assert_error(es_loaded_open(write_text("na.csv", text), 0, NULL, &l, test_err()),
                     ES_EFORMAT, "na.csv: line 1, column 1: '");
        (void)snprintf(text, sizeof text, "%s,0.5,3\nDE,2,3\n", words[i]); /* Namibia */
        assert_ok(es_loaded_open(write_text("na.csv", text), 0, NULL, &l, test_err()));
        assert_int_equal(l.tensors.items[0].array.n, 2);
        assert_non_null(l.tensors.items[0].ids);
        es_loaded_close(&l);
    }
}

TEST(table__first_column__out_of_memory) {
    static const char kinds[] = "0sd";
    for (const char *kind = kinds; *kind; kind++) {
        const char *path = put("m.csv", "index,x,y\n", *kind, "0.5,1");
        bool met = true;
        for (long k = 0; met; k++) {
            es_loaded l = {0};
            refuse_one(k);
            es_status st = es_loaded_head(path, 0, NULL, &l, NULL);
            met = refuse_end();
            assert_true(st == ES_OK || (met && st == ES_ENOMEM));
            es_loaded_close(&l);
        }
    }
}

/* ---- other formats ---- */

TEST(vec__more_numbers_than_promised__are_refused) {
    es_loaded l = {0};
    const char *path = write_text("a.vec", "2 2\na 1 2 3\nb 1 2 3\n");
    assert_error(es_loaded_open(path, 0, NULL, &l, test_err()), ES_EFORMAT,
                 "a.vec: line 2: expected a token and 2 numbers, as the first line "
                 "promises, found 3 numbers");
    path = write_text("b.vec", "2 2\nroute 66 1 2\nb 1 2\n"); /* tokens may have blanks */
    assert_ok(es_loaded_open(path, 0, NULL, &l, test_err()));
    assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 0, NULL), "route 66");
    es_loaded_close(&l);
}

/* Ids under the names that tables have them under, where no usual one is there. */
TEST(jsonl__ids__under_other_names) {
    static const struct {
        const char *line; /* of fill_row */
        const char *third;
        bool counted, note;
    } cases[] = {
        {"{\"uuid\":\"u%2\",\"v\":[1,2]}", "u17", false, false},
        {"{\"DocID\":%2,\"v\":[1,2]}", "17", false, false},
        {"{\"v\":[1,2],\"custom_id\":\"u%2\"}", "u17", false, false},
        {"{\"index\":%1,\"v\":[1,2]}", "2", true, false},
        {"{\"index\":%2,\"v\":[1,2]}", "17", false, false},
        {"{\"row\":%1,\"uuid\":\"u%2\",\"v\":[1,2]}", "u17", false, false},
        {"{\"uuid\":\"u%1\",\"name\":\"n%2\",\"v\":[1,2]}", "n17", false, false},
        {"{\"class_id\":%3,\"v\":[1,2]}", NULL, false, true},
        {"{\"uuid\":[3],\"v\":[1,2],\"embedding\":[1,2]}", NULL, false, false},
        {"{\"text\":\"t%1\",\"v\":[1,2]}", NULL, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        es_buf *text = test_buf();
        char row[120];
        for (size_t k = 0; k < N; k++) {
            fill_row(row, sizeof row, cases[i].line, k);
            es_buf_printf(text, "%s\n", row);
        }
        const char *path = write_file("ids.jsonl", text->data, text->length);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        const es_row_ids *ids = l.tensors.items[0].ids;
        if ((ids != NULL) != (cases[i].third != NULL) ||
            (l.tensors.note || l.tensors.n_maybe > 0) != cases[i].note ||
            (ids && ids->counted != cases[i].counted))
            fail_msg("case %zu: ids %d, note %s", i, ids != NULL,
                     l.tensors.note ? l.tensors.note : "none");
        if (ids)
            assert_string_equal(es_row_ids_get(ids, 2, NULL), cases[i].third);
        es_loaded_close(&l);
    }
    /* one that only some lines have is nobody's id */
    const char *path = write_text("ids.jsonl", "{\"uuid\":\"a\",\"v\":[1,2]}\n{\"v\":[1,2]}\n");
    es_loaded l = {0};
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    assert_null(l.tensors.items[0].ids);
    assert_contains(l.tensors.note, "\"uuid\" does not tell its rows apart");
    es_loaded_close(&l);
}

TEST(jsonl__two_vectors__tells_which_is_taken) {
    es_loaded l = {0};
    const char *path = write_text("a.jsonl", "{\"vector\":[1,2],\"embedding\":[1,2,3]}\n"
                                             "{\"embedding\":[4,5,6],\"vector\":[4,5]}\n");
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    assert_int_equal(l.tensors.items[0].array.d, 2);
    assert_string_equal(l.tensors.note,
                        "its lines hold vectors under \"vector\" and \"embedding\": \"vector\" is "
                        "taken, which stands first; remove one of them to be sure");
    es_loaded_close(&l);
    path = write_text("a.jsonl", "{\"tokens\":[1,2],\"embedding\":[1,2,3]}\n");
    assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
    assert_null(l.tensors.note);
    es_loaded_close(&l);
    bool met = true;
    for (long k = 0; met; k++) {
        path = write_text("a.jsonl", "{\"vector\":[1,2],\"embedding\":[1,2,3]}\n");
        refuse_one(k);
        es_status st = es_loaded_head(path, 0, NULL, &l, NULL);
        met = refuse_end();
        assert_true(st == ES_OK || (met && st == ES_ENOMEM));
        es_loaded_close(&l);
    }
}

TEST(npy__bytes_behind_the_array__are_told) {
    static const char head[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }";
    unsigned char image[3 * 136 + 5] = {0};
    for (size_t i = 0; i < 3; i++) {
        unsigned char *at = image + i * 136;
        memset(at, ' ', 128);
        memcpy(at, "\x93NUMPY\1\0\x76\0", 10);
        memcpy(at + 10, head, sizeof head - 1);
        at[127] = '\n';
        memset(at + 128, (int)i + 1, 8);
    }
    static const struct {
        size_t size;
        const char *note;
    } cases[] = {
        {136, NULL},
        {139, "3 bytes after its 2 rows are not read"},
        {408, "272 bytes after its 2 rows are not read: 3 arrays stand in it one behind the "
              "other; join them: f = open(FILE, 'rb'); np.save(NEW, np.concatenate([np.load(f) "
              "for _ in range(3)]))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        const char *path = write_file("b.npy", image, cases[i].size);
        assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
        assert_int_equal(l.tensors.items[0].array.n, 2);
        if (cases[i].note)
            assert_string_equal(l.tensors.note, cases[i].note);
        else
            assert_null(l.tensors.note);
        es_loaded_close(&l);
    }
}

TEST(npz__stored_array__is_held_against_its_checksum) {
    double x[N * 3];
    es_buf *bytes = test_buf();
    es_npz npz = {.out = bytes};
    es_loaded l = {0};
    for (size_t i = 0; i < N * 3; i++)
        x[i] = (double)i;
    es_npz_put_doubles(&npz, "emb", x, N, 3);
    assert_ok(es_npz_end(&npz, NULL));
    for (size_t damaged = 0; damaged < 2; damaged++) {
        const char *path = write_file("s.npz", bytes->data, bytes->length);
        assert_ok(es_loaded_open(path, 0, NULL, &l, NULL));
        es_status st = es_npz_verify(&l.tensors.items[0], "s.npz", NULL, test_err());
        assert_int_equal(st, damaged ? ES_EFORMAT : ES_OK);
        if (damaged)
            assert_contains(test_message(), "s.npz: an array's checksum is wrong");
        es_loaded_close(&l);
        bytes->data[bytes->length / 2] ^= 4;
    }
}

/* ---- rows.csv ---- */

TEST(row_texts__id_column__is_the_one_that_is_called_so) {
    static const struct {
        const char *text, *id, *said;
    } cases[] = {
        {"id,text\na,A\nb,B\n", "b", "B"},
        {",id,text\n0,a,A\n1,b,B\n", "b", "B"},
        {"Unnamed: 0,text,doc_id\n0,A,a\n1,B,b\n", "b", "B"},
        {"text,id\nA,a\nB,b\n", "b", "B"},
        {"smiles,name\nA,a\nB,b\n", "B", "b"},
        {"text,label_id\nA,7\nB,7\n", "B", "7"}, /* tells no rows apart */
        {",text\n0,A\n1,B\n", "1", "B"},
        {"row,doc_id\n0,a\n1,b\n", "b", "b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_row_texts r = {0};
        assert_ok(es_row_texts_read(write_text("rows.csv", cases[i].text), 0, 2, &r, NULL));
        assert_string_equal(es_row_texts_id(&r, 1), cases[i].id);
        assert_string_equal(es_row_texts_text(&r, 1), cases[i].said);
        es_row_texts_deinit(&r);
    }
}
