/* A program to be looked at in a debugger: worlds in each state that the printers tell apart. In each
 * it calls stop(), with the number of the state. */
#include <kith/kith.h>
#include <kith/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Health {
    int32_t current;
    bool immortal;
    uint8_t spare[3];
} Health;
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, immortal),
          KITH_FIELD(Health, spare));

typedef struct Poison {
    double strength;
    kith_entity by;
} Poison;
KITH_TYPE(Poison, KITH_FIELD(Poison, strength), KITH_FIELD(Poison, by));

typedef struct Name {
    kith_text text;
    char code[12];
} Name;
KITH_TYPE(Name, KITH_FIELD(Name, text), KITH_FIELD(Name, code));

/* Has blocks of four rows. */
typedef struct Path {
    kith_entity stops[3];
    uint16_t lengths[2000];
    int64_t far;
    char letter;
    int8_t small;
} Path;
KITH_TYPE(Path, KITH_FIELD(Path, stops), KITH_FIELD(Path, lengths), KITH_GAP, KITH_FIELD(Path, far),
          KITH_FIELD(Path, letter), KITH_FIELD(Path, small), KITH_GAP);

typedef struct Sprite {
    char *file; /* owned */
    uint32_t frame;
    uint32_t layer;
} Sprite;
KITH_TYPE(Sprite, {"file", offsetof(Sprite, file), sizeof(char *), KITH_OPAQUE},
          KITH_FIELD(Sprite, frame), KITH_FIELD(Sprite, layer));

typedef struct Weather {
    kith_text wind;
    float degrees;
} Weather;
KITH_TYPE(Weather, KITH_FIELD(Weather, wind), KITH_FIELD(Weather, degrees));

KITH_TAG(Player);
KITH_TAG(Seen);
KITH_TAG(Frozen);

static void sprites_destroy(void *values, uint32_t count, void *user)
{
    (void)user;
    for (Sprite *sprite = values; count > 0; count--, sprite++) {
        free(sprite->file);
    }
}

typedef struct level {
    kith_world *world;
    kith_entity player;
    kith_entity statue;
    kith_entity dead;
    kith_entity none;
    kith_entity last;
    kith_entity queued;
    kith_text unknown;
} level;

static void stop(int state)
{
    printf("state %d\n", state);
    fflush(stdout);
}

static void print_entity(const kith_world *world, kith_entity entity)
{
    char text[4096];
    if (kith_print_entity(world, entity, text, sizeof text, NULL) == KITH_OK) {
        printf("%s\n%s", kith_entity_to_text(entity).text, text);
    }
}

static void register_types(kith_world *world)
{
    const kith_hooks hooks = {.destroy = sprites_destroy};
    kith_register(world, &Position_type, NULL);
    kith_register(world, &Health_type, &(kith_component_def){.layout = KITH_SLOT});
    kith_register(world, &Poison_type, &(kith_component_def){.layout = KITH_SPARSE});
    kith_register(world, &Name_type, NULL);
    kith_register(world, &Path_type, NULL);
    kith_register(world, &Sprite_type, &(kith_component_def){.hooks = &hooks});
    kith_register(world, &Player_type, NULL);
    kith_register(world, &Seen_type, &(kith_component_def){.layout = KITH_SPARSE});
    kith_register(world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT});
}

static void fill(level *scene)
{
    kith_world *world = scene->world;
    scene->dead = KITH_SPAWN(world, KITH_VALUE(Position, {1, 1}));
    kith_despawn(world, scene->dead);
    kith_text name;
    kith_text_intern(world, "a \"rusty\" sword\n\xff \xc3\xa4", &name);
    kith_resource_set(world, &Weather_type, &(Weather){name, -3.25f});
    scene->player = KITH_SPAWN(
        world, KITH_VALUE(Position, {40.5f, -0.1f}), KITH_VALUE(Health, {-3, true, {1, 2, 255}}),
        KITH_VALUE(Name, {name, "k'\\9"}), KITH_VALUE(Player), KITH_VALUE(Frozen));
    scene->statue = KITH_SPAWN(world, KITH_VALUE(Seen), KITH_VALUE(Poison, {1e-7, scene->player}));
    Path path = {.stops = {scene->player, scene->dead},
                 .far = INT64_MIN,
                 .lengths = {65535, 1},
                 .letter = 'x',
                 .small = -1};
    Sprite sprite = {.file = malloc(16), .frame = 7, .layer = 2};
    strcpy(sprite.file, "sword.png");
    kith_set(world, scene->statue, &Path_type, &path);
    kith_set(world, scene->statue, &Sprite_type, &sprite);
    for (int32_t i = 0; i < 1500; i++) { /* more than a block */
        path.far = i;
        scene->last = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 1e30f}),
                                 KITH_VALUE(Health, {i, false, {0}}));
        if (i % 100 == 99) {
            KITH_SET(world, scene->last, Poison, {i, KITH_NONE});
        } else if (i % 100 == 98) {
            kith_set(world, scene->last, &Path_type, &path);
        }
    }
}

