/* Pools: which files become embedders, which do not and why, and what is read from them. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "support.h"

#include "engine_pool_parts.h"
#include "refuse.h"
#include "settled_pool.h"

static char root[SUPPORT_PATH], pool_dir[SUPPORT_PATH + 8];

static int set_up(void **state) {
    support_temp_dir(root);
    chmod(root, 0755);
    snprintf(pool_dir, sizeof pool_dir, "%s/pool", root);
    return mkdir(pool_dir, 0755);
}

TEST_EACH(set_up, NULL);

static es_pool *open_with(const es_pool_options *options) {
    return open_pool_with(pool_dir, options);
}

static es_pool *open_pool(void) {
    return open_with(NULL);
}

static void refuse_pool(es_status expected, const char *part) {
    es_pool *pool = NULL;
    assert_int_equal(es_pool_open(pool_dir, NULL, &pool, test_err()), expected);
    assert_null(pool);
    assert_contains(test_message(), part);
}

static void assert_excluded(const es_pool *pool, const char *name, const char *part) {
    const es_model *m = model(pool, name);
    assert_int_equal(m->state, ES_MODEL_EXCLUDED);
    if (!strstr(m->reason, part))
        fail_msg("%s: \"%s\" does not contain \"%s\"", name, m->reason, part);
}

/* ---- which files ---- */

TEST(scan__finds__three_levels_in_natural_order) {
    static const char *const files[] = {
        "e5-10.npy",   "e5-2.npy",   "x/y/deep.npy",      "x/y/z/deeper.npy", "x/y/z/w/no.npy",
        ".hidden.npy", ".git/a.npy", ".embedscope/b.npy", "UPPER.NPY",        "x/one.npy"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        support_write_random_npy(pool_dir, files[i], i, 30, 3);
    support_write_text(pool_dir, "rows.csv", "id,text\n");
    support_write_text(pool_dir, "labels.csv", "id,label\n");
    support_write_text(pool_dir, "README.md", "hello\n");
    es_pool *pool = open_pool();
    static const char *const names[] = {"UPPER", "e5-2",     "e5-10",
                                        "x/one", "x/y/deep", "x/y/z/deeper"};
    assert_int_equal(es_pool_count(pool), 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(es_pool_model(pool, i)->name, names[i]);
    assert_int_equal(es_pool_warnings(pool), 0);
    const es_unused *unused = es_pool_unused(pool);
    assert_int_equal(unused->file.count, 1);
    assert_string_equal(unused->file.word[0], "x/y/z/w/");
    assert_contains(unused->why.word[0], "more than 3 folders below the pool, not searched: "
                                         "1 file of embeddings lies there");
    assert_string_equal(es_pool_name(pool), "pool");
    assert_null(es_pool_modality(pool));
    assert_int_equal(model(pool, "x/one")->rows, 30);
    assert_int_equal(model(pool, "x/one")->dim, 3);
    assert_string_equal(model(pool, "x/one")->dtype, "float64");
    assert_string_equal(model(pool, "x/one")->file, "x/one.npy");
}

TEST(scan__survives__a_folder_of_many_files) {
    for (int i = 0; i < 20000; i++) {
        char name[32];
        snprintf(name, sizeof name, "picture-%d.jpg", i);
        int fd = open(support_in(pool_dir, name), O_CREAT | O_WRONLY, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_count(pool), 1);
}

/* Without a standard input the first descriptor is 0, and a folder's as good as another. */
TEST(scan__descriptor_0__is_one) {
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    int kept = dup(0);
    assert_true(kept > 0);
    assert_int_equal(close(0), 0);
    es_pool *pool = NULL;
    es_status st = es_pool_open(pool_dir, NULL, &pool, NULL);
    assert_int_equal(dup2(kept, 0), 0);
    assert_int_equal(close(kept), 0);
    assert_ok(st);
    assert_int_equal(es_pool_count(pool), 1);
    es_pool_close(pool);
}

TEST(scan__follows__links_inside_the_pool_only) {
    char link[SUPPORT_PATH], target[SUPPORT_PATH];
    support_write_random_npy(pool_dir, "store/a.npy", 1, 30, 3);
    support_write_random_npy(root, "outside/secret.npy", 2, 30, 3);
    support_write_random_npy(root, "pool2/sly.npy", 2, 30, 3); /* "pool" is a prefix of it */
    assert_int_equal(symlink("store/a.npy", support_path(link, pool_dir, "inside.npy")), 0);
    support_path(target, root, "outside/secret.npy");
    assert_int_equal(symlink(target, support_path(link, pool_dir, "leak.npy")), 0);
    support_path(target, root, "pool2/sly.npy");
    assert_int_equal(symlink(target, support_path(link, pool_dir, "sly.npy")), 0);
    support_path(target, root, "outside");
    assert_int_equal(symlink(target, support_path(link, pool_dir, "folder")), 0);
    assert_int_equal(symlink("..", support_path(link, pool_dir, "up")), 0);
    assert_int_equal(symlink(".", support_path(link, pool_dir, "loop")), 0);
    assert_int_equal(symlink("circle.npy", support_path(link, pool_dir, "circle.npy")), 0);
    assert_int_equal(symlink("gone.npy", support_path(link, pool_dir, "dangling.npy")), 0);
    assert_int_equal(symlink("store", support_path(link, pool_dir, "again")), 0);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_usable(pool), 2);
    assert_int_equal(model(pool, "inside")->state, ES_MODEL_UNCHECKED);
    assert_int_equal(model(pool, "store/a")->state, ES_MODEL_UNCHECKED);
    assert_excluded(pool, "leak", "out of the pool");
    assert_excluded(pool, "sly", "out of the pool");
    assert_excluded(pool, "folder", "out of the pool");
    assert_excluded(pool, "up", "out of the pool");
    assert_excluded(pool, "circle", "leads nowhere");
    assert_excluded(pool, "dangling", "leads nowhere");
    assert_int_equal(es_pool_count(pool), 8);
}

TEST(names__are__cleaned_and_unique) {
    support_write_random_npy(pool_dir, "\033[2Ja.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "\001[2Ja.npy", 2, 30, 3); /* the same once cleaned */
    support_write_random_npy(pool_dir, "b.npy", 3, 30, 3);
    support_write_random_npy(pool_dir, "b.NPY", 4, 30, 3);
    support_write_random_npy(pool_dir, "caf\xe9.npy", 5, 30, 3);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_count(pool), 5);
    for (size_t i = 0; i < 5; i++) {
        const es_model *m = es_pool_model(pool, i);
        assert_null(strpbrk(m->name, "\033\001"));
        assert_null(strpbrk(m->file, "\033\001"));
        assert_int_equal(es_pool_find(pool, m->name), i); /* unique */
    }
    assert_int_not_equal(es_pool_find(pool, "b.npy"), SIZE_MAX);
    assert_int_not_equal(es_pool_find(pool, "b.NPY"), SIZE_MAX);
    assert_int_not_equal(es_pool_find(pool, "caf\xEF\xBF\xBD"), SIZE_MAX);
}

/* The start of what torch.save writes. */
static const char torch_zip[] = "PK\x03\x04\0\0\x08\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0"
                                "\x12\0archive/data.pkl";

TEST(archives__are__recognised_under_any_name) {
    support_write_random_npy(pool_dir, "good.npy", 1, 30, 3);
    static const char *const files[] = {"a.pt", "b.pth", "c.bin", "d.npy", "e.weights", "plain"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        support_write(pool_dir, files[i], torch_zip, sizeof torch_zip - 1);
    support_write_text(pool_dir, "tokenizer.bin", "just some bytes");
    es_pool *pool = open_pool();
    static const char *const names[] = {"a", "b", "c", "d", "e.weights", "plain"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_excluded(pool, names[i], "PyTorch");
    assert_int_equal(es_pool_count(pool), 7);
}

/* A safetensors file from its JSON header and the bytes behind it. */
static void write_safetensors(const char *name, const char *header, const void *data, size_t size) {
    size_t length = strlen(header);
    unsigned char *bytes = test_alloc(1, 8 + length + size);
    bytes[0] = (unsigned char)(length & 0xff);
    bytes[1] = (unsigned char)(length >> 8);
    for (size_t i = 0; i < length; i++)
        bytes[8 + i] = (unsigned char)header[i];
    memcpy(bytes + 8 + length, data, size);
    support_write(pool_dir, name, bytes, 8 + length + size);
}

TEST(safetensors__give__an_embedder_per_matrix) {
    double *values = support_numbers(1, 150);
    es_rows rows;
    uint32_t first = 0;
    double row[3];
    write_safetensors("one.safetensors",
                      "{\"w\":{\"dtype\":\"F64\",\"shape\":[30,2],\"data_offsets\":[0,480]}}",
                      values, 480);
    write_safetensors("two.safetensors",
                      "{\"w\":{\"dtype\":\"F64\",\"shape\":[30,2],\"data_offsets\":[0,480]},"
                      "\"v\":{\"dtype\":\"F64\",\"shape\":[30,3],\"data_offsets\":[480,1200]}}",
                      values, 1200);
    write_safetensors("bias.safetensors",
                      "{\"b\":{\"dtype\":\"F64\",\"shape\":[30],\"data_offsets\":[0,240]}}", values,
                      240);
    write_safetensors("mixed.safetensors",
                      "{\"w\":{\"dtype\":\"F64\",\"shape\":[30,2],\"data_offsets\":[0,480]},"
                      "\"b\":{\"dtype\":\"F64\",\"shape\":[30],\"data_offsets\":[480,720]}}",
                      values, 720);
    es_pool *pool = open_pool();
    settle(pool);
    assert_int_equal(es_pool_count(pool), 5);
    assert_int_equal(model(pool, "one")->dim, 2);
    assert_null(model(pool, "one")->tensor);
    assert_int_equal(model(pool, "two/w")->dim, 2);
    assert_int_equal(model(pool, "two/v")->dim, 3);
    assert_string_equal(model(pool, "two/v")->tensor, "v#1");
    assert_int_equal(model(pool, "mixed")->dim, 2);
    assert_excluded(pool, "bias", "");
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0), "mixed.safetensors: 1 of 2");
    assert_ok(es_pool_rows_of(pool, es_pool_find(pool, "two/v"), &rows, NULL));
    assert_ok(rows.read(rows.context, &first, 1, row, NULL));
    assert_memory_equal(row, values + 60, sizeof row);
}

TEST(bad_files__are__excluded_with_their_reason) {
    double values[90] = {0};
    support_write_random_npy(pool_dir, "good.npy", 1, 30, 3);
    support_write_npy_raw(pool_dir, "cut.npy",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (30, 3), }", values,
                          100);
    support_write_text(pool_dir, "magic.npy", "<html>not found</html>");
    support_write_text(pool_dir, "empty.npy", "");
    support_write_npy_raw(
        pool_dir, "absurd.npy",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", values,
        sizeof values);
    support_write_npy_raw(pool_dir, "one_d.npy",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (30,), }", values,
                          240);
    support_write_npy_raw(pool_dir, "three_d.npy",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 3, 2), }", values,
                          240);
    support_write_npy_raw(pool_dir, "object.npy",
                          "{'descr': '|O', 'fortran_order': False, 'shape': (30, 3), }", values,
                          720);
    support_write_npy_raw(pool_dir, "none.npy",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", values, 0);
    mkfifo(support_path((char[SUPPORT_PATH]){0}, pool_dir, "pipe.npy"), 0600);
    mkfifo(support_path((char[SUPPORT_PATH]){0}, pool_dir, "pipe.log"), 0600);
    es_pool *pool = open_pool();
    static const char *const names[] = {"cut",   "magic",   "empty",  "absurd",
                                        "one_d", "three_d", "object", "none"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_excluded(pool, names[i], names[i]);
    assert_excluded(pool, "pipe", "pipe.npy: not a regular file");
    assert_int_equal(es_pool_usable(pool), 1);
    assert_int_equal(es_pool_count(pool), 10);
}

TEST(unequal_rows__leave__the_largest_group) {
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "b.npy", 2, 30, 3);
    support_write_random_npy(pool_dir, "c.npy", 3, 50, 3);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_rows(pool), 30);
    assert_excluded(pool, "c", "c.npy: 50 rows, the pool has 30");
    test_drop(pool);
    /* Two against two: the larger count. */
    support_write_random_npy(pool_dir, "d.npy", 4, 50, 3);
    pool = open_pool();
    assert_int_equal(es_pool_rows(pool), 50);
    assert_excluded(pool, "a", "30 rows, the pool has 50");
}

