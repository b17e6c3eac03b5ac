#include "share.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "world/world.h"

/* A view of one column, and a copy of every byte in its blocks: those of rows that were not in use, too,
 * since a row that is appended later must go elsewhere. A view is not to be moved. */
typedef struct shared_column {
    ki_column view;
    unsigned char *bytes;
    struct shared_column *next;
} shared_column;

struct test_share {
    kith_world *world;
    shared_column *columns;
    bool failed;
};

/* The bytes of one block. */
static size_t block_size(const ki_column *column)
{
    uint32_t rows = column->block_count == 1 ? column->capacity : ki_column_block_rows(column);
    return (size_t)rows * column->size;
}

static void share_column(ki_column *column, void *context)
{
    test_share *shared = context;
    if (shared->failed) {
        return;
    }
    shared_column *own = calloc(1, sizeof(*own));
    CHECK_PTR_NOT_NULL(own);
    if (ki_column_share(&ki_world_store(shared->world)->columns, column, &own->view) != KITH_OK) {
        shared->failed = true;
        free(own);
        return;
    }
    own->next = shared->columns;
    shared->columns = own;
    size_t size = block_size(&own->view);
    own->bytes = malloc(size * own->view.block_count + 1);
    CHECK_PTR_NOT_NULL(own->bytes);
    for (uint32_t i = 0; i < own->view.block_count; i++) {
        if (own->view.blocks[i].data != NULL) {
            memcpy(own->bytes + size * i, own->view.blocks[i].data, size);
        }
    }
}

test_share *test_share_world(kith_world *world)
{
    test_share *shared = calloc(1, sizeof(*shared));
    CHECK_PTR_NOT_NULL(shared);
    shared->world = world;
    ki_world_each_column(world, share_column, shared);
    if (shared->failed) {
        test_share_free(shared);
        return NULL;
    }
    return shared;
}

void test_share_check(const test_share *shared)
{
    for (const shared_column *own = shared->columns; own != NULL; own = own->next) {
        size_t size = block_size(&own->view);
        for (uint32_t i = 0; i < own->view.block_count; i++) {
            const uint8_t *data = own->view.blocks[i].data;
            CHECK(data == NULL || memcmp(own->bytes + size * i, data, size) == 0);
        }
    }
}

void test_share_free(test_share *shared)
{
    test_share_check(shared);
    while (shared->columns != NULL) {
        shared_column *own = shared->columns;
        shared->columns = own->next;
        ki_column_free(&ki_world_store(shared->world)->columns, &own->view);
        free(own->bytes);
        free(own);
    }
    free(shared);
}
