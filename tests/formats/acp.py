"""The SDK's own types. What it sends has neither defaults nor nothings."""

from acp.schema import (
    CreateElicitationResponse,
    CreateFormRequestElicitationRequest,
    CreateFormSessionElicitationRequest,
    CreateUrlRequestElicitationRequest,
    CreateUrlSessionElicitationRequest,
    RequestPermissionRequest,
    RequestPermissionResponse,
)
from cases import Skip, check, given, leaves
from pydantic import TypeAdapter

FORMS = (
    CreateFormSessionElicitationRequest
    | CreateFormRequestElicitationRequest
    | CreateUrlSessionElicitationRequest
    | CreateUrlRequestElicitationRequest
)


def sends(payload):
    params = payload.get("params", payload)
    if "qwenQuestions" in str(params) or "questions" in (params.get("toolCall", {}).get("rawInput") or {}):
        raise Skip("Qwen Code's questions, in fields of its own")
    if "options" not in params:
        TypeAdapter(FORMS).validate_python(params)
    elif "toolCall" in params:
        RequestPermissionRequest.model_validate(params)
    else:
        raise Skip("version 2 of the protocol, which the package does not have")
    return payload


def reads(payload, answer):
    params, result = payload.get("params", payload), answer.get("result", answer)
    if "options" in params:
        outcome = RequestPermissionResponse.model_validate(result).outcome
        return [repr(outcome.option_id)] if outcome.outcome == "selected" else None
    read = TypeAdapter(CreateElicitationResponse).validate_python(result)
    if read.action != "accept":
        return None
    fields = params.get("requestedSchema", {}).get("properties", {})
    assert set(read.content or {}) <= set(fields), "nobody asked for that"
    return sorted(map(repr, leaves(read.content) or [True]))


def wanted(case):
    return lambda read: read == given(case) or (read is None and given(case) in (["False"], []))


check("agent-client-protocol", "types", sends, reads, wanted)
