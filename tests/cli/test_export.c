/* `embedscope export`: every view in every format, what stands beside it, and what is refused. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static const char matrix[] = "source,alpha_1,\"beta, b\",gamma|x,delta,epsilon\n"
                             "alpha_1,1.5,0.25,-0.125,0.5,0.3\n"
                             "\"beta, b\",0.75,2,0.1,,0.4\n"
                             "gamma|x,0,0.3,1.25,0.625,0.2\n"
                             "delta,0.2,0.4,0.6,3,0.1\n"
                             "epsilon,0.3,0.35,0.2,0.15,1\n";
static const char scores[] = "model,t1,t2\nalpha_1,1,4\n\"beta, b\",2,3\ngamma|x,3,1\ndelta,4,\n"
                             "epsilon,2,2\n";

static void write_matrix(void) {
    write_text("m.csv", matrix);
    write_text("s.csv", scores);
}

static bool is_picture_of(const char *format, const char *bytes) {
    return strcmp(format, "svg") == 0   ? strncmp(bytes, "<?xml", 5) == 0
           : strcmp(format, "pdf") == 0 ? strncmp(bytes, "%PDF-", 5) == 0
                                        : memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

/* Its document, and the JSON beside it. */
static void check_files(const char *path, const char *format, const char *view) {
    char meta[PATH_ROOM];
    char *document = slurp(path);
    assert_non_null(document);
    assert_true(strlen(document) > 4);
    if (strcmp(format, "svg") == 0 || strcmp(format, "pdf") == 0 || strcmp(format, "png") == 0)
        assert_true(is_picture_of(format, document));
    (void)snprintf(meta, sizeof meta, "%s.meta.json", path);
    char *beside = slurp(meta);
    assert_non_null(beside);
    check_json_tool(beside);
    es_json_value root = parse_json(beside), first = es_json_first(&root);
    assert_string_equal(es_json_key_of(&first), "embedscope");
    assert_string_equal(text_of(&root, "$schema"), "urn:embedscope:schema:meta:1");
    (void)member(&root, "provenance", ES_JSON_OBJECT);
    assert_string_equal(text_of(&root, "view"), view);
    assert_string_equal(text_of(&root, "format"), format);
    (void)member(&root, "filters", ES_JSON_OBJECT);
    (void)member(&root, "hidden", ES_JSON_ARRAY);
    (void)member(&root, "excluded", ES_JSON_ARRAY);
}

TEST(export__every_view_and_format__is_written) {
    static const char *const views[] = {"ranking", "matrix", "tree", "correlation", "compare"};
    static const char *const formats[] = {"csv", "json", "md", "tex", "svg", "pdf", "png"};
    write_matrix();
    for (size_t v = 0; v < 5; v++)
        for (size_t f = 0; f < 7; f++) {
            char path[64];
            bool compare = strcmp(views[v], "compare") == 0;
            bool refused = strcmp(views[v], "tree") == 0 && (f == 2 || f == 3);
            (void)snprintf(path, sizeof path, "%s.%s", views[v], formats[f]);
            run_result r = run_list((const char *const[]){
                "export", "--matrix", "m.csv", views[v], "--scores", "s.csv", "-q", "-o", path,
                compare ? "--models" : NULL, "alpha_1,delta", NULL});
            expect_code(&r, refused ? 2 : 0);
            if (refused)
                assert_int_equal(access(path, F_OK), -1);
            else
                check_files(path, formats[f], views[v]);
        }
}

/* The same pictures behind other options. */
TEST(export__other_pictures__are_written) {
    static const char *const lines[][5] = {{"ranking", "--curve"},
                                           {"tree", "--method", "ward"},
                                           {"tree", "--method", "median", "--of", "targets"},
                                           {"correlation", "--tasks"},
                                           {"correlation", "--task", "t1"},
                                           {"matrix", "--value", "asymmetry"},
                                           {"matrix", "--order", "rank"}};
    write_matrix();
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const char *words[16] = {"export", "--matrix", "m.csv", "--scores",
                                 "s.csv",  "-q",       "-o",    "x.svg"};
        size_t n = 8;
        for (size_t i = 0; i < 5 && lines[k][i]; i++)
            words[n++] = lines[k][i];
        run_result r = run_list(words);
        if (strcmp(lines[k][0], "ranking") != 0 ||
            r.code != 2) /* below: the curve wants --against */
            expect_code(&r, 0);
        check_files("x.svg", "svg", lines[k][0]);
        assert_int_equal(unlink("x.svg"), 0);
    }
}

