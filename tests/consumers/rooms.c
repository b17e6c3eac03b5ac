/* What the other consumers do not use of the single file: pools, checks and hashes of a world, types
 * made at run time, and values read from text. */
#include <kith/kith.h>
#include <stdio.h>

typedef struct Spark {
    float x, y;
} Spark;
KITH_POOL(spark_pool, Spark);
KITH_TYPE(Spark, KITH_FIELD(Spark, x), KITH_FIELD(Spark, y));

/* Whether the world takes a type that is made here, and reads a value of it from text. */
static bool reads_made_type(kith_world *world)
{
    const kith_field field = {"x", 0, 0, KITH_F32};
    const kith_type_def def = {.name = "Made", .fields = &field, .field_count = 1};
    kith_entity entity = kith_spawn_empty(world);
    return kith_define(world, &def, NULL) == KITH_OK &&
           kith_parse_entity(world, entity, "Made { x = 0.5 }") == KITH_OK;
}

int main(void)
{
    spark_pool *sparks = spark_pool_new(NULL);
    spark_pool_id spark = spark_pool_create(sparks, &(Spark){41, 12});
    kith_world *world = kith_world_new(NULL);
    kith_register(world, &Spark_type, NULL);
    uint64_t empty = kith_world_hash(world);
    bool right = reads_made_type(world) && kith_world_check(world) == KITH_OK &&
                 kith_world_hash(world) != empty;
    const Spark *value = spark_pool_get(sparks, spark);
    printf("(%.1f, %.1f)\n", value->x, value->y);
    kith_world_free(world);
    spark_pool_free(sparks);
    return right ? 0 : 1;
}
