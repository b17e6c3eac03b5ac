#include "prompt.h"

#include <kith/clock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "completion.h"
#include "history.h"
#include "line_editor.h"
#include "support/must.h"
#include "tty.h"

#define SIGN "> "

enum {
    SIGN_COLUMNS = 2,
    OTHER_LINES =
        3, /* of a page that are no rows: the line that was entered, a count, the next line */
    LEAST_LINES = 4, /* that tables have, however small the window is */
    LEAST_WIDTH = 20,
    WAIT_MS = 40 /* after an ESC, which may begin a sequence */
};

typedef struct prompt {
    console *console;
    kith_input *input;
    line_editor line;
    history history;
    int width, height;
    int row;       /* of the cursor, from the first of the line */
    bool is_whole; /* the line was entered */
    bool is_gone;  /* the input has ended */
} prompt;

void prompt_measure(console *c)
{
    int width;
    int height;
    tty_size(&width, &height);
    c->view.width = width > LEAST_WIDTH ? width : LEAST_WIDTH;
    c->view.lines = height - OTHER_LINES > LEAST_LINES ? height - OTHER_LINES : LEAST_LINES;
}

/* ---- Drawing the line ------------------------------------------------------------------------ */

/* Prints the line up to a byte, row by row, and returns the row that comes to. It breaks rows itself:
 * terminals differ in where the cursor is after the last column. */
static int print_to(const prompt *p, size_t from, size_t to, int *column)
{
    int row = 0;
    for (size_t at = from; at < to;) {
        size_t size = line_editor_character(&p->line, at);
        int columns = line_editor_columns(p->line.text + at, size);
        if (*column + columns > p->width) {
            fputs("\r\n", stdout);
            *column = 0;
            row++;
        }
        fwrite(p->line.text + at, 1, size, stdout);
        *column += columns;
        at += size;
    }
    if (*column >= p->width) {
        fputs("\r\n", stdout);
        *column = 0;
        row++;
    }
    return row;
}

static void go_up(int rows)
{
    if (rows > 0) {
        printf("\033[%dA", rows);
    }
    putchar('\r');
}

/* From the first row on, with the cursor where it is in the line. */
static void draw(prompt *p)
{
    int column = SIGN_COLUMNS;
    int end_column;
    go_up(p->row);
    fputs("\033[J" SIGN, stdout);
    p->row = print_to(p, 0, p->line.cursor, &column);
    end_column = column;
    go_up(print_to(p, p->line.cursor, p->line.length, &end_column));
    if (column > 0) {
        printf("\033[%dC", column);
    }
    fflush(stdout);
}

/* Leaves the line as it is, and goes below it. */
static void leave(prompt *p, const char *mark)
{
    p->line.cursor = p->line.length;
    draw(p);
    printf("%s\r\n", mark);
    p->row = 0;
}

/* ---- Completion ------------------------------------------------------------------------------ */

static void print_choices(const prompt *p, const completion *c)
{
    int widest = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        int width = kith_screen_text_width(c->choices[i]);
        widest = width > widest ? width : widest;
    }
    const int columns = p->width / (widest + 2) > 0 ? p->width / (widest + 2) : 1;
    const uint32_t lines = (c->count + (uint32_t)columns - 1) / (uint32_t)columns;
    for (uint32_t line = 0; line < lines; line++) {
        for (uint32_t i = line; i < c->count; i += lines) {
            int pad = i + lines < c->count ? widest + 2 - kith_screen_text_width(c->choices[i]) : 0;
            printf("%s%*s", c->choices[i], pad, "");
        }
        fputs("\r\n", stdout);
    }
}

