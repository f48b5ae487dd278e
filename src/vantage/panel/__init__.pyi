from .asks import Ask as Ask, asks_of as asks_of
from .drawing import PanelSize as PanelSize, draw_frames as draw_frames
from .fitting import PanelFit as PanelFit, fit_panel as fit_panel
from .frames import (
    CANNOT as CANNOT,
    LAST_LOOK as LAST_LOOK,
    Frame as Frame,
    frames_table as frames_table,
    read_frames as read_frames,
)
from .kinds import KINDS as KINDS, Kind as Kind
from .model_reader import ask_model as ask_model
from .panel_folder import (
    AskedFrame as AskedFrame,
    KnownFrame as KnownFrame,
    Panel as Panel,
    make_panel as make_panel,
    read_panel as read_panel,
)
from .panel_scenes import PanelScene as PanelScene, PanelScenes as PanelScenes
from .psychometric import (
    Psychometric as Psychometric,
    Threshold as Threshold,
    Trial as Trial,
    threshold_of as threshold_of,
)
from .readers import (
    Reader as Reader,
    new_reader as new_reader,
    read_readers as read_readers,
    reader_name as reader_name,
    take_replies as take_replies,
)
from .recorded_looks import last_looks as last_looks