TEST(selection__leaves__the_rest_out_of_the_pool) {
    for (size_t i = 0; i < 4; i++) {
        static const char *const names[] = {"e5-a.npy", "e5-b.npy", "bge.npy", "odd.npy"};
        support_write_random_npy(pool_dir, names[i], i, i == 3 ? 50 : 30, 3);
    }
    es_pool *pool = open_with(&(es_pool_options){.models = "e5-*,bge", .exclude = "*-b"});
    assert_int_equal(es_pool_count(pool), 2);
    assert_int_equal(es_pool_find(pool, "e5-b"), SIZE_MAX);
    test_drop(pool);
    /* A selection decides about the common row count as well. */
    pool = open_with(&(es_pool_options){.models = "odd"});
    assert_int_equal(es_pool_usable(pool), 1);
    assert_int_equal(es_pool_rows(pool), 50);
    test_drop(pool);
    es_pool_options none = {.models = "gpt*"};
    assert_error(es_pool_open(pool_dir, &none, &pool, test_err()), ES_EEMPTY, "gpt*");
}

static void remove_from_pool(const char *name) {
    char path[SUPPORT_PATH + 64];
    (void)snprintf(path, sizeof path, "%s/%s", pool_dir, name);
    assert_int_equal(unlink(path), 0);
}

/* Every file is an embedder, a companion, or told what is to be done about it. */
TEST(unused_files__are__told_how_to_convert) {
    support_write_random_npy(pool_dir, "a.npy", 1, 40, 3);
    static const char *const files[] = {"b.jsonl", "c.csv",     "rows.csv",     "README.md",
                                        "d.txt",   "e.unheard", "a.queries.npy"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        support_write(pool_dir, files[i], "x\n", 2);
    es_pool *pool = open_pool();
    const es_unused *unused = es_pool_unused(pool);
    es_buf *said = test_buf();
    assert_int_equal(es_pool_count(pool), 1);
    assert_int_equal(unused->file.count, 4);
    for (size_t i = 0; i < unused->file.count; i++)
        es_unused_put(unused, i, said);
    assert_contains(said->data, "{\"id\": ..., \"embedding\": [numbers]}");
    assert_contains(said->data, "{\"file\": \"c.csv\"}");
    assert_contains(said->data, "{\"file\": \"d.txt\"}");
    assert_contains(said->data, "no format of embeddings");
    test_drop(pool);
    remove_from_pool("a.npy");
    remove_from_pool("a.queries.npy");
    refuse_pool(ES_EEMPTY, "[numbers]}");
}

/* What this program writes beside the matrices is not read as one of them, nor is a leaderboard; a
 * known format under another name is told as what it is. All are listed. */
/* Of many files so many are kept in mind. */
TEST(unused_files__of_a_full_folder__are_a_thousand) {
    support_write_random_npy(pool_dir, "a.npy", 1, 40, 3);
    for (int i = 0; i < POOL_UNUSED_MOST + 2; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "note-%d.txt", i);
        support_write(pool_dir, name, "x\n", 2);
    }
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_unused(pool)->file.count, POOL_UNUSED_MOST);
}

TEST(unused_files__are__told_by_their_contents) {
    static const struct {
        const char *name, *text, *why;
    } files[] = {
        {"is.csv", "source,a,b,c,d,e,f,g,h\na,1,2,3,4,5,6,7,8\nb,1,2,3,4,5,6,7,8\n",
         "a table of embedders by embedders, as `embedscope matrix` writes it"},
        {"board.csv", "model,a,b,c,d,e,f,g,h\nx,1,2,3,4,5,6,7,8\ny,1,2,3,4,5,6,7,8\n",
         "/pool/board.csv"},
        {"nothing.csv", "", "it is empty"},
        {"nothing.jsonl", "", "it is empty"},
        {"w'; rm x; '.bin", "\x01\x02\x03\x04", "np.fromfile('FILE'"},
        {"a \"b\".json", "[[1, 2], [3, 4]]", "json.load(open(\"FILE\"))"},
        {"plain.json", "[[1, 2], [3, 4]]", "/pool/plain.json\"))"},
        {"table.data", "PAR1", "is a Parquet file; convert it: python3 -c \"import pandas"},
    };
    support_write_random_npy(pool_dir, "a.npy", 1, 40, 3);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        support_write(pool_dir, files[i].name, files[i].text, strlen(files[i].text));
    es_pool *pool = open_pool();
    const es_unused *unused = es_pool_unused(pool);
    assert_int_equal(es_pool_count(pool), 1);
    assert_int_equal(unused->file.count, sizeof files / sizeof *files);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        es_buf *said = test_buf();
        for (size_t k = 0; k < unused->file.count; k++)
            if (strcmp(unused->file.word[k], files[i].name) == 0)
                es_unused_put(unused, k, said);
        assert_non_null(said->data);
        assert_contains(said->data, files[i].why);
    }
    es_buf *lines = test_buf();
    for (size_t k = 0; k < unused->file.count; k++)
        es_unused_line(unused, k, SIZE_MAX, lines);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_contains(lines->data, files[i].name);
}

