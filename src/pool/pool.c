#include "pool/pool.h"

#define POOL_SIZE_MAX 1048576u
#define POOL_ALIGN_MAX 4096u

/* At the start of each call. */
static inline kith_result pool_require(const kith_pool *pool, const char *call)
{
    if (KI_CHECKED && pool == NULL) {
        ki_misuse(NULL, "%s: the pool is NULL", call);
        return KITH_ERR_MISUSE;
    }
    return KITH_OK;
}

static const kith_pool_id pool_nobody = {0, 0};

/* The record of a living value; NULL for every other bit pattern. */
static ki_pool_record *pool_living(const kith_pool *pool, kith_pool_id id)
{
    uint32_t slot = id.index1 - 1;
    if (slot >= pool->slots) {
        return NULL;
    }
    ki_pool_record *record = ki_pool_record_at(pool, slot);
    if (record->generation != id.generation || record->next != KI_POOL_ALIVE) {
        return NULL;
    }
    return record;
}

/* Reserves rows in full-size blocks: a small block would move when it is outgrown. */
static kith_result pool_grow(kith_pool *pool, ki_column *column, uint32_t rows)
{
    uint32_t block = ki_column_block_rows(column);
    return ki_column_reserve(&pool->space, column, rows < block ? block : rows);
}

/* A failure half-way leaves one column with room to spare. Nothing depends on that: the number of
 * slots is the pool's. */
static kith_result pool_reserve(kith_pool *pool, uint32_t count)
{
    uint32_t dead = pool->slots - pool->alive - pool->retired;
    if (count <= dead) {
        return KITH_OK;
    }
    uint32_t missing = count - dead;
    if (missing > KI_POOL_SLOTS_MAX - pool->slots) {
        return KITH_ERR_LIMIT;
    }
    KI_TRY(pool_grow(pool, &pool->records, pool->slots + missing));
    return pool_grow(pool, &pool->values, pool->slots + missing);
}

/* Takes a slot for a new value; it was reserved. */
static uint32_t pool_take(kith_pool *pool)
{
    uint32_t slot;
    if (pool->free_head != 0) {
        slot = pool->free_head - 1;
        pool->free_head = ki_pool_record_at(pool, slot)->next;
        if (pool->free_head == 0) {
            pool->free_tail = 0;
        }
    } else {
        slot = pool->slots++;
        ki_pool_record_at(pool, slot)->generation = 0;
    }
    ki_pool_record_at(pool, slot)->next = KI_POOL_ALIVE;
    pool->alive++;
    return slot;
}

/* Frees a slot, or retires it. */
static void pool_release(kith_pool *pool, uint32_t slot)
{
    ki_pool_record *record = ki_pool_record_at(pool, slot);
    pool->alive--;
    if (record->generation == UINT32_MAX) {
        record->next = KI_POOL_RETIRED;
        pool->retired++;
        return;
    }
    record->generation++;
    if (pool->free_head == 0) {
        record->next = 0;
        pool->free_head = pool->free_tail = slot + 1;
    } else if (pool->oldest_first) {
        record->next = 0;
        ki_pool_record_at(pool, pool->free_tail - 1)->next = slot + 1;
        pool->free_tail = slot + 1;
    } else {
        record->next = pool->free_head;
        pool->free_head = slot + 1;
    }
}

/* ---- Pools ----------------------------------------------------------------------------------- */

kith_pool *kith_pool_new(const kith_pool_def *def, size_t size, size_t align)
{
    static const kith_pool_def defaults;
    def = def == NULL ? &defaults : def;
    if (size == 0 || size > POOL_SIZE_MAX || !ki_is_power_of_two(align) || align > POOL_ALIGN_MAX ||
        size % align != 0) {
        return NULL;
    }
    ki_heap heap;
    if (!ki_heap_init(&heap, &def->allocator, def->memory_limit)) {
        return NULL;
    }
    kith_pool *pool = ki_heap_alloc_zeroed(&heap, sizeof *pool, _Alignof(kith_pool));
    if (pool == NULL) {
        return NULL;
    }
    pool->context = (ki_context){
        .heap = heap, .on_misuse = def->on_misuse, .misuse_context = def->misuse_context};
    pool->space.heap = &pool->context.heap;
    pool->oldest_first = def->oldest_first;
    ki_column_init(&pool->records, sizeof(ki_pool_record), _Alignof(ki_pool_record));
    ki_column_init(&pool->values, (uint32_t)size, (uint32_t)align);
    if (pool_reserve(pool, def->expected) != KITH_OK) {
        kith_pool_free(pool);
        return NULL;
    }
    return pool;
}