/* Writes what all choices have in common; if that is written already, shows them. */
static void complete(prompt *p)
{
    line_editor *line = &p->line;
    completion c = completion_find(p->console->subject.world, line->text, line->cursor);
    const size_t cursor = line->cursor;
    const size_t written = cursor - c.start;
    if (c.count > 0 && c.common >= written &&
        (c.common > written || strncmp(c.choices[0], line->text + c.start, written) != 0)) {
        c.choices[0][c.common] = '\0';
        line_editor_replace(line, c.start, c.choices[0]);
    } else if (c.count > 1) {
        leave(p, "");
        print_choices(p, &c);
        line->cursor = cursor;
    }
    completion_free(&c);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void recall(prompt *p, const char *line)
{
    if (line != NULL) {
        line_editor_set(&p->line, line);
    }
}

/* Keys that the line does not know. */
static void take_key(prompt *p, uint32_t key, uint32_t modifiers)
{
    bool control = (modifiers & KITH_CTRL) != 0;
    if (key == KITH_KEY_ENTER || (control && (key == 'm' || key == 'j'))) {
        leave(p, "");
        p->is_whole = true;
    } else if (control && key == 'c') {
        leave(p, "^C");
        history_add(&p->history, "");
        line_editor_set(&p->line, "");
    } else if (control && key == 'l') {
        fputs("\033[H\033[2J", stdout);
        p->row = 0;
    } else if (key == KITH_KEY_TAB || (control && key == 'i')) {
        complete(p);
    } else if (key == KITH_KEY_UP || (control && key == 'p')) {
        recall(p, history_older(&p->history, p->line.text));
    } else if (key == KITH_KEY_DOWN || (control && key == 'n')) {
        recall(p, history_newer(&p->history));
    }
}

static void take(prompt *p, const kith_input_event *event)
{
    bool is_key = event->kind == KITH_INPUT_KEY && event->action != KITH_ACTION_RELEASE;
    bool control = is_key && (event->modifiers & KITH_CTRL) != 0;
    if (control && event->key == 'd' && p->line.length == 0) {
        leave(p, "");
        p->is_gone = true;
    } else if (!line_editor_take(&p->line, event) && is_key) {
        take_key(p, event->key, event->modifiers);
    }
}

/* Takes what was typed, up to the end of a line: the rest is for the next one. */
static bool take_events(prompt *p)
{
    bool any = false;
    kith_input_event event;
    while (!p->is_whole && !p->is_gone && kith_input_next(p->input, &event)) {
        bool released = event.kind == KITH_INPUT_KEY && event.action == KITH_ACTION_RELEASE;
        any = any || !released;
        take(p, &event);
    }
    return any;
}

static uint64_t now(void)
{
    return (uint64_t)(kith_clock_now() * 1e9);
}

/* Waits for keys. An ESC that is alone is known by time that goes by. */
static void wait_for_keys(prompt *p, bool *soon)
{
    char bytes[1024];
    int got = tty_read(bytes, sizeof bytes, *soon ? WAIT_MS : -1);
    if (got > 0) {
        must(NULL, kith_input_feed(p->input, bytes, (size_t)got, now()));
    } else if (got < 0) {
        p->is_gone = true;
    }
    must(NULL, kith_input_tick(p->input, now()));
    *soon = got > 0;
}

/* Lets a line be written; false: there will be no more. */
static bool read_line(prompt *p)
{
    bool soon = false;
    tty_begin();
    tty_size(&p->width, &p->height);
    line_editor_set(&p->line, "");
    p->is_whole = false;
    p->row = 0;
    draw(p);
    while (!p->is_whole && !p->is_gone) {
        if (take_events(p) && !p->is_whole && !p->is_gone) {
            draw(p);
        }
        if (!p->is_whole && !p->is_gone) {
            wait_for_keys(p, &soon);
        }
        if (tty_was_disturbed()) {
            tty_size(&p->width, &p->height);
            draw(p);
        }
    }
    fflush(stdout);
    tty_end();
    return p->is_whole;
}

void prompt_run(console *c)
{
    prompt p = {.console = c, .input = must_make(kith_input_new(NULL)), .line = line_editor_new()};
    while (!c->is_over && read_line(&p)) {
        prompt_measure(c);
        history_add(&p.history, p.line.text);
        console_enter(c, p.line.text);
        must_print();
    }
    history_clear(&p.history);
    line_editor_free(&p.line);
    kith_input_free(p.input);
}
