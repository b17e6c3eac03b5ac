/* Buffers that are made, filled, applied and freed within one call. */
#include "command_calls.h"

static bool is_provisional(kith_entity entity)
{
    return entity.index1 == 0 && entity.generation != 0;
}

/* Fills a buffer of its own by `queue`, and frees it. A buffer that failed says so to the end, and has
 * a text about it; one that did not can be applied. */
static kith_result with_buffer(stage *s, void (*queue)(stage *s, kith_commands *commands),
                               bool applied)
{
    kith_commands *commands = kith_commands_new(s->world, NULL);
    if (commands == NULL) {
        return KITH_ERR_MEMORY;
    }
    queue(s, commands);
    kith_result result = kith_commands_error(commands)[0] != '\0' ? KITH_ERR_MEMORY : KITH_OK;
    uint32_t count = kith_commands_memory(commands).commands;
    if (result != KITH_OK) {
        CHECK_RESULT(kith_commands_despawn(commands, s->gone), result);
        CHECK_RESULT(kith_commands_apply(commands, NULL), result);
    } else if (applied) {
        uint32_t dead = 77;
        result = kith_commands_apply(commands, &dead);
        CHECK_INT(dead == 77, result != KITH_OK);
        count = result == KITH_OK ? 0 : count;
    }
    CHECK_UINT(kith_commands_memory(commands).commands, count);
    kith_commands_free(commands);
    return result;
}

kith_result command_call_new(stage *s)
{
    kith_commands *commands = kith_commands_new(s->world, &(kith_commands_def){.memory_limit = 0});
    bool failed = commands == NULL;
    kith_commands_free(commands);
    return failed ? KITH_ERR_MEMORY : KITH_OK;
}

static void queue_one_spawn(stage *s, kith_commands *commands)
{
    (void)s;
    kith_entity entity = kith_commands_spawn(commands);
    CHECK(kith_is_none(entity) || is_provisional(entity));
}

static void queue_17_spawns(stage *s, kith_commands *commands)
{
    (void)s;
    bool failed = false;
    for (int i = 0; i < 17; i++) {
        bool none = kith_is_none(kith_commands_spawn(commands));
        CHECK(!failed || none);
        failed = none;
    }
}

/* More than the first piece of memory takes. */
static void queue_large_spawn(stage *s, kith_commands *commands)
{
    (void)s;
    static const Crate crate = {{1, 2, 3}};
    kith_entity entity = KITH_SPAWN(commands, KITH_VALUE(Position, {1, 2}),
                                    KITH_VALUE(Crate, crate), KITH_VALUE(Frozen));
    CHECK(kith_is_none(entity) || is_provisional(entity));
}

static void queue_clones(stage *s, kith_commands *commands)
{
    kith_entity entity = s->full;
    for (int i = 0; i < 17 && !kith_is_none(entity); i++) {
        entity = kith_commands_clone(commands, entity);
    }
}

/* Trees of old and of new entities, which names and hooks have to do with. */
static void queue_clone_trees(stage *s, kith_commands *commands)
{
    KITH_SET(commands, s->owner, kith_child_of, {s->children[0]});
    KITH_SET(commands, s->plain, kith_child_of, {s->owner});
    const kith_entity tree = kith_commands_clone_tree(commands, s->children[0]);
    if (kith_is_none(tree)) {
        return;
    }
    KITH_SET(commands, s->empty, Aims, {tree, 1});
    KITH_SET(commands, s->full, kith_child_of, {tree});
    KITH_REMOVE(commands, s->plain, kith_child_of);
    const kith_entity second = kith_commands_clone_tree(commands, tree);
    if (!kith_is_none(second)) {
        kith_commands_despawn(commands, s->children[1]);
        kith_commands_clone_tree(commands, second);
    }
}

static void queue_set_small(stage *s, kith_commands *commands)
{
    KITH_SET(commands, s->plain, Position, {9, 9});
}

static void queue_set_large(stage *s, kith_commands *commands)
{
    kith_commands_set(commands, s->plain, &Position_type, NULL);
    kith_commands_set(commands, s->plain, &Big_type, NULL);
    static const Crate crate = {{1, 2, 3}};
    KITH_SET(commands, s->plain, Crate, crate);
}

