/* Kith: what a C++17 object holds of a world, which may end before it. */
#ifndef KITH_HELD_HPP
#define KITH_HELD_HPP

#include <utility>

namespace kith::detail {

/* A C object that a world owns: freed with this, unless the world was; then this has none. */
template <typename C, void (*Free)(C *), void (*SetHolder)(C *, C **)>
class held {
public:
    held() noexcept = default;
    explicit held(C *c) noexcept { take(c); }
    held(held &&other) noexcept { take(other.let_go()); }
    held &operator=(held &&other) noexcept
    {
        C *mine = let_go();
        take(other.let_go());
        other.take(mine);
        return *this;
    }
    ~held() { Free(let_go()); }

    C *get() const noexcept { return c_; }

private:
    void take(C *c) noexcept
    {
        c_ = c;
        if (c != nullptr) {
            SetHolder(c, &c_);
        }
    }
    C *let_go() noexcept
    {
        if (c_ != nullptr) {
            SetHolder(c_, nullptr);
        }
        return std::exchange(c_, nullptr);
    }

    C *c_ = nullptr;
};

}   // namespace kith::detail

#endif
