from .cpu import CpuRenderer as CpuRenderer
from .gsplat_reference import reference_render as reference_render
from .gsplat_renderer import (
    GsplatRenderer as GsplatRenderer,
    gpu_obstacle as gpu_obstacle,
    missing_packages as missing_packages,
)
from .id_images import named_by as named_by
from .reference import agreement as agreement, plain_render as plain_render, psnr as psnr
from .renderer import RenderedView as RenderedView, Renderer as Renderer
from .renderers import instruction_set as instruction_set, make_renderer as make_renderer