static void queue_set_several(stage *s, kith_commands *commands)
{
    KITH_SET_VALUES(commands, s->plain, KITH_VALUE(Position, {9, 9}), KITH_VALUE(Big),
                    KITH_VALUE(Byte, {1}), KITH_VALUE(Burning), KITH_VALUE(Crate));
}

static void queue_set_bytes(stage *s, kith_commands *commands)
{
    static const Big big = {{1, 2, 3}};
    Extra extra = {1, 2, 3};
    kith_commands_set_bytes(commands, s->plain, &Extra_type, &extra, sizeof(extra));
    kith_commands_set_bytes(commands, s->plain, &Big_type, &big, sizeof(big));
    kith_commands_set_bytes(commands, s->plain, &Frozen_type, NULL, 0);
}

/* So many that one piece of memory does not take them. */
static void queue_adds(stage *s, kith_commands *commands)
{
    for (int i = 0; i < 100; i++) {
        KITH_ADD(commands, i % 2 == 0 ? s->plain : s->empty, Burning);
    }
}

static void queue_removes(stage *s, kith_commands *commands)
{
    for (int i = 0; i < 100; i++) {
        KITH_REMOVE(commands, i % 2 == 0 ? s->plain : s->full, Position);
    }
}

static void queue_clears(stage *s, kith_commands *commands)
{
    for (int i = 0; i < 100; i++) {
        kith_commands_remove_all(commands, i % 2 == 0 ? s->frozen : s->full);
    }
}

static void queue_despawns(stage *s, kith_commands *commands)
{
    for (int i = 0; i < 100; i++) {
        kith_commands_despawn(commands, s->crates[i % 5]);
    }
}

/* Everything at once: entities that are there, new ones, clones and clones of clones, so mixed that
 * neighbours have nothing in common. */
static void queue_mix(stage *s, kith_commands *commands)
{
    kith_entity spark =
        KITH_SPAWN(commands, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}));
    KITH_SET(commands, s->plain, Name, {"plain"});
    kith_entity clone = kith_commands_clone(commands, s->full);
    kith_commands_despawn(commands, s->crates[2]);
    KITH_REMOVE(commands, clone, Big);
    kith_entity never = kith_commands_spawn(commands);
    KITH_ADD(commands, s->empty, Health);
    KITH_SET(commands, s->full, Position, {9, 9});
    kith_entity twin = kith_commands_clone(commands, clone);
    KITH_REMOVE(commands, s->full, Big);
    KITH_SET(commands, never, Name, {"never"});
    kith_commands_remove_all(commands, s->frozen);
    KITH_SET_VALUES(commands, s->frozen, KITH_VALUE(Position, {7, 7}), KITH_VALUE(Byte, {8}),
                    KITH_VALUE(Burning));
    kith_commands_despawn(commands, s->gone);
    KITH_SET(commands, twin, Crate, {{4, 5, 6}});
    kith_commands_despawn(commands, never);
    KITH_ADD(commands, s->plain, Burning);
    kith_commands_clone(commands, twin);
    kith_commands_remove_all(commands, s->crates[4]);
    KITH_REMOVE(commands, spark, Velocity);
    kith_commands_clone(commands, s->empty);
    kith_commands_despawn(commands, s->crates[0]);
    KITH_SPAWN(commands, KITH_VALUE(Burning), KITH_VALUE(Extra, {1, 2, 3}));
    kith_commands_clone(commands, s->crates[1]);
}

/* Every entity, from the last slot to the first, each third in another way. */
static void queue_for_all(stage *s, kith_commands *commands)
{
    kith_entity some[48];
    uint32_t count = 0;
    kith_entity e = KITH_NONE;
    while (count < 48 && !kith_is_none(e = kith_entity_next(s->world, e))) {
        some[count++] = e;
    }
    while (count-- > 0) {
        if (count % 3 == 0) {
            KITH_SET(commands, some[count], Health, {(int32_t)count, 1});
        } else if (count % 3 == 1) {
            KITH_REMOVE(commands, some[count], Velocity);
            KITH_ADD(commands, some[count], Burning);
        } else {
            if (!KITH_HAS(s->world, some[count], Owned)) {
                kith_commands_clone(commands, some[count]);
            }
            kith_commands_despawn(commands, some[count]);
        }
    }
}

