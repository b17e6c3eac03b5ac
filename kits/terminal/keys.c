/* What sequences and characters mean as keys and mouse events. */
#include <string.h>

#include "terminal/input.h"

#define PARAMETER_MAX 8
#define PART_MAX 3

/* The numbers of a sequence, "1;2:3;4": parameters of parts. What is not given is 0. */
typedef struct parameters {
    uint32_t part[PARAMETER_MAX][PART_MAX];
    int count;
} parameters;

static parameters read_parameters(const char *text)
{
    parameters p = {.count = 1};
    int part = 0;
    for (; *text != '\0'; text++) {
        if (*text == ';') {
            p.count++;
            part = 0;
        } else if (*text == ':') {
            part++;
        } else if (*text >= '0' && *text <= '9' && p.count <= PARAMETER_MAX && part < PART_MAX) {
            uint32_t *number = &p.part[p.count - 1][part];
            if (*number < 10000000) {
                *number = *number * 10 + (uint32_t)(*text - '0');
            }
        }
    }
    return p;
}

/* ---- Characters ------------------------------------------------------------------------------ */

static uint32_t lower_case(uint32_t character)
{
    bool latin = character >= 0xC0 && character <= 0xDE && character != 0xD7;
    bool greek = character >= 0x391 && character <= 0x3A9;
    bool cyrillic = character >= 0x410 && character <= 0x42F;
    if ((character >= 'A' && character <= 'Z') || latin || greek || cyrillic) {
        return character + 0x20;
    }
    return character >= 0x400 && character <= 0x40F ? character + 0x50 : character;
}

static bool is_unicode(uint32_t character)
{
    return character >= 0x20 && character <= 0x10FFFF && !(character >= 0x7F && character < 0xA0) &&
           !(character >= 0xD800 && character < 0xE000);
}

void ki_input_emit_typed(kith_input *input, uint32_t character, uint32_t modifiers, uint64_t now)
{
    kith_input_event event = {.kind = KITH_INPUT_KEY, .modifiers = modifiers};
    if (character == '\r' || character == '\n') {
        event.key = KITH_KEY_ENTER;
    } else if (character == '\t' || character == KITH_KEY_ESCAPE) {
        event.key = character;
    } else if (character == 0x7F || character == 0x08) {
        event.key = KITH_KEY_BACKSPACE;
    } else if (character < 0x20) {
        event.key = character == 0 ? KITH_KEY_SPACE : lower_case(character + 0x40);
        event.modifiers |= KITH_CTRL;
    } else if (is_unicode(character)) {
        event.key = lower_case(character);
        event.character = modifiers == 0 ? character : 0;
        if (event.key != character) {
            event.modifiers |= KITH_SHIFT;
        }
    } else {
        return;
    }
    ki_input_emit_key(input, &event, now);
}

/* KITH_ALT if an ESC came before the sequence, which is then part of it; else 0. */
static uint32_t take_meta(kith_input *input)
{
    uint32_t alt = input->meta ? KITH_ALT : 0;
    input->meta = false;
    return alt;
}

void ki_input_end_meta(kith_input *input, uint64_t now)
{
    if (take_meta(input) != 0) {
        ki_input_emit_typed(input, KITH_KEY_ESCAPE, 0, now);
    }
}

static void start_paste(kith_input *input)
{
    input->state = KI_INPUT_PASTED;
    input->paste_matched = 0;
    input->paste_start = input->text_length;
}

/* ---- Keys that are no characters ------------------------------------------------------------- */

static uint32_t key_of_letter(char letter)
{
    switch (letter) {
    case 'A': return KITH_KEY_UP;
    case 'B': return KITH_KEY_DOWN;
    case 'C': return KITH_KEY_RIGHT;
    case 'D': return KITH_KEY_LEFT;
    case 'E': return KITH_KEY_CENTER;
    case 'F': return KITH_KEY_END;
    case 'H': return KITH_KEY_HOME;
    case 'P':
    case 'Q':
    case 'R':
    case 'S': return KITH_KEY_F1 + (uint32_t)(letter - 'P');
    default: return 0;
    }
}

/* Of "\033[a" and "\033Oa", rxvt's arrows with Shift and with Ctrl. */
static uint32_t key_of_small_letter(char letter)
{
    return letter >= 'a' && letter <= 'd' ? key_of_letter((char)(letter - 'a' + 'A')) : 0;
}

/* Of "\033[NUMBER~". */
static uint32_t key_of_number(uint32_t number)
{
    static const uint8_t functions[] = {1,  2,  3,  4,  5, 0,  6,  7, 8,  9,  10, 0,
                                        11, 12, 13, 14, 0, 15, 16, 0, 17, 18, 19, 20};
    static const uint32_t others[] = {KITH_KEY_HOME, KITH_KEY_INSERT,  KITH_KEY_DELETE,
                                      KITH_KEY_END,  KITH_KEY_PAGE_UP, KITH_KEY_PAGE_DOWN,
                                      KITH_KEY_HOME, KITH_KEY_END};
    if (number >= 1 && number <= 8) {
        return others[number - 1];
    }
    if (number >= 11 && number < 11 + sizeof functions && functions[number - 11] != 0) {
        return KITH_KEY_F1 + functions[number - 11] - 1u;
    }
    return 0;
}

