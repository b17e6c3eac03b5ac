/* Namers: messages that tell of an entity print its name. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* Knows the name of one entity. */
typedef struct known {
    kith_entity entity;
    const char *name;
    uint32_t asked;
} known;

static const char *name_known(void *context, kith_entity entity)
{
    known *k = context;
    k->asked++;
    return kith_entity_equal(k->entity, entity) ? k->name : NULL;
}

static kith_namer namer_of(known *k)
{
    return (kith_namer){.name = name_known, .context = k};
}

static void check_described(const fixture *f, kith_entity entity, const char *expected)
{
    CHECK_STR(kith_entity_describe(f->world, entity).text, expected);
}

TEST(names_are_told_while_a_namer_is_added)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity a = kith_spawn_empty(f.world);
    kith_entity b = kith_spawn_empty(f.world);
    known k = {.entity = b, .name = "ship/turret"};
    kith_namer namer = namer_of(&k);
    check_described(&f, b, "Entity(1v0)");
    kith_namer_add(f.world, &namer);
    check_described(&f, a, "Entity(0v0)");
    check_described(&f, b, "\"ship/turret\" (Entity(1v0))");
    check_described(&f, KITH_NONE, "Entity(null)");
    CHECK_RESULT(kith_despawn(f.world, b), KITH_OK);
    check_described(&f, b, "\"ship/turret\" (Entity(1v0))"); /* dead, and still known */
    kith_entity c = kith_spawn_empty(f.world);
    CHECK_UINT(kith_entity_slot(c), kith_entity_slot(b));
    check_described(&f, c, "Entity(1v1)"); /* another one in its slot */
    k.name = "";
    check_described(&f, b, "Entity(1v0)");
    k.name = "again";
    check_described(&f, b, "\"again\" (Entity(1v0))");
    kith_namer_remove(&namer);
    kith_namer_remove(&namer);
    kith_namer_remove(NULL);
    check_described(&f, b, "Entity(1v0)");
    CHECK_PTR_NULL(namer.world);
    fixture_free(&f);
}

/* The one that was added last is asked first; those that know no name are passed over. */
TEST(several_namers)
{
    fixture f = fixture_new();
    fixture other = fixture_new();
    kith_entity e[2] = {kith_spawn_empty(f.world), kith_spawn_empty(f.world)};
    known k[3] = {{.entity = e[0], .name = "first"},
                  {.entity = e[0], .name = ""},
                  {.entity = e[1], .name = "third"}};
    known elsewhere = {.entity = e[0], .name = "elsewhere"};
    kith_namer namers[3];
    kith_namer foreign = namer_of(&elsewhere);
    kith_namer_add(other.world, &foreign);
    for (int i = 0; i < 3; i++) {
        namers[i] = namer_of(&k[i]);
        kith_namer_add(f.world, &namers[i]);
    }
    check_described(&f, e[0], "\"first\" (Entity(0v0))");
    check_described(&f, e[1], "\"third\" (Entity(1v0))");
    CHECK_UINT(k[0].asked, 1);
    k[1].name = "second";
    check_described(&f, e[0], "\"second\" (Entity(0v0))");
    kith_namer_remove(&namers[1]); /* in the middle, the last, the first */
    check_described(&f, e[0], "\"first\" (Entity(0v0))");
    kith_namer_remove(&namers[2]);
    check_described(&f, e[1], "Entity(1v0)");
    check_described(&f, e[0], "\"first\" (Entity(0v0))");
    kith_namer_remove(&namers[0]);
    check_described(&f, e[0], "Entity(0v0)");
    kith_namer_add(f.world, &namers[1]);
    check_described(&f, e[0], "\"second\" (Entity(0v0))");
    CHECK_UINT(elsewhere.asked, 0);
    fixture_free(&other);
    fixture_free(&f);
}

/* A namer may outlive its world, and be added to another. */
TEST(a_world_that_is_freed_lets_go_of_namers)
{
    known k = {.entity = {1, 0}, .name = "first"};
    kith_namer namers[2] = {namer_of(&k), namer_of(&k)};
    fixture f = fixture_new();
    kith_namer_add(f.world, &namers[0]);
    kith_namer_add(f.world, &namers[1]);
    fixture_free(&f);
    CHECK(namers[0].world == NULL && namers[1].world == NULL);
    kith_namer_remove(&namers[0]);
    f = fixture_new();
    kith_namer_add(f.world, &namers[1]);
    check_described(&f, kith_spawn_empty(f.world), "\"first\" (Entity(0v0))");
    fixture_free(&f);
}

