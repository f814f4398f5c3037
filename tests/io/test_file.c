/* Mapping, reading and replacing files; recognising formats. */
#include "io_test.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

TEST_GROUP(make_test_dir, remove_test_dir);

TEST(map__open__gives_bytes_and_identity) {
    const char *path = write_text("a.bin", "hello");
    es_map map = {0}, same = {0};
    assert_ok(es_map_open(path, ES_FILE_NOFOLLOW, &map, test_err()));
    assert_int_equal(map.size, 5);
    assert_memory_equal(map.data, "hello", 5);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(map.ino, info.st_ino);
    assert_true(map.mtime_ns / 1000000000 == (int64_t)info.st_mtim.tv_sec);
    assert_ok(es_file_identify(path, 0, &same, test_err()));
    assert_true(same.mtime_ns == map.mtime_ns && same.size == 5 && !same.data);
    es_map_close(&map);
    assert_null(map.data);
    es_map_close(&map);
}

TEST(map__open__takes_empty_files) {
    es_map map = {.size = 7};
    assert_ok(es_map_open(write_text("empty", ""), 0, &map, NULL));
    assert_int_equal(map.size, 0);
    assert_null(map.data);
    es_map_close(&map);
}

/* SIGBUS, except the watch. */
TEST(map__cut_short__reads_zeros_and_tells) {
    enum { PAGES = 3 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE), sum = 0;
    char *text = test_keep(malloc(PAGES * page + 1), free);
    memset(text, 'x', PAGES * page);
    text[PAGES * page] = '\0';
    const char *path = write_text("cut", text);
    es_map map = {0}, other = {0};
    assert_ok(es_map_open(path, 0, &map, NULL));
    assert_ok(es_map_open(path, 0, &other, NULL));
    assert_ok(es_map_check(&map, path, NULL));
    support_mend_maps();
    assert_int_equal(truncate(path, (off_t)page), 0);
    for (size_t i = 0; i < map.size; i++)
        sum += map.data[i];
    assert_int_equal(sum, page * 'x');
    assert_error(es_map_check(&map, path, test_err()), ES_EIO, "cut short");
    es_map_close(&map);
    assert_int_equal(es_map_check(&other, path, test_err()), ES_EIO); /* by its size */
    es_map_close(&other);
    assert_ok(es_map_open(write_text("whole", text), 0, &map, NULL));
    assert_ok(es_map_check(&map, in_dir("whole"), NULL)); /* a used node is clean */
    es_map_close(&map);
    assert_false(es_map_mend(text));
}

TEST(write__devices_and_pipes__take_the_bytes) {
    struct stat info;
    char path[1024], text[8] = "", link_path[1024];
    assert_ok(es_file_write("/dev/null", "x", 1, 0666, NULL));
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_ok(es_file_write(path, "hello", 5, 0666, NULL));
    assert_int_equal(read(ends[0], text, sizeof text), 5);
    assert_memory_equal(text, "hello", 5);
    close(ends[0]);
    close(ends[1]);
    snprintf(path, sizeof path, "%s", in_dir("new.csv"));
    assert_ok(es_file_write(path, "a", 1, 0666, NULL));
    assert_ok(es_file_write(path, "b", 1, 0666, NULL)); /* replaced */
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 1);
    snprintf(link_path, sizeof link_path, "%s", in_dir("link.csv"));
    assert_int_equal(symlink(path, link_path), 0);
    assert_int_equal(es_file_write(link_path, "c", 1, 0666, NULL), ES_EIO); /* left alone */
}

/* A file below /dev is a file, unless it is the name of one that is open. */
TEST(write__shared_memory__is_replaced) {
    char path[64], *text = NULL;
    snprintf(path, sizeof path, "/dev/shm/es_test_file_%ld", (long)getpid());
    if (access("/dev/shm", W_OK) != 0)
        skip();
    assert_ok(es_file_write(path, "long", 4, 0666, NULL));
    assert_ok(es_file_write(path, "x", 1, 0666, NULL));
    assert_ok(es_file_read(path, 0, 100, &text, NULL, NULL));
    assert_string_equal(text, "x");
    es_free(text);
    unlink(path);
}

TEST(map__replaced__is_still_whole) {
    es_map map = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s", write_text("old", "hello"));
    assert_ok(es_map_open(path, 0, &map, NULL));
    assert_ok(es_file_replace(path, "x", 1, 0600, NULL));
    assert_memory_equal(map.data, "hello", 5);
    assert_ok(es_map_check(&map, path, NULL));
    assert_int_equal(unlink(path), 0);
    assert_ok(es_map_check(&map, path, NULL));
    es_map_close(&map);
}