/* The kitty protocol's numbers for the number block, from 57,399 on. */
static uint32_t key_of_number_block(uint32_t number)
{
    static const char characters[] = "0123456789./*-+\r=,";
    static const uint32_t keys[] = {KITH_KEY_LEFT,   KITH_KEY_RIGHT,   KITH_KEY_UP,
                                    KITH_KEY_DOWN,   KITH_KEY_PAGE_UP, KITH_KEY_PAGE_DOWN,
                                    KITH_KEY_HOME,   KITH_KEY_END,     KITH_KEY_INSERT,
                                    KITH_KEY_DELETE, KITH_KEY_CENTER};
    uint32_t place = number - 57399;
    if (place < sizeof characters - 1) {
        return (unsigned char)characters[place];
    }
    return keys[place - (sizeof characters - 1)];
}

/* The key of a number in the kitty protocol; 0 for none. */
static uint32_t key_of_code(uint32_t code)
{
    if (code >= 57376 && code <= 57387) {
        return KITH_KEY_F1 + 12 + (code - 57376);
    }
    if (code >= 57399 && code <= 57427) {
        return key_of_number_block(code);
    }
    if (code == 57363) {
        return KITH_KEY_MENU;
    }
    if (code >= 57344 && code < 63744) {
        return KITH_KEY_OTHER + (code - 57344);
    }
    if (code == 9 || code == 13 || code == 27 || code == 127) {
        return code;
    }
    return is_unicode(code) ? lower_case(code) : 0;
}

/* Modifiers are sent as bits plus one. */
static uint32_t modifiers_of(uint32_t parameter)
{
    return parameter == 0 ? 0 : (parameter - 1) & (KITH_SHIFT | KITH_ALT | KITH_CTRL | KITH_SUPER);
}

/* `more`: modifiers besides those of the parameters. */
static void emit_special(kith_input *input, uint32_t key, const parameters *p, uint32_t more,
                         uint64_t now)
{
    if (key != 0) {
        uint32_t action = p->part[1][1];
        ki_input_emit_key(input,
                          &(kith_input_event){.kind = KITH_INPUT_KEY,
                                              .action = action == 3   ? KITH_ACTION_RELEASE
                                                        : action == 2 ? KITH_ACTION_REPEAT
                                                                      : KITH_ACTION_PRESS,
                                              .key = key,
                                              .modifiers = modifiers_of(p->part[1][0]) | more},
                          now);
    }
}

/* "\033[ KEY:SHIFTED ; MODIFIERS:ACTION ; TEXT u" */
static void kitty_key(kith_input *input, const parameters *p, uint64_t now)
{
    uint32_t code = p->part[0][0];
    uint32_t key = key_of_code(code);
    if (key == 0) {
        return;
    }
    uint32_t modifiers = modifiers_of(p->part[1][0]);
    uint32_t typed = p->part[2][0];
    bool is_typing = (modifiers & ~KITH_SHIFT) == 0 && key < KITH_KEY_UP && key >= 0x20;
    if (typed == 0 && is_typing) {
        bool shifted = (modifiers & KITH_SHIFT) != 0 && p->part[0][1] != 0;
        typed = shifted ? p->part[0][1] : code < 57344 ? code : key;
    }
    uint32_t action = p->part[1][1];
    kith_input_event event = {.kind = KITH_INPUT_KEY,
                              .action = action == 3   ? KITH_ACTION_RELEASE
                                        : action == 2 ? KITH_ACTION_REPEAT
                                                      : KITH_ACTION_PRESS,
                              .key = key,
                              .modifiers = modifiers};
    if (event.action != KITH_ACTION_RELEASE && is_unicode(typed) && key != KITH_KEY_BACKSPACE) {
        event.character = typed;
    }
    ki_input_emit_key(input, &event, now);
}

/* ---- The mouse ------------------------------------------------------------------------------- */

