/* Status codes and the error struct that every fallible function fills.
 *
 * A function that can fail returns es_status (ES_OK is 0) and takes `es_error *err` last; err may
 * be NULL. On failure its outputs are unchanged and nothing it made is left behind. Messages are
 * one line that says what and which ("e5.npy: row 17: expected 384 values, found 383"). */
#ifndef EMBEDSCOPE_STATUS_H
#define EMBEDSCOPE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum es_status {
    ES_OK = 0,
    ES_ENOMEM,       /* an allocation did not succeed */
    ES_EINVAL,       /* an argument or a setting is out of its range */
    ES_EIO,          /* the operating system refused a read, a write or a map */
    ES_EFORMAT,      /* a file's content is not what its format asks for */
    ES_ENONFINITE,   /* NaN or infinity where a finite number is needed */
    ES_ENOTFOUND,    /* a file, a model, a stored result that is not there */
    ES_EEMPTY,       /* nothing usable is left (exit code 4) */
    ES_EUNSUPPORTED, /* recognised, and not something we read or do */
    ES_EBUSY,        /* locked by another process */
    ES_ENOCONV,      /* an iteration did not converge */
    ES_ECANCELED,    /* the caller asked to stop */
    ES_STATUS_COUNT
} es_status;

typedef struct es_error {
    es_status code;
    char message[1024]; /* UTF-8, one line, free of control bytes */
} es_error;

/** Fill *err (NULL is allowed) from a printf format. Control bytes in the result become U+FFFD, and
 *  a message that does not fit is cut at a character boundary. */
void es_error_set(es_error *err, es_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Put "prefix: " before the message already in *err; code is kept. */
void es_error_prefix(es_error *err, const char *prefix);

/** A short name such as "out of memory"; never NULL. */
const char *es_status_name(es_status code);

/* A macro, so that static analysers see the code that is returned. */
#define es_fail(err, code, ...) (es_error_set((err), (code), __VA_ARGS__), (code))

/* Running out of memory: es_no_memory(err), or for what: es_no_memory_for(err, "%zu rows", n). */
#define es_no_memory(err) ((es_status)es_fail((err), ES_ENOMEM, "out of memory"))
#define es_no_memory_for(err, ...)                                                                 \
    ((es_status)es_fail((err), ES_ENOMEM, "out of memory for " __VA_ARGS__))

/* For functions with a local `es_status st` and one exit labelled `done`:
 *  ES_TRY(es_rows_read(&rows, err));
 *  ES_FAIL_IF(!order, es_no_memory_for(err, "%zu labels", n)); */
#define ES_TRY(call)                                                                               \
    do {                                                                                           \
        if ((st = (call)) != ES_OK)                                                                \
            goto done;                                                                             \
    } while (0)

#define ES_FAIL_IF(condition, failure)                                                             \
    do {                                                                                           \
        if (condition) {                                                                           \
            st = (failure);                                                                        \
            goto done;                                                                             \
        }                                                                                          \
    } while (0)

/* For functions that have nothing to release: a failure is the caller's. */
#define ES_PASS(call)                                                                              \
    do {                                                                                           \
        es_status es_passed_ = (call);                                                             \
        if (es_passed_ != ES_OK)                                                                   \
            return es_passed_;                                                                     \
    } while (0)

/* ---- stopping a long computation ----
 *
 * Functions that may take long take a `const es_run *`, look at it about every millisecond and
 * return ES_ECANCELED once it was cancelled. NULL is allowed everywhere: never cancelled. */

typedef struct es_run es_run;

/** One for a computation; NULL when out of memory. */
es_run *es_run_new(void);
/** Ask it to stop. From any thread; NULL is allowed. */
void es_run_cancel(es_run *run);
/** Once no computation uses it any more; NULL is allowed. */
void es_run_free(es_run *run);

#ifdef __cplusplus
}
#endif
#endif
