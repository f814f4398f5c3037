/* Columns that characters and texts take on a terminal. */
#ifndef ES_TUI_WIDTH_H
#define ES_TUI_WIDTH_H

#include <stdint.h>

/** 0, 1 or 2; what must not be drawn counts 1, as the sign that takes its place does. */
int es_code_width(uint32_t code);
/** Of a UTF-8 text after cleaning. */
int es_text_width(const char *utf8);

#endif
