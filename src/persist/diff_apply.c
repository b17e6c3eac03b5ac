/* Applies the difference of two snapshots, or a saved world: the difference to one that has nothing.
 *
 * A snapshot of the world is taken. The difference is written into the world, a view of that is taken,
 * and the world goes back to what it was: nothing has happened. The view, if it holds together, takes
 * the place of the snapshot's own, and then the snapshot is restored. So there is one way for a world to
 * become another one, which is all or nothing, and tells trackers, indexes and observers. */
#include <inttypes.h>
#include <kith/diff_bytes.h>
#include <stddef.h>
#include <string.h>

#include "persist/diff_edit.h"
#include "persist/diff_slots.h"
#include "world/unique_key.h"

/* ---- The head ------------------------------------------------------------------------------------ */

/* Reads the texts. Those that the world does not have are interned with `interns`; without, they are
 * as the empty text. `*missing`: there were some. */
static kith_result apply_read_texts(ki_diff_edit *edit, bool interns, bool *missing)
{
    ki_unpack *from = &edit->from;
    ki_packed_texts *texts = &edit->values.texts;
    uint64_t count = ki_unpack_number(from, ki_unpack_rest(from), "a number of texts");
    KI_TRY(ki_diff_edit_status(edit));
    KI_TRY(ki_heap_grow(&edit->world->store.context.heap, &texts->numbers, &texts->capacity,
                        (uint32_t)count + 1, sizeof *texts->numbers, 1));
    texts->count = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length = ki_unpack_number(from, ki_unpack_rest(from), "the length of a text");
        const char *bytes = (const char *)ki_unpack_bytes(from, (uint32_t)length);
        KI_TRY(ki_diff_edit_status(edit));
        kith_text text = {ki_texts_find(edit->world->texts, bytes, (uint32_t)length)};
        if (text.number == UINT32_MAX) {
            *missing = true;
            text.number = 0;
            KI_TRY(interns ? kith_text_intern_bytes(edit->world, bytes, (size_t)length, &text)
                           : KITH_OK);
        }
        texts->numbers[texts->count++] = text.number;
    }
    texts->known = edit->world->texts;
    return KITH_OK;
}

/* Compares one of the two hashes with what the world has. */
static kith_result apply_compare(ki_diff_edit *edit, const char *what, uint64_t there,
                                 uint64_t here)
{
    return there == here
               ? KITH_OK
               : ki_fail(&edit->world->store.context, KITH_ERR_CONFLICT,
                         "%s: the world %s the difference begins from (hash %016" PRIx64 " there,"
                         " %016" PRIx64 " here)",
                         edit->call, what, there, here);
}

/* Whether bytes are of the kind that the call is for. */
static void apply_read_kind(ki_diff_edit *edit)
{
    ki_unpack *from = &edit->from;
    const uint8_t *magic = ki_unpack_bytes(from, KI_DIFF_MAGIC_BYTES);
    const char *wanted = edit->whole ? KI_SAVE_MAGIC : KI_DIFF_MAGIC;
    if (magic != NULL && memcmp(magic, wanted, KI_DIFF_MAGIC_BYTES) != 0) {
        ki_unpack_wrong(from, 0,
                        edit->whole ? "\"" KI_SAVE_MAGIC "\", with which a saved world begins"
                                    : "\"" KI_DIFF_MAGIC "\", with which a difference begins");
    }
    if (ki_unpack_byte(from) != KI_DIFF_VERSION) {
        ki_unpack_wrong(from, KI_DIFF_MAGIC_BYTES, "version 3 of the format");
    }
}

/* Whether a saved world is as it was written. */
static kith_result apply_read_save_head(ki_diff_edit *edit)
{
    ki_unpack *from = &edit->from;
    apply_read_kind(edit);
    const uint64_t hash = ki_unpack_fixed(from, 8);
    if (from->expected == NULL &&
        ki_hash_bytes(KI_HASH_SEED, from->bytes + from->at, ki_unpack_rest(from)) != hash) {
        ki_unpack_wrong(from, KI_SAVE_HEAD_BYTES - 8,
                        "the hash of what follows: it is damaged, or not all of it is there");
    }
    return ki_diff_edit_status(edit);
}

