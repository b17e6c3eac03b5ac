/* What is sent shows what was drawn, on a terminal that was written apart (vt.h), in few bytes. */
#include "headless.h"
#include "input.h"

static const kith_terminal_style plain;

/* ---- Anything can be shown ------------------------------------------------------------------- */

static uint32_t some_character(input *in)
{
    static const uint32_t characters[] = {'a',    'b',    ' ',    ' ',    '~',     0xE4,
                                          0x2500, 0x2588, 0x4E2D, 0xAC00, 0x1F600, 0x301,
                                          0xE01,  'x',    'y',    0x3042};
    return characters[input_below(in, 16)];
}

static kith_terminal_style some_style(input *in)
{
    static const kith_terminal_color colors[] = {
        KITH_COLOR_NONE,         KITH_COLOR_NONE,    KITH_COLOR_DEFAULT,  KITH_RED,
        KITH_BLUE | KITH_BRIGHT, KITH_PALETTE | 200, KITH_RGB | 0x010203, KITH_RGB | 0xfa8009};
    kith_terminal_style style = {colors[input_below(in, 8)], colors[input_below(in, 8)], 0};
    if (input_chance(in, 20)) {
        style.attributes = input_below(in, 64);
    }
    return style;
}

static void draw_something(headless *h, input *in)
{
    int x = (int)input_below(in, 24) - 2;
    int y = (int)input_below(in, 9) - 1;
    kith_terminal_style style = some_style(in);
    switch (input_below(in, 8)) {
    case 0: kith_screen_clear(h->screen); break;
    case 1:
        kith_screen_fill(
            h->screen, (kith_screen_rect){x, y, (int)input_below(in, 20), (int)input_below(in, 3)},
            some_character(in), style);
        break;
    case 2: kith_screen_text(h->screen, x, y, "e\xCC\x81t\xCC\x88中o\xCC\x82", style); break;
    case 3: kith_screen_text(h->screen, x, y, "plain text", style); break;
    case 4: kith_screen_dot(h->screen, x, y * 2, style.fg); break;
    default: kith_screen_put(h->screen, x, y, some_character(in), style); break;
    }
}

TEST_WITHIN(20, any_screen_is_shown_as_it_was_drawn)
{
    static char note[64];
    test_note(note);
    for (uint64_t seed = 1; seed <= (test_long() ? 20000 : 100); seed++) {
        snprintf(note, sizeof(note), "seed %llu", (unsigned long long)seed);
        input in = {.seed = seed};
        headless h = headless_open((kith_terminal_def){.width = 20, .height = 7});
        headless_record(&h);
        for (int frame = 0; frame < 40; frame++) {
            for (uint32_t i = input_below(&in, 10); i > 0; i--) {
                draw_something(&h, &in);
            }
            if (input_chance(&in, 3)) {
                kith_terminal_redraw(h.term);
            }
            if (input_chance(&in, 3)) {
                kith_input_event event;
                kith_terminal_resize(h.term, 10 + (int)input_below(&in, 20),
                                     3 + (int)input_below(&in, 10));
                CHECK(kith_terminal_next_event(h.term, &event));
            }
            present_and_check(&h);
        }
        headless_close(&h);
    }
    test_note(NULL);
}

/* ---- Few bytes ------------------------------------------------------------------------------- */

static uint32_t bytes_of_frame(headless *h)
{
    present_and_check(h);
    return kith_terminal_statistics(h->term).last_bytes;
}

TEST(what_has_not_changed_is_not_sent)
{
    headless h = headless_open((kith_terminal_def){.width = 40, .height = 10});
    headless_record(&h);
    kith_screen_text(h.screen, 3, 3, "hello", plain);
    CHECK(bytes_of_frame(&h) > 5);
    CHECK_UINT(bytes_of_frame(&h), 0);
    kith_screen_clear(h.screen);
    kith_screen_text(h.screen, 3, 3, "hello", plain);
    CHECK_UINT(bytes_of_frame(&h), 0);
    /* A blank in another foreground looks the same; so does the default by another name. */
    kith_screen_put(h.screen, 20, 5, ' ', (kith_terminal_style){.fg = KITH_RED});
    kith_screen_put(h.screen, 21, 5, ' ', (kith_terminal_style){.bg = KITH_COLOR_DEFAULT});
    CHECK_UINT(bytes_of_frame(&h), 0);
    kith_screen_put(h.screen, 8, 3, '!', plain); /* right behind the cursor */
    CHECK_UINT(bytes_of_frame(&h), 1);
    kith_terminal_redraw(h.term);
    CHECK(bytes_of_frame(&h) >= 6 + 10);
    kith_terminal_stats stats = kith_terminal_statistics(h.term);
    CHECK_UINT(stats.frames, 6);
    CHECK(stats.bytes > stats.last_bytes + 5); /* of all frames */
    headless_close(&h);
}

