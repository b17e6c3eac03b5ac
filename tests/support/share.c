#include "share.h"

#include <stdlib.h>
#include <string.h>

#include "store/view.h"
#include "test.h"
#include "world/world.h"

/* A view of one column, and a copy of every byte in its blocks: those of rows that were not in use, too,
 * since a row that is appended later must go elsewhere. */
typedef struct shared_column {
    ki_column_view view;
    unsigned char *bytes;
    struct shared_column *next;
} shared_column;

struct test_share {
    kith_world *world;
    shared_column *columns;
    bool failed;
};

/* The bytes of one block. */
static size_t block_size(const ki_column *shape)
{
    uint32_t rows = shape->block_count == 1 ? shape->capacity : ki_column_block_rows(shape);
    return (size_t)rows * shape->size;
}

static void share_column(ki_column *column, void *context)
{
    test_share *shared = context;
    if (shared->failed) {
        return;
    }
    shared_column *own = calloc(1, sizeof(*own));
    CHECK_PTR_NOT_NULL(own);
    if (ki_column_view_take(&ki_world_store(shared->world)->columns, column, NULL, &own->view) !=
        KITH_OK) {
        shared->failed = true;
        free(own);
        return;
    }
    own->next = shared->columns;
    shared->columns = own;
    size_t size = block_size(&own->view.shape);
    own->bytes = malloc(size * own->view.shape.block_count + 1);
    CHECK_PTR_NOT_NULL(own->bytes);
    for (uint32_t i = 0; i < own->view.shape.block_count; i++) {
        const uint8_t *data = ki_column_view_block(&own->view, i)->data;
        if (data != NULL) {
            memcpy(own->bytes + size * i, data, size);
        }
    }
}

test_share *test_share_world(kith_world *world)
{
    test_share *shared = calloc(1, sizeof(*shared));
    CHECK_PTR_NOT_NULL(shared);
    shared->world = world;
    ki_views_begin(&ki_world_store(world)->columns);
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
        size_t size = block_size(&own->view.shape);
        for (uint32_t i = 0; i < own->view.shape.block_count; i++) {
            const uint8_t *data = ki_column_view_block(&own->view, i)->data;
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
        ki_column_view_free(&ki_world_store(shared->world)->columns, &own->view);
        free(own->bytes);
        free(own);
    }
    free(shared);
}
