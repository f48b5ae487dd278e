"""The file of a bag in progress: rosbags' writer, but its metadata by the C library of PyYAML where that is there.

rosbags has ruamel.yaml write the metadata, twice for each bag, and the quality of service of each topic once more: more
work than a short episode's messages. What is written is the same to the byte.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from rosbags.interfaces import (
    Connection,
    ConnectionExtRosbag2,
    MessageDefinition,
    MessageDefinitionFormat,
    Qos,
    QosTime,
)
from rosbags.rosbag2 import StoragePlugin, Writer, WriterError

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_FORMAT = "cdr"


class BagFile(Writer):
    """An MCAP bag, not compressed, with metadata of version 9 (https://github.com/ros2/rosbag2, rosbag2_storage).

    Topics are added by ``connect``.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, version=9, storage_plugin=StoragePlugin.MCAP)

    def connect(self, topic: str, msgtype: str, definition: str, digest: str, offered: Qos) -> Connection:
        """Begin a topic that the bag does not have yet.

        Args:
            definition, digest: of its type.
            offered: the quality of service under which it is offered.

        Raises:
            WriterError: the bag is not open.
        """
        if self.storage is None:
            raise WriterError("the bag is not open")
        connection = Connection(
            id=len(self.connections) + 1,
            topic=topic,
            msgtype=msgtype,
            msgdef=MessageDefinition(MessageDefinitionFormat.MSG, definition),
            digest=digest,
            msgcount=0,
            ext=ConnectionExtRosbag2(serialization_format=_FORMAT, offered_qos_profiles=[offered]),
            owner=self,
        )
        if msgtype not in self.added_types:
            self.storage.add_msgtype(connection)
            self.added_types.add(msgtype)
        self.storage.add_connection(connection, _offered_text(offered))
        self.connections.append(connection)
        self.counts[connection.id] = 0
        return connection

    def close(self) -> None:
        """Write the index and the metadata, and close."""
        if self.storage is None:
            raise WriterError("the bag is not open")
        information = self._information(self.storage.path.name)
        self.storage.close(self.version, _as_yaml(information).strip())
        self.storage = None
        being_written = self.metapath.with_suffix(".yaml.tmp")
        being_written.write_text(_as_yaml({"rosbag2_bagfile_information": information}), encoding="utf-8")
        being_written.replace(self.metapath)

    def _information(self, file: str) -> dict[str, Any]:
        """What ``metadata.yaml`` says of the bag."""
        messages = sum(self.counts.values())
        return {
            "version": self.version,
            "storage_identifier": "mcap",
            "compression_format": "",
            "compression_mode": "",
            "relative_file_paths": [file],
            "files": [{"path": file, "message_count": messages, **self._span()}],
            "message_count": messages,
            **self._span(),
            "topics_with_message_count": [
                {
                    "message_count": self.counts[connection.id],
                    "topic_metadata": {
                        "name": connection.topic,
                        "type": connection.msgtype,
                        "type_description_hash": connection.digest,
                        "serialization_format": _FORMAT,
                        "offered_qos_profiles": _offered(connection),
                    },
                }
                for connection in self.connections
            ],
            "custom_data": self.custom_data or None,
            "ros_distro": "rosbags",
        }

    def _span(self) -> dict[str, dict[str, int]]:
        """When the bag begins, and how long it lasts."""
        return {
            "starting_time": {"nanoseconds_since_epoch": self.min_timestamp},
            "duration": {"nanoseconds": max(0, self.max_timestamp - self.min_timestamp)},
        }


def _offered(connection: Connection) -> list[dict[str, Any]]:
    more = connection.ext
    return [_qos(each) for each in more.offered_qos_profiles] if isinstance(more, ConnectionExtRosbag2) else []


@cache
def _offered_text(qos: Qos) -> str:
    return _as_yaml([_qos(qos)]).strip()


def _qos(qos: Qos) -> dict[str, Any]:
    return {
        "history": qos.history.name.lower(),
        "depth": qos.depth,
        "reliability": qos.reliability.name.lower(),
        "durability": qos.durability.name.lower(),
        "deadline": _seconds(qos.deadline),
        "lifespan": _seconds(qos.lifespan),
        "liveliness": qos.liveliness.name.lower(),
        "liveliness_lease_duration": _seconds(qos.liveliness_lease_duration),
        "avoid_ros_namespace_conventions": qos.avoid_ros_namespace_conventions,
    }


def _seconds(time: QosTime) -> dict[str, int]:
    return {"sec": time.sec, "nsec": time.nsec}


def _as_yaml(value: object) -> str:
    return str(yaml.dump(value, Dumper=_DUMPER, default_flow_style=False, allow_unicode=True))
