/* Every bit is right if each agrees with the tag of its entity and with the bit of its parent: an entity
 * has one parent at most, and nobody is an ancestor of itself. Where neither the tag nor the link was
 * written, and the parent's bit is what it was, a bit agrees still. So a look goes through the slots of
 * blocks that were written, and down from each bit that it turns.
 *
 * First it clears bits that nothing justifies any more, then it sets those that are missing. When the
 * first is done, all that are set are right: each has its tag, or its parent's bit, and so up to a tag.
 * So no bit is turned more than twice, in whatever order entities come. */
#include "store/disabled.h"

#define DISABLED_PAGE_WORDS (1u << KI_SLOTS_PAGE_SHIFT) /* of a block of the tag's bits */
#define DISABLED_LINK_WORDS (KI_BLOCK_ROWS_MAX / 64)    /* that a block of links is about */

static ki_slots *disabled_bits(ki_disabled *disabled)
{
    return &disabled->inherited.in.slots;
}

kith_result ki_disabled_new(ki_store *store, ki_component *own)
{
    ki_disabled *made =
        ki_heap_alloc_zeroed(&store->context.heap, sizeof *made, _Alignof(ki_disabled));
    if (made == NULL) {
        return KITH_ERR_MEMORY;
    }
    made->own = own;
    made->inherited.type = own->type;
    made->inherited.layout = KITH_SLOT;
    ki_slots_init(disabled_bits(made), 0, 1, NULL);
    store->disabled = made;
    store->entities.bits = &disabled_bits(made)->bits;
    if (ki_entities_reserve_bits(&store->columns, &store->entities,
                                 store->entities.records.capacity) != KITH_OK) {
        ki_disabled_free(store);
        return KITH_ERR_MEMORY;
    }
    ki_disabled_distrust(store);
    return KITH_OK;
}

void ki_disabled_free(ki_store *store)
{
    ki_disabled *disabled = store->disabled;
    if (disabled != NULL) {
        ki_slots_free(&store->columns, disabled_bits(disabled));
        ki_heap_free(&store->context.heap, disabled, sizeof *disabled, _Alignof(ki_disabled));
        store->disabled = NULL;
        store->entities.bits = NULL;
    }
}

void ki_disabled_distrust(ki_store *store)
{
    if (store->disabled != NULL) {
        store->disabled->looked = 0;
        store->disabled->own_blocks = UINT32_MAX;
        store->disabled->link_blocks = UINT32_MAX;
    }
}

/* ---- A look ----------------------------------------------------------------------------------- */

typedef struct disabled_look {
    ki_store *store;
    ki_disabled *disabled;
    ki_slots *bits;
    const ki_slots *own;
    const ki_relation *parents; /* NULL: nobody has a parent */
} disabled_look;

static bool look_is_inherited(const disabled_look *look, uint32_t index)
{
    uint32_t parent1 = ki_entity_parent1(look->store, index);
    return parent1 != 0 && ki_slots_has(look->bits, parent1 - 1);
}

static void look_turn(const disabled_look *look, uint32_t index, bool set)
{
    bool marked = ki_column_mark(&look->store->columns, &look->bits->bits, index / 64);
    KI_ASSERT(marked); /* no snapshot shares them */
    (void)marked;
    if (set) {
        ki_slots_insert(look->bits, index);
    } else {
        ki_slots_remove(look->bits, index);
    }
    look->disabled->turned++;
}

/* Whether a slot has to follow its parent, whose bit was turned. */
static bool look_follows(const disabled_look *look, uint32_t index, bool set)
{
    return ki_slots_has(look->bits, index) != set && (set || !ki_slots_has(look->own, index));
}

/* Turns a bit, and those below that have to follow. */
static void look_turn_all(const disabled_look *look, uint32_t index, bool set)
{
    const ki_relation *parents = look->parents;
    const uint32_t root1 = index + 1;
    look_turn(look, index, set);
    uint32_t next1 = parents == NULL ? 0 : ki_relation_link(parents, index).first1;
    while (next1 != 0) {
        uint32_t at1 = next1;
        next1 = 0;
        if (look_follows(look, at1 - 1, set)) {
            look_turn(look, at1 - 1, set);
            next1 = ki_relation_link(parents, at1 - 1).first1;
        }
        while (next1 == 0 && at1 != root1) {
            const ki_link link = ki_relation_link(parents, at1 - 1);
            next1 = link.next1;
            at1 = link.target1;
        }
    }
}

/* Clears those of a word that nothing justifies. */
static void look_clear(const disabled_look *look, uint32_t word)
{
    uint64_t rest = ki_slots_word(look->bits, word) & ~ki_slots_word(look->own, word);
    for (; rest != 0; rest &= rest - 1) {
        uint32_t index = word * 64 + ki_lowest_bit(rest);
        if (ki_slots_has(look->bits, index) && !look_is_inherited(look, index)) {
            look_turn_all(look, index, false);
        }
    }
}

/* Sets those of a word that have the tag. */
static void look_set_own(const disabled_look *look, uint32_t word)
{
    uint64_t rest = ki_slots_word(look->own, word) & ~ki_slots_word(look->bits, word);
    for (; rest != 0; rest &= rest - 1) {
        uint32_t index = word * 64 + ki_lowest_bit(rest);
        if (!ki_slots_has(look->bits, index)) {
            look_turn_all(look, index, true);
        }
    }
}

