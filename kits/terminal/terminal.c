/* The terminal, live or in memory: a screen, a renderer, input, and a way out for bytes. */
#include <string.h>

#include "terminal/detect.h"
#include "terminal/record.h"
#include "terminal/render.h"
#include "terminal/terminal_clock.h"
#include "terminal/terminal_heap.h"
#include "terminal/tty.h"

#define INBOX_SIZE 16384

struct kith_terminal {
    kith_allocator allocator;
    bool live;
    bool keys_not_signals;
    kith_screen screen;
    ki_renderer renderer;
    size_t sent; /* of the renderer's bytes */
    kith_input *input;
    char inbox[INBOX_SIZE]; /* read, but not taken in: memory was short */
    size_t inbox_size;
    bool has_read; /* since kith_terminal_next_event said that there is nothing */
    bool gone;
    bool gone_told;
    int new_width, new_height; /* 0: as it is */
    kith_loop_clock clock;
    uint64_t virtual_time;
    FILE *recording;
    uint64_t recording_start;
    bool resized; /* since the last frame that was recorded */
    kith_terminal_stats stats;
};

/* ---- Opening and closing --------------------------------------------------------------------- */

static bool is_def(const kith_terminal_def *def, kith_allocator *own)
{
    return (unsigned)def->output <= KITH_TERMINAL_HEADLESS &&
           (unsigned)def->colors <= KITH_COLORS_TRUE &&
           (unsigned)def->glyphs <= KITH_GLYPHS_JOINED && def->width >= 0 &&
           def->width <= KI_SIDE_MAX && def->height >= 0 && def->height <= KI_SIDE_MAX &&
           ki_clock_is_whole(&def->clock) && ki_terminal_allocator(own, &def->allocator);
}

static void free_term(kith_terminal *term)
{
    kith_allocator own = term->allocator;
    ki_screen_finish(&term->screen);
    ki_render_finish(&term->renderer);
    kith_input_free(term->input);
    ki_terminal_free(&own, term, sizeof *term);
}

/* All of it but the terminal itself. */
static kith_result make_term(const kith_terminal_def *def, const kith_allocator *own, bool live,
                             kith_terminal **made)
{
    kith_terminal *term = ki_terminal_alloc(own, sizeof *term);
    if (term == NULL) {
        return KITH_ERR_MEMORY;
    }
    *term = (kith_terminal){.allocator = *own,
                            .live = live,
                            .keys_not_signals = def->keys_not_signals,
                            .clock = def->clock,
                            .renderer = {.bytes = {.allocator = *own},
                                         .palette = {.colors = def->colors},
                                         .glyphs = def->glyphs,
                                         .live = live,
                                         .anew = true}};
    ki_renderer *renderer = &term->renderer;
    if (renderer->palette.colors == KITH_COLORS_AUTO) {
        renderer->palette.colors = live ? kith_terminal_detect_colors() : KITH_COLORS_TRUE;
    }
    if (renderer->glyphs == KITH_GLYPHS_AUTO) {
        renderer->glyphs = live ? kith_terminal_detect_glyphs() : KITH_GLYPHS_UNICODE;
    }
    if (!live && term->clock.now == NULL) {
        term->clock = kith_loop_clock_virtual(&term->virtual_time);
    }
    kith_input_def input = def->input;
    input.allocator = *own;
    term->input = kith_input_new(&input);
    kith_result result = term->input == NULL ? KITH_ERR_MEMORY
                                             : ki_screen_init(&term->screen, own, true,
                                                              def->width == 0 ? 80 : def->width,
                                                              def->height == 0 ? 24 : def->height);
    if (result != KITH_OK) {
        term->screen.allocator = *own;
        free_term(term);
        return result;
    }
    *made = term;
    return KITH_OK;
}

kith_result kith_terminal_open(const kith_terminal_def *def, kith_terminal **term)
{
    static const kith_terminal_def defaults;
    def = def == NULL ? &defaults : def;
    kith_allocator own;
    if (term == NULL) {
        return KITH_ERR_MISUSE;
    }
    if (!is_def(def, &own)) {
        return KITH_ERR_INPUT;
    }
    bool live = def->output == KITH_TERMINAL_LIVE ||
                (def->output == KITH_TERMINAL_AUTO && ki_tty_is_there());
    kith_terminal *made;
    KI_TRY(make_term(def, &own, live, &made));
    kith_result result = live ? ki_tty_open(def) : KITH_OK;
    if (live && result == KITH_OK) {
        int width;
        int height;
        ki_tty_size(&width, &height);
        result = ki_screen_resize(&made->screen, width, height);
        if (result != KITH_OK) {
            ki_tty_close();
        }
    }
    if (result != KITH_OK) {
        free_term(made);
        return result;
    }
    *term = made;
    return KITH_OK;
}

void kith_terminal_close(kith_terminal *term)
{
    if (term != NULL) {
        if (term->live) {
            ki_tty_close();
        }
        free_term(term);
    }
}

