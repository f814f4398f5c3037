/* The lines of a theme file, and the meaning of its colours. */
#include "app_look.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512, SECTION_TOP = -3, SECTION_PALETTE = -2, PALETTE_DEPTH = 8 };

typedef struct line {
    const char *label;
    int number;
    char text[LINE_MAX_BYTES];
    char *key, *value; /* both NULL: a section; key NULL and text "": nothing */
} line;

typedef struct reader {
    const char *text;
    size_t length, at;
    line line;
} reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static char *trim_blanks(char *text) {
    while (is_blank(*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1]))
        text[--length] = '\0';
    return text;
}

static es_status fail_at(const char *label, int number, es_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static es_status fail_at(const char *label, int number, es_error *err, const char *format, ...) {
    char message[320];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return es_fail(err, ES_EFORMAT, "%s:%d: %s", label, number, message);
}

/* ---- lines ---- */

/* Colours begin with '#' too: a comment needs the start of the line, or blanks on both sides. */
static void cut_comment(char *text) {
    char *start = text;
    while (is_blank(*start))
        start++;
    if (*start == '#') {
        *text = '\0';
        return;
    }
    for (char *c = start; *c; c++)
        if (*c == '#' && c - text >= 2 && is_blank(c[-1]) && is_blank(c[-2]) &&
            (c[1] == '\0' || is_blank(c[1]))) {
            *c = '\0';
            return;
        }
}

/* The next line with something on it; ES_OK and line.text[0] == 0 at the end of the file. */
static es_status next_line(reader *in, es_error *err) {
    line *l = &in->line;
    l->key = l->value = NULL;
    l->text[0] = '\0';
    while (in->at < in->length) {
        const char *start = in->text + in->at;
        const char *end = memchr(start, '\n', in->length - in->at);
        size_t length = end ? (size_t)(end - start) : in->length - in->at;
        in->at += length + (end != NULL);
        l->number++;
        if (length > 0 && start[length - 1] == '\r')
            length--;
        if (length >= sizeof l->text)
            return fail_at(l->label, l->number, err, "the line is longer than %d bytes",
                           LINE_MAX_BYTES - 1);
        if (memchr(start, '\0', length))
            return fail_at(l->label, l->number, err, "the line holds a NUL byte");
        memcpy(l->text, start, length);
        l->text[length] = '\0';
        cut_comment(l->text);
        char *text = trim_blanks(l->text);
        if (*text == '\0')
            continue;
        memmove(l->text, text, strlen(text) + 1);
        char *equals = strchr(l->text, '=');
        if (l->text[0] == '[')
            return ES_OK;
        if (!equals)
            return fail_at(l->label, l->number, err, "expected key = value, found \"%s\"", l->text);
        *equals = '\0';
        l->key = trim_blanks(l->text);
        l->value = trim_blanks(equals + 1);
        if (*l->key == '\0')
            return fail_at(l->label, l->number, err, "nothing before the '='");
        if (*l->value == '\0')
            return fail_at(l->label, l->number, err, "%s has no value", l->key);
        return ES_OK;
    }
    l->text[0] = '\0';
    return ES_OK;
}

static bool at_end(const reader *in) {
    return in->line.key == NULL && in->line.text[0] == '\0';
}

/* ---- values ---- */

static es_status copy_value(const line *l, char *out, size_t capacity, es_error *err) {
    if (strlen(l->value) >= capacity)
        return fail_at(l->label, l->number, err, "%s is longer than %zu bytes", l->key,
                       capacity - 1);
    es_text_clean_into(out, capacity, l->value, strlen(l->value));
    return ES_OK;
}

/* Position of the value in a NULL-terminated list of words, as an enumeration. */
static es_status pick_word(const line *l, const char *const *words, void *out, es_error *err) {
    char all[128] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], l->value) == 0) {
            memcpy(out, &i, sizeof i);
            return ES_OK;
        }
        es_phrase_add(all, sizeof all, "%s%s", i ? ", " : "", words[i]);
    }
    return fail_at(l->label, l->number, err, "%s is \"%s\"; it can be %s", l->key, l->value, all);
}

