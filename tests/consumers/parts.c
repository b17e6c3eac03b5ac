/* Two more files of the single-file distribution: pools, and what looks at a world as a whole. */
#include <kith/kith.h>
#include <stdio.h>

typedef struct Spark {
    float x, y;
} Spark;
KITH_POOL(spark_pool, Spark);
KITH_TYPE(Spark, KITH_FIELD(Spark, x), KITH_FIELD(Spark, y));

int main(void)
{
    spark_pool *sparks = spark_pool_new(NULL);
    spark_pool_id spark = spark_pool_create(sparks, &(Spark){41, 12});
    kith_world *world = kith_world_new(NULL);
    kith_register(world, &Spark_type, NULL);
    uint64_t empty = kith_world_hash(world);
    kith_spawn_empty(world);
    bool whole = kith_world_check(world) == KITH_OK && kith_world_hash(world) != empty;
    const Spark *value = spark_pool_get(sparks, spark);
    printf("(%.1f, %.1f)\n", value->x, value->y);
    kith_world_free(world);
    spark_pool_free(sparks);
    return whole ? 0 : 1;
}
