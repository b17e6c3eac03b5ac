/* The part of the play that is about types with hooks. Their values are played with like others: plain
 * bytes, but that the hooks count those that live, overwrite those that do not, and need memory for
 * each that they make, so that they fail when SUBJECT's allocations do. */
#include <kith/reflect.h>
#include <string.h>

#include "components.h"
#include "play.h"

bool play_is_hooked(const kith_type *type)
{
    uint32_t number = play_number(type);
    return number >= COMPONENT_COUNT && number % 4 == 2 && type->size > 0 && !play_is_guarded(type);
}

/* Whether there was memory for so many values. */
static bool make(play_hooked *hooked, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        void *memory = hooked->allocator.allocate(hooked->allocator.context, 8, 8);
        if (memory == NULL) {
            return false;
        }
        hooked->allocator.release(hooked->allocator.context, memory, 8, 8);
    }
    hooked->live += count;
    return true;
}

static kith_result hook_init(void *values, uint32_t count, void *user)
{
    play_hooked *hooked = user;
    memset(values, 0, (size_t)count * hooked->size);
    return make(hooked, count) ? KITH_OK : KITH_ERR_MEMORY;
}

static kith_result hook_copy(void *to, const void *from, uint32_t count, void *user)
{
    play_hooked *hooked = user;
    memcpy(to, from, (size_t)count * hooked->size);
    return make(hooked, count) ? KITH_OK : KITH_ERR_MEMORY;
}

static void hook_move(void *to, void *from, uint32_t count, void *user)
{
    const play_hooked *hooked = user;
    memcpy(to, from, (size_t)count * hooked->size);
    memset(from, 0xDD, (size_t)count * hooked->size);
}

static void hook_destroy(void *values, uint32_t count, void *user)
{
    play_hooked *hooked = user;
    CHECK(hooked->live >= count);
    hooked->live -= count;
    memset(values, 0xDD, (size_t)count * hooked->size);
}

static uint64_t hook_hash(const void *value, void *user)
{
    const play_hooked *hooked = user;
    uint64_t hash = hooked->size;
    for (uint32_t i = 0; i < hooked->size; i++) {
        hash = hash * 0x100000001b3u + ((const unsigned char *)value)[i];
    }
    return hash;
}

/* The same as a type that is made up while the program runs. */
static kith_result define(kith_world *world, const kith_type *type, kith_layout layout)
{
    return kith_define(world,
                       &(kith_type_def){.name = type->name,
                                        .size = type->size,
                                        .align = type->align,
                                        .version = type->version,
                                        .fields = type->fields,
                                        .field_count = type->field_count,
                                        .layout = layout},
                       NULL);
}

kith_result play_register(played *w, const kith_type *type, kith_layout layout)
{
    kith_component_def def = {.layout = layout,
                              .transient = model_is_transient(&w->p->m, type)};
    uint32_t number = play_number(type);
    play_hooked *hooked = &w->hooked[number];
    kith_hooks hooks = {.init = hook_init,
                        .copy = hook_copy,
                        .move = number % 8 == 2 ? hook_move : NULL,
                        .destroy = hook_destroy,
                        .hash = number % 16 == 2 ? NULL : hook_hash,
                        .user = hooked};
    if (play_is_hooked(type)) {
        hooked->allocator = test_memory_allocator(w->f.memory);
        hooked->size = type->size;
        def.hooks = &hooks;
    }
    def.exact_changes = number % 3 == 2 && type->size > 0 && !play_is_hooked(type);
    bool made_up = !def.transient && !def.exact_changes && number >= COMPONENT_COUNT &&
                   number % 4 == 1 && type->field_count < 2 && !play_is_guarded(type);
    return made_up ? define(w->world, type, layout) : kith_register(w->world, type, &def);
}

/* The values of a type that the model has: those of entities, the resource, the events. */
static uint64_t count_values(const play *p, const kith_type *type, const model_queue *queue)
{
    uint64_t having = queue == NULL ? 0 : queue->count;
    having += model_get(&p->m.resources, type) != NULL;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        having += model_get(&p->m.entities[i].values, type) != NULL;
    }
    return having;
}

/* As many values live as the model has; more only where blocks are shared, which have copies, or were
 * when memory for that ran out, so that events which were dropped wait to end. */
void play_look_hooks(play *p)
{
    for (uint32_t number = 0; number < PLAY_TYPES; number++) {
        const kith_type *type = play_type(number);
        const model_queue *queue = model_queue_of(&p->m, type);
        uint64_t having = count_values(p, type, queue);
        for (int world = 0; world < WORLD_COUNT && play_is_hooked(type); world++) {
            uint64_t live = p->worlds[world].hooked[number].live;
            bool may_be_more = p->snapshot_count > 0 ||
                               (world == SUBJECT && (p->share_count > 0 || queue != NULL));
            CHECK(live == having || (may_be_more && live >= having));
        }
    }
}

void play_end_hooks(const play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        for (uint32_t number = 0; number < PLAY_TYPES; number++) {
            CHECK_UINT(p->worlds[world].hooked[number].live, 0);
        }
    }
}
