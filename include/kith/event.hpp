/* Kith: events for C++17: those of one type in a queue, for `for`. */
#ifndef KITH_EVENT_HPP
#define KITH_EVENT_HPP

#include <kith/event.h>
#include <kith/system.h>
#include <kith/type.hpp>

#include <cstdint>

namespace kith {

/* The events of one type, oldest first: for (const Hit &hit : world.events<Hit>()). As a parameter of a
 * system it also declares that the system reads them. None must be sent to the world meanwhile; what a
 * system sends comes later. */
template <typename T>
class events {
public:
    explicit events(const kith_world *world) noexcept : world_(world), it_(nullptr) {}
    explicit events(const kith_iter *it) noexcept : world_(nullptr), it_(it) {}

    /* Event number `index`; NULL if there are not so many. */
    const T *at(std::uint32_t index) const noexcept
    {
        return static_cast<const T *>(it_ != nullptr ? kith_system_event(it_, type_of<T>(), index)
                                                     : kith_event_at(world_, type_of<T>(), index));
    }
    std::uint32_t count() const noexcept
    {
        return it_ != nullptr ? kith_system_event_count(it_, type_of<T>())
                              : kith_event_count(world_, type_of<T>());
    }
    bool empty() const noexcept { return at(0) == nullptr; }

    struct end_mark {};
    class iterator {
    public:
        explicit iterator(const events &of) noexcept : of_(of), current_(of.at(0)) {}
        const T &operator*() const noexcept { return *current_; }
        iterator &operator++() noexcept
        {
            current_ = of_.at(++index_);
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return current_ != nullptr; }

    private:
        events of_;
        std::uint32_t index_ = 0;
        const T *current_;
    };
    iterator begin() const noexcept { return iterator(*this); }
    end_mark end() const noexcept { return {}; }

private:
    const kith_world *world_;
    const kith_iter *it_;
};

namespace detail {

/* Whether a world may hold T outside of components: a class must be registered, so that it has hooks. */
template <typename T>
kith_result may_hold(const kith_world *world) noexcept
{
    return hooks_of<T>() == nullptr || kith_has_hooks(world, type_of<T>()) ? KITH_OK
                                                                           : KITH_ERR_UNKNOWN;
}

/* Sends to a world, NULL for no value. */
template <typename T>
kith_result send(kith_world *world, const T *value) noexcept
{
    const kith_result result = may_hold<T>(world);
    return result == KITH_OK ? kith_event_send(world, type_of<T>(), value) : result;
}

/* The same in a system, which fails if that does. */
template <typename T>
kith_result send(kith_iter *it, const T *value) noexcept
{
    if (hooks_of<T>() != nullptr && !kith_system_has_hooks(it, type_of<T>())) {
        it->result = it->result == KITH_OK ? KITH_ERR_UNKNOWN : it->result;
        return KITH_ERR_UNKNOWN;
    }
    return kith_system_send(it, type_of<T>(), value);
}

}   // namespace detail

}   // namespace kith

#endif
