/* Locals of matrices, Locals in between, and parents that change while everything stays where it is. */
#include <kith/floats.h>

#include <float.h>
#include <kith/hierarchy.h>
#include <math.h>

#include "bits.h"
#include "worlds.h"

/* Not from -0.1 to 0.1: what is small beside what it is added to would count for nothing. */
static float random_scale(uint64_t *random)
{
    const float scale = random_within(random, 4);
    return scale + (scale < 0 ? -0.1f : 0.1f);
}

static Local2 random_local2(uint64_t *random)
{
    Local2 local;
    local.x = random_within(random, 100);
    local.y = random_within(random, 100);
    local.angle = random_within(random, 20);
    local.scale_x = random_scale(random);
    local.scale_y = random_scale(random);
    return local;
}

static Local3 random_local3(uint64_t *random)
{
    Local3 local;
    float numbers[11];
    for (int i = 0; i < 11; i++) {
        numbers[i] = i < 3   ? random_within(random, 100)
                     : i < 7 ? random_within(random, 1)
                             : random_scale(random);
    }
    local.position = (kith_vec3){numbers[0], numbers[1], numbers[2]};
    local.rotation = (kith_quat){numbers[3], numbers[4], numbers[5], numbers[6]};
    local.scale = (kith_vec3){numbers[8], numbers[9], numbers[10]};
    return local;
}

/* How far the numbers of two matrices are apart, at most. */
static double apart(const float *a, const float *b, int count)
{
    double worst = 0;
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
    }
    return worst;
}

static double apart2(Global2 a, Global2 b)
{
    return apart(&a.x_axis.x, &b.x_axis.x, 6);
}

static double apart3(Global3 a, Global3 b)
{
    return apart(&a.x_axis.x, &b.x_axis.x, 12);
}

static bool all_finite(const float *numbers, int count)
{
    bool finite = true;
    for (int i = 0; i < count; i++) {
        finite = finite && isfinite(numbers[i]);
    }
    return finite;
}

/* ---- Of a matrix, its Local ------------------------------------------------------------------- */

TEST(a_matrix_of_a_local_tells_it_in_2d)
{
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        const Local2 local = random_local2(&random);
        const Global2 global = kith_transform2_from_local(local);
        Local2 found;
        CHECK(kith_transform2_to_local(global, &found));
        CHECK(apart2(kith_transform2_from_local(found), global) < 2e-6);
        CHECK(found.x == local.x && found.y == local.y && found.scale_x > 0);
        CHECK(fabs(fabs((double)found.scale_y) - fabs((double)local.scale_y)) < 1e-6);
        const bool mirrored = (local.scale_x < 0) != (local.scale_y < 0);
        CHECK(mirrored == (found.scale_y < 0));
        if (local.scale_x > 0) {
            CHECK(fabsf(kith_turn_f32(local.angle, found.angle)) < 2e-6f);
        }
        CHECK(found.angle >= -KITH_PI && found.angle <= KITH_PI);
    }
    Local2 found;
    CHECK(kith_transform2_to_local(kith_transform2_from_local((Local2){0}), &found));
    CHECK(found.x == 0 && found.angle == 0 && found.scale_x == 1 && found.scale_y == 1);
}

TEST(a_matrix_of_a_local_tells_it_in_3d)
{
    uint64_t random = 2;
    for (int i = 0; i < 20000; i++) {
        const Local3 local = random_local3(&random);
        const Global3 global = kith_transform3_from_local(local);
        Local3 found;
        CHECK(kith_transform3_to_local(global, &found));
        CHECK(apart3(kith_transform3_from_local(found), global) < 4e-6);
        CHECK(memcmp(&found.position, &local.position, sizeof found.position) == 0);
        CHECK(found.scale.x > 0 && found.scale.y > 0);
        CHECK(fabs(fabs((double)found.scale.z) - fabs((double)local.scale.z)) < 2e-6);
        const bool mirrored = local.scale.x * local.scale.y * local.scale.z < 0;
        CHECK(mirrored == (found.scale.z < 0));
    }
    Local3 found;
    CHECK(kith_transform3_to_local(kith_transform3_from_local((Local3){0}), &found));
    CHECK(found.rotation.w == 1 && found.scale.x == 1 && found.scale.y == 1 && found.scale.z == 1);
}

