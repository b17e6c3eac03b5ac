/* Types, terms and methods as the documentation shows them: none gives a warning. */
#include <kith/kith.hpp>
#include <kith/pool.h>
#include <kith/static.h>

#include <string>

struct Old {
    float x, y;
    std::uint8_t level;
};
KITH_TYPE(Old, KITH_FIELD(Old, x), KITH_FIELD(Old, y), KITH_FIELD(Old, level), KITH_GAP);
struct Camera {
    float matrix[4][4];
};
KITH_TYPE_NAMED(Camera, "camera", KITH_FIELD(Camera, matrix, KITH_F32));
struct Title {
    std::string text;
};
KITH_OPAQUE_TYPE(Title);
enum class Mood { calm, angry };
KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Velocity, KITH_SPARSE, (float, x), (float, y));
KITH_COMPONENT(Gun, (float, every), (kith_entity, owner), (char, name, 16), (Mood, mood),
               (double, grid, 2, 3), (bool, on));
KITH_COMPONENT(Team, KITH_SLOT, (std::uint8_t, number));
KITH_COMPONENT(Score, (std::int64_t, points));
KITH_COMPONENT(Hit, (kith_entity, who), (std::int32_t, damage));
KITH_TAG(Frozen);
KITH_TAG(Selected, KITH_SLOT);
namespace game {
KITH_COMPONENT(Place, (float, x));
KITH_TAG(Hidden, KITH_SLOT);
}   // namespace game

struct Enemy {
    float x;
    int health;
};
KITH_POOL(enemy_pool, Enemy);
KITH_POOL(spark_pool, Enemy, plain);
#define PARTS(X, W) X(W, Position, position) X(W, Team, team)
KITH_STATIC_WORLD(arena, PARTS, 100);

int main()
{
    kith::world w;
    kith_entity e = w.spawn(Position{1, 2}, Velocity{1, 0}, kith::zero<Frozen>);
    (void)e;
    return 0;
}
