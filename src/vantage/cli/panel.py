"""``vantage panel``: frames around the thresholds of the view rule, who reads them, and what follows for the rule."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.wording import shown


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "panel",
        help="calibrate the view rule by readers who see",
        description="Draw frames around every threshold of the view rule, have people or models answer them, and fit "
        "from which value on a reader can tell.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    make = actions.add_parser("make", parents=[common_options(), settings_options()], help="draw the frames")
    make.add_argument("folder", metavar="SET", help="an episode set, or a folder of splits")
    make.add_argument("--out", required=True, metavar="DIR")
    make.add_argument("--per-kind", type=at_least(2), metavar="N", help="frames around each threshold (default: 16)")
    make.add_argument("--foils", type=at_least(0), metavar="N", help="frames of each kind without target (default: 3)")
    make.add_argument("--kinds", type=_kinds, metavar="NAME,...", help="draw these kinds alone, such as letter,hidden")
    make.add_argument("--bags", nargs="+", default=[], metavar="DIR", help="add the last looks of recorded episodes")
    make.add_argument("--seed", type=at_least(0), help="of all that is random (default: 0)")
    make.add_argument("--from", dest="table", metavar="FILE", help="draw the frames of a frames.csv again")
    make.add_argument("--sheets", action="store_true", help="also put four numbered frames on a sheet")
    make.set_defaults(run=run_make)
    answer = actions.add_parser(
        "answer",
        parents=[common_options(), settings_options()],
        help="ask a model, or take in replies",
        description="Give --model, or --replies with --reader and --kind. A model goes on where it was interrupted.",
    )
    answer.add_argument("folder", metavar="DIR", help="a panel")
    answer.add_argument("--model", metavar="NAME:WHICH", help="ask this one; with --replies: which one replied")
    answer.add_argument("--replies", metavar="FILE", help="CSV of number and reply, or JSON of replies by number")
    answer.add_argument("--reader", metavar="NAME", help="who replied (with --model alone: made from its name)")
    answer.add_argument("--kind", choices=("person", "model"), help="of the reader of --replies")
    answer.set_defaults(run=run_answer)
    fit = actions.add_parser("fit", parents=[common_options()], help="fit thresholds and compare the rule with readers")
    fit.add_argument("folder", metavar="DIR", help="a panel")
    fit.set_defaults(run=run_fit)


def _kinds(text: str) -> tuple[str, ...]:
    from vantage.panel import KINDS

    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    strange = next((name for name in names if name not in KINDS), None)
    if strange is not None:
        raise argparse.ArgumentTypeError(f"there is no kind {shown(strange)}; give some of {', '.join(KINDS)}")
    return names


def run_make(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.files import refuse_used_folder
    from vantage.panel import PanelScenes, PanelSize, draw_frames, last_looks, make_panel, read_frames

    drawn = (arguments.per_kind, arguments.foils, arguments.kinds, arguments.seed)
    if arguments.table and (arguments.bags or any(value is not None for value in drawn)):
        raise UsageError("--from fixes the frames; leave out --per-kind, --foils, --kinds, --seed and --bags")
    refuse_used_folder(Path(arguments.out))
    given = {"per_kind": arguments.per_kind, "foils": arguments.foils, "kinds": arguments.kinds}
    size = PanelSize(**{name: value for name, value in given.items() if value is not None})
    seed = arguments.seed or 0
    with PanelScenes(arguments.folder, settings_from(arguments)) as scenes:
        if arguments.table:
            frames = read_frames(arguments.table)
        else:
            frames = draw_frames(list(scenes), size, seed, progress)
            frames += last_looks(arguments.bags, scenes, seed, progress)
        panel = make_panel(arguments.out, scenes, frames, arguments.sheets)
    kinds = [frame.kind for frame in frames]
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    foils = sum(frame.foil for frame in frames)
    text = (
        f"{len(frames)} frames in {arguments.out}, {foils} of them foils; show readers frames and questions.json alone"
    )
    data = {"out": str(arguments.out), "panel": panel.name, "frames": len(frames), "foils": foils, "kinds": counts}
    return Result(text, data)


def run_answer(arguments: argparse.Namespace) -> Result:
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError
    from vantage.models import make_model
    from vantage.panel import ask_model, read_panel, reader_name, take_replies

    if arguments.replies and not (arguments.reader and arguments.kind):
        raise UsageError("--replies needs --reader NAME and --kind person or model")
    if not arguments.replies and (not arguments.model or arguments.kind):
        raise UsageError("give --model NAME:WHICH, or --replies FILE with --reader and --kind")
    if arguments.kind == "person" and arguments.model:
        raise UsageError("a person is no model; leave out --model, or give --kind model")
    panel = read_panel(arguments.folder)
    if arguments.replies:
        reader = take_replies(panel, arguments.replies, arguments.reader, arguments.kind, arguments.model or "")
    else:
        name = arguments.reader or reader_name(arguments.model)
        model = make_model(arguments.model, settings_from(arguments))
        model.rehearse(pictures=True)
        reader = ask_model(panel, model, name, progress)
    unusable = sum(reply is None for reply in reader.replies.values())
    said = f"{reader.who}: {len(reader.replies)} of {len(panel.asked)} frames answered"
    text = said + (f", {unusable} without a usable reply" if unusable else "")
    data = {
        "reader": reader.reader,
        "kind": reader.kind,
        "model": reader.model,
        "frames": len(panel.asked),
        "answered": len(reader.replies),
        "unusable": unusable,
    }
    return Result(text, data)


def run_fit(arguments: argparse.Namespace) -> Result:
    from vantage.cli.json_values import json_value
    from vantage.panel import fit_panel, read_panel, read_readers

    panel = read_panel(arguments.folder)
    found = fit_panel(panel.key, panel.asked, read_readers(panel))
    return Result(found.text(), json_value(found))
