/* Values with hooks that parallel systems send and queue: made in any thread, with the same bits
 * for any number of workers. */
#include <kith/kith.h>

#include "components.h"
#include "note.h"
#include "test.h"

enum { ROWS = 4000, TICKS = 4 };

/* Sends a note for each entity, and queues one on a new entity, which the next note names. */
static void write_notes(kith_iter *it)
{
    CHECK(kith_system_has_hooks(it, &Note_type) && !kith_system_has_hooks(it, &Position_type));
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const kith_entity self = kith_entities(it)[i];
            uint32_t number = self.index1 + (uint32_t)(kith_system_random(it) % 100);
            const Note sent = {&number, self};
            const Note kept = {&number, kith_commands_spawn(it->commands)};
            if (kith_system_send(it, &Note_type, &sent) != KITH_OK ||
                kith_commands_set(it->commands, self, &Note_type, &kept) != KITH_OK) {
                return; /* the run tells */
            }
            KITH_ADD(it->commands, kept.about, Note);
            if (number % 3 == 0) {
                kith_commands_despawn(it->commands, kept.about);
            }
        }
    }
}

static uint64_t run_with(uint32_t workers, kith_layout layout)
{
    kith_world *world = kith_world_new(NULL);
    CHECK_PTR_NOT_NULL(world);
    register_all(world, layout);
    CHECK_RESULT(kith_register(world, &Note_type,
                               &(kith_component_def){.layout = layout, .hooks = &note_hooks}),
                 KITH_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 0}));
    }
    const kith_system_def def = {.name = "notes",
                                 .run = write_notes,
                                 .parallel = true,
                                 .query.terms = KITH_TERMS(KITH_WITH(Position)),
                                 .events = KITH_TERMS(KITH_WRITE(Note))};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    CHECK_RESULT(kith_workers_set(world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    uint64_t hash = 0;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        CHECK_RESULT(kith_run(world, 1), KITH_OK);
        CHECK_WORLD(world);
        CHECK_UINT(kith_event_count(world, &Note_type), ROWS);
        hash = hash * 31 + kith_world_hash(world);
    }
    kith_world_free(world);
    CHECK_UINT(notes_live, 0);
    return hash;
}

TEST_EACH_LAYOUT_WITHIN(20, the_same_bits_for_any_number_of_workers, layout)
{
    uint64_t alone = run_with(0, layout);
    CHECK(run_with(1, layout) == alone);
    CHECK(run_with(3, layout) == alone);
}
