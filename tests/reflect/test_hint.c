/* The name that somebody meant: how far a word is from a name, and which name is offered. */
#include <kith/reader.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

static kith_hint hint_for(const char *word, const char *const *names)
{
    kith_hint hint = {.word = word, .length = strlen(word)};
    for (uint32_t i = 0; names[i] != NULL; i++) {
        kith_hint_offer(&hint, names[i]);
    }
    return hint;
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The same letters behind both words keep them near, whatever the distance. */
static void check_distance(const char *a, const char *b, uint32_t distance)
{
    static const char tail[] = "-------------------------";
    char word[64];
    char name[64];
    snprintf(word, sizeof(word), "%s%s", a, tail);
    snprintf(name, sizeof(name), "%s%s", b, tail);
    kith_hint hint = hint_for(word, NAMES(name));
    CHECK(hint.best == name);
    CHECK_UINT(hint.distance, distance);
    hint = hint_for(name, NAMES(word));
    CHECK_UINT(hint.distance, distance);
}

TEST(two_letters_that_are_swapped_count_as_one_mistake)
{
    check_distance("ab", "ba", 1);
    check_distance("Heatlh", "Health", 1);
    check_distance("Postiion", "Position", 1);
    check_distance("abcd", "badc", 2);
    check_distance("xabc", "abcx", 2); /* a letter that moved further is missing, and too many */
    check_distance("ca", "abc", 3);    /* what was swapped stays as it is */
}

TEST(a_letter_that_is_wrong_missing_or_too_many_is_one_mistake)
{
    check_distance("Health", "Health", 0);
    check_distance("Heelth", "Health", 1);
    check_distance("Helth", "Health", 1);
    check_distance("Healtth", "Health", 1);
    check_distance("ealth", "Health", 1);
    check_distance("", "abc", 3);
    check_distance("abc", "xyz", 3);
    check_distance("kitten", "sitting", 3);
    check_distance("flaw", "lawn", 2);
    check_distance("Health", "health", 0);
    check_distance("eHALTH", "health", 1);
    check_distance("a@[`{", "A`{@[", 4); /* which differ by the bit of the case, and are no letters */
}

/* Up to a third of the letters may be wrong, rounded up; but not all of a word. */
TEST(a_name_is_near_by_a_third_of_its_letters)
{
    static const struct {
        const char *word;
        const char *name;
        bool near;
    } cases[] = {{"a", "b", false},           {"a", "a", false},
                 {"ab", "ax", true},          {"ab", "xy", false},
                 {"abc", "abx", true},        {"abc", "axy", false},
                 {"abcd", "abxy", true},      {"abcd", "axyz", false},
                 {"abcdef", "abcdxy", true},  {"abcdef", "abcxyz", false},
                 {"abcdefg", "abcdxyz", true}, {"abcdefg", "abcwxyz", false},
                 {"abc", "abcd", true},       {"abc", "abcde", true},
                 {"abc", "abcdef", false}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        test_note(cases[i].word);
        kith_hint hint = hint_for(cases[i].word, NAMES(cases[i].name));
        CHECK_INT(hint.best != NULL, cases[i].near);
        hint = hint_for(cases[i].name, NAMES(cases[i].word));
        CHECK_INT(hint.best != NULL, cases[i].near);
    }
    char word[66];
    memset(word, 'a', 65);
    word[65] = '\0';
    CHECK_PTR_NULL(hint_for(word, NAMES(word)).best);
    CHECK_PTR_NULL(hint_for(word + 1, NAMES(word)).best);
    CHECK_STR(hint_for(word + 1, NAMES(word + 1)).best, word + 1);
}

TEST(the_nearest_name_is_offered_and_of_equals_the_first)
{
    CHECK_STR(hint_for("Helth", NAMES("Wealth", "Health", "Stealth")).best, "Health");
    CHECK_STR(hint_for("Helth", NAMES("Stealth", "Health", "Wealth")).best, "Health");
    CHECK_STR(hint_for("barn", NAMES("born", "bark", "bars")).best, "born");
    CHECK_STR(hint_for("barn", NAMES("bark", "born", "bars")).best, "bark");
    kith_hint hint = hint_for("Helth", NAMES("Wealth", "Health"));
    CHECK_STR(kith_hint_text(&hint).text, " (did you mean Health?)");
    hint = hint_for("qqqqq", NAMES("Wealth", "Health"));
    CHECK_STR(kith_hint_text(&hint).text, " (there are Wealth, Health)");
    hint = hint_for("qqqqq", NAMES(NULL));
    CHECK_STR(kith_hint_text(&hint).text, "");
}

/* What does not fit is left out, and "..." tells so. */
TEST(names_that_do_not_fit_are_told_by_dots)
{
    for (size_t length = 1; length < 140; length++) {
        char long_name[160];
        memset(long_name, 'n', length);
        long_name[length] = '\0';
        kith_hint hint = hint_for("?", NAMES("first", long_name, "last"));
        const char *text = kith_hint_text(&hint).text;
        char expected[200];
        snprintf(expected, sizeof(expected), " (there are first, %s, last)", long_name);
        if (strcmp(text, expected) != 0) {
            CHECK_CONTAINS(text, "(there are first, ");
            CHECK_CONTAINS(text, ", ...)");
            CHECK(strlen(text) <= 12 + 120);
        } else {
            CHECK(length < 120);
        }
        CHECK(length > 90 || strcmp(text, expected) == 0);
    }
}
