"""The types of Google ADK: function calls of its events, and how it reads confirmations."""

from cases import Skip, check, given, leaves
from google.adk.events import Event
from google.adk.tools.tool_confirmation import ToolConfirmation
from google.genai.types import Content, FunctionCall, FunctionResponse

NAMES = ("adk_request_confirmation", "adk_request_input")


def calls(payload):
    if isinstance(payload, list):
        return [call for one in payload for call in calls(one)]
    if "content" in payload:
        parts = Event.model_validate({"author": "a", **payload}).content.parts
        return [part.function_call for part in parts if part.function_call and part.function_call.name in NAMES]
    if payload.get("name") not in NAMES:
        raise Skip("parts of events by themselves")
    return [FunctionCall.model_validate(payload)]


def sends(payload):
    for call in calls(payload):
        if call.name == NAMES[0]:
            FunctionCall.model_validate(call.args["originalFunctionCall"])
            ToolConfirmation.model_validate(call.args["toolConfirmation"])
    return payload


def reads(payload, answer):
    if isinstance(answer, dict) and "parts" in answer:
        responses = [part.function_response for part in Content.model_validate(answer).parts]
    else:
        responses = [FunctionResponse.model_validate(one) for one in (answer if isinstance(answer, list) else [answer])]
    assert {one.id for one in responses} == {call.id for call in calls(payload)}, "one response for each call"
    read = []
    for one in responses:
        if one.name == NAMES[0]:
            confirmation = ToolConfirmation.from_response_dict(one.response)
            read += [confirmation.confirmed, *leaves(confirmation.payload)]
        elif not {"error", "_error"} & set(one.response):
            read += leaves(one.response)
    return sorted(map(repr, read))


def wanted(case):
    if case["chosen"] is None:
        return lambda read: set(read) <= {"False"}
    answers = {"'approve'": "True", "'reject'": "False"}

    def agrees(read):
        told = sorted(answers.get(one, one) for one in given(case))
        # Data goes along with a yes alone.
        return read == told or read == ["False"] and "False" in told

    return agrees


check("google-adk", "types", sends, reads, wanted)
