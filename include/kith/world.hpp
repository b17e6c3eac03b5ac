/* Kith: worlds for C++17: entities, components, resources, events, systems. */
#ifndef KITH_WORLD_HPP
#define KITH_WORLD_HPP

#include <kith/commands.hpp>
#include <kith/entity.hpp>
#include <kith/event.h>
#include <kith/query.hpp>
#include <kith/resource.h>
#include <kith/system.hpp>
#include <kith/text.h>
#include <kith/tracker.hpp>
#include <kith/type.hpp>
#include <kith/world.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kith {

namespace detail {

/* Whether a world may hold T outside of components: a class must be registered, so that it has hooks. */
template <typename T>
kith_result may_hold(const kith_world *world) noexcept
{
    return hooks_of<T>() == nullptr || kith_has_hooks(world, type_of<T>()) ? KITH_OK
                                                                           : KITH_ERR_UNKNOWN;
}

/* A range over the handles of a world or the events of a type, for `for`. */
template <typename Walk>
class range {
public:
    struct end_mark {};
    class iterator {
    public:
        explicit iterator(Walk walk) noexcept : walk_(walk) {}
        auto operator*() const noexcept -> decltype(std::declval<const Walk &>().value())
        {
            return walk_.value();
        }
        iterator &operator++() noexcept
        {
            walk_.advance();
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return !walk_.done(); }

    private:
        Walk walk_;
    };
    explicit range(Walk walk) noexcept : walk_(walk) {}
    iterator begin() const noexcept { return iterator(walk_); }
    end_mark end() const noexcept { return {}; }

private:
    Walk walk_;
};

struct entity_walk {
    const kith_world *world;
    entity current;
    entity value() const noexcept { return current; }
    void advance() noexcept { current = kith_entity_next(world, current); }
    bool done() const noexcept { return kith_is_none(current); }
};

template <typename T>
struct event_walk {
    const kith_world *world;
    std::uint32_t index;
    const T *current;
    const T &value() const noexcept { return *current; }
    void advance() noexcept
    {
        index++;
        current = static_cast<const T *>(kith_event_at(world, type_of<T>(), index));
    }
    bool done() const noexcept { return current == nullptr; }
};

}   // namespace detail

/* A world of one's own, or one that is borrowed. */
class world {
public:
    /* False if memory ran out. */
    world() noexcept : world(kith_world_new(nullptr), true) {}
    explicit world(const kith_world_def &def) noexcept : world(kith_world_new(&def), true) {}

    /* Takes a world over, to free it; or uses one that somebody else frees. */
    static world adopt(kith_world *c) noexcept { return world(c, true); }
    static world borrow(kith_world *c) noexcept { return world(c, false); }