/* Rows enough for more than one block. */
static void queue_many_spawns(stage *s, kith_commands *commands)
{
    (void)s;
    for (uint32_t i = 0; i < 300; i++) {
        KITH_SPAWN(commands, KITH_VALUE(Position, {(float)i, 2}), KITH_VALUE(Velocity, {3, 4}));
    }
}

/* Two new entities and one that is there, which point at each other. */
static void queue_handles(stage *s, kith_commands *commands)
{
    kith_entity a = kith_commands_spawn(commands);
    kith_entity b = KITH_SPAWN(commands, KITH_VALUE(Target, {a}), KITH_VALUE(Byte));
    KITH_SET(commands, a, Target, {b});
    KITH_SET(commands, s->plain, Target, {kith_commands_clone(commands, b)});
}

void command_call_register_target(stage *s)
{
    const kith_component_def def = {.layout = s->def.layout};
    CHECK_RESULT(kith_register(s->world, &Target_type, &def), KITH_OK);
}

/* Types that nobody registered. */
static void queue_new_types(stage *s, kith_commands *commands)
{
    kith_entity made = KITH_SPAWN(commands, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Padded));
    KITH_SET(commands, s->plain, Target, {made});
    KITH_SET(commands, s->full, Aligned, {{7}});
    KITH_REMOVE(commands, s->full, Padded);
    KITH_ADD(commands, s->crates[0], Target);
}

/* Values that are overwritten, where they stand. */
static void queue_overwriting(stage *s, kith_commands *commands)
{
    KITH_SET(commands, s->plain, Position, {9, 9});
    KITH_SET(commands, s->full, Extra, {9, 9, 9});
    KITH_SET(commands, s->crates[3], Crate, {{1}});
}

/* New entities in a row, each the child of the one before, old ones that move, and a cascade. */
static void queue_links(stage *s, kith_commands *commands)
{
    kith_entity above = s->plain;
    for (uint32_t i = 0; i < 5 && !kith_is_none(above); i++) {
        above = KITH_SPAWN(commands, KITH_VALUE(kith_child_of, {above}),
                           KITH_VALUE(Aims, {s->children[0], 1}));
    }
    kith_commands_set(commands, s->full, &kith_child_of_type, &(kith_child_of){s->children[2]});
    kith_commands_set(commands, s->children[1], &kith_child_of_type, &(kith_child_of){above});
    kith_commands_remove(commands, s->children[3], &Aims_type);
    kith_commands_despawn(commands, s->children[0]);
    kith_commands_despawn(commands, s->children[2]);
}

/* Values that need memory of their own: for who is there, who is not, who is overruled. */
static void queue_hooked(stage *s, kith_commands *commands)
{
    uint32_t number = 9;
    const Owned value = {&number, 9, 0};
    const kith_value values[] = {KITH_VALUE(Name, {"owner"}), {&Owned_type, &value}};
    kith_commands_set(commands, s->owner, &Owned_type, &value);
    KITH_ADD(commands, s->plain, Owned);
    kith_commands_set_values(commands, s->empty, values, 2);
    kith_entity made = kith_commands_spawn_values(commands, values, 2);
    kith_commands_despawn(commands, kith_commands_clone(commands, made));
    KITH_REMOVE(commands, s->owner, Owned);
    KITH_ADD(commands, s->owner, Owned);
    kith_commands_set(commands, s->gone, &Owned_type, &value);
    kith_commands_clone(commands, s->empty);
}

