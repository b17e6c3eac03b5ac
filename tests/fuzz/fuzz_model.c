/* The model test, driven by a fuzzer instead of random numbers. It begins with the random inputs of
 * corpus/model: left to itself it would spend hours on short ones, in which little happens. */
#include "play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) {
        play_run(&(play_options){ .steps = 4000 }, (input){ .data = data, .size = size });
    }
    return 0;
}
