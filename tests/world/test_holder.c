/* Holders: objects outside of a world that keep what it owns, and may outlive it. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

typedef struct held {
    kith_query *query;
    kith_tracker *tracker;
    kith_commands *commands;
} held;

static void hold(kith_world *world, held *h)
{
    h->query = KITH_QUERY(world, KITH_READ(Position));
    CHECK_PTR_NOT_NULL(h->query);
    CHECK_RESULT(kith_tracker_new(world, &Position_type, &h->tracker), KITH_OK);
    h->commands = kith_commands_new(world, NULL);
    CHECK_PTR_NOT_NULL(h->commands);
    kith_query_set_holder(h->query, &h->query);
    kith_tracker_set_holder(h->tracker, &h->tracker);
    kith_commands_set_holder(h->commands, &h->commands);
}

static void check_gone(const held *h)
{
    CHECK_PTR_NULL(h->query);
    CHECK_PTR_NULL(h->tracker);
    CHECK_PTR_NULL(h->commands);
}

TEST_EACH_LAYOUT(what_ends_with_its_world_is_told_to_its_holder, layout)
{
    test_memory *memory = test_memory_new();
    kith_world *world =
        kith_world_new(&(kith_world_def){.allocator = test_memory_allocator(memory)});
    register_all(world, layout);
    held one, other;
    hold(world, &one);
    hold(world, &other);
    kith_world_free(world);
    check_gone(&one);
    check_gone(&other);
    test_memory_free(memory);
}

TEST(what_is_freed_is_told_to_its_holder)
{
    fixture f = fixture_with_all(KITH_TABLE);
    held h;
    hold(f.world, &h);
    kith_query_free(h.query);
    kith_tracker_free(h.tracker);
    kith_commands_free(h.commands);
    check_gone(&h);
    fixture_free(&f);
}

/* The holder that was named last is told, and none after it has let go. */
TEST(a_holder_may_change)
{
    fixture f = fixture_with_all(KITH_TABLE);
    held first, second;
    hold(f.world, &first);
    second = first;
    kith_query_set_holder(second.query, &second.query);
    kith_tracker_set_holder(second.tracker, NULL);
    kith_commands_set_holder(second.commands, &second.commands);
    kith_query_free(first.query);
    kith_tracker_free(first.tracker);
    kith_commands_free(first.commands);
    CHECK_PTR_NOT_NULL(first.query);
    CHECK_PTR_NOT_NULL(first.tracker);
    CHECK_PTR_NOT_NULL(first.commands);
    CHECK_PTR_NULL(second.query);
    CHECK_PTR_NOT_NULL(second.tracker);
    CHECK_PTR_NULL(second.commands);
    fixture_free(&f);
}
