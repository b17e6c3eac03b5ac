/* Keys and time: an Escape by itself, pastes without an end, releases that no terminal tells. */
#include <kith/term.h>
#include <string.h>

#include "input_events.h"
#include "test.h"

TEST(an_escape_that_stays_alone_is_a_key)
{
    test_memory *memory = test_memory_new();
    kith_input *keys = new_input(memory);
    feed(keys, "\033", 100 * MS);
    tick(keys, 129 * MS);
    CHECK_STR(all_events(keys), "");
    tick(keys, 130 * MS);
    CHECK_STR(all_events(keys), "Esc");
    feed(keys, "[A", 131 * MS); /* too late to be Up */
    CHECK_STR(all_events(keys), "[ Shift-a(A)");
    feed(keys, "\033[", 1000 * MS);
    tick(keys, 1030 * MS);
    CHECK_STR(all_events(keys), "-Esc -[ -Shift-a Alt-[");
    feed(keys, "\033[1", 2000 * MS); /* has begun: gets ten times as long */
    tick(keys, 2299 * MS);
    feed(keys, ";5A", 2299 * MS);
    CHECK_STR(all_events(keys), "-Alt-[ Ctrl-Up");
    feed(keys, "\033[1", 3000 * MS);
    feed(keys, "x", 3300 * MS);
    CHECK_STR(all_events(keys), "-Ctrl-Up x");
    feed(keys, "\033O", 4000 * MS);
    feed(keys, "\033P", 4100 * MS);
    tick(keys, 4200 * MS);
    CHECK_STR(all_events(keys), "-x Shift-Alt-o Shift-Alt-p -Shift-Alt-o");
    kith_input_free(keys);
    test_memory_free(memory);
}

TEST(two_escapes_that_stay_alone_are_two_keys)
{
    test_memory *memory = test_memory_new();
    kith_input *keys = new_input(memory);
    feed(keys, "\033\033", 100 * MS);
    tick(keys, 129 * MS);
    CHECK_STR(all_events(keys), "");
    tick(keys, 130 * MS);
    CHECK_STR(all_events(keys), "Esc -Esc Esc");
    feed(keys, "[A", 131 * MS);
    CHECK_STR(all_events(keys), "[ Shift-a(A)");
    feed(keys, "\033", 1000 * MS);
    feed(keys, "\033[", 1020 * MS);
    tick(keys, 1050 * MS);
    CHECK_STR(all_events(keys), "-Esc -[ -Shift-a Esc Alt-[");
    kith_input_free(keys);
    test_memory_free(memory);
}

TEST(a_paste_without_end_ends)
{
    test_memory *memory = test_memory_new();
    kith_input *keys = new_input(memory);
    feed(keys, "\033[200~abc", 0);
    feed(keys, "def", 499 * MS);
    tick(keys, 998 * MS);
    CHECK_STR(all_events(keys), "");
    tick(keys, 999 * MS);
    CHECK_STR(all_events(keys), "paste[abcdef]");
    kith_input_free(keys);
    test_memory_free(memory);
}

TEST(releases_are_made_up_where_none_are_told)
{
    test_memory *memory = test_memory_new();
    kith_input *keys = new_input(memory);
    feed(keys, "a", 0);
    CHECK(kith_input_held(keys, 'a'));
    CHECK(!kith_input_has_releases(keys));
    tick(keys, 199 * MS);
    CHECK(kith_input_held(keys, 'a'));
    tick(keys, 200 * MS);
    CHECK(!kith_input_held(keys, 'a'));
    CHECK_STR(all_events(keys), "a -a");
    feed(keys, "a", 300 * MS); /* held */
    feed(keys, "a", 333 * MS);
    CHECK_STR(all_events(keys), "a =a");
    tick(keys, 452 * MS);
    CHECK(kith_input_held(keys, 'a'));
    tick(keys, 453 * MS);
    CHECK(!kith_input_held(keys, 'a'));
    CHECK_STR(all_events(keys), "-a");
    feed(keys, "\033[A", 460 * MS);
    feed(keys, " ", 500 * MS);
    CHECK(kith_input_held(keys, KITH_KEY_UP) && kith_input_held(keys, ' '));
    feed(keys, "x", 5000 * MS); /* the others ended before */
    CHECK_STR(all_events(keys), "Up U+0020 -Up -U+0020 x");
    feed(keys, "\033[O", 5001 * MS);
    CHECK_STR(all_events(keys), "-x out");
    kith_input_free(keys);
    test_memory_free(memory);
    const kith_input_def def = {.first_hold_ms = 600, .hold_ms = 50};
    keys = kith_input_new(&def);
    feed(keys, "a", 0);
    tick(keys, 599 * MS);
    feed(keys, "a", 599 * MS);
    tick(keys, 649 * MS);
    CHECK_STR(all_events(keys), "a =a -a");
    kith_input_free(keys);
}