bool kith_terminal_is_live(const kith_terminal *term)
{
    return term != NULL && term->live;
}

kith_loop_clock kith_terminal_clock(const kith_terminal *term)
{
    return term == NULL ? (kith_loop_clock){0} : term->clock;
}

kith_screen *kith_terminal_screen(kith_terminal *term)
{
    return term == NULL ? NULL : &term->screen;
}

kith_terminal_stats kith_terminal_statistics(const kith_terminal *term)
{
    return term == NULL ? (kith_terminal_stats){0} : term->stats;
}

/* ---- Input ----------------------------------------------------------------------------------- */

/* What signals have left to be done. */
static void follow_terminal(kith_terminal *term)
{
    if (!term->live || term->gone) {
        return;
    }
    if (ki_tty_is_lost()) {
        term->gone = true;
        return;
    }
    bool resumed = ki_tty_was_resumed();
    if (resumed) {
        term->sent = term->renderer.bytes.length; /* the rest was for an older screen */
        kith_terminal_redraw(term);
    }
    if (ki_tty_was_resized() || resumed) {
        int width;
        int height;
        ki_tty_size(&width, &height);
        bool changed = width != term->screen.width || height != term->screen.height;
        term->new_width = changed ? width : 0;
        term->new_height = changed ? height : 0;
    }
}

static void read_terminal(kith_terminal *term)
{
    if (term->live && !term->gone && term->inbox_size == 0) {
        int got = ki_tty_read(term->inbox, INBOX_SIZE);
        term->gone = got < 0;
        term->inbox_size = got > 0 ? (size_t)got : 0;
    }
    uint64_t now = ki_clock_now(&term->clock);
    if (term->inbox_size > 0 &&
        kith_input_feed(term->input, term->inbox, term->inbox_size, now) == KITH_OK) {
        term->inbox_size = 0;
    }
    kith_input_tick(term->input, now); /* what finds no memory now is due again the next time */
}

static bool take_resize(kith_terminal *term, kith_input_event *event)
{
    if (term->new_width == 0 ||
        ki_screen_resize(&term->screen, term->new_width, term->new_height) != KITH_OK) {
        return false; /* without memory the old size stays until there is some */
    }
    *event =
        (kith_input_event){.kind = KITH_INPUT_RESIZE, .x = term->new_width, .y = term->new_height};
    term->new_width = term->new_height = 0;
    term->resized = true;
    kith_terminal_redraw(term);
    return true;
}

/* With the kitty protocol Ctrl-C is a key like others, but the user means what it always meant. */
static bool was_signal(const kith_terminal *term, const kith_input_event *event)
{
    if (!term->live || term->keys_not_signals || event->kind != KITH_INPUT_KEY ||
        event->modifiers != KITH_CTRL || event->action != KITH_ACTION_PRESS) {
        return false;
    }
    return ki_tty_signal_key(event->key);
}

static bool take_event(kith_terminal *term, kith_input_event *event)
{
    if (take_resize(term, event)) {
        return true;
    }
    while (kith_input_next(term->input, event)) {
        if (!was_signal(term, event)) {
            return true;
        }
    }
    if (term->gone && !term->gone_told) {
        term->gone_told = true;
        *event = (kith_input_event){.kind = KITH_INPUT_CLOSED};
        return true;
    }
    return false;
}

bool kith_terminal_next_event(kith_terminal *term, kith_input_event *event)
{
    kith_input_event taken;
    if (term == NULL || event == NULL) {
        return false;
    }
    follow_terminal(term);
    bool has = take_event(term, &taken);
    if (!has && !term->has_read) {
        term->has_read = true;
        read_terminal(term);
        has = take_event(term, &taken);
    }
    if (has) {
        *event = taken;
    } else {
        term->has_read = false;
    }
    return has;
}

bool kith_terminal_poll(kith_terminal *term)
{
    kith_input_event event;
    while (kith_terminal_next_event(term, &event)) {
    }
    return term != NULL && !term->gone;
}

bool kith_terminal_held(const kith_terminal *term, uint32_t key)
{
    return term != NULL && kith_input_held(term->input, key);
}

kith_result kith_terminal_feed(kith_terminal *term, const void *bytes, size_t size)
{
    if (term == NULL || term->live) {
        return KITH_ERR_MISUSE;
    }
    return kith_input_feed(term->input, bytes, size, ki_clock_now(&term->clock));
}

kith_result kith_terminal_resize(kith_terminal *term, int width, int height)
{
    if (term == NULL || term->live) {
        return KITH_ERR_MISUSE;
    }
    if (width < 1 || width > KI_SIDE_MAX || height < 1 || height > KI_SIDE_MAX) {
        return KITH_ERR_INPUT;
    }
    term->new_width = width;
    term->new_height = height;
    return KITH_OK;
}

/* ---- Output ---------------------------------------------------------------------------------- */

