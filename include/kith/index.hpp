/* Kith: indexes for C++17: entities by the values of their components, and by where they are.
 *
 *     auto weakest = world.ordered_index(&Health::current);
 *     for (kith::entity e : weakest.between({0}, {20})) { ... }
 *
 *     auto places = world.spatial_index(&Position::x, &Position::y);
 *     for (kith::entity e : places.within_radius({40, 12}, 10)) { ... }
 *
 *     auto in_danger = world.ordered_index(
 *         [](const Health &h, Danger &d) { d.level = 1 - float(h.current) / float(h.most); },
 *         &Danger::level);
 *     for (kith::entity e : in_danger.greatest(3)) { ... }
 *
 * What they find, in which order, and what they cost is told in <kith/index.h> and <kith/spatial.h>. */
#ifndef KITH_INDEX_HPP
#define KITH_INDEX_HPP

#include <kith/index.h>
#include <kith/key.hpp>
#include <kith/query.hpp>
#include <kith/sort.hpp>
#include <kith/spatial.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kith {

/* The entities that an index found; good until the index is asked again, or freed. */
struct found {
    kith_result result = KITH_OK; /* anything else: nothing was found */
    const kith_entity *entities = nullptr;
    std::uint32_t count = 0;

    explicit operator bool() const noexcept { return result == KITH_OK; }
    const kith_entity *begin() const noexcept { return entities; }
    const kith_entity *end() const noexcept { return entities + count; }
    std::uint32_t size() const noexcept { return count; }
    bool empty() const noexcept { return count == 0; }
    entity operator[](std::uint32_t i) const noexcept { return entities[i]; }
};

/* The pairs that a spatial index found, as long. */
struct found_pairs {
    kith_result result = KITH_OK;
    const kith_pair *pairs = nullptr;
    std::uint32_t count = 0;

    explicit operator bool() const noexcept { return result == KITH_OK; }
    const kith_pair *begin() const noexcept { return pairs; }
    const kith_pair *end() const noexcept { return pairs + count; }
    std::uint32_t size() const noexcept { return count; }
};

/* An index of the entities by the values of their T, or by a T that a lambda computes. It is a handle:
 * copies name the same index. The index ends with its world, or by free(). A handle is false if the
 * index could not be made; world.error() tells why. */
template <typename T>
class index {
public:
    index() noexcept = default;
    explicit index(kith_index *c) noexcept : c_(c) {}

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_index *c() const noexcept { return c_; }

    /* Ends it, for all copies. Misuse while a system declares it. */
    void free() noexcept
    {
        kith_index_free(c_);
        c_ = nullptr;
    }

    kith_index_counts stats() const noexcept { return kith_index_stats(c_); }

    /* ---- Hash and ordered indexes: only the indexed fields of a value count */

    found find(const T &value) const noexcept
    {
        kith_index_found all{};
        return found_of(kith_index_find(c_, &value, &all), all);
    }

    /* ---- Ordered indexes: the least first, unless the range says otherwise */

    found range(const kith_range &which = {}) const noexcept
    {
        kith_index_found all{};
        return found_of(kith_index_range(c_, &which, &all), all);
    }
    /* With both. */
    found between(const T &from, const T &to) const noexcept
    {
        kith_range which{};
        which.from = &from;
        which.to = &to;
        return range(which);
    }
    found least(std::uint32_t limit) const noexcept { return first(limit, false); }
    found greatest(std::uint32_t limit) const noexcept { return first(limit, true); }
    found prefix(const char *begins) const noexcept
    {
        kith_index_found all{};
        return found_of(kith_index_prefix(c_, begins, &all), all);
    }
    /* By the value, the nearest first. */
    found nearest(const T &value, std::uint32_t limit) const noexcept
    {
        kith_index_found all{};
        return found_of(kith_index_nearest(c_, &value, limit, &all), all);
    }

    /* ---- Spatial indexes. A query leaves out those that do not match. */

