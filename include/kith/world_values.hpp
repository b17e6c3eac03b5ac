/* Kith: what a kith::world holds: entities and their components, resources, events, interned texts. */
#ifndef KITH_WORLD_VALUES_HPP
#define KITH_WORLD_VALUES_HPP

#include <kith/access.h>
#include <kith/entity.hpp>
#include <kith/event.hpp>
#include <kith/random.hpp>
#include <kith/resource.h>
#include <kith/sort.hpp>
#include <kith/text.h>
#include <kith/transfer.h>
#include <kith/type.hpp>
#include <kith/unique.h>
#include <kith/world_owner.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace kith::detail {

/* The handles of a world, for `for`. */
class entity_range {
public:
    struct end_mark {};
    class iterator {
    public:
        iterator(const kith_world *world, entity current) noexcept
            : world_(world), current_(current)
        {
        }
        entity operator*() const noexcept { return current_; }
        iterator &operator++() noexcept
        {
            current_ = kith_entity_next(world_, current_);
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return !kith_is_none(current_); }

    private:
        const kith_world *world_;
        entity current_;
    };
    explicit entity_range(const kith_world *world) noexcept : world_(world) {}
    iterator begin() const noexcept { return {world_, kith_entity_next(world_, none)}; }
    end_mark end() const noexcept { return {}; }

private:
    const kith_world *world_;
};

class world_values : public world_owner {
public:
    using world_owner::world_owner;

    /* ---- Entities */

    /* spawn(Position{1, 2}, kith::zero<Frozen>): the new entity, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) noexcept
    {
        if constexpr (sizeof...(Ts) == 0) {
            return kith_spawn_empty(c());
        } else {
            const kith_value list[] = {value_of(values)...};
            return kith_spawn_or_none(c(), list, sizeof...(Ts));
        }
    }

    kith_result clone(entity e, entity *copy) noexcept { return kith_clone(c(), e, copy); }
    kith_result despawn(entity e) noexcept { return kith_despawn(c(), e); }
    bool alive(entity e) const noexcept { return kith_alive(c(), e); }
    std::uint32_t entity_count() const noexcept { return kith_entity_count(c()); }

    /* for (kith::entity e : world.entities()): in the order of their slots. */
    entity_range entities() const noexcept { return entity_range(c()); }

    /* Moves `count` entities to another world, with all that they have: kith_transfer. Their new handles
     * are in `moved`, which may be NULL. */
    kith_result transfer(const entity *list, std::uint32_t count, world_values &to,
                         entity *moved = nullptr) noexcept
    {
        return kith_transfer(c(), list, count, to.c(), moved);
    }

    /* ---- Components */

    template <typename T>
    kith_result set(entity e, const T &value) noexcept
    {
        static_assert(can_copy<T>(), "");
        return kith_set(c(), e, type_of<T>(), std::addressof(value));
    }

    /* Several at once: set_values(e, Position{1, 2}, kith::zero<Frozen>). */
    template <typename... Ts>
    kith_result set_values(entity e, const Ts &...values) noexcept
    {
        static_assert(sizeof...(Ts) > 0, "there is nothing to set");
        const kith_value list[] = {value_of(values)...};
        return kith_set_values(c(), e, list, sizeof...(Ts));
    }

    /* Unique keys (<kith/unique.h>): from now on no two entities have the same values of these members.
     * Values of T are then written by `set` and its like alone: a `T &` is misuse. */
    template <typename T, typename... Fields>
    kith_result make_unique(Fields T::*...members) noexcept
    {
        static_assert(sizeof...(Fields) >= 1 && sizeof...(Fields) <= KITH_INDEX_FIELDS,
                      "a unique key has one to six fields");
        const kith_unique_def def{type_of<T>(), {field_name<T>(members)...}};
        return kith_unique_new(c(), &def);
    }
    template <typename T>
    void drop_unique() noexcept
    {
        kith_unique_free(c(), type_of<T>());
    }
    /* The entity with the same key as a value's, or none. Misuse: T has no unique key. */
    template <typename T>
    entity find_unique(const T &value) const noexcept
    {
        return kith_unique_find(c(), type_of<T>(), std::addressof(value));
    }

    template <typename T>
    kith_result add(entity e) noexcept
    {
        return kith_add(c(), e, type_of<T>());
    }
    template <typename T>
    kith_result remove(entity e) noexcept
    {
        return kith_remove(c(), e, type_of<T>());
    }
    kith_result remove_all(entity e) noexcept { return kith_remove_all(c(), e); }

