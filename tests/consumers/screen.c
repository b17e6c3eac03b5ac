/* A frame of the terminal kit, in memory: a library that needs nothing of worlds. */
#include <kith/term.h>

int main(void)
{
    const kith_term_def def = {.output = KITH_TERM_HEADLESS, .width = 20, .height = 1};
    kith_terminal *term;
    if (kith_term_open(&def, &term) != KITH_OK) {
        return 1;
    }
    kith_screen_print(kith_term_screen(term), 0, 0, (kith_term_style){.fg = KITH_GREEN},
                      "(%.1f, %.1f)", 41.0, 12.0);
    kith_result result = kith_term_present(term);
    if (result == KITH_OK) {
        result = kith_term_write(term, stdout, KITH_FORMAT_TEXT);
    }
    kith_term_close(term);
    return result == KITH_OK ? 0 : 1;
}
