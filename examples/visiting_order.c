/* visiting_order: in which order loops meet what comes and goes */

#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arguments.h"
#include "support/must.h"

typedef struct Name {
    char text[8];
} Name;
KITH_TYPE(Name, KITH_FIELD(Name, text));

typedef struct Flying {
    float altitude;
} Flying;
KITH_TYPE(Flying, KITH_FIELD(Flying, altitude));

static const char help[] =
    "usage: visiting_order [--layout table|sparse|slot]\n"
    "\n"
    "Animals come and go, and are listed in the order in which a query\n"
    "visits them. That order belongs to the layout; who is there does not.\n";

static void list(kith_query *animals, const char *heading)
{
    printf("%s: %" PRIu32 "\n", heading, kith_query_count(animals));
    kith_iter it = kith_query_iter(animals);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Flying *flying = KITH_AT(&it, i, Flying);
            printf("  %-12s %s", kith_entity_to_text(kith_entities(&it)[i]).text,
                   KITH_AT(&it, i, Name)->text);
            if (flying != NULL) {
                printf(", %.0f m up", (double)flying->altitude);
            }
            printf("\n");
        }
    }
    must(NULL, it.result);
}

/* Ends everything that flies. That cannot be done while the query is open, so the handles are kept
 * until it is closed. */
static uint32_t fly_away(kith_world *world, kith_query *flyers)
{
    uint32_t count = 0;
    uint32_t ended = 0;
    kith_entity *leaving = must_make(calloc(kith_query_count(flyers) + 1, sizeof *leaving));
    kith_iter it = kith_query_iter(flyers);
    while (kith_next(&it)) {
        memcpy(&leaving[count], kith_entities(&it), it.count * sizeof *leaving);
        count += it.count;
    }
    must(NULL, it.result);
    must(world, kith_despawn_many(world, leaving, count, &ended));
    free(leaving);
    return ended;
}

int main(int argc, char **argv)
{
    (void)argc;
    const kith_component_def def = {.layout = arguments_only_layout(argv, "visiting_order", help)};
    kith_world *world = must_make(kith_world_new(NULL));
    must(world, kith_register(world, &Name_type, &def));
    must(world, kith_register(world, &Flying_type, &def));
    kith_query *animals = must_make(KITH_QUERY(world, KITH_READ(Name), KITH_OPTIONAL(Flying)));
    kith_query *flyers = must_make(KITH_QUERY(world, KITH_WITH(Flying)));

    must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"ant"})));
    kith_entity bee =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"bee"}), KITH_VALUE(Flying, {3})));
    kith_entity cat = must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"cat"})));
    kith_entity dog = must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"dog"})));
    kith_entity emu =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"emu"}), KITH_VALUE(Flying, {1})));
    must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"fox"})));
    list(animals, "Six animals");

    /* What takes a hole's place differs: the last row of the table, the last of the set, nobody. */
    must(world, kith_despawn(world, bee));
    must(world, kith_despawn(world, cat));
    list(animals, "\nWithout the bee and the cat");

    /* Slots that were freed last are used first, in their next generation. */
    must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"hen"})));
    kith_entity ibis =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"ibis"}), KITH_VALUE(Flying, {40})));
    must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"jay"}), KITH_VALUE(Flying, {9})));
    list(animals, "\nThree more");

    /* In tables this moves both rows; elsewhere nothing else moves. */
    must(world, KITH_SET(world, dog, Flying, {2}));
    must(world, KITH_REMOVE(world, emu, Flying));
    list(animals, "\nThe dog takes off, the emu lands");

    must(world, kith_despawn(world, ibis));
    kith_entity kid = must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"kid"})));
    list(animals, "\nThe ibis makes room for a kid");
    printf("Slot %" PRIu32 " had three animals: %s, %s and now %s.\n", kid.index1 - 1,
           kith_entity_to_text(bee).text, kith_entity_to_text(ibis).text,
           kith_entity_to_text(kid).text);
    printf("Feeding the bee: %s\n", kith_result_name(KITH_SET(world, bee, Name, {"BEE"})));

    printf("\nFlown away: %" PRIu32 "\n", fly_away(world, flyers));
    must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"lynx"})));
    must_spawn(KITH_SPAWN(world, KITH_VALUE(Name, {"mole"})));
    list(animals, "Who stayed, and two that came");

    must_print();
    kith_world_free(world);
    return 0;
}
