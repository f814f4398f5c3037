# The Debian packages: cpack -G DEB in the build folder makes one of each component that Install.cmake
# puts files into. A package is a row here; what Debian asks of all of them (compressed pages,
# changelog, copyright) is done by debian/finish.cmake once their files are in place.
set(CPACK_PACKAGE_NAME embedscope)
set(CPACK_PACKAGE_CONTACT "The embedscope authors <maintainers@embedscope.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_COMPONENTS_ALL)
set(CPACK_ES_PACKAGES) # "component=package", for finish.cmake
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/finish.cmake)
set(CPACK_ES_SOURCE ${PROJECT_SOURCE_DIR})

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each has its own
set(about "Says which of several embedding models holds most of what the others hold,
without labels: it estimates how much of each one every other one can
simulate, ranks them with intervals, and shows their families.")

# es_package(COMPONENT NAME SECTION SUMMARY TEXT [KEY VALUE]...): keys are those of
# CPACK_DEBIAN_<COMPONENT>_PACKAGE_*, such as DEPENDS.
function(es_package component name section summary text)
    string(TOUPPER ${component} upper)
    set(key CPACK_DEBIAN_${upper}_PACKAGE)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    list(APPEND CPACK_ES_PACKAGES ${component}=${name})
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
    set(CPACK_ES_PACKAGES ${CPACK_ES_PACKAGES} PARENT_SCOPE)
    set(${key}_NAME ${name} PARENT_SCOPE)
    set(${key}_SECTION ${section} PARENT_SCOPE)
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${about}\n\n${text}" PARENT_SCOPE)
    while(ARGN)
        list(POP_FRONT ARGN name value)
        string(REPLACE "&" ";" value "${value}")
        set(${key}_${name} "${value}" PARENT_SCOPE)
    endwhile()
endfunction()

set(scripts ${CMAKE_CURRENT_LIST_DIR}/debian)
set(library "libembedscope0 (= ${PROJECT_VERSION})")
set(drawing libpangocairo-1.0-0) # loaded with the first figure
set(wanted fonts-dejavu-core)
if(hdf5_FOUND) # loaded when there is a file for it
    string(APPEND wanted ", libhdf5-103-1 | libhdf5-103-1t64")
endif()
es_package(program embedscope science "choose between embedding models without labels"
    "This package has the program, a terminal interface and a command line, and
a sample pool to try it on: embedscope demo."
    SHLIBDEPS ON DEPENDS ${drawing} RECOMMENDS "${wanted}" SUGGESTS python3-embedscope)
es_package(shared libembedscope0 libs "choose between embedding models without labels - library"
    "This package has the shared library, for programs that are linked with it
and for the Python module."
    SHLIBDEPS ON DEPENDS ${drawing} RECOMMENDS "${wanted}" CONTROL_EXTRA ${scripts}/triggers
    CONTROL_STRICT_PERMISSION ON)
es_package(dev libembedscope-dev libdevel
    "choose between embedding models without labels - development files"
    "This package has headers, the static library, and what pkg-config and CMake
need to find the library."
    DEPENDS "${library}" SUGGESTS
    "libopenblas-dev, libcjson-dev, libcsv-dev, libsqlite3-dev, libxxhash-dev, libutf8proc-dev, zlib1g-dev")
es_package(python python3-embedscope python
    "choose between embedding models without labels - Python module"
    "This package has the Python module: arrays in, a ranking out, with tables for
pandas and pictures for Jupyter."
    ARCHITECTURE all DEPENDS "python3:any, python3-numpy, ${library}"
    RECOMMENDS "python3-pandas, python3-tqdm" SUGGESTS embedscope
    CONTROL_EXTRA ${scripts}/postinst&${scripts}/prerm CONTROL_STRICT_PERMISSION ON)
if(ES_MPI_FOUND)
    es_package(mpi embedscope-mpi science
        "choose between embedding models without labels - several machines"
        "This package has the program that estimates a pool on several machines by
MPI: mpirun -n 16 embedscope estimate POOL."
        SHLIBDEPS ON DEPENDS "embedscope (= ${PROJECT_VERSION})" SUGGESTS openmpi-bin)
endif()
include(CPack)
