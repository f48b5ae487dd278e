# Compiles the generated interfaces in a few large units, which takes a sixth of the time of one unit for each file.
# Passed as part of -DCMAKE_PROJECT_INCLUDE by make setup alone; a build with colcon keeps one unit for each file.
cmake_minimum_required(VERSION 3.19)
include_guard(DIRECTORY)

set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)

# The descriptions of types define static names that are the same in each file, so these stay apart.
function(vantage_keep_descriptions_apart)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "__description\\.c$")
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

cmake_language(DEFER CALL vantage_keep_descriptions_apart)
