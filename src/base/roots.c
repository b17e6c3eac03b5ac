#include <kith/floats.h>

#include "base/roots.h"

#include <float.h>

/* The square of a number, less another that it nearly is. The square is exact: Dekker's product, of two
 * halves with 26 bits. */
static double square_less(double root, double number)
{
    const double half = kith_mul_f64(root, 134217729.0); /* 2^27 + 1 */
    const double high = half - (half - root);
    const double low = root - high;
    return ((kith_mul_f64(high, high) - number) + kith_mul_f64(2 * high, low)) +
           kith_mul_f64(low, low);
}

double ki_square_root(double number)
{
    if (!(number > 0 && number <= DBL_MAX)) {
        return number;
    }
    double scale = 1; /* of the root; the number comes between 2^-128 and 2^128 */
    while (number < 0x1p-128) {
        number *= 0x1p256;
        scale *= 0x1p-128;
    }
    while (number > 0x1p128) {
        number *= 0x1p-256;
        scale *= 0x1p128;
    }
    double root = ki_guess_root(number, 2);
    for (int i = 0; i < 4; i++) { /* Heron's way: each step doubles the digits that are right */
        root = (root + number / root) * 0.5;
    }
    root -= square_less(root, number) / (2 * root);
    return root * scale;
}
