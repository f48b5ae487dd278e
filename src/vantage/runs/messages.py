"""Vantage's types as ROS messages, for any message classes: those of rclpy and those of rosbags.

A ``Codec`` builds messages through a factory; ``vantage.runs.reading`` takes messages of either kind apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from vantage.runs.message_parts import PartsCodec
from vantage.spatial import Viewpoint
from vantage.types import (
    Answer,
    Command,
    Detection,
    Episode,
    EpisodeState,
    InstanceLabel,
    NoiseReport,
    Observation,
    SearchView,
    StepResult,
    Truth,
)
from vantage.worlds.protocol import WorldInfo


class Codec(PartsCodec):
    """Builds Vantage's own messages too."""

    def _own(self, name: str, **fields: Any) -> Any:
        return self.make(f"vantage_eqa/msg/{name}", **fields)

    def viewpoint(self, value: Viewpoint) -> Any:
        return self._own(
            "Viewpoint",
            x=float(value.x),
            y=float(value.y),
            z=float(value.z),
            yaw=float(value.yaw),
            pitch=float(value.pitch),
        )

    def legend(self, stamp: int, scene: str, legend: Mapping[int, InstanceLabel]) -> Any:
        labels = [
            self._own(
                "InstanceLabel",
                instance_id=entry.instance_id,
                label=entry.label,
                color=entry.color,
                material=entry.material,
                states=list(entry.states),
                shape=entry.shape,
                room=entry.room,
            )
            for entry in legend.values()
        ]
        return self._own("InstanceLegend", header=self.header(stamp), scene=scene, instances=labels)

    def viewpoint_command(self, stamp: int, command: Command) -> Any:
        if command.target is None:
            raise ValueError("a viewpoint command needs a target")
        return self._own(
            "ViewpointCommand",
            header=self.header(stamp),
            episode_id=command.episode_id,
            source=command.source,
            sequence=command.sequence,
            action=command.action,
            target=self.viewpoint(command.target),
            allow_unwind=command.allow_unwind,
        )

    def command_result(self, result: StepResult) -> Any:
        command, stamp = result.command, result.observation.stamp
        return self._own(
            "CommandResult",
            header=self.header(stamp),
            episode_id=command.episode_id,
            source=command.source,
            sequence=command.sequence,
            action=command.action,
            status=int(result.status),
            reason=result.reason,
            reached=self.viewpoint(result.reached),
            observation_stamp=self.time(stamp),
            cause=int(result.cause),
        )

    def world_info(self, info: WorldInfo) -> Any:
        limits = info.limits
        return self._own(
            "WorldInfo",
            world=info.name,
            frame_id=info.frame,
            senses=sorted(info.senses),
            acts=sorted(info.acts),
            body_radius=float(info.body_radius),
            bounds_min=self.point(limits.bounds_min),
            bounds_max=self.point(limits.bounds_max),
            pitch_min=float(limits.pitch_min),
            pitch_max=float(limits.pitch_max),
            yaw_min=float(limits.yaw_min),
            yaw_max=float(limits.yaw_max),
            max_translation=float(limits.max_translation),
            max_rotation=float(limits.max_rotation),
            tolerance=float(info.tolerance),
        )

    def episode(
        self,
        stamp: int,
        episode: Episode,
        state: EpisodeState,
        *,
        agent: str = "",
        perception: str = "",
        reason: str = "",
        commands_sent: int = 0,
        answers_given: int = 0,
    ) -> Any:
        questions = [
            self._own("Question", question_id=item.question_id, text=item.text, phase=item.phase)
            for item in episode.questions
        ]
        return self._own(
            "Episode",
            header=self.header(stamp),
            episode_id=episode.episode_id,
            benchmark=episode.benchmark,
            scene=episode.scene,
            start=self.viewpoint(episode.start),
            questions=questions,
            max_steps=episode.max_steps,
            seed=episode.seed,
            agent=agent,
            perception=perception,
            phase=episode.questions[0].phase if episode.questions else "explore",
            state=int(state),
            reason=reason,
            commands_sent=commands_sent,
            answers_given=answers_given,
        )

    def search_status(self, stamp: int, episode_id: str, view: SearchView) -> Any:
        return self._own(
            "SearchStatus",
            header=self.header(stamp),
            episode_id=episode_id,
            doing=view.doing,
            worth=float(view.worth),
            known=float(view.known),
        )

    def noise_report(self, stamp: int, episode_id: str, question_id: str, report: NoiseReport) -> Any:
        return self._own(
            "NoiseReport",
            header=self.header(stamp),
            episode_id=episode_id,
            question_id=question_id,
            noise_type=int(report.noise_type),
            false_claim=report.false_claim,
            correction=report.correction,
            corrected_question=report.corrected_question,
            confidence=float(report.confidence),
            explanation=report.explanation,
        )

    def answer(self, stamp: int, episode_id: str, answer: Answer) -> Any:
        return self._own(
            "Answer",
            header=self.header(stamp),
            episode_id=episode_id,
            question_id=answer.question_id,
            phase=answer.phase,
            text=answer.text,
            verdict=int(answer.verdict),
            confidence=float(answer.confidence),
            noise=self.noise_report(stamp, episode_id, answer.question_id, answer.noise),
            evidence_stamps=[self.time(item.stamp) for item in answer.evidence],
            evidence_viewpoints=[self.viewpoint(item.viewpoint) for item in answer.evidence],
            perception=answer.perception,
            model=answer.model,
        )

    def detections(self, observation: Observation, episode_id: str, perception: str, found: Iterable[Detection]) -> Any:
        return self._own(
            "Detections",
            header=self.header(observation.stamp),
            episode_id=episode_id,
            perception=perception,
            viewpoint=self.viewpoint(observation.viewpoint),
            detections=[self._detection(item) for item in found],
        )

    def _detection(self, item: Detection) -> Any:
        return self._own(
            "Detection",
            instance_id=item.instance_id,
            label=item.label,
            color=item.color,
            material=item.material,
            states=list(item.states),
            shape=item.shape,
            text=item.text,
            room=item.room,
            confidence=float(item.confidence),
            pixels=item.pixels,
            box=self.region(*item.box),
            center=self.point(item.center),
            bounds_min=self.point(item.bounds_min),
            bounds_max=self.point(item.bounds_max),
            truncated=item.truncated,
        )

    def truth(self, stamp: int, truth: Truth) -> Any:
        questions = [
            self._own(
                "TruthQuestion",
                question_id=item.question_id,
                kind=item.kind,
                answer=item.answer,
                accepted=list(item.accepted),
                premise_holds=item.premise_holds,
                noise_type=int(item.noise_type),
                false_claim=item.false_claim,
                correction=item.correction,
                corrected_question=item.corrected_question,
                target_instances=self.array(np.array(item.target_instances, np.int32)),
                program=item.program,
            )
            for item in truth.questions
        ]
        return self._own(
            "Truth",
            header=self.header(stamp),
            episode_id=truth.episode_id,
            questions=questions,
            has_oracle=truth.oracle_actions is not None,
            oracle_actions=list(truth.oracle_actions or ()),
            goal=self.viewpoint(truth.goal or Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)),
            oracle_path_length=float(truth.oracle_path_length),
        )

    def visibility(self, stamp: int, episode_id: str, fractions: Mapping[int, float]) -> Any:
        return self._own(
            "TruthVisibility",
            header=self.header(stamp),
            episode_id=episode_id,
            target_instances=self.array(np.array(list(fractions), np.int32)),
            visible_fractions=self.array(np.array(list(fractions.values()), np.float64)),
        )

    def recording_summary(
        self,
        stamp: int,
        schema_version: int,
        episode_id: str,
        counts: Mapping[str, int],
        dropped: Mapping[str, int],
        interference: Iterable[str] = (),
        unreadable: int = 0,
    ) -> Any:
        topics = sorted(set(counts) | set(dropped))
        return self._own(
            "RecordingSummary",
            header=self.header(stamp),
            schema_version=schema_version,
            episode_id=episode_id,
            topics=topics,
            messages=self.array(np.array([counts.get(name, 0) for name in topics], np.uint64)),
            dropped=self.array(np.array([dropped.get(name, 0) for name in topics], np.uint64)),
            interference=list(interference),
            unreadable=unreadable,
        )
