/* `embedscope report`: one page with the numbers of the other commands, that needs nothing else. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static void make_unseen(void) {
    static const double noise[] = {0.2, 0.5, 1, 2, 4};
    char name[16];
    for (size_t i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, i == 2 ? "<b>&%zu" : "m%zu", i);
        add_model("pool", name, 400, 6, 3 + i, noise[i]);
    }
    add_model("pool", "short", 200, 6, 9, 1); /* excluded */
    write_text("pool/scores.csv", "model,one,two\nm0,5,9\nm1,4,7\n<b>&2,3,8\nm3,2,2\nm4,1,1\n");
}

static void make_scored(void) {
    make_unseen();
    RUN_OK("estimate", "pool", "-q");
}

static void require_in(const char *page, const char *what) {
    if (strstr(page, what) == NULL)
        fail_msg("the page has no \"%s\"", what);
}

/* Nothing is loaded from anywhere, nothing runs. */
static void require_alone(const char *page) {
    static const char *const forbidden[] = {"<script",     "<link",    "@import", "src=\"http",
                                            "href=\"http", "url(http", "<iframe", "onload="};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        if (strstr(page, forbidden[i]) != NULL)
            fail_msg("the page has \"%s\"", forbidden[i]);
}

/* Every id once, and no reference without its id. */
static void require_own_names(const char *page) {
    for (const char *at = page; (at = strstr(at, " id=\"")) != NULL; at += 5) {
        char whole[80];
        size_t length = strcspn(at + 5, "\"");
        (void)snprintf(whole, sizeof whole, " id=\"%.*s\"", (int)length, at + 5);
        if (strstr(at + 5, whole) != NULL)
            fail_msg("%s twice", whole);
    }
    for (const char *at = page; (at = strstr(at, "url(#")) != NULL; at += 5) {
        char whole[80];
        (void)snprintf(whole, sizeof whole, " id=\"%.*s\"", (int)strcspn(at + 5, ")"), at + 5);
        require_in(page, whole);
    }
}

TEST(report__page__has_the_numbers_of_rank) {
    static const char *const order[] = {"class=\"lead\"",  "id=\"ranking\"",    "id=\"matrix\"",
                                        "id=\"families\"", "id=\"downstream\"", "id=\"first\"",
                                        "id=\"excluded\"", "id=\"method\"",     "id=\"provenance\"",
                                        "</html>"};
    make_scored();
    run_result r = RUN_OK("report", "pool", "-o", "page.html", "-q");
    char *page = slurp("page.html");
    assert_true(strlen(page) < 500000);
    const char *at = page;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *next = strstr(at, order[i]);
        if (next == NULL)
            fail_msg("\"%s\" is missing or out of order", order[i]);
        at = next;
    }
    require_alone(page);
    require_own_names(page);
    require_in(page, "short");
    require_in(page, "&lt;b&gt;&amp;2");
    assert_lacks(page, "<b>&2");
    require_in(page, "@inproceedings{darrin2024embedding");
    require_in(page, "<th scope=\"col\"");
    require_in(page, "<th scope=\"row\"");
    require_in(page, "embedscope estimate pool");
    r = RUN_OK("rank", "pool", "--json", "-q");
    es_json_value root = parse_json(r.out), line = member(&root, "bottom_line", ES_JSON_OBJECT),
                  ranking = member(&root, "ranking", ES_JSON_ARRAY), row = es_json_first(&ranking);
    static const char *const fields[] = {"score", "ci_low", "ci_high", "published"};
    for (size_t i = 0; i < es_json_count(&ranking); i++, row = es_json_next(&row))
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            es_buf *cell = test_buf();
            es_buf_puts(cell, "data-value=\"");
            es_buf_put_double(cell, number_of(&row, fields[f]));
            es_buf_puts(cell, "\"");
            require_in(page, cell->data);
        }
    char lead[32] = "";
    (void)snprintf(lead, sizeof lead, "%.20s", text_of(&line, "sentence"));
    require_in(page, lead);
}

