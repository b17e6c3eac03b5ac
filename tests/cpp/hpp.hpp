/* What the tests of kith.hpp have in common: types, and a world that remembers the last misuse. */
#ifndef KITH_TEST_HPP_HPP
#define KITH_TEST_HPP_HPP

#include <kith/kith.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

namespace game {

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

KITH_TAG(Frozen);

struct Leader {
    kith::entity who;
};
KITH_TYPE(Leader, KITH_FIELD(Leader, who));

}   // namespace game

/* Another library's idea of the same name. */
namespace other {

struct Position {
    std::int32_t x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

}   // namespace other

inline std::string last_message;

inline void remember(const char *message, void *)
{
    last_message = message;
}

inline bool told(const char *part)
{
    bool found = last_message.find(part) != std::string::npos;
    last_message.clear();
    return found;
}

inline kith::world new_world(kith_layout layout)
{
    kith_world_def def{};
    def.on_misuse = remember;
    kith::world world(def);
    CHECK(world.register_type<game::Position>(layout) == KITH_OK);
    CHECK(world.register_type<game::Frozen>(layout) == KITH_OK);
    CHECK(world.register_type<game::Leader>(layout) == KITH_OK);
    return world;
}

#endif