    found within_box(kith_point low, kith_point high) const noexcept
    {
        return in_box(low, high, nullptr);
    }
    template <typename... Terms>
    found within_box(kith_point low, kith_point high, query<Terms...> &only) const noexcept
    {
        return in_box(low, high, only.c());
    }
    found within_radius(kith_point center, double radius) const noexcept
    {
        return in_radius(center, radius, nullptr);
    }
    template <typename... Terms>
    found within_radius(kith_point center, double radius, query<Terms...> &only) const noexcept
    {
        return in_radius(center, radius, only.c());
    }

    /* The nearest to a point, at most as many as `results` has room for, written to it in order. Returns
     * how many; 0 also if the call failed, which `result` then tells. */
    template <std::size_t N>
    std::uint32_t nearest_to(kith_point point, kith_near (&results)[N],
                             const kith_near_def &def = {},
                             kith_result *result = nullptr) const noexcept
    {
        std::uint32_t count = 0;
        return told(kith_nearest(c_, point, N, &def, results, &count), result) ? count : 0;
    }

    /* What a line from one point to another meets, in order, in the same way. */
    template <std::size_t N>
    std::uint32_t along(kith_point from, kith_point to, kith_near (&results)[N],
                        const kith_along_def &def = {},
                        kith_result *result = nullptr) const noexcept
    {
        std::uint32_t count = 0;
        return told(kith_along(c_, from, to, N, &def, results, &count), result) ? count : 0;
    }

    /* All pairs that are at most so far apart. */
    found_pairs pairs(double distance) const noexcept
    {
        kith_pairs_found all{};
        const kith_result result = kith_pairs(c_, distance, nullptr, &all);
        return result == KITH_OK ? found_pairs{result, all.pairs, all.count}
                                 : found_pairs{result, nullptr, 0};
    }

private:
    static found found_of(kith_result result, const kith_index_found &all) noexcept
    {
        return result == KITH_OK ? found{result, all.entities, all.count}
                                 : found{result, nullptr, 0};
    }
    static bool told(kith_result result, kith_result *to) noexcept
    {
        if (to != nullptr) {
            *to = result;
        }
        return result == KITH_OK;
    }
    found first(std::uint32_t limit, bool descending) const noexcept
    {
        kith_range which{};
        which.limit = limit;
        which.descending = descending;
        return limit == 0 ? found{} : range(which);
    }
    found in_box(kith_point low, kith_point high, kith_query *only) const noexcept
    {
        kith_index_found all{};
        return found_of(kith_within_box(c_, low, high, only, &all), all);
    }
    found in_radius(kith_point center, double radius, kith_query *only) const noexcept
    {
        kith_index_found all{};
        return found_of(kith_within_radius(c_, center, radius, only, &all), all);
    }

    kith_index *c_ = nullptr;
};

namespace detail {

template <typename T, typename... Fields>
index<T> make_index(kith_world *world, kith_index_kind kind, Fields T::*...members) noexcept
{
    static_assert(sizeof...(Fields) >= 1 && sizeof...(Fields) <= KITH_INDEX_FIELDS,
                  "an index has one to six fields");
    const kith_index_def def{kind, type_of<T>(), {field_name<T>(members)...},
                             nullptr, nullptr, nullptr};
    kith_index *made = nullptr;
    return index<T>(kith_index_new(world, &def, &made) == KITH_OK ? made : nullptr);
}

template <typename F, typename T, typename... Fields>
index<T> make_computed_index(kith_world *world, kith_index_kind kind, const F &function,
                             Fields T::*...members) noexcept
{
    using made_by = key_call<F, parameters<F>>;
    static_assert(sizeof...(Fields) >= 1 && sizeof...(Fields) <= KITH_INDEX_FIELDS,
                  "an index has one to six fields");
    index<T> computed;
    if constexpr (is_key<F>()) {
        static_assert(std::is_same<typename made_by::key, T>::value,
                      "the fields are those of the key that the lambda writes");
        const kith_index_def def{kind,
                                 type_of<T>(),
                                 {field_name<T>(members)...},
                                 type_of<typename made_by::value>(),
                                 made_by::call,
                                 kept_key(function)};
        kith_index *made = nullptr;
        computed = index<T>(kith_index_new(world, &def, &made) == KITH_OK ? made : nullptr);
    }
    return computed;
}

}   // namespace detail

}   // namespace kith

#endif