/* What a command prints and what export writes are the same bytes. */
TEST(export__data__equals_the_commands) {
    static const char *const pairs[][2] = {
        {"ranking", "rank"}, {"matrix", "matrix"}, {"tree", "tree"}, {"correlation", "correlate"}};
    write_matrix();
    for (size_t k = 0; k < 4; k++)
        for (int json = 0; json < 2; json++) {
            const char *format = json ? "json" : "csv";
            run_result a = RUN("export", pairs[k][0], "--matrix", "m.csv", "--scores", "s.csv",
                               "--format", format, "-q");
            run_result b = RUN(pairs[k][1], "--matrix", "m.csv", "--scores", "s.csv", "--format",
                               format, "-q");
            expect_code(&a, 0);
            expect_code(&b, 0);
            assert_string_equal(a.out, b.out);
        }
}

/* A pair a line: the square matrix's own numbers, missing ones as such, and the file's command. */
TEST(export__pairs__are_the_matrix) {
    write_matrix();
    run_result r = RUN_OK("matrix", "--matrix", "m.csv", "--long", "-q");
    assert_int_equal(strncmp(r.out,
                             "source,target,is,se,n,estimator\n"
                             "alpha_1,alpha_1,1.5,,,\nalpha_1,\"beta, b\",0.25,,,\n",
                             71),
                     0);
    assert_contains(r.out, "\n\"beta, b\",delta,,,,\n");
    RUN_OK("export", "--matrix", "m.csv", "matrix", "--hide", "epsilon", "-q", "-o", "x.jsonl");
    check_files("x.jsonl", "jsonl", "matrix");
    char *text = slurp("x.jsonl"), *rest = text;
    size_t lines = 0;
    for (char *end; (end = strchr(rest, '\n')) != NULL; rest = end + 1, lines++) {
        *end = '\0';
        (void)parse_json(rest);
        if (lines == 0)
            assert_string_equal(rest, "{\"source\":\"alpha_1\",\"target\":\"alpha_1\",\"is\":1.5,"
                                      "\"se\":null,\"n\":null,\"estimator\":null}");
    }
    assert_int_equal(lines, 16);
    assert_string_equal(rest, "");
}

/* Python reads it: checksums, headers, values and names; NumPy too, where there is one. */
TEST(export__npz__is_read_elsewhere) {
    write_matrix();
    RUN_OK("matrix", "--matrix", "m.csv", "-q", "-o", "m.npz");
    write_text("read.py",
               "import struct, zipfile\n"
               "z = zipfile.ZipFile('m.npz')\n"
               "assert z.testzip() is None and z.namelist() == ['is.npy', 'se.npy', 'names.npy']\n"
               "def array(name):\n"
               "    data = z.read(name + '.npy')\n"
               "    assert data[:8] == b'\\x93NUMPY\\x01\\x00'\n"
               "    n = 10 + struct.unpack('<H', data[8:10])[0]\n"
               "    return eval(data[10:n]), data[n:]\n"
               "about, data = array('is')\n"
               "assert about == {'descr': '<f8', 'fortran_order': False, 'shape': (5, 5)}, about\n"
               "values = struct.unpack('<25d', data)\n"
               "assert values[:3] == (1.5, 0.25, -0.125) and values[8] != values[8]\n"
               "about, data = array('names')\n"
               "assert about['descr'] == '<U7' and about['shape'] == (5,), about\n"
               "names = data.decode('utf-32-le')\n"
               "assert [names[i:i + 7].rstrip('\\0') for i in range(0, 35, 7)] == \\\n"
               "    ['alpha_1', 'beta, b', 'gamma|x', 'delta', 'epsilon'], names\n"
               "try:\n"
               "    import numpy\n"
               "except ImportError:\n"
               "    raise SystemExit\n"
               "m = numpy.load('m.npz')\n"
               "assert m['is'].tolist()[2] == [0, 0.3, 1.25, 0.625, 0.2]\n"
               "assert numpy.isnan(m['se']).all() and m['names'][1] == 'beta, b'\n");
    assert_int_equal(system("python3 read.py"), 0);
}

