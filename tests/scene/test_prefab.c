/* Prefabs: from texts and from programs. */
#include <stdio.h>
#include <stdlib.h>

#include "scenes.h"

static const char zoo[] = "entity first : chief           # before what it extends\n"
                          "    Position { x = 1 }\n"
                          "prefab chief : goblin\n"
                          "    Health { max = 50 }\n"
                          "    - Frozen\n"
                          "    Party { members = [boss, none] }\n"
                          "prefab goblin:creature\n"
                          "    Health { current = 20, max = 20 }\n"
                          "    Name { text = \"goblin\" }\n"
                          "prefab creature\n"
                          "    Frozen\n"
                          "    Party { leader = boss, size = 2 }\n"
                          "entity boss\n"
                          "    Position { x = 2 }\n"
                          "entity second: goblin\n"
                          "    Name { text = \"gob\" }\n"
                          "    -Health\n"
                          "    Health { max = 1 }\n"
                          "entity :goblin";

TEST_EACH_LAYOUT(values_are_inherited_field_by_field, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, zoo);
    CHECK_UINT(kith_entity_count(f.world), 4);
    kith_entity boss = kith_scene_find(scene, "boss");
    kith_entity first = kith_scene_find(scene, "first");
    CHECK_UINT(kith_entity_slot(first), 0);
    CHECK_INT(KITH_GET(f.world, first, Health)->current, 20);
    CHECK_INT(KITH_GET(f.world, first, Health)->max, 50);
    CHECK_STR(KITH_GET(f.world, first, Name)->text, "goblin");
    CHECK(!KITH_HAS(f.world, first, Frozen));
    CHECK_SAME(KITH_GET(f.world, first, Party)->leader, boss);
    CHECK_SAME(KITH_GET(f.world, first, Party)->members[0], boss);
    CHECK_UINT(KITH_GET(f.world, first, Party)->size, 2);
    CHECK_FLOAT(KITH_GET(f.world, first, Position)->x, 1);

    kith_entity second = kith_scene_find(scene, "second");
    CHECK_STR(KITH_GET(f.world, second, Name)->text, "gob"); /* and no rest of "goblin" */
    CHECK_INT(KITH_GET(f.world, second, Name)->text[4], 0);
    CHECK_INT(KITH_GET(f.world, second, Health)->current, 0);
    CHECK_INT(KITH_GET(f.world, second, Health)->max, 1);
    CHECK(KITH_HAS(f.world, second, Frozen));
    CHECK_INT(KITH_GET(f.world, kith_scene_at(scene, 3), Health)->max, 20);
    CHECK_SAME(KITH_GET(f.world, kith_scene_at(scene, 3), Party)->members[0], KITH_NONE);
    scene_end(&f, scene);
}

/* What is said of one field leaves the references in the others, over any number of prefabs. */
TEST_EACH_LAYOUT(references_are_inherited_beside_what_is_changed, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, "prefab base\n"
                                 "    Party { leader = hero, members = [none, hero] }\n"
                                 "prefab middle : base\n"
                                 "    Party { size = 4 }\n"
                                 "entity one : base\n"
                                 "    Party { size = 3 }\n"
                                 "entity two : middle\n"
                                 "    Party { members = [two, one] }\n"
                                 "entity three : middle\n"
                                 "    Party { leader = none, members = [none, none] }\n"
                                 "entity hero\n");
    kith_entity hero = kith_scene_find(scene, "hero");
    kith_entity one = kith_scene_find(scene, "one");
    kith_entity two = kith_scene_find(scene, "two");
    const Party *party = KITH_GET(f.world, one, Party);
    CHECK_SAME(party->leader, hero);
    CHECK_UINT(party->size, 3);
    CHECK_SAME(party->members[1], hero);
    party = KITH_GET(f.world, two, Party);
    CHECK_SAME(party->leader, hero);
    CHECK_UINT(party->size, 4);
    CHECK_SAME(party->members[0], two);
    CHECK_SAME(party->members[1], one);
    party = KITH_GET(f.world, kith_scene_find(scene, "three"), Party);
    CHECK_SAME(party->leader, KITH_NONE);
    CHECK_UINT(party->size, 4);
    CHECK_SAME(party->members[1], KITH_NONE);
    kith_entity made;
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "middle"), NULL, 0, &made), KITH_OK);
    CHECK_SAME(KITH_GET(f.world, made, Party)->leader, hero);
    CHECK_UINT(KITH_GET(f.world, made, Party)->size, 4);
    scene_end(&f, scene);
}

