/* Makes, asks and frees live queries. */
#include "index/live.h"

#include "query/condition.h"
#include "query/cursor.h"

/* ---- The live queries of a world */

static void live_drop(kith_live *live)
{
    ki_heap *heap = &live->world->store.context.heap;
    ki_live_end(live);
    if (live->query != NULL) {
        ki_query_drop(live->query);
    }
    ki_heap_free(heap, live, sizeof *live, _Alignof(kith_live));
}

static void lives_free(kith_world *world, void *data)
{
    (void)world;
    for (kith_live *live = data; live != NULL;) {
        kith_live *next = live->next;
        live_drop(live);
        live = next;
    }
}

static const char *live_check_notes(const ki_live_notes *notes)
{
    for (uint32_t word = 0; word < notes->altered.words; word++) {
        if ((notes->altered.bits[word] & ~notes->touched.bits[word]) != 0) {
            return "a live query would not look at an entity whose value it saw changed";
        }
    }
    const char *wrong = ki_slot_marks_check(&notes->touched);
    return wrong != NULL ? wrong : ki_slot_marks_check(&notes->altered);
}

static const char *live_check(const kith_live *live)
{
    const ki_slot_marks *marks[] = {&live->members, &live->disabled};
    for (uint32_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *wrong = ki_slot_marks_check(marks[i]);
        if (wrong != NULL) {
            return wrong;
        }
    }
    const char *wrong = live_check_notes(&live->notes);
    for (uint32_t i = 0; wrong == NULL && i < live->other_count; i++) {
        wrong = live_check_notes(&live->others[i].notes);
    }
    if (wrong != NULL) {
        return wrong;
    }
    for (uint32_t i = 0; i < live->follower_count; i++) {
        const kith_index *index = &live->followers[i].index;
        if (index->reader.place > index->component->write_log->count) {
            return "a live query has read more than was written";
        }
    }
    return ki_slot_marks_count(&live->members) == live->count ? NULL
                                                              : "a live query miscounts its set";
}

static const char *lives_check(const kith_world *world, const void *data)
{
    (void)world;
    const char *wrong = NULL;
    for (const kith_live *live = data; live != NULL && wrong == NULL; live = live->next) {
        wrong = live_check(live);
    }
    return wrong;
}

static void lives_state_restore(kith_world *world, const void *state)
{
    (void)state;
    for (kith_live *live = world->parts[KI_PART_LIVES].data; live != NULL; live = live->next) {
        for (uint32_t i = 0; i < live->follower_count; i++) {
            ki_index_distrust(&live->followers[i].index);
        }
    }
}

/* They belong to the outside: a restore tells them the difference. */
static const ki_state_calls lives_state = {.take = ki_derived_take,
                                           .reserve = ki_derived_reserve,
                                           .restore = lives_state_restore,
                                           .free = ki_derived_free};

static const ki_attachment_calls lives_calls = {
    .free = lives_free, .check = lives_check, .state = &lives_state};

/* ---- Making one */

/* Whether a query can be kept up to date by what happens to the components that it names. */
static kith_result live_check_query(kith_world *world, const kith_query *query)
{
    ki_context *context = ki_world_context(world);
    const ki_query_label label = ki_query_label_of(query);
    bool required = false;
    for (uint32_t i = 0; i < query->term_count; i++) {
        kith_role role = query->terms[i].role;
        required = required || role == KITH_MUST || role == KITH_ONE_OF;
    }
    if (query->looks) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_live_new: %s has a term about what changed; a live query tells"
                       " that by itself",
                       label.text);
    }
    if (query->levels != NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_live_new: %s has an `order`; a live query is a set, and tells in"
                       " the order of slots",
                       label.text);
    }
    if (query->conditions != NULL && query->conditions->pairs != NULL) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "kith_live_new: %s has KITH_PAIR, so that its rows have several entities;"
            " a live query is a set of entities",
            label.text);
    }
    if (query->conditions != NULL && query->conditions->nested) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "kith_live_new: %s has a condition about another entity within one about"
            " another entity; name both relations at once, KITH_VIA(A, KITH_VIA(B, ...))",
            label.text);
    }
    if (query->conditions != NULL && query->conditions->paths) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_live_new: %s has a condition about the path of an entity, which"
                       " other entities change; ask for its name, and for its parent's",
                       label.text);
    }
    return required ? KITH_OK
                    : ki_fail(context, KITH_ERR_INPUT,
                              "kith_live_new: %s has no component that an entity must have",
                              label.text);
}

static kith_result live_require_new(kith_world *world, const kith_query *query, kith_live **live)
{
    KI_TRY(ki_world_require_owner(world, "kith_live_new"));
    const ki_context *context = &world->store.context;
    if (KI_CHECKED && (query == NULL || live == NULL)) {
        return ki_misuse(context,
                         "kith_live_new: the query, or the place for the live query, is NULL");
    }
    if (KI_CHECKED && query->store != &world->store) {
        return ki_misuse(context, "kith_live_new: %s is of another world",
                         ki_query_label_of(query).text);
    }
    if (KI_CHECKED && query->live != NULL) {
        return ki_misuse(context, "kith_live_new: %s belongs to another live query",
                         ki_query_label_of(query).text);
    }
    return live_check_query(world, query);
}