/* Vectors in JSON are an embedder that somebody misses; settings and documents are not. */
TEST(json__with_vectors__is_told_how_to_convert) {
    static const struct {
        const char *name, *text, *why;
    } files[] = {
        {"a.json", " [ [1, 2], [3, 4]]",
         "a list of rows; this writes it as one that is read: python3 -c"},
        {"b.json",
         "[{\"id\": \"a\", \"embedding\": [1, -2.5e3]}, {\"id\": \"]\\\"\", "
         "\"embedding\": [3, null]}]",
         "a list of objects with vectors; this writes one a line, as is read: python3 -c"},
        {"c.json", "{\"x\": [1, 2], \"y\": [3, NaN], \"z\": [5, 6]}",
         "vectors under their ids; this writes one a line, as is read: python3 -c"},
        {"d.JSON", "{\"data\": [{\"embedding\": [1, 2]}, {\"embedding\": [3, 4]}]}",
         "JSON with vectors in it"},
        {"e.json", "{\"ids\": [1, 2, 3], \"embeddings\": [[1, 2], [3, 4], [5, 6]]}",
         "JSON with vectors in it"},
        {"config.json", "{\"layers\": [1, 2], \"names\": [\"a\", \"b\"], \"x\": [4, 5]}", NULL},
        {"matrix.json", "{\"embedscope\": \"1\", \"is\": [[1, 2], [3, 4]]}", NULL},
        {"words.json", "[[\"a\", 1], [\"b\", 2]]", NULL},
        {"open.json", "{\"a\": \"", NULL},
        {"no.json", "]", NULL},
        {"deep.json",
         "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", NULL},
    };
    enum { COUNT = sizeof files / sizeof *files, TOLD = 5 };
    support_write_random_npy(pool_dir, "a.npy", 1, 40, 3);
    for (size_t i = 0; i < COUNT; i++)
        support_write(pool_dir, files[i].name, files[i].text, strlen(files[i].text));
    es_pool *pool = open_pool();
    const es_unused *unused = es_pool_unused(pool);
    assert_int_equal(unused->file.count, TOLD);
    for (size_t i = 0; i < TOLD; i++) {
        es_buf *said = test_buf();
        for (size_t k = 0; k < unused->file.count; k++)
            if (strcmp(unused->file.word[k], files[i].name) == 0)
                es_unused_put(unused, k, said);
        assert_non_null(said->data);
        assert_ptr_equal(strstr(said->data, files[i].why), said->data);
    }
}

TEST(open__refuses__what_is_no_pool) {
    es_pool *pool = NULL;
    refuse_pool(ES_EEMPTY, "no embedders");
    assert_int_equal(es_pool_open("/nowhere/at/all", NULL, &pool, NULL), ES_ENOTFOUND);
    support_write_text(root, "file", "x");
    assert_int_equal(es_pool_open(support_in(root, "file"), NULL, &pool, NULL), ES_EUNSUPPORTED);
}

static int wait_for(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(unreadable__files_and_folders__are_reported) {
    support_write_random_npy(pool_dir, "good.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "locked.npy", 2, 30, 3);
    support_write_random_npy(pool_dir, "closed/a.npy", 3, 30, 3);
    chmod(support_in(pool_dir, "locked.npy"), 0);
    chmod(support_in(pool_dir, "closed"), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        es_pool *pool = NULL;
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(77);
        if (es_pool_open(pool_dir, NULL, &pool, NULL) != ES_OK || es_pool_usable(pool) != 1)
            _exit(1);
        size_t file = es_pool_find(pool, "locked"), folder = es_pool_find(pool, "closed");
        if (file == SIZE_MAX || folder == SIZE_MAX)
            _exit(2);
        if (!strstr(es_pool_model(pool, file)->reason, "locked.npy") ||
            !strstr(es_pool_model(pool, folder)->reason, "cannot be read"))
            _exit(3);
        es_pool_close(pool);
        _exit(0);
    }
    assert_int_equal(wait_for(child), 0);
    chmod(pool_dir, 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        es_pool *pool = NULL;
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(77);
        _exit(es_pool_open(pool_dir, NULL, &pool, NULL) == ES_EIO ? 0 : 1);
    }
    assert_int_equal(wait_for(child), 0);
    chmod(pool_dir, 0700);
}

/* ---- pool.json ---- */

TEST(description__restricts_and_describes) {
    support_write_random_npy(pool_dir, "a.npy", 1, 3, 3);
    support_write_random_npy(pool_dir, "sub/b.npy", 2, 3, 3);
    support_write_random_npy(pool_dir, "c.npy", 3, 3, 3);
    support_write_text(pool_dir, "d.csv", "x,y\n1,2\n3,4\n5,6.5\n");
    support_write_text(pool_dir, "e.tsv", "1\t2\n3\t4\n5\t6\n");
    support_write_text(pool_dir, "pool.json",
                       "{\"name\": \"My pool\", \"modality\": \"text\", \"rows\": 3, \"models\": ["
                       "{\"name\": \"first\", \"file\": \"a.npy\", \"dim\": 3, \"family\": \"f\","
                       " \"notes\": \"n\", \"kind\": \"binary\", \"new\": {}},"
                       "{\"name\": \"sub/b\"}, {\"file\": \"d.csv\"}, {\"file\": \"e.tsv\"},"
                       "{\"name\": \"missing\", \"file\": \"m.npy\"},"
                       "{\"name\": \"wrong\", \"file\": \"c.npy\", \"dim\": 4}]}");
    es_pool *pool = open_pool();
    assert_string_equal(es_pool_name(pool), "My pool");
    assert_string_equal(es_pool_modality(pool), "text");
    assert_int_equal(es_pool_count(pool), 6);
    assert_string_equal(model(pool, "first")->family, "f");
    assert_string_equal(model(pool, "first")->notes, "n");
    assert_int_equal(model(pool, "first")->kind, ES_KIND_BINARY);
    assert_int_equal(model(pool, "sub/b")->kind, ES_KIND_CONTINUOUS);
    assert_int_equal(model(pool, "d")->rows, 3);
    assert_int_equal(model(pool, "d")->dim, 2);
    assert_int_equal(model(pool, "e")->rows, 3);
    assert_excluded(pool, "missing", "m.npy: no such file");
    assert_excluded(pool, "wrong", "3 columns, but pool.json says \"dim\": 4");
}

/* With the ending that there is, the first of them where there are several. */
TEST(description__name_alone__finds_its_file) {
    static const char *const endings[] = {".npy", ".npz",  ".jsonl",  ".csv",
                                          ".tsv", ".vec",  ".txt",    ".bin",
                                          ".h5",  ".h5ad", ".ndjson", ".safetensors"};
    enum { COUNT = sizeof endings / sizeof *endings };
    char text[60 * (COUNT + 2)];
    size_t length = (size_t)snprintf(text, sizeof text, "{\"models\": [{\"name\": \"none\"}");
    for (size_t i = 0; i < COUNT; i++) {
        char name[40];
        length +=
            (size_t)snprintf(text + length, sizeof text - length, ", {\"name\": \"m%zu\"}", i);
        (void)snprintf(name, sizeof name, "m%zu%s", i, endings[i]);
        support_write_text(pool_dir, name, "x");
        (void)snprintf(name, sizeof name, "m%zu%s", i, ".safetensors");
        support_write_text(pool_dir, name, "x");
    }
    (void)snprintf(text + length, sizeof text - length, "]}");
    support_write_text(pool_dir, "pool.json", text);
    es_pool *pool = open_pool();
    for (size_t i = 0; i < COUNT; i++) {
        char name[40], file[40];
        (void)snprintf(name, sizeof name, "m%zu", i);
        (void)snprintf(file, sizeof file, "m%zu%s", i, endings[i]);
        assert_string_equal(model(pool, name)->file, file);
    }
    assert_excluded(pool, "none", "none.safetensors: no such file");
}

TEST(description__refuses__wrong_types_with_their_place) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"[1]", "pool.json"},
        {"{\"name\": 3}", "name"},
        {"{\"models\": {}}", "models"},
        {"{\"models\": [\"a.npy\"]}", "models[0]"},
        {"{\"models\": [{\"name\": \"a\"}, {\"file\": 7}]}", "models[1].file"},
        {"{\"models\": [{\"name\": \"a\", \"dim\": \"3\"}]}", "models[0].dim"},
        {"{\"models\": [{\"name\": \"a\", \"dim\": 0}]}", "models[0].dim"},
        {"{\"models\": [{\"name\": \"a\", \"dim\": 2.5}]}", "models[0].dim"},
        {"{\"models\": [{\"name\": \"a\", \"kind\": \"boolean\"}]}", "models[0].kind"},
        {"{\"models\": [{}]}", "models[0]"},
        {"{\"models\": [{\"file\": \"/etc/passwd\"}]}", "not a path below the pool"},
        {"{\"models\": [{\"file\": \"../a.npy\"}]}", "not a path below the pool"},
        {"{\"models\": [{\"file\": \"x/../../a.npy\"}]}", "not a path below the pool"},
        {"{\"models\": [{\"file\": \"x/..\"}]}", "not a path below the pool"},
        {"{\"models\": [{\"file\": \"\"}]}", "not a path below the pool"},
        {"{\"models\": [\n{\"file\": }]}", "line 2"},
        {"", "pool.json"},
    };
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_write_text(pool_dir, "pool.json", cases[i].text);
        refuse_pool(ES_EFORMAT, cases[i].part);
    }
    support_write_text(pool_dir, "pool.json", "{\"models\": []}");
    refuse_pool(ES_EEMPTY, "no embedders");
    support_write_text(pool_dir, "pool.json", "{\"models\": [{\"file\": \"..a.npy\"}]}");
    es_pool *pool = open_pool(); /* two dots in a name are no step upwards */
    assert_excluded(pool, "..a", "no such file");
}

