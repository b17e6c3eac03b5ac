/* Kith: command buffers for C++17. */
#ifndef KITH_COMMANDS_HPP
#define KITH_COMMANDS_HPP

#include <kith/commands.h>
#include <kith/entity.hpp>
#include <kith/type.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace kith {

/* A command buffer of one's own, which must not outlive its world, or one that is borrowed: a
 * system's. False if it could not be made, or if there is none to borrow.
 *
 *     auto later = world.commands();
 *     burning.each([&](kith::entity e, const Fuse &f) { if (f.left <= 0) { later.despawn(e); } });
 *     later.apply(); */
class commands {
public:
    commands() noexcept : commands(nullptr, false) {}

    /* Takes a buffer over, to free it; or uses one that somebody else frees. */
    static commands adopt(kith_commands *c) noexcept { return commands(c, true); }
    static commands borrow(kith_commands *c) noexcept { return commands(c, false); }

    commands(commands &&other) noexcept : c_(other.c_), owned_(other.owned_) { other.c_ = nullptr; }
    commands &operator=(commands &&other) noexcept
    {
        std::swap(c_, other.c_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~commands()
    {
        if (owned_) {
            kith_commands_free(c_);
        }
    }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_commands *c() const noexcept { return c_; }

    /* spawn(Position{1, 2}, kith::zero<Frozen>): the provisional handle, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) noexcept
    {
        if constexpr (sizeof...(Ts) == 0) {
            return kith_queue_spawn(c_);
        } else {
            const kith_value list[] = {detail::value_of(values)...};
            return kith_queue_spawn_values(c_, list, sizeof...(Ts));
        }
    }

    /* The provisional handle of the clone, or none. */
    entity clone(entity e) noexcept { return kith_queue_clone(c_, e); }
    kith_result despawn(entity e) noexcept { return kith_queue_despawn(c_, e); }

    /* Queues a copy, which moves into the world when it is applied. */
    template <typename T>
    kith_result set(entity e, const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return kith_queue_set(c_, e, type_of<T>(), std::addressof(value));
    }
    template <typename... Ts>
    kith_result set_several(entity e, const Ts &...values) noexcept
    {
        static_assert(sizeof...(Ts) > 0, "there is nothing to set");
        const kith_value list[] = {detail::value_of(values)...};
        return kith_queue_set_several(c_, e, list, sizeof...(Ts));
    }
    template <typename T>
    kith_result add(entity e) noexcept
    {
        return kith_queue_add(c_, e, type_of<T>());
    }
    template <typename T>
    kith_result remove(entity e) noexcept
    {
        return kith_queue_remove(c_, e, type_of<T>());
    }
    /* Queues that the entity loses all that it has. */
    kith_result clear(entity e) noexcept { return kith_queue_clear(c_, e); }

    kith_result apply(std::uint32_t *dead = nullptr) noexcept
    {
        return kith_commands_apply(c_, dead);
    }
    /* kith_commands_clear: forgets what is queued. */
    void forget() noexcept { kith_commands_clear(c_); }
    entity real(entity provisional) const noexcept { return kith_commands_real(c_, provisional); }
    const char *error() const noexcept { return kith_commands_error(c_); }

private:
    commands(kith_commands *c, bool owned) noexcept : c_(c), owned_(owned) {}

    kith_commands *c_;
    bool owned_;
};

}   // namespace kith

#endif
