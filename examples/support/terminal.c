#include "terminal.h"

#include "must.h"

static void give_back(void *term)
{
    kith_term_close(term);
}

kith_terminal *terminal_open(const kith_term_def *def)
{
    kith_terminal *term;
    must(NULL, kith_term_open(def, &term));
    fail_calls(give_back, term);
    return term;
}

void terminal_close(kith_terminal *term)
{
    fail_calls(NULL, NULL);
    kith_term_close(term);
}