static bool parse_hex(const char *text, uint32_t *rgb) {
    size_t digits = strspn(text + 1, "0123456789abcdefABCDEF");
    if (text[0] != '#' || text[1 + digits] != '\0' || (digits != 6 && digits != 3))
        return false;
    uint32_t value = (uint32_t)strtoul(text + 1, NULL, 16);
    if (digits == 3)
        value = ((value >> 8 & 0xF) * 0x11) << 16 | ((value >> 4 & 0xF) * 0x11) << 8 |
                (value & 0xF) * 0x11;
    *rgb = value;
    return true;
}

static bool parse_number(const char *text, int low, int high, int *out) {
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 4 || text[digits] != '\0')
        return false;
    int value = atoi(text);
    if (value < low || value > high)
        return false;
    *out = value;
    return true;
}

/* ---- sections ---- */

static es_status top_key(es_theme *theme, const line *l, es_error *err) {
    static const char *const variants[] = {"any", "dark", "light", NULL};
    static const char *const borders[] = {"rounded", "square", "heavy", "ascii", NULL};
    static const char *const glyphs[] = {"braille", "block", "ascii", NULL};
    static const char *const colours[] = {"all", "16", "none", NULL};
    const struct {
        const char *key, *const *words;
        void *value;
    } choices[] = {{"variant", variants, &theme->variant},
                   {"borders", borders, &theme->borders},
                   {"glyphs", glyphs, &theme->glyphs},
                   {"colours", colours, &theme->colours}};
    if (strcmp(l->key, "name") == 0)
        return copy_value(l, theme->name, sizeof theme->name, err);
    if (strcmp(l->key, "inherits") == 0)
        return ES_OK; /* followed before */
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (strcmp(l->key, choices[i].key) == 0)
            return pick_word(l, choices[i].words, choices[i].value, err);
    return fail_at(l->label, l->number, err,
                   "unknown key \"%s\"; before the first section stand name, variant, inherits, "
                   "borders, glyphs and colours",
                   l->key);
}

static es_status set_value(es_theme_draft *draft, es_draft_value *value, const line *l,
                           es_error *err) {
    if (strlen(l->value) >= sizeof value->text)
        return fail_at(l->label, l->number, err, "%s is longer than %zu bytes", l->key,
                       sizeof value->text - 1);
    memcpy(value->text, l->value, strlen(l->value) + 1);
    value->file = (uint8_t)(draft->n_files - 1);
    value->line = l->number;
    return ES_OK;
}

static int standard_colour(const char *name) {
    static const char *const names[] = {"black",   "red",  "green", "yellow", "blue",
                                        "magenta", "cyan", "white", NULL};
    int offset = 0;
    if (strncmp(name, "bright-", 7) == 0) {
        name += 7;
        offset = 8;
    }
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i + offset;
    return -1;
}

static uint8_t find_attribute(const char *word) {
    if (strcmp(word, "bold") == 0)
        return ES_ATTR_BOLD;
    if (strcmp(word, "underline") == 0)
        return ES_ATTR_UNDERLINE;
    return strcmp(word, "reverse") == 0 ? ES_ATTR_REVERSE : 0;
}

