/* Threads fill command buffers, each its own; the owner applies them. The outcome is that of filling
 * them one after another. */
#include <kith/kith.h>
#include <pthread.h>
#include <stdlib.h>

#include "components.h"
#include "note.h"
#include "random.h"
#include "test.h"

enum { THREADS = 4, ENTITIES = 200, MADE = 20, COMMANDS = 600 };

/* A type of which no use leaves a number behind: it is searched for each time. */
static const kith_field unnumbered_fields[] = {{"value", 0, 4, KITH_U32}};
static const kith_type unnumbered = {"Unnumbered",      4,    4,          0,     1,
                                     unnumbered_fields, NULL, KITH_TABLE, false, false, 0};

/* A world that several threads queue for, so on the default allocator. */
typedef struct crowd {
    kith_world *world;
    kith_query *query;
    kith_entity e[ENTITIES];
    struct filler {
        struct crowd *crowd;
        kith_commands *commands;
        uint32_t number;
        uint32_t round;
        kith_entity made[MADE]; /* provisional handles of this round, then real ones */
    } fillers[THREADS];
} crowd;

static void crowd_new(crowd *c, kith_layout layout)
{
    c->world = kith_world_new(NULL);
    CHECK_PTR_NOT_NULL(c->world);
    register_all(c->world, layout);
    CHECK_RESULT(kith_register(c->world, &unnumbered, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    CHECK_RESULT(kith_register(c->world, &Note_type,
                               &(kith_component_def){.layout = layout, .hooks = &note_hooks}),
                 KITH_OK);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        c->e[i] = KITH_SPAWN(c->world, KITH_VALUE(Position, {(float)i, 0}));
    }
    c->query = KITH_QUERY(c->world, KITH_WRITE(Position), KITH_OPTIONAL(Name));
    for (uint32_t i = 0; i < THREADS; i++) {
        c->fillers[i] = (struct filler){.crowd = c, .number = i};
        c->fillers[i].commands = kith_commands_new(c->world, NULL);
        CHECK_PTR_NOT_NULL(c->fillers[i].commands);
    }
}

static void crowd_free(crowd *c)
{
    CHECK_WORLD(c->world);
    kith_world_free(c->world);
}

static void queue_random(struct filler *filler, uint64_t *seed, uint32_t n)
{
    kith_commands *commands = filler->commands;
    kith_entity e = filler->crowd->e[random_below(seed, ENTITIES)];
    kith_entity made = filler->made[random_below(seed, MADE)];
    e = random_below(seed, 4) == 0 ? made : e;
    const Note note = {&n, made};
    switch (random_below(seed, 12)) {
    case 0: KITH_SET(commands, e, Position, {(float)n, (float)filler->number}); break;
    case 1: KITH_ADD(commands, e, Frozen); break;
    case 2: KITH_REMOVE(commands, e, Frozen); break;
    case 3: KITH_SET(commands, e, Target, {made}); break;
    case 4:
        KITH_SET_VALUES(commands, e, KITH_VALUE(Health, {(int32_t)n, 1}), KITH_VALUE(Byte));
        break;
    case 5: kith_commands_set(commands, e, &unnumbered, &n); break;
    case 6: KITH_SET(commands, kith_commands_clone(commands, e), Name, {"clone"}); break;
    case 7: KITH_REMOVE(commands, e, Name); break;
    case 8: kith_commands_set(commands, e, &Note_type, &note); break;
    case 9: KITH_ADD(commands, e, Note); break;
    case 10: KITH_REMOVE(commands, e, Note); break;
    default:
        if (random_below(seed, 20) == 0) {
            kith_commands_despawn(commands, e);
        } else {
            kith_commands_set_bytes(commands, e, &unnumbered, &n, sizeof(n));
        }
        break;
    }
}

/* Fills one buffer: the same for the same number and round. First something that fails and is
 * cleared. */
static void *fill(void *user)
{
    struct filler *filler = user;
    uint64_t seed = filler->number * 1000 + filler->round;
    CHECK(!kith_is_none(kith_commands_spawn(filler->commands)));
    CHECK_RESULT(KITH_ADD(filler->commands, filler->crowd->e[0], Note), KITH_OK);
    CHECK_RESULT(
        kith_commands_set_bytes(filler->commands, filler->crowd->e[0], &unnumbered, "x", 1),
        KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_commands_error(filler->commands), "Unnumbered");
    kith_commands_discard(filler->commands);
    for (uint32_t i = 0; i < MADE; i++) {
        filler->made[i] = KITH_SPAWN(filler->commands, KITH_VALUE(Position, {(float)i, -1}));
    }
    for (uint32_t n = 0; n < COMMANDS; n++) {
        queue_random(filler, &seed, n);
    }
    CHECK_STR(kith_commands_error(filler->commands), "");
    CHECK(kith_commands_memory(filler->commands).commands >= COMMANDS);
    return NULL;
}

static void fill_one_by_one(crowd *c)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        fill(&c->fillers[i]);
    }
}

