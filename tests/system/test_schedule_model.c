/* The schedule of random systems is that of a model that simply compares all pairs: order,
 * stages, which system waits for which and why, conflicts, and messages for mistakes. */
#include <kith/schedule.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "random.h"
#include "test.h"

enum { SYSTEMS = 14, NAMED = 2, THINGS = 9, TEXT = 60000 };

/* Of each kind three: components in the query and by handle, resources, events. */
static const kith_type *const thing_types[THINGS] = {&Position_type, &Velocity_type, &Health_type,
                                                     &Extra_type,    &Name_type,     &Big_type,
                                                     &Byte_type,     &Frozen_type,   &Target_type};
static const char *const kind_names[] = {"component", "resource", "event"};
static const char *const phases[] = {KITH_PHASE_EARLY, KITH_PHASE_UPDATE, KITH_PHASE_LATE};

typedef struct model_use {
    uint32_t thing;
    bool reads;
    bool writes;
} model_use;

typedef struct model_system {
    char name[12];
    uint32_t phase;
    int32_t priority;
    bool plain;
    bool no_commands;
    uint32_t before[NAMED]; /* numbers of systems, or SYSTEMS for a name that no system has */
    uint32_t before_count;
    uint32_t after[NAMED];
    uint32_t after_count;
    model_use uses[THINGS];
    uint32_t use_count;
    uint32_t born;
    uint32_t stage;
} model_system;

typedef struct model {
    model_system all[SYSTEMS]; /* by number */
    uint32_t count;
    uint32_t order[SYSTEMS]; /* numbers */
    bool warned;             /* there were conflicts to warn about */
    char text[TEXT];
    size_t length;
} model;

static void say(model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(model *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    m->length += (size_t)vsnprintf(m->text + m->length, TEXT - m->length, format, arguments);
    va_end(arguments);
    CHECK(m->length < TEXT);
}

/* ---- What waits for what ------------------------------------------------------------------------- */

static bool is_in(const uint32_t *list, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == number) {
            return true;
        }
    }
    return false;
}

static bool is_named(const model *m, uint32_t a, uint32_t b)
{
    return is_in(m->all[a].before, m->all[a].before_count, b) ||
           is_in(m->all[b].after, m->all[b].after_count, a);
}

static bool is_told(const model *m, uint32_t a, uint32_t b)
{
    return m->all[a].phase < m->all[b].phase || is_named(m, a, b);
}

/* Why `b` waits for `a`, which comes before it: "" if it does not. */
static const char *reason(const model *m, uint32_t a, uint32_t b)
{
    static char text[64];
    const model_system *first = &m->all[a];
    const model_system *second = &m->all[b];
    if (first->phase != second->phase) {
        return "phase";
    }
    if (is_named(m, a, b)) {
        return "by name";
    }
    if (first->plain || second->plain) {
        return "runs alone";
    }
    for (uint32_t i = 0; i < first->use_count; i++) {
        for (uint32_t k = 0; k < second->use_count; k++) {
            const model_use *x = &first->uses[i];
            const model_use *y = &second->uses[k];
            if (x->thing == y->thing && ((x->writes && y->reads) || (x->reads && y->writes))) {
                snprintf(text, sizeof text, "%s %s",
                         kind_names[x->thing < 5   ? 0
                                    : x->thing < 7 ? 1
                                                   : 2],
                         thing_types[x->thing]->name);
                return text;
            }
        }
    }
    return first->priority != second->priority && !(first->no_commands && second->no_commands)
               ? "priority"
               : "";
}

static bool waits(const model *m, uint32_t a, uint32_t b)
{
    return *reason(m, m->order[a], m->order[b]) != '\0';
}

/* ---- Order --------------------------------------------------------------------------------------- */

static bool comes_first(const model_system *a, const model_system *b)
{
    return a->phase != b->phase         ? a->phase < b->phase
           : a->priority != b->priority ? a->priority < b->priority
                                        : a->born < b->born;
}

static void move(model *m, uint32_t from, uint32_t to)
{
    uint32_t number = m->order[from];
    memmove(m->order + to + 1, m->order + to, (from - to) * sizeof *m->order);
    m->order[to] = number;
}

/* The first place from `from` on of a system that has to run before the one in `place`; `count`
 * if there is none. */
static uint32_t blocker(const model *m, uint32_t from, uint32_t place)
{
    while (from < m->count && !is_told(m, m->order[from], m->order[place])) {
        from++;
    }
    return from;
}