static es_status palette_key(es_theme_draft *draft, const line *l, es_error *err) {
    size_t length = strlen(l->key);
    bool plain = isalpha((unsigned char)l->key[0]) != 0;
    for (const char *c = l->key; *c; c++)
        plain = plain && (isalnum((unsigned char)*c) || *c == '-' || *c == '_');
    if (!plain || length >= sizeof draft->palette[0].name)
        return fail_at(l->label, l->number, err,
                       "\"%s\" cannot be a palette name: a letter, then letters, digits, - and _, "
                       "at most %zu",
                       l->key, sizeof draft->palette[0].name - 1);
    if (strcmp(l->key, "default") == 0 || strcmp(l->key, "on") == 0 || find_attribute(l->key))
        return fail_at(l->label, l->number, err,
                       "\"%s\" already has a meaning; choose another name", l->key);
    size_t i = 0;
    while (i < draft->n_palette && strcmp(draft->palette[i].name, l->key) != 0)
        i++;
    if (i == ES_DRAFT_PALETTE)
        return fail_at(l->label, l->number, err, "more than %d palette names", ES_DRAFT_PALETTE);
    if (i == draft->n_palette) {
        memcpy(draft->palette[i].name, l->key, length + 1);
        draft->n_palette++;
    }
    return set_value(draft, &draft->palette[i].value, l, err);
}

static es_status role_key(es_theme_draft *draft, es_style_set set, const line *l, es_error *err) {
    es_role role = es_role_find(l->key);
    if (role < ES_ROLE_COUNT)
        return set_value(draft, &draft->roles[set][role], l, err);
    /* A theme written for a later version must stay usable. */
    if (draft->warning.code == ES_OK)
        es_error_set(&draft->warning, ES_ENOTFOUND, "%s:%d: there is no role \"%s\"", l->label,
                     l->number, l->key);
    return ES_OK;
}

static es_status map_stops(es_colormap *map, const line *l, es_error *err) {
    char text[LINE_MAX_BYTES];
    memcpy(text, l->value, strlen(l->value) + 1);
    uint32_t stops[ES_MAP_STOPS];
    size_t count = 0;
    char *rest = text;
    for (char *word; (word = strtok_r(rest, " \t", &rest));) {
        if (count == ES_MAP_STOPS)
            return fail_at(l->label, l->number, err, "more than %d stops", ES_MAP_STOPS);
        if (!parse_hex(word, &stops[count++]))
            return fail_at(l->label, l->number, err, "\"%s\" is not a colour #rrggbb", word);
    }
    if (count < 2)
        return fail_at(l->label, l->number, err, "a colour map needs at least 2 stops");
    memcpy(map->stops, stops, sizeof stops);
    map->n_stops = count;
    map->n_c256 = 0; /* a parent's tuned list belongs to the parent's stops */
    return ES_OK;
}

static es_status map_c256(es_colormap *map, const line *l, es_error *err) {
    char text[LINE_MAX_BYTES];
    memcpy(text, l->value, strlen(l->value) + 1);
    size_t count = 0;
    char *rest = text;
    for (char *word; (word = strtok_r(rest, " \t", &rest));) {
        int index;
        if (count == ES_MAP_STEPS)
            return fail_at(l->label, l->number, err, "more than %d steps", ES_MAP_STEPS);
        if (!parse_number(word, 16, 255, &index))
            return fail_at(l->label, l->number, err, "\"%s\" is not a number from 16 to 255", word);
        map->c256[count++] = (uint8_t)index;
    }
    if (count < 2)
        return fail_at(l->label, l->number, err, "c256 needs at least 2 steps");
    map->n_c256 = count;
    return ES_OK;
}

static es_status map_ramp(es_colormap *map, const line *l, es_error *err) {
    size_t length = strlen(l->value);
    if (length < 2 || l->value[0] != '"' || l->value[length - 1] != '"')
        return fail_at(l->label, l->number, err, "put the ramp in quotes: \" .:-=+*#%%@\"");
    size_t count = 0;
    for (size_t at = 1; at < length - 1;) {
        uint32_t code;
        at += es_utf8_decode(l->value + at, length - 1 - at, &code);
        if (count == ES_MAP_RAMP)
            return fail_at(l->label, l->number, err, "more than %d characters in a ramp",
                           ES_MAP_RAMP);
        if (es_text_is_unsafe(code) || code == 0xFFFD)
            return fail_at(l->label, l->number, err,
                           "the ramp holds a character that cannot be shown");
        map->ramp[count++] = code;
    }
    if (count < 2)
        return fail_at(l->label, l->number, err, "a ramp needs at least 2 characters");
    map->n_ramp = count;
    return ES_OK;
}

