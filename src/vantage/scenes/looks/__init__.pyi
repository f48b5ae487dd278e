from .coats import Coat as Coat, coat_of as coat_of, seed_of as seed_of
from .glyphs import HEIGHT as HEIGHT, glyph as glyph
from .lettering import (
    FINE as FINE,
    LARGEST as LARGEST,
    InkStroke as InkStroke,
    Spot as Spot,
    TextLayout as TextLayout,
    ink_color as ink_color,
    lay_out as lay_out,
    print_spot as print_spot,
    text_layout as text_layout,
    text_strokes as text_strokes,
)
from .lights import (
    SKY as SKY,
    SUN as SUN,
    Lamp as Lamp,
    LightSources as LightSources,
    Pane as Pane,
    light_sources as light_sources,
)
from .looks import LOOKS as LOOKS, Pattern as Pattern, finish_of as finish_of, pattern_of as pattern_of
from .print_images import PrintImage as PrintImage, print_image as print_image
from .textures import (
    SKIRTING as SKIRTING,
    Finish as Finish,
    Paint as Paint,
    Patch as Patch,
    hashed as hashed,
    smooth_noise as smooth_noise,
)