TEST(map__open__refuses_what_is_no_file) {
    es_map map = {.size = 7};
    assert_error(es_map_open(in_dir("missing.npy"), 0, &map, test_err()), ES_ENOTFOUND,
                 "missing.npy: no such file");
    assert_error(es_map_open(test_dir, 0, &map, test_err()), ES_EIO, "is a directory");
    const char *fifo = in_dir("fifo"); /* must not wait for a writer */
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_error(es_map_open(fifo, 0, &map, test_err()), ES_EIO, "not a regular file");
    const char *link_path = in_dir("link");
    assert_int_equal(symlink("a.bin", link_path), 0);
    assert_error(es_map_open(link_path, ES_FILE_NOFOLLOW, &map, test_err()), ES_EIO,
                 "symbolic link");
    assert_int_equal(es_file_identify(link_path, ES_FILE_NOFOLLOW, &map, test_err()), ES_EIO);
    assert_int_equal(map.size, 7);
    assert_ok(es_map_open(link_path, 0, &map, test_err()));
    es_map_close(&map);
}

TEST(file__read__obeys_the_limit) {
    const char *path = write_text("b.txt", "0123456789");
    char *text = NULL;
    size_t length = 0;
    assert_error(es_file_read(path, 0, 9, &text, &length, test_err()), ES_EINVAL,
                 "b.txt: has 10 bytes; at most 9");
    assert_null(text);
    assert_ok(es_file_read(path, 0, 10, &text, &length, test_err()));
    assert_int_equal(length, 10);
    assert_string_equal(text, "0123456789");
    es_free(text);
    text = NULL;
    es_alloc_fail_after(0);
    assert_int_equal(es_file_read(path, 0, 10, &text, NULL, test_err()), ES_ENOMEM);
    assert_null(text);
}

static void check_content(const char *path, const char *expected) {
    char *text = NULL;
    assert_ok(es_file_read(path, 0, 1000, &text, NULL, NULL));
    assert_string_equal(text, expected);
    es_free(text);
}

static int count_entries(void) {
    int count = 0;
    DIR *dir = opendir(test_dir);
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    (void)closedir(dir);
    return count;
}

TEST(file__replace__is_whole_and_leaves_nothing) {
    const char *path = in_dir("out.json");
    struct stat info;
    assert_ok(es_file_replace(path, "one", 3, 0600, test_err()));
    check_content(path, "one");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    int before = count_entries();
    assert_ok(es_file_replace(path, "two", 3, 0600, test_err()));
    check_content(path, "two");
    for (long k = 0; k < 2; k++) {
        es_alloc_fail_after(k);
        assert_int_equal(es_file_replace(path, "three", 5, 0600, test_err()), ES_ENOMEM);
    }
    es_alloc_fail_after(-1);
    check_content(path, "two");
    assert_int_equal(count_entries(), before);
}

/* A program that was started without a standard input gets files of that number. */
TEST(file__temporary__may_be_number_0) {
    int kept = dup(STDIN_FILENO), before = count_entries();
    char *name = NULL;
    if (kept < 0)
        skip();
    assert_int_equal(close(STDIN_FILENO), 0);
    errno = EEXIST; /* of something before */
    assert_int_equal(es_file_temporary(test_dir, 0600, &name), STDIN_FILENO);
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(kept), 0);
    assert_int_equal(count_entries(), before + 1);
    assert_int_equal(unlink(name), 0);
    es_free(name);
}

/* Only what was left by a killed writer goes: ours by name, plain, and older than a day. Neither
 * the clock of another machine nor one that jumps here costs a file that is being written. */
