/* The part of the play that is about values that the world checks: relations and names. They are set and
 * removed by the same calls as others; here is what may become of that. */
#include <stdlib.h>
#include <string.h>

#include "play.h"

bool play_is_guarded(const kith_type *type)
{
    uint32_t number = play_number(type);
    return number >= PLAY_GUARDED_FIRST && number < PLAY_GUARDED_FIRST + PLAY_GUARDED_COUNT;
}

/* ---- Choosing ---------------------------------------------------------------------------------- */

/* Mostly one that lives, and often one of few, so that some have many sources. */
static kith_entity choose_target(play *p)
{
    uint32_t few = p->m.entity_count < 5 ? p->m.entity_count : 5;
    if (few != 0 && input_chance(&p->in, 45)) {
        return p->m.entities[input_below(&p->in, few)].handle;
    }
    return input_chance(&p->in, 80) ? play_living(p) : play_entity(p);
}

/* Mostly one of few, or of many; seldom one that cannot be. */
static uint32_t choose_name(play *p)
{
    uint32_t limit = input_chance(&p->in, 30) ? 6 : p->m.name_count;
    return input_chance(&p->in, 3) ? PLAY_NAMES - 1 - input_below(&p->in, 3)
                                   : input_below(&p->in, limit);
}

const void *play_guarded_bytes(play *p, const kith_type *type, uint32_t count)
{
    unsigned char *bytes = play_scratch(p, (size_t)type->size * count);
    uint32_t name = choose_name(p);
    uint32_t number = input_below(&p->in, input_chance(&p->in, 30) ? 12 : 1000);
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *value = bytes + (size_t)i * type->size;
        if (type->relation == 0) {
            if (type == play_type(PLAY_KEYED)) {
                const uint32_t key[2] = {number + i, input_byte(&p->in)};
                memcpy(value, key, sizeof(key));
            } else {
                memcpy(value, &p->names[(name + i) % PLAY_NAMES], sizeof(kith_text));
            }
            continue;
        }
        const bool many = (type->relation & KITH_MANY) != 0;
        for (uint32_t k = 0; k < (many ? 2u : 1u); k++) {
            kith_entity target = choose_target(p);
            memcpy(value + k * sizeof(target), &target, sizeof(target));
        }
        uint32_t begin = (many ? 2 : 1) * (uint32_t)sizeof(kith_entity);
        for (uint32_t k = begin; k < type->size; k++) {
            value[k] = (unsigned char)input_byte(&p->in);
        }
    }
    return bytes;
}

const kith_type *play_writable(play *p)
{
    const kith_type *type = play_registered(p);
    for (uint32_t tries = 0; tries < 8 && play_is_guarded(type); tries++) {
        type = play_registered(p);
    }
    return play_is_guarded(type) ? play_type(0) : type;
}

/* ---- Judging ----------------------------------------------------------------------------------- */

static bool names_guarded(const operation *op)
{
    bool guarded = op->type != NULL && play_is_guarded(op->type);
    for (uint32_t i = 0; i < op->value_count; i++) {
        guarded = guarded || play_is_guarded(op->values[i].type);
    }
    return guarded;
}

bool play_concerns_links(const play *p, const operation *op)
{
    return op->judged || names_guarded(op) ||
           (op->type == NULL && (p->m.relation_count > 0 || p->m.name_type != NULL));
}

kith_result play_judge(play *p, const operation *op, kith_result expected, kith_result result,
                       model *before)
{
    uint32_t wrong = p->wrong;
    if (expected == KITH_OK) {
        wrong |= model_settle(&p->m);
    } else if (names_guarded(op)) {
        /* Which of several mistakes is told is not promised. */
        wrong |= 1u << KITH_ERR_DEAD | 1u << KITH_ERR_CYCLE | 1u << KITH_ERR_CONFLICT |
                 1u << KITH_ERR_INPUT | 1u << expected;
    } else {
        wrong |= 1u << expected;
    }
    p->wrong = 0;
    if (wrong == 0) {
        model_free(before);
        return KITH_OK;
    }
    for (uint32_t i = 0; i < p->m.type_count; i++) { /* types stay registered */
        model_register(before, p->m.types[i]);
    }
    model_free(&p->m);
    p->m = *before;
    for (uint32_t i = 1; i < 32; i++) {
        if ((wrong & 1u << i) != 0 && (kith_result)i == result) {
            return result;
        }
    }
    return expected != KITH_OK ? expected : KITH_ERR_CONFLICT;
}