/* Whether the world is what the difference begins from, as far as the head tells. */
static kith_result apply_read_head(ki_diff_edit *edit, uint64_t *replaced)
{
    ki_unpack *from = &edit->from;
    const kith_world *world = edit->world;
    apply_read_kind(edit);
    uint64_t begin = ki_unpack_fixed(from, 8);
    *replaced = ki_unpack_fixed(from, 8);
    KI_TRY(ki_diff_edit_status(edit));
    const ki_entities *entities = &world->store.entities;
    const ki_snapshot_numbers numbers = {world->tick, world->run, world->random};
    const ki_store_view counts = {.slots = entities->slots,
                                  .empty = entities->empty,
                                  .retired = entities->retired,
                                  .free_head = entities->free_head};
    return apply_compare(edit, "has other ticks, random numbers or slots than what", begin,
                         ki_diff_hash_begin(&numbers, &counts));
}

/* ---- The body ------------------------------------------------------------------------------------ */

static void apply_read_numbers(ki_diff_edit *edit)
{
    ki_snapshot_numbers *numbers = edit->taken->states[KI_SNAPSHOT_NUMBERS];
    uint32_t at = edit->from.at;
    numbers->tick = ki_unpack_number(&edit->from, UINT64_MAX, "a number of ticks");
    numbers->run = ki_unpack_number(&edit->from, UINT64_MAX, "a number of ticks");
    numbers->random.state = ki_unpack_fixed(&edit->from, 8);
    if (numbers->run != numbers->tick && numbers->run != numbers->tick + 1) {
        ki_unpack_wrong(&edit->from, at, "a tick, and the same or the next one");
    }
}

static kith_result apply_read_body(ki_diff_edit *edit, uint64_t replaced)
{
    apply_read_numbers(edit);
    KI_TRY(ki_diff_edit_status(edit));
    if (edit->whole) {
        KI_TRY(ki_diff_empty_links(edit));
        KI_TRY(ki_diff_empty_store(edit));
        ki_diff_empty_kept(edit);
    }
    KI_TRY(ki_diff_edit_clocks(edit));
    KI_TRY(ki_diff_edit_store(edit));
    KI_TRY(ki_diff_edit_links(edit));
    KI_TRY(ki_diff_edit_kept(edit));
    if (ki_unpack_rest(&edit->from) != 0) {
        ki_unpack_wrong(&edit->from, edit->from.at, "the end");
    }
    KI_TRY(ki_diff_edit_status(edit));
    return edit->whole ? KITH_OK
                       : apply_compare(edit, "has other values, rows or slots than what", replaced,
                                       edit->values.before);
}

/* Entities whose unique keys may have changed. */
typedef struct apply_keys {
    kith_world *world;
    const char *call;
    ki_component *component; /* whose keys */
} apply_keys;

/* Claims the key of the entity in a slot, if there is one. */
static kith_result apply_claim(void *context, uint32_t index)
{
    const apply_keys *keys = context;
    const ki_store *store = &keys->world->store;
    const ki_record *record =
        index < store->entities.slots ? ki_record_at(&store->entities, index) : NULL;
    const void *value = record != NULL && record->table < KI_RETIRED_TABLE
                            ? ki_store_value(store, keys->component, index, record)
                            : NULL;
    return value == NULL ? KITH_OK
                         : ki_unique_claim(keys->world, keys->call, keys->component,
                                           ki_entity_at(&store->entities, index), value);
}

/* Claims all keys that may differ in two views, of which the newer one is what the world is. */
static kith_result apply_claim_all(ki_diff_edit *edit, const ki_store_view *was,
                                   const ki_store_view *becomes)
{
    const ki_store *store = &edit->world->store;
    for (uint32_t i = 0; i < store->unique_slots; i++) {
        const ki_unique *unique = store->uniques[i];
        if (unique == NULL) {
            continue;
        }
        apply_keys keys = {edit->world, edit->call,
                           ki_store_component(store, unique->component->id)};
        KI_TRY(ki_diff_each_slot(store, was, becomes, keys.component, apply_claim, &keys));
        if (unique->names && store->child_of != NULL) { /* a name is one among siblings */
            KI_TRY(ki_diff_each_slot(store, was, becomes, store->child_of->component, apply_claim,
                                     &keys));
        }
    }
    return KITH_OK;
}

/* Makes sure that the keys of what the world is to become are unique, and has them lead to what is there
 * then: that is part of the view. */
static kith_result apply_keys_of(ki_diff_edit *edit, const ki_store_view *was,
                                 ki_store_view **becomes)
{
    ki_store *store = &edit->world->store;
    ki_store_view *without = *becomes;
    KI_TRY(apply_claim_all(edit, was, without));
    KI_TRY(ki_store_view_take(store, becomes));
    ki_store_view_free(store, without);
    return KITH_OK;
}