static void mouse(kith_input *input, const parameters *p, bool release, uint64_t now)
{
    static const uint32_t buttons[] = {KITH_MOUSE_LEFT, KITH_MOUSE_MIDDLE, KITH_MOUSE_RIGHT, 0};
    uint32_t code = p->part[0][0];
    kith_input_event event = {
        .kind = KITH_INPUT_MOUSE, .x = (int)p->part[1][0] - 1, .y = (int)p->part[2][0] - 1};
    if (p->count < 3 || event.x < 0 || event.y < 0) {
        return;
    }
    event.modifiers = ((code & 4) != 0 ? KITH_SHIFT : 0) | ((code & 8) != 0 ? KITH_ALT : 0) |
                      ((code & 16) != 0 ? KITH_CTRL : 0);
    if ((code & 64) != 0) {
        event.key = KITH_MOUSE_WHEEL_UP + (code & 3);
        ki_input_emit(input, &event);
        return;
    }
    event.key =
        (code & 128) != 0 ? ((code & 3) < 2 ? KITH_MOUSE_BACK + (code & 3) : 0) : buttons[code & 3];
    if ((code & 32) != 0) {
        event.action = KITH_ACTION_MOVE;
        ki_input_emit(input, &event);
    } else if (event.key != 0) {
        event.action = release ? KITH_ACTION_RELEASE : KITH_ACTION_PRESS;
        ki_input_emit_key(input, &event, now);
    }
}

/* ---- Sequences ------------------------------------------------------------------------------- */

/* "\033[27;MODIFIERS;CODE~", xterm's way to tell keys apart. */
static void other_key(kith_input *input, const parameters *p, uint64_t now)
{
    parameters as_kitty = {.count = 2};
    as_kitty.part[0][0] = p->part[2][0];
    as_kitty.part[1][0] = p->part[1][0];
    kitty_key(input, &as_kitty, now);
}

static void tilde(kith_input *input, const parameters *p, uint32_t more, uint64_t now)
{
    switch (p->part[0][0]) {
    case 27: other_key(input, p, now); break;
    case 200: start_paste(input); break;
    default: emit_special(input, key_of_number(p->part[0][0]), p, more, now);
    }
}

/* Whether a sequence is a key that an ESC before it makes one with Alt. */
static bool takes_alt(int mark, char end, const parameters *p)
{
    return mark == '\0' && end != 'u' && end != 'I' && end != 'O' &&
           !(end == '~' && (p->part[0][0] == 27 || p->part[0][0] == 200));
}

/* A sequence without a mark: a key, or a word about the window. */
static void plain_sequence(kith_input *input, char end, const parameters *p, uint64_t now)
{
    const uint32_t alt = take_meta(input);
    const uint32_t number = p->part[0][0];
    switch (end) {
    case 'u': kitty_key(input, p, now); break;
    case '~': tilde(input, p, alt, now); break;
    case '^': emit_special(input, key_of_number(number), p, KITH_CTRL | alt, now); break;
    case '$': emit_special(input, key_of_number(number), p, KITH_SHIFT | alt, now); break;
    case '@':
        emit_special(input, key_of_number(number), p, KITH_SHIFT | KITH_CTRL | alt, now);
        break;
    case 'Z': emit_special(input, KITH_KEY_TAB, p, KITH_SHIFT | alt, now); break;
    case 'a':
    case 'b':
    case 'c':
    case 'd': emit_special(input, key_of_small_letter(end), p, KITH_SHIFT | alt, now); break;
    case 'I': ki_input_emit(input, &(kith_input_event){.kind = KITH_INPUT_FOCUS_IN}); break;
    case 'O':
        ki_input_release_all(input);
        ki_input_emit(input, &(kith_input_event){.kind = KITH_INPUT_FOCUS_OUT});
        break;
    default: emit_special(input, key_of_letter(end), p, alt, now);
    }
}

void ki_input_control(kith_input *input, char end, uint64_t now)
{
    const char *text = input->sequence;
    int mark = *text >= '<' && *text <= '?' ? *text : '\0';
    parameters p = read_parameters(mark != '\0' ? text + 1 : text);
    if (!takes_alt(mark, end, &p)) {
        ki_input_end_meta(input, now);
    }
    if (strspn(text + (mark != '\0'), "0123456789;:") != strlen(text + (mark != '\0'))) {
        return;
    }
    if (mark == '<' && (end == 'M' || end == 'm')) {
        mouse(input, &p, end == 'm', now);
    } else if (mark == '?' && end == 'u') {
        input->has_releases = (p.part[0][0] & 2) != 0;
    } else if (mark == '\0') {
        plain_sequence(input, end, &p, now);
    }
}

void ki_input_shifted(kith_input *input, char end, uint64_t now)
{
    const parameters none = {.count = 0};
    const uint32_t alt = take_meta(input);
    if (key_of_small_letter(end) != 0) {
        emit_special(input, key_of_small_letter(end), &none, KITH_CTRL | alt, now);
    } else {
        emit_special(input, end == 'M' ? KITH_KEY_ENTER : key_of_letter(end), &none, alt, now);
    }
}

void ki_input_console_key(kith_input *input, char end, uint64_t now)
{
    const parameters none = {.count = 0};
    const uint32_t alt = take_meta(input);
    if (end >= 'A' && end <= 'E') {
        emit_special(input, KITH_KEY_F1 + (uint32_t)(end - 'A'), &none, alt, now);
    }
}