/* Those of equal scales have no shear, however many there are. */
TEST(products_of_locals_without_shear_are_exact)
{
    uint64_t random = 3;
    for (int i = 0; i < 2000; i++) {
        Global2 flat = kith_transform2_from_local((Local2){0});
        Global3 solid = kith_transform3_from_local((Local3){0});
        for (int level = 0; level < 50; level++) {
            Local2 a = random_local2(&random);
            Local3 b = random_local3(&random);
            a.scale_x = a.scale_y = level % 7 == 0 ? -0.5f : 1.1f;
            b.scale = (kith_vec3){a.scale_x, a.scale_x, a.scale_x};
            flat = kith_transform2_compose(flat, a);
            solid = kith_transform3_compose(solid, b);
        }
        Local2 a;
        Local3 b;
        CHECK(kith_transform2_to_local(flat, &a));
        CHECK(kith_transform3_to_local(solid, &b));
        CHECK(apart2(kith_transform2_from_local(a), flat) < 1e-4);
        CHECK(apart3(kith_transform3_from_local(b), solid) < 1e-4);
    }
}

/* The axis that is kept, and the lengths. */
TEST(a_shear_is_told_and_left_out)
{
    Local2 flat;
    CHECK(!kith_transform2_to_local((Global2){{2, 0}, {3, 4}, 7, 8}, &flat));
    CHECK(flat.angle == 0 && flat.scale_x == 2 && flat.scale_y == 5 && flat.x == 7 && flat.y == 8);
    CHECK(!kith_transform2_to_local((Global2){{0, 2}, {0, 3}, 0, 0}, &flat)); /* on one line */
    CHECK(flat.scale_x == 2 && flat.scale_y == 3);
    CHECK(!kith_transform2_to_local((Global2){{1, 0}, {1.2e-5f, 1}, 0, 0}, &flat));
    CHECK(kith_transform2_to_local((Global2){{1, 0}, {0.8e-5f, 1}, 0, 0}, &flat));
    CHECK(kith_transform2_to_local((Global2){{1e-30f, 0}, {0, -1e30f}, 0, 0}, &flat));
    CHECK(flat.scale_x == 1e-30f && flat.scale_y == -1e30f);

    const kith_vec3 axes[] = {{2, 0, 0}, {0, 3, 0}, {0, 0, 4}};
    for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
            kith_vec3 sheared[3] = {axes[0], axes[1], axes[2]};
            if (from == to) {
                continue;
            }
            sheared[from].x += 0.5f * axes[to].x;
            sheared[from].y += 0.5f * axes[to].y;
            sheared[from].z += 0.5f * axes[to].z;
            const Global3 global = {sheared[0], sheared[1], sheared[2], {1, 2, 3}};
            Local3 solid;
            CHECK(!kith_transform3_to_local(global, &solid));
            const Global3 again = kith_transform3_from_local(solid);
            CHECK(apart(&again.x_axis.x, &global.x_axis.x, 3) < 1e-6);
            /* In the plane of both, the y axis is on its side of the x axis. */
            CHECK(again.y_axis.x * global.y_axis.x + again.y_axis.y * global.y_axis.y > 0);
            CHECK(fabs((double)solid.scale.y -
                       sqrt((double)(sheared[1].x * sheared[1].x + sheared[1].y * sheared[1].y +
                                     sheared[1].z * sheared[1].z))) < 1e-6);
        }
    }
}

