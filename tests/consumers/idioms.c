/* Every macro in the forms that the documentation shows: none gives a warning at whoever uses it. */
#include <kith/kith.h>
#include <kith/pool.h>
#include <kith/static.h>

typedef enum Mood { CALM, ANGRY } Mood;
typedef struct Old {
    float x, y;
    uint8_t level;
} Old;
KITH_TYPE(Old, KITH_FIELD(Old, x), KITH_FIELD(Old, y), KITH_FIELD(Old, level), KITH_GAP);
typedef struct game_camera {
    float matrix[4][4];
} game_camera;
KITH_TYPE_NAMED(game_camera, "Camera", KITH_FIELD(game_camera, matrix, KITH_F32));
typedef struct Handle {
    void *pointer;
} Handle;
KITH_OPAQUE_TYPE(Handle);
KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Velocity, KITH_SPARSE, (float, x), (float, y));
KITH_COMPONENT(Gun, (float, every), (kith_entity, owner), (char, name, 16), (Mood, mood),
               (double, grid, 2, 3), (bool, on));
KITH_COMPONENT(Team, KITH_SLOT, (uint8_t, number));
KITH_COMPONENT(Score, (int64_t, points));
KITH_COMPONENT(Hit, (kith_entity, who), (int32_t, damage));
KITH_TAG(Frozen);
KITH_TAG(Selected, KITH_SLOT);

typedef struct Enemy {
    float x;
    int health;
} Enemy;
KITH_POOL(enemy_pool, Enemy);
KITH_POOL(spark_pool, Enemy, plain);
#define PARTS(X, W) X(W, Position, position) X(W, Team, team)
KITH_STATIC_WORLD(arena, PARTS, 100);

static Position origin(void)
{
    return (Position){0, 0};
}

static void structure(kith_world *w, kith_commands *c, uint8_t small, int number)
{
    Position at = {1, 2};
    const Position *pointer = &at;
    kith_entity e = KITH_SPAWN(w, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {.x = 1}),
                               KITH_VALUE(Frozen));
    kith_entity late = KITH_SPAWN(c, KITH_VALUE(Position, at), KITH_VALUE(Score));
    KITH_SPAWN(w, KITH_VALUE(Position, *pointer));
    KITH_SPAWN(w, KITH_VALUE(Position, origin()),
               KITH_VALUE(Gun, {.name = "gun", .grid = {{1, 2, 3}}}));
    KITH_SET(w, e, Position, {1, 2});
    KITH_SET(c, late, Position, at);
    KITH_SET(w, e, Position, {.x = (float)number});
    KITH_SET(w, e, Team, {small});
    KITH_SET(w, e, Gun, {.owner = e, .name = "long", .mood = ANGRY});
    KITH_SET(w, e, Gun, {0.5f, e, "name", CALM, {{0}}, true});
    KITH_SET_VALUES(w, e, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    KITH_SET_VALUES(c, late, KITH_VALUE(Team, {3}));
    KITH_ADD(w, e, Selected);
    KITH_ADD(c, late, Frozen);
    KITH_REMOVE(w, e, Selected);
    KITH_REMOVE_ALL(w, e);
    late = KITH_CLONE(w, e);
    late = KITH_CLONE(c, e);
    KITH_DESPAWN(w, late);
    KITH_DESPAWN(c, late);
    Position many[3] = {{1, 2}, {3, 4}, {5, 6}};
    const Velocity *speeds = NULL;
    kith_entity spawned[3];
    kith_spawn_many(w, 3,
                    (const kith_values[]){KITH_VALUES(Position, many), KITH_VALUE(Team, {1}),
                                          KITH_VALUE(Frozen)},
                    3, spawned);
    if (speeds != NULL) {
        kith_spawn_many(w, 3, (const kith_values[]){KITH_VALUES(Velocity, speeds)}, 1, NULL);
    }
    KITH_TYPES(w, Old, game_camera, Gun, Frozen);
    KITH_SORT(w, Position, x);
    KITH_SORT(w, Team, number, .descending = true);
}

