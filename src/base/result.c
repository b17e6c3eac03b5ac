#include <kith/base.h>

const char *kith_result_name(kith_result result)
{
    switch (result) {
    case KITH_OK: return "KITH_OK";
    case KITH_ERR_MEMORY: return "KITH_ERR_MEMORY";
    case KITH_ERR_LIMIT: return "KITH_ERR_LIMIT";
    case KITH_ERR_DEAD: return "KITH_ERR_DEAD";
    case KITH_ERR_ABSENT: return "KITH_ERR_ABSENT";
    case KITH_ERR_AMBIGUOUS: return "KITH_ERR_AMBIGUOUS";
    case KITH_ERR_CONFLICT: return "KITH_ERR_CONFLICT";
    case KITH_ERR_UNKNOWN: return "KITH_ERR_UNKNOWN";
    case KITH_ERR_TYPE: return "KITH_ERR_TYPE";
    case KITH_ERR_INPUT: return "KITH_ERR_INPUT";
    case KITH_ERR_SYSTEM: return "KITH_ERR_SYSTEM";
    case KITH_ERR_IO: return "KITH_ERR_IO";
    case KITH_ERR_CORRUPT: return "KITH_ERR_CORRUPT";
    case KITH_ERR_CYCLE: return "KITH_ERR_CYCLE";
    case KITH_ERR_MISUSE: return "KITH_ERR_MISUSE";
    }
    return "unknown result";
}

#define VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define VERSION_TEXT(major, minor, patch) VERSION_TEXT_(major, minor, patch)

const char *kith_version(void)
{
    return VERSION_TEXT(KITH_VERSION_MAJOR, KITH_VERSION_MINOR, KITH_VERSION_PATCH);
}
