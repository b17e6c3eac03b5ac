/* What a world makes of bytes whose links do not fit: it is as it was, and every world that bytes lead
 * to is sound. */
#include <kith/kith.h>

#include "../persist/wrong_bytes.h"
#include "kept_relations.h"

/* Four entities in both worlds: 1 and 2 lead to 0, and 3 to 2, by one relation. */
static pair family_pair(const kith_type *type, kith_layout layout, kith_entity *list)
{
    static const uint32_t targets[] = {0, 0, 0, 2};
    pair p = {.f = fixture_new(), .g = fixture_new()};
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(p.f.world, type, &def), KITH_OK);
    CHECK_RESULT(kith_register(p.g.world, type, &def), KITH_OK);
    KITH_TYPES(p.g.world, Position);
    CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
    for (uint32_t i = 0; i < 4; i++) {
        list[i] = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {(float)i, 2}));
        if (i > 0) {
            CHECK_RESULT(link_by(p.f.world, list[i], type, list[targets[i]]), KITH_OK);
        }
    }
    follow(&p);
    return p;
}

/* Each byte of a difference is changed, and each beginning of it is applied: one comes, one goes, one
 * gets another target, and two change places. */
TEST_EACH_LAYOUT_WITHIN(60, wrong_bytes_of_links_change_nothing, layout)
{
    static const kith_type *const types[] = {&Follows_type, &Hangs_type, &kith_child_of_type};
    for (size_t i = 0; test_row(i, ROWS_OF(types)); i++) {
        kith_entity list[4];
        pair p = family_pair(types[i], layout, list);
        kith_entity more[3];
        for (int k = 0; k < 3; k++) {
            more[k] = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
            CHECK_RESULT(link_by(p.f.world, more[k], types[i], list[0]), KITH_OK);
        }
        follow(&p);
        CHECK_RESULT(kith_source_place(p.f.world, more[2], types[i], list[1]), KITH_OK);
        CHECK_RESULT(link_by(p.f.world, list[3], types[i], list[1]), KITH_OK);
        CHECK_RESULT(kith_remove(p.f.world, more[0], types[i]), KITH_OK);
        CHECK_RESULT(kith_despawn(p.f.world, more[1]), KITH_OK);
        kith_entity last = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(link_by(p.f.world, last, types[i], list[2]), KITH_OK);
        CHECK_RESULT(link_by(p.f.world, list[0], types[i], more[0]), KITH_OK);
        write_difference(&p);
        apply_all_wrong(&p);
        check_same_links(p.f.world, p.g.world);
        pair_free(&p);
    }
}

/* Several bytes at once, some left out and doubled, behind the two hashes. */
TEST_EACH_LAYOUT_WITHIN(120, mangled_bytes_of_links_change_nothing, layout)
{
    static const kith_type *const types[] = {&Follows_type, &Hangs_type};
    for (size_t t = 0; test_row(t, ROWS_OF(types)); t++) {
        kith_entity list[4];
        pair p = family_pair(types[t], layout, list);
        CHECK_RESULT(link_by(p.f.world, list[3], types[t], list[1]), KITH_OK);
        CHECK_RESULT(kith_source_place(p.f.world, list[2], types[t], list[1]), KITH_OK);
        kith_entity last = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(link_by(p.f.world, list[0], types[t], last), KITH_OK);
        write_difference(&p);
        kith_snapshot *before;
        CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
        uint64_t hash = kith_world_hash(p.g.world);
        uint64_t random = 5;
        uint32_t applied = 0;
        unsigned char bytes[512];
        for (uint32_t i = 0; i < (test_short() ? 2000u : test_long() ? 1000000u : 30000u); i++) {
            uint32_t size = p.bytes.size;
            CHECK(size < 500);
            memcpy(bytes, p.bytes.data, size);
            for (uint32_t k = 1 + random_below(&random, 3); k > 0; k--) {
                uint32_t at = size / 2 + random_below(&random, size - size / 2 - 1);
                switch (random_below(&random, 6)) {
                case 0: bytes[at] = (unsigned char)random_below(&random, 8); break;
                case 1: bytes[at] = (unsigned char)(bytes[at] + 1); break;
                case 2: bytes[at] = (unsigned char)(bytes[at] - 1); break;
                case 3: memmove(bytes + at, bytes + at + 1, --size - at); break;
                case 4: memmove(bytes + at + 1, bytes + at, size++ - at); break;
                default: { /* two change places */
                    unsigned char other = bytes[at + 1];
                    bytes[at + 1] = bytes[at];
                    bytes[at] = other;
                }
                }
            }
            applied += apply_wrong(p.g.world, before, hash, bytes, size);
        }
        CHECK(applied > 100);
        pair_free(&p);
    }
}

/* ---- Each thing that may not fit ---------------------------------------------------------------- */

/* A difference of KITH_SLOT relations, whose last bytes are: slots, links, no resources, no events. The
 * part from the components on is replaced by `body`. */
