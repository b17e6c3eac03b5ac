/* Any bytes as commands about relations and names: parents, links, targets of the same buffer and of the
 * world, clones, despawns that cascade; on three worlds and on the model (support/play.h). */
#include "play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) {
        play_run(&(play_options){ .steps = 1000, .commands = true },
                 (input){ .data = data, .size = size });
    }
    return 0;
}