/* So many marked characters come and go that those which are gone are dropped; what is shown is kept in
 * mind. */
TEST(characters_with_marks_are_remembered)
{
    headless h = headless_open((kith_terminal_def){.width = 20, .height = 2});
    headless_record(&h);
    for (int frame = 0; frame < 50; frame++) {
        kith_screen_clear(h.screen);
        for (int i = 0; i < 40; i++) {
            char text[8];
            snprintf(text, sizeof(text), "%c\xCC%c", 'a' + frame % 26, 0x80 + i);
            kith_screen_text(h.screen, 5, 0, text, plain);
        }
        kith_screen_text(h.screen, 0, 0, "e\xCC\x81", plain);
        kith_screen_text(h.screen, 5, 0, "o\xCC\x82", plain);
        uint32_t bytes = bytes_of_frame(&h);
        CHECK(frame == 0 ? bytes > 6 : bytes == 0);
    }
    headless_close(&h);
}

/* Each expected number of bytes was counted by hand for the best sequence there is. */
TEST(cursor_moves_are_short)
{
    headless h = headless_open((kith_terminal_def){.width = 100, .height = 30});
    headless_record(&h);
    kith_screen_put(h.screen, 50, 10, 'a', plain);
    present_and_check(&h);
    static const struct {
        int x, y;
        uint32_t bytes;
    } steps[] = {
        {52, 10, 2}, /* a blank, x */
        {60, 10, 5}, /* ESC [ 7 C x */
        {61, 11, 2}, /* LF x */
        {59, 11, 4}, /* BS BS BS x */
        {0, 12, 3},  /* CR LF x */
        {0, 25, 6},  /* CR ESC [ 1 3 B x, or ESC [ 2 6 H x */
        {99, 2, 8},  /* ESC [ 3 ; 1 0 0 H x without the 0: columns count from 1 */
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        kith_screen_put(h.screen, steps[i].x, steps[i].y, 'x', plain);
        uint32_t bytes = bytes_of_frame(&h);
        if (bytes > steps[i].bytes + (i == 6)) {
            test_fail(__FILE__, __LINE__, "step %zu took %u bytes", i, bytes);
        }
    }
    headless_close(&h);
}

TEST(colours_change_only_where_it_shows)
{
    headless h = headless_open((kith_terminal_def){.width = 40, .height = 4});
    headless_record(&h);
    present_and_check(&h);
    kith_screen_put(h.screen, 0, 0, 'a', (kith_terminal_style){.fg = KITH_RED});
    CHECK_UINT(bytes_of_frame(&h), 5 + 1); /* ESC [ 3 1 m a */
    kith_screen_put(h.screen, 1, 0, 'b', (kith_terminal_style){.fg = KITH_RED});
    CHECK_UINT(bytes_of_frame(&h), 1);
    kith_screen_put(h.screen, 0, 0, ' ', plain); /* needs no colour */
    kith_screen_put(h.screen, 2, 0, 'c', (kith_terminal_style){.fg = KITH_RED});
    CHECK_UINT(bytes_of_frame(&h), 1 + 1 + 2); /* CR, blank, b again, c */
    kith_screen_put(h.screen, 3, 0, 'd', (kith_terminal_style){KITH_RED, 0, KITH_BOLD});
    CHECK_UINT(bytes_of_frame(&h), 4 + 1); /* ESC [ 1 m d */
    kith_screen_put(h.screen, 4, 0, 'e', plain);
    CHECK_UINT(bytes_of_frame(&h), 3 + 1); /* ESC [ m e: shorter than turning both off */
    headless_close(&h);
}

