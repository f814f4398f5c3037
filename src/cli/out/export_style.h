/* The look of a picture. */
#ifndef ES_CLI_EXPORT_STYLE_H
#define ES_CLI_EXPORT_STYLE_H

#include "command.h"

#include "figure.h"

#include "buf.h"

/** The picture of a format that is one. */
es_picture es_picture_of(es_output_format format);

/** The look that the options ask for. `note` holds the small print and must outlive the style. A
 *  --width that says nothing is a usage error. */
es_status es_export_style(es_cli *cli, es_buf *note, es_figure_style *out, es_error *err);

/** Before anything is computed: the theme that --theme names is read. What is wrong with it is said
 *  on stderr; a theme that is not there is a usage error. */
es_status es_export_theme(es_cli *cli, es_error *err);
/** Is the picture light on dark? */
bool es_export_dark(const es_cli *cli);

/** The ends of the colours that --limits asks for; NaN without it. What are no two numbers, the
 * lower first, is a usage error. */
es_status es_export_limits(es_cli *cli, double *low, double *high, es_error *err);

#endif
