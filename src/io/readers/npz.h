/* NumPy's .npz: a zip archive of .npy files, stored (np.savez) or deflated (np.savez_compressed).
 * What is stored is used where it lies. Every 2-D array of numbers is an embedder; an array `ids`
 * of texts or numbers, 1-D or one column, says who the rows of all of them are. */
#ifndef ES_IO_NPZ_H
#define ES_IO_NPZ_H

#include "converted.h"
#include "file.h"
#include "safetensors.h"
#include "embedscope/status.h"

/** All arrays of a mapped archive in its order. Stored ones point into `map`; deflated ones come
 *  without data, for es_npz_fill. What is no 2-D array of numbers comes with `skipped` set.
 *  Archives above 4 GB (zip64) are read. ES_EFORMAT: no zip, a directory that does not fit the
 * file; ES_EUNSUPPORTED: another format under this name. O(directory). */
es_status es_npz_parse(const es_map *map, const char *path, es_tensors *out, es_error *err);

/** Unpack a deflated array; its checksum is compared. */
es_fill es_npz_fill;

/** Compare the checksum of a stored one, if it has any (es_tensor.summed): one pass over its bytes.
 *  ES_EFORMAT: it is wrong; ES_ECANCELED. */
es_status es_npz_verify(const es_tensor *tensor, const char *path, es_run *run, es_error *err);

#endif
