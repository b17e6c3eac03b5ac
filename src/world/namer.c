/* Namers: they know names of entities, for messages. */
#include <kith/namer.h>
#include <stdio.h>

#include "world/entity_name.h"

void kith_namer_add(kith_world *world, kith_namer *namer)
{
    if (ki_world_require_owner(world, "kith_namer_add") != KITH_OK) {
        return;
    }
    const ki_context *context = &world->store.context;
    if (KI_CHECKED && (namer == NULL || namer->name == NULL)) {
        ki_misuse(context, "kith_namer_add: the namer, or its `name`, is NULL");
        return;
    }
    if (KI_CHECKED && namer->world != NULL) {
        ki_misuse(context, "kith_namer_add: the namer is added already; remove it first");
        return;
    }
    namer->world = world;
    namer->previous_ = NULL;
    namer->next_ = world->namers;
    if (namer->next_ != NULL) {
        namer->next_->previous_ = namer;
    }
    world->namers = namer;
}

void kith_namer_remove(kith_namer *namer)
{
    if (namer == NULL || namer->world == NULL ||
        ki_world_require_owner(namer->world, "kith_namer_remove") != KITH_OK) {
        return;
    }
    if (namer->previous_ != NULL) {
        namer->previous_->next_ = namer->next_;
    } else {
        namer->world->namers = namer->next_;
    }
    if (namer->next_ != NULL) {
        namer->next_->previous_ = namer->previous_;
    }
    namer->world = NULL;
}

void ki_namers_release(kith_world *world)
{
    for (kith_namer *namer = world->namers; namer != NULL; namer = namer->next_) {
        namer->world = NULL;
    }
}

/* The name that a namer knows for an entity, or else its own, which is written to the `size` bytes at
 * `text`. NULL if there is none, or this thread may not ask. */
static const char *namer_find(const kith_world *world, kith_entity entity, char *text, size_t size)
{
    const ki_context *context = &world->store.context;
    if (ki_context_owner(context) != ki_thread() || ki_context_inside(context) != NULL) {
        return NULL;
    }
    const char *name = NULL;
    for (const kith_namer *namer = world->namers; namer != NULL && (name == NULL || *name == '\0');
         namer = namer->next_) {
        name = namer->name(namer->context, entity);
    }
    return name != NULL && *name != '\0' ? name
                                         : ki_entity_name_describe(world, entity, text, size);
}

/* ki_format for arguments in a row. */
static void namer_format(char *text, size_t size, const char *format, ...) KITH_FORMAT_(3, 4);
static void namer_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ki_format(text, size, format, arguments);
    va_end(arguments);
}

/* Replaces control characters, which would break a line, or do more on a terminal. */
static void namer_make_plain(char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < ' ' || byte == 0x7F) {
            *text = '?';
        }
    }
}

kith_entity_description kith_entity_describe(const kith_world *world, kith_entity entity)
{
    kith_entity_description described = {""};
    const kith_entity_text handle = kith_entity_to_text(entity);
    const char *name = NULL;
    char shown[92];
    char path[sizeof shown];
    if (KI_CHECKED && world == NULL) {
        ki_reject_world(world, "kith_entity_describe");
    } else {
        name = namer_find(world, entity, path, sizeof path);
    }
    if (name == NULL) {
        memcpy(described.text, handle.text, sizeof handle.text);
        return described;
    }
    namer_format(shown, sizeof shown, "%s", name);
    namer_make_plain(shown);
    snprintf(described.text, sizeof described.text, "\"%s\" (%s)", shown, handle.text);
    return described;
}
