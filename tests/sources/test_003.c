/* Every test of source 003 (systems and queries), on every layout. Collisions are events here, since
 * a buffer that all worlds share is one of the source's traps. */
#include "components.h"
#include "test.h"

#include <kith/kith.h>

typedef struct Gravity {
    float force;
} Gravity;
KITH_TYPE(Gravity, KITH_FIELD(Gravity, force));

typedef struct Collider {
    float width, height;
} Collider;
KITH_TYPE(Collider, KITH_FIELD(Collider, width), KITH_FIELD(Collider, height));

typedef struct Collision {
    kith_entity a, b;
} Collision;
KITH_TYPE(Collision, KITH_FIELD(Collision, a), KITH_FIELD(Collision, b));

static fixture episode_new(kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_register(f.world, &Gravity_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Collider_type, &def), KITH_OK);
    return f;
}

static void episode_end(fixture *f)
{
    fixture_free(f);
}

static void check_position(const fixture *f, kith_entity entity, float x, float y)
{
    CHECK_FLOAT(KITH_GET(f->world, entity, Position)->x, x);
    CHECK_FLOAT(KITH_GET(f->world, entity, Position)->y, y);
}

static void add_systems(const fixture *f, const kith_system_def *defs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK_RESULT(kith_system_add(f->world, &defs[i]), KITH_OK);
    }
}

/* Calls a system's function by itself, as the source does. */
static kith_result call(const fixture *f, kith_result (*update)(kith_world *, kith_iter *),
                        float dt)
{
    kith_iter it = {.dt = dt};
    return update(f->world, &it);
}

static kith_result movement(kith_world *world, kith_iter *it)
{
    kith_query *query = KITH_QUERY(world, KITH_WRITE(Position), KITH_READ(Velocity));
    for (kith_iter each = kith_query_iter(query); kith_next(&each);) {
        for (uint32_t i = 0; i < each.count; i++) {
            Position *position = KITH_AT_MUT(&each, i, Position);
            const Velocity *velocity = KITH_AT(&each, i, Velocity);
            position->x += velocity->dx * it->dt;
            position->y += velocity->dy * it->dt;
        }
    }
    kith_query_free(query);
    return KITH_OK;
}

static kith_result gravity(kith_world *world, kith_iter *it)
{
    kith_query *query = KITH_QUERY(world, KITH_WRITE(Velocity), KITH_READ(Gravity));
    for (kith_iter each = kith_query_iter(query); kith_next(&each);) {
        for (uint32_t i = 0; i < each.count; i++) {
            KITH_AT_MUT(&each, i, Velocity)->dy += KITH_AT(&each, i, Gravity)->force * it->dt;
        }
    }
    kith_query_free(query);
    return KITH_OK;
}

static bool overlap(const Position *p, const Collider *a, const Position *q, const Collider *b)
{
    return p->x - a->width / 2 < q->x + b->width / 2 && p->x + a->width / 2 > q->x - b->width / 2 &&
           p->y - a->height / 2 < q->y + b->height / 2 &&
           p->y + a->height / 2 > q->y - b->height / 2;
}

/* Two open iterations of one query, each pair once. */
static kith_result collision(kith_world *world, kith_iter *it)
{
    (void)it;
    kith_result result = KITH_OK;
    kith_event_clear(world, &Collision_type);
    kith_query *query = KITH_QUERY(world, KITH_READ(Position), KITH_READ(Collider));
    for (kith_iter each = kith_query_iter(query); kith_next(&each);) {
        for (uint32_t i = 0; i < each.count; i++) {
            kith_entity a = kith_entities(&each)[i];
            for (kith_iter other = kith_query_iter(query); kith_next(&other);) {
                for (uint32_t j = 0; j < other.count; j++) {
                    kith_entity b = kith_entities(&other)[j];
                    if (a.index1 < b.index1 &&
                        overlap(KITH_AT(&each, i, Position), KITH_AT(&each, i, Collider),
                                KITH_AT(&other, j, Position), KITH_AT(&other, j, Collider)) &&
                        result == KITH_OK) {
                        result = KITH_SEND(world, Collision, {a, b});
                    }
                }
            }
        }
    }
    kith_query_free(query);
    return result;
}

