/* Kith: relations for C++17 (<kith/relation.h>): what an entity is linked to, and what is linked to it.
 *
 *     KITH_RELATION(Targets, KITH_CLEAR);
 *     KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
 *
 *     world.set<Targets>(turret, {enemy});
 *     kith::entity aim = world.target<Targets>(turret);
 *     for (kith::entity gun : world.sources<Targets>(enemy)) { ... }
 *
 *     world.spawn(Likes{ann, bob, 3});
 *     for (kith::entity link : world.links_from<Likes>(ann)) {
 *         const Likes *likes = world.get<Likes>(link);
 *     } */
#ifndef KITH_RELATION_HPP
#define KITH_RELATION_HPP

#include <kith/reflect.hpp>
#include <kith/relation.h>

#include <cstdint>

namespace kith {

/* The sources of a target, its children or its links, for `for`: in their order. The loop may unlink the
 * one at hand, link it elsewhere or despawn it; if that happens to the one after it, the loop ends. */
class source_range {
public:
    struct end_mark {};
    class iterator {
    public:
        explicit iterator(const kith_sources &scan) noexcept : scan_(scan) { ++*this; }
        entity operator*() const noexcept { return scan_.entity; }
        iterator &operator++() noexcept
        {
            more_ = kith_sources_next(&scan_);
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return more_; }

    private:
        kith_sources scan_;
        bool more_ = false;
    };
    explicit source_range(const kith_sources &scan) noexcept : scan_(scan) {}
    iterator begin() const noexcept { return iterator(scan_); }
    end_mark end() const noexcept { return {}; }

private:
    kith_sources scan_;
};

namespace detail {

/* The methods of a world about relations. Each takes the relation: target<Targets>(turret). */
class world_relations : public world_texts {
public:
    using world_texts::world_texts;

    /* None if it has no target, or is dead. */
    template <typename R>
    entity target(entity source) const noexcept
    {
        return kith_target(c(), source, type_of<R>());
    }

    /* for (kith::entity gun : world.sources<Targets>(enemy)) */
    template <typename R>
    source_range sources(entity target) const noexcept
    {
        return source_range(kith_sources_of(c(), target, type_of<R>()));
    }
    template <typename R>
    std::uint32_t source_count(entity target) const noexcept
    {
        return kith_source_count(c(), target, type_of<R>());
    }
    /* Puts it before another source of the same target; none: after all of them. */
    template <typename R>
    kith_result place_source(entity source, entity before) noexcept
    {
        return kith_source_place(c(), source, type_of<R>(), before);
    }

    /* Of KITH_LINKS: the links, each an entity that has an R. */
    template <typename R>
    source_range links_from(entity source) const noexcept
    {
        return source_range(kith_links_from(c(), source, type_of<R>()));
    }
    template <typename R>
    source_range links_to(entity target) const noexcept
    {
        return source_range(kith_links_to(c(), target, type_of<R>()));
    }
    /* A link from one to the other; none if there is none. */
    template <typename R>
    entity find_link(entity source, entity target) const noexcept
    {
        return kith_link_find(c(), source, target, type_of<R>());
    }
};

}   // namespace detail

}   // namespace kith

#endif
