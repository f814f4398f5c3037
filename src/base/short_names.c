/* How a set of names is cut. A name is a row of letters of which some are kept. Its own end and
 * beginning are told first; names that still read the same then say where they differ, and this is
 * tried again until no two do. */
#include "base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 8,       /* of telling apart: each shows a later difference of those alike */
    SHARED_END = 4,   /* letters: a shorter end that all share is not worth a mark */
    SHARED_BEGIN = 3, /* letters of what is shared that are worth showing */
    FEW = 12,         /* digits' room in which only the difference is told */
    LETTER_BYTES = 64,
    MOST_LOOKS = 150000 /* at other names, to tell one by several words: a fraction of a second */
};

typedef struct letter {
    size_t at, length; /* bytes: a character and the marks on it */
    double room;
} letter;

typedef struct cut_name {
    const char *text;
    letter *letter;
    bool *kept;
    size_t n;
    size_t begin, end; /* letters that are not shared by all and not its publisher's */
    size_t from, to;   /* letters that tell it from others like it; from == to: none yet */
    size_t differs;    /* the first of them that does */
    double used;       /* room, with its gaps */
} cut_name;

typedef struct cutter {
    cut_name *name;
    size_t n;
    double room, gap, unit;
    const es_ruler *ruler;
    double ascii[128]; /* rooms that were measured; below 0: not yet */
    size_t looks;      /* at other names so far, by several words */
    char **out;
} cutter;

/* ---- Letters ---- */

static double room_of(cutter *c, const char *text, size_t length) {
    char one[LETTER_BYTES];
    unsigned char first = (unsigned char)text[0];
    if (length == 1 && first < 128 && c->ascii[first] >= 0)
        return c->ascii[first];
    length = length < sizeof one ? length : sizeof one - 1;
    memcpy(one, text, length);
    one[length] = '\0';
    double room = c->ruler->room_of(c->ruler->context, one);
    if (length == 1 && first < 128)
        c->ascii[first] = room;
    return room;
}

static bool read_letters(cutter *c, cut_name *name, const char *text) {
    size_t length = strlen(text);
    name->text = text;
    name->letter = es_alloc(length + 1, sizeof *name->letter);
    name->kept = es_alloc(length + 1, sizeof *name->kept);
    if (name->letter == NULL || name->kept == NULL)
        return false;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t bytes = es_utf8_decode(text + at, length - at, &code);
        double room = room_of(c, text + at, bytes);
        letter *before = name->n > 0 ? &name->letter[name->n - 1] : NULL;
        if (before != NULL && room <= 0)
            before->length += bytes; /* a mark */
        else
            name->letter[name->n++] = (letter){at, bytes, room};
        at += bytes;
    }
    name->end = name->n;
    return true;
}

static char byte_at(const cut_name *name, size_t k) {
    return name->letter[k].length == 1 ? name->text[name->letter[k].at] : 'x';
}

static bool is_separator(const cut_name *name, size_t k) {
    return strchr("-_/.:@+ ", byte_at(name, k)) != NULL;
}

static bool same_letter(const cut_name *a, size_t i, const cut_name *b, size_t j) {
    const letter *x = &a->letter[i], *y = &b->letter[j];
    return x->length == y->length && memcmp(a->text + x->at, b->text + y->at, x->length) == 0;
}

static size_t same_begin(const cut_name *a, const cut_name *b, size_t most) {
    size_t k = 0;
    while (k < most && k < a->n && k < b->n && same_letter(a, k, b, k))
        k++;
    return k;
}

static size_t same_end(const cut_name *a, const cut_name *b, size_t most) {
    size_t k = 0;
    while (k < most && k < a->n && k < b->n && same_letter(a, a->n - 1 - k, b, b->n - 1 - k))
        k++;
    return k;
}

/* A word is not broken: back to its first letter, on to behind its last one. */
static size_t word_begin(const cut_name *name, size_t k) {
    while (k > 0 && k <= name->n && !is_separator(name, k - 1))
        k--;
    return k;
}

static size_t word_end(const cut_name *name, size_t k) {
    while (k < name->n && !is_separator(name, k))
        k++;
    return k;
}

/* ---- One name ---- */

