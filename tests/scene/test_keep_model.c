/* Scenes of random texts, in two files, whose worlds are changed at random. They are saved as their
 * texts, which are read again: then there is what there was. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "trees.h"

KITH_COMPONENT(Id, (uint32_t, number)); /* tells which entities are the same in two worlds */

enum { FILES = 2, PREFABS = 3, ENTITIES = 4, ROUNDS = 4 };

typedef struct side {
    fixture f;
    kith_scene *scene;
} side;

typedef struct keeping {
    uint64_t random;
    saved_text files[FILES]; /* what is read next */
    saved_text *file;        /* what is written to */
    bool entity_names;
    uint32_t next_id;
    side now;
    char note[sizeof(saved_text)]; /* of a failure */
} keeping;

static uint32_t below(keeping *k, uint32_t limit)
{
    return random_below(&k->random, limit);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

KITH_FORMAT_(2, 3) static void say(keeping *k, const char *format, ...)
{
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    CHECK(write_saved(k->file, line, (size_t)length));
}

/* Some lines about values, each by chance. `inherits`: there is a Position already. */
static void say_values(keeping *k, const char *indent, bool inherits)
{
    if (below(k, 3) == 0) {
        say(k, "%s# what it has\n", indent);
    }
    if (below(k, 2) == 0) {
        say(k, "%s%s\n", indent,
            inherits && below(k, 2) == 0 ? "- Position" : "Position { y = 0.5 }  # up");
    }
    if (below(k, 3) == 0) {
        say(k, "%sParty { leader = e%u, size = %u,\n        members = [e%u, none] }\n", indent,
            below(k, ENTITIES), below(k, 9), below(k, ENTITIES));
    }
    if (below(k, 3) == 0) {
        say(k, "%sFrozen\n", indent);
    }
}

/* Lines about the children a and a/b that something at `path` inherits. */
static void say_inherited(keeping *k, const char *path)
{
    const uint32_t choice = below(k, 5);
    if (choice == 1) {
        say(k, "    - child %sa\n", path);
    } else if (choice == 2 || choice == 3) {
        say(k, "    child %sa {\n", path);
        say_values(k, "        ", false);
        say(k, "    }\n");
    }
    if (choice > 2) {
        say(k, "    - child %sa/b   # not that\n", path);
    }
}

static void say_prefab(keeping *k, uint32_t number)
{
    if (number == 0) {
        say(k, "prefab p0\n    Position\n    child a {\n        Byte\n        child b\n%s    }\n",
            below(k, 2) == 0 ? "        child\n" : "");
    } else {
        say(k, "prefab p%u : p0\n", number);
        say_values(k, "    ", false);
    }
    say(k, "%s", below(k, 2) == 0 ? "\n" : "");
}

static void say_entity(keeping *k, uint32_t number)
{
    const bool extends = below(k, 2) == 0;
    say(k, "entity e%u%s\n", number, extends ? " : p1" : "");
    say_values(k, "    ", extends);
    if (below(k, 2) == 0) {
        const bool lines = below(k, 3) != 0;
        say(k, "    child c : p%u%s\n", below(k, PREFABS), lines ? " {" : "");
        if (lines) {
            say_values(k, "        ", true);
            say(k, "    }\n");
            say_inherited(k, "c/");
        }
    }
    if (extends) {
        say_inherited(k, "");
    }
    say(k, "%s\n", below(k, 3) == 0 ? "    child { }" : "");
}

static void say_all(keeping *k)
{
    k->files[0].length = k->files[1].length = 0;
    k->file = &k->files[0];
    say(k, "include \"second\"\n");
    for (uint32_t i = 0; i < PREFABS + ENTITIES; i++) {
        k->file = &k->files[below(k, FILES)];
        if (i < PREFABS) {
            say_prefab(k, i);
        } else {
            say_entity(k, i - PREFABS);
        }
    }
    for (uint32_t i = 0; i < FILES && below(k, 2) == 0; i++) { /* no line break at the end */
        while (k->files[i].length != 0 && k->files[i].bytes[k->files[i].length - 1] == '\n') {
            k->files[i].length--;
        }
    }
    if (below(k, 2) == 0) {
        say(k, "\nmap\n    across Position.x\n    down Position.y\n    'p' = p2\n    |p..p|\n");
    }
}

/* ---- Reading and saving ---------------------------------------------------------------------- */

static kith_result open_second(void *context, const char *path, const char **text, size_t *length)
{
    const keeping *k = context;
    CHECK_STR(path, "second");
    *text = k->files[1].bytes;
    *length = k->files[1].length;
    return KITH_OK;
}

static side read_files(keeping *k)
{
    side s = {.f = tree_fixture(KITH_TABLE)};
    CHECK_RESULT(KITH_TYPES(s.f.world, Id), KITH_OK);
    const kith_scene_def def = {.text = k->files[0].bytes,
                                .length = k->files[0].length,
                                .open = open_second,
                                .context = k,
                                .entity_names = k->entity_names};
    kith_scene_error error = {.message = ""};
    kith_scene_new(s.f.world, &def, &s.scene, &error);
    CHECK_STR(error.message, "");
    CHECK_RESULT(kith_scene_spawn(s.scene), KITH_OK);
    return s;
}

/* Whether it could be saved: not if something refers to the dead. */
static bool save_files(keeping *k, side *s, saved_text *files, bool fails)
{
    for (uint32_t i = 0; i < FILES; i++) {
        const kith_scene_save_def def = {
            .scene = s->scene, .file = i, .lose_references = k->random % 2 == 0};
        kith_scene_error error;
        files[i] = (saved_text){.length = 0};
        if (fails) {
            fail_allocation(&s->f, 1 + below(k, 100));
            kith_scene_save(s->f.world, &def, write_saved, &files[i], &error);
            fail_nothing(&s->f);
            files[i] = (saved_text){.length = 0};
        }
        kith_result result =
            kith_scene_save(s->f.world, &def, write_saved, &files[i], &error);
        CHECK(result == KITH_OK || result == KITH_ERR_INPUT);
        if (result != KITH_OK) {
            return false;
        }
    }
    return true;
}

/* ---- Changes --------------------------------------------------------------------------------- */

static kith_entity some(keeping *k)
{
    uint32_t count = kith_scene_count(k->now.scene);
    while (!kith_is_none(kith_scene_at(k->now.scene, count))) {
        count++; /* those that were added */
    }
    return kith_scene_at(k->now.scene, below(k, count));
}

static void add_one(keeping *k, const kith_prefab *prefab)
{
    kith_world *world = k->now.f.world;
    const Id id = {k->next_id++};
    const kith_value value = {&Id_type, &id};
    kith_entity e;
    CHECK_RESULT(prefab == NULL ? kith_spawn(world, &value, 1, &e)
                                : kith_prefab_spawn(prefab, &value, 1, &e),
                 KITH_OK);
    CHECK_RESULT(kith_scene_add(k->now.scene, e, prefab, NULL), KITH_OK);
}

/* What may be wrong with it, such as a dead entity or a circle of parents, changes nothing. */
static void change_one(keeping *k)
{
    kith_world *world = k->now.f.world;
    kith_scene *scene = k->now.scene;
    const kith_entity e = some(k), other = some(k);
    char name[8];
    snprintf(name, sizeof name, "n%u", below(k, 9));
    switch (below(k, 14)) {
    case 0: KITH_SET(world, e, Position, {1, (float)below(k, 3)}); break;
    case 1: KITH_SET(world, e, Party, {other, 3, {some(k), KITH_NONE}}); break;
    case 2: KITH_SET(world, e, Follows, {other, 2}); break;
    case 3: KITH_ADD(world, e, Frozen); break;
    case 4: KITH_REMOVE(world, e, Position); break;
    case 5: KITH_REMOVE(world, e, Frozen); break;
    case 6: KITH_REMOVE(world, e, kith_child_of); break;
    case 7: kith_set_parent(world, e, other); break;
    case 8: kith_insert_child(world, e, other); break;
    case 9: KITH_DESPAWN(world, e); break;
    case 10: kith_set_name(world, e, below(k, 3) == 0 ? NULL : name); break;
    case 11:
        kith_scene_set_name(scene, kith_scene_index_of(scene, e), below(k, 3) == 0 ? "" : name);
        break;
    case 12: add_one(k, NULL); break;
    default: add_one(k, kith_scene_prefab(scene, "p1")); break;
    }
    CHECK_WORLD(world);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* The number of an entity of the scene; 0 for one that is dead, or not in it. */
static uint32_t id_of(const side *s, kith_entity e)
{
    const Id *id = kith_scene_index_of(s->scene, e) == UINT32_MAX ? NULL
                                                                  : KITH_GET(s->f.world, e, Id);
    return id == NULL ? 0 : id->number;
}

static void check_field(const side *a, const side *b, const kith_field *field, const char *one,
                        const char *two)
{
    for (uint32_t at = 0; field->kind == KITH_ENTITY && at < field->size; at += 8) {
        kith_entity first, second;
        memcpy(&first, one + at, sizeof first);
        memcpy(&second, two + at, sizeof second);
        CHECK_UINT(id_of(b, second), id_of(a, first));
    }
    if (field->kind == KITH_TEXT) {
        kith_text first, second;
        memcpy(&first, one, sizeof first);
        memcpy(&second, two, sizeof second);
        CHECK_STR(kith_text_get(b->f.world, second, NULL), kith_text_get(a->f.world, first, NULL));
    } else if (field->kind != KITH_ENTITY && field->kind != KITH_PADDING) {
        CHECK(memcmp(one, two, field->size) == 0);
    }
}

/* Two entities have the same, apart from links to what is not in the scene. */
static void check_entity(const side *a, const side *b, kith_entity e, kith_entity again)
{
    for (uint32_t i = 0; i < kith_type_count(a->f.world); i++) {
        const kith_type *type = kith_type_at(a->f.world, i);
        const char *one = kith_get(a->f.world, e, type);
        const char *two = kith_get(b->f.world, again, kith_type_find(b->f.world, type->name));
        const kith_entity *target = (const kith_entity *)(const void *)one;
        const bool lost = one != NULL && type->relation != 0 && id_of(a, *target) == 0;
        CHECK_INT(kith_has(b->f.world, again, kith_type_find(b->f.world, type->name)),
                  kith_has(a->f.world, e, type) && !lost);
        for (uint32_t n = 0; one != NULL && two != NULL && n < type->field_count; n++) {
            const kith_field *field = &type->fields[n];
            check_field(a, b, field, one + field->offset, two + field->offset);
        }
    }
}

/* The children of two entities are the same in the same order. */
static void check_children(const side *a, const side *b, kith_entity e, kith_entity again)
{
    kith_entity child = kith_child_first(b->f.world, again);
    for (kith_sources c = kith_children(a->f.world, e); kith_sources_next(&c);) {
        if (kith_scene_index_of(a->scene, c.entity) != UINT32_MAX) {
            CHECK_UINT(id_of(b, child), id_of(a, c.entity));
            child = kith_child_next(b->f.world, child);
        }
    }
    CHECK(kith_is_none(child));
}

static void check_same(const side *a, const side *b)
{
    uint32_t count = 0;
    for (uint32_t i = 0; !kith_is_none(kith_scene_at(a->scene, i)); i++) {
        const kith_entity e = kith_scene_at(a->scene, i);
        kith_entity again = kith_entity_next(b->f.world, KITH_NONE);
        while (kith_alive(a->f.world, e) && id_of(b, again) != id_of(a, e)) {
            again = kith_entity_next(b->f.world, again);
            CHECK(!kith_is_none(again));
        }
        if (kith_alive(a->f.world, e)) {
            count++;
            check_entity(a, b, e, again);
            check_children(a, b, e, again);
        }
    }
    CHECK_UINT(kith_entity_count(b->f.world), count);
}

/* ---- All together ---------------------------------------------------------------------------- */

/* Changes, saves and reads again; then goes on with what was read. */
static void play_round(keeping *k)
{
    for (uint32_t changes = below(k, below(k, 3) == 0 ? 30 : 5); changes > 0; changes--) {
        change_one(k);
    }
    saved_text *saved = calloc(FILES, sizeof *saved);
    CHECK_PTR_NOT_NULL(saved);
    if (save_files(k, &k->now, saved, below(k, 3) == 0)) {
        memcpy(k->files, saved, sizeof k->files);
        snprintf(k->note, sizeof k->note, "%.20000s---- second\n%.20000s", saved[0].bytes,
                 saved[1].bytes);
        side again = read_files(k);
        check_same(&k->now, &again);
        CHECK(save_files(k, &again, saved, false));
        CHECK_STR(saved[0].bytes, k->files[0].bytes);
        CHECK_STR(saved[1].bytes, k->files[1].bytes);
        scene_end(&k->now.f, k->now.scene);
        k->now = again;
    }
    free(saved);
}

TEST_WITHIN(20, random_scenes_are_saved_as_their_texts)
{
    keeping *k = calloc(1, sizeof *k);
    CHECK_PTR_NOT_NULL(k);
    const uint64_t first = test_number("KITH_TEST_SEED", 1);
    const uint64_t count = test_long() ? 20000 : test_short() ? 10 : 150;
    for (uint64_t seed = first; seed < first + count; seed++) {
        k->random = seed;
        k->next_id = 1;
        k->entity_names = below(k, 2) == 0;
        test_note(k->note);
        say_all(k);
        snprintf(k->note, sizeof k->note, "seed %u", (unsigned)seed);
        k->now = read_files(k);
        for (uint32_t i = 0; i < kith_scene_count(k->now.scene); i++) {
            KITH_SET(k->now.f.world, kith_scene_at(k->now.scene, i), Id, {k->next_id++});
        }
        for (uint32_t round = 0; round < ROUNDS; round++) {
            play_round(k);
        }
        scene_end(&k->now.f, k->now.scene);
    }
    free(k);
}
