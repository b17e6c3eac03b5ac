/* Keys and time: an Escape by itself, pastes without an end, releases that no terminal tells. */
#include <kith/terminal.h>
#include <stdio.h>
#include <string.h>

#include "input_events.h"
#include "test.h"

/* At a time, bytes come in, or with NULL time passes; and what events there are then, or NULL if nobody
 * looks. */
typedef struct moment {
    uint64_t ms;
    const char *bytes;
    const char *events;
} moment;

typedef struct input_story {
    const char *name;
    moment moments[16]; /* up to one of zeros */
} input_story;

static const input_story stories[] = {
    {"an escape that stays alone is a key",
     {{100, "\033", NULL},
      {129, NULL, ""},
      {130, NULL, "Esc"},
      {131, "[A", "[ Shift-a(A)"}, /* too late to be Up */
      {1000, "\033[", NULL},
      {1030, NULL, "-Esc -[ -Shift-a Alt-["},
      {2000, "\033[1", NULL}, /* has begun: gets ten times as long */
      {2299, NULL, NULL},
      {2299, ";5A", "-Alt-[ Ctrl-Up"},
      {3000, "\033[1", NULL},
      {3300, "x", "-Ctrl-Up x"},
      {4000, "\033O", NULL},
      {4100, "\033P", NULL},
      {4200, NULL, "-x Shift-Alt-o Shift-Alt-p -Shift-Alt-o"}}},
    {"two escapes that stay alone are two keys",
     {{100, "\033\033", NULL},
      {129, NULL, ""},
      {130, NULL, "Esc -Esc Esc"},
      {131, "[A", "[ Shift-a(A)"},
      {1000, "\033", NULL},
      {1020, "\033[", NULL},
      {1050, NULL, "-Esc -[ -Shift-a Esc Alt-["}}},
    {"a paste without an end ends",
     {{0, "\033[200~abc", NULL},
      {499, "def", NULL},
      {998, NULL, ""},
      {999, NULL, "paste[abcdef]"}}},
};

TEST(time_ends_what_has_no_end)
{
    for (size_t i = 0; test_row(i, ROWS_OF(stories)); i++) {
        const moment *at = stories[i].moments;
        WITH_INPUT(keys);
        for (; at->ms != 0 || at->bytes != NULL; at++) {
            char note[80];
            snprintf(note, sizeof(note), "%s: %u ms", stories[i].name, (unsigned)at->ms);
            test_note(note);
            if (at->bytes != NULL) {
                feed(keys, at->bytes, at->ms * MS);
            } else {
                tick(keys, at->ms * MS);
            }
            if (at->events != NULL) {
                CHECK_STR(all_events(keys), at->events);
            }
        }
        test_note(NULL);
        INPUT_DONE(keys);
    }
}

TEST(releases_are_made_up_where_none_are_told)
{
    WITH_INPUT(keys);
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
    INPUT_DONE(keys);
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
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
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
    WITH_INPUT(keys);
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
    INPUT_DONE(keys);
}

TEST(with_too_many_keys_the_oldest_is_released)
{
    WITH_INPUT(keys);
    feed(keys, "\033[?2u", 0);
    feed(keys, "0123456789abcdefghijklmnopqrstuv", 0);
    CHECK(kith_input_held(keys, '0'));
    all_events(keys);
    feed(keys, "w", 0);
    CHECK_STR(all_events(keys), "-0 w");
    CHECK(!kith_input_held(keys, '0') && kith_input_held(keys, '1'));
    INPUT_DONE(keys);
}
