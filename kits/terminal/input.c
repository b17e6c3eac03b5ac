#include "terminal/input.h"

#include <string.h>

#include "terminal/terminal_heap.h"
#include "terminal/unicode.h"

#define PASTE_PATIENCE (500 * KI_MILLISECOND)

/* ---- Objects --------------------------------------------------------------------------------- */

static uint64_t or_default(uint32_t milliseconds, uint32_t usual)
{
    return (milliseconds == 0 ? usual : milliseconds) * KI_MILLISECOND;
}

kith_input *kith_input_new(const kith_input_def *def)
{
    static const kith_input_def defaults;
    def = def == NULL ? &defaults : def;
    kith_allocator own;
    if (!ki_terminal_allocator(&own, &def->allocator)) {
        return NULL;
    }
    kith_input *input = ki_terminal_alloc(&own, sizeof *input);
    if (input != NULL) {
        input->allocator = own;
        input->escape_ns = or_default(def->escape_ms, 30);
        input->first_hold_ns = or_default(def->first_hold_ms, 200);
        input->hold_ns = or_default(def->hold_ms, 120);
    }
    return input;
}

void kith_input_free(kith_input *input)
{
    if (input != NULL) {
        kith_allocator own = input->allocator;
        ki_terminal_free(&own, input->queue, input->capacity * sizeof *input->queue);
        ki_terminal_free(&own, input->text, input->text_capacity);
        ki_terminal_free(&own, input, sizeof *input);
    }
}

/* ---- The queue ------------------------------------------------------------------------------- */

/* Moves what still waits to the start, texts too if no event that waits has any. */
static void pack_queue(kith_input *input)
{
    if (input->head == input->count) {
        size_t start = input->state == KI_INPUT_PASTED ? input->paste_start : input->text_length;
        if (start > 0) {
            memmove(input->text, input->text + start, input->text_length - start);
            input->text_length -= start;
        }
        input->paste_start = 0;
    } else if (input->head > 0) {
        memmove(input->queue, input->queue + input->head,
                (input->count - input->head) * sizeof *input->queue);
    }
    input->count -= input->head;
    input->head = 0;
}

static kith_result reserve_queue(kith_input *input, size_t events, size_t text)
{
    pack_queue(input);
    KI_TRY(ki_terminal_grow(&input->allocator, &input->queue, &input->capacity,
                            input->count + events, sizeof *input->queue));
    return ki_terminal_grow(&input->allocator, &input->text, &input->text_capacity,
                            input->text_length + text, 1);
}

/* Goes through the bytes twice: to see how much room they take, and then, with that room, in
 * earnest. So memory runs out before anything has changed. */
static void take_in(kith_input *input, const unsigned char *bytes, size_t size, uint64_t now)
{
    ki_input_expire(input, now);
    for (size_t i = 0; i < size; i++) {
        ki_input_byte(input, bytes[i], now);
    }
    if (size > 0) {
        input->last = now;
    }
    input->looked = now;
}

static kith_result take_in_whole(kith_input *input, const void *bytes, size_t size, uint64_t now)
{
    kith_input trial = *input;
    trial.counting = true;
    take_in(&trial, bytes, size, now);
    KI_TRY(reserve_queue(input, trial.counted_events, trial.counted_text));
    take_in(input, bytes, size, now);
    return KITH_OK;
}

kith_result kith_input_feed(kith_input *input, const void *bytes, size_t size, uint64_t now)
{
    if (input == NULL || (bytes == NULL && size > 0)) {
        return KITH_ERR_MISUSE;
    }
    return take_in_whole(input, bytes, size, now);
}

kith_result kith_input_tick(kith_input *input, uint64_t now)
{
    return input == NULL ? KITH_ERR_MISUSE : take_in_whole(input, NULL, 0, now);
}

kith_result kith_input_push(kith_input *input, const kith_input_event *event)
{
    if (input == NULL || event == NULL) {
        return KITH_ERR_MISUSE;
    }
    if (event->kind <= KITH_INPUT_NONE || event->kind > KITH_INPUT_CLOSED) {
        return KITH_ERR_INPUT;
    }
    KI_TRY(reserve_queue(input, 1, 0));
    kith_input_event own = *event;
    own.text = NULL;
    own.size = 0;
    ki_input_emit(input, &own);
    return KITH_OK;
}

