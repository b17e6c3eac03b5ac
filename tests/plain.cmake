# Tests on platforms other than the one that one works on: without Check, which would have to be compiled for
# each, and through CMAKE_CROSSCOMPILING_EMULATOR where the platform needs one. `./run platforms` does it.
#
# Everything runs that a platform can run. left_out.txt in the build directory lists the rest, one a line with its
# reason: tests that compile or install something themselves, which test the machine they run on; and on Windows
# and WebAssembly tests that need what only Unix has.

set(left_out_file ${CMAKE_CURRENT_BINARY_DIR}/left_out.txt)
set(examples_dir ${PROJECT_BINARY_DIR}/examples)
set(emulator ${CMAKE_CROSSCOMPILING_EMULATOR})
set(plain_patience 120)    # seconds that a test may take

if(WIN32 OR EMSCRIPTEN)
    set(unix_processes OFF)
else()
    set(unix_processes ON)
endif()

if(KITH_TEST_PLAIN)
    file(WRITE ${left_out_file} "run: about ./run\n")
    foreach(name bits compile_fail consumers docs)
        file(APPEND ${left_out_file} "${name}: compile themselves\n")
    endforeach()
    if(NOT unix_processes)
        file(APPEND ${left_out_file} "misuse that ends the program: fork\n")
    endif()
    if(emulator)
        math(EXPR timeout "${timeout} * 6")
        math(EXPR plain_patience "${plain_patience} * 6")
        list(APPEND slow_environment KITH_TEST_SLOW=1)
    endif()
endif()

# Scripts run examples by their names alone.
if(KITH_TEST_PLAIN AND emulator AND KITH_BUILD_EXAMPLES)
    set(examples_dir ${CMAKE_CURRENT_BINARY_DIR}/examples)
    list(JOIN emulator " " emulator_command)
    get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/examples PROPERTY BUILDSYSTEM_TARGETS)
    list(FILTER targets INCLUDE REGEX "^example_")
    foreach(target ${targets})
        get_target_property(name ${target} OUTPUT_NAME)
        set(program ${PROJECT_BINARY_DIR}/examples/${name}${CMAKE_EXECUTABLE_SUFFIX})
        configure_file(support/emulated.in ${examples_dir}/${name} @ONLY)
    endforeach()
endif()

# kith_leave_out(LIST): takes from a list of sources or scripts what cannot run here.
function(kith_leave_out list)
    if(NOT KITH_TEST_PLAIN)
        return()
    endif()
    set(kept)
    foreach(source ${${list}})
        kith_why_left_out(${source})
        if(why)
            string(REGEX REPLACE "(test_)?([^/]*)\\.[a-z]+$" "\\2" name ${source})
            file(APPEND ${left_out_file} "${name}: ${why}\n")
        else()
            list(APPEND kept ${source})
        endif()
    endforeach()
    set(${list} ${kept} PARENT_SCOPE)
endfunction()

# kith_why_left_out(SOURCE): sets `why`, to nothing if it stays.
function(kith_why_left_out source)
    set(why)
    file(STRINGS ${source} forks REGEX "#include .*(sys/wait|children|pty)\\.h" LIMIT_COUNT 1)
    file(STRINGS ${source} compiles REGEX "scripts/check-static-asm" LIMIT_COUNT 1)
    file(STRINGS ${source} preloads REGEX "KITH_FAILING_MALLOC" LIMIT_COUNT 1)
    if(source MATCHES "\\.cpp$" AND NOT CMAKE_CXX_COMPILER_LOADED)
        set(why "no C++ compiler")
    elseif(forks AND NOT unix_processes)
        set(why "fork")
    elseif(compiles)
        set(why "compile themselves")
    elseif(preloads AND CMAKE_CROSSCOMPILING)
        set(why "preload a library")
    elseif(source MATCHES "\\.test$" AND NOT unix_processes)
        set(why "shell scripts")
    endif()
    set(why "${why}" PARENT_SCOPE)
endfunction()

# kith_add_plain_test(NAME LABELS TARGET): the tests of a file, in a program with main_plain.c.
function(kith_add_plain_test name labels target)
    kith_add_test(${name} "${labels}" ${CMAKE_CURRENT_SOURCE_DIR}/support/run_plain
        ${plain_patience} ${name} ${emulator} $<TARGET_FILE:${target}>)
endfunction()
