/* What the process that reads HDF5 says to the one that asked: records through a pipe. */
#ifndef ES_IO_HDF5_WALK_H
#define ES_IO_HDF5_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum es_hdf5_kind {
    ES_HDF5_ARRAY,   /* text: its path */
    ES_HDF5_SKIPPED, /* text: its path, NUL, the reason */
    ES_HDF5_ID,      /* text: of the next row, or of the list that was begun last */
    ES_HDF5_LIST,    /* text: its path; of one that may be of ids under another name */
    ES_HDF5_NOTE,    /* text: what whoever takes the file has to know */
    ES_HDF5_FAILED,  /* text: why */
    ES_HDF5_END
} es_hdf5_kind;

typedef struct es_hdf5_record {
    uint32_t kind, dtype, big_endian, fortran;
    uint32_t length, unused; /* length: of the text behind the record */
    uint64_t n, d;
    uint64_t offset; /* in the file, of values that can be used where they lie; else UINT64_MAX */
} es_hdf5_record;

enum { ES_HDF5_NO_MEMORY = 6 }; /* what the process ends with when it has run out of it */

/** Load the library, once, before a process is started that uses it. False: it is not there. */
bool es_hdf5_load(void);

/** In the new process: write records of all that lies in the file to `fd`; or, where member is not
 *  SIZE_MAX, the values of the array of that number alone, raw. `size`: bytes of the file. Does not
 *  return. */
_Noreturn void es_hdf5_walk(const char *path, uint64_t size, size_t member, int fd);

#endif