bool kith_input_next(kith_input *input, kith_input_event *event)
{
    if (input == NULL || event == NULL || input->head == input->count) {
        return false;
    }
    const ki_queued *queued = &input->queue[input->head++];
    *event = queued->event;
    if (queued->text != KI_PASTE_NONE) {
        event->text = input->text + queued->text;
    }
    return true;
}

bool kith_input_has_releases(const kith_input *input)
{
    return input != NULL && input->has_releases;
}

/* ---- Time ------------------------------------------------------------------------------------ */

static void finish_paste(kith_input *input)
{
    input->state = KI_INPUT_GROUND;
    if (input->counting) {
        input->counted_events++;
        input->counted_text++;
        return;
    }
    input->text[input->text_length++] = '\0';
    const kith_input_event event = {.kind = KITH_INPUT_PASTE,
                                    .size = input->text_length - 1 - input->paste_start};
    input->queue[input->count++] = (ki_queued){event, input->paste_start};
}

/* A byte between "\033[200~" and "\033[201~", the end mark too. */
static void paste_byte(kith_input *input, unsigned char byte)
{
    static const char mark[] = "\033[201~";
    const int mark_length = (int)sizeof mark - 1;
    if (input->counting) {
        input->counted_text++;
    } else {
        input->text[input->text_length++] = (char)byte;
    }
    if (byte == (unsigned char)mark[input->paste_matched]) {
        input->paste_matched++;
    } else {
        input->paste_matched = byte == 0x1B;
    }
    if (input->paste_matched == mark_length) {
        if (!input->counting) {
            input->text_length -= (size_t)mark_length;
        }
        finish_paste(input);
    }
}

/* An ESC that was alone, or with what is otherwise the start of a sequence: Alt and [, say. */
static void expire_sequence(kith_input *input, uint64_t now)
{
    uint64_t waited = now > input->last ? now - input->last : 0;
    ki_input_state state = input->state;
    if (state == KI_INPUT_GROUND || waited < input->escape_ns) {
        return;
    }
    bool begun = input->sequence_length > 0 || state == KI_INPUT_CONSOLE_KEY;
    if (state == KI_INPUT_PASTED) {
        if (waited >= PASTE_PATIENCE) {
            finish_paste(input);
        }
    } else if (state == KI_INPUT_ESCAPE) {
        input->state = KI_INPUT_GROUND;
        ki_input_end_meta(input, input->last);
        ki_input_emit_typed(input, KITH_KEY_ESCAPE, 0, input->last);
    } else if (!begun) {
        int second = state == KI_INPUT_CONTROL   ? '['
                     : state == KI_INPUT_SHIFTED ? 'O'
                                                 : input->introducer;
        input->state = KI_INPUT_GROUND;
        ki_input_end_meta(input, input->last);
        ki_input_emit_typed(input, (uint32_t)second, KITH_ALT, input->last);
    } else if (waited >= 10 * input->escape_ns) {
        input->state = KI_INPUT_GROUND; /* its end was lost */
    }
}

