/* Matrices as other programs write them as text: comments of np.savetxt, R's write.table, a column
 * of lists, word2vec's text under other endings. */
#include "io_test.h"

#include "io_readers.h"

TEST_GROUP(make_test_dir, remove_test_dir);

enum { N = 24, D = 4 };

static double value(size_t row, size_t j) {
    return (double)((row * 7 + j * 3) % 11) + 0.5;
}

/* `head`, a line a row, `tail`. In a line %1 is the row from 1, %2 its number in another order, %v
 * the values parted by `cut`, %l the same by a comma and a blank, %s by blanks and a line end. */
static const char *put(const char *file, const char *head, const char *line, char cut,
                       const char *tail) {
    es_buf *text = test_buf();
    es_buf_puts(text, head);
    for (size_t i = 0; i < N; i++) {
        for (const char *p = line; *p; p++) {
            if (*p != '%') {
                es_buf_putc(text, *p);
                continue;
            }
            p++;
            if (*p == '1' || *p == '2')
                es_buf_printf(text, "%zu", *p == '1' ? i + 1 : (i * 7 + 3) % N);
            for (size_t j = 0; j < D && (*p == 'v' || *p == 'l' || *p == 's'); j++) {
                const char between[] = {cut, '\0'};
                if (j > 0)
                    es_buf_puts(text, *p == 'v' ? between : *p == 'l' ? ", " : "\n ");
                es_buf_printf(text, "%.1f", value(i, j));
            }
        }
        es_buf_putc(text, '\n');
    }
    es_buf_puts(text, tail);
    const char *path = write_file(file, text->data, text->length);
    return path;
}

