/* Each call on nothing does nothing, and says so. The calls are read from the header: a new one has to
 * be tried here. */
#include <kith/terminal.h>
#include <stdlib.h>
#include <string.h>

#include "headers.h"
#include "test.h"

static kith_screen_rect rect;
static kith_terminal_style style;
static kith_input_event event;
static kith_loop_def loop_def;
static kith_terminal_sprites *sprites;
static char cell[KITH_CELL_SIZE];

static bool tried_draw(void)
{
    kith_screen_free(NULL);
    kith_screen_clear(NULL);
    kith_screen_put(NULL, 0, 0, 'x', style);
    kith_screen_fill(NULL, rect, 'x', style);
    kith_screen_box(NULL, rect, KITH_BORDER_LIGHT, style);
    kith_screen_bar(NULL, 0, 0, 5, 1, style);
    kith_screen_spark(NULL, 0, 0, 5, (float[]){1}, 1, 0, style);
    kith_screen_dot(NULL, 0, 0, KITH_RED);
    kith_screen_draw(NULL, 0, 0, NULL);
    kith_screen_sprite(NULL, 0, 0, NULL, 0);
    kith_terminal_sprites_free(NULL);
    kith_input_free(NULL);
    kith_terminal_close(NULL);
    kith_terminal_redraw(NULL);
    kith_camera_follow(NULL, 0, 0, 0);
    kith_camera_shake(NULL, 1, 1);
    kith_camera_to_world(NULL, 0, 0, NULL, NULL);
    kith_loop_single_step(NULL);
    kith_loop_stop(NULL);
    return true;
}

static bool tried_half(void)
{
    kith_screen *screen = kith_screen_new(3, 3, NULL);
    kith_input *input = kith_input_new(NULL);
    kith_terminal *term;
    bool all = kith_terminal_open(&(kith_terminal_def){.output = KITH_TERMINAL_HEADLESS}, &term) ==
               KITH_OK;
    kith_screen_spark(screen, 0, 0, 3, NULL, 5, 0, style);
    kith_screen_draw(screen, 0, 0, NULL);
    kith_screen_sprite(screen, 0, 0, NULL, 0);
    all = all && kith_screen_text(screen, 0, 0, NULL, style) == 0 &&
          kith_screen_print(screen, 0, 0, style, NULL) == 0 &&
          kith_screen_read(screen, 0, 0, NULL, NULL) == 1 &&
          kith_screen_to_text(screen, NULL, 100) == 3 &&
          kith_input_feed(input, NULL, 1, 0) == KITH_ERR_MISUSE &&
          kith_input_feed(input, NULL, 0, 0) == KITH_OK &&
          kith_input_push(input, NULL) == KITH_ERR_MISUSE && !kith_input_next(input, NULL) &&
          !kith_terminal_next_event(term, NULL) &&
          kith_terminal_feed(term, NULL, 3) == KITH_ERR_MISUSE &&
          kith_terminal_write(term, NULL, KITH_FORMAT_TEXT) == KITH_ERR_MISUSE &&
          kith_terminal_open(NULL, NULL) == KITH_ERR_MISUSE &&
          kith_terminal_sprites_read("", NULL, NULL, NULL) == KITH_ERR_MISUSE;
    kith_terminal_close(term);
    kith_input_free(input);
    kith_screen_free(screen);
    return all;
}

static bool clocks_are_the_systems(void)
{
    return kith_loop_clock_virtual(NULL).now == NULL && kith_terminal_clock(NULL).now == NULL;
}

#define RETURNS(call, value)                                                                       \
    {                                                                                              \
#call, (call) == (value)                                                                   \
    }