TEST(export__pairs__what_does_not_go) {
    static const char *const lines[][6] = {
        {"matrix", "--long", "--format", "md", "--long goes with csv and jsonl, not with md"},
        {"matrix", "--long", "--value", "se", "--long holds is and se"},
        {"rank", "--format", "jsonl", "-q", "use 'embedscope matrix POOL --format jsonl'"},
        {"rank", "--csv-safe", "--format", "md", "--csv-safe goes with csv, not with md"},
    };
    write_matrix();
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        run_result r =
            RUN_CODE(2, lines[k][0], "--matrix", "m.csv", lines[k][1], lines[k][2], lines[k][3]);
        assert_contains(r.err, lines[k][4]);
    }
    run_result r =
        RUN_CODE(2, "export", "--matrix", "m.csv", "ranking", "--format", "npz", "-o", "x");
    assert_contains(r.err, "npz goes with the view matrix");
}

/* Names that a spreadsheet would run, in every table. */
TEST(export__csv_safe__of_every_table) {
    static const char *const commands[] = {"matrix", "rank", "tree"};
    write_text("m.csv", "source,=1+1,-b,@c\n=1+1,1,2,-3\n-b,2,1,\n@c,1,1,1\n");
    for (size_t k = 0; k < 3; k++) {
        run_result r = RUN_OK(commands[k], "--matrix", "m.csv", "--csv", "--csv-safe", "-q");
        assert_contains(r.out, "'=1+1");
        assert_lacks(r.out, ",=1+1");
        assert_lacks(r.out, "\n=1+1");
        assert_lacks(r.out, "\n-b");
    }
    run_result r = RUN("matrix", "--matrix", "m.csv", "--csv", "--csv-safe", "-q");
    assert_string_equal(r.out, "source,'=1+1,'-b,'@c\n'=1+1,1,2,-3\n'-b,2,1,\n'@c,1,1,1\n");
}

/* In tex all that show as the best are bold, every table is as wide as the line at most. */
TEST(export__tex__ties_and_width) {
    write_text("m.csv", "source,a,b,c\na,1,0.5001,0\nb,0.7,1,0.0001\nc,0.2,0.4999,1\n");
    run_result r = RUN_OK("export", "--matrix", "m.csv", "matrix", "--format", "tex", "-q");
    size_t bold = 0, tables = 0;
    for (const char *at = r.out; (at = strstr(at, "\\textbf{500}")) != NULL; at++)
        bold++;
    assert_int_equal(bold, 2);
    assert_lacks(r.out, "\\textbf{000}");
    for (const char *at = r.out; (at = strstr(at, "\\sbox0{%\n\\begin{tabular}")) != NULL; at++)
        tables++;
    assert_int_equal(tables, 1);
    assert_contains(r.out, "\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n");
    assert_contains(r.out, "\\usepackage{booktabs,graphicx}");
}

/* Viewers list a pdf by its title: ours, or what it shows. */
TEST(export__pdf__has_a_title) {
    write_matrix();
    if (system("command -v pdfinfo >/dev/null") != 0)
        skip();
    RUN_OK("export", "--matrix", "m.csv", "ranking", "-q", "-o", "a.pdf");
    RUN_OK("export", "--matrix", "m.csv", "tree", "-q", "-o", "b.pdf", "--title", "Über uns");
    assert_int_equal(system("pdfinfo a.pdf | grep -q '^Title: *ranking, m.csv$'"), 0);
    assert_int_equal(system("pdfinfo b.pdf | grep -q '^Title: *Über uns$'"), 0);
}