static void check_links(pair *p, uint32_t from, const unsigned char *body, uint32_t size,
                        const char *message)
{
    unsigned char bytes[256];
    kith_snapshot *before;
    CHECK(from + size < sizeof bytes);
    memcpy(bytes, p->bytes.data, from);
    memcpy(bytes + from, body, size);
    CHECK_RESULT(kith_snapshot_take(p->g.world, &before), KITH_OK);
    const uint64_t hash = kith_world_hash(p->g.world);
    const uint32_t applied = apply_wrong(p->g.world, before, hash, bytes, from + size);
    CHECK_UINT(applied, message == NULL);
    if (message != NULL) {
        CHECK_CONTAINS(kith_error(p->g.world), message);
    }
    kith_snapshot_free(before);
}

/* Bytes as they are written: a value of a relation is a byte of bits, the slot plus one and the
 * generation of the target, each a number and relative to what was there. */
TEST(links_that_do_not_fit_are_refused)
{
    enum { A = 1 }; /* the number of the type plus one */
    static const char link[] = "links that are what the values say, to living entities";
    static const char same[] = "another source of the same target";
    static const char lost[] = "a slot that lost the relation";
    static const char lives[] = "a source whose target lives";
    /* The difference is that 3, which led to 2, leads to 1. Slots are their places plus one in lists. */
    static const struct {
        const char *message;
        unsigned char body[24];
        uint32_t size;
    } cases[] = {
        /* as it is written: component, slot 3 has, target slot 1 plus one; links: none lost, 3 at end */
        {NULL, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 0, 0, 0, 0, 0}, 16},
        {link, {A, 4, 1, 1, 2, 0, 0, 0, 0, 0, 0}, 11},                    /* no links */
        {link, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 0, 0, 0, 0}, 14},           /* the source is not named */
        {NULL, {A, 4, 1, 1, 1, 0, 0, 0, A, 0, 4, 2 + 1, 0, 0, 0, 0}, 16}, /* to 0, before 1 */
        {NULL, {A, 4, 1, 1, 1, 0, 0, 0, A, 0, 4, 0, 2, 1, 0, 0, 0, 0}, 18}, /* and 1 before that */
        {NULL, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 0, 4, 0, 0, 0, 0, 0}, 18}, /* twice */
        {same, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 2 + 1, 0, 0, 0, 0}, 16}, /* of another target */
        {same, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 2 + 3, 0, 0, 0, 0}, 16}, /* itself */
        {same, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 1, 0, 0, 0, 0}, 16},     /* none was named */
        {same, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 2, 0, 4, 1, 0, 0, 0, 0}, 18}, /* one of another target */
        {same, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 2 + 9, 0, 0, 0, 0}, 16}, /* no slot */
        {lives, {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 1, 0, 0, 0, 0, 0}, 16},    /* 0 has no target */
        {lives, {A, 4, 1, 1, 2, 1, 0, 0, A, 0, 4, 0, 0, 0, 0, 0}, 16},    /* of another generation */
        {lives, {A, 4, 1, 1, 9, 0, 0, 0, A, 0, 4, 0, 0, 0, 0, 0}, 16},    /* no such slot */
        {lost, {A, 4, 1, 1, 2, 0, 0, 0, A, 4, 0, 4, 0, 0, 0, 0, 0}, 17},  /* 3 has the relation */
        {lost, {A, 4, 1, 1, 2, 0, 0, 0, A, 1, 0, 4, 0, 0, 0, 0, 0}, 17},  /* 0 had none */
        {lost, {A, 4, 1, 1, 2, 0, 0, 0, A, 100, 0, 4, 0, 0, 0, 0, 0}, 17},
        {NULL, {A, 4, 0, 0, 0, A, 4, 0, 0, 0, 0, 0}, 12},                    /* 3 loses it */
        {link, {A, 4, 0, 0, 0, 0, 0, 0}, 8},                              /* without that */
        {lives, {A, 4, 0, 0, 0, A, 0, 4, 0, 0, 0, 0, 0}, 13},
        {"a slot plus one", {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 5, 0, 0, 0, 0, 0}, 16},
        {"relations in order", {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 0, 0, A, 0, 0, 0, 0, 0}, 19},
        {"the number of a type", {A, 4, 1, 1, 2, 0, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0}, 16},
        {"the end", {A, 4, 1, 1, 2, 0, 0, 0, A, 0, 4, 0, 0, 0, 0, 0, 0}, 17},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_entity list[4];
        pair p = family_pair(&kith_child_of_type, KITH_SLOT, list);
        CHECK_RESULT(kith_set_parent(p.f.world, list[3], list[1]), KITH_OK);
        write_difference(&p);
        const uint32_t from = p.bytes.size - cases[0].size;
        CHECK_INT(memcmp(p.bytes.data + from, cases[0].body, cases[0].size), 0);
        check_links(&p, from, cases[i].body, cases[i].size, cases[i].message);
        pair_free(&p);
    }
}

