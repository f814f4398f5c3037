/* Memory, texts, clocks, random numbers: what every room stands on. */
#ifndef ES_BASE_H
#define ES_BASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <strings.h>

#include "embedscope/status.h"

/* Allocation that checks for overflow and reports failure instead of exiting.
 *
 * All code of this project allocates here, so that a test can make the k-th allocation fail. */

/** count * size bytes, uninitialised; NULL when out of memory or when the product overflows.
 *  A zero product gives a valid pointer. Free with es_free. */
void *es_alloc(size_t count, size_t size) __attribute__((warn_unused_result));

/** As es_alloc, filled with zero bytes. */
void *es_alloc_zero(size_t count, size_t size) __attribute__((warn_unused_result));

/** As es_alloc, aligned to 64 bytes (a cache line, an AVX-512 register). Free with es_free. */
void *es_alloc_aligned(size_t count, size_t size) __attribute__((warn_unused_result));

/** Resize; on failure NULL is returned and `old` stays valid. Not for es_alloc_aligned's blocks. */
void *es_realloc(void *old, size_t count, size_t size) __attribute__((warn_unused_result));

/** A list of `count` items with room for one more: itself, or moved and twice as long. NULL when
 * out of memory; then `list` stays valid. */
void *es_grow(void *list, size_t count, size_t *capacity, size_t size)
    __attribute__((warn_unused_result));

/** Appends an item of so many bytes to a growing list, whose pointer is at `list`. ES_ENOMEM leaves
 *  it as it was. */
es_status es_append(void *list, size_t *count, size_t *capacity, const void *item, size_t size,
                    es_error *err);

/** Copies; NULL when out of memory. */
char *es_strdup(const char *text) __attribute__((warn_unused_result));
char *es_strndup(const char *text, size_t length) __attribute__((warn_unused_result));

void es_free(void *block); /* NULL is allowed */

/** Give free memory back to the system, where the C library can be asked to; milliseconds. */
void es_alloc_trim(void);

/** For programs that are left running, once, at their start: what large blocks leave free at the
 * end of a heap goes back by itself. Else glibc learns from them to keep up to 64 MB for each
 * thread that ever ran, which es_alloc_trim does not reach. */
void es_alloc_keep_little(void);

/** Test hook: let `after` more allocations succeed, then fail one (and go on as before).
 *  A negative number switches it off. Counts over all threads. */
void es_alloc_fail_after(long after);

/** For what deals out memory that it has already: is this request the one that has to fail? Counts
 * it as one of `after`; false where the hook is off. */
bool es_alloc_refuses(void);

/** How many allocations were asked for since the program started. */
unsigned long es_alloc_count(void);

/* A bump allocator for scratch memory: one per worker, reset between jobs, so that inner loops
 * never allocate and pages stay warm. Belongs to one thread at a time. */

typedef struct es_arena es_arena;

es_arena *es_arena_new(void); /* NULL when out of memory */
void es_arena_free(es_arena *arena);
/** count * size bytes aligned to 64, uninitialised, valid until es_arena_reset; NULL when out of
 *  memory or on overflow. */
void *es_arena_alloc(es_arena *arena, size_t count, size_t size)
    __attribute__((warn_unused_result));
/** Everything handed out becomes invalid; memory is kept as one block as large as the last peak. */
void es_arena_reset(es_arena *arena);
/** As es_arena_reset, but all memory is given back. */
void es_arena_clear(es_arena *arena);
/** Bytes held from the system. */
size_t es_arena_bytes(const es_arena *arena);

/* A growing byte string for building output. After an allocation fails it stays `failed` and
 * ignores further calls, so that a writer checks once, at its end. */

typedef struct es_buf {
    char *data; /* always NUL-terminated once anything was appended; NULL before */
    size_t length, capacity;
    bool failed;
} es_buf;

