/* Kith: random numbers for C++17: what games draw from a stream. */
#ifndef KITH_RANDOM_HPP
#define KITH_RANDOM_HPP

#include <kith/random.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kith {

/* Draws from a stream: of a system (`c.random()`), of the world (`world.random()`), or one of your own:
 *
 *     kith_random seed{42};
 *     kith::random dice(seed);
 *     int pips = dice.integer(1, 6);
 *
 * <kith/random.h> tells what each call draws, and what is misuse. */
class random {
public:
    explicit random(kith_random &stream) noexcept : c_(&stream) {}
    explicit random(kith_random *stream) noexcept : c_(stream) {}

    /* 64 random bits. */
    std::uint64_t bits() noexcept { return kith_random_next(c_); }
    /* From 0 up to, but not including, 1; or from `low` up to `high`. */
    float uniform() noexcept { return kith_random_float(c_); }
    float uniform(float low, float high) noexcept { return kith_random_uniform(c_, low, high); }
    /* From `low` to `high`, both included. */
    std::int32_t integer(std::int32_t low, std::int32_t high) noexcept
    {
        return kith_random_int(c_, low, high);
    }
    /* Below `count`. */
    std::uint32_t index(std::uint32_t count) noexcept { return kith_random_index(c_, count); }
    bool chance(double probability) noexcept { return kith_random_chance(c_, probability); }
    float normal(float mean, float deviation) noexcept
    {
        return kith_random_normal(c_, mean, deviation);
    }

    /* One of an array. */
    template <typename T, std::size_t N>
    T &pick(T (&array)[N]) noexcept
    {
        return array[index(static_cast<std::uint32_t>(N))];
    }

    template <typename T>
    void shuffle(T *array, std::uint32_t count) noexcept
    {
        static_assert(std::is_trivially_copyable<T>::value,
                      "what is shuffled is moved as plain bytes");
        kith_random_shuffle(c_, array, count, sizeof(T));
    }

    kith_random *c() const noexcept { return c_; }

private:
    kith_random *c_;
};

}   // namespace kith

#endif
