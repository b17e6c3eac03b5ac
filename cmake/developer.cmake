# Flags for work on Kith itself: warnings and sanitizers. All of it is off unless asked for, so that
# nobody's build breaks over a warning that a newer compiler learnt.

set(kith_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
set(kith_c_warnings -Wmissing-prototypes -Wstrict-prototypes)

if(KITH_SANITIZE)
    add_compile_options(-fsanitize=${KITH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${KITH_SANITIZE})
endif()

function(kith_developer_flags target)
    if(NOT KITH_DEVELOPER)
        return()
    endif()
    target_compile_options(${target} PRIVATE
        ${kith_warnings} $<$<COMPILE_LANGUAGE:C>:${kith_c_warnings}> $<$<BOOL:${KITH_WERROR}>:-Werror>)
endfunction()

# add_executable for the tests, examples and benchmarks.
function(kith_add_program target)
    add_executable(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE kith::static Threads::Threads)
    foreach(kit ${kith_kits})
        target_link_libraries(${target} PRIVATE kith::${kit}_static)
    endforeach()
    set_target_properties(${target} PROPERTIES
        C_STANDARD ${kith_c_standard} C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    kith_exact_floats(${target})
    kith_developer_flags(${target})
endfunction()