/* Makes `taken` what the world is to become, and leaves the world as it was. Without `texts`, some are
 * as the empty text, so that keys cannot be compared yet. */
static kith_result apply_edit(ki_diff_edit *edit, uint64_t replaced, bool texts)
{
    ki_store *store = &edit->world->store;
    ki_store_view *was = edit->taken->states[KI_SNAPSHOT_STORE];
    edit->a = edit->whole ? &ki_store_view_none : was;
    edit->values.before = KI_HASH_SEED;
    ki_store_view *becomes = NULL;
    kith_result result = apply_read_body(edit, replaced);
    if (result == KITH_OK) {
        result = ki_store_view_take(store, &becomes);
    }
    const char *wrong = result == KITH_OK ? ki_diff_verify(store, was, becomes) : NULL;
    if (result == KITH_OK && wrong == NULL) {
        result = ki_diff_verify_links(store, was, becomes, &wrong);
    }
    if (result == KITH_OK && wrong == NULL && texts) {
        result = apply_keys_of(edit, was, &becomes);
    }
    ki_store_view_revert(store, was);
    if (wrong != NULL) {
        ki_unpack_wrong(&edit->from, edit->from.at, wrong);
        result = ki_diff_edit_status(edit);
    }
    if (result != KITH_OK) {
        ki_store_view_free(store, becomes);
        return result;
    }
    edit->taken->states[KI_SNAPSHOT_STORE] = becomes;
    ki_store_view_free(store, was);
    return KITH_OK;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

/* Reads all, from the texts on, which begin at `texts`. */
static kith_result apply_pass(ki_diff_edit *edit, uint32_t texts, uint64_t replaced, bool interns,
                              bool *missing)
{
    edit->from.at = texts;
    KI_TRY(apply_read_texts(edit, interns, missing));
    KI_TRY(ki_snapshot_take(edit->world, edit->call, &edit->taken));
    const bool whole = interns || !*missing;
    kith_result result = apply_edit(edit, replaced, whole);
    if (result == KITH_OK && whole) {
        result = ki_snapshot_become(edit->taken);
    }
    kith_snapshot_free(edit->taken);
    return result;
}

static void edit_free(ki_diff_edit *edit)
{
    ki_heap *heap = &edit->world->store.context.heap;
    ki_packed_texts *texts = &edit->values.texts;
    ki_heap_free(heap, edit->types, edit->type_capacity * sizeof *edit->types,
                 _Alignof(max_align_t));
    ki_heap_free(heap, edit->ids, edit->id_capacity * sizeof *edit->ids, _Alignof(max_align_t));
    ki_heap_free(heap, texts->numbers, texts->capacity * sizeof *texts->numbers,
                 _Alignof(max_align_t));
    ki_map_free(heap, &edit->tables);
}

/* Texts stay, so that they are interned only once all is known to be right: then it is read again. */
static kith_result apply_all(ki_diff_edit *edit)
{
    uint64_t replaced = 0;
    KI_TRY(edit->whole ? apply_read_save_head(edit) : apply_read_head(edit, &replaced));
    KI_TRY(ki_diff_edit_types(edit));
    uint32_t texts = edit->from.at;
    bool missing = false;
    KI_TRY(apply_pass(edit, texts, replaced, false, &missing));
    if (!missing) {
        return KITH_OK;
    }
    ki_map_free(&edit->world->store.context.heap, &edit->tables);
    return apply_pass(edit, texts, replaced, true, &missing);
}

kith_result ki_diff_apply(kith_world *world, const char *call, bool whole, const void *bytes,
                          size_t size)
{
    KI_TRY(ki_world_require_owner(world, call));
    KI_TRY(ki_snapshot_begin(world, call));
    if (KI_CHECKED && bytes == NULL && size != 0) {
        return ki_misuse(&world->store.context, "%s: the bytes are NULL", call);
    }
    if (size > UINT32_MAX) {
        return ki_fail(&world->store.context, KITH_ERR_INPUT, "%s: no %s has 4 GiB or more", call,
                       whole ? "saved world" : "difference");
    }
    ki_diff_edit edit = {.world = world, .call = call, .whole = whole};
    edit.from = (ki_unpack){.bytes = bytes, .size = (uint32_t)size};
    edit.values.from = &edit.from;
    kith_result result = apply_all(&edit);
    edit_free(&edit);
    return result;
}

kith_result kith_diff_apply(kith_world *world, const void *bytes, size_t size)
{
    return ki_diff_apply(world, "kith_diff_apply", false, bytes, size);
}
