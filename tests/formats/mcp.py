"""The protocol's own types, of both revisions."""

from cases import check, given, leaves
from mcp_types import ElicitRequest, ElicitResult
from mcp_types._types import InputRequiredResult


def requests(payload):
    """The requests for input in a payload, by their keys."""
    payload = payload.get("result", payload)
    if "inputRequests" in payload:
        return InputRequiredResult.model_validate(payload).input_requests
    request = {"method": "elicitation/create", "params": payload.get("params", payload)}
    return {"": ElicitRequest.model_validate(request)}


def sends(payload):
    requests(payload)
    return payload


def reads(payload, answer):
    answer = answer.get("result", answer)
    results = answer.get("inputResponses", {"": answer})
    asked = requests(payload)
    assert set(results) == set(asked), "one response for each request"
    read = {key: ElicitResult.model_validate(one, strict=True) for key, one in results.items()}
    accepted = [key for key, one in read.items() if one.action == "accept"]
    for key in accepted:
        unknown = set(read[key].content or {}) - set(fields(asked[key]))
        assert not unknown, f"nobody asked for {unknown}"
    if not accepted:
        return None
    agreed = [True for key in accepted if not fields(asked[key])]
    return sorted(map(repr, leaves([read[key].content for key in accepted]) + agreed))


def fields(request):
    return getattr(request.params, "requested_schema", {}).get("properties", {})


def wanted(case):
    """No to what has no fields is no answer, too: there is nothing to fill in."""
    def agrees(read):
        told = given(case)
        # A yes or no of Codex's own, about a call of a tool.
        if told is not None and case["chosen"][0]["id"].startswith("action-"):
            return (read is not None) == "".join(case["chosen"][0]["labels"]).startswith(("Allow", "Always"))
        if told is not None and case["in"].get("result", case["in"]).get("inputRequests") is not None:
            asked = requests(case["in"])
            if any(not fields(one) for one in asked.values()):
                told = [one for one in told if one != "False"]
        return read == told or (read is None and told in (["False"], []))

    return agrees


check("mcp-types", "types", sends, reads, wanted)
