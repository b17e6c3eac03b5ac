/* Kith: trackers for C++17: who gets and who loses a component. */
#ifndef KITH_TRACKER_HPP
#define KITH_TRACKER_HPP

#include <kith/held.hpp>
#include <kith/tracker.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace kith {

/* Follows who gets and who loses one component. False if memory ran out, and when its world has ended.
 *
 *     auto colliders = world.track<Collider>();
 *     colliders.each([&](const kith_change &c) { ... }); */
class tracker {
public:
    tracker() noexcept = default;
    explicit tracker(kith_tracker *c) noexcept : c_(c) {}

    explicit operator bool() const noexcept { return c() != nullptr; }
    kith_tracker *c() const noexcept { return c_.get(); }

    /* Calls f for each change that was not read yet, oldest first. If f returns a kith_result, one that
     * is not KITH_OK ends the loop, behind this change, and is returned. */
    template <typename F>
    kith_result each(F &&f)
    {
        using result = decltype(f(std::declval<const kith_change &>()));
        constexpr bool tells = std::is_same<result, kith_result>::value;
        static_assert(tells || std::is_void<result>::value,
                      "this function returns nothing, or a kith_result that ends the loop where it "
                      "is not KITH_OK: another value would be lost");
        kith_change change;
        while (kith_tracker_next(c(), &change)) {
            if constexpr (tells) {
                const kith_result told = f(static_cast<const kith_change &>(change));
                if (told != KITH_OK) {
                    return told;
                }
            } else {
                f(static_cast<const kith_change &>(change));
            }
        }
        return KITH_OK;
    }

    std::uint64_t pending() const noexcept { return kith_tracker_pending(c()); }
    void skip_changes() noexcept { kith_tracker_skip_changes(c()); }

private:
    detail::held<kith_tracker, kith_tracker_free, kith_tracker_set_holder> c_;
};

}   // namespace kith

#endif
