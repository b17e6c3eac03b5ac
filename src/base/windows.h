/* As little of <windows.h> as possible. Empty on other systems. */
#ifndef KI_BASE_WINDOWS_H
#define KI_BASE_WINDOWS_H

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#endif

#endif
