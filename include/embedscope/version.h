/* Which version of the library this is.
 *
 * Programs built against one minor version (0.2) run with every library of the same one: within it
 * structs keep their layout and functions their meaning. Bindings that do not compile these headers
 * compare es_version_number() with the version that they were written for. */
#ifndef EMBEDSCOPE_VERSION_H
#define EMBEDSCOPE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define ES_VERSION_MAJOR 0
#define ES_VERSION_MINOR 2
#define ES_VERSION_PATCH 0
#define ES_VERSION_NUMBER (ES_VERSION_MAJOR * 10000 + ES_VERSION_MINOR * 100 + ES_VERSION_PATCH)

/** Of the library that is running: "0.2.0". */
const char *es_version(void);
/** The same as a number to compare with ES_VERSION_NUMBER: 10000 major + 100 minor + patch. */
int es_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
