/* Files as a whole: mapped for reading, read into memory, replaced atomically.
 *
 * io at a glance
 *   file.h         this
 *   map_watch.h    mapped files that are cut short
 *   reading.h      how far a file is read
 *   format.h       recognises files by their first bytes; how to convert what is not read
 *   array.h        2-D numeric arrays in a mapped file or in memory: read as double, statistics
 *   npy.h          .npy
 *   table.h        csv and tsv, read and written
 *   cells.h        their cells in one pass
 *   lines.h        lines and numbers of large text files
 *   rows.h         rows.csv
 *   row_ids.h      who the rows are; rows of one list found in another
 *   scores.h       scores.csv
 *   labels.h       labels.csv, pairs.csv, pairs_graded.csv, qrels.csv
 *   json.h         JSON, read with located errors, and written as a stream
 *   digest.h       128-bit content digests
 * and in readers, files of embedders
 *   loader.h       any of them by its name's ending, and where to add a format
 *   converted.h    values that cannot be used where they lie
 *   safetensors.h  .safetensors, read and written
 *   cmim_file.h    trained embedders
 *   npz.h          .npz
 *   table_array.h  matrices in csv and tsv
 *   jsonl.h        .jsonl
 *   word_vectors.h word2vec's two formats, GloVe's, numbers in lines
 *
 * Paths are raw bytes; messages show es_path_label's cleaned form. */
#ifndef EMBEDSCOPE_FILE_H
#define EMBEDSCOPE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

enum { ES_PATH_LABEL = 160 };

/** A path fit for a message: cleaned, and when it is long only its end, after an ellipsis.
 *  Returns out. */
const char *es_path_label(char out[ES_PATH_LABEL], const char *path);

enum {
    ES_FILE_NOFOLLOW = 1 /* refuse a path whose last component is a symbolic link */
};

/** A whole file, mapped read-only and private. The identity fields say which content this is. */
typedef struct es_map {
    const unsigned char *data; /* NULL when size is 0 */
    size_t size;
    uint64_t dev, ino;
    int64_t mtime_ns, ctime_ns;
    struct es_map_watch *watch; /* over the bytes; the map's own */
} es_map;

/** Map a regular file. ES_ENOTFOUND: no such file; ES_EIO: cannot be opened or mapped, or is no
 *  regular file (never waits for a FIFO's writer). An empty file gives size 0. Reading `data` is
 *  safe from any thread, even when somebody cuts the file short: what is gone reads as zeros, and
 *  es_map_check tells. (For this the first call installs a handler of SIGBUS.) */
es_status es_map_open(const char *path, unsigned flags, es_map *out, es_error *err);
void es_map_close(es_map *map); /* all zero bytes is allowed */

/** After reading from a map, before believing it: ES_EIO when the file behind it was cut short or
 *  written to meanwhile, or its medium failed. It goes by the time of the last change (ctime),
 * which cannot be put back as that of the last modification can; so a change of permissions counts
 * too. A file that was replaced by another of the same name is still there for us, whole. */
es_status es_map_check(const es_map *map, const char *path, es_error *err);
/** The first half of that, without a look at the file: nothing was cut off of what was read. */
bool es_map_is_whole(const es_map *map);
/** Are these the same file, as far as its entry says: device, inode, size and both times? */
bool es_map_same_file(const es_map *a, const es_map *b);
/** Let go of the pages that were read so far; reading goes on as before, in any thread. */
void es_map_rest(const es_map *map);

/** The identity fields without opening the file (data stays NULL). Follows links unless
 * ES_FILE_NOFOLLOW. */
es_status es_file_identify(const char *path, unsigned flags, es_map *out, es_error *err);

/** Read a whole regular file of at most `limit` bytes; *out is NUL-terminated (the NUL is not
 *  counted) and released by es_free. `length` may be NULL. ES_EINVAL when the file is larger. */
es_status es_file_read(const char *path, unsigned flags, size_t limit, char **out, size_t *length,
                       es_error *err);

/** Put `size` bytes in the place of `path` so that readers and crashes see the old file or the new
 *  one, never a part: a temporary file beside it, fsync, rename, fsync of the directory. `mode` as
 * in open(2), the umask applies: 0600 for our own files, 0666 for what the user asked for. A path
 * that exists and is no regular file (a link, a device) is refused with ES_EIO. */
es_status es_file_replace(const char *path, const void *data, size_t size, unsigned mode,
                          es_error *err);

/** The same piece by piece. What is dropped leaves the old file; after a failure of `add` it is to
 *  be dropped, `end` drops by itself. `path` is borrowed until then. */
typedef struct es_replacing {
    const char *path;
    char *temporary, *directory;
    int fd;
} es_replacing;
es_status es_replacing_begin(const char *path, unsigned mode, es_replacing *out, es_error *err);
es_status es_replacing_add(es_replacing *replacing, const void *data, size_t size, es_error *err);
es_status es_replacing_end(es_replacing *replacing, es_error *err);
void es_replacing_drop(es_replacing *replacing); /* all zero bytes is allowed */

/** Write where the user asked for it: es_file_replace, but a device, a pipe or /dev/stdout is
 *  written to as it stands. */
es_status es_file_write(const char *path, const void *data, size_t size, unsigned mode,
                        es_error *err);

/** Rename a file to a temporary name in its folder, as es_file_replace gives one, and as of now:
 * who is killed before it is renamed back or removed leaves it to es_file_sweep. *aside is from
 *  es_alloc. ES_EIO. */
es_status es_file_put_aside(const char *path, char **aside, es_error *err);

/** A new file in `directory` that nobody else has, named so that es_file_sweep finds it; open for
 *  reading and writing, -1 and errno otherwise. *name is from es_alloc. */
int es_file_temporary(const char *directory, unsigned mode, char **name);

/** Remove from a folder of ours what es_file_replace was killed in the middle of: its temporary
 * files, if they are yours, plain, a day old, and of no process that runs here: clocks may be
 * wrong. Another machine may be writing younger ones. What cannot be removed stays, without a word.
 */
void es_file_sweep(const char *directory);

/** Make a directory and its missing parents with user-only permissions; fine when it exists. */
es_status es_dir_make(const char *path, es_error *err);

#endif
