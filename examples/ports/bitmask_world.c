/* bitmask_world: bit masks over arrays; a world fixed at compile time */

#include <inttypes.h>
#include <kith/kith.h>
#include <kith/static.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"

typedef struct Age {
    uint16_t age;
} Age;
KITH_TYPE(Age, KITH_FIELD(Age, age));

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

enum { MAX_ENTITIES = 1000 };

static const char help[] =
    "usage: bitmask_world [--world static|slot]\n"
    "\n"
    "Entities in arrays of components, with a bit for each that tells who has\n"
    "it. \"static\" is a world whose components and capacity are fixed when it\n"
    "is compiled; \"slot\" one that grows, with its components in KITH_SLOT.\n"
    "The choice changes no output.\n";

/* What the story below asks of a world. */
typedef enum choice { WITH_POSITION, WITH_BOTH, WITH_AGE_ALONE } choice;

typedef struct world_calls {
    kith_entity (*spawn)(void);
    kith_result (*despawn)(kith_entity entity);
    kith_result (*set_position)(kith_entity entity, Position position);
    kith_result (*set_age)(kith_entity entity, Age age);
    const Position *(*get_position)(kith_entity entity);
    const Age *(*get_age)(kith_entity entity);
    uint32_t (*query)(choice wanted, kith_entity *entities); /* returns how many; in slot order */
    void (*grow_older)(void);
    uint32_t (*count)(void);
} world_calls;

/* ---- A world that is fixed at compile time --------------------------------------------------- */

#define AGE_POSITION(X, W)                                                                         \
    X(W, Age, age)                                                                                 \
    X(W, Position, position)
KITH_STATIC_WORLD(ecs, AGE_POSITION, MAX_ENTITIES);

static ecs fixed;

static kith_entity fixed_spawn(void)
{
    kith_entity entity = KITH_NONE;
    must(NULL, ecs_spawn(&fixed, &entity));
    return entity;
}

static kith_result fixed_despawn(kith_entity entity)
{
    return ecs_despawn(&fixed, entity);
}

static kith_result fixed_set_position(kith_entity entity, Position position)
{
    return ecs_set_position(&fixed, entity, position);
}

static kith_result fixed_set_age(kith_entity entity, Age age)
{
    return ecs_set_age(&fixed, entity, age);
}

static const Position *fixed_get_position(kith_entity entity)
{
    return ecs_get_position(&fixed, entity);
}

static const Age *fixed_get_age(kith_entity entity)
{
    return ecs_get_age(&fixed, entity);
}

static uint32_t fixed_query(choice wanted, kith_entity *entities)
{
    static const ecs_query queries[] = {
        [WITH_POSITION] = {.with = {.position = true}},
        [WITH_BOTH] = {.with = {.position = true, .age = true}},
        [WITH_AGE_ALONE] = {.with = {.age = true}, .without = {.position = true}},
    };
    uint32_t count = 0;
    for (ecs_iter it = ecs_query_iter(&fixed, queries[wanted]); ecs_next(&it);) {
        entities[count++] = ecs_entity_at(&fixed, it.slot);
    }
    return count;
}

static void fixed_grow_older(void)
{
    Age *age = ecs_values_age(&fixed);
    ecs_iter it = ecs_query_iter(&fixed, (ecs_query){.with = {.age = true}});
    while (ecs_next(&it)) {
        age[it.slot].age++;
    }
}

static uint32_t fixed_count(void)
{
    return ecs_count(&fixed);
}

static const world_calls fixed_calls = {
    fixed_spawn,   fixed_despawn, fixed_set_position, fixed_set_age, fixed_get_position,
    fixed_get_age, fixed_query,   fixed_grow_older,   fixed_count,
};

/* ---- A world that grows, with components in slots -------------------------------------------- */

static kith_world *growing;
static kith_query *growing_queries[3];
static kith_query *growing_ages;

static void growing_open(void)
{
    const kith_component_def def = {.layout = KITH_SLOT};
    growing = must_make(kith_world_new(NULL));
    must(growing, kith_register(growing, &Age_type, &def));
    must(growing, kith_register(growing, &Position_type, &def));
    growing_queries[WITH_POSITION] = must_make(KITH_QUERY(growing, KITH_WITH(Position)));
    growing_queries[WITH_BOTH] =
        must_make(KITH_QUERY(growing, KITH_WITH(Position), KITH_WITH(Age)));
    growing_queries[WITH_AGE_ALONE] =
        must_make(KITH_QUERY(growing, KITH_WITH(Age), KITH_WITHOUT(Position)));
    growing_ages = must_make(KITH_QUERY(growing, KITH_WRITE(Age)));
}

static kith_entity growing_spawn(void)
{
    return must_spawn(kith_spawn_empty(growing));
}

static kith_result growing_despawn(kith_entity entity)
{
    return kith_despawn(growing, entity);
}

static kith_result growing_set_position(kith_entity entity, Position position)
{
    return KITH_SET(growing, entity, Position, position);
}

