/* space: a game in C++17: a ship among rocks
 *
 * A pilot flies a ship among rocks. The game kit moves everything and finds what collides. The rules of
 * this game are lambdas: their parameters say what they use, so that Kith knows what may run side by
 * side. The things of the game are prefabs, in a text. */

#include <kith/floats.h>   // before all else: the same floats on every machine

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#define KITH_GAME_NAMES   // Position, not kith_position
#include <kith/game.hpp>
#include <kith/kith.hpp>
#include <kith/scene.hpp>

#include "support/arguments.h"
#include "support/must.h"

constexpr int columns = 60, rows = 20;   // of space, which has no border: what leaves comes back
constexpr float shot_speed = 25, sight = 18, danger = 4;

/* ---- What there is, besides what the game kit brings ------------------------------------------- */

KITH_COMPONENT(Rock, (std::int32_t, size), (std::int32_t, points));
KITH_COMPONENT(Gun, (float, every), (float, wait), (float, x), (float, y));   // x, y: where it aims
KITH_COMPONENT(Shield, (float, energy), (float, most));
KITH_COMPONENT(Gift, (std::int32_t, repair), (float, energy), (float, rapid));
KITH_COMPONENT(Rapid, KITH_SPARSE, (float, seconds));   // its gun is twice as fast for so long
KITH_TAG(Ship);
KITH_TAG(Spark);

KITH_COMPONENT(Game, (std::int32_t, score), (std::int32_t, wave), (std::int32_t, rocks),
               (std::int32_t, ships));                                       // a resource
KITH_COMPONENT(Explosion, (float, x), (float, y), (std::int32_t, sparks));   // an event

/* The bits of `layers` and `mask`: 1 ship, 2 rock, 4 shot, 8 gift. Rule 1 of Bounds: wrap. */
static const char prefabs[] = R"(
resource Game { ships = 3 }
resource Space { right = 60, bottom = 20 }
resource DamageRules { keep_dead = true }     # the system "deaths" ends them

prefab thing
    Velocity
    Bounds { rule = 1 }

prefab ship : thing
    Ship
    Position { x = 30, y = 10 }
    Controller { speed = 9 }
    Collider { width = 1.4, height = 1.4, layers = 1, mask = 10 }
    Health { current = 3, max = 3 }
    Shield { energy = 3, most = 3 }
    Gun { every = 0.3 }
    Sprite { glyph = "A", layer = 1 }

prefab large : thing
    Rock { size = 3, points = 20 }
    Collider { width = 4, height = 4, layers = 2, mask = 5 }
    Health { current = 3, max = 3 }
    Damage { amount = 2, once = true }
    Sprite { glyph = "O", layer = 1 }

prefab medium : large
    Rock { size = 2, points = 50 }
    Collider { width = 2.4, height = 2.4 }
    Health { current = 2, max = 2 }
    Damage { amount = 1 }
    Sprite { glyph = "o" }

prefab tiny : medium
    Rock { size = 1, points = 100 }
    Collider { width = 1.2, height = 1.2 }
    Health { current = 1, max = 1 }
    Sprite { glyph = "c" }

prefab shot : thing
    Collider { width = 0.6, height = 0.6, layers = 4, mask = 2 }
    Damage { amount = 1, fragile = true }
    Lifetime { seconds = 0.8 }
    Sprite { glyph = "'" }

prefab spark : thing
    Spark
    Sprite { glyph = "." }

prefab gift : thing
    Collider { width = 1.5, height = 1.5, layers = 8, mask = 1 }
    Lifetime { seconds = 9 }
    Sprite { glyph = "+", layer = 1 }

prefab repair : gift
    Gift { repair = 2 }
prefab charge : gift
    Gift { energy = 3 }
prefab rapid : gift
    Gift { rapid = 6 }
)";
static const char *const rocks_by_size[] = {"", "tiny", "medium", "large"};
static const char *const gifts[] = {"repair", "charge", "rapid"};

/* ---- Helpers ------------------------------------------------------------------------------------- */

/* The shortest way from one place to another: over the border, where that is nearer. */
static Velocity way(const Position &from, const Position &to)
{
    const float dx = to.x - from.x, dy = to.y - from.y;
    return {dx - columns * std::round(dx / columns), dy - rows * std::round(dy / rows)};
}

static float length(const Velocity &v)
{
    return std::sqrt(v.dx * v.dx + v.dy * v.dy);
}

/* Some velocity, up to this speed on each axis. */
static Velocity somewhere(kith::random random, float speed)
{
    const float dx = random.uniform(-speed, speed);
    const float dy = random.uniform(-speed, speed);
    return {dx, dy};
}

/* ---- The rules ----------------------------------------------------------------------------------- */

using Rocks = kith::subquery<kith::read<Position>, kith::read<Velocity>, kith::with<Rock>>;
using Gifts = kith::subquery<kith::read<Position>, kith::with<Gift>>;