TEST(file__sweep__takes_what_was_left_long_ago) {
    enum { DAY = 86400 };
    char alive[64];
    (void)snprintf(alive, sizeof alive, ".embedscope-%ld-0.tmp", (long)getpid());
    const struct {
        const char *name;
        int age;
        bool stays;
    } files[] = {{".embedscope-99999999-0.tmp", 9 * DAY, false}, /* a process that cannot be */
                 {".embedscope-99999999-1.tmp", -9 * DAY, true},
                 {alive, 9 * DAY, true},
                 {".embedscope-99999999-0.tmp.npy", 9 * DAY, true},
                 {".embedscope-x-0.tmp", 9 * DAY, true},
                 {"matrix.npy", 9 * DAY, true}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct timespec times[2];
        const char *path = write_text(files[i].name, "x");
        clock_gettime(CLOCK_REALTIME, &times[0]);
        times[0].tv_sec -= files[i].age;
        times[1] = times[0];
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    const char *link_path = in_dir(".embedscope-99999999-2.tmp"),
               *dir = in_dir(".embedscope-99999999-3.tmp");
    assert_int_equal(symlink("matrix.npy", link_path), 0);
    assert_int_equal(mkdir(dir, 0700), 0);
    es_file_sweep(test_dir);
    struct stat info;
    assert_int_equal(lstat(link_path, &info), 0);
    assert_int_equal(rmdir(dir), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(access(in_dir(files[i].name), F_OK), files[i].stays ? 0 : -1);
    es_file_sweep(in_dir("nowhere"));
}

TEST(file__replace__leaves_links_and_directories_alone) {
    const char *target = write_text("target", "kept"), *link_path = in_dir("link2");
    assert_int_equal(symlink("target", link_path), 0);
    assert_error(es_file_replace(link_path, "x", 1, 0600, test_err()), ES_EIO,
                 "link2: is not a regular file");
    check_content(target, "kept");
    assert_int_equal(es_file_replace(test_dir, "x", 1, 0600, test_err()), ES_EIO);
    assert_int_equal(es_file_replace(in_dir("none/x"), "x", 1, 0600, test_err()), ES_ENOTFOUND);
}

TEST(dir__make__makes_parents) {
    char path[600];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/p/q//r/", test_dir);
    assert_ok(es_dir_make(path, test_err()));
    assert_ok(es_dir_make(path, test_err()));
    assert_int_equal(stat(in_dir("p/q"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_ok(es_dir_make("/", test_err()));
    write_text("plain", "x");
    assert_error(es_dir_make(in_dir("plain/q"), test_err()), ES_EIO, "plain: is not a directory");
    assert_int_equal(rmdir(in_dir("p/q/r")), 0);
    assert_int_equal(rmdir(in_dir("p/q")), 0);
    assert_int_equal(rmdir(in_dir("p")), 0);
}

TEST(path_label__cuts_at_the_front) {
    char label[ES_PATH_LABEL], path[5000];
    assert_string_equal(es_path_label(label, "pool/e5.npy"), "pool/e5.npy");
    assert_string_equal(es_path_label(label, "a\x1b[2Jb"), "a\xEF\xBF\xBD[2Jb");
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 13, "\xC3\xA9/small.npy", 13);
    es_path_label(label, path);
    assert_memory_equal(label, "\xE2\x80\xA6x", 4);
    assert_string_equal(label + strlen(label) - 12, "\xC3\xA9/small.npy");
    memset(path, '\x01', sizeof path - 1); /* every byte triples */
    assert_true(strlen(es_path_label(label, path)) < ES_PATH_LABEL);
    memset(path, '\xBF', sizeof path - 1); /* nothing but continuation bytes */
    assert_true(strlen(es_path_label(label, path)) < ES_PATH_LABEL);
}

static es_format format_of(const void *bytes, size_t size) {
    es_map map = {.data = bytes, .size = size};
    return es_format_of(&map);
}

#define FORMAT_OF(literal) format_of(literal, sizeof(literal) - 1)

TEST(format__of__knows_first_bytes) {
    assert_int_equal(FORMAT_OF(""), ES_FILE_EMPTY);
    assert_int_equal(FORMAT_OF("\x93NUMPY\1\0"), ES_FILE_NPY);
    assert_int_equal(FORMAT_OF("PK\3\4............model/data.pkl..."), ES_FILE_TORCH);
    assert_int_equal(FORMAT_OF("PK\3\4............arr_0.npy..."), ES_FILE_NPZ);
    assert_int_equal(FORMAT_OF("PK\3\4............readme.txt..."), ES_FILE_ZIP);
    assert_int_equal(FORMAT_OF("\x80\x02\x8a\nl\xfc\x9c"
                               "F\xf9 j\xa8P\x19.\x80\x02M"),
                     ES_FILE_TORCH);
    assert_int_equal(FORMAT_OF("\x80\x04\x95\0\0\0"), ES_FILE_PICKLE);
    assert_int_equal(FORMAT_OF("\x89HDF\r\n\x1a\n"), ES_FILE_HDF5);
    assert_int_equal(FORMAT_OF("MATLAB 7.3 MAT-file, Platform"), ES_FILE_HDF5);
    assert_int_equal(FORMAT_OF("MATLAB 5.0 MAT-file, Platform"), ES_FILE_MAT);
    assert_int_equal(FORMAT_OF("MATLAB 7.3 MAT-files"), ES_FILE_HDF5);
    assert_int_equal(FORMAT_OF("MATLAB 7.3 MAT-film and other text"), ES_FILE_TEXT);
    assert_int_equal(FORMAT_OF("MATLAB 5.0 MAT-film and other text"), ES_FILE_TEXT);
    assert_int_equal(FORMAT_OF("\xff\xfei\0d\0"), ES_FILE_UTF16);
    assert_int_equal(FORMAT_OF("\xfe\xff\0i\0d"), ES_FILE_UTF16);
    assert_int_equal(FORMAT_OF("\x1f\x8b\x08"), ES_FILE_GZIP);
    assert_int_equal(FORMAT_OF("\2\0\0\0\0\0\0\0{}"), ES_FILE_SAFETENSORS);
    assert_int_equal(FORMAT_OF("\x09\0\0\0\0\0\0\0{}"), ES_FILE_UNKNOWN);
    assert_int_equal(FORMAT_OF("a,b\n1,2\n"), ES_FILE_TEXT);
    assert_int_equal(FORMAT_OF("version https://git-lfs.github.com/spec/v1\n"), ES_FILE_POINTER);
    assert_int_equal(FORMAT_OF("version https://git-lfs"), ES_FILE_TEXT);
    assert_int_equal(FORMAT_OF("../.git/annex/objects/x"), ES_FILE_ANNEX);
    assert_int_equal(FORMAT_OF("\xef\xbb\xbf\n<!DocType HTML>"), ES_FILE_HTML);
    assert_int_equal(FORMAT_OF("<?xml version"), ES_FILE_XML);
    assert_int_equal(FORMAT_OF("\xba\x16\x4f\x2f"), ES_FILE_FASTTEXT);
    assert_int_equal(FORMAT_OF("\xff\xff\xff\xff\x08\0\0\0\x10\0\0\0\0\0\0\0"),
                     ES_FILE_ARROW_STREAM);
    assert_int_equal(FORMAT_OF("\xff\xff\xff\xff\x09\0\0\0\x10\0\0\0\0\0\0\0"),
                     ES_FILE_UNKNOWN); /* NaN, or numbers of another kind */
    assert_int_equal(FORMAT_OF("\x80\x04\x95\x10pandas.core.frame"), ES_FILE_FRAME);
    assert_int_equal(FORMAT_OF("PK\3\4 x/data.pkl ... mean_representations"), ES_FILE_ESM);
    assert_int_equal(FORMAT_OF("\0\0\0"), ES_FILE_UNKNOWN);
    assert_int_equal(FORMAT_OF("P"), ES_FILE_TEXT);
}

TEST(format__of__finds_the_pickle_in_a_large_archive) {
    size_t size = 300000;
    char *bytes = test_keep(es_alloc_zero(size, 1), es_free);
    memcpy(bytes, (const char[]){'P', 'K', 3, 4}, 4);
    (void)snprintf(bytes + size - 100, 100, "x/data.pkl");
    assert_int_equal(format_of(bytes, size), ES_FILE_TORCH);
}

TEST(format__refuse__gives_a_command_safe_to_paste) {
    assert_error(es_format_refuse(ES_FILE_TORCH, "pool/e5.pt", "an .npy file", test_err()),
                 ES_EUNSUPPORTED,
                 "pool/e5.pt: is a PyTorch archive; convert it: python3 -c \"import torch");
    assert_contains(test_message(), "np.savez('pool/e5.npz', **(d if");
    es_format_refuse(ES_FILE_TORCH, "e5.npy", "an .npy file", test_err());
    assert_contains(test_message(), "np.savez('e5.npz'");
    es_format_refuse(ES_FILE_HDF5, "x');__import__('os').system('id", "an .npy file", test_err());
    assert_contains(test_message(), "h5py.File('FILE')");
    es_format_refuse(ES_FILE_HDF5, "-x.h5", "an .npy file",
                     test_err()); /* no option of a program */
    assert_contains(test_message(), "h5py.File('FILE')");
    es_format_refuse(ES_FILE_HDF5, "x-1.h5", "an .npy file", test_err());
    assert_contains(test_message(), "h5py.File('x-1.h5')");
    char path[102] = "";
    for (size_t length = 100; length <= 101; length++) { /* a line that can still be read */
        memset(path, 'x', length);
        es_format_refuse(ES_FILE_HDF5, path, "an .npy file", test_err());
        assert_int_equal(strstr(test_message(), "h5py.File('FILE')") != NULL, length > 100);
    }
    assert_error(es_format_refuse(ES_FILE_EMPTY, "a.npy", "an .npy file", test_err()), ES_EFORMAT,
                 "a.npy: is empty, expected an .npy file");
    assert_int_equal(es_format_refuse(ES_FILE_UNKNOWN, "a.npy", "an .npy file", test_err()),
                     ES_EFORMAT);
    for (int f = 0; f < ES_FILE_COUNT; f++) /* every format has something to say, in one line */
        if (f != ES_FILE_EMPTY) {
            es_format_refuse((es_format)f, "a.npy", "an .npy file", test_err());
            assert_true(strlen(test_message()) > 20 && strlen(test_message()) < 600);
        }
    es_alloc_fail_after(0);
    assert_int_equal(es_format_refuse(ES_FILE_TORCH, "e5.pt", "an .npy file", test_err()),
                     ES_ENOMEM);
}