static es_status map_key(es_colormap *map, const line *l, es_error *err) {
    if (strcmp(l->key, "stops") == 0)
        return map_stops(map, l, err);
    if (strcmp(l->key, "c256") == 0)
        return map_c256(map, l, err);
    if (strcmp(l->key, "ramp") == 0)
        return map_ramp(map, l, err);
    return fail_at(l->label, l->number, err,
                   "unknown key \"%s\"; a colour map has stops, c256, ramp", l->key);
}

/* Sections: SECTION_TOP, SECTION_PALETTE, a style set, or ES_STYLES_COUNT + map. */
static es_status find_section(const line *l, int *section, es_error *err) {
    static const struct {
        const char *name;
        int section;
    } known[] = {
        {"[palette]", SECTION_PALETTE},
        {"[roles]", ES_STYLES_FULL},
        {"[roles.16]", ES_STYLES_16},
        {"[roles.mono]", ES_STYLES_MONO},
        {"[colormap heat]", (int)ES_STYLES_COUNT + (int)ES_MAP_HEAT},
        {"[colormap asym]", (int)ES_STYLES_COUNT + (int)ES_MAP_ASYM},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, l->text) == 0) {
            *section = known[i].section;
            return ES_OK;
        }
    return fail_at(l->label, l->number, err,
                   "unknown section \"%s\"; there are palette, roles, roles.16, roles.mono, "
                   "colormap heat and colormap asym",
                   l->text);
}

es_status es_draft_read(es_theme_draft *draft, const char *text, size_t length, es_error *err) {
    int section = SECTION_TOP;
    reader in = {.text = text, .length = length};
    in.line.label = draft->labels[draft->n_files - 1];
    for (;;) {
        ES_PASS(next_line(&in, err));
        if (at_end(&in))
            break;
        const line *l = &in.line;
        if (!l->key)
            ES_PASS(find_section(l, &section, err));
        else if (section == SECTION_TOP)
            ES_PASS(top_key(&draft->theme, l, err));
        else if (section == SECTION_PALETTE)
            ES_PASS(palette_key(draft, l, err));
        else if (section < ES_STYLES_COUNT)
            ES_PASS(role_key(draft, (es_style_set)section, l, err));
        else
            ES_PASS(map_key(&draft->theme.maps[section - ES_STYLES_COUNT], l, err));
    }
    return ES_OK;
}

es_status es_draft_inherits(const char *text, size_t length, const char *label, char name[64],
                            int *number, es_error *err) {
    reader in = {.text = text, .length = length};
    in.line.label = label;
    name[0] = '\0';
    for (;;) {
        ES_PASS(next_line(&in, err));
        if (at_end(&in) || !in.line.key)
            break; /* sections begin */
        if (strcmp(in.line.key, "inherits") == 0) {
            ES_PASS(copy_value(&in.line, name, 64, err));
            *number = in.line.number;
        }
    }
    return ES_OK;
}

/* ---- colours ---- */

/* Where a word gets its meaning. A palette may have its own "green"; in roles for 16 colours the
 * terminal's own comes first. */
typedef struct scope {
    const es_theme_draft *draft;
    const es_draft_value *where; /* for messages */
    bool own_first;
    int depth; /* of palette names that refer to palette names */
} scope;

