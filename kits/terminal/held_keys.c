/* Keys that are held: what presses, repetitions and releases a key gives, where terminals tell few of
 * them. */
#include "terminal/input.h"

#include <string.h>

/* No keyboard repeats a key that is held sooner than this, and none waits longer than that. */
#define FIRST_REPEAT (225 * KI_MILLISECOND)
#define LAST_REPEAT (1100 * KI_MILLISECOND)

void ki_input_emit(kith_input *input, const kith_input_event *event)
{
    if (input->counting) {
        input->counted_events++;
        return;
    }
    input->queue[input->count++] = (ki_queued){*event, KI_PASTE_NONE};
}

static int find_held(const kith_input *input, uint32_t key)
{
    for (int i = 0; i < input->held_count; i++) {
        if (input->held[i].key == key) {
            return i;
        }
    }
    return -1;
}

bool kith_input_held(const kith_input *input, uint32_t key)
{
    return input != NULL && find_held(input, key) >= 0;
}

static void forget_held(kith_input *input, int place)
{
    input->held_count--;
    memmove(&input->held[place], &input->held[place + 1],
            (size_t)(input->held_count - place) * sizeof *input->held);
}

static void release_held(kith_input *input, int place)
{
    const ki_held released = input->held[place];
    bool is_button = released.key >= KITH_MOUSE_LEFT;
    forget_held(input, place);
    ki_input_emit(input, &(kith_input_event){.kind = is_button ? KITH_INPUT_MOUSE : KITH_INPUT_KEY,
                                             .action = KITH_ACTION_RELEASE,
                                             .key = released.key,
                                             .modifiers = released.modifiers});
}

void ki_input_release_all(kith_input *input)
{
    while (input->held_count > 0) {
        release_held(input, 0);
    }
}

static void hold(kith_input *input, const kith_input_event *event, uint64_t until)
{
    if (input->held_count == KI_HELD_MAX) {
        release_held(input, 0);
    }
    input->held[input->held_count++] = (ki_held){event->key, event->modifiers, until};
}

/* Whether a key that terminals do not tell the release of was pressed, and not just repeated: then
 * repetitions are counted from here. It came at some time since somebody looked last, and is taken
 * for a press only if that holds for all of this time. */
static bool is_pressed_again(kith_input *input, uint32_t key, uint64_t now)
{
    ki_typed *typed = &input->typed;
    const uint64_t most = typed->repeats ? input->hold_ns : LAST_REPEAT;
    const uint64_t pause = input->looked > typed->came ? input->looked - typed->came : 0;
    bool pressed = key != typed->key || now < typed->pressed + FIRST_REPEAT || pause > most;
    if (pressed) {
        *typed = (ki_typed){.key = key, .pressed = input->looked == 0 ? now : input->looked};
    }
    typed->repeats = !pressed;
    typed->came = now;
    return pressed;
}

void ki_input_emit_key(kith_input *input, const kith_input_event *event, uint64_t now)
{
    int place = find_held(input, event->key);
    kith_input_event own = *event;
    if (own.action == KITH_ACTION_RELEASE) {
        if (place >= 0) {
            forget_held(input, place);
        }
        ki_input_emit(input, &own);
        return;
    }
    bool told = input->has_releases || own.kind == KITH_INPUT_MOUSE;
    if (!told && is_pressed_again(input, own.key, now) && place >= 0) {
        release_held(input, place);
        place = -1;
    }
    if (place >= 0) {
        own.action = own.kind == KITH_INPUT_KEY ? KITH_ACTION_REPEAT : own.action;
        input->held[place].until = told ? KI_FOREVER : now + input->hold_ns;
    } else {
        own.action = KITH_ACTION_PRESS; /* a repetition whose press was not seen */
        hold(input, &own, told ? KI_FOREVER : now + input->first_hold_ns);
    }
    ki_input_emit(input, &own);
}

void ki_input_expire_held(kith_input *input, uint64_t now)
{
    for (int i = 0; i < input->held_count;) {
        if (input->held[i].until <= now) {
            release_held(input, i);
        } else {
            i++;
        }
    }
}
