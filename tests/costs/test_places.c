/* What a question about places takes depends on what it finds, not on how many others there are. */
#include <kith/floats.h>

#include <kith/select.h>
#include <kith/spatial.h>
#include <math.h>

#include "components.h"
#include "test.h"
#include "work.h"

enum { FEW = 4096, MANY = FEW * 16, DEEP = 16 };

typedef struct row_of_places {
    kith_world *world;
    kith_index *index;
    uint32_t columns; /* entities along x, one unit apart */
    uint32_t rows;
} row_of_places;

static void place_in_rows(row_of_places *places)
{
    for (uint32_t i = 0; i < places->columns * places->rows; i++) {
        const Position at = {(float)(i % places->columns), (float)(i / places->columns)};
        const kith_value value = {&Position_type, &at};
        CHECK(!kith_is_none(kith_spawn_or_none(places->world, &value, 1)));
    }
}

static row_of_places places_new(uint32_t columns, uint32_t rows)
{
    row_of_places places = {kith_world_new(NULL), NULL, columns, rows};
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_register(places.world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_index_new(places.world, &def, &places.index), KITH_OK);
    place_in_rows(&places);
    kith_index_found found;
    CHECK_RESULT(kith_within_box(places.index, KITH_POINT(0, 0), KITH_POINT(0, 0), NULL, &found),
                 KITH_OK);
    CHECK_UINT(found.count, 1);
    return places;
}

/* The work of finding the first `most` on the way along the middle row; its ends are parts of it. */
static uint64_t along(const row_of_places *places, double from, double to, uint32_t most)
{
    kith_near found[DEEP];
    uint32_t count = 0;
    const double end = places->columns - 1, middle = places->rows / 2;
    const kith_along_def def = {.radius = 0.25};
    const uint64_t before = work_done();
    CHECK_RESULT(kith_along(places->index, KITH_POINT(from * end, middle),
                            KITH_POINT(to * end, middle), most, &def, found, &count),
                 KITH_OK);
    const uint64_t work = work_done() - before;
    CHECK_UINT(count, most);
    return work;
}

/* Ways to either end, from the other and from the middle. Of many entities there are sixteen times as
 * many on the way. */
static void check_ways(uint32_t rows)
{
    row_of_places few = places_new(FEW / rows, rows), many = places_new(MANY / rows, rows);
    static const struct {
        double from, to;
    } ways[] = {{0, 1}, {1, 0}, {0.5, 1}, {0.5, 0}};
    for (uint32_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (uint32_t most = 1; most <= DEEP; most *= 4) {
            const uint64_t some = along(&few, ways[i].from, ways[i].to, most);
            const uint64_t more = along(&many, ways[i].from, ways[i].to, most);
            if (more > some * 2) {
                test_fail(__FILE__, __LINE__,
                          "%u rows, way %u: the first %u take %u blocks of few, %u of many", rows,
                          i, most, (unsigned)some, (unsigned)more);
            }
        }
    }
    kith_world_free(few.world);
    kith_world_free(many.world);
}

TEST(the_first_along_a_line)
{
    check_ways(1);
    check_ways(64);
}

/* The work of a selection of the nearest, after one that brought the index up to date. */
static uint64_t nearest_in_text(const row_of_places *places, const char *text)
{
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(places->world, text, NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    const uint64_t before = work_done();
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    const uint64_t work = work_done() - before;
    CHECK_UINT(kith_select_row_count(select), DEEP);
    kith_select_free(select);
    return work;
}

static void check_nearest_in_text(const row_of_places *few, const row_of_places *many)
{
    static const char *const texts[] = {
        "Position order by distance(Position, 20, 30.5) limit 16",
        "Position where Position.y > 3 order by distance(Position, 20, 30.5) limit 16"};
    for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
        CHECK(nearest_in_text(many, texts[i]) < nearest_in_text(few, texts[i]) * 2);
    }
}

/* An index finds the first by distance, also where entities are at no place, which come last. */
TEST(the_first_by_distance)
{
    static const Position nowhere[] = {{NAN, 3}, {5, INFINITY}, {-INFINITY, NAN}};
    row_of_places few = places_new(64, FEW / 64), many = places_new(256, MANY / 256);
    check_nearest_in_text(&few, &many);
    for (uint32_t i = 0; i < ROWS_OF(nowhere); i++) {
        const kith_value value = {&Position_type, &nowhere[i]};
        CHECK(!kith_is_none(kith_spawn_or_none(few.world, &value, 1)));
        CHECK(!kith_is_none(kith_spawn_or_none(many.world, &value, 1)));
    }
    check_nearest_in_text(&few, &many);
    CHECK_WORLD(few.world);
    CHECK_WORLD(many.world);
    kith_world_free(few.world);
    kith_world_free(many.world);
}
