# What is installed where. Components: "program", all that a user needs; "shared", the library
# that other programs load; "dev", what it takes to build them; "python", the module;
# "mpi", the program with MPI where that was found. Files are found relative to the program, to the
# pkg-config file and to the module, so an installed tree can be moved.
# Packages.cmake makes packages of them.
include(CMakePackageConfigHelpers)

set(data ${CMAKE_INSTALL_DATADIR}/embedscope)

install(TARGETS embedscope COMPONENT program)
install(DIRECTORY tests/schemas/ DESTINATION ${data}/schemas COMPONENT program
    FILES_MATCHING PATTERN "*.schema.json")
install(DIRECTORY themes DESTINATION ${data} COMPONENT program)
install(DIRECTORY sample_data DESTINATION ${data} COMPONENT program PATTERN ".embedscope" EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/terminfo DESTINATION ${data} COMPONENT program OPTIONAL
    PATTERN stamp EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/pages/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT program OPTIONAL FILES_MATCHING PATTERN "*.1")
install(FILES src/pages/embedscope-pool.5 src/pages/embedscope-theme.5
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT program)
install(FILES src/pages/embedscope.bash RENAME embedscope
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES src/pages/_embedscope
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES src/pages/embedscope.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT program
    FILES_MATCHING PATTERN "*.md" PATTERN dev EXCLUDE)
install(FILES LICENSE ${CMAKE_CURRENT_LIST_DIR}/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}
    COMPONENT program)

if(ES_MPI_FOUND) # `embedscope estimate` hands over to it where mpirun has started it
    install(TARGETS embedscope-mpi COMPONENT mpi)
endif()

install(TARGETS embedscope_shared EXPORT embedscope LIBRARY COMPONENT shared NAMELINK_COMPONENT dev)
install(TARGETS embedscope_static COMPONENT dev)
install(DIRECTORY include/embedscope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/embedscope)
install(EXPORT embedscope NAMESPACE embedscope:: FILE embedscopeTargets.cmake
    DESTINATION ${package} COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/embedscopeConfig.cmake.in
    ${PROJECT_BINARY_DIR}/embedscopeConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/embedscopeConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/embedscopeConfig.cmake
    ${PROJECT_BINARY_DIR}/embedscopeConfigVersion.cmake DESTINATION ${package} COMPONENT dev)
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/embedscope.pc.in ${PROJECT_BINARY_DIR}/embedscope.pc
    @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/embedscope.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

# Where Debian's Python looks; elsewhere: -DES_PYTHON_DIR=lib/python3.13/site-packages
set(ES_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python module is installed")
install(DIRECTORY src/python/embedscope DESTINATION ${ES_PYTHON_DIR} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/PKG-INFO.in ${PROJECT_BINARY_DIR}/PKG-INFO @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/PKG-INFO DESTINATION
    ${ES_PYTHON_DIR}/embedscope-${PROJECT_VERSION}.egg-info COMPONENT python)

include(Packages)