static double room_whole(const cut_name *name) {
    double sum = 0;
    for (size_t k = 0; k < name->n; k++)
        sum += name->letter[k].room;
    return sum;
}

/* Keeps a letter if there is room; it may split a gap in two, or close one. */
static bool keep(const cutter *c, cut_name *name, size_t k) {
    if (name->kept[k])
        return true;
    bool left = k > 0 && !name->kept[k - 1], right = k + 1 < name->n && !name->kept[k + 1];
    double cost = name->letter[k].room + c->gap * ((int)left + (int)right - 1);
    if (name->used + cost > c->room + 1e-9)
        return false;
    name->kept[k] = true;
    name->used += cost;
    return true;
}

/* A long word takes half the room, but the letters that differ are shown; then, if it goes so far,
 * all from the beginning to the word's end. */
static void keep_difference(const cutter *c, cut_name *name) {
    double half = c->room < FEW * c->unit ? c->room : c->room / 2, room = 0;
    for (size_t k = name->from; k < name->to; k++)
        if ((k > name->differs + 1 && name->used > half) || !keep(c, name, k))
            break;
    for (size_t k = name->begin; k < name->to; k++)
        room += name->kept[k] ? 0 : name->letter[k].room;
    /* The gap in front of the word closes, unless one stays at the very beginning. */
    bool joined = name->used + room - (name->begin == 0 ? c->gap : 0) <= c->room + 1e-9;
    for (size_t k = name->begin; joined && k < name->to; k++)
        (void)keep(c, name, k);
}

/* Three letters of the beginning to two of the end, or of what follows the difference: names carry
 * size and version there. Only the beginning where little can be shown. */
static void keep_both_ends(const cutter *c, cut_name *name) {
    static const bool turn_of_end[] = {false, false, true, false, true};
    bool apart = name->to > name->from && name->from >= name->begin;
    size_t head = name->begin, tail = apart ? name->from : name->end;
    bool head_done = false, tail_done = !apart && c->room < 6 * c->unit;
    for (size_t turn = 0; !head_done || !tail_done; turn++) {
        bool at_end = head_done || (!tail_done && turn_of_end[turn % 5]);
        if (!at_end) {
            while (head < name->end && name->kept[head])
                head++;
            head_done = head >= name->end || !keep(c, name, head);
        } else if (apart) {
            while (tail < name->n && name->kept[tail])
                tail++;
            tail_done = tail >= name->n || !keep(c, name, tail);
        } else {
            while (tail > name->begin && name->kept[tail - 1])
                tail--;
            tail_done = tail <= name->begin || !keep(c, name, tail - 1);
        }
    }
}

/* Where all else is shown, what is shared: the end, then the beginning as far as it goes. */
static void keep_shared(const cutter *c, cut_name *name) {
    for (size_t k = name->begin; k < name->n; k++)
        if (!keep(c, name, k))
            return;
    if (name->begin == 0)
        return;
    double wanted = name->letter[name->begin - 1].room;
    size_t least = name->begin - 1 < SHARED_BEGIN ? name->begin - 1 : SHARED_BEGIN;
    for (size_t k = 0; k < least; k++)
        wanted += name->letter[k].room;
    if (name->used + wanted > c->room + 1e-9 || !keep(c, name, name->begin - 1))
        return;
    for (size_t k = 0; k < name->begin && keep(c, name, k); k++)
        ;
}

/* The text of what is kept; NULL: out of memory. */
static char *spell(const cutter *c, const cut_name *name) {
    es_buf text = {0};
    bool gap = false;
    es_buf_puts(&text, "");
    for (size_t k = 0; k < name->n; k++) {
        if (name->kept[k])
            es_buf_add(&text, name->text + name->letter[k].at, name->letter[k].length);
        else if (!gap)
            es_buf_puts(&text, c->ruler->gap);
        gap = !name->kept[k];
    }
    if (text.failed) {
        es_buf_free(&text);
        return NULL;
    }
    char *taken = es_buf_take(&text);
    return taken != NULL ? taken : es_strdup("");
}

