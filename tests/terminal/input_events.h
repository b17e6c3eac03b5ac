/* Bytes for an input, and its events as text, so that tests can list them. */
#ifndef KITH_TEST_INPUT_EVENTS_H
#define KITH_TEST_INPUT_EVENTS_H

#include <kith/terminal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

#define MS UINT64_C(1000000)

static inline void add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static inline const char *name_of(uint32_t key)
{
    static const char *const special[] = {"Up",     "Down",   "Left",   "Right",
                                          "Home",   "End",    "PageUp", "PageDown",
                                          "Insert", "Delete", "Center", "Menu"};
    static char name[32];
    if (key >= KITH_KEY_UP && key <= KITH_KEY_MENU) {
        return special[key - KITH_KEY_UP];
    }
    if (key >= KITH_KEY_F1 && key < KITH_KEY_F1 + 24) {
        snprintf(name, sizeof(name), "F%u", key - KITH_KEY_F1 + 1);
    } else if (key >= KITH_MOUSE_LEFT) {
        snprintf(name, sizeof(name), "button%u", key - KITH_MOUSE_LEFT);
    } else if (key >= KITH_KEY_OTHER) {
        snprintf(name, sizeof(name), "other%u", key - KITH_KEY_OTHER);
    } else if (key == KITH_KEY_TAB) {
        return "Tab";
    } else if (key == KITH_KEY_ENTER) {
        return "Enter";
    } else if (key == KITH_KEY_ESCAPE) {
        return "Esc";
    } else if (key == KITH_KEY_BACKSPACE) {
        return "Backspace";
    } else if (key > 0x20 && key < 0x7F) {
        snprintf(name, sizeof(name), "%c", (int)key);
    } else {
        snprintf(name, sizeof(name), "U+%04X", key);
    }
    return name;
}

/* "Ctrl-Up", "a(A)", "-a" for a release, "=a" for a repetition. */
static inline void describe(char *text, size_t size, const kith_input_event *e)
{
    static const char *const marks[] = {"", "=", "-", "~"};
    add(text, size, "%s", *text == '\0' ? "" : " ");
    switch (e->kind) {
    case KITH_INPUT_KEY:
    case KITH_INPUT_MOUSE:
        add(text, size, "%s%s%s%s%s%s", marks[e->action], e->modifiers & KITH_SHIFT ? "Shift-" : "",
            e->modifiers & KITH_ALT ? "Alt-" : "", e->modifiers & KITH_CTRL ? "Ctrl-" : "",
            e->modifiers & KITH_SUPER ? "Super-" : "", e->key == 0 ? "none" : name_of(e->key));
        if (e->character != 0 && e->character != e->key) {
            add(text, size, "(%s)", name_of(e->character));
        }
        if (e->kind == KITH_INPUT_MOUSE) {
            add(text, size, "@%d,%d", e->x, e->y);
        }
        break;
    case KITH_INPUT_PASTE:
        add(text, size, "paste[%s]", e->text);
        CHECK_UINT(strlen(e->text), e->size);
        break;
    case KITH_INPUT_FOCUS_IN: add(text, size, "in"); break;
    case KITH_INPUT_FOCUS_OUT: add(text, size, "out"); break;
    case KITH_INPUT_RESIZE: add(text, size, "%dx%d", e->x, e->y); break;
    default: add(text, size, "kind %d", e->kind);
    }
}

static inline const char *all_events(kith_input *keys)
{
    static char text[4096];
    kith_input_event event;
    text[0] = '\0';
    while (kith_input_next(keys, &event)) {
        describe(text, sizeof(text), &event);
    }
    return text;
}

static inline kith_input *new_input(test_memory *memory)
{
    kith_input_def def = {.allocator = test_memory_allocator(memory)};
    kith_input *keys = kith_input_new(&def);
    CHECK_PTR_NOT_NULL(keys);
    return keys;
}

#define WITH_INPUT(keys)                                                                           \
    test_memory *memory = test_memory_new();                                                       \
    kith_input *keys = new_input(memory)

#define INPUT_DONE(keys) (kith_input_free(keys), test_memory_free(memory))

static inline void feed(kith_input *keys, const char *bytes, uint64_t now)
{
    CHECK_RESULT(kith_input_feed(keys, bytes, strlen(bytes), now), KITH_OK);
}

static inline void tick(kith_input *keys, uint64_t now)
{
    CHECK_RESULT(kith_input_tick(keys, now), KITH_OK);
}

#endif
