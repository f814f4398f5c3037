# What is installed where, and the packages made of it. Components: "program", all that a user needs,
# "library", for programs that link libembedscope, and "mpi", the program with MPI where that was
# found. Files are found relative to the
# program and to the pkg-config file, so an installed tree can be moved.
include(CMakePackageConfigHelpers)

set(data ${CMAKE_INSTALL_DATADIR}/embedscope)
set(pages ${PROJECT_BINARY_DIR}/pages)

install(TARGETS embedscope COMPONENT program)
install(DIRECTORY themes DESTINATION ${data} COMPONENT program)
install(DIRECTORY sample_data DESTINATION ${data} COMPONENT program PATTERN ".embedscope" EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/terminfo DESTINATION ${data} COMPONENT program OPTIONAL
    PATTERN stamp EXCLUDE)
install(FILES ${pages}/embedscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${pages}/embedscope-pool.5 ${pages}/embedscope-theme.5
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT program)
install(FILES ${pages}/embedscope.bash RENAME embedscope
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${pages}/_embedscope
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${pages}/embedscope.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

if(ES_MPI_FOUND) # `embedscope estimate` hands over to it where mpirun has started it
    install(TARGETS embedscope-mpi COMPONENT mpi)
endif()

install(TARGETS embedscope_shared EXPORT embedscope COMPONENT library)
install(TARGETS embedscope_static COMPONENT library)
install(DIRECTORY include/embedscope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/embedscope)
install(EXPORT embedscope NAMESPACE embedscope:: FILE embedscopeTargets.cmake
    DESTINATION ${package} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/embedscopeConfig.cmake.in
    ${PROJECT_BINARY_DIR}/embedscopeConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/embedscopeConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/embedscopeConfig.cmake
    ${PROJECT_BINARY_DIR}/embedscopeConfigVersion.cmake DESTINATION ${package} COMPONENT library)
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/embedscope.pc.in ${PROJECT_BINARY_DIR}/embedscope.pc
    @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/embedscope.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

# ---- packages: cpack -G DEB in the build folder -------------------------------------------------
set(CPACK_PACKAGE_NAME embedscope)
set(CPACK_PACKAGE_CONTACT "The embedscope authors <embedscope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "choose between embedding models without labels")
set(CPACK_PACKAGE_DESCRIPTION "Estimates how much of each embedding model every other one can simulate,
ranks them with intervals and shows their families, in a terminal interface
or on the command line. With a sample pool: embedscope demo.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME embedscope)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libembedscope-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "what programs need to link libembedscope")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
if(hdf5_FOUND) # loaded when there is a file for it
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libhdf5-103-1 | libhdf5-103-1t64")
endif()
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS
    "libopenblas-dev, libcjson-dev, libcsv-dev, libsqlite3-dev, libxxhash-dev, zlib1g-dev")
if(ES_MPI_FOUND)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_NAME embedscope-mpi)
    set(CPACK_COMPONENT_MPI_DESCRIPTION "estimates a pool on several machines by MPI: mpirun embedscope estimate")
    set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "embedscope (= ${PROJECT_VERSION})")
    set(CPACK_DEBIAN_MPI_PACKAGE_SUGGESTS "openmpi-bin")
endif()
include(CPack)
