/* Answers as words, and how far two people agree. */
#include "core_duel.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const char *es_duel_choice_name(es_duel_choice choice) {
    static const char *const names[] = {"", "left", "right", "="};
    return names[choice];
}

bool es_duel_choice_parse(const char *text, es_duel_choice *out) {
    static const struct {
        const char *word;
        es_duel_choice choice;
    } words[] = {{"", ES_DUEL_OPEN},        {"left", ES_DUEL_LEFT},   {"h", ES_DUEL_LEFT},
                 {"1", ES_DUEL_LEFT},       {"right", ES_DUEL_RIGHT}, {"l", ES_DUEL_RIGHT},
                 {"2", ES_DUEL_RIGHT},      {"=", ES_DUEL_EQUAL},     {"both", ES_DUEL_EQUAL},
                 {"neither", ES_DUEL_EQUAL}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i].word) == 0) {
            *out = words[i].choice;
            return true;
        }
    return false;
}

double es_duel_choice_left(es_duel_choice choice) {
    static const double left[] = {(double)NAN, 1, 0, 0.5};
    return left[choice];
}

es_duel_agreement es_duel_agree(const es_duel_choice *a, const es_duel_choice *b, size_t count) {
    double of_a[4] = {0}, of_b[4] = {0}, same = 0, n = 0, chance = 0;
    for (size_t i = 0; i < count; i++)
        if (a[i] != ES_DUEL_OPEN && b[i] != ES_DUEL_OPEN) {
            of_a[a[i]]++;
            of_b[b[i]]++;
            same += a[i] == b[i];
            n++;
        }
    for (int c = 0; c < 4; c++)
        chance += n > 0 ? of_a[c] / n * (of_b[c] / n) : 0;
    return (es_duel_agreement){.count = (size_t)n,
                               .equal = n > 0 ? same / n : (double)NAN,
                               .kappa = n > 0 && chance < 1 ? (same / n - chance) / (1 - chance)
                                                            : (double)NAN};
}
