/* A theme file; those that it inherits are the project's own. */
#include "fuzz.h"
#include "app_look.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_theme theme = {0};
    es_error warning = {0}, err = {0};
    es_map map = fuzz_map(data, size);
    es_status st = es_theme_parse((const char *)map.data, map.size, "fuzz.theme", ES_THEME_DIR,
                                  &theme, &warning, &err);
    fuzz_require_told(st, &err);
    fuzz_require_told(warning.code, &warning);
    if (st == ES_OK) {
        fuzz_require_clean(theme.name);
        for (int i = 0; i < ES_MAP_COUNT; i++)
            fuzz_require(theme.maps[i].n_stops <= ES_MAP_STOPS &&
                         theme.maps[i].n_c256 <= ES_MAP_STEPS &&
                         theme.maps[i].n_ramp <= ES_MAP_RAMP);
    }
    fuzz_unmap(&map);
    return 0;
}
