/* Columns that a character takes. The C library's wcwidth is asked first, because the terminal
 * library asks it too and both must agree. A locale without UTF-8 knows nothing beyond ASCII; tests
 * and scripted screens run there as well, so a small table steps in. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* wcwidth */
#endif

#include "tui_draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base.h"

typedef struct code_range {
    uint32_t first, last;
} code_range;

/* Characters that join the one before: the blocks that occur in names, not all of Unicode. */
static const code_range COMBINING[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x0900, 0x0902},
    {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31},
    {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1ACE}, {0x1DC0, 0x1DFF}, {0x200C, 0x200D},
    {0x20D0, 0x20F0}, {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE20, 0xFE2F},
};

/* East Asian wide and full-width forms, and the emoji that terminals draw in two columns. */
static const code_range WIDE[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x3029},
    {0x302E, 0x303E},   {0x3041, 0xA4C6},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAD9},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18D08}, {0x1AFF0, 0x1B2FB}, {0x1F004, 0x1F004},
    {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F265},
    {0x1F300, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DC, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F7F0, 0x1F7F0}, {0x1F90C, 0x1F93A},
    {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool in_ranges(const code_range *ranges, size_t count, uint32_t code) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && code >= ranges[low].first;
}

int es_code_width(uint32_t code) {
    if (code < 0x80)
        return 1;
    /* Variation selectors ask for a picture or a text form; terminals disagree on what that does
     * to the width, so they are never drawn. */
    if (code >= 0xFE00 && code <= 0xFE0F)
        return 0;
    if (es_text_is_unsafe(code))
        return 1; /* drawn as U+FFFD */
    int width = wcwidth((wchar_t)code);
    if (width >= 0)
        return width > 2 ? 2 : width;
    if (in_ranges(COMBINING, sizeof COMBINING / sizeof *COMBINING, code))
        return 0;
    return in_ranges(WIDE, sizeof WIDE / sizeof *WIDE, code) ? 2 : 1;
}

int es_text_width(const char *utf8) {
    int width = 0;
    for (size_t left = strlen(utf8); left > 0;) {
        uint32_t code;
        size_t used = es_utf8_decode(utf8, left, &code);
        width += es_code_width(code);
        utf8 += used;
        left -= used;
    }
    return width;
}

/* Appending to a text of limited room: titles and borders say what holds, one piece after the
 * other. */

void es_phrase_add(char *out, size_t capacity, const char *format, ...) {
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + used, capacity - used, format, arguments);
    va_end(arguments);
}
