/* Kith: command buffers for C++17. */
#ifndef KITH_COMMANDS_HPP
#define KITH_COMMANDS_HPP

#include <kith/commands.h>
#include <kith/entity.hpp>
#include <kith/held.hpp>
#include <kith/type.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace kith {

/* A command buffer of one's own, or one that is borrowed: a system's. False if it could not be made, if
 * there is none to borrow, and when the world of one's own has ended.
 *
 *     auto later = world.commands();
 *     burning.each([&](kith::entity e, const Fuse &f) { if (f.left <= 0) { later.despawn(e); } });
 *     later.apply(); */
class commands {
public:
    commands() noexcept : commands(nullptr, nullptr) {}

    /* Takes a buffer over, to free it; or uses one that somebody else frees. */
    static commands adopt(kith_commands *c) noexcept { return commands(c, nullptr); }
    static commands borrow(kith_commands *c) noexcept { return commands(nullptr, c); }

    commands(commands &&other) noexcept
        : own_(std::move(other.own_)), lent_(std::exchange(other.lent_, nullptr))
    {
    }
    commands &operator=(commands &&other) noexcept
    {
        own_ = std::move(other.own_);
        std::swap(lent_, other.lent_);
        return *this;
    }

    explicit operator bool() const noexcept { return c() != nullptr; }
    kith_commands *c() const noexcept { return lent_ != nullptr ? lent_ : own_.get(); }

    /* spawn(Position{1, 2}, kith::zero<Frozen>): the provisional handle, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) noexcept
    {
        if constexpr (sizeof...(Ts) == 0) {
            return kith_commands_spawn(c());
        } else {
            const kith_value list[] = {detail::value_of(values)...};
            return kith_commands_spawn_values(c(), list, sizeof...(Ts));
        }
    }

    /* The provisional handle of the clone, or none. */
    entity clone(entity e) noexcept { return kith_commands_clone(c(), e); }
    /* The same with all that is below it. */
    entity clone_tree(entity root) noexcept { return kith_commands_clone_tree(c(), root); }
    kith_result despawn(entity e) noexcept { return kith_commands_despawn(c(), e); }

    /* Queues a copy, which moves into the world when it is applied. */
    template <typename T>
    kith_result set(entity e, const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return kith_commands_set(c(), e, type_of<T>(), std::addressof(value));
    }
    template <typename... Ts>
    kith_result set_values(entity e, const Ts &...values) noexcept
    {
        static_assert(sizeof...(Ts) > 0, "there is nothing to set");
        const kith_value list[] = {detail::value_of(values)...};
        return kith_commands_set_values(c(), e, list, sizeof...(Ts));
    }
    template <typename T>
    kith_result add(entity e) noexcept
    {
        return kith_commands_add(c(), e, type_of<T>());
    }
    template <typename T>
    kith_result remove(entity e) noexcept
    {
        return kith_commands_remove(c(), e, type_of<T>());
    }
    /* Queues that the entity loses all that it has. */
    kith_result remove_all(entity e) noexcept { return kith_commands_remove_all(c(), e); }

    kith_result apply(std::uint32_t *dead = nullptr) noexcept
    {
        return kith_commands_apply(c(), dead);
    }
    /* kith_commands_discard: forgets what is queued. */
    void discard() noexcept { kith_commands_discard(c()); }
    entity real(entity provisional) const noexcept { return kith_commands_real(c(), provisional); }
    const char *error() const noexcept { return kith_commands_error(c()); }

private:
    commands(kith_commands *own, kith_commands *lent) noexcept : own_(own), lent_(lent) {}

    detail::held<kith_commands, kith_commands_free, kith_commands_set_holder> own_;
    kith_commands *lent_;
};

}   // namespace kith

#endif
