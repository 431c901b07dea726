"""The protocol's own types."""

from ag_ui.core import Interrupt, ResumeEntry, RunFinishedEvent
from cases import check, given, leaves
from pydantic import TypeAdapter


def interrupts(payload):
    if payload.get("type") == "RUN_FINISHED":
        return RunFinishedEvent.model_validate(payload).outcome.interrupts
    return TypeAdapter(list[Interrupt]).validate_python(payload["interrupts"])


def sends(payload):
    interrupts(payload)
    return payload


def reads(payload, answer):
    entries = TypeAdapter(list[ResumeEntry]).validate_python(answer["resume"])
    assert [one.interrupt_id for one in entries] == [one.id for one in interrupts(payload)]
    resolved = [one.payload for one in entries if one.status == "resolved"]
    return sorted(map(repr, leaves(resolved))) if resolved else None


def wanted(case):
    """What was left open in every field is no answer."""
    return given(case) or None


check("ag-ui-protocol", "types", sends, reads, wanted)
