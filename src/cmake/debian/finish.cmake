# Run by cpack when the files of every package are in place: manual pages are compressed, and each
# package has its changelog and its copyright file.
find_program(GZIP gzip REQUIRED)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # honours SOURCE_DATE_EPOCH
foreach(row ${CPACK_ES_PACKAGES})
    string(REGEX MATCH "^([^=]*)=(.*)$" row ${row})
    set(component ${CMAKE_MATCH_1})
    set(package ${CMAKE_MATCH_2})
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
    if(NOT IS_DIRECTORY ${root})
        set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr)
    endif()
    if(NOT IS_DIRECTORY ${root})
        message(FATAL_ERROR "the files of ${package} are not at ${root}")
    endif()
    set(doc ${root}/share/doc/${package})
    file(REMOVE ${doc}/LICENSE) # which Debian has in common-licenses
    file(WRITE ${doc}/changelog "embedscope (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * This version; what changed in it is in CHANGELOG.md of the source.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    file(COPY_FILE ${CPACK_ES_SOURCE}/src/cmake/debian/copyright ${doc}/copyright)
    file(GLOB pages ${root}/share/man/man*/*)
    foreach(file ${doc}/changelog ${pages})
        execute_process(COMMAND ${GZIP} -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    file(GLOB files ${doc}/*)
    file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
