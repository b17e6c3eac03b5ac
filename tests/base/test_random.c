/* Random streams and what is drawn from them: the same bits everywhere, and evenly. The expected numbers
 * come from another program, written from the descriptions of the methods. */
#include <kith/floats.h>

#include <kith/random.h>
#include <math.h>
#include <string.h>

#include "test.h"

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* ---- The same bits everywhere ------------------------------------------------------------------ */

TEST(a_stream_is_splitmix64)
{
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    kith_random random = {1234567};
    for (size_t i = 0; i < 5; i++) {
        CHECK_UINT(kith_random_next(&random), expected[i]);
    }
}

TEST(floats_have_their_bits)
{
    static const uint32_t unit[] = {0x3f3dd732, 0x3e23bf8c, 0x3e8ea4ce, 0x3eb039c2, 0x3d1bc580};
    static const uint32_t range[] = {0x40d8a03e, 0xbf004968, 0x3f7b860c, 0x3fe6b484, 0xc001936c};
    kith_random a = {42}, b = {42};
    for (size_t i = 0; i < 5; i++) {
        CHECK_UINT(bits_of(kith_random_float(&a)), unit[i]);
        CHECK_UINT(bits_of(kith_random_uniform(&b, -2.5f, 10)), range[i]);
    }
}

TEST(whole_numbers_and_chances_are_what_they_are)
{
    static const int32_t few[] = {2, -2, -2, -1, -3, 3, -2, 2, -1, 1, -2, 0};
    static const int32_t any[] = {1037513254, -1460673741, -950900905, -669195777};
    static const uint32_t many[] = {835803390,  1032572149, 114090505,
                                    2604684229, 655215580,  2401895629};
    static const bool chances[] = {0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    kith_random a = {42}, b = {42}, c = {42}, d = {42};
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        CHECK_INT(kith_random_int(&a, -3, 3), few[i]);
    }
    for (size_t i = 0; i < sizeof any / sizeof any[0]; i++) {
        CHECK_INT(kith_random_int(&b, INT32_MIN, INT32_MAX), any[i]);
    }
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++) {
        CHECK_UINT(kith_random_index(&c, 3000000000u), many[i]);
    }
    CHECK_UINT(c.state, UINT64_C(17418742259747381458)); /* some were drawn again */
    for (size_t i = 0; i < sizeof chances / sizeof chances[0]; i++) {
        CHECK_INT(kith_random_chance(&d, 0.3), chances[i]);
    }
}

TEST(normal_numbers_have_their_bits)
{
    static const uint32_t standard[] = {0x3fac0e71, 0x3fc1b6f7, 0xbdbf5700,
                                        0x402b10d4, 0x3f81cf3c, 0x3fdcef5a};
    static const uint32_t scaled[] = {0x41222695, 0x41226be3, 0x411fd9bb};
    kith_random a = {42}, b = {42};
    for (size_t i = 0; i < 6; i++) {
        CHECK_UINT(bits_of(kith_random_normal(&a, 0, 1)), standard[i]);
    }
    CHECK_UINT(a.state, UINT64_C(0xdbefbea9bec497b6));
    for (size_t i = 0; i < 3; i++) {
        CHECK_UINT(bits_of(kith_random_normal(&b, 10, 0.1f)), scaled[i]);
    }
}

/* Values of any size, also larger than what changes places at once. */
TEST(shuffled_values_come_in_an_order_of_their_own)
{
    static const uint8_t expected[] = {8, 3, 6, 5, 4, 0, 9, 2, 1, 7};
    static const size_t sizes[] = {1, 3, 8, 63, 64, 65, 128, 200};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint8_t values[10 * 200];
        for (size_t i = 0; i < 10 * sizes[s]; i++) {
            values[i] = (uint8_t)(i / sizes[s] + i % sizes[s]);
        }
        kith_random random = {42};
        kith_random_shuffle(&random, values, 10, sizes[s]);
        for (size_t i = 0; i < 10 * sizes[s]; i++) {
            CHECK_UINT(values[i], (uint8_t)(expected[i / sizes[s]] + i % sizes[s]));
        }
    }
    kith_random random = {42};
    kith_random_shuffle(&random, NULL, 0, 4);
    kith_random_shuffle(&random, &random, 1, sizeof random);
    CHECK_UINT(random.state, 42);
}

/* ---- Ranges ------------------------------------------------------------------------------------ */

TEST(the_end_of_a_range_is_not_drawn)
{
    static const float ranges[][2] = {
        {0, 1},
        {1, 1.00000012f}, /* neighbours: half of what is drawn rounds up */
        {-FLT_MAX, FLT_MAX},
        {16777216, 16777220},
        {0, 1e-45f},
        {-1e-45f, 0}};
    kith_random random = {7};
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        for (int i = 0; i < 1000; i++) {
            const float drawn = kith_random_uniform(&random, ranges[r][0], ranges[r][1]);
            CHECK(drawn >= ranges[r][0] && drawn < ranges[r][1]);
        }
    }
    CHECK_UINT(bits_of(kith_random_uniform(&random, 5, 5)), bits_of(5));
    CHECK_INT(kith_random_int(&random, -9, -9), -9);
    CHECK_INT(kith_random_int(&random, INT32_MAX, INT32_MAX), INT32_MAX);
    CHECK_UINT(kith_random_index(&random, 1), 0);
}

