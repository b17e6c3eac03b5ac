/* Types without structs behind them, as many as one likes. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

bench_types bench_types_new(const char *prefix, uint32_t first, uint32_t count, uint32_t floats)
{
    static const kith_field fields[] = {
        {"a", 0, 4, KITH_F32}, {"b", 4, 4, KITH_F32}, {"c", 8, 4, KITH_F32}};
    bench_types made = {bench_take(count * sizeof *made.types),
                        bench_take(count * sizeof *made.numbers),
                        bench_take(count * sizeof *made.names)};
    for (uint32_t i = 0; i < count; i++) {
        snprintf(made.names[i], sizeof made.names[i], "%s%u", prefix, first + i);
        made.numbers[i] = 0;
        made.types[i] = (kith_type){.name = made.names[i],
                                    .size = 4 * floats,
                                    .align = 4,
                                    .field_count = floats,
                                    .fields = fields,
                                    .number = &made.numbers[i]};
    }
    return made;
}

void bench_types_free(bench_types made)
{
    free(made.types);
    free(made.numbers);
    free(made.names);
}
