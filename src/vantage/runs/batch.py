"""Whole episode sets in process: one bag per episode, several worker processes, resumable."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vantage.answering import SYMBOLIC
from vantage.benchmarks import benchmark_of, order_problems
from vantage.benchmarks.sets import EpisodeSet, checked_hash, load_set
from vantage.config import ActionSettings, AgentSettings, ControlSettings, Settings
from vantage.errors import FormatError, RecordingError, UsageError
from vantage.heap import limit_heap
from vantage.models import PROCESS_LEDGER, noted
from vantage.planning import (
    BIRD,
    GOAL,
    TEXT,
    Agent,
    Need,
    Participating,
    check_axes,
    further_sizes,
    model_needs_gold,
    needs_of,
    prompt_version,
)
from vantage.recording import (
    BagWriter,
    Codec,
    EpisodeListener,
    FolderLock,
    Outcome,
    ParticipantPublisher,
    PlannerPublisher,
    QaPublisher,
    RosbagsFactory,
    WorldPublisher,
    wanted_in_bag,
    write_calls,
)
from vantage.registry import AGENTS, WORLDS
from vantage.runs.call_notes import CallNotes
from vantage.runs.confirmation import at_terminal, local_confirm, unconfirmed
from vantage.runs.episode import EpisodeRunner
from vantage.runs.gold import GoldData, GoldPublisher
from vantage.runs.permission import let_manipulate, may_manipulate_freely
from vantage.runs.priors import language_prior_of, lessons_of, prior_of, training_set
from vantage.runs.resuming import PROMPT_VERSION, remaining, remove_bags, setup_of
from vantage.runs.sampling import Sample, sampled
from vantage.runs.setup import check_place, rehearse, require_server
from vantage.runs.starts import standing_starts
from vantage.runs.task_pictures import pictures_of, with_pictures
from vantage.runs.view_rule_texts import view_rule_text_of
from vantage.types import Episode, EpisodeState
from vantage.workers import WorkerPool
from vantage.worlds import World

_POLL = 0.5  # s
_LONGEST = 500  # characters of answers that are told as an episode ends


@dataclass(frozen=True)
class Job:
    """What to run.

    Attributes:
        episodes: folder of an episode set.
        out: folder for the bags.
        world, agent: registered names.
        seed: of the run; an agent that draws lots draws others with another seed.
        setup: what bags say of all this, once it is ``prepared``.
        sample: how many episodes are drawn by lot, with the run's seed; None runs all.
    """

    episodes: Path
    out: Path
    world: str
    agent: str
    settings: Settings = field(default_factory=Settings)
    seed: int = 0
    setup: Mapping[str, Any] | None = None
    sample: Sample | None = None


def prepared(job: Job) -> tuple[Job, EpisodeSet]:
    """The job with the set's scenes and action space, and the set.

    Raises:
        FormatError: the set cannot be read, was changed after it was made, or has phases in another order than its
            benchmark, or it has no task for an agent that carries tasks out.
        UnknownNameError: no such world or agent.
        UsageError: the set has fewer episodes than are to be drawn.
    """
    episode_set = load_set(job.episodes)
    problems = order_problems(benchmark_of(episode_set.info.benchmark), episode_set.episodes)
    if problems:
        more = f" (and {len(problems) - 1} more like it)" if len(problems) > 1 else ""
        raise FormatError(f"{episode_set.folder}: {problems[0]}{more}; make the set again")
    WORLDS.get(job.world)
    agent = AGENTS.get(job.agent)
    actions = episode_set.info.actions
    settings = job.settings
    settings = replace(
        settings,
        actions=ActionSettings(
            actions.translation, actions.rotation, actions.name, actions.frame, **further_sizes(actions)
        ),
        world=replace(settings.world, scenes=settings.world.scenes or str(episode_set.folder / "scenes")),
    )
    setup = setup_of(job.world, job.seed, settings, episode_set)
    setup[PROMPT_VERSION] = prompt_version(agent, settings)
    benchmark = benchmark_of(episode_set.info.benchmark)
    truths = benchmark.truths(episode_set) if Need.TASKS in needs_of(agent) or job.sample is not None else {}
    if Need.TASKS in needs_of(agent):
        episode_set, truths = benchmark.tasks(episode_set, truths)
        if not episode_set.episodes:
            raise FormatError(f"{episode_set.folder} has no task that can be carried out; make one with --homes")
    learned = needs_of(agent) & {Need.PRIOR, Need.LANGUAGE}
    training = training_set(job.episodes) if learned and not settings.agent.prior else None
    if training is not None:
        setup["agent.prior"] = checked_hash(training)
    episode_set = with_pictures(episode_set, job.agent, settings)
    if job.sample is not None:
        episode_set = sampled(episode_set, truths, job.sample, job.seed)
    if Need.TASKS in needs_of(agent):
        episode_set = standing_starts(episode_set, job.world, settings)
    return replace(job, settings=settings, setup=setup), episode_set


def shared_out(job: Job, workers: int) -> Job:
    """The job with no more threads a worker than its share of the machine's cores."""
    share = max(1, (os.cpu_count() or 1) // workers)
    world = replace(job.settings.world, threads=min(job.settings.world.threads, share))
    return replace(job, settings=replace(job.settings, world=world))


def make_agent(name: str, settings: Settings, episodes: str | Path | None = None) -> Agent:
    """An agent by name. Only one that states the need of them is given the gold data of ``episodes``, pictures of their
    tasks, what a picture must show for an answer to count, the counts of a training set, or what the half of
    ``episodes`` that is for fitting teaches; gold data also one that asks a stand-in which must know them.

    Raises:
        RecordingError: it needs gold data, and no episode set is given.
        UsageError: it needs counts of a training set, and there are none.
    """
    more: dict[str, Any] = {}
    asks = needs_of(AGENTS.get(name)) & {Need.MODEL, Need.NAMED_MODEL}
    asks_informed = bool(asks) and model_needs_gold(settings.agent.model)
    if Need.GOLD in needs_of(AGENTS.get(name)) or asks_informed:
        if not episodes:
            raise RecordingError(f"agent '{name}' needs gold data; give it an episode set with --episodes")
        episode_set = load_set(episodes)
        more["truths"] = benchmark_of(episode_set.info.benchmark).truths(episode_set)
    if Need.PICTURES in needs_of(AGENTS.get(name)) and settings.control.input != TEXT and episodes:
        more["pictures"] = pictures_of(load_set(episodes), settings.control.input)
    if Need.VIEW_RULE in needs_of(AGENTS.get(name)) and episodes:
        more["view_rule_text"] = view_rule_text_of(episodes, settings)
    if Need.PRIOR in needs_of(AGENTS.get(name)):
        more["prior"] = prior_of(settings, episodes)
    if Need.LANGUAGE in needs_of(AGENTS.get(name)):
        more["language"] = language_prior_of(settings, episodes)
    if Need.LESSONS in needs_of(AGENTS.get(name)) and settings.agent.model == SYMBOLIC:
        more["lessons"] = lessons_of(episodes)
    agent: Agent = AGENTS.create(name, settings, **more)
    return agent


class Worker:
    """One world, one agent, one recorder; runs episodes one after another.

    Args:
        agent: who runs them, where that is nobody who can be made of the job's settings, such as a person.

    Raises:
        UsageError: the world's camera cannot move along an axis that ``control.dof`` names.
        VantageError: its world or its agent cannot be made.
    """

    def __init__(self, job: Job, agent: Agent | None = None) -> None:
        self._given = agent
        self._codec = Codec(RosbagsFactory())
        self._world: World = WORLDS.create(job.world, job.settings)
        self._take(job)

    def _take(self, job: Job) -> None:
        self._gold = GoldData(job.episodes, Need.TASKS in needs_of(AGENTS.get(job.agent)))
        given = self._given
        self._agent = given or make_agent(job.agent, unconfirmed(job.settings), job.episodes)
        check_axes(job.settings, self._world.info)
        self._confirm = local_confirm(job.settings)
        self._job = job

    def turn_to(self, job: Job) -> None:
        """Take up another job; its world is kept, scene and all, unless more than the agent's settings differ."""
        if job == self._job:
            return
        if (job.world, _without_agent(job)) != (self._job.world, _without_agent(self._job)):
            self._world.close()
            self._world = WORLDS.create(job.world, job.settings)
        self._take(job)

    def run(self, episode: Episode, canceled: Callable[[], bool] = lambda: False) -> Outcome:
        """Run and record one episode. A failed one is recorded as such; its bag is complete all the same.

        Args:
            canceled: as ``EpisodeRunner.run`` has it.

        Raises:
            NoServerError: the server of its model was not there; what was recorded stays partial.
        """
        spent, episode = PROCESS_LEDGER.usage, self._placed(episode)
        with BagWriter(self._job.out, episode.episode_id, self._job.setup) as bag:
            wanted, quality = wanted_in_bag(self._job.settings), self._job.settings.run.jpeg_quality
            listeners: list[EpisodeListener] = [
                GoldPublisher(self._codec, bag.write, self._gold, self._world),
                PlannerPublisher(self._codec, bag.write, wanted),
                WorldPublisher(self._codec, bag.write, wanted, self._world, quality),
                QaPublisher(self._codec, bag.write),
            ]
            if isinstance(self._agent, Participating):
                listeners.append(ParticipantPublisher(self._codec, bag.write, self._agent.participation))
            calls = CallNotes()
            listeners.append(calls)
            with noted(calls.note):
                outcome = self._runner(episode, listeners).run(episode, self._job.seed, canceled)
            require_server(episode.episode_id, spent)
            bag.finish(episode.episode_id)
        write_calls(bag.path, calls.records)
        return outcome

    def practise(self, episode: Episode, canceled: Callable[[], bool] = lambda: False) -> Outcome:
        """Run an episode of which nothing is recorded."""
        return self._runner(episode, ()).run(episode, self._job.seed, canceled)

    def _runner(self, episode: Episode, listeners: Sequence[EpisodeListener]) -> EpisodeRunner:
        free = may_manipulate_freely(self._agent, episode.benchmark)
        return EpisodeRunner(
            self._world,
            self._agent,
            listeners,
            confirm=self._confirm,
            from_above=self._job.settings.control.start == BIRD,
            permit=let_manipulate if free else None,
        )

    def _placed(self, episode: Episode) -> Episode:
        """The episode from where ``control.start`` says that it begins."""
        goal = self._gold.truth(episode.episode_id).goal if self._job.settings.control.start == GOAL else None
        return episode if goal is None else replace(episode, start=goal)

    def record_to(self, out: Path) -> None:
        """Write the bags of the next episodes into another folder."""
        self._job = replace(self._job, out=out)

    def close(self) -> None:
        self._world.close()


def _without_agent(job: Job) -> Settings:
    return replace(job.settings, agent=AgentSettings(), control=ControlSettings())


def run_set(job: Job, workers: int = 1, resume: bool = False) -> Iterator[tuple[Episode, Outcome]]:
    """Run all episodes of a set, yielding each as it ends; as ``run_sets`` with one job."""
    for _, episode, outcome in run_sets((job,), workers, resume):
        yield episode, outcome


def run_sets(
    jobs: Sequence[Job], workers: int = 1, resume: bool = False
) -> Generator[tuple[Job, Episode, Outcome], None, None]:
    """Run jobs one after another in the same processes, yielding each episode as it ends.

    Args:
        jobs: each with a folder of its own for the bags.
        resume: leave out episodes that were recorded to their end, and answered by the model, where one was asked.

    Raises:
        UsageError: a person is to be asked at this terminal, but by several processes; or no episode can be run so.
        RecordingError: a bag exists and ``resume`` is false, one is of another setup, another process writes into a
            folder, nobody can, its disk is full, or a worker process died.
        NoServerError: the server of a model is not there.
        VantageError: an agent cannot be made ready.
    """
    _require_one_who_asks(jobs, workers)
    sets = [prepared(job) for job in jobs]
    for job, episode_set in sets:
        check_place(job.world, make_agent(job.agent, job.settings, job.episodes), job.settings, job.episodes)
        _require_goals(job, episode_set)
    with ExitStack() as stack:
        claims = [stack.enter_context(FolderLock(job.out)) for job, _ in sets]
        tasks: list[tuple[Job, Episode]] = []
        spoiled: list[Path] = []
        for job, episode_set in sets:
            left, failed = remaining(job.out, episode_set.episodes, job.setup if resume else None)
            tasks += [(job, episode) for episode in left]
            spoiled += failed
        remove_bags(spoiled)
        if workers <= 1:
            yield from _run_here(tasks)
            return
        workers = min(workers, max(1, len(tasks)))
        yield from _run_parallel([(shared_out(job, workers), episode) for job, episode in tasks], workers, claims)


def _require_goals(job: Job, episode_set: EpisodeSet) -> None:
    """
    Raises:
        UsageError: an episode is to begin at its goal, and has none.
    """
    if job.settings.control.start != GOAL:
        return
    for episode_id, truth in benchmark_of(episode_set.info.benchmark).truths(episode_set).items():
        if truth.goal is None:
            raise UsageError(f"episode '{episode_id}' of {job.episodes} has no goal viewpoint; leave out --start goal")


def _require_one_who_asks(jobs: Sequence[Job], workers: int) -> None:
    """Worker processes have no terminal, so the person who sits at this one would never be asked."""
    if workers > 1 and at_terminal() and any(job.settings.agent.require_confirmation for job in jobs):
        raise UsageError(
            f"agent.require_confirmation asks at this terminal, which {workers} worker processes cannot share; "
            f"use --workers 1"
        )


def _run_here(tasks: Sequence[tuple[Job, Episode]]) -> Iterator[tuple[Job, Episode, Outcome]]:
    if not tasks:
        return
    limit_heap()
    _rehearse(tasks)
    with closing(Worker(tasks[0][0])) as worker:
        for job, episode in tasks:
            worker.turn_to(job)
            yield job, episode, worker.run(episode)


def _rehearse(tasks: Sequence[tuple[Job, Episode]]) -> None:
    """Make every job's agent ready once, so that what is wrong with one is said before any episode runs."""
    for job in _distinct(tasks):
        settings = unconfirmed(job.settings)
        rehearse(make_agent(job.agent, settings, job.episodes), settings)


def _distinct(tasks: Sequence[tuple[Job, Episode]]) -> list[Job]:
    found: list[Job] = []
    for job, _ in tasks:
        if job not in found:
            found.append(job)
    return found


_worker: Worker | None = None


def _work(job: Job, episode: Episode) -> Outcome:
    global _worker
    if _worker is None:  # not when the process starts, where an error would be lost
        _worker = Worker(job)
    _worker.turn_to(job)
    return _worker.run(episode)


def _run_parallel(
    tasks: Sequence[tuple[Job, Episode]], workers: int, claims: Sequence[FolderLock]
) -> Iterator[tuple[Job, Episode, Outcome]]:
    if not tasks:
        return
    with WorkerPool(workers, *claims) as pool:
        try:
            pool.submit(_rehearse, tasks).result()
        except BrokenProcessPool as error:
            raise RecordingError(
                "a worker process died while its agent was made ready, and nothing ran; use fewer --workers where "
                "memory is short"
            ) from error
        running = {pool.submit(_work, *task): task for task in tasks}
        while running:
            for future in wait(running, timeout=_POLL, return_when=FIRST_COMPLETED).done:
                job, episode = running.pop(future)
                try:
                    yield job, episode, future.result()
                except BrokenProcessPool as error:
                    raise RecordingError(
                        f"a worker process died while episode '{episode.episode_id}' ran; complete bags are kept, "
                        f"run again with --resume"
                    ) from error


def describe(outcome: Outcome) -> str:
    """An outcome in a few words."""
    if outcome.state != EpisodeState.FINISHED:
        return f"{outcome.state.name.lower()}: {outcome.reason}"
    if outcome.reason:
        return outcome.reason
    return _cut("; ".join(f"{answer.verdict.name.lower()}: {answer.text}" for answer in outcome.answers))


def _cut(text: str) -> str:
    """One line of a text that may be very long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
