/* Screens for tests, and what they show. */
#ifndef KITH_TEST_DRAWING_H
#define KITH_TEST_DRAWING_H

#include <kith/terminal.h>
#include <string.h>

#include "test.h"

static const kith_terminal_style plain;

/* A screen on memory that is counted. */
static inline kith_screen *new_screen(test_memory *memory, int width, int height)
{
    kith_allocator allocator = test_memory_allocator(memory);
    kith_screen *screen = kith_screen_new(width, height, &allocator);
    CHECK_PTR_NOT_NULL(screen);
    return screen;
}

#define WITH_SCREEN(screen, width, height)                                                         \
    test_memory *memory = test_memory_new();                                                       \
    kith_screen *screen = new_screen(memory, (width), (height))

#define DONE(screen)                                                                               \
    do {                                                                                           \
        CHECK_RESULT(kith_screen_result(screen), KITH_OK);                                         \
        kith_screen_free(screen);                                                                  \
        test_memory_free(memory);                                                                  \
    } while (0)

#define CHECK_SCREEN(screen, expected) check_screen(__FILE__, __LINE__, (screen), (expected))
static inline void check_screen(const char *file, int line, const kith_screen *screen,
                                const char *expected)
{
    static char text[65536];
    size_t length = kith_screen_to_text(screen, text, sizeof(text));
    if (length >= sizeof(text) || strcmp(text, expected) != 0) {
        test_fail(file, line, "the screen shows\n%swhere\n%swas expected", text, expected);
    }
}

static inline const char *cell_text(const kith_screen *screen, int x, int y)
{
    static char text[KITH_CELL_SIZE];
    kith_screen_read(screen, x, y, text, NULL);
    return text;
}

static inline kith_terminal_style cell_style(const kith_screen *screen, int x, int y)
{
    kith_terminal_style style = {99, 99, 99};
    kith_screen_read(screen, x, y, NULL, &style);
    return style;
}

#endif
