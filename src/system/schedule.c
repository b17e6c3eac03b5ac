/* The schedule: which systems wait for which, and the stages that come of it. */
#include <stdio.h>
#include <string.h>

#include "system/system.h"

static bool schedule_uses_conflict(const ki_use *a, const ki_use *b)
{
    if (a->kind != b->kind || a->number != b->number) {
        return false;
    }
    bool a_writes = a->access == KITH_ACCESS_WRITE;
    bool b_writes = b->access == KITH_ACCESS_WRITE;
    if (a->access == KITH_ACCESS_NONE || b->access == KITH_ACCESS_NONE) {
        return false; /* who has what stands still in a stage */
    }
    return a->kind == KI_USE_EVENT ? (a_writes && b->reads) || (b_writes && a->reads)
                                   : a_writes || b_writes;
}

ki_wait ki_schedule_wait(const ki_systems *systems, const ki_system *a, const ki_system *b)
{
    ki_wait wait = {.kind = KI_WAIT_NOT};
    if (a->phase != b->phase) {
        wait.kind = KI_WAIT_PHASE;
    } else if (ki_order_is_told(systems, a, b)) {
        wait.kind = KI_WAIT_NAME;
    } else if (a->run == NULL || b->run == NULL) {
        wait.kind = KI_WAIT_PLAIN;
    }
    for (uint32_t i = 0; i < a->use_count && wait.kind == KI_WAIT_NOT; i++) {
        for (uint32_t k = 0; k < b->use_count && wait.kind == KI_WAIT_NOT; k++) {
            if (schedule_uses_conflict(&a->uses[i], &b->uses[k])) {
                wait = (ki_wait){KI_WAIT_USE, &a->uses[i], &b->uses[k]};
            }
        }
    }
    if (wait.kind == KI_WAIT_NOT && a->priority != b->priority && !(a->quiet && b->quiet)) {
        wait.kind = KI_WAIT_PRIORITY;
    }
    return wait;
}

/* ---- Conflicts without order ----------------------------------------------------------------- */

/* Whether names say that `a` runs before `b`, be it by way of others. `in_order` keeps to all that
 * is named, so the way leads down the order. */
KI_RARE static bool schedule_is_told(const ki_systems *systems, uint32_t a, uint32_t b)
{
    for (uint32_t i = a; i <= b; i++) {
        ki_system *system = systems->in_order[i];
        system->marked = i == a;
        for (uint32_t k = a; k < i && !system->marked; k++) {
            system->marked = systems->in_order[k]->marked &&
                             ki_order_is_told(systems, systems->in_order[k], system);
        }
    }
    return systems->in_order[b]->marked;
}

static const char *schedule_kind_name(const ki_use *use)
{
    return use->kind == KI_USE_COMPONENT  ? "component"
           : use->kind == KI_USE_RESOURCE ? "resource"
                                          : "event";
}

KI_RARE static kith_result schedule_tell_conflict(ki_systems *systems, const char *call,
                                                  const ki_system *a, const ki_system *b,
                                                  ki_wait wait)
{
    kith_world *world = systems->world;
    char why[300] = "one of them may do anything";
    if (wait.kind == KI_WAIT_USE) {
        snprintf(why, sizeof why, "%s %s", schedule_kind_name(wait.before),
                 wait.before->type->name);
    }
    if (world->conflicts == KITH_CONFLICTS_ERROR) {
        return ki_fail(&world->store.context, KITH_ERR_CONFLICT,
                       "%s: systems '%s' and '%s' conflict (%s), and have no order: use `after`,"
                       " `before` or priorities",
                       call, a->name, b->name, why);
    }
    char message[640];
    snprintf(
        message, sizeof message,
        "systems '%s' and '%s' conflict (%s), and only the order in which they were added tells"
        " which comes first",
        a->name, b->name, why);
    if (world->on_warning != NULL) {
        world->on_warning(message, world->warning_context);
    } else {
        fprintf(stderr, "kith: %s\n", message);
    }
    return KITH_OK;
}

