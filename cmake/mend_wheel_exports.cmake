# ROS 2 wheels from PyPI export include folders of the machine that built them (/opt/python/cp311-cp311/...).
# CMake refuses to generate with an imported target that names a folder which does not exist, so such folders are
# dropped at the end of the configure step. On an apt ROS 2 nothing is dropped.
#
# An environment inside the source folder (.venv) is also on the include path of generated targets, and CMake refuses to
# export such a path; it is kept for the build alone.
#
# Passed as -DCMAKE_PROJECT_INCLUDE=<this file>: it serves this package and every overlay without a line in them.
cmake_minimum_required(VERSION 3.19)
include_guard(DIRECTORY)

function(vantage_mend_wheel_exports)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(NOT folders)
      continue()
    endif()
    set(kept "")
    foreach(folder IN LISTS folders)
      if(IS_ABSOLUTE "${folder}" AND NOT EXISTS "${folder}")
        message(DEBUG "${target}: dropped the missing include folder ${folder}")
      else()
        list(APPEND kept "${folder}")
      endif()
    endforeach()
    set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${kept}")
  endforeach()
endfunction()

function(vantage_keep_own_folders_for_the_build)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(NOT folders)
      continue()
    endif()
    set(kept "")
    foreach(folder IN LISTS folders)
      string(FIND "${folder}" "${CMAKE_CURRENT_SOURCE_DIR}/" position)
      if(position EQUAL 0)
        set(folder "$<BUILD_INTERFACE:${folder}>")
      endif()
      list(APPEND kept "${folder}")
    endforeach()
    set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${kept}")
  endforeach()
endfunction()

cmake_language(DEFER CALL vantage_mend_wheel_exports)
cmake_language(DEFER CALL vantage_keep_own_folders_for_the_build)
