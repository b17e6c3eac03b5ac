/* A frame of the terminal kit, in memory: a library that needs nothing of worlds. */
#include <kith/terminal.h>

int main(void)
{
    const kith_terminal_def def = {.output = KITH_TERMINAL_HEADLESS, .width = 20, .height = 1};
    kith_terminal *term;
    if (kith_terminal_open(&def, &term) != KITH_OK) {
        return 1;
    }
    kith_screen_print(kith_terminal_screen(term), 0, 0, (kith_terminal_style){.fg = KITH_GREEN},
                      "(%.1f, %.1f)", 41.0, 12.0);
    kith_result result = kith_terminal_present(term);
    if (result == KITH_OK) {
        result = kith_terminal_write(term, stdout, KITH_FORMAT_TEXT);
    }
    kith_terminal_close(term);
    return result == KITH_OK ? 0 : 1;
}