TEST(what_cannot_be_told_is_near_and_finite_in_2d)
{
    static const struct {
        Global2 global;
        Local2 local;
    } cases[] = {
        {{{0, 0}, {0, 0}, 0, 0}, {0, 0, 0, FLT_MIN, FLT_MIN}},
        {{{0, 0}, {0, 3}, 1, 2}, {1, 2, 0, FLT_MIN, 3}},
        {{{0, 0}, {-3, 0}, 1, 2}, {1, 2, KITH_PI / 2, FLT_MIN, 3}},
        {{{0, 2}, {0, 0}, 1, 2}, {1, 2, KITH_PI / 2, 2, FLT_MIN}},
        {{{NAN, 2}, {-1, 0}, 1, 2}, {1, 2, KITH_PI / 2, 2, 1}},
        {{{1, 0}, {0, INFINITY}, 1, 2}, {1, 2, 0, 1, FLT_MIN}},
        {{{1, 0}, {0, 1}, NAN, -INFINITY}, {0, 0, 0, 1, 1}},
        {{{FLT_MAX, FLT_MAX}, {0, 0}, 0, 0}, {0, 0, KITH_PI / 4, FLT_MAX, FLT_MIN}},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        Local2 found;
        CHECK(!kith_transform2_to_local(cases[i].global, &found));
        CHECK(memcmp(&found, &cases[i].local, sizeof found) == 0);
    }
    /* The smallest numbers that there are have a Local. */
    Local2 found;
    CHECK(kith_transform2_to_local((Global2){{0, 0x1p-149f}, {-0x1p-149f, 0}, 0, 0}, &found));
    CHECK(found.scale_x == 0x1p-149f && found.scale_y == 0x1p-149f && found.angle == KITH_PI / 2);
    CHECK(kith_transform2_to_local((Global2){{FLT_MAX, 0}, {0, -FLT_MAX}, FLT_MAX, 0}, &found));
    CHECK(found.scale_x == FLT_MAX && found.scale_y == -FLT_MAX && found.x == FLT_MAX);
}

/* Numbers of all kinds: whatever comes out is finite, a rotation, and turns what it can. */
TEST(what_cannot_be_told_is_near_and_finite_in_3d)
{
    static const float kinds[] = {0,   1,        -1,        0x1p-149f, FLT_MAX, -FLT_MAX,
                                  NAN, INFINITY, -INFINITY, 1e-20f,    0,       2};
    uint64_t random = 4;
    for (int i = 0; i < 100000; i++) {
        Global3 global;
        float numbers[12];
        for (int j = 0; j < 12; j++) {
            numbers[j] = kinds[random_below(&random, ROWS_OF(kinds))];
        }
        memcpy(&global, numbers, sizeof global);
        Local3 found;
        const bool exact = kith_transform3_to_local(global, &found);
        CHECK(all_finite(&found.position.x, 10));
        CHECK(found.scale.x > 0 && found.scale.y > 0 && found.scale.z != 0);
        const kith_quat q = found.rotation;
        CHECK(fabs(sqrt((double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w)) - 1) < 1e-6);
        CHECK(!exact || all_finite(numbers, 12));
    }
    static const struct {
        Global3 global;
        kith_vec3 scale, x, y; /* where x and y point */
    } cases[] = {
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
         {FLT_MIN, FLT_MIN, FLT_MIN},
         {1, 0, 0},
         {0, 1, 0}},
        {{{0, 0, 0}, {0, 0, 2}, {3, 0, 0}, {0, 0, 0}}, {FLT_MIN, 2, 3}, {0, 1, 0}, {0, 0, 1}},
        {{{0, 4, 0}, {0, 0, 0}, {3, 0, 0}, {0, 0, 0}}, {4, FLT_MIN, 3}, {0, 1, 0}, {0, 0, 1}},
        {{{0, 4, 0}, {0, 0, 2}, {0, 0, 0}, {0, 0, 0}}, {4, 2, FLT_MIN}, {0, 1, 0}, {0, 0, 1}},
        {{{0, 4, 0}, {0, 0, 2}, {-3, 0, 0}, {0, 0, 0}}, {4, 2, -3}, {0, 1, 0}, {0, 0, 1}},
        {{{0, 4, 0}, {0, 2, 0}, {3, 0, 0}, {0, 0, 0}}, {4, 2, 3}, {0, 1, 0}, {0, 0, 1}},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        Local3 found;
        CHECK(kith_transform3_to_local(cases[i].global, &found) == (i == 4));
        CHECK(memcmp(&found.scale, &cases[i].scale, sizeof found.scale) == 0);
        const kith_vec3 x = kith_quat_rotate(found.rotation, 1, 0, 0);
        const kith_vec3 y = kith_quat_rotate(found.rotation, 0, 1, 0);
        if (i > 0) { /* where there is a direction */
            CHECK(apart(&x.x, &cases[i].x.x, 3) < 1e-6 && apart(&y.x, &cases[i].y.x, 3) < 1e-6);
        }
    }
}

