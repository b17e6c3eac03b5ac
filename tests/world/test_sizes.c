/* Values of every size that is copied in a way of its own, and of others, among so many types that
 * their numbers collide in look-ups: moved about at random, and compared with a model. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "test.h"

#define TYPES 80u
#define OFTEN 7u /* the types that most steps are about, so that the same moves come again */
#define ENTITIES 48u
#define LARGEST 2000u

typedef struct model_entity {
    kith_entity handle;
    bool has[TYPES];
    uint8_t values[TYPES]; /* the byte that the value consists of */
} model_entity;

typedef struct model {
    kith_world *world;
    uint64_t random;
    kith_type types[TYPES];
    kith_field fields[TYPES];
    uint32_t numbers[TYPES];
    char names[TYPES][24];
    model_entity entities[ENTITIES];
} model;

static void register_types(model *m, kith_layout layout, bool mixed)
{
    static const uint32_t sizes[] = {8, 12, 0, 4, 16, 1, 20, 8, 64, 3, LARGEST};
    for (uint32_t i = 0; i < TYPES; i++) {
        uint32_t size = sizes[i % (sizeof(sizes) / sizeof(sizes[0]))];
        snprintf(m->names[i], sizeof(m->names[i]), "Sized%u_%u", (unsigned)i, (unsigned)size);
        m->fields[i] = (kith_field){"bytes", 0, size, KITH_BYTES};
        m->types[i] = (kith_type){.name = m->names[i],
                                  .size = size,
                                  .align = size % 4 == 0 && size != 0 ? 4 : 1,
                                  .field_count = size == 0 ? 0 : 1,
                                  .fields = size == 0 ? NULL : &m->fields[i],
                                  .number = &m->numbers[i]};
        kith_layout own = mixed ? (kith_layout)(i % 3) : layout;
        CHECK_RESULT(kith_register(m->world, &m->types[i], &(kith_component_def){.layout = own}),
                     KITH_OK);
    }
}

/* A value of one byte over and over, or NULL for byte 0 now and then, and for tags. */
static const void *make_value(model *m, uint32_t type, uint8_t *bytes, uint8_t *byte)
{
    uint32_t size = m->types[type].size;
    *byte = (uint8_t)(size == 0 ? 0 : random_below(&m->random, 256));
    memset(bytes, *byte, size);
    return size == 0 || (*byte == 0 && random_below(&m->random, 2) == 0) ? NULL : bytes;
}

static void check_value(const model *m, const model_entity *e, uint32_t type)
{
    const kith_type *of = &m->types[type];
    CHECK(kith_has(m->world, e->handle, of) == e->has[type]);
    const uint8_t *value = kith_get(m->world, e->handle, of);
    const void *many;
    CHECK_UINT(kith_get_many(m->world, of, &e->handle, 1, &many), value != NULL);
    CHECK(many == value && kith_get_mut_or_null(m->world, e->handle, of) == value);
    CHECK((value != NULL) == (e->has[type] && of->size != 0));
    for (uint32_t i = 0; value != NULL && i < of->size; i++) {
        CHECK_UINT(value[i], e->values[type]);
    }
}

static void check_all(const model *m)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        for (uint32_t type = 0; type < TYPES; type++) {
            check_value(m, &m->entities[i], type);
        }
    }
    CHECK_WORLD(m->world);
}

/* Ends an entity, and makes another with one component in its place. */
static void replace(model *m, model_entity *e, uint32_t type, const void *value, uint8_t byte)
{
    kith_entity old = e->handle;
    CHECK_RESULT(kith_despawn(m->world, old), KITH_OK);
    CHECK_RESULT(kith_despawn(m->world, old), KITH_ERR_DEAD);
    *e = (model_entity){0};
    CHECK_RESULT(kith_spawn(m->world, &(kith_value){&m->types[type], value}, 1, &e->handle),
                 KITH_OK);
    e->has[type] = true;
    e->values[type] = byte;
    CHECK_RESULT(kith_set(m->world, old, &m->types[type], value), KITH_ERR_DEAD);
    CHECK_RESULT(kith_remove(m->world, old, &m->types[type]), KITH_ERR_DEAD);
    CHECK(!kith_has(m->world, old, &m->types[type]));
}