/* A way to sum up that is the published score's: the sentence, the table and the rest are of it.
 * And what is said to make the page again does, where nothing better was estimated. */
TEST(report__aggregate__is_of_all_parts) {
    static const char *const same_again[] = {
        "<pre>embedscope estimate pool --estimator linear --preset shrunk\n",
        "\nembedscope estimate pool --estimator linear\n",
        "\nembedscope report pool --aggregate q75 -o report.html\n</pre>"};
    make_unseen();
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    run_result r = RUN_OK("report", "pool", "--aggregate", "q75", "-q");
    es_json_value root = RUN_JSON("rank", "pool", "--aggregate", "q75", "--json", "-q"),
                  rows = member(&root, "ranking", ES_JSON_ARRAY), row = es_json_first(&rows);
    for (size_t i = 0; i < es_json_count(&rows); i++, row = es_json_next(&row)) {
        es_buf *cell = test_buf();
        es_buf_puts(cell, "data-value=\"");
        es_buf_put_double(cell, number_of(&row, "score"));
        require_in(r.out, cell->data);
    }
    require_in(r.out, "score: published, linear default, q75 over targets");
    assert_lacks(r.out, "score: predictive");
    for (size_t i = 0; i < 3; i++)
        require_in(r.out, same_again[i]);
    RUN_OK("export", "pool", "matrix", "-o", "m.csv", "-q");
    char *meta = slurp("m.csv.meta.json");
    require_in(meta, "export pool matrix --estimator linear --output m.csv");
}

TEST(report__twice__is_the_same_bytes) {
    make_scored();
    run_result a = RUN("report", "pool", "-q"), b = RUN("report", "pool", "-q");
    expect_code(&a, 0);
    assert_string_equal(a.out, b.out);
}

/* What is from `from` up to `to`; free it. */
static char *part_of(const char *page, const char *from, const char *to) {
    const char *begin = strstr(page, from), *end = begin ? strstr(begin, to) : NULL;
    if (end == NULL)
        fail_msg("the page has no \"%s\" before \"%s\"", from, to);
    es_buf part = {0};
    es_buf_add(&part, begin, (size_t)(end - begin));
    return part.data;
}

/* What is derived has values by one estimator alone, and is no member unless it is asked for: all
 * pictures stay those of the others, by the estimator that they had. */
TEST(report__derived__is_in_all_parts_or_none) {
    static const char *const part[] = {"id=\"matrix\"", "id=\"families\"", "id=\"downstream\""};
    make_scored();
    RUN_OK("derive", "pool", "m0", "--whiten", "--name", "white", "-q");
    run_result r = RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    for (size_t with = 0; with < 2; with++) {
        r = with ? RUN("report", "pool", "-q", "--with-derived") : RUN("report", "pool", "-q");
        expect_code(&r, 0);
        for (size_t i = 0; i + 1 < sizeof part / sizeof *part; i++) {
            char *text = part_of(r.out, part[i], part[i + 1]);
            assert_int_equal(strstr(text, ">~white<") != NULL, with);
            assert_int_equal(strstr(text, "white.<") == NULL, with);
            require_in(text, with ? "Estimator linear (default)" : "Estimator knife (default)");
            es_free(text);
        }
    }
}

TEST(report__what_cannot_be__is_said) {
    make_scored();
    expect_error(RUN("report", "pool", "--json"), 2, "HTML");
    expect_error(RUN("report"), 2, "pool");
    static const char *const others[] = {"r.md", "r.csv", "r.JSON", "r.tex", "r.txt"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        expect_error(RUN("report", "pool", "-o", others[k]), 2, "name it .html");
        assert_int_equal(access(others[k], F_OK), -1);
    }
    RUN_OK("report", "pool", "-q", "-o", "v1.2");
    assert_int_equal(system("rm -rf pool/.embedscope"), 0);
    expect_error(RUN("report", "pool"), 4, "estimate");
}