/* A y axis that is nearly on one line with the x axis counts for nothing; x is what it was. */
TEST(axes_on_one_line_keep_the_first)
{
    uint64_t random = 8;
    for (int i = 0; i < 5000; i++) {
        const kith_vec3 x = {random_within(&random, 1), random_within(&random, 1),
                             random_within(&random, 1)};
        const float by = (float)(i % 2 == 0 ? 2 : 3);
        const Global3 global = {x, {by * x.x, by * x.y, by * x.z}, {0, 0, 0}, {0, 0, 0}};
        Local3 found;
        CHECK(!kith_transform3_to_local(global, &found));
        const Global3 again = kith_transform3_from_local(found);
        CHECK(apart(&again.x_axis.x, &x.x, 3) < 1e-6);
        CHECK(fabs((double)(again.x_axis.x * again.y_axis.x + again.x_axis.y * again.y_axis.y +
                            again.x_axis.z * again.y_axis.z)) < 1e-5);
    }
}

/* ---- In between ------------------------------------------------------------------------------- */

TEST(a_local_in_between_goes_the_shorter_way)
{
    const Local2 from = {2, -4, 3, 1, 0}, to = {4, 4, -3, 3, 2};
    Local2 found = kith_transform2_interpolate(from, to, 0.25f);
    CHECK(found.x == 2.5f && found.y == -2 && found.scale_x == 1.5f && found.scale_y == 1.25f);
    CHECK(fabs((double)found.angle - (3 + 0.25 * (6.283185307179586 - 6))) < 1e-6);
    found = kith_transform2_interpolate(from, to, 0);
    CHECK(memcmp(&found, &from, sizeof found) == 0);
    found = kith_transform2_interpolate(from, to, 1);
    CHECK(memcmp(&found, &to, sizeof found) == 0);

    const Local3 begin = {{2, -4, 0}, kith_quat_about(0, 0, 1, 3), {1, 0, 3}};
    const Local3 end = {{4, 4, 1}, kith_quat_about(0, 0, 1, -3), {3, 2, 0}};
    Local3 solid = kith_transform3_interpolate(begin, end, 0.25f);
    const kith_quat between = kith_quat_slerp(begin.rotation, end.rotation, 0.25f);
    CHECK(solid.position.x == 2.5f && solid.position.y == -2 && solid.position.z == 0.25f);
    CHECK(solid.scale.x == 1.5f && solid.scale.y == 1.25f && solid.scale.z == 2.5f);
    CHECK(memcmp(&solid.rotation, &between, sizeof between) == 0);
    solid = kith_transform3_interpolate(begin, end, -1);
    CHECK(memcmp(&solid, &begin, sizeof solid) == 0);
    solid = kith_transform3_interpolate(begin, end, INFINITY);
    CHECK(memcmp(&solid, &end, sizeof solid) == 0);
}