/* Returns how many could be placed. */
static uint32_t sort(model *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        m->order[i] = i;
        uint32_t place = i;
        while (place > 0 && comes_first(&m->all[i], &m->all[m->order[place - 1]])) {
            place--;
        }
        move(m, i, place);
    }
    for (uint32_t place = 0; place < m->count; place++) {
        uint32_t next = place;
        while (next < m->count && blocker(m, place, next) != m->count) {
            next++;
        }
        if (next == m->count) {
            return place;
        }
        move(m, next, place);
    }
    return m->count;
}

static bool tell_unknown(model *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const model_system *s = &m->all[m->order[i]];
        bool before = is_in(s->before, s->before_count, SYSTEMS);
        if (before || is_in(s->after, s->after_count, SYSTEMS)) {
            say(m, "system '%s' is to run %s 'nobody', which is not there", s->name,
                before ? "before" : "after");
            return true;
        }
    }
    return false;
}

static void tell_circle(model *m, uint32_t placed)
{
    uint32_t place = placed;
    for (uint32_t steps = placed; steps < m->count; steps++) {
        place = blocker(m, placed, place);
    }
    uint32_t start = place;
    do {
        say(m, "'%s' after ", m->all[m->order[place]].name);
        place = blocker(m, placed, place);
    } while (place != start);
    say(m, "'%s'", m->all[m->order[start]].name);
}

/* ---- Conflicts and stages ------------------------------------------------------------------------ */

static bool is_told_by_way(const model *m, uint32_t a, uint32_t b)
{
    bool reached[SYSTEMS] = {false};
    reached[a] = true;
    for (uint32_t i = a + 1; i <= b; i++) {
        for (uint32_t k = a; k < i; k++) {
            reached[i] = reached[i] || (reached[k] && is_told(m, m->order[k], m->order[i]));
        }
    }
    return reached[b];
}

/* Says which pairs conflict without an order; only the first with `first`. */
static void tell_conflicts(model *m, bool first)
{
    for (uint32_t b = 0; b < m->count; b++) {
        for (uint32_t a = 0; a < b && !(first && m->warned); a++) {
            const char *why = reason(m, m->order[a], m->order[b]);
            bool conflict = strchr("cre", *why) !=
                            NULL; /* of a component, a resource, an event, or "runs alone" */
            if (*why == '\0' || !conflict || is_told_by_way(m, a, b) ||
                m->all[m->order[a]].priority != m->all[m->order[b]].priority) {
                continue;
            }
            m->warned = true;
            say(m, "systems '%s' and '%s' conflict (%s)\n", m->all[m->order[a]].name,
                m->all[m->order[b]].name,
                *why == 'r' && why[1] == 'u' ? "one of them may do anything" : why);
        }
    }
}

static void give_stages(model *m)
{
    for (uint32_t b = 0; b < m->count; b++) {
        model_system *system = &m->all[m->order[b]];
        system->stage = 0;
        for (uint32_t a = 0; a < b; a++) {
            const model_system *before = &m->all[m->order[a]];
            if (waits(m, a, b) && before->stage >= system->stage) {
                system->stage = before->stage + 1;
            }
        }
    }
}

static bool waits_directly(const model *m, uint32_t a, uint32_t b)
{
    bool direct = waits(m, a, b);
    for (uint32_t i = a + 1; i < b && direct; i++) {
        direct = !(waits(m, a, i) && waits(m, i, b));
    }
    return direct;
}

static void describe(model *m)
{
    uint32_t told = 0;
    for (uint32_t stage = 0; told < m->count; stage++) {
        bool first = true;
        for (uint32_t b = 0; b < m->count; b++) {
            const model_system *s = &m->all[m->order[b]];
            if (s->stage != stage) {
                continue;
            }
            told++;
            if (first) {
                say(m, "stage %u (%s)\n", stage, phases[s->phase]);
            }
            first = false;
            say(m, "  %s (%d)%s", s->name, s->priority, s->plain ? ", alone" : "");
            const char *before = ": after ";
            for (uint32_t a = 0; a < b; a++) {
                if (waits_directly(m, a, b)) {
                    say(m, "%s%s (%s)", before, m->all[m->order[a]].name,
                        reason(m, m->order[a], m->order[b]));
                    before = ", ";
                }
            }
            say(m, "\n");
        }
    }
}

static void describe_graph(model *m)
{
    for (uint32_t b = 0; b < m->count; b++) {
        for (uint32_t a = 0; a < b; a++) {
            if (waits_directly(m, a, b)) {
                say(m, "    \"%s\" -> \"%s\" [label=\"%s\"];\n", m->all[m->order[a]].name,
                    m->all[m->order[b]].name, reason(m, m->order[a], m->order[b]));
            }
        }
    }
}

/* ---- Random systems ------------------------------------------------------------------------------ */

