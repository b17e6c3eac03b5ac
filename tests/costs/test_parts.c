/* What something takes, for each of its parts, does not depend on how many parts it has: an entity
 * of its components, a type of its fields, a query of its terms, a buffer of its commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "nothing.h"
#include "work.h"

enum { FEW = 128, MOST = FEW * 8, LIMIT = 160 };

/* ---- Entities of many components ----------------------------------------------------------------- */

typedef struct parts {
    kith_world *world;
    kith_type *types;
    kith_value values[MOST];
    kith_entity entity; /* with none */
    kith_entity full;   /* with all */
    kith_entity made;
    kith_commands *commands;
} parts;

static const float zero;

static parts *parts_new(uint32_t n, work_order how)
{
    static kith_type *types;
    types = types == NULL ? work_types("Part", MOST) : types;
    parts *m = calloc(1, sizeof *m);
    CHECK_PTR_NOT_NULL(m);
    m->world = kith_world_new(NULL);
    m->types = types;
    for (uint32_t i = 0; i < n; i++) {
        CHECK_RESULT(kith_register(m->world, &types[i], NULL), KITH_OK);
    }
    for (uint32_t i = 0; i < n; i++) {
        m->values[i] = (kith_value){&types[work_nth(how, i, n)], &zero};
    }
    m->entity = kith_spawn_empty(m->world);
    m->full = kith_spawn_or_none(m->world, m->values, n);
    m->commands = kith_commands_new(m->world, NULL);
    CHECK(!kith_is_none(m->full) && m->commands != NULL);
    return m;
}

static void spawn(parts *m, uint32_t n)
{
    CHECK_RESULT(kith_spawn(m->world, m->values, n, &m->made), KITH_OK);
}

static void spawn_many(parts *m, uint32_t n)
{
    kith_values values[MOST];
    for (uint32_t i = 0; i < n; i++) {
        values[i] = (kith_values){m->values[i].type, m->values[i].data, false};
    }
    CHECK_RESULT(kith_spawn_many(m->world, 1, values, n, &m->made), KITH_OK);
}

static void set_several(parts *m, uint32_t n)
{
    CHECK_RESULT(kith_set_values(m->world, m->entity, m->values, n), KITH_OK);
}

static void clone_full(parts *m, uint32_t n)
{
    (void)n;
    CHECK_RESULT(kith_clone(m->world, m->full, &m->made), KITH_OK);
    CHECK_RESULT(kith_remove_all(m->world, m->full), KITH_OK);
    CHECK_RESULT(kith_despawn(m->world, m->full), KITH_OK);
}

static void apply(parts *m)
{
    CHECK_RESULT(kith_commands_apply(m->commands, NULL), KITH_OK);
}

static void queue_spawn(parts *m, uint32_t n)
{
    kith_commands_spawn_values(m->commands, m->values, n);
    apply(m);
}

static void queue_set_several(parts *m, uint32_t n)
{
    CHECK_RESULT(kith_commands_set_values(m->commands, m->entity, m->values, n), KITH_OK);
    apply(m);
}

static void queue_one_by_one(parts *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        kith_commands_set(m->commands, m->entity, m->values[i].type, m->values[i].data);
    }
    for (uint32_t i = 0; i < n; i++) {
        kith_commands_remove(m->commands, m->full, m->values[i].type);
    }
    apply(m);
}

static void queue_by_turns(parts *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        kith_commands_set(m->commands, m->entity, m->values[i].type, m->values[i].data);
        kith_commands_remove(m->commands, m->full, m->values[i].type);
    }
    apply(m);
}

