/* Systems and groups are found by their names, resources by their types, however many come and go. */
#include <kith/schedule.h>
#include <stdio.h>
#include <string.h>

#include "nothing.h"
#include "random.h"
#include "test.h"

enum { NAMES = 200, GROUPS = 40, ROUNDS = 6000 };

static const char *text_of(char *text, size_t size, const char *prefix, uint32_t number)
{
    snprintf(text, size, "%s%u", prefix, number);
    return text;
}

static bool is_enabled(const kith_world *world, const char *name)
{
    const char *other;
    bool enabled = false;
    for (uint32_t i = 0; (other = kith_system_at(world, i, NULL, &enabled)) != NULL; i++) {
        if (strcmp(other, name) == 0) {
            return enabled;
        }
    }
    test_fail(__FILE__, __LINE__, "%s is not there", name);
}

TEST(systems_are_found_by_name)
{
    kith_world *world = kith_world_new(NULL);
    uint32_t group_of[NAMES] = {0}; /* from 1; 0: not there */
    uint32_t members[GROUPS + 1] = {0};
    uint64_t seed = 5;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t number = random_below(&seed, NAMES);
        uint32_t group = 1 + random_below(&seed, GROUPS);
        char name[16], group_name[16];
        text_of(name, sizeof name, "s", number);
        text_of(group_name, sizeof group_name, "g", group);
        bool there = group_of[number] != 0;
        const kith_system_def def = {.name = name, .run = run_nothing, .group = group_name};
        switch (random_below(&seed, 4)) {
        case 0:
            CHECK_RESULT(kith_system_add(world, &def), there ? KITH_ERR_CONFLICT : KITH_OK);
            if (!there) {
                group_of[number] = group;
                members[group]++;
            }
            break;
        case 1:
            CHECK_RESULT(kith_system_remove(world, name), there ? KITH_OK : KITH_ERR_UNKNOWN);
            members[group_of[number]] -= there;
            group_of[number] = 0;
            break;
        case 2:
            CHECK_RESULT(kith_system_replace(world, &def), there ? KITH_OK : KITH_ERR_UNKNOWN);
            if (there) {
                members[group_of[number]]--;
                members[group]++;
                group_of[number] = group;
            }
            break;
        default:
            CHECK_RESULT(kith_system_group_enable(world, group_name, false),
                         members[group] != 0 ? KITH_OK : KITH_ERR_UNKNOWN);
            CHECK_RESULT(kith_system_enable(world, name, true), there ? KITH_OK : KITH_ERR_UNKNOWN);
            if (there) {
                CHECK(is_enabled(world, name));
                CHECK_RESULT(kith_system_group_enable(
                                 world,
                                 text_of(group_name, sizeof group_name, "g", group_of[number]),
                                 false),
                             KITH_OK);
                CHECK(!is_enabled(world, name));
            }
        }
        if (round % 500 == 0) {
            CHECK_RESULT(kith_world_check(world), KITH_OK);
        }
    }
    kith_world_free(world);
}

TEST(resources_are_found_by_type)
{
    static const kith_field field = {"value", 0, 4, KITH_U32};
    static kith_type types[NAMES];
    static uint32_t numbers[NAMES];
    static char names[NAMES][16];
    kith_world *world = kith_world_new(NULL);
    uint32_t values[NAMES] = {0}; /* 0: not there */
    uint64_t seed = 9;
    for (uint32_t i = 0; i < NAMES; i++) {
        types[i] = (kith_type){.name = text_of(names[i], sizeof names[i], "Kept", i),
                               .size = 4,
                               .align = 4,
                               .fields = &field,
                               .field_count = 1,
                               .number = &numbers[i]};
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t number = random_below(&seed, NAMES);
        if (random_below(&seed, 2) == 0) {
            values[number] = round + 1;
            CHECK_RESULT(kith_resource_set(world, &types[number], &values[number]), KITH_OK);
        } else {
            CHECK_RESULT(kith_resource_remove(world, &types[number]),
                         values[number] != 0 ? KITH_OK : KITH_ERR_ABSENT);
            values[number] = 0;
        }
        number = random_below(&seed, NAMES);
        const uint32_t *value = kith_resource_get(world, &types[number]);
        CHECK_UINT(value == NULL ? 0 : *value, values[number]);
    }
    kith_world_free(world);
}