TEST(text__as_others_write_it__is_read) {
    static const struct {
        const char *file, *head, *line, *tail;
        const char *third; /* id of row 2; NULL: none */
        bool counted;
        bool looks; /* without being named in pool.json */
        size_t labels;
    } cases[] = {
        /* np.savetxt(header=, footer=) */
        {"a.txt", "# d0 d1 d2 d3\n", "%v", "", NULL, false, true, 0},
        {"a.txt", "# made by me\n# on a Monday\n", "%v", "# the end\n", NULL, false, true, 0},
        {"a.txt", "# 0 1 2 3\n", "%v", "", NULL, false, true, 0},
        {"a.txt", "d0 d1 d2 d3\n", "%v", "", NULL, false, true, 0}, /* comments="" */
        {"a.vec", "# d0 d1\n", "%v", "", NULL, false, true, 0},
        {"a.csv", "# d0,d1,d2,d3\n", "%v", "", NULL, false, true, 0},
        {"a.csv", "# a, note\n# d0,d1,d2,d3\n", "%v", "", NULL, false, true, 0},
        {"a.csv", "# a note\n", "%v", "", NULL, false, true, 0},
        {"a.csv", "# id,d0,d1,d2,d3\n", "u%2,%v", "", "u17", false, true, 0},
        {"a.tsv", "# 0\t1\t2\t3\n", "%v", "", NULL, false, true, 0},
        /* tokens that begin with '#' are no comments */
        {"a.txt", "", "#%2 %v", "", "#17", false, true, 0},
        {"a.vec", "24 4\n", "#%2 %v", "", "#17", false, true, 0},
        /* R's write.table, with and without row names and quotes */
        {"a.txt", "\"V1\" \"V2\" \"V3\" \"V4\"\n", "\"%1\" %v", "", "3", true, true, 0},
        {"a.txt", "\"V1\" \"V2\" \"V3\" \"V4\"\n", "\"gene %2\" %v", "", "gene 17", false, true, 0},
        {"a.txt", "\"V1\" \"V2\" \"V3\" \"V4\"\n", "%v", "", NULL, false, true, 0},
        {"a.txt", "V1 V2 V3 V4\n", "%1 %v", "", "3", true, true, 0},
        {"a.txt", "\"a b\" \"c\" \"d\" \"e\"\n", "\"g%2\" %v", "", "g17", false, false, 0},
        {"a.txt", "id d0 d1 d2 d3\n", "%2 %v", "", "17", false, true, 0},
        {"a.tsv", "\"V1\"\t\"V2\"\t\"V3\"\t\"V4\"\n", "\"g%2\"\t%v", "", "g17", false, true, 0},
        {"a.tsv", "V1\tV2\tV3\tV4\n", "%1\t%v", "", "3", true, true, 0},
        {"a.csv", "\"V1\",\"V2\",\"V3\",\"V4\"\n", "\"g,%2\",%v", "", "g,17", false, true, 0},
        /* word2vec's text under other endings */
        {"a.emb", "24 4\n", "w%2 %v", "", "w17", false, true, 0},
        {"a.emd", "24 4\n", "%2 %v", "", "17", false, true, 0},
        {"a.w2v", "", "w%2 %v", "", "w17", false, true, 0},
        /* pandas' index before ids under any heading */
        {"a.csv", ",accession,d0,d1,d2,d3\n", "%1,u%2,%v", "", "u17", false, true, 0},
        {"a.tsv", "index\tgene name\t0\t1\t2\t3\n", "%1\tu%2\t%v", "", "u17", false, true, 0},
        /* a column of lists */
        {"a.csv", ",text,embedding\n", "%1,\"x, %2\",\"[%l]\"", "", "3", true, true, 0},
        {"a.csv", "id,n,embedding\n", "u%2,5,\"[%s]\"", "", "u17", false, true, 0},
        {"a.csv", "id,embedding,label\n", "u%2,\"[%l]\",cat", "", "u17", false, true, 1},
        {"a.csv", "text;vec\n", "x %2;[%l]", "", NULL, false, true, 0},
        {"a.tsv", "text\tvector\n", "x %2\t[%l]", "", NULL, false, true, 0},
        {"a.csv", "class_id,embedding\n", "c,\"[%l]\"", "", NULL, false, true, 0},
        {"a.csv", "other,embedding\n", "\"[1, 2]\",\"[%l]\"", "", NULL, false, true, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        es_map map = {0};
        double x[N * D];
        char cut = strstr(cases[i].file, ".csv") ? ',' : strstr(cases[i].file, ".tsv") ? '\t' : ' ';
        const char *path = put(cases[i].file, cases[i].head, cases[i].line, cut, cases[i].tail);
        const es_loader *loader = es_loader_find(path);
        assert_ok(es_map_open(path, 0, &map, NULL));
        if (loader->looks && loader->looks(&map, path) != cases[i].looks)
            fail_msg("case %zu: looks %d", i, !cases[i].looks);
        es_map_close(&map);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        const es_tensor *t = &l.tensors.items[0];
        if (t->array.n != N || t->array.d != D || (t->ids != NULL) != (cases[i].third != NULL))
            fail_msg("case %zu: (%zu, %zu), ids %d", i, t->array.n, t->array.d, t->ids != NULL);
        if (t->ids) {
            assert_string_equal(es_row_ids_get(t->ids, 2, NULL), cases[i].third);
            assert_int_equal(t->ids->counted, cases[i].counted);
        }
        assert_int_equal(l.tensors.n_labels, cases[i].labels);
        es_array_read(&t->array, NULL, N, x);
        for (size_t k = 0; k < N * D; k++)
            assert_true(x[k] == value(k / D, k % D));
        es_loaded_close(&l);
    }
}

TEST(text__that_is_no_matrix__is_refused) {
    static const struct {
        const char *file, *text, *words;
    } cases[] = {
        {"b.csv", "id,embedding\na,\"[1, 2]\"\nb,\"[1, 2, 3]\"\n",
         "b.csv: line 3, column 2: a list of 3 numbers, as the first has 2"},
        {"b.csv", "id,embedding\na,\"[1, 2]\"\nb,\"[1, ..., 3]\"\n",
         "line 3, column 2: the list was cut short (\"...\")"},
        {"b.csv", "id,embedding\na,\"[1, 2]\"\nb,none\n", "no list of numbers"},
        {"b.csv", "a,b\n1,2,3\n1,2,3\n", "line 2: expected 2 cells, found 3"},
        {"b.jsonl", "{\"id\": 1, \"indices\": [3, 9], \"values\": [0.5, 1]}\n",
         "b.jsonl: is sparse"},
        {"b.jsonl", "{\"token_ids\": [3], \"weights\": [0.5]}\n", "b.jsonl: is sparse"},
        {"b.csv", "smiles,fp\nCC,0101010111010101\n", "line 2: a text of 16 bits"},
        {"b.csv", "CC,1101010111010101110101011101\n", "line 1: a text of 28 bits"},
        {"b.csv", "01010101110101010101010111010101\n", "line 1: a text of 32 bits"},
        {"b.txt", "CC 0101010111010101\nCO 0101010111010101\n", "line 1: a text of 16 bits"},
        {"b.txt", "some words here\nand a few more\n", "'a' is not a number"},
        {"b.emb", "some words here\nand a few more\n", "'a' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        es_status st =
            es_loaded_open(write_text(cases[i].file, cases[i].text), 0, NULL, &l, test_err());
        if (st == ES_OK || !strstr(test_message(), cases[i].words))
            fail_msg("case %zu: %s", i, st == ES_OK ? "it is read" : test_message());
    }
}

/* Those that are refused with their reason look like embedders, so that the reason is reported. */
TEST(text__bits_and_sparse_lines__are_noticed) {
    static const struct {
        const char *file, *text;
        bool looks;
    } cases[] = {
        {"s.jsonl", "{\"indices\": [3, 9], \"values\": [0.5, 1]}\n", true},
        {"s.jsonl", "{\"indices\": [3, 9], \"values\": [0.5, 1, 2]}\n", true}, /* dense */
        {"s.jsonl", "{\"indices\": [3, 9]}\n{\"a\": 1}\n", true},
        {"s.csv", "id,fp\na,0101010111010101\nb,0101010111010101\n", true},
        {"s.csv", "id,n\na,1000000000000000\nb,2\n", false},                     /* a number */
        {"s.csv", "0000000000000000,0.5,1,2\n0000000000000001,0.5,1,2\n", true}, /* an id */
        {"s.txt", "a 0101010111010101\nb 0101010111010101\n", true},
        {"s.txt", "a 1000000000000000\nb 2\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_map map = {0};
        const char *path = write_text(cases[i].file, cases[i].text);
        assert_ok(es_map_open(path, 0, &map, NULL));
        if (es_loader_find(path)->looks(&map, path) != cases[i].looks)
            fail_msg("case %zu: looks %d", i, !cases[i].looks);
        es_map_close(&map);
    }
}

/* Lines end in LF where there is one: a token may hold a CR. Without one they end in CR. */
TEST(text__carriage_returns__in_tokens_and_at_ends) {
    static const struct {
        const char *text;
        size_t n;
        const char *second;
    } cases[] = {
        {"a 0.5 1 2\nb\rc 0.5 1 2\n\rd 0.5 1 2\n", 3, "b\rc"},
        {"a 0.5 1 2\r\nb 0.5 1 2\r\n", 2, "b"},
        {"a 0.5 1 2\rb 0.5 1 2\r", 2, "b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_loaded l = {0};
        const char *path = write_text("r.txt", cases[i].text);
        if (es_loaded_open(path, 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("case %zu: %s", i, test_message());
        assert_int_equal(l.tensors.items[0].array.n, cases[i].n);
        assert_int_equal(l.tensors.items[0].array.d, 3);
        assert_string_equal(es_row_ids_get(l.tensors.items[0].ids, 1, NULL), cases[i].second);
        es_loaded_close(&l);
    }
}

/* A first list that cannot be read is refused with its reason, not taken for a file of texts. */
TEST(text__lists_that_cannot_be_read__are_noticed) {
    static const struct {
        const char *text;
        bool looks;
        const char *words;
    } cases[] = {
        {"id,embedding\na,\"[1 2 ... 3]\"\n", true, "was cut short (\"...\")"},
        {"id,embedding\na,\"[1, null]\"\n", true, "line 2, column 2: no list of numbers alone"},
        {"id,e\na,\"[np.float32(1), np.float32(2)]\"\n", true, "x.tolist()"},
        {"a,\"[1, 2]\"\nb,\"[1, 2]\"\n", true, "line 1: a list of numbers where headings"},
        {"id,text\na,\"[see page 2]\"\n", false, NULL},
        {"id,text\na,(2 or 3)\n", false, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_map map = {0};
        es_loaded l = {0};
        const char *path = write_text("c.csv", cases[i].text);
        assert_ok(es_map_open(path, 0, &map, NULL));
        if (es_loader_find(path)->looks(&map, path) != cases[i].looks)
            fail_msg("case %zu: looks %d", i, !cases[i].looks);
        es_map_close(&map);
        if (cases[i].words)
            assert_error(es_loaded_open(path, 0, NULL, &l, test_err()), ES_EFORMAT, cases[i].words);
    }
}

/* As Python, NumPy, PyTorch and Postgres print a vector. */
TEST(text__lists_in_any_brackets__are_read) {
    static const char *const lists[] = {"[1, 2]",
                                        "[1 2]",
                                        "(1, 2)",
                                        "{1,2}",
                                        "[[1, 2]]",
                                        "tensor([1., 2.])",
                                        "array([1, 2])",
                                        "Vector([1, 2])",
                                        " [1., 2.] ",
                                        "array([1., 2.], dtype=float32)",
                                        "tensor([[1., 2.]], device='cuda:0')"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        es_loaded l = {0};
        double x[2];
        es_buf *text = test_buf();
        es_buf_printf(text, "id,embedding\na,\"%s\"\n", lists[i]);
        if (es_loaded_open(write_text("c.csv", text->data), 0, NULL, &l, test_err()) != ES_OK)
            fail_msg("%s: %s", lists[i], test_message());
        assert_int_equal(l.tensors.items[0].array.d, 2);
        es_array_read(&l.tensors.items[0].array, NULL, 1, x);
        assert_true(x[0] == 1 && x[1] == 2);
        es_loaded_close(&l);
    }
}
