/* Kith: parents, children and names of entities, for C++17 (<kith/hierarchy.h>, <kith/name.h>). */
#ifndef KITH_HIERARCHY_HPP
#define KITH_HIERARCHY_HPP

#include <kith/hierarchy.h>
#include <kith/name.h>
#include <kith/reflect.hpp>

#include <cstddef>
#include <cstdint>

namespace kith::detail {

/* The children of an entity, for `for`. The next one is found while the loop has this one: what it does
 * with that, and with those before, is its own affair. */
class child_range {
public:
    struct end_mark {};
    class iterator {
    public:
        iterator(const kith_world *world, entity current) noexcept
            : world_(world), current_(current), next_(kith_child_next(world, current))
        {
        }
        entity operator*() const noexcept { return current_; }
        iterator &operator++() noexcept { return *this = iterator(world_, next_); }
        bool operator!=(end_mark) const noexcept { return !kith_is_none(current_); }

    private:
        const kith_world *world_;
        entity current_;
        entity next_;
    };
    child_range(const kith_world *world, entity parent) noexcept : world_(world), parent_(parent) {}
    iterator begin() const noexcept { return {world_, kith_child_first(world_, parent_)}; }
    end_mark end() const noexcept { return {}; }

private:
    const kith_world *world_;
    entity parent_;
};

class world_hierarchy : public world_texts {
public:
    using world_texts::world_texts;

    /* ---- Parents and children (<kith/hierarchy.h>); kith::none: no parent */

    kith_result set_parent(entity child, entity parent) noexcept
    {
        return kith_set_parent(c(), child, parent);
    }
    entity parent(entity child) const noexcept { return kith_parent(c(), child); }

    /* for (kith::entity child : world.children(ship)): in their order. The loop may give the child at
     * hand another parent, or despawn it. */
    child_range children(entity parent) const noexcept { return child_range(c(), parent); }
    std::uint32_t child_count(entity parent) const noexcept
    {
        return kith_child_count(c(), parent);
    }

    /* Whether it lives, and neither it nor an ancestor has kith_disabled. In queries:
     * kith::without<kith_disabled> */
    bool is_enabled(entity e) const noexcept { return kith_is_enabled(c(), e); }

    /* An entity with all that is below it. */
    kith_result clone_tree(entity root, entity *copy) noexcept
    {
        return kith_clone_tree(c(), root, copy);
    }

    /* ---- Names (<kith/name.h>): unique among siblings */

    kith_result set_name(entity e, const char *name) noexcept
    {
        return kith_set_name(c(), e, name);
    }
    const char *name_of(entity e) const noexcept { return kith_name_of(c(), e); }

    /* The entity at a path, "ship/turret", or none; from an entity on, where one is given. */
    entity find(const char *path) const noexcept { return kith_find(c(), path); }
    entity find(entity from, const char *path) const noexcept
    {
        return kith_find_from(c(), from, path);
    }
    entity find_child(entity parent, const char *name) const noexcept
    {
        return kith_find_child(c(), parent, name);
    }
    std::size_t path(entity e, char *buffer, std::size_t size) const noexcept
    {
        return kith_path(c(), e, buffer, size);
    }
};

}   // namespace kith::detail

#endif