/* The command in the file beside a picture makes the same picture and the same file again. */
TEST(export__command_of_meta__reproduces) {
    char line[2 * PATH_ROOM];
    estimate_pool();
    RUN_OK("export", "pool", "ranking", "-o", "it's.pdf", "--hide", "c", "--title", "A $title",
           "--width", "9cm", "-q");
    char *beside = slurp("it's.pdf.meta.json");
    es_json_value root = parse_json(beside), hidden = member(&root, "hidden", ES_JSON_ARRAY);
    assert_int_equal(es_json_count(&hidden), 1);
    assert_int_equal(system("mv \"it's.pdf\" first.pdf && mv \"it's.pdf.meta.json\" first.json"),
                     0);
    const char *command = text_of(&root, "command");
    assert_int_equal(strncmp(command, "embedscope ", 11), 0);
    (void)snprintf(line, sizeof line, "%s %s 2>/dev/null", ES_PROGRAM, command + 11);
    assert_int_equal(system(line), 0);
    assert_int_equal(system("cmp first.pdf \"it's.pdf\" && cmp first.json \"it's.pdf.meta.json\""),
                     0);
}

static run_result export_with(const char *const *view, const char *hidden) {
    const char *words[16] = {"export", "pool"};
    size_t n = 2;
    while (*view)
        words[n++] = *view++;
    if (hidden) {
        words[n++] = "--hide";
        words[n++] = hidden;
    }
    words[n++] = "-q";
    return run_list(words);
}

/* Who is hidden stands in no format of any view, or the view says that it is over all. */
TEST(export__hide__holds_in_every_view) {
    static const char *const written[][8] = {
        {"matrix", "--measure", "cka", "--format", "csv", NULL},
        {"matrix", "--measure", "cka", "--format", "json", NULL},
        {"matrix", "--measure", "cka", "--format", "md", NULL},
        {"matrices", "--measure", "cka,rsa", "--format", "csv", NULL},
        {"matrices", "--measure", "cka,rsa", "--format", "json", NULL},
        {"ranking", "--score", "effective-rank", "--format", "csv", NULL},
        {"ranking", "--score", "effective-rank", "--format", "json", NULL},
        {"correlation", "--format", "json", NULL},
        {"tree", "--format", "json", NULL},
        {"compare", "--models", "a,b", "--format", "json", NULL}};
    static const char *const refused[][8] = {
        {"agreement", "--format", "md", NULL},
        {"panels", "--format", "json", NULL},
        {"ranking", "--coverage", "0.5", "--format", "md", NULL}};
    estimate_pool();
    write_text("pool/scores.csv", "model,t\na,1\nb,3\nc,2\nd10,4\n");
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        run_result r = export_with(written[i], NULL);
        expect_code(&r, 0);
        if (!strstr(r.out, "d10"))
            fail_msg("%s %s: d10 is not written", written[i][0], written[i][1]);
        r = export_with(written[i], "c");
        expect_code(&r, 0);
        const char *digests = strstr(r.out, "\"blas_core\""); /* behind them: of who took part */
        const char *out = digests ? digests : r.out;
        if (strcmp(written[i][0], "correlation") == 0) /* coefficients are over all, and say so */
            out = strstr(out, "\"models\": [");
        if (strstr(out, "\"c\"") || strstr(out, "\nc,") || strstr(out, ",c\n") ||
            strstr(out, "| c "))
            fail_msg("%s %s: hidden, and written: %.900s", written[i][0], written[i][2], out);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        expect_error(export_with(refused[i], "c"), 2, "these numbers are over all embedders");
}

/* --hide leaves out a row, not its vote. */
TEST(export__hide__changes_no_number) {
    write_matrix();
    run_result all = RUN("export", "ranking", "--matrix", "m.csv", "--format", "csv");
    run_result some =
        RUN("export", "ranking", "--matrix", "m.csv", "--format", "csv", "--hide", "d*,gamma|x");
    expect_code(&all, 0);
    expect_code(&some, 0);
    assert_contains(all.out, "delta");
    assert_lacks(some.out, "delta");
    assert_lacks(some.out, "gamma");
    for (char *line = strtok(some.out, "\n"); line; line = strtok(NULL, "\n"))
        assert_contains(all.out, line);
    run_result md = RUN_OK("export", "matrix", "--matrix", "m.csv", "--format", "md", "--show",
                           "alpha_1,delta");
    assert_contains(md.out, "3 more not shown: beta, b, gamma\\|x, epsilon.");
    assert_lacks(md.out, "| epsilon");
}

/* Communities stay those of all embedders; who is hidden is named nowhere as one that is written.
 */