/** An empty buffer is all zero bytes: `es_buf b = {0};` */
void es_buf_free(es_buf *buf);
void es_buf_clear(es_buf *buf); /* keeps the memory */
/** Frees `scratch`, of which something was written to `out`: if it has failed, so has `out`. */
void es_buf_end(es_buf *scratch, es_buf *out);
void es_buf_add(es_buf *buf, const void *bytes, size_t length);
void es_buf_puts(es_buf *buf, const char *text);
void es_buf_putc(es_buf *buf, char byte);
void es_buf_printf(es_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The shortest decimal text that reads back as the same double ("0.1", not "0.10000000000000001");
 *  NaN and infinities become the text "nan" and "inf": callers decide what missing looks like. */
void es_buf_put_double(es_buf *buf, double value);
/** A word of a command line, in quotes where a shell needs them; with control bytes in $'...', so
 *  that a line stays one. */
void es_buf_put_shell(es_buf *buf, const char *word);
void es_buf_put_base64(es_buf *buf, const void *bytes, size_t length);
/** One of a list of names, of which the first `most` are written: "a, b and 3 more". `count` begins
 *  at 0 and has how many there were. */
void es_buf_name(es_buf *buf, size_t *count, size_t most, const char *name);
void es_buf_names_end(es_buf *buf, size_t count, size_t most);
/** Writes n names, of which name (n, at most `most`) has the first: "A, B or C" with " or " as
 *  `last`; of more than `most` "A, B or one of 4 more", with another `last` "A, B and 4 more". */
void es_buf_list(es_buf *buf, const char *const *name, size_t n, size_t most, const char *last);
/** ES_ENOMEM if any append failed, else ES_OK. */
es_status es_buf_check(const es_buf *buf, es_error *err);
/** Gives away the text, "" for none, and empties the buffer. ES_ENOMEM, with *out NULL. */
es_status es_buf_give(es_buf *buf, char **out, es_error *err);
/** A new text from a printf format. ES_ENOMEM, with *out NULL. */
es_status es_text_new(char **out, es_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** What was put, to be freed with es_free; the buffer is empty then. NULL: nothing was put, or
 * memory ran out. */
char *es_buf_take(es_buf *buf);

/* Time for progress and measurements. */

/** Seconds on a clock that never goes back (CLOCK_MONOTONIC). */
double es_clock_now(void);
/** Seconds of processor time of the calling thread: what its work took, whatever ran beside it. */
double es_clock_thread(void);

/* A pipe by which one thread, or a handler of signals, wakes another that polls ends[0]. No program
 * that is started inherits it, and nobody waits for room in it. */

/** Open both ends; -1 and ES_EIO where there are none left. */
es_status es_pipe_open(int ends[2], es_error *err);
void es_pipe_close(int ends[2]);
/** Write a byte, unless so many are waiting that there is no room. Safe in a handler. */
void es_pipe_wake(const int ends[2], int number);
/** Read all that waits at a descriptor that does not block. False: nothing did. */
bool es_fd_drain(int fd);
/** Rest for so many seconds, or (below 0) until there is something at `other` (-1: nothing), which
 * is read. False: `stop` was woken. */
bool es_pipe_rest(const int stop[2], int other, double seconds);

/* Controls: embedders that are drawn at random, or have their rows in another order, to compare
 * with. They are of the family "control" of families.csv or pool.json, in any case. They are
 * counted apart, as are embedders derived from others: a pool of 30 matrices may be one of 27
 * embedders + 2 controls + 1 derived. */

static inline bool es_is_control(const char *family) {
    return family != NULL && strcasecmp(family, "control") == 0;
}

enum { ES_COUNT_TEXT = 80 };

/** Writes "27 embedders + 2 controls + 1 derived", or less if there are none. count: all together.
 *  Returns out. */
const char *es_count_text(size_t count, size_t controls, size_t derived, char *out,
                          size_t capacity);
/** Writes the same in little room: "27 + 3". Returns out. */
const char *es_count_brief(size_t count, size_t controls, size_t derived, char *out,
                           size_t capacity);

/* What the processor is and can do. */

typedef struct es_cpu {
    char name[96]; /* as the system calls it, cleaned; "unknown" where it does not say */
    bool avx2, fma;
    bool avx512;      /* F, DQ, BW and VL together */
    bool avx512_bf16; /* dot products of bfloat16 */
    int cores;        /* on line, at least 1 */
} es_cpu;

/** Ask the processor and the system. Flags are false on other architectures than x86; a flag is
 *  true only when the operating system saves the registers as well. Reads /proc/cpuinfo: call it
 *  once and keep the answer. */
void es_cpu_detect(es_cpu *out);

/** From now on the calling thread treats subnormal numbers as zero, in results and in operands
 *  (FTZ and DAZ): they cost about a hundred cycles each and carry nothing here. Each thread has its
 *  own setting; threads started later inherit it. Does nothing on other architectures than x86-64.
 */
void es_cpu_flush_denormals(void);
/** Subnormal numbers count in the calling thread until es_cpu_denormals_restore, which takes what
 *  this returns: for reading and judging what a file holds. */
unsigned es_cpu_denormals_keep(void);
void es_cpu_denormals_restore(unsigned before);

/** Colour maps for values from low to high, by name: the explorer's and those of pictures. Each
 * rises in lightness and keeps values apart for colour-blind eyes. */

enum { ES_GRADIENTS = 4, ES_GRADIENT_STOPS = 10 };

typedef struct es_gradient {
    const char *name;
    uint32_t stop[ES_GRADIENT_STOPS]; /* (stops) 0xRRGGBB, low to high, evenly spaced in sRGB */
    size_t stops;
} es_gradient;

extern const es_gradient es_gradients[ES_GRADIENTS];

/* Which family of vector kernels to run. */

/** Kernel families, slowest first. ES_ISA_REF is plain C and runs everywhere. */
typedef enum es_isa { ES_ISA_REF, ES_ISA_AVX2, ES_ISA_AVX512 } es_isa;

/** The best family that both the processor and the operating system support. */
es_isa es_isa_best(void);

/** The family to use: the environment's ES_CPU=ref|avx2|avx512 if it names one that is supported,
 *  else es_isa_best(). Reads the environment on each call; keeps no state. */
es_isa es_isa_level(void);

/** "ref", "avx2", "avx512". */
const char *es_isa_name(es_isa level);

/* A log file. Never the terminal: while the explorer is open, a stray line would destroy the
 * screen. */

typedef enum es_log_level { ES_LOG_DEBUG, ES_LOG_INFO, ES_LOG_WARN, ES_LOG_ERROR } es_log_level;

typedef struct es_log es_log;

/** Append to `path` (made with user-only permissions, O_NOFOLLOW); NULL keeps the log in memory
 *  only. The last 256 lines can be read back either way. */
es_status es_log_open(const char *path, es_log_level level, es_log **out, es_error *err);
void es_log_close(es_log *log); /* NULL is allowed */
/** One line "HH:MM:SS level text"; control bytes are cleaned. Any thread; NULL log: does nothing.
 */
void es_log_write(es_log *log, es_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *es_log_path(const es_log *log); /* NULL when in memory only */
/** How many lines were written so far. */
size_t es_log_count(es_log *log);
/** Copies line number `index` (0 = the first ever written) into out; returns its level, or -1 when
 *  it is no longer kept. Any thread. */
int es_log_line(es_log *log, size_t index, char *out, size_t capacity);

/** Colours of pictures, for those that take them from a theme of the explorer. */

enum { ES_PICTURE_GROUPS = 8, ES_PICTURE_STOPS = 16 };

/** All colours are 0xRRGGBB. Plain: copy it freely. */
typedef struct es_picture_colours {
    bool dark; /* is the paper? */
    uint32_t paper, text, faint, grid;
    uint32_t line[3];                                             /* the first three things drawn */
    uint32_t group[ES_PICTURE_GROUPS];                            /* of community 1, 2, ... */
    uint32_t heat[ES_PICTURE_STOPS], two_sided[ES_PICTURE_STOPS]; /* low to high, evenly spaced */
    size_t heat_stops, two_sided_stops;                           /* at least 2 */
} es_picture_colours;

/* Philox 4x64-10, a counter-based random generator (Salmon et al., "Parallel random numbers: as
 * easy as 1, 2, 3", SC 2011). Keyed by (seed, stream), so that every job draws from a stream of its
 * own and results do not depend on the order of jobs or the number of threads. The raw words equal
 * NumPy's np.random.Philox(key=[seed, stream]). */

typedef struct es_rng {
    uint64_t key[2], counter[4], block[4];
    unsigned used; /* words of block already handed out; 4 = none left */
    double spare;  /* second normal of a pair */
    int has_spare;
} es_rng;

/** Purposes keep streams apart: es_rng_stream(ES_STREAM_SPLIT, n). */
typedef enum es_stream {
    ES_STREAM_SPLIT = 1,
    ES_STREAM_BOOTSTRAP,
    ES_STREAM_LOUVAIN,
    ES_STREAM_PERMUTE,
    ES_STREAM_INIT,
    ES_STREAM_SHUFFLE,
    ES_STREAM_SAMPLE,
    ES_STREAM_LAYOUT,
    ES_STREAM_ROWS,
    ES_STREAM_DUEL
} es_stream;

/** Mixes a purpose and an identifier (a digest, a count) into a stream number (SplitMix64). */
uint64_t es_rng_stream(es_stream purpose, uint64_t id);

void es_rng_init(es_rng *rng, uint64_t seed, uint64_t stream);
uint64_t es_rng_u64(es_rng *rng);
/** As if es_rng_u64 had been called so many times, at the cost of one. */
void es_rng_skip(es_rng *rng, uint64_t count);
/** Uniform on [0, 1) with 53 bits. */
double es_rng_uniform(es_rng *rng);
/** Standard normal (Box-Muller). */
double es_rng_normal(es_rng *rng);
/** Uniform on 0..bound-1 without bias (Lemire 2019); bound > 0. */
uint64_t es_rng_below(es_rng *rng, uint64_t bound);
/** Fisher-Yates on items[0..count). */
void es_rng_shuffle(es_rng *rng, uint32_t *items, size_t count);

/* Cancel token and progress of one running computation. The owner makes it; the computation calls
 * es_run_check once per minibatch or about every millisecond. All fields may be touched from any
 * thread. A NULL run is never cancelled and swallows progress. */

enum { ES_RUN_TRACE = 64, ES_RUN_SUBJECT = 80 };

struct es_run {
    atomic_int canceled;
    atomic_uint done, total;           /* steps of the computation; total 0 = not known */
    atomic_uint traced;                /* how many trace values were ever added */
    _Atomic float trace[ES_RUN_TRACE]; /* ring: validation loss per epoch, nats per dimension */
    atomic_flag naming;                /* held for as long as the text is copied */
    char subject[ES_RUN_SUBJECT];      /* what is at work on, a file; "": not said */
    _Atomic(const char *) doing;       /* what is being done to it, static; NULL: not said */
};

void es_run_init(es_run *run);
/** ES_ECANCELED once es_run_cancel was called, else ES_OK. */
es_status es_run_check(const es_run *run, es_error *err);
void es_run_progress(es_run *run, unsigned done, unsigned total);
/** What is begun, of `subject` (NULL: as before); progress starts at 0. */
void es_run_begin(es_run *run, const char *subject, const char *doing);
/** Bytes of so many, as progress. */
void es_run_bytes(es_run *run, size_t done, size_t total);

/** How far it is, for display. */
typedef struct es_run_view {
    char subject[ES_RUN_SUBJECT];
    const char *doing; /* NULL: nothing is shown */
    unsigned done, total;
} es_run_view;
void es_run_look(es_run *run, es_run_view *out);
/** "big.csv: counting its rows, 34 %"; nothing where nothing is shown. */
void es_run_view_put(const es_run_view *view, es_buf *out);

/** Adds one point of the loss curve. */
void es_run_trace(es_run *run, double loss);

/* Which things were there before, by hashes of 64 bits: equal ones are taken to be the same. */

typedef struct es_seen {
    uint64_t *hash; /* (capacity) of the thing at each place */
    uint32_t *slot; /* (mask + 1) a place, UINT32_MAX: free */
    size_t mask;
} es_seen;

/** For places below `capacity`, which is less than UINT32_MAX / 2; 16 to 24 bytes each. ES_ENOMEM.
 */
es_status es_seen_init(es_seen *seen, size_t capacity, es_error *err);
/** The first place where something with this hash was put; `place` where there was none, which is
 *  kept then. O(1). */
uint32_t es_seen_put(es_seen *seen, uint32_t place, uint64_t hash);
void es_seen_deinit(es_seen *seen);

/* Names cut to the room there is, so that no two of a set read the same. What many of them share
 * goes first (who published a model, how all begin), what tells one from those like it stays. Every
 * part that is left out is marked. For terminals (columns) and figures (points) alike. */

typedef struct es_ruler {
    /** The room that a text takes: a letter with its marks, or what stands for parts left out. */
    double (*room_of)(const void *context, const char *utf8);
    const void *context;
    const char *gap; /* "…" */
} es_ruler;

/** out[i]: name[i] in at most `room`, whole where it fits; (n) new texts, freed by
 *  es_short_names_free. Different names differ in what is shown of them; by a number at their end
 *  ("e5~2") where that is all there is room for, and not at all in less than three letters' room.
 *  Texts are as cleaned by their owner: any valid or invalid UTF-8. O(n log n) comparisons.
 *  ES_ENOMEM. */
es_status es_short_names_make(const char *const *name, size_t n, double room, const es_ruler *ruler,
                              char **out, es_error *err);
void es_short_names_free(char **out, size_t n);

/* "Did you mean": the known word that is nearest to a mistyped one. */

/** Edits between two words: insert, delete, replace, or swap two neighbours, each costs 1. Words of
 *  more than 63 bytes count as far apart. */
size_t es_edit_distance(const char *a, const char *b);

/** Collects the best candidate: start with {word, NULL, 0}, offer all, read best. */
typedef struct es_suggestion {
    const char *word;
    const char *best; /* NULL: nothing is near enough (a third of the word's letters, at least 1) */
    size_t distance;
} es_suggestion;
void es_suggestion_offer(es_suggestion *suggestion, const char *candidate);

/* Text from outside: names of files and models, rows of text. Nothing of it may reach a terminal
 * uncleaned. UTF-8 throughout; no locale is consulted. */

/** Decode one code point from text[0..length); returns the bytes used (at least 1 when length > 0).
 *  An invalid or overlong sequence gives U+FFFD and uses one byte. */
size_t es_utf8_decode(const char *text, size_t length, uint32_t *code_point);

/** Encode into out[4]; returns the number of bytes (0 for an invalid code point). */
size_t es_utf8_encode(uint32_t code_point, char out[4]);

/** True for what must never be shown: C0, DEL and C1 controls, bidirectional controls, line and
 *  paragraph separators, zero-width and tag characters (invisible text), and non-characters. The
 *  joiners U+200C and U+200D are text: Persian, the scripts of India and emoji are spelled with
 *  them. */
bool es_text_is_unsafe(uint32_t code_point);

/** Returns a new string in Unicode's normal form C, in which "e" with an accent is one character,
 * as keyboards write it and macOS does not. Text that is no valid UTF-8 is copied as it is.
 * length_out (may be NULL): its bytes before the NUL. NULL when out of memory. */
char *es_text_nfc(const char *text, size_t length, size_t *length_out);
/** Returns whether two names are the same bytes, or the same in form C. Out of memory: compares the
 *  bytes. */
bool es_text_same(const char *a, const char *b);

/** Returns a new string in form C with invalid bytes and unsafe code points replaced by U+FFFD, cut
 *  to at most `max_bytes` at a character boundary (0: no limit). NULL when out of memory. */
char *es_text_clean(const char *text, size_t length, size_t max_bytes);

/** The same into out[capacity], cut at a character boundary and NUL-terminated (capacity > 0).
 *  Returns the number of bytes before the NUL. `out` must not overlap `text`. No allocation. */
size_t es_text_clean_into(char *out, size_t capacity, const char *text, size_t length);

/** Append to the text in out[capacity]; what has no room is cut. */
void es_phrase_add(char *out, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Read a decimal number that fills text[0..length) except blanks around it: sign, digits, '.',
 *  exponent, or nan, inf, infinity in any case. The decimal point is '.' whatever the locale, the
 *  result correctly rounded. False, and *out unchanged, for anything else: hexadecimal, an empty
 *  text, more than 1,200 characters. */
bool es_text_parse_double(const char *text, size_t length, double *out);

/** Of ASCII letters alone, whatever the locale. */
char es_ascii_lower(char c);
/** Space, tab, or an end of line. */
bool es_ascii_is_blank(char c);
/** The first byte of at .. end that is none of these, or end. */
const char *es_ascii_after_blanks(const char *at, const char *end);

/** Appends ", word" to a list, or the word alone to an empty one, as far as there is room. */
void es_text_list_add(char *list, size_t capacity, const char *word);

/** Place of a text in a list; SIZE_MAX: it is not there. */
size_t es_text_index(const char *const *list, size_t n, const char *text);

/** Natural order: runs of digits compare as numbers (e5-2 < e5-10), else bytes; total and stable
 *  on every host. */
int es_text_natural_cmp(const char *a, const char *b);

/** Bytes below 0x80 alone. */
bool es_text_is_ascii(const char *text, size_t length);

/** Shell-style match of the whole name, both in form C: * ? [a-z] [!a-z], backslash escapes; '*'
 * also matches '/'. Linear in practice, never exponential. */
bool es_text_glob(const char *pattern, const char *name);

/* A growing list of texts of its own: words of a command line, warnings, notes, names. */

/** All zero bytes is empty. */
typedef struct es_words {
    char **word; /* (count) and a NULL behind them; NULL while it is empty */
    size_t count;
} es_words;

void es_words_deinit(es_words *words);
/** Takes `text`, which is freed on failure; NULL is memory that has run out before. ES_ENOMEM. */
es_status es_words_take(es_words *words, char *text, es_error *err);
/** A copy of `word`. */
es_status es_words_add(es_words *words, const char *word, es_error *err);
/** Adds copies of the words up to a NULL. */
es_status es_words_add_all(es_words *words, const char *const *list, es_error *err);
/** In the order of their bytes. */
void es_words_sort(es_words *words);
/** With blanks between, words in quotes where a shell needs that. */
void es_words_put(const es_words *words, es_buf *out);

#endif
