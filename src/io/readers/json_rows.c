/* Goes through brackets, strings and commas and reads no number: a file that is no JSON has none of
 * these forms, or is refused by whoever converts it. */
#include "json_rows.h"

#include <ctype.h>
#include <string.h>

enum { START = 1 << 20, DEPTH_MOST = 64 };
enum { BY_ID_LEAST = 3 }; /* settings have two lists of one length now and then */

typedef struct walk {
    const unsigned char *at, *end;
    char open[DEPTH_MOST]; /* the brackets around, '[' or '{' */
    size_t depth;
    bool numbers; /* the innermost bracket is a list of nothing but numbers so far */
    size_t count; /* of them */
} walk;

static void skip_space(walk *w) {
    while (w->at < w->end && isspace(*w->at))
        w->at++;
}

/* False: it does not end. */
static bool skip_text(walk *w) {
    size_t left = (size_t)(w->end - w->at), i = 1;
    while (i < left && w->at[i] != '"')
        i += w->at[i] == '\\' ? 2 : 1;
    w->at += i < left ? i + 1 : left;
    return i < left;
}

/* A number, null or NaN: what may stand in a vector. */
static bool skip_number(walk *w) {
    const unsigned char *from = w->at;
    while (w->at < w->end && (isalnum(*w->at) || *w->at == '+' || *w->at == '-' || *w->at == '.'))
        w->at++;
    return isdigit(*from) || *from == '-' || *from == 'n' || *from == 'N';
}

/* On to the end of the next vector: its length and how deep it lies; 0: there is none. */
static size_t next_vector(walk *w, size_t *depth) {
    while (w->at < w->end) {
        unsigned char c = *w->at;
        if (c == '[' || c == '{') {
            if (w->depth == DEPTH_MOST)
                return 0;
            w->open[w->depth++] = (char)c;
            w->numbers = c == '[';
            w->count = 0;
        } else if (c == ']' || c == '}') {
            if (w->depth == 0 || w->open[w->depth - 1] != (c == ']' ? '[' : '{'))
                return 0;
            bool vector = w->numbers && w->count > 1;
            *depth = w->depth--;
            w->numbers = false;
            if (vector) {
                w->at++;
                return w->count;
            }
        } else if (c == '"') {
            w->numbers = false;
            if (!skip_text(w))
                return 0;
            continue;
        } else if (isalnum(c) || c == '-') {
            bool number = skip_number(w);
            w->numbers = w->numbers && number;
            w->count++;
            continue;
        } else if (!isspace(c) && c != ',' && c != ':') {
            return 0;
        }
        w->at++;
    }
    return 0;
}

/* "[[1": as many brackets and a number, however long the row is. */
static bool begins_with_row(walk w) {
    for (size_t i = 0; i < 2; i++) {
        skip_space(&w);
        if (w.at == w.end || *w.at++ != '[')
            return false;
    }
    skip_space(&w);
    return w.at < w.end && (isdigit(*w.at) || *w.at == '-');
}

/* The documents of this program name it first; {"at": i, "of": n} and the like hold no vector. */
static bool is_own(const walk *start) {
    static const char first[] = "\"embedscope\"";
    walk w = *start;
    w.at++;
    skip_space(&w);
    return *start->at == '{' && (size_t)(w.end - w.at) > sizeof first &&
           memcmp(w.at, first, sizeof first - 1) == 0;
}

es_json_rows es_json_rows_of(const es_map *map) {
    walk w = {.at = map->data, .end = map->data + (map->size < START ? map->size : START)};
    size_t length = 0, depth = 0, same = 0;
    skip_space(&w);
    if (w.at == w.end || is_own(&w))
        return ES_JSON_NO_ROWS;
    if (begins_with_row(w))
        return ES_JSON_LIST_OF_ROWS;
    bool object = *w.at == '{', by_id = false;
    while (same < (by_id ? BY_ID_LEAST : 2)) {
        size_t next_depth = 0, next = next_vector(&w, &next_depth);
        if (next == 0)
            return ES_JSON_NO_ROWS;
        same = next == length && next_depth == depth ? same + 1 : 1;
        length = next;
        depth = next_depth;
        by_id = object && depth == 2;
    }
    return by_id                                                ? ES_JSON_BY_ID
           : depth == 3 && w.open[0] == '[' && w.open[1] == '{' ? ES_JSON_OBJECTS
                                                                : ES_JSON_OTHER_ROWS;
}
