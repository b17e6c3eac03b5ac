/* Kith: trackers for C++17: who gets and who loses a component. */
#ifndef KITH_TRACKER_HPP
#define KITH_TRACKER_HPP

#include <kith/tracker.h>

#include <cstdint>
#include <utility>

namespace kith {

/* Follows who gets and who loses one component; must not outlive its world. False if memory ran out.
 *
 *     auto colliders = world.track<Collider>();
 *     colliders.each([&](const kith_change &c) { ... }); */
class tracker {
public:
    tracker() noexcept = default;
    explicit tracker(kith_tracker *c) noexcept : c_(c) {}

    tracker(tracker &&other) noexcept : c_(other.c_) { other.c_ = nullptr; }
    tracker &operator=(tracker &&other) noexcept
    {
        std::swap(c_, other.c_);
        return *this;
    }
    ~tracker() { kith_tracker_free(c_); }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_tracker *c() const noexcept { return c_; }

    /* Calls f for each change that was not read yet, oldest first. */
    template <typename F>
    void each(F &&f)
    {
        kith_change change;
        while (kith_tracker_next(c_, &change)) {
            f(static_cast<const kith_change &>(change));
        }
    }

    std::uint64_t pending() const noexcept { return kith_tracker_pending(c_); }
    void skip() noexcept { kith_tracker_skip(c_); }

private:
    kith_tracker *c_ = nullptr;
};

}   // namespace kith

#endif
