/* Cairo and Pango, which are loaded with the first figure: with their forty libraries they would
 * take half of every start of the program. In this room their functions have their usual names. */
#ifndef ES_FIGURE_DRAWING_H
#define ES_FIGURE_DRAWING_H

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <pango/pangocairo.h>

#include "embedscope/status.h"

/* clang-format off */
#define ES_DRAWING(X) \
    X(cairo_arc) X(cairo_clip) X(cairo_close_path) X(cairo_create) X(cairo_destroy) \
    X(cairo_fill) X(cairo_fill_preserve) X(cairo_font_options_create) \
    X(cairo_font_options_destroy) X(cairo_font_options_set_antialias) \
    X(cairo_font_options_set_hint_metrics) X(cairo_font_options_set_hint_style) \
    X(cairo_get_current_point) X(cairo_get_matrix) X(cairo_get_source) \
    X(cairo_image_surface_create) X(cairo_line_to) X(cairo_matrix_transform_point) \
    X(cairo_move_to) X(cairo_new_path) X(cairo_new_sub_path) X(cairo_paint) \
    X(cairo_pattern_destroy) X(cairo_pattern_get_rgba) X(cairo_pattern_reference) \
    X(cairo_pdf_surface_create_for_stream) X(cairo_pdf_surface_set_metadata) X(cairo_rectangle) \
    X(cairo_restore) X(cairo_rotate) X(cairo_save) X(cairo_scale) X(cairo_set_dash) \
    X(cairo_set_font_options) X(cairo_set_line_cap) X(cairo_set_line_join) \
    X(cairo_set_line_width) X(cairo_set_source) X(cairo_set_source_rgb) X(cairo_set_source_rgba) \
    X(cairo_status) X(cairo_status_to_string) X(cairo_stroke) X(cairo_surface_destroy) \
    X(cairo_surface_finish) X(cairo_surface_status) X(cairo_surface_write_to_png_stream) \
    X(cairo_svg_surface_create_for_stream) X(cairo_svg_surface_set_document_unit) \
    X(cairo_translate) X(g_object_unref) X(pango_cairo_font_map_new) \
    X(pango_cairo_layout_line_path) X(pango_cairo_show_layout_line) X(pango_cairo_update_layout) \
    X(pango_context_load_font) X(pango_context_set_round_glyph_positions) X(pango_font_describe) \
    X(pango_font_description_free) X(pango_font_description_from_string) \
    X(pango_font_description_get_family) X(pango_font_description_set_absolute_size) \
    X(pango_font_description_set_weight) X(pango_font_map_create_context) \
    X(pango_layout_get_line_readonly) X(pango_layout_get_unknown_glyphs_count) \
    X(pango_layout_line_get_extents) X(pango_layout_new) X(pango_layout_set_font_description) \
    X(pango_layout_set_single_paragraph_mode) X(pango_layout_set_text)
/* clang-format on */

#define ES_DRAWING_MEMBER(name) __typeof__(&(name)) name##_;
typedef struct es_drawing_calls {
    ES_DRAWING(ES_DRAWING_MEMBER)
} es_drawing_calls;
/** Filled by es_drawing_load. */
extern es_drawing_calls es_draw;

/** Loads the libraries, once in a process. ES_EUNSUPPORTED: they are not there, or too old. */
es_status es_drawing_load(es_error *err);
/** The same from a library of this name, whatever was loaded before; NULL: from what is linked. */
es_status es_drawing_load_from(const char *library, es_error *err);

