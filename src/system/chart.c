/* The schedule as text, and as a graph. */

#include "base/text_out.h"
#include "system/dependency.h"
#include "system/predecessors.h"
#include "system/schedule.h"

static void chart_reason(ki_text_out *out, ki_dependency why)
{
    switch (why.kind) {
    case KI_DEPENDS_NOT: break;
    case KI_DEPENDS_PHASE: ki_text_add(out, "phase"); break;
    case KI_DEPENDS_NAME: ki_text_add(out, "by name"); break;
    case KI_DEPENDS_PLAIN: ki_text_add(out, "runs alone"); break;
    case KI_DEPENDS_PRIORITY: ki_text_add(out, "priority"); break;
    case KI_DEPENDS_USE:
        ki_text_add(out, "%s %s", ki_use_kind_name(why.use->kind), why.use->type->name);
        break;
    }
}

static void chart_stages(ki_systems *systems, ki_text_out *out)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system *system = systems->by_stage[i];
        if (i == 0 || systems->by_stage[i - 1]->stage != system->stage) {
            ki_text_add(out, "stage %u (%s)\n", system->stage, system->phase->name);
        }
        ki_text_add(out, "  %s (%d)%s%s%s", system->name, system->priority,
                    system->run == NULL ? ", alone" : "", system->parallel ? ", parallel" : "",
                    system->enabled ? "" : ", off");
        uint32_t count = ki_predecessors_find(systems, system);
        for (uint32_t k = 0; k < count; k++) {
            const ki_system *before = systems->found[k];
            ki_text_add(out, "%s%s (", k == 0 ? ": after " : ", ", before->name);
            chart_reason(out, ki_dependency_of(before, system));
            ki_text_add(out, ")");
        }
        ki_text_add(out, "\n");
    }
}

/* A name as a string of the dot language. */
static void chart_quoted(ki_text_out *out, const char *name)
{
    ki_text_add(out, "\"");
    for (; *name != '\0'; name++) {
        ki_text_add(out, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
    }
    ki_text_add(out, "\"");
}

static void chart_graph(ki_systems *systems, ki_text_out *out)
{
    ki_text_add(out, "digraph schedule {\n    rankdir=LR;\n    node [shape=box];\n");
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->by_stage[i];
        bool first = i == 0 || systems->by_stage[i - 1]->stage != system->stage;
        bool last = i + 1 == systems->count || systems->by_stage[i + 1]->stage != system->stage;
        if (first) {
            ki_text_add(out, "    subgraph cluster_%u {\n        label=\"stage %u\";\n",
                        system->stage, system->stage);
        }
        ki_text_add(out, "        ");
        chart_quoted(out, system->name);
        ki_text_add(out, "%s%s", system->enabled ? ";\n" : " [style=dashed];\n",
                    last ? "    }\n" : "");
    }
    for (uint32_t b = 0; b < systems->count; b++) {
        ki_system *system = systems->in_order[b];
        uint32_t count = ki_predecessors_find(systems, system);
        for (uint32_t k = 0; k < count; k++) {
            const ki_system *before = systems->found[k];
            ki_text_add(out, "    ");
            chart_quoted(out, before->name);
            ki_text_add(out, " -> ");
            chart_quoted(out, system->name);
            ki_text_add(out, " [label=\"");
            chart_reason(out, ki_dependency_of(before, system));
            ki_text_add(out, "\"];\n");
        }
    }
    ki_text_add(out, "}\n");
}

static kith_result chart_print(kith_world *world, const char *call, char *text, size_t size,
                               size_t *length, void (*write)(ki_systems *systems, ki_text_out *out))
{
    KI_TRY(ki_world_require_owner(world, call));
    if (KI_CHECKED && (length == NULL || (text == NULL && size != 0))) {
        return ki_misuse(&world->store.context,
                         "%s: the text, or the place for its length, is NULL", call);
    }
    ki_systems none = {.world = world};
    ki_systems *systems = ki_systems_of(world) == NULL ? &none : ki_systems_of(world);
    if (systems != &none) {
        KI_TRY(ki_schedule_build(systems, call));
        ki_predecessors_link(systems);
    }
    ki_text_out out = ki_text_start(text, size);
    write(systems, &out);
    *length = out.length;
    return KITH_OK;
}

kith_result kith_schedule_print(kith_world *world, char *text, size_t size, size_t *length)
{
    return chart_print(world, "kith_schedule_print", text, size, length, chart_stages);
}

kith_result kith_schedule_dot(kith_world *world, char *text, size_t size, size_t *length)
{
    return chart_print(world, "kith_schedule_dot", text, size, length, chart_graph);
}