TEST(names_that_are_too_long_are_cut)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    char name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    known k = {.entity = e, .name = name};
    kith_namer namer = namer_of(&k);
    kith_namer_add(f.world, &namer);
    char expected[128];
    snprintf(expected, sizeof expected, "\"%.88s...\" (Entity(0v0))", name);
    check_described(&f, e, expected);
    name[91] = '\0';
    snprintf(expected, sizeof expected, "\"%.91s\" (Entity(0v0))", name);
    check_described(&f, e, expected);
    /* Of the longest handle too, and not in the middle of a character. */
    k.entity = (kith_entity){UINT32_MAX, UINT32_MAX};
    memset(name, 'x', sizeof name - 1);
    memcpy(name + 87, "\xC3\xA9", 2);
    snprintf(expected, sizeof expected, "\"%.87s...\" (Entity(4294967294v4294967295))", name);
    check_described(&f, k.entity, expected);
    fixture_free(&f);
}

TEST(control_characters_of_names_are_not_told)
{
    fixture f = fixture_new();
    const kith_entity e = kith_spawn_empty(f.world);
    known k = {.entity = e, .name = "\x1b[2Jbig\nsh\x7fip \xC3\xA9~"};
    kith_namer namer = namer_of(&k);
    kith_namer_add(f.world, &namer);
    check_described(&f, e, "\"?[2Jbig?sh?ip \xC3\xA9~\" (Entity(0v0))");
    kith_namer_remove(&namer);
    CHECK_RESULT(kith_set_name(f.world, e, "a\tb"), KITH_OK);
    check_described(&f, e, "\"a?b\" (Entity(0v0))");
    CHECK_STR(kith_name_of(f.world, e), "a\tb");
    fixture_free(&f);
}

/* ---- In messages ------------------------------------------------------------------------------- */

TEST(messages_of_a_transfer)
{
    fixture f = fixture_with_all(KITH_TABLE);
    fixture to = fixture_with_all(KITH_TABLE);
    kith_entity e[2];
    e[0] = e[1] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    known k = {.entity = e[0], .name = "turret"};
    kith_namer namer = namer_of(&k);
    kith_namer_add(f.world, &namer);
    CHECK_RESULT(kith_transfer(f.world, e, 2, to.world, NULL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world), "kith_transfer: \"turret\" (Entity(0v0)) is named twice");
    CHECK_RESULT(kith_despawn(f.world, e[0]), KITH_OK);
    CHECK_RESULT(kith_transfer(f.world, e, 1, to.world, NULL), KITH_ERR_DEAD);
    CHECK_STR(kith_error(f.world), "kith_transfer: \"turret\" (Entity(0v0)) is not alive");
    fixture_free(&to);
    fixture_free(&f);
}

/* ---- Who gets names ---------------------------------------------------------------------------- */

static const kith_world *described_in;
static kith_entity described_entity;
static char described_text[128];

static void describe_in_system(kith_iter *it)
{
    (void)it;
    strcpy(described_text, kith_entity_describe(described_in, described_entity).text);
}

static void describe_in_observer(const kith_observed *observed)
{
    strcpy(described_text, kith_entity_describe(observed->world, described_entity).text);
}

/* Query systems may run beside each other, and beside what changes names. Observers run alone. */
TEST(observers_get_names_and_query_systems_do_not)
{
    fixture f = fixture_with_all(KITH_TABLE);
    described_in = f.world;
    described_entity = kith_spawn_empty(f.world);
    known k = {.entity = described_entity, .name = "turret"};
    kith_namer namer = namer_of(&k);
    kith_namer_add(f.world, &namer);
    CHECK_RESULT(KITH_SYSTEM(f.world, describe_in_system, KITH_READ(Position)), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_STR(described_text, "Entity(0v0)");
    CHECK_UINT(k.asked, 0);
    CHECK_RESULT(kith_system_remove(f.world, "describe_in_system"), KITH_OK);
    const kith_observer_def def = {.type = &Position_type, .run = describe_in_observer};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, described_entity, Position), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_STR(described_text, "\"turret\" (Entity(0v0))");
    fixture_free(&f);
}
