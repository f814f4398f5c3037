/* Under a sanitizer a path is wanted once, not a distribution, and time says nothing. */
#ifndef EMBEDSCOPE_TEST_SANITIZED_H
#define EMBEDSCOPE_TEST_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
