/* The same while all blocks are shared, as with a snapshot: what is written has to be copied first. */
#include "sweep.h"
#include "test.h"

TEST_EACH_LAYOUT_WITHIN(40, a_call_that_fails_changes_nothing_while_blocks_are_shared, layout)
{
    sweep_all(layout, true);
}