    template <typename T>
    bool has(entity e) const noexcept
    {
        return kith_has_(c(), e, type_of<T>());
    }
    template <typename T>
    const T *get(entity e) const noexcept
    {
        return static_cast<const T *>(kith_get_(c(), e, type_of<T>()));
    }
    template <typename T>
    T *get_mut(entity e) noexcept
    {
        return static_cast<T *>(kith_get_mut_(c(), e, type_of<T>()));
    }
    /* The same with the reason why not. */
    template <typename T>
    kith_result get_mut(entity e, T **value) noexcept
    {
        void *found = nullptr;
        const kith_result result = kith_get_mut(c(), e, type_of<T>(), &found);
        if (result == KITH_OK) {
            *value = static_cast<T *>(found);
        }
        return result;
    }

    /* sort<Sprite>(&Sprite::layer), sort<Sprite>("color[2]"), by a function that tells of two
     * values whether the first comes before the second, or sort<Node>(KITH_PARENTS_FIRST) by the
     * hierarchy: the order in which loops visit, kith_sort. */
    template <typename T, typename By>
    kith_result sort(By by) noexcept
    {
        return detail::sort<T>(c(), by, false);
    }
    template <typename T, typename By>
    kith_result sort_descending(By by) noexcept
    {
        return detail::sort<T>(c(), by, true);
    }

    /* ---- Interned texts */

    kith_result intern(std::string_view bytes, text &interned) noexcept
    {
        return kith_text_intern_bytes(c(), bytes.data(), bytes.size(), &interned);
    }
    /* Lives as long as the world. Without data() for what is no text of this world; an empty text has
     * some. */
    std::string_view text_of(text t) const noexcept
    {
        std::size_t length = 0;
        const char *bytes = kith_text_get(c(), t, &length);
        return {bytes, length};
    }

    /* ---- Random numbers */

    /* The world's own stream, for draws outside of systems. */
    kith::random random() noexcept { return kith::random(kith_world_random(c())); }

    /* ---- Resources and events */

    /* KITH_ERR_UNKNOWN for a class that is not registered, here and for events: it has no hooks yet. */
    template <typename T>
    kith_result set_resource(const T &value) noexcept
    {
        static_assert(can_copy<T>(), "");
        const kith_result result = may_hold<T>(c());
        return result == KITH_OK ? kith_resource_set(c(), type_of<T>(), std::addressof(value))
                                 : result;
    }
    /* The same with all bytes zero, or as the default constructor makes it. */
    template <typename T>
    kith_result set_resource() noexcept
    {
        const kith_result result = may_hold<T>(c());
        return result == KITH_OK ? kith_resource_set(c(), type_of<T>(), nullptr) : result;
    }
    template <typename T>
    const T *resource() const noexcept
    {
        return static_cast<const T *>(kith_resource_get(c(), type_of<T>()));
    }
    template <typename T>
    T *resource_mut() noexcept
    {
        return static_cast<T *>(kith_resource_mut_or_null(c(), type_of<T>()));
    }
    template <typename T>
    kith_result remove_resource() noexcept
    {
        return kith_resource_remove(c(), type_of<T>());
    }

    /* Events outlive `keep` runs beyond their own. Needed only if that is not 0. */
    template <typename T>
    kith_result register_event(std::uint32_t keep) noexcept
    {
        const kith_event_def def{keep};
        const kith_result result = may_hold<T>(c());
        return result == KITH_OK ? kith_event_register(c(), type_of<T>(), &def) : result;
    }
    template <typename T>
    kith_result send(const T &value) noexcept
    {
        static_assert(can_copy<T>(), "");
        return detail::send(c(), std::addressof(value));
    }
    /* The same with all bytes zero, or as the default constructor makes it; and for tags. */
    template <typename T>
    kith_result send() noexcept
    {
        return detail::send<T>(c(), nullptr);
    }
    template <typename T>
    std::uint32_t event_count() const noexcept
    {
        return kith_event_count(c(), type_of<T>());
    }
    /* for (const Collision &hit : world.events<Collision>()): oldest first. None must be sent
     * meanwhile. */
    template <typename T>
    kith::events<T> events() const noexcept
    {
        return kith::events<T>(c());
    }
    template <typename T>
    void clear_events() noexcept
    {
        kith_event_clear(c(), type_of<T>());
    }
};

}   // namespace kith::detail

#endif