/* Targets in a circle, long and short ones; where circles are allowed they are applied. */
TEST(circles_are_refused)
{
    for (int acyclic = 0; acyclic < 2; acyclic++) {
        enum { LONG = 300 };
        static kith_entity list[LONG];
        pair p = {.f = fixture_new(), .g = fixture_new()};
        KITH_TYPES(p.g.world, Position, Follows, kith_child_of);
        CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
        for (uint32_t i = 0; i < LONG; i++) {
            list[i] = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
            if (i > 0) {
                CHECK_RESULT(link_to(p.f.world, list[i], acyclic != 0 ? 3 : 0, list[i - 1]),
                             KITH_OK);
            }
        }
        follow(&p);
        /* The first leads to another root: in the bytes, to the last of the chain. */
        kith_entity root = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        follow(&p);
        CHECK_RESULT(link_to(p.f.world, list[0], acyclic != 0 ? 3 : 0, root), KITH_OK);
        write_difference(&p);
        kith_snapshot *before;
        CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
        uint64_t hash = kith_world_hash(p.g.world);
        /* The number of its slot plus one is 301, of which 7 bits are a byte: it comes last there. */
        uint32_t at = p.bytes.size - 2;
        while (p.bytes.data[at] != 0xAD || p.bytes.data[at + 1] != 0x02) {
            at--;
        }
        for (uint32_t to1 = 1; to1 <= LONG; to1 += to1 == 1 ? 1 : 23) {
            unsigned char bytes[256];
            CHECK(p.bytes.size < sizeof bytes);
            memcpy(bytes, p.bytes.data, p.bytes.size);
            bytes[at] = (unsigned char)(0x80 | (to1 & 0x7f));
            bytes[at + 1] = (unsigned char)(to1 >> 7);
            CHECK_UINT(apply_wrong(p.g.world, before, hash, bytes, p.bytes.size), acyclic == 0);
            if (acyclic != 0) {
                CHECK_CONTAINS(kith_error(p.g.world), "lead in a circle");
            }
        }
        pair_free(&p);
    }
}

/* The slot of a target gets another entity, while its sources are not looked at. */
TEST(sources_of_an_entity_that_ended_are_refused)
{
    fixture f = fixture_new();
    pair p = {.f = f, .g = fixture_new()};
    KITH_TYPES(p.f.world, Position, Docked);
    KITH_TYPES(p.g.world, Position, Docked);
    CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
    kith_entity b = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2})); /* whose row stays */
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    follow(&p);
    /* Only there does b lead to a. */
    CHECK_RESULT(KITH_SET(p.g.world, b, Docked, {a, 1}), KITH_OK);
    CHECK_RESULT(kith_despawn(p.f.world, a), KITH_OK);
    kith_snapshot *one = p.before;
    CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
    kith_entity c = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_UINT(c.index1, a.index1);
    kith_snapshot *two;
    CHECK_RESULT(kith_snapshot_take(p.f.world, &two), KITH_OK);
    static const char link[] = "links that are what the values say, to living entities";
    kith_snapshot *const to[] = {p.before, two};
    for (size_t i = 0; test_row(i, ROWS_OF(to)); i++) {
        kith_snapshot *before;
        CHECK_RESULT(kith_snapshot_diff_bytes(one, to[i], &p.bytes), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
        uint64_t hash = kith_world_hash(p.g.world);
        CHECK_UINT(apply_wrong(p.g.world, before, hash, p.bytes.data, p.bytes.size), 0);
        CHECK_CONTAINS(kith_error(p.g.world), i == 0 ? "expected" : link);
        kith_snapshot_free(before);
    }
    /* Without that link it is right. */
    KITH_REMOVE(p.g.world, b, Docked);
    CHECK_RESULT(apply(&p), KITH_OK);
    pair_free(&p);
}

/* Long chains, all of which get another target, take a time that goes with their number. */
TEST_WITHIN(20, long_chains_are_verified_in_little_time)
{
    enum { CHAIN = 100000 };
    pair p = {.f = fixture_new(), .g = fixture_new()};
    KITH_TYPES(p.f.world, Position, kith_child_of);
    KITH_TYPES(p.g.world, Position, kith_child_of);
    kith_entity *list = malloc(CHAIN * sizeof *list);
    CHECK_PTR_NOT_NULL(list);
    CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
    const kith_values values = {&Position_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(p.f.world, CHAIN, &values, 1, list), KITH_OK);
    for (uint32_t i = CHAIN - 1; i > 0; i--) { /* upwards: no way is gone to see */
        CHECK_RESULT(kith_set_parent(p.f.world, list[i], list[i - 1]), KITH_OK);
    }
    follow(&p);
    CHECK_UINT(kith_depth(p.g.world, list[CHAIN - 1]), CHAIN - 1);
    free(list);
    pair_free(&p);
}
