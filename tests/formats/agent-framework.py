"""The contents of Microsoft Agent Framework, which write the request and make the response to it."""

from agent_framework import Content
from cases import Skip, check


def listed(value):
    return value if isinstance(value, list) else [value]


def requests(payload):
    return [Content.from_dict(one) for one in listed(payload) if one["type"] == "function_approval_request"]


def sends(payload):
    if not requests(payload):
        raise Skip("other contents")
    made = iter([one.to_dict() for one in requests(payload)])
    made = [next(made) if one["type"] == "function_approval_request" else one for one in listed(payload)]
    return made if isinstance(payload, list) else made[0]


def reads(payload, answer):
    read = [Content.from_dict(one) for one in listed(answer)]
    for asked, one in zip(requests(payload), read, strict=True):
        own = asked.to_function_approval_response(one.approved).to_dict()
        assert one.to_dict() == own, f"it would answer {own}"
    return [one.approved for one in read]


def wanted(case):
    if case["chosen"] is None:
        return lambda read: not any(read)
    return [one["labels"] == ["Approve"] for one in case["chosen"]]


check("agent-framework-core", "live", sends, reads, wanted)