/* Characters, wide ones among them, rain in four colours: each is named once a frame. */
TEST_WITHIN(10, cells_of_a_colour_are_sent_together)
{
    headless h = headless_open((kith_terminal_def){.width = 60, .height = 20});
    headless_record(&h);
    input in = {.seed = 3};
    present_and_check(&h);
    for (int frame = 0; frame < 100; frame++) {
        kith_screen_clear(h.screen);
        if (frame % 3 == 0) {
            kith_screen_fill(h.screen, (kith_screen_rect){0, frame % 20, 60, 2}, ' ',
                             (kith_terminal_style){.bg = KITH_RGB | 0x090963});
        }
        for (uint32_t i = 0; i < 80; i++) {
            static const uint32_t glyphs[] = {'a', 0x4E2D, 0x2588, 0x1F600, 'b', 'c'};
            int shade = (int)(i % 4);
            kith_screen_put(h.screen, (int)input_below(&in, 60), (int)input_below(&in, 20),
                            glyphs[input_below(&in, 6)],
                            (kith_terminal_style){.fg = kith_rgb(200 + shade, 200 - shade, 7)});
        }
        uint32_t bytes = bytes_of_frame(&h);
        CHECK(bytes < 80 * (8 + 4) + 80 * 8 + 600);
    }
    headless_close(&h);
    /* More colours than anybody can count. */
    h = headless_open((kith_terminal_def){.width = 60, .height = 20});
    headless_record(&h);
    for (int colors = 30; colors < 1300; colors = colors < 36 ? colors + 1 : colors * 3) {
        for (int i = 0; i < 60 * 20; i++) {
            kith_screen_put(
                h.screen, i % 60, i / 60, 'a' + (uint32_t)colors % 26,
                (kith_terminal_style){.fg = kith_rgb(i * 7 % colors, i * 7 % colors / 256, 9)});
        }
        present_and_check(&h);
    }
    headless_close(&h);
    /* With no wide ones, few of many bytes are colours. */
    h = headless_open((kith_terminal_def){.width = 60, .height = 20});
    headless_record(&h);
    for (int i = 0; i < 40; i++) {
        kith_screen_put(h.screen, i * 37 % 60, i / 2, 'x',
                        (kith_terminal_style){.fg = kith_rgb(200 + i % 2, 100, 100)});
    }
    CHECK(bytes_of_frame(&h) < 10 + 40 * 9 + 2 * 19);
    headless_close(&h);
}

TEST(the_rest_of_a_row_is_wiped_at_once)
{
    headless h = headless_open((kith_terminal_def){.width = 200, .height = 3});
    headless_record(&h);
    kith_screen_fill(h.screen, (kith_screen_rect){0, 1, 200, 1}, '#',
                     (kith_terminal_style){.fg = KITH_RED});
    present_and_check(&h);
    kith_screen_clear(h.screen);
    CHECK(bytes_of_frame(&h) < 12);
    kith_screen_fill(h.screen, (kith_screen_rect){0, 1, 200, 1}, ' ',
                     (kith_terminal_style){.bg = KITH_RED});
    CHECK(bytes_of_frame(&h) > 200);
    headless_close(&h);
}

/* ---- Text that scrolls ----------------------------------------------------------------------- */

/* A page of lines, which are drawn anew in each frame. */
typedef struct page {
    char lines[40][128];
    kith_terminal_style styles[40];
} page;

static void write_line(page *p, int line, input *in, int length)
{
    char *text = p->lines[line];
    text[0] = '\0';
    for (int i = 0; i < length; i++) {
        static const char *const letters[] = {"a", "b", "e\xCC\x81", " ", "中", "x", " ", "!"};
        strcat(text, letters[input_below(in, 8)]);
    }
    p->styles[line] = some_style(in);
}

static void draw_page(headless *h, const page *p)
{
    kith_screen_clear(h->screen);
    for (int y = 0; y < kith_screen_height(h->screen); y++) {
        kith_screen_text(h->screen, 0, y, p->lines[y], p->styles[y]);
    }
}

/* Moves the lines from `top` to `bottom` by some, and writes new ones where they come from. */
static void move_lines(page *p, input *in, int top, int bottom, int by)
{
    page before = *p;
    for (int y = top; y <= bottom; y++) {
        int from = y + by;
        if (from >= top && from <= bottom) {
            memcpy(p->lines[y], before.lines[from], sizeof(p->lines[y]));
            p->styles[y] = before.styles[from];
        } else {
            write_line(p, y, in, (int)input_below(in, 20));
        }
    }
}