static void hurt(kith_world *world, kith_entity entity)
{
    Health *health = KITH_GET_MUT(world, entity, Health);
    if (health != NULL && health->current > 0) {
        health->current--;
    }
}

static kith_result damage(kith_world *world, kith_iter *it)
{
    (void)it;
    const Collision *hit;
    for (uint32_t i = 0; (hit = KITH_EVENT(world, i, Collision)) != NULL; i++) {
        hurt(world, hit->a);
        hurt(world, hit->b);
    }
    return KITH_OK;
}

TEST_EACH_LAYOUT(movement_system_updates_positions, layout)
{
    static const struct {
        const char *test; /* of the source */
        Position from;
        Velocity velocity;
        float dt;
        Position to;
    } cases[] = {
        {"movement system updates positions", {0, 0}, {10, 5}, 1, {10, 5}},
        {"movement system with fractional dt", {100, 50}, {-20, 10}, 0.5f, {90, 55}},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        fixture f = episode_new(layout);
        test_note(cases[i].test);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, cases[i].from),
                                   KITH_VALUE(Velocity, cases[i].velocity));
        CHECK_RESULT(call(&f, movement, cases[i].dt), KITH_OK);
        check_position(&f, e, cases[i].to.x, cases[i].to.y);
        episode_end(&f);
    }
}

/* test "gravity system affects velocity" */
TEST_EACH_LAYOUT(gravity_system_affects_velocity, layout)
{
    fixture f = episode_new(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {0, 0}), KITH_VALUE(Gravity, {9.5f}));

    CHECK_RESULT(call(&f, gravity, 1), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dx, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dy, 9.5f);
    episode_end(&f);
}

/* test "gravity then movement produces correct arc" */
TEST_EACH_LAYOUT(gravity_then_movement_produces_correct_arc, layout)
{
    fixture f = episode_new(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {5, 0}),
                               KITH_VALUE(Gravity, {10}));

    static const Position arc[] = {{5, 10}, {10, 30}};
    for (int frame = 0; frame < 2; frame++) {
        CHECK_RESULT(call(&f, gravity, 1), KITH_OK);
        CHECK_RESULT(call(&f, movement, 1), KITH_OK);
        check_position(&f, e, arc[frame].x, arc[frame].y);
    }
    episode_end(&f);
}

TEST_EACH_LAYOUT(collision_between_entities, layout)
{
    static const struct {
        const char *test; /* of the source */
        Position positions[2];
        Collider size; /* of both */
        uint32_t collisions;
    } cases[] = {
        {"collision detection between overlapping entities", {{5, 5}, {6, 5}}, {2, 2}, 1},
        {"no collision between separated entities", {{0, 0}, {10, 10}}, {1, 1}, 0},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        fixture f = episode_new(layout);
        kith_entity e[2];
        test_note(cases[i].test);
        for (int k = 0; k < 2; k++) {
            e[k] = KITH_SPAWN(f.world, KITH_VALUE(Position, cases[i].positions[k]),
                              KITH_VALUE(Collider, cases[i].size));
        }
        CHECK_RESULT(call(&f, collision, 0), KITH_OK);
        CHECK_UINT(kith_event_count(f.world, &Collision_type), cases[i].collisions);
        if (cases[i].collisions != 0) {
            CHECK_SAME(KITH_EVENT(f.world, 0, Collision)->a, e[0]);
            CHECK_SAME(KITH_EVENT(f.world, 0, Collision)->b, e[1]);
        }
        episode_end(&f);
    }
}

