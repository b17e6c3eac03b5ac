/* Kith: parents, children and names of entities, for C++17 (<kith/hierarchy.h>, <kith/name.h>). */
#ifndef KITH_HIERARCHY_HPP
#define KITH_HIERARCHY_HPP

#include <kith/hierarchy.h>
#include <kith/name.h>
#include <kith/relation.hpp>

#include <cstddef>
#include <cstdint>

namespace kith::detail {

/* All that is below an entity, for `for`. The one at hand stays where it is until the loop goes on. */
class descendant_range {
public:
    struct end_mark {};
    class iterator {
    public:
        iterator(const kith_world *world, entity root) noexcept
            : world_(world), root_(root), current_(kith_descendant_next(world, root, root))
        {
        }
        entity operator*() const noexcept { return current_; }
        iterator &operator++() noexcept
        {
            current_ = kith_descendant_next(world_, root_, current_);
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return !kith_is_none(current_); }

    private:
        const kith_world *world_;
        entity root_;
        entity current_;
    };
    descendant_range(const kith_world *world, entity root) noexcept : world_(world), root_(root) {}
    iterator begin() const noexcept { return {world_, root_}; }
    end_mark end() const noexcept { return {}; }

private:
    const kith_world *world_;
    entity root_;
};

class world_hierarchy : public world_relations {
public:
    using world_relations::world_relations;

    /* ---- Parents and children (<kith/hierarchy.h>); kith::none: no parent */

    kith_result set_parent(entity child, entity parent) noexcept
    {
        return kith_set_parent(c(), child, parent);
    }
    entity parent(entity child) const noexcept { return kith_parent(c(), child); }

    /* for (kith::entity child : world.children(ship)): in their order. The loop may give the child at
     * hand another parent, or despawn it. */
    source_range children(entity parent) const noexcept
    {
        return source_range(kith_children(c(), parent));
    }
    std::uint32_t child_count(entity parent) const noexcept
    {
        return kith_child_count(c(), parent);
    }

    /* Gives it the parent of `before`, and the place before that one. */
    kith_result insert_child(entity child, entity before) noexcept
    {
        return kith_insert_child(c(), child, before);
    }

    /* for (kith::entity part : world.descendants(ship)): depth first, each before its children. */
    descendant_range descendants(entity root) const noexcept
    {
        return descendant_range(c(), root);
    }
    /* The ancestor without a parent; the entity itself if it has none. */
    entity root(entity e) const noexcept { return kith_root(c(), e); }
    /* How many ancestors it has. */
    std::uint32_t depth(entity e) const noexcept { return kith_depth(c(), e); }
    bool is_ancestor(entity ancestor, entity e) const noexcept
    {
        return kith_is_ancestor(c(), ancestor, e);
    }
    entity common_ancestor(entity a, entity b) const noexcept
    {
        return kith_common_ancestor(c(), a, b);
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