/* Any lines may move any way, with others that change besides: what is shown is what was drawn. */
TEST_WITHIN(20, text_that_moves_is_shown_as_it_was_drawn)
{
    static char note[64];
    uint32_t scrolls = 0;
    test_note(note);
    for (uint64_t seed = 1; seed <= (test_long() ? 20000 : 60); seed++) {
        snprintf(note, sizeof(note), "seed %llu", (unsigned long long)seed);
        input in = {.seed = seed};
        static page p;
        const int height = 3 + (int)input_below(&in, 28);
        headless h = headless_open((kith_terminal_def){.width = 34, .height = height});
        headless_record(&h);
        for (int y = 0; y < height; y++) {
            write_line(&p, y, &in, (int)input_below(&in, 30));
        }
        for (int frame = 0; frame < 40; frame++) {
            int top = (int)input_below(&in, (uint32_t)height);
            int bottom = top + (int)input_below(&in, (uint32_t)(height - top));
            int most = bottom - top + 2;
            move_lines(&p, &in, top, bottom, (int)input_below(&in, (uint32_t)(2 * most)) - most);
            for (uint32_t i = input_below(&in, 3); i > 0; i--) {
                write_line(&p, (int)input_below(&in, (uint32_t)height), &in, 9);
            }
            draw_page(&h, &p);
            for (uint32_t i = input_below(&in, 6); i > 0; i--) {
                draw_something(&h, &in);
            }
            present_and_check(&h);
        }
        scrolls += h.vt.scrolls;
        headless_close(&h);
    }
    CHECK(scrolls > 60);
    test_note(NULL);
}

static void write_log(page *p, int line, int number)
{
    snprintf(p->lines[line], sizeof(p->lines[line]),
             "%4d %0*d: of all that was said, this is what is new", number, 5 + number % 7,
             number * 7919);
    p->styles[line] = (kith_terminal_style){.fg = number % 3 == 0 ? KITH_RED : KITH_COLOR_NONE};
}

/* A log: each line moves up by one, or down, and a new one comes. A head and a foot stay. */
TEST_WITHIN(10, text_that_scrolls_is_not_sent_again)
{
    for (int down = 0; down < 2; down++) {
        static page p;
        input in = {.seed = 5};
        uint32_t most = 0;
        headless h = headless_open((kith_terminal_def){.width = 80, .height = 24});
        headless_record(&h);
        for (int y = 0; y < 24; y++) {
            write_log(&p, y, y);
        }
        draw_page(&h, &p);
        CHECK(bytes_of_frame(&h) > 24 * 40);
        for (int frame = 0; frame < 30; frame++) {
            move_lines(&p, &in, 1, 22, down ? -1 : 1);
            write_log(&p, down ? 1 : 22, 24 + frame);
            draw_page(&h, &p);
            uint32_t bytes = bytes_of_frame(&h);
            most = bytes > most ? bytes : most;
        }
        CHECK_UINT(h.vt.scrolls, 30);
        CHECK(most < 60 + 30); /* a line, and what moves the others */
        headless_close(&h);
    }
}

/* What looks alike by chance is no reason to move anything. */
TEST(a_few_rows_are_sent_as_they_are)
{
    headless h = headless_open((kith_terminal_def){.width = 40, .height = 10});
    headless_record(&h);
    kith_screen_text(h.screen, 0, 4, "ab", plain);
    kith_screen_text(h.screen, 0, 5, "cd", plain);
    kith_screen_text(h.screen, 0, 6, "ef", plain);
    present_and_check(&h);
    kith_screen_clear(h.screen);
    kith_screen_text(h.screen, 0, 5, "ab", plain);
    kith_screen_text(h.screen, 0, 6, "cd", plain);
    kith_screen_text(h.screen, 0, 7, "ef", plain);
    CHECK(bytes_of_frame(&h) < 30);
    CHECK_UINT(h.vt.scrolls, 0);
    headless_close(&h);
}

/* ---- Fewer colours and glyphs ---------------------------------------------------------------- */

static vt_cell shown_with(kith_terminal_colors colors, kith_terminal_glyphs glyphs,
                          const char *text, kith_terminal_style style)
{
    headless h = headless_open(
        (kith_terminal_def){.width = 10, .height = 1, .colors = colors, .glyphs = glyphs});
    headless_record(&h);
    kith_screen_text(h.screen, 0, 0, text, style);
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
    headless_play(&h);
    vt_cell cell = *vt_at(&h.vt, 0, 0);
    headless_close(&h);
    return cell;
}

