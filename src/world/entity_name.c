#include "world/entity_name.h"

#include <kith/name.h>
#include <string.h>

/* ---- What can be a name ------------------------------------------------------------------------ */

/* Why some bytes cannot be a name; NULL: they can. */
static const char *entity_name_fault(const char *bytes, size_t length)
{
    return length == 0                          ? "it is empty"
           : memchr(bytes, '/', length) != NULL ? "it has a \"/\""
           : memchr(bytes, 0, length) != NULL   ? "it has a zero byte"
           : bytes[0] == '.' && (length == 1 || (length == 2 && bytes[1] == '.'))
               ? "in a path it is something else"
               : NULL;
}

kith_result ki_entity_name_accept_bytes(ki_context *context, const char *call, const char *bytes,
                                        size_t length)
{
    const char *fault = entity_name_fault(bytes, length);
    return fault == NULL
               ? KITH_OK
               : ki_fail(context, KITH_ERR_INPUT,
                         "%s: \"%.80s\" cannot be the name of an entity: %s", call, bytes, fault);
}

kith_result ki_entity_name_accept(const kith_world *world, ki_context *context, const char *call,
                                  const void *value)
{
    kith_text text = {0};
    if (value != NULL) {
        memcpy(&text, value, sizeof text);
    }
    const ki_text *found = ki_texts_at(world->texts, text.number);
    if (found == NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: the text number %u cannot be the name of an entity: the world does not"
                       " have it",
                       call, text.number);
    }
    return ki_entity_name_accept_bytes(context, call, found->bytes, found->length);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

const char *ki_entity_name_in(const kith_world *world, uint32_t index, uint32_t *text)
{
    const ki_store *store = &world->store;
    uint32_t row;
    const ki_column *column =
        store->entity_names == NULL ? NULL
                                    : ki_locate_in_slot(store, store->entity_names, index, &row);
    if (column == NULL) {
        return NULL;
    }
    memcpy(text, ki_column_at(column, row), sizeof *text);
    const ki_text *found = ki_texts_at(world->texts, *text);
    return found == NULL ? NULL : found->bytes;
}

const char *ki_entity_name_describe(const kith_world *world, kith_entity entity, char *text,
                                    size_t size)
{
    static const char more[] = ".../";
    uint32_t number;
    if (ki_record_of(&world->store.entities, entity) == NULL) {
        return NULL;
    }
    const char *name = ki_entity_name_in(world, entity.index1 - 1, &number);
    size_t at = size - 1;
    text[at] = '\0';
    for (uint32_t at1 = entity.index1; name != NULL;) {
        const size_t length = ki_texts_at(world->texts, number)->length;
        const size_t slash = at != size - 1;
        if (length + slash + sizeof more - 1 > at) {
            if (!slash) {
                return name; /* too long by itself */
            }
            at -= sizeof more - 1;
            memcpy(text + at, more, sizeof more - 1);
            break;
        }
        text[at - slash] = slash != 0 ? '/' : '\0';
        at -= slash + length;
        memcpy(text + at, name, length);
        at1 = ki_entity_parent1(&world->store, at1 - 1);
        name = at1 == 0 ? NULL : ki_entity_name_in(world, at1 - 1, &number);
    }
    return text[at] == '\0' ? NULL : text + at;
}
