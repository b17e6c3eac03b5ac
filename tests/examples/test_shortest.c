/* How the examples print floats: the fewest digits that read back as the same float. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../examples/support/shortest.c"
#include "random.h"
#include "test.h"

TEST(known_floats)
{
    static const struct {
        float value;
        const char *text;
    } known[] = {
        {0, "0"},
        {-0.0f, "-0"},
        {1, "1"},
        {100, "100"},
        {-0.5f, "-0.5"},
        {0.1f, "0.1"},
        {1.0f / 3, "0.33333334"},
        {103.333336f, "103.333336"},
        {106.66667f, "106.66667"},
        {110.000008f, "110.00001"},
        {113.333344f, "113.33334"},
        {16777216, "16777216"},
        {16777218, "16777218"},
        {0.001f, "0.001"},
        {0.0001f, "0.0001"},
        {0.00001f, "1e-05"},
        {1e10f, "10000000000"},
        {1e20f, "1e+20"},
        {3.4028235e38f, "3.4028235e+38"},
        {1e-45f, "1e-45"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        CHECK_STR(shortest(known[i].value).text, known[i].text);
    }
}

static uint32_t digits_of(const char *text)
{
    uint32_t digits = 0;
    uint32_t zeros = 0; /* at the end of a whole number: they only keep the place */
    bool point = strchr(text, '.') != NULL;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits == 0)) {
            continue;
        }
        digits++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return point ? digits : digits - zeros;
}

/* Any bits: they read back, and one digit less does not. */
TEST(random_floats)
{
    uint64_t seed = 4;
    for (int i = 0; i < 50000; i++) {
        uint32_t bits = (uint32_t)(random_next(&seed) >> 32);
        float value;
        memcpy(&value, &bits, sizeof(value));
        if (i % 2 == 0) { /* of a size that games have */
            value = (float)((int32_t)bits % 1000000) / 977;
        }
        if (!isfinite(value)) {
            continue;
        }
        shortest_text printed = shortest(value);
        CHECK(strtof(printed.text, NULL) == value);
        uint32_t digits = digits_of(printed.text);
        if (digits > 1 && digits <= 9 && fabsf(value) < 16777216) {
            char shorter[64];
            snprintf(shorter, sizeof(shorter), "%.*e", (int)digits - 2, (double)value);
            CHECK(strtof(shorter, NULL) != value);
        }
    }
}
