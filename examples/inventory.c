/* inventory: who owns what, by unique keys, indexes and selections */
#include <inttypes.h>
#include <kith/kith.h>
#include <kith/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arguments.h"
#include "support/load.h"
#include "support/must.h"

KITH_COMPONENT(Owner, (char, name, 16));
KITH_COMPONENT(Stack, (kith_entity, owner), (char, ware, 16), (uint32_t, count));
KITH_COMPONENT(Price, (int32_t, gold)); /* of one of the stack */

static const char help[] =
    "usage: inventory [--trades N] [--seed N]\n"
    "\n"
    "Five owners have stacks of wares, and trade 200 times. A stack is an entity, and\n"
    "its owner and its ware are a unique key: nobody has two stacks of the same. Then\n"
    "one of them dies, and the chest gets all; and the world is saved and loaded.\n"
    "Nothing may be lost or doubled on the way: the program fails if it is.\n";

static const struct ware {
    const char *name;
    int32_t gold;
} wares[] = {{"arrow", 1},    {"apple", 2},    {"rope", 5},      {"lamp", 12},
             {"dagger", 40},  {"shield", 90},  {"sword", 150},   {"armour", 420},
             {"ruby", 600},   {"crown", 2500}};

static const char *const names[] = {"ada", "bob", "cleo", "dan", "chest"};

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

typedef struct inventory {
    kith_world *world;
    kith_index *by_owner;
    kith_index *by_price;
    kith_query *stacks;
    kith_query *precious; /* several in a stack, each worth 100 gold or more */
} inventory;

/* Keys and indexes are not saved with the entities: a program makes them for each of its worlds. */
static inventory inventory_new(void)
{
    inventory v = {.world = must_make(kith_world_new(NULL))};
    must(v.world, KITH_TYPES(v.world, Owner, Stack, Price));
    must(v.world, KITH_UNIQUE(v.world, Owner, name));
    must(v.world, KITH_UNIQUE(v.world, Stack, owner, ware));
    v.by_owner = must_make(KITH_INDEX(v.world, KITH_INDEX_HASH, Stack, owner));
    v.by_price = must_make(KITH_INDEX(v.world, KITH_INDEX_ORDERED, Price, gold));
    v.stacks = must_make(KITH_QUERY(v.world, KITH_READ(Stack), KITH_READ(Price)));
    v.precious = must_make(KITH_QUERY(v.world, KITH_READ(Stack), KITH_READ(Price),
                                      KITH_IF(Price, gold, >=, 100), KITH_IF(Stack, count, >, 1)));
    return v;
}

static kith_entity owner_named(const inventory *v, const char *name)
{
    Owner asked = {0};
    snprintf(asked.name, sizeof asked.name, "%s", name);
    return kith_unique_find(v->world, &Owner_type, &asked);
}

/* All that somebody has. */
static kith_index_found stacks_of(const inventory *v, kith_entity owner)
{
    kith_index_found found;
    must(v->world, kith_index_find(v->by_owner, &(Stack){.owner = owner}, &found));
    return found;
}

/* ---- Giving -------------------------------------------------------------------------------------- */

/* Somebody gets `more.count` of a ware: the stack that is there grows, or there is a new one. Values
 * with a unique key are set, not written through pointers: no two stacks can come to the same key. */
static void add(inventory *v, Stack more, int32_t gold)
{
    const kith_entity there = kith_unique_find(v->world, &Stack_type, &more);
    if (kith_is_none(there)) {
        must_spawn(KITH_SPAWN(v->world, {&Stack_type, &more}, KITH_VALUE(Price, {gold})));
        return;
    }
    more.count += KITH_GET(v->world, there, Stack)->count;
    must(v->world, kith_set(v->world, there, &Stack_type, &more));
}

/* `count` of a stack become somebody else's. A whole one stays the same entity, if it can. */
static void move(inventory *v, kith_entity stack, kith_entity to, uint32_t count)
{
    Stack left = *KITH_GET(v->world, stack, Stack);
    Stack moved = left;
    moved.owner = to;
    moved.count = count;
    if (count == left.count && kith_is_none(kith_unique_find(v->world, &Stack_type, &moved))) {
        must(v->world, kith_set(v->world, stack, &Stack_type, &moved));
        return;
    }
    add(v, moved, KITH_GET(v->world, stack, Price)->gold);
    left.count -= count;
    if (left.count == 0) {
        must(v->world, kith_despawn(v->world, stack));
    } else {
        must(v->world, kith_set(v->world, stack, &Stack_type, &left));
    }
}

