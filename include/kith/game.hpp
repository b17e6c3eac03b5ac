/* Kith: the kit for games, in C++17: <kith/game.h> tells what its components and systems do. It needs
 * the library kith::game, and is not part of <kith/kith.hpp>. Its structs are components as they are:
 *
 *     #define KITH_GAME_NAMES
 *     #include <kith/game.hpp>
 *
 *     kith::add_game_systems(world, KITH_GAME_MOVEMENT | KITH_GAME_COLLISION);
 *     world.spawn(Position{1, 2}, Velocity{3, 0}, Collider{1, 1, 0, 0, false}); */
#ifndef KITH_GAME_HPP
#define KITH_GAME_HPP

#include <kith/game.h>
#include <kith/world.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace kith {

/* Adds systems of the kit: kith_game_add_systems. */
inline kith_result add_game_systems(world &to, std::uint32_t systems) noexcept
{
    return kith_game_add_systems(to.c(), systems);
}

/* Gives an entity another parent, or none, and leaves it where it is in the world: see
 * kith_set_parent_in_place. */
inline kith_result set_parent_in_place(world &of, entity child, entity parent,
                                       bool *exact = nullptr) noexcept
{
    return kith_set_parent_in_place(of.c(), child, parent, exact);
}

/* The boxes of a world, arranged so that those in a place are found at once. False if memory ran out. */
class grid {
public:
    explicit grid(world &of) noexcept : c_(kith_grid_new(of.c())) {}
    grid(grid &&other) noexcept : c_(std::exchange(other.c_, nullptr)) {}
    grid &operator=(grid &&other) noexcept
    {
        std::swap(c_, other.c_);
        return *this;
    }
    ~grid() { kith_grid_free(c_); }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_grid *c() const noexcept { return c_; }

    /* Fills it with all that have Position and Collider and are of one of these layers (0: all). */
    kith_result build(std::uint32_t layers = 0) noexcept { return kith_grid_build(c_, layers); }
    std::uint32_t count() const noexcept { return kith_grid_count(c_); }

    /* Writes the first N of those with a box that overlaps this one, in the order of their slots, and
     * returns how many there are: maybe more than N. */
    template <std::size_t N>
    std::uint32_t box(float left, float top, float right, float bottom, entity (&found)[N],
                      std::uint32_t layers = 0) const noexcept
    {
        return kith_grid_box(c_, left, top, right, bottom, layers, found,
                             static_cast<std::uint32_t>(N));
    }
    /* The first with a box that has the point inside of it; or none. */
    entity at(float x, float y, std::uint32_t layers = 0) const noexcept
    {
        return kith_grid_point(c_, x, y, layers);
    }
    /* The one whose Position is nearest, and nearer than `radius`; or none. */
    entity nearest(float x, float y, float radius, std::uint32_t layers = 0) const noexcept
    {
        return kith_grid_nearest(c_, x, y, radius, layers);
    }

private:
    kith_grid *c_;
};

}   // namespace kith

#endif