KI_RARE static kith_result schedule_check_conflicts(ki_systems *systems, const char *call)
{
    for (uint32_t k = 0; k < systems->count; k++) {
        const ki_system *b = systems->in_order[k];
        for (uint32_t i = 0; i < k; i++) {
            const ki_system *a = systems->in_order[i];
            ki_wait wait = ki_schedule_wait(systems, a, b);
            if (a->priority == b->priority &&
                (wait.kind == KI_WAIT_USE || wait.kind == KI_WAIT_PLAIN) &&
                !schedule_is_told(systems, i, k)) {
                KI_TRY(schedule_tell_conflict(systems, call, a, b, wait));
            }
        }
    }
    return KITH_OK;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

KI_RARE static void schedule_make_stages(ki_systems *systems)
{
    systems->stage_count = 0;
    for (uint32_t k = 0; k < systems->count; k++) {
        ki_system *system = systems->in_order[k];
        system->stage = 0;
        for (uint32_t i = 0; i < k; i++) {
            const ki_system *before = systems->in_order[i];
            if (before->stage >= system->stage &&
                ki_schedule_wait(systems, before, system).kind != KI_WAIT_NOT) {
                system->stage = before->stage + 1;
            }
        }
        if (system->stage >= systems->stage_count) {
            systems->stage_count = system->stage + 1;
        }
    }
    uint32_t placed = 0;
    for (uint32_t stage = 0; stage < systems->stage_count; stage++) {
        for (uint32_t i = 0; i < systems->count; i++) {
            if (systems->in_order[i]->stage == stage) {
                systems->staged[placed++] = systems->in_order[i];
            }
        }
    }
}

KI_RARE kith_result ki_schedule_build(ki_systems *systems, const char *call)
{
    if (systems->built) {
        return KITH_OK;
    }
    ki_systems_sort(systems);
    KI_TRY(ki_order_check(systems, call));
    if (systems->world->conflicts != KITH_CONFLICTS_OFF) {
        KI_TRY(schedule_check_conflicts(systems, call));
    }
    schedule_make_stages(systems);
    systems->built = true;
    return KITH_OK;
}

KI_RARE kith_result kith_schedule_build(kith_world *world)
{
    KI_REQUIRE_OWNER(world, "kith_schedule_build", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, !world->running, KITH_ERR_MISUSE,
                 "kith_schedule_build: kith_run is under way, which has built it");
    ki_systems *systems = ki_systems_of(world);
    return systems == NULL ? KITH_OK : ki_schedule_build(systems, "kith_schedule_build");
}

/* ---- As text --------------------------------------------------------------------------------- */

/* A text that may be longer than the room for it. */
typedef struct schedule_text {
    char *text;
    size_t size;
    size_t length;
} schedule_text;

KITH_FORMAT_(2, 3) KI_RARE static void schedule_write(schedule_text *out, const char *format, ...)
{
    char piece[256]; /* a name, and some words */
    va_list arguments;
    va_start(arguments, format);
    ki_format(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (out->length < out->size) {
        snprintf(out->text + out->length, out->size - out->length, "%s", piece);
    }
    out->length += strlen(piece);
}

KI_RARE static void schedule_write_reason(schedule_text *out, ki_wait wait)
{
    switch (wait.kind) {
    case KI_WAIT_NOT: break;
    case KI_WAIT_PHASE: schedule_write(out, "phase"); break;
    case KI_WAIT_NAME: schedule_write(out, "by name"); break;
    case KI_WAIT_PLAIN: schedule_write(out, "runs alone"); break;
    case KI_WAIT_PRIORITY: schedule_write(out, "priority"); break;
    case KI_WAIT_USE:
        schedule_write(out, "%s %s", schedule_kind_name(wait.before), wait.before->type->name);
        break;
    }
}

/* Why `b` waits for `a`, if it does not anyway wait for one that waits for `a`. */
KI_RARE static ki_wait schedule_direct_wait(const ki_systems *systems, uint32_t a, uint32_t b)
{
    ki_system *const *in_order = systems->in_order;
    ki_wait wait = ki_schedule_wait(systems, in_order[a], in_order[b]);
    for (uint32_t i = a + 1; i < b && wait.kind != KI_WAIT_NOT; i++) {
        if (ki_schedule_wait(systems, in_order[a], in_order[i]).kind != KI_WAIT_NOT &&
            ki_schedule_wait(systems, in_order[i], in_order[b]).kind != KI_WAIT_NOT) {
            wait.kind = KI_WAIT_NOT;
        }
    }
    return wait;
}

KI_RARE static uint32_t schedule_place(const ki_systems *systems, const ki_system *system)
{
    uint32_t place = 0;
    while (systems->in_order[place] != system) {
        place++;
    }
    return place;
}

KI_RARE static void schedule_write_text(const ki_systems *systems, schedule_text *out)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->staged[i];
        if (i == 0 || systems->staged[i - 1]->stage != system->stage) {
            schedule_write(out, "stage %u (%s)\n", system->stage, system->phase);
        }
        schedule_write(out, "  %s (%d)%s%s%s", system->name, system->priority,
                       system->run == NULL ? ", alone" : "", system->parallel ? ", parallel" : "",
                       system->enabled ? "" : ", off");
        uint32_t place = schedule_place(systems, system);
        const char *before = ": after ";
        for (uint32_t a = 0; a < place; a++) {
            ki_wait wait = schedule_direct_wait(systems, a, place);
            if (wait.kind != KI_WAIT_NOT) {
                schedule_write(out, "%s%s (", before, systems->in_order[a]->name);
                schedule_write_reason(out, wait);
                schedule_write(out, ")");
                before = ", ";
            }
        }
        schedule_write(out, "\n");
    }
}