/* One owner gives some of one stack to another owner. */
static void trade(inventory *v, kith_random *random)
{
    const kith_entity from = owner_named(v, names[kith_random_index(random, COUNT_OF(names))]);
    const kith_entity to = owner_named(v, names[kith_random_index(random, COUNT_OF(names))]);
    const kith_index_found has = stacks_of(v, from);
    if (has.count > 0 && !kith_entity_equal(from, to)) {
        const kith_entity stack = has.entities[kith_random_index(random, has.count)];
        const uint32_t most = KITH_GET(v->world, stack, Stack)->count;
        move(v, stack, to, 1 + kith_random_index(random, most));
    }
}

/* Ends an owner; an heir gets all. What was found stays good until the index is asked again, so it does
 * not matter that the stacks change meanwhile. */
static void die(inventory *v, kith_entity owner, kith_entity heir)
{
    const kith_index_found has = stacks_of(v, owner);
    for (uint32_t i = 0; i < has.count; i++) {
        move(v, has.entities[i], heir, KITH_GET(v->world, has.entities[i], Stack)->count);
    }
    must(v->world, kith_despawn(v->world, owner));
}

static void deal(inventory *v, kith_random *random)
{
    kith_entity owners[COUNT_OF(names)];
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        Owner owner = {0};
        snprintf(owner.name, sizeof owner.name, "%s", names[i]);
        owners[i] = must_spawn(KITH_SPAWN(v->world, {&Owner_type, &owner}));
    }
    for (uint32_t i = 0; i < 3 * COUNT_OF(wares); i++) {
        const struct ware *ware = &wares[i % COUNT_OF(wares)];
        Stack stack = {.owner = owners[kith_random_index(random, COUNT_OF(names))],
                       .count = 1 + kith_random_index(random, 1 + 100 / (uint32_t)ware->gold)};
        snprintf(stack.ware, sizeof stack.ware, "%s", ware->name);
        add(v, stack, ware->gold);
    }
}

/* ---- Nothing is lost ----------------------------------------------------------------------------- */

typedef struct wealth {
    uint64_t things, gold;
} wealth;

static wealth all_wealth(const inventory *v)
{
    wealth all = {0, 0};
    kith_iter it = kith_query_iter(v->stacks);
    while (kith_next(&it)) {
        const Stack *stack = KITH_COLUMN(&it, Stack);
        const Price *price = KITH_COLUMN(&it, Price);
        for (uint32_t i = 0; i < it.count; i++) {
            if (!KITH_ALIVE(v->world, stack[i].owner)) {
                fail("inventory: nobody owns a stack of %s", stack[i].ware);
            }
            all.things += stack[i].count;
            all.gold += (uint64_t)stack[i].count * (uint64_t)price[i].gold;
        }
    }
    must(v->world, it.result);
    return all;
}

static void check_wealth(const inventory *v, wealth before)
{
    const wealth now = all_wealth(v);
    if (now.things != before.things || now.gold != before.gold) {
        fail("inventory: %" PRIu64 " things worth %" PRIu64 " became %" PRIu64 " worth %" PRIu64,
             before.things, before.gold, now.things, now.gold);
    }
}

/* ---- What is printed ----------------------------------------------------------------------------- */

static void print_stack(const inventory *v, kith_entity entity)
{
    const Stack *stack = KITH_GET(v->world, entity, Stack);
    printf("  %3" PRIu32 " %-7s %5" PRId32 " each, %s's\n", stack->count, stack->ware,
           KITH_GET(v->world, entity, Price)->gold,
           KITH_GET(v->world, stack->owner, Owner)->name);
}