/* Nor is what lies beside the matrices read through one. */
TEST(beside__links_out_of_the_pool__are_refused) {
    char target[SUPPORT_PATH], link[SUPPORT_PATH], *path = NULL;
    const es_scores *scores = NULL;
    const es_row_texts *texts = NULL;
    support_write_random_npy(pool_dir, "a.npy", 1, 3, 2);
    support_write_text(root, "secret.csv", "model,task\na,0.5\n");
    support_path(target, root, "secret.csv");
    assert_int_equal(symlink(target, support_path(link, pool_dir, "scores.csv")), 0);
    assert_int_equal(symlink(target, support_path(link, pool_dir, "rows.csv")), 0);
    es_pool *pool = open_pool();
    assert_error(es_pool_beside(pool, "scores.csv", &path, test_err()), ES_EFORMAT,
                 "a link out of the pool");
    assert_null(path);
    assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
    assert_null(scores);
    assert_contains(es_pool_scores_problem(pool), "a link out of the pool");
    assert_int_equal(es_pool_texts(pool, &texts, test_err()), ES_EFORMAT);
}

TEST(description__refuses__links_out_of_the_pool) {
    char target[SUPPORT_PATH], link[SUPPORT_PATH];
    support_write_random_npy(root, "secret.npy", 1, 30, 3);
    support_path(target, root, "secret.npy");
    assert_int_equal(symlink(target, support_path(link, pool_dir, "a.npy")), 0);
    support_write_text(pool_dir, "pool.json", "{\"models\": [{\"file\": \"a.npy\"}]}");
    es_pool *pool = open_pool();
    assert_excluded(pool, "a", "out of the pool");
}

/* ---- contents ---- */

enum { N = 40, D = 3 };

/* A matrix with the values given by seed, one of them replaced. */
static void write_with(const char *name, uint64_t seed, size_t row, size_t column, double value) {
    double *values = support_numbers(seed, (size_t)N * D);
    values[row * D + column] = value;
    support_write_npy(pool_dir, name, N, D, values);
}

/* To the last value. */
TEST(queries__locate__non_finite_values) {
    es_matrix queries = {0};
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    write_with("a.queries.npy", 2, N - 1, D - 1, (double)NAN);
    es_pool *pool = open_pool();
    settle(pool);
    assert_error(es_pool_queries(pool, 0, &queries, test_err()), ES_ENONFINITE,
                 "row 39, column 2 is not finite");
    assert_null(queries.x);
    write_with("a.queries.npy", 2, 0, 0, 0.5);
    assert_ok(es_pool_queries(pool, 0, &queries, test_err()));
    assert_int_equal(queries.n, N);
    assert_true(queries.x[0] == 0.5);
    es_matrix_free(&queries);
}

TEST(check__locates__non_finite_values) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    write_with("nan.npy", 2, 17, 2, (double)NAN);
    write_with("inf.npy", 3, 5, 0, -(double)INFINITY);
    es_pool *pool = open_pool();
    settle(pool);
    assert_excluded(pool, "nan", "nan.npy: NaN at row 17, column 2");
    assert_excluded(pool, "nan", "1 of 40 rows");
    assert_excluded(pool, "nan", "--drop-rows");
    assert_excluded(pool, "inf", "-inf at row 5, column 0");
    assert_int_equal(es_pool_usable(pool), 1);
    assert_int_equal(es_pool_rows(pool), N);
    test_drop(pool);
    /* Beyond the first 10 rows nobody looks. */
    pool = open_with(&(es_pool_options){.rows = {ES_ROWS_FIRST, 30}, .models = "a,nan"});
    settle(pool);
    assert_excluded(pool, "nan", "1 of 30 rows");
    test_drop(pool);
    write_with("nan.npy", 2, 35, 2, (double)NAN);
    pool = open_with(&(es_pool_options){.rows = {ES_ROWS_FIRST, 30}, .models = "a,nan"});
    settle(pool);
    assert_int_equal(es_pool_usable(pool), 2);
    assert_int_equal(es_pool_rows(pool), 30);
}

static void read_all(const es_pool *pool, const char *name, es_rows *rows, double *out) {
    uint32_t list[N];
    assert_ok(es_pool_rows_of(pool, es_pool_find(pool, name), rows, NULL));
    for (uint32_t i = 0; i < rows->n; i++)
        list[i] = i;
    assert_ok(rows->read(rows->context, list, rows->n, out, NULL));
}

TEST(drop_rows__leaves__the_same_rows_everywhere) {
    double got[N * D], *a = support_numbers(1, (size_t)N * D);
    es_rows rows;
    support_write_npy(pool_dir, "a.npy", N, D, a);
    write_with("b.npy", 2, 0, 1, (double)NAN);
    write_with("c.npy", 3, 17, 2, (double)INFINITY);
    es_pool *pool = open_with(&(es_pool_options){.drop_rows = true});
    settle(pool);
    assert_int_equal(es_pool_usable(pool), 3);
    assert_int_equal(es_pool_rows(pool), N - 2);
    assert_int_equal(es_pool_file_row(pool, 0), 1);
    assert_int_equal(es_pool_file_row(pool, 15), 16);
    assert_int_equal(es_pool_file_row(pool, 16), 18);
    read_all(pool, "a", &rows, got);
    assert_int_equal(rows.n, N - 2);
    assert_memory_equal(got, a + D, 16 * D * sizeof *a);
    assert_memory_equal(got + 16 * D, a + 18 * D, (N - 18) * D * sizeof *a);
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0), "2 of 40 rows");
    es_digest dropped = es_pool_rowset(pool);
    test_drop(pool);
    pool = open_with(&(es_pool_options){.models = "a"});
    settle(pool);
    assert_false(es_digest_equal(dropped, es_pool_rowset(pool)));
}

TEST(drop_rows__finds__columns_that_become_constant) {
    double *a = support_numbers(1, (size_t)N * D), got[N * D];
    es_rows rows;
    for (size_t i = 0; i < N; i++) {
        a[i * D + 1] = i == 7 ? 1 : 0; /* varies in row 7 only, which b makes us drop */
        a[i * D + 2] = i == 0 ? 1 : 0; /* and this one in the first, which stays */
    }
    support_write_npy(pool_dir, "a.npy", N, D, a);
    write_with("b.npy", 2, 7, 0, (double)NAN);
    es_pool *pool = open_with(&(es_pool_options){.drop_rows = true});
    settle(pool);
    assert_int_equal(model(pool, "a")->dropped_columns, 1);
    assert_int_equal(model(pool, "a")->dim_used, D - 1);
    read_all(pool, "a", &rows, got);
    assert_int_equal(rows.d, D - 1);
    assert_true(got[0] == a[0] && got[1] == a[2]);
    assert_true(got[7 * 2] == a[8 * D] && got[7 * 2 + 1] == a[8 * D + 2]);
}

TEST(drop_rows__excludes__what_has_no_finite_row) {
    double *a = support_numbers(1, (size_t)N * D);
    support_write_npy(pool_dir, "a.npy", N, D, a);
    for (size_t i = 0; i < N; i++)
        a[i * D] = (double)NAN;
    support_write_npy(pool_dir, "b.npy", N, D, a);
    es_pool *pool = open_with(&(es_pool_options){.drop_rows = true});
    settle(pool);
    assert_excluded(pool, "b", "40 of 40 rows");
    assert_int_equal(es_pool_rows(pool), N);
}

TEST(constant_columns__are__hidden_and_counted) {
    double *a = support_numbers(1, (size_t)N * D), got[N * D];
    es_rows rows;
    for (size_t i = 0; i < N; i++)
        a[i * D] = 1e9;
    support_write_npy(pool_dir, "a.npy", N, D, a);
    for (size_t i = 0; i < (size_t)N * D; i++)
        a[i] = 0.5;
    support_write_npy(pool_dir, "flat.npy", N, D, a);
    es_pool *pool = open_pool();
    settle(pool);
    assert_excluded(pool, "flat", "constant");
    assert_int_equal(model(pool, "a")->dropped_columns, 1);
    read_all(pool, "a", &rows, got);
    assert_int_equal(rows.d, D - 1);
    a = support_numbers(1, (size_t)N * D);
    for (size_t i = 0; i < N; i++)
        assert_true(got[2 * i] == a[i * D + 1] && got[2 * i + 1] == a[i * D + 2]);
}

TEST(huge_values__are__excluded) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    write_with("huge.npy", 2, 3, 1, 1e300);
    es_pool *pool = open_pool();
    settle(pool);
    assert_excluded(pool, "huge", "column 1");
}

TEST(duplicates__are__flagged_and_kept) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    support_write_random_npy(pool_dir, "b.npy", 2, N, D);
    support_write_random_npy(pool_dir, "c.npy", 1, N, D);
    es_pool *pool = open_pool();
    settle(pool);
    assert_int_equal(es_pool_usable(pool), 3);
    assert_int_equal(model(pool, "c")->duplicate_of, es_pool_find(pool, "a"));
    assert_int_equal(model(pool, "a")->duplicate_of, SIZE_MAX);
    assert_int_equal(model(pool, "b")->duplicate_of, SIZE_MAX);
}

TEST(settle__reports__nothing_usable) {
    write_with("a.npy", 1, 0, 0, (double)NAN);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_settle(pool, test_err()), ES_EINVAL); /* not checked yet */
    check_models(pool);
    assert_int_equal(es_pool_settle(pool, test_err()), ES_EEMPTY);
    es_rows rows;
    assert_int_equal(es_pool_rows_of(pool, 0, &rows, test_err()), ES_EINVAL);
    test_drop(pool);
    support_write_random_npy(pool_dir, "a.npy", 1, 19, D);
    pool = open_pool();
    check_models(pool);
    assert_error(es_pool_settle(pool, test_err()), ES_EEMPTY, "19");
    test_drop(pool);
    /* One embedder is a pool, if a poor one. */
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    pool = open_pool();
    settle(pool);
    assert_int_equal(es_pool_usable(pool), 1);
}

