from .clouds import (
    SUFFIXES as SUFFIXES,
    WRITABLE as WRITABLE,
    is_writable as is_writable,
    load_cloud as load_cloud,
    losses as losses,
    read_cloud as read_cloud,
    save_cloud as save_cloud,
    save_ply as save_ply,
)
from .scenesplat import (
    TRAINED as TRAINED,
    is_scenesplat as is_scenesplat,
    read_classes as read_classes,
    write_classes as write_classes,
)
from .sog import META as META