static es_status find_colour(scope in, const char *word, es_colour *out, es_error *err) {
    const char *label = in.draft->labels[in.where->file];
    uint32_t rgb;
    int index = standard_colour(word);
    size_t entry = 0;
    while (entry < in.draft->n_palette && strcmp(in.draft->palette[entry].name, word) != 0)
        entry++;
    if (entry < in.draft->n_palette && !(in.own_first && index >= 0)) {
        if (in.depth == PALETTE_DEPTH)
            return fail_at(label, in.where->line, err, "the palette name \"%s\" refers to itself",
                           word);
        in.where = &in.draft->palette[entry].value;
        in.depth++;
        return find_colour(in, in.where->text, out, err);
    }
    if (parse_hex(word, &rgb))
        *out = (es_colour)rgb;
    else if (strcmp(word, "default") == 0)
        *out = ES_COLOUR_DEFAULT;
    else if (index >= 0 || parse_number(word, 0, 255, &index))
        *out = ES_COLOUR_INDEX + index;
    else
        return fail_at(label, in.where->line, err,
                       "\"%s\" is neither a colour nor a palette name (a colour is #rrggbb, a name "
                       "such as red, or default)",
                       word);
    return ES_OK;
}

enum { UNSAID = INT32_MIN }; /* a foreground or background that the text does not give */

/* "fg [on bg] [attributes]" */
static es_status find_style(scope in, es_style *out, es_error *err) {
    const es_draft_value *value = in.where;
    const char *label = in.draft->labels[value->file];
    es_status st = ES_OK;
    es_style style = {UNSAID, UNSAID, 0};
    char text[ES_DRAFT_VALUE];
    memcpy(text, value->text, sizeof text);
    char *rest = text;
    bool background = false;
    for (char *word; (word = strtok_r(rest, " \t", &rest));) {
        es_colour *slot = background ? &style.bg : &style.fg;
        uint8_t attribute = find_attribute(word);
        if (!background && strcmp(word, "on") == 0) {
            background = true;
        } else if (attribute) {
            style.attrs |= attribute;
        } else if (*slot != UNSAID) {
            st = fail_at(label, value->line, err,
                         "\"%s\" is one word too many; a role is: fg [on bg] [bold] [underline] "
                         "[reverse]",
                         word);
            goto done;
        } else {
            ES_TRY(find_colour(in, word, slot, err));
        }
    }
    ES_FAIL_IF(background && style.bg == UNSAID,
               fail_at(label, value->line, err, "no colour after \"on\""));
    *out = style;
done:
    return st;
}

static void fill_unsaid(es_style styles[ES_ROLE_COUNT]) {
    es_colour fg = styles[ES_ROLE_TEXT].fg, bg = styles[ES_ROLE_BACKGROUND].bg;
    fg = fg == UNSAID ? ES_COLOUR_DEFAULT : fg;
    bg = bg == UNSAID ? ES_COLOUR_DEFAULT : bg;
    for (int role = 0; role < ES_ROLE_COUNT; role++) {
        if (styles[role].fg == UNSAID)
            styles[role].fg = fg;
        if (styles[role].bg == UNSAID)
            styles[role].bg = bg;
    }
}

es_status es_draft_resolve(es_theme_draft *draft, es_error *err) {
    for (size_t i = 0; i < draft->n_palette; i++) { /* also the names that no role uses */
        es_colour ignored;
        const es_draft_value *value = &draft->palette[i].value;
        ES_PASS(find_colour((scope){draft, value, false, 0}, value->text, &ignored, err));
    }
    for (int set = 0; set < ES_STYLES_COUNT; set++) {
        es_style *styles = draft->theme.styles[set];
        for (int role = 0; role < ES_ROLE_COUNT; role++) {
            scope in = {draft, &draft->roles[set][role], set != ES_STYLES_FULL, 0};
            /* What has no colours of its own is shown with those of 16-colour terminals. */
            if (!in.own_first && in.where->text[0] == '\0')
                in = (scope){draft, &draft->roles[ES_STYLES_16][role], true, 0};
            styles[role] = (es_style){UNSAID, UNSAID, 0};
            if (in.where->text[0])
                ES_PASS(find_style(in, &styles[role], err));
        }
        fill_unsaid(styles);
    }
    return ES_OK;
}