/* T0, T1 and so on, of one field `v`. */
static const kith_type *define_numbered(kith_world *world, kith_layout layout, uint32_t number)
{
    const kith_field field = {"v", 0, 0, KITH_U32};
    char name[8];
    snprintf(name, sizeof name, "T%u", number);
    const kith_type_def def = {.name = name, .fields = &field, .field_count = 1, .layout = layout};
    const kith_type *type;
    CHECK_RESULT(kith_define(world, &def, &type), KITH_OK);
    return type;
}

/* As many components as there is room for without asking for memory, one less, and more; with values of
 * the program's instead of some, and besides. */
TEST_EACH_LAYOUT(a_prefab_may_have_any_number_of_components, layout)
{
    enum { MOST = 40 };
    static const kith_type *types[MOST];
    for (uint32_t count = 28; count <= 36; count++) {
        for (uint32_t given = 0; given < 4; given++) {
            fixture f = scene_fixture(layout);
            char text[1000] = "prefab p\n";
            for (uint32_t i = 0; i < MOST; i++) {
                types[i] = define_numbered(f.world, layout, i);
                size_t end = i < count ? strlen(text) : sizeof text - 1;
                snprintf(text + end, sizeof text - end, "T%u { v = %u }\n", i, i);
            }
            kith_scene *scene = load(&f, text);
            static const uint32_t value = 777;
            kith_value values[4];
            for (uint32_t i = 0; i < given; i++) { /* the last of the prefab's, and some beyond */
                values[i] = (kith_value){types[count - 1 + i], &value};
            }
            kith_entity e;
            const kith_prefab *prefab = kith_scene_prefab(scene, "p");
            CHECK_RESULT(kith_prefab_spawn(prefab, values, given, &e), KITH_OK);
            for (uint32_t i = 0; i < MOST; i++) {
                bool is_given = i + 1 >= count && i + 1 < count + given;
                const uint32_t *v = kith_get(f.world, e, types[i]);
                CHECK_INT(v != NULL, i < count || is_given);
                if (v != NULL) {
                    CHECK_UINT(*v, is_given ? value : i);
                }
            }
            scene_end(&f, scene);
        }
    }
}

/* What was removed may be given again, also where components are looked for by an index: of 40,
 * behind some lines. */
TEST_EACH_LAYOUT(what_is_removed_may_come_again, layout)
{
    enum { MOST = 40 };
    static const kith_type *types[MOST];
    fixture f = scene_fixture(layout);
    char text[2000] = "prefab p\n";
    for (uint32_t i = 0; i < MOST; i++) {
        types[i] = define_numbered(f.world, layout, i);
        snprintf(text + strlen(text), sizeof text - strlen(text), "T%u { v = %u }\n", i, i);
    }
    strcat(text, "entity : p\n");
    for (uint32_t i = 0; i < 20; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "T%u { v = 100 }\n", i);
    }
    strcat(text, "- T30\n- T31\nT30 { v = 200 }\n");
    kith_scene *scene = load(&f, text);
    kith_entity e = kith_scene_at(scene, 0);
    for (uint32_t i = 0; i < MOST; i++) {
        const uint32_t *v = kith_get(f.world, e, types[i]);
        CHECK_INT(v != NULL, i != 31);
        if (v != NULL) {
            CHECK_UINT(*v, i < 20 ? 100 : i == 30 ? 200 : i);
        }
    }
    scene_end(&f, scene);
}