/* In a world that knows none of them. */
static void queue_new_types(parts *m, uint32_t n)
{
    kith_world *world = kith_world_new(NULL);
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_entity entity = kith_commands_spawn_values(commands, m->values, n);
    for (uint32_t i = 0; i < n; i++) {
        kith_commands_set(commands, entity, m->values[i].type, m->values[i].data);
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_UINT(kith_type_count(world), n);
    kith_world_free(world);
}

static void queue_clone(parts *m, uint32_t n)
{
    kith_entity entity = kith_commands_clone(m->commands, m->full);
    for (uint32_t i = 0; i < n; i += 2) {
        kith_commands_remove(m->commands, entity, m->values[i].type);
    }
    kith_commands_despawn(m->commands, m->full);
    apply(m);
}

static void look_at_all(parts *m, uint32_t n)
{
    uint32_t count = 0;
    for (const kith_type *type = kith_component_next(m->world, m->full, NULL); type != NULL;
         type = kith_component_next(m->world, m->full, type)) {
        count++;
    }
    CHECK_UINT(count, n);
}

static void print_entity(parts *m, uint32_t n)
{
    size_t length;
    CHECK_RESULT(kith_print_entity(m->world, m->full, NULL, 0, &length), KITH_OK);
    CHECK(length > n);
}

static char *text_of(const parts *m, uint32_t n, const char *format)
{
    char *text = calloc(n, 64);
    size_t length = 0;
    CHECK_PTR_NOT_NULL(text);
    for (uint32_t i = 0; i < n; i++) {
        length += (size_t)snprintf(text + length, n * (size_t)64 - length, format,
                                   m->values[i].type->name);
    }
    return text;
}

static void parse_entity(parts *m, uint32_t n)
{
    char *text = text_of(m, n, "%s { value = 1 } ");
    CHECK_RESULT(kith_parse_entity(m->world, m->entity, text), KITH_OK);
    free(text);
}

static void use_query(parts *m, uint32_t n)
{
    kith_term terms[MOST + 1];
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = (kith_term){.type = m->values[i].type, .access = KITH_ACCESS_READ};
    }
    terms[n] = (kith_term){0};
    kith_query *query;
    const kith_query_def def = {.terms = terms};
    CHECK_RESULT(kith_query_new(m->world, &def, &query), KITH_OK);
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it) && kith_column(&it, terms[n - 1].type) != NULL);
    kith_iter_close(&it);
    CHECK(kith_query_contains(query, m->full));
    kith_query_free(query);
}

static void use_system(parts *m, uint32_t n)
{
    kith_term terms[MOST + 1];
    kith_term sent[MOST + 1];
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = (kith_term){.type = m->values[i].type, .access = KITH_ACCESS_WRITE};
        sent[i] = (kith_term){.type = m->values[i].type, .access = KITH_ACCESS_WRITE};
        CHECK_RESULT(kith_event_register(m->world, sent[i].type, NULL), KITH_OK);
    }
    terms[n] = sent[n] = (kith_term){0};
    for (uint32_t i = 0; i < 2; i++) {
        const kith_system_def def = {.name = i == 0 ? "a" : "b",
                                     .run = run_nothing,
                                     .query.terms = KITH_TERMS(terms[0]),
                                     .lookups = terms + 1,
                                     .events = sent};
        CHECK_RESULT(kith_system_add(m->world, &def), KITH_OK);
    }
    CHECK_RESULT(kith_run(m->world, 1), KITH_OK);
    size_t length;
    CHECK_RESULT(kith_schedule_print(m->world, NULL, 0, &length), KITH_OK);
}

static void use_scene(parts *m, uint32_t n)
{
    char *lines = text_of(m, n, "    %s { value = 1 }\n");
    char *removed = text_of(m, n / 2, "    - %s\n");
    size_t size = strlen(lines) * 3 + strlen(removed) + 100;
    char *text = malloc(size);
    CHECK_PTR_NOT_NULL(text);
    snprintf(text, size, "prefab base\n%sentity a : base\n%sentity b : base\n%s%s", lines, lines,
             removed, "");
    kith_scene *scene;
    kith_scene_error error;
    if (kith_scene_load(m->world, text, strlen(text), &scene, &error) != KITH_OK) {
        test_fail(__FILE__, __LINE__, "line %u: %s", error.line, error.message);
    }
    const kith_prefab *prefab = kith_scene_prefab(scene, "base");
    CHECK_RESULT(kith_prefab_spawn(prefab, m->values, n, &m->made), KITH_OK);
    CHECK(!kith_is_none(kith_prefab_queue(prefab, m->commands, m->values, n)));
    CHECK_RESULT(kith_scene_save(m->world, NULL, crowd_write_nowhere, NULL, NULL), KITH_OK);
    apply(m);
    kith_scene_free(scene);
    free(text);
    free(lines);
    free(removed);
}

static void use_scene_prefab(parts *m, uint32_t n)
{
    kith_scene *scene;
    CHECK_RESULT(kith_scene_parse(m->world, "prefab bare\n", 12, &scene, NULL), KITH_OK);
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "bare"), m->values, n, &m->made),
                 KITH_OK);
    kith_scene_free(scene);
}

typedef struct own {
    const char *name;
    void (*act)(parts *m, uint32_t n);
    work_order how;
} own;

static uint64_t work_of_own(uint32_t n, const void *context)
{
    const own *o = context;
    parts *m = parts_new(n, o->how);
    uint64_t before = work_done();
    o->act(m, n);
    uint64_t work = work_done() - before;
    kith_world_free(m->world);
    free(m);
    return work;
}

