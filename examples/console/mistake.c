#include "mistake.h"

#include <kith/terminal.h>
#include <stdio.h>
#include <string.h>

#include "support/must.h"
#include "support/terminal.h"

/* Draws both lines so far to the left that the caret is in the middle, but no further than is needed.
 * */
static void draw_part(const char *line, const char *caret, int width)
{
    const int place = kith_screen_text_width(caret) - 1;
    const int end = kith_screen_text_width(line);
    const int most = (place < end ? end : place + 1) - width; /* it may be after the end */
    int left = place - width / 2;
    left = left > most ? most : left;
    left = left < 0 ? 0 : left;
    kith_terminal *paper = terminal_open(
        &(kith_terminal_def){.output = KITH_TERMINAL_HEADLESS, .width = width, .height = 2});
    kith_screen *screen = kith_terminal_screen(paper);
    kith_screen_text(screen, -left, 0, line, (kith_terminal_style){0});
    kith_screen_text(screen, -left, 1, caret, (kith_terminal_style){0});
    must(NULL, kith_terminal_present(paper));
    must(NULL, kith_terminal_write(paper, stderr, KITH_FORMAT_TEXT));
    terminal_close(paper);
}

void mistake_print(const char *text, const kith_text_error *error, int width)
{
    char shown[800];
    kith_print_text_error(text, error, shown, sizeof shown);
    char *line = strchr(shown, '\n');
    char *caret = line == NULL ? NULL : strchr(line + 1, '\n');
    if (caret == NULL || width == 0) {
        fprintf(stderr, "%s\n", shown);
        return;
    }
    *line++ = '\0';
    *caret++ = '\0';
    fprintf(stderr, "%s\n", shown);
    if (kith_screen_text_width(line) <= width) {
        fprintf(stderr, "%s\n%s\n", line, caret);
    } else {
        draw_part(line, caret, width);
    }
}