TEST(a_part_out_of_range_is_an_end)
{
    const Local2 from = {1, 2, 3, 4, 5}, to = {6, 7, 8, 9, 10};
    const float below[] = {-1, -INFINITY, NAN, -0.0f}, above[] = {1.5f, INFINITY};
    for (size_t i = 0; test_row(i, ROWS_OF(below)); i++) {
        const Local2 found = kith_transform2_interpolate(from, to, below[i]);
        CHECK(memcmp(&found, &from, sizeof found) == 0);
    }
    for (size_t i = 0; test_row(i, ROWS_OF(above)); i++) {
        const Local2 found = kith_transform2_interpolate(from, to, above[i]);
        CHECK(memcmp(&found, &to, sizeof found) == 0);
    }
    /* A number that is not finite does not spoil the ends, nor a scale of 0 what is mirrored. */
    const Local2 odd = {NAN, INFINITY, 0, 1, -1};
    CHECK(kith_transform2_interpolate(from, odd, 0).x == 1);
    CHECK(kith_transform2_interpolate(odd, to, 1).y == 7);
    const Local2 plain = {0, 0, 0, 1, 1};
    CHECK(kith_transform2_interpolate(plain, odd, 0.5f).scale_y == FLT_MIN);
    const Local2 far = {FLT_MAX, 0, 0, 1, 1}, near_end = {-FLT_MAX, 0, 0, 1, 1};
    CHECK(kith_transform2_interpolate(far, near_end, 0.5f).x == 0);
}

/* ---- Bits ------------------------------------------------------------------------------------- */

/* On each machine, by each compiler. */
TEST(locals_have_the_same_bits_everywhere)
{
    uint64_t random = 5;
    uint64_t hash = NO_BITS;
    for (int i = 0; i < 20000; i++) {
        const Local2 a = random_local2(&random), b = random_local2(&random);
        const Local3 c = random_local3(&random), d = random_local3(&random);
        const float part = (random_within(&random, 1) + 1) / 2;
        Local2 flat;
        Local3 solid;
        kith_transform2_to_local(kith_transform2_compose(kith_transform2_from_local(a), b), &flat);
        kith_transform3_to_local(kith_transform3_compose(kith_transform3_from_local(c), d), &solid);
        add_bits(&hash, &flat.x, 5);
        add_bits(&hash, &solid.position.x, 10);
        flat = kith_transform2_interpolate(a, b, part);
        solid = kith_transform3_interpolate(c, d, part);
        add_bits(&hash, &flat.x, 5);
        add_bits(&hash, &solid.position.x, 10);
    }
    CHECK_UINT(hash, UINT64_C(12211480682491343050));
}

/* ---- Another parent --------------------------------------------------------------------------- */

/* A tree of some entities, with Locals that have one scale for all axes. */
enum { NODES = 24 };

typedef struct tree {
    fixture f;
    kith_entity nodes[NODES];
} tree;

static tree tree_new(kith_layout layout, uint64_t *random)
{
    tree t = {.f = game_new(layout, KITH_GAME_TRANSFORMS)};
    for (uint32_t i = 0; i < NODES; i++) {
        Local2 flat = random_local2(random);
        Local3 solid = random_local3(random);
        flat.scale_x = 0.5f + (float)(i % 5) / 4;
        flat.scale_y = i % 3 == 0 ? -flat.scale_x : flat.scale_x;
        solid.scale = (kith_vec3){flat.scale_x, flat.scale_x, flat.scale_y};
        t.nodes[i] = KITH_SPAWN(t.f.world, KITH_VALUE(Local2, flat), KITH_VALUE(Local3, solid));
        if (i > 1) {
            const kith_entity parent = t.nodes[random_below(random, i)];
            CHECK_RESULT(kith_set_parent(t.f.world, t.nodes[i], parent), KITH_OK);
        }
    }
    game_tick(&t.f, 1);
    return t;
}