void kith_pool_free(kith_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    ki_column_free(&pool->space, &pool->records);
    ki_column_free(&pool->space, &pool->values);
    ki_heap heap = pool->context.heap;
    ki_heap_free(&heap, pool, sizeof *pool, _Alignof(kith_pool));
}

kith_result kith_pool_reserve(kith_pool *pool, uint32_t count)
{
    KI_TRY(pool_require(pool, "kith_pool_reserve"));
    return pool_reserve(pool, count);
}

void kith_pool_clear(kith_pool *pool)
{
    if (pool_require(pool, "kith_pool_clear") != KITH_OK) {
        return;
    }
    /* The lowest slot goes to the end of the list where slots are taken from. */
    for (uint32_t i = 0; i < pool->slots; i++) {
        uint32_t slot = pool->oldest_first ? i : pool->slots - 1 - i;
        if (ki_pool_record_at(pool, slot)->next == KI_POOL_ALIVE) {
            pool_release(pool, slot);
        }
    }
}

kith_pool_stats kith_pool_memory(const kith_pool *pool)
{
    if (pool_require(pool, "kith_pool_memory") != KITH_OK) {
        return (kith_pool_stats){0};
    }
    const ki_heap *heap = &pool->context.heap;
    return (kith_pool_stats){.used = heap->used,
                             .peak = heap->peak,
                             .limit = heap->limit,
                             .allocations = heap->allocations,
                             .alive = pool->alive,
                             .slots = pool->slots,
                             .retired = pool->retired};
}

/* ---- Values ---------------------------------------------------------------------------------- */

kith_result kith_pool_create(kith_pool *pool, const void *value, kith_pool_id *id)
{
    KI_TRY(pool_require(pool, "kith_pool_create"));
    if (KI_CHECKED && id == NULL) {
        return ki_misuse(&pool->context, "kith_pool_create: there is no place for the new id");
    }
    KI_TRY(pool_reserve(pool, 1));
    uint32_t slot = pool_take(pool);
    ki_column_write(&pool->values, slot, value);
    *id = (kith_pool_id){slot + 1, ki_pool_record_at(pool, slot)->generation};
    return KITH_OK;
}

kith_result kith_pool_kill(kith_pool *pool, kith_pool_id id)
{
    KI_TRY(pool_require(pool, "kith_pool_kill"));
    if (pool_living(pool, id) == NULL) {
        return KITH_ERR_DEAD;
    }
    pool_release(pool, id.index1 - 1);
    return KITH_OK;
}

bool kith_pool_alive(const kith_pool *pool, kith_pool_id id)
{
    if (pool_require(pool, "kith_pool_alive") != KITH_OK) {
        return false;
    }
    return pool_living(pool, id) != NULL;
}

const void *kith_pool_get(const kith_pool *pool, kith_pool_id id)
{
    if (pool_require(pool, "kith_pool_get") != KITH_OK) {
        return NULL;
    }
    return pool_living(pool, id) == NULL ? NULL : ki_column_at(&pool->values, id.index1 - 1);
}

void *kith_pool_get_mut(kith_pool *pool, kith_pool_id id)
{
    if (pool_require(pool, "kith_pool_get_mut") != KITH_OK) {
        return NULL;
    }
    return pool_living(pool, id) == NULL ? NULL : ki_column_at(&pool->values, id.index1 - 1);
}

kith_pool_id kith_pool_at(const kith_pool *pool, uint32_t slot)
{
    if (pool_require(pool, "kith_pool_at") != KITH_OK) {
        return pool_nobody;
    }
    if (slot >= pool->slots || ki_pool_record_at(pool, slot)->next != KI_POOL_ALIVE) {
        return pool_nobody;
    }
    return (kith_pool_id){slot + 1, ki_pool_record_at(pool, slot)->generation};
}

uint32_t kith_pool_count(const kith_pool *pool)
{
    if (pool_require(pool, "kith_pool_count") != KITH_OK) {
        return 0;
    }
    return pool->alive;
}

