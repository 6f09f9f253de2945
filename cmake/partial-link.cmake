# Whether a linker here can make one object of several, in which what was local to
# them all is local and nothing is a group of sections, which linkers drop by name.

# murmuration_find_partial_link(COMMAND): the command, before its output and inputs;
# empty if there is none.
function(murmuration_find_partial_link result)
  set(${result} "" PARENT_SCOPE)
  # The driver knows the target's linker; of the flags it needs those that say which
  # target, and none that add code.
  separate_arguments(target_flags NATIVE_COMMAND
    "${CMAKE_CXX_COMPILER_ARG1} ${CMAKE_CXX_FLAGS}")
  list(FILTER target_flags INCLUDE REGEX "^(-m|--target=|--sysroot=|--gcc-toolchain=|-B.)")
  list(REMOVE_ITEM target_flags -mllvm)
  if(CMAKE_CXX_COMPILER_TARGET)
    list(APPEND target_flags --target=${CMAKE_CXX_COMPILER_TARGET})
  endif()

  # Both objects hold the inline function, each in a group of its own.
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/partial-link)
  set(objects "")
  foreach(name mmr3_first mmr3_second)
    file(CONFIGURE OUTPUT ${folder}/${name}.cc @ONLY CONTENT
      "inline int Shared() { static int calls; return ++calls; }
extern \"C\" int @name@() { return Shared(); }\n")
    list(APPEND objects ${folder}/${name}.o)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${target_flags} -fPIC
      -c ${folder}/${name}.cc -o ${folder}/${name}.o OUTPUT_QUIET ERROR_QUIET)
  endforeach()

  # The compiler's own choice, which flags and PATH may have made another's; and the
  # two that are known to be able, by name.
  foreach(linker "" -fuse-ld=bfd -fuse-ld=lld)
    set(command ${CMAKE_CXX_COMPILER} ${target_flags} ${linker} -nostdlib -r
        -Wl,--force-group-allocation)
    file(REMOVE ${folder}/both.o)
    execute_process(COMMAND ${command} -o ${folder}/both.o ${objects}
      RESULT_VARIABLE linked OUTPUT_QUIET ERROR_QUIET)
    execute_process(
      COMMAND "${CMAKE_OBJCOPY}" --wildcard --keep-global-symbol=mmr3_* ${folder}/both.o
      RESULT_VARIABLE localized OUTPUT_QUIET ERROR_QUIET)
    execute_process(COMMAND "${CMAKE_READELF}" --section-groups ${folder}/both.o
      RESULT_VARIABLE read OUTPUT_VARIABLE groups ERROR_QUIET)
    if("${linked}|${localized}|${read}" STREQUAL "0|0|0" AND NOT groups MATCHES "COMDAT")
      set(${result} ${command} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