TEST_EACH_LAYOUT(an_entity_stays_in_place_under_another_parent, layout)
{
    uint64_t random = 6;
    tree t = tree_new(layout, &random);
    for (int i = 0; i < 300; i++) {
        const kith_entity child = t.nodes[random_below(&random, NODES)];
        const kith_entity parent = i % 4 == 0 ? KITH_NONE : t.nodes[random_below(&random, NODES)];
        Global2 flat[NODES];
        Global3 solid[NODES];
        double size = 1;
        for (uint32_t j = 0; j < NODES; j++) {
            flat[j] = *KITH_GET(t.f.world, t.nodes[j], Global2);
            solid[j] = *KITH_GET(t.f.world, t.nodes[j], Global3);
        }
        bool exact = false;
        const kith_result result = kith_set_parent_in_place(t.f.world, child, parent, &exact);
        const bool circle =
            kith_entity_equal(child, parent) || kith_is_ancestor(t.f.world, child, parent);
        CHECK_RESULT(result, circle ? KITH_ERR_CYCLE : KITH_OK);
        CHECK(exact == !circle);
        CHECK(circle || kith_entity_equal(kith_parent(t.f.world, child), parent));
        game_tick(&t.f, 1);
        for (uint32_t j = 0; j < NODES; j++) {
            size = fmax(size, fmax(fabs((double)flat[j].x), fabs((double)solid[j].position.x)));
        }
        for (uint32_t j = 0; j < NODES; j++) {
            const double error2 = apart2(*KITH_GET(t.f.world, t.nodes[j], Global2), flat[j]);
            const double error3 = apart3(*KITH_GET(t.f.world, t.nodes[j], Global3), solid[j]);
            CHECK(circle ? error2 == 0 && error3 == 0 : fmax(error2, error3) < 1e-4 * size);
        }
    }
    fixture_free(&t.f);
}

/* It goes by Locals, as they are now: no tick is needed. */
TEST(a_place_is_of_locals_not_of_the_last_tick)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    const kith_entity tank = KITH_SPAWN(f.world, KITH_VALUE(Local2, {.x = 10, .angle = KITH_PI}));
    const kith_entity turret =
        KITH_SPAWN(f.world, KITH_VALUE(Local2, {.x = 2}), KITH_VALUE(kith_child_of, {tank}));
    KITH_GET_MUT(f.world, tank, Local2)->x = 20;
    CHECK_RESULT(kith_set_parent_in_place(f.world, turret, KITH_NONE, NULL), KITH_OK);
    Local2 local = *KITH_GET(f.world, turret, Local2);
    CHECK(fabsf(local.x - 18) < 1e-5f && fabsf(local.y) < 1e-5f);
    CHECK(fabsf(local.angle) > 3.14159f && local.scale_x == 1 && local.scale_y == 1);
    CHECK(kith_is_none(kith_parent(f.world, turret)));
    /* Its Global comes with the next tick, where it would have been. */
    game_tick(&f, 1);
    CHECK(fabsf(KITH_GET(f.world, turret, Global2)->x - 18) < 1e-5f);

    /* The same parent again: not a bit is another. */
    CHECK_RESULT(kith_set_parent_in_place(f.world, turret, tank, NULL), KITH_OK);
    local = *KITH_GET(f.world, turret, Local2);
    bool exact = false;
    CHECK_RESULT(kith_set_parent_in_place(f.world, turret, tank, &exact), KITH_OK);
    CHECK(exact && memcmp(&local, KITH_GET(f.world, turret, Local2), sizeof local) == 0);
    fixture_free(&f);
}

