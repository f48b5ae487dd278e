"""A bag in the Rerun viewer: python config/layouts/rerun_bag.py BAG (needs pip install rerun-sdk).

Pictures, camera and points are drawn, what the agent was asked, said and commanded stands as text beside them. What
Vantage alone publishes has no picture in Rerun; for that use Foxglove or Lichtblick with the layouts in this folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

SPACES = ("/camera/camera_info", "/camera/image_raw/compressed", "/scene/points", "/tf", "/tf_static")
PICTURES = ("/camera/image_raw/compressed",)
SERIES = ("/joint_states",)
WORDS = ("/episode", "/answer", "/noise_report", "/command_result", "/search/status")


def recorded(bag: Path) -> Path:
    """The MCAP file of a bag, or the file itself.

    Raises:
        SystemExit: there is none, or several.
    """
    files = [bag] if bag.is_file() else sorted(bag.glob("*.mcap"))
    if len(files) != 1:
        raise SystemExit(f"{bag} holds {len(files)} MCAP files, not one; give one bag or its MCAP file")
    return files[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Show a bag in the Rerun viewer.")
    parser.add_argument("bag", type=Path, metavar="BAG", help="folder of a bag, or its MCAP file")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write an .rrd file instead of opening the viewer")
    arguments = parser.parse_args()
    path = recorded(arguments.bag)

    import rerun as rr
    import rerun.blueprint as rrb

    words = [rrb.DataframeView(origin=topic, name=topic.strip("/")) for topic in WORDS]
    layout = rrb.Blueprint(
        rrb.Horizontal(
            rrb.Spatial3DView(origin="/", contents=[f"{topic}/**" for topic in SPACES], name="scene"),
            rrb.Vertical(
                *[rrb.Spatial2DView(origin=topic, name="camera") for topic in PICTURES],
                *[rrb.TimeSeriesView(origin=topic, name=topic.strip("/")) for topic in SERIES],
                rrb.Tabs(*words),
            ),
            column_shares=[3, 2],
        ),
        collapse_panels=True,
    )
    rr.init("vantage", recording_id=path.stem, spawn=arguments.save is None)
    if arguments.save is not None:
        rr.save(arguments.save, default_blueprint=layout)
    rr.log_file_from_path(path)
    rr.send_blueprint(layout)


if __name__ == "__main__":
    main()
