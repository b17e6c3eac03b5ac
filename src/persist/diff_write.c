/* Writes the difference of two snapshots as bytes. */
#include "persist/diff_write.h"

#include <kith/diff_bytes.h>
#include <stddef.h>
#include <string.h>

#include "persist/diff_format.h"
#include "persist/diff_kept.h"

/* ---- Resources and events ------------------------------------------------------------------------ */

static void write_resources(ki_diff_writer *to)
{
    ki_kept_pair pair = ki_kept_pair_resources(to->diff);
    while (ki_kept_pair_next(&pair)) {
        const void *was = pair.a == NULL ? NULL : ki_column_at(&pair.a->values, 0);
        const void *is = pair.b == NULL ? NULL : ki_column_at(&pair.b->values, 0);
        bool differs = is != NULL && ki_diff_writer_differs(to, pair.type, was, is);
        if (!differs && (was == NULL) == (is == NULL)) {
            continue;
        }
        ki_pack_number(&to->body, ki_diff_writer_type(to, pair.type) + 1);
        ki_pack_number(&to->body, is != NULL);
        to->values.before = ki_hash_u64(to->values.before, was != NULL);
        if (is != NULL) {
            ki_pack_value(&to->values, pair.type, was, is);
        }
    }
    ki_pack_number(&to->body, 0);
}

/* A queue without events is as none. */
static void write_queue(ki_diff_writer *to, const kith_type *type, const ki_queue *was,
                        const ki_queue *is)
{
    const ki_snapshot_numbers *numbers = to->diff->after->states[KI_SNAPSHOT_NUMBERS];
    const ki_queue *kept = is != NULL ? is : was;
    uint32_t count = is == NULL ? 0 : is->count - is->head;
    ki_pack_number(&to->body, ki_diff_writer_type(to, type) + 1);
    ki_pack_number(&to->body, kept->keep);
    ki_pack_number(&to->body, is == NULL ? 0 : is->dropped);
    for (uint64_t age = 0; age < ki_queue_ring(kept); age++) {
        ki_pack_number(&to->body,
                       is == NULL ? 0 : is->sent[(numbers->tick + age) % ki_queue_ring(is)]);
    }
    for (uint32_t i = 0; type->size != 0 && i < count; i++) {
        const void *value = ki_column_at(&is->kept.values, is->head + i);
        if (ki_world_hooked(to->diff->world, type) != NULL) {
            to->owner = type;
        } else {
            ki_pack_value(&to->values, type, NULL, value);
        }
    }
    to->values.before = ki_hash_u64(to->values.before, was == NULL ? 0 : was->count - was->head);
    to->values.before = ki_hash_u64(to->values.before, was == NULL ? 0 : was->dropped);
}

static void write_events(ki_diff_writer *to)
{
    ki_kept_pair pair = ki_kept_pair_queues(to->diff);
    while (ki_kept_pair_next(&pair)) {
        if (ki_kept_pair_events_differ(to->diff, &pair)) {
            write_queue(to, pair.type, (const ki_queue *)pair.a, (const ki_queue *)pair.b);
        }
    }
    ki_pack_number(&to->body, 0);
}

