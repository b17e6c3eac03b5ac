/* Kith: snapshots for C++17: what a world was, to go back to, to look at, to play on in another world.
 *
 *     kith::snapshot before = world.take_snapshot();
 *     play_on(world);
 *     world.restore(before);
 *     before.free();
 *
 *     kith::world guess = before.fork([](kith::world &fork) { return add_systems(fork); });
 *     guess.run(1.0f / 60);
 *
 * What they hold, share and cost is told in <kith/snapshot.h>, <kith/view.h>, <kith/fork.h>,
 * <kith/diff.h> and <kith/diff_bytes.h>. */
#ifndef KITH_SNAPSHOT_HPP
#define KITH_SNAPSHOT_HPP

#include <kith/diff.h>
#include <kith/diff_bytes.h>
#include <kith/fork.h>
#include <kith/snapshot.h>
#include <kith/view.h>

#include <type_traits>

namespace kith {

class world;

/* Private: bytes of a world, which are freed also if the program's `assign` throws. */
struct held_bytes {
    explicit held_bytes(kith_world *w) noexcept : world(w) {}
    held_bytes(const held_bytes &) = delete;
    held_bytes &operator=(const held_bytes &) = delete;
    ~held_bytes() { kith_bytes_free(world, &c); }

    template <typename Bytes>
    kith_result give(Bytes &bytes) const
    {
        bytes.assign(c.data, c.data + c.size);
        return KITH_OK;
    }

    kith_world *world;
    kith_bytes c{};
};

/* A snapshot of a world. This is only its name: copies are of the same snapshot, which ends with its
 * world, or by free(). False if it could not be taken; then world.error() tells why. */
class snapshot {
public:
    snapshot() noexcept = default;
    snapshot(kith_world *world, kith_snapshot *c) noexcept : world_(world), c_(c) {}

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_snapshot *c() const noexcept { return c_; }

    /* Ends it, for all copies. */
    void free() noexcept
    {
        kith_snapshot_free(c_);
        c_ = nullptr;
    }

    /* A world of its own that another thread may read: kith_view_new. False if memory ran out. The
     * snapshot's world may not end before it: declare it after that world. */
    kith::world view(const kith_world_def &def = {}) const noexcept;

    /* A world of its own to play on: kith_fork_new. `set_up` is called with it as `kith::world &`,
     * and adds systems and observers as the world got them; it returns a kith_result, or nothing.
     * False if it could not be made, or `set_up` failed. It ends before the snapshot's world, as a
     * view. */
    kith::world fork() const noexcept;
    template <typename F>
    kith::world fork(F set_up, const kith_world_def &def = {}) const noexcept;

    /* Visits what differs from this one to another one of the same world: visit(const kith_difference &)
     * returns whether to go on, or nothing. An exception that leaves it ends the program. */
    template <typename F>
    kith_result diff(const snapshot &after, F visit) const noexcept
    {
        return kith_snapshot_diff(c_, after.c_, visit_by<F>, &visit);
    }

    /* The difference as bytes, for world.apply_diff: `bytes` is a std::vector of unsigned char, or
     * what has `assign` as it does, and holds them afterwards. It is as it was after an error. */
    template <typename Bytes>
    kith_result diff_bytes(const snapshot &after, Bytes &bytes) const
    {
        held_bytes made(world_);
        const kith_result result = kith_snapshot_diff_bytes(c_, after.c_, &made.c);
        return result == KITH_OK ? made.give(bytes) : result;
    }

private:
    template <typename F>
    static bool visit_by(void *context, const kith_difference *difference) noexcept
    {
        F &visit = *static_cast<F *>(context);
        if constexpr (std::is_void<decltype(visit(*difference))>::value) {
            visit(*difference);
            return true;
        } else {
            return visit(*difference);
        }
    }

    kith_world *world_ = nullptr;
    kith_snapshot *c_ = nullptr;
};

}   // namespace kith

#endif
