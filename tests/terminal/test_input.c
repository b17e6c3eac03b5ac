/* What the bytes of terminals mean: keys, mouse, pastes; in pieces, too many, and garbage. */
#include <kith/terminal.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "input_events.h"
#include "test.h"

/* ---- What they mean -------------------------------------------------------------------------- */

static const struct {
    const char *bytes;
    const char *events;
} meanings[] = {
    {"a", "a"},
    {"A", "Shift-a(A)"},
    {"~", "~"},
    {" ", "U+0020"},
    {"\xC3\xA9", "U+00E9"},
    {"\xC3\x89", "Shift-U+00E9(U+00C9)"},
    {"\xD0\x96", "Shift-U+0436(U+0416)"},
    {"\xD0\x80\xD0\x8F", "Shift-U+0450(U+0400) Shift-U+045F(U+040F)"},
    {"\xF0\x9F\x98\x80", "U+1F600"},
    {"\t\r\x7F\x08", "Tab Enter Backspace -Backspace Backspace"},
    {"\n", "Enter"},
    {"\x01\x1A\x1C\x1F", "Ctrl-a Ctrl-z Ctrl-\\ Ctrl-_"},
    {"\033x", "Alt-x"},
    {"\033X\033\\", ""}, /* a string of the terminal's */
    {"\033\x01", "Alt-Ctrl-a"},
    {"\033\xC3\xA9", "Alt-U+00E9"},
    {"\033\r", "Alt-Enter"},
    {"\033[A\033[B\033[C\033[D", "Up Down Right Left"},
    {"\033OA\033OH\033OF\033OP\033OS\033OM", "Up Home End F1 F4 Enter"},
    {"\033[1;5A", "Ctrl-Up"},
    {"\033[1;2D\033[1;3D", "Shift-Left -Shift-Left Alt-Left"},
    {"\033[1;16C", "Shift-Alt-Ctrl-Super-Right"},
    {"\033[H\033[F\033[E", "Home End Center"},
    {"\033[1~\033[2~\033[3~\033[4~\033[5~\033[6~", "Home Insert Delete End PageUp PageDown"},
    {"\033[11~\033[15~\033[17~\033[21~\033[24~", "F1 F5 F6 F10 F12"},
    {"\033[25~\033[34~", "F13 F20"},
    {"\033[3;5~", "Ctrl-Delete"},
    {"\033[[A\033[[E", "F1 F5"},
    {"\033[Z", "Shift-Tab"},
    {"\033[27;5;9~", "Ctrl-Tab"},
    {"\033[I\033[O", "in out"},
    {"\033[<0;10;5M", "button0@9,4"},
    {"\033[<0;10;5M\033[<0;11;5m", "button0@9,4 -button0@10,4"},
    {"\033[<2;1;1M", "button2@0,0"},
    {"\033[<35;3;4M", "~none@2,3"},
    {"\033[<32;3;4M", "~button0@2,3"},
    {"\033[<64;3;4M\033[<65;3;4M\033[<66;3;4M", "button5@2,3 button6@2,3 button7@2,3"},
    {"\033[<28;1;2M", "Shift-Alt-Ctrl-button0@0,1"},
    {"\033[<128;1;2M", "button3@0,1"},
    {"\033[<0;0;5M\033[<0;5M", ""},
    {"\033[200~two\nlines \xC3\xA9\033[201~x", "paste[two\nlines \xC3\xA9] x"},
    {"\033[200~\033[20\033[201~", "paste[\033[20]"},
    {"\033[200~\033[201~", "paste[]"},
    /* rxvt: Shift and Ctrl with arrows, and with keys that have numbers; Alt is an ESC in front. */
    {"\033[a\033[b\033[c\033[d", "Shift-Up Shift-Down Shift-Right Shift-Left"},
    {"\033Oa\033Ob\033Oc\033Od", "Ctrl-Up Ctrl-Down Ctrl-Right Ctrl-Left"},
    {"\033[3^\033[7$\033[5@", "Ctrl-Delete Shift-Home Shift-Ctrl-PageUp"},
    {"\033[11^\033[24$x", "Ctrl-F1 Shift-F12 x"},
    {"\033\033[A\033\033OB", "Alt-Up Alt-Down"},
    {"\033\033[a\033\033Od\033\033[3^\033\033[6~", "Shift-Alt-Up Alt-Ctrl-Left Alt-Ctrl-Delete "
                                                   "Alt-PageDown"},
    {"\033\033[[A\033\033[Z", "Alt-F1 Shift-Alt-Tab"},
    {"\033\033\033[A", "Esc Alt-Up"},
    {"\033\033x", "Esc Alt-x"},
    {"\033\033[<0;10;5M", "Esc button0@9,4"},
    {"\033\033[97u\033\033[I", "Esc a -Esc Esc in"},
    {"\033\033[200~x\033[201~", "Esc paste[x]"},
    {"\033\033]0;title\007x", "Esc x"},
    {"\033\033[27;5;9~", "Esc Ctrl-Tab"},
    {"\033[e\033Oe\033[^\033[99$", ""},
    /* The kitty protocol. */
    {"\033[97u", "a"},
    {"\033[97;5u", "Ctrl-a"},
    {"\033[97:65;2;65u", "Shift-a(A)"},
    {"\033[97:65;2u", "Shift-a(A)"},
    {"\033[49;2;33u", "Shift-1(!)"},
    {"\033[97;1:3u", "-a"},
    {"\033[?2u\033[97;1:1u\033[97;1:2u\033[97;1:3u", "a =a -a"},
    {"\033[1;1:3A", "-Up"},
    {"\033[3;5:3~", "-Ctrl-Delete"},
    {"\033[13u\033[27u\033[9u\033[127u", "Enter Esc Tab Backspace"},
    {"\033[57399;1;48u", "0"},
    {"\033[57414u", "Enter"},
    {"\033[57419u\033[57427u", "Up Center"},
    {"\033[57376u\033[57387u", "F13 F24"},
    {"\033[57363u", "Menu"},
    {"\033[57441;2u", "Shift-other97"},
    {"\033[55555555u\033[0u\033[u", ""},
    /* Replies and what is not known. */
    {"\033[?1;2c\033[>0;95;0c\033[?2026;2$y", ""},
    {"\033]11;rgb:0000/0000/0000\007x", "x"},
    {"\033P1$r0m\033\\x", "x"},
    {"\033_Gi=1;OK\033\\x", "x"},
    {"\033]0;cut off\033[A", "Up"},
    {"\033[99~\033[y\033[1;2;3;4;5;6;7;8;9;10;11A", "Shift-Up"},
    {"\033[1\033[A", "Up"},
    {"\033[1\001", "Ctrl-a"},
    {"\033[1;\xC3\xA9", "U+00E9"},
    {"\xC3"
     "a\xA9\xFF\xC0\xED\xA0\x80 ",
     "a U+0020"},
    {"\033\xC3\xC3\xA9", "U+00E9"}, /* Alt was that of what was cut short */
    {"\033O\033[A", "Up"},
    {"\033[[\033[A", "Up"},
    {"\033[1;2:4:5A", "Shift-Up"},
    {"\033[4294967296A", "Up"},
    {"\033[M", ""},
};

