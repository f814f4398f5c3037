/* `embedscope tree`: communities and dendrograms against NetworkX's and SciPy's numbers. */
#include "program.h"

TEST_GROUP(make_scratch, remove_scratch);
TEST_EACH(empty_scratch, NULL);

static const char nlp[] = ES_TEST_DATA "/reference/analysis/nlp_is_square20.csv";

enum { MOST = 32 };

/* Names of an array of texts; returns how many. */
static size_t names_of(const es_json_value *list, const char **names) {
    size_t n = 0;
    for (es_json_value item = es_json_first(list); item.node; item = es_json_next(&item)) {
        assert_true(n < MOST);
        assert_ok(es_json_as_text(&item, &names[n++], NULL));
    }
    return n;
}

static bool has_name(const char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Lines "weights,resolution,Q,times,distinct,model,community" of one case: every two models are
 * together in the document exactly when they are in the file. */
static void check_partition(const es_json_value *communities, const char *golden,
                            const char *start) {
    char model[MOST][64];
    long group[MOST], found[MOST];
    size_t n = 0;
    for (const char *line = strstr(golden, start); line; line = strstr(line + 1, start)) {
        assert_true(n < MOST);
        assert_int_equal(
            sscanf(line + strlen(start), "%*[^,],%*[^,],%*[^,],%63[^,],%ld", model[n], &group[n]),
            2);
        n++;
    }
    assert_int_equal(n, 20);
    for (size_t i = 0; i < n; i++) {
        found[i] = -1;
        for (es_json_value c = es_json_first(communities); c.node; c = es_json_next(&c)) {
            const char *names[MOST];
            es_json_value members = member(&c, "members", ES_JSON_ARRAY);
            if (number_of(&c, "level") == 0 && has_name(names, names_of(&members, names), model[i]))
                found[i] = (long)number_of(&c, "id");
        }
        assert_true(found[i] > 0);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            assert_int_equal(found[i] == found[j], group[i] == group[j]);
}

TEST(tree__louvain__is_that_of_networkx) {
    static const struct {
        const char *weights, *resolution, *start;
        double q;
    } cases[] = {{"raw", "1", "\nraw,1.0,", 0.01745778},
                 {"raw", "1.1", "\nraw,1.1,", -0.01511854},
                 {"minmax", "1.0", "\nminmax,1.0,", 0.01992691},
                 {"minmax", "1.1", "\nminmax,1.1,", -0.01180816}};
    char *golden = slurp(ES_TEST_DATA "/reference/analysis/golden_louvain20.csv");
    assert_non_null(golden);
    for (size_t k = 0; k < 4; k++) {
        es_json_value root = RUN_JSON("tree", "--matrix", nlp, "--json", "--weights",
                                      cases[k].weights, "--resolution", cases[k].resolution);
        es_json_value communities = member(&root, "communities", ES_JSON_ARRAY);
        assert_string_equal(text_of(&root, "method"), "louvain");
        assert_true(fabs(number_of(&root, "modularity") - cases[k].q) < 1e-8);
        assert_true(number_of(&root, "stability") > 0.9);
        check_partition(&communities, golden, cases[k].start);
    }
}

/* a, b, height, size as SciPy has them, and an order that names every leaf once. */
static void check_linkage(const char *file, const char *const *options) {
    char path[PATH_ROOM];
    const char *words[MOST_ARGUMENTS] = {"tree", "--matrix", nlp, "--json"}, *names[MOST];
    for (size_t i = 0; options[i]; i++)
        words[4 + i] = options[i];
    run_result r = run_ok(words);
    (void)snprintf(path, sizeof path, ES_TEST_DATA "/reference/analysis/%s", file);
    char *golden = slurp(path);
    assert_non_null(golden);
    es_json_value root = parse_json(r.out), list = member(&root, "linkage", ES_JSON_ARRAY);
    const char *line = golden ? strchr(golden, '\n') : NULL;
    size_t merges = 0;
    for (es_json_value m = es_json_first(&list); m.node; m = es_json_next(&m), merges++) {
        double a = 0, b = 0, height = 0, size = 0;
        assert_non_null(line);
        assert_int_equal(sscanf(line, " %lf,%lf,%lf,%lf", &a, &b, &height, &size), 4);
        line = strchr(line + 1, '\n');
        assert_true(number_of(&m, "a") == a && number_of(&m, "b") == b);
        assert_true(fabs(number_of(&m, "height") - height) < 1e-9);
        assert_true(number_of(&m, "size") == size);
    }
    assert_int_equal(merges, 19);
    list = member(&root, "order", ES_JSON_ARRAY);
    size_t n = names_of(&list, names);
    assert_int_equal(n, 20);
    list = member(&root, "models", ES_JSON_ARRAY);
    for (es_json_value m = es_json_first(&list); m.node; m = es_json_next(&m))
        assert_true(has_name(names, n, text_of(&m, "name")));
}

TEST(tree__dendrogram__is_that_of_scipy) {
    check_linkage("golden_linkage20_rows-sources_ward.csv",
                  (const char *const[]){"--method", "ward", NULL});
    check_linkage("golden_linkage20_nlp_HEAD_rows-targets_ward.csv",
                  (const char *const[]){"--method", "ward", "--of", "targets", NULL});
    check_linkage("golden_linkage20_mol_rows-sources_median_diag-max.csv",
                  (const char *const[]){"--method", "median", "--diagonal", "max", NULL});
}

/* The same communities, whatever the order of rows and columns in the file. */
TEST(tree__louvain__does_not_depend_on_the_file) {
    write_text("one.csv", "source,a,b,c,d\na,1,.8,.1,.2\nb,.7,1,.2,.1\nc,.1,.1,1,.6\n"
                          "d,.2,.1,.9,1\n");
    write_text("two.csv", "source,d,b,a,c\nd,1,.1,.2,.9\na,.2,.8,1,.1\nc,.6,.1,.1,1\n"
                          "b,.1,1,.7,.2\n");
    run_result one = RUN("tree", "--matrix", "one.csv", "--csv"),
               two = RUN("tree", "--matrix", "two.csv", "--csv");
    expect_code(&one, 0);
    assert_string_equal(one.out, two.out);
    assert_contains(one.out, "\n1,a,");
    assert_contains(one.out, "\n2,c,");
}

TEST(tree__pool__says_who_stands_for_a_family) {
    estimate_pool();
    run_result r = RUN_OK("tree", "pool", "--json", "--seed", "0");
    check_json_tool(r.out);
    es_json_value root = parse_json(r.out),
                  provenance = member(&root, "provenance", ES_JSON_OBJECT);
    assert_string_equal(text_of(&provenance, "estimator"), "linear");
    es_json_value list = member(&root, "communities", ES_JSON_ARRAY);
    for (es_json_value c = es_json_first(&list); c.node; c = es_json_next(&c)) {
        const char *names[MOST];
        es_json_value members = member(&c, "members", ES_JSON_ARRAY);
        size_t n = names_of(&members, names);
        assert_true(has_name(names, n, text_of(&c, "spokesman")));
        assert_true(has_name(names, n, text_of(&c, "cheapest")));
        assert_true(number_of(&c, "stability") >= 0 && number_of(&c, "stability") <= 1);
    }
    assert_int_equal(count_of(&root, "models"), 4);
    r = RUN_OK("tree", "pool");
    assert_contains(r.out, "└─ ");
    assert_contains(r.out, "centre");
    setenv("LC_ALL", "C", 1);
    r = RUN("tree", "pool", "--method=single");
    setenv("LC_ALL", "C.UTF-8", 1);
    expect_code(&r, 0);
    for (const char *at = r.out; *at; at++)
        assert_true((*at & 0x80) == 0);
}

/* The sample matrix tells no dimensions: of several that cover enough nobody is the cheapest. */
TEST(tree__matrix_without_dimensions__names_no_cheapest) {
    run_result r = RUN_OK("tree", "--matrix", nlp, "--json", "--seed", "0");
    check_json_tool(r.out);
    assert_contains(r.out, "\"cheapest\": null,");
    assert_contains(r.out, "\"cheapest_covers\": null,");
}

/* Of a matrix without an edge modularity is not defined, which a picture says as the table does. */
TEST(tree__picture_without_edges__says_so) {
    write_text("m.csv", "source,a,b,c\na,1,-.5,-.1\nb,-.4,1,-.05\nc,-.01,-.2,1\n");
    RUN_OK("export", "tree", "--matrix", "m.csv", "-o", "t.svg");
    char *svg = slurp_words("t.svg");
    assert_lacks(svg, "modularity nan");
    assert_contains(svg, "modularity not defined: ");
}

TEST(tree__nothing_known__is_no_finding) {
    write_text("hole.csv", "source,a,b,c,d\na,1,.5,.3,\nb,.4,1,.2,\nc,.3,.1,1,\nd,,,,\n");
    run_result r = RUN_OK("tree", "--matrix", "hole.csv");
    assert_contains(r.out, "6 pairs are not known, among them all of d: alone since nothing "
                           "is known of it\n");
    write_text("hole.csv", "source,a,b,c,d\na,1,.5,.3,.1\nb,.4,1,.2,\nc,.3,.1,1,\nd,,,,\n");
    r = RUN_OK("tree", "--matrix", "hole.csv"); /* a pair one way is something */
    assert_contains(r.out, "5 pairs are not known\n");
    write_text("hole.csv", "source,a,b,c,d,e,f,g\na,1,.5,,,,,\nb,.4,1,,,,,\nc,,,,,,,\nd,,,,,,,\n"
                           "e,,,,,,,\nf,,,,,,,\ng,,,,,,,\n");
    r = RUN_OK("tree", "--matrix", "hole.csv");
    assert_contains(r.out, "all of c, d, e, f and 1 more: alone since nothing is known of "
                           "them\n");
}

TEST(tree__threshold__leaves_weak_edges_out) {
    write_text("m.csv", "source,a,b,c\na,1,.5,-.1\nb,.4,1,.05\nc,.01,,1\n");
    run_result r = RUN_OK("tree", "--matrix", "m.csv", "--threshold", "0.1", "--json");
    es_json_value root = parse_json(r.out), edges = member(&root, "edges", ES_JSON_OBJECT);
    assert_true(number_of(&edges, "used") == 2);
    assert_true(number_of(&edges, "missing") == 1);
    assert_true(number_of(&edges, "negative") == 1);
    assert_true(number_of(&edges, "weak") == 3); /* the negative one is below it too */
}

TEST(tree__formats__all_written) {
    run_result r = RUN_OK("tree", "--matrix", nlp, "--format", "md");
    assert_int_equal(strncmp(r.out, "| community | model ", 20), 0);
    r = RUN_OK("tree", "--matrix", nlp, "--format", "tex", "--method", "average");
    assert_int_equal(strncmp(r.out, "\\sbox0{%\n\\begin{tabular}{rrr@{.}lr", 33), 0);
    r = RUN("tree", "--matrix", nlp, "--csv", "--method", "complete");
    assert_int_equal(strncmp(r.out, "a,b,height,size,a_model,b_model\n", 32), 0);
}

TEST(tree__usage__is_2) {
    make_pool("pool");
    expect_error(RUN("tree"), 2, "which pool?|--matrix");
    expect_error(RUN("tree", "pool", "--method", "wrad"), 2, "did you mean 'ward'?");
    expect_error(RUN("tree", "pool", "--resolution", "0"), 2, "--resolution");
    expect_error(RUN("tree", "pool", "--resolution", "nan"), 2, "--resolution");
    expect_error(RUN("tree", "pool", "--of", "targets"), 2, "--of goes with");
    expect_error(RUN("tree", "pool", "--method=ward", "--weights=raw"), 2, "--weights goes with");
    expect_error(RUN("tree", "pool"), 4, "embedscope estimate pool");
    RUN_OK("estimate", "pool", "--estimator", "l2", "-q");
    expect_error(RUN("tree", "pool", "--estimator", "l2"), 2, "l2 is an error|--method");
    RUN_OK("tree", "pool", "--estimator", "l2", "--method", "average");
}

/* All but the first factor lie in directions of little variance: `shrunk` does not find them, the
 * validated penalty does. */
static void add_narrow(const char *pool, const char *name, uint64_t seed, double first) {
    enum { ROWS = 240, COLUMNS = 8, FACTORS = 4 };
    static double values[ROWS * COLUMNS];
    double weight[COLUMNS * FACTORS];
    char path[PATH_ROOM];
    es_rng factors, mix;
    es_rng_init(&factors, 7, 1);
    es_rng_init(&mix, seed, 2);
    for (size_t j = 0; j < COLUMNS * FACTORS; j++)
        weight[j] = j % FACTORS == 0 ? first : es_rng_normal(&mix);
    for (size_t i = 0; i < ROWS; i++) {
        double z[FACTORS];
        for (size_t k = 0; k < FACTORS; k++)
            z[k] = es_rng_normal(&factors);
        for (size_t j = 0; j < COLUMNS; j++) {
            values[i * COLUMNS + j] = 0.05 * es_rng_normal(&mix);
            for (size_t k = 0; k < FACTORS; k++)
                values[i * COLUMNS + j] += weight[j * FACTORS + k] * z[k];
        }
    }
    (void)snprintf(path, sizeof path, "%s/%s.npy", pool, name);
    write_npy(path, values, ROWS, COLUMNS);
}

/* The community of each embedder "e0" to "e7", of a document with such a list. */
static void communities_of(const char *json, const char *list, const char *key,
                           size_t community[8]) {
    es_json_value root = parse_json(json), models = member(&root, list, ES_JSON_ARRAY);
    size_t seen = 0;
    for (es_json_value e = es_json_first(&models); e.node; e = es_json_next(&e), seen++)
        community[text_of(&e, key)[1] - '0'] = (size_t)number_of(&e, "community");
    assert_int_equal(seen, 8);
}

/* Whatever a ranking stands on, its groups are those of the tree, and it says whose they are. */
TEST(tree__communities__are_those_beside_the_ranking) {
    size_t shown[8], ranked[8], shrunk[8];
    assert_int_equal(mkdir("pool", 0700), 0);
    for (uint64_t k = 0; k < 8; k++) {
        char name[3] = {'e', (char)('0' + (int)k)};
        add_narrow("pool", name, k, k % 2 ? 20 : 1);
    }
    write_text("pool/scores.csv", "model,t\ne0,1\ne1,2\ne2,4\ne3,3\ne4,6\ne5,5\ne6,8\ne7,7\n");
    RUN_OK("estimate", "pool", "--estimator", "linear", "-q");
    RUN_OK("estimate", "pool", "--estimator", "linear", "--preset", "shrunk", "-q");
    run_result r = RUN_OK("tree", "pool", "--json");
    communities_of(r.out, "models", "name", shown);
    r = RUN("tree", "pool", "--estimator", "linear", "--preset", "shrunk", "--json");
    communities_of(r.out, "models", "name", shrunk);
    r = RUN_OK("rank", "pool", "--json");
    communities_of(r.out, "ranking", "model", ranked);
    es_json_value root = parse_json(r.out), by = member(&root, "communities_by", ES_JSON_OBJECT);
    assert_string_equal(text_of(&root, "score"), "predictive");
    assert_string_equal(text_of(&by, "estimator"), "linear");
    assert_string_equal(text_of(&by, "preset"), "default");
    es_json_value line = member(&root, "bottom_line", ES_JSON_OBJECT);
    assert_true(number_of(&line, "kinds") == 5); /* which are other groups */
    assert_memory_not_equal(shown, shrunk, sizeof shown);
    assert_memory_equal(shown, ranked, sizeof shown);
    r = RUN("rank", "pool");
    assert_contains(r.out, "\npublished, group: by linear default\n");
    r = RUN_OK("correlate", "pool", "--json");
    root = parse_json(r.out);
    by = member(&root, "communities_by", ES_JSON_OBJECT);
    assert_string_equal(text_of(&by, "preset"), "default");
}
