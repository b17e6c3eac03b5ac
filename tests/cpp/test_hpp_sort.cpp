/* The order in which loops visit: by a member, by a name, by a function. */
#include "hpp.hpp"

#include <string>

namespace game {

struct Sprite {
    std::int32_t layer;
    float depth;
    std::uint8_t color[4];
};
KITH_TYPE(Sprite, KITH_FIELD(Sprite, layer), KITH_FIELD(Sprite, depth), KITH_FIELD(Sprite, color));

struct Point {
    float x, y;
};

struct Tower {
    Point at;
    std::uint32_t height;
};
KITH_TYPE(Tower, KITH_FIELD(Tower, at.x), KITH_FIELD(Tower, at.y), KITH_FIELD(Tower, height));

struct Tall : Tower {};
KITH_TYPE(Tall, KITH_FIELD(Tall, at.x), KITH_FIELD(Tall, at.y), KITH_FIELD(Tall, height));

}   // namespace game

using game::Sprite;

/* The colors, which are letters, as a loop visits them. */
static std::string seen(kith::world &world)
{
    std::string text;
    world.query<kith::read<Sprite>>().each(
        [&](const Sprite &sprite) { text += static_cast<char>(sprite.color[1]); });
    return text;
}

static bool is_nearer(const Sprite &a, const Sprite &b)
{
    return a.depth < b.depth;
}

static void test_sorting(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Sprite>(layout) == KITH_OK);
    world.spawn(Sprite{2, 0.5f, {0, 'c', 0, 0}});
    world.spawn(Sprite{1, 0.1f, {0, 'a', 0, 0}});
    world.spawn(Sprite{-1, 0.7f, {0, 'd', 0, 0}});
    world.spawn(Sprite{1, 0.2f, {0, 'b', 0, 0}});
    CHECK(seen(world) == "cadb");
    CHECK(world.sort<Sprite>(&Sprite::layer) == KITH_OK && seen(world) == "dabc");
    CHECK(world.sort_descending<Sprite>(&Sprite::layer) == KITH_OK && seen(world) == "cabd");
    CHECK(world.sort<Sprite>("color[1]") == KITH_OK && seen(world) == "abcd");
    CHECK(world.sort_descending<Sprite>(is_nearer) == KITH_OK && seen(world) == "dcba");
    int calls = 0;
    CHECK(world.sort<Sprite>([&calls](const Sprite &a, const Sprite &b) {
        calls++;
        return a.color[1] < b.color[1];
    }) == KITH_OK);
    CHECK(seen(world) == "abcd" && calls > 0);
    CHECK(world.sort<Sprite>(&Sprite::color) == KITH_ERR_INPUT);
    CHECK(world.sort<Sprite>("colour") == KITH_ERR_UNKNOWN);
    CHECK(world.check() == KITH_OK && last_message.empty());
}

/* A member is found by where it is: one of several parts is not one of them. */
static void test_members()
{
    kith::world world = new_world(KITH_TABLE);
    world.spawn(game::Tall{{{1, 2}, 9}});
    world.spawn(game::Tall{{{2, 1}, 7}});
    CHECK(world.sort<game::Tall>(&game::Tall::height) == KITH_OK);
    std::uint32_t last = 0;
    world.query<kith::read<game::Tall>>().each([&](const game::Tall &tall) {
        CHECK(tall.height > last);
        last = tall.height;
    });
    CHECK(last == 9);
    CHECK(world.sort<game::Tall>(&game::Tall::at) == KITH_ERR_UNKNOWN);
    CHECK(world.sort<game::Tall>("at.x") == KITH_OK);
}

/* By the hierarchy. */
static void test_parents_first()
{
    kith::world world = new_world(KITH_TABLE);
    kith::entity child = world.spawn(Sprite{1, 0, {0, 'b', 0, 0}});
    kith::entity parent = world.spawn(Sprite{0, 0, {0, 'a', 0, 0}});
    CHECK(kith_set_parent(world.c(), child, parent) == KITH_OK);
    CHECK(seen(world) == "ba");
    CHECK(world.sort<Sprite>(KITH_PARENTS_FIRST) == KITH_OK && seen(world) == "ab");
    CHECK(world.sort<Sprite>(KITH_CHILDREN_FIRST) == KITH_OK && seen(world) == "ba");
}

int main()
{
    test_sorting(KITH_TABLE);
    test_sorting(KITH_SPARSE);
    test_members();
    test_parents_first();
    return 0;
}
