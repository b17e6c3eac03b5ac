#include "link_calls.h"

KITH_LINKS(Knows, KITH_CLEAR, (int32_t, years));
KITH_LINKS(Serves, KITH_CASCADE);

static const kith_entity untouched = {0xEEEEEEEE, 0xEEEEEEEE};

static kith_entity make(stage *s, kith_entity source, kith_entity target)
{
    kith_entity link = KITH_SPAWN(s->world, KITH_VALUE(Knows, {source, target, 1}));
    CHECK(!kith_is_none(link));
    return link;
}

/* Links from `plain` to `full` and `target`, from `target` to `full` and to itself, and from each
 * child to the next. `empty` serves `owner`, which serves `full`. */
void link_call_prepare(stage *s)
{
    make(s, s->plain, s->full);
    make(s, s->plain, s->target);
    make(s, s->target, s->full);
    make(s, s->target, s->target);
    for (uint32_t i = 1; i < 4; i++) {
        make(s, s->children[i - 1], s->children[i]);
    }
    CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Serves, {s->empty, s->owner}))));
    CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Serves, {s->owner, s->full}))));
}

static kith_entity first(const stage *s)
{
    return kith_link_find(s->world, s->plain, s->full, &Knows_type);
}

/* ---- Single calls ------------------------------------------------------------------------------ */

kith_result link_call_spawn(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Knows, {s->full, s->plain, 3}),
                                 KITH_VALUE(Position, {1, 2})};
    kith_entity made = untouched;
    kith_result result = kith_spawn(s->world, values, 2, &made);
    CHECK_INT(kith_entity_equal(made, untouched), result != KITH_OK);
    CHECK_SAME(kith_link_find(s->world, s->full, s->plain, &Knows_type),
               result == KITH_OK ? made : KITH_NONE);
    return result;
}

kith_result link_call_spawn_many(stage *s)
{
    const Knows each[5] = {{s->full, s->empty, 1},
                           {s->full, s->plain, 2},
                           {s->plain, s->full, 3},
                           {s->target, s->empty, 4},
                           {s->empty, s->empty, 5}};
    const kith_values values[] = {KITH_VALUES(Knows, each)};
    return kith_spawn_many(s->world, 5, values, 1, NULL);
}

kith_result link_call_set(stage *s)
{
    return KITH_SET(s->world, first(s), Knows, {s->empty, s->target, 9});
}

kith_result link_call_set_field(stage *s)
{
    return kith_set_field(s->world, first(s), &Knows_type, "target", KITH_ENTITY, &s->empty,
                          sizeof s->empty);
}

kith_result link_call_remove(stage *s)
{
    return KITH_REMOVE(s->world, first(s), Knows);
}

kith_result link_call_despawn(stage *s)
{
    return kith_despawn(s->world, first(s));
}

kith_result link_call_despawn_end(stage *s)
{
    return kith_despawn(s->world, s->target);
}

/* Ends the full entity, what serves it, and what serves that. */
kith_result link_call_despawn_pulled(stage *s)
{
    const uint32_t count = kith_entity_count(s->world);
    kith_result result = kith_despawn(s->world, s->full);
    CHECK_UINT(kith_entity_count(s->world), result == KITH_OK ? count - 7 : count);
    CHECK_INT(kith_alive(s->world, s->empty), result != KITH_OK);
    return result;
}

kith_result link_call_clone(stage *s)
{
    kith_entity clone = untouched;
    kith_result result = kith_clone(s->world, first(s), &clone);
    CHECK_INT(kith_entity_equal(clone, untouched), result != KITH_OK);
    return result;
}

/* A link with both ends, and one with an end, into a world that has all the memory that it wants. */
kith_result link_call_transfer(stage *s)
{
    kith_world *other = kith_world_new(NULL);
    const kith_entity half = kith_link_find(s->world, s->target, s->full, &Knows_type);
    const kith_entity all[] = {s->plain, first(s), half, s->full};
    kith_entity moved[4] = {untouched};
    kith_result result = kith_transfer(s->world, all, 4, other, moved);
    CHECK_INT(kith_entity_equal(moved[0], untouched), result != KITH_OK);
    if (result == KITH_OK) {
        CHECK_SAME(kith_link_find(other, moved[0], moved[3], &Knows_type), moved[1]);
        CHECK(!KITH_HAS(other, moved[2], Knows));
    }
    CHECK_WORLD(other);
    kith_world_free(other);
    return result;
}

