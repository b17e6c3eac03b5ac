/* The same with a limit to the world's memory, with blocks that are shared and that are not. */
#include "sweep.h"
#include "test.h"

TEST_EACH_LAYOUT_WITHIN(40, a_call_that_meets_the_limit_changes_nothing, layout)
{
    sweep_limits(layout, false);
}

TEST_EACH_LAYOUT_WITHIN(40, a_call_that_meets_the_limit_while_blocks_are_shared, layout)
{
    sweep_limits(layout, true);
}