static void loops(level *scene)
{
    kith_world *world = scene->world;
    static const kith_term poisoned_terms[] = {
        KITH_READ(Poison), KITH_OPTIONAL_MUT(Path), KITH_WITHOUT(Player), {0}};
    kith_query *poisoned = NULL;
    kith_query_new(world, &(kith_query_def){.name = "poisoned", .terms = poisoned_terms},
                   &poisoned);
    kith_query *either = KITH_QUERY(world, KITH_ANY_OF(Seen, 4), KITH_ANY_OF(Player, 4),
                                    KITH_ANY_OF(Path, 5), KITH_ANY_OF(Position, 5));
    kith_query *changed = KITH_QUERY(world, KITH_CHANGED(Health), KITH_WITH(Frozen));
    kith_query *moving = KITH_QUERY(world, KITH_WRITE(Position));

    kith_iter copy = {0};
    kith_iter it = kith_query_iter(moving);
    stop(3);
    kith_next(&it);
    stop(4); /* tables drive */
    copy = it;
    kith_next(&copy);
    stop(5); /* `it` is void */
    kith_iter_close(&copy);

    it = kith_query_iter(poisoned);
    kith_next(&it);
    stop(6); /* a sparse set drives */
    kith_iter_close(&it);

    it = kith_query_iter(changed);
    kith_next(&it);
    stop(7); /* slots drive */
    kith_iter_close(&it);

    it = kith_query_iter_one(either, scene->player);
    kith_next(&it);
    stop(8); /* a single entity */
    kith_iter_close(&it);
    stop(9);
    kith_query_free(poisoned);
    stop(10);
}

static void count(kith_iter *it)
{
    stop(11); /* in a query system */
    kith_next(it);
    stop(12);
    kith_iter_close(it);
}

static void systems(level *scene)
{
    const kith_term terms[] = {KITH_READ(Poison), {0}};
    kith_system_add(scene->world,
                    &(kith_system_def){.name = "count", .query = {.terms = terms}, .run = count});
    kith_run(scene->world, 0.25f);
    kith_run(scene->world, 0.25f);
}

/* An allocator that gives nothing back, so that what was freed stays as it was. */
static void *keep_allocate(void *context, size_t size, size_t align)
{
    (void)context;
    (void)align;
    return calloc(1, size);
}

static void keep_release(void *context, void *memory, size_t size, size_t align)
{
    (void)context;
    (void)memory;
    (void)size;
    (void)align;
}

static void free_worlds(level *scene)
{
    kith_world_free(scene->world);
    stop(13); /* its memory is used for something else by now, or not there */
    kith_world *world =
        kith_world_new(&(kith_world_def){.allocator = {keep_allocate, keep_release, NULL}});
    kith_register(world, &Player_type, NULL);
    kith_query *players = KITH_QUERY(world, KITH_WITH(Player));
    kith_query_free(players);
    stop(14); /* the query is freed, and its memory is as it was */
    kith_world_free(world);
    stop(15); /* so is the world */
}

int main(void)
{
    static level scene;
    stop(0);
    scene.world = kith_world_new(NULL);
    stop(1); /* empty */
    kith_world *other = kith_world_new(NULL);
    register_types(scene.world);
    fill(&scene);
    kith_parse_value(scene.world, &Position_type, "{ z = 1 }", &(Position){0, 0});
    scene.queued = kith_commands_spawn(kith_commands_new(scene.world, NULL));
    scene.unknown = (kith_text){99};
    print_entity(scene.world, scene.player);
    print_entity(scene.world, scene.last);
    stop(2);
    loops(&scene);
    systems(&scene);
    kith_world_free(other);
    free_worlds(&scene);
    return 0;
}
