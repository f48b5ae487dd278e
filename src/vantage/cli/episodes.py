"""``vantage episodes``: make, validate and show episode sets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from vantage.cli.main import Result, at_least, common_options, progress, settings_options
from vantage.registry import BENCHMARKS
from vantage.untrusted_text import visible

if TYPE_CHECKING:
    from vantage.benchmarks import Benchmark, Option
    from vantage.benchmarks.sets import EpisodeSet

_MOST_LISTED = 300  # characters of a question or an answer
_OWN_FLAGS = {"--out", "--seed", "--reviewed"}  # of these commands, which no benchmark may take


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("episodes", help="make, validate or show an episode set")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    settings = settings_options("that of the benchmark, such as config/e3vs.yaml, or else config/vantage.yaml")
    make = actions.add_parser("make", parents=[common_options(), settings], help="make an episode set")
    make.set_defaults(run=run_make)
    make.deferred = lambda: _add_make_options(make)
    validate = actions.add_parser("validate", parents=[common_options()], help="check everything about a set")
    validate.set_defaults(run=run_validate)
    validate.deferred = lambda: _add_validate_options(validate)
    show = actions.add_parser("show", parents=[common_options()], help="list the episodes of a set")
    show.set_defaults(run=run_show)
    show.deferred = lambda: _add_benchmark(show, folder=True)
    prior = actions.add_parser(
        "prior",
        parents=[common_options()],
        help="count or learn the answers of a set, for agents prior and language",
        description="Count the right answers to the questions of a training set by the first words of the questions. "
        "Agent prior gives the commonest: vantage run ... --agent prior --set agent.prior=FILE. With --language, fit "
        "what all their words tell of the answers, for agent language.",
    )
    prior.add_argument("folder", metavar="DIR", help="the set, of any benchmark")
    prior.add_argument("--out", required=True, metavar="FILE", help="for the counts, or for the fitted model")
    prior.add_argument("--language", action="store_true", help="fit a model of answers by words instead of counting")
    prior.set_defaults(run=run_prior)


def _add_make_options(parser: argparse.ArgumentParser) -> None:
    from vantage.benchmarks import all_benchmarks

    benchmarks = all_benchmarks()
    _add_benchmark(parser)
    parser.add_argument("--miniature", action="store_true", help="two homes and a handful of episodes, in a minute")
    _add_options(parser, [(each.name, each.options) for each in benchmarks])
    parser.add_argument("--seed", type=at_least(0), default=0)
    parser.add_argument("--out", required=True, metavar="DIR")


def _add_validate_options(parser: argparse.ArgumentParser) -> None:
    from vantage.benchmarks import all_benchmarks

    benchmarks = all_benchmarks()
    reviewed, items = _reviewed(benchmarks)
    _add_benchmark(parser, folder=True)
    _add_options(parser, [(each.name, each.validation_options) for each in benchmarks])
    parser.add_argument(
        "--reviewed", metavar="FILE", help=f"{reviewed}: what `vantage review` wrote, to be applied as well"
    )
    parser.add_argument(
        "--out", metavar="DIR", help=f"with --reviewed: write the accepted {items} as a set of their own"
    )


def _add_benchmark(parser: argparse.ArgumentParser, folder: bool = False) -> None:
    parser.add_argument("benchmark", help=f"one of: {', '.join(BENCHMARKS.names())}")
    if folder:
        parser.add_argument("folder", metavar="DIR")


def _reviewed(benchmarks: Iterable[Benchmark]) -> tuple[str, str]:
    """Names of the benchmarks whose sets people review, and what is reviewed."""
    reviews = {each.name: each.review for each in benchmarks if each.review is not None}
    return ", ".join(reviews), " or ".join(dict.fromkeys(review.items for review in reviews.values()))


def _add_options(parser: argparse.ArgumentParser, offered: Sequence[tuple[str, Sequence[Option]]]) -> None:
    """The options of all benchmarks, as texts that the benchmark which is used reads; see ``_chosen``.

    An option whose flag the command itself has cannot be given.
    """
    for members in _by_flag(offered):
        first = next(iter(members.values()))
        if first.typed not in _OWN_FLAGS:
            told = _help_of(members).replace("%", "%%")
            with suppress(argparse.ArgumentError):  # a flag that every command has
                parser.add_argument(
                    first.typed,
                    dest=_place(first),
                    metavar=first.metavar or first.name.upper(),
                    help=told,
                )


def _place(option: Option) -> str:
    """Where its value is kept, beside what is of the command itself."""
    return f"option_{option.typed.lstrip('-')}"


def _by_flag(offered: Sequence[tuple[str, Sequence[Option]]]) -> list[dict[str, Option]]:
    """The options of each flag by the name of the benchmark, in an order that agrees with that of every benchmark where
    there is one; those that do not change sets come last."""
    order: list[str] = []
    for _, options in offered:
        for k, option in enumerate(options):
            if option.typed not in order:
                later = (order.index(other.typed) for other in options[k + 1 :] if other.typed in order)
                order.insert(next(later, len(order)), option.typed)
    found = [
        {name: option for name, options in offered for option in options if option.typed == flag} for flag in order
    ]
    return sorted(found, key=lambda members: not next(iter(members.values())).changes_set)


def _help_of(members: dict[str, Option]) -> str:
    """What the options of one flag are, which benchmarks have it, and their defaults."""
    alike: dict[str, dict[str, Option]] = {}
    for name, option in members.items():
        alike.setdefault(option.help, {})[name] = option
    if len(alike) > 1:
        return "; ".join(_help_of(group) for group in alike.values())
    first = next(iter(members.values()))
    if not first.named:
        return first.help
    defaults = {option.shown for option in members.values()}
    if len(defaults) > 1:
        return f"{first.help} ({', '.join(f'{name}: {option.shown}' for name, option in members.items())})"
    return f"{', '.join(members)}: {first.help}" + (f" ({first.shown})" if first.shown else "")


def run_make(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks import Told, make_benchmark
    from vantage.cli.settings import settings_from
    from vantage.errors import UsageError

    benchmark = make_benchmark(arguments.benchmark)
    given = _given(arguments, [each.options for each in _all(benchmark)])
    if arguments.miniature:
        sizes = list(dict.fromkeys(option.typed for option in given if option.size))
        if sizes:
            raise UsageError(f"--miniature fixes the sizes; leave out {', '.join(sizes)}")
    taken = [option for option in benchmark.options if option.in_miniature or not arguments.miniature]
    chosen = _chosen(arguments, benchmark.name, given, taken, with_defaults=not arguments.miniature)
    made = benchmark.make(
        arguments.out,
        seed=arguments.seed,
        miniature=arguments.miniature,
        settings=settings_from(arguments, usual=benchmark.parameters),
        progress=progress,
        **chosen,
    )
    if isinstance(made, Told):
        return Result(made.text, dict(made.data))
    return _listing([made], f"{len(made.episodes)} episodes in {arguments.out}", str(made.folder))


def _all(benchmark: Benchmark) -> list[Benchmark]:
    """All benchmarks, among them the one that is used."""
    from vantage.benchmarks import all_benchmarks

    return [benchmark if each.name == benchmark.name else each for each in all_benchmarks()]


def _given(arguments: argparse.Namespace, offered: Sequence[Sequence[Option]]) -> list[Option]:
    """The options, of any benchmark, that the command line gives, one for each flag."""
    named = [(str(number), options) for number, options in enumerate(offered)]
    firsts = [next(iter(members.values())) for members in _by_flag(named)]
    return [option for option in firsts if getattr(arguments, _place(option), None) is not None]


def _chosen(
    arguments: argparse.Namespace, benchmark: str, given: Iterable[Option], taken: Iterable[Option], with_defaults: bool
) -> dict[str, Any]:
    """Values of the options that are taken, as the benchmark reads them.

    Raises:
        UsageError: another one is given, or a value cannot be read.
    """
    from vantage.errors import UsageError

    known = {option.typed: option for option in taken}
    strange = [option.typed for option in given if option.typed not in known]
    if strange:
        raise UsageError(f"benchmark '{benchmark}' has no option {strange[0]} here; leave it out")
    values = {option.name: option.default for option in known.values() if with_defaults and option.default is not None}
    own = (known[option.typed] for option in given)
    return {**values, **{option.name: _read(option, arguments) for option in own}}


def _read(option: Option, arguments: argparse.Namespace) -> Any:
    """The value that is given for an option.

    Raises:
        UsageError: it is an impossible one.
    """
    from vantage.errors import UsageError

    text = getattr(arguments, _place(option))
    try:
        return option.read(text)
    except argparse.ArgumentTypeError as error:
        said = str(error)
    except ValueError:
        said = f"invalid {getattr(option.read, '__name__', 'option')} value: {text!r}"
    raise UsageError(f"argument {option.typed}: {said}; see 'vantage episodes {arguments.action} --help'")


def load_set_of(benchmark: str, folder: str) -> EpisodeSet:
    """The set in a folder.

    Raises:
        UnknownNameError: no such benchmark.
        UsageError: the set is of another one.
        FormatError: it cannot be read.
    """
    from vantage.benchmarks.sets import load_set
    from vantage.errors import UsageError

    BENCHMARKS.get(benchmark)
    found = load_set(folder)
    if found.info.benchmark != benchmark:
        raise UsageError(f"{folder} is a set of benchmark '{found.info.benchmark}', not '{benchmark}'")
    return found


def run_validate(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks import make_benchmark
    from vantage.benchmarks.statistics import measure_shortcut
    from vantage.cli.json_values import json_value
    from vantage.errors import UsageError

    benchmark = make_benchmark(arguments.benchmark)
    given = _given(arguments, [each.validation_options for each in _all(benchmark)])
    chosen = _chosen(arguments, benchmark.name, given, benchmark.validation_options, with_defaults=True)
    if arguments.out and not arguments.reviewed:
        raise UsageError("--out needs --reviewed, which says what is accepted")
    review = benchmark.review
    if arguments.reviewed and review is None:
        raise UsageError(f"sets of benchmark '{arguments.benchmark}' are not reviewed; leave out --reviewed")
    parts = benchmark.sets_in(arguments.folder)
    if arguments.reviewed and len(parts) > 1:
        raise UsageError(f"--reviewed belongs to one set, {arguments.folder} holds {len(parts)}; give one of these")
    episode_sets = [load_set_of(arguments.benchmark, str(part)) for part in parts]
    problems = [problem for one in episode_sets for problem in _problems_of(benchmark, one, len(parts) > 1, chosen)]
    problems += benchmark.problems_between(episode_sets)
    said: str = ""
    data: dict[str, Any] = {}
    if arguments.reviewed and review is not None:
        marks = review.apply(arguments.folder, arguments.reviewed, arguments.out)
        problems += [] if arguments.out else marks.problems()
        data = {"review": marks.to_json()}
        said = marks.summary() + (f"; the accepted ones are in {arguments.out}" if arguments.out else "")
    shortcut = measure_shortcut([each for one in episode_sets for each in benchmark.labelled_questions(one)])
    premises = measure_shortcut([each for one in episode_sets for each in benchmark.premise_questions(one)])
    both = (shortcut, premises) if premises.accuracy.figure.n else (shortcut,)
    problems += [finding for each in both for finding in each.findings(surely=True)]
    told = [finding for each in both for finding in each.findings() if finding not in problems]
    text = "\n".join(problems) if problems else f"{arguments.folder} is valid"
    described = benchmark.described(episode_sets)
    lines = (text, said, "" if described is None else described.text, *(each.summary for each in both), *told)
    data |= {} if described is None else {benchmark.name: json_value(described.data)}
    return Result(
        "\n".join(filter(None, lines)),
        {
            "problems": problems,
            "shortcut": json_value(shortcut.to_json() | {"premises": premises.to_json()}),
            **data,
        },
        done=not problems,
    )


def _problems_of(benchmark: Benchmark, episode_set: EpisodeSet, named: bool, options: dict[str, Any]) -> list[str]:
    """What is wrong with a set, with its name before it where there are several."""
    from vantage.benchmarks import phase_problems

    found = phase_problems(benchmark, episode_set.episodes) + benchmark.validate(episode_set.folder, **options)
    return [f"{episode_set.folder.name}: {problem}" for problem in found] if named else found


def run_show(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks import make_benchmark

    benchmark = make_benchmark(arguments.benchmark)
    parts = benchmark.sets_in(arguments.folder)
    episode_sets = [load_set_of(arguments.benchmark, str(part)) for part in parts]
    return _listing(episode_sets, "", str(episode_sets[0].folder) if len(parts) == 1 else arguments.folder)


def run_prior(arguments: argparse.Namespace) -> Result:
    from vantage.benchmarks.sets import load_set
    from vantage.runs import counted_answers, language_of_set

    if arguments.language:
        language = language_of_set(load_set(arguments.folder))
        language.write(arguments.out)
        data = {"questions": language.questions, "answers": len(language.answers), "out": arguments.out}
        told = f"{language.questions} questions with {len(language.answers)} answers learned in {arguments.out}"
        return Result(told, data)
    prior = counted_answers(load_set(arguments.folder))
    prior.write(arguments.out)
    told = f"{prior.questions} questions of {prior.kinds} kinds counted in {arguments.out}"
    return Result(told, {"questions": prior.questions, "kinds": prior.kinds, "out": arguments.out})


def _cut(text: str) -> str:
    """The beginning of a text, of which a terminal shows little."""
    return text if len(text) <= _MOST_LISTED else f"{text[: _MOST_LISTED - 3]}..."


def _listing(episode_sets: Sequence[EpisodeSet], last_line: str, folder: str) -> Result:
    """What the sets in a folder ask, all of one benchmark."""
    from vantage.benchmarks import benchmark_of
    from vantage.benchmarks.sets import to_line
    from vantage.benchmarks.statistics import blind_share, guesses
    from vantage.cli.json_values import json_value

    episodes = [episode for one in episode_sets for episode in one.episodes]
    lines = [
        f"{episode.episode_id}  {episode.scene}  {_cut(visible(question.text))}"
        for episode in episodes
        for question in episode.questions
    ]
    benchmark = benchmark_of(episode_sets[0].info.benchmark)
    truths = [truth for one in episode_sets for truth in benchmark.truths(one).values()]
    questions = [question for truth in truths for question in truth.questions]
    common = guesses(questions)
    if common:
        blind = blind_share(questions)
        lines.append(
            f"of {common[0].number} questions with a true premise, {common[0].share:.0%} are answered by "
            f"'{visible(common[0].answer)}', and {blind:.0%} by the commonest answer to their kind"
        )
        lines += [
            f"  {visible(guess.about)}: '{_cut(visible(guess.answer))}' {guess.hits} of {guess.number}"
            for guess in common[1:]
        ]
    noises = [question.noise_type.name for question in questions if not question.premise_holds]
    if noises:
        counted = ", ".join(f"{noises.count(name)} {name}" for name in dict.fromkeys(noises))
        lines.append(f"{len(noises)} questions with a false premise: {counted}")
    described = benchmark.described(episode_sets)
    lines += [] if described is None else [described.text]
    text = "\n".join([*lines, last_line] if last_line else lines)
    return Result(
        text,
        {
            "folder": folder,
            "episodes": [json.loads(to_line(episode)) for episode in episodes],
            "commonest_answers": json_value(common),
            "noise_types": {name: noises.count(name) for name in dict.fromkeys(noises)},
            **({} if described is None else {benchmark.name: json_value(described.data)}),
        },
    )