TEST(export__tree_json__leaves_out_the_hidden) {
    write_matrix();
    run_result all = RUN("export", "tree", "--matrix", "m.csv", "--format", "json");
    run_result some = RUN("export", "tree", "--matrix", "m.csv", "--format", "json", "--hide", "d*",
                          "--hide", "epsilon");
    es_json_value root[] = {parse_json(all.out), parse_json(some.out)};
    static const char *const lists[] = {"order", "models"};
    for (size_t i = 0; i < 2; i++) {
        es_json_value before = member(&root[0], lists[i], ES_JSON_ARRAY),
                      after = member(&root[1], lists[i], ES_JSON_ARRAY);
        assert_int_equal(es_json_count(&after) + 2, es_json_count(&before));
    }
    assert_true(number_of(&root[0], "modularity") == number_of(&root[1], "modularity"));
    es_json_value communities = member(&root[1], "communities", ES_JSON_ARRAY);
    for (es_json_value c = es_json_first(&communities); c.node; c = es_json_next(&c)) {
        es_json_value members = member(&c, "members", ES_JSON_ARRAY);
        assert_true(es_json_count(&members) > 0);
        for (es_json_value name = es_json_first(&members); name.node; name = es_json_next(&name)) {
            const char *text = NULL;
            assert_ok(es_json_as_text(&name, &text, NULL));
            assert_string_not_equal(text, "delta");
            assert_string_not_equal(text, "epsilon");
        }
    }
}

TEST(export__usage__is_refused) {
    write_matrix();
    assert_int_equal(mkdir("empty", 0700), 0);
    RUN_OK("export", "ranking", "--matrix", "m.csv", "--format", "csv", "-o", "/dev/null",
           "-q"); /* and nothing beside a device */
    assert_int_equal(access("/dev/null.meta.json", F_OK), -1);
    expect_error(RUN("export"), 2, "which pool?");
    expect_error(RUN("export", "empty"), 2, "which view?|ranking");
    expect_error(RUN("export", "--matrix", "m.csv"), 2, "which view?");
    expect_error(RUN("export", "rnking", "--matrix", "m.csv", "--format", "csv"), 2,
                 "'rnking'|did you mean 'ranking'?");
    expect_error(RUN("export", "rankin", "--matrix", "m.csv", "--format", "csv"), 2, "'ranking'?");
    RUN_OK("export", "rank", "--matrix", "m.csv", "--format", "csv"); /* alias */
    expect_error(RUN("export", "ranking", "--matrix", "m.csv"), 2, "in which format?");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "-o", "x.docx"), 2,
                 "in which format?");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "table"), 2, "md");
    expect_error(RUN("export", "tree", "--matrix", "m.csv", "--format", "md"), 2,
                 "not a table|svg");
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--format", "svg", "--curve"), 2,
                 "--curve has no effect on the view matrix");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "csv", "--title", "x"),
                 2, "--title goes with svg, pdf and png");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "svg", "--tasks"), 2,
                 "correlation");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "svg", "--width",
                     "2"
                     "km"),
                 2, "--width takes single, double");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "svg", "--width", "1in"),
                 2, "--width takes");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "svg", "--width", "3"),
                 2, "--width takes"); /* inches, or columns? */
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "svg", "--hide", "*"), 2,
                 "leave no embedder");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "--format", "svg", "--hide", "zeta"),
                 2, "no embedder is called 'zeta'");
    expect_error(RUN("export", "tree", "--method", "ward", "--matrix", "m.csv", "--format", "svg",
                     "--hide", "delta"),
                 2, "--exclude");
    expect_error(RUN("export", "compare", "--matrix", "m.csv", "--format", "csv"), 2,
                 "--models A,B");
    expect_error(RUN("export", "compare", "--matrix", "m.csv", "--format", "csv", "--models", "a"),
                 2, "two or three");
    expect_error(RUN("export", "correlation", "--matrix", "m.csv", "--scores", "s.csv", "--format",
                     "svg", "--task", "t3"),
                 2, "no task is called 't3'");
    expect_error(RUN("rank", "--matrix", "m.csv", "--format", "svg"), 2, "embedscope export");
    expect_error(RUN("rank", "--matrix", "m.csv", "-o", "x.png"), 2, "embedscope export");
    expect_error(RUN("export", "empty", "ranking", "--format", "csv"), 4, "");
    assert_int_equal(access("x.png", F_OK), -1);
}

