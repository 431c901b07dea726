"""The types of A2A: messages of version 1, and of 0.3."""

from a2a.compat.v0_3 import types as old
from a2a.types import a2a_pb2 as new
from cases import check, given, leaves
from google.protobuf.json_format import MessageToDict, ParseDict


def inner(payload):
    return payload.get("result", payload)


def is_old(payload):
    return "kind" in inner(payload)


def sends(payload):
    task = inner(payload)
    if is_old(payload):
        (old.Task if task["kind"] == "task" else old.TaskStatusUpdateEvent).model_validate(task)
    else:
        ParseDict(task, new.StreamResponse() if "statusUpdate" in task or "task" in task else new.Task())
    return payload


def reads(payload, answer):
    if is_old(payload):
        message = old.Message.model_validate(answer)
        assert message.role.value == "user"
        parts = message.model_dump(exclude_none=True)["parts"]
    else:
        message = ParseDict(answer, new.Message())
        assert message.role == new.Role.ROLE_USER
        parts = MessageToDict(message)["parts"]
    said = [part.get("text", part.get("data")) for part in parts]
    return sorted(map(repr, leaves(said)))


def wanted(case):
    return lambda read: case["chosen"] is not None and set(given(case)) <= set(read)


check("a2a-sdk", "types", sends, reads, wanted)
