#include "store/names.h"

#include "base/hash.h"
#include "store/component.h"

static uint32_t names_count(const ki_component *root)
{
    return root == NULL ? 0 : root->by_name.count;
}

static void names_recount(ki_component *root)
{
    root->by_name.count = names_count(root->by_name.before) + 1 + names_count(root->by_name.after);
}

static bool names_is_before(const ki_component *a, const ki_component *b)
{
    return strcmp(a->type->name, b->type->name) < 0;
}

/* Parts a subtree into what is before a component and what is after it, and makes it the one before the
 * first of these. Returns the last of those before it, or `previous`. */
static ki_component *names_split(ki_component *root, ki_component *added, ki_component *previous,
                                 ki_component **before, ki_component **after)
{
    *before = *after = NULL;
    if (root == NULL) {
        return previous;
    }
    ki_name_place *place = &root->by_name;
    if (names_is_before(added, root)) {
        added->by_name.next = root;
        previous = names_split(place->before, added, previous, before, &place->before);
        *after = root;
    } else {
        previous = names_split(place->after, added, root, &place->after, after);
        *before = root;
    }
    names_recount(root);
    return previous;
}

void ki_names_insert(ki_component **root, ki_component *added)
{
    ki_name_place *own = &added->by_name;
    *own = (ki_name_place){.height = ki_hash_u64(KI_HASH_SEED, added->id)};
    ki_component *previous = NULL;
    ki_component **at = root;
    while (*at != NULL && (*at)->by_name.height >= own->height) {
        ki_name_place *place = &(*at)->by_name;
        place->count++;
        if (names_is_before(added, *at)) {
            own->next = *at;
            at = &place->before;
        } else {
            previous = *at;
            at = &place->after;
        }
    }
    previous = names_split(*at, added, previous, &own->before, &own->after);
    if (previous != NULL) {
        previous->by_name.next = added;
    }
    *at = added;
    names_recount(added);
}

ki_component *ki_names_at(ki_component *root, uint32_t number)
{
    while (root != NULL) {
        uint32_t before = names_count(root->by_name.before);
        if (number == before) {
            return root;
        }
        root = number < before ? root->by_name.before : root->by_name.after;
        number -= number < before ? 0 : before + 1;
    }
    return NULL;
}
