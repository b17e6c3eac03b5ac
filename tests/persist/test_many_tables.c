/* Snapshots of a world of many tables, of which few change between two of them: lists of tables are
 * shared, and what is restored are those that differ. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { TAGS = 9, TABLES = 1 << TAGS, KEPT = 6 };

static kith_type tags[TAGS];

typedef struct tables_game {
    fixture f;
    uint64_t random;
    kith_entity entities[TABLES];
    kith_snapshot *kept[KEPT];
    uint64_t hashes[KEPT];
    char note[64];
} tables_game;

static void register_tags(const fixture *f)
{
    static char names[TAGS][8];
    const kith_component_def def = {.layout = KITH_TABLE};
    for (uint32_t i = 0; i < TAGS; i++) {
        snprintf(names[i], sizeof names[i], "Tag%u", i);
        tags[i] = (kith_type){.name = names[i], .align = 1};
        CHECK_RESULT(kith_register(f->world, &tags[i], &def), KITH_OK);
    }
}

/* Gives an entity the set of tags with a number. */
static void set_tags(const fixture *f, kith_entity entity, uint32_t set)
{
    for (uint32_t i = 0; i < TAGS; i++) {
        bool has = kith_has(f->world, entity, &tags[i]);
        if (has != ((set >> i & 1) != 0)) {
            CHECK_RESULT(has ? kith_remove(f->world, entity, &tags[i])
                             : kith_add(f->world, entity, &tags[i]),
                         KITH_OK);
        }
    }
}

static kith_entity spawn_tagged(const fixture *f, uint32_t set)
{
    kith_entity e = KITH_SPAWN(f->world, KITH_VALUE(Position, {(float)set, 0}));
    set_tags(f, e, set);
    return e;
}

static void change_some(tables_game *g)
{
    for (uint32_t i = 1 + random_below(&g->random, 4); i > 0; i--) {
        uint32_t number = random_below(&g->random, TABLES);
        kith_entity e = g->entities[number];
        switch (random_below(&g->random, 4)) {
        case 0: KITH_DESPAWN(g->f.world, e); break;
        case 1: g->entities[number] = spawn_tagged(&g->f, number); break;
        case 2:
            if (kith_alive(g->f.world, e)) {
                set_tags(&g->f, e, random_below(&g->random, TABLES));
            }
            break;
        default: (void)KITH_SET(g->f.world, e, Position, {(float)g->random, 1}); break;
        }
    }
}

/* Takes a snapshot in a place; the one that was there ends before, or after. */
static void take_again(tables_game *g, uint32_t place)
{
    kith_snapshot *old = g->kept[place];
    bool first = random_below(&g->random, 4) == 0;
    kith_snapshot_free(first ? old : NULL);
    CHECK_RESULT(kith_snapshot_take(g->f.world, &g->kept[place]), KITH_OK);
    kith_snapshot_free(first ? NULL : old);
    g->hashes[place] = kith_world_hash(g->f.world);
}

static void play_tables(uint64_t seed, uint32_t steps)
{
    tables_game *g = calloc(1, sizeof *g);
    CHECK_PTR_NOT_NULL(g);
    g->f = fixture_with_all(KITH_TABLE);
    g->random = seed;
    test_note(g->note);
    register_tags(&g->f);
    for (uint32_t i = 0; i < TABLES; i++) {
        g->entities[i] = i < TABLES / 2 ? spawn_tagged(&g->f, i) : KITH_NONE;
    }
    for (uint32_t step = 0; step < steps; step++) {
        snprintf(g->note, sizeof g->note, "seed %llu, step %u", (unsigned long long)seed, step);
        uint32_t place = random_below(&g->random, KEPT);
        switch (random_below(&g->random, 4)) {
        case 0: take_again(g, place); break;
        case 1:
            if (g->kept[place] != NULL) {
                CHECK_RESULT(kith_snapshot_restore(g->f.world, g->kept[place]), KITH_OK);
                CHECK(kith_world_hash(g->f.world) == g->hashes[place]);
            }
            break;
        default: change_some(g);
        }
        CHECK_WORLD(g->f.world);
    }
    fixture_free(&g->f);
    test_note(NULL);
    free(g);
}

TEST_WITHIN(20, few_of_many_tables_change)
{
    for (uint64_t seed = 1; seed <= (test_long() ? 200 : 4); seed++) {
        play_tables(seed, 300);
    }
}