/* How often a run of the test does what. Most sets of systems are of one kind. */
typedef struct taste {
    uint32_t names;      /* in 16, for a list that has one */
    uint32_t priorities; /* different ones */
    uint32_t phases;
    uint32_t plain; /* in 16 */
    uint32_t no_commands;
    uint32_t first_thing; /* that systems use, */
    uint32_t things;      /* and how many */
    uint32_t uses;        /* in 16, of each thing */
    uint32_t writes;
} taste;

static taste draw_taste(uint64_t *random)
{
    uint32_t first = random_below(random, 3) == 0 ? THINGS - 2 : random_below(random, THINGS);
    return (taste){.first_thing = first,
                   .things = 1 + random_below(random, THINGS - first),
                   .names = random_below(random, 12),
                   .priorities = 1 + random_below(random, 2) * random_below(random, 4),
                   .phases = 1 + random_below(random, 2) * random_below(random, 3),
                   .plain = random_below(random, 3) * 2,
                   .no_commands = random_below(random, 3) * 7,
                   .uses = random_below(random, 3) * random_below(random, 8),
                   .writes = 2 + random_below(random, 12)};
}

static uint32_t draw_names(uint64_t *random, const taste *t, uint32_t self, uint32_t count,
                           bool later, uint32_t *list)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < NAMED; i++) {
        if (random_below(random, 16) >= t->names) {
            continue;
        }
        uint32_t other = random_below(random, count);
        /* Mostly in a direction that makes no circle. */
        bool right = later ? other > self : other < self;
        if (!right && random_below(random, 60) != 0) {
            continue;
        }
        list[named++] = random_below(random, 300) == 0 ? SYSTEMS : other;
    }
    return named;
}

static void draw(uint64_t *random, model *m)
{
    taste t = draw_taste(random);
    m->count = 1 + random_below(random, SYSTEMS);
    for (uint32_t i = 0; i < m->count; i++) {
        model_system *s = &m->all[i];
        *s = (model_system){.phase = random_below(random, t.phases),
                            .priority = (int32_t)random_below(random, t.priorities) - 1,
                            .plain = random_below(random, 16) < t.plain,
                            .born = i};
        s->no_commands = random_below(random, 16) < t.no_commands;
        snprintf(s->name, sizeof s->name, "s%u", i);
        s->before_count = draw_names(random, &t, i, m->count, true, s->before);
        s->after_count = draw_names(random, &t, i, m->count, false, s->after);
        for (uint32_t k = 0; k < t.things && !s->plain; k++) {
            uint32_t thing = t.first_thing + k;
            if (random_below(random, 16) < t.uses) {
                bool writes = random_below(random, 16) < t.writes;
                bool reads = thing < 7 || !writes || random_below(random, 6) == 0;
                s->uses[s->use_count++] = (model_use){thing, reads, writes};
            }
        }
    }
}

/* ---- The same in a world ------------------------------------------------------------------------- */

/* The names of systems as a list; `text` has room for NAMED of them. */
static void list_names(const model *m, const uint32_t *systems, uint32_t count, char *text)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *name = systems[i] == SYSTEMS ? "nobody" : m->all[systems[i]].name;
        CHECK(strlen(name) < 12);
        text += sprintf(text, "%s%s", i == 0 ? "" : ", ", name);
    }
}