/* The next value after the cursor. Only its slot counts: the value that was visited may be dead by
 * now. */
static void *pool_next(const kith_pool *pool, kith_pool_id *cursor)
{
    for (uint32_t slot = cursor->index1; slot < pool->slots; slot++) {
        const ki_pool_record *record = ki_pool_record_at(pool, slot);
        if (record->next == KI_POOL_ALIVE) {
            *cursor = (kith_pool_id){slot + 1, record->generation};
            return ki_column_at(&pool->values, slot);
        }
    }
    *cursor = pool_nobody;
    return NULL;
}

const void *kith_pool_next(const kith_pool *pool, kith_pool_id *cursor)
{
    if (pool_require(pool, "kith_pool_next") != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && cursor == NULL) {
        ki_misuse(&pool->context, "kith_pool_next: the cursor is NULL");
        return NULL;
    }
    return pool_next(pool, cursor);
}

void *kith_pool_next_mut(kith_pool *pool, kith_pool_id *cursor)
{
    if (pool_require(pool, "kith_pool_next_mut") != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && cursor == NULL) {
        ki_misuse(&pool->context, "kith_pool_next_mut: the cursor is NULL");
        return NULL;
    }
    return pool_next(pool, cursor);
}

/* ---- Invariants ------------------------------------------------------------------------------ */

/* Whether a column has a small block, which would move when it is outgrown. */
static bool pool_is_small(const ki_column *column)
{
    return column->block_count == 1 && column->capacity != ki_column_block_rows(column);
}

/* The columns are whole and large enough, and no value ever has to move. */
static const char *pool_check_columns(const kith_pool *pool)
{
    if (pool_is_small(&pool->records) || pool_is_small(&pool->values)) {
        return "the first block is a small one";
    }
    const char *wrong = ki_column_check(&pool->space, &pool->records);
    wrong = wrong != NULL ? wrong : ki_column_check(&pool->space, &pool->values);
    if (wrong != NULL) {
        return wrong;
    }
    if (pool->slots > pool->records.capacity || pool->slots > pool->values.capacity) {
        return "there are more slots than room for them";
    }
    if (pool->space.deferred != NULL || pool->space.shared) {
        return "a block of a pool was outgrown or shared";
    }
    size_t used = sizeof *pool + ki_column_reserved(&pool->records);
    used += ki_column_reserved(&pool->values);
    return used == pool->context.heap.used ? NULL : "the memory in use is not that of the columns";
}

static const char *pool_check_free(const kith_pool *pool, uint32_t dead)
{
    uint32_t listed = 0;
    uint32_t last = 0;
    for (uint32_t index1 = pool->free_head; index1 != 0; listed++) {
        if (index1 > pool->slots || listed == dead ||
            ki_pool_record_at(pool, index1 - 1)->next >= KI_POOL_RETIRED) {
            return "the list of free slots leads to one that is not free";
        }
        last = index1;
        index1 = ki_pool_record_at(pool, index1 - 1)->next;
    }
    if (last != pool->free_tail) {
        return "the list of free slots ends elsewhere";
    }
    return listed == dead ? NULL : "a free slot is not in the list of free slots";
}

static const char *pool_check(const kith_pool *pool)
{
    const char *wrong = pool_check_columns(pool);
    if (wrong != NULL) {
        return wrong;
    }
    uint32_t alive = 0;
    uint32_t retired = 0;
    for (uint32_t slot = 0; slot < pool->slots; slot++) {
        const ki_pool_record *record = ki_pool_record_at(pool, slot);
        alive += record->next == KI_POOL_ALIVE;
        retired += record->next == KI_POOL_RETIRED;
        if (record->next == KI_POOL_RETIRED && record->generation != UINT32_MAX) {
            return "a slot was retired before its time";
        }
    }
    if (alive != pool->alive || retired != pool->retired) {
        return "the number of living or of retired slots is wrong";
    }
    return pool_check_free(pool, pool->slots - alive - retired);
}

kith_result kith_pool_check(const kith_pool *pool, const char **wrong)
{
    KI_TRY(pool_require(pool, "kith_pool_check"));
    const char *found = pool_check(pool);
    if (found != NULL && wrong != NULL) {
        *wrong = found;
    }
    return found == NULL ? KITH_OK : KITH_ERR_CORRUPT;
}