/* As its entities get it: zeros where the text says no more than the name. */
TEST_EACH_LAYOUT(a_component_without_a_value_is_zeros, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, "prefab p\n    Position\n    Health { }\n    Frozen\n");
    const kith_prefab *prefab = kith_scene_prefab(scene, "p");
    Position position = {7, 7};
    Health health = {7, 7};
    CHECK_RESULT(kith_prefab_get(prefab, &Position_type, &position), KITH_OK);
    CHECK(position.x == 0 && position.y == 0);
    CHECK_RESULT(kith_prefab_get(prefab, &Health_type, &health), KITH_OK);
    CHECK(health.current == 0 && health.max == 0);
    CHECK_RESULT(kith_prefab_get(prefab, &Frozen_type, NULL), KITH_OK);
    CHECK_RESULT(kith_prefab_get(prefab, &Velocity_type, &health), KITH_ERR_ABSENT);
    kith_entity made;
    CHECK_RESULT(kith_prefab_spawn(prefab, NULL, 0, &made), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, made, Position)->y, 0);
    CHECK_INT(KITH_GET(f.world, made, Health)->max, 0);
    CHECK(KITH_HAS(f.world, made, Frozen));
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(a_program_spawns_prefabs, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, zoo);
    const kith_prefab *goblin = kith_scene_prefab(scene, "goblin");
    const kith_prefab *chief = kith_scene_prefab(scene, "chief");
    CHECK_PTR_NULL((void *)(uintptr_t)kith_scene_prefab(scene, "boss"));
    CHECK(kith_scene_prefab_at(scene, 0) == chief && kith_scene_prefab_at(scene, 1) == goblin);
    CHECK_PTR_NULL((void *)(uintptr_t)kith_scene_prefab_at(scene, 3));
    CHECK_STR(kith_prefab_name(chief), "chief");

    Health health = {0, 0};
    CHECK_RESULT(kith_prefab_get(chief, &Health_type, &health), KITH_OK);
    CHECK_INT(health.max, 50);
    CHECK_RESULT(kith_prefab_get(chief, &Frozen_type, NULL), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_prefab_get(goblin, &Frozen_type, NULL), KITH_OK);
    const kith_type other = {"Health", 4, 4, 0, 0, NULL, NULL, KITH_TABLE, false, false, 0};
    CHECK_RESULT(kith_prefab_get(goblin, &other, &health), KITH_ERR_TYPE);

    kith_entity entity;
    health.current = 7;
    const kith_value values[] = {
        {&Health_type, &health}, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Position, {5, 6})};
    CHECK_RESULT(kith_prefab_spawn(chief, values, 3, &entity), KITH_OK);
    CHECK_INT(KITH_GET(f.world, entity, Health)->current, 7);
    CHECK_FLOAT(KITH_GET(f.world, entity, Position)->x, 5);
    CHECK_STR(KITH_GET(f.world, entity, Name)->text, "goblin");
    CHECK_SAME(KITH_GET(f.world, entity, Party)->leader, kith_scene_find(scene, "boss"));
    CHECK_RESULT(kith_prefab_spawn(chief, NULL, 0, NULL), KITH_OK);

    static const Position places[3] = {{1, 0}, {2, 0}, {3, 0}};
    const kith_values rows = {&Position_type, places, true};
    kith_entity three[3];
    CHECK_RESULT(kith_prefab_spawn_many(goblin, 3, &rows, 1, three), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, three[2], Position)->x, 3);
    CHECK_INT(KITH_GET(f.world, three[2], Health)->max, 20);
    CHECK_WORLD(f.world);
    kith_scene_free(scene);
    CHECK(kith_alive(f.world, three[0]));
    fixture_free(&f);
}