TEST(check__notices__a_file_that_changed) {
    es_model_check check;
    es_rows rows;
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    es_pool *pool = open_pool();
    support_write_random_npy(pool_dir, "a.npy", 1, N, D + 1);
    assert_ok(es_pool_check_model(pool, 0, NULL, &check, NULL));
    assert_int_equal(check.status, ES_EIO);
    assert_contains(check.reason, "a.npy: changed");
    es_model_check_deinit(&check);
    test_drop(pool);
    pool = open_pool();
    settle(pool);
    support_remove(es_pool_model(pool, 0)->path);
    assert_int_equal(es_pool_rows_of(pool, 0, &rows, test_err()), ES_ENOTFOUND);
}

/* In any column: they overflow or vanish once they are squared. */
TEST(check__scale__must_be_one_to_standardise) {
    static const struct {
        double scale;
        const char *part;
    } cases[] = {{1e300, "holds values too large to standardise"},
                 {1e-310, "varies, but by too little to standardise"}};
    char name[40], part[120];
    for (size_t k = 0; k < 2; k++)
        for (size_t j = 0; j < D; j += D - 1) {
            double *values = support_numbers(5, (size_t)N * D);
            for (size_t i = 0; i < N; i++)
                values[i * D + j] *= cases[k].scale;
            snprintf(name, sizeof name, "at%zu_%zu.npy", k, j);
            support_write_npy(pool_dir, name, N, D, values);
        }
    es_pool *pool = open_pool();
    check_models(pool);
    for (size_t k = 0; k < 2; k++)
        for (size_t j = 0; j < D; j += D - 1) {
            snprintf(name, sizeof name, "at%zu_%zu", k, j);
            snprintf(part, sizeof part, "column %zu (counted from 0) %s", j, cases[k].part);
            assert_excluded(pool, name, part);
        }
}

/* In a thread that flushes subnormal numbers, as those of a session do: their columns are not
 * constant, and what float32 holds of them can be standardised. */
TEST(check__subnormal_values__are_not_constant) {
    double *values = support_numbers(5, (size_t)N * D);
    float tiny[N * D];
    for (size_t i = 0; i < (size_t)N * D; i++) {
        tiny[i] = (float)(values[i] * 1e-40);
        values[i] *= 1e-310;
    }
    char header[96];
    snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
             (int)N, (int)D);
    support_write_npy(pool_dir, "double.npy", N, D, values);
    support_write_npy_raw(pool_dir, "float.npy", header, tiny, sizeof tiny);
    es_pool *pool = open_pool();
    unsigned before = es_cpu_denormals_keep();
    es_cpu_flush_denormals();
    check_models(pool);
    es_cpu_denormals_restore(before);
    assert_excluded(pool, "double", "column 0 (counted from 0) varies, but by too little");
    assert_int_equal(model(pool, "float")->state, ES_MODEL_READY);
    assert_int_equal(model(pool, "float")->dropped_columns, 0);
}

/* Whether this check of the first embedder looked at its values, and what it found. */
static bool looked(const char *path, es_looks *looks, bool drop_rows, es_model_check *out) {
    es_pool *pool = NULL;
    es_run run;
    es_run_view view;
    es_run_init(&run);
    const es_pool_options options = {.looks = looks, .drop_rows = drop_rows};
    assert_ok(es_pool_open(path, &options, &pool, NULL));
    assert_ok(es_pool_check_model(pool, 0, &run, out, NULL));
    assert_int_equal(out->status, ES_OK);
    es_pool_close(pool);
    es_run_look(&run, &view);
    return strcmp(view.doing, "reading it") != 0;
}

TEST(check__again__looks_at_the_same_file_once) {
    es_model_check first, second;
    es_looks *looks = es_looks_new();
    const bool jumps =
        getenv("ES_SHIM"); /* ./dev steady: an old file may seem new, a new one old */
    assert_non_null(looks);
    assert_true(looked(ES_SAMPLE_DATA "/molecules", looks, false, &first));
    assert_true(!looked(ES_SAMPLE_DATA "/molecules", looks, false, &second) || jumps);
    assert_true(es_digest_equal(first.digest, second.digest));
    assert_true(es_digest_equal(first.in_order, second.in_order));
    assert_true(first.norm_mean == second.norm_mean && first.norm_sd == second.norm_sd);
    assert_true(first.constant != second.constant && second.constant != NULL);
    es_model_check_deinit(&second);
    assert_true(looked(ES_SAMPLE_DATA "/molecules", looks, true, &second)); /* asked otherwise */
    es_model_check_deinit(&second);
    assert_true(looked(ES_SAMPLE_DATA "/molecules", NULL, false, &second));
    es_model_check_deinit(&second);
    es_model_check_deinit(&first);
    /* Who wrote just now may write again within the same tick of the clock. */
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    for (int i = 0; i < 2; i++) {
        assert_true(looked(pool_dir, looks, false, &second) || jumps);
        es_model_check_deinit(&second);
    }
    es_looks_free(looks);
}

TEST(looks__any_time_or_size__is_another_file) {
    enum { ROWS = 10, DIM = 3 };
    const es_digest what = {1, 2}, other = {1, 3};
    const es_map file = {.size = 10, .dev = 1, .ino = 2, .mtime_ns = 3, .ctime_ns = 4};
    bool constant[DIM] = {false, true, false};
    uint32_t bad[] = {4, 9}, varies[DIM] = {2, UINT32_MAX, 3};
    es_model_check in = {.digest = {5, 6}, .bad_rows = 2, .bad_row_list = bad}, out = {0};
    in.constant = constant;
    in.varies = varies;
    es_looks *looks = es_looks_new();
    assert_non_null(looks);
    assert_ptr_equal(es_looks_keep(looks), looks);
    es_looks_free(looks); /* one of two owners */
    assert_false(es_looks_find(looks, what, &file, ROWS, DIM, &out));
    es_looks_put(looks, what, &file, ROWS, DIM, &in);
    in.digest.lo = 7;
    es_looks_put(looks, what, &file, ROWS, DIM, &in); /* in its place */
    assert_false(es_looks_find(looks, other, &file, ROWS, DIM, &out));
    es_map changed[5] = {file, file, file, file, file};
    changed[0].size++;
    changed[1].dev++;
    changed[2].ino++;
    changed[3].mtime_ns++;
    changed[4].ctime_ns++;
    for (size_t i = 0; i < 5; i++)
        assert_false(es_looks_find(looks, what, &changed[i], ROWS, DIM, &out));
    assert_true(es_looks_find(looks, what, &file, ROWS, DIM, &out));
    assert_int_equal(out.digest.lo, 7);
    assert_memory_equal(out.constant, constant, sizeof constant);
    assert_memory_equal(out.varies, varies, sizeof varies);
    assert_memory_equal(out.bad_row_list, bad, sizeof bad);
    es_model_check_deinit(&out);
    for (long k = 0; k < 3; k++) { /* lists that cannot be copied: as if nothing were known */
        es_alloc_fail_after(k);
        assert_false(es_looks_find(looks, what, &file, ROWS, DIM, &out));
        es_alloc_fail_after(k);
        es_looks_put(looks, other, &file, ROWS, DIM, &in);
    }
    es_alloc_fail_after(-1);
    assert_false(es_looks_find(looks, other, &file, ROWS, DIM, &out));
    es_looks_free(looks);
    es_looks_put(NULL, what, &file, ROWS, DIM, &in);
    assert_false(es_looks_find(NULL, what, &file, ROWS, DIM, &out));
}

/* What another process has kept: found as it was put, and nothing of what is cut short or holds
 * what a look cannot hold. */