void ki_diff_write_kept(ki_diff_writer *to)
{
    write_resources(to);
    write_events(to);
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static void write_numbers(ki_diff_writer *to)
{
    const ki_snapshot_numbers *is = to->diff->after->states[KI_SNAPSHOT_NUMBERS];
    ki_pack_number(&to->body, is->tick);
    ki_pack_number(&to->body, is->run);
    ki_pack_fixed(&to->body, is->random.state, 8);
}

/* Writes what kind of bytes they are, and the hashes that they are checked by. */
static void write_kind(const ki_diff_writer *to, ki_pack *head)
{
    const ki_diff *diff = to->diff;
    const bool save = diff->before == NULL;
    ki_pack_bytes(head, save ? KI_SAVE_MAGIC : KI_DIFF_MAGIC, KI_DIFF_MAGIC_BYTES);
    ki_pack_byte(head, KI_DIFF_VERSION);
    if (save) {
        ki_pack_fixed(head, 0, 8); /* see write_hash */
    } else {
        ki_pack_fixed(head, ki_diff_hash_begin(diff->before->states[KI_SNAPSHOT_NUMBERS], diff->a),
                      8);
        ki_pack_fixed(head, to->values.before, 8);
    }
}

/* Puts the hash of a saved world into it, once it is whole. */
static void write_hash(ki_pack *out)
{
    const uint8_t *after = out->bytes + KI_SAVE_HEAD_BYTES;
    const uint64_t hash = ki_hash_bytes(KI_HASH_SEED, after, out->size - KI_SAVE_HEAD_BYTES);
    for (uint32_t i = 0; i < 8; i++) {
        out->bytes[KI_SAVE_HEAD_BYTES - 8 + i] = (uint8_t)(hash >> 8 * i);
    }
}

/* What comes before the body, which tells what it has to hold. */
static void write_head(const ki_diff_writer *to, ki_pack *head)
{
    write_kind(to, head);
    ki_pack_number(head, to->type_count);
    for (uint32_t i = 0; i < to->type_count; i++) {
        size_t length = strlen(to->types[i]->name);
        ki_pack_number(head, length);
        ki_pack_bytes(head, to->types[i]->name, length);
        ki_pack_fixed(head, ki_packed_type_hash(to->types[i]), 8);
    }
    const ki_packed_texts *texts = &to->values.texts;
    ki_pack_number(head, texts->count);
    for (uint32_t i = 0; i < texts->count; i++) {
        const ki_text *text = ki_texts_at(texts->known, texts->numbers[i]);
        ki_pack_number(head, text->length);
        ki_pack_bytes(head, text->bytes, text->length);
    }
}

static kith_result write_all(ki_diff_writer *to, ki_pack *out)
{
    write_numbers(to);
    ki_diff_write_clocks(to);
    ki_diff_write_store(to);
    ki_diff_write_links(to);
    ki_diff_write_kept(to);
    KI_TRY(to->body.result);
    if (to->owner != NULL) {
        return ki_fail(&to->diff->world->store.context, KITH_ERR_TYPE,
                       to->diff->before == NULL
                           ? "%s: '%s' has hooks: a value of it has no bytes"
                           : "%s: '%s' has hooks: a value of it that changed has no bytes",
                       to->call, to->owner->name);
    }
    out->size = 0;
    write_head(to, out);
    ki_pack_bytes(out, to->body.bytes, to->body.size);
    if (out->result == KITH_OK && to->diff->before == NULL) {
        write_hash(out);
    }
    return out->result;
}

static void writer_free(ki_diff_writer *to)
{
    ki_heap *heap = to->body.heap;
    ki_pack_free(&to->body);
    ki_heap_free(heap, to->types, to->type_capacity * sizeof *to->types, _Alignof(max_align_t));
    ki_map_free(heap, &to->type_places);
    ki_packed_texts *texts = &to->values.texts;
    ki_heap_free(heap, texts->numbers, texts->capacity * sizeof *texts->numbers,
                 _Alignof(max_align_t));
    ki_map_free(heap, &texts->places);
}

static kith_result write_diff(const char *call, ki_diff *diff, kith_bytes *bytes)
{
    ki_heap *heap = &diff->world->store.context.heap;
    ki_diff_writer to = {.diff = diff, .call = call, .body = {.heap = heap}};
    to.values.to = &to.body;
    to.values.texts.known = diff->world->texts;
    to.values.before = KI_HASH_SEED;
    ki_pack out = {.heap = heap, .bytes = bytes->data, .capacity = bytes->capacity};
    kith_result result = write_all(&to, &out);
    bytes->data = out.bytes;
    bytes->size = result == KITH_OK ? out.size : 0;
    bytes->capacity = out.capacity;
    writer_free(&to);
    return result;
}

kith_result ki_diff_write(const char *call, const kith_snapshot *before, const kith_snapshot *after,
                          kith_bytes *bytes)
{
    bytes->size = 0;
    ki_diff diff;
    kith_result result = ki_diff_begin(&diff, before, after);
    if (result == KITH_OK) {
        result = write_diff(call, &diff, bytes);
    }
    ki_diff_end(&diff);
    return result;
}

static kith_result write_require(const kith_snapshot *before, const kith_snapshot *after,
                                 const kith_bytes *bytes)
{
    if (KI_CHECKED && (before == NULL || after == NULL)) {
        return ki_misuse(before == NULL && after == NULL
                             ? NULL
                             : &(before == NULL ? after : before)->world->store.context,
                         "kith_snapshot_diff_bytes: a snapshot is NULL");
    }
    KI_TRY(ki_snapshot_begin(before->world, "kith_snapshot_diff_bytes"));
    if (KI_CHECKED && before->world != after->world) {
        return ki_misuse(&before->world->store.context,
                         "kith_snapshot_diff_bytes: the snapshots are of two worlds");
    }
    if (KI_CHECKED && bytes == NULL) {
        return ki_misuse(&before->world->store.context,
                         "kith_snapshot_diff_bytes: the place for the bytes is NULL");
    }
    return KITH_OK;
}

kith_result kith_snapshot_diff_bytes(const kith_snapshot *before, const kith_snapshot *after,
                                     kith_bytes *bytes)
{
    KI_TRY(write_require(before, after, bytes));
    return ki_diff_write("kith_snapshot_diff_bytes", before, after, bytes);
}

void kith_bytes_free(kith_world *world, kith_bytes *bytes)
{
    if (bytes == NULL || ki_world_require_owner(world, "kith_bytes_free") != KITH_OK) {
        return;
    }
    ki_heap_free(&world->store.context.heap, bytes->data, bytes->capacity, _Alignof(max_align_t));
    *bytes = (kith_bytes){0};
}