static void values(kith_world *w, const kith_world *constant, kith_iter *it, const kith_iter *fixed,
                   kith_entity e)
{
    const Position *a = KITH_GET(w, e, Position);
    const Position *b = KITH_GET(constant, e, Position);
    const Position *c = KITH_GET(it, e, Position);
    const Position *d = KITH_GET(fixed, e, Position);
    Position *m = KITH_GET_MUT(w, e, Position);
    Position *n = KITH_GET_MUT(it, e, Position);
    bool has = KITH_HAS(w, e, Frozen) || KITH_HAS(constant, e, Frozen) || KITH_HAS(it, e, Frozen) ||
               KITH_ALIVE(w, e) || KITH_ALIVE(constant, e) || KITH_ALIVE(it, e);
    kith_lookup lookup = KITH_LOOKUP(it, Team);
    kith_lookup other = KITH_LOOKUP(w, Team);
    const Team *team = KITH_GET(&lookup, e, Team);
    has = has && KITH_HAS(&other, e, Team) && team != NULL && a != b && c != d && m != n;
    KITH_RESOURCE_SET(w, Score, {0});
    Score score = {3};
    KITH_RESOURCE_SET(w, Score, score);
    KITH_RESOURCE_MUT(it, Score)->points += KITH_RESOURCE(constant, Score)->points + has;
    KITH_SEND(w, Hit, {e, 3});
    KITH_SEND(it, Hit, {.who = e});
    const Hit *hit;
    for (uint32_t i = 0; (hit = KITH_EVENT(it, i, Hit)) != NULL; i++) {
        KITH_RESOURCE_MUT(w, Score)->points -= hit->damage;
    }
    kith_random *r = KITH_RANDOM(w);
    r = KITH_RANDOM(it);
    (void)r;
}

static void movement(kith_iter *it)
{
    while (kith_next(it)) {
        Position *p = KITH_COLUMN_MUT(it, Position);
        const Velocity *v = KITH_COLUMN(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i].x += v[i].x * it->dt;
            KITH_AT_MUT(it, i, Position)->y += KITH_AT(it, i, Velocity)->y;
        }
    }
}

static void rows(kith_iter *it)
{
    while (kith_next_rows(it)) {
        Position *const *p = KITH_POINTERS_MUT(it, Position);
        const Velocity *const *v = KITH_POINTERS(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            p[i]->x += v[i]->x;
        }
    }
}

static void armed(const kith_observed *observed)
{
    KITH_ADD(observed->commands, observed->entities[0], Frozen);
}

static void queries(kith_world *w, float limit)
{
    kith_query *all = KITH_QUERY(w);
    kith_query *some = KITH_QUERY(w, KITH_READ(Position), KITH_WRITE(Velocity), KITH_WITH(Team),
                                  KITH_WITHOUT(Frozen), KITH_OPTIONAL(Gun), KITH_ANY_OF(Score, 0),
                                  KITH_ANY_OF(Old, 0), KITH_CHANGED(Hit));
    kith_query *few =
        KITH_QUERY(w, KITH_OPTIONAL_MUT(Gun), KITH_IF(Position, x, <, limit),
                   KITH_IF(Team, number, ==, 3), KITH_IF(Gun, name, ==, "gun"),
                   KITH_IF(Gun, mood, ==, ANGRY), KITH_IF_IN(Team, number, 1, 2),
                   KITH_IF_PREFIX(Gun, name, "g"), KITH_IF_CONTAINS(Gun, name, "u"),
                   KITH_IF_ANY(KITH_IF(Position, y, >, 1),
                               KITH_IF_NOT(KITH_IF(Position, x, >, KITH_ITS(Position, y)))));
    (void)all;
    (void)some;
    (void)few;
    KITH_SYSTEM(w, movement);
    KITH_SYSTEM(w, movement, KITH_WRITE(Position), KITH_READ(Velocity));
    KITH_SYSTEM(w, rows, KITH_WRITE(Position), KITH_READ(Velocity), .parallel = true,
                .after = "movement", .queries = {{.terms = KITH_TERMS(KITH_READ(Team))}},
                .lookups = KITH_TERMS(KITH_READ(Gun)));
    KITH_OBSERVE(w, KITH_ON_ADD, Gun, armed);
    KITH_OBSERVE(w, KITH_ON_REMOVE, Gun, armed, .values = true);
    kith_index *index = KITH_INDEX(w, KITH_INDEX_HASH, Team, number);
    kith_index_found found;
    kith_index_find(index, &(Team){.number = 3}, &found);
    kith_within_box(index, KITH_POINT(0, 0), KITH_POINT(1, 2, 3), NULL, &found);
}

static void without_a_world(void)
{
    enemy_pool *enemies = enemy_pool_new(NULL);
    enemy_pool_id one = enemy_pool_create(enemies, &(Enemy){.health = 10});
    if (enemy_pool_get(enemies, one) != NULL) {
        enemy_pool_kill(enemies, one);
    }
    enemy_pool_free(enemies);
    spark_pool *sparks = spark_pool_new(NULL);
    spark_pool_free(sparks);
}

int main(void)
{
    kith_world *w = kith_world_new(NULL);
    kith_commands *c = kith_commands_new(w, NULL);
    structure(w, c, 1, 2);
    queries(w, 3);
    kith_iter it = kith_query_iter(KITH_QUERY(w));
    values(w, w, &it, &it, KITH_NONE);
    without_a_world();
    kith_world_free(w);
    return 0;
}
