#include "arena/map.h"

#include <math.h>
#include <string.h>

#include "arena/systems.h"

static uint32_t cell_number(int32_t column, int32_t row)
{
    return (uint32_t)(row * MAP_COLUMNS + column);
}

int32_t map_cell(float at)
{
    return at >= -0.5f && at < MAP_COLUMNS ? (int32_t)(at + 0.5f) : -1;
}

bool map_is_wall(const Terrain *terrain, int32_t column, int32_t row)
{
    return column < 0 || row < 0 || column >= terrain->columns || row >= terrain->rows ||
           terrain->wall[cell_number(column, row)] != 0;
}

/* ---- Terrain --------------------------------------------------------------------------------- */

static bool add_wall(Terrain *terrain, const Position *at)
{
    int32_t column = map_cell(at->x);
    int32_t row = map_cell(at->y);
    if (column < 0 || row < 0 || column >= MAP_COLUMNS || row >= MAP_ROWS) {
        return false;
    }
    terrain->wall[cell_number(column, row)] = 1;
    terrain->columns = column >= terrain->columns ? column + 1 : terrain->columns;
    terrain->rows = row >= terrain->rows ? row + 1 : terrain->rows;
    return true;
}

kith_result map_make_terrain(kith_world *world, float *column, float *row)
{
    Terrain terrain = {0};
    kith_result result = KITH_OK;
    kith_query *walls = KITH_QUERY(world, KITH_READ(Position), KITH_WITH(Wall));
    if (walls == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (kith_iter it = kith_query_iter(walls); kith_next(&it);) {
        const Position *at = KITH_COLUMN(&it, 0, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            if (!add_wall(&terrain, &at[i])) {
                *column = at[i].x;
                *row = at[i].y;
                result = KITH_ERR_LIMIT;
            }
        }
    }
    kith_query_free(walls);
    return result != KITH_OK ? result : kith_resource_set(world, &Terrain_type, &terrain);
}

/* Looks at a point every half cell: enough not to see through a wall, which is a cell thick. */
bool map_sees(const Terrain *terrain, float from_x, float from_y, float to_x, float to_y)
{
    float dx = to_x - from_x;
    float dy = to_y - from_y;
    float steps = ceilf(fmaxf(fabsf(dx), fabsf(dy)) * 2);
    for (float i = 1; i < steps; i++) {
        if (map_is_wall(terrain, map_cell(from_x + dx * i / steps),
                        map_cell(from_y + dy * i / steps))) {
            return false;
        }
    }
    return true;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Goes from the player's cell outwards, all cells of one distance after those of the one before. The
 * queue is as long as there are cells: each comes in once. */
static void find_paths(Paths *paths, const Terrain *terrain)
{
    static const int8_t steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint16_t queue[MAP_CELLS][2];
    uint32_t first = 0;
    uint32_t last = 0;
    memset(paths->steps, 0xFF, sizeof(paths->steps));
    if (map_is_wall(terrain, paths->column, paths->row)) {
        return;
    }
    paths->steps[cell_number(paths->column, paths->row)] = 0;
    queue[last][0] = (uint16_t)paths->column;
    queue[last++][1] = (uint16_t)paths->row;
    for (; first < last; first++) {
        uint16_t distance = paths->steps[cell_number(queue[first][0], queue[first][1])];
        for (int i = 0; i < 4; i++) {
            int32_t column = queue[first][0] + steps[i][0];
            int32_t row = queue[first][1] + steps[i][1];
            if (!map_is_wall(terrain, column, row) &&
                paths->steps[cell_number(column, row)] == NO_PATH) {
                paths->steps[cell_number(column, row)] = (uint16_t)(distance + 1);
                queue[last][0] = (uint16_t)column;
                queue[last++][1] = (uint16_t)row;
            }
        }
    }
}

static uint16_t steps_from(const Paths *paths, int32_t column, int32_t row)
{
    bool inside = column >= 0 && row >= 0 && column < MAP_COLUMNS && row < MAP_ROWS;
    return inside ? paths->steps[cell_number(column, row)] : NO_PATH;
}

bool map_way(const Paths *paths, float x, float y, float *to_x, float *to_y)
{
    int32_t column = map_cell(x);
    int32_t row = map_cell(y);
    uint16_t best = steps_from(paths, column, row);
    bool found = false;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            /* Not around the corner of a wall: a box would be caught by it. */
            bool free = steps_from(paths, column + dx, row) != NO_PATH &&
                        steps_from(paths, column, row + dy) != NO_PATH;
            uint16_t steps = steps_from(paths, column + dx, row + dy);
            if (free && steps < best) {
                best = steps;
                *to_x = (float)(column + dx);
                *to_y = (float)(row + dy);
                found = true;
            }
        }
    }
    return found;
}

/* Enemies go by where the player was at the start of the step, and so all by the same. */
static void update_paths(kith_iter *it)
{
    Target *target = RESOURCE_MUT(it, Target);
    Paths *paths = RESOURCE_MUT(it, Paths);
    if (target == NULL || paths == NULL) {
        return;
    }
    target->alive = false;
    while (kith_next(it)) {
        const Position *at = KITH_COLUMN(it, 0, Position);
        *target = (Target){.x = at[0].x, .y = at[0].y, .alive = true};
        if (map_cell(at[0].x) != paths->column || map_cell(at[0].y) != paths->row) {
            paths->column = map_cell(at[0].x);
            paths->row = map_cell(at[0].y);
            find_paths(paths, KITH_SYSTEM_RESOURCE(it, Terrain));
        }
    }
}

kith_result add_paths(const arena_world *arena)
{
    return kith_system_add(arena->world, &(kith_system_def){
        .name = "paths", .run = update_paths, .phase = KITH_PHASE_BEGIN, .quiet = true,
        .query = {KITH_TERMS(KITH_READ(Position), KITH_WITH(Player))},
        KITH_RESOURCES(KITH_READ(Terrain), KITH_WRITE(Target), KITH_WRITE(Paths))});
}
