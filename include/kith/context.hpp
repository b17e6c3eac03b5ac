/* Kith: the context of a function, for C++17: all that it reaches beyond its own entity. */
#ifndef KITH_CONTEXT_HPP
#define KITH_CONTEXT_HPP

#include <kith/access.h>
#include <kith/commands.hpp>
#include <kith/entity.hpp>
#include <kith/event.hpp>
#include <kith/lookup.h>
#include <kith/random.hpp>
#include <kith/resource.h>
#include <kith/system.h>
#include <kith/type.hpp>

#include <cstdint>
#include <memory>

namespace kith {

class world;

namespace detail {
struct context_access;
}

/* What a function of a system, a loop or an observer may take as `kith::context &c`. It lives until the
 * function returns.
 *
 * A system that visits entities, or has any of the parameters that declare something (see
 * <kith/parameter.hpp>), uses only what it declares. Elsewhere all of the world may be used. */
class context {
public:
    context(const context &) = delete;
    context &operator=(const context &) = delete;

    /* The entity that the function is called for; none if it is not called for each. */
    kith::entity entity() const noexcept { return entity_; }
    /* Seconds, as given to run(); 0 outside of systems. */
    float dt() const noexcept { return dt_; }

    bool alive(kith::entity e) const noexcept
    {
        return it_ != nullptr ? kith_system_alive(it_, e) : kith_alive(world_, e);
    }
    template <typename T>
    bool has(kith::entity e) const noexcept
    {
        return it_ != nullptr ? kith_system_has_(it_, e, type_of<T>())
                              : kith_has_(world_, e, type_of<T>());
    }
    /* NULL if the entity is dead or does not have it. */
    template <typename T>
    const T *get(kith::entity e) const noexcept
    {
        return static_cast<const T *>(it_ != nullptr ? kith_system_get_(it_, e, type_of<T>())
                                                     : kith_get_(world_, e, type_of<T>()));
    }
    template <typename T>
    T *get_mut(kith::entity e) const noexcept
    {
        return static_cast<T *>(it_ != nullptr ? kith_system_get_mut_(it_, e, type_of<T>())
                                               : kith_get_mut_(world_, e, type_of<T>()));
    }

    /* NULL if there is none. */
    template <typename T>
    const T *resource() const noexcept
    {
        return static_cast<const T *>(it_ != nullptr ? kith_system_resource(it_, type_of<T>())
                                                     : kith_resource_get(world_, type_of<T>()));
    }
    template <typename T>
    T *resource_mut() const noexcept
    {
        return static_cast<T *>(it_ != nullptr ? kith_system_resource_mut_or_null(it_, type_of<T>())
                                               : kith_resource_mut_or_null(world_, type_of<T>()));
    }

    /* KITH_ERR_UNKNOWN for a class that is not registered, which then has no hooks: a system fails. */
    template <typename T>
    kith_result send(const T &value) const noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return send_from<T>(std::addressof(value));
    }
    /* The same with all bytes zero, or as the default constructor makes it; and for tags. */
    template <typename T>
    kith_result send() const noexcept
    {
        return send_from<T>(nullptr);
    }
    template <typename T>
    kith::events<T> events() const noexcept
    {
        return it_ != nullptr ? kith::events<T>(it_) : kith::events<T>(world_);
    }

    /* Of a system's call, a stream of its own; in loops and observers the world's. */
    kith::random random() const noexcept
    {
        return kith::random(it_ != nullptr ? kith_system_random_stream(it_)
                                           : kith_world_random(world_));
    }

    /* Changes of structure are queued here. Of a system, they are made at the end of its stage; of a
     * loop, when it has ended; of an observer, when all observers were called. */
    kith::commands &commands() noexcept
    {
        if (wants_ != nullptr) {
            *wants_ = true;
        }
        return commands_;
    }

    /* The world itself: for plain systems, loops and observers. */
    kith::world world() const noexcept;

protected:
    /* `wants` becomes true when commands() is called. */
    context(kith_iter *it, kith_world *world, kith_commands *later, float dt,
            bool *wants = nullptr) noexcept
        : it_(it), world_(world), commands_(kith::commands::borrow(later)), dt_(dt), wants_(wants)
    {
    }

private:
    friend struct detail::context_access;

    template <typename T>
    kith_result send_from(const T *value) const noexcept
    {
        return it_ != nullptr ? detail::send(it_, value) : detail::send(world_, value);
    }

    kith_iter *it_;     /* NULL: an observer's, which has none */
    kith_world *world_; /* NULL: found by the commands */
    kith::commands commands_;
    kith::entity entity_{};
    float dt_;
    bool *wants_;
};

namespace detail {

/* What makes contexts, and leads them from entity to entity. */
struct context_access {
    struct made : context {
        made(kith_iter *it, kith_world *world, kith_commands *later, float dt,
             bool *wants = nullptr) noexcept
            : context(it, world, later, dt, wants)
        {
        }
    };
    static void visit(context &c, kith::entity e) noexcept { c.entity_ = e; }
    static kith_iter *iter(const context &c) noexcept { return c.it_; }
    static kith_world *world(const context &c) noexcept { return c.world_; }
    template <typename T>
    static kith_lookup lookup(const context &c) noexcept
    {
        return c.it_ != nullptr ? kith_system_lookup(c.it_, type_of<T>())
                                : kith_lookup_new(c.world_, type_of<T>());
    }
};

}   // namespace detail

}   // namespace kith

#endif