kith_result kith_live_new(kith_world *world, kith_query *query, kith_live **live)
{
    KI_TRY(live_require_new(world, query, live));
    ki_heap *heap = &world->store.context.heap;
    kith_live *made = ki_heap_alloc_zeroed(heap, sizeof *made, _Alignof(kith_live));
    if (made == NULL) {
        return ki_without_message(heap, KITH_ERR_MEMORY);
    }
    made->world = world;
    made->query = query;
    kith_result result = ki_live_begin(made);
    if (result != KITH_OK) {
        made->query = NULL; /* it stays the caller's */
        live_drop(made);
        return ki_without_message(heap, result);
    }
    query->live = &made->query;
    ki_attachment *part = &world->parts[KI_PART_LIVES];
    made->next = part->data;
    part->data = made;
    part->calls = &lives_calls;
    *live = made;
    return KITH_OK;
}

/* Whether the caller may ask; at the start of each call. */
static kith_result live_require(const kith_live *live, const char *call)
{
    if (KI_CHECKED && live == NULL) {
        return ki_misuse(NULL, "%s: the live query is NULL", call);
    }
    return ki_context_require_thread(&live->world->store.context, call);
}

void kith_live_free(kith_live *live)
{
    if (live == NULL || live_require(live, "kith_live_free") != KITH_OK) {
        return;
    }
    if (KI_CHECKED && live->query->open_count != 0) {
        char where[256];
        ki_query_print_open(&live->world->store, live->query, where, sizeof where);
        ki_misuse(&live->world->store.context,
                  "kith_live_free: %s is open (%s); end its iteration first",
                  ki_query_label_of(live->query).text, where);
        return;
    }
    ki_attachment *part = &live->world->parts[KI_PART_LIVES];
    if (part->data == live) {
        part->data = live->next;
    } else {
        kith_live *before = part->data;
        while (before->next != live) {
            before = before->next;
        }
        before->next = live->next;
    }
    live_drop(live);
}

/* ---- Asking */

kith_result kith_live_next(kith_live *live, kith_live_changes *changes)
{
    KI_TRY(live_require(live, "kith_live_next"));
    ki_context *context = &live->world->store.context;
    if (KI_CHECKED && changes == NULL) {
        return ki_misuse(context, "kith_live_next: there is no place for the changes");
    }
    if (live->query->conditions != NULL) {
        KI_TRY(ki_conditions_require_bound(live->query, "kith_live_next"));
    }
    kith_result result = ki_live_refresh(live);
    if (result == KITH_OK) {
        result = ki_live_settle(live, changes);
    }
    return result == KITH_OK ? result : ki_without_message(&context->heap, result);
}

uint32_t kith_live_count(const kith_live *live)
{
    return live_require(live, "kith_live_count") == KITH_OK ? live->count : 0;
}

bool kith_live_has(const kith_live *live, kith_entity entity)
{
    if (live_require(live, "kith_live_has") != KITH_OK) {
        return false;
    }
    uint32_t slot = entity.index1 - 1; /* of KITH_NONE: one that never is in the set */
    return ki_slot_marks_has(&live->members, slot) && live->generations[slot] == entity.generation;
}

kith_entity kith_live_after(const kith_live *live, kith_entity previous)
{
    if (live_require(live, "kith_live_after") != KITH_OK) {
        return KITH_NONE;
    }
    uint32_t slot = ki_slot_marks_next(&live->members, previous.index1);
    return slot == UINT32_MAX ? KITH_NONE : (kith_entity){slot + 1, live->generations[slot]};
}

kith_live_counts kith_live_stats(const kith_live *live)
{
    if (live_require(live, "kith_live_stats") != KITH_OK) {
        return (kith_live_counts){0};
    }
    const ki_live_room *room = &live->room;
    kith_live_counts counts = {.tested = live->tested};
    counts.bytes =
        sizeof *live + room->followers * sizeof *live->followers +
        room->trackers * sizeof(kith_tracker *) + ki_slot_marks_bytes(&live->notes.touched) +
        ki_slot_marks_bytes(&live->notes.altered) + room->others * sizeof *live->others +
        ki_slot_marks_bytes(&live->members) +
        live->lifetimes.capacity * sizeof *live->lifetimes.seen +
        live->generation_capacity * sizeof *live->generations +
        live->told_capacity * sizeof *live->told;
    for (uint32_t i = 0; i < live->other_count; i++) {
        counts.bytes += ki_slot_marks_bytes(&live->others[i].notes.touched) +
                        ki_slot_marks_bytes(&live->others[i].notes.altered);
    }
    for (uint32_t i = 0; i < live->follower_count; i++) {
        const kith_index *index = &live->followers[i].index;
        counts.bytes += ki_mirrors_bytes(&index->mirrors);
        counts.rows_compared += index->counts.rows_compared;
    }
    return counts;
}