TEST(colours_become_the_nearest_that_there_are)
{
    static const struct {
        kith_terminal_color color;
        uint32_t in_256, in_16;
    } cases[] = {
        {KITH_RGB | 0xff0000, KITH_PALETTE | 196, KITH_PALETTE | 9},
        {KITH_RGB | 0x808080, KITH_PALETTE | 244, KITH_PALETTE | 8},
        {KITH_RGB | 0x000000, KITH_PALETTE | 16, KITH_PALETTE | 0},
        {KITH_RGB | 0x01fe02, KITH_PALETTE | 46, KITH_PALETTE | 10},
        {KITH_PALETTE | 196, KITH_PALETTE | 196, KITH_PALETTE | 9},
        {KITH_PALETTE | 3, KITH_PALETTE | 3, KITH_PALETTE | 3},
        {KITH_PALETTE | 255, KITH_PALETTE | 255, KITH_PALETTE | 7},
        {KITH_COLOR_NONE, 0, 0},
        {KITH_COLOR_DEFAULT, 0, 0},
        {0x77000000u, 0, 0},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_terminal_style style = {cases[i].color, cases[i].color, KITH_BOLD};
        vt_cell cell = shown_with(KITH_COLORS_256, 0, "x", style);
        CHECK_UINT(cell.fg, cases[i].in_256);
        CHECK_UINT(cell.bg, cases[i].in_256);
        cell = shown_with(KITH_COLORS_16, 0, "x", style);
        CHECK_UINT(cell.fg, cases[i].in_16);
        CHECK_UINT(cell.bg, cases[i].in_16);
        cell = shown_with(KITH_COLORS_NONE, 0, "x", style);
        CHECK_UINT(cell.fg, 0);
        CHECK_UINT(cell.bg, 0);
        CHECK_UINT(cell.attributes, KITH_BOLD);
    }
}

/* Ships, walls, moths, dark and light: only those of one hue share a colour. */
TEST(hues_stay_apart_in_sixteen_colours)
{
    static const struct {
        int red, green, blue;
        uint32_t number;
    } cases[] = {
        {127, 233, 255, 14}, {47, 143, 181, 6},   {255, 107, 94, 9},   {168, 58, 50, 1},
        {255, 179, 71, 11},  {168, 100, 28, 3},   {199, 146, 234, 13}, {122, 79, 163, 5},
        {31, 122, 61, 2},    {123, 216, 143, 10}, {93, 93, 114, 8},    {138, 144, 160, 8},
        {66, 70, 44, 3},     {126, 126, 66, 3},   {14, 15, 22, 0},     {44, 47, 62, 0},
        {214, 222, 235, 7},  {255, 255, 255, 15}, {20, 20, 200, 4},    {60, 80, 250, 12},
        {205, 0, 0, 1},      {206, 0, 0, 9},      {205, 205, 0, 3},    {0, 206, 206, 14},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_terminal_style style = {.fg = kith_rgb(cases[i].red, cases[i].green, cases[i].blue)};
        CHECK_UINT(shown_with(KITH_COLORS_16, 0, "x", style).fg, KITH_PALETTE | cases[i].number);
    }
}

