/* HDF5 (.h5, .hdf5) and AnnData (.h5ad), where libhdf5 was found when the program was built.
 *
 * Every dataset of two dimensions of numbers is an embedder, NAME/PATH where there are several; a
 * dataset `ids` of texts or numbers at the top, a list or one column, says who the rows are. Of
 * AnnData X and what lies in obsm are taken, with the names of the observations as ids. Contiguous
 * values of the usual types are used where they lie; others are read by the library.
 *
 * The library is not made for hostile files, so it works in a process of its own: whatever happens
 * to it there is an error here. */
#ifndef ES_IO_HDF5_FILE_H
#define ES_IO_HDF5_FILE_H

#include "converted.h"
#include "file.h"
#include "run.h"
#include "safetensors.h"
#include "embedscope/status.h"

/** All datasets of two dimensions; what cannot be used has `skipped` set. ES_EFORMAT: no HDF5 file,
 *  or one that the library fails on; ES_ECANCELED through run. Linked and external datasets and
 *  datasets of other files are not followed. */
es_status es_hdf5_parse(const es_map *map, const char *path, es_run *run, es_tensors *out,
                        es_error *err);

/** The values of one, chunk by chunk. */
es_fill es_hdf5_fill;

#endif