TEST(looks__packed__are_found_by_another_process) {
    enum { ROWS = 10, DIM = 3 };
    const es_digest what[2] = {{1, 2}, {3, 4}};
    const es_map file = {.size = 10, .dev = 1, .ino = 2, .mtime_ns = 3, .ctime_ns = 4};
    bool constant[DIM] = {false, true, false};
    uint32_t varies[DIM] = {2, UINT32_MAX, 3}, bad[] = {4};
    es_copy copies[] = {{9, 0}, {8, 7}};
    es_model_check in = {.digest = {5, 6}, .norm_mean = 1.5, .constant = constant}, out = {0};
    es_buf *bytes = test_buf();
    es_looks *looks = es_looks_new(), *others = NULL;
    es_looks_put(looks, what[0], &file, ROWS, DIM, &in);
    in.varies = varies;
    in.copy = copies;
    in.n_copies = 2;
    in.packed = 4;
    in.longest = (es_long_row){3, 1, 25};
    es_looks_put(looks, what[1], &file, ROWS, DIM, &in);
    es_looks_pack(looks, (es_digest){9, 9}, bytes); /* there is none */
    assert_int_equal(bytes->length, 0);
    es_looks_pack(looks, what[0], bytes);
    size_t first = bytes->length;
    es_looks_pack(looks, what[1], bytes);
    for (size_t cut = 0; cut <= bytes->length; cut++) {
        others = es_looks_new();
        es_looks_unpack(others, bytes->data, cut);
        assert_int_equal(es_looks_find(others, what[0], &file, ROWS, DIM, &out), cut >= first);
        assert_int_equal(out.packed, 0);
        es_model_check_deinit(&out);
        bool whole = es_looks_find(others, what[1], &file, ROWS, DIM, &out);
        assert_int_equal(whole, cut == bytes->length);
        if (whole) {
            assert_true(es_digest_equal(out.digest, in.digest) && out.norm_mean == 1.5);
            assert_int_equal(out.packed, 4);
            assert_memory_equal(&out.longest, &in.longest, sizeof in.longest);
            assert_memory_equal(out.constant, constant, sizeof constant);
            assert_memory_equal(out.varies, varies, sizeof varies);
            assert_int_equal(out.n_copies, 2);
            assert_memory_equal(out.copy, copies, sizeof copies);
            es_model_check_deinit(&out);
        }
        assert_false(es_looks_find(others, what[0], &file, ROWS + 1, DIM, &out));
        assert_false(es_looks_find(others, what[0], &file, ROWS, DIM - 1, &out));
        es_looks_free(others);
    }
    bytes->data[first - DIM] = 2; /* no bool */
    others = es_looks_new();
    es_looks_unpack(others, bytes->data, bytes->length);
    assert_false(es_looks_find(others, what[0], &file, ROWS, DIM, &out));
    es_looks_free(others);
    bytes->data[bytes->length - sizeof copies] = ROWS; /* no row */
    others = es_looks_new();
    es_looks_unpack(others, bytes->data + first, bytes->length - first);
    assert_false(es_looks_find(others, what[1], &file, ROWS, DIM, &out));
    es_looks_free(others);
    es_buf_clear(bytes);
    in.bad_row_list = bad; /* what excludes a file, or lists rows, is looked at again */
    in.bad_rows = 1;
    es_looks_put(looks, what[0], &file, ROWS, DIM, &in);
    es_looks_pack(looks, what[0], bytes);
    es_looks_pack(NULL, what[1], bytes);
    assert_int_equal(bytes->length, 0);
    es_looks_unpack(NULL, "x", 1);
    es_looks_free(looks);
}

TEST(check__cancel__ends_it) {
    es_model_check check = {0};
    es_run run;
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    es_pool *pool = open_pool();
    es_run_init(&run);
    es_run_cancel(&run);
    assert_int_equal(es_pool_check_model(pool, 0, &run, &check, NULL), ES_ECANCELED);
}

TEST(rowset__depends__on_rows_alone) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    es_pool *whole = open_pool(),
            *first = open_with(&(es_pool_options){.rows = {ES_ROWS_FIRST, 30}});
    es_pool *more = open_with(&(es_pool_options){.rows = {ES_ROWS_FIRST, N + 5}});
    settle(whole);
    settle(first);
    settle(more);
    assert_true(es_digest_equal(es_pool_rowset(whole), es_pool_rowset(more)));
    assert_false(es_digest_equal(es_pool_rowset(whole), es_pool_rowset(first)));
    assert_int_equal(es_pool_rows(more), N);
}

/* Columns that vary in few rows: which of them a sample sees was found when the contents were read,
 * and is what a look at the sample's own values finds. */
TEST(sample__columns__are_those_that_vary_in_it) {
    enum { ROWS = 400, COLUMNS = 5 };
    double *x = support_numbers(1, (size_t)ROWS * COLUMNS);
    for (size_t r = 0; r < ROWS; r++) {
        x[r * COLUMNS + 1] = 3;               /* never */
        x[r * COLUMNS + 2] = r == 17;         /* in one row */
        x[r * COLUMNS + 3] = (double)(r % 7); /* soon */
        x[r * COLUMNS + 4] = r % 40 == 0;
    }
    support_write_npy(pool_dir, "a.npy", ROWS, COLUMNS, x);
    bool in_larger[ROWS] = {false};
    for (size_t count = 320; count >= 20; count /= 2) {
        es_pool *pool = open_with(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, count}});
        bool varies[COLUMNS] = {false}, in_this[ROWS] = {false};
        settle(pool);
        assert_int_equal(es_pool_rows(pool), count);
        assert_int_equal(es_pool_rows_available(pool), ROWS);
        for (size_t i = 0; i < count; i++) {
            size_t row = es_pool_file_row(pool, i);
            assert_true(row < ROWS && !in_this[row]);
            assert_true(count == 320 || in_larger[row]); /* nested */
            in_this[row] = true;
            for (size_t j = 0; j < COLUMNS; j++)
                varies[j] |= x[row * COLUMNS + j] != x[es_pool_file_row(pool, 0) * COLUMNS + j];
        }
        memcpy(in_larger, in_this, sizeof in_larger);
        size_t used = 0;
        for (size_t j = 0; j < COLUMNS; j++)
            used += varies[j];
        assert_int_equal(model(pool, "a")->dim_used, used);
        test_drop(pool);
    }
}

/* A column that varies in the last row of a sample alone is in use there, and not with a row less.
 */
TEST(sample__last_row__alone_makes_a_column_vary) {
    enum { ROWS = 400, COLUMNS = 2, SAMPLE = 50 };
    double *x = support_numbers(1, (size_t)ROWS * COLUMNS);
    bool in_smaller[ROWS] = {false};
    size_t last = ROWS;
    support_write_npy(pool_dir, "a.npy", ROWS, COLUMNS, x);
    for (size_t count = SAMPLE - 1; count <= SAMPLE; count++) {
        es_pool *pool = open_with(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, count}});
        settle(pool);
        for (size_t i = 0; i < count; i++) {
            size_t row = es_pool_file_row(pool, i);
            last = in_smaller[row] ? last : row;
            in_smaller[row] |= count < SAMPLE;
        }
        test_drop(pool);
    }
    assert_true(last < ROWS);
    for (size_t r = 0; r < ROWS; r++)
        x[r * COLUMNS + 1] = r == last;
    support_write_npy(pool_dir, "a.npy", ROWS, COLUMNS, x);
    for (size_t count = SAMPLE - 1; count <= SAMPLE; count++) {
        es_pool *pool = open_with(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, count}});
        settle(pool);
        assert_int_equal(model(pool, "a")->dim_used, count == SAMPLE ? 2 : 1);
        test_drop(pool);
    }
}

TEST(sample__seed_and_bad_rows__are_minded) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    write_with("b.npy", 2, 3, 1, (double)NAN);
    es_pool *a = open_with(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, 30}, .drop_rows = true}),
            *b = open_with(
                &(es_pool_options){.rows = {ES_ROWS_SAMPLE, 30}, .drop_rows = true, .seed = 1}),
            *all = open_with(&(es_pool_options){.rows = {ES_ROWS_SAMPLE, N}, .drop_rows = true});
    settle(a);
    settle(b);
    settle(all);
    assert_int_equal(es_pool_rows(a), 30);
    assert_false(es_digest_equal(es_pool_rowset(a), es_pool_rowset(b)));
    for (size_t i = 0; i < 30; i++)
        assert_true(es_pool_file_row(a, i) != 3 && es_pool_file_row(b, i) != 3);
    assert_int_equal(es_pool_rows(all), N - 1);
    assert_int_equal(es_pool_warnings(all), 1);
}

typedef struct reader {
    const es_pool *pool;
    double sum;
    es_status status;
} reader;

static void *read_in_thread(void *context) {
    reader *r = context;
    for (size_t i = 0; i < es_pool_count(r->pool) && r->status == ES_OK; i++) {
        es_rows rows;
        double row[D];
        r->status = es_pool_rows_of(r->pool, i, &rows, NULL);
        for (uint32_t k = 0; r->status == ES_OK && k < rows.n; k++) {
            r->status = rows.read(rows.context, &k, 1, row, NULL);
            r->sum += row[0];
        }
    }
    return NULL;
}

TEST(rows_of__serves__many_threads) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    reader readers[THREADS];
    for (unsigned i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u.npy", i);
        support_write_random_npy(pool_dir, name, i, N, D);
    }
    es_pool *pool = open_pool();
    settle(pool);
    for (size_t i = 0; i < THREADS; i++) {
        readers[i] = (reader){pool, 0, ES_OK};
        assert_int_equal(pthread_create(&thread[i], NULL, read_in_thread, &readers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(readers[i].status, ES_OK);
        assert_true(readers[i].sum == readers[0].sum);
    }
}

TEST(texts_and_scores__are__optional) {
    const es_row_texts *texts = NULL;
    const es_scores *scores = NULL;
    support_write_random_npy(pool_dir, "a.npy", 1, 3, 2);
    es_pool *pool = open_pool();
    assert_ok(es_pool_texts(pool, &texts, NULL));
    assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
    assert_true(texts == NULL && scores == NULL);
    test_drop(pool);

    support_write_text(pool_dir, "rows.csv", "id,text\n1,one\n2,two\n3,three\n");
    support_write_text(pool_dir, "scores.csv", "model,task\na,0.5\n");
    pool = open_pool();
    assert_ok(es_pool_texts(pool, &texts, NULL));
    es_run off; /* called off and asked for again */
    es_run_init(&off);
    es_run_cancel(&off);
    assert_int_equal(es_pool_scores(pool, &off, &scores, NULL), ES_ECANCELED);
    assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
    assert_string_equal(es_row_texts_text(texts, 2), "three");
    assert_string_equal(scores->model[0], "a");
    assert_int_equal(es_pool_warnings(pool), 0);
    test_drop(pool);

    support_write_text(pool_dir, "rows.csv", "id,text\n1,one\n2,two\n"); /* one row short */
    support_write_text(pool_dir, "scores.csv", "model,task\na,0.5\na,0.6\n");
    pool = open_pool();
    assert_ok(es_pool_texts(pool, &texts, NULL));
    assert_null(texts);
    assert_ok(es_pool_texts(pool, &texts, NULL)); /* warns once */
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0), "rows.csv: 2 rows");
    assert_null(es_pool_scores_problem(pool));
    assert_ok(es_pool_scores(pool, NULL, &scores, test_err())); /* costs itself alone */
    assert_null(scores);
    assert_contains(es_pool_scores_problem(pool), "scores.csv: model 'a' is in line 2");
    assert_int_equal(es_pool_usable(pool), 1);
    assert_int_equal(es_pool_warnings(pool), 2);
    assert_contains(es_pool_warning(pool, 1), "the scores are not used: ");
}

