/* Corr on a screen. */
#include "screens.h"

TEST(corr__draw__as_golden) {
    check_view(ES_VIEW_CORR, "corr");
}

/* What scores.csv may be like, and what the keys of Corr do. */
TEST(corr__special_cases__as_golden) {
    static const struct {
        const char *name, *keys;
        es_scene scene;
    } cases[] = {
        {"corr/no-scores", ":corr<Enter>", SCENE_DONE},
        {"corr/first", ":corr<Enter>", SCENE_DONE}, /* nothing has come yet */
        {"corr/excluded", ":corr<Enter>jlllxl", SCENE_DONE},
        {"corr/labels", ":corr<Enter>LK lll", SCENE_200},
        {"corr/names", ":corr<Enter>", SCENE_DONE},
        {"corr/accepted", ":corr<Enter>a", SCENE_DONE},
        {"corr/no-name", ":corr<Enter>", SCENE_DONE},
        {"corr/few", ":corr<Enter>fmistral<Enter>", SCENE_DONE},
        {"corr/constant", ":corr<Enter>", SCENE_DONE},
        {"corr/lower", ":corr<Enter>lll", SCENE_DONE},
        {"corr/zoom", ":corr<Enter>lll+++", SCENE_DONE},
        {"corr/cost", ":corr<Enter>jB", SCENE_DONE},  /* a task where lower is better */
        {"corr/l2", ":corr<Enter>l", SCENE_DONE},     /* the baseline is stored */
        {"corr/l2-none", ":corr<Enter>", SCENE_DONE}, /* or could be */
        {"corr/no-band", ":corr<Enter>lllxlB", SCENE_DONE},
        {"corr/points", ":corr<Enter><Tab>ggjl", SCENE_DONE},
        {"corr/scores-problem", ":corr<Enter>", SCENE_DONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_mock *mock = make_scene(cases[i].scene);
        es_effects *effects = effects_kept();
        es_buf out = {0};
        bool problem = strcmp(cases[i].name, "corr/scores-problem") == 0;
        mock->source.scores.tasks = i == 0 || problem ? 0 : 2;
        if (problem)
            mock->source.scores_problem = "scores.csv: line 3, column 2: 'abc' is not a number";
        mock->costs = strcmp(cases[i].name, "corr/cost") == 0;
        if (strncmp(cases[i].name, "corr/l2", 7) == 0)
            mock->source.baseline = strcmp(cases[i].name, "corr/l2") == 0
                                        ? (es_source_baseline){true, false, 156, 156, NULL}
                                        : (es_source_baseline){.possible = true};
        mock->lower[0] = i == 9;
        mock->late = i == 1;
        if (i == 4 || i == 5) {
            snprintf(mock->score_row[5], 64, "BGE_base_en_v1.5");
            snprintf(mock->score_row[1], 64, "sentence-transformers/LaBSE");
            snprintf(mock->score_row[7], 64, "of-another-pool");
        }
        for (size_t k = 0; i == 6 && k < mock->source.model_count; k++)
            snprintf(mock->score_row[k], 64, "other-%zu", k);
        mock->constant = i == 8;
        es_app *app = open_app(mock);
        mock_keys(app, cases[i].keys, effects);
        settle(app);
        add_all_sizes(&out, app);
        check_golden(cases[i].name, &out);
    }
}

TEST(corr__any_size__draws) {
    check_any_size(ES_VIEW_CORR);
}
