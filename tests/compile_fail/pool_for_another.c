/* One pool where another is asked for. */
#include "pools.h"

uint32_t number(const enemy_pool *enemies, const boss_pool *bosses);
uint32_t number(const enemy_pool *enemies, const boss_pool *bosses)
{
    (void)enemies;
    (void)bosses;
#ifdef WRONG
    return enemy_pool_count(bosses);
#else
    return enemy_pool_count(enemies);
#endif
}
