#include <kith/floats.h>

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
           terrain->cells[cell_number(column, row)] == CELL_WALL;
}

bool map_is_narrow(const Terrain *terrain, int32_t column, int32_t row)
{
    return map_is_wall(terrain, column, row) ||
           terrain->cells[cell_number(column, row)] == CELL_NARROW;
}

/* ---- Terrain --------------------------------------------------------------------------------- */

bool map_has(const Position *at)
{
    const int32_t column = map_cell(at->x);
    const int32_t row = map_cell(at->y);
    return column >= 0 && row >= 0 && column < MAP_COLUMNS && row < MAP_ROWS;
}

static void add_wall(Terrain *terrain, const Position *at)
{
    const int32_t column = map_cell(at->x);
    const int32_t row = map_cell(at->y);
    terrain->cells[cell_number(column, row)] = CELL_WALL;
    terrain->columns = column >= terrain->columns ? column + 1 : terrain->columns;
    terrain->rows = row >= terrain->rows ? row + 1 : terrain->rows;
}

/* Cells beside a wall are narrow. */
static void find_narrow_cells(Terrain *terrain)
{
    for (int32_t row = 0; row < terrain->rows; row++) {
        for (int32_t column = 0; column < terrain->columns; column++) {
            bool beside = false;
            for (int32_t i = 0; i < 9; i++) {
                beside = beside || map_is_wall(terrain, column + i % 3 - 1, row + i / 3 - 1);
            }
            if (beside && !map_is_wall(terrain, column, row)) {
                terrain->cells[cell_number(column, row)] = CELL_NARROW;
            }
        }
    }
}

kith_result map_make_terrain(kith_world *world)
{
    Terrain terrain = {0};
    kith_query *walls = KITH_QUERY(world, KITH_READ(Position), KITH_WITH(Wall));
    if (walls == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_iter it = kith_query_iter(walls);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            add_wall(&terrain, &at[i]);
        }
    }
    kith_query_free(walls);
    if (it.result != KITH_OK) {
        return it.result;
    }
    find_narrow_cells(&terrain);
    return kith_resource_set(world, &Terrain_type, &terrain);
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

/* Cells that wait for their neighbours to be looked at: each comes in once. */
typedef struct path_queue {
    uint16_t cells[MAP_CELLS][2];
    uint32_t first, last;
} path_queue;

/* Who has come out into the open does not go back into the narrow. */
static bool may_go(const Terrain *terrain, uint8_t from, int32_t column, int32_t row)
{
    if (map_is_wall(terrain, column, row)) {
        return false;
    }
    return from == CELL_NARROW || terrain->cells[cell_number(column, row)] == CELL_FREE;
}

static void visit(Paths *paths, path_queue *queue, int32_t column, int32_t row, uint32_t steps)
{
    paths->steps[cell_number(column, row)] = (uint16_t)steps;
    queue->cells[queue->last][0] = (uint16_t)column;
    queue->cells[queue->last++][1] = (uint16_t)row;
}

/* Goes outwards from the player's cell: all cells of one distance after those of the one before. */
static void find_paths(Paths *paths, const Terrain *terrain)
{
    static const int8_t around[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    path_queue queue = {.first = 0};
    memset(paths->steps, 0xFF, sizeof(paths->steps));
    if (map_is_wall(terrain, paths->column, paths->row)) {
        return;
    }
    visit(paths, &queue, paths->column, paths->row, 0);
    for (; queue.first < queue.last; queue.first++) {
        int32_t column = queue.cells[queue.first][0];
        int32_t row = queue.cells[queue.first][1];
        uint32_t here = cell_number(column, row);
        for (int32_t i = 0; i < 4; i++) {
            int32_t next_column = column + around[i][0];
            int32_t next_row = row + around[i][1];
            if (may_go(terrain, terrain->cells[here], next_column, next_row) &&
                paths->steps[cell_number(next_column, next_row)] == NO_PATH) {
                visit(paths, &queue, next_column, next_row, paths->steps[here] + 1u);
            }
        }
    }
}

bool map_way(const Paths *paths, float x, float y, float *to_x, float *to_y)
{
    const int32_t column = map_cell(x);
    const int32_t row = map_cell(y);
    uint16_t best = NO_PATH;
    for (int32_t i = 0; i < 9; i++) {
        int32_t next_column = column + i % 3 - 1;
        int32_t next_row = row + i / 3 - 1;
        bool inside =
            next_column >= 0 && next_row >= 0 && next_column < MAP_COLUMNS && next_row < MAP_ROWS;
        uint16_t steps = inside ? paths->steps[cell_number(next_column, next_row)] : NO_PATH;
        if (steps < best) {
            best = steps;
            *to_x = (float)next_column;
            *to_y = (float)next_row;
        }
    }
    return best != NO_PATH;
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
        const Position *at = KITH_COLUMN(it, Position);
        *target = (Target){.x = at[0].x, .y = at[0].y, .alive = true};
        if (map_cell(at[0].x) != paths->column || map_cell(at[0].y) != paths->row) {
            paths->column = map_cell(at[0].x);
            paths->row = map_cell(at[0].y);
            find_paths(paths, KITH_RESOURCE(it, Terrain));
        }
    }
}

kith_result add_paths(const arena_world *arena)
{
    return kith_system_add(
        arena->world,
        &(kith_system_def){
            .name = "paths",
            .run = update_paths,
            .phase = KITH_PHASE_BEGIN,
            .no_commands = true,
            .query.terms = KITH_TERMS(KITH_READ(Position), KITH_WITH(Player)),
            .resources = KITH_TERMS(KITH_READ(Terrain), KITH_WRITE(Target), KITH_WRITE(Paths))});
}