/* Walks over the positions while others queue, and moves them. */
static void move_all(crowd *c)
{
    for (kith_iter it = kith_query_iter(c->query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            KITH_AT_MUT(&it, i, Position)->x += 1;
        }
    }
}

static void fill_side_by_side(crowd *c, bool moving)
{
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, fill, &c->fillers[i]), 0);
    }
    if (moving) {
        move_all(c);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
}

/* Applies all, in order, and takes some of the new entities among those of the next round. */
static void apply_all(crowd *c)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        struct filler *filler = &c->fillers[i];
        CHECK_RESULT(kith_commands_apply(filler->commands, NULL), KITH_OK);
        for (uint32_t k = 0; k < MADE; k++) {
            filler->made[k] = kith_commands_real(filler->commands, filler->made[k]);
        }
        c->e[filler->round * THREADS + i] = filler->made[i];
        filler->round++;
    }
}

/* Rounds of filling in threads and applying, beside a twin that is filled by the owner. */
static void compare_rounds(kith_layout layout, uint32_t rounds, bool moving)
{
    crowd *c = calloc(2, sizeof(*c));
    CHECK_PTR_NOT_NULL(c);
    crowd_new(&c[0], layout);
    crowd_new(&c[1], layout);
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t before = kith_world_hash(c[0].world);
        fill_side_by_side(&c[0], moving);
        if (moving) {
            move_all(&c[1]);
        } else {
            CHECK_UINT(kith_world_hash(c[0].world), before);
        }
        fill_one_by_one(&c[1]);
        CHECK_WORLD(c[0].world);
        apply_all(&c[0]);
        apply_all(&c[1]);
        CHECK_WORLD(c[0].world);
        CHECK_UINT(kith_world_hash(c[0].world), kith_world_hash(c[1].world));
        for (uint32_t i = 0; i < THREADS; i++) {
            CHECK_UINT(kith_commands_memory(c[0].fillers[i].commands).dead,
                       kith_commands_memory(c[1].fillers[i].commands).dead);
        }
    }
    CHECK(kith_entity_count(c[0].world) > ENTITIES);
    crowd_free(&c[1]);
    crowd_free(&c[0]);
    CHECK_UINT(notes_live, 0);
    free(c);
}

TEST_EACH_LAYOUT_WITHIN(20, buffers_that_are_filled_side_by_side, layout)
{
    compare_rounds(layout, 12, false);
}

/* The owner may go on writing values meanwhile. */
TEST_EACH_LAYOUT_WITHIN(20, buffers_that_are_filled_while_the_owner_iterates, layout)
{
    compare_rounds(layout, 12, true);
}

/* A buffer goes from thread to thread; one waits for the other. */
TEST(a_buffer_that_goes_round)
{
    crowd *c = calloc(1, sizeof(*c));
    CHECK_PTR_NOT_NULL(c);
    crowd_new(c, KITH_TABLE);
    for (uint32_t i = 0; i < THREADS; i++) {
        c->fillers[i].commands = c->fillers[0].commands;
    }
    uint64_t before = kith_content_hash(c->world);
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_t thread;
        CHECK_INT(pthread_create(&thread, NULL, fill, &c->fillers[i]), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
    }
    CHECK_UINT(kith_content_hash(c->world), before);
    CHECK_RESULT(kith_commands_apply(c->fillers[0].commands, NULL), KITH_OK);
    kith_entity made = kith_commands_real(c->fillers[0].commands, c->fillers[3].made[0]);
    CHECK(kith_alive(c->world, made) || kith_is_none(made));
    CHECK(kith_is_none(kith_commands_real(c->fillers[0].commands, c->fillers[2].made[0])));
    crowd_free(c);
    free(c);
}
