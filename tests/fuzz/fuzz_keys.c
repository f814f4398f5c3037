/* A file of keys: what is read can be written and reads back as the same. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "app_commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    es_keymap map = {0}, again = {0};
    size_t problems = 0;
    es_error problem = {0}, err = {0};
    char line[1024], other[1024];
    es_map file = fuzz_map(data, size);
    const char *text = (const char *)file.data;
    fuzz_require(es_keymap_parse(text, file.size, "keys", NULL, &map, &problems, &problem, &err) ==
                 ES_OK);
    fuzz_require((problems > 0) == (problem.code != ES_OK));
    for (size_t i = 0; i < map.count; i++) {
        es_keymap_put(&map.item[i], line, sizeof line);
        fuzz_require_clean(line);
        fuzz_require(es_keymap_add(&again, line, 0, &err) == ES_OK);
        es_keymap_put(&again.item[i], other, sizeof other);
        fuzz_require(strcmp(line, other) == 0);
    }
    es_free(es_keymap_edit(text, file.size, "map * z freeze"));
    es_free(es_setting_edit(text, file.size, "theme = mono"));
    es_keymap_free(&map);
    es_keymap_free(&again);
    fuzz_unmap(&file);
    return 0;
}
