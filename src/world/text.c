/* Interned texts of a world. */
#include <string.h>

#include "world/world.h"

kith_result kith_text_intern_bytes(kith_world *world, const char *bytes, size_t length,
                                   kith_text *interned)
{
    KI_TRY(ki_world_require_owner(world, "kith_text_intern"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && ((bytes == NULL && length != 0) || interned == NULL)) {
        return ki_misuse(context,
                         "kith_text_intern: the text, or the place for the answer, is NULL");
    }
    if (length >= UINT32_MAX) {
        return ki_fail(context, KITH_ERR_LIMIT,
                       "kith_text_intern: a text of %zu bytes; the most is 4294967294", length);
    }
    if (length > 0 && world->texts == NULL) {
        world->texts = ki_texts_new(&context->heap);
        if (world->texts == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    uint32_t number;
    KI_TRY(ki_texts_intern(&world->store.columns, world->texts, bytes, (uint32_t)length, &number));
    *interned = (kith_text){number};
    return KITH_OK;
}

kith_result kith_text_intern(kith_world *world, const char *text, kith_text *interned)
{
    return kith_text_intern_bytes(world, text, text == NULL ? 1 : strlen(text), interned);
}

const char *kith_text_get(const kith_world *world, kith_text text, size_t *length)
{
    if (ki_world_require_reader(world, "kith_text_get") != KITH_OK) {
        return NULL;
    }
    const ki_text *found = ki_texts_at(world->texts, text.number);
    if (found == NULL) {
        return NULL;
    }
    if (length != NULL) {
        *length = found->length;
    }
    return found->bytes;
}

bool kith_text_find(const kith_world *world, const char *text, kith_text *found)
{
    if (ki_world_require_reader(world, "kith_text_find") != KITH_OK) {
        return false;
    }
    if (KI_CHECKED && text == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_text_find: the text is NULL");
        return false;
    }
    size_t length = strlen(text);
    uint32_t number =
        length >= UINT32_MAX ? UINT32_MAX : ki_texts_find(world->texts, text, (uint32_t)length);
    if (number != UINT32_MAX && found != NULL) {
        *found = (kith_text){number};
    }
    return number != UINT32_MAX;
}
