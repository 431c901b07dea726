"""The types of LangGraph's interrupts as the Agent Inbox reads and answers them."""

import warnings

from cases import Skip, check
from pydantic import TypeAdapter

warnings.simplefilter("ignore")
from langgraph.prebuilt.interrupt import HumanInterrupt, HumanResponse  # noqa: E402

ASKED, ANSWERED = TypeAdapter(HumanInterrupt), TypeAdapter(list[HumanResponse])


def sends(payload):
    if isinstance(payload, list):
        return [sends(one) for one in payload]
    if "action_request" not in payload:
        raise Skip("envelopes of LangGraph")
    # Nobody has to say what it is about.
    read = ASKED.validate_python({"description": None, **payload}, strict=True)
    return {name: value for name, value in read.items() if name in payload}


def reads(payload, answer):
    asked = payload if isinstance(payload, list) else [payload]
    read = ANSWERED.validate_python(answer, strict=True)
    assert len(read) == len(asked), "one response for each request"
    return [(one["type"], one["args"]) for one in read]


def wanted(case):
    if case["chosen"] is None:
        return lambda read: all(kind in ("response", "ignore") for kind, _ in read)

    def agrees(read):
        chosen = {answer["id"]: answer for answer in case["chosen"]}
        asked = case["in"] if isinstance(case["in"], list) else [case["in"]]
        return all(same(chosen, n, one["action_request"], *read[n]) for n, one in enumerate(asked))

    return agrees


def same(chosen, n, action, kind, args):
    answer = chosen[f"action-{n}"]
    own = answer["other"] or answer["value"]
    if own is not None:
        return (kind, args) == ("response", own)
    if answer["values"] not in (["approve"], ["edit"]):
        return (kind, args) == ("ignore", None)
    arguments = chosen.get(f"arguments-{n}") or {"value": action["args"]}
    changed = arguments["value"] != action["args"]
    return kind in (["edit"] if changed else ["accept", "edit"]) and args == {**action, "args": arguments["value"]}


check("langgraph-prebuilt", "types", sends, reads, wanted)