static void print_dearest(const inventory *v)
{
    kith_index_found found;
    must(v->world, kith_index_range(v->by_price, &(kith_range){.descending = true, .limit = 10},
                                    &found));
    printf("the ten dearest:\n");
    for (uint32_t i = 0; i < found.count; i++) {
        print_stack(v, found.entities[i]);
    }
    printf("stacks of several that cost 100 or more each: %" PRIu32 "\n",
           kith_query_count(v->precious));
}

/* A selection in text, in which $owner is the one that is asked about, as in a console. */
static void print_owner(const inventory *v, const char *name)
{
    kith_select *select;
    must(v->world, kith_select_new(v->world,
                                   "Stack, Price where Stack.owner = $owner"
                                   " select Stack.count, Stack.ware, Price.gold"
                                   " order by Price.gold desc, Stack.ware",
                                   NULL, &select));
    must(v->world, kith_select_bind(select, "owner", owner_named(v, name)));
    must(v->world, kith_select_run(select));
    printf("%s has %" PRIu32 " stacks:\n", name, kith_select_row_count(select));
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        printf("  %3" PRIu32 " %-7s %5" PRId32 "\n",
               *(const uint32_t *)kith_select_value(select, row, 0),
               (const char *)kith_select_value(select, row, 1),
               *(const int32_t *)kith_select_value(select, row, 2));
    }
    kith_select_free(select);
}

/* How much there is of each ware, of all owners together. */
static void print_counts(const inventory *v)
{
    kith_select *select;
    must(v->world, kith_select_new(v->world,
                                   "Stack group by Stack.ware"
                                   " select Stack.ware, sum(Stack.count), count",
                                   NULL, &select));
    must(v->world, kith_select_run(select));
    printf("ware, how many, in how many stacks:\n");
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        char line[100];
        kith_select_print(select, row, KITH_SELECT_TEXT, line, sizeof line);
        printf("  %s\n", line);
    }
    kith_select_free(select);
}

/* ---- Saving and loading -------------------------------------------------------------------------- */

typedef struct text {
    char *bytes;
    size_t length;
} text;

static bool append(void *context, const char *bytes, size_t count)
{
    text *saved = context;
    saved->bytes = must_make(realloc(saved->bytes, saved->length + count + 1));
    memcpy(saved->bytes + saved->length, bytes, count);
    saved->length += count;
    return true;
}

/* The same entities in a new world. Loading fails as a whole if a key were there twice. */
static inventory save_and_load(const inventory *v)
{
    text saved = {NULL, 0};
    must(v->world, kith_scene_save(v->world, NULL, append, &saved, NULL));
    inventory loaded = inventory_new();
    kith_scene_error error;
    const kith_result result =
        kith_scene_load(loaded.world, saved.bytes, saved.length, NULL, &error);
    if (result == KITH_ERR_INPUT) {
        refuse_scene(&error);
    }
    must(loaded.world, result);
    free(saved.bytes);
    return loaded;
}

int main(int argc, char **argv)
{
    (void)argc;
    uint32_t trades = 200, seed = 1;
    const argument options[] = {{.option = "--trades", .number = &trades, .most = 10000000},
                                {.option = "--seed", .number = &seed, .most = UINT32_MAX},
                                {0}};
    arguments_read(argv, "inventory", help, options);
    inventory v = inventory_new();
    kith_random random = {seed};
    deal(&v, &random);
    const wealth dealt = all_wealth(&v);
    printf("%" PRIu64 " things worth %" PRIu64 " gold\n", dealt.things, dealt.gold);
    for (uint32_t i = 0; i < trades; i++) {
        trade(&v, &random);
    }
    check_wealth(&v, dealt);
    print_dearest(&v);
    print_owner(&v, "bob");
    die(&v, owner_named(&v, "bob"), owner_named(&v, "chest"));
    check_wealth(&v, dealt);
    printf("bob died\n");
    print_owner(&v, "chest");

    inventory loaded = save_and_load(&v);
    check_wealth(&loaded, dealt);
    printf("saved and loaded\n");
    print_owner(&loaded, "chest");
    print_counts(&loaded);
    printf("hash %016" PRIx64 "\n", kith_content_hash(loaded.world));
    must_print();
    kith_world_free(loaded.world);
    kith_world_free(v.world);
    return 0;
}
