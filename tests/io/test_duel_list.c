/* duels.csv: lines are added and taken back, and what others have in it stays. */
#include <unistd.h>

#include "testing.h"
#include "io.h"

static char path[64];

static int make_path(void **state) {
    strcpy(path, "/tmp/es_duels_XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0 || unlink(path) != 0 ? -1 : 0;
}

static int remove_path(void **state) {
    (void)unlink(path);
    return 0;
}

TEST_EACH(make_path, remove_path);

static void check_text(const char *expected) {
    char text[512] = "";
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(text, expected);
}

static void write_it(const char *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

static char noon[] = "2026-01-02T12:00:00Z", none[] = "";

static void edit(uint32_t row, es_duel_choice answer, bool remove) {
    const es_duel_line line = {
        .row = row, .left = 8, .right = 9, .answer = answer, .time = noon, .annotator = none};
    assert_ok(es_duel_list_edit(path, &line, remove, NULL));
}

TEST(duels__edit__adds_and_takes_back) {
    edit(1, ES_DUEL_LEFT, false);
    edit(2, ES_DUEL_EQUAL, false);
    edit(1, ES_DUEL_LEFT, false);
    check_text("row,left,right,answer,time\n1,8,9,left,2026-01-02T12:00:00Z\n"
               "2,8,9,=,2026-01-02T12:00:00Z\n1,8,9,left,2026-01-02T12:00:00Z\n");
    edit(1, ES_DUEL_LEFT, true); /* the last like it */
    edit(5, ES_DUEL_LEFT, true); /* there is none: nothing goes */
    check_text("row,left,right,answer,time\n1,8,9,left,2026-01-02T12:00:00Z\n"
               "2,8,9,=,2026-01-02T12:00:00Z\n");
    es_duel_list list = {0};
    assert_ok(es_duel_list_read(path, 0, 10, &list, NULL));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.item[1].answer, ES_DUEL_EQUAL);
    assert_string_equal(list.item[0].time, noon);
    assert_int_equal(list.item[1].line, 3);
    es_duel_list_deinit(&list);
}

/* Other columns, orders and spellings stay as they are. */
TEST(duels__edit__keeps_what_others_wrote) {
    write_it("annotator,Answer,row,left,right,note\nana,H,3,8,9,\"a, b\"\n");
    edit(4, ES_DUEL_RIGHT, false);
    check_text("annotator,Answer,row,left,right,note\nana,H,3,8,9,\"a, b\"\n,right,4,8,9,\n");
    edit(3, ES_DUEL_LEFT, true);
    check_text("annotator,Answer,row,left,right,note\n,right,4,8,9,\n");
}

TEST(duels__edit__leaves_a_broken_file) {
    const es_duel_line line = {
        .row = 1, .left = 8, .right = 9, .answer = ES_DUEL_LEFT, .time = noon, .annotator = none};
    write_it("what,ever\n1,2\n");
    assert_error(es_duel_list_edit(path, &line, false, test_err()), ES_EFORMAT,
                 "line 1: no column \"row\"");
    check_text("what,ever\n1,2\n");
}

TEST(duels__append__moves_lines) {
    es_duel_list a = {0}, b = {0};
    edit(1, ES_DUEL_LEFT, false);
    assert_ok(es_duel_list_read(path, 0, 10, &a, NULL));
    assert_ok(es_duel_list_read(path, 0, 10, &b, NULL));
    assert_ok(es_duel_list_append(&a, &b, NULL));
    assert_int_equal(a.count, 2);
    assert_int_equal(b.count, 0);
    es_duel_list_deinit(&a);
    es_duel_list_deinit(&b);
}
