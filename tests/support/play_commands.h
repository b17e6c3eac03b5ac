/* Command buffers of the play: what is queued, and what the model makes of it. */
#ifndef KITH_TEST_PLAY_COMMANDS_H
#define KITH_TEST_PLAY_COMMANDS_H

#include "play.h"

#define COMMANDS_MAX 512u
#define NOT_SPAWNED UINT32_MAX

typedef enum command_kind {
    SPAWN,
    CLONE,
    CLONE_TREE,
    DESPAWN,
    CLEAR,
    SET,
    SET_BYTES,
    SET_SEVERAL,
    ADD,
    REMOVE,
    KIND_COUNT
} command_kind;

/* Whom a command is about: one of the buffer's own, by its number, or somebody else. */
typedef struct party {
    uint32_t spawned; /* NOT_SPAWNED: `entity` it is */
    kith_entity entity;
} party;

typedef struct play_command {
    command_kind kind;
    party target;
    party source; /* of a clone */
    const kith_type *type;
    kith_value
        values[PLAY_VALUES]; /* one for SET; with the handles {0, number + 1} for the own */
    uint32_t value_count;
} play_command;

typedef struct command_list {
    play_command list[COMMANDS_MAX];
    uint32_t count;
    uint32_t spawns;
    uint32_t trees; /* that are cloned */
} command_list;

/* A value with up to two handles, and a little more. */
typedef struct told {
    kith_entity handles[4];
} told;

/* The value with the handles that stand for those of the buffer's own. */
const void *play_told_value(const kith_value *value, const kith_entity *spawned, told *place);

/* play_carry.c: carries out the list in op->bytes. */
kith_result play_expect_commands(play *p, const operation *op, outcome *out);

#endif