/* At `times` in milliseconds, up to a 0 behind the first, `a` comes in; with looks in between every
 * `frame` milliseconds, as in a game. */
static const char *tapped_events(const kith_input_def *def, const uint32_t *times, uint64_t frame)
{
    kith_input *keys = kith_input_new(def);
    uint32_t last = 0;
    uint64_t now = 1;
    for (uint32_t i = 0; i == 0 || times[i] != 0; i++) {
        for (; now <= times[i]; now += frame) {
            tick(keys, now * MS);
        }
        last = times[i];
        feed(keys, "a", now * MS);
    }
    tick(keys, (last + 2000u) * MS);
    const char *events = all_events(keys);
    kith_input_free(keys);
    return events;
}

/* No terminal repeats a key so soon, or but the last one: what comes then was pressed. */
TEST(quick_taps_are_presses_of_their_own)
{
    const kith_input_def holds = {.first_hold_ms = 600};
    const struct {
        const kith_input_def *def;
        uint32_t times[8];
        uint64_t frame;
        const char *events;
    } cases[] = {
        {NULL, {100, 180}, 16, "a -a a -a"},
        {NULL, {100, 299}, 1, "a -a a -a"},
        {&holds, {100, 280}, 16, "a -a a -a"},
        {&holds, {100, 200, 300, 400}, 16, "a -a a -a a -a a -a"},
        {&holds, {100, 323}, 1, "a -a a -a"},
        {&holds, {100, 330}, 1, "a =a -a"}, /* a keyboard that starts so soon */
        {NULL,
         {100, 600, 630, 660},
         16,
         "a -a a =a =a -a"}, /* held: the first repetitions are late */
        {&holds, {100, 600, 690, 780}, 16, "a =a =a =a -a"},
        {&holds, {100, 600, 630, 800}, 16, "a =a =a -a a -a"}, /* let go, and tapped again */
        {&holds, {100, 105}, 300, "a =a -a"}, /* nobody looked: the first may be far older */
        {&holds,
         {100, 700, 730, 820, 850},
         130,
         "a -a a =a -a a =a -a"},                        /* held, in a game that is slow */
        {NULL, {100, 1300, 1400}, 16, "a -a a -a a -a"}, /* two taps, much later */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        test_note(cases[i].events);
        CHECK_STR(tapped_events(cases[i].def, cases[i].times, cases[i].frame), cases[i].events);
    }
    kith_input *keys = kith_input_new(&holds);
    feed(keys, "a", 1000 * MS);
    feed(keys, "b", 1250 * MS);
    feed(keys, "a", 1500 * MS);
    CHECK_STR(all_events(keys), "a b -a a");
    kith_input_free(keys);
}

TEST(told_releases_are_waited_for)
{
    test_memory *memory = test_memory_new();
    kith_input *keys = new_input(memory);
    feed(keys, "\033[?27u", 0);
    CHECK(kith_input_has_releases(keys));
    feed(keys, "\033[97;1:1u\033[100;1:1u", 1);
    tick(keys, 1000000 * MS);
    CHECK(kith_input_held(keys, 'a') && kith_input_held(keys, 'd'));
    feed(keys, "\033[97;1:3u", 1000001 * MS);
    CHECK(!kith_input_held(keys, 'a') && kith_input_held(keys, 'd'));
    CHECK_STR(all_events(keys), "a d -a");
    feed(keys, "\033[?0u", 1000002 * MS);
    CHECK(!kith_input_has_releases(keys));
    feed(keys, "\033[<0;1;1M", 1000002 * MS);
    tick(keys, 3000000 * MS);
    CHECK(kith_input_held(keys, KITH_MOUSE_LEFT));
    kith_input_free(keys);
    test_memory_free(memory);
}

TEST(with_too_many_keys_the_oldest_is_released)
{
    test_memory *memory = test_memory_new();
    kith_input *keys = new_input(memory);
    feed(keys, "\033[?2u", 0);
    feed(keys, "0123456789abcdefghijklmnopqrstuv", 0);
    CHECK(kith_input_held(keys, '0'));
    all_events(keys);
    feed(keys, "w", 0);
    CHECK_STR(all_events(keys), "-0 w");
    CHECK(!kith_input_held(keys, '0') && kith_input_held(keys, '1'));
    kith_input_free(keys);
    test_memory_free(memory);
}
