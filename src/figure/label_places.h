/* Names of points, put beside them so that none overlaps another name or point. */
#ifndef ES_FIGURE_LABEL_PLACES_H
#define ES_FIGURE_LABEL_PLACES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct es_label {
    double px, py; /* the point that is named */
    double radius; /* of its disc */
    double w, h;   /* of the text */
    double x, y;   /* out: its upper left corner */
    bool placed;   /* out: false where there is no room; then it is left out */
} es_label;

typedef struct es_area {
    double x, y, w, h;
} es_area;

/** Every label near its point, inside the area, clear of all other points (labels with w = 0 are
 *  points without a name), labels and the lines that lead to them, which do not cross. First come,
 * first served, then all are looked at anew four times; what still overlaps is not placed.
 * Deterministic, no allocation. O(n^2). */
void es_labels_place(es_label *label, size_t n, es_area area);
/** The longest name beside one of n points of a picture so wide: the more, the shorter. */
double es_label_room(double width, size_t n);
/** How many have a name and no place. */
size_t es_labels_left_out(const es_label *label, size_t n);

/** Is the label so far from its point that a line must lead there? Where it begins and ends. */
bool es_label_leads(const es_label *label, double from[2], double to[2]);

#endif
