/* Columns of labels in files of embedders become labels of the pool. */
#include "rooted.h"

#include "settled_pool.h"

enum { N = 24 };

/* A row has class "a", or "b" from the middle on, except `wrong` rows; rows are turned by `turn`.
 */
static void put(const char *name, size_t turn, size_t wrong, bool labels) {
    es_buf *text = test_buf();
    es_buf_printf(text, "id,d0,d1,d2%s\n", labels ? ",Label,split" : "");
    for (size_t k = 0; k < N; k++) {
        size_t row = (k + turn) % N;
        bool b = (row >= N / 2) != (row < wrong);
        es_buf_printf(text, "r%zu,%zu.5,%zu,%d", row, row, row * row % 7, name[1]);
        if (labels)
            es_buf_printf(text, ",%s,%s", b ? "b" : "a", row % 3 ? "train" : "test");
        es_buf_putc(text, '\n');
    }
    support_write(root, name, text->data, text->length);
}

TEST(labels__in_files_of_embedders__are_those_of_the_pool) {
    static const struct {
        bool first, file; /* has the first embedder labels; is there a labels.csv */
        size_t wrong;
        size_t tasks;
        const char *from, *said;
    } cases[] = {
        {true, false, 0, 2, "e0.csv", "\"Label\", \"split\" hold labels of the rows"},
        {false, false, 0, 2, "e1.csv", "e1.csv: \"Label\", \"split\" hold labels"},
        {true, true, 0, 1, "labels.csv", "measures use those of labels.csv instead"},
        {true, false, 3, 2, "e0.csv",
         "e1.csv: its \"Label\" differs from that of e0.csv in 3 of 24"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        es_labels labels = {0};
        const char *from = NULL;
        put("e0.csv", 0, 0, cases[c].first);
        put("e1.csv", 5, cases[c].wrong, true);
        if (cases[c].file)
            support_write_text(root, "labels.csv", "row,own\n0,x\n1,y\n");
        es_pool *pool = settled_pool(root, NULL);
        assert_ok(es_pool_labels(pool, ES_LABELS_AUTO, &labels, &from, NULL));
        assert_string_equal(from, cases[c].from);
        assert_int_equal(labels.tasks, cases[c].tasks);
        assert_int_equal(es_pool_model(pool, 0)->dim, 3);
        assert_int_equal(es_pool_model(pool, 1)->dim, 3);
        if (!is_said(pool, cases[c].said))
            fail_msg("case %zu: %s", c, es_pool_warning(pool, 0));
        for (size_t row = 0; labels.tasks == 2 && row < N; row++)
            assert_true(labels.task[0].value[row] == (double)(row >= N / 2));
        es_labels_deinit(&labels);
        test_drop(pool);
        support_remove(root);
        assert_int_equal(mkdir(root, 0700), 0);
    }
}
