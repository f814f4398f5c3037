/* Under a sanitizer a path is wanted once, not a distribution, and time says nothing. */
#ifndef EMBEDSCOPE_TEST_SANITIZED_H
#define EMBEDSCOPE_TEST_SANITIZED_H

/* ES_SANITIZED: the program is, and the tests themselves are not. */
#if defined(ES_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
enum { SANITIZED = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) };
#else
enum { SANITIZED = 0 };
#endif
#ifdef __OPTIMIZE__
enum { IS_FAST = !SANITIZED };
#else
enum { IS_FAST = 0 };
#endif

#endif
