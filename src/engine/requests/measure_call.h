/* A measure as people name it, with settings of its own: "retmmd.c-rbf[power=2 rbf=all]". */
#ifndef ES_MEASURE_CALL_H
#define ES_MEASURE_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"
#include "measure.h"

enum { ES_MEASURE_CALLED = 8 /* settings at most */, ES_MEASURE_CALL = 256 /* bytes of a name */ };

typedef struct es_measure_call {
    const es_measure *measure;
    size_t field;                               /* 0 where none is named */
    bool named;                                 /* a field is */
    const char *setting[ES_MEASURE_CALLED + 1]; /* "power=2" each, NULL-terminated; into text */
    char label[ES_MEASURE_CALL];                /* "power=2 rbf=all"; "": none */
    char text[ES_MEASURE_CALL];
} es_measure_call;

/** Takes "NAME", "NAME.FIELD", either with "[KEY=VALUE KEY=VALUE]" behind it, apart. ES_ENOTFOUND:
 *  there is no such measure or field; ES_EINVAL: what is in brackets is no list of settings that it
 *  knows. `out` holds its own texts: it must not be copied. */
es_status es_measure_call_parse(const char *text, es_measure_call *out, es_error *err);

#endif