static void take_step(model *m)
{
    model_entity *e = &m->entities[random_below(&m->random, ENTITIES)];
    bool often = random_below(&m->random, 4) != 0;
    uint32_t type = random_below(&m->random, often ? OFTEN : TYPES);
    uint8_t bytes[LARGEST];
    uint8_t byte;
    const void *value = make_value(m, type, bytes, &byte);
    switch (random_below(&m->random, 16)) {
    case 0: replace(m, e, type, value, byte); break;
    case 1:
    case 2:
        CHECK_RESULT(kith_add(m->world, e->handle, &m->types[type]), KITH_OK);
        e->values[type] = e->has[type] ? e->values[type] : 0;
        e->has[type] = true;
        break;
    case 3: { /* the value of another entity, which may stand in the way of the move */
        const model_entity *other = &m->entities[random_below(&m->random, ENTITIES)];
        const void *theirs = kith_get(m->world, other->handle, &m->types[type]);
        byte = theirs == NULL ? 0 : other->values[type];
        CHECK_RESULT(kith_set(m->world, e->handle, &m->types[type], theirs), KITH_OK);
        e->has[type] = true;
        e->values[type] = byte;
        break;
    }
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        CHECK_RESULT(kith_set(m->world, e->handle, &m->types[type], value), KITH_OK);
        e->has[type] = true;
        e->values[type] = byte;
        break;
    default:
        CHECK_RESULT(kith_remove(m->world, e->handle, &m->types[type]),
                     e->has[type] ? KITH_OK : KITH_ERR_ABSENT);
        e->has[type] = false;
        break;
    }
}

static void look(kith_world *world, const kith_type *type)
{
    const kith_term term = {type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL};
    kith_query *query;
    CHECK_RESULT(kith_query_new(world, &(kith_query_def){.terms = KITH_TERMS(term)}, &query),
                 KITH_OK);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
    }
}

static void play(kith_layout layout, bool mixed)
{
    static model m;
    fixture f = fixture_new();
    m = (model){.world = f.world, .random = 7};
    register_types(&m, layout, mixed);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m.entities[i].handle = kith_spawn_empty(f.world);
    }
    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t step = 0; step < 250; step++) {
            take_step(&m);
        }
        check_all(&m);
        if (round == 7) { /* from here on, somebody has looked: blocks have to be stamped */
            look(f.world, &m.types[0]);
        }
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(values_of_all_sizes_are_moved_whole, layout)
{
    play(layout, false);
}

TEST(values_of_all_sizes_are_moved_whole_in_mixed_layouts)
{
    play(KITH_TABLE, true);
}

/* Two whose look-ups begin in the same place: the second one is known by the edge that takes it away,
 * and has to be found all the same. */
TEST_EACH_LAYOUT(what_collides_and_can_be_taken_is_overwritten, layout)
{
    static model m;
    fixture f = fixture_new();
    m = (model){.world = f.world, .random = 7};
    register_types(&m, layout, false);
    model_entity *e = &m.entities[0];
    kith_entity other;
    for (uint32_t second = 16; second <= 64; second += 16) {
        const kith_type *types[2] = {&m.types[0], &m.types[second]};
        e->handle = kith_spawn_empty(f.world);
        other = kith_spawn_empty(f.world);
        for (uint32_t round = 0; round < 4; round++) {
            for (uint32_t i = 0; i < 2; i++) {
                uint8_t bytes[LARGEST];
                memset(bytes, (int)(round + i), types[i]->size);
                CHECK_RESULT(kith_set(f.world, e->handle, types[i], bytes), KITH_OK);
                CHECK_RESULT(kith_set(f.world, other, types[i], bytes), KITH_OK);
                uint32_t type = i == 0 ? 0 : second;
                e->has[type] = true;
                e->values[type] = (uint8_t)(types[i]->size == 0 ? 0 : round + i);
                check_value(&m, e, type);
                CHECK_WORLD(f.world);
            }
            CHECK_RESULT(kith_remove(f.world, other, types[round % 2]), KITH_OK);
            CHECK_WORLD(f.world);
        }
        memset(e->has, 0, sizeof(e->has));
    }
    fixture_free(&f);
}