void ki_input_expire(kith_input *input, uint64_t now)
{
    expire_sequence(input, now);
    ki_input_expire_held(input, now);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void begin(kith_input *input, ki_input_state state)
{
    input->state = state;
    input->sequence_length = 0;
}

static void text_byte(kith_input *input, unsigned char byte, uint64_t now)
{
    if (input->partial_length == 0) {
        input->partial_size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
        if (byte < 0xC2 || byte > 0xF4) {
            input->alt = 0;
            return;
        }
    }
    input->partial[input->partial_length++] = byte;
    if (input->partial_length < input->partial_size) {
        return;
    }
    input->partial[input->partial_length] = '\0';
    const char *at = (const char *)input->partial;
    uint32_t character = ki_utf8_read(&at);
    bool whole = at == (const char *)input->partial + input->partial_length;
    uint32_t alt = input->alt;
    input->partial_length = 0;
    input->alt = 0;
    if (whole) {
        ki_input_emit_typed(input, character, alt, now);
    }
}

static void ground_byte(kith_input *input, unsigned char byte, uint64_t now)
{
    if (input->partial_length > 0 && (byte & 0xC0) != 0x80) {
        input->partial_length = 0; /* half a character is left out */
        input->alt = 0;
    }
    if (byte >= 0x80) {
        text_byte(input, byte, now);
    } else if (byte == 0x1B) {
        begin(input, KI_INPUT_ESCAPE);
    } else {
        ki_input_emit_typed(input, byte, 0, now);
    }
}

static void escape_byte(kith_input *input, unsigned char byte, uint64_t now)
{
    switch (byte) {
    case '[': begin(input, KI_INPUT_CONTROL); break;
    case 'O': begin(input, KI_INPUT_SHIFTED); break;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
        ki_input_end_meta(input, now);
        begin(input, KI_INPUT_STRING);
        input->introducer = (char)byte;
        break;
    case 0x1B:
        ki_input_end_meta(input, now);
        input->meta = true;
        break;
    default:
        ki_input_end_meta(input, now);
        input->state = KI_INPUT_GROUND;
        if (byte >= 0x80) {
            input->alt = KITH_ALT;
            ground_byte(input, byte, now);
        } else {
            ki_input_emit_typed(input, byte, KITH_ALT, now);
        }
    }
}

/* "\033[3$", rxvt's Shift and Delete: everywhere else a $ comes before the last byte. */
static bool is_shifted_number(const kith_input *input)
{
    size_t length = input->sequence_length;
    for (size_t i = 0; i < length; i++) {
        if (length > 2 || input->sequence[i] < '0' || input->sequence[i] > '9') {
            return false;
        }
    }
    return length > 0;
}

static void control_byte(kith_input *input, unsigned char byte, uint64_t now)
{
    if (byte < 0x20 || byte >= 0x7F) {
        input->state = KI_INPUT_GROUND; /* cut short */
        ground_byte(input, byte, now);
    } else if (byte < 0x40 && !(byte == '$' && is_shifted_number(input))) {
        if (input->sequence_length < KI_SEQUENCE_MAX - 1) {
            input->sequence[input->sequence_length] = (char)byte;
        }
        input->sequence_length++;
    } else if (byte == '[' && input->sequence_length == 0) {
        input->state = KI_INPUT_CONSOLE_KEY;
    } else {
        input->state = KI_INPUT_GROUND;
        if (input->sequence_length < KI_SEQUENCE_MAX - 1) {
            input->sequence[input->sequence_length] = '\0';
            ki_input_control(input, (char)byte, now);
        }
    }
}

void ki_input_byte(kith_input *input, unsigned char byte, uint64_t now)
{
    switch (input->state) {
    case KI_INPUT_GROUND: ground_byte(input, byte, now); break;
    case KI_INPUT_ESCAPE: escape_byte(input, byte, now); break;
    case KI_INPUT_CONTROL: control_byte(input, byte, now); break;
    case KI_INPUT_PASTED: paste_byte(input, byte); break;
    case KI_INPUT_CONSOLE_KEY:
    case KI_INPUT_SHIFTED: {
        bool shifted = input->state == KI_INPUT_SHIFTED;
        input->state = KI_INPUT_GROUND;
        if (byte < 0x20 || byte >= 0x7F) {
            ground_byte(input, byte, now);
        } else if (shifted) {
            ki_input_shifted(input, (char)byte, now);
        } else {
            ki_input_console_key(input, (char)byte, now);
        }
        break;
    }
    case KI_INPUT_STRING:
        input->sequence_length = 1;
        if (byte == 0x1B) {
            input->state = KI_INPUT_STRING_END;
        } else if (byte == 0x07 || byte == 0x18 || byte == 0x1A) {
            input->state = KI_INPUT_GROUND;
        }
        break;
    case KI_INPUT_STRING_END:
        input->state = KI_INPUT_GROUND;
        if (byte != '\\') {
            begin(input, KI_INPUT_ESCAPE); /* cut short by another sequence */
            escape_byte(input, byte, now);
        }
        break;
    }
}