TEST(sequences_mean_keys)
{
    for (size_t i = 0; test_row(i, ROWS_OF(meanings)); i++) {
        WITH_INPUT(keys);
        test_note(meanings[i].events);
        feed(keys, meanings[i].bytes, 1);
        CHECK_STR(all_events(keys), meanings[i].events);
        INPUT_DONE(keys);
    }
}

/* However a sequence is cut, it means the same. */
TEST(sequences_in_pieces_are_put_together)
{
    for (size_t i = 0; test_row(i, ROWS_OF(meanings)); i++) {
        const char *bytes = meanings[i].bytes;
        test_note(meanings[i].events);
        for (size_t piece = 1; piece < strlen(bytes); piece++) {
            WITH_INPUT(keys);
            uint64_t now = 5;
            for (size_t at = 0; at < strlen(bytes); at += piece) {
                size_t rest = strlen(bytes) - at;
                now += 2 * MS; /* less than an escape waits */
                CHECK_RESULT(kith_input_feed(keys, bytes + at, rest < piece ? rest : piece, now),
                             KITH_OK);
                tick(keys, now + 1);
            }
            CHECK_STR(all_events(keys), meanings[i].events);
            INPUT_DONE(keys);
        }
    }
}

TEST(a_sequence_that_is_too_long_is_left_out)
{
    char bytes[300] = "\033[";
    WITH_INPUT(keys);
    memset(bytes + 2, '1', 250);
    memcpy(bytes + 252, "Ax", 3);
    feed(keys, bytes, 1);
    CHECK_STR(all_events(keys), "x");
    INPUT_DONE(keys);
}

/* ---- The queue ------------------------------------------------------------------------------- */

TEST(events_wait_without_a_limit)
{
    kith_input_event event;
    WITH_INPUT(keys);
    for (int i = 0; i < 10000; i++) {
        char text[64];
        snprintf(text, sizeof(text), "\033[<0;%d;1M\033[200~%d\033[201~", i + 1, i);
        feed(keys, text, 0);
    }
    for (int i = 0; i < 10000; i++) {
        CHECK(kith_input_next(keys, &event));
        CHECK_INT(event.x, i);
        CHECK(kith_input_next(keys, &event));
        CHECK_INT(atoi(event.text), i);
    }
    CHECK(!kith_input_next(keys, &event));
    size_t used = memory->bytes;
    for (int i = 0; i < 10000; i++) { /* taken out at once, they need no more room */
        feed(keys, "\033[I\033[I\033[200~xyz\033[201~\033[20", 0);
        feed(keys, "0~half", 0);
        for (int k = 0; k < 3; k++) {
            CHECK(kith_input_next(keys, &event));
        }
        CHECK_STR(event.text, "xyz");
        feed(keys, "\033[201~", 0);
        CHECK(kith_input_next(keys, &event));
        CHECK_STR(event.text, "half");
    }
    CHECK_UINT(memory->bytes, used);
    INPUT_DONE(keys);
}

