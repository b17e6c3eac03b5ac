/* A line while it is written: UTF-8, and a cursor in it. */
#ifndef EXAMPLES_CONSOLE_LINE_EDITOR_H
#define EXAMPLES_CONSOLE_LINE_EDITOR_H

#include <kith/terminal.h>

typedef struct line_editor {
    char *text;    /* ended by a zero */
    size_t length; /* bytes; so is `cursor`, which is never inside a character */
    size_t cursor;
    size_t capacity;
} line_editor;

/* An empty one. */
line_editor line_editor_new(void);
void line_editor_free(line_editor *line);

/* Makes the line this text, with the cursor at its end. */
void line_editor_set(line_editor *line, const char *text);

/* Writes `text` over what is from `start` to the cursor. Line breaks and tabs in it become blanks;
 * other control characters are left out. */
void line_editor_replace(line_editor *line, size_t start, const char *text);

/* Does what a key or a paste does to a line: a character is written; arrows, Home, End, Delete,
 * Backspace and the Ctrl- and Alt-keys of shells move the cursor and delete. False: it does nothing
 * here. */
bool line_editor_take(line_editor *line, const kith_input_event *event);

/* The character at a byte: its bytes, with the marks that are on it; 0 at the end. */
size_t line_editor_character(const line_editor *line, size_t at);

/* The columns of the characters in `size` bytes. */
int line_editor_columns(const char *text, size_t size);

#endif
