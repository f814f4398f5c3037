/* Tables are those of `measure`; a picture is of heat maps like that of information sufficiency. */
#include "cli_reports.h"

static es_status draw_picture(const es_document *d, es_sketch *sketch, es_error *err) {
    const es_choices *choices = d->what;
    return es_picture_measure(sketch, d->session, choices->item, choices->count, err);
}

es_status es_measure_write_matrix(es_cli *cli, es_session *session, const es_choices *choices,
                                  es_error *err) {
    es_output_format format = es_output_format_of(cli, ES_FORMAT_TABLE);
    static const es_document_parts parts = {.picture = draw_picture};
    if (!es_format_is_picture(format))
        return es_measure_write(cli, session, choices, err);
    return es_document_write(&parts, (es_document){cli, session, SIZE_MAX, choices, format}, err);
}
