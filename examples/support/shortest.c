#include "shortest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 9 }; /* so many tell every float from its neighbours */

shortest_text shortest(float value)
{
    shortest_text printed = {"nan"};
    if (isnan(value)) {
        return printed;
    }
    if (isinf(value)) {
        strcpy(printed.text, value < 0 ? "-inf" : "inf");
        return printed;
    }
    /* An exponent stands in all of them, so that the number of digits alone decides. */
    int behind_point = 0;
    do {
        snprintf(printed.text, sizeof printed.text, "%.*e", behind_point, (double)value);
    } while (strtof(printed.text, NULL) != value && ++behind_point < DIGITS_MAX);

    /* The same digits without the exponent, if they are not too far from the point: the text above is
     * the value rounded at one of them, and so is this. */
    int exponent = atoi(strchr(printed.text, 'e') + 1);
    if (exponent >= -4 && exponent < 20) {
        int decimals = behind_point > exponent ? behind_point - exponent : 0;
        snprintf(printed.text, sizeof printed.text, "%.*f", decimals, (double)value);
    }
    return printed;
}
