/* The model test of pools, driven by a fuzzer instead of random numbers. The first byte says in which
 * order slots are used again. */
#include "../pool/play_pool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0) {
        input in = {.data = data + 1, .size = size - 1};
        play_pool(&in, data[0] % 2 == 1, 4000);
    }
    return 0;
}