TEST(calls_on_nothing_do_nothing)
{
    const struct {
        const char *name;
        bool holds;
    } calls[] = {
        {"what returns nothing", tried_draw()},
        {"what is half given", tried_half()},
        {"a clock", clocks_are_the_systems()},
        RETURNS(kith_screen_resize(NULL, 1, 1), KITH_ERR_MISUSE),
        RETURNS(kith_screen_width(NULL), 0),
        RETURNS(kith_screen_height(NULL), 0),
        RETURNS(kith_screen_clip(NULL, rect).width, 0),
        RETURNS(kith_screen_result(NULL), KITH_ERR_MISUSE),
        RETURNS(kith_screen_text(NULL, 0, 0, "x", style), 0),
        RETURNS(kith_screen_text_width(NULL), 0),
        RETURNS(kith_screen_print(NULL, 0, 0, style, "x"), 0),
        RETURNS(kith_screen_read(NULL, 0, 0, cell, &style), 0),
        RETURNS(kith_screen_to_text(NULL, cell, 1), 0),
        RETURNS(kith_terminal_sprites_read(NULL, NULL, &sprites, NULL), KITH_ERR_MISUSE),
        RETURNS(kith_terminal_sprites_find(NULL, "x"), NULL),
        RETURNS(kith_terminal_sprite_width(NULL), 0),
        RETURNS(kith_terminal_sprite_height(NULL), 0),
        RETURNS(kith_terminal_sprite_frames(NULL), 0),
        RETURNS(kith_input_feed(NULL, "x", 1, 0), KITH_ERR_MISUSE),
        RETURNS(kith_input_tick(NULL, 0), KITH_ERR_MISUSE),
        RETURNS(kith_input_push(NULL, &event), KITH_ERR_MISUSE),
        RETURNS(kith_input_next(NULL, &event), false),
        RETURNS(kith_input_held(NULL, 'x'), false),
        RETURNS(kith_input_has_releases(NULL), false),
        RETURNS(kith_terminal_is_live(NULL), false),
        RETURNS(kith_terminal_screen(NULL), NULL),
        RETURNS(kith_terminal_next_event(NULL, &event), false),
        RETURNS(kith_terminal_poll(NULL), false),
        RETURNS(kith_terminal_held(NULL, 'x'), false),
        RETURNS(kith_terminal_present(NULL), KITH_ERR_MISUSE),
        RETURNS(kith_terminal_feed(NULL, "x", 1), KITH_ERR_MISUSE),
        RETURNS(kith_terminal_resize(NULL, 1, 1), KITH_ERR_MISUSE),
        RETURNS(kith_terminal_write(NULL, stdout, KITH_FORMAT_TEXT), KITH_ERR_MISUSE),
        RETURNS(kith_terminal_record(NULL, NULL), KITH_ERR_MISUSE),
        RETURNS(kith_terminal_statistics(NULL).frames, 0),
        RETURNS(kith_camera_to_screen(NULL, 0, 0, NULL, NULL), false),
        RETURNS(kith_loop_start(NULL, &loop_def), KITH_ERR_MISUSE),
        RETURNS(kith_loop_next_frame(NULL), false),
        RETURNS(kith_loop_next_step(NULL), false),
        RETURNS(kith_loop_statistics(NULL).frames, 0),
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (!calls[i].holds) {
            test_fail(__FILE__, __LINE__, "%s returned something else", calls[i].name);
        }
    }
}

static char source[65536];

/* kith_screen_new and kith_terminal_detect_... have nothing that could be NULL, or may have it. */
static void is_tried(const char *name, void *context)
{
    char call[128];
    (void)context;
    snprintf(call, sizeof(call), "%s(", name);
    if (strstr(source, call) == NULL && strncmp(name, "kith_terminal_detect_", 21) != 0) {
        test_fail(__FILE__, __LINE__, "%s is not called on nothing here", name);
    }
}

TEST(every_call_of_the_header_is_here)
{
    char path[1024];
    source_path(path, sizeof(path), "tests/terminal/test_null.c");
    FILE *file = fopen(path, "rb");
    CHECK_PTR_NOT_NULL(file);
    CHECK(fread(source, 1, sizeof(source) - 1, file) > 1000);
    fclose(file);
    CHECK(headers_each_call_of("terminal", is_tried, NULL) > 55);
}