static const own owns[] = {
    {"spawn", spawn, 0},
    {"spawn many", spawn_many, 0},
    {"set several", set_several, 0},
    {"clone, clear, despawn", clone_full, 0},
    {"queue: spawn", queue_spawn, 0},
    {"queue: set several", queue_set_several, 0},
    {"queue: one by one", queue_one_by_one, 0},
    {"queue: by turns", queue_by_turns, 0},
    {"queue: new types", queue_new_types, 0},
    {"queue: clone", queue_clone, 0},
    {"components", look_at_all, 0},
    {"print an entity", print_entity, 0},
    {"parse an entity", parse_entity, 0},
    {"terms of a query", use_query, 0},
    {"uses of a system", use_system, 0},
    {"a scene", use_scene, 0},
    {"a prefab", use_scene_prefab, 0},
};

TEST_WITHIN(30, parts_of_an_entity)
{
    for (size_t i = 0; i < sizeof owns / sizeof owns[0]; i++) {
        for (uint32_t how = 0; how < WORK_ORDERS; how++) {
            own o = owns[i];
            char name[64];
            snprintf(name, sizeof name, "%s, %s", o.name, work_order_names[how]);
            o.how = (work_order)how;
            work_check_items(name, work_of_own, &o, FEW, LIMIT);
        }
    }
}

/* ---- Values of many fields ------------------------------------------------------------------------ */

enum { FIELDS = 4096 };

typedef struct record {
    char name[16]; /* of the type */
    char names[FIELDS][16];
    kith_field fields[FIELDS];
    uint32_t number;
    kith_type type;
    uint32_t values[FIELDS];
} record;

/* A type with fields in any order. */
static record *record_new(uint32_t n, work_order how)
{
    record *r = calloc(1, sizeof *r);
    CHECK_PTR_NOT_NULL(r);
    snprintf(r->name, sizeof r->name, "Record%u_", n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t field = work_nth(how, i, n);
        snprintf(r->names[i], sizeof r->names[i], "field%u", field);
        r->fields[i] = (kith_field){r->names[i], field * 4, 4, KITH_U32};
    }
    r->type = (kith_type){.name = r->name,
                          .size = n * 4,
                          .align = 4,
                          .fields = r->fields,
                          .field_count = n,
                          .number = &r->number};
    return r;
}

static void register_record(kith_world *world, record *r, work_order how)
{
    (void)how;
    CHECK_RESULT(kith_register(world, &r->type, NULL), KITH_OK);
}

static void define_record(kith_world *world, record *r, work_order how)
{
    char name[32];
    snprintf(name, sizeof name, "%s%u", r->name, how); /* defined types are there in all worlds */
    const kith_type_def def = {.name = name,
                               .size = r->type.size,
                               .fields = r->fields,
                               .field_count = r->type.field_count};
    CHECK_RESULT(kith_define(world, &def, NULL), KITH_OK);
}

static void print_record(kith_world *world, record *r, work_order how)
{
    (void)how;
    CHECK(kith_print_value(world, &r->type, r->values, NULL, 0) > r->type.field_count);
}

static void parse_record(kith_world *world, record *r, work_order how)
{
    char *text = calloc(FIELDS, 24);
    CHECK_PTR_NOT_NULL(text);
    size_t length = (size_t)sprintf(text, "{ ");
    uint32_t n = r->type.field_count;
    for (uint32_t i = 0; i < n; i++) {
        length += (size_t)sprintf(text + length, "field%u = %u%s", work_nth(how, i, n), i,
                                  i + 1 < n ? ", " : " }");
    }
    CHECK_RESULT(kith_parse_value(world, &r->type, text, r->values), KITH_OK);
    CHECK_UINT(r->values[work_nth(how, n - 1, n)], n - 1);
    free(text);
}

typedef struct of_fields {
    const char *name;
    void (*act)(kith_world *world, record *r, work_order how);
    work_order order;
} of_fields;

static const of_fields fields[] = {
    {"register", register_record, 0},
    {"define", define_record, 0},
    {"print", print_record, 0},
    {"parse", parse_record, 0},
};

static uint64_t work_of_fields(uint32_t n, const void *context)
{
    const of_fields *of = context;
    kith_world *world = kith_world_new(NULL);
    record *r = record_new(n, of->act == parse_record ? WORK_IN_ORDER : of->order);
    uint64_t before = work_done();
    of->act(world, r, of->order);
    uint64_t work = work_done() - before;
    kith_world_free(world);
    free(r);
    return work;
}

TEST(fields_of_a_value)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        for (uint32_t how = 0; how < WORK_ORDERS; how++) {
            of_fields of = fields[i];
            char name[64];
            snprintf(name, sizeof name, "%s, %s", of.name, work_order_names[how]);
            of.order = (work_order)how;
            work_check_items(name, work_of_fields, &of, FIELDS / 8, LIMIT);
        }
    }
}