/* ---- Command buffers --------------------------------------------------------------------------- */

/* Links among those that the buffer spawns and others, clones of them, and the end of an end. */
kith_result link_call_apply(stage *s)
{
    kith_commands *c = kith_commands_new(s->world, NULL);
    if (c == NULL) {
        return KITH_ERR_MEMORY;
    }
    const kith_entity a = kith_commands_spawn(c);
    const kith_entity b = KITH_SPAWN(c, KITH_VALUE(Position, {1, 2}));
    const kith_entity link = KITH_SPAWN(c, KITH_VALUE(Knows, {a, b, 1}));
    KITH_SPAWN(c, KITH_VALUE(Knows, {b, s->plain, 2}));
    KITH_SPAWN(c, KITH_VALUE(Knows, {s->plain, a, 3}));
    KITH_SET(c, first(s), Knows, {s->empty, b, 4});
    kith_commands_clone(c, link);
    KITH_SET(c, a, kith_child_of, {b});
    kith_commands_despawn(c, s->target);
    const uint32_t count = kith_entity_count(s->world);
    kith_result result = kith_commands_apply(c, NULL);
    if (result == KITH_OK) {
        CHECK_SAME(kith_target(s->world, kith_commands_real(c, a), &kith_child_of_type),
                   kith_commands_real(c, b));
        CHECK(kith_alive(s->world, kith_commands_real(c, link)));
    } else {
        CHECK_UINT(kith_entity_count(s->world), count);
    }
    kith_commands_free(c);
    return result;
}

/* ---- Conditions -------------------------------------------------------------------------------- */

/* Makes a query and goes through it. */
static kith_result go_through(stage *s, const kith_query_def *def)
{
    kith_query *query = NULL;
    kith_result result = kith_query_new(s->world, def, &query);
    CHECK_INT(query != NULL, result == KITH_OK);
    if (result != KITH_OK) {
        return result;
    }
    uint32_t count = 0;
    kith_iter it = kith_query_iter(query);
    while (kith_next_rows(&it)) {
        count += it.count;
    }
    CHECK(it.result != KITH_OK || count == kith_query_count(query));
    result = it.result;
    kith_query_free(query);
    return result;
}

/* About both ends of a link, and about what those have. */
kith_result link_call_query(stage *s)
{
    const kith_query_def def = {
        .terms = KITH_TERMS(
            KITH_READ(Knows), KITH_IF(Knows, source, !=, KITH_ITS(Knows, target)),
            KITH_VIA_FIELD(Knows, source, KITH_IF(Position, x, <=, KITH_OF_THIS(KITH_ITS_VIA_FIELD(
                                                                       Knows, target,
                                                                       KITH_ITS(Position, x))))),
            KITH_IF_ANY(KITH_IF(Knows, target, ==, KITH_THIS), KITH_IF(Knows, years, >, 0)))};
    return go_through(s, &def);
}

/* Along relations and up the tree. */
kith_result link_call_query_way(stage *s)
{
    const kith_query_def def = {
        .terms = KITH_TERMS(
            KITH_READ(Aims),
            KITH_IF(Aims, target, ==, KITH_ITS_UP(KITH_ITS(Aims, target))),
            KITH_IF(Aims, since, >=, KITH_ITS_VIA(kith_child_of, KITH_ITS(Aims, since))),
            KITH_VIA(Aims, KITH_IF_NOT(KITH_IF(kith_child_of, target, ==, KITH_THIS))),
            KITH_UP(KITH_OPTIONAL(Position))),
        .order = KITH_CHILDREN_FIRST};
    return go_through(s, &def);
}

kith_result link_call_query_text(stage *s)
{
    static const char text[] = "Knows, ?Position where Knows.source -> Position.x <= "
                               "this -> Knows.target -> Position.x and not Knows.target = this "
                               "order by parents first";
    kith_query *query = kith_query_text(s->world, text, NULL);
    if (query == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        CHECK(it.count > 0);
    }
    const kith_result result = it.result;
    kith_query_free(query);
    return result;
}
