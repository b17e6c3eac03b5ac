/* A game whose entities stand in a text. */
#include <kith/kith.h>
#include <kith/scene.h>
#include <stdio.h>
#include <string.h>

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

static const char text[] = "prefab person\n    Position { y = 12 }\n"
                           "entity player : person\n    Position { x = 41 }\n";

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    kith_result result = kith_register(world, &Position_type, NULL);
    kith_scene *scene = NULL;
    kith_scene_error error = {.message = ""};
    if (result == KITH_OK) {
        result = kith_scene_load(world, text, strlen(text), &scene, &error);
    }
    if (result == KITH_OK) {
        const Position *position = KITH_GET(world, kith_scene_find(scene, "player"), Position);
        printf("(%.1f, %.1f)\n", (double)position->x, (double)position->y);
    } else {
        puts(error.message);
    }
    kith_scene_free(scene);
    kith_world_free(world);
    return result == KITH_OK ? 0 : 1;
}