    world(world &&other) noexcept : c_(other.c_), owned_(other.owned_) { other.c_ = nullptr; }
    world &operator=(world &&other) noexcept
    {
        std::swap(c_, other.c_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~world()
    {
        if (owned_) {
            kith_world_free(c_);
        }
    }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_world *c() const noexcept { return c_; }

    const char *error() const noexcept { return kith_error(c_); }
    void log(kith_log_level level, const char *message) const noexcept
    {
        kith_log(c_, level, "%s", message);
    }
    kith_result check() noexcept { return kith_world_check(c_); }
    std::uint64_t hash() const noexcept { return kith_world_hash(c_); }
    std::uint64_t content_hash() const noexcept { return kith_content_hash(c_); }

    /* ---- Types */

    template <typename T>
    kith_result register_type(kith_layout layout = KITH_TABLE) noexcept
    {
        kith_component_def def{};
        def.layout = layout;
        return register_type<T>(def);
    }

    template <typename T>
    kith_result register_type(const kith_component_def &def) noexcept
    {
        kith_component_def own = def;
        own.hooks = def.hooks != nullptr ? def.hooks : hooks_of<T>();
        return kith_register(c_, type_of<T>(), &own);
    }

    /* Registers those that are not yet, as they are declared; classes with their hooks. On failure those
     * before it are registered. */
    template <typename... T>
    kith_result register_types() noexcept
    {
        kith_result result = KITH_OK;
        (void)((result = register_if_new<T>(), result == KITH_OK) && ...);
        return result;
    }

    /* Follows T from here on. */
    template <typename T>
    tracker track() noexcept
    {
        kith_tracker *made = nullptr;
        kith_tracker_new(c_, type_of<T>(), &made);
        return tracker(made);
    }

    /* ---- Entities */

    /* spawn(Position{1, 2}, kith::zero<Frozen>): the new entity, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) noexcept
    {
        if constexpr (sizeof...(Ts) == 0) {
            return kith_spawn_empty(c_);
        } else {
            const kith_value list[] = {detail::value_of(values)...};
            return kith_spawn_or_none(c_, list, sizeof...(Ts));
        }
    }

    kith_result clone(entity e, entity *copy) noexcept { return kith_clone(c_, e, copy); }
    kith_result despawn(entity e) noexcept { return kith_despawn(c_, e); }
    bool alive(entity e) const noexcept { return kith_alive(c_, e); }
    std::uint32_t entity_count() const noexcept { return kith_entity_count(c_); }

    /* for (kith::entity e : world.entities()): in the order of their slots. */
    detail::range<detail::entity_walk> entities() const noexcept
    {
        return detail::range<detail::entity_walk>({c_, kith_entity_next(c_, none)});
    }

    /* ---- Components */

    template <typename T>
    kith_result set(entity e, const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return kith_set(c_, e, type_of<T>(), std::addressof(value));
    }

    /* Several at once: set_values(e, Position{1, 2}, kith::zero<Frozen>). */
    template <typename... Ts>
    kith_result set_values(entity e, const Ts &...values) noexcept
    {
        static_assert(sizeof...(Ts) > 0, "there is nothing to set");
        const kith_value list[] = {detail::value_of(values)...};
        return kith_set_values(c_, e, list, sizeof...(Ts));
    }

    template <typename T>
    kith_result add(entity e) noexcept
    {
        return kith_add(c_, e, type_of<T>());
    }
    template <typename T>
    kith_result remove(entity e) noexcept
    {
        return kith_remove(c_, e, type_of<T>());
    }
    kith_result remove_all(entity e) noexcept { return kith_remove_all(c_, e); }

    template <typename T>
    bool has(entity e) const noexcept
    {
        return kith_has(c_, e, type_of<T>());
    }
    template <typename T>
    const T *get(entity e) const noexcept
    {
        return static_cast<const T *>(kith_get(c_, e, type_of<T>()));
    }
    template <typename T>
    T *get_mut(entity e) noexcept
    {
        return static_cast<T *>(kith_get_mut_or_null(c_, e, type_of<T>()));
    }
    /* The same with the reason why not. */
    template <typename T>
    kith_result get_mut(entity e, T **value) noexcept
    {
        void *found = nullptr;
        const kith_result result = kith_get_mut(c_, e, type_of<T>(), &found);
        if (result == KITH_OK) {
            *value = static_cast<T *>(found);
        }
        return result;
    }

    /* ---- Queries */

    /* For what must be there, may be and must not. What else a query's definition has, `def` may say:
     *     kith_query_def def{};
     *     def.name = "moving";
     *     auto moving = world.query<kith::write<Position>, kith::read<Velocity>>(def); */
    template <typename... Terms>
    kith::query<Terms...> query(kith_query_def def = {}) noexcept
    {
        if constexpr (sizeof...(Terms) == 0) {
            def.terms = nullptr;
            def.term_count = 0;
            return kith::query<>(kith_query_new_or_null(c_, &def));
        } else {
            const kith_term terms[] = {detail::term_of<Terms>()...};
            def.terms = terms;
            def.term_count = sizeof...(Terms);
            return kith::query<Terms...>(kith_query_new_or_null(c_, &def));
        }
    }

    /* ---- Commands */

    /* A new buffer, of at most so many bytes (0: no limit). */
    kith::commands commands(std::size_t memory_limit = 0) noexcept
    {
        const kith_commands_def def{memory_limit};
        return kith::commands::adopt(kith_commands_new(c_, &def));
    }

    /* ---- Interned texts */

    kith_result intern(std::string_view bytes, text &interned) noexcept
    {
        return kith_text_intern_bytes(c_, bytes.data(), bytes.size(), &interned);
    }
    /* Lives as long as the world. Without data() for what is no text of this world; an empty text has
     * some. */
    std::string_view text_of(text t) const noexcept
    {
        std::size_t length = 0;
        const char *bytes = kith_text_get(c_, t, &length);
        return {bytes, length};
    }

    /* ---- Resources and events */

    /* KITH_ERR_UNKNOWN for a class that is not registered, here and for events: it has no hooks yet. */
    template <typename T>
    kith_result set_resource(const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_resource_set(c_, type_of<T>(), std::addressof(value))
                                 : result;
    }
    /* The same with all bytes zero, or as the default constructor makes it. */
    template <typename T>
    kith_result set_resource() noexcept
    {
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_resource_set(c_, type_of<T>(), nullptr) : result;
    }
    template <typename T>
    const T *resource() const noexcept
    {
        return static_cast<const T *>(kith_resource_get(c_, type_of<T>()));
    }
    template <typename T>
    T *resource_mut() noexcept
    {
        return static_cast<T *>(kith_resource_mut_or_null(c_, type_of<T>()));
    }
    template <typename T>
    kith_result remove_resource() noexcept
    {
        return kith_resource_remove(c_, type_of<T>());
    }

    /* Events outlive `keep` runs beyond their own. Needed only if that is not 0. */
    template <typename T>
    kith_result register_event(std::uint32_t keep) noexcept
    {
        const kith_event_def def{keep};
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_event_register(c_, type_of<T>(), &def) : result;
    }
    template <typename T>
    kith_result send(const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_event_send(c_, type_of<T>(), std::addressof(value))
                                 : result;
    }
    /* The same with all bytes zero, or as the default constructor makes it; and for tags. */
    template <typename T>
    kith_result send() noexcept
    {
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_event_send(c_, type_of<T>(), nullptr) : result;
    }
    template <typename T>
    std::uint32_t event_count() const noexcept
    {
        return kith_event_count(c_, type_of<T>());
    }
    /* for (const Collision &hit : world.events<Collision>()): oldest first. None must be sent
     * meanwhile. */
    template <typename T>
    detail::range<detail::event_walk<T>> events() const noexcept
    {
        return detail::range<detail::event_walk<T>>(
            {c_, 0, static_cast<const T *>(kith_event_at(c_, type_of<T>(), 0))});
    }
    template <typename T>
    void clear_events() noexcept
    {
        kith_event_clear(c_, type_of<T>());
    }

    /* ---- Systems */

    /* A query system: a lambda without captures, called once a tick with `kith::batches &`, or for each
     * entity with its values:
     *     world.add_system<kith::write<Position>, kith::read<Velocity>>("movement", 200,
     *         [](float dt, Position &p, const Velocity &v) { p.x += v.dx * dt; });
     * What it queues on `kith::commands &`, if it takes that first, is applied when all were seen.
     * An exception that leaves it ends the program. */
    template <typename... Terms, typename F, typename = std::enable_if_t<sizeof...(Terms) != 0, F>>
    kith_result add_system(const char *name, std::int32_t priority, F f,
                           void *user = nullptr) noexcept
    {
        kith_system_def def{};
        def.name = name;
        def.priority = priority;
        def.user = user;
        return add_system<Terms...>(def, f);
    }

    /* The same with all that a definition has, but for the function and the query's terms:
     *     kith_system_def def{};
     *     def.name = "movement";
     *     def.parallel = true;
     *     world.add_system<kith::write<Position>, kith::read<Velocity>>(def, ...); */
    template <typename... Terms, typename F, typename = std::enable_if_t<sizeof...(Terms) != 0, F>>
    kith_result add_system(kith_system_def def, F f) noexcept
    {
        detail::require_no_capture<F>();
        detail::kept<F>(&f);
        const kith_term terms[] = {detail::term_of<Terms>()...};
        def.run = [](kith_iter *it) noexcept {
            if constexpr (detail::are_terms<Terms...>) { /* or it was told already */
                detail::run_system<F, Terms...>(it);
            }
        };
        def.query.terms = terms;
        def.query.term_count = sizeof...(Terms);
        return kith_system_add(c_, &def);
    }

    /* A plain system: a lambda without captures, (kith::world &, float dt) or (kith::world &, float
     * dt, void *user), which returns nothing or a kith_result. */
    template <typename F>
    kith_result add_system(const char *name, std::int32_t priority, F f,
                           void *user = nullptr) noexcept
    {
        kith_system_def def{};
        def.name = name;
        def.priority = priority;
        def.user = user;
        return add_system(def, f);
    }

    /* The same with all that a definition has: its phase, say, and what it runs after. */
    template <typename F>
    kith_result add_system(kith_system_def def, F f) noexcept
    {
        detail::require_no_capture<F>();
        detail::kept<F>(&f);
        def.update = [](kith_world *c, kith_iter *it) noexcept {
            return detail::update_system<world, F>(c, it);
        };
        return kith_system_add(c_, &def);
    }

    kith_result remove_system(const char *name) noexcept { return kith_system_remove(c_, name); }
    kith_result enable_system(const char *name, bool enabled) noexcept
    {
        return kith_system_enable(c_, name, enabled);
    }
    kith_result run(float dt) noexcept { return kith_run(c_, dt); }
    std::uint64_t tick_count() const noexcept { return kith_tick_count(c_); }

private:
    template <typename T>
    kith_result register_if_new() noexcept
    {
        return kith_layout_of(c_, type_of<T>(), nullptr) == KITH_OK ? KITH_OK : register_type<T>();
    }

    world(kith_world *c, bool owned) noexcept : c_(c), owned_(owned) {}

    kith_world *c_;
    bool owned_;
};

}   // namespace kith

#endif