/* Each map has its own first colour, which values below the limits have. */
TEST(export__colours_and_limits__change_the_picture) {
    static const char *const maps[][2] = {{"standard", "rgb(100%,100%,85.1"},
                                          {"viridis", "rgb(26.666"},
                                          {"cividis", "rgb(0%,18.82"},
                                          {"magma", "rgb(13.33"},
                                          {"grey", "rgb(18.82"}};
    write_matrix();
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        for (int low = 0; low < 2; low++) { /* above all values, and far below them */
            RUN_OK("export", "matrix", "--matrix", "m.csv", "-o", "a.svg", "-q", "--colours",
                   maps[i][0], "--limits", low ? "-9,-8" : "8,9");
            char *svg = slurp("a.svg");
            if ((strstr(svg, maps[i][1]) == NULL) != (low == 1))
                fail_msg("%s: where is %s", maps[i][0], maps[i][1]);
        }
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--format", "svg", "--limits", "1,0"),
                 2, "the lower first");
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--format", "svg", "--limits", "1"),
                 2, "two numbers");
    expect_error(RUN("export", "tree", "--matrix", "m.csv", "--format", "svg", "--colours", "grey"),
                 2, "--colours goes with the view matrix");
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--format", "csv", "--limits", "0,1"),
                 2, "--limits goes with svg, pdf and png");
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--format", "svg", "--value",
                     "asymmetry", "--colours", "grey"),
                 2, "two sides of 0");
}

/* Communities are a column of the ranking, an order and colours of the matrix: by the resolution
 * that was asked for, as in the tree. */
TEST(export__resolution__is_that_of_all_communities) {
    write_matrix();
    char *text[2];
    for (int fine = 0; fine < 2; fine++) {
        RUN_OK("export", "ranking", "--matrix", "m.csv", "--resolution", fine ? "20" : "0.01", "-o",
               "r.csv", "-q");
        text[fine] = slurp("r.csv");
        RUN_OK("export", "matrix", "--matrix", "m.csv", "--order", "community", "--resolution",
               fine ? "20" : "0.01", "-o", "m2.csv", "-q");
    }
    assert_string_not_equal(text[0], text[1]);
    expect_error(
        RUN("export", "ranking", "--matrix", "m.csv", "--weights", "minmax", "-o", "r.csv"), 2,
        "--weights has no effect on the view ranking");
}

/* A theme for the explorer in the user's file is none for figures, and no error. */
TEST(export__colour_by__family_community_none) {
    static const char *const by[] = {"community", "family", "none"};
    static const char *const says[] = {"Colours: communities", "Colours: families 1 one", "Trees:"};
    write_matrix();
    write_text("families.csv", "model,family\nalpha_1,one\ndelta,one\n");
    for (size_t k = 0; k < 3; k++) {
        RUN_OK("export", "matrix", "--matrix", "m.csv", "--families", "families.csv", "--colour-by",
               by[k], "-o", "x.svg", "-q");
        char *svg = slurp_words("x.svg");
        if (strstr(svg, says[k]) == NULL && k != 0)
            fail_msg("--colour-by %s: no '%s'", by[k], says[k]);
        /* communities hold and say how far, or are not drawn and that is said */
        if (k == 0)
            assert_true((strstr(svg, "Colours: communities") && strstr(svg, "of 200")) ||
                        strstr(svg, "not drawn"));
        assert_int_equal(strstr(svg, "Colours:") == NULL, k == 2 || strstr(svg, "Communities:"));
    }
    expect_error(RUN("export", "tree", "--matrix", "m.csv", "--colour-by", "family", "-o", "x.svg"),
                 2, "--colour-by family|pool.json");
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--colour-by", "size", "-o", "x.svg"),
                 2, "family, community or none|size");
    expect_error(RUN("export", "matrix", "--matrix", "m.csv", "--colour-by", "none", "-o", "x.csv"),
                 2, "--colour-by goes with svg");
}

