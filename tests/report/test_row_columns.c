/* Columns about rows: their kind, their values with counts, numbers and what is missing. */
#include "testing.h"
#include "base.h"
#include "report.h"

static void check_column(const char *csv, es_row_column_kind kind, size_t rows, size_t missing,
                         size_t distinct, const char *put) {
    es_table table = {0};
    es_row_column column = {0};
    es_buf *text = test_buf();
    assert_ok(es_table_parse(csv, strlen(csv), "labels.csv", &table, NULL));
    assert_ok(es_row_column_new(&table, 1, 0, &column, NULL));
    es_row_column_put(&column, 2, text);
    assert_int_equal(column.kind, kind);
    assert_int_equal(column.rows, rows);
    assert_int_equal(column.missing, missing);
    assert_int_equal(column.distinct, distinct);
    assert_string_equal(text->data ? text->data : "", put);
    es_row_column_deinit(&column);
    es_table_deinit(&table);
}

TEST(column__each_kind__is_described) {
    check_column("k,x\nb,1\na,1\nb,1\n,1\nNaN,1\nc,1\nb,1\n", ES_ROW_COLUMN_LABEL, 5, 2, 3,
                 "b 3, a 1 and 1 more");
    check_column("k,x\n1,1\n0,1\n1,1\n", ES_ROW_COLUMN_LABEL, 3, 0, 2, "1 2, 0 1");
    check_column("k,x\n3,1\n-0.5,1\n2,1\n1e3,1\n", ES_ROW_COLUMN_NUMBER, 4, 0, 4,
                 "-0.5 to 1000, median 2.5");
    check_column("k,x\none sentence,1\nanother that is very much longer,1\nc,1\n",
                 ES_ROW_COLUMN_TEXT, 3, 0, 3, "another that is very muc…, c and 1 more");
    check_column("k,x\n,1\nnan,1\n", ES_ROW_COLUMN_EMPTY, 0, 2, 0, "");
}