static void add(kith_world *world, const model *m, const model_system *s)
{
    char before[NAMED * 16] = "";
    char after[NAMED * 16] = "";
    list_names(m, s->before, s->before_count, before);
    list_names(m, s->after, s->after_count, after);
    kith_term terms[4][2 * THINGS + 1] = {{{0}}}; /* of the query, `lookups`, resources, events */
    uint32_t counts[4] = {0};
    for (uint32_t i = 0; i < s->use_count; i++) {
        const model_use *use = &s->uses[i];
        uint32_t list = use->thing < 3 ? 0 : use->thing < 5 ? 1 : use->thing < 7 ? 2 : 3;
        kith_term term = {.type = thing_types[use->thing], .access = KITH_ACCESS_WRITE};
        if (use->writes) {
            terms[list][counts[list]++] = term;
        }
        term.access = KITH_ACCESS_READ;
        if (!use->writes || (use->reads && list == 3)) {
            terms[list][counts[list]++] = term;
        }
    }
    const kith_system_def def = {.name = s->name,
                                 .priority = s->priority,
                                 .phase = phases[s->phase],
                                 .before = s->before_count == 0 ? NULL : before,
                                 .after = s->after_count == 0 ? NULL : after,
                                 .update = s->plain ? update_nothing : NULL,
                                 .run = s->plain ? NULL : run_nothing,
                                 .no_commands = s->no_commands,
                                 .query = {.terms = terms[0]},
                                 .lookups = terms[1],
                                 .resources = terms[2],
                                 .events = terms[3]};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* What was warned of, up to the comma. */
static void keep_warning(kith_log_level level, const char *message, void *context)
{
    CHECK_INT(level, KITH_LOG_WARNING);
    char *warnings = context;
    size_t length = strlen(warnings);
    const char *comma = strstr(message, "),");
    CHECK_PTR_NOT_NULL(comma);
    snprintf(warnings + length, TEXT - length, "%.*s\n", (int)(comma + 1 - message), message);
}

static char warnings[TEXT];
static char printed[TEXT];
static char graph[TEXT];
static model made;

static fixture new_world(const model *m, kith_conflicts conflicts)
{
    warnings[0] = '\0';
    fixture f = fixture_new_with(
        &(kith_world_def){.conflicts = conflicts, .on_log = keep_warning, .log_context = warnings});
    register_all(f.world, KITH_TABLE);
    for (uint32_t i = 0; i < m->count; i++) {
        add(f.world, m, &m->all[i]);
    }
    return f;
}

static void check_described(fixture *f, model *m)
{
    size_t length;
    m->length = 0;
    describe(m);
    CHECK_RESULT(kith_schedule_print(f->world, printed, sizeof printed, &length), KITH_OK);
    CHECK_STR(printed, m->text);
    CHECK_UINT(length, m->length);
    m->length = 0;
    describe_graph(m);
    CHECK_RESULT(kith_schedule_dot(f->world, graph, sizeof graph, &length), KITH_OK);
    CHECK_CONTAINS(graph, m->length == 0 ? "}\n" : m->text);
    for (uint32_t i = 0; i < m->count; i++) {
        CHECK_STR(kith_system_at(f->world, i, NULL, NULL), m->all[m->order[i]].name);
    }
}

/* Systems without mistakes, with a conflict or without. */
static void check_right(model *m)
{
    m->length = 0;
    m->warned = false;
    m->text[0] = '\0';
    tell_conflicts(m, false);
    fixture f = new_world(m, KITH_CONFLICTS_WARN);
    CHECK_RESULT(kith_schedule_build(f.world), KITH_OK);
    CHECK_STR(warnings, m->text);
    give_stages(m);
    check_described(&f, m);
    /* Some are removed and added again, after all others. The schedule is again that of the
     * model. */
    uint32_t again = m->count / 2;
    for (uint32_t i = 0; i < again; i++) {
        CHECK_RESULT(kith_system_remove(f.world, m->all[i].name), KITH_OK);
    }
    for (uint32_t i = 0; i < again; i++) {
        add(f.world, m, &m->all[i]);
        m->all[i].born = SYSTEMS + i;
    }
    if (sort(m) == m->count) {
        give_stages(m);
        check_described(&f, m);
    }
    fixture_free(&f);
}

static void check_error(model *m, kith_conflicts conflicts, kith_result expected)
{
    fixture f = new_world(m, conflicts);
    CHECK_RESULT(kith_schedule_build(f.world), expected);
    if (expected != KITH_OK) {
        m->text[strcspn(m->text, "\n")] = '\0';
        CHECK_CONTAINS(kith_error(f.world), m->text);
    }
    fixture_free(&f);
}

/* Returns which case the set of systems was. */
static uint32_t check_set(model *m)
{
    m->length = 0;
    uint32_t placed = sort(m);
    if (tell_unknown(m)) {
        check_error(m, KITH_CONFLICTS_OFF, KITH_ERR_UNKNOWN);
        return 0;
    }
    if (placed != m->count) {
        tell_circle(m, placed);
        check_error(m, KITH_CONFLICTS_OFF, KITH_ERR_CONFLICT);
        return 1;
    }
    m->warned = false;
    m->text[0] = '\0';
    tell_conflicts(m, true);
    bool warned = m->warned;
    check_error(m, KITH_CONFLICTS_ERROR, warned ? KITH_ERR_CONFLICT : KITH_OK);
    check_right(m);
    return warned ? 2 : 3;
}

TEST_WITHIN(30, the_schedule_is_that_of_all_pairs)
{
    static char note[64];
    uint32_t seen[4] = {0};
    uint64_t seed = test_number("KITH_TEST_SEED", 1);
    uint32_t rounds = test_long() ? 400000 : 10000;
    test_note(note);
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t random = seed + round;
        snprintf(note, sizeof note, "KITH_TEST_SEED=%llu", (unsigned long long)(seed + round));
        draw(&random, &made);
        seen[check_set(&made)]++;
    }
    test_note(NULL);
    /* Unknown names, circles, conflicts, and sets without mistakes. */
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(rounds < 100 || seen[i] > rounds / 100);
    }
}
