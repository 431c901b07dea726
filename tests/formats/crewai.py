"""What CrewAI keeps of a flow that waits for feedback; the answer to it is a text."""

from cases import Skip, check, module, words

crewai = module("crewai", "crewai/flow/async_feedback/types.py")


def sends(payload):
    if "flow_id" not in payload or "type" in payload:
        raise Skip("events, whose types need all of the package")
    return crewai.PendingFeedbackContext.from_dict(payload).to_dict()


def reads(payload, answer):
    return answer if isinstance(answer, str) else None


def wanted(case):
    if case["chosen"] is None:
        return None
    given = words(case["chosen"][0])
    return given if isinstance(given, str) else given[0]


check("crewai", "types", sends, reads, wanted)
