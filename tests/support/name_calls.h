/* Names of entities, for the sweeps over calls. */
#ifndef KITH_TEST_NAME_CALLS_H
#define KITH_TEST_NAME_CALLS_H

#include "stage.h"

/* Gives two entities parents and names, among which one is free. */
void name_call_prepare(stage *s);

kith_result name_call_first(stage *s);
kith_result name_call_next(stage *s);

/* What the calls that read names answer. */
uint64_t name_call_ask(stage *s);

#endif
