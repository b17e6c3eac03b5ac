/* The map as cells: which are walls, who sees whom past them, and the way to the player. */
#ifndef EXAMPLES_ARENA_MAP_H
#define EXAMPLES_ARENA_MAP_H

#include <kith/kith.h>

#include "arena/components.h"

/* The largest map that there is room for. */
enum { MAP_COLUMNS = 192, MAP_ROWS = 96, MAP_CELLS = MAP_COLUMNS * MAP_ROWS };

/* A resource: what does not change while a level is played. Cell 0, 0 has its middle at 0, 0. */
typedef struct Terrain {
    int32_t columns, rows;
    uint8_t cells[MAP_CELLS];
} Terrain;
KITH_TYPE(Terrain, KITH_FIELD(Terrain, columns), KITH_FIELD(Terrain, rows),
          KITH_FIELD(Terrain, cells));

/* What is in a cell. Somebody who is wider than a cell is caught in a narrow one. */
enum { CELL_FREE = 0, CELL_WALL, CELL_NARROW };

/* A resource: how many steps it is from each cell to the player's. */
typedef struct Paths {
    int32_t column, row; /* the player's */
    uint16_t steps[MAP_CELLS];
} Paths;
KITH_TYPE(Paths, KITH_FIELD(Paths, column), KITH_FIELD(Paths, row), KITH_FIELD(Paths, steps));

/* What Paths has for walls, narrow cells, and what cannot be reached. */
enum { NO_PATH = 0xFFFF };

/* Whether a point is on the largest map. */
bool map_has(const Position *at);

/* Makes the Terrain of the walls that are in the world; map_has all of them. */
kith_result map_make_terrain(kith_world *world);

/* Whether a cell is a wall; all are, outside of the map. */
bool map_is_wall(const Terrain *terrain, int32_t column, int32_t row);

/* Whether somebody in a cell may be caught by a wall beside it. */
bool map_is_narrow(const Terrain *terrain, int32_t column, int32_t row);

/* The cell that a point is in, along either axis. */
int32_t map_cell(float at);

/* Whether there is no wall between two points. */
bool map_sees(const Terrain *terrain, float from_x, float from_y, float to_x, float to_y);

/* The way to the player from a point: the neighbouring cell to go to next. False if there is none, and
 * then nothing is written. */
bool map_way(const Paths *paths, float x, float y, float *to_x, float *to_y);

#endif