/* What room is left for, and the text. False: out of memory. */
static bool fill_up(const cutter *c, size_t i) {
    cut_name *name = &c->name[i];
    keep_both_ends(c, name);
    keep_shared(c, name);
    for (size_t k = 1; k + 1 < name->n; k++)
        if (name->kept[k - 1] && name->kept[k + 1])
            (void)keep(c, name, k); /* a mark for one letter says less than the letter */
    char *text = spell(c, name);
    if (text == NULL)
        return false;
    es_free(c->out[i]);
    c->out[i] = text;
    return true;
}

static bool cut_one(const cutter *c, size_t i) {
    cut_name *name = &c->name[i];
    bool fits = room_whole(name) <= c->room + 1e-9;
    for (size_t k = 0; k < name->n; k++)
        name->kept[k] = fits;
    name->used = c->gap;
    if (!fits)
        keep_difference(c, name);
    return fill_up(c, i);
}

/* ---- The set ---- */

/* What all share says nothing of any; nor does, first, who published it. */
static void find_shared(cutter *c) {
    const cut_name *first = &c->name[0];
    size_t begin = c->n > 1 ? first->n : 0, end = begin;
    for (size_t i = 1; i < c->n; i++) {
        begin = same_begin(first, &c->name[i], begin);
        end = same_end(first, &c->name[i], end);
    }
    begin = word_begin(first, begin);
    while (end > 0 && !is_separator(first, first->n - end))
        end--;
    end = end < SHARED_END ? 0 : end;
    for (size_t i = 0; i < c->n; i++) {
        cut_name *name = &c->name[i];
        name->begin = begin;
        name->end = name->n - end;
        for (size_t k = begin; k < name->n; k++) /* "org/model", as a file "org__model" */
            if (byte_at(name, k) == '/' ||
                (k > 0 && byte_at(name, k) == '_' && byte_at(name, k - 1) == '_'))
                name->begin = k + 1;
        if (name->begin >= name->end) {
            name->begin = 0;
            name->end = name->n;
        }
        name->from = name->to = name->n;
    }
}

typedef struct shown {
    const char *text;
    size_t i;
} shown;

static int by_text(const void *a, const void *b) {
    const shown *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->i > y->i) - (x->i < y->i);
}

/* Names that read the same, and are not: what lies between their common beginning and end is told,
 * by whole words where there is room for one. */
static void find_difference(cutter *c, const shown *group, size_t count) {
    const cut_name *first = &c->name[group[0].i];
    size_t begin = first->n, end = first->n;
    for (size_t k = 1; k < count; k++) {
        const cut_name *name = &c->name[group[k].i];
        if (strcmp(name->text, first->text) == 0)
            continue;
        begin = same_begin(first, name, begin);
        end = same_end(first, name, end);
    }
    for (size_t k = 0; k < count; k++) {
        cut_name *name = &c->name[group[k].i];
        size_t word = word_begin(name, begin), from = word, to = name->n - end;
        double room = 2 * c->gap;
        for (size_t l = word; l < begin; l++)
            room += name->letter[l].room;
        if (room > c->room / 2 && begin < name->n)
            from = begin;
        to = word_end(name, to > begin ? to : begin);
        name->from = from;
        name->differs = begin;
        name->to = to > from ? to : from;
    }
}

/* ---- By several words ---- */

/* May another name be meant by what is shown of this one? A gap stands for any letters. */
static bool may_mean(const cut_name *name, const char *other) {
    size_t length = strlen(other), at = 0;
    for (size_t from = 0, to; from < name->n; from = to) {
        for (; from < name->n && !name->kept[from]; from++)
            ;
        for (to = from; to < name->n && name->kept[to]; to++)
            ;
        if (from == to)
            return true;
        const char *part = name->text + name->letter[from].at;
        const letter *last = &name->letter[to - 1];
        size_t bytes = last->at + last->length - name->letter[from].at;
        if (from > 0 && to == name->n && length >= at + bytes)
            at = length - bytes; /* its end */
        for (; from > 0 && at + bytes <= length && memcmp(other + at, part, bytes) != 0; at++)
            ;
        if (at + bytes > length || memcmp(other + at, part, bytes) != 0)
            return false;
        at += bytes;
    }
    return at == length;
}

/* Shows the letters from..to) if there is room for all of them. */
static bool keep_word(const cutter *c, cut_name *name, size_t from, size_t to) {
    double used = name->used;
    size_t k = from;
    while (k < to && keep(c, name, k))
        k++;
    if (k == to)
        return true;
    while (k > from)
        name->kept[--k] = false;
    name->used = used;
    return false;
}