/* A swept call: filling a buffer, or filling and applying it. */
#define QUEUE_ACT(name)                                                                            \
    kith_result command_call_##name(stage *s)                                                      \
    {                                                                                              \
        return with_buffer(s, queue_##name, false);                                                \
    }
#define APPLY_ACT(name)                                                                            \
    kith_result command_call_apply_##name(stage *s)                                                \
    {                                                                                              \
        return with_buffer(s, queue_##name, true);                                                 \
    }

QUEUE_ACT(one_spawn)
QUEUE_ACT(17_spawns)
QUEUE_ACT(large_spawn)
QUEUE_ACT(clones)
QUEUE_ACT(clone_trees)
QUEUE_ACT(set_small)
QUEUE_ACT(set_large)
QUEUE_ACT(set_several)
QUEUE_ACT(set_bytes)
QUEUE_ACT(adds)
QUEUE_ACT(removes)
QUEUE_ACT(clears)
QUEUE_ACT(despawns)
QUEUE_ACT(hooked)
QUEUE_ACT(new_types)
APPLY_ACT(17_spawns)
APPLY_ACT(large_spawn)
APPLY_ACT(clones)
APPLY_ACT(clone_trees)
APPLY_ACT(set_large)
APPLY_ACT(removes)
APPLY_ACT(clears)
APPLY_ACT(despawns)
APPLY_ACT(mix)
APPLY_ACT(for_all)
APPLY_ACT(many_spawns)
APPLY_ACT(handles)
APPLY_ACT(new_types)
APPLY_ACT(overwriting)
APPLY_ACT(hooked)
APPLY_ACT(links)

/* ---- Calls that need no memory --------------------------------------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b) * UINT64_C(0x9E3779B97F4A7C15) + (a >> 29);
}

static uint64_t mix_entity(uint64_t a, kith_entity entity)
{
    return mix(a, (uint64_t)entity.index1 << 32 | entity.generation);
}

static uint64_t mix_text(uint64_t a, const char *text)
{
    for (; *text != '\0'; text++) {
        a = mix(a, (unsigned char)*text);
    }
    return a;
}

/* On a world whose own memory is used up once the buffer is filled. */
uint64_t command_call_ask(stage *s)
{
    test_memory *memory = test_memory_new();
    const kith_world_def def = {.allocator = test_memory_allocator(memory)};
    kith_world *world = kith_world_new(&def);
    CHECK_RESULT(kith_register(world, &Position_type, NULL), KITH_OK);
    kith_commands *commands[2];
    kith_entity entities[3];
    for (int i = 0; i < 2; i++) {
        commands[i] = kith_commands_new(world, NULL);
        CHECK_PTR_NOT_NULL(commands[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        entities[i] = KITH_SPAWN(commands[0], KITH_VALUE(Position, {(float)i, (float)s->def.rows}));
    }
    CHECK_RESULT(kith_commands_apply(commands[0], NULL), KITH_OK);
    CHECK(!kith_is_none(kith_commands_spawn(commands[1])));
    CHECK_RESULT(kith_commands_set(commands[1], entities[0], &Position_type, NULL), KITH_ERR_INPUT);
    test_memory_fail(memory, 1, true);
    uint64_t answer = mix_text(0, kith_commands_error(commands[0]));
    answer = mix_text(answer, kith_commands_error(commands[1]));
    for (int i = 0; i < 3; i++) {
        answer = mix_entity(answer, kith_commands_real(commands[0], entities[i]));
    }
    for (int i = 0; i < 2; i++) {
        kith_commands_stats stats = kith_commands_memory(commands[i]);
        answer = mix(mix(mix(answer, stats.commands), stats.spawned), stats.used);
        CHECK(kith_commands_world(commands[i]) == world);
        kith_commands_discard(commands[i]);
        answer = mix_text(answer, kith_commands_error(commands[i]));
        answer = mix(answer, kith_commands_memory(commands[i]).commands);
    }
    for (int i = 0; i < 2; i++) {
        kith_commands_set_holder(commands[i], &commands[i]);
    }
    kith_commands_free(commands[0]);
    answer = mix(answer, commands[0] == NULL && commands[1] != NULL);
    CHECK(!test_memory_fail_nothing(memory));
    kith_world_free(world);
    CHECK_PTR_NULL(commands[1]);
    test_memory_free(memory);
    return answer;
}
