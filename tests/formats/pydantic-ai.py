"""A real run of Pydantic AI whose model calls what the case asks about, and that goes on with the answer."""

import json

from cases import Skip, check
from pydantic import TypeAdapter
from pydantic_ai import (
    Agent,
    ApprovalRequired,
    CallDeferred,
    DeferredToolRequests,
    DeferredToolResults,
    RunContext,
    Tool,
)
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

ASKED, ANSWERED = TypeAdapter(DeferredToolRequests), TypeAdapter(DeferredToolResults)


class Run:
    def __init__(self, payload):
        asked = payload.get("requests", payload)
        if any(isinstance(one["args"], str) and not one["args"].startswith("{") for one in asked["approvals"]):
            raise Skip("arguments that are no JSON, with which no call gets that far")
        self.ran, self.metadata = {}, asked["metadata"]
        parts = [TypeAdapter(ToolCallPart).validate_python(one) for one in asked["approvals"] + asked["calls"]]
        turns = iter([ModelResponse(parts=parts), ModelResponse(parts=[TextPart("Done.")])])

        def model(messages, info):
            self.heard = messages[-1]
            return next(turns)

        waits = {one["tool_name"] for one in asked["calls"]}
        tools = [self.tool(name, name in waits) for name in {part.tool_name for part in parts}]
        self.agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests], tools=tools)

    def tool(self, name, waits):
        def call(context: RunContext, **arguments) -> str:
            if waits:
                raise CallDeferred
            if not context.tool_call_approved:
                raise ApprovalRequired(metadata=self.metadata.get(context.tool_call_id))
            self.ran[context.tool_call_id] = arguments
            return "It ran."

        schema = {"type": "object", "properties": {}, "additionalProperties": True}
        return Tool.from_schema(call, name, name, schema, takes_ctx=True)

    def asks(self):
        self.first = self.agent.run_sync("Go")
        return json.loads(ASKED.dump_json(self.first.output))

    def hears(self, answer):
        results = ANSWERED.validate_python(answer)
        self.agent.run_sync(message_history=self.first.all_messages(), deferred_tool_results=results)
        return self.ran, {part.tool_call_id: part.content for part in self.heard.parts}


def sends(payload):
    made = Run(payload).asks()
    return {**payload, "requests": made} if "requests" in payload else made


def reads(payload, answer):
    run = Run(payload)
    run.asks()
    return run.hears(answer)


def wanted(case):
    asked = case["in"].get("requests", case["in"])

    def agrees(heard):
        ran, told = heard
        if case["chosen"] is None:
            return not ran
        chosen = {one["id"]: one for one in case["chosen"]}
        for n, call in enumerate(asked["approvals"]):
            answer, id = chosen[f"action-{n}"], call["tool_call_id"]
            given = chosen.get(f"arguments-{n}", {}).get("value")
            if answer["labels"] == ["Approve"] and ran.get(id) != given:
                return False
            if answer["labels"] != ["Approve"] and (id in ran or (answer["note"] or "") not in told[id]):
                return False
        values = [chosen[f"action-{n + len(asked['approvals'])}"]["value"] for n in range(len(asked["calls"]))]
        return [told[call["tool_call_id"]] for call in asked["calls"]] == values

    return agrees


check("pydantic-ai-slim", "live", sends, reads, wanted)