#ifndef ES_DRAWING_NAMES /* where the functions themselves are looked up */
#define cairo_arc es_draw.cairo_arc_
#define cairo_clip es_draw.cairo_clip_
#define cairo_close_path es_draw.cairo_close_path_
#define cairo_create es_draw.cairo_create_
#define cairo_destroy es_draw.cairo_destroy_
#define cairo_fill es_draw.cairo_fill_
#define cairo_fill_preserve es_draw.cairo_fill_preserve_
#define cairo_font_options_create es_draw.cairo_font_options_create_
#define cairo_font_options_destroy es_draw.cairo_font_options_destroy_
#define cairo_font_options_set_antialias es_draw.cairo_font_options_set_antialias_
#define cairo_font_options_set_hint_metrics es_draw.cairo_font_options_set_hint_metrics_
#define cairo_font_options_set_hint_style es_draw.cairo_font_options_set_hint_style_
#define cairo_get_current_point es_draw.cairo_get_current_point_
#define cairo_get_matrix es_draw.cairo_get_matrix_
#define cairo_get_source es_draw.cairo_get_source_
#define cairo_image_surface_create es_draw.cairo_image_surface_create_
#define cairo_line_to es_draw.cairo_line_to_
#define cairo_matrix_transform_point es_draw.cairo_matrix_transform_point_
#define cairo_move_to es_draw.cairo_move_to_
#define cairo_new_path es_draw.cairo_new_path_
#define cairo_new_sub_path es_draw.cairo_new_sub_path_
#define cairo_paint es_draw.cairo_paint_
#define cairo_pattern_destroy es_draw.cairo_pattern_destroy_
#define cairo_pattern_get_rgba es_draw.cairo_pattern_get_rgba_
#define cairo_pattern_reference es_draw.cairo_pattern_reference_
#define cairo_pdf_surface_create_for_stream es_draw.cairo_pdf_surface_create_for_stream_
#define cairo_pdf_surface_set_metadata es_draw.cairo_pdf_surface_set_metadata_
#define cairo_rectangle es_draw.cairo_rectangle_
#define cairo_restore es_draw.cairo_restore_
#define cairo_rotate es_draw.cairo_rotate_
#define cairo_save es_draw.cairo_save_
#define cairo_scale es_draw.cairo_scale_
#define cairo_set_dash es_draw.cairo_set_dash_
#define cairo_set_font_options es_draw.cairo_set_font_options_
#define cairo_set_line_cap es_draw.cairo_set_line_cap_
#define cairo_set_line_join es_draw.cairo_set_line_join_
#define cairo_set_line_width es_draw.cairo_set_line_width_
#define cairo_set_source es_draw.cairo_set_source_
#define cairo_set_source_rgb es_draw.cairo_set_source_rgb_
#define cairo_set_source_rgba es_draw.cairo_set_source_rgba_
#define cairo_status es_draw.cairo_status_
#define cairo_status_to_string es_draw.cairo_status_to_string_
#define cairo_stroke es_draw.cairo_stroke_
#define cairo_surface_destroy es_draw.cairo_surface_destroy_
#define cairo_surface_finish es_draw.cairo_surface_finish_
#define cairo_surface_status es_draw.cairo_surface_status_
#define cairo_surface_write_to_png_stream es_draw.cairo_surface_write_to_png_stream_
#define cairo_svg_surface_create_for_stream es_draw.cairo_svg_surface_create_for_stream_
#define cairo_svg_surface_set_document_unit es_draw.cairo_svg_surface_set_document_unit_
#define cairo_translate es_draw.cairo_translate_
#define g_object_unref es_draw.g_object_unref_
#define pango_cairo_font_map_new es_draw.pango_cairo_font_map_new_
#define pango_cairo_layout_line_path es_draw.pango_cairo_layout_line_path_
#define pango_cairo_show_layout_line es_draw.pango_cairo_show_layout_line_
#define pango_cairo_update_layout es_draw.pango_cairo_update_layout_
#define pango_context_load_font es_draw.pango_context_load_font_
#define pango_context_set_round_glyph_positions es_draw.pango_context_set_round_glyph_positions_
#define pango_font_describe es_draw.pango_font_describe_
#define pango_font_description_free es_draw.pango_font_description_free_
#define pango_font_description_from_string es_draw.pango_font_description_from_string_
#define pango_font_description_get_family es_draw.pango_font_description_get_family_
#define pango_font_description_set_absolute_size es_draw.pango_font_description_set_absolute_size_
#define pango_font_description_set_weight es_draw.pango_font_description_set_weight_
#define pango_font_map_create_context es_draw.pango_font_map_create_context_
#define pango_layout_get_line_readonly es_draw.pango_layout_get_line_readonly_
#define pango_layout_get_unknown_glyphs_count es_draw.pango_layout_get_unknown_glyphs_count_
#define pango_layout_line_get_extents es_draw.pango_layout_line_get_extents_
#define pango_layout_new es_draw.pango_layout_new_
#define pango_layout_set_font_description es_draw.pango_layout_set_font_description_
#define pango_layout_set_single_paragraph_mode es_draw.pango_layout_set_single_paragraph_mode_
#define pango_layout_set_text es_draw.pango_layout_set_text_
#endif

#endif
