/* Colour maps as a few stops in sRGB. Each rises in lightness, so that they survive grey printers
 * and colour-blind eyes. */
#include "base.h"

/* viridis and magma: S. van der Walt and N. Smith, 2015. cividis: J. Nunez, C. Anderton and
 * R. Renslow, 2018. Dark ends are lifted where they would vanish on black. */
const es_gradient es_gradients[ES_GRADIENTS] = {
    {"viridis",
     {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
      0xfde725},
     10},
    {"cividis", {0x00306f, 0x31446b, 0x575d6d, 0x7c7b78, 0xa59c74, 0xd2c060, 0xffea46}, 7},
    {"magma", {0x221150, 0x5f187f, 0x982d80, 0xd3436e, 0xf8765c, 0xfebb81, 0xfcfdbf}, 7},
    {"grey", {0x303030, 0xeeeeee}, 2},
};