/* Sets those of a word that inherit it. */
static void look_set_inherited(const disabled_look *look, uint32_t word)
{
    for (uint32_t index = word * 64, end = index + 64; index != end; index++) {
        if (look_is_inherited(look, index) && !ki_slots_has(look->bits, index)) {
            look_turn_all(look, index, true);
        }
    }
}

/* Visits the words that blocks of a column are about which were written since the last look, or are gone
 * since. */
static void look_visit(const disabled_look *look, const ki_column *column, uint32_t blocks_then,
                       uint32_t block_words,
                       void (*visit)(const disabled_look *look, uint32_t word))
{
    const uint32_t words = look->bits->bits.capacity;
    const uint32_t end = blocks_then > column->block_count ? blocks_then : column->block_count;
    for (uint32_t block = 0; block < end && block * block_words < words; block++) {
        bool gone = block >= column->block_count;
        if (!gone && (column->blocks[block].stamp & ~KI_STAMP_FLAGS) <= look->disabled->looked) {
            continue;
        }
        uint32_t block_end = ki_min_u32((block + 1) * block_words, words);
        for (uint32_t word = block * block_words; word < block_end; word++) {
            visit(look, word);
        }
    }
}

static disabled_look disabled_look_at(ki_store *store)
{
    return (disabled_look){.store = store,
                           .disabled = store->disabled,
                           .bits = disabled_bits(store->disabled),
                           .own = &store->disabled->own->in.slots,
                           .parents = store->child_of};
}

static const ki_column *look_links(const disabled_look *look)
{
    static const ki_column none;
    return look->parents == NULL ? &none : &look->parents->links;
}

/* Whether a column is what it was at the last look. */
static bool look_is_fresh(const ki_column *column, uint32_t blocks_then, uint64_t looked)
{
    return column->block_count == blocks_then && ki_column_is_same(column, looked);
}

void ki_disabled_refresh_slow(ki_store *store)
{
    ki_disabled *disabled = store->disabled;
    const disabled_look look = disabled_look_at(store);
    const ki_column *own = &look.own->bits;
    const ki_column *links = look_links(&look);
    const bool tags = !look_is_fresh(own, disabled->own_blocks, disabled->looked);
    const bool parents = !look_is_fresh(links, disabled->link_blocks, disabled->looked);
    if (!tags && !parents) {
        return;
    }
    if (tags) {
        look_visit(&look, own, disabled->own_blocks, DISABLED_PAGE_WORDS, look_clear);
    }
    if (parents) {
        look_visit(&look, links, disabled->link_blocks, DISABLED_LINK_WORDS, look_clear);
    }
    if (tags) {
        look_visit(&look, own, disabled->own_blocks, DISABLED_PAGE_WORDS, look_set_own);
    }
    if (parents) {
        look_visit(&look, links, disabled->link_blocks, DISABLED_LINK_WORDS, look_set_inherited);
    }
    disabled->own_blocks = own->block_count;
    disabled->link_blocks = links->block_count;
    disabled->looked = store->columns.write_clock++;
}

/* Whether there are bits for all slots that there is room for. */
static bool look_has_room(const disabled_look *look)
{
    const ki_column *bits = &look->bits->bits;
    bool has = true;
    for (uint64_t slot = 0; slot < look->store->entities.records.capacity; slot += 64) {
        has = has && ki_column_has_page(bits, (uint32_t)(slot / 64));
    }
    return has;
}

const char *ki_disabled_check(const ki_store *store)
{
    const ki_disabled *disabled = store->disabled;
    if (disabled == NULL) {
        return store->entities.bits == NULL ? NULL : "bits have room for slots, and are nobody's";
    }
    const disabled_look look = disabled_look_at((ki_store *)(uintptr_t)store);
    const char *wrong = ki_column_check(&store->columns, &look.bits->bits);
    if (wrong == NULL && !look_has_room(&look)) {
        wrong = "there may be entities without a bit that tells whether they are disabled";
    }
    if (!look_is_fresh(&look.own->bits, disabled->own_blocks, disabled->looked) ||
        !look_is_fresh(look_links(&look), disabled->link_blocks, disabled->looked)) {
        return wrong;
    }
    uint32_t count = 0;
    for (uint32_t index = 0; wrong == NULL && index / 64 < look.bits->bits.capacity; index++) {
        bool has = ki_slots_has(look.bits, index);
        count += has;
        if (has != (ki_slots_has(look.own, index) || look_is_inherited(&look, index))) {
            wrong = "an entity is not said to be disabled as it or its parent is";
        }
    }
    return wrong != NULL || count == look.bits->count ? wrong : "disabled entities are miscounted";
}

/* ---- Asking all -------------------------------------------------------------------------------- */

bool ki_disabled_climb(const ki_store *store, uint32_t index)
{
    const ki_disabled *disabled = store->disabled;
    if (disabled == NULL) {
        return false;
    }
    uint32_t at1 = index + 1;
    while (at1 != 0 && !ki_slots_has(&disabled->own->in.slots, at1 - 1)) {
        at1 = ki_entity_parent1(store, at1 - 1);
    }
    return at1 != 0;
}