/* Without scores.csv, MTEB's results; which way is better by pool.json. */
TEST(scores__of_mteb__and_directions) {
    const es_scores *scores = NULL;
    support_write_random_npy(pool_dir, "a.npy", 1, 40, 3);
    support_write_text(pool_dir, "results/a/rev/rmse.json",
                       "{\"scores\":{\"test\":[{\"main_score\":0.5}]}}");
    support_write_text(pool_dir, "results/a/rev/auc.json",
                       "{\"scores\":{\"test\":[{\"main_score\":0.7}]}}");
    support_write_text(pool_dir, "pool.json", "{\"lower_is_better\": [\"rmse\", \"other\"]}");
    es_pool *pool = open_pool();
    assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
    assert_non_null(scores);
    assert_int_equal(scores->tasks, 2);
    assert_false(es_score_is_lower_better(scores, 0));
    assert_true(es_score_is_lower_better(scores, 1));
    test_drop(pool);
    support_write_text(pool_dir, "pool.json", "{\"lower_is_better\": [1]}");
    refuse_pool(ES_EFORMAT, "lower_is_better[0]");
}

/* A header that nobody calls "id", with one row too few. */
TEST(texts__header_and_short__are_not_shown) {
    static const char *const files[] = {"number,words\n1,one\n2,two\n", "Id,x\nA,one\nB,two\n",
                                        "smiles\nCC\nCCC\n", "key,Text\nA,one\nB,two\n"};
    support_write_random_npy(pool_dir, "a.npy", 1, 3, 2);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const es_row_texts *texts = NULL;
        support_write_text(pool_dir, "rows.csv", files[i]);
        es_pool *pool = open_pool();
        assert_ok(es_pool_texts(pool, &texts, NULL));
        assert_null(texts);
        assert_int_equal(es_pool_warnings(pool), 1);
        test_drop(pool);
    }
    const es_row_texts *texts = NULL; /* no header at all is fine */
    support_write_text(pool_dir, "rows.csv", "a,one\nb,two\nc,three\n");
    es_pool *pool = open_pool();
    assert_ok(es_pool_texts(pool, &texts, NULL));
    assert_string_equal(es_row_texts_text(texts, 0), "one");
}

/* A misspelt key changes nothing, and that is told; others are anybody's. */
TEST(description__keys_near_to_known_ones__are_told) {
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "b.npy", 2, 30, 3);
    support_write_text(
        pool_dir, "pool.json",
        "{\"rows\": 31, \"lower_is_beter\": [], \"tasks\": 2, \"Name\": 1, \"models\": ["
        "{\"name\": \"a\", \"family\": \"Control\", \"url\": 1, \"Notes\": \"x\"},"
        "{\"name\": \"b\", \"famly\": \"x\", \"nam\": 1, \"Notes\": \"y\"}]}");
    es_pool *pool = open_pool();
    static const char *const expected[] = {
        ("pool.json: has a key 'lower_is_beter', which is not known; did you mean "
         "'lower_is_better'?"),
        "pool.json: has a key 'Name', which is not known; did you mean 'name'?",
        "pool.json: model 1 has a key 'Notes', which is not known; did you mean 'notes'?",
        "pool.json: model 2 has a key 'famly', which is not known; did you mean 'family'?",
        "pool.json: \"rows\" is 31, but the embedders have 30"};
    assert_int_equal(es_pool_warnings(pool), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(es_pool_warning(pool, i), expected[i]);
    assert_true(es_is_control(model(pool, "a")->family));
}

TEST(description__equal_names__are_told) {
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "b.npy", 2, 30, 3);
    support_write_text(pool_dir, "pool.json",
                       "{\"models\": [{\"name\": \"x\", \"file\": \"a.npy\"},"
                       " {\"name\": \"x\", \"file\": \"b.npy\"}]}");
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_count(pool), 2);
    assert_string_equal(es_pool_model(pool, 0)->name, "a.npy");
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0), "pool.json: 2 embedders are called \"x\"");
}

/* A file that shrinks, or is written to, while it is mapped: an error of that embedder. */
TEST(contents__cut_while_mapped__are_an_error) {
    enum { ROWS = 2000, COLUMNS = 8 };
    es_rows a = {0}, b = {0};
    uint32_t row[ROWS];
    double *out = test_keep(malloc(ROWS * COLUMNS * sizeof *out), free);
    for (uint32_t i = 0; i < ROWS; i++)
        row[i] = ROWS - 1 - i;
    support_write_random_npy(pool_dir, "a.npy", 1, ROWS, COLUMNS);
    support_write_random_npy(pool_dir, "b.npy", 2, ROWS, COLUMNS);
    es_pool *pool = open_pool();
    settle(pool);
    assert_ok(es_pool_rows_of(pool, 0, &a, NULL));
    assert_ok(es_pool_rows_of(pool, 1, &b, NULL));
    assert_ok(a.read(a.context, row, ROWS, out, NULL));
    support_mend_maps();
    assert_int_equal(truncate(support_in(pool_dir, "a.npy"), 9000), 0);
    assert_error(a.read(a.context, row, ROWS, out, test_err()), ES_EIO, "a.npy: was cut short");
    assert_ok(b.read(b.context, row, ROWS, out, NULL));
}

/* What was half read for want of memory is let go of, and read anew by who asks again. */
TEST(scores__out_of_memory__are_read_anew) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    support_write_text(pool_dir, "rows.csv", "id,text\n1,one\n");
    support_write_text(pool_dir, "scores.csv", "model,t,u\na,0.5,1\n");
    support_write_text(pool_dir, "models.csv", "model,params\na,7\n");
    support_write_text(pool_dir, "tasks.csv", "task,category,better\nu,x,lower\n");
    support_write_text(pool_dir, "pool.json", "{\"lower_is_better\": [\"u\", \"t\"]}");
    bool met = true;
    for (long k = 0; met; k++) {
        const es_row_texts *texts = NULL;
        const es_scores *scores = NULL, *known = NULL;
        es_pool *pool = open_pool();
        settle(pool);
        refuse_one(k);
        es_status each[] = {es_pool_scores(pool, NULL, &scores, NULL),
                            es_pool_texts(pool, &texts, NULL), es_pool_models(pool, &known, NULL)};
        met = refuse_end();
        for (size_t i = 0; i < sizeof each / sizeof *each; i++)
            assert_true(each[i] == ES_OK || (met && each[i] == ES_ENOMEM));
        assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
        assert_ok(es_pool_texts(pool, &texts, NULL));
        assert_ok(es_pool_models(pool, &known, NULL));
        assert_true(scores && scores->tasks == 2 && es_score_is_lower_better(scores, 1));
        assert_true(known && known->tasks == 1);
        test_drop(pool);
    }
}

TEST(pool__reports__every_failed_allocation) {
    support_write_random_npy(pool_dir, "a.npy", 1, N, D);
    write_with("b.npy", 2, 3, 1, (double)NAN);
    support_write_random_npy(pool_dir, "sub/b.npy", 3, N, D);
    support_write_text(pool_dir, "odd.npy", "?");
    bool met = true;
    for (long k = 0; met; k++) {
        es_pool *pool = NULL;
        es_rows rows;
        refuse_one(k);
        es_status st = es_pool_open(pool_dir, &(es_pool_options){.drop_rows = true, .models = "*"},
                                    &pool, NULL);
        for (size_t i = 0; st == ES_OK && i < es_pool_count(pool); i++) {
            es_model_check check = {0};
            if (es_pool_model(pool, i)->state == ES_MODEL_EXCLUDED)
                continue;
            st = es_pool_check_model(pool, i, NULL, &check, NULL);
            if (st == ES_OK)
                st = es_pool_apply(pool, i, &check, NULL);
            es_model_check_deinit(&check);
        }
        if (st == ES_OK)
            st = es_pool_settle(pool, NULL);
        if (st == ES_OK)
            st = es_pool_rows_of(pool, es_pool_find(pool, "a"), &rows, NULL);
        met = refuse_end();
        assert_true(met || st == ES_OK);
        if (st == ES_OK) {
            assert_int_equal(es_pool_usable(pool), 3);
            assert_int_equal(es_pool_rows(pool), N - 1);
        }
        es_pool_close(pool);
        assert_true(st == ES_OK || st == ES_ENOMEM);
    }
}