TEST(what_has_no_local_counts_as_for_the_system)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    const kith_entity hull = KITH_SPAWN(f.world, KITH_VALUE(Local2, {.x = 10}));
    const kith_entity group = KITH_SPAWN(f.world, KITH_VALUE(kith_child_of, {hull}));
    const kith_entity lamp =
        KITH_SPAWN(f.world, KITH_VALUE(Local2, {.x = 1}), KITH_VALUE(kith_child_of, {group}));
    bool exact = false;
    /* A root in spite of its grandparent, and then a part of it. */
    CHECK_RESULT(kith_set_parent_in_place(f.world, lamp, hull, &exact), KITH_OK);
    CHECK(exact);
    CHECK_FLOAT(KITH_GET(f.world, lamp, Local2)->x, -9);
    CHECK_RESULT(kith_set_parent_in_place(f.world, lamp, group, &exact), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, lamp, Local2)->x, 1);
    /* Without a Local there is no place to keep. */
    CHECK_RESULT(kith_set_parent_in_place(f.world, group, KITH_NONE, &exact), KITH_OK);
    CHECK(exact && !KITH_HAS(f.world, group, Local2) && kith_is_none(kith_parent(f.world, group)));
    fixture_free(&f);
}

TEST(a_parent_in_place_may_shear_or_have_no_inverse)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    const kith_entity wide = KITH_SPAWN(f.world, KITH_VALUE(Local2, {.scale_x = 3}));
    const kith_entity part = KITH_SPAWN(f.world, KITH_VALUE(Local2, {.x = 1, .angle = 1}),
                                        KITH_VALUE(kith_child_of, {wide}));
    const kith_entity tiny =
        KITH_SPAWN(f.world, KITH_VALUE(Local2, {.scale_x = 0x1p-149f, .scale_y = 1}));
    const kith_entity lost = KITH_SPAWN(f.world, KITH_VALUE(Local2, {.x = NAN}));
    bool exact = true;
    const Local2 before = *KITH_GET(f.world, part, Local2);
    const kith_entity none[] = {tiny, lost};
    kith_query *written = KITH_QUERY(f.world, KITH_CHANGED(Local2));
    kith_query_skip_changes(written);
    for (size_t i = 0; test_row(i, ROWS_OF(none)); i++) {
        CHECK_RESULT(kith_set_parent_in_place(f.world, part, none[i], &exact), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "kith_set_parent_in_place");
        CHECK(exact && memcmp(KITH_GET(f.world, part, Local2), &before, sizeof before) == 0);
        CHECK(kith_entity_equal(kith_parent(f.world, part), wide));
        CHECK_UINT(kith_query_count(written), 0);
    }
    CHECK_RESULT(kith_set_parent_in_place(f.world, part, KITH_NONE, &exact), KITH_OK);
    CHECK(!exact);
    CHECK_FLOAT(KITH_GET(f.world, part, Local2)->x, 3);
    kith_despawn(f.world, tiny);
    CHECK_RESULT(kith_set_parent_in_place(f.world, part, tiny, &exact), KITH_ERR_DEAD);
    CHECK_RESULT(kith_set_parent_in_place(f.world, tiny, part, &exact), KITH_ERR_DEAD);
    CHECK_RESULT(kith_set_parent_in_place(f.world, tiny, KITH_NONE, &exact), KITH_ERR_DEAD);
    CHECK_FLOAT(KITH_GET(f.world, part, Local2)->x, 3);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* With a snapshot taken, so that writing has to copy first. */
TEST_EACH_LAYOUT(a_parent_in_place_needs_memory, layout)
{
    for (size_t nth = 1;; nth++) {
        uint64_t random = 7;
        tree t = tree_new(layout, &random);
        const kith_entity child = t.nodes[NODES - 1];
        kith_snapshot *snapshot;
        CHECK_RESULT(kith_snapshot_take(t.f.world, &snapshot), KITH_OK);
        const uint64_t before = kith_world_hash(t.f.world);
        fail_allocation(&t.f, nth);
        bool exact = false;
        const kith_result result = kith_set_parent_in_place(t.f.world, child, KITH_NONE, &exact);
        const bool reached = fail_nothing(&t.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(exact == !reached);
        CHECK_INT(kith_world_hash(t.f.world) == before, reached);
        CHECK_WORLD(t.f.world);
        kith_snapshot_free(snapshot);
        fixture_free(&t.f);
        if (!reached) {
            CHECK(nth > 1);
            break;
        }
    }
}
