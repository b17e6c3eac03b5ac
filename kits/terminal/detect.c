#include "terminal/detect.h"

#include <stdlib.h>
#include <string.h>

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value == NULL ? "" : value;
}

static bool has_any(const char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(text, parts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool begins_with_any(const char *text, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(text, starts[i], strlen(starts[i])) == 0) {
            return true;
        }
    }
    return false;
}

#define HAS_ANY(text, parts) has_any((text), (parts), sizeof(parts) / sizeof((parts)[0]))

#define BEGINS_WITH_ANY(text, starts)                                                              \
    begins_with_any((text), (starts), sizeof(starts) / sizeof((starts)[0]))

bool ki_detect_screen(void)
{
    static const char *const without[] = {"dumb", "unknown", "network", "dialup", "emacs"};
    const char *term = environment("TERM");
    return *term != '\0' && !BEGINS_WITH_ANY(term, without);
}

kith_terminal_colors kith_terminal_detect_colors(void)
{
    static const char *const plain[] = {"dumb", "mono", "vt100", "vt102", "vt220"};
    static const char *const all_colors[] = {"-direct",   "truecolor", "kitty",
                                             "alacritty", "ghostty",   "foot"};
    /* Emulators of xterm call themselves that, and have had 256 for twenty years. */
    static const char *const many_colors[] = {"xterm",   "tmux",  "vte",   "gnome",
                                              "konsole", "putty", "mintty"};
    const char *term = environment("TERM");
    const char *promise = environment("COLORTERM");
    if (*environment("NO_COLOR") != '\0' || *term == '\0' || HAS_ANY(term, plain)) {
        return KITH_COLORS_NONE;
    }
    if (strcmp(promise, "truecolor") == 0 || strcmp(promise, "24bit") == 0 ||
        HAS_ANY(term, all_colors)) {
        return KITH_COLORS_TRUE;
    }
    bool told = strstr(term, "color") != NULL; /* xterm-16color */
    bool many = told ? strstr(term, "256color") != NULL : BEGINS_WITH_ANY(term, many_colors);
    return many ? KITH_COLORS_256 : KITH_COLORS_16;
}

kith_terminal_glyphs kith_terminal_detect_glyphs(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    static const char *const utf8[] = {"UTF-8", "utf-8", "UTF8", "utf8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = environment(names[i]);
        if (*value != '\0') {
            return HAS_ANY(value, utf8) ? KITH_GLYPHS_UNICODE : KITH_GLYPHS_ASCII;
        }
    }
    return KITH_GLYPHS_ASCII;
}