/* Of the names (count) that may still be meant, those that still are when the letters from..to)
 * are shown, too; with `now` they are kept. SIZE_MAX: there is no room. */
static size_t rivals_with(const cutter *c, cut_name *name, size_t from, size_t to, size_t *rival,
                          size_t count, bool now) {
    double used = name->used;
    size_t left = 0;
    if (name->kept[from] || !keep_word(c, name, from, to))
        return SIZE_MAX;
    for (size_t r = 0; r < count; r++)
        if (may_mean(name, c->name[rival[r]].text)) {
            if (now)
                rival[left] = rival[r];
            left++;
        }
    if (now)
        return left;
    for (size_t k = from; k < to; k++)
        name->kept[k] = false;
    name->used = used;
    return left;
}

/* Letters of the word that begins at `from`, at most so many: its first ones, but the last of a
 * name's end, without which it may go on. False: there is no such word. */
static bool part_of_word(const cut_name *name, size_t from, size_t most, size_t *begin,
                         size_t *end) {
    size_t to = word_end(name, from), length = to - from < most ? to - from : most;
    *begin = to == name->n ? to - length : from;
    *end = *begin + length;
    return length > 0 && (from == 0 || is_separator(name, from - 1));
}

/* The fewest words, or `most` letters of each, that no other name has in this order. Each is the
 * one that leaves least names; of two such the shorter one. rival (n) scratch. */
static bool tell_by_words(const cutter *c, size_t i, size_t most, size_t *rival) {
    cut_name *name = &c->name[i];
    size_t count = 0;
    for (size_t j = 0; j < c->n; j++)
        if (strcmp(c->name[j].text, name->text) != 0)
            rival[count++] = j;
    memset(name->kept, 0, name->n * sizeof *name->kept);
    name->used = c->gap;
    while (count > 0) {
        size_t from = 0, to = 0, least = count, begin, end;
        for (size_t k = 0; k < 2 * name->n; k++) { /* each with what separates it, too: -v2, rev2 */
            size_t at = k / 2, before = k % 2;
            if (!part_of_word(name, at, most, &begin, &end) || name->kept[begin] ||
                (before && (begin == 0 || begin != at)))
                continue;
            begin -= before;
            size_t left = rivals_with(c, name, begin, end, rival, count, false);
            if (left < least || (left == least && to > 0 && end - begin < to - from)) {
                from = begin;
                to = end;
                least = left;
            }
        }
        if (to == 0)
            return false;
        count = rivals_with(c, name, from, to, rival, count, true);
    }
    return true;
}

/* ---- By number ---- */

static bool is_taken(const cutter *c, const char *text) {
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->out[i], text) == 0)
            return true;
    return false;
}

/* The beginning of a name with a number behind it; NULL: out of memory. */
static char *numbered(const cutter *c, const cut_name *name, size_t number) {
    char digits[24];
    (void)snprintf(digits, sizeof digits, "~%zu", number);
    double left = c->room - (double)strlen(digits) * c->unit;
    size_t bytes = 0;
    for (size_t k = 0; k < name->n && name->letter[k].room <= left; k++) {
        left -= name->letter[k].room;
        bytes += name->letter[k].length;
    }
    es_buf text = {0};
    es_buf_add(&text, name->text, bytes);
    es_buf_puts(&text, digits);
    char *taken = text.failed ? NULL : es_buf_take(&text);
    es_buf_free(&text);
    return taken;
}

/* Where one difference does not tell: several words; as the last resort a number, as for most of
 * thousands of names that read the same. False: out of memory. */
static bool tell_all(cutter *c, const shown *group, size_t count, size_t *rival) {
    static const size_t most[] = {SIZE_MAX, 5, 3, 1};
    size_t next = 1;
    for (size_t k = 0; k < count && c->room >= 3 * c->unit; k++) {
        char *text = NULL;
        size_t i = group[k].i;
        bool told = false;
        bool by_words = c->looks < MOST_LOOKS;
        for (size_t t = 0; by_words && !told && t < sizeof most / sizeof *most; t++)
            told = tell_by_words(c, i, most[t], rival);
        c->looks += c->n;
        if (told && !fill_up(c, i))
            return false;
        if (told)
            continue;
        do {
            es_free(text);
            text = numbered(c, &c->name[i], next++);
        } while (text != NULL && is_taken(c, text));
        if (text == NULL)
            return false;
        es_free(c->out[i]);
        c->out[i] = text;
    }
    return true;
}