/* Before anything moves: what comes and what the ship does. */
static void add_plans(kith::world &world, const kith::scene &scene)
{
    must(world.c(), world.system("waves", [&scene](kith::context &c, kith::resource<Game> game) {
        if (game->rocks > 0) {
            return;
        }
        game->wave++;
        for (int i = 0; i < 2 * game->wave + 4; i++) {
            const float at = c.random().uniform(0, 1);   // of the upper or the left border
            scene.prefab("large").queue(
                c.commands(), i % 2 == 0 ? Position{at * columns, 0} : Position{0, at * rows},
                somewhere(c.random(), 6));
        }
    }));
    const auto pilot = [](Controller &go, Gun &gun, const Position &at, Rocks rocks, Gifts offers) {
        Velocity flight{}, aim{}, fetch{};
        float nearest = columns, wanted = sight;
        rocks.each([&](const Position &rock, const Velocity &v) {
            const Velocity to = way(at, rock);
            const float distance = length(to);
            if (distance < danger) {
                flight = {flight.dx - to.dx / (distance + 1), flight.dy - to.dy / (distance + 1)};
            }
            if (distance < nearest) {   // where it will be when the shot arrives
                nearest = distance;
                aim = {to.dx + v.dx * distance / shot_speed, to.dy + v.dy * distance / shot_speed};
            }
        });
        offers.each([&](const Position &gift) {
            const Velocity to = way(at, gift);
            if (length(to) < wanted) {
                wanted = length(to);
                fetch = to;
            }
        });
        const Velocity &want = nearest < danger ? flight : wanted < sight ? fetch : aim;
        go.x = want.dx;
        go.y = want.dy;
        gun.x = aim.dx;
        gun.y = aim.dy;
    };
    must(world.c(), world.system("pilot", pilot));
    const auto guns = [&scene](kith::context &c, Gun &gun, Rapid *rapid, const Position &at) {
        gun.wait -= rapid != nullptr ? 2 * c.dt() : c.dt();
        if (rapid != nullptr && (rapid->seconds -= c.dt()) <= 0) {
            c.commands().remove<Rapid>(c.entity());
        }
        const float distance = length({gun.x, gun.y});
        if (gun.wait <= 0 && distance > 0 && distance < sight) {
            gun.wait = gun.every;
            const float speed = shot_speed / distance;
            scene.prefab("shot").queue(c.commands(), at, Velocity{gun.x * speed, gun.y * speed});
        }
    };
    must(world.c(), world.system("guns", guns));
    must(world.c(), world.system("shields", [](Shield &shield, float dt) {
        shield.energy = std::min(shield.energy + dt / 20, shield.most);
    }));
}

/* When the kit has found what collides: a ship takes gifts. Its shield takes blows, by giving as much
 * health before the kit does the damage. */
static void add_touch(kith::world &world)
{
    const auto touch = [](kith::context &c, kith::events<Collision> hits,
                          kith::lookup<Shield> shields, kith::lookup<Health> healths,
                          kith::lookup<const Damage> blows, kith::lookup<const Gift> presents) {
        for (const Collision &hit : hits) {
            const kith::entity ship = shields.has(hit.a) ? hit.a : hit.b;
            const kith::entity other = ship == hit.a ? hit.b : hit.a;
            Shield *shield = shields.get(ship);
            Health *health = healths.get(ship);
            if (hit.phase != KITH_COLLISION_ENTER || shield == nullptr || health == nullptr) {
                continue;
            }
            const Damage *blow = blows.get(other);
            if (blow != nullptr && shield->energy >= float(blow->amount)) {
                shield->energy -= float(blow->amount);
                health->current += blow->amount;
            }
            if (const Gift *gift = presents.get(other)) {
                health->current = std::min(health->current + gift->repair, health->max);
                shield->energy = std::min(shield->energy + gift->energy, shield->most);
                if (gift->rapid > 0) {
                    c.commands().set<Rapid>(ship, {gift->rapid});
                }
                c.commands().despawn(other);
            }
        }
    };
    must(world.c(), world.system(kith::named("touch").after("collision").before("damage"), touch));
}