void kith_terminal_redraw(kith_terminal *term)
{
    if (term != NULL) {
        term->renderer.anew = true;
    }
}

/* Sends what the terminal takes now of what is left of the last frame. */
static kith_result send_frame(kith_terminal *term)
{
    const ki_bytes *bytes = &term->renderer.bytes;
    while (term->sent < bytes->length) {
        int sent = ki_tty_write(bytes->data + term->sent, bytes->length - term->sent);
        if (sent <= 0) {
            term->gone = sent < 0;
            return term->gone ? KITH_ERR_ABSENT : KITH_OK;
        }
        term->sent += (size_t)sent;
    }
    return KITH_OK;
}

static uint64_t recorded_time(const kith_terminal *term)
{
    return ki_clock_now(&term->clock) - term->recording_start;
}

/* Ends a recording that cannot be written: what came after the gap would make no sense. */
static kith_result record_result(kith_terminal *term, kith_result result)
{
    if (result != KITH_OK) {
        term->recording = NULL;
    }
    return result;
}

static kith_result record_frame(kith_terminal *term)
{
    const ki_bytes *bytes = &term->renderer.bytes;
    if (term->recording == NULL || bytes->length == 0) {
        return KITH_OK;
    }
    if (term->resized) {
        char size[32];
        int length = snprintf(size, sizeof size, "%dx%d", term->screen.width, term->screen.height);
        KI_TRY(record_result(term, ki_record_event(term->recording, recorded_time(term), 'r', size,
                                                   (size_t)length)));
        term->resized = false;
    }
    return record_result(term, ki_record_event(term->recording, recorded_time(term), 'o',
                                               bytes->data, bytes->length));
}

static kith_result show_frame(kith_terminal *term)
{
    ki_bytes *bytes = &term->renderer.bytes;
    bytes->length = term->sent = 0;
    KI_TRY(ki_render(&term->renderer, &term->screen));
    term->stats.frames++;
    term->stats.bytes += bytes->length;
    term->stats.last_bytes = (uint32_t)bytes->length;
    term->stats.cells = term->renderer.cells;
    kith_result recorded = record_frame(term);
    if (term->live) {
        KI_TRY(send_frame(term));
    }
    return recorded != KITH_OK ? recorded : term->screen.result;
}

kith_result kith_terminal_present(kith_terminal *term)
{
    if (term == NULL) {
        return KITH_ERR_MISUSE;
    }
    if (!term->live) {
        return show_frame(term);
    }
    follow_terminal(term);
    if (term->gone) {
        return KITH_ERR_ABSENT;
    }
    KI_TRY(send_frame(term));
    if (term->sent < term->renderer.bytes.length) {
        term->stats.dropped++;
        return KITH_OK;
    }
    return show_frame(term);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static kith_result write_text(const kith_terminal *term, const kith_screen *shown, FILE *file)
{
    size_t size = kith_screen_to_text(shown, NULL, 0) + 1;
    char *text = ki_terminal_alloc(&term->allocator, size);
    if (text == NULL) {
        return KITH_ERR_MEMORY;
    }
    size_t length = kith_screen_to_text(shown, text, size);
    bool written = fwrite(text, 1, length, file) == length;
    ki_terminal_free(&term->allocator, text, size);
    return written ? KITH_OK : KITH_ERR_IO;
}

static kith_result write_ansi(const kith_terminal *term, const kith_screen *shown, FILE *file)
{
    ki_renderer renderer = {.bytes = {.allocator = term->allocator},
                            .palette = {.colors = term->renderer.palette.colors},
                            .glyphs = term->renderer.glyphs};
    kith_result result = ki_render_rows(&renderer, shown);
    const ki_bytes *bytes = &renderer.bytes;
    if (result == KITH_OK && fwrite(bytes->data, 1, bytes->length, file) != bytes->length) {
        result = KITH_ERR_IO;
    }
    ki_render_finish(&renderer);
    return result;
}

kith_result kith_terminal_write(kith_terminal *term, FILE *file, kith_terminal_format format)
{
    if (term == NULL || file == NULL) {
        return KITH_ERR_MISUSE;
    }
    if ((unsigned)format > KITH_FORMAT_ANSI) {
        return KITH_ERR_INPUT;
    }
    kith_screen shown = term->screen; /* a view: nothing in it is changed */
    shown.cells = shown.shown;
    return format == KITH_FORMAT_TEXT ? write_text(term, &shown, file)
                                      : write_ansi(term, &shown, file);
}

kith_result kith_terminal_record(kith_terminal *term, FILE *file)
{
    if (term == NULL) {
        return KITH_ERR_MISUSE;
    }
    if (file != NULL) {
        KI_TRY(ki_record_head(file, term->screen.width, term->screen.height));
        term->recording_start = ki_clock_now(&term->clock);
        term->resized = false;
        kith_terminal_redraw(term);
    }
    term->recording = file;
    return KITH_OK;
}
