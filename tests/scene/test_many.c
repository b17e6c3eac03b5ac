/* Entities and prefabs of many components in a scene: they may be inherited, removed and given
 * again. */
#include <kith/reflect.h>
#include <kith/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "test.h"

enum { TYPES = 300, ROOM = TYPES * 64 };

static const kith_field field = {"value", 0, 4, KITH_U32};
static char names[TYPES][12];
static uint32_t numbers[TYPES];
static kith_type types[TYPES];

static void ignore_misuse(const char *message, void *context)
{
    (void)message;
    (void)context;
}

static kith_world *new_world(void)
{
    kith_world *world = kith_world_new(&(kith_world_def){.on_misuse = ignore_misuse});
    for (uint32_t i = 0; i < TYPES; i++) {
        snprintf(names[i], sizeof names[i], "Part%u", i);
        types[i] = (kith_type){.name = names[i],
                               .size = 4,
                               .align = 4,
                               .fields = &field,
                               .field_count = 1,
                               .number = &numbers[i]};
        CHECK_RESULT(kith_register(world, &types[i], NULL), KITH_OK);
    }
    return world;
}

/* What an entity is to have: 0 is not there, else the value plus one. In the order of components. */
typedef struct wanted {
    uint32_t values[TYPES];
} wanted;

static void check_entity(const kith_world *world, kith_entity entity, const wanted *w)
{
    for (uint32_t i = 0; i < TYPES; i++) {
        const uint32_t *value = kith_get(world, entity, &types[i]);
        if ((value != NULL) != (w->values[i] != 0) ||
            (value != NULL && *value != w->values[i] - 1)) {
            test_fail(__FILE__, __LINE__, "%s is %d, not %d", names[i],
                      value == NULL ? -1 : (int)*value, (int)w->values[i] - 1);
        }
    }
}

static uint32_t others_in_order(uint64_t *seed, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TYPES; i++) {
        if (random_below(seed, 3) != 0) {
            order[count++] = i;
        }
    }
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = random_below(seed, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    return count;
}

/* Lines of values and removals over what is inherited. */
static size_t write_lines(char *text, uint64_t *seed, wanted *w)
{
    uint32_t order[TYPES];
    uint32_t count = others_in_order(seed, order);
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type = order[i];
        bool gone = w->values[type] != 0 && random_below(seed, 3) == 0;
        bool again = !gone || random_below(seed, 4) == 0;
        if (gone) {
            length += (size_t)sprintf(text + length, "    - %s\n", names[type]);
            w->values[type] = 0;
        }
        if (again) {
            w->values[type] = 2 + random_below(seed, 100);
            length += (size_t)sprintf(text + length, "    %s { value = %u }\n", names[type],
                                      w->values[type] - 1);
        }
    }
    return length;
}

TEST_WITHIN(20, lines_of_many_components_mean_what_those_of_few_do)
{
    uint64_t seed = 11;
    kith_world *world = new_world();
    for (uint32_t round = 0; round < 60; round++) {
        char *text = calloc(4, ROOM);
        CHECK_PTR_NOT_NULL(text);
        wanted w = {{0}};
        size_t length = (size_t)sprintf(text, "prefab base\n");
        length += write_lines(text + length, &seed, &w);
        length += (size_t)sprintf(text + length, "entity two\n");
        wanted other = {{0}};
        length += write_lines(text + length, &seed, &other);
        length += (size_t)sprintf(text + length, "entity one : base\n");
        write_lines(text + length, &seed, &w);
        kith_scene *scene = NULL;
        kith_scene_error error;
        if (kith_scene_load(world, text, strlen(text), &scene, &error) != KITH_OK) {
            test_fail(__FILE__, __LINE__, "line %u: %s\n%s", error.line, error.message, text);
        }
        check_entity(world, kith_scene_find(scene, "one"), &w);
        check_entity(world, kith_scene_find(scene, "two"), &other);
        kith_scene_free(scene);
        free(text);
    }
    kith_world_free(world);
}

/* A prefab of all, or an entity over it with all but the first, and then one line more. */
static void check_error(kith_world *world, const char *last, const char *message)
{
    char *text = calloc(2, ROOM);
    CHECK_PTR_NOT_NULL(text);
    size_t length = (size_t)sprintf(text, "prefab base\n");
    for (uint32_t i = 0; i < TYPES - 1; i++) {
        length += (size_t)sprintf(text + length, "    %s\n", names[i]);
    }
    length += (size_t)sprintf(text + length, "entity : base\n");
    for (uint32_t i = 1; i < TYPES / 2; i++) {
        length += (size_t)sprintf(text + length, "    %s\n    - %s\n", names[i],
                                  names[TYPES / 2 + i - 1]);
    }
    length += (size_t)sprintf(text + length, "%s", last);
    kith_scene *scene;
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load(world, text, length, &scene, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message, message);
    CHECK_UINT(error.line, 1 + (TYPES - 1) + 1 + 2 * (TYPES / 2 - 1) + 1);
    free(text);
}

TEST(mistakes_among_many_components_are_told)
{
    kith_world *world = new_world();
    check_error(world, "    Part2\n", "expected a component once, found Part2 again");
    check_error(world, "    - Part2\n",
                "expected a component that is inherited, found Part2, which has"
                " a line of its own");
    check_error(world, "    - Part299\n",
                "expected a component that is inherited, found Part299, which is"
                " not");
    check_error(world, "    - Part151\n",
                "expected a component that is inherited, found Part151, which is"
                " not");
    kith_world_free(world);
}

/* Of values that name a component twice the last one counts, and those of a prefab before all. */
TEST(many_values_replace_those_of_a_prefab)
{
    kith_world *world = new_world();
    char *text = calloc(2, ROOM);
    CHECK_PTR_NOT_NULL(text);
    size_t length = (size_t)sprintf(text, "prefab base\n");
    wanted w = {{0}};
    for (uint32_t i = 0; i < TYPES; i += 2) {
        length += (size_t)sprintf(text + length, "    %s { value = %u }\n", names[i], i);
        w.values[i] = i + 1;
    }
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load(world, text, length, &scene, NULL), KITH_OK);
    uint32_t values[2 * TYPES];
    kith_value given[2 * TYPES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * TYPES; i += 3) {
        values[count] = 1000 + i;
        given[count] = (kith_value){&types[i * 7 % (TYPES / 2 + 1)], &values[count]};
        w.values[i * 7 % (TYPES / 2 + 1)] = 1000 + i + 1;
        count++;
    }
    const kith_prefab *prefab = kith_scene_prefab(scene, "base");
    kith_entity entity;
    CHECK_RESULT(kith_prefab_spawn(prefab, given, count, &entity), KITH_OK);
    check_entity(world, entity, &w);
    given[count - 1].type = NULL;
    CHECK_RESULT(kith_prefab_spawn(prefab, given, count, &entity), KITH_ERR_MISUSE);
    kith_scene_free(scene);
    free(text);
    kith_world_free(world);
}