TEST(events_of_ones_own_come_in_turn)
{
    WITH_INPUT(keys);
    feed(keys, "a", 0);
    kith_input_event event = {.kind = KITH_INPUT_RESIZE, .x = 5, .y = 6, .text = "x", .size = 9};
    CHECK_RESULT(kith_input_push(keys, &event), KITH_OK);
    feed(keys, "b", 0);
    CHECK_STR(all_events(keys), "a 5x6 b");
    event.kind = KITH_INPUT_NONE;
    CHECK_RESULT(kith_input_push(keys, &event), KITH_ERR_INPUT);
    event.kind = (kith_input_kind)77;
    CHECK_RESULT(kith_input_push(keys, &event), KITH_ERR_INPUT);
    INPUT_DONE(keys);
}

/* Whichever allocation fails, nothing was taken in, and the same bytes do once there is memory. */
TEST_WITHIN(10, whichever_allocation_fails_nothing_is_taken_in)
{
    static const char start[] = "ab\033[200~some text that is pas";
    static const char rest[] = "ted\033[201~\033[A\033[O0123456789abcdefghijklmnop\033";
    size_t failures = 0;
    for (int on = 0; on < 2; on++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            WITH_INPUT(keys);
            feed(keys, start, 5);
            test_memory_fail(memory, nth, on != 0);
            kith_result result = kith_input_feed(keys, rest, sizeof(rest) - 1, 6);
            reached = test_memory_fail_nothing(memory);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            if (reached) {
                failures++;
                CHECK(!kith_input_held(keys, KITH_KEY_UP) && kith_input_held(keys, 'a'));
                feed(keys, rest, 6);
            }
            const kith_input_event own = {.kind = KITH_INPUT_FOCUS_IN};
            tick(keys, 10000 * MS);
            CHECK_RESULT(kith_input_push(keys, &own), KITH_OK);
            CHECK_CONTAINS(all_events(keys),
                           "a b paste[some text that is pasted] Up -a -b -Up out 0 1");
            INPUT_DONE(keys);
        }
    }
    CHECK(failures > 3);
    /* The first event of all, and an keys itself. */
    WITH_INPUT(keys);
    const kith_input_event own = {.kind = KITH_INPUT_FOCUS_IN};
    test_memory_fail(memory, 1, true);
    CHECK_RESULT(kith_input_push(keys, &own), KITH_ERR_MEMORY);
    kith_input_def def = {.allocator = test_memory_allocator(memory)};
    CHECK_PTR_NULL(kith_input_new(&def));
    CHECK(test_memory_fail_nothing(memory));
    CHECK_STR(all_events(keys), "");
    feed(keys, "\033", 0);
    test_memory_fail(memory, 1, true);
    CHECK_RESULT(kith_input_tick(keys, 500 * MS), KITH_ERR_MEMORY);
    CHECK(test_memory_fail_nothing(memory));
    tick(keys, 500 * MS);
    CHECK_STR(all_events(keys), "Esc -Esc");
    kith_input_free(keys);
    def.allocator.release = NULL;
    CHECK_PTR_NULL(kith_input_new(&def));
    test_memory_free(memory);
}

/* ---- Garbage --------------------------------------------------------------------------------- */

TEST_WITHIN(10, garbage_does_no_harm)
{
    static const char pieces[] =
        "\033\033[[O]P<?;:0123456789mMuA~ZIO\007\\\x80\xC3\xA9\xF0\xFF a\r";
    for (uint64_t seed = 1; seed <= (test_long() ? 100000 : 300); seed++) {
        input in = {.seed = seed};
        WITH_INPUT(parser);
        uint64_t now = 0;
        for (int i = 0; i < 50; i++) {
            char bytes[64];
            size_t size = input_below(&in, 64);
            for (size_t k = 0; k < size; k++) {
                bytes[k] = input_chance(&in, 90) ? pieces[input_below(&in, sizeof(pieces) - 1)]
                                                 : (char)input_byte(&in);
            }
            now += input_below(&in, 100) * MS;
            CHECK_RESULT(kith_input_feed(parser, bytes, size, now), KITH_OK);
            kith_input_event event;
            while (kith_input_next(parser, &event)) {
                CHECK(event.kind > KITH_INPUT_NONE && event.kind < KITH_INPUT_CLOSED);
                CHECK(event.kind != KITH_INPUT_PASTE || strlen(event.text) <= event.size);
            }
        }
        INPUT_DONE(parser);
    }
}