/* After the damage. */
static void add_outcomes(kith::world &world, const kith::scene &scene)
{
    const auto deaths = [&scene](kith::context &c, kith::events<Death> all,
                                 kith::lookup<const Rock> rocks,
                                 kith::sender<Explosion> explosions) {
        for (const Death &death : all) {
            const Position at{death.x, death.y};
            const Rock *rock = rocks.get(death.entity);
            const int size = rock != nullptr ? rock->size : 0;   // 0: a ship died
            explosions.send({at.x, at.y, size > 0 ? 12 * size : 80});
            for (int i = 0; size > 1 && i < 2; i++) {
                scene.prefab(rocks_by_size[size - 1])
                    .queue(c.commands(), at, somewhere(c.random(), float(10 - 2 * size)));
            }
            if (size > 0 && c.random().chance(0.1)) {
                const kith::prefab gift = scene.prefab(c.random().pick(gifts));
                gift.queue(c.commands(), at, somewhere(c.random(), 1));
            }
            c.commands().despawn(death.entity);
        }
    };
    must(world.c(), world.system(kith::named("deaths").after("damage"), deaths));

    const auto sparks = [&scene](kith::context &c, kith::events<Explosion> explosions) {
        for (const Explosion &explosion : explosions) {
            const Position at{explosion.x, explosion.y};
            for (int i = 0; i < explosion.sparks; i++) {
                const Lifetime life{c.random().uniform(0.3f, 1.5f)};
                scene.prefab("spark").queue(c.commands(), at, somewhere(c.random(), 12), life);
            }
        }
    };
    must(world.c(), world.system(kith::named("sparks").after("deaths"), sparks));

    const auto flicker = [](kith::context &c, Velocity &v, kith::with<Spark>) {
        const Velocity wind = somewhere(c.random(), 1);
        v = {v.dx * 0.96f + wind.dx, v.dy * 0.96f + wind.dy};
    };
    must(world.c(), world.system(kith::named("flicker").parallel(), flicker));
}

/* What came and what went, for whatever reason. */
static void add_counts(kith::world &world, const kith::scene &scene)
{
    must(world.c(), world.on_add<Rock>("rocks", [](kith::context &c) {
        c.resource_mut<Game>()->rocks++;
    }));
    must(world.c(), world.on_despawn<Rock>("score", [](kith::context &c, const Rock &lost) {
        c.resource_mut<Game>()->rocks--;
        c.resource_mut<Game>()->score += lost.points;
    }));
    must(world.c(), world.on_despawn<Ship>("ships", [&scene](kith::context &c) {
        if (--c.resource_mut<Game>()->ships > 0) {
            scene.prefab("ship").queue(c.commands());
        }
    }));
}

/* ---- The program --------------------------------------------------------------------------------- */

static void draw(kith::world &world)
{
    char picture[rows][columns + 1] = {};
    for (auto &row : picture) {
        std::fill_n(row, columns, ' ');
    }
    must(world.c(), world.each([&](const Position &p, const Sprite &sprite) {
        const int x = std::clamp(int(p.x), 0, columns - 1), y = std::clamp(int(p.y), 0, rows - 1);
        if (picture[y][x] == ' ' || sprite.layer > 0) {
            picture[y][x] = sprite.glyph[0];
        }
    }));
    std::printf("tick %" PRIu64 "\n", world.tick_count());
    for (auto &row : picture) {
        std::puts(row);
    }
}

static const char help[] =
    "usage: space [--ticks N] [--seed N] [--workers N] [--draw N]\n"
    "\n"
    "A pilot shoots at rocks. The game ends when three ships are lost, or time is up.\n"
    "\n"
    "  --ticks N     at most so many ticks, of 1/60 second; 3600 if not given\n"
    "  --seed N      another game for each number; 1 if not given\n"
    "  --workers N   threads that help, up to 63; the game is the same for any number\n"
    "  --draw N      a picture every N ticks\n";

int main(int, char **argv)
{
    std::uint32_t ticks = 3600, seed = 1, workers = 0, every = 0;
    const argument options[] = {{"--ticks", &ticks, 0, UINT32_MAX, nullptr},
                                {"--seed", &seed, 0, UINT32_MAX, nullptr},
                                {"--workers", &workers, 0, 63, nullptr},
                                {"--draw", &every, 1, UINT32_MAX, nullptr},
                                {}};
    arguments_read(argv, "space", help, options);

    kith_world_def def{};
    def.seed = seed;
    kith::world world(def);
    must_make(world.c());
    must(world.c(), world.set_threads(workers + 1));
    must(world.c(), kith::add_game_systems(world, KITH_GAME_ALL));
    must(world.c(), world.register_types<Rock, Gun, Shield, Gift, Rapid, Ship, Spark, Game, Space,
                                         DamageRules>());
    kith::scene scene;
    if (scene.load(world, prefabs) != KITH_OK) {
        fail("%s", scene.error_text().c_str());
    }
    add_plans(world, scene);
    add_touch(world);
    add_outcomes(world, scene);
    add_counts(world, scene);
    must_spawn(scene.prefab("ship").spawn());

    while (world.tick_count() < ticks && world.resource<Game>()->ships > 0) {
        must(world.c(), world.run(1.0f / 60));
        if (every != 0 && world.tick_count() % every == 0) {
            draw(world);
        }
    }
    const Game &game = *world.resource<Game>();
    std::printf("ticks %" PRIu64 "\nscore %d\nwave %d\n", world.tick_count(), int(game.score),
                int(game.wave));
    std::printf("entities %u\nhash 0x%016" PRIx64 "\n", world.entity_count(), world.hash());
    must_print();
}