/* test "damage system reduces health on collision" */
TEST_EACH_LAYOUT(damage_system_reduces_health_on_collision, layout)
{
    fixture f = episode_new(layout);
    kith_entity e1 = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 5}), KITH_VALUE(Collider, {2, 2}),
                                KITH_VALUE(Health, {10, 10}));
    kith_entity e2 = KITH_SPAWN(f.world, KITH_VALUE(Position, {6, 5}), KITH_VALUE(Collider, {2, 2}),
                                KITH_VALUE(Health, {5, 5}));

    CHECK_RESULT(call(&f, collision, 0), KITH_OK);
    CHECK_RESULT(call(&f, damage, 0), KITH_OK);
    CHECK_INT(KITH_GET(f.world, e1, Health)->current, 9);
    CHECK_INT(KITH_GET(f.world, e2, Health)->current, 4);
    episode_end(&f);
}

/* test "system registry runs in priority order", and the same when they are added the other way
 * round: the priority decides, not the order of the calls. */
TEST_EACH_LAYOUT(system_registry_runs_in_priority_order, layout)
{
    static const kith_system_def first = {.name = "gravity", .update = gravity, .priority = 100};
    static const kith_system_def later = {.name = "movement", .update = movement, .priority = 200};
    const struct {
        const char *name;
        kith_system_def defs[2];
    } cases[] = {{"in order", {first, later}}, {"in reverse", {later, first}}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        fixture f = episode_new(layout);
        test_note(cases[i].name);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}),
                                   KITH_VALUE(Velocity, {0, 0}), KITH_VALUE(Gravity, {10}));
        add_systems(&f, cases[i].defs, 2);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        check_position(&f, e, 0, 10);
        episode_end(&f);
    }
}

/* test "disabling a system skips it" */
TEST_EACH_LAYOUT(disabling_a_system_skips_it, layout)
{
    fixture f = episode_new(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {5, 0}));
    const kith_system_def def = {.name = "movement", .update = movement, .priority = 200};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);

    CHECK_RESULT(kith_system_enable(f.world, "movement", false), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 0);

    CHECK_RESULT(kith_system_enable(f.world, "movement", true), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 5);
    episode_end(&f);
}

/* The simulation of the source's first program: five frames of 0.5 s, all four systems. */
TEST_EACH_LAYOUT(four_systems_play_the_source_s_scene, layout)
{
    fixture f = episode_new(layout);
    const kith_system_def defs[] = {
        {.name = "gravity", .update = gravity, .priority = 100},
        {.name = "movement", .update = movement, .priority = 200},
        {.name = "collision", .update = collision, .priority = 300},
        {.name = "damage", .update = damage, .priority = 400},
    };
    add_systems(&f, defs, sizeof(defs) / sizeof(defs[0]));
    kith_entity player =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {10, 10}), KITH_VALUE(Velocity, {2, 0}),
                   KITH_VALUE(Health, {100, 100}), KITH_VALUE(Collider, {1, 1}));
    kith_entity enemy =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {14, 10}), KITH_VALUE(Velocity, {-1, 0}),
                   KITH_VALUE(Health, {30, 30}), KITH_VALUE(Collider, {1, 1}));
    kith_entity bullet = KITH_SPAWN(f.world, KITH_VALUE(Position, {10, 5}),
                                    KITH_VALUE(Velocity, {1, 0}), KITH_VALUE(Gravity, {3}));

    for (int frame = 0; frame < 5; frame++) {
        CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
        CHECK_WORLD(f.world);
    }
    /* They are 4 apart and close in at 1.5 a frame: they overlap after the third frame alone, when
     * they stand at 13 and 12.5, and have passed each other after the fourth. */
    CHECK_FLOAT(KITH_GET(f.world, player, Position)->x, 15);
    CHECK_FLOAT(KITH_GET(f.world, enemy, Position)->x, 11.5f);
    CHECK_INT(KITH_GET(f.world, player, Health)->current, 99);
    CHECK_INT(KITH_GET(f.world, enemy, Health)->current, 29);
    CHECK_FLOAT(KITH_GET(f.world, bullet, Position)->y, 5 + 0.75f * (1 + 2 + 3 + 4 + 5));
    fixture_free(&f);
}
