/* Floats as text, in the fewest digits that read back as the same float. */
#ifndef EXAMPLES_SHORTEST_H
#define EXAMPLES_SHORTEST_H

/* By value, so that it can stand in a printf. */
typedef struct shortest_text {
    char text[32];
} shortest_text;

/* 113.33334 for 113.333336f. Digits are written out from 0.0001 to below 1e+20; beyond stands an
 * exponent: 1e+20. Also "inf", "-inf" and "nan". */
shortest_text shortest(float value);

#endif