TEST(what_is_certain_is_certain)
{
    kith_random random = {1};
    for (int i = 0; i < 1000; i++) {
        CHECK(!kith_random_chance(&random, 0) && !kith_random_chance(&random, -1) &&
              !kith_random_chance(&random, (double)NAN));
        CHECK(kith_random_chance(&random, 1) && kith_random_chance(&random, 2));
        CHECK_UINT(bits_of(kith_random_normal(&random, 3, 0)), bits_of(3));
    }
}

/* ---- Statistics -------------------------------------------------------------------------------- */

/* The sum of squared distances from what is expected, over that: near `cells` - 1 if all are even. */
static double chi_squared(const uint32_t *counts, uint32_t cells, double expected)
{
    double sum = 0;
    for (uint32_t i = 0; i < cells; i++) {
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
}

/* For 99 degrees of freedom, all except one in 1,000 are between these two. */
static void check_is_even(const uint32_t counts[100], double expected)
{
    const double measure = chi_squared(counts, 100, expected);
    CHECK(measure > 56 && measure < 154);
}

TEST(what_is_drawn_is_even)
{
    enum { DRAWS = 100000 };
    static uint32_t counts[4][100];
    kith_random random = {2024};
    for (uint32_t i = 0; i < DRAWS; i++) {
        counts[0][kith_random_index(&random, 100)]++;
        counts[1][kith_random_int(&random, -50, 49) + 50]++;
        counts[2][(uint32_t)(kith_random_float(&random) * 100)]++;
        counts[3][(uint32_t)(kith_random_uniform(&random, 300, 400)) - 300]++;
    }
    for (uint32_t i = 0; i < 4; i++) {
        check_is_even(counts[i], DRAWS / 100.0);
    }
}

/* Of 3 * 2^30 numbers, taking the highest bits alone would draw every third twice as often. */
TEST(a_count_that_is_no_power_of_two_is_even)
{
    enum { DRAWS = 30000 };
    uint32_t counts[2][3] = {{0}};
    kith_random random = {5};
    for (uint32_t i = 0; i < DRAWS; i++) {
        counts[0][kith_random_index(&random, 3u << 30) % 3]++;
        const int64_t drawn = kith_random_int(&random, INT32_MIN, (1 << 30) - 1);
        counts[1][(drawn - INT32_MIN) % 3]++;
    }
    for (int i = 0; i < 2; i++) {
        CHECK(chi_squared(counts[i], 3, DRAWS / 3.0) < 14);
    }
}

TEST(chances_come_as_often_as_they_say)
{
    enum { DRAWS = 100000 };
    static const double chances[] = {0.001, 0.1, 0.5, 0.9};
    kith_random random = {9};
    for (size_t c = 0; c < sizeof chances / sizeof chances[0]; c++) {
        uint32_t count = 0;
        for (int i = 0; i < DRAWS; i++) {
            count += kith_random_chance(&random, chances[c]);
        }
        const double deviation = sqrt(DRAWS * chances[c] * (1 - chances[c]));
        CHECK(fabs(count - DRAWS * chances[c]) < 3.5 * deviation);
    }
}

/* Each of the 24 orders of four. */
TEST(each_order_is_as_likely)
{
    enum { DRAWS = 24000 };
    uint32_t counts[256] = {0}, orders[24], found = 0;
    kith_random random = {3};
    for (int i = 0; i < DRAWS; i++) {
        uint8_t values[4] = {0, 1, 2, 3};
        kith_random_shuffle(&random, values, 4, 1);
        counts[values[0] << 6 | values[1] << 4 | values[2] << 2 | values[3]]++;
    }
    for (int i = 0; i < 256; i++) {
        if (counts[i] != 0) {
            CHECK(found < 24);
            orders[found++] = counts[i];
        }
    }
    CHECK_UINT(found, 24);
    const double measure = chi_squared(orders, 24, DRAWS / 24.0);
    CHECK(measure > 7 && measure < 53); /* 23 degrees of freedom */
}

/* The parts of the normal distribution, in steps of half a deviation. */
TEST(normal_numbers_are_normal)
{
    enum { DRAWS = 200000, CELLS = 16 };
    uint32_t counts[CELLS] = {0};
    double sum = 0, squares = 0;
    kith_random random = {11};
    for (int i = 0; i < DRAWS; i++) {
        const double drawn = ((double)kith_random_normal(&random, 100, 8) - 100) / 8;
        const double cell = floor(drawn * 2) + CELLS / 2;
        counts[cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : (int)cell]++;
        sum += drawn;
        squares += drawn * drawn;
    }
    CHECK(fabs(sum / DRAWS) < 3.5 / sqrt(DRAWS));
    CHECK(fabs(squares / DRAWS - 1) < 3.5 * sqrt(2.0 / DRAWS));
    double measure = 0;
    for (int i = 0; i < CELLS; i++) {
        const double low = i == 0 ? 0 : erfc(-(i - CELLS / 2) / 2.0 / sqrt(2)) / 2;
        const double high = i == CELLS - 1 ? 1 : erfc(-(i + 1 - CELLS / 2) / 2.0 / sqrt(2)) / 2;
        const double expected = DRAWS * (high - low);
        measure += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    CHECK(measure < 40); /* 15 degrees of freedom */
}

/* ---- As a component ---------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_stream_is_a_component, layout)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &kith_random_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(kith_random, {42}));
    const uint64_t before = kith_content_hash(f.world);
    CHECK_INT(kith_random_int(KITH_GET_MUT(f.world, e, kith_random), -3, 3), 2);
    CHECK(kith_content_hash(f.world) != before);
    CHECK_INT(kith_random_int(KITH_GET_MUT(f.world, e, kith_random), -3, 3), -2);
    CHECK_PTR_NOT_NULL(kith_type_find(f.world, "Random"));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