TEST(sample_pool__opens__whole) {
    es_pool *pool = NULL;
    const es_scores *scores = NULL;
    const es_row_texts *texts = NULL;
    assert_ok(es_pool_open(ES_SAMPLE_DATA "/molecules", NULL, &pool, NULL));
    settle(pool);
    assert_int_equal(es_pool_usable(pool), es_pool_count(pool));
    assert_int_equal(es_pool_count(pool), 14);
    assert_int_equal(es_pool_rows(pool), 1500);
    assert_ok(es_pool_scores(pool, NULL, &scores, NULL));
    assert_ok(es_pool_texts(pool, &texts, NULL));
    assert_non_null(scores);
    assert_int_equal(texts->count, 1500);
    assert_string_equal(model(pool, "maccs_167")->family, "keys");
    es_pool_close(pool);
}

/* ---- several data sets ---- */

TEST(folders__of_one_name__are_asked_about) {
    es_words pools = {0};
    support_write_random_npy(pool_dir, "one/e5.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "two/e5.npy", 2, 30, 3);
    es_pool *pool = open_pool();
    assert_int_equal(es_pool_usable(pool), 2);
    assert_contains(es_pool_folders_question(pool), "one/e5 and two/e5 have one name");
    test_drop(pool);
    assert_ok(es_pool_folders(pool_dir, &pools, NULL));
    assert_int_equal(pools.count, 0);
    support_write_text(pool_dir, "pool.json", "{\"same_rows\": true}");
    pool = open_pool();
    assert_null(es_pool_folders_question(pool));
    assert_int_equal(es_pool_warnings(pool), 0);
}

TEST(folders__of_other_names__are_said) {
    support_write_random_npy(pool_dir, "intfloat/e5.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "thenlper/gte.npy", 2, 30, 3);
    es_pool *pool = open_pool();
    assert_null(es_pool_folders_question(pool));
    assert_int_equal(es_pool_warnings(pool), 1);
    assert_contains(es_pool_warning(pool, 0), "intfloat, thenlper: 2 folders");
}

static size_t count_folders(void) {
    es_words pools = {0};
    assert_ok(es_pool_folders(pool_dir, &pools, NULL));
    size_t count = pools.count;
    es_words_deinit(&pools);
    return count;
}

TEST(folders__that_are_pools__are_found) {
    support_write_random_npy(pool_dir, "one/e5.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "two/e5.npy", 2, 40, 3);
    support_write_text(pool_dir, "notes/README.txt", "no embedders here\n");
    assert_int_equal(count_folders(), 2); /* over different numbers of rows */
    support_write_random_npy(pool_dir, "two/e5.npy", 2, 30, 3);
    assert_int_equal(count_folders(), 0);
    support_write_text(pool_dir, "one/rows.csv", "id,text\n");
    assert_int_equal(count_folders(), 0);
    support_write_text(pool_dir, "two/pool.json", "{}");
    assert_int_equal(count_folders(), 2); /* both say that they are pools */
    support_write_random_npy(pool_dir, "here.npy", 3, 30, 3);
    assert_int_equal(count_folders(), 0); /* an embedder beside them */
}

TEST(sets__of_rows__choose_rows) {
    es_words sets = {0};
    es_pool *pool = NULL;
    char path[SUPPORT_PATH], text[2048] = "id,text,set\n";
    for (int i = 0; i < 90; i++) {
        char line[32];
        (void)snprintf(line, sizeof line, "%d,t%d,%s\n", i, i,
                       i % 3 == 0   ? "x"
                       : i % 3 == 1 ? "y"
                                    : "");
        strcat(text, line);
    }
    support_write_random_npy(pool_dir, "a.npy", 1, 90, 3);
    support_write_random_npy(pool_dir, "b.npy", 2, 90, 3);
    support_write_text(pool_dir, "rows.csv", text);
    pool = open_with(&(es_pool_options){.set_rows = "y"});
    assert_int_equal(es_pool_rows(pool), 30);
    assert_ok(es_pool_sets(pool, &sets, NULL));
    assert_int_equal(sets.count, 2);
    assert_string_equal(sets.word[0], "x");
    assert_string_equal(sets.word[1], "y");
    es_words_deinit(&sets);
    settle(pool);
    assert_int_equal(es_pool_rows(pool), 30);
    assert_int_equal(es_pool_file_row(pool, 0), 1);
    assert_int_equal(es_pool_file_row(pool, 29), 88);
    assert_int_equal(es_pool_warnings(pool), 0);
    assert_int_equal(es_pool_rows_dropped(pool), 0); /* those of other sets are not asked for */
    assert_string_equal(es_pool_name(pool), "pool/y");
    test_drop(pool);
    double odd[90 * 3];
    for (size_t k = 0; k < 90 * 3; k++)
        odd[k] = k == 3 * 4 || k == 3 * 5 ? (double)NAN : sin((double)(k * k));
    support_write_npy(pool_dir, "c.npy", 90, 3, odd); /* of row 4, of y, and of row 5, of none */
    pool = open_with(&(es_pool_options){.set_rows = "y", .drop_rows = true});
    settle(pool);
    assert_true(es_pool_rows(pool) == 29 && es_pool_rows_dropped(pool) == 1);
    test_drop(pool);
    assert_int_equal(unlink(support_path(path, pool_dir, "c.npy")), 0);
    /* nearly all of a set, drawn: its rows and no others, the first and the last among them */
    pool = open_with(&(es_pool_options){.set_rows = "x", .rows = {ES_ROWS_SAMPLE, 29}, .seed = 1});
    settle(pool);
    assert_int_equal(es_pool_rows(pool), 29);
    for (size_t i = 0; i < 29; i++)
        assert_int_equal(es_pool_file_row(pool, i) % 3, 0);
    assert_int_equal(es_pool_file_row(pool, 0), 0);
    assert_int_equal(es_pool_file_row(pool, 28), 87);
    test_drop(pool);
    assert_error(es_pool_open(pool_dir, &(es_pool_options){.set_rows = "z"}, &pool, test_err()),
                 ES_ENOTFOUND, "'z'; there are x, y");
    assert_lacks(test_message(), "...");
    char long_name[101];
    memset(long_name, 'z', 100);
    long_name[100] = '\0';
    assert_int_equal(
        es_pool_open(pool_dir, &(es_pool_options){.set_rows = long_name}, &pool, test_err()),
        ES_ENOTFOUND);
    const char *shown = strstr(test_message(), "'zz");
    assert_non_null(shown);
    assert_int_equal(strspn(shown + 1, "z"), 80);
}

/* A message names eight of them and says that there are more. */
TEST(sets__unknown_one_of_many__names_eight) {
    support_write_random_npy(pool_dir, "a.npy", 1, 30, 3);
    for (int sets = 8; sets <= 9; sets++) {
        es_pool *pool = NULL;
        char text[1024] = "id,set\n";
        for (int i = 0; i < 30; i++) {
            char line[32];
            (void)snprintf(line, sizeof line, "%d,s%d\n", i, i % sets + 1);
            strcat(text, line);
        }
        support_write_text(pool_dir, "rows.csv", text);
        assert_int_equal(
            es_pool_open(pool_dir, &(es_pool_options){.set_rows = "z"}, &pool, test_err()),
            ES_ENOTFOUND);
        const char *list = strstr(test_message(), "there are ");
        assert_non_null(list);
        assert_string_equal(list, sets == 8 ? "there are s1, s2, s3, s4, s5, s6, s7, s8"
                                            : "there are s1, s2, s3, s4, s5, s6, s7, s8, ...");
    }
}

/* Whatever they say of themselves, where one asks for all that hold embedders. */
TEST(folders__all_of_them__are_listed) {
    es_words pools = {0};
    support_write_random_npy(pool_dir, "b10/e5.npy", 1, 30, 3);
    support_write_random_npy(pool_dir, "b9/e5.npy", 2, 30, 3);
    support_write_text(pool_dir, "notes/README.txt", "no embedders here\n");
    assert_ok(es_pool_all_folders(pool_dir, &pools, NULL));
    assert_int_equal(pools.count, 2);
    assert_string_equal(pools.word[0], support_in(pool_dir, "b9"));
    assert_string_equal(pools.word[1], support_in(pool_dir, "b10"));
    es_words_deinit(&pools);
}

TEST(pool__name_of_one_letter__is_a_name) {
    char folder[SUPPORT_PATH];
    es_pool *pool = NULL;
    support_write_random_npy(root, "p/a.npy", 1, 30, 3);
    assert_ok(es_pool_open(support_path(folder, root, "p"), NULL, &pool, NULL));
    assert_string_equal(es_pool_name(pool), "p");
    es_pool_close(pool);
    support_write_text(folder, "pool.json", "{\"name\": \"q\", \"modality\": \"r\"}");
    assert_ok(es_pool_open(folder, NULL, &pool, NULL));
    assert_string_equal(es_pool_name(pool), "q");
    assert_string_equal(es_pool_modality(pool), "r");
    es_pool_close(pool);
}