/* Do they read the same except one letter, of names that are cut? "6-dimensions" next to
 * "2-dimensions" tells as little as no difference. */
static bool nearly_alike(const cutter *c, size_t i, size_t j) {
    const char *a = c->out[i], *b = c->out[j];
    int others = 0;
    if (strcmp(a, c->name[i].text) == 0 && strcmp(b, c->name[j].text) == 0)
        return false;
    for (; *a && *b && others < 2; a++, b++)
        others += *a != *b;
    return others < 2 && *a == *b;
}

static void tell_nearly_alike(cutter *c, shown *list) {
    for (size_t i = 0; i < c->n; i++) {
        size_t count = 1;
        list[0] = (shown){c->out[i], i};
        for (size_t j = 0; j < c->n; j++)
            if (j != i && nearly_alike(c, i, j))
                list[count++] = (shown){c->out[j], j};
        if (count > 1 && c->name[i].from == c->name[i].to)
            find_difference(c, list, count);
    }
}

/* One look at all names for those that read the same. *alike: there were some. rival (n) scratch
 * of the last look; NULL: there is another one. */
static bool tell_apart(cutter *c, shown *list, size_t *rival, bool *alike) {
    for (size_t i = 0; i < c->n; i++)
        list[i] = (shown){c->out[i], i};
    qsort(list, c->n, sizeof *list, by_text);
    *alike = false;
    for (size_t from = 0, to; from < c->n; from = to) {
        bool differ = false;
        for (to = from + 1; to < c->n && strcmp(list[from].text, list[to].text) == 0; to++)
            differ |= strcmp(c->name[list[from].i].text, c->name[list[to].i].text) != 0;
        if (!differ)
            continue;
        *alike = true;
        if (rival == NULL)
            find_difference(c, list + from, to - from);
        else if (!tell_all(c, list + from, to - from, rival))
            return false;
    }
    return true;
}

static bool cut_every(const cutter *c) {
    for (size_t i = 0; i < c->n; i++)
        if (!cut_one(c, i))
            return false;
    return true;
}

static bool cut_all(cutter *c) {
    shown *list = es_alloc(c->n, sizeof *list);
    size_t *rival = es_alloc(c->n, sizeof *rival);
    bool ok = list != NULL && rival != NULL, alike = true;
    if (ok)
        find_shared(c);
    for (int round = 0; ok && alike && round <= ROUNDS; round++) {
        ok = cut_every(c);
        if (ok && round == 0)
            tell_nearly_alike(c, list);
        else
            ok = ok && tell_apart(c, list, round == ROUNDS ? rival : NULL, &alike);
    }
    es_free(list);
    es_free(rival);
    return ok;
}

es_status es_short_names_make(const char *const *name, size_t n, double room, const es_ruler *ruler,
                              char **out, es_error *err) {
    cutter c = {.n = n, .room = room, .ruler = ruler, .out = out};
    bool ok = n == 0 || (c.name = es_alloc_zero(n, sizeof *c.name)) != NULL;
    for (int i = 0; i < 128; i++)
        c.ascii[i] = -1;
    c.gap = ruler->room_of(ruler->context, ruler->gap);
    c.unit = room_of(&c, "0", 1);
    for (size_t i = 0; i < n; i++)
        out[i] = NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = read_letters(&c, &c.name[i], name[i]);
    ok = ok && (n == 0 || cut_all(&c));
    for (size_t i = 0; i < n && c.name != NULL; i++) {
        es_free(c.name[i].letter);
        es_free(c.name[i].kept);
    }
    es_free(c.name);
    if (ok)
        return ES_OK;
    es_short_names_free(out, n);
    return es_no_memory(err);
}

void es_short_names_free(char **out, size_t n) {
    for (size_t i = 0; i < n; i++) {
        es_free(out[i]);
        out[i] = NULL;
    }
}
