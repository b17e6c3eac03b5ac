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

/* Puts the root of one of its subtrees in a component's place. */
static ki_component *names_lift(ki_component *root, bool before)
{
    ki_name_place *low = &root->by_name;
    ki_component *lifted = before ? low->before : low->after;
    ki_name_place *high = &lifted->by_name;
    if (before) {
        low->before = high->after;
        high->after = root;
    } else {
        low->after = high->before;
        high->before = root;
    }
    names_recount(root);
    return lifted;
}

/* The tree with one more. */
static ki_component *names_add(ki_component *root, ki_component *added)
{
    if (root == NULL) {
        return added;
    }
    ki_name_place *place = &root->by_name;
    bool before = names_is_before(added, root);
    ki_component **subtree = before ? &place->before : &place->after;
    *subtree = names_add(*subtree, added);
    root = (*subtree)->by_name.hash > place->hash ? names_lift(root, before) : root;
    names_recount(root);
    return root;
}

void ki_names_insert(ki_component **root, ki_component *added)
{
    ki_component *previous = NULL;
    ki_component *next = NULL;
    for (ki_component *at = *root; at != NULL;) {
        if (names_is_before(added, at)) {
            next = at;
            at = at->by_name.before;
        } else {
            previous = at;
            at = at->by_name.after;
        }
    }
    added->by_name = (ki_name_place){
        .next = next, .hash = ki_hash_text(KI_HASH_SEED, added->type->name), .count = 1};
    if (previous != NULL) {
        previous->by_name.next = added;
    }
    *root = names_add(*root, added);
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
