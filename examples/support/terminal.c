#include "terminal.h"

#include <errno.h>
#include <stdio.h>

#include "must.h"

static void give_back(void *term)
{
    kith_terminal_close(term);
}

kith_terminal *terminal_open(const kith_terminal_def *def)
{
    kith_terminal *term;
    must(NULL, kith_terminal_open(def, &term));
    fail_calls(give_back, term);
    return term;
}

void terminal_print(kith_terminal *term, kith_terminal_format format)
{
    errno = 0;
    kith_result result = kith_terminal_write(term, stdout, format);
    if (result == KITH_ERR_IO) {
        fail_print();
    }
    must(NULL, result);
}

void terminal_close(kith_terminal *term)
{
    fail_calls(NULL, NULL);
    kith_terminal_close(term);
}