/* References are those of the last time: none before, then others. */
TEST_EACH_LAYOUT(references_of_prefabs_follow_the_scene, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, zoo, sizeof zoo - 1, &scene, NULL), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 0);
    const kith_prefab *goblin = kith_scene_prefab(scene, "goblin");
    Party of = {.leader = {9, 9}};
    CHECK_RESULT(kith_prefab_get(goblin, &Party_type, &of), KITH_OK);
    CHECK_SAME(of.leader, KITH_NONE);
    CHECK_UINT(of.size, 2);
    for (int i = 0; i < 2; i++) {
        kith_entity entity;
        CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
        CHECK_RESULT(kith_prefab_spawn(goblin, NULL, 0, &entity), KITH_OK);
        CHECK_SAME(KITH_GET(f.world, entity, Party)->leader, kith_scene_find(scene, "boss"));
    }
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(prefabs_can_be_queued, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, zoo);
    const kith_prefab *goblin = kith_scene_prefab(scene, "goblin");
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_entity queued = KITH_NONE, queued_by_verb = KITH_NONE;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const kith_value value = KITH_VALUE(Position, {8, 8});
        queued = kith_prefab_queue(goblin, commands, &value, 1);
        CHECK(!kith_is_none(kith_prefab_queue(goblin, commands, NULL, 0)));
        CHECK(!kith_is_none(KITH_SPAWN_FROM(commands, goblin)));
        queued_by_verb = KITH_SPAWN_FROM(commands, goblin, KITH_VALUE(Position, {9, 9}));
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    kith_entity entity = kith_commands_real(commands, queued);
    CHECK_FLOAT(KITH_GET(f.world, entity, Position)->x, 8);
    CHECK_STR(KITH_GET(f.world, entity, Name)->text, "goblin");
    entity = kith_commands_real(commands, queued_by_verb);
    CHECK_FLOAT(KITH_GET(f.world, entity, Position)->x, 9);
    entity = KITH_SPAWN_FROM(f.world, goblin);
    CHECK_STR(KITH_GET(f.world, entity, Name)->text, "goblin");
    entity = KITH_SPAWN_FROM(f.world, goblin, KITH_VALUE(Position, {7, 7}), KITH_VALUE(Frozen));
    CHECK_FLOAT(KITH_GET(f.world, entity, Position)->x, 7);
    CHECK(KITH_HAS(f.world, entity, Frozen));
    CHECK_WORLD(f.world);
    kith_commands_free(commands);
    scene_end(&f, scene);
}

/* An override that the world does not take is refused, and nothing is made. */
TEST(what_spawn_refuses_is_refused)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    kith_scene *scene = load(&f, "prefab p\n  Position { x = 1 }\n");
    const kith_prefab *p = kith_scene_prefab(scene, "p");
    const uint64_t before = kith_world_hash(f.world);
    const kith_values none = {&Position_type, NULL, false};
    CHECK_RESULT(kith_prefab_spawn_many(p, UINT32_MAX, &none, 1, NULL), KITH_ERR_LIMIT);
    CHECK(kith_world_hash(f.world) == before);
    scene_end(&f, scene);
}

/* As deep as you like, in the worst order: without recursion. */
TEST_WITHIN(10, a_chain_of_prefabs_may_be_long)
{
    enum { COUNT = 5000 };
    fixture f = scene_fixture(KITH_TABLE);
    char *text = malloc(COUNT * 64);
    CHECK_PTR_NOT_NULL(text);
    size_t length = (size_t)sprintf(text, "entity last : p0\n");
    for (int i = 0; i < COUNT; i++) {
        length += (size_t)sprintf(text + length, "prefab p%d : p%d\n  Health { max = %d }\n", i,
                                  i + 1, i);
    }
    sprintf(text + length, "prefab p%d\n  Health { current = 9 }\n", COUNT);
    kith_scene *scene = load(&f, text);
    CHECK_INT(KITH_GET(f.world, kith_scene_at(scene, 0), Health)->current, 9);
    CHECK_INT(KITH_GET(f.world, kith_scene_at(scene, 0), Health)->max, 0);
    kith_scene_free(scene);
    free(text);
    fixture_free(&f);
}