static kith_result growing_set_age(kith_entity entity, Age age)
{
    return KITH_SET(growing, entity, Age, age);
}

static const Position *growing_get_position(kith_entity entity)
{
    return KITH_GET(growing, entity, Position);
}

static const Age *growing_get_age(kith_entity entity)
{
    return KITH_GET(growing, entity, Age);
}

static uint32_t growing_query(choice wanted, kith_entity *entities)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(growing_queries[wanted]);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            entities[count++] = kith_entities(&it)[i];
        }
    }
    must(NULL, it.result);
    return count;
}

static void growing_grow_older(void)
{
    kith_iter it = kith_query_iter(growing_ages);
    while (kith_next(&it)) {
        Age *age = KITH_COLUMN_MUT(&it, Age);
        for (uint32_t i = 0; i < it.count; i++) {
            age[i].age++;
        }
    }
    must(NULL, it.result);
}

static uint32_t growing_count(void)
{
    return kith_entity_count(growing);
}

static const world_calls growing_calls = {
    growing_spawn,   growing_despawn, growing_set_position, growing_set_age, growing_get_position,
    growing_get_age, growing_query,   growing_grow_older,   growing_count,
};

/* ---- The story ------------------------------------------------------------------------------- */

static void print_values(const world_calls *world, kith_entity entity)
{
    const Position *position = world->get_position(entity);
    const Age *age = world->get_age(entity);
    printf("  %s:", kith_entity_to_text(entity).text);
    if (position != NULL) {
        printf(" at (%.1f, %.1f)", (double)position->x, (double)position->y);
    } else {
        printf(" nowhere");
    }
    if (age != NULL) {
        printf(", age %u", (unsigned)age->age);
    }
    printf("\n");
}

static void list(const world_calls *world, const char *heading, choice wanted)
{
    kith_entity entities[MAX_ENTITIES];
    uint32_t count = world->query(wanted, entities);
    printf("%s: %" PRIu32 "\n", heading, count);
    for (uint32_t i = 0; i < count; i++) {
        print_values(world, entities[i]);
    }
}

/* One position: set, got, and gone with its entity. */
static void one_entity(const world_calls *world)
{
    kith_entity first = world->spawn();
    printf("One entity\n");
    must(NULL, world->set_position(first, (Position){1, 3}));
    print_values(world, first);
    must(NULL, world->despawn(first));
    printf("Removed\n");
    print_values(world, first);
    printf("  setting its position: %s\n",
           kith_result_name(world->set_position(first, (Position){1, 3})));
}

/* Ten of them, with positions, ages, both or none. */
static kith_entity ten_entities(const world_calls *world)
{
    kith_entity six = KITH_NONE;
    for (uint32_t i = 0; i < 10; i++) {
        kith_entity entity = world->spawn();
        if (i % 2 == 0) {
            must(NULL, world->set_position(entity, (Position){(float)i, (float)i / 2}));
        }
        if (i % 3 == 0) {
            must(NULL, world->set_age(entity, (Age){(uint16_t)(15 + i)}));
        }
        six = i == 6 ? entity : six;
    }
    return six;
}

int main(int argc, char **argv)
{
    (void)argc;
    static const char *const names[] = {"static", "slot"};
    arguments args = arguments_of(argv, "bitmask_world", help);
    const world_calls *world = &fixed_calls;
    for (const char *option; (option = arguments_next(&args)) != NULL;) {
        if (strcmp(option, "--world") != 0) {
            arguments_unknown(&args);
        }
        bool slot = arguments_choice(&args, names, 2, "static or slot") == 1;
        world = slot ? &growing_calls : &fixed_calls;
    }
    if (world == &growing_calls) {
        growing_open();
    }

    one_entity(world);
    kith_entity six = ten_entities(world);
    list(world, "\nWith a position", WITH_POSITION);
    list(world, "With a position and an age", WITH_BOTH);
    list(world, "With an age alone", WITH_AGE_ALONE);

    world->grow_older();
    must(NULL, world->despawn(six));
    printf("\nA year later, %s is gone\n", kith_entity_to_text(six).text);
    list(world, "With a position and an age", WITH_BOTH);
    list(world, "With an age alone", WITH_AGE_ALONE);

    printf("\nUp to %d entities, each new one with a position\n", MAX_ENTITIES);
    kith_entity entities[MAX_ENTITIES];
    kith_entity next = world->spawn();
    kith_entity last = next;
    must(NULL, world->set_position(next, (Position){0, 0}));
    while (world->count() < MAX_ENTITIES) {
        last = world->spawn();
        must(NULL, world->set_position(last, (Position){0, 0}));
    }
    printf("  from %s to %s\n", kith_entity_to_text(next).text, kith_entity_to_text(last).text);
    printf("  with a position: %" PRIu32 "\n", world->query(WITH_POSITION, entities));
    printf("  with an age alone: %" PRIu32 "\n", world->query(WITH_AGE_ALONE, entities));

    must_print();
    kith_world_free(growing);
    return 0;
}