/* A name as a string of the dot language. */
KI_RARE static void schedule_write_quoted(schedule_text *out, const char *name)
{
    schedule_write(out, "\"");
    for (; *name != '\0'; name++) {
        schedule_write(out, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
    }
    schedule_write(out, "\"");
}

KI_RARE static void schedule_write_dot(const ki_systems *systems, schedule_text *out)
{
    schedule_write(out, "digraph schedule {\n    rankdir=LR;\n    node [shape=box];\n");
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->staged[i];
        bool first = i == 0 || systems->staged[i - 1]->stage != system->stage;
        bool last = i + 1 == systems->count || systems->staged[i + 1]->stage != system->stage;
        if (first) {
            schedule_write(out, "    subgraph cluster_%u {\n        label=\"stage %u\";\n",
                           system->stage, system->stage);
        }
        schedule_write(out, "        ");
        schedule_write_quoted(out, system->name);
        schedule_write(out, "%s%s", system->enabled ? ";\n" : " [style=dashed];\n",
                       last ? "    }\n" : "");
    }
    for (uint32_t b = 0; b < systems->count; b++) {
        for (uint32_t a = 0; a < b; a++) {
            ki_wait wait = schedule_direct_wait(systems, a, b);
            if (wait.kind != KI_WAIT_NOT) {
                schedule_write(out, "    ");
                schedule_write_quoted(out, systems->in_order[a]->name);
                schedule_write(out, " -> ");
                schedule_write_quoted(out, systems->in_order[b]->name);
                schedule_write(out, " [label=\"");
                schedule_write_reason(out, wait);
                schedule_write(out, "\"];\n");
            }
        }
    }
    schedule_write(out, "}\n");
}

KI_RARE static kith_result
schedule_print(kith_world *world, const char *call, char *text, size_t size, size_t *length,
               void (*write)(const ki_systems *systems, schedule_text *out))
{
    KI_REQUIRE_OWNER(world, call, KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, length != NULL && (text != NULL || size == 0),
                 KITH_ERR_MISUSE, "%s: the text, or the place for its length, is NULL", call);
    static const ki_systems none;
    ki_systems *systems = ki_systems_of(world);
    if (systems != NULL) {
        KI_TRY(ki_schedule_build(systems, call));
    }
    schedule_text out = {.text = text, .size = size};
    if (size != 0) {
        text[0] = '\0';
    }
    write(systems == NULL ? &none : systems, &out);
    *length = out.length;
    return KITH_OK;
}

KI_RARE kith_result kith_schedule_print(kith_world *world, char *text, size_t size, size_t *length)
{
    return schedule_print(world, "kith_schedule_print", text, size, length, schedule_write_text);
}

KI_RARE kith_result kith_schedule_dot(kith_world *world, char *text, size_t size, size_t *length)
{
    return schedule_print(world, "kith_schedule_dot", text, size, length, schedule_write_dot);
}