/* One colour for all would say nothing. */
TEST(export__one_community__has_no_colour) {
    static const char *const view[] = {"matrix", "tree"};
    write_text("one.csv", "source,a,b,c\na,2,1,1\nb,1,2,1\nc,1,1,2\n");
    for (size_t k = 0; k < 2; k++) {
        RUN_OK("export", view[k], "--matrix", "one.csv", "-o", "x.svg", "-q");
        char *svg = slurp_words("x.svg");
        assert_contains(svg, "are one community");
        assert_lacks(svg, "Colours:");
        assert_lacks(svg, "communities");
    }
}

TEST(export__config__theme_is_the_explorers) {
    write_matrix();
    write_text("config", "theme = nord\nwidth = 12cm\n");
    RUN_OK("export", "ranking", "--matrix", "m.csv", "-o", "a.svg", "--config", "config", "--theme",
           "dark");
    char *svg = slurp("a.svg");
    assert_contains(svg, "width=\"340.15"); /* 12 cm in points */
}

/* Paper and text of a picture are the theme's, and none of the usual ones is left. */
TEST(export__a_theme__has_its_own_colours_alone) {
    static const char *const own[] = {"rgb(18.039216%,20.392157%,25.098039%)", /* #2e3440 */
                                      "#d8dee9", "#a9b4c6"};
    static const char *const usual[] = {"rgb(100%,100%,100%)", "#141414", "rgb(8%,8%,8%)",
                                        "rgb(0%,44.7%,69.8%)", "#616161", "rgb(9%,10%,12%)"};
    write_matrix();
    RUN_OK("export", "ranking", "--matrix", "m.csv", "-o", "a.svg", "--theme", "nord");
    char *svg = slurp("a.svg"), *meta = slurp("a.svg.meta.json");
    assert_contains(meta, "--theme nord");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strstr(svg, own[i]) == NULL)
            fail_msg("%s is missing", own[i]);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strstr(svg, usual[i]) != NULL)
            fail_msg("%s is there", usual[i]);
    write_text("pale.theme", "inherits = default-light\n[roles]\ntext = #999999\n");
    run_result r =
        RUN_OK("export", "ranking", "--matrix", "m.csv", "-o", "a.svg", "--theme", "./pale.theme");
    assert_contains(r.err, "theme pale: text: contrast 2.");
    expect_error(
        RUN("export", "ranking", "--matrix", "m.csv", "-o", "a.svg", "--theme", "terminal"), 2,
        "the terminal's own colours");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "-o", "a.svg", "--theme", "drak"), 2,
                 "light, dark or a theme: there is no theme \"drak\"");
    expect_error(RUN("export", "ranking", "--matrix", "m.csv", "-o", "a.csv", "--theme", "nord"), 2,
                 "--theme goes with svg");
}

/* Pictures of measures hold their numbers, and what has none is refused. */
TEST(export__measures__are_drawn) {
    estimate_pool();
    write_text("pool/scores.csv", "model,t1,t2\na,1,4\nb,2,5\nc,3,7\nd10,4,6\n");
    RUN_OK("export", "pool", "matrix", "--measure", "cka", "-o", "m.svg", "-q");
    char *svg = slurp("m.svg");
    assert_non_null(svg);
    assert_contains(svg ? svg : "", "<svg");
    run_result r = RUN_OK("matrix", "pool", "--measure", "cka", "--csv", "-q");
    run_result same = RUN("measure", "pool", "cka", "--csv", "-q");
    assert_string_equal(r.out, same.out);
    RUN_OK("export", "pool", "by-task", "-o", "t.svg", "--kind", "kendall", "-q");
    RUN_OK("export", "pool", "correlation", "--score", "uniformity", "-o", "c.svg", "--task", "t1",
           "-q");
    expect_error(RUN("export", "pool", "matrix", "--measure", "uniformity", "-o", "x.svg", "-q"), 2,
                 "uniformity|one embedder");
    expect_error(RUN("matrix", "pool", "--measure", "cka", "--value", "se", "-q"), 2, "--value");
    expect_error(RUN("export", "pool", "ranking", "--score", "uniformity", "-o", "x.svg", "-q"), 2,
                 "figures of a measure");
}