TEST(ascii_has_something_for_everything)
{
    static const char *const cases[][2] = {
        {"─", "-"},  {"┃", "|"},         {"╬", "+"},        {"╭", "+"}, {"╳", "X"},  {"█", "#"},
        {"▀", "\""}, {"▄", "="},         {"▏", "|"},        {"▁", "_"}, {"é", "e"},  {"ß", "s"},
        {"Ž", "Z"},  {"ÿ", "y"},         {"中", "?"},       {"→", ">"}, {"“", "\""}, {"•", "*"},
        {"π", "?"},  {"e\xCC\x81", "e"}, {"\xC2\xA0", " "}, {"~", "~"}, {"ſ", "s"},  {"¡", "!"},
        {"▟", "#"},  {"╿", "|"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        test_note(cases[i][0]);
        CHECK_STR(shown_with(0, KITH_GLYPHS_ASCII, cases[i][0], plain).text, cases[i][1]);
    }
    headless h =
        headless_open((kith_terminal_def){.width = 10, .height = 1, .glyphs = KITH_GLYPHS_ASCII});
    headless_record(&h);
    kith_screen_text(h.screen, 0, 0, "中b", plain);
    CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
    headless_play(&h);
    CHECK_STR(vt_at(&h.vt, 1, 0)->text, " ");
    CHECK_STR(vt_at(&h.vt, 2, 0)->text, "b");
    headless_close(&h);
}

TEST(joined_emoji_are_sent_where_they_are_known)
{
    static const char family[] =
        "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7";
    static const char thumb[] = "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD";
    for (int joined = 0; joined < 2; joined++) {
        headless h = headless_open((kith_terminal_def){
            .width = 10, .height = 1, .glyphs = joined ? KITH_GLYPHS_JOINED : KITH_GLYPHS_UNICODE});
        kith_screen_text(h.screen, 0, 0, family, plain);
        kith_screen_text(h.screen, 2, 0, thumb, plain);
        kith_screen_text(h.screen, 4, 0, "e\xCC\x81 \xE2\x9D\xA4\xEF\xB8\x8F", plain);
        CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
        char text[256] = "";
        FILE *file = tmpfile();
        CHECK_PTR_NOT_NULL(file);
        CHECK_RESULT(kith_terminal_write(h.term, file, KITH_FORMAT_ANSI), KITH_OK);
        rewind(file);
        CHECK(fread(text, 1, sizeof(text) - 1, file) > 0);
        fclose(file);
        CHECK_CONTAINS(text, joined ? family
                                    : "\xF0\x9F\x91\xA8\xF0\x9F\x91\x8D"
                                      "e\xCC\x81");
        CHECK_INT(strstr(text, thumb) != NULL, joined);
        CHECK_INT(strstr(text, "\xEF\xB8\x8F") != NULL, joined);
        headless_close(&h);
    }
}

/* Terminals differ in how wide an emoji is: the place of what is drawn to the right of one is told. */
TEST(what_follows_an_emoji_is_put_in_its_place)
{
    static const char *const emoji[] = {"\xF0\x9F\x98\x80", "\xE2\x9D\xA4\xEF\xB8\x8F"};
    for (int i = 0; i < 2; i++) {
        headless h = headless_open((kith_terminal_def){.width = 10, .height = 1});
        headless_record(&h);
        kith_screen_text(h.screen, 1, 0, emoji[i], plain);
        kith_screen_put(h.screen, 3, 0, 'x', plain);
        CHECK_RESULT(kith_terminal_present(h.term), KITH_OK);
        headless_read(&h);
        CHECK_CONTAINS(h.recording, "\\u000d\\u001b[3Cx"); /* counted from the first column */
        headless_close(&h);
    }
}

/* ---- Want of memory -------------------------------------------------------------------------- */

/* The nth allocation of a frame fails: nothing is sent, and the next frame shows everything. */
TEST_WITHIN(10, a_frame_without_memory_is_made_up_for)
{
    for (int on = 0; on < 2; on++) {
        bool reached = true;
        size_t failures = 0;
        for (size_t nth = 1; reached; nth++) {
            headless h = headless_open((kith_terminal_def){.width = 60, .height = 20});
            headless_record(&h);
            kith_screen_text(h.screen, 0, 0, "hello", plain);
            present_and_check(&h);
            for (int y = 0; y < 20; y++) {
                kith_screen_print(h.screen, y, y, (kith_terminal_style){.fg = kith_rgb(y, y, y)},
                                  "row %d of many", y);
            }
            test_memory_fail(h.memory, nth, on != 0);
            kith_result result = kith_terminal_present(h.term);
            reached = test_memory_fail_nothing(h.memory);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_UINT(kith_terminal_statistics(h.term).frames, reached ? 1 : 2);
            failures += reached;
            present_and_check(&h);
            headless_close(&h);
        }
        CHECK(failures > 2);
    }
}

TEST(marks_without_memory_are_told)
{
    headless h = headless_open((kith_terminal_def){.width = 10, .height = 1});
    headless_record(&h);
    present_and_check(&h);
    test_memory_fail(h.memory, 1, true);
    kith_screen_text(h.screen, 0, 0, "e\xCC\x81", plain);
    CHECK(test_memory_fail_nothing(h.memory));
    CHECK_RESULT(kith_screen_result(h.screen), KITH_ERR_MEMORY);
    CHECK_RESULT(kith_terminal_present(h.term), KITH_ERR_MEMORY);
    headless_play(&h);
    CHECK_STR(vt_at(&h.vt, 0, 0)->text, "e");
    kith_screen_clear(h.screen);
    kith_screen_text(h.screen, 0, 0, "e\xCC\x81", plain);
    present_and_check(&h);
    headless_close(&h);
}
