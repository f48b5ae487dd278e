"""``vantage scene make``: generate furnished homes, vary them, and paint what is not painted."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vantage.benchmarks import read_areas
from vantage.cli.main import Result, at_least, common_options, progress

if TYPE_CHECKING:
    from vantage.scenes.generator import HomeLayout


def add_parser(actions: Any) -> None:
    make = actions.add_parser("make", parents=[common_options()], help="generate furnished homes")
    make.add_argument("--rooms", type=int, default=1, help="number of rooms of the home, 1 to 10 (default %(default)s)")
    make.add_argument("--seed", type=at_least(0), default=0, help="of the home; of the next ones it counts up")
    make.add_argument("--count", type=at_least(1), default=1, help="number of homes (default %(default)s)")
    make.add_argument(
        "--room-area",
        type=read_areas,
        metavar="LOW-HIGH",
        help="least and largest floor of a room, m2, such as 10-60 (default: usual sizes, 4 to 22)",
    )
    make.add_argument(
        "--layout",
        default="closed",
        metavar="WHICH",
        help="closed rooms, open plans without walls between halls, living rooms and kitchens, l-shaped rooms around "
        "a corner, or mixed (default %(default)s)",
    )
    make.add_argument(
        "--from",
        dest="home",
        metavar="HOME",
        help="make this home anew, a folder or its spec.json, instead of generating one: painted, or varied",
    )
    make.add_argument(
        "--vary",
        type=at_least(0),
        metavar="SEED",
        help="let light things (under 5 kg) weigh 0.5 to 1.5 times and measure 0.8 to 1 times as much",
    )
    make.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="gets one folder home_SEED for each home, or one of the name of HOME; varied ones end in _vary_SEED",
    )
    make.add_argument(
        "--no-cloud",
        dest="cloud",
        action="store_false",
        help="write specification and graph and paint nothing: quick, for worlds that need no Gaussians",
    )
    make.set_defaults(run=run_make)


def run_make(arguments: argparse.Namespace) -> Result:
    from vantage.errors import UsageError
    from vantage.files import new_folder
    from vantage.scenes.generator import MAX_ROOMS, MIN_ROOMS, HomeLayout
    from vantage.splats.synthesis import make_scene

    out, ending = Path(arguments.out), "" if arguments.vary is None else f"_vary_{arguments.vary}"
    if arguments.home is not None:
        made = _made_anew(arguments, out, ending)
        return Result(made, {"scenes": [made]})
    if not MIN_ROOMS <= arguments.rooms <= MAX_ROOMS:
        raise UsageError(f"--rooms must be from {MIN_ROOMS} to {MAX_ROOMS}, got {arguments.rooms}")
    layout = HomeLayout(arguments.room_area, arguments.layout)
    homes = {out / f"home_{seed}{ending}": seed for seed in range(arguments.seed, arguments.seed + arguments.count)}
    broken_off = any(folder.exists() for folder in homes) and not all(map(_is_whole, homes))
    for folder, seed in homes.items():
        if broken_off and _is_whole(folder) and _is_home(folder, seed, layout, arguments):
            progress(f"kept {folder}, which is this home")
            continue
        with new_folder(_fresh(folder)):
            make_scene(
                seed,
                folder,
                folder.name,
                rooms=arguments.rooms,
                layout=layout,
                cloud=arguments.cloud,
                vary=arguments.vary,
            )
        progress(f"made {folder}")
    folders = [str(folder) for folder in homes]
    return Result("\n".join(folders), {"scenes": folders})


def _is_whole(folder: Path) -> bool:
    from vantage.files import UNFINISHED

    return folder.exists() and not (folder / UNFINISHED).is_file()


def _is_home(folder: Path, seed: int, layout: HomeLayout, arguments: argparse.Namespace) -> bool:
    """Whether a whole folder holds what would be made there."""
    from vantage.errors import VantageError
    from vantage.scenes.generator import generate_home, varied
    from vantage.splats import CLOUD_FILE, load_home

    spec = generate_home(seed, arguments.rooms, folder.name, layout)
    if arguments.vary is not None:
        spec = varied(spec, arguments.vary)
    try:
        return load_home(folder).spec == spec and (folder / CLOUD_FILE).is_file() == arguments.cloud
    except VantageError:
        return False


def _made_anew(arguments: argparse.Namespace, out: Path, ending: str) -> str:
    """A home that there is already, painted or not, and varied where that was asked for."""
    from dataclasses import replace

    from vantage.files import new_folder
    from vantage.scenes.generator import varied
    from vantage.splats import load_home
    from vantage.splats.synthesis import in_words, save_home

    home = load_home(arguments.home)
    folder = _fresh(out / f"{home.name}{ending}")
    spec = replace(home.spec, name=folder.name)
    if arguments.vary is not None:
        spec = varied(spec, arguments.vary)
    with new_folder(folder):
        save_home(spec, folder, home.shows or in_words(spec), cloud=arguments.cloud)
    progress(f"made {folder}")
    return str(folder)


def _fresh(folder: Path) -> Path:
    from vantage.errors import SceneError

    if _is_whole(folder):
        raise SceneError(f"{folder} exists already; choose another --out or remove it")
    return folder
