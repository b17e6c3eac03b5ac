/* Text on a screen. */
#include "terminal/screen.h"
#include "terminal/terminal_heap.h"

#define PRINT_SIZE 1024

/* Draws, or just measures where there is no screen. */
static int draw_text(kith_screen *screen, int x, int y, const char *text, kith_terminal_style style)
{
    int64_t column = 0;
    int64_t longest = 0;
    int64_t row = y;
    ki_grapheme grapheme;
    while (ki_grapheme_read(&grapheme, &text)) {
        if (grapheme.base == '\n') {
            column = 0;
            row++;
            continue;
        }
        if (screen != NULL && x + column < screen->width && row < screen->height) {
            ki_screen_set_grapheme(screen, (int)(x + column), (int)row, &grapheme, style);
        }
        column += grapheme.width;
        longest = column > longest ? column : longest;
    }
    return longest > INT32_MAX ? INT32_MAX : (int)longest;
}

int kith_screen_text(kith_screen *screen, int x, int y, const char *text, kith_terminal_style style)
{
    return screen == NULL || text == NULL ? 0 : draw_text(screen, x, y, text, style);
}

int kith_screen_text_width(const char *text)
{
    return text == NULL ? 0 : draw_text(NULL, 0, 0, text, (kith_terminal_style){0});
}

int kith_screen_print(kith_screen *screen, int x, int y, kith_terminal_style style,
                      const char *format, ...)
{
    char text[PRINT_SIZE];
    if (screen == NULL || format == NULL) {
        return 0;
    }
    va_list arguments;
    va_start(arguments, format);
    ki_terminal_format(text, sizeof text, format, arguments);
    va_end(arguments);
    return draw_text(screen, x, y, text, style);
}
